/* Statements: what they answer over a drawn run, and what they must not do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/answer/sql/sql.h"
#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"

enum { ALL_NEEDS = (NEED_FUNCTIONS << 1) - 1 };

extern const struct analysis analysis_diagnose;

/* Two files alike but for the kernel "b", which the second has alone:
 *
 *	thread   [step#0 0..100)       launches at 10, 20, 30 of 5 each
 *	stream       [a 30..60) [c 60..65) [a 70..80)         second: [b 70..80)
 */
struct asked {
	struct run run[2];
	struct columns c[2];
	struct result result;
	struct err err;
};

static void draw(struct asked *a, size_t i)
{
	static const char *const names[][3] = { { "a", "c", "a" }, { "a", "c", "b" } };
	struct run *r = &a->run[i];
	uint32_t thread, stream;

	run_init(r, ALL_NEEDS);
	r->meta.rank = (int64_t)i;
	thread = hand_thread(r, 1);
	stream = hand_stream(r, 0, 7);
	(void)strings_intern(&r->strings, span_of(i ? "other" : "first"));
	hand_event(r, KIND_ANNOTATION, thread, "ProfilerStep#0", 0, 100);
	for (size_t k = 0; k < 3; k++) {
		static const nsec at[] = { 30, 60, 70 }, dur[] = { 30, 5, 10 };
		uint32_t row = hand_launch(
			r, thread, stream, 10 * (nsec)(k + 1), at[k], dur[k], (uint64_t)k + 1);

		r->events.name[row] = strings_intern(&r->strings, span_of(names[i][k]));
	}
	index_build(r, NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_CALLS);
}

static enum status ask_within(
	struct asked *a, size_t nrun, const char *query, int64_t timeout_s, int64_t memory_mb)
{
	const struct sql_options o = { query, timeout_s, memory_mb, false };
	struct sql_engine *s;

	err_clear(&a->err);
	result_init(&a->result, "traceq.sql/1");
	for (size_t i = 0; i < nrun; i++)
		columns_init(&a->c[i], &a->run[i], i ? "second" : "first", NULL);
	enum status st = sql_open(&s, &o, &a->err);
	if (st == OK)
		st = sql_answer(s, a->c, nrun, &a->result, &a->err);
	sql_close(s);
	for (size_t i = 0; i < nrun; i++)
		columns_clear(&a->c[i]);
	return st;
}

static enum status ask(struct asked *a, size_t nrun, const char *query)
{
	return ask_within(a, nrun, query, 0, 64);
}

static void write_cell(struct str *out, const struct table *t, size_t row, size_t col)
{
	const union cell *v = table_cell(t, row, col);

	if (!v)
		str_addf(out, "-");
	else if (t->col[col].type == CELL_TEXT)
		str_add(out, v->s.p, v->s.n);
	else if (t->col[col].type == CELL_REAL)
		str_addf(out, "%g", v->r);
	else
		str_addf(out, "%d", (int)v->i);
}

/* The rows, "a,1;b,2". */
static void answers(struct asked *a, size_t nrun, const char *query, const char *want)
{
	SCOPED_STR got = { 0 };

	if (ask(a, nrun, query) != OK)
		fail_msg("%s: %s", query, a->err.text);
	const struct table *t = result_find(&a->result, "rows", 0);
	for (size_t i = 0; i < t->nrow; i++)
		for (size_t k = 0; k < t->ncol; k++) {
			str_addf(&got, "%s", k ? "," : i ? ";" : "");
			write_cell(&got, t, i, k);
		}
	assert_string_equal(got.s ? got.s : "", want);
	result_clear(&a->result);
}

static void refuses(struct asked *a, const char *query, enum status st, const char *what)
{
	/* The clock ends what is to be late; nothing else waits for it, also on a busy machine. */
	enum status got = ask_within(a, 1, query, *what && !strstr(what, "longer") ? 300 : 2, 16);

	if (got != st || !strstr(a->err.text, what))
		fail_msg("%s: %d, %s", query, got, a->err.text);
	assert_null(result_find(&a->result, "rows", 0));
	result_clear(&a->result);
}

static int set_up(void **state)
{
	struct asked *a = zeroed(1, sizeof(*a));

	draw(a, 0);
	draw(a, 1);
	*state = a;
	return 0;
}

static int tear_down(void **state)
{
	struct asked *a = *state;

	run_clear(&a->run[0]);
	run_clear(&a->run[1]);
	free(a);
	return 0;
}

static void sums_and_groups(void **state)
{
	struct asked *a = *state;

	answers(a, 1, "select sum(dur_ns), count(*) from kernels", "45,3");
	answers(a, 1, "select name, sum(dur_ns) from kernels group by name order by name",
		"a,40;c,5");
	answers(a, 1, "select name, sum(dur_ns) s from kernels group by name_id order by s",
		"c,5;a,40");
	answers(a, 1, "select name from kernels order by dur_ns desc", "a;a;c");
	answers(a, 1, "select distinct name from kernels order by name desc", "c;a");
	answers(a, 1, "select name, dur_ns from kernels order by name desc, dur_ns",
		"c,5;a,10;a,30");
}

/* Each comparison, also with numbers that are not whole, and with nothing. */
static void comparisons(void **state)
{
	struct asked *a = *state;

	answers(a, 1, "select dur_ns from kernels where dur_ns > 5", "30;10");
	answers(a, 1, "select dur_ns from kernels where dur_ns >= 9.5 and dur_ns < 30", "10");
	answers(a, 1, "select dur_ns from kernels where dur_ns <= 9.5", "5");
	answers(a, 1, "select dur_ns from kernels where dur_ns < 10.5 order by 1", "5;10");
	answers(a, 1, "select dur_ns from kernels where dur_ns > 29.5", "30");
	answers(a, 1, "select dur_ns from kernels where dur_ns = 9.5", "");
	answers(a, 1, "select dur_ns from kernels where dur_ns = 10.0", "10");
	answers(a, 1, "select dur_ns from kernels where dur_ns > -1e300 and dur_ns < 1e300",
		"30;5;10");
	answers(a, 1, "select dur_ns from kernels where dur_ns = null", "");
	answers(a, 1, "select dur_ns from kernels where dur_ns in (5, 30)", "5;30");
	answers(a, 1, "select dur_ns from kernels where name = 'a'", "30;10");
	answers(a, 1, "select dur_ns from kernels where name = 'A'", "");
	answers(a, 1, "select dur_ns from kernels where name = 'A' collate nocase", "30;10");
	answers(a, 1, "select dur_ns from kernels where name like 'A'", "30;10");
	answers(a, 1, "select count(*) from kernels where grid_x = 0 or grid_x > -5", "0");
	answers(a, 1, "select count(*) from kernels where grid_x is null", "3");
	answers(a, 1, "select dur_ns from kernels where blocks_per_sm < 1", "");
	answers(a, 1, "select count(*) from events where kind = 'kernel' and stream = 7", "3");
	answers(a, 1, "select count(*) from events where device is null", "4");
}

static void joins(void **state)
{
	struct asked *a = *state;

	answers(a, 1,
		"select k.dur_ns, e.start_ns from kernels k join events e on e.event = k.launch_event "
		"order by 2",
		"30,10;5,20;10,30");
	answers(a, 1, "select count(*) from kernels a join kernels b on a.name = b.name", "5");
	answers(a, 1, "select count(*) from kernels a join kernels b on a.name_id = b.name_id",
		"5");
	answers(a, 1,
		"select sum(dur_ns) from kernels k where exists (select 1 from kernels x where "
		"x.name = k.name and x.dur_ns > 20)",
		"40");
}

/* Rows of all, and equal texts have one number. */
static void several_files(void **state)
{
	struct asked *a = *state;

	answers(a, 2, "select rank, file, sum(dur_ns) from kernels group by rank order by rank",
		"0,first,45;1,second,45");
	answers(a, 2, "select name, sum(dur_ns) from kernels group by name order by name",
		"a,70;b,10;c,10");
	answers(a, 2, "select name, count(*) from kernels group by name_id order by name",
		"a,3;b,1;c,2");
	answers(a, 2, "select rank from kernels where name = 'b'", "1");
	answers(a, 2, "select count(distinct name_id) from kernels", "3");
	answers(a, 2, "select count(*) from kernels a join kernels b on a.name = b.name", "14");
}

static void nothing_but_reading(void **state)
{
	static const char *const bad[] = { "attach 'x.db' as x", "pragma journal_mode",
		"select load_extension('x')", "create table x(y)", "insert into events values (1)",
		"delete from events", "update events set name = 'x'", "drop table events",
		"create temp view v as select 1", "vacuum into 'x.db'", "begin", "savepoint x",
		"reindex", "analyze", "select readfile('/etc/passwd')",
		"select writefile('x', 'y')", "select * from sqlite_master",
		"select * from pragma_database_list", "select * from json_each('[1]')",
		"select randomblob(9)", "select zeroblob(9)", "select fts3_tokenizer('x')",
		"select sqlite_compileoption_get(1)", "alter table events rename to x",
		"create virtual table x using events", "explain query plan delete from events" };

	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		struct asked *a = *state;

		assert_int_equal(ask(a, 1, bad[i]), E_USAGE);
		assert_null(result_find(&a->result, "rows", 0));
		result_clear(&a->result);
	}
}

static void bounds(void **state)
{
	static const char endless[] =
		"with recursive n(i) as (select 1 union all select i + 1 from n) ";
	struct asked *a = *state;
	SCOPED_STR text = { 0 };

	str_addf(&text, "%sselect count(*) from n", endless);
	refuses(a, text.s, E_LIMIT, "longer than 2 s");
	str_reset(&text);
	str_addf(&text, "%sselect i, printf('%%1000d', i) from n", endless);
	refuses(a, text.s, E_LIMIT, "more than 16 MiB");
	str_reset(&text);
	str_addf(&text, "%sselect group_concat(i) from n", endless);
	refuses(a, text.s, E_LIMIT, "");
	str_reset(&text);
	str_addf(&text, "%sselect i from n order by -i", endless);
	refuses(a, text.s, E_LIMIT, "more than 16 MiB");
	refuses(a, "select printf('%.*c', 100000000, 'x')", E_LIMIT, "");
	str_reset(&text);
	str_addf(&text, "select ");
	for (int i = 0; i < 5000; i++)
		str_addf(&text, "(");
	refuses(a, text.s, E_USAGE, "");
}

/* A word nearby is named, and where the statement is wrong. */
static void mistakes(void **state)
{
	struct asked *a = *state;

	refuses(a, "select nme from kernels", E_USAGE, "no such column: nme");
	assert_non_null(strstr(a->err.hint, "'name'"));
	refuses(a, "select name from kernel", E_USAGE, "no such table: kernel");
	assert_non_null(strstr(a->err.hint, "'kernels'"));
	refuses(a, "select 1; select 2", E_USAGE, "one statement at a time");
	refuses(a, "", E_USAGE, "empty");
	refuses(a, "select * frm kernels", E_USAGE, "syntax error");
}

static void needs_are_those_of_what_is_read(void **state UNUSED)
{
	struct sql_options o = { "select sum(dur_ns) from kernels", 0, 64, false };
	struct sql_engine *s;
	struct err e;

	err_clear(&e);
	assert_int_equal(sql_open(&s, &o, &e), OK);
	assert_int_equal(sql_needs(s), NEED_LINKS);
	assert_false(sql_reads(s, SCHEMA_FINDINGS));
	sql_close(s);
	o.query = "select grid_x, step from KERNELS";
	assert_int_equal(sql_open(&s, &o, &e), OK);
	assert_int_equal(sql_needs(s), NEED_LINKS | NEED_KERNEL | NEED_ORDER | NEED_STEPS);
	sql_close(s);
	o.query = "select count(*) from findings";
	assert_int_equal(sql_open(&s, &o, &e), OK);
	assert_true(sql_reads(s, SCHEMA_FINDINGS));
	assert_int_equal(sql_needs(s) & analysis_diagnose.runs.needs, analysis_diagnose.runs.needs);
	sql_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sums_and_groups, set_up, tear_down),
		cmocka_unit_test_setup_teardown(comparisons, set_up, tear_down),
		cmocka_unit_test_setup_teardown(joins, set_up, tear_down),
		cmocka_unit_test_setup_teardown(several_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_but_reading, set_up, tear_down),
		cmocka_unit_test_setup_teardown(bounds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(mistakes, set_up, tear_down),
		cmocka_unit_test(needs_are_those_of_what_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
