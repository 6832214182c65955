/*
 * Reports of runs in the documents' own layouts, line for line: the canary's profiler summary, the
 * report of the training loop's profiler, the tables of the GPU script.  What nobody says is "N/A".
 *
 * Two things are not as there: operations are summed up by name, where that report lists events,
 * and "(Mock)" stands only over figures that are the mock's.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/unit.h"
#include "base/width.h"
#include "report/escape.h"
#include "report/page/section/section_profiler.h"
#include "report/page/section/section_week1.h"

enum { WIDE = 60, NARROW = 50, OP_WIDTH = 40, OP_LETTERS = 38, OPS_MOST = 10, TOP_MOST = 5 };

static const double MS = 1e6, US = 1e3, S = 1e9, GIB = 1073741824;

/* A document that is being written. */
struct layout {
	const struct answers *in;
	struct page *d;
	struct str b;
};

static void put_rule(struct layout *l, char c, int n)
{
	while (n-- > 0)
		str_addc(&l->b, c);
	str_addc(&l->b, '\n');
}

static void put_title(struct layout *l, const char *title)
{
	str_addc(&l->b, '\n');
	put_rule(l, '=', WIDE);
	str_addf(&l->b, "%s\n", title);
	put_rule(l, '=', WIDE);
}

static const char *fixed(struct layout *l, double v, int decimals)
{
	struct str b = { 0 };
	const char *text;

	if (isnan(v))
		return "N/A";
	unit_put_fixed(&b, v, decimals);
	text = arena_copy(&l->d->mem, b.s, b.n);
	str_free(&b);
	return text;
}

/* Python's {:<width} and {:>width}, at most `most` letters of it. */
static void put_padded(struct layout *l, const char *text, size_t width, bool right, size_t most)
{
	struct str b = { 0 };
	size_t n = 0, i;

	escape_terminal(&b, span_of(text), true);
	for (i = 0; i < b.n; i++) {
		if ((b.s[i] & 0xc0) != 0x80 && n++ == most)
			break;
	}
	width_pad(&l->b, (struct span){ b.s, i }, width, right);
	str_free(&b);
}

/* ---- the canary's profiler summary ---- */

static void put_time(struct layout *l, const char *title, const char *key)
{
	double v = week1_number(l->in, key);

	if (isnan(v)) {
		const char *dot = strchr(key, '.');

		v = week1_number(l->in, dot + 1);
	}
	str_addf(&l->b, "%s%s ms\n", title, fixed(l, isnan(v) ? 0 : v, 2));
}

/* The file's list of that name, in its order. */
static void put_ops(struct layout *l, const char *list, const char *key, const char *title)
{
	const struct table *t = answers_rows(l->in, ask_info, "sheet_ops");
	size_t shown = 0, i;

	put_title(l, title);
	put_padded(l, "Operation", OP_WIDTH, false, SIZE_MAX);
	str_addf(&l->b, " %10s %8s\n", "Time (ms)", "Count");
	put_rule(l, '-', WIDE);
	for (i = 0; i < table_rows(t) && shown < OPS_MOST; i++) {
		if (!span_is(table_word(t, i, "list"), list))
			continue;
		shown++;
		put_padded(l, section_word(l->d, t, i, "name"), OP_WIDTH, false, OP_LETTERS);
		str_addf(&l->b, " %10s %8s\n", fixed(l, table_number(t, i, key) / MS, 2),
			fixed(l, table_number(t, i, "calls"), 0));
	}
}

static void put_diagnosis(struct layout *l)
{
	static const char *const rules[] = { "Q01", "Q02" };
	const struct table *t = answers_rows(l->in, ask_diagnose, "recorded_findings");
	size_t i, k;

	if (!t)
		t = answers_rows(l->in, ask_diagnose, "findings");
	put_title(l, "QUICK DIAGNOSIS");
	for (k = 0; k < COUNT_OF(rules); k++)
		for (i = 0; i < table_rows(t); i++) {
			const char *action = section_word(l->d, t, i, "action");

			if (!span_is(table_word(t, i, "rule"), rules[k]))
				continue;
			str_addc(&l->b, '\n');
			escape_terminal(&l->b, table_word(t, i, "finding"), true);
			str_addc(&l->b, '\n');
			if (*action) {
				escape_terminal(&l->b, span_of(action), true);
				str_addc(&l->b, '\n');
			}
		}
}

static void put_canary(struct layout *l)
{
	static const char key[] = "profiler.trace_path";
	const char *path = week1_text(l->in, l->d, key);

	if (!*path)
		path = week1_text(l->in, l->d, key + sizeof("profiler.") - 1);
	put_title(l, "PROFILER SUMMARY");
	str_adds(&l->b, "\nTrace file: ");
	escape_terminal(&l->b, span_of(*path ? path : "N/A"), true);
	str_adds(&l->b, "\n\n");
	put_time(l, "Total CUDA time: ", "profiler.cuda_time_total_ms");
	put_time(l, "Total CPU time:  ", "profiler.cpu_time_total_ms");
	put_time(l, "Self CUDA time:  ", "profiler.self_cuda_time_total_ms");
	put_ops(l, "top_cuda_ops", "self_device_ns", "TOP 10 CUDA OPERATIONS (GPU time)");
	put_ops(l, "top_cpu_ops", "self_cpu_ns", "TOP 10 CPU OPERATIONS (CPU time)");
	put_diagnosis(l);
}

static bool is_canary(const struct answers *in)
{
	return !isnan(profiler_number(in, "profiler.cuda_time_total_ms", "cuda_time_total_ms"));
}

/* ---- the report of the training loop's profiler ---- */

/* The table of stages of stage_times.json, else the first. */
static const struct table *stages_of(const struct answers *in)
{
	const struct table *keys = answers_rows(in, ask_metrics, "keys"), *t;
	struct span file = { "", 0 };
	size_t i;

	for (i = 0; i < table_rows(keys) && !file.n; i++)
		if (span_is(table_word(keys, i, "kind"), "stage_times"))
			file = table_word(keys, i, "file");
	for (i = 0; (t = answers_table(in, ask_metrics, "stages", i)); i++)
		if (span_eq(table_word(t, 0, "file"), file))
			return t;
	return answers_rows(in, ask_metrics, "stages");
}

static void put_stages(struct layout *l)
{
	const struct table *t = stages_of(l->in);
	double steps = profiler_number(l->in, "total_steps", "profiler_manager.total_steps");
	size_t i;

	if (!t)
		return;
	str_addf(&l->b, "\nStage Timing:\n  Total Stages: %zu\n  Total Steps: %s\n", table_rows(t),
		fixed(l, isnan(steps) ? 0 : steps, 0));
	str_adds(&l->b, "  Average Times:\n");
	for (i = 0; i < table_rows(t); i++) {
		str_adds(&l->b, "    ");
		escape_terminal(&l->b, table_word(t, i, "stage"), true);
		str_addf(&l->b, ": %ss\n", fixed(l, table_number(t, i, "mean_ns") / S, 4));
	}
}

/* The row with the most CPU time that is below `below` rows already shown. */
static size_t next_op(const struct table *t, double below, size_t behind)
{
	size_t best = table_rows(t), i;
	double most = -1;

	for (i = 0; i < table_rows(t); i++) {
		double v = table_number(t, i, "cpu_total_ns");

		if (v > below || (v >= below && i <= behind) || !(v > most))
			continue;
		most = v;
		best = i;
	}
	return best;
}

static void put_operations(struct layout *l)
{
	const struct table *t = answers_rows(l->in, ask_info, "sheet_ops");
	double events = profiler_operations(l->in), below = INFINITY;
	size_t at = 0, i;

	if (!t || isnan(events))
		return;
	str_addf(&l->b,
		"\nOperation Statistics:\n  Total Operations: %s\n"
		"  Top Operations by CPU Time:\n",
		fixed(l, events, 0));
	for (i = 1; i <= TOP_MOST && (at = next_op(t, below, at)) < table_rows(t); i++) {
		below = table_number(t, at, "cpu_total_ns");
		str_addf(&l->b, "    %zu. ", i);
		escape_terminal(&l->b, table_word(t, at, "name"), true);
		str_adds(&l->b, ": ");
		unit_put_real(&l->b, below / US);
		str_adds(&l->b, "\xce\xbcs\n");
	}
}

static void put_memory(struct layout *l)
{
	double cpu = profiler_peak(l->in, "cpu"), cuda = profiler_peak(l->in, "cuda");
	double steps = profiler_number(l->in, "step_count", "memory_stats.step_count");

	if (isnan(cpu) && isnan(cuda))
		return;
	str_addf(&l->b,
		"\nMemory Usage:\n  Peak CPU Memory: %s bytes\n  Peak CUDA Memory: %s bytes\n"
		"  Steps Profiled: %s\n",
		fixed(l, isnan(cpu) ? 0 : cpu, 0), fixed(l, isnan(cuda) ? 0 : cuda, 0),
		fixed(l, isnan(steps) ? 0 : steps, 0));
}

static void put_profiler(struct layout *l)
{
	const struct answer *a = answers_find(l->in, ask_info);
	bool has_trace;
	size_t n = profiler_artifacts(l->in, &has_trace);

	str_addc(&l->b, '\n');
	put_rule(l, '=', NARROW);
	str_adds(&l->b, "PROFILER REPORT SUMMARY\n");
	put_rule(l, '=', NARROW);
	str_adds(&l->b, "Profiler Directory: ");
	if (a && a->result && a->result->ninput)
		escape_terminal(&l->b, span_of(a->result->input[0]), true);
	str_addf(&l->b, "\nTotal Artifacts: %zu/4\nProfiling Successful: %s\n", n,
		has_trace ? "True" : "False");
	put_stages(l);
	put_operations(l);
	put_memory(l);
	put_rule(l, '=', NARROW);
}

/* ---- the GPU script ---- */

static void put_gpu_memory(struct layout *l)
{
	double base = week1_number(l->in, "memory_profile.baseline_gb");
	const struct table *gpus = answers_rows(l->in, ask_info, "sheet_gpus");
	double all = table_number(gpus, 0, "memory_bytes") / GIB;

	if (isnan(base))
		return;
	put_title(l, "GPU Memory Profiling");
	str_addf(&l->b, "\nBaseline Memory:\n  Allocated: %s GB\n", fixed(l, base, 2));
	str_addf(&l->b, "  Reserved:  %s GB\n",
		fixed(l, week1_number(l->in, "memory_profile.mean_reserved_gb"), 2));
	str_addf(&l->b, "  Peak:      %s GB\n",
		fixed(l, week1_number(l->in, "memory_profile.peak_allocated_gb"), 2));
	if (gpus && all > 0)
		str_addf(&l->b,
			"\nTotal GPU Memory: %s GB\nAvailable:        %s GB\n"
			"Utilization:      %s%%\n",
			fixed(l, all, 2), fixed(l, all - base, 2), fixed(l, base / all * 100, 1));
}

/* The i-th table of models that has that column; NULL: there is none. */
static const struct table *models_with(const struct answers *in, const char *key)
{
	const struct table *t;
	size_t i;

	for (i = 0; (t = answers_table(in, ask_info, "sheet_models", i)); i++)
		if (table_rows(t) > 0 && !isnan(table_number(t, 0, key)))
			return t;
	return NULL;
}

static void put_requirements(struct layout *l)
{
	const struct table *t = models_with(l->in, "inference_bytes");
	size_t i;

	if (!t)
		return;
	put_title(l, "Model Memory Requirements");
	str_addf(&l->b, "\n%-25s %-20s %-25s\n", "Model", "Inference (fp16)",
		"Training (fp16+Adam)");
	put_rule(l, '-', 70);
	for (i = 0; i < table_rows(t); i++) {
		put_padded(l, section_word(l->d, t, i, "model"), 25, false, SIZE_MAX);
		str_addf(&l->b, " %6s GB          %8s GB\n",
			fixed(l, table_number(t, i, "inference_bytes") / GIB, 1),
			fixed(l, table_number(t, i, "training_bytes") / GIB, 1));
	}
}

/* Whether reading found the figures to be the formula of the document's mock. */
static bool is_mock(const struct answers *in)
{
	const struct answer *a = answers_find(in, ask_info);
	size_t i;

	for (i = 0; a && a->result && i < a->result->nnote; i++)
		if (strcmp(a->result->note[i].id, "mock_throughput") == 0)
			return true;
	return false;
}

static void put_throughput(struct layout *l)
{
	const struct table *t = answers_rows(l->in, ask_info, "sheet_sweep");
	bool mock = is_mock(l->in);
	size_t i;

	if (!t)
		return;
	put_title(l, mock ? "Throughput Benchmarking (Mock)" : "Throughput Benchmarking");
	if (mock)
		str_adds(&l->b,
			"\nNote: This is a mock benchmark. For real benchmarking,\n"
			"      run with actual model loaded.\n");
	str_addf(&l->b, "\n%-15s %-15s %-15s\n", "Batch Size", "Samples/sec", "Memory (GB)");
	put_rule(l, '-', 45);
	for (i = 0; i < table_rows(t); i++)
		str_addf(&l->b, "%-15s %-15s %-15s\n",
			fixed(l, table_number(t, i, "batch_size"), 0),
			fixed(l, table_number(t, i, "samples_per_s_mean"), 2),
			fixed(l, table_number(t, i, "gpu_peak_mean_bytes") / GIB, 2));
}

static void put_compatibility(struct layout *l)
{
	const struct table *t = models_with(l->in, "required_bytes");
	double all =
		table_number(answers_rows(l->in, ask_info, "sheet_gpus"), 0, "memory_bytes") / GIB;
	size_t i;

	put_title(l, "Model Compatibility Check");
	if (!t) {
		str_adds(&l->b, "\n\xe2\x9a\xa0 GPU not available for compatibility check\n");
		return;
	}
	str_addf(&l->b, "\nAvailable GPU Memory: %s GB\n\n%-35s %-15s %-15s\n", fixed(l, all, 2),
		"Model", "Required", "Status");
	put_rule(l, '-', 65);
	for (i = 0; i < table_rows(t); i++) {
		double need = table_number(t, i, "required_bytes") / GIB;
		bool fits = isnan(all) ? table_number(t, i, "fits") > 0 : need <= all;

		put_padded(l, section_word(l->d, t, i, "model"), 35, false, SIZE_MAX);
		str_addf(&l->b, " %6s GB      ", fixed(l, need, 1));
		put_padded(l, fits ? "\xe2\x9c\x93 Fits" : "\xe2\x9c\x97 Too large", 15, false,
			SIZE_MAX);
		str_addc(&l->b, '\n');
	}
}

static void put_gpu(struct layout *l)
{
	put_gpu_memory(l);
	put_requirements(l);
	put_throughput(l);
	put_compatibility(l);
}

static bool is_gpu(const struct answers *in)
{
	return answers_rows(in, ask_info, "sheet_models") ||
		!isnan(week1_number(in, "memory_profile.num_measurements"));
}

static bool is_week1(const struct answers *in)
{
	return !isnan(week1_number(in, "model_info.total_params")) ||
		!isnan(week1_number(in, "dataset_info.num_samples"));
}

void layouts_seed(const struct answers *in, struct page *d)
{
	struct layout l = { .in = in, .d = d };

	if (is_gpu(in))
		put_gpu(&l);
	if (is_canary(in))
		put_canary(&l);
	if (profiler_is_there(in))
		put_profiler(&l);
	if (l.b.n)
		page_lines(d, arena_copy(&d->mem, l.b.s + 1, l.b.n - 1));
	str_free(&l.b);
	if (is_week1(in))
		week1_seed(in, d);
}
