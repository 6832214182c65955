/*
 * Small files read whole: settings, thresholds, stores.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "base/io.h"
#include "base/reach.h"
#include "base/str.h"

enum { PART_BYTES = 65536, MIB = 1024 * 1024 };

/*
 * What is open already is not opened again: that would wait anew.  Else the file is opened without
 * waiting and looked at afterwards, so that nothing can be put in its place between.
 */
static int open_to_read(const char *path)
{
	int own = reach_is_limited() ? -1 : io_own_fd(path);

	return own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 0) : reach_open(path, O_NONBLOCK | O_NOCTTY);
}

static enum status refuse_pipe(const char *path, struct err *e)
{
	(void)err_set(e, E_IO, -1, "%s: a named pipe, and nothing waits for its writer here", path);
	return err_hint(e, "give a file, or the command itself: <(command)");
}

static enum status too_large(const char *path, size_t most, struct err *e)
{
	if (most % MIB == 0)
		return err_set(e, E_LIMIT, -1, "%s: larger than %zu MiB", path, most / MIB);
	return err_set(e, E_LIMIT, -1, "%s: larger than %zu bytes", path, most);
}

static enum status read_all(int fd, const char *path, size_t most, struct str *text, struct err *e)
{
	char part[PART_BYTES];
	size_t before = text->n;
	ssize_t n;

	for (;;) {
		do
			n = read(fd, part, sizeof(part));
		while (n < 0 && errno == EINTR);
		if (n < 0)
			return err_set(e, E_IO, -1, "%s: %s", path, strerror(errno));
		if (n == 0)
			return OK;
		if ((size_t)n > most - (text->n - before))
			return too_large(path, most, e);
		str_add(text, part, (size_t)n);
	}
}

enum status io_get(const char *path, size_t most, struct str *text, struct err *e)
{
	int fd = open_to_read(path);
	enum status status;
	struct stat st;

	if (fd < 0)
		return err_set(e, E_IO, -1, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) && io_own_fd(path) < 0)
		status = refuse_pipe(path, e);
	else
		status = read_all(fd, path, most, text, e);
	door_input_fd(fd, path);
	(void)close(fd);
	return status;
}
