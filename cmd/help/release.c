/*
 * The version command: what --version prints, as a word.
 */
#include <stdlib.h>

#include "cmd/command.h"
#include "cmd/help/help.h"
#include "cmd/options.h"
#include "cmd/say.h"
#include "cmd/version.h"

static int run(int argc, char **argv)
{
	struct help_options help = { 0 };
	struct opt_group group = options_help;
	const char **operand;
	struct err e;
	int exit_code;
	size_t n;

	group.into = &help;
	if (opt_parse(&group, 1, argc, argv, &operand, &n, &e) != OK)
		exit_code = say_usage("version", &e);
	else if (help.brief || help.full)
		exit_code = help_verb("version", help.full);
	else
		exit_code = n ? say_failure("version: takes no words") : version_print();
	free(operand);
	return exit_code;
}

/* So that no file is completed. */
static void no_words(struct str *out)
{
	(void)out;
}

const struct command command_version = {
	.name = "version",
	.summary = "which traceq this is, as --version",
	.operands = "",
	.doc = "Prints the release, the commit it was built from, and what it decompresses and scans "
	       "with.",
	.examples = "traceq version\n",
	.words = no_words,
	.run = run,
};
