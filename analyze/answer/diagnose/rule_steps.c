/* Rules about the steps themselves: waiting for data (G10), a slow first step (G12), steps that are
 * not as the usual ones (G23), time between steps (G24). */
#include "analyze/answer/diagnose/rules.h"
#include "analyze/measure/gaps/gap_words.h"
#include "analyze/stat/exceptions.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

/* ---- G10 ---- */

static void check_loader(struct look *k, struct finding *f, const struct profile *x)
{
	const struct profile_host *h = &x->host;

	if (finding_unknown(f, !x->has_host, "the trace has no host events") ||
		finding_unknown(f, !h->has_loader && x->verdict.ns[PART_OF_DATA] == 0,
			"nothing in the trace is named enumerate(DataLoader) or data_loading"))
		return;
	nsec wait = x->has_device ? x->verdict.ns[PART_OF_DATA] : h->loader.in_steps;
	rules_put_time(k, f, wait, "G10.warn", "G10.crit");
	if (f->severity > SEVERITY_NOTE && f->value < look_limit(k, "G10.least"))
		f->severity = SEVERITY_NOTE;
	f->count = h->loader.count;
	f->place = x->gaps.worst_of[GAP_CAUSE_DATA].at;
	f->text = arena_printf(x->mem, "%s (%s) in the data loader%s%s", rules_step_time(x, wait),
		unit_percent(x->mem, f->share), x->has_device ? " while the GPU is idle" : "",
		rules_behind(x, &x->gaps.behind[0], wait));
	f->is_untold = h->loader.count == 0;
	if (h->loader.count > 0) {
		f->row = h->loader.row;
		f->name = x->run->events.name[f->row];
		f->evidence = arena_printf(x->mem, "%s x %s, %s; longest %s",
			rules_count(x, h->loader.count), rules_name(x, f->name),
			rules_step_time(x, h->loader.in_steps),
			unit_time(x->mem, (double)x->run->events.dur[f->row]));
	}
}

RULE(G10, "data loader",
	"Time the GPU is idle because the thread that launches its next work, or the "
	"main thread, is in the data loader (enumerate(DataLoader)..., data_loading). "
	"Loading that is hidden behind GPU work costs nothing and does not count.",
	"Training Profiling Guide: data loading should be minimal",
	.advice = "raise num_workers; persistent_workers=True; prefetch_factor=4",
	.plain_advice = "load and decode the next batch on other threads while this one computes",
	.verdict = "dataloader-bound", .has_saving = true, .judged = 1 + JUDGE_DATA,
	.limits = LIMITS(
		LIMIT("diagnose.G10.warn", RATIO, "5%",
			"WARN when the data loader takes more than this share of a step with "
			"the GPU idle"),
		LIMIT("diagnose.G10.crit", RATIO, "20%", "CRIT above this share"),
		LIMIT("diagnose.G10.least", TIME, "200us",
			"less than this in a step is a note at most")),
	.run = check_loader)

/* ---- G12 ---- */

static void check_first(struct look *k, struct finding *f, const struct profile *x)
{
	double ratio = x->window.stat.first_ratio;

	if (finding_unknown(f, !x->has_steps, "nothing marks steps") ||
		finding_unknown(f, isnan(ratio), "there are no further steps to compare it with") ||
		finding_unknown(f, x->run->steps->source != STEPS_PROFILER,
			"the steps are annotations, which need not be alike"))
		return;
	f->unit = UNIT_NONE;
	f->value = ratio;
	f->place = (struct interval){ x->run->steps->step[0].start, x->run->steps->step[0].end };
	f->severity = look_above(k, ratio, "G12.warn", NULL);
	f->text = arena_printf(x->mem,
		"the first step takes %.2f times the median of the others (%s)", ratio,
		unit_time(x->mem, x->window.stat.median));
}

RULE(G12, "first step",
	"The first step of the trace over the median of the others. A slow one is still warming up "
	"(compilation, cuDNN benchmarks, allocation) and does not stand for the others.",
	"Training Profiling Guide: skip the first steps",
	.advice = "raise wait and warmup of the profiler's schedule, or --steps without it",
	.verdict = "slow-first-step", .is_symptom = true,
	.limits = LIMITS(LIMIT("diagnose.G12.warn", NUMBER, "1.5",
		"WARN when the first step takes more than this many times the others' median")),
	.run = check_first)

/* ---- G23 ---- */

static const char *help_for(const struct profile *x, const struct step_kind *k)
{
	const char *help = gap_words_help(k->cause);
	int64_t odd = x->run->steps->step[x->window.stat.step[k->at[0]]].number;

	if (help)
		return help;
	if (k->when == WHEN_RAMP)
		return "what grows with the steps: inputs, a list or cache that is never cleared, losses "
		       "that keep their graph (detach(), item()); or clocks that fall ('traceq smi')";
	if (k->when == WHEN_FROM && k->name)
		return "clocks ('traceq smi'), longer sequences, or more memory in use since then";
	return arena_printf(x->mem, "look at one: traceq idle FILE --steps %lld", (long long)odd);
}

/* "1.2 ms more a step, 5.0% of all time" */
static const char *how_long(const struct profile *x, const struct step_kind *kind)
{
	/* Nothing that would be printed. */
	if (fabs(kind->share) < 0.0005)
		return "as long as the others";
	return arena_printf(x->mem, "%s %s a step, %s of all time",
		unit_time(x->mem, fabs(kind->more)), kind->more > 0 ? "more" : "less",
		unit_percent(x->mem, fabs(kind->share)));
}

static void put_kind(const struct look *k, struct finding *f, const struct step_kind *kind)
{
	const struct profile *x = k->profile;
	const struct step *step = &x->run->steps->step[x->window.stat.step[kind->at[0]]];

	f->unit = UNIT_RATIO;
	f->value = kind->share;
	f->is_of_all = true;
	f->count = (int64_t)kind->n;
	f->name = kind->name;
	f->place = (struct interval){ step->start, step->end };
	f->severity = SEVERITY_NOTE;
	f->text = arena_printf(x->mem, "%s %s%s: %s", kind->what, step_kind_in(kind),
		step_kind_when(kind, x->run, &x->window.stat, x->mem), how_long(x, kind));
	if (kind->name)
		f->evidence = arena_printf(x->mem, "most of it %s", rules_name(x, kind->name));
	if (!step_kind_is_loss(kind))
		return;
	f->share = kind->share;
	f->severity = MAX(look_above(k, kind->share, "G23.warn", "G23.crit"), SEVERITY_NOTE);
	f->action = help_for(x, kind);
}

static void check_kinds(struct look *k, struct finding *f, const struct profile *x)
{
	for (size_t i = 0; i < x->window.kinds.n; i++)
		put_kind(k, i > 0 ? look_add(k) : f, &x->window.kinds.v[i]);
	if (x->window.kinds.n > 0 || finding_unknown(f, !x->has_steps, "nothing marks steps") ||
		finding_unknown(
			f, x->window.stat.n < EXCEPTIONS_VALUES, "there are too few steps to tell"))
		return;
	f->text = arena_printf(x->mem, "all %zu steps are alike", x->window.stat.n);
}

RULE(G23, "odd steps",
	"Steps that are not as most are: one, some, every N-th, the first ones, those from one "
	"on. What they do is what the GPU waits for in them and not in others (a checkpoint, "
	"logging, garbage collection, compiling, an allocator), or what of a step differs most. "
	"The share is of the time of all steps: so much is saved where they are as usual ones. "
	"Steps with more or fewer kernels do other work, and save nothing. All other figures "
	"are of usual steps.",
	"docs/statistics.md, exceptions", .advice = "see 'traceq steps'", .verdict = "uneven-steps",
	.has_saving = true,
	.limits = LIMITS(
		LIMIT("diagnose.G23.warn", RATIO, "5%",
			"WARN when steps of a kind take more than this share of all time more "
			"than usual ones do"),
		LIMIT("diagnose.G23.crit", RATIO, "20%", "CRIT above this share")),
	.run = check_kinds)

/* ---- G24 ---- */

static void check_between(struct look *k, struct finding *f, const struct profile *x)
{
	const struct window *w = &x->window;

	if (finding_unknown(f, !x->has_steps, "nothing marks steps") ||
		finding_unknown(f, !x->has_device, "the trace has no GPU events"))
		return;
	double share = w->run > 0 ? (double)x->account.between / (double)w->run : 0;
	f->unit = UNIT_RATIO;
	f->value = share;
	f->is_of_all = true;
	f->severity = share < WINDOW_BETWEEN_MIN
		? SEVERITY_OK
		: MAX(look_above(k, share, "G24.warn", NULL), SEVERITY_NOTE);
	f->text = w->run == 0
		? "no time is left out between steps"
		: arena_printf(x->mem, "%s idle from one %s to the next; the GPU is busy for %s",
			  unit_time(x->mem, (double)x->account.between / (double)(w->stat.n - 1)),
			  w->is_serving ? "request" : "step",
			  verdict_run_text(w, x->verdict.device, x->mem));
	if (!w->is_serving)
		f->action =
			"put all of the loop into its step, or use ProfilerStep: schedule(...) and "
			"step() of the profiler";
}

RULE(G24, "between steps",
	"Where annotations make steps: time from the first to the end of the last that lies in "
	"none of them, and in which the GPU does nothing. Of a server it is time between "
	"requests, or what it takes to prepare the next batch. No figure of steps has it in it.",
	"docs/definitions.md",
	.advice =
		"more requests at once, or fewer GPUs for them; 'traceq timeline' shows what the host "
		"does in between: scheduling, tokenizing, sampling",
	.verdict = "idle-server",
	.limits = LIMITS(LIMIT("diagnose.G24.warn", RATIO, "20%",
		"WARN when the GPU is idle between steps for more than this share of the run")),
	.run = check_between)
