/*
 * The list of tools, as an agent reads it: JSON Schema of their arguments (draft 2020-12).
 */
#include <string.h>

#include "cmd/mcp/toolbox.h"
#include "report/escape.h"
#include "report/format/excerpt.h"

static void put_text(struct str *b, const char *s)
{
	escape_json(b, span_of(s));
}

/* "key": behind a comma where a member stands before. */
static void put_key(struct str *b, const char *key)
{
	if (b->s[b->n - 1] != '{')
		str_addc(b, ',');
	put_text(b, key);
	str_addc(b, ':');
}

static void put_named(struct str *b, const char *key, const char *text)
{
	put_key(b, key);
	put_text(b, text);
}

/* Words "a|b|c" as strings. */
static void put_words(struct str *b, const char *words)
{
	size_t n;

	str_addc(b, '[');
	for (; *words; words += n + (words[n] == '|')) {
		n = strcspn(words, "|");
		if (b->s[b->n - 1] != '[')
			str_addc(b, ',');
		escape_json(b, (struct span){ words, n });
	}
	str_addc(b, ']');
}

/* What an option means, and what its value looks like. */
static void put_doc(struct str *b, const struct opt *o)
{
	struct str doc = { 0 };

	if (o->arg)
		str_addf(&doc, "%s: ", o->arg);
	str_adds(&doc, o->help);
	if (o->choices && o->type != OPT_CHOICE)
		str_addf(&doc, " (%s)", o->choices);
	put_named(b, "description", doc.s);
	str_free(&doc);
}

static void put_option(struct str *b, const struct opt *o)
{
	put_key(b, o->name);
	str_addc(b, '{');
	switch (o->type) {
	case OPT_FLAG: put_named(b, "type", "boolean"); break;
	case OPT_INT:
		put_named(b, "type", "integer");
		put_key(b, "minimum");
		str_addc(b, '0');
		break;
	case OPT_TEXT: put_named(b, "type", "string"); break;
	case OPT_CHOICE:
		put_named(b, "type", "string");
		put_key(b, "enum");
		put_words(b, o->choices);
		break;
	case OPT_LIST:
		put_named(b, "type", "array");
		put_key(b, "items");
		str_adds(b, "{\"type\":\"string\"}");
		break;
	}
	put_doc(b, o);
	str_addc(b, '}');
}

static void put_argument(struct str *b, const struct tool_argument *a)
{
	put_key(b, a->name);
	str_addc(b, '{');
	put_named(b, "type", a->is_list ? "array" : "string");
	if (a->is_list) {
		put_key(b, "items");
		str_adds(b, "{\"type\":\"string\"}");
		put_key(b, "minItems");
		str_addc(b, '1');
	}
	put_named(b, "description", a->doc);
	str_addc(b, '}');
}

/* How much of the tables, and which part. */
static void put_paging(struct str *b)
{
	put_key(b, TOOL_LIMIT);
	str_addf(b, "{\"type\":\"integer\",\"minimum\":1,\"maximum\":%d,", (int)EXCERPT_ROWS_MAX);
	str_addf(b, "\"description\":\"rows of each table [%d]\"}", (int)EXCERPT_ROWS);
	put_key(b, TOOL_CURSOR);
	str_adds(b,
		"{\"type\":\"string\",\"description\":\"next_cursor of a table in the answer to "
		"the same arguments: its next rows alone\"}");
}

static void put_schema(struct str *b, const struct tool *t)
{
	const struct tool_argument *a, *all = tool_arguments(t->kind);
	size_t i;

	put_key(b, "inputSchema");
	str_adds(b, "{\"type\":\"object\",\"properties\":{");
	for (a = all; *a->name; a++)
		put_argument(b, a);
	if (tool_has_tables(t))
		put_paging(b);
	for (i = 0; i < t->noption; i++)
		put_option(b, t->option[i].opt);
	str_adds(b, "},\"required\":[");
	for (a = all; *a->name; a++) {
		str_adds(b, a > all ? "," : "");
		put_text(b, a->name);
	}
	str_adds(b, "],\"additionalProperties\":false}");
}

/* The summary, and the first paragraph of what the manual says. */
static void put_description(struct str *b, const struct verb *v)
{
	const char *end = v->doc ? strstr(v->doc, "\n\n") : NULL;
	struct str text = { 0 };
	size_t i;

	str_addf(&text, "%s.", v->summary);
	if (v->doc) {
		str_addc(&text, ' ');
		str_add(&text, v->doc, end ? (size_t)(end - v->doc) : strlen(v->doc));
	}
	for (i = 0; i < text.n; i++)
		if (text.s[i] == '\n')
			text.s[i] = ' ';
	put_named(b, "description", text.s);
	str_free(&text);
}

static void put_tool(struct str *b, const struct tool *t)
{
	bool is_reader = t->kind != TOOL_TRACE;

	str_addc(b, '{');
	put_named(b, "name", t->verb.name);
	put_description(b, &t->verb);
	put_schema(b, t);
	put_key(b, "annotations");
	str_addf(b,
		"{\"readOnlyHint\":%s,\"destructiveHint\":false,\"idempotentHint\":%s,"
		"\"openWorldHint\":false}}",
		is_reader ? "true" : "false", is_reader ? "true" : "false");
}

void toolbox_describe(const struct commands *all, struct str *out)
{
	struct tool t;
	size_t i;

	str_adds(out, "{\"tools\":[");
	for (i = 0; tool_get(all, i, &t); i++) {
		str_adds(out, i ? "," : "");
		put_tool(out, &t);
	}
	str_adds(out, "]}");
}
