/* Memory that is there, or the program ends. */
#include "base/xalloc.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io_temp.h"

void *xmalloc(size_t n)
{
	return xrealloc(NULL, n);
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);
	size_t bytes;

	if (!p)
		die_oom(mul_overflows(n, size, &bytes) ? SIZE_MAX : bytes);
	return p;
}

void *xrealloc(void *p, size_t n)
{
	void *q = realloc(p, n ? n : 1);

	if (!q)
		die_oom(n);
	return q;
}

char *xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *copy = xmalloc(len + 1);

	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

/* Out of memory: no caller could do anything sensible, so the program ends here, with exit status 2
 * ("no answer"), by plain write(2) since stdio may need memory itself. */

void die_oom(size_t wanted_bytes)
{
	char line[96];
	int n = snprintf(
		line, sizeof(line), DIE_OOM_WORDS " (%zu more bytes wanted)\n", wanted_bytes);

	io_temp_drop_all();
	if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
		_exit(2);
	_exit(2);
}
