/*
 * `metrics`: memory over steps: the documents' leak rule, and one that does not always fire.
 */
#include <math.h>
#include <stdio.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/measure/memtrend.h"
#include "analyze/trace/record.h"
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
	bool allocated_grows; /* for reserved: whether the allocated beside it does */
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
			"+%s a step (95 %% interval %s .. %s, p = %.1e), %s so far", slope, lo, hi,
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
	put_leak(&l);
	*grows |= l.found.sign == MEMTREND_LEAK;
}

/* A summary: mean, peak and baseline, but no values. */
static void put_summary(struct metrics *m, struct lazy_table *to)
{
	struct table *t;
	const struct scalars *s = &m->at->record->scalars;
	const struct scalar *baseline = record_find(s, "memory.baseline_gb");
	const struct scalar *peak = record_find(s, "memory.peak_allocated_gb");
	double gib = measure_infos[MEASURE_GIB].factor;

	if (!peak || isnan(scalar_number(peak)))
		return;
	t = lazy_table(to);
	table_row(t);
	table_text(t, MMEM_KEY, SPAN("memory.peak_allocated_gb"));
	table_text(t, MMEM_VERDICT, SPAN("unknown"));
	table_real(t, MMEM_BASELINE, scalar_number(baseline) * gib);
	table_real(t, MMEM_PEAK, scalar_number(peak) * gib);
}

void metrics_put_memory(struct metrics *m, const struct table_doc *doc)
{
	static const enum metric_role order[] = { ROLE_ALLOCATED, ROLE_RESERVED };
	const struct sheet *s = record_find_sheet(m->at->record, SHEET_MEMORY);
	struct lazy_table to = { m->at, doc, NULL };
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
	if (!to.t)
		put_summary(m, &to);
}
