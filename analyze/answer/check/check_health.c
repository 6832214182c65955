/*
 * `check`: from counts to verdicts.  Each check is one row of data: when it is odd, and how bad.
 */
#include <string.h>

#include "analyze/answer/check/check.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run_steps.h"
#include "base/compiler.h"
#include "base/minmax.h"

/*
 * X(NAME, id, of, some, percent, beyond, text, definition)
 * of: what the share is of.  some: the verdict when there are any; beyond: when they are more than
 * `percent` of it.
 */
#define CHECKS(X)                                                                                       \
	X(EVENTS, "events", NONE, OK, 0, OK, "events in the file",                                      \
		"Objects in traceEvents. Bad when there are none.")                                     \
	X(LOST, "lost_events", EVENTS, WARNING, CHECK_LOST_MAX_PERCENT, IS_BAD,                         \
		"events that are not in the numbers",                                                   \
		"Unparseable or unusable events: the sum of skipped_event, not_an_object, no_phase, "   \
		"no_time, end_without_begin, zero_time_kernel, too_deep and too_long. Bad above 1%.")   \
	X(WINDOW_END, "window_end_missing", NONE, WARNING, 0, WARNING,                                  \
		"no 'Record Window End': cut, or processed after recording",                            \
		"Kineto ends every trace with this event. Without it the file was cut or rewritten; "   \
		"what it writes last (thread names, device annotations) may be missing.")               \
	X(NO_CATEGORY, "no_category", EVENTS, OK, 0, OK, "events without a category",                   \
		"Metadata and markers have none, nor have other producers' events; kinds are then "     \
		"known by name and place.")                                                             \
	X(UNFINISHED, "unfinished", NONE, NOTE, 0, NOTE, "slices without their own end",                \
		"No duration, or begun and never ended: the time shown is what could be known.")        \
	X(CUT, "cut_by_window", NONE, NOTE, 0, NOTE, "slices still open when recording ended",          \
		"args.finished is false: the duration is cut at the end of the window.")                \
	X(OVERLAP, "partial_overlap", TREE, NOTE, CHECK_OVERLAP_MAX_PERCENT, WARNING,                   \
		"slices of one thread that cross instead of nesting",                                   \
		"Rows of the op tree that begin inside another one and end after it. The one that "     \
		"began first is closed there, so self times near it are not exact. A warning above "    \
		"1%.")                                                                                  \
	X(LINKED, "device_linked", DEVICE, OK, 0, OK, "device events with a launch of their own",       \
		"Launched by a call that launched just this one.")                                      \
	X(GRAPH, "device_graph_linked", DEVICE, OK, 0, OK, "device events launched as a graph",         \
		"Launched by a call that launched several (cudaGraphLaunch): linked to that call, not " \
		"to the ops that were captured.")                                                       \
	X(QUEUED, "launched_before", DEVICE, NOTE, 0, NOTE,                                             \
		"device events launched before recording began",                                        \
		"The queue was filled before: in front of the first event of their stream that has a "  \
		"launch, with a correlation id below that of any call recorded of the process. Their "  \
		"time is in device totals, but in no op's unless the External id tells it.")            \
	X(UNLINKED, "device_unlinked", RECORDED, WARNING, CHECK_UNLINKED_MAX_PERCENT, IS_BAD,           \
		"device events without a launch in the trace",                                          \
		"No call has their correlation id, and nothing says that it was made before "           \
		"recording began: calls were not recorded. Their time is in device totals, but in no "  \
		"op's unless the External id tells it. Of the device events that are not "              \
		"launched_before: bad above 50%; a note up to 1%, and where the trace has no "          \
		"runtime calls at all.")                                                                \
	X(WITH_OP, "unlinked_with_op", DEVICE, OK, 0, OK,                                               \
		"of both, the op is known by External id",                                              \
		"Unlinked device events whose External id an op has.")                                  \
	X(NO_CORRELATION, "no_correlation", DEVICE, NOTE, 0, NOTE,                                      \
		"device events without a correlation id", "args.correlation is absent or 0.")           \
	X(DUPLICATE_CORRELATION, "duplicate_correlation", NONE, WARNING, 0, WARNING,                    \
		"calls that share a correlation id",                                                    \
		"Correlation ids of calls should differ. Their device events count for the earliest "   \
		"call. Merged traces of several processes have such ids.")                              \
	X(DUPLICATE_EXTERNAL, "duplicate_external_id", NONE, NOTE, 0, NOTE,                             \
		"ops that share an External id", "The first op with an id counts.")                     \
	X(NO_EXTERNAL, "no_external_op", DEVICE, OK, 0, OK,                                             \
		"device events that no op's External id names",                                         \
		"Usual for graph launches and in older traces; links by correlation do not need it.")   \
	X(OUTSIDE, "outside_ops", DEVICE, OK, 0, OK, "device events launched outside of any op",        \
		"Their call is in no op and no annotation: libraries and programs that launch by "      \
		"themselves.")                                                                          \
	X(WITHOUT_DEVICE, "launch_without_device", NONE, NOTE, 0, NOTE,                                 \
		"launching calls whose device work is not in the trace",                                \
		"Calls named as launches, copies or sets with a correlation id that no device event "   \
		"has: it ran after recording ended, was captured into a graph, or got lost.")           \
	X(BEFORE, "before_launch", DEVICE, NOTE, CHECK_BEFORE_FEW_PERCENT, WARNING,                     \
		"device events that start before their call",                                           \
		"CPU and device clocks disagree; delays and overlaps are off by that much. A "          \
		"warning above 1%.")                                                                    \
	X(ZERO_DURATION, "zero_duration_device", DEVICE, NOTE, 0, NOTE,                                 \
		"device events of duration 0",                                                          \
		"Usual in traces with whole microseconds (before 2024): shorter than one.")             \
	X(NO_STEPS, "no_steps", NONE, NOTE, 0, NOTE, "nothing marks steps",                             \
		"No ProfilerStep#N, no step of XLA's and no annotation or range (NVTX, roctx) that "    \
		"repeats: there are no figures per step.")                                              \
	X(STEPS_INCOMPLETE, "steps_incomplete", STEPS, NOTE, 0, NOTE, "steps that are cut off",         \
		"Still open when recording ended, or with less than 0.8 of the device events of the "   \
		"step before; medians over steps set the last one aside.")

enum check_id {
#define X(name, id, of, some, percent, beyond, text, doc) CHECK_##name,
	CHECKS(X)
#undef X
		CHECK_COUNT
};

enum share_of { OF_NONE, OF_EVENTS, OF_DEVICE, OF_RECORDED, OF_TREE, OF_STEPS };

static const struct rule {
	const char *id, *text, *doc;
	enum share_of of;
	enum health some, beyond;
	int percent;
} rules[CHECK_COUNT] = {
#define X(name, id, of, some, percent, beyond, text, doc) \
	{ id, text, doc, OF_##of, VERDICT_##some, VERDICT_##beyond, percent },
	CHECKS(X)
#undef X
};

const struct analysis_word check_words[CHECK_WORDS] = {
#define X(name, id, of, some, percent, beyond, text, doc) { id, text, doc, NULL },
	CHECKS(X)
#undef X
};
_Static_assert((int)CHECK_WORDS == (int)CHECK_COUNT, "each check is a word");

/* One row of the table. */
struct finding {
	const char *id, *text, *doc;
	enum health verdict;
	int64_t count, of;    /* of: 0 when a share makes no sense */
	uint32_t row;         /* the first such event, or NO_ROW */
	int64_t offset, line; /* of the first in the text, or -1 */
};

enum { FINDINGS = CHECK_COUNT + PROBLEM_COUNT };

static bool window_end_missing(const struct run *r)
{
	return !r->saw_window_end && !r->is_array && r->nevent > 0 &&
		producer_named(strings_get(&r->strings, r->meta.producer)) == PRODUCER_KINETO;
}

static int64_t count_of(const struct check *c, enum check_id id)
{
	const struct links *l = c->at->run->links;
	const struct steps *s = c->at->run->steps;

	switch (id) {
	case CHECK_EVENTS: return c->at->run->nevent;
	case CHECK_LOST: return c->n.lost;
	case CHECK_WINDOW_END: return window_end_missing(c->at->run);
	case CHECK_NO_CATEGORY: return c->n.no_category;
	case CHECK_UNFINISHED: return c->n.unfinished;
	case CHECK_CUT: return c->n.cut;
	case CHECK_OVERLAP: return c->n.overlaps;
	case CHECK_LINKED: return l->linked;
	case CHECK_GRAPH: return l->graph;
	case CHECK_QUEUED: return c->n.queued;
	case CHECK_UNLINKED: return l->unlinked - c->n.queued;
	case CHECK_WITH_OP: return l->by_external_id;
	case CHECK_NO_CORRELATION: return c->n.no_correlation;
	case CHECK_DUPLICATE_CORRELATION: return l->duplicate_correlations;
	case CHECK_DUPLICATE_EXTERNAL: return links_duplicate_external_ids(c->at->run);
	case CHECK_NO_EXTERNAL: return c->n.no_external_op;
	case CHECK_OUTSIDE: return c->n.outside_ops;
	case CHECK_WITHOUT_DEVICE: return l->launches_without_device;
	case CHECK_BEFORE: return c->n.before_launch;
	case CHECK_ZERO_DURATION: return c->n.zero_duration;
	case CHECK_NO_STEPS: return s->source == STEPS_WHOLE;
	case CHECK_STEPS_INCOMPLETE: return c->n.steps_incomplete;
	case CHECK_COUNT: break;
	}
	return 0;
}

static int64_t whole_of(const struct check *c, enum share_of of)
{
	switch (of) {
	case OF_EVENTS: return MAX(c->at->run->nevent, c->n.lost);
	case OF_DEVICE: return c->n.device;
	case OF_RECORDED: return c->n.device - c->n.queued;
	case OF_TREE: return c->n.host;
	case OF_STEPS: return (int64_t)c->at->run->steps->n;
	case OF_NONE: break;
	}
	return 0;
}

static uint32_t first_of(const struct check *c, enum check_id id)
{
	switch (id) {
	case CHECK_UNFINISHED: return c->n.first_unfinished;
	case CHECK_CUT: return c->n.first_cut;
	case CHECK_OVERLAP: return c->n.first_overlap;
	case CHECK_QUEUED: return c->n.first_queued;
	case CHECK_UNLINKED: return c->n.first_unlinked;
	case CHECK_NO_CORRELATION: return c->n.first_no_correlation;
	case CHECK_BEFORE: return c->n.first_before;
	case CHECK_ZERO_DURATION: return c->n.first_zero;
	case CHECK_STEPS_INCOMPLETE: return c->n.first_incomplete;
	default: return NO_ROW;
	}
}

static bool exceeds(int64_t count, int64_t of, int percent)
{
	return of > 0 && (double)count * 100 > (double)of * percent;
}

static struct finding find(const struct check *c, enum check_id id)
{
	const struct rule *r = &rules[id];
	struct finding f = { r->id, r->text, r->doc, VERDICT_OK, count_of(c, id),
		whole_of(c, r->of), first_of(c, id), -1, -1 };

	if (f.count > 0)
		f.verdict = exceeds(f.count, f.of, r->percent) ? r->beyond : r->some;
	if (id == CHECK_EVENTS && f.count == 0)
		f.verdict = VERDICT_IS_BAD;
	if (id == CHECK_UNLINKED && f.count > 0 &&
		(c->at->run->kind_count[KIND_RUNTIME] == 0 ||
			!exceeds(f.count, f.of, CHECK_UNLINKED_FEW_PERCENT)))
		f.verdict = VERDICT_NOTE;
	return f;
}

/* Only the end of the text or of the stream is missing, behind the last event. */
static bool has_all_events(const struct run *r, enum problem p)
{
	if (p == PROBLEM_TRUNCATED_JSON)
		return r->saw_window_end && r->tally.count[PROBLEM_TRUNCATED_GZIP] == 0;
	return p == PROBLEM_GZIP_NO_TRAILER;
}

/* A kind of damage that the reader counted. */
static struct finding find_problem(const struct check *c, enum problem p)
{
	const struct problem_info *info = &problem_infos[p];
	struct finding f = { info->id, info->text, info->doc, VERDICT_OK,
		c->at->run->tally.count[p], 0, NO_ROW, c->at->run->tally.offset[p],
		c->at->run->tally.line[p] };

	if (p == PROBLEM_SKIPPED_BYTES)
		f.of = c->at->run->text_bytes;
	if (f.count == 0)
		return f;
	switch (info->weight) {
	case WEIGHT_INFO:
	case WEIGHT_REPAIRED: f.verdict = VERDICT_NOTE; break;
	case WEIGHT_LOST: f.verdict = VERDICT_WARNING; break;
	case WEIGHT_BROKEN:
		f.verdict = has_all_events(c->at->run, p) ? VERDICT_WARNING : VERDICT_IS_BAD;
		break;
	}
	if (p == PROBLEM_SKIPPED_BYTES && exceeds(f.count, f.of, CHECK_LOST_MAX_PERCENT))
		f.verdict = VERDICT_IS_BAD;
	return f;
}

static void put_finding(const struct check *c, struct table *t, const struct finding *f)
{
#define X(id, word) word,
	static const char *const words[] = { HEALTHS(X) };
#undef X

	table_row(t);
	table_text(t, HEALTH_VERDICT, span_of(words[f->verdict]));
	table_text(t, HEALTH_CHECK, span_of(f->id));
	table_int(t, HEALTH_COUNT, f->count);
	if (f->of > 0)
		table_real(t, HEALTH_SHARE, (double)f->count / (double)f->of);
	if (f->row != NO_ROW)
		table_int(t, HEALTH_AT, c->at->run->events.start[f->row]);
	if (f->offset >= 0)
		table_int(t, HEALTH_OFFSET, f->offset);
	if (f->line >= 0)
		table_int(t, HEALTH_LINE, f->line);
	table_text(t, HEALTH_TEXT, span_of(f->text));
	table_text(t, HEALTH_MEANING, span_of(f->doc));
}

/* What the findings of one verdict say, joined. */
static char *list_of(const struct check *c, const struct finding *f, enum health v)
{
	struct str b = { 0 };
	char *text;
	size_t i;

	for (i = 0; i < FINDINGS; i++) {
		if (f[i].verdict != v)
			continue;
		str_adds(&b, b.n > 0 ? "; " : "");
		str_adds(&b, f[i].count == 0 ? "no events" : f[i].text);
		if (f[i].of > 0)
			str_addf(&b, " (%.1f%%)", 100.0 * (double)f[i].count / (double)f[i].of);
	}
	text = arena_copy(&c->at->out->mem, b.n > 0 ? b.s : "", b.n);
	str_free(&b);
	return text;
}

void check_judge(struct check *c, enum health v, int64_t count, const char *why)
{
	if (count == 0)
		return;
	c->verdicts[v] += count;
	if (v < VERDICT_WARNING || v < c->worst) {
		c->worst = MAX(v, c->worst);
		return;
	}
	c->why = v == c->worst && c->why ? arena_printf(&c->at->out->mem, "%s; %s", c->why, why)
					 : why;
	c->worst = v;
}

static void judge_findings(struct check *c, const struct finding *f)
{
	int64_t count[4] = { 0 };
	enum health v;
	size_t i;

	for (i = 0; i < FINDINGS; i++)
		count[f[i].verdict]++;
	for (v = VERDICT_IS_BAD; v > VERDICT_OK; v--)
		if (count[v])
			check_judge(c, v, count[v], list_of(c, f, v));
	if (count[VERDICT_IS_BAD])
		result_note(c->at->out, NOTE_ERROR, "unreliable", c->at->input, -1,
			"this trace cannot be relied on: %s", list_of(c, f, VERDICT_IS_BAD));
}

/* People see what was found, and the links in any case. */
static bool is_shown(const struct check *c, const struct finding *f, size_t i)
{
	if (!c->at->q->for_people || c->o->all || f->verdict != VERDICT_OK)
		return true;
	return i == CHECK_EVENTS || (f->count > 0 && (i == CHECK_LINKED || i == CHECK_GRAPH));
}

void check_health_tables(struct check *c)
{
	struct finding f[FINDINGS];
	struct table *t;
	size_t i;

	for (i = 0; i < CHECK_COUNT; i++)
		f[i] = find(c, (enum check_id)i);
	for (i = 0; i < PROBLEM_COUNT; i++)
		f[CHECK_COUNT + i] = find_problem(c, (enum problem)i);
	judge_findings(c, f);
	t = perrun_table(c->at, &check_docs[CHECK_HEALTH]);
	t->title = NULL;
	for (i = 0; i < FINDINGS; i++)
		if (is_shown(c, &f[i], i))
			put_finding(c, t, &f[i]);
}
