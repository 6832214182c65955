/* `top --capture`: kernels of graph replays are the work of the ops that launched them when the
 * graph was captured, which take no CPU time here.  The op around the graph's launch has them in
 * its total. */
#include "analyze/answer/top/top.h"
#include "analyze/measure/host/hostpath.h"
#include "analyze/measure/device/replays.h"
#include "analyze/trace/graphs/replay.h"

struct replaying {
	struct top *t;
	struct hostpath path; /* for phases */
	uint32_t *up;         /* calls around a launch */
	size_t cap;
};

/* The phase of a host row around the launch; OTHER for NO_ROW. */
static enum phase phase_at(struct replaying *a, uint32_t row, uint32_t launch)
{
	const struct events *ev = &a->t->at->run->events;
	enum phase phase = PHASE_OTHER;
	size_t n = 0;

	if (a->t->by != TOP_BY_PHASE || row == NO_ROW)
		return PHASE_OTHER;
	uint32_t place = hostpath_at(&a->path, ev->lane[launch], ev->start[launch]);
	for (; place != NO_ROW; place = hostpath_up(&a->path, place))
		PUSH(a->up, n, a->cap, hostpath_row(&a->path, place));
	while (n-- > 0) {
		phase = phases_of(
			&a->t->phases, ev->name[a->up[n]], (enum kind)ev->kind[a->up[n]], phase);
		if (a->up[n] == row)
			break;
	}
	return phase;
}

bool top_replay_takes(struct top *t, uint32_t call)
{
	const struct events *ev = &t->at->run->events;

	return (KIND_BIT(ev->kind[call]) & t->at->view.kinds) &&
		filter_name(&t->at->view, ev->name[call]);
}

/* What the op around the launch does not own any more. */
static void take_from_host(struct top *t, uint32_t op, enum phase phase, nsec dur)
{
	if (op == NO_ROW || !filter_host(&t->at->view, op) ||
		!filter_name(&t->at->view, t->at->run->events.name[op]))
		return;
	uint32_t at = top_groups_find(&t->ops, top_ops_id(t, op, phase));
	if (at == TOP_NO_GROUP)
		return;
	struct top_group *g = top_group(&t->ops, at);
	g->device_self = saturate_sub(g->device_self, dur);
}

/* As torch counts, the time of a call within one of its name is that one's only. */
static void add_call(struct top *t, const struct replayed *k, size_t i, enum phase phase)
{
	const struct events *ev = &t->at->run->events;
	bool is_dup = i > 0 && ev->name[k->call[i]] == ev->name[k->call[i - 1]];

	if (!top_replay_takes(t, k->call[i]))
		return;
	struct top_group *g = top_group(
		&t->ops, top_groups_add(&t->ops, top_ops_id(t, k->call[i], phase), k->call[i]));
	if (i + 1 == k->nown)
		saturate_onto(&g->device_self, k->dur);
	if (!is_dup)
		saturate_onto(&g->device_total, k->dur);
	if (i < k->nseen)
		return;
	g->replays++;
	g->flops += is_dup ? 0 : top_ops_flops(t, k->call[i]);
}

static void add_kernel(void *ctx, const struct replayed *k)
{
	struct replaying *a = ctx;
	struct top *t = a->t;
	const struct run *r = t->at->run;
	uint32_t host = r->replay->op[r->events.args[k->row] - 1];

	if (k->nown == 0 || (t->at->view.step && !filter_host_step(&t->at->view, k->launch)))
		return;
	enum phase phase = phase_at(a, host, k->launch);
	take_from_host(t, host, phase, k->dur);
	for (size_t i = 0; i < k->nown; i++) {
		phase = phases_of(&t->phases, r->events.name[k->call[i]],
			(enum kind)r->events.kind[k->call[i]], phase);
		add_call(t, k, i, phase);
	}
}

void top_replay_add(struct top *t)
{
	struct replaying a = { .t = t };
	struct replays w;

	if (!t->at->run->replay || t->is_torch)
		return;
	replays_init(&w, t->at->run, &t->at->view, TOP_REPLAY_KINDS);
	if (t->by == TOP_BY_PHASE)
		hostpath_init(&a.path, t->at->run);
	replays_all(&w, add_kernel, &a);
	if (t->by == TOP_BY_PHASE)
		hostpath_clear(&a.path);
	free(a.up);
	replays_clear(&w);
}
