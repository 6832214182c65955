/* `timeline`: what devices do over time, as lanes and in slices of equal length. */
#include "analyze/answer/timeline/timeline.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/measure/host/callers.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run_steps.h"
#include "base/opt.h"
#include "base/unit.h"

/* ---- the part of the time that is looked at ---- */

/* "1.5": a number, whatever the locale; false: it is none. */
static bool take_number(const char **p, double *v, bool *is_whole)
{
	const char *s = *p;
	double tenth = 0.1;

	*v = 0;
	*is_whole = true;
	for (; *s >= '0' && *s <= '9'; s++)
		*v = *v * 10 + (*s - '0');
	if (s == *p)
		return false;
	if (*s == '.') {
		*is_whole = false;
		for (s++; *s >= '0' && *s <= '9'; s++, tenth /= 10)
			*v += (*s - '0') * tenth;
	}
	*p = s;
	return true;
}

/* A unit's nanoseconds; 0: there is none. */
static double take_unit(const char **p)
{
	static const struct {
		const char *word;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		size_t n = strlen(units[i].word);

		if (strncmp(*p, units[i].word, n) == 0) {
			*p += n;
			return units[i].ns;
		}
	}
	return 0;
}

/* "5", "5-6": steps; "1.2s-1.5s", "10-20ms": time. */
bool timeline_at_parse(const char *text, struct timeline_at *at)
{
	double from;
	bool is_whole;

	if (!take_number(&text, &from, &is_whole))
		return false;
	double from_ns = take_unit(&text);
	double to = from;
	double to_ns = from_ns;
	bool is_to_whole = is_whole;
	if (*text == '-') {
		text++;
		if (!take_number(&text, &to, &is_to_whole))
			return false;
		to_ns = take_unit(&text);
	} else if (from_ns > 0) {
		return false; /* a moment is no stretch */
	}
	at->is_time = to_ns > 0;
	if (*text || (from_ns > 0 && !at->is_time) || (!at->is_time && !(is_whole && is_to_whole)))
		return false;
	from_ns = from_ns > 0 ? from_ns : to_ns;
	at->from = saturate_round(at->is_time ? from * from_ns : from);
	at->to = saturate_round(at->is_time ? to * to_ns : to);
	return at->is_time ? at->from < at->to : at->from <= at->to;
}

static enum status zoom_steps(struct timeline *l, const struct timeline_at *at, struct err *e)
{
	const struct steps *s = l->at->run->steps;
	nsec first = INT64_MAX, last = INT64_MIN;

	if (s->source == STEPS_WHOLE || s->n == 0) {
		(void)err_set(e, E_NODATA, -1, "%s marks no steps for --at", l->at->run->path);
		return err_hint(e, "--at 10ms-20ms is a time range since the first event; %s",
			recording_word(l->at->run, RECORDING_STEPS));
	}
	for (EACH(const struct step, step, s->step, s->n)) {
		if (step->number < at->from || step->number > at->to)
			continue;
		first = MIN(step->start, first);
		last = MAX(step->end, last);
	}
	if (last <= first) {
		(void)err_set(
			e, E_NODATA, -1, "%s has no step %" PRId64, l->at->run->path, at->from);
		return err_hint(e, "it has steps %" PRId64 " to %" PRId64, s->step[0].number,
			s->step[s->n - 1].number);
	}
	l->first = first;
	l->last = last;
	return OK;
}

/* first and last become what --at says, cut to what there is.  E_NODATA when that
 * is nothing, with what there is. */
static enum status timeline_zoom(struct timeline *l, const struct timeline_at *at, struct err *e)
{
	nsec first = saturate_add(l->zero, at->from), last = saturate_add(l->zero, at->to);

	if (!at->is_time)
		return zoom_steps(l, at, e);
	if (first >= l->last) {
		(void)err_set(e, E_NODATA, -1, "%s ends before --at begins", l->at->run->path);
		(void)err_hint(e, "its last GPU event ends at %s",
			IN_TIME((double)saturate_sub(l->last, l->zero)));
		return e->status;
	}
	l->first = first;
	l->last = MIN(last, l->last);
	return OK;
}

/* ---- the order of work ---- */

enum {
	PEOPLE_SLICES = 20,
	MACHINE_SLICES = 500,
	SLICES_MAX = 100000,
	MARKS_MAX = 10000000,
	MARKS_USUAL = 1000,
	MARKS_FOLDED = 300
};

#define AT(field) offsetof(struct timeline_options, field)
static const struct opt options[] = {
	INT_OPT("slices", 0, "N", AT(slices),
		"slices of the time from the first GPU event to the last, as a list [lanes; "
		"500 for machines]"),
	INT_OPT("lanes", 0, "N", AT(lanes),
		"the N busiest streams and threads, each by itself [8; in a list and for machines none]"),
	TEXT_OPT("at", 0, "STEP", AT(at),
		"a step (5), steps (5-6) or a time range since the first event of the trace "
		"(1.2s-1.5s, 10-20ms) [all]"),
	INT_OPT("marks", 0, "N", AT(marks),
		"for machines: also what runs when on the lanes; what is shorter than a part in N of "
		"the time is one mark with its neighbours [none]"),
	INT_OPT("details", 0, "N", AT(details),
		"with --marks: op, shapes, launch and stack of the N longest marks [0]"),
};

/* First start and last end of the device events the filter takes; false: there are none. */
static bool find_span(struct timeline *l)
{
	const struct run *r = l->at->run;
	bool any = false;

	for (size_t d = 0; d < l->devices.n; d++) {
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

	l->n = span < n ? (size_t)span : n;
	l->edge = arena_array(&l->at->mem, l->n + 1, sizeof(*l->edge));
	for (size_t i = 0; i <= l->n; i++)
		l->edge[i] = (nsec)((uint64_t)l->first + span / l->n * i + span % l->n * i / l->n);
}

/* For machines; for people in a list, which they ask for. */
static void put_slices(struct timeline *l, const struct timeline_options *o)
{
	const struct perrun *at = l->at;

	cut(l, rows_limit(at->q, o->slices, PEOPLE_SLICES, MACHINE_SLICES));
	timeline_put_devices(l);
	if (!at->q->for_people) {
		timeline_put_queues(l);
		timeline_put_copies(l);
	}
	if (o->lanes > 0)
		timeline_put_lanes(l, (size_t)o->lanes);
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
	/* The marks on lanes; for people they are a picture. */
	if (is_pictured) {
		bool is_kept = l.at->q->is_folded; /* of a job's ranks their devices are shown */
		struct table *t = timeline_put_marks(&l, is_kept ? 0 : o->lanes,
			is_kept                ? MARKS_FOLDED
				: o->marks > 0 ? (size_t)o->marks
					       : MARKS_USUAL,
			is_kept ? 0 : saturate_size((double)o->details));
		if (l.at->q->for_people) {
			t->layout = TABLE_LANES;
			t->title = "what runs when, since the first event of the trace";
		}
	}
	devices_note(&l.devices, at->out, at->input);
	return OK;
}

static unsigned needs_more(const void *opts, const struct filter *f UNUSED)
{
	return ((const struct timeline_options *)opts)->details > 0 ? NEED_SHAPES | CALLERS_NEEDS
								    : 0;
}

static bool wants_pages(const void *opts)
{
	const struct timeline_options *o = opts;

	return o->lanes > 0 && o->slices >= 0;
}

static enum status check(const void *opts, const struct settings *settings UNUSED, struct err *e)
{
	const struct timeline_options *o = opts;
	struct timeline_at at;

	if (o->slices > SLICES_MAX || o->slices == 0)
		return err_set(e, E_USAGE, -1, "--slices wants 1 to %d", SLICES_MAX);
	if (o->marks > MARKS_MAX)
		return err_set(e, E_USAGE, -1, "--marks wants %d at most", MARKS_MAX);
	if (o->at && !timeline_at_parse(o->at, &at)) {
		return err_hinted(e, E_USAGE,
			"a step: --at 5; time since the first event: --at 1.2s-1.5s, --at 10-20ms",
			"--at %s is neither a step nor a time range", o->at);
	}
	return OK;
}

ANALYSIS(timeline) = {
	.name = "timeline",
	.summary = "what GPUs, streams and threads do when, as lanes",
	.help.doc =
		"A lane for each GPU, its busiest streams and the threads that launch, from "
		"the first GPU event to the last: what runs when, by kind. A column is an equal "
		"part of the time, as high as it is busy; without colours it is a letter, a "
		"small one where less than 3/4 of it is busy. Steps stand above, and gaps of a "
		"GPU have what they waited for in them; the longest are listed. --at looks at a "
		"step or at a time range.\n\n"
		"With --slices, and for machines, a list: slices of equal length, in each the "
		"share in which the GPU computes, communicates or copies with nothing more "
		"useful going on, or is idle. For machines also the depth of each stream's "
		"queue, and bytes copied in each direction. A slice hides what happens inside "
		"it: more slices show shorter gaps.\n\n"
		"Of the ranks of a job: their GPUs below each other, on one clock where the "
		"ends of their collectives tell it (`ranks`), and who makes the others wait.",
	.help.source =
		"torch_tb_profiler, GPU utilization; HTA, queue length and memory bandwidth; "
		"docs/definitions.md",
	.help.examples = "traceq timeline trace.json.gz\n"
			 "traceq timeline trace.json.gz --at 5\n"
			 "traceq timeline trace.json.gz --steps 5-6 --slices 60\n"
			 "traceq plot timeline-lanes trace.json.gz -o lanes.svg",
	ANALYSIS_EACH_RUN(
		NEED_ORDER | NEED_FUNCTIONS | NEED_LINKS | NEED_STEPS | NEED_BYTES | NEED_KERNEL),
	.runs.needs_more = needs_more,
	ANALYSIS_OPTIONS(options, struct timeline_options, .slices = -1, .lanes = -1, .marks = -1),
	ANALYSIS_TABLES(timeline, TIMELINE),
	.options.check = check,
	.per_run = { .answer = answer_run,
		.needs = PERRUN_VIEW,
		.folds = &(const struct folds){ .kept = "timeline|marks",
			.join = timeline_put_ranks,
			.wants_pages = wants_pages } },
};
