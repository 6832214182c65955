/*
 * Messages to stderr.
 */
#include "capture/inject/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Bytes at p that must not reach a terminal or a CI server's log: a control (C0, DEL, C1), a mark
 * of direction or without width (U+200B to 200F, 2028 to 202E, 2060 to 206F, FEFF), the first of
 * "##". The same rule as the answers' own, which this library does not link.
 */
static size_t unsafe_bytes(const unsigned char *p, size_t n)
{
	if (p[0] < ' ' || p[0] == 0x7f || (n > 1 && p[0] == '#' && p[1] == '#'))
		return 1;
	if (n > 1 && p[0] == 0xc2 && p[1] < 0xa0)
		return 2;
	if (n > 2 && p[0] == 0xe2 && p[1] == 0x80)
		return (p[2] >= 0x8b && p[2] <= 0x8f) || (p[2] >= 0xa8 && p[2] <= 0xae) ? 3 : 0;
	if (n > 2 && p[0] == 0xe2 && p[1] == 0x81)
		return p[2] >= 0xa0 && p[2] <= 0xaf ? 3 : 0;
	return n > 2 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

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
		for (k = (int)unsafe_bytes((unsigned char *)text + i, n - i); k > 0; k--)
			text[i + (size_t)k - 1] = '?';
	text[n++] = '\n';
	while (write(STDERR_FILENO, text, n) < 0 && errno == EINTR)
		;
	errno = saved;
}
