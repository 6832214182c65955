/* The full queue: launches in their order beside the ends of their work. */
#include "analyze/measure/device/fullqueue.h"

#include "analyze/stat/stats.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"

/* A call is long from FAR times the usual on, and returns just as work ends within that time.  The
 * usual is the median of calls that return far from the bound; where there are few, what the
 * shortest hundredth of all takes at most, and no more than USUAL_NS, since all may wait.  ENOUGH
 * calls make a bound, if they are a SHARE of those that return at it, which is LEAST at least and
 * the same within a PART.  Two clocks may differ by CLOCKS_NS. */
enum {
	SAMPLES = 4096,
	USUAL_NS = 5000,
	FAR = 3,
	ENOUGH = 10,
	SHARE = 100,
	LEAST = 8,
	PART = 20,
	EXACT = 2,
	CLOCKS_NS = 2000
};

/* A launch. */
struct entry {
	uint32_t call, work; /* rows; of its work what ended last */
	uint32_t of;         /* whose bound it counts for: a lane, or a GPU */
	uint32_t first;      /* where those of the same begin */
	uint32_t left;       /* launches that are outstanding as the call returns */
	nsec start, end;     /* of the call, of its work */
	nsec since;          /* how long before it returns the last one ended */
};

/* Its end. */
struct ending {
	nsec end;
	uint32_t of, call, work;
};

/* All launches as they began, and as their work ended; of each stream or GPU together. */
struct launches {
	const struct run *run;
	struct full_queue *q;
	struct entry *begun;
	struct ending *ended;
	size_t n;
	nsec usual; /* what a call takes that does not wait */
};

/* What the calls say of a bound. */
struct saying {
	size_t depth; /* the most that are outstanding as a call returns */
	size_t held;  /* long calls that return at it, as work ends; 0: it is no bound */
	size_t exact; /* those whose number is the bound, but for EXACT */
	nsec usual;   /* what a call takes that does not wait */
};

static nsec shortest_calls(const struct run *r)
{
	size_t n = r->order->device_begin[r->lanes.n], by = n / SAMPLES + 1, k = 0;
	nsec v[SAMPLES];

	for (size_t i = 0; i < n; i += by) {
		uint32_t call = launch_of_row(r, r->order->device[i]);

		if (call != NO_ROW)
			v[k++] = r->events.dur[call];
	}
	return k ? MIN(saturate_whole(stats_quantile(v, k, 0.01)), USUAL_NS) : 0;
}

static bool is_long(const struct run *r, uint32_t call, nsec usual)
{
	return r->events.dur[call] / FAR > usual;
}

/* Whether enough calls took long for any more to be asked. */
static bool may_be_full(const struct full_queue *q, const struct run *r)
{
	size_t n = r->order->device_begin[r->lanes.n], longer = 0;
	uint32_t last = NO_ROW;

	for (size_t i = 0; i < n && longer < ENOUGH; i++) {
		uint32_t call = launch_of_row(r, r->order->device[i]);

		longer += call != NO_ROW && call != last && is_long(r, call, q->usual);
		last = call;
	}
	return longer >= ENOUGH;
}

/* Each launch once. */
static void gather(struct launches *l)
{
	const struct run *r = l->run;
	uint32_t *at = zeroed(r->args.n[ARGS_LAUNCH], sizeof(*at));
	size_t n = r->order->device_begin[r->lanes.n];

	l->begun = xmalloc(r->args.n[ARGS_LAUNCH] * sizeof(*l->begun));
	l->ended = xmalloc(r->args.n[ARGS_LAUNCH] * sizeof(*l->ended));
	for (size_t i = 0; i < n; i++) {
		uint32_t row = r->order->device[i], call = launch_of_row(r, r->order->device[i]);
		nsec end = events_end(&r->events, row);

		if (call == NO_ROW)
			continue;
		uint32_t *known = &at[r->events.args[call] - 1];
		if (*known == 0) {
			*known = (uint32_t)l->n + 1;
			l->begun[l->n++] = (struct entry){ .call = call,
				.work = row,
				.start = r->events.start[call],
				.end = end };
		} else if (l->begun[*known - 1].end < end) {
			l->begun[*known - 1].work = row;
			l->begun[*known - 1].end = end;
		}
	}
	free(at);
}

ORDER(by_start, struct entry, compare3(a->of, b->of), compare3(a->start, b->start),
	compare3(a->call, b->call))

ORDER(by_end, struct ending, compare3(a->of, b->of), compare3(a->end, b->end),
	compare3(a->call, b->call))

/* Sorted for a bound of streams, or of GPUs. */
static void sort(struct launches *l, bool is_streams)
{
	const struct run *r = l->run;

	for (EACH(struct entry, entry, l->begun, l->n)) {
		uint32_t lane = r->events.lane[entry->work];

		entry->of = is_streams ? lane : (uint32_t)r->lanes.lane[lane].device;
	}
	sort_rows(l->begun, l->n, sizeof(*l->begun), by_start);
	for (size_t i = 0; i < l->n; i++) {
		const struct entry *e = &l->begun[i];

		l->ended[i] = (struct ending){ e->end, e->of, e->call, e->work };
	}
	sort_rows(l->ended, l->n, sizeof(*l->ended), by_end);
}

/* Sorted, and counted what is outstanding as each call returns. */
static void count(struct launches *l, bool is_streams)
{
	sort(l, is_streams);
	for (uint32_t i = 0, first = 0; i < l->n; i++) {
		struct entry *e = &l->begun[i];
		nsec back = events_end(&l->run->events, e->call);

		first = e->of == l->begun[first].of ? first : i;
		e->first = first;
		size_t next = PARTITION_POINT(k, first, l->n,
			l->ended[k].of == e->of && l->ended[k].end <= back + CLOCKS_NS);
		e->left = next <= i ? i + 1 - (uint32_t)next : 0;
		e->since = next > first ? saturate_sub(back, l->ended[next - 1].end) : INT64_MAX;
	}
}

static bool is_at(const struct entry *e, size_t depth)
{
	return (depth - e->left) * PART <= depth;
}

/* Whether a call waited for room, where so many launches may be outstanding. */
static bool has_waited(const struct launches *l, const struct entry *e, size_t depth)
{
	return is_at(e, depth) && is_long(l->run, e->call, l->usual) &&
		e->since / FAR <= l->usual &&
		e->end > saturate_add(events_end(&l->run->events, e->call), CLOCKS_NS);
}

/* What calls take that return with less outstanding. */
static nsec usual_far_from(const struct launches *l, size_t depth)
{
	nsec *v = zeroed(l->n, sizeof(*v)), usual = l->q->usual;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (!is_at(&l->begun[i], depth))
			v[n++] = l->run->events.dur[l->begun[i].call];
	if (n >= ENOUGH)
		usual = saturate_whole(stats_quantile(v, n, 0.5));
	free(v);
	return usual;
}

static struct saying ask(struct launches *l, bool is_streams)
{
	struct saying say = { 0 };
	size_t at = 0;

	count(l, is_streams);
	for (size_t i = 0; i < l->n; i++)
		say.depth = MAX(say.depth, l->begun[i].left);
	l->usual = say.usual = usual_far_from(l, say.depth);
	for (size_t i = 0; i < l->n; i++) {
		const struct entry *e = &l->begun[i];

		at += is_at(e, say.depth);
		if (!has_waited(l, e, say.depth))
			continue;
		say.held++;
		say.exact += say.depth - e->left <= EXACT;
	}
	if (say.depth < LEAST || say.held < ENOUGH || say.held * SHARE < at)
		say.held = 0;
	return say;
}

/* What each call waits for: what is not recorded takes room, too, so the bound varies, and is that
 * of the last call that waited. */
static void find_behind(struct launches *l)
{
	struct full_queue *q = l->q;
	const struct run *r = l->run;
	size_t depth = q->depth;

	for (size_t i = 0; i < l->n; i++) {
		const struct entry *e = &l->begun[i];
		uint32_t side = r->events.args[e->call] - 1;

		if (has_waited(l, e, q->depth)) {
			depth = e->left;
			q->is_held[side] = true;
			q->held++;
			saturate_onto(&q->held_ns, saturate_sub(r->events.dur[e->call], q->usual));
		}
		if (i >= e->first + depth)
			q->behind[side] = l->ended[i - depth].work;
	}
}

/* Whether each GPU has one stream, so that their bounds are one. */
static bool has_one_each(const struct run *r)
{
	const struct order *o = r->order;

	for (size_t i = 1; i < o->ndevice_lane; i++)
		if (r->lanes.lane[o->device_lane[i]].device ==
			r->lanes.lane[o->device_lane[i - 1]].device)
			return false;
	return true;
}

static void look(struct full_queue *q, const struct run *r, struct arena *mem)
{
	struct launches l = { .run = r, .q = q };

	gather(&l);
	struct saying stream = ask(&l, true);
	struct saying gpu = has_one_each(r) ? stream : ask(&l, false);
	q->is_streams = stream.held > 0 && (gpu.held == 0 || stream.exact >= gpu.exact);
	const struct saying *say = q->is_streams ? &stream : &gpu;
	if (say->held > 0) {
		q->depth = (uint32_t)say->depth;
		q->usual = l.usual = say->usual;
		q->behind = arena_array(mem, r->args.n[ARGS_LAUNCH], sizeof(*q->behind));
		q->is_held = arena_array(mem, r->args.n[ARGS_LAUNCH], sizeof(*q->is_held));
		FILL(q->behind, r->args.n[ARGS_LAUNCH], NO_ROW);
		count(&l, q->is_streams);
		find_behind(&l);
	}
	FREE_ALL(l.begun, l.ended);
}

void full_queue_init(struct full_queue *q, const struct run *r, struct arena *mem)
{
	*q = (struct full_queue){ .usual = shortest_calls(r) };
	if (may_be_full(q, r))
		look(q, r, mem);
}

bool full_queue_held(const struct full_queue *q, const struct run *r, uint32_t row)
{
	return q->is_held && r->events.args[row] != NO_ARGS && q->is_held[r->events.args[row] - 1];
}
