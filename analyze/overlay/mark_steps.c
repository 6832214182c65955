/* Marks of steps: their ranges, and how busy devices are in each. */
#include "analyze/overlay/mark_work.h"
#include "analyze/measure/place_id.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/base.h"

enum { MARKS_OF_STEP = 4, DEVICES_COUNTED = 64 };

static struct span name_of(struct marking *k, const struct step *s)
{
	if (k->run->steps->source == STEPS_WHOLE)
		return SPAN("the whole run");
	return span_of(arena_printf(k->mem, "step %" PRId64, s->number));
}

static struct mark *add_range(
	struct marking *k, const struct step *s, const char *lane, nsec start, nsec end)
{
	struct mark *m = marking_add(k);

	m->lane = lane;
	m->name = name_of(k, s);
	m->start = start;
	m->dur = saturate_sub(end, start);
	if (!step_event(s, &m->row))
		m->row = NO_ROW;
	return m;
}

/* at: among the steps that the filter takes. */
static void put_step(struct marking *k, size_t at)
{
	const struct stepstat *stat = &k->window.stat;
	const struct step *s = &k->run->steps->step[stat->step[at]];
	const char *words = stepstat_words(stat->mark[at]);
	struct mark *m = add_range(k, s, "steps", s->start, s->end);

	m->id = place_id_of_step(s->number, k->mem);
	marking_text(k, "in the figures",
		!k->window.counts || k->window.counts[stat->step[at]] ? SPAN("yes")
								      : SPAN("no, set aside"));
	marking_text(k, "note", span_of(words));
	if (s->host_start == s->start && s->host_end == s->end)
		return;
	m = add_range(k, s, "steps on the host", s->host_start, s->host_end);
	if (!step_lane(k->run, s, &m->on))
		m->on = NO_ROW;
}

/* How busy each device is in the step; at: as above. */
static void put_busy(struct marking *k, size_t at)
{
	const size_t step = k->window.stat.step[at];
	struct mark *m = marking_add(k);

	m->kind = MARK_COUNTER;
	m->lane = "GPU busy in steps";
	m->name = SPAN("GPU busy %");
	m->start = k->run->steps->step[step].start;
	for (size_t d = 0; d < k->window.ndevice && d < DEVICES_COUNTED; d++) {
		struct account a = account_of_step(&k->ledgers, &k->waiting, d, step);
		double busy = account_busy(&a);

		marking_number(k, arena_printf(k->mem, "device %" PRId64, a.id),
			isnan(busy) ? 0 : 100 * busy);
	}
}

/* The counter falls to 0 where a step ends and the next does not begin. */
static void put_end(struct marking *k, nsec end)
{
	struct mark *m = marking_add(k);

	m->kind = MARK_COUNTER;
	m->lane = "GPU busy in steps";
	m->name = SPAN("GPU busy %");
	m->start = end;
	for (size_t d = 0; d < k->window.ndevice && d < DEVICES_COUNTED; d++)
		marking_number(
			k, arena_printf(k->mem, "device %" PRId64, k->window.device[d].id), 0);
}

enum status mark_steps(struct marking *k)
{
	const struct stepstat *stat = &k->window.stat;
	const struct step *step = k->run->steps->step;

	marking_window(k);
	size_t n = MIN(stat->n, k->limit / MARKS_OF_STEP);
	for (size_t i = 0; i < n; i++) {
		nsec end = step[stat->step[i]].end;

		put_step(k, i);
		if (k->window.ndevice == 0)
			continue;
		put_busy(k, i);
		if (i + 1 == n || step[stat->step[i + 1]].start > end)
			put_end(k, end);
	}
	k->out->nleft = stat->n - n;
	return OK;
}
