/* Settings from YAML: any document is read or refused with its place; what is read again gives the
 * same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rule/list.h"
#include "base/setting.h"
#include "base/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROWS_MAX = 128 };

static const struct setting list = { "diagnose.rules", SETTING_LIST, "", NULL, "a list" };
static const struct setting any = { "gate.*.tolerance", SETTING_GROWTH, "5%", NULL, "any word" };
static const struct setting choice = { "diagnose.min-severity", SETTING_CHOICE, "ok", "ok|warn",
	"a choice" };

static size_t all_rows(const struct setting **row)
{
	size_t n = 0, i;

	row[n++] = &list;
	row[n++] = &any;
	row[n++] = &choice;
	for (i = 0; rules_setting(READS_RUN, i) && n < ROWS_MAX; i++)
		row[n++] = rules_setting(READS_RUN, i);
	return n;
}

/* Every value is one that its row takes. */
static void check_values(const struct settings *s)
{
	struct setting_value v;
	struct err e;
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (setting_parse(s->v[i].setting, s->v[i].text, &v, &e) != OK)
			abort();
		if (v.i != s->v[i].i || !(v.r >= 0) || v.r < s->v[i].r || v.r > s->v[i].r)
			abort();
	}
}

static void check_items(struct span text)
{
	struct yaml_items y;
	struct err e;
	size_t i;

	err_clear(&e);
	if (yaml_read(&y, text, "f", &e) != OK && (e.status == OK || !e.text[0]))
		abort();
	for (i = 0; i < y.n; i++)
		if (y.v[i].nkey == 0 || y.v[i].nkey > YAML_DEPTH_MAX || y.v[i].at.line < 1 ||
			y.v[i].at.column < 1)
			abort();
	yaml_clear(&y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct span text = { (const char *)data, size };
	const struct setting *row[ROWS_MAX];
	struct settings s, again;
	struct err e;

	check_items(text);
	settings_init(&s, row, all_rows(row));
	err_clear(&e);
	if (setting_yaml_put(&s, text, "f", &e) == OK) {
		check_values(&s);
		settings_copy(&again, &s);
		if (setting_yaml_put(&again, text, "f", &e) != OK || again.n != s.n)
			abort();
		settings_clear(&again);
	} else if (strncmp(e.text, "f:", 2) != 0) {
		abort();
	}
	settings_clear(&s);
	return 0;
}
