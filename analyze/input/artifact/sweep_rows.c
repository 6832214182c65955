/*
 * Batch sizes.  Statistics over raw measurements are those of the aggregated file: mean, population
 * standard deviation, extremes, median.
 */
#include "analyze/input/artifact/sweep_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/artifact/jsondoc.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "base/die.h"

static const struct {
	const char *key;
	enum sweep_metric metric;
	enum measure measure;
} metrics[] = {
	{ "latency_total", SWEEP_LATENCY_TOTAL, MEASURE_S },
	{ "latency_per_sample", SWEEP_LATENCY_SAMPLE, MEASURE_S },
	{ "latency_per_batch", SWEEP_LATENCY_BATCH, MEASURE_S },
	{ "throughput_samples_per_sec", SWEEP_SAMPLES_PER_S, MEASURE_NONE },
	{ "throughput_batches_per_sec", SWEEP_BATCHES_PER_S, MEASURE_NONE },
	{ "cpu_mem_used", SWEEP_CPU_BYTES, MEASURE_MIB },
	{ "gpu_mem_used", SWEEP_GPU_BYTES, MEASURE_MIB },
	{ "peak_gpu_mem", SWEEP_PEAK_GPU_BYTES, MEASURE_MIB },
};

static const char *const stats[SWEEP_STAT_COUNT] = { "_mean", "_std", "_min", "_max", "_median" };

bool sweep_rows_heading(struct span t, struct sweep_heading *h)
{
	size_t i, k;

	*h = (struct sweep_heading){ SWEEP_BATCH, MEASURE_COUNT };
	if (span_is(t, "batch_size"))
		return true;
	h->col = SWEEP_SAMPLES;
	if (span_is(t, "num_samples"))
		return true;
	h->col = SWEEP_RUNS;
	if (span_is(t, "num_runs"))
		return true;
	for (i = 0; i < COUNT_OF(metrics); i++) {
		struct span rest = { t.p, t.n };

		if (!span_starts(t, metrics[i].key))
			continue;
		rest.p += strlen(metrics[i].key);
		rest.n -= strlen(metrics[i].key);
		for (k = 0; k < SWEEP_STAT_COUNT; k++)
			if (span_is(rest, stats[k])) {
				h->col = (size_t)SWEEP_AT(metrics[i].metric, k);
				h->measure = metrics[i].measure;
				return true;
			}
	}
	return false;
}

bool sweep_rows_raw_heading(struct span t, unsigned *metric, enum measure *measure)
{
	size_t i;

	*measure = MEASURE_NONE;
	*metric = SWEEP_METRICS;
	if (span_is(t, "batch_size"))
		return true;
	*metric = SWEEP_METRICS + 1;
	if (span_is(t, "num_samples"))
		return true;
	for (i = 0; i < COUNT_OF(metrics); i++)
		if (span_is(t, metrics[i].key)) {
			*metric = metrics[i].metric;
			*measure = metrics[i].measure;
			return true;
		}
	return false;
}

void sweep_rows_list(struct reading *in, struct json_value list)
{
	struct span it = list.text, none, key;
	struct json_value row, v;
	struct sweep_heading h;
	struct sheet *s;
	double d;

	if (list.type != JSON_ARRAY)
		return;
	s = record_sheet(in->record, in->artifact, SHEET_SWEEP);
	while (json_next(&it, &none, &row)) {
		struct span inside = row.text;

		if (row.type != JSON_OBJECT || !record_row(s))
			continue;
		while (json_next(&inside, &key, &v))
			if (sweep_rows_heading(key, &h) && jsondoc_number(v, &d))
				jsondoc_cell(&s->table, h.col, d, h.measure);
		reading_artifact(in)->rows++;
	}
}

/* --- raw measurements --- */

enum { VALUES = SWEEP_METRICS + 2, MOST_RAW = 1 << 20 };

struct sweep_raw {
	struct reading *in;
	double *value; /* n rows of VALUES, in base units */
	size_t n, cap;
};

struct sweep_raw *sweep_raw_new(struct reading *in)
{
	struct sweep_raw *r = calloc(1, sizeof(*r));

	if (!r)
		die_oom(sizeof(*r));
	r->in = in;
	return r;
}

void sweep_raw_add(struct sweep_raw *r, const double *value)
{
	if (r->n >= MOST_RAW || isnan(value[SWEEP_METRICS]))
		return;
	r->value = array_grow(r->value, &r->cap, (r->n + 1) * VALUES, sizeof(double));
	memcpy(r->value + r->n++ * VALUES, value, VALUES * sizeof(double));
}

static int by_batch(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (x[SWEEP_METRICS] > y[SWEEP_METRICS]) - (x[SWEEP_METRICS] < y[SWEEP_METRICS]);
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Five statistics of v[0 .. n), which is sorted here. */
static void put_stats(struct table *t, unsigned metric, double *v, size_t n)
{
	double sum = 0, squares = 0, mean;
	size_t i;

	if (n == 0)
		return;
	qsort(v, n, sizeof(*v), by_value);
	for (i = 0; i < n; i++)
		sum += v[i];
	mean = sum / (double)n;
	for (i = 0; i < n; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	table_real(t, (size_t)SWEEP_AT(metric, SWEEP_MEAN), mean);
	table_real(t, (size_t)SWEEP_AT(metric, SWEEP_STD), sqrt(squares / (double)n));
	table_real(t, (size_t)SWEEP_AT(metric, SWEEP_MIN), v[0]);
	table_real(t, (size_t)SWEEP_AT(metric, SWEEP_MAX), v[n - 1]);
	table_real(t, (size_t)SWEEP_AT(metric, SWEEP_MEDIAN), (v[(n - 1) / 2] + v[n / 2]) / 2);
}

static void put_batch(struct sheet *s, const double *value, size_t n, double *scratch)
{
	unsigned m;
	size_t i, k;

	if (!record_row(s))
		return;
	jsondoc_cell(&s->table, SWEEP_BATCH, value[SWEEP_METRICS], MEASURE_COUNT);
	if (!isnan(value[SWEEP_METRICS + 1]))
		jsondoc_cell(&s->table, SWEEP_SAMPLES, value[SWEEP_METRICS + 1], MEASURE_COUNT);
	table_int(&s->table, SWEEP_RUNS, (int64_t)n);
	for (m = 0; m < SWEEP_METRICS; m++) {
		for (i = 0, k = 0; i < n; i++)
			if (!isnan(value[i * VALUES + m]))
				scratch[k++] = value[i * VALUES + m];
		put_stats(&s->table, m, scratch, k);
	}
}

void sweep_raw_end(struct sweep_raw *r)
{
	struct sheet *s = record_sheet(r->in->record, r->in->artifact, SHEET_SWEEP);
	double *scratch = arena_array(&r->in->mem, r->n, sizeof(double));
	size_t i, n;

	if (r->n)
		qsort(r->value, r->n, VALUES * sizeof(double), by_batch);
	for (i = 0; i < r->n; i += n) {
		for (n = 1; i + n < r->n &&
			by_batch(&r->value[i * VALUES], &r->value[(i + n) * VALUES]) == 0;
			n++)
			;
		put_batch(s, &r->value[i * VALUES], n, scratch);
	}
	free(r->value);
	free(r);
}
