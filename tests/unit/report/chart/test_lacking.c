/* Charts, sections and documents of tables that lack something: all of them, rows, columns, cells.
 *
 * Each chart and each section is given the tables that its analyses have by their own lists, with
 * what is in them left out in every way: it draws or writes what there is, or says why not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis/analysis.h"
#include "cmd/commands.h"
#include "report/chart/charts.h"
#include "report/chart/draw/gnuplot.h"
#include "report/chart/draw/svg.h"
#include "report/documents/layout.h"
#include "report/page/section/section.h"
#include "tests/unit/report_text.h"

enum { ASKS = 8, ROUNDS = 40, ROWS = 6, NUMBERS = 9 };

/* What a table is like. */
enum lack {
	LACKS_TABLES,
	LACKS_ROWS,
	LACKS_CELLS,   /* none is known */
	LACKS_COLUMNS, /* and the others are there */
	LACKS_SOME,    /* cells here and there */
	LACKS_NOTHING,
	LACK_COUNT
};

/* Answers to several asks. */
struct lacking {
	struct result result[ASKS];
	struct answer answer[ASKS];
	struct answers in;
	struct arena mem;
};

static const struct analysis *analysis_of(const char *ask)
{
	char name[64] = "";

	memcpy(name, ask, strcspn(ask, " "));
	return analysis_find(&commands_all.analyses, name);
}

/* One of the words that the column may have, or any. */
static struct span word_of(const struct column *c, unsigned *seed)
{
	static const char *const any[] = { "", "a", "rank0/t.json", "ok", "device", "all_reduce" };
	const char *w = c->words;
	size_t skip = random_next(seed) % 4, n;

	if (!w)
		return span_of(any[random_next(seed) % COUNT_OF(any)]);
	for (n = strcspn(w, "|"); skip-- > 0 && w[n]; n = strcspn(w, "|"))
		w += n + 1;
	return (struct span){ w, n };
}

static void put_cell(struct table *t, size_t col, unsigned *seed)
{
	int v = (int)(random_next(seed) % NUMBERS);

	switch (t->col[col].type) {
	case CELL_TEXT: table_text(t, col, word_of(&t->col[col], seed)); break;
	case CELL_INT: table_int(t, col, v); break;
	case CELL_REAL: table_real(t, col, v / 4.0); break;
	case CELL_BOOL: table_bool(t, col, v % 2); break;
	}
}

/* The table as its list has it, or without some columns. */
static void put_table(struct lacking *l, struct result *r, const struct table_doc *doc,
	enum lack lack, unsigned *seed)
{
	struct column *col = arena_array(&l->mem, doc->ncol + 1, sizeof(*col));
	size_t n = 0, nrow = lack == LACKS_ROWS ? 0 : 1 + random_next(seed) % ROWS, i, row;
	struct table *t;

	for (i = 0; i < doc->ncol; i++)
		if (lack != LACKS_COLUMNS || random_next(seed) % 3)
			col[n++] = doc->col[i];
	t = result_table(r, doc->id, doc->title, col, n);
	t->input = 0;
	for (row = 0; row < nrow; row++) {
		table_row(t);
		for (i = 0; i < n && lack != LACKS_CELLS; i++)
			if (lack != LACKS_SOME || random_next(seed) % 2)
				put_cell(t, i, seed);
	}
}

static void lacking_begin(
	struct lacking *l, const char *const *ask, size_t max, enum lack lack, unsigned *seed)
{
	size_t i, k;

	memset(l, 0, sizeof(*l));
	for (i = 0; i < max && ask[i]; i++) {
		const struct analysis *a = analysis_of(ask[i]);

		assert_non_null(a);
		result_init(&l->result[i], "traceq.lacking/1");
		(void)result_input(&l->result[i], "rank0/t.json");
		for (k = 0; k < a->help.ntables && lack != LACKS_TABLES; k++)
			put_table(l, &l->result[i], &a->help.tables[k], lack, seed);
		l->answer[i] = (struct answer){ .ask = ask[i], .result = &l->result[i] };
	}
	l->in = (struct answers){ .v = l->answer, .n = i };
}

static void lacking_end(struct lacking *l)
{
	size_t i;

	for (i = 0; i < l->in.n; i++)
		result_clear(&l->result[i]);
	arena_clear(&l->mem);
}

static void draw(const struct chart_kind *kind, const struct answers *in)
{
	struct str data = { 0 }, picture = { 0 };
	struct chart c;

	if (chart_draw(kind, in, NULL, &c)) {
		gnuplot_data(&data, &c);
		svg_chart(&picture, &c);
		assert_true(data.n > 0 && picture.n > 0);
	} else {
		assert_true(c.why && c.why[0]);
	}
	str_free(&data);
	str_free(&picture);
	chart_clear(&c);
}

static void test_charts(void **state)
{
	const struct chart_kind *const *kind;
	size_t n, i;
	unsigned seed = 5, round, lack;
	struct lacking l;

	(void)state;
	kind = chart_all(&n);
	for (i = 0; i < n; i++)
		for (lack = 0; lack < LACK_COUNT; lack++)
			for (round = 0; round < (lack < LACKS_CELLS ? 1 : ROUNDS); round++) {
				lacking_begin(&l, kind[i]->ask, CHART_ASKS_MAX, lack, &seed);
				draw(kind[i], &l.in);
				lacking_end(&l);
			}
}

/* One of two asks has no answer at all. */
static void test_charts_half(void **state)
{
	const struct chart_kind *const *kind;
	size_t n, i, k;
	unsigned seed = 7;
	struct lacking l;

	(void)state;
	kind = chart_all(&n);
	for (i = 0; i < n; i++)
		for (k = 0; k < CHART_ASKS_MAX && kind[i]->ask[1]; k++) {
			lacking_begin(&l, kind[i]->ask, CHART_ASKS_MAX, LACKS_NOTHING, &seed);
			l.answer[k].result = NULL;
			l.answer[k].why = "it is not there";
			draw(kind[i], &l.in);
			lacking_end(&l);
		}
}

/* A section, or a document. */
static void write_page(const struct section *s,
	void (*write)(const struct answers *in, struct page *d), const struct answers *in)
{
	const char *const formats[] = { "txt", "md", "html" };
	struct page d;
	size_t i;

	page_init(&d);
	d.title = "A title";
	d.command = "traceq report x";
	if (s)
		section_write(s, in, &d);
	else if (write)
		write(in, &d);
	for (i = 0; i < COUNT_OF(formats); i++) {
		struct str out = { 0 };

		page_format_find(formats[i])->put(&out, &d);
		assert_true(out.n > 0);
		str_free(&out);
	}
	page_clear(&d);
}

#define X(name) &section_##name,
static const struct section *const sections[] = { SECTIONS(X) };
#undef X

static void test_sections(void **state)
{
	unsigned seed = 11, round, lack;
	struct lacking l;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(sections); i++)
		for (lack = 0; lack < LACK_COUNT; lack++)
			for (round = 0; round < (lack < LACKS_CELLS ? 1 : ROUNDS); round++) {
				lacking_begin(&l, sections[i]->ask, SECTION_ASKS_MAX, lack, &seed);
				write_page(sections[i], NULL, &l.in);
				lacking_end(&l);
			}
}

static void test_documents(void **state)
{
	static const char *const names[] = { "run", "week1", "diff", "nightly" };
	unsigned seed = 13, round, lack;
	struct lacking l;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(names); i++) {
		const struct style *s = style_find(names[i]);

		for (lack = 0; s->document && lack < LACK_COUNT; lack++)
			for (round = 0; round < ROUNDS; round++) {
				lacking_begin(&l, s->document_ask, SECTION_ASKS_MAX, lack, &seed);
				write_page(NULL, s->document, &l.in);
				lacking_end(&l);
			}
	}
}

/* Whatever it lays out, it says so, and each of its tables is lines. */
static void lay_out(const struct document *d, const struct answers *in)
{
	const struct document_parts parts = { .analysis = true, .report = true };
	bool says_no = false;
	struct result r;
	struct err e;
	size_t i;

	result_init(&r, "");
	err_clear(&e);
	assert_true(document_put(d, in, &parts, &r, &says_no, &e) == OK || e.text[0]);
	for (i = 0; i < r.ntable; i++)
		assert_int_equal(r.table[i]->layout, TABLE_TEXT);
	result_clear(&r);
}

static void test_documents_of_answers(void **state)
{
	unsigned seed = 17, round, lack;
	struct lacking l;
	size_t i, n;
	const struct document *const *all = document_all(&n);

	(void)state;
	for (i = 0; i < n; i++) {
		const char *const ask[] = { all[i]->ask, all[i]->beside, NULL };

		for (lack = 0; lack < LACK_COUNT; lack++)
			for (round = 0; round < ROUNDS; round++) {
				lacking_begin(&l, ask, 2, lack, &seed);
				lay_out(all[i], &l.in);
				lacking_end(&l);
			}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_charts),
		cmocka_unit_test(test_charts_half),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_documents),
		cmocka_unit_test(test_documents_of_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
