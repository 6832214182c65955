/* Rows of runs.  Cells are copied: the tables they come from are packed or dropped when the next
 * run comes. */
#include "analyze/analysis/runs_table.h"

#include "analyze/analysis/pagecells.h"

void runs_table_init(struct runs_table *s, const struct runs_doc *how)
{
	const struct table_doc *d = how->doc;

	*s = (struct runs_table){ .how = how };
	result_init(&s->rows, "");
	s->t = result_table_of(&s->rows, d);
}

void runs_table_clear(struct runs_table *s)
{
	result_clear(&s->rows);
}

/* ---- names ---- */

/* Bytes of a that b begins with, too, up to behind a '/'. */
static size_t same_start(const char *a, const char *b, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < most && a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			n = i + 1;
	return n;
}

/* Bytes of a that b ends with, too, from a '/' or '.' on. */
static size_t same_end(const char *a, const char *b, size_t most)
{
	size_t na = strlen(a), nb = strlen(b), n = 0;

	for (size_t i = 1; i <= most && i <= na && i <= nb && a[na - i] == b[nb - i]; i++)
		if (a[na - i] == '/' || a[na - i] == '.')
			n = i;
	return n;
}

struct span runs_name(const struct result *r, int i)
{
	const char *path = r->input[i], *slash = strrchr(path, '/');
	size_t n = strlen(path), start = n, end = n;

	for (size_t k = 0; k < r->ninput; k++) {
		start = same_start(path, r->input[k], start);
		end = same_end(path, r->input[k], end);
	}
	if (start + end < n && path[start] != '.')
		return (struct span){ path + start, n - start - end };
	return span_of(slash && slash[1] ? slash + 1 : path);
}

size_t runs_start(const struct result *r)
{
	size_t n = r->ninput > 0 ? strlen(r->input[0]) : 0;

	for (size_t i = 0; i < r->ninput; i++)
		n = same_start(r->input[0], r->input[i], n);
	return n;
}

/* ---- cells ---- */

/* Where a row of the answer stands. */
struct place {
	const struct table *t;
	size_t row;
};

/* The row the cell is to be taken from; false: there is none. */
static bool find_row(const struct runs_cell *c, const struct place *each, struct place *at)
{
	char room[PAGECELLS_NUMBER], wanted_room[PAGECELLS_NUMBER];
	struct span wanted = { "", 0 };
	bool is_found = false;

	at->row = at->t == each->t ? each->row : 0;
	if (!c->where)
		return at->row < pagecells_rows(at->t);
	size_t col = pagecells_column(at->t, c->where);
	if (!c->is && each->t)
		wanted = pagecells_word(
			each->t, each->row, pagecells_column(each->t, c->where), wanted_room);
	for (size_t i = 0; i < pagecells_rows(at->t) && col < at->t->ncol; i++) {
		struct span word = pagecells_word(at->t, i, col, room);

		if (c->is ? span_in(word, c->is)
			  : word.n == wanted.n && memcmp(word.p, wanted.p, word.n) == 0) {
			at->row = i;
			is_found = true;
		}
	}
	return is_found;
}

void runs_table_add(struct runs_table *s, const struct result *r, size_t from, int input)
{
	struct place each = { NULL, 0 };

	s->nrun++;
	s->input = input;
	if (s->how->each)
		each.t = pagecells_table(r, from, s->how->each);
	do {
		struct table *t = s->t;
		table_row(t);
		for (size_t i = 0; i < t->ncol; i++) {
			const char *key = t->col[i].key;
			struct runs_cell like = { s->how->from, key, NULL, NULL };
			const struct runs_cell *c =
				s->how->cell && s->how->cell[i].table ? &s->how->cell[i] : &like;
			struct place at = { c->table ? pagecells_table(r, from, c->table) : NULL,
				0 };
			size_t col = at.t ? pagecells_column(at.t, c->keys) : 0;

			if (c == &like && (strcmp(key, "run") == 0 || strcmp(key, "path") == 0))
				pagecells_text(t, i,
					*key == 'p' ? span_of(r->input[input])
						    : runs_name(r, input));
			else if (at.t && col < at.t->ncol && find_row(c, &each, &at))
				pagecells_copy(t, i, at.t, at.row, col);
		}
		each.row++;
	} while (each.t && each.row < pagecells_rows(each.t));
}

void runs_table_put(const struct runs_table *s, struct result *r, bool for_people)
{
	const struct table_doc *d = s->how->doc;

	if (s->t->nrow == 0)
		return;
	struct table *t = result_table_of(r, d);
	for (size_t row = 0; row < s->t->nrow; row++) {
		table_row(t);
		for (size_t i = 0; i < t->ncol; i++)
			pagecells_copy(t, i, s->t, row, i);
	}
	if (for_people) {
		table_drop_empty(t);
		t->footnote = "--per-run shows the page of each";
	}
}
