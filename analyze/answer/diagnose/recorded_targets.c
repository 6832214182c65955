/* A rule about the week-1 guide's targets for inference (R16). */
#include "analyze/answer/diagnose/rules.h"

/* What was measured for the run as a whole, else the best of the batch sizes. */
struct measured {
	double latency, rate; /* ns a sample, samples/s; NaN */
	int artifact;
	const char *latency_at, *rate_at; /* "", " at batch size 32" */
};

static void look_at_sweep(struct look *k, struct measured *m)
{
	const struct sheet *s = recorded_sheet(k, SHEET_SWEEP, 0);

	for (size_t i = 0; s && i < s->table.nrow; i++) {
		double batch = table_number_at(&s->table, i, SWEEP_BATCH);
		double latency =
			table_number_at(&s->table, i, SWEEP_AT(SWEEP_LATENCY_SAMPLE, SWEEP_MEAN));
		double rate =
			table_number_at(&s->table, i, SWEEP_AT(SWEEP_SAMPLES_PER_S, SWEEP_MEAN));
		const char *at = arena_printf(k->mem, " at batch size %.0f", batch);

		m->artifact = s->artifact;
		if (latency > 0 && !(m->latency <= latency)) {
			m->latency = latency;
			m->latency_at = at;
		}
		if (rate > 0 && !(m->rate >= rate)) {
			m->rate = rate;
			m->rate_at = at;
		}
	}
}

static void look_at_whole(struct look *k, struct measured *m)
{
	const struct scalar *latency = recorded_find(k, "full_dataset_metrics.latency_per_sample");
	const struct scalar *rate =
		recorded_find(k, "full_dataset_metrics.throughput_samples_per_sec");

	*m = (struct measured){ NAN, NAN, -1, " on the full data set", " on the full data set" };
	if (latency) {
		m->latency = scalar_number(latency) * measure_infos[MEASURE_S].factor;
		m->artifact = latency->artifact;
	}
	if (rate) {
		m->rate = scalar_number(rate);
		m->artifact = rate->artifact;
	}
	if (isnan(m->latency) && isnan(m->rate))
		look_at_sweep(k, m);
}

static void check_targets(struct look *k)
{
	double most = look_limit(k, "R16.latency"), least = look_limit(k, "R16.throughput");
	struct finding *f;
	struct measured m;

	look_at_whole(k, &m);
	if (m.latency > 0) {
		f = look_found(k, m.latency < most ? SEVERITY_OK : SEVERITY_WARN, m.artifact,
			"latency per sample %s%s, target below %s", unit_time(k->mem, m.latency),
			m.latency_at, unit_time(k->mem, most));
		f->value = m.latency / 1e9;
		if (f->severity == SEVERITY_WARN)
			f->action = "float16 or bfloat16; quantization; fewer padded tokens";
	}
	if (m.rate > 0) {
		f = look_found(k, m.rate > least ? SEVERITY_OK : SEVERITY_WARN, m.artifact,
			"throughput %.2f samples/s%s, target above %.0f", m.rate, m.rate_at, least);
		f->value = m.rate;
		if (f->severity == SEVERITY_WARN)
			f->action = "larger batches: 8-32 is the guide's best balance, 1-4 too "
				    "small; 'traceq batch'";
	}
}

RULE(R16, "targets",
	"The guide's targets for inference: less than 50 ms a sample for real time, more than "
	"100 samples/s for production. Looked at is the full data set, else the best batch "
	"size. What the guide expects of an A100 stands in 'traceq metrics'.",
	"Week 1 baseline profiling",
	.limits = LIMITS(LIMIT("diagnose.R16.latency", TIME, "50ms",
				 "the guide's target for a sample: below this"),
		LIMIT("diagnose.R16.throughput", NUMBER, "100",
			"its target in samples/s: above this")),
	.record = check_targets)
