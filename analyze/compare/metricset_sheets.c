/* Metrics of sheets: the cells of tables that files of runs hold, each by row and column.
 *
 * Of a row with statistics the mean is the figure, and its spread and count say how sure it is. */
#include "analyze/trace/figure.h"
#include "analyze/compare/metricset_gather.h"
#include "analyze/trace/columns/record.h"

/* Fewer measurements than this say nothing about their spread. */
enum { MEASURED_LEAST = 4, NO_COLUMN = 0 };

/* A change of work below this share of its column counts for nothing. */
static const double SHARE_LEAST = 0.01;

static double number_at(const struct sheet *s, size_t row, size_t col)
{
	return col == NO_COLUMN ? NAN : table_number_at(&s->table, row, col);
}

/* ---- columns ---- */

/* A column that is a figure of each row; never the first, which names the row. */
struct cell_form {
	size_t col;
	size_t instead; /* only where this one is absent; NO_COLUMN: always */
	enum gathering_as as;
	bool is_aside; /* it describes the row and is no figure by itself: shown, not judged */
};

/* What no kind of figure has a better side of. */
static const char aside[] = "std";

static const struct cell_form stage_cells[] = {
	{ STAGES_MEAN, NO_COLUMN, GATHER_MEAN, false },
	{ STAGES_TOTAL, STAGES_MEAN, GATHER_MEAN, false },
	{ STAGES_TOTAL, NO_COLUMN, GATHER_MEAN, true },
	{ STAGES_MIN, NO_COLUMN, GATHER_MEAN, true },
	{ STAGES_MAX, NO_COLUMN, GATHER_MEAN, true },
	{ STAGES_CPU_BYTES, NO_COLUMN, GATHER_MEAN, false },
	{ STAGES_PEAK_DEVICE_BYTES, NO_COLUMN, GATHER_MOST, false },
	{ STAGES_CALLS, NO_COLUMN, GATHER_SUM, false },
	{ STAGES_TOKENS, NO_COLUMN, GATHER_SUM, false },
};
static const struct cell_form op_cells[] = {
	{ OPS_SELF_CPU, NO_COLUMN, GATHER_SUM, false },
	{ OPS_CPU, NO_COLUMN, GATHER_SUM, false },
	{ OPS_SELF_DEVICE, NO_COLUMN, GATHER_SUM, false },
	{ OPS_DEVICE, NO_COLUMN, GATHER_SUM, false },
	{ OPS_SELF_CPU_BYTES, NO_COLUMN, GATHER_SUM, false },
	{ OPS_CPU_BYTES, NO_COLUMN, GATHER_SUM, false },
	{ OPS_SELF_DEVICE_BYTES, NO_COLUMN, GATHER_SUM, false },
	{ OPS_DEVICE_BYTES, NO_COLUMN, GATHER_SUM, false },
	{ OPS_CALLS, NO_COLUMN, GATHER_SUM, false },
	{ OPS_FLOPS, NO_COLUMN, GATHER_SUM, false },
};
static const struct cell_form memory_cells[] = {
	{ TAKEN_ALLOCATED, NO_COLUMN, GATHER_MEAN, false },
	{ TAKEN_RESERVED, NO_COLUMN, GATHER_MEAN, false },
	{ TAKEN_MAX_ALLOCATED, NO_COLUMN, GATHER_MOST, false },
	{ TAKEN_MAX_RESERVED, NO_COLUMN, GATHER_MOST, false },
};
static const struct cell_form model_cells[] = {
	{ MODELS_PARAMS, NO_COLUMN, GATHER_MEAN, false },
	{ MODELS_INFERENCE_BYTES, NO_COLUMN, GATHER_MEAN, false },
	{ MODELS_TRAINING_BYTES, NO_COLUMN, GATHER_MEAN, false },
	{ MODELS_REQUIRED_BYTES, NO_COLUMN, GATHER_MEAN, false },
};
static const struct cell_form score_cells[] = {
	{ SCORES_COUNT, NO_COLUMN, GATHER_SUM, false },
	{ SCORES_RATIO, NO_COLUMN, GATHER_SUM, false },
};

static struct span without(struct span key, const char *end)
{
	size_t n = strlen(end);

	if (key.n > n && span_ends(key, end))
		key.n -= n;
	return key;
}

/* "stage/forward/mean" */
static const char *named_cell(
	struct gathering *g, const char *what, struct span row, const struct column *c)
{
	struct span key = without(span_of(c->key), "_ns");

	return arena_printf(g->mem, "%s/%.*s/%.*s", what, (int)row.n, row.p, (int)key.n, key.p);
}

/* Another column says it; of a total beside a mean that is the mean. */
static bool is_said(const struct sheet *s, size_t row, const struct cell_form *f)
{
	if (f->is_aside && f->col == STAGES_TOTAL && s->kind == SHEET_STAGES)
		return isnan(number_at(s, row, STAGES_MEAN));
	return !isnan(number_at(s, row, f->instead));
}

/* One row; least: below which no change of a cell counts. */
static void add_cell(struct gathering *g, const struct sheet *s, size_t row,
	const struct cell_form *f, const char *what, struct span name, double least)
{
	const struct column *c = &s->table.col[f->col];
	double v = number_at(s, row, f->col);

	if (!isfinite(v) || is_said(s, row, f))
		return;
	struct metric *m = gathering_value(g, named_cell(g, what, name, c),
		span_of(f->is_aside ? aside : c->key), c->unit, v, f->as);
	if (m)
		m->least = least;
}

/* NaN: no row says it. */
static double column_sum(const struct sheet *s, const struct cell_form *f)
{
	const struct ops_sum of = ops_sum(&s->table, f->col, NULL);
	double sum = ANY(i, s->table.nrow, isfinite(number_at(s, i, f->col))) ? 0 : (double)NAN;

	for (size_t i = 0; i < s->table.nrow; i++) {
		double v = ops_counts(&of, i) ? number_at(s, i, f->col) : 0;

		sum += isfinite(v) && !is_said(s, i, f) ? fabs(v) : 0;
	}
	return sum;
}

/* ---- kinds of sheets ---- */

/* Its times are a series of the artifact, which says more. */
static bool is_series(struct gathering *g, const struct record *r, int artifact, struct span stage)
{
	const char *name = arena_printf(g->mem, "stage_times.%.*s", (int)stage.n, stage.p);

	return record_known_series(r, artifact, span_of(name), SPAN("")) != NULL;
}

/* A timer of whole steps is the step time; false: it is none, or not the first one. */
static bool add_iteration(struct gathering *g, const struct sheet *s, size_t row, struct span name)
{
	double mean = number_at(s, row, STAGES_MEAN), calls = number_at(s, row, STAGES_CALLS);

	if (!isfinite(mean) || !span_in(name, "iteration|step"))
		return false;
	struct metric_sample *x = gathering_own(g, "step_time");
	if (!x)
		return false;
	x->centre = x->mean = mean;
	x->count = calls > 0 ? saturate_whole(calls) : 1;
	return true;
}

/* What all stages take in a step: a new one is in it, and one that has another name. */
static void add_stage_sum(struct gathering *g, const struct sheet *s)
{
	double sum = 0, means = 0, most = 0;
	size_t n = 0;

	for (size_t row = 0; row < s->table.nrow; row++) {
		struct span name = table_text_at(&s->table, row, STAGES_NAME);
		double mean = number_at(s, row, STAGES_MEAN);
		double calls = number_at(s, row, STAGES_CALLS);

		if (!isfinite(mean) || span_starts_in(name, "iteration|step|epoch"))
			continue;
		means += mean;
		sum += mean * calls;
		most = fmax(calls, most);
		n++;
	}
	if (n > 0)
		(void)gathering_value(g, "stage/all/mean", SPAN("mean"), UNIT_NS,
			isfinite(sum) && most > 0 ? sum / most : means, GATHER_MEAN);
}

static void add_stages(struct gathering *g, const struct record *r, const struct sheet *s)
{
	add_stage_sum(g, s);
	for (size_t row = 0; row < s->table.nrow; row++) {
		struct span name = table_text_at(&s->table, row, STAGES_NAME);

		if (is_series(g, r, s->artifact, name))
			continue;
		bool is_step = add_iteration(g, s, row, name);
		for (size_t i = is_step; i < COUNT_OF(stage_cells); i++) /* the mean is the first */
			add_cell(g, s, row, &stage_cells[i], "stage", name, 0);
	}
}

/* The time and memory of an operation with what it calls. */
static bool is_nested(size_t col)
{
	return col == OPS_CPU || col == OPS_DEVICE || col == OPS_CPU_BYTES ||
		col == OPS_DEVICE_BYTES;
}

/* Rows of all operations, and of what they do themselves the sum. */
static void add_ops(struct gathering *g, const struct sheet *s)
{
	double least[COUNT_OF(op_cells)];

	for (size_t i = 0; i < COUNT_OF(op_cells); i++) {
		const struct column *c = &s->table.col[op_cells[i].col];
		double sum = column_sum(s, &op_cells[i]);

		least[i] = isnan(sum) ? 0 : SHARE_LEAST * sum;
		/* no time at all is none that was measured */
		if ((sum > 0 || (sum == 0 && c->unit == UNIT_NS)) && !is_nested(op_cells[i].col))
			(void)gathering_value(g, named_cell(g, "op", SPAN("all"), c),
				span_of(c->key), c->unit, sum, GATHER_SUM);
	}
	for (size_t row = 0; row < s->table.nrow; row++) {
		struct span list = table_text_at(&s->table, row, OPS_LIST);
		const char *what = list.n ? arena_copy(g->mem, list.p, list.n) : "op";

		for (size_t i = 0; i < COUNT_OF(op_cells); i++)
			add_cell(g, s, row, &op_cells[i], what,
				table_text_at(&s->table, row, OPS_NAME), least[i]);
	}
}

static void add_rows(struct gathering *g, const struct sheet *s, const char *what,
	const struct cell_form *cell, size_t ncell)
{
	for (size_t row = 0; row < s->table.nrow; row++)
		for (size_t i = 0; i < ncell; i++)
			add_cell(g, s, row, &cell[i], what, table_text_at(&s->table, row, 0), 0);
}

static void add_scores(struct gathering *g, const struct sheet *s)
{
	SCOPED_STR name = { 0 };

	for (size_t row = 0; row < s->table.nrow; row++) {
		name.n = 0;
		str_addf(&name, "%g", table_number_at(&s->table, row, SCORES_SCORE));
		for (size_t i = 0; i < COUNT_OF(score_cells); i++)
			add_cell(g, s, row, &score_cells[i], "score", span_of(name.s), 0);
	}
}

/* A mean with the spread of what it is of: the population's, as the files have it. */
static void put_mean(struct metric_sample *x, double mean, double sd, double count)
{
	x->centre = x->mean = mean;
	x->count = 1;
	if (!(count >= MEASURED_LEAST) || isnan(sd))
		return;
	x->count = saturate_whole(count);
	x->sd = sd * sqrt(count / (count - 1));
}

/* "latency_per_sample", "latency_per_sample_std" */
static struct span sweep_key(const struct column *c)
{
	return without(without(without(span_of(c->key), "_ns"), "_bytes"), "_mean");
}

/* The middle of what was measured, and the most memory. */
static bool is_figure(int stat, enum unit unit)
{
	return stat == SWEEP_MEAN || stat == SWEEP_MEDIAN ||
		(stat == SWEEP_MAX && unit == UNIT_BYTES);
}

/* One metric at one batch size: the mean, and what else is said of it. */
static void add_sweep_metric(struct gathering *g, const struct sheet *s, size_t row, int metric)
{
	double batch = table_number_at(&s->table, row, SWEEP_BATCH);

	for (int stat = 0; stat < SWEEP_STAT_COUNT; stat++) {
		const struct column *c = &s->table.col[SWEEP_AT(metric, stat)];
		double v = number_at(s, row, (size_t)SWEEP_AT(metric, stat));
		struct span key = sweep_key(c);

		if (!isfinite(v))
			continue;
		struct metric_sample *x = gathering_figure(g,
			arena_printf(g->mem, "batch_size %.0f/%.*s", batch, (int)key.n, key.p),
			is_figure(stat, c->unit) ? key : span_of(aside), c->unit);
		if (x && stat == SWEEP_MEAN)
			put_mean(x, v, number_at(s, row, (size_t)SWEEP_AT(metric, SWEEP_STD)),
				number_at(s, row, SWEEP_RUNS));
		else if (x)
			put_mean(x, v, NAN, NAN);
	}
}

static void add_sweep(struct gathering *g, const struct sheet *s)
{
	for (size_t row = 0; row < s->table.nrow; row++)
		for (int m = 0; m < SWEEP_METRICS; m++)
			add_sweep_metric(g, s, row, m);
}

/* Numbers of the document say the same: "loss.mean", "memory.mean_allocated_gb". */
static bool is_scalar(struct gathering *g, const struct record *r, struct span name)
{
	const char *text = arena_copy(g->mem, name.p, name.n), *dot = strrchr(text, '.');
	const char *own = arena_printf(g->mem, "%s.mean", text);
	const char *joined =
		dot ? arena_printf(g->mem, "%.*s.mean_%s", (int)(dot - text), text, dot + 1) : own;

	return record_find(&r->scalars, own) || record_find(&r->scalars, joined);
}

/* Columns of summaries.  The first that a row has is its figure. */
static const struct {
	size_t col;
	const char *word;
} summary_cells[] = { { SUMMARIES_MEAN, "mean" }, { SUMMARIES_MAX, "max" },
	{ SUMMARIES_MEDIAN, "median" }, { SUMMARIES_LATEST, "latest" }, { SUMMARIES_STD, "std" },
	{ SUMMARIES_MIN, "min" }, { SUMMARIES_P25, "p25" }, { SUMMARIES_P75, "p75" },
	{ SUMMARIES_P95, "p95" }, { SUMMARIES_COUNT, "count" } };

static void add_summary(struct gathering *g, const struct sheet *s, size_t row, struct span name)
{
	enum measure measure = measure_of_key(name);
	bool is_first = true;

	for (size_t i = 0; i < COUNT_OF(summary_cells); i++) {
		double v = number_at(s, row, summary_cells[i].col);
		bool is_count = summary_cells[i].col == SUMMARIES_COUNT;

		if (!isfinite(v))
			continue;
		const char *called =
			arena_printf(g->mem, "%.*s.%s", (int)name.n, name.p, summary_cells[i].word);
		struct metric_sample *x =
			gathering_figure(g, called, is_first ? name : span_of(called),
				is_count ? UNIT_COUNT : measure_infos[measure].base);
		if (x)
			put_mean(x, is_count ? v : measure_base(measure, v),
				is_first ? measure_base(measure, number_at(s, row, SUMMARIES_STD))
					 : NAN,
				number_at(s, row, SUMMARIES_COUNT));
		is_first = false;
	}
}

static void add_summaries(struct gathering *g, const struct record *r, const struct sheet *s)
{
	for (size_t row = 0; row < s->table.nrow; row++) {
		struct span name = table_text_at(&s->table, row, SUMMARIES_NAME);

		if (!is_scalar(g, r, name))
			add_summary(g, s, row, name);
	}
}

static void add_samples(struct gathering *g, const struct sheet *s)
{
	for (size_t row = 0; row < s->table.nrow; row++) {
		struct span name = table_text_at(&s->table, row, SAMPLES_NAME);
		double v = number_at(s, row, SAMPLES_VALUE);

		if (isfinite(v))
			(void)gathering_value(g,
				arena_printf(g->mem, "%.*s, all values", (int)name.n, name.p), name,
				UNIT_NONE, v, GATHER_MEAN);
	}
}

void gathering_sheet(struct gathering *g, const struct record *r, const struct sheet *s)
{
	switch (s->kind) {
	case SHEET_OPS: add_ops(g, s); break;
	case SHEET_STAGES: add_stages(g, r, s); break;
	case SHEET_SWEEP: add_sweep(g, s); break;
	case SHEET_SUMMARIES: add_summaries(g, r, s); break;
	case SHEET_SCORES: add_scores(g, s); break;
	case SHEET_SAMPLES: add_samples(g, s); break;
	case SHEET_MEMORY: add_rows(g, s, "memory", memory_cells, COUNT_OF(memory_cells)); break;
	case SHEET_MODELS: add_rows(g, s, "model", model_cells, COUNT_OF(model_cells)); break;
	default: break; /* stacks and calls are no figures, GPUs are where it ran */
	}
}
