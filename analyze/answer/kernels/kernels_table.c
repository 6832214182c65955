/*
 * `kernels`: the table of kernels.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/answer/kernels/kernels.h"
#include "analyze/analysis/perrun.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/stat/stats.h"
#include "analyze/trace/run.h"
#include "base/compare3.h"
#include "base/minmax.h"
#include "base/saturate.h"
#include "base/xalloc.h"

enum { PEOPLE_ROWS = 15 };

struct place {
	double value;
	struct span name;
	uint32_t group;
};

static double value_of(const struct kernel_group *g, enum kernels_sort key)
{
	switch (key) {
	case KEY_CALLS: return g->calls;
	case KEY_MEAN: return (double)g->sum / g->calls;
	case KEY_MAX: return (double)g->max;
	case KEY_NAME: return 0;
	case KEY_SUM: break;
	}
	return (double)g->sum;
}

static int compare(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	return COMPARE_BY(compare3_down(a->value, b->value), span_cmp(a->name, b->name),
		compare3(a->group, b->group));
}

static struct place *rank(struct kernels *k)
{
	struct place *p = arena_array(&k->p->mem, k->keys.n, sizeof(*p));
	uint32_t i;

	for (i = 0; i < k->keys.n; i++) {
		const struct kernel_key *id = keymap_key(&k->keys, i);

		p[i] = (struct place){ value_of(&k->group[i], k->sort),
			strings_get(&k->p->run->strings, id->name), i };
	}
	if (k->keys.n)
		qsort(p, k->keys.n, sizeof(*p), compare);
	return p;
}

/* Durations of the groups that are shown, one behind the other. */
struct samples {
	int64_t *v;
	size_t *begin, *fill; /* by slot - 1 */
};

static void samples_init(struct samples *s, struct kernels *k, const struct place *p, size_t n)
{
	size_t i, all = 0;

	s->begin = arena_array(&k->p->mem, n, sizeof(*s->begin));
	s->fill = arena_array(&k->p->mem, n, sizeof(*s->fill));
	for (i = 0; i < n; i++) {
		k->group[p[i].group].slot = (uint32_t)i + 1;
		s->begin[i] = s->fill[i] = all;
		all += k->group[p[i].group].calls;
	}
	s->v = xmalloc((all + 1) * sizeof(*s->v));
	for (i = 0; i < k->p->run->events.n && !k->p->q->no_quantiles; i++) {
		uint32_t at, slot;

		if (k->p->run->events.kind[i] != KIND_KERNEL)
			continue;
		at = kernels_find(k, (uint32_t)i);
		slot = at == KEYMAP_NONE ? 0 : k->group[at].slot;
		if (slot)
			s->v[s->fill[slot - 1]++] = k->p->run->events.dur[i];
	}
}

/* Exact: sums are integers of 128 bits.  NaN for one value, and where they do not fit. */
static double deviation(const struct kernel_group *g)
{
	unsigned __int128 square, sum = (unsigned __int128)g->sum;

	if (g->calls < 2 || g->max > INT64_MAX >> 12 ||
		mul_overflows(g->squares, (unsigned __int128)g->calls, &square))
		return NAN;
	square -= sum * sum;
	return sqrt((double)square / (double)g->calls / ((double)g->calls - 1));
}

static double weighted(double sum, nsec ns)
{
	return ns > 0 ? sum / (double)ns : NAN;
}

static void put_config(struct kernels *k, struct table *t, const struct kernel_group *g)
{
	const struct kernel_config *c;

	if (g->config.variants == 0)
		return;
	c = keymap_key(&k->configs, g->config.value);
	if (c->grid[0])
		table_textf(t, KERNEL_GRID, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, c->grid[0],
			c->grid[1], c->grid[2]);
	if (c->block[0])
		table_textf(t, KERNEL_BLOCK, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, c->block[0],
			c->block[1], c->block[2]);
	if (c->registers != ARG_UNKNOWN)
		table_int(t, KERNEL_REGISTERS, c->registers);
	if (c->shared != ARG_UNKNOWN)
		table_int(t, KERNEL_SHARED, c->shared);
	table_int(t, KERNEL_CONFIGS, g->config.variants);
	table_int(t, KERNEL_CONFIG_CALLS, g->config.calls);
}

static void put_op(struct kernels *k, struct table *t, const struct kernel_group *g)
{
	if (g->op.variants == 0)
		return;
	table_int(t, KERNEL_OPS, g->op.variants);
	table_int(t, KERNEL_OP_CALLS, g->op.calls);
	if (g->op.value)
		table_text(t, KERNEL_OP, strings_get(&k->p->run->strings, g->op.value));
}

static void put_identity(struct kernels *k, struct table *t, sym name, const struct kernel_group *g)
{
	static const char *const words[] = { "unknown", "no", "yes" };

	table_text(t, KERNEL_NAME, strings_get(&k->p->run->strings, name));
	table_text(t, KERNEL_CLASS, span_of(classes_word(g->class)));
	table_text(t, KERNEL_TENSOR, span_of(words[1 + (int)tensor_cores_of(&k->tensor, name)]));
}

static void put_times(
	struct kernels *k, struct table *t, const struct kernel_group *g, const struct samples *s)
{
	static const double q[] = { 0.95, 0.5 };
	int64_t *v = s->v + s->begin[g->slot - 1];
	double x[2];

	table_int(t, KERNEL_SUM, g->sum);
	table_real(t, KERNEL_SHARE, k->sum > 0 ? (double)g->sum / (double)k->sum : NAN);
	table_int(t, KERNEL_CALLS, g->calls);
	table_real(t, KERNEL_MEAN, (double)g->sum / g->calls);
	table_int(t, KERNEL_MIN, g->min);
	table_int(t, KERNEL_MAX, g->max);
	table_real(t, KERNEL_STD, deviation(g));
	stats_quantiles(v, s->fill[g->slot - 1] - s->begin[g->slot - 1], q, 2, x);
	table_real(t, KERNEL_P95, x[0]);
	table_real(t, KERNEL_P50, x[1]);
}

static void put_row(struct kernels *k, struct table *t, uint32_t index, const struct samples *s)
{
	const struct kernel_group *g = &k->group[index];
	const struct kernel_key *key = keymap_key(&k->keys, index);

	table_row(t);
	put_identity(k, t, key->name, g);
	put_times(k, t, g, s);
	table_real(t, KERNEL_ACHIEVED, weighted(g->achieved, g->achieved_ns));
	table_real(t, KERNEL_BLOCKS, weighted(g->blocks, g->blocks_ns));
	put_config(k, t, g);
	put_op(k, t, g);
	if (k->launched > 0) {
		table_int(t, KERNEL_BELOW, g->below);
		table_int(t, KERNEL_LAUNCH_NS, g->launch_ns);
	}
	if (k->roof)
		kernels_put_roof(k, t, index);
}

#define SHOW(column) (UINT64_C(1) << (column))

static uint64_t visible_columns(const struct kernels *k)
{
	uint64_t v = SHOW(KERNEL_SUM) | SHOW(KERNEL_SHARE) | SHOW(KERNEL_CALLS) |
		SHOW(KERNEL_MEAN) | SHOW(KERNEL_NAME);
	bool has_blocks = false;
	size_t i;

	if (k->roof)
		v |= SHOW(KERNEL_TFLOPS) | SHOW(KERNEL_RATIO) | SHOW(KERNEL_BOUND) |
			SHOW(KERNEL_FLOP);
	for (i = 0; i < k->keys.n; i++)
		has_blocks = has_blocks || k->group[i].blocks_ns > 0;
	if (k->by == KERNELS_BY_CONFIG)
		return v | SHOW(KERNEL_GRID) | SHOW(KERNEL_BLOCK) | SHOW(KERNEL_REGISTERS) |
			SHOW(KERNEL_SHARED);
	if (k->by == KERNELS_BY_OP)
		return v | SHOW(KERNEL_OP);
	if (k->roof)
		return v;
	v |= SHOW(KERNEL_P95) | SHOW(KERNEL_TENSOR);
	return has_blocks ? v | SHOW(KERNEL_ACHIEVED) | SHOW(KERNEL_BLOCKS) : v;
}

void kernels_table(struct kernels *k)
{
	size_t limit = rows_limit(k->p->q, k->o->limit, PEOPLE_ROWS, SIZE_MAX), n = k->keys.n, i;
	struct table_doc doc = kernels_docs[KERNELS_KERNELS];
	struct place *p = rank(k);
	struct samples s;
	struct table *t;

	if (n == 0)
		return;
	n = MIN(n, limit);
	if (!k->roof)
		doc.ncol = KERNEL_TFLOPS; /* and all behind it */
	t = perrun_table_seen(k->p, &doc, visible_columns(k));
	samples_init(&s, k, p, n);
	for (i = 0; i < n; i++)
		put_row(k, t, p[i].group, &s);
	free(s.v);
	rows_cut(t, KERNEL_NAME, k->keys.n - n);
}
