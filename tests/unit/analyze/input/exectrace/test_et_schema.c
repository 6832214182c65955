/* What schemas say of arguments and results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/input/exectrace/et_uses.h"

static void arg_is(struct et_schema *s, enum et_alias alias, const char *name)
{
	struct et_arg arg;

	assert_true(et_schema_arg(s, &arg));
	assert_int_equal(arg.alias, alias);
	assert_true(span_is(arg.name, name));
}

static void et_schema_in_place(void **state)
{
	struct et_schema s;
	struct et_arg arg;

	(void)state;
	assert_true(et_schema_open(&s,
		SPAN("aten::_foreach_add_.Scalar(Tensor(a!)[] self, int[2] by=[1, 1], *, "
		     "Scalar alpha=1, Tensor(b -> *) view, Tensor? t) -> ()")));
	arg_is(&s, ET_ALIAS_WRITE, "self");
	arg_is(&s, ET_ALIAS_NONE, "by");
	arg_is(&s, ET_ALIAS_NONE, "alpha");
	arg_is(&s, ET_ALIAS_VIEW, "view");
	arg_is(&s, ET_ALIAS_NONE, "t");
	assert_false(et_schema_arg(&s, &arg));
}

static void et_schema_that_is_none(void **state)
{
	static const char *const texts[] = { "", "x", "(", "x(a", "x(a))", "x(a) b", "x(a]" };
	struct et_schema s;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(texts); i++)
		assert_false(et_schema_open(&s, span_of(texts[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(et_schema_in_place),
		cmocka_unit_test(et_schema_that_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
