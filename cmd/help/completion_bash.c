/*
 * Completion for bash 4 and later.
 */
#include "base/str.h"
#include "cmd/command.h"
#include "cmd/help/completion.h"

static const char head[] =
	"# bash completion for traceq; made by: traceq completion bash\n"
	"_traceq()\n"
	"{\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	"\tlocal options='' words=''\n"
	"\tCOMPREPLY=()\n"
	"\t# bash cuts --name=value into three words\n"
	"\tif [ \"$cur\" = = ]; then\n"
	"\t\tcur=''\n"
	"\telif [ \"$prev\" = = ]; then\n"
	"\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\tfi\n";

static const char tail[] =
	"\tesac\n"
	"\tcase $cur in\n"
	"\t-*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\") ;;\n"
	"\t*) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\") ;;\n"
	"\tesac\n"
	"}\n"
	"complete -o bashdefault -o default -F _traceq traceq\n";

/* "-n|--limit|--row-limit" */
static void add_pattern(struct str *out, const struct opt *o)
{
	if (o->letter)
		str_addf(out, "-%c", o->letter);
	if (o->name)
		str_addf(out, "%s--%s", o->letter ? "|" : "", o->name);
	if (o->alias)
		str_addf(out, "|--%s", o->alias);
}

/* What follows an option that wants a value. */
static void add_value(struct str *out, const struct opt *o)
{
	if (o->type == OPT_FLAG)
		return;
	str_adds(out, "\t\t");
	add_pattern(out, o);
	if (completion_wants_file(o)) {
		str_adds(out, ") return ;;\n");
	} else if (o->choices) {
		str_adds(out, ") mapfile -t COMPREPLY < <(compgen -W '");
		completion_words(out, o->choices);
		str_adds(out, "' -- \"$cur\"); return ;;\n");
	} else {
		str_adds(out, ") compopt +o default +o bashdefault; return ;;\n");
	}
}

static void add_verb(struct str *out, const struct verb *v)
{
	struct str words = { 0 };
	size_t g, i;

	str_addf(out, "\t%s)\n\t\tcase $prev in\n", v->name);
	for (g = 0; g < v->ngroup; g++)
		for (i = 0; i < v->group[g].n; i++)
			add_value(out, &v->group[g].opt[i]);
	str_adds(out, "\t\tesac\n\t\toptions='");
	for (g = 0; g < v->ngroup; g++)
		for (i = 0; i < v->group[g].n; i++)
			if (v->group[g].opt[i].name)
				str_addf(out, "--%s ", v->group[g].opt[i].name);
	str_adds(out, "--help'\n");
	if (v->words) {
		v->words(&words);
		str_adds(out, "\t\twords='");
		completion_words(out, words.s);
		str_adds(out, "'\n");
		str_free(&words);
	}
	str_adds(out, "\t\t;;\n");
}

void completion_bash(struct str *out)
{
	size_t i, n = verb_count();
	struct verb v;

	str_adds(out, head);
	str_adds(out,
		"\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
		"\t\tmapfile -t COMPREPLY < <(compgen -W '");
	for (i = 0; i < n; i++) {
		verb_get(i, &v);
		str_addf(out, "%s ", v.name);
	}
	str_adds(out,
		"--help --version' -- \"$cur\")\n"
		"\t\tcompopt +o default +o bashdefault\n"
		"\t\treturn\n"
		"\tfi\n"
		"\tcase ${COMP_WORDS[1]} in\n");
	for (i = 0; i < n; i++) {
		verb_get(i, &v);
		add_verb(out, &v);
	}
	str_adds(out, tail);
}
