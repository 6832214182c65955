/* Protocol buffers' wire format, and arguments of events in it. */
#include "edit/out/pb.h"

#include "analyze/input/format/proto/packet.h"
#include "analyze/input/text/num.h"

enum { PB_VARINT = 0, PB_FIXED64 = 1, PB_BYTES = 2, LENGTH_BYTES = 4 };

void pbw_number(struct str *out, uint64_t v)
{
	while (v >= 0x80) {
		str_addc(out, (char)(v | 0x80));
		v >>= 7;
	}
	str_addc(out, (char)v);
}

static void put_tag(struct str *out, uint32_t field, unsigned type)
{
	pbw_number(out, (uint64_t)field << 3 | type);
}

void pbw_varint(struct str *out, uint32_t field, uint64_t v)
{
	put_tag(out, field, PB_VARINT);
	pbw_number(out, v);
}

void pbw_double(struct str *out, uint32_t field, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	put_tag(out, field, PB_FIXED64);
	for (int i = 0; i < 8; i++)
		str_addc(out, (char)(bits >> 8 * i & 0xff));
}

void pbw_bytes(struct str *out, uint32_t field, struct span v)
{
	put_tag(out, field, PB_BYTES);
	pbw_number(out, v.n);
	str_add(out, v.p, v.n);
}

/* Room for a length of four bytes, which need not be the shortest. */
size_t pbw_begin(struct str *out, uint32_t field)
{
	put_tag(out, field, PB_BYTES);
	str_add(out, "\0\0\0\0", LENGTH_BYTES);
	return out->n;
}

void pbw_end(struct str *out, size_t at)
{
	size_t n = out->n - at;

	for (size_t i = 0; i < LENGTH_BYTES; i++)
		out->s[at - LENGTH_BYTES + i] =
			(char)((n >> 7 * i & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}

/* --- debug annotations: debug_annotation.proto of perfetto.dev --- */

enum { NOTE_DEPTH = 32 };

/* Calls itself for what is nested, NOTE_DEPTH deep at most. */
static void put_value(
	struct str *out, struct json_value v, struct strings *names, struct arena *mem, int depth);

struct span annotation_text(struct json_value v, struct arena *mem)
{
	unsigned bad = 0;

	return v.escaped ? json_unescape(v.text, mem, &bad) : v.text;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as NOTE_DEPTH */
static void put_named(struct str *out, uint32_t field, struct span key, struct json_value v,
	struct strings *names, struct arena *mem, int depth)
{
	size_t at = pbw_begin(out, field);

	if (memchr(key.p, '\\', key.n))
		key = annotation_text((struct json_value){ JSON_STRING, key, true }, mem);
	pbw_varint(out, NOTE_NAME_IID, strings_intern(names, key) + 1u);
	put_value(out, v, names, mem, depth);
	pbw_end(out, at);
}

/* What is no number, as NaN without quotes may be, is one here, else a text. */
static void put_number(struct str *out, struct span text)
{
	bool real = memchr(text.p, '.', text.n) || memchr(text.p, 'e', text.n) ||
		memchr(text.p, 'E', text.n);
	int64_t i;
	uint64_t u;
	double f;

	if (!real && num_i64(text, &i))
		pbw_varint(out, NOTE_INT, (uint64_t)i);
	else if (span_is(text, "-9223372036854775808")) /* which stands for none elsewhere */
		pbw_varint(out, NOTE_INT, UINT64_C(1) << 63);
	else if (!real && num_u64(text, &u))
		pbw_varint(out, NOTE_UINT, u);
	else if (num_f64(text, &f))
		pbw_double(out, NOTE_DOUBLE, f);
	else
		pbw_bytes(out, NOTE_STRING, text);
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as NOTE_DEPTH */
static void put_nested(
	struct str *out, struct json_value v, struct strings *names, struct arena *mem, int depth)
{
	struct span it = v.text, key;
	struct json_value inner;
	size_t at;

	while (json_next(&it, &key, &inner)) {
		if (v.type == JSON_OBJECT) {
			put_named(out, NOTE_DICT, key, inner, names, mem, depth + 1);
			continue;
		}
		at = pbw_begin(out, NOTE_ARRAY);
		put_value(out, inner, names, mem, depth + 1);
		pbw_end(out, at);
	}
}

static bool is_empty(struct json_value v)
{
	struct span it = v.text, key;
	struct json_value inner;

	return !json_next(&it, &key, &inner);
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as NOTE_DEPTH */
static void put_value(
	struct str *out, struct json_value v, struct strings *names, struct arena *mem, int depth)
{
	switch (v.type) {
	case JSON_STRING: pbw_bytes(out, NOTE_STRING, annotation_text(v, mem)); break;
	case JSON_NUMBER: put_number(out, v.text); break;
	case JSON_WORD:
		if (span_is(v.text, "true") || span_is(v.text, "false"))
			pbw_varint(out, NOTE_BOOL, span_is(v.text, "true"));
		else if (span_is(v.text, "null"))
			pbw_bytes(out, NOTE_JSON, v.text);
		else
			put_number(out, v.text);
		break;
	case JSON_ARRAY:
	case JSON_OBJECT:
		if (depth >= NOTE_DEPTH || (v.type == JSON_OBJECT && is_empty(v)))
			pbw_bytes(out, NOTE_JSON, v.text);
		else
			put_nested(out, v, names, mem, depth);
		break;
	case JSON_NONE: break;
	}
}

void annotation_put(struct str *out, uint32_t field, struct span key, struct json_value v,
	struct strings *names, struct arena *mem)
{
	put_named(out, field, key, v, names, mem, 0);
}
