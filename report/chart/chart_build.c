/* Rows of tables over all inputs, and what they are called. */
#include "report/chart/chart_build.h"

#include "base/width.h"
#include "report/escape.h"

enum { INPUT_LETTERS = 36 };

static size_t count_rows(const struct answers *in, const char *ask, const char *id)
{
	const struct table *t;
	size_t n = 0;

	for (size_t i = 0; (t = answers_table(in, ask, id, i)); i++)
		n += table_rows(t);
	return n;
}

struct chart_rows chart_rows(
	struct chart *c, const struct answers *in, const char *ask, const char *id, size_t most)
{
	const struct answer *a = answers_find(in, ask);
	struct chart_rows r = { .result = a ? a->result : NULL };
	size_t all = count_rows(in, ask, id), n = most && most < all ? most : all;
	const struct table *t;

	r.t = arena_array(&c->mem, n, sizeof(*r.t));
	r.row = arena_array(&c->mem, n, sizeof(*r.row));
	for (size_t i = 0; (t = answers_table(in, ask, id, i)); i++) {
		for (size_t j = 0; j < table_rows(t) && r.n < n; j++, r.n++) {
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
	SCOPED_STR plain = { 0 }, cut = { 0 };
	int input = r->t[i]->input;

	if (!r->result || r->result->ninput < 2 || input < 0)
		return "";
	escape_terminal(&plain, input_name(r->result->input[input]), true);
	width_cut(&cut, (struct span){ plain.s ? plain.s : "", plain.n }, INPUT_LETTERS, true);
	return arena_copy(&c->mem, cut.s ? cut.s : "", cut.n);
}

struct chart_rows chart_rows_of_first(
	struct chart *c, const struct answers *in, const char *ask, const char *id, size_t most)
{
	struct chart_rows r = chart_rows(c, in, ask, id, 0);
	size_t all = r.n, from = FIRST(i, r.n, r.t[i]->input == (int)in->main), n = 0;

	from = from < all ? from : 0;
	while (from + n < all && r.t[from + n]->input == r.t[from]->input)
		n++;
	r.t += from;
	r.row += from;
	r.n = most && most < n ? most : n;
	r.left = n - r.n;
	if (n < all)
		chart_say(c, rows_input(c, &r, 0));
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

bool rows_same(const struct chart_rows *r, size_t i, size_t k, const char *key)
{
	return number_same(rows_number(r, i, key), rows_number(r, k, key));
}

bool rows_same_device(const struct chart_rows *r, size_t i, size_t k)
{
	return r->t[i] == r->t[k] && rows_same(r, i, k, "device");
}

bool rows_find(const struct chart_rows *r, const char *key, double v, size_t *i)
{
	for (*i = 0; *i < r->n; ++*i)
		if (number_same(rows_number(r, *i, key), v))
			return true;
	return false;
}

size_t rows_end(const struct chart_rows *r, size_t from, const char *const *key, size_t n)
{
	size_t to = from;

	while (to < r->n && r->t[to] == r->t[from] &&
		ALL(k, n,
			span_eq(rows_word(r, to, key[k]), rows_word(r, from, key[k])) &&
				rows_same(r, to, from, key[k])))
		to++;
	return to;
}

static void put_place(struct str *b, const char *word, double number)
{
	if (!isnan(number))
		str_addf(b, "%s%s %.0f", b->n ? ", " : "", word, number);
}

const char *rows_place(struct chart *c, const struct chart_rows *r, size_t i)
{
	SCOPED_STR b = { 0 };

	str_adds(&b, rows_input(c, r, i));
	put_place(&b, "GPU", rows_number(r, i, "device"));
	put_place(&b, "stream", rows_number(r, i, "stream"));
	return arena_copy(&c->mem, b.s ? b.s : "", b.n);
}

struct chart_panel *chart_heat(struct chart *c, size_t nrow, size_t ncolumn)
{
	struct chart_panel *p = chart_panel(c, PANEL_HEAT, NULL);

	p->is_plain = true;
	chart_names(c, p, ncolumn);
	p->row = arena_array(&c->mem, nrow, sizeof(*p->row));
	p->cell = arena_array(&c->mem, nrow * ncolumn, sizeof(*p->cell));
	return p;
}

/* Which sort row i is of; nsort: none. */
static size_t disc_sort(const struct chart_rows *r, size_t i, const struct discs *d)
{
	struct span class = rows_word(r, i, "class");

	if (!(rows_number(r, i, d->x) > 0) || !(rows_number(r, i, d->y) > 0))
		return d->nsort;
	return FIRST(k, d->nsort, !*d->sort[k].class || span_is(class, d->sort[k].class));
}

static size_t put_discs(struct chart *c, struct chart_panel *p, const struct chart_rows *r,
	const struct discs *d, size_t sort)
{
	size_t n = SUM(size_t, i, r->n, disc_sort(r, i, d) == sort);

	if (n == 0)
		return 0;
	struct chart_series *s =
		chart_series(c, p, MARK_BUBBLE, d->sort[sort].title, d->sort[sort].color, n);
	for (size_t i = n = 0; i < r->n; i++) {
		if (disc_sort(r, i, d) != sort)
			continue;
		s->x[n] = rows_number(r, i, d->x);
		s->y[n] = rows_number(r, i, d->y);
		s->size[n] = rows_number(r, i, d->size);
		s->label[n++] = chart_text(c, rows_word(r, i, "name"));
	}
	return n;
}

size_t chart_discs(
	struct chart *c, struct chart_panel *p, const struct chart_rows *r, const struct discs *d)
{
	return SUM(size_t, k, d->nsort, put_discs(c, p, r, d, k));
}

void chart_name_steps(struct chart *c, struct chart_panel *p, const struct chart_rows *r)
{
	for (size_t i = 0; i < r->n; i++) {
		double step = rows_number(r, i, "step");

		chart_name(c, p, i,
			span_of(isnan(step) ? "all" : arena_printf(&c->mem, "%.0f", step)));
	}
	p->x.title = "step";
}

size_t rows_end_of_place(const struct chart_rows *r, size_t from)
{
	size_t to = from + 1;

	while (to < r->n && r->t[to] == r->t[from] &&
		rows_number(r, to, "at_ns") > rows_number(r, to - 1, "at_ns"))
		to++;
	return to;
}

bool rows_known(const struct chart_rows *r, size_t from, size_t to, const char *key)
{
	return ANY(i, to - from, !isnan(rows_number(r, from + i, key)));
}

void rows_fill(double *v, const struct chart_rows *r, size_t from, size_t to, const char *key)
{
	for (size_t i = from; i < to; i++)
		v[i - from] = rows_number(r, i, key);
}

ORDER(by_value, double, compare3(*a, *b))

void chart_sort(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
}

double chart_quantile(const double *v, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t i = saturate_size(at);

	return i + 1 < n ? v[i] + (at - (double)i) * (v[i + 1] - v[i]) : v[n - 1];
}

/* ---- clocks ---- */

double chart_clock_time(const struct chart_clock *c, double ns)
{
	return c->true_ns + (ns - c->at) * c->rate;
}

bool chart_clock_of(
	const struct chart_rows *clocks, const char *path, double *island, struct chart_clock *out)
{
	size_t k = FIRST(i, clocks->n,
		span_is(rows_word(clocks, i, "file"), path) &&
			!isnan(rows_number(clocks, i, "clock_true_ns")));

	if (k == clocks->n)
		return false;
	if (isnan(*island))
		*island = rows_number(clocks, k, "clock_island");
	out->true_ns = rows_number(clocks, k, "clock_true_ns");
	out->at = rows_number(clocks, k, "clock_at_ns");
	out->rate = 1 - rows_number(clocks, k, "clock_drift_ppm") / 1e6;
	return !isnan(*island) && number_same(rows_number(clocks, k, "clock_island"), *island);
}

/* With the widest of what the clocks leave open. */
const char *chart_clock_note(struct chart *c, const struct chart_rows *clocks, bool is_aligned)
{
	if (!is_aligned)
		return "each from its own start: their clocks are not known to each other";
	double most = MOST(double, i, clocks->n, rows_number(clocks, i, "clock_uncertainty_ns"));

	return arena_printf(&c->mem, "one clock, by the ends of collectives: +- %s",
		chart_figure(c, most, UNIT_NS));
}
