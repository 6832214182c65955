/* Gaps: a sweep over device work that keeps the latest end; each stretch before the next start is
 * split by gap_cause.c. */
#include "analyze/measure/gaps/gaps.h"

#include "analyze/measure/device/sweep.h"
#include "analyze/stat/stats.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"

void gaps_init(struct gaps *g, const struct run *r, const struct filter_view *v,
	const struct interval *window, size_t n)
{
	*g = (struct gaps){ .run = r, .view = v, .device = INT64_MIN };
	gap_causes_init(&g->waits, r, &g->mem);
	for (EACH(const struct interval, interval, window, n))
		intervals_add(&g->window, interval->start, interval->end);
	intervals_unite(&g->window);
}

void gaps_clear(struct gaps *g)
{
	gap_causes_clear(&g->waits);
	intervals_clear(&g->window);
	arena_clear(&g->mem);
}

/* Where the CPU was ahead nobody asks what it did. */
static bool is_ahead(const struct gap *gap)
{
	return gap->cls == GAP_CAUSE_DEPENDENCY || gap->cls == GAP_CAUSE_UNRECORDED;
}

/* Of a call and a Python function that are both open the inner one: it begins later. */
static uint32_t inner_row(const struct events *ev, uint32_t call, uint32_t function)
{
	if (call == NO_ROW || function == NO_ROW)
		return call == NO_ROW ? function : call;
	if (ev->start[call] != ev->start[function])
		return ev->start[call] > ev->start[function] ? call : function;
	return ev->dur[call] <= ev->dur[function] ? call : function;
}

/* A row that none has: nobody has asked what is done in the gap. */
#define DOING_UNKNOWN (NO_ROW - 1)

/* What of a lane covers more than half of the gap; NO_ROW: nothing. */
static uint32_t covering_row(struct gaps *g, uint32_t lane, const struct gap *gap)
{
	struct pyframes *f = &g->waits.functions;

	if (lane == NO_ROW)
		return NO_ROW;
	uint32_t call = hostpath_covering(&g->waits.path, lane, gap->start, gap->end);
	uint32_t function = pyframes_covering(f, lane, gap->start, gap->end);
	return inner_row(&g->run->events,
		call == NO_ROW ? NO_ROW : hostpath_row(&g->waits.path, call),
		function == NO_ROW ? NO_ROW : f->row[function]);
}

static uint32_t doing_row(struct gaps *g, const struct gap *gap)
{
	uint32_t lane = gap->launch == NO_ROW ? NO_ROW : g->run->events.lane[gap->launch];
	uint32_t main_lane = g->waits.main_lane;
	uint32_t row = covering_row(g, lane, gap);

	return row == NO_ROW && main_lane != lane ? covering_row(g, main_lane, gap) : row;
}

static void find_doing(struct gaps *g, struct gap *gap, uint32_t known)
{
	const struct events *ev = &g->run->events;

	gap->doing = NO_ROW;
	gap->doing_ns = 0;
	if (is_ahead(gap))
		return;
	gap->doing = known == DOING_UNKNOWN ? doing_row(g, gap) : known;
	if (gap->doing == NO_ROW)
		return;
	nsec start = MAX(ev->start[gap->doing], gap->start);
	nsec end = MIN(events_end(ev, gap->doing), gap->end);

	gap->doing_ns = saturate_sub(end, start);
}

uint32_t gaps_behind(struct gaps *g, uint32_t held)
{
	return gap_causes_op_around(&g->waits, held);
}

/* One pass over device work in the order of its starts. */
struct passing {
	struct gaps *g;
	gap_fn *fn; /* NULL: delays are collected */
	void *ctx;
	struct gap gap; /* being split */
	uint32_t prev;  /* the row that ends last so far */
	nsec end;       /* its end; what is before was looked at */
	bool is_open;   /* there is such an end */
	nsec busy;      /* the union of the work so far */
	size_t at;      /* intervals of the window before it end before that end */
	size_t note;    /* in notes that are read: those before are of gaps that are over */
	int64_t *delay; /* of late launches; ndelay of them, room for as many as there is work */
	size_t ndelay;
};

/* Goes to the first interval of the window that ends after t, which never descends. */
static void pass_window(struct passing *p, nsec t)
{
	const struct intervals *w = &p->g->window;

	while (p->at < w->n && w->v[p->at].end <= t)
		p->at++;
}

static void add_part(void *ctx, const struct gap_cause_part *part)
{
	struct passing *p = ctx;

	nsec ns = saturate_sub(part->end, part->start);

	saturate_onto(&p->gap.ns[part->cls], ns);
	p->gap.has |= 1u << part->cls;
	if (part->held != NO_ROW) {
		p->gap.held = part->held;
		if (part->cls != GAP_CAUSE_SYNC)
			saturate_onto(&p->gap.behind_ns, ns);
		if (gap_cause_is_late(part))
			saturate_onto(&p->gap.late_ns, ns);
	}
	if (p->g->part)
		p->g->part(p->g->part_ctx, part);
}

/* Only what is inside of [start, end). */
struct clipping {
	struct passing *p;
	nsec start, end;
};

static void clip_part(void *ctx, const struct gap_cause_part *part)
{
	const struct clipping *c = ctx;
	struct gap_cause_part x = *part;

	x.start = MAX(c->start, x.start);
	x.end = MIN(c->end, x.end);
	if (x.start < x.end)
		add_part(c->p, &x);
}

/* ---- notes ---- */

enum { NOTE_NEXT, NOTE_DOING, NOTE_HAS, NOTE_NS };

static size_t note_length(uint32_t has)
{
	return NOTE_NS + (size_t)__builtin_popcount(has);
}

/* A gap whose notes are the same whenever it is asked about. */
static bool has_notes(const struct gaps *g, const struct wait_question *q)
{
	return q->prev != NO_ROW && q->launch != NO_ROW && g->waits.lost.n == 0 &&
		saturate_sub(q->end, q->start) <= UINT32_MAX &&
		g->run->events.start[q->launch] > q->start;
}

/* What is left of a gap from the launch on. */
static struct wait_question launched(const struct gaps *g, const struct wait_question *q)
{
	struct wait_question rest = *q;

	rest.start = MIN(g->run->events.start[q->launch], q->end);
	return rest;
}

/* gap_cause_fn: ctx is ns by class, which gets less. */
static void take_away(void *ctx, const struct gap_cause_part *part)
{
	nsec *ns = ctx;

	ns[part->cls] -= part->end - part->start;
}

/* Of the gap, which was split. */
static void take_notes(struct passing *p, const struct wait_question *q)
{
	struct gap_notes *to = p->g->to;
	struct wait_question rest;
	nsec ns[GAP_CAUSE_COUNT];
	uint32_t *note;
	int k;

	if (!to || p->gap.held != NO_ROW || !has_notes(p->g, q))
		return;
	memcpy(ns, p->gap.ns, sizeof(ns));
	rest = launched(p->g, q);
	if (rest.start < rest.end)
		gap_causes_split(&p->g->waits, &rest, take_away, ns);
	to->v = array_grow(to->v, &to->cap, to->n + note_length(p->gap.has), sizeof(*to->v));
	note = to->v + to->n;
	note[NOTE_NEXT] = q->next;
	note[NOTE_DOING] = is_ahead(&p->gap) ? DOING_UNKNOWN : p->gap.doing;
	note[NOTE_HAS] = 0;
	to->n += NOTE_NS;
	for (EACH_CAUSE(left, k, &p->gap)) {
		if (ns[k] == 0)
			continue;
		note[NOTE_HAS] |= 1u << k;
		to->v[to->n++] = (uint32_t)ns[k];
	}
}

/* Splits the gap by notes; NULL: there are none of it. */
static const uint32_t *split_by_notes(struct passing *p, const struct wait_question *q)
{
	const struct gap_notes *from = p->g->from;
	struct wait_question rest;
	struct gap of = p->gap;
	int k;

	if (!from || !has_notes(p->g, q))
		return NULL;
	while (p->note < from->n && p->g->run->events.start[from->v[p->note]] < q->end)
		p->note += note_length(from->v[p->note + NOTE_HAS]);
	if (p->note >= from->n || from->v[p->note] != q->next)
		return NULL;
	const uint32_t *note = from->v + p->note, *ns = note + NOTE_NS;
	of.has = note[NOTE_HAS];
	for (EACH_CAUSE(left, k, &of))
		p->gap.ns[k] = *ns++;
	p->gap.has = of.has;
	rest = launched(p->g, q);
	if (rest.start < rest.end)
		gap_causes_split(&p->g->waits, &rest, add_part, p);
	return note;
}

/* Splits the gap, or its part in [start, end), and says it. */
static void say(struct passing *p, nsec start, nsec end)
{
	const struct wait_question q = { p->gap.start, p->gap.end, p->gap.prev, p->gap.next,
		p->gap.launch, p->busy };
	struct clipping clip = { p, start, end };
	bool is_whole = start <= q.start && end >= q.end;
	const uint32_t *note = NULL;
	int k;

	memset(p->gap.ns, 0, sizeof(p->gap.ns));
	p->gap.has = 0;
	p->gap.behind_ns = p->gap.late_ns = 0;
	p->gap.held = NO_ROW;
	if (!is_whole)
		gap_causes_split(&p->g->waits, &q, clip_part, &clip);
	else if (!(note = split_by_notes(p, &q)))
		gap_causes_split(&p->g->waits, &q, add_part, p);
	p->gap.start = MAX(start, q.start);
	p->gap.end = MIN(end, q.end);
	p->gap.cls = (enum gap_cause)0;
	for (EACH_CAUSE(left, k, &p->gap))
		if (p->gap.ns[k] > p->gap.ns[p->gap.cls])
			p->gap.cls = (enum gap_cause)k;
	find_doing(p->g, &p->gap, note ? note[NOTE_DOING] : DOING_UNKNOWN);
	if (is_whole)
		take_notes(p, &q);
	p->fn(p->ctx, &p->gap);
	p->gap.start = q.start;
	p->gap.end = q.end;
}

/* What launches cost is learnt from the steps that are looked at. */
static bool is_chosen(const struct gaps *g, uint32_t row)
{
	return !g->view || !g->view->step || filter_device_step(g->view, row);
}

static void say_gap(struct passing *p, uint32_t next, nsec end)
{
	const struct intervals *w = &p->g->window;
	const struct events *ev = &p->g->run->events;

	/* Where it is split, the rest of it is set then. */
	p->gap.start = p->end;
	p->gap.end = end;
	p->gap.prev = p->prev;
	p->gap.next = next;
	p->gap.launch = next == NO_ROW ? NO_ROW : launch_of_row(p->g->run, next);
	p->gap.is_late = p->gap.launch != NO_ROW && ev->start[p->gap.launch] > p->gap.start;
	if (!p->fn) {
		if (p->gap.is_late && p->prev != NO_ROW && is_chosen(p->g, next))
			p->delay[p->ndelay++] = saturate_sub(end, ev->start[p->gap.launch]);
		return;
	}
	if (p->g->is_plain) {
		p->fn(p->ctx, &p->gap);
		return;
	}
	if (w->n == 0) {
		say(p, p->gap.start, end);
		return;
	}
	pass_window(p, p->gap.start);
	for (size_t i = p->at; i < w->n && w->v[i].start < end; i++)
		say(p, w->v[i].start, w->v[i].end);
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
	p->is_open = p->fn && w->n > 0;
	p->end = p->is_open ? w->v[0].start : 0;
}

static void take(struct passing *p, uint32_t row)
{
	const struct events *ev = &p->g->run->events;
	nsec start = ev->start[row], end = events_end(ev, row);

	if (!takes(p->g, row))
		return;
	if (p->prev == NO_ROW && start <= p->end)
		p->is_open = false; /* a gap begins where work ends, before the window, too */
	if (p->is_open && start > p->end)
		say_gap(p, row, start);
	if (!p->is_open || end > p->end) {
		saturate_onto(
			&p->busy, saturate_sub(end, p->is_open && p->end > start ? p->end : start));
		p->end = end;
		p->prev = row;
	}
	p->is_open = true;
}

static void finish(struct passing *p)
{
	const struct intervals *w = &p->g->window;

	if (p->fn && w->n > 0 && w->v[w->n - 1].end > p->end)
		say_gap(p, NO_ROW, w->v[w->n - 1].end);
}

static void pass_device(struct passing *p, int64_t device)
{
	struct gaps *g = p->g;
	struct arena_mark mark = arena_mark(&g->mem);
	struct sweep s;
	uint32_t row;

	sweep_device(&s, g->run, device, &g->mem);
	begin_pass(p);
	while (sweep_next(&s, &row))
		take(p, row);
	finish(p);
	arena_reset(&g->mem, mark);
}

/* What a launch costs: the median time from the begin of the call to that of its work, where the
 * device had nothing to do. */
static void find_cost(struct gaps *g, int64_t device)
{
	struct passing p = { .g = g };
	size_t i, end, n = 0;

	if (g->device == device || g->is_plain)
		return;
	if (g->from && g->from->launch_cost > 0) {
		g->device = device;
		g->waits.launch_cost = g->from->launch_cost;
		return;
	}
	order_device_lanes(g->run->order, g->run, device, &i, &end);
	for (; i < end; i++) {
		uint32_t lane = g->run->order->device_lane[i];

		n += g->run->order->device_begin[lane + 1] - g->run->order->device_begin[lane];
	}
	p.delay = array_grow(NULL, &(size_t){ 0 }, n + 1, sizeof(*p.delay));
	pass_device(&p, device);
	g->device = device;
	g->waits.launch_cost = GAP_CAUSES_LAUNCH_NS;
	if (p.ndelay > 0)
		g->waits.launch_cost = saturate_whole(stats_quantile(p.delay, p.ndelay, 0.5));
	free(p.delay);
}

void gaps_of_device(struct gaps *g, int64_t device, gap_fn *fn, void *ctx)
{
	struct passing p = { .g = g, .fn = fn, .ctx = ctx };

	find_cost(g, device);
	pass_device(&p, device);
	if (g->to)
		g->to->launch_cost = g->waits.launch_cost;
}

void gaps_of_stream(struct gaps *g, uint32_t lane, gap_fn *fn, void *ctx)
{
	const struct order *o = g->run->order;
	struct passing p = { .g = g, .fn = fn, .ctx = ctx };

	find_cost(g, g->run->lanes.lane[lane].device);
	begin_pass(&p);
	for (size_t i = o->device_begin[lane]; i < o->device_begin[lane + 1]; i++)
		take(&p, o->device[i]);
	finish(&p);
}

void gap_sums_add(void *ctx, const struct gap *g)
{
	struct gap_sums *s = ctx;
	nsec len = saturate_sub(g->end, g->start);
	int k;

	for (EACH_CAUSE(left, k, g))
		saturate_onto(&s->ns[k], g->ns[k]);
	saturate_onto(&s->behind_ns, g->behind_ns);
	s->held += g->held != NO_ROW;
	s->max = MAX(len, s->max);
	s->count[g->cls]++;
	saturate_onto(&s->all_ns, len);
	s->all++;
}

void gap_hta_add(void *ctx, const struct gap *g)
{
	struct gap_hta *s = ctx;
	nsec len = saturate_sub(g->end, g->start);

	saturate_onto(g->is_late                  ? &s->host
			: len < s->kernel_wait_ns ? &s->kernel
						  : &s->other,
		len);
}

/* ---- the longest gaps: twice the limit are kept, so that sorting is rare ---- */

enum { FIRST_GAPS = 1024 };

void long_gaps_clear(struct long_gaps *l)
{
	free(l->v);
	*l = (struct long_gaps){ 0 };
}

static nsec length(const struct gap *g)
{
	return saturate_sub(g->end, g->start);
}

ORDER(by_length, struct long_gap, compare3(length(&b->gap), length(&a->gap)),
	compare3(a->gap.start, b->gap.start), compare3(a->device, b->device))

void long_gaps_sort(struct long_gaps *l)
{
	sort_rows(l->v, l->n, sizeof(*l->v), by_length);
	l->n = MIN(l->n, l->limit);
}

void long_gaps_add(struct long_gaps *l, const struct gap *g, int64_t device)
{
	size_t room = l->limit > SIZE_MAX / 2 ? SIZE_MAX : 2 * l->limit + FIRST_GAPS;

	l->all++;
	if (length(g) < l->least)
		return;
	if (l->n >= room) {
		long_gaps_sort(l);
		l->least = l->n > 0 ? length(&l->v[l->n - 1].gap) : INT64_MAX;
	}
	PUSH(l->v, l->n, l->cap, (struct long_gap){ *g, device });
}
