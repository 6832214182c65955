/* Rules about memory that files state: of one operation (R02), a profiler's peak (R03), the
 * device's (R07), and the documents' leak check (Q03). */
#include "analyze/answer/diagnose/rules.h"
#include "analyze/measure/curve.h"
#include "analyze/measure/memory/leakcheck.h"
#include "analyze/measure/memory/memtrend.h"
#include "analyze/trace/figure.h"
#include "analyze/trace/unit_of_measure.h"

static void check_op_memory(struct look *k)
{
	const struct sheet *ops;

	for (size_t i = 0; (ops = recorded_sheet(k, SHEET_OPS, i)); i++) {
		struct span name = SPAN("");
		double worst = 0;

		for (size_t row = 0; row < ops->table.nrow; row++) {
			double v = table_number_at(&ops->table, row, OPS_LARGEST);
			double calls = table_number_at(&ops->table, row, OPS_CALLS);

			if (isnan(v)) /* a sum over calls: one of them took that much at least */
				v = table_number_at(&ops->table, row, OPS_DEVICE_BYTES) /
					fmax(calls, 1);
			if (!(v > worst))
				continue;
			worst = v;
			name = table_text_at(&ops->table, row, OPS_NAME);
		}
		if (!(worst > look_limit(k, "R02.note")))
			continue;
		struct finding *f = look_found(k, SEVERITY_NOTE, ops->artifact,
			"High CUDA memory usage detected: %.2fGB - consider memory optimization; %s",
			worst / 1e9, look_name(k->mem, name));
		f->value = worst;
	}
}

RULE(R02, "memory of an op",
	"An operation of which a call takes more than 1e9 bytes of GPU memory, by a table: "
	"the largest row of its name, or its sum over its calls.",
	"Phase B Profiler Implementation, check_profile.py",
	.limits = LIMITS(LIMIT("diagnose.R02.note", BYTES, "1GB",
		"memory of an operation above which it is named")),
	.record = check_op_memory)

/* ---- R03 ---- */

/* The true peak of the trace beside it; NaN where that has no totals. */
static double true_peak(const struct look *k)
{
	const struct memcurve *c = k->profile ? k->profile->curve : NULL;

	return c && c->peak < c->n && !c->is_relative ? (double)c->allocated[c->peak] : NAN;
}

static void check_peak(struct look *k)
{
	const struct scalar *s = recorded_find(k, "peak_memory_usage.cuda");
	double peak = scalar_number(s), real = true_peak(k);

	if (!s || isnan(peak))
		return;
	if (!(peak > look_limit(k, "R03.note")) && isnan(real))
		return;
	struct finding *f = look_found(k, SEVERITY_NOTE, s->artifact,
		"Peak CUDA memory usage: %.2fGB - monitor for memory leaks", peak / 1e9);
	f->value = peak;
	if (isnan(real)) {
		f->action = "that is the largest single event, so the real peak is higher: a trace "
			    "with profile_memory=True has it";
		return;
	}
	f->action = arena_printf(k->mem,
		"that is the largest single event; the peak by the trace's [memory] events is "
		"%.2fGB, %.2fGB %s",
		real / 1e9, fabs(real - peak) / 1e9, real >= peak ? "more" : "less");
	if (peak <= look_limit(k, "R03.note") && fabs(real - peak) <= peak / 100)
		f->severity = SEVERITY_OK;
}

RULE(R03, "peak memory",
	"A peak of GPU memory above 1e9 bytes in memory_stats.json. That file has the "
	"largest single event; beside a trace with [memory] events the true peak, and "
	"by how much it differs, is stated.",
	"Phase B Profiler Implementation, check_profile.py",
	.limits = LIMITS(
		LIMIT("diagnose.R03.note", BYTES, "1GB", "a peak above which it is named")),
	.record = check_peak)

/* ---- R07 ---- */

/* What files call a peak of device memory. */
static const struct {
	const char *key;
	enum measure measure;
} peaks[] = {
	{ "peak_allocated_gb", MEASURE_GIB },
	{ "max_mem_mb", MEASURE_MIB },
	{ "peak_gpu_mem", MEASURE_MIB },
};

static void judge_peak(struct look *k, struct span key, int artifact, double peak, double capacity)
{
	double ratio = peak / capacity;
	enum severity severity = SEVERITY_OK;

	if (ratio > look_limit(k, "R07.warn"))
		severity = SEVERITY_WARN;
	else if (ratio > look_limit(k, "R07.high") || ratio < look_limit(k, "R07.low"))
		severity = SEVERITY_NOTE;
	struct finding *f = look_found(k, severity, artifact, "%.*s: %s of %s (%s)%s", (int)key.n,
		key.p, unit_bytes(k->mem, peak), unit_bytes(k->mem, capacity),
		unit_percent(k->mem, ratio),
		severity == SEVERITY_WARN ? ", may run out of memory" : "");
	f->value = ratio;
	if (severity == SEVERITY_OK)
		return;
	f->action = ratio > look_limit(k, "R07.high") ? "Reduce batch size / Gradient accumulation"
						      : "there is room for a larger batch";
}

/* The largest that files say under a key that ends so; NULL: none does. */
static const struct scalar *largest_of(const struct look *k, const char *end)
{
	const struct scalar *best = recorded_find(k, end);

	for (size_t i = 0; best && i < k->record->scalars.n; i++) {
		const struct scalar *s = &k->record->scalars.v[i];

		if (span_eq(s->key, best->key) && scalar_number(s) > scalar_number(best))
			best = s;
	}
	return best;
}

/* What a series is of: the GPU's memory where samples say it, else the device's. */
static double capacity_of(const struct look *k, const struct series *s)
{
	for (size_t i = 0; i < k->record->nseries; i++) {
		const struct series *of = k->record->series[i];

		if (of->artifact == s->artifact && of->n > 0 && span_eq(of->group, s->group) &&
			span_starts_in(of->name, "memory.total|FB_TOTAL"))
			return of->max * measure_infos[of->measure].factor;
	}
	return k->capacity;
}

/* Memory along a run: where it is nearly full. */
static void check_series(struct look *k)
{
	for (size_t i = 0; i < k->record->nseries; i++) {
		const struct series *s = k->record->series[i];
		const struct measure_info *m = &measure_infos[s->measure];
		double has = capacity_of(k, s), most = s->max * m->factor;
		bool is_memory = span_starts(s->name, "memory.used") ||
			metric_role(s->name) == ROLE_ALLOCATED ||
			metric_role(s->name) == ROLE_RESERVED;

		if (s->n == 0 || m->base != UNIT_BYTES || !is_memory || !(has > 0) ||
			!(most / has > look_limit(k, "R07.high")) || most > 2 * has)
			continue;
		const char *key = arena_printf(k->mem, "%.*s%s%.*s", (int)s->name.n, s->name.p,
			s->group.n ? ", GPU " : "", (int)s->group.n, s->group.p);
		judge_peak(k, span_of(key), s->artifact, most, has);
	}
}

static void check_full(struct look *k)
{
	check_series(k);
	for (size_t i = 0; i < COUNT_OF(peaks); i++) {
		const struct scalar *s = largest_of(k, peaks[i].key);
		double peak = scalar_number(s) * measure_infos[peaks[i].measure].factor;

		if (!(peak > 0))
			continue;
		if (k->capacity > 0) {
			judge_peak(k, s->key, s->artifact, peak, k->capacity);
			continue;
		}
		struct finding *f =
			look_found(k, SEVERITY_UNKNOWN, s->artifact, "%.*s: %s; of how much?",
				(int)s->key.n, s->key.p, unit_bytes(k->mem, peak));
		f->value = peak;
		f->action = "--capacity says how much the GPU has";
	}
}

RULE(R07, "memory in use",
	"The peak of GPU memory that a file states, over what the GPU has: as "
	"--capacity says, else the trace, else a file with the GPU's data; of samples and logs "
	"the highest value, where it is above 95%. The guide: "
	"85 to 95% is ideal, below 50% low, above 98% may run out of memory.",
	"PyTorch Profiler Analysis Guide; Profiling & Metrics",
	.limits = LIMITS(LIMIT("diagnose.R07.warn", RATIO, "98%",
				 "WARN when the peak is above this: it may run out"),
		LIMIT("diagnose.R07.high", RATIO, "95%",
			"a note above this; from 85% to here is ideal"),
		LIMIT("diagnose.R07.low", RATIO, "50%", "a note below this: there is room")),
	.record = check_full)

/* ---- Q03 ---- */

static void put_check(
	struct look *k, const struct leakcheck *l, const char *place, struct span key, int artifact)
{
	struct finding *f;

	if (l->checks < 2)
		return;
	if (!l->is_found) {
		f = look_found(k, SEVERITY_OK, artifact, "no leak in %zu checks of %.*s", l->checks,
			(int)key.n, key.p);
		f->value = l->growth;
		return;
	}
	f = look_found(k, SEVERITY_NOTE, artifact,
		"a leak at %s %.0f by this check: %.*s +%s over the baseline of %s", place, l->x,
		(int)key.n, key.p, unit_bytes(k->mem, l->growth), unit_bytes(k->mem, l->baseline));
	f->value = l->growth;
	f->action = "'traceq metrics' tells a leak from memory that is taken once";
}

void recorded_leak(struct look *k)
{
	double threshold = look_limit(k, "Q03.growth");
	const struct sheet *sheet;

	for (size_t i = 0; i < k->record->nseries; i++) {
		const struct series *s = k->record->series[i];
		struct curve c;

		if (metric_role(s->name) != ROLE_ALLOCATED || memtrend_is_maximum(s->name) ||
			measure_infos[s->measure].base != UNIT_BYTES)
			continue;
		curve_of(&c, s, NULL, 0, k->mem);
		for (size_t j = 0; j < c.n; j++)
			c.y[j] *= measure_infos[s->measure].factor;
		struct leakcheck l = leakcheck_curve(
			&c, NAN, threshold, s->axis == AXIS_STEP ? LEAKCHECK_EVERY : SIZE_MAX);
		put_check(k, &l, s->axis == AXIS_STEP ? "step" : "row", s->name, s->artifact);
	}
	for (size_t i = 0; (sheet = recorded_sheet(k, SHEET_MEMORY, i)); i++) {
		bool is_step;
		struct leakcheck l = leakcheck_sheet(&sheet->table, threshold, &is_step, k->mem);

		put_check(k, &l, is_step ? "step" : "measurement", SPAN("allocated"),
			sheet->artifact);
	}
}
