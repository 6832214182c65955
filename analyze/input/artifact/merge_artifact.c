/*
 * Reading one artifact.
 */
#include "analyze/input/artifact/merge_artifact.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/run.h"

/* All of it inflated, and is not what was written. */
static bool has_wrong_checksum(const struct source *s)
{
	return s->tally.count[PROBLEM_CORRUPT_GZIP] && s->tally.offset[PROBLEM_CORRUPT_GZIP] < 0;
}

/* How the text was cut or damaged by its wrapping; NULL: it was not. */
static const char *issue_of(const struct source *s)
{
	if (s->tally.count[PROBLEM_TRUNCATED_GZIP])
		return "the compressed stream ends too early";
	if (!s->tally.count[PROBLEM_CORRUPT_GZIP])
		return NULL;
	return has_wrong_checksum(s) ? "its checksum says that something in it is wrong"
				     : "the compressed stream is damaged";
}

static enum status be_strict(const struct reading *in, struct err *e)
{
	if (reading_artifact(in)->is_complete)
		return OK;
	(void)err_set(e, E_TRUNCATED, has_wrong_checksum(in->source) ? -1 : in->source->text_bytes,
		"%s", reading_artifact(in)->issue);
	return err_hint(e, "without --strict, what is there is read");
}

/* What was beyond a limit; `before` is what of it other artifacts had left out. */
static void say_limits(struct reading *in, const struct record *before)
{
	struct record *r = in->record;
	int64_t rows = 0, keys, values;
	size_t i;

	for (i = before->nsheet; i < r->nsheet; i++)
		rows += r->sheet[i]->left_out;
	keys = r->series_left_out - before->series_left_out;
	values = r->scalars.left_out + r->config.left_out + r->env.left_out -
		before->scalars.left_out - before->config.left_out - before->env.left_out;
	if (rows > 0)
		reading_note(in, NOTE_WARNING, "rows_left_out", rows, -1,
			"%" PRId64 " rows of its tables are beyond the limit and left out", rows);
	if (keys > 0)
		reading_note(in, NOTE_WARNING, "keys_left_out", keys, -1,
			"%" PRId64 " values of keys beyond the first %d are left out", keys,
			RECORD_SERIES);
	if (values > 0)
		reading_note(in, NOTE_WARNING, "values_left_out", values, -1,
			"%" PRId64 " single values beyond the first %d are left out", values,
			RECORD_SCALARS);
}

enum status merge_artifact(struct source *s, const char *path, const struct head *head,
	const struct artifact *kind, bool is_strict, struct run *run, struct err *e)
{
	struct reading in = { .source = s, .head = head };
	struct record_artifact *a;
	struct record before;
	const char *issue;
	enum status st;

	if (!run->record)
		run->record = record_new();
	in.record = run->record;
	in.artifact = record_artifact(run->record, path, kind->name, kind->title);
	arena_init(&in.mem);
	before = *run->record;
	st = artifact_read(kind, &in, e);
	say_limits(&in, &before);
	a = reading_artifact(&in);
	a->is_copy = kind->is_copy;
	a->file_bytes = s->file_bytes;
	a->text_bytes = s->text_bytes;
	issue = issue_of(s);
	if (issue) {
		a->is_complete = false;
		a->issue = issue;
	}
	tally_merge(&run->tally, &s->tally);
	if (st == OK && is_strict)
		st = be_strict(&in, e);
	arena_clear(&in.mem);
	free(in.text);
	return st;
}
