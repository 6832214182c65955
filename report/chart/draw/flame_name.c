/*
 * Names of frames: of Python functions the name of the function says most, then the file.
 */
#include "report/chart/draw/flame_name.h"

#include "base/name/name.h"
#include "base/width.h"
#include "report/escape.h"

enum { LETTERS_MIN = 3, NONE = -1 };

/* Where `what` begins in s, or NONE. */
static long find(struct span s, const char *what)
{
	size_t n = strlen(what), i;

	for (i = 0; i + n <= s.n; i++)
		if (memcmp(s.p + i, what, n) == 0)
			return (long)i;
	return NONE;
}

/* The last part of a path. */
static struct span without_folders(struct span s)
{
	size_t i = s.n;

	while (i > 0 && s.p[i - 1] != '/')
		i--;
	return (struct span){ s.p + i, s.n - i };
}

/* "file(12): name", "name (file:12)": its two parts. */
static bool split(struct span s, struct span *file, struct span *function)
{
	long at = find(s, "): "), open = find(s, " (");

	if (at != NONE && find((struct span){ s.p, (size_t)at }, "(") != NONE) {
		*file = (struct span){ s.p, (size_t)at + 1 };
		*function = (struct span){ s.p + at + 3, s.n - (size_t)at - 3 };
		return true;
	}
	if (open == NONE || s.p[s.n - 1] != ')' ||
		find((struct span){ s.p + open, s.n - (size_t)open }, ".py") == NONE)
		return false;
	*function = (struct span){ s.p, (size_t)open };
	*file = (struct span){ s.p + open + 2, s.n - (size_t)open - 3 };
	return true;
}

static void put_python(struct str *b, struct span file, struct span function, size_t letters)
{
	struct str text = { 0 };

	file = without_folders(file);
	str_add(&text, function.p, function.n);
	str_adds(&text, "  ");
	str_add(&text, file.p, file.n);
	if (width_of((struct span){ text.s, text.n }) > letters)
		text.n = function.n;
	if (width_of((struct span){ text.s, text.n }) <= letters)
		str_add(b, text.s, text.n);
	else
		name_shorten(b, (struct span){ text.s, text.n }, letters, true);
	str_free(&text);
}

void flame_name(struct str *b, const char *name, size_t letters)
{
	struct str plain = { 0 };
	struct span s, file, function;

	escape_terminal(&plain, span_of(name), true);
	s = (struct span){ plain.s ? plain.s : "", plain.n };
	if (width_of(s) <= letters)
		str_add(b, s.p, s.n);
	else if (letters >= LETTERS_MIN && s.n && split(s, &file, &function))
		put_python(b, file, function, letters);
	else if (letters >= LETTERS_MIN)
		name_shorten(b, s, letters, true);
	str_free(&plain);
}
