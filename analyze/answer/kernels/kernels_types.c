/* `kernels`: devices, types of work and their overlaps, durations. */

#include "analyze/answer/kernels/kernels.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/run_steps.h"

/* SM efficiency where there are no steps: over the device's span of kernels. */
static double efficiency_of_span(struct kernels *k, const struct kernels_device *d)
{
	struct intervals span = { 0 };

	intervals_add(&span, d->first, d->last);
	double mean = efficiency_within(k->p->run, d->id, &k->p->view, &span, &k->p->mem);
	intervals_clear(&span);
	return mean;
}

/* steps: NULL without any. */
static void put_device(struct kernels *k, struct table *t, struct kernels_device *d,
	const struct efficiency *steps)
{
	const struct occupancy *o = &d->occupancy;
	double most, least = occupancy_tensor_ratio(o, &most);

	d->launched = k->launched;
	fields_row(t, d, &(struct fields_of){ 0 });
	TABLE_CELLS(t, [KDEV_ACHIEVED] = cell_real(occupancy_mean_achieved(o)),
		[KDEV_BLOCKS] = cell_real(occupancy_mean_blocks(o)),
		[KDEV_TENSOR] = cell_real(least), [KDEV_TENSOR_MOST] = cell_real(most),
		[KDEV_SM] = CELL_IF(!k->p->view.name,
			cell_real(steps ? efficiency_of(steps, d->id) : efficiency_of_span(k, d))));
}

void kernels_devices_table(struct kernels *k)
{
	uint64_t visible =
		COLUMN_SET(KDEV_DEVICE, KDEV_COUNT, KDEV_SUM, KDEV_TENSOR, KDEV_TENSOR_MOST);
	const struct steps *steps = k->p->run->steps;
	bool has_steps = steps && steps->source != STEPS_WHOLE;
	struct efficiency efficiency;

	for (EACH(const struct kernels_device, device, k->device, k->devices.n)) {
		if (device->occupancy.blocks_ns > 0)
			visible |= COLUMN_SET(KDEV_BLOCKS, KDEV_BELOW_ONE, KDEV_SM);
		if (device->occupancy.achieved_ns > 0)
			visible |= COLUMN_SET(KDEV_ACHIEVED);
	}
	if (has_steps && !k->p->view.name)
		efficiency_init(&efficiency, k->p->run, &k->p->view, &k->p->mem);
	struct table *t = perrun_table_seen(k->p, &kernels_docs[KERNELS_DEVICES], visible);
	for (size_t i = 0; i < k->devices.n; i++)
		if (k->device[i].occupancy.kernels > 0)
			put_device(k, t, &k->device[i], has_steps ? &efficiency : NULL);
}

enum { COMPUTATION = 1, COMMUNICATION = 2, MEMORY = 4, TYPE_SETS = 8 };

static void put_types(
	struct kernels *k, struct table **table, int64_t device, const struct partition_sums *sums)
{
	static const char *const words[TYPE_SETS] = {
		[COMPUTATION] = "computation",
		[COMMUNICATION] = "communication",
		[MEMORY] = "memory",
		[COMPUTATION | COMMUNICATION] = "computation overlapping communication",
		[COMPUTATION | MEMORY] = "computation overlapping memory",
		[COMMUNICATION | MEMORY] = "communication overlapping memory",
		[COMPUTATION | COMMUNICATION | MEMORY] =
			"computation overlapping communication and memory",
	};
	static const unsigned in_order[] = { COMPUTATION, COMMUNICATION, MEMORY,
		COMPUTATION | COMMUNICATION, COMPUTATION | MEMORY, COMMUNICATION | MEMORY,
		COMPUTATION | COMMUNICATION | MEMORY };
	uint64_t ns[TYPE_SETS] = { 0 };

	/* Sums of slices by set of devclass become sums by set of types. */
	for (unsigned set = 1; set < 1u << CLASS_COUNT; set++) {
		unsigned type = set & 1u << CLASS_COMPUTE ? COMPUTATION : 0;
		type |= set & 1u << CLASS_COMM ? COMMUNICATION : 0;
		type |= set & (1u << CLASS_MEMCPY | 1u << CLASS_MEMSET) ? MEMORY : 0;
		ns[type] += sums->ns[set];
	}
	uint64_t busy = SUM(uint64_t, i, COUNT_OF(in_order), ns[in_order[i]]);
	for (size_t i = 0; i < COUNT_OF(in_order); i++) {
		if (ns[in_order[i]] == 0)
			continue;
		if (!*table)
			*table = perrun_table(k->p, &kernels_docs[KERNELS_TYPES]);
		TABLE_ROW(*table, [KTYPE_DEVICE] = cell_int(device),
			[KTYPE_TYPE] = cell_word(words[in_order[i]]),
			[KTYPE_NS] = cell_size(ns[in_order[i]]),
			[KTYPE_SHARE] = cell_real((double)ns[in_order[i]] / (double)busy));
	}
}

/* Where names or steps are chosen: what is left has no ledger. */
static void sum_chosen(struct kernels *k, int64_t device, struct partition_sums *sums)
{
	const struct events *ev = &k->p->run->events;
	struct partition_edges none = { 0 };
	struct partition p;
	struct sweep sweep;
	uint32_t row;

	partition_init(&p, &none, NULL, CLASS_COUNT, true);
	sweep_device(&sweep, k->p->run, device, &k->p->mem);
	while (sweep_next(&sweep, &row))
		if (filter_device(&k->p->view, row) && filter_name(&k->p->view, ev->name[row]))
			partition_add(&p, classes_of(&k->classes, row), ev->start[row],
				events_end(ev, row));
	partition_end(&p);
	*sums = p.sums;
}

void kernels_types_table(struct kernels *k)
{
	const struct filter_view *v = &k->p->view;
	struct partition_sums sums;
	struct ledgers ledgers;
	struct table *t = NULL;

	if (!v->name && !v->step) {
		shared_ledgers(k->p->shared, &ledgers, k->p->run, &k->classes, v, &k->p->mem);
		for (EACH(const struct ledger_device, device, ledgers.device, ledgers.ndevice))
			put_types(k, &t, device->id, &device->whole);
		return;
	}
	for (size_t i = 0; i < k->devices.n; i++) {
		sum_chosen(k, k->devices.id[i], &sums);
		put_types(k, &t, k->devices.id[i], &sums);
	}
}

void kernels_durations_table(struct kernels *k)
{
	static const char *const words[KERNELS_DECADES] = { "below 1 us", "1 to 10 us",
		"10 to 100 us", "100 us to 1 ms", "1 to 10 ms", "10 ms and more" };
	struct fields_of of = { 0 };
	nsec sum = 0, to = 1000, from = 0;

	if (k->count == 0)
		return;
	for (size_t i = 0; i < KERNELS_DECADES; i++)
		saturate_onto(&sum, k->decade[i].sum);
	of.whole = (double)sum;
	struct table *t = perrun_table(k->p, &kernels_docs[KERNELS_DURATIONS]);
	for (size_t i = 0; i < KERNELS_DECADES; i++, from = to, to *= 10) {
		struct kernels_decade *d = &k->decade[i];

		if (d->kernels == 0 && k->p->q->for_people)
			continue;
		d->range = words[i];
		d->from = from;
		d->to = i + 1 < KERNELS_DECADES ? to : 0;
		d->launched = k->launched;
		fields_row(t, d, &of);
		table_real(t, KDUR_COUNT_SHARE, (double)d->kernels / (double)k->count);
	}
}
