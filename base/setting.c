/*
 * Settings: keys found word by word, so that a wrong one is named; layers of values.
 */
#include "base/setting.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/opt.h"

enum { WORDS_MAX = 16, NEAR_MAX = 256 };

static const char built_in[] = "built-in";

/* The n bytes of a row's word are that word, or a *. */
static bool is_word(const char *p, size_t n, const char *word)
{
	return (n == 1 && *p == '*') || (strlen(word) == n && memcmp(p, word, n) == 0);
}

/* How many of the words the key begins with; *rest: what is behind them, "" for nothing. */
static size_t common_words(
	const char *key, const char *const *word, size_t nword, const char **rest)
{
	size_t i;

	for (i = 0; i < nword && *key; i++) {
		size_t n = strcspn(key, ".");

		if (!is_word(key, n, word[i]))
			break;
		key += n + (key[n] == '.');
	}
	*rest = key;
	return i;
}

/* "diagnose.G10" of the first n words. */
static const char *joined(struct arena *mem, const char *const *word, size_t n)
{
	const char *text = "";
	size_t i;

	for (i = 0; i < n; i++) {
		const char *quote = strpbrk(word[i], ". \"") ? "\"" : "";

		text = arena_printf(mem, "%s%s%s%s%s", text, i ? "." : "", quote, word[i], quote);
	}
	return text;
}

/* Says that word `at` is unknown, and which known one is near. */
static void say_unknown(const struct settings *s, const char *const *word, size_t at, struct err *e)
{
	struct arena mem;
	const char *near[NEAR_MAX];
	const char *nearest, *group;
	size_t i, n = 0;

	arena_init(&mem);
	for (i = 0; i < s->nrow && n < NEAR_MAX; i++) {
		const char *rest;

		if (common_words(s->row[i]->key, word, at, &rest) == at && *rest && *rest != '*')
			near[n++] = arena_copy(&mem, rest, strcspn(rest, "."));
	}
	nearest = opt_nearest(word[at], near, n);
	group = joined(&mem, word, at);
	(void)err_set(e, E_USAGE, -1, "unknown key '%s'%s%s%s%s%s", word[at], at ? " in " : "",
		group, nearest ? "; did you mean '" : "", nearest ? nearest : "",
		nearest ? "'?" : "");
	arena_clear(&mem);
}

const struct setting *settings_row(
	const struct settings *s, const char *const *word, size_t nword, size_t *bad, struct err *e)
{
	size_t i, most = 0;
	bool is_group = false, is_value = false;

	for (i = 0; i < s->nrow; i++) {
		const char *rest;
		size_t n = common_words(s->row[i]->key, word, nword, &rest);

		if (n == nword && !*rest)
			return s->row[i];
		if (n < most)
			continue;
		is_group = n == nword;
		is_value = n > most ? !*rest : is_value || !*rest;
		most = n;
	}
	*bad = most;
	if (is_group) {
		(void)err_set(e, E_USAGE, -1, "'%s' is a group of keys, not a value",
			nword ? word[nword - 1] : "");
	} else if (is_value && most > 0) {
		(void)err_set(e, E_USAGE, -1, "unknown key '%s': '%s' is a value and has no keys",
			word[most], word[most - 1]);
	} else {
		assert(most < nword); /* or it were a group */
		say_unknown(s, word, most, e);
	}
	return NULL;
}

/* ---- values ---- */

static struct setting_value *find(const struct settings *s, const char *key)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (strcmp(s->v[i].key, key) == 0)
			return &s->v[i];
	return NULL;
}

static struct setting_value *add_value(struct settings *s)
{
	s->v = array_grow(s->v, &s->cap, s->n + 1, sizeof(*s->v));
	return &s->v[s->n++];
}

void settings_init(struct settings *s, const struct setting *const *row, size_t nrow)
{
	struct err e;
	size_t i;

	const struct setting **rows;

	*s = (struct settings){ .nrow = nrow };
	arena_init(&s->mem);
	s->row = rows = arena_array(&s->mem, nrow, sizeof(*rows));
	for (i = 0; i < nrow; i++)
		rows[i] = row[i];
	for (i = 0; i < nrow; i++) {
		struct setting_value v = {
			.setting = row[i],
			.key = row[i]->key,
			.text = row[i]->preset,
			.origin = built_in,
		};
		enum status st;

		if (strchr(row[i]->key, '*'))
			continue;
		st = setting_parse(row[i], row[i]->preset, &v, &e);
		assert(st == OK);
		(void)st;
		*add_value(s) = v;
	}
}

void settings_clear(struct settings *s)
{
	free(s->v);
	arena_clear(&s->mem);
	*s = (struct settings){ 0 };
}

void settings_copy(struct settings *s, const struct settings *from)
{
	size_t i;

	*s = (struct settings){ .row = from->row, .nrow = from->nrow };
	arena_init(&s->mem);
	for (i = 0; i < from->n; i++) {
		struct setting_value v = from->v[i];

		v.key = arena_copy(&s->mem, v.key, strlen(v.key));
		v.text = arena_copy(&s->mem, v.text, strlen(v.text));
		v.origin = arena_copy(&s->mem, v.origin, strlen(v.origin));
		*add_value(s) = v;
	}
}

enum status settings_put(struct settings *s, const struct setting *row, const char *const *word,
	size_t nword, const char *text, const char *origin, struct err *e)
{
	const char *key = joined(&s->mem, word, nword);
	struct setting_value v = { .setting = row, .key = key }, *old;

	TRY(setting_parse(row, text, &v, e));
	v.text = arena_copy(&s->mem, text, strlen(text));
	v.origin = arena_copy(&s->mem, origin, strlen(origin));
	old = find(s, key);
	*(old ? old : add_value(s)) = v;
	return OK;
}

enum status settings_set(
	struct settings *s, const char *key, const char *text, const char *origin, struct err *e)
{
	char *copy = arena_copy(&s->mem, key, strlen(key)), *p = copy;
	const char *word[WORDS_MAX];
	const struct setting *row;
	size_t n = 0, bad;

	while (p && n < WORDS_MAX) {
		char *end = strchr(p, '.');

		word[n++] = p;
		if (end)
			*end = '\0';
		p = end ? end + 1 : NULL;
	}
	row = settings_row(s, word, n, &bad, e);
	return row ? settings_put(s, row, word, n, text, origin, e) : E_USAGE;
}

const struct setting_value *settings_get(const struct settings *s, const char *key)
{
	return find(s, key);
}

enum status setting_number(
	const char *key, enum setting_type type, const char *text, double *v, struct err *e)
{
	const struct setting row = { key, type, "", NULL, "" };
	struct setting_value value;

	TRY(setting_parse(&row, text, &value, e));
	*v = value.r;
	return OK;
}
