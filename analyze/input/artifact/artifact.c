/* The list of kinds, the choice between them, and the reader of JSON documents whose kinds are
 * data. */
#include "analyze/input/artifact/artifact.h"

#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/text/limits.h"
#include "analyze/trace/run.h"

/* --- documents that are data --- */

static bool holds(const struct sign *s, const struct head *h)
{
	return h->form == (s->is_list ? HEAD_ARRAY : HEAD_OBJECT) &&
		head_count(h, s->keys) >= s->least && (!s->with || head_count(h, s->with) > 0) &&
		(!s->without || head_count(h, s->without) == 0) &&
		(!s->mentions || head_mentions(h, s->mentions));
}

/* The first sign that holds decides. */
static enum match document_probe(const struct artifact *kind, const struct head *h)
{
	for (size_t i = 0; i < DOCUMENT_SIGNS && kind->sign[i].sure != MATCH_NO; i++)
		if (holds(&kind->sign[i], h))
			return kind->sign[i].sure;
	return MATCH_NO;
}

static void put_rows(struct reading *in, const struct member *m, struct json_value v)
{
	bool is_named = m->to == TO_NAMED_ROWS;
	struct sheet *s = NULL;

	if (v.type != (is_named ? JSON_OBJECT : JSON_ARRAY))
		return;
	if (!is_named)
		s = record_sheet(in->record, in->artifact, m->sheet);
	for (struct json_items it = json_items(v); json_more(&it);) {
		if (it.v.type != JSON_OBJECT)
			continue;
		if (!s)
			s = record_sheet(in->record, in->artifact, m->sheet);
		if (!record_row(s))
			continue;
		jsondoc_fields(in, &s->table, m->field, m->nfield, it.v);
		if (is_named && !*m->field->key)
			table_text(&s->table, m->field->col,
				record_text(in->record, jsondoc_key(in, SPAN(""), it.key)));
	}
}

static void put_member(struct reading *in, const struct member *m, struct json_value v)
{
	struct span name = span_of(m->name ? m->name : m->at);
	struct record *r = in->record;

	switch (m->to) {
	case TO_CALL:
		if (m->call)
			m->call(in, v);
		else
			m->call_named(in, name, v);
		break;
	case TO_SCALARS: jsondoc_members(in, &r->scalars, name, v, m->skip); break;
	case TO_CONFIG: jsondoc_members(in, &r->config, name, v, m->skip); break;
	case TO_ENV: jsondoc_members(in, &r->env, name, v, m->skip); break;
	case TO_ROWS:
	case TO_NAMED_ROWS: put_rows(in, m, v); break;
	}
}

static bool is_about(const struct known_measure *known, struct span key)
{
	size_t n = strlen(known->key);

	return known->key[n - 1] == '.' ? span_starts(key, known->key) : span_is(key, known->key);
}

/* Scalars from `from` on. */
static void set_measures(const struct known_measure *known, struct scalars *s, size_t from)
{
	for (size_t i = from; i < s->n; i++)
		for (size_t k = 0; k < DOCUMENT_MEASURES && known[k].key; k++)
			if (is_about(&known[k], s->v[i].key))
				s->v[i].measure = known[k].measure;
}

/* As read of struct artifact; members in their order. */
static enum status document_read(const struct artifact *kind, struct reading *in, struct err *e)
{
	size_t from = in->record->scalars.n;
	struct json_value doc, v;

	TRY(jsondoc_read(in, &doc, e));
	for (const struct member *m = kind->member; m < kind->member + DOCUMENT_MEMBERS && m->at;
		m++) {
		v = *m->at ? jsondoc_at(doc, m->at) : doc;
		if (v.type != JSON_NONE)
			put_member(in, m, v);
	}
	set_measures(kind->measure, &in->record->scalars, from);
	return OK;
}

/* --- the list --- */

static const struct artifact *const all[] = {
#define X(name) &artifact_##name,
	ARTIFACTS(X)
#undef X
};

const struct artifact *const *artifact_all(size_t *n)
{
	*n = COUNT_OF(all);
	return all;
}

/* How well a text fits by its first row, or by its first lines: one of them is looked for. */
static enum match text_probe(const struct artifact *kind, const struct head *h)
{
	struct span text = h->text, line;
	struct csv_row row;

	if (h->form != HEAD_TEXT)
		return MATCH_NO;
	if (kind->heading) {
		csv_split(h->line, ',', &row, NULL);
		return kind->heading(&row);
	}
	for (int n = 0; n < kind->lines && span_line(&text, &line); n++)
		if (kind->line(line))
			return MATCH_STRONG;
	return MATCH_NO;
}

enum match artifact_probe(const struct artifact *kind, const struct head *h)
{
	return kind->probe                    ? kind->probe(h)
		: kind->heading || kind->line ? text_probe(kind, h)
					      : document_probe(kind, h);
}

/* What is read line by line, or row by row. */
static enum status read_taking(const struct artifact *kind, struct reading *in, struct err *e)
{
	struct reading **state = arena_alloc(&in->mem, kind->state);
	struct untaken untaken = { 0 };
	enum status st;

	*state = in;
	if (kind->begin)
		kind->begin(state, kind->form);
	if (kind->take_row) {
		st = csv_read(in, kind->take_row, state, kind->alien, kind->other, e);
	} else {
		st = reading_lines(in, kind->take, state, &untaken, e);
		reading_untaken(in, &untaken, kind->alien, kind->other);
	}
	if (kind->end)
		kind->end(state);
	return st;
}

/* Fills in->record.  E_SYNTAX, E_TRUNCATED with the place; E_NODATA when nothing in it is of use;
 * E_IO, E_LIMIT. */
static enum status artifact_read(const struct artifact *kind, struct reading *in, struct err *e)
{
	TRY(kind->read                ? kind->read(in, e)
			: kind->state ? read_taking(kind, in, e)
				      : document_read(kind, in, e));
	return kind->none && reading_artifact(in)->rows == 0
		? err_set(e, E_NODATA, 0, "%s", kind->none)
		: OK;
}

enum status artifact_find(const struct head *h, const struct artifact **kind, struct err *e)
{
	const struct artifact *best = NULL, *other = NULL;
	enum match surest = MATCH_NO;

	for (size_t i = 0; i < COUNT_OF(all); i++) {
		enum match m = artifact_probe(all[i], h);

		if (m > surest) {
			surest = m;
			best = all[i];
			other = NULL;
		} else if (m == surest && m > MATCH_WEAK) {
			other = all[i];
		}
	}
	*kind = other ? NULL : best;
	if (!other)
		return OK;
	(void)err_set(e, E_FORMAT, 0, "looks like two kinds of file: %s, and %s", best->title,
		other->title);
	return err_hint(e, "its keys are those of both; keep them in files of their own");
}

enum status artifact_look(
	struct source *s, struct head *h, const struct artifact **kind, struct err *e)
{
	static const size_t far[] = { HEAD_BYTES, HEAD_LONG, LIMIT_BLANK_BYTES };

	*kind = NULL;
	for (size_t i = 0; i < COUNT_OF(far); i++) {
		struct span text;

		if (i > 1 && h->form != HEAD_EMPTY)
			break;
		TRY(source_peek(s, far[i], &text, e));
		head_look(h, i > 1 ? json_blanks_off(text) : text, text.n < far[i]);
		if (head_is_trace(h))
			return OK;
		TRY(artifact_find(h, kind, e));
		if (*kind || h->is_whole || h->form == HEAD_LINES || h->form == HEAD_BINARY)
			return OK;
	}
	if (h->form != HEAD_EMPTY)
		return OK;
	(void)err_set(e, E_FORMAT, 0, "its first %d MiB hold only blanks and NUL bytes",
		LIMIT_BLANK_BYTES >> 20);
	return err_hint(e, "give the file of a trace or of a log");
}

/* --- one of them into a run --- */

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
	int64_t rows = 0;

	for (size_t i = before->nsheet; i < r->nsheet; i++)
		rows += r->sheet[i]->left_out;
	int64_t keys = r->series_left_out - before->series_left_out;
	int64_t values = r->scalars.left_out + r->config.left_out + r->env.left_out -
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

	if (!run->record)
		run->record = record_new();
	in.record = run->record;
	in.artifact = record_artifact(run->record, path, kind->name, kind->title);
	struct record before = *run->record;
	enum status st = artifact_read(kind, &in, e);
	say_limits(&in, &before);
	struct record_artifact *a = reading_artifact(&in);
	a->is_copy = kind->is_copy;
	a->file_bytes = s->file_bytes;
	a->text_bytes = s->text_bytes;
	const char *issue = issue_of(s);
	if (issue) {
		a->is_complete = false;
		a->issue = issue;
	}
	tally_merge(&run->tally, &s->tally);
	if (st == OK && is_strict)
		st = be_strict(&in, e);
	if (st == E_NODATA)
		record_take_back(run->record, &before);
	series_clear(&in.beyond);
	arena_clear(&in.mem);
	free(in.text);
	return st;
}
