/*
 * `smi`: samples of nvidia-smi: utilisation, memory, temperature and power of each GPU, over time.
 */
#include "analyze/answer/smi/smi.h"

#include <inttypes.h>
#include <math.h>

#include "analyze/measure/power/sampleclock.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "base/compiler.h"
#include "base/opt.h"
#include "base/plural.h"
#include "base/saturate.h"
#include "base/setting.h"

#define TIGHT      0.7
#define TOO_LITTLE 0.5

enum { MACHINE_POINTS = 1000 };

/* What a time in ns can be: 285 years. */
static const double AT_MOST_NS = 9e18;

#define AT(field) offsetof(struct smi_options, field)
static const struct opt options[] = {
	OPT("no-trim", 0, OPT_FLAG, NULL,
		"keep the idle samples before the first and after the last busy one",
		AT(is_untrimmed), NULL, NULL),
	OPT("target", 0, OPT_TEXT, "RATIO", "utilization that is enough [80%]", AT(target), NULL,
		NULL),
	OPT("points", 0, OPT_INT, "N",
		"about so many points of each GPU's timeline; 0 = all [none; 1000 for machines]",
		AT(points), NULL, NULL),
	OPT("zone", 0, OPT_TEXT, "ZONE",
		"hours that the samples' clock is ahead of UTC, to join them with a trace: +01:00 "
		"[found: with which they cover the trace]",
		AT(zone), NULL, NULL),
};
#undef AT

static void set_defaults(void *opts)
{
	struct smi_options *o = opts;

	o->target = "80%";
	o->points = -1;
}

static enum status parse_target(const struct smi_options *o, double *target, struct err *e)
{
	static const struct setting row = { "--target", SETTING_RATIO, "", NULL, "" };
	struct setting_value v;

	TRY(setting_parse(&row, o->target, &v, e));
	*target = v.r;
	return OK;
}

static enum status parse_zone(const struct smi_options *o, int *zone_s, struct err *e)
{
	*zone_s = SAMPLECLOCK_SEARCH;
	return o->zone ? sampleclock_zone(o->zone, "--zone", zone_s, e) : OK;
}

static enum status check(const void *opts, const struct settings *settings, struct err *e)
{
	double target;
	int zone;

	(void)settings;
	TRY(parse_zone(opts, &zone, e));
	return parse_target(opts, &target, e);
}

struct task {
	const struct smi_options *o;
	double target;
};

static const char *verdict_of(const struct smi_figures *f, double target)
{
	if (f->idle >= 1)
		return "idle";
	if (f->util >= target)
		return "busy";
	if (f->util < TOO_LITTLE)
		return "under-used: seriously CPU-bound";
	return f->util < TIGHT ? "under-used: CPU-bound" : "under-used";
}

static int64_t missing_of(const struct smi_gpu *g)
{
	int64_t n = 0;
	int f;

	for (f = 0; f < SMI_FIELDS_N; f++)
		n += g->series[f] ? g->series[f]->missing : 0;
	return n;
}

static void put_hidden(struct table *t, const struct smi_gpu *g, const struct smi_figures *f)
{
	table_int(t, SGPU_SAMPLES, (int64_t)(g->to - g->from));
	table_int(t, SGPU_TRIMMED, (int64_t)(g->curve[g->lead].n - (g->to - g->from)));
	table_int(t, SGPU_GAPS, (int64_t)g->gaps);
	table_int(t, SGPU_MISSING, missing_of(g));
	table_real(t, SGPU_SECONDS, f->seconds);
	table_real(t, SGPU_INTERVAL, g->is_timed ? g->interval : NAN);
	table_real(t, SGPU_P50, f->util_p50);
	table_real(t, SGPU_UTIL_MEMORY, f->util_memory);
	table_real(t, SGPU_USED, f->used_mean);
	table_real(t, SGPU_CAPACITY, f->capacity);
	table_real(t, SGPU_GROWTH, f->used.slope);
	table_real(t, SGPU_GROWTH_P, f->used.p);
	table_real(t, SGPU_TEMPERATURE_MEAN, f->temperature_mean);
	table_real(t, SGPU_POWER_MAX, f->power_max);
	table_real(t, SGPU_POWER_LIMIT, f->power_limit);
	table_real(t, SGPU_ENERGY, f->energy);
	table_real(t, SGPU_CLOCK, f->clock_mean);
	table_real(t, SGPU_CLOCK_TOP, f->clock_top);
}

static void put_gpu(struct perrun *at, struct table *t, const struct smi_gpu *g, double target)
{
	struct smi_figures f;
	struct curve part = g->curve[SMI_UTIL];

	smi_figures(&f, g, &at->mem);
	table_row(t);
	table_text(t, SGPU_GPU, g->group);
	if (g->name.n)
		table_text(t, SGPU_NAME, g->name);
	table_real(t, SGPU_UTIL, f.util);
	if (at->q->for_people && g->lead == SMI_UTIL) {
		part.y += g->from;
		part.n = g->to - g->from;
		table_text(t, SGPU_SPARK, curve_spark(&part, CURVE_SPARK, &at->out->mem));
	}
	table_real(t, SGPU_P10, f.util_p10);
	table_real(t, SGPU_BUSY, f.busy);
	table_real(t, SGPU_IDLE, f.idle);
	table_real(t, SGPU_PEAK, f.used_peak);
	table_real(t, SGPU_PEAK_RATIO, f.used_peak / f.capacity);
	table_real(t, SGPU_TEMPERATURE, f.temperature_max);
	table_real(t, SGPU_POWER, f.power_mean);
	table_real(t, SGPU_THROTTLED, f.throttled);
	if (!isnan(f.util))
		table_text(t, SGPU_VERDICT, span_of(verdict_of(&f, target)));
	put_hidden(t, g, &f);
}

/* Stretches of equal time; those without a sample are left out. */
static void put_timeline(struct table *t, const struct smi_gpu *g, int64_t points)
{
	static const struct {
		size_t col;
		enum smi_field field;
	} cols[] = { { STIME_UTIL, SMI_UTIL }, { STIME_USED, SMI_USED },
		{ STIME_TEMPERATURE, SMI_TEMPERATURE }, { STIME_POWER, SMI_POWER },
		{ STIME_CLOCK, SMI_CLOCK }, { STIME_UTIL_MEMORY, SMI_UTIL_MEMORY } };
	const double *x = g->curve[g->lead].x;
	double first = x[g->from], width = 0; /* 0: each sample by itself */
	size_t i, k, to;

	if (points)
		width = (x[g->to - 1] - first) / (double)points;
	for (i = g->from; i < g->to; i = to) {
		double index = width > 0 ? floor((x[i] - first) / width) : 0;
		double end = width > 0 ? first + (index + 1) * width : x[i];

		for (to = i + 1;
			to < g->to && (x[to] < end || (width > 0 && index + 1 >= (double)points));)
			to++;
		table_row(t);
		table_text(t, STIME_GPU, g->group);
		if (g->is_timed && (x[i] - first) * 1e9 < AT_MOST_NS)
			table_int(t, STIME_AT, saturate_round((x[i] - first) * 1e9));
		table_int(t, STIME_SAMPLES, (int64_t)(to - i));
		table_bool(t, STIME_AFTER_PAUSE, i > g->from && smi_is_after_pause(g, i));
		for (k = 0; k < COUNT_OF(cols); k++)
			if (g->curve[cols[k].field].n)
				table_real(
					t, cols[k].col, smi_mean_between(g, cols[k].field, i, to));
	}
}

static void put_notes(const struct perrun *at, const struct smi_gpu *v, size_t n)
{
	int64_t gaps = 0, trimmed = 0, missing = 0, untimed = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		gaps += (int64_t)v[i].gaps;
		missing += missing_of(&v[i]);
		untimed += !v[i].is_timed;
		trimmed += (int64_t)(v[i].curve[v[i].lead].n - (v[i].to - v[i].from));
	}
	result_note(at->out, NOTE_INFO, "smi_utilization", at->input, -1,
		"utilization is the share of time with at least one kernel running, not how full "
		"the GPU was: 100%% can be one tiny kernel");
	if (untimed)
		result_note(at->out, NOTE_INFO, "smi_no_time", at->input, untimed,
			"the samples say no time: each counts as much, and how long they took, energy "
			"from power and growth by second are not known");
	if (trimmed)
		result_note(at->out, NOTE_INFO, "smi_trimmed", at->input, trimmed,
			"%" PRId64
			" idle samples before the first busy one and after the last are left "
			"out (--no-trim keeps them)",
			trimmed);
	if (gaps)
		result_note(at->out, NOTE_INFO, "smi_pauses", at->input, gaps,
			"%" PRId64 " pauses of more than %d intervals count as one interval", gaps,
			SMI_GAP);
	if (missing)
		result_note(at->out, NOTE_INFO, "smi_missing", at->input, missing,
			"%" PRId64 " value%s no number ([N/A], [Not Supported], ERR!)", missing,
			plural(missing, " is", "s are"));
}

static enum status answer_run(struct perrun *at)
{
	const struct task *task = at->ctx;
	struct smi_gpu *v;
	size_t i, n = smi_gpus(at->record, !task->o->is_untrimmed, &at->mem, &v);
	int64_t points = task->o->points;
	struct table *t;

	if (n == 0)
		return OK;
	t = perrun_table(at, &smi_docs[SMI_GPUS]);
	for (i = 0; i < n; i++)
		put_gpu(at, t, &v[i], task->target);
	if (points < 0 && !at->q->for_people)
		points = MACHINE_POINTS;
	if (points >= 0) {
		t = perrun_table(at, &smi_docs[SMI_TIMELINE]);
		for (i = 0; i < n; i++)
			put_timeline(t, &v[i], points);
	}
	put_notes(at, v, n);
	return OK;
}

static enum status compute(const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	struct task task = { .o = q->opts };

	int zone;

	(void)exit_code;
	TRY(parse_zone(task.o, &zone, e));
	TRY(parse_target(task.o, &task.target, e));
	TRY(perrun_all(q, &q->analysis->per_run, &task, out, e));
	smi_put_traces(q, out, &smi_docs[SMI_TRACES]);
	smi_put_energy(q, out, zone);
	return OK;
}

ANALYSIS(smi) = {
	.name = "smi",
	.summary = "samples of nvidia-smi, DCGM, rocm-smi: utilization, memory, power of each GPU",
	.help.doc =
		"From nvidia-smi --query-gpu=timestamp,... --format=csv -l 1, in any of its forms, "
		"nvidia-smi dmon, dcgmi dmon, DCGM's exporter, rocm-smi and amd-smi: how "
		"much of the time each GPU worked, how much memory it used, how hot it ran, and whether "
		"its clock fell. Samples count by the time between them; idle ones before the first and "
		"after the last busy one are left out unless --no-trim.\n\n"
		"utilization.gpu is the share of a sample's period (1/6 to 1 s) in which at least one "
		"kernel ran. With a trace beside it (traceq smi gpu_usage.csv trace.json.gz), how busy "
		"the GPU was in the trace stands below, and where the samples have power.draw and were taken "
		"while it ran, what that cost: joules by device, by what ran (families of kernels, "
		"communication, copies, idle) and by step, each with how far it may be off. Clocks, "
		"power limits and reasons of throttling stand beside the steps. nvidia-smi writes local "
		"time: the zone is found by the hours with which samples and trace overlap, or is "
		"--zone. Traces of 'traceq capture --nvml' have samples of their own.",
	.help.source =
		"nvidia-smi --help-query-gpu; the documents' target of 80%; docs/definitions.md",
	.help.examples =
		"traceq smi gpu_usage.csv\n"
		"traceq smi gpu_usage.csv trace.json.gz\n"
		"traceq smi runs/run_1/ --zone +01:00\n"
		"traceq smi gpu_usage.csv --json | jq '.tables[] | select(.id == \"timeline\")'",
	.runs.needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_SAMPLES,
	.runs.min = 1,
	.runs.max = 0,
	.runs.takes_records = true,
	.options.ignores = FILTER_ALL & ~FILTER_RANK,
	.options.opt = options,
	.options.n = COUNT_OF(options),
	.options.size = sizeof(struct smi_options),
	.options.set_defaults = set_defaults,
	.help.tables = smi_docs,
	.help.ntables = SMI_TABLES,
	.help.notes = smi_notes,
	.options.check = check,
	.per_run = { .answer = answer_run,
		.needs = PERRUN_RECORD,
		.wanted = "samples of nvidia-smi" },
	.compute = compute,
};
