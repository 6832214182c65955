/*
 * `memory` of snapshots: what is held, and what it was when memory ran out.
 */
#include <inttypes.h>

#include "analyze/answer/memory/memory_snap.h"
#include "base/saturate.h"

static void put_known(struct table *t, size_t col, int64_t v)
{
	if (v != MEMSNAP_UNKNOWN)
		table_int(t, col, v);
}

static void put_one_oom(struct table *t, const struct snapdev *d, const struct snapoom *o)
{
	table_row(t);
	table_text(t, SOOM_DEVICE, span_of(d->label));
	table_text(t, SOOM_WHY, span_of(snapoom_word(o->why)));
	table_int(t, SOOM_REQUEST, o->request);
	put_known(t, SOOM_FREE, o->device_free);
	table_int(t, SOOM_RESERVED, o->reserved);
	table_int(t, SOOM_ALLOCATED, o->allocated);
	put_known(t, SOOM_INACTIVE, o->inactive);
	put_known(t, SOOM_POOLED, o->pooled);
	put_known(t, SOOM_LARGEST, o->largest);
	snap_put_at(t, SOOM_AT, &d->replay, o->entry);
	table_int(t, SOOM_SINCE, (int64_t)o->since);
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

	table_row(t);
	table_text(t, SHELD_DEVICE, span_of(d->label));
	put_known(t, SHELD_ID, d->id);
	if (!sum)
		return;
	table_int(t, SHELD_RESERVED, sum->reserved);
	table_int(t, SHELD_ALLOCATED, snapsum_allocated(sum));
	table_int(t, SHELD_PENDING, snapsum_pending(sum));
	table_int(t, SHELD_INACTIVE, snapsum_inactive(sum));
	table_int(t, SHELD_FRAGMENTED, snapsum_fragmented(sum));
	if (sum->reserved > 0)
		table_real(t, SHELD_FRAGMENTED_RATIO,
			(double)snapsum_fragmented(sum) / (double)sum->reserved);
	table_int(t, SHELD_RELEASABLE, sum->releasable);
	table_int(t, SHELD_LARGEST, sum->largest);
	table_int(t, SHELD_POOLED, sum->pooled);
	table_int(t, SHELD_SPLIT, sum->split);
	table_int(t, SHELD_SEGMENTS, sum->segments);
	if (sum->unrequested)
		return;
	table_int(t, SHELD_ROUNDING, saturate_sub(snapsum_allocated(sum), sum->requested));
	table_int(t, SHELD_REQUESTED, sum->requested);
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

	table_row(t);
	table_text(t, SSEG_DEVICE, span_of(d->label));
	table_text(t, SSEG_CLASS, span_of(g->is_large ? "large" : "small"));
	table_bool(t, SSEG_EXPANDABLE, g->is_expandable);
	if (g->pool)
		table_textf(t, SSEG_POOL, "(%" PRId64 ", %" PRId64 ")", pool.a, pool.b);
	put_known(t, SSEG_STREAM, g->stream);
	table_int(t, SSEG_COUNT, g->sum.segments);
	table_int(t, SSEG_RESERVED, g->sum.reserved);
	table_int(t, SSEG_ALLOCATED, snapsum_allocated(&g->sum));
	table_int(t, SSEG_INACTIVE, snapsum_inactive(&g->sum));
	table_int(t, SSEG_FRAGMENTED, snapsum_fragmented(&g->sum));
	if (!snapstate_is_private(d->m, g->pool))
		table_int(t, SSEG_LARGEST, g->sum.largest);
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
			table_row(lazy_table(&t));
			table_text(t.t, SBLK_DEVICE, span_of(s->dev[i].label));
			table_text(t.t, SBLK_STATE,
				state ? span_of(memsnap_state_word((enum memsnap_state)state))
				      : SPAN("other"));
			table_int(t.t, SBLK_COUNT, sum->blocks[state]);
			table_int(t.t, SBLK_BYTES, sum->bytes[state]);
			if (sum->reserved > 0)
				table_real(t.t, SBLK_SHARE,
					(double)sum->bytes[state] / (double)sum->reserved);
		}
	}
}
