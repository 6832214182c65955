/*
 * `metrics`: memory over steps: the documents' leak rule, and one that does not always fire.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/measure/memory/leakcheck.h"
#include "analyze/measure/memory/memtrend.h"
#include "analyze/trace/unit_of_measure.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "base/unit.h"

/* Memory of one key of the record, or of one column of a sheet of measurements. */
struct leak {
	struct metrics *m;
	struct lazy_table *to;
	struct span key;
	struct curve c; /* bytes */
	double baseline, peak;
	bool is_reserved;
	bool allocated_grows;   /* for reserved: whether the allocated beside it does */
	struct leakcheck check; /* of allocated memory */
	const char *place;      /* of check.x: "step" */
	/* found: */
	struct memtrend found;
};

static void put_bytes(char *text, size_t n, double bytes)
{
	struct str b = { 0 };

	unit_put_bytes(&b, bytes);
	(void)snprintf(text, n, "%s", b.s);
	str_free(&b);
}

static void report(struct leak *l)
{
	char slope[32], lo[32], hi[32], sofar[32];
	const struct curve *c = &l->c;

	put_bytes(slope, sizeof(slope), l->found.trend.slope);
	put_bytes(lo, sizeof(lo), l->found.trend.lo);
	put_bytes(hi, sizeof(hi), l->found.trend.hi);
	put_bytes(sofar, sizeof(sofar), c->y[c->n - 1] - c->y[0]);
	if (l->found.sign == MEMTREND_LEAK)
		metrics_found(l->m, RULE_D07, l->key,
			"+%s a step (95%% interval %s .. %s, p = %.1e), %s so far", slope, lo, hi,
			l->found.trend.p, sofar);
	if (l->found.sign == MEMTREND_FRAGMENTED)
		metrics_found(l->m, RULE_D08, l->key,
			"+%s a step (p = %.1e) while allocated memory does not grow", slope,
			l->found.trend.p);
	if (l->found.sign == MEMTREND_ONCE) {
		put_bytes(sofar, sizeof(sofar), l->found.jump.size);
		metrics_found(l->m, RULE_D09, l->key, "+%s at %.6g, flat before and after", sofar,
			l->found.jump.x);
	}
}

/* The documents' rule on allocated memory, in its own words. */
static void report_check(const struct leak *l)
{
	char growth[32], baseline[32];

	if (l->is_reserved || l->check.checks < 2 || !l->check.is_found)
		return;
	put_bytes(growth, sizeof(growth), l->check.growth);
	put_bytes(baseline, sizeof(baseline), l->check.baseline);
	table_real(l->to->t, MMEM_CHECK, l->check.x);
	metrics_found(l->m, RULE_D19, l->key,
		"\xe2\x9a\xa0 Leak detected at %s %.0f: +%s over the baseline of %s", l->place,
		l->check.x, growth, baseline);
}

/* How much of the GPU's memory a peak takes, where somebody says how much that is. */
static void report_full(struct metrics *m, struct span key, double peak)
{
	char text[32], of[32];
	double share = peak / (double)m->limit->capacity;

	if (m->limit->capacity <= 0 || !(share > metrics_number(m, "D21.share")))
		return;
	put_bytes(text, sizeof(text), peak);
	put_bytes(of, sizeof(of), (double)m->limit->capacity);
	metrics_found(m, RULE_D21, key, "a peak of %s of %s: %.1f%%%s", text, of, 100 * share,
		share > 0.98 ? ", may run out of memory" : "");
}

static void put_leak(struct leak *l)
{
	struct table *t = lazy_table(l->to);
	double last = l->c.y[l->c.n - 1], growth = last - l->baseline;
	double limit = l->m->limit->leak_threshold;

	memtrend_of(&l->found, &l->c, l->peak, l->is_reserved, l->allocated_grows, &l->m->at->mem);
	table_row(t);
	table_text(t, MMEM_KEY, l->key);
	table_text(t, MMEM_VERDICT, span_of(memtrend_word(l->found.sign)));
	table_real(t, MMEM_BASELINE, l->baseline);
	table_real(t, MMEM_LAST, last);
	table_real(t, MMEM_GROWTH, growth);
	table_real(t, MMEM_SLOPE, l->found.trend.slope);
	table_real(t, MMEM_LO, isfinite(l->found.trend.lo) ? l->found.trend.lo : NAN);
	table_real(t, MMEM_HI, isfinite(l->found.trend.hi) ? l->found.trend.hi : NAN);
	table_real(t, MMEM_P, l->found.trend.p);
	table_text(t, MMEM_DOCUMENTS, growth > limit ? SPAN("leak") : SPAN("no leak"));
	table_real(t, MMEM_THRESHOLD, limit);
	table_real(t, MMEM_PEAK, l->peak);
	table_int(t, MMEM_N, (int64_t)l->c.n);
	if (l->found.sign == MEMTREND_ONCE)
		table_real(t, MMEM_JUMP, l->found.jump.x);
	if (l->found.sign == MEMTREND_LEAK && l->m->limit->capacity)
		table_real(t, MMEM_FULL,
			fmax(0, ((double)l->m->limit->capacity - last) / l->found.trend.slope));
	report(l);
	report_check(l);
	report_full(l->m, l->key, l->peak);
}

/* The value at the step --leak-baseline, else the first. */
static double baseline_of(const struct metrics *m, const struct curve *c)
{
	size_t i;

	for (i = 0; m->o->leak_baseline >= 0 && i < c->n; i++)
		if (c->x[i] >= (double)m->o->leak_baseline)
			return c->y[i];
	return c->y[0];
}

/* The largest value of the maximum the allocator keeps, where it is logged beside. */
static double peak_of(const struct metrics *m, const struct metrics_key *k)
{
	double peak = k->max;
	size_t i;

	for (i = 0; i < m->nkey; i++)
		if (m->key[i].role == k->role && memtrend_is_maximum(m->key[i].s->name) &&
			m->key[i].max > peak)
			peak = m->key[i].max;
	return peak;
}

static void put_key(
	struct metrics *m, struct lazy_table *to, const struct metrics_key *k, bool *grows)
{
	struct leak l = { .m = m, .to = to, .key = k->s->name };
	struct curve all;
	size_t i;

	curve_of(&all, k->s, metrics_steps(m, k->s), 0, &m->at->mem);
	for (i = 0; i < all.n; i++)
		all.y[i] *= k->factor;
	l.c = all;
	l.is_reserved = k->role == ROLE_RESERVED;
	l.allocated_grows = *grows;
	l.peak = peak_of(m, k);
	l.baseline = baseline_of(m, &all);
	l.place = k->s->axis == AXIS_STEP ? "step" : "row";
	l.check = leakcheck_curve(&all, l.baseline, m->limit->leak_threshold,
		k->s->axis == AXIS_STEP ? LEAKCHECK_EVERY : SIZE_MAX);
	put_leak(&l);
	if (!l.is_reserved)
		*grows |= l.found.sign == MEMTREND_LEAK;
}

static double tagged_baseline(const struct table *s, size_t col)
{
	size_t i;

	for (i = 0; i < s->nrow; i++) {
		const union cell *tag = table_cell(s, i, TAKEN_TAG);
		const union cell *v = table_cell(s, i, col);

		if (tag && v && span_is(tag->s, "baseline"))
			return v->r;
	}
	return NAN;
}

/* Their check on a sheet of measurements; the baseline of --leak-baseline is the row's then. */
static void check_column(struct leak *l, const struct table *s)
{
	bool is_step;

	l->check = leakcheck_sheet(s, l->m->limit->leak_threshold, &is_step, &l->m->at->mem);
	l->place = is_step ? "step" : "measurement";
}

static void put_column(struct metrics *m, struct lazy_table *to, const struct table *s, size_t col,
	size_t max_col, bool *grows)
{
	struct leak l = { .m = m, .to = to, .key = span_of(s->col[col].key) };

	memtrend_column(&l.c, &l.peak, s, col, max_col, &m->at->mem);
	if (l.c.n == 0)
		return;
	l.is_reserved = col == TAKEN_RESERVED;
	l.allocated_grows = *grows;
	l.baseline = tagged_baseline(s, col);
	if (isnan(l.baseline))
		l.baseline = baseline_of(m, &l.c);
	check_column(&l, s);
	put_leak(&l);
	*grows |= l.found.sign == MEMTREND_LEAK;
}

/* What files state of a peak, without values; where several do, the largest. */
static const struct {
	const char *peak, *baseline; /* keys; baseline: or NULL */
	enum measure measure;
} stated[] = {
	{ "memory.peak_allocated_gb", "memory.baseline_gb", MEASURE_GIB },
	{ "memory_profile.peak_allocated_gb", "memory_profile.baseline_gb", MEASURE_GIB },
	{ "perf.max_mem_mb", NULL, MEASURE_MIB },
	{ "full_dataset_metrics.peak_gpu_mem", NULL, MEASURE_MIB },
};

static const struct scalar *largest_of(const struct scalars *in, const char *key)
{
	const struct scalar *best = NULL;
	size_t i;

	for (i = 0; i < in->n; i++)
		if (span_is(in->v[i].key, key) && !isnan(scalar_number(&in->v[i])) &&
			(!best || scalar_number(&in->v[i]) > scalar_number(best)))
			best = &in->v[i];
	return best;
}

static void put_stated(struct metrics *m, struct lazy_table *to)
{
	const struct scalars *s = &m->at->record->scalars;
	size_t i;

	for (i = 0; i < COUNT_OF(stated); i++) {
		const struct scalar *peak = largest_of(s, stated[i].peak);
		double factor = measure_infos[stated[i].measure].factor;
		struct table *t;

		if (!peak)
			continue;
		t = lazy_table(to);
		table_row(t);
		table_text(t, MMEM_KEY, peak->key);
		table_text(t, MMEM_VERDICT, SPAN("unknown"));
		if (stated[i].baseline)
			table_real(t, MMEM_BASELINE,
				scalar_number(record_find(s, stated[i].baseline)) * factor);
		table_real(t, MMEM_PEAK, scalar_number(peak) * factor);
		report_full(m, peak->key, scalar_number(peak) * factor);
	}
}

/* Without the column of peaks for people, who need it for what is stated without values. */
static const struct table_doc *without_peak(const struct metrics *m, const struct table_doc *doc)
{
	struct table_doc *seen = arena_alloc(&m->at->out->mem, sizeof(*seen));
	struct column *col = arena_array(&m->at->out->mem, doc->ncol, sizeof(*col));
	size_t i;

	for (i = 0; i < COUNT_OF(stated); i++)
		if (largest_of(&m->at->record->scalars, stated[i].peak))
			return doc;
	memcpy(col, doc->col, doc->ncol * sizeof(*col));
	col[MMEM_PEAK].flags |= COLUMN_HIDDEN;
	*seen = *doc;
	seen->col = col;
	return seen;
}

void metrics_put_memory(struct metrics *m, const struct table_doc *doc)
{
	static const enum metric_role order[] = { ROLE_ALLOCATED, ROLE_RESERVED };
	const struct sheet *s = record_find_sheet(m->at->record, SHEET_MEMORY);
	struct lazy_table to = { m->at, without_peak(m, doc), NULL };
	bool grows = false;
	size_t i, k;

	for (k = 0; k < COUNT_OF(order); k++)
		for (i = 0; i < m->nkey; i++)
			if (m->key[i].role == order[k] && m->key[i].c.n &&
				m->key[i].unit == UNIT_BYTES &&
				!memtrend_is_maximum(m->key[i].s->name))
				put_key(m, &to, &m->key[i], &grows);
	if (s && !to.t) {
		put_column(m, &to, &s->table, TAKEN_ALLOCATED, TAKEN_MAX_ALLOCATED, &grows);
		put_column(m, &to, &s->table, TAKEN_RESERVED, TAKEN_MAX_RESERVED, &grows);
	}
	put_stated(m, &to);
}
