/*
 * `memory` of snapshots: cells that several tables have.
 */
#include "analyze/answer/memory/memory_snap.h"
#include "analyze/measure/memory/snapstack.h"
#include "base/saturate.h"

enum { NS_OF_US = 1000 };

static void put_text(struct table *t, size_t col, const struct str *text)
{
	if (text->n)
		table_text(t, col, (struct span){ arena_copy(t->mem, text->s, text->n), text->n });
}

void snap_put_stack(
	struct table *t, size_t where, size_t whole, const struct memsnap *m, uint32_t stack)
{
	struct str text = { 0 };

	snapstack_where(&text, m, stack);
	put_text(t, where, &text);
	str_reset(&text);
	snapstack_text(&text, m, stack);
	put_text(t, whole, &text);
	str_free(&text);
}

void snap_put_at(struct table *t, size_t col, const struct snapreplay *r, size_t entry)
{
	int64_t us = snapreplay_at(r, entry);

	if (us != MEMSNAP_UNKNOWN)
		table_int(t, col, saturate_times(us, NS_OF_US));
}
