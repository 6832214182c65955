/* Rules and findings: the list, who reads what, the order of what is found, rows of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/rule/list.h"

/* Each rule has its words, an id of its own, and limits that bear it. */
static void test_list(void **state)
{
	const struct rule *r, *other;
	const struct setting *s;
	size_t i, k;

	(void)state;
	for (i = 0; (r = rules_at(~0u, i)); i++) {
		assert_true(r->word.id && r->word.text && r->word.doc);
		assert_int_equal(rules_index(r), i);
		for (s = r->limits; s && s->key; s++) {
			const char *id = strchr(s->key, '.') + 1;

			assert_memory_equal(id, r->word.id, strlen(r->word.id));
			assert_int_equal(id[strlen(r->word.id)], '.');
		}
		for (k = 0; k < i && (other = rules_at(~0u, k)); k++)
			assert_string_not_equal(r->word.id, other->word.id);
	}
	assert_int_equal(i, RULE_COUNT);
}

/* Q01 reads a trace and what lies beside it; R01 only that; an id is found in any case. */
static void test_reads(void **state)
{
	(void)state;
	assert_ptr_equal(rules_find(READS_RUN, "q01", 3), &rule_Q01);
	assert_ptr_equal(rules_find(READS_RECORD, "Q01", 3), &rule_Q01);
	assert_null(rules_find(READS_RUN, "R01", 3));
	assert_ptr_equal(rules_find(READS_RECORD, "R01.warn", 3), &rule_R01);
	assert_null(rules_find(READS_RUN | READS_RECORD, "R0", 2));
	assert_null(rules_at(0, 0));
}

static const struct rule plain = { .word = { "P", "plain", "", NULL }, .advice = "mend it" };
static const struct rule saver = { .word = { "S", "saver", "", NULL }, .has_saving = true };
static const struct rule symptom = { .word = { "Y", "symptom", "", NULL }, .is_symptom = true };

static void found(
	struct look *k, const struct rule *r, enum severity s, double saves, const char *text)
{
	struct finding *f;

	k->rule = r;
	f = look_found(k, s, -1, "%s", text);
	f->saves = saves;
}

static void is_order(const struct look *k, const char *texts)
{
	size_t i;

	assert_int_equal(k->n, strlen(texts));
	for (i = 0; i < k->n; i++)
		assert_int_equal(k->v[i].text[0], texts[i]);
}

/* What is CRIT and saves no time, what saves most, what saves none, symptoms, what nobody knows,
 * what is ok.  A saving of 1% makes no more than a note. */
static void test_rank(void **state)
{
	SCOPED_ARENA mem = { 0 };
	struct look k = { .mem = &mem };

	(void)state;
	found(&k, &plain, SEVERITY_OK, NAN, "h");
	found(&k, &plain, SEVERITY_UNKNOWN, NAN, "g");
	found(&k, &symptom, SEVERITY_CRIT, NAN, "f");
	found(&k, &plain, SEVERITY_WARN, NAN, "e");
	found(&k, &saver, SEVERITY_CRIT, 0.01, "d");
	found(&k, &saver, SEVERITY_WARN, 0.2, "c");
	found(&k, &saver, SEVERITY_NOTE, 0.3, "b");
	found(&k, &plain, SEVERITY_CRIT, NAN, "a");
	findings_rank(&k);
	is_order(&k, "abcdefgh");
	assert_int_equal(k.v[3].severity, SEVERITY_NOTE);
}

/* Alike: of one rule by file, then text; else as found. */
static void test_ties(void **state)
{
	SCOPED_ARENA mem = { 0 };
	struct look k = { .mem = &mem };

	(void)state;
	k.rule = &saver;
	(void)look_found(&k, SEVERITY_NOTE, -1, "a");
	k.rule = &plain;
	(void)look_found(&k, SEVERITY_NOTE, 1, "d");
	(void)look_found(&k, SEVERITY_NOTE, 0, "c");
	(void)look_found(&k, SEVERITY_NOTE, 0, "b");
	findings_rank(&k);
	is_order(&k, "abcd");
}

/* In the same words of two files: once.  More than are wanted: counted. */
static void test_most(void **state)
{
	SCOPED_ARENA mem = { 0 };
	struct look k = { .mem = &mem, .most = 2, .rule = &plain };

	(void)state;
	(void)look_found(&k, SEVERITY_NOTE, 0, "a");
	(void)look_found(&k, SEVERITY_NOTE, 1, "a");
	(void)look_found(&k, SEVERITY_NOTE, 1, "b");
	(void)look_found(&k, SEVERITY_NOTE, 1, "b");
	(void)look_found(&k, SEVERITY_NOTE, 1, "c");
	is_order(&k, "ab");
	assert_int_equal(k.left_out, 1);
}

enum { SEVERITY, RULE, NAME, TEXT, ACTION, COLUMNS };

/* The rule's advice stands where something is wrong and nothing better is known. */
static void test_rows(void **state)
{
	static const struct column col[COLUMNS] = {
		[SEVERITY] = { .key = "severity" },
		[RULE] = { .key = "rule" },
		[NAME] = { .key = "name" },
		[TEXT] = { .key = "text" },
		[ACTION] = { .key = "action", .flags = COLUMN_HIDDEN },
	};
	static const struct finding_columns columns = { SEVERITY, RULE, NAME, TEXT, ACTION };
	struct result r;
	SCOPED_ARENA mem = { 0 };
	struct look k = { .mem = &mem };
	struct table *t;

	(void)state;
	result_init(&r, "");
	t = result_table(&r, "findings", NULL, col, COLUMNS);
	found(&k, &plain, SEVERITY_WARN, NAN, "bad");
	found(&k, &plain, SEVERITY_OK, NAN, "good");
	found(&k, &plain, SEVERITY_OK, NAN, "good, too");
	found(&k, &saver, SEVERITY_OK, NAN, "good");
	finding_put(t, &columns, &k.v[0]);
	finding_put(t, &columns, &k.v[1]);
	findings_put_rest(&k, t, &columns, SEVERITY_OK);
	findings_put_rest(&k, t, &columns, SEVERITY_UNKNOWN);
	assert_int_equal(t->nrow, 3);
	assert_true(span_is(table_text_at(t, 0, SEVERITY), "WARN"));
	assert_true(span_is(table_text_at(t, 0, ACTION), "mend it"));
	assert_null(table_cell(t, 1, ACTION));
	assert_true(span_is(table_text_at(t, 2, TEXT), "plain (P), saver (S)"));
	assert_true(span_is(table_text_at(t, 2, SEVERITY), "ok"));
	assert_null(table_cell(t, 2, ACTION));
	assert_non_null(table_cell(t, 2, RULE));
	result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_rank),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
