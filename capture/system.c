/* Thin ends of system calls. */
#include "capture/system.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t system_realtime(void)
{
	return now(CLOCK_REALTIME);
}

int64_t system_monotonic(void)
{
	return now(CLOCK_MONOTONIC);
}

bool system_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t n = -1;

	if (fd >= 0) {
		n = read(fd, text, size - 1);
		(void)close(fd);
	}
	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

void system_symbol(void *library, const char *name, void *function)
{
	void *symbol = library ? dlsym(library, name) : NULL;

	memcpy(function, &symbol, sizeof(symbol));
}
