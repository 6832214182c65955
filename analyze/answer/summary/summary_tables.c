/* `summary`: tables of devices, phases, ratios and launching calls. */
#include "analyze/answer/summary/summary.h"

#include "analyze/analysis/ranked.h"

/* ---- tables of devices, phases and launching calls ---- */

static void put_share(struct table *t, size_t ns_col, size_t ratio_col, nsec part, nsec of)
{
	table_int(t, ns_col, part);
	table_real(t, ratio_col, ratio_of((double)part, (double)of));
}

static void put_device(struct summary *s, struct table *t, size_t d)
{
	const struct summary_device *dev = &s->device[d];
	const struct account *a = &s->window.device[d];

	TABLE_ROW(t, [DEV_DEVICE] = cell_int(s->ledgers.device[d].id));
	double most, least = occupancy_tensor_ratio(&dev->occupancy, &most);
	TABLE_CELLS(t, [DEV_OCCUPANCY] = cell_real(occupancy_mean_achieved(&dev->occupancy)),
		[DEV_BLOCKS] = cell_real(occupancy_mean_blocks(&dev->occupancy)));
	/* None for sure, and some that may be: unknown. */
	TABLE_CELLS(t, [DEV_TENSOR] = CELL_IF(least > 0 || most <= 0, cell_real(least)),
		[DEV_TENSOR_MOST] = cell_real(most));
	if (d >= s->window.ndevice || s->window.nstep == 0)
		return;
	const struct ledger *l = &a->ledger;
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

	for (int k = 0; k < CLASS_COUNT; k++)
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
	uint64_t set = COLUMN_SET(DEV_DEVICE, DEV_STEP, DEV_COMPUTE_RATIO, DEV_COMM_RATIO,
		DEV_MEMCPY_RATIO, DEV_IDLE_RATIO, DEV_UTILIZATION, DEV_TENSOR);

	for (EACH(const struct summary_device, device, s->device, s->ledgers.ndevice)) {
		if (!isnan(device->sm_efficiency))
			set |= COLUMN_SET(DEV_SM);
		if (!isnan(occupancy_mean_achieved(&device->occupancy)))
			set |= COLUMN_SET(DEV_OCCUPANCY);
	}
	return set;
}

void summary_device_tables(struct summary *s)
{
	bool for_people = s->at->q->for_people;

	if (for_people && s->ledgers.ndevice == 0)
		return;
	struct table *t =
		perrun_table_seen(s->at, &summary_docs[SUMMARY_DEVICES], visible_devices(s));
	for (size_t d = 0; d < s->ledgers.ndevice; d++)
		put_device(s, t, d);
	if (for_people)
		return;
	t = perrun_table(s->at, &summary_docs[SUMMARY_RUN]);
	for (size_t d = 0; d < s->ledgers.ndevice; d++)
		put_run(s, t, d);
}

void summary_phase_table(struct summary *s)
{
	/* In the order of a step. */
	static const uint8_t order[] = { PHASE_DATA, PHASE_FORWARD, PHASE_BACKWARD, PHASE_OPTIMIZER,
		PHASE_OTHER };
	nsec all = 0;

	_Static_assert(COUNT_OF(order) == PHASE_COUNT, "all phases");
	if (!s->has_host)
		return;
	for (size_t i = 0; i < PHASE_COUNT; i++)
		saturate_onto(&all, s->phase_cpu[i]);
	struct table *t = perrun_table(s->at, &summary_docs[SUMMARY_PHASES]);
	for (size_t i = 0; i < COUNT_OF(order); i++) {
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

void summary_launch_table(struct summary *s)
{
	const struct strings *names = &s->at->run->strings;
	size_t i, n = 0;

	if (s->at->q->for_people)
		return;
	struct table *t = perrun_table(s->at, &summary_docs[SUMMARY_LAUNCHES]);
	for (i = 0; i < names->n; i++)
		n += s->names.launches[i] > 0;
	struct ranked *call = arena_array(&s->at->mem, n, sizeof(*call));
	for (i = 0, n = 0; i < names->n; i++)
		if (s->names.launches[i] > 0)
			call[n++] = (struct ranked){ s->names.launches[i], i,
				strings_get(names, (sym)i) };
	ranked_sort(call, n);
	for (i = 0; i < n; i++)
		TABLE_ROW(t, [CALL_NAME] = cell_text(call[i].name),
			[CALL_CALLS] = cell_int(call[i].value),
			[CALL_PER_STEP] = CELL_IF(s->window.has_steps,
				cell_real((double)call[i].value / (double)s->window.nstep)),
			[CALL_LAUNCHED] = cell_int(s->names.launched[call[i].at]),
			[CALL_NS] = cell_int(s->names.call[call[i].at]));
}

/* ratios of the documents, and the same questions answered without counting twice. */

/* rlhf-canary's quick diagnosis. */
static const double CPU_BOUND_MIN = 2.0, COMPUTE_BOUND_MAX = 0.5, COPIES_MAX = 0.3;
enum { TOP_ROWS = 10 };

/* A row of key_averages() with device time. */
struct top_row {
	nsec ns;
	struct span name;
};

static void add_row(struct top_row *top, nsec ns, struct span name)
{
	struct top_row x = { ns, name };

	for (size_t i = 0; i < TOP_ROWS && x.ns > 0; i++) {
		struct top_row t = top[i];

		if (t.ns > x.ns || (t.ns == x.ns && span_cmp(t.name, x.name) <= 0))
			continue;
		top[i] = x;
		x = t;
	}
}

/* Of names that begin with ProfilerStep# torch makes one row; the sum of v over them. */
static nsec folded(const struct strings *names, const nsec *v)
{
	nsec sum = 0;

	for (size_t i = 0; i < names->n; i++)
		if (v[i] > 0 && span_starts(strings_get(names, (sym)i), "ProfilerStep#"))
			saturate_onto(&sum, v[i]);
	return sum;
}

/* The ten rows with most self device time among ops, device work and annotations on the device, and
 * how much of their sum is in rows with "copy" in their name, in any case; a kernel and its op are
 * two rows. */
static void documents_copies(const struct summary *s, nsec *copies, nsec *all)
{
	const struct strings *names = &s->at->run->strings;
	struct top_row top[TOP_ROWS] = { 0 };

	for (size_t i = 0; i < names->n; i++) {
		struct span name = strings_get(names, (sym)i);

		add_row(top, s->names.device[i], name);
		if (span_starts(name, "ProfilerStep#"))
			continue;
		add_row(top, s->names.op[i], name);
		add_row(top, s->names.annotation[i], name);
	}
	add_row(top, folded(names, s->names.op), SPAN("ProfilerStep*"));
	add_row(top, folded(names, s->names.annotation), SPAN("ProfilerStep*"));
	*copies = *all = 0;
	for (EACH(const struct top_row, row, top, TOP_ROWS)) {
		saturate_onto(all, row->ns);
		if (span_has_nocase(row->name, "copy"))
			saturate_onto(copies, row->ns);
	}
}

static void put_ratio(struct table *t, const char *what, const char *how, nsec part, nsec of)
{
	TABLE_ROW(t, [RATIO_WHAT] = cell_word(what), [RATIO_HOW] = cell_word(how),
		[RATIO_PART] = cell_int(part), [RATIO_OF] = cell_int(of));
}

static void put_cpu_gpu(
	struct table *t, const char *what, const char *how, nsec cpu, nsec gpu, bool is_documents)
{
	double ratio = ratio_of((double)cpu, (double)gpu);

	put_ratio(t, what, how, cpu, gpu);
	TABLE_CELLS(t, [RATIO_VALUE] = cell_real(ratio),
		[RATIO_VERDICT] = CELL_IF(!isnan(ratio) && is_documents,
			cell_text(ratio > CPU_BOUND_MIN             ? SPAN("CPU-bound")
					: ratio < COMPUTE_BOUND_MAX ? SPAN("compute-bound")
								    : SPAN("balanced"))));
}

static void put_copies(
	struct table *t, const char *what, const char *how, nsec part, nsec of, bool is_documents)
{
	double ratio = ratio_of((double)part, (double)of);

	put_ratio(t, what, how, part, of);
	TABLE_CELLS(t, [RATIO_SHARE] = cell_real(ratio),
		[RATIO_VERDICT] = CELL_IF(!isnan(ratio) && is_documents,
			cell_text(ratio > COPIES_MAX ? SPAN("copies dominate")
						     : SPAN("acceptable"))));
}

static void put_ratios(struct summary *s)
{
	struct table *t = perrun_table(s->at, &summary_docs[SUMMARY_RATIOS]);
	nsec busy = 0, wall = 0, copies, all;

	for (size_t d = 0; d < s->window.ndevice; d++) {
		saturate_onto(&busy, s->window.device[d].ledger.busy);
		saturate_onto(&wall, s->window.device[d].ns);
	}
	if (s->has_host) {
		put_cpu_gpu(t, "CPU/GPU, all rows", "totals of all rows; nested calls count twice",
			s->cpu_total,
			saturate_add(
				saturate_add(s->device_total, s->device_sum), s->annotation_sum),
			true);
		put_cpu_gpu(t, "CPU/GPU, self time", "self CPU time over the sum of GPU time",
			s->cpu_self, s->device_sum, false);
	}
	put_ratio(t, "wall/GPU", "time of the steps over GPU busy time", wall, busy);
	table_real(t, RATIO_VALUE, ratio_of((double)wall, (double)busy));
	documents_copies(s, &copies, &all);
	put_copies(t, "copies, top ten", "names with \"copy\" among the top ten rows", copies, all,
		true);
	put_copies(t, "copies, by class", "class memcpy of all GPU time",
		s->class_sum[CLASS_MEMCPY], s->device_sum, false);
}

static void put_class(
	const struct summary *s, struct table *t, const char *what, const char *word, nsec ns)
{
	TABLE_ROW(t, [COPY_WHAT] = cell_textf(t, "%s%s", what, word), [COPY_NS] = cell_int(ns),
		[COPY_SHARE] = cell_ratio(ns, s->device_sum));
}

void summary_ratio_tables(struct summary *s)
{
	if (s->ledgers.ndevice == 0)
		return;
	put_ratios(s);
	if (!s->at->q->for_people) {
		struct table *t = perrun_table(s->at, &summary_docs[SUMMARY_COPIES]);
		for (int k = 0; k < COPY_DIRECTION_COUNT; k++)
			put_class(s, t, "memcpy ", copyclass_direction_word((enum copy_direction)k),
				s->copy_sum[k]);
		put_class(s, t, "kernel ", "cast", s->copy_kernel_sum[COPY_KERNEL_CAST]);
		put_class(s, t, "kernel ", "layout", s->copy_kernel_sum[COPY_KERNEL_LAYOUT]);
		put_class(s, t, "kernel ", "unclear", s->copy_kernel_sum[COPY_KERNEL_UNCLEAR]);
		put_class(s, t, "memset", "", s->class_sum[CLASS_MEMSET]);
	}
}
