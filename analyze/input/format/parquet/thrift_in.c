/* Fields of structs. */
#include "analyze/input/format/parquet/thrift_in.h"

enum { DEPTH = 8, LONG = 15, OF_BYTE = 3, OF_I16 = 4, OF_REAL = 7, REAL_BYTES = 8 };

void thrift_fail(struct thrift_in *t)
{
	t->is_bad = true;
	t->at = t->end;
}

static unsigned byte_in(struct thrift_in *t)
{
	if (t->at == t->end) {
		thrift_fail(t);
		return 0;
	}
	return *t->at++;
}

uint64_t thrift_varint(struct thrift_in *t)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		unsigned b = byte_in(t);

		v |= (uint64_t)(b & 0x7f) << shift;
		if (b < 0x80)
			return v;
	}
	thrift_fail(t);
	return 0;
}

static int64_t thrift_zigzag(struct thrift_in *t)
{
	uint64_t v = thrift_varint(t);

	return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

bool thrift_next(struct thrift_in *t, struct thrift_field *f)
{
	unsigned head = byte_in(t);

	if (t->is_bad || head == THRIFT_STOP)
		return false;
	f->type = (int)(head & 0xf);
	if (head >> 4)
		f->id += head >> 4;
	else
		f->id = (int16_t)thrift_zigzag(t);
	return !t->is_bad;
}

static bool is_of(struct thrift_in *t, const struct thrift_field *f, enum thrift_type a, int b)
{
	if (f->type == (int)a || f->type == b)
		return true;
	thrift_fail(t);
	return false;
}

int64_t thrift_number(struct thrift_in *t, const struct thrift_field *f)
{
	return is_of(t, f, THRIFT_I32, THRIFT_I64) ? thrift_zigzag(t) : 0;
}

static struct span thrift_text_in(struct thrift_in *t)
{
	uint64_t n = thrift_varint(t);
	struct span s = { (const char *)t->at, (size_t)n };

	if (n > (uint64_t)(t->end - t->at)) {
		thrift_fail(t);
		return SPAN("");
	}
	t->at += n;
	return s;
}

struct span thrift_string(struct thrift_in *t, const struct thrift_field *f)
{
	return is_of(t, f, THRIFT_TEXT, THRIFT_TEXT) ? thrift_text_in(t) : SPAN("");
}

static size_t many_of(struct thrift_in *t, unsigned *type)
{
	unsigned head = byte_in(t);
	uint64_t n = head >> 4 < LONG ? head >> 4 : thrift_varint(t);

	*type = head & 0xf;
	if (n <= (uint64_t)(t->end - t->at))
		return (size_t)n;
	thrift_fail(t);
	return 0;
}

size_t thrift_many(struct thrift_in *t, const struct thrift_field *f, enum thrift_type of)
{
	unsigned type;
	size_t n;

	if (!is_of(t, f, THRIFT_LIST, THRIFT_LIST))
		return 0;
	n = many_of(t, &type);
	if (n == 0 || type == (unsigned)of)
		return n;
	thrift_fail(t);
	return 0;
}

void thrift_open(struct thrift_in *t, const struct thrift_field *f)
{
	(void)is_of(t, f, THRIFT_STRUCT, THRIFT_STRUCT);
}

static void pass_bytes(struct thrift_in *t, size_t n)
{
	if (n > (size_t)(t->end - t->at))
		thrift_fail(t);
	else
		t->at += n;
}

static void pass(struct thrift_in *t, int type, bool is_element, unsigned depth);

static void pass_list(struct thrift_in *t, unsigned depth)
{
	unsigned of;

	for (size_t n = many_of(t, &of); n > 0 && !t->is_bad; n--)
		pass(t, (int)of, true, depth);
}

static void pass_struct(struct thrift_in *t, unsigned depth)
{
	for (struct thrift_field f = { 0 }; thrift_next(t, &f);)
		pass(t, f.type, false, depth);
}

/* A truth is in its field's head, but an element of a list has a byte. */
static void pass(struct thrift_in *t, int type, bool is_element, unsigned depth)
{
	switch (type) {
	case THRIFT_TRUE:
	case THRIFT_FALSE: pass_bytes(t, is_element); return;
	case OF_BYTE: pass_bytes(t, 1); return;
	case OF_I16:
	case THRIFT_I32:
	case THRIFT_I64: (void)thrift_varint(t); return;
	case OF_REAL: pass_bytes(t, REAL_BYTES); return;
	case THRIFT_TEXT: (void)thrift_text_in(t); return;
	case THRIFT_LIST:
	case THRIFT_STRUCT: break;
	default: thrift_fail(t); return;
	}
	if (depth == DEPTH)
		thrift_fail(t);
	else if (type == THRIFT_LIST)
		pass_list(t, depth + 1);
	else
		pass_struct(t, depth + 1);
}

void thrift_skip(struct thrift_in *t, const struct thrift_field *f)
{
	pass(t, f->type, false, 0);
}
