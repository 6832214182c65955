/*
 * rldk about a profiler's folder: its summary, and what check_profile.py says of it.
 *
 * Source: rldk, profiler/report.py and tools/check_profile.py.  What they get wrong is right here:
 * microseconds become milliseconds by 1e3, rows of one event each are summed up by name, and a file
 * in a folder below counts as found.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/minmax.h"
#include "base/opt.h"
#include "base/saturate.h"
#include "report/documents/printed.h"

enum { RULE = 50, CHECK_RULE = 60, TOP = 5 };
static const double NS_PER_S = 1e9, NS_PER_US = 1e3, US_PER_MS = 1e3, BYTES_PER_GB = 1e9,
		    MUCH = 1e9;

static const char own_report[] = "profiler_report", ask_check[] = "check";

/* ---- the summary ---- */

static bool has_artifact(const struct printed *p, const char *kind)
{
	size_t row;

	return printed_artifact(p, kind, &row);
}

/*
 * The number of the key, with whatever is in front of it, of an artifact of that kind or of rldk's
 * own report; NaN: nobody says it.
 */
static double number_of(const struct printed *p, const char *kind, const char *key)
{
	size_t i, artifact, n = strlen(key);

	for (i = 0; i < table_rows(p->scalars); i++) {
		struct span its = table_word(p->scalars, i, "key"), of;

		if (its.n < n || memcmp(its.p + its.n - n, key, n) != 0 ||
			!span_is(table_word(p->scalars, i, "of"), "value") ||
			!table_find_number(p->artifacts, "artifact",
				table_number(p->scalars, i, "artifact"), &artifact))
			continue;
		of = table_word(p->artifacts, artifact, "kind");
		if (span_is(of, kind) || span_is(of, own_report))
			return table_number(p->scalars, i, "number");
	}
	return NAN;
}

static void put_count(const struct printed *p, const char *text, double v, const char *unit)
{
	printed_line(p, "  %s: %.0f%s", text, or_zero(v), unit);
}

static void put_stages(const struct printed *p, const struct table *stages, const char *prefix)
{
	size_t i;

	for (i = 0; i < table_rows(stages); i++) {
		struct span name = table_word(stages, i, "stage");

		printed_line(p, "%s%.*s: %.4fs", prefix, (int)name.n, name.p,
			table_number(stages, i, "mean_ns") / NS_PER_S);
	}
}

static void put_stage_times(const struct printed *p)
{
	const struct table *stages;
	size_t artifact;

	if (!printed_sheet(p, "stages", "kind", "stage_times", own_report, &stages, &artifact))
		return;
	printed_blank(p);
	printed_line(p, "Stage Timing:");
	put_count(p, "Total Stages", (double)table_rows(stages), "");
	put_count(p, "Total Steps", number_of(p, "stage_times", "total_steps"), "");
	if (table_rows(stages))
		printed_line(p, "  Average Times:");
	put_stages(p, stages, "    ");
}

/* Of the five with most CPU time. */
static void put_top_ops(const struct printed *p, const struct table *ops, const char *indent)
{
	size_t top[TOP + 1], n = 0, i, k;

	for (i = 0; i < table_rows(ops); i++) {
		double cpu = table_number(ops, i, "cpu_total_ns");

		if (isnan(cpu))
			continue;
		for (k = n; k > 0 && cpu > table_number(ops, top[k - 1], "cpu_total_ns"); k--)
			top[k] = top[k - 1];
		top[k] = i;
		n += n < TOP;
	}
	for (i = 0; i < n; i++) {
		struct span name = table_word(ops, top[i], "name");

		printed_line(p, "%s%zu. %.*s: %s\xce\xbcs", indent, i + 1, (int)name.n, name.p,
			printed_float(p, table_number(ops, top[i], "cpu_total_ns") / NS_PER_US));
	}
}

static void put_operations(const struct printed *p)
{
	double rows = number_of(p, own_report, "total_operations");
	const struct table *ops;
	size_t artifact;

	(void)printed_sheet(p, "ops", "kind", "op_csv", own_report, &ops, &artifact);
	if (!ops)
		return;
	printed_blank(p);
	printed_line(p, "Operation Statistics:");
	put_count(p, "Total Operations",
		isnan(rows) ? table_number(p->artifacts, artifact, "rows") : rows, "");
	printed_line(p, "  Top Operations by CPU Time:");
	put_top_ops(p, ops, "    ");
}

static void put_memory(const struct printed *p)
{
	double cpu = number_of(p, "memory_stats", "peak_memory_usage.cpu");
	double cuda = number_of(p, "memory_stats", "peak_memory_usage.cuda");

	if (isnan(cpu) && isnan(cuda))
		return;
	printed_blank(p);
	printed_line(p, "Memory Usage:");
	put_count(p, "Peak CPU Memory", cpu, " bytes");
	put_count(p, "Peak CUDA Memory", cuda, " bytes");
	put_count(p, "Steps Profiled", number_of(p, "memory_stats", "step_count"), "");
}

/* n: how many of the four artifacts there are. */
static void put_summary(const struct printed *p, const char *folder, size_t n)
{
	bool has_trace = printed_table(p, "info", "trace") != NULL;

	printed_title(p, "PROFILER REPORT SUMMARY", RULE);
	printed_line(p, "Profiler Directory: %s", folder);
	printed_line(p, "Total Artifacts: %zu/4", n);
	printed_line(p, "Profiling Successful: %s", has_trace ? "True" : "False");
	put_stage_times(p);
	put_operations(p);
	put_memory(p);
	printed_rule(p, '=', RULE);
}

bool profiled_put_run(struct printed *p)
{
	int n = has_artifact(p, "op_csv") + has_artifact(p, "stage_times") +
		has_artifact(p, "memory_stats");
	double written = printed_number(p, "value", "summary.total_artifacts");
	struct span about = printed_text(p, "value", "profiler_dir");
	const char *folder;

	if (n == 0 && !has_artifact(p, own_report))
		return false;
	printed_begin(p);
	n += printed_table(p, "info", "trace") != NULL;
	if (n == 0 && !isnan(written))
		n = (int)saturate_size(written);
	/* A report alone is about another folder. */
	folder = about.n && !printed_table(p, "info", "files")
		? arena_copy(p->t->mem, about.p, about.n)
		: printed_path(p);
	put_summary(p, folder, (size_t)n);
	return true;
}

/* ---- check_profile.py ---- */

static const struct {
	const char *file, *what;
} wanted[] = {
	{ "trace.json", "Chrome trace file" },
	{ "op_stats.csv", "Operation statistics CSV" },
	{ "stage_times.json", "Stage timing data" },
	{ "memory_stats.json", "Memory usage statistics" },
};
enum { WANTED_TRACE, WANTED_OPS, WANTED_STAGES, WANTED_COUNT = COUNT_OF(wanted) };

struct check {
	struct printed p;
	bool has_folder; /* it is there */
	bool is_there[WANTED_COUNT];
	struct span file[WANTED_COUNT], issue[WANTED_COUNT];
	const struct table *stages, *ops; /* NULL: there are none */
};

/* The rows of a sheet of the file. */
static const struct table *rows_in(const struct printed *p, const char *id, struct span file)
{
	const struct table *t = NULL;
	size_t artifact;

	if (file.n)
		(void)printed_sheet(
			p, id, "path", arena_copy(p->t->mem, file.p, file.n), NULL, &t, &artifact);
	return t;
}

static void look(struct check *c)
{
	const struct table *t = printed_table(&c->p, ask_check, "profiled");
	size_t i, row;

	c->has_folder = table_rows(t) > 0;
	for (i = 0; i < WANTED_COUNT; i++) {
		if (!table_find_word(t, "artifact", span_of(wanted[i].file), &row))
			continue;
		c->file[i] = table_word(t, row, "file");
		c->issue[i] = table_word(t, row, "issue");
		c->is_there[i] = table_number(t, row, "is_there") > 0;
	}
	c->stages = rows_in(&c->p, "stages", c->file[WANTED_STAGES]);
	c->ops = rows_in(&c->p, "ops", c->file[WANTED_OPS]);
}

static void put_warnings(const struct check *c, bool is_valid)
{
	bool is_bare = is_valid && !c->is_there[WANTED_TRACE];
	size_t i, n = is_bare;

	for (i = 0; i < WANTED_COUNT; i++)
		n += !c->is_there[i] || c->issue[i].n;
	if (n == 0)
		return;
	printed_blank(&c->p);
	printed_line(&c->p, "\xe2\x9a\xa0\xef\xb8\x8f  WARNINGS:");
	for (i = 0; i < WANTED_COUNT; i++)
		if (!c->is_there[i])
			printed_line(&c->p, "  \xe2\x80\xa2 Missing artifact: %s (%s)",
				wanted[i].file, wanted[i].what);
		else if (c->issue[i].n)
			printed_line(&c->p,
				"  \xe2\x80\xa2 Artifact %s exists but has validation issues: %.*s",
				wanted[i].file, (int)c->issue[i].n, c->issue[i].p);
	if (is_bare)
		printed_line(&c->p,
			"  \xe2\x80\xa2 Chrome trace not available - only stage timing data "
			"collected");
}

static bool put_validation(const struct check *c)
{
	bool is_valid = c->is_there[WANTED_TRACE] || c->is_there[WANTED_STAGES];
	const char *path = printed_path(&c->p);
	size_t i;

	printed_line(&c->p, "Validating profiler artifacts...");
	printed_title(&c->p, "PROFILER VALIDATION REPORT", CHECK_RULE);
	printed_line(&c->p, "Profiler Directory: %s", path);
	printed_line(&c->p, "Overall Status: %s",
		is_valid ? "\xe2\x9c\x85 VALID" : "\xe2\x9d\x8c INVALID");
	printed_blank(&c->p);
	printed_line(&c->p, "\xf0\x9f\x93\x81 ARTIFACTS:");
	for (i = 0; i < WANTED_COUNT; i++)
		printed_line(&c->p, "  %s %s: %s", c->is_there[i] ? "\xe2\x9c\x85" : "\xe2\x9d\x8c",
			wanted[i].file, wanted[i].what);
	if (!is_valid) {
		printed_blank(&c->p);
		printed_line(&c->p, "\xe2\x9d\x8c ERRORS:");
		if (c->has_folder)
			printed_line(&c->p,
				"  \xe2\x80\xa2 No profiler data found - profiling may have "
				"failed");
		else
			printed_line(&c->p, "  \xe2\x80\xa2 Profiler directory does not exist: %s",
				path);
	}
	if (c->has_folder)
		put_warnings(c, is_valid);
	return is_valid;
}

/* A column's sum, or its largest value; NaN where it has none. */
static double fold(const struct table *t, const char *key, bool is_sum)
{
	double all = NAN;
	size_t i;

	for (i = 0; i < table_rows(t); i++) {
		double v = table_number(t, i, key);

		if (!isnan(v))
			all = isnan(all) ? v : is_sum ? all + v : MAX(v, all);
	}
	return all;
}

static void put_slowest(const struct check *c)
{
	struct span name;
	size_t i, at = 0;

	for (i = 1; i < table_rows(c->stages); i++)
		if (table_number(c->stages, i, "mean_ns") > table_number(c->stages, at, "mean_ns"))
			at = i;
	name = table_word(c->stages, at, "stage");
	printed_line(&c->p, "  \xe2\x80\xa2 Slowest stage: %.*s (%.4fs) - consider optimization",
		(int)name.n, name.p, table_number(c->stages, at, "mean_ns") / NS_PER_S);
}

static void put_advice(const struct check *c, double peak_op)
{
	double peak = printed_number(&c->p, "value", "peak_memory_usage.cuda");

	if (!c->stages && !(peak_op > MUCH) && !(peak > MUCH))
		return;
	printed_blank(&c->p);
	printed_line(&c->p, "\xf0\x9f\x92\xa1 RECOMMENDATIONS:");
	if (c->stages)
		put_slowest(c);
	if (peak_op > MUCH)
		printed_line(&c->p,
			"  \xe2\x80\xa2 High CUDA memory usage detected: %.2fGB - consider memory "
			"optimization",
			peak_op / BYTES_PER_GB);
	if (peak > MUCH)
		printed_line(&c->p,
			"  \xe2\x80\xa2 Peak CUDA memory usage: %.2fGB - monitor for memory leaks",
			peak / BYTES_PER_GB);
}

static void put_analysis(const struct check *c)
{
	double cpu = fold(c->ops, "cpu_total_ns", true) / NS_PER_US;
	double peak = fold(c->ops, "largest_device_bytes", false);

	printed_blank(&c->p);
	printed_line(&c->p, "Performing detailed analysis...");
	printed_blank(&c->p);
	printed_title(&c->p, "PROFILER ANALYSIS REPORT", CHECK_RULE);
	printed_line(&c->p, "Profiler Directory: %s", printed_path(&c->p));
	if (c->stages) {
		printed_blank(&c->p);
		printed_line(&c->p, "\xe2\x8f\xb1\xef\xb8\x8f  STAGE TIMING:");
		put_stages(&c->p, c->stages, "  \xe2\x80\xa2 ");
	}
	if (c->ops) {
		printed_blank(&c->p);
		printed_line(&c->p, "\xf0\x9f\x94\xa7 TOP OPERATIONS (by CPU time):");
		put_top_ops(&c->p, c->ops, "  ");
	}
	if (!isnan(cpu)) {
		printed_blank(&c->p);
		printed_line(&c->p, "\xf0\x9f\x93\x8a Total CPU Time: %s\xce\xbcs (%.2fms)",
			printed_float(&c->p, cpu), cpu / US_PER_MS);
	}
	if (!isnan(peak))
		printed_line(&c->p, "\xf0\x9f\x92\xbe Peak CUDA Memory: %s bytes (%.2fGB)",
			printed_fixed(&c->p, peak, 0, true), peak / BYTES_PER_GB);
	put_advice(c, peak);
}

static void put_report(const struct check *c)
{
	size_t i, n = 0;

	for (i = 0; i < WANTED_COUNT; i++)
		n += c->is_there[i];
	printed_blank(&c->p);
	printed_line(&c->p, "Generating profiler report...");
	put_summary(&c->p, printed_path(&c->p), n);
}

static bool put_check(struct check *c, const struct document_parts *parts)
{
	bool is_valid;

	printed_begin(&c->p);
	look(c);
	is_valid = put_validation(c);
	if (parts->analysis)
		put_analysis(c);
	if (parts->report)
		put_report(c);
	if (is_valid) {
		printed_blank(&c->p);
		printed_line(&c->p, "\xe2\x9c\x85 Profiler validation completed successfully!");
	}
	return is_valid;
}

static enum status put_checks(const struct answers *in, const struct document_parts *parts,
	struct result *out, bool *says_no, struct err *e)
{
	size_t i, n = printed_inputs(in);

	for (i = 0; i < n; i++) {
		struct check c = { .p = printed_of(in, (int)i, out) };

		if (!printed_table(&c.p, ask_check, "profiled"))
			return err_set(e, E_USAGE, -1,
				"--format seed is about a run's folder, and this is a file");
		*says_no |= !put_check(&c, parts);
	}
	return OK;
}

#define AT(field) offsetof(struct document_parts, field)
static const struct opt parts_of_check[] = {
	OPT("analysis", 0, OPT_FLAG, NULL, NULL, AT(analysis), NULL, NULL),
	OPT("report", 0, OPT_FLAG, NULL, NULL, AT(report), NULL, NULL),
};
#undef AT

const struct document document_check = {
	.answer = "check",
	.ask = ask_check,
	.beside = "info",
	.call = "traceq check FOLDER --format seed --analysis --report",
	.about = "rldk's check_profile.py about a profiler's folder; --analysis and --report are "
		 "its own options",
	.opt = parts_of_check,
	.nopt = COUNT_OF(parts_of_check),
	.is_judge = true,
	.put = put_checks,
};
