/* Folding tables over ranks: gathering. */
#include "analyze/analysis/fold.h"

#include <assert.h>

#include "analyze/analysis/pagecells.h"

enum { FIRST = 64 };

void fold_init(struct fold *f, const struct fold_doc *doc)
{
	*f = (struct fold){ .doc = doc };
	result_init(&f->labels, "");
	strings_init(&f->keys, 0);
}

void fold_clear(struct fold *f)
{
	strings_clear(&f->keys);
	result_clear(&f->labels);
	arena_clear(&f->mem);
}

/* The columns of a list that the table has; returns how many. */
static size_t find_columns(const struct table *t, const char *list, size_t *at, size_t max)
{
	struct span word;
	size_t n = 0;

	while (n < max && span_words(&list, &word)) {
		at[n] = pagecells_column_of(t, word);
		n += at[n] < t->ncol;
	}
	return n;
}

static size_t find_values(const struct table *t, const struct fold_doc *doc, size_t *at)
{
	at[0] = pagecells_column(t, doc->value);
	return at[0] == t->ncol ? 0 : 1 + find_columns(t, doc->beside, at + 1, FOLD_BESIDE);
}

static struct column *copy_columns(
	struct arena *mem, const struct table *t, const size_t *at, size_t n)
{
	struct column *col = arena_array(mem, n + 1, sizeof(*col));

	for (size_t i = 0; i < n; i++) {
		col[i] = t->col[at[i]];
		col[i].flags &= ~(unsigned)(COLUMN_HIDDEN | COLUMN_CUMULATIVE | COLUMN_SPARE);
	}
	return col;
}

/* Where a page's table has what is wanted of it. */
struct fold_page {
	const struct table *t;
	size_t label[FOLD_LABELS], key[FOLD_LABELS], value[FOLD_VALUES];
	size_t nlabel, nkey, nvalue;
};

/* The first page says what the table looks like. */
static void begin(struct fold *f, const struct fold_page *p)
{
	const char *title = p->t->title ? p->t->title : p->t->id;

	f->title = arena_copy(&f->mem, title, strlen(title));
	f->value = copy_columns(&f->mem, p->t, p->value, p->nvalue);
	f->nvalue = p->nvalue;
	f->label = result_table(&f->labels, p->t->id, NULL,
		copy_columns(&f->mem, p->t, p->label, p->nlabel), p->nlabel);
}

static bool find_page(struct fold *f, const struct result *r, size_t from, struct fold_page *p)
{
	const struct fold_doc *doc = f->doc;
	const char *key = doc->key ? doc->key : doc->labels;

	p->t = pagecells_table(r, from, doc->table);
	if (!p->t)
		return false;
	p->nlabel = find_columns(p->t, doc->labels, p->label, FOLD_LABELS);
	p->nkey = find_columns(p->t, key, p->key, FOLD_LABELS);
	p->nvalue = find_values(p->t, doc, p->value);
	if (p->nvalue > 0 && !f->title)
		begin(f, p);
	return p->nvalue > 0 && p->nvalue == f->nvalue && p->nlabel == f->label->ncol;
}

/* The table that pages with those columns become where doc->value alone is compared. */
static bool find_shape(const struct fold_doc *doc, const struct table_doc *of, struct table_doc *to,
	struct arena *mem)
{
	struct table t = { .id = of->id, .title = of->title, .col = of->col, .ncol = of->ncol };
	struct fold_page p = { .t = &t };
	struct column *col;
	struct fold f;
	size_t value;

	fold_init(&f, doc);
	p.nlabel = find_columns(&t, doc->labels, p.label, FOLD_LABELS);
	p.nvalue = find_values(&t, doc, p.value);
	if (p.nvalue > 0) {
		begin(&f, &p);
		col = arena_array(mem, fold_width(&f), sizeof(*col));
		*to = (struct table_doc){ of->id, of->title, col,
			fold_columns(&f, col, &value, mem) };
		for (size_t i = 0; i < to->ncol; i++)
			col[i].is_optional = true;
	}
	fold_clear(&f);
	return p.nvalue > 0;
}

size_t fold_shapes(const struct fold_doc *doc, const struct table_doc *of,
	struct table_doc to[FOLD_SHAPES], struct arena *mem)
{
	struct fold_doc one = *doc;
	const char *values = doc->value;
	struct span value;
	size_t n = 0;

	if (!span_in(span_of(of->id), doc->table))
		return 0;
	while (n < FOLD_SHAPES && span_words(&values, &value)) {
		one.value = arena_copy(mem, value.p, value.n);
		n += find_shape(&one, of, &to[n], mem);
	}
	return n;
}

/* The row of those labels; a new one gets them. */
static struct fold_row *find_row(struct fold *f, const struct fold_page *p, size_t row)
{
	char room[PAGECELLS_NUMBER];
	struct str key = { 0 };

	for (size_t i = 0; i < p->nkey; i++) {
		struct span word = pagecells_word(p->t, row, p->key[i], room);

		str_addf(&key, "%zu:", word.n);
		str_add(&key, word.p, word.n);
	}
	str_addc(&key, '.'); /* the id of no text is taken */
	sym id = strings_intern(&f->keys, (struct span){ key.s, key.n });
	str_free(&key);
	while (f->nrow < id) {
		ARENA_PUSH(&f->mem, f->row, f->nrow, f->row_cap,
			(struct fold_row){ 0, f->label->nrow });
		table_row(f->label);
		for (size_t i = 0; i < p->nlabel; i++)
			pagecells_copy(f->label, i, p->t, row, p->label[i]);
	}
	return &f->row[id - 1];
}

static void merge(double *to, double v, bool is_figure)
{
	if (isnan(v))
		return;
	if (isnan(*to))
		*to = v;
	else
		*to = is_figure ? fmax(*to, v) : *to + v;
}

static void add_row(struct fold *f, const struct fold_page *p, size_t row, int input)
{
	struct fold_row *to = find_row(f, p, row);
	struct fold_cell *c = to->last ? &f->cell[to->last - 1] : NULL;

	if (!c || c->input != input) {
		assert(f->cell || f->cell_cap == 0);
		c = ARENA_PUSH(&f->mem, f->cell, f->ncell, f->cell_cap,
			(struct fold_cell){ .before = to->last, .input = input });
		FILL(c->v, FOLD_VALUES, NAN);
		to->last = (uint32_t)f->ncell;
	}
	for (size_t i = 0; i < p->nvalue; i++)
		merge(&c->v[i], table_number_at(p->t, row, p->value[i]), f->doc->is_figure);
}

static bool is_wanted(const struct fold *f, const struct fold_page *p, size_t row)
{
	char room[PAGECELLS_NUMBER];
	const char *where = f->doc->where;

	return !where ||
		span_in(pagecells_word(p->t, row, pagecells_column(p->t, where), room), f->doc->is);
}

void fold_add(struct fold *f, const struct result *r, size_t from, int input)
{
	struct fold_page p;

	if (!find_page(f, r, from, &p))
		return;
	while (f->ninput <= (size_t)input)
		ARENA_PUSH(&f->mem, f->is_cut, f->ninput, f->input_cap, false);
	f->is_cut[input] = p.t->ncut > 0;
	size_t n = f->doc->has_foot ? p.t->nrow : pagecells_rows(p.t);
	for (size_t i = 0; i < n; i++)
		if (is_wanted(f, &p, i))
			add_row(f, &p, i, input);
}

static void change_row(
	struct fold *f, struct fold_row *row, bool (*change)(void *, int, double *), void *ctx)
{
	uint32_t *link = &row->last;

	while (*link) {
		struct fold_cell *c = &f->cell[*link - 1];

		if (change(ctx, c->input, c->v))
			link = &c->before;
		else
			*link = c->before;
	}
}

void fold_change(struct fold *f, const char *column, const char *word,
	bool (*change)(void *ctx, int input, double *v), void *ctx)
{
	char room[PAGECELLS_NUMBER];

	if (!f->title)
		return;
	size_t col = pagecells_column(f->label, column);
	for (size_t i = 0; i < f->nrow; i++)
		if (span_in(pagecells_word(f->label, f->row[i].label, col, room), word))
			change_row(f, &f->row[i], change, ctx);
}

/* A new row of labels in the place of the old one. */
static void relabel_row(struct fold *f, struct fold_row *row, size_t col, const char *text)
{
	table_row(f->label);
	for (size_t i = 0; i < f->label->ncol; i++)
		if (i == col)
			pagecells_text(f->label, i, span_of(text));
		else
			pagecells_copy(f->label, i, f->label, row->label, i);
	row->label = f->label->nrow - 1;
}

void fold_relabel(
	struct fold *f, const char *where, const char *word, const char *column, const char *text)
{
	char room[PAGECELLS_NUMBER];

	if (!f->title)
		return;
	size_t at = pagecells_column(f->label, where);
	size_t col = pagecells_column(f->label, column);
	for (size_t i = 0; i < f->nrow; i++)
		if (span_in(pagecells_word(f->label, f->row[i].label, at, room), word))
			relabel_row(f, &f->row[i], col, text);
}
