/*
 * The clocks of a chart's inputs.
 */
#include "report/chart/chart_clocks.h"

#include <math.h>

double chart_clock_time(const struct chart_clock *c, double ns)
{
	return c->true_ns + (ns - c->at) * c->rate;
}

bool chart_clock_of(
	const struct chart_rows *clocks, const char *path, double *island, struct chart_clock *out)
{
	size_t k;

	for (k = 0; k < clocks->n; k++)
		if (span_is(rows_word(clocks, k, "file"), path) &&
			!isnan(rows_number(clocks, k, "clock_true_ns")))
			break;
	if (k == clocks->n)
		return false;
	if (isnan(*island))
		*island = rows_number(clocks, k, "clock_island");
	out->true_ns = rows_number(clocks, k, "clock_true_ns");
	out->at = rows_number(clocks, k, "clock_at_ns");
	out->rate = 1 - rows_number(clocks, k, "clock_drift_ppm") / 1e6;
	return !isnan(*island) && number_same(rows_number(clocks, k, "clock_island"), *island);
}

/* With the widest of what the clocks leave open. */
const char *chart_clock_note(struct chart *c, const struct chart_rows *clocks, bool is_aligned)
{
	double most = 0;
	size_t i;

	if (!is_aligned)
		return "each from its own start: their clocks are not known to each other";
	for (i = 0; i < clocks->n; i++)
		most = fmax(most, rows_number(clocks, i, "clock_uncertainty_ns"));
	return arena_printf(&c->mem, "one clock, by the ends of collectives: +- %s",
		chart_figure(c, most, UNIT_NS));
}
