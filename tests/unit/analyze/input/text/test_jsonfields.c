/* Scalars of an object: by key and by what they are in, whatever stands between them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "analyze/input/text/jsonfields.h"
#include "base/compiler.h"

static const struct json_field fields[] = {
	{ "", "a" },
	{ "in", "a" },
	{ "", "text" },
	{ "deep", "x" },
};
enum { FIELDS = COUNT_OF(fields) };

static void fields_found(void **state)
{
	static const char text[] =
		" { \"text\" : \"a\\\"}\", \"list\": [{\"a\": 5}, \"]\"], \"in\": {\"a\": -2e3 , "
		"\"deep\": {\"x\": true}}, \"a\":1,\"a\": 7 }";
	struct json_value v[FIELDS];

	(void)state;
	assert_true(json_fields(span_of(text), fields, FIELDS, v));
	assert_true(v[0].type == JSON_NUMBER && span_is(v[0].text, "7"));
	assert_true(v[1].type == JSON_NUMBER && span_is(v[1].text, "-2e3"));
	assert_true(v[2].type == JSON_STRING && v[2].escaped && span_is(v[2].text, "a\\\"}"));
	assert_true(v[3].type == JSON_WORD && span_is(v[3].text, "true"));
	assert_true(json_fields(SPAN("{}"), fields, FIELDS, v));
	assert_int_equal(v[0].type, JSON_NONE);
	assert_true(json_fields(SPAN("{\"a\0bcdefgh\":1,\"te\":2}"), fields, FIELDS, v));
	assert_int_equal(v[2].type, JSON_NONE);
	assert_int_equal(v[0].type, JSON_NONE);
}

static void fields_malformed(void **state)
{
	static const char *const texts[] = { "", "[]", "{", "{\"a\"", "{\"a\":", "{\"a\":}",
		"{\"a\":1", "{a:1}", "{\"a\" 1}", "{\"a\":\"x", "{\"a\":[1}", "{\"in\":{\"a\":1}",
		"{\"a\":1,[\"b\"]:2}" };
	struct json_value v[FIELDS];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(texts); i++)
		assert_false(json_fields(span_of(texts[i]), fields, FIELDS, v));
}

static void fields_deep(void **state)
{
	struct json_value v[FIELDS];
	SCOPED_STR text = { 0 };
	size_t depth, i;

	(void)state;
	for (depth = 1; depth < 2 * JSON_FIELDS_DEPTH; depth++) {
		str_reset(&text);
		for (i = 0; i < depth; i++)
			str_adds(&text, "{\"x\":");
		str_adds(&text, "1");
		for (i = 0; i < depth; i++)
			str_addc(&text, '}');
		assert_int_equal(json_fields((struct span){ text.s, text.n }, fields, FIELDS, v),
			depth <= JSON_FIELDS_DEPTH);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_found),
		cmocka_unit_test(fields_malformed),
		cmocka_unit_test(fields_deep),
	};

	return cmocka_run_group_tests_name("jsonfields", tests, NULL, NULL);
}
