/* `smi`: samples of nvidia-smi: utilisation, memory, temperature and power of each GPU, over time,
 * and how busy traces beside them are. */
#include "analyze/answer/smi/smi.h"

#include "analyze/measure/device/devices.h"
#include "analyze/measure/interval.h"
#include "analyze/measure/power/sampleclock.h"
#include "analyze/trace/columns/record.h"
#include "base/opt.h"
#include "base/setting.h"

/* ---- how busy the GPU was by the traces given beside the samples ---- */

static void put_trace_device(struct table *t, const struct run *r, int64_t device)
{
	struct intervals set = { 0 };
	nsec span;

	intervals_of_device(&set, r, device, KINDS_DEVICE);
	nsec busy = intervals_length(&set);
	if (set.n) {
		span = saturate_sub(set.v[set.n - 1].end, set.v[0].start);
		TABLE_ROW(t, [STRACE_TRACE] = cell_word(r->path),
			[STRACE_DEVICE] = cell_int(device), [STRACE_BUSY] = cell_int(busy),
			[STRACE_SPAN] = cell_int(span), [STRACE_RATIO] = cell_ratio(busy, span));
	}
	intervals_clear(&set);
}

/* ---- samples of each GPU ---- */

#define TIGHT      0.7
#define FULL       0.98
#define TOO_LITTLE 0.5

enum { MACHINE_POINTS = 1000 };

/* What a time in ns can be: 285 years. */
static const double AT_MOST_NS = 9e18;

#define AT(field) offsetof(struct smi_options, field)
static const struct opt options[] = {
	FLAG_OPT("no-trim", 0, AT(is_untrimmed),
		"keep the idle samples before the first and after the last busy one"),
	TEXT_OPT("target", 0, "RATIO", AT(target), "utilization that is enough [80%]"),
	INT_OPT("points", 0, "N", AT(points),
		"about so many points of each GPU's timeline; 0 = all [none; 1000 for machines]"),
	TEXT_OPT("zone", 0, "ZONE", AT(zone),
		"hours that the samples' clock is ahead of UTC, to join them with a trace: +01:00 "
		"[found: with which they cover the trace]"),
};

static enum status parse_target(const struct smi_options *o, double *target, struct err *e)
{
	return setting_number("--target", SETTING_RATIO, o->target, target, e);
}

static enum status parse_zone(const struct smi_options *o, int *zone_s, struct err *e)
{
	*zone_s = SAMPLECLOCK_SEARCH;
	return o->zone ? sampleclock_zone(o->zone, "--zone", zone_s, e) : OK;
}

static enum status check(const void *opts, const struct settings *settings UNUSED, struct err *e)
{
	double target;
	int zone;

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

	for (int f = 0; f < SMI_FIELDS_N; f++)
		n += g->series[f] ? g->series[f]->missing : 0;
	return n;
}

static void put_gpu(struct perrun *at, struct table *t, const struct smi_gpu *g, double target)
{
	struct smi_figures f;
	struct curve part = g->curve[SMI_UTIL];

	smi_figures(&f, g, &at->mem);
	TABLE_ROW(t, [SGPU_GPU] = cell_text(g->group), [SGPU_NAME] = cell_name(g->name),
		[SGPU_UTIL] = cell_real(f.util));
	if (at->q->for_people && g->lead == SMI_UTIL) {
		part.y += g->from;
		part.n = g->to - g->from;
		table_text(t, SGPU_SPARK, curve_spark(&part, CURVE_SPARK, &at->out->mem));
	}
	TABLE_CELLS(t, [SGPU_P10] = cell_real(f.util_p10), [SGPU_BUSY] = cell_real(f.busy),
		[SGPU_IDLE] = cell_real(f.idle), [SGPU_PEAK] = cell_real(f.used_peak),
		[SGPU_PEAK_RATIO] = cell_real(f.used_peak / f.capacity),
		[SGPU_TEMPERATURE] = cell_real(f.temperature_max),
		[SGPU_POWER] = cell_real(f.power_mean), [SGPU_THROTTLED] = cell_real(f.throttled),
		[SGPU_VERDICT] = CELL_IF(!isnan(f.util),
			cell_textf(t, "%s%s", verdict_of(&f, target),
				f.used_peak / f.capacity > FULL ? ", memory full" : "")));
	TABLE_CELLS(t, [SGPU_SAMPLES] = cell_size(g->to - g->from),
		[SGPU_TRIMMED] = cell_size(g->curve[g->lead].n - (g->to - g->from)),
		[SGPU_GAPS] = cell_size(g->gaps), [SGPU_MISSING] = cell_int(missing_of(g)),
		[SGPU_SECONDS] = cell_real(f.seconds),
		[SGPU_INTERVAL] = cell_real(g->is_timed ? g->interval : NAN),
		[SGPU_P50] = cell_real(f.util_p50), [SGPU_UTIL_MEMORY] = cell_real(f.util_memory),
		[SGPU_USED] = cell_real(f.used_mean), [SGPU_CAPACITY] = cell_real(f.capacity),
		[SGPU_GROWTH] = cell_real(f.used.slope), [SGPU_GROWTH_P] = cell_real(f.used.p),
		[SGPU_TEMPERATURE_MEAN] = cell_real(f.temperature_mean),
		[SGPU_POWER_MAX] = cell_real(f.power_max),
		[SGPU_POWER_LIMIT] = cell_real(f.power_limit), [SGPU_ENERGY] = cell_real(f.energy),
		[SGPU_CLOCK] = cell_real(f.clock_mean), [SGPU_CLOCK_TOP] = cell_real(f.clock_top));
}

/* Stretches of equal time.  Those without a sample are left out. */
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
	size_t to;

	if (points)
		width = (x[g->to - 1] - first) / (double)points;
	for (size_t i = g->from; i < g->to; i = to) {
		double index = width > 0 ? floor((x[i] - first) / width) : 0;
		double end = width > 0 ? first + (index + 1) * width : x[i];

		for (to = i + 1;
			to < g->to && (x[to] < end || (width > 0 && index + 1 >= (double)points));)
			to++;
		TABLE_ROW(t, [STIME_GPU] = cell_text(g->group),
			[STIME_AT] = CELL_IF(g->is_timed && (x[i] - first) * 1e9 < AT_MOST_NS,
				cell_int(saturate_round((x[i] - first) * 1e9))),
			[STIME_SAMPLES] = cell_size(to - i),
			[STIME_AFTER_PAUSE] = cell_bool(i > g->from && smi_is_after_pause(g, i)));
		for (size_t k = 0; k < COUNT_OF(cols); k++)
			if (g->curve[cols[k].field].n)
				table_real(
					t, cols[k].col, smi_mean_between(g, cols[k].field, i, to));
	}
}

static void put_notes(const struct perrun *at, const struct smi_gpu *v, size_t n)
{
	int64_t gaps = 0, trimmed = 0, missing = 0, untimed = 0;

	for (EACH(const struct smi_gpu, gpu, v, n)) {
		gaps += (int64_t)gpu->gaps;
		missing += missing_of(gpu);
		untimed += !gpu->is_timed;
		trimmed += (int64_t)(gpu->curve[gpu->lead].n - (gpu->to - gpu->from));
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
	size_t n = smi_gpus(at->record, !task->o->is_untrimmed, &at->mem, &v);
	int64_t points = task->o->points;

	if (n == 0)
		return OK;
	struct table *t = perrun_table(at, &smi_docs[SMI_GPUS]);
	for (size_t i = 0; i < n; i++)
		put_gpu(at, t, &v[i], task->target);
	if (points < 0 && !at->q->for_people)
		points = MACHINE_POINTS;
	if (points >= 0) {
		t = perrun_table(at, &smi_docs[SMI_TIMELINE]);
		for (size_t i = 0; i < n; i++)
			put_timeline(t, &v[i], points);
	}
	put_notes(at, v, n);
	return OK;
}

static enum status compute(
	const struct query *q, struct result *out, int *exit_code UNUSED, struct err *e)
{
	struct task task = { .o = q->opts };
	int zone;

	TRY(parse_zone(task.o, &zone, e));
	TRY(parse_target(task.o, &task.target, e));
	TRY(perrun_all(q, &q->analysis->per_run, &task, out, e));
	/* GPU-busy of the traces of the query, one row a device. */
	struct table *t = NULL;
	for (size_t i = 0; i < q->nrun; i++) {
		const struct run *r = q->run[i];
		struct devices devices;
		SCOPED_ARENA mem = { 0 };

		if (r->events.n == 0 || !r->order)
			continue;
		if (!t)
			t = result_table_of(out, &smi_docs[SMI_TRACES]);
		devices_init(&devices, r, &mem);
		for (size_t k = 0; k < devices.n; k++)
			put_trace_device(t, r, devices.id[k]);
	}
	smi_put_energy(q, out, zone);
	return OK;
}

ANALYSIS(smi) = {
	.name = "smi",
	.summary = "samples of nvidia-smi, DCGM, rocm-smi: utilization, memory, power of each GPU",
	.help.doc =
		"From nvidia-smi --query-gpu=timestamp,... --format=csv -l 1, in any of its "
		"forms, nvidia-smi dmon, dcgmi dmon, DCGM's exporter, rocm-smi and amd-smi: how "
		"much of the time each GPU worked, how much memory it used, how hot it ran, and "
		"whether its clock fell. Samples count by the time between them; idle ones "
		"before the first and after the last busy one are left out unless --no-trim.\n\n"
		"utilization.gpu is the share of a sample's period (1/6 to 1 s) in which at "
		"least one kernel ran. With a trace beside it (traceq smi gpu_usage.csv "
		"trace.json.gz), how busy the GPU was in the trace stands below, and where the "
		"samples have power.draw and were taken while it ran, what that cost: joules by "
		"GPU, by what ran (families of kernels, communication, copies, idle) and by "
		"step, each with how far it may be off. Clocks, power limits and reasons of "
		"throttling stand beside the steps. nvidia-smi writes local time: the zone is "
		"found by the hours with which samples and trace overlap, or is --zone. Traces "
		"of 'traceq capture --nvml' have samples of their own.",
	.help.source =
		"nvidia-smi --help-query-gpu; the guides' target of 80%; docs/definitions.md",
	.help.examples =
		"traceq smi gpu_usage.csv\n"
		"traceq smi gpu_usage.csv trace.json.gz\n"
		"traceq smi runs/run_1/ --zone +01:00\n"
		"traceq smi gpu_usage.csv --json | jq '.tables[] | select(.id == \"timeline\")'",
	.runs.needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_SAMPLES,
	.runs.min = 1,
	.runs.takes_records = true,
	.options.ignores = FILTER_ALL & ~FILTER_RANK,
	ANALYSIS_OPTIONS(options, struct smi_options, .target = "80%", .points = -1),
	ANALYSIS_TABLES(smi, SMI),
	.options.check = check,
	.per_run = { .answer = answer_run,
		.needs = PERRUN_RECORD,
		.wanted = "samples of nvidia-smi" },
	.compute = compute,
};
