/* Section "facts" of a record. */
#include "analyze/trace/digest/digest_facts.h"

#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/run.h"
#include "analyze/trace/digest/digest_wire.h"

enum { PROBLEM_LEAST = 4 };

void tally_walk(struct walk *w, struct tally *t)
{
	size_t n = walk_many(w, SUM(size_t, i, PROBLEM_COUNT, t->count[i] != 0), PROBLEM_LEAST);

	if (w->in)
		tally_init(t);
	for (int p = 0; n > 0; p++, n--) {
		while (!w->in && p < PROBLEM_COUNT - 1 && t->count[p] == 0)
			p++;
		p = WALK_WORD(w, k, p, PROBLEM_COUNT, problem_infos[k].id);
		walk_int(w, &t->count[p], 0);
		walk_int(w, &t->offset[p], INT64_MIN);
		walk_int(w, &t->line[p], INT64_MIN);
	}
}

static void walk_facts(struct walk *w, struct digest_facts *f)
{
	walk_text(w, &f->path);
	walk_text(w, &f->container);
	walk_text(w, &f->made_by);
	walk_int(w, &f->file_bytes, INT64_MIN);
	walk_int(w, &f->text_bytes, INT64_MIN);
	walk_int(w, &f->nevent, INT64_MIN);
	walk_int(w, &f->rank, -1);
	walk_int(w, &f->world, -1);
	tally_walk(w, &f->tally);
}

void digest_facts_put(struct wire_out *w, const struct run *r, struct span made_by)
{
	struct digest_facts f = { .path = span_of(r->path),
		.container = span_of(r->container ? r->container : ""),
		.made_by = made_by,
		.file_bytes = r->file_bytes,
		.text_bytes = r->text_bytes,
		.nevent = r->nevent,
		.rank = r->meta.rank,
		.world = r->meta.world_size,
		.tally = r->tally };

	walk_facts(&(struct walk){ .out = w }, &f);
}

enum status digest_file_refuse_section(const char *section, struct err *e)
{
	return err_hinted(e, E_SYNTAX, "digest the trace again",
		"a damaged digest: section '%s' is not what it should be", section);
}

enum status digest_facts_get(
	struct digest_facts *f, const struct kept *k, struct arena *mem, struct err *e)
{
	SCOPED_STR plain = { 0 };
	struct wire_in w;

	TRY(wire_open_section(&w, k, DIGEST_FACTS, &plain, mem, e));
	walk_facts(&(struct walk){ .in = &w }, f);
	return wire_is_done(&w) ? OK : digest_file_refuse_section(DIGEST_FACTS, e);
}
