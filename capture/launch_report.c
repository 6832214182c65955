/*
 * The end of a launch: waiting for who records, sealing what was left, adding up.
 */
#include "capture/launch_report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/seal.h"
#include "capture/status.h"

enum { STATUS_BYTES_MAX = 16384, LOOK_EVERY_NS = 20000000 };

static bool read_status(const char *dir, const char *name, char *text)
{
	char path[CAPTURE_PATH_MAX + 300];
	ssize_t n = -1;
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0) {
		n = read(fd, text, STATUS_BYTES_MAX - 1);
		(void)close(fd);
	}
	text[n > 0 ? n : 0] = 0;
	return n > 0;
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
	char path[CAPTURE_PATH_MAX + 300];
	DIR *d = opendir(dir);
	const struct dirent *e;

	while (d && (e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		(void)unlink(path);
	}
	if (d)
		(void)closedir(d);
	(void)rmdir(dir);
}

struct gathering {
	struct launch_report *report;
	pid_t main_pid;
	int main_signal;
	bool someone_records; /* a process that is still alive */
};

static bool is_recording(void *user, const char *text)
{
	struct gathering *g = user;
	char state[16];
	pid_t pid = (pid_t)status_number(text, "pid", 0);

	status_text(text, "state", state, sizeof(state));
	if (strcmp(state, "done") == 0 || strcmp(state, "broken") == 0 || pid <= 0)
		return true;
	g->someone_records = kill(pid, 0) == 0 || errno == EPERM;
	return !g->someone_records;
}

static double seconds_since(uint64_t realtime_ns)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9 - (double)realtime_ns / 1e9;
}

/* As much of a text as fits. */
static void copy_text(char *to, size_t size, const char *from)
{
	size_t n = strlen(from) < size ? strlen(from) : size - 1;

	memcpy(to, from, n);
	to[n] = 0;
}

/* Finishes what the process left unfinished. */
static void seal(struct launch_process *p, const char *part)
{
	char error[SEAL_ERROR_MAX];
	struct sealed sealed;

	switch (seal_file(part, &sealed, error)) {
	case SEAL_OK:
		copy_text(p->file, sizeof(p->file), sealed.path);
		p->events = sealed.events;
		p->bytes = sealed.bytes;
		p->is_complete = sealed.was_complete;
		p->lost_s = seconds_since(sealed.time_ns);
		break;
	case SEAL_EMPTY:
		(void)unlink(part);
		p->file[0] = 0;
		if (!p->error[0])
			copy_text(p->error, sizeof(p->error), error);
		break;
	default:
		if (p->file[0] && access(p->file, F_OK) == 0) {
			p->is_complete = true; /* it died after the renaming */
			break;
		}
		copy_text(p->error, sizeof(p->error), error);
		copy_text(p->file, sizeof(p->file), part); /* what there is */
		p->is_complete = false;
	}
}

static bool gather(void *user, const char *text)
{
	struct gathering *g = user;
	struct launch_report *r = g->report;
	struct launch_process *p = realloc(r->process, (r->nprocess + 1) * sizeof(*r->process));
	char state[16], part[CAPTURE_PATH_MAX];

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
	status_text(text, "exe", p->program, sizeof(p->program));
	status_text(text, "file", p->file, sizeof(p->file));
	status_text(text, "error", p->error, sizeof(p->error));
	status_text(text, "state", state, sizeof(state));
	status_text(text, "part", part, sizeof(part));
	p->is_complete = strcmp(state, "done") == 0;
	if (p->pid == (int)g->main_pid)
		p->signal = g->main_signal;
	if (part[0])
		seal(p, part);
	return true;
}

static int by_rank(const void *a, const void *b)
{
	const struct launch_process *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

int launch_wait(pid_t pid, const char *dir)
{
	const struct timespec pause = { 0, LOOK_EVERY_NS };
	struct gathering g;
	int status = 0, left;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	do {
		while (waitpid(-1, &left, WNOHANG) > 0)
			;
		g = (struct gathering){ 0 };
		each_status(dir, is_recording, &g);
		if (g.someone_records)
			(void)nanosleep(&pause, NULL);
	} while (g.someone_records);
	return status;
}

void launch_gather(struct launch_report *report, const char *dir, pid_t main_pid, int main_signal)
{
	struct gathering g = { .report = report, .main_pid = main_pid, .main_signal = main_signal };

	each_status(dir, gather, &g);
	if (report->nprocess)
		qsort(report->process, report->nprocess, sizeof(*report->process), by_rank);
}

void launch_report_clear(struct launch_report *report)
{
	free(report->process);
	*report = (struct launch_report){ 0 };
}
