/*
 * The status line of a process for its launcher: one JSON object in a file of the run directory,
 * replaced by renaming.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/inject/say.h"
#include "capture/inject/session.h"

static void text(struct jtext *t, const char *key, const char *value)
{
	JTEXT_LIT(t, ", \"");
	jtext_puts(t, key);
	JTEXT_LIT(t, "\": ");
	jtext_string(t, value, strlen(value));
}

static void number(struct jtext *t, const char *key, int64_t v)
{
	JTEXT_LIT(t, ", \"");
	jtext_puts(t, key);
	JTEXT_LIT(t, "\": ");
	jtext_i64(t, v);
}

static void put(struct session *s, struct jtext *t, const char *state)
{
	JTEXT_LIT(t, "{\"pid\": ");
	jtext_i64(t, s->whence.pid);
	number(t, "ppid", s->whence.ppid);
	number(t, "rank", s->whence.rank);
	text(t, "exe", s->whence.program);
	text(t, "state", state);
	text(t, "part", strcmp(state, "done") != 0 ? s->out.part : "");
	text(t, "next", s->out.next);
	text(t, "file", s->out.path);
	number(t, "events", (int64_t)s->emit.events);
	number(t, "kernels", (int64_t)s->emit.kernels);
	number(t, "bytes", (int64_t)s->out.offset);
	number(t, "dropped", (int64_t)(s->dropped_by_cupti + s->pool.dropped_buffers));
	number(t, "partial", !session_is_whole(s));
	number(t, "cuda", atomic_load(&s->uses_cuda));
	number(t, "cupti", s->cupti.version);
	text(t, "libcupti", s->cupti.path);
	text(t, "error", s->error);
	JTEXT_LIT(t, "}\n");
}

void status_write(struct session *s, const char *state)
{
	char next[CAPTURE_PATH_MAX + 8];
	struct jtext t = { 0 };
	ssize_t n = -1;
	bool is_told;
	int fd;

	if (!s->status_path[0])
		return;
	put(s, &t, state);
	(void)snprintf(next, sizeof(next), "%s.new", s->status_path);
	fd = open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd >= 0) {
		n = write(fd, t.p, t.n);
		(void)close(fd);
	}
	is_told = n == (ssize_t)t.n && !t.failed && rename(next, s->status_path) == 0;
	if (!is_told && !s->said_status) {
		s->said_status = true;
		inject_say("the launcher cannot be told of this recording (%s: %s): should the "
			   "program be killed, finish its file with traceq capture --seal",
			s->status_path, strerror(errno));
	}
	if (!is_told && fd >= 0)
		(void)unlink(next);
	jtext_free(&t);
}
