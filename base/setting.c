/* Settings: keys found word by word, so that a wrong one is named; layers of values. */
#include "base/setting.h"

#include <assert.h>

#include "base/opt.h"
#include "base/yaml.h"

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

	for (size_t i = 0; i < n; i++) {
		const char *quote = strpbrk(word[i], ". \"") ? "\"" : "";

		text = arena_printf(mem, "%s%s%s%s%s", text, i ? "." : "", quote, word[i], quote);
	}
	return text;
}

/* Says that word `at` is unknown, and which known one is near. */
static void say_unknown(const struct settings *s, const char *const *word, size_t at, struct err *e)
{
	SCOPED_ARENA mem = { 0 };
	const char *near[NEAR_MAX];
	size_t n = 0;

	for (size_t i = 0; i < s->nrow && n < NEAR_MAX; i++) {
		const char *rest;

		if (common_words(s->row[i]->key, word, at, &rest) == at && *rest && *rest != '*')
			near[n++] = arena_copy(&mem, rest, strcspn(rest, "."));
	}
	(void)err_set(e, E_USAGE, -1, "unknown key '%s'%s%s%s", word[at], at ? " in " : "",
		joined(&mem, word, at), opt_mean(opt_nearest(word[at], near, n), "").s);
}

/* The row of a key given as its words, or NULL with *bad = index of the word that is wrong and a
 * text with a did-you-mean in e (E_USAGE).  *bad is nword where words are missing. */
static const struct setting *settings_row(
	const struct settings *s, const char *const *word, size_t nword, size_t *bad, struct err *e)
{
	size_t most = 0;
	bool is_group = false, is_value = false;

	for (size_t i = 0; i < s->nrow; i++) {
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
	return FIND(i, s->v, s->n, strcmp(s->v[i].key, key) == 0);
}

void settings_init(struct settings *s, const struct setting *const *row, size_t nrow)
{
	const struct setting **rows;
	struct err e;

	*s = (struct settings){ .nrow = nrow };
	s->row = rows = arena_array(&s->mem, nrow, sizeof(*rows));
	for (size_t i = 0; i < nrow; i++)
		rows[i] = row[i];
	for (size_t i = 0; i < nrow; i++) {
		struct setting_value v = {
			.setting = row[i],
			.key = row[i]->key,
			.text = row[i]->preset,
			.origin = built_in,
		};

		if (strchr(row[i]->key, '*'))
			continue;
		enum status st = setting_parse(row[i], row[i]->preset, &v, &e);
		assert(st == OK);
		(void)st;
		PUSH(s->v, s->n, s->cap, v);
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
	*s = (struct settings){ .row = from->row, .nrow = from->nrow };
	for (size_t i = 0; i < from->n; i++) {
		struct setting_value v = from->v[i];

		v.key = arena_copy(&s->mem, v.key, strlen(v.key));
		v.text = arena_copy(&s->mem, v.text, strlen(v.text));
		v.origin = arena_copy(&s->mem, v.origin, strlen(v.origin));
		PUSH(s->v, s->n, s->cap, v);
	}
}

/* Sets the key (nword words, of row `row`) to what text says; origin is copied.  E_USAGE with what
 * is wrong with the text.  The value is then as before. */
static enum status settings_put(struct settings *s, const struct setting *row,
	const char *const *word, size_t nword, const char *text, const char *origin, struct err *e)
{
	const char *key = joined(&s->mem, word, nword);
	struct setting_value v = { .setting = row, .key = key }, *old;

	TRY(setting_parse(row, text, &v, e));
	v.text = arena_copy(&s->mem, text, strlen(text));
	v.origin = arena_copy(&s->mem, origin, strlen(origin));
	old = find(s, key);
	if (old)
		*old = v;
	else
		PUSH(s->v, s->n, s->cap, v);
	return OK;
}

enum status settings_set(
	struct settings *s, const char *key, const char *text, const char *origin, struct err *e)
{
	char *copy = arena_copy(&s->mem, key, strlen(key)), *p = copy;
	const char *word[WORDS_MAX];
	size_t n = 0, bad;

	while (p && n < WORDS_MAX) {
		char *end = strchr(p, '.');

		word[n++] = p;
		if (end)
			*end = '\0';
		p = end ? end + 1 : NULL;
	}
	const struct setting *row = settings_row(s, word, n, &bad, e);
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

/* Settings from a document: every key must be known, every value parse; a mistake is named with its
 * place. */

static enum status put_item(
	struct settings *s, const struct yaml_item *item, const char *name, struct err *e)
{
	const char *word[YAML_DEPTH_MAX];
	struct str origin = { 0 };
	struct err why;
	size_t bad;

	for (size_t i = 0; i < item->nkey; i++)
		word[i] = item->key[i].text;
	const struct setting *row = settings_row(s, word, item->nkey, &bad, &why);
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
	enum status st = settings_put(s, row, word, item->nkey, item->value, origin.s, &why);
	str_free(&origin);
	return st != OK ? yaml_fail(e, st, name, item->at, "%s", why.text) : OK;
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

/* ---- settings: a text to the value its type wants, exactly ---- */

static const char *const type_words[] = {
	[SETTING_RATIO] = "ratio",
	[SETTING_GROWTH] = "ratio",
	[SETTING_NUMBER] = "number",
	[SETTING_COUNT] = "count",
	[SETTING_TIME] = "time",
	[SETTING_BYTES] = "bytes",
	[SETTING_CHOICE] = "choice",
	[SETTING_LIST] = "list",
	[SETTING_TEXT] = "text",
};

const char *setting_type_word(enum setting_type t)
{
	return type_words[t];
}

/* Units by what they multiply: ns, bytes. */
struct suffix {
	const char *word;
	int64_t factor;
};
static const struct suffix times[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
	{ "s", 1000000000 }, { NULL, 0 } };
static const struct suffix sizes[] = { { "B", 1 }, { "KiB", INT64_C(1) << 10 },
	{ "MiB", INT64_C(1) << 20 }, { "GiB", INT64_C(1) << 30 }, { "TiB", INT64_C(1) << 40 },
	{ "kB", 1000 }, { "MB", 1000000 }, { "GB", 1000000000 }, { "TB", INT64_C(1000000000000) },
	{ NULL, 0 } };
static const struct suffix percents[] = { { "%", 1 }, { NULL, 0 } };
static const struct suffix none[] = { { NULL, 0 } };

/* A decimal number: digits x 10^-decimals. */
struct decimal {
	int64_t digits;
	int decimals;
};

enum { DIGITS_MAX = 15 };

/* Digits with at most one point among them, at most 15; the rest of the text, or NULL. */
static const char *parse_decimal(const char *s, struct decimal *d)
{
	int n = 0;
	bool has_point = false;

	*d = (struct decimal){ 0, 0 };
	for (; (*s >= '0' && *s <= '9') || (*s == '.' && !has_point); s++) {
		if (*s == '.') {
			has_point = true;
			continue;
		}
		if (++n > DIGITS_MAX)
			return NULL;
		d->digits = d->digits * 10 + (*s - '0');
		d->decimals += has_point;
	}
	return n > 0 && s[-1] != '.' ? s : NULL;
}

static double real_of(struct decimal d)
{
	double r = (double)d.digits;
	int64_t power = 1;

	while (d.decimals-- > 0)
		power *= 10;
	return r / (double)power;
}

/* The suffix that text is, or NULL; *is_bare: there is none. */
static const struct suffix *find_suffix(const char *text, const struct suffix *of, bool *is_bare)
{
	while (*text == ' ')
		text++;
	*is_bare = !*text;
	for (; of->word; of++)
		if (strcmp(of->word, text) == 0)
			return of;
	return NULL;
}

/* digits x factor / 10^decimals, rounded down; false when it does not fit. */
static bool scale(struct decimal d, int64_t factor, int64_t *out)
{
	while (d.decimals > 0 && factor % 10 == 0) {
		factor /= 10;
		d.decimals--;
	}
	if (mul_overflows(d.digits, factor, out))
		return false;
	while (d.decimals-- > 0)
		*out /= 10;
	return true;
}

static enum status wrong(
	const struct setting *row, const char *text, const char *want, struct err *e)
{
	return err_set(e, E_USAGE, -1, "'%s' is no value for '%s': %s", text, row->key, want);
}

static enum status parse_scaled(const struct setting *row, const char *text,
	const struct suffix *of, const char *want, struct setting_value *v, struct err *e)
{
	struct decimal d;
	const char *rest = parse_decimal(text, &d);
	bool is_bare;

	if (!rest)
		return wrong(row, text, want, e);
	const struct suffix *s = find_suffix(rest, of, &is_bare);
	if (!s && !(is_bare && d.digits == 0)) /* 0 needs no unit */
		return wrong(row, text, want, e);
	if (!scale(d, s ? s->factor : 1, &v->i))
		return wrong(row, text, "it is too large", e);
	v->r = (double)v->i;
	return OK;
}

static enum status parse_ratio(
	const struct setting *row, const char *text, struct setting_value *v, struct err *e)
{
	struct decimal d;
	const char *rest = parse_decimal(text, &d);
	bool is_bare;

	if (!rest || (!find_suffix(rest, percents, &is_bare) && !is_bare))
		return wrong(row, text, "a share such as 5% or 0.05 is wanted", e);
	v->r = real_of(d) / (is_bare ? 1 : 100);
	if (v->r > 1 && (is_bare || row->type == SETTING_RATIO)) {
		if (is_bare && v->r <= 100)
			return err_set(e, E_USAGE, -1,
				"'%s' is no value for '%s': a share is at most 1; did you mean "
				"'%s%%'?",
				text, row->key, text);
		return wrong(row, text,
			is_bare ? "a share such as 5% is wanted" : "a share is at most 100%", e);
	}
	return OK;
}

static enum status parse_plain(const struct setting *row, const char *text, bool is_whole,
	struct setting_value *v, struct err *e)
{
	struct decimal d;
	const char *rest = parse_decimal(text, &d);
	bool is_bare = false;

	if (rest)
		(void)find_suffix(rest, none, &is_bare);
	if (!is_bare || (is_whole && d.decimals > 0))
		return wrong(row, text,
			is_whole ? "a whole number is wanted" : "a number such as 1.5 is wanted",
			e);
	v->r = real_of(d);
	v->i = is_whole ? d.digits : 0;
	return OK;
}

static enum status parse_choice(
	const struct setting *row, const char *text, struct setting_value *v, struct err *e)
{
	const char *choices = row->choices;
	struct span word;

	for (v->i = 0; span_words(&choices, &word); v->i++)
		if (span_is(word, text)) {
			v->r = (double)v->i;
			return OK;
		}
	return err_set(e, E_USAGE, -1, "'%s' is no value for '%s': one of %s is wanted", text,
		row->key, row->choices);
}

enum status setting_parse(
	const struct setting *row, const char *text, struct setting_value *v, struct err *e)
{
	v->i = 0;
	v->r = 0;
	switch (row->type) {
	case SETTING_RATIO:
	case SETTING_GROWTH: return parse_ratio(row, text, v, e);
	case SETTING_NUMBER: return parse_plain(row, text, false, v, e);
	case SETTING_COUNT: return parse_plain(row, text, true, v, e);
	case SETTING_TIME:
		return parse_scaled(
			row, text, times, "a time with its unit is wanted: ns, us, ms or s", v, e);
	case SETTING_BYTES:
		return parse_scaled(row, text, sizes,
			"a size with its unit is wanted: B, KiB, MiB, GiB, kB, MB or GB", v, e);
	case SETTING_CHOICE: return parse_choice(row, text, v, e);
	case SETTING_LIST:
	case SETTING_TEXT: break;
	}
	return OK;
}
