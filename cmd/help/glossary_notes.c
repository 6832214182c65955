/*
 * The notes of the analyses.  tests/cli/cmd/explain/note-ids.cmd compares the ids with those in
 * analyze/.
 */
#include "base/compiler.h"
#include "cmd/help/glossary.h"

/* A row; a macro, and no braces, so that clang-format wraps it instead of aligning columns. */
#define NOTE(id, definition)               \
	{                                  \
		id, NULL, definition, NULL \
	}
static const struct glossary_entry entries[] = {
	NOTE("torn_line",
		"The last line of a log is cut off in the middle, as when the program is still "
		"writing or was killed. It is left out."),
	NOTE("alien_lines",
		"Lines that do not belong to what the file is: console output in a log, a heading "
		"repeated. They are passed over and counted."),
	NOTE("nested_stages",
		"The profiler context of the documents ends a stage when the next one begins. A stage "
		"that holds others, as epoch_0 and step_3 do, has only the time before the first of "
		"them; its times are no durations of epochs or steps."),
	NOTE("rows_left_out",
		"A table of an artifact has more than 1,048,576 rows, or a log lists more than 65,536 "
		"samples (rewards, scores); the first ones are kept."),
	NOTE("keys_left_out",
		"A log has more than 4,096 keys; the first ones are series, values of the others are "
		"counted only."),
	NOTE("values_left_out",
		"A document has more than 65,536 single values; the first ones are kept."),
	NOTE("folder_trace",
		"Which trace of a folder the events are of: the first in the order of names. The count is "
		"of the further ones, which 'traceq info' lists: other ranks, or repeats of the run."),
	NOTE("metrics_no_target",
		"A key of --target is not among those shown, or has more than 65,536 values, of which "
		"only a sample is kept."),
	NOTE("left_out",
		"A run or trace that was found in a folder and is in no figure: it cannot be read, "
		"it has no trace where events are asked for, or a run has more than 64 traces."),
	NOTE("no_answer",
		"One of several runs has nothing that answers the question; the others do."),
	NOTE("not_looked_at",
		"What of a folder was passed over: names with a dot in front, links to files and "
		"folders that are in it already, links that lead out of it or to nothing, pipes, "
		"sockets and devices, folders more than 8 deep or not readable, and files and "
		"folders beyond 10,000. Give what such a link leads to by itself."),
	NOTE("no_trace",
		"There is no trace, so the answer is made of what another file of the run says: a "
		"summary, an op CSV, the text of a table. Its figures are its writer's; operators and "
		"kernels are often rows of one list, so that device time may be in it twice."),
	NOTE("nothing_recorded",
		"The folder has no trace, no figures and no table, at most configurations: the run left "
		"nothing to look at, or it is another folder. The exit code is 1."),
	NOTE("torn_table",
		"A table of operations has no closing line: the text is cut off. The rows that are "
		"there are read."),
	NOTE("torn_drawing",
		"A flame graph ends without its closing tag. The boxes that are there are read."),
	NOTE("unquoted_commas",
		"Rows of a CSV with more cells than the heading: commas in a name that nobody quoted. "
		"They are split from the right, where only numbers stand."),
	NOTE("rows_by_name",
		"A table of operations has one row an event. Rows of one name are summed up: times, "
		"memory and calls."),
	NOTE("peak_of_one_event",
		"memory_stats.json calls the largest memory usage of a single event the peak. The "
		"peak of the run is higher; the allocator events of a trace have it."),
	NOTE("mock_throughput",
		"A GPU profile's throughput_benchmark is what its script makes up without a GPU at "
		"work: exactly 10 / batch samples a second and 5 + 2 * batch GB at every size. It "
		"is shown, but it says nothing about the machine."),
	NOTE("timestamp_no_time",
		"The timestamp of a GPU profile is no date: its script writes its own name there. It "
		"is kept as a text."),
	NOTE("gpus_by_order",
		"nvidia-smi was not asked for index or uuid, and there are several GPUs: rows of one "
		"time are numbered in their order, which is the order of the indexes."),
	NOTE("long_lines", "Lines beyond 64 MiB are passed over."),
	NOTE("no_device_events",
		"The trace has no kernels, copies or sets. The profiler recorded the CPU only, "
		"or the device's own recorder (CUPTI, roctracer) was not available."),
	NOTE("no_baseline",
		"gate was asked to compare with a base that is not there, and --missing-baseline "
		"allows that. Nothing was compared, and nothing is known about the new runs."),
	NOTE("few_repeats",
		"Noise between runs was found from fewer than five runs. The variance of so few is "
		"itself uncertain; the column of the upper bound says by how much."),
	NOTE("no_steps",
		"There is no ProfilerStep#N and no annotation that repeats, so the whole trace "
		"counts as one step and figures per step are left out. profiler.step() marks "
		"steps."),
	NOTE("no_memory_events",
		"Memory columns were asked for, but the trace has no allocator events. They are "
		"recorded with profile_memory=True."),
	NOTE("sort_fallback",
		"Rows cannot be sorted by what was asked for, or by the usual column, as nothing "
		"in the trace has it; the text of the note says what they are sorted by."),
	NOTE("no_rows",
		"No operator, runtime call, kernel or slice passes the filters, or the trace has "
		"none."),
	NOTE("no_match",
		"No name passes -f and -v; totals and percentages are still of everything."),
	NOTE("no_shapes",
		"Rows by shape were asked for, but the trace has no input shapes. They are recorded "
		"with record_shapes=True."),
	NOTE("unreliable",
		"At least one check is bad: figures of this trace may be wrong. The text says which; "
		"'traceq check' has the details, and its exit code is 1."),
	NOTE("many_devices",
		"The trace names more devices than any answer has figures of: 1024, those with the "
		"lowest numbers. Of steps times devices there may be fewer."),
	NOTE("many_streams",
		"The trace has more streams than the table of streams has rows: 4096. Those of the "
		"devices with the lowest numbers are there."),
	NOTE("many_allocators",
		"Allocator events name more devices than there is room for in the table of "
		"allocators; it has the first ones."),
	NOTE("no_device_chosen",
		"There is device work in the trace, but none of it passes --device, --stream and "
		"--cat; figures of devices are unknown."),
	NOTE("incomplete_step",
		"A step was still open when recording ended, or the last one has fewer than 0.8 of "
		"the device events of the step before (the TensorBoard plugin's rule). It is kept "
		"and marked."),
	NOTE("slow_first_step",
		"The first step of the run took more than 1.5 times the median of the others: "
		"compilation, autotuning, filling caches. schedule(wait, warmup) of the profiler "
		"leaves such steps out."),
	NOTE("no_kernels",
		"There is device work in the trace, but no kernel among what passes the filters; "
		"tables of kernels are empty."),
	NOTE("no_launch_config",
		"The kernels' arguments have neither grid nor registers, so launch configurations, "
		"blocks per SM and occupancy are unknown. CUPTI records them; some ROCm versions do "
		"not."),
	NOTE("no_copies",
		"No copy, no set and no kernel that only moves elements passes the filters, or the "
		"trace has none."),
	NOTE("no_collectives",
		"No collective runs on a device, or none passes the filters. Those of gloo run on the "
		"CPU; a group of one rank may need no kernel at all."),
	NOTE("collectives_by_name",
		"The trace has no arguments for these collectives (PyTorch before 2.2, kernels "
		"launched without record_param_comms, or none that says its name). Which one it is "
		"follows from the kernel's name; sizes, ranks and bandwidths are unknown."),
	NOTE("idle_thresholds",
		"How 'idle' told classes of gaps apart: below the threshold of "
		"--kernel-wait a gap before work that was launched already is kernel wait, "
		"otherwise other; more than half of a gap in one call of the data loader "
		"makes it dataloader."),
	NOTE("gaps_unlinked",
		"Device events whose launching call is not in the trace. Nobody knows when "
		"they were launched, so gaps before them are of class other."),
	NOTE("gaps_of_steps",
		"With --steps, idle time is of the steps' own time on the CPU: it includes "
		"what is before the first device work in them and behind the last. Without, "
		"it is of the time from the first to the last device work."),
	NOTE("launch_thresholds",
		"What 'launches' calls slow (--slow-call), delayed (--long-delay), and a "
		"short kernel."),
	NOTE("queue_full",
		"A stream's queue stays just below 1024 entries, the limit of the hardware, "
		"for at least a twentieth of the time. Launches wait until the device has "
		"taken one: the device is the bottleneck, and durations of launching calls "
		"are waiting."),
	NOTE("queue_whole",
		"A queue depends on what was launched before, so queues are always those of "
		"the whole trace."),
	NOTE("no_launches",
		"No device event has its launching call in the trace, so launch delays and "
		"queues cannot be known. The recording had no runtime calls, or had lost "
		"them."),
	NOTE("memory_has_no_streams",
		"The allocator's records ([memory] events) say their device, but no stream. --stream "
		"is taken, so that one set of filters suits all commands, and changes nothing."),
	NOTE("memory_relative",
		"Traces of 2021 have no Total Allocated. Curves are sums of allocated and "
		"freed bytes since the begin of the trace, so they tell changes, not "
		"levels."),
	NOTE("out_of_memory", "The trace has [OutOfMemory] records: allocations that failed."),
	NOTE("frees_unmatched",
		"Blocks that were freed do not have the addresses of blocks that were "
		"allocated, so it cannot be told which are alive at the peak."),
	NOTE("no_stages",
		"There are no annotations on the CPU. "
		"torch.profiler.record_function(\"name\") makes them."),
	NOTE("stacks_source",
		"What frames of stacks are made of: Python functions (with_stack=True), "
		"Call stack arguments of operators, or operators alone. --source chooses."),
	NOTE("crossing_frames",
		"Python functions that, by their times, do not lie inside the function that "
		"their parent id names. They are placed by the id; their time is not taken "
		"from the own time of that parent."),
	NOTE("stacks_deep",
		"Stacks end at a depth of 1024 frames. A call below that counts for the frame "
		"there, so sums stay whole; its own name is not shown."),
	NOTE("stacks_text",
		"The text of all stacks of an answer ends at 64 MiB. Stacks with the least time are "
		"left out; -n and -f choose fewer."),
	NOTE("stacks_no_launch",
		"Device work whose launching call is not in the trace has no stack; it is "
		"under the frame '(no launch)', so that the sum stays that of all device "
		"work."),
	NOTE("fit_excludes",
		"What a model needs beside its parameters depends on its shape, which was not "
		"given: the KV cache of inference grows with tokens, the activations of training "
		"with tokens and layers."),
	NOTE("fit_from_file",
		"--params was not given; the file states how many parameters the model has "
		"(model_info.total_params). Its shape, where stated, is used as well."),
	NOTE("seed_fit",
		"What the documents' tables of model memory leave out, and where they contradict "
		"each other."),
	NOTE("batch_sweeps",
		"The files hold more than one sweep over batch sizes, mostly the same one twice "
		"(baseline_metrics.json and detailed_metrics.csv). One is shown."),
	NOTE("batch_mem_used",
		"The file's gpu_mem_used is memory_allocated at the end of a run less that at its "
		"start. In inference it is near 0, and the model is not in it. Memory figures are "
		"of the peak."),
	NOTE("batch_no_law",
		"Memory over batch size is no rising line, or there are fewer than 3 sizes with a "
		"peak; then the largest batch that fits is unknown."),
	NOTE("batch_no_sweet_spot",
		"Every batch size breaks --slo, --min-throughput or --capacity."),
	NOTE("smi_utilization",
		"utilization.gpu of nvidia-smi is the share of a sample's period (1/6 to 1 s) in "
		"which at least one kernel ran. It says nothing of how many of the GPU's units "
		"worked; busy of a trace has the same meaning, occupancy is another figure."),
	NOTE("smi_trimmed",
		"Recorders are started before the program and stopped after it. Samples with a "
		"utilization of at most 5 % before the first and after the last that has more are "
		"left out."),
	NOTE("smi_pauses",
		"Between two samples is more than 5 times the usual time: the recorder was stopped, "
		"or the host too busy. What happened then is not known, and counts as one "
		"interval."),
	NOTE("smi_missing",
		"nvidia-smi wrote [N/A], [Not Supported], [Unknown Error] or ERR! instead of a "
		"number. Such values are left out, not counted as 0."),
	NOTE("env_differs",
		"The sides ran in different environments: what the trace says of GPU, driver, "
		"torch, CUDA, NCCL or world size is not the same. Times may differ by that alone."),
	NOTE("ranks_missing",
		"The world of a distributed run is larger than the number of its traces that were "
		"found; figures are those of the ranks that are there."),
	NOTE("ranks_differ",
		"The sides have traces of different numbers of ranks. Means are over the ranks that "
		"are there; a step is as long as its slowest rank."),
	NOTE("files_left_out", "Files of a folder that are of no kind that can be compared."),
	NOTE("files_unreadable",
		"Files of a folder that are a trace, a log or a summary, but too damaged to be read; "
		"--strict makes that an error."),
	NOTE("no_step_times",
		"Not both sides have steps with times, so there is no ledger and no verdict on the "
		"step; metrics that both sides have are compared."),
	NOTE("few_steps",
		"A side is one run with fewer than 4 steps. Its spread is not known, so a change "
		"cannot be told from noise. Record more steps, or give several runs."),
	NOTE("metrics_restarts",
		"The step of a log falls back: the run went on from a checkpoint and wrote into the "
		"same file. Values at steps that were done again are taken from the later time."),
	NOTE("metrics_smi",
		"A folder holds samples of nvidia-smi beside other metrics; `traceq smi` is about "
		"them. With --key or -f they are metrics like others."),
	NOTE("metrics_sampled",
		"Series of more than 65,536 values are read in constant memory: mean, deviation and "
		"extremes are of all values, quantiles of 8192 drawn at random (the same ones each "
		"time), trends of the means of equal blocks."),
};

const struct glossary_entry *glossary_notes(size_t *n)
{
	*n = COUNT_OF(entries);
	return entries;
}
