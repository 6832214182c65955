/*
 * The chart of memory: the curve of allocated and reserved bytes.
 */
#include <math.h>

#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char ask[] = "memory --points=4000";

/* Rows from `from` on that are of one device. */
static size_t end_of_device(const struct chart_rows *r, size_t from)
{
	struct span device = rows_word(r, from, "device");
	size_t to = from;

	while (to < r->n && r->t[to] == r->t[from] && span_eq(rows_word(r, to, "device"), device))
		to++;
	return to;
}

static void put_curve(struct chart *c, struct chart_panel *p, const struct chart_rows *r,
	size_t from, size_t to, const char *key, const char *title, enum theme_color color)
{
	struct chart_series *s;
	bool is_known = false;
	size_t i;

	for (i = from; i < to; i++)
		is_known |= !isnan(rows_number(r, i, key));
	if (!is_known)
		return;
	s = chart_series(c, p, MARK_STEP, title, color, to - from);
	for (i = from; i < to; i++) {
		s->x[i - from] = rows_number(r, i, "at_ns");
		s->y[i - from] = rows_number(r, i, key);
	}
}

static void put_device(struct chart *c, const struct chart_rows *r, size_t from, size_t to)
{
	struct span device = rows_word(r, from, "device");
	const char *input = rows_input(c, r, from);
	struct chart_panel *p = chart_panel(c, PANEL_XY, NULL);

	p->title = arena_printf(&c->mem, "%s%s%.*s", input, *input ? ", " : "", (int)device.n,
		device.n ? device.p : "");
	p->alike = "device";
	p->x = (struct chart_axis){ "time since the first event", UNIT_NS, NULL, false, false, 0 };
	p->y = (struct chart_axis){ "memory", UNIT_BYTES, NULL, true, false, 0 };
	put_curve(c, p, r, from, to, "allocated_bytes", "allocated", COLOR_COMPUTE);
	put_curve(c, p, r, from, to, "reserved_bytes", "reserved", COLOR_COPY);
}

static bool draw_curve(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, ask, "curve", 0);
	bool is_cpu_only = true;
	size_t from, to;

	if (r.n == 0)
		return chart_refuse(
			c, "no allocator events; 'traceq memory' says what records them");
	for (from = 0; from < r.n; from++)
		is_cpu_only &= span_is(rows_word(&r, from, "device"), "CPU");
	c->things = "devices";
	for (from = 0; from < r.n; from = to) {
		to = end_of_device(&r, from);
		if (is_cpu_only || !span_is(rows_word(&r, from, "device"), "CPU"))
			put_device(c, &r, from, to);
	}
	return true;
}

const struct chart_kind chart_kind_memory_curve = {
	.id = "memory-curve",
	.title = "Memory over time",
	.doc = "Allocated and reserved bytes of each device, from the allocator's records; thinned "
	       "so that every peak stays.",
	.source = "torch_tb_profiler, memory view",
	.ask = { ask },
	.draw = draw_curve,
};
