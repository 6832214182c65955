/* `check`: what its parts share.  Private to analyze/answer/check/. */
#pragma once

#include "analyze/analysis/fields.h"
#include "analyze/measure/device/launchstat.h"
#include "analyze/analysis/perrun.h"
#include "analyze/rule/finding.h"
#include "base/opt.h"

/* `check`: what a run folder should have, as the source documents list it, and where it is. */

/* What check_profile.py says of the whole folder. */
#define CHECK_NOTHING     "No profiler data found - profiling may have failed"
#define CHECK_ONLY_STAGES "Chrome trace not available - only stage timing data collected"
#define CHECK_NO_FOLDER   "Profiler directory does not exist: %s"

/* How a wanted file is known: by what is in it where that can be, else by its name. */
enum wanted_by { BY_TRACE, BY_OPS, BY_STAGES, BY_MEMORY, BY_KIND, BY_NAME };

struct wanted {
	const char *name, *what; /* as the document has them */
	enum wanted_by by;
	const char *kind; /* BY_KIND: of artifact */
	enum severity missing, missing_beside_trace;
	const char *said; /* the key under which a run's summary says that it was written, or NULL
	                   */
};

/* One document's list. */
struct wanted_list {
	const struct wanted *wanted;
	size_t n;
	size_t stages;      /* so many stages at least; 0: any */
	const char *figure; /* a scalar that has to be there, or NULL */
	double expected;    /* what the document expects of it */
	bool is_profiled;   /* check_profile.py's: a trace or times of stages make it valid */
};

/* Places in the list of check_profile.py; WANTED_METRICS: in that of week 1. */
enum { WANTED_TRACE, WANTED_OPS, WANTED_STAGES, WANTED_MEMORY, WANTED_METRICS = 1 };

/* The list for the run: that of the document whose files it has, else check_profile.py's. */
const struct wanted_list *check_wanted_list(const struct record *r);
extern const struct wanted_list check_wanted_profiled;

/* The file that has it, or NULL. */
const char *check_wanted_file(const struct run *run, const struct wanted *w);

/* A file of that name is there, but cannot be read. */
bool check_wanted_is_damaged(const struct record *r, const struct wanted *w);

/* One of the two. */
bool check_wanted_is_there(const struct run *run, const struct wanted *w);

/* Distinct stages in the run's table of stages. */
size_t check_wanted_stages(const struct record *r);

/* Where a trace stops being reliable.  In per cent, as the definitions name them. */
enum {
	CHECK_LOST_MAX_PERCENT = 1, /* of events, or of the text, lost */
	/* Of device events that were launched while calls were recorded, those without launch. */
	CHECK_UNLINKED_MAX_PERCENT = 50,
	/* Up to this a note. */
	CHECK_UNLINKED_FEW_PERCENT = 1,
	CHECK_BEFORE_FEW_PERCENT = 1,  /* of device events before their call: up to this a note */
	CHECK_OVERLAP_MAX_PERCENT = 1, /* of host slices that cross: a warning */
	CHECK_ZERO_DURATION_MAX_PERCENT = 50 /* of device events without length */
};

struct check_options {
	int64_t limit; /* rows of the tables of launches, for people; below 0: a few; 0: all */
	bool all;      /* people see the good rows, too */
};

/* The rules, in their order: X(NAME, id, of, some, percent, beyond, text, definition)
 * of: what the share is of.  some: how bad it is when there are any; beyond: when they are more
 * than `percent` of it. */
#define CHECKS(X)                                                                                        \
	X(EVENTS, events, NONE, OK, 0, OK, "events in the file",                                         \
		"Objects in traceEvents. Bad when there are none.")                                      \
	X(LOST, lost_events, EVENTS, WARN, CHECK_LOST_MAX_PERCENT, CRIT,                                 \
		"events that are not in the numbers",                                                    \
		"Unparseable or unusable events: the sum of skipped_event, not_an_object, no_phase, "    \
		"no_time, end_without_begin, zero_time_kernel, too_deep and too_long. Bad above 1%.")    \
	X(WINDOW_END, window_end_missing, NONE, WARN, 0, WARN,                                           \
		"no 'Record Window End': cut, or processed after recording",                             \
		"Kineto ends every trace with this event. Without it the file was cut or rewritten; "    \
		"what it writes last (thread names, GPU annotations) may be missing.")                   \
	X(NO_CATEGORY, no_category, EVENTS, OK, 0, OK, "events without a category",                      \
		"Metadata and markers have none, nor have other producers' events; kinds are then "      \
		"known by name and place.")                                                              \
	X(UNKNOWN_KIND, unknown_kind, NONE, WARN, 0, WARN, "slices of no kind that traceq knows",        \
		"No category, process or name tells what a single slice of the trace is: it is "         \
		"shown, but nothing is concluded from it.")                                              \
	X(UNFINISHED, unfinished, NONE, NOTE, 0, NOTE, "slices without their own end",                   \
		"No duration, or begun and never ended: the time shown is what could be known.")         \
	X(CUT, cut_by_window, NONE, NOTE, 0, NOTE, "slices still open when recording ended",             \
		"args.finished is false: the duration is cut at the end of the window.")                 \
	X(OVERLAP, partial_overlap, TREE, NOTE, CHECK_OVERLAP_MAX_PERCENT, WARN,                         \
		"slices of one thread that cross instead of nesting",                                    \
		"Rows of the op tree that begin inside another one and end after it. The one that "      \
		"began first is closed there, so self times near it are not exact. A warning above "     \
		"1%.")                                                                                   \
	X(LINKED, device_linked, DEVICE, OK, 0, OK, "GPU events with a launch of their own",             \
		"Launched by a call that launched just this one.")                                       \
	X(GRAPH, device_graph_linked, DEVICE, OK, 0, OK, "GPU events launched as a graph",               \
		"Launched by a call that launched several (cudaGraphLaunch): linked to that call, not "  \
		"to the ops that were captured.")                                                        \
	X(QUEUED, launched_before, DEVICE, NOTE, 0, NOTE,                                                \
		"GPU events launched before recording began",                                            \
		"The queue was filled earlier: before the first event of their stream that has a "       \
		"launch, with a correlation id below that of any call recorded of the process. Their "   \
		"time is in GPU totals, but in no op's unless the External id tells it.")                \
	X(UNLINKED, device_unlinked, RECORDED, WARN, CHECK_UNLINKED_MAX_PERCENT, CRIT,                   \
		"GPU events without a launch in the trace",                                              \
		"No call has their correlation id, and nothing says that it was made before "            \
		"recording began: calls were not recorded. Their time is in GPU totals, but in no "      \
		"op's unless the External id tells it. Of the GPU events that are not "                  \
		"launched_before: bad above 50%; a note up to 1%, and where the trace has no "           \
		"runtime calls at all, or no ids that say what a call launched.")                        \
	X(WITH_OP, unlinked_with_op, DEVICE, OK, 0, OK, "of both, the op is known by External id",       \
		"Unlinked GPU events whose External id an op has.")                                      \
	X(NO_CORRELATION, no_correlation, DEVICE, NOTE, 0, NOTE,                                         \
		"GPU events without a correlation id", "args.correlation is absent or 0.")               \
	X(DUPLICATE_CORRELATION, duplicate_correlation, NONE, WARN, 0, WARN,                             \
		"calls that share a correlation id",                                                     \
		"Correlation ids of calls should differ. Their GPU events count for the earliest "       \
		"call. Merged traces of several processes have such ids.")                               \
	X(DUPLICATE_EXTERNAL, duplicate_external_id, NONE, NOTE, 0, NOTE,                                \
		"ops that share an External id", "The first op with an id counts.")                      \
	X(NO_EXTERNAL, no_external_op, DEVICE, OK, 0, OK,                                                \
		"GPU events that no op's External id names",                                             \
		"Usual for graph launches and in older traces; links by correlation do not need it.")    \
	X(OUTSIDE, outside_ops, DEVICE, OK, 0, OK, "GPU events launched outside of any op",              \
		"Their call is in no op and no annotation: libraries and programs that launch by "       \
		"themselves.")                                                                           \
	X(WITHOUT_DEVICE, launch_without_device, NONE, NOTE, 0, NOTE,                                    \
		"launching calls whose GPU work is not in the trace",                                    \
		"Calls named as launches, copies or sets with a correlation id that no GPU event "       \
		"has: it ran after recording ended, was captured into a graph, or got lost.")            \
	X(NO_WORK, no_gpu_work, NONE, CRIT, 0, CRIT, "launching calls, and no GPU work at all",          \
		"Calls put work on a GPU, and the whole trace has none of it: the recording of the GPU " \
		"failed, or was lost. What is said of the GPU would be wrong.")                          \
	X(BEFORE, before_launch, DEVICE, NOTE, CHECK_BEFORE_FEW_PERCENT, WARN,                           \
		"GPU events that start before their call",                                               \
		"CPU and GPU clocks disagree; delays and overlaps are off by that much. A "              \
		"warning above 1%.")                                                                     \
	X(ZERO_DURATION, zero_duration_device, DEVICE, NOTE, CHECK_ZERO_DURATION_MAX_PERCENT,            \
		CRIT, "GPU events of duration 0",                                                        \
		"Usual in traces with whole microseconds (before 2024): shorter than one. Bad above "    \
		"50%: durations are missing, or in a unit that makes them less than a nanosecond.")      \
	X(NO_STEPS, no_steps, NONE, NOTE, 0, NOTE, "nothing marks steps",                                \
		"No ProfilerStep#N, no step of XLA's and no annotation or range (NVTX, roctx) that "     \
		"repeats: there are no figures per step.")                                               \
	X(STEPS_INCOMPLETE, steps_incomplete, STEPS, NOTE, 0, NOTE, "steps that are cut off",            \
		"Still open when recording ended, or with less than 0.8 of the GPU events of the "       \
		"step before; medians over steps set the last one aside.")

enum check_id {
#define X(name, id, of, some, percent, beyond, text, doc) CHECK_##name,
	CHECKS(X)
#undef X
		CHECK_COUNT
};

enum share_of { OF_NONE, OF_EVENTS, OF_DEVICE, OF_RECORDED, OF_TREE, OF_STEPS };

/* From which share on a recording is how bad. */
struct quality_limits {
	enum share_of of;
	enum severity some, beyond;
	int percent;
};

/* How many of what a check counts, and the first row, or NO_ROW. */
struct check_count {
	int64_t n;
	uint32_t first;
};

/* One run being checked. */
struct check {
	struct perrun *at;
	const struct check_options *o;
	struct check_count seen[CHECK_COUNT];
	int64_t device; /* device events */
	int64_t host;   /* rows of the op tree */
	nsec unlinked_ns, outside_ops_ns;
	int64_t verdicts[SEVERITY_COUNT]; /* how many of each, so far */
	enum severity worst;
	const char *why; /* what the worst found; NULL when they are no warnings */
};

/* check_count.c: fills `seen`, and what stands beside it. */
void check_count(struct check *c);

/* check_queued.c: whether a device event was launched before recording began, by device side row;
 * the caller frees.  O(events). */
bool *check_find_queued(const struct run *r) MUST_CHECK;

/* check_health.c: the table of checks. */
void check_health_tables(struct check *c);
/* How bad, in its words: ok, note, warning, bad; constant. */
const char *check_word(enum severity s);

/* check_record.c: what a run folder has beside its trace. */
void check_record_tables(struct check *c);

/* check_launch.c: launches in figures. */
void check_launch_tables(struct check *c);

#define TABLES_DEF "analyze/answer/check/check_tables.def"
#include "base/table_names_impl.h"

/* check_health.c: takes `count` verdicts into the run's; why: what they found. */
void check_judge(struct check *c, enum severity v, int64_t count, const char *why);
