/* Kernels of graph replays, launch by launch. */
#include "analyze/measure/device/replays.h"

#include "analyze/trace/filter.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/graphs/replay.h"
#include "analyze/trace/run.h"

void replays_init(
	struct replays *w, const struct run *r, const struct filter_view *v, unsigned kinds)
{
	*w = (struct replays){ .run = r, .view = v, .kinds = kinds };
	if (r->replay)
		w->seen = zeroed(r->replay->n, sizeof(*w->seen));
}

void replays_clear(struct replays *w)
{
	FREE_ALL(w->seen, w->call);
	*w = (struct replays){ 0 };
}

static bool takes(const struct replays *w, uint32_t row)
{
	const struct filter_view *v = w->view;
	unsigned kinds = v->kinds & KINDS_DEVICE ? v->kinds & KINDS_DEVICE : KINDS_DEVICE;
	const struct events *ev = &w->run->events;

	return (KIND_BIT(ev->kind[row]) & kinds) && (!v->lane || v->lane[ev->lane[row]]);
}

/* The captured calls from `call` outwards, turned round, into w->call; how many. */
static size_t list_calls(struct replays *w, uint32_t call)
{
	const struct events *ev = &w->run->events;
	size_t n = 0;

	for (; call != NO_ROW; call = replay_up(w->run->replay, call)) {
		if (!(KIND_BIT(ev->kind[call]) & w->kinds))
			continue;
		PUSH(w->call, n, w->cap, call);
	}
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t outer = w->call[n - 1 - i];

		w->call[n - 1 - i] = w->call[i];
		w->call[i] = outer;
	}
	return n;
}

static void visit_kernel(
	struct replays *w, size_t side, uint32_t row, replays_visit *visit, void *ctx)
{
	const struct run *r = w->run;
	const struct replay *p = r->replay;
	struct replayed k = { .row = row, .dur = r->events.dur[row] };
	uint32_t at = r->events.args[row] - 1, own = r->links->op[at];

	if (p->call[at] == NO_ROW || !takes(w, row))
		return;
	k.n = list_calls(w, p->call[at]);
	k.call = w->call;
	k.launch = r->links->launch[at];
	for (size_t i = 0; i < k.n; i++) {
		uint32_t *seen = &w->seen[k.call[i] - p->first];

		k.nown = k.call[i] == own ? i + 1 : k.nown;
		k.nseen += *seen == side + 1;
		*seen = (uint32_t)side + 1;
	}
	visit(ctx, &k);
}

static void visit_side(struct replays *w, size_t side, replays_visit *visit, void *ctx)
{
	const struct replay *p = w->run->replay;

	for (size_t i = p->begin[side]; i < p->begin[side + 1]; i++)
		visit_kernel(w, side, p->row[i], visit, ctx);
}

bool replays_has(const struct replays *w, uint32_t row)
{
	const struct events *ev = &w->run->events;
	const struct replay *p = w->run->replay;

	return p && ev->kind[row] == KIND_RUNTIME && ev->args[row] != NO_ARGS &&
		p->begin[ev->args[row] - 1] < p->begin[ev->args[row]];
}

void replays_of(struct replays *w, uint32_t launch, replays_visit *visit, void *ctx)
{
	if (replays_has(w, launch))
		visit_side(w, w->run->events.args[launch] - 1, visit, ctx);
}

void replays_all(struct replays *w, replays_visit *visit, void *ctx)
{
	for (size_t side = 0; w->run->replay && side < w->run->args.n[ARGS_LAUNCH]; side++)
		visit_side(w, side, visit, ctx);
}
