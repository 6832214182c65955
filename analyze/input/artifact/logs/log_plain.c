/*
 * Escape sequences of terminals, taken off.
 */
#include "analyze/input/artifact/logs/log_plain.h"

#include "analyze/input/text/num.h"
#include "base/ascii.h"

enum { ESCAPE = 0x1b, BACKSPACE = 0x08 };

/* Where the escape sequence or the backspace at i ends. */
static size_t control_end(struct span t, size_t i)
{
	if (t.p[i++] == BACKSPACE)
		return i;
	i += i < t.n && t.p[i] == '[';
	while (i < t.n && !is_letter(t.p[i]))
		i++;
	return i < t.n ? i + 1 : i;
}

struct span log_plain(struct span line, struct str *b)
{
	size_t i = 0;

	if (!memchr(line.p, ESCAPE, line.n) && !memchr(line.p, BACKSPACE, line.n))
		return line;
	str_reset(b);
	while (i < line.n) {
		const char *next = memchr(line.p + i, ESCAPE, line.n - i);
		size_t to = next ? (size_t)(next - line.p) : line.n;
		const char *back = memchr(line.p + i, BACKSPACE, to - i);

		to = back ? (size_t)(back - line.p) : to;
		str_add(b, line.p + i, to - i);
		i = to < line.n ? control_end(line, to) : to;
	}
	line.n = b->n;
	str_add(b, "\0\0\0\0\0\0\0\0", REAL_PADDING);
	line.p = b->s;
	return line;
}
