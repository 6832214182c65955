/* Command lines by table.
 *
 * Not getopt_long: it takes any unique prefix for an option and cannot be told not to, so a script
 * that says --lim would break on the day a second --lim... is added; it also keeps global state and
 * prints by itself, where here a caller gets an err with the nearest name in it.  Grammar as GNU's
 * otherwise: options anywhere, letters may be bundled, an option that wants a value takes the next
 * word whatever it looks like (so -5 and - can be values), "-" alone is an operand, "--" ends. */
#include "base/opt.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <strings.h>

enum { WORDS_MAX = 512, WORD_BYTES = 64 };

/* The parse as it goes. */
struct parse {
	const struct opt_group *group;
	size_t ngroup;
	int argc, at; /* at: the next word to look at */
	char **argv;
	const char **operand;
	size_t noperand, operand_cap;
	struct err *e;
};

/* An option that was recognised: how the user spelled it, and whether as --no-... */
struct hit {
	const struct opt *opt;
	void *into;
	bool is_no;
	struct span spelled; /* "--limit" or "-n", for messages */
};

/* How near b is to what was typed as a; the start of a longer word counts as one slip, as does
 * case. */
static size_t nearness(const char *a, const char *b)
{
	size_t n = strlen(a);

	return (n >= 2 && strncmp(a, b, n) == 0) || strcasecmp(a, b) == 0 ? 1 : str_distance(a, b);
}

const char *opt_nearest(const char *word, const char *const *words, size_t n)
{
	const char *best = NULL;
	size_t len = strlen(word);
	size_t limit = len < 6 ? 1 : len / 3, best_distance = limit + 1;

	for (size_t i = 0; i < n; i++) {
		size_t d = nearness(word, words[i]);

		if (d < best_distance && d < len) {
			best_distance = d;
			best = words[i];
		}
	}
	return best;
}

struct opt_mean opt_mean(const char *near, const char *otherwise)
{
	struct opt_mean m;

	(void)snprintf(
		m.s, sizeof(m.s), near ? "; did you mean '%s'?" : "%s", near ? near : otherwise);
	return m;
}

static bool has_name(const struct opt *o, struct span name)
{
	return (o->name && span_is(name, o->name)) || (o->alias && span_is(name, o->alias));
}

/* The option of that long name (without dashes), also as no-NAME of a flag. */
static bool find_long(const struct parse *p, struct span name, struct hit *hit)
{
	struct span positive = name;

	if (span_starts(name, "no-"))
		positive = (struct span){ name.p + 3, name.n - 3 };
	for (EACH(const struct opt_group, group, p->group, p->ngroup))
		for (EACH(const struct opt, o, group->opt, group->n)) {
			bool is_plain = has_name(o, name);

			if (!is_plain &&
				!(o->type == OPT_FLAG && positive.n != name.n &&
					has_name(o, positive)))
				continue;
			hit->opt = o;
			hit->into = group->into;
			hit->is_no = !is_plain;
			return true;
		}
	return false;
}

static bool find_letter(const struct parse *p, char letter, struct hit *hit)
{
	for (EACH(const struct opt_group, group, p->group, p->ngroup))
		for (size_t i = 0; i < group->n; i++)
			if (group->opt[i].letter == letter) {
				hit->opt = &group->opt[i];
				hit->into = group->into;
				hit->is_no = false;
				return true;
			}
	return false;
}

/* Where the option's value lives. */
static void *slot(const struct hit *hit)
{
	assert(hit->into);
	return (char *)hit->into + hit->opt->offset;
}

/* The option that has this among its choices: --csv is --format csv; NULL: none. */
static const struct opt *choosing(const struct parse *p, struct span word)
{
	for (EACH(const struct opt_group, group, p->group, p->ngroup))
		for (EACH(const struct opt, o, group->opt, group->n))
			if (o->name && o->choices && word.n && span_in(word, o->choices))
				return o;
	return NULL;
}

/* "unknown option '--srot'; did you mean '--sort'?" */
static enum status unknown_long(struct parse *p, struct span name)
{
	const char *words[WORDS_MAX];
	char typed[WORD_BYTES];
	const char *near = NULL;
	size_t n = 0;

	for (EACH(const struct opt_group, group, p->group, p->ngroup))
		for (EACH(const struct opt, o, group->opt, group->n)) {
			if (o->name && n < WORDS_MAX)
				words[n++] = o->name;
			if (o->alias && n < WORDS_MAX)
				words[n++] = o->alias;
		}
	if (name.n < sizeof(typed)) {
		memcpy(typed, name.p, name.n);
		typed[name.n] = '\0';
		near = opt_nearest(typed, words, n);
	}
	if (near)
		return err_set(p->e, E_USAGE, -1, "unknown option '--%.*s'; did you mean '--%s'?",
			(int)name.n, name.p, near);
	const struct opt *of = choosing(p, name);
	if (of)
		return err_set(p->e, E_USAGE, -1,
			"unknown option '--%.*s'; did you mean '--%s %.*s'?", (int)name.n, name.p,
			of->name, (int)name.n, name.p);
	return err_set(p->e, E_USAGE, -1, "unknown option '--%.*s'", (int)name.n, name.p);
}

static enum status set_int(struct parse *p, const struct hit *hit, const char *value)
{
	char *end;
	long long v;

	errno = 0;
	v = strtoll(value, &end, 10);
	if (end == value || *end != '\0' || value[0] == ' ')
		return err_set(p->e, E_USAGE, -1, "option '%.*s' wants a whole number, not '%s'",
			(int)hit->spelled.n, hit->spelled.p, value);
	if (errno == ERANGE)
		return err_set(p->e, E_USAGE, -1, "option '%.*s': '%s' is out of range",
			(int)hit->spelled.n, hit->spelled.p, value);
	if (v < 0) /* all of them count something; what is not given is negative inside */
		return err_set(p->e, E_USAGE, -1, "option '%.*s' wants 0 or more, not '%s'",
			(int)hit->spelled.n, hit->spelled.p, value);
	*(int64_t *)slot(hit) = v;
	return OK;
}

int opt_which(const char *choices, const char *word)
{
	struct span choice;

	for (int i = 0; word && span_words(&choices, &choice); i++)
		if (span_is(choice, word))
			return i;
	return 0;
}

/* Cuts "a|b|c" into words held in buf; returns how many. */
static size_t split_choices(
	const char *choices, char *buf, size_t size, const char **words, size_t max)
{
	size_t n = 0;
	char *rest;

	(void)snprintf(buf, size, "%s", choices);
	for (char *s = buf; s && n < max; s = rest) {
		rest = strchr(s, '|');
		if (rest)
			*rest++ = '\0';
		words[n++] = s;
	}
	return n;
}

static enum status set_choice(struct parse *p, const struct hit *hit, const char *value)
{
	enum { CHOICES_BYTES = 1024, CHOICES_MAX = 64 };
	char buf[CHOICES_BYTES];
	const char *words[CHOICES_MAX], *near;
	size_t n = split_choices(hit->opt->choices, buf, sizeof(buf), words, CHOICES_MAX);
	SCOPED_STR known = { 0 };

	for (size_t i = 0; i < n; i++)
		if (strcmp(words[i], value) == 0) {
			*(const char **)slot(hit) = value;
			return OK;
		}
	near = opt_nearest(value, words, n);
	(void)err_set(p->e, E_USAGE, -1, "option '%.*s': unknown %s '%s'%s", (int)hit->spelled.n,
		hit->spelled.p, hit->opt->arg, value, opt_mean(near, "").s);
	if (near)
		return E_USAGE;
	for (size_t i = 0; i < n; i++)
		str_addf(&known, "%s%s", i ? ", " : "", words[i]);
	return err_hint(p->e, "known are: %s", known.s);
}

static enum status set_value(struct parse *p, const struct hit *hit, const char *value)
{
	struct opt_list *list;
	size_t cap;

	switch (hit->opt->type) {
	case OPT_FLAG: *(bool *)slot(hit) = !hit->is_no; return OK;
	case OPT_INT: return set_int(p, hit, value);
	case OPT_CHOICE: return set_choice(p, hit, value);
	case OPT_TEXT: *(const char **)slot(hit) = value; return OK;
	case OPT_LIST:
		list = slot(hit);
		cap = list->n;
		PUSH(list->v, list->n, cap, value);
		return OK;
	}
	return OK;
}

/* The value of an option that wants one: what is attached to it, else the next word. */
static enum status take_value(struct parse *p, const struct hit *hit, const char *attached)
{
	if (!attached) {
		if (p->at >= p->argc)
			return err_set(p->e, E_USAGE, -1, "option '%.*s' needs a value: %s",
				(int)hit->spelled.n, hit->spelled.p, hit->opt->arg);
		attached = p->argv[p->at++];
	}
	return set_value(p, hit, attached);
}

/* word: "--name" or "--name=value" */
static enum status parse_long(struct parse *p, const char *word)
{
	const char *equals = strchr(word, '=');
	size_t n = equals ? (size_t)(equals - word) : strlen(word);
	struct hit hit = { .spelled = (struct span){ word, n } };

	if (!find_long(p, (struct span){ word + 2, n - 2 }, &hit))
		return unknown_long(p, (struct span){ word + 2, n - 2 });
	if (hit.opt->type != OPT_FLAG)
		return take_value(p, &hit, equals ? equals + 1 : NULL);
	if (equals)
		return err_set(p->e, E_USAGE, -1, "option '%.*s' takes no value", (int)n, word);
	return set_value(p, &hit, NULL);
}

/* word: "-q", "-n5", "-qn5" */
static enum status parse_letters(struct parse *p, const char *word)
{
	for (const char *s = word + 1; *s; s++) {
		char spelled[3] = { '-', *s, '\0' };
		struct hit hit = { 0 };

		if (!find_letter(p, *s, &hit))
			return err_set(p->e, E_USAGE, -1, "unknown option '-%c'%s%s%s", *s,
				s > word + 1 || s[1] ? " in '" : "",
				s > word + 1 || s[1] ? word : "", s > word + 1 || s[1] ? "'" : "");
		hit.spelled = (struct span){ spelled, 2 };
		if (hit.opt->type != OPT_FLAG)
			return take_value(p, &hit, s[1] ? s + 1 : NULL);
		TRY(set_value(p, &hit, NULL));
	}
	return OK;
}

static void add_operand(struct parse *p, const char *word)
{
	PUSH(p->operand, p->noperand, p->operand_cap, word);
}

enum status opt_parse(const struct opt_group *group, size_t ngroup, int argc, char **argv,
	const char ***operand, size_t *noperand, struct err *e)
{
	struct parse p = {
		.group = group, .ngroup = ngroup, .argc = argc, .at = 1, .argv = argv, .e = e
	};
	bool is_over = false;
	enum status st = OK;

	while (st == OK && p.at < argc) {
		const char *word = argv[p.at++];

		if (is_over || word[0] != '-' || word[1] == '\0')
			add_operand(&p, word);
		else if (strcmp(word, "--") == 0)
			is_over = true;
		else if (word[1] == '-')
			st = parse_long(&p, word);
		else
			st = parse_letters(&p, word);
	}
	*operand = p.operand;
	*noperand = p.noperand;
	return st;
}

/* By its long name and no other. */
static bool find_named(const struct parse *p, const char *name, struct hit *hit)
{
	for (EACH(const struct opt_group, group, p->group, p->ngroup))
		for (EACH(const struct opt, o, group->opt, group->n)) {
			if (!o->name || strcmp(o->name, name) != 0)
				continue;
			*hit = (struct hit){ .opt = o, .into = group->into };
			return true;
		}
	return false;
}

static enum status take_one(struct parse *p, const struct opt_value *v)
{
	char spelled[WORD_BYTES];
	struct hit hit;

	if (!find_named(p, v->name, &hit))
		return unknown_long(p, span_of(v->name));
	(void)snprintf(spelled, sizeof(spelled), "--%s", v->name);
	hit.spelled = span_of(spelled);
	hit.is_no = v->is_off;
	if ((hit.opt->type == OPT_FLAG) != (v->text == NULL))
		return err_set(p->e, E_USAGE, -1, "option '%s' %s", spelled,
			v->text ? "takes no value" : "needs a value");
	return set_value(p, &hit, v->text);
}

enum status opt_take(const struct opt_group *group, size_t ngroup, const struct opt_given *given,
	const char ***operand, size_t *noperand, struct err *e)
{
	struct parse p = { .group = group, .ngroup = ngroup, .e = e };
	enum status st = OK;

	for (size_t i = 0; i < given->nvalue && st == OK; i++)
		st = take_one(&p, &given->value[i]);
	for (size_t i = 0; i < given->noperand; i++)
		add_operand(&p, given->operand[i]);
	*operand = p.operand;
	*noperand = p.noperand;
	return st;
}

void opt_free_lists(const struct opt_group *group, size_t ngroup)
{
	for (EACH(const struct opt_group, og, group, ngroup))
		for (size_t i = 0; i < og->n; i++) {
			const struct hit hit = { .opt = &og->opt[i], .into = og->into };

			if (hit.opt->type != OPT_LIST)
				continue;
			struct opt_list *list = slot(&hit);
			free(list->v);
			*list = (struct opt_list){ 0 };
		}
}
