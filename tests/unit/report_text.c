/* Helpers for the tests of the renderers.  The UTF-8 check is one of its own, not the library's. */
#include "tests/unit/report_text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME(s)                     \
	{                           \
		"" s, sizeof(s) - 1 \
	}

const struct span HOSTILE[] = {
	NAME("plain"),
	NAME(""),
	NAME(" "),
	NAME("esc \033[31mred\033]0;title\007"),
	NAME("quotes \" ' ` and \\ back"),
	NAME("pipe | <b>bold</b> &amp; *x* _y_ [z](u) ~q~ $m$"),
	NAME("line\nfeed\r\ttab\v\f\b"),
	NAME("nul\0byte"),
	NAME("=cmd|' /C calc'!A0"),
	NAME("+1"),
	NAME("-1+2"),
	NAME("@SUM(A1)"),
	NAME("\t=1"),
	NAME("bad \xff\xfe\x80 \xc3"),
	NAME("overlong \xc0\xaf \xe0\x80\xaf"),
	NAME("surrogate \xed\xa0\x80 high \xf4\x90\x80\x80"),
	NAME("c1 \xc2\x9b"
	     "31m del \x7f"),
	NAME("bidi \xe2\x80\xae"
	     "txt \xe2\x81\xa6 zero\xe2\x80\x8bwidth \xef\xbb\xbf"),
	NAME("tag \xf3\xa0\x81\x81"),
	NAME("wide \xe6\x97\xa5\xe6\x9c\xac e\xcc\x81 \xf0\x9f\x98\x80"),
	NAME("a,b;c\td"),
	NAME("\\n is not a line feed"),
	NAME("-->]]></script>"),
};
const size_t HOSTILE_COUNT = sizeof(HOSTILE) / sizeof(HOSTILE[0]);

char *report_text(const char *format, const struct result *r, struct render how)
{
	const struct renderer *renderer = renderer_find(format);
	struct err e;
	char *s = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&s, &n);
	enum status status = E_USAGE;

	if (!out)
		return NULL;
	if (renderer)
		status = renderer->put(out, r, &how, &e);
	fclose(out);
	if (status == OK && strlen(s) == n)
		return s;
	free(s);
	return NULL;
}

/* Bytes of the valid UTF-8 sequence at s, its code in *code; 0 when there is none. */
static size_t sequence(const unsigned char *s, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = s[0] < 0x80    ? 1
		: s[0] >> 5 == 6  ? 2
		: s[0] >> 4 == 14 ? 3
		: s[0] >> 3 == 30 ? 4
				  : 0;
	size_t i;

	*code = n < 2 ? s[0] : s[0] & (0x7fu >> n);
	for (i = 1; i < n; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		*code = *code << 6 | (s[i] & 0x3f);
	}
	if (n == 0 || *code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return n;
}

bool is_harmless(const char *s, const char *allowed)
{
	const unsigned char *p = (const unsigned char *)s;

	while (*p) {
		uint32_t c;
		size_t n = sequence(p, &c);

		if (n == 0)
			return false;
		if ((c < 0x20 || c == 0x7f) && !strchr(allowed, (int)c))
			return false;
		if ((c >= 0x80 && c < 0xa0) || (c >= 0x200b && c <= 0x200f) || c == 0xfeff)
			return false;
		if ((c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c >> 12 == 0xe0)
			return false;
		p += n;
	}
	return true;
}

unsigned random_next(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}
