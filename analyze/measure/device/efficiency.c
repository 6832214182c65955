/*
 * Estimated SM efficiency over steps.
 */
#include "analyze/measure/device/efficiency.h"

#include <math.h>

#include "analyze/measure/interval.h"
#include "analyze/measure/device/occupancy.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

double efficiency_within(const struct run *r, int64_t device, const struct filter_view *v,
	const struct intervals *set, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *each = arena_array(mem, set->n, sizeof(*each)), sum = 0;
	size_t i;

	if (set->n == 0)
		return NAN;
	occupancy_sm_efficiency(r, device, v, set->v, set->n, each);
	for (i = 0; i < set->n; i++)
		sum += each[i] * (double)(set->v[i].end - set->v[i].start);
	arena_reset(mem, mark);
	return sum / (double)intervals_length(set);
}

void efficiency_init(
	struct efficiency *e, const struct run *r, const struct filter_view *v, struct arena *mem)
{
	struct intervals steps = { 0 };
	size_t i;

	for (i = 0; i < r->steps->n; i++)
		if (!v->step || v->step[i])
			intervals_add(&steps, r->steps->step[i].start, r->steps->step[i].end);
	intervals_unite(&steps);
	devices_init(&e->devices, r, mem);
	e->mean = arena_array(mem, e->devices.n, sizeof(*e->mean));
	for (i = 0; i < e->devices.n; i++)
		e->mean[i] = efficiency_within(r, e->devices.id[i], v, &steps, mem);
	intervals_clear(&steps);
}

double efficiency_of(const struct efficiency *e, int64_t device)
{
	size_t i = devices_find(&e->devices, device);

	return i == SIZE_MAX ? NAN : e->mean[i];
}
