/* Clocks: edges between ranks, the tree of the best, and what they add up to. */
#include "analyze/job/clocks/rank_clocks.h"

#include "analyze/job/clocks/clock_steps.h"
#include "analyze/stat/line.h"
#include "analyze/trace/columns/keymap.h"
#include "base/base.h"

#define NOBODY UINT32_MAX
enum { NS_PER_US = 1000 }; /* what older traces tell times in */
/* A lower rank is preferred as everybody's other end if it has this share of the most meets. */
static const double nearly_most = 0.9;

struct edge_key {
	uint32_t a, b;  /* places of ranks, a < b */
	uint32_t worth; /* enum worth */
};

struct edge {
	struct edge_key of;
	size_t n;               /* common meets */
	size_t first;           /* of its points */
	struct job_clock clock; /* of b against a */
	bool is_used;
};

/* Of the collectives of a rank. */
struct extent {
	nsec first, last; /* start, end */
	nsec resolution;  /* times are multiples of it */
};

struct clockwork {
	struct job *j;
	struct arena mem;
	uint32_t *centre;   /* by group: the rank in most of its meets, or NOBODY */
	struct keymap keys; /* struct edge_key */
	struct edge *edge;
	size_t nedge, edge_cap;
	uint32_t *recent;          /* by the sum of its ranks: 1 + an edge that was asked for */
	struct clock_point *point; /* of the edges */
	struct extent *extent;     /* by rank */
	uint32_t *island;          /* by rank, while edges are joined: a rank of the same island */
};

static nsec end_of(const struct job *j, const struct job_arrival *a)
{
	const struct collective *c = job_collective(j, a);

	return saturate_add(c->start, c->dur);
}

/* What tells more of clocks: collectives, sends and receives, what is neither by its name. */
enum worth { OF_COLLECTIVES, OF_PAIRS, OF_UNKNOWN };

static enum worth worth_of(const struct collective_instance *m)
{
	if (m->op == COMM_SEND)
		return OF_PAIRS;
	return m->op == COMM_SEND_RECV || m->op == COMM_UNKNOWN ? OF_UNKNOWN : OF_COLLECTIVES;
}

/* Of each group the lowest rank that is in nearly as many meets as any. */
static void find_centres(struct clockwork *w)
{
	struct job *j = w->j;
	size_t *begin = arena_array(&w->mem, j->ngroup + 1, sizeof(*begin)), k, *count;

	for (size_t g = 0; g < j->ngroup; g++)
		begin[g + 1] = begin[g] + j->group[g].nmember;
	count = arena_array(&w->mem, begin[j->ngroup], sizeof(*count));
	w->centre = arena_array(&w->mem, j->ngroup, sizeof(*w->centre));
	for (EACH(const struct collective_instance, m, j->meet, j->nmeet)) {
		const struct job_group *group = &j->group[m->group];
		size_t at = 0;

		for (k = 0; k < m->n && m->is_sync && m->op != COMM_SEND; k++) {
			while (at < group->nmember && group->member[at] < m->arrival[k].rank)
				at++;
			if (at < group->nmember)
				count[begin[m->group] + at]++;
		}
	}
	for (size_t g = 0; g < j->ngroup; g++) {
		size_t most = 0;

		for (k = begin[g]; k < begin[g + 1]; k++)
			most = MAX(count[k], most);
		for (k = begin[g]; k < begin[g + 1]; k++)
			if ((double)count[k] >= nearly_most * (double)most)
				break;
		w->centre[g] = most > 0 ? j->group[g].member[k - begin[g]] : NOBODY;
	}
}

/* What two ranks have to say of each other in a meet; is asked for all that have. */
typedef void visit_fn(struct clockwork *w, const struct edge_key *of, const struct job_arrival *a,
	const struct job_arrival *b);

static void visit_two(struct clockwork *w, visit_fn *fn, const struct collective_instance *m,
	const struct job_arrival *a, const struct job_arrival *b)
{
	const struct job_arrival *first = a->rank < b->rank ? a : b, *last = first == a ? b : a;
	const struct edge_key of = { first->rank, last->rank, (uint32_t)worth_of(m) };

	if (of.a != of.b)
		fn(w, &of, first, last);
}

static void visit(struct clockwork *w, visit_fn *fn)
{
	const struct job *j = w->j;
	uint32_t at;

	for (EACH(const struct collective_instance, m, j->meet, j->nmeet)) {
		if (!m->is_sync)
			continue;
		for (at = 0; at < m->n && m->op != COMM_SEND; at++)
			if (m->arrival[at].rank == w->centre[m->group])
				break;
		for (uint32_t k = 0; k < m->n && at < m->n; k++)
			visit_two(w, fn, m, &m->arrival[at], &m->arrival[k]);
	}
}

/* keymap_add, where most meets are of few groups. */
static uint32_t edge_at(struct clockwork *w, const struct edge_key *of)
{
	uint32_t *recent = &w->recent[(size_t)of->a + of->b];

	if (!*recent || memcmp(&w->edge[*recent - 1].of, of, sizeof(*of)) != 0) {
		uint32_t at = keymap_add(&w->keys, of);

		if (at == w->nedge) {
			w->edge = array_grow(w->edge, &w->edge_cap, at + 1, sizeof(*w->edge));
			w->edge[at] = (struct edge){ .of = *of };
			w->nedge++;
		}
		*recent = at + 1;
	}
	return *recent - 1;
}

static void count_edge(struct clockwork *w, const struct edge_key *of,
	const struct job_arrival *a UNUSED, const struct job_arrival *b UNUSED)
{
	uint32_t at = edge_at(w, of);

	w->edge[at].n++;
}

static void add_point(struct clockwork *w, const struct edge_key *of, const struct job_arrival *a,
	const struct job_arrival *b)
{
	uint32_t at = edge_at(w, of);
	struct edge *e = &w->edge[at];

	w->point[e->first + e->n++] = (struct clock_point){ end_of(w->j, b), end_of(w->j, a) };
}

static void collect_points(struct clockwork *w)
{
	size_t n = 0;

	for (EACH(struct edge, edge, w->edge, w->nedge)) {
		edge->first = n;
		n += edge->n;
		edge->n = 0;
	}
	w->point = arena_array(&w->mem, n, sizeof(*w->point));
	visit(w, add_point);
}

ORDER(by_own, struct clock_point, compare3(a->own, b->own), compare3(a->other, b->other))

/* They mostly are in order. */
static void sort_points(struct clock_point *p, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (by_own(&p[i - 1], &p[i]) > 0) {
			qsort(p, n, sizeof(*p), by_own);
			return;
		}
}

/* By the line of a clock, whatever it was set by. */
static nsec line_time(const struct job_clock *c, nsec own)
{
	nsec since = saturate_sub(own, c->at);

	return saturate_add(
		c->true_at, saturate_sub(since, saturate_round(c->drift * (double)since)));
}

nsec job_time(const struct job_clock *c, nsec own)
{
	return line_time(c, clock_step_back(c, own));
}

/* Looks for clocks that are set; points are in order then. */
static void find_steps(struct clockwork *w)
{
	struct clock_edge *v = arena_array(&w->mem, w->nedge, sizeof(*v));

	for (size_t i = 0; i < w->nedge; i++) {
		const struct edge *e = &w->edge[i];

		sort_points(w->point + e->first, e->n);
		v[i] = (struct clock_edge){ e->of.a, e->of.b, w->point + e->first, e->n };
	}
	clock_steps(w->j, v, w->nedge, &w->mem);
}

/* The clock of b against a's. */
static void fit(struct clockwork *w, struct edge *e)
{
	struct arena_mark mark = arena_mark(&w->mem);
	struct clock_point *p = w->point + e->first;
	double *x = arena_array(&w->mem, e->n, sizeof(*x));
	double *y = arena_array(&w->mem, e->n, sizeof(*y));
	const struct extent *a = &w->extent[e->of.a], *b = &w->extent[e->of.b];
	struct job_clock *c = &e->clock;

	nsec zero = p[e->n / 2].own;
	nsec apart = saturate_sub(zero, p[e->n / 2].other);
	for (size_t i = 0; i < e->n; i++) {
		x[i] = (double)saturate_sub(p[i].own, zero);
		y[i] = (double)saturate_sub(saturate_sub(p[i].own, p[i].other), apart);
	}
	struct robustline l =
		robustline_fit(x, y, e->n, (double)MAX(a->resolution, b->resolution), &w->mem);
	*c = (struct job_clock){ .nmeet = e->n };
	if (!isnan(l.slope)) {
		c->is_known = true;
		c->at = saturate_add(zero, saturate_round(l.x));
		double reach = fmax((double)saturate_sub(b->last, c->at),
			(double)saturate_sub(c->at, b->first));
		c->true_at = saturate_sub(saturate_sub(c->at, apart), saturate_round(l.y));
		c->drift = l.slope;
		c->drift_error = l.slope_error;
		c->offset_error = fmax(l.y_error, 1);
		c->uncertainty = saturate_round(ceil(l.spread + l.y_error + l.slope_error * reach));
	}
	arena_reset(&w->mem, mark);
}

/* The clock of a against b's, of that of b against a's. */
static struct job_clock inverse(const struct job_clock *c)
{
	struct job_clock i = *c;

	i.at = c->true_at;
	i.true_at = c->at;
	i.drift = 1 - 1 / (1 - c->drift);
	return i;
}

/* What is less sure of itself by its kind has to be better. */
static double doubt(const struct edge *e)
{
	return (double)e->clock.uncertainty * (1 + e->of.worth);
}

static int by_worth(const void *pa, const void *pb)
{
	const struct edge *const *a = pa, *const *b = pb;

	return COMPARE_BY(compare3(doubt(*a), doubt(*b)), compare3((*b)->n, (*a)->n),
		compare3((*a)->of.a, (*b)->of.a), compare3((*a)->of.b, (*b)->of.b));
}

static uint32_t island_of(struct clockwork *w, uint32_t rank)
{
	while (w->island[rank] != rank) { /* each island has its own root */
		w->island[rank] = w->island[w->island[rank]];
		rank = w->island[rank];
	}
	return rank;
}

/* The best edges that join what is not joined yet (Kruskal); the lowest rank names an island. */
static void choose_edges(struct clockwork *w)
{
	struct edge **by = arena_array(&w->mem, w->nedge, sizeof(*by));

	w->island = arena_array(&w->mem, w->j->nrank, sizeof(*w->island));
	for (size_t i = 0; i < w->j->nrank; i++)
		w->island[i] = (uint32_t)i;
	for (size_t i = 0; i < w->nedge; i++)
		by[i] = &w->edge[i];
	sort_rows(by, w->nedge, sizeof(*by), by_worth);
	for (size_t i = 0; i < w->nedge; i++) {
		uint32_t a = island_of(w, by[i]->of.a), b = island_of(w, by[i]->of.b);

		if (!by[i]->clock.is_known || a == b)
			continue;
		by[i]->is_used = true;
		w->island[MAX(a, b)] = MIN(a, b);
	}
}

/* The edges of each rank that are used. */
struct tree {
	size_t *begin; /* by rank; nrank + 1 */
	const struct edge **edge;
	uint32_t *queue; /* ranks of the island at hand, parents first */
};

static void make_tree(struct clockwork *w, struct tree *t)
{
	size_t nrank = w->j->nrank;

	t->begin = arena_array(&w->mem, nrank + 2, sizeof(*t->begin));
	t->queue = arena_array(&w->mem, nrank, sizeof(*t->queue));
	size_t *fill = t->begin + 1;
	for (EACH(const struct edge, e, w->edge, w->nedge))
		if (e->is_used) {
			fill[e->of.a + 1]++;
			fill[e->of.b + 1]++;
		}
	for (size_t i = 0; i < nrank; i++)
		fill[i + 1] += fill[i];
	t->edge = arena_array(&w->mem, fill[nrank], sizeof(*t->edge));
	for (EACH(struct edge, one, w->edge, w->nedge))
		if (one->is_used) {
			t->edge[fill[one->of.a]++] = one;
			t->edge[fill[one->of.b]++] = one;
		}
}

/* A clock against its parent's becomes one against the reference. */
static void compose(struct job_clock *c, const struct job_clock *parent)
{
	double away = fabs((double)saturate_sub(c->true_at, parent->at));

	c->true_at = line_time(parent, c->true_at);
	c->offset = (double)saturate_sub(c->at, c->true_at);
	c->drift = 1 - (1 - c->drift) * (1 - parent->drift);
	c->offset_error =
		hypot(hypot(c->offset_error, parent->offset_error), parent->drift_error * away);
	c->drift_error = hypot(c->drift_error, parent->drift_error);
	c->uncertainty =
		saturate_round(ceil(hypot((double)c->uncertainty, (double)parent->uncertainty)));
}

/* All ranks that the tree joins with `root`; how many. */
static size_t walk(struct clockwork *w, struct tree *t, uint32_t root)
{
	struct job *j = w->j;
	size_t n = 1;

	t->queue[0] = root;
	j->rank[root].clock.is_known = true;
	j->rank[root].clock.island = root;
	for (size_t i = 0; i < n; i++) {
		uint32_t parent = t->queue[i];

		for (size_t k = t->begin[parent]; k < t->begin[parent + 1]; k++) {
			const struct edge *e = t->edge[k];
			uint32_t child = e->of.a == parent ? e->of.b : e->of.a;
			struct job_clock c = e->of.b == child ? e->clock : inverse(&e->clock);

			if (j->rank[child].clock.is_known)
				continue;
			compose(&c, &j->rank[parent].clock);
			c.island = root;
			c.nset = j->rank[child].clock.nset;
			memcpy(c.set, j->rank[child].clock.set, sizeof(c.set));
			j->rank[child].clock = c;
			t->queue[n++] = child;
		}
	}
	return n;
}

struct island {
	size_t n;
	uint32_t root;
};

ORDER(by_size, struct island, compare3(b->n, a->n), compare3(a->root, b->root))

/* Islands get numbers, the largest first; whoever is alone has a clock that is worth nothing. */
static void number_islands(struct clockwork *w, struct island *v, size_t n)
{
	struct job *j = w->j;
	uint32_t *number = arena_array(&w->mem, j->nrank, sizeof(*number));

	sort_rows(v, n, sizeof(*v), by_size);
	for (size_t i = 0; i < n; i++) {
		number[v[i].root] = (uint32_t)i;
		j->rank[v[i].root].clock.is_known = v[i].n > 1 || i == 0;
	}
	for (size_t i = 0; i < j->nrank; i++)
		j->rank[i].clock.island = number[j->rank[i].clock.island];
	j->nisland = (uint32_t)n;
	j->reference = n > 0 ? v[0].root : 0;
}

static void find_extents(struct clockwork *w)
{
	w->extent = arena_array(&w->mem, w->j->nrank, sizeof(*w->extent));
	for (size_t r = 0; r < w->j->nrank; r++) {
		const struct collectives *c = w->j->rank[r].digest->collectives;
		struct extent e = { INT64_MAX, INT64_MIN, NS_PER_US };

		for (size_t i = 0; c && i < c->n; i++) {
			nsec start = c->v[i].start, end = saturate_add(start, c->v[i].dur);

			e.first = MIN(start, e.first);
			e.last = MAX(end, e.last);
			if (start % NS_PER_US || c->v[i].dur % NS_PER_US)
				e.resolution = 1;
		}
		w->extent[r] = e;
	}
}

void clocks(struct job *j)
{
	struct clockwork w = { .j = j };
	struct island *island;
	struct tree tree;
	size_t n = 0;

	keymap_init(&w.keys, sizeof(struct edge_key));
	w.recent = arena_array(&w.mem, 2 * j->nrank, sizeof(*w.recent));
	find_extents(&w);
	find_centres(&w);
	visit(&w, count_edge);
	collect_points(&w);
	find_steps(&w);
	for (uint32_t i = 0; i < w.nedge; i++)
		fit(&w, &w.edge[i]);
	choose_edges(&w);
	make_tree(&w, &tree);
	island = arena_array(&w.mem, j->nrank, sizeof(*island));
	for (uint32_t i = 0; i < j->nrank; i++)
		if (!j->rank[i].clock.is_known) {
			island[n].root = i;
			island[n++].n = walk(&w, &tree, i);
		}
	number_islands(&w, island, n);
	keymap_clear(&w.keys);
	free(w.edge);
	arena_clear(&w.mem);
}
