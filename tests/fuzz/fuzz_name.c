/* Names of kernels: any bytes give a text that is no wider than asked, and names of one table that
 * differ are written differently.  The first byte is the width; names are lines. */
#include <stdint.h>
#include <stdlib.h>

#include "base/name/demangle.h"
#include "base/name/name.h"
#include "base/width.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NAMES_MAX = 40, WIDTH_MIN = 8 };

static void check_alone(struct span name, size_t width)
{
	struct str b = { 0 };

	name_shorten(&b, name, width, true);
	if (width_of((struct span){ b.s, b.n }) > width)
		abort();
	str_free(&b);
	(void)demangle(&b, name);
	str_free(&b);
}

static void check_together(const struct span *name, size_t n, size_t width)
{
	SCOPED_ARENA mem = { 0 };
	const struct span *text;
	size_t i, j;

	text = names_shorten(&mem, name, n, width, width % 2);
	for (i = 0; i < n; i++) {
		if (width_of(text[i]) > width)
			abort();
		for (j = 0; j < i; j++)
			if (span_eq(name[i], name[j]) != span_eq(text[i], text[j]))
				abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span name[NAMES_MAX];
	const char *s = (const char *)data;
	size_t width, from, to, n = 0;

	if (size == 0)
		return 0;
	width = data[0] % 150;
	for (from = 1; from < size && n < NAMES_MAX; from = to + 1) {
		for (to = from; to < size && s[to] != '\n'; to++)
			continue;
		name[n++] = (struct span){ s + from, to - from };
	}
	for (from = 0; from < n; from++)
		check_alone(name[from], width);
	check_together(name, n, width < WIDTH_MIN ? WIDTH_MIN : width);
	return 0;
}
