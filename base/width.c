/* Display width by two small tables of blocks.  Exact for the scripts met in names of programs and
 * paths; an unknown code point counts 1. */
#include "base/width.h"

#include "base/utf8.h"

/* Sorted. */
/* clang-format off */
static const struct code_range ZERO[] = {
	{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x05bf, 0x05bf},
	{0x05c1, 0x05c2}, {0x05c4, 0x05c5}, {0x0610, 0x061a}, {0x064b, 0x065f},
	{0x0670, 0x0670}, {0x06d6, 0x06dc}, {0x06df, 0x06e4}, {0x06e7, 0x06e8},
	{0x06ea, 0x06ed}, {0x0900, 0x0902}, {0x093c, 0x093c}, {0x0941, 0x0948},
	{0x094d, 0x094d}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e},
	{0x1ab0, 0x1ace}, {0x1dc0, 0x1dff}, {0x20d0, 0x20f0}, {0x302a, 0x302d},
	{0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};
/* clang-format on */

/* clang-format off */
static const struct code_range WIDE[] = {
	{0x1100, 0x115e}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23ec},
	{0x25fd, 0x25fe}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x26a1, 0x26a1},
	{0x26aa, 0x26ab}, {0x26bd, 0x26be}, {0x26c4, 0x26c5}, {0x26d4, 0x26d4},
	{0x2705, 0x2705}, {0x270a, 0x270b}, {0x2728, 0x2728}, {0x274c, 0x274c},
	{0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797}, {0x2b1b, 0x2b1c},
	{0x2b50, 0x2b50}, {0x2b55, 0x2b55}, {0x2e80, 0x303e}, {0x3041, 0x33ff},
	{0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xa000, 0xa4cf}, {0xa960, 0xa97c},
	{0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff01, 0xff60},
	{0xffe0, 0xffe6}, {0x16fe0, 0x1b2ff}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf},
	{0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f265}, {0x1f300, 0x1f320},
	{0x1f32d, 0x1f335}, {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca},
	{0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e},
	{0x1f440, 0x1f440}, {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f567},
	{0x1f57a, 0x1f57a}, {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f},
	{0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d7}, {0x1f6dc, 0x1f6df},
	{0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7eb}, {0x1f90c, 0x1f93a},
	{0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x2fffd},
	{0x30000, 0x3fffd},
};
/* clang-format on */

/* Columns a code point takes: 0 for combining marks, 2 for East Asian wide characters and emoji,
 * else 1.  Source: Unicode 15 EastAsianWidth.txt (W, F) and UnicodeData.txt (Mn, Me), by blocks. */
static unsigned columns_of(uint32_t c)
{
	if (c < 0x300)
		return 1;
	if (codes_have(ZERO, COUNT_OF(ZERO), c))
		return 0;
	return codes_have(WIDE, COUNT_OF(WIDE), c) ? 2 : 1;
}

size_t width_of(struct span s)
{
	const char *p = s.p, *end = s.n ? s.p + s.n : s.p;
	size_t w = 0;

	while (p < end) {
		if ((unsigned char)*p < 0x80) {
			p++;
			w++;
		} else {
			w += columns_of(utf8_next(&p, end));
		}
	}
	return w;
}

/* Bytes of the longest beginning of s that takes at most width columns. */
static size_t head_bytes(struct span s, size_t width)
{
	const char *p = s.p, *end = s.p + s.n, *fits = s.p;
	size_t w = 0;

	while (p < end) {
		w += columns_of(utf8_next(&p, end));
		if (w > width)
			break;
		fits = p;
	}
	return (size_t)(fits - s.p);
}

/* Bytes to skip so that the rest takes at most width columns and starts with no combining mark. */
static size_t tail_start(struct span s, size_t width)
{
	const char *p = s.p, *end = s.p + s.n;
	size_t w = width_of(s);

	while (p < end) {
		const char *at = p;
		unsigned code = columns_of(utf8_next(&p, end));

		if (w <= width && code > 0)
			return (size_t)(at - s.p);
		w -= code;
	}
	return s.n;
}

void width_cut(struct str *b, struct span s, size_t width, bool utf8)
{
	const char *mark = utf8 ? "\xe2\x80\xa6" : "...";
	size_t mark_width = utf8 ? 1 : 3;

	if (width_of(s) <= width) {
		str_add(b, s.p, s.n);
		return;
	}
	if (width <= mark_width) {
		str_add(b, "...", utf8 ? 0 : width);
		str_adds(b, utf8 && width ? mark : "");
		return;
	}
	size_t left = width - mark_width;
	size_t head = head_bytes(s, left - left / 2);
	size_t start = tail_start(s, left - width_of((struct span){ s.p, head }));
	str_add(b, s.p, head);
	str_adds(b, mark);
	str_add(b, s.p + start, s.n - start);
}

static void put_spaces(struct str *b, size_t n)
{
	for (; n > 0; n--)
		str_addc(b, ' ');
}

void width_pad(struct str *b, struct span s, size_t width, bool right)
{
	size_t w = width_of(s);
	size_t gap = w < width ? width - w : 0;

	if (right)
		put_spaces(b, gap);
	str_add(b, s.p, s.n);
	if (!right)
		put_spaces(b, gap);
}

/* Behind a command in quotes or brackets that begins at i; i: there is none. */
static size_t behind_command(struct span s, size_t i)
{
	static const char open[] = "'(", close[] = "')", name[] = "traceq ";
	const char *kind = strchr(open, s.p[i]);
	size_t from = i + 1 + strlen(name);

	if (!s.p[i] || !kind || from > s.n || memcmp(s.p + i + 1, name, strlen(name)) != 0)
		return i;
	const char *end = memchr(s.p + from, close[kind - open], s.n - from);
	return end ? (size_t)(end - s.p) + 1 : i;
}

size_t width_word(struct span s, size_t from)
{
	size_t i = from, next;

	while (i < s.n && s.p[i] != ' ') {
		next = behind_command(s, i);
		i = next > i ? next : i + 1;
	}
	return i;
}

bool width_names_command(struct span s)
{
	return ANY(i, s.n, behind_command(s, i) > i);
}

void width_wrap(struct str *b, struct span s, size_t width, size_t indent)
{
	size_t at = indent, i = 0;

	while (i < s.n) {
		size_t start = i;

		i = FIRST_FROM(k, i, s.n, s.p[k] != ' ');
		size_t word = i;
		i = width_word(s, i);
		size_t w = width_of((struct span){ s.p + start, i - start });
		if (width && at > indent && at + w > width) {
			str_addc(b, '\n');
			put_spaces(b, indent);
			at = indent;
			start = word;
			w = width_of((struct span){ s.p + start, i - start });
		}
		str_add(b, s.p + start, i - start);
		at += w;
	}
}
