/* `stages`: annotations of the CPU, nested by time, and what autograd launches for them. */
#include "analyze/answer/stages/stages.h"

#include "analyze/measure/host/frames.h"
#include "analyze/measure/host/hostpath.h"
#include "analyze/measure/host/optree.h"
#include "analyze/measure/phase.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run_steps.h"

/* what autograd's threads launch, for the stage that waits for them.
 *
 * 	main thread      |backward .......................| |step .....|
 * 	autograd thread      |evaluate_function: Mul...|
 * 	                        |launch|
 * 	device                        |kernel|
 *
 * The thread that calls backward() is inside it until autograd's threads are done, so the moment of
 * the launch tells the stage. */

/* The thread of the steps, else the one with most annotations; NO_ROW: there are none. */
static uint32_t find_main_lane(const struct run *r, struct arena *mem)
{
	uint32_t best = NO_ROW;

	if (steps_lane(r, &best))
		return best;
	int64_t *annotations = arena_array(mem, r->lanes.n, sizeof(*annotations));
	for (size_t i = 0; i < r->events.n; i++)
		annotations[r->events.lane[i]] += r->events.kind[i] == KIND_ANNOTATION;
	for (size_t i = 0; i < r->lanes.n; i++)
		if (annotations[i] > (best == NO_ROW ? 0 : annotations[best]))
			best = (uint32_t)i;
	return best;
}

/* Threads other than the main one that run nodes of the backward graph. */
static bool *find_autograd(const struct run *r, uint32_t main_lane, struct arena *mem)
{
	bool *is_autograd = arena_array(mem, r->lanes.n, sizeof(*is_autograd));
	struct phases phases;
	bool any = false;

	phases_init(&phases, r, mem);
	for (size_t i = 0; i < r->events.n; i++) {
		uint32_t lane = r->events.lane[i];

		if (r->events.kind[i] != KIND_OP || lane == main_lane || is_autograd[lane] ||
			phases_of(&phases, r->events.name[i], KIND_OP, PHASE_OTHER) !=
				PHASE_BACKWARD)
			continue;
		is_autograd[lane] = true;
		any = true;
	}
	return any ? is_autograd : NULL;
}

/* Device work and when it was launched. */
struct launched {
	nsec at, dur;
};

ORDER(by_launch, struct launched, compare3(a->at, b->at))

static bool takes(const struct stages *s, uint32_t row)
{
	const struct filter_view *v = &s->at->view;
	unsigned kinds = v->kinds & KINDS_DEVICE ? v->kinds & KINDS_DEVICE : KINDS_DEVICE;
	const struct events *ev = &s->at->run->events;

	return KIND_BIT(ev->kind[row]) & kinds && ev->args[row] != NO_ARGS &&
		(!v->lane || v->lane[ev->lane[row]]);
}

static struct launched *list_work(const struct stages *s, const bool *is_autograd, size_t *n)
{
	const struct run *r = s->at->run;
	size_t all = r->order->device_begin[r->lanes.n], cap = 0, i;
	struct launched *v = NULL;

	for (i = 0, *n = 0; i < all; i++) {
		uint32_t row = r->order->device[i];

		if (!takes(s, row))
			continue;
		uint32_t launch = r->links->launch[r->events.args[row] - 1];
		if (launch == NO_ROW || !is_autograd[r->events.lane[launch]])
			continue;
		PUSH(v, *n, cap, (struct launched){ r->events.start[launch], r->events.dur[row] });
	}
	sort_rows(v, *n, sizeof(*v), by_launch);
	return v;
}

static void add_awaited(struct stages *s, uint32_t row, nsec dur)
{
	size_t before = s->awaited.rows.n;
	uint32_t at = keymap_add(&s->awaited.rows, &row);

	if (s->awaited.rows.n > before) {
		s->awaited.ns = array_grow(
			s->awaited.ns, &s->awaited.cap, s->awaited.rows.n, sizeof(*s->awaited.ns));
		s->awaited.ns[at] = 0;
	}
	saturate_onto(&s->awaited.ns[at], dur);
}

void stages_await(struct stages *s)
{
	const struct run *r = s->at->run;
	uint32_t main_lane = find_main_lane(r, &s->at->mem);
	bool *is_autograd = NULL;
	struct hostpath h;
	size_t n;

	keymap_init(&s->awaited.rows, sizeof(uint32_t));
	if (s->has_device && main_lane != NO_ROW)
		is_autograd = find_autograd(r, main_lane, &s->at->mem);
	if (!is_autograd)
		return;
	struct launched *v = list_work(s, is_autograd, &n);
	hostpath_init(&h, r);
	for (EACH(const struct launched, launched, v, n)) {
		uint32_t place = hostpath_at(&h, main_lane, launched->at);

		if (place != NO_ROW)
			add_awaited(s, hostpath_row(&h, place), launched->dur);
	}
	hostpath_clear(&h);
	free(v);
}

static nsec stages_awaited(struct stages *s, uint32_t row)
{
	uint32_t at = s->awaited.rows.n ? keymap_find(&s->awaited.rows, &row) : KEYMAP_NONE;

	return at == KEYMAP_NONE ? 0 : s->awaited.ns[at];
}

void stages_await_clear(struct stages *s)
{
	keymap_clear(&s->awaited.rows);
	free(s->awaited.ns);
}

/* ---- annotations of the CPU, nested by time ---- */

struct host {
	struct stages *s;
	struct calltree tree;
	uint8_t *is_stage; /* by sym, of ops: 0 not asked, 1 no, 2 yes */
};

/* Traces of 2021 have annotations as ops.  These are the profiler's and torch's own. */
static bool is_stage_name(struct span name)
{
	return span_starts(name, "ProfilerStep#") || span_starts(name, "Optimizer.") ||
		span_starts(name, "enumerate(Data");
}

static bool is_stage(void *ctx, uint32_t row)
{
	struct host *h = ctx;
	const struct run *r = h->s->at->run;
	sym name = r->events.name[row];

	if (r->events.kind[row] == KIND_ANNOTATION)
		return true;
	if (r->events.kind[row] != KIND_OP)
		return false;
	if (!h->is_stage[name])
		h->is_stage[name] = is_stage_name(strings_get(&r->strings, name)) ? 2 : 1;
	return h->is_stage[name] == 2;
}

static nsec busy_within(const struct stages *s, nsec start, nsec end)
{
	nsec sum = 0;

	for (size_t i = 0; i < s->ndevice; i++)
		saturate_onto(&sum, intervals_within(&s->device[i].busy, start, end));
	return sum;
}

static void enter(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct host *h = ctx;
	struct stages *s = h->s;
	struct frames_node *node = &path[depth];

	if (s->has_device)
		node->sum = saturate_add(
			devtime_get(&s->launched, node->row), stages_awaited(s, node->row));
	stages_enter(s, &h->tree, node, up, is_stage, h);
}

static void leave(void *ctx, struct frames_node *path, size_t depth)
{
	struct host *h = ctx;
	const struct frames_node *node = &path[depth];

	if (!node->tag)
		return;
	stages_call(h->s, &h->tree, node->mark, node->dur);
	struct calltree_node *v = &h->tree.v[node->mark];
	saturate_onto(&v->self_cpu, saturate_sub(node->dur, node->child_ns));
	saturate_onto(&v->device, node->sum);
	saturate_onto(
		&v->device_busy, busy_within(h->s, saturate_sub(node->end, node->dur), node->end));
}

void stages_put_host(struct stages *s)
{
	const struct run *r = s->at->run;
	struct host h = { .s = s };
	const struct frames_visitor visitor = { &h, enter, leave };

	calltree_init(&h.tree);
	h.is_stage = arena_array(&s->at->mem, r->strings.n, sizeof(*h.is_stage));
	(void)frames_walk(r, optree_kinds(r), &visitor);
	stages_find_self(&h.tree);
	if (h.tree.n > 1 || !s->at->q->for_people) {
		const struct stages_view v = { .tree = &h.tree,
			.names = &r->strings,
			.device = -1,
			.has_device = s->has_device,
			.has_cpu_self = true };

		stages_put_table(s, &stages_docs[STAGES_HOST], &v);
	}
	calltree_clear(&h.tree);
}
