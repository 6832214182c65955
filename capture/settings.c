/* Settings of a capture to one environment variable and back. */
#include "capture/settings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION "v1"

enum field_type { FIELD_TEXT, FIELD_NUMBER, FIELD_FLAG };

struct field {
	const char *key;
	enum field_type type;
	size_t offset, size;
};

#define FIELD(key, type)                                               \
	{                                                              \
#key, type, offsetof(struct capture_settings, key),    \
			sizeof(((struct capture_settings *)NULL)->key) \
	}
static const struct field fields[] = {
	FIELD(out, FIELD_TEXT),
	FIELD(cupti, FIELD_TEXT),
	FIELD(window, FIELD_TEXT),
	FIELD(kinds, FIELD_NUMBER),
	FIELD(delay_ns, FIELD_NUMBER),
	FIELD(warmup_ns, FIELD_NUMBER),
	FIELD(duration_ns, FIELD_NUMBER),
	FIELD(flush_ns, FIELD_NUMBER),
	FIELD(exit_timeout_ns, FIELD_NUMBER),
	FIELD(nvml_ns, FIELD_NUMBER),
	FIELD(buffer_bytes, FIELD_NUMBER),
	FIELD(cap_bytes, FIELD_NUMBER),
	FIELD(level, FIELD_NUMBER),
	FIELD(flow, FIELD_FLAG),
	FIELD(nvtx, FIELD_FLAG),
	FIELD(cpu, FIELD_FLAG),
	FIELD(graph_whole, FIELD_FLAG),
};
enum { FIELDS = sizeof(fields) / sizeof(fields[0]) };

bool capture_fail(char *words, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(words, CAPTURE_WORDS_MAX, fmt, ap);
	va_end(ap);
	return false;
}

#define X(id, word, by_default) [CAPTURE_BIT_##id] = word,
static const char *const kind_words[] = { CAPTURE_KINDS(X) };
#undef X
#define X(id, word, by_default) | (by_default ? CAPTURE_KIND(id) : 0u)
static const uint32_t default_kinds = 0u CAPTURE_KINDS(X);
#undef X

void capture_settings_init(struct capture_settings *s)
{
	*s = (struct capture_settings){
		.window = "auto",
		.kinds = default_kinds,
		.flush_ns = 1000000000,
		.exit_timeout_ns = 10000000000,
		.buffer_bytes = 128 << 10,
		.cap_bytes = 64 << 20,
		.level = 1,
		.flow = true,
		.nvtx = true,
	};
}

size_t capture_ranges_bytes(const struct capture_settings *s)
{
	return s->nvtx ? (size_t)s->cap_bytes / 8 : 0;
}

size_t capture_buffers_bytes(const struct capture_settings *s)
{
	size_t left = (size_t)s->cap_bytes - capture_ranges_bytes(s);
	size_t least = 2 * (size_t)s->buffer_bytes;

	return left > least ? left : least;
}

/* ---- to text ---- */

/* What is written, and how much of it there would be. */
struct sink {
	char *p;
	size_t n, size;
};

static void put(struct sink *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct sink *k, const char *fmt, ...)
{
	size_t left = k->n < k->size ? k->size - k->n : 0;
	va_list ap;

	va_start(ap, fmt);
	k->n += (size_t)vsnprintf(left ? k->p + k->n : NULL, left, fmt, ap);
	va_end(ap);
}

size_t capture_settings_encode(const struct capture_settings *s, char *text, size_t size)
{
	struct sink k = { text, 0, size };

	put(&k, VERSION);
	for (size_t i = 0; i < FIELDS; i++) {
		const char *at = (const char *)s + fields[i].offset;
		int64_t v;
		put(&k, ";%s=", fields[i].key);
		switch (fields[i].type) {
		case FIELD_TEXT:
			for (; *at; at++) {
				unsigned char c = (unsigned char)*at;
				bool is_plain = c >= ' ' && c != ';' && c != '%' && c != 0x7f;

				put(&k, is_plain ? "%c" : "%%%02X", c);
			}
			break;
		case FIELD_NUMBER:
			memcpy(&v, at, sizeof(v));
			put(&k, "%lld", (long long)v);
			break;
		case FIELD_FLAG: put(&k, "%d", *(const bool *)at); break;
		}
	}
	return k.n < size ? k.n : 0;
}

/* ---- from text ---- */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* n encoded bytes to a terminated text of at most `size` bytes, the terminator included. */
static bool decode_text(const char *s, size_t n, char *to, size_t size)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		char c = s[i];

		if (c == '%') {
			int high = i + 2 < n ? hex_digit(s[i + 1]) : -1;
			int low = i + 2 < n ? hex_digit(s[i + 2]) : -1;

			if (high < 0 || low < 0)
				return false;
			c = (char)(high * 16 + low);
			i += 2;
		}
		if (c == 0 || k + 1 >= size)
			return false;
		to[k++] = c;
	}
	to[k] = 0;
	return true;
}

static bool decode_number(const char *s, size_t n, int64_t *v)
{
	char text[24], *end;

	if (n == 0 || n >= sizeof(text))
		return false;
	memcpy(text, s, n);
	text[n] = 0;
	errno = 0;
	*v = strtoll(text, &end, 10);
	return errno == 0 && *end == 0 && *v >= 0;
}

static bool decode_value(struct capture_settings *s, const struct field *f, const char *v, size_t n)
{
	char *at = (char *)s + f->offset;
	int64_t number;

	switch (f->type) {
	case FIELD_TEXT: return decode_text(v, n, at, f->size);
	case FIELD_NUMBER:
		if (!decode_number(v, n, &number))
			return false;
		memcpy(at, &number, sizeof(number));
		return true;
	case FIELD_FLAG:
		if (n != 1 || (v[0] != '0' && v[0] != '1'))
			return false;
		*(bool *)at = v[0] == '1';
		return true;
	}
	return false;
}

/* One "key=value" of n bytes. */
static bool decode_field(struct capture_settings *s, const char *p, size_t n, char *error)
{
	const char *equals = memchr(p, '=', n);
	size_t key = equals ? (size_t)(equals - p) : n;
	int shown = (int)(key < 40 ? key : 40);

	for (size_t i = 0; i < FIELDS; i++) {
		if (strlen(fields[i].key) != key || memcmp(fields[i].key, p, key) != 0)
			continue;
		if (equals && decode_value(s, &fields[i], equals + 1, n - key - 1))
			return true;
		return capture_fail(error, "%s: bad value of '%.*s'", CAPTURE_VARIABLE, shown, p);
	}
	return capture_fail(error,
		"%s: unknown key '%.*s': launcher and library are of different releases",
		CAPTURE_VARIABLE, shown, p);
}

bool capture_settings_decode(struct capture_settings *s, const char *text, char *error)
{
	size_t n = strcspn(text, ";");

	capture_settings_init(s);
	if (n != strlen(VERSION) || memcmp(text, VERSION, n) != 0) {
		return capture_fail(error,
			"%s: version '%.*s' is not " VERSION
			": launcher and library are of different releases",
			CAPTURE_VARIABLE, (int)(n < 40 ? n : 40), text);
	}
	text += n;
	while (*text == ';') {
		text++;
		n = strcspn(text, ";");
		if (n && !decode_field(s, text, n, error))
			return false;
		text += n;
	}
	/* What no launcher sends, but somebody may have typed. */
	const char *bad = NULL;
	if (s->out[0] != '/')
		bad = "out";
	else if (s->buffer_bytes < 4096 || s->buffer_bytes > 1 << 30)
		bad = "buffer_bytes";
	else if (s->cap_bytes < s->buffer_bytes)
		bad = "cap_bytes";
	else if (s->level < 1 || s->level > 9)
		bad = "level";
	else if (s->flush_ns < 1000000)
		bad = "flush_ns";
	if (!bad)
		return true;
	return capture_fail(error, "%s: value of '%s' is out of range", CAPTURE_VARIABLE, bad);
}

/* ---- kinds ---- */

static int kind_find(const char *word, size_t n)
{
	for (int i = 0; i < CAPTURE_KIND_BITS; i++)
		if (strlen(kind_words[i]) == n && memcmp(kind_words[i], word, n) == 0)
			return i;
	return -1;
}

bool capture_kinds_parse(const char *list, int64_t *kinds, char *error)
{
	bool exact = list[0] != '+' && list[0] != '-';
	int64_t set = exact ? 0 : default_kinds;

	while (*list) {
		size_t n = strcspn(list, ",");
		bool remove = list[0] == '-', sign = remove || list[0] == '+';
		const char *word = list + (sign ? 1 : 0);
		size_t len = n - (sign ? 1 : 0);
		int kind = kind_find(word, len);

		if (kind < 0 && !(len == 4 && memcmp(word, "none", 4) == 0)) {
			size_t k = 0;
			k += (size_t)snprintf(error, CAPTURE_WORDS_MAX,
				"unknown kind '%.*s'; there are ", (int)(len < 40 ? len : 40),
				word);
			for (int i = 0; i < CAPTURE_KIND_BITS && k < CAPTURE_WORDS_MAX; i++)
				k += (size_t)snprintf(error + k, CAPTURE_WORDS_MAX - k, "%s%s",
					i ? ", " : "", kind_words[i]);
			return false;
		}
		if (kind >= 0 && remove)
			set &= ~(INT64_C(1) << kind);
		else if (kind >= 0)
			set |= INT64_C(1) << kind;
		list += n + (list[n] == ',');
	}
	*kinds = set;
	return true;
}
