/* Words that stay and words that do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "edit/disguise.h"

/* What a text becomes; its private words are noted first, in their order. */
static void becomes(struct disguise *d, const char *text, const char *want)
{
	struct disguise_reader r = { .text = span_of(text) };
	struct disguise_piece piece;
	SCOPED_STR out = { 0 };

	while (disguise_next(d, &r, &piece))
		if (piece.is_private)
			disguise_note(d, piece.text);
	disguise_put(d, span_of(text), false, &out);
	str_addc(&out, '\0');
	assert_string_equal(out.s, want);
}

static void words(void **state)
{
	static const char *const cases[][2] = {
		{ "", "" },
		{ "aten::mm", "aten::mm" },
		{ "mylib::mm", "w1::mm" },
		{ "autograd::engine::evaluate_function: AddmmBackward0",
			"autograd::engine::evaluate_function: AddmmBackward0" },
		{ "MyFunctionBackward", "w2" },
		{ "ProfilerStep#12", "ProfilerStep#12" },
		{ "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
			"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__" },
		{ "nn.Module: Linear_0", "nn.Module: Linear_0" },
		{ "nn.Module: MyModel_0", "nn.Module: w3_0" },
		{ "/home/alice/x.py(12): forward", "/home/w4/x.py(12): forward" },
		{ "execute_new_5_cached_0", "execute_new_5_cached_0" },
		{ "stream 7 (2)", "stream 7 (2)" },
		{ "0x7f3a 12 1e-05 80GB", "0x7f3a 12 1e-05 80GB" },
		{ "10.1.2.3:29500", "w5:29500" },
		{ "8b4c1f0e-77d2-4a10-9a", "w6" },
		{ "alice", "w4" },
		{ "w5", "w7" },
		{ "3alice", "w8" },
		{ "m\xc3\xbcller", "w9" },
		{ "__", "__" },
		{ "aten::", "aten::" },
	};
	struct disguise *d = disguise_new();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		becomes(d, cases[i][0], cases[i][1]);
	assert_int_equal(disguise_count(d), 9);
	assert_true(disguise_is_public(d, span_of("schemaVersion")));
	assert_false(disguise_is_public(d, span_of("alice")));
	disguise_free(d);
}

/* Models of devices are public where it is about devices, and only there. */
static void devices(void **state)
{
	struct disguise *d = disguise_new();
	SCOPED_STR out = { 0 };

	(void)state;
	disguise_put(d, span_of("NVIDIA H200 141GB"), true, &out);
	str_addc(&out, '\0');
	assert_string_equal(out.s, "NVIDIA H200 141GB");
	assert_false(disguise_is_public(d, span_of("H200")));
	disguise_keep(d, span_of("my kernel"));
	assert_true(disguise_keeps(d, span_of("my kernel")));
	assert_false(disguise_keeps(d, span_of("my")));
	disguise_free(d);
	disguise_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
