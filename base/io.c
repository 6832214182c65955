/* Atomic output files: write beside, rename at the end. */
#include "base/io.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/reach.h"
#include "base/xalloc.h"

enum { MODE_BITS = 07777, LOOK_EVERY_MS = 20, S_TO_MS = 1000, MS_TO_NS = 1000000, NESTED_MAX = 4 };

/* ---- files that wait for others ---- */

/* Of the process, as the folders are that it writes to. */
static struct held {
	struct io_file *file;
	size_t n, cap;
	size_t from[NESTED_MAX]; /* how many there were at each io_hold */
	unsigned depth;
	struct io_temp folder; /* they are written there; none: each beside its name */
} held;

/* Takes a complete file, closed but for its temporary one; false: nothing is held. */
static bool hold(struct io_file *f)
{
	if (held.depth == 0)
		return false;
	if (held.folder.path)
		io_temp_leave(&f->temp);
	PUSH(held.file, held.n, held.cap, *f);
	*f = (struct io_file){ 0 };
	return true;
}

/* E_USAGE where a file that waits has the place already. */
static enum status held_passes(const char *path, struct err *e)
{
	for (size_t i = 0; i < held.n && !held.folder.path; i++)
		if (door_is_same(path, held.file[i].named))
			return err_set(
				e, E_USAGE, -1, "%s and %s are one file", held.file[i].named, path);
	return OK;
}

/* ---- opening ---- */

static void forget(struct io_file *f)
{
	FREE_ALL(f->path, f->named);
	*f = (struct io_file){ 0 };
}

static enum status fail(struct io_file *f, struct err *e, int code)
{
	enum status st = err_set(e, E_IO, -1, "cannot write: %s", strerror(code));

	io_abandon(f);
	return st;
}

/* A pipe: -1 with errno ENXIO when nobody has opened it for reading in all that time. */
static int open_pipe(const char *path)
{
	const struct timespec pause = { 0, (long)LOOK_EVERY_MS * MS_TO_NS };
	int fd;

	for (int i = 0; i <= IO_READER_S * S_TO_MS / LOOK_EVERY_MS; i++) {
		fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd >= 0 || errno != ENXIO)
			break;
		(void)nanosleep(&pause, NULL);
	}
	if (fd >= 0)
		(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

static enum status open_in_place(struct io_file *f, const struct stat *st, struct err *e)
{
	if (S_ISDIR(st->st_mode))
		return fail(f, e, EISDIR);
	int fd = S_ISFIFO(st->st_mode) ? open_pipe(f->path) : open(f->path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENXIO && S_ISFIFO(st->st_mode)) {
		io_abandon(f);
		return err_set(e, E_IO, -1, "cannot write: nobody reads from this pipe, for %d s",
			IO_READER_S);
	}
	if (fd < 0)
		return fail(f, e, errno);
	f->out = fdopen(fd, "w");
	if (f->out)
		return OK;
	(void)close(fd);
	return fail(f, e, errno);
}

/* Writes to what is open there, by a descriptor of its own. */
static enum status open_own(struct io_file *f, int own, struct err *e)
{
	int fd = fcntl(own, F_DUPFD_CLOEXEC, 0);

	f->out = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (f->out)
		return OK;
	if (fd >= 0)
		(void)close(fd);
	return fail(f, e, errno);
}

/* The lock stays with the temporary file's own descriptor until it has its name. */
static enum status open_beside(struct io_file *f, const struct stat *old, struct err *e)
{
	char *folder = io_folder(f->path);
	enum status st = held.folder.path
		? io_temp_make_in(&f->temp, &held.folder, e)
		: io_temp_make(&f->temp, strcmp(folder, ".") == 0 ? "" : folder, e);

	free(folder);
	if (st != OK) {
		io_abandon(f);
		return st;
	}
	if (old)
		(void)fchmod(f->temp.fd, old->st_mode & MODE_BITS);
	return open_own(f, f->temp.fd, e);
}

enum status io_create(struct io_file *f, const char *path, struct err *e)
{
	int own = io_own_fd(path);
	struct stat st;

	*f = (struct io_file){ 0 };
	TRY(door_passes(path, e));
	TRY(held_passes(path, e));
	if (own >= 0)
		return open_own(f, own, e);
	f->path = io_target(path);
	f->named = xstrndup(path, strlen(path));
	if (stat(path, &st) != 0)
		return errno == ENOENT ? open_beside(f, NULL, e) : fail(f, e, errno);
	if (!S_ISREG(st.st_mode))
		return open_in_place(f, &st, e);
	return access(path, W_OK) != 0 ? fail(f, e, errno) : open_beside(f, &st, e);
}

enum status io_create_new(struct io_file *f, const char *path, struct err *e)
{
	struct stat st;

	*f = (struct io_file){ 0 };
	TRY(held_passes(path, e));
	*f = (struct io_file){ .is_new = true,
		.path = xstrndup(path, strlen(path)),
		.named = xstrndup(path, strlen(path)) };
	if (lstat(path, &st) == 0) {
		io_abandon(f);
		return err_set(e, E_IO, -1, "is there already: nothing is overwritten");
	}
	return errno == ENOENT ? open_beside(f, NULL, e) : fail(f, e, errno);
}

/* ---- closing ---- */

enum status io_settle(const char *folder, struct err *e)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_bad = fd >= 0 && fsync(fd) != 0 && errno == EIO; /* not all know how to */

	if (fd >= 0)
		(void)close(fd);
	return is_bad ? err_set(e, E_IO, -1, "%s: %s", folder, strerror(EIO)) : OK;
}

/* Asks once more: since it was begun, more may have been read. */
static enum status place(struct io_file *f, struct err *e)
{
	char *folder = io_folder(f->path);
	enum status st = door_passes(f->named, e);

	if (st == OK)
		st = f->is_new ? io_temp_place_new(&f->temp, f->path, e)
			       : io_temp_place(&f->temp, f->path, e);
	else
		io_temp_drop(&f->temp);
	if (st == OK && f->is_durable)
		st = io_settle(folder, e);
	free(folder);
	forget(f);
	return st;
}

enum status io_commit(struct io_file *f, struct err *e)
{
	errno = 0;
	bool is_bad = fflush(f->out) != 0 || ferror(f->out);
	if (fclose(f->out) != 0)
		is_bad = true;
	f->out = NULL;
	if (!is_bad && f->is_durable && f->temp.path)
		is_bad = fsync(f->temp.fd) != 0 && errno != EINVAL && errno != ENOTSUP;
	if (is_bad)
		return fail(f, e, errno ? errno : EIO);
	if (f->temp.path)
		return hold(f) ? OK : place(f, e);
	forget(f);
	return OK;
}

void io_abandon(struct io_file *f)
{
	if (f->out)
		(void)fclose(f->out);
	io_temp_drop(&f->temp);
	forget(f);
}

enum status io_named(const char *path, enum status st, struct err *e)
{
	struct err why = *e;

	if (st == OK || st == E_USAGE)
		return st;
	(void)err_set(e, st, why.offset, "%s: %s", path, why.text);
	memcpy(e->hint, why.hint, sizeof(e->hint));
	return st;
}

enum status io_put(const char *path, const struct str *text, struct err *e)
{
	struct io_file f;
	enum status st = io_create(&f, path, e);

	if (st == OK && text->n && fwrite(text->s, 1, text->n, f.out) != text->n)
		st = fail(&f, e, errno);
	THEN(st, io_commit(&f, e));
	return io_named(path, st, e);
}

enum status io_append(const char *path, const struct str *text, struct err *e)
{
	enum status st = door_passes(path, e);
	FILE *out = st == OK ? fopen(path, "ab") : NULL; /* lint: allow door: it is asked */
	bool is_bad = st == OK && (!out || fwrite(text->s, 1, text->n, out) != text->n);

	is_bad = (out && fclose(out) != 0) || is_bad;
	return is_bad ? err_set(e, E_IO, -1, "%s: %s", path, strerror(errno)) : st;
}

/* ---- together ---- */

void io_hold(void)
{
	assert(held.depth < NESTED_MAX);
	held.from[held.depth++] = held.n;
}

enum status io_hold_in(const char *folder, struct err *e)
{
	assert(held.depth == 0);
	TRY(io_temp_make_folder(&held.folder, folder, e));
	io_hold();
	return OK;
}

void io_drop(void)
{
	assert(held.depth > 0);
	held.depth--;
	while (held.n > held.from[held.depth])
		io_abandon(&held.file[--held.n]);
	if (held.depth > 0)
		return;
	io_temp_drop(&held.folder);
	free(held.file);
	held.file = NULL;
	held.cap = 0;
}

enum status io_release(struct err *e)
{
	enum status st = OK;

	if (held.depth > 1) {
		held.depth--;
		return OK;
	}
	for (size_t i = 0; i < held.n && st == OK; i++)
		st = door_passes(held.file[i].named, e);
	for (size_t i = 0; i < held.n && st == OK; i++) {
		SCOPED_STR path = { 0 };

		str_adds(&path, held.file[i].named);
		st = io_named(path.s, place(&held.file[i], e), e);
	}
	io_drop(); /* what has its name already is no more in it */
	return st;
}

/* ---- small files read whole: settings, thresholds, stores ---- */

enum { PART_BYTES = 65536, MIB = 1024 * 1024 };

/* What is open already is not opened again: that would wait anew.  Else the file is opened without
 * waiting and looked at afterwards, so that nothing can be put in its place between. */
static int open_to_read(const char *path)
{
	int own = reach_is_limited() ? -1 : io_own_fd(path);

	return own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 0) : reach_open(path, O_NONBLOCK | O_NOCTTY);
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
		status = err_hinted(e, E_IO, "give a file, or the command itself: <(command)",
			"%s: a named pipe, and nothing waits for its writer here", path);
	else
		status = read_all(fd, path, most, text, e);
	door_input_fd(fd, path);
	(void)close(fd);
	return status;
}
