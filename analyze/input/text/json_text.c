/* Unescaping and the pull parser. */
#include "analyze/input/text/json_text.h"

#include "base/utf8.h"

static int hex4(const char *p, const char *end)
{
	int v = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		if (!is_hex_digit(p[i]))
			return -1;
		v = v << 4 | hex_digit(p[i]);
	}
	return v;
}

/* \u at p (behind the 'u'): writes the character, returns the byte behind it, or NULL. */
static const char *unescape_u(const char *p, const char *end, char **o, unsigned *bad)
{
	int hi = hex4(p, end), lo;

	if (hi < 0)
		return NULL;
	p += 4;
	if (hi >= 0xd800 && hi < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
		lo = hex4(p + 2, end);
		if (lo >= 0xdc00 && lo < 0xe000) {
			*o = utf8_write(*o,
				0x10000u + ((uint32_t)(hi - 0xd800) << 10) +
					(uint32_t)(lo - 0xdc00));
			return p + 6;
		}
	}
	if (hi >= 0xd800 && hi < 0xe000) {
		++*bad;
		hi = 0xfffd;
	}
	*o = utf8_write(*o, (uint32_t)hi);
	return p;
}

/* The letter at p, or what an escape there stands for, to *o; returns the byte behind it. */
static const char *unescape_one(const char *p, const char *end, char **o, unsigned *bad)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";

	if (*p != '\\') {
		*(*o)++ = *p;
		return p + 1;
	}
	const char *hit = p + 1 < end && p[1] ? strchr(from, p[1]) : NULL;
	if (hit) {
		*(*o)++ = to[hit - from];
		return p + 2;
	}
	const char *next = p + 1 < end && p[1] == 'u' ? unescape_u(p + 2, end, o, bad) : NULL;
	if (next)
		return next;
	++*bad;
	*(*o)++ = *p;
	return p + 1;
}

struct span json_unescape(struct span inside, struct arena *mem, unsigned *bad)
{
	const char *p = inside.p, *end = inside.p + inside.n;
	char *out = arena_alloc(mem, inside.n + 1), *o = out;
	unsigned uncounted = 0;

	while (p < end)
		p = unescape_one(p, end, &o, bad ? bad : &uncounted);
	return (struct span){ out, (size_t)(o - out) };
}

bool json_key_is(struct span key, struct span name)
{
	const char *p = key.p, *end = key.p + key.n;
	size_t done = 0;
	unsigned bad = 0;

	/* An escape is longer than what it stands for. */
	if (key.n <= name.n || !memchr(key.p, '\\', key.n))
		return span_eq(key, name);
	while (p < end) {
		char letter[4], *o = letter;

		p = unescape_one(p, end, &o, &bad);
		size_t n = (size_t)(o - letter);
		if (n > name.n - done || memcmp(name.p + done, letter, n) != 0)
			return false;
		done += n;
	}
	return done == name.n;
}

bool json_is_utf8(struct span text)
{
	const char *p = text.p, *end = p + text.n;

	while (p < end) {
		const char *from = p;

		if (utf8_next(&p, end) == 0xfffd && !span_is(span_between(from, p), "\xef\xbf\xbd"))
			return false;
	}
	return true;
}

struct span json_blanks_off(struct span t)
{
	while (t.n && (unsigned char)t.p[0] <= 0x20) {
		t.p++;
		t.n--;
	}
	return t;
}

static struct span from(struct span t, size_t n)
{
	return (struct span){ t.p + n, t.n - n };
}

/* Length of the string at t with both quotes, or 0. */
static size_t string_length(struct span t, bool *escaped)
{
	for (size_t i = 1; i < t.n; i++) {
		if (t.p[i] == '"')
			return i + 1;
		if (t.p[i] == '\\') {
			*escaped = true;
			i++;
		}
	}
	return 0;
}

/* Length of the array or object at t, or 0. */
static size_t nested_length(struct span t)
{
	size_t i = 0, depth = 0;
	bool escaped;

	while (i < t.n) {
		char c = t.p[i];

		if (c == '"') {
			size_t n = string_length(from(t, i), &escaped);

			if (!n)
				return 0;
			i += n;
			continue;
		}
		if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && --depth == 0)
			return i + 1;
		i++;
	}
	return 0;
}

static bool ends_word(char c)
{
	return (unsigned char)c <= 0x20 || c == ',' || c == ']' || c == '}' || c == ':' ||
		c == '"' || c == '[' || c == '{';
}

/* Python prints what is no JSON: "tensor(0.5, device='cuda:0')" is one word. */
static size_t word_length(struct span t)
{
	size_t i = 0, depth = 0;

	for (; i < t.n && (depth || !ends_word(t.p[i])); i++)
		depth = t.p[i] == '(' ? depth + 1 : depth - (t.p[i] == ')' && depth);
	return depth ? FIRST(k, t.n, ends_word(t.p[k])) : i;
}

struct json_value json_value(struct span text, struct span *rest)
{
	struct json_value v = { JSON_NONE, { text.p, 0 }, false };
	struct span t = json_blanks_off(text);
	size_t n = 0;

	if (t.n && t.p[0] == '"') {
		n = string_length(t, &v.escaped);
		if (n)
			v = (struct json_value){ JSON_STRING, { t.p + 1, n - 2 }, v.escaped };
	} else if (t.n && (t.p[0] == '{' || t.p[0] == '[')) {
		n = nested_length(t);
		if (n)
			v = (struct json_value){ t.p[0] == '{' ? JSON_OBJECT : JSON_ARRAY,
				{ t.p, n }, false };
	} else if (t.n) {
		n = word_length(t);
		if (n && strchr("-+.0123456789", t.p[0]))
			v = (struct json_value){ JSON_NUMBER, { t.p, n }, false };
		else if (n)
			v = (struct json_value){ JSON_WORD, { t.p, n }, false };
	}
	*rest = from(t, n);
	return v;
}

bool json_next(struct span *it, struct span *key, struct json_value *v)
{
	struct span t = json_blanks_off(*it);

	*key = (struct span){ "", 0 };
	*v = (struct json_value){ JSON_NONE, { t.p, 0 }, false };
	if (!t.n)
		return false;
	/* The first call sees the bracket, later ones the comma; only members have a ':' behind. */
	bool object = t.p[0] == '{' || t.p[0] == ',';
	if (t.p[0] == '{' || t.p[0] == '[' || t.p[0] == ',')
		t = json_blanks_off(from(t, 1));
	if (!t.n || t.p[0] == '}' || t.p[0] == ']')
		return false;
	struct json_value k = json_value(t, it);
	t = json_blanks_off(*it);
	if (object && k.type == JSON_STRING && t.n && t.p[0] == ':') {
		*key = k.text;
		*v = json_value(from(t, 1), it);
		return v->type != JSON_NONE;
	}
	*v = k;
	return v->type != JSON_NONE;
}

struct json_value json_get(struct json_value object, const char *name)
{
	struct json_value v, none = { JSON_NONE, { "", 0 }, false };
	struct span it = object.text, key;

	if (object.type != JSON_OBJECT)
		return none;
	while (json_next(&it, &key, &v))
		if (json_key_is(key, span_of(name)))
			return v;
	return none;
}
