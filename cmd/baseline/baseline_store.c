/* The store of the baseline command.
 *
 * It is written whole and renamed, under a lock, so that neither a crash nor a second writer loses
 * a run.  The lock is that of the folder of the real file, however the store was named, and nothing
 * about the store is looked at before it is held. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "cmd/baseline/baseline.h"
#include "cmd/load/load_history.h"
#include "cmd/say.h"

/* Waits for the lock; *fd holds it until it is closed.  When that takes LOCK_PATIENCE_S seconds it
 * is said on stderr, with the process that has it where the kernel tells.  A file system without
 * locks is said unless is_quiet, and no failure.  E_IO when the folder cannot be opened: errno is
 * kept, and the text begins with the folder. */
enum { LOCK_PATIENCE_S = 3 };

/* ---- the lock of a folder ---- */

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

static void say_waiting(int fd, const char *folder)
{
	char name[64] = "";
	struct stat st;
	long pid = fstat(fd, &st) == 0 ? holder_of(&st) : 0;

	if (pid == 0) {
		(void)say_failure("%s: waiting for another process, which has it locked", folder);
		return;
	}
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/%ld/comm", pid);
	FILE *f = fopen(path, "r");
	if (!f || !fgets(name, (int)sizeof(name), f))
		name[0] = '\0';
	name[strcspn(name, "\n")] = '\0';
	if (f)
		(void)fclose(f);
	(void)say_failure("%s: waiting for process %ld (%s), which has it locked", folder, pid,
		name[0] ? name : "unknown");
}

/* errno of the last try, or 0. */
static int try_for_a_while(int fd)
{
	const struct timespec pause = { 0, (long)LOOK_EVERY_MS * MS_TO_NS };

	for (int i = 0; i < LOCK_PATIENCE_S * S_TO_MS / LOOK_EVERY_MS; i++) {
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

static enum status lock_folder(int *fd, const char *folder, bool is_quiet, struct err *e)
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

enum {
	LOCK_TRIES = 100, /* how often the store may be moved while we wait for it */
	MAKE_TRIES = 3    /* how often its new folder may be removed before it is locked */
};

/* Durable, because the runs that will lie in it are. */
static enum status make_one(const char *folder, struct err *e)
{
	if (mkdir(folder, 0777) != 0) {
		if (errno == EEXIST)
			return OK; /* somebody else has been faster */
		return err_set(e, E_IO, -1, "%s: %s", folder, strerror(errno));
	}
	char *above = io_folder(folder);
	enum status st = io_settle(above, e);
	free(above);
	return st;
}

/* A folder to be made: the store's path, when nothing is there and it names no file. */
static enum status make_folder(struct baseline *b)
{
	enum status status = OK;
	struct stat st;

	if (stat(b->store, &st) == 0 || span_ends(span_of(b->store), ".jsonl"))
		return OK;
	char *target = io_target(b->store);
	if (!span_ends(span_of(target), ".jsonl"))
		status = make_one(target, &b->err);
	free(target);
	return status;
}

/* True when the lock is that of the folder in which the store's file is now. */
static bool is_its_lock(struct baseline *b, const char *folder)
{
	char *target = io_target(history_file(b->store, &b->mem));
	char *now = io_folder(target);
	struct stat locked, there;
	bool is_same = strcmp(now, folder) == 0 && fstat(b->lock, &locked) == 0 &&
		stat(now, &there) == 0 && locked.st_dev == there.st_dev &&
		locked.st_ino == there.st_ino;

	FREE_ALL(target, now);
	return is_same;
}

static enum status lock_once(struct baseline *b, bool *is_held)
{
	char *target = io_target(b->file), *folder = io_folder(target);
	enum status st = lock_folder(&b->lock, folder, b->output.is_quiet, &b->err);

	*is_held = st == OK && is_its_lock(b, folder);
	if (st == OK && !*is_held) {
		(void)close(b->lock);
		b->lock = -1;
	}
	FREE_ALL(target, folder);
	return st;
}

/* The store may be made, moved or removed by others until the lock is held. */
static enum status lock(struct baseline *b, bool may_be_new)
{
	bool is_held = false;

	for (int i = 0; i < LOCK_TRIES && !is_held; i++) {
		if (may_be_new)
			TRY(make_folder(b));
		b->file = history_file(b->store, &b->mem);
		if (lock_once(b, &is_held) != OK && (!may_be_new || i >= MAKE_TRIES))
			return b->err.status;
	}
	return is_held ? OK
		       : err_set(&b->err, E_IO, -1, "%s: it is moved again and again", b->store);
}

enum status baseline_open(struct baseline *b, enum baseline_use use)
{
	struct stat st;

	b->file = history_file(b->store, &b->mem);
	if (use != BASELINE_ADD && stat(b->file, &st) != 0 && errno == ENOENT)
		return err_hinted(&b->err, E_IO, "'traceq baseline add STORE RUN' makes one",
			"%s: no store of baselines", b->store);
	if (use != BASELINE_LOOK)
		TRY(lock(b, use == BASELINE_ADD));
	if (use == BASELINE_ADD) /* it is none of the runs; from here on it is read itself */
		TRY(door_passes(b->file, &b->err));
	history_init(&b->history, b->file);
	if (stat(b->file, &st) != 0 ? errno == ENOENT : S_ISREG(st.st_mode) && st.st_size == 0)
		return OK;
	history_clear(&b->history);
	TRY(history_load(&b->history, b->file, b->output.is_quiet, &b->err));
	if (!history_is_at(b->file))
		return err_set(&b->err, E_FORMAT, -1, "%s: not a store of baselines", b->file);
	return OK;
}

enum status baseline_write(struct baseline *b)
{
	const struct door_output out = { .path = b->file, .is_store = true };
	SCOPED_STR text = { 0 };
	struct io_file f;
	enum status st = door_plan(&out, &b->err);

	THEN(st, io_create(&f, b->file, &b->err));

	for (size_t i = 0; i < b->history.nrun; i++)
		history_put_line(&text, &b->history, &b->history.run[i]);
	if (st == OK)
		f.is_durable = true;
	if (st == OK && text.n && fwrite(text.s, 1, text.n, f.out) != text.n) {
		st = err_set(&b->err, E_IO, -1, "%s", strerror(errno));
		io_abandon(&f);
	} else if (st == OK) {
		st = io_commit(&f, &b->err);
	}
	return io_named(b->file, st, &b->err);
}
