/*
 * Command lines to be pasted.
 */
#include "cmd/pasted.h"

#include <string.h>

#include "base/compiler.h"
#include "base/utf8.h"

/* By their long names: they change how fast, and what is said beside. */
static const char *const idle[] = { "threads", "quiet", "no-pager" };

static bool is_idle(const struct opt *o)
{
	size_t i;

	for (i = 0; o && i < COUNT_OF(idle); i++)
		if (o->name && strcmp(o->name, idle[i]) == 0)
			return true;
	return false;
}

/* The option of a letter, or of a long name of n bytes; NULL: none. */
static const struct opt *find(
	const struct opt_group *group, size_t ngroup, char letter, const char *name, size_t n)
{
	size_t i, k;

	for (i = 0; i < ngroup; i++) {
		for (k = 0; k < group[i].n; k++) {
			const struct opt *o = &group[i].opt[k];

			if (letter && o->letter == letter)
				return o;
			if (name && o->name && strlen(o->name) == n &&
				strncmp(o->name, name, n) == 0)
				return o;
			if (name && o->alias && strlen(o->alias) == n &&
				strncmp(o->alias, name, n) == 0)
				return o;
		}
	}
	return NULL;
}

static bool takes_value(const struct opt *o)
{
	return o && o->type != OPT_FLAG;
}

static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_@%+=:,./-";

	return *word && strspn(word, plain) == strlen(word);
}

/* Whether a document can show it as it is. */
static bool is_shown(const char *word)
{
	const char *p = word, *end = word + strlen(word);

	while (p < end) {
		const char *begin = p;
		uint32_t c = utf8_next(&p, end);
		struct str b = { 0 };
		bool is_same;

		utf8_put(&b, c);
		is_same = b.n == (size_t)(p - begin) && memcmp(b.s, begin, b.n) == 0;
		str_free(&b);
		if (is_unsafe(c) || !is_same)
			return false;
	}
	return true;
}

void pasted_word(struct str *b, const char *word)
{
	bool is_coded = !is_shown(word);

	if (is_plain(word)) {
		str_adds(b, word);
		return;
	}
	str_adds(b, is_coded ? "$'" : "'");
	for (; *word; word++) {
		unsigned char c = (unsigned char)*word;

		if (is_coded && (c < ' ' || c > '~'))
			str_addf(b, "\\x%02x", c); /* lint: allow text: for bash */
		else if (is_coded && (c == '\'' || c == '\\'))
			str_addf(b, "\\%c", c);
		else if (c == '\'')
			str_adds(b, "'\\''");
		else
			str_addc(b, *word);
	}
	str_addc(b, '\'');
}

static void put_word(struct str *b, const char *word)
{
	str_addc(b, ' ');
	pasted_word(b, word);
}

/* "-qj4": the letters that matter.  Returns how many words it takes. */
static int put_letters(struct str *b, const struct opt_group *group, size_t ngroup, char **argv)
{
	struct str kept = { 0 };
	const char *p, *value = NULL;
	int n = 1;

	str_addc(&kept, '-');
	for (p = argv[0] + 1; *p; p++) {
		const struct opt *o = find(group, ngroup, *p, NULL, 0);

		if (!is_idle(o))
			str_addc(&kept, *p);
		if (!takes_value(o))
			continue;
		n = p[1] ? 1 : 2;
		if (!is_idle(o)) {
			str_adds(&kept, p + 1);
			value = n == 2 ? argv[1] : NULL;
		}
		break;
	}
	if (kept.n > 1)
		put_word(b, kept.s);
	if (value)
		put_word(b, value);
	str_free(&kept);
	return n;
}

static int put_long(struct str *b, const struct opt_group *group, size_t ngroup, char **argv)
{
	const char *name = argv[0] + 2;
	size_t n = strcspn(name, "=");
	const struct opt *o = find(group, ngroup, 0, name, n);
	int words;

	if (!o && n > 3 && strncmp(name, "no-", 3) == 0)
		o = find(group, ngroup, 0, name + 3, n - 3);
	words = takes_value(o) && !name[n] ? 2 : 1;
	if (is_idle(o))
		return words;
	put_word(b, argv[0]);
	if (words == 2)
		put_word(b, argv[1]);
	return words;
}

void pasted_command(
	struct str *b, const struct opt_group *group, size_t ngroup, int argc, char **argv)
{
	int i = 1;

	str_adds(b, "traceq");
	if (argc > 0)
		put_word(b, argv[0]);
	while (i < argc) {
		if (strcmp(argv[i], "--") == 0) {
			for (; i < argc; i++)
				put_word(b, argv[i]);
		} else if (strncmp(argv[i], "--", 2) == 0) {
			i += put_long(b, group, ngroup, argv + i);
		} else if (argv[i][0] == '-' && argv[i][1]) {
			i += put_letters(b, group, ngroup, argv + i);
		} else {
			put_word(b, argv[i++]);
		}
	}
}
