/*
 * Colours, width, character set.  The rules are those of no-color.org and of the BSD variables
 * CLICOLOR_FORCE and FORCE_COLOR: flag, then NO_COLOR, then *_FORCE, then what stdout is.
 */
#include "cmd/screen.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/options.h"
#include "report/format/renderer.h"

enum { WIDTH_MIN = 80, WIDTH_MAX = 10000 };

bool screen_is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !term[0] || strcmp(term, "dumb") == 0;
}

bool screen_has_utf8(void)
{
	const char *codeset;

	if (!setlocale(LC_CTYPE, ""))
		return false;
	codeset = nl_langinfo(CODESET);
	return strcmp(codeset, "UTF-8") == 0 || strcmp(codeset, "utf8") == 0;
}

/* Columns of the terminal on stdout for text: COLUMNS, else what the terminal says, at least 80. */
static unsigned terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize ws;
	long width = columns ? strtol(columns, NULL, 10) : 0;

	if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0)
		width = ws.ws_col;
	if (width < WIDTH_MIN)
		return WIDTH_MIN;
	return width > WIDTH_MAX ? WIDTH_MAX : (unsigned)width;
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
	bool is_tty = !is_file && isatty(STDOUT_FILENO);

	*how = (struct render){
		.width = is_tty && !o->is_wide ? terminal_width() : 0,
		.color = wants_color(o, is_file),
		.utf8 = !o->is_ascii && screen_has_utf8(),
		.unit = o->unit,
	};
}
