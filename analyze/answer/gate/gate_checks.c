/* `gate`: the rules about pairs of figures, with what they tolerate by tier.  Data only. */
#include "analyze/answer/gate/gate.h"

#include "analyze/rule/rule.h"

#define MIB    1048576.0
#define MS     1e6
#define CANARY "rlhf-canary, compare/thresholds.py; taken as tolerances of the interval"
#define OURS   "docs/statistics.md, \"The gate's checks\""
#define SAME(x)                    \
	{                          \
		(x), (x), (x), (x) \
	}

/* Of a part of the step. */
#define PART_LIMITS                                                                   \
	.suite = "parts", .tolerance = { 0.25, 0.35, 0.20, 0.15 }, .floor = 0.5 * MS, \
	.is_speed = true, .is_part = true, .least = 0.05

/* Its metric is that of its name.  Tolerances are in the order default, smoke, perf, nightly. */
#define CHECK(name, short_name, text, source, ...) \
	RULE(name, short_name, text, source,       \
		.pair = &(const struct pair_limits){ .id = #name, .metric = #name, __VA_ARGS__ })

CHECK(ranks, "ranks of a run",
	"Traces of a run, one a rank. A rank that base has and new has not fails, and what seems "
	"to be faster without it is no improvement; so does a trace of another job (another world "
	"size, a rank beyond it) in new, and a further trace of a rank that is there. Listed where "
	"it fails, and by --verbose.",
	OURS, .suite = "program", .kind = GATE_PARTS)

CHECK(devices, "GPUs that work",
	"GPUs with work, of all ranks together. Fewer than in base fail, as missing ranks do.",
	OURS, .suite = "program", .kind = GATE_PARTS)

CHECK(steps, "steps that are compared",
	"Steps that all ranks of a run have. More than two fewer than in base, and "
	"more than 10%, fail: the rest of the run is not there.",
	OURS, .suite = "program", .kind = GATE_PARTS, .tolerance = SAME(0.10), .floor = 2)

CHECK(step_time, "time of a step",
	"Median of the step times, ranks reduced to their slowest. Tolerances 10, 15, 8 and 5% "
	"in the tiers default, smoke, perf and nightly.",
	CANARY, .suite = "perf", .tolerance = { 0.10, 0.15, 0.08, 0.05 }, .is_speed = true,
	.least = 0.01)

CHECK(uneven_steps, "mean step above the median",
	"By which share the mean of the steps is above their median, the longest of them left out: "
	"what steps that are longer now and then cost, which no median says. Tolerated are as many "
	"points as per cent of step_time.",
	OURS, .suite = "perf", .tolerance = { 0.10, 0.15, 0.08, 0.05 }, .is_speed = true,
	.least = 0.01)

CHECK(tokens_per_sec, "tokens per second",
	"Tokens over time of a run. Tolerances 8, 12, 5 and 3% in the tiers default, smoke, perf "
	"and nightly.",
	CANARY, .suite = "perf", .also = { "tokens_per_second", "approx_tokens_per_sec" },
	.tolerance = { 0.08, 0.12, 0.05, 0.03 }, .is_speed = true, .least = 0.01)

CHECK(samples_per_sec, "samples per second",
	"Samples over time of a run, with the tolerances of tokens_per_sec.", OURS, .suite = "perf",
	.also = { "samples_per_second", "throughput_samples_per_sec" },
	.tolerance = { 0.08, 0.12, 0.05, 0.03 }, .is_speed = true, .least = 0.01)

CHECK(throughput, "throughput of a log that does not say of what",
	"Tokens or samples over time, with the tolerances of tokens_per_sec.", OURS,
	.suite = "perf", .tolerance = { 0.08, 0.12, 0.05, 0.03 }, .is_speed = true, .least = 0.01)

CHECK(peak_memory, "largest allocated memory",
	"Largest allocated bytes on a GPU, the largest of the ranks. Tolerated is 20% or 500, "
	"1,000, 300 and 200 MiB in the tiers default, smoke, perf and nightly, whichever is less.",
	CANARY, .suite = "memory", .tolerance = SAME(0.20),
	.limit = { 500 * MIB, 1000 * MIB, 300 * MIB, 200 * MIB }, .least = 0.02)

CHECK(gpu_busy, "share of the step in which the GPU works",
	"Share of the step in which at least one kernel, copy or set runs; tolerated are 5 points "
	"less.",
	OURS, .suite = "perf", .tolerance = SAME(0.05), .is_speed = true, .least = 0.01)

CHECK(between_steps, "share of the run that GPUs are idle between steps",
	"Where annotations make steps: idle time in none of them, of the time from the first to the "
	"end of the last, as G24 has it. Of a server it is time between requests. No other figure "
	"has it in it; 5 points more fail.",
	OURS, .suite = "perf", .tolerance = SAME(0.05), .is_speed = true, .least = 0.01)

CHECK(mfu, "share of the GPUs' peak that the model uses",
	"Median over steps of the model's FLOP over what the GPUs could do in the step at their "
	"dense peaks, ranks averaged; tolerated as of step_time. Of a trace it is a warning, as "
	"step_time says the same of equal work, until somebody chooses it (--check mfu=5%): then "
	"it fails. Compared where shapes (record_shapes=True) and the GPU's peaks are known, and "
	"those of as much of the computing time on both sides, within 5 points.",
	OURS, .suite = "perf", .level = LEVEL_WARN, .fails_if_chosen = true,
	.tolerance = { 0.10, 0.15, 0.08, 0.05 }, .is_speed = true, .least = 0.01)

CHECK(imbalance, "share of the step that ranks wait for each other",
	"Of a job of several ranks: what the mean rank waits in its collectives for others "
	"that have not arrived, as a share of the job's step; tolerated are 5 points more.",
	OURS, .suite = "perf", .tolerance = SAME(0.05), .is_speed = true, .least = 0.01)

#define PART_SAID                                                                                \
	" Changes below 0.5 ms never count; 25, 35, 20 and 15% are tolerated. Fails only where " \
	"the step did not get faster, and grew by half of it or more; else more is a warning."

CHECK(idle_data_loader, "idle time that waits for the data loader",
	"Time per step in which a GPU is idle and the host waits for data." PART_SAID, OURS,
	PART_LIMITS)

CHECK(idle_other, "idle time of other causes",
	"Time per step in which a GPU is idle, and no data loader is the cause." PART_SAID, OURS,
	PART_LIMITS)

CHECK(compute, "time in which a GPU computes",
	"Time per step in which kernels run that communicate nothing." PART_SAID, OURS, PART_LIMITS)

CHECK(exposed_comm, "communication that nothing hides",
	"Time per step in which only collectives run." PART_SAID, OURS, PART_LIMITS)

CHECK(exposed_memcpy, "copies that nothing hides",
	"Time per step in which only copies and sets run." PART_SAID, OURS, PART_LIMITS)

CHECK(launches_per_step, "GPU work launched in a step",
	"Kernels, copies and sets launched in a step; a property of the program, so nothing is "
	"tolerated. More is a warning.",
	OURS, .suite = "program", .level = LEVEL_WARN)

CHECK(new_kernels, "kernels that base does not have",
	"Distinct kernels of the new runs, by name without addresses and template numbers, that no "
	"run of base has. For information: level: fail makes it count.",
	OURS, .suite = "program", .kind = GATE_NEW, .level = LEVEL_NOTE)

CHECK(nan_steps, "steps with NaN",
	"Steps of the new run whose losses, norms or rewards are NaN, or that its log counts as such: "
	"none is tolerated, whatever the base did.",
	CANARY, .suite = "stability", .kind = GATE_MOST)

CHECK(inf_steps, "steps with an infinity", "As nan_steps, for infinities.", CANARY,
	.suite = "stability", .kind = GATE_MOST)

CHECK(loss_diverged, "the loss rose and stayed up",
	"1 when the run itself, or its log, says that the loss diverged.", CANARY,
	.suite = "stability", .kind = GATE_MOST)

CHECK(run_failed, "the run did not complete",
	"1 when the new run's own file gives its status as failed or timeout: none is "
	"tolerated, whatever the base did.",
	OURS, .suite = "stability", .kind = GATE_MOST)

CHECK(leak, "memory that grows from step to step",
	"1 when allocated memory of the new run grows from step to step: in its log (see "
	"D07 of metrics), or at the ends of its traces' steps (see G14 of diagnose). None "
	"is tolerated, whatever the base did; memory taken once is no leak.",
	OURS, .suite = "memory", .kind = GATE_MOST)

CHECK(loss_final, "loss at the end",
	"Mean of the last losses; 50% above the base are tolerated. The loss of a policy, "
	"beside rewards or kl, is none.",
	CANARY, .suite = "stability", .also = { "final_loss", "loss", "train_loss" },
	.tolerance = SAME(0.50))

const int64_t gate_min_steps[TIER_COUNT] = { 20, 10, 50, 100 };

bool gate_is_of(const struct pair_limits *def, const char *id)
{
	bool is_of = def->metric && strcmp(def->metric, id) == 0;

	for (size_t i = 0; i < COUNT_OF(def->also) && def->also[i] && !is_of; i++)
		is_of = strcmp(def->also[i], id) == 0;
	return is_of;
}

bool gate_is_most(const struct gate_rule *rule)
{
	return rule->def->kind == GATE_MOST || rule->def->kind == GATE_NEW;
}
