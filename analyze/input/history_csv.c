/*
 * Histories as CSV: a heading, then a row for each run.  Quotes as in RFC 4180.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/read_history.h"
#include "analyze/input/text/num.h"
#include "base/minmax.h"

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
	size_t from = c->at + 1, to = end_of_quoted(c, from), n = 0, i;
	char *out = arena_alloc(mem, to - from);

	for (i = from; i < to; i++) {
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
	size_t i;

	for (i = 0; i < COUNT_OF(commits); i++)
		if (span_is_nocase(name, commits[i]))
			return ROLE_COMMIT;
	for (i = 0; i < COUNT_OF(labels); i++)
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
	size_t i, metrics = 0;

	k->n = n;
	for (i = 0; i < n; i++) {
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
	size_t n, i;

	while (next_row(c, cell, &n, &h->mem)) {
		struct history_run *r;

		if (n == 1 && trimmed(cell[0]).n == 0)
			continue;
		if (h->nrun >= HISTORY_RUNS)
			return err_set(e, E_LIMIT, -1, "more than %d rows", HISTORY_RUNS);
		r = history_add(h);
		for (i = 0; i < n && i < k->n; i++)
			TRY(read_cell(h, r, k, i, trimmed(cell[i]), c, e));
	}
	return OK;
}

enum status history_read_csv(struct history *h, struct span text, struct err *e)
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
