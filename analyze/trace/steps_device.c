/*
 * Steps and the device: which work belongs to which step, which step is cut off, and where steps
 * begin on a device that the host runs ahead of.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "analyze/trace/steps_parts.h"
#include "base/compare3.h"
#include "base/saturate.h"
#include "base/zeroed.h"

/* A step with fewer device events than this share of the step before is cut off (tb_plugin). */
static const double COMPLETE_MIN = 0.8;

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

void steps_assign_device(const struct run *r, struct steps *s)
{
	const struct events *ev = &r->events;
	uint32_t at = NO_ROW;

	s->of_device = zeroed(r->args.n[ARGS_DEVICE], sizeof(*s->of_device));
	memset(s->of_device, 0xff, r->args.n[ARGS_DEVICE] * sizeof(*s->of_device));
	for (size_t i = 0; r->links && i < s->n; i++)
		s->step[i].ndevice = 0;
	for (size_t i = 0; i < ev->n; i++) {
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
void steps_mark_incomplete(struct steps *s)
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

/* The host runs ahead when steps' first work waits longer than this part of a step. */
enum { AHEAD_PART = 10 };

/* The first work that a step launched, and the end of the last. */
struct work {
	nsec start, end, launch;
	bool is_there;
};

static void add_work(struct work *w, nsec start, nsec end, nsec launch)
{
	if (!w->is_there || start < w->start) {
		w->start = start;
		w->launch = launch;
	}
	w->end = !w->is_there || end > w->end ? end : w->end;
	w->is_there = true;
}

/* By step: what it launched. */
static struct work *find_work(const struct run *r, const struct steps *s)
{
	struct work *w = zeroed(s->n, sizeof(*w));
	size_t n = r->order->device_begin[r->lanes.n];

	for (size_t i = 0; i < n; i++) {
		uint32_t row = r->order->device[i], side = r->events.args[row];
		uint32_t launch = side == NO_ARGS ? NO_ROW : r->links->launch[side - 1];
		uint32_t step = side == NO_ARGS ? NO_ROW : s->of_device[side - 1];

		if (launch != NO_ROW && step != NO_ROW)
			add_work(&w[step], r->events.start[row], events_end(&r->events, row),
				r->events.start[launch]);
	}
	return w;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return compare3(x, y);
}

/* Sorts v; NaN for none. */
static double median_of(int64_t *v, size_t n)
{
	if (n == 0)
		return NAN;
	qsort(v, n, sizeof(*v), by_value);
	size_t low = (n - 1) / 2;
	size_t high = n / 2;
	return ((double)v[low] + (double)v[high]) / 2;
}

/* Whether the median step's first work waits for more than a tenth of the median step. */
static bool runs_ahead(struct steps *s, const struct work *w)
{
	int64_t *delay = zeroed(s->n, sizeof(*delay)), *dur = zeroed(s->n, sizeof(*dur));
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (!w[i].is_there)
			continue;
		dur[n] = saturate_sub(s->step[i].host_end, s->step[i].host_start);
		delay[n++] = saturate_sub(w[i].start, w[i].launch);
	}
	double step = median_of(dur, n);
	s->delay = median_of(delay, n);
	free(delay);
	free(dur);
	return n >= 2 && s->delay * AHEAD_PART > step;
}

/*
 * From the first work of each step to that of the next; the last ends with its work.  A step
 * without work, and one whose work begins no earlier than that of a later step, has no length.
 */
static void cut(struct steps *s, const struct work *w)
{
	nsec next = INT64_MIN;

	for (size_t i = s->n; i-- > 0;) {
		struct step *x = &s->step[i];

		if (next == INT64_MIN && !w[i].is_there)
			continue;
		if (next == INT64_MIN)
			next = w[i].end;
		x->end = next;
		next = w[i].is_there && w[i].start < next ? w[i].start : next;
		x->start = next;
	}
	for (size_t i = 1; i < s->n; i++)
		if (!w[i].is_there)
			s->step[i].start = s->step[i].end = s->step[i - 1].end;
}

void steps_cut_on_device(const struct run *r, struct steps *s)
{
	s->delay = NAN;
	if (s->source == STEPS_WHOLE || s->n < 2)
		return;
	struct work *w = find_work(r, s);
	s->on_device = runs_ahead(s, w);
	if (s->on_device)
		cut(s, w);
	free(w);
}
