/*
 * Charts of steps: what each was spent on.
 */
#include <math.h>

#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char ask[] = "steps --limit=0 --roles";

static const struct bars ledger = {
	.axis = "time in the step",
	.unit = UNIT_NS,
	.is_bare = true,
	.part = {
		{ "compute_ns", "compute", COLOR_COMPUTE },
		{ "exposed_comm_ns", "exposed communication", COLOR_COMM },
		{ "exposed_memcpy_ns", "exposed copies", COLOR_COPY },
		{ "idle_ns", "idle", COLOR_IDLE },
	},
};

static const struct bars roles = {
	.axis = "time in the step",
	.unit = UNIT_NS,
	.is_bare = true,
	.part = {
		{ "kernel_ns", "kernel", COLOR_COMPUTE },
		{ "memcpy_ns", "memcpy", COLOR_COPY },
		{ "memset_ns", "memset", COLOR_EIGHTH },
		{ "communication_ns", "communication", COLOR_COMM },
		{ "runtime_ns", "runtime", COLOR_HOST },
		{ "dataloader_ns", "data loader", COLOR_DATA },
		{ "cpu_exec_ns", "CPU", COLOR_OTHER },
		{ "other_ns", "other", COLOR_IDLE },
	},
};

/* The rows of one place: of the first table that has any, and of one device where it says. */
static struct chart_rows of_place(
	struct chart *c, const struct chart_rows *all, const struct table *t, double device)
{
	struct chart_rows r = { .result = all->result };
	size_t i;

	r.t = arena_array(&c->mem, all->n, sizeof(*r.t));
	r.row = arena_array(&c->mem, all->n, sizeof(*r.row));
	for (i = 0; i < all->n; i++) {
		double d = rows_number(all, i, "device");

		if (all->t[i] != t || (!isnan(device) && !(d == device)))
			continue;
		r.t[r.n] = all->t[i];
		r.row[r.n++] = all->row[i];
	}
	return r;
}

/* Row i is the first of its table and device. */
static bool is_new_place(const struct chart_rows *all, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (rows_same_device(all, i, j))
			return false;
	return true;
}

/* A panel of stacked bars for each place. */
static void put_places(struct chart *c, const struct chart_rows *all, const struct bars *b)
{
	size_t i;

	c->things = "devices";
	for (i = 0; i < all->n; i++) {
		struct chart_rows r;
		struct chart_panel *p;

		if (!is_new_place(all, i))
			continue;
		r = of_place(c, all, all->t[i], rows_number(all, i, "device"));
		p = bars_panel(c, PANEL_BARS, &r, b);
		p->title = rows_place(c, all, i);
		p->alike = "step";
		chart_name_steps(c, p, &r);
	}
	c->ncol = c->npanel > 2 ? 2 : 1;
}

static bool draw_ledger(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, ask, "steps", 0);
	size_t i, known = 0;

	for (i = 0; i < r.n; i++)
		known += isnan(rows_number(&r, i, "idle_ns")) ? 0 : 1;
	if (known == 0)
		return chart_refuse(c, r.n ? "no device events in the steps" : "no steps");
	put_places(c, &r, &ledger);
	return true;
}

const struct chart_kind chart_kind_step_ledger = {
	.id = "step-ledger",
	.title = "Where each step went on the device",
	.doc = "Each step as compute, exposed communication, exposed copies and idle time, which "
	       "add up to the step; a panel for each device.",
	.source = "docs/definitions.md, ledger",
	.ask = { ask },
	.draw = draw_ledger,
};

static bool draw_roles(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, ask, "step_roles", 0);

	if (r.n == 0)
		return chart_refuse(c, "no steps");
	put_places(c, &r, &roles);
	return true;
}

const struct chart_kind chart_kind_step_breakdown = {
	.id = "step-breakdown",
	.title = "Each step by role",
	.doc = "Each step's time by eight roles; every instant counts for the first that applies, "
	       "so they add up to the step.",
	.source = "torch_tb_profiler, step time breakdown",
	.ask = { ask },
	.draw = draw_roles,
};
