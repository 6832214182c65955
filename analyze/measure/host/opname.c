/*
 * Names without addresses and numbers in templates.
 */
#include "analyze/measure/host/opname.h"

#include <stdbool.h>

#include "base/ascii.h"

enum { ADDRESS_DIGITS_MIN = 4 };

static bool is_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_';
}

/* The length of an address at i ("0x7f12ab34"), or 0. */
static size_t address_at(struct span s, size_t i)
{
	size_t n = 2;

	if (s.n - i < 2 || s.p[i] != '0' || s.p[i + 1] != 'x')
		return 0;
	while (i + n < s.n && is_hex_digit(s.p[i + n]))
		n++;
	return n >= 2 + ADDRESS_DIGITS_MIN ? n : 0;
}

/* The length of a whole number at i with its suffix ("4", "2ul"), or 0. */
static size_t number_at(struct span s, size_t i)
{
	size_t n = 0;

	while (i + n < s.n && is_digit(s.p[i + n]))
		n++;
	while (n > 0 && i + n < s.n && (s.p[i + n] == 'u' || s.p[i + n] == 'l'))
		n++;
	return i + n < s.n && (is_word(s.p[i + n]) || s.p[i + n] == '.') ? 0 : n;
}

void opname_normal(struct str *out, struct span name)
{
	size_t i = 0, depth = 0, n;

	if (span_starts(name, "ProfilerStep#")) {
		str_adds(out, "ProfilerStep#*");
		return;
	}
	while (i < name.n) {
		char c = name.p[i];
		bool inside = i > 0 && (is_word(name.p[i - 1]) || name.p[i - 1] == '.');

		if (c == '<')
			depth++;
		if (c == '>' && depth > 0)
			depth--;
		if (!inside && (n = address_at(name, i)) > 0) {
			str_adds(out, "0x*");
			i += n;
		} else if (!inside && depth > 0 && (n = number_at(name, i)) > 0) {
			str_addc(out, '#');
			i += n;
		} else {
			str_addc(out, c);
			i++;
		}
	}
}
