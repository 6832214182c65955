/* The walk backwards. */
#include "analyze/depgraph/critpath.h"

#include "analyze/measure/host/hostpath.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/words.h"

WORDS(owner_key, enum owner, OWNERS, 2)

WORDS(owner_word, enum owner, OWNERS, 3)

WORDS(owner_doc, enum owner, OWNERS, 4)

enum owner owner_of_host(enum host_class cls)
{
	static const enum owner of[HOST_COUNT] = {
		[HOST_NOTHING] = OWNER_NOTHING,
		[HOST_PYTHON] = OWNER_PYTHON,
		[HOST_OP] = OWNER_OP,
		[HOST_RUNTIME] = OWNER_RUNTIME,
		[HOST_LAUNCH] = OWNER_LAUNCH,
		[HOST_SYNC] = OWNER_SYNC,
		[HOST_DATA] = OWNER_DATA,
	};

	return of[cls];
}

enum owner owner_of_work(enum devclass cls)
{
	return cls == CLASS_COMM ? OWNER_COMM : cls == CLASS_MEMCPY ? OWNER_COPY : OWNER_KERNEL;
}

/* What one path leaves for the next. */
struct depend_paths {
	struct hostpath path;
	uint8_t *known;        /* by place: 1 + its enum host_class; 0: not asked */
	struct segment *piece; /* of host time, being turned round */
	size_t cap;
	uint32_t *up; /* places not asked, inner ones first */
	size_t cap_up;
	uint32_t *by_end; /* nodes, the first that finished first; made when it was asked often */
	size_t asked;     /* what finished last */
};

static struct depend_paths *paths_of(struct depend *d)
{
	struct depend_paths *p = d->paths;

	if (p)
		return p;
	d->paths = p = zeroed(1, sizeof(*p));
	hostpath_init(&p->path, d->run);
	p->known = zeroed(d->run->order->host_begin[d->run->lanes.n], sizeof(*p->known));
	return p;
}

void critpath_forget(struct depend *d)
{
	struct depend_paths *p = d->paths;

	if (!p)
		return;
	hostpath_clear(&p->path);
	FREE_ALL(p->known, p->piece, p->up, p->by_end, p);
	d->paths = NULL;
}

/* A walk under way: what is at t and before it is still to be told. */
struct walk {
	struct depend *d;
	struct depend_paths *p;
	nsec start, t;
	segment_fn *fn;
	void *ctx;
};

/* Tells what lies between `from` and t, as far as it is in the stretch. */
static void tell(struct walk *w, nsec from, struct segment s)
{
	s.start = MAX(from, w->start);
	s.end = w->t;
	if (s.start < s.end) {
		w->fn(w->ctx, &s);
		w->t = s.start;
	}
}

/* The class of a place, by all that is around it.  Each place is asked once. */
static enum host_class class_at(struct walk *w, uint32_t place)
{
	struct depend_paths *p = w->p;
	enum host_class cls = HOST_NOTHING;
	size_t n = 0;
	uint32_t at;

	if (place == NO_ROW)
		return cls;
	for (at = place; at != NO_ROW && !p->known[at]; at = hostpath_up(&p->path, at))
		PUSH(p->up, n, p->cap_up, at);
	if (at != NO_ROW)
		cls = (enum host_class)(p->known[at] - 1);
	while (n-- > 0) {
		cls = hostwhat_class(&w->d->what, hostpath_row(&p->path, p->up[n]), cls);
		p->known[p->up[n]] = (uint8_t)(cls + 1);
	}
	return cls;
}

/* What a thread is in at t: up to s->end at most. */
static void find_piece(struct walk *w, nsec t, struct segment *s)
{
	struct depend_paths *p = w->p;
	struct hostwhat *what = &w->d->what;
	uint32_t place = hostpath_at(&p->path, s->lane, t);

	s->start = t;
	s->end = hostpath_until(&p->path, s->lane, place, t, s->end);
	s->row = place == NO_ROW ? NO_ROW : hostpath_row(&p->path, place);
	enum host_class cls = class_at(w, place);
	uint32_t at = pyframes_at(&what->functions, s->lane, t, &s->end);

	uint32_t function = at == NO_ROW ? NO_ROW : what->functions.row[at];

	if (hostwhat_is_function(what, cls, s->row, function)) {
		s->function = function;
		cls = HOST_PYTHON;
	}
	s->owner = owner_of_host(cls);
}

/* A thread ran from `from` to t: piece by piece, the last first. */
static void tell_host(struct walk *w, uint32_t node, uint32_t lane, nsec from)
{
	struct depend_paths *p = w->p;
	nsec t = MAX(from, w->start), end = w->t;
	size_t n;

	for (n = 0; t < end; n++) {
		if (n == p->cap)
			p->piece = array_grow(p->piece, &p->cap, n + 1, sizeof(*p->piece));
		p->piece[n] = (struct segment){ .end = end,
			.function = NO_ROW,
			.lane = lane,
			.node = node,
			.edge = EDGE_PREV };
		find_piece(w, t, &p->piece[n]);
		t = p->piece[n].end;
	}
	while (n > 0) {
		struct segment s = p->piece[--n];

		tell(w, s.start, s);
	}
}

/* What was between a node and what bound it. */
static void tell_edge(struct walk *w, uint32_t node, enum edge e, nsec from)
{
	const struct depend_node *n = &w->d->node[node];
	struct segment s = {
		.row = n->row, .function = NO_ROW, .lane = n->lane, .node = node, .edge = e
	};

	if (depend_is_work(n)) {
		s.owner = e == EDGE_CAUSE ? OWNER_LAUNCH_DELAY : OWNER_GAP;
		tell(w, from, s);
	} else if (e == EDGE_PREV) {
		tell_host(w, node, n->lane, from);
	} else {
		s.owner = n->point == POINT_RETURN ? OWNER_RETURN : OWNER_HANDOVER;
		if (s.owner == OWNER_HANDOVER)
			s.row = NO_ROW;
		tell(w, from, s);
	}
}

static void tell_work(struct walk *w, uint32_t node)
{
	const struct depend_node *n = &w->d->node[node];

	tell(w, n->at,
		(struct segment){ .row = n->row,
			.function = NO_ROW,
			.lane = n->lane,
			.node = node,
			.owner = owner_of_work((enum devclass)n->cls),
			.edge = EDGE_COUNT });
}

static void tell_unknown(struct walk *w, uint32_t node)
{
	const struct depend_node *n = &w->d->node[node];

	if (!depend_is_work(n))
		tell_host(w, node, n->lane, w->start);
	tell(w, w->start,
		(struct segment){ .row = NO_ROW,
			.function = NO_ROW,
			.lane = n->lane,
			.node = node,
			.owner = OWNER_UNRECORDED,
			.edge = EDGE_COUNT });
}

/* The first node later than t. */
static size_t first_after(const struct depend *d, nsec t)
{
	return PARTITION_POINT(i, 0, d->n, d->node[i].at <= t);
}

/* Whether the path of a stretch that ends there ends in that node: steps end with their marks; on
 * the device, with the first work of the next (NO_ROW: with any that begins then). */
static bool ends_in(const struct depend *d, const struct depend_node *n, uint32_t first)
{
	const struct steps *s = d->run->steps;

	if (!s || s->source == STEPS_WHOLE)
		return false;
	if (!s->on_device)
		return n->point == POINT_MARK && n->row % 2 == 1;
	return depend_is_work(n) && (first == NO_ROW || n->row == first);
}

/* What finished last by t, of the nodes before that one; of equals the last. */
static uint32_t look_through(const struct depend *d, size_t before, nsec t)
{
	uint32_t best = NO_NODE;
	nsec latest = INT64_MIN;

	for (size_t i = 0; i < before; i++) {
		nsec fin = depend_fin(d, (uint32_t)i);

		if (fin > t || fin < latest)
			continue;
		latest = fin;
		best = (uint32_t)i;
	}
	return best;
}

struct ending {
	nsec fin;
	uint32_t node;
};

ORDER(by_fin, struct ending, compare3(a->fin, b->fin), compare3(a->node, b->node))

static void sort_ends(const struct depend *d, struct depend_paths *p)
{
	struct ending *v = zeroed(d->n, sizeof(*v));

	for (size_t i = 0; i < d->n; i++)
		v[i] = (struct ending){ depend_fin(d, (uint32_t)i), (uint32_t)i };
	qsort(v, d->n, sizeof(*v), by_fin);
	p->by_end = zeroed(d->n, sizeof(*p->by_end));
	for (size_t i = 0; i < d->n; i++)
		p->by_end[i] = v[i].node;
	free(v);
}

enum { ASKED_OFTEN = 8 };

/* The same, also when it is asked for each of many steps. */
static uint32_t finished_last(struct depend *d, size_t before, nsec t)
{
	struct depend_paths *p = paths_of(d);

	if (!p->by_end && p->asked++ < ASKED_OFTEN)
		return look_through(d, before, t);
	if (!p->by_end)
		sort_ends(d, p);
	size_t lo = PARTITION_POINT(i, 0, d->n, depend_fin(d, p->by_end[i]) <= t);
	return lo > 0 ? p->by_end[lo - 1] : NO_NODE;
}

/* The node in which what ends at `end` does, of those before `after`, or NO_NODE. */
static uint32_t ends_at(const struct depend *d, size_t after, nsec end)
{
	uint32_t first = d->run->steps ? steps_first_work(d->run->steps, end) : NO_ROW;

	for (size_t i = after; i-- > 0 && d->node[i].at == end;)
		if (ends_in(d, &d->node[i], first))
			return (uint32_t)i;
	return NO_NODE;
}

uint32_t critpath_border(const struct depend *d, nsec at)
{
	return ends_at(d, first_after(d, at), at);
}

uint32_t critpath_last(struct depend *d, nsec end)
{
	size_t after = first_after(d, end);
	uint32_t node = ends_at(d, after, end);

	return node == NO_NODE ? finished_last(d, after, end) : node;
}

static void tell_nobody(struct walk *w, nsec from)
{
	tell(w, from,
		(struct segment){ .row = NO_ROW,
			.function = NO_ROW,
			.lane = NO_ROW,
			.node = NO_NODE,
			.owner = OWNER_UNRECORDED,
			.edge = EDGE_COUNT });
}

/* What lies behind the last node of a stretch that ends at t. */
static void tell_end(struct walk *w, uint32_t node)
{
	if (depend_fin(w->d, node) < w->t)
		tell_nobody(w, depend_fin(w->d, node));
	if (depend_is_work(&w->d->node[node]))
		tell_work(w, node);
}

/* What lies between a node and the start of what bound it; NO_NODE: nothing did. */
static uint32_t tell_hop(struct walk *w, uint32_t node)
{
	const struct depend_node *n = &w->d->node[node];

	if (n->binding == EDGE_COUNT) {
		tell_unknown(w, node);
		return NO_NODE;
	}
	uint32_t from = n->from[n->binding];
	tell_edge(w, node, (enum edge)n->binding, depend_until(w->d, node, (enum edge)n->binding));
	if (depend_is_work(&w->d->node[from]))
		tell_work(w, from);
	return from;
}

void critpath(struct depend *d, nsec start, nsec end, segment_fn *fn, void *ctx)
{
	struct walk w = { d, paths_of(d), start, end, fn, ctx };
	uint32_t node = critpath_last(d, end);

	if (node != NO_NODE)
		tell_end(&w, node);
	while (node != NO_NODE && w.t > start)
		node = tell_hop(&w, node);
	tell_nobody(&w, start);
}

uint32_t critpath_hop(struct depend *d, uint32_t node, nsec start, segment_fn *fn, void *ctx)
{
	struct walk w = { d, paths_of(d), start, d->node[node].at, fn, ctx };

	return tell_hop(&w, node);
}

void critpath_end(struct depend *d, uint32_t node, nsec start, nsec end, segment_fn *fn, void *ctx)
{
	struct walk w = { d, paths_of(d), start, end, fn, ctx };

	tell_end(&w, node);
}
