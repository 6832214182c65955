/*
 * The loop: waits for a message or for the end of a call, whichever comes first.
 */
#include "cmd/mcp/session.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "cmd/mcp/call.h"
#include "cmd/mcp/message.h"
#include "cmd/mcp/toolbox.h"
#include "cmd/version.h"
#include "report/escape.h"

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
	const struct session_options *o;
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
	size_t i;

	for (i = 0; i < COUNT_OF(versions); i++)
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

static void ping(struct session *s, const struct message *m)
{
	struct str b = { 0 };

	str_adds(&b, "{}");
	reply(s, m->id, &b);
}

static void tools_list(struct session *s, const struct message *m)
{
	struct str b = { 0 };

	toolbox_describe(s->o->all, &b);
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
	const struct command_line line = { .all = s->o->all, .given = &to, .excerpt = &x };
	struct err e;

	if (!name.p || !tool_find(s->o->all, name, &s->tool)) {
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
	if (arguments_take(&s->tool, given, s->o->fence, &s->mem, &to, &x, &e) != OK ||
		call_start(&s->call, &s->tool, &line, s->o->fence, &s->o->limits, &e) != OK) {
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
	size_t i;

	if (id.n && s->is_calling && is_id(&s->id, id)) {
		s->is_cancelled = true;
		call_stop(&s->call);
	}
	for (i = s->nqueue; i-- > 0;)
		if (id.n && is_id(&s->queue[i].id, id))
			drop(s, i);
}

static void answer(struct session *s, const struct message *m, struct span text)
{
	struct err e;

	if (span_is(m->method, "ping"))
		ping(s, m);
	else if (span_is(m->method, "initialize") && !s->is_ready)
		initialize(s, m);
	else if (span_is(m->method, "initialize"))
		refuse(s, m->id, RPC_REQUEST, "the session is initialized already");
	else if (!s->is_ready)
		refuse(s, m->id, RPC_REQUEST, "initialize comes first");
	else if (span_is(m->method, "tools/list"))
		tools_list(s, m);
	else if (span_is(m->method, "tools/call"))
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
	enum rpc code;
	struct err e;

	if (span_trim(text).n == 0 || span_is(text, "\r"))
		return;
	code = message_read(text, &s->mem, &m, &e);
	if (code != RPC_FINE)
		fail(s, m.id, code, &e);
	else if (m.id.n && m.method.n)
		answer(s, &m, text);
	else if (span_is(m.method, "notifications/cancelled"))
		cancel(s, &m);
	arena_clear(&s->mem);
}

/* ---- the loop ---- */

/* All lines that have come. */
static void take_all(struct session *s)
{
	const struct span none = { "", 0 };
	enum channel_line what;
	struct span line;

	while (!s->is_lost && (what = channel_next(&s->channel, &line)) != CHANNEL_NONE)
		if (what == CHANNEL_LINE)
			take(s, line);
		else
			refuse(s, none, RPC_PARSE, "the message is longer than 1 MiB");
}

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
		take_all(s);
	}
	if (fd[1].revents)
		end_call(s);
	else if (s->is_calling)
		call_urge(&s->call);
}

bool session_run(const struct session_options *o)
{
	struct session s = { .o = o, .channel = { .in = o->in, .out = o->out } };
	bool is_lost;

	arena_init(&s.mem);
	while (!s.is_lost && !(s.channel.is_ended && !s.is_calling))
		wait_for_any(&s);
	if (s.is_calling)
		call_drop(&s.call);
	while (s.nqueue)
		drop(&s, s.nqueue - 1);
	is_lost = s.is_lost;
	str_free(&s.id);
	channel_free(&s.channel);
	arena_clear(&s.mem);
	return !is_lost;
}
