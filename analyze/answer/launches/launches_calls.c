/* `launches`: device events gathered by their calls, and tables by the calls' names. */
#include "analyze/answer/launches/launches.h"
#include "analyze/trace/columns/order.h"

nsec launches_delay(const struct launches *l, const struct launch_call *c)
{
	nsec delay = saturate_sub(c->first, events_end(&l->at->run->events, c->row));

	return MAX(0, delay);
}

bool launches_is_short(const struct launches *l, const struct launch_call *c)
{
	const struct events *ev = &l->at->run->events;

	return c->n == 1 && ev->dur[c->row] <= l->o->slow_call_us * 1000 &&
		ev->dur[c->one] < ev->dur[c->row];
}

static void count_row(struct launches *l, uint32_t row)
{
	const struct run *r = l->at->run;
	const struct events *ev = &r->events;
	uint32_t call = launch_of_row(r, row);

	l->device_events++;
	saturate_onto(&l->device_ns, ev->dur[row]);
	if (call == NO_ROW) {
		uint32_t side = r->events.args[row];
		l->unlinked++;
		saturate_onto(&l->unlinked_ns, r->events.dur[row]);
		l->unlinked_with_op += side != NO_ARGS && r->links->op[side - 1] != NO_ROW;
		return;
	}
	l->early += ev->start[row] < ev->start[call];
	struct launch_call *c = &l->call[ev->args[call] - 1];
	if (c->n == 0 || ev->start[row] < c->first ||
		(ev->start[row] == c->first && row < c->one)) {
		c->first = ev->start[row];
		c->one = row;
	}
	c->row = call;
	saturate_onto(&c->device_ns, ev->dur[row]);
	c->n++;
}

/* Whether a call launched a graph: several device events, and it is none that waits. */
static bool is_graph(const struct launches *l, const struct launch_call *c)
{
	return c->n > 1 && !links_is_wait(run_name(l->at->run, c->row));
}

static void sum_call(struct launches *l, const struct launch_call *c)
{
	if (c->n == 0)
		return;
	nsec dur = l->at->run->events.dur[c->row];
	l->calls++;
	l->graph_calls += is_graph(l, c);
	*(is_graph(l, c) ? &l->graph : &l->linked) += c->n;
	saturate_onto(&l->call_ns, dur);
	l->slow += dur > l->o->slow_call_us * 1000;
	l->delayed += launches_delay(l, c) > l->o->long_delay_us * 1000;
	if (launches_is_short(l, c)) {
		l->is_short++;
		saturate_onto(&l->short_ns, c->device_ns);
		saturate_onto(&l->short_call_ns, dur);
	}
}

void launches_collect(struct launches *l)
{
	const struct run *r = l->at->run;

	l->ncall = r->args.n[ARGS_LAUNCH];
	l->call = arena_array(&l->at->mem, l->ncall, sizeof(*l->call));
	for (EACH_DEVICE_ROW(row, r)) {
		if (filter_device(&l->at->view, row) &&
			filter_name(&l->at->view, r->events.name[row]))
			count_row(l, row);
	}
	for (size_t i = 0; i < l->ncall; i++)
		sum_call(l, &l->call[i]);
}

/* All calls that launched something by their names, or those of graphs. */
static void group_calls(struct launches *l, struct groups *by_name, bool graphs)
{
	static const struct launch_group fresh = { .delays = { .max = INT64_MIN } };
	const struct events *ev = &l->at->run->events;

	groups_init(by_name, sizeof(sym), sizeof(fresh), &fresh, l->at->run->strings.n);
	for (EACH(const struct launch_call, c, l->call, l->ncall)) {
		if (c->n == 0 || (graphs && !is_graph(l, c)))
			continue;
		struct launch_group *g = groups_item(by_name, groups_of(by_name, ev->name[c->row]));
		durations_add(&g->calls, ev->dur[c->row]);
		durations_add(&g->delays, launches_delay(l, c));
		g->events += c->n;
		saturate_onto(&g->device_ns, c->device_ns);
	}
}

enum { DURATIONS, DELAYS, SERIES };
static const struct grouping launchers = {
	.sort = LCALL_EVENTS, .name = LCALL_NAME, .calls = LCALL_CALLS
};
static const struct grouping graphs = { .sort = LGRAPH_NODES, .name = LGRAPH_NAME };

void launches_put_launchers(struct launches *l)
{
	struct arena_mark mark = arena_mark(&l->at->mem);
	const struct events *ev = &l->at->run->events;
	struct groups by_name;

	group_calls(l, &by_name, false);
	struct groupby g =
		groupby_of(&launchers, l->at, &launches_docs[LAUNCHES_LAUNCHERS], &by_name, l);
	g.limit = l->limit;
	groupby_rank(&g);
	groupby_table(&g);
	groupby_sample_begin(&g, SERIES);
	for (EACH(const struct launch_call, c, l->call, l->ncall)) {
		if (c->n == 0)
			continue;
		uint32_t at = groups_of(&by_name, ev->name[c->row]);
		groupby_sample(&g, DURATIONS, at, ev->dur[c->row]);
		groupby_sample(&g, DELAYS, at, launches_delay(l, c));
	}
	groupby_sample_end(&g, 1);
	groupby_put(&g);
	groups_clear(&by_name);
	arena_reset(&l->at->mem, mark);
}

void launches_put_graphs(struct launches *l)
{
	struct groups by_name;

	group_calls(l, &by_name, true);
	struct groupby g = groupby_of(&graphs, l->at, &launches_docs[LAUNCHES_GRAPHS], &by_name, l);
	g.limit = l->limit;
	groupby_put(&g);
	groups_clear(&by_name);
}
