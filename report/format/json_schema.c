/*
 * JSON Schema of answers.  Only keywords are used that every validator knows; a member whose value
 * is one of a few is an enum, and no object has a member that is not named.
 */
#include "report/format/json_schema.h"

#include <string.h>

#include "report/cells.h"
#include "report/escape.h"

#define DRAFT "https://json-schema.org/draft/2020-12/schema"

static void put_text(struct str *b, const char *s)
{
	escape_json(b, span_of(s));
}

/* `before`, "key": */
static void put_member(struct str *b, const char *before, const char *key)
{
	str_adds(b, before);
	put_text(b, key);
	str_adds(b, ": ");
}

static void put_described(struct str *b, const char *before, const char *key, const char *text)
{
	put_member(b, before, key);
	put_text(b, text);
}

/* ---- columns ---- */

static const char *type_word(enum cell_type type)
{
	switch (type) {
	case CELL_INT: return "integer";
	case CELL_REAL: return "number";
	case CELL_BOOL: return "boolean";
	case CELL_TEXT: break;
	}
	return "string";
}

/* "words" as an enum: a | in front or behind means nothing. */
static void put_words(struct str *b, const char *words)
{
	size_t n;

	put_member(b, ", ", "enum");
	str_addc(b, '[');
	for (; *words; words += n + (words[n] == '|')) {
		n = strcspn(words, "|");
		if (n == 0)
			continue;
		escape_json(b, (struct span){ words, n });
		str_adds(b, ", ");
	}
	str_adds(b, "null]");
}

/* What a cell of the column can be: a value that is not known is null. */
static void put_cell(struct str *b, const struct column *c)
{
	const char *unit = cells_unit_name(c->unit);
	struct str doc = { 0 };

	str_addc(b, '{');
	put_described(b, "", "title", cells_title(c));
	str_adds(&doc, c->doc);
	if (unit)
		str_addf(&doc, " Unit: %s.", unit);
	if (c->is_optional)
		str_adds(&doc, " Some answers have no such column.");
	put_described(b, ", ", "description", doc.s);
	str_free(&doc);
	put_member(b, ", ", "type");
	str_addf(b, "[\"%s\", \"null\"]", type_word(c->type));
	if (c->words)
		put_words(b, c->words);
	if (c->pattern)
		put_described(b, ", ", "pattern", c->pattern);
	str_addc(b, '}');
}

static bool same_unit(const struct column *a, const struct column *b)
{
	const char *x = cells_unit_name(a->unit), *y = cells_unit_name(b->unit);

	return x == y || (x && y && strcmp(x, y) == 0);
}

/* The keys of the columns of i's unit, unless an earlier column has that unit. */
static void put_unit(struct str *b, const struct table_doc *t, size_t i, size_t *nunit)
{
	const char *unit = cells_unit_name(t->col[i].unit);
	size_t k;

	for (k = 0; k < i; k++)
		if (same_unit(&t->col[k], &t->col[i]))
			return;
	str_adds(b, (*nunit)++ ? ",\n       " : "\n       ");
	put_member(b, "{", "properties");
	put_member(b, "{", "key");
	put_member(b, "{", "enum");
	str_addc(b, '[');
	for (k = i; k < t->ncol; k++) {
		if (!same_unit(&t->col[k], &t->col[i]))
			continue;
		str_adds(b, k > i ? ", " : "");
		put_text(b, t->col[k].key);
	}
	put_member(b, "]}, ", "unit");
	put_member(b, "{", "const");
	if (unit)
		put_text(b, unit);
	else
		str_adds(b, "null");
	str_adds(b, "}}}");
}

/* The list of columns: which key has which unit. */
static void put_columns(struct str *b, const struct schema_table *t)
{
	size_t i, nunit = 0;

	put_member(b, "", "columns");
	str_addf(b, "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/any.column\"");
	if (!t->more && t->doc.ncol > 0) {
		put_member(b, ",\n      ", "anyOf");
		str_addc(b, '[');
		for (i = 0; i < t->doc.ncol; i++)
			put_unit(b, &t->doc, i, &nunit);
		str_addc(b, ']');
	}
	str_adds(b, "}}");
}

/* ---- tables ---- */

static void put_required(struct str *b, const struct table_doc *t)
{
	size_t i, n = 0;

	put_member(b, ",\n   ", "required");
	str_addc(b, '[');
	for (i = 0; i < t->ncol; i++) {
		if (t->col[i].is_optional)
			continue;
		str_adds(b, n++ ? ", " : "");
		put_text(b, t->col[i].key);
	}
	str_adds(b, "],\n   \"additionalProperties\": ");
}

/* One of its rows: all columns there are. */
static void put_row(struct str *b, const struct schema_table *t)
{
	size_t i;

	str_adds(b, "{\"type\": \"object\", \"minProperties\": 1,\n   \"properties\": {");
	for (i = 0; i < t->doc.ncol; i++) {
		put_member(b, i ? ",\n    " : "\n    ", t->doc.col[i].key);
		put_cell(b, &t->doc.col[i]);
	}
	str_addc(b, '}');
	put_required(b, &t->doc);
	if (t->more)
		put_cell(b, t->more);
	else
		str_adds(b, "false");
	str_addc(b, '}');
}

/* How many tables before it have its id. */
static size_t count_before(const struct schema_doc *d, size_t i)
{
	size_t k, n = 0;

	for (k = 0; k < i; k++)
		n += strcmp(d->table[k].doc.id, d->table[i].doc.id) == 0;
	return n;
}

/* "ops", "ops.2" */
static void put_name(struct str *b, const struct schema_doc *d, size_t i, const char *part)
{
	size_t before = count_before(d, i);

	str_addf(b, "%s", d->table[i].doc.id);
	if (before)
		str_addf(b, ".%zu", before + 1);
	str_adds(b, part);
}

static void put_ref(struct str *b, const struct schema_doc *d, size_t i, const char *part)
{
	str_adds(b, "{\"$ref\": \"#/$defs/");
	put_name(b, d, i, part);
	str_adds(b, "\"}");
}

static void put_rows(struct str *b, const struct schema_doc *d, size_t i, const char *key)
{
	put_member(b, ",\n     ", key);
	put_member(b, "{", "type");
	put_member(b, "\"array\", ", "items");
	put_ref(b, d, i, ".row");
	str_addc(b, '}');
}

static void put_table(struct str *b, const struct schema_doc *d, size_t i)
{
	const struct schema_table *t = &d->table[i];

	str_adds(b, ",\n  \"");
	put_name(b, d, i, "");
	str_adds(b, "\": {\"type\": \"object\"");
	if (t->doc.title)
		put_described(b, ", ", "title", t->doc.title);
	if (t->about)
		put_described(b, ", ", "description", t->about);
	str_adds(b, ",\n   \"properties\": {\n     \"id\": {\"const\": ");
	put_text(b, t->doc.id);
	str_adds(b,
		"},\n     \"title\": {\"type\": [\"string\", \"null\"]}"
		",\n     \"input\": {\"$ref\": \"#/$defs/any.input\"},\n     ");
	put_columns(b, t);
	put_rows(b, d, i, "rows");
	put_rows(b, d, i, "footer");
	str_adds(b,
		",\n     \"footnote\": {\"type\": [\"string\", \"null\"]}"
		",\n     \"cut\": {\"type\": \"integer\", \"minimum\": 0}}"
		",\n   \"required\": [\"id\", \"title\", \"input\", \"columns\", \"rows\", "
		"\"footer\", \"footnote\", \"cut\"]"
		",\n   \"additionalProperties\": false},\n  \"");
	put_name(b, d, i, ".row");
	str_adds(b, "\": ");
	put_row(b, t);
}

/* The tables of one id, for the first of them: which of their shapes it has. */
static void put_choice(struct str *b, const struct schema_doc *d, size_t i)
{
	size_t k, n = 0;

	str_adds(b, "{\"if\": {\"properties\": {\"id\": {\"const\": ");
	put_text(b, d->table[i].doc.id);
	str_adds(b, "}}}, \"then\": ");
	for (k = i + 1; k < d->ntable; k++)
		n += strcmp(d->table[k].doc.id, d->table[i].doc.id) == 0;
	if (n)
		str_adds(b, "{\"anyOf\": [");
	put_ref(b, d, i, "");
	for (k = i + 1; n && k < d->ntable; k++) {
		if (strcmp(d->table[k].doc.id, d->table[i].doc.id) != 0)
			continue;
		str_adds(b, ", ");
		put_ref(b, d, k, "");
	}
	str_adds(b, n ? "]}}" : "}");
}

static void put_tables(struct str *b, const struct schema_doc *d)
{
	size_t i, n = 0;

	put_member(b, ",\n  ", "tables");
	str_adds(b,
		"{\"type\": \"array\", \"items\": {\"type\": \"object\", \"required\": "
		"[\"id\"],\n   \"properties\": {\"id\": {\"enum\": [");
	for (i = 0; i < d->ntable; i++) {
		if (count_before(d, i))
			continue;
		str_adds(b, n++ ? ", " : "");
		put_text(b, d->table[i].doc.id);
	}
	str_adds(b, "]}}");
	for (i = n = 0; i < d->ntable; i++) {
		if (count_before(d, i))
			continue;
		str_adds(b, n++ ? ",\n    " : ",\n   \"allOf\": [\n    ");
		put_choice(b, d, i);
	}
	str_adds(b, n ? "]}}" : "}}");
}

/* ---- the answer ---- */

static bool is_note_before(const struct schema_doc *d, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (strcmp(d->note[k], d->note[i]) == 0)
			return true;
	return false;
}

static void put_note(struct str *b, const struct schema_doc *d)
{
	static const char *const numbers[] = { "count", "offset", "line" };
	size_t i, n = 0;

	str_adds(b,
		",\n  \"any.note\": {\"type\": \"object\",\n   \"properties\": {\n"
		"     \"level\": {\"enum\": [\"info\", \"warning\", \"error\"]},\n"
		"     \"id\": {\"enum\": [");
	for (i = 0; i < d->nnote; i++) {
		if (is_note_before(d, i))
			continue;
		str_adds(b, n++ ? ", " : "");
		put_text(b, d->note[i]);
	}
	str_adds(b, "]},\n     \"input\": {\"$ref\": \"#/$defs/any.input\"}");
	for (i = 0; i < COUNT_OF(numbers); i++) {
		put_member(b, ",\n     ", numbers[i]);
		str_adds(b, "{\"type\": [\"integer\", \"null\"], \"minimum\": 0}");
	}
	str_adds(b,
		",\n     \"text\": {\"type\": \"string\"}}"
		",\n   \"required\": [\"level\", \"id\", \"input\", \"count\", \"offset\", "
		"\"line\", \"text\"],\n   \"additionalProperties\": false}");
}

static void put_common(struct str *b)
{
	str_adds(b,
		"\n  \"any.input\": {\"description\": \"The place in inputs of what it is about, "
		"from 0; null: all of them.\", \"type\": [\"integer\", \"null\"], \"minimum\": 0},"
		"\n  \"any.column\": {\"type\": \"object\", \"properties\": {\"key\": {\"type\": "
		"\"string\"}, \"title\": {\"type\": [\"string\", \"null\"]}, \"unit\": {\"enum\": "
		"[\"count\", \"ns\", \"bytes\", \"ratio\", \"bytes_per_s\", \"flops\", \"nj\", "
		"null]}},\n   \"required\": [\"key\", \"title\", \"unit\"], "
		"\"additionalProperties\": false}");
}

void schema_put(struct str *b, const struct schema_doc *d)
{
	size_t i;

	put_described(b, "{", "$schema", DRAFT);
	put_described(b, ",\n ", "$id", d->uri);
	put_described(b, ",\n ", "title", d->title);
	put_described(b, ",\n ", "description", d->doc);
	str_adds(b, ",\n \"type\": \"object\",\n \"properties\": {\n  \"schema\": {\"const\": ");
	put_text(b, d->id);
	str_adds(b, "},\n  \"inputs\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}");
	put_tables(b, d);
	put_member(b, ",\n  ", "notes");
	str_adds(b,
		d->nnote ? "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/any.note\"}}}"
			 : "{\"type\": \"array\", \"maxItems\": 0}}");
	str_adds(b,
		",\n \"required\": [\"schema\", \"inputs\", \"tables\", \"notes\"],"
		"\n \"additionalProperties\": false,\n \"$defs\": {");
	put_common(b);
	if (d->nnote)
		put_note(b, d);
	for (i = 0; i < d->ntable; i++)
		put_table(b, d, i);
	str_adds(b, "}}\n");
}
