/*
 * Colours, width, character set.  The rules are those of no-color.org and of the BSD variables
 * CLICOLOR_FORCE and FORCE_COLOR: flag, then NO_COLOR, then *_FORCE, then what stdout is.
 */
#include "cmd/screen.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/minmax.h"
#include "cmd/options.h"
#include "report/format/renderer.h"

enum { WIDTH_MIN = 40, WIDTH_USUAL = 80, WIDTH_MAX = 10000 };

bool screen_is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !term[0] || strcmp(term, "dumb") == 0;
}

/* A locale that is not installed here, as in a container, still says what the terminal shows. */
static bool named_utf8(void)
{
	static const char *const variable[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	size_t i;

	for (i = 0; i < COUNT_OF(variable); i++) {
		const char *value = getenv(variable[i]);
		const char *codeset = value ? strchr(value, '.') : NULL;

		if (value && *value)
			return codeset &&
				(strncasecmp(codeset, ".UTF-8", 6) == 0 ||
					strncasecmp(codeset, ".utf8", 5) == 0);
	}
	return false;
}

bool screen_has_utf8(void)
{
	const char *codeset;

	if (!setlocale(LC_CTYPE, ""))
		return named_utf8();
	codeset = nl_langinfo(CODESET);
	return strcmp(codeset, "UTF-8") == 0 || strcmp(codeset, "utf8") == 0;
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

/*
 * Columns for text: COLUMNS, else what the terminal on stdout says, else 80: what goes into a pipe
 * or a file looks as on a terminal.
 */
static unsigned text_width(bool is_file)
{
	const char *columns = getenv("COLUMNS");
	struct winsize ws;
	long width = columns ? strtol(columns, NULL, 10) : 0;

	if (width <= 0 && !is_file && ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0)
		width = ws.ws_col;
	if (width <= 0)
		return WIDTH_USUAL;
	if (width < WIDTH_MIN)
		return WIDTH_MIN;
	return (unsigned)MIN(width, WIDTH_MAX);
}

bool screen_size(unsigned *rows, unsigned *columns)
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
