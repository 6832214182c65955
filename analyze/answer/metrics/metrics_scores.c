/* `metrics`: distributions of scores. */
#include <stdio.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/stat/mannwhitney.h"
#include "analyze/stat/wilson.h"
#include "analyze/trace/columns/record.h"

enum { DISTINCT = 16, BINS = 10 };

struct scores {
	double *v; /* valid ones in order, then sorted */
	size_t n;
	int64_t total, valid, invalid; /* as counted or written; -1: not known */
	double mean, written, drift_p;
};

static bool is_score(struct span name)
{
	return metric_role(name) == ROLE_SCORE || span_is_nocase(name, "scores");
}

/* Every value logged under a key of scores. */
static bool from_samples(struct scores *s, const struct metrics *m)
{
	const struct sheet *sheet = record_find_sheet(m->at->record, SHEET_SAMPLES);
	const struct table *t = sheet ? &sheet->table : NULL;

	if (!t)
		return false;
	s->v = arena_array(&m->at->mem, t->nrow, sizeof(*s->v));
	for (size_t i = 0; i < t->nrow; i++) {
		const union cell *name = table_cell(t, i, SAMPLES_NAME);
		const union cell *v = table_cell(t, i, SAMPLES_VALUE);

		if (!name || !is_score(name->s))
			continue;
		s->total++;
		if (v && isfinite(v->r))
			s->v[s->n++] = v->r;
	}
	s->valid = (int64_t)s->n;
	s->invalid = s->total - s->valid;
	return s->total > 0;
}

static void judge_samples(struct scores *s, struct arena *mem)
{
	size_t half = s->n / 2;

	s->mean = 0;
	for (size_t i = 0; i < s->n; i++)
		s->mean += s->v[i] / (double)s->n;
	if (s->n == 0)
		s->mean = NAN;
	if (half >= 10)
		s->drift_p = mannwhitney_test(s->v, half, s->v + half, s->n - half, mem).p;
	quantile_sort(s->v, s->n);
}

static void put_share(struct table *t, const char *score, int64_t count, int64_t of)
{
	struct interval_real i = wilson_interval((size_t)count, (size_t)of, 0.95);

	TABLE_ROW(t, [MSHARE_SCORE] = cell_textf(t, "%s", score), [MSHARE_COUNT] = cell_int(count));
	if (of == 0)
		return;
	TABLE_CELLS(t, [MSHARE_RATIO] = cell_real((double)count / (double)of),
		[MSHARE_LO] = cell_real(i.lo), [MSHARE_HI] = cell_real(i.hi));
}

/* One row a score where there are few, else ten ranges of equal width. */
static void put_shares(struct table *t, const struct scores *s)
{
	bool is_few = SUM(size_t, i, s->n, i == 0 || s->v[i] != s->v[i - 1]) <= DISTINCT;
	double lo = s->n ? s->v[0] : 0, width = s->n ? (s->v[s->n - 1] - lo) / BINS : 0;
	char text[64];
	size_t to;

	for (size_t i = 0; i < s->n; i = to) {
		size_t bin = is_few ? 0 : saturate_size(fmin((s->v[i] - lo) / width, BINS - 1));
		double end = lo + width * (double)(bin + 1);

		for (to = i + 1; to < s->n &&
			(is_few ? s->v[to] == s->v[i] : s->v[to] < end || bin == BINS - 1);)
			to++;
		if (is_few)
			(void)snprintf(text, sizeof(text), "%.6g", s->v[i]);
		else
			(void)snprintf(text, sizeof(text), "%.4g .. %.4g", end - width, end);
		put_share(t, text, (int64_t)(to - i), s->valid);
	}
}

/* More than a file can have counted, so that sums of them stay whole numbers. */
static const double COUNT_MOST = 1e15;

/* What the file says a count is, where it is one; else instead. */
static int64_t count_or(double v, int64_t instead)
{
	return v >= 0 && v <= COUNT_MOST ? saturate_whole(v) : instead;
}

/* A distribution the file states: counts by score. */
static bool from_sheet(struct scores *s, const struct metrics *m, const struct table **shares)
{
	const struct sheet *sheet = record_find_sheet(m->at->record, SHEET_SCORES);
	double sum = 0;
	const struct scalars *in = &m->at->record->scalars;
	int64_t n = 0;
	double total = scalar_number(record_find(in, "score_distribution.total"));
	double valid = scalar_number(record_find(in, "score_distribution.valid_count"));
	double invalid = scalar_number(record_find(in, "score_distribution.invalid_count"));

	for (size_t i = 0; sheet && i < sheet->table.nrow; i++) {
		const union cell *score = table_cell(&sheet->table, i, SCORES_SCORE);
		const union cell *count = table_cell(&sheet->table, i, SCORES_COUNT);

		if (!score || !count || count_or((double)n + (double)count->i, -1) < n)
			continue;
		saturate_onto(&n, count->i);
		sum += score->r * (double)count->i;
	}
	if (n == 0 && isnan(total) && isnan(invalid))
		return false;
	*shares = sheet ? &sheet->table : NULL;
	s->valid = count_or(valid, n);
	s->invalid = count_or(invalid, 0);
	s->total = s->valid + s->invalid;
	if (n)
		s->mean = sum / (double)n;
	return true;
}

static void put_sheet_shares(struct table *t, const struct table *from, const struct scores *s)
{
	char text[64];

	for (size_t i = 0; i < from->nrow; i++) {
		const union cell *score = table_cell(from, i, SCORES_SCORE);
		const union cell *count = table_cell(from, i, SCORES_COUNT);

		if (!score || !count || count->i < 0 || count->i > s->valid)
			continue;
		(void)snprintf(text, sizeof(text), "%.6g", score->r);
		put_share(t, text, count->i, s->valid);
	}
}

static struct interval_real invalid_of(const struct scores *s)
{
	return wilson_interval((size_t)s->invalid, (size_t)s->total, 0.95);
}

static void check_invalid(struct look *look)
{
	const struct scores *s = look->what;
	struct interval_real i = invalid_of(s);

	if (i.lo > look_limit(look, "D17.share"))
		metrics_found(look, SPAN(""),
			"%.1f%% of %" PRId64 " (95%% interval %.1f .. %.1f%%)",
			100 * (double)s->invalid / (double)s->total, s->total, 100 * i.lo,
			100 * i.hi);
}

RULE(D17, "invalid scores",
	"The lower end of the 95% interval of the share of invalid scores is above 10%.",
	"Wilson 1927", .severity = SEVERITY_WARN,
	.advice = "look at answers that the verifier could not score",
	.limits = LIMITS(LIMIT("metrics.D17.share", RATIO, "10%",
		"of scores that are invalid, for sure: from this on")),
	.about = ABOUT_SCORES, .series = check_invalid)

static void check_drift(struct look *look)
{
	const struct scores *s = look->what;

	if (s->drift_p < look_limit(look, "D16.p"))
		metrics_found(look, SPAN(""),
			"the second half of the scores differs from the first (p = %.1e)",
			s->drift_p);
}

RULE(D16, "scores drift",
	"The second half of the scores differs from the first: Mann-Whitney, p below 0.01.",
	"Mann and Whitney 1947", .severity = SEVERITY_WARN,
	.advice = "look whether the verifier or the data changed",
	.limits = LIMITS(LIMIT("metrics.D16.p", NUMBER, "0.01",
		"p of the change of scores between halves: below")),
	.about = ABOUT_HALVES, .series = check_drift)

static void put_scores(struct metrics *m, const struct scores *s)
{
	struct table *t = perrun_table(m->at, &metrics_docs[METRICS_TABLE_SCORES]);
	struct interval_real i = invalid_of(s);

	t->layout = TABLE_LIST;
	TABLE_ROW(t, [MSCORE_TOTAL] = cell_int(s->total), [MSCORE_VALID] = cell_int(s->valid),
		[MSCORE_INVALID] = cell_int(s->invalid), [MSCORE_MEAN] = cell_real(s->mean),
		[MSCORE_WRITTEN] = cell_real(s->written), [MSCORE_DRIFT_P] = cell_real(s->drift_p));
	if (s->total == 0)
		return;
	TABLE_CELLS(t, [MSCORE_INVALID_RATIO] = cell_real((double)s->invalid / (double)s->total),
		[MSCORE_LO] = cell_real(i.lo), [MSCORE_HI] = cell_real(i.hi));
	metrics_ask(m, ABOUT_SCORES, s);
	metrics_ask(m, ABOUT_HALVES, s);
}

void metrics_put_scores(struct metrics *m, const struct table_doc *each)
{
	struct scores *s = arena_alloc(&m->at->mem, sizeof(*s));
	const struct table *shares = NULL;

	*s = (struct scores){ .mean = NAN, .drift_p = NAN };
	bool is_sampled = from_samples(s, m);
	if (!is_sampled && !from_sheet(s, m, &shares))
		return;
	s->written = scalar_number(
		record_find(&m->at->record->scalars, "score_distribution.mean_score"));
	if (is_sampled)
		judge_samples(s, &m->at->mem);
	put_scores(m, s);
	if (is_sampled)
		put_shares(perrun_table(m->at, each), s);
	else if (shares)
		put_sheet_shares(perrun_table(m->at, each), shares, s);
}
