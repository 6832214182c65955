/*
 * `roofline`: the table of ops.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/answer/roofline/roofline.h"
#include "analyze/measure/phase.h"
#include "analyze/query/rows.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

#define MODULE "nn.Module: "

enum { PEOPLE_ROWS = 20, SHAPES_WIDTH = 32 };

enum sort { SORT_TIME, SORT_ABOVE, SORT_CALLS, SORT_FLOP };

struct place {
	double value, busy; /* busy: of rows with no or the same value */
	struct span name, dims;
	uint32_t group;
};

static enum sort sort_of(const char *word)
{
	static const char *const words[] = { "time", "above", "calls", "flop" };
	size_t i;

	for (i = 0; word && i < COUNT_OF(words); i++)
		if (strcmp(word, words[i]) == 0)
			return (enum sort)i;
	return SORT_TIME;
}

static double above_roof(const struct roofline_group *g)
{
	return (double)g->roof_busy - g->at_roof;
}

static double value_of(const struct roofline_group *g, enum sort sort)
{
	switch (sort) {
	case SORT_ABOVE: return g->roof_busy > 0 ? above_roof(g) : -INFINITY;
	case SORT_CALLS: return (double)g->calls;
	case SORT_FLOP: return (double)g->flop;
	case SORT_TIME: break;
	}
	return (double)g->busy;
}

static int compare(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;
	int c;

	if (a->value < b->value || a->value > b->value)
		return a->value > b->value ? -1 : 1;
	if (a->busy < b->busy || a->busy > b->busy)
		return a->busy > b->busy ? -1 : 1;
	c = span_cmp(a->name, b->name);
	c = c ? c : span_cmp(a->dims, b->dims);
	return c ? c : (a->group > b->group) - (a->group < b->group);
}

static struct span name_of(const struct roofline *x, const struct roofline_key *key)
{
	struct span name;

	if (x->by == ROOFLINE_BY_PHASE)
		return span_of(phase_word((enum phase)key->name));
	name = strings_get(&x->p->run->strings, key->name);
	if (x->by == ROOFLINE_BY_MODULE && key->name == 0)
		return SPAN("(in no module)");
	if (x->by == ROOFLINE_BY_MODULE && span_starts(name, MODULE))
		return (struct span){ name.p + sizeof(MODULE) - 1, name.n - sizeof(MODULE) + 1 };
	return name;
}

static struct place *rank(struct roofline *x)
{
	struct place *p = arena_array(&x->p->mem, x->keys.n, sizeof(*p));
	enum sort sort = sort_of(x->o->sort);
	uint32_t i;

	for (i = 0; i < x->keys.n; i++) {
		const struct roofline_key *key = keymap_key(&x->keys, i);

		p[i] = (struct place){ value_of(&x->group[i], sort), (double)x->group[i].busy,
			name_of(x, key), strings_get(&x->p->run->strings, key->dims), i };
	}
	if (x->keys.n)
		qsort(p, x->keys.n, sizeof(*p), compare);
	return p;
}

static double per(double v, nsec ns, double unit)
{
	return ns > 0 ? v / (double)ns * 1e9 / unit : NAN;
}

static void put_work(struct table *t, const struct roofline_group *g, const struct roof_work *w)
{
	if (!g->is_mixed && w->flop >= 0)
		table_int(t, ROP_FLOP, w->flop);
	if (!g->is_mixed && w->bytes >= 0)
		table_int(t, ROP_BYTES, w->bytes);
	if (g->flop_busy > 0) {
		table_int(t, ROP_ALL_FLOP, g->flop);
		table_real(t, ROP_TFLOPS, per((double)g->flop, g->flop_busy, 1e12));
	}
	if (g->bytes_busy > 0) {
		table_int(t, ROP_ALL_BYTES, g->bytes);
		table_real(t, ROP_RATE, per((double)g->bytes, g->bytes_busy, 1));
	}
	if (g->both_bytes > 0)
		table_real(t, ROP_INTENSITY, g->both_flop / g->both_bytes);
}

static void put_roof(struct table *t, const struct roofline_group *g)
{
	table_real(t, ROP_KNOWN, g->busy > 0 ? (double)g->roof_busy / (double)g->busy : NAN);
	if (g->roof_busy <= 0)
		return;
	table_text(t, ROP_BOUND, span_of(2 * g->at_compute >= g->at_roof ? "compute" : "memory"));
	table_real(t, ROP_RATIO, g->at_roof / (double)g->roof_busy);
	table_int(t, ROP_AT, saturate_round(g->at_roof));
	table_int(t, ROP_ABOVE, saturate_sub(g->roof_busy, saturate_round(g->at_roof)));
}

/* The reason with most time; none where all is known. */
static enum roof_reason why_of(const struct roofline_group *g)
{
	enum roof_reason why = ROOF_WHY_KNOWN, i;

	for (i = ROOF_WHY_KNOWN + 1; i < ROOF_WHY_COUNT; i++)
		if (g->why[i] > 0 && (why == ROOF_WHY_KNOWN || g->why[i] > g->why[why]))
			why = i;
	return why;
}

/*
 * "[512] [141, 512] .." of "[[512], [141, 512], [512, 512], [], []]": the first that have room.  It
 * is a text of short words, which a narrow line can break.
 */
static struct span shapes_of(struct span dims, struct arena *mem)
{
	char *to = arena_alloc(mem, SHAPES_WIDTH + 8);
	size_t n = 0, whole = 0, i;
	bool is_inside = false;

	for (i = 0; i < dims.n && n < SHAPES_WIDTH; i++) {
		bool is_digit = dims.p[i] >= '0' && dims.p[i] <= '9';

		if (is_digit && !is_inside) {
			memcpy(to + n, " [", 2);
			n += 2;
			is_inside = true;
		}
		if (is_digit || (dims.p[i] == ',' && is_inside))
			to[n++] = dims.p[i];
		if (dims.p[i] == ',' && is_inside)
			to[n++] = ' ';
		if (dims.p[i] != ']' || !is_inside)
			continue;
		to[n++] = ']';
		whole = n;
		is_inside = false;
	}
	if (i < dims.n) {
		memcpy(to + whole, " ..", 3);
		whole += 3;
	}
	return whole > 0 ? (struct span){ to + 1, whole - 1 } : SPAN("");
}

static void put_identity(
	struct roofline *x, struct table *t, const struct place *at, const struct roofline_group *g)
{
	const struct roofline_key *key = keymap_key(&x->keys, at->group);
	const struct roof_cost *c = &x->roof.cost[g->cost];
	enum roof_reason why = why_of(g);

	table_text(t, ROP_NAME, at->name);
	if (why != ROOF_WHY_KNOWN)
		table_text(t, ROP_WHY, span_of(roof_reason_words[why]));
	if (x->by == ROOFLINE_BY_PHASE || x->by == ROOFLINE_BY_MODULE)
		return;
	table_bool(t, ROP_KERNEL, key->is_kernel != 0);
	table_text(t, ROP_CLASS, span_of(roof_class_of(c)));
	if (c->op && c->work.dtype != ROOF_DTYPE_COUNT)
		table_text(t, ROP_DTYPE, span_of(roof_dtype_words[c->work.dtype]));
	if (x->by != ROOFLINE_BY_SHAPE)
		return;
	if (key->dims) {
		table_text(t, ROP_DIMS, at->dims);
		table_text(t, ROP_SHAPES, shapes_of(at->dims, &x->p->out->mem));
	}
	if (key->types)
		table_text(t, ROP_TYPES, strings_get(&x->p->run->strings, key->types));
}

static void put_row(struct roofline *x, struct table *t, const struct place *at)
{
	const struct roofline_group *g = &x->group[at->group];

	table_row(t);
	table_int(t, ROP_BUSY, g->busy);
	table_int(t, ROP_OWN, g->own);
	table_real(t, ROP_SHARE, x->busy > 0 ? (double)g->own / (double)x->busy : NAN);
	table_int(t, ROP_CALLS, g->calls);
	put_work(t, g, &x->roof.cost[g->cost].work);
	put_roof(t, g);
	put_identity(x, t, at, g);
}

#define SHOW(column) (UINT64_C(1) << (column))

static uint64_t visible(const struct roofline *x)
{
	uint64_t v = SHOW(ROP_BUSY) | SHOW(ROP_SHARE) | SHOW(ROP_CALLS) | SHOW(ROP_INTENSITY) |
		SHOW(ROP_TFLOPS) | SHOW(ROP_RATE) | SHOW(ROP_BOUND) | SHOW(ROP_RATIO) |
		SHOW(ROP_ABOVE) | SHOW(ROP_NAME);

	if (x->by == ROOFLINE_BY_SHAPE)
		return v | SHOW(ROP_FLOP) | SHOW(ROP_BYTES) | SHOW(ROP_DTYPE) | SHOW(ROP_SHAPES);
	return v | SHOW(ROP_ALL_FLOP) | SHOW(ROP_ALL_BYTES) | SHOW(ROP_KNOWN);
}

void roofline_ops_table(struct roofline *x)
{
	size_t limit = rows_limit(x->p->q, x->o->limit, PEOPLE_ROWS, SIZE_MAX), n = x->keys.n, i;
	struct place *p = rank(x);
	struct table *t;

	if (n == 0)
		return;
	n = n < limit ? n : limit;
	t = perrun_table_seen(x->p, &roofline_docs[ROOFLINE_OPS], visible(x));
	for (i = 0; i < n; i++)
		put_row(x, t, &p[i]);
	rows_cut(t, ROP_NAME, x->keys.n - n);
}
