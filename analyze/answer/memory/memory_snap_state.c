/*
 * `memory` of snapshots: what is held, and what it was when memory ran out.
 */
#include <inttypes.h>

#include "analyze/answer/memory/memory_snap.h"
#include "base/saturate.h"

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
	snap_put_stack(t, SOOM_WHERE, SOOM_STACK, d->m, d->m->stack[o->entry]);
}

void snap_put_oom(const struct snap *s)
{
	struct lazy_table t = { s->at, &memory_docs[SNAP_OOM], NULL };
	size_t i, k;

	for (i = 0; i < s->ndev; i++) {
		const struct snapdev *d = &s->dev[i];

		for (k = 0; k < d->noom; k++)
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
	size_t i;

	for (i = 0; i < s->ndev; i++)
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
	size_t i, k;

	for (i = 0; i < s->ndev; i++) {
		const struct snapdev *d = &s->dev[i];
		size_t n = 0;

		for (k = 0; k < d->state->ngroup; k++) {
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
	size_t i, k;

	for (i = 0; i < s->ndev; i++) {
		const struct snapsum *sum = s->dev[i].sum;

		for (k = 0; sum && k < MEMSNAP_STATE_COUNT; k++) {
			size_t state = (k + 1) % MEMSNAP_STATE_COUNT; /* the unknown last */

			if (sum->blocks[state] == 0)
				continue;
			TABLE_ROW(lazy_table(&t), [SBLK_DEVICE] = cell_word(s->dev[i].label),
				[SBLK_STATE] = cell_text(state ? span_of(memsnap_state_word(
									 (enum memsnap_state)state))
							       : SPAN("other")),
				[SBLK_COUNT] = cell_int(sum->blocks[state]),
				[SBLK_BYTES] = cell_int(sum->bytes[state]),
				[SBLK_SHARE] = cell_ratio(sum->bytes[state], sum->reserved));
		}
	}
}
