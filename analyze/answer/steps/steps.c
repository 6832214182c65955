/* `steps`: where each step goes, on the devices and by role.  Options and the order of work. */
#include "analyze/answer/steps/steps.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/notes.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run_steps.h"
#include "base/opt.h"

#define AT(field) offsetof(struct steps_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of each table; 0 = all [20]"),
	FLAG_OPT("roles", 0, AT(roles), "the eight roles step by step, too"),
};

/* The index of a device in the ledgers, by lane; SIZE_MAX where it is not in them. */
static size_t device_of(const struct steps_view *v, const struct lane *lane)
{
	return FIND_VALUE(
		d, v->ledgers.ndevice, v->ledgers.device[d].id == lane->device, d, SIZE_MAX);
}

/* How many device events that pass the filter were launched in each step. */
static void count_events(struct steps_view *v)
{
	const struct run *r = v->p->run;
	const struct order *o = r->order;
	size_t d;

	v->events = arena_array(&v->p->mem, v->ledgers.ndevice, sizeof(*v->events));
	for (d = 0; d < v->ledgers.ndevice; d++)
		if (v->ledgers.device[d].range)
			v->events[d] = arena_array(&v->p->mem, r->steps->n, sizeof(**v->events));
	for (size_t lane = 0; lane < r->lanes.n; lane++) {
		if (o->device_begin[lane] == o->device_begin[lane + 1])
			continue;
		d = device_of(v, &r->lanes.lane[lane]);
		if (d == SIZE_MAX || !v->events[d])
			continue;
		for (size_t i = o->device_begin[lane]; i < o->device_begin[lane + 1]; i++) {
			uint32_t row = o->device[i], side = r->events.args[row];
			uint32_t step = side ? r->steps->of_device[side - 1] : NO_ROW;

			if (step != NO_ROW && filter_device(&v->p->view, row))
				v->events[d][step]++;
		}
	}
}

static enum status answer_run(struct perrun *at)
{
	struct steps_view v = { .p = at, .o = at->q->opts };

	classes_init(&v.classes, at->run, &at->mem);
	shared_window(at->shared, &v.window, &v.ledgers, &v.waiting, at->run, &v.classes, &at->view,
		&at->mem);
	v.stat = v.window.stat;
	shared_roles(at->shared, &v.roles, at->run, &v.classes, &at->view, &at->mem);
	count_events(&v);
	const struct stepstat *s = &v.stat;
	notes_add_steps(v.p->out, v.p->run, v.p->input, &v.ledgers);
	notes_add_window(v.p->out, v.p->run, v.p->input, &v.window);
	if (s->incomplete > 0)
		result_note(v.p->out, NOTE_INFO, "incomplete_step", v.p->input,
			(int64_t)s->incomplete,
			"%zu step%s cut off: the profiler stopped before all of the GPU work "
			"was recorded",
			s->incomplete, plural(s->incomplete, " is", "s are"));
	if (s->n > 0 && s->mark[0] & STEP_SLOW_FIRST)
		result_note(v.p->out, NOTE_INFO, "slow_first_step", v.p->input, -1,
			"the first step took %.2f times the median of the others: warming up",
			s->first_ratio);
	steps_ledger_table(&v);
	steps_kind_table(&v);
	steps_role_tables(&v);
	return OK;
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("steps", "step", "wall_ns", "compute_ns|exposed_comm_ns|idle_ns", .is_figure = true,
		.in_order = true, .rows = 20),
	FOLD("roles", "role", "mean_ns", NULL, .in_order = true),
};

ANALYSIS(steps) = {
	.name = "steps",
	.summary = "where each step goes: computing, exposed communication and copies, idle",
	.help.doc =
		"A row for each step and device. The ledger is exact: wall = compute + exposed "
		"communication + exposed copies + idle (+ unrecorded, before the first recorded "
		"work of a queue), in nanoseconds. A step is its range on the CPU; where the "
		"CPU runs ahead of the device it is cut on the device, and a note says so. "
		"Exposed is what nothing else hides: a collective while nothing computes, a "
		"copy while neither runs. Steps that stand out are marked: a slow first one, "
		"slow and fast ones, one that was cut off at the end.\n\n"
		"The table of kinds says what odd steps do and when, where there are some: a "
		"checkpoint every 5 steps, compiling in one, slower kernels from one on. Figures of "
		"other answers are of the usual steps.\n\n"
		"The last table splits the average step into the eight roles of the "
		"TensorBoard plugin: each moment belongs to the first of them that is active on "
		"any device or thread. --roles shows them step by step.\n\n"
		"Medians set the first and the last step aside when five or more remain. A "
		"trace without steps is one step, from the first launch to the end of the last "
		"GPU work.",
	.help.source =
		"TraceLens gpu_event_analyser.py; tb_plugin overall_parser.py; docs/definitions.md",
	.help.examples =
		"traceq steps trace.json.gz\ntraceq steps trace.json.gz --steps 5-9 --device 0\n"
		"traceq steps trace.json.gz --roles -n 0",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_FUNCTIONS | NEED_LINKS | NEED_STEPS),
	.options.ignores = FILTER_MATCH | FILTER_EXCLUDE,
	.shares = SHARED_BIT(ROLES) | SHARED_BIT(LEDGERS) | SHARED_BIT(WAITING),
	ANALYSIS_OPTIONS(options, struct steps_options, .limit = -1),
	ANALYSIS_TABLES(steps, STEPS),
	.per_run = { .answer = answer_run, .needs = PERRUN_VIEW, .folds = FOLDS(fold_docs) },
};
