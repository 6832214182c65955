/*
 * Bytes of digests: one value after the other.
 */
#include "analyze/trace/digest/digest_wire.h"

#include <string.h>

enum { DIGIT_BITS = 7, DIGIT_MORE = 0x80, REAL_BYTES = 8, LAST_SHIFT = 63, FIRST_TEXTS = 64 };

static const uint64_t seed = 0x7769726574657874u;

void wire_begin(struct wire_out *w)
{
	*w = (struct wire_out){ 0 };
	strings_init(&w->texts, seed);
}

void wire_free(struct wire_out *w)
{
	str_free(&w->bytes);
	strings_clear(&w->texts);
}

void wire_put_count(struct wire_out *w, uint64_t v)
{
	for (; v >= DIGIT_MORE; v >>= DIGIT_BITS)
		str_addc(&w->bytes, (char)(v | DIGIT_MORE));
	str_addc(&w->bytes, (char)v);
}

void wire_put_int(struct wire_out *w, int64_t v)
{
	wire_put_count(w, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

void wire_put_real(struct wire_out *w, double v)
{
	uint64_t bits;
	int i;

	memcpy(&bits, &v, sizeof(bits));
	for (i = 0; i < REAL_BYTES; i++)
		str_addc(&w->bytes, (char)(bits >> 8 * i));
}

void wire_put_bool(struct wire_out *w, bool v)
{
	wire_put_count(w, v);
}

/* The empty text is number 1 of itself: the strings have it from the beginning. */
void wire_put_text(struct wire_out *w, struct span v)
{
	size_t before = w->texts.n;
	sym number = strings_intern(&w->texts, v.p ? v : SPAN(""));

	if (w->texts.n == before) {
		wire_put_count(w, (uint64_t)number + 1);
		return;
	}
	wire_put_count(w, 0);
	wire_put_count(w, v.n);
	str_add(&w->bytes, v.p, v.n);
}

static int64_t at_stride(const int64_t *v, size_t i, size_t stride)
{
	int64_t one;

	memcpy(&one, (const char *)v + i * stride, sizeof(one));
	return one;
}

void wire_put_column(struct wire_out *w, const int64_t *v, size_t n, size_t stride)
{
	uint64_t last = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		uint64_t one = (uint64_t)at_stride(v, i, stride);

		wire_put_int(w, (int64_t)(one - last));
		last = one;
	}
}

/* ---- reading ---- */

void wire_open(struct wire_in *w, struct span bytes, struct arena *mem)
{
	*w = (struct wire_in){ .at = (const unsigned char *)bytes.p, .mem = mem };
	w->end = w->at + bytes.n;
	w->text = arena_array(mem, FIRST_TEXTS, sizeof(*w->text));
	w->text_cap = FIRST_TEXTS;
	w->text[w->ntext++] = SPAN("");
}

bool wire_is_done(const struct wire_in *w)
{
	return !w->is_bad && w->at == w->end;
}

void wire_fail(struct wire_in *w)
{
	w->is_bad = true;
	w->at = w->end;
}

uint64_t wire_count(struct wire_in *w)
{
	uint64_t v = 0;
	unsigned shift = 0;

	for (; w->at < w->end && shift <= LAST_SHIFT; shift += DIGIT_BITS) {
		unsigned char digit = *w->at++;

		if (shift == LAST_SHIFT && digit > 1)
			break;
		v |= (uint64_t)(digit & (DIGIT_MORE - 1)) << shift;
		if (digit < DIGIT_MORE)
			return v;
	}
	wire_fail(w);
	return 0;
}

int64_t wire_int(struct wire_in *w)
{
	uint64_t v = wire_count(w);

	return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

double wire_real(struct wire_in *w)
{
	uint64_t bits = 0;
	double v;
	int i;

	if (w->end - w->at < REAL_BYTES) {
		wire_fail(w);
		return 0;
	}
	for (i = 0; i < REAL_BYTES; i++)
		bits |= (uint64_t)*w->at++ << 8 * i;
	memcpy(&v, &bits, sizeof(v));
	return v;
}

bool wire_bool(struct wire_in *w)
{
	return wire_below(w, 2) != 0;
}

size_t wire_below(struct wire_in *w, size_t limit)
{
	uint64_t v = wire_count(w);

	if (v < limit)
		return (size_t)v;
	wire_fail(w);
	return 0;
}

size_t wire_many(struct wire_in *w, size_t least)
{
	uint64_t n = wire_count(w);

	if (n <= (uint64_t)(w->end - w->at) / least)
		return (size_t)n;
	wire_fail(w);
	return 0;
}

struct span wire_text(struct wire_in *w)
{
	uint64_t number = wire_count(w);
	struct span v;
	size_t n;

	if (number > w->ntext)
		wire_fail(w);
	if (w->is_bad)
		return SPAN("");
	if (number > 0)
		return w->text[number - 1];
	n = wire_many(w, 1);
	v = (struct span){ arena_copy(w->mem, n ? (const char *)w->at : "", n), n };
	w->at += n;
	w->text =
		arena_grow(w->mem, w->text, w->ntext, &w->text_cap, FIRST_TEXTS, sizeof(*w->text));
	w->text[w->ntext++] = v;
	return v;
}

void wire_column(struct wire_in *w, int64_t *v, size_t n, size_t stride)
{
	uint64_t last = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		int64_t one;

		last += (uint64_t)wire_int(w);
		one = (int64_t)last;
		memcpy((char *)v + i * stride, &one, sizeof(one));
	}
}
