/* Section "facts" of a record. */
#include "analyze/trace/digest/digest_facts.h"

#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/run.h"
#include "analyze/trace/digest/digest_wire.h"

enum { PROBLEM_LEAST = 4 };

void tally_put(struct wire_out *w, const struct tally *t)
{
	uint64_t n = 0;

	for (int i = 0; i < PROBLEM_COUNT; i++)
		n += t->count[i] != 0;
	wire_put_count(w, n);
	for (int i = 0; i < PROBLEM_COUNT; i++) {
		if (t->count[i] == 0)
			continue;
		wire_put_text(w, span_of(problem_infos[i].id));
		wire_put_int(w, t->count[i]);
		wire_put_int(w, t->offset[i]);
		wire_put_int(w, t->line[i]);
	}
}

void tally_take(struct wire_in *w, struct tally *t)
{
	size_t n = wire_many(w, PROBLEM_LEAST);

	tally_init(t);
	for (size_t i = 0; i < n; i++) {
		int p = WIRE_WORD(w, k, PROBLEM_COUNT, problem_infos[k].id);

		t->count[p] = wire_natural(w);
		t->offset[p] = wire_int(w);
		t->line[p] = wire_int(w);
	}
}

void digest_facts_put(struct wire_out *w, const struct run *r, struct span made_by)
{
	wire_put_text(w, span_of(r->path));
	wire_put_text(w, span_of(r->container ? r->container : ""));
	wire_put_text(w, made_by);
	wire_put_int(w, r->file_bytes);
	wire_put_int(w, r->text_bytes);
	wire_put_int(w, r->nevent);
	wire_put_int(w, r->meta.rank);
	wire_put_int(w, r->meta.world_size);
	tally_put(w, &r->tally);
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
	enum status st = digest_file_get(k, DIGEST_FACTS, &plain, e);

	if (st == OK) {
		wire_open(&w, (struct span){ plain.s, plain.n }, mem);
		f->path = wire_text(&w);
		f->container = wire_text(&w);
		f->made_by = wire_text(&w);
		f->file_bytes = wire_int(&w);
		f->text_bytes = wire_int(&w);
		f->nevent = wire_int(&w);
		f->rank = wire_int(&w);
		f->world = wire_int(&w);
		tally_take(&w, &f->tally);
		if (!wire_is_done(&w) || f->rank < -1 || f->world < -1)
			st = digest_file_refuse_section(DIGEST_FACTS, e);
	}
	return st;
}
