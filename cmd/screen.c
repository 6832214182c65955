/* Colours, width, character set.  The rules are those of no-color.org and of the BSD variables
 * CLICOLOR_FORCE and FORCE_COLOR: flag, then NO_COLOR, then *_FORCE, then what stdout is. */
#include "cmd/screen.h"

#include <errno.h>
#include <signal.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/program.h"
#include "cmd/options.h"
#include "report/format/renderer.h"

enum { WIDTH_MIN = 40, WIDTH_USUAL = 80, WIDTH_MAX = 10000 };

bool screen_is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !term[0] || strcmp(term, "dumb") == 0;
}

/* By the locale's name, which needs no locale to be installed, as in a container, and none to be
 * loaded. */
bool screen_has_utf8(void)
{
	static const char *const variable[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < COUNT_OF(variable); i++) {
		const char *value = getenv(variable[i]);
		const char *codeset = value ? strchr(value, '.') : NULL;

		if (value && *value)
			return codeset &&
				(strncasecmp(codeset, ".UTF-8", 6) == 0 ||
					strncasecmp(codeset, ".utf8", 5) == 0);
	}
	return false;
}

/* What a variable says, else the terminal on stdout: of rows or of columns; 0: neither does. */
static long terminal_size(const char *variable, bool is_rows)
{
	const char *given = getenv(variable);
	struct winsize ws;
	long n = given ? strtol(given, NULL, 10) : 0;

	if (n <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0)
		n = is_rows ? ws.ws_row : ws.ws_col;
	return n > 0 && n <= WIDTH_MAX ? n : n > 0 ? WIDTH_MAX : 0;
}

/* Columns for text: COLUMNS, else what the terminal on stdout says, else 80: what goes into a pipe
 * or a file looks as on a terminal. */
static unsigned text_width(bool is_file)
{
	const char *columns = getenv("COLUMNS");
	struct winsize ws;
	long width = columns ? strtol(columns, NULL, 10) : 0;

	if (width <= 0 && !is_file && ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0)
		width = ws.ws_col;
	if (width <= 0)
		return WIDTH_USUAL;
	return width < WIDTH_MIN ? WIDTH_MIN : (unsigned)MIN(width, WIDTH_MAX);
}

/* Rows and columns of the terminal on stdout: LINES and COLUMNS, else what it says.  False where
 * neither tells the rows. */
static bool screen_size(unsigned *rows, unsigned *columns)
{
	long width = terminal_size("COLUMNS", false);

	*rows = (unsigned)terminal_size("LINES", true);
	*columns = width > 0 ? (unsigned)width : WIDTH_USUAL;
	return *rows > 0;
}

/* A variable that is set and not empty; is_switch: nor "0". */
static bool is_set(const char *name, bool is_switch)
{
	const char *v = getenv(name);

	return v && v[0] && !(is_switch && strcmp(v, "0") == 0);
}

static bool wants_color(const struct output_options *o, bool is_file)
{
	if (o->color && strcmp(o->color, "auto") != 0)
		return strcmp(o->color, "always") == 0;
	if (is_set("NO_COLOR", false) || is_file)
		return false;
	if (is_set("CLICOLOR_FORCE", true) || is_set("FORCE_COLOR", true))
		return true;
	return isatty(STDOUT_FILENO) && !screen_is_dumb();
}

void screen_render(const struct output_options *o, bool is_file, struct render *how)
{
	*how = (struct render){
		.width = o->is_wide ? 0 : text_width(is_file),
		.color = wants_color(o, is_file),
		.utf8 = !o->is_ascii && screen_has_utf8(),
		.unit = o->unit,
	};
}

/* ---- the pager ---- */

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

/* Rows of the screen that the text takes.  No more are counted than `most`. */
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

/* What does not end us while the pager runs: the keys that end a program, or what it does at the
 * moment, are for the pager, and that it reads no more is no fault. */
static const int set_aside[] = { SIGINT, SIGQUIT, SIGPIPE };

/* word: what a shell is to run; less: the program where it is NULL. */
static void become(int from, const char *word, const char *less)
{
	for (size_t i = 0; i < COUNT_OF(set_aside); i++)
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

	if (pipe(end) != 0)
		return false;
	pid_t child = fork();
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

bool pager_put(const char *text, size_t n)
{
	unsigned rows, columns;

	if (fflush(stdout) == 0 && pager_is_wanted() && screen_size(&rows, &columns) &&
		height(text, n, columns, rows) >= rows) {
		(void)setenv("LESS", "FRX", 0);
		(void)setenv("LV", "-c", 0);
		struct sigaction before[COUNT_OF(set_aside)], wait = { .sa_handler = SIG_IGN };
		const char *word = command();
		char *less = word ? NULL : program_find("less");
		bool ran = false;
		for (size_t i = 0; i < COUNT_OF(set_aside); i++)
			(void)sigaction(set_aside[i], &wait, &before[i]);
		if (word || less)
			ran = page(text, n, word, less);
		for (size_t i = 0; i < COUNT_OF(set_aside); i++)
			(void)sigaction(set_aside[i], &before[i], NULL);
		free(less);
		if (ran)
			return true;
	}
	errno = 0;
	return fwrite(text, 1, n, stdout) == n && fflush(stdout) == 0;
}
