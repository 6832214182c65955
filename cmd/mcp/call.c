/*
 * Fork, run the command, collect.
 */
#define _GNU_SOURCE 1 /* memfd_create, pipe2 */
#include "cmd/mcp/call.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/answer.h"
#include "cmd/command.h"
#include "cmd/mcp/sandbox.h"
#include "cmd/output.h"
#include "report/escape.h"

enum { TEXT_MAX = 256 << 10 }; /* bytes of a text that goes out */

/* The child: never returns. */
static void run(const struct tool *t, const struct cmdline *line, const struct excerpt *x,
	const struct fence *f, const struct call *c)
{
	char **argv = (char **)(void *)line->v;
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC), code;

	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	(void)dup2(nothing, STDIN_FILENO);
	(void)dup2(c->out, STDOUT_FILENO);
	(void)dup2(c->err, STDERR_FILENO);
	if (t->kind != TOOL_TRACE)
		(void)sandbox_enter(f->root, f->n, false);
	if (t->verb.analysis)
		code = answer_run_excerpt(t->verb.analysis, (int)line->n, argv, x);
	else
		code = t->verb.command->run((int)line->n, argv);
	_exit(output_finish(code));
}

static void close_all(struct call *c, int end)
{
	const int fd[] = { c->done, c->out, c->err, end };
	size_t i;

	for (i = 0; i < COUNT_OF(fd); i++)
		if (fd[i] >= 0)
			(void)close(fd[i]);
}

enum status call_start(struct call *c, const struct tool *t, const struct cmdline *line,
	const struct excerpt *x, const struct fence *f, struct err *e)
{
	int ends[2] = { -1, -1 };
	bool is_piped = pipe2(ends, O_CLOEXEC) == 0;

	*c = (struct call){ .pid = -1, .done = ends[0] };
	c->out = memfd_create("out", MFD_CLOEXEC);
	c->err = memfd_create("err", MFD_CLOEXEC);
	if (is_piped && c->out >= 0 && c->err >= 0)
		c->pid = fork();
	if (c->pid == 0)
		run(t, line, x, f, c);
	if (c->pid < 0) {
		(void)err_set(e, E_IO, -1, "cannot start a process: %s", strerror(errno));
		close_all(c, ends[1]);
		return E_IO;
	}
	(void)close(ends[1]);
	return OK;
}

void call_stop(struct call *c)
{
	c->is_late = true;
	(void)kill(c->pid, SIGTERM);
}

/* All that was written to a file in memory. */
static void get(int fd, struct str *text)
{
	char chunk[1 << 14];
	ssize_t n;

	while ((n = pread(fd, chunk, sizeof(chunk), (off_t)text->n)) > 0)
		str_add(text, chunk, (size_t)n);
	while (text->n && text->s[text->n - 1] == '\n')
		text->n--;
}

static void put_text(struct str *b, const struct str *text)
{
	struct span all = { text->n ? text->s : "", text->n }, s = utf8_cut(all, TEXT_MAX);

	if (b->s[b->n - 1] != '[')
		str_addc(b, ',');
	str_adds(b, "{\"type\":\"text\",\"text\":");
	escape_json(b, s);
	str_addc(b, '}');
	if (s.n < all.n)
		str_addf(b, ",{\"type\":\"text\",\"text\":\"%zu bytes more\"}", all.n - s.n);
}

/* How it ended where it did not end by itself. */
static void say_end(const struct call *c, int status, struct str *said)
{
	if (c->is_late)
		str_adds(said,
			"traceq: the call took too long and was ended; "
			"ask about fewer files or steps, or start 'traceq mcp' with a longer "
			"--timeout");
	else if (WIFSIGNALED(status))
		str_addf(said, "traceq: the call was ended by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
}

void call_finish(struct call *c, const struct tool *t, struct str *result)
{
	struct str printed = { 0 }, said = { 0 };
	bool is_answer;
	int status = 0, code;

	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	get(c->out, &printed);
	get(c->err, &said);
	close_all(c, -1);
	say_end(c, status, &said);
	code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_NO_ANSWER;
	is_answer = code != EXIT_NO_ANSWER;
	str_adds(result, "{\"content\":[");
	if (printed.n || !said.n)
		put_text(result, &printed);
	if (said.n && !(is_answer && tool_has_tables(t)))
		put_text(result, &said);
	str_addf(result, "],\"isError\":%s,\"_meta\":{\"traceq/exit_code\":%d}}",
		is_answer ? "false" : "true", code);
	str_free(&printed);
	str_free(&said);
}

void call_refused(const struct err *e, struct str *result)
{
	struct str text = { 0 };

	str_adds(&text, e->text);
	if (e->hint[0])
		str_addf(&text, "\n%s", e->hint);
	str_adds(result, "{\"content\":[");
	put_text(result, &text);
	str_adds(result, "],\"isError\":true}");
	str_free(&text);
}
