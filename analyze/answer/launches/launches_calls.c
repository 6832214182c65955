/*
 * `launches`: device events gathered by their calls, and tables by the calls' names.
 */
#include <stdlib.h>

#include "analyze/answer/launches/launches.h"
#include "analyze/measure/device/launchstat.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/stat/stats.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/compare3.h"
#include "base/minmax.h"
#include "base/saturate.h"

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

static void count_unlinked(struct launches *l, uint32_t row)
{
	const struct run *r = l->at->run;
	uint32_t side = r->events.args[row];

	l->unlinked++;
	saturate_onto(&l->unlinked_ns, r->events.dur[row]);
	l->unlinked_with_op += side != NO_ARGS && r->links->op[side - 1] != NO_ROW;
}

static void count_row(struct launches *l, uint32_t row)
{
	const struct run *r = l->at->run;
	const struct events *ev = &r->events;
	uint32_t call = launch_of_row(r, row);
	struct launch_call *c;

	l->device_events++;
	saturate_onto(&l->device_ns, ev->dur[row]);
	if (call == NO_ROW) {
		count_unlinked(l, row);
		return;
	}
	l->early += ev->start[row] < ev->start[call];
	c = &l->call[ev->args[call] - 1];
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
	nsec dur;

	if (c->n == 0)
		return;
	dur = l->at->run->events.dur[c->row];
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
	size_t n = r->order->device_begin[r->lanes.n], i;

	l->ncall = r->args.n[ARGS_LAUNCH];
	l->call = arena_array(&l->at->mem, l->ncall, sizeof(*l->call));
	for (i = 0; i < n; i++) {
		uint32_t row = r->order->device[i];

		if (filter_device(&l->at->view, row) &&
			filter_name(&l->at->view, r->events.name[row]))
			count_row(l, row);
	}
	for (i = 0; i < l->ncall; i++)
		sum_call(l, &l->call[i]);
}

/* Calls of one name. */
struct launcher {
	struct span name;
	int64_t calls, events;
	nsec call_ns, device_ns;
	size_t begin, fill; /* in the samples */
};

struct launchers {
	struct launcher *v; /* by name, sorted by events */
	size_t n;
	uint32_t *of_name; /* by sym: 1 + index */
};

static int by_events(const void *pa, const void *pb)
{
	const struct launcher *a = pa, *b = pb;

	return COMPARE_BY(compare3(b->events, a->events), span_cmp(a->name, b->name));
}

/* All calls that launched something, or those of graphs. */
static void list_launchers(struct launchers *a, struct launches *l, bool graphs)
{
	const struct run *r = l->at->run;
	size_t cap = 0, i;

	*a = (struct launchers){ 0 };
	a->of_name = arena_array(&l->at->mem, r->strings.n, sizeof(*a->of_name));
	for (i = 0; i < l->ncall; i++) {
		const struct launch_call *c = &l->call[i];
		sym name = c->n ? r->events.name[c->row] : 0;
		struct launcher *g;

		if (c->n == 0 || (graphs && !is_graph(l, c)))
			continue;
		if (!a->of_name[name]) {
			a->v = array_grow(a->v, &cap, a->n + 1, sizeof(*a->v));
			a->v[a->n++] = (struct launcher){ .name = strings_get(&r->strings, name) };
			a->of_name[name] = (uint32_t)a->n;
		}
		g = &a->v[a->of_name[name] - 1];
		g->calls++;
		g->events += c->n;
		saturate_onto(&g->call_ns, r->events.dur[c->row]);
		saturate_onto(&g->device_ns, c->device_ns);
	}
	if (a->n > 1)
		qsort(a->v, a->n, sizeof(*a->v), by_events);
	for (i = 0; i < a->n; i++)
		a->of_name[strings_find(&r->strings, a->v[i].name)] = (uint32_t)i + 1;
}

/* Values of all calls, name by name: durations, or delays. */
static int64_t *sample(struct launchers *a, struct launches *l, bool graphs, bool is_delay)
{
	const struct events *ev = &l->at->run->events;
	int64_t *v;
	size_t n = 0, i;

	for (i = 0; i < a->n; i++) {
		a->v[i].begin = a->v[i].fill = n;
		n += (size_t)a->v[i].calls;
	}
	v = arena_array(&l->at->mem, n, sizeof(*v));
	for (i = 0; i < l->ncall; i++) {
		const struct launch_call *c = &l->call[i];

		if (c->n > 0 && (!graphs || is_graph(l, c)))
			v[a->v[a->of_name[ev->name[c->row]] - 1].fill++] =
				is_delay ? launches_delay(l, c) : ev->dur[c->row];
	}
	return v;
}

/* The sum as a double: a mean needs no more. */
static double sum_of(const int64_t *v, size_t n, int64_t *max)
{
	double sum = 0;
	size_t i;

	for (*max = INT64_MIN, i = 0; i < n; i++) {
		sum += (double)v[i];
		*max = MAX(v[i], *max);
	}
	return sum;
}

static void put_launcher(
	struct table *t, const struct launcher *g, int64_t *durations, int64_t *delays)
{
	size_t n = (size_t)g->calls;
	int64_t max;

	table_row(t);
	table_text(t, LCALL_NAME, g->name);
	table_int(t, LCALL_CALLS, g->calls);
	table_int(t, LCALL_EVENTS, g->events);
	table_int(t, LCALL_NS, g->call_ns);
	table_int(t, LCALL_DEVICE_NS, g->device_ns);
	table_real(t, LCALL_MEAN, (double)g->call_ns / (double)n);
	table_real(t, LCALL_P95, stats_quantile(durations + g->begin, n, 0.95));
	table_real(t, LCALL_DELAY_MEAN, sum_of(delays + g->begin, n, &max) / (double)n);
	table_int(t, LCALL_DELAY_MAX, max);
	table_real(t, LCALL_DELAY_P95, stats_quantile(delays + g->begin, n, 0.95));
	table_real(t, LCALL_DELAY_P50, stats_quantile(delays + g->begin, n, 0.5));
}

void launches_put_launchers(struct launches *l, const struct table_doc *doc)
{
	struct arena_mark mark = arena_mark(&l->at->mem);
	struct table *t = perrun_table(l->at, doc);
	int64_t *durations, *delays;
	struct launchers a;
	size_t i;

	list_launchers(&a, l, false);
	durations = sample(&a, l, false, false);
	delays = sample(&a, l, false, true);
	for (i = 0; i < a.n && i < l->limit; i++)
		put_launcher(t, &a.v[i], durations, delays);
	rows_cut(t, LCALL_NAME, a.n - i);
	free(a.v);
	arena_reset(&l->at->mem, mark);
}

void launches_put_graphs(struct launches *l, const struct table_doc *doc)
{
	struct arena_mark mark = arena_mark(&l->at->mem);
	struct launchers a;
	struct table *t;
	int64_t *delays, max;
	size_t i;

	if (l->graph_calls == 0)
		return;
	t = perrun_table(l->at, doc);
	list_launchers(&a, l, true);
	delays = sample(&a, l, true, true);
	for (i = 0; i < a.n && i < l->limit; i++) {
		const struct launcher *g = &a.v[i];
		double n = (double)g->calls;

		table_row(t);
		table_text(t, LGRAPH_NAME, g->name);
		table_int(t, LGRAPH_CALLS, g->calls);
		table_int(t, LGRAPH_NODES, g->events);
		table_real(t, LGRAPH_NODES_MEAN, (double)g->events / n);
		table_real(t, LGRAPH_MEAN, (double)g->call_ns / n);
		table_real(t, LGRAPH_DELAY, sum_of(delays + g->begin, (size_t)g->calls, &max) / n);
		table_real(t, LGRAPH_DEVICE_MEAN, (double)g->device_ns / n);
		table_real(t, LGRAPH_SAVED, (double)g->call_ns / (double)g->events);
	}
	rows_cut(t, LGRAPH_NAME, a.n - i);
	free(a.v);
	arena_reset(&l->at->mem, mark);
}
