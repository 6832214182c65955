/*
 * Threshold files of rlhf-canary.
 */
#include "cmd/load/thresholds.h"

#include <string.h>

#include "base/io.h"
#include "base/opt.h"
#include "base/setting.h"
#include "base/yaml.h"

/* A key and what it is here; the value is put between prefix and suffix. */
static const struct {
	const char *key, *setting, *suffix;
} keys[] = {
	{ "base_tier", "gate.tier", "" },
	{ "max_step_time_increase_pct", "gate.step_time.tolerance", "%" },
	{ "max_tps_drop_pct", "gate.tokens_per_sec.tolerance", "%" },
	{ "max_mem_increase_mb", "gate.peak_memory.limit", "MiB" },
	{ "max_mem_increase_pct", "gate.peak_memory.tolerance", "%" },
	{ "nan_steps_allowed", "gate.nan_steps.limit", "" },
	{ "inf_steps_allowed", "gate.inf_steps.limit", "" },
	{ "max_loss_increase_pct", "gate.loss_final.tolerance", "%" },
	{ "min_step_count", "gate.min-steps", "" },
	{ "confidence_level", NULL, NULL }, /* rlhf-canary
	                                       never
	                                       used it;
	                                       ours is
	                                       in the
	                                       rule */
};

static enum status wants_one(const char *key, struct yaml_place at, const char *name, struct err *e)
{
	return yaml_fail(e, E_USAGE, name, at, "'%s' wants one value", key);
}

/* A key that is none, or that of a threshold with a mapping where its value should be. */
static enum status unknown(const struct yaml_key *key, const char *name, struct err *e)
{
	const char *names[COUNT_OF(keys)], *near;
	struct str known = { 0 };
	size_t i;

	for (i = 0; i < COUNT_OF(keys); i++)
		names[i] = keys[i].key;
	for (i = 0; i < COUNT_OF(keys); i++)
		if (strcmp(names[i], key->text) == 0)
			return wants_one(key->text, key->at, name, e);
	near = opt_nearest(key->text, names, COUNT_OF(keys));
	(void)yaml_fail(e, E_USAGE, name, key->at, "unknown threshold '%s'%s%s%s", key->text,
		near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	for (i = 0; i < COUNT_OF(keys); i++)
		str_addf(&known, "%s%s", i ? ", " : "", names[i]);
	(void)err_hint(e, "known are %s; other checks: --check NAME=TOLERANCE", known.s);
	str_free(&known);
	return e->status;
}

static enum status put_threshold(struct settings *s, const struct yaml_item *item,
	const struct yaml_key *key, const char *name, struct err *e)
{
	struct str value = { 0 }, origin = { 0 };
	enum status st = OK;
	struct err why;
	size_t i = 0;

	while (i < COUNT_OF(keys) && strcmp(keys[i].key, key->text) != 0)
		i++;
	if (i == COUNT_OF(keys))
		return unknown(key, name, e);
	if (item->type != YAML_SCALAR)
		return wants_one(key->text, item->at, name, e);
	if (!keys[i].setting)
		return OK;
	str_addf(&value, "%s%s", item->value, keys[i].suffix);
	str_addf(&origin, "%s:%lld:%lld", name, (long long)item->at.line,
		(long long)item->at.column);
	st = settings_set(s, keys[i].setting, value.s, origin.s, &why);
	if (st != OK)
		st = yaml_fail(e, st, name, item->at, "%s: %s", key->text, why.text);
	str_free(&value);
	str_free(&origin);
	return st;
}

/* Whether key i of the item is a mapping of that name, which may hold nothing. */
static bool is_within(const struct yaml_item *item, size_t i, const char *name)
{
	return (item->nkey > i + 1 || (item->nkey == i + 1 && item->type == YAML_EMPTY)) &&
		strcmp(item->key[i].text, name) == 0;
}

static enum status put_all(
	struct settings *s, const struct yaml_items *items, const char *name, struct err *e)
{
	bool has_block = false;
	size_t i, at;

	for (i = 0; i < items->n; i++)
		has_block |= strcmp(items->v[i].key[0].text, "thresholds") == 0;
	for (i = 0; i < items->n; i++) {
		const struct yaml_item *item = &items->v[i];

		at = is_within(item, 0, "thresholds");
		if (has_block && at == 0 && strcmp(item->key[0].text, "thresholds") != 0)
			continue;
		at += is_within(item, at, "overrides");
		if (item->nkey > at + 1)
			return unknown(&item->key[at], name, e);
		if (item->nkey == at + 1)
			TRY(put_threshold(s, item, &item->key[at], name, e));
	}
	return OK;
}

enum status thresholds_read(struct settings *s, const char *path, struct err *e)
{
	struct str text = { 0 };
	struct yaml_items items;
	enum status st = io_get(path, YAML_BYTES_MAX, &text, e);

	if (st == OK) {
		st = yaml_read(&items, (struct span){ text.s ? text.s : "", text.n }, path, e);
		if (st == OK)
			st = put_all(s, &items, path, e);
		yaml_clear(&items);
	}
	str_free(&text);
	return st;
}
