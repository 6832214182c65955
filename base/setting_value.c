/*
 * Settings: a text to the value its type wants, exactly.
 */
#include <string.h>

#include "base/compiler.h"
#include "base/setting.h"

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
	const struct suffix *s;
	struct decimal d;
	const char *rest = parse_decimal(text, &d);
	bool is_bare;

	if (!rest)
		return wrong(row, text, want, e);
	s = find_suffix(rest, of, &is_bare);
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
	const char *p = row->choices;
	size_t n;

	for (v->i = 0; p; v->i++) {
		n = strcspn(p, "|");
		if (strlen(text) == n && memcmp(p, text, n) == 0) {
			v->r = (double)v->i;
			return OK;
		}
		p = p[n] ? p + n + 1 : NULL;
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
