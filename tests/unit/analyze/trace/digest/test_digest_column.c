/* Columns as bytes: what is shortest to say of each, and what is read is not believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/digest/digest_wire.h"
#include "base/compiler.h"

enum { N = 6 };

static bool is_cut; /* what is read then is any, until it is bad */

/* What is written, as it was before and as it is now, comes back. */
static void goes(void (*walk)(struct walk *w))
{
	for (int plain = 0; plain < 2; plain++) {
		struct wire_out out;
		struct wire_in in;
		SCOPED_ARENA mem = { 0 };

		wire_begin(&out);
		out.is_plain = plain;
		walk(&(struct walk){ .out = &out });
		struct span all = { out.bytes.s, out.bytes.n };
		if (!plain)
			all = wire_seal(&out);
		for (size_t n = all.n + 1; n-- > 0;) {
			(plain ? wire_open : wire_open_sealed)(
				&in, (struct span){ all.p, n }, &mem);
			is_cut = n < all.n;
			walk(&(struct walk){ .in = &in });
			assert_int_equal(wire_is_done(&in), n == all.n);
		}
		wire_free(&out);
	}
}

/* How many bytes that takes now, without the four of the end. */
static size_t bytes_of(void (*walk)(struct walk *w))
{
	struct wire_out out;

	wire_begin(&out);
	walk(&(struct walk){ .out = &out });
	size_t n = wire_seal(&out).n;
	wire_free(&out);
	return n - 4;
}

static bool is_whole(const struct walk *w)
{
	return w->out || !is_cut;
}

/* ---- whole numbers ---- */

static const int64_t noisy[N] = { 1000100, 1000300, 1000200, 1000120, 1000250, 1000010 };
static const int64_t rising[N] = { 5, 6, 7, 8, 9, 10 };
static const int64_t edges[N] = { INT64_MAX, INT64_MIN, 0, -1, INT64_MIN, INT64_MAX };

static void column(struct walk *w, const int64_t *from, int64_t more, size_t n)
{
	int64_t v[N] = { 0 };

	for (size_t i = 0; w->out && i < n; i++)
		v[i] = (int64_t)((uint64_t)from[i] + (uint64_t)more);
	int64_t *kept = arena_array(walk_scratch(w), n, sizeof(*kept)); /* later ones are like it */
	memcpy(kept, v, n * sizeof(*v));
	walk_column(w, kept, n, sizeof(*kept), INT64_MIN);
	for (size_t i = 0; is_whole(w) && i < n; i++)
		assert_true((uint64_t)kept[i] == (uint64_t)from[i] + (uint64_t)more);
}

static void one_noisy(struct walk *w)
{
	column(w, noisy, 0, N);
}

static void two_alike(struct walk *w)
{
	column(w, noisy, 0, N);
	column(w, noisy, 7000000, N);
}

static void one_rising(struct walk *w)
{
	column(w, rising, 0, N);
}

static void many(struct walk *w)
{
	column(w, edges, 0, N);
	column(w, noisy, 0, N);
	column(w, edges, 1, N);
	column(w, noisy, INT64_MAX, N - 1);
	column(w, noisy, INT64_MAX, N);
	for (size_t n = 0; n < 4; n++)
		column(w, edges, 2, n);
}

/* Of what most of them are off by 10 at most 8 digits, of which 4 are noise: two heads, the middle
 * of 21 digits, six bytes and three; behind it one that is 7000000 more is heads, a middle and
 * zeros. */
static void columns(void **state)
{
	(void)state;
	goes(one_noisy);
	goes(two_alike);
	goes(one_rising);
	goes(many);
	assert_true(bytes_of(one_noisy) <= 2 + 4 + N + N);
	assert_true(bytes_of(two_alike) <= bytes_of(one_noisy) + 2 + 4 + N);
	assert_int_equal(bytes_of(one_rising), 2 + N); /* 5 and then 1 more, as signed: 10, 2, 2 ...
	                                                */
}

/* ---- reals ---- */

static void reals(struct walk *w, const double *from, size_t n)
{
	double *v = arena_array(walk_scratch(w), n, sizeof(*v));

	for (size_t i = 0; w->out && i < n; i++)
		v[i] = from[i];
	walk_reals(w, v, n, sizeof(*v));
	if (is_whole(w))
		assert_memory_equal(v, from, n * sizeof(*v));
}

/* Shares of a column, the last but one is none of it; of one number, which a second goes on with;
 * whole ones; any. */
static void shares(struct walk *w)
{
	const double third = 1.0 / 3;
	double of[9], parts[9], sums[9], odd[9] = { 0.1, -0.0, NAN, INFINITY, third, 1e300, -2, 0 };
	int64_t by[9] = { 30, 70, 110, 13, 17, 19, 23, 29, 31 }, sum = 0;

	for (int i = 0; i < 9; i++) {
		of[i] = (double)(3 * i) / (double)by[i];
		parts[i] = (double)by[i] / 342.0;
		sums[i] = (double)(sum += by[i]) / 342.0;
	}
	of[7] = third;
	int64_t *known = arena_array(walk_scratch(w), 9, sizeof(*known));
	if (w->out)
		memcpy(known, by, sizeof(by));
	walk_column(w, known, 9, sizeof(*known), 0);
	reals(w, of, 9);
	reals(w, parts, 9);
	reals(w, sums, 9);
	reals(w, odd, 9);
	reals(w, (double[]){ 1, 2, 3.5, 0.05, 7e9, -3 }, 6);
	for (size_t n = 0; n < 4; n++)
		reals(w, odd, n);
}

static void reals_go(void **state)
{
	(void)state;
	goes(shares);
}

/* ---- texts ---- */

static void texts(struct walk *w, const struct span *from, size_t n)
{
	struct span v[N] = { SPAN("") };

	for (size_t i = 0; i < n; i++)
		v[i] = w->out ? from[i] : SPAN("");
	walk_texts(w, v, n, sizeof(*v));
	for (size_t i = 0; is_whole(w) && i < n; i++) {
		assert_true(span_eq(v[i], from[i]));
		assert_true(w->out || v[i].p[v[i].n] == '\0');
	}
}

static void all_texts(struct walk *w)
{
	const struct span steps[] = { SPAN("step#0"), SPAN("step#7"), SPAN("go10"),
		SPAN("step#999999999999999999"), SPAN("12"), SPAN("step#8") };
	const struct span none[][4] = { { SPAN("a1"), SPAN("a02"), SPAN("a3"), SPAN("a4") },
		{ SPAN("a1"), SPAN("a2"), SPAN("a"), SPAN("a4") },
		{ SPAN("a1"), SPAN("a\0b2"), SPAN("a3"), SPAN("a4") },
		{ SPAN("a1"), SPAN("a1000000000000000000"), SPAN(""), SPAN("a4") } };

	texts(w, steps, COUNT_OF(steps));
	for (size_t i = 0; i < COUNT_OF(none); i++)
		texts(w, none[i], 4);
	texts(w, steps, 2);
}

static void texts_go(void **state)
{
	(void)state;
	goes(all_texts);
}

/* ---- what is read ---- */

/* Columns that are not there, shares of another length, more noise than digits, long prefixes. */
static void nothing_is_believed(void **state)
{
	static const char *const ints[] = { "\x02\0\0\0\0\0\0", "\0\x40\0\0\0\0" };
	static const char *const of_reals[] = { "\x02\0\0\0\0\0\0\0", "\x01\x02\0\0\0\0\0\0\x09" };
	struct wire_in in;
	struct walk w = { .in = &in };
	SCOPED_ARENA mem = { 0 };
	SCOPED_STR b = { 0 };
	int64_t v[4];
	double real[4];
	struct span text[4];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char bytes[16] = { 0 };

		memcpy(bytes, ints[i], 6);
		wire_open_sealed(&in, (struct span){ bytes, sizeof(bytes) }, &mem);
		walk_column(&w, v, 4, sizeof(*v), INT64_MIN);
		assert_true(in.is_bad);
		memcpy(bytes, of_reals[i], 9);
		wire_open_sealed(&in, (struct span){ bytes, sizeof(bytes) }, &mem);
		walk_reals(&w, real, 4, sizeof(*real));
		assert_true(in.is_bad);
	}
	str_add(&b, "\x01\0\x41", 3); /* numbered, and 65 bytes before the number */
	for (int i = 0; i < 65; i++)
		str_addc(&b, 'a');
	str_add(&b, "\x02\x02\x02\0\0\0\0\0\0\0\0\0\0", 13);
	wire_open_sealed(&in, (struct span){ b.s, b.n }, &mem);
	walk_texts(&w, text, 4, sizeof(*text));
	assert_true(in.is_bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns),
		cmocka_unit_test(reals_go),
		cmocka_unit_test(texts_go),
		cmocka_unit_test(nothing_is_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
