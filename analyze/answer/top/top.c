/* `top`: where the time goes, by operator and by kernel.  Options and their words, and the order of
 * work. */
#include "analyze/answer/top/top.h"

#include "analyze/analysis/fold.h"

#include <stdio.h>

#include "analyze/analysis/row_limit.h"
#include "analyze/analysis/shared.h"
#include "analyze/costmodel/roof.h"
#include "base/parallel.h"

enum { DEFAULT_ROWS = 10, DEFAULT_TREE_ROWS = 40, DEFAULT_TORCH_ROWS = 100, DEFAULT_DEPTH = 12 };

/* --sort: what it takes, and what rows are in order of then; short forms, then torch's words. */
#define SORT_WORDS(X)                                      \
	X(TOP_SELF_CPU, "self")                            \
	X(TOP_SELF_CPU, "cpu")                             \
	X(TOP_SELF_DEVICE, "gpu")                          \
	X(TOP_CPU_TOTAL, "total")                          \
	X(TOP_CALLS, "calls")                              \
	X(TOP_CPU_AVG, "avg")                              \
	X(TOP_SELF_DEVICE_BYTES, "mem")                    \
	X(TOP_FLOPS, "flops")                              \
	X(TOP_NAME, "name")                                \
	X(TOP_CPU_AVG, "cpu_time")                         \
	X(TOP_DEVICE_AVG, "cuda_time")                     \
	X(TOP_CPU_TOTAL, "cpu_time_total")                 \
	X(TOP_DEVICE_TOTAL, "cuda_time_total")             \
	X(TOP_SELF_CPU, "self_cpu_time_total")             \
	X(TOP_SELF_DEVICE, "self_cuda_time_total")         \
	X(TOP_CPU_BYTES, "cpu_memory_usage")               \
	X(TOP_DEVICE_BYTES, "cuda_memory_usage")           \
	X(TOP_SELF_CPU_BYTES, "self_cpu_memory_usage")     \
	X(TOP_SELF_DEVICE_BYTES, "self_cuda_memory_usage") \
	X(TOP_CALLS, "count")

#define AT(field) offsetof(struct top_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit),
		"rows of each table; 0 = all [10; 40 with --tree, 100 for torch; all for machines]"),
	OPT("sort", 0, OPT_TEXT, "KEY",
		"order of rows: a short form or torch's word; xpu_ and device_ are the same as cuda_ "
		"[device tables: gpu; ops: cpu]",
		AT(sort), OPT_WORDS(SORT_WORDS), NULL),
	CHOICE_OPT("by", "WHAT", AT(by), OPT_WORDS(TOP_BYS),
		"one table, of these groups [two: GPU work and CPU ops]"),
	CHOICE_OPT("per", "WHAT", AT(per), OPT_WORDS(TOP_PERS),
		"what the main time column shows [total]"),
	FLAG_OPT("tree", 0, AT(tree), "the op tree: calls, self and total times by call path"),
	INT_OPT("depth", 0, "N", AT(depth), "levels of --tree; 0 = all [12]"),
	FLAG_OPT("fold", 0, AT(fold), "count ProfilerStep#5, #6, ... as one ProfilerStep* [yes]"),
	TEXT_OPT("peak", 0, "LIST", AT(peak),
		"what the GPU can do, with --by shape: bf16=708T,mem=4.0T; or which GPU it is: "
		"H200"),
	FLAG_OPT("memory", 0, AT(memory), "load allocator events too, for memory columns"),
};

/* torch's word with the device called cuda, as it is listed: self_xpu_time -> self_cuda_time. */
static const char *cuda_word(const char *word, char *buf, size_t size)
{
	static const char *const names[] = { "device_", "xpu_", "privateuse1_" };
	static const char self[] = "self_";
	bool is_self = strncmp(word, self, sizeof(self) - 1) == 0;
	const char *rest = word + (is_self ? sizeof(self) - 1 : 0);

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		size_t n = strlen(names[i]);

		if (strncmp(rest, names[i], n) == 0 && strlen(word) < size) {
			(void)snprintf(buf, size, "%scuda_%s", is_self ? self : "", rest + n);
			return buf;
		}
	}
	return word;
}

/* --sort: a short form or one of torch's sort_by words, in which cuda, xpu, privateuse1 and device
 * are the same.  NULL is TOP_KEY_NONE.  E_USAGE, with a guess, for anything else. */
static enum status parse_key(const char *text, enum top_key *key, struct err *e)
{
#define X(id, word) word,
	static const char *const words[] = { SORT_WORDS(X) };
#undef X
	static const enum top_key keys[] = { SORT_WORDS(OPT_ID) };
	char buf[64];

	*key = TOP_KEY_NONE;
	if (!text)
		return OK;
	const char *word = cuda_word(text, buf, sizeof(buf));
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		if (strcmp(word, words[i]) == 0) {
			*key = keys[i];
			return OK;
		}
	const char *near = opt_nearest(word, words, COUNT_OF(words));
	err_set(e, E_USAGE, -1, "--sort '%s': no such key", text);
	if (near)
		return err_hint(e, "did you mean '%s'?", near);
	return err_hint(e,
		"self, cpu, gpu, total, calls, avg, mem, flops, name, or one of torch's sort_by words");
}

/* --by and --per.  The option table has checked the words.  NULL: the default. */
static enum top_by parse_by(const char *text)
{
	return text ? (enum top_by)opt_which(OPT_WORDS(TOP_BYS), text) : TOP_BY_DEFAULT;
}

static bool is_torch(const struct query *q)
{
	return q->layout == TABLE_TORCH;
}

static unsigned needs_more(const void *opts, const struct filter *f UNUSED)
{
	const struct top_options *o = opts;
	unsigned more = 0;
	struct err ignored;
	enum top_key key;

	if (parse_by(o->by) == TOP_BY_SHAPE)
		more |= ROOF_NEEDS;
	if (o->memory || (parse_key(o->sort, &key, &ignored) == OK && key >= TOP_CPU_BYTES))
		more |= NEED_MEMORY;
	return more;
}

static size_t limit_of(const struct query *q, const struct top_options *o)
{
	size_t preset = is_torch(q) ? DEFAULT_TORCH_ROWS
		: o->tree           ? DEFAULT_TREE_ROWS
				    : DEFAULT_ROWS;

	return rows_limit(q, o->limit, preset, is_torch(q) ? preset : SIZE_MAX);
}

static void put_tables(struct top *t)
{
	bool ops = t->by != TOP_BY_KERNEL && t->by != TOP_BY_STREAM;
	bool device = t->by != TOP_BY_NAME && t->by != TOP_BY_SHAPE && t->by != TOP_BY_PHASE;

	if (t->is_torch) {
		top_torch_table(t);
		return;
	}
	top_totals_tables(t);
	if (t->o->tree) {
		top_tree_table(t);
		return;
	}
	if (device && t->device.n)
		top_device_rank(t);
	if (ops && t->ops.n)
		top_ops_rank(t);
	top_quantiles(t);
	if (t->device_table.at)
		top_device_put(t);
	if (t->ops_table.at)
		top_ops_put(t);
}

/* The device's work, beside the pieces of the op tree. */
static void collect_job(void *ctx, size_t i)
{
	struct top *t = ctx;

	if (i < t->npiece)
		top_ops_walk(t, i);
	else
		top_device_collect(t);
}

static enum status answer_trace(struct top *t)
{
	/* Whether any name passes a filter is seen by the rows. */
	if (t->at->q->no_rows && !t->at->view.name) {
		top_note_recording(t);
		(void)top_totals_line(t);
		return OK;
	}
	top_run_init(t);
	parallel_run(top_ops_cut(t) + 1, top_threads(t), collect_job, t);
	top_ops_finish(t);
	top_replay_add(t);
	enum status s = top_roof_collect(t);
	if (s == OK && t->at->view.status == OK) {
		top_add_notes(t);
		put_tables(t);
	}
	devtime_clear(&t->devtime);
	groups_clear(&t->ops);
	groups_clear(&t->device);
	return s;
}

static enum status answer_run(struct perrun *at)
{
	struct top t = *(const struct top *)at->ctx;

	t.at = at;
	if (at->q->is_folded)
		t.limit = SIZE_MAX;
	if (perrun_is_record(at))
		return top_record(&t);
	TRY(answer_trace(&t));
	return t.o->memory && !t.has_memory ? top_record_memory(&t) : OK;
}

/* Options that exclude each other. */
static enum status check_options(const struct top *t, struct err *e)
{
	if (t->o->depth < 0)
		return err_set(
			e, E_USAGE, -1, "--depth wants 0 or more, got %" PRId64, t->o->depth);
	if (t->o->tree && t->o->by)
		return err_set(e, E_USAGE, -1, "--tree and --by exclude each other");
	if (t->o->peak && t->by != TOP_BY_SHAPE)
		return err_set(e, E_USAGE, -1, "--peak goes with --by shape");
	if (t->is_torch &&
		(t->o->tree ||
			(t->by != TOP_BY_DEFAULT && t->by != TOP_BY_NAME && t->by != TOP_BY_SHAPE)))
		return err_set(e, E_USAGE, -1,
			"--format torch has the layout of key_averages(): by name or --by shape only");
	return OK;
}

static enum status compute(
	const struct query *q, struct result *out, int *exit_code UNUSED, struct err *e)
{
	struct top t = { .o = q->opts };

	t.by = parse_by(t.o->by);
	t.per = (enum top_per)opt_which(OPT_WORDS(TOP_PERS), t.o->per);
	t.limit = limit_of(q, t.o);
	t.is_torch = is_torch(q);
	TRY(parse_key(t.o->sort, &t.key, e));
	TRY(check_options(&t, e));
	return perrun_all(q, &q->analysis->per_run, &t, out, e);
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("device|recorded_device", "kind|name", "device_sum_ns", "calls", .rows = DEFAULT_ROWS),
	FOLD("ops|recorded_ops", "name", "self_cpu_ns", "self_device_ns|calls",
		.rows = DEFAULT_ROWS),
};

ANALYSIS(top) = {
	.name = "top",
	.summary = "where the time goes: the heaviest operators and kernels",
	.help.doc =
		"Two tables: the GPU's work (kernels, copies, sets) and the CPU's (operators, "
		"annotations, runtime calls), the heaviest first. --by asks for one of other "
		"groups, --tree for the op tree.\n\n"
		"Self CPU is the time of a call less that of the calls it made; runtime calls "
		"such as cudaLaunchKernel are calls too. Self GPU of an operator is the work it "
		"launched. GPU times are sums: work that overlaps on several streams counts "
		"more than once; how long a GPU was busy at all (a union) stands in the header "
		"line.\n\n"
		"--by shape says of each op and its shapes how far it is from what the GPU can "
		"do, as 'traceq roofline' does: TFLOP/s, the share of its roof, and what bounds "
		"it. What is not known is absent.\n\n"
		"Without a trace, the operations that a profiler summary, an op CSV or the text "
		"of a key_averages() table lists are shown, with a note that says so; and the "
		"functions that a sampled profile (py-spy) saw, in its samples or its time.\n\n"
		"--format torch prints the table of torch's key_averages().table(), where each "
		"kernel's time stands in its own row and in its operator's.",
	.help.source = "torch/autograd/profiler_util.py; docs/definitions.md",
	.help.examples = "traceq top trace.json.gz -n 5\n"
			 "traceq top trace.json.gz --by shape --sort gpu -f 'aten::(mm|addmm)'\n"
			 "traceq top trace.json.gz --tree --steps 5-9\n"
			 "traceq top trace.json.gz --format torch --sort self_cuda_time_total",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_BYTES | NEED_FLOPS),
	.runs.needs_more = needs_more,
	.shares = SHARED_BIT(DEVTIME),
	.weight = 3,
	.runs.takes_capture = true,
	.runs.takes_records = true,
	ANALYSIS_OPTIONS(
		options, struct top_options, .limit = -1, .depth = DEFAULT_DEPTH, .fold = true),
	.options.layouts = 1u << TABLE_TORCH,
	.options.check = top_roof_check,
	.options.setting = peaks_setting_at,
	ANALYSIS_TABLES(top, TOP),
	.help.main_table = "runs|tree|device|ops|recorded_device|recorded_ops|sampled_functions",
	.per_run = { .answer = answer_run,
		.needs = PERRUN_TRACE_VIEW,
		.runs = &top_runs,
		.folds = FOLDS(fold_docs, .wants_pages = top_wants_pages) },
	.compute = compute,
};
