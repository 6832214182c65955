/*
 * How pictures are to look.
 */
#include "cmd/look.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT_MAX = 200 };

/* "1280x640": two numbers, nothing else. */
static bool read_size(const char *text, unsigned long *width, unsigned long *height)
{
	static const char digits[] = "0123456789";
	size_t n = strspn(text, digits), more;

	if (n == 0 || n > 6 || text[n] != 'x')
		return false;
	more = strspn(text + n + 1, digits);
	if (more == 0 || more > 6 || text[n + 1 + more])
		return false;
	*width = strtoul(text, NULL, 10);
	*height = strtoul(text + n + 1, NULL, 10);
	return true;
}

static enum status refuse_size(const char *text, struct err *e)
{
	(void)err_set(e, E_USAGE, -1, "--size '%s' is no width and height", text);
	return err_hint(e, "pixels, such as 1280x640, from %dx%d to %dx%d", CHART_WIDTH_MIN,
		CHART_HEIGHT_MIN, CHART_SIDE_MAX, CHART_SIDE_MAX);
}

enum status look_read(struct chart_look *look, const struct look_options *o, struct err *e)
{
	unsigned long width = 0, height = 0;

	*look = (struct chart_look){ .title = o->title, .limit = (size_t)o->limit };
	if (o->theme && strcmp(o->theme, "dark") == 0)
		look->mode = THEME_DARK;
	if (o->title && !o->title[strspn(o->title, " ")])
		return err_set(e, E_USAGE, -1, "--title is empty");
	if (o->limit > LIMIT_MAX) {
		(void)err_set(e, E_USAGE, -1, "--limit %lld is more than a picture can show",
			(long long)o->limit);
		return err_hint(e, "at most %d; the analysis itself has all rows", LIMIT_MAX);
	}
	if (!o->size)
		return OK;
	if (!read_size(o->size, &width, &height) || width < CHART_WIDTH_MIN ||
		height < CHART_HEIGHT_MIN || width > CHART_SIDE_MAX || height > CHART_SIDE_MAX)
		return refuse_size(o->size, e);
	look->width = (unsigned)width;
	look->height = (unsigned)height;
	return OK;
}

void look_ask(struct str *b, const char *ask, size_t limit)
{
	static const char option[] = " --limit=";
	const char *at = strstr(ask, option);

	if (!at || limit == 0 || at[sizeof(option) - 1] == '0') {
		str_adds(b, ask);
		return;
	}
	str_add(b, ask, (size_t)(at - ask));
	str_addf(b, "%s%zu", option, limit);
	at += sizeof(option) - 1;
	str_adds(b, at + strspn(at, "0123456789"));
}
