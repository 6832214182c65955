/* The mcp command: traceq as a server for agents. */
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/reach.h"
#include "base/setting.h"
#include "cmd/mcp/call.h"
#include "cmd/mcp/message.h"
#include "cmd/say.h"
#include "cmd/version.h"
#include "report/escape.h"

/* ---- a session ---- */

enum { QUEUE_MAX = 64 };

/* Versions of the protocol that are spoken, oldest first. */
static const char *const versions[] = { "2024-11-05", "2025-06-18", "2025-11-25" };

static const char instructions[] =
	"traceq reads traces of GPU training and inference (PyTorch, Nsight Systems, rocprof, XPlane, "
	"Perfetto), metric logs and profiler summaries. Begin with summary, then diagnose: findings "
	"have ids that explain defines and cut --around takes. Times are integer nanoseconds (_ns), "
	"sizes bytes, shares ratios. info says what a folder holds; diff and gate compare runs, ranks "
	"looks at the ranks of a job. Of each table the first rows are given: next_cursor, passed as "
	"cursor with the same arguments, has the next ones.";

/* A call that waits for the one before it. */
struct waiting {
	struct str id, line;
};

struct session {
	const struct commands *all; /* of which the tools are some */
	const struct fence *fence;
	struct call_limits limits; /* of a call */
	struct channel channel;
	struct arena mem; /* of the message in hand */
	bool is_ready;    /* initialize was answered */
	bool is_lost;     /* nobody reads */
	struct call call; /* the one that runs */
	struct tool tool;
	struct str id;
	bool is_calling, is_cancelled;
	struct waiting queue[QUEUE_MAX];
	size_t nqueue;
};

static void reply(struct session *s, struct span id, struct str *result)
{
	s->is_lost |= !message_result(&s->channel, id, result);
	str_free(result);
}

static void fail(struct session *s, struct span id, enum rpc code, const struct err *e)
{
	s->is_lost |= !message_error(&s->channel, id, code, e);
}

static void refuse(struct session *s, struct span id, enum rpc code, const char *text)
{
	struct err e;

	(void)err_set(&e, E_SYNTAX, -1, "%s", text);
	fail(s, id, code, &e);
}

/* ---- methods ---- */

/* The newest that is not newer than what the client asks for; else the oldest. */
static const char *agree(struct span wanted)
{
	const char *best = versions[0];

	for (size_t i = 0; i < COUNT_OF(versions); i++)
		if (span_cmp(span_of(versions[i]), wanted) <= 0)
			best = versions[i];
	return best;
}

static void initialize(struct session *s, const struct message *m)
{
	struct span wanted = message_text(m->params, "protocolVersion", &s->mem);
	struct str b = { 0 };

	if (!wanted.p) {
		refuse(s, m->id, RPC_PARAMS, "initialize wants the string 'protocolVersion'");
		return;
	}
	str_addf(&b, "{\"protocolVersion\":\"%s\",\"capabilities\":{\"tools\":{}},", agree(wanted));
	str_addf(&b, "\"serverInfo\":{\"name\":\"traceq\",\"version\":\"%s\"},", version_release);
	str_adds(&b, "\"instructions\":");
	escape_json(&b, span_of(instructions));
	str_addc(&b, '}');
	s->is_ready = true;
	reply(s, m->id, &b);
}

/* Starts a call, or answers why it does not. */
static void begin(struct session *s, const struct message *m)
{
	struct span name = message_text(m->params, "name", &s->mem);
	struct json_value given = json_get(m->params, "arguments");
	struct opt_given to;
	struct str b = { 0 };
	struct excerpt x;
	const struct command_line line = { .all = s->all, .given = &to, .excerpt = &x };
	struct err e;

	if (!name.p || !tool_find(s->all, name, &s->tool)) {
		(void)err_set(&e, E_USAGE, -1, "there is no tool '%.*s'", (int)name.n,
			name.p ? name.p : "");
		fail(s, m->id, RPC_PARAMS, &e);
		return;
	}
	if (given.type != JSON_NONE && given.type != JSON_OBJECT) {
		refuse(s, m->id, RPC_PARAMS, "'arguments' must be an object");
		return;
	}
	err_clear(&e);
	if (arguments_take(&s->tool, given, s->fence, &s->mem, &to, &x, &e) != OK ||
		call_start(&s->call, &s->tool, &line, s->fence, &s->limits, &e) != OK) {
		call_refused(&e, &b);
		reply(s, m->id, &b);
		return;
	}
	str_reset(&s->id);
	str_add(&s->id, m->id.p, m->id.n);
	s->is_calling = true;
	s->is_cancelled = false;
}

static void tools_call(struct session *s, const struct message *m, struct span text)
{
	struct waiting *w;

	if (!s->is_calling) {
		begin(s, m);
	} else if (s->nqueue == QUEUE_MAX) {
		refuse(s, m->id, RPC_BUSY, "too many calls wait already");
	} else {
		w = &s->queue[s->nqueue++];
		*w = (struct waiting){ 0 };
		str_add(&w->id, m->id.p, m->id.n);
		str_add(&w->line, text.p, text.n);
	}
}

static bool is_id(const struct str *a, struct span id)
{
	return a->n == id.n && memcmp(a->s, id.p, id.n) == 0;
}

static void drop(struct session *s, size_t i)
{
	str_free(&s->queue[i].id);
	str_free(&s->queue[i].line);
	s->nqueue--;
	memmove(&s->queue[i], &s->queue[i + 1], (s->nqueue - i) * sizeof(*s->queue));
}

/* A cancelled call gets no answer. */
static void cancel(struct session *s, const struct message *m)
{
	struct span id = message_id(json_get(m->params, "requestId"));

	if (id.n && s->is_calling && is_id(&s->id, id)) {
		s->is_cancelled = true;
		call_stop(&s->call);
	}
	for (size_t i = s->nqueue; i-- > 0;)
		if (id.n && is_id(&s->queue[i].id, id))
			drop(s, i);
}

static void answer(struct session *s, const struct message *m, struct span text)
{
	struct str b = { 0 };
	struct err e;

	if (span_is(m->method, "ping")) {
		str_adds(&b, "{}");
		reply(s, m->id, &b);
	} else if (span_is(m->method, "initialize") && !s->is_ready)
		initialize(s, m);
	else if (span_is(m->method, "initialize"))
		refuse(s, m->id, RPC_REQUEST, "the session is initialized already");
	else if (!s->is_ready)
		refuse(s, m->id, RPC_REQUEST, "initialize comes first");
	else if (span_is(m->method, "tools/list")) {
		toolbox_describe(s->all, &b);
		reply(s, m->id, &b);
	} else if (span_is(m->method, "tools/call"))
		tools_call(s, m, text);
	else {
		(void)err_set(&e, E_USAGE, -1, "there is no method '%.*s'",
			(int)utf8_cut(m->method, 100).n, m->method.p);
		fail(s, m->id, RPC_METHOD, &e);
	}
}

static void take(struct session *s, struct span text)
{
	struct message m;
	struct err e;

	if (span_trim(text).n == 0 || span_is(text, "\r"))
		return;
	enum rpc code = message_read(text, &s->mem, &m, &e);
	if (code != RPC_FINE)
		fail(s, m.id, code, &e);
	else if (m.id.n && m.method.n)
		answer(s, &m, text);
	else if (span_is(m.method, "notifications/cancelled"))
		cancel(s, &m);
	arena_clear(&s->mem);
}

/* ---- the loop ---- */

static void end_call(struct session *s)
{
	struct str b = { 0 };
	struct message m;
	struct err e;

	call_finish(&s->call, &s->tool, &b);
	s->is_calling = false;
	if (s->is_cancelled)
		str_free(&b);
	else
		reply(s, (struct span){ s->id.s, s->id.n }, &b);
	while (s->nqueue && !s->is_calling && !s->is_lost) {
		struct span line = { s->queue[0].line.s, s->queue[0].line.n };

		if (message_read(line, &s->mem, &m, &e) == RPC_FINE)
			begin(s, &m);
		arena_clear(&s->mem);
		drop(s, 0);
	}
}

/* A message, the end of the call, or that of the reader: its end of a pipe or socket is closed. */
static void wait_for_any(struct session *s)
{
	struct pollfd fd[3] = { { s->channel.is_ended ? -1 : s->channel.in, POLLIN, 0 },
		{ s->is_calling ? s->call.done : -1, POLLIN, 0 }, { s->channel.out, 0, 0 } };

	if (poll(fd, COUNT_OF(fd), s->is_calling ? call_patience(&s->call) : -1) < 0)
		return;
	if (fd[2].revents & (POLLERR | POLLHUP | POLLNVAL)) {
		s->is_lost = true;
		return;
	}
	if (fd[0].revents) {
		channel_read(&s->channel);
		/* All lines that have come. */
		enum channel_line what;
		struct span line;
		while (!s->is_lost && (what = channel_next(&s->channel, &line)) != CHANNEL_NONE)
			if (what == CHANNEL_LINE)
				take(s, line);
			else
				refuse(s, SPAN(""), RPC_PARSE, "the message is longer than 1 MiB");
	}
	if (fd[1].revents)
		end_call(s);
	else if (s->is_calling)
		call_urge(&s->call);
}

/* Serves until the input ends and all calls are answered.  False when nobody reads any longer:
 * then at once, also while a call runs, which is ended. */
static bool session_run(struct session *s)
{
	while (!s->is_lost && !(s->channel.is_ended && !s->is_calling))
		wait_for_any(s);
	if (s->is_calling)
		call_drop(&s->call);
	while (s->nqueue)
		drop(s, s->nqueue - 1);
	str_free(&s->id);
	channel_free(&s->channel);
	arena_clear(&s->mem);
	return !s->is_lost;
}

enum { TIMEOUT_S = 120, TIMEOUT_MAX_S = 86400 };
#define MEMORY_LEAST (INT64_C(16) << 20) /* so much is needed to say anything */

struct mcp_options {
	int64_t timeout_s;
	const char *memory;
};

static const struct opt own_opts[] = {
	INT_OPT("timeout", 0, "SECONDS", offsetof(struct mcp_options, timeout_s),
		"how long a call may take; 0 = as long as it takes [120]"),
	TEXT_OPT("memory", 0, "SIZE", offsetof(struct mcp_options, memory),
		"how much memory a call may take: 4GiB; 0 = as much as it takes [half of this "
		"machine's]"),
};

static const struct opt_group groups[] = {
	{ "Options", own_opts, COUNT_OF(own_opts), NULL },
};

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

static int serve(const struct command_line *line, void *ctx, const char **path, size_t npath)
{
	const struct mcp_options *o = ctx;
	SCOPED_ARENA mem = { 0 };
	struct fence fence;
	struct session s = { .all = line->all,
		.fence = &fence,
		.channel = { .in = STDIN_FILENO, .out = STDOUT_FILENO } };
	struct err e;
	int exit_code = EXIT_NO_ANSWER;

	if (take_limits(o, &s.limits, &e) != OK || fence_open(&fence, path, npath, &mem, &e) != OK)
		(void)say_usage("mcp", &e);
	else if (chdir(fence.root[0]) != 0)
		(void)say_failure("mcp: cannot go to %s", fence.root[0]);
	else {
		/* What a CI server's variables would have written beside answers. */
		static const char *const variable[] = { "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY" };
		for (size_t i = 0; i < COUNT_OF(variable); i++)
			(void)unsetenv(variable[i]);
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
	return exit_code;
}

static int run(const struct command_line *line)
{
	struct mcp_options o = { .timeout_s = TIMEOUT_S };

	return options_run("mcp", groups, COUNT_OF(groups), (void *[]){ &o }, line, serve, &o);
}

COMMAND(mcp) = {
	.name = "mcp",
	.summary = "serve agents by the Model Context Protocol, on stdin and stdout",
	.operands = "[FOLDER...]",
	.doc = "Serves the tools info, summary, diagnose, top, idle, kernels, comms, ranks, critical, "
	       "roofline, sql, diff, gate, explain and cut over JSON-RPC 2.0, one message a line, until "
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
	COMMAND_HAS(group, groups),
	.run = run,
};
