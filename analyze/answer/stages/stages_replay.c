/*
 * `stages --capture`: stages and modules that were captured into a graph, below those that replay
 * it.  They took no time on the host; their work on devices is in that of the stages around.
 */
#include "analyze/answer/stages/stages.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

struct replaying {
	struct stages *s;
	struct calltree *tree;
	uint32_t up; /* the stage around the launch */
	stages_is_node *is_node;
	void *ctx;
};

static void add_kernel(void *ctx, const struct replayed *k)
{
	struct replaying *a = ctx;
	struct stages *s = a->s;
	const struct events *ev = &s->at->run->events;
	uint32_t node = a->up;
	size_t i;

	for (i = 0; i < k->n; i++) {
		uint32_t call = k->call[i];
		struct calltree_node *v;

		if (!a->is_node(a->ctx, call) || !(KIND_BIT(ev->kind[call]) & s->at->view.kinds) ||
			!filter_name(&s->at->view, ev->name[call]))
			continue;
		node = calltree_child(a->tree, node, stages_name(s, ev->name[call]));
		v = &a->tree->v[node];
		v->row = v->row == NO_ROW ? call : v->row;
		v->replays += i >= k->nseen;
		saturate_onto(&v->device, k->dur);
	}
}

void stages_replay(struct stages *s, struct calltree *t, uint32_t up, uint32_t launch,
	stages_is_node *is_node, void *ctx)
{
	struct replaying a = { s, t, up, is_node, ctx };

	if (replays_has(&s->replays, launch) &&
		(!s->at->view.step || filter_host_step(&s->at->view, launch)))
		replays_of(&s->replays, launch, add_kernel, &a);
}
