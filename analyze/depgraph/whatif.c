/* Timing nodes again: one pass in their order. */
#include "analyze/depgraph/whatif.h"

#include "analyze/depgraph/datadeps.h"
#include "analyze/trace/links/exectrace.h"
#include "analyze/trace/run.h"
#include "base/words.h"

WORDS(change_word, enum change_kind, CHANGES, 2)

WORDS(change_what, enum change_kind, CHANGES, 3)

enum host_group change_group(enum change_kind k)
{
	switch (k) {
	case CHANGE_DATA: return GROUP_DATA;
	case CHANGE_ALLOCATOR: return GROUP_ALLOCATOR;
	case CHANGE_CHECKPOINT: return GROUP_CHECKPOINT;
	case CHANGE_LOGGING: return GROUP_LOGGING;
	case CHANGE_GC: return GROUP_GC;
	default: return GROUP_COUNT;
	}
}

/* A scenario made ready. */
struct plan {
	struct depend *d;
	const struct scenario *s;
	const struct lags *lags;
	nsec *scaled;  /* by node.host, where names or durations change host time */
	double *group; /* factors of host_weights, by group */
	double all;    /* of host time that is recorded, and of calls that wait */
	bool no_sync;
	uint64_t *one; /* bits by node.host: between two launches that become one; NULL: none is */
	nsec *front;   /* by node, where work is apart: when all of its stream up to it has finished
	                */
	nsec *done;    /* by operator of datadeps: when what it launched so far has finished */
	nsec *ready;   /* by node; of collectives, where some are hidden: see ready_at */
	bool on_work[CLASS_COUNT]; /* durations of work of that class may change */
	bool on_delay;             /* so may delays before work */
	bool on_launch;            /* so may what a launch takes */
	bool on_host;              /* so may host time */
	uint32_t asks;             /* LAG_BITs: what has one of them may be timed otherwise */
};

static bool is_about(const struct change *c, sym name)
{
	return !c->match || c->match[name];
}

static bool is_of_row(const struct change *c, uint32_t row)
{
	return !c->rows || (c->rows[row / 64] >> row % 64 & 1);
}

/* Whether waiting is done away with; a part of it cannot be. */
static bool is_without(const struct change *c)
{
	return c->ns == 0 || (c->ns < 0 && c->factor == 0);
}

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

/* What the host itself does, and no word names. */
static bool is_plain(uint32_t group)
{
	return group == GROUP_OTHER || group == GROUP_LAUNCH || group >= GROUP_COUNT;
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

		if (is_one && is_plain(h->group))
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

/* ---- scenarios ---- */

/* Whether it is about all there is of its kind, which needs no look at each call. */
static bool is_of_all(const struct change *c)
{
	return !c->match && c->ns < 0;
}

/* host_scale_fn: ctx is a struct plan. */
static double scale_call(void *ctx, const struct host_open *call, uint32_t *tags)
{
	const struct plan *p = ctx;
	const struct events *ev = &p->d->run->events;
	uint32_t row = call->row;
	double factor = 1;

	for (size_t i = 0; i < p->s->n && i < 32; i++) {
		const struct change *c = &p->s->change[i];
		enum host_group group = change_group(c->kind);
		bool is_it = (c->kind == CHANGE_OP && ev->kind[row] == KIND_OP) ||
			(c->kind == CHANGE_HOST && c->match) ||
			(c->kind == CHANGE_LAUNCH && call->cls == HOST_LAUNCH && !is_of_all(c)) ||
			(group != GROUP_COUNT && group_of_word(call->word) == group &&
				!is_of_all(c));

		if (!is_it || (*tags >> i & 1) || !is_about(c, ev->name[row]))
			continue;
		*tags |= 1u << i;
		if (c->ns >= 0)
			factor *= ev->dur[row] > 0 ? (double)c->ns / (double)ev->dur[row] : 1;
		else
			factor *= c->factor;
	}
	return factor;
}

/* Of all that is recorded and has no change of its own. */
static void scale_host(struct plan *p, const struct change *c)
{
	const struct host_weights *w = p->lags->host;

	p->all *= c->factor;
	p->group[GROUP_OTHER] *= c->factor;
	p->group[GROUP_LAUNCH] *= c->factor;
	p->group[GROUP_NOTHING] *= c->is_all ? c->factor : 1;
	for (size_t i = 0; i < w->nfunction; i++)
		p->group[GROUP_COUNT + i] *= w->is_apart && w->is_apart[i] ? 1 : c->factor;
}

static void scale_functions(struct plan *p, const struct change *c)
{
	const struct host_weights *w = p->lags->host;

	for (size_t i = 0; i < w->nfunction; i++)
		if (is_about(c, w->function[i]))
			p->group[GROUP_COUNT + i] *= c->factor;
}

static void read_work(struct plan *p, const struct change *c)
{
	switch (c->kind) {
	case CHANGE_FAMILY:
	case CHANGE_KERNEL: p->on_work[CLASS_COMPUTE] = p->on_work[CLASS_MEMSET] = true; break;
	case CHANGE_COPY: p->on_work[CLASS_MEMCPY] = true; break;
	case CHANGE_COMM: p->on_work[CLASS_COMM] = true; break;
	case CHANGE_SYNC: p->no_sync |= is_without(c); break;
	case CHANGE_GAP: p->on_delay = true; break;
	case CHANGE_LAUNCH: p->on_delay |= !c->is_one; break;
	default: break;
	}
}

static void read_host(struct plan *p, const struct change *c, bool *walks)
{
	enum host_group group = change_group(c->kind);

	switch (c->kind) {
	case CHANGE_HOST:
		*walks |= c->match != NULL;
		if (is_of_all(c))
			scale_host(p, c);
		break;
	case CHANGE_LAUNCH:
		*walks |= !c->is_one && !is_of_all(c);
		p->group[GROUP_LAUNCH] *= !c->is_one && is_of_all(c) ? c->factor : 1;
		break;
	case CHANGE_STARTUP: p->group[GROUP_STARTUP] *= c->factor; break;
	case CHANGE_PYTHON: scale_functions(p, c); break;
	case CHANGE_OP: *walks = true; break;
	default:
		*walks |= group != GROUP_COUNT && !is_of_all(c);
		if (group == GROUP_COUNT || !is_of_all(c))
			break;
		p->group[group] *= c->factor;
		p->no_sync |= p->group[group] == 0;
		break;
	}
}

static void plan_init(
	struct plan *p, struct depend *d, const struct lags *l, const struct scenario *s)
{
	bool walks = false;

	size_t n = GROUP_COUNT + l->host->nfunction;

	*p = (struct plan){ .d = d, .s = s, .lags = l, .all = 1 };
	p->group = zeroed(n, sizeof(*p->group));
	FILL(p->group, n, 1);
	for (EACH(const struct change, change, s->change, s->n)) {
		read_work(p, change);
		read_host(p, change, &walks);
		p->on_host |= change->is_one;
	}
	p->on_host |= walks || p->all != 1;
	p->on_launch = p->all != 1 || p->group[GROUP_STARTUP] < 1;
	for (size_t g = 0; g < n; g++)
		p->on_host |= p->group[g] != 1;
	if (walks)
		p->scaled = host_scaled_new(d, l->host, scale_call, p, p->group);
}

/* What of a node the scenario may have otherwise. */
static void find_asked(struct plan *p)
{
	const uint32_t work = LAG_BIT(POINTS, POINT_WORK);
	size_t ngroup = GROUP_COUNT + p->lags->host->nfunction;

	p->asks = LAG_OTHER | (p->front || p->ready ? LAG_ALL : 0);
	if (p->on_delay || p->on_launch)
		p->asks |= work;
	if (p->no_sync)
		p->asks |= LAG_BIT(POINTS, POINT_RETURN);
	if (p->scaled || p->one)
		p->asks |= work - LAG_BIT(POINTS, 0);
	for (unsigned c = 0; c < CLASS_COUNT; c++)
		p->asks |= p->on_work[c] ? LAG_BIT(CLASSES, c) : 0;
	for (size_t g = 0; g < ngroup; g++)
		p->asks |= p->group[g] != 1 ? LAG_BIT(GROUPS, MIN(g, GROUP_COUNT)) : 0;
}

static bool hides(const struct scenario *s)
{
	return ANY(i, s->n, s->change[i].kind == CHANGE_COMM && s->change[i].is_hidden);
}

bool whatif_in_order(const struct scenario *s)
{
	return !s->apart && !hides(s);
}

/* A thread stops and goes on, by itself. */
static bool passes(const struct depend_node *n)
{
	return n->point == POINT_YIELD || (n->point == POINT_RESUME && n->binding != EDGE_CAUSE);
}

static void set_one(struct plan *p, uint32_t host)
{
	p->one[host / 64] |= (uint64_t)1 << host % 64;
}

/* What leads to launches of work that the change is about. */
static void find_gone(struct plan *p, const struct change *c)
{
	const struct depend *d = p->d;

	for (EACH(const struct depend_node, node, d->node, d->n)) {
		uint32_t launch = node->from[EDGE_CAUSE];

		if (depend_is_work(node) && launch != NO_NODE &&
			d->node[launch].point == POINT_LAUNCH && is_of_row(c, node->row))
			set_one(p, d->node[launch].host);
	}
}

/* All moments of a thread behind one launch, up to another, in which it met nothing. */
static void find_graph(struct plan *p)
{
	const struct depend *d = p->d;

	for (size_t i = 0; i < d->n; i++) {
		const struct depend_node *n = &d->node[i];
		uint32_t at = n->from[EDGE_PREV];

		if (n->point != POINT_LAUNCH)
			continue;
		while (at != NO_NODE && passes(&d->node[at]))
			at = d->node[at].from[EDGE_PREV];
		if (at == NO_NODE || d->node[at].point != POINT_LAUNCH)
			continue;
		for (uint32_t k = (uint32_t)i; k != at; k = d->node[k].from[EDGE_PREV])
			set_one(p, d->node[k].host);
	}
}

static void find_one(struct plan *p)
{
	for (size_t i = 0; i < p->s->n; i++) {
		const struct change *c = &p->s->change[i];

		if (!c->is_one)
			continue;
		if (!p->one)
			p->one = zeroed(p->d->nhost / 64 + 1, sizeof(*p->one));
		if (c->kind == CHANGE_LAUNCH)
			find_graph(p);
		else
			find_gone(p, c);
	}
}

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

static void apart_init(struct plan *p)
{
	const struct datadeps *t = p->s->apart;

	if (!t)
		return;
	p->front = zeroed(p->d->n, sizeof(*p->front));
	p->done = zeroed(t->nop, sizeof(*p->done));
	FILL(p->done, t->nop, INT64_MIN);
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

	plan_init(&p, d, l, s);
	apart_init(&p);
	find_one(&p);
	p.ready = hides(s) ? zeroed(d->n, sizeof(*p.ready)) : NULL;
	if (!t->fin)
		t->fin = xmalloc((d->n + 1) * sizeof(*t->fin));
	t->d = d;
	find_asked(&p);
	time_nodes(&p, t->fin);
	FREE_ALL(p.scaled, p.group, p.one, p.front, p.done, p.ready);
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
		read_work(&p, &s->change[i]);
	return saturate_sub(t->fin[node], work_ns(&p, &t->d->node[node]));
}
