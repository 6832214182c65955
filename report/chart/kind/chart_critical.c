/* Charts of the critical path: what it consists of step by step, how much room the work beside it
 * has, and what changes would bring. */
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char asked[] = "critical --limit=60";

/* Owners of the path in the order in which a step usually has them, fifteen in eight parts. */
static const struct bars_part parts[BARS_PARTS] = {
	{ "kernel_ns", "kernels", COLOR_COMPUTE },
	{ "comm_ns", "collectives", COLOR_COMM },
	{ "copy_ns", "copies", COLOR_COPY },
	{ "launch_delay_ns +gap_ns", "launch delays, stream gaps", COLOR_LAUNCH },
	{ "sync_return_ns +sync_call_ns", "syncs", COLOR_SYNC },
	{ "launch_ns +runtime_call_ns +cpu_op_ns +python_ns +handover_ns", "host", COLOR_HOST },
	{ "dataloader_ns", "data loader", COLOR_DATA },
	{ "nothing_ns +unrecorded_ns", "nothing recorded", COLOR_IDLE },
};

/* ---- the path ---- */

static double part_of(const struct chart_rows *r, const struct bars_part *part)
{
	double sum = 0, v;

	for (size_t i = 0; i < r->n; i++) {
		v = bars_sum(r, i, part->key);
		sum += isnan(v) ? 0 : v;
	}
	return sum;
}

/* "host 59.3%": of the path less what has no owner because nothing is recorded of it. */
static const char *with_share(
	struct chart *c, const struct chart_rows *r, const struct bars_part *part)
{
	static const struct bars_part whole = { "duration_ns -unrecorded_ns", NULL, COLOR_BLACK };
	static const struct bars_part none = { "nothing_ns", NULL, COLOR_BLACK };
	bool is_last = part == &parts[COUNT_OF(parts) - 1];

	return arena_printf(&c->mem, "%s %.1f%%", part->title,
		100 * part_of(r, is_last ? &none : part) / part_of(r, &whole));
}

/* What some step has, with shares of all of it where there is one run. */
static void put_steps(struct chart *c, const struct chart_rows *all)
{
	struct bars b = { .axis = "time on the path", .unit = UNIT_NS, .is_bare = true };
	bool is_one = all->t[0] == all->t[all->n - 1];
	size_t n = 0;

	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		if (!(part_of(all, &parts[i]) > 0))
			continue;
		b.part[n] = parts[i];
		if (is_one)
			b.part[n].title = with_share(c, all, &parts[i]);
		n++;
	}
	c->things = "runs";
	for (size_t i = 0, to; i < all->n; i = to) {
		to = rows_end(all, i, NULL, 0);
		struct chart_rows r = { all->t + i, all->row + i, to - i, 0, all->result };
		struct chart_panel *p = bars_panel(c, PANEL_BARS, &r, &b);

		p->title = is_one ? NULL : rows_place(c, all, i);
		p->alike = "step";
		p->is_stacked = true;
		chart_name_steps(c, p, &r);
	}
	c->ncol = c->npanel > 2 ? 2 : 1;
}

static const struct bars owners = {
	.table = "path",
	.name = "class",
	.axis = "time on the path",
	.unit = UNIT_NS,
	.why = "no GPU work and no steps: nothing waits for anything",
	.part = { { "on_path_ns", NULL, COLOR_COMPUTE } },
};

static bool draw_path(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "steps", 0);

	if (r.n > 1) {
		put_steps(c, &r);
		return true;
	}
	const char *why = bars_draw(in, c, ask, &owners);
	return !why || chart_refuse(c, "%s", why);
}

const struct chart_kind chart_kind_critical_path = {
	.id = "critical-path",
	.title = "What steps waited for: the critical path by owner",
	.doc = "Each step as what owned its critical path, which adds up to the step: GPU "
	       "work, delays and gaps before it, calls that wait, the host (ops, Python, "
	       "launching and runtime calls), the data loader. The key says shares of the whole "
	       "path. A run of one step, or without steps, has a bar for each owner.",
	.source = "docs/definitions.md; HTA, critical path analysis",
	.ask = { asked },
	.draw = draw_path,
};

/* ---- data ---- */

const struct chart_kind chart_kind_critical_data = {
	.id = "critical-data",
	.title = "GPU work behind other work on its stream",
	.doc = "Time on the critical path of GPU work that waited for the work before it on "
	       "its stream, by whether it needs the data of that, as an execution trace says.",
	.source = "docs/definitions.md, data dependencies",
	.ask = { asked },
	.bars = { { "data", "waits_for",
		"no execution trace is joined: --et, or one beside the trace, says what work reads",
		"time on the path", UNIT_NS, { { "on_path_ns", NULL, COLOR_COMPUTE } },
		.call = NULL } },
};

/* ---- slack ---- */

static bool has_no_slack(const struct chart_rows *r, size_t i)
{
	return !(rows_number(r, i, "median_slack_ns") > 0);
}

static const struct bars slack = {
	.name = "name",
	.axis = "slack of the median one",
	.unit = UNIT_NS,
	.part = { { "median_slack_ns", "kernels", COLOR_COMPUTE },
		{ "median_slack_ns", "collectives", COLOR_COMM },
		{ "median_slack_ns", "copies", COLOR_COPY } },
};

/* What is next to be on the path comes first. */
static void sort_by_slack(struct chart_rows *r)
{
	for (size_t i = 1; i < r->n; i++) {
		const struct table *t = r->t[i];
		size_t row = r->row[i], k = i;

		for (; k > 0 &&
			rows_number(r, k - 1, "median_slack_ns") >
				table_number(t, row, "median_slack_ns");
			k--) {
			r->t[k] = r->t[k - 1];
			r->row[k] = r->row[k - 1];
		}
		r->t[k] = t;
		r->row[k] = row;
	}
}

/* Each row is a bar of the part that it is. */
static bool draw_slack(const struct answers *in, struct chart *c, const char *ask)
{
	static const char *const kinds[] = { "kernel", "collective", "copy" };
	struct chart_rows r = chart_rows_of_first(c, in, ask, "slack", 0);
	size_t all = r.n, n = 0, most = c->look.limit ? c->look.limit : BARS_NAMES;

	for (size_t i = 0; i < all; i++) {
		if (has_no_slack(&r, i))
			continue;
		r.t[n] = r.t[i];
		r.row[n++] = r.row[i];
	}
	if (n == 0)
		return chart_refuse(c,
			all ? "no work beside the path has room"
			    : "no GPU work beside the critical path");
	if (n > most)
		chart_note(c, "%zu more with less GPU time are not shown", n - most);
	if (n < all)
		chart_note(c, "%zu without any room are not shown", all - n);
	r.n = MIN(n, most);
	sort_by_slack(&r);
	struct chart_panel *p = bars_panel(c, PANEL_ROWS, &r, &slack);
	size_t kept = 0;
	for (size_t k = 0; k < COUNT_OF(kinds); k++) {
		bool is_any = false;

		for (size_t i = 0; i < r.n; i++) {
			bool is_it = span_is(rows_word(&r, i, "class"), kinds[k]);

			is_any |= is_it;
			if (!is_it)
				p->series[k].y[i] = NAN;
		}
		p->series[kept] = p->series[k];
		kept += is_any;
	}
	p->nseries = kept;
	return true;
}

const struct chart_kind chart_kind_critical_slack = {
	.id = "critical-slack",
	.title = "How much longer work off the critical path could take",
	.doc = "Kernels, collectives and copies that have no part in the critical path, those with "
	       "the most GPU time, and how much longer the median one of them could take before "
	       "the run ended later, the least first. A short bar is next to be on the path; what "
	       "has a long one is not worth making faster.",
	.source = "docs/definitions.md; slack of the critical path method, Kelley and Walker 1959",
	.ask = { asked },
	.draw = draw_slack,
};

/* ---- changes ---- */

/* Changes of one kernel are called by its name, and have a colour of their own. */
static struct span name_change(struct chart *c UNUSED, const struct chart_rows *r, size_t i)
{
	struct span name = rows_word(r, i, "name");

	return name.n ? name : rows_word(r, i, "says");
}

static const struct bars changes = {
	.call = name_change,
	.axis = "saved of all steps together",
	.unit = UNIT_NS,
	.part = { { "saves_ns", "free, hidden or faster", COLOR_SHADE_4 },
		{ "saves_ns", "a kernel at half its time", COLOR_COMPUTE } },
};

static bool draw_changes(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows_of_first(c, in, ask, "what_if", 0);
	size_t kernels = 0;

	if (r.n == 0)
		return chart_refuse(c, "nothing that could be changed is known to be waited for");
	struct chart_panel *p = bars_panel(c, PANEL_ROWS, &r, &changes);
	for (size_t i = 0; i < r.n; i++) {
		bool is_kernel = rows_word(&r, i, "name").n > 0;

		p->series[is_kernel ? 0 : 1].y[i] = NAN;
		kernels += is_kernel;
	}
	if (kernels == 0) {
		p->nseries = 1;
		p->series[0].title = NULL;
	}
	return true;
}

const struct chart_kind chart_kind_critical_whatif = {
	.id = "critical-whatif",
	.title = "What a change would save",
	.doc = "By how much all steps that count would get shorter together if something took less "
	       "time: the same dependencies with other durations, everything else as it was. The "
	       "savings do not add up.",
	.source = "docs/definitions.md, what-if",
	.ask = { asked },
	.draw = draw_changes,
};
