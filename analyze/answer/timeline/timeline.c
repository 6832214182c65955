/*
 * `timeline`: what devices do over time, as lanes and in slices of equal length.
 */
#include "analyze/answer/timeline/timeline.h"

#include "analyze/measure/device/sweep.h"
#include "analyze/analysis/fold.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/opt.h"
#include "base/saturate.h"

enum {
	PEOPLE_SLICES = 20,
	MACHINE_SLICES = 500,
	SLICES_MAX = 100000,
	MARKS_USUAL = 1000,
	MARKS_FOLDED = 300
};

#define AT(field) offsetof(struct timeline_options, field)
static const struct opt options[] = {
	OPT("slices", 0, OPT_INT, "N",
		"slices of the time from the first device event to the last, as a list [lanes; 500 for "
		"machines]",
		AT(slices), NULL, NULL),
	OPT("lanes", 0, OPT_INT, "N",
		"the N busiest streams and threads, each by itself [8; in a list and for machines none]",
		AT(lanes), NULL, NULL),
	OPT("at", 0, OPT_TEXT, "STEP",
		"a step (5), steps (5-6) or a stretch of time since the first event of the trace "
		"(1.2s-1.5s, 10-20ms) [all]",
		AT(at), NULL, NULL),
	OPT("marks", 0, OPT_INT, "N",
		"for machines: also what runs when on the lanes; what is shorter than a part in N of "
		"the time is one mark with its neighbours [none]",
		AT(marks), NULL, NULL),
};
#undef AT

static void set_defaults(void *opts)
{
	struct timeline_options *o = opts;

	o->slices = -1;
	o->lanes = -1;
	o->marks = -1;
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
	/* Of a job each rank is shown from its first work on; else times are those of other tables.
	 */
	l->zero = l->at->q->is_folded ? l->first : r->first_ns;
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

/* For machines; for people in a list, which they ask for. */
static void put_slices(struct timeline *l, const struct timeline_options *o)
{
	const struct perrun *at = l->at;

	cut(l, rows_limit(at->q, o->slices, PEOPLE_SLICES, MACHINE_SLICES));
	timeline_put_devices(l, &timeline_docs[TIMELINE_DEVICES]);
	if (!at->q->for_people) {
		timeline_put_queues(l, &timeline_docs[TIMELINE_QUEUES]);
		timeline_put_copies(l, &timeline_docs[TIMELINE_COPIES]);
	}
	if (o->lanes > 0)
		timeline_put_lanes(l, &timeline_docs[TIMELINE_LANES], (size_t)o->lanes);
}

/* The marks on lanes; for people they are a picture. */
static void put_picture(struct timeline *l, const struct timeline_options *o)
{
	const struct result *out = l->at->out;
	struct table *t;

	/* Of the ranks of a job only their devices are shown, and all of them are kept. */
	if (l->at->q->is_folded)
		timeline_put_marks(l, &timeline_docs[TIMELINE_MARKS], 0, MARKS_FOLDED);
	else
		timeline_put_marks(l, &timeline_docs[TIMELINE_MARKS], o->lanes,
			o->marks > 0 ? (size_t)o->marks : MARKS_USUAL);
	t = out->table[out->ntable - 1];
	if (l->at->q->for_people) {
		t->layout = TABLE_LANES;
		t->title = "what runs when, since the first event of the trace";
	}
}

static enum status answer_run(struct perrun *at)
{
	const struct timeline_options *o = at->q->opts;
	struct timeline l = { .at = at };
	struct timeline_at zoom;
	bool is_list = o->slices >= 0, is_pictured = at->q->is_folded;

	devices_init(&l.devices, at->run, &at->mem);
	classes_init(&l.classes, at->run, &at->mem);
	if (!find_span(&l)) {
		result_note(at->out, NOTE_INFO, "no_device_events", at->input, -1,
			"no kernels, copies or sets in this trace, or none passes the filters");
		return OK;
	}
	if (o->at && timeline_at_parse(o->at, &zoom))
		TRY(timeline_zoom(&l, &zoom, at->e));
	if (is_list || !at->q->for_people)
		put_slices(&l, o);
	is_pictured |= at->q->for_people ? !is_list : o->marks > 0;
	if (is_pictured)
		put_picture(&l, o);
	devices_note(&l.devices, at->out, at->input);
	return OK;
}

static bool wants_pages(const void *opts)
{
	const struct timeline_options *o = opts;

	return o->lanes > 0 && o->slices >= 0;
}

static const struct folds folds = {
	.kept = "timeline|marks",
	.join = timeline_put_ranks,
	.wants_pages = wants_pages,
};

static enum status check(const void *opts, const struct settings *settings, struct err *e)
{
	const struct timeline_options *o = opts;
	struct timeline_at at;

	(void)settings;
	if (o->slices > SLICES_MAX || o->slices == 0)
		return err_set(e, E_USAGE, -1, "--slices wants 1 to %d", SLICES_MAX);
	if (o->marks > SLICES_MAX)
		return err_set(e, E_USAGE, -1, "--marks wants %d at most", SLICES_MAX);
	if (o->at && !timeline_at_parse(o->at, &at)) {
		(void)err_set(e, E_USAGE, -1, "--at %s is no step and no stretch of time", o->at);
		return err_hint(e,
			"a step: --at 5; time since the first event: --at 1.2s-1.5s, --at 10-20ms");
	}
	return OK;
}

ANALYSIS(timeline) = {
	.name = "timeline",
	.summary = "what devices, streams and threads do when, as lanes",
	.help.doc =
		"A lane for each device, its busiest streams and the threads that launch, from the "
		"first device event to the last: what runs when, by kind. A column is an equal part "
		"of the time, as high as it is busy; without colours it is a letter, a small one "
		"where less than 3/4 of it is busy. Steps stand above, and gaps of a device have what "
		"they waited for in them; the longest are listed. --at looks at a step or at a "
		"stretch of time.\n\n"
		"With --slices, and for machines, a list: slices of equal length, in each the share "
		"in which the device computes, communicates or copies with nothing more useful going "
		"on, or is idle. For machines also the depth of each stream's queue, and bytes "
		"copied in each direction. A slice hides what happens inside it: more slices show "
		"shorter gaps.\n\n"
		"Of the ranks of a job: their devices below each other, on one clock where the ends "
		"of their collectives tell it (`ranks`), and who makes the others wait.",
	.help.source =
		"torch_tb_profiler, GPU utilization; HTA, queue length and memory bandwidth; "
		"docs/definitions.md",
	.help.examples = "traceq timeline trace.json.gz\n"
			 "traceq timeline trace.json.gz --at 5\n"
			 "traceq timeline trace.json.gz --steps 5-6 --slices 60\n"
			 "traceq plot timeline-lanes trace.json.gz -o lanes.svg",
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
