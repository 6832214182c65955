/*
 * Digest of device work: the ledger of each counted step, and rows by kernel and launching op.
 */
#include "analyze/compare/digest_gather.h"
#include "analyze/measure/classes.h"
#include "analyze/measure/ledger.h"
#include "analyze/measure/memcurve.h"
#include "analyze/measure/roles.h"
#include "analyze/trace/links.h"
#include "analyze/trace/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"
#include "base/saturate.h"

static void add_ledger(struct digest_step *s, const struct ledger *l)
{
	saturate_onto(&s->part[PART_COMPUTE], l->compute);
	saturate_onto(&s->part[PART_COMM], l->exposed_comm);
	saturate_onto(&s->part[PART_MEMCPY], l->exposed_memcpy);
	saturate_onto(&s->part[PART_IDLE], l->idle);
}

/* What the host did while all devices were idle; what is left of idle is another device's work. */
static void split_idle(struct digest_step *s, const struct partition_sums *role, size_t ndevice)
{
	static const struct {
		enum digest_part part;
		enum role role;
	} of[] = {
		{ PART_IDLE_DATA, ROLE_DATA },
		{ PART_IDLE_RUNTIME, ROLE_RUNTIME },
		{ PART_IDLE_CPU, ROLE_CPU },
		{ PART_IDLE_OTHER, ROLE_OTHER },
	};
	nsec rest = s->part[PART_IDLE];
	size_t i;

	for (i = 0; i < COUNT_OF(of); i++) {
		s->part[of[i].part] = (nsec)(role->ns[of[i].role] * ndevice);
		rest = saturate_sub(rest, s->part[of[i].part]);
	}
	s->part[PART_IDLE_ELSEWHERE] = rest;
}

static void put_ledger(struct digest_view *v)
{
	const struct steps *steps = v->run->steps;
	struct classes classes;
	struct ledgers ledgers;
	struct roles roles;
	size_t i, d;

	classes_init(&classes, v->run, &v->scratch);
	ledgers_init(&ledgers, v->run, &classes, v->view, &v->scratch);
	v->d->ndevice = ledgers.ndevice - ledgers.nwithout;
	v->d->has_device = v->d->ndevice > 0;
	if (!v->d->has_device)
		return;
	roles_init(&roles, v->run, &classes, v->view, &v->scratch);
	for (i = 0; i < steps->n; i++) {
		struct digest_step *s;

		if (!v->place[i])
			continue;
		s = &v->d->step[v->place[i] - 1];
		for (d = 0; d < v->d->ndevice; d++) {
			struct ledger l = ledger_step(&ledgers, d, i);

			add_ledger(s, &l);
		}
		split_idle(s, &roles.step[i], v->d->ndevice);
	}
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
	const struct order *o = v->run->order;
	size_t i, n = o->device_begin[v->run->lanes.n];
	struct gather g;

	put_ledger(v);
	gather_init(&g, v);
	for (i = 0; i < n; i++)
		add_row(v, &g, o->device[i]);
	gather_finish(&g, &v->d->device);
}

/* A leak on any device is one; without marked steps nothing is known. */
static void leak_of(struct digest_view *v, const struct memcurve *c)
{
	struct memcurve_trend t;
	int leaks;

	if (!v->d->has_steps || !memcurve_trend(&t, c, v->run, v->view))
		return;
	leaks = t.sign == MEMCURVE_LEAK;
	v->d->leaks = leaks > v->d->leaks ? leaks : v->d->leaks;
}

void digest_memory(struct digest_view *v)
{
	struct memcurves curves;
	size_t i;

	v->d->peak_bytes = -1;
	memcurves_init(&curves, v->run, v->view);
	for (i = 0; i < curves.n; i++) {
		const struct memcurve *c = &curves.v[i];
		bool known = c->peak < c->n && c->allocated[c->peak] != ARG_UNKNOWN;

		if (!known || c->type == 0)
			continue;
		if (!c->is_relative && c->allocated[c->peak] > v->d->peak_bytes)
			v->d->peak_bytes = c->allocated[c->peak];
		leak_of(v, c);
	}
	memcurves_clear(&curves);
}
