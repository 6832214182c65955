/* JSON: the whole result as one object, nothing rounded, nothing hidden, one row a line, written
 * row by row, so that its memory does not depend on the number of rows; and the JSON Schema of
 * answers. Of that only keywords are used that every validator knows; a member whose value is one
 * of a few is an enum, and no object has a member that is not named. */
#include "report/format/format_json.h"

#include <stdarg.h>

#include "report/cells.h"
#include "report/escape.h"

#define DRAFT "https://json-schema.org/draft/2020-12/schema"

/* JSON as it will stand, but for %q: a text (const char *; NULL: null); %k: a number of which what
 * is below 0 means unknown, null (int64_t); %s: as it is. */
static void put_json(struct str *b, const char *fmt, ...)
{
	const char *end, *text;
	va_list ap;
	int64_t v;

	va_start(ap, fmt);
	for (; (end = strchr(fmt, '%')) != NULL; fmt = end + 2) {
		str_add(b, fmt, (size_t)(end - fmt));
		if (end[1] == 'k') {
			v = va_arg(ap, int64_t);
			str_adds(b, v < 0 ? "null" : "");
			if (v >= 0)
				unit_put_exact(b, v, 0);
			continue;
		}
		text = va_arg(ap, const char *);
		if (end[1] == 'q' && text)
			escape_json(b, span_of(text));
		else
			str_adds(b, end[1] == 'q' ? "null" : text);
	}
	va_end(ap);
	str_adds(b, fmt);
}

/* ---- the answer ---- */

/* JSON has no infinity: null, as for absent. */
static void put_cell(struct str *b, const struct column *c, const union cell *v)
{
	if (!v || (c->type == CELL_REAL && !isfinite(v->r)))
		str_adds(b, "null");
	else if (c->type == CELL_TEXT)
		escape_json(b, v->s);
	else
		cells_put_exact(b, c, v);
}

/* Rows [from, to) as objects, one a line. */
static void put_rows(FILE *out, struct str *b, const struct table *t, size_t from, size_t to)
{
	for (size_t row = from; row < to; row++) {
		str_adds(b, row > from ? ",\n    {" : "\n    {");
		for (size_t i = 0; i < t->ncol; i++) {
			put_json(b, "%s%q: ", i ? ", " : "", t->col[i].key);
			put_cell(b, &t->col[i], table_cell(t, row, i));
		}
		str_addc(b, '}');
		cells_flush(out, b);
	}
}

static void put_table(FILE *out, struct str *b, const struct table *t)
{
	size_t data = t->nrow - t->nfoot;

	put_json(b, "{\"id\": %q, \"title\": %q, \"input\": %k,\n   \"columns\": [", t->id,
		t->title, (int64_t)t->input);
	for (size_t i = 0; i < t->ncol; i++)
		put_json(b, "%s{\"key\": %q, \"title\": %q, \"unit\": %q}",
			i ? ",\n    " : "\n    ", t->col[i].key, t->col[i].title,
			cells_unit_name(t->col[i].unit));
	str_adds(b, "],\n   \"rows\": [");
	put_rows(out, b, t, 0, data);
	str_adds(b, "],\n   \"footer\": [");
	put_rows(out, b, t, data, t->nrow);
	put_json(b, "],\n   \"footnote\": %q, \"cut\": %k}", t->footnote, (int64_t)t->ncut);
	cells_flush(out, b);
}

static enum status put(
	FILE *out, const struct result *r, const struct render *how UNUSED, struct err *e)
{
	SCOPED_STR b = { 0 };

	put_json(&b, "{\"schema\": %q,\n \"inputs\": [", r->schema);
	for (size_t i = 0; i < r->ninput; i++)
		put_json(&b, "%s%q", i ? ", " : "", r->input[i]);
	str_adds(&b, "],\n \"tables\": [");
	for (size_t i = 0; i < r->ntable; i++) {
		str_adds(&b, i ? ",\n  " : "\n  ");
		put_table(out, &b, r->table[i]);
	}
	str_adds(&b, "],\n \"notes\": [");
	for (size_t i = 0; i < r->nnote; i++) {
		str_adds(&b, i ? ",\n  " : "\n  ");
		static const char *const level[] = { "info", "warning", "error" };
		put_json(&b,
			"{\"level\": %q, \"id\": %q, \"input\": %k, \"count\": %k, \"offset\": %k, "
			"\"line\": %k, \"text\": %q}",
			level[r->note[i].level], r->note[i].id, (int64_t)r->note[i].input,
			r->note[i].count, r->note[i].offset, r->note[i].line, r->note[i].text);
		cells_flush(out, &b);
	}
	str_adds(&b, "]}\n");
	cells_flush(out, &b);
	return cells_done(out, e);
}

const struct renderer renderer_json = {
	.name = "json",
	.summary = "one JSON object, exact, in base units",
	.suffix = ".json",
	.shows_notes = true,
	.put = put,
};

/* ---- the schema: columns ---- */

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
	str_adds(b, ", \"enum\": [");
	for (struct span word; span_words(&words, &word);) {
		if (word.n == 0)
			continue;
		escape_json(b, word);
		str_adds(b, ", ");
	}
	str_adds(b, "null]");
}

/* What a cell of the column can be: a value that is not known is null. */
static void put_type(struct str *b, const struct column *c)
{
	const char *unit = cells_unit_name(c->unit);
	struct str doc = { 0 };

	str_adds(&doc, c->doc);
	if (unit)
		str_addf(&doc, " Unit: %s.", unit);
	if (c->is_optional)
		str_adds(&doc, " Some answers have no such column.");
	put_json(b, "{\"title\": %q, \"description\": %q, \"type\": [%q, \"null\"]", cells_title(c),
		doc.s, type_word(c->type));
	str_free(&doc);
	if (c->words)
		put_words(b, c->words);
	if (c->pattern)
		put_json(b, ", \"pattern\": %q", c->pattern);
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
	for (size_t k = 0; k < i; k++)
		if (same_unit(&t->col[k], &t->col[i]))
			return;
	put_json(b, "%s{\"properties\": {\"key\": {\"enum\": [",
		(*nunit)++ ? ",\n       " : "\n       ");
	for (size_t k = i; k < t->ncol; k++)
		if (same_unit(&t->col[k], &t->col[i]))
			put_json(b, "%s%q", k > i ? ", " : "", t->col[k].key);
	put_json(b, "]}, \"unit\": {\"const\": %q}}}", cells_unit_name(t->col[i].unit));
}

/* The list of columns: which key has which unit. */
static void put_columns(struct str *b, const struct schema_table *t)
{
	size_t nunit = 0;

	str_adds(b,
		"\"columns\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/any.column\"");
	if (!t->more && t->doc.ncol > 0) {
		str_adds(b, ",\n      \"anyOf\": [");
		for (size_t i = 0; i < t->doc.ncol; i++)
			put_unit(b, &t->doc, i, &nunit);
		str_addc(b, ']');
	}
	str_adds(b, "}}");
}

/* ---- tables ---- */

/* One of its rows: all columns there are. */
static void put_row(struct str *b, const struct schema_table *t)
{
	size_t n = 0;

	str_adds(b, "{\"type\": \"object\", \"minProperties\": 1,\n   \"properties\": {");
	for (size_t i = 0; i < t->doc.ncol; i++) {
		put_json(b, "%s%q: ", i ? ",\n    " : "\n    ", t->doc.col[i].key);
		put_type(b, &t->doc.col[i]);
	}
	str_adds(b, "},\n   \"required\": [");
	for (EACH(const struct column, column, t->doc.col, t->doc.ncol))
		if (!column->is_optional)
			put_json(b, "%s%q", n++ ? ", " : "", column->key);
	str_adds(b, "],\n   \"additionalProperties\": ");
	if (t->more && t->more->type == CELL_TEXT)
		put_json(b, "{\"description\": %q, \"type\": [\"number\", \"string\", \"null\"]}",
			t->more->doc);
	else if (t->more)
		put_type(b, t->more);
	else
		str_adds(b, "false");
	str_addc(b, '}');
}

/* How many tables before it have its id. */
static size_t count_before(const struct schema_doc *d, size_t i)
{
	return SUM(size_t, k, i, strcmp(d->table[k].doc.id, d->table[i].doc.id) == 0);
}

/* "ops", "ops.2" */
static void put_name(struct str *b, const struct schema_doc *d, size_t i, const char *part)
{
	size_t before = count_before(d, i);

	str_adds(b, d->table[i].doc.id);
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

static void put_list(struct str *b, const struct schema_doc *d, size_t i, const char *key)
{
	put_json(b, ",\n     %q: {\"type\": \"array\", \"items\": ", key);
	put_ref(b, d, i, ".row");
	str_addc(b, '}');
}

static void put_shape(struct str *b, const struct schema_doc *d, size_t i)
{
	const struct schema_table *t = &d->table[i];

	str_adds(b, ",\n  \"");
	put_name(b, d, i, "");
	str_adds(b, "\": {\"type\": \"object\"");
	if (t->doc.title)
		put_json(b, ", \"title\": %q", t->doc.title);
	if (t->about)
		put_json(b, ", \"description\": %q", t->about);
	put_json(b,
		",\n   \"properties\": {\n     \"id\": {\"const\": %q"
		"},\n     \"title\": {\"type\": [\"string\", \"null\"]}"
		",\n     \"input\": {\"$ref\": \"#/$defs/any.input\"},\n     ",
		t->doc.id);
	put_columns(b, t);
	put_list(b, d, i, "rows");
	put_list(b, d, i, "footer");
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
	size_t n = 0;

	put_json(b, "{\"if\": {\"properties\": {\"id\": {\"const\": %q}}}, \"then\": ",
		d->table[i].doc.id);
	for (size_t k = i + 1; k < d->ntable; k++)
		n += strcmp(d->table[k].doc.id, d->table[i].doc.id) == 0;
	if (n)
		str_adds(b, "{\"anyOf\": [");
	put_ref(b, d, i, "");
	for (size_t k = i + 1; n && k < d->ntable; k++) {
		if (strcmp(d->table[k].doc.id, d->table[i].doc.id) != 0)
			continue;
		str_adds(b, ", ");
		put_ref(b, d, k, "");
	}
	str_adds(b, n ? "]}}" : "}");
}

/* ---- notes, and the whole ---- */

static void put_notes(struct str *b, const struct schema_doc *d)
{
	static const char *const numbers[] = { "count", "offset", "line" };
	size_t n = 0;

	str_adds(b,
		",\n  \"any.note\": {\"type\": \"object\",\n   \"properties\": {\n"
		"     \"level\": {\"enum\": [\"info\", \"warning\", \"error\"]},\n"
		"     \"id\": {\"enum\": [");
	for (size_t i = 0; i < d->nnote; i++)
		if (!ANY(k, i, strcmp(d->note[k], d->note[i]) == 0))
			put_json(b, "%s%q", n++ ? ", " : "", d->note[i]);
	str_adds(b, "]},\n     \"input\": {\"$ref\": \"#/$defs/any.input\"}");
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		put_json(b, ",\n     %q: {\"type\": [\"integer\", \"null\"], \"minimum\": 0}",
			numbers[i]);
	str_adds(b,
		",\n     \"text\": {\"type\": \"string\"}}"
		",\n   \"required\": [\"level\", \"id\", \"input\", \"count\", \"offset\", "
		"\"line\", \"text\"],\n   \"additionalProperties\": false}");
}

void schema_put(struct str *b, const struct schema_doc *d)
{
	put_json(b,
		"{\"$schema\": %q,\n \"$id\": %q,\n \"title\": %q,\n \"description\": %q"
		",\n \"type\": \"object\",\n \"properties\": {\n  \"schema\": {\"const\": %q"
		"},\n  \"inputs\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}",
		DRAFT, d->uri, d->title, d->doc, d->id);
	size_t n = 0;
	str_adds(b,
		",\n  \"tables\": {\"type\": \"array\", \"items\": {\"type\": \"object\", "
		"\"required\": [\"id\"],\n   \"properties\": {\"id\": {\"enum\": [");
	for (size_t i = 0; i < d->ntable; i++)
		if (!count_before(d, i))
			put_json(b, "%s%q", n++ ? ", " : "", d->table[i].doc.id);
	str_adds(b, "]}}");
	for (size_t i = n = 0; i < d->ntable; i++) {
		if (count_before(d, i))
			continue;
		str_adds(b, n++ ? ",\n    " : ",\n   \"allOf\": [\n    ");
		put_choice(b, d, i);
	}
	str_adds(b, n ? "]}}" : "}}");
	put_json(b,
		",\n  \"notes\": {\"type\": \"array\", %s}}"
		",\n \"required\": [\"schema\", \"inputs\", \"tables\", \"notes\"],"
		"\n \"additionalProperties\": false,\n \"$defs\": {",
		d->nnote ? "\"items\": {\"$ref\": \"#/$defs/any.note\"}" : "\"maxItems\": 0");
	str_adds(b,
		"\n  \"any.input\": {\"description\": \"The place in inputs of what it is about, "
		"from 0; null: all of them.\", \"type\": [\"integer\", \"null\"], \"minimum\": 0},"
		"\n  \"any.column\": {\"type\": \"object\", \"properties\": {\"key\": {\"type\": "
		"\"string\"}, \"title\": {\"type\": [\"string\", \"null\"]}, \"unit\": {\"enum\": "
		"[\"count\", \"ns\", \"bytes\", \"ratio\", \"bytes_per_s\", \"flops\", \"nj\", "
		"null]}},\n   \"required\": [\"key\", \"title\", \"unit\"], "
		"\"additionalProperties\": false}");
	if (d->nnote)
		put_notes(b, d);
	for (size_t i = 0; i < d->ntable; i++)
		put_shape(b, d, i);
	str_adds(b, "}}\n");
}
