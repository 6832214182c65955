/* Whom waits go back to: each rank carries what of its lateness another one caused. */
#include "analyze/job/waits/jobblame.h"

#include "analyze/job/jobflows.h"
#include "analyze/trace/columns/keymap.h"
#include "base/base.h"

#define NOBODY UINT32_MAX

/* What a rank is late by through others: those of whom it is most; several may be slow at once. */
enum { CREDITORS = 2 };
struct debt {
	uint32_t to[CREDITORS];
	nsec ns[CREDITORS];
};

struct pair_key {
	uint32_t waits, causes;
};

struct pass {
	const struct job *j;
	struct job *to;        /* that is filled; NULL: `between` is */
	const uint32_t *stage; /* by rank and absent; NULL: all waits count */
	nsec *between;
	uint32_t *const *job_step;
	struct debt *debt; /* by rank, behind them by absent */
	size_t ndebt;
	struct keymap pairs;
	struct job_pair *pair;
	size_t npair, pair_cap;
	uint32_t *recent; /* by the sum of its ranks: 1 + a pair that was asked for */
	uint32_t step;
};

static void forget(struct pass *p)
{
	_Static_assert(CREDITORS == 2, "all of them");
	FILL(p->debt, p->ndebt, (struct debt){ { NOBODY, NOBODY }, { 0 } });
}

/* v x part / whole, rounded down. */
static nsec share(nsec v, nsec part, nsec whole)
{
	return (nsec)((__int128)v * part / whole);
}

/* What of an arrival's wait the last one inherited from its k-th creditor, more than the waiting
 * one did; from whom it inherited that is as late itself. */
static nsec inherited(
	const struct pass *p, const struct debt *last, int k, const struct job_arrival *a)
{
	const struct debt *own = &p->debt[a->rank];
	nsec more = last->ns[k];

	if (last->to[k] == NOBODY || last->to[k] == a->rank)
		return 0;
	for (int i = 0; i < CREDITORS; i++)
		more = own->to[i] == last->to[k] ? saturate_sub(more, own->ns[i]) : more;
	return MAX(more, 0);
}

/* The larger of what it owes and what it comes to owe. */
static void owe(struct debt *d, uint32_t to, nsec ns)
{
	int least = 0;

	for (int k = 0; k < CREDITORS; k++) {
		if (d->to[k] == to) {
			saturate_onto(&d->ns[k], ns);
			return;
		}
		least = d->ns[k] < d->ns[least] ? k : least;
	}
	if (ns <= d->ns[least])
		return;
	d->to[least] = to;
	d->ns[least] = ns;
}

/* Who came last, where one did: behind the ranks are the absent. */
static uint32_t last_of(const struct job *j, const struct collective_instance *m)
{
	return m->late ? (uint32_t)j->nrank + m->absent - 1 : m->arrival[m->last].rank;
}

/* keymap_add, where few ranks are waited for. */
static void add_pair(struct pass *p, uint32_t waits, uint32_t causes, nsec ns)
{
	const struct pair_key key = { waits, causes };
	uint32_t *recent = &p->recent[(size_t)waits + causes];

	if (!*recent || p->pair[*recent - 1].waits != waits ||
		p->pair[*recent - 1].causes != causes) {
		uint32_t at = keymap_add(&p->pairs, &key);

		if (at == p->npair) {
			p->pair = array_grow(p->pair, &p->pair_cap, at + 1, sizeof(*p->pair));
			p->pair[p->npair++] = (struct job_pair){ waits, causes, 0 };
		}
		*recent = at + 1;
	}
	saturate_onto(&p->pair[*recent - 1].ns, ns);
}

/* Adds a wait to all sums that it is in. */
static void add(
	struct pass *p, const struct job_arrival *a, uint32_t causes, uint32_t step, nsec ns)
{
	struct job *j = p->to;
	struct job_absent *absent = causes < j->nrank ? NULL : &j->absent[causes - j->nrank];

	saturate_onto(&j->rank[a->rank].suffered, ns);
	saturate_onto(absent ? &absent->caused : &j->rank[causes].caused, ns);
	add_pair(p, a->rank, causes, ns);
	if (step == COLL_NO_STEP)
		return;
	saturate_onto(&j->by_step[step * j->nrank + a->rank].suffered, ns);
	saturate_onto(
		absent ? &absent->by_step[step] : &j->by_step[step * j->nrank + causes].caused, ns);
}

/* Without steps that all ranks have, everything counts. */
static void count(struct pass *p, const struct collective_instance *m, const struct job_arrival *a,
	uint32_t causes, nsec ns)
{
	uint32_t own = job_collective(p->j, a)->step;
	uint32_t step = own == COLL_NO_STEP ? own : p->job_step[a->rank][own];

	if (ns <= 0 || (step == COLL_NO_STEP && p->j->nstep > 0))
		return;
	if (p->to)
		add(p, a, causes, step, ns);
	else if (job_is_pair(m->op) || p->stage[a->rank] != p->stage[last_of(p->j, m)])
		saturate_onto(&p->between[step * p->ndebt + causes], ns);
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

/* One who is not there and came in time: it is as late now as any that waited, and as the last. */
static void absent_owes(struct pass *p, const struct collective_instance *m, uint32_t who,
	const struct debt *last, nsec most)
{
	uint32_t absent = (uint32_t)p->j->nrank + m->absent - 1;

	if (!m->absent || absent == who || p->j->absent[m->absent - 1].nrank != 1)
		return;
	for (int k = 0; k < CREDITORS; k++)
		if (last->to[k] != NOBODY && last->to[k] != absent)
			owe(&p->debt[absent], last->to[k], last->ns[k]);
	owe(&p->debt[absent], who, most);
}

/* A wait, and whom it goes back to.  What of it is the last one's own doing. */
static nsec hand_on(struct pass *p, const struct collective_instance *m,
	const struct job_arrival *a, uint32_t who, const struct debt *last)
{
	nsec own = a->exposed_wait, left = a->wait;

	for (int k = 0; k < CREDITORS && left > 0; k++) {
		nsec more = MIN(inherited(p, last, k, a), left);
		nsec handed = share(a->exposed_wait, more, a->wait);

		left -= more;
		if (handed <= 0)
			continue;
		own -= handed;
		count(p, m, a, last->to[k], handed);
		owe(&p->debt[a->rank], last->to[k], handed);
	}
	count(p, m, a, who, own);
	owe(&p->debt[a->rank], who, own);
	return own;
}

static void visit(struct pass *p, const struct collective_instance *m)
{
	nsec most = 0;

	if (m->step != p->step) {
		forget(p);
		p->step = m->step;
	}
	if (m->last >= m->n && !m->late)
		return;
	uint32_t who = last_of(p->j, m);
	struct debt last = p->debt[who];
	for (uint32_t i = 0; i < m->n; i++) {
		const struct job_arrival *a = &m->arrival[i];

		if (i == m->last || a->wait <= 0 || a->exposed_wait <= 0)
			continue;
		nsec own = hand_on(p, m, a, who, &last);
		most = MAX(most, own);
	}
	absent_owes(p, m, who, &last, most);
	if (is_settled(p->j, m))
		forget(p);
}

ORDER(by_ranks, struct job_pair, compare3(a->waits, b->waits), compare3(a->causes, b->causes))

static void visit_all(struct pass *p)
{
	p->ndebt = p->j->nrank + p->j->nabsent;
	p->debt = zeroed(p->ndebt, sizeof(*p->debt));
	p->step = COLL_NO_STEP;
	forget(p);
	for (size_t i = 0; i < p->j->nmeet; i++)
		visit(p, &p->j->meet[i]);
	free(p->debt);
}

void job_blame(struct job *j, uint32_t *const *step, struct arena *mem)
{
	struct pass p = { .j = j, .to = j, .job_step = step };
	SCOPED_ARENA scratch = { 0 };

	keymap_init(&p.pairs, sizeof(struct pair_key));
	p.recent = arena_array(&scratch, 2 * j->nrank + j->nabsent, sizeof(*p.recent));
	visit_all(&p);
	sort_rows(p.pair, p.npair, sizeof(*p.pair), by_ranks);
	j->npair = p.npair;
	j->pair = arena_array(mem, j->npair, sizeof(*j->pair));
	if (j->npair)
		memcpy(j->pair, p.pair, j->npair * sizeof(*j->pair));
	keymap_clear(&p.pairs);
	free(p.pair);
}

void job_blame_between(const struct job *j, uint32_t *const *step, const uint32_t *stage, nsec *to)
{
	struct pass p = { .j = j, .stage = stage, .between = to, .job_step = step };

	visit_all(&p);
}
