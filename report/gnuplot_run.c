/*
 * Running gnuplot: found in PATH, no shell between, its picture renamed into place when it is
 * whole.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/gnuplot.h"

enum { SAID_MAX = 400 };

/* What gnuplot says on stderr: the first SAID_MAX bytes, the rest is read and dropped. */
static size_t listen_to(int fd, char *said)
{
	char rest[256];
	size_t n = 0;
	ssize_t got;

	for (;;) {
		bool has_room = n < SAID_MAX;

		got = read(fd, has_room ? said + n : rest, has_room ? SAID_MAX - n : sizeof(rest));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n += has_room ? (size_t)got : 0;
	}
	said[n] = '\0';
	return n;
}

/* The line of what was said that tells the fault: the last one that is not blank. */
static const char *last_line(char *said)
{
	char *line, *next, *last = said;

	for (line = said; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		while (*line == ' ' || *line == '\t' || *line == '^')
			line++;
		if (*line)
			last = line;
	}
	return last;
}

static enum status start(const char *dir, char *const *argv, int err_fd, pid_t *pid, struct err *e)
{
	posix_spawn_file_actions_t act;
	posix_spawnattr_t attr;
	sigset_t none;
	int code;

	(void)posix_spawn_file_actions_init(&act);
	(void)posix_spawnattr_init(&attr);
	(void)sigemptyset(&none);
	(void)posix_spawnattr_setsigmask(&attr, &none);
	(void)posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	(void)posix_spawn_file_actions_addopen(&act, 0, "/dev/null", O_RDONLY, 0);
	(void)posix_spawn_file_actions_addopen(&act, 1, "/dev/null", O_WRONLY, 0);
	(void)posix_spawn_file_actions_adddup2(&act, err_fd, 2);
	(void)posix_spawn_file_actions_addchdir_np(&act, dir);
	code = posix_spawnp(pid, argv[0], &act, &attr, argv, environ);
	(void)posix_spawnattr_destroy(&attr);
	(void)posix_spawn_file_actions_destroy(&act);
	if (code == 0)
		return OK;
	if (code != ENOENT)
		return err_set(e, E_IO, -1, "cannot run gnuplot: %s", strerror(code));
	(void)err_set(e, E_NODATA, -1, "gnuplot is not installed, so no picture was drawn");
	return err_hint(e,
		"install it (Debian, Ubuntu: gnuplot-nox; Fedora: gnuplot); script and "
		"data are written");
}

static enum status spawn(const char *dir, char *const *argv, char *said, struct err *e)
{
	int fd[2], code = 0;
	enum status st;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) != 0)
		return err_set(e, E_IO, -1, "cannot run gnuplot: %s", strerror(errno));
	st = start(dir, argv, fd[1], &pid, e);
	(void)close(fd[1]);
	if (st == OK) {
		(void)listen_to(fd[0], said);
		while (waitpid(pid, &code, 0) < 0 && errno == EINTR)
			continue;
	}
	(void)close(fd[0]);
	if (st != OK || (WIFEXITED(code) && WEXITSTATUS(code) == 0))
		return st;
	return err_set(e, E_IO, -1, "gnuplot failed: %s", last_line(said));
}

static char *join(const char *dir, const char *name)
{
	struct str b = { 0 };

	str_addf(&b, "%s/%s", dir, name);
	return b.s;
}

static enum status put_in_place(
	const char *dir, const char *beside, const char *picture, struct err *e)
{
	char *from = join(dir, beside), *to = join(dir, picture);
	enum status st = OK;

	if (rename(from, to) != 0) {
		st = err_set(
			e, E_IO, -1, "gnuplot drew no picture '%s': %s", picture, strerror(errno));
		(void)unlink(from);
	}
	free(from);
	free(to);
	return st;
}

enum status gnuplot_run(const char *dir, const char *script, const char *picture, struct err *e)
{
	char said[SAID_MAX + 1];
	struct str set = { 0 }, beside = { 0 }, file = { 0 };
	char program[] = "gnuplot", defaults[] = "-d", option[] = "-e";
	char *argv[] = { program, defaults, option, NULL, NULL, NULL };
	enum status st;

	/* A name of ours, so that it needs no quoting: the picture's own could be anything. */
	str_addf(&beside, ".traceq-picture-%ld", (long)getpid());
	str_addf(&set, "picture = '%s'", beside.s);
	str_addf(&file, "./%s", script);
	argv[3] = set.s;
	argv[4] = file.s;
	st = spawn(dir, argv, said, e);
	if (st == OK)
		st = put_in_place(dir, beside.s, picture, e);
	else if (st != E_NODATA) {
		char *left = join(dir, beside.s);

		(void)unlink(left);
		free(left);
	}
	str_free(&set);
	str_free(&beside);
	str_free(&file);
	return st;
}
