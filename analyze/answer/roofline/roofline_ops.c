/* `roofline`: the table of ops: rows of the roofs that are one row of it, in order, and their
 * cells. */
#include "analyze/answer/roofline/roofline.h"

#include "analyze/analysis/row_limit.h"

/* ---- rows of the run's roofs into rows of the table ---- */

_Static_assert(sizeof(struct roofline_key) == 4 * 4 + 2 * 8, "no padding");

static struct roofline_key key_of(
	const struct roofline *x, const struct roof_row_key *row, const struct roof_cost *c)
{
	const struct roof_key *k = keymap_key(&x->roof.keys, row->cost);
	struct roofline_key key = { 0 };

	if (x->by == ROOFLINE_BY_PHASE) {
		key.name = row->phase;
		return key;
	}
	if (x->by == ROOFLINE_BY_MODULE) {
		key.name = row->module;
		return key;
	}
	key.name = k->name;
	key.is_kernel = k->flags & ROOF_IS_KERNEL;
	if (x->by == ROOFLINE_BY_SHAPE) {
		key.dims = k->dims;
		key.types = k->types;
		key.flop = c->work.flop;
		key.bytes = c->work.bytes;
	}
	return key;
}

static struct roofline_group *group_of(struct roofline *x, const struct roofline_key *key,
	const struct roof_row_key *row, const struct roof_cost *c)
{
	const struct fastconv *fast =
		((const struct roof_key *)keymap_key(&x->roof.keys, row->cost))->fast;
	size_t before = x->keys.n;
	uint32_t at = keymap_add(&x->keys, key);

	if (x->keys.n > before) {
		x->group = array_grow(x->group, &x->cap, x->keys.n, sizeof(*x->group));
		x->group[at] = (struct roofline_group){
			.cost = row->cost, .phase = row->phase, .fast = fast
		};
	}
	struct roofline_group *g = &x->group[at];
	if (g->fast && memcmp(g->fast, fast, FASTCONV_HALVES * sizeof(*fast)) != 0)
		g->fast = NULL;
	const struct roof_cost *first = &x->roof.cost[g->cost];
	g->is_mixed |= first->work.flop != c->work.flop || first->work.bytes != c->work.bytes;
	return g;
}

static void add_row(struct roofline *x, uint32_t i)
{
	const struct roof_row_key *key = keymap_key(&x->roof.row_keys, i);
	const struct roof_row *row = &x->roof.row[i];
	const struct roof_cost *c = &x->roof.cost[key->cost];
	const struct roofline_key group = key_of(x, key, c);
	struct roofline_group *g = group_of(x, &group, key, c);

	roof_sum_add(&g->sum, c, &x->roof.peaks[key->device], row->calls, row->busy, row->own);
}

void roofline_groups(struct roofline *x)
{
	keymap_init(&x->keys, sizeof(struct roofline_key));
	for (uint32_t i = 0; i < x->roof.row_keys.n; i++) {
		const struct roof_row_key *key = keymap_key(&x->roof.row_keys, i);
		const struct roof_key *k = keymap_key(&x->roof.keys, key->cost);

		if (filter_name(&x->p->view, k->name))
			add_row(x, i);
	}
}

/* ---- the table of ops ---- */

#define MODULE "nn.Module: "

enum { PEOPLE_ROWS = 20 };

struct place {
	double value, busy; /* busy: of rows with no or the same value */
	struct span name, dims;
	uint32_t group;
};

static double value_of(const struct roofline_group *g, enum roofline_sort sort)
{
	switch (sort) {
	case SORT_ABOVE:
		return g->sum.roof_busy > 0 ? (double)g->sum.roof_busy - roof_sum_at(&g->sum)
					    : -INFINITY;
	case SORT_CALLS: return (double)g->sum.calls;
	case SORT_FLOP: return (double)g->sum.flop;
	case SORT_TIME: break;
	}
	return (double)g->sum.busy;
}

ORDER(compare, struct place, compare3_down(a->value, b->value), compare3_down(a->busy, b->busy),
	span_cmp(a->name, b->name), span_cmp(a->dims, b->dims), compare3(a->group, b->group))

static struct span name_of(const struct roofline *x, const struct roofline_key *key)
{
	if (x->by == ROOFLINE_BY_PHASE)
		return span_of(phase_word((enum phase)key->name));
	struct span name = strings_get(&x->p->run->strings, key->name);
	if (x->by == ROOFLINE_BY_MODULE && key->name == 0)
		return SPAN("(in no module)");
	if (x->by == ROOFLINE_BY_MODULE && span_starts(name, MODULE))
		return (struct span){ name.p + sizeof(MODULE) - 1, name.n - sizeof(MODULE) + 1 };
	return name;
}

static struct place *rank(struct roofline *x)
{
	struct place *p = arena_array(&x->p->mem, x->keys.n, sizeof(*p));
	enum roofline_sort sort =
		(enum roofline_sort)opt_which(OPT_WORDS(ROOFLINE_SORTS), x->o->sort);

	for (uint32_t i = 0; i < x->keys.n; i++) {
		const struct roofline_key *key = keymap_key(&x->keys, i);

		p[i] = (struct place){ value_of(&x->group[i], sort), (double)x->group[i].sum.busy,
			name_of(x, key), strings_get(&x->p->run->strings, key->dims), i };
	}
	sort_rows(p, x->keys.n, sizeof(*p), compare);
	return p;
}

static void put_work(struct table *t, const struct roofline_group *g, const struct roof_work *w)
{
	const struct roof_sum *s = &g->sum;

	TABLE_CELLS(t, [ROP_FLOP] = CELL_IF(!g->is_mixed && w->flop >= 0, cell_int(w->flop)),
		[ROP_BYTES] = CELL_IF(!g->is_mixed && w->bytes >= 0, cell_int(w->bytes)),
		[ROP_ALL_FLOP] = CELL_IF(s->flop_busy > 0, cell_int(s->flop)),
		[ROP_ALL_BYTES] = CELL_IF(s->bytes_busy > 0, cell_int(s->bytes)),
		[ROP_TFLOPS] = cell_real(roof_sum_tflops(s)),
		[ROP_RATE] = cell_real(roof_sum_rate(s)), [ROP_BUS] = cell_real(roof_sum_bus(s)),
		[ROP_INTENSITY] = cell_real(roof_sum_intensity(s)));
}

static void put_roof(struct table *t, const struct roof_sum *s)
{
	int64_t at = saturate_round(roof_sum_at(s));

	table_real(t, ROP_KNOWN, roof_sum_known(s));
	if (s->roof_busy <= 0)
		return;
	TABLE_CELLS(t, [ROP_BOUND] = cell_word(roof_sum_bound(s)),
		[ROP_RATIO] = cell_real(roof_sum_ratio(s)), [ROP_MOST] = cell_bool(s->is_most),
		[ROP_AT] = cell_int(at), [ROP_ABOVE] = cell_int(saturate_sub(s->roof_busy, at)));
}

bool roofline_is_fast(const struct roofline_group *g)
{
	return !g->fast || g->fast[0].kind || g->fast[1].kind;
}

static void put_identity(
	struct roofline *x, struct table *t, const struct place *at, const struct roofline_group *g)
{
	const struct roofline_key *key = keymap_key(&x->keys, at->group);
	const struct roof_cost *c = &x->roof.cost[g->cost];
	enum roof_reason why = roof_sum_why(&g->sum);

	TABLE_CELLS(t, [ROP_NAME] = cell_text(at->name),
		[ROP_WHY] = CELL_IF(why != ROOF_WHY_KNOWN, cell_word(roof_reason_words[why])));
	if (x->by == ROOFLINE_BY_PHASE || x->by == ROOFLINE_BY_MODULE)
		return;
	TABLE_CELLS(t, [ROP_KERNEL] = cell_bool(key->is_kernel != 0),
		[ROP_CLASS] = cell_word(roof_class_of(c)),
		[ROP_ALGORITHM] = CELL_IF(roofline_is_fast(g),
			cell_text(g->fast ? fastconv_text(g->fast, &x->p->out->mem)
					  : SPAN("several"))),
		[ROP_DTYPE] = CELL_IF(c->op && c->work.dtype != ROOF_DTYPE_COUNT,
			cell_word(roof_dtype_words[c->work.dtype])));
	if (x->by != ROOFLINE_BY_SHAPE)
		return;
	if (key->dims)
		TABLE_CELLS(t, [ROP_DIMS] = cell_text(at->dims),
			[ROP_SHAPES] = cell_text(roof_shapes_text(at->dims, &x->p->out->mem)));
	if (key->types)
		table_text(t, ROP_TYPES, strings_get(&x->p->run->strings, key->types));
}

static uint64_t visible(const struct roofline *x)
{
	uint64_t v = COLUMN_SET(ROP_BUSY, ROP_SHARE, ROP_CALLS, ROP_INTENSITY, ROP_TFLOPS, ROP_RATE,
		ROP_BOUND, ROP_RATIO, ROP_ABOVE, ROP_NAME);

	for (uint32_t i = 0; i < x->keys.n; i++)
		v |= (x->group[i].sum.bus_busy > 0 ? COLUMN_SET(ROP_BUS) : 0) |
			(roofline_is_fast(&x->group[i]) ? COLUMN_SET(ROP_ALGORITHM) : 0);
	if (x->by == ROOFLINE_BY_SHAPE)
		return v | COLUMN_SET(ROP_FLOP, ROP_BYTES, ROP_DTYPE, ROP_SHAPES);
	return v | COLUMN_SET(ROP_ALL_FLOP, ROP_ALL_BYTES, ROP_KNOWN);
}

void roofline_ops_table(struct roofline *x)
{
	size_t limit = rows_limit(x->p->q, x->o->limit, PEOPLE_ROWS, SIZE_MAX), n = x->keys.n;
	struct place *p = rank(x);

	if (n == 0)
		return;
	n = MIN(n, limit);
	struct table *t = perrun_table_seen(x->p, &roofline_docs[ROOFLINE_OPS], visible(x));
	for (size_t i = 0; i < n; i++) {
		const struct roofline_group *g = &x->group[p[i].group];
		TABLE_ROW(t, [ROP_BUSY] = cell_int(g->sum.busy), [ROP_OWN] = cell_int(g->sum.own),
			[ROP_SHARE] =
				cell_real(x->busy > 0 ? (double)g->sum.own / (double)x->busy : NAN),
			[ROP_CALLS] = cell_int(g->sum.calls));
		put_work(t, g, &x->roof.cost[g->cost].work);
		put_roof(t, &g->sum);
		put_identity(x, t, &p[i], g);
	}
	rows_cut(t, ROP_NAME, x->keys.n - n);
}
