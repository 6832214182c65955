/* Timing nodes again: one pass in their order. */
#include "analyze/depgraph/whatif.h"

#include "analyze/depgraph/datadeps.h"
#include "analyze/depgraph/whatif_plan.h"
#include "analyze/trace/links/exectrace.h"
#include "analyze/trace/run.h"

static nsec changed(const struct change *c, nsec ns)
{
	if (c->ns >= 0)
		return c->ns;
	return c->factor == 1 ? ns : c->factor == 0 ? 0 : saturate_round((double)ns * c->factor);
}

/* ---- work ---- */

static enum change_kind kind_of(enum devclass cls)
{
	return cls == CLASS_COMM ? CHANGE_COMM : cls == CLASS_MEMCPY ? CHANGE_COPY : CHANGE_KERNEL;
}

static bool is_kind(const struct change *c, enum devclass cls)
{
	return c->kind == kind_of(cls) || (c->kind == CHANGE_FAMILY && cls == CLASS_COMPUTE);
}

/* What work of a class takes then that may be another.  Inline: asked of all work of a class. */
HOT_INLINE nsec work_then(const struct plan *p, enum devclass cls, uint32_t row, nsec ns)
{
	for (EACH(const struct change, c, p->s->change, p->s->n)) {
		if (is_kind(c, cls) && !c->is_hidden && is_of_row(c, row) &&
			(!c->match || is_about(c, p->d->run->events.name[row])))
			ns = changed(c, ns);
	}
	return ns;
}

static nsec work_ns(const struct plan *p, const struct depend_node *n)
{
	nsec ns = LIKELY(n->host != DEPEND_LONG) ? n->host : p->d->run->events.dur[n->row];

	return p->on_work[n->cls] ? work_then(p, (enum devclass)n->cls, n->row, ns) : ns;
}

/* A delay before work, as changes of that kind have it; named by the row of the work or its launch.
 */
static nsec delay_ns(const struct plan *p, uint32_t row, enum change_kind kind, nsec ns)
{
	if (!p->on_delay || ns < 0)
		return ns;
	for (EACH(const struct change, change, p->s->change, p->s->n))
		if (change->kind == kind && !change->is_one &&
			is_about(change, p->d->run->events.name[row]))
			ns = changed(change, ns);
	return ns;
}

/* Behind a call that launches: where it starts nothing up any more, what launches take; what of the
 * delay lies in a call that does not is host time, and the rest the device's. */
static nsec launch_lag(const struct plan *p, const struct depend_node *launch, nsec ns)
{
	double left = p->group[GROUP_STARTUP];
	uint32_t row = launch->row;

	if (!p->on_launch)
		return delay_ns(p, row, CHANGE_LAUNCH, ns);
	if (left < 1 && hostwhat_starts_up(&p->d->what, row) && ns > p->d->floor.launch)
		ns = saturate_add(p->d->floor.launch,
			saturate_round(left * (double)(ns - p->d->floor.launch)));
	else if (p->all != 1 && launch->point == POINT_LAUNCH && ns > 0 &&
		!hostwhat_starts_up(&p->d->what, row)) {
		nsec in = lag_of_call(p->d, row);

		ns = saturate_sub(ns, saturate_round((double)MIN(ns, in) * (1 - p->all)));
	}
	return delay_ns(p, row, CHANGE_LAUNCH, ns);
}

static nsec work_lag(const struct plan *p, const struct depend_node *n, enum edge e, nsec ns)
{
	switch (e) {
	case EDGE_CAUSE: return launch_lag(p, &p->d->node[n->from[e]], ns);
	case EDGE_ENGINE: return ns;
	default: return delay_ns(p, n->row, CHANGE_GAP, ns);
	}
}

/* ---- threads ---- */

static bool is_word(uint32_t group)
{
	return group >= GROUP_DATA && group < GROUP_COUNT;
}

/* Whether it goes with launches that are one, or not done: what the host itself does, and no word
 * names.  A graph does not run what is in Python; without an operator that is there still, where it
 * has a change of its own. */
static bool goes(const struct plan *p, uint32_t group)
{
	const bool *is_apart = p->lags->host->is_apart;

	return group == GROUP_OTHER || group == GROUP_LAUNCH ||
		(group >= GROUP_COUNT &&
			(p->has_graph || !is_apart || !is_apart[group - GROUP_COUNT]));
}

/* Whether it leads to a launch that is one with the one before it, or is not done. */
static bool is_gone(const struct plan *p, uint32_t host)
{
	return p->one && (p->one[host / 64] >> host % 64 & 1);
}

/* By node.host. */
static nsec host_ns(const struct plan *p, uint32_t host)
{
	const struct host_weights *w = p->lags->host;
	bool is_one = is_gone(p, host);
	nsec sum = 0;
	double lost = 0;

	if (p->scaled && !is_one)
		return p->scaled[host];
	for (size_t i = w->begin[host]; i < w->begin[host + 1]; i++) {
		const struct host_part *h = &w->part[i];

		if (is_one && goes(p, h->group))
			continue;
		saturate_onto(&sum, h->ns);
		if (p->group[h->group] != 1)
			lost += (1 - p->group[h->group]) * (double)h->ns;
	}
	return lost == 0 ? sum : saturate_sub(sum, saturate_round(lost));
}

/* Behind the node before it on its thread. */
static nsec host_lag(const struct plan *p, uint32_t node)
{
	const struct depend_node *n = &p->d->node[node];

	if (n->point != POINT_RETURN || n->binding != EDGE_CAUSE)
		return host_ns(p, n->host);
	uint8_t around = p->lags->host->around[n->host];
	nsec in = lag_in_call(p->d, node);
	double other = hostwhat_launches(&p->d->what, n->row) ? p->group[GROUP_LAUNCH] : p->all;
	double by = is_word(around) ? p->group[around] : other;
	if (by != 1)
		in = saturate_round((double)in * by);
	return saturate_add(host_ns(p, n->host), in);
}

/* ---- edges ---- */

/* Whether a node does not wait for another, under the scenario: no call does, but those that free
 * memory, or it is in what is not done. */
static bool is_free(const struct plan *p, const struct depend_node *n, enum edge e)
{
	if (n->point != POINT_RETURN || e == EDGE_PREV || n->from[EDGE_PREV] == NO_NODE ||
		n->evidence == EVIDENCE_QUEUE)
		return false;
	uint8_t around = p->lags->host->around[n->host];
	if (is_word(around) && p->group[around] == 0)
		return true;
	return around != GROUP_ALLOCATOR &&
		ANY(i, p->s->n,
			p->s->change[i].kind == CHANGE_SYNC && is_without(&p->s->change[i]) &&
				is_about(&p->s->change[i], p->d->run->events.name[n->row]));
}

/* Whether it is a collective that holds up nothing but collectives. */
static bool is_hidden(const struct plan *p, const struct depend_node *n)
{
	if (n->cls != CLASS_COMM)
		return false;
	return ANY(i, p->s->n,
		p->s->change[i].is_hidden &&
			is_about(&p->s->change[i], p->d->run->events.name[n->row]));
}

/* A lag as changes have it. */
static nsec lag_then(const struct plan *p, uint32_t node, enum edge e)
{
	const struct depend_node *n = &p->d->node[node];

	if (p->on_host && e == EDGE_PREV && !depend_is_work(n))
		return host_lag(p, node);
	nsec ns = lag_of(p->lags, node, e);
	return (p->on_delay || p->on_launch) && depend_is_work(n) ? work_lag(p, n, e, ns) : ns;
}

/* Of work that only follows, where that is apart: when what it waits for instead has finished;
 * INT64_MIN: there is nothing. */
static nsec apart(const struct plan *p, uint32_t node)
{
	const struct datadeps *t = p->s->apart;
	uint32_t op = t->op[node], base = t->base[node];
	nsec at = base == NO_NODE ? INT64_MIN : p->front[base];

	for (size_t i = t->begin[op]; i < t->begin[op + 1]; i++)
		at = MAX(p->done[t->after[i]], at);
	return at;
}

/* When what a node waits for by an edge that is there has finished, where some work is apart or
 * hidden; INT64_MIN: it does not wait. */
static nsec finished(const struct plan *p, const nsec *fin, uint32_t node, enum edge e)
{
	const struct depend_node *n = &p->d->node[node];
	uint32_t on = n->from[e];

	if (p->ready && n->cls != CLASS_COMM && is_hidden(p, &p->d->node[on]))
		return p->ready[on];
	if (!p->front || !depend_is_work(&p->d->node[on]) || e == EDGE_ENGINE)
		return fin[on];
	if (e == EDGE_PREV && p->s->apart->cls[node] == DATA_FOLLOWS)
		return apart(p, node);
	return p->front[on];
}

/* When the node begins, by what it waits for. */
static nsec begins(const struct plan *p, const nsec *fin, uint32_t node)
{
	const struct depend_node *n = &p->d->node[node];
	nsec at = INT64_MIN;

	for (int e = 0; e < EDGE_COUNT; e++) {
		if (n->from[e] == NO_NODE || (p->no_sync && is_free(p, n, (enum edge)e)))
			continue;
		nsec then = finished(p, fin, node, (enum edge)e);
		if (then == INT64_MIN)
			continue;
		then = saturate_add(then, lag_then(p, node, (enum edge)e));
		at = MAX(then, at);
	}
	return at == INT64_MIN ? n->at : at;
}

/* When a collective could begin if those that are hidden took no time. */
static nsec ready_at(const struct plan *p, const nsec *fin, uint32_t node)
{
	const struct depend_node *n = &p->d->node[node];
	nsec at = INT64_MIN;

	for (int e = 0; e < EDGE_COUNT; e++) {
		uint32_t on = n->from[e];

		if (on == NO_NODE)
			continue;
		nsec then = is_hidden(p, &p->d->node[on]) ? p->ready[on] : fin[on];
		then = saturate_add(then, lag_then(p, node, (enum edge)e));
		at = MAX(then, at);
	}
	return at == INT64_MIN ? n->at : at;
}

/* ---- all nodes ---- */

/* When all of the stream up to some work has finished, and what its operator launched. */
static void take_apart(struct plan *p, const nsec *fin, uint32_t node)
{
	uint32_t prev = p->d->node[node].from[EDGE_PREV], op = p->s->apart->op[node];

	p->front[node] = fin[node];
	if (!depend_is_work(&p->d->node[node]))
		return;
	if (prev != NO_NODE && p->front[prev] > fin[node])
		p->front[node] = p->front[prev];
	if (op != ET_NONE && fin[node] > p->done[op])
		p->done[op] = fin[node];
}

/* A node that waits for more than lag_node has, or for other nodes than it did. */
static void time_node(struct plan *p, nsec *fin, uint32_t node)
{
	const struct depend_node *n = &p->d->node[node];
	nsec at = begins(p, fin, node);

	fin[node] = depend_is_work(n) ? saturate_add(at, work_ns(p, n)) : at;
	if (p->ready && is_hidden(p, n))
		p->ready[node] = ready_at(p, fin, node);
	if (p->front)
		take_apart(p, fin, node);
}

/* How any other is timed. */
struct timing {
	nsec prev, cause, dur;
};

/* Bits of nodes. */
static const uint32_t lag_classes = LAG_BIT(CLASSES, CLASS_COUNT) - LAG_BIT(CLASSES, 0),
		      lag_groups = LAG_BIT(FUNCTIONS, 1) - LAG_BIT(GROUPS, 0),
		      lag_work = LAG_BIT(POINTS, POINT_WORK),
		      lag_return = LAG_BIT(POINTS, POINT_RETURN);

HOT_INLINE void change_work(
	const struct plan *p, const struct lag_node *n, uint32_t other, struct timing *t)
{
	if (other & lag_classes)
		t->dur = work_then(p, lag_class(n), n->of, t->dur);
	if (!(other & lag_work))
		return;
	t->prev = delay_ns(p, n->of, CHANGE_GAP, t->prev);
	if (n->on[EDGE_CAUSE] != p->d->n)
		t->cause = launch_lag(p, &p->d->node[n->on[EDGE_CAUSE]], t->cause);
}

/* What is otherwise of a node; false: it is not one that is timed so. */
HOT_INLINE bool change_node(
	const struct plan *p, const struct lag_node *n, uint32_t other, struct timing *t)
{
	if ((other & (LAG_ALL | LAG_OTHER)) || (n->has & lag_return))
		return false;
	if (n->has & lag_work)
		change_work(p, n, other, t);
	else if ((other & lag_groups) || p->scaled || is_gone(p, n->of))
		t->prev = host_ns(p, n->of);
	return true;
}

/* fin has one more than there are nodes: what edges wait for that are not there. */
static void time_nodes(struct plan *p, nsec *fin)
{
	const struct lag_node *node = p->lags->node;
	const uint32_t count = (uint32_t)p->d->n, asks = p->asks;

	fin[count] = INT64_MIN;
	for (uint32_t i = 0; i < count; i++) {
		const struct lag_node *n = &node[i];
		uint32_t other = n->has & asks;
		struct timing t = { n->ns[EDGE_PREV], n->ns[EDGE_CAUSE], n->dur };

		if (other && !change_node(p, n, other, &t)) {
			time_node(p, fin, i);
			continue;
		}
		nsec prev = saturate_add(fin[n->on[EDGE_PREV]], t.prev);
		nsec cause = saturate_add(fin[n->on[EDGE_CAUSE]], t.cause);
		fin[i] = saturate_add(MAX(cause, prev), t.dur);
	}
}

void whatif(
	struct whatif_times *t, struct depend *d, const struct lags *l, const struct scenario *s)
{
	struct plan p;

	whatif_plan_init(&p, d, l, s);
	if (!t->fin)
		t->fin = xmalloc((d->n + 1) * sizeof(*t->fin));
	t->d = d;
	time_nodes(&p, t->fin);
	whatif_plan_clear(&p);
}

void whatif_clear(struct whatif_times *t)
{
	free(t->fin);
	*t = (struct whatif_times){ 0 };
}

nsec whatif_at(const struct whatif_times *t, const struct scenario *s, uint32_t node)
{
	if (!depend_is_work(&t->d->node[node]))
		return t->fin[node];
	struct plan p = (struct plan){ .d = (struct depend *)t->d, .s = s };
	for (size_t i = 0; i < s->n; i++)
		whatif_plan_work(&p, &s->change[i]);
	return saturate_sub(t->fin[node], work_ns(&p, &t->d->node[node]));
}
