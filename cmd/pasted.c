/* Command lines to be pasted. */
#include "cmd/pasted.h"

#include "base/shell.h"

/* By their long names: they change how fast, and what is said beside. */
static const char *const idle[] = { "threads", "quiet", "no-pager" };

/* The line as it grows, and what it may have. */
struct pasted {
	struct str *to;
	const struct opt_group *group;
	size_t ngroup;
	const char *const *beside;
};

static bool is_idle(const struct pasted *p, const struct opt *o)
{
	if (!o || !o->name)
		return false;
	for (size_t i = 0; p->beside && p->beside[i]; i++)
		if (strcmp(o->name, p->beside[i]) == 0)
			return true;
	return ANY(i, COUNT_OF(idle), strcmp(o->name, idle[i]) == 0);
}

/* The option of a letter, or of a long name of n bytes; NULL: none. */
static const struct opt *find(const struct pasted *p, char letter, const char *name, size_t n)
{
	for (EACH(const struct opt_group, g, p->group, p->ngroup)) {
		for (EACH(const struct opt, o, g->opt, g->n)) {
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

static void put_word(const struct pasted *p, const char *word)
{
	str_addc(p->to, ' ');
	shell_word(p->to, word);
}

/* "-qj4": the letters that matter.  Returns how many words it takes. */
static int put_letters(const struct pasted *pasted, char **argv)
{
	SCOPED_STR kept = { 0 };
	const char *value = NULL;
	int n = 1;

	str_addc(&kept, '-');
	for (const char *p = argv[0] + 1; *p; p++) {
		const struct opt *o = find(pasted, *p, NULL, 0);

		if (!is_idle(pasted, o))
			str_addc(&kept, *p);
		if (!takes_value(o))
			continue;
		n = p[1] ? 1 : 2;
		if (!is_idle(pasted, o)) {
			str_adds(&kept, p + 1);
			value = n == 2 ? argv[1] : NULL;
		}
		break;
	}
	if (kept.n > 1)
		put_word(pasted, kept.s);
	if (value)
		put_word(pasted, value);
	return n;
}

static int put_long(const struct pasted *p, char **argv)
{
	const char *name = argv[0] + 2;
	size_t n = strcspn(name, "=");
	const struct opt *o = find(p, 0, name, n);

	if (!o && n > 3 && strncmp(name, "no-", 3) == 0)
		o = find(p, 0, name + 3, n - 3);
	int words = takes_value(o) && !name[n] ? 2 : 1;
	if (is_idle(p, o))
		return words;
	put_word(p, argv[0]);
	if (words == 2)
		put_word(p, argv[1]);
	return words;
}

void pasted_command(struct str *b, const struct opt_group *group, size_t ngroup, int argc,
	char **argv, const char *const *beside)
{
	const struct pasted p = { b, group, ngroup, beside };
	int i = 1;

	str_adds(b, "traceq");
	if (argc > 0)
		put_word(&p, argv[0]);
	while (i < argc) {
		if (strcmp(argv[i], "--") == 0) {
			for (; i < argc; i++)
				put_word(&p, argv[i]);
		} else if (strncmp(argv[i], "--", 2) == 0) {
			i += put_long(&p, argv + i);
		} else if (argv[i][0] == '-' && argv[i][1]) {
			i += put_letters(&p, argv + i);
		} else {
			put_word(&p, argv[i++]);
		}
	}
}
