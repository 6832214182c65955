/* `gate`: may the new runs pass?  Options, and the order of work. */
#include "analyze/answer/gate/gate.h"
#include "analyze/compare/outside.h"
#include "analyze/rule/list.h"
#include "analyze/job/sides.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/history.h"

enum { WINDOW_MAX = 1000 };

static bool wants_history(const void *opts)
{
	return ((const struct gate_options *)opts)->is_history;
}

static void digest_options(const void *opts, struct digest_options *o)
{
	o->warmup = ((const struct gate_options *)opts)->warmup;
	o->collectives = true;
	o->work = true;
}

static enum status check(const void *opts, const struct settings *settings, struct err *e)
{
	const struct gate_options *o = opts;
	struct gate_rules rules;
	SCOPED_ARENA mem = { 0 };

	if (o->warmup < 0)
		return err_set(e, E_USAGE, -1, "--warmup wants 0 or more steps");
	if (o->window < 4 || o->window > WINDOW_MAX)
		return err_set(e, E_USAGE, -1, "--window wants 4 to %d runs", WINDOW_MAX);
	if (o->recent < 1 || o->confirm < 1)
		return err_set(e, E_USAGE, -1, "--recent and --confirm want 1 or more runs");
	enum status st = gate_rules_init(&rules, o, settings, INT64_MIN, &mem, e);
	gate_rules_clear(&rules);
	return st;
}

/* A number of an option, or what is built in; E_USAGE. */
static enum status number(double *out, const char *text, const char *preset, const char *option,
	enum setting_type type, struct err *e)
{
	const struct setting row = { option, type, "0", NULL, "" };
	struct setting_value v;

	TRY(setting_parse(&row, text ? text : preset, &v, e));
	*out = v.r;
	return OK;
}

static enum status find_segments(struct gate *g, struct err *e)
{
	g->segments.window = (size_t)g->o->window;
	TRY(number(&g->segments.alpha, g->o->alpha, GATE_ALPHA, "--alpha", SETTING_NUMBER, e));
	return number(&g->segments.min_change, g->o->min_change, GATE_MIN_CHANGE, "--min-change",
		SETTING_RATIO, e);
}

static size_t longest(const struct metricset *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		n = MAX(m->v[i].n, n);
	return n;
}

static void find_series(struct gate *g)
{
	const struct history *h = g->query->history;

	g->series = arena_array(&g->mem, h->nmetric, sizeof(*g->series));
	for (size_t i = 0; i < h->nmetric; i++)
		segment_series(&g->series[i], h, i, &g->segments, &g->mem);
}

/* The machine of new, else of the newest run, where runs of the store were on several. */
static const char *machine(struct gate *g)
{
	const struct query *q = g->query;
	const struct history *h = q->history;
	struct span host = { "", 0 };
	size_t others = 0, same = 0;

	if (q->nside > 0)
		host = sides_condition(&q->side[q->nside - 1], "host", false, &g->mem);
	else if (h->nrun > 0)
		host = span_of(segment_condition(h, h->nrun - 1, "host"));
	if (host.n == 0)
		return NULL;
	const char *name = arena_copy(&g->out->mem, host.p, host.n);
	for (size_t i = 0; i < h->nrun; i++) {
		const char *of = segment_condition(h, i, "host");

		same += strcmp(of, name) == 0;
		others += *of && strcmp(of, name) != 0;
	}
	if (others == 0 || same < MACHINE_RUNS)
		return NULL;
	result_note(g->out, NOTE_INFO, "machines", -1, (int64_t)others,
		"%zu of %zu runs of the store were on other machines than %s: where those differ, "
		"their figures are levelled to it",
		others, h->nrun, name);
	return name;
}

/* Stores may be of medians: these are held against medians. */
static void agree(struct gate *g)
{
	for (EACH(struct metric, m, g->now.v, g->now.n)) {
		const struct metric *base = metricset_find(&g->base, m->id);

		if (m->is_mean && base && !base->is_mean)
			*m = metric_of_medians(m, &g->mem);
	}
}

/* Whose work is outside of steps; of a store what it says. */
static enum status settle_outside(struct gate *g, struct err *e)
{
	const struct metric *kept =
		g->base_side ? NULL : metricset_find(&g->base_parts, METRIC_OUTSIDE);

	if (gate_allows(g, SPAN("steps")))
		return OK;
	return outside_settle(
		&g->base_side, &g->now_side, kept ? metric_centre(kept) : NAN, g->out, &g->mem, e);
}

/* What stands for base and for new: sides, or a history in the place of base. */
static enum status find_sides(struct gate *g, struct err *e)
{
	const struct query *q = g->query;

	TRY(find_segments(g, e));
	if (!q->history && q->nside < 2)
		return err_hinted(e, E_USAGE, "usage: traceq gate [options] BASE NEW",
			"needs a base and a new side");
	if (!q->history) {
		g->base_side = &q->side[0];
		g->base_label = g->base_side->label;
		g->base_runs = g->base_side->nrun;
	} else {
		g->base_label = q->history->path;
		g->segments.host = machine(g);
		segment_metricset(&g->base, q->history, &g->segments, &g->mem);
		find_series(g);
		g->base_parts = g->base;
		g->base_runs = longest(&g->base);
	}
	if (q->nside > 0) {
		g->now_side = &q->side[q->nside - 1];
		g->now_label = g->now_side->label;
		g->now_runs = g->now_side->nrun;
		return settle_outside(g, e);
	}
	if (!g->o->is_history)
		return err_hinted(e, E_USAGE, "gate STORE NEW, or gate --history STORE",
			"'%s' is a store of baselines: what is to be compared?", g->base_label);
	return OK;
}

static void find_metrics(struct gate *g)
{
	if (g->base_side) {
		metricset_init(&g->base, g->base_side, &g->mem);
		metricset_parts(&g->base_parts, g->base_side, &g->mem);
	}
	if (!g->now_side)
		return;
	metricset_init(&g->now, g->now_side, &g->mem);
	agree(g);
	metricset_parts(&g->now_parts, g->now_side, &g->mem);
	g->has_traces = metricset_find(&g->now_parts, "ranks") != NULL;
}

static enum status answer(struct gate *g, int *exit_code, struct err *e)
{
	const struct query *q = g->query;

	TRY(gate_rules_init(&g->rules, g->o, q->settings, q->now_s, &g->out->mem, e));
	TRY(find_sides(g, e));
	find_metrics(g);
	TRY(gate_direct(g, e));
	if (g->now_side)
		TRY(gate_env(g, e));
	if (g->o->is_history) {
		TRY(gate_history(g, e));
		*exit_code = g->exit_code;
		return OK;
	}
	gate_note_damaged(g);
	TRY(gate_judge(g, e));
	gate_explain(g);
	gate_put_tables(g);
	gate_make_verdict(g);
	*exit_code = g->exit_code;
	return OK;
}

/* --missing-baseline warn, pass */
static enum status without_base(const struct query *q, struct result *out, int *exit_code)
{
	bool warn = q->missing == MISSING_WARN;
	struct verdict *v = arena_alloc(&out->mem, sizeof(*v));

	*v = (struct verdict){
		.name = "gate",
		.suite = "none",
		.state = warn ? VERDICT_IS_WARN : VERDICT_IS_PASS,
		.summary = "there is no base: nothing was compared",
		.now = "new",
		.about = "allowed by --missing-baseline",
	};
	out->verdict = v;
	TABLE_ROW(result_lines_of(out, &gate_docs[GATE_TABLE_VERDICT]),
		[VER_STATE] = cell_word(warn ? "gate WARN" : "gate pass"),
		[VER_SUMMARY] = cell_word(v->summary), [VER_CHECKS] = cell_int(0));
	result_note(out, warn ? NOTE_WARNING : NOTE_INFO, "no_baseline", -1, -1,
		"there is no base: nothing was compared, as --missing-baseline allows");
	*exit_code = 0;
	return OK;
}

static enum status compute(const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	struct gate g = { .query = q, .o = q->opts, .out = out };

	if (q->missing != MISSING_NOTHING)
		return without_base(q, out, exit_code);
	enum status st = answer(&g, exit_code, e);
	gate_rules_clear(&g.rules);
	arena_clear(&g.mem);
	return st;
}

ANALYSIS(gate) = {
	.name = "gate",
	.summary = "may the new runs pass? checks against a base, with noise in mind",
	.help.doc =
		"Compares NEW with BASE check by check: step time, throughput, memory, "
		"stability. A check fails when all of the interval of its change, noise between "
		"runs included, is worse than the tolerance; when only the estimate is, it is "
		"NOISY: shown, and not failed. With three runs or more on both sides the noise "
		"is measured, else it is the one of --noise.\n\n"
		"BASE may be a store (see baseline): its level is the base, and what its noise "
		"allows is tolerated where that is less than the tier says. A figure that crept "
		"away from the level the store began on fails as drift:ID. A rank, device or "
		"stretch of steps that base has and new has not fails, too. What was given by "
		"hand is taken as it is.\n\n"
		"Every figure of every artifact of the runs is a check: a log's step time "
		"beside the trace's, accuracy, throughput, memory, rewards, times of stages and "
		"operations. Which way is better is what its name says, or --better; what has "
		"no direction is shown and not judged, what only one side says counts as not "
		"compared.\n\n"
		"Tiers are sets of tolerances. Single ones are changed by --check, or under "
		"gate: in traceq.yaml; op:REGEX checks the GPU time per step of the ops and "
		"kernels that match, cpu:REGEX the CPU time of calls, tflops:REGEX how many "
		"operations a second the ops that match reach.\n\n"
		"Exit status: 0 passed, 1 failed, 2 no answer: no base, nothing that both sides "
		"have, bad configuration, a base that cannot be read. make turns any failure into 2; "
		"nothing benign is 2 here.",
	.help.source =
		"docs/statistics.md; tolerances of the tiers: rlhf-canary, compare/thresholds.py",
	.help.examples =
		"traceq gate baseline/ slow/ --tier nightly\n"
		"traceq gate base.json new.json --check step_time=3% --check op:nccl.*=15%\n"
		"traceq gate baseline/ slow/ --junit gate.xml --md gate.md",
	.sides.min = 1,
	.sides.max = 2,
	.help.operands = "BASE [NEW]",
	.sides.wants_history = wants_history,
	.sides.digest_options = digest_options,
	.sides.takes_broken = true,
	.options.ignores = FILTER_MATCH | FILTER_EXCLUDE,
	ANALYSIS_OPTIONS(gate_opts, struct gate_options, .limit = -1, .window = GATE_WINDOW,
		.recent = GATE_RECENT, .confirm = 2),
	ANALYSIS_TABLES(gate, GATE),
	.help.main_table = "checks",
	.options.check = check,
	.options.setting = gate_setting,
	.help.rules = READS_PAIR,
	.has_verdict = true,
	.compute = compute,
};
