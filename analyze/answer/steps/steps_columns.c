/*
 * `steps`: the columns of its tables, with what each means.
 */
#include "analyze/answer/steps/steps.h"

#define LEDGER_SOURCE "TraceLens, gpu_event_analyser.py"
#define ROLE_SOURCE   "tb_plugin, overall_parser.py"

/* Shorter than a line, so that clang-format leaves them alone. */
#define COLUMN(key, title, doc, source, type, unit, flags)               \
	{                                                                \
		key, title, doc, source, CELL_##type, UNIT_##unit, flags \
	}
#define HIDDEN COLUMN_HIDDEN

static const struct column ledger[STEPS_LEDGER_COLUMNS] = {
	[STEPS_STEP] = COLUMN("step", "step",
		"N of ProfilerStep#N, else the count of the annotation that makes steps, from 0; absent "
		"for the whole trace.",
		NULL, INT, NONE, 0),
	[STEPS_DEVICE] =
		COLUMN("device", "device", "args.device, else the pid.", NULL, INT, NONE, 0),
	[STEPS_WALL] = COLUMN("wall_ns", "wall", "From the step's start to its end on the CPU.",
		NULL, INT, NS, 0),
	[STEPS_COMPUTE] = COLUMN("compute_ns", "compute",
		"Time in which a kernel that is no collective, or a set, runs on any stream of the "
		"device.",
		LEDGER_SOURCE, INT, NS, 0),
	[STEPS_COMM] = COLUMN("exposed_comm_ns", "exp comm",
		"Time in which a collective runs and nothing computes.", LEDGER_SOURCE, INT, NS, 0),
	[STEPS_MEMCPY] = COLUMN("exposed_memcpy_ns", "exp copy",
		"Time in which a copy runs and neither a kernel nor a set.", LEDGER_SOURCE, INT, NS,
		0),
	[STEPS_IDLE] = COLUMN("idle_ns", "idle",
		"Time in which nothing runs on the device: wall less compute, exposed comm and exposed "
		"memcpy.",
		LEDGER_SOURCE, INT, NS, 0),
	[STEPS_BUSY_RATIO] = COLUMN("busy_ratio", "busy",
		"busy_ns over wall_ns: the share of the step in which anything runs on the device.",
		NULL, REAL, RATIO, 0),
	[STEPS_UTILIZATION] = COLUMN("utilization_ratio", "util",
		"kernel_union_ns over wall_ns: GPU utilisation as the TensorBoard plugin has it, kernels "
		"only.",
		"tb_plugin, gpu_metrics_parser.py", REAL, RATIO, 0),
	[STEPS_EVENTS] = COLUMN("device_events", "events",
		"Kernels, copies and sets launched in the step (without a launch: started), whenever they "
		"ran.",
		NULL, INT, COUNT, 0),
	[STEPS_MARK] = COLUMN("mark", "mark",
		"What is odd about the step: slow first, slow, fast, incomplete.", NULL, TEXT, NONE,
		0),
	[STEPS_NAME] =
		COLUMN("name", "name", "Name of the step's event.", NULL, TEXT, NONE, HIDDEN),
	[STEPS_START] =
		COLUMN("start_ns", "start", "Start of the step.", NULL, INT, TIMESTAMP, HIDDEN),
	[STEPS_END] = COLUMN("end_ns", "end", "End of the step.", NULL, INT, TIMESTAMP, HIDDEN),
	[STEPS_BUSY] = COLUMN("busy_ns", "busy",
		"Union of all device work in the step: wall less idle.", NULL, INT, NS, HIDDEN),
	[STEPS_KERNEL_UNION] = COLUMN("kernel_union_ns", "kernels",
		"Union of all kernels, collectives too.", NULL, INT, NS, HIDDEN),
	[STEPS_COMPUTE_KERNELS] = COLUMN("compute_kernel_union_ns", "compute kernels",
		"Union of kernels that are no collectives: compute without sets.", NULL, INT, NS,
		HIDDEN),
	[STEPS_ONLY_MEMSET] = COLUMN("only_memset_ns", "sets alone",
		"The part of compute in which a set runs and no kernel that computes.", NULL, INT,
		NS, HIDDEN),
	[STEPS_COMM_UNION] = COLUMN("comm_union_ns", "comm", "Union of collectives, hidden or not.",
		NULL, INT, NS, HIDDEN),
	[STEPS_MEMCPY_UNION] = COLUMN("memcpy_union_ns", "copies",
		"Union of copies, hidden or not.", NULL, INT, NS, HIDDEN),
	[STEPS_MEMSET_UNION] =
		COLUMN("memset_union_ns", "sets", "Union of sets.", NULL, INT, NS, HIDDEN),
	[STEPS_OVERLAP] = COLUMN("comm_compute_overlap_ns", "comm hidden",
		"Time in which a collective runs while something computes: comm_union_ns less "
		"exposed_comm_ns.",
		"HTA, communication_analysis.py", INT, NS, HIDDEN),
	[STEPS_COUNTED] = COLUMN("is_counted", "counted",
		"Medians count it: all steps do, but the first and the last when five or more remain.",
		NULL, BOOL, NONE, HIDDEN),
	[STEPS_OUTLIER] = COLUMN("is_outlier", "outlier",
		"Of 5 or more steps one that is 10 % or more, and 5 standard deviations (as 1.4826 times "
		"the median absolute deviation) or more, off the median.",
		NULL, BOOL, NONE, HIDDEN),
	[STEPS_SLOW_FIRST] = COLUMN("is_slow_first", "slow first",
		"The first step of the run, longer than 1.5 times the median of the others.", NULL,
		BOOL, NONE, HIDDEN),
	[STEPS_INCOMPLETE] = COLUMN("is_incomplete", "incomplete",
		"Cut off by the end of recording: unfinished, or the last one with fewer than 0.8 of the "
		"device events of the step before.",
		"tb_plugin, event_parser.py", BOOL, NONE, HIDDEN),
};

static const struct column means[MEANS_COLUMNS] = {
	[MEANS_ROLE] = COLUMN("role", "role",
		"kernel (no collective), memcpy, memset, communication (device work of collectives; "
		"gloo's calls), runtime (CUDA and HIP calls), data loader, CPU exec (operators and "
		"annotations), other; each moment belongs to the first of them that is active.",
		ROLE_SOURCE, TEXT, NONE, 0),
	[MEANS_MEAN] = COLUMN("mean_ns", "per step", "Sum over steps, divided by their number.",
		ROLE_SOURCE, REAL, NS, 0),
	[MEANS_SHARE] = COLUMN(
		"share_ratio", "%", "Of the time of all steps.", ROLE_SOURCE, REAL, RATIO, 0),
	[MEANS_SUM] = COLUMN("sum_ns", "sum", "Over all steps looked at.", NULL, INT, NS, HIDDEN),
	[MEANS_MEDIAN] = COLUMN("median_ns", "median",
		"Median over steps, the first and the last set aside when five or more remain.",
		NULL, REAL, NS, 0),
};

#define ROLE(role, key, title, doc) \
	[ROLES_FIRST + ROLE_##role] = COLUMN(key, title, doc, ROLE_SOURCE, INT, NS, 0)
static const struct column roles[ROLES_COLUMNS] = {
	[ROLES_STEP] = COLUMN("step", "step", "As in the table of steps.", NULL, INT, NONE, 0),
	[ROLES_WALL] = COLUMN("wall_ns", "wall",
		"From the step's start to its end on the CPU: the sum of the roles.", NULL, INT, NS,
		HIDDEN),
	ROLE(KERNEL, "kernel_ns", "kernel", "Any device runs a kernel that is no collective."),
	ROLE(MEMCPY, "memcpy_ns", "memcpy", "Else a copy runs."),
	ROLE(MEMSET, "memset_ns", "memset", "Else a set runs."),
	ROLE(COMM, "communication_ns", "comm",
		"Else a collective runs on a device, or a gloo call on the host."),
	ROLE(RUNTIME, "runtime_ns", "runtime", "Else any thread is in a CUDA or HIP call."),
	ROLE(DATA, "dataloader_ns", "data",
		"Else any thread is in enumerate(DataLoader) or enumerate(DataPipe)."),
	ROLE(CPU, "cpu_exec_ns", "CPU",
		"Else any thread is in an operator or an annotation, the step's own aside."),
	ROLE(OTHER, "other_ns", "other", "What is left."),
	[ROLES_MARK] = COLUMN("mark", "mark", "As in the table of steps.", NULL, TEXT, NONE, 0),
};
#undef ROLE

const struct table_doc steps_docs[STEPS_TABLES] = {
	[STEPS_LEDGER] = { "steps", "steps", ledger, STEPS_LEDGER_COLUMNS },
	[STEPS_ROLE_MEANS] = { "roles", "the average step by role", means, MEANS_COLUMNS },
	[STEPS_ROLES] = { "step_roles", "steps by role", roles, ROLES_COLUMNS },
};
