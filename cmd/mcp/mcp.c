/*
 * The mcp command: traceq as a server for agents.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/reach.h"
#include "base/saturate.h"
#include "base/setting.h"
#include "cmd/command.h"
#include "cmd/mcp/fence.h"
#include "cmd/mcp/sandbox.h"
#include "cmd/mcp/session.h"
#include "cmd/options.h"
#include "cmd/say.h"

enum { TIMEOUT_S = 120, TIMEOUT_MAX_S = 86400 };
#define MEMORY_LEAST (INT64_C(16) << 20) /* so much is needed to say anything */

struct mcp_options {
	int64_t timeout_s;
	const char *memory;
};

static const struct opt own_opts[] = {
	OPT("timeout", 0, OPT_INT, "SECONDS",
		"how long a call may take; 0 = as long as it takes [120]",
		offsetof(struct mcp_options, timeout_s), NULL, NULL),
	OPT("memory", 0, OPT_TEXT, "SIZE",
		"how much memory a call may take: 4GiB; 0 = as much as it takes [half of this "
		"machine's]",
		offsetof(struct mcp_options, memory), NULL, NULL),
};

static const struct opt_group groups[] = {
	{ "Options", own_opts, COUNT_OF(own_opts), NULL },
};

/* What a CI server's variables would have written beside answers. */
static void forget_surroundings(void)
{
	static const char *const variable[] = { "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY" };
	size_t i;

	for (i = 0; i < COUNT_OF(variable); i++)
		(void)unsetenv(variable[i]);
}

/* E_USAGE with what is wrong. */
static enum status take_limits(
	const struct mcp_options *o, struct call_limits *limits, struct err *e)
{
	double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 2;

	*limits = (struct call_limits){ .timeout_s = o->timeout_s };
	call_measure(limits);
	if (o->timeout_s > TIMEOUT_MAX_S)
		return err_set(e, E_USAGE, -1, "--timeout wants %d seconds at most", TIMEOUT_MAX_S);
	if (o->memory && strcmp(o->memory, "0") == 0)
		bytes = 0;
	else if (o->memory)
		TRY(setting_number("--memory", SETTING_BYTES, o->memory, &bytes, e));
	limits->memory_bytes =
		bytes > (double)(INT64_MAX / 2) ? INT64_MAX / 2 : saturate_whole(bytes);
	if (limits->memory_bytes && limits->memory_bytes < MEMORY_LEAST)
		return err_set(e, E_USAGE, -1, "--memory wants 16MiB at least, or 0");
	return OK;
}

static int serve(const struct commands *all, const struct mcp_options *o, const char *const *path,
	size_t npath)
{
	struct arena mem;
	struct call_limits limits;
	struct fence fence;
	struct err e;
	int exit_code = EXIT_NO_ANSWER;

	arena_init(&mem);
	if (take_limits(o, &limits, &e) != OK || fence_open(&fence, path, npath, &mem, &e) != OK)
		(void)say_usage("mcp", &e);
	else if (chdir(fence.root[0]) != 0)
		(void)say_failure("mcp: cannot go to %s", fence.root[0]);
	else {
		const struct session_options s = { all, &fence, limits, STDIN_FILENO,
			STDOUT_FILENO };

		forget_surroundings();
		(void)signal(SIGPIPE, SIG_IGN); /* the session notices by itself */
		reach_limit(fence.root, fence.n);
		if (!sandbox_enter(fence.root, fence.n, true))
			(void)say_failure("mcp: this kernel has no Landlock: folders are kept by "
					  "traceq alone");
		if (isatty(STDIN_FILENO))
			(void)say_failure("mcp: waits for JSON-RPC on standard input, as programs "
					  "write it; 'traceq help mcp' says how they are told");
		exit_code = session_run(&s) ? EXIT_ANSWERED : EXIT_NO_ANSWER;
	}
	arena_clear(&mem);
	return exit_code;
}

static int run(const struct command_line *line)
{
	struct mcp_options o = { .timeout_s = TIMEOUT_S };
	const char **path;
	struct err e;
	int exit_code;
	size_t n;

	if (options_parse(groups, COUNT_OF(groups), (void *[]){ &o }, line, &path, &n, &e) != OK)
		exit_code = say_usage("mcp", &e);
	else
		exit_code = serve(line->all, &o, path, n);
	free(path);
	return exit_code;
}

COMMAND(mcp) = {
	.name = "mcp",
	.summary = "serve agents by the Model Context Protocol, on stdin and stdout",
	.operands = "[FOLDER...]",
	.doc = "Serves the tools info, summary, diagnose, top, idle, kernels, comms, ranks, critical, "
	       "roofline, diff, gate, explain and cut over JSON-RPC 2.0, one message a line, until "
	       "standard input ends. An agent's client starts it; nothing listens on a port.\n\n"
	       "Only files below the FOLDERs [the current one] are read; relative paths are of the "
	       "first. cut writes new files there and nothing else writes. Linux (5.13 and later) "
	       "holds the process to that, too, and to no TCP connection where it can (6.7). "
	       "Settings are built in: no traceq.yaml is read.\n\n"
	       "Answers are bounded: of each table 'limit' rows [20], and where there are more the "
	       "member next_cursor, which the argument 'cursor' takes. Ids of findings are for "
	       "explain and for cut's argument 'around'. Each call is a process of its own, one "
	       "after the other; a client may cancel it, and --timeout and --memory end it. When standard "
	       "input ends, calls that wait are still answered; when nobody reads the answers any longer, "
	       "the call that runs is ended.",
	.examples = "traceq mcp /data/traces\n"
		    "claude mcp add traceq -- traceq mcp /data/traces\n",
	.exit_codes = "0  the input has ended and all calls are answered\n"
		      "2  wrong options, no such folder, or nobody reads the answers\n",
	.group = groups,
	.ngroup = COUNT_OF(groups),
	.run = run,
};
