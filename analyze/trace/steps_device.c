/* Steps and the device: which work belongs to which step, which step is cut off, and where steps
 * begin on a device that the host runs ahead of. */
#include "analyze/trace/commname.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "analyze/trace/steps_parts.h"
#include "base/base.h"

/* A step with fewer device events than this share of the step before is cut off (tb_plugin). */
static const double COMPLETE_MIN = 0.8;
/* Some calls named as launches launch nothing, as many in each step; of the others so much may be
 * lost of a step that is whole. */
static const double LOST_MAX = 0.05;

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

/* By step: how many calls of it launched what is not in the trace. */
static int64_t *lost_of(const struct run *r, const struct steps *s)
{
	int64_t *lost = zeroed(s->n, sizeof(*lost));
	uint32_t at = NO_ROW;

	for (EACH(const uint32_t, row, r->links->without_device, r->links->nwithout_device)) {
		at = steps_near(s, r->events.start[*row], at);
		if (at != NO_ROW)
			lost[at]++;
	}
	return lost;
}

/* Whether a step lost more of its work than steps do that are whole. */
static bool is_cut_off(const struct step *step, int64_t lost, int64_t least)
{
	return (double)(lost - least) > LOST_MAX * (double)(lost + step->ndevice);
}

/* The first of the last steps that are cut off.  last: behind the last one with device work. */
static size_t find_cut_off(const struct run *r, const struct steps *s, size_t last)
{
	int64_t *lost = lost_of(r, s), least = INT64_MAX;

	for (size_t i = 0; i < s->n; i++)
		least = MIN(least, lost[i]);
	while (last > 0 &&
		(s->step[last - 1].incomplete == STEP_IS_CUT_OFF ||
			is_cut_off(&s->step[last - 1], lost[last - 1], least)))
		last--;
	free(lost);
	return last;
}

/* The profiler may stop before the last steps' device work is recorded: trailing steps without any,
 * and the last one with clearly less than the one before it.
 * Source: tb_plugin, event_parser.py, StepParser._update_steps_duration. */
void steps_mark_incomplete(const struct run *r, struct steps *s)
{
	size_t last = s->n;

	while (last > 0 && s->step[last - 1].ndevice == 0)
		last--;
	if (last == 0)
		return;
	if (last > 1 &&
		(double)s->step[last - 2].ndevice * COMPLETE_MIN >
			(double)s->step[last - 1].ndevice &&
		s->step[last - 1].incomplete == STEP_IS_WHOLE)
		s->step[last - 1].incomplete = STEP_LOOKS_CUT_OFF;
	for (last = find_cut_off(r, s, last); last < s->n; last++)
		s->step[last].incomplete = STEP_IS_CUT_OFF;
}

/* The host runs ahead when steps' first work waits longer than this part of a step. */
enum { AHEAD_PART = 10 };

/* The first work that a step launched on the busiest stream, and the end of all it launched. */
struct work {
	nsec start, end, launch;
	uint32_t row;
	bool is_there;
};

/* Work of a step; false: it is of none, or its launch is not known. */
static bool is_of_step(
	const struct run *r, const struct steps *s, uint32_t row, uint32_t *step, uint32_t *launch)
{
	uint32_t side = r->events.args[row];

	if (side == NO_ARGS)
		return false;
	*launch = r->links->launch[side - 1];
	*step = s->of_device[side - 1];
	return *launch != NO_ROW && *step != NO_ROW;
}

/* What a lane has of work in steps, ns. */
struct load {
	nsec compute, kernels, all;
};

/* The sums of a lane; the ends of steps' work are noted.  known: of names of kernels, by sym: 0:
 * not asked yet, 1: it is a collective, 2: it is none. */
static struct load load_of(
	const struct run *r, const struct steps *s, uint32_t lane, uint8_t *known, struct work *w)
{
	const struct events *ev = &r->events;
	struct load sum = { 0 };
	uint32_t step, launch;

	for (size_t k = r->order->device_begin[lane]; k < r->order->device_begin[lane + 1]; k++) {
		uint32_t row = r->order->device[k];

		if (!is_of_step(r, s, row, &step, &launch))
			continue;
		w[step].end = MAX(events_end(ev, row), w[step].end);
		saturate_onto(&sum.all, ev->dur[row]);
		if (ev->kind[row] != KIND_KERNEL)
			continue;
		saturate_onto(&sum.kernels, ev->dur[row]);
		uint8_t *is = &known[ev->name[row]];
		if (!*is)
			*is = commname_of(run_name(r, row)) == COMMNAME_COMM ? 1 : 2;
		if (*is == 2)
			saturate_onto(&sum.compute, ev->dur[row]);
	}
	return sum;
}

/* Of collectives alone: they wait for others. */
static int by_load(const struct load *a, const struct load *b)
{
	return COMPARE_BY(compare3(a->compute, b->compute), compare3(a->kernels, b->kernels),
		compare3(a->all, b->all));
}

/* What of a step's work on a lane begins first. */
static void find_work(const struct run *r, const struct steps *s, uint32_t lane, struct work *w)
{
	uint32_t step, launch;

	for (size_t k = r->order->device_begin[lane]; k < r->order->device_begin[lane + 1]; k++) {
		uint32_t row = r->order->device[k];
		nsec start = r->events.start[row];

		if (!is_of_step(r, s, row, &step, &launch) ||
			(w[step].is_there && start >= w[step].start))
			continue;
		w[step].start = start;
		w[step].launch = r->events.start[launch];
		w[step].row = row;
		w[step].is_there = true;
	}
}

ORDER(by_value, int64_t, compare3(*a, *b))

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

/* Whether the median step's first work waits for more than a tenth of the median step, while work
 * of steps before it runs; *wait: the median.  What it waits for besides, as for what another rank
 * sends, says nothing of how far the host is. */
static bool is_behind(const struct steps *s, const struct work *w, double *wait)
{
	int64_t *delay = zeroed(s->n, sizeof(*delay)), *dur = zeroed(s->n, sizeof(*dur));
	nsec before = INT64_MIN;
	size_t n = 0, ndur = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (w[i].is_there) {
			dur[ndur++] = saturate_sub(s->step[i].host_end, s->step[i].host_start);
			nsec until = MIN(before, w[i].start);
			if (ndur > 1)
				delay[n++] = MAX(saturate_sub(until, w[i].launch), 0);
		}
		before = MAX(before, w[i].end);
	}
	double step = median_of(dur, ndur);
	*wait = median_of(delay, n);
	FREE_ALL(delay, dur);
	return n > 0 && *wait * AHEAD_PART > step;
}

/* The host is ahead when the stream with the most computing is behind.  Work of other streams, a
 * prefetched batch, may start at once however far behind that one is. */
static bool runs_ahead(const struct run *r, struct steps *s, struct work *w)
{
	const struct order *o = r->order;
	uint8_t *known = zeroed(r->strings.n, sizeof(*known));
	uint32_t busiest = NO_ROW;
	struct load most = { 0 };

	for (size_t i = 0; i < o->ndevice_lane; i++) {
		struct load load = load_of(r, s, o->device_lane[i], known, w);

		if (busiest == NO_ROW || by_load(&load, &most) > 0) {
			busiest = o->device_lane[i];
			most = load;
		}
	}
	free(known);
	if (busiest == NO_ROW)
		return false;
	find_work(r, s, busiest, w);
	s->on_device = is_behind(s, w, &s->delay) || r->cuts_on_device;
	return s->on_device;
}

/* From the first work of each step on the busiest stream to that of the next; the last ends with
 * its work.  A step without work there, and one whose work begins no earlier than that of a later
 * step, has no length. */
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
		if (w[i].is_there && w[i].start < next) {
			next = w[i].start;
			x->first_plus_1 = w[i].row + 1;
		}
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
	struct work *w = zeroed(s->n, sizeof(*w));
	for (size_t i = 0; i < s->n; i++)
		w[i].end = INT64_MIN;
	if (runs_ahead(r, s, w))
		cut(s, w);
	free(w);
}
