/* Whom waits go back to: each rank carries what of its lateness another one caused. */
#include "analyze/job/waits/jobblame.h"

#include "base/minmax.h"
#include "base/saturate.h"

#define NOBODY UINT32_MAX

/* What a rank is late by through another. */
struct debt {
	uint32_t to;
	nsec ns;
};

struct pass {
	const struct job *j;
	struct debt *debt;   /* by rank */
	struct job_blame *b; /* NULL: only the waits for one rank are wanted */
	const bool *whom;
	nsec *waits; /* by rank: for `whom`; or NULL */
	uint32_t step;
};

static void forget(struct pass *p)
{
	for (size_t i = 0; i < p->j->nrank; i++)
		p->debt[i] = (struct debt){ NOBODY, 0 };
}

/* v x part / whole, rounded down. */
static nsec share(nsec v, nsec part, nsec whole)
{
	return (nsec)((__int128)v * part / whole);
}

/*
 * What of an arrival's wait the last one inherited, more than the waiting one did; from whom it
 * inherited that is as late itself.
 */
static nsec inherited(const struct pass *p, const struct debt *last, const struct job_arrival *a)
{
	const struct debt *own = &p->debt[a->rank];
	nsec more = last->to == NOBODY ? 0 : last->ns;

	if (own->to == last->to)
		more = saturate_sub(more, own->ns);
	if (last->to == a->rank)
		more = 0;
	if (more < 0)
		more = 0;
	return MIN(more, a->wait);
}

/* The larger of what it owes and what it comes to owe. */
static void owe(struct debt *d, uint32_t to, nsec ns)
{
	if (d->to == to)
		saturate_onto(&d->ns, ns);
	else if (ns > d->ns)
		*d = (struct debt){ to, ns };
}

static void count(struct pass *p, const struct collective_instance *m, uint32_t waits,
	uint32_t causes, nsec ns)
{
	if (m->step == COLL_NO_STEP || causes == NOBODY)
		return;
	if (p->waits && p->whom[causes])
		saturate_onto(&p->waits[waits], ns);
	if (!p->b)
		return;
	saturate_onto(&p->b->rank[causes], ns);
	saturate_onto(&p->b->by_step[(size_t)m->step * p->j->nrank + causes], ns);
}

/* Lateness is over where all ranks have met and waited. */
static bool is_settled(const struct job *j, const struct collective_instance *m)
{
	nsec wait = 0, exposed = 0;

	if (m->n < j->nrank)
		return false;
	for (uint32_t i = 0; i < m->n; i++) {
		saturate_onto(&wait, m->arrival[i].wait);
		saturate_onto(&exposed, m->arrival[i].exposed_wait);
	}
	return exposed >= wait / 2;
}

static void visit(struct pass *p, const struct collective_instance *m)
{
	if (m->step != p->step) {
		forget(p);
		p->step = m->step;
	}
	if (m->last >= m->n)
		return;
	uint32_t who = m->arrival[m->last].rank;
	struct debt last = p->debt[who];
	for (uint32_t i = 0; i < m->n; i++) {
		const struct job_arrival *a = &m->arrival[i];

		if (i == m->last || a->wait <= 0 || a->exposed_wait <= 0)
			continue;
		nsec handed = share(a->exposed_wait, inherited(p, &last, a), a->wait);
		count(p, m, a->rank, last.to, handed);
		count(p, m, a->rank, who, a->exposed_wait - handed);
		if (handed > 0)
			owe(&p->debt[a->rank], last.to, handed);
		owe(&p->debt[a->rank], who, a->exposed_wait - handed);
	}
	if (is_settled(p->j, m))
		forget(p);
}

static void run(struct pass *p, struct arena *mem)
{
	p->debt = arena_array(mem, p->j->nrank, sizeof(*p->debt));
	p->step = COLL_NO_STEP;
	forget(p);
	for (size_t i = 0; i < p->j->nmeet; i++)
		visit(p, &p->j->meet[i]);
}

void job_blame_init(struct job_blame *b, const struct job *j, struct arena *mem)
{
	struct pass p = { .j = j, .b = b };

	b->rank = arena_array(mem, j->nrank, sizeof(*b->rank));
	b->by_step = arena_array(mem, j->nstep * j->nrank, sizeof(*b->by_step));
	run(&p, mem);
}

void job_blame_waits(const struct job *j, const bool *whom, nsec *waits, struct arena *mem)
{
	struct pass p = { .j = j, .whom = whom, .waits = waits };

	run(&p, mem);
}
