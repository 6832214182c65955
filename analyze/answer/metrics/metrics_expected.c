/*
 * `metrics`: a run of the week-1 guide beside what that expects of a 0.5B model on an A100, and its
 * targets.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "analyze/trace/columns/sheet.h"
#include "base/compiler.h"

#define MS 1e6

enum { BATCH = 32 }; /* of the expected latency */

/* One quantity. */
struct expected {
	const char *what;
	enum unit unit;
	double low, high; /* base units */
	double target;    /* NaN: none */
	int side;         /* of the target: -1 below, 1 above */
};

static const struct expected model_size = { "model size", UNIT_BYTES, 1e9, 2e9, NAN, 0 };
static const struct expected latency = { "latency/sample at batch size 32", UNIT_NS, 10 * MS,
	30 * MS, 50 * MS, -1 };
static const struct expected rate = { "samples/s", UNIT_NONE, 50, 200, 100, 1 };
static const struct expected memory = { "GPU memory", UNIT_BYTES, 2.0 * (1 << 30), 6.0 * (1 << 30),
	NAN, 0 };
/* "~92%" */
static const struct expected accuracy = { "accuracy", UNIT_RATIO, 0.91, 0.93, NAN, 0 };

static void put(struct lazy_table *to, const struct expected *e, double v)
{
	struct table *t;

	if (isnan(v))
		return;
	t = lazy_table(to);
	table_row(t);
	table_unit(t, e->unit);
	table_text(t, MEXPECT_WHAT, span_of(e->what));
	table_real(t, MEXPECT_VALUE, v);
	table_real(t, MEXPECT_LOW, e->low);
	table_real(t, MEXPECT_HIGH, e->high);
	table_text(t, MEXPECT_VERDICT,
		v < e->low            ? SPAN("below")
			: v > e->high ? SPAN("above")
				      : SPAN("within"));
	if (e->side)
		table_textf(t, MEXPECT_TARGET, "%s %g %s: %s", e->side < 0 ? "below" : "above",
			e->unit == UNIT_NS ? e->target / MS : e->target,
			e->unit == UNIT_NS ? "ms" : "samples/s",
			(e->side < 0 ? v < e->target : v > e->target) ? "met" : "missed");
}

static double number(const struct metrics *m, const char *key, double factor)
{
	return factor * scalar_number(record_find(&m->at->record->scalars, key));
}

/* Of the row of that batch size; 0: the largest of all. */
static double of_sweep(const struct metrics *m, int64_t batch, size_t col)
{
	const struct sheet *s = record_find_sheet(m->at->record, SHEET_SWEEP);
	double most = NAN;
	size_t i;

	for (i = 0; s && i < s->table.nrow; i++) {
		const union cell *of = table_cell(&s->table, i, SWEEP_BATCH);
		double v = table_number_at(&s->table, i, col);

		if (of && (batch == 0 || of->i == batch))
			most = fmax(most, v);
	}
	return most;
}

static double or_else(double v, double other)
{
	return isnan(v) ? other : v;
}

void metrics_put_expected(struct metrics *m, const struct table_doc *doc)
{
	struct lazy_table to = { m->at, doc, NULL };
	double mib = measure_infos[MEASURE_MIB].factor;

	if (record_find_artifact(m->at->record, "baseline_metrics") < 0)
		return;
	put(&to, &model_size,
		number(m, "model_info.total_size_mb", measure_infos[MEASURE_MEGABYTE].factor));
	put(&to, &latency, of_sweep(m, BATCH, SWEEP_AT(SWEEP_LATENCY_SAMPLE, SWEEP_MEAN)));
	put(&to, &rate,
		or_else(number(m, "full_dataset_metrics.throughput_samples_per_sec", 1),
			of_sweep(m, 0, SWEEP_AT(SWEEP_SAMPLES_PER_S, SWEEP_MEAN))));
	put(&to, &memory,
		or_else(of_sweep(m, 0, SWEEP_AT(SWEEP_PEAK_GPU_BYTES, SWEEP_MEAN)),
			or_else(number(m, "full_dataset_metrics.peak_gpu_mem", mib),
				of_sweep(m, 0, SWEEP_AT(SWEEP_GPU_BYTES, SWEEP_MEAN)))));
	put(&to, &accuracy, number(m, "full_dataset_metrics.accuracy", 1));
}
