/* Numbers and strings to JSON text. */
#include "capture/inject/jtext.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { START_BYTES = 4096, DIGITS_MAX = 24 };

bool jtext_room(struct jtext *t, size_t more)
{
	size_t cap = t->cap ? t->cap : START_BYTES;

	if (t->cap - t->n >= more)
		return true;
	while (cap - t->n < more)
		cap *= 2;
	char *p = realloc(t->p, cap);
	if (!p) {
		t->failed = true;
		return false;
	}
	t->p = p;
	t->cap = cap;
	return true;
}

void jtext_put(struct jtext *t, const char *s, size_t n)
{
	if (!jtext_room(t, n))
		return;
	memcpy(t->p + t->n, s, n);
	t->n += n;
}

void jtext_puts(struct jtext *t, const char *s)
{
	jtext_put(t, s, strlen(s));
}

/* Writes the digits of v before `end`; returns where they begin. */
static char *digits(char *end, uint64_t v)
{
	do {
		*--end = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	return end;
}

void jtext_u64(struct jtext *t, uint64_t v)
{
	char text[DIGITS_MAX], *at = digits(text + sizeof(text), v);

	jtext_put(t, at, (size_t)(text + sizeof(text) - at));
}

void jtext_i64(struct jtext *t, int64_t v)
{
	if (v < 0)
		JTEXT_LIT(t, "-");
	jtext_u64(t, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void jtext_us(struct jtext *t, int64_t ns)
{
	uint64_t v = ns < 0 ? 0 : (uint64_t)ns;
	char text[DIGITS_MAX], *end = text + sizeof(text);

	*--end = (char)('0' + v % 10);
	*--end = (char)('0' + v / 10 % 10);
	*--end = (char)('0' + v / 100 % 10);
	*--end = '.';
	char *at = digits(end, v / 1000);
	jtext_put(t, at, (size_t)(text + sizeof(text) - at));
}

void jtext_real(struct jtext *t, double v)
{
	char text[40];
	int n = 0;

	if (isnan(v) || isinf(v)) {
		jtext_puts(t, isnan(v) ? "\"nan\"" : v > 0 ? "\"inf\"" : "\"-inf\"");
		return;
	}
	if (v == floor(v) && fabs(v) < 1e15) {
		jtext_i64(t, (int64_t)v);
		return;
	}
	for (int precision = 15; precision <= 17; precision++) {
		n = snprintf(text, sizeof(text), "%.*g", precision, v);
		if (strtod(text, NULL) == v)
			break;
	}
	jtext_put(t, text, (size_t)n);
}

/* The length of the UTF-8 sequence at s, or 0 when there is none (RFC 3629). */
static size_t utf8_length(const unsigned char *s, size_t n)
{
	static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };

	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	size_t len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (n < len)
		return 0;
	uint32_t c = s[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	return c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : len;
}

static void put_escape(struct jtext *t, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	char text[6] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };

	switch (c) {
	case '"': JTEXT_LIT(t, "\\\""); break;
	case '\\': JTEXT_LIT(t, "\\\\"); break;
	case '\n': JTEXT_LIT(t, "\\n"); break;
	case '\t': JTEXT_LIT(t, "\\t"); break;
	default: jtext_put(t, text, sizeof(text)); break;
	}
}

void jtext_string(struct jtext *t, const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s, *end = p + n, *plain;
	size_t len;

	JTEXT_LIT(t, "\"");
	while (p < end) {
		for (plain = p; p < end && *p >= ' ' && *p < 0x7f && *p != '"' && *p != '\\';)
			p++;
		jtext_put(t, (const char *)plain, (size_t)(p - plain));
		if (p == end)
			break;
		if (*p < 0x80) {
			put_escape(t, *p++);
			continue;
		}
		len = utf8_length(p, (size_t)(end - p));
		if (len)
			jtext_put(t, (const char *)p, len);
		else
			JTEXT_LIT(t, "\xef\xbf\xbd");
		p += len ? len : 1;
	}
	JTEXT_LIT(t, "\"");
}

void jtext_quoted(struct jtext *t, const char *s)
{
	jtext_string(t, s, strlen(s));
}

/* What stands behind a per cent sign; returns what is behind that. */
static const char *put_one(struct jtext *t, const char *fmt, va_list *ap)
{
	bool is_long = *fmt == 'l';
	int n;

	fmt += is_long;
	switch (*fmt) {
	case 'u': jtext_u64(t, is_long ? va_arg(*ap, unsigned long) : va_arg(*ap, unsigned)); break;
	case 'd': jtext_i64(t, is_long ? va_arg(*ap, long) : va_arg(*ap, int)); break;
	case 'g': jtext_real(t, va_arg(*ap, double)); break;
	case 's': jtext_puts(t, va_arg(*ap, const char *)); break;
	case '.':
		n = va_arg(*ap, int);
		jtext_put(t, va_arg(*ap, const char *), (size_t)n);
		fmt += 2;
		break;
	default: jtext_put(t, fmt, 1); break;
	}
	return fmt + 1;
}

void jtext_f(struct jtext *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	while (*fmt) {
		const char *plain = fmt;

		fmt = strchrnul(fmt, '%');
		jtext_put(t, plain, (size_t)(fmt - plain));
		if (*fmt)
			fmt = put_one(t, fmt + 1, &ap);
	}
	va_end(ap);
}

void jtext_free(struct jtext *t)
{
	free(t->p);
	*t = (struct jtext){ 0 };
}
