/*
 * Completion for zsh, with _arguments.
 */
#include <string.h>

#include "base/str.h"
#include "cmd/command.h"
#include "cmd/help/completion.h"

static const char head[] = "#compdef traceq\n"
			   "# zsh completion for traceq; made by: traceq completion zsh\n"
			   "_traceq()\n"
			   "{\n"
			   "\tlocal -a verbs\n"
			   "\tif (( CURRENT == 2 )); then\n"
			   "\t\tverbs=(\n";

static const char middle[] = "\t\t)\n"
			     "\t\t_describe -t commands command verbs\n"
			     "\t\treturn\n"
			     "\tfi\n"
			     "\tlocal verb=$words[2]\n"
			     "\tshift words\n"
			     "\t(( CURRENT-- ))\n"
			     "\tcase $verb in\n";

static const char tail[] = "\tesac\n"
			   "}\n"
			   "if [[ $funcstack[1] == _traceq ]]; then\n"
			   "\t_traceq \"$@\"\n"
			   "else\n"
			   "\tcompdef _traceq traceq\n"
			   "fi\n";

/* Text inside '...[text]...' or '...:text': brackets and colons are special there. */
static void add_text(struct str *out, const char *s)
{
	struct str plain = { 0 };

	for (; *s; s++) {
		if (strchr("[]:\\", *s))
			str_addc(&plain, '\\');
		str_addc(&plain, *s);
	}
	if (plain.n)
		completion_quote(out, plain.s);
	str_free(&plain);
}

/* "[help]:N:(a b)" and the end of the line */
static void add_rest(struct str *out, const struct opt *o)
{
	str_addc(out, '[');
	add_text(out, o->help);
	str_addc(out, ']');
	if (o->type != OPT_FLAG) {
		str_adds(out, ":");
		add_text(out, o->arg);
		str_adds(out, ":");
		if (completion_wants_file(o)) {
			str_adds(out, "_files");
		} else if (o->choices) {
			str_addc(out, '(');
			completion_words(out, o->choices);
			str_addc(out, ')');
		}
	}
	str_adds(out, "' \\\n");
}

static void add_option(struct str *out, const struct opt *o)
{
	const char *star = o->type == OPT_LIST ? "*" : "";
	bool has_value = o->type != OPT_FLAG;

	if (o->letter) {
		str_addf(out, "\t\t\t'%s-%c%s", star, o->letter, has_value ? "+" : "");
		add_rest(out, o);
	}
	if (o->name) {
		str_addf(out, "\t\t\t'%s--%s%s", star, o->name, has_value ? "=" : "");
		add_rest(out, o);
	}
}

static void add_verb(struct str *out, const struct verb *v)
{
	struct str words = { 0 };
	size_t g, i;

	str_addf(out, "\t%s)\n\t\t_arguments -s -S \\\n", v->name);
	for (g = 0; g < v->ngroup; g++)
		for (i = 0; i < v->group[g].n; i++)
			add_option(out, &v->group[g].opt[i]);
	if (v->words) {
		v->words(&words);
		str_adds(out, "\t\t\t'*:word:(");
		completion_words(out, words.s);
		str_adds(out, ")'\n");
		str_free(&words);
	} else {
		str_adds(out, "\t\t\t'*:file:_files'\n");
	}
	str_adds(out, "\t\t;;\n");
}

void completion_zsh(struct str *out)
{
	size_t i, n = verb_count();
	struct verb v;

	str_adds(out, head);
	for (i = 0; i < n; i++) {
		verb_get(i, &v);
		str_addf(out, "\t\t\t'%s:", v.name);
		add_text(out, v.summary);
		str_adds(out, "'\n");
	}
	str_adds(out, middle);
	for (i = 0; i < n; i++) {
		verb_get(i, &v);
		add_verb(out, &v);
	}
	str_adds(out, tail);
}
