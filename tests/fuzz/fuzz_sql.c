/* Statements: any text ends with rows or with one clear error, in bounded time and memory, and what
 * is compared, grouped and sorted by the tables themselves is as SQLite would have it.
 *
 * An input is a statement; one whose first byte is below 32 draws one: a table, comparisons, a
 * group or an order.  It is asked of the table, and of all rows of the table without comparisons,
 * which SQLite then compares, groups and sorts itself. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answer/sql/sql.h"
#include "analyze/input/load.h"
#include "analyze/trace/index.h"
#include "tests/fuzz/draw.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef HAVE_SQLITE
enum { TEXT_MAX = 4000, RUNS = 2, DRAWN_BELOW = 32, TIMEOUT_S = 2, MEMORY_MB = 64 };

static const char trace[] =
	"{\"traceEvents\": ["
	"{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":90},"
	"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":20},"
	"{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":2,\"dur\":3,"
	"\"args\":{\"correlation\":1}},"
	"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":10,\"dur\":20,"
	"\"args\":{\"correlation\":1,\"device\":0,\"stream\":7,\"grid\":[1,2,3],\"block\":[4,5,6]}},"
	"{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":6,\"dur\":3,"
	"\"args\":{\"correlation\":2}},"
	"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclAllReduce\",\"pid\":0,\"tid\":9,\"ts\":40,\"dur\":9,"
	"\"args\":{\"correlation\":2,\"device\":0,\"stream\":9,\"blocks per SM\":0.5}},"
	"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":60,\"dur\":0,"
	"\"args\":{\"device\":1,\"stream\":-1}},"
	"{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy HtoD (Pageable -> Device)\",\"pid\":0,\"tid\":7,"
	"\"ts\":70,\"dur\":5,\"args\":{\"device\":0,\"stream\":7,\"bytes\":4096}},"
	"{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":1,\"tid\":1,\"ts\":5,"
	"\"args\":{\"Addr\":5,\"Bytes\":-7,\"Device Type\":1,\"Device Id\":0,\"Total Allocated\":9}}"
	"]}";

struct runs {
	struct run run[RUNS];
	bool is_there;
};

static void load(struct run *run)
{
	struct memory_file f = { (const uint8_t *)trace, sizeof(trace) - 1, 0, 0 };
	struct load_options o = { .needs = (NEED_FUNCTIONS << 1) - 1, .threads = 1 };
	struct err e;

	err_clear(&e);
	if (load_reader(memory_read, &f, "fuzz", &o, run, &e) != OK)
		abort();
	index_build(run, NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_CALLS);
}

/* The answer; E_LIMIT and E_USAGE have a text, and nothing else is said. */
static enum status ask(struct runs *r, size_t n, const char *query, struct result *out)
{
	const struct sql_options o = { query, TIMEOUT_S, MEMORY_MB, false };
	struct columns c[RUNS];
	struct sql_engine *s;
	struct err e;

	err_clear(&e);
	for (size_t i = 0; i < n; i++)
		columns_init(&c[i], &r->run[i], i ? "b" : "a", NULL);
	enum status st = sql_open(&s, &o, &e);
	if (st == OK)
		st = sql_answer(s, c, n, out, &e);
	sql_close(s);
	for (size_t i = 0; i < n; i++)
		columns_clear(&c[i]);
	if (st != OK && (e.text[0] == '\0' || (st != E_LIMIT && st != E_USAGE)))
		abort();
	return st;
}

/* ---- drawn statements ---- */

static const char *draw_column(struct draw *d, const struct schema_table *t, bool *is_text)
{
	static const char *const ids[] = { "file_id", "rank" };
	size_t i = draw_below(d, t->n + 1);

	*is_text = i < t->n && t->column[i].type == SCHEMA_TEXT;
	return i < t->n ? t->column[i].key : ids[draw_below(d, COUNT_OF(ids))];
}

static void draw_value(struct draw *d, struct str *to, bool is_text)
{
	static const char *const texts[] = { "'gemm'", "'kernel'", "'Gemm'", "''", "'a'", "'b'",
		"7" };
	static const char *const numbers[] = { "0", "1", "7", "-1", "9.5", "20000", "9000.0", "0.5",
		"-1e300", "1e300", "9223372036854775807", "-9223372036854775808", "null", "'7'",
		"2000", "70000", "-0.0", "9000.000001" };

	str_addf(to, "%s",
		is_text ? texts[draw_below(d, COUNT_OF(texts))]
			: numbers[draw_below(d, COUNT_OF(numbers))]);
}

static void draw_where(struct draw *d, const struct schema_table *t, struct str *to)
{
	static const char *const ops[] = { "=", "<", "<=", ">", ">=", "<>", "is" };
	size_t n = draw_below(d, 4);

	for (size_t i = 0; i < n; i++) {
		bool is_text;

		str_addf(to, "%s %s ", i ? " and" : " where", draw_column(d, t, &is_text));
		if (draw_below(d, 5) == 4) {
			str_addf(to, "in (");
			draw_value(d, to, is_text);
			str_addf(to, ", ");
			draw_value(d, to, is_text);
			str_addf(to, ")");
			continue;
		}
		str_addf(to, "%s ", ops[draw_below(d, COUNT_OF(ops))]);
		draw_value(d, to, is_text);
	}
}

/* What comes of the rows of `from`, in one text. */
static void put_question(struct str *to, struct draw d, const struct schema_table *t,
	const char *from, const char *where)
{
	bool is_text;
	const char *a = draw_column(&d, t, &is_text), *b = draw_column(&d, t, &is_text);
	static const char *const ways[] = { "", " desc" };

	switch (draw_below(&d, 3)) {
	case 0: /* the rows */
		str_addf(to, "select group_concat(x, ';') from (select ");
		for (size_t i = 0; i < t->n; i++)
			str_addf(to, "%squote(%s)", i ? "||','||" : "", t->column[i].key);
		str_addf(to, " as x from %s%s order by x)", from, where);
		return;
	case 1: /* groups */
		str_addf(to,
			"select group_concat(x, ';') from (select quote(%s)||quote(count(*))||quote(max(%s)) as x "
			"from %s%s group by %s, %s order by x)",
			a, b, from, where, a, b);
		return;
	default:
		str_addf(to,
			"select group_concat(quote(%s)||quote(%s), ';') from (select %s, %s from %s%s order "
			"by %s%s, %s%s)",
			a, b, a, b, from, where, a, ways[draw_below(&d, 2)], b,
			ways[draw_below(&d, 2)]);
	}
}

static void draw_and_compare(struct runs *r, const uint8_t *data, size_t size)
{
	struct draw d = { .p = data, .n = size };
	const struct schema_table *t = &schema_tables[draw_below(&d, SCHEMA_TABLES)];
	size_t n = 1 + draw_below(&d, RUNS);
	struct str where = { 0 }, all = { 0 }, here = { 0 }, there = { 0 };
	struct result a, b;

	draw_where(&d, t, &where);
	str_addf(&all, "(select *, file_id from %s limit -1)", t->name);
	put_question(&here, d, t, t->name, where.s ? where.s : "");
	put_question(&there, d, t, all.s, where.s ? where.s : "");
	result_init(&a, "");
	result_init(&b, "");
	if (ask(r, n, here.s, &a) != OK || ask(r, n, there.s, &b) != OK)
		abort();
	struct span x = table_text_at(result_find(&a, "rows", 0), 0, 0);
	struct span y = table_text_at(result_find(&b, "rows", 0), 0, 0);
	if (!span_eq(x, y))
		abort();
	result_clear(&a);
	result_clear(&b);
	str_free(&where);
	str_free(&all);
	str_free(&here);
	str_free(&there);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct runs r; /* once, for all inputs */
	char query[TEXT_MAX + 1];
	struct result out;

	if (size == 0 || size > TEXT_MAX)
		return 0;
	if (!r.is_there)
		for (size_t i = 0; i < RUNS; i++)
			load(&r.run[i]);
	r.is_there = true;
	if (data[0] < DRAWN_BELOW) {
		draw_and_compare(&r, data + 1, size - 1);
		return 0;
	}
	memcpy(query, data, size);
	query[size] = '\0';
	result_init(&out, "");
	if (ask(&r, RUNS, query, &out) == OK && !result_find(&out, "rows", 0))
		abort();
	result_clear(&out);
	return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	return 0;
}
#endif
