/* Preloaded into a recorded program: kills it just before the worker's so-many-th call that changes
 * files.  A test that counts up meets every state a kill can leave behind.
 *
 *   KILL_AT   which call; without it, or with fewer calls, nothing happens */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int calls;

static int is_worker(void)
{
	char name[16] = "";

	(void)prctl(PR_GET_NAME, name);
	return strcmp(name, "traceq-capture") == 0;
}

/* Called by one thread only, the worker. */
static void count(void)
{
	const char *at = getenv("KILL_AT");

	if (at && is_worker() && ++calls == (int)strtol(at, NULL, 10))
		(void)kill(getpid(), SIGKILL);
}

/* The function behind ours, as a pointer of its type. */
#define BEHIND(f, name)                             \
	do {                                        \
		void *p_ = dlsym(RTLD_NEXT, #name); \
		memcpy(&(f), &p_, sizeof(f));       \
	} while (0)

int open(const char *path, int flags, ...)
{
	int (*f)(const char *, int, ...);
	mode_t mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	if (flags & O_CREAT)
		count();
	BEHIND(f, open);
	return f(path, flags, mode);
}

ssize_t write(int fd, const void *p, size_t n)
{
	ssize_t (*f)(int, const void *, size_t);

	count();
	BEHIND(f, write);
	return f(fd, p, n);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
	ssize_t (*f)(int, const void *, size_t, off_t);

	count();
	BEHIND(f, pwrite);
	return f(fd, p, n, at);
}

int rename(const char *from, const char *to)
{
	int (*f)(const char *, const char *);

	count();
	BEHIND(f, rename);
	return f(from, to);
}

int link(const char *from, const char *to)
{
	int (*f)(const char *, const char *);

	count();
	BEHIND(f, link);
	return f(from, to);
}

int unlink(const char *path)
{
	int (*f)(const char *);

	count();
	BEHIND(f, unlink);
	return f(path);
}
