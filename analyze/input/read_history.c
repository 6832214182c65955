/*
 * Stores of baselines: one JSON object a line; and CSV.
 */
#include "analyze/input/read_history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/text/json_text.h"
#include "analyze/input/text/num.h"
#include "base/minmax.h"
#include "base/saturate.h"

/* --- CSV --- */

enum { COLUMNS_MAX = HISTORY_FIGURES };

struct csv {
	struct span text;
	size_t at;
	int64_t line; /* of at */
};

/* Behind the quote that ends the cell, from behind the one that begins it. */
static size_t end_of_quoted(const struct csv *c, size_t at)
{
	const char *p = c->text.p;
	size_t end = c->text.n;

	for (; at < end; at++)
		if (p[at] == '"') {
			if (at + 1 >= end || p[at + 1] != '"')
				return at + 1;
			at++;
		}
	return end;
}

/* The text between quotes, pairs of quotes as one. */
static struct span quoted(struct csv *c, struct arena *mem)
{
	const char *p = c->text.p;
	size_t from = c->at + 1, to = end_of_quoted(c, from), n = 0;
	char *out = arena_alloc(mem, to - from);

	for (size_t i = from; i < to; i++) {
		c->line += p[i] == '\n';
		if (p[i] == '"') {
			if (i + 1 >= to)
				break;
			i++;
		}
		out[n++] = p[i];
	}
	c->at = to;
	return (struct span){ out, n };
}

static struct span next_cell(struct csv *c, struct arena *mem)
{
	const char *p = c->text.p;
	size_t end = c->text.n, start = c->at;
	struct span cell;
	bool is_quoted = c->at < end && p[c->at] == '"';

	if (is_quoted)
		cell = quoted(c, mem);
	while (c->at < end && p[c->at] != ',' && p[c->at] != '\n')
		c->at++;
	return is_quoted ? cell : (struct span){ p + start, c->at - start };
}

/* A row's cells; false at the end.  *n receives how many, at most COLUMNS_MAX. */
static bool next_row(struct csv *c, struct span *cell, size_t *n, struct arena *mem)
{
	*n = 0;
	if (c->at >= c->text.n)
		return false;
	for (;;) {
		struct span one = next_cell(c, mem);

		if (*n < COLUMNS_MAX)
			cell[(*n)++] = one;
		if (c->at >= c->text.n || c->text.p[c->at++] == '\n')
			break;
	}
	c->line++;
	return true;
}

static struct span trimmed(struct span s)
{
	while (s.n && (s.p[0] == ' ' || s.p[0] == '\t')) {
		s.p++;
		s.n--;
	}
	while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\r' || s.p[s.n - 1] == '\t'))
		s.n--;
	return s;
}

enum role { ROLE_METRIC, ROLE_LABEL, ROLE_COMMIT, ROLE_NONE };

static enum role role_of_name(struct span name)
{
	static const char *const commits[] = { "commit", "sha", "revision", "git" };
	static const char *const labels[] = { "date", "time", "timestamp", "night", "run", "label",
		"name" };

	for (size_t i = 0; i < COUNT_OF(commits); i++)
		if (span_is_nocase(name, commits[i]))
			return ROLE_COMMIT;
	for (size_t i = 0; i < COUNT_OF(labels); i++)
		if (span_is_nocase(name, labels[i]))
			return ROLE_LABEL;
	return ROLE_METRIC;
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
		struct span name = trimmed(cell[i]);
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
	(void)err_set(e, E_FORMAT, -1, "neither a store of baselines nor CSV with a heading");
	return err_hint(e, "CSV has a column for each metric and one with dates or commits");
}

static enum status read_cell(struct history *h, struct history_run *r, struct columns *k, size_t i,
	struct span cell, const struct csv *c, struct err *e)
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
			return read_cell(h, r, k, i, cell, c, e);
		}
		(void)err_set(e, E_SYNTAX, (int64_t)(cell.p - c->text.p),
			"'%.*s' is no number, as column '%s' has above", (int)MIN(cell.n, 40),
			cell.p, h->metric[k->metric[i]].id);
		e->line = c->line - 1;
		return e->status;
	}
	if (isfinite(v))
		history_set(h, r, k->metric[i], (struct history_value){ v, NAN, 1 });
	return OK;
}

static enum status read_rows(
	struct history *h, struct csv *c, struct columns *k, struct span *cell, struct err *e)
{
	size_t n;

	while (next_row(c, cell, &n, &h->mem)) {
		struct history_run *r;

		if (n == 1 && trimmed(cell[0]).n == 0)
			continue;
		if (h->nrun >= HISTORY_RUNS)
			return err_set(e, E_LIMIT, -1, "more than %d rows", HISTORY_RUNS);
		r = history_add(h);
		for (size_t i = 0; i < n && i < k->n; i++)
			TRY(read_cell(h, r, k, i, trimmed(cell[i]), c, e));
	}
	return OK;
}

/* Histories as CSV: a heading, then a row for each run.  Quotes as in RFC 4180. */
static enum status history_read_csv(struct history *h, struct span text, struct err *e)
{
	struct span *cell = arena_array(&h->mem, COLUMNS_MAX, sizeof(*cell));
	struct columns *k = arena_alloc(&h->mem, sizeof(*k));
	struct csv c = { text, 0, 1 };
	size_t n;

	if (text.n >= 3 && memcmp(text.p, "\xef\xbb\xbf", 3) == 0)
		c.at = 3;
	if (memchr(text.p, '\0', text.n) || !next_row(&c, cell, &n, &h->mem))
		return err_set(
			e, E_FORMAT, -1, "neither a store of baselines nor CSV with a heading");
	TRY(read_heading(k, h, cell, n, e));
	return read_rows(h, &c, k, cell, e);
}

/* --- stores --- */

enum { CONDITIONS_MAX = 64 };

bool history_is_store(struct span text)
{
	static const struct span head = SPAN("{\"schema\": \"" HISTORY_SCHEMA "\"");

	return text.n >= head.n && memcmp(text.p, head.p, head.n) == 0;
}

static const char *text_of(struct history *h, struct json_value v)
{
	unsigned bad = 0;

	return history_text(
		h, v.type == JSON_STRING ? json_unescape(v.text, &h->mem, &bad) : SPAN(""));
}

static double number_of(struct json_value v)
{
	double x;

	return v.type == JSON_NUMBER && num_f64(v.text, &x) && isfinite(x) ? x : NAN;
}

static enum unit unit_of(const char *word)
{
	if (strcmp(word, "ns") == 0)
		return UNIT_NS;
	if (strcmp(word, "bytes") == 0)
		return UNIT_BYTES;
	if (strcmp(word, "ratio") == 0)
		return UNIT_RATIO;
	return strcmp(word, "count") == 0 ? UNIT_COUNT : UNIT_NONE;
}

static void read_metric(
	struct history *h, struct history_run *r, struct span id, struct json_value v)
{
	size_t at = history_metric(h, id);
	struct history_value value = { number_of(json_get(v, "value")),
		number_of(json_get(v, "sd")), -1 };
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
	for (struct json_items it = json_items(env);
		env.type == JSON_OBJECT && r->ncondition < CONDITIONS_MAX && json_more(&it);) {
		unsigned bad = 0;
		struct span name = json_unescape(it.key, &h->mem, &bad);

		r->condition[r->ncondition++] =
			(struct history_condition){ history_text(h, name), text_of(h, it.v) };
	}
}

/* The line is one object that holds a run; false when it is not. */
static bool read_line(struct history *h, struct span line)
{
	struct span rest, it, key;
	struct json_value object = json_value(line, &rest), metrics, pinned, v;
	struct history_run *r;
	double time;

	if (object.type != JSON_OBJECT)
		return false;
	metrics = json_get(object, "metrics");
	if (metrics.type != JSON_OBJECT ||
		strcmp(text_of(h, json_get(object, "schema")), HISTORY_SCHEMA) != 0)
		return false;
	while (rest.n && (rest.p[0] == ' ' || rest.p[0] == '\r' || rest.p[0] == '\t')) {
		rest.p++;
		rest.n--;
	}
	if (rest.n > 0)
		return false;
	r = history_add(h);
	time = number_of(json_get(object, "time"));
	if (fabs(time) < 1e15)
		r->time_s = saturate_whole(time);
	r->label = text_of(h, json_get(object, "label"));
	r->commit = text_of(h, json_get(object, "commit"));
	if (json_get(object, "accepted").type == JSON_STRING)
		r->accepted = text_of(h, json_get(object, "accepted"));
	pinned = json_get(object, "pinned");
	r->is_pinned = pinned.type == JSON_WORD && span_is(pinned.text, "true");
	read_facts(h, r, json_get(object, "env"));
	it = metrics.text;
	while (json_next(&it, &key, &v)) {
		unsigned bad = 0;

		if (v.type == JSON_OBJECT)
			read_metric(h, r, json_unescape(key, &h->mem, &bad), v);
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
	if (h->nrun > 0)
		return OK;
	return err_set(e, E_NODATA, -1, "there is no run in it");
}
