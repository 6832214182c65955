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

/* Tolerances are in the order default, smoke, perf, nightly. */
#define PAIR(name, ...)                  \
	&(const struct pair_limits)      \
	{                                \
		.id = #name, __VA_ARGS__ \
	}

const struct rule rule_ranks = {
	.word = { "ranks", "ranks of a run",
		"Traces of a run, one a rank. A rank that base has and new has not fails, "
		"and what seems to be faster without it is no improvement; so does a trace "
		"of another job (another world size, a rank beyond it) in new, and a "
		"further trace of a rank that is there. Listed where it fails, and by "
		"--verbose.",
		OURS },
	.pair = PAIR(ranks, .suite = "program", .metric = { "ranks" }, .kind = GATE_PARTS),
};

const struct rule rule_devices = {
	.word = { "devices", "GPUs that work",
		"GPUs with work, of all ranks together. Fewer than in base fail, as missing "
		"ranks do.",
		OURS },
	.pair = PAIR(devices, .suite = "program", .metric = { "devices" }, .kind = GATE_PARTS),
};

const struct rule rule_steps = {
	.word = { "steps", "steps that are compared",
		"Steps that all ranks of a run have. More than two fewer than in base, and "
		"more than 10%, fail: the rest of the run is not there.",
		OURS },
	.pair = PAIR(steps, .suite = "program", .metric = { "steps" }, .kind = GATE_PARTS,
		.tolerance = SAME(0.10), .floor = 2),
};

const struct rule rule_step_time = {
	.word = { "step_time", "time of a step",
		"Median of the step times, ranks reduced to their slowest. Tolerances 10, 15, 8 and 5% "
		"in the tiers default, smoke, perf and nightly.",
		CANARY },
	.pair = PAIR(step_time, .suite = "perf", .metric = { "step_time" },
		.tolerance = { 0.10, 0.15, 0.08, 0.05 }, .is_speed = true, .least = 0.01),
};

const struct rule rule_tokens_per_sec = {
	.word = { "tokens_per_sec", "tokens per second",
		"Tokens over time of a run. Tolerances 8, 12, 5 and 3% in the tiers default, smoke, perf "
		"and nightly.",
		CANARY },
	.pair = PAIR(tokens_per_sec, .suite = "perf",
		.metric = { "tokens_per_sec", "tokens_per_second", "approx_tokens_per_sec" },
		.tolerance = { 0.08, 0.12, 0.05, 0.03 }, .is_speed = true, .least = 0.01),
};

const struct rule rule_samples_per_sec = {
	.word = { "samples_per_sec", "samples per second",
		"Samples over time of a run, with the tolerances of tokens_per_sec.", OURS },
	.pair = PAIR(samples_per_sec, .suite = "perf",
		.metric = { "samples_per_sec", "samples_per_second", "throughput_samples_per_sec" },
		.tolerance = { 0.08, 0.12, 0.05, 0.03 }, .is_speed = true, .least = 0.01),
};

const struct rule rule_peak_memory = {
	.word = { "peak_memory", "largest allocated memory",
		"Largest allocated bytes on a GPU, the largest of the ranks. Tolerated is 20% "
		"or 500, 1,000, 300 and 200 MiB in the tiers default, smoke, perf and nightly, "
		"whichever is less.",
		CANARY },
	.pair = PAIR(peak_memory, .suite = "memory", .metric = { "peak_memory" },
		.tolerance = SAME(0.20), .limit = { 500 * MIB, 1000 * MIB, 300 * MIB, 200 * MIB },
		.least = 0.02),
};

const struct rule rule_gpu_busy = {
	.word = { "gpu_busy", "share of the step in which the GPU works",
		"Share of the step in which at least one kernel, copy or set runs; tolerated are 5 points "
		"less.",
		OURS },
	.pair = PAIR(gpu_busy, .suite = "perf", .metric = { "gpu_busy" }, .tolerance = SAME(0.05),
		.is_speed = true, .least = 0.01),
};

const struct rule rule_mfu = {
	.word = { "mfu", "share of the GPUs' peak that the model uses",
		"Median over steps of the model's FLOP over what the GPUs could do in the step "
		"at their dense peaks, ranks averaged; tolerated as of step_time. Of a trace it "
		"is a warning, as step_time says the same of equal work, until somebody chooses "
		"it (--check mfu=5%): then it fails. Compared where shapes (record_shapes=True) "
		"and the GPU's peaks are known, and those of as much of the computing time on "
		"both sides, within 5 points.",
		OURS },
	.pair = PAIR(mfu, .suite = "perf", .metric = { "mfu" }, .level = LEVEL_WARN,
		.fails_if_chosen = true, .tolerance = { 0.10, 0.15, 0.08, 0.05 }, .is_speed = true,
		.least = 0.01),
};

const struct rule rule_imbalance = {
	.word = { "imbalance", "share of the step that ranks wait for each other",
		"Of a job of several ranks: what the mean rank waits in its collectives for others "
		"that have not arrived, as a share of the job's step; tolerated are 5 points more.",
		OURS },
	.pair = PAIR(imbalance, .suite = "perf", .metric = { "imbalance" }, .tolerance = SAME(0.05),
		.is_speed = true, .least = 0.01),
};

#define PART_SAID                                                                                \
	" Changes below 0.5 ms never count; 25, 35, 20 and 15% are tolerated. Fails only where " \
	"the step did not get faster, and grew by half of it or more; else more is a warning."

const struct rule rule_idle_data_loader = {
	.word = { "idle_data_loader", "idle time that waits for the data loader",
		"Time per step in which a GPU is idle and the host waits for data." PART_SAID,
		OURS },
	.pair = PAIR(idle_data_loader, PART_LIMITS, .metric = { "idle_data_loader" }),
};

const struct rule rule_idle_other = {
	.word = { "idle_other", "idle time of other causes",
		"Time per step in which a GPU is idle, and no data loader is the cause." PART_SAID,
		OURS },
	.pair = PAIR(idle_other, PART_LIMITS, .metric = { "idle_other" }),
};

const struct rule rule_compute = {
	.word = { "compute", "time in which a GPU computes",
		"Time per step in which kernels run that communicate nothing." PART_SAID, OURS },
	.pair = PAIR(compute, PART_LIMITS, .metric = { "compute" }),
};

const struct rule rule_exposed_comm = {
	.word = { "exposed_comm", "communication that nothing hides",
		"Time per step in which only collectives run." PART_SAID, OURS },
	.pair = PAIR(exposed_comm, PART_LIMITS, .metric = { "exposed_comm" }),
};

const struct rule rule_exposed_memcpy = {
	.word = { "exposed_memcpy", "copies that nothing hides",
		"Time per step in which only copies and sets run." PART_SAID, OURS },
	.pair = PAIR(exposed_memcpy, PART_LIMITS, .metric = { "exposed_memcpy" }),
};

const struct rule rule_launches_per_step = {
	.word = { "launches_per_step", "GPU work launched in a step",
		"Kernels, copies and sets launched in a step; a property of the program, so nothing is "
		"tolerated. More is a warning.",
		OURS },
	.pair = PAIR(launches_per_step, .suite = "program", .metric = { "launches_per_step" },
		.level = LEVEL_WARN),
};

const struct rule rule_new_kernels = {
	.word = { "new_kernels", "kernels that base does not have",
		"Distinct kernels of the new runs, by name without addresses and template "
		"numbers, that no run of base has. For information: level: fail makes it "
		"count.",
		OURS },
	.pair = PAIR(new_kernels, .suite = "program", .metric = { "new_kernels" }, .kind = GATE_NEW,
		.level = LEVEL_NOTE),
};

const struct rule rule_nan_steps = {
	.word = { "nan_steps", "steps with NaN",
		"Steps of the new run whose losses, norms or rewards are NaN: none is tolerated, whatever "
		"the base did.",
		CANARY },
	.pair = PAIR(nan_steps, .suite = "stability", .metric = { "nan_steps" }, .kind = GATE_MOST),
};

const struct rule rule_inf_steps = {
	.word = { "inf_steps", "steps with an infinity", "As nan_steps, for infinities.", CANARY },
	.pair = PAIR(inf_steps, .suite = "stability", .metric = { "inf_steps" }, .kind = GATE_MOST),
};

const struct rule rule_loss_diverged = {
	.word = { "loss_diverged", "the loss rose and stayed up",
		"1 when the run itself, or its log, says that the loss diverged.", CANARY },
	.pair = PAIR(loss_diverged, .suite = "stability", .metric = { "loss_diverged" },
		.kind = GATE_MOST),
};

const struct rule rule_run_failed = {
	.word = { "run_failed", "the run did not complete",
		"1 when the new run's own file gives its status as failed or timeout: none is "
		"tolerated, whatever the base did.",
		OURS },
	.pair = PAIR(
		run_failed, .suite = "stability", .metric = { "run_failed" }, .kind = GATE_MOST),
};

const struct rule rule_leak = {
	.word = { "leak", "memory that grows from step to step",
		"1 when allocated memory of the new run grows from step to step: in its log (see "
		"D07 of metrics), or at the ends of its traces' steps (see G14 of diagnose). None "
		"is tolerated, whatever the base did; memory taken once is no leak.",
		OURS },
	.pair = PAIR(leak, .suite = "memory", .metric = { "leak" }, .kind = GATE_MOST),
};

const struct rule rule_loss_final = {
	.word = { "loss_final", "loss at the end",
		"Mean of the last losses; 50% above the base are tolerated. The loss of a policy, "
		"beside rewards or kl, is none.",
		CANARY },
	.pair = PAIR(loss_final, .suite = "stability",
		.metric = { "loss_final", "final_loss", "loss", "train_loss" },
		.tolerance = SAME(0.50)),
};

const int64_t gate_min_steps[TIER_COUNT] = { 20, 10, 50, 100 };

bool gate_is_most(const struct gate_rule *rule)
{
	return rule->def->kind == GATE_MOST || rule->def->kind == GATE_NEW;
}
