/* Where memory goes that a log measured. */
#include "analyze/measure/memory/memtrend.h"

#include "analyze/measure/memory/memcurve.h"
#include "analyze/trace/columns/series.h"
#include "analyze/trace/columns/sheet.h"
#include "analyze/trace/figure.h"
#include "base/table.h"
#include "base/words.h"

enum { SKIP_LEAST = 10, KEEP_LEAST = 20, MAXIMUM_RISES = 4 };
#define SKIP_SHARE 0.05
#define P_LEAK     0.01

WORDS(memtrend_word, enum memtrend_sign, MEMTREND_SIGNS, 2)

/* Without the steps in which memory is still being set up. */
static void skip_begin(struct curve *c)
{
	size_t skip = saturate_size(SKIP_SHARE * (double)c->n);

	skip = MAX(skip, SKIP_LEAST);
	if (c->n < skip + KEEP_LEAST)
		return;
	c->x += skip;
	c->y += skip;
	c->n -= skip;
}

static bool is_growth(double bytes, double peak)
{
	return bytes > (double)MEMCURVE_LEAK_BYTES && bytes > peak / 1000;
}

void memtrend_of(struct memtrend *t, const struct curve *whole, double peak, bool is_reserved,
	bool allocated_grows, struct arena *mem)
{
	struct curve c = *whole;

	*t = (struct memtrend){ 0 };
	skip_begin(&c);
	if (!curve_trend(&t->trend, &c, mem))
		return;
	curve_jump(&t->jump, &c, mem);
	double growth = t->trend.slope * (c.x[c.n - 1] - c.x[0]);
	t->sign = MEMTREND_STEADY;
	if (t->jump.explains && is_growth(t->jump.size, peak))
		t->sign = MEMTREND_ONCE;
	else if (t->trend.p < P_LEAK && t->trend.lo > 0 && is_growth(growth, peak))
		t->sign = is_reserved && !allocated_grows ? MEMTREND_FRAGMENTED : MEMTREND_LEAK;
}

bool memtrend_is_maximum(struct span name)
{
	return span_has_nocase(name, "max_") || span_has_nocase(name, "peak");
}

/* A running maximum of what differs from step to step rises ever more seldom. */
static bool looks_like_maximum(const struct curve *c)
{
	size_t falls = SUM(size_t, i, c->n, i > 0 && c->y[i] < c->y[i - 1]);
	size_t rises = SUM(size_t, i, c->n, i > 0 && c->y[i] > c->y[i - 1]);

	return falls == 0 && MAXIMUM_RISES * rises < c->n;
}

bool memtrend_is_unnamed_leak(
	const struct series *s, const struct curve *c, double peak, struct arena *mem)
{
	struct memtrend t;

	if (s->axis != AXIS_STEP || metric_role(s->name) != ROLE_OTHER ||
		measure_infos[s->measure].base != UNIT_BYTES || !span_has_nocase(s->name, "mem") ||
		figure_kind(s->name, UNIT_BYTES)->better != BETTER_LOWER ||
		memtrend_is_maximum(s->name) || looks_like_maximum(c))
		return false;
	memtrend_of(&t, c, peak, false, false, mem);
	return t.sign == MEMTREND_LEAK;
}

/* The tag of most measurements: values of one phase compare. */
static struct span usual_tag(const struct table *s)
{
	struct span best = SPAN("");
	size_t j, most = 0, n;

	for (size_t i = 0; i < s->nrow && i < 64; i++) {
		const union cell *tag = table_cell(s, i, TAKEN_TAG);

		for (j = 0, n = 0; tag && j < s->nrow; j++) {
			const union cell *other = table_cell(s, j, TAKEN_TAG);

			n += other && span_eq(tag->s, other->s);
		}
		if (n > most) {
			most = n;
			best = tag->s;
		}
	}
	return best;
}

void memtrend_column(struct curve *c, double *peak, const struct table *s, size_t col,
	size_t max_col, struct arena *mem)
{
	struct span usual = usual_tag(s);

	*c = (struct curve){ .is_exact = true };
	*peak = 0;
	c->x = arena_array(mem, s->nrow, sizeof(double));
	c->y = arena_array(mem, s->nrow, sizeof(double));
	for (size_t i = 0; i < s->nrow; i++) {
		const union cell *tag = table_cell(s, i, TAKEN_TAG);
		const union cell *v = table_cell(s, i, col), *top = table_cell(s, i, max_col);

		if (top && top->r > *peak)
			*peak = top->r;
		if (v && v->r > *peak)
			*peak = v->r;
		if (!v || (usual.n && !(tag && span_eq(tag->s, usual))))
			continue;
		c->x[c->n] = (double)c->n;
		c->y[c->n++] = v->r;
	}
}
