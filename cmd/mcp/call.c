/* Fork, run the command, collect. */
#define _GNU_SOURCE 1 /* memfd_create, pipe2 */
#include "cmd/mcp/call.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/unit.h"
#include "cmd/answer.h"
#include "cmd/clock.h"
#include "cmd/output.h"
#include "report/escape.h"

enum { TEXT_MAX = 256 << 10 }; /* bytes of a text that goes out */
enum { MS = 1000, PATIENCE_MAX_MS = 60 * MS, ALARM_S = 10 };

/* ---- the child ---- */

/* Source: proc(5), statm: pages of data. */
void call_measure(struct call_limits *l)
{
	FILE *f = fopen("/proc/self/statm", "r");
	int64_t pages = 0;

	if (f && fscanf(f, "%*d %*d %*d %*d %*d %" SCNd64, &pages) != 1)
		pages = 0;
	if (f)
		(void)fclose(f);
	l->had_bytes = MAX(pages * (int64_t)sysconf(_SC_PAGESIZE) - (int64_t)heap_spare(), 0);
}

/* What the child is held to.  The server sees to its time; where that cannot, as it waits for a
 * client that does not read, a timer of the child's own does.  Signals that whoever started the
 * server held back or ignored end a call all the same. */
static void limit(const struct call_limits *l)
{
	static const int ending[] = { SIGTERM, SIGALRM };
	struct rlimit memory;
	sigset_t set;

	(void)sigemptyset(&set);
	for (size_t i = 0; i < COUNT_OF(ending); i++) {
		struct sigaction now;

		(void)sigaddset(&set, ending[i]);
		if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN)
			(void)signal(ending[i], SIG_DFL);
	}
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
	if (l->timeout_s)
		(void)alarm((unsigned)l->timeout_s + ALARM_S);
	if (l->memory_bytes && getrlimit(RLIMIT_DATA, &memory) == 0) {
		rlim_t most = (rlim_t)(l->memory_bytes + l->had_bytes);

		if (memory.rlim_max == RLIM_INFINITY || most < memory.rlim_max)
			memory.rlim_max = most;
		memory.rlim_cur = memory.rlim_max;
		(void)setrlimit(RLIMIT_DATA, &memory);
	}
}

/* Never returns. */
static void run(const struct tool *t, const struct command_line *line, const struct fence *f,
	const struct call *c, pid_t server)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != server)
		_exit(EXIT_NO_ANSWER);
	limit(&c->limits);
	(void)dup2(nothing, STDIN_FILENO);
	(void)dup2(c->out, STDOUT_FILENO);
	(void)dup2(c->err, STDERR_FILENO);
	if (t->kind != TOOL_TRACE)
		(void)sandbox_enter(f->root, f->n, false);
	int code =
		t->verb.analysis ? answer_run(t->verb.analysis, line) : t->verb.command->run(line);
	_exit(output_finish(code));
}

static void close_all(struct call *c, int end)
{
	const int fd[] = { c->done, c->out, c->err, end };

	for (size_t i = 0; i < COUNT_OF(fd); i++)
		if (fd[i] >= 0)
			(void)close(fd[i]);
}

enum status call_start(struct call *c, const struct tool *t, const struct command_line *line,
	const struct fence *f, const struct call_limits *limits, struct err *e)
{
	const pid_t server = getpid();
	int ends[2] = { -1, -1 };
	bool is_piped = pipe2(ends, O_CLOEXEC) == 0;

	*c = (struct call){ .limits = *limits, .pid = -1, .done = ends[0] };
	c->out = memfd_create("out", MFD_CLOEXEC);
	c->err = memfd_create("err", MFD_CLOEXEC);
	if (is_piped && c->out >= 0 && c->err >= 0)
		c->pid = fork();
	if (c->pid == 0)
		run(t, line, f, c, server);
	if (c->pid < 0) {
		(void)err_set(e, E_IO, -1, "cannot start a process: %s", strerror(errno));
		close_all(c, ends[1]);
		return E_IO;
	}
	(void)close(ends[1]);
	if (limits->timeout_s)
		c->deadline_ms = clock_ms() + limits->timeout_s * MS;
	return OK;
}

/* ---- its end ---- */

void call_stop(struct call *c)
{
	if (c->is_stopped)
		return;
	c->is_stopped = true;
	c->deadline_ms = clock_ms() + CALL_GRACE_MS;
	(void)kill(c->pid, SIGTERM);
}

int call_patience(const struct call *c)
{
	int64_t left = c->deadline_ms - clock_ms();

	if (!c->deadline_ms)
		return -1;
	return (int)CLAMP(left, 0, PATIENCE_MAX_MS);
}

void call_urge(struct call *c)
{
	if (call_patience(c) != 0)
		return;
	if (c->is_stopped) {
		c->deadline_ms = 0;
		c->is_killed = true;
		(void)kill(c->pid, SIGKILL);
		return;
	}
	c->is_late = true;
	call_stop(c);
}

void call_drop(struct call *c)
{
	struct pollfd done = { c->done, POLLIN, 0 };

	call_stop(c);
	while (poll(&done, 1, call_patience(c)) == 0 || !done.revents)
		call_urge(c);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close_all(c, -1);
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
	bool is_out_of_memory = said->n >= sizeof(DIE_OOM_WORDS) - 1 && c->limits.memory_bytes &&
		strstr(said->s, DIE_OOM_WORDS);

	if (is_out_of_memory) {
		str_adds(said, "\nthe call may take ");
		unit_put_bytes(said, (double)c->limits.memory_bytes);
		str_adds(said,
			"; ask about fewer files or steps, or start 'traceq mcp' with a larger "
			"--memory");
	} else if (c->is_late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)) {
		str_adds(said,
			"traceq: the call took too long and was ended; "
			"ask about fewer files or steps, or start 'traceq mcp' with a longer "
			"--timeout");
	} else if (WIFSIGNALED(status)) {
		str_addf(said, "traceq: the call was ended by signal %d (%s)%s", WTERMSIG(status),
			strsignal(WTERMSIG(status)),
			WTERMSIG(status) == SIGKILL && !c->is_killed
				? "; the system does so where memory is short"
				: "");
	}
}

void call_finish(struct call *c, const struct tool *t, struct str *result)
{
	SCOPED_STR printed = { 0 }, said = { 0 };
	int status = 0;

	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	get(c->out, &printed);
	get(c->err, &said);
	close_all(c, -1);
	say_end(c, status, &said);
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_NO_ANSWER;
	bool is_answer = code != EXIT_NO_ANSWER;
	str_adds(result, "{\"content\":[");
	if (printed.n || !said.n)
		put_text(result, &printed);
	if (said.n && !(is_answer && tool_has_tables(t)))
		put_text(result, &said);
	str_addf(result, "],\"isError\":%s,\"_meta\":{\"traceq/exit_code\":%d}}",
		is_answer ? "false" : "true", code);
}

void call_refused(const struct err *e, struct str *result)
{
	SCOPED_STR text = { 0 };

	str_adds(&text, e->text);
	if (e->hint[0])
		str_addf(&text, "\n%s", e->hint);
	str_adds(result, "{\"content\":[");
	put_text(result, &text);
	str_adds(result, "],\"isError\":true}");
}
