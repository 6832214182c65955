/* Wrapping.  Widths are counted in UTF-8 characters, which is right for what traceq says about
 * itself; text from files is for the renderers. */
#include "cmd/help/text.h"

#include "base/width.h"

enum { LABEL_INDENT = 2, LABEL_GAP = 2 };

/* Appends n spaces. */
static void pad(struct str *out, size_t n)
{
	while (n--)
		str_addc(out, ' ');
}

static size_t columns(const char *p, size_t n)
{
	return SUM(size_t, i, n, ((unsigned char)p[i] & 0xC0) != 0x80);
}

/* Appends the words of [p, end) from column `at` on. */
static void flow(struct str *out, const char *p, const char *end, size_t indent, size_t at)
{
	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t n = width_word((struct span){ p, (size_t)((stop ? stop : end) - p) }, 0);
		size_t width = columns(p, n);

		if (n == 0) {
			p++;
			continue;
		}
		if (at > indent && at + 1 + width > TEXT_WIDTH) {
			str_addc(out, '\n');
			at = 0;
		}
		if (at < indent) {
			pad(out, indent - at);
			at = indent;
		} else if (at > indent) {
			str_addc(out, ' ');
			at++;
		}
		str_add(out, p, n);
		at += width;
		p += n;
	}
}

/* The end of the paragraph or of the kept line that starts at p. */
static const char *block_end(const char *p)
{
	const char *end = strchr(p, '\n');

	while (*p != ' ' && end && end[1] != '\n' && end[1] != ' ')
		end = strchr(end + 1, '\n');
	return end ? end : p + strlen(p);
}

/* As text_wrap, the first line starting at column `at`. */
static void wrap_from(struct str *out, const char *text, size_t indent, size_t at)
{
	const char *p = text, *end;

	while (*p) {
		if (*p == '\n') {
			str_addc(out, '\n');
			p++;
			continue;
		}
		end = block_end(p);
		if (*p == ' ') {
			pad(out, indent);
			str_add(out, p, (size_t)(end - p));
		} else {
			flow(out, p, end, indent, at);
		}
		str_addc(out, '\n');
		at = 0;
		p = *end ? end + 1 : end;
	}
}

void text_wrap(struct str *out, const char *text, size_t indent)
{
	wrap_from(out, text, indent, 0);
}

void text_item(struct str *out, const char *label, const char *text, size_t indent)
{
	size_t at = LABEL_INDENT + columns(label, strlen(label));

	pad(out, LABEL_INDENT);
	str_adds(out, label);
	if (!text[0] || at + LABEL_GAP > indent) {
		str_addc(out, '\n');
		at = 0;
	}
	wrap_from(out, text, indent, at);
}

void text_lines(struct str *out, const char *text, size_t max, size_t indent)
{
	const char *p = text;

	for (size_t i = 0; i < max && *p; i++) {
		size_t n = strcspn(p, "\n");

		pad(out, n ? indent : 0);
		str_add(out, p, n);
		str_addc(out, '\n');
		p += n + (p[n] == '\n');
	}
}

void text_choices(struct str *out, const char *choices)
{
	for (; *choices; choices++)
		if (*choices == '|')
			str_adds(out, ", ");
		else
			str_addc(out, *choices);
}
