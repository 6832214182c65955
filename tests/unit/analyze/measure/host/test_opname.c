/* Names of the same work in two runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/job/digest/digest_gather.h"

static void check(const char *name, const char *want)
{
	SCOPED_STR b = { 0 };

	str_adds(&b, "");
	opname_normal(&b, span_of(name));
	assert_string_equal(b.s, want);
}

static void test_numbers(void **state)
{
	(void)state;
	check("void f<float, 512, 6, false>(int, float const*)",
		"void f<float, #, #, false>(int, float const*)");
	check("g<(int)4, 2ul, Op<std::array<char*, 3ul>>>",
		"g<(int)#, #, Op<std::array<char*, #>>>");
	/* Not in a template, part of a word, or no whole number: kept. */
	check("ampere_sgemm_128x64_tn", "ampere_sgemm_128x64_tn");
	check("k<Kernel128, f16, 1.5, 64x64>", "k<Kernel128, f16, 1.5, 64x64>");
	check("triton_red_fused_softmax_3", "triton_red_fused_softmax_3");
	check("a > b 7", "a > b 7");
}

static void test_addresses(void **state)
{
	(void)state;
	check("<built-in method run of X object at 0x7f3c12ab>",
		"<built-in method run of X object at 0x*>");
	check("0x12", "0x12");
	check("a0x12345678", "a0x12345678");
	check("ProfilerStep#1012", "ProfilerStep#*");
	check("", "");
}

/* Any bytes: nothing is read beyond the end, and the same name gives the same text. */
static void test_cut(void **state)
{
	static const char name[] = "k<0x7f001122, 12ul, <<>> 0x";
	size_t n;

	(void)state;
	for (n = 0; n < sizeof(name); n++) {
		struct str a = { 0 };

		opname_normal(&a, (struct span){ name, n });
		assert_true(a.n <= n);
		str_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
