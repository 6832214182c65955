/* `metrics`: stages with their share of an iteration, and whether they add up. */
#include "analyze/answer/metrics/metrics.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"

struct stage {
	struct span name;
	double total, mean; /* ns; NaN: not known */
	int64_t calls;      /* -1: not known */
	double peak;        /* bytes of device memory at most; NaN: not known */
	double tokens;      /* in all; NaN: not known */
	bool is_whole;      /* iteration, step, total: holds the others */
};

static bool is_whole(struct span name)
{
	return span_in_nocase(
		name, "iteration|step|total|train_step|training_step|iteration_time|step_time");
}

/* epoch_0, step_12: in these files they hold the time before their first stage only. */
static bool is_bracket(struct span name)
{
	static const char *const words[] = { "epoch_", "step_" };
	size_t k;

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		size_t n = span_of(words[i]).n;

		if (!span_starts(name, words[i]) || name.n == n)
			continue;
		for (k = n; k < name.n && name.p[k] >= '0' && name.p[k] <= '9';)
			k++;
		if (k == name.n)
			return true;
	}
	return false;
}

/* The memory and tokens of one more row. */
static void add_use(struct stage *v, const struct table *t, size_t row)
{
	const union cell *tokens = table_cell(t, row, STAGES_TOKENS);

	v->peak = fmax(v->peak, table_number_at(t, row, STAGES_PEAK_DEVICE_BYTES));
	if (tokens)
		v->tokens = (isnan(v->tokens) ? 0 : v->tokens) + (double)tokens->i;
}

/* Rows of one name are one stage: kits that list every call.  at: by name, its stage + 1. */
static size_t read_stages(
	struct stage *v, uint32_t *at, struct strings *names, const struct table *t)
{
	size_t i, n = 0;

	for (size_t row = 0; row < t->nrow; row++) {
		const union cell *name = table_cell(t, row, STAGES_NAME);
		const union cell *calls = table_cell(t, row, STAGES_CALLS);
		double total = table_number_at(t, row, STAGES_TOTAL),
		       mean = table_number_at(t, row, STAGES_MEAN);

		if (!name)
			continue;
		sym id = strings_intern(names, name->s);
		i = at[id] ? at[id] - 1 : n;
		if (i == n) {
			at[id] = (uint32_t)++n;
			v[i] = (struct stage){ name->s, total, mean, calls ? calls->i : -1, NAN,
				NAN, is_whole(name->s) };
			add_use(&v[i], t, row);
			if (isnan(total) && calls)
				v[i].total = mean * (double)calls->i;
			if (isnan(mean))
				v[i].mean = total / (calls && calls->i > 0 ? (double)calls->i : 1);
			continue;
		}
		add_use(&v[i], t, row);
		v[i].total += total;
		v[i].calls = v[i].calls < 0 ? 2 : v[i].calls + (calls ? calls->i : 1);
		v[i].mean = v[i].total / (double)v[i].calls;
	}
	return n;
}

struct stages {
	struct stage *v;
	size_t n;
	const struct stage *whole;
	bool by_total;
	double sum; /* of stages that are none of whole and brackets */
};

static double figure(const struct stages *s, const struct stage *v)
{
	return s->by_total ? v->total : v->mean;
}

static void add_up(struct stages *s)
{
	s->by_total = true;
	for (EACH(const struct stage, stage, s->v, s->n)) {
		s->by_total = s->by_total && !isnan(stage->total);
		if (stage->is_whole && !s->whole)
			s->whole = stage;
	}
	for (size_t i = 0; i < s->n; i++)
		if (!s->v[i].is_whole && !is_bracket(s->v[i].name))
			s->sum += figure(s, &s->v[i]);
}

static void put_stage(struct table *t, const struct stages *s, const struct stage *v)
{
	double whole = s->whole ? figure(s, s->whole) : s->sum;

	TABLE_ROW(t, [MSTAGE_NAME] = cell_text(v->name), [MSTAGE_CALLS] = cell_count(v->calls),
		[MSTAGE_TOTAL] = cell_real(v->total), [MSTAGE_MEAN] = cell_real(v->mean),
		[MSTAGE_SHARE] = CELL_IF(whole > 0, cell_real(figure(s, v) / whole)),
		[MSTAGE_PEAK] = cell_real(v->peak),
		[MSTAGE_TOKENS] = CELL_IF(v->total > 0, cell_real(v->tokens / (v->total / 1e9))));
}

static void check_sum(struct look *look)
{
	const struct stages *s = look->what;
	double whole = figure(s, s->whole);

	if (fabs(whole - s->sum) > look_limit(look, "D15.share") * whole)
		metrics_found(look, s->whole->name,
			"the stages' sum is %.1f%% of it: %.4g of %.4g s", 100 * s->sum / whole,
			s->sum / 1e9, whole / 1e9);
}

RULE(D15, "stages do not add up",
	"The stages' sum differs from the iteration by more than 5%: time between them is not "
	"measured, or stages lie in each other.",
	NULL, .severity = SEVERITY_WARN, .advice = "time what lies between the stages",
	.limits = LIMITS(LIMIT("metrics.D15.share", RATIO, "5%",
		"of an iteration that its stages leave: from this on")),
	.about = ABOUT_STAGES, .series = check_sum)

/* Stages that wait, of the iteration. */
static void check_stages_wait(struct look *look)
{
	const struct stages *s = look->what;
	double whole = figure(s, s->whole);

	for (EACH(const struct stage, stage, s->v, s->n))
		if (metric_role(stage->name) == ROLE_WAIT &&
			figure(s, stage) > look_limit(look, "D13.share") * whole)
			metrics_found(look, stage->name, "%.1f%% of an iteration",
				100 * figure(s, stage) / whole);
}

static void check_waiting(struct look *look)
{
	const struct metrics *m = look->metrics;
	const struct metrics_key *wait = metrics_find(m, ROLE_WAIT);
	const struct metrics_key *step = metrics_find(m, ROLE_STEP_TIME);
	double pct =
		scalar_number(record_find(&m->at->record->scalars, "perf.dataloader_wait_pct"));

	if (look->about == ABOUT_WAITS) {
		check_stages_wait(look);
		return;
	}
	if (wait && step && wait->unit == step->unit && wait->window_mean > 0) {
		double share = wait->window_mean / (wait->window_mean + step->window_mean);

		if (share > look_limit(look, "D13.share"))
			metrics_found(look, wait->s->name,
				"%.1f%% of wait + step over the last %zu steps; %.1f%% of the step "
				"without the wait",
				100 * share, wait->window,
				100 * wait->window_mean / step->window_mean);
	}
	if (pct > 100 * look_limit(look, "D13.share"))
		metrics_found(look, SPAN("perf.dataloader_wait_pct"),
			"%.1f%% as written, over the step without the wait; %.1f%% of wait + step",
			pct, 100 * pct / (100 + pct));
}

RULE(D13, "waiting for data",
	"Loading data takes more than 20% of the time: wait over wait + step. The canary's own "
	"figure divides by the step without the wait, and may pass 100%.",
	METRICS_CANARY, .severity = SEVERITY_WARN,
	.advice = "more workers, persistent_workers, prefetch_factor, pin_memory",
	.limits = LIMITS(LIMIT("metrics.D13.share", RATIO, "20%",
		"of an iteration spent waiting for data: from this on")),
	.about = ABOUT_RECORD | ABOUT_WAITS, .series = check_waiting)

static void judge_stages(struct metrics *m, struct table *t, const struct stages *s)
{
	if (!s->whole || !(s->sum > 0) || !(figure(s, s->whole) > 0))
		return;
	double whole = figure(s, s->whole);
	double rest = whole - s->sum;
	TABLE_ROW(t, [MSTAGE_NAME] = cell_word("(unattributed)"));
	table_real(t, s->by_total ? MSTAGE_TOTAL : MSTAGE_MEAN, rest);
	table_real(t, MSTAGE_SHARE, rest / whole);
	t->nfoot++;
	metrics_ask(m, ABOUT_STAGES, s);
	metrics_ask(m, ABOUT_WAITS, s);
}

/* The stages of one file.  Its name stands in the title where there are several. */
static void put_sheet(struct metrics *m, const struct sheet *sheet, bool is_one_of_many)
{
	const struct record *r = m->at->record;
	struct span file = SPAN("");
	struct stages *s = arena_alloc(&m->at->mem, sizeof(*s));
	struct strings names;
	uint32_t *at = arena_array(&m->at->mem, sheet->table.nrow + 1, sizeof(*at));

	s->v = arena_array(&m->at->mem, sheet->table.nrow, sizeof(*s->v));
	strings_init(&names, 0);
	s->n = read_stages(s->v, at, &names, &sheet->table);
	strings_clear(&names);
	add_up(s);
	struct table *t = perrun_table(m->at, &metrics_docs[METRICS_TABLE_STAGES]);
	if (r->nartifact)
		file = span_of(run_below(m->at->run, r->artifact[sheet->artifact].path));
	if (is_one_of_many)
		t->title = arena_printf(t->mem, "%s: %.*s",
			metrics_docs[METRICS_TABLE_STAGES].title, (int)file.n, file.p);
	for (size_t i = 0; i < s->n; i++) {
		put_stage(t, s, &s->v[i]);
		if (file.n)
			table_text(t, MSTAGE_FILE, file);
	}
	judge_stages(m, t, s);
	rows_for_people(m->at->q, t);
}

static bool has_stages(const struct record *r, size_t i, bool is_copy)
{
	const struct sheet *s = r->sheet[i];

	return s->kind == SHEET_STAGES && s->table.nrow > 0 &&
		(r->nartifact ? r->artifact[s->artifact].is_copy : false) == is_copy;
}

void metrics_put_stages(struct metrics *m)
{
	const struct record *r = m->at->record;
	size_t originals = 0, copies = 0;

	for (size_t i = 0; i < r->nsheet; i++) {
		originals += has_stages(r, i, false);
		copies += has_stages(r, i, true);
	}
	for (size_t i = 0; i < r->nsheet; i++)
		if (has_stages(r, i, originals == 0))
			put_sheet(m, r->sheet[i], (originals ? originals : copies) > 1);
}
