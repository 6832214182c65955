/* `stacks`: folded stacks, which flame graphs are made of.  Options, texts, notes. */
#include "analyze/answer/stacks/stacks.h"

#include "analyze/measure/host/optree.h"
#include "analyze/measure/host/sampled.h"
#include "analyze/analysis/fold.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/producers.h"
#include "base/opt.h"

enum { PEOPLE_ROWS = 20, PEOPLE_FRAMES = 60, PEOPLE_FUNCTIONS = 10 };

#define AT(field) offsetof(struct stacks_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows; 0 = all [20; all for machines]"),
	CHOICE_OPT("metric", "WHAT", AT(metric), "cpu|device",
		"cpu: own time of calls; device: duration of the work they launched [cpu]"),
	CHOICE_OPT("source", "WHAT", AT(source), "auto|python|callstack|ops|samples",
		"where frames come from: Python functions, Call stack arguments, or the op "
		"tree alone "
		"[auto: the first that is there]; samples: what py-spy and its like saw"),
	CHOICE_OPT("order", "HOW", AT(order), "merged|time",
		"the frames of the picture in place of stacks: merged, one for each path (flame "
		"graph), or in the order of time, a lane for each thread and stream (flame chart) "
		"[of a picture merged, else none]"),
	INT_OPT("narrowest", 0, "N", AT(narrowest),
		"frames of the picture that are narrower than a part in N of all are one with "
		"their neighbours [2000]"),
	FLAG_OPT("fold", 0, AT(fold), "count ProfilerStep#5, #6, ... as one ProfilerStep* [yes]"),
	FLAG_OPT("merge-layers", 0, AT(merge_layers),
		"frames of a flame graph: layers whose names differ only in a number (Block_0, "
		"Block_1, ...) are one [yes]"),
	CHOICE_OPT("waits", "HOW", AT(waits), "hidden|apart|merged",
		"frames of the picture: threads that only wait (monitors, locks, queues) are "
		"hidden, on a frame of their own, or among the others [hidden; with -f merged]"),
};

static bool is(const char *option, const char *word)
{
	return option && strcmp(option, word) == 0;
}

static unsigned needs_more(const void *opts, const struct filter *f UNUSED)
{
	const struct stacks_options *o = opts;
	unsigned more = 0;

	if (is(o->source, "samples") || is(o->source, "ops"))
		return 0;
	if (!is(o->source, "callstack"))
		more |= NEED_PYTHON;
	if (!is(o->source, "python"))
		more |= NEED_STACKS;
	return more;
}

static bool has_frames(const struct stacks *s)
{
	return s->o->order || s->at->q->layout == TABLE_FLAME;
}

static void put_stack(const struct groupby *g, uint32_t at, const struct str *b)
{
	const struct stacks *s = g->ctx;
	const struct calltree_node *node = groupby_item(g, at);
	struct span leaf = strings_get(&s->names, node->name);

	groupby_put_row(g, at);
	groupby_text(g, STACK_LEAF, (struct span){ arena_copy(g->t->mem, leaf.p, leaf.n), leaf.n });
	groupby_text(g, STACK_TEXT, (struct span){ arena_copy(g->t->mem, b->s, b->n), b->n });
}

static bool has_self(const void *ctx UNUSED, const void *item)
{
	return ((const struct calltree_node *)item)->self > 0;
}

/* By own time, then in the order of the tree. */
static const struct grouping by_self = {
	.sort = STACK_VALUE, .name = STACK_TEXT, .takes = has_self
};

static enum status put_stacks(struct stacks *s, size_t limit)
{
	const struct table_doc *doc = &stacks_docs[s->is_device ? STACKS_DEVICE : STACKS_CPU];
	const struct groups nodes = {
		.item = s->tree.v, .size = sizeof(*s->tree.v), .n = s->tree.n
	};
	struct groupby g = groupby_of(&by_self, s->at, doc, &nodes, s);
	size_t shown = 0, bytes = 0;
	uint32_t deepest = 0, *up;
	struct str b = { 0 };
	enum status st = OK;
	nsec all = 0;

	groupby_table(&g);
	groupby_rank(&g);
	for (size_t i = 0; i < s->tree.n; i++) {
		deepest = MAX(s->tree.v[i].depth, deepest);
		saturate_onto(&all, MAX(s->tree.v[i].self, 0));
	}
	g.of.whole = (double)all;
	up = arena_array(&s->at->mem, deepest, sizeof(*up));
	for (size_t i = 0; i < g.nrow && st == OK; i++) {
		bool is_full = shown >= limit || bytes >= STACKS_TEXT_MAX, yes = true;

		if (!is_full || stacks_are_filtered(s)) {
			stacks_write(s, g.row[i], up, &b);
			st = stacks_text_passes(s, &b, &yes);
		}
		if (st != OK || !yes)
			continue;
		if (is_full) {
			g.t->ncut++;
			s->unwritten += shown < limit;
			continue;
		}
		put_stack(&g, g.row[i], &b);
		bytes += b.n;
		shown++;
	}
	str_free(&b);
	rows_cut(g.t, STACK_TEXT, g.t->ncut);
	return st;
}

static void put_notes(const struct stacks *s)
{
	static const char *const words[] = { "Python functions and operators",
		"Call stack arguments and operators", "operators only: the trace has no stacks" };
	struct perrun *at = s->at;
	bool asked = s->source == STACKS_OPS && is(s->o->source, "ops"),
	     none = s->source == STACKS_OPS;

	result_note(at->out, NOTE_INFO, "stacks_source", at->input, -1, "frames are %s%s%s%s%s",
		words[s->source], none ? " (" : "",
		none ? recording_word(at->run, RECORDING_STACKS) : "", none ? ")" : "",
		asked ? ", as asked" : "");
	if (s->crossing > 0)
		result_note(at->out, NOTE_INFO, "crossing_frames", at->input, (int64_t)s->crossing,
			"%zu Python functions do not lie in time where their parent ids put them; "
			"they are under their parents",
			s->crossing);
	if (s->deep > 0)
		result_note(at->out, NOTE_WARNING, "stacks_deep", at->input, s->deep,
			"%" PRId64 " calls are nested deeper than %d frames; they count for the "
			"frame at that depth",
			s->deep, STACKS_DEPTH_MAX);
	if (s->unwritten > 0)
		result_note(at->out, NOTE_WARNING, "stacks_text", at->input, (int64_t)s->unwritten,
			"%zu stacks with the least time are left out: the text of the others is "
			"%d MiB long, the limit; -n or -f choose",
			s->unwritten, STACKS_TEXT_MAX >> 20);
	if (s->outside > 0)
		result_note(at->out, NOTE_INFO, "stacks_no_launch", at->input, -1,
			"GPU work without launch in the trace is under (no launch)");
	if (ANY(unit, STACK_UNITS, sampled_sheet(at->record, NULL, (enum stack_unit)unit) != NULL))
		result_note(at->out, NOTE_INFO, "sampled_beside", at->input, -1,
			"there is a sampled profile, too; --source samples shows it");
}

static enum status choose_source(struct stacks *s)
{
	const struct stacks_options *o = s->o;

	s->source = is(o->source, "python")  ? STACKS_PYTHON
		: is(o->source, "callstack") ? STACKS_CALLSTACK
		: is(o->source, "ops")       ? STACKS_OPS
					     : stacks_best(s->at->run);
	s->has_captured_python = s->source == STACKS_PYTHON || !o->source || is(o->source, "auto");
	if (stacks_has(s->at->run, s->source))
		return OK;
	err_set(s->at->e, E_NODATA, -1, "the trace has no %s",
		s->source == STACKS_PYTHON ? "Python functions" : "Call stack arguments");
	return err_hint(s->at->e, "--source auto takes what is there; %s",
		recording_word(s->at->run, RECORDING_STACKS_HINT));
}

static enum status answer(struct stacks *s)
{
	size_t functions = rows_limit(s->at->q, s->o->limit, PEOPLE_FUNCTIONS, SIZE_MAX);

	if (has_frames(s))
		stacks_find_waits(s);
	if (!is(s->o->order, "time"))
		stacks_collect(s);
	if (has_frames(s)) {
		TRY(stacks_put_frames(s, STACK_IN_NS,
			rows_limit(s->at->q, s->o->limit, PEOPLE_FRAMES, SIZE_MAX)));
		put_notes(s);
		return OK;
	}
	TRY(put_stacks(s, rows_limit(s->at->q, s->o->limit, PEOPLE_ROWS, SIZE_MAX)));
	if (s->source == STACKS_PYTHON && !s->is_device)
		stacks_put_functions(s, &stacks_docs[STACKS_FUNCTIONS], functions);
	put_notes(s);
	return OK;
}

static enum status answer_sampled(struct stacks *s)
{
	const struct query *q = s->at->q;

	if (!has_frames(s))
		return stacks_sampled(s, rows_limit(q, s->o->limit, PEOPLE_ROWS, SIZE_MAX),
			rows_limit(q, s->o->limit, PEOPLE_FUNCTIONS, SIZE_MAX));
	if (is(s->o->order, "time"))
		return err_set(s->at->e, E_NODATA, -1, "sampled stacks have no place in time");
	calltree_init(&s->tree);
	strings_init(&s->names, 0);
	enum status st =
		stacks_sampled_frames(s, rows_limit(q, s->o->limit, PEOPLE_FRAMES, SIZE_MAX));
	strings_clear(&s->names);
	calltree_clear(&s->tree);
	return st;
}

static enum status answer_run(struct perrun *at)
{
	struct stacks s = { .at = at, .o = at->q->opts };

	s.is_device = is(s.o->metric, "device");
	if (perrun_is_record(at) || is(s.o->source, "samples"))
		return answer_sampled(&s);
	TRY(choose_source(&s));
	if (s.is_device && at->run->order->device_begin[at->run->lanes.n] == 0)
		return err_set(at->e, E_NODATA, -1, "the trace has no GPU events");
	calltree_init(&s.tree);
	strings_init(&s.names, 0);
	enum status st = answer(&s);
	strings_clear(&s.names);
	calltree_clear(&s.tree);
	return st;
}

static enum status check(const void *opts, const struct settings *settings UNUSED, struct err *e)
{
	const struct stacks_options *o = opts;

	return o->narrowest > 0 ? OK : err_set(e, E_USAGE, -1, "--narrowest wants 1 at least");
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("stacks", "stack", "self_cpu_ns|device_ns", "calls", .rows = 10),
	FOLD("functions", "name", "total_ns", "self_python_ns|calls", .rows = 10),
};

ANALYSIS(stacks) = {
	.name = "stacks",
	.summary = "folded stacks, the input of flame graphs: by CPU or GPU time",
	.help.doc =
		"One row for each stack, root first, with the time that is its own. The rows "
		"add up to the time of all roots (cpu), or to that of all GPU work (device).\n\n"
		"Frames are Python functions with the operators they call, where the trace has "
		"them (with_stack=True); else the Call stack arguments of operators; else the "
		"operators alone. --format folded writes lines that flamegraph.pl, inferno and "
		"speedscope read, values in ns.\n\n"
		"-o FILE.svg (.png, .pdf) draws the stacks as a flame graph, with --order time "
		"as a flame chart: threads and streams below each other, each call at its "
		"place. In SVG a pointer over a box shows name, time, share and calls; 'plot "
		"flame -o FILE.html' is a page to zoom and search in. --format "
		"speedscope writes the calls of each thread and stream in order of time for "
		"www.speedscope.app.\n\n"
		"Of a sampled profile (py-spy as SVG, folded or speedscope; memray) the stacks are "
		"those of the file, in samples, in time or in bytes as it says, with the functions "
		"that they name.\n\n"
		"-f and -v look at whole stacks, and at names of functions; in order of time "
		"and for speedscope at names of calls.",
	.help.source = "Brendan Gregg, FlameGraph (stackcollapse); torch export_stacks",
	.help.examples = "traceq stacks trace.json.gz --format folded | flamegraph.pl > "
			 "cpu.svg\ntraceq stacks trace.json.gz -o cpu.svg\ntraceq stacks "
			 "trace.json.gz --order time --steps 5 -o step5.svg\ntraceq stacks "
			 "trace.json.gz -o calls.speedscope.json\ntraceq stacks trace.json.gz "
			 "--metric device -n 10\ntraceq stacks trace.json.gz --source ops -f "
			 "backward\ntraceq stacks profile.svg",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_LINKS | NEED_STEPS),
	.runs.needs_more = needs_more,
	.runs.takes_capture = true,
	.runs.takes_records = true,
	.runs.calls = stacks_kinds,
	ANALYSIS_OPTIONS(options, struct stacks_options, .limit = -1, .fold = true,
		.merge_layers = true, .narrowest = 2000),
	.options.check = check,
	.options.ignores = FILTER_COMM,
	.options.layouts = 1u << TABLE_FLAME,
	ANALYSIS_TABLES(stacks, STACKS),
	.per_run = { .answer = answer_run, .needs = PERRUN_TRACE_VIEW, .folds = FOLDS(fold_docs) },
};
