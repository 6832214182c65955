/* Texts of a script.  gnuplot never reads one as its language: macros (@) and `commands` are
 * expanded on the lines of a script before it is parsed, inside of strings too, and cannot be
 * switched off.  So texts are data: lines of a block at the head of the script, which gnuplot takes
 * as they are, and the commands name them by their number.
 *
 * While a script is written its texts stand in it between marks, control characters that no text
 * has; gnuplot_finish moves them to the block. */
#include <stdarg.h>

#include "report/chart/draw/gnuplot_panel.h"
#include "report/escape.h"
#include "base/width.h"

enum { REPLACEMENT = 0xfffd, TEXT = 0x01, FILE_NAME = 0x02, TEXT_END = 0x03 };

static const char MARKS[] = { TEXT, FILE_NAME, TEXT_END, 0 };

/* What DejaVu Sans has letters for, in PNG and PDF; by blocks, of which it has all.  For others a
 * box is drawn that may be as high as the page.  In SVG who looks at it has the font. */
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
	SCOPED_STR plain = { 0 };

	str_adds(b, "");
	escape_terminal(&plain, span_of(text), true);
	width_cut(b, (struct span){ plain.s ? plain.s : "", plain.n }, letters, true);
}

void gnuplot_quote(struct str *b, const char *text)
{
	str_addc(b, TEXT);
	escape_terminal(b, span_of(text), true);
	str_addc(b, TEXT_END);
}

void gnuplot_quote_tic(struct str *b, const char *text)
{
	const char *end;

	str_addc(b, TEXT);
	for (; (end = strchr(text, '%')); text = end + 1) {
		escape_terminal(b, (struct span){ text, (size_t)(end - text) }, true);
		str_adds(b, "%%");
	}
	escape_terminal(b, span_of(text), true);
	str_addc(b, TEXT_END);
}

/* One directive that is none of a double; false: it is one. */
static bool put_directive(struct str *b, char kind, va_list *ap)
{
	const struct gnuplot_axis *axis;

	switch (kind) {
	case 's': str_adds(b, va_arg(*ap, const char *)); return true;
	case 'c': str_addc(b, (char)va_arg(*ap, int)); return true;
	case 'd': str_addf(b, "%d", va_arg(*ap, int)); return true;
	case 'u': str_addf(b, "%zu", va_arg(*ap, size_t)); return true;
	case 'q': gnuplot_quote(b, va_arg(*ap, const char *)); return true;
	case 't': gnuplot_quote_tic(b, va_arg(*ap, const char *)); return true;
	case 'n': unit_put_real(b, va_arg(*ap, double)); return true;
	case 'k':
		str_addf(b, "($%d/", va_arg(*ap, int));
		axis = va_arg(*ap, const struct gnuplot_axis *);
		unit_put_real(b, axis->scale.divisor);
		str_addc(b, ')');
		return true;
	case '%': str_addc(b, '%'); return true;
	default: return false;
	}
}

void panel_put(struct str *b, const char *fmt, ...)
{
	const char *end;
	va_list ap;

	va_start(ap, fmt);
	while ((end = strchr(fmt, '%')) != NULL) {
		bool is_signed = end[1] == '+';
		int precision = 6;

		str_add(b, fmt, (size_t)(end - fmt));
		end += 1 + is_signed;
		if (*end == '.')
			precision = end[1] - '0';
		end += *end == '.' ? 2 : *end == 'z';
		if (!put_directive(b, *end, &ap) && *end == 'f')
			str_addf(b, is_signed ? "%+.*f" : "%.*f", precision, va_arg(ap, double));
		else if (*end == 'g')
			str_addf(b, "%.*g", precision, va_arg(ap, double));
		fmt = end + 1;
	}
	va_end(ap);
	str_adds(b, fmt);
}

void gnuplot_quote_file(struct str *b, const char *name)
{
	str_addc(b, FILE_NAME);
	str_adds(b, name);
	str_addc(b, TEXT_END);
}

static void put_for_font(struct str *b, struct span text)
{
	const char *p = text.p, *end = text.p + text.n;

	while (p < end) {
		uint32_t c = utf8_next(&p, end);

		utf8_put(b, codes_have(DRAWN, COUNT_OF(DRAWN), c) ? c : REPLACEMENT);
	}
}

static void put_line(struct str *block, char mark, struct span text, enum picture kind)
{
	if (mark == FILE_NAME)
		str_add(block, text.p, text.n);
	/* gnuplot writes the end of a section of XML into SVG as it is, which is then no XML. */
	else if (kind == PICTURE_SVG)
		for (size_t i = 0; i < text.n; i++) {
			bool is_end =
				text.p[i] == '>' && i >= 2 && memcmp(text.p + i - 2, "]]", 2) == 0;
			str_adds(block, is_end ? " >" : "");
			if (!is_end)
				str_addc(block, text.p[i]);
		}
	else
		put_for_font(block, text);
	str_addc(block, '\n');
}

void gnuplot_finish(struct str *b, const char *draft, enum picture kind)
{
	SCOPED_STR block = { 0 }, commands = { 0 };
	size_t number = 0, n;

	for (; *draft; draft += n + 1) {
		n = strcspn(draft, MARKS);
		str_add(&commands, draft, n);
		char mark = draft[n];
		if (!mark)
			break;
		draft += n + 1;
		n = strcspn(draft, MARKS);
		put_line(&block, mark, (struct span){ draft, n }, kind);
		str_addf(&commands, "%s$text[%zu]", mark == FILE_NAME ? "\"./\" . " : "", ++number);
	}
	/* The block ends with a line that begins as no text does. */
	SCOPED_STR end = { 0 };
	str_adds(&end, "END_OF_TEXTS");
	while (block.n && strstr(block.s, end.s))
		str_addc(&end, '_');
	str_addf(b, "$text << %s\n", end.s);
	str_add(b, block.n ? block.s : "", block.n);
	str_addf(b, "%s\n", end.s);
	str_add(b, commands.n ? commands.s : "", commands.n);
}
