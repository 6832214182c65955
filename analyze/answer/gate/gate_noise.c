/* `noise`: how much runs of the same code differ, and what that lets a gate see. */
#include "analyze/answer/gate/gate.h"
#include "analyze/rule/list.h"
#include "analyze/trace/figure.h"
#include "analyze/job/sides.h"
#include "analyze/stat/decide.h"
#include "analyze/stat/law.h"
#include "analyze/stat/welch.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/history.h"
#include "base/unit.h"

struct noise_options {
	int64_t warmup;
};

static const struct opt options[] = {
	INT_OPT("warmup", 0, "N", offsetof(struct noise_options, warmup),
		"leave out so many steps in front [0]"),
};

enum { RUNS_GOOD = 5, RUNS_LEAST = 2, EFFECT_MAX = 5 };

#define TABLES_DEF "analyze/answer/gate/noise_tables.def"
#include "base/table_names_impl.h"
#define TABLES_DEF "analyze/answer/gate/noise_tables.def"
#include "base/table_rows_impl.h"

/* The standard deviation between runs, on the scale the gate compares on; NaN unknown. */
static double noise_of(const struct metric *m, struct arena *mem)
{
	double *v = arena_array(mem, m->n, sizeof(*v));

	for (size_t i = 0; i < m->n; i++) {
		double centre = m->sample[i].centre;

		if (!m->is_points && !(centre > 0))
			return NAN;
		v[i] = m->is_points ? centre : log(centre);
	}
	struct moments moments = welch_moments(v, m->n);
	return sqrt(moments.variance);
}

/* The p-quantile of chi-square with k degrees of freedom: Wilson and Hilferty's cube. */
static double chi_square(double p, double k)
{
	double t = 2 / (9 * k), x = 1 - t + law_normal_quantile(p) * sqrt(t);

	return x > 0 ? k * x * x * x : 0;
}

static double upper_of(double noise, size_t runs)
{
	double k = (double)(runs - 1), low = chi_square(0.05, k);

	return low > 0 ? noise * sqrt(k / low) : NAN;
}

static double effect(const struct metric *m, double noise, size_t runs)
{
	double e = decide_detectable(noise, (double)(m->n - 1), runs, 0.95);

	if (e > EFFECT_MAX) /* nothing would be seen */
		return NAN;
	return m->is_points ? e : expm1(e);
}

static void put_metric(struct table *t, const struct metric *m, double noise)
{
	TABLE_ROW(t, [NOISE_METRIC] = cell_word(m->id), [NOISE_RUNS] = cell_size(m->n),
		[NOISE_CENTRE] = cell_real(metric_centre(m)), [NOISE_CV] = cell_real(noise));
	table_unit(t, m->unit);
	if (isnan(noise))
		return;
	TABLE_CELLS(t, [NOISE_UPPER] = cell_real(upper_of(noise, m->n)),
		[NOISE_ONE] = cell_real(effect(m, noise, 1)),
		[NOISE_THREE] = cell_real(effect(m, noise, 3)),
		[NOISE_FIVE] = cell_real(effect(m, noise, 5)));
}

/* Rounded up to hundredths of a per cent: what is declared should not be too little. */
static void put_line(struct table *t, const char *key, double noise, bool is_first)
{
	struct str b = { 0 };

	if (is_first)
		TABLE_ROW(t, cell_word("gate:"));
	str_addf(&b, "  %s: {noise: ", key);
	unit_put_fixed(&b, ceil(noise * 1e4) / 1e2, 2);
	str_adds(&b, "%}");
	TABLE_ROW(t, cell_str(t, &b));
}

/* The built-in check of a figure, or NULL: others need no line. */
static const char *check_of(const char *id)
{
	const struct rule *rule;

	for (size_t i = 0; (rule = rules_at(READS_PAIR, i)); i++)
		if (gate_is_of(rule->pair, id))
			return rule->word.id;
	return NULL;
}

static void put_tables(struct result *out, const struct metricset *set, struct arena *mem)
{
	struct table *t = result_table_of(out, &noise_docs[NOISE_NOISE]);
	struct table *yaml = result_table_of(out, &noise_docs[NOISE_YAML]);
	size_t n = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct metric *m = &set->v[i];

		if ((m->is_exact && m->is_points) || metric_is_part(m->id)) /* as it has to be */
			continue;
		if (m->kind && figure_kind_is_property(m->kind))
			continue;
		double noise = m->n >= RUNS_LEAST ? noise_of(m, mem) : NAN;

		put_metric(t, m, noise);
		if (!isnan(noise) && !m->is_exact && check_of(m->id))
			put_line(yaml, check_of(m->id), noise, n++ == 0);
	}
}

static enum status compute(const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	struct metricset set;
	size_t runs = 0;

	*exit_code = 0;
	if (q->history)
		segment_metricset(&set, q->history, &segment_usual, &out->mem);
	else
		metricset_init(&set, &q->side[0], &out->mem);
	for (size_t i = 0; i < set.n; i++)
		runs = MAX(set.v[i].n, runs);
	if (runs < RUNS_LEAST) {
		return err_hinted(e, E_NODATA,
			"repeat the same run, a folder each; five or more say it well",
			"%zu run%s: noise between runs needs repeats", runs, plural_s(runs));
	}
	if (runs < RUNS_GOOD)
		result_note(out, NOTE_WARNING, "few_repeats", -1, (int64_t)runs,
			"%zu runs do not know the noise well: see 'at most'; five or more do",
			runs);
	put_tables(out, &set, &out->mem);
	return OK;
}

static void digest_options(const void *opts, struct digest_options *o)
{
	o->warmup = ((const struct noise_options *)opts)->warmup;
	o->work = true; /* as stores have it */
}

static bool wants_history(const void *opts UNUSED)
{
	return false;
}

ANALYSIS(noise) = {
	.name = "noise",
	.summary = "how much runs of the same code differ, and what a gate can see then",
	.help.doc =
		"Takes repeats of one run (folders, or a store of baselines) and says for each figure how "
		"much it varies from run to run, how well so few runs know that, and the smallest "
		"worsening that 1, 3 and 5 runs on each side would show. The lines for traceq.yaml tell "
		"gate the noise where it cannot measure it.\n\n"
		"The noise within a run (its steps) is another and mostly smaller one: steps of a run "
		"share what happened to that run.",
	.help.source = "docs/statistics.md, \"Noise between runs\"",
	.help.examples = "traceq noise repeats/\ntraceq noise store/",
	.sides.min = 1,
	.sides.max = 1,
	.help.operands = "RUNS",
	.sides.wants_history = wants_history,
	.sides.digest_options = digest_options,
	.options.ignores = FILTER_MATCH | FILTER_EXCLUDE,
	ANALYSIS_OPTIONS(options, struct noise_options),
	ANALYSIS_TABLES(noise, NOISE),
	.compute = compute,
};
