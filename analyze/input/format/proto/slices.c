/* A group is held until the next one begins, in 8 bytes a begin: the start is in the row already,
 * and the end is written there as long as the ends fit.  What is no such group goes to the halves
 * of all tracks, which are joined at the end of the trace. */
#include "analyze/input/format/proto/slices.h"

#include "analyze/input/events/merge_batches.h"
#include "analyze/trace/run.h"

#define NO_HALF UINT32_MAX
#define IS_LOST 0x80000000u /* a row: behind it, the number of a begin without one */

/* A begin that has no row. */
struct lost {
	nsec start, end;
	uint32_t odd; /* enum emit_unkept */
};

struct member {
	uint32_t row; /* of the run, or IS_LOST and a number */
	uint32_t track;
};

/* Begins and then ends, as they stand in the trace. */
struct group {
	struct member *begin;
	size_t n, cap;
	struct lost *lost;
	size_t nlost, lost_cap;
	size_t ends;    /* so far, which all fit */
	bool is_turned; /* some end is earlier than a begin in front of it on its track */
	uint32_t serial;
};

/* A half that waits for the end of the trace. */
struct waiting_half {
	nsec time;    /* of an open begin: the number of the one below it */
	uint32_t row; /* of the run; enum emit_unkept */
	uint32_t track;
};

struct track_state {
	nsec last;
	bool is_disordered;
	uint32_t open;    /* the innermost open begin among the waiting, or NO_HALF */
	uint32_t group;   /* serial of the group of the latest begin */
	nsec group_begin; /* its latest begin on the track */
};

/* Groups among the waiting that might be PyTorch's, one behind the other. */
struct doubt {
	size_t first, n; /* n begins, then n ends */
	size_t times;
};

struct slices {
	struct run *run;
	struct gathered *g;
	struct keymap uuids; /* tracks */
	struct track_state *track;
	size_t track_cap;
	uint32_t *number; /* of a window's tracks */
	size_t number_cap;
	struct group group;
	bool grouped; /* the trace is PyTorch's */
	struct waiting_half *waiting;
	size_t n, cap;
	struct doubt *doubt;
	size_t ndoubt, doubt_cap;
};

struct slices *slices_new(struct run *run, struct gathered *g)
{
	struct slices *s = xcalloc(1, sizeof(*s));

	s->run = run;
	s->g = g;
	keymap_init(&s->uuids, sizeof(uint64_t));
	return s;
}

void slices_free(struct slices *s)
{
	if (!s)
		return;
	keymap_clear(&s->uuids);
	FREE_ALL(s->track, s->number, s->group.begin, s->group.lost, s->waiting, s->doubt, s);
}

/* --- the ends of rows --- */

static void widen(struct slices *s, nsec end, bool bare)
{
	nsec *last = bare ? &s->g->bare_last : &s->run->last_ns;

	*last = MAX(end, *last);
}

/* A device event that begins at exactly 0 may have no time at all: finish.c decides. */
static void end_row(struct slices *s, uint32_t row, nsec end)
{
	struct events *e = &s->run->events;
	enum kind kind = (enum kind)e->kind[row];

	if (sub_overflows(end, e->start[row], &e->dur[row]))
		e->dur[row] = INT64_MAX;
	if (e->start[row] == 0 && kind_is_device(kind) && !(e->flags[row] & EVENT_END)) {
		if (end == 0)
			e->flags[row] |= EVENT_DROP;
		else if (end > s->g->zero_last)
			s->g->zero_last = end;
	} else if (kind != KIND_SPAN) {
		widen(s, end, (e->flags[row] & EVENT_END) != 0);
	}
	e->flags[row] &= (uint8_t) ~(EVENT_OPEN | EVENT_END);
}

static void end_lost(struct slices *s, uint32_t odd, nsec end)
{
	if (odd != EMIT_UNKEPT_SPAN)
		widen(s, end, odd == EMIT_UNKEPT_BARE);
}

/* --- groups --- */

static nsec start_of(const struct slices *s, const struct member *m)
{
	return m->row & IS_LOST ? s->group.lost[m->row & ~IS_LOST].start
				: s->run->events.start[m->row];
}

/* While a group is held, dur of its rows is their end. */
static nsec end_of(const struct slices *s, const struct member *m)
{
	return m->row & IS_LOST ? s->group.lost[m->row & ~IS_LOST].end : s->run->events.dur[m->row];
}

static void hold_end(struct slices *s, const struct member *m, nsec end)
{
	if (m->row & IS_LOST)
		s->group.lost[m->row & ~IS_LOST].end = end;
	else
		s->run->events.dur[m->row] = end;
}

static void close_member(struct slices *s, const struct member *m, nsec end)
{
	if (m->row & IS_LOST)
		end_lost(s, s->group.lost[m->row & ~IS_LOST].odd, end);
	else
		end_row(s, m->row, end);
}

static void wait_half(struct slices *s, nsec time, uint32_t row, uint32_t track)
{
	struct track_state *t = &s->track[track];

	PUSH(s->waiting, s->n, s->cap, (struct waiting_half){ time, row, track });
	if (time < t->last)
		t->is_disordered = true;
	t->last = time;
}

static uint32_t waiting_row(const struct slices *s, const struct member *m)
{
	return m->row & IS_LOST ? s->group.lost[m->row & ~IS_LOST].odd : m->row;
}

static void empty_group(struct group *g)
{
	g->n = g->ends = g->nlost = 0;
	g->is_turned = false;
	g->serial++;
}

/* The group as halves that wait, its begins and the ends that fit. */
static void give_up_group(struct slices *s)
{
	struct group *g = &s->group;

	for (EACH(const struct member, member, g->begin, g->n))
		wait_half(s, start_of(s, member), waiting_row(s, member), member->track);
	for (EACH(const struct member, m, g->begin, g->ends))
		wait_half(s, end_of(s, m), HALF_END, m->track);
	for (EACH(struct member, one, g->begin, g->n))
		if (!(one->row & IS_LOST))
			s->run->events.dur[one->row] = 0;
	empty_group(g);
}

/* Its ends are those of its begins, in their order. */
static void join_group(struct slices *s)
{
	for (EACH(const struct member, member, s->group.begin, s->group.n))
		close_member(s, member, end_of(s, member));
	empty_group(&s->group);
}

static void doubt_group(struct slices *s)
{
	struct doubt *d = s->ndoubt ? &s->doubt[s->ndoubt - 1] : NULL;
	size_t n = s->group.n;

	if (d && d->n == n && d->first + 2 * n * d->times == s->n) {
		d->times++;
		return;
	}
	PUSH(s->doubt, s->ndoubt, s->doubt_cap, (struct doubt){ s->n, n, 1 });
}

/* The next thing is no end of this group. */
static void leave_group(struct slices *s)
{
	struct group *g = &s->group;

	if (g->n == 0)
		return;
	if (g->ends != g->n) {
		give_up_group(s);
		return;
	}
	s->grouped |= g->is_turned;
	if (s->grouped) {
		join_group(s);
		return;
	}
	doubt_group(s);
	give_up_group(s);
}

static void add_begin(struct slices *s, nsec time, uint32_t row, uint32_t track, uint32_t odd)
{
	struct track_state *t = &s->track[track];
	struct group *g = &s->group;
	struct member m = { row, track };

	if (g->ends)
		leave_group(s);
	if (odd) {
		m.row = IS_LOST | (uint32_t)g->nlost;
		PUSH(g->lost, g->nlost, g->lost_cap, (struct lost){ time, 0, odd });
	}
	PUSH(g->begin, g->n, g->cap, m);
	if (t->group != g->serial || time > t->group_begin)
		t->group_begin = time;
	t->group = g->serial;
}

static void add_end(struct slices *s, nsec time, uint32_t track)
{
	struct group *g = &s->group;
	const struct member *m = g->ends < g->n ? &g->begin[g->ends] : NULL;

	if (m && m->track == track && time >= start_of(s, m)) {
		hold_end(s, m, time);
		g->is_turned |= time < s->track[track].group_begin;
		g->ends++;
		return;
	}
	if (g->n && g->ends == g->n) /* one end more than begins */
		leave_group(s);
	else
		give_up_group(s);
	wait_half(s, time, HALF_END, track);
}

static void number_tracks(struct slices *s, const uint64_t *track, size_t n)
{
	s->number = array_grow(s->number, &s->number_cap, n, sizeof(*s->number));
	for (size_t i = 0; i < n; i++) {
		size_t before = s->uuids.n;

		s->number[i] = keymap_add(&s->uuids, &track[i]);
		if (s->number[i] < before)
			continue;
		s->track = array_grow(s->track, &s->track_cap, s->uuids.n, sizeof(*s->track));
		s->track[s->number[i]] =
			(struct track_state){ INT64_MIN, false, NO_HALF, NO_HALF, 0 };
	}
}

enum status slices_add(struct slices *s, const struct half *half, size_t n, size_t first_row,
	const uint64_t *track, struct err *e)
{
	uint32_t most = 0;

	if (first_row + n >= IS_LOST || s->n + n >= NO_HALF)
		return err_set(e, E_LIMIT, -1, "more than %u slices", IS_LOST - 1);
	for (EACH(const struct half, h, half, n))
		most = h->track >= most ? h->track + 1 : most;
	number_tracks(s, track, most);
	for (EACH(const struct half, one, half, n)) {
		uint32_t t = s->number[one->track];

		if (one->row == HALF_END)
			add_end(s, one->time, t);
		else if (one->row > HALF_END)
			add_begin(s, one->time, 0, t, one->row);
		else
			add_begin(s, one->time, (uint32_t)first_row + one->row, t, 0);
	}
	return OK;
}

/* --- the end of the trace --- */

static void end_half(struct slices *s, const struct waiting_half *begin, nsec end)
{
	if (begin->row >= HALF_END)
		end_lost(s, begin->row, end);
	else
		end_row(s, begin->row, end);
}

/* A group that was in doubt is PyTorch's after all. */
static void join_doubtful(struct slices *s, size_t first, size_t n)
{
	struct waiting_half *begin = s->waiting + first, *end = begin + n;

	for (size_t i = 0; i < n; i++) {
		end_half(s, &begin[i], end[i].time);
		begin[i].track = end[i].track = NO_HALF;
	}
}

static void join_doubts(struct slices *s)
{
	for (size_t i = 0; i < s->ndoubt; i++)
		for (size_t k = 0; k < s->doubt[i].times; k++)
			join_doubtful(s, s->doubt[i].first + 2 * k * s->doubt[i].n, s->doubt[i].n);
}

/* The next half of a track, in its order. */
static void step(struct slices *s, uint32_t at)
{
	struct waiting_half *h = &s->waiting[at];
	struct track_state *t = &s->track[h->track];
	uint32_t open = t->open;

	if (h->row != HALF_END) {
		h->time = open;
		t->open = at;
		return;
	}
	if (open == NO_HALF) {
		tally_add(&s->run->tally, PROBLEM_END_WITHOUT_BEGIN, 1, -1);
		return;
	}
	t->open = (uint32_t)s->waiting[open].time;
	end_half(s, &s->waiting[open], h->time);
}

static int by_track_time(const void *pa, const void *pb, void *ctx)
{
	const struct waiting_half *w = ctx, *a = &w[*(const uint32_t *)pa],
				  *b = &w[*(const uint32_t *)pb];

	return COMPARE_BY(compare3(a->track, b->track), compare3(a->time, b->time), compare3(a, b));
}

/* Tracks whose halves do not stand in the order of time. */
static void join_disordered(struct slices *s)
{
	uint32_t *at = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->waiting[i].track != NO_HALF && s->track[s->waiting[i].track].is_disordered)
			PUSH(at, n, cap, (uint32_t)i);
	if (n)
		qsort_r(at, n, sizeof(*at), by_track_time, s->waiting);
	for (size_t i = 0; i < n; i++)
		step(s, at[i]);
	free(at);
}

/* What is open ended when its lane's last event did, for all one knows. */
static void close_open(struct slices *s)
{
	for (EACH(const struct track_state, t, s->track, s->uuids.n)) {
		uint32_t open = t->open;

		for (; open != NO_HALF; open = (uint32_t)s->waiting[open].time) {
			end_half(s, &s->waiting[open], t->last);
			if (s->waiting[open].row < HALF_END)
				s->run->events.flags[s->waiting[open].row] |= EVENT_UNFINISHED;
			tally_add(&s->run->tally, PROBLEM_BEGIN_WITHOUT_END, 1, -1);
		}
	}
}

/* The last time of each track, whatever order its halves have. */
static void find_last(struct slices *s)
{
	for (EACH(const struct waiting_half, half, s->waiting, s->n))
		if (half->track != NO_HALF) {
			struct track_state *t = &s->track[half->track];

			t->last = MAX(half->time, t->last);
		}
}

static void drop_untimed(struct slices *s)
{
	struct events *e = &s->run->events;
	int64_t dropped = SUM(int64_t, i, e->n, (e->flags[i] & EVENT_DROP) != 0);

	if (!dropped)
		return;
	events_drop(e);
	tally_add(&s->run->tally, PROBLEM_ZERO_TIME_KERNEL, dropped, -1);
}

void slices_finish(struct slices *s)
{
	leave_group(s);
	if (s->grouped)
		join_doubts(s);
	find_last(s);
	for (size_t i = 0; i < s->n; i++)
		if (s->waiting[i].track != NO_HALF && !s->track[s->waiting[i].track].is_disordered)
			step(s, (uint32_t)i);
	join_disordered(s);
	close_open(s);
	drop_untimed(s);
}
