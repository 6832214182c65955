/* rldk about a profiler's folder: its summary, and what check_profile.py says of it.
 *
 * Source: rldk, profiler/report.py and tools/check_profile.py.  What they get wrong is right here:
 * microseconds become milliseconds by 1e3, rows of one event each are summed up by name, and a file
 * in a folder below counts as found. */
#include "base/opt.h"
#include "report/documents/printed.h"
#include "report/documents/week1.h"

enum { RULE = 50, CHECK_RULE = 60, TOP = 5 };
static const double NS_PER_S = 1e9, NS_PER_US = 1e3, US_PER_MS = 1e3, BYTES_PER_GB = 1e9,
		    MUCH = 1e9;

static const char own_report[] = "profiler_report";

/* ---- the summary ---- */

static bool has_artifact(const struct printed *p, const char *kind)
{
	size_t row;

	return printed_artifact(p, kind, &row);
}

/* The number of the key, with whatever is in front of it, of an artifact of that kind or of rldk's
 * own report; NaN: nobody says it. */
static double number_of(const struct printed *p, const char *kind, const char *key)
{
	size_t artifact;

	for (size_t i = 0; i < table_rows(p->scalars); i++) {
		struct span its = table_word(p->scalars, i, "key");

		if (!span_ends(its, key) || !span_is(table_word(p->scalars, i, "of"), "value") ||
			!table_find_number(p->artifacts, "artifact",
				table_number(p->scalars, i, "artifact"), &artifact))
			continue;
		struct span of = table_word(p->artifacts, artifact, "kind");
		if (span_is(of, kind) || span_is(of, own_report))
			return table_number(p->scalars, i, "number");
	}
	return NAN;
}

static void put_stages(struct printed *p, const struct table *stages, const char *prefix)
{
	for (size_t i = 0; i < table_rows(stages); i++)
		str_addf(&p->b, "%s%s: %.4fs\n", prefix, printed_word(p, stages, i, "stage"),
			table_number(stages, i, "mean_ns") / NS_PER_S);
}

static void put_stage_times(struct printed *p)
{
	const struct table *stages;
	size_t artifact;

	if (!printed_sheet(p, "stages", "kind", "stage_times", own_report, &stages, &artifact))
		return;
	str_addf(&p->b, "\nStage Timing:\n  Total Stages: %zu\n  Total Steps: %.0f\n%s",
		table_rows(stages), or_zero(number_of(p, "stage_times", "total_steps")),
		table_rows(stages) ? "  Average Times:\n" : "");
	put_stages(p, stages, "    ");
}

/* Of the five with most CPU time. */
static void put_top_ops(struct printed *p, const struct table *ops, const char *indent)
{
	size_t top[TOP + 1], n = 0, k;

	for (size_t i = 0; i < table_rows(ops); i++) {
		double cpu = table_number(ops, i, "cpu_total_ns");

		if (isnan(cpu))
			continue;
		for (k = n; k > 0 && cpu > table_number(ops, top[k - 1], "cpu_total_ns"); k--)
			top[k] = top[k - 1];
		top[k] = i;
		n += n < TOP;
	}
	for (size_t i = 0; i < n; i++)
		str_addf(&p->b, "%s%zu. %s: %s\xce\xbcs\n", indent, i + 1,
			printed_word(p, ops, top[i], "name"),
			printed_float(p, table_number(ops, top[i], "cpu_total_ns") / NS_PER_US));
}

static void put_operations(struct printed *p)
{
	double rows = number_of(p, own_report, "total_operations");
	const struct table *ops;
	size_t artifact;

	(void)printed_sheet(p, "ops", "kind", "op_csv", own_report, &ops, &artifact);
	if (!ops)
		return;
	if (isnan(rows))
		rows = or_zero(table_number(p->artifacts, artifact, "rows"));
	str_addf(&p->b,
		"\nOperation Statistics:\n  Total Operations: %.0f\n"
		"  Top Operations by CPU Time:\n",
		rows);
	put_top_ops(p, ops, "    ");
}

/* n: how many of the four artifacts there are. */
static void put_summary(struct printed *p, const char *folder, size_t n)
{
	double cpu = number_of(p, "memory_stats", "peak_memory_usage.cpu");
	double cuda = number_of(p, "memory_stats", "peak_memory_usage.cuda");

	printed_title(p, "PROFILER REPORT SUMMARY", RULE);
	str_addf(&p->b,
		"Profiler Directory: %s\nTotal Artifacts: %zu/4\nProfiling Successful: %s\n",
		folder, n, printed_table(p, "info", "trace") ? "True" : "False");
	put_stage_times(p);
	put_operations(p);
	if (!isnan(cpu) || !isnan(cuda))
		str_addf(&p->b,
			"\nMemory Usage:\n  Peak CPU Memory: %.0f bytes\n"
			"  Peak CUDA Memory: %.0f bytes\n  Steps Profiled: %.0f\n",
			or_zero(cpu), or_zero(cuda),
			or_zero(number_of(p, "memory_stats", "step_count")));
	printed_rule(p, '=', RULE);
}

/* It stands for a run that has nothing of a canary's.  A report alone is about another folder. */
void profiled_put_run(struct printed *p)
{
	int n = has_artifact(p, "op_csv") + has_artifact(p, "stage_times") +
		has_artifact(p, "memory_stats");
	double written = printed_number(p, "summary.total_artifacts");
	const char *about = printed_text(p, "profiler_dir");

	if (has_artifact(p, "canary_metrics") || (n == 0 && !has_artifact(p, own_report)))
		return;
	n += printed_table(p, "info", "trace") != NULL;
	put_summary(p, *about && !printed_table(p, "info", "files") ? about : printed_path(p),
		n == 0 && !isnan(written) ? saturate_size(written) : (size_t)n);
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
	struct printed *p;
	bool has_folder; /* it is there */
	bool is_there[WANTED_COUNT];
	const char *issue[WANTED_COUNT];
	const struct table *sheet[WANTED_COUNT]; /* its rows, NULL: there are none */
};

static void look(struct check *c)
{
	static const char *const id[WANTED_COUNT] = { NULL, "ops", "stages", NULL };
	const struct table *t = printed_table(c->p, ask_check, "profiled");
	size_t row, artifact;

	c->has_folder = table_rows(t) > 0;
	for (size_t i = 0; i < WANTED_COUNT; i++) {
		c->issue[i] = "";
		if (!table_find_word(t, "artifact", span_of(wanted[i].file), &row))
			continue;
		struct span file = table_word(t, row, "file");
		c->issue[i] = printed_word(c->p, t, row, "issue");
		c->is_there[i] = table_number(t, row, "is_there") > 0;
		if (id[i] && file.n)
			(void)printed_sheet(c->p, id[i], "path",
				arena_copy(c->p->mem, file.p, file.n), NULL, &c->sheet[i],
				&artifact);
	}
}

static void put_warnings(const struct check *c, bool is_valid)
{
	bool is_bare = is_valid && !c->is_there[WANTED_TRACE], any = is_bare;
	struct str *b = &c->p->b;

	for (size_t i = 0; i < WANTED_COUNT; i++)
		any |= !c->is_there[i] || *c->issue[i];
	if (any)
		str_adds(b, "\n\xe2\x9a\xa0\xef\xb8\x8f  WARNINGS:\n");
	for (size_t i = 0; i < WANTED_COUNT; i++)
		if (!c->is_there[i])
			str_addf(b, "  \xe2\x80\xa2 Missing artifact: %s (%s)\n", wanted[i].file,
				wanted[i].what);
		else if (*c->issue[i])
			str_addf(b,
				"  \xe2\x80\xa2 Artifact %s exists but has validation issues: %s\n",
				wanted[i].file, c->issue[i]);
	if (is_bare)
		str_adds(b,
			"  \xe2\x80\xa2 Chrome trace not available - only stage timing data "
			"collected\n");
}

static bool put_validation(const struct check *c)
{
	bool is_valid = c->is_there[WANTED_TRACE] || c->is_there[WANTED_STAGES];
	const char *path = printed_path(c->p);
	struct str *b = &c->p->b;

	str_adds(b, "Validating profiler artifacts...\n");
	printed_title(c->p, "PROFILER VALIDATION REPORT", CHECK_RULE);
	str_addf(b,
		"Profiler Directory: %s\nOverall Status: %s\n\n"
		"\xf0\x9f\x93\x81 ARTIFACTS:\n",
		path, is_valid ? "\xe2\x9c\x85 VALID" : "\xe2\x9d\x8c INVALID");
	for (size_t i = 0; i < WANTED_COUNT; i++)
		str_addf(b, "  %s %s: %s\n", c->is_there[i] ? "\xe2\x9c\x85" : "\xe2\x9d\x8c",
			wanted[i].file, wanted[i].what);
	if (!c->has_folder)
		str_addf(b,
			"\n\xe2\x9d\x8c ERRORS:\n"
			"  \xe2\x80\xa2 Profiler directory does not exist: %s\n",
			path);
	else if (!is_valid)
		str_adds(b,
			"\n\xe2\x9d\x8c ERRORS:\n"
			"  \xe2\x80\xa2 No profiler data found - profiling may have failed\n");
	if (c->has_folder)
		put_warnings(c, is_valid);
	return is_valid;
}

/* A column's sum, or its largest value; NaN where it has none. */
static double fold(const struct table *t, const char *key, bool is_sum)
{
	double all = NAN;

	for (size_t i = 0; i < table_rows(t); i++) {
		double v = table_number(t, i, key);

		if (!isnan(v))
			all = isnan(all) ? v : is_sum ? all + v : MAX(v, all);
	}
	return all;
}

static void put_slowest(struct printed *p, const struct table *stages)
{
	size_t at = 0;

	for (size_t i = 1; i < table_rows(stages); i++)
		if (table_number(stages, i, "mean_ns") > table_number(stages, at, "mean_ns"))
			at = i;
	str_addf(&p->b, "  \xe2\x80\xa2 Slowest stage: %s (%.4fs) - consider optimization\n",
		printed_word(p, stages, at, "stage"),
		table_number(stages, at, "mean_ns") / NS_PER_S);
}

static void put_advice(struct printed *p, const struct table *stages, double peak_op)
{
	double peak = printed_number(p, "peak_memory_usage.cuda");

	if (!stages && !(peak_op > MUCH) && !(peak > MUCH))
		return;
	str_adds(&p->b, "\n\xf0\x9f\x92\xa1 RECOMMENDATIONS:\n");
	if (stages)
		put_slowest(p, stages);
	if (peak_op > MUCH)
		str_addf(&p->b,
			"  \xe2\x80\xa2 High CUDA memory usage detected: %.2fGB - consider memory "
			"optimization\n",
			peak_op / BYTES_PER_GB);
	if (peak > MUCH)
		str_addf(&p->b,
			"  \xe2\x80\xa2 Peak CUDA memory usage: %.2fGB - monitor for memory "
			"leaks\n",
			peak / BYTES_PER_GB);
}

static void put_analysis(struct printed *p, const struct table *stages, const struct table *ops)
{
	double us = fold(ops, "cpu_total_ns", true) / NS_PER_US;
	double peak = fold(ops, "largest_device_bytes", false);

	str_adds(&p->b, "\nPerforming detailed analysis...\n\n");
	printed_title(p, "PROFILER ANALYSIS REPORT", CHECK_RULE);
	str_addf(&p->b, "Profiler Directory: %s\n", printed_path(p));
	if (stages)
		str_adds(&p->b, "\n\xe2\x8f\xb1\xef\xb8\x8f  STAGE TIMING:\n");
	put_stages(p, stages, "  \xe2\x80\xa2 ");
	if (ops)
		str_adds(&p->b, "\n\xf0\x9f\x94\xa7 TOP OPERATIONS (by CPU time):\n");
	put_top_ops(p, ops, "  ");
	if (!isnan(us))
		str_addf(&p->b, "\n\xf0\x9f\x93\x8a Total CPU Time: %s\xce\xbcs (%.2fms)\n",
			printed_float(p, us), us / US_PER_MS);
	if (!isnan(peak))
		str_addf(&p->b, "\xf0\x9f\x92\xbe Peak CUDA Memory: %s bytes (%.2fGB)\n",
			week1_fixed(p->mem, peak, 0, true), peak / BYTES_PER_GB);
	put_advice(p, stages, peak);
}

static void put_report(const struct check *c)
{
	size_t n = SUM(size_t, i, WANTED_COUNT, c->is_there[i]);

	str_adds(&c->p->b, "\nGenerating profiler report...\n");
	put_summary(c->p, printed_path(c->p), n);
}

static bool put_folder(struct printed *p)
{
	struct check c = { .p = p };

	look(&c);
	bool is_valid = put_validation(&c);
	if (p->parts->analysis)
		put_analysis(p, c.sheet[WANTED_STAGES], c.sheet[WANTED_OPS]);
	if (p->parts->report)
		put_report(&c);
	if (is_valid)
		str_adds(&p->b, "\n\xe2\x9c\x85 Profiler validation completed successfully!\n");
	return is_valid;
}

static enum status put_check(struct printed *p)
{
	size_t n = printed_inputs(p), folders = 0;

	for (size_t i = 0; i < n; i++) {
		printed_about(p, (int)i);
		if (!printed_table(p, ask_check, "profiled"))
			continue; /* a further trace of a folder */
		p->says_no |= !put_folder(p);
		folders++;
	}
	if (folders == 0)
		return err_set(p->e, E_USAGE, -1,
			"--format seed is about a run's folder, and this is a file");
	return OK;
}

#define AT(field) offsetof(struct document_parts, field)
static const struct opt parts[] = {
	FLAG_OPT("analysis", 0, AT(analysis), NULL),
	FLAG_OPT("report", 0, AT(report), NULL),
};
#undef AT

const struct document document_check = {
	.answer = "check",
	.ask = ask_check,
	.beside = "info",
	.call = "traceq check FOLDER --format seed --analysis --report",
	.about = "rldk's check_profile.py about a profiler's folder; --analysis and --report are "
		 "its own options",
	.opt = parts,
	.nopt = COUNT_OF(parts),
	.is_judge = true,
	.put = put_check,
};
