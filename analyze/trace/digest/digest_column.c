/* Columns of digests: each as what is shortest to say of it. */
#include "analyze/trace/digest/digest_wire.h"

/* What a column's values are said to differ by: from the one above, from what most are, from those
 * of a column that came before. */
enum { BY_LAST, BY_TYPICAL, BY_COLUMN };

enum { COLUMNS_MAX = 1024, SAMPLES = 16, LEADING = 3, DIGITS_MAX = 64, FEW = 3 };

static uint64_t at(const struct wire_column *c, size_t i)
{
	uint64_t one;

	memcpy(&one, (const char *)c->v + i * c->stride, sizeof(one));
	return one;
}

static struct wire_columns *columns(struct walk *w)
{
	return w->out ? &w->out->columns : &w->in->columns;
}

void walk_likely(struct walk *w, const int64_t *v, size_t n, size_t stride)
{
	struct wire_columns *c = columns(w);

	if (n > 0 && c->n < COLUMNS_MAX)
		ARENA_PUSH(
			walk_scratch(w), c->v, c->n, c->cap, (struct wire_column){ v, n, stride });
}

/* Of the i-th value, but for what is typical.  A shorter column goes on with the value above. */
static uint64_t expected(
	const struct wire_columns *all, size_t by, const struct wire_column *c, size_t i)
{
	if (by >= BY_COLUMN && i < all->v[by - BY_COLUMN].n)
		return at(&all->v[by - BY_COLUMN], i);
	return by != BY_TYPICAL && i > 0 ? at(c, i - 1) : 0;
}

/* Few values have no column to be like. */
static bool is_plain(const struct walk *w, size_t n)
{
	return n < FEW || walk_is_plain(w);
}

/* ---- choosing ---- */

static unsigned digits(uint64_t v)
{
	uint64_t one = wire_unsigned((int64_t)v);

	return one ? 64 - (unsigned)__builtin_clzll(one) : 0;
}

ORDER(by_value, int64_t, compare3(*a, *b))

/* The median difference. */
static uint64_t typical(const struct wire_columns *all, size_t by, const struct wire_column *c)
{
	int64_t *v;
	uint64_t middle;

	if (by == BY_LAST || c->n == 0)
		return 0;
	v = zeroed(c->n, sizeof(*v));
	for (size_t i = 0; i < c->n; i++)
		v[i] = (int64_t)(at(c, i) - expected(all, by, c, i));
	sort_rows(v, c->n, sizeof(*v), by_value);
	middle = (uint64_t)v[c->n / 2];
	free(v);
	return middle;
}

static size_t length(
	const struct wire_columns *all, size_t by, const struct wire_column *c, uint64_t middle)
{
	return digits(middle) +
		SUM(size_t, i, c->n, digits(at(c, i) - expected(all, by, c, i) - middle));
}

/* The column that a few values are nearest to. */
static size_t nearest(const struct wire_columns *all, const struct wire_column *c)
{
	size_t best = BY_TYPICAL, least = SIZE_MAX, every = c->n / SAMPLES + 1;

	for (size_t by = BY_COLUMN; by < BY_COLUMN + all->n; by++) {
		uint64_t first = at(c, 0) - expected(all, by, c, 0);
		size_t sum = digits(first);

		for (size_t i = every; i < c->n && sum < least; i += every)
			sum += digits(at(c, i) - expected(all, by, c, i) - first);
		if (sum < least) {
			least = sum;
			best = by;
		}
	}
	return best;
}

/* *middle: what is typical; *sum: all digits of the differences. */
static size_t choose(
	const struct wire_columns *all, const struct wire_column *c, uint64_t *middle, size_t *sum)
{
	const size_t tried[] = { BY_LAST, BY_TYPICAL, nearest(all, c) };
	size_t best = BY_LAST, least = SIZE_MAX;

	for (size_t k = 0; k < COUNT_OF(tried); k++) {
		uint64_t one = typical(all, tried[k], c);
		size_t n = length(all, tried[k], c, one);

		if (n < least) {
			least = n;
			best = tried[k];
			*middle = one;
			*sum = n - digits(one);
		}
	}
	return best;
}

/* ---- either way ---- */

/* The last `low` digits of each difference are noise. */
static int64_t walk_rest(struct walk *w, int64_t more, unsigned low)
{
	uint64_t all = wire_unsigned(more), rest = walk_split(w, all >> low);

	return wire_signed(rest << low | walk_noise(w, all & ((UINT64_C(1) << low) - 1), low));
}

static void walk_values(struct walk *w, int64_t *v, size_t n, size_t stride)
{
	const struct wire_columns *all = columns(w);
	const struct wire_column c = { v, n, stride };
	uint64_t middle = 0;
	size_t sum = 0, by = w->out ? choose(all, &c, &middle, &sum) : 0;

	by = walk_below(w, by, BY_COLUMN + all->n);
	if (by != BY_LAST)
		middle = (uint64_t)walk_rest(w, (int64_t)middle, 0);
	unsigned low =
		(unsigned)walk_below(w, sum / n > LEADING ? sum / n - LEADING : 0, DIGITS_MAX);
	for (size_t i = 0; i < n; i++) {
		uint64_t base = expected(all, by, &c, i) + middle;
		int64_t more = w->out ? (int64_t)(at(&c, i) - base) : 0;

		int64_t one = (int64_t)(base + (uint64_t)walk_rest(w, more, low));
		if (w->in)
			memcpy((char *)v + i * stride, &one, sizeof(one));
	}
}

void walk_column(struct walk *w, int64_t *v, size_t n, size_t stride, int64_t least)
{
	const struct wire_column c = { v, n, stride };

	if (!is_plain(w, n))
		walk_values(w, v, n, stride);
	else if (w->in)
		wire_column(w->in, v, n, stride);
	else
		wire_put_column(w->out, v, n, stride);
	for (size_t i = 0; w->in && i < n; i++)
		if ((int64_t)at(&c, i) < least) {
			memcpy((char *)v + i * stride, &least, sizeof(least));
			wire_fail(w->in);
		}
	if (!is_plain(w, n))
		walk_likely(w, v, n, stride);
}

int64_t *walk_naturals(struct walk *w, int64_t *v, size_t n, size_t *left)
{
	if (w->in) {
		if (n == 0 || n > *left || (size_t)(w->in->end - w->in->at) < n) {
			wire_fail(w->in);
			return NULL;
		}
		*left -= n;
		v = arena_array(w->in->mem, n, sizeof(*v));
	}
	walk_column(w, v, n, sizeof(*v), 0);
	return v;
}

/* ---- reals ---- */

/* As their bits, as whole numbers over one that is said, over those of a column that came before.
 */
enum { REAL_BITS, REAL_OVER, REAL_SHARE };
enum { WHOLE_MAX = 1 << 20, ODD_ONES = 8 };
static const double numerator_max = 1LL << 51; /* doubles tell these and their halves apart */

/* One alone: 1 + a small whole number, or 0 and the bytes. */
static void walk_alone(struct walk *w, double *v)
{
	bool is_whole = fabs(*v) < WHOLE_MAX && *v == nearbyint(*v) && !(*v == 0 && signbit(*v));
	uint64_t whole = w->out && is_whole ? 1 + wire_unsigned(saturate_whole(*v)) : 0;

	whole = w->out ? whole : wire_count(w->in);
	if (w->out)
		wire_put_count(w->out, whole);
	if (whole == 0)
		walk_real(w, v);
	else
		*v = (double)wire_signed(whole - 1);
}

static double *real_at(double *v, size_t i, size_t stride)
{
	return (double *)(void *)((char *)v + i * stride);
}

/* A column of reals. */
struct reals {
	double *v;
	size_t n, stride;
	int64_t *top; /* the numerators */
	size_t by;
	int64_t over; /* of REAL_OVER */
};

static double divisor(const struct wire_columns *all, const struct reals *r, size_t i)
{
	return (double)(r->by == REAL_OVER ? r->over : (int64_t)at(&all->v[r->by - REAL_SHARE], i));
}

/* Whether the i-th is, to the bit, a whole number over its divisor, which is then in r->top. */
static bool is_share(const struct wire_columns *all, const struct reals *r, size_t i)
{
	double v = *real_at(r->v, i, r->stride), over = divisor(all, r, i);
	double top = nearbyint(v * over), back = over != 0 ? top / over : 0;

	if (!(fabs(top) < numerator_max) || memcmp(&back, &v, sizeof(v)) != 0)
		return false;
	r->top[i] = saturate_whole(top);
	return true;
}

/* All but a few, as a total in the last row. */
static bool are_shares(const struct wire_columns *all, const struct reals *r)
{
	size_t odd = 0, most = r->n / ODD_ONES;

	for (size_t i = 0; i < r->n && odd <= most; i++)
		odd += !is_share(all, r, i);
	return odd <= most;
}

static bool are_over(const struct wire_columns *all, struct reals *r, int64_t over)
{
	r->by = REAL_OVER;
	r->over = over;
	return are_shares(all, r);
}

/* Whether the column may be another one over a number: that of the first row. */
static bool are_parts(const struct wire_columns *all, struct reals *r, const struct wire_column *of)
{
	double over = of->n == r->n ? nearbyint((double)(int64_t)at(of, 0) / *r->v) : NAN;

	return over > 1 && over < numerator_max && are_over(all, r, saturate_whole(over)) &&
		(int64_t)at(of, 0) == r->top[0];
}

static void choose_divisor(struct wire_columns *all, struct reals *r)
{
	static const int64_t usual[] = { 1, 20 }; /* whole ones; percentiles between two */

	if (ANY(i, COUNT_OF(usual), are_over(all, r, usual[i])) ||
		(all->over && are_over(all, r, all->over)))
		return;
	for (r->by = REAL_SHARE; r->by < REAL_SHARE + all->n; r->by++)
		if (all->v[r->by - REAL_SHARE].n == r->n && are_shares(all, r))
			return;
	if (ANY(i, all->n, are_parts(all, r, &all->v[i])))
		all->over = r->over;
	else
		r->by = REAL_BITS;
}

/* Those that are none: how far behind the last of them, and the bytes. */
static void walk_odd(struct walk *w, const struct wire_columns *all, const struct reals *r)
{
	size_t at = 0, n = SUM(size_t, i, w->out ? r->n : 0, !is_share(all, r, i));

	for (n = walk_many(w, n, 1); n > 0; n--, at++) {
		size_t next = FIRST_FROM(i, at, w->out ? r->n : 0, !is_share(all, r, i));

		at += walk_below(w, next - at, r->n - at);
		if (w->in && w->in->is_bad)
			return;
		walk_real(w, real_at(r->v, at, r->stride));
	}
}

static void walk_shares(struct walk *w, const struct wire_columns *all, struct reals *r)
{
	if (r->by == REAL_OVER)
		r->over = wire_signed(walk_split(w, wire_unsigned(r->over)));
	for (size_t i = 0; w->out && i < r->n; i++)
		if (!is_share(all, r, i))
			r->top[i] = i > 0 ? r->top[i - 1] : 0;
	walk_column(w, r->top, r->n, sizeof(*r->top), INT64_MIN);
	for (size_t i = 0; w->in && i < r->n; i++) {
		double over = divisor(all, r, i);

		*real_at(r->v, i, r->stride) = over != 0 ? (double)r->top[i] / over : 0;
	}
	walk_odd(w, all, r);
}

void walk_reals(struct walk *w, double *v, size_t n, size_t stride)
{
	struct wire_columns *all = columns(w);
	struct reals r = { .v = v, .n = n, .stride = stride };

	for (size_t i = 0; is_plain(w, n) && i < n; i++)
		walk_alone(w, real_at(v, i, stride));
	if (is_plain(w, n))
		return;
	r.top = arena_array(walk_scratch(w), n, sizeof(*r.top));
	if (w->out)
		choose_divisor(all, &r);
	r.by = walk_below(w, r.by, REAL_SHARE + all->n);
	walk_check(w, r.by < REAL_SHARE || all->v[r.by - REAL_SHARE].n == n);
	if (w->in && w->in->is_bad)
		return;
	if (r.by == REAL_BITS)
		walk_column(w, (int64_t *)(void *)v, n, stride, INT64_MIN);
	else
		walk_shares(w, all, &r);
}

/* ---- texts ---- */

enum { PREFIX_MAX = 64, NUMBER_DIGITS = 18 };

static struct span *text_at(struct span *v, size_t i, size_t stride)
{
	return (struct span *)(void *)((char *)v + i * stride);
}

/* "gap:0@123": what is before its number, and that. */
static bool ends_in_number(struct span text, struct span *before, int64_t *number)
{
	size_t n = text.n;
	int64_t unit = 1;

	*number = 0;
	for (; n > 0 && is_digit(text.p[n - 1]) && text.n - n < NUMBER_DIGITS; n--) {
		*number += unit * (text.p[n - 1] - '0');
		unit *= 10;
	}
	*before = (struct span){ text.p, n };
	return n < text.n && n <= PREFIX_MAX && (text.p[n] != '0' || n + 1 == text.n) &&
		!memchr(text.p, '\0', n);
}

static void walk_numbered(struct walk *w, struct span *v, size_t n, size_t stride)
{
	int64_t *number = arena_array(walk_scratch(w), n, sizeof(*number));
	struct span *before = arena_array(walk_scratch(w), n, sizeof(*before));

	for (size_t i = 0; w->out && i < n; i++)
		(void)ends_in_number(*text_at(v, i, stride), &before[i], &number[i]);
	for (size_t i = 0; i < n; i++) {
		walk_text(w, &before[i]);
		walk_check(w, before[i].n <= PREFIX_MAX);
	}
	walk_column(w, number, n, sizeof(*number), 0);
	for (size_t i = 0; w->in && !w->in->is_bad && i < n; i++) {
		const char *made = arena_printf(
			w->in->mem, "%.*s%" PRId64, (int)before[i].n, before[i].p, number[i]);

		*text_at(v, i, stride) = span_of(made);
	}
}

void walk_texts(struct walk *w, struct span *v, size_t n, size_t stride)
{
	struct span before;
	int64_t number;
	bool are_numbered = w->out && !is_plain(w, n) &&
		ALL(i, n, ends_in_number(*text_at(v, i, stride), &before, &number));

	if (!is_plain(w, n))
		walk_bool(w, &are_numbered);
	if (are_numbered)
		walk_numbered(w, v, n, stride);
	for (size_t i = 0; !are_numbered && i < n; i++)
		walk_text(w, text_at(v, i, stride));
}
