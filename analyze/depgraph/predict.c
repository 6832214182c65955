/* Predictions: begins and ends of steps, before and after. */
#include "analyze/depgraph/predict.h"

#include "analyze/trace/links/links.h"
#include "analyze/depgraph/critpath.h"
#include "analyze/measure/window.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

/* Of the window: a function that takes more has a change of its own. */
static const double APART = 0.02;

ORDER(by_time, struct predict_border, compare3(a->at, b->at))

static void find_borders(struct predict *p, struct arena *mem)
{
	struct predict_border *v;
	size_t n = 0;

	p->border = v = arena_array(mem, 2 * p->nstep, sizeof(*v));
	for (size_t i = 0; i < p->nstep; i++) {
		v[n++] = (struct predict_border){ p->step[i].start, INT64_MIN, NO_NODE };
		v[n++] = (struct predict_border){ p->step[i].end, INT64_MIN, NO_NODE };
	}
	sort_rows(v, n, sizeof(*v), by_time);
	for (size_t i = 0; i < n; i++)
		if (p->nborder == 0 || v[p->nborder - 1].at != v[i].at)
			v[p->nborder++] = v[i];
}

/* The first border at or behind t, or how many there are. */
static size_t border_behind(const struct predict *p, nsec t)
{
	return PARTITION_POINT(i, 0, p->nborder, p->border[i].at < t);
}

/* The same, which mostly is k or beside it. */
static size_t border_near(const struct predict *p, nsec t, size_t k)
{
	for (int looks = 4; looks > 0; looks--) {
		if (k < p->nborder && p->border[k].at < t)
			k++;
		else if (k > 0 && p->border[k - 1].at >= t)
			k--;
		else
			return k;
	}
	return border_behind(p, t);
}

static nsec later(nsec a, nsec b)
{
	return MAX(a, b);
}

/* Threads that have to do with a step: they launch work, wait for it, have marks of steps, or
 * another takes over from them.  Of others (one that pins memory, one that watches) nobody is seen
 * to wait for what they do, so no step does. */
static void find_lanes(struct predict *p, struct arena *mem)
{
	const struct depend *d = p->depend;

	p->counts = arena_array(mem, d->run->lanes.n, sizeof(*p->counts));
	for (EACH(const struct depend_node, n, d->node, d->n)) {
		if (n->point != POINT_YIELD && n->point != POINT_RESUME)
			p->counts[n->lane] = true;
		if (n->from[EDGE_CAUSE] != NO_NODE)
			p->counts[d->node[n->from[EDGE_CAUSE]].lane] = true;
	}
}

/* The first border that has to wait for a node; nborder: none has.  A step that is cut on the
 * device begins when its first work does: that waits for work of steps before it, and not for how
 * far the host is, which is ahead by what the device left it. */
static size_t border_of(const struct predict *p, uint32_t node, size_t near)
{
	const struct depend *d = p->depend;
	const struct steps *s = d->run->steps;
	uint32_t step;

	if (!p->counts[d->node[node].lane])
		return p->nborder;
	if (!s || !s->on_device)
		return border_near(p, depend_fin(d, node), near);
	step = depend_is_work(&d->node[node]) ? step_of_row(d->run, d->node[node].row) : NO_ROW;
	if (step == NO_ROW)
		return p->nborder;
	nsec end = depend_fin(d, node);
	return border_near(p, MAX(s->step[step].end, end), near);
}

/* All borders that the work runs over. */
static void find_over(struct predict *p, uint32_t node, size_t end)
{
	const struct depend_node *n = &p->depend->node[node];

	if (!depend_is_work(n) || (p->depend->run->steps && p->depend->run->steps->on_device))
		return;
	for (size_t k = border_behind(p, saturate_add(n->at, 1)); k < end; k++) {
		p->border[k].was = p->border[k].at;
		PUSH(p->over, p->nover, p->cap, (struct predict_over){ node, (uint32_t)k });
	}
}

/* Whether somebody can do without that function, or do it faster: it is not torch's own, and does
 * not wait for another thread. */
static bool is_program(struct span name)
{
	return !span_has(name, "torch/") && !span_has(name, "torch._C") &&
		!span_has(name, "nn.Module") && !span_has(name, "acquire") &&
		!span_has(name, "poll");
}

/* What is built in and right around operators is the way to them. */
static void leave_ways(struct host_weights *h, const struct run *r)
{
	for (sym i = 0; i < r->strings.n; i++)
		if (h->has_calls[i] && h->group_of[i] &&
			span_starts(strings_get(&r->strings, i), "<built-in"))
			h->is_apart[h->group_of[i] - GROUP_COUNT] = false;
}

/* Functions that have a change of their own: they take more than APART of the window. */
static void find_apart(struct predict *p, struct arena *mem)
{
	struct host_weights *h = p->lags.host;
	const struct window *w = p->window;
	nsec *ns = arena_array(mem, h->nfunction, sizeof(*ns));

	h->is_apart = arena_array(mem, h->nfunction, sizeof(*h->is_apart));
	for (uint32_t i = 0; i < p->depend->n && h->nfunction > 0; i++) {
		const struct depend_node *n = &p->depend->node[i];

		if (depend_is_work(n) || p->nborder == 0 || n->at <= p->border[0].at ||
			n->at > p->border[p->nborder - 1].at)
			continue;
		for (size_t k = h->begin[n->host]; k < h->begin[n->host + 1]; k++)
			if (h->part[k].group >= GROUP_COUNT)
				saturate_onto(&ns[h->part[k].group - GROUP_COUNT], h->part[k].ns);
	}
	for (size_t i = 0; i < h->nfunction; i++)
		h->is_apart[i] = (double)ns[i] * p->stand > APART * (double)w->ns &&
			is_program(strings_get(&p->depend->run->strings, h->function[i]));
	if (h->nfunction > 0)
		leave_ways(h, p->depend->run);
}

/* Whether a node finishes no earlier than the one before it on its lane. */
static bool is_behind(const struct predict *p, uint32_t node)
{
	const struct depend_node *n = &p->depend->node[node];

	return p->lags.node[node].ns[EDGE_PREV] >= 0 && n->host != DEPEND_LONG &&
		(n->point != POINT_RETURN || n->binding != EDGE_CAUSE);
}

/* node: the last so far of a lane, or NO_NODE. */
static void add_last(struct predict *p, uint32_t node)
{
	if (node == NO_NODE || p->border_of[node] == p->nborder)
		return;
	PUSH(p->last, p->nlast, p->last_cap, (struct predict_over){ node, p->border_of[node] });
}

/* The border of the next node, near one of a node before it; it. */
static size_t find_border(struct predict *p, uint32_t node, size_t near)
{
	uint32_t prev = p->depend->node[node].from[EDGE_PREV];
	size_t k = border_of(p, node, near);

	p->border_of[node] = (uint32_t)k;
	if (prev != NO_NODE && (p->border_of[prev] != k || !is_behind(p, node)))
		add_last(p, prev);
	find_over(p, node, k);
	if (k == p->nborder)
		return near;
	p->border[k].was = later(p->border[k].was, depend_fin(p->depend, node));
	return k;
}

static void take_typical(struct predict *p, const struct typical *t)
{
	p->step = p->window->time + t->first;
	p->nstep = t->n;
	p->stand = (double)p->window->ns / (double)t->ns;
}

void predict_init(struct predict *p, struct depend *d, const struct window *w, struct arena *mem)
{
	size_t k = 0;

	*p = (struct predict){
		.depend = d, .window = w, .step = w->time, .nstep = w->nstep, .stand = 1
	};
	if (d->is_part)
		take_typical(p, &w->typical);
	lags_init(&p->lags, d);
	find_borders(p, mem);
	find_lanes(p, mem);
	p->border_of = arena_array(mem, d->n, sizeof(*p->border_of));
	for (uint32_t i = 0; i < d->n; i++)
		k = find_border(p, i, k);
	for (size_t lane = 0; lane < d->run->lanes.n; lane++)
		add_last(p, d->last[lane]);
	for (k = 1; k < p->nborder; k++)
		p->border[k].was = later(p->border[k].was, p->border[k - 1].was);
	for (k = 0; k < p->nborder; k++)
		p->border[k].last = critpath_border(d, p->border[k].at);
	find_apart(p, mem);
}

/* When so much of work has been done as had been by the border. */
static nsec done_at(const struct predict *p, const struct whatif_times *t, const struct scenario *s,
	const struct predict_over *o)
{
	const struct depend_node *n = &p->depend->node[o->node];
	nsec begin = whatif_at(t, s, o->node), dur = saturate_sub(t->fin[o->node], begin);
	double done = (double)(p->border[o->border].at - n->at) /
		(double)(depend_fin(p->depend, o->node) - n->at);

	return saturate_add(begin, saturate_round(done * (double)dur));
}

/* By border: when what had finished by then has, in the times of the scenario. */
static void find_times(
	const struct predict *p, const struct whatif_times *t, const struct scenario *s, nsec *now)
{
	FILL(now, p->nborder, INT64_MIN);
	for (EACH(const struct predict_over, last, p->last, p->nlast))
		now[last->border] = later(now[last->border], t->fin[last->node]);
	for (uint32_t i = 0; i < p->depend->n && !scenario_in_order(s); i++)
		if (p->border_of[i] < p->nborder)
			now[p->border_of[i]] = later(now[p->border_of[i]], t->fin[i]);
	for (EACH(struct predict_over, over, p->over, p->nover))
		now[over->border] = later(now[over->border], done_at(p, t, s, over));
	for (size_t k = 1; k < p->nborder; k++)
		now[k] = later(now[k], now[k - 1]);
	for (size_t k = 0; k < p->nborder; k++) {
		const struct predict_border *b = &p->border[k];

		if (b->last != NO_NODE)
			now[k] = later(now[k], whatif_at(t, s, b->last));
	}
}

/* How much later a border is. */
static nsec move_of(const struct predict *p, const nsec *now, nsec at)
{
	size_t k = border_behind(p, at);
	nsec was = p->border[k].last == NO_NODE ? p->border[k].was : p->border[k].at;

	return was == INT64_MIN ? 0 : saturate_sub(now[k], was);
}

/* Whether nothing takes longer than it did. */
static bool only_shortens(const struct scenario *s)
{
	return !ANY(
		i, s->n, s->change[i].ns > 0 || (s->change[i].ns < 0 && s->change[i].factor > 1));
}

nsec predict_saves(const struct predict *p, const struct scenario *s, struct whatif_times *t)
{
	nsec *now = zeroed(p->nborder, sizeof(*now)), saves = 0;

	whatif(t, p->depend, &p->lags, s);
	find_times(p, t, s, now);
	for (size_t i = 0; i < p->nstep; i++) {
		saturate_onto(&saves, move_of(p, now, p->step[i].start));
		saves = saturate_sub(saves, move_of(p, now, p->step[i].end));
	}
	free(now);
	if (p->stand != 1)
		saves = saturate_round((double)saves * p->stand);
	/* Its begin may have nothing to wait for, and come so much earlier that it seems longer. */
	return saves < 0 && only_shortens(s) ? 0 : saves;
}

void predict_clear(struct predict *p)
{
	lags_clear(&p->lags);
	FREE_ALL(p->over, p->last);
}
