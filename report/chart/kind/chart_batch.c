/* Charts of a sweep over batch sizes: the six panels and the heat map of the week-1 documents. */
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

enum { PANELS_ACROSS = 3, HEAT_ROWS = 4, NUMBERS_MAX = 11 };

/* A line over batch sizes, with a band of one standard deviation where that is known. */
struct sweep_line {
	const char *key, *std, *title;
	enum theme_color color;
	bool is_dashed;
};

/* absent: what stands there when the sweep has none of the lines. */
static void put_panel(struct chart *c, const struct chart_rows *r, const char *title,
	const char *absent, struct chart_axis y, const struct sweep_line *l, size_t n)
{
	struct chart_panel *p = chart_panel(c, PANEL_XY, title);
	size_t drawn = 0;

	p->x = AXIS("batch size", UNIT_COUNT, .from_zero = true);
	p->y = y;
	for (EACH(const struct sweep_line, line, l, n)) {
		if (!rows_known(r, 0, r->n, line->key))
			continue;
		if (line->std && rows_known(r, 0, r->n, line->std)) {
			struct chart_series *s =
				chart_series(c, p, MARK_BAND, NULL, line->color, r->n);
			for (size_t i = 0; i < r->n; i++) {
				double v = rows_number(r, i, line->key),
				       std = rows_number(r, i, line->std);

				s->lo[i] = v - std;
				s->hi[i] = v + std;
			}
			rows_fill(s->x, r, 0, r->n, "batch_size");
		}
		struct chart_series *s =
			chart_series(c, p, MARK_DOTTED, line->title, line->color, r->n);
		s->is_dashed = line->is_dashed;
		rows_fill(s->x, r, 0, r->n, "batch_size");
		rows_fill(s->y, r, 0, r->n, line->key);
		drawn++;
	}
	if (drawn > 0)
		return;
	p->kind = PANEL_TEXT;
	p->text = absent;
}

static bool draw_sweep(const struct answers *in, struct chart *c, const char *ask)
{
	static const struct sweep_line lines[] = {
		{ "latency_per_sample_ns", "latency_std_ns", NULL, COLOR_SHADE_4, false },
		{ "samples_per_s_written", "samples_per_s_written_std", NULL, COLOR_SHADE_4,
			false },
		{ "used_bytes", "used_std_bytes", "used", COLOR_SHADE_4, false },
		{ "peak_bytes", NULL, "peak", COLOR_SHADE, true },
		{ "cpu_used_bytes", "cpu_used_std_bytes", NULL, COLOR_SHADE_4, false },
		{ "latency_per_batch_ns", "latency_per_batch_std_ns", NULL, COLOR_SHADE_4, false },
		{ "documents_efficiency", NULL, NULL, COLOR_SHADE_4, false },
	};
	static const char no_gpu[] = "GPU metrics not available", no_time[] = "not measured";
	struct chart_rows r = chart_rows(c, in, ask, "sizes", 0);

	if (r.n == 0)
		return chart_refuse(c, "no sweep over batch sizes");
	put_panel(c, &r, "Latency per sample", no_time, AXIS("latency", UNIT_NS, .from_zero = true),
		&lines[0], 1);
	put_panel(c, &r, "Throughput", no_time,
		AXIS("throughput", UNIT_NONE, .word = "samples/s", .from_zero = true), &lines[1],
		1);
	put_panel(c, &r, "GPU memory usage", no_gpu, AXIS("memory", UNIT_BYTES, .from_zero = true),
		&lines[2], 2);
	put_panel(c, &r, "CPU memory usage", no_time, AXIS("memory", UNIT_BYTES, .from_zero = true),
		&lines[4], 1);
	put_panel(c, &r, "Latency per batch", no_time, AXIS("latency", UNIT_NS, .from_zero = true),
		&lines[5], 1);
	put_panel(c, &r, "Memory efficiency", no_gpu,
		AXIS("throughput / (used + 1 MB)", UNIT_NONE, .word = "samples/s/MB",
			.from_zero = true),
		&lines[6], 1);
	c->ncol = PANELS_ACROSS;
	return true;
}

const struct chart_kind chart_kind_batch_sweep = {
	.id = "batch-sweep",
	.title = "Batch size performance comparison",
	.doc = "Latency, throughput and memory over batch sizes; bands are one standard deviation "
	       "between runs, as the file says. Efficiency is the guides' formula: throughput "
	       "over memory used plus 1 MB.",
	.source = "the week 1 guides, batch_size_comparison",
	.ask = { "batch" },
	.draw = draw_sweep,
};

/* From the lowest to the highest of its row; a row that does not change is 0. False for such. */
static bool put_row(const struct chart_rows *r, const char *key, double *cell)
{
	double min = INFINITY, max = -INFINITY;

	for (size_t i = 0; i < r->n; i++) {
		double v = rows_number(r, i, key);

		min = MIN(v, min);
		max = MAX(v, max);
	}
	for (size_t i = 0; i < r->n; i++)
		cell[i] = max > min ? (rows_number(r, i, key) - min) / (max - min)
				    : rows_number(r, i, key) * 0;
	return max > min;
}

static bool draw_heat(const struct answers *in, struct chart *c, const char *ask)
{
	static const struct {
		const char *key, *title;
	} rows[HEAT_ROWS] = {
		{ "latency_per_sample_ns", "latency per sample" },
		{ "samples_per_s_written", "throughput" },
		{ "cpu_used_bytes", "CPU memory used" },
		{ "used_bytes", "GPU memory used" },
	};
	struct chart_rows r = chart_rows(c, in, ask, "sizes", 0);

	if (r.n == 0)
		return chart_refuse(c, "no sweep over batch sizes");
	struct chart_panel *p = chart_heat(c, HEAT_ROWS, r.n);
	p->x.title = "batch size";
	p->y.title = "normalized value (0 to 1)";
	p->is_plain = r.n > NUMBERS_MAX;
	for (size_t i = 0; i < r.n; i++)
		chart_name(c, p, i,
			span_of(arena_printf(
				&c->mem, "BS=%.0f", rows_number(&r, i, "batch_size"))));
	for (size_t i = 0; i < HEAT_ROWS; i++) {
		if (!rows_known(&r, 0, r.n, rows[i].key))
			continue;
		p->row[p->nrow] = put_row(&r, rows[i].key, p->cell + p->nrow * r.n)
			? rows[i].title
			: arena_printf(&c->mem, "%s (constant)", rows[i].title);
		p->nrow++;
	}
	return p->nrow > 0 || chart_refuse(c, "the sweep has no metric to compare");
}

const struct chart_kind chart_kind_metrics_heatmap = {
	.id = "metrics-heatmap",
	.title = "Normalized metrics heatmap across batch sizes",
	.doc = "Each metric from its lowest value (0) to its highest (1) over the batch sizes; one "
	       "that never changes is 0 everywhere, and says so.",
	.source = "the week 1 guides, metrics_heatmap",
	.ask = { "batch" },
	.draw = draw_heat,
};
