/*
 * `diagnose` without a trace: the documents' own rules on what summaries, op CSVs, stage times and
 * metrics say.
 *
 * Nothing here knows when anything happened, so there are no gaps, no overlap and no idle time.
 * Thresholds and words are the documents'.
 */
#include "analyze/answer/diagnose/diagnose.h"

#include <math.h>
#include <string.h>

#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/record.h"
#include "analyze/trace/run.h"

const struct analysis_word diagnose_recorded_words[DIAGNOSE_RECORDED_WORDS] = {
	{ "R01", "slowest stage",
		"Without a trace: of the stages whose times a file of the run lists, the one with the "
		"largest mean. The advice is that of the documents for its name: forward, backward, "
		"data loading.",
		"Phase B Profiler Implementation, check_profile.py; Profiling & Metrics" },
	{ "R02", "memory of an op",
		"Without a trace: an operation whose device memory in a table is above 1e9 bytes.",
		"Phase B Profiler Implementation, check_profile.py" },
	{ "R03", "peak memory",
		"Without a trace: a peak of device memory above 1e9 bytes in memory_stats.json. That "
		"file has the largest single event, so the real peak is higher.",
		"Phase B Profiler Implementation, check_profile.py" },
	{ "R04", "waiting for data",
		"Without a trace: dataloader_wait_pct of a canary's metrics above 20.",
		"rlhf-canary, compare/heuristics.py" },
	{ "R05", "GPU utilisation",
		"Without a trace: gpu_utilization_avg of a canary's metrics below 50.",
		"rlhf-canary, compare/heuristics.py" },
	{ "R06", "stages and iteration",
		"Without a trace: forward, backward, optimizer and data loading add up to the "
		"iteration; more than 5 % beside it is time nobody accounts for.",
		"Profiling & Metrics" },
};

struct recorded {
	const struct record *r;
	struct perrun *at;
	const struct table_doc *doc;
	struct table *t; /* NULL: nothing to say yet */
	struct arena *mem;
	int64_t found;
};

static void begin_table(struct recorded *k)
{
	k->t = perrun_table(k->at, k->doc);
	result_note(k->at->out, NOTE_INFO, "no_trace", k->at->input, -1,
		"no trace: the documents' rules on what %s says; where time goes inside a step is "
		"unknown",
		k->r->nartifact == 1 ? k->r->artifact[0].title : "the run's other files");
}

static void put_finding(struct recorded *k, enum severity s, const char *id, const char *name,
	double value, const char *text, const char *action)
{
	if (!k->t)
		begin_table(k);
	table_row(k->t);
	table_text(k->t, RECORDED_SEVERITY, span_of(severity_word(s)));
	table_text(k->t, RECORDED_RULE, span_of(id));
	table_text(k->t, RECORDED_NAME, span_of(name));
	table_text(k->t, RECORDED_TEXT, span_of(text));
	table_real(k->t, RECORDED_VALUE, value);
	if (action)
		table_text(k->t, RECORDED_ACTION, span_of(action));
	k->found++;
}

/* The first scalar whose key ends so. */
static const struct scalar *find_end(const struct record *r, const char *end)
{
	size_t n = strlen(end), i;

	for (i = 0; i < r->scalars.n; i++) {
		struct span key = r->scalars.v[i].key;

		if (key.n >= n && memcmp(key.p + key.n - n, end, n) == 0)
			return &r->scalars.v[i];
	}
	return NULL;
}

static double sum_of(const struct table *t, size_t col)
{
	double sum = 0, v;
	size_t i;

	for (i = 0; i < t->nrow; i++) {
		v = table_number_at(t, i, col);
		sum += isnan(v) ? 0 : v;
	}
	return sum;
}

/* Sums of CPU and CUDA time in ms: the summary's own, else over the rows of a table. */
static bool times(const struct recorded *k, double *cpu, double *cuda)
{
	const struct sheet *ops = record_find_sheet(k->r, SHEET_OPS);
	const struct scalar *a = find_end(k->r, "cpu_time_total_ms");
	const struct scalar *b = find_end(k->r, "cuda_time_total_ms");

	*cpu = scalar_number(a);
	*cuda = scalar_number(b);
	if (!isnan(*cpu) && !isnan(*cuda))
		return true;
	if (!ops)
		return false;
	*cpu = sum_of(&ops->table, OPS_CPU) / 1e6;
	*cuda = sum_of(&ops->table, OPS_DEVICE) / 1e6;
	return *cpu > 0 || *cuda > 0;
}

static void check_ratio(struct recorded *k)
{
	double cpu, cuda, ratio;

	if (!times(k, &cpu, &cuda) || !(cpu > 0))
		return;
	if (!(cuda > 0)) {
		put_finding(k, SEVERITY_UNKNOWN, "Q01", "CPU/CUDA ratio", (double)NAN,
			arena_printf(k->mem,
				"INFO: No CUDA kernel times recorded (CPU time: %.0fms)", cpu),
			"newer torch renamed the attribute, so summaries miss it although the trace "
			"has kernels: give the trace");
		return;
	}
	ratio = cpu / cuda;
	if (ratio > 2)
		put_finding(k, SEVERITY_NOTE, "Q01", "CPU/CUDA ratio", ratio,
			arena_printf(k->mem, "WARNING: CPU time (%.0fms) >> CUDA time (%.0fms)",
				cpu, cuda),
			"This suggests a CPU bottleneck (dataloader, tokenization, or Python overhead)");
	else if (ratio < 0.5)
		put_finding(k, SEVERITY_OK, "Q01", "CPU/CUDA ratio", ratio,
			arena_printf(
				k->mem, "GOOD: CUDA time (%.0fms) >> CPU time (%.0fms)", cuda, cpu),
			"GPU is well-utilized, training is compute-bound (optimal)");
	else
		put_finding(k, SEVERITY_OK, "Q01", "CPU/CUDA ratio", ratio,
			arena_printf(k->mem, "BALANCED: CPU time (%.0fms) ~ CUDA time (%.0fms)",
				cpu, cuda),
			"Mixed workload - both CPU and GPU contribute significantly");
}

/* Only rows of top_cuda_ops where the sheet has lists, as the documents take them. */
static void check_copies(struct recorded *k)
{
	const struct sheet *ops = record_find_sheet(k->r, SHEET_OPS);
	double copies = 0, all = 0;
	size_t i;

	for (i = 0; ops && i < ops->table.nrow; i++) {
		double v = table_number_at(&ops->table, i, OPS_SELF_DEVICE);

		if (!(v > 0) || span_is(table_text_at(&ops->table, i, OPS_LIST), "top_cpu_ops"))
			continue;
		all += v;
		if (span_has_nocase(table_text_at(&ops->table, i, OPS_NAME), "copy"))
			copies += v;
	}
	if (!(all > 0))
		return;
	if (copies / all > 0.3)
		put_finding(k, SEVERITY_NOTE, "Q02", "copy dominance", copies / all,
			arena_printf(k->mem, "WARNING: Memory copies are %.0f%% of CUDA time",
				100 * copies / all),
			"Consider: reducing CPU<->GPU transfers, using pinned memory");
	else
		put_finding(k, SEVERITY_OK, "Q02", "copy dominance", copies / all,
			arena_printf(k->mem,
				"Memory copy overhead: %.0f%% of CUDA time (acceptable)",
				100 * copies / all),
			NULL);
}

static const char *stage_advice(struct span name)
{
	if (span_has_nocase(name, "forward"))
		return "Reduce model size / Use mixed precision";
	if (span_has_nocase(name, "backward"))
		return "Gradient checkpointing";
	if (span_has_nocase(name, "data"))
		return "More workers / Better preprocessing";
	return NULL;
}

/* Containers of other stages, which say nothing about what to speed up. */
static bool is_container(struct span name)
{
	return span_is(name, "iteration") || span_starts(name, "epoch_") ||
		span_starts(name, "step_");
}

static void check_stage(struct recorded *k)
{
	const struct sheet *s = record_find_sheet(k->r, SHEET_STAGES);
	double worst = 0;
	struct span name = { "", 0 };
	size_t i;

	for (i = 0; s && i < s->table.nrow; i++) {
		const union cell *c = table_cell(&s->table, i, STAGES_NAME);
		double v = table_number_at(&s->table, i, STAGES_MEAN);

		v = isnan(v) ? table_number_at(&s->table, i, STAGES_TOTAL) : v;
		if (c && v > worst && !is_container(c->s)) {
			worst = v;
			name = c->s;
		}
	}
	if (name.n)
		put_finding(k, SEVERITY_NOTE, "R01", "slowest stage", worst / 1e9,
			arena_printf(k->mem, "Slowest stage: %.*s (%.4fs) - consider optimization",
				(int)name.n, name.p, worst / 1e9),
			stage_advice(name));
}

static void check_op_memory(struct recorded *k)
{
	const struct sheet *ops = record_find_sheet(k->r, SHEET_OPS);
	double worst = 0;
	size_t i;

	for (i = 0; ops && i < ops->table.nrow; i++)
		worst = fmax(worst, table_number_at(&ops->table, i, OPS_DEVICE_BYTES));
	if (worst > 1e9)
		put_finding(k, SEVERITY_NOTE, "R02", "memory of an op", worst,
			arena_printf(k->mem,
				"High CUDA memory usage detected: %.2fGB - consider memory optimization",
				worst / 1e9),
			NULL);
}

static void check_peak(struct recorded *k)
{
	double peak = scalar_number(find_end(k->r, "peak_memory_usage.cuda"));

	if (peak > 1e9)
		put_finding(k, SEVERITY_NOTE, "R03", "peak memory", peak,
			arena_printf(k->mem,
				"Peak CUDA memory usage: %.2fGB - monitor for memory leaks",
				peak / 1e9),
			NULL);
}

static void check_canary(struct recorded *k)
{
	double wait = scalar_number(find_end(k->r, "dataloader_wait_pct"));
	double busy = scalar_number(find_end(k->r, "gpu_utilization_avg"));

	if (!isnan(wait))
		put_finding(k, wait > 20 ? SEVERITY_WARN : SEVERITY_OK, "R04", "waiting for data",
			wait / 100,
			arena_printf(k->mem, "%.1f%% of step time waiting for data%s", wait,
				wait > 20 ? ": significant" : ""),
			wait > 20 ? "More workers / Better preprocessing" : NULL);
	if (!isnan(busy))
		put_finding(k, busy < 50 ? SEVERITY_WARN : SEVERITY_OK, "R05", "GPU utilisation",
			busy / 100,
			arena_printf(k->mem, "GPU utilization %.0f%%%s", busy,
				busy < 50 ? ": low, which indicates a CPU bottleneck" : ""),
			NULL);
}

static double stage_mean(const struct sheet *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->table.nrow; i++) {
		const union cell *c = table_cell(&s->table, i, STAGES_NAME);

		if (c && span_is(c->s, name))
			return table_number_at(&s->table, i, STAGES_MEAN);
	}
	return (double)NAN;
}

static void check_timers(struct recorded *k)
{
	static const char *const parts[] = { "forward", "backward", "optimizer", "data_loading" };
	const struct sheet *s = record_find_sheet(k->r, SHEET_STAGES);
	double whole, sum = 0;
	size_t i;

	if (!s)
		return;
	whole = stage_mean(s, "iteration");
	if (!(whole > 0))
		return;
	for (i = 0; i < COUNT_OF(parts); i++) {
		double v = stage_mean(s, parts[i]);

		sum += isnan(v) ? 0 : v;
	}
	put_finding(k, fabs(sum - whole) > 0.05 * whole ? SEVERITY_WARN : SEVERITY_OK, "R06",
		"stages and iteration", sum / whole,
		arena_printf(k->mem, "stages sum to %.4fs of %.4fs per iteration%s", sum / 1e9,
			whole / 1e9, fabs(sum - whole) > 0.05 * whole ? ": unattributed time" : ""),
		NULL);
}

enum status diagnose_record(struct perrun *at, const struct table_doc *doc)
{
	struct recorded k = { .r = at->run->record, .at = at, .doc = doc, .mem = &at->out->mem };

	check_ratio(&k);
	check_copies(&k);
	check_stage(&k);
	check_timers(&k);
	check_op_memory(&k);
	check_peak(&k);
	check_canary(&k);
	if (k.found > 0)
		return OK;
	(void)err_set(at->e, E_NODATA, -1,
		"no trace, no table of operations, no stage times and no memory figures in %s",
		at->run->path);
	return record_hint(k.r, false, at->e);
}
