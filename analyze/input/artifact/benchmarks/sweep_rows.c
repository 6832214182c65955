/* Batch sizes.  Latency times rate is 1 where both are by second, which tells latencies in ms
 * though their headings name no unit.  Statistics over raw measurements are those of the aggregated
 * file: mean, population standard deviation, extremes, median. */
#include "analyze/input/artifact/benchmarks/sweep_rows.h"

#include "analyze/input/artifact/jsondoc.h"
#include "base/base.h"

/* --- latencies that are not in seconds --- */

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
	for (size_t row = 0; row < t->nrow; row++)
		for (size_t k = 0; k < SWEEP_STAT_COUNT; k++) {
			size_t at = row * t->ncol + (size_t)SWEEP_AT(metric, k);

			if (t->known[at])
				t->cell[at].r /= 1000;
		}
}

static void mend_one(struct reading *in, struct table *t, size_t i)
{
	int64_t ms = 0, n = 0;

	for (size_t row = 0; row < t->nrow; row++) {
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
	for (size_t i = 0; i < COUNT_OF(latencies); i++)
		mend_one(in, &s->table, i);
}

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
	{ "throughput", SWEEP_SAMPLES_PER_S, MEASURE_NONE },
	{ "cpu_mem_used", SWEEP_CPU_BYTES, MEASURE_MIB },
	{ "gpu_mem_used", SWEEP_GPU_BYTES, MEASURE_MIB },
	{ "peak_gpu_mem", SWEEP_PEAK_GPU_BYTES, MEASURE_MIB },
};

static const char *const stats[SWEEP_STAT_COUNT] = { "_mean", "_std", "_min", "_max", "_median" };

/* Units that a heading may name behind what it measures, or behind the statistic. */
static const struct {
	const char *suffix;
	enum measure measure, of; /* of: what is measured in such units */
} units[] = {
	{ "_s", MEASURE_S, MEASURE_S },
	{ "_ms", MEASURE_MS, MEASURE_S },
	{ "_us", MEASURE_US, MEASURE_S },
	{ "_mb", MEASURE_MIB, MEASURE_MIB },
	{ "_gb", MEASURE_GIB, MEASURE_MIB },
};

/* Takes the text off the start of what is left of a heading; false: it is not there. */
static bool take(struct span *t, const char *text)
{
	if (!span_starts(*t, text))
		return false;
	*t = span_from(*t, strlen(text));
	return true;
}

/* Takes a unit, as a whole word. */
static void take_unit(struct span *t, enum measure *m)
{
	for (size_t i = 0; i < COUNT_OF(units); i++) {
		struct span rest = *t;

		if (units[i].of == *m && take(&rest, units[i].suffix) &&
			(rest.n == 0 || rest.p[0] == '_')) {
			*t = rest;
			*m = units[i].measure;
			return;
		}
	}
}

/* "latency_per_sample", "latency_per_sample_ms_mean", "latency_per_sample_mean_ms". */
static bool heading_of(struct span t, unsigned *metric, size_t *stat, enum measure *measure)
{
	for (size_t i = 0; i < COUNT_OF(metrics); i++) {
		struct span rest = t;

		if (!take(&rest, metrics[i].key))
			continue;
		*metric = metrics[i].metric;
		*measure = metrics[i].measure;
		take_unit(&rest, measure);
		*stat = FIRST(k, SWEEP_STAT_COUNT, take(&rest, stats[k]));
		if (*measure == metrics[i].measure)
			take_unit(&rest, measure);
		if (rest.n == 0)
			return true;
	}
	return false;
}

bool sweep_rows_heading(struct span t, struct sweep_heading *h)
{
	static const struct meaning counts[] = { { span_in, "batch_size", SWEEP_BATCH },
		{ span_in, "num_samples", SWEEP_SAMPLES }, { span_in, "num_runs", SWEEP_RUNS } };
	int count = MEANING_OF(t, counts, -1);
	unsigned metric;
	size_t stat;

	*h = (struct sweep_heading){ (size_t)count, MEASURE_COUNT };
	if (count >= 0)
		return true;
	if (!heading_of(t, &metric, &stat, &h->measure) || stat == SWEEP_STAT_COUNT)
		return false;
	h->col = (size_t)SWEEP_AT(metric, stat);
	return true;
}

bool sweep_rows_raw_heading(struct span t, unsigned *metric, enum measure *measure)
{
	size_t stat;

	*measure = MEASURE_NONE;
	*metric = span_is(t, "batch_size") ? SWEEP_METRICS : SWEEP_METRICS + 1;
	return span_in(t, "batch_size|num_samples") ||
		(heading_of(t, metric, &stat, measure) && stat == SWEEP_STAT_COUNT);
}

void sweep_rows_list(struct reading *in, struct json_value list)
{
	struct sweep_heading h;
	double d;

	if (list.type != JSON_ARRAY)
		return;
	struct sheet *s = record_sheet(in->record, in->artifact, SHEET_SWEEP);
	for (struct json_items it = json_items(list); json_more(&it);) {
		if (it.v.type != JSON_OBJECT || !record_row(s))
			continue;
		for (struct json_items m = json_items(it.v); json_more(&m);)
			if (sweep_rows_heading(m.key, &h) && jsondoc_number(m.v, &d))
				jsondoc_cell(&s->table, h.col, d, h.measure);
		reading_artifact(in)->rows++;
	}
	sweep_units_mend(in, s);
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
	struct sweep_raw *r = xcalloc(1, sizeof(*r));

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

ORDER(by_batch, double, compare3(a[SWEEP_METRICS], b[SWEEP_METRICS]))

ORDER(by_value, double, compare3(*a, *b))

/* Five statistics of v[0 .. n), which is sorted here. */
static void put_stats(struct table *t, unsigned metric, double *v, size_t n)
{
	if (n == 0)
		return;
	qsort(v, n, sizeof(*v), by_value);
	double mean = SUM(double, i, n, v[i]) / (double)n;
	double squares = SUM(double, i, n, (v[i] - mean) * (v[i] - mean));
	table_real(t, (size_t)SWEEP_AT(metric, SWEEP_MEAN), mean);
	table_real(t, (size_t)SWEEP_AT(metric, SWEEP_STD), sqrt(squares / (double)n));
	table_real(t, (size_t)SWEEP_AT(metric, SWEEP_MIN), v[0]);
	table_real(t, (size_t)SWEEP_AT(metric, SWEEP_MAX), v[n - 1]);
	table_real(t, (size_t)SWEEP_AT(metric, SWEEP_MEDIAN), (v[(n - 1) / 2] + v[n / 2]) / 2);
}

static void put_batch(struct sheet *s, const double *value, size_t n, double *scratch)
{
	size_t i, k;

	if (!record_row(s))
		return;
	jsondoc_cell(&s->table, SWEEP_BATCH, value[SWEEP_METRICS], MEASURE_COUNT);
	if (!isnan(value[SWEEP_METRICS + 1]))
		jsondoc_cell(&s->table, SWEEP_SAMPLES, value[SWEEP_METRICS + 1], MEASURE_COUNT);
	table_int(&s->table, SWEEP_RUNS, (int64_t)n);
	for (unsigned m = 0; m < SWEEP_METRICS; m++) {
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
	size_t n;

	if (r->n)
		qsort(r->value, r->n, VALUES * sizeof(double), by_batch);
	for (size_t i = 0; i < r->n; i += n) {
		for (n = 1; i + n < r->n &&
			by_batch(&r->value[i * VALUES], &r->value[(i + n) * VALUES]) == 0;
			n++)
			;
		put_batch(s, &r->value[i * VALUES], n, scratch);
	}
	sweep_units_mend(r->in, s);
	FREE_ALL(r->value, r);
}
