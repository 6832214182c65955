/* Stores of baselines: one JSON object a line; and CSV. */
#include "analyze/input/read_history.h"

#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/text/json_text.h"
#include "analyze/input/text/num.h"

/* Histories as CSV: a heading, then a row for each run.  Quotes as in RFC 4180. */

enum { COLUMNS_MAX = HISTORY_FIGURES };

struct csv_text {
	struct span text, left;
	struct csv_row row;
	struct str unquoted;
	int64_t line; /* that left begins with */
};

enum role { ROLE_METRIC, ROLE_LABEL, ROLE_COMMIT, ROLE_NONE };

static enum role role_of_name(struct span name)
{
	static const struct meaning rows[] = {
		{ span_in_nocase, "commit|sha|revision|git", ROLE_COMMIT },
		{ span_in_nocase, "date|time|timestamp|night|run|label|name", ROLE_LABEL },
	};

	return (enum role)MEANING_OF(name, rows, ROLE_METRIC);
}

struct columns {
	enum role role[COLUMNS_MAX];
	size_t metric[COLUMNS_MAX];
	size_t n;
};

static enum status read_heading(
	struct columns *k, struct history *h, const struct span *cell, size_t n, struct err *e)
{
	size_t metrics = 0;

	k->n = n;
	for (size_t i = 0; i < n; i++) {
		struct span name = cell[i];
		double number;

		k->role[i] = name.n ? role_of_name(name) : ROLE_NONE;
		if (k->role[i] != ROLE_METRIC)
			continue;
		if (num_f64(name, &number))
			return err_set(e, E_SYNTAX, 0,
				"the first line has numbers, not the names of columns");
		k->metric[i] = history_metric(h, name);
		metrics++;
	}
	if (metrics > 0 && n > 1)
		return OK;
	return err_hinted(e, E_FORMAT,
		"CSV has a column for each metric and one with dates or commits",
		"neither a store of baselines nor CSV with a heading");
}

/* Where the text has it; -1: its quotes were doubled. */
static int64_t offset_of(const struct csv_text *t, struct span cell)
{
	uintptr_t at = (uintptr_t)cell.p - (uintptr_t)t->text.p;

	return at < t->text.n ? (int64_t)at : -1;
}

static enum status read_cell(struct history *h, struct history_run *r, struct columns *k, size_t i,
	struct span cell, const struct csv_text *t, struct err *e)
{
	double v;

	if (cell.n == 0)
		return OK;
	if (k->role[i] == ROLE_LABEL && !r->label[0])
		r->label = history_text(h, cell);
	if (k->role[i] == ROLE_COMMIT)
		r->commit = history_text(h, cell);
	if (k->role[i] != ROLE_METRIC)
		return OK;
	if (!num_f64(cell, &v)) {
		if (h->nrun == 1) { /* a column of texts: names the runs, if nothing did yet */
			k->role[i] = r->label[0] ? ROLE_NONE : ROLE_LABEL;
			return read_cell(h, r, k, i, cell, t, e);
		}
		(void)err_set(e, E_SYNTAX, offset_of(t, cell),
			"'%.*s' is not a number, as column '%s' has above", (int)MIN(cell.n, 40),
			cell.p, h->metric[k->metric[i]].id);
		e->line = t->line - 1;
		return e->status;
	}
	if (isfinite(v))
		history_set(h, r, k->metric[i], (struct history_value){ v, NAN, 1, NAN });
	return OK;
}

static enum status read_rows(
	struct history *h, struct csv_text *t, struct columns *k, struct err *e)
{
	const struct csv_row *row = &t->row;

	while (csv_take(&t->left, &t->row, &t->unquoted, &t->line)) {
		if (row->n == 1 && row->cell[0].n == 0)
			continue;
		if (h->nrun >= HISTORY_RUNS)
			return err_set(e, E_LIMIT, -1, "more than %d rows", HISTORY_RUNS);
		struct history_run *r = history_add(h);
		for (size_t i = 0; i < row->n && i < k->n; i++)
			TRY(read_cell(h, r, k, i, row->cell[i], t, e));
	}
	return OK;
}

/* history_csv.c */
static enum status history_read_csv(struct history *h, struct span text, struct err *e)
{
	struct columns *k = arena_alloc(&h->mem, sizeof(*k));
	struct csv_text *t = xcalloc(1, sizeof(*t));
	enum status st;

	t->text = t->left = text;
	t->line = 1;
	if (span_starts(text, "\xef\xbb\xbf"))
		t->left = span_from(text, 3);
	if (memchr(text.p, '\0', text.n) || !csv_take(&t->left, &t->row, &t->unquoted, &t->line))
		st = err_set(
			e, E_FORMAT, -1, "neither a store of baselines nor CSV with a heading");
	else
		st = read_heading(k, h, t->row.cell, MIN(t->row.n, COLUMNS_MAX), e);
	THEN(st, read_rows(h, t, k, e));
	str_free(&t->unquoted);
	free(t);
	return st;
}

enum { CONDITIONS_MAX = 64 };

bool history_is_store(struct span text)
{
	return span_starts(text, "{\"schema\": \"" HISTORY_SCHEMA "\"");
}

static const char *text_of(struct history *h, struct json_value v)
{
	return history_text(
		h, v.type == JSON_STRING ? json_unescape(v.text, &h->mem, NULL) : SPAN(""));
}

static double number_of(struct json_value v)
{
	double x;

	return v.type == JSON_NUMBER && num_f64(v.text, &x) && isfinite(x) ? x : NAN;
}

static enum unit unit_of(const char *word)
{
	static const struct meaning rows[] = { { span_in, "ns", UNIT_NS },
		{ span_in, "bytes", UNIT_BYTES }, { span_in, "ratio", UNIT_RATIO },
		{ span_in, "count", UNIT_COUNT } };

	return (enum unit)MEANING_OF(span_of(word), rows, UNIT_NONE);
}

static void read_metric(
	struct history *h, struct history_run *r, struct span id, struct json_value v)
{
	size_t at = history_metric(h, id);
	struct history_value value = { number_of(json_get(v, "value")),
		number_of(json_get(v, "sd")), -1, number_of(json_get(v, "median")) };
	double count = number_of(json_get(v, "count"));
	const char *better = text_of(h, json_get(v, "better"));
	const char *kind = text_of(h, json_get(v, "kind"));

	if (at >= HISTORY_FIGURES)
		return;
	if (count >= 0 && count < 1e15)
		value.count = saturate_whole(count);
	h->metric[at].unit = unit_of(text_of(h, json_get(v, "unit")));
	h->metric[at].better = strcmp(better, "lower") == 0 ? -1 : strcmp(better, "higher") == 0;
	h->metric[at].is_exact = strncmp(kind, "exact", 5) == 0;
	h->metric[at].is_points = strstr(kind, "points") != NULL;
	history_set(h, r, at, value);
}

static void read_facts(struct history *h, struct history_run *r, struct json_value env)
{
	r->condition = arena_array(&h->mem, CONDITIONS_MAX, sizeof(*r->condition));
	for (struct json_items it = json_members(env);
		r->ncondition < CONDITIONS_MAX && json_more(&it);) {
		struct span name = json_unescape(it.key, &h->mem, NULL);

		r->condition[r->ncondition++] =
			(struct history_condition){ history_text(h, name), text_of(h, it.v) };
	}
}

/* The line is one object that holds a run; false when it is not. */
static bool read_line(struct history *h, struct span line)
{
	struct span rest;
	struct json_value object = json_value(line, &rest);

	if (object.type != JSON_OBJECT)
		return false;
	struct json_value metrics = json_get(object, "metrics");
	if (metrics.type != JSON_OBJECT ||
		strcmp(text_of(h, json_get(object, "schema")), HISTORY_SCHEMA) != 0)
		return false;
	if (json_blanks_off(rest).n > 0)
		return false;
	struct history_run *r = history_add(h);
	double time = number_of(json_get(object, "time"));
	if (fabs(time) < 1e15)
		r->time_s = saturate_whole(time);
	r->label = text_of(h, json_get(object, "label"));
	r->commit = text_of(h, json_get(object, "commit"));
	if (json_get(object, "accepted").type == JSON_STRING)
		r->accepted = text_of(h, json_get(object, "accepted"));
	struct json_value pinned = json_get(object, "pinned");
	r->is_pinned = pinned.type == JSON_WORD && span_is(pinned.text, "true");
	read_facts(h, r, json_get(object, "env"));
	for (struct json_items it = json_items(metrics); json_more(&it);) {
		if (it.v.type == JSON_OBJECT)
			read_metric(h, r, json_unescape(it.key, &h->mem, NULL), it.v);
	}
	return true;
}

static enum status read_store(struct history *h, struct span text, size_t *torn, struct err *e)
{
	size_t at = 0;
	int64_t number = 0;

	while (at < text.n) {
		const char *end = memchr(text.p + at, '\n', text.n - at);
		size_t n = end ? (size_t)(end - text.p) - at : text.n - at;
		struct span line = { text.p + at, n };

		number++;
		if (h->nrun >= HISTORY_RUNS)
			return err_set(e, E_LIMIT, (int64_t)at, "more than %d runs", HISTORY_RUNS);
		if (n > 0 && !read_line(h, line)) {
			if (end) {
				(void)err_set(e, E_SYNTAX, (int64_t)at,
					"no line of a store of baselines");
				e->line = number;
				return err_hint(e,
					"each line is a JSON object with schema, env and "
					"metrics, as 'traceq baseline add' writes it");
			}
			++*torn;
		}
		at += n + 1;
	}
	return OK;
}

enum status history_read(
	struct history *h, struct span text, const char *path, size_t *torn, struct err *e)
{
	*torn = 0;
	history_init(h, path);
	if (history_is_store(text))
		TRY(read_store(h, text, torn, e));
	else
		TRY(history_read_csv(h, text, e));
	return h->nrun > 0 ? OK : err_set(e, E_NODATA, -1, "there is no run in it");
}
