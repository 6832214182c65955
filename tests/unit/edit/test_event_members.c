/* edit/event_members: members of events as they are written, hostile ones too; what is not touched
 * stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "edit/event_members.h"

/* What p makes of itself is `want`. */
static void puts_to(const struct parts *p, const char *want)
{
	SCOPED_STR out = { 0 };

	parts_put(p, &out);
	assert_string_equal(out.s, want);
}

static void untouched(void **state)
{
	static const char *const texts[] = {
		"{\"a\":1}",
		"{ \"a\" : 1 ,\n\t\"b\" : \"x\" }",
		"{\"a\":{\"b\":[1,{\"c\":\"}\"}]},\"d\":null}",
		"{\"a\":\"\\\"\\\\\",\"b\":\"\\u00e9\\ud83d\\ude00\"}",
		"{\"a\":1,\"a\":2}",
		"{\"\":\"\"}",
	};
	struct parts p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_true(parts_read(&p, span_of(texts[i])));
		puts_to(&p, texts[i]);
	}
}

static void changed(void **state)
{
	struct parts p;

	(void)state;
	assert_true(parts_read(&p, span_of("{ \"a\": 1, \"b\": \"x\", \"c\": [2] }")));
	assert_int_equal(p.n, 3);
	assert_true(span_is(parts_find(&p, "b")->value, "\"x\""));
	assert_true(span_is(parts_text(&p, "b"), "x"));
	assert_true(span_is(parts_text(&p, "c"), "[2]"));
	assert_null(parts_text(&p, "d").p);
	parts_find(&p, "b")->with = span_of("\"longer\"");
	puts_to(&p, "{ \"a\": 1, \"b\": \"longer\", \"c\": [2] }");
	parts_find(&p, "b")->is_gone = true;
	puts_to(&p, "{ \"a\": 1, \"c\": [2] }");
	p.added = span_of("\"z\": 0");
	puts_to(&p, "{ \"a\": 1, \"c\": [2], \"z\": 0 }");
	parts_find(&p, "a")->is_gone = true; /* no comma stands before the first */
	puts_to(&p, "{\"c\": [2], \"z\": 0 }");
	parts_find(&p, "c")->is_gone = true;
	puts_to(&p, "{\"z\": 0 }");
	p.added = (struct span){ 0 };
	puts_to(&p, "{ }");
}

/* As many members as there is room for, and one more. */
static void limits(void **state)
{
	SCOPED_STR t = { 0 };
	struct parts p;
	int n, i;

	(void)state;
	for (n = PARTS_MAX; n <= PARTS_MAX + 1; n++) {
		t.n = 0;
		for (i = 0; i < n; i++)
			str_addf(&t, "%c\"k%d\":%d", i ? ',' : '{', i, i);
		str_addc(&t, '}');
		assert_int_equal(parts_read(&p, (struct span){ t.s, t.n }), n == PARTS_MAX);
	}
	assert_int_equal(p.n, PARTS_MAX);
}

static void no_members(void **state)
{
	struct parts p;

	(void)state;
	assert_false(parts_read(&p, span_of("{}")));
	assert_false(parts_read(&p, span_of("{")));
	assert_false(parts_read(&p, span_of("")));
	assert_false(parts_read(&p, span_of("[1]")));
	assert_false(parts_read(&p, span_of("3")));
}

/* Cut at every byte, in a block of its own: nothing behind it is looked at. */
static void cut_off(void **state)
{
	static const char text[] =
		"{\"a\\\"\" : \"x\\u00e9\", \"id\":\"0x1\", \"args\": {\"b\": [1, \"}\"]}, \"id\": -2e5 }";
	struct parts p;
	size_t n;

	(void)state;
	for (n = 1; n < sizeof(text); n++) {
		char *own = malloc(n);
		struct span t = { own, n };

		assert_non_null(own);
		memcpy(own, text, n);
		if (parts_read(&p, t)) {
			struct str out = { 0 };

			parts_put(&p, &out);
			assert_int_equal(out.n, n);
			assert_memory_equal(out.s, own, n);
			str_free(&out);
		}
		(void)parts_id(t);
		free(own);
	}
}

/* The short way and the long one say the same. */
static void ids(void **state)
{
	static const struct {
		const char *text, *id; /* NULL: none */
	} v[] = {
		{ "{\"ph\":\"s\",\"id\":17}", "17" },
		{ "{\"id\":\"0x1f\",\"ph\":\"s\"}", "0x1f" },
		{ "{\"ph\":\"s\",\"id\" : 17}", "17" },
		{ "{\"args\":{\"id\":1},\"id\":2}", "2" },
		{ "{\"args\":{\"id\":1}}", NULL },
		{ "{\"name\":\"\\\"id\\\":5\",\"id\":6}", "6" },
		{ "{\"name\":\"\\\"id\\\":5\"}", NULL },
		{ "{\"bind_id\":4}", NULL },
		{ "{\"id\":1,\"id\":2}", "1" },
		{ "{\"id\":}", NULL },
		{ "{\"id\":", NULL },
		{ "", NULL },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct span id = parts_id(span_of(v[i].text));

		if (v[i].id)
			assert_true(span_is(id, v[i].id));
		else
			assert_int_equal(id.n, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(untouched),
		cmocka_unit_test(changed),
		cmocka_unit_test(limits),
		cmocka_unit_test(no_members),
		cmocka_unit_test(cut_off),
		cmocka_unit_test(ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
