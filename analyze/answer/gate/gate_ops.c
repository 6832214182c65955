/* `gate`: time per step of ops chosen by name.
 *
 * A row of a digest matches by its own name or by the op that launched it.  Ranks of a run are
 * averaged, step by step. */
#include "analyze/answer/gate/gate.h"
#include "analyze/job/sides.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"
#include "analyze/trace/regex.h"

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

	*s = (struct rank_sums){ .digest = d };
	s->v = arena_array(mem, d->nstep, sizeof(*s->v));
	for (EACH(const struct digest_op, op, ops->v, ops->n)) {
		bool is_match;

		TRY(matches(rule, op, &is_match, e));
		if (!is_match)
			continue;
		s->rows++;
		s->all += (double)op->ns;
		s->is_uncut |= !op->step_ns;
		for (size_t k = 0; op->step_ns && k < d->nstep; k++)
			s->v[k] += (double)op->step_ns[k];
	}
	return OK;
}

/* The value of the step of that number, or NaN. */
static double at_number(const struct rank_sums *s, int64_t number)
{
	return FIND_VALUE(i, s->digest->nstep, s->digest->step[i].number == number, s->v[i], NAN);
}

/* The mean over the ranks of the steps that all of them have. */
static void by_step(
	struct metric_sample *x, const struct rank_sums *rank, size_t n, struct arena *mem)
{
	const struct digest *first = rank[0].digest;

	x->v = arena_array(mem, first->nstep, sizeof(*x->v));
	for (size_t i = 0; i < first->nstep; i++) {
		double sum = SUM(double, k, n, at_number(&rank[k], first->step[i].number));

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

	for (EACH(const struct rank_sums, sums, rank, n)) {
		steps += (double)sums->digest->nstep;
		all += sums->all;
	}
	x->centre = all / steps;
	x->sd = NAN;
	x->count = saturate_whole(steps / (double)n);
}

static enum status sum_run(struct metric *m, const struct gate_rule *rule,
	const struct side_run *run, size_t *rows, struct arena *mem, struct err *e)
{
	struct metric_sample *x = &m->sample[m->n];
	struct rank_sums *rank = arena_array(mem, run->nrank, sizeof(*rank));
	bool is_uncut = false;

	for (size_t k = 0; k < run->nrank; k++) {
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
	size_t rows = 0;

	*m = (struct metric){
		.id = rule->id, .title = rule->id, .unit = UNIT_NS, .better = BETTER_LOWER
	};
	m->sample = arena_array(mem, s->nrun, sizeof(*m->sample));
	for (size_t i = 0; i < s->nrun; i++)
		TRY(sum_run(m, rule, &s->run[i], &rows, mem, e));
	if (rows == 0)
		m->n = 0; /* nothing is called so: unknown, not 0 */
	return OK;
}

/* ---- new kernels ---- */

ORDER(by_text, struct span, span_cmp(*a, *b))

/* The distinct names of a side's kernels, sorted; *has_device: it has any device work. */
static size_t kernels_of(
	const struct side *s, struct span **out, bool *has_device, struct arena *mem)
{
	struct span *name = NULL;
	size_t cap = 0, n = 0, kept = 0;

	*has_device = false;
	for (EACH(const struct side_run, run, s->run, s->nrun))
		for (size_t k = 0; k < run->nrank; k++) {
			const struct digest *d = run->part[k].digest;

			*has_device |= d->has_device;
			for (size_t j = 0; j < d->device.n; j++) {
				if (d->device.v[j].kind != KIND_KERNEL)
					continue;
				PUSH(name, n, cap, d->device.v[j].name);
			}
		}
	sort_rows(name, n, sizeof(*name), by_text);
	*out = arena_array(mem, n, sizeof(**out));
	for (size_t i = 0; i < n; i++)
		if (i == 0 || !span_eq(name[i], name[i - 1]))
			(*out)[kept++] = name[i];
	free(name);
	return kept;
}

void gate_new_kernels(
	struct metric *m, const struct side *base, const struct side *now, struct arena *mem)
{
	bool base_has, now_has;
	struct span *a, *b;
	size_t n = kernels_of(base, &a, &base_has, mem), k = kernels_of(now, &b, &now_has, mem);
	size_t found = 0;

	*m = (struct metric){ .id = "new_kernels",
		.title = "",
		.unit = UNIT_COUNT,
		.better = BETTER_LOWER,
		.is_exact = true,
		.is_points = true };
	if (!base_has || !now_has)
		return;
	for (EACH(const struct span, span, b, k))
		if (!n || !bsearch(span, a, n, sizeof(*a), by_text))
			if (found++ == 0)
				m->title = arena_copy(mem, span->p, span->n);
	m->sample = arena_array(mem, 1, sizeof(*m->sample));
	m->sample[m->n++] = (struct metric_sample){
		.run = now->label, .centre = (double)found, .sd = NAN, .count = 1
	};
}
