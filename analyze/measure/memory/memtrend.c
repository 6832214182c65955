/* Where memory goes that a log measured. */
#include "analyze/measure/memory/memtrend.h"

#include "analyze/measure/memory/memcurve.h"
#include "analyze/trace/columns/sheet.h"
#include "base/table.h"
#include "base/words.h"

enum { SKIP_LEAST = 10, KEEP_LEAST = 20 };
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
