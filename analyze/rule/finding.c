/* Findings: adding, judging and ordering them, and rows of them. */
#include "analyze/rule/finding.h"

#include <assert.h>
#include <stdio.h>

#include "base/name/name.h"

enum { NAME_COLUMNS = 46, TEXT_MAX_BYTES = 1024, KEY_MAX = 64 };

/* Of the time: what saves less is a note. */
static const double LEAST_SAVING = 0.02;

#define X(name, word) word "|"
const char severity_words[] = SEVERITIES(X);
#undef X

static const char *severity_word(enum severity s)
{
#define X(name, word) word,
	static const char *const words[] = { SEVERITIES(X) };
#undef X

	return words[s];
}

/* ---- looking ---- */

struct finding *look_add(struct look *k)
{
	k->v = arena_grow(k->mem, k->v, k->n, &k->cap, sizeof(*k->v));
	struct finding *f = &k->v[k->n];
	*f = (struct finding){ .rule = k->rule,
		.value = NAN,
		.share = NAN,
		.saves = NAN,
		.text = "",
		.count = -1,
		.row = NO_ROW,
		.is_plain = k->is_plain,
		.artifact = -1,
		.nth = k->n };
	if (k->most && k->n == k->most)
		k->left_out++; /* the next one takes its place */
	else
		k->n++;
	return f;
}

/* The rule said that of another file. */
static bool is_said(const struct look *k, const char *text)
{
	return ANY(i, k->n,
		k->v[i].rule == k->rule && k->v[i].artifact >= 0 &&
			strcmp(k->v[i].text, text) == 0);
}

struct finding *look_found(struct look *k, enum severity s, int artifact, const char *fmt, ...)
{
	size_t n = k->n, left_out = k->left_out;
	char text[TEXT_MAX_BYTES];

	PRINTF_TO(text, fmt);
	bool is_again = artifact >= 0 && is_said(k, text);
	struct finding *f = look_add(k);
	f->severity = s;
	f->artifact = artifact;
	f->text = arena_copy(k->mem, text, strlen(text));
	if (is_again) { /* the next one takes its place */
		k->n = n;
		k->left_out = left_out;
	}
	return f;
}

bool finding_unknown(struct finding *f, bool is_unknown, const char *why)
{
	if (is_unknown) {
		f->severity = SEVERITY_UNKNOWN;
		f->text = why;
	}
	return is_unknown;
}

static const struct setting_value *limit(const struct look *k, const char *key)
{
	char full[KEY_MAX];

	(void)snprintf(full, sizeof(full), "%s.%s", k->command, key);
	const struct setting_value *v = settings_get(k->settings, full);
	assert(v);
	return v;
}

double look_limit(const struct look *k, const char *key)
{
	return limit(k, key)->r;
}

const char *look_limit_text(const struct look *k, const char *key)
{
	return limit(k, key)->text;
}

enum severity look_above(const struct look *k, double v, const char *warn, const char *crit)
{
	if (crit && v > look_limit(k, crit))
		return SEVERITY_CRIT;
	return warn && v > look_limit(k, warn) ? SEVERITY_WARN : SEVERITY_OK;
}

const char *look_name(struct arena *mem, struct span name)
{
	SCOPED_STR b = { 0 };

	name_shorten(&b, name, NAME_COLUMNS, true);
	char *text = arena_copy(mem, b.n ? b.s : "", b.n);
	for (char *p = text; p < text + b.n; p++)
		if (*p == '\0')
			*p = '?';
	return text;
}

/* ---- the order ---- */

enum group { GROUP_CRIT, GROUP_FOUND, GROUP_SYMPTOM, GROUP_UNKNOWN, GROUP_OK };

/* What nobody needs to look at comes last. */
static enum group group_of(const struct finding *f)
{
	if (f->severity == SEVERITY_OK)
		return GROUP_OK;
	if (f->severity == SEVERITY_UNKNOWN)
		return GROUP_UNKNOWN;
	if (f->rule->is_symptom)
		return GROUP_SYMPTOM;
	return isnan(f->saves) && f->severity == SEVERITY_CRIT ? GROUP_CRIT : GROUP_FOUND;
}

/* Where nothing says which is worse: of one rule file by file, else as found. */
static int by_place(const struct finding *a, const struct finding *b)
{
	int n = a->rule == b->rule ? compare3(a->artifact, b->artifact) : 0;

	if (n == 0 && a->rule == b->rule && a->artifact >= 0)
		n = strcmp(a->text, b->text);
	return n ? n : compare3(a->nth, b->nth);
}

static int by_saving(const void *pa, const void *pb)
{
	const struct finding *a = pa, *b = pb;
	double x = isnan(a->saves) ? -1 : a->saves, y = isnan(b->saves) ? -1 : b->saves;
	enum group m = group_of(a), n = group_of(b);

	if (m != n)
		return compare3(m, n);
	if (x != y && m < GROUP_UNKNOWN)
		return x > y ? -1 : 1;
	return COMPARE_BY(compare3(b->severity, a->severity), by_place(a, b));
}

void findings_rank(struct look *k)
{
	/* What saves next to nothing is a note at most. */
	for (size_t i = 0; i < k->n; i++)
		if (k->v[i].rule->has_saving && k->v[i].severity > SEVERITY_NOTE &&
			k->v[i].saves < LEAST_SAVING)
			k->v[i].severity = SEVERITY_NOTE;
	if (k->n)
		qsort(k->v, k->n, sizeof(*k->v), by_saving);
}

/* ---- rows ---- */

const char *finding_action(const struct finding *f)
{
	if (f->action)
		return f->action;
	if (f->severity < SEVERITY_NOTE)
		return NULL;
	return f->is_plain && f->rule->plain_advice ? f->rule->plain_advice : f->rule->advice;
}

/* Texts of a run's memory go when it does; the result's must live longer. */
static void put_text(struct table *t, size_t col, const char *text)
{
	size_t n = strlen(text);

	table_text(t, col, (struct span){ arena_copy(t->mem, text, n), n });
}

void finding_put(struct table *t, const struct finding_columns *c, const struct finding *f)
{
	const char *action = finding_action(f);

	table_row(t);
	table_text(t, c->severity, span_of(severity_word(f->severity)));
	table_text(t, c->rule, span_of(f->rule->word.id));
	table_text(t, c->name, span_of(f->rule->word.text));
	put_text(t, c->text, f->text);
	if (action)
		put_text(t, c->action, action);
}

void finding_put_line(
	struct table *t, const struct finding_columns *c, const char *start, const char *text)
{
	table_row(t);
	for (size_t i = 0; i < t->ncol; i++)
		if (t->col[i].type == CELL_TEXT && !(t->col[i].flags & COLUMN_HIDDEN))
			table_text(t, i, SPAN(""));
	table_textf(t, c->text, "%s%s", start, text);
}

/* A rule that found this before it. */
static bool is_named(const struct look *k, size_t i)
{
	return ANY(j, i, k->v[j].rule == k->v[i].rule && k->v[j].severity == k->v[i].severity);
}

void findings_put_rest(
	const struct look *k, struct table *t, const struct finding_columns *c, enum severity s)
{
	const char *list = "";

	for (size_t i = 0; i < k->n; i++)
		if (k->v[i].severity == s && !is_named(k, i))
			list = arena_printf(k->mem, "%s%s%s (%s)", list, *list ? ", " : "",
				k->v[i].rule->word.text, k->v[i].rule->word.id);
	if (!*list)
		return;
	finding_put_line(t, c, "", list);
	table_text(t, c->severity, span_of(severity_word(s)));
}
