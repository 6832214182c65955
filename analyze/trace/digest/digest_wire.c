/* Bytes of digests: one value after the other. */
#include "analyze/trace/digest/digest_wire.h"

#include "analyze/trace/digest/digest_file.h"

enum { DIGIT_BITS = 7, DIGIT_MORE = 0x80, REAL_BYTES = 8, LAST_SHIFT = 63 };

/* Split numbers: below 16 as they are, then four codes for as many as there are below. */
enum { SPLIT_PLAIN = 16, SPLIT_FIRST = 4, SPLIT_DIGITS = 2, BYTE_BITS = 8, SEAL_BYTES = 4 };

static const uint64_t seed = 0x7769726574657874u;

void wire_begin(struct wire_out *w)
{
	*w = (struct wire_out){ 0 };
	strings_init(&w->texts, seed);
}

void wire_free(struct wire_out *w)
{
	str_free(&w->bytes);
	str_free(&w->bits);
	strings_clear(&w->texts);
	arena_clear(&w->mem);
}

struct span wire_seal(struct wire_out *w)
{
	size_t n = w->bits.n;

	str_add(&w->bytes, n ? w->bits.s : "", n);
	digest_file_put_u32(&w->bytes, (uint32_t)n);
	w->raw = n + SEAL_BYTES;
	return (struct span){ w->bytes.s, w->bytes.n };
}

void wire_put_count(struct wire_out *w, uint64_t v)
{
	for (; v >= DIGIT_MORE; v >>= DIGIT_BITS)
		str_addc(&w->bytes, (char)(v | DIGIT_MORE));
	str_addc(&w->bytes, (char)v);
}

void wire_put_int(struct wire_out *w, int64_t v)
{
	wire_put_count(w, wire_unsigned(v));
}

void wire_put_real(struct wire_out *w, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	for (int i = 0; i < REAL_BYTES; i++)
		str_addc(&w->bytes, (char)(bits >> 8 * i));
}

void wire_put_bool(struct wire_out *w, bool v)
{
	wire_put_count(w, v);
}

static void put_bits(struct wire_out *w, uint64_t v, unsigned n)
{
	for (unsigned take; n > 0; n -= take, v >>= take) {
		if (w->used == 0)
			str_addc(&w->bits, 0);
		take = MIN(n, BYTE_BITS - w->used);
		w->bits.s[w->bits.n - 1] |= (char)((v & ((1u << take) - 1)) << w->used);
		w->used = (w->used + take) % BYTE_BITS;
	}
}

void wire_put_split(struct wire_out *w, uint64_t v)
{
	if (v < SPLIT_PLAIN) {
		str_addc(&w->bytes, (char)v);
		return;
	}
	unsigned below = LAST_SHIFT - SPLIT_DIGITS - (unsigned)__builtin_clzll(v);
	unsigned code = SPLIT_PLAIN + 4 * (below + SPLIT_DIGITS - SPLIT_FIRST);
	str_addc(&w->bytes, (char)(code + (v >> below & 3)));
	put_bits(w, v & ((UINT64_C(1) << below) - 1), below);
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

	for (size_t i = 0; i < n; i++) {
		uint64_t one = (uint64_t)at_stride(v, i, stride);

		wire_put_int(w, (int64_t)(one - last));
		last = one;
	}
}

/* ---- reading ---- */

void wire_open(struct wire_in *w, struct span bytes, struct arena *mem)
{
	*w = (struct wire_in){ .at = (const unsigned char *)bytes.p, .mem = mem, .scratch = mem };
	w->end = w->at + bytes.n;
	ARENA_PUSH(mem, w->text, w->ntext, w->text_cap, SPAN(""));
}

void wire_open_sealed(struct wire_in *w, struct span bytes, struct arena *mem)
{
	size_t raw = bytes.n < SEAL_BYTES
		? SIZE_MAX
		: SEAL_BYTES + (size_t)digest_file_u32(bytes.p + bytes.n - SEAL_BYTES);

	wire_open(w, (struct span){ bytes.p, raw > bytes.n ? 0 : bytes.n - raw }, mem);
	w->is_sealed = true;
	if (raw > bytes.n) {
		wire_fail(w);
		return;
	}
	w->bits = w->end;
	w->nbit = (raw - SEAL_BYTES) * BYTE_BITS;
}

enum status wire_open_section(struct wire_in *w, const struct kept *k, const char *section,
	struct str *plain, struct arena *mem, struct err *e)
{
	TRY(digest_file_get(k, section, plain, e));
	(digest_file_version(k) > 1 ? wire_open_sealed : wire_open)(
		w, (struct span){ plain->s, plain->n }, mem);
	return OK;
}

bool wire_is_done(const struct wire_in *w)
{
	return !w->is_bad && w->at == w->end && w->nbit - w->bit < BYTE_BITS;
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

	if (w->at < w->end && *w->at < DIGIT_MORE) /* as most are */
		return *w->at++;
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
	return wire_signed(wire_count(w));
}

double wire_real(struct wire_in *w)
{
	uint64_t bits = 0;
	double v;

	if (w->end - w->at < REAL_BYTES) {
		wire_fail(w);
		return 0;
	}
	for (int i = 0; i < REAL_BYTES; i++)
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

static uint64_t take_bits(struct wire_in *w, unsigned n)
{
	uint64_t v = 0;

	if (n > w->nbit - w->bit) {
		wire_fail(w);
		return 0;
	}
	for (unsigned at = 0, take; at < n; at += take, w->bit += take) {
		unsigned used = w->bit % BYTE_BITS;

		take = MIN(n - at, BYTE_BITS - used);
		v |= (uint64_t)(w->bits[w->bit / BYTE_BITS] >> used & ((1u << take) - 1)) << at;
	}
	return v;
}

uint64_t wire_split(struct wire_in *w)
{
	if (w->at == w->end) {
		wire_fail(w);
		return 0;
	}
	unsigned code = *w->at++;
	if (code < SPLIT_PLAIN)
		return code;
	unsigned below = code / 4 - SPLIT_PLAIN / 4 + SPLIT_FIRST - SPLIT_DIGITS;
	return (uint64_t)(4 + code % 4) << below | take_bits(w, below);
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

	if (number > w->ntext)
		wire_fail(w);
	if (w->is_bad)
		return SPAN("");
	if (number > 0)
		return w->text[number - 1];
	size_t n = wire_many(w, 1);
	struct span v = (struct span){ arena_copy(w->mem, n ? (const char *)w->at : "", n), n };
	w->at += n;
	ARENA_PUSH(w->mem, w->text, w->ntext, w->text_cap, v);
	return v;
}

void wire_column(struct wire_in *w, int64_t *v, size_t n, size_t stride)
{
	uint64_t last = 0;

	for (size_t i = 0; i < n; i++) {
		last += (uint64_t)wire_int(w);
		int64_t one = (int64_t)last;
		memcpy((char *)v + i * stride, &one, sizeof(one));
	}
}

/* ---- either ---- */

void walk_check(struct walk *w, bool is_fine)
{
	if (w->in && !is_fine)
		wire_fail(w->in);
}

void walk_int(struct walk *w, int64_t *v, int64_t least)
{
	if (!w->in)
		wire_put_int(w->out, *v);
	else if ((*v = wire_int(w->in)) < least) {
		*v = least;
		wire_fail(w->in);
	}
}

void walk_real(struct walk *w, double *v)
{
	if (!w->in)
		wire_put_real(w->out, *v);
	else
		*v = wire_real(w->in);
}

void walk_bool(struct walk *w, bool *v)
{
	*v = walk_below(w, *v, 2) != 0;
}

void walk_text(struct walk *w, struct span *v)
{
	if (!w->in)
		wire_put_text(w->out, *v);
	else
		*v = wire_text(w->in);
}

size_t walk_below(struct walk *w, size_t v, size_t limit)
{
	if (w->in)
		return wire_below(w->in, limit);
	wire_put_count(w->out, v);
	return v;
}

size_t walk_many(struct walk *w, size_t n, size_t least)
{
	return w->in ? wire_many(w->in, least) : walk_below(w, n, SIZE_MAX);
}

void walk_step(struct walk *w, int64_t *v, int64_t *last)
{
	int64_t more = (int64_t)((uint64_t)*v - (uint64_t)*last);

	if (walk_is_plain(w))
		walk_int(w, &more, INT64_MIN);
	else
		more = wire_signed(walk_split(w, wire_unsigned(more)));
	*v = *last = (int64_t)((uint64_t)*last + (uint64_t)more);
}

void walk_new_texts(struct walk *w)
{
	if (w->in) {
		w->in->ntext = 1;
		return;
	}
	strings_clear(&w->out->texts);
	strings_init(&w->out->texts, seed);
}

struct arena *walk_scratch(const struct walk *w)
{
	return w->in ? w->in->scratch : &w->out->mem;
}

bool walk_is_plain(const struct walk *w)
{
	return w->in ? !w->in->is_sealed : w->out->is_plain;
}

uint64_t walk_split(struct walk *w, uint64_t v)
{
	if (w->in)
		return wire_split(w->in);
	wire_put_split(w->out, v);
	return v;
}

uint64_t walk_noise(struct walk *w, uint64_t v, unsigned n)
{
	if (w->in)
		return take_bits(w->in, n);
	put_bits(w->out, v, n);
	return v;
}

int64_t walk_natural(struct walk *w, int64_t v)
{
	uint64_t one =
		walk_is_plain(w) ? walk_below(w, (size_t)v, SIZE_MAX) : walk_split(w, (uint64_t)v);

	walk_check(w, one <= INT64_MAX);
	return one <= INT64_MAX ? (int64_t)one : 0;
}

void *walk_rows(struct walk *w, void *v, size_t *n, size_t least, size_t size)
{
	*n = walk_many(w, *n, least);
	return w->in ? arena_array(w->in->mem, *n, size) : v;
}
