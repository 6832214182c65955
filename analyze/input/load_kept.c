/*
 * Records into runs.
 */
#include "analyze/input/load_kept.h"

#include "analyze/input/load_file.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/kept.h"
#include "analyze/trace/kept_facts.h"
#include "analyze/trace/run.h"

enum { PIECE_BYTES = 64 << 10, MARK_BYTES = 8 };

bool load_kept_is(struct source *s)
{
	struct span text;
	struct err ignored;

	return source_peek(s, MARK_BYTES, &text, &ignored) == OK && kept_is(text);
}

static enum status read_all(struct source *s, struct str *out, struct err *e)
{
	char piece[PIECE_BYTES];
	size_t got;

	do {
		TRY(source_read(s, piece, sizeof(piece), &got, e));
		str_add(out, piece, got);
		if (out->n > KEPT_RECORD_MAX)
			return err_set(e, E_LIMIT, -1, "a digest of one trace is at most %d MiB",
				KEPT_RECORD_MAX >> 20);
	} while (got == sizeof(piece));
	return OK;
}

enum status load_kept(
	struct source *s, const struct load_options *o, struct run *run, struct err *e)
{
	struct kept_facts facts;
	struct str bytes = { 0 };
	enum status st;

	if (o->comm) {
		(void)err_set(e, E_NODATA, -1, "a digest has no events: --comm needs the trace itself");
		return err_hint(e, "give the trace in place of its digest");
	}
	st = read_all(s, &bytes, e);
	if (st != OK) {
		str_free(&bytes);
		return st;
	}
	TRY(kept_open(&run->kept, bytes.s, bytes.n, e));
	TRY(kept_facts_get(&facts, run->kept, &run->mem, e));
	run->has_trace = true;
	run->is_complete = true;
	run->tally = facts.tally;
	run->meta.rank = facts.rank;
	run->meta.world_size = facts.world;
	run->nevent = facts.nevent;
	return OK;
}
