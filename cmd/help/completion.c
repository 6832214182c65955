/*
 * The completion command.  Scripts are complete in themselves: pressing TAB starts no traceq.
 */
#include "cmd/help/completion.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cmd/command.h"
#include "cmd/help/help.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/say.h"

static const struct shell {
	const char *name;
	void (*put)(struct str *out);
} shells[] = {
	{ "bash", completion_bash },
	{ "zsh", completion_zsh },
	{ "fish", completion_fish },
};

bool completion_wants_file(const struct opt *o)
{
	return o->arg && (strcmp(o->arg, "FILE") == 0 || strcmp(o->arg, "DIR") == 0);
}

void completion_quote(struct str *out, const char *s)
{
	for (; *s; s++)
		if (*s == '\'')
			str_adds(out, "'\\''");
		else
			str_addc(out, *s);
}

void completion_words(struct str *out, const char *words)
{
	const char *s;

	for (s = words ? words : ""; *s; s++)
		if (*s != '|' && *s != '\n')
			str_addc(out, *s);
		else if (s[1])
			str_addc(out, ' ');
}

static void add_words(struct str *out)
{
	size_t i;

	for (i = 0; i < COUNT_OF(shells); i++)
		str_addf(out, "%s\n", shells[i].name);
}

static const struct shell *find_shell(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT_OF(shells); i++)
		if (strcmp(shells[i].name, name) == 0)
			return &shells[i];
	return NULL;
}

static int complete(const char *const *operand, size_t n)
{
	const struct shell *shell;
	struct str b = { 0 };

	if (n != 1)
		return say_failure("completion: name one shell: bash, zsh or fish");
	shell = find_shell(operand[0]);
	if (!shell)
		return say_failure(
			"completion: unknown shell '%s'; known are bash, zsh and fish", operand[0]);
	shell->put(&b);
	return output_text(&b);
}

static int run(int argc, char **argv)
{
	struct help_options help = { 0 };
	struct opt_group group = options_help;
	const char **operand;
	size_t n;
	struct err e;
	int exit_code;

	group.into = &help;
	if (opt_parse(&group, 1, argc, argv, &operand, &n, &e) != OK)
		exit_code = say_usage("completion", &e);
	else if (help.brief || help.full)
		exit_code = help_verb("completion", help.full);
	else
		exit_code = complete(operand, n);
	free(operand);
	return exit_code;
}

const struct command command_completion = {
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
