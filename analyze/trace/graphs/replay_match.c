/* Matching: names in order by the longest common subsequence, then names alone, then places. */
#include "analyze/trace/graphs/replay_work.h"

#define XXH_INLINE_ALL
#include <assert.h>
#include <xxhash.h>

#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/kinds.h"
#include "base/base.h"

struct match {
	struct replay_steps launches, kernels;
	uint32_t *pair; /* by kernel */
	bool *taken;    /* by launch */
	bool *anchor;   /* by kernel: its pair is in the order of both */
	size_t cells;   /* at most, of a table */
	struct arena *mem;
};

static bool same_name(const struct replay_step *a, const struct replay_step *b)
{
	return a->name && a->name == b->name && a->kind == b->kind;
}

static void add_pair(struct match *m, size_t launch, size_t kernel, bool is_anchor)
{
	m->pair[kernel] = (uint32_t)launch;
	m->taken[launch] = true;
	m->anchor[kernel] = is_anchor;
}

/* Launches l..l_end and kernels k..k_end. */
struct stretch {
	size_t l, l_end, k, k_end;
};

/* Length of the longest common subsequence from (l, k) on, in the cell of both. */
static uint32_t *common_lengths(const struct match *m, const struct stretch *s)
{
	size_t rows = s->l_end - s->l, columns = s->k_end - s->k;
	uint32_t *cell = arena_array(m->mem, (rows + 1) * (columns + 1), sizeof(*cell));

	for (size_t i = rows; i-- > 0;) {
		uint32_t *at = cell + i * (columns + 1), *below = at + columns + 1;

		for (size_t j = columns; j-- > 0;) {
			if (same_name(&m->launches.v[s->l + i], &m->kernels.v[s->k + j]))
				at[j] = below[j + 1] + 1;
			else
				at[j] = MAX(below[j], at[j + 1]);
		}
	}
	return cell;
}

/* The pairs of that subsequence; of several as long, the one with the earliest launches. */
static void pair_common(struct match *m, const struct stretch *s)
{
	size_t rows = s->l_end - s->l, columns = s->k_end - s->k, i = 0, j = 0;
	struct arena_mark mark = arena_mark(m->mem);

	if (rows == 0 || columns == 0 || rows > m->cells / columns)
		return;
	const uint32_t *cell = common_lengths(m, s);
	while (i < rows && j < columns) {
		const uint32_t *at = cell + i * (columns + 1) + j;

		if (same_name(&m->launches.v[s->l + i], &m->kernels.v[s->k + j]))
			add_pair(m, s->l + i++, s->k + j++, true);
		else if (at[1] > at[columns + 1])
			j++;
		else
			i++;
	}
	arena_reset(m->mem, mark);
}

/* What is the same at both ends needs no table. */
static void pair_in_order(struct match *m)
{
	struct stretch s = { 0, m->launches.n, 0, m->kernels.n };

	while (s.l < s.l_end && s.k < s.k_end && same_name(&m->launches.v[s.l], &m->kernels.v[s.k]))
		add_pair(m, s.l++, s.k++, true);
	while (s.l < s.l_end && s.k < s.k_end &&
		same_name(&m->launches.v[s.l_end - 1], &m->kernels.v[s.k_end - 1]))
		add_pair(m, --s.l_end, --s.k_end, true);
	pair_common(m, &s);
}

struct named {
	struct replay_step step;
	uint32_t at;
};

ORDER(by_name, struct named, compare3(a->step.name, b->step.name),
	compare3(a->step.kind, b->step.kind), compare3(a->at, b->at))

/* Those that have a name and are in no pair. */
static struct named *list_named(const struct match *m, bool of_kernels, size_t *n)
{
	const struct replay_steps *s = of_kernels ? &m->kernels : &m->launches;
	struct named *v = arena_array(m->mem, s->n, sizeof(*v));
	size_t i;

	for (i = 0, *n = 0; i < s->n; i++)
		if (s->v[i].name && (of_kernels ? m->pair[i] == NO_ROW : !m->taken[i]))
			v[(*n)++] = (struct named){ s->v[i], (uint32_t)i };
	sort_rows(v, *n, sizeof(*v), by_name);
	return v;
}

/* The first launch of a name with its first kernel, the second with its second, ... */
static void pair_by_name(struct match *m)
{
	struct arena_mark mark = arena_mark(m->mem);
	size_t nlaunch, nkernel, i = 0, j = 0;
	const struct named *launch = list_named(m, false, &nlaunch);
	const struct named *kernel = list_named(m, true, &nkernel);

	while (i < nlaunch && j < nkernel) {
		struct named a = launch[i], b = kernel[j];

		a.at = b.at = 0;
		if (same_name(&a.step, &b.step))
			add_pair(m, launch[i++].at, kernel[j++].at, false);
		else if (by_name(&a, &b) < 0)
			i++;
		else
			j++;
	}
	arena_reset(m->mem, mark);
}

static bool is_free_launch(const struct match *m, size_t i, uint32_t kind)
{
	return !m->taken[i] && !m->launches.v[i].name && m->launches.v[i].kind == kind;
}

static bool is_free_kernel(const struct match *m, size_t i, uint32_t kind)
{
	return m->pair[i] == NO_ROW && m->kernels.v[i].kind == kind;
}

static void pair_kind(struct match *m, const struct stretch *s, uint32_t kind)
{
	size_t launches = 0, kernels = 0;

	for (size_t i = s->l; i < s->l_end; i++)
		launches += is_free_launch(m, i, kind);
	for (size_t j = s->k; j < s->k_end; j++)
		kernels += is_free_kernel(m, j, kind);
	if (launches != kernels)
		return;
	for (size_t i = s->l, j = s->k; launches > 0; launches--) {
		i = FIRST_FROM(k, i, s->l_end, is_free_launch(m, k, kind));
		j = FIRST_FROM(k, j, s->k_end, is_free_kernel(m, k, kind));
		assert(i < s->l_end && j < s->k_end);
		add_pair(m, i++, j++, false);
	}
}

static void pair_by_place(struct match *m)
{
	struct stretch s = { 0 };

	for (size_t j = 0; j <= m->kernels.n; j++) {
		bool is_end = j == m->kernels.n;

		if (!is_end && !m->anchor[j])
			continue;
		s.l_end = is_end ? m->launches.n : m->pair[j];
		s.k_end = j;
		pair_kind(m, &s, KIND_KERNEL);
		pair_kind(m, &s, KIND_MEMCPY);
		pair_kind(m, &s, KIND_MEMSET);
		s.l = s.l_end + 1;
		s.k = s.k_end + 1;
	}
}

struct replay_fit replay_match(struct replay_steps launches, struct replay_steps kernels,
	size_t cells, uint32_t *pair, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	struct match m = { .launches = launches,
		.kernels = kernels,
		.pair = pair,
		.taken = arena_array(mem, launches.n, sizeof(bool)),
		.anchor = arena_array(mem, kernels.n, sizeof(bool)),
		.cells = MIN(cells, MATCH_CELLS_MAX),
		.mem = mem };
	struct replay_fit fit = { 0, 0 };

	memset(pair, 0xff, kernels.n * sizeof(*pair));
	pair_in_order(&m);
	pair_by_name(&m);
	pair_by_place(&m);
	for (size_t i = 0; i < kernels.n; i++) {
		if (pair[i] == NO_ROW)
			continue;
		if (same_name(&launches.v[pair[i]], &kernels.v[i]))
			fit.by_name++;
		else
			fit.by_place++;
	}
	arena_reset(mem, mark);
	return fit;
}

bool replay_alike(struct replay_steps launches, struct replay_steps kernels)
{
	for (size_t i = 0; i < kernels.n && launches.n == kernels.n; i++) {
		const struct replay_step *a = &launches.v[i], *b = &kernels.v[i];

		if (a->kind != b->kind || (a->name && b->name && a->name != b->name))
			return false;
	}
	return launches.n == kernels.n;
}

/* ---- shapes: sequences of launches or kernels, found by their hash ---- */

struct shape_key {
	uint64_t hash;
	uint64_t turn; /* of shapes with one hash */
};

void shapes_init(struct replay_shapes *s)
{
	*s = (struct replay_shapes){ 0 };
	keymap_init(&s->by_hash, sizeof(struct shape_key));
}

void shapes_clear(struct replay_shapes *s)
{
	keymap_clear(&s->by_hash);
	*s = (struct replay_shapes){ 0 };
}

size_t shapes_count(const struct replay_shapes *s)
{
	return s->by_hash.n;
}

static bool same(struct replay_steps a, struct replay_steps b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.v, b.v, a.n * sizeof(*a.v)) == 0);
}

uint32_t shapes_add(struct replay_shapes *s, struct replay_steps steps, struct arena *mem)
{
	struct shape_key key = { XXH3_64bits(steps.v, steps.n * sizeof(*steps.v)), 0 };

	for (;; key.turn++) {
		size_t before = s->by_hash.n;
		uint32_t at = keymap_add(&s->by_hash, &key);

		if (s->by_hash.n > before) {
			s->v = arena_grow(mem, s->v, before, &s->cap, sizeof(*s->v));
			s->v[at] = steps;
			return at;
		}
		if (same(s->v[at], steps))
			return at;
	}
}
