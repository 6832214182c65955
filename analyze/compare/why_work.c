/* Why: more work or slower work, and of which op. */
#include "analyze/compare/contrast.h"
#include "analyze/compare/why.h"
#include "analyze/trace/commname.h"
#include "base/unit.h"

/* Parts below this share of all are not said, unless they are more than noise. */
static const double SAID_SHARE = 0.005;

static bool is_sure(const struct change *c)
{
	return c->answer.verdict == DECIDED_REGRESSION || c->answer.verdict == DECIDED_IMPROVEMENT;
}

static void add_delta(struct str *b, int64_t ns)
{
	str_addc(b, ns < 0 ? '-' : '+');
	unit_put_time(b, fabs((double)ns));
}

static void add_op(struct str *b, struct span op, struct arena *mem)
{
	const struct opsum_key key = { .op = op };

	why_add_name(b, &key, mem);
}

/* ---- which size changed ---- */

static struct span number_at(struct span s, size_t at)
{
	size_t n = 0;

	while (at + n < s.n && is_digit(s.p[at + n]))
		n++;
	return (struct span){ s.p + at, n };
}

/* The one number that is another in b, wherever it stands in a: "[[2048, 64], [64, 8]]".  False:
 * there are several, or the shapes are not alike. */
static bool one_size(struct span a, struct span b, struct span *from, struct span *to)
{
	size_t i = 0, k = 0;

	*from = *to = (struct span){ "", 0 };
	while (i < a.n && k < b.n) {
		struct span x = number_at(a, i), y = number_at(b, k);

		if (x.n == 0 || y.n == 0) {
			if (a.p[i++] != b.p[k++])
				return false;
			continue;
		}
		i += x.n;
		k += y.n;
		if (span_eq(x, y))
			continue;
		if (from->n > 0 && (!span_eq(*from, x) || !span_eq(*to, y)))
			return false;
		*from = x;
		*to = y;
	}
	return i == a.n && k == b.n && from->n > 0;
}

/* ---- the op behind a part ---- */

static int64_t more_of(const struct contrast_work_row *row)
{
	return row->base && row->now ? saturate_add(row->split.calls, row->split.larger) : 0;
}

static int64_t slower_of(const struct contrast_work_row *row)
{
	return row->base && row->now ? row->split.slower : 0;
}

/* The largest of the part's sign; NULL: none. */
static const struct contrast_work_row *largest(const struct contrast_work *w,
	int64_t (*of)(const struct contrast_work_row *row), int64_t part)
{
	const struct contrast_work_row *best = NULL;

	for (EACH(const struct contrast_work_row, r, w->v, w->n)) {
		int64_t v = of(r);

		if ((v > 0) == (part > 0) && v != 0 && (!best || llabs(v) > llabs(of(best))))
			best = r;
	}
	return best;
}

/* " (2048 -> 4096 in aten::mm)", " (aten::mm: 12 -> 24 calls a step)" */
static void add_more(struct str *b, const struct contrast_work *w, struct arena *mem)
{
	const struct contrast_work_row *row =
		largest(w, more_of, saturate_add(w->calls, w->larger));
	struct span from, to;

	if (!row)
		return;
	str_adds(b, " (");
	if (llabs(row->split.calls) > llabs(row->split.larger)) {
		add_op(b, row->op, mem);
		str_adds(b, ": ");
		unit_put_real(b, round(row->base->calls * 100) / 100);
		str_adds(b, " -> ");
		unit_put_real(b, round(row->now->calls * 100) / 100);
		str_adds(b, " calls a step");
	} else if (one_size(row->split.base_dims, row->split.now_dims, &from, &to)) {
		str_addf(b, "%.*s -> %.*s in ", (int)from.n, from.p, (int)to.n, to.p);
		add_op(b, row->op, mem);
	} else {
		str_adds(b, "other shapes in ");
		add_op(b, row->op, mem);
	}
	str_addc(b, ')');
}

static double rate_of(const struct work_amount *a)
{
	return a->ns > 0 && a->v > 0 ? a->v / a->ns : NAN;
}

/* ": 61.20 -> 50.10 TFLOP/s"; rates are per ns. */
static void add_rates(struct str *b, double was, double is, bool by_bytes)
{
	double scale = by_bytes ? 1e9 : 1e-3;
	struct unit_range range = { 0 };

	unit_range_add(&range, scale * was);
	unit_range_add(&range, scale * is);
	struct unit_scale unit = by_bytes ? unit_scale_rate(range) : unit_scale_plain(range);
	str_adds(b, ": ");
	unit_put(b, scale * was, unit);
	str_adds(b, " -> ");
	unit_put(b, scale * is, unit);
	if (!by_bytes)
		str_adds(b, " TFLOP/s");
}

/* " (aten::mm: 61.20 -> 50.10 TFLOP/s)", where that row is judged to have changed. */
static void add_slower(struct str *b, const struct contrast_work *w, struct arena *mem)
{
	const struct contrast_work_row *row = largest(w, slower_of, w->slower);

	if (!row || row->status != CONTRAST_CHANGED)
		return;
	bool by_bytes = worksum_is_by_bytes(row->base, row->now);
	double was = rate_of(by_bytes ? &row->base->bytes : &row->base->flop);
	double is = rate_of(by_bytes ? &row->now->bytes : &row->now->flop);
	str_adds(b, " (");
	add_op(b, row->op, mem);
	if ((w->slower > 0) == (is < was) && !isnan(is) && !isnan(was))
		add_rates(b, was, is, by_bytes);
	str_addc(b, ')');
}

/* ---- the sentence ---- */

struct part {
	int64_t ns;
	const char *more, *less;
	const struct change *change; /* NULL: it is no matter of noise */
	void (*add)(struct str *b, const struct contrast_work *w, struct arena *mem);
};

static void add_part(struct str *b, const struct part *p, const struct contrast_work *w,
	bool *is_first, struct arena *mem)
{
	str_adds(b, *is_first ? ": " : ", ");
	*is_first = false;
	add_delta(b, p->ns);
	str_addc(b, ' ');
	str_adds(b, p->ns < 0 ? p->less : p->more);
	if (p->change && !is_sure(p->change))
		str_adds(b, ", which noise may explain");
	else if (p->add)
		p->add(b, w, mem);
}

const char *why_more_work(const struct contrast *c, struct arena *mem)
{
	const struct contrast_work *w = &c->work;
	const struct part part[] = {
		{ saturate_add(w->calls, w->larger), "more work", "less work", &w->more, add_more },
		{ w->slower, "the same work slower", "the same work faster", &w->faster,
			add_slower },
		{ w->other, "in ops that one side alone has", "in ops that one side alone has",
			NULL, NULL },
		{ w->unknown, "of which no work is known", "of which no work is known", NULL, NULL }
	};
	bool is_first = true;
	SCOPED_STR b = { 0 };

	if (!w->is_known || !(is_sure(&w->change) || is_sure(&w->more) || is_sure(&w->faster)))
		return NULL;
	str_adds(&b, "GPU time ");
	if (w->base.comm_ns > 0 || w->now.comm_ns > 0)
		str_adds(&b, "without collectives ");
	add_delta(&b, w->now_ns - w->base_ns);
	str_adds(&b, " a step");
	double all = SUM(double, i, COUNT_OF(part), fabs((double)part[i].ns));
	for (EACH(const struct part, p, part, COUNT_OF(part)))
		if (fabs((double)p->ns) > SAID_SHARE * all || (p->change && is_sure(p->change)))
			add_part(&b, p, w, &is_first, mem);
	return arena_copy(mem, b.s, b.n);
}

/* ---- all kernels alike ---- */

/* Log of what a call of a row takes against base, where it is called as often; else NaN. */
static double slower_by(const struct contrast_row *row)
{
	bool is_same = row->base_ns > 0 && row->now_ns > 0 &&
		fabs(row->now_calls - row->base_calls) <= 0.01 * row->base_calls;

	return is_same ? log((double)row->now_ns / (double)row->base_ns) : NAN;
}

/* Kernels that do not wait for other ranks. */
static bool is_own_kernel(const struct contrast_row *row)
{
	return row->key.kind == KIND_KERNEL && commname_of(row->key.name) != COMMNAME_COMM;
}

/* Most of the host's calls take as long as before: no more of the change than a third. */
static bool host_is_same(const struct contrast *c, double by)
{
	const struct contrast_rows *r = &c->host;
	size_t n = SUM(size_t, i, r->n, fabs(slower_by(&r->v[i])) < INFINITY);
	size_t same = SUM(size_t, i, r->n, fabs(slower_by(&r->v[i])) < fabs(by) / 3);

	return n == 0 || 2 * same > n;
}

const char *why_alike(const struct contrast *c, struct arena *mem)
{
	enum { KERNELS_MIN = 3 };
	static const double LEAST = 0.03, NEAR = 0.25, MOST = 0.95;
	const struct contrast_rows *r = c->kernels.n > 0 ? &c->kernels : &c->device;
	double base = 0, now = 0, alike = 0;
	size_t n = 0;

	for (EACH(const struct contrast_row, row, r->v, r->n))
		if (is_own_kernel(row)) {
			base += (double)row->base_ns;
			now += (double)row->now_ns;
		}
	double by = log(now / base);
	for (EACH(const struct contrast_row, row, r->v, r->n))
		if (is_own_kernel(row) && fabs(slower_by(row) - by) < NEAR * fabs(by)) {
			alike += (double)row->base_ns;
			n++;
		}
	if (!(fabs(by) >= LEAST) || n < KERNELS_MIN || alike < MOST * base || !host_is_same(c, by))
		return NULL;
	return arena_printf(mem,
		"all kernels take %.0f%% %s, and the host does not: clocks, power or another GPU, "
		"rather than the program",
		100 * fabs(now / base - 1), by > 0 ? "more" : "less");
}
