/*
 * Paths as a document names them: from the folder it is in.
 */
#include "cmd/relative.h"

#include <stdlib.h>
#include <string.h>

/* The folder of the document, absolute, or NULL; to be freed. */
static char *home_of(const char *document)
{
	const char *slash = strrchr(document, '/');
	struct str dir = { 0 };
	char *home;

	if (slash == document)
		str_adds(&dir, "/");
	else if (slash)
		str_add(&dir, document, (size_t)(slash - document));
	else
		str_adds(&dir, ".");
	home = realpath(dir.s, NULL);
	str_free(&dir);
	return home;
}

/* Bytes of the folders that both begin with. */
static size_t shared(const char *a, const char *b)
{
	size_t i, n = 0;

	for (i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			n = i;
	if ((!a[i] || a[i] == '/') && (!b[i] || b[i] == '/'))
		n = i;
	return n;
}

static void put_relative(struct str *b, const char *home, const char *target)
{
	size_t n = shared(home, target), start = b->n;
	const char *p;

	for (p = home + n; *p; p++)
		if (*p == '/' && p[1])
			str_adds(b, b->n > start ? "/.." : "..");
	if (n == 0 && home[1] == '\0') /* from the root down */
		target++;
	else if (target[n] == '/')
		n++;
	if (target[n])
		str_addf(b, "%s%s", b->n > start ? "/" : "", target + n);
	if (b->n == start)
		str_adds(b, ".");
}

void relative_folder(struct str *b, const char *folder, const char *document)
{
	bool is_fixed = folder[0] == '/' || !document || strcmp(document, "-") == 0;
	char *home = is_fixed ? NULL : home_of(document);
	char *target = home ? realpath(folder, NULL) : NULL;

	if (target)
		put_relative(b, home, target);
	else
		str_adds(b, folder);
	free(home);
	free(target);
}
