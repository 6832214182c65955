/*
 * Gaps: a sweep over device work that keeps the latest end, and a reason for each stretch before
 * the next start.
 */
#include "analyze/measure/gaps.h"

#include <stdlib.h>

#include "analyze/measure/sweep.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/links.h"
#include "analyze/trace/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"
#include "base/saturate.h"

enum { SYNC_NOT_ASKED, SYNC_NO, SYNC_YES };

const char *gap_word(enum gap_class c)
{
#define X(name, word, doc) word,
	static const char *const words[] = { GAP_CLASSES(X) };
#undef X

	return words[c];
}

bool gaps_is_sync_name(struct span name)
{
	static const char *const whole[] = { "cudaMemcpy", "cudaMemcpy2D", "cudaMemcpy3D",
		"cudaMemset", "cudaFree", "hipMemcpy", "hipMemcpy2D", "hipMemcpy3D", "hipMemset",
		"hipFree", "hipMemcpyWithStream", "hipMemcpyDtoH", "hipMemcpyHtoD", "urEventWait",
		"urQueueFinish", "zeCommandQueueSynchronize" };
	size_t i;

	for (i = 0; i < COUNT_OF(whole); i++)
		if (span_is(name, whole[i]))
			return true;
	return span_has(name, "Synchronize") || span_has(name, "synchronize");
}

/* The lane of the steps; without steps, the one that launched most device work. */
static uint32_t find_main_lane(const struct run *r, struct arena *mem)
{
	const struct steps *s = r->steps;
	size_t n = r->order->device_begin[r->lanes.n], i;
	int64_t *launches = arena_array(mem, r->lanes.n, sizeof(*launches));
	uint32_t best = NO_ROW;

	if (s && s->n > 0 && s->source != STEPS_WHOLE)
		return s->step[0].lane;
	for (i = 0; i < n; i++) {
		uint32_t side = r->events.args[r->order->device[i]];
		uint32_t launch = side == NO_ARGS ? NO_ROW : r->links->launch[side - 1];

		if (launch != NO_ROW)
			launches[r->events.lane[launch]]++;
	}
	for (i = 0; i < r->lanes.n; i++)
		if (launches[i] > (best == NO_ROW ? 0 : launches[best]))
			best = (uint32_t)i;
	return best;
}

static void find_window(struct gaps *g)
{
	const struct steps *s = g->run->steps;
	size_t i;

	if (!g->view || !g->view->step)
		return;
	for (i = 0; i < s->n; i++)
		if (g->view->step[i])
			intervals_add(&g->window, s->step[i].start, s->step[i].end);
	intervals_unite(&g->window);
}

void gaps_init(
	struct gaps *g, const struct run *r, const struct filter_view *v, nsec kernel_wait_ns)
{
	*g = (struct gaps){ .run = r, .view = v, .kernel_wait_ns = kernel_wait_ns };
	arena_init(&g->mem);
	hostpath_init(&g->path, r);
	phases_init(&g->phases, r, &g->mem);
	g->is_sync = arena_array(&g->mem, r->strings.n, sizeof(*g->is_sync));
	g->main_lane = find_main_lane(r, &g->mem);
	find_window(g);
}

void gaps_clear(struct gaps *g)
{
	hostpath_clear(&g->path);
	intervals_clear(&g->window);
	arena_clear(&g->mem);
}

static bool is_data(struct gaps *g, uint32_t row)
{
	const struct events *ev = &g->run->events;

	return phases_of(&g->phases, ev->name[row], (enum kind)ev->kind[row], PHASE_OTHER) ==
		PHASE_DATA;
}

/* Whether one call of the data loader covers more than half of the gap on that lane. */
static bool in_loader(struct gaps *g, uint32_t lane, const struct gap *gap)
{
	nsec half = saturate_sub(gap->end, gap->start) / 2;
	uint32_t at = lane == NO_ROW ? NO_ROW : hostpath_at(&g->path, lane, gap->start + half);

	for (; at != NO_ROW; at = hostpath_up(&g->path, at))
		if (is_data(g, hostpath_row(&g->path, at)) &&
			hostpath_overlap(&g->path, at, gap->start, gap->end) > half)
			return true;
	return false;
}

static bool is_sync_row(struct gaps *g, uint32_t row)
{
	sym name = g->run->events.name[row];

	if (g->run->events.kind[row] != KIND_RUNTIME)
		return false;
	if (g->is_sync[name] == SYNC_NOT_ASKED)
		g->is_sync[name] = gaps_is_sync_name(run_name(g->run, row)) ? SYNC_YES : SYNC_NO;
	return g->is_sync[name] == SYNC_YES;
}

/* Whether that lane was in a synchronizing call just before the gap, or for over half of it. */
static bool in_sync(struct gaps *g, uint32_t lane, const struct gap *gap)
{
	uint32_t at = hostpath_at(&g->path, lane, saturate_sub(gap->start, 1));

	for (; at != NO_ROW; at = hostpath_up(&g->path, at))
		if (is_sync_row(g, hostpath_row(&g->path, at)))
			return true;
	at = hostpath_covering(&g->path, lane, gap->start, gap->end);
	for (; at != NO_ROW; at = hostpath_up(&g->path, at))
		if (is_sync_row(g, hostpath_row(&g->path, at)))
			return true;
	return false;
}

static void find_launch(struct gaps *g, struct gap *gap)
{
	const struct events *ev = &g->run->events;
	uint32_t side = gap->next == NO_ROW ? NO_ARGS : ev->args[gap->next];

	gap->launch = side == NO_ARGS ? NO_ROW : g->run->links->launch[side - 1];
	gap->is_late = gap->launch != NO_ROW && ev->start[gap->launch] > gap->start;
}

static enum gap_class classify(struct gaps *g, const struct gap *gap)
{
	uint32_t lane;
	bool sync;

	if (gap->launch == NO_ROW)
		return GAP_OTHER;
	if (!gap->is_late)
		return saturate_sub(gap->end, gap->start) < g->kernel_wait_ns ? GAP_KERNEL
									      : GAP_OTHER;
	lane = g->run->events.lane[gap->launch];
	sync = in_sync(g, lane, gap); /* first: questions are cheap in the order of time */
	if (in_loader(g, lane, gap) || (lane != g->main_lane && in_loader(g, g->main_lane, gap)))
		return GAP_DATA;
	return sync ? GAP_SYNC : GAP_HOST;
}

static void find_doing(struct gaps *g, struct gap *gap)
{
	uint32_t lane = gap->launch == NO_ROW ? NO_ROW : g->run->events.lane[gap->launch];
	uint32_t at = NO_ROW;

	gap->doing = NO_ROW;
	if (gap->cls == GAP_KERNEL)
		return;
	if (lane != NO_ROW)
		at = hostpath_covering(&g->path, lane, gap->start, gap->end);
	if (at == NO_ROW && g->main_lane != NO_ROW && g->main_lane != lane)
		at = hostpath_covering(&g->path, g->main_lane, gap->start, gap->end);
	if (at == NO_ROW)
		return;
	gap->doing = hostpath_row(&g->path, at);
	gap->doing_ns = hostpath_overlap(&g->path, at, gap->start, gap->end);
}

/* One pass over device work in the order of its starts. */
struct passing {
	struct gaps *g;
	gap_fn *fn;
	void *ctx;
	uint32_t prev; /* the row that ends last so far */
	nsec end;      /* its end; what is before was looked at */
	bool is_open;  /* there is such an end */
	size_t at;     /* intervals of the window before it end before that end */
};

/* Goes to the first interval of the window that ends after t, which never descends. */
static void pass_window(struct passing *p, nsec t)
{
	const struct intervals *w = &p->g->window;

	while (p->at < w->n && w->v[p->at].end <= t)
		p->at++;
}

/* Says the gap, or its parts inside the window. */
static void say(const struct passing *p, const struct gap *gap)
{
	const struct intervals *w = &p->g->window;
	size_t i;

	if (w->n == 0) {
		p->fn(p->ctx, gap);
		return;
	}
	for (i = p->at; i < w->n && w->v[i].start < gap->end; i++) {
		struct gap part = *gap;

		part.start = part.start < w->v[i].start ? w->v[i].start : part.start;
		part.end = part.end > w->v[i].end ? w->v[i].end : part.end;
		p->fn(p->ctx, &part);
	}
}

/* Whether some of the gap that ends there is inside the window. */
static bool in_window(const struct passing *p, nsec end)
{
	const struct intervals *w = &p->g->window;

	return w->n == 0 || (p->at < w->n && w->v[p->at].start < end);
}

static void say_gap(struct passing *p, uint32_t next, nsec end)
{
	struct gap gap = { .start = p->end, .end = end, .prev = p->prev, .next = next };

	pass_window(p, gap.start);
	if (!in_window(p, gap.end))
		return;
	find_launch(p->g, &gap);
	gap.cls = classify(p->g, &gap);
	find_doing(p->g, &gap);
	say(p, &gap);
}

static bool takes(const struct gaps *g, uint32_t row)
{
	const struct events *ev = &g->run->events;

	if (!g->view)
		return true;
	if (!(KIND_BIT(ev->kind[row]) & g->view->kinds))
		return false;
	return !g->view->lane || g->view->lane[ev->lane[row]];
}

static void begin_pass(struct passing *p)
{
	const struct intervals *w = &p->g->window;

	p->prev = NO_ROW;
	p->is_open = w->n > 0;
	p->end = w->n > 0 ? w->v[0].start : 0;
}

static void take(struct passing *p, uint32_t row)
{
	const struct events *ev = &p->g->run->events;
	nsec start = ev->start[row], end = events_end(ev, row);

	if (!takes(p->g, row))
		return;
	if (p->is_open && start > p->end)
		say_gap(p, row, start);
	if (!p->is_open || end > p->end) {
		p->end = end;
		p->prev = row;
	}
	p->is_open = true;
}

static void finish(struct passing *p)
{
	const struct intervals *w = &p->g->window;

	if (w->n > 0 && w->v[w->n - 1].end > p->end)
		say_gap(p, NO_ROW, w->v[w->n - 1].end);
}

void gaps_of_device(struct gaps *g, int64_t device, gap_fn *fn, void *ctx)
{
	struct passing p = { .g = g, .fn = fn, .ctx = ctx };
	struct arena_mark mark = arena_mark(&g->mem);
	struct sweep s;
	uint32_t row;

	sweep_device(&s, g->run, device, &g->mem);
	begin_pass(&p);
	while (sweep_next(&s, &row))
		take(&p, row);
	finish(&p);
	arena_reset(&g->mem, mark);
}

void gaps_of_stream(struct gaps *g, uint32_t lane, gap_fn *fn, void *ctx)
{
	const struct order *o = g->run->order;
	struct passing p = { .g = g, .fn = fn, .ctx = ctx };
	size_t i;

	begin_pass(&p);
	for (i = o->device_begin[lane]; i < o->device_begin[lane + 1]; i++)
		take(&p, o->device[i]);
	finish(&p);
}

void gap_sums_add(void *ctx, const struct gap *g)
{
	struct gap_sums *s = ctx;
	nsec len = saturate_sub(g->end, g->start);

	saturate_onto(&s->ns[g->cls], len);
	s->max[g->cls] = len > s->max[g->cls] ? len : s->max[g->cls];
	s->count[g->cls]++;
	saturate_onto(&s->all_ns, len);
	s->all++;
	if (g->is_late)
		saturate_onto(&s->late_ns, len);
}
