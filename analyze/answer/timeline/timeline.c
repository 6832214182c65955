/*
 * `timeline`: what devices do over time, in slices of equal length.
 */
#include "analyze/answer/timeline/timeline.h"

#include "analyze/measure/sweep.h"
#include "analyze/query/fold.h"
#include "analyze/query/rows.h"
#include "analyze/trace/order.h"
#include "analyze/trace/run.h"
#include "base/opt.h"
#include "base/saturate.h"

enum { PEOPLE_SLICES = 20, MACHINE_SLICES = 500, SLICES_MAX = 100000 };

#define AT(field) offsetof(struct timeline_options, field)
static const struct opt options[] = {
	OPT("slices", 0, OPT_INT, "N",
		"slices of the time from the first device event to the last [20; 500 for machines]",
		AT(slices), NULL, NULL),
	OPT("lanes", 0, OPT_INT, "N",
		"also the N busiest streams and threads, each by itself, the busiest first [none]",
		AT(lanes), NULL, NULL),
};
#undef AT

static void set_defaults(void *opts)
{
	((struct timeline_options *)opts)->slices = -1;
}

/* First start and last end of the device events the filter takes; false: there are none. */
static bool find_span(struct timeline *l)
{
	const struct run *r = l->at->run;
	bool any = false;
	size_t d;

	for (d = 0; d < l->devices.n; d++) {
		struct sweep s;
		uint32_t row;

		sweep_device(&s, r, l->devices.id[d], &l->at->mem);
		while (sweep_next(&s, &row)) {
			nsec start = r->events.start[row], end = events_end(&r->events, row);

			if (!filter_device(&l->at->view, row))
				continue;
			if (!any || start < l->first)
				l->first = start;
			if (!any || end > l->last)
				l->last = end;
			any = true;
		}
	}
	return any && l->last > l->first;
}

/* Edges at first + i * span / n, in integers; never two at one place. */
static void cut(struct timeline *l, size_t n)
{
	uint64_t span = (uint64_t)l->last - (uint64_t)l->first;
	size_t i;

	l->n = span < n ? (size_t)span : n;
	l->edge = arena_array(&l->at->mem, l->n + 1, sizeof(*l->edge));
	for (i = 0; i <= l->n; i++)
		l->edge[i] = (nsec)((uint64_t)l->first + span / l->n * i + span % l->n * i / l->n);
}

static enum status answer_run(struct perrun *at)
{
	const struct timeline_options *o = at->q->opts;
	struct timeline l = { .at = at };
	bool people = at->q->for_people;

	devices_init(&l.devices, at->run, &at->mem);
	classes_init(&l.classes, at->run, &at->mem);
	if (!find_span(&l)) {
		result_note(at->out, NOTE_INFO, "no_device_events", at->input, -1,
			"no kernels, copies or sets in this trace, or none passes the filters");
		return OK;
	}
	cut(&l, rows_limit(at->q, o->slices, PEOPLE_SLICES, MACHINE_SLICES));
	timeline_put_devices(&l, &timeline_docs[TIMELINE_DEVICES]);
	if (!people) {
		timeline_put_queues(&l, &timeline_docs[TIMELINE_QUEUES]);
		timeline_put_copies(&l, &timeline_docs[TIMELINE_COPIES]);
	}
	if (o->lanes > 0)
		timeline_put_lanes(&l, &timeline_docs[TIMELINE_LANES], (size_t)o->lanes);
	devices_note(&l.devices, at->out, at->input);
	return OK;
}

static bool wants_pages(const void *opts)
{
	return ((const struct timeline_options *)opts)->lanes > 0;
}

static const struct folds folds = {
	.kept = "timeline",
	.join = timeline_put_ranks,
	.wants_pages = wants_pages,
};

static enum status check(const void *opts, const struct settings *settings, struct err *e)
{
	const struct timeline_options *o = opts;

	(void)settings;
	if (o->slices > SLICES_MAX || o->slices == 0)
		return err_set(e, E_USAGE, -1, "--slices wants 1 to %d", SLICES_MAX);
	if (o->lanes < 0)
		return err_set(e, E_USAGE, -1, "--lanes wants 0 or more");
	return OK;
}

const struct analysis analysis_timeline = {
	.name = "timeline",
	.summary = "what devices do over time: busy, computing, communicating, copying",
	.help.doc =
		"The time from the first device event to the last, cut into slices of equal length: in "
		"each the share in which the device computes, communicates or copies with nothing "
		"more useful going on, or is idle. For machines also the depth of each stream's "
		"queue, and bytes copied in each direction.\n\n"
		"A slice hides what happens inside it: more slices (--slices) show shorter gaps.\n\n"
		"Of the ranks of a job: a line for each, on one clock where the ends of their "
		"collectives tell it (`ranks`), and who makes the others wait.",
	.help.source =
		"torch_tb_profiler, GPU utilization; HTA, queue length and memory bandwidth; "
		"docs/definitions.md",
	.help.examples = "traceq timeline trace.json.gz\n"
			 "traceq timeline trace.json.gz --steps 5-6 --slices 60\n"
			 "traceq plot gpu-util trace.json.gz -o util.png",
	.runs.needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_BYTES | NEED_KERNEL,
	.runs.min = 1,
	.runs.is_one_by_one = true,
	.runs.max = 0,
	.options.opt = options,
	.options.n = COUNT_OF(options),
	.options.size = sizeof(struct timeline_options),
	.options.set_defaults = set_defaults,
	.help.tables = timeline_docs,
	.help.ntables = TIMELINE_TABLES,
	.help.notes = timeline_notes,
	.options.check = check,
	.per_run = { .answer = answer_run, .needs = PERRUN_VIEW, .folds = &folds },
};
