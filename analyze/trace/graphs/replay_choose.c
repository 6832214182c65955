/* Which captured graph a replay is: by its kernels, then by graph id, then by the batch that
 * annotations name, then by the order of capture, as pieces of a model are replayed in it. */
#include "analyze/trace/columns/args.h"
#include "analyze/trace/columns/events.h"
#include "analyze/trace/graphs/replay.h"
#include "analyze/trace/graphs/replay_work.h"
#include "base/base.h"

/* How many graphs that are not alike are matched in full, and how much of that there is in all, in
 * steps: replays of which each is another would take for ever.  They fit none, then. */
enum { TRIED_MAX = 4 };
static const int64_t work_max = INT64_C(1) << 31;

/* The names of a shape, sorted; v is NULL before they are asked for. */
struct shape_names {
	sym *v;
	size_t n;
};

/* What fits the kernels of a shape best: shapes of graphs, with the pairs. */
struct fits {
	uint32_t *shape;
	uint32_t **pair;
	size_t n;
	bool is_known;
};

struct choosing {
	struct replay *replay;
	const struct replay_shapes *shapes;
	const struct replay_graph *graph;
	size_t ngraph;
	uint32_t *of_graphs; /* shapes of graphs, each once */
	size_t nshape;
	struct fits *fits; /* by shape of kernels */
	struct keymap ids; /* graph ids that are known: index of graph_of_id */
	uint32_t *graph_of_id;
	size_t id_cap;
	uint32_t *candidate;       /* graphs; scratch */
	struct shape_names *names; /* by shape */
	int64_t work;              /* that is left */
	struct arena *mem;
};

static void list_shapes(struct choosing *c)
{
	bool *seen = arena_array(c->mem, shapes_count(c->shapes), sizeof(*seen));

	c->of_graphs = arena_array(c->mem, c->ngraph, sizeof(*c->of_graphs));
	for (EACH(const struct replay_graph, g, c->graph, c->ngraph)) {
		if (!seen[g->shape])
			c->of_graphs[c->nshape++] = g->shape;
		seen[g->shape] = true;
	}
}

static void add_fit(struct choosing *c, struct fits *f, uint32_t shape, uint32_t *pair)
{
	if (!f->shape) {
		f->shape = arena_array(c->mem, c->nshape, sizeof(*f->shape));
		f->pair = arena_array(c->mem, c->nshape, sizeof(*f->pair));
	}
	f->shape[f->n] = shape;
	f->pair[f->n++] = pair;
}

/* Graphs whose launches are the kernels one by one. */
static void find_alike(struct choosing *c, struct fits *f, struct replay_steps kernels)
{
	uint32_t *pair = NULL;

	for (size_t i = 0; i < c->nshape; i++) {
		if (!replay_alike(c->shapes->v[c->of_graphs[i]], kernels))
			continue;
		if (!pair) {
			pair = arena_array(c->mem, kernels.n, sizeof(*pair));
			for (size_t k = 0; k < kernels.n; k++)
				pair[k] = (uint32_t)k;
		}
		add_fit(c, f, c->of_graphs[i], pair);
	}
}

/* How many pairs there can be at most, by name; and where that is the same, how many more. */
struct bound {
	size_t names, extra;
	uint32_t shape;
};

ORDER(by_bound, struct bound, compare3(b->names, a->names), compare3(a->extra, b->extra),
	compare3(a->shape, b->shape))

ORDER(by_sym, sym, compare3(*a, *b))

static void sort_names(struct choosing *c, uint32_t shape)
{
	struct shape_names *names = &c->names[shape];
	struct replay_steps s = c->shapes->v[shape];

	if (names->v)
		return;
	names->v = arena_array(c->mem, s.n, sizeof(*names->v));
	for (size_t i = 0; i < s.n; i++)
		if (s.v[i].name)
			names->v[names->n++] = s.v[i].name;
	sort_rows(names->v, names->n, sizeof(*names->v), by_sym);
}

static size_t common_names(struct choosing *c, uint32_t a, uint32_t b)
{
	const struct shape_names *x = &c->names[a], *y = &c->names[b];
	size_t i = 0, j = 0, n = 0;

	c->work -= (int64_t)(x->n + y->n);
	while (i < x->n && j < y->n) {
		bool is_less = x->v[i] < y->v[j], is_same = x->v[i] == y->v[j];

		n += is_same;
		i += is_less || is_same;
		j += !is_less;
	}
	return n;
}

static size_t difference(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

/* By the names they share the shapes of graphs that are worth a try. */
static struct bound *rank_shapes(struct choosing *c, uint32_t kernels)
{
	struct bound *v = arena_array(c->mem, c->nshape, sizeof(*v));

	for (size_t i = 0; i < c->nshape; i++) {
		uint32_t launches = c->of_graphs[i];

		v[i] = (struct bound){ common_names(c, launches, kernels),
			difference(c->shapes->v[launches].n, c->shapes->v[kernels].n), launches };
	}
	qsort(v, c->nshape, sizeof(*v), by_bound);
	return v;
}

/* The same names in another order, as kernels of several streams have, need no order. */
static struct replay_fit match(
	struct choosing *c, const struct bound *b, struct replay_steps kernels, uint32_t *pair)
{
	struct replay_steps launches = c->shapes->v[b->shape];
	bool has_order = b->names < kernels.n || b->extra > 0;
	size_t cells = has_order && c->work > 0 ? (size_t)c->work : 0;

	if (has_order)
		c->work -= (int64_t)launches.n * (int64_t)kernels.n;
	return replay_match(launches, kernels, cells, pair, c->mem);
}

/* Graphs that miss some of the kernels, or have more: those with the most pairs. */
static void find_near(struct choosing *c, struct fits *f, uint32_t shape)
{
	struct replay_steps kernels = c->shapes->v[shape];
	struct replay_fit best = { 0, 0 };

	for (size_t i = 0; i < c->nshape; i++)
		sort_names(c, c->of_graphs[i]);
	sort_names(c, shape);
	struct arena_mark mark = arena_mark(c->mem);
	const struct bound *ranked = rank_shapes(c, shape);
	for (size_t i = 0; i < c->nshape && i < TRIED_MAX && best.by_name < kernels.n; i++) {
		uint32_t *pair = arena_array(c->mem, kernels.n, sizeof(*pair));
		struct replay_fit fit = match(c, &ranked[i], kernels, pair);

		if (2 * (fit.by_name + fit.by_place) < kernels.n || fit.by_name < best.by_name ||
			(fit.by_name == best.by_name && fit.by_place < best.by_place))
			continue;
		if (fit.by_name > best.by_name || fit.by_place > best.by_place)
			f->n = 0;
		best = fit;
		add_fit(c, f, ranked[i].shape, pair);
	}
	if (f->n == 0)
		arena_reset(c->mem, mark);
}

static const struct fits *fits_of(struct choosing *c, uint32_t shape)
{
	struct fits *f = &c->fits[shape];

	if (f->is_known)
		return f;
	f->is_known = true;
	find_alike(c, f, c->shapes->v[shape]);
	if (f->n == 0 && c->work > 0)
		find_near(c, f, shape);
	return f;
}

static const uint32_t *pair_of(const struct choosing *c, const struct fits *f, uint32_t graph)
{
	return FIND_VALUE(i, f->n, f->shape[i] == c->graph[graph].shape, f->pair[i], NULL);
}

/* The graphs of those shapes, in the order of capture. */
static size_t list_candidates(struct choosing *c, const struct fits *f)
{
	size_t n = 0;

	for (size_t i = 0; f->n && i < c->ngraph; i++)
		if (pair_of(c, f, (uint32_t)i))
			c->candidate[n++] = (uint32_t)i;
	return n;
}

/* A batch is padded to the next that was captured: only the candidates of that one stay. */
static size_t keep_size(struct choosing *c, size_t n, int64_t size)
{
	int64_t best = INT64_MAX;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t of = c->graph[c->candidate[i]].graph->size;

		best = of >= size && of < best ? of : best;
	}
	if (size < 0 || best == INT64_MAX)
		return n;
	for (size_t i = 0; i < n; i++)
		if (c->graph[c->candidate[i]].graph->size == best)
			c->candidate[kept++] = c->candidate[i];
	return kept;
}

/* The candidate behind the graph that was replayed last, else the first. */
static uint32_t next_in_order(const struct choosing *c, size_t n, uint32_t last)
{
	for (size_t i = 0; i < n && last != NO_ROW; i++)
		if (c->candidate[i] > last)
			return c->candidate[i];
	return c->candidate[0];
}

/* Whether it makes no difference which of the candidates it is. */
static bool are_same(const struct choosing *c, size_t n)
{
	const struct replay_graph *first = &c->graph[c->candidate[0]];

	for (size_t i = 1; i < n; i++) {
		const struct replay_graph *other = &c->graph[c->candidate[i]];

		if (other->of != first->of || other->graph->calls != first->graph->calls)
			return false;
	}
	return true;
}

/* What the graph of that id was taken for before; NULL: it has none, or it is new. */
static uint32_t *known_id(struct choosing *c, int64_t id)
{
	uint32_t at = id == ARG_UNKNOWN ? KEYMAP_NONE : keymap_find(&c->ids, &id);

	return at == KEYMAP_NONE ? NULL : &c->graph_of_id[at];
}

static void learn_id(struct choosing *c, int64_t id, uint32_t graph)
{
	if (id == ARG_UNKNOWN || known_id(c, id))
		return;
	uint32_t at = keymap_add(&c->ids, &id);
	c->graph_of_id =
		arena_grow(c->mem, c->graph_of_id, at, &c->id_cap, sizeof(*c->graph_of_id));
	c->graph_of_id[at] = graph;
}

static uint32_t choose(
	struct choosing *c, const struct replay_one *one, const struct fits *f, uint32_t last)
{
	const uint32_t *known = known_id(c, one->graph_id);

	if (known && pair_of(c, f, *known))
		return *known;
	size_t n = keep_size(c, list_candidates(c, f), one->size);
	if (n == 0)
		return NO_ROW;
	c->replay->alike += !are_same(c, n);
	return next_in_order(c, n, last);
}

static void choose_all(
	struct choosing *c, const struct replay_one *one, size_t n, struct replay_choice *choice)
{
	uint32_t last = NO_ROW;

	for (size_t i = 0; i < n; i++) {
		const struct fits *f = fits_of(c, one[i].shape);

		if (i > 0 && one[i].context != one[i - 1].context)
			last = NO_ROW;
		uint32_t graph = choose(c, &one[i], f, last);
		choice[i] = (struct replay_choice){ graph, NULL };
		if (graph == NO_ROW) {
			c->replay->unfit++;
			continue;
		}
		choice[i].pair = pair_of(c, f, graph);
		learn_id(c, one[i].graph_id, graph);
		last = graph;
	}
}

void replay_choose(struct replay *p, const struct replay_shapes *shapes,
	const struct replay_graph *graph, size_t ngraph, const struct replay_one *one, size_t n,
	struct replay_choice *choice, struct arena *mem)
{
	struct choosing c = {
		.replay = p,
		.shapes = shapes,
		.graph = graph,
		.ngraph = ngraph,
		.mem = mem,
		.work = work_max,
	};

	c.names = arena_array(mem, shapes_count(shapes), sizeof(*c.names));

	c.fits = arena_array(mem, shapes_count(shapes), sizeof(*c.fits));
	c.candidate = arena_array(mem, ngraph, sizeof(*c.candidate));
	keymap_init(&c.ids, sizeof(int64_t));
	list_shapes(&c);
	choose_all(&c, one, n, choice);
	keymap_clear(&c.ids);
}
