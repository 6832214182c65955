/*
 * Memory snapshots of PyTorch: a pickle, read in constant memory beside what is kept, or the same
 * as JSON.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/snapshots/dump.h"
#include "analyze/input/artifact/snapshots/snapshot_take.h"
#include "analyze/input/value/pickle.h"
#include "base/plural.h"

/* Its keys stand in a pickle as they are; the history's may be behind all segments. */
static enum match probe(const struct head *h)
{
	bool is_it;

	if (h->form == HEAD_OBJECT)
		is_it = head_has(h, "segments") &&
			(head_has(h, "device_traces") || head_mentions(h, "total_size"));
	else if (h->form == HEAD_ARRAY)
		is_it = head_count(h, "address total_size blocks segment_type") >= 3;
	else
		is_it = pickle_is(h->text) &&
			((span_has(h->text, "segments") && span_has(h->text, "device_traces")) ||
				(span_has(h->text, "total_size") && span_has(h->text, "blocks")));
	return is_it && !head_has(h, "traceEvents") ? MATCH_STRONG : MATCH_NO;
}

/* Entries that are none: without a known action they tell nothing, without a size neither. */
static void drop_bad(struct snapshot_take *t)
{
	struct memsnap *m = t->m;

	for (size_t i = 0; i < m->nentry; i++) {
		bool is_sized = m->action[i] >= MEMSNAP_ALLOC && m->action[i] <= MEMSNAP_OOM;

		m->nother += m->action[i] == MEMSNAP_OTHER;
		if (!is_sized || (m->size[i] >= 0 && m->addr[i] != MEMSNAP_UNKNOWN))
			continue;
		m->action[i] = MEMSNAP_OTHER;
		t->nbad++;
	}
}

static void say(struct reading *in, const struct snapshot_take *t)
{
	if (t->m->nother)
		reading_note(in, NOTE_INFO, "snapshot_other", (int64_t)t->m->nother, -1,
			"%zu entr%s of the history with an action that is not known here; passed over",
			t->m->nother, plural(t->m->nother, "y", "ies"));
	if (t->nbad)
		reading_note(in, NOTE_WARNING, "snapshot_bad", (int64_t)t->nbad, -1,
			"%zu of its blocks, segments and entries without size or address; passed over",
			t->nbad);
}

static enum status read_snapshot(struct reading *in, struct err *e)
{
	struct memsnap *m = record_snapshot(in->record, in->artifact);
	compact_value document = COMPACT_NONE;
	struct snapshot_take t;
	enum status st;

	snapshot_take_init(&t, m);
	st = dump_read(in, &t.compact, &document, e);
	if (st == OK)
		st = snapshot_take_all(&t, in, document, e);
	drop_bad(&t);
	if (st == OK)
		say(in, &t);
	reading_artifact(in)->rows = (int64_t)(m->nblock + m->nentry);
	snapshot_take_clear(&t);
	return st;
}

const struct artifact artifact_memory_snapshot = {
	.name = "memory_snapshot",
	.title = "PyTorch memory snapshot",
	.summary = "torch.cuda.memory._dump_snapshot: segments, blocks and history of the caching "
		   "allocator, as pickle or JSON; for 'traceq memory'",
	.probe = probe,
	.read = read_snapshot,
};
