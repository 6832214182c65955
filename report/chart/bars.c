/*
 * Drawing rows of tables as bars.
 */
#include "report/chart/bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/chart/chart_build.h"

enum { KEY_BYTES = 64 };

double bars_sum(const struct chart_rows *r, size_t i, const char *key)
{
	char word[KEY_BYTES];
	double sum = 0, v;
	bool is_first = true;

	while (*key) {
		bool is_minus = *key == '-';
		size_t n;

		key += is_minus || *key == '+';
		n = strcspn(key, " ");
		(void)snprintf(word, sizeof(word), "%.*s", (int)n, key);
		v = strcmp(word, "1") == 0 ? 1 : rows_number(r, i, word);
		sum = is_first ? v : is_minus ? sum - v : sum + v;
		is_first = false;
		key += n + strspn(key + n, " ");
	}
	return sum;
}

static struct span name_of(
	struct chart *c, const struct chart_rows *r, size_t i, const struct bars *b)
{
	if (b->call)
		return b->call(c, r, i);
	return b->name ? rows_word(r, i, b->name) : span_of(rows_place(c, r, i));
}

/* The panel without its bars. */
static struct chart_panel *open_panel(
	struct chart *c, enum panel_kind kind, const struct bars *b, size_t n)
{
	struct chart_panel *p = chart_panel(c, kind, b->title);

	p->y = (struct chart_axis){ b->axis, b->unit, NULL, true, false, b->at_least };
	p->has_values = !b->is_bare;
	chart_names(c, p, n);
	return p;
}

struct chart_panel *bars_panel(
	struct chart *c, enum panel_kind kind, const struct chart_rows *r, const struct bars *b)
{
	enum mark mark = b->box_lo ? MARK_BOX : b->lo ? MARK_RANGE : MARK_LINE;
	struct chart_panel *p = open_panel(c, kind, b, r->n);
	size_t i, j;

	for (i = 0; i < r->n; i++)
		chart_name(c, p, i, name_of(c, r, i, b));
	for (j = 0; j < BARS_PARTS && b->part[j].key; j++) {
		struct chart_series *s =
			chart_series(c, p, mark, b->part[j].title, b->part[j].color, r->n);

		for (i = 0; i < r->n; i++) {
			s->y[i] = bars_sum(r, i, b->part[j].key) /
				(b->of ? rows_number(r, i, b->of) : 1);
			if (b->lo) {
				s->lo[i] = rows_number(r, i, b->lo);
				s->hi[i] = rows_number(r, i, b->hi);
			}
			if (b->box_lo) {
				s->box_lo[i] = rows_number(r, i, b->box_lo);
				s->box_hi[i] = rows_number(r, i, b->box_hi);
			}
		}
	}
	p->is_stacked = p->nseries > 1 && !b->is_beside;
	return p;
}

/* ---- a bar a place ---- */

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

/* How many places the rows are of: tables, and devices within them. */
static size_t count_places(const struct chart_rows *r)
{
	size_t n = 0, i;

	for (i = 0; i < r->n; i++)
		n += begins_place(r, i);
	return n;
}

/* The series of a word, a new one at its first sight; NULL: there are enough. */
static struct chart_series *series_of(
	struct chart *c, struct chart_panel *p, struct span word, const struct bars *b)
{
	enum theme_color color = theme_series(p->nseries);
	size_t i;

	for (i = 0; i < p->nseries; i++)
		if (span_is(word, p->series[i].title))
			return &p->series[i];
	if (p->nseries == BARS_PARTS)
		return NULL;
	for (i = 0; i < BARS_PARTS && b->word[i].key; i++)
		if (span_is(word, b->word[i].key))
			color = b->word[i].color;
	return chart_series(c, p, MARK_LINE, chart_text(c, word), color, p->nname);
}

/* Words are parts in the order of their first sight, at most BARS_PARTS of them. */
static void put_places(struct chart *c, const struct chart_rows *r, const struct bars *b, size_t n)
{
	struct chart_panel *p = open_panel(c, PANEL_ROWS, b, n);
	size_t place = 0, i;

	p->is_stacked = true;
	p->things = "devices";
	for (i = 0; i < r->n; i++) {
		struct chart_series *s = series_of(c, p, rows_word(r, i, b->name), b);

		place += begins_place(r, i);
		chart_name(c, p, place - 1, span_of(rows_place(c, r, i)));
		if (s)
			s->y[place - 1] = bars_sum(r, i, b->part[0].key);
	}
}

/* ---- a chart ---- */

static struct chart_rows rows_of(
	struct chart *c, const struct answers *in, const char *ask, const struct bars *b)
{
	const char *id = b->rather && answers_rows(in, ask, b->rather) ? b->rather : b->table;

	if (b->things)
		return chart_rows(c, in, ask, id, 0);
	return b->is_of_all ? chart_rows(c, in, ask, id, b->most)
			    : chart_rows_of_first(c, in, ask, id, BARS_NAMES);
}

/* A bar a row; of places those of streams with one number are compared. */
static void put_rows(struct chart *c, const struct chart_rows *r, const struct bars *b)
{
	struct chart_panel *p = bars_panel(c, PANEL_ROWS, r, b);
	double *sort, stream;
	size_t i;

	p->things = b->things;
	p->most = b->most;
	if (!b->things)
		return;
	sort = arena_array(&c->mem, r->n, sizeof(*sort));
	for (i = 0; i < r->n; i++) {
		stream = rows_number(r, i, "stream");
		sort[i] = isnan(stream) ? -1 : stream;
	}
	p->sort = sort;
}

static bool has_needed(const struct chart_rows *r, size_t i, const struct bars *b)
{
	const char *needs = b->is_trimmed ? b->part[0].key : b->needs;

	return !needs || bars_sum(r, i, needs) > 0;
}

const char *bars_draw(
	const struct answers *in, struct chart *c, const char *ask, const struct bars *b)
{
	struct chart_rows r = rows_of(c, in, b->ask ? b->ask : ask, b);
	size_t i, known = 0, places;

	for (i = 0; i < r.n; i++)
		known += has_needed(&r, i, b);
	if (known == 0)
		return b->why;
	if (known == 1 && b->why_one)
		return b->why_one;
	while (b->is_trimmed && !has_needed(&r, r.n - 1, b))
		r.n--;
	places = b->is_by_place ? count_places(&r) : 1;
	if (places > 1)
		put_places(c, &r, b, places);
	else
		put_rows(c, &r, b);
	return NULL;
}
