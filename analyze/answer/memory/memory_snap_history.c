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
		TABLE_ROW(lazy_table(&t), [SHIS_DEVICE] = cell_word(d->label),
			[SHIS_ENTRIES] = cell_size(r->n),
			[SHIS_LENGTH] = snap_at(r, r->first + r->n - 1),
			[SHIS_BEFORE] = cell_int(r->before), [SHIS_FREED] = cell_int(r->freed),
			[SHIS_RESERVED] = cell_int(r->reserved_before),
			[SHIS_ODD] = cell_size(r->odd), [SHIS_DRIFT] = cell_int(r->drift));
	}
}

static void put_peak(struct table *t, const struct snapdev *d)
{
	const struct snapcurve *c = &d->curve;
	int64_t us = d->m->time_us[c->peak.entry];

	TABLE_ROW(t, [MPEAK_DEVICE] = cell_word(d->label),
		[MPEAK_ALLOCATED] = cell_int(c->peak.allocated),
		[MPEAK_GROWTH] = cell_int(saturate_sub(c->peak.allocated, d->replay.before)),
		[MPEAK_RESERVED_THEN] = cell_int(c->peak.reserved),
		[MPEAK_AT] = snap_at(&d->replay, c->peak.entry),
		[MPEAK_START] =
			CELL_IF(us != MEMSNAP_UNKNOWN, cell_int(saturate_times(us, NS_OF_US))),
		[MPEAK_RESERVED] = cell_int(c->peak_reserved.reserved),
		[MPEAK_ID] = cell_int(d->id), [MPEAK_EVENTS] = cell_size(d->replay.n),
		[MPEAK_ALLOCS] = cell_int(c->allocs), [MPEAK_FREES] = cell_int(c->frees),
		[MPEAK_ALLOC_BYTES] = cell_int(c->alloc_bytes),
		[MPEAK_FREE_BYTES] = cell_int(c->free_bytes), [MPEAK_OOMS] = cell_int(c->ooms));
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
	TABLE_ROW(t, [SSTK_DEVICE] = cell_word(d->label));
	if (d->has_history)
		TABLE_CELLS(t, [SSTK_PEAK] = cell_int(row->bytes[HELD_PEAK]),
			[SSTK_SHARE] = cell_ratio(row->bytes[HELD_PEAK], d->curve.peak.allocated),
			[SSTK_BLOCKS] = cell_int(row->blocks[HELD_PEAK]),
			[SSTK_EARLY] = cell_int(row->early));
	if (d->held.has_oom)
		TABLE_CELLS(t, [SSTK_OOM] = cell_int(row->bytes[HELD_OOM]),
			[SSTK_OOM_BLOCKS] = cell_int(row->blocks[HELD_OOM]));
	TABLE_CELLS(t, [SSTK_END] = cell_int(row->bytes[HELD_END]),
		[SSTK_END_BLOCKS] = cell_int(row->blocks[HELD_END]));
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

	TABLE_ROW(t, [SGRW_DEVICE] = cell_word(d->label),
		[SGRW_SIGN] = cell_word(memtrend_word(g->sign)),
		[SGRW_GROWTH] = cell_int(saturate_sub(g->last, g->first)),
		[SGRW_LAST] = cell_int(g->last), [SGRW_BLOCKS] = cell_int(g->blocks));
	if (g->sign != MEMTREND_UNKNOWN)
		TABLE_CELLS(t,
			[SGRW_SLOPE] =
				CELL_IF(d->growths.has_times, cell_real(g->trend.trend.slope)),
			[SGRW_P] = cell_real(g->trend.trend.p));
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

	TABLE_ROW(t, [MCURVE_DEVICE] = cell_word(d->label),
		[MCURVE_AT] = snap_at(&d->replay, p->entry),
		[MCURVE_ALLOCATED] = cell_int(p->allocated),
		[MCURVE_RESERVED] = cell_int(p->reserved),
		[MCURVE_BYTES] = CELL_IF(p->change, cell_int(p->change)),
		[MCURVE_START] =
			CELL_IF(us != MEMSNAP_UNKNOWN, cell_int(saturate_times(us, NS_OF_US))));
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
