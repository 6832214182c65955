/*
 * `gate`: may the new runs pass?  Options, and the order of work.
 */
#include "analyze/gate.h"

#include <math.h>
#include <string.h>

#include "analyze/sides.h"

static const struct analysis_word *word(size_t i)
{
	size_t n;
	const struct gate_def *def = gate_defs(&n);

	return i < n ? &def[i].word : NULL;
}

static void digest_options(const void *opts, struct digest_options *o)
{
	o->warmup = ((const struct gate_options *)opts)->warmup;
}

static enum status check(const void *opts, const struct settings *settings, struct err *e)
{
	const struct gate_options *o = opts;
	struct gate_rules rules;
	struct arena mem;
	enum status st;

	if (o->warmup < 0)
		return err_set(e, E_USAGE, -1, "--warmup wants 0 or more steps");
	arena_init(&mem);
	st = gate_rules_init(&rules, o, settings, INT64_MIN, &mem, e);
	gate_rules_clear(&rules);
	arena_clear(&mem);
	return st;
}

static enum status answer(struct gate *g, int *exit_code, struct err *e)
{
	const struct query *q = g->query;

	TRY(gate_rules_init(&g->rules, g->o, q->settings, q->now_s, &g->out->mem, e));
	metricset_init(&g->base, &q->side[0], &g->mem);
	metricset_init(&g->now, &q->side[1], &g->mem);
	TRY(gate_judge(g, e));
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
	result_note(out, warn ? NOTE_WARNING : NOTE_INFO, "no_baseline", -1, -1,
		"there is no base: nothing was compared, as --missing-baseline allows");
	*exit_code = 0;
	return OK;
}

static enum status compute(const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	struct gate g = { .query = q, .o = q->opts, .out = out };
	enum status st;

	if (q->missing != MISSING_NOTHING)
		return without_base(q, out, exit_code);
	arena_init(&g.mem);
	st = answer(&g, exit_code, e);
	gate_rules_clear(&g.rules);
	arena_clear(&g.mem);
	return st;
}

const struct analysis analysis_gate = {
	.name = "gate",
	.summary = "may the new runs pass? checks against a base, with noise in mind",
	.doc = "Compares NEW with BASE check by check: step time, throughput, memory, stability. A check "
	       "fails when all of the interval of its change, noise between runs included, is worse than "
	       "the tolerance; when only the estimate is, it is NOISY: shown, and not failed. With three "
	       "runs or more on both sides the noise is measured, else it is the one of --noise.\n\n"
	       "Tiers are sets of tolerances. Single ones are changed by --check, or under gate: in "
	       "traceq.yaml; op:REGEX checks the device time per step of the ops and kernels that match, "
	       "cpu:REGEX the CPU time of calls.\n\n"
	       "Exit status: 0 passed, 1 failed, 2 no answer: no base, nothing that both sides have, bad "
	       "configuration, unreadable input. make turns any failure into 2; nothing benign is 2 here.",
	.source = "docs/statistics.md; tolerances of the tiers: rlhf-canary, compare/thresholds.py",
	.examples = "traceq gate baseline/ slow/ --tier nightly\n"
		    "traceq gate base.json new.json --check step_time=3% --check op:nccl.*=15%\n"
		    "traceq gate baseline/ slow/ --junit gate.xml --md gate.md",
	.min_sides = 2,
	.max_sides = 2,
	.operands = "BASE NEW",
	.digest_options = digest_options,
	.ignores = FILTER_MATCH | FILTER_EXCLUDE,
	.opt = gate_opts,
	.nopt = GATE_OPTS,
	.opts_size = sizeof(struct gate_options),
	.tables = gate_docs,
	.ntables = GATE_TABLES,
	.check = check,
	.setting = gate_setting,
	.word = word,
	.has_verdict = true,
	.compute = compute,
};
