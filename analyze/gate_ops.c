/*
 * `gate`: time per step of ops chosen by name.
 *
 * A row of a digest matches by its own name or by the op that launched it.  Ranks of a run are
 * averaged, step by step.
 */
#include <math.h>
#include <string.h>

#include "analyze/gate.h"
#include "analyze/regex.h"
#include "analyze/sides.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"

static bool is_cpu(const struct gate_rule *rule)
{
	return strncmp(rule->id, "cpu:", 4) == 0;
}

static enum status matches(
	const struct gate_rule *rule, const struct digest_op *op, bool *is_match, struct err *e)
{
	TRY(regex_match(rule->regex, op->name, is_match, e));
	if (!*is_match && op->op.n > 0)
		TRY(regex_match(rule->regex, op->op, is_match, e));
	return OK;
}

/* Time of one rank's matching rows by counted step. */
struct rank_sums {
	const struct digest *digest;
	double *v;
	bool is_uncut; /* a row's times by step were not kept: only `all` is right */
	double all;
	size_t rows;
};

static enum status sum_rank(struct rank_sums *s, const struct gate_rule *rule,
	const struct digest *d, struct arena *mem, struct err *e)
{
	const struct digest_ops *ops = is_cpu(rule) ? &d->host : &d->device;
	size_t i, k;

	*s = (struct rank_sums){ .digest = d };
	s->v = arena_array(mem, d->nstep, sizeof(*s->v));
	for (i = 0; i < ops->n; i++) {
		const struct digest_op *op = &ops->v[i];
		bool is_match;

		TRY(matches(rule, op, &is_match, e));
		if (!is_match)
			continue;
		s->rows++;
		s->all += (double)op->ns;
		s->is_uncut |= !op->step_ns;
		for (k = 0; op->step_ns && k < d->nstep; k++)
			s->v[k] += (double)op->step_ns[k];
	}
	return OK;
}

/* The value of the step of that number, or NaN. */
static double at_number(const struct rank_sums *s, int64_t number)
{
	size_t i;

	for (i = 0; i < s->digest->nstep; i++)
		if (s->digest->step[i].number == number)
			return s->v[i];
	return NAN;
}

/* The mean over the ranks of the steps that all of them have. */
static void by_step(
	struct metric_sample *x, const struct rank_sums *rank, size_t n, struct arena *mem)
{
	const struct digest *first = rank[0].digest;
	size_t i, k;

	x->v = arena_array(mem, first->nstep, sizeof(*x->v));
	for (i = 0; i < first->nstep; i++) {
		double sum = 0;

		for (k = 0; k < n; k++)
			sum += at_number(&rank[k], first->step[i].number);
		if (!isnan(sum))
			x->v[x->n++] = sum / (double)n;
	}
	if (x->n == 0)
		return;
	x->centre = quantile_median(x->v, x->n, mem);
	x->sd = sqrt(welch_moments(x->v, x->n).variance);
	x->count = (int64_t)x->n;
}

/* Only the sums are known. */
static void summed(struct metric_sample *x, const struct rank_sums *rank, size_t n)
{
	double steps = 0, all = 0;
	size_t k;

	for (k = 0; k < n; k++) {
		steps += (double)rank[k].digest->nstep;
		all += rank[k].all;
	}
	x->centre = all / steps;
	x->sd = NAN;
	x->count = (int64_t)(steps / (double)n);
}

static enum status sum_run(struct metric *m, const struct gate_rule *rule,
	const struct side_run *run, size_t *rows, struct arena *mem, struct err *e)
{
	struct metric_sample *x = &m->sample[m->n];
	struct rank_sums *rank = arena_array(mem, run->nrank, sizeof(*rank));
	bool is_uncut = false;
	size_t k;

	for (k = 0; k < run->nrank; k++) {
		TRY(sum_rank(&rank[k], rule, run->part[k].digest, mem, e));
		*rows += rank[k].rows;
		is_uncut |= rank[k].is_uncut;
	}
	if (run->nrank == 0 || rank[0].digest->nstep == 0)
		return OK;
	x->run = run->name;
	if (is_uncut)
		summed(x, rank, run->nrank);
	else
		by_step(x, rank, run->nrank, mem);
	m->n += x->count > 0;
	return OK;
}

enum status gate_ops_metric(struct metric *m, const struct gate_rule *rule, const struct side *s,
	struct arena *mem, struct err *e)
{
	size_t i, rows = 0;

	*m = (struct metric){
		.id = rule->id, .title = rule->id, .unit = UNIT_NS, .better = BETTER_LOWER
	};
	m->sample = arena_array(mem, s->nrun, sizeof(*m->sample));
	for (i = 0; i < s->nrun; i++)
		TRY(sum_run(m, rule, &s->run[i], &rows, mem, e));
	if (rows == 0)
		m->n = 0; /* nothing is called so: unknown, not 0 */
	return OK;
}
