/* Configuration: found, read, laid over what is built in.  The command that shows it is in
 * config_show.c. */
#include "cmd/config.h"

#include <errno.h>
#include <unistd.h>

#include "analyze/analysis/analysis.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/regex.h"
#include "base/io.h"
#include "base/yaml.h"
#include "cmd/say.h"

#define CONFIG_FILE "traceq.yaml"
#define VARIABLES   "TRACEQ_"

const struct opt config_opts[CONFIG_OPTS] = {
	TEXT_OPT("config", 0, "FILE", offsetof(struct config_options, path),
		"settings in YAML [$" CONFIG_VARIABLE ", else " CONFIG_FILE
		" in this folder, if any]"),
	FLAG_OPT("no-config", 0, offsetof(struct config_options, is_off),
		"read no file of settings; variables " VARIABLES "* still count"),
};

/* ---- the file ---- */

static enum status put_file(struct settings *s, const char *path, struct err *e)
{
	SCOPED_STR text = { 0 };

	TRY(io_get(path, YAML_BYTES_MAX, &text, e));
	return setting_yaml_put(s, (struct span){ text.s ? text.s : "", text.n }, path, e);
}

/* The file to be read, or NULL; one that the command does not name becomes c->found. */
static const char *choose_file(struct config *c, const struct config_options *o)
{
	const char *variable = getenv(CONFIG_VARIABLE);

	if (o->is_off || o->path)
		return o->path;
	if (variable && *variable) {
		c->found = variable;
	} else if (access(CONFIG_FILE, F_OK) == 0 || errno != ENOENT) {
		c->found = CONFIG_FILE;
		c->is_in_folder = true;
	}
	return c->found;
}

/* ---- the environment ---- */

/* "TRACEQ_DIAGNOSE_G10_WARN" for diagnose.G10.warn. */
static void variable_of(struct str *out, const char *key)
{
	str_reset(out);
	str_adds(out, VARIABLES);
	for (; *key; key++) {
		char c = *key;

		if (c >= 'a' && c <= 'z')
			c = (char)(c - 'a' + 'A');
		str_addc(out, c == '.' || c == '-' ? '_' : c);
	}
}

static enum status put_variable(
	struct settings *s, const char *name, const char *key, const char *value, struct err *e)
{
	struct err why;
	enum status st = settings_set(s, key, value, name, &why);

	return st == OK ? OK : err_set(e, st, -1, "%s: %s", name, why.text);
}

static bool is_variable(const char *text)
{
	return strncmp(text, VARIABLES, sizeof(VARIABLES) - 1) == 0;
}

/* Whether the environment has any: most have none, and there are two hundred names to ask for. */
static bool has_variables(void)
{
	bool has = false;

	for (char **p = environ; p && *p && !has; p++)
		has = is_variable(*p);
	return has;
}

/* The variable begins with a section's name, "TRACEQ_DIAGNOSE_", but is none of its keys. */
static bool is_mistaken(const struct settings *s, const char *name, size_t n)
{
	SCOPED_STR of = { 0 };
	bool in_section = false, is_known = false;

	for (size_t i = 0; i < s->nrow && !is_known; i++) {
		const char *key = s->row[i]->key;

		variable_of(&of, key);
		is_known = of.n == n && memcmp(of.s, name, n) == 0;
		if (!strchr(key, '.'))
			continue;
		of.n = sizeof(VARIABLES) - 1 + strcspn(key, ".") + 1;
		in_section |= of.n <= n && memcmp(of.s, name, of.n) == 0;
	}
	return in_section && !is_known;
}

static enum status refuse_mistaken(const struct settings *s, struct err *e)
{
	for (char **p = environ; p && *p; p++) {
		size_t n = strcspn(*p, "=");

		if (!is_variable(*p) || !is_mistaken(s, *p, n))
			continue;
		return err_hinted(e, E_USAGE, "'traceq config' lists all of them",
			"%.*s: no setting is called so", (int)n, *p);
	}
	return OK;
}

/* ---- both ---- */

/* Adds a row, once: some settings are several analyses'. */
static void add_row(const struct setting ***row, size_t *n, size_t *cap, const struct setting *one)
{
	for (size_t i = 0; i < *n; i++)
		if ((*row)[i] == one)
			return;
	PUSH(*row, *n, *cap, one);
}

/* Every row that any analysis has; *n receives how many.  Freed by the caller. */
static const struct setting **all_rows(const struct analyses *all, size_t *n)
{
	size_t cap = 0;
	const struct setting **row = NULL, *one;

	*n = 0;
	for (size_t k = 0; (one = query_setting(k)); k++)
		add_row(&row, n, &cap, one);
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0;
			all->v[i]->options.setting && (one = all->v[i]->options.setting(k)); k++)
			add_row(&row, n, &cap, one);
	return row;
}

enum status config_read(
	struct config *c, const struct analyses *all, const struct config_options *o, struct err *e)
{
	size_t n;

	*c = (struct config){ .row = all_rows(all, &n) };
	settings_init(&c->settings, c->row, n);
	if (o->is_off && o->path)
		return err_set(e, E_USAGE, -1, "--config and --no-config contradict each other");
	const char *path = choose_file(c, o);
	if (path)
		TRY(put_file(&c->settings, path, e));
	if (!has_variables())
		return OK;
	SCOPED_STR name = { 0 };
	enum status st = OK;
	for (size_t i = 0; i < c->settings.nrow && st == OK; i++) {
		if (strchr(c->settings.row[i]->key, '*'))
			continue;
		variable_of(&name, c->settings.row[i]->key);
		const char *value = getenv(name.s);
		if (value)
			st = put_variable(&c->settings, name.s, c->settings.row[i]->key, value, e);
	}
	return st == OK ? refuse_mistaken(&c->settings, e) : st;
}

enum status config_comm(const struct config *c, const char **pattern, struct err *e)
{
	const struct setting_value *v = settings_get(&c->settings, "comm");

	*pattern = v && *v->text ? v->text : NULL;
	return *pattern ? regex_check(*pattern, v->origin, e) : OK;
}

void config_clear(struct config *c)
{
	settings_clear(&c->settings);
	free(c->row);
	*c = (struct config){ 0 };
}

/* ---- what changes an answer unasked ---- */

enum { KEYS_TOLD = 3 }; /* by name; more are counted */

static bool has_row(const struct analysis *a, const struct setting *row)
{
	const struct setting *one;

	for (size_t k = 0; !(a->options.ignores & FILTER_COMM) && (one = query_setting(k)); k++)
		if (one == row)
			return true;
	for (size_t k = 0; a->options.setting && (one = a->options.setting(k)); k++)
		if (one == row)
			return true;
	return false;
}

/* The file sets it, to something else than it would be, and one of them looks at it. */
static bool is_changed(const struct config *c, const struct setting_value *v,
	const struct analysis *const *user, size_t nuser)
{
	size_t n = strlen(c->found);

	if (strncmp(v->origin, c->found, n) != 0 || v->origin[n] != ':' ||
		(v->setting->preset && strcmp(v->text, v->setting->preset) == 0))
		return false;
	return ANY(i, nuser, has_row(user[i], v->setting));
}

void config_tell(const struct config *c, const struct analysis *const *user, size_t n)
{
	SCOPED_STR keys = { 0 };
	size_t changed = 0;

	for (size_t i = 0; c->found && i < c->settings.n; i++)
		if (is_changed(c, &c->settings.v[i], user, n) && changed++ < KEYS_TOLD)
			str_addf(&keys, "%s%s", keys.n ? ", " : "", c->settings.v[i].key);
	if (changed > KEYS_TOLD)
		str_addf(&keys, " and %zu more", changed - KEYS_TOLD);
	if (changed)
		(void)say_failure("%s%s sets %s (--no-config ignores it)", c->found,
			c->is_in_folder ? " in this folder" : ", which " CONFIG_VARIABLE " names,",
			keys.s);
}

/* ---- threshold files of rlhf-canary ---- */

/* A key and what it is here.  The value is put between prefix and suffix. */
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
	/* rlhf-canary never used it; ours is in the rule */
	{ "confidence_level", NULL, NULL },
};

static enum status wants_one(const char *key, struct yaml_place at, const char *name, struct err *e)
{
	return yaml_fail(e, E_USAGE, name, at, "'%s' wants one value", key);
}

/* A key that is none, or that of a threshold with a mapping where its value should be. */
static enum status unknown(const struct yaml_key *key, const char *name, struct err *e)
{
	const char *names[COUNT_OF(keys)];
	SCOPED_STR known = { 0 };

	for (size_t i = 0; i < COUNT_OF(keys); i++)
		names[i] = keys[i].key;
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		if (strcmp(names[i], key->text) == 0)
			return wants_one(key->text, key->at, name, e);
	(void)yaml_fail(e, E_USAGE, name, key->at, "unknown threshold '%s'%s", key->text,
		opt_mean(opt_nearest(key->text, names, COUNT_OF(keys)), "").s);
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		str_addf(&known, "%s%s", i ? ", " : "", names[i]);
	return err_hint(e, "known are %s; other checks: --check NAME=TOLERANCE", known.s);
}

static enum status put_threshold(struct settings *s, const struct yaml_item *item,
	const struct yaml_key *key, const char *name, struct err *e)
{
	SCOPED_STR value = { 0 }, origin = { 0 };
	size_t i = FIRST(k, COUNT_OF(keys), strcmp(keys[k].key, key->text) == 0);
	struct err why;

	if (i == COUNT_OF(keys))
		return unknown(key, name, e);
	if (item->type != YAML_SCALAR)
		return wants_one(key->text, item->at, name, e);
	if (!keys[i].setting)
		return OK;
	str_addf(&value, "%s%s", item->value, keys[i].suffix);
	str_addf(&origin, "%s:%lld:%lld", name, (long long)item->at.line,
		(long long)item->at.column);
	enum status st = settings_set(s, keys[i].setting, value.s, origin.s, &why);
	return st == OK ? OK : yaml_fail(e, st, name, item->at, "%s: %s", key->text, why.text);
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
	bool has_block = ANY(i, items->n, strcmp(items->v[i].key[0].text, "thresholds") == 0);

	for (EACH(const struct yaml_item, item, items->v, items->n)) {
		size_t at = is_within(item, 0, "thresholds");

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
	SCOPED_STR text = { 0 };
	struct yaml_items items;
	enum status st = io_get(path, YAML_BYTES_MAX, &text, e);

	if (st == OK) {
		st = yaml_read(&items, (struct span){ text.s ? text.s : "", text.n }, path, e);
		THEN(st, put_all(s, &items, path, e));
		yaml_clear(&items);
	}
	return st;
}
