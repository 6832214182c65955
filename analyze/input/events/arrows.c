/* Arrows: kept while reading, and tied to slices by one sweep over threads and times. */
#include "analyze/input/events/arrows.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analyze/input/events/raw.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/run.h"

/* Kineto's: its ids are correlations, which calls and work have, too. */
static const char kineto[] = "ac2g|async|fwdbwd|async_gpu";

bool arrow_of(struct arrow *a, const struct raw_event *raw, uint64_t seed)
{
	*a = (struct arrow){ .begins = raw->ph == 's', .row = NO_ROW };
	if (!raw_has(raw, RAW_ID | RAW_CAT | RAW_TS) || span_in_nocase(raw->cat, kineto) ||
		!num_ns(raw->ts, &a->at))
		return false;
	a->key = XXH3_64bits_withSeed(raw->id.p, raw->id.n, seed);
	a->key = XXH3_64bits_withSeed(raw->cat.p, raw->cat.n, a->key);
	a->key = XXH3_64bits_withSeed(raw_name(raw).p, raw_name(raw).n, a->key);
	return true;
}

/* ---- which slice an end is of ---- */

/* So many slices around an end are looked at. */
enum { MOST_AROUND = 64 };

/* A slice that arrows may begin or end at. */
struct target {
	sym pid, tid;
	nsec start, end;
	uint32_t row;
	enum kind kind;
};

ORDER(by_thread_start, struct target, compare3(a->pid, b->pid), compare3(a->tid, b->tid),
	compare3(a->start, b->start), compare3(b->end, a->end), compare3(a->row, b->row))

ORDER(by_thread_time, struct arrow, compare3(a->pid, b->pid), compare3(a->tid, b->tid),
	compare3(a->at, b->at), compare3(a->key, b->key), b->begins - a->begins)

ORDER(by_key_time, struct arrow, compare3(a->key, b->key), compare3(a->at, b->at),
	b->begins - a->begins, compare3(a->row, b->row))

static bool can_begin(enum kind k)
{
	return k == KIND_RUNTIME || k == KIND_OP || k == KIND_ANNOTATION;
}

static struct target *list_targets(const struct run *run, size_t *n)
{
	const struct events *ev = &run->events;
	struct target *v = xcalloc(ev->n, sizeof(*v));

	*n = 0;
	for (size_t i = 0; i < ev->n; i++) {
		const struct lane *l = &run->lanes.lane[ev->lane[i]];
		enum kind k = (enum kind)ev->kind[i];

		if (kind_is_device(k) || can_begin(k))
			v[(*n)++] = (struct target){ l->pid, l->tid, ev->start[i],
				events_end(ev, i), (uint32_t)i, k };
	}
	return v;
}

/* Of those that are open, the outermost first: the innermost call, else op; or the innermost work.
 */
static uint32_t choose(const struct target *open, size_t depth, const struct arrow *a)
{
	size_t least = depth > MOST_AROUND ? depth - MOST_AROUND : 0;
	uint32_t op = NO_ROW;

	for (size_t i = depth; i-- > least;) {
		const struct target *t = &open[i];

		if (t->end <= a->at && t->start < a->at)
			continue;
		if (a->begins ? t->kind == KIND_RUNTIME : kind_is_device(t->kind))
			return t->row;
		if (a->begins && op == NO_ROW && can_begin(t->kind))
			op = t->row;
	}
	return op;
}

/* Closes what is over.  A slice is open at its own start, however short it is. */
static size_t close_before(const struct target *open, size_t depth, nsec at)
{
	while (depth > 0 && open[depth - 1].end <= at && open[depth - 1].start < at)
		depth--;
	return depth;
}

/* Finds the slices of ends that have none yet.  Both are sorted by thread and time. */
static void find_rows(struct arrows *a, const struct target *target, size_t n)
{
	struct target *open = xcalloc(n, sizeof(*open));
	size_t depth = 0, next = 0;

	for (EACH(struct arrow, arrow, a->v, a->n)) {
		for (; next < n; next++) {
			const struct target *t = &target[next];
			int where = compare3(t->pid, arrow->pid);

			where = where ? where : compare3(t->tid, arrow->tid);
			if (where > 0 || (where == 0 && t->start > arrow->at))
				break;
			if (depth > 0 && (open[0].pid != t->pid || open[0].tid != t->tid))
				depth = 0;
			depth = close_before(open, depth, t->start);
			open[depth++] = *t;
		}
		if (depth > 0 && (open[0].pid != arrow->pid || open[0].tid != arrow->tid))
			depth = 0;
		depth = close_before(open, depth, arrow->at);
		if (arrow->row == NO_ROW)
			arrow->row = choose(open, depth, arrow);
	}
	free(open);
}

/* Once thread by thread; then for ends whose thread is not that of any work (rocprof's have tid 0),
 * process by process. */
static void find_all_rows(struct arrows *a, const struct run *run)
{
	size_t n, devices = 0;
	struct target *target = list_targets(run, &n);

	qsort(target, n, sizeof(*target), by_thread_start);
	qsort(a->v, a->n, sizeof(*a->v), by_thread_time);
	find_rows(a, target, n);
	for (size_t i = 0; i < n; i++)
		if (kind_is_device(target[i].kind)) {
			target[devices] = target[i];
			target[devices++].tid = 0;
		}
	for (size_t i = 0; i < a->n; i++)
		a->v[i].tid = 0;
	qsort(target, devices, sizeof(*target), by_thread_start);
	qsort(a->v, a->n, sizeof(*a->v), by_thread_time);
	find_rows(a, target, devices);
	free(target);
}

/* ---- ids ---- */

struct tying {
	struct run *run;
	uint32_t last; /* the highest id that calls and ops have */
};

/* The place of an id among the arguments of a row, which gets some where it has none. */
static size_t side_of(struct run *run, uint32_t row)
{
	struct events *e = &run->events;

	if (e->args[row] == NO_ARGS)
		e->args[row] = args_row(&run->args, args_table_of((enum kind)e->kind[row]));
	return e->args[row] - 1;
}

static void find_last(struct tying *t, enum arg arg)
{
	const struct args *a = &t->run->args;

	for (size_t i = 0; a->col[arg].id && i < a->n[arg_infos[arg].table]; i++)
		if (!(a->col[arg].id[i] & ID_WIDE))
			t->last = MAX(t->last, a->col[arg].id[i]);
}

static void tie(struct tying *t, uint32_t from, uint32_t to)
{
	struct args *a = &t->run->args;
	bool is_call = t->run->events.kind[from] == KIND_RUNTIME;
	enum arg own = is_call ? ARG_LAUNCH_CORRELATION : ARG_OP_EXTERNAL_ID,
		 its = is_call ? ARG_DEVICE_CORRELATION : ARG_DEVICE_EXTERNAL_ID;
	size_t side = side_of(t->run, from);
	uint32_t id = a->col[own].id ? a->col[own].id[side] : 0;

	if (id == 0 && t->last + 1 == ID_WIDE)
		return;
	if (id == 0) {
		id = ++t->last;
		args_change(a, own, side, (union arg_value){ .id = id });
	}
	args_change(a, its, side_of(t->run, to), (union arg_value){ .id = id });
}

/* Ends of one key: work is of the last begin before it, else of the first. */
static void tie_key(struct tying *t, const struct arrow *v, size_t n)
{
	size_t first = FIRST(i, n, v[i].begins && v[i].row != NO_ROW);
	uint32_t from = first < n ? v[first].row : NO_ROW;

	for (size_t i = 0; i < n && from != NO_ROW; i++) {
		if (v[i].row == NO_ROW)
			continue;
		if (v[i].begins)
			from = v[i].row;
		else
			tie(t, from, v[i].row);
	}
}

void arrows_tie(struct arrows *a, struct run *run)
{
	struct tying t = { .run = run };
	const uint32_t *id = run->args.col[ARG_DEVICE_CORRELATION].id;
	size_t begin = 0;

	if (a->n == 0 || !args_keeps(&run->args, ARG_DEVICE_CORRELATION) ||
		(id && ANY(i, run->args.n[ARGS_DEVICE], id[i] != 0)))
		return;
	find_all_rows(a, run);
	find_last(&t, ARG_LAUNCH_CORRELATION);
	find_last(&t, ARG_OP_EXTERNAL_ID);
	qsort(a->v, a->n, sizeof(*a->v), by_key_time);
	for (size_t i = 1; i <= a->n; i++)
		if (i == a->n || a->v[i].key != a->v[begin].key) {
			tie_key(&t, &a->v[begin], i - begin);
			begin = i;
		}
	run->has_arrows = true;
}
