/*
 * `copies`: what is moved, from where to where, how fast, by whom.  Options and the order of work.
 */
#include "analyze/answer/copies/copies.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/run_steps.h"
#include "analyze/analysis/notes.h"
#include "base/opt.h"

#define AT(field) offsetof(struct copies_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of the table of ops; 0 = all [15]"),
	FLAG_OPT("types", 0, AT(types),
		"load the ops' input types, to tell casts from copies where a kernel's name does not"),
};

static unsigned needs_more(const void *opts, const struct filter *f UNUSED)
{
	return ((const struct copies_options *)opts)->types ? NEED_TYPES : 0;
}

static void add_notes(struct copies *c)
{
	devices_note(&c->devices, c->p->out, c->p->input);
	if (notes_no_device(c->p->out, c->p->run, c->p->input, NULL))
		return;
	if (c->by[BY_KIND].n == 0)
		result_note(c->p->out, NOTE_INFO, "no_copies", c->p->input, -1,
			"no copy, set or copying kernel passes the filters, or there is none");
}

static enum status answer_run(struct perrun *at)
{
	struct copies c = { .p = at, .o = at->q->opts };

	classes_init(&c.classes, at->run, &at->mem);
	shared_steps_window(at->shared, &c.window, at->run, &c.classes, &at->view, &at->mem);
	copies_collect(&c);
	add_notes(&c);
	copies_tables(&c);
	copies_clear(&c);
	return OK;
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("copies", "direction|from|to", "device_sum_ns", "exposed_ns|calls|bytes"),
	FOLD("ops", "moves|op", "device_sum_ns", "exposed_ns|calls", .rows = 10),
};

ANALYSIS(copies) = {
	.name = "copies",
	.summary = "what is copied: direction, memory, bandwidth, exposed time, and by which ops",
	.help.doc =
		"Copies by direction and by the kinds of memory at both ends: pageable memory "
		"makes a copy slow and synchronous, pinned memory lets it run beside computing. "
		"Exposed is the time in which a copy runs and no kernel, collective or set "
		"does: what it costs the step.\n\n"
		"Kernels that only move elements on the GPU (casts to another type, contiguous, "
		"clone, cat) are told apart from copies; they compute, as far as exposed time "
		"goes. The last table has the ops that cause all of these.\n\n"
		"What hides a copy is all work on its GPU, also what the filters do not choose.",
	.help.source =
		"TraceLens, gpu_event_analyser.py; names: Kineto, ROCm, XLA; docs/definitions.md",
	.help.examples = "traceq copies trace.json.gz\ntraceq copies trace.json.gz --types -n 0\n"
			 "traceq copies trace.json.gz -f HtoD --steps 5-9",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_BYTES),
	.runs.needs_more = needs_more,
	.weight = 1,
	.shares = SHARED_BIT(LEDGERS) | SHARED_BIT(WAITING),
	ANALYSIS_OPTIONS(options, struct copies_options, .limit = -1),
	ANALYSIS_TABLES(copies, COPIES),
	.help.main_table = "copies",
	.per_run = { .answer = answer_run, .needs = PERRUN_VIEW, .folds = FOLDS(fold_docs) },
};
