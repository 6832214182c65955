/*
 * Counters to series.  `traceq capture` writes them: ph C, cat nvml, pid the device, args {"":
 * value}.
 */
#include "analyze/input/load_samples.h"

#include <math.h>

#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "base/compiler.h"
#include "base/saturate.h"

/* X(the counter, the series, its measure) */
static const struct {
	const char *counter, *series;
	enum measure measure;
} names[] = {
	{ "power (W)", "power.draw", MEASURE_WATT },
	{ "GPU utilization (%)", "utilization.gpu", MEASURE_PERCENT },
	{ "memory utilization (%)", "utilization.memory", MEASURE_PERCENT },
	{ "memory used (MiB)", "memory.used", MEASURE_MIB },
	{ "SM clock (MHz)", "clocks.sm", MEASURE_MHZ },
	{ "temperature (C)", "temperature.gpu", MEASURE_CELSIUS },
	{ "throttle reasons (bits)", "clocks_throttle_reasons.active", MEASURE_NONE },
};

/* Seconds since 1970 where the trace says them, else since its zero. */
static double seconds_of(const struct run *run, nsec start)
{
	nsec at = saturate_add(start, run->meta.has_base ? run->meta.base_ns : 0);

	nsec rest = at % 1000000000, whole = (at - rest) / 1000000000;

	return (double)whole + (double)rest / 1e9;
}

static void take(struct run *run, size_t row, int artifact)
{
	struct span name = run_name(run, row);
	const struct lane *l = &run->lanes.lane[run->events.lane[row]];
	struct span group = strings_get(&run->strings, l->pid);
	double v = run->events.args[row]
		? args_f64(&run->args, ARG_COUNTER_VALUE, run->events.args[row] - 1)
		: NAN;
	struct series *s;

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (!span_is(name, names[i].counter))
			continue;
		s = record_series(run->record, artifact, span_of(names[i].series), group);
		if (!s)
			return;
		s->measure = names[i].measure;
		s->axis = AXIS_TIME;
		if (isnan(v))
			series_add_missing(s);
		else
			series_add(s, seconds_of(run, run->events.start[row]), v);
		run->record->artifact[artifact].rows++;
		return;
	}
}

void load_samples(struct run *run)
{
	struct events *e = &run->events;
	size_t row = events_find(e, 0, KIND_COUNTER);
	int artifact;

	if (row == e->n)
		return;
	if (!run->record)
		run->record = record_new();
	artifact = record_artifact(run->record, run->path, "nvml", "samples of NVML in the trace");
	for (; row < e->n; row = events_find(e, row + 1, KIND_COUNTER)) {
		take(run, row, artifact);
		e->flags[row] |= EVENT_DROP;
	}
	events_drop(e);
}
