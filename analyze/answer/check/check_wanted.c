/* `check`: the documents' lists of what a run leaves, and where in a folder each thing is. */
#include "analyze/answer/check/check.h"

#include "analyze/trace/columns/record.h"

/* Seed 002, check_profile.py. */
static const struct wanted profiled[] = {
	{ "trace.json", "Chrome trace file", BY_TRACE, NULL, SEVERITY_WARN, SEVERITY_NOTE,
		"artifacts.trace_json" },
	{ "op_stats.csv", "Operation statistics CSV", BY_OPS, NULL, SEVERITY_WARN, SEVERITY_NOTE,
		"artifacts.op_stats_csv" },
	{ "stage_times.json", "Stage timing data", BY_STAGES, NULL, SEVERITY_WARN, SEVERITY_NOTE,
		"artifacts.stage_times_json" },
	{ "memory_stats.json", "Memory usage statistics", BY_MEMORY, NULL, SEVERITY_WARN,
		SEVERITY_NOTE, "artifacts.memory_stats_json" },
};

/* Its sibling kit's acceptance. */
static const struct wanted kit[] = {
	{ "summary/summary.csv", "Table of stages", BY_KIND, "stage_csv", SEVERITY_CRIT,
		SEVERITY_CRIT, NULL },
	{ "trace/trace.json", "Chrome trace file", BY_TRACE, NULL, SEVERITY_CRIT, SEVERITY_CRIT,
		NULL },
	{ "trace/ops.csv", "Operation statistics CSV", BY_OPS, NULL, SEVERITY_CRIT, SEVERITY_CRIT,
		NULL },
};

/* Seed 004, "Validation", and what else its scripts say they write. */
static const struct wanted week1[] = {
	{ "data/val_df.csv", "Validation dataset", BY_KIND, "dataset_csv", SEVERITY_WARN,
		SEVERITY_WARN, NULL },
	{ "results/baseline_metrics.json", "Baseline summary", BY_KIND, "baseline_metrics",
		SEVERITY_CRIT, SEVERITY_CRIT, NULL },
	{ "results/detailed_metrics.csv", "Batch size profiling results", BY_KIND, "sweep_csv",
		SEVERITY_CRIT, SEVERITY_CRIT, NULL },
	{ "results/plots/batch_size_comparison.png", "6-panel comparison", BY_NAME, NULL,
		SEVERITY_CRIT, SEVERITY_CRIT, NULL },
	{ "results/profiler_traces/trace.json", "Chrome trace", BY_TRACE, NULL, SEVERITY_CRIT,
		SEVERITY_CRIT, NULL },
	{ "results/profiler_traces/stacks.txt", "Stack traces with timing", BY_NAME, NULL,
		SEVERITY_NOTE, SEVERITY_NOTE, NULL },
	{ "results/plots/metrics_heatmap.png", "Normalized metrics heatmap", BY_NAME, NULL,
		SEVERITY_WARN, SEVERITY_WARN, NULL },
	{ "results/baseline_summary_report.txt", "Text summary", BY_NAME, NULL, SEVERITY_WARN,
		SEVERITY_WARN, NULL },
	{ "data/label_mappings.json", "Label to ID mappings", BY_KIND, "label_mappings",
		SEVERITY_NOTE, SEVERITY_NOTE, NULL },
};

const struct wanted_list check_wanted_profiled = {
	.wanted = profiled,
	.n = COUNT_OF(profiled),
	.is_profiled = true,
};
static const struct wanted_list wanted_kit = { .wanted = kit, .n = COUNT_OF(kit), .stages = 6 };
static const struct wanted_list wanted_week1 = {
	.wanted = week1,
	.n = COUNT_OF(week1),
	.figure = "full_dataset_metrics.accuracy",
	.expected = 0.92,
};

static const char *artifact_of(const struct record *r, const char *kind)
{
	int i = record_find_artifact(r, kind);

	return i < 0 ? NULL : r->artifact[i].path;
}

static const char *file_named(const struct record *r, const char *name)
{
	for (size_t i = 0; i < r->nfile; i++)
		if (r->file[i].state != FILE_DAMAGED &&
			strcmp(path_name(r->file[i].name), path_name(name)) == 0)
			return r->file[i].name;
	return NULL;
}

const struct wanted_list *check_wanted_list(const struct record *r)
{
	if (artifact_of(r, "baseline_metrics") || file_named(r, "detailed_metrics.csv") ||
		file_named(r, "val_df.csv"))
		return &wanted_week1;
	return artifact_of(r, "stage_csv") ? &wanted_kit : &check_wanted_profiled;
}

/* An artifact with such a sheet: best of the name the documents give it, and what a log prints only
 * where there is no file of its own. */
static const char *artifact_with(const struct record *r, enum sheet_table kind, const char *name)
{
	const char *first = NULL, *in_log = NULL;

	for (size_t i = 0; i < r->nsheet; i++) {
		const struct record_artifact *a = &r->artifact[r->sheet[i]->artifact];

		if (r->sheet[i]->kind != kind || r->sheet[i]->table.nrow == 0)
			continue;
		if (strcmp(path_name(a->path), path_name(name)) == 0)
			return a->path;
		if (strcmp(a->kind, "text_log") == 0)
			in_log = in_log ? in_log : a->path;
		else
			first = first ? first : a->path;
	}
	return first ? first : in_log;
}

/* The artifact that says how much memory was used at most. */
static const char *artifact_with_peak(const struct record *r)
{
	for (size_t i = 0; i < r->scalars.n; i++)
		if (span_has(r->scalars.v[i].key, "peak_memory_usage."))
			return r->artifact[r->scalars.v[i].artifact].path;
	return NULL;
}

static const char *trace_file(const struct run *run)
{
	const struct record *r = run->record;

	for (size_t i = 0; i < r->nfile; i++)
		if (strcmp(r->file[i].kind, "trace") == 0 && r->file[i].state == FILE_READ)
			return r->file[i].name;
	return run->has_trace ? run->path : NULL;
}

static const char *memory_file(const struct run *run, const char *name)
{
	const char *file = artifact_with_peak(run->record);

	if (!file)
		file = artifact_with(run->record, SHEET_MEMORY, name);
	return !file && run->kind_count[KIND_MEMORY] > 0 ? trace_file(run) : file;
}

const char *check_wanted_file(const struct run *run, const struct wanted *w)
{
	const struct record *r = run->record;

	switch (w->by) {
	case BY_TRACE: return trace_file(run);
	case BY_OPS: return artifact_with(r, SHEET_OPS, w->name);
	case BY_STAGES: return artifact_with(r, SHEET_STAGES, w->name);
	case BY_MEMORY: return memory_file(run, w->name);
	case BY_KIND: return artifact_of(r, w->kind);
	case BY_NAME: break;
	}
	return file_named(r, w->name);
}

bool check_wanted_is_damaged(const struct record *r, const struct wanted *w)
{
	return ANY(i, r->nfile,
		r->file[i].state == FILE_DAMAGED &&
			strcmp(path_name(r->file[i].name), path_name(w->name)) == 0);
}

bool check_wanted_is_there(const struct run *run, const struct wanted *w)
{
	return check_wanted_file(run, w) || check_wanted_is_damaged(run->record, w);
}

size_t check_wanted_stages(const struct record *r)
{
	const struct sheet *s = record_find_sheet(r, SHEET_STAGES);
	struct strings names;

	strings_init(&names, (uint64_t)(uintptr_t)r);
	for (size_t i = 0; s && i < s->table.nrow; i++)
		(void)strings_intern(&names, table_text_at(&s->table, i, STAGES_NAME));
	size_t n = names.n - 1;
	strings_clear(&names);
	return n;
}
