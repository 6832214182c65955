/* Grafting: captured calls as rows behind the events of a run, with their names and arguments. */
#include "analyze/trace/graphs/captured.h"
#include "analyze/trace/graphs/replay.h"
#include "analyze/trace/graphs/replay_work.h"
#include "analyze/trace/run.h"
#include "base/base.h"

void graft_init(struct replay_graft *g, struct run *r, struct replay *p, const struct captured *of,
	struct arena *mem)
{
	*g = (struct replay_graft){
		.run = r,
		.replay = p,
		.of = of,
		.row = arena_array(mem, of->ncall, sizeof(*g->row)),
		.sym = arena_array(mem, of->run->strings.n, sizeof(*g->sym)),
	};
	memset(g->row, 0xff, of->ncall * sizeof(*g->row));
}

sym graft_sym(struct replay_graft *g, sym name)
{
	if (!g->sym[name])
		g->sym[name] =
			strings_intern(&g->run->strings, strings_get(&g->of->run->strings, name)) +
			1;
	return g->sym[name] - 1;
}

/* Ids and sequence numbers mean nothing outside of their trace. */
static void copy_arg(struct replay_graft *g, enum arg arg, size_t from, size_t to)
{
	const struct args *source = &g->of->run->args;
	union arg_value v = { .i64 = 0 };

	switch (arg_infos[arg].type) {
	case ARG_I64: v.i64 = args_i64(source, arg, from); break;
	case ARG_F64: v.f64 = args_f64(source, arg, from); break;
	case ARG_SYM: v.sym = graft_sym(g, args_sym(source, arg, from)); break;
	case ARG_VEC3: args_vec3(source, arg, from, v.vec3); break;
	case ARG_ID: return;
	}
	args_change(&g->run->args, arg, to, v);
}

static uint32_t copy_args(struct replay_graft *g, uint32_t row)
{
	const struct run *from = g->of->run;
	struct args *to = &g->run->args;
	uint32_t side = from->events.args[row];

	if (side == NO_ARGS || args_table_of((enum kind)from->events.kind[row]) != ARGS_OP)
		return NO_ARGS;
	uint32_t copy = args_row(to, ARGS_OP);
	for (unsigned i = 0; i < ARG_COUNT; i++)
		if (arg_infos[i].table == ARGS_OP && args_keeps(to, (enum arg)i) &&
			args_keeps(&from->args, (enum arg)i))
			copy_arg(g, (enum arg)i, side - 1, copy - 1);
	return copy;
}

static uint32_t add_row(struct replay_graft *g, uint32_t from, uint32_t up, uint32_t at)
{
	struct events *ev = &g->run->events;
	struct replay *p = g->replay;
	size_t row = ev->n + p->n;

	events_reserve(ev, (size_t)p->n + 1);
	ev->start[row] = ev->start[at];
	ev->dur[row] = 0;
	ev->lane[row] = ev->lane[at];
	ev->name[row] = graft_sym(g, g->of->run->events.name[from]);
	ev->kind[row] = g->of->run->events.kind[from];
	ev->flags[row] = 0;
	ev->args[row] = copy_args(g, from);
	p->up = array_grow(p->up, &p->up_cap, (size_t)p->n + 1, sizeof(*p->up));
	p->up[p->n++] = up;
	return (uint32_t)row;
}

uint32_t graft_call(struct replay_graft *g, uint32_t call, uint32_t at)
{
	const struct captured_call *calls = g->of->call;
	size_t n = 0;

	for (; call != NO_ROW && g->row[call] == NO_ROW; call = calls[call].up)
		PUSH(g->path, n, g->path_cap, call);
	while (n-- > 0) {
		uint32_t up = call == NO_ROW ? NO_ROW : g->row[call];

		call = g->path[n];
		g->row[call] = add_row(g, calls[call].row, up, at);
	}
	return g->row[call];
}

void graft_clear(struct replay_graft *g)
{
	free(g->path);
}
