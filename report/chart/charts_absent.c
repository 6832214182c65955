/*
 * Charts of the field that are not drawn, and why: so that who looks for one is told.
 */
#include "base/compiler.h"
#include "report/chart/charts.h"

static const struct chart_absent absent[] = {
	{ "sequences", "Most frequent sequences of kernels",
		"no analysis counts sequences; 'traceq stacks' has kernels by what launched them" },
};

const struct chart_absent *chart_absent_all(size_t *n)
{
	*n = COUNT_OF(absent);
	return absent;
}
