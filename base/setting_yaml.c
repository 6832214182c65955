/*
 * Settings from a document: every key must be known, every value parse; a mistake is named with its
 * place.
 */
#include "base/setting_yaml.h"

#include "base/yaml.h"

static enum status put_item(
	struct settings *s, const struct yaml_item *item, const char *name, struct err *e)
{
	const char *word[YAML_DEPTH_MAX];
	struct str origin = { 0 };
	const struct setting *row;
	enum status st;
	struct err why;
	size_t bad;

	for (size_t i = 0; i < item->nkey; i++)
		word[i] = item->key[i].text;
	row = settings_row(s, word, item->nkey, &bad, &why);
	if (!row && item->type == YAML_EMPTY && bad == item->nkey)
		return OK; /* a group that holds nothing */
	if (!row)
		return yaml_fail(e, E_USAGE, name, bad < item->nkey ? item->key[bad].at : item->at,
			"%s", why.text);
	if (item->type == YAML_EMPTY)
		return yaml_fail(e, E_USAGE, name, item->at, "'%s' has no value", row->key);
	if (item->type == YAML_LIST && row->type != SETTING_LIST)
		return yaml_fail(
			e, E_USAGE, name, item->at, "'%s' wants one value, not a list", row->key);
	str_addf(&origin, "%s:%lld:%lld", name, (long long)item->at.line,
		(long long)item->at.column);
	st = settings_put(s, row, word, item->nkey, item->value, origin.s, &why);
	str_free(&origin);
	if (st != OK)
		return yaml_fail(e, st, name, item->at, "%s", why.text);
	return OK;
}

enum status setting_yaml_put(struct settings *s, struct span text, const char *name, struct err *e)
{
	struct yaml_items items;
	enum status st = yaml_read(&items, text, name, e);

	for (size_t i = 0; st == OK && i < items.n; i++)
		st = put_item(s, &items.v[i], name, e);
	yaml_clear(&items);
	return st;
}
