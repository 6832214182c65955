/*
 * Batch sizes in ms: latency times rate is 1 where both are by second.
 */
#include "analyze/input/artifact/benchmarks/sweep_units.h"

#include <math.h>

#include "base/compiler.h"

static const double least = 600, most = 1600; /* latency x rate in ms: about 1000 */

/* Latencies, and of how many samples each is. */
static const struct {
	enum sweep_metric metric;
	const char *name;
	int samples; /* the column; -1: of one */
} latencies[] = {
	{ SWEEP_LATENCY_SAMPLE, "latency_per_sample", -1 },
	{ SWEEP_LATENCY_BATCH, "latency_per_batch", SWEEP_BATCH },
	{ SWEEP_LATENCY_TOTAL, "latency_total", SWEEP_SAMPLES },
};

/* Seconds times rate; NaN where one of them is not there. */
static double product(const struct table *t, size_t row, size_t i)
{
	double latency = table_number_at(t, row, (size_t)SWEEP_AT(latencies[i].metric, SWEEP_MEAN));
	double rate = table_number_at(t, row, (size_t)SWEEP_AT(SWEEP_SAMPLES_PER_S, SWEEP_MEAN));
	double samples = latencies[i].samples < 0
		? 1
		: table_number_at(t, row, (size_t)latencies[i].samples);

	return latency / 1e9 * rate / samples;
}

static void divide(struct table *t, enum sweep_metric metric)
{
	size_t row, k;

	for (row = 0; row < t->nrow; row++)
		for (k = 0; k < SWEEP_STAT_COUNT; k++) {
			size_t at = row * t->ncol + (size_t)SWEEP_AT(metric, k);

			if (t->known[at])
				t->cell[at].r /= 1000;
		}
}

static void mend_one(struct reading *in, struct table *t, size_t i)
{
	int64_t ms = 0, n = 0;
	size_t row;

	for (row = 0; row < t->nrow; row++) {
		double x = product(t, row, i);

		n += !isnan(x);
		ms += x >= least && x <= most;
	}
	if (ms == 0)
		return;
	if (ms == n)
		divide(t, latencies[i].metric);
	reading_note(in, NOTE_WARNING, "latency_unit", ms, -1,
		ms == n ? "%s times the rate is about 1000, not 1, in each row: taken as ms"
			: "%s times the rate is about 1000, not 1, in some rows: ms? taken as s",
		latencies[i].name);
}

void sweep_units_mend(struct reading *in, struct sheet *s)
{
	size_t i;

	for (i = 0; i < COUNT_OF(latencies); i++)
		mend_one(in, &s->table, i);
}
