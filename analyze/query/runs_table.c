/*
 * Rows of runs.  Cells are copied: the tables they come from are packed or dropped when the next
 * run comes.
 */
#include "analyze/query/runs_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_BYTES = 32 };

void runs_table_init(struct runs_table *s, const struct runs_doc *how)
{
	const struct table_doc *d = how->doc;

	*s = (struct runs_table){ .how = how };
	result_init(&s->rows, "");
	s->t = result_table(&s->rows, d->id, d->title, d->col, d->ncol);
}

void runs_table_clear(struct runs_table *s)
{
	result_clear(&s->rows);
}

/* ---- names ---- */

/* Bytes of a that b begins with, too, up to behind a '/'. */
static size_t same_start(const char *a, const char *b, size_t most)
{
	size_t i, n = 0;

	for (i = 0; i < most && a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			n = i + 1;
	return n;
}

/* Bytes of a that b ends with, too, from a '/' or '.' on. */
static size_t same_end(const char *a, const char *b, size_t most)
{
	size_t na = strlen(a), nb = strlen(b), i, n = 0;

	for (i = 1; i <= most && i <= na && i <= nb && a[na - i] == b[nb - i]; i++)
		if (a[na - i] == '/' || a[na - i] == '.')
			n = i;
	return n;
}

struct span runs_name(const struct result *r, int i)
{
	const char *path = r->input[i], *slash = strrchr(path, '/');
	size_t k, n = strlen(path), start = n, end = n;

	for (k = 0; k < r->ninput; k++) {
		start = same_start(path, r->input[k], start);
		end = same_end(path, r->input[k], end);
	}
	if (start + end < n && path[start] != '.')
		return (struct span){ path + start, n - start - end };
	return span_of(slash && slash[1] ? slash + 1 : path);
}

/* ---- cells ---- */

/* Whether the word is one of the list. */
static bool is_one_of(const char *list, struct span word)
{
	size_t n;

	for (; *list; list += n + (list[n] == '|')) {
		n = strcspn(list, "|");
		if (n == word.n && memcmp(list, word.p, n) == 0)
			return true;
	}
	return false;
}

/* The first of those tables that is there. */
static const struct table *find_table(const struct result *r, size_t from, const char *ids)
{
	size_t i;

	for (i = from; i < r->ntable; i++)
		if (is_one_of(ids, span_of(r->table[i]->id)))
			return r->table[i];
	return NULL;
}

/* The column of the first key of the list that is there, or ncol. */
static size_t find_column(const struct table *t, const char *keys)
{
	size_t i, n;

	for (; *keys; keys += n + (keys[n] == '|')) {
		n = strcspn(keys, "|");
		for (i = 0; i < t->ncol; i++)
			if (strlen(t->col[i].key) == n && memcmp(t->col[i].key, keys, n) == 0)
				return i;
	}
	return t->ncol;
}

/* What a cell has to be compared with: its text, or its number as one. */
static struct span word_of(const struct table *t, size_t row, size_t col, char *room)
{
	const union cell *v = col < t->ncol ? table_cell(t, row, col) : NULL;
	int n;

	if (!v)
		return SPAN("");
	if (t->col[col].type == CELL_TEXT)
		return v->s;
	n = snprintf(room, NUMBER_BYTES, "%" PRId64, t->col[col].type == CELL_INT ? v->i : 0);
	return (struct span){ room, (size_t)n };
}

/* Where a row of the answer stands. */
struct place {
	const struct table *t;
	size_t row;
};

static size_t data_rows(const struct table *t)
{
	return t->nrow - t->nfoot;
}

/* The row the cell is to be taken from; false: there is none. */
static bool find_row(const struct runs_cell *c, const struct place *each, struct place *at)
{
	char room[NUMBER_BYTES], wanted_room[NUMBER_BYTES];
	struct span wanted = { "", 0 };
	size_t col, i;
	bool is_found = false;

	at->row = at->t == each->t ? each->row : 0;
	if (!c->where)
		return at->row < data_rows(at->t);
	col = find_column(at->t, c->where);
	if (!c->is && each->t)
		wanted = word_of(each->t, each->row, find_column(each->t, c->where), wanted_room);
	for (i = 0; i < data_rows(at->t) && col < at->t->ncol; i++) {
		struct span word = word_of(at->t, i, col, room);

		if (c->is ? is_one_of(c->is, word)
			  : word.n == wanted.n && memcmp(word.p, wanted.p, word.n) == 0) {
			at->row = i;
			is_found = true;
		}
	}
	return is_found;
}

static void put_text(struct table *t, size_t col, struct span text)
{
	if (text.n)
		table_text(t, col, (struct span){ arena_copy(t->mem, text.p, text.n), text.n });
}

static void copy_cell(struct table *to, size_t col, const struct place *from, size_t from_col)
{
	const union cell *v = table_cell(from->t, from->row, from_col);

	if (!v)
		return;
	switch (to->col[col].type) {
	case CELL_TEXT: put_text(to, col, table_text_at(from->t, from->row, from_col)); break;
	case CELL_REAL: table_real(to, col, table_number_at(from->t, from->row, from_col)); break;
	case CELL_INT:
		if (from->t->col[from_col].type == CELL_INT)
			table_int(to, col, v->i);
		break;
	case CELL_BOOL:
		if (from->t->col[from_col].type == CELL_BOOL)
			table_bool(to, col, v->b);
		break;
	}
}

static void add_row(struct runs_table *s, const struct result *r, size_t from, int input,
	const struct place *each)
{
	struct table *t = s->t;
	size_t i;

	table_row(t);
	for (i = 0; i < t->ncol; i++) {
		const struct runs_cell *c = &s->how->cell[i];
		struct place at = { c->table ? find_table(r, from, c->table) : NULL, 0 };
		size_t col;

		if (!c->table) {
			put_text(t, i, c->keys ? span_of(r->input[input]) : runs_name(r, input));
			continue;
		}
		col = at.t ? find_column(at.t, c->keys) : 0;
		if (at.t && col < at.t->ncol && find_row(c, each, &at))
			copy_cell(t, i, &at, col);
	}
}

void runs_table_add(struct runs_table *s, const struct result *r, size_t from, int input)
{
	struct place each = { NULL, 0 };

	s->nrun++;
	s->input = input;
	if (s->how->each)
		each.t = find_table(r, from, s->how->each);
	do {
		add_row(s, r, from, input, &each);
		each.row++;
	} while (each.t && each.row < data_rows(each.t));
}

void runs_table_put(const struct runs_table *s, struct result *r, bool for_people)
{
	const struct table_doc *d = s->how->doc;
	struct table *t;
	struct place from = { s->t, 0 };
	size_t i;

	if (s->t->nrow == 0)
		return;
	t = result_table(r, d->id, d->title, d->col, d->ncol);
	for (; from.row < s->t->nrow; from.row++) {
		table_row(t);
		for (i = 0; i < t->ncol; i++)
			copy_cell(t, i, &from, i);
	}
	if (for_people) {
		table_drop_empty(t);
		t->footnote = "--per-run shows the page of each";
	}
}
