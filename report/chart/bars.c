/* Drawing rows of tables as bars. */
#include "report/chart/charts.h"

#include <limits.h>
#include <stdio.h>

#include "report/chart/chart_build.h"

enum { KEY_BYTES = 64 };

double bars_sum(const struct chart_rows *r, size_t i, const char *key)
{
	char word[KEY_BYTES];
	double sum = 0, v;
	bool is_first = true;

	while (*key) {
		bool is_minus = *key == '-';

		key += is_minus || *key == '+';
		size_t n = strcspn(key, " ");
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

	p->y = AXIS(b->axis, b->unit, .from_zero = true, .at_least = b->at_least);
	p->has_values = !b->is_bare;
	chart_names(c, p, n);
	return p;
}

struct chart_panel *bars_panel(
	struct chart *c, enum panel_kind kind, const struct chart_rows *r, const struct bars *b)
{
	enum mark mark = b->box_lo ? MARK_BOX : b->lo ? MARK_RANGE : MARK_LINE;
	struct chart_panel *p = open_panel(c, kind, b, r->n);

	for (size_t i = 0; i < r->n; i++)
		chart_name(c, p, i, name_of(c, r, i, b));
	for (size_t j = 0; j < BARS_PARTS && b->part[j].key; j++) {
		struct chart_series *s =
			chart_series(c, p, mark, b->part[j].title, b->part[j].color, r->n);

		for (size_t i = 0; i < r->n; i++) {
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

/* ---- order ---- */

static unsigned depth_of(const struct chart_rows *r, size_t i, const struct bars *b)
{
	double depth = b->depth ? rows_number(r, i, b->depth) : 0;

	return depth > 0 ? (unsigned)saturate_size(fmin(depth, UINT_MAX)) : 0;
}

/* The end of the rows below row i, which it is the first of. */
static size_t end_below(const struct chart_rows *r, size_t i, const struct bars *b)
{
	return FIRST_FROM(k, i + 1, r->n, depth_of(r, k, b) <= depth_of(r, i, b));
}

/* Moves rows [from, to) in front of row `at`, which is before them. */
static void move_rows(struct chart_rows *r, size_t at, size_t from, size_t to)
{
	for (; from < to; from++, at++) {
		const struct table *t = r->t[from];
		size_t row = r->row[from];

		for (size_t k = from; k > at; k--) {
			r->t[k] = r->t[k - 1];
			r->row[k] = r->row[k - 1];
		}
		r->t[at] = t;
		r->row[at] = row;
	}
}

/* Rows of one depth by the first part, each with what is below it: the highest moves up first. */
static void order_rows(struct chart_rows *r, const struct bars *b)
{
	size_t i, best;

	for (size_t at = 0; at < r->n; at++) {
		unsigned depth = depth_of(r, at, b);

		for (best = i = at; i < r->n && depth_of(r, i, b) >= depth; i = end_below(r, i, b))
			if (bars_sum(r, i, b->part[0].key) > bars_sum(r, best, b->part[0].key))
				best = i;
		if (best > at)
			move_rows(r, at, best, end_below(r, best, b));
	}
}

/* ---- a bar a place ---- */

/* Row i begins another place than the row before it. */
static bool begins_place(const struct chart_rows *r, size_t i)
{
	return i == 0 || !rows_same_device(r, i - 1, i);
}

/* The series of a word, a new one at its first sight; NULL: there are enough. */
static struct chart_series *series_of(
	struct chart *c, struct chart_panel *p, struct span word, const struct bars *b)
{
	enum theme_color color = theme_series(p->nseries);

	for (EACH(struct chart_series, series, p->series, p->nseries))
		if (span_is(word, series->title))
			return series;
	if (p->nseries == BARS_PARTS)
		return NULL;
	for (size_t i = 0; i < BARS_PARTS && b->word[i].key; i++)
		if (span_is(word, b->word[i].key))
			color = b->word[i].color;
	return chart_series(c, p, MARK_LINE, chart_text(c, word), color, p->nname);
}

/* Words are parts in the order of their first sight, at most BARS_PARTS of them. */
static void put_places(struct chart *c, const struct chart_rows *r, const struct bars *b, size_t n)
{
	struct chart_panel *p = open_panel(c, PANEL_ROWS, b, n);
	size_t place = 0;

	p->is_stacked = true;
	p->things = "devices";
	for (size_t i = 0; i < r->n; i++) {
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

	struct chart_rows r = b->things ? chart_rows(c, in, ask, id, 0)
		: b->is_of_all
		? chart_rows(c, in, ask, id, b->most)
		: chart_rows_of_first(c, in, ask, id, c->look.limit ? c->look.limit : BARS_NAMES);
	size_t n = 0;

	for (size_t i = 0; i < r.n; i++) {
		if (b->is_left_out && b->is_left_out(&r, i))
			continue;
		r.t[n] = r.t[i];
		r.row[n++] = r.row[i];
	}
	r.n = n;
	return r;
}

/* What the rows come to that are not shown; NaN: not known, or they do not add up. */
static double sum_left(const struct chart_rows *r, const struct bars *b, const struct table *t)
{
	struct chart_rows all = { &t, NULL, 1, 0, NULL };
	double sum = 0;

	for (size_t i = r->n; i < table_rows(t) + (t->ncut > 0); i++) {
		all.row = &i;
		sum += bars_sum(&all, 0, b->part[0].key);
	}
	return sum;
}

/* Of names that are the first of a table: how many follow, and what they come to together. */
static void say_left(struct chart *c, const struct chart_rows *r, const struct bars *b)
{
	const struct table *t = r->t[0];
	size_t left = r->left + t->ncut;

	if (b->is_of_all || b->things || left == 0)
		return;
	double sum = b->part[1].key || b->lo || b->is_sorted ? NAN : sum_left(r, b, t);
	chart_note(c, "%s",
		isnan(sum) ? arena_printf(&c->mem, "%zu more not shown", left)
			   : arena_printf(&c->mem, "%zu more not shown, together %s", left,
				     chart_figure(c, sum, b->unit)));
}

/* A bar a row; of places those of streams with one number are compared. */
static void put_rows(struct chart *c, const struct chart_rows *r, const struct bars *b)
{
	struct chart_panel *p = bars_panel(c, PANEL_ROWS, r, b);
	double *sort, stream;

	if (b->depth) {
		unsigned *depth = arena_array(&c->mem, r->n, sizeof(*depth)), most = 0;
		for (size_t i = 0; i < r->n; i++) {
			depth[i] = depth_of(r, i, b);
			most = MAX(depth[i], most);
		}
		p->depth = most ? depth : NULL;
	}
	p->things = b->things;
	p->most = b->most;
	if (!b->things)
		return;
	sort = arena_array(&c->mem, r->n, sizeof(*sort));
	for (size_t i = 0; i < r->n; i++) {
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
	size_t known = SUM(size_t, i, r.n, has_needed(&r, i, b));

	if (known == 0)
		return b->why;
	if (known == 1 && b->why_one)
		return b->why_one;
	if (b->is_sorted)
		order_rows(&r, b);
	while (b->is_trimmed && r.n > 0 && !has_needed(&r, r.n - 1, b))
		r.n--;
	say_left(c, &r, b);
	size_t places = b->is_by_place ? SUM(size_t, i, r.n, begins_place(&r, i)) : 1;
	if (places > 1)
		put_places(c, &r, b, places);
	else
		put_rows(c, &r, b);
	return NULL;
}
