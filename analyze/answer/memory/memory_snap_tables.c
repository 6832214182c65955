/* `memory` of snapshots: tables of what is held, of what it was when memory ran out, and of what
 * happened. */
#include "analyze/answer/memory/memory.h"

#include "analyze/analysis/row_limit.h"
#include "analyze/measure/memory/snaplives.h"
#include "analyze/measure/memory/snapstack.h"

/* ---- cells that several tables have ---- */

enum { NS_OF_US = 1000, TEXTS = 256 << 20 };

static void put_text(struct table *t, size_t col, const struct str *text)
{
	if (text->n)
		table_text(t, col, (struct span){ arena_copy(t->mem, text->s, text->n), text->n });
}

/* cells of a stack, where there are frames; a time of an entry. */
static void snap_put_stack(
	struct table *t, size_t where, size_t whole, const struct memsnap *m, uint32_t stack)
{
	SCOPED_STR text = { 0 };

	snapstack_where(&text, m, stack);
	put_text(t, where, &text);
	str_reset(&text);
	snapstack_text(&text, m, stack);
	put_text(t, whole, &text);
}

static struct row_cell snap_at(const struct snapreplay *r, size_t entry)
{
	int64_t us = snapreplay_at(r, entry);

	return us != MEMSNAP_UNKNOWN ? cell_int(saturate_times(us, NS_OF_US)) : NO_CELL;
}

/* ---- what is held, and what it was when memory ran out ---- */

static void put_one_oom(struct table *t, const struct snapdev *d, const struct snapoom *o)
{
	TABLE_ROW(t, [SOOM_DEVICE] = cell_word(d->label),
		[SOOM_WHY] = cell_word(snapoom_word(o->why)), [SOOM_REQUEST] = cell_int(o->request),
		[SOOM_FREE] = cell_known(o->device_free, MEMSNAP_UNKNOWN),
		[SOOM_RESERVED] = cell_int(o->reserved), [SOOM_ALLOCATED] = cell_int(o->allocated),
		[SOOM_INACTIVE] = cell_known(o->inactive, MEMSNAP_UNKNOWN),
		[SOOM_POOLED] = cell_known(o->pooled, MEMSNAP_UNKNOWN),
		[SOOM_LARGEST] = cell_known(o->largest, MEMSNAP_UNKNOWN),
		[SOOM_AT] = snap_at(&d->replay, o->entry), [SOOM_SINCE] = cell_size(o->since));
	SCOPED_STR action = { 0 };
	snap_say_action(&action, d, o);
	put_text(t, SOOM_ACTION, &action);
	snap_put_stack(t, SOOM_WHERE, SOOM_STACK, d->m, d->m->stack[o->entry]);
}

void snap_put_oom(const struct snap *s)
{
	struct lazy_table t = { s->at, &memory_docs[SNAP_OOM], NULL };

	for (EACH(const struct snapdev, d, s->dev, s->ndev)) {
		for (size_t k = 0; k < d->noom; k++)
			put_one_oom(lazy_table(&t), d, &d->oom[k]);
		if (d->noom)
			lazy_table(&t)->ncut += (size_t)d->curve.ooms - d->noom;
	}
	if (t.t && t.t->ncut)
		t.t->footnote = "the last ones; earlier ones are left out";
}

static void put_device(struct table *t, const struct snapdev *d)
{
	const struct snapsum *sum = d->sum;

	TABLE_ROW(t, [SHELD_DEVICE] = cell_word(d->label),
		[SHELD_ID] = cell_known(d->id, MEMSNAP_UNKNOWN));
	if (!sum)
		return;
	TABLE_CELLS(t, [SHELD_RESERVED] = cell_int(sum->reserved),
		[SHELD_ALLOCATED] = cell_int(snapsum_allocated(sum)),
		[SHELD_PENDING] = cell_int(snapsum_pending(sum)),
		[SHELD_INACTIVE] = cell_int(snapsum_inactive(sum)),
		[SHELD_FRAGMENTED] = cell_int(snapsum_fragmented(sum)),
		[SHELD_FRAGMENTED_RATIO] = cell_ratio(snapsum_fragmented(sum), sum->reserved),
		[SHELD_RELEASABLE] = cell_int(sum->releasable),
		[SHELD_LARGEST] = cell_int(sum->largest), [SHELD_POOLED] = cell_int(sum->pooled),
		[SHELD_SPLIT] = cell_int(sum->split), [SHELD_SEGMENTS] = cell_int(sum->segments));
	if (sum->unrequested)
		return;
	TABLE_CELLS(t,
		[SHELD_ROUNDING] = cell_int(saturate_sub(snapsum_allocated(sum), sum->requested)),
		[SHELD_REQUESTED] = cell_int(sum->requested));
}

void snap_put_held(const struct snap *s)
{
	struct lazy_table t = { s->at, &memory_docs[SNAP_HELD], NULL };

	for (size_t i = 0; i < s->ndev; i++)
		put_device(lazy_table(&t), &s->dev[i]);
}

static void put_group(struct table *t, const struct snapdev *d, const struct snapgroup *g)
{
	struct memsnap_pair pool = memsnap_pool(d->m, g->pool);

	TABLE_ROW(t, [SSEG_DEVICE] = cell_word(d->label),
		[SSEG_CLASS] = cell_word(g->is_large ? "large" : "small"),
		[SSEG_EXPANDABLE] = cell_bool(g->is_expandable),
		[SSEG_POOL] = CELL_IF(
			g->pool, cell_textf(t, "(%" PRId64 ", %" PRId64 ")", pool.a, pool.b)),
		[SSEG_STREAM] = cell_known(g->stream, MEMSNAP_UNKNOWN),
		[SSEG_COUNT] = cell_int(g->sum.segments),
		[SSEG_RESERVED] = cell_int(g->sum.reserved),
		[SSEG_ALLOCATED] = cell_int(snapsum_allocated(&g->sum)),
		[SSEG_INACTIVE] = cell_int(snapsum_inactive(&g->sum)),
		[SSEG_FRAGMENTED] = cell_int(snapsum_fragmented(&g->sum)),
		[SSEG_LARGEST] =
			CELL_IF(!snapstate_is_private(d->m, g->pool), cell_int(g->sum.largest)));
}

void snap_put_segments(const struct snap *s)
{
	struct lazy_table t = { s->at, &memory_docs[SNAP_SEGMENTS], NULL };

	for (EACH(const struct snapdev, d, s->dev, s->ndev)) {
		size_t n = 0;

		for (size_t k = 0; k < d->state->ngroup; k++) {
			if (d->state->group[k].device != d->id)
				continue;
			if (n++ < s->limit)
				put_group(lazy_table(&t), d, &d->state->group[k]);
			else
				lazy_table(&t)->ncut++;
		}
	}
	if (t.t && t.t->ncut)
		t.t->footnote = "further kinds of segments are left out (-n 0 shows all)";
}

void snap_put_blocks(const struct snap *s)
{
	struct lazy_table t = { s->at, &memory_docs[SNAP_BLOCKS], NULL };

	for (EACH(const struct snapdev, snapdev, s->dev, s->ndev)) {
		const struct snapsum *sum = snapdev->sum;

		for (size_t k = 0; sum && k < MEMSNAP_STATE_COUNT; k++) {
			size_t state = (k + 1) % MEMSNAP_STATE_COUNT; /* the unknown last */

			if (sum->blocks[state] == 0)
				continue;
			TABLE_ROW(lazy_table(&t), [SBLK_DEVICE] = cell_word(snapdev->label),
				[SBLK_STATE] = cell_text(state ? span_of(memsnap_state_word(
									 (enum memsnap_state)state))
							       : SPAN("other")),
				[SBLK_COUNT] = cell_int(sum->blocks[state]),
				[SBLK_BYTES] = cell_int(sum->bytes[state]),
				[SBLK_SHARE] = cell_ratio(sum->bytes[state], sum->reserved));
		}
	}
}

/* ---- what happened: the peak, who held it, who grows, the curve ---- */

void snap_put_history(const struct snap *s)
{
	struct lazy_table t = { s->at, &memory_docs[SNAP_HISTORY], NULL };

	for (EACH(const struct snapdev, d, s->dev, s->ndev)) {
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
	const uint64_t seen = COLUMN_SET(MPEAK_DEVICE, MPEAK_ALLOCATED, MPEAK_GROWTH,
		MPEAK_RESERVED_THEN, MPEAK_AT, MPEAK_RESERVED, MPEAK_ALLOCS, MPEAK_FREES);
	struct table *t = NULL;

	for (EACH(const struct snapdev, snapdev, s->dev, s->ndev)) {
		if (!snapdev->has_history)
			continue;
		if (!t)
			t = perrun_table_seen(s->at, &memory_docs[MEMORY_PEAKS], seen);
		put_peak(t, snapdev);
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
	size_t k;

	for (EACH(const struct snapdev, d, s->dev, s->ndev)) {
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

	for (EACH(const struct snapdev, d, s->dev, s->ndev)) {
		size_t n = 0;

		for (size_t k = 0; k < d->growths.n; k++) {
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

void snap_put_curve(const struct snap *s)
{
	const uint64_t seen = COLUMN_SET(
		MCURVE_DEVICE, MCURVE_AT, MCURVE_ALLOCATED, MCURVE_RESERVED, MCURVE_BYTES);
	struct table *t = NULL;

	for (EACH(const struct snapdev, d, s->dev, s->ndev)) {
		if (d->has_history && !t)
			t = perrun_table_seen(s->at, &memory_docs[MEMORY_CURVE], seen);
		for (size_t k = 0; d->has_history && k < d->curve.npoint; k++) {
			int64_t us = d->m->time_us[d->curve.point[k].entry];
			TABLE_ROW(t, [MCURVE_DEVICE] = cell_word(d->label),
				[MCURVE_AT] = snap_at(&d->replay, d->curve.point[k].entry),
				[MCURVE_ALLOCATED] = cell_int(d->curve.point[k].allocated),
				[MCURVE_RESERVED] = cell_int(d->curve.point[k].reserved),
				[MCURVE_BYTES] = CELL_IF(d->curve.point[k].change,
					cell_int(d->curve.point[k].change)),
				[MCURVE_START] = CELL_IF(us != MEMSNAP_UNKNOWN,
					cell_int(saturate_times(us, NS_OF_US))));
		}
		if (d->has_history)
			t->ncut += d->curve.nchange > d->curve.npoint
				? d->curve.nchange - d->curve.npoint
				: 0;
	}
	if (t && t->ncut > 0)
		t->footnote = "thinned: first, last, lowest and highest of stretches of equal time "
			      "(--points)";
}

/* ---- blocks over time ---- */

/* A stack's words, made once. */
struct words {
	struct span where, whole;
	bool is_made;
};

static struct row_cell snap_entry(const struct snapreplay *r, size_t entry)
{
	return CELL_IF(entry != SNAPLIFE_NONE, cell_size(entry - r->first));
}

static struct row_cell snap_when(const struct snapreplay *r, size_t entry)
{
	return CELL_IF(entry != SNAPLIFE_NONE, snap_at(r, entry));
}

static const struct words *words_of(
	struct words *all, const struct memsnap *m, uint32_t stack, struct arena *mem)
{
	struct words *w = &all[stack];
	SCOPED_STR text = { 0 };

	if (w->is_made)
		return w;
	w->is_made = true;
	snapstack_where(&text, m, stack);
	w->where = (struct span){ text.n ? arena_copy(mem, text.s, text.n) : "", text.n };
	str_reset(&text);
	snapstack_text(&text, m, stack);
	w->whole = (struct span){ text.n ? arena_copy(mem, text.s, text.n) : "", text.n };
	return w;
}

static void put_life(
	struct table *t, const struct snapdev *d, const struct snaplife *l, const struct words *w)
{
	TABLE_ROW(
		t, [SLIF_DEVICE] = cell_word(d->label), [SLIF_AT] = snap_when(&d->replay, l->from),
		[SLIF_FREED] = snap_when(&d->replay, l->to), [SLIF_BYTES] = cell_int(l->size),
		[SLIF_ENTRY] = snap_entry(&d->replay, l->from),
		[SLIF_FREED_ENTRY] = snap_entry(&d->replay, l->to),
		[SLIF_WHERE] = l->is_unknown ? cell_word("(allocated before the history)")
					     : cell_name(w->where),
		[SLIF_STACK] = cell_name(w->whole));
}

void snap_put_lives(const struct snap *s)
{
	struct lazy_table t = { s->at, &memory_docs[SNAP_LIVES], NULL };

	for (EACH(const struct snapdev, d, s->dev, s->ndev)) {
		SCOPED_ARENA scratch = { 0 };
		struct snaplives lives;

		if (!d->has_history || s->o->lives <= 0)
			continue;
		struct words *w = arena_array(&scratch, d->m->stacks.n + 1, sizeof(*w));
		snaplives_init(&lives, &d->replay, saturate_size((double)s->o->lives), &scratch);
		for (EACH(const struct snaplife, l, lives.v, lives.n))
			put_life(lazy_table(&t), d, l,
				words_of(w, d->m, l->stack, &s->at->out->mem));
		lazy_table(&t)->ncut += lives.more;
	}
	if (t.t && t.t->ncut)
		t.t->footnote = "the largest; smaller ones are left out (--lives)";
}
