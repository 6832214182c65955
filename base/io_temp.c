/* Temporary files: name, lock, registry.
 *
 * The registry is what a signal handler can reach: slots with the paths that are to be removed.  A
 * path belongs to who takes it out of its slot, by one exchange, so that neither a handler on
 * another thread nor the owner uses what the other has freed. */
#include "base/io_temp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/reach.h"

#define PREFIX ".traceq-"
#define SUFFIX ".tmp"

enum { LIVE_MAX = 256, NAME_TRIES = 100, NEW_FILE_MODE = 0666, S_TO_NS = 1000000000 };

static _Atomic(char *) temporaries[LIVE_MAX];

/* ---- removing ---- */

/* A file, or a folder with the files in it.  For a signal handler, too, and so without opendir. */
static void discard(int at, const char *path)
{
	enum { ROUNDS = 100, BYTES = 4096 };
	_Alignas(struct dirent64) char buf[BYTES];
	ssize_t n = 0;

	if (unlinkat(at, path, 0) == 0 || (errno != EISDIR && errno != EPERM))
		return;
	for (int i = 0; i < ROUNDS && unlinkat(at, path, AT_REMOVEDIR) != 0 && errno != ENOENT;
		i++) {
		int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		while (fd >= 0 && (n = getdents64(fd, buf, sizeof(buf))) > 0)
			for (ssize_t k = 0; k < n;) {
				const struct dirent64 *in = (const void *)(buf + k);

				(void)unlinkat(fd, in->d_name, 0);
				k += in->d_reclen;
			}
		if (fd >= 0)
			(void)close(fd);
	}
}

/* ---- the registry ---- */

/* -1 when all slots are taken: then only a later run can sweep the file. */
static int enlist(char *path)
{
	for (int i = 0; i < LIVE_MAX; i++) {
		char *none = NULL;

		if (atomic_compare_exchange_strong(&temporaries[i], &none, path))
			return i;
	}
	return -1;
}

/* True when the path is the caller's again; else the handler has it, and the program ends. */
static bool delist(int slot)
{
	return slot < 0 || atomic_exchange(&temporaries[slot], NULL) != NULL;
}

void io_temp_drop_all(void)
{
	for (int i = 0; i < LIVE_MAX; i++) {
		const char *path = atomic_exchange(&temporaries[i], NULL);

		if (path)
			discard(AT_FDCWD, path);
	}
}

/* ---- sweeping ---- */

static bool is_ours(const char *name)
{
	size_t n = strlen(name), before = sizeof(PREFIX) - 1, behind = sizeof(SUFFIX) - 1;

	return n > before + behind && memcmp(name, PREFIX, before) == 0 &&
		memcmp(name + n - behind, SUFFIX, behind) == 0;
}

/* Network file systems want a file that is locked to be open for writing. */
static int open_found(int folder, const char *name)
{
	const int how = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int fd = openat(folder, name, O_RDWR | how);

	return fd < 0 ? openat(folder, name, O_RDONLY | how) : fd;
}

/* Names never come twice, so that the name is still the file's that was opened. */
static void sweep_one(int folder, const char *name)
{
	struct stat opened, named;

	if (fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) != 0 ||
		!(S_ISREG(named.st_mode) || S_ISDIR(named.st_mode)))
		return;
	int fd = open_found(folder, name);
	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &opened) == 0 &&
		opened.st_dev == named.st_dev && opened.st_ino == named.st_ino)
		discard(folder, name);
	(void)close(fd);
}

void io_temp_sweep(const char *folder)
{
	DIR *d = opendir(folder[0] ? folder : ".");
	const struct dirent *f;

	if (!d)
		return;
	while ((f = readdir(d)) != NULL)
		if (is_ours(f->d_name))
			sweep_one(dirfd(d), f->d_name);
	(void)closedir(d);
}

/* ---- one file ---- */

/* malloc'ed, or NULL; no str.h here, because running out of memory ends up here, too. */
static char *new_path(const char *folder)
{
	enum { NAME_BYTES = sizeof(PREFIX) + sizeof(SUFFIX) + 64 };
	size_t n = strlen(folder);
	struct timespec t = { 0 };
	char *path = malloc(n + NAME_BYTES); /* lint: allow byhand */

	(void)clock_gettime(CLOCK_REALTIME, &t);
	if (path)
		(void)snprintf(path, n + NAME_BYTES, "%s%s" PREFIX "%ld-%llx" SUFFIX, folder,
			n > 0 && folder[n - 1] != '/' ? "/" : "", (long)getpid(),
			(unsigned long long)t.tv_sec * S_TO_NS + (unsigned long long)t.tv_nsec);
	return path;
}

/* False: somebody who sweeps has been faster than the lock, and takes the file away. */
static bool lock(int fd)
{
	struct stat st;
	int held = flock(fd, LOCK_EX | LOCK_NB);

	if (held != 0)
		return errno != EWOULDBLOCK; /* no locks here: nobody sweeps here either */
	return fstat(fd, &st) != 0 || st.st_nlink > 0;
}

static int create(const char *path, bool is_folder)
{
	if (!is_folder)
		return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, NEW_FILE_MODE);
	return mkdir(path, S_IRWXU) == 0 ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

/* The path is known before the file is there: between the two, nothing is lost. */
static bool make(struct io_temp *t, const char *folder, bool is_folder)
{
	*t = (struct io_temp){ .path = new_path(folder), .fd = -1, .slot = -1 };
	if (!t->path)
		return false;
	t->slot = enlist(t->path);
	t->fd = create(t->path, is_folder);
	if (t->fd >= 0 && !reach_holds(t->fd)) { /* its folder became a link to elsewhere */
		discard(AT_FDCWD, t->path);
		(void)close(t->fd);
		t->fd = -1;
		errno = ENOENT;
	}
	return t->fd >= 0 && lock(t->fd);
}

/* Takes the path out of the registry, closes, frees.  The file itself stays. */
static void forget(struct io_temp *t)
{
	if (t->fd >= 0)
		(void)close(t->fd);
	if (delist(t->slot))
		free(t->path);
	*t = (struct io_temp){ .fd = -1, .slot = -1 };
}

static enum status make_any(struct io_temp *t, const char *folder, bool is_folder, struct err *e)
{
	for (int i = 0; i < NAME_TRIES; i++) {
		if (make(t, folder, is_folder))
			return OK;
		int code = errno;
		if (t->fd >= 0) {
			io_temp_drop(t);
			continue;
		}
		forget(t);
		if (code != EEXIST)
			return err_set(e, E_IO, -1, "cannot write: %s", strerror(code));
	}
	return err_set(e, E_IO, -1, "cannot write: no name for a temporary file is free");
}

enum status io_temp_make(struct io_temp *t, const char *folder, struct err *e)
{
	io_temp_sweep(folder);
	return make_any(t, folder, false, e);
}

enum status io_temp_make_folder(struct io_temp *t, const char *folder, struct err *e)
{
	io_temp_sweep(folder);
	return make_any(t, folder, true, e);
}

enum status io_temp_make_in(struct io_temp *t, const struct io_temp *folder, struct err *e)
{
	return make_any(t, folder->path, false, e);
}

void io_temp_leave(struct io_temp *t)
{
	char *path = strdup(t->path); /* lint: allow byhand */

	if (!path)
		return;
	forget(t);
	t->path = path;
}

/* 0, or -1 with errno: EEXIST where something is at path.  Old kernels and some file systems know
 * no such renaming: a further name for the file is then made, which replaces nothing either. */
static int rename_new(const char *from, const char *path)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return 0;
	if ((errno != ENOSYS && errno != EINVAL && errno != ENOTSUP) || link(from, path) != 0)
		return -1;
	(void)unlink(from);
	return 0;
}

/* The file has its name, or is dropped. */
static enum status placed(struct io_temp *t, bool has_name, const char *what, struct err *e)
{
	int code = errno;

	if (has_name) {
		forget(t);
		return OK;
	}
	io_temp_drop(t);
	if (code == EEXIST)
		return err_set(e, E_IO, -1, "is there already: nothing is overwritten");
	return err_set(e, E_IO, -1, "cannot %s the new file: %s", what, strerror(code));
}

enum status io_temp_place(struct io_temp *t, const char *path, struct err *e)
{
	return placed(t, rename(t->path, path) == 0, "rename", e);
}

enum status io_temp_place_new(struct io_temp *t, const char *path, struct err *e)
{
	return placed(t, rename_new(t->path, path) == 0, "name", e);
}

void io_temp_drop(struct io_temp *t)
{
	if (!t->path)
		return;
	discard(AT_FDCWD, t->path);
	forget(t);
}
