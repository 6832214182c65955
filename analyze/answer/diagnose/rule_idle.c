/* Rules about a device that does nothing: how much (G01, G07), why (G02, G09), and where: behind
 * calls that synchronize (G15), between kernels (G16). */
#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/run.h"

#define NO_DEVICE "the trace has no GPU events"
#define NO_CALLS  "the trace has no runtime calls, so nobody knows what the GPU waited for"

/* ---- G01 ---- */

static void check_busy(struct look *k, struct finding *f, const struct profile *x)
{
	double busy = x->has_device ? account_busy(&x->account) : NAN;

	if (finding_unknown(f, isnan(busy), NO_DEVICE))
		return;
	f->unit = UNIT_RATIO;
	f->value = busy;
	f->share = 1 - busy;
	f->place = x->gaps.worst.at;
	if (busy < look_limit(k, "G01.crit"))
		f->severity = SEVERITY_CRIT;
	else if (busy < look_limit(k, "G01.warn"))
		f->severity = SEVERITY_WARN;
	f->text = arena_printf(x->mem, "busy for %s of %s, target %s", unit_percent(x->mem, busy),
		x->has_steps ? "a step" : "the run", look_limit_text(k, "G01.warn"));
}

RULE(G01, "GPU busy",
	"The share of a step in which at least one kernel, copy or set runs on the GPU "
	"(the union, so overlaps count once). A GPU that waits is paid for and not "
	"used. This says how much is lost; other rules say why.",
	"Training Profiling Guide: GPU utilisation should be above 80%",
	.advice = "see the findings that say why; 'traceq idle' has the gaps",
	.verdict = "gpu-idle", .is_symptom = true,
	.limits = LIMITS(LIMIT("diagnose.G01.warn", RATIO, "80%",
				 "WARN when the GPU is busy for less than this"),
		LIMIT("diagnose.G01.crit", RATIO, "50%",
			"CRIT when it is busy for less than this")),
	.run = check_busy)

/* ---- waiting: G02, G09, G15, G16 ---- */

static bool knows_waits(const struct profile *x, struct finding *f)
{
	return !finding_unknown(f, !x->has_device, NO_DEVICE) &&
		!finding_unknown(f, !x->has_runtime, NO_CALLS);
}

/* A part of the verdict as a finding. */
static nsec put_part(const struct look *k, struct finding *f, enum verdict_part part,
	const char *warn, const char *crit)
{
	nsec wait = k->profile->verdict.ns[part];

	rules_put_time(k, f, wait, warn, crit);
	return wait;
}

/* What the host was in for most of that wait; where that is less than half, how much. */
static void put_doing(
	const struct profile *x, struct finding *f, const struct profile_name *doing, nsec wait)
{
	bool is_most = doing->sum.ns > wait / 2;

	f->name = doing->name;
	if (doing->name)
		f->evidence = arena_printf(x->mem, "%s while the host was in %s, %s%s",
			is_most ? "most" : "some", rules_name(x, doing->name),
			rules_step_time(x, doing->sum.ns), rules_frame(x, doing->sum.row));
}

/* Where one word names most of the host's waiting: that word, and what helps against it. */
static const char *put_word(const struct profile *x, struct finding *f, nsec wait)
{
	for (int k = 0; k < GAP_CAUSE_COUNT; k++) {
		const char *help = gap_words_help((enum gap_cause)k);

		if (!help || !(GAP_CAUSES_HOST >> k & 1) || x->account.wait[k] <= wait / 2)
			continue;
		if (f->severity >= SEVERITY_NOTE && !f->is_plain)
			f->action = help;
		return arena_printf(x->mem, ", most of it %s", gap_cause_word((enum gap_cause)k));
	}
	return "";
}

/* All that the host does but loading data. */
static const struct change free_host[] = {
	{ .kind = CHANGE_HOST, .ns = -1 },
	{ .kind = CHANGE_LAUNCH, .ns = -1 },
	{ .kind = CHANGE_PYTHON, .ns = -1 },
	{ .kind = CHANGE_ALLOCATOR, .ns = -1 },
	{ .kind = CHANGE_CHECKPOINT, .ns = -1 },
	{ .kind = CHANGE_LOGGING, .ns = -1 },
	{ .kind = CHANGE_GC, .ns = -1 },
	{ .kind = CHANGE_STARTUP, .ns = -1 },
};
static const struct scenario no_host = { .change = free_host, .n = COUNT_OF(free_host) };

static const struct change no_gap = { .kind = CHANGE_GAP, .ns = -1 };

static void check_launch(struct look *k, struct finding *f, const struct profile *x)
{
	const struct gap_sums *g = &x->gaps.sums;

	if (!knows_waits(x, f))
		return;
	nsec wait = put_part(k, f, PART_OF_LAUNCH, "G09.warn", "G09.crit");
	f->count = x->host.launches.count;
	f->row = f->count > 0 ? x->host.launches.row : NO_ROW;
	f->place = x->gaps.worst_host[0].at;
	f->text = arena_printf(x->mem, "%s (%s) waiting for launches, in %s gaps below 1 ms%s%s",
		rules_step_time(x, wait), unit_percent(x->mem, f->share), rules_count(x, g->all),
		put_word(x, f, wait), rules_behind(x, &x->gaps.behind[1], wait));
	put_doing(x, f, &x->gaps.waiting[0], wait);
	if (f->count > 0)
		f->evidence = arena_printf(x->mem, "%s launches of %s median kernels; %s",
			rules_count(x, f->count),
			unit_time(x->mem, (double)x->device.median_kernel),
			f->evidence ? f->evidence : "nothing else is recorded of the host");
}

RULE(G09, "launch overhead",
	"Time the GPU is idle because the host is not done launching, in gaps that are "
	"mostly short (below 1 ms): each kernel ends before the next one is there. "
	"Counted is what the host did in gaps of the GPU, from operators and Python to "
	"the launch itself; the data loader (G10) and synchronizing (G15) aside. Where "
	"most of that time is in long gaps it is G02's.",
	"Training Profiling Guide; HTA, idle time breakdown",
	.advice = "torch.compile, CUDA graphs, fused or foreach ops, larger batches",
	.plain_advice = "launch many as one graph; fewer and larger kernels, larger batches",
	.verdict = "launch-bound", .has_saving = true, .judged = 1 + JUDGE_GRAPH,
	.change = &no_host,
	.limits = LIMITS(
		LIMIT("diagnose.G09.warn", RATIO, "10%",
			"WARN when the GPU waits for launches in short gaps for more than this "
			"share of a step"),
		LIMIT("diagnose.G09.crit", RATIO, "40%", "CRIT above this share")),
	.run = check_launch)

static void check_host(struct look *k, struct finding *f, const struct profile *x)
{
	if (!knows_waits(x, f))
		return;
	nsec wait = put_part(k, f, PART_OF_HOST, "G02.warn", "G02.crit");
	f->place = x->gaps.worst_host[1].at;
	f->text = arena_printf(x->mem,
		"%s (%s) waiting for the host, in long gaps%s%s; the longest %s",
		rules_step_time(x, wait), unit_percent(x->mem, f->share), put_word(x, f, wait),
		rules_behind(x, &x->gaps.behind[1], wait),
		unit_time(x->mem, (double)x->gaps.longest));
	put_doing(x, f, &x->gaps.waiting[0], wait);
}

RULE(G02, "host wait",
	"Time the GPU is idle because its next work had not been launched yet, while "
	"the host was in operators, in Python, in other calls or in nothing that is "
	"recorded, in gaps that are mostly long (1 ms or more): something on the host "
	"takes long, as checkpoints, logging, compilation, loading of kernels. Many "
	"short gaps are G09's, the data loader is G10's, synchronizing G15's.\n\n"
	"The guides ask for CPU time over CUDA time instead (above 2 CPU-bound, "
	"below 0.5 compute-bound): rule Q01 has that number. Its CPU time counts nested "
	"operators several times, and a busy CPU that runs ahead of the GPU costs "
	"nothing.",
	"Profiler Deep Dive, quick diagnosis; HTA, idle time breakdown",
	.advice = "'traceq idle' lists the gaps: take that work out of the step, to another "
		  "thread or to where the GPU is busy",
	.verdict = "host-bound", .has_saving = true, .change = &no_host,
	.limits = LIMITS(
		LIMIT("diagnose.G02.warn", RATIO, "10%",
			"WARN when the GPU waits for the host in long gaps for more than this "
			"share of a step"),
		LIMIT("diagnose.G02.crit", RATIO, "50%", "CRIT above this share")),
	.run = check_host)

static void check_sync(struct look *k, struct finding *f, const struct profile *x)
{
	if (!knows_waits(x, f))
		return;
	nsec wait = put_part(k, f, PART_OF_SYNC, "G15.warn", "G15.crit");
	f->count = x->gaps.sums.held;
	f->place = x->gaps.worst_of[GAP_CAUSE_SYNC].at;
	bool is_full = x->account.wait[GAP_CAUSE_QUEUE] > wait / 2;
	f->text = arena_printf(x->mem, "%s (%s) waiting %s", rules_step_time(x, wait),
		unit_percent(x->mem, f->share),
		is_full ? "while the host waits for room in the full queue of another GPU"
			: "after the host had waited for the GPU");
	if (is_full)
		f->action = "a thread or a process for each GPU";
	put_doing(x, f, &x->gaps.waiting[1], wait);
}

RULE(G15, "synchronizing",
	"Time the GPU is idle because a call kept the launching thread until the GPU had nothing "
	"left to do (cudaStreamSynchronize, .item(), a copy to pageable memory), so that it could "
	"not launch ahead. Counted is what of a gap the thread was in that call; and in gaps below "
	"1 ms the operators, calls and Python behind it, for no longer than that call took: so "
	"much earlier the next launch would have come. The data loader, the allocator, "
	"checkpoints, logging, garbage collection, compiling and long Python behind such a call "
	"are named for what they are (G10, G02), with the call they are behind. Launching calls that "
	"wait for room in the full queue of another GPU count, too.",
	"HTA, idle time breakdown",
	.advice = "avoid .item(), .cpu(), synchronize() and pageable copies between launches; log "
		  "less often",
	.plain_advice = "no synchronizing calls and no copies from or to pageable memory between "
			"launches",
	.verdict = "sync-bound", .has_saving = true, .judged = 1 + JUDGE_SYNC,
	.limits = LIMITS(
		LIMIT("diagnose.G15.warn", RATIO, "10%",
			"WARN when the GPU waits for a host that had waited for it for more "
			"than this share of a step"),
		LIMIT("diagnose.G15.crit", RATIO, "40%", "CRIT above this share")),
	.run = check_sync)

static void check_dependency(struct look *k, struct finding *f, const struct profile *x)
{
	if (!knows_waits(x, f))
		return;
	nsec wait = put_part(k, f, PART_OF_DEPENDENCY, "G16.warn", NULL);
	f->place = x->gaps.worst_of[GAP_CAUSE_DEPENDENCY].at;
	f->text = arena_printf(x->mem, "%s (%s) between pieces of work that were launched already",
		rules_step_time(x, wait), unit_percent(x->mem, f->share));
	if (x->device.median_kernel > 0)
		f->evidence = arena_printf(x->mem, "half of the kernels take less than %s",
			unit_time(x->mem, (double)x->device.median_kernel));
}

RULE(G16, "between kernels",
	"Time the GPU does nothing though its next work is launched: what it takes "
	"itself from one kernel to the next, and waiting for events of other streams. "
	"Short kernels make much of it.",
	"HTA, kernel wait",
	.advice = "fewer, larger kernels: torch.compile, fused ops; fewer events between streams",
	.plain_advice = "fewer, larger kernels; fewer events between streams",
	.verdict = "dependency-bound", .has_saving = true,
	.change = &(const struct scenario){ .change = &no_gap, .n = 1 },
	.limits = LIMITS(LIMIT("diagnose.G16.warn", RATIO, "20%",
		"WARN when the GPU waits between pieces of launched work for more than this "
		"share of a step")),
	.run = check_dependency)

/* ---- G07 ---- */

static void check_gaps(struct look *k, struct finding *f, const struct profile *x)
{
	const struct profile_gaps *g = &x->gaps;
	const char *list = NULL;

	if (finding_unknown(f, !x->has_device, NO_DEVICE))
		return;
	rules_put_time(k, f, g->many.ns, "G07.warn", NULL);
	f->count = g->many.count;
	f->row = g->many.row;
	f->place = g->worst.at;
	f->name = f->row != NO_ROW ? x->run->events.name[f->row] : 0;
	f->text = arena_printf(x->mem, "%s in gaps of %s or more, %s (%s)",
		rules_step_time(x, g->many.ns), look_limit_text(k, "G07.gap"),
		rules_count(x, g->many.count), unit_percent(x->mem, f->share));
	for (size_t i = 0; i < COUNT_OF(g->doing) && g->doing[i].name; i++)
		list = arena_printf(x->mem, "%s%s%s %s",
			list ? list : "in them the host was in: ", list ? ", " : "",
			rules_name(x, g->doing[i].name),
			unit_time(x->mem, rules_per_step(x, (double)g->doing[i].sum.ns)));
	f->evidence = list;
}

RULE(G07, "gaps",
	"Gaps between pieces of GPU work, all streams together, that are long enough "
	"to matter; and the calls the host was in for most of their time. Says where "
	"time is lost, G02, G09 and G10 say why.",
	"Week 1 baseline profiling: look for gaps between kernels",
	.advice = "'traceq idle' lists the longest, with what the host did", .verdict = "gpu-idle",
	.is_symptom = true,
	.limits = LIMITS(LIMIT("diagnose.G07.gap", TIME, "20us",
				 "gaps of the GPU of this length or more count"),
		LIMIT("diagnose.G07.warn", RATIO, "20%",
			"WARN when they take more than this share of a step")),
	.run = check_gaps)
