/*
 * Reading one artifact.
 */
#include "analyze/input/merge_artifact.h"

#include <stdlib.h>

#include "analyze/input/artifact.h"
#include "analyze/input/source.h"
#include "analyze/store/run.h"

/* The text was cut or damaged by its wrapping. */
static bool is_broken(const struct source *s)
{
	return s->tally.count[PROBLEM_TRUNCATED_GZIP] || s->tally.count[PROBLEM_CORRUPT_GZIP];
}

static enum status be_strict(const struct reading *in, struct err *e)
{
	if (reading_artifact(in)->is_complete)
		return OK;
	(void)err_set(e, E_TRUNCATED, in->source->text_bytes, "the file ends too early");
	return err_hint(e, "without --strict, what is there is read");
}

enum status merge_artifact(struct source *s, const char *path, const struct head *head,
	const struct artifact *kind, bool is_strict, struct run *run, struct err *e)
{
	struct reading in = { .source = s, .head = head };
	struct record_artifact *a;
	enum status st;

	if (!run->record)
		run->record = record_new();
	in.record = run->record;
	in.artifact = record_artifact(run->record, path, kind->name, kind->title);
	arena_init(&in.mem);
	st = kind->read(&in, e);
	a = reading_artifact(&in);
	a->file_bytes = s->file_bytes;
	a->text_bytes = s->text_bytes;
	a->is_complete = a->is_complete && !is_broken(s);
	tally_merge(&run->tally, &s->tally);
	if (st == OK && is_strict)
		st = be_strict(&in, e);
	arena_clear(&in.mem);
	free(in.text);
	return st;
}
