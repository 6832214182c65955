/*
 * Values: numbers against an exact decimal of another make, strings, UTF-16, and the pull parser.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/text/json_text.h"
#include "analyze/input/text/num.h"
#include "analyze/input/text/utf16.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Plain decimals: the nanoseconds agree with long double arithmetic to its precision. */
static void check_number(struct span t)
{
	char copy[64], *end;
	int64_t ns, i;
	uint64_t u;
	double f;
	long double want;

	(void)num_i64(t, &i);
	(void)num_u64(t, &u);
	(void)num_f64(t, &f);
	if (!num_ns(t, &ns) || t.n >= sizeof(copy))
		return;
	memcpy(copy, t.p, t.n);
	copy[t.n] = '\0';
	want = strtold(copy, &end);
	if (*end || memchr(t.p, 'x', t.n) || memchr(t.p, 'X', t.n))
		return; /* Kineto's "-5.-123" */
	long double off = want * 1000 - (long double)ns;
	if ((off < 0 ? -off : off) > 0.5L + (want < 0 ? -want : want) * 1e-15L)
		abort();
}

static void walk(struct json_value v, int depth)
{
	struct span it = v.text, key;
	struct json_value child;

	if (depth > 32 || (v.type != JSON_ARRAY && v.type != JSON_OBJECT))
		return;
	while (json_next(&it, &key, &child))
		walk(child, depth + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span t = { (const char *)data, size }, rest, plain;
	SCOPED_ARENA mem = { 0 };
	unsigned bad = 0;
	size_t used;
	char *out = malloc(UTF16_ROOM(size));

	if (!out)
		abort();
	check_number(t);
	plain = json_unescape(t, &mem, &bad);
	if (plain.n > t.n)
		abort();
	walk(json_value(t, &rest), 0);
	(void)json_get(json_value(t, &rest), "key");
	used = utf16_to_utf8(data, size, size & 1, true, out, &used);
	if (used > UTF16_ROOM(size) || !json_is_utf8((struct span){ out, used }))
		abort();
	free(out);
	return 0;
}
