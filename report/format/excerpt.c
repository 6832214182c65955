/* The excerpt of a result. */
#include "report/format/excerpt.h"

#include "report/cells.h"
#include "report/escape.h"

/* An excerpt that is being written. */
struct writing {
	struct str b;
	const struct result *r;
	struct excerpt want;
	size_t limit;
	size_t begin; /* where tables begin in b */
	bool has_row;
};

/* The digits at *text, and what is behind them. */
static bool take_number(const char **text, size_t *v)
{
	enum { DIGITS_MAX = 18 };
	const char *p = *text;

	for (*v = 0; is_digit(*p); p++) {
		if (p - *text == DIGITS_MAX)
			return false;
		*v = *v * 10 + (size_t)(*p - '0');
	}
	if (p == *text)
		return false;
	*text = p;
	return true;
}

bool excerpt_cursor(const char *text, struct excerpt *x)
{
	bool has_table = take_number(&text, &x->table) && *text == ':';

	text += has_table;
	x->has_start = has_table && take_number(&text, &x->row) && *text == '\0';
	return x->has_start;
}

/* A text, without its middle where it is very long. */
static void put_text(struct str *b, struct span s)
{
	SCOPED_STR cut = { 0 };

	if (s.n <= EXCERPT_TEXT) {
		escape_json(b, s);
		return;
	}
	struct span head = utf8_cut(s, EXCERPT_TEXT / 2);
	struct span tail = (struct span){ s.p + s.n - EXCERPT_TEXT / 2, EXCERPT_TEXT / 2 };
	while (tail.n && ((unsigned char)*tail.p & 0xc0) == 0x80) {
		tail.p++;
		tail.n--;
	}
	str_add(&cut, head.p, head.n);
	str_addf(&cut, " [... %zu bytes ...] ", s.n - head.n - tail.n);
	str_add(&cut, tail.p, tail.n);
	escape_json(b, (struct span){ cut.s, cut.n });
}

/* "key": in front of a member.  The first of an object has no comma. */
static void put_key(struct str *b, const char *key)
{
	if (b->s[b->n - 1] != '{')
		str_addc(b, ',');
	escape_json(b, span_of(key));
	str_addc(b, ':');
}

static void put_named(struct str *b, const char *key, const char *text)
{
	if (!text)
		return;
	put_key(b, key);
	put_text(b, span_of(text));
}

static void put_size(struct str *b, const char *key, size_t n)
{
	put_key(b, key);
	str_addf(b, "%zu", n);
}

/* Six digits, and large numbers whole: 27394600 says ns, 2.73946e+07 does not. */
static void put_real(struct str *b, double v)
{
	const double large = 1e6, huge = 1e15;
	bool is_whole = fabs(v) >= large && fabs(v) < huge;

	str_addf(b, is_whole ? "%.0f" : "%.6g", v);
}

static void put_cell(struct str *b, const struct column *c, const union cell *v)
{
	if (!v || (c->type == CELL_REAL && !isfinite(v->r)))
		return;
	put_key(b, c->key);
	if (c->type == CELL_TEXT)
		put_text(b, v->s);
	else if (c->type == CELL_REAL)
		put_real(b, v->r);
	else
		cells_put_exact(b, c, v);
}

static bool is_full(const struct writing *w, size_t bytes)
{
	return w->b.n - w->begin >= bytes;
}

/* Rows from `from` on, as many as there is room for below `to`; returns the first that is not. */
static size_t put_rows(struct writing *w, const struct table *t, size_t from, size_t to)
{
	size_t row;

	for (row = from; row < to && !(w->has_row && is_full(w, EXCERPT_BYTES)); row++) {
		if (row > from)
			str_addc(&w->b, ',');
		str_addc(&w->b, '{');
		for (size_t i = 0; i < t->ncol; i++)
			put_cell(&w->b, &t->col[i], table_cell(t, row, i));
		str_addc(&w->b, '}');
		w->has_row = true;
	}
	return row;
}

/* Table i, from a row on. */
static void put_table(struct writing *w, size_t i, size_t from)
{
	const struct table *t = w->r->table[i];
	size_t data = t->nrow - t->nfoot, to = data - from < w->limit ? data : from + w->limit;
	struct str *b = &w->b;

	str_addc(b, '{');
	put_named(b, "id", t->id);
	put_named(b, "title", t->title);
	if (t->input >= 0)
		put_size(b, "input", (size_t)t->input);
	put_size(b, "nrow", data);
	put_key(b, "rows");
	str_addc(b, '[');
	size_t end = put_rows(w, t, from, to);
	str_addc(b, ']');
	if (end == data && t->nfoot) {
		put_key(b, "footer");
		str_addc(b, '[');
		end += put_rows(w, t, data, t->nrow) - data;
		str_addc(b, ']');
	}
	put_named(b, "footnote", t->footnote);
	if (t->ncut)
		put_size(b, "ncut", t->ncut);
	if (end < data) {
		put_key(b, "next_cursor");
		str_addf(b, "\"%zu:%zu\"", i, end);
	}
	str_addc(b, '}');
}

static void put_notes(struct writing *w)
{
	size_t n = MIN(w->r->nnote, EXCERPT_NOTES);

	if (n == 0 || w->want.has_start)
		return;
	put_key(&w->b, "notes");
	str_addc(&w->b, '[');
	for (size_t i = 0; i < n; i++) {
		str_adds(&w->b, i ? "," : "");
		static const char *const level[] = { "info", "warning", "error" };
		str_addc(&w->b, '{');
		put_named(&w->b, "level", level[w->r->note[i].level]);
		put_named(&w->b, "id", w->r->note[i].id);
		if (w->r->note[i].input >= 0)
			put_size(&w->b, "input", (size_t)w->r->note[i].input);
		put_named(&w->b, "text", w->r->note[i].text);
		str_addc(&w->b, '}');
	}
	str_addc(&w->b, ']');
	if (n < w->r->nnote)
		put_size(&w->b, "notes_left_out", w->r->nnote - n);
}

static enum status check_start(const struct excerpt *x, const struct result *r, struct err *e)
{
	if (!x->has_start)
		return OK;
	const struct table *t = x->table < r->ntable ? r->table[x->table] : NULL;
	if (t && x->row < t->nrow - t->nfoot)
		return OK;
	return err_hinted(e, E_USAGE, "a cursor belongs to the question whose answer named it",
		"the cursor %zu:%zu is behind the answer's end", x->table, x->row);
}

static enum status put(FILE *out, const struct result *r, const struct render *how, struct err *e)
{
	struct writing w = { .r = r };

	if (how->excerpt)
		w.want = *how->excerpt;
	w.limit = w.want.limit ? w.want.limit : EXCERPT_ROWS;
	TRY(check_start(&w.want, r, e));
	str_addc(&w.b, '{');
	put_named(&w.b, "schema", r->schema);
	size_t n = MIN(w.r->ninput, EXCERPT_INPUTS);
	put_key(&w.b, "inputs");
	str_addc(&w.b, '[');
	for (size_t i = 0; i < n; i++) {
		str_adds(&w.b, i ? "," : "");
		put_text(&w.b, span_of(w.r->input[i]));
	}
	str_addc(&w.b, ']');
	if (n < w.r->ninput)
		put_size(&w.b, "inputs_left_out", w.r->ninput - n);
	size_t i;
	put_key(&w.b, "tables");
	str_addc(&w.b, '[');
	w.begin = w.b.n;
	for (i = 0; i < w.r->ntable && !is_full(&w, 2 * (size_t)EXCERPT_BYTES); i++) {
		if (w.want.has_start && i != w.want.table)
			continue;
		if (w.b.s[w.b.n - 1] != '[')
			str_addc(&w.b, ',');
		put_table(&w, i, w.want.has_start ? w.want.row : 0);
	}
	str_addc(&w.b, ']');
	if (i < w.r->ntable)
		put_size(&w.b, "tables_left_out", w.r->ntable - i);
	put_notes(&w);
	str_adds(&w.b, "}\n");
	cells_flush(out, &w.b);
	str_free(&w.b);
	return cells_done(out, e);
}

const struct renderer renderer_excerpt = {
	.name = "excerpt",
	.summary = "JSON of bounded size, with cursors",
	.shows_notes = true,
	.put = put,
};
