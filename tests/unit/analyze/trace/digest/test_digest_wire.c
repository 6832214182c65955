/* Values as bytes: what goes in comes out, and nothing that is read is believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/digest/digest_wire.h"
#include "base/compiler.h"
#include "base/table.h"

static struct span bytes_of(const struct wire_out *w)
{
	return (struct span){ w->bytes.s, w->bytes.n };
}

static void bytes_are(const struct wire_out *w, const char *bytes, size_t n)
{
	assert_int_equal(w->bytes.n, n);
	assert_memory_equal(w->bytes.s, bytes, n);
}

/* As docs/formats.md has them. */
static void as_written(void **state)
{
	struct wire_out w;

	(void)state;
	wire_begin(&w);
	wire_put_count(&w, 127);
	wire_put_count(&w, 300);
	wire_put_int(&w, -1);
	wire_put_int(&w, 1);
	wire_put_real(&w, 1.0);
	wire_put_text(&w, SPAN("ab"));
	wire_put_text(&w, SPAN(""));
	wire_put_text(&w, SPAN("ab"));
	bytes_are(&w,
		"\x7f"
		"\xac\x02"
		"\x01"
		"\x02"
		"\0\0\0\0\0\0\xf0\x3f"
		"\0\x02"
		"ab"
		"\x01"
		"\x02",
		19);
	wire_free(&w);
}

static const int64_t numbers[] = { 0, 1, -1, 63, 64, -64, -65, INT64_MAX, INT64_MIN, 0 };

static void there_and_back(void **state)
{
	int64_t column[COUNT_OF(numbers)];
	struct wire_out w;
	struct wire_in in;
	SCOPED_ARENA mem = { 0 };
	size_t i;

	(void)state;
	wire_begin(&w);
	for (i = 0; i < COUNT_OF(numbers); i++)
		wire_put_int(&w, numbers[i]);
	wire_put_column(&w, numbers, COUNT_OF(numbers), sizeof(int64_t));
	wire_put_count(&w, UINT64_MAX);
	wire_put_real(&w, -0.0);
	wire_put_real(&w, (double)NAN);
	wire_put_text(&w, SPAN("a\0b"));
	wire_put_bool(&w, true);
	wire_open(&in, bytes_of(&w), &mem);
	for (i = 0; i < COUNT_OF(numbers); i++)
		assert_true(wire_int(&in) == numbers[i]);
	wire_column(&in, column, COUNT_OF(numbers), sizeof(int64_t));
	assert_memory_equal(column, numbers, sizeof(numbers));
	assert_true(wire_count(&in) == UINT64_MAX);
	assert_true(signbit(wire_real(&in)));
	assert_true(isnan(wire_real(&in)));
	assert_true(span_eq(wire_text(&in), SPAN("a\0b")));
	assert_true(wire_bool(&in));
	assert_true(wire_is_done(&in));
	wire_free(&w);
}

/* Below 16 a byte; else 16 + 4 (digits - 5) + the two behind the first, and the rest as bits. */
static void split(void **state)
{
	static const uint64_t v[] = { 0, 15, 16, 31, 0x5a5, UINT64_MAX };
	static const unsigned char bytes[] = { 0, 15, 16, 19, 16 + 4 * 6 + 1, 255,
		/* 00, 11, 10100101 and 61 ones from the lowest bit on: 72 bits less 3, then how
		   many bytes */
		0x5c, 0xfa, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 10, 0, 0, 0 };
	struct wire_out w;
	struct wire_in in;
	SCOPED_ARENA mem = { 0 };

	(void)state;
	wire_begin(&w);
	for (size_t i = 0; i < COUNT_OF(v); i++)
		wire_put_split(&w, v[i]);
	struct span all = wire_seal(&w);
	assert_int_equal(all.n, sizeof(bytes));
	assert_memory_equal(all.p, bytes, sizeof(bytes));
	assert_int_equal(w.raw, 14);
	wire_open_sealed(&in, all, &mem);
	for (size_t i = 0; i < COUNT_OF(v); i++)
		assert_true(wire_split(&in) == v[i]);
	assert_true(wire_is_done(&in));
	for (size_t n = 0; n < all.n; n++) {
		wire_open_sealed(&in, (struct span){ all.p, n }, &mem);
		for (size_t i = 0; i < COUNT_OF(v); i++)
			(void)wire_split(&in);
		assert_false(wire_is_done(&in));
	}
	wire_free(&w);
}

/* What is bad gives 0 from then on. */
static void odd(const char *bytes, size_t n, uint64_t (*take)(struct wire_in *))
{
	struct wire_in in;
	SCOPED_ARENA mem = { 0 };

	wire_open(&in, (struct span){ bytes, n }, &mem);
	assert_true(take(&in) == 0);
	assert_true(in.is_bad);
	assert_true(wire_int(&in) == 0);
	assert_int_equal(wire_text(&in).n, 0);
	assert_false(wire_is_done(&in));
	assert_true(mem.total < 1 << 20);
}

static uint64_t take_text(struct wire_in *w)
{
	return wire_text(w).n;
}

static uint64_t take_many(struct wire_in *w)
{
	return wire_many(w, 3);
}

static uint64_t take_bool(struct wire_in *w)
{
	return wire_bool(w);
}

static void nothing_is_believed(void **state)
{
	(void)state;
	odd("", 0, wire_count);
	odd("\x80", 1, wire_count);
	odd("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, wire_count); /* 65 bits */
	odd("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11, wire_count);
	odd("\x02", 1, take_text); /* there is no second text */
	odd("\x00\x05"
	    "abcd",
		6, take_text); /* it ends before its end */
	odd("\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, take_text);
	odd("\x02"
	    "abcde",
		6, take_many); /* two of three bytes in five */
	odd("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, take_many);
	odd("\x02", 1, take_bool);
}

/* What is too small is the least there may be, for what goes on counting with it. */
static void too_small(void **state)
{
	(void)state;
	struct wire_in in;
	struct walk w = { .in = &in };
	SCOPED_ARENA mem = { 0 };
	int64_t one = 7, column[3] = { 0 };

	wire_open(&in, SPAN("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), &mem); /* the least of all
	                                                                         */
	walk_int(&w, &one, 0);
	assert_true(in.is_bad);
	assert_int_equal(one, 0);

	wire_open(&in, SPAN("\x04\x09\x08"), &mem); /* 2, -3, 1 */
	walk_column(&w, column, 3, sizeof(column[0]), 1);
	assert_true(in.is_bad);
	assert_int_equal(column[0], 2);
	assert_int_equal(column[1], 1);
	assert_int_equal(column[2], 1);
}

/* ---- tables ---- */

static const struct column columns[] = {
	{ "name", "name", "what it is", NULL, CELL_TEXT, UNIT_NONE, .flags = COLUMN_NAME },
	{ "total_ns", "total", "how long", "a book", CELL_INT, UNIT_NS, .flags = COLUMN_SHOWN },
	{ "share_ratio", "%", "of all", NULL, CELL_REAL, UNIT_RATIO, .flags = COLUMN_HIDDEN },
	{ "is_odd", "odd", "whether", NULL, CELL_BOOL, UNIT_NONE,
		.flags = COLUMN_SPARE | COLUMN_ROOM },
	{ "value", "value", "of its row's unit", NULL, CELL_REAL, UNIT_OF_ROW,
		.flags = COLUMN_SHOWN },
};
static const struct table_doc doc = { "rows", "rows", columns, COUNT_OF(columns) };

static void fill(struct result *r)
{
	struct table *t;

	result_init(r, "traceq.test/1");
	t = result_table(r, doc.id, doc.title, doc.col, doc.ncol);
	t->input = 0;
	t->ncut = 7;
	t->footnote = "a line";
	table_row(t);
	table_unit(t, UNIT_BYTES);
	table_text(t, 0, SPAN("mm"));
	table_int(t, 1, 1000);
	table_real(t, 2, 0.25);
	table_bool(t, 3, true);
	table_row(t);
	table_unit(t, UNIT_NJ);
	table_int(t, 1, INT64_MIN);
	table_real(t, 2, -3);
	table_real(t, 4, 1e300);
	table_row(t);
	table_text(t, 0, SPAN("total"));
	table_text(t, 0, SPAN("mm"));
	t->nfoot = 1;
	(void)result_table(r, "none", NULL, doc.col, 1);
	result_note(r, NOTE_WARNING, "odd", 0, 3, "it is odd");
	r->note[0].offset = 88;
	r->note[0].line = 5;
	result_note(r, NOTE_INFO, "all", -1, -1, "of all");
}

static void same_cells(const struct table *a, const struct table *b)
{
	size_t row, col;

	for (row = 0; row < a->nrow; row++)
		for (col = 0; col < a->ncol; col++) {
			const union cell *x = table_cell(a, row, col), *y = table_cell(b, row, col);

			assert_int_equal(x != NULL, y != NULL);
			if (x && a->col[col].type == CELL_TEXT)
				assert_true(span_eq(x->s, y->s));
			else if (x && a->col[col].type == CELL_BOOL)
				assert_int_equal(x->b, y->b);
			else if (x)
				assert_true(x->i == y->i); /* reals by their bits */
		}
}

static void same_table(const struct table *a, const struct table *b, int input)
{
	size_t i;

	assert_string_equal(a->id, b->id);
	assert_int_equal(a->title != NULL, b->title != NULL);
	assert_int_equal(b->input, a->input < 0 ? -1 : input);
	assert_int_equal(a->layout, b->layout);
	assert_int_equal(a->nrow, b->nrow);
	assert_int_equal(a->nfoot, b->nfoot);
	assert_int_equal(a->ncut, b->ncut);
	assert_int_equal(a->ncol, b->ncol);
	for (i = 0; i < a->ncol; i++) {
		assert_string_equal(a->col[i].key, b->col[i].key);
		assert_string_equal(a->col[i].title, b->col[i].title);
		assert_int_equal(a->col[i].type, b->col[i].type);
		assert_int_equal(a->col[i].unit, b->col[i].unit);
		assert_int_equal(a->col[i].flags, b->col[i].flags);
	}
	for (i = 0; i < a->nrow; i++)
		assert_int_equal(a->unit[i], b->unit[i]);
	same_cells(a, b);
}

static void tables(void **state)
{
	struct result r, back;
	struct wire_out w;
	struct wire_in in;
	size_t i;

	(void)state;
	fill(&r);
	result_init(&back, "traceq.test/1");
	wire_begin(&w);
	wire_put_tables(&w, &r);
	wire_open_sealed(&in, wire_seal(&w), &back.mem);
	wire_tables(&in, &back, 4, &doc, 1);
	assert_true(wire_is_done(&in));
	assert_int_equal(back.ntable, r.ntable);
	for (i = 0; i < r.ntable; i++)
		same_table(r.table[i], back.table[i], 4);
	assert_string_equal(back.table[0]->footnote, "a line");
	assert_string_equal(back.table[0]->col[1].doc, "how long");
	assert_string_equal(back.table[0]->col[1].source, "a book");
	assert_string_equal(back.table[1]->col[0].doc, ""); /* of a table nobody knows */
	assert_int_equal(back.nnote, 2);
	assert_string_equal(back.note[0].id, "odd");
	assert_string_equal(back.note[0].text, "it is odd");
	assert_int_equal(back.note[0].input, 4);
	assert_int_equal(back.note[0].count, 3);
	assert_int_equal(back.note[0].offset, 88);
	assert_int_equal(back.note[0].line, 5);
	assert_int_equal(back.note[0].level, NOTE_WARNING);
	assert_int_equal(back.note[1].input, -1);
	wire_free(&w);
	result_clear(&r);
	result_clear(&back);
}

/* Cut anywhere it is damaged, and never more than what is there. */
static void cut_tables(void **state)
{
	struct result r;
	struct wire_out w;
	size_t n;

	(void)state;
	fill(&r);
	wire_begin(&w);
	wire_put_tables(&w, &r);
	struct span all = wire_seal(&w);
	for (n = 0; n < all.n; n++) {
		struct result back;
		struct wire_in in;

		result_init(&back, "traceq.test/1");
		wire_open_sealed(&in, (struct span){ all.p, n }, &back.mem);
		wire_tables(&in, &back, 0, &doc, 1);
		assert_false(wire_is_done(&in));
		result_clear(&back);
	}
	wire_free(&w);
	result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_written),
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(split),
		cmocka_unit_test(nothing_is_believed),
		cmocka_unit_test(too_small),
		cmocka_unit_test(tables),
		cmocka_unit_test(cut_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
