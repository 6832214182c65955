/* What a scenario changes, read once. */
#include "analyze/depgraph/whatif_plan.h"

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

void whatif_plan_work(struct plan *p, const struct change *c)
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
		p->has_graph |= c->kind == CHANGE_LAUNCH;
	}
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

void whatif_plan_init(
	struct plan *p, struct depend *d, const struct lags *l, const struct scenario *s)
{
	bool walks = false;
	size_t n = GROUP_COUNT + l->host->nfunction;

	*p = (struct plan){ .d = d, .s = s, .lags = l, .all = 1 };
	p->group = zeroed(n, sizeof(*p->group));
	FILL(p->group, n, 1);
	for (EACH(const struct change, change, s->change, s->n)) {
		whatif_plan_work(p, change);
		read_host(p, change, &walks);
		p->on_host |= change->is_one;
	}
	p->on_host |= walks || p->all != 1;
	p->on_launch = p->all != 1 || p->group[GROUP_STARTUP] < 1;
	for (size_t g = 0; g < n; g++)
		p->on_host |= p->group[g] != 1;
	if (walks)
		p->scaled = host_scaled_new(d, l->host, scale_call, p, p->group);
	apart_init(p);
	find_one(p);
	p->ready = scenario_hides(s) ? zeroed(d->n, sizeof(*p->ready)) : NULL;
	find_asked(p);
}

void whatif_plan_clear(struct plan *p)
{
	FREE_ALL(p->scaled, p->group, p->one, p->front, p->done, p->ready);
}
