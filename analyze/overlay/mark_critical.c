/* Marks of the critical path: its segments, cut at the borders of steps, as `critical --list` has
 * them; and arrows where it goes on in another lane. */
#include "analyze/depgraph/critpath.h"
#include "analyze/depgraph/depend.h"
#include "analyze/overlay/mark_work.h"
#include "analyze/measure/window.h"
#include "analyze/measure/place_id.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/base.h"

struct piece {
	struct segment s;
	size_t step; /* index in run->steps */
};

struct walk {
	struct marking *k;
	const struct segment *s; /* being cut */
	struct stepcut cut;
	size_t near;
	struct piece *v; /* last first */
	size_t n, cap;
};

/* stepcut_fn */
static void take_piece(void *ctx, uint32_t step, nsec start, nsec end)
{
	struct walk *w = ctx;

	struct piece *p =
		PUSH(w->v, w->n, w->cap, (struct piece){ *w->s, w->k->window.step[step] });

	p->s.start = start;
	p->s.end = end;
}

/* segment_fn */
static void take_segment(void *ctx, const struct segment *s)
{
	struct walk *w = ctx;
	uint32_t row = segment_row(s);
	sym name = row == NO_ROW ? 0 : w->k->run->events.name[row];

	if (!filter_name(&w->k->view, name))
		return;
	w->s = s;
	stepcut_each(&w->cut, &w->near, s->start, s->end, take_piece, w);
}

ORDER(by_start, struct piece, compare3(a->s.start, b->s.start), compare3(a->step, b->step))

/* The longest first; then by time. */
static int by_length(const void *pa, const void *pb)
{
	const struct piece *a = pa, *b = pb;
	nsec x = saturate_sub(a->s.end, a->s.start), y = saturate_sub(b->s.end, b->s.start);

	return COMPARE_BY(compare3(y, x), by_start(pa, pb));
}

/* Whether the event is the segment itself, and not what stands behind a delay or gap. */
static bool is_event(enum owner o)
{
	return o != OWNER_LAUNCH_DELAY && o != OWNER_GAP && o != OWNER_RETURN &&
		o != OWNER_HANDOVER && o != OWNER_NOTHING && o != OWNER_UNRECORDED;
}

static void put_piece(struct marking *k, const struct piece *p)
{
	const struct run *r = k->run;
	const struct segment *s = &p->s;
	const struct lane *lane = s->lane == NO_ROW ? NULL : &r->lanes.lane[s->lane];
	uint32_t row = segment_row(s);
	bool has_name = row != NO_ROW && is_event(s->owner);
	struct mark *m = marking_add(k);

	m->lane = "critical path";
	m->name = has_name ? run_name(r, row) : span_of(owner_word(s->owner));
	m->start = s->start;
	m->dur = saturate_sub(s->end, s->start);
	m->id = place_id(r, "path", s->start, s->end, k->mem);
	m->row = row;
	m->on = s->lane;
	if (lane && lane->is_device)
		m->device = lane->device;
	marking_text(k, "owner", span_of(owner_word(s->owner)));
	marking_text(k, "means", span_of(owner_doc(s->owner)));
	if (row != NO_ROW && !has_name)
		marking_text(k, "of", run_name(r, row));
	if (r->steps->source != STEPS_WHOLE)
		marking_number(k, "step", (double)r->steps->step[p->step].number);
}

/* From mark to mark, where the path goes on in another lane. */
static void put_flows(struct marking *k)
{
	const struct marks *m = k->out;

	for (size_t i = 1; i < m->n; i++) {
		const struct mark *a = &m->v[i - 1], *b = &m->v[i];

		if (a->on != b->on && a->on != NO_ROW && b->on != NO_ROW &&
			saturate_add(a->start, a->dur) == b->start)
			marking_flow(k, i - 1, i);
	}
}

static void put_pieces(struct walk *w)
{
	struct marking *k = w->k;

	if (w->n > k->limit) {
		qsort(w->v, w->n, sizeof(*w->v), by_length);
		k->out->nleft = w->n - k->limit;
		w->n = k->limit;
	}
	sort_rows(w->v, w->n, sizeof(*w->v), by_start);
	for (size_t i = 0; i < w->n; i++)
		put_piece(k, &w->v[i]);
	put_flows(k);
}

enum status mark_critical(struct marking *k)
{
	struct walk w = { .k = k };
	struct depend d;

	depend_init(&d, k->run, NULL);
	marking_window(k);
	stepcut_init(&w.cut, &k->window, &k->scratch);
	if (d.n > 0 && w.cut.start < w.cut.end)
		critpath(&d, w.cut.start, w.cut.end, take_segment, &w);
	put_pieces(&w);
	free(w.v);
	depend_clear(&d);
	return OK;
}
