/*
 * Configuration: found, read, laid over what is built in.  The command that shows it is in
 * config_show.c.
 */
#include "cmd/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/analysis/analysis.h"
#include "analyze/trace/regex.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "base/io.h"
#include "base/setting.h"
#include "base/yaml.h"

#define CONFIG_FILE "traceq.yaml"
#define VARIABLES   "TRACEQ_"

const struct opt config_opts[CONFIG_OPTS] = {
	OPT("config", 0, OPT_TEXT, "FILE",
		"settings in YAML [$" CONFIG_VARIABLE ", else " CONFIG_FILE
		" in this folder, if any]",
		offsetof(struct config_options, path), NULL, NULL),
	OPT("no-config", 0, OPT_FLAG, NULL,
		"read no file of settings; variables " VARIABLES "* still count",
		offsetof(struct config_options, is_off), NULL, NULL),
};

/* ---- the file ---- */

static enum status put_file(struct settings *s, const char *path, struct err *e)
{
	struct str text = { 0 };
	enum status st = io_get(path, YAML_BYTES_MAX, &text, e);

	if (st == OK)
		st = setting_yaml_put(s, (struct span){ text.s ? text.s : "", text.n }, path, e);
	str_free(&text);
	return st;
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

/* The variable begins with a section's name, "TRACEQ_DIAGNOSE_", but is none of its keys. */
static bool is_mistaken(const struct settings *s, const char *name, size_t n)
{
	struct str of = { 0 };
	bool in_section = false, is_known = false;
	size_t i;

	for (i = 0; i < s->nrow && !is_known; i++) {
		const char *key = s->row[i]->key;

		variable_of(&of, key);
		is_known = of.n == n && memcmp(of.s, name, n) == 0;
		if (!strchr(key, '.'))
			continue;
		of.n = sizeof(VARIABLES) - 1 + strcspn(key, ".") + 1;
		in_section |= of.n <= n && memcmp(of.s, name, of.n) == 0;
	}
	str_free(&of);
	return in_section && !is_known;
}

static enum status refuse_mistaken(const struct settings *s, struct err *e)
{
	char **p;

	for (p = environ; p && *p; p++) {
		size_t n = strcspn(*p, "=");

		if (strncmp(*p, VARIABLES, sizeof(VARIABLES) - 1) != 0 || !is_mistaken(s, *p, n))
			continue;
		(void)err_set(e, E_USAGE, -1, "%.*s: no setting is called so", (int)n, *p);
		return err_hint(e, "'traceq config' lists all of them");
	}
	return OK;
}

static enum status put_environment(struct settings *s, struct err *e)
{
	struct str name = { 0 };
	enum status st = OK;
	size_t i;

	for (i = 0; i < s->nrow && st == OK; i++) {
		const char *value;

		if (strchr(s->row[i]->key, '*'))
			continue;
		variable_of(&name, s->row[i]->key);
		value = getenv(name.s);
		if (value)
			st = put_variable(s, name.s, s->row[i]->key, value, e);
	}
	str_free(&name);
	return st == OK ? refuse_mistaken(s, e) : st;
}

/* ---- both ---- */

/* Adds a row, once: some settings are several analyses'. */
static void add_row(const struct setting ***row, size_t *n, size_t *cap, const struct setting *one)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if ((*row)[i] == one)
			return;
	*row = array_grow(*row, cap, *n + 1, sizeof(**row));
	(*row)[(*n)++] = one;
}

/* Every row that any analysis has; *n receives how many.  Freed by the caller. */
static const struct setting **all_rows(size_t *n)
{
	size_t i, k, nanalysis, cap = 0;
	const struct analysis *const *all = analysis_all(&nanalysis);
	const struct setting **row = NULL, *one;

	*n = 0;
	for (k = 0; (one = query_setting(k)); k++)
		add_row(&row, n, &cap, one);
	for (i = 0; i < nanalysis; i++)
		for (k = 0; all[i]->options.setting && (one = all[i]->options.setting(k)); k++)
			add_row(&row, n, &cap, one);
	return row;
}

enum status config_read(struct config *c, const struct config_options *o, struct err *e)
{
	const char *path;
	size_t n;

	*c = (struct config){ .row = all_rows(&n) };
	settings_init(&c->settings, c->row, n);
	if (o->is_off && o->path)
		return err_set(e, E_USAGE, -1, "--config and --no-config contradict each other");
	path = choose_file(c, o);
	if (path)
		TRY(put_file(&c->settings, path, e));
	return put_environment(&c->settings, e);
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
