/* `timeline`: what runs on a device, a stream or a thread, piece by piece. */
#include "analyze/answer/timeline/timeline.h"
#include "analyze/depgraph/hosttime.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/trace/columns/order.h"

const char *timeline_piece_word(unsigned kind)
{
	static const char *const words[] = { "compute", "comm", "copy" };

	return kind < PIECE_WAITS ? words[kind]
				  : gap_cause_word((enum gap_cause)(kind - PIECE_WAITS));
}

void pieces_clear(struct pieces *p)
{
	free(p->v);
	*p = (struct pieces){ 0 };
}

static void add(struct pieces *p, nsec start, nsec end, uint32_t row, unsigned kind)
{
	if (start >= end)
		return;
	PUSH(p->v, p->n, p->cap, (struct piece){ start, end, row, (uint8_t)kind });
}

/* Rows come by start: of each the part behind all before it, inside of what is looked at. */
static void add_row(struct pieces *p, const struct timeline *l, uint32_t row, unsigned kind)
{
	const struct events *ev = &l->at->run->events;
	nsec start = ev->start[row], end = events_end(ev, row);
	nsec from = p->n ? p->v[p->n - 1].end : l->first;

	add(p, MAX(start, from), MIN(end, l->last), row, kind);
}

static unsigned kind_of(const struct timeline *l, uint32_t row)
{
	switch (classes_of(&l->classes, row)) {
	case CLASS_COMM: return PIECE_COMM;
	case CLASS_MEMCPY: return PIECE_COPY;
	default: return PIECE_COMPUTE;
	}
}

void pieces_of_stream(struct pieces *p, const struct timeline *l, uint32_t lane)
{
	const struct order *o = l->at->run->order;

	for (size_t i = o->device_begin[lane]; i < o->device_begin[lane + 1]; i++)
		if (filter_device(&l->at->view, o->device[i]))
			add_row(p, l, o->device[i], kind_of(l, o->device[i]));
}

/* ---- devices ---- */

ORDER(by_start, struct piece, compare3(a->start, b->start))

/* Puts a's pieces among those of p, where none of p runs. */
static void add_hidden_behind(struct pieces *p, const struct pieces *a)
{
	struct pieces beside = { 0 };

	/* The parts of a's pieces in which none of b runs; both in the order of time. */
	size_t k = 0;
	for (EACH(const struct piece, v, a->v, a->n)) {
		nsec from = v->start;

		while (k < p->n && p->v[k].end <= from)
			k++;
		for (size_t at = k; at < p->n && p->v[at].start < v->end; at++) {
			add(&beside, from, p->v[at].start, v->row, v->kind);
			from = p->v[at].end;
		}
		add(&beside, from, v->end, v->row, v->kind);
	}
	for (size_t i = 0; i < beside.n; i++)
		add(p, beside.v[i].start, beside.v[i].end, beside.v[i].row, beside.v[i].kind);
	if (beside.n > 0)
		qsort(p->v, p->n, sizeof(*p->v), by_start);
	pieces_clear(&beside);
}

static void add_gap(void *ctx, const struct gap *g)
{
	add(ctx, g->start, g->end, g->doing, PIECE_WAITS + (unsigned)g->cls);
}

void pieces_of_device(struct pieces *p, const struct timeline *l, struct gaps *g, int64_t device)
{
	struct arena_mark mark = arena_mark(&l->at->mem);
	struct pieces of[PIECE_WAITS] = { 0 }, gaps = { 0 };
	bool any = false;
	struct sweep s;
	uint32_t row;

	sweep_device(&s, l->at->run, device, &l->at->mem);
	while (sweep_next(&s, &row)) {
		if (!filter_device(&l->at->view, row))
			continue;
		any = true;
		add_row(&of[kind_of(l, row)], l, row, kind_of(l, row));
	}
	arena_reset(&l->at->mem, mark);
	for (size_t i = 0; i < PIECE_WAITS; i++)
		add_hidden_behind(p, &of[i]);
	if (any)
		gaps_of_device(g, device, add_gap, &gaps);
	add_hidden_behind(p, &gaps);
	for (size_t i = 0; i < PIECE_WAITS; i++)
		pieces_clear(&of[i]);
	pieces_clear(&gaps);
}

/* ---- threads ---- */

struct thread_walk {
	struct pieces *to;
	struct hostwhat *what;
	struct filter_view *view;
};

static void add_host(void *ctx, const struct host_piece *h)
{
	static const uint8_t waits[HOST_COUNT] = { [HOST_OP] = GAP_CAUSE_OP,
		[HOST_RUNTIME] = GAP_CAUSE_RUNTIME,
		[HOST_LAUNCH] = GAP_CAUSE_LAUNCH,
		[HOST_SYNC] = GAP_CAUSE_SYNC,
		[HOST_DATA] = GAP_CAUSE_DATA };
	struct thread_walk *w = ctx;

	if (h->cls == HOST_NOTHING || h->cls == HOST_PYTHON || !filter_host(w->view, h->row))
		return;
	add(w->to, h->start, h->end, h->row, PIECE_WAITS + waits[h->cls]);
}

void pieces_of_thread(
	struct pieces *p, const struct timeline *l, struct hostwhat *what, uint32_t lane)
{
	struct thread_walk w = { p, what, &l->at->view };
	struct hosttime h;

	hosttime_init(&h, l->at->run, what, lane, INT64_MIN);
	hosttime_skip(&h, l->first);
	hosttime_go(&h, l->last, add_host, &w);
	hosttime_clear(&h);
}
