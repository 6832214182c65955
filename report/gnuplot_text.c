/*
 * Texts in a script.  gnuplot never sees a character of them that means anything to it: what is no
 * letter, digit or one of a few marks is written as its number, which gnuplot turns into the
 * character when the string is a value already.  Macros (@) and `commands` are expanded on the
 * lines of a script before it is parsed, inside of strings too, and cannot be switched off.
 */
#include <string.h>

#include "base/compiler.h"
#include "report/escape.h"
#include "report/utf8.h"
#include "report/gnuplot.h"
#include "report/width.h"

enum { REPLACEMENT = 0xfffd };

/* ASCII beside letters and digits that stands in a script as itself. */
static const char MARKS[] = " _-+.,:=/()%";

/*
 * What DejaVu Sans has letters for, in PNG and PDF; by blocks, of which it has all.  For others a
 * box is drawn that may be as high as the page.  In SVG who looks at it has the font.
 */
/* clang-format off */
static const struct code_range DRAWN[] = {
	{0x0020, 0x007e}, {0x00a0, 0x02e9}, {0x0300, 0x034e}, {0x0384, 0x038a},
	{0x038e, 0x03a1}, {0x03a3, 0x0525}, {0x0531, 0x0556}, {0x0561, 0x0587},
	{0x05b0, 0x05c3}, {0x05d0, 0x05ea}, {0x0621, 0x063a}, {0x0640, 0x0655},
	{0x0660, 0x0670}, {0x0679, 0x06bf}, {0x10d0, 0x10fc}, {0x1e00, 0x1efb},
	{0x1f00, 0x1f15}, {0x1f20, 0x1f45}, {0x1f5f, 0x1f7d}, {0x1f80, 0x1fb4},
	{0x2000, 0x2064}, {0x2074, 0x208e}, {0x20a0, 0x20b5}, {0x2100, 0x2109},
	{0x210b, 0x2149}, {0x2150, 0x2185}, {0x2190, 0x2311}, {0x239b, 0x23ae},
	{0x2500, 0x269c}, {0x2701, 0x2704}, {0x2706, 0x2709}, {0x270c, 0x2727},
	{0x2729, 0x274b}, {0x2761, 0x2794}, {0x2798, 0x27af}, {0x27f0, 0x28ff},
	{0xfb00, 0xfb06}, {0xfffc, 0xfffd},
};
/* clang-format on */

void gnuplot_shorten(struct str *b, const char *text, size_t letters)
{
	struct str plain = { 0 };

	str_adds(b, "");
	escape_terminal(&plain, span_of(text), true);
	width_cut(b, (struct span){ plain.s ? plain.s : "", plain.n }, letters, true);
	str_free(&plain);
}

static bool is_plain(unsigned char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
		(ch && strchr(MARKS, ch));
}

static bool is_digit(unsigned char ch)
{
	return ch >= '0' && ch <= '9';
}

/*
 * Appends bytes of a text.  gnuplot reads on to a fourth digit where the first is 0, so a digit of
 * the text that follows a number is written as one, too.
 */
static void put_bytes(struct str *b, struct span text, bool is_tic, bool is_file)
{
	bool is_number = false;
	size_t i;

	for (i = 0; i < text.n; i++) {
		unsigned char ch = (unsigned char)text.p[i];

		is_number =
			!(is_plain(ch) || (ch >= 0x80 && !is_file)) || (is_number && is_digit(ch));
		if (is_number)
			str_addf(b, "\\%03o", (unsigned)ch);
		else
			str_addc(b, (char)ch);
		if (is_tic && ch == '%')
			str_addc(b, '%');
	}
}

static void quote(struct str *b, const char *text, bool is_tic)
{
	struct str plain = { 0 };

	escape_terminal(&plain, span_of(text), true);
	str_addc(b, '"');
	put_bytes(b, (struct span){ plain.s ? plain.s : "", plain.n }, is_tic, false);
	str_addc(b, '"');
	str_free(&plain);
}

void gnuplot_quote(struct str *b, const char *text)
{
	quote(b, text, false);
}

void gnuplot_quote_tic(struct str *b, const char *text)
{
	quote(b, text, true);
}

void gnuplot_quote_file(struct str *b, const char *name)
{
	str_adds(b, "\"./");
	put_bytes(b, span_of(name), false, true);
	str_addc(b, '"');
}

/*
 * The end of a section of XML, as quote() writes it.  gnuplot writes it into SVG as it is, which is
 * then no XML: it is shown with a blank in it.
 */
static const char SECTION_END[] = "\\135\\135\\076", SHOWN_END[] = "\\135\\135 \\076";

static void put_for_svg(struct str *b, const char *script)
{
	const char *at;

	for (; (at = strstr(script, SECTION_END)); script = at + sizeof(SECTION_END) - 1) {
		str_add(b, script, (size_t)(at - script));
		str_adds(b, SHOWN_END);
	}
	str_adds(b, script);
}

static void put_for_font(struct str *b, const char *script)
{
	const char *end = script + strlen(script);

	while (script < end) {
		uint32_t c = utf8_next(&script, end);

		utf8_put(b, c < 0x80 || codes_have(DRAWN, COUNT_OF(DRAWN), c) ? c : REPLACEMENT);
	}
}

void gnuplot_fit(struct str *b, const char *script, enum picture kind)
{
	if (kind == PICTURE_SVG)
		put_for_svg(b, script);
	else
		put_for_font(b, script);
}
