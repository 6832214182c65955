/*
 * Rows of tables as bars.
 */
#include "report/chart_build.h"

#include <inttypes.h>
#include <math.h>

static size_t count_rows(const struct answers *in, const char *ask, const char *id)
{
	const struct table *t;
	size_t n = 0, i;

	for (i = 0; (t = answers_table(in, ask, id, i)); i++)
		n += table_rows(t);
	return n;
}

struct chart_rows chart_rows(
	struct chart *c, const struct answers *in, const char *ask, const char *id, size_t most)
{
	const struct answer *a = answers_find(in, ask);
	struct chart_rows r = { .result = a ? a->result : NULL };
	size_t n = count_rows(in, ask, id), i, j;
	const struct table *t;

	n = most && most < n ? most : n;
	r.t = arena_array(&c->mem, n, sizeof(*r.t));
	r.row = arena_array(&c->mem, n, sizeof(*r.row));
	for (i = 0; (t = answers_table(in, ask, id, i)); i++) {
		for (j = 0; j < table_rows(t) && r.n < n; j++, r.n++) {
			r.t[r.n] = t;
			r.row[r.n] = j;
		}
	}
	return r;
}

double rows_number(const struct chart_rows *r, size_t i, const char *key)
{
	return table_number(r->t[i], r->row[i], key);
}

struct span rows_word(const struct chart_rows *r, size_t i, const char *key)
{
	return table_word(r->t[i], r->row[i], key);
}

static void put_place(struct str *b, const char *word, double number)
{
	if (!isnan(number))
		str_addf(b, "%s%s %.0f", b->n ? ", " : "", word, number);
}

const char *rows_place(struct chart *c, const struct chart_rows *r, size_t i)
{
	struct str b = { 0 };
	int input = r->t[i]->input;
	const char *text;

	if (r->result && r->result->ninput > 1 && input >= 0) {
		struct span name = input_name(r->result->input[input]);

		str_add(&b, name.p, name.n);
	}
	put_place(&b, "GPU", rows_number(r, i, "device"));
	put_place(&b, "stream", rows_number(r, i, "stream"));
	text = arena_copy(&c->mem, b.s ? b.s : "", b.n);
	str_free(&b);
	return text;
}

struct chart_panel *chart_bars(struct chart *c, enum panel_kind kind, const struct chart_rows *r,
	const char *name, const struct chart_part *part, size_t npart, const char *of)
{
	struct chart_panel *p = chart_panel(c, kind, NULL);
	size_t i, j;

	p->is_stacked = npart > 1;
	chart_names(c, p, r->n);
	for (i = 0; i < r->n; i++)
		chart_name(c, p, i, name ? rows_word(r, i, name) : span_of(rows_place(c, r, i)));
	for (j = 0; j < npart; j++) {
		struct chart_series *s =
			chart_series(c, p, MARK_LINE, part[j].title, part[j].color, r->n);

		for (i = 0; i < r->n; i++)
			s->y[i] = rows_number(r, i, part[j].key) / (of ? rows_number(r, i, of) : 1);
	}
	return p;
}

struct chart_panel *chart_ranges(
	struct chart *c, const struct chart_rows *r, const char *axis_title)
{
	struct chart_panel *p = chart_panel(c, PANEL_ROWS, NULL);
	struct chart_series *s;
	size_t i;

	p->y = (struct chart_axis){ axis_title, UNIT_NS, NULL, true, false, 0 };
	p->has_values = true;
	chart_names(c, p, r->n);
	s = chart_series(c, p, MARK_RANGE, NULL, COLOR_OTHER, r->n);
	for (i = 0; i < r->n; i++) {
		chart_name(c, p, i, rows_word(r, i, "name"));
		s->y[i] = rows_number(r, i, "mean_ns");
		s->lo[i] = rows_number(r, i, "min_ns");
		s->hi[i] = rows_number(r, i, "max_ns");
	}
	return p;
}
