/* The launcher: environment, fork, wait, seal, report. */
#include "capture/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VALUE_MAX = 8192 };

/* ---- before ---- */

static bool try_library(char *path, const char *dir, const char *sub)
{
	char joined[CAPTURE_PATH_MAX];
	int n = snprintf(joined, sizeof(joined), "%s/%s" CAPTURE_LIBRARY, dir, sub);
	char *real = n > 0 && (size_t)n < sizeof(joined) ? realpath(joined, NULL) : NULL;
	bool ok = real && strlen(real) < CAPTURE_PATH_MAX && access(real, R_OK) == 0;

	if (ok)
		(void)snprintf(path, CAPTURE_PATH_MAX, "%s", real);
	free(real);
	return ok;
}

bool launch_find_library(const char *given, char *path, char *words)
{
	char self[CAPTURE_PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *real;

	if (given) {
		real = realpath(given, NULL);
		if (!real || strlen(real) >= CAPTURE_PATH_MAX) {
			free(real);
			return capture_fail(words, "%s: %s", given, strerror(errno));
		}
		(void)snprintf(path, CAPTURE_PATH_MAX, "%s", real);
		free(real);
		return true;
	}
	self[n > 0 ? n : 0] = 0;
	char *slash = strrchr(self, '/');
	if (slash) {
		*slash = 0;
		if (try_library(path, self, "") || try_library(path, self, "../lib/traceq/"))
			return true;
	}
	return capture_fail(words,
		CAPTURE_LIBRARY " is neither beside traceq nor in ../lib/traceq: give "
				"--lib=PATH");
}

bool launch_absolute(const char *pattern, char *path, char *words)
{
	char dir[CAPTURE_PATH_MAX];
	size_t n = 0;

	if (pattern[0] == '/') {
		n = (size_t)snprintf(path, CAPTURE_PATH_MAX, "%s", pattern);
		return n < CAPTURE_PATH_MAX || capture_fail(words, "the file name is too long");
	}
	if (!getcwd(dir, sizeof(dir)))
		return capture_fail(words, "this folder: %s", strerror(errno));
	for (size_t i = 0; dir[i] && n + 3 < CAPTURE_PATH_MAX; i++) {
		path[n++] = dir[i];
		if (dir[i] == '%') /* the folder's own, not the pattern's */
			path[n++] = '%';
	}
	if (n + 2 + strlen(pattern) > CAPTURE_PATH_MAX)
		return capture_fail(words, "the file name is too long");
	(void)snprintf(path + n, CAPTURE_PATH_MAX - n, "/%s", pattern);
	return true;
}

const char *launch_other_tool(void)
{
	static const char *const names[] = { "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH",
		"NSYS_PROFILING_SESSION_ID" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *v = getenv(names[i]);

		if (v && *v)
			return names[i];
	}
	return NULL;
}

/* ---- running ---- */

/* lint: the handler has no other way to know them */
static volatile sig_atomic_t child_pid;    /* 0: it has ended */
static volatile sig_atomic_t wait_is_over; /* waited for what it left behind */

/* The terminal's signals reach the program by themselves.  The others are passed on.  When it has
 * ended and we wait for what it left behind, a signal ends that. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (child_pid == 0)
		wait_is_over = 1;
	else if (child_pid > 0 && info->si_code <= 0)
		(void)kill((pid_t)child_pid, number);
}

static const int passed[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };
enum { PASSED = sizeof(passed) / sizeof(passed[0]) };

static void catch_signals(struct sigaction old[PASSED])
{
	struct sigaction ours = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART };

	(void)sigemptyset(&ours.sa_mask);
	for (int i = 0; i < PASSED; i++)
		(void)sigaction(passed[i], &ours, &old[i]);
}

static void restore_signals(const struct sigaction old[PASSED])
{
	for (int i = 0; i < PASSED; i++)
		(void)sigaction(passed[i], &old[i], NULL);
}

/* In the child: never returns.  The pipe closes when the program runs, or carries errno. */
static void become(char *const *argv, int report)
{
	(void)execvp(argv[0], argv);
	int error = errno;
	(void)!write(report, &error, sizeof(error));
	_exit(error == ENOENT ? LAUNCH_NOT_FOUND : LAUNCH_NOT_EXECUTABLE);
}

static bool start(const struct capture_settings *s, const char *library, const char *dir,
	char *const *argv, pid_t *pid, struct launch_report *report, char *words)
{
	struct sigaction old[PASSED];
	sigset_t before;
	int pipes[2], error = 0;

	if (pipe2(pipes, O_CLOEXEC) != 0)
		return capture_fail(words, "%s", strerror(errno));
	/* Held back: one that comes before the program is there is passed on when it is. */
	sigset_t held;
	(void)sigemptyset(&held);
	for (int i = 0; i < PASSED; i++)
		(void)sigaddset(&held, passed[i]);
	(void)sigprocmask(SIG_BLOCK, &held, &before);
	catch_signals(old);
	*pid = fork();
	if (*pid == 0) {
		restore_signals(old);
		(void)sigprocmask(SIG_SETMASK, &before, NULL);
		char value[VALUE_MAX];
		if (!(capture_settings_encode(s, value, sizeof(value)) &&
			    setenv(CAPTURE_VARIABLE, value, 1) == 0 &&
			    setenv(CAPTURE_RUN_DIR, dir, 1) == 0 &&
			    setenv("CUDA_INJECTION64_PATH", library, 1) == 0 &&
			    (!s->nvtx || setenv("NVTX_INJECTION64_PATH", library, 1) == 0)))
			_exit(LAUNCH_FAILED);
		become(argv, pipes[1]);
	}
	child_pid = *pid;
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	(void)close(pipes[1]);
	if (*pid > 0 && read(pipes[0], &error, sizeof(error)) == (ssize_t)sizeof(error)) {
		report->exit_code = error == ENOENT ? LAUNCH_NOT_FOUND : LAUNCH_NOT_EXECUTABLE;
		(void)waitpid(*pid, NULL, 0);
		*pid = -1;
	} else if (*pid < 0) {
		error = errno;
	}
	(void)close(pipes[0]);
	return *pid > 0 || capture_fail(words, "%s: %s", argv[0], strerror(error));
}

static bool make_dir(char *dir, size_t size, char *words)
{
	const char *tmp = getenv("TMPDIR");

	if (!tmp || tmp[0] != '/' || strlen(tmp) > size - 32)
		tmp = "/tmp";
	(void)snprintf(dir, size, "%s/traceq-XXXXXX", tmp);
	return mkdtemp(dir) || capture_fail(words, "%s: %s", dir, strerror(errno));
}

bool launch_run(const struct capture_settings *s, const char *library, char *const *argv,
	struct launch_report *report, char *words)
{
	char dir[CAPTURE_PATH_MAX];
	pid_t pid = -1;

	*report = (struct launch_report){ .exit_code = LAUNCH_FAILED };
	if (!make_dir(dir, sizeof(dir), words))
		return false;
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (!start(s, library, dir, argv, &pid, report, words)) {
		launch_remove_dir(dir);
		return false;
	}
	int status = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	child_pid = 0;
	report->pid = (int)pid;
	report->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	report->exit_code = report->signal ? 128 + report->signal : WEXITSTATUS(status);
	launch_wait(report, dir, &wait_is_over);
	launch_gather(report, dir);
	launch_remove_dir(dir);
	return true;
}
