/* The end of a launch: waiting for who records, sealing what was left, adding up. */
#include "capture/launch.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/seal.h"
#include "capture/system.h"

enum { STATUS_BYTES_MAX = 16384, LOOK_EVERY_NS = 20000000 };

static bool read_status(const char *dir, const char *name, char *text)
{
	char path[CAPTURE_PATH_MAX + 300];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	return system_read(path, text, STATUS_BYTES_MAX);
}

static bool is_status(const char *name)
{
	size_t n = strlen(name);

	return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

/* Calls look() with each status line until it says false. */
static void each_status(const char *dir, bool (*look)(void *user, const char *text), void *user)
{
	char *text = malloc(STATUS_BYTES_MAX);
	DIR *d = text ? opendir(dir) : NULL;
	const struct dirent *e;

	while (d && (e = readdir(d)))
		if (is_status(e->d_name) && read_status(dir, e->d_name, text) && !look(user, text))
			break;
	if (d)
		(void)closedir(d);
	free(text);
}

void launch_remove_dir(const char *dir)
{
	enum { TRIES = 5 };
	char gone[CAPTURE_PATH_MAX + 8];

	/* Who still records finds it no more; a line that was on its way may come once. */
	(void)snprintf(gone, sizeof(gone), "%s.gone", dir);
	if (rename(dir, gone) != 0)
		(void)snprintf(gone, sizeof(gone), "%s", dir);
	for (int i = 0; i < TRIES; i++) {
		char path[CAPTURE_PATH_MAX + 300];
		DIR *d = opendir(gone);
		const struct dirent *e;
		while (d && (e = readdir(d))) {
			if (e->d_name[0] == '.')
				continue;
			(void)snprintf(path, sizeof(path), "%s/%s", gone, e->d_name);
			(void)unlink(path);
		}
		if (d)
			(void)closedir(d);
		if (rmdir(gone) == 0)
			return;
	}
}

struct gathering {
	struct launch_report *report;
	bool someone_records; /* a process that is still alive */
};

/* Not so a zombie, whose parent may take its time, unless other threads than its first go on. */
static bool is_alive(pid_t pid)
{
	char path[64], text[1024];
	long threads = 0;
	int i;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	errno = 0;
	if (!system_read(path, text, sizeof(text)))
		return errno != ENOENT && (kill(pid, 0) == 0 || errno == EPERM);
	char *p = strrchr(text, ')'); /* the name before it may hold anything */
	if (!p || p[1] != ' ')
		return false;
	char state = p[2];
	/* After the state: 16 numbers, then that of threads. */
	for (i = 0, p += 2; i < 17 && p; i++)
		p = strchr(p + 1, ' ');
	if (p)
		threads = strtol(p, NULL, 10);
	return (state != 'Z' && state != 'X') || threads > 1;
}

static bool is_ended(const char *state)
{
	return strcmp(state, "done") == 0 || strcmp(state, "broken") == 0;
}

static bool is_recording(void *user, const char *text)
{
	struct gathering *g = user;
	char state[16];
	pid_t pid = (pid_t)status_number(text, "pid", 0);

	status_text(text, "state", state, sizeof(state));
	if (is_ended(state) || pid <= 0)
		return true;
	g->someone_records = is_alive(pid);
	return !g->someone_records;
}

/* As much of a text as fits. */
static void copy_text(char *to, size_t size, const char *from)
{
	size_t n = strlen(from) < size ? strlen(from) : size - 1;

	memcpy(to, from, n);
	to[n] = 0;
}

/* Under which name the file lies: part, or next, which it was about to get when the process ended
 * (inject/gzout.h).  Nobody else has part; that it is gone means that it became next. */
static void find_part(char *part, const char *next)
{
	struct stat a, b;

	if (!next[0])
		return;
	if (stat(part, &a) == 0) {
		if (stat(next, &b) != 0 || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
			return;
		(void)unlink(part);
	}
	copy_text(part, CAPTURE_PATH_MAX, next);
}

/* Finishes what the process left unfinished. */
static void seal(struct launch_process *p, const char *part, bool was_killed)
{
	char error[CAPTURE_WORDS_MAX];
	struct sealed sealed;
	struct stat st;

	if (stat(part, &st) != 0 && errno == ENOENT) {
		/* It died before it made the file, or after it gave it the last name. */
		p->outcome =
			(p->file[0] && access(p->file, F_OK) == 0) ? LAUNCH_WHOLE : LAUNCH_LOST;
		return;
	}
	switch (seal_file(part, &sealed, error)) {
	case SEAL_OK:
		if (sealed.events == 0 && was_killed) {
			part = sealed.path;
			break;
		}
		copy_text(p->file, sizeof(p->file), sealed.path);
		p->events = sealed.events;
		p->bytes = sealed.bytes;
		p->outcome = sealed.was_complete ? LAUNCH_WHOLE : LAUNCH_SEALED;
		p->has_device = sealed.device_ns;
		p->lost_s = p->has_device
			? (double)(system_realtime() - (int64_t)sealed.device_ns) / 1e9
			: 0;
		return;
	case SEAL_EMPTY: break;
	default:
		if (st.st_size < CHECKPOINT_HEAD)
			break;
		copy_text(p->error, sizeof(p->error), error);
		copy_text(p->file, sizeof(p->file), part); /* what there is */
		p->outcome = LAUNCH_LEFT;
		return;
	}
	(void)unlink(part);
	p->outcome = LAUNCH_LOST;
}

/* What became of the file, and its name. */
static void settle(struct launch_process *p, const char *text)
{
	char state[16], part[CAPTURE_PATH_MAX], next[CAPTURE_PATH_MAX];

	status_text(text, "file", p->file, sizeof(p->file));
	status_text(text, "state", state, sizeof(state));
	status_text(text, "part", part, sizeof(part));
	status_text(text, "next", next, sizeof(next));
	if (!is_ended(state) && is_alive((pid_t)p->pid)) {
		p->outcome = LAUNCH_RUNNING;
		return;
	}
	find_part(part, next);
	if (part[0])
		seal(p, part, !is_ended(state));
	else if (p->file[0])
		p->outcome = LAUNCH_WHOLE;
	else
		p->outcome = is_ended(state) ? LAUNCH_NOTHING : LAUNCH_LOST;
	if (p->outcome == LAUNCH_LOST || p->outcome == LAUNCH_NOTHING)
		p->file[0] = 0;
}

static bool gather(void *user, const char *text)
{
	struct gathering *g = user;
	struct launch_report *r = g->report;
	struct launch_process *p = realloc(r->process, (r->nprocess + 1) * sizeof(*r->process));

	if (!p)
		return false;
	r->process = p;
	p += r->nprocess++;
	*p = (struct launch_process){ .pid = (int)status_number(text, "pid", 0) };
	p->rank = (int)status_number(text, "rank", -1);
	p->events = (uint64_t)status_number(text, "events", 0);
	p->kernels = (uint64_t)status_number(text, "kernels", 0);
	p->bytes = (uint64_t)status_number(text, "bytes", 0);
	p->used_cuda = status_number(text, "cuda", 0) > 0;
	p->is_partial = status_number(text, "partial", 0) > 0;
	status_text(text, "exe", p->program, sizeof(p->program));
	status_text(text, "error", p->error, sizeof(p->error));
	if (p->pid == r->pid)
		p->signal = r->signal;
	settle(p, text);
	return true;
}

static int by_rank(const void *a, const void *b)
{
	const struct launch_process *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

void launch_wait(struct launch_report *report, const char *dir, const volatile sig_atomic_t *enough)
{
	const struct timespec pause = { 0, LOOK_EVERY_NS };
	struct gathering g;
	pid_t left;
	int status;

	for (;;) {
		do
			left = waitpid(-1, &status, WNOHANG);
		while (left > 0);
		report->left_running = left == 0;
		g = (struct gathering){ 0 };
		each_status(dir, is_recording, &g);
		if (!g.someone_records || *enough)
			return;
		(void)nanosleep(&pause, NULL);
	}
}

void launch_gather(struct launch_report *report, const char *dir)
{
	struct gathering g = { .report = report };

	each_status(dir, gather, &g);
	if (report->nprocess)
		qsort(report->process, report->nprocess, sizeof(*report->process), by_rank);
}

void launch_report_clear(struct launch_report *report)
{
	free(report->process);
	*report = (struct launch_report){ 0 };
}

/* ---- reading status lines ---- */

/* What follows `"key": `, or NULL. */
static const char *value_of(const char *text, const char *key)
{
	char quoted[80];
	int n = snprintf(quoted, sizeof(quoted), "\"%s\": ", key);

	if (n < 0 || (size_t)n >= sizeof(quoted))
		return NULL;
	const char *p = strstr(text, quoted);
	return p ? p + n : NULL;
}

int64_t status_number(const char *text, const char *key, int64_t otherwise)
{
	const char *p = value_of(text, key);
	char *end;

	if (!p)
		return otherwise;
	errno = 0;
	int64_t v = strtoll(p, &end, 10);
	return end == p || errno ? otherwise : v;
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character of an escape at p, which stands on the backslash; *length of it. */
static char escape(const char *p, size_t *length)
{
	*length = p[1] ? 2 : 1;
	switch (p[1]) {
	case 'n': return '\n';
	case 't': return '\t';
	case 'u':
		if (p[2] != '0' || p[3] != '0' || hex(p[4]) < 0 || hex(p[5]) < 0)
			return '?';
		*length = 6;
		return (char)(hex(p[4]) * 16 + hex(p[5]));
	default: return p[1];
	}
}

void status_text(const char *text, const char *key, char *to, size_t size)
{
	const char *p = value_of(text, key);
	size_t n = 0, length;

	to[0] = 0;
	if (!p || *p != '"')
		return;
	for (p++; *p && *p != '"'; p += length) {
		length = 1;
		if (n + 1 >= size) {
			to[0] = 0;
			return;
		}
		to[n++] = *p == '\\' ? escape(p, &length) : *p;
	}
	to[n] = 0;
}
