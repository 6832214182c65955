/*
 * Charts of waiting: idle time by cause, and communication.
 */
#include "report/chart/chart_build.h"

enum { CAUSES = 15 };

static const char idle[] = "idle --streams --limit=15";

static bool draw_idle(const struct answers *in, struct chart *c)
{
	static const struct chart_part part[] = {
		{ "host_wait_ns", "host", COLOR_HOST },
		{ "dataloader_ns", "data loader", COLOR_DATA },
		{ "sync_ns", "synchronising", COLOR_COMM },
		{ "kernel_wait_ns", "between kernels", COLOR_OTHER },
		{ "other_ns", "other", COLOR_IDLE },
	};
	struct chart_rows r = chart_rows_of_places(c, in, idle, "streams", "streams");
	struct chart_panel *p;

	if (r.n == 0)
		return chart_refuse(c, "no device events");
	p = chart_bars(c, PANEL_ROWS, &r, NULL, part, COUNT_OF(part), NULL);
	p->y = (struct chart_axis){ "idle time of the stream", UNIT_NS, NULL, true, false, 0 };
	p->has_values = true;
	return true;
}

const struct chart_kind chart_kind_idle_breakdown = {
	.id = "idle-breakdown",
	.title = "Why each stream was idle",
	.doc = "Gaps between a stream's device events, by what they waited for.",
	.source = "HTA, idle time breakdown",
	.ask = { idle },
	.draw = draw_idle,
};

static bool draw_causes(const struct answers *in, struct chart *c)
{
	static const struct chart_part part[] = { { "idle_ns", NULL, COLOR_DATA } };
	struct chart_rows r = chart_rows_of_first(c, in, idle, "causes", CAUSES);
	struct chart_panel *p;
	size_t i;

	if (r.n == 0)
		return chart_refuse(c, "no gaps between device events");
	p = chart_bars(c, PANEL_ROWS, &r, "name", part, COUNT_OF(part), NULL);
	for (i = 0; i < r.n; i++) {
		struct span name = rows_word(&r, i, "name"), class = rows_word(&r, i, "class");

		if (!name.n)
			name = SPAN("(no call in the trace)");
		chart_name(c, p, i,
			span_of(arena_printf(&c->mem, "%.*s (%.*s)", (int)name.n, name.p,
				(int)class.n, class.n ? class.p : "")));
	}
	p->y = (struct chart_axis){ "idle time of the device meanwhile", UNIT_NS, NULL, true, false,
		0 };
	p->has_values = true;
	return true;
}

const struct chart_kind chart_kind_idle_causes = {
	.id = "idle-causes",
	.title = "What the CPU did while the device was idle",
	.doc = "Idle time of devices by the innermost call that covered most of the gap, "
	       "and, in brackets, by the class of the gap.",
	.source = "docs/definitions.md, idle",
	.ask = { idle },
	.draw = draw_causes,
};

static bool draw_comms(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows_of_first(c, in, "comms", "collectives", CAUSES);
	struct chart_panel *p;
	size_t i;

	if (r.n == 0)
		return chart_refuse(c, "no collectives");
	p = chart_panel(c, PANEL_ROWS, NULL);
	p->y = (struct chart_axis){ "time with it on the device", UNIT_NS, NULL, true, false, 0 };
	p->is_stacked = true;
	p->has_values = true;
	chart_names(c, p, r.n);
	(void)chart_series(c, p, MARK_LINE, "exposed", COLOR_COMM, r.n);
	(void)chart_series(c, p, MARK_LINE, "hidden behind compute", COLOR_OTHER, r.n);
	for (i = 0; i < r.n; i++) {
		struct span name = rows_word(&r, i, "collective"), type = rows_word(&r, i, "dtype");
		double exposed = rows_number(&r, i, "exposed_ns");

		if (!name.n)
			name = rows_word(&r, i, "kernel");
		chart_name(c, p, i,
			span_of(arena_printf(&c->mem, "%.*s %.*s", (int)name.n, name.p, (int)type.n,
				type.n ? type.p : "")));
		p->series[0].y[i] = exposed;
		p->series[1].y[i] = rows_number(&r, i, "union_ns") - exposed;
	}
	return true;
}

const struct chart_kind chart_kind_comms = {
	.id = "comms",
	.title = "Communication by collective",
	.doc = "Time with each collective on the device, exposed or hidden behind compute.",
	.source = "TraceLens, collectives",
	.ask = { "comms" },
	.draw = draw_comms,
};
