/*
 * Steps: ProfilerStep#N, else the annotation that repeats at the top of its thread and covers most
 * of the host's time, else the whole trace.
 *
 * `name` is the sym of the first step's event: a finished run takes no new names.
 */
#include "analyze/trace/steps.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/trace/links.h"
#include "analyze/trace/order.h"
#include "analyze/trace/run.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "base/zeroed.h"

/* An annotation makes steps when it occurs this often ... */
enum { REPEATS_MIN = 3 };
/* ... and covers at least this share of the host's span. */
static const double COVER_MIN = 0.5;
/* A step with fewer device events than this share of the step before is cut off (tb_plugin). */
static const double COMPLETE_MIN = 0.8;

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
		.row = row,
		.lane = ev->lane[row],
		.start = ev->start[row],
		.end = events_end(ev, row),
		.incomplete = (ev->flags[row] & (EVENT_UNFINISHED | EVENT_CUT)) != 0,
		.ndevice = -1,
	};
}

static int by_start(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* The steps the PyTorch profiler marked; none when it marked none. */
static void find_profiler_steps(const struct run *r, struct steps *s)
{
	const struct events *ev = &r->events;
	uint8_t *is_step = zeroed(r->strings.n, sizeof(*is_step));
	size_t found = 0, cap = 0, i;

	for (i = 0; i < r->strings.n; i++) {
		is_step[i] = step_number(r->strings.text[i]) >= 0;
		found += is_step[i];
	}
	for (i = 0; found > 0 && i < ev->n; i++)
		if (UNLIKELY(is_step[ev->name[i]]) &&
			(ev->kind[i] == KIND_OP || ev->kind[i] == KIND_ANNOTATION))
			add_step(r, s, &cap, (uint32_t)i, step_number(run_name(r, i)));
	free(is_step);
	if (s->n > 1)
		qsort(s->step, s->n, sizeof(*s->step), by_start);
}

/* The longest part of a name that is looked at for repetition. */
enum { PATTERN_MAX = 256 };

/* The name with every run of digits as one '#': "execute_12(3)" and "execute_7(40)" are one
 * pattern. */
static sym pattern_of(struct strings *patterns, struct span name)
{
	char text[PATTERN_MAX];
	size_t n = 0, i;

	for (i = 0; i < name.n && n < sizeof(text); i++) {
		bool digit = name.p[i] >= '0' && name.p[i] <= '9';

		if (!digit)
			text[n++] = name.p[i];
		else if (n == 0 || text[n - 1] != '#')
			text[n++] = '#';
	}
	return strings_intern(patterns, (struct span){ text, n });
}

/* One pattern at the top of one lane: how often, and for how long. */
struct repeat {
	uint32_t lane; /* the lane the other fields are about */
	sym pattern;
	int64_t count;
	nsec cover;
};

struct search {
	const struct run *run;
	struct strings patterns;
	struct repeat *repeat; /* by pattern */
	size_t cap;
	struct repeat best;
	nsec first, last; /* of the host tree */
};

static nsec sum(nsec a, nsec b)
{
	nsec r;

	return add_overflows(a, b, &r) ? INT64_MAX : r;
}

static void count_top(struct search *q, uint32_t lane, uint32_t row)
{
	sym p = pattern_of(&q->patterns, run_name(q->run, row));
	size_t old = q->cap;
	struct repeat *r;

	q->repeat = array_grow(q->repeat, &q->cap, p + 1, sizeof(*q->repeat));
	for (; old < q->cap; old++)
		q->repeat[old].lane = NO_ROW;
	r = &q->repeat[p];
	if (r->lane != lane)
		*r = (struct repeat){ .lane = lane, .pattern = p };
	r->count++;
	r->cover = sum(r->cover, q->run->events.dur[row]);
	if (r->count >= REPEATS_MIN && r->cover > q->best.cover)
		q->best = *r;
}

/* The first row at or behind i of a lane's host order that no slice is around; *root: the last
 * such. */
static size_t next_top(const struct run *r, size_t i, size_t end, nsec *root_end)
{
	const struct events *ev = &r->events;

	for (; i < end; i++) {
		uint32_t row = r->order->host[i];
		nsec row_end = events_end(ev, row);

		if (ev->start[row] >= *root_end || row_end > *root_end) {
			*root_end = row_end;
			break;
		}
	}
	return i;
}

static void search_lane(struct search *q, uint32_t lane)
{
	const struct run *r = q->run;
	size_t begin = r->order->host_begin[lane], end = r->order->host_begin[lane + 1], i;
	nsec root_end = INT64_MIN;

	if (begin < end && r->events.start[r->order->host[begin]] < q->first)
		q->first = r->events.start[r->order->host[begin]];
	for (i = begin; (i = next_top(r, i, end, &root_end)) < end; i++)
		if (r->events.kind[r->order->host[i]] == KIND_ANNOTATION)
			count_top(q, lane, r->order->host[i]);
	if (root_end > q->last)
		q->last = root_end;
}

/* The steps a repeating annotation marks; none when no annotation does. */
static void find_annotation_steps(const struct run *r, struct steps *s)
{
	struct search q = { .run = r, .first = INT64_MAX, .last = INT64_MIN };
	uint32_t lane;

	strings_init(&q.patterns, 0);
	for (lane = 0; lane < r->lanes.n; lane++)
		search_lane(&q, lane);
	if (q.best.count >= REPEATS_MIN &&
		(double)q.best.cover >= COVER_MIN * ((double)q.last - (double)q.first)) {
		size_t i = r->order->host_begin[q.best.lane], cap = 0;
		size_t end = r->order->host_begin[q.best.lane + 1];
		nsec root_end = INT64_MIN;

		for (; (i = next_top(r, i, end, &root_end)) < end; i++) {
			uint32_t row = r->order->host[i];

			if (r->events.kind[row] == KIND_ANNOTATION &&
				pattern_of(&q.patterns, run_name(r, row)) == q.best.pattern)
				add_step(r, s, &cap, row, (int64_t)s->n);
		}
	}
	free(q.repeat);
	strings_clear(&q.patterns);
}

/* The whole trace as one step; none when no slice is in it. */
static void take_whole(const struct run *r, struct steps *s)
{
	const struct events *ev = &r->events;
	nsec first = r->first_ns, last = r->last_ns;
	size_t i;

	for (i = 0; r->first_ns > r->last_ns && i < ev->n; i++) {
		first = ev->start[i] < first ? ev->start[i] : first;
		last = events_end(ev, i) > last ? events_end(ev, i) : last;
	}
	if (first > last)
		return;
	s->step = zeroed(1, sizeof(*s->step));
	s->step[s->n++] = (struct step){
		.row = NO_ROW, .lane = NO_ROW, .start = first, .end = last, .ndevice = -1
	};
}

/* Kinds whose rows are in the device side table (args_table_of). */
#define KINDS_DEVICE_ARGS (KINDS_DEVICE | KIND_BIT(KIND_SYNC) | KIND_BIT(KIND_GPU_ANNOTATION))

/* The step of a device event: by its launch, else by its own start.  last: the answer before. */
static uint32_t step_of(const struct run *r, const struct steps *s, size_t row, uint32_t last)
{
	uint32_t side = r->events.args[row], by = (uint32_t)row;

	if (s->source == STEPS_WHOLE)
		return s->n > 0 ? 0 : NO_ROW;
	if (r->links && side != NO_ARGS && r->links->launch[side - 1] != NO_ROW)
		by = r->links->launch[side - 1];
	return steps_near(s, r->events.start[by], last);
}

static void assign_device(const struct run *r, struct steps *s)
{
	const struct events *ev = &r->events;
	uint32_t at = NO_ROW;
	size_t i;

	s->of_device = zeroed(r->args.n[ARGS_DEVICE], sizeof(*s->of_device));
	memset(s->of_device, 0xff, r->args.n[ARGS_DEVICE] * sizeof(*s->of_device));
	for (i = 0; r->links && i < s->n; i++)
		s->step[i].ndevice = 0;
	for (i = 0; i < ev->n; i++) {
		if (!(KIND_BIT(ev->kind[i]) & KINDS_DEVICE_ARGS))
			continue;
		at = step_of(r, s, i, at);
		if (ev->args[i] != NO_ARGS)
			s->of_device[ev->args[i] - 1] = at;
		if (r->links && at != NO_ROW && kind_is_device((enum kind)ev->kind[i]))
			s->step[at].ndevice++;
	}
}

/*
 * The profiler may stop before the last steps' device work is recorded: trailing steps without any,
 * and the last one with clearly less than the one before it.
 * Source: tb_plugin, event_parser.py, StepParser._update_steps_duration.
 */
static void mark_incomplete(struct steps *s)
{
	size_t last = s->n;

	while (last > 0 && s->step[last - 1].ndevice == 0)
		last--;
	if (last == 0)
		return;
	if (last > 1 &&
		(double)s->step[last - 2].ndevice * COMPLETE_MIN >
			(double)s->step[last - 1].ndevice)
		s->step[last - 1].incomplete = true;
	for (; last < s->n; last++)
		s->step[last].incomplete = true;
}

struct steps *steps_build(const struct run *r)
{
	struct steps *s = zeroed(1, sizeof(*s));

	find_profiler_steps(r, s);
	if (s->n == 0) {
		s->source = STEPS_ANNOTATION;
		find_annotation_steps(r, s);
	}
	if (s->n == 0) {
		s->source = STEPS_WHOLE;
		take_whole(r, s);
	}
	if (s->n > 0 && s->step[0].row != NO_ROW)
		s->name = r->events.name[s->step[0].row];
	assign_device(r, s);
	if (r->links)
		mark_incomplete(s);
	return s;
}

void steps_free(struct steps *s)
{
	if (!s)
		return;
	free(s->step);
	free(s->of_device);
	free(s);
}

size_t steps_begun(const struct steps *s, nsec t)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->step[middle].start <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t steps_at(const struct steps *s, nsec t)
{
	size_t n = steps_begun(s, t);

	return n > 0 && t < s->step[n - 1].end ? (uint32_t)n - 1 : NO_ROW;
}

bool steps_number_at(const struct steps *s, nsec t, int64_t *number)
{
	uint32_t at = s && s->source != STEPS_WHOLE ? steps_at(s, t) : NO_ROW;

	if (at == NO_ROW)
		return false;
	*number = s->step[at].number;
	return true;
}

uint32_t steps_near(const struct steps *s, nsec t, uint32_t last)
{
	if (last < s->n && t >= s->step[last].start && t < s->step[last].end &&
		(last + 1 == s->n || t < s->step[last + 1].start))
		return last;
	return steps_at(s, t);
}
