/*
 * Rules about a device that does nothing: how much (G01, G07), and why (G02, G09).
 */
#include <math.h>

#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

#define NO_DEVICE "the trace has no device events"
#define NO_CALLS  "the trace has no runtime calls, so nobody knows what the device waited for"

/* ---- G01 ---- */

static const struct setting busy_settings[] = {
	RULE_SETTING("G01.warn", RATIO, "80%", "WARN when the device is busy for less than this"),
	RULE_SETTING("G01.crit", RATIO, "50%", "CRIT when it is busy for less than this"),
};

static void check_busy(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	double busy = x->has_device ? rules_share(x, x->ledger.busy) : NAN;

	if (isnan(busy)) {
		rules_unknown(f, NO_DEVICE);
		return;
	}
	f->unit = UNIT_RATIO;
	f->value = busy;
	f->share = rules_share(x, x->ledger.idle);
	if (busy < rules_limit(in, "G01.crit")->r)
		f->severity = SEVERITY_CRIT;
	else if (busy < rules_limit(in, "G01.warn")->r)
		f->severity = SEVERITY_WARN;
	f->text = rules_text(x, "busy for %s of a step, target %s", rules_percent(x, busy),
		rules_limit(in, "G01.warn")->text);
	f->action = "see the findings that say why; 'traceq idle' has the gaps";
}

const struct rule rule_G01 = {
	.word = { "G01", "GPU busy",
		"The share of a step in which at least one kernel, copy or set runs on the device "
		"(the union, so overlaps count once). A device that waits is paid for and not used. "
		"This says how much is lost; other rules say why.",
		"Training Profiling Guide: GPU utilisation should be above 80 %" },
	.verdict = "gpu-idle",
	.is_symptom = true,
	.setting = busy_settings,
	.nsetting = COUNT_OF(busy_settings),
	.check = check_busy,
};

/* ---- G09 and G02 ---- */

static const struct setting launch_settings[] = {
	RULE_SETTING("G09.warn", RATIO, "15%",
		"WARN when the device waits for launches of short kernels for more than this share of "
		"a step"),
	RULE_SETTING("G09.crit", RATIO, "40%", "CRIT above this share"),
	RULE_SETTING(
		"G09.kernel", TIME, "10us", "kernels are short when half of them are below this"),
	RULE_SETTING("G09.cost", RATIO, "20%",
		"launching is costly when the calls take more than this share of the kernels' time"),
};

static bool knows_waits(const struct profile *x, struct finding *f)
{
	if (!x->has_device)
		rules_unknown(f, NO_DEVICE);
	else if (!x->has_runtime)
		rules_unknown(f, NO_CALLS);
	return x->has_device && x->has_runtime;
}

static nsec kernel_ns(const struct profile *x)
{
	return saturate_add(x->device.sum[CLASS_COMPUTE], x->device.sum[CLASS_COMM]);
}

/* Half of the kernels are short, and calls that launch them take a part of their time. */
static bool is_costly(const struct rule_input *in)
{
	const struct profile *x = in->profile;

	return x->device.count[CLASS_COMPUTE] > 0 &&
		x->device.median_kernel < rules_limit(in, "G09.kernel")->i &&
		(double)x->host.launches.ns > rules_limit(in, "G09.cost")->r * (double)kernel_ns(x);
}

/* Waiting that launches of short kernels explain, ns: gaps in which the host works for them. */
static nsec launch_wait(const struct rule_input *in)
{
	const struct gap_sums *g = &in->profile->gaps.sums;

	return is_costly(in) ? saturate_add(g->ns[GAP_HOST], g->ns[GAP_KERNEL]) : 0;
}

static void check_launch(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	nsec wait;

	if (!knows_waits(x, f))
		return;
	wait = launch_wait(in);
	f->unit = UNIT_NS;
	f->value = rules_per_step(x, (double)wait);
	f->share = rules_share(x, wait);
	f->severity = rules_above(in, f->share, "G09.warn", "G09.crit");
	f->count = x->host.launches.count;
	f->row = x->host.launches.count > 0 ? x->host.launches.row : NO_ROW;
	f->name = f->row != NO_ROW ? x->run->events.name[f->row] : 0;
	f->text =
		rules_text(x, "%s (%s) waiting for launches; half of the kernels take less than %s",
			rules_step_time(x, wait), rules_percent(x, f->share),
			rules_time(x, (double)x->device.median_kernel));
	if (f->count > 0)
		f->evidence = rules_text(x, "%s x %s, %s/step: %s of the kernels' time",
			rules_count(x, f->count), rules_name(x, f->name),
			rules_time(x, rules_per_step(x, (double)x->host.launches.ns)),
			rules_percent(x,
				kernel_ns(x) > 0
					? (double)x->host.launches.ns / (double)kernel_ns(x)
					: NAN));
	f->action = "torch.compile, CUDA graphs, fused or foreach ops, larger batches";
}

const struct rule rule_G09 = {
	.word = { "G09", "launch overhead",
		"Time the device does nothing because the host is not done launching, while kernels "
		"are short (half of them below the limit) and launching costs a good part of "
		"their time: each kernel ends before the next one is there. Counted are gaps of the "
		"device in which the host was launching or in operators (classes host wait and kernel "
		"wait of 'traceq idle').\n\n"
		"Self times of launching calls over the kernels' time, and the median kernel, are the "
		"documents' measures; waiting decides, as a cost that is hidden costs nothing.",
		"Training Profiling Guide; HTA, short kernels; metrics of the documents" },
	.verdict = "launch-bound",
	.setting = launch_settings,
	.nsetting = COUNT_OF(launch_settings),
	.check = check_launch,
};

static const struct setting host_settings[] = {
	RULE_SETTING("G02.warn", RATIO, "20%",
		"WARN when the device waits for the host for more than this share of a step"),
	RULE_SETTING("G02.crit", RATIO, "50%", "CRIT above this share"),
};

static void check_host(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	const struct gap_sums *g = &x->gaps.sums;
	const struct profile_name *doing;
	nsec host, wait;
	bool is_sync;

	if (!knows_waits(x, f))
		return;
	host = is_costly(in) ? 0 : g->ns[GAP_HOST]; /* else it is G09's */
	wait = saturate_add(host, g->ns[GAP_SYNC]);
	is_sync = g->ns[GAP_SYNC] > host;
	doing = &x->gaps.waiting[is_sync];
	f->unit = UNIT_NS;
	f->value = rules_per_step(x, (double)wait);
	f->share = rules_share(x, wait);
	f->severity = rules_above(in, f->share, "G02.warn", "G02.crit");
	f->verdict = is_sync ? "sync-bound" : NULL;
	f->text = rules_text(x, "%s (%s) waiting for the host: %s %s, after a sync %s",
		rules_step_time(x, wait), rules_percent(x, f->share), "operators and Python",
		rules_percent(x, rules_share(x, host)),
		rules_percent(x, rules_share(x, g->ns[GAP_SYNC])));
	if (doing->name) {
		f->name = doing->name;
		f->evidence =
			rules_text(x, "most while the host was in %s", rules_name(x, doing->name));
	}
	f->action = is_sync
		? "avoid .item(), .cpu(), synchronize() between launches; log less often"
		: "less Python between launches: torch.compile, fewer small ops, CUDA graphs";
}

const struct rule rule_G02 = {
	.word = { "G02", "host wait",
		"Time the device does nothing because its next work had not been launched yet, the "
		"data loader (G10) and costly launches of short kernels (G09) aside: the host was in "
		"operators or in Python, or had just waited for the device itself and could not run "
		"ahead.\n\n"
		"The documents ask for CPU time over CUDA time instead (above 2 CPU-bound, below 0.5 "
		"compute-bound): rule Q01 has that number. Its CPU time counts nested operators several "
		"times, and a busy CPU that runs ahead of the device costs nothing.",
		"Profiler Deep Dive, quick diagnosis; HTA, idle time breakdown" },
	.verdict = "cpu-bound",
	.setting = host_settings,
	.nsetting = COUNT_OF(host_settings),
	.check = check_host,
};

/* ---- G07 ---- */

static const struct setting gap_settings[] = {
	RULE_SETTING("G07.gap", TIME, "20us", "gaps of the device of this length or more count"),
	RULE_SETTING(
		"G07.warn", RATIO, "20%", "WARN when they take more than this share of a step"),
};

static void check_gaps(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	const struct profile_gaps *g = &x->gaps;
	const char *list = NULL;
	size_t i;

	if (!x->has_device) {
		rules_unknown(f, NO_DEVICE);
		return;
	}
	f->unit = UNIT_NS;
	f->value = rules_per_step(x, (double)g->many.ns);
	f->share = rules_share(x, g->many.ns);
	f->severity = rules_above(in, f->share, "G07.warn", NULL);
	f->count = g->many.count;
	f->row = g->many.row;
	f->name = f->row != NO_ROW ? x->run->events.name[f->row] : 0;
	f->text = rules_text(x, "%s in gaps of %s or more, %s (%s)", rules_step_time(x, g->many.ns),
		rules_limit(in, "G07.gap")->text, rules_count(x, g->many.count),
		rules_percent(x, f->share));
	for (i = 0; i < COUNT_OF(g->doing) && g->doing[i].name; i++)
		list = rules_text(x, "%s%s%s %s",
			list ? list : "in them the host was in: ", list ? ", " : "",
			rules_name(x, g->doing[i].name),
			rules_time(x, rules_per_step(x, (double)g->doing[i].sum.ns)));
	f->evidence = list;
	f->action = "'traceq idle' lists the longest, with what the host did";
}

const struct rule rule_G07 = {
	.word = { "G07", "gaps",
		"Gaps between pieces of device work, all streams together, that are long enough to "
		"matter; and the calls the host was in for most of their time. Says where time is "
		"lost, G02, G09 and G10 say why.",
		"Week 1 baseline profiling: look for gaps between kernels" },
	.verdict = "gpu-idle",
	.is_symptom = true,
	.setting = gap_settings,
	.nsetting = COUNT_OF(gap_settings),
	.check = check_gaps,
};
