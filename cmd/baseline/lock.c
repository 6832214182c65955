/*
 * Locks on folders.
 */
#include "cmd/baseline/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "cmd/say.h"

enum { LOOK_EVERY_MS = 10, S_TO_MS = 1000, MS_TO_NS = 1000000, LINE_MAX_BYTES = 256 };

/* The process that holds a lock on what st describes, or 0.  Source: proc(5), /proc/locks. */
static long holder_of(const struct stat *st)
{
	FILE *f = fopen("/proc/locks", "r");
	char line[LINE_MAX_BYTES];
	long pid = 0;

	while (f && pid == 0 && fgets(line, sizeof(line), f)) {
		unsigned major, minor;
		unsigned long ino;
		long who;

		if (sscanf(line, "%*d: FLOCK %*s %*s %ld %x:%x:%lu", &who, &major, &minor, &ino) ==
				4 &&
			ino == st->st_ino && major == major(st->st_dev) &&
			minor == minor(st->st_dev) && who > 0)
			pid = who;
	}
	if (f)
		(void)fclose(f);
	return pid;
}

static void name_of(long pid, char *name, size_t size)
{
	char path[64];
	FILE *f;

	(void)snprintf(path, sizeof(path), "/proc/%ld/comm", pid);
	f = fopen(path, "r");
	if (!f || !fgets(name, (int)size, f))
		name[0] = '\0';
	name[strcspn(name, "\n")] = '\0';
	if (f)
		(void)fclose(f);
}

static void say_waiting(int fd, const char *folder)
{
	char name[64] = "";
	struct stat st;
	long pid = fstat(fd, &st) == 0 ? holder_of(&st) : 0;

	if (pid == 0) {
		(void)say_failure("%s: waiting for another process, which has it locked", folder);
		return;
	}
	name_of(pid, name, sizeof(name));
	(void)say_failure("%s: waiting for process %ld (%s), which has it locked", folder, pid,
		name[0] ? name : "unknown");
}

/* errno of the last try, or 0. */
static int try_for_a_while(int fd)
{
	const struct timespec pause = { 0, (long)LOOK_EVERY_MS * MS_TO_NS };
	int i;

	for (i = 0; i < LOCK_PATIENCE_S * S_TO_MS / LOOK_EVERY_MS; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return errno;
		(void)nanosleep(&pause, NULL);
	}
	return EWOULDBLOCK;
}

static int wait_for(int fd)
{
	while (flock(fd, LOCK_EX) != 0)
		if (errno != EINTR)
			return errno;
	return 0;
}

enum status lock_folder(int *fd, const char *folder, bool is_quiet, struct err *e)
{
	int code;

	*fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*fd < 0) {
		code = errno;
		(void)err_set(e, E_IO, -1, "%s: %s", folder, strerror(code));
		errno = code;
		return E_IO;
	}
	code = try_for_a_while(*fd);
	if (code == EWOULDBLOCK) {
		say_waiting(*fd, folder);
		code = wait_for(*fd);
	}
	if (code != 0 && !is_quiet)
		(void)say_failure("%s: cannot be locked (%s): of two that write it at once, one "
				  "may be lost",
			folder, strerror(code));
	return OK;
}
