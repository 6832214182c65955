/* Option parsing by table, did-you-mean, and the tables themselves: every command's options are
 * unambiguous and documented. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/opt.h"
#include "cmd/commands.h"
#include "cmd/help/text.h"
#include "cmd/verb.h"

struct local_work {
	int64_t limit;
	const char *by, *filter;
	bool tree, fold;
	struct opt_list label;
};

struct common {
	const char *format;
	bool quiet;
};

static const struct opt own_opts[] = {
	OPT("limit", 'n', OPT_INT, "N", "rows", offsetof(struct local_work, limit), NULL,
		"row-limit"),
	OPT("by", 0, OPT_CHOICE, "WHAT", "groups", offsetof(struct local_work, by),
		"name|shape|stream", NULL),
	OPT("filter", 'f', OPT_TEXT, "REGEX", "names", offsetof(struct local_work, filter), NULL,
		NULL),
	OPT("tree", 't', OPT_FLAG, NULL, "tree", offsetof(struct local_work, tree), NULL, NULL),
	OPT("fold", 0, OPT_FLAG, NULL, "fold", offsetof(struct local_work, fold), NULL, NULL),
	OPT("label", 'l', OPT_LIST, "TEXT", "labels", offsetof(struct local_work, label), NULL,
		NULL),
};

static const struct opt common_opts[] = {
	OPT("format", 0, OPT_CHOICE, "FORMAT", "format", offsetof(struct common, format),
		"table|json", NULL),
	OPT(NULL, 'q', OPT_FLAG, NULL, "quiet", offsetof(struct common, quiet), NULL, NULL),
};

/* One parse and all that came of it. */
struct parsed {
	struct local_work own;
	struct common common;
	const char **operand;
	size_t noperand;
	struct err err;
	enum status status;
};

enum { WORDS_MAX = 16 };

/* Parses the words of the line, which are separated by single blanks. */
static void parse(struct parsed *p, const char *line)
{
	static char words[512];
	struct opt_group group[] = {
		{ "Options", own_opts, COUNT_OF(own_opts), &p->own },
		{ "Common", common_opts, COUNT_OF(common_opts), &p->common },
	};
	char *argv[WORDS_MAX + 1] = { words }, *s = words;
	int argc = 0;

	*p = (struct parsed){ .own.fold = true };
	assert_true(strlen(line) < sizeof(words));
	memcpy(words, line, strlen(line) + 1);
	while (s && argc < WORDS_MAX) {
		argv[argc++] = s;
		s = strchr(s, ' ');
		if (s)
			*s++ = '\0';
	}
	err_clear(&p->err);
	p->status =
		opt_parse(group, COUNT_OF(group), argc, argv, &p->operand, &p->noperand, &p->err);
}

static void done(struct parsed *p)
{
	struct opt_group group = { "Options", own_opts, COUNT_OF(own_opts), &p->own };

	opt_free_lists(&group, 1);
	assert_null(p->own.label.v);
	free(p->operand);
}

static void take(struct parsed *p, const struct opt_value *value, size_t n)
{
	static const char *const operand[] = { "--tree", "-", "--", "a=b" };
	const struct opt_given given = { value, n, operand, COUNT_OF(operand), 0 };
	struct opt_group group[] = {
		{ "Options", own_opts, COUNT_OF(own_opts), &p->own },
		{ "Common", common_opts, COUNT_OF(common_opts), &p->common },
	};

	*p = (struct parsed){ .own.fold = true };
	err_clear(&p->err);
	p->status = opt_take(group, COUNT_OF(group), &given, &p->operand, &p->noperand, &p->err);
}

/* What a program gives is what it is, whatever it looks like. */
static void test_given_values(void **state)
{
	static const struct opt_value good[] = { { "limit", "7", false }, { "by", "shape", false },
		{ "filter", "--tree", false }, { "label", "-q", false }, { "label", "--", false },
		{ "fold", NULL, true } };
	static const struct opt_value bad[] = { { "limits", "7", false },
		{ "row-limit", "7", false }, { "no-fold", NULL, false }, { "limit", "x", false },
		{ "limit", NULL, false }, { "tree", "yes", false }, { "by", "size", false },
		{ "limit=7", NULL, false }, { "q", NULL, false }, { "", "x", false } };
	struct parsed p;
	size_t i;

	(void)state;
	take(&p, good, COUNT_OF(good));
	assert_int_equal(p.status, OK);
	assert_int_equal(p.own.limit, 7);
	assert_string_equal(p.own.by, "shape");
	assert_string_equal(p.own.filter, "--tree");
	assert_string_equal(p.own.label.v[0], "-q");
	assert_string_equal(p.own.label.v[1], "--");
	assert_false(p.own.fold || p.own.tree || p.common.quiet);
	assert_int_equal(p.noperand, 4);
	assert_string_equal(p.operand[0], "--tree");
	assert_string_equal(p.operand[2], "--");
	done(&p);
	for (i = 0; i < COUNT_OF(bad); i++) {
		take(&p, &bad[i], 1);
		assert_int_equal(p.status, E_USAGE);
		assert_true(p.err.text[0] != '\0');
		done(&p);
	}
}

static void test_values(void **state)
{
	struct parsed p;

	(void)state;
	parse(&p, "top -n 5 a --by=shape b --filter=x=y -t -l one --label two --format json -q");
	assert_int_equal(p.status, OK);
	assert_int_equal(p.own.limit, 5);
	assert_string_equal(p.own.by, "shape");
	assert_string_equal(p.own.filter, "x=y");
	assert_true(p.own.tree);
	assert_int_equal(p.own.label.n, 2);
	assert_string_equal(p.own.label.v[0], "one");
	assert_string_equal(p.own.label.v[1], "two");
	assert_string_equal(p.common.format, "json");
	assert_true(p.common.quiet);
	assert_int_equal(p.noperand, 2);
	assert_string_equal(p.operand[0], "a");
	assert_string_equal(p.operand[1], "b");
	done(&p);
}

static void test_letters(void **state)
{
	static const struct {
		const char *line;
		int64_t limit;
	} cases[] = {
		{ "top -n5", 5 },
		{ "top -qn5", 5 },
		{ "top -qn 5", 5 },
		{ "top -tqn0", 0 },
		{ "top --row-limit 7", 7 },
		{ "top -n 1 -n 2", 2 },
		{ "top --limit 9223372036854775807", INT64_MAX },
	};
	struct parsed p;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		parse(&p, cases[i].line);
		assert_int_equal(p.status, OK);
		assert_int_equal(p.own.limit, cases[i].limit);
		assert_int_equal(p.noperand, 0);
		done(&p);
	}
}

static void test_flags_can_be_undone(void **state)
{
	struct parsed p;

	(void)state;
	parse(&p, "top --no-fold --tree --no-tree");
	assert_int_equal(p.status, OK);
	assert_false(p.own.fold);
	assert_false(p.own.tree);
	done(&p);
}

static void test_operands(void **state)
{
	struct parsed p;

	(void)state;
	parse(&p, "top - -f -- x -- -n --nope");
	assert_int_equal(p.status, OK);
	assert_string_equal(p.own.filter, "--");
	assert_int_equal(p.noperand, 4);
	assert_string_equal(p.operand[0], "-");
	assert_string_equal(p.operand[1], "x");
	assert_string_equal(p.operand[2], "-n");
	assert_string_equal(p.operand[3], "--nope");
	done(&p);
}

static void test_errors(void **state)
{
	static const struct {
		const char *line, *text;
	} cases[] = {
		{ "top --lmiit 3", "unknown option '--lmiit'; did you mean '--limit'?" },
		{ "top --lim 3", "unknown option '--lim'; did you mean '--limit'?" },
		{ "top --row-limt=3", "unknown option '--row-limt'; did you mean '--row-limit'?" },
		{ "top --zzz", "unknown option '--zzz'" },
		{ "top --shape", "unknown option '--shape'; did you mean '--by shape'?" },
		{ "top --by-shape", "unknown option '--by-shape'" },
		{ "top --no-by", "unknown option '--no-by'" },
		{ "top --=3", "unknown option '--'" },
		{ "top -z", "unknown option '-z'" },
		{ "top -qz", "unknown option '-z' in '-qz'" },
		{ "top -n", "option '-n' needs a value: N" },
		{ "top --by", "option '--by' needs a value: WHAT" },
		{ "top -n x", "option '-n' wants a whole number, not 'x'" },
		{ "top -n -5", "option '-n' wants 0 or more, not '-5'" },
		{ "top -n-5", "option '-n' wants 0 or more, not '-5'" },
		{ "top --limit=-5", "option '--limit' wants 0 or more, not '-5'" },
		{ "top -n 5x", "option '-n' wants a whole number, not '5x'" },
		{ "top --limit=", "option '--limit' wants a whole number, not ''" },
		{ "top --limit 1e3", "option '--limit' wants a whole number, not '1e3'" },
		{ "top -n 9223372036854775808",
			"option '-n': '9223372036854775808' is out of range" },
		{ "top --tree=yes", "option '--tree' takes no value" },
		{ "top --by shpae", "option '--by': unknown WHAT 'shpae'; did you mean 'shape'?" },
		{ "top --by nam", "option '--by': unknown WHAT 'nam'; did you mean 'name'?" },
		{ "top --by x", "option '--by': unknown WHAT 'x'" },
	};
	struct parsed p;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		parse(&p, cases[i].line);
		assert_int_equal(p.status, E_USAGE);
		assert_string_equal(p.err.text, cases[i].text);
		done(&p);
	}
	assert_string_equal(p.err.hint, "known are: name, shape, stream");
}

static void test_which(void **state)
{
#define KEYS(X) X(BY_SUM, "sum") X(BY_SUMS, "sums") X(BY_NAME, "name")
	enum key { KEYS(OPT_ID) };
	const char *words = OPT_WORDS(KEYS);

	(void)state;
	assert_string_equal(words, "sum|sums|name");
	assert_int_equal(opt_which(words, "sum"), BY_SUM);
	assert_int_equal(opt_which(words, "sums"), BY_SUMS);
	assert_int_equal(opt_which(words, "name"), BY_NAME);
	assert_int_equal(opt_which(words, "nam"), 0);
	assert_int_equal(opt_which(words, "sums|name"), 0);
	assert_int_equal(opt_which(words, ""), 0);
	assert_int_equal(opt_which(words, NULL), 0);
}

static void test_nearest(void **state)
{
	static const char *const words[] = { "top", "info", "check", "summary", "explain", "gate" };
	static const struct {
		const char *typed, *nearest;
	} cases[] = {
		{ "tpo", "top" },
		{ "TOP", "top" },
		{ "to", "top" },
		{ "chekc", "check" },
		{ "sumary", "summary" },
		{ "sum", "summary" },
		{ "explian", "explain" },
		{ "gaet", "gate" },
		{ "x", NULL },
		{ "", NULL },
		{ "diff", NULL },
		{ "info", "info" },
		{ "inof", "info" },
		{ "kernels", NULL },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		const char *near = opt_nearest(cases[i].typed, words, COUNT_OF(words));

		if (cases[i].nearest) {
			assert_non_null(near);
			assert_string_equal(near, cases[i].nearest);
		} else {
			assert_null(near);
		}
	}
	assert_null(opt_nearest("top", words, 0));
}

/* What an option table must not do: the same name or letter twice, no help, no placeholder. */
static void check_option(const struct verb *v, const struct opt *o, const char *seen_letters)
{
	if (o->letter && strchr(seen_letters, o->letter))
		fail_msg("%s: -%c stands twice", v->name, o->letter);
	if (!o->help || !o->help[0] || o->help[strlen(o->help) - 1] == '.')
		fail_msg("%s: --%s: help is missing, or ends in a full stop", v->name, o->name);
	if ((o->type == OPT_FLAG) != (o->arg == NULL))
		fail_msg("%s: --%s: a placeholder is for options with a value", v->name, o->name);
	if (o->type == OPT_CHOICE && !o->choices)
		fail_msg("%s: --%s: no choices", v->name, o->name);
}

static void test_tables_of_all_commands(void **state)
{
	struct verb v;
	size_t i, g, k;

	(void)state;
	for (i = 0; verb_get(&commands_all, i, &v); i++) {
		char letters[64] = "";
		const char *names[128];
		size_t nletter = 0, nname = 0, a, b;

		assert_non_null(v.summary);
		if (strlen(v.summary) > TEXT_WIDTH)
			fail_msg("%s: the summary is no line", v.name);
		for (g = 0; g < v.ngroup; g++)
			for (k = 0; k < v.group[g].n; k++) {
				const struct opt *o = &v.group[g].opt[k];

				check_option(&v, o, letters);
				if (o->letter)
					letters[nletter++] = o->letter;
				if (o->name)
					names[nname++] = o->name;
				if (o->alias)
					names[nname++] = o->alias;
				assert_true(nletter < sizeof(letters) - 1 &&
					nname < COUNT_OF(names) - 1);
			}
		for (a = 0; a < nname; a++)
			for (b = a + 1; b < nname; b++)
				if (strcmp(names[a], names[b]) == 0)
					fail_msg("%s: --%s stands twice", v.name, names[a]);
	}
	assert_true(i > 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_given_values),
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_flags_can_be_undone),
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_which),
		cmocka_unit_test(test_tables_of_all_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
