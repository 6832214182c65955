/*
 * Messages to stderr.
 */
#include "capture/inject/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void inject_say(const char *fmt, ...)
{
	static const char head[] = "traceq: capture: ";
	int saved = errno, k;
	char text[2048];
	size_t n = sizeof(head) - 1, i;
	va_list ap;

	memcpy(text, head, n);
	va_start(ap, fmt);
	k = vsnprintf(text + n, sizeof(text) - n - 1, fmt, ap);
	va_end(ap);
	if (k > 0)
		n += (size_t)k < sizeof(text) - n - 1 ? (size_t)k : sizeof(text) - n - 2;
	for (i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
	text[n++] = '\n';
	while (write(STDERR_FILENO, text, n) < 0 && errno == EINTR)
		;
	errno = saved;
}
