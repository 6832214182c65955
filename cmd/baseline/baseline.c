/* The baseline command: a store of what good runs said, one JSON line a run.
 *
 * A run is compared with the store's current level before it is added, and refused when it fails:
 * else a regression would be red once and the base from then on. */
#include "cmd/baseline/baseline.h"

#include <time.h>
#include <unistd.h>

#include "analyze/answer/gate/gate.h"
#include "analyze/rule/list.h"
#include "analyze/stat/drift.h"
#include "base/door.h"
#include "cmd/command.h"
#include "cmd/command_formats.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "report/format/renderer.h"

#define AT(field) offsetof(struct baseline_options, field)
static const struct opt own_opts[] = {
	TEXT_OPT("accept", 0, "REASON", AT(accept), "add: also runs that fail the gate, and why"),
	TEXT_OPT("commit", 0, "SHA", AT(commit), "add: what the runs were made from"),
	TEXT_OPT("label", 0, "TEXT", AT(label),
		"add: what to call them [the names of their folders]"),
	TEXT_OPT("time", 0, "SECONDS", AT(time), "add: when they were made, since 1970 [now]"),
	CHOICE_OPT("tier", "TIER", AT(tier), OPT_WORDS(GATE_TIERS),
		"add: tolerances of the gate [default]"),
	INT_OPT("keep", 0, "N", AT(keep), "prune: how many of the newest runs stay"),
	INT_OPT("threads", 'j', "N", AT(threads), "add: threads that read; 0 = one per core [0]"),
};
#undef AT

static const struct opt output_opts[] = {
	CHOICE_OPT("format", "FORMAT", offsetof(struct output_options, format), OPTIONS_FORMATS,
		"list: how it is written [table]"),
	FLAG_OPT("json", 0, offsetof(struct output_options, is_json), "the same as --format json"),
	FLAG_OPT("quiet", 'q', offsetof(struct output_options, is_quiet), "no notes, no progress"),
};

static const struct opt_group groups[] = {
	{ "Options", own_opts, COUNT_OF(own_opts), NULL },
	{ CONFIG_TITLE, config_opts, CONFIG_OPTS, NULL },
	{ "Output", output_opts, COUNT_OF(output_opts), NULL },
};

/* ---- list and prune ---- */

enum { COL_TIME, COL_LABEL, COL_COMMIT, COL_CHECKS, COL_ACCEPTED, COL_PINNED, COLUMNS_FIXED };
static const struct column fixed[COLUMNS_FIXED] = {
	[COL_TIME] = TEXT_COLUMN("time", "time", "When the run was made, UTC.", 0),
	[COL_LABEL] = TEXT_COLUMN("label", "run", "What it is called.", 0),
	[COL_COMMIT] = TEXT_COLUMN("commit", "commit", "What it was made from.", 0),
	[COL_CHECKS] = { "figures", "figures", "How many figures it says.", NULL, CELL_INT,
		UNIT_COUNT, .flags = 0 },
	[COL_ACCEPTED] = TEXT_COLUMN(
		"accepted", "accepted", "Why it counts although it was worse.", COLUMN_ELASTIC),
	[COL_PINNED] = { "pinned", "pinned", "Later runs are held against it.", NULL, CELL_BOOL,
		UNIT_NONE, .flags = COLUMN_SPARE },
};

static const struct table_doc docs[] = { { "runs", NULL, fixed, COLUMNS_FIXED } };

/* Further columns, each of one figure that the runs have: their keys are those of the figures. */
static const struct column figure = {
	.title = "the figure's id", .doc = "A figure of the runs, by its id.", .type = CELL_REAL
};

static void put_time(struct table *t, int64_t time_s)
{
	time_t s = (time_t)time_s;
	struct tm tm;

	if (time_s == INT64_MIN || !gmtime_r(&s, &tm))
		return;
	table_textf(t, COL_TIME, "%04d-%02d-%02d %02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1,
		tm.tm_mday, tm.tm_hour, tm.tm_min);
}

static struct column figure_column(const struct history_metric *m, size_t i)
{
	struct column c = figure;

	c.key = c.title = m->id;
	c.unit = m->unit;
	c.flags = i < 2 ? 0 : COLUMN_HIDDEN;
	return c;
}

/* The fixed columns, and one for each figure. */
static struct column *columns_of(const struct history *h, struct arena *mem)
{
	struct column *c = arena_array(mem, COLUMNS_FIXED + h->nmetric, sizeof(*c));

	memcpy(c, fixed, sizeof(fixed));
	for (size_t i = 0; i < h->nmetric; i++)
		c[COLUMNS_FIXED + i] = figure_column(&h->metric[i], i);
	return c;
}

static void put_run(struct table *t, const struct history *h, size_t i)
{
	const struct history_run *r = &h->run[i];
	int64_t known = 0;

	table_row(t);
	put_time(t, r->time_s);
	table_text(t, COL_LABEL, span_of(r->label));
	if (r->commit[0])
		table_text(t, COL_COMMIT, span_of(r->commit));
	if (r->accepted)
		table_text(t, COL_ACCEPTED, span_of(r->accepted));
	if (r->is_pinned)
		table_bool(t, COL_PINNED, true);
	for (size_t k = 0; k < h->nmetric; k++) {
		double v = history_get(h, i, k).centre;

		known += v == v;
		table_real(t, COLUMNS_FIXED + k, v);
	}
	table_int(t, COL_CHECKS, known);
}

static int list(struct baseline *b)
{
	const struct renderer *renderer;
	struct result r;

	if (baseline_open(b, BASELINE_LOOK) != OK)
		return say_error(NULL, &b->err);
	if (output_renderer(&b->output, &(struct formats){ "baseline", NULL, b->analyses },
		    &renderer, &b->err) != OK)
		return say_error("baseline", &b->err);
	result_init(&r, "traceq.baseline/1");
	(void)result_input(&r, b->file);
	struct table *t = result_table(&r, docs->id, docs->title, columns_of(&b->history, &b->mem),
		COLUMNS_FIXED + b->history.nmetric);
	for (size_t i = 0; i < b->history.nrun; i++)
		put_run(t, &b->history, i);
	return output_result(&b->output, renderer, &r);
}

/* Those that stand for the level of a figure: without them it would creep with the base. */
static void mark_reference(const struct history *h, size_t metric, bool *stays, struct arena *mem)
{
	const struct segment_options *o = &segment_usual;
	struct segment_series s;
	size_t n;

	segment_series(&s, h, metric, o, mem);
	size_t begin = segment_reference(&s, 0, o->alpha, &n);
	for (size_t i = begin; i < s.n && i < begin + DRIFT_REFERENCE; i++)
		stays[s.run[i]] = true;
}

/* Which runs later ones are held against, however many came since, by the gate's checks. */
static bool *find_references(const struct history *h, struct arena *mem)
{
	bool *stays = arena_array(mem, h->nrun + 1, sizeof(*stays));
	const struct rule *rule;

	for (size_t i = 0; i < h->nrun; i++)
		stays[i] = h->run[i].is_pinned;
	for (size_t i = 0; (rule = rules_at(READS_PAIR, i)); i++)
		for (size_t m = 0; rule->pair->least > 0 && m < h->nmetric; m++)
			if (gate_is_of(rule->pair, h->metric[m].id))
				mark_reference(h, m, stays, mem);
	return stays;
}

static int prune(struct baseline *b)
{
	struct history *h = &b->history;
	size_t n = 0, old = 0;

	if (b->o.keep < 1)
		return say_failure("baseline: prune wants --keep N, the number of runs that stay");
	if (baseline_open(b, BASELINE_CHANGE) != OK)
		return say_error(NULL, &b->err);
	bool *stays = find_references(h, &b->mem);
	for (size_t i = 0; i < h->nrun; i++) {
		bool is_new = i + (size_t)b->o.keep >= h->nrun;

		old += stays[i] && !is_new;
		if (stays[i] || is_new)
			h->run[n++] = h->run[i];
	}
	size_t dropped = h->nrun - n;
	h->nrun = n;
	if (dropped > 0 && baseline_write(b) != OK)
		return say_error("baseline", &b->err);
	if (b->output.is_quiet)
		return EXIT_ANSWERED;
	return output_line("%s: %zu run%s dropped, %zu stay%s", b->store, dropped,
		plural_s(dropped), n, old ? ", with those that later ones are held against" : "");
}

/* ---- pin ---- */

/* Pins the runs of those names and no others; without names, none. */
static int pin(struct baseline *b)
{
	struct history *h = &b->history;
	size_t n = 0, found = 0;

	if (baseline_open(b, BASELINE_CHANGE) != OK)
		return say_error(NULL, &b->err);
	for (size_t i = 0; i < h->nrun; i++)
		h->run[i].is_pinned = false;
	for (size_t k = 0; k < b->nrun; k++, found = 0) {
		for (EACH(struct history_run, r, h->run, h->nrun))
			if (strcmp(r->label, b->run[k]) == 0 ||
				(r->commit[0] && strcmp(r->commit, b->run[k]) == 0)) {
				n += !r->is_pinned;
				r->is_pinned = true;
				found++;
			}
		if (found == 0)
			return say_failure("baseline: %s: no run '%s'; 'traceq baseline list' "
					   "tells their names and commits",
				b->store, b->run[k]);
	}
	if (baseline_write(b) != OK)
		return say_error("baseline", &b->err);
	if (b->output.is_quiet)
		return EXIT_ANSWERED;
	return output_line("%s: %zu run%s pinned", b->store, n, plural_s(n));
}

/* ---- the command ---- */

static const struct {
	const char *word;
	int (*run)(struct baseline *b);
} verbs[] = {
	{ "add", baseline_add },
	{ "list", list },
	{ "prune", prune },
	{ "pin", pin },
};

static int run_verb(
	const struct command_line *line UNUSED, void *ctx, const char **operand, size_t n)
{
	struct baseline *b = ctx;

	if (n < 2) {
		(void)err_hinted(&b->err, E_USAGE,
			"usage: traceq baseline add|list|prune|pin STORE [RUN...]",
			"wants add, list, prune or pin and a store");
		return say_error("baseline", &b->err);
	}
	b->store = operand[1];
	b->run = operand + 2;
	b->nrun = n - 2;
	for (size_t i = 0; i < COUNT_OF(verbs); i++) {
		if (strcmp(operand[0], verbs[i].word) != 0)
			continue;
		if (verbs[i].run != baseline_add && verbs[i].run != pin && b->nrun > 0)
			return say_failure("baseline: %s takes the store alone", operand[0]);
		return verbs[i].run(b);
	}
	return say_failure("baseline: no '%s'; it is add, list, prune or pin", operand[0]);
}

static int run(const struct command_line *line)
{
	struct baseline b = { .analyses = &line->all->analyses, .lock = -1 };

	door_begin();
	err_clear(&b.err);
	int exit_code = options_run("baseline", groups, COUNT_OF(groups),
		(void *[]){ &b.o, &b.config_options, &b.output }, line, run_verb, &b);
	if (b.lock >= 0)
		(void)close(b.lock);
	history_clear(&b.history);
	config_clear(&b.config);
	arena_clear(&b.mem);
	return exit_code;
}

COMMAND(baseline) = {
	.name = "baseline",
	.summary = "keep what good runs said: a store for gate, one line a run",
	.operands = "add|list|prune|pin STORE [RUN...]",
	.doc = "A store is a folder, or a .jsonl file, with one JSON line for each run: its figures, what "
	       "machine and commit it came from. It stands for BASE in gate and for a history in gate "
	       "--history; traces need not be kept.\n\n"
	       "add compares the runs with the store's current level first, and refuses those that fail "
	       "(exit status 1) unless --accept says why they count: then the level may change. Runs are "
	       "traces, logs or folders of them, as for gate.\n\n"
	       "What creeps is measured against the first runs since the last one that was added with a "
	       "reason, or the best level since. pin names others, by label or commit: a release, say. "
	       "They are the reference then, and prune keeps them.",
	.examples = "traceq baseline add store/ run/ --commit abc1234\n"
		    "traceq baseline list store/\n"
		    "traceq baseline pin store/ release-2.1\n"
		    "traceq baseline prune store/ --keep 200\n"
		    "traceq gate store/ run/ --tier nightly\n",
	COMMAND_HAS(group, groups),
	COMMAND_HAS(table, docs),
	.more = &figure,
	.run = run,
};
