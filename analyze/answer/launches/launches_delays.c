/*
 * `launches`: delays between calls and the work they launched, by kind of work.
 */
#include "analyze/answer/launches/launches.h"
#include "analyze/measure/device/launchstat.h"
#include "analyze/stat/stats.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/base.h"

/* Delays of the device rows of some kinds that pass the filters, into v, which has room. */
static size_t collect(struct launches *l, unsigned kinds, enum launch_delay d, int64_t *v)
{
	const struct run *r = l->at->run;
	size_t all = r->order->device_begin[r->lanes.n], n = 0;

	for (size_t i = 0; i < all; i++) {
		uint32_t row = r->order->device[i];

		if ((KIND_BIT(r->events.kind[row]) & kinds) && launch_of_row(r, row) != NO_ROW &&
			filter_device(&l->at->view, row) &&
			filter_name(&l->at->view, r->events.name[row]))
			v[n++] = launch_delay_of(r, row, d);
	}
	return n;
}

static void put_delay(struct table *t, const char *of, enum launch_delay d, int64_t *v, size_t n)
{
	struct launch_delay_sums s = launch_delay_sums(v, n);

	table_row(t);
	table_text(t, LDELAY_OF, span_of(of));
	table_text(t, LDELAY_FROM, span_of(launch_delay_word(d)));
	table_int(t, LDELAY_COUNT, (int64_t)n);
	if (n == 0)
		return;
	table_real(t, LDELAY_MEAN, (double)s.sum / (double)n);
	table_real(t, LDELAY_P95, stats_quantile(v, n, 0.95));
	table_real(t, LDELAY_MEDIAN, stats_quantile(v, n, 0.5));
	table_int(t, LDELAY_MIN, s.min);
	table_int(t, LDELAY_MAX, s.max);
	table_int(t, LDELAY_SUM, s.sum);
	table_int(t, LDELAY_NEGATIVE, s.negative);
}

/* People see HTA's delay of each kind there is. */
void launches_put_delays(struct launches *l, const struct table_doc *doc)
{
	size_t size = (size_t)l->device_events * sizeof(int64_t), n;
	struct table *t = perrun_table(l->at, doc);
	int64_t *v = xmalloc(size);

	for (size_t i = 0; i < LAUNCH_WORKS; i++)
		for (int d = 0; d < LAUNCH_DELAY_COUNT; d++) {
			if (l->at->q->for_people && d == LAUNCH_DELAY_CLIPPED)
				continue;
			n = collect(l, launch_works[i].kinds, (enum launch_delay)d, v);
			if (n > 0 || !l->at->q->for_people)
				put_delay(t, launch_works[i].word, (enum launch_delay)d, v, n);
		}
	free(v);
}
