/* `diff`: what changed from one side to the other, and why.  Options and the order of work. */
#include "analyze/answer/diff/diff.h"

#include "analyze/compare/outside.h"
#include "analyze/compare/why.h"

#define AT(field) offsetof(struct diff_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of the tables of work; 0 = all [10]"),
	CHOICE_OPT("sort", "KEY", AT(sort), OPT_WORDS(DIFF_SORTS),
		"order of their rows: by size of the change, by ratio, by name [delta]"),
	CHOICE_OPT("by", "KEY", AT(by), OPT_WORDS(OPSUMS_BYS),
		"what GPU work is known by: launching op, the same and its input shapes, op "
		"and kernel, or kernel; below the first two, kernels have a table of their own "
		"[op]"),
	FLAG_OPT("only-changed", 0, AT(only_changed),
		"only what is new, removed or shown to differ"),
	TEXT_OPT("threshold", 0, "RATIO", AT(threshold),
		"a change up to this is none [" DIFF_THRESHOLD "]"),
	TEXT_OPT("noise", 0, "RATIO", AT(noise),
		"how much runs of the same code differ, standard deviation, as 'traceq noise' finds "
		"it; measured where both sides have three runs [diff.noise, gate.noise; else " NOISE_ASSUMED_TEXT
		" for "
		"the step, and rows are listed, not judged]"),
	LIST_OPT("better", 0, "SIDE:NAME", AT(better),
		"which way is better of a figure whose name does not say it: lower:grad_norm"),
	TEXT_OPT("alpha", 0, "RATIO", AT(alpha),
		"how often a verdict on the step may be false, and which share of the rows that "
		"count as changed [" DIFF_ALPHA "]"),
	INT_OPT("warmup", 'w', "N", AT(warmup), "leave out the first N steps of each trace [0]"),
	FLAG_OPT("shapes", 0, AT(shapes),
		"load input shapes, to tell longer calls from calls with other shapes"),
	FLAG_OPT("exact-names", 0, AT(exact_names),
		"names as they are: addresses and numbers in templates tell apart"),
	CHOICE_OPT("allow-env", "KEY", AT(allow_env), "gpu|steps|gpu,steps",
		"compare although the GPUs differ, or steps are cut in different ways"),
	FLAG_OPT("exit-code", 0, AT(exit_code), "exit 1 when the step time is a regression"),
};

static enum status understand(struct diff_wishes *w, const struct diff_options *o,
	const struct settings *settings, struct arena *mem, struct err *e)
{
	struct span allowed = span_of(o->allow_env ? o->allow_env : "");

	*w = (struct diff_wishes){ .allow_gpu = span_has(allowed, "gpu"),
		.allow_steps = span_has(allowed, "steps") };
	w->compare.by = (enum opsums_by)opt_which(OPT_WORDS(OPSUMS_BYS), o->by);
	w->sort = (enum diff_sort)opt_which(OPT_WORDS(DIFF_SORTS), o->sort);
	if (o->warmup < 0)
		return err_set(e, E_USAGE, -1, "--warmup needs a number of steps, 0 or more");
	TRY(diff_ratio(&w->compare.threshold, "threshold", o->threshold, e));
	TRY(diff_noise(w, o, settings, e));
	TRY(diff_better(w, o, settings, mem, e));
	return diff_ratio(&w->compare.alpha, "alpha", o->alpha, e);
}

static enum status check(const void *opts, const struct settings *settings, struct err *e)
{
	struct diff_wishes w;
	SCOPED_ARENA mem = { 0 };

	return understand(&w, opts, settings, &mem, e);
}

static void digest_options(const void *opts, struct digest_options *to)
{
	const struct diff_options *o = opts;

	to->warmup = o->warmup;
	to->collectives = true;
	to->work = true;
	to->exact_names = o->exact_names;
	to->shapes = o->shapes || strcmp(o->by, "shape") == 0;
}

/* A trace of the side has work on a device. */
static bool has_device(const struct side *s)
{
	for (size_t i = 0; i < s->nrun; i++)
		for (size_t k = 0; k < s->run[i].nrank; k++)
			if (s->run[i].part[k].digest->has_device)
				return true;
	return false;
}

static void add_notes(struct diff *d)
{
	size_t ranks = sides_ranks(d->c.base);

	if (!d->c.has_step)
		result_note(d->out, NOTE_INFO, "no_step_times", -1, -1,
			"no step times on both sides: only metrics are compared");
	else if (d->c.step.answer.decision == DECISION_SKIP)
		result_note(d->out, NOTE_INFO, "few_steps", -1, -1,
			"fewer than %d steps on a side: noise cannot be told from change",
			CHANGE_STEPS_MIN);
	diff_note_noise(d);
	diff_note_figures(d);
	diff_note_work(d);
	diff_note_window(d, d->c.base, "base");
	diff_note_window(d, d->c.now, "new");
	if (has_device(d->c.base) != has_device(d->c.now) && sides_ranks(d->c.base) > 0 &&
		sides_ranks(d->c.now) > 0)
		result_note(d->out, NOTE_WARNING, "device_on_one_side", -1, -1,
			"%s has GPU work, %s has none: nothing on the GPU is compared",
			has_device(d->c.base) ? "base" : "new",
			has_device(d->c.base) ? "new" : "base");
	else if (d->c.ledger.n > 0 && !d->c.ledger.is_device)
		result_note(d->out, NOTE_INFO, "no_device_events", -1, -1,
			"no GPU work on both sides: the CPU's phases are compared");
	if (ranks > 0 && sides_ranks(d->c.now) > 0 && ranks != sides_ranks(d->c.now))
		result_note(d->out, NOTE_WARNING, "ranks_differ", -1, -1,
			"base has %zu ranks, new has %zu", ranks, sides_ranks(d->c.now));
}

static void put_why(struct diff *d)
{
	struct why why;

	why_init(&why, &d->c, &d->out->mem);
	for (size_t i = 0; i < why.n; i++)
		TABLE_ROW(d->why, [DWHY_TEXT] = cell_text(why.text[i]));
	if ((sides_ranks(d->c.base) > 0) != (sides_ranks(d->c.now) > 0))
		TABLE_ROW(d->why,
			[DWHY_TEXT] = cell_textf(d->why, "%s has a trace, %s has none",
				sides_ranks(d->c.base) ? "base" : "new",
				sides_ranks(d->c.base) ? "new" : "base"));
	diff_say_figures(d);
}

static enum status answer(struct diff *d)
{
	d->why = result_table_of(d->out, &diff_docs[DIFF_WHY_TABLE]);
	d->why->layout = TABLE_LINE;
	if (d->c.better_unknown < d->w.nasked)
		return err_set(d->e, E_USAGE, -1, "--better: neither side has a figure '%s'",
			d->w.compare.better[d->c.better_unknown].name);
	TRY(diff_env(d));
	if (!d->c.has_common && d->c.ncondition > 0) {
		result_note(d->out, NOTE_WARNING, "no_common_figures", -1, -1,
			"no figure is in both: only environment and configuration are compared");
		return OK;
	}
	if (!d->c.has_common) {
		(void)err_set(d->e, E_NODATA, -1, "nothing that both sides say can be compared");
		return err_hint(d->e, "base has %zu metrics, new has %zu, and none is in both",
			d->c.base_metrics.n, d->c.now_metrics.n);
	}
	contrast_find_work(&d->c);
	diff_judge_figures(d);
	put_why(d);
	diff_put_sides(d);
	diff_put_step(d);
	diff_put_ledger(d);
	diff_put_ranks(d);
	TRY(diff_put_ops(d));
	diff_put_metrics(d);
	diff_put_runs(d);
	add_notes(d);
	return OK;
}

static enum status compute(const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	struct diff d = { .q = q, .o = q->opts, .out = out, .e = e };

	const struct side *base = &q->side[0], *now = &q->side[1];

	enum status st = understand(&d.w, d.o, q->settings, &d.mem, e);
	if (!d.w.allow_steps)
		THEN(st, outside_settle(&base, &now, NAN, out, &d.mem, e));
	if (st == OK) {
		contrast_init(&d.c, base, now, &d.w.compare, &d.mem);
		st = answer(&d);
	}
	*exit_code = st == OK && d.o->exit_code && d.c.has_step &&
		d.c.step.answer.decision == DECISION_FAIL;
	arena_clear(&d.mem);
	return st;
}

ANALYSIS(diff) = {
	.name = "diff",
	.summary = "what changed between two runs or folders of runs, and why",
	.help.doc =
		"Base comes first. A side is a file or a folder; A B vs C D and label=PATH put several "
		"paths on one side. Folders are searched; traces of different ranks in one folder are "
		"one run, folders beside each other are repeats. What was compared is listed.\n\n"
		"The step time is the job's: the mean over its steps, each as long as its slowest "
		"rank; its median stands beside it. Its change has an interval, which knows two "
		"errors: the spread of the steps, and the noise between runs. That is measured where "
		"both sides have three runs, else what --noise or traceq.yaml says ('traceq noise' "
		"finds it from repeats or a store), else " NOISE_ASSUMED_TEXT " is assumed.\n\n"
		"Every figure of every artifact is a row of the last table: what a log says beside the trace "
		"is a row of its own, and what only one side says is listed as such. The worst come first; "
		"how many changed is said above.\n\n"
		"The ledger is exact: its parts add up to the step's change. With ranks a part is that "
		"of the mean rank, and what the slowest one takes more is imbalance; the ranks are "
		"listed. The tables of work add up, too: rows, what runs at the same time, idle and "
		"imbalance; each row's change is split into an effect of calls and one of duration. "
		"Work is matched by the op that launched it, which other GPUs do with other kernels; "
		"the kernels have a table below. A row counts as changed when its runs differ by more "
		"than their noise explains after the adjustment for many rows. Where the noise is not "
		"known, rows are listed and not judged.\n\n"
		"Where both sides have input shapes, the table of work says of each op what of its "
		"change is more work (more calls, or more FLOP or bytes in each) and what is the "
		"same work done slower; the two add up with what is not known. MFU is a figure "
		"then, too.\n\n"
		"Sides whose GPUs differ are refused unless --allow-env gpu; other differences of the "
		"environment are warned about, those of the configuration listed.",
	.help.source = "docs/statistics.md; attribution: Shapley 1953; docs/definitions.md",
	.help.examples =
		"traceq diff base.json.gz new.json.gz\ntraceq diff baseline/ slow/ -n 20\n"
		"traceq diff r1.json r2.json r3.json vs s1.json s2.json s3.json --exit-code",
	.help.operands = "BASE NEW",
	.sides.min = 2,
	.sides.max = 2,
	ANALYSIS_OPTIONS(options, struct diff_options, .limit = -1, .sort = "delta", .by = "op",
		.threshold = DIFF_THRESHOLD, .alpha = DIFF_ALPHA),
	.options.check = check,
	.options.setting = diff_setting,
	.sides.digest_options = digest_options,
	ANALYSIS_TABLES(diff, DIFF),
	.help.main_table = "ops|metrics",
	.compute = compute,
};
