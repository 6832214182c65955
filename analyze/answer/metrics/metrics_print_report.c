/*
 * `metrics` in the layout of the documents: the summary of a profiler's folder.
 *
 * Source: rldk, profiler/report.py, print_summary.  Unlike there, artifacts are found in folders
 * below, too, and operations of one name are one: the CSV has a row for each event.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/query/printed.h"
#include "analyze/trace/record.h"
#include "analyze/trace/run.h"

enum { RULE = 50, TOP = 5 };
static const double S = 1e9, US = 1e3;

struct print {
	const struct perrun *at;
	const struct record *r;
	struct table *t;
};

static bool is_kind(const struct record *r, int artifact, const char *kind)
{
	return strcmp(r->artifact[artifact].kind, kind) == 0;
}

/* The first artifact of that kind, or -1. */
static int artifact_of(const struct record *r, const char *kind)
{
	size_t i;

	for (i = 0; i < r->nartifact; i++)
		if (is_kind(r, (int)i, kind))
			return (int)i;
	return -1;
}

/* The number of the key, with whatever is in front of it, that such an artifact or a report says.
 */
static double number_of(const struct record *r, const char *kind, const char *key)
{
	size_t i, n = strlen(key);

	for (i = 0; i < r->scalars.n; i++) {
		const struct scalar *s = &r->scalars.v[i];

		if ((is_kind(r, s->artifact, kind) || is_kind(r, s->artifact, "profiler_report")) &&
			s->key.n >= n && memcmp(s->key.p + s->key.n - n, key, n) == 0)
			return scalar_number(s);
	}
	return NAN;
}

static const struct sheet *sheet_of(const struct record *r, const char *kind, enum sheet_table what)
{
	size_t i;

	for (i = 0; i < r->nsheet; i++)
		if (r->sheet[i]->kind == what &&
			(is_kind(r, r->sheet[i]->artifact, kind) ||
				is_kind(r, r->sheet[i]->artifact, "profiler_report")))
			return r->sheet[i];
	return NULL;
}

static void put_stages(const struct print *p)
{
	const struct sheet *s = sheet_of(p->r, "stage_times", SHEET_STAGES);
	double steps = number_of(p->r, "stage_times", "total_steps");
	size_t i;

	if (!s)
		return;
	printed_line(p->t, "%s", "");
	printed_line(p->t, "Stage Timing:");
	printed_line(p->t, "  Total Stages: %zu", s->table.nrow);
	printed_line(p->t, "  Total Steps: %.0f", isnan(steps) ? 0 : steps);
	if (s->table.nrow)
		printed_line(p->t, "  Average Times:");
	for (i = 0; i < s->table.nrow; i++) {
		struct span name = table_text_at(&s->table, i, STAGES_NAME);

		printed_line(p->t, "    %.*s: %.4fs", (int)name.n, name.p,
			table_number_at(&s->table, i, STAGES_MEAN) / S);
	}
}

/* The row with the most CPU time that is not `taken`, of equal ones the first. */
static size_t heaviest(const struct table *t, const bool *taken)
{
	size_t i, best = SIZE_MAX;

	for (i = 0; i < t->nrow; i++)
		if (!taken[i] && !isnan(table_number_at(t, i, OPS_CPU)) &&
			(best == SIZE_MAX ||
				table_number_at(t, i, OPS_CPU) > table_number_at(t, best, OPS_CPU)))
			best = i;
	return best;
}

static void put_operations(const struct print *p)
{
	const struct sheet *s = sheet_of(p->r, "op_csv", SHEET_OPS);
	double rows = number_of(p->r, "profiler_report", "total_operations");
	bool *taken;
	size_t i, n;

	if (!s || s->table.nrow == 0)
		return;
	taken = arena_array(p->t->mem, s->table.nrow, sizeof(*taken));
	printed_line(p->t, "%s", "");
	printed_line(p->t, "Operation Statistics:");
	printed_line(p->t, "  Total Operations: %.0f",
		isnan(rows) ? (double)p->r->artifact[s->artifact].rows : rows);
	printed_line(p->t, "  Top Operations by CPU Time:");
	for (n = 1; n <= TOP && (i = heaviest(&s->table, taken)) != SIZE_MAX; n++) {
		struct span name = table_text_at(&s->table, i, OPS_NAME);

		taken[i] = true;
		printed_line(p->t, "    %zu. %.*s: %.12gμs", n, (int)name.n, name.p,
			table_number_at(&s->table, i, OPS_CPU) / US);
	}
}

static void put_memory(const struct print *p)
{
	double cpu = number_of(p->r, "memory_stats", "peak_memory_usage.cpu");
	double cuda = number_of(p->r, "memory_stats", "peak_memory_usage.cuda");
	double steps = number_of(p->r, "memory_stats", "step_count");

	if (isnan(cpu) && isnan(cuda))
		return;
	printed_line(p->t, "%s", "");
	printed_line(p->t, "Memory Usage:");
	printed_line(p->t, "  Peak CPU Memory: %.0f bytes", isnan(cpu) ? 0 : cpu);
	printed_line(p->t, "  Peak CUDA Memory: %.0f bytes", isnan(cuda) ? 0 : cuda);
	printed_line(p->t, "  Steps Profiled: %.0f", isnan(steps) ? 0 : steps);
}

/* Of trace, operations, stages and memory: how many there are. */
static int artifacts_of(const struct print *p, bool *has_trace)
{
	double written = number_of(p->r, "profiler_report", "total_artifacts");
	int n = p->at->run->has_trace;

	*has_trace = p->at->run->has_trace;
	n += artifact_of(p->r, "op_csv") >= 0;
	n += artifact_of(p->r, "stage_times") >= 0;
	n += artifact_of(p->r, "memory_stats") >= 0;
	return n == 0 && !isnan(written) ? (int)written : n;
}

/* The folder; of a report alone the one it is about. */
static void put_folder(const struct print *p)
{
	const struct scalar *s = record_find(&p->r->scalars, "profiler_dir");

	if (s && !p->r->is_folder)
		printed_line(p->t, "Profiler Directory: %.*s", (int)s->text.n, s->text.p);
	else
		printed_line(p->t, "Profiler Directory: %s", p->at->out->input[p->at->input]);
}

void metrics_print_report(const struct perrun *at)
{
	struct print p = { at, at->record, NULL };
	bool has_trace;
	int n;

	if (artifact_of(p.r, "stage_times") < 0 && artifact_of(p.r, "op_csv") < 0 &&
		artifact_of(p.r, "memory_stats") < 0 && artifact_of(p.r, "profiler_report") < 0)
		return;
	p.t = printed_table(at->out, at->input);
	n = artifacts_of(&p, &has_trace);
	printed_title(p.t, "PROFILER REPORT SUMMARY", RULE);
	put_folder(&p);
	printed_line(p.t, "Total Artifacts: %d/4", n);
	printed_line(p.t, "Profiling Successful: %s", has_trace ? "True" : "False");
	put_stages(&p);
	put_operations(&p);
	put_memory(&p);
	printed_rule(p.t, '=', RULE);
}
