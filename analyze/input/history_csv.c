/* Histories as CSV: a heading, then a row for each run.  Quotes as in RFC 4180. */
#include <math.h>
#include <stdlib.h>

#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/read_history.h"
#include "analyze/input/text/num.h"
#include "base/minmax.h"
#include "base/xalloc.h"

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
	if (span_in_nocase(name, "commit|sha|revision|git"))
		return ROLE_COMMIT;
	if (span_in_nocase(name, "date|time|timestamp|night|run|label|name"))
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
	(void)err_set(e, E_FORMAT, -1, "neither a store of baselines nor CSV with a heading");
	return err_hint(e, "CSV has a column for each metric and one with dates or commits");
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
		history_set(h, r, k->metric[i], (struct history_value){ v, NAN, 1 });
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

enum status history_read_csv(struct history *h, struct span text, struct err *e)
{
	struct columns *k = arena_alloc(&h->mem, sizeof(*k));
	struct csv_text *t = xcalloc(1, sizeof(*t));
	enum status st;

	t->text = t->left = text;
	t->line = 1;
	if (span_starts(text, "\xef\xbb\xbf"))
		t->left = (struct span){ text.p + 3, text.n - 3 };
	if (memchr(text.p, '\0', text.n) || !csv_take(&t->left, &t->row, &t->unquoted, &t->line))
		st = err_set(
			e, E_FORMAT, -1, "neither a store of baselines nor CSV with a heading");
	else
		st = read_heading(k, h, t->row.cell, MIN(t->row.n, COLUMNS_MAX), e);
	if (st == OK)
		st = read_rows(h, t, k, e);
	str_free(&t->unquoted);
	free(t);
	return st;
}
