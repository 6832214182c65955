/* What is left out of an answer where one screen has to do. */
#include "cmd/front/brief.h"

#include "base/unit.h"
#include "report/answers.h"

enum { PARTS_SHOWN = 3, FINDINGS_SHOWN = 3 };

/* Parts of a step with less are not shown by themselves. */
static const double SMALL_PART = 0.02;

static struct table *copy_of(struct result *r, const struct table *t)
{
	struct table *to = result_table(r, t->id, t->title, t->col, t->ncol);

	to->input = t->input;
	to->layout = t->layout;
	to->footnote = t->footnote;
	return to;
}

static void copy_row(struct table *to, const struct table *t, size_t row)
{
	size_t at = to->nrow * t->ncol;

	table_row(to);
	memcpy(to->cell + at, t->cell + row * t->ncol, t->ncol * sizeof(*t->cell));
	memcpy(to->known + at, t->known + row * t->ncol, t->ncol * sizeof(*t->known));
}

/* ---- where a step goes: the small parts are one ---- */

/* All but computing, and those of the largest parts that are no small ones. */
static bool is_small(const struct table *t, size_t row)
{
	double share = table_number(t, row, "share_ratio");
	size_t larger = SUM(size_t, i, table_rows(t), table_number(t, i, "share_ratio") > share);

	return row > 0 && (share < SMALL_PART || larger >= PARTS_SHOWN);
}

static double sum_of_small(const struct table *t, const char *key)
{
	return SUM(double, i, table_rows(t), is_small(t, i) ? table_number(t, i, key) : 0);
}

static void put_rest(struct table *to, const struct table *t)
{
	size_t part, bar, share, time;

	if (!table_find_column(t, "part", &part) || !table_find_column(t, "bar", &bar) ||
		!table_find_column(t, "share_ratio", &share) ||
		!table_find_column(t, "per_step_ns", &time))
		return;
	table_row(to);
	table_text(to, part, SPAN("the rest"));
	table_text(to, bar, SPAN(""));
	table_real(to, share, sum_of_small(t, "share_ratio"));
	table_real(to, time, sum_of_small(t, "per_step_ns"));
}

static struct table *brief_ledger(struct result *r, struct table *t)
{
	size_t small = SUM(size_t, i, table_rows(t), is_small(t, i));
	struct table *to;

	if (small < 2)
		return t;
	to = copy_of(r, t);
	for (size_t i = 0; i < t->nrow; i++) {
		if (i == table_rows(t) && sum_of_small(t, "share_ratio") > 0)
			put_rest(to, t);
		if (i >= table_rows(t) || !is_small(t, i))
			copy_row(to, t, i);
	}
	to->nfoot = t->nfoot;
	return to;
}

/* ---- what a change would save, and how it is done ---- */

enum { BRIEF_SAVES, BRIEF_SHARE, BRIEF_CHANGE };
static const struct column change_columns[] = {
	{ "saves_ns", "saves", "So much shorter a step is.", NULL, CELL_REAL, UNIT_NS,
		.flags = COLUMN_SHOWN },
	{ "saves_ratio", "%", "Of the steps that count.", NULL, CELL_REAL, UNIT_RATIO,
		.flags = COLUMN_SHOWN },
	TEXT_COLUMN("change", "a change", "What is tried, and how it is done.", COLUMN_ELASTIC),
};

/* "CRIT data loader (G10)": those of a severity. */
static void put_serious(struct str *b, const struct table *findings, const char *severity)
{
	size_t n = 0;

	for (size_t i = 0; findings && i < table_rows(findings); i++) {
		struct span rule = table_word(findings, i, "rule"),
			    name = table_word(findings, i, "name");

		if (!span_is(table_word(findings, i, "severity"), severity))
			continue;
		str_adds(b, b->n ? ", " : "");
		str_addf(b, "%s%s%.*s (%.*s)", n ? "" : severity, n ? "" : " ", (int)name.n, name.p,
			(int)rule.n, rule.p);
		n++;
	}
}

/* "data loader free -> raise num_workers" */
static void put_change(
	struct table *to, const struct table *t, size_t row, const struct table *findings)
{
	struct span what = table_word(t, row, "change"), how = answers_how(t, row, findings);

	table_row(to);
	table_real(to, BRIEF_SAVES, table_number(t, row, "saves_ns"));
	table_real(to, BRIEF_SHARE, table_number(t, row, "saves_ratio"));
	table_textf(to, BRIEF_CHANGE, "%.*s%s%.*s", (int)what.n, what.p, how.n ? " -> " : "",
		(int)how.n, how.p);
}

static struct table *brief_changes(struct result *r, struct table *t, const struct table *findings)
{
	struct table *to = result_table(r, t->id, NULL, change_columns, COUNT_OF(change_columns));
	SCOPED_STR b = { 0 };

	to->input = t->input;
	for (size_t i = 0; i < table_rows(t); i++)
		if (answers_is_first_change(t, i))
			put_change(to, t, i, findings);
	put_serious(&b, findings, "CRIT");
	put_serious(&b, findings, "WARN");
	to->footnote = b.n ? arena_copy(&r->mem, b.s, b.n) : NULL;
	return to;
}

/* ---- findings where no change is known ---- */

/* The first of them that say something, each with what to do; NULL: none does. */
static struct table *brief_findings(struct result *r, const struct table *t)
{
	struct table *to = copy_of(r, t);
	size_t n = 0;
	bool is_in = false;

	for (size_t i = 0; i < table_rows(t); i++) {
		struct span severity = table_word(t, i, "severity");
		bool is_below = !severity.n;

		if (!is_below) {
			is_in = span_in(severity, "CRIT|WARN|note") && n < FINDINGS_SHOWN;
			n += is_in;
		}
		if (is_in && (!is_below || span_starts(table_word(t, i, "finding"), "-> ")))
			copy_row(to, t, i);
	}
	to->footnote = NULL;
	return n ? to : NULL;
}

/* ---- one of them ---- */

/* A column that is not shown. */
static void hide(struct table *t, const char *key)
{
	struct column *col = arena_array(t->mem, t->ncol, sizeof(*col));
	size_t at;

	if (!table_find_column(t, key, &at))
		return;
	memcpy(col, t->col, t->ncol * sizeof(*col));
	col[at].flags = COLUMN_HIDDEN;
	t->col = col;
}

/* "data loader free saves 60.8%; 41 ms in the data loader": the first half is a row of changes. */
static struct span behind_saves(struct span why, struct span change)
{
	const char *end = change.n && why.n > change.n && memcmp(why.p, change.p, change.n) == 0
		? memchr(why.p, ';', why.n)
		: NULL;

	return end && end + 2 < why.p + why.n
		? (struct span){ end + 2, (size_t)(why.p + why.n - end - 2) }
		: why;
}

/* "launch-bound, host-bound; GPU busy 7.0%" */
static void put_words(struct table *to, size_t word, const struct table *t)
{
	struct span second = table_word(t, 0, "second");
	double busy = table_number(t, 0, "busy_ratio");
	SCOPED_STR b = { 0 };

	str_addf(&b, "%.*s", (int)table_word(t, 0, "verdict").n, table_word(t, 0, "verdict").p);
	if (second.n)
		str_addf(&b, ", %.*s", (int)second.n, second.p);
	if (!isnan(busy)) {
		str_adds(&b, "; GPU busy ");
		unit_put_percent(&b, busy);
		hide(to, "busy_ratio");
	}
	hide(to, "second");
	table_textf(to, word, "%.*s", (int)b.n, b.s);
}

/* The same but for what stands elsewhere on the screen. */
static struct table *brief_verdict(struct result *r, const struct table *t, bool has_changes)
{
	struct table *to = copy_of(r, t);
	size_t why, word;

	copy_row(to, t, 0);
	hide(to, "steps");
	hide(to, "step_ns");
	if (table_find_column(t, "verdict", &word))
		put_words(to, word, t);
	if (has_changes && table_find_column(t, "why", &why))
		table_text(
			to, why, behind_saves(table_word(t, 0, "why"), table_word(t, 0, "change")));
	return to;
}

bool brief_is(const struct result *diagnose)
{
	return diagnose->ninput == 1 && !result_find(diagnose, "job", 0);
}

struct table *brief_of(struct result *r, struct table *t, const struct result *diagnose)
{
	const struct table *changes = result_find(diagnose, "changes", 0);
	bool has_changes = table_rows(changes) > 0;

	if (!brief_is(diagnose) || !t->cell)
		return t;
	if (strcmp(t->id, "verdict") == 0 && t->nrow == 1 && result_find(diagnose, "ledger", 0))
		return brief_verdict(r, t, has_changes);
	if (strcmp(t->id, "ledger") == 0)
		return brief_ledger(r, t);
	if (strcmp(t->id, "changes") == 0 && has_changes)
		return brief_changes(r, t, result_find(diagnose, "findings", 0));
	if (strcmp(t->id, "findings") == 0)
		return has_changes ? NULL : brief_findings(r, t);
	return t;
}
