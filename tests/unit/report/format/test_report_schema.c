/* JSON Schema of a small answer, letter by letter: two shapes of one table, words, a pattern, a
 * column that may be missing, and columns that nobody knows before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "report/format/format_json.h"

static const struct column ops[] = {
	{ .key = "name", .title = "op \"x\"", .doc = "What.", .pattern = "^\\d+$" },
	{ .key = "self_ns", .doc = "How long.", .type = CELL_INT, .unit = UNIT_NS },
	{ .key = "state", .title = "state", .doc = "How.", .words = "|pass|fail|" },
	{ .key = "mean_ns",
		.title = "avg",
		.doc = "Mean.",
		.type = CELL_REAL,
		.unit = UNIT_NS,
		.is_optional = true },
};
static const struct column more = { .title = "figure", .doc = "Any.", .type = CELL_BOOL };

static char *text_of(const struct schema_doc *d)
{
	struct str b = { 0 };

	schema_put(&b, d);
	return b.s;
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("not there: %s\nin: %s", part, text);
}

static void columns_of_a_row(void **state)
{
	const struct schema_table t = { { "ops", "the ops", ops, COUNT_OF(ops) }, NULL, NULL };
	const char *const notes[] = { "no_steps", "twice", "no_steps" };
	char *s = text_of(
		&(struct schema_doc){ "traceq.x/1", "urn:x:1", "x", "An x.", &t, 1, notes, 3 });

	(void)state;
	expect(s,
		"{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n \"$id\": "
		"\"urn:x:1\",\n \"title\": \"x\",\n \"description\": \"An x.\",\n");
	expect(s,
		"\"name\": {\"title\": \"op \\\"x\\\"\", \"description\": \"What.\", \"type\": "
		"[\"string\", \"null\"], \"pattern\": \"^\\\\d+$\"},\n");
	expect(s,
		"\"self_ns\": {\"title\": \"self_ns\", \"description\": \"How long. Unit: ns.\", "
		"\"type\": [\"integer\", \"null\"]},\n");
	expect(s,
		"\"state\": {\"title\": \"state\", \"description\": \"How.\", \"type\": "
		"[\"string\", \"null\"], \"enum\": [\"pass\", \"fail\", null]},\n");
	expect(s,
		"\"mean_ns\": {\"title\": \"avg\", \"description\": \"Mean. Unit: ns. Some answers "
		"have no such column.\", \"type\": [\"number\", \"null\"]}},\n");
	expect(s,
		"\"required\": [\"name\", \"self_ns\", \"state\"],\n   \"additionalProperties\": "
		"false}");
	expect(s,
		"{\"properties\": {\"key\": {\"enum\": [\"name\", \"state\"]}, \"unit\": {\"const\": "
		"null}}}");
	expect(s,
		"{\"properties\": {\"key\": {\"enum\": [\"self_ns\", \"mean_ns\"]}, \"unit\": "
		"{\"const\": \"ns\"}}}");
	expect(s, "\"id\": {\"enum\": [\"no_steps\", \"twice\"]}");
	assert_string_equal(s + strlen(s) - 2, "}\n");
	free(s);
}

static void tables_of_one_id(void **state)
{
	const struct schema_table t[] = {
		{ { "ops", NULL, ops, 1 }, NULL, NULL },
		{ { "runs", NULL, ops, 1 }, NULL, &more },
		{ { "ops", NULL, ops + 1, 1 }, "of ranks", NULL },
	};
	char *s = text_of(
		&(struct schema_doc){ "traceq.x/1", "urn:x:1", "x", "", t, COUNT_OF(t), NULL, 0 });

	(void)state;
	expect(s, "\"id\": {\"enum\": [\"ops\", \"runs\"]}");
	expect(s,
		"{\"if\": {\"properties\": {\"id\": {\"const\": \"ops\"}}}, \"then\": {\"anyOf\": "
		"[{\"$ref\": \"#/$defs/ops\"}, {\"$ref\": \"#/$defs/ops.2\"}]}},\n");
	expect(s,
		"{\"if\": {\"properties\": {\"id\": {\"const\": \"runs\"}}}, \"then\": {\"$ref\": "
		"\"#/$defs/runs\"}}]}}");
	expect(s, "\"ops.2\": {\"type\": \"object\", \"description\": \"of ranks\",\n");
	expect(s, "\"items\": {\"$ref\": \"#/$defs/ops.2.row\"}");
	expect(s,
		"\"additionalProperties\": {\"title\": \"figure\", \"description\": \"Any.\", "
		"\"type\": [\"boolean\", \"null\"]}}");
	expect(s, "\"notes\": {\"type\": \"array\", \"maxItems\": 0}}");
	assert_null(strstr(s, "any.note"));
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_of_a_row),
		cmocka_unit_test(tables_of_one_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
