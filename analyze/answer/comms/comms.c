/*
 * `comms`: collectives, their sizes and speeds, and what hides them.  Options and the order of
 * work.
 */
#include "analyze/answer/comms/comms.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/run_steps.h"

#include "analyze/analysis/notes.h"

#define AT(field) offsetof(struct comms_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of the table of collectives; 0 = all [20]"),
	CHOICE_OPT("by", "WHAT", AT(by), OPT_WORDS(COMMS_BYS),
		"what makes a row: collective, type, size and group, or also the kernel [collective]"),
};

static void add_notes(struct comms *c)
{
	devices_note(&c->devices, c->p->out, c->p->input);
	if (notes_no_device(c->p->out, c->p->run, c->p->input, NULL))
		return;
	if (c->calls == 0)
		result_note(c->p->out, NOTE_INFO, "no_collectives", c->p->input, -1,
			"no collective runs on a GPU, or none passes the filters");
	else if (c->without_args > 0)
		result_note(c->p->out, NOTE_INFO, "collectives_by_name", c->p->input,
			c->without_args,
			"collectives known by names alone: %lld; sizes and groups are unknown",
			(long long)c->without_args);
}

static enum status answer_run(struct perrun *at)
{
	struct comms c = { .p = at, .o = at->q->opts };

	c.by = (enum comms_by)opt_which(OPT_WORDS(COMMS_BYS), c.o->by);
	classes_init(&c.classes, at->run, &at->mem);
	shared_steps_window(at->shared, &c.window, at->run, &c.classes, &at->view, &at->mem);
	comms_collect(&c);
	add_notes(&c);
	comms_tables(&c);
	comms_clear(&c);
	return OK;
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("collectives", "collective|dtype|ranks", "device_sum_ns", "exposed_ns|calls"),
	FOLD("host", "collective|name", "cpu_total_ns", "calls", .rows = 10),
};

ANALYSIS(comms) = {
	.name = "comms",
	.summary = "collectives: sizes, bandwidths, and how much of them computing hides",
	.help.doc = "Collectives on the GPUs: how long, how much of that nothing hides (exposed), "
		    "and, where the trace has their arguments, type, size, group and bandwidth. "
		    "Algorithm bandwidth is the message over the time; bus bandwidth makes it "
		    "comparable with the links' speed, as nccl-tests define them. A collective's "
		    "time includes waiting for the slowest rank, so one trace alone gives lower "
		    "bounds.\n\n"
		    "Without arguments collectives are told by their kernels' names, those of "
		    "experts (dispatch, combine) among them, and by the ops that launched them; "
		    "sizes are then unknown. --comm names those that only you know. The last table "
		    "has the CPU's records of collectives: all there is of gloo's.\n\n"
		    "What hides a collective is all computing on its GPU, also what the filters do "
		    "not choose.",
	.help.source = "nccl-tests, doc/PERFORMANCE.md; HTA, get_comm_comp_overlap; TraceLens; "
		       "docs/definitions.md",
	.help.examples = "traceq comms rank0.json.gz rank1.json.gz\n"
			 "traceq comms trace.json.gz --by kernel --steps 5-9\n"
			 "traceq comms trace.json.gz --comm '^my_ring_'",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_COMM),
	.shares = SHARED_BIT(LEDGERS) | SHARED_BIT(WAITING),
	ANALYSIS_OPTIONS(options, struct comms_options, .limit = -1),
	ANALYSIS_TABLES(comms, COMMS),
	.help.main_table = "collectives|host",
	.per_run = { .answer = answer_run, .needs = PERRUN_VIEW, .folds = FOLDS(fold_docs) },
};
