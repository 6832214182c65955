/*
 * Charts of memory: the curve of allocated and reserved bytes.
 */
#include <math.h>

#include "report/charts.h"

static const char ask[] = "memory --points=4000";

/* Rows [from, to) of the curve that are of one device. */
static size_t end_of_device(const struct table *t, size_t from)
{
	struct span device = table_word(t, from, "device");
	size_t to = from;

	while (to < table_rows(t) && span_eq(table_word(t, to, "device"), device))
		to++;
	return to;
}

static void put_device(struct chart *c, const struct table *t, size_t from, size_t to)
{
	struct chart_panel *p =
		chart_panel(c, PANEL_XY, chart_text(c, table_word(t, from, "device")));
	struct chart_series *allocated, *reserved;
	bool has_reserved = false;
	size_t i;

	p->x = (struct chart_axis){ "time since the first event", UNIT_NS, NULL, false, false, 0 };
	p->y = (struct chart_axis){ "memory", UNIT_BYTES, NULL, true, false, 0 };
	allocated = chart_series(c, p, MARK_STEP, "allocated", COLOR_COMPUTE, to - from);
	for (i = from; i < to; i++) {
		allocated->x[i - from] = table_number(t, i, "at_ns");
		allocated->y[i - from] = table_number(t, i, "allocated_bytes");
		has_reserved |= !isnan(table_number(t, i, "reserved_bytes"));
	}
	if (!has_reserved)
		return;
	reserved = chart_series(c, p, MARK_STEP, "reserved", COLOR_COPY, to - from);
	for (i = from; i < to; i++) {
		reserved->x[i - from] = table_number(t, i, "at_ns");
		reserved->y[i - from] = table_number(t, i, "reserved_bytes");
	}
}

static bool draw_curve(const struct answers *in, struct chart *c)
{
	const struct table *t = answers_rows(in, ask, "curve");
	bool is_cpu_only = true;
	size_t from, to;

	if (!t)
		return chart_refuse(c,
			"no allocator events; they are recorded with "
			"profile_memory=True");
	for (from = 0; from < table_rows(t); from++)
		is_cpu_only &= span_is(table_word(t, from, "device"), "CPU");
	for (from = 0; from < table_rows(t); from = to) {
		to = end_of_device(t, from);
		if (!is_cpu_only && span_is(table_word(t, from, "device"), "CPU"))
			continue;
		put_device(c, t, from, to);
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
