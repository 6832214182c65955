/*
 * Completion for fish.
 */
#include "base/str.h"
#include "cmd/command.h"
#include "cmd/help/completion.h"

/* Text between single quotes: fish knows \' and \\ there. */
static void add_text(struct str *out, const char *s)
{
	for (; *s; s++) {
		if (*s == '\'' || *s == '\\')
			str_addc(out, '\\');
		str_addc(out, *s);
	}
}

static void add_option(struct str *out, const char *verb, const struct opt *o)
{
	str_addf(out, "complete -c traceq -n '__fish_seen_subcommand_from %s'", verb);
	if (o->letter)
		str_addf(out, " -s %c", o->letter);
	if (o->name)
		str_addf(out, " -l %s", o->name);
	if (o->type != OPT_FLAG)
		str_adds(out, completion_wants_file(o) ? " -r" : " -x");
	if (o->type != OPT_FLAG && o->choices) {
		str_adds(out, " -a '");
		completion_words(out, o->choices);
		str_addc(out, '\'');
	}
	str_adds(out, " -d '");
	add_text(out, o->help);
	str_adds(out, "'\n");
}

static void add_verb(struct str *out, const struct verb *v)
{
	struct str words = { 0 };
	size_t g, i;

	for (g = 0; g < v->ngroup; g++)
		for (i = 0; i < v->group[g].n; i++)
			add_option(out, v->name, &v->group[g].opt[i]);
	if (!v->words)
		return;
	v->words(&words);
	str_addf(out, "complete -c traceq -n '__fish_seen_subcommand_from %s' -f -a '", v->name);
	completion_words(out, words.s);
	str_adds(out, "'\n");
	str_free(&words);
}

void completion_fish(struct str *out)
{
	size_t i, n = verb_count();
	struct verb v;

	str_adds(out, "# fish completion for traceq; made by: traceq completion fish\n");
	for (i = 0; i < n; i++) {
		verb_get(i, &v);
		str_addf(out, "complete -c traceq -n __fish_use_subcommand -f -a %s -d '", v.name);
		add_text(out, v.summary);
		str_adds(out, "'\n");
	}
	str_adds(out,
		"complete -c traceq -n __fish_use_subcommand -f -l version -d 'print the version'\n"
		"complete -c traceq -n __fish_use_subcommand -f -l help -d 'list the commands'\n");
	for (i = 0; i < n; i++) {
		verb_get(i, &v);
		add_verb(out, &v);
	}
}
