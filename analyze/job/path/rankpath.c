/* The path of one rank: which nodes are points, and the stretches between them. */
#include "analyze/job/path/rankpath.h"

/* What a node is among the points. */
enum mark { MARK_NOTHING, MARK_PASSED, MARK_POINT };

struct building {
	struct rankpath *p;
	struct depend *d;
	nsec base;      /* of the run's times to the collectives' */
	nsec *bound;    /* where steps begin and end, ascending */
	size_t nbound;  /* all of them */
	size_t under;   /* that are below what was told */
	uint8_t *mark;  /* by node: enum mark */
	uint32_t *last; /* by step: the node its path ends in */
	uint32_t *of;   /* by node: its point, or of a collective on the way its number */
	uint32_t at;    /* the point whose stretch is being told */
	nsec ns[OWNER_COUNT];
	size_t point_cap, part_cap;
};

static bool is_collective(const struct depend *d, uint32_t node)
{
	return depend_is_work(&d->node[node]) && d->node[node].cls == CLASS_COMM;
}

static uint32_t before(const struct depend *d, uint32_t node)
{
	const struct depend_node *n = &d->node[node];

	return n->binding == EDGE_COUNT ? NO_NODE : n->from[n->binding];
}

/* ---- points ---- */

/* Follows the path of each collective and end to where it meets another, all at once. */
static void mark_points(struct building *b)
{
	const struct depend *d = b->d;

	for (size_t i = 0; i < b->p->nstep; i++)
		if (b->last[i] != NO_NODE)
			b->mark[b->last[i]] = MARK_POINT;
	for (size_t i = d->n; i-- > 0;) {
		uint32_t from = before(d, (uint32_t)i);

		if (is_collective(d, (uint32_t)i))
			b->mark[i] = MARK_POINT;
		if (!b->mark[i] || from == NO_NODE)
			continue;
		b->mark[from] = b->mark[from] ? MARK_POINT : MARK_PASSED;
	}
}

static uint32_t add_point(struct building *b, nsec at, uint32_t collective)
{
	struct rankpath *p = b->p;

	PUSH(p->point, p->npoint, b->point_cap,
		(struct rankpath_point){ .at = at,
			.before = RANKPATH_NONE,
			.collective = collective,
			.step = RANKPATH_NONE });
	return (uint32_t)p->npoint - 1;
}

/* ---- stretches ---- */

/* The step begun last, if it contains that moment. */
static uint32_t step_at(const struct rankpath *p, nsec t)
{
	size_t lo = PARTITION_POINT(i, 0, p->nstep, p->step[i].start <= t);

	return lo > 0 && t < p->step[lo - 1].end ? (uint32_t)(lo - 1) : RANKPATH_NONE;
}

/* The stretch begins at that point. */
static void close_stretch(struct building *b, uint32_t from)
{
	struct rankpath *p = b->p;
	struct rankpath_point *to = &p->point[b->at];

	to->before = from;
	to->part = p->npart;
	to->step = step_at(p, p->point[from].at);
	for (uint32_t o = 0; o < OWNER_COUNT; o++) {
		if (b->ns[o] == 0)
			continue;
		PUSH(p->part, p->npart, b->part_cap, (struct rankpath_part){ b->ns[o], o });
		to->npart++;
	}
	memset(b->ns, 0, sizeof(b->ns));
}

/* segment_fn: ctx is a struct building. */
static void see(void *ctx, const struct segment *s)
{
	struct building *b = ctx;
	nsec end = s->end;

	while (b->under > 0 && b->bound[b->under - 1] > s->start) {
		nsec at = b->bound[--b->under];

		saturate_onto(&b->ns[s->owner], saturate_sub(end, at));
		uint32_t cut = add_point(b, at, RANKPATH_NONE);
		close_stretch(b, cut);
		b->at = cut;
		end = at;
	}
	saturate_onto(&b->ns[s->owner], saturate_sub(end, s->start));
}

static void begin_stretch(struct building *b, uint32_t point)
{
	nsec at = b->p->point[point].at;

	b->under = PARTITION_POINT(i, 0, b->nbound, b->bound[i] < at);
	b->at = point;
}

/* From where b is to the point before: `from`, or on the way to it; NO_NODE: to the very begin. */
static void end_stretch(struct building *b, uint32_t from)
{
	while (from != NO_NODE && b->mark[from] != MARK_POINT && b->d->node[from].at > b->bound[0])
		from = critpath_hop(b->d, from, b->bound[0], see, b);
	if (from != NO_NODE && b->mark[from] == MARK_POINT && b->d->node[from].at >= b->bound[0]) {
		close_stretch(b, b->of[from]);
		return;
	}
	if (b->p->point[b->at].at > b->bound[0])
		close_stretch(b, add_point(b, b->bound[0], RANKPATH_NONE));
}

static void add_node(struct building *b, uint32_t node)
{
	nsec at = b->d->node[node].at;

	b->of[node] = add_point(b, at, is_collective(b->d, node) ? b->of[node] : RANKPATH_NONE);
	if (b->p->point[b->of[node]].collective != RANKPATH_NONE)
		b->p->start[b->p->point[b->of[node]].collective] = b->of[node];
	if (at <= b->bound[0])
		return;
	begin_stretch(b, b->of[node]);
	end_stretch(b, critpath_hop(b->d, node, b->bound[0], see, b));
}

static void add_end(struct building *b, size_t step)
{
	uint32_t node = b->last[step];

	if (node == NO_NODE)
		return;
	b->p->end[step] = add_point(b, b->p->step[step].end, RANKPATH_NONE);
	begin_stretch(b, b->p->end[step]);
	critpath_end(b->d, node, b->bound[0], b->p->step[step].end, see, b);
	end_stretch(b, node);
}

/* ---- all of it ---- */

static void number_collectives(struct building *b)
{
	struct rankpath *p = b->p;
	size_t n = SUM(size_t, i, b->d->n, is_collective(b->d, (uint32_t)i));

	p->row = arena_array(&p->mem, n, sizeof(*p->row));
	p->start = arena_array(&p->mem, n, sizeof(*p->start));
	for (size_t i = 0; i < b->d->n; i++)
		if (is_collective(b->d, (uint32_t)i)) {
			p->start[p->ncollective] = RANKPATH_NONE;
			p->row[p->ncollective] = b->d->node[i].row;
			b->of[i] = (uint32_t)p->ncollective++;
		}
}

ORDER(by_time, nsec, compare3(*a, *b))

static void find_bounds(struct building *b, struct arena *mem)
{
	const struct rankpath *p = b->p;
	size_t n = 0;

	b->bound = arena_array(mem, 2 * p->nstep + 1, sizeof(*b->bound));
	for (size_t i = 0; i < p->nstep; i++) {
		b->bound[2 * i] = p->step[i].start;
		b->bound[2 * i + 1] = p->step[i].end;
	}
	qsort(b->bound, 2 * p->nstep, sizeof(*b->bound), by_time);
	for (size_t i = 0; i < 2 * p->nstep; i++)
		if (n == 0 || b->bound[n - 1] != b->bound[i])
			b->bound[n++] = b->bound[i];
	b->nbound = n;
}

static void find_ends(struct building *b, struct arena *mem)
{
	struct rankpath *p = b->p;

	b->last = arena_array(mem, p->nstep, sizeof(*b->last));
	p->end = arena_array(&p->mem, p->nstep, sizeof(*p->end));
	for (size_t i = 0; i < p->nstep; i++) {
		b->last[i] = critpath_last(b->d, p->step[i].end);
		p->end[i] = RANKPATH_NONE;
	}
}

/* Times of the run become those of the collectives. */
static void move(struct rankpath *p, nsec by)
{
	for (size_t i = 0; i < p->npoint; i++)
		saturate_onto(&p->point[i].at, by);
	for (EACH(struct rankwork_step, step, p->step, p->nstep)) {
		saturate_onto(&step->start, by);
		saturate_onto(&step->end, by);
	}
}

static void build(struct building *b)
{
	number_collectives(b);
	if (b->nbound == 0)
		return;
	rankwork_init(&b->p->work, b->d, b->bound[0], b->bound[b->nbound - 1], b->base, b->of,
		&b->p->mem);
	b->p->work.step = b->p->step;
	b->p->work.nstep = b->p->nstep;
	mark_points(b);
	for (size_t i = 0; i < b->d->n; i++)
		if (b->mark[i] == MARK_POINT)
			add_node(b, (uint32_t)i);
	for (size_t i = 0; i < b->p->nstep; i++)
		add_end(b, i);
	move(b->p, b->base);
}

struct rankpath *rankpath_new(struct depend *d, const struct rankwork_step *step, size_t nstep)
{
	struct rankpath *p = zeroed(1, sizeof(*p));
	struct building b = { .p = p, .d = d };
	SCOPED_ARENA scratch = { 0 };

	b.base = d->run->meta.has_base ? d->run->meta.base_ns : 0;
	p->nstep = nstep;
	p->step = arena_array(&p->mem, nstep, sizeof(*p->step));
	if (nstep > 0)
		memcpy(p->step, step, nstep * sizeof(*step));
	b.mark = zeroed(d->n, sizeof(*b.mark));
	b.of = zeroed(d->n, sizeof(*b.of));
	find_bounds(&b, &scratch);
	find_ends(&b, &scratch);
	build(&b);
	FREE_ALL(b.mark, b.of);
	return p;
}

void rankpath_free(struct rankpath *p)
{
	if (!p)
		return;
	FREE_ALL(p->point, p->part);
	arena_clear(&p->mem);
	free(p);
}

/* ---- the path of one rank: its collectives by their numbers in the rank's digest ---- */

struct numbered {
	uint32_t row, collective;
};

ORDER(by_row, struct numbered, compare3(a->row, b->row))

/* By collective as it came: its number in the digest. */
static uint32_t *find_numbers(
	const struct rankpath *p, const struct collectives *c, struct arena *scratch)
{
	struct numbered *v = arena_array(scratch, c->n, sizeof(*v));
	uint32_t *to = arena_array(scratch, p->ncollective, sizeof(*to));

	for (size_t i = 0; i < c->n && c->row; i++)
		v[i] = (struct numbered){ c->row[i], (uint32_t)i };
	sort_rows(v, c->n, sizeof(*v), by_row);
	for (size_t i = 0; i < p->ncollective; i++) {
		const struct numbered key = { p->row[i], 0 };
		const struct numbered *at =
			c->row ? bsearch(&key, v, c->n, sizeof(*v), by_row) : NULL;

		to[i] = at ? at->collective : RANKPATH_NONE;
	}
	return to;
}

static void renumber(uint32_t *collective, const uint32_t *to)
{
	if (*collective != RANKPATH_NONE)
		*collective = to[*collective];
}

void rankpath_number(struct rankpath *p, const struct collectives *c)
{
	uint32_t *start = arena_array(&p->mem, c->n, sizeof(*start));
	SCOPED_ARENA scratch = { 0 };

	uint32_t *to = find_numbers(p, c, &scratch);
	FILL(start, c->n, RANKPATH_NONE);
	for (size_t i = 0; i < p->ncollective; i++)
		if (to[i] != RANKPATH_NONE)
			start[to[i]] = p->start[i];
	for (size_t i = 0; i < p->npoint; i++)
		renumber(&p->point[i].collective, to);
	for (size_t i = 0; i < p->work.n; i++)
		renumber(&p->work.v[i].collective, to);
	p->start = start;
	p->ncollective = c->n;
	p->row = NULL;
}
