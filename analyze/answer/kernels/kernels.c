/* `kernels`: what runs on the device, and how well it fills it.  Options and the order of work. */
#include "analyze/answer/kernels/kernels.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/notes.h"
#include "analyze/analysis/shared.h"
#include "analyze/costmodel/roof.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/producers.h"

#define AT(field) offsetof(struct kernels_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of the table of kernels; 0 = all [15]"),
	CHOICE_OPT("by", "WHAT", AT(by), OPT_WORDS(KERNELS_BYS),
		"what makes a row: the name, or the name with its launch configuration, with the "
		"launching op, or with where in the code it comes from: the stack of functions, the "
		"nn.Module, the innermost line of one's own [name]"),
	CHOICE_OPT("sort", "KEY", AT(sort), OPT_WORDS(KERNELS_SORTS), "order of rows [sum]"),
	FLAG_OPT("roof", 0, AT(roof),
		"kernels against what the GPU can do: TFLOP/s, share of the roof, what bounds them"),
	TEXT_OPT("peak", 0, "LIST", AT(peak),
		"what the GPU can do, with --roof: bf16=708T,mem=4.0T; or which GPU it is: H200"),
};

/* Arguments of ops and their formulas cost a third of the time: only where they are asked for. */
static unsigned needs_more(const void *opts, const struct filter *f UNUSED)
{
	const struct kernels_options *o = opts;

	return (o->roof ? ROOF_NEEDS : 0) |
		(opt_which(OPT_WORDS(KERNELS_BYS), o->by) >= KERNELS_BY_STACK ? CALLERS_NEEDS : 0);
}

static void add_notes(struct kernels *k)
{
	devices_note(&k->devices, k->p->out, k->p->input);
	if (notes_no_device(k->p->out, k->p->run, k->p->input, NULL))
		return;
	if (k->count == 0)
		result_note(k->p->out, NOTE_WARNING, "no_kernels", k->p->input, -1,
			"no kernel in this trace, or none passes the filters");
	else if (k->callers && k->callers->nodes.n == 0)
		result_note(k->p->out, NOTE_WARNING, "no_callers", k->p->input, -1,
			"nothing says where in the code kernels come from (%s)",
			recording_word(k->p->run, RECORDING_STACKS_HINT));
	else if (!k->has_config)
		result_note(k->p->out, NOTE_INFO, "no_launch_config", k->p->input, -1,
			"kernels say neither grid nor registers: occupancy is unknown");
}

static enum status answer_run(struct perrun *at)
{
	struct kernels k = { .p = at, .o = at->q->opts };

	k.by = (enum kernels_by)opt_which(OPT_WORDS(KERNELS_BYS), k.o->by);
	k.sort = (enum kernels_sort)opt_which(OPT_WORDS(KERNELS_SORTS), k.o->sort);
	if (perrun_is_record(at))
		return kernels_record(&k);
	classes_init(&k.classes, at->run, &at->mem);
	kernels_collect(&k);
	add_notes(&k);
	enum status s = kernels_roof(&k);
	if (k.count > 0)
		kernels_devices_table(&k);
	if (k.devices.n > 0)
		kernels_types_table(&k);
	if (s == OK)
		kernels_table(&k);
	if (s == OK)
		kernels_measured_table(&k);
	kernels_durations_table(&k);
	kernels_clear(&k);
	return s;
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("kernels", "name", "device_sum_ns", "calls|mean_ns", .rows = 15),
	FOLD("recorded_kernels", "name", "device_sum_ns", "calls|mean_ns", .rows = 15),
};

static bool wants_pages(const void *opts)
{
	const struct kernels_options *o = opts;

	return o->by != NULL || o->roof;
}

ANALYSIS(kernels) = {
	.name = "kernels",
	.summary = "what runs on the device: kernels, their shape, occupancy, tensor cores",
	.help.doc =
		"Four tables. GPUs: how full kernels make them (estimated occupancy, blocks "
		"per SM, SM efficiency) and how much runs on tensor cores, between what is sure "
		"by name and what is possible. By type: time in which computation, "
		"communication and memory work run alone or together; it adds up to the GPU's "
		"busy time. Kernels: times of each, with the most frequent launch configuration "
		"and op; --by config and --by op split them, and --by line, module and stack say "
		"where in the code they come from, of backward work by its forward op (traces "
		"with_stack=True). By duration: how many are short, "
		"and shorter than the call that launched them.\n\n"
		"Occupancy and blocks per SM are what the profiler estimated from the launch, "
		"not what was measured; means are weighted by duration.\n\n"
		"Where hardware counters were sampled beside the trace (Kineto's PM sampling), a table "
		"has what they say of each kernel beside what was estimated: of kernels that are not "
		"shorter than the samples are apart.\n\n"
		"--roof holds kernels against what the GPU can do, as 'traceq roofline' does "
		"ops: a call of an op counts in the row of its longest kernel, with all its "
		"kernels, and rows add up to the figures there. What is not known is absent.\n\n"
		"Without a trace, the kernels that Nsight Compute (ncu --csv, raw or details) "
		"or Nsight Systems (nsys stats --format csv) lists are shown: occupancy and "
		"throughput as they were measured there. Such a file has no shapes of ops, so "
		"that 'roofline' wants the trace.",
	.help.source = "TensorBoard plugin (kernel view, gpu_metrics_parser.py); HTA, "
		       "get_gpu_kernel_breakdown; docs/definitions.md",
	.help.examples = "traceq kernels trace.json.gz -n 30\n"
			 "traceq kernels trace.json.gz --by config -f gemm\n"
			 "traceq kernels trace.json.gz --by op --sort calls\n"
			 "traceq kernels trace.json.gz --by line\n"
			 "traceq kernels trace.json.gz --roof --wide\n"
			 "traceq kernels replays.json.gz --by op --capture capture.json.gz\n"
			 "traceq kernels ncu.csv --sort mean",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_KERNEL | NEED_SAMPLES),
	.shares = SHARED_BIT(LEDGERS),
	.weight = 2,
	.runs.takes_capture = true,
	.runs.needs_more = needs_more,
	.runs.takes_records = true,
	ANALYSIS_OPTIONS(options, struct kernels_options, .limit = -1),
	.options.check = kernels_roof_check,
	.options.setting = peaks_setting_at,
	ANALYSIS_TABLES(kernels, KERNELS),
	.help.main_table = "kernels|recorded_kernels",
	.per_run = { .answer = answer_run,
		.needs = PERRUN_TRACE_VIEW,
		.folds = FOLDS(fold_docs, .wants_pages = wants_pages) },
};
