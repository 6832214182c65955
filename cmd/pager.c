/*
 * The pager: a shell command that reads the text.  LESS and LV are what git sets them to where the
 * user has not: quit if it fits, keep colours, leave the text on the screen.
 */
#include "cmd/pager.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/program.h"
#include "cmd/screen.h"

/* What a shell says where there is no such command, or none that can be run. */
enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

/* Empty: none; NULL: the default. */
static const char *command(void)
{
	const char *own = getenv("TRACEQ_PAGER");

	return own ? own : getenv("PAGER");
}

bool pager_is_wanted(void)
{
	const char *word = command();
	unsigned rows, columns;

	if (word && (!*word || strcmp(word, "cat") == 0))
		return false;
	return isatty(STDOUT_FILENO) && !screen_is_dumb() && screen_size(&rows, &columns);
}

void pager_turn_off(void)
{
	(void)setenv("TRACEQ_PAGER", "", 1);
}

/* ---- how high it is ---- */

/* Behind a sequence "ESC [ ... letter" at p. */
static const char *behind_sgr(const char *p, const char *end)
{
	p += 2;
	while (p < end && (*p < '@' || *p > '~'))
		p++;
	return p < end ? p + 1 : end;
}

/* Rows of the screen that the text takes; no more are counted than `most`. */
static size_t height(const char *text, size_t n, unsigned columns, size_t most)
{
	const char *p = text, *end = text + n;
	size_t rows = 0, at = 0;

	while (p < end && rows < most) {
		if (*p == '\033' && p + 1 < end && p[1] == '[') {
			p = behind_sgr(p, end);
			continue;
		}
		if (*p == '\n') {
			rows++;
			at = 0;
		} else if (((unsigned char)*p & 0xC0) != 0x80 && ++at > columns) {
			rows++;
			at = 1;
		}
		p++;
	}
	return rows;
}

/* ---- the process ---- */

/*
 * What does not end us while the pager runs: the keys that end a program, or what it does at the
 * moment, are for the pager, and that it reads no more is no fault.
 */
static const int set_aside[] = { SIGINT, SIGQUIT, SIGPIPE };

/* word: what a shell is to run; less: the program where it is NULL. */
static void become(int from, const char *word, const char *less)
{
	size_t i;

	for (i = 0; i < COUNT_OF(set_aside); i++)
		(void)signal(set_aside[i], SIG_DFL);
	if (dup2(from, STDIN_FILENO) < 0)
		_exit(NOT_FOUND);
	if (from != STDIN_FILENO)
		(void)close(from);
	if (word)
		(void)execl("/bin/sh", "sh", "-c", word, (char *)NULL);
	else
		(void)execl(less, "less", (char *)NULL);
	_exit(NOT_FOUND);
}

static void feed(int to, const char *text, size_t n)
{
	while (n > 0) {
		ssize_t done = write(to, text, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return; /* nobody reads any more */
		text += done;
		n -= (size_t)done;
	}
}

/* Whether it ran. */
static bool page(const char *text, size_t n, const char *word, const char *less)
{
	int end[2], status = 0;
	pid_t child;

	if (pipe(end) != 0)
		return false;
	child = fork();
	if (child == 0) {
		(void)close(end[1]);
		become(end[0], word, less);
	}
	(void)close(end[0]);
	if (child > 0)
		feed(end[1], text, n);
	(void)close(end[1]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return child > 0 &&
		!(WIFEXITED(status) &&
			(WEXITSTATUS(status) == NOT_FOUND ||
				WEXITSTATUS(status) == NOT_EXECUTABLE));
}

static bool page_undisturbed(const char *text, size_t n)
{
	struct sigaction before[COUNT_OF(set_aside)], wait = { .sa_handler = SIG_IGN };
	const char *word = command();
	char *less = word ? NULL : program_find("less");
	bool ran = false;
	size_t i;

	for (i = 0; i < COUNT_OF(set_aside); i++)
		(void)sigaction(set_aside[i], &wait, &before[i]);
	if (word || less)
		ran = page(text, n, word, less);
	for (i = 0; i < COUNT_OF(set_aside); i++)
		(void)sigaction(set_aside[i], &before[i], NULL);
	free(less);
	return ran;
}

bool pager_put(const char *text, size_t n)
{
	unsigned rows, columns;

	if (fflush(stdout) == 0 && pager_is_wanted() && screen_size(&rows, &columns) &&
		height(text, n, columns, rows) >= rows) {
		(void)setenv("LESS", "FRX", 0);
		(void)setenv("LV", "-c", 0);
		if (page_undisturbed(text, n))
			return true;
	}
	errno = 0;
	return fwrite(text, 1, n, stdout) == n && fflush(stdout) == 0;
}
