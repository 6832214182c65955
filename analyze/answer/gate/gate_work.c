/* `gate`: work, and how fast it is done: FLOP a second of ops chosen by name, and whether as much
 * is known of both sides. */
#include "analyze/answer/gate/gate.h"
#include "analyze/job/sides.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"
#include "analyze/trace/regex.h"

/* Of the matching ops of all ranks of a run; by_*: by step of the first rank. */
struct work_sums {
	double flop, ns;
	double *by_flop, *by_ns;
	bool is_uncut; /* values by step were not kept, or ranks differ in their steps */
};

static void add_op(struct work_sums *s, const struct digest_work *w, size_t nstep)
{
	s->flop += (double)w->flop;
	s->ns += (double)w->ns;
	s->is_uncut |= !w->step_flop;
	for (size_t i = 0; i < nstep && !s->is_uncut; i++) {
		s->by_flop[i] += (double)w->step_flop[i];
		s->by_ns[i] += (double)w->step_ns[i];
	}
}

static bool has_steps_of(const struct digest *d, const struct digest *first)
{
	for (size_t i = 0; i < d->nstep && i < first->nstep; i++)
		if (d->step[i].number != first->step[i].number)
			return false;
	return d->nstep == first->nstep;
}

static enum status sum_run(struct work_sums *s, const struct gate_rule *rule,
	const struct side_run *run, struct arena *mem, struct err *e)
{
	const struct digest *first = run->part[0].digest;

	*s = (struct work_sums){ 0 };
	s->by_flop = arena_array(mem, first->nstep, sizeof(*s->by_flop));
	s->by_ns = arena_array(mem, first->nstep, sizeof(*s->by_ns));
	for (size_t k = 0; k < run->nrank; k++) {
		const struct digest *d = run->part[k].digest;

		s->is_uncut |= !has_steps_of(d, first);
		for (EACH(const struct digest_work, work, d->work, d->nwork)) {
			bool is_match;

			TRY(regex_match(rule->regex, work->op, &is_match, e));
			if (is_match && work->known > 0)
				add_op(s, work, first->nstep);
		}
	}
	return OK;
}

/* 10^12 FLOP a second: 1000 a ns; steps without such work say nothing. */
static void fill(
	struct metric_sample *x, const struct work_sums *s, size_t nstep, struct arena *mem)
{
	x->centre = s->flop / s->ns / 1e3;
	x->mean = x->centre;
	x->sd = NAN;
	x->count = (int64_t)nstep;
	if (s->is_uncut)
		return;
	x->v = arena_array(mem, nstep, sizeof(*x->v));
	for (size_t i = 0; i < nstep; i++)
		if (s->by_ns[i] > 0)
			x->v[x->n++] = s->by_flop[i] / s->by_ns[i] / 1e3;
	if (x->n == 0)
		return;
	x->centre = quantile_median(x->v, x->n, mem);
	x->mean = welch_moments(x->v, x->n).mean;
	x->sd = sqrt(welch_moments(x->v, x->n).variance);
	x->count = (int64_t)x->n;
}

enum status gate_work_metric(struct metric *m, const struct gate_rule *rule, const struct side *s,
	struct arena *mem, struct err *e)
{
	*m = (struct metric){ .id = rule->id, .title = rule->id, .better = BETTER_HIGHER };
	m->sample = arena_array(mem, s->nrun, sizeof(*m->sample));
	for (EACH(const struct side_run, run, s->run, s->nrun)) {
		struct work_sums sums;

		if (run->nrank == 0 || run->part[0].digest->nstep == 0)
			continue;
		TRY(sum_run(&sums, rule, run, mem, e));
		if (sums.ns <= 0)
			continue;
		m->sample[m->n].run = run->name;
		fill(&m->sample[m->n++], &sums, run->part[0].digest->nstep, mem);
	}
	return OK;
}

/* ---- what is known ---- */

/* Share of the computing time whose FLOP are known: the mean over steps with any. */
static double known_of(const struct side *s)
{
	double sum = 0;
	size_t n = 0;

	for (EACH(const struct side_run, run, s->run, s->nrun))
		for (size_t k = 0; k < run->nrank; k++) {
			const struct digest *d = run->part[k].digest;

			for (EACH(const struct digest_step, step, d->step, d->nstep)) {
				sum += step->known_ratio;
				n += step->known_ratio > 0;
			}
		}
	return n > 0 ? sum / (double)n : NAN;
}

const char *gate_work_differs(const struct gate *g)
{
	const double most = 0.05;

	if (!g->base_side || !g->now_side)
		return NULL;
	double base = known_of(g->base_side);
	double now = known_of(g->now_side);
	if (!(fabs(base - now) > most))
		return NULL;
	return arena_printf(&g->out->mem,
		"operations of %.0f%% of base's computing time are known, of %.0f%% of new's",
		100 * base, 100 * now);
}
