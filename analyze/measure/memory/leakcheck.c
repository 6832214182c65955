/* The documents' leak check on curves, measurements and traces. */
#include "analyze/measure/memory/leakcheck.h"

#include "analyze/measure/curve.h"
#include "analyze/measure/memory/memcurve.h"
#include "analyze/measure/memory/memtrend.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run.h"
#include "analyze/trace/columns/sheet.h"
#include "analyze/trace/run_steps.h"
#include "base/table.h"

/* One check; true when it is the first to fire. */
static bool look(struct leakcheck *l, double x, double bytes, double threshold)
{
	l->checks++;
	l->x = x;
	l->growth = bytes - l->baseline;
	l->is_found = l->growth > threshold;
	return l->is_found;
}

struct leakcheck leakcheck_curve(
	const struct curve *c, double baseline, double threshold, size_t every)
{
	struct leakcheck l = { .baseline = baseline };
	double next = -INFINITY;

	if (c->n == 0)
		return l;
	if (isnan(baseline))
		l.baseline = c->y[0];
	if (c->x[c->n - 1] < (double)every)
		every = 0;
	for (size_t i = 0; i < c->n; i++) {
		if (c->x[i] < next)
			continue;
		if (look(&l, c->x[i], c->y[i], threshold))
			break;
		if (every > 0)
			next = (floor(c->x[i] / (double)every) + 1) * (double)every;
	}
	return l;
}

static double tagged_baseline(const struct table *t)
{
	for (size_t i = 0; i < t->nrow; i++)
		if (span_is(table_text_at(t, i, TAKEN_TAG), "baseline"))
			return table_number_at(t, i, TAKEN_ALLOCATED);
	return t->nrow ? table_number_at(t, 0, TAKEN_ALLOCATED) : NAN;
}

/* Measurements tagged so, one every `each` steps. */
static void tagged(
	struct curve *c, const struct table *t, const char *tag, double each, struct arena *mem)
{
	*c = (struct curve){
		.is_exact = true,
		.x = arena_array(mem, t->nrow, sizeof(double)),
		.y = arena_array(mem, t->nrow, sizeof(double)),
	};
	for (size_t i = 0; i < t->nrow; i++) {
		double v = table_number_at(t, i, TAKEN_ALLOCATED);

		if (isnan(v) || !span_is(table_text_at(t, i, TAKEN_TAG), tag))
			continue;
		c->x[c->n] = (double)c->n * each;
		c->y[c->n++] = v;
	}
}

struct leakcheck leakcheck_sheet(
	const struct table *t, double threshold, bool *is_step, struct arena *mem)
{
	double baseline = tagged_baseline(t), peak;
	struct curve c;

	*is_step = true;
	tagged(&c, t, "leak_check", LEAKCHECK_EVERY, mem);
	if (c.n > 0)
		return leakcheck_curve(&c, baseline, threshold, LEAKCHECK_EVERY);
	tagged(&c, t, "iteration_end", 1, mem);
	if (c.n > 0)
		return leakcheck_curve(&c, baseline, threshold, LEAKCHECK_EVERY);
	*is_step = false;
	memtrend_column(&c, &peak, t, TAKEN_ALLOCATED, TAKEN_MAX_ALLOCATED, mem);
	return leakcheck_curve(&c, baseline, threshold, t->nrow + 1);
}

struct leakcheck leakcheck_trace(const struct memcurve *c, const struct run *r,
	const struct filter_view *v, double threshold)
{
	struct leakcheck l = { .baseline = NAN };
	size_t at;

	if (!r->steps || r->steps->source == STEPS_WHOLE)
		return l;
	for (size_t i = 0; i < r->steps->n; i++) {
		const struct step *s = &r->steps->step[i];

		if (v && v->step && !v->step[i])
			continue;
		if (isnan(l.baseline)) {
			at = memcurve_at(c, r, s->host_start);
			if (at != SIZE_MAX && c->allocated[at] != ARG_UNKNOWN)
				l.baseline = (double)c->allocated[at];
			else if (c->before != ARG_UNKNOWN)
				l.baseline = (double)c->before;
		}
		at = memcurve_at(c, r, s->host_end);
		if (isnan(l.baseline) || at == SIZE_MAX || c->allocated[at] == ARG_UNKNOWN)
			continue;
		if (look(&l, (double)s->number, (double)c->allocated[at], threshold))
			break;
	}
	return l;
}
