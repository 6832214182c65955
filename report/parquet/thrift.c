/* Thrift's compact protocol, written. */
#include "report/parquet/thrift.h"

enum { LONG_LIST = 15 };

void varint_put(struct str *out, uint64_t v)
{
	for (; v > 0x7f; v >>= 7)
		str_addc(out, (char)((v & 0x7f) | 0x80));
	str_addc(out, (char)v);
}

void zigzag_put(struct str *out, int64_t v)
{
	varint_put(out, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

void thrift_begin(struct thrift *t)
{
	t->last[t->depth++] = 0;
}

void thrift_end(struct thrift *t)
{
	str_addc(t->out, 0);
	t->depth--;
}

static void put_field(struct thrift *t, int field, int type)
{
	int *last = &t->last[t->depth - 1];

	str_addc(t->out, (char)((field - *last) << 4 | type));
	*last = field;
}

void thrift_int(struct thrift *t, int field, enum thrift_type type, int64_t v)
{
	put_field(t, field, (int)type);
	zigzag_put(t->out, v);
}

void thrift_bool(struct thrift *t, int field, bool v)
{
	put_field(t, field, v ? THRIFT_TRUE : THRIFT_FALSE);
}

void thrift_element(struct thrift *t, struct span v)
{
	varint_put(t->out, v.n);
	str_add(t->out, v.p, v.n);
}

void thrift_text(struct thrift *t, int field, struct span v)
{
	put_field(t, field, THRIFT_TEXT);
	thrift_element(t, v);
}

void thrift_struct(struct thrift *t, int field)
{
	put_field(t, field, THRIFT_STRUCT);
	thrift_begin(t);
}

void thrift_list(struct thrift *t, int field, enum thrift_type type, size_t n)
{
	put_field(t, field, THRIFT_LIST);
	if (n < LONG_LIST) {
		str_addc(t->out, (char)((int)n << 4 | (int)type));
	} else {
		str_addc(t->out, (char)(LONG_LIST << 4 | (int)type));
		varint_put(t->out, n);
	}
}
