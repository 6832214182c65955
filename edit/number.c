/* Times as traces write them. */
#include "edit/number.h"

#include <inttypes.h>
#include <stdio.h>

size_t number_us(char to[NUMBER_US_MAX], nsec t)
{
	uint64_t size = t < 0 ? 0 - (uint64_t)t : (uint64_t)t;
	int n = snprintf(to, NUMBER_US_MAX, "%s%" PRIu64 ".%03" PRIu64, t < 0 ? "-" : "",
		size / 1000, size % 1000);

	return (size_t)n;
}

void number_put(struct str *out, const char *key, nsec t)
{
	char text[NUMBER_US_MAX];
	size_t n = number_us(text, t);

	str_addf(out, ", \"%s\": %.*s", key, (int)n, text);
}
