/* The door for inputs: opened by name, judged by what it is. */
#define _GNU_SOURCE 1 /* O_PATH */
#include "base/reach.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FD_PATH_BYTES = 64 };

static struct reach {
	const char *const *folder;
	size_t n;
	bool is_limited;
} reach;

void reach_limit(const char *const *folder, size_t n)
{
	reach = (struct reach){ folder, n, true };
}

bool reach_is_limited(void)
{
	return reach.is_limited;
}

bool reach_is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	if (strcmp(folder, "/") == 0)
		return true;
	return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* Where the kernel has it. */
static bool is_within(const char *fd_path)
{
	char real[PATH_MAX];
	ssize_t n = readlink(fd_path, real, sizeof(real));
	bool is_in = false;

	if (n <= 0 || (size_t)n >= sizeof(real) || real[0] != '/')
		return false;
	real[n] = '\0';
	for (size_t i = 0; i < reach.n; i++)
		is_in = is_in || reach_is_below(real, reach.folder[i]);
	return is_in;
}

bool reach_holds(int fd)
{
	char fd_path[FD_PATH_BYTES];

	(void)snprintf(fd_path, sizeof(fd_path), "/proc/self/fd/%d", fd);
	return !reach.is_limited || is_within(fd_path);
}

/* What the name means is held fast, looked at, and only then opened: no pipe or device is. */
static int open_held(const char *path, int flags)
{
	int held = open(path, O_PATH | O_CLOEXEC), fd = -1, code = ENOENT;
	char fd_path[FD_PATH_BYTES];
	struct stat st;

	if (held < 0)
		return -1;
	(void)snprintf(fd_path, sizeof(fd_path), "/proc/self/fd/%d", held);
	if (fstat(held, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) &&
		is_within(fd_path)) {
		fd = open(fd_path, flags);
		code = errno;
	}
	(void)close(held);
	errno = code;
	return fd;
}

int reach_open(const char *path, int flags)
{
	const int how = O_RDONLY | O_CLOEXEC | flags;

	return reach.is_limited ? open_held(path, how) : open(path, how);
}

FILE *reach_file(const char *path)
{
	int fd = reach_open(path, 0);
	FILE *f = fd >= 0 ? fdopen(fd, "rb") : NULL;

	if (fd >= 0 && !f)
		(void)close(fd);
	return f;
}

DIR *reach_folder(const char *path)
{
	int fd = reach_open(path, O_DIRECTORY);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;

	if (fd >= 0 && !d)
		(void)close(fd);
	return d;
}

int reach_count(const char *path, int most)
{
	DIR *d = reach_folder(path);
	const struct dirent *entry;
	int n = 0;

	if (!d)
		return -1;
	while (n < most && (entry = readdir(d)))
		n += entry->d_name[0] != '.';
	(void)closedir(d);
	return n;
}
