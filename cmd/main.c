/* traceq: finds the command and runs it.  Nothing but signals is seen to before. */
#include <sys/stat.h>

#include "analyze/input/folder.h"
#include "base/shell.h"
#include "cmd/answer.h"
#include "cmd/commands.h"
#include "cmd/elsewhere.h"
#include "cmd/front/next.h"
#include "cmd/help/help.h"
#include "cmd/output.h"
#include "cmd/screen.h"
#include "cmd/say.h"
#include "cmd/signals.h"
#include "cmd/verb.h"
#include "cmd/version.h"

/* The line to type in place of that one: of its words operands alone, since options of other tools
 * mean other things; NULL: it has none. */
static const char *instead(const struct elsewhere *w, int argc, char **argv, struct arena *mem)
{
	const char **word = arena_array(mem, (size_t)argc + 4, sizeof(*word));
	size_t n = 0;

	word[n++] = w->command;
	if (w->more && w->more[0] == '-')
		word[n++] = w->more;
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '-' && argv[i][1])
			return NULL;
		word[n++] = argv[i];
	}
	if (w->more && w->more[0] == '.') {
		word[n++] = "-o";
		word[n++] = next_output(mem, w->command, w->more);
	}
	return argc > 1 ? shell_command(mem, word) : NULL;
}

static int say_elsewhere(const struct elsewhere *w, int argc, char **argv)
{
	SCOPED_ARENA mem = { 0 };

	const char *line = instead(w, argc, argv, &mem);
	(void)say_failure(
		"unknown command '%s'; %s", argv[0], elsewhere_text(w, &commands_all, &mem));
	if (!line)
		line = shell_command(&mem, (const char *const[]){ w->command, "--help", NULL });
	say_command(line);
	return EXIT_NO_ANSWER;
}

/* argv[0] is the word. */
static int unknown_command(int argc, char **argv)
{
	const char *word = argv[0], *near = verb_nearest(&commands_all, word);
	const struct elsewhere *w = elsewhere_find(word);
	struct err e;

	if (w)
		return say_elsewhere(w, argc, argv);
	if (strpbrk(word, "/."))
		(void)err_set(&e, E_USAGE, -1, "%s: there is no such file or folder", word);
	else
		(void)err_hinted(&e, E_USAGE,
			near ? "" : "it is no file either; 'traceq --help' lists the commands",
			"unknown command '%s'%s", word, opt_mean(near, "").s);
	return say_error(NULL, &e);
}

/* traceq FILE...: a file or folder where a command could stand, or standard input. */
static bool is_path(const char *word)
{
	struct stat st;

	return strcmp(word, "-") == 0 || stat(word, &st) == 0 || folder_is(word);
}

static int run_verb(const struct verb_runs *by, int argc, char **argv)
{
	const struct command_line line = { .all = &commands_all, .argc = argc, .argv = argv };
	int code = by->analysis ? answer_run(by->analysis, &line) : by->command->run(&line);

	if (code == EXIT_HELP_BRIEF || code == EXIT_HELP_FULL)
		return help_verb(&commands_all,
			by->analysis ? by->analysis->name : by->command->name,
			code == EXIT_HELP_FULL);
	return code;
}

static int run(int argc, char **argv)
{
	struct verb_runs by;

	for (; argc > 1 && strcmp(argv[1], "--no-pager") == 0; argc--, argv++)
		pager_turn_off();
	const char *word = argc > 1 ? argv[1] : NULL;
	if (!word)
		return front_print(&commands_all);
	if (strcmp(word, "-h") == 0)
		return help_all(&commands_all, false, false);
	if (strcmp(word, "--help") == 0)
		return help_all(&commands_all, true, false);
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
		return version_print();
	heap_prepare();
	if (word[0] == '-' && word[1]) {
		struct err e;

		/* traceq --json FILE, as traceq FILE --json. */
		if (argc == 3 && is_path(argv[2]) && verb_runs(&commands_all, "overview", &by))
			return run_verb(&by, argc, argv);
		(void)err_hinted(&e, E_USAGE, "options follow it: traceq COMMAND [options] FILE...",
			"option '%s' before the command", word);
		return say_error(NULL, &e);
	}
	if (verb_runs(&commands_all, word, &by))
		return run_verb(&by, argc - 1, argv + 1);
	if (is_path(word) && verb_runs(&commands_all, "overview", &by))
		return run_verb(&by, argc, argv);
	return unknown_command(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	signals_watch();
	return output_finish(run(argc, argv));
}
