/*
 * Names of files, before anything is opened.
 */
#include "base/io_path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/str.h"

enum {
	LINKS_MAX = 40, /* as many as the kernel follows */
	FD_DIGITS = 6
};

static char *copied(const char *s)
{
	struct str b = { 0 };

	str_adds(&b, s);
	return b.s;
}

char *io_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct str b = { 0 };

	if (slash)
		str_add(&b, path, slash == path ? 1 : (size_t)(slash - path));
	else
		str_adds(&b, ".");
	return b.s;
}

/* Where the link at `from` leads, "to" being what it holds. */
static char *led(const char *from, const char *to)
{
	const char *slash = to[0] == '/' ? NULL : strrchr(from, '/');
	struct str b = { 0 };

	if (slash)
		str_add(&b, from, (size_t)(slash - from) + 1);
	str_adds(&b, to);
	return b.s;
}

char *io_target(const char *path)
{
	char *at = copied(path), to[PATH_MAX];

	for (int i = 0; i < LINKS_MAX; i++) {
		ssize_t n = readlink(at, to, sizeof(to) - 1);
		char *next;

		if (n <= 0)
			break;
		to[n] = '\0';
		next = led(at, to);
		free(at);
		at = next;
	}
	return at;
}

int io_own_fd(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

	if (strcmp(path, "/dev/stdin") == 0)
		return STDIN_FILENO;
	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < COUNT_OF(folders); i++) {
		size_t n = strlen(folders[i]), digits;
		int fd = 0;

		if (strncmp(path, folders[i], n) != 0)
			continue;
		digits = strspn(path + n, "0123456789");
		if (digits == 0 || digits > FD_DIGITS || path[n + digits])
			return -1;
		for (size_t k = 0; k < digits; k++)
			fd = fd * 10 + (path[n + k] - '0');
		return fd;
	}
	return -1;
}
