/* Waits that are no collectives: by copy engines, memory that ranks share, waits of the host or of
 * a stream.  No event says who waits for whom.  But where all ranks have the same step, who works
 * longer than its peers by as much as they idle longer than it is who they wait for.
 *
 * Work is what a rank does itself: computing, copies, and idle time for its data loader and host.
 * Idle time that may be waiting is the rest; where no collectives tell, so may be copies, and what
 * communication there is. */
#include "analyze/job/waits/jobwhy_parts.h"

#include "analyze/stat/quantile.h"
#include "base/base.h"

static const double least = 0.05;     /* of a step: how much longer it works */
static const double as_much = 0.3;    /* of that: what their idle time may differ from it by */
static const double as_long = 0.7;    /* of that: who works as long */
static const double in_most = 0.75;   /* of the steps it works longest, by half of that at least */
enum { STEPS_MIN = 2, HITS_MIN = 3 }; /* HITS: where it is so in some steps */

/* What a rank does itself. */
static double works(const nsec *part)
{
	double sum = (double)part[PART_COMPUTE] + (double)part[PART_IDLE_DATA] +
		(double)part[PART_IDLE_LAUNCH];

	for (int p = PART_IDLE_ALLOCATOR; p <= PART_IDLE_PYTHON; p++)
		sum += (double)part[p];
	return sum;
}

static double works_and_copies(const nsec *part)
{
	return works(part) + (double)part[PART_MEMCPY];
}

static double idles(const nsec *part)
{
	return (double)part[PART_IDLE_SYNC] + (double)part[PART_IDLE_NOTHING] +
		(double)part[PART_IDLE_DEPENDENCY] + (double)part[PART_IDLE_UNKNOWN];
}

/* The same where waits are in copies, or in communication of which nobody knows whose it is. */
static double may_wait(const nsec *part)
{
	return idles(part) + (double)part[PART_MEMCPY] + (double)part[PART_COMM];
}

double why_longer(
	const struct why_work *w, size_t step, uint32_t rank, double (*of)(const nsec *part))
{
	struct arena_mark mark = arena_mark(w->mem);
	double *v = arena_array(w->mem, w->j->nrank, sizeof(*v)), own = 0;
	size_t n = 0;

	for (uint32_t r = 0; r < w->j->nrank; r++) {
		size_t devices = w->j->rank[r].digest->ndevice;
		double ns = of(job_ledgers_step(&w->f->ledgers, step, r)->part) /
			(double)(devices ? devices : 1);

		if (r == rank)
			own = ns;
		else if (w->f->stages.of[r] == w->f->stages.of[rank])
			v[n++] = ns;
	}
	own -= quantile_select(v, n, 0.5);
	arena_reset(w->mem, mark);
	return own;
}

/* Who works longest in all, and those that work nearly as long. */
static void find_longest(struct why_slow *s, const struct why_work *w, double (*of)(const nsec *))
{
	const uint32_t n = (uint32_t)w->j->nrank;
	double *sum = arena_array(w->mem, n, sizeof(*sum));
	double *v = arena_array(w->mem, n, sizeof(*v));
	uint32_t top = 0;

	*s = (struct why_slow){ .rank = arena_array(w->mem, n, sizeof(*s->rank)),
		.n = 1,
		.is_slow = arena_array(w->mem, n, sizeof(*s->is_slow)),
		.peer = arena_array(w->mem, n, sizeof(*s->peer)) };
	for (uint32_t r = 0; r < n; r++) {
		v[r] = sum[r] = SUM(
			double, i, w->j->nstep, of(job_ledgers_step(&w->f->ledgers, i, r)->part));
		top = sum[r] > sum[top] ? r : top;
	}
	double middle = quantile_select(v, n, 0.5);
	s->rank[0] = top;
	for (uint32_t r = 0; r < n; r++) {
		s->is_slow[r] = r == top || sum[r] - middle >= as_long * (sum[top] - middle);
		if (!s->is_slow[r])
			s->peer[s->npeer++] = r;
		else if (r != top)
			s->rank[s->n++] = r;
	}
}

/* What a rank works longer, and the others idle longer, in each step. */
struct apart {
	double *more, *idle, all_more, all_idle;
};

static bool is_alike(double more, double idle)
{
	return fabs(idle - more) <= as_much * more;
}

/* Whether it is so in some steps, each for itself, and in the others hardly anything is. */
static bool is_in_some(const struct apart *a, const size_t *hit, size_t hits, size_t n)
{
	double rest = SUM(double, i, n, fabs(a->more[i]));

	for (size_t k = 0; k < hits; k++) {
		if (!is_alike(a->more[hit[k]], a->idle[hit[k]]))
			return false;
		rest -= a->more[hit[k]];
	}
	return hits >= HITS_MIN && rest <= as_much * a->all_more;
}

static bool find(struct why_slow *s, const struct why_work *w, double (*own)(const nsec *),
	double (*waits)(const nsec *))
{
	const struct job *j = w->j;
	const size_t n = j->nstep;
	size_t *hit = arena_array(w->mem, n, sizeof(*hit));
	struct apart a = { .more = arena_array(w->mem, n, sizeof(*a.more)),
		.idle = arena_array(w->mem, n, sizeof(*a.idle)) };

	if (n < STEPS_MIN || j->nrank < 2 || w->f->stages.n > 1)
		return false;
	find_longest(s, w, own);
	for (size_t i = 0; i < n; i++) {
		a.all_more += a.more[i] = why_longer(w, i, s->rank[0], own);
		a.all_idle += a.idle[i] = -why_longer(w, i, s->rank[0], waits);
	}
	double more = a.all_more / (double)n;
	size_t often = SUM(size_t, i, n, a.more[i] >= more / 2);
	size_t hits = why_find_hits(a.more, n, hit);
	bool is_always = (double)often >= in_most * (double)n;
	if (more <= 0 || more < least * w->f->ledgers.step || !is_alike(a.all_more, a.all_idle) ||
		(!is_always && !is_in_some(&a, hit, hits, n)))
		return false;
	s->lead = more;
	s->wait = a.all_idle / (double)n;
	s->by_step = a.more;
	s->is_uneven = !is_always;
	s->is_idle = true;
	return true;
}

bool why_find_idle(struct why_slow *s, const struct why_work *w)
{
	if (find(s, w, works_and_copies, idles))
		return true;
	if (w->is_judged || !find(s, w, works, may_wait))
		return false;
	s->is_vague = true;
	return true;
}
