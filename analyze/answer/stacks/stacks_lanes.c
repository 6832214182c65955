/* `stacks`: calls in order of time as frames, a lane after the other.
 *
 * What is narrow waits, a frame for each depth, for neighbours that are narrow, too, until there
 * is a gap that can be seen, or a wide call begins there or ends below. */
#include "analyze/answer/stacks/stacks.h"
#include "analyze/measure/host/nesting.h"

struct stacks_frame *stacks_frame(struct stacks_frames *f)
{
	return PUSH(f->v, f->n, f->cap,
		(struct stacks_frame){ .calls = -1, .merged = 1, .layers = 1, .kind = "frame" });
}

const char *stacks_kind(const struct stacks *s, uint32_t row)
{
	const struct events *ev = &s->at->run->events;

	if (row == NO_ROW)
		return "frame";
	if (kind_is_device(ev->kind[row]))
		return classes_word(classes_of(&s->classes, row));
	return kind_word(ev->kind[row]);
}

struct level {
	nsec child_ns; /* of the open call: what its calls took */
	bool is_waiting;
	struct stacks_frame waiting;
};

struct frame_lanes {
	struct stacks *s;
	struct stacks_frames *f;
	struct nesting_extent extent;
	struct level *v; /* by depth of calls */
	size_t cap, n;   /* n: that were in use */
	struct span name;
	uint32_t lane;
	size_t frame; /* 1 + that of the lane */
};

static void flush(struct frame_lanes *l, size_t from)
{
	for (size_t i = from; i < l->n; i++) {
		if (!l->v[i].is_waiting)
			continue;
		*stacks_frame(l->f) = l->v[i].waiting;
		l->v[i].is_waiting = false;
	}
}

static void begin_lane(void *ctx, uint32_t lane, size_t part)
{
	struct frame_lanes *l = ctx;
	struct str b = { 0 };

	flush(l, 0);
	nesting_name(&b, l->s->at->run, lane, part);
	l->name = (struct span){ arena_copy(&l->s->at->out->mem, b.s, b.n), b.n };
	str_free(&b);
	l->lane++;
	struct stacks_frame *f = stacks_frame(l->f);
	f->lane = l->lane;
	f->name = f->lane_name = l->name;
	f->waits = stacks_is_wait(l->s, lane);
	f->kind = f->waits ? "waits" : "lane";
	l->frame = l->f->n;
}

static bool is_narrow(const struct frame_lanes *l, nsec dur)
{
	return dur < l->f->narrowest;
}

static void open_call(void *ctx, uint32_t row, size_t depth)
{
	struct frame_lanes *l = ctx;
	size_t n = l->cap;

	l->v = array_grow(l->v, &l->cap, depth + 1, sizeof(*l->v));
	for (; n < l->cap; n++)
		l->v[n] = (struct level){ 0 };
	l->n = MAX(depth + 1, l->n);
	if (!is_narrow(l, l->s->at->run->events.dur[row]))
		flush(l, depth);
	l->v[depth].child_ns = 0;
}

static struct stacks_frame frame_of(struct frame_lanes *l, uint32_t row, size_t depth)
{
	const struct run *r = l->s->at->run;
	nsec dur = r->events.dur[row];

	return (struct stacks_frame){
		.lane = l->lane,
		.depth = (uint32_t)depth + 1,
		.at = saturate_sub(r->events.start[row], l->extent.first),
		.length = dur,
		.total = dur,
		.self = saturate_sub(dur, l->v[depth].child_ns),
		.calls = 1,
		.merged = 1,
		.layers = 1,
		.kind = stacks_kind(l->s, row),
		.name = run_name(r, row),
		.lane_name = l->name,
	};
}

/* A narrow one behind those that wait: of several sorts or names nothing is said but how many. */
static void join(struct stacks_frame *to, const struct stacks_frame *more)
{
	saturate_onto(&to->total, more->total);
	saturate_onto(&to->self, more->self);
	to->calls++;
	to->merged++;
	to->length = more->at + more->length - to->at;
	if (!span_eq(to->name, more->name)) {
		to->name = SPAN("");
		to->kind = "narrow";
	}
}

static void close_call(void *ctx, uint32_t row, size_t depth)
{
	struct frame_lanes *l = ctx;
	struct stacks_frame f = frame_of(l, row, depth), *lane = &l->f->v[l->frame - 1];
	struct level *v = &l->v[depth];

	if (depth)
		saturate_onto(&v[-1].child_ns, f.total);
	if (depth == 0) {
		if (lane->calls < 0) {
			lane->at = f.at;
			lane->calls = 0;
		}
		lane->calls++;
		saturate_onto(&lane->total, f.total);
		lane->length = f.at + f.length - lane->at;
	}
	if (!is_narrow(l, f.length)) {
		flush(l, depth + 1);
		*stacks_frame(l->f) = f;
		return;
	}
	if (v->is_waiting && f.at - (v->waiting.at + v->waiting.length) < l->f->narrowest) {
		join(&v->waiting, &f);
		return;
	}
	if (v->is_waiting)
		*stacks_frame(l->f) = v->waiting;
	v->waiting = f;
	v->is_waiting = true;
}

ORDER(by_place, struct stacks_frame, compare3(a->lane, b->lane), compare3(a->depth, b->depth),
	compare3(a->at, b->at), compare3(a->length, b->length))

/* Lanes of threads that only wait go; the first row of what stays says how many. */
static void hide_waits(struct stacks_frames *f, size_t nwaits)
{
	bool is_hidden = false;
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (f->v[i].depth == 0)
			is_hidden = f->v[i].waits > 0;
		if (!is_hidden)
			f->v[n++] = f->v[i];
	}
	f->n = n;
	if (n)
		f->v[0].waits = (int64_t)nwaits;
}

void stacks_put_lanes(struct stacks *s, struct stacks_frames *f, size_t *ncrossing)
{
	const struct run *r = s->at->run;
	unsigned kinds = stacks_kinds(s->o, r);
	struct frame_lanes l = { .s = s, .f = f, .extent = nesting_extent(r, &s->at->view, kinds) };
	const struct nesting_visitor visitor = { &l, begin_lane, open_call, close_call };

	f->narrowest =
		l.extent.n ? saturate_sub(l.extent.last, l.extent.first) / s->o->narrowest : 0;
	*ncrossing = nesting_walk(r, &s->at->view, kinds, &visitor);
	flush(&l, 0);
	sort_rows(f->v, f->n, sizeof(*f->v), by_place);
	if (s->hides)
		hide_waits(f, s->nwaits);
	free(l.v);
}
