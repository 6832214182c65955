/* Looking things up in results, by the words their analyses gave them. */
#include "report/answers.h"

const struct answer *answers_find(const struct answers *a, const char *ask)
{
	return FIND(i, a->v, a->n, strcmp(a->v[i].ask, ask) == 0);
}

const struct table *answers_table(
	const struct answers *a, const char *ask, const char *id, size_t i)
{
	const struct answer *found = answers_find(a, ask);

	return found && found->result ? result_find(found->result, id, i) : NULL;
}

const struct table *answers_of_input(
	const struct answers *a, const char *ask, const char *id, size_t input)
{
	const struct table *t;

	for (size_t i = 0; (t = answers_table(a, ask, id, i)); i++)
		if (t->input >= 0 && (size_t)t->input == input)
			return t;
	return NULL;
}

const struct table *answers_rows(const struct answers *a, const char *ask, const char *id)
{
	const struct table *t = answers_of_input(a, ask, id, a->main);

	for (size_t i = 0; table_rows(t) == 0 && (t = answers_table(a, ask, id, i)); i++)
		;
	return t;
}

/* The row of the rank that the others wait for; rows of t: there is none. */
static size_t culprit_row(const struct table *job, const struct table *t)
{
	size_t row = table_rows(t);

	for (size_t i = 0; i < table_rows(job); i++)
		if (table_find_number(t, "rank", table_number(job, i, "culprit"), &row))
			return row;
	return row;
}

/* The row whose computing is the median. */
static size_t median_row(const struct table *t)
{
	size_t n = table_rows(t), best = 0;

	for (size_t i = 0; i < n; i++) {
		double own = table_number(t, i, "compute_ns");
		size_t below = SUM(size_t, k, n,
			table_number(t, k, "compute_ns") < own ||
				(k < i && table_number(t, k, "compute_ns") <= own));

		best = below == n / 2 ? i : best;
	}
	return best;
}

/* The result whose inputs are ranks of a job, with its rows of ranks; NULL: there is none. */
static const struct result *find_job(const struct answers *a, const struct table **ranks)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct result *r = a->v[i].result;

		*ranks = r ? result_find(r, "job_ranks", 0) : NULL;
		if (table_rows(*ranks) > 0)
			return r;
	}
	return NULL;
}

/* Whether a rank's trace is that input, or in it. */
static bool is_in(struct span file, const char *input)
{
	size_t n = strlen(input);

	return span_starts(file, input) && (n == file.n || file.p[n] == '/' || file.p[n] == '!');
}

static bool is_of(const struct table *ranks, size_t row, const char *input)
{
	return is_in(table_word(ranks, row, "file"), input);
}

size_t answers_main(const struct answers *a)
{
	const struct table *ranks = NULL;
	const struct result *r = find_job(a, &ranks);

	if (!r)
		return 0;
	size_t row = culprit_row(result_find(r, "job", 0), ranks);
	row = row < table_rows(ranks) ? row : median_row(ranks);
	size_t main = FIRST(i, r->ninput, is_of(ranks, row, r->input[i]));
	return main < r->ninput ? main : 0;
}

bool answers_rank(const struct answers *a, const char *input, bool *is_slow)
{
	const struct table *ranks = NULL;
	const struct result *r = find_job(a, &ranks);
	size_t row = r ? FIRST(i, table_rows(ranks), is_of(ranks, i, input)) : 0;

	if (a->about.slow) {
		*is_slow = ANY(i, a->about.nslow, is_in(span_of(a->about.slow[i]), input));
		return true;
	}
	if (!r || row == table_rows(ranks))
		return false;
	*is_slow = span_is(table_word(ranks, row, "what"), "slow");
	return true;
}

static bool cut_suffix(struct span *s, const char *suffix)
{
	if (s->n == strlen(suffix) || !span_ends(*s, suffix))
		return false;
	s->n -= strlen(suffix);
	return true;
}

struct span input_name(const char *path)
{
	struct span s = span_of(path);
	size_t i;

	while (s.n > 1 && s.p[s.n - 1] == '/')
		s.n--;
	for (i = s.n; i > 0 && s.p[i - 1] != '/'; i--)
		continue;
	if (i < s.n)
		s = (struct span){ s.p + i, s.n - i };
	(void)cut_suffix(&s, ".gz");
	if (cut_suffix(&s, ".json"))
		(void)(cut_suffix(&s, ".trace") && cut_suffix(&s, ".pt"));
	return s;
}

enum { FIRST_CHANGES = 3 };
static const double SMALL_CHANGE = 0.01;

bool answers_is_first_change(const struct table *changes, size_t row)
{
	return row < FIRST_CHANGES && row < table_rows(changes) &&
		(row == 0 || table_number(changes, row, "saves_ratio") >= SMALL_CHANGE);
}

struct span answers_how(const struct table *changes, size_t row, const struct table *findings)
{
	struct span verdict = table_word(changes, row, "verdict");
	size_t n = row == 0 && findings ? table_rows(findings) : 0;
	size_t at = FIRST(i, n,
		span_in(table_word(findings, i, "severity"), "CRIT|WARN") &&
			table_word(findings, i, "action").n > 0 &&
			span_eq(table_word(findings, i, "verdict"), verdict));

	return at < n ? table_word(findings, at, "action") : table_word(changes, row, "advice");
}
