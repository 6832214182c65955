/*
 * `launches`: short kernels by name, the worst calls, and halves without the other half.
 */
#include <stdlib.h>

#include "analyze/answer/launches/launches.h"
#include "analyze/measure/device/launchstat.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/compare3.h"
#include "base/saturate.h"

/* Things of one name. */
struct group {
	struct span name;
	const char *what;
	int64_t count;
	nsec device_ns, call_ns;
};

struct groups {
	struct group *v;
	size_t n, cap;
	uint32_t *of_name; /* by sym: 1 + index */
	struct arena *mem;
};

static void groups_init(struct groups *g, struct launches *l)
{
	*g = (struct groups){ .mem = &l->at->mem };
	g->of_name = arena_array(g->mem, l->at->run->strings.n, sizeof(*g->of_name));
}

static struct group *group_of(struct groups *g, const struct run *r, sym name, const char *what)
{
	if (!g->of_name[name]) {
		g->v = array_grow(g->v, &g->cap, g->n + 1, sizeof(*g->v));
		g->v[g->n++] =
			(struct group){ .name = strings_get(&r->strings, name), .what = what };
		g->of_name[name] = (uint32_t)g->n;
	}
	return &g->v[g->of_name[name] - 1];
}

static int by_count(const void *pa, const void *pb)
{
	const struct group *a = pa, *b = pb;

	if (a->what != b->what && strcmp(a->what, b->what) != 0)
		return strcmp(a->what, b->what);
	return COMPARE_BY(compare3(b->count, a->count), span_cmp(a->name, b->name));
}

static void sort(struct groups *g)
{
	if (g->n > 1)
		qsort(g->v, g->n, sizeof(*g->v), by_count);
}

void launches_put_short(struct launches *l, const struct table_doc *doc)
{
	const struct run *r = l->at->run;
	struct arena_mark mark = arena_mark(&l->at->mem);
	struct groups g;
	struct table *t;
	size_t i;

	if (l->is_short == 0)
		return;
	t = perrun_table(l->at, doc);
	groups_init(&g, l);
	for (i = 0; i < l->ncall; i++) {
		const struct launch_call *c = &l->call[i];
		struct group *of;

		if (c->n == 0 || !launches_is_short(l, c))
			continue;
		of = group_of(&g, r, r->events.name[c->one], "");
		of->count++;
		saturate_onto(&of->device_ns, c->device_ns);
		saturate_onto(&of->call_ns, r->events.dur[c->row]);
	}
	sort(&g);
	for (i = 0; i < g.n && i < l->limit; i++) {
		const struct group *of = &g.v[i];

		table_row(t);
		table_int(t, LSHORT_CALLS, of->count);
		table_real(t, LSHORT_SHARE, (double)of->count / (double)l->calls);
		table_real(t, LSHORT_DEVICE_MEAN, (double)of->device_ns / (double)of->count);
		table_real(t, LSHORT_CALL_MEAN, (double)of->call_ns / (double)of->count);
		table_int(t, LSHORT_EXCESS, saturate_sub(of->call_ns, of->device_ns));
		table_text(t, LSHORT_NAME, of->name);
	}
	rows_cut(t, LSHORT_NAME, g.n - i);
	free(g.v);
	arena_reset(&l->at->mem, mark);
}

/* A call beyond a threshold. */
struct outlier {
	nsec ns, start;
	struct span name;
	const struct launch_call *c;
};

/* What is equally long by time and name, so that the order of a file does not show. */
static int by_time(const void *pa, const void *pb)
{
	const struct outlier *a = pa, *b = pb;

	if (a->ns != b->ns)
		return compare3(b->ns, a->ns);
	if (a->start != b->start)
		return compare3(a->start, b->start);
	if (!span_eq(a->name, b->name))
		return span_cmp(a->name, b->name);
	return compare3(a->c->row, b->c->row);
}

static void put_outlier(
	struct launches *l, struct table *t, const char *what, const struct outlier *v)
{
	const struct run *r = l->at->run;
	uint32_t op = r->links->op_of_launch[r->events.args[v->c->row] - 1];
	nsec start = r->events.start[v->c->row];
	int64_t step;

	table_row(t);
	table_text(t, LOUT_WHAT, span_of(what));
	table_int(t, LOUT_NS, v->ns);
	if (steps_number_at(r->steps, start, &step))
		table_int(t, LOUT_STEP, step);
	table_int(t, LOUT_AT, saturate_sub(start, r->first_ns));
	table_int(t, LOUT_START, start);
	table_text(t, LOUT_CALL, run_name(r, v->c->row));
	if (op != NO_ROW)
		table_text(t, LOUT_OP, run_name(r, op));
	table_text(t, LOUT_KERNEL, run_name(r, v->c->one));
}

static void put_worst(struct launches *l, struct table *t, bool is_delay)
{
	const struct events *ev = &l->at->run->events;
	size_t all = (size_t)(is_delay ? l->delayed : l->slow), n = 0, i;
	nsec over = (is_delay ? l->o->long_delay_us : l->o->slow_call_us) * 1000;
	struct arena_mark mark = arena_mark(&l->at->mem);
	struct outlier *v = arena_array(&l->at->mem, all, sizeof(*v));

	for (i = 0; i < l->ncall; i++) {
		const struct launch_call *c = &l->call[i];
		nsec ns;

		if (c->n == 0)
			continue;
		ns = is_delay ? launches_delay(l, c) : ev->dur[c->row];
		if (ns > over)
			v[n++] = (struct outlier){ ns, ev->start[c->row],
				run_name(l->at->run, c->row), c };
	}
	if (n > 1)
		qsort(v, n, sizeof(*v), by_time);
	for (i = 0; i < n && i < l->limit; i++)
		put_outlier(l, t, is_delay ? "long delay" : "slow call", &v[i]);
	t->ncut += n - i;
	arena_reset(&l->at->mem, mark);
}

/* People see slow calls only: long delays are what a full queue looks like. */
void launches_put_outliers(struct launches *l, const struct table_doc *doc)
{
	struct table *t;

	if (l->slow == 0 && (l->delayed == 0 || l->at->q->for_people))
		return;
	t = perrun_table(l->at, doc);
	put_worst(l, t, false);
	if (!l->at->q->for_people)
		put_worst(l, t, true);
	if (l->at->q->for_people)
		rows_cut(t, LOUT_OP, t->ncut);
}

/* Calls that look like launches and have no device event at all; those are not filtered. */
static void collect_calls(struct launches *l, struct groups *g)
{
	const struct run *r = l->at->run;
	const uint32_t *id = r->args.col[ARG_LAUNCH_CORRELATION].id;
	uint8_t *has_work = arena_array(&l->at->mem, l->ncall, sizeof(*has_work));
	size_t n = r->order->device_begin[r->lanes.n], i;

	for (i = 0; i < n; i++) {
		uint32_t call = launch_of_row(r, r->order->device[i]);

		if (call != NO_ROW)
			has_work[r->events.args[call] - 1] = 1;
	}
	for (i = 0; id && i < r->events.n; i++) {
		uint32_t side = r->events.args[i];
		struct group *of;

		if (r->events.kind[i] != KIND_RUNTIME || side == NO_ARGS || has_work[side - 1] ||
			id[side - 1] == 0 || !launch_is_name(run_name(r, i)))
			continue;
		of = group_of(g, r, r->events.name[i], "call without work");
		of->count++;
		saturate_onto(&of->call_ns, r->events.dur[i]);
	}
}

static void collect_work(struct launches *l, struct groups *g)
{
	const struct run *r = l->at->run;
	size_t n = r->order->device_begin[r->lanes.n], i;

	for (i = 0; i < n; i++) {
		uint32_t row = r->order->device[i];
		struct group *of;

		if (launch_of_row(r, row) != NO_ROW || !filter_device(&l->at->view, row) ||
			!filter_name(&l->at->view, r->events.name[row]))
			continue;
		of = group_of(g, r, r->events.name[row], "work without launch");
		of->count++;
		saturate_onto(&of->call_ns, r->events.dur[row]);
	}
}

static void put_missing(struct table *t, struct groups *g, size_t limit)
{
	size_t i;

	sort(g);
	for (i = 0; i < g->n && i < limit; i++) {
		table_row(t);
		table_text(t, LMISS_WHAT, span_of(g->v[i].what));
		table_int(t, LMISS_COUNT, g->v[i].count);
		table_int(t, LMISS_NS, g->v[i].call_ns);
		table_text(t, LMISS_NAME, g->v[i].name);
	}
	t->ncut += g->n - i;
	free(g->v);
}

void launches_put_unmatched(struct launches *l, const struct table_doc *doc)
{
	struct arena_mark mark = arena_mark(&l->at->mem);
	struct groups g;
	struct table *t;

	if (l->unlinked == 0 && l->at->run->links->launches_without_device == 0)
		return;
	t = perrun_table(l->at, doc);
	groups_init(&g, l);
	collect_calls(l, &g);
	put_missing(t, &g, l->limit);
	groups_init(&g, l);
	collect_work(l, &g);
	put_missing(t, &g, l->limit);
	rows_cut(t, LMISS_NAME, t->ncut);
	arena_reset(&l->at->mem, mark);
}
