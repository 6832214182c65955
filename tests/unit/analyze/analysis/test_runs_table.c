/* Runs side by side: their names, where cells come from, and that what analyses name is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis/analysis.h"
#include "analyze/analysis/runs_table.h"
#include "cmd/commands.h"

/* The names that the paths get, " " between. */
static void names(const char *want, const char *const *path, size_t n)
{
	struct result r;
	struct str got = { 0 };
	size_t i;

	result_init(&r, "");
	for (i = 0; i < n; i++)
		(void)result_input(&r, path[i]);
	for (i = 0; i < n; i++) {
		struct span name = runs_name(&r, (int)i);

		str_addf(&got, "%s%.*s", i ? " " : "", (int)name.n, name.p);
	}
	assert_string_equal(got.s, want);
	str_free(&got);
	result_clear(&r);
}

#define NAMES(want, ...)                                  \
	names(want, (const char *const[]){ __VA_ARGS__ }, \
		sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void names_of_runs(void **state)
{
	(void)state;
	NAMES("bs8 bs16", "sweep/bs8/trace.json.gz", "sweep/bs16/trace.json.gz");
	NAMES("a_8 a_16", "a_8.json", "a_16.json");
	NAMES("a.json b.json.gz", "x/a.json", "x/b.json.gz");
	NAMES("a/t b/u", "a/t.json", "b/u.json");
	NAMES("t.json t.json", "a/t.json", "a/t.json"); /* the same twice */
	NAMES("a b/a", "a.json", "b/a.json");
	NAMES("- t.json", "-", "t.json");
	NAMES("one", "one");
	NAMES("x y", "/x/", "/y/");
}

enum { IN_DEVICE, IN_TEXT, IN_VALUE, IN_COLUMNS };
static const struct column in[IN_COLUMNS] = {
	{ "device", "device", "d", NULL, CELL_INT, UNIT_NONE, .flags = 0 },
	{ "part", "part", "d", NULL, CELL_TEXT, UNIT_NONE, .flags = 0 },
	{ "value", "value", "d", NULL, CELL_REAL, UNIT_NONE, .flags = 0 },
};
enum { OUT_RUN, OUT_DEVICE, OUT_VALUE, OUT_PART, OUT_OF, OUT_PATH, OUT_ABSENT, OUT_COLUMNS };
static const struct column out[OUT_COLUMNS] = {
	{ "run", "run", "d", NULL, CELL_TEXT, UNIT_NONE, .flags = 0 },
	{ "device", "device", "d", NULL, CELL_INT, UNIT_NONE, .flags = 0 },
	{ "value", "value", "d", NULL, CELL_REAL, UNIT_NONE, .flags = 0 },
	{ "part", "part", "d", NULL, CELL_REAL, UNIT_NONE, .flags = 0 },
	{ "of", "of", "d", NULL, CELL_REAL, UNIT_NONE, .flags = 0 },
	{ "path", "path", "d", NULL, CELL_TEXT, UNIT_NONE, .flags = 0 },
	{ "absent", "absent", "d", NULL, CELL_REAL, UNIT_NONE, .flags = 0 },
};
static const struct table_doc out_doc = { RUNS_TABLE, "runs", out, OUT_COLUMNS };
static const struct runs_cell cells[OUT_COLUMNS] = {
	[OUT_VALUE] = { "each", "nothing|value", NULL, NULL },
	[OUT_PART] = { "no|parts", "value", "part", "b|c" },
	[OUT_OF] = { "parts", "value", "device", NULL },
	[OUT_ABSENT] = { "parts", "value", "part", "z" },
};

static void fill(struct result *r, const char *id, int input, int64_t device, const char *part,
	double value, bool is_new)
{
	struct table *t =
		is_new ? result_table(r, id, NULL, in, IN_COLUMNS) : r->table[r->ntable - 1];

	t->input = input;
	table_row(t);
	table_int(t, IN_DEVICE, device);
	table_text(t, IN_TEXT, span_of(part));
	table_real(t, IN_VALUE, value);
}

static void rows_of_runs(void **state)
{
	static const struct runs_doc by_device = { &out_doc, "each", cells, "each", NULL, NULL };
	struct runs_table s;
	struct result r;
	struct table *t;
	size_t before;

	(void)state;
	result_init(&r, "");
	(void)result_input(&r, "a.json");
	(void)result_input(&r, "b.json");
	runs_table_init(&s, &by_device);
	runs_table_put(&s, &r, true);
	assert_int_equal(r.ntable, 0);
	fill(&r, "each", 0, 0, "", 10, true);
	fill(&r, "each", 0, 3, "", 13, false);
	fill(&r, "parts", 0, 3, "a", 1, true);
	fill(&r, "parts", 0, 3, "b", 2, false);
	fill(&r, "parts", 0, 9, "total", 99, false);
	r.table[1]->nfoot = 1;
	runs_table_add(&s, &r, 0, 0);
	result_pack(&r); /* as between inputs: what was copied stays */
	before = r.ntable;
	fill(&r, "parts", 1, 0, "c", 7, true);
	runs_table_add(&s, &r, before, 1);
	assert_int_equal(s.nrun, 2);
	assert_int_equal(s.input, 1);
	runs_table_put(&s, &r, false);
	t = r.table[r.ntable - 1];
	assert_string_equal(t->id, "runs");
	assert_int_equal(t->nrow, 3);
	assert_true(span_is(table_text_at(t, 0, OUT_RUN), "a"));
	assert_true(span_is(table_text_at(t, 2, OUT_RUN), "b"));
	assert_true(span_is(table_text_at(t, 1, OUT_PATH), "a.json"));
	assert_int_equal((int)table_number_at(t, 0, OUT_DEVICE), 0);
	assert_int_equal((int)table_number_at(t, 1, OUT_DEVICE), 3);
	assert_int_equal((int)table_number_at(t, 1, OUT_VALUE), 13);
	assert_int_equal((int)table_number_at(t, 0, OUT_PART), 2);
	assert_null(table_cell(t, 0, OUT_OF));                   /* no part is of device 0 */
	assert_int_equal((int)table_number_at(t, 1, OUT_OF), 2); /* the last one that is */
	assert_null(table_cell(t, 1, OUT_ABSENT));
	assert_null(table_cell(t, 2, OUT_DEVICE)); /* no such table */
	assert_int_equal((int)table_number_at(t, 2, OUT_PART), 7);
	runs_table_clear(&s);
	result_clear(&r);
}

/* A table that rows are to be made for may have none: the run has a row all the same. */
static void no_row_to_make_one_for(void **state)
{
	static const struct runs_doc by_device = { &out_doc, "each", cells, "each", NULL, NULL };
	struct runs_table s;
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "");
	(void)result_input(&r, "a.json");
	runs_table_init(&s, &by_device);
	(void)result_table(&r, "each", NULL, in, IN_COLUMNS);
	fill(&r, "parts", 0, 3, "b", 2, true);
	runs_table_add(&s, &r, 0, 0);
	runs_table_put(&s, &r, false);
	t = r.table[r.ntable - 1];
	assert_int_equal(t->nrow, 1);
	assert_true(span_is(table_text_at(t, 0, OUT_RUN), "a"));
	assert_null(table_cell(t, 0, OUT_DEVICE));
	assert_null(table_cell(t, 0, OUT_OF));
	assert_int_equal((int)table_number_at(t, 0, OUT_PART), 2);
	runs_table_clear(&s);
	result_clear(&r);
}

static bool has_word(const char *list, const char *word)
{
	size_t n;

	for (; *list; list += n + (list[n] == '|')) {
		n = strcspn(list, "|");
		if (strlen(word) == n && memcmp(list, word, n) == 0)
			return true;
	}
	return false;
}

static bool is_column(const struct analysis *a, const struct runs_cell *c, const char *keys)
{
	size_t i, k;

	for (i = 0; i < a->help.ntables; i++)
		for (k = 0; k < a->help.tables[i].ncol; k++)
			if (has_word(c->table, a->help.tables[i].id) &&
				has_word(keys, a->help.tables[i].col[k].key))
				return true;
	return false;
}

/* A column that was renamed would leave an empty one here. */
static void sources_are_there(void **state)
{
	size_t n = commands_all.analyses.n, i, k, with = 0;
	const struct analysis *const *all = commands_all.analyses.v;

	(void)state;
	for (i = 0; i < n; i++) {
		const struct runs_doc *how = all[i]->per_run.runs;

		with += how != NULL;
		for (k = 0; how && k < how->doc->ncol; k++) {
			const char *key = how->doc->col[k].key;
			const struct runs_cell like = { how->from, key, NULL, NULL };
			const struct runs_cell *c =
				how->cell && how->cell[k].table ? &how->cell[k] : &like;

			if (strcmp(key, "run") != 0 && strcmp(key, "path") != 0 &&
				(!is_column(all[i], c, c->keys) ||
					(c->where && !is_column(all[i], c, c->where))))
				fail_msg("%s.%s: nothing to take it from", all[i]->name, key);
		}
	}
	assert_true(with >= 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_runs),
		cmocka_unit_test(rows_of_runs),
		cmocka_unit_test(no_row_to_make_one_for),
		cmocka_unit_test(sources_are_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
