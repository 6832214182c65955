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

	TABLE_CELLS(t, [DEV_OCCUPANCY] = cell_real(occupancy_mean_achieved(o)),
		[DEV_BLOCKS] = cell_real(occupancy_mean_blocks(o)));
	/* None for sure, and some that may be: unknown. */
	TABLE_CELLS(t, [DEV_TENSOR] = CELL_IF(least > 0 || most <= 0, cell_real(least)),
		[DEV_TENSOR_MOST] = cell_real(most));
}

static void put_device(struct summary *s, struct table *t, size_t d)
{
	const struct summary_device *dev = &s->device[d];
	const struct account *a = &s->window.device[d];
	const struct ledger *l;

	TABLE_ROW(t, [DEV_DEVICE] = cell_int(s->ledgers.device[d].id));
	put_occupancy(t, &dev->occupancy);
	if (d >= s->window.ndevice || s->window.nstep == 0)
		return;
	l = &a->ledger;
	TABLE_CELLS(t,
		[DEV_STEP] = cell_real(
			(double)(s->window.has_steps ? l->total : a->ns) / (double)s->window.nstep),
		[DEV_WALL] = cell_int(a->ns));
	put_share(t, DEV_COMPUTE, DEV_COMPUTE_RATIO, l->compute, a->ns);
	put_share(t, DEV_COMM, DEV_COMM_RATIO, l->exposed_comm, a->ns);
	put_share(t, DEV_MEMCPY, DEV_MEMCPY_RATIO, l->exposed_memcpy, a->ns);
	put_share(t, DEV_IDLE, DEV_IDLE_RATIO, l->idle - a->wait[GAP_CAUSE_UNRECORDED], a->ns);
	put_share(t, DEV_BUSY, DEV_BUSY_RATIO, l->busy, a->ns);
	TABLE_CELLS(t, [DEV_UNRECORDED] = cell_int(a->wait[GAP_CAUSE_UNRECORDED]),
		[DEV_UTILIZATION] = cell_ratio(l->kernels, a->ns),
		[DEV_SM] = cell_real(dev->sm_efficiency));
}

static void put_run(struct summary *s, struct table *t, size_t d)
{
	const struct ledger_device *dev = &s->ledgers.device[d];
	struct ledger l = ledger_whole(&s->ledgers, d);
	nsec sum = 0;
	int k;

	for (k = 0; k < CLASS_COUNT; k++)
		saturate_onto(&sum, dev->sum[k]);
	TABLE_ROW(t, [RUN_DEVICE] = cell_int(dev->id), [RUN_SPAN] = cell_int(l.total),
		[RUN_COMPUTE] = cell_int(l.compute), [RUN_COMM] = cell_int(l.exposed_comm),
		[RUN_MEMCPY] = cell_int(l.exposed_memcpy), [RUN_IDLE] = cell_int(l.idle));
	put_share(t, RUN_BUSY, RUN_BUSY_RATIO, l.busy, l.total);
	TABLE_CELLS(t, [RUN_EVENTS] = cell_size(dev->nevent),
		[RUN_STREAMS] = cell_int(s->device[d].streams), [RUN_FIRST] = cell_int(dev->first),
		[RUN_LAST] = cell_int(dev->last), [RUN_SUM] = cell_int(sum),
		[RUN_KERNELS] = cell_int(l.kernels),
		[RUN_COMPUTE_KERNELS] = cell_int(l.compute_kernels),
		[RUN_COMM_UNION] = cell_int(l.comm), [RUN_MEMCPY_UNION] = cell_int(l.memcpy),
		[RUN_MEMSET_UNION] = cell_int(l.memset), [RUN_OVERLAP] = cell_int(l.comm_compute),
		[RUN_OVERLAP_KERNELS] = cell_int(l.comm_compute_kernels),
		[RUN_OVERLAP_RATIO] = cell_ratio(l.comm_compute, l.comm));
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

		TABLE_ROW(t, [PHASE_NAME] = cell_word(phase_word(k)),
			[PHASE_SELF] = cell_int(s->phase_cpu[k]),
			[PHASE_SHARE] = cell_ratio(s->phase_cpu[k], all),
			[PHASE_PER_STEP] = CELL_IF(s->window.has_steps && s->window.nstep > 0,
				cell_real((double)s->phase_cpu[k] / (double)s->window.nstep)),
			[PHASE_DEVICE] =
				CELL_IF(s->ledgers.ndevice > 0, cell_int(s->phase_device[k])));
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
	for (i = 0; i < n; i++)
		TABLE_ROW(t, [CALL_NAME] = cell_text(call[i].text),
			[CALL_CALLS] = cell_int(call[i].calls),
			[CALL_PER_STEP] = CELL_IF(s->window.has_steps,
				cell_real((double)call[i].calls / (double)s->window.nstep)),
			[CALL_LAUNCHED] = cell_int(s->names.launched[call[i].name]),
			[CALL_NS] = cell_int(s->names.call[call[i].name]));
}
