/*
 * Reading status lines.
 */
#include "capture/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What follows `"key": `, or NULL. */
static const char *value_of(const char *text, const char *key)
{
	char quoted[80];
	const char *p;
	int n = snprintf(quoted, sizeof(quoted), "\"%s\": ", key);

	if (n < 0 || (size_t)n >= sizeof(quoted))
		return NULL;
	p = strstr(text, quoted);
	return p ? p + n : NULL;
}

int64_t status_number(const char *text, const char *key, int64_t otherwise)
{
	const char *p = value_of(text, key);
	char *end;
	int64_t v;

	if (!p)
		return otherwise;
	errno = 0;
	v = strtoll(p, &end, 10);
	return end == p || errno ? otherwise : v;
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character of an escape at p, which stands on the backslash; *length of it. */
static char escape(const char *p, size_t *length)
{
	*length = p[1] ? 2 : 1;
	switch (p[1]) {
	case 'n': return '\n';
	case 't': return '\t';
	case 'u':
		if (p[2] != '0' || p[3] != '0' || hex(p[4]) < 0 || hex(p[5]) < 0)
			return '?';
		*length = 6;
		return (char)(hex(p[4]) * 16 + hex(p[5]));
	default: return p[1];
	}
}

void status_text(const char *text, const char *key, char *to, size_t size)
{
	const char *p = value_of(text, key);
	size_t n = 0, length;

	to[0] = 0;
	if (!p || *p != '"')
		return;
	for (p++; *p && *p != '"'; p += length) {
		length = 1;
		if (n + 1 >= size) {
			to[0] = 0;
			return;
		}
		to[n++] = *p == '\\' ? escape(p, &length) : *p;
	}
	to[n] = 0;
}
