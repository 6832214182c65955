/*
 * The chart of how steps spread: a histogram.
 */
#include <math.h>
#include <stdlib.h>

#include "report/chart/chart_build.h"
#include "base/minmax.h"
#include "base/plural.h"
#include "base/saturate.h"
#include "report/chart/charts.h"

static const char steps[] = "steps --limit=0 --roles";

enum { BINS_MIN = 5, BINS_MAX = 60, STEPS_MIN = 5 };

/* The inputs' steps of known length, once each, though there is a row for each device of an input.
 */
static size_t walls(const struct chart_rows *r, double *v, size_t *ninput)
{
	double device = NAN;
	size_t n = 0, i;

	*ninput = 0;
	for (i = 0; i < r->n; i++) {
		if (i == 0 || r->t[i] != r->t[i - 1]) {
			device = rows_number(r, i, "device");
			++*ninput;
		}
		v[n] = rows_number(r, i, "wall_ns");
		n += !isnan(v[n]) &&
			(isnan(device) || number_same(rows_number(r, i, "device"), device));
	}
	return n;
}

/* Square root of the number, between BINS_MIN and BINS_MAX. */
static size_t bins_for(size_t n)
{
	size_t bins = saturate_size(ceil(sqrt((double)n)));

	bins = MAX(BINS_MIN, bins);
	return MIN(BINS_MAX, bins);
}

static void put_bins(struct chart *c, struct chart_panel *p, const double *v, size_t n)
{
	double low = v[0], high = v[0], width;
	size_t bins = bins_for(n), i;
	struct chart_series *s;

	for (i = 1; i < n; i++) {
		low = MIN(v[i], low);
		high = MAX(v[i], high);
	}
	width = high > low ? (high - low) / (double)bins : low > 0 ? low / 100 : 1;
	bins = high > low ? bins : 1;
	s = chart_series(c, p, MARK_BOXES, NULL, COLOR_COMPUTE, bins);
	for (i = 0; i < bins; i++) {
		s->x[i] = low + width * (double)i;
		s->lo[i] = low + width * (double)(i + 1);
		s->y[i] = 0;
	}
	for (i = 0; i < n; i++) {
		size_t bin = saturate_size((v[i] - low) / width);

		s->y[bin < bins ? bin : bins - 1]++;
	}
}

static bool draw_steps(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, steps, "steps", 0);
	double *v = arena_array(&c->mem, r.n, sizeof(*v));
	size_t ninput, n = walls(&r, v, &ninput);
	struct chart_panel *p;

	if (n < STEPS_MIN)
		return chart_refuse(
			c, "%zu step%s: a histogram wants %d or more", n, plural_s(n), STEPS_MIN);
	p = chart_panel(c, PANEL_XY, NULL);
	p->x = (struct chart_axis){ "step time", UNIT_NS, NULL, false, false, 0 };
	p->y = (struct chart_axis){ "steps", UNIT_COUNT, NULL, true, false, 0 };
	put_bins(c, p, v, n);
	if (ninput > 1)
		chart_say(c, arena_printf(&c->mem, "all %zu inputs", ninput));
	return true;
}

const struct chart_kind chart_kind_step_hist = {
	.id = "step-hist",
	.title = "Steps by duration",
	.doc = "How many steps of all inputs took how long, in as many bins as the square root "
	       "of their number, 5 to 60, from the shortest step to the longest. Two heaps are two "
	       "kinds of steps.",
	.source = "rlhf-canary, step time histogram",
	.ask = { steps },
	.draw = draw_steps,
};
