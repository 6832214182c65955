/* Running gnuplot: found in PATH, no shell between, with an environment that is chosen.  It draws
 * to its stdout, so that it knows no name of a picture. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/program.h"
#include "report/chart/draw/gnuplot.h"

enum { SAID_MAX = 400 };

/* What gnuplot gets of the environment: where its libraries and the fonts are.  Not GNUTERM and
 * others that change what is drawn, nor DISPLAY. */
static const char *const KEPT[] = { "PATH", "LD_LIBRARY_PATH", "HOME", "FONTCONFIG_FILE",
	"FONTCONFIG_PATH", "FONTCONFIG_SYSROOT", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
	"XDG_DATA_HOME", "XDG_DATA_DIRS" };

enum { ENVIRONMENT = COUNT_OF(KEPT) + 2 };

/* What gnuplot says on stderr: the first SAID_MAX bytes, the rest is read and dropped. */
static void listen_to(int fd, char *said)
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
}

/* The line of what was said that tells the fault: the last one that is not blank. */
static const char *last_line(char *said)
{
	char *next, *last = said;

	for (char *line = said; line; line = next) {
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

/* The entry "NAME=value" of the environment (borrowed), or NULL. */
static char *entry_of(const char *name)
{
	size_t n = strlen(name);

	for (char **entry = environ; entry && *entry; entry++)
		if (strncmp(*entry, name, n) == 0 && (*entry)[n] == '=')
			return *entry;
	return NULL;
}

/* out: the descriptor the picture goes to; err: what gnuplot says. */
static int start(const char *dir, char *const *argv, int out, int err, pid_t *pid)
{
	char locale[] = "LC_ALL=C.UTF-8", *env[ENVIRONMENT];
	posix_spawn_file_actions_t act;
	posix_spawnattr_t attr;
	sigset_t none;

	size_t n = 0;
	for (size_t i = 0; i < COUNT_OF(KEPT); i++) {
		env[n] = entry_of(KEPT[i]);
		n += env[n] != NULL;
	}
	env[n++] = locale;
	env[n] = NULL;
	(void)posix_spawn_file_actions_init(&act);
	(void)posix_spawnattr_init(&attr);
	(void)sigemptyset(&none);
	(void)posix_spawnattr_setsigmask(&attr, &none);
	(void)posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	(void)posix_spawn_file_actions_addopen(&act, 0, "/dev/null", O_RDONLY, 0);
	(void)posix_spawn_file_actions_adddup2(&act, out, 1);
	(void)posix_spawn_file_actions_adddup2(&act, err, 2);
	(void)posix_spawn_file_actions_addchdir_np(&act, dir);
	int code = posix_spawn(pid, argv[0], &act, &attr, argv, env);
	(void)posix_spawnattr_destroy(&attr);
	(void)posix_spawn_file_actions_destroy(&act);
	return code;
}

static enum status spawn(const char *dir, char *const *argv, int out, struct err *e)
{
	char said[SAID_MAX + 1] = "";
	int fd[2], exit_code = 0;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) != 0)
		return err_set(e, E_IO, -1, "cannot run gnuplot: %s", strerror(errno));
	int code = start(dir, argv, out, fd[1], &pid);
	(void)close(fd[1]);
	if (code == 0) {
		listen_to(fd[0], said);
		while (waitpid(pid, &exit_code, 0) < 0 && errno == EINTR)
			continue;
	}
	(void)close(fd[0]);
	if (code != 0)
		return err_set(e, E_IO, -1, "cannot run gnuplot: %s", strerror(code));
	if (!WIFEXITED(exit_code) || WEXITSTATUS(exit_code) != 0)
		return err_set(e, E_IO, -1, "gnuplot failed: %s", last_line(said));
	return OK;
}

/* ---- the picture ---- */

/* Its temporary files, which gnuplot knows by their names in its folder. */
struct drawing {
	struct io_temp script, data;
};

static enum status make(struct io_temp *t, const char *dir, struct span text, struct err *e)
{
	size_t at = 0;

	TRY(io_temp_make(t, strcmp(dir, ".") == 0 ? "" : dir, e));
	while (at < text.n) {
		ssize_t n = write(t->fd, text.p + at, text.n - at); /* lint: allow text: as it is */

		if (n < 0 && errno != EINTR)
			return err_set(e, E_IO, -1, "cannot write: %s", strerror(errno));
		at += (size_t)MAX(n, 0);
	}
	return OK;
}

static bool is_empty(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0;
}

/* Draws to the picture, which is there when it is whole. */
static enum status draw(const struct gnuplot_job *job, char *const *argv, struct err *e)
{
	struct io_file f;

	TRY(io_named(job->picture, io_create(&f, job->picture, e), e));
	enum status st = spawn(job->dir, argv, fileno(f.out), e);
	if (st == OK && is_empty(fileno(f.out)))
		st = err_set(e, E_IO, -1, "gnuplot drew no picture '%s'", job->picture);
	if (st == OK)
		return io_named(job->picture, io_commit(&f, e), e);
	io_abandon(&f);
	return st;
}

static enum status draw_from(
	const struct gnuplot_job *job, struct drawing *d, char **argv, struct err *e)
{
	SCOPED_STR file = { 0 }, names = { 0 };
	enum status st = make(&d->script, job->dir, job->script, e);

	THEN(st, make(&d->data, job->dir, job->data, e));
	if (st != OK)
		return io_named(job->picture, st, e);
	str_addf(&names, "picture = \"\"; data = \"./%s\"", path_name(d->data.path));
	str_addf(&file, "./%s", path_name(d->script.path));
	argv[3] = names.s;
	argv[4] = file.s;
	return draw(job, argv, e);
}

enum status gnuplot_run(const struct gnuplot_job *job, struct err *e)
{
	char defaults[] = "-d", option[] = "-e";
	char *argv[] = { program_find("gnuplot"), defaults, option, NULL, NULL, NULL };
	struct drawing d = { .script.fd = -1, .data.fd = -1 };

	if (!argv[0])
		return err_hinted(e, E_NODATA,
			"install it (Debian, Ubuntu: gnuplot-nox; Fedora: gnuplot); script and "
			"data are written",
			"gnuplot is not installed, so no picture was drawn");
	enum status st = draw_from(job, &d, argv, e);
	io_temp_drop(&d.script);
	io_temp_drop(&d.data);
	free(argv[0]);
	return st;
}
