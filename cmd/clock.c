/* The time of day. */
#include "cmd/clock.h"

#include <time.h>

int64_t clock_now(void)
{
	const char *fixed = getenv("SOURCE_DATE_EPOCH");
	char *end;
	long long s = fixed ? strtoll(fixed, &end, 10) : 0;

	return fixed && *fixed && !*end ? s : (int64_t)time(NULL);
}

int64_t clock_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
