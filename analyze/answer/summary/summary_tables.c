/*
 * `summary`: tables of devices, phases and launching calls.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/answer/summary/summary.h"
#include "analyze/analysis/perrun.h"
#include "analyze/trace/run.h"
#include "base/compare3.h"
#include "base/ratio.h"
#include "base/saturate.h"

static void put_share(struct table *t, size_t ns_col, size_t ratio_col, nsec part, nsec of)
{
	table_int(t, ns_col, part);
	table_real(t, ratio_col, ratio_of((double)part, (double)of));
}

static void put_occupancy(struct table *t, const struct occupancy *o)
{
	double most, least = occupancy_tensor_ratio(o, &most);

	table_real(t, DEV_OCCUPANCY, occupancy_mean_achieved(o));
	table_real(t, DEV_BLOCKS, occupancy_mean_blocks(o));
	/* None for sure, and some that may be: unknown. */
	if (least > 0 || most <= 0)
		table_real(t, DEV_TENSOR, least);
	table_real(t, DEV_TENSOR_MOST, most);
}

static void put_device(struct summary *s, struct table *t, size_t d)
{
	const struct summary_device *dev = &s->device[d];
	const struct account *a = &s->window.device[d];
	const struct ledger *l;

	table_row(t);
	table_int(t, DEV_DEVICE, s->ledgers.device[d].id);
	put_occupancy(t, &dev->occupancy);
	if (d >= s->window.ndevice || s->window.nstep == 0)
		return;
	l = &a->ledger;
	table_real(t, DEV_STEP,
		(double)(s->window.has_steps ? l->total : a->ns) / (double)s->window.nstep);
	table_int(t, DEV_WALL, a->ns);
	put_share(t, DEV_COMPUTE, DEV_COMPUTE_RATIO, l->compute, a->ns);
	put_share(t, DEV_COMM, DEV_COMM_RATIO, l->exposed_comm, a->ns);
	put_share(t, DEV_MEMCPY, DEV_MEMCPY_RATIO, l->exposed_memcpy, a->ns);
	put_share(t, DEV_IDLE, DEV_IDLE_RATIO, l->idle - a->wait[GAP_CAUSE_UNRECORDED], a->ns);
	put_share(t, DEV_BUSY, DEV_BUSY_RATIO, l->busy, a->ns);
	table_int(t, DEV_UNRECORDED, a->wait[GAP_CAUSE_UNRECORDED]);
	table_real(t, DEV_UTILIZATION, ratio_of((double)l->kernels, (double)a->ns));
	table_real(t, DEV_SM, dev->sm_efficiency);
}

static void put_run(struct summary *s, struct table *t, size_t d)
{
	const struct ledger_device *dev = &s->ledgers.device[d];
	struct ledger l = ledger_whole(&s->ledgers, d);
	nsec sum = 0;
	int k;

	for (k = 0; k < CLASS_COUNT; k++)
		saturate_onto(&sum, dev->sum[k]);
	table_row(t);
	table_int(t, RUN_DEVICE, dev->id);
	table_int(t, RUN_SPAN, l.total);
	table_int(t, RUN_COMPUTE, l.compute);
	table_int(t, RUN_COMM, l.exposed_comm);
	table_int(t, RUN_MEMCPY, l.exposed_memcpy);
	table_int(t, RUN_IDLE, l.idle);
	put_share(t, RUN_BUSY, RUN_BUSY_RATIO, l.busy, l.total);
	table_int(t, RUN_EVENTS, (int64_t)dev->nevent);
	table_int(t, RUN_STREAMS, s->device[d].streams);
	table_int(t, RUN_FIRST, dev->first);
	table_int(t, RUN_LAST, dev->last);
	table_int(t, RUN_SUM, sum);
	table_int(t, RUN_KERNELS, l.kernels);
	table_int(t, RUN_COMPUTE_KERNELS, l.compute_kernels);
	table_int(t, RUN_COMM_UNION, l.comm);
	table_int(t, RUN_MEMCPY_UNION, l.memcpy);
	table_int(t, RUN_MEMSET_UNION, l.memset);
	table_int(t, RUN_OVERLAP, l.comm_compute);
	table_int(t, RUN_OVERLAP_KERNELS, l.comm_compute_kernels);
	table_real(t, RUN_OVERLAP_RATIO, ratio_of((double)l.comm_compute, (double)l.comm));
}

/* For people columns of what is there: communication where there is some, fill where it is said. */
static uint64_t visible_devices(const struct summary *s)
{
	uint64_t set = 1 << DEV_DEVICE | 1 << DEV_STEP | 1 << DEV_COMPUTE_RATIO |
		1 << DEV_COMM_RATIO | 1 << DEV_MEMCPY_RATIO | 1 << DEV_IDLE_RATIO |
		1 << DEV_UTILIZATION | 1 << DEV_TENSOR;
	size_t d;

	for (d = 0; d < s->ledgers.ndevice; d++) {
		if (!isnan(s->device[d].sm_efficiency))
			set |= 1 << DEV_SM;
		if (!isnan(occupancy_mean_achieved(&s->device[d].occupancy)))
			set |= 1 << DEV_OCCUPANCY;
	}
	return set;
}

void summary_device_tables(struct summary *s)
{
	bool for_people = s->at->q->for_people;
	struct table *t;
	size_t d;

	if (for_people && s->ledgers.ndevice == 0)
		return;
	t = perrun_table_seen(s->at, &summary_docs[SUMMARY_DEVICES], visible_devices(s));
	for (d = 0; d < s->ledgers.ndevice; d++)
		put_device(s, t, d);
	if (for_people)
		return;
	t = perrun_table(s->at, &summary_docs[SUMMARY_RUN]);
	for (d = 0; d < s->ledgers.ndevice; d++)
		put_run(s, t, d);
}

void summary_phase_table(struct summary *s)
{
	/* In the order of a step. */
	static const uint8_t order[] = { PHASE_DATA, PHASE_FORWARD, PHASE_BACKWARD, PHASE_OPTIMIZER,
		PHASE_OTHER };
	struct table *t;
	nsec all = 0;
	size_t i;

	_Static_assert(COUNT_OF(order) == PHASE_COUNT, "all phases");
	if (!s->has_host)
		return;
	for (i = 0; i < PHASE_COUNT; i++)
		saturate_onto(&all, s->phase_cpu[i]);
	t = perrun_table(s->at, &summary_docs[SUMMARY_PHASES]);
	for (i = 0; i < COUNT_OF(order); i++) {
		enum phase k = (enum phase)order[i];

		table_row(t);
		table_text(t, PHASE_NAME, span_of(phase_word(k)));
		table_int(t, PHASE_SELF, s->phase_cpu[k]);
		table_real(t, PHASE_SHARE, ratio_of((double)s->phase_cpu[k], (double)all));
		if (s->window.has_steps && s->window.nstep > 0)
			table_real(t, PHASE_PER_STEP,
				(double)s->phase_cpu[k] / (double)s->window.nstep);
		if (s->ledgers.ndevice > 0)
			table_int(t, PHASE_DEVICE, s->phase_device[k]);
	}
}

struct call {
	uint32_t calls;
	sym name;
	struct span text;
};

static int by_calls(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	return COMPARE_BY(compare3(y->calls, x->calls), span_cmp(x->text, y->text));
}

void summary_launch_table(struct summary *s)
{
	const struct strings *names = &s->at->run->strings;
	struct call *call;
	struct table *t;
	size_t i, n = 0;

	if (s->at->q->for_people)
		return;
	t = perrun_table(s->at, &summary_docs[SUMMARY_LAUNCHES]);
	for (i = 0; i < names->n; i++)
		n += s->names.launches[i] > 0;
	call = arena_array(&s->at->mem, n, sizeof(*call));
	for (i = 0, n = 0; i < names->n; i++)
		if (s->names.launches[i] > 0)
			call[n++] = (struct call){ s->names.launches[i], (sym)i,
				strings_get(names, (sym)i) };
	if (n > 1)
		qsort(call, n, sizeof(*call), by_calls);
	for (i = 0; i < n; i++) {
		table_row(t);
		table_text(t, CALL_NAME, call[i].text);
		table_int(t, CALL_CALLS, call[i].calls);
		if (s->window.has_steps)
			table_real(
				t, CALL_PER_STEP, (double)call[i].calls / (double)s->window.nstep);
		table_int(t, CALL_LAUNCHED, s->names.launched[call[i].name]);
		table_int(t, CALL_NS, s->names.call[call[i].name]);
	}
}
