/* `kernels`: what hardware counters say that were sampled beside the trace, beside what the
 * profiler and formulas estimate. */
#include "analyze/answer/kernels/kernels.h"
#include "analyze/trace/columns/order.h"

static bool is_measured(const void *ctx, const void *item)
{
	const struct kernels *k = ctx;

	return k->means[(const struct kernel_group *)item -
			(const struct kernel_group *)k->groups.item]
		       .seen > 0;
}

static void put(const struct groupby *g, const void *item, uint32_t i)
{
	static const char *const words[] = { "unknown", "no", "yes" };
	const struct kernel_group *of = item;
	struct kernels *k = g->ctx;

	hwcounters_put(g->t, KMEAS_SM, &k->means[i]);
	TABLE_CELLS(g->t, [KMEAS_COVERED] = cell_ratio(k->means[i].seen, of->calls.sum),
		[KMEAS_TENSOR] =
			cell_word(words[1 + (int)tensor_cores_of(&k->tensor, of->key.name)]));
	if (k->roof && k->roof[i].sum.calls > 0)
		TABLE_CELLS(g->t, [KMEAS_RATIO] = cell_real(roof_sum_ratio(&k->roof[i].sum)),
			[KMEAS_BOUND] = cell_word(roof_sum_bound(&k->roof[i].sum)));
}

static const struct grouping measured = {
	.sort = KMEAS_SUM, .name = KMEAS_NAME, .people = 15, .takes = is_measured, .put = put
};

/* Sums by group; the time of all kernels, and that of which something is known. */
static nsec collect(struct kernels *k, nsec *seen)
{
	const struct run *r = k->p->run;
	nsec all = 0;

	for (size_t l = 0; l < r->lanes.n; l++)
		for (size_t i = r->order->device_begin[l]; i < r->order->device_begin[l + 1]; i++) {
			uint32_t row = r->order->device[i];
			uint32_t at = kernels_find(k, row);

			if (at == KEYMAP_NONE)
				continue;
			nsec before = k->means[at].seen;
			hwcounters_add(&k->counters, &k->means[at], r->lanes.lane[l].device,
				r->events.start[row], events_end(&r->events, row));
			saturate_onto(seen, k->means[at].seen - before);
			saturate_onto(&all, r->events.dur[row]);
		}
	return all;
}

void kernels_measured_table(struct kernels *k)
{
	nsec seen = 0;

	if (k->groups.n == 0 || !hwcounters_init(&k->counters, k->p->run, &k->p->mem))
		return;
	k->means = arena_array(&k->p->mem, k->groups.n, sizeof(*k->means));
	nsec all = collect(k, &seen);
	if (seen < all && memchr(k->counters.has, true, HWCOUNTER_POWER)) /* of NVML's it is usual
	                                                                   */
		result_note(k->p->out, NOTE_INFO, "hwcounters_short", k->p->input, -1,
			"hardware counters say something of %.1f%% of the kernels' time: the rest is "
			"shorter than the samples are apart, or no sample covers it",
			100 * (double)seen / (double)all);
	struct groupby g =
		groupby_of(&measured, k->p, &kernels_docs[KERNELS_MEASURED], &k->groups, k);
	g.hide = hwcounters_missing(&k->counters, KMEAS_SM) |
		(k->roof ? 0 : COLUMN_SET(KMEAS_RATIO, KMEAS_BOUND));
	groupby_limit(&g, k->o->limit);
	groupby_put(&g);
}
