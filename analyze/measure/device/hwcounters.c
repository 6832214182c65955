/* Samples of hardware counters as pieces of time, and sums over them. */
#include "analyze/measure/device/hwcounters.h"

#include <stdio.h>

#include "analyze/stat/quantile.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"

/* Longer than so many usual intervals is a pause: of an interval's value, and of a line. */
#define PAUSE_HELD 1.5
#define PAUSE_LINE 5.0

static const struct {
	const char *name, *part;
	enum measure measure;
} words[HWCOUNTER_COUNT] = {
#define X(id, name, part, measure) { name, part, measure },
	HWCOUNTERS(X)
#undef X
};

static bool is_line(enum hwcounter k)
{
	return k == HWCOUNTER_POWER || k == HWCOUNTER_CLOCK;
}

/* Which a series is; HWCOUNTER_COUNT: none. */
static enum hwcounter counter_of(const struct series *s)
{
	return (enum hwcounter)FIRST(k, HWCOUNTER_COUNT,
		s->measure == words[k].measure && span_starts(s->name, words[k].name) &&
			span_has(s->name, words[k].part));
}

/* ---- pieces ---- */

/* Points of a series on the run's clock, those that do not rise left out; how many.  NVML's are
 * since 1970, load_file.c says why. */
static size_t points_of(const struct series *s, enum hwcounter k, const struct run *r,
	struct arena *mem, nsec **t, double **v)
{
	nsec zero = is_line(k) && r->meta.has_base ? r->meta.base_ns : 0;
	struct series_block *b = NULL;
	size_t n = (size_t)s->n, kept = 0;

	if (!series_is_exact(s)) {
		b = arena_array(mem, SERIES_BLOCKS, sizeof(*b));
		n = series_blocks(s, b);
	}
	*t = arena_array(mem, n, sizeof(**t));
	*v = arena_array(mem, n, sizeof(**v));
	for (size_t i = 0; i < n; i++) {
		double x = b ? b[i].first_x : s->point[i].x;
		nsec at = saturate_sub(saturate_round(x * 1e9), zero);

		if (kept && at <= (*t)[kept - 1])
			continue;
		(*t)[kept] = at;
		(*v)[kept++] = b ? b[i].mean : s->point[i].y;
	}
	return kept;
}

static nsec usual_of(const nsec *t, size_t n, struct arena *mem)
{
	double *gap = arena_array(mem, n, sizeof(*gap));

	for (size_t i = 0; i + 1 < n; i++)
		gap[i] = (double)saturate_sub(t[i + 1], t[i]);
	return saturate_whole(quantile_median(gap, n - 1, mem));
}

static double area(const struct hwcounter_piece *p, nsec till)
{
	double length = (double)(p->to - p->from), x = (double)(till - p->from);

	return p->a * x + (p->b - p->a) / length * x * x / 2;
}

static void add_piece(struct hwcounter_curve *c, nsec from, nsec to, double a, double b)
{
	const struct hwcounter_piece *last = c->n ? &c->piece[c->n - 1] : NULL;

	c->piece[c->n++] = (struct hwcounter_piece){ from, to, a, b,
		last ? saturate_add(last->seen, last->to - last->from) : 0,
		last ? last->sum + area(last, last->to) : 0 };
}

/* One sample alone has no interval, and says nothing. */
static void curve_init(struct hwcounter_curve *c, enum hwcounter k, const struct series *s,
	const struct run *r, struct arena *mem)
{
	double *v;
	nsec *t;
	size_t n = points_of(s, k, r, mem, &t, &v);

	if (n < 2)
		return;
	c->usual = usual_of(t, n, mem);
	c->piece = arena_array(mem, n, sizeof(*c->piece));
	for (size_t i = 0; i < n; i++) {
		nsec end = i + 1 < n ? t[i + 1] : INT64_MAX, most = saturate_add(t[i], c->usual);
		double gap = (double)saturate_sub(end, t[i]) / (double)c->usual;

		if (!is_line(k))
			add_piece(c, t[i], gap > PAUSE_HELD ? most : end, v[i], v[i]);
		else if (i + 1 < n && gap <= PAUSE_LINE)
			add_piece(c, t[i], end, v[i], v[i + 1]);
	}
}

/* ---- of a run ---- */

/* The device whose samples those of a group are; devices.n: none. */
static size_t device_of(const struct hwcounters *c, struct span group)
{
	char text[24];

	return FIRST(k, c->devices.n,
		snprintf(text, sizeof(text), "%" PRId64, c->devices.id[k]) > 0 &&
			span_is(group, text));
}

bool hwcounters_init(struct hwcounters *c, const struct run *r, struct arena *mem)
{
	const struct record *rec = r->record;
	bool is_any = false;

	*c = (struct hwcounters){ 0 };
	if (!rec || !r->has_trace)
		return false;
	devices_init(&c->devices, r, mem);
	c->of = arena_array(mem, c->devices.n, sizeof(*c->of));
	for (size_t i = 0; i < rec->nseries; i++) {
		const struct series *s = rec->series[i];
		enum hwcounter k = counter_of(s);
		size_t at = device_of(c, s->group);

		if (k == HWCOUNTER_COUNT || at == c->devices.n ||
			strcmp(rec->artifact[s->artifact].kind, "nvml") != 0)
			continue;
		struct hwcounter_curve *curve = &c->of[at][k];
		if (curve->n == 0)
			curve_init(curve, k, s, r, mem);
		c->has[k] |= curve->n > 0;
		is_any |= curve->n > 0;
	}
	return is_any;
}

/* ---- sums ---- */

/* ns and value x ns of all that is known before t. */
static nsec before(const struct hwcounter_curve *c, nsec t, double *sum)
{
	size_t i = PARTITION_POINT(k, 0, c->n, c->piece[k].from < t);

	*sum = 0;
	if (i == 0)
		return 0;
	const struct hwcounter_piece *p = &c->piece[i - 1];
	nsec till = MIN(t, p->to);
	*sum = p->sum + area(p, till);
	return saturate_add(p->seen, till - p->from);
}

void hwcounters_add(const struct hwcounters *c, struct hwcounter_means *to, int64_t device,
	nsec from, nsec till)
{
	size_t at = devices_find(&c->devices, device);
	nsec most = 0;

	if (at == SIZE_MAX || till <= from)
		return;
	for (size_t k = 0; k < HWCOUNTER_COUNT; k++) {
		const struct hwcounter_curve *curve = &c->of[at][k];
		double a, b;

		if (curve->n == 0 || saturate_sub(till, from) < curve->usual)
			continue;
		nsec ns = before(curve, till, &b) - before(curve, from, &a);
		to->sum[k] += b - a;
		saturate_onto(&to->ns[k], ns);
		most = MAX(most, ns);
	}
	saturate_onto(&to->seen, most);
}

void hwcounters_put(struct table *t, size_t first, const struct hwcounter_means *m)
{
	static const double factor[HWCOUNTER_COUNT] = { 0.01, 0.01, 0.01, 0.01, 1, 1e6 };

	for (size_t k = 0; k < HWCOUNTER_COUNT; k++)
		if (m->ns[k] > 0)
			table_real(t, first + k, m->sum[k] / (double)m->ns[k] * factor[k]);
}

uint64_t hwcounters_missing(const struct hwcounters *c, size_t first)
{
	uint64_t set = 0;

	for (size_t k = 0; k < HWCOUNTER_COUNT; k++)
		set |= c->has[k] ? 0 : UINT64_C(1) << (first + k);
	return set;
}
