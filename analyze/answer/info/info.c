/* `info`: what is in a trace.  Options, the order of tables, and a row for each rank of a job. */
#include "analyze/answer/info/info.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/runs_table.h"
#include "analyze/measure/device/devices.h"
#include "analyze/trace/columns/order.h"
#include "base/opt.h"

/* ---- of a job's ranks: a row for each ---- */

static const struct runs_doc runs = { .doc = &info_docs[INFO_RUNS], .from = "trace" };

/* ---- options, and the order of tables ---- */

#define AT(field) offsetof(struct info_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of the tables of lanes and steps; 0 = all [20 and 10]"),
	FLAG_OPT("arguments", 0, AT(arguments),
		"look into the events' arguments too: shapes, stacks, modules; slower"),
	FLAG_OPT("metadata", 0, AT(metadata), "every top-level value of the document"),
};

static unsigned needs_more(const void *opts, const struct filter *f UNUSED)
{
	return ((const struct info_options *)opts)->arguments
		? NEED_SAMPLES | NEED_SHAPES | NEED_STACKS
		: NEED_SAMPLES;
}

ORDER(by_id, struct info_device, compare3(a->id, b->id))

/* The devices that have work: one entry a stream, sorted, joined. */
static void find_devices(struct info *f)
{
	const struct run *r = f->at->run;
	size_t n = 0;

	f->device = arena_array(&f->at->mem, r->lanes.n, sizeof(*f->device));
	for (size_t i = 0; i < r->lanes.n; i++) {
		size_t events = r->order->device_begin[i + 1] - r->order->device_begin[i];

		if (events > 0)
			f->device[n++] = (struct info_device){ .id = r->lanes.lane[i].device,
				.events = (int64_t)events,
				.streams = 1 };
	}
	sort_rows(f->device, n, sizeof(*f->device), by_id);
	for (size_t i = 0; i < n; i++) {
		struct info_device *last = f->ndevice > 0 ? &f->device[f->ndevice - 1] : NULL;

		if (last && last->id == f->device[i].id) {
			last->events += f->device[i].events;
			last->streams++;
		} else {
			f->device[f->ndevice++] = f->device[i];
		}
	}
	n = f->ndevice;
	f->ndevice = MIN(n, DEVICES_MAX);
	info_busy(f);
	devices_say(f->at->out, f->at->input, n, f->ndevice);
}

static enum status answer_run(struct perrun *at)
{
	struct info f = { .at = at, .o = at->q->opts };

	if (at->record)
		info_record_tables(&f);
	if (!perrun_is_record(at)) {
		find_devices(&f);
		info_trace_table(&f);
		info_gpu_table(&f);
		if (!f.at->q->for_people)
			info_software_table(&f);
		info_recorded_table(&f);
		info_category_table(&f);
		info_lane_table(&f);
		info_step_table(&f);
		info_memory_table(&f);
		if (f.o->metadata || !f.at->q->for_people)
			info_metadata_table(&f);
	}
	return OK;
}

ANALYSIS(info) = {
	.name = "info",
	.summary = "what is in a trace: where it comes from, what was recorded, how much",
	.help.doc =
		"Describes each file: who wrote it and with which versions, the GPUs and which "
		"of them have work in it, rank and world size, what the profiler was told to "
		"record and what is really there, the time it covers, its steps, its events by "
		"category, its threads and streams, allocator events, sizes, and whether it is "
		"complete.\n\n"
		"Nothing is measured here beyond counts and spans; 'top' says where the time "
		"goes, 'check' whether the trace can be relied on. What a trace does not say is "
		"left out, or null in JSON: absent does not mean no.",
	.help.source = "Kineto, output_json.cpp and ActivityType; the traces themselves",
	.help.examples =
		"traceq info trace.json.gz\ntraceq info --json rank0.json.gz rank1.json.gz\n"
		"traceq info --arguments trace.json.gz",
	ANALYSIS_EACH_RUN(NEED_LINKS | NEED_ORDER | NEED_STEPS | NEED_MEMORY),
	.runs.needs_more = needs_more,
	.options.ignores = FILTER_ALL & ~FILTER_RANK,
	.weight = 1,
	.runs.takes_records = true,
	.runs.is_of_folders = true,
	ANALYSIS_OPTIONS(options, struct info_options, .limit = -1),
	ANALYSIS_TABLES(info, INFO),
	.help.main_table = "trace",
	.per_run = { .answer = answer_run,
		.folds = &(const struct folds){ .ranks = &runs,
			.kept = "files|artifacts|series|sheets|scalars" } },
};
