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
