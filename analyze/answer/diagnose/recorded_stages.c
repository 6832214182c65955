/* Rules about stages and timers that files list: the slowest (R01), their sum (R06), shares of
 * phases (R08). */
#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/columns/strings.h"

/* Containers of other stages, which say nothing about what to speed up. */
static bool is_container(struct span name)
{
	return span_in_nocase(name, "iteration|step|total|train_step|training_step") ||
		span_starts(name, "epoch_") || span_starts(name, "step_");
}

/* One stage: rows of one name are calls of it. */
struct stage {
	struct span name;
	double sum; /* of means, ns */
	size_t n;
};

struct stages {
	struct stage *v;
	size_t n;
	double whole; /* the iteration where it is timed, else all stages together; 0: neither */
};

/* Mean time of the stage of that name; NaN: there is none. */
static double time_of(const struct stages *s, const char *name)
{
	return FIND_VALUE(
		i, s->n, span_is(s->v[i].name, name), s->v[i].sum / (double)s->v[i].n, NAN);
}

static double whole_of(const struct stages *s)
{
	double v = time_of(s, "iteration"), sum = 0;

	for (EACH(const struct stage, stage, s->v, s->n))
		if (!is_container(stage->name))
			sum += stage->sum / (double)stage->n;
	return v > 0 ? v : sum;
}

static void collect(struct stages *out, const struct table *t, struct arena *mem)
{
	uint32_t *at = arena_array(mem, t->nrow + 1, sizeof(*at)); /* by name: index + 1 */
	struct strings names;

	*out = (struct stages){ .v = arena_array(mem, t->nrow, sizeof(*out->v)) };
	strings_init(&names, 0);
	for (size_t i = 0; i < t->nrow; i++) {
		struct span name = table_text_at(t, i, STAGES_NAME);
		double v = table_number_at(t, i, STAGES_MEAN);

		v = isnan(v) ? table_number_at(t, i, STAGES_TOTAL) : v;
		if (isnan(v) || !name.n)
			continue;
		sym id = strings_intern(&names, name);
		if (!at[id]) {
			at[id] = (uint32_t)++out->n;
			out->v[out->n - 1] = (struct stage){ name, 0, 0 };
		}
		out->v[at[id] - 1].sum += v;
		out->v[at[id] - 1].n++;
	}
	strings_clear(&names);
	out->whole = whole_of(out);
}

/* The stages of the i-th file that has some; false behind the last. */
static bool stages_of(const struct look *k, size_t i, struct stages *out, int *artifact)
{
	const struct sheet *s = recorded_sheet(k, SHEET_STAGES, i);

	if (!s)
		return false;
	*artifact = s->artifact;
	collect(out, &s->table, k->mem);
	return true;
}

/* ---- R01 ---- */

static const char *stage_advice(struct span name)
{
	if (span_has_nocase(name, "forward"))
		return "Reduce model size / Use mixed precision";
	if (span_has_nocase(name, "backward"))
		return "Gradient checkpointing";
	if (span_has_nocase(name, "data"))
		return "More workers / Better preprocessing";
	return NULL;
}

static void check_slowest(struct look *k)
{
	struct stages s;
	int from;

	for (size_t i = 0; stages_of(k, i, &s, &from); i++) {
		struct span name = SPAN("");
		double worst = 0;

		for (EACH(const struct stage, one, s.v, s.n)) {
			double v = one->sum / (double)one->n;

			if (v <= worst || is_container(one->name))
				continue;
			worst = v;
			name = one->name;
		}
		if (!name.n)
			continue;
		struct finding *f = look_found(k, SEVERITY_NOTE, from,
			"Slowest stage: %.*s (%.4fs) - consider optimization; %s of the time",
			(int)name.n, name.p, worst / 1e9, unit_percent(k->mem, worst / s.whole));
		f->value = worst / 1e9;
		f->saves = worst / s.whole;
		f->action = stage_advice(name);
	}
}

RULE(R01, "slowest stage",
	"Of the stages whose times a file of the run lists, the one with the largest mean. "
	"The advice is that of the guides for its name: forward, backward, data loading.",
	"Phase B Profiler Implementation, check_profile.py; Profiling & Metrics",
	.record = check_slowest)

/* ---- R06 ---- */

static const char *const parts[] = { "forward", "backward", "optimizer", "data_loading" };

static void judge_sum(struct look *k, const struct stages *s, int from)
{
	double whole = time_of(s, "iteration"), sum = 0;
	size_t n = 0;

	for (size_t j = 0; j < COUNT_OF(parts); j++) {
		double v = time_of(s, parts[j]);

		sum += isnan(v) ? 0 : v;
		n += isnan(v) ? 0 : 1;
	}
	if (n == 0 || !(whole > 0))
		return;
	double rest = whole - sum;
	bool is_found = fabs(rest) > look_limit(k, "R06.warn") * whole;
	struct finding *f = look_found(k, is_found ? SEVERITY_WARN : SEVERITY_OK, from,
		"stages sum to %.4fs of %.4fs per iteration%s", sum / 1e9, whole / 1e9,
		!is_found          ? ""
			: rest > 0 ? ": unattributed time"
				   : ": stages lie in each other");
	f->value = sum / whole;
	f->saves = fabs(rest) / whole;
}

static void check_sum(struct look *k)
{
	struct stages s;
	int from;

	for (size_t i = 0; stages_of(k, i, &s, &from); i++)
		judge_sum(k, &s, from);
}

RULE(R06, "stages and iteration",
	"Forward, backward, optimizer and data loading, as far as they are timed, add up to "
	"the iteration; more than 5% beside it is time nobody accounts for. Where the "
	"iteration alone is timed, nothing can be said.",
	"Profiling & Metrics",
	.limits = LIMITS(LIMIT("diagnose.R06.warn", RATIO, "5%",
		"WARN when the stages leave more than this share of the iteration, or exceed it")),
	.record = check_sum)

/* ---- R08 ---- */

static const struct {
	const char *name, *limit, *word, *action;
	enum severity severity;
} phases[] = {
	{ "forward", "R08.forward", "forward (guide 35-40%)",
		"Reduce model size / Use mixed precision", SEVERITY_NOTE },
	{ "backward", "R08.backward", "backward (40-45%)", "Gradient checkpointing",
		SEVERITY_NOTE },
	{ "optimizer", "R08.optimizer", "optimizer (10-15%)",
		"fused or foreach optimizer; step less often by accumulating gradients",
		SEVERITY_NOTE },
	{ "data_loading", "R08.data", "data loading (below 10%)",
		"More workers / Better preprocessing", SEVERITY_WARN },
};

/* The phase that is furthest beyond its limit; COUNT_OF(phases): none is. */
static size_t worst_phase(const struct look *k, const double *share)
{
	size_t worst = COUNT_OF(phases);
	double most = 0;

	for (size_t j = 0; j < COUNT_OF(phases); j++) {
		double beyond = share[j] - look_limit(k, phases[j].limit);

		if (beyond > most) {
			most = beyond;
			worst = j;
		}
	}
	return worst;
}

static void judge_phases(struct look *k, const struct stages *s, int from)
{
	double share[COUNT_OF(phases)];
	enum severity severity = SEVERITY_OK;
	const char *text = "";
	size_t n = 0;

	for (size_t j = 0; j < COUNT_OF(phases); j++) {
		share[j] = time_of(s, phases[j].name) / s->whole;
		if (!isnan(share[j]))
			text = arena_printf(k->mem, "%s%s%s %s", text, n++ ? ", " : "",
				phases[j].word, unit_percent(k->mem, share[j]));
	}
	if (n < 2)
		return;
	size_t worst = worst_phase(k, share);
	if (worst < COUNT_OF(phases))
		severity = phases[worst].severity;
	struct finding *f = look_found(k, severity, from, "%s", text);
	if (severity == SEVERITY_OK)
		return;
	f->value = share[worst];
	f->saves = share[worst] - look_limit(k, phases[worst].limit);
	f->action = arena_printf(k->mem, "%s: %s", phases[worst].name, phases[worst].action);
}

static void check_phases(struct look *k)
{
	struct stages s;
	int from;

	for (size_t i = 0; stages_of(k, i, &s, &from); i++)
		if (s.whole > 0)
			judge_phases(k, &s, from);
}

RULE(R08, "phases",
	"Shares of the phases in the iteration, beside what the guide expects: forward 35-40 "
	"%, backward 40-45%, optimizer 10-15% (more is overhead), data loading below 10%. "
	"Counted as lost is what a phase has above its limit.",
	"PyTorch Profiler Analysis Guide; Profiling & Metrics",
	.limits = LIMITS(LIMIT("diagnose.R08.forward", RATIO, "40%",
				 "forward: the guide's upper end; it says 35-40%"),
		LIMIT("diagnose.R08.backward", RATIO, "45%",
			"backward: the guide's upper end; it says 40-45%"),
		LIMIT("diagnose.R08.optimizer", RATIO, "15%",
			"optimizer: overhead above this; the guide says 10-15%"),
		LIMIT("diagnose.R08.data", RATIO, "10%", "data loading: WARN above this")),
	.record = check_phases)
