/*
 * Rows of tables as bars.
 */
#include "report/chart/chart_build.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/escape.h"
#include "report/width.h"

enum { PLACES_MAX = 256, PARTS_MAX = 8, INPUT_LETTERS = 36 };

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
	size_t all = count_rows(in, ask, id), n = most && most < all ? most : all, i, j;
	const struct table *t;

	r.t = arena_array(&c->mem, n, sizeof(*r.t));
	r.row = arena_array(&c->mem, n, sizeof(*r.row));
	for (i = 0; (t = answers_table(in, ask, id, i)); i++) {
		for (j = 0; j < table_rows(t) && r.n < n; j++, r.n++) {
			r.t[r.n] = t;
			r.row[r.n] = j;
		}
	}
	r.left = all - r.n;
	return r;
}

void chart_say_first(struct chart *c, size_t n, const char *things)
{
	chart_say(c, arena_printf(&c->mem, "the first %zu %s", n, things));
}

const char *rows_input(struct chart *c, const struct chart_rows *r, size_t i)
{
	struct str plain = { 0 }, cut = { 0 };
	int input = r->t[i]->input;
	const char *name;

	if (!r->result || r->result->ninput < 2 || input < 0)
		return "";
	escape_terminal(&plain, input_name(r->result->input[input]), true);
	width_cut(&cut, (struct span){ plain.s ? plain.s : "", plain.n }, INPUT_LETTERS, true);
	name = arena_copy(&c->mem, cut.s ? cut.s : "", cut.n);
	str_free(&plain);
	str_free(&cut);
	return name;
}

struct chart_rows chart_rows_of_first(
	struct chart *c, const struct answers *in, const char *ask, const char *id, size_t most)
{
	struct chart_rows r = chart_rows(c, in, ask, id, 0);
	size_t all = r.n, n = 0;

	while (n < all && r.t[n]->input == r.t[0]->input)
		n++;
	r.n = most && most < n ? most : n;
	r.left = n - r.n;
	if (n < all)
		chart_say(c, rows_input(c, &r, 0));
	return r;
}

struct chart_rows chart_rows_of_places(struct chart *c, const struct answers *in, const char *ask,
	const char *id, const char *things)
{
	struct chart_rows r = chart_rows(c, in, ask, id, PLACES_MAX);

	if (r.left)
		chart_say_first(c, r.n, things);
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
	const char *text;

	str_adds(&b, rows_input(c, r, i));
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

/* Row i begins another place than the row before it. */
static bool begins_place(const struct chart_rows *r, size_t i)
{
	double device, before;

	if (i == 0 || r->t[i] != r->t[i - 1])
		return true;
	device = rows_number(r, i, "device");
	before = rows_number(r, i - 1, "device");
	return !(device == before || (isnan(device) && isnan(before)));
}

size_t chart_places(const struct chart_rows *r)
{
	size_t n = 0, i;

	for (i = 0; i < r->n; i++)
		n += begins_place(r, i);
	return n;
}

/* The series of a word, a new one at its first sight; NULL: there are enough. */
static struct chart_series *series_of(struct chart *c, struct chart_panel *p, struct span word,
	const struct chart_part *part, size_t npart)
{
	enum theme_color color = theme_series(p->nseries);
	size_t i;

	for (i = 0; i < p->nseries; i++)
		if (span_is(word, p->series[i].title))
			return &p->series[i];
	if (p->nseries == PARTS_MAX)
		return NULL;
	for (i = 0; i < npart; i++)
		if (span_is(word, part[i].key))
			color = part[i].color;
	return chart_series(c, p, MARK_LINE, chart_text(c, word), color, p->nname);
}

struct chart_panel *chart_stacks(struct chart *c, const struct chart_rows *r, const char *by,
	const char *key, const struct chart_part *part, size_t npart)
{
	size_t all = chart_places(r), n = all < PLACES_MAX ? all : PLACES_MAX, place = 0, i;
	struct chart_panel *p = chart_panel(c, PANEL_ROWS, NULL);

	p->is_stacked = true;
	chart_names(c, p, n);
	if (n < all)
		chart_say_first(c, n, "devices");
	for (i = 0; i < r->n; i++) {
		struct chart_series *s = series_of(c, p, rows_word(r, i, by), part, npart);

		place += begins_place(r, i);
		if (place > n)
			break;
		chart_name(c, p, place - 1, span_of(rows_place(c, r, i)));
		if (s)
			s->y[place - 1] = rows_number(r, i, key);
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
