/* `kernels`: the table of kernels. */
#include "analyze/answer/kernels/kernels.h"

#define BIT(column) (UINT64_C(1) << (column))

/* Exact: sums are integers of 128 bits.  NaN for one value, and where they do not fit. */
static double deviation(const struct kernel_group *g)
{
	unsigned __int128 square, sum = (unsigned __int128)g->calls.sum;

	if (g->calls.n < 2 || g->calls.max > INT64_MAX >> 12 ||
		mul_overflows(g->squares, (unsigned __int128)g->calls.n, &square))
		return NAN;
	square -= sum * sum;
	return sqrt((double)square / (double)g->calls.n / ((double)g->calls.n - 1));
}

static void put_size(const struct groupby *g, size_t col, const uint32_t v[3])
{
	if (v[0])
		table_textf(g->t, col, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, v[0], v[1], v[2]);
}

static struct span place_text(const struct kernels *k, sym place, struct arena *mem)
{
	struct span text = strings_get(&k->callers->names, place);

	if (!place)
		return k->by == KERNELS_BY_MODULE ? SPAN("(in no module)") : SPAN("(not recorded)");
	return (struct span){ arena_copy(mem, text.p, text.n), text.n };
}

static void put(const struct groupby *g, const void *item, uint32_t i)
{
	static const char *const words[] = { "unknown", "no", "yes" };
	const struct kernel_group *of = item;
	struct kernels *k = g->ctx;

	groupby_text(g, KERNEL_CLASS, span_of(classes_word(of->class)));
	groupby_text(g, KERNEL_TENSOR,
		span_of(words[1 + (int)tensor_cores_of(&k->tensor, of->key.name)]));
	groupby_real(g, KERNEL_STD, deviation(of));
	put_size(g, KERNEL_GRID, of->shown.grid);
	put_size(g, KERNEL_BLOCK, of->shown.block);
	if (k->callers)
		table_text(g->t, KERNEL_PLACE, place_text(k, of->key.op, g->t->mem));
	if (k->roof)
		kernels_put_roof(k, g->t, i);
}

static const struct grouping kernels = {
	.sort = KERNEL_SUM, .name = KERNEL_NAME, .calls = KERNEL_CALLS, .people = 15, .put = put
};

/* The columns that people see, by what a row is and what is known. */
static uint64_t visible_columns(const struct kernels *k)
{
	const uint64_t all = BIT(KERNEL_SUM) | BIT(KERNEL_SHARE) | BIT(KERNEL_CALLS) |
		BIT(KERNEL_MEAN) | BIT(KERNEL_NAME);
	const uint64_t roof =
		BIT(KERNEL_TFLOPS) | BIT(KERNEL_RATIO) | BIT(KERNEL_BOUND) | BIT(KERNEL_FLOP);
	const struct kernel_group *g = k->groups.item;
	uint64_t v = all | (k->roof ? roof : 0);
	bool has_blocks = false;

	if (k->by == KERNELS_BY_CONFIG)
		return v | BIT(KERNEL_GRID) | BIT(KERNEL_BLOCK) | BIT(KERNEL_REGISTERS) |
			BIT(KERNEL_SHARED);
	if (k->by == KERNELS_BY_OP)
		return v | BIT(KERNEL_OP);
	if (k->callers)
		return v | BIT(KERNEL_PLACE);
	if (k->roof)
		return v;
	for (size_t i = 0; i < k->groups.n; i++)
		has_blocks = has_blocks || g[i].blocks_ns > 0;
	v |= has_blocks ? BIT(KERNEL_ACHIEVED) | BIT(KERNEL_BLOCKS) : 0;
	return v | BIT(KERNEL_P95) | BIT(KERNEL_TENSOR);
}

void kernels_table(struct kernels *k)
{
	static const uint8_t sorts[] = { KERNEL_SUM, KERNEL_CALLS, KERNEL_MEAN, KERNEL_MAX,
		KERNEL_NAME };
	struct table_doc doc = kernels_docs[KERNELS_KERNELS];

	if (k->groups.n == 0)
		return;
	if (!k->roof)
		doc.ncol = k->callers ? KERNEL_TFLOPS : KERNEL_PLACE; /* and all behind it */
	struct groupby g = groupby_of(&kernels, k->p, &doc, &k->groups, k);
	g.of.whole = (double)k->sum;
	g.by = &doc.col[sorts[k->sort]].from;
	g.hide = ~visible_columns(k);
	groupby_limit(&g, k->o->limit);
	groupby_rank(&g);
	groupby_table(&g);
	/* Durations of the groups that are shown. */
	if (!k->p->q->no_quantiles) {
		const struct events *ev = &k->p->run->events;
		groupby_sample_begin(&g, 1);
		for (size_t i = 0; i < ev->n; i++) {
			uint32_t at = ev->kind[i] == KIND_KERNEL ? kernels_find(k, (uint32_t)i)
								 : KEYMAP_NONE;

			if (at != KEYMAP_NONE)
				groupby_sample(&g, 0, at, ev->dur[i]);
		}
		groupby_sample_end(&g, 1);
	}
	groupby_put(&g);
}
