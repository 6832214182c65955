/* Digest of device work: the ledger of each counted step, and rows by kernel and launching op. */
#include "analyze/job/digest/digest_gather.h"
#include "analyze/measure/window.h"
#include "analyze/measure/memory/memcurve.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/base.h"

static void add_account(struct digest_step *s, const struct account *a)
{
	saturate_onto(&s->part[PART_COMPUTE], a->ledger.compute);
	saturate_onto(&s->part[PART_COMM], a->ledger.exposed_comm);
	saturate_onto(&s->part[PART_MEMCPY], a->ledger.exposed_memcpy);
	saturate_onto(&s->part[PART_UNRECORDED], a->wait[GAP_CAUSE_UNRECORDED]);
	saturate_onto(&s->part[PART_IDLE], a->ledger.idle - a->wait[GAP_CAUSE_UNRECORDED]);
	for (int k = 0; k < GAP_CAUSE_UNRECORDED; k++)
		saturate_onto(&s->part[PART_IDLE_DATA + k], a->wait[k]);
}
_Static_assert(
	PART_IDLE_UNKNOWN - PART_IDLE_DATA == (int)GAP_CAUSE_UNRECORDED - 1, "a part for each");

static void put_outside(struct digest_view *v, const struct ledgers *l)
{
	const struct steps *steps = v->run->steps;
	struct digest_outside *o = &v->d->outside;
	const nsec ndevice = MAX((nsec)v->d->ndevice, 1);
	nsec first = INT64_MAX, last = INT64_MIN, inside = 0;

	o->nstep = steps->n;
	for (size_t i = 0; i < steps->n; i++) {
		first = MIN(steps->step[i].start, first);
		last = MAX(steps->step[i].end, last);
		saturate_onto(&inside, saturate_sub(steps->step[i].end, steps->step[i].start));
	}
	for (size_t d = 0; d < v->d->ndevice; d++) {
		struct ledger out = ledger_outside(l, d);

		first = MIN(l->device[d].first, first);
		last = MAX(l->device[d].last, last);
		saturate_onto(&o->part[PART_COMPUTE], out.compute);
		saturate_onto(&o->part[PART_COMM], out.exposed_comm);
		saturate_onto(&o->part[PART_MEMCPY], out.exposed_memcpy);
		saturate_onto(&o->busy, out.busy);
		saturate_onto(&o->busy_all, ledger_whole(l, d).busy);
	}
	o->wall = MAX(saturate_sub(saturate_sub(last, first), inside),
		o->busy / ndevice + (o->busy % ndevice > 0));
	o->part[PART_IDLE] = saturate_sub(saturate_times(o->wall, ndevice), o->busy);
}

static void put_between(struct digest_view *v, const struct ledgers *l)
{
	const struct steps *steps = v->run->steps;
	struct digest_outside *o = &v->d->outside;

	for (size_t d = 0; d < v->d->ndevice && steps->source == STEPS_ANNOTATION; d++) {
		nsec busy = 0;
		nsec idle = window_between(
			v->run, l, d, l->device[d].id, 0, steps->n - 1, &o->run, &busy);
		saturate_onto(&o->between, MAX(idle, 0));
	}
}

static void put_ledger(struct digest_view *v)
{
	const struct steps *steps = v->run->steps;
	const struct digest_known *known = v->o->known;
	struct ledgers ledgers;
	struct step_gap_causes waiting;

	if (known)
		ledgers = *known->ledgers;
	else
		ledgers_init(&ledgers, v->run, v->classes, v->view, &v->scratch);
	v->d->ndevice = ledgers.ndevice - ledgers.nwithout;
	v->d->has_device = v->d->ndevice > 0;
	v->d->on_device = steps->on_device;
	if (!v->d->has_device)
		return;
	if (known)
		waiting = *known->waiting;
	else
		step_gap_causes_init(&waiting, v->run, v->view, &v->scratch);
	for (size_t i = 0; i < steps->n; i++) {
		if (!v->place[i])
			continue;
		for (size_t d = 0; d < v->d->ndevice; d++) {
			struct account a = account_of_step(&ledgers, &waiting, d, i);

			add_account(&v->d->step[v->place[i] - 1], &a);
			v->d->step_ns += (double)a.ns / (double)v->d->ndevice;
		}
	}
	v->d->step_ns /= (double)(v->d->nstep > 0 ? v->d->nstep : 1);
	put_outside(v, &ledgers);
	put_between(v, &ledgers);
}

static void add_row(struct digest_view *v, struct gather *g, uint32_t row)
{
	const struct events *ev = &v->run->events;
	struct gather_item item = { .name = ev->name[row],
		.kind = (enum kind)ev->kind[row],
		.start = ev->start[row],
		.ns = ev->dur[row],
		.op_row = NO_ROW };

	if (ev->args[row] != NO_ARGS) {
		uint32_t side = ev->args[row] - 1, step = v->run->steps->of_device[side];

		item.op_row = v->run->links->op[side];
		item.place = step == NO_ROW ? 0 : v->place[step];
	}
	/* What only the step itself is around has no op. */
	if (item.op_row != NO_ROW && !span_starts(run_name(v->run, item.op_row), "ProfilerStep#"))
		item.op = ev->name[item.op_row];
	if (item.place && !filter_device(v->view, row))
		item.place = 0;
	if (item.place) {
		struct digest_step *s = &v->d->step[item.place - 1];

		saturate_onto(&s->device_sum, item.ns);
		s->launched++;
	}
	gather_add(g, &item);
}

void digest_device(struct digest_view *v)
{
	struct gather g;

	put_ledger(v);
	gather_init(&g, v);
	for (EACH_DEVICE_ROW(row, v->run))
		add_row(v, &g, row);
	gather_finish(&g, &v->d->device);
}

/* A leak on any device is one; without marked steps nothing is known. */
static void leak_of(struct digest_view *v, const struct memcurve *c)
{
	struct memcurve_trend t;

	if (!v->d->has_steps || !memcurve_trend(&t, c, v->run, v->view))
		return;
	int leaks = t.sign == MEMCURVE_LEAK;
	v->d->leaks = MAX(leaks, v->d->leaks);
}

void digest_memory(struct digest_view *v)
{
	struct memcurves curves;

	v->d->peak_bytes = -1;
	memcurves_init(&curves, v->run, v->view);
	for (EACH(const struct memcurve, c, curves.v, curves.n)) {
		bool known = c->peak < c->n && c->allocated[c->peak] != ARG_UNKNOWN;

		if (!known || c->type == 0)
			continue;
		if (!c->is_relative && c->allocated[c->peak] > v->d->peak_bytes)
			v->d->peak_bytes = c->allocated[c->peak];
		leak_of(v, c);
	}
	memcurves_clear(&curves);
}
