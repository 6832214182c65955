/*
 * traceq: finds the command and runs it.  Nothing but signals is seen to before.
 */
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/input/folder.h"
#include "base/err.h"
#include "cmd/answer.h"
#include "cmd/command.h"
#include "cmd/front/front.h"
#include "cmd/front/overview.h"
#include "cmd/help/help.h"
#include "cmd/output.h"
#include "cmd/pager.h"
#include "cmd/say.h"
#include "cmd/signals.h"
#include "cmd/version.h"

static int unknown_command(const char *word)
{
	const char *near = verb_nearest(word);
	struct err e;

	if (strpbrk(word, "/.")) {
		(void)err_set(&e, E_USAGE, -1, "%s: there is no such file or folder", word);
	} else if (near) {
		(void)err_set(
			&e, E_USAGE, -1, "unknown command '%s'; did you mean '%s'?", word, near);
	} else {
		(void)err_set(&e, E_USAGE, -1, "unknown command '%s'", word);
		(void)err_hint(&e, "it is no file either; 'traceq --help' lists the commands");
	}
	return say_error(NULL, &e);
}

/* traceq FILE...: a file or folder where a command could stand, or standard input. */
static bool is_path(const char *word)
{
	struct stat st;

	return strcmp(word, "-") == 0 || stat(word, &st) == 0 || folder_is(word);
}

static int misplaced_option(const char *word)
{
	struct err e;

	(void)err_set(&e, E_USAGE, -1, "option '%s' before the command", word);
	(void)err_hint(&e, "options follow it: traceq COMMAND [options] FILE...");
	return say_error(NULL, &e);
}

static int run(int argc, char **argv)
{
	const char *word;
	struct verb v;

	for (; argc > 1 && strcmp(argv[1], "--no-pager") == 0; argc--, argv++)
		pager_turn_off();
	word = argc > 1 ? argv[1] : NULL;
	if (!word)
		return front_print();
	if (strcmp(word, "-h") == 0)
		return help_all(false, false);
	if (strcmp(word, "--help") == 0)
		return help_all(true, false);
	if (strcmp(word, "--version") == 0)
		return version_print();
	if (word[0] == '-' && word[1])
		return misplaced_option(word);
	if (!verb_find(word, &v))
		return is_path(word) ? overview_run(argc, argv) : unknown_command(word);
	return v.analysis ? answer_run(v.analysis, argc - 1, argv + 1)
			  : v.command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	signals_watch();
	return output_finish(run(argc, argv));
}
