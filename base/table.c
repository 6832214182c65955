/* Result tables: storage only.  No formatting (report/), no meaning (analyze/). */
#include "base/table.h"

#include <assert.h>
#include <stdio.h>

#include "base/table_work.h"

/* Small: of 100,000 inputs each has tables of one row. */
enum { FIRST_ROWS = 2 };

void result_init(struct result *r, const char *schema)
{
	*r = (struct result){ .schema = schema };
}

void result_clear(struct result *r)
{
	pack_free(r->pack);
	arena_clear(&r->mem);
	arena_clear(&r->keep);
	*r = (struct result){ 0 };
}

int result_input(struct result *r, const char *path)
{
	ARENA_PUSH(&r->keep, r->input, r->ninput, r->input_cap,
		arena_copy(&r->keep, path, strlen(path)));
	return (int)r->ninput - 1;
}

static struct table_series *find_series(const struct result *r, const char *id)
{
	return FIND(i, r->series, r->nseries, strcmp(r->series[i].id, id) == 0);
}

static void add_to_series(struct result *r, struct table *t)
{
	struct table_series *s = find_series(r, t->id);

	if (!s) {
		s = ARENA_PUSH(&r->keep, r->series, r->nseries, r->series_cap,
			(struct table_series){ .id = arena_copy(&r->keep, t->id, strlen(t->id)) });
	}
	ARENA_PUSH(&r->keep, s->table, s->n, s->cap, t);
}

void result_drop_tables(struct result *r, size_t keep)
{
	assert(keep >= r->npacked);
	while (r->ntable > keep)
		find_series(r, r->table[--r->ntable]->id)->n--;
}

void result_pack(struct result *r)
{
	if (!r->pack)
		r->pack = pack_new(r);
	for (; r->npacked < r->ntable; r->npacked++)
		pack_table(r->pack, r->table[r->npacked]);
	arena_clear(&r->mem);
}

void result_front(struct result *r, size_t from)
{
	size_t n = r->ntable - from;
	struct table **moved = arena_array(&r->keep, n, sizeof(struct table *));

	result_pack(r);
	memcpy(moved, r->table + from, n * sizeof(struct table *));
	for (size_t i = from; i > 0; i--)
		r->table[i - 1 + n] = r->table[i - 1];
	memcpy(r->table, moved, n * sizeof(struct table *));
}

const struct table *result_find(const struct result *r, const char *id, size_t i)
{
	const struct table_series *s = find_series(r, id);

	return s && i < s->n ? s->table[i] : NULL;
}

struct table *result_table(
	struct result *r, const char *id, const char *title, const struct column *col, size_t ncol)
{
	struct table *t = arena_alloc(&r->keep, sizeof(*t));

	*t = (struct table){
		.id = id,
		.title = title,
		.input = -1,
		.col = col,
		.ncol = ncol,
		.mem = &r->mem,
	};
	ARENA_PUSH(&r->keep, r->table, r->ntable, r->table_cap, t);
	add_to_series(r, t);
	return t;
}

struct table *result_table_of(struct result *r, const struct table_doc *doc)
{
	return result_table(r, doc->id, doc->title, doc->col, doc->ncol);
}

struct table *result_lines_of(struct result *r, const struct table_doc *doc)
{
	struct table *t = result_table(r, doc->id, NULL, doc->col, doc->ncol);

	t->layout = TABLE_LINE;
	return t;
}

void result_note(struct result *r, enum note_level level, const char *id, int input, int64_t count,
	const char *fmt, ...)
{
	char text[1024];

	PRINTF_TO(text, fmt);
	ARENA_PUSH(&r->keep, r->note, r->nnote, r->note_cap,
		(struct note){ level, id, input, count, -1, -1,
			arena_copy(&r->keep, text, strlen(text)), false });
}

void result_notes_before(struct result *r, const struct result *first)
{
	size_t n = r->nnote + first->nnote, i;

	if (first->nnote == 0)
		return;
	struct note *all = arena_array(&r->keep, n, sizeof(*all));
	for (i = 0; i < first->nnote; i++) {
		const char *text = first->note[i].text;

		all[i] = first->note[i];
		all[i].text = arena_copy(&r->keep, text, strlen(text));
	}
	if (r->nnote)
		memcpy(all + i, r->note, r->nnote * sizeof(*all));
	r->note = all;
	r->nnote = r->note_cap = n;
}

void table_row(struct table *t)
{
	size_t cells = t->cap * t->ncol;

	assert(!t->packed);
	if (t->nrow == t->cap) {
		size_t cap = t->cap ? t->cap * 2 : FIRST_ROWS;
		union cell *cell = arena_array(t->mem, cap * t->ncol, sizeof(*cell));
		bool *known = arena_array(t->mem, cap * t->ncol, sizeof(*known));
		uint8_t *unit = arena_array(t->mem, cap, sizeof(*unit));

		if (cells) {
			memcpy(cell, t->cell, cells * sizeof(*cell));
			memcpy(known, t->known, cells * sizeof(*known));
			memcpy(unit, t->unit, t->cap * sizeof(*unit));
		}
		t->cell = cell;
		t->known = known;
		t->unit = unit;
		t->cap = cap;
	}
	t->nrow++;
}

void table_row_of(struct table *t, const struct table *from, size_t row)
{
	table_row(t);
	for (size_t i = 0; i < t->ncol; i++) {
		const union cell *c = table_cell(from, row, i);

		if (!c)
			continue;
		t->cell[(t->nrow - 1) * t->ncol + i] = *c;
		t->known[(t->nrow - 1) * t->ncol + i] = true;
	}
}

void table_unit(struct table *t, enum unit unit)
{
	assert(t->nrow > 0);
	t->unit[t->nrow - 1] = (uint8_t)unit;
}

static union cell *newest(struct table *t, size_t col, enum cell_type type)
{
	size_t at = (t->nrow - 1) * t->ncol + col;

	assert(t->nrow > 0 && col < t->ncol && t->col[col].type == type);
	t->known[at] = true;
	return &t->cell[at];
}

void table_int(struct table *t, size_t col, int64_t v)
{
	newest(t, col, CELL_INT)->i = v;
}

void table_real(struct table *t, size_t col, double v)
{
	if (!isnan(v))
		newest(t, col, CELL_REAL)->r = v;
}

void table_bool(struct table *t, size_t col, bool v)
{
	newest(t, col, CELL_BOOL)->b = v;
}

void table_text(struct table *t, size_t col, struct span v)
{
	newest(t, col, CELL_TEXT)->s = v.p ? v : SPAN("");
}

void table_textf(struct table *t, size_t col, const char *fmt, ...)
{
	char text[1024];

	PRINTF_TO(text, fmt);
	size_t n = strlen(text);
	table_text(t, col, (struct span){ arena_copy(t->mem, text, n), n });
}

const union cell *table_cell(const struct table *t, size_t row, size_t col)
{
	size_t at = row * t->ncol + col;

	return t->packed ? pack_cell(t, row, col) : t->known[at] ? &t->cell[at] : NULL;
}

struct span table_text_at(const struct table *t, size_t row, size_t col)
{
	const union cell *v = table_cell(t, row, col);

	return v && t->col[col].type == CELL_TEXT ? v->s : SPAN("");
}

int64_t table_int_at(const struct table *t, size_t row, size_t col, int64_t absent)
{
	const union cell *v = table_cell(t, row, col);

	return v && t->col[col].type == CELL_INT ? v->i : absent;
}

double table_number_at(const struct table *t, size_t row, size_t col)
{
	const union cell *v = table_cell(t, row, col);

	if (!v)
		return (double)NAN;
	switch (t->col[col].type) {
	case CELL_INT: return (double)v->i;
	case CELL_REAL: return v->r;
	case CELL_BOOL: return v->b ? 1 : 0;
	case CELL_TEXT: break;
	}
	return (double)NAN;
}

void table_drop_empty(struct table *t)
{
	struct column *col = arena_array(t->mem, t->ncol, sizeof(*col));
	size_t *kept = arena_array(t->mem, t->ncol, sizeof(*kept)), n = 0, row;

	for (size_t i = 0; i < t->ncol; i++) {
		row = FIRST(k, t->nrow, table_cell(t, k, i));
		if (row == t->nrow)
			continue;
		col[n] = t->col[i];
		kept[n++] = i;
	}
	union cell *cell = arena_array(t->mem, n * t->nrow, sizeof(*cell));
	bool *known = arena_array(t->mem, n * t->nrow, sizeof(*known));
	for (row = 0; row < t->nrow; row++)
		for (size_t i = 0; i < n; i++) {
			cell[row * n + i] = t->cell[row * t->ncol + kept[i]];
			known[row * n + i] = t->known[row * t->ncol + kept[i]];
		}
	t->col = col;
	t->ncol = n;
	t->cell = cell;
	t->known = known;
	t->cap = t->nrow;
}

/* ---- looking up in tables: columns by key, rows by what is in them ---- */

size_t table_rows(const struct table *t)
{
	return t ? t->nrow - t->nfoot : 0;
}

bool table_find_column(const struct table *t, const char *key, size_t *col)
{
	size_t n = t ? t->ncol : 0, at = FIRST(i, n, strcmp(t->col[i].key, key) == 0);

	*col = at < n ? at : 0;
	return at < n;
}

double table_number(const struct table *t, size_t row, const char *key)
{
	size_t col;

	return t && row < t->nrow && table_find_column(t, key, &col) ? table_number_at(t, row, col)
								     : NAN;
}

struct span table_word(const struct table *t, size_t row, const char *key)
{
	size_t col;

	return t && row < t->nrow && table_find_column(t, key, &col) ? table_text_at(t, row, col)
								     : SPAN("");
}

bool table_find_word(const struct table *t, const char *key, struct span word, size_t *row)
{
	size_t n = table_rows(t), col;

	*row = table_find_column(t, key, &col)
		? FIRST(i, n, span_eq(table_text_at(t, i, col), word))
		: n;
	return *row < n;
}

bool table_find_number(const struct table *t, const char *key, double v, size_t *row)
{
	size_t n = table_rows(t), col;

	*row = table_find_column(t, key, &col)
		? FIRST(i, n, number_same(table_number_at(t, i, col), v))
		: n;
	return *row < n;
}

bool number_same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

bool numbers_find(const double *v, size_t n, double x, size_t *at)
{
	for (*at = 0; *at < n; ++*at)
		if (number_same(v[*at], x))
			return true;
	return false;
}
