/* The completion command: scripts made from the tables of commands and options.  They are complete
 * in themselves: pressing TAB starts no traceq. */
#include "base/shell.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/verb.h"

/* How a shell's script is written: all commands by name, then each with what it takes. */
struct shell {
	const char *name, *head, *middle, *tail;
	void (*put_name)(struct str *out, const struct verb *v);
	void (*put_verb)(struct str *out, const struct verb *v, const struct commands *all);
};

/* The option's value is the name of a file. */
static bool wants_file(const struct opt *o)
{
	return o->arg && (strcmp(o->arg, "FILE") == 0 || strcmp(o->arg, "DIR") == 0);
}

/* Appends "a|b" or "a\nb\n" as "a b". */
static void put_list(struct str *out, const char *words)
{
	for (; *words; words++)
		if (*words != '|' && *words != '\n')
			str_addc(out, *words);
		else if (words[1])
			str_addc(out, ' ');
}

/* The words an operand can be, between two texts; false: its operands are files. */
static bool put_operands(struct str *out, const struct verb *v, const struct commands *all,
	const char *before, const char *behind)
{
	SCOPED_STR words = { 0 };

	if (!v->words)
		return false;
	v->words(all, &words);
	str_adds(out, before);
	if (words.n)
		put_list(out, words.s);
	str_adds(out, behind);
	return true;
}

/* ---- bash 4 and later ---- */

static const char bash_head[] =
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
	"\tfi\n"
	"\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -W '";

static const char bash_middle[] = "--help --version' -- \"$cur\")\n"
				  "\t\tcompopt +o default +o bashdefault\n"
				  "\t\treturn\n"
				  "\tfi\n"
				  "\tcase ${COMP_WORDS[1]} in\n";

static const char bash_tail[] =
	"\tesac\n"
	"\tcase $cur in\n"
	"\t-*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\") ;;\n"
	"\t*) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\") ;;\n"
	"\tesac\n"
	"}\n"
	"complete -o bashdefault -o default -F _traceq traceq\n";

static void bash_name(struct str *out, const struct verb *v)
{
	str_addf(out, "%s ", v->name);
}

/* What follows "-n|--limit|--row-limit" where it wants a value. */
static void bash_value(struct str *out, const struct opt *o)
{
	if (o->type == OPT_FLAG)
		return;
	str_adds(out, "\t\t");
	if (o->letter)
		str_addf(out, "-%c", o->letter);
	if (o->name)
		str_addf(out, "%s--%s", o->letter ? "|" : "", o->name);
	if (o->alias)
		str_addf(out, "|--%s", o->alias);
	if (wants_file(o)) {
		str_adds(out, ") return ;;\n");
	} else if (o->choices) {
		str_add_by(out, put_list,
			") mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$cur\"); return ;;\n",
			o->choices);
	} else {
		str_adds(out, ") compopt +o default +o bashdefault; return ;;\n");
	}
}

static void bash_verb(struct str *out, const struct verb *v, const struct commands *all)
{
	str_addf(out, "\t%s)\n\t\tcase $prev in\n", v->name);
	for (EACH(const struct opt_group, group, v->group, v->ngroup))
		for (size_t i = 0; i < group->n; i++)
			bash_value(out, &group->opt[i]);
	str_adds(out, "\t\tesac\n\t\toptions='");
	for (EACH(const struct opt_group, og, v->group, v->ngroup))
		for (size_t i = 0; i < og->n; i++)
			if (og->opt[i].name)
				str_addf(out, "--%s ", og->opt[i].name);
	str_adds(out, "--help'\n");
	(void)put_operands(out, v, all, "\t\twords='", "'\n");
	str_adds(out, "\t\t;;\n");
}

/* ---- zsh, with _arguments ---- */

static const char zsh_head[] = "#compdef traceq\n"
			       "# zsh completion for traceq; made by: traceq completion zsh\n"
			       "_traceq()\n"
			       "{\n"
			       "\tlocal -a verbs\n"
			       "\tif (( CURRENT == 2 )); then\n"
			       "\t\tverbs=(\n";

static const char zsh_middle[] = "\t\t)\n"
				 "\t\t_describe -t commands command verbs\n"
				 "\t\treturn\n"
				 "\tfi\n"
				 "\tlocal verb=$words[2]\n"
				 "\tshift words\n"
				 "\t(( CURRENT-- ))\n"
				 "\tcase $verb in\n";

static const char zsh_tail[] = "\tesac\n"
			       "}\n"
			       "if [[ $funcstack[1] == _traceq ]]; then\n"
			       "\t_traceq \"$@\"\n"
			       "else\n"
			       "\tcompdef _traceq traceq\n"
			       "fi\n";

/* Text inside '...[text]...' or '...:text': brackets and colons are special there. */
static void zsh_text(struct str *out, const char *s)
{
	SCOPED_STR plain = { 0 };

	for (; *s; s++) {
		if (strchr("[]:\\", *s))
			str_addc(&plain, '\\');
		str_addc(&plain, *s);
	}
	if (plain.n)
		shell_quoted(out, plain.s);
}

static void zsh_name(struct str *out, const struct verb *v)
{
	str_add_by(out, zsh_text, "\t\t\t'%s:%s'\n", v->name, v->summary);
}

/* "[help]:N:(a b)" and the end of the line */
static void zsh_rest(struct str *out, const struct opt *o)
{
	str_add_by(out, zsh_text, "[%s]", o->help);
	if (o->type != OPT_FLAG) {
		str_add_by(out, zsh_text, ":%s:", o->arg);
		if (wants_file(o)) {
			str_adds(out, "_files");
		} else if (o->choices) {
			str_add_by(out, put_list, "(%s)", o->choices);
		}
	}
	str_adds(out, "' \\\n");
}

static void zsh_option(struct str *out, const struct opt *o)
{
	const char *star = o->type == OPT_LIST ? "*" : "";
	bool has_value = o->type != OPT_FLAG;

	if (o->letter) {
		str_addf(out, "\t\t\t'%s-%c%s", star, o->letter, has_value ? "+" : "");
		zsh_rest(out, o);
	}
	if (o->name) {
		str_addf(out, "\t\t\t'%s--%s%s", star, o->name, has_value ? "=" : "");
		zsh_rest(out, o);
	}
}

static void zsh_verb(struct str *out, const struct verb *v, const struct commands *all)
{
	str_addf(out, "\t%s)\n\t\t_arguments -s -S \\\n", v->name);
	for (EACH(const struct opt_group, group, v->group, v->ngroup))
		for (size_t i = 0; i < group->n; i++)
			zsh_option(out, &group->opt[i]);
	if (!put_operands(out, v, all, "\t\t\t'*:word:(", ")'\n"))
		str_adds(out, "\t\t\t'*:file:_files'\n");
	str_adds(out, "\t\t;;\n");
}

/* ---- fish ---- */

static const char fish_middle[] =
	"complete -c traceq -n __fish_use_subcommand -f -l version -d 'print the version'\n"
	"complete -c traceq -n __fish_use_subcommand -f -l help -d 'list the commands'\n";

/* Text between single quotes: fish knows \' and \\ there. */
static void fish_text(struct str *out, const char *s)
{
	for (; *s; s++) {
		if (*s == '\'' || *s == '\\')
			str_addc(out, '\\');
		str_addc(out, *s);
	}
}

static void fish_name(struct str *out, const struct verb *v)
{
	str_add_by(out, fish_text, "complete -c traceq -n __fish_use_subcommand -f -a %s -d '%s'\n",
		v->name, v->summary);
}

static void fish_option(struct str *out, const char *verb, const struct opt *o)
{
	str_addf(out, "complete -c traceq -n '__fish_seen_subcommand_from %s'", verb);
	if (o->letter)
		str_addf(out, " -s %c", o->letter);
	if (o->name)
		str_addf(out, " -l %s", o->name);
	if (o->type != OPT_FLAG)
		str_adds(out, wants_file(o) ? " -r" : " -x");
	if (o->type != OPT_FLAG && o->choices)
		str_add_by(out, put_list, " -a '%s'", o->choices);
	str_add_by(out, fish_text, " -d '%s'\n", o->help);
}

static void fish_verb(struct str *out, const struct verb *v, const struct commands *all)
{
	SCOPED_STR before = { 0 };

	for (EACH(const struct opt_group, group, v->group, v->ngroup))
		for (size_t i = 0; i < group->n; i++)
			fish_option(out, v->name, &group->opt[i]);
	str_addf(
		&before, "complete -c traceq -n '__fish_seen_subcommand_from %s' -f -a '", v->name);
	(void)put_operands(out, v, all, before.s, "'\n");
}

/* ---- the command ---- */

static const struct shell shells[] = {
	{ "bash", bash_head, bash_middle, bash_tail, bash_name, bash_verb },
	{ "zsh", zsh_head, zsh_middle, zsh_tail, zsh_name, zsh_verb },
	{ "fish", "# fish completion for traceq; made by: traceq completion fish\n", fish_middle,
		"", fish_name, fish_verb },
};

static void add_words(const struct commands *all UNUSED, struct str *out)
{
	for (size_t i = 0; i < COUNT_OF(shells); i++)
		str_addf(out, "%s\n", shells[i].name);
}

static int put(const struct shell *shell, const struct commands *all)
{
	struct str b = { 0 };
	struct verb v;

	str_adds(&b, shell->head);
	for (size_t i = 0; verb_get(all, i, &v); i++)
		shell->put_name(&b, &v);
	str_adds(&b, shell->middle);
	for (size_t i = 0; verb_get(all, i, &v); i++)
		shell->put_verb(&b, &v, all);
	str_adds(&b, shell->tail);
	return output_text(&b);
}

static int complete(const struct command_line *line, void *ctx UNUSED, const char **shell, size_t n)
{
	if (n != 1)
		return say_failure("completion: name one shell: bash, zsh or fish");
	for (size_t i = 0; i < COUNT_OF(shells); i++)
		if (strcmp(shells[i].name, shell[0]) == 0)
			return put(&shells[i], line->all);
	return say_failure(
		"completion: unknown shell '%s'; known are bash, zsh and fish", shell[0]);
}

static int run(const struct command_line *line)
{
	return options_run("completion", NULL, 0, NULL, line, complete, NULL);
}

COMMAND(completion) = {
	.name = "completion",
	.summary = "print the completion script of a shell",
	.operands = "bash|zsh|fish",
	.doc = "Completes commands, options and their values. To have it in every new shell:\n\n"
	       "  traceq completion bash >~/.local/share/bash-completion/completions/traceq\n"
	       "  traceq completion zsh >~/.zfunc/_traceq      (a folder in $fpath)\n"
	       "  traceq completion fish >~/.config/fish/completions/traceq.fish",
	.examples = "traceq completion bash >~/.local/share/bash-completion/completions/traceq\n"
		    "source <(traceq completion bash)\n",
	.words = add_words,
	.run = run,
};
