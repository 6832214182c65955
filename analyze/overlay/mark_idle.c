/* Marks of idle time: the gaps of each device in the window, as `idle` lists them. */
#include "analyze/overlay/mark_work.h"
#include "analyze/measure/device/devices.h"
#include "analyze/measure/gaps/gaps.h"
#include "analyze/measure/place_id.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/base.h"

struct walk {
	struct marking *k;
	struct long_gaps longest;
	int64_t device; /* whose gaps are coming */
};

static nsec length(const struct gap *g)
{
	return saturate_sub(g->end, g->start);
}

/* gap_fn */
static void take(void *ctx, const struct gap *g)
{
	struct walk *w = ctx;
	sym name = g->doing == NO_ROW ? 0 : w->k->run->events.name[g->doing];

	if (g->cls != GAP_CAUSE_UNRECORDED && length(g) >= w->k->q->least &&
		filter_name(&w->k->view, name))
		long_gaps_add(&w->longest, g, w->device);
}

/* The parts of a gap by class, where it has several. */
static void put_parts(struct marking *k, const struct gap *g)
{
	for (int i = 0; i < GAP_CAUSE_COUNT; i++)
		if (g->ns[i] > 0 && g->ns[i] < length(g))
			marking_number(k,
				arena_printf(k->mem, "%s ns", gap_cause_word((enum gap_cause)i)),
				(double)g->ns[i]);
}

static void put_gap(struct marking *k, struct gaps *gaps, const struct long_gap *v)
{
	const struct run *r = k->run;
	const struct gap *g = &v->gap;
	struct mark *m = marking_add(k);
	int64_t step;

	m->lane = arena_printf(k->mem, "idle, device %lld", (long long)v->device);
	m->name = span_of(gap_cause_word(g->cls));
	m->start = g->start;
	m->dur = length(g);
	m->id = place_id_of_gap(r, &k->view, v->device, g, k->mem);
	m->row = g->doing;
	m->on = g->doing == NO_ROW ? NO_ROW : r->events.lane[g->doing];
	m->device = v->device;
	marking_text(k, "cause", span_of(gap_cause_doc(g->cls)));
	if (g->doing != NO_ROW) {
		marking_text(k, "the CPU was in", run_name(r, g->doing));
		marking_number(k, "of the gap ns", (double)g->doing_ns);
	}
	if (g->held != NO_ROW)
		marking_text(k, "behind", run_name(r, gaps_behind(gaps, g->held)));
	if (g->next != NO_ROW)
		marking_text(k, "before", run_name(r, g->next));
	if (g->prev != NO_ROW)
		marking_text(k, "after", run_name(r, g->prev));
	if (g->launch != NO_ROW)
		marking_number(k, "launched after ns",
			(double)saturate_sub(r->events.start[g->launch], g->start));
	if (steps_number_around(r->steps, g->start, &step))
		marking_number(k, "step", (double)step);
	put_parts(k, g);
}

enum status mark_idle(struct marking *k)
{
	struct walk w = { .k = k, .longest = { .limit = k->limit } };
	struct devices devices;
	struct gaps gaps;

	devices_init(&devices, k->run, &k->scratch);
	if (devices.n == 0)
		return OK;
	marking_window(k);
	gaps_init(&gaps, k->run, &k->view, k->window.time, k->window.nstep);
	for (size_t i = 0; i < k->window.ndevice; i++) {
		w.device = k->window.device[i].id;
		gaps_of_device(&gaps, w.device, take, &w);
	}
	long_gaps_sort(&w.longest);
	for (size_t i = 0; i < w.longest.n; i++)
		put_gap(k, &gaps, &w.longest.v[i]);
	k->out->nleft = (size_t)w.longest.all - w.longest.n;
	long_gaps_clear(&w.longest);
	gaps_clear(&gaps);
	return OK;
}
