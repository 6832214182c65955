/* Replays: the run's graph launches and the captured graphs become sequences of steps, each launch
 * chooses a graph, and its kernels get the calls of the graph's launches. */
#include "analyze/trace/graphs/replay.h"

#include <assert.h>

#include "analyze/trace/links/calls.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/graphs/replay_work.h"
#include "analyze/trace/run.h"
#include "base/base.h"

struct attaching {
	struct run *run;
	struct replay *replay;
	struct replay_graft *graft; /* of each capture that is looked at */
	size_t ngraft;
	struct replay_graph *graph;
	size_t ngraph;
	struct replay_one *one;
	size_t none, one_cap;
	struct replay_shapes shapes;
	struct arena mem;
};

static uint32_t *no_rows(size_t n)
{
	uint32_t *row = zeroed(n, sizeof(*row));

	memset(row, 0xff, n * sizeof(*row));
	return row;
}

/* --- captured graphs --- */

static bool is_of_rank(const struct captured *c, const struct run *r)
{
	return c->run->meta.rank >= 0 && c->run->meta.rank == r->meta.rank;
}

/* Captures of the run's rank; where there are none, all. */
static void list_captures(struct attaching *a, const struct captured *c, size_t n)
{
	bool has_own = ANY(i, n, is_of_rank(&c[i], a->run));
	a->graft = arena_array(&a->mem, n, sizeof(*a->graft));
	for (EACH(const struct captured, captured, c, n)) {
		if (has_own && !is_of_rank(captured, a->run))
			continue;
		graft_init(&a->graft[a->ngraft++], a->run, a->replay, captured, &a->mem);
		a->replay->graphs += (int64_t)captured->ngraph;
	}
}

static uint32_t shape_of_graph(
	struct attaching *a, struct replay_graft *g, const struct captured_graph *graph)
{
	struct replay_step *step = arena_array(&a->mem, graph->n, sizeof(*step));
	const struct run *from = g->of->run;

	for (size_t i = 0; i < graph->n; i++) {
		const struct captured_launch *l = &g->of->launch[graph->begin + i];
		uint32_t side = from->events.args[l->row];

		step[i].kind = l->kind;
		if (l->kind == KIND_KERNEL && side != NO_ARGS)
			step[i].name =
				graft_sym(g, args_sym(&from->args, ARG_LAUNCH_KERNEL, side - 1));
	}
	return shapes_add(&a->shapes, (struct replay_steps){ step, graph->n }, &a->mem);
}

static void list_graphs(struct attaching *a)
{
	a->graph = arena_array(&a->mem, (size_t)a->replay->graphs, sizeof(*a->graph));
	for (size_t i = 0; i < a->ngraft; i++)
		for (size_t k = 0; k < a->graft[i].of->ngraph; k++) {
			const struct captured_graph *g = &a->graft[i].of->graph[k];

			if (g->n > 0)
				a->graph[a->ngraph++] = (struct replay_graph){ a->graft[i].of, g,
					shape_of_graph(a, &a->graft[i], g) };
		}
}

/* --- replays --- */

/* By launch side row its device rows, where it is a graph launch. */
static void list_work(struct attaching *a, const bool *is_graph)
{
	const struct run *r = a->run;
	struct replay *p = a->replay;
	size_t calls = r->args.n[ARGS_LAUNCH];

	p->begin = zeroed(calls + 2, sizeof(*p->begin));
	for (int pass = 0; pass < 2; pass++) {
		for (EACH_DEVICE_ROW(row, r)) {
			uint32_t call = launch_of_row(r, row);

			if (call == NO_ROW || !is_graph[r->events.name[call]])
				continue;
			if (pass == 0)
				p->begin[r->events.args[call] + 1]++;
			else
				p->row[p->begin[r->events.args[call]]++] = row;
		}
		for (size_t i = 1; pass == 0 && i < calls + 2; i++)
			p->begin[i] += p->begin[i - 1];
		if (pass == 0)
			p->row = zeroed(p->begin[calls + 1], sizeof(*p->row));
	}
}

struct place {
	int64_t node;
	nsec start;
	uint32_t row;
};

ORDER(by_node, struct place, compare3(a->node, b->node), compare3(a->start, b->start),
	compare3(a->row, b->row))

/* Kernels in the order of the graph: by the ids of its nodes, which are given as they are captured,
 * where all have one of their own; else by start. */
static void sort_work(const struct attaching *a, uint32_t *row, size_t n)
{
	const struct run *r = a->run;
	struct place *v = zeroed(n, sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		int64_t id = args_i64(&r->args, ARG_DEVICE_GRAPH_NODE, r->events.args[row[i]] - 1);

		v[i] = (struct place){ id, r->events.start[row[i]], row[i] };
	}
	qsort(v, n, sizeof(*v), by_node);
	bool has_ids = ALL(i, n, v[i].node > 0 && (i == 0 || v[i].node != v[i - 1].node));
	for (size_t i = 0; i < n && !has_ids; i++)
		v[i].node = 0;
	if (!has_ids)
		qsort(v, n, sizeof(*v), by_node);
	for (size_t i = 0; i < n; i++)
		row[i] = v[i].row;
	free(v);
}

/* ROCm copies and sets with kernels of its own. */
static struct replay_step step_of(const struct run *r, uint32_t row)
{
	struct span name = run_name(r, row);
	uint32_t kind = r->events.kind[row];

	if (kind == KIND_KERNEL && span_starts(name, "__amd_rocclr_copy"))
		kind = KIND_MEMCPY;
	if (kind == KIND_KERNEL && span_starts(name, "__amd_rocclr_fill"))
		kind = KIND_MEMSET;
	return (struct replay_step){ kind == KIND_KERNEL ? r->events.name[row] : 0, kind };
}

static uint32_t shape_of_work(struct attaching *a, const uint32_t *row, size_t n)
{
	struct arena_mark mark = arena_mark(&a->mem);
	struct replay_step *step = arena_array(&a->mem, n, sizeof(*step));
	size_t before = shapes_count(&a->shapes);

	for (size_t i = 0; i < n; i++)
		step[i] = step_of(a->run, row[i]);
	uint32_t shape = shapes_add(&a->shapes, (struct replay_steps){ step, n }, &a->mem);
	if (shapes_count(&a->shapes) == before)
		arena_reset(&a->mem, mark);
	return shape;
}

/* The annotation around a place that names a batch, else the innermost. */
static void find_context(
	const struct run *r, const struct calls *c, size_t place, struct replay_one *one)
{
	for (uint32_t up = c->parent[place]; up != NO_ROW && one->size < 0; up = c->parent[up]) {
		uint32_t row = r->order->host[up];

		if (r->events.kind[row] != KIND_ANNOTATION)
			continue;
		one->size = captured_size(run_name(r, row));
		if (one->size >= 0 || one->context == NO_ROW)
			one->context = row;
	}
}

static int64_t graph_id_of(const struct run *r, uint32_t row)
{
	int64_t id = args_i64(&r->args, ARG_DEVICE_GRAPH, r->events.args[row] - 1);

	return id > 0 ? id : ARG_UNKNOWN;
}

static void add_replay(struct attaching *a, const struct calls *c, size_t place)
{
	const struct run *r = a->run;
	uint32_t launch = r->order->host[place], side = r->events.args[launch];
	uint32_t *row = a->replay->row + a->replay->begin[side - 1];
	struct replay_one one = { .launch = launch,
		.kernel = row,
		.n = a->replay->begin[side] - a->replay->begin[side - 1],
		.context = NO_ROW,
		.size = -1 };

	if (one.n == 0)
		return;
	sort_work(a, row, one.n);
	one.shape = shape_of_work(a, row, one.n);
	one.graph_id = graph_id_of(r, row[0]);
	find_context(r, c, place, &one);
	PUSH(a->one, a->none, a->one_cap, one);
	a->replay->launches++;
	a->replay->kernels += (int64_t)one.n;
}

static void list_replays(struct attaching *a)
{
	const struct run *r = a->run;
	bool *is_graph = zeroed(r->strings.n, sizeof(*is_graph));
	struct calls *c = calls_new(r);

	for (size_t i = 0; i < r->strings.n; i++)
		is_graph[i] = span_has(strings_get(&r->strings, (sym)i), "GraphLaunch");
	list_work(a, is_graph);
	for (size_t lane = 0; lane < r->lanes.n; lane++) {
		calls_fill(c, r, lane);
		for (size_t i = r->order->host_begin[lane]; i < r->order->host_begin[lane + 1];
			i++) {
			uint32_t row = r->order->host[i];

			if (r->events.kind[row] == KIND_RUNTIME && r->events.args[row] != NO_ARGS &&
				is_graph[r->events.name[row]])
				add_replay(a, c, i);
		}
	}
	calls_free(c);
	free(is_graph);
}

/* --- what they are --- */

/* The innermost operator among the captured calls from there on, else the innermost annotation. */
static uint32_t op_of(const struct run *r, const struct replay *p, uint32_t call)
{
	uint32_t annotation = NO_ROW;

	for (; call != NO_ROW; call = replay_up(p, call)) {
		if (r->events.kind[call] == KIND_OP)
			return call;
		if (r->events.kind[call] == KIND_ANNOTATION && annotation == NO_ROW)
			annotation = call;
	}
	return annotation;
}

static void name_kernel(struct attaching *a, const struct replay_one *one, struct replay_graft *g,
	const struct captured_launch *l, uint32_t row)
{
	struct replay *p = a->replay;
	uint32_t side = a->run->events.args[row];

	if (l->call == NO_ROW) {
		p->nameless++;
		return;
	}
	p->call[side - 1] = graft_call(g, l->call, one->launch);
	uint32_t op = op_of(a->run, p, p->call[side - 1]);
	if (op != NO_ROW)
		a->run->links->op[side - 1] = op;
}

static void name_replay(
	struct attaching *a, const struct replay_one *one, const struct replay_choice *choice)
{
	const struct replay_graph *graph = &a->graph[choice->graph];
	struct replay_steps launches = a->shapes.v[graph->shape];
	struct replay_steps kernels = a->shapes.v[one->shape];
	struct replay_graft *g = a->graft;

	while (g + 1 < a->graft + a->ngraft && g->of != graph->of)
		g++;
	assert(g->of == graph->of);
	for (size_t i = 0; i < one->n; i++) {
		uint32_t at = choice->pair[i];

		if (at == NO_ROW)
			continue;
		if (launches.v[at].name && launches.v[at].name == kernels.v[i].name)
			a->replay->by_name++;
		else
			a->replay->by_place++;
		name_kernel(
			a, one, g, &graph->of->launch[graph->graph->begin + at], one->kernel[i]);
	}
}

static void name_all(struct attaching *a)
{
	struct replay_choice *choice = arena_array(&a->mem, a->none, sizeof(*choice));

	replay_choose(a->replay, &a->shapes, a->graph, a->ngraph, a->one, a->none, choice, &a->mem);
	for (size_t i = 0; i < a->none; i++)
		if (choice[i].graph != NO_ROW)
			name_replay(a, &a->one[i], &choice[i]);
}

void replay_attach(struct run *r, const struct captured *capture, size_t n)
{
	struct attaching a = { .run = r, .replay = zeroed(1, sizeof(*a.replay)) };
	size_t ndevice = r->args.n[ARGS_DEVICE];

	shapes_init(&a.shapes);
	a.replay->first = (uint32_t)r->events.n;
	a.replay->call = no_rows(ndevice);
	a.replay->op = zeroed(ndevice, sizeof(*a.replay->op));
	if (ndevice)
		memcpy(a.replay->op, r->links->op, ndevice * sizeof(*a.replay->op));
	list_captures(&a, capture, n);
	list_graphs(&a);
	list_replays(&a);
	name_all(&a);
	r->replay = a.replay;
	for (size_t i = 0; i < a.ngraft; i++)
		graft_clear(&a.graft[i]);
	free(a.one);
	shapes_clear(&a.shapes);
	arena_clear(&a.mem);
}

void replay_free(struct replay *p)
{
	if (!p)
		return;
	FREE_ALL(p->call, p->op, p->up, p->begin, p->row, p);
}

uint32_t replay_call(const struct replay *p, const struct run *r, uint32_t row)
{
	uint32_t side = r->events.args[row];

	return !p || side == NO_ARGS ? NO_ROW : p->call[side - 1];
}
