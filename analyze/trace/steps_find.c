/* What marks steps: ProfilerStep#N, else an annotation that repeats and has most of the run in it,
 * else nothing. */
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "analyze/trace/serving.h"
#include "analyze/trace/steps_parts.h"
#include "base/base.h"

#define STEP_PREFIX "ProfilerStep#"
enum { STEP_DIGITS_MAX = 18 };

/* N of "ProfilerStep#N", or -1 for any other text. */
static int64_t step_number(struct span name)
{
	size_t i = sizeof(STEP_PREFIX) - 1;
	int64_t n = 0;

	if (!span_starts(name, STEP_PREFIX) || name.n == i || name.n > i + STEP_DIGITS_MAX)
		return -1;
	for (; i < name.n; i++) {
		if (name.p[i] < '0' || name.p[i] > '9')
			return -1;
		n = n * 10 + (name.p[i] - '0');
	}
	return n;
}

static void add_step(
	const struct run *r, struct steps *s, size_t *cap, uint32_t row, int64_t number)
{
	const struct events *ev = &r->events;

	s->step = array_grow(s->step, cap, s->n + 1, sizeof(*s->step));
	s->step[s->n++] = (struct step){
		.number = number,
		.mark_plus_1 = row + 1,
		.start = ev->start[row],
		.end = events_end(ev, row),
		.host_start = ev->start[row],
		.host_end = events_end(ev, row),
		.incomplete = ev->flags[row] & (EVENT_UNFINISHED | EVENT_CUT) ? STEP_IS_CUT_OFF
									      : STEP_IS_WHOLE,
		.ndevice = -1,
	};
}

static sym process_of(const struct run *r, const struct step *s)
{
	return r->lanes.lane[r->events.lane[s->mark_plus_1 - 1]].pid;
}

/* Each of several processes marks its own: those of the one whose steps take longest stay, as a
 * job's step is as long as its slowest rank's. */
static void keep_a_process(const struct run *r, struct steps *s)
{
	nsec *ns = zeroed(r->strings.n, sizeof(*ns));
	size_t n = 0;

	for (EACH(const struct step, step, s->step, s->n))
		saturate_onto(&ns[process_of(r, step)], saturate_sub(step->end, step->start));
	sym best = s->n > 0 ? process_of(r, &s->step[0]) : 0;
	for (EACH(const struct step, step, s->step, s->n))
		if (ns[process_of(r, step)] > ns[best])
			best = process_of(r, step);
	for (size_t i = 0; i < s->n; i++)
		if (process_of(r, &s->step[i]) == best)
			s->step[n++] = s->step[i];
	s->others = s->n - n;
	s->n = n;
	free(ns);
}

ORDER(by_start, struct step, compare3(a->start, b->start), compare3(b->end, a->end),
	compare3(a->mark_plus_1, b->mark_plus_1))

/* The steps the PyTorch profiler marked; none when it marked none. */
void steps_find_profiler(const struct run *r, struct steps *s)
{
	const struct events *ev = &r->events;
	uint8_t *is_step = zeroed(r->strings.n, sizeof(*is_step));
	size_t found = 0, cap = 0;

	for (size_t i = 0; i < r->strings.n; i++) {
		is_step[i] = step_number(r->strings.text[i]) >= 0;
		found += is_step[i];
	}
	for (size_t i = 0; found > 0 && i < ev->n; i++)
		if (UNLIKELY(is_step[ev->name[i]]) &&
			(ev->kind[i] == KIND_OP || ev->kind[i] == KIND_ANNOTATION))
			add_step(r, s, &cap, (uint32_t)i, step_number(run_name(r, i)));
	free(is_step);
	sort_rows(s->step, s->n, sizeof(*s->step), by_start);
	keep_a_process(r, s);
}

/* The longest part of a name that is looked at for repetition. */
enum { PATTERN_MAX = 256 };

/* The name with every run of digits as one '#': "batch 12" and "batch 7" are one pattern.  Batches
 * of one server are, whatever they do. */
static sym pattern_of(struct strings *patterns, struct span name)
{
	struct span family = serving_family(name);
	char text[PATTERN_MAX];
	size_t n = 0;

	if (family.n > 0)
		return strings_intern(patterns, family);

	for (size_t i = 0; i < name.n && n < sizeof(text); i++) {
		bool digit = name.p[i] >= '0' && name.p[i] <= '9';

		if (!digit)
			text[n++] = name.p[i];
		else if (n == 0 || text[n - 1] != '#')
			text[n++] = '#';
	}
	return strings_intern(patterns, (struct span){ text, n });
}

/* An annotation makes steps when it occurs this often ... */
enum { REPEATS_MIN = 3 };
/* ... and this share of the device's time, or of the host's, is in it. */
static const double COVER_MIN = 0.8;
/* Of annotations that repeat, so many are looked at, the longest in sum first. */
enum { CANDIDATES = 8 };

/* One pattern on one lane: how often, and for how long.  What is inside of another is not counted.
 */
struct repeat {
	uint32_t lane; /* the lane the other fields are about */
	sym pattern;
	int64_t count;
	nsec cover, end;
};

struct search {
	const struct run *run;
	struct strings patterns;
	struct repeat *repeat; /* by pattern */
	size_t cap;
	struct repeat best[CANDIDATES]; /* most time first */
	nsec first, last;               /* of the host's slices */
};

/* Puts what is known of a pattern where it belongs; its own older entry goes. */
static void keep_best(struct search *q, struct repeat x)
{
	size_t i = 0;

	for (size_t k = 0; k < CANDIDATES; k++)
		if (q->best[k].count > 0 && q->best[k].lane == x.lane &&
			q->best[k].pattern == x.pattern)
			q->best[k] = (struct repeat){ 0 };
	for (size_t k = 0; k < CANDIDATES; k++)
		if (q->best[k].count > 0)
			q->best[i++] = q->best[k];
	for (; i < CANDIDATES; i++)
		q->best[i] = (struct repeat){ 0 };
	for (i = 0; i < CANDIDATES; i++) {
		struct repeat old = q->best[i];

		if (old.count > 0 && x.cover <= old.cover)
			continue;
		q->best[i] = x;
		x = old;
	}
}

static void count_one(struct search *q, uint32_t lane, uint32_t row)
{
	const struct events *ev = &q->run->events;
	sym p = pattern_of(&q->patterns, run_name(q->run, row));
	size_t old = q->cap;

	q->repeat = array_grow(q->repeat, &q->cap, p + 1, sizeof(*q->repeat));
	for (; old < q->cap; old++)
		q->repeat[old].lane = NO_ROW;
	struct repeat *r = &q->repeat[p];
	if (r->lane != lane)
		*r = (struct repeat){ .lane = lane, .pattern = p, .end = INT64_MIN };
	if (ev->start[row] < r->end)
		return;
	r->count++;
	r->end = events_end(ev, row);
	saturate_onto(&r->cover, ev->dur[row]);
}

static void search_lane(struct search *q, uint32_t lane)
{
	const struct run *r = q->run;
	size_t begin = r->order->host_begin[lane], end = r->order->host_begin[lane + 1];

	for (size_t i = begin; i < end; i++) {
		uint32_t row = r->order->host[i];
		nsec row_end = events_end(&r->events, row);

		q->first = MIN(r->events.start[row], q->first);
		q->last = MAX(row_end, q->last);
		if (r->events.kind[row] == KIND_ANNOTATION)
			count_one(q, lane, row);
	}
	size_t known = q->patterns.n;
	for (size_t i = 0; i < known && i < q->cap; i++)
		if (q->repeat[i].lane == lane && q->repeat[i].count >= REPEATS_MIN)
			keep_best(q, q->repeat[i]);
}

static void add_steps(struct search *q, const struct repeat *best, struct steps *s)
{
	const struct run *r = q->run;
	size_t i = r->order->host_begin[best->lane], cap = 0;
	size_t end = r->order->host_begin[best->lane + 1];
	nsec last = INT64_MIN;

	s->n = 0;
	for (; i < end; i++) {
		uint32_t row = r->order->host[i];

		if (r->events.kind[row] != KIND_ANNOTATION || r->events.start[row] < last ||
			pattern_of(&q->patterns, run_name(r, row)) != best->pattern)
			continue;
		last = events_end(&r->events, row);
		add_step(r, s, &cap, row, (int64_t)s->n);
	}
}

/* Whether most of the device's work was launched in the steps; *known: there is such work. */
static bool have_most_work(const struct run *r, const struct steps *s, bool *known)
{
	size_t n = r->order->device_begin[r->lanes.n];
	nsec all = 0, inside = 0;
	uint32_t last = NO_ROW;

	for (size_t i = 0; r->links && i < n; i++) {
		uint32_t row = r->order->device[i], launch = launch_of_row(r, row);

		if (launch == NO_ROW)
			continue;
		saturate_onto(&all, r->events.dur[row]);
		last = steps_near(s, r->events.start[launch], last);
		if (last != NO_ROW)
			saturate_onto(&inside, r->events.dur[row]);
	}
	*known = all > 0;
	return (double)inside >= COVER_MIN * (double)all;
}

static bool are_steps(const struct search *q, const struct repeat *x, const struct steps *s)
{
	double span = (double)q->last - (double)q->first;
	bool known, most = have_most_work(q->run, s, &known);

	return known ? most : (double)x->cover >= COVER_MIN * span;
}

void steps_find_annotation(const struct run *r, struct steps *s)
{
	struct search q = { .run = r, .first = INT64_MAX, .last = INT64_MIN };

	if (r->kind_count[KIND_ANNOTATION] < REPEATS_MIN)
		return;
	strings_init(&q.patterns, 0);
	for (uint32_t lane = 0; lane < r->lanes.n; lane++)
		search_lane(&q, lane);
	for (size_t i = 0; i < CANDIDATES && q.best[i].count > 0; i++) {
		add_steps(&q, &q.best[i], s);
		if (are_steps(&q, &q.best[i], s))
			break;
		free(s->step);
		s->step = NULL;
		s->n = 0;
	}
	free(q.repeat);
	strings_clear(&q.patterns);
}

/* First start and last end of what is recorded; false when nothing is. */
static bool span_of_all(const struct run *r, nsec *first, nsec *last)
{
	const struct events *ev = &r->events;

	*first = r->first_ns;
	*last = r->last_ns;
	for (size_t i = 0; r->first_ns > r->last_ns && i < ev->n; i++) {
		*first = MIN(ev->start[i], *first);
		*last = MAX(events_end(ev, i), *last);
	}
	return *first <= *last;
}

/* From the first launch, or the first work where none is known, to the end of the last work. */
static bool span_of_work(const struct run *r, nsec *first, nsec *last)
{
	size_t n = r->order->device_begin[r->lanes.n];

	for (size_t i = 0; i < n; i++) {
		uint32_t row = r->order->device[i];
		uint32_t launch = r->links ? launch_of_row(r, row) : NO_ROW;
		nsec start = r->events.start[launch == NO_ROW ? row : launch];
		nsec end = events_end(&r->events, row);

		if (i == 0 || start < *first)
			*first = start;
		if (i == 0 || end > *last)
			*last = end;
	}
	return n > 0;
}

void steps_take_whole(const struct run *r, struct steps *s)
{
	nsec first, last;

	if (!span_of_work(r, &first, &last) && !span_of_all(r, &first, &last))
		return;
	s->step = zeroed(1, sizeof(*s->step));
	s->step[s->n++] = (struct step){
		.start = first, .end = last, .host_start = first, .host_end = last, .ndevice = -1
	};
}
