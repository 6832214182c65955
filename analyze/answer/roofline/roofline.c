/* `roofline`: how far ops are from what the device can do.  Options and the order of work. */
#include "analyze/answer/roofline/roofline.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/notes.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/producers.h"

#define AT(field) offsetof(struct roofline_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of the table of ops; 0 = all [20]"),
	CHOICE_OPT("by", "WHAT", AT(by), OPT_WORDS(ROOFLINE_BYS),
		"what makes a row: the op with the shapes of its tensors, the op, the nn.Module it was "
		"called in, or the phase of the step [shape]"),
	CHOICE_OPT("sort", "KEY", AT(sort), OPT_WORDS(ROOFLINE_SORTS), "order of rows [time]"),
	TEXT_OPT("peak", 0, "LIST", AT(peak),
		"what the GPU can do, over what its name says: bf16=708T,mem=4.0T; or which "
		"GPU it is: H200"),
};

static enum status check_options(const void *opts, const struct settings *settings, struct err *e)
{
	const struct roofline_options *o = opts;
	struct peaks_given given;

	return peaks_read(&given, settings, o->peak, e);
}

static enum roofline_by by_of(const char *word)
{
	return (enum roofline_by)opt_which(OPT_WORDS(ROOFLINE_BYS), word);
}

/* Modules are Python functions, or what ops say of them. */
static unsigned needs_more(const void *opts, const struct filter *f UNUSED)
{
	const struct roofline_options *o = opts;

	return by_of(o->by) == ROOFLINE_BY_MODULE ? NEED_PYTHON | NEED_STACKS : 0;
}

/* Share of the steps' computing time whose operations are known; 1 where there is none. */
static double known_share(const struct roof *o)
{
	nsec own = 0, known = 0;

	for (size_t i = 0; i <= o->nstep; i++) {
		saturate_onto(&own, o->step[i].own);
		saturate_onto(&known, o->step[i].own_known);
	}
	return own > 0 ? (double)known / (double)own : 1;
}

static void add_notes(const struct roofline *x)
{
	const struct perrun *p = x->p;
	double known = known_share(&x->roof);
	uint32_t n = 0, fast = 0;

	devices_note(&x->roof.devices, p->out, p->input);
	notes_add_unrecorded(p->out, p->run, p->input, x->unrecorded);
	if (notes_no_device(p->out, p->run, p->input, NULL))
		return;
	if (!x->roof.has_shapes)
		result_note(p->out, NOTE_WARNING, "roofline_no_shapes", p->input, -1,
			"no op that launched GPU work says the shapes of its tensors (%s): "
			"operations and bytes are unknown",
			recording_word(p->run, RECORDING_SHAPES));
	else if (known < 0.995)
		result_note(p->out, NOTE_INFO, "roofline_partial", p->input, -1,
			"operations of %.1f%% of the computing time are known: utilisation is at least "
			"what is shown",
			100 * known);
	for (uint32_t i = 0; i < x->keys.n; i++) {
		n += roof_sum_ratio(&x->group[i].sum) > 1;
		fast += roofline_is_fast(&x->group[i]);
	}
	if (fast > 0)
		result_note(p->out, NOTE_INFO, "roofline_fast_convolution", p->input, fast,
			"rows with convolutions by Winograd or FFT: TFLOP/s count the operations of "
			"the definition, the roof what these kernels multiply, which is less");
	if (n > 0)
		result_note(p->out, NOTE_INFO, "roofline_above_peak", p->input, n,
			"rows that took less time than their roof: bytes came from a cache, or "
			"the peaks are not this GPU's");
}

static enum status answer_run(struct perrun *at)
{
	struct roofline x = { .p = at, .o = at->q->opts };
	struct classes classes;
	struct peaks_given given;
	struct roof_owners own = { 0 };

	x.by = by_of(x.o->by);
	enum status s = peaks_read(&given, at->q->settings, x.o->peak, at->e);
	if (s != OK)
		return s;
	classes_init(&classes, at->run, &at->mem);
	const struct roof_owners *owners = shared_owners(at->shared, &own, at->run, &at->view);
	roof_init(&x.roof, at->run, &at->view, &classes, &given,
		x.by == ROOFLINE_BY_MODULE ? ROOF_BY_MODULE : 0, owners, &at->mem);
	for (size_t i = 0; i < x.roof.devices.n; i++)
		saturate_onto(&x.busy, x.roof.busy[i]);
	roofline_groups(&x);
	roofline_head_table(&x);
	roofline_measured_table(&x, roofline_steps_table(&x));
	roofline_peaks_table(&x);
	roofline_ops_table(&x);
	roofline_coverage_table(&x);
	add_notes(&x);
	keymap_clear(&x.keys);
	free(x.group);
	roof_clear(&x.roof);
	roof_owners_clear(&own);
	return OK;
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("steps", "what", "mfu_ratio", "known_ratio|flop|step_ns", .key = "", .is_figure = true,
		.has_foot = true, .where = "is_all", .is = "true"),
	FOLD("ops", "name|shapes", "busy_ns", "roof_ratio|above_roof_ns|calls",
		.key = "name|is_kernel|dims|types|call_flop|call_bytes", .rows = 15),
	FOLD("coverage", "what", "own_ns", "share_ratio"),
};

ANALYSIS(roofline) = {
	.name = "roofline",
	.summary = "how far ops are from what the GPU can do: FLOP, bytes, MFU",
	.help.doc = "First what the tables say, in a few lines. Then four tables. Steps: "
		    "operations of the model and how much of the GPU's peak they use (MFU, HFU). "
		    "Peaks: what the GPU can do, by number format. Ops: for each op and its shapes "
		    "what a call has to compute and to move, how fast it was, whether operations, "
		    "bytes or links bound it, and the time above its roof: the most that a better "
		    "kernel could save. Coverage: how much of the GPU's time that is known of, and "
		    "why the rest is not.\n\n"
		    "Where hardware counters were sampled beside the trace (Kineto's PM sampling), "
		    "a table has what they say of each step beside MFU and HFU.\n\n"
		    "Operations and bytes follow from the shapes of an op's tensors "
		    "(record_shapes=True), never from a guess: what is not known is absent, and "
		    "says why. Peaks are dense ones; measured ones can be given with --peak.",
	.help.source = "Williams, Waterman and Patterson 2009; TraceLens; docs/definitions.md",
	.help.examples = "traceq roofline trace.json.gz\n"
			 "traceq roofline trace.json.gz --by op --sort above\n"
			 "traceq roofline trace.json.gz --peak bf16=708T,mem=4.0T\n"
			 "traceq roofline replays.json.gz --capture capture.json.gz",
	ANALYSIS_EACH_RUN(ROOF_NEEDS | NEED_SAMPLES),
	.runs.needs_more = needs_more,
	.shares = SHARED_BIT(DEVTIME) | SHARED_BIT(OWNERS),
	.weight = 2,
	.runs.takes_capture = true,
	ANALYSIS_OPTIONS(options, struct roofline_options, .limit = -1),
	.options.check = check_options,
	.options.setting = peaks_setting_at,
	ANALYSIS_TABLES(roofline, ROOFLINE),
	.help.main_table = "ops",
	.per_run = { .answer = answer_run, .needs = PERRUN_VIEW, .folds = FOLDS(fold_docs) },
};
