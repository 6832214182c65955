/* `gate`: its tables, and the verdict from the same answers. */
#include "analyze/answer/gate/gate_history.h"
#include "analyze/analysis/row_limit.h"
#include "base/unit.h"
#include "base/words.h"

static size_t count(const struct gate *g, enum verdict_state s)
{
	return SUM(size_t, i, g->n, g->answer[i].state == s && !gate_is_property(&g->answer[i]));
}

static void put_count(struct str *b, size_t n, const char *word)
{
	if (n > 0)
		str_addf(b, "%s%zu %s", b->n ? ", " : "", n, word);
}

/* What was compared: no check without data, and no property. */
static size_t compared(const struct gate *g)
{
	return SUM(size_t, i, g->n,
		!gate_is_property(&g->answer[i]) && !gate_is_only_new(&g->answer[i]) &&
			(g->answer[i].state != VERDICT_IS_SKIP ||
				g->rules.fail_on == FAIL_ON_SKIP));
}

/* "2 of 9 checks failed, 1 noisy" */
static const char *summary(const struct gate *g)
{
	size_t all = compared(g), few = SUM(size_t, i, g->n, g->answer[i].few != NULL);
	size_t failing = SUM(size_t, i, g->n, gate_fails(g, g->answer[i].state));
	SCOPED_STR b = { 0 };

	str_addf(&b, "%zu of %zu check%s failed", failing, all, plural_s(all));
	put_count(&b, count(g, VERDICT_IS_CHANGED), "changed without a known direction");
	put_count(&b, count(g, VERDICT_IS_WARN), "warned");
	put_count(&b, count(g, VERDICT_IS_NOISY), "noisy");
	put_count(&b, count(g, VERDICT_IS_IMPROVED), "improved");
	put_count(&b, few, "weak");
	put_count(
		&b, count(g, VERDICT_IS_SKIP) + g->base.left_out + g->now.left_out, "not compared");
	return arena_copy(&g->out->mem, b.s, b.n);
}

static bool is_measured(const struct gate *g)
{
	return g->base_runs >= DECIDE_MEASURED && g->now_runs >= DECIDE_MEASURED;
}

/* The first check whose noise a store has measured: as a rule the step time. */
static const struct gate_answer *measured_by_store(const struct gate *g)
{
	return FIND(i, g->answer, g->n,
		isfinite(g->answer[i].noise) && isfinite(g->answer[i].noise_df));
}

static const char *noise(const struct gate *g)
{
	const struct gate_answer *by_store = measured_by_store(g);
	struct arena *mem = &g->out->mem;

	if (by_store)
		return arena_printf(mem, "noise %s (%zu runs of the store)",
			unit_percent(mem, by_store->noise), saturate_size(by_store->noise_df) + 1);
	if (is_measured(g))
		return "noise measured";
	return arena_printf(mem, "noise %s (%s)", unit_percent(mem, g->rules.noise),
		g->rules.noise_is_chosen ? "declared" : "assumed");
}

static const char *runs(const struct gate *g)
{
	return arena_printf(
		&g->out->mem, "%zu v %zu run%s", g->base_runs, g->now_runs, plural_s(g->now_runs));
}

static WORDS(tier_word, enum gate_tier, GATE_TIERS, 2)

	static void put_verdict(struct gate *g)
{
	struct table *t = result_lines_of(g->out, &gate_docs[GATE_TABLE_VERDICT]);

	TABLE_ROW(t, [VER_STATE] = cell_textf(t, "gate %s", gate_text_state(g, g->state)),
		[VER_SUMMARY] = cell_word(summary(g)), [VER_RUNS] = cell_word(runs(g)),
		[VER_TIER] = cell_textf(t, "%s tier", tier_word(g->rules.tier)),
		[VER_NOISE] = cell_word(noise(g)), [VER_NOISE_RATIO] = cell_real(g->rules.noise),
		[VER_CHECKS] = cell_size(compared(g)),
		[VER_FAILED] = cell_size(count(g, VERDICT_IS_FAIL)),
		[VER_CHANGED] = cell_size(count(g, VERDICT_IS_CHANGED)),
		[VER_WARNED] = cell_size(count(g, VERDICT_IS_WARN)),
		[VER_NOISY] = cell_size(count(g, VERDICT_IS_NOISY)),
		[VER_SKIPPED] = cell_size(count(g, VERDICT_IS_SKIP)),
		[VER_IMPROVED] = cell_size(count(g, VERDICT_IS_IMPROVED)));
}

static void put_figures(struct table *t, const struct gate_answer *a)
{
	const struct change *c = &a->change;

	TABLE_CELLS(t, [CHECK_NOISE_RATIO] = CELL_IF(isfinite(a->noise), cell_real(a->noise)),
		[CHECK_RATIO] = CELL_IF(!c->is_difference, cell_real(c->ratio)),
		[CHECK_DELTA] = cell_real(c->delta), [CHECK_LO] = cell_real(c->lo),
		[CHECK_HI] = cell_real(c->hi), [CHECK_P] = cell_real(c->p),
		[CHECK_NEEDED] = cell_real(a->answer.needed),
		[CHECK_MEASURED] = cell_bool(c->change.is_measured),
		[CHECK_LOWERED_RATIO] =
			CELL_IF(a->is_lowered && (!c->is_difference || a->base->is_points),
				cell_real(c->is_difference ? a->tolerance : expm1(a->tolerance))));
}

/* Behind the figures: what is to be said of them. */
static const char *remark(const struct gate *g, const struct gate_answer *a)
{
	struct arena *mem = &g->out->mem;

	if (a->state == VERDICT_IS_SKIP)
		return a->why;
	if (a->rule->def->kind == GATE_NEW && a->now && a->change.now > 0)
		return arena_printf(mem, "%s%s", a->now->title, a->change.now > 1 ? ", ..." : "");
	if (a->since)
		return a->since;
	if (a->few)
		return arena_printf(mem, "weak: %s", a->few);
	if (a->answer.decision == DECISION_NOISY && !isnan(a->answer.needed))
		return arena_printf(
			mem, "%.0f runs a side would decide", fmin(a->answer.needed, 1e6));
	if (a->answer.is_weak)
		return arena_printf(mem, "weak: %.1f%% worse not excluded",
			100 *
				(a->change.is_difference && !(a->base && a->base->is_points)
						? a->answer.hi / fabs(a->change.base)
						: a->change.is_difference ? a->answer.hi
									  : expm1(a->answer.hi)));
	return a->rule->reason && a->rule->accepted != 1 ? a->rule->reason : "";
}

static void put_check(struct gate *g, struct table *t, const struct gate_answer *a)
{
	bool is_skipped = a->state == VERDICT_IS_SKIP;

	TABLE_ROW(t, [CHECK_STATE] = cell_word(gate_text_state(g, a->state)),
		[CHECK_ID] = cell_word(a->rule->id), [CHECK_BASE] = cell_real(a->change.base),
		[CHECK_NOW] = cell_real(a->change.now),
		[CHECK_CHANGE] = CELL_IF(!is_skipped, cell_word(gate_text_change(g, a))),
		[CHECK_INTERVAL] = CELL_IF(!is_skipped, cell_word(gate_text_interval(g, a))),
		[CHECK_TOLERANCE] = cell_word(gate_text_tolerance(g, a)),
		[CHECK_WEAK] = cell_word(remark(g, a)),
		[CHECK_SUITE] = cell_word(a->rule->def->suite),
		[CHECK_DECISION] = cell_word(decision_word(a->answer.decision)),
		[CHECK_RUNS_BASE] = cell_size(a->base ? a->base->n : 0),
		[CHECK_RUNS_NOW] = cell_size(a->now ? a->now->n : 0),
		[CHECK_MESSAGE] = cell_word(gate_text_message(g, a)));
	table_unit(t, gate_unit(a));
	if (!is_skipped && !gate_is_most(a->rule))
		put_figures(t, a);
}

/* How many times what is tolerated it is worse, to a tenth; 0: it is not. */
static double excess(const struct gate_answer *a)
{
	double over = a->change.change.estimate / a->tolerance;

	if (a->state <= VERDICT_IS_SKIP || isnan(over) || over <= 0)
		return 0;
	return over < 1e9 ? round(10 * over) : INFINITY;
}

/* Worst first, then as the checks stand. */
static int by_state(const void *pa, const void *pb)
{
	const struct gate_answer *a = *(const struct gate_answer *const *)pa;
	const struct gate_answer *b = *(const struct gate_answer *const *)pb;

	if (a->state != b->state)
		return compare3(b->state, a->state);
	if (a->rule->is_figure && b->rule->is_figure && excess(a) != excess(b))
		return excess(a) > excess(b) ? -1 : 1;
	return compare3(a, b);
}

static const struct gate_answer **sorted(struct gate *g)
{
	const struct gate_answer **order = arena_array(&g->mem, g->n + 1, sizeof(*order));

	for (size_t i = 0; i < g->n; i++)
		order[i] = &g->answer[i];
	qsort(order, g->n, sizeof(*order), by_state);
	return order;
}

/* Whether it is a row: not what neither side says, nor what is not judged and did not change. */
static bool is_listed(const struct gate *g, const struct gate_answer *a)
{
	if (g->o->is_verbose || !g->query->for_people || a->rule->is_chosen)
		return true;
	if (gate_is_property(a) || (!gate_is_judged(a) && a->state == VERDICT_IS_PASS))
		return false;
	return a->state != VERDICT_IS_SKIP || a->base || a->now;
}

void gate_put_tables(struct gate *g)
{
	const struct gate_answer **order = sorted(g);
	size_t figures = 0, cut = 0, most = rows_limit(g->query, g->o->limit, 20, SIZE_MAX);

	put_verdict(g);
	struct table *t = result_table_of(g->out, &gate_docs[GATE_TABLE_CHECKS]);
	t->title = NULL;
	for (size_t i = 0; i < g->n; i++) {
		bool is_figure = order[i]->rule->is_figure;

		if (!is_listed(g, order[i]))
			continue;
		if (is_figure && figures == most) {
			cut++;
			continue;
		}
		figures += is_figure;
		put_check(g, t, order[i]);
	}
	rows_cut_of(t, CHECK_ID, cut, "figure");
	if (g->base.left_out + g->now.left_out > 0)
		result_note(g->out, NOTE_WARNING, "figures_left_out", -1,
			(int64_t)(g->base.left_out + g->now.left_out),
			"%zu figures are not compared: a side has more than %d of logs and summaries",
			g->base.left_out + g->now.left_out, METRICSET_RECORD_MAX);
	if (g->nwhy == 0)
		return;
	t = result_table_of(g->out, &gate_docs[GATE_TABLE_WHY]);
	t->layout = TABLE_LINE;
	for (size_t i = 0; i < g->nwhy; i++)
		TABLE_ROW(t, cell_word(g->why[i]));
}

static const char *side_text(const struct gate *g, const char *label, size_t nrun)
{
	return arena_printf(&g->out->mem, "%s (%zu run%s)", label, nrun, plural_s(nrun));
}

/* Of what fails against a store. */
static const struct verdict_runs *runs_of(struct gate *g, const struct gate_answer *a)
{
	const struct segment_series *along =
		g->series && a->base && a->now ? gate_series(g, a->base->id) : NULL;

	if (!along || !gate_fails(g, a->state))
		return NULL;
	const struct metric *now = metricset_find(&g->now, a->base->id);
	struct segment_series s = *along;
	course_append(&s, g, now ? now : a->now);
	return gate_runs(g, &s, a->change.base);
}

static void make_check(struct gate *g, struct verdict_check *c, const struct gate_answer *a)
{
	enum unit unit = gate_unit(a);
	const char *said = remark(g, a);

	*c = (struct verdict_check){
		.state = a->state,
		.suite = a->rule->def->suite,
		.id = a->rule->id,
		.base = isnan(a->change.base) ? NULL : gate_text_value(g, a->change.base, unit),
		.now = isnan(a->change.now) ? NULL : gate_text_value(g, a->change.now, unit),
		.change = a->state == VERDICT_IS_SKIP ? NULL : gate_text_change(g, a),
		.interval = a->state == VERDICT_IS_SKIP ? NULL : gate_text_interval(g, a),
		.tolerance = gate_text_tolerance(g, a),
		.message = gate_text_message(g, a),
		.detail = said && said[0] ? said : NULL,
		.fails = gate_fails(g, a->state),
		.metric = a->rule->def->metric || a->rule->def->kind != GATE_OPS ? a->rule->def->id
										 : "op_time",
		.label = a->rule->id == a->rule->def->id ? NULL : a->rule->id,
		.value = a->change.now,
		.unit = unit,
		.runs = runs_of(g, a),
	};
}

void gate_make_verdict(struct gate *g)
{
	const struct gate_answer **order = sorted(g);
	struct verdict *v = arena_alloc(&g->out->mem, sizeof(*v));

	*v = (struct verdict){
		.name = "gate",
		.suite = tier_word(g->rules.tier),
		.state = g->state,
		.exit_code = g->exit_code,
		.summary = summary(g),
		.base = side_text(g, g->base_label, g->base_runs),
		.now = side_text(g, g->now_label, g->now_runs),
		.about = arena_printf(&g->out->mem, "%s, %s tier, %s", runs(g),
			tier_word(g->rules.tier), noise(g)),
	};
	v->base_days = gate_days(g, g->base_side);
	v->now_days = g->now_side ? gate_days(g, g->now_side) : NULL;
	v->why = g->why;
	v->nwhy = g->nwhy;
	v->check = arena_array(&g->out->mem, g->n, sizeof(*v->check));
	for (size_t i = 0; i < g->n; i++)
		make_check(g, &v->check[v->n++], order[i]);
	g->verdict = v;
	g->out->verdict = v;
}
