/* Waits of meets, and their sums. */
#include "analyze/job/waits/arrival_waits.h"

#include "analyze/job/clocks/clock_steps.h"
#include "analyze/job/match/collpieces.h"
#include "analyze/job/waits/jobblame.h"

struct summing {
	struct job *j;
	struct arena mem;
	uint32_t **step; /* job_number_steps */
};

static const struct collectives *collectives_of(const struct job *j, const struct job_arrival *a)
{
	return j->rank[a->rank].digest->collectives;
}

uint32_t **job_number_steps(const struct job *j, struct arena *mem)
{
	uint32_t **step = arena_array(mem, j->nrank, sizeof(*step));

	for (size_t r = 0; r < j->nrank; r++) {
		const struct digest *d = j->rank[r].digest;

		step[r] = arena_array(mem, d->nstep, sizeof(*step[r]));
		for (size_t i = 0; i < d->nstep; i++)
			step[r][i] = job_step_place(j, d->step[i].number);
	}
	return step;
}

static uint32_t step_of(const struct summing *s, uint32_t rank, const struct collective *c)
{
	return c->step == COLL_NO_STEP ? COLL_NO_STEP : s->step[rank][c->step];
}

/* Without steps that all ranks have, everything counts. */
static bool counts(const struct job *j, uint32_t step)
{
	return step != COLL_NO_STEP || j->nstep == 0;
}

static bool is_clocked(const struct job *j, const struct collective_instance *m)
{
	const struct job_clock *first = &j->rank[m->arrival[0].rank].clock;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct job_clock *c = &j->rank[m->arrival[i].rank].clock;

		if (!c->is_known || c->island != first->island)
			return false;
	}
	return true;
}

static void set_times(const struct summing *s, struct collective_instance *m)
{
	const struct job *j = s->j;
	nsec first = INT64_MAX, last = INT64_MIN;

	m->is_clocked = is_clocked(j, m);
	m->transfer = INT64_MAX;
	for (EACH(struct job_arrival, a, m->arrival, m->n)) {
		const struct collective *c = job_collective(j, a);
		const struct job_clock *clock = &j->rank[a->rank].clock;

		a->start = m->is_clocked ? job_time(clock, c->start) : c->start;
		a->end = saturate_add(c->start, c->dur);
		a->end = m->is_clocked ? job_time(clock, a->end) : a->end;
		first = MIN(a->end, first);
		last = MAX(a->end, last);
		m->transfer = MIN(c->dur, m->transfer);
		if (m->step == COLL_NO_STEP)
			m->step = step_of(s, a->rank, c);
	}
	m->end_skew = m->is_clocked ? saturate_sub(last, first) : 0;
}

/* How much later the last came than this one, as far as it can be told; >= 0. */
static nsec lag_of(const struct job *j, const struct collective_instance *m,
	const struct job_arrival *a, const struct job_arrival *last)
{
	nsec dur = job_collective(j, a)->dur;

	if (!m->is_clocked)
		return saturate_sub(dur, m->transfer);
	nsec lag = saturate_sub(last->start, a->start);
	nsec least = saturate_round(hypot((double)j->rank[a->rank].clock.uncertainty,
		(double)j->rank[last->rank].clock.uncertainty));
	if (lag <= least || (!m->is_sync && a->end <= last->start))
		return 0;
	return MIN(lag, dur);
}

static bool is_later(
	const struct job *j, const struct collective_instance *m, uint32_t a, uint32_t b)
{
	if (m->is_clocked)
		return m->arrival[a].start > m->arrival[b].start;
	return job_collective(j, &m->arrival[a])->dur < job_collective(j, &m->arrival[b])->dur;
}

static void set_waits(const struct job *j, struct collective_instance *m)
{
	uint32_t last = 0;

	m->last = m->n;
	if (!m->is_clocked && !m->is_sync)
		return;
	for (uint32_t i = 1; i < m->n; i++)
		if (is_later(j, m, i, last))
			last = i;
	for (uint32_t i = 0; i < m->n; i++) {
		struct job_arrival *a = &m->arrival[i];

		if (i != last)
			a->wait = lag_of(j, m, a, &m->arrival[last]);
		if (m->late && (m->is_clocked || i == last))
			a->wait = MIN(saturate_add(a->wait, m->late), job_collective(j, a)->dur);
		if (a->wait <= 0)
			continue;
		a->exposed_wait =
			collpieces_until(collectives_of(j, a), job_collective(j, a), a->wait);
		m->skew = MAX(a->wait, m->skew);
	}
	if (m->skew > 0 && !m->late)
		m->last = last;
}

/* How many it came last of, by more than can be told. */
static void count_last(struct job *j, const struct collective_instance *m)
{
	uint32_t nwait = 0;

	for (uint32_t i = 0; i < m->n && counts(j, m->step) && m->n > 1; i++) {
		j->rank[m->arrival[i].rank].nmeet++;
		nwait += m->arrival[i].wait > 0;
	}
	if (nwait > 0 && m->last < m->n && nwait + 1 == m->n)
		j->rank[m->arrival[m->last].rank].nlast++;
}

/* What of a collective is exposed, without what a clock that was set in it adds. */
static nsec exposed_of(const struct job_clock *clock, const struct collective *c)
{
	nsec end = saturate_add(c->start, c->dur), more = c->dur;

	if (clock->nset == 0)
		return c->exposed;
	more -= saturate_sub(clock_step_back(clock, end), clock_step_back(clock, c->start));
	return MAX(saturate_sub(c->exposed, MAX(more, 0)), 0);
}

/* What is exposed and no wait for others. */
static void set_transfers(struct summing *s)
{
	struct job *j = s->j;

	for (size_t r = 0; r < j->nrank; r++) {
		const struct collectives *c = j->rank[r].digest->collectives;

		for (size_t i = 0; c && i < c->n; i++) {
			uint32_t step = step_of(s, (uint32_t)r, &c->v[i]);
			nsec exposed = exposed_of(&j->rank[r].clock, &c->v[i]);

			if (counts(j, step))
				saturate_onto(&j->rank[r].transfer, exposed);
			if (step != COLL_NO_STEP)
				saturate_onto(&j->by_step[step * j->nrank + r].transfer, exposed);
		}
		j->rank[r].transfer =
			MAX(saturate_sub(j->rank[r].transfer, j->rank[r].suffered), 0);
	}
	for (size_t i = 0; i < j->nstep * j->nrank; i++)
		j->by_step[i].transfer =
			MAX(saturate_sub(j->by_step[i].transfer, j->by_step[i].suffered), 0);
}

static nsec first_start(const struct collective_instance *m)
{
	nsec first = m->arrival[0].start;

	for (uint32_t i = 1; i < m->n; i++)
		first = MIN(m->arrival[i].start, first);
	return first;
}

struct turn {
	nsec first;
	uint32_t group;
	size_t at;
};

ORDER(by_first, struct turn, compare3(a->first, b->first), compare3(a->group, b->group),
	compare3(a->at, b->at))

static void order_meets(struct job *j, struct arena *mem, struct arena *scratch)
{
	struct turn *turn = arena_array(scratch, j->nmeet, sizeof(*turn));
	uint64_t *ordinal = arena_array(scratch, j->ngroup, sizeof(*ordinal));
	struct collective_instance *to = arena_array(mem, j->nmeet, sizeof(*to));

	for (size_t i = 0; i < j->nmeet; i++)
		turn[i] = (struct turn){ first_start(&j->meet[i]), j->meet[i].group, i };
	sort_rows(turn, j->nmeet, sizeof(*turn), by_first);
	for (size_t i = 0; i < j->nmeet; i++) {
		to[i] = j->meet[turn[i].at];
		to[i].ordinal = ordinal[to[i].group]++;
	}
	j->meet = to;
}

void arrival_waits(struct job *j, struct arena *mem)
{
	struct summing s = { .j = j };

	s.step = job_number_steps(j, &s.mem);
	j->by_step = arena_array(mem, j->nstep * j->nrank, sizeof(*j->by_step));
	for (size_t i = 0; i < j->nmeet; i++)
		set_times(&s, &j->meet[i]);
	if (j->nabsent > 0)
		absent_waits(j, &s.mem);
	for (size_t i = 0; i < j->nmeet; i++) {
		set_waits(j, &j->meet[i]);
		count_last(j, &j->meet[i]);
	}
	order_meets(j, mem, &s.mem);
	job_blame(j, s.step, mem);
	set_transfers(&s);
	arena_clear(&s.mem);
}
