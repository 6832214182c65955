/*
 * `check` in the layout of the documents: what check_profile.py prints, line for line.
 *
 * Source: seed 002, tools/check_profile.py and profiler/report.py.  What they get wrong is right
 * here: microseconds become milliseconds by 1e3, rows of one event each are summed up by name, and
 * a file in a folder below counts as found.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/check/check_wanted.h"
#include "analyze/analysis/printed.h"
#include "analyze/analysis/printed_summary.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "base/minmax.h"

enum { REPORT = 60 };
static const double NS_PER_S = 1e9, NS_PER_US = 1e3, US_PER_MS = 1e3, BYTES_PER_GB = 1e9,
		    MUCH = 1e9;

/* The report of one run, with what it is about. */
struct seed {
	struct check *c;
	struct table *t;
	const struct run *run;
	const struct table *stages, *ops; /* NULL: there are none */
};

/* --- what is there --- */

static const struct table *sheet_of(const struct record *r, enum sheet_table kind, const char *file)
{
	size_t i;

	for (i = 0; file && i < r->nsheet; i++)
		if (r->sheet[i]->kind == kind && r->sheet[i]->table.nrow > 0 &&
			strcmp(r->artifact[r->sheet[i]->artifact].path, file) == 0)
			return &r->sheet[i]->table;
	return NULL;
}

/* A column's sum, or its largest value; NaN where it has none. */
static double fold(const struct table *t, size_t col, bool is_sum)
{
	double all = NAN;
	size_t i;

	for (i = 0; t && i < t->nrow; i++) {
		double v = table_number_at(t, i, col);

		if (!isnan(v))
			all = isnan(all) ? v : is_sum ? all + v : MAX(v, all);
	}
	return all;
}

static double scalar_of(const struct seed *s, const char *key)
{
	return scalar_number(record_find(&s->run->record->scalars, key));
}

static size_t slowest(const struct table *stages)
{
	size_t i, at = 0;

	for (i = 1; i < stages->nrow; i++)
		if (table_number_at(stages, i, STAGES_MEAN) >
			table_number_at(stages, at, STAGES_MEAN))
			at = i;
	return at;
}

/* --- numbers as Python prints them --- */

/* Whole, with commas between thousands. */
static const char *python_commas(struct seed *s, double v)
{
	const char *digits = arena_printf(&s->c->at->out->mem, "%.0f", fabs(v));
	size_t n = strlen(digits), i, at = 0;
	char *text = arena_alloc(&s->c->at->out->mem, n + n / 3 + 2);

	if (v < 0)
		text[at++] = '-';
	for (i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = digits[i];
	}
	return text;
}

/* --- validation --- */

/* Why the file that has it is not whole, or NULL. */
static const char *issue_of(const struct seed *s, const struct wanted *w)
{
	const struct record *r = s->run->record;
	const char *file = check_wanted_file(s->run, w);
	const struct tally *t = &s->run->tally;
	size_t i;

	for (i = 0; i < r->nfile && !file; i++)
		if (r->file[i].state == FILE_DAMAGED &&
			strcmp(run_below(s->run, r->file[i].name), w->name) == 0)
			return r->file[i].why;
	for (i = 0; file && i < r->nartifact; i++)
		if (strcmp(r->artifact[i].path, file) == 0 && !r->artifact[i].is_complete)
			return r->artifact[i].issue;
	for (i = 0; file && w->by == BY_TRACE && i < PROBLEM_COUNT; i++)
		if (t->count[i] > 0 && problem_infos[i].weight == WEIGHT_BROKEN)
			return problem_infos[i].text;
	return NULL;
}

static size_t put_warning(struct seed *s, size_t n, const char *text)
{
	if (n == 0) {
		printed_line(s->t, "%s", "");
		printed_line(s->t, "\xe2\x9a\xa0\xef\xb8\x8f  WARNINGS:");
	}
	printed_line(s->t, "  \xe2\x80\xa2 %s", text);
	return n + 1;
}

static void put_warnings(struct seed *s, bool is_valid)
{
	const struct wanted_list *list = &check_wanted_profiled;
	struct arena *mem = &s->c->at->out->mem;
	size_t i, n = 0;

	for (i = 0; i < list->n; i++) {
		const struct wanted *w = &list->wanted[i];
		const char *issue = issue_of(s, w);

		if (!check_wanted_is_there(s->run, w))
			n = put_warning(s, n,
				arena_printf(mem, "Missing artifact: %s (%s)", w->name, w->what));
		else if (issue)
			n = put_warning(s, n,
				arena_printf(mem,
					"Artifact %s exists but has validation issues: %s", w->name,
					issue));
	}
	if (is_valid && !check_wanted_is_there(s->run, &list->wanted[WANTED_TRACE]))
		(void)put_warning(s, n, CHECK_ONLY_STAGES);
}

static void put_error(struct seed *s, const char *text)
{
	printed_line(s->t, "%s", "");
	printed_line(s->t, "\xe2\x9d\x8c ERRORS:");
	printed_line(s->t, "  \xe2\x80\xa2 %s", text);
}

static bool put_validation(struct seed *s)
{
	const struct wanted_list *list = &check_wanted_profiled;
	bool is_valid = check_wanted_is_there(s->run, &list->wanted[WANTED_TRACE]) ||
		check_wanted_is_there(s->run, &list->wanted[WANTED_STAGES]);
	size_t i;

	printed_line(s->t, "Validating profiler artifacts...");
	printed_title(s->t, "PROFILER VALIDATION REPORT", REPORT);
	printed_line(s->t, "Profiler Directory: %s", s->run->path);
	printed_line(s->t, "Overall Status: %s",
		is_valid ? "\xe2\x9c\x85 VALID" : "\xe2\x9d\x8c INVALID");
	printed_line(s->t, "%s", "");
	printed_line(s->t, "\xf0\x9f\x93\x81 ARTIFACTS:");
	for (i = 0; i < list->n; i++) {
		printed_line(s->t, "  %s %s: %s",
			check_wanted_is_there(s->run, &list->wanted[i]) ? "\xe2\x9c\x85"
									: "\xe2\x9d\x8c",
			list->wanted[i].name, list->wanted[i].what);
	}
	if (s->run->record->is_missing)
		put_error(s, arena_printf(&s->c->at->out->mem, CHECK_NO_FOLDER, s->run->path));
	else if (!is_valid)
		put_error(s, CHECK_NOTHING);
	if (!s->run->record->is_missing)
		put_warnings(s, is_valid);
	return is_valid;
}

/* --- analysis --- */

static void put_sums(struct seed *s, double peak)
{
	double cpu = fold(s->ops, OPS_CPU, true) / NS_PER_US;

	if (!isnan(cpu)) {
		printed_line(s->t, "%s", "");
		printed_line(s->t, "\xf0\x9f\x93\x8a Total CPU Time: %s\xce\xbcs (%.2fms)",
			printed_float(s->t, cpu), cpu / US_PER_MS);
	}
	if (!isnan(peak)) {
		printed_line(s->t, "\xf0\x9f\x92\xbe Peak CUDA Memory: %s bytes (%.2fGB)",
			python_commas(s, peak), peak / BYTES_PER_GB);
	}
}

static void put_advice(struct seed *s, double peak_op)
{
	double peak = scalar_of(s, "peak_memory_usage.cuda");

	if (!s->stages && !(peak_op > MUCH) && !(peak > MUCH))
		return;
	printed_line(s->t, "%s", "");
	printed_line(s->t, "\xf0\x9f\x92\xa1 RECOMMENDATIONS:");
	if (s->stages) {
		size_t at = slowest(s->stages);
		struct span name = table_text_at(s->stages, at, STAGES_NAME);

		printed_line(s->t,
			"  \xe2\x80\xa2 Slowest stage: %.*s (%.4fs) - consider optimization",
			(int)name.n, name.p,
			table_number_at(s->stages, at, STAGES_MEAN) / NS_PER_S);
	}
	if (peak_op > MUCH) {
		printed_line(s->t,
			"  \xe2\x80\xa2 High CUDA memory usage detected: %.2fGB - consider memory "
			"optimization",
			peak_op / BYTES_PER_GB);
	}
	if (peak > MUCH) {
		printed_line(s->t,
			"  \xe2\x80\xa2 Peak CUDA memory usage: %.2fGB - monitor for memory leaks",
			peak / BYTES_PER_GB);
	}
}

static void put_analysis(struct seed *s)
{
	double peak = fold(s->ops, OPS_LARGEST, false);

	printed_line(s->t, "%s", "");
	printed_line(s->t, "Performing detailed analysis...");
	printed_line(s->t, "%s", "");
	printed_title(s->t, "PROFILER ANALYSIS REPORT", REPORT);
	printed_line(s->t, "Profiler Directory: %s", s->run->path);
	if (s->stages) {
		printed_line(s->t, "%s", "");
		printed_line(s->t, "\xe2\x8f\xb1\xef\xb8\x8f  STAGE TIMING:");
		printed_stages(s->t, s->stages, "  \xe2\x80\xa2 ");
	}
	if (s->ops) {
		printed_line(s->t, "%s", "");
		printed_line(s->t, "\xf0\x9f\x94\xa7 TOP OPERATIONS (by CPU time):");
		printed_top_ops(s->t, s->ops, "  ");
	}
	put_sums(s, peak);
	put_advice(s, peak);
}

/* --- summary --- */

static void put_summary(struct seed *s)
{
	const struct wanted_list *list = &check_wanted_profiled;
	size_t i, n = 0;

	for (i = 0; i < list->n; i++)
		n += check_wanted_is_there(s->run, &list->wanted[i]);
	printed_line(s->t, "%s", "");
	printed_line(s->t, "Generating profiler report...");
	printed_summary(s->t, s->run->record, s->run->path, n, s->run->has_trace);
}

bool check_put_seed(struct check *c)
{
	const struct wanted *wanted = check_wanted_profiled.wanted;
	struct seed s = { .c = c, .run = c->at->run };
	const struct record *r = s.run->record;
	bool is_valid;

	s.t = printed_table(c->at->out, c->at->input, "seed_validation");
	s.stages = sheet_of(r, SHEET_STAGES, check_wanted_file(s.run, &wanted[WANTED_STAGES]));
	s.ops = sheet_of(r, SHEET_OPS, check_wanted_file(s.run, &wanted[WANTED_OPS]));
	is_valid = put_validation(&s);
	if (c->o->analysis)
		put_analysis(&s);
	if (c->o->report)
		put_summary(&s);
	if (is_valid) {
		printed_line(s.t, "%s", "");
		printed_line(s.t, "\xe2\x9c\x85 Profiler validation completed successfully!");
	}
	return is_valid;
}
