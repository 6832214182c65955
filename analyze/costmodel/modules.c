/*
 * Modules of calls: one walk over Python functions and ops together.
 */
#include "analyze/costmodel/modules.h"

#include "analyze/measure/host/frames.h"
#include "analyze/measure/host/optree.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/graphs/replay.h"
#include "analyze/trace/run.h"

struct walk {
	const struct run *run;
	struct keymap rows; /* of sites on the host */
	sym *of_row;        /* by index in rows */
	uint8_t *is_module; /* by sym: 0 not asked, 1 no, 2 yes */
};

static bool is_module(struct walk *w, sym name)
{
	if (!w->is_module[name])
		w->is_module[name] =
			1 + span_starts(strings_get(&w->run->strings, name), "nn.Module: ");
	return w->is_module[name] == 2;
}

static void enter(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct walk *w = ctx;
	struct frames_node *node = &path[depth];
	const struct events *ev = &w->run->events;
	uint32_t at;

	node->mark = up;
	if (ev->kind[node->row] == KIND_PYTHON) {
		if (is_module(w, ev->name[node->row]))
			node->mark = ev->name[node->row];
		return;
	}
	if (!up)
		return;
	at = keymap_find(&w->rows, &node->row);
	if (at != KEYMAP_NONE)
		w->of_row[at] = up;
}

/* The module around a captured call; 0: none that was captured with it. */
static sym of_captured(struct walk *w, uint32_t row)
{
	const struct events *ev = &w->run->events;

	for (; row != NO_ROW; row = replay_up(w->run->replay, row))
		if (ev->kind[row] == KIND_PYTHON && is_module(w, ev->name[row]))
			return ev->name[row];
	return 0;
}

static sym of_host(struct walk *w, uint32_t host)
{
	uint32_t at = keymap_find(&w->rows, &host);

	return at == KEYMAP_NONE ? 0 : w->of_row[at];
}

/* By functions around the call, in the capture first; where there are none, what it says itself. */
static sym module_of(struct walk *w, const struct roof_site *site)
{
	uint32_t side = w->run->events.args[site->row];
	sym module = site->row < w->run->events.n ? 0 : of_captured(w, site->row);

	if (!module)
		module = of_host(w, site->host);
	if (!module && side != NO_ARGS)
		module = args_sym(&w->run->args, ARG_OP_MODULES, side - 1);
	return module;
}

sym *roof_modules(const struct roof_owners *o, const struct run *r, struct arena *mem)
{
	struct walk w = { .run = r };
	const struct frames_visitor visitor = { &w, enter, NULL };
	sym *module = arena_array(mem, o->n, sizeof(*module));
	size_t i;

	w.of_row = arena_array(mem, o->n, sizeof(*w.of_row));
	w.is_module = arena_array(mem, r->strings.n, sizeof(*w.is_module));
	keymap_init(&w.rows, sizeof(uint32_t));
	for (i = 0; i < o->n; i++)
		(void)keymap_add(&w.rows, &o->site[i].host);
	if (r->kind_count[KIND_PYTHON] > 0)
		(void)frames_walk(r, optree_kinds(r) | KIND_BIT(KIND_PYTHON), &visitor);
	for (i = 0; i < o->n; i++)
		module[i] = module_of(&w, &o->site[i]);
	keymap_clear(&w.rows);
	return module;
}
