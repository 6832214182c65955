/* `launches`: delays between calls and the work they launched, by kind of work. */
#include "analyze/answer/launches/launches.h"
#include "analyze/trace/columns/order.h"

/* Delays of the device rows of some kinds that pass the filters, into v, which has room. */
static size_t collect(struct launches *l, unsigned kinds, enum launch_delay d, int64_t *v)
{
	const struct run *r = l->at->run;
	size_t n = 0;

	for (EACH_DEVICE_ROW(row, r)) {
		if ((KIND_BIT(r->events.kind[row]) & kinds) && launch_of_row(r, row) != NO_ROW &&
			filter_device(&l->at->view, row) &&
			filter_name(&l->at->view, r->events.name[row]))
			v[n++] = launch_delay_of(r, row, d);
	}
	return n;
}

/* People see HTA's delay of each kind there is. */
void launches_put_delays(struct launches *l, const struct table_doc *doc)
{
	size_t size = (size_t)l->device_events * sizeof(int64_t), n;
	struct table *t = perrun_table(l->at, doc);
	struct launch_delays delays;
	int64_t *v = xmalloc(size);

	for (size_t i = 0; i < LAUNCH_WORKS; i++)
		for (enum launch_delay d = 0; d < LAUNCH_DELAY_COUNT; d++) {
			if (l->at->q->for_people && d == LAUNCH_DELAY_CLIPPED)
				continue;
			n = collect(l, launch_works[i].kinds, d, v);
			delays = launch_delays_of(&launch_works[i], d, v, n);
			if (n > 0 || !l->at->q->for_people)
				fields_row(t, &delays, &(struct fields_of){ 0 });
		}
	free(v);
}
