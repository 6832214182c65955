/* `timeline`: the lanes of its picture, and what is drawn on them. */
#include "analyze/answer/timeline/timeline.h"
#include "analyze/depgraph/hosttime.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run_steps.h"

/* MARKS_ALL: as many as a page of a browser draws at once. */
enum { LANES_USUAL = 8, THREADS_USUAL = 2, MARKS_ALL = 1000000, COLUMNS_LEAST = 1500 };

/* A stream or thread that may be shown. */
struct candidate {
	uint32_t lane;
	bool is_device;
	int64_t weight; /* ns busy; of threads how much they launched */
};

struct marks {
	struct timeline *l;
	struct table *t;
	struct gaps gaps;
	struct hostwhat what;
	nsec column; /* what is shorter is one mark with its neighbours */
	const char *sort;
	const struct lane *lane; /* NULL: a device */
	int64_t device;
	struct timeline_single *single;
	size_t nsingle, single_cap;
};

/* ---- marks ---- */

/* Pieces that become one mark. */
struct bunch {
	nsec start, end, ns[PIECE_KINDS], longest;
	uint32_t row;
	size_t n;
};

static void put_where(struct marks *m, nsec start, nsec end)
{
	nsec at = saturate_sub(start, m->l->zero);

	TABLE_ROW(m->t, [TMARK_SORT] = cell_word(m->sort), [TMARK_AT] = cell_int(at),
		[TMARK_LENGTH] = cell_int(saturate_sub(end, start)),
		[TMARK_CLOCK] = cell_int(saturate_add(start, m->l->at->run->meta.base_ns)));
}

static void put_lane(struct marks *m)
{
	const struct run *r = m->l->at->run;

	if (!m->lane) {
		TABLE_CELLS(m->t, [TMARK_LANE] = cell_textf(m->t, "GPU %" PRId64, m->device),
			[TMARK_DEVICE] = cell_int(m->device));
		return;
	}
	TABLE_CELLS(m->t, [TMARK_LANE] = timeline_lane_name(m->t, r, m->lane));
	if (m->lane->is_device) {
		TABLE_CELLS(m->t, [TMARK_DEVICE] = cell_int(m->lane->device),
			[TMARK_STREAM] = cell_int(m->lane->stream));
	} else {
		table_text(m->t, TMARK_TID, strings_get(&r->strings, m->lane->tid));
	}
}

/* The kind that takes most, the first one of equals. */
static unsigned kind_of(const struct bunch *b)
{
	unsigned best = 0;

	for (unsigned k = 1; k < PIECE_KINDS; k++)
		best = b->ns[k] > b->ns[best] ? k : best;
	return best;
}

static void flush(struct marks *m, struct bunch *b)
{
	const struct run *r = m->l->at->run;
	nsec busy = 0;

	if (b->n == 0)
		return;
	for (unsigned k = 0; k < PIECE_KINDS; k++)
		saturate_onto(&busy, b->ns[k]);
	put_where(m, b->start, b->end);
	put_lane(m);
	TABLE_CELLS(m->t, [TMARK_KIND] = cell_word(timeline_piece_word(kind_of(b))),
		[TMARK_NAME] = CELL_IF(b->row != NO_ROW, cell_text(run_name(r, b->row))),
		[TMARK_BUSY] = cell_int(busy), [TMARK_PIECES] = cell_size(b->n));
	if (b->n == 1 && b->row != NO_ROW && (m->lane || kind_of(b) < PIECE_WAITS))
		PUSH(m->single, m->nsingle, m->single_cap,
			((struct timeline_single){ busy, m->t->nrow - 1, b->row }));
	*b = (struct bunch){ 0 };
}

/* A mark for each piece as long as a column; of shorter ones, for all that begin in one column.
 * Short idle time of a device is what marks leave. */
static void put_pieces(struct marks *m, const struct pieces *p)
{
	struct bunch b = { 0 };
	nsec column = 0;

	for (EACH(const struct piece, v, p->v, p->n)) {
		bool is_long = saturate_sub(v->end, v->start) >= m->column;
		nsec in = saturate_sub(v->start, m->l->first) / m->column;

		if (!is_long && !m->lane && v->kind >= PIECE_WAITS)
			continue;
		if (is_long || in != column)
			flush(m, &b);
		column = in;
		nsec ns = saturate_sub(v->end, v->start);
		if (b.n++ == 0)
			b.start = v->start;
		b.end = v->end;
		saturate_onto(&b.ns[v->kind], ns);
		if (ns > b.longest) {
			b.longest = ns;
			b.row = v->row;
		}
		if (is_long)
			flush(m, &b);
	}
	flush(m, &b);
}

/* ---- lanes ---- */

ORDER(heaviest_first, struct candidate, compare3_down(a->is_device, b->is_device),
	compare3(b->weight, a->weight), compare3(a->lane, b->lane))

static bool is_shown(const struct timeline *l, uint32_t row)
{
	const struct events *ev = &l->at->run->events;

	return ev->start[row] < l->last && events_end(ev, row) > l->first;
}

/* How much each thread launches, by lane: what is shown, and what is launched meanwhile. */
static void count_launches(const struct timeline *l, int64_t *launches)
{
	const struct run *r = l->at->run;
	size_t n = r->order->device_begin[r->lanes.n];

	for (size_t i = 0; i < n; i++) {
		uint32_t row = r->order->device[i], side = r->events.args[row];
		uint32_t launch = side == NO_ARGS ? NO_ROW : r->links->launch[side - 1];

		if (launch != NO_ROW && (is_shown(l, row) || is_shown(l, launch)) &&
			filter_device(&l->at->view, row))
			launches[r->events.lane[launch]]++;
	}
}

/* Streams of devices that have several, then threads that launch; returns how many. */
static size_t find_candidates(const struct timeline *l, struct candidate *v)
{
	const struct run *r = l->at->run;
	int64_t *launches = arena_array(&l->at->mem, r->lanes.n, sizeof(*launches));
	size_t n = 0, from = 0, i;

	count_launches(l, launches);
	for (size_t k = 0; k < l->devices.n; k++, from = n) {
		size_t end;

		order_device_lanes(r->order, r, l->devices.id[k], &i, &end);
		for (; i < end; i++) {
			uint32_t lane = r->order->device_lane[i];

			v[n] = (struct candidate){ lane, true, timeline_lane_busy(l, lane, NULL) };
			n += v[n].weight > 0;
		}
		if (n == from + 1)
			n = from;
	}
	for (i = 0; i < r->lanes.n; i++)
		if (launches[i] > 0 && !r->lanes.lane[i].is_device)
			v[n++] = (struct candidate){ (uint32_t)i, false, launches[i] };
	sort_rows(v, n, sizeof(*v), heaviest_first);
	return n;
}

/* Keeps the heaviest streams and threads of n; returns how many. */
static size_t choose(struct candidate *v, size_t n, int64_t most)
{
	size_t limit = most < 0 ? LANES_USUAL : (size_t)most;
	size_t streams = FIRST(i, n, !v[i].is_device), threads = n - streams;
	size_t some = MAX(limit / 4, THREADS_USUAL);
	if (streams < limit && limit - streams > some)
		some = limit - streams;
	threads = MIN(threads, some);
	threads = MIN(threads, limit);
	some = MIN(streams, limit - threads);
	memmove(v + some, v + streams, threads * sizeof(*v));
	return some + threads;
}

static void put_stream(struct marks *m, const struct candidate *c)
{
	struct pieces p = { 0 };

	m->sort = c->is_device ? "stream" : "thread";
	m->lane = &m->l->at->run->lanes.lane[c->lane];
	if (c->is_device)
		pieces_of_stream(&p, m->l, c->lane);
	else
		pieces_of_thread(&p, m->l, &m->what, c->lane);
	put_pieces(m, &p);
	pieces_clear(&p);
}

ORDER(by_stream, struct candidate, compare3(a->weight, b->weight))

/* All of the time, and the steps in it. */
static void put_frame(struct marks *m)
{
	const struct timeline *l = m->l;
	const struct steps *s = l->at->run->steps;

	m->sort = "whole";
	put_where(m, l->first, l->last);
	m->sort = "step";
	for (size_t i = 0; s->source != STEPS_WHOLE && i < s->n; i++) {
		const struct step *step = &s->step[i];
		nsec start = MAX(step->start, l->first);
		nsec end = MIN(step->end, l->last);

		if (start >= end || (l->at->view.step && !l->at->view.step[i]))
			continue;
		put_where(m, start, end);
		table_textf(m->t, TMARK_NAME, "%" PRId64, step->number);
	}
}

static void put_marks(struct marks *m, int64_t most, size_t columns)
{
	struct timeline *l = m->l;
	const struct run *r = l->at->run;
	struct interval whole = { l->first, l->last };
	struct arena_mark mark = arena_mark(&l->at->mem);
	struct candidate *v = arena_array(&l->at->mem, r->lanes.n, sizeof(*v));
	size_t n = find_candidates(l, v), shown = choose(v, n, most);

	size_t most_of_one = MARKS_ALL / MAX(l->at->q->nrun, 1);
	if (r->events.n > most_of_one) { /* a lane has two marks a column at most */
		size_t few = most_of_one / 2 / (shown + l->devices.n + 1) + 1;

		columns = MIN(MAX(few, COLUMNS_LEAST), columns);
	}
	m->column = saturate_sub(l->last, l->first) / (nsec)columns;
	m->column = m->column > 0 ? m->column : 1;
	gaps_init(&m->gaps, r, &l->at->view, &whole, 1);
	hostwhat_init(&m->what, r, &l->at->mem);
	put_frame(m);
	/* Each device with its streams by number below it, then threads. */
	const struct lane *lane = m->l->at->run->lanes.lane;
	size_t streams = 0;
	for (; streams < shown && v[streams].is_device; streams++)
		v[streams].weight = lane[v[streams].lane].stream;
	sort_rows(v, streams, sizeof(*v), by_stream);
	for (size_t d = 0; d < m->l->devices.n; d++) {
		struct pieces p = { 0 };
		m->sort = "device";
		m->lane = NULL;
		m->device = m->l->devices.id[d];
		pieces_of_device(&p, m->l, &m->gaps, m->l->devices.id[d]);
		put_pieces(m, &p);
		pieces_clear(&p);
		for (EACH(const struct candidate, candidate, v, streams))
			if (lane[candidate->lane].device == m->l->devices.id[d])
				put_stream(m, candidate);
	}
	for (size_t i = streams; i < shown; i++)
		put_stream(m, &v[i]);
	gaps_clear(&m->gaps);
	if (n > shown)
		m->t->footnote = arena_printf(&l->at->out->mem,
			"%zu more streams and threads: --lanes %zu shows them", n - shown, n);
	arena_reset(&l->at->mem, mark);
}

struct table *timeline_put_marks(struct timeline *l, int64_t most, size_t columns, size_t details)
{
	struct marks m = { .l = l, .t = perrun_table(l->at, &timeline_docs[TIMELINE_MARKS]) };

	put_marks(&m, most, columns);
	if (details)
		timeline_put_details(l, m.single, m.nsingle, details);
	free(m.single);
	return m.t;
}
