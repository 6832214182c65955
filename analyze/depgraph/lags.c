/* Lags, worked out from the times of nodes; kept where they fit. */
#include "analyze/depgraph/lags.h"

#include "analyze/depgraph/hosttime_walk.h"
#include "analyze/measure/host/pyframes.h"
#include "analyze/trace/run.h"

/* ---- host weights: one walk over each thread, beside its nodes ---- */

/* How long a thread was in the waiting call of a return behind the node before it. */
static nsec host_in_call(const struct depend *d, uint32_t node)
{
	const struct depend_node *n = &d->node[node];
	nsec from = d->run->events.start[n->row];

	if (n->from[EDGE_PREV] != NO_NODE && d->node[n->from[EDGE_PREV]].at > from)
		from = d->node[n->from[EDGE_PREV]].at;
	return from < n->at ? saturate_sub(n->at, from) : 0;
}

/* The nodes of all threads in order, each with the walk over its thread. */
struct weighing {
	struct depend *d;
	struct hosttime *walk; /* by lane; begun with the lane's first node */
	host_scale_fn *scale;
	void *scale_ctx;
	size_t host; /* whose pieces are told */
	bool loads;  /* by a loader's thread */
	struct host_weights *out;
	struct strings *names; /* of functions, in the order of their groups */
	nsec *scaled;
	double lost;        /* of the node, by scaling */
	const double *by;   /* what time is scaled by, by group */
	struct lags *plain; /* NULL, or: whose nodes are timed by what was weighed */
};

static void time_plainly(struct lags *l, uint32_t node);

enum host_group group_of_word(enum gap_cause c)
{
	switch (c) {
	case GAP_CAUSE_DATA: return GROUP_DATA;
	case GAP_CAUSE_ALLOCATOR: return GROUP_ALLOCATOR;
	case GAP_CAUSE_CHECKPOINT: return GROUP_CHECKPOINT;
	case GAP_CAUSE_LOGGING: return GROUP_LOGGING;
	case GAP_CAUSE_GC: return GROUP_GC;
	case GAP_CAUSE_COMPILE: return GROUP_STARTUP;
	default: return GROUP_COUNT;
	}
}

/* Of a function, which gets one when it is first met. */
static uint32_t group_of_function(struct weighing *w, uint32_t row)
{
	struct host_weights *out = w->out;
	sym name = w->d->run->events.name[row];
	SCOPED_STR text = { 0 };

	if (out->group_of[name])
		return out->group_of[name];
	pyframes_put_name(&text, run_name(w->d->run, row));
	sym which = strings_intern(w->names, (struct span){ text.s, text.n });
	which -= which > 0; /* "" is none's name */
	out->group_of[name] = GROUP_COUNT + which;
	if (which == out->nfunction)
		PUSH(out->function, out->nfunction, out->function_cap, name);
	return out->group_of[name];
}

/* What a loader's thread does has its word, too. */
static enum host_group group_of(const struct weighing *w, enum gap_cause word)
{
	enum host_group group = group_of_word(word);

	return group == GROUP_COUNT && w->loads ? GROUP_DATA : group;
}

HOT_INLINE uint32_t group_of_piece(struct weighing *w, const struct host_piece *p)
{
	const struct depend *d = w->d;
	enum host_group word = group_of(w, p->word);

	if (p->row != NO_ROW && word != GROUP_DATA && hostwhat_starts_up(&d->what, p->row))
		return GROUP_STARTUP;
	if (word != GROUP_COUNT)
		return word;
	if (p->cls != HOST_NOTHING && p->cls != HOST_PYTHON) {
		if (p->function != NO_ROW)
			w->out->has_calls[d->run->events.name[p->function]] = true;
		return p->cls == HOST_LAUNCH ? GROUP_LAUNCH : GROUP_OTHER;
	}
	if (p->function != NO_ROW)
		return group_of_function(w, p->function);
	/* As gaps have it: Python's functions that were too short to be kept. */
	return (p->cls == HOST_PYTHON && !p->is_unknown) || d->run->kind_count[KIND_PYTHON] > 0
		? GROUP_OTHER
		: GROUP_NOTHING;
}

HOT_INLINE void add_part(void *ctx, const struct host_piece *p)
{
	struct weighing *w = ctx;
	struct host_weights *out = w->out;
	uint32_t group = group_of_piece(w, p);
	size_t i = out->begin[w->host];

	i = FIRST_FROM(k, i, out->npart, out->part[k].group == group);
	if (i == out->npart)
		PUSH(out->part, out->npart, out->cap, (struct host_part){ 0, group });
	saturate_onto(&out->part[i].ns, saturate_sub(p->end, p->start));
}

static void add_scaled(void *ctx, const struct host_piece *p)
{
	struct weighing *w = ctx;
	nsec ns = saturate_sub(p->end, p->start);

	saturate_onto(&w->scaled[w->host], ns);
	w->lost += (1 - p->factor * w->by[group_of_piece(w, p)]) * (double)ns;
}

static void weigh_node(struct weighing *w, uint32_t node)
{
	const struct depend_node *n = &w->d->node[node];
	struct hosttime *h = &w->walk[n->lane];
	nsec until = n->at;

	if (!h->run) {
		hosttime_init(h, w->d->run, &w->d->what, n->lane, n->at);
		h->scale = w->scale;
		h->scale_ctx = w->scale_ctx;
		hosttime_name(h, n->lane);
	}
	w->host = n->host;
	w->loads = w->d->what.is_loader && w->d->what.is_loader[n->lane];
	if (n->from[EDGE_PREV] == NO_NODE ||
		(n->point == POINT_RESUME && n->binding == EDGE_CAUSE)) {
		hosttime_skip(h, n->at);
		return;
	}
	if (n->point == POINT_RETURN && n->binding == EDGE_CAUSE)
		until = saturate_sub(n->at, host_in_call(w->d, node));
	if (w->scaled)
		hosttime_walk(h, until, add_scaled, w);
	else
		hosttime_walk(h, until, add_part, w);
	hosttime_skip(h, n->at);
	if (n->point == POINT_RETURN && !w->scaled)
		w->out->around[n->host] = (uint8_t)group_of(w, hosttime_word(h, n->row));
}

static void weigh(struct weighing *w)
{
	w->walk = zeroed(w->d->run->lanes.n, sizeof(*w->walk));
	for (size_t i = 0; i < w->d->n; i++) {
		const struct depend_node *n = &w->d->node[i];

		w->lost = 0;
		if (!depend_is_work(n))
			weigh_node(w, (uint32_t)i);
		if (w->scaled && !depend_is_work(n))
			w->scaled[n->host] =
				saturate_sub(w->scaled[n->host], saturate_round(w->lost));
		if (!w->scaled && !depend_is_work(n))
			w->out->begin[n->host + 1] = w->out->npart;
		if (w->plain)
			time_plainly(w->plain, (uint32_t)i);
	}
	for (size_t i = 0; i < w->d->run->lanes.n; i++)
		hosttime_clear(&w->walk[i]);
	free(w->walk);
}

static void find_totals(struct host_weights *w)
{
	w->total = zeroed(GROUP_COUNT + w->nfunction, sizeof(*w->total));
	for (EACH(const struct host_part, part, w->part, w->npart))
		saturate_onto(&w->total[part->group], part->ns);
}

/* What threads did between nodes, by what can be changed at once, and lags by it; made once for all
 * scenarios.  O(host calls); some 50 bytes a node that is no work. */
static void weigh_all(struct lags *l, struct depend *d)
{
	struct host_weights *out = l->host;
	struct strings names;
	struct weighing w = { .d = d, .out = out, .names = &names, .plain = l };

	out->begin = xmalloc((d->nhost + 1) * sizeof(*out->begin));
	out->begin[0] = 0;
	out->around = zeroed(d->nhost, sizeof(*out->around));
	out->group_of = zeroed(d->run->strings.n, sizeof(*out->group_of));
	out->has_calls = zeroed(d->run->strings.n, sizeof(*out->has_calls));
	strings_init(&names, d->run->strings.seed);
	weigh(&w);
	find_totals(out);
	strings_clear(&names);
}

static void host_weights_free(struct host_weights *w)
{
	if (!w)
		return;
	FREE_ALL(w->begin, w->part, w->around, w->function, w->group_of, w->has_calls, w->total, w);
}

static nsec host_sum(const struct host_weights *w, uint32_t host)
{
	nsec sum = 0;

	for (size_t i = w->begin[host]; i < w->begin[host + 1]; i++)
		saturate_onto(&sum, w->part[i].ns);
	return sum;
}

nsec *host_scaled_new(struct depend *d, const struct host_weights *weights, host_scale_fn *scale,
	void *ctx, const double *group)
{
	nsec *ns = zeroed(d->nhost, sizeof(*ns));
	struct weighing w = { .d = d,
		.scale = scale,
		.scale_ctx = ctx,
		.out = (struct host_weights *)weights,
		.scaled = ns,
		.by = group };

	weigh(&w);
	return ns;
}

/* ---- lags ---- */

static nsec least(nsec a, nsec b)
{
	return MIN(a, b);
}

static nsec work_lag(const struct depend *d, const struct depend_node *n, enum edge e)
{
	nsec seen = saturate_sub(n->at, depend_fin(d, n->from[e]));

	if (n->binding == e)
		return seen;
	switch (e) {
	case EDGE_CAUSE: return least(seen, d->floor.launch);
	case EDGE_ENGINE: return least(seen, 0);
	default: return least(seen, d->floor.stream);
	}
}

nsec lag_in_call(const struct depend *d, uint32_t node)
{
	const struct depend_node *n = &d->node[node];
	nsec own = d->floor.own;

	if (hostwhat_launches(&d->what, n->row))
		own = lag_of_call(d, n->row);
	/* A copy that it waited for begins when the call has done what it does itself. */
	if (n->evidence == EVIDENCE_COPY)
		own = least(own,
			saturate_sub(
				d->node[n->from[EDGE_CAUSE]].at, d->run->events.start[n->row]));
	return least(host_in_call(d, node), own);
}

nsec lag_of_call(const struct depend *d, uint32_t row)
{
	if (!hostwhat_was_held(&d->what, row))
		return d->run->events.dur[row];
	return hostwhat_copies(&d->what, row) ? d->floor.copy : d->floor.call;
}

/* Behind the node before it on its thread. */
static nsec host_lag(const struct lags *l, uint32_t node)
{
	const struct depend_node *n = &l->d->node[node];
	nsec sum = host_sum(l->host, n->host);

	return n->point == POINT_RETURN && n->binding == EDGE_CAUSE
		? saturate_add(sum, lag_in_call(l->d, node))
		: sum;
}

nsec lag_long(const struct lags *l, uint32_t node, enum edge e)
{
	const struct depend_node *n = &l->d->node[node];

	if (depend_is_work(n))
		return work_lag(l->d, n, e);
	if (e == EDGE_PREV)
		return host_lag(l, node);
	nsec seen = saturate_sub(n->at, depend_fin(l->d, n->from[e]));
	return n->binding == e
		? seen
		: least(seen, n->evidence == EVIDENCE_QUEUE ? l->d->floor.room : l->d->floor.back);
}

/* The groups of what the host did before a node, and of the call that a return is of. */
static uint32_t groups_before(const struct host_weights *w, const struct depend_node *n)
{
	uint32_t has = 0, around = n->point == POINT_RETURN ? w->around[n->host] : GROUP_COUNT;

	for (size_t i = w->begin[n->host]; i < w->begin[n->host + 1]; i++)
		has |= LAG_BIT(GROUPS, MIN(w->part[i].group, GROUP_COUNT));
	if (n->point == POINT_RETURN && n->binding == EDGE_CAUSE)
		has |= LAG_BIT(GROUPS, GROUP_OTHER) | LAG_BIT(GROUPS, GROUP_LAUNCH) |
			(around < GROUP_COUNT ? LAG_BIT(GROUPS, around) : 0);
	return has;
}

static void time_plainly(struct lags *l, uint32_t node)
{
	const struct depend_node *n = &l->d->node[node];
	struct lag_node *plain = &l->node[node];
	bool is_work = depend_is_work(n),
	     is_plain = n->from[EDGE_WAIT] == NO_NODE && n->from[EDGE_ENGINE] == NO_NODE;

	*plain = (struct lag_node){ .dur = is_work ? n->host : 0,
		.of = is_work ? n->row : n->host,
		.has = LAG_ALL | LAG_BIT(POINTS, n->point) |
			(is_work ? LAG_BIT(CLASSES, n->cls) : groups_before(l->host, n)) };
	is_plain &= !is_work || n->host != DEPEND_LONG;
	is_plain &= n->from[EDGE_PREV] != NO_NODE || n->from[EDGE_CAUSE] != NO_NODE;
	for (int e = 0; e <= EDGE_CAUSE; e++) {
		bool is_there = n->from[e] != NO_NODE;
		nsec ns = is_there ? lag_long(l, node, (enum edge)e) : 0;
		bool has_room = ns > INT32_MIN && ns <= INT32_MAX;

		plain->on[e] = is_there ? n->from[e] : (uint32_t)l->d->n;
		plain->ns[e] = has_room ? (int32_t)ns : INT32_MIN;
		is_plain &= has_room;
	}
	plain->has |= is_plain ? 0 : LAG_OTHER;
}

void lags_init(struct lags *l, struct depend *d)
{
	*l = (struct lags){ .d = d, .host = zeroed(1, sizeof(*l->host)) };
	l->node = xmalloc(d->n * sizeof(*l->node));
	weigh_all(l, d);
}

void lags_clear(struct lags *l)
{
	host_weights_free(l->host);
	free(l->node);
}

/* ---- slack ---- */

nsec *slack(struct depend *d, const struct lags *l, nsec end)
{
	nsec *late = zeroed(d->n, sizeof(*late));

	for (size_t i = 0; i < d->n; i++)
		late[i] = depend_fin(d, (uint32_t)i) <= end ? end : INT64_MAX;
	for (size_t i = d->n; i-- > 0;) {
		const struct depend_node *n = &d->node[i];
		nsec begin = late[i];

		if (begin == INT64_MAX)
			continue;
		if (depend_is_work(n))
			begin = saturate_sub(begin, d->run->events.dur[n->row]);
		for (int e = 0; e < EDGE_COUNT; e++) {
			nsec *other = n->from[e] == NO_NODE ? NULL : &late[n->from[e]];
			nsec by = other ? saturate_sub(begin, lag_of(l, (uint32_t)i, (enum edge)e))
					: 0;

			if (other && by < *other)
				*other = by;
		}
	}
	for (size_t i = 0; i < d->n; i++)
		if (late[i] != INT64_MAX)
			late[i] = saturate_sub(late[i], depend_fin(d, (uint32_t)i));
	return late;
}
