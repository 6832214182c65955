/* `batch`: sizes from a sweep, the sweet spot, and the laws of memory and latency. */
#include "analyze/answer/batch/batch.h"
#include "analyze/stat/law.h"
#include "analyze/trace/columns/sheet.h"

enum { LAW_SIZES = 3 };

static double real_at(const struct table *t, size_t row, int metric, int stat)
{
	return table_number_at(t, row, (size_t)SWEEP_AT(metric, stat));
}

/* The statistic, or the mean where the file has no such. */
static double real_or_mean(const struct table *t, size_t row, int metric, int stat)
{
	double v = real_at(t, row, metric, stat);

	return isnan(v) ? real_at(t, row, metric, SWEEP_MEAN) : v;
}

static void read_row(struct batch_size *s, const struct table *t, size_t row)
{
	*s = (struct batch_size){
		.batch = table_int_at(t, row, SWEEP_BATCH, -1),
		.samples = table_int_at(t, row, SWEEP_SAMPLES, -1),
		.runs = table_int_at(t, row, SWEEP_RUNS, -1),
		.sample_ns = real_at(t, row, SWEEP_LATENCY_SAMPLE, SWEEP_MEAN),
		.sample_std = real_at(t, row, SWEEP_LATENCY_SAMPLE, SWEEP_STD),
		.batch_ns = real_at(t, row, SWEEP_LATENCY_BATCH, SWEEP_MEAN),
		.rate = NAN,
		.rate_std = NAN,
		.written = real_at(t, row, SWEEP_SAMPLES_PER_S, SWEEP_MEAN),
		.written_std = real_at(t, row, SWEEP_SAMPLES_PER_S, SWEEP_STD),
		.peak = real_or_mean(t, row, SWEEP_PEAK_GPU_BYTES, SWEEP_MAX),
		.used = real_at(t, row, SWEEP_GPU_BYTES, SWEEP_MEAN),
		.used_std = real_at(t, row, SWEEP_GPU_BYTES, SWEEP_STD),
		.batch_std = real_at(t, row, SWEEP_LATENCY_BATCH, SWEEP_STD),
		.cpu = real_at(t, row, SWEEP_CPU_BYTES, SWEEP_MEAN),
		.cpu_std = real_at(t, row, SWEEP_CPU_BYTES, SWEEP_STD),
	};
	/*
	 * Of latency, throughput and latency of a batch, what is not written follows from what is.
	 */
	double batch = (double)s->batch;
	if (isnan(s->sample_ns) && s->batch_ns > 0)
		s->sample_ns = s->batch_ns / batch;
	if (isnan(s->sample_ns) && s->written > 0) {
		s->sample_ns = 1e9 / s->written;
		s->sample_std = s->sample_ns * s->written_std / s->written;
	}
	if (isnan(s->batch_ns))
		s->batch_ns = s->sample_ns * batch;
	if (s->sample_ns > 0) {
		s->rate = 1e9 / s->sample_ns;
		s->rate_std = s->rate * s->sample_std / s->sample_ns;
	}
}

ORDER(by_batch, struct batch_size, compare3(a->batch, b->batch),
	compare3(a->sample_ns, b->sample_ns))

void batch_read(struct batch *b, const struct sheet *s, struct arena *mem)
{
	const struct table *t = &s->table;

	b->v = arena_array(mem, t->nrow, sizeof(*b->v));
	b->n = 0;
	for (size_t i = 0; i < t->nrow; i++)
		if (table_int_at(t, i, SWEEP_BATCH, -1) > 0)
			read_row(&b->v[b->n++], t, i);
	qsort(b->v, b->n, sizeof(*b->v), by_batch);
}

static bool is_allowed(const struct batch *b, const struct batch_size *s)
{
	const struct batch_limits *l = &b->limit;

	if (l->capacity && s->peak > (1 - l->headroom) * (double)l->capacity)
		return false;
	if (l->has_least && s->rate < l->least)
		return false;
	return !l->has_slo || s->sample_ns <= l->slo;
}

/* Points of the sizes where y is known and above 0; returns how many, *sizes: different ones. */
static size_t points(const struct batch *b, size_t offset, double *x, double *y, size_t *sizes)
{
	size_t n = 0;
	int64_t before = 0;

	*sizes = 0;
	for (size_t i = 0; i < b->n; i++) {
		double v = *(const double *)((const char *)&b->v[i] + offset);

		if (!(v > 0))
			continue;
		*sizes += b->v[i].batch != before;
		before = b->v[i].batch;
		x[n] = (double)b->v[i].batch;
		y[n++] = v;
	}
	return n;
}

static struct line law(const struct batch *b, size_t offset, double *x, double *y, bool is_log)
{
	size_t sizes, n = points(b, offset, x, y, &sizes);

	if (sizes < LAW_SIZES)
		return (struct line){ NAN, NAN, NAN };
	for (size_t i = 0; is_log && i < n; i++) {
		x[i] = log(x[i]);
		y[i] = log(y[i]);
	}
	return line_fit(x, y, n);
}

void batch_judge(struct batch *b, struct arena *mem)
{
	double *x = arena_array(mem, b->n, sizeof(*x));
	double *y = arena_array(mem, b->n, sizeof(*y));

	double most = 0;
	b->best = b->sweet = SIZE_MAX;
	b->middle = b->n ? b->n / 2 : SIZE_MAX;
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].rate > most) {
			most = b->v[i].rate;
			b->best = i;
		}
	most = 0;
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].rate > most && is_allowed(b, &b->v[i]))
			most = b->v[i].rate;
	for (size_t i = 0; i < b->n && b->sweet == SIZE_MAX; i++)
		if (most > 0 && b->v[i].rate >= (1 - b->limit.epsilon) * most &&
			is_allowed(b, &b->v[i]))
			b->sweet = i;
	b->memory = law(b, offsetof(struct batch_size, peak), x, y, false);
	b->latency = law(b, offsetof(struct batch_size, batch_ns), x, y, false);
	b->exponent = law(b, offsetof(struct batch_size, batch_ns), x, y, true).slope;
}

int64_t batch_largest(const struct batch *b)
{
	double usable = (1 - b->limit.headroom) * (double)b->limit.capacity;
	double most = (usable - b->memory.intercept) / b->memory.slope;

	if (!b->limit.capacity || !(b->memory.slope > 0) || !(most < 9e15))
		return -1;
	return most < 0 ? 0 : saturate_whole(floor(most));
}

const char *batch_exponent_word(double exponent)
{
	if (isnan(exponent))
		return NULL;
	if (exponent < 0.9)
		return "sub-linear";
	return exponent <= 1.1 ? "linear" : "super-linear";
}

/* Half of the 95% interval of the mean rate; NaN when the runs cannot say. */
static double half_interval(const struct batch_size *s)
{
	if (s->runs < 2)
		return NAN;
	return law_t_quantile(0.975, (double)(s->runs - 1)) * s->rate_std / sqrt((double)s->runs);
}

bool batch_overlap(const struct batch_size *a, const struct batch_size *b)
{
	return fabs(a->rate - b->rate) <= half_interval(a) + half_interval(b);
}
