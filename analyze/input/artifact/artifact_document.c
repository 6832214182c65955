/*
 * The reader of JSON documents whose kinds are data.
 */
#include "analyze/input/artifact/artifact_document.h"

#include <string.h>

static bool holds(const struct sign *s, const struct head *h)
{
	return h->form == (s->is_list ? HEAD_ARRAY : HEAD_OBJECT) &&
		head_count(h, s->keys) >= s->least && (!s->with || head_count(h, s->with) > 0) &&
		(!s->without || head_count(h, s->without) == 0) &&
		(!s->mentions || head_mentions(h, s->mentions));
}

enum match document_probe(const struct sign sign[DOCUMENT_SIGNS], const struct head *h)
{
	size_t i;

	for (i = 0; i < DOCUMENT_SIGNS && sign[i].sure != MATCH_NO; i++)
		if (holds(&sign[i], h))
			return sign[i].sure;
	return MATCH_NO;
}

static void put_rows(struct reading *in, const struct member *m, struct json_value v)
{
	struct span it = v.text, key;
	bool is_named = m->to == TO_NAMED_ROWS;
	struct sheet *s = NULL;
	struct json_value row;

	if (v.type != (is_named ? JSON_OBJECT : JSON_ARRAY))
		return;
	if (!is_named)
		s = record_sheet(in->record, in->artifact, m->sheet);
	while (json_next(&it, &key, &row)) {
		if (row.type != JSON_OBJECT)
			continue;
		if (!s)
			s = record_sheet(in->record, in->artifact, m->sheet);
		if (!record_row(s))
			continue;
		jsondoc_fields(in, &s->table, m->field, m->nfield, row);
		if (is_named && !*m->field->key)
			table_text(&s->table, m->field->col,
				record_text(in->record, jsondoc_key(in, SPAN(""), key)));
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
	size_t i, k;

	for (i = from; i < s->n; i++)
		for (k = 0; k < DOCUMENT_MEASURES && known[k].key; k++)
			if (is_about(&known[k], s->v[i].key))
				s->v[i].measure = known[k].measure;
}

enum status document_read(const struct member member[DOCUMENT_MEMBERS],
	const struct known_measure measure[DOCUMENT_MEASURES], struct reading *in, struct err *e)
{
	size_t from = in->record->scalars.n, i;
	struct json_value doc, v;

	TRY(jsondoc_read(in, &doc, e));
	for (i = 0; i < DOCUMENT_MEMBERS && member[i].at; i++) {
		v = *member[i].at ? jsondoc_at(doc, member[i].at) : doc;
		if (v.type != JSON_NONE)
			put_member(in, &member[i], v);
	}
	set_measures(measure, &in->record->scalars, from);
	return OK;
}
