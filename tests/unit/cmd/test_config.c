/* Settings: types of values, keys, layers, and YAML with the place of every mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/setting.h"
#include "base/yaml.h"
#include "cmd/commands.h"
#include "cmd/config.h"

static const struct setting share = { "top.one.share", SETTING_RATIO, "5%", NULL, "" };
static const struct setting number = { "top.one.factor", SETTING_NUMBER, "1.5", NULL, "" };
static const struct setting count = { "top.one.count", SETTING_COUNT, "10", NULL, "" };
static const struct setting time_row = { "top.two.time", SETTING_TIME, "20us", NULL, "" };
static const struct setting bytes = { "top.two.bytes", SETTING_BYTES, "1MiB", NULL, "" };
static const struct setting choice = { "top.choice", SETTING_CHOICE, "b", "a|b|c", "" };
static const struct setting list = { "top.list", SETTING_LIST, "", NULL, "" };
static const struct setting any = { "gate.*.tolerance", SETTING_GROWTH, "5%", NULL, "" };
static const struct setting *const rows[] = { &share, &number, &count, &time_row, &bytes, &choice,
	&list, &any };

static struct setting_value parsed(const struct setting *row, const char *text)
{
	struct setting_value v;
	struct err e;

	if (setting_parse(row, text, &v, &e) != OK)
		fail_msg("%s: %s", text, e.text);
	return v;
}

static void refused(const struct setting *row, const char *text, const char *why)
{
	struct setting_value v;
	struct err e;

	assert_int_equal(setting_parse(row, text, &v, &e), E_USAGE);
	if (!strstr(e.text, why))
		fail_msg("'%s': said '%s', not '%s'", text, e.text, why);
}

static void test_ratio(void **state)
{
	(void)state;
	assert_true(parsed(&share, "5%").r > 0.0499999 && parsed(&share, "5%").r < 0.0500001);
	assert_true(parsed(&share, "0.25").r == 0.25);
	assert_true(parsed(&share, "12.5 %").r == 0.125);
	assert_true(parsed(&share, "1").r == 1);
	assert_true(parsed(&share, "100%").r == 1);
	assert_true(parsed(&share, "0").r == 0);
	refused(&share, "5", "did you mean '5%'");
	refused(&share, "101%", "at most 100%");
	refused(&share, "-5%", "a share");
	refused(&share, "five", "a share");
	refused(&share, "5%%", "a share");
	assert_true(parsed(&share, ".5").r == 0.5);
	refused(&share, ".", "a share");
	refused(&share, "250", "a share such as 5%");
	assert_true(parsed(&any, "150%").r == 1.5);
	assert_true(parsed(&any, "5%").r == parsed(&share, "5%").r);
	assert_true(parsed(&any, "1").r == 1);
	refused(&any, "5", "did you mean '5%'");
	refused(&any, "1000", "a share such as 5%");
	refused(&any, "-5%", "a share");
	refused(&share, "1.", "a share");
	refused(&share, "1.2.3", "a share");
	refused(&share, "0x10", "a share");
	refused(&share, "", "a share");
	refused(&share, "nan", "a share");
}

static void test_scaled(void **state)
{
	(void)state;
	assert_int_equal(parsed(&time_row, "20us").i, 20000);
	assert_int_equal(parsed(&time_row, "1.5 ms").i, 1500000);
	assert_int_equal(parsed(&time_row, "0.0000001s").i, 100);
	assert_int_equal(parsed(&time_row, "7ns").i, 7);
	assert_int_equal(parsed(&time_row, "0").i, 0);
	refused(&time_row, "20", "with its unit");
	refused(&time_row, "20 usec", "with its unit");
	refused(&time_row, "99999999999999s", "too large");
	refused(&time_row, "9999999999999999ns", "with its unit"); /* more than 15 digits */
	assert_int_equal(parsed(&bytes, "1.5KiB").i, 1536);
	assert_int_equal(parsed(&bytes, "200 MB").i, 200000000);
	assert_int_equal(parsed(&bytes, "1TiB").i, INT64_C(1) << 40);
	refused(&bytes, "1 mb", "with its unit");
	refused(&bytes, "9999999999TiB", "too large");
}

static void test_plain(void **state)
{
	(void)state;
	assert_true(parsed(&number, "2").r == 2);
	assert_true(parsed(&number, "0.5").r == 0.5);
	assert_int_equal(parsed(&count, "123").i, 123);
	refused(&count, "1.5", "whole number");
	refused(&count, "1,000", "whole number");
	refused(&number, "2%", "a number");
	assert_int_equal(parsed(&choice, "c").i, 2);
	refused(&choice, "d", "one of a|b|c");
	refused(&choice, "a|b", "one of");
}

static void init(struct settings *s)
{
	settings_init(s, rows, sizeof(rows) / sizeof(rows[0]));
}

/* Built in, then a layer, then another; the last wins and says where it is from. */
static void test_layers(void **state)
{
	struct settings s, copy;
	struct err e;

	(void)state;
	init(&s);
	assert_string_equal(settings_get(&s, "top.one.share")->origin, "built-in");
	assert_null(settings_get(&s, "gate.*.tolerance"));
	assert_null(settings_get(&s, "top.none"));
	assert_int_equal(settings_set(&s, "top.one.share", "10%", "file", &e), OK);
	settings_copy(&copy, &s);
	assert_int_equal(settings_set(&copy, "top.one.share", "20%", "-t", &e), OK);
	assert_string_equal(settings_get(&s, "top.one.share")->text, "10%");
	assert_string_equal(settings_get(&copy, "top.one.share")->text, "20%");
	assert_string_equal(settings_get(&copy, "top.one.share")->origin, "-t");
	assert_int_equal(settings_set(&copy, "top.one.share", "much", "-t", &e), E_USAGE);
	assert_string_equal(settings_get(&copy, "top.one.share")->text, "20%");
	settings_clear(&s);
	settings_clear(&copy);
}

static void wrong_key(struct settings *s, const char *key, const char *want)
{
	struct err e;

	assert_int_equal(settings_set(s, key, "1", "x", &e), E_USAGE);
	assert_string_equal(e.text, want);
}

static void test_keys(void **state)
{
	struct settings s;
	struct err e;

	(void)state;
	init(&s);
	wrong_key(&s, "top.one.shaer", "unknown key 'shaer' in top.one; did you mean 'share'?");
	wrong_key(&s, "tpo.one.share", "unknown key 'tpo'; did you mean 'top'?");
	wrong_key(&s, "top.xxxxxxxx", "unknown key 'xxxxxxxx' in top");
	wrong_key(&s, "top.one", "'one' is a group of keys, not a value");
	wrong_key(&s, "top.choice.a", "unknown key 'a': 'choice' is a value and has no keys");
	wrong_key(&s, "gate.x.tolerence",
		"unknown key 'tolerence' in gate.x; did you mean 'tolerance'?");
	assert_int_equal(settings_set(&s, "gate.step_time.tolerance", "8%", "x", &e), OK);
	assert_true(settings_get(&s, "gate.step_time.tolerance")->r == 0.08);
	settings_clear(&s);
}

/* A document and the error it must give; NULL: none. */
static const struct {
	const char *text, *error;
} documents[] = {
	{ "", NULL },
	{ "# a comment\n", NULL },
	{ "---\n", NULL },
	{ "{}\n", NULL },
	{ "top:\n", NULL },
	{ "top: {one: {}}\n", NULL },
	{ "top:\n  one: {share: 10%, count: '3'}\n  list: [a, b]\n", NULL },
	{ "gate:\n  'op:x.*':\n    tolerance: 15%\n", NULL },
	{ "5\n", "f:1:1: expected 'key: value'" },
	{ "- a\n", "f:1:1: a list where 'key: value' is expected" },
	{ "tpo: {}\n", "f:1:1: unknown key 'tpo'; did you mean 'top'?" },
	{ "top:\n  one:\n    shar: 1%\n",
		"f:3:5: unknown key 'shar' in top.one; did you mean 'share'?" },
	{ "top:\n  noe:\n    share: 1%\n", "f:2:3: unknown key 'noe' in top; did you mean 'one'?" },
	{ "top:\n  one: 5\n", "f:2:8: 'one' is a group of keys, not a value" },
	{ "top:\n  one:\n    share:\n", "f:3:11: 'top.one.share' has no value" },
	{ "top:\n  one:\n    share: [1%]\n",
		"f:3:12: 'top.one.share' wants one value, not a list" },
	{ "top:\n  one:\n    share: {a: 1}\n",
		"f:3:13: unknown key 'a': 'share' is a value and has no keys" },
	{ "top:\n  one:\n    share: 5\n",
		"f:3:12: '5' is no value for 'top.one.share': a share is at most 1; did you mean '5%'?" },
	{ "top:\n  choice: a\n  choice: b\n",
		"f:3:3: key 'choice' is given twice, first in line 2" },
	{ "top: &x {}\n", "f:1:6: anchors (&), aliases (*) and tags (!) have no meaning here" },
	{ "top: !!str x\n", "f:1:6: anchors (&), aliases (*) and tags (!) have no meaning here" },
	{ "top: *x\n", "f:1:6: anchors (&), aliases (*) and tags (!) have no meaning here" },
	{ "top: {}\n---\ntop: {}\n", "f:2:1: a second document; one file is one document" },
	{ "top:\n  list: [a, [b]]\n", "f:2:13: a list where 'key: value' is expected" },
	{ "top:\n  list: ['a,b']\n",
		"f:2:10: an element of a list may not be empty or hold a comma" },
	{ "? [a]\n: b\n", "f:1:3: a list where 'key: value' is expected" },
	{ "? {a: b}\n: c\n", "f:1:3: a group of keys where a text is expected" },
	{ "a: {b: {c: {d: {e: {f: {g: {h: {i: 1}}}}}}}}\n",
		"f:1:32: groups nested more than 8 deep" },
	{ "top: \"a\\0b\"\n", "f:1:6: a NUL in a text" },
	{ "top:\n\tone: 1\n",
		"f:2:1: found character that cannot start any token while scanning for the next token" },
	{ "top: [a\n", "f:2:1: did not find expected ',' or ']' while parsing a flow sequence" },
	{ "\xff\xff", "f: byte 0: invalid leading UTF-8 octet" },
};

static void test_documents(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
		const char *want = documents[i].error ? documents[i].error : "";
		struct settings s;
		struct err e;

		init(&s);
		err_clear(&e);
		(void)!setting_yaml_put(&s, span_of(documents[i].text), "f", &e);
		if (strcmp(e.text, want) != 0)
			fail_msg("%s: said '%s', not '%s'", documents[i].text, e.text, want);
		settings_clear(&s);
	}
}

static void test_values_from_yaml(void **state)
{
	const char *text = "top:\n  one: {share: 10%, count: '3'}\n  list: [a, b]\n  two:\n"
			   "    time: 1.5 ms\ngate:\n  'op:x.*':\n    tolerance: 15%\n";
	struct settings s;
	struct err e;

	(void)state;
	init(&s);
	assert_int_equal(setting_yaml_put(&s, span_of(text), "f.yaml", &e), OK);
	assert_string_equal(settings_get(&s, "top.one.share")->origin, "f.yaml:2:16");
	assert_int_equal(settings_get(&s, "top.one.count")->i, 3);
	assert_string_equal(settings_get(&s, "top.list")->text, "a,b");
	assert_int_equal(settings_get(&s, "top.two.time")->i, 1500000);
	assert_true(settings_get(&s, "gate.\"op:x.*\".tolerance")->r == 0.15);
	settings_clear(&s);
}

/* Cut at every byte, a document is read or refused, never worse. */
static void test_prefixes(void **state)
{
	const char *text = "top:\n  one: {share: 10%, count: '3'}\n  list: [a, b]\n  two:\n"
			   "    time: \"1.5 ms\"\n";
	size_t n;

	(void)state;
	for (n = 0; n <= strlen(text); n++) {
		struct settings s;
		struct err e;

		init(&s);
		err_clear(&e);
		if (setting_yaml_put(&s, (struct span){ text, n }, "f", &e) != OK)
			assert_true(e.text[0] != '\0');
		settings_clear(&s);
	}
}

static void test_limits(void **state)
{
	char *many = malloc(YAML_BYTES_MAX + 2);
	struct yaml_items y;
	struct err e;
	size_t n = 0;
	int i;

	(void)state;
	assert_non_null(many);
	for (i = 0; i <= YAML_KEYS_MAX; i++)
		n += (size_t)snprintf(many + n, 16, "k%d: 1\n", i);
	assert_int_equal(yaml_read(&y, (struct span){ many, n }, "f", &e), E_LIMIT);
	assert_string_equal(e.text, "f:4097:1: more than 4096 keys in one group");
	yaml_clear(&y);
	memset(many, ' ', YAML_BYTES_MAX + 1);
	assert_int_equal(
		yaml_read(&y, (struct span){ many, YAML_BYTES_MAX + 1 }, "f", &e), E_LIMIT);
	yaml_clear(&y);
	free(many);
}

/* The file that --config names, and what analyses have for settings; the environment over it. */
static void test_config_read(void **state)
{
	char path[] = "/tmp/traceq-config-XXXXXX";
	int fd = mkstemp(path);
	struct config_options o = { .path = path }, off = { .is_off = true };
	struct config c;
	struct err e;
	FILE *f;

	(void)state;
	assert_true(fd >= 0);
	f = fdopen(fd, "w");
	assert_non_null(f);
	fputs("diagnose:\n  G10:\n    warn: 7%\n    crit: 30%\n", f);
	fclose(f);
	setenv("TRACEQ_DIAGNOSE_G10_CRIT", "40%", 1);
	assert_int_equal(config_read(&c, &commands_all.analyses, &o, &e), OK);
	assert_true(settings_get(&c.settings, "diagnose.G10.warn")->r == 0.07);
	assert_true(settings_get(&c.settings, "diagnose.G10.crit")->r == 0.4);
	assert_string_equal(
		settings_get(&c.settings, "diagnose.G10.crit")->origin, "TRACEQ_DIAGNOSE_G10_CRIT");
	config_clear(&c);
	setenv("TRACEQ_DIAGNOSE_G10_CRIT", "lots", 1);
	assert_int_equal(config_read(&c, &commands_all.analyses, &o, &e), E_USAGE);
	assert_non_null(strstr(e.text, "TRACEQ_DIAGNOSE_G10_CRIT: 'lots'"));
	config_clear(&c);
	unsetenv("TRACEQ_DIAGNOSE_G10_CRIT");
	setenv("TRACEQ_DIAGNOSE_G10_KRIT", "40%", 1);
	assert_int_equal(config_read(&c, &commands_all.analyses, &o, &e), E_USAGE);
	config_clear(&c);
	unsetenv("TRACEQ_DIAGNOSE_G10_KRIT");
	setenv("TRACEQ_CONFIG", path, 1);
	assert_int_equal(config_read(&c, &commands_all.analyses, &off, &e), OK);
	assert_string_equal(settings_get(&c.settings, "diagnose.G10.warn")->origin, "built-in");
	assert_null(c.found);
	config_clear(&c);
	off.path = path;
	assert_int_equal(config_read(&c, &commands_all.analyses, &off, &e), E_USAGE);
	config_clear(&c);
	o.path = NULL;
	assert_int_equal(config_read(&c, &commands_all.analyses, &o, &e), OK);
	assert_string_equal(c.found, path);
	assert_true(settings_get(&c.settings, "diagnose.G10.warn")->r == 0.07);
	config_clear(&c);
	unsetenv("TRACEQ_CONFIG");
	o.path = path;
	(void)remove(path);
	assert_int_equal(config_read(&c, &commands_all.analyses, &o, &e), E_IO);
	config_clear(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ratio),
		cmocka_unit_test(test_scaled),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_layers),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_documents),
		cmocka_unit_test(test_values_from_yaml),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_config_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
