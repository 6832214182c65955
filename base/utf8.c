/* Code points: decoding, encoding, and which of them must not be sent anywhere as they are. */
#include "base/utf8.h"

enum { REPLACEMENT = 0xfffd };

/* What steers or hides, sorted: controls, format characters without a look of their own (soft
 * hyphen, bidi and zero-width marks, the brackets of musical, shorthand and hieroglyphic notation),
 * fillers, tags. */
/* clang-format off */
static const struct code_range UNSAFE[] = {
	{0x0000, 0x001f}, {0x007f, 0x009f}, {0x00ad, 0x00ad}, {0x034f, 0x034f},
	{0x061c, 0x061c}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180e, 0x180e},
	{0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},
	{0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0xfffe, 0xffff},
	{0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};
static const struct code_range SELECTORS[] = {
	{0x180b, 0x180d}, {0x180f, 0x180f}, {0xfe00, 0xfe0f},
};
static const struct code_range BLANKS[] = {
	{0x0009, 0x000d}, {0x0020, 0x0020}, {0x0085, 0x0085}, {0x00a0, 0x00a0}, {0x1680, 0x1680},
	{0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000},
};
/* clang-format on */

/* Length of the sequence a lead byte announces (0: none), the bits it carries, and what the second
 * byte may be: that is where overlong forms, surrogates and codes above U+10FFFF show. */
static size_t lead(unsigned char c, uint32_t *bits, unsigned *low, unsigned *high)
{
	*low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
	*high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
	if (c >= 0xc2 && c <= 0xdf) {
		*bits = c & 0x1f;
		return 2;
	}
	if (c >= 0xe0 && c <= 0xef) {
		*bits = c & 0x0f;
		return 3;
	}
	*bits = c & 0x07;
	return c >= 0xf0 && c <= 0xf4 ? 4 : 0;
}

uint32_t utf8_next(const char **p, const char *end)
{
	unsigned char c = (unsigned char)*(*p)++;
	uint32_t code;
	unsigned low, high;

	if (c < 0x80)
		return c;
	size_t n = lead(c, &code, &low, &high);
	if (n == 0)
		return REPLACEMENT;
	while (--n > 0) {
		if (*p == end || (unsigned char)**p < low || (unsigned char)**p > high)
			return REPLACEMENT;
		code = code << 6 | (*(*p)++ & 0x3f);
		low = 0x80;
		high = 0xbf;
	}
	return code;
}

char *utf8_write(char *o, uint32_t c)
{
	static const unsigned char lead[] = { 0, 0xc0, 0xe0, 0xf0 };
	unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

	*o++ = (char)(lead[more] | c >> 6 * more);
	while (more-- > 0)
		*o++ = (char)(0x80 | (c >> 6 * more & 0x3f));
	return o;
}

void utf8_put(struct str *b, uint32_t c)
{
	char s[4];

	str_add(b, s, (size_t)(utf8_write(s, c) - s));
}

static bool is_whole(struct span s)
{
	const char *p = s.p, *end = s.n ? s.p + s.n : s.p;

	while (p < end) {
		const char *from = p;

		if (utf8_next(&p, end) == REPLACEMENT && (p - from != 3 || *from != '\xef'))
			return false;
	}
	return true;
}

struct span utf8_mended(struct span s, struct str *scratch)
{
	if (is_whole(s))
		return s;
	str_reset(scratch);
	for (const char *p = s.p; p < s.p + s.n;)
		utf8_put(scratch, utf8_next(&p, s.p + s.n));
	return (struct span){ scratch->s, scratch->n };
}

size_t utf8_length(const char *s, size_t n)
{
	return SUM(size_t, i, n, (s[i] & 0xc0) != 0x80);
}

struct span utf8_cut(struct span s, size_t most)
{
	if (s.n > most)
		for (s.n = most; s.n > 0 && ((unsigned char)s.p[s.n] & 0xc0) == 0x80;)
			s.n--;
	return s;
}

bool codes_have(const struct code_range *r, size_t n, uint32_t c)
{
	size_t at = PARTITION_POINT(i, 0, n, r[i].last < c);

	return at < n && c >= r[at].first;
}

bool is_unsafe(uint32_t c)
{
	return (c < 0x20 || c >= 0x7f) && codes_have(UNSAFE, COUNT_OF(UNSAFE), c);
}

bool is_selector(uint32_t c)
{
	return c >= 0x180b && codes_have(SELECTORS, COUNT_OF(SELECTORS), c);
}

bool is_blank(uint32_t c)
{
	return codes_have(BLANKS, COUNT_OF(BLANKS), c);
}
