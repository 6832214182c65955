/*
 * The summary of a profiler's folder in the layout of the documents.
 *
 * Source: rldk, profiler/report.py, print_summary.  Unlike there, artifacts are found in folders
 * below, too, and operations of one name are one: the CSV has a row for each event.
 */
#include "analyze/analysis/printed_summary.h"

#include <math.h>
#include <string.h>

#include "analyze/analysis/printed.h"
#include "analyze/trace/columns/record.h"

enum { RULE = 50, TOP = 5 };
static const double NS_PER_S = 1e9, NS_PER_US = 1e3;

/* Of an artifact of that kind, or of rldk's own report. */
static bool is_of(const struct record *r, int artifact, const char *kind)
{
	const char *its = r->artifact[artifact].kind;

	return strcmp(its, kind) == 0 || strcmp(its, "profiler_report") == 0;
}

/* The number of the key, with whatever is in front of it; NaN: nobody says it. */
static double number_of(const struct record *r, const char *kind, const char *key)
{
	size_t i, n = strlen(key);

	for (i = 0; i < r->scalars.n; i++) {
		const struct scalar *s = &r->scalars.v[i];

		if (is_of(r, s->artifact, kind) && s->key.n >= n &&
			memcmp(s->key.p + s->key.n - n, key, n) == 0)
			return scalar_number(s);
	}
	return NAN;
}

static const struct sheet *sheet_of(const struct record *r, const char *kind, enum sheet_table what)
{
	size_t i;

	for (i = 0; i < r->nsheet; i++)
		if (r->sheet[i]->kind == what && is_of(r, r->sheet[i]->artifact, kind))
			return r->sheet[i];
	return NULL;
}

static void put_count(struct table *t, const char *text, double v, const char *unit)
{
	printed_line(t, "  %s: %.0f%s", text, isnan(v) ? 0 : v, unit);
}

/* ---- stages ---- */

void printed_stages(struct table *t, const struct table *stages, const char *prefix)
{
	size_t i;

	for (i = 0; stages && i < stages->nrow; i++) {
		struct span name = table_text_at(stages, i, STAGES_NAME);

		printed_line(t, "%s%.*s: %.4fs", prefix, (int)name.n, name.p,
			table_number_at(stages, i, STAGES_MEAN) / NS_PER_S);
	}
}

static void put_stages(struct table *t, const struct record *r)
{
	const struct sheet *s = sheet_of(r, "stage_times", SHEET_STAGES);

	if (!s)
		return;
	printed_line(t, "%s", "");
	printed_line(t, "Stage Timing:");
	put_count(t, "Total Stages", (double)s->table.nrow, "");
	put_count(t, "Total Steps", number_of(r, "stage_times", "total_steps"), "");
	if (s->table.nrow)
		printed_line(t, "  Average Times:");
	printed_stages(t, &s->table, "    ");
}

/* ---- operations ---- */

/* Row i stands before row k: it has more CPU time. */
static bool is_heavier(const struct table *ops, size_t i, size_t k)
{
	return table_number_at(ops, i, OPS_CPU) > table_number_at(ops, k, OPS_CPU);
}

void printed_top_ops(struct table *t, const struct table *ops, const char *indent)
{
	size_t top[TOP + 1], n = 0, i, k;

	for (i = 0; ops && i < ops->nrow; i++) {
		if (isnan(table_number_at(ops, i, OPS_CPU)))
			continue;
		for (k = n; k > 0 && is_heavier(ops, i, top[k - 1]); k--)
			top[k] = top[k - 1];
		top[k] = i;
		n += n < TOP;
	}
	for (i = 0; i < n; i++) {
		struct span name = table_text_at(ops, top[i], OPS_NAME);

		printed_line(t, "%s%zu. %.*s: %s\xce\xbcs", indent, i + 1, (int)name.n, name.p,
			printed_float(t, table_number_at(ops, top[i], OPS_CPU) / NS_PER_US));
	}
}

static void put_operations(struct table *t, const struct record *r)
{
	const struct sheet *s = sheet_of(r, "op_csv", SHEET_OPS);
	double rows = number_of(r, "profiler_report", "total_operations");

	if (!s || s->table.nrow == 0)
		return;
	printed_line(t, "%s", "");
	printed_line(t, "Operation Statistics:");
	put_count(t, "Total Operations", isnan(rows) ? (double)r->artifact[s->artifact].rows : rows,
		"");
	printed_line(t, "  Top Operations by CPU Time:");
	printed_top_ops(t, &s->table, "    ");
}

/* ---- memory ---- */

static void put_memory(struct table *t, const struct record *r)
{
	double cpu = number_of(r, "memory_stats", "peak_memory_usage.cpu");
	double cuda = number_of(r, "memory_stats", "peak_memory_usage.cuda");

	if (isnan(cpu) && isnan(cuda))
		return;
	printed_line(t, "%s", "");
	printed_line(t, "Memory Usage:");
	put_count(t, "Peak CPU Memory", cpu, " bytes");
	put_count(t, "Peak CUDA Memory", cuda, " bytes");
	put_count(t, "Steps Profiled", number_of(r, "memory_stats", "step_count"), "");
}

void printed_summary(
	struct table *t, const struct record *r, const char *folder, size_t n, bool has_trace)
{
	printed_title(t, "PROFILER REPORT SUMMARY", RULE);
	printed_line(t, "Profiler Directory: %s", folder);
	printed_line(t, "Total Artifacts: %zu/4", n);
	printed_line(t, "Profiling Successful: %s", has_trace ? "True" : "False");
	put_stages(t, r);
	put_operations(t, r);
	put_memory(t, r);
	printed_rule(t, '=', RULE);
}
