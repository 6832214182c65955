/* Charts of a device over time: as nvidia-smi sampled it, and as a trace has it. */
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static bool is_after_pause(const struct chart_rows *r, size_t i)
{
	return rows_number(r, i, "is_after_pause") > 0;
}

/* "node3, GPU 0": its number or its UUID. */
static const char *gpu_name(struct chart *c, const struct chart_rows *r, size_t i)
{
	struct span gpu = rows_word(r, i, "gpu");
	const char *input = rows_input(c, r, i);

	return arena_printf(&c->mem, "%s%s%s%.*s", input, *input ? ", " : "",
		span_starts(gpu, "GPU-") ? "" : "GPU ", (int)gpu.n, gpu.p);
}

/* A panel with a line for each GPU; nothing when no sample has the value. */
static void put_panel(struct chart *c, const struct chart_rows *r, const char *key,
	const char *title, struct chart_axis y)
{
	struct chart_panel *p = NULL;
	size_t to, ngpu = 0;

	for (size_t from = 0; from < r->n; from = to) {
		to = ROWS_END(r, from, "gpu");
		ngpu++;
		if (!rows_known(r, from, to, key))
			continue;
		if (!p) {
			p = chart_panel(c, PANEL_XY, title);
			p->x = AXIS("time since the first sample", UNIT_NS, .at_least = 1e9);
			p->y = y;
			p->things = "GPUs";
		}
		/* The line of one GPU, rows [from, to): it breaks where the recorder paused. */
		size_t pauses = 0, n = 0;
		for (size_t i = from; i < to; i++)
			pauses += is_after_pause(r, i);
		struct chart_series *s = chart_series(c, p, MARK_LINE, gpu_name(c, r, from),
			theme_series(ngpu - 1), to - from + pauses);
		s->is_dashed = ngpu % 2 == 0;
		for (size_t i = from; i < to; i++) {
			if (is_after_pause(r, i))
				s->x[n++] = rows_number(r, i, "at_ns");
			s->x[n] = rows_number(r, i, "at_ns");
			s->y[n++] = rows_number(r, i, key);
		}
	}
}

static bool draw_smi(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "timeline", 0);

	if (r.n == 0)
		return chart_refuse(c, "no samples of nvidia-smi");
	put_panel(c, &r, "utilization_ratio", "Utilization",
		AXIS("utilization", UNIT_RATIO, .from_zero = true, .at_least = 1));
	put_panel(
		c, &r, "used_bytes", "Memory", AXIS("memory used", UNIT_BYTES, .from_zero = true));
	put_panel(
		c, &r, "temperature_c", "Temperature", AXIS("temperature", UNIT_NONE, .word = "C"));
	put_panel(c, &r, "power_w", "Power",
		AXIS("power draw", UNIT_NONE, .word = "W", .from_zero = true));
	return c->npanel > 0 || chart_refuse(c, "the samples have no values");
}

const struct chart_kind chart_kind_smi = {
	.id = "smi",
	.title = "GPUs as nvidia-smi saw them",
	.doc = "Utilization, memory, temperature and power of each GPU over time, as far as "
	       "they were sampled; means of stretches of equal time. Lines break where no "
	       "sample was taken for more than five usual intervals. Utilization is the share "
	       "of time in which any kernel ran, not how full the GPU was.",
	.source = "the training profiling guide, gpu_usage.csv",
	.ask = { "smi" },
	.draw = draw_smi,
};

/* ---- of a trace ---- */

/* What is exposed has the colour of what it is, as in charts of steps.  What is hidden has one. */
enum { EXPOSED_COMM, EXPOSED_COPIES, HIDDEN };

/* Communication or copies of one device: what was exposed and what was hidden. */
static void put_hidden(struct chart_panel *p, const struct chart_rows *r, size_t at, size_t i,
	const char *all, const char *exposed)
{
	double total = rows_number(r, i, all), open = rows_number(r, i, exposed);

	p->series[at % 2 ? EXPOSED_COPIES : EXPOSED_COMM].y[at] = open;
	p->series[HIDDEN].y[at] = total - open;
}

static bool draw_overlap(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "run_devices", 0);
	double *sort;

	if (r.n == 0)
		return chart_refuse(c, "no GPU events");
	struct chart_panel *p = chart_panel(c, PANEL_ROWS, NULL);
	p->y = AXIS("time with it on the GPU", UNIT_NS, .from_zero = true);
	p->is_stacked = true;
	p->has_values = true;
	p->things = "bars of GPUs";
	p->sort = sort = arena_array(&c->mem, 2 * r.n, sizeof(*sort));
	chart_names(c, p, 2 * r.n);
	(void)chart_series(c, p, MARK_LINE, "exposed communication", COLOR_COMM, 2 * r.n);
	(void)chart_series(c, p, MARK_LINE, "exposed copies", COLOR_COPY, 2 * r.n);
	(void)chart_series(c, p, MARK_LINE, "hidden behind other work", COLOR_OVERLAP, 2 * r.n);
	for (size_t i = 0; i < r.n; i++) {
		const char *place = rows_place(c, &r, i);

		chart_name(c, p, 2 * i, span_of(arena_printf(&c->mem, "%s, communication", place)));
		chart_name(c, p, 2 * i + 1, span_of(arena_printf(&c->mem, "%s, copies", place)));
		sort[2 * i + 1] = 1;
		put_hidden(p, &r, 2 * i, i, "comm_union_ns", "exposed_comm_ns");
		put_hidden(p, &r, 2 * i + 1, i, "memcpy_union_ns", "exposed_memcpy_ns");
	}
	return true;
}

const struct chart_kind chart_kind_overlap_regions = {
	.id = "overlap-regions",
	.title = "Exposed and hidden transfers",
	.doc = "How much of the time with communication, and of that with copies, passed while "
	       "nothing more useful ran (exposed) or behind other work (hidden). Exposed copies "
	       "include sets that ran alone.",
	.source = "TraceLens, exposed communication",
	.ask = { "summary" },
	.draw = draw_overlap,
};
