/*
 * `memory` of snapshots: what happened: the peak, who held it, who grows, the curve.
 */
#include "analyze/answer/memory/memory_snap.h"
#include "analyze/analysis/row_limit.h"
#include "base/saturate.h"

enum { NS_OF_US = 1000, TEXTS = 256 << 20 };

void snap_put_history(const struct snap *s)
{
	struct lazy_table t = { s->at, &memory_docs[SNAP_HISTORY], NULL };
	size_t i;

	for (i = 0; i < s->ndev; i++) {
		const struct snapdev *d = &s->dev[i];
		const struct snapreplay *r = &d->replay;

		if (!d->has_history)
			continue;
		table_row(lazy_table(&t));
		table_text(t.t, SHIS_DEVICE, span_of(d->label));
		table_int(t.t, SHIS_ENTRIES, (int64_t)r->n);
		snap_put_at(t.t, SHIS_LENGTH, r, r->first + r->n - 1);
		table_int(t.t, SHIS_BEFORE, r->before);
		table_int(t.t, SHIS_FREED, r->freed);
		table_int(t.t, SHIS_RESERVED, r->reserved_before);
		table_int(t.t, SHIS_ODD, (int64_t)r->odd);
		table_int(t.t, SHIS_DRIFT, r->drift);
	}
}

static void put_peak(struct table *t, const struct snapdev *d)
{
	const struct snapcurve *c = &d->curve;
	int64_t us = d->m->time_us[c->peak.entry];

	table_row(t);
	table_text(t, MPEAK_DEVICE, span_of(d->label));
	table_int(t, MPEAK_ALLOCATED, c->peak.allocated);
	table_int(t, MPEAK_GROWTH, saturate_sub(c->peak.allocated, d->replay.before));
	table_int(t, MPEAK_RESERVED_THEN, c->peak.reserved);
	snap_put_at(t, MPEAK_AT, &d->replay, c->peak.entry);
	if (us != MEMSNAP_UNKNOWN)
		table_int(t, MPEAK_START, saturate_times(us, NS_OF_US));
	table_int(t, MPEAK_RESERVED, c->peak_reserved.reserved);
	table_int(t, MPEAK_ID, d->id);
	table_int(t, MPEAK_EVENTS, (int64_t)d->replay.n);
	table_int(t, MPEAK_ALLOCS, c->allocs);
	table_int(t, MPEAK_FREES, c->frees);
	table_int(t, MPEAK_ALLOC_BYTES, c->alloc_bytes);
	table_int(t, MPEAK_FREE_BYTES, c->free_bytes);
	table_int(t, MPEAK_OOMS, c->ooms);
}

void snap_put_peaks(const struct snap *s)
{
	const uint64_t seen = UINT64_C(1) << MPEAK_DEVICE | UINT64_C(1) << MPEAK_ALLOCATED |
		UINT64_C(1) << MPEAK_GROWTH | UINT64_C(1) << MPEAK_RESERVED_THEN |
		UINT64_C(1) << MPEAK_AT | UINT64_C(1) << MPEAK_RESERVED |
		UINT64_C(1) << MPEAK_ALLOCS | UINT64_C(1) << MPEAK_FREES;
	struct table *t = NULL;
	size_t i;

	for (i = 0; i < s->ndev; i++) {
		if (!s->dev[i].has_history)
			continue;
		if (!t)
			t = perrun_table_seen(s->at, &memory_docs[MEMORY_PEAKS], seen);
		put_peak(t, &s->dev[i]);
	}
	if (t)
		t->footnote = "sizes as requested, without what the allocator rounds up";
}

static void put_holder(struct table *t, const struct snapdev *d, const struct snapheld_row *row)
{
	table_row(t);
	table_text(t, SSTK_DEVICE, span_of(d->label));
	if (d->has_history) {
		table_int(t, SSTK_PEAK, row->bytes[HELD_PEAK]);
		if (d->curve.peak.allocated > 0)
			table_real(t, SSTK_SHARE,
				(double)row->bytes[HELD_PEAK] / (double)d->curve.peak.allocated);
		table_int(t, SSTK_BLOCKS, row->blocks[HELD_PEAK]);
		table_int(t, SSTK_EARLY, row->early);
	}
	if (d->held.has_oom) {
		table_int(t, SSTK_OOM, row->bytes[HELD_OOM]);
		table_int(t, SSTK_OOM_BLOCKS, row->blocks[HELD_OOM]);
	}
	table_int(t, SSTK_END, row->bytes[HELD_END]);
	table_int(t, SSTK_END_BLOCKS, row->blocks[HELD_END]);
	if (row->is_unknown)
		table_text(t, SSTK_WHERE, SPAN("(allocated before the history)"));
	else
		snap_put_stack(t, SSTK_WHERE, SSTK_STACK, d->m, row->stack);
}

void snap_put_stacks(const struct snap *s)
{
	struct lazy_table t = { s->at, &memory_docs[SNAP_STACKS], NULL };
	size_t i, k;

	for (i = 0; i < s->ndev; i++) {
		const struct snapdev *d = &s->dev[i];

		for (k = 0; k < d->held.n && k < s->limit && s->at->out->mem.total < TEXTS; k++)
			put_holder(lazy_table(&t), d, &d->held.row[k]);
		if (d->held.n > k)
			lazy_table(&t)->ncut += d->held.n - k;
	}
	if (t.t)
		rows_cut(t.t, SSTK_WHERE, t.t->ncut);
	if (t.t && s->at->q->for_people)
		table_drop_empty(t.t);
}

static void put_grown(struct table *t, const struct snapdev *d, const struct snapgrowth *g)
{
	struct curve c = g->curve;

	table_row(t);
	table_text(t, SGRW_DEVICE, span_of(d->label));
	table_text(t, SGRW_SIGN, span_of(memtrend_word(g->sign)));
	table_int(t, SGRW_GROWTH, saturate_sub(g->last, g->first));
	table_int(t, SGRW_LAST, g->last);
	table_int(t, SGRW_BLOCKS, g->blocks);
	if (g->sign != MEMTREND_UNKNOWN) {
		if (d->growths.has_times)
			table_real(t, SGRW_SLOPE, g->trend.trend.slope);
		table_real(t, SGRW_P, g->trend.trend.p);
	}
	table_text(t, SGRW_SPARK, curve_spark(&c, CURVE_SPARK, t->mem));
	snap_put_stack(t, SGRW_WHERE, SGRW_STACK, d->m, g->stack);
}

/* People see what leaks; machines all that was followed. */
void snap_put_growing(const struct snap *s)
{
	struct lazy_table t = { s->at, &memory_docs[SNAP_GROWING], NULL };
	size_t i, k;

	for (i = 0; i < s->ndev; i++) {
		const struct snapdev *d = &s->dev[i];
		size_t n = 0;

		for (k = 0; k < d->growths.n; k++) {
			if (s->at->q->for_people && d->growths.row[k].sign != MEMTREND_LEAK)
				continue;
			if (n++ < s->limit)
				put_grown(lazy_table(&t), d, &d->growths.row[k]);
			else
				lazy_table(&t)->ncut++;
		}
	}
	if (t.t)
		rows_cut(t.t, SGRW_WHERE, t.t->ncut);
}

static void put_point(struct table *t, const struct snapdev *d, const struct snappoint *p)
{
	int64_t us = d->m->time_us[p->entry];

	table_row(t);
	table_text(t, MCURVE_DEVICE, span_of(d->label));
	snap_put_at(t, MCURVE_AT, &d->replay, p->entry);
	table_int(t, MCURVE_ALLOCATED, p->allocated);
	table_int(t, MCURVE_RESERVED, p->reserved);
	if (p->change)
		table_int(t, MCURVE_BYTES, p->change);
	if (us != MEMSNAP_UNKNOWN)
		table_int(t, MCURVE_START, saturate_times(us, NS_OF_US));
}

void snap_put_curve(const struct snap *s)
{
	const uint64_t seen = UINT64_C(1) << MCURVE_DEVICE | UINT64_C(1) << MCURVE_AT |
		UINT64_C(1) << MCURVE_ALLOCATED | UINT64_C(1) << MCURVE_RESERVED |
		UINT64_C(1) << MCURVE_BYTES;
	struct table *t = NULL;
	size_t i, k;

	for (i = 0; i < s->ndev; i++) {
		const struct snapdev *d = &s->dev[i];

		if (d->has_history && !t)
			t = perrun_table_seen(s->at, &memory_docs[MEMORY_CURVE], seen);
		for (k = 0; d->has_history && k < d->curve.npoint; k++)
			put_point(t, d, &d->curve.point[k]);
		if (d->has_history)
			t->ncut += d->curve.nchange > d->curve.npoint
				? d->curve.nchange - d->curve.npoint
				: 0;
	}
	if (t && t->ncut > 0)
		t->footnote = "thinned: first, last, lowest and highest of stretches of equal time "
			      "(--points)";
}
