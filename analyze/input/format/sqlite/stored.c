/* Finding and reading the files of a database. */
#include "analyze/input/format/sqlite/stored.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/input/format/format.h"
#include "analyze/input/source/packed.h"
#include "analyze/input/source/source.h"
#include "base/door.h"
#include "base/reach.h"

enum { PIECE_BYTES = 64 << 10 };

bool stored_is_there(const struct stored_file *f)
{
	return f->fd >= 0 || f->p;
}

int64_t stored_bytes(const struct stored *s)
{
	return s->database.n + s->wal.n + s->journal.n;
}

/* ---- bytes ---- */

int64_t stored_read(const struct stored_file *f, void *buf, int64_t n, int64_t at)
{
	int64_t got = 0;

	if (f->p) {
		got = at < f->n ? MIN(f->n - at, n) : 0;
		if (got)
			memcpy(buf, f->p + at, (size_t)got);
		return got;
	}
	while (got < n) {
		ssize_t k = pread(f->fd, (char *)buf + got, (size_t)(n - got), (off_t)(at + got));

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return -1;
		if (k == 0)
			break;
		got += k;
	}
	return got;
}

/* To n bytes, zeros behind those that are there. */
static bool resize(struct stored_file *f, int64_t n)
{
	if (!f->p || n > STORED_IN_MEMORY_MAX)
		return false;
	f->p = array_grow(f->p, &f->cap, (size_t)n, 1);
	if (n > f->n)
		memset(f->p + f->n, 0, (size_t)(n - f->n));
	f->n = n;
	return true;
}

bool stored_write(struct stored_file *f, const void *buf, int64_t n, int64_t at)
{
	if ((at + n > f->n && !resize(f, at + n)) || !f->p)
		return false;
	memcpy(f->p + at, buf, (size_t)n);
	return true;
}

bool stored_cut(struct stored_file *f, int64_t n)
{
	return n >= f->n || resize(f, n);
}

/* ---- into memory ---- */

static void keep(struct stored_file *f, struct str *all)
{
	str_addc(all, '\0'); /* so that there is memory, also of no bytes */
	*f = (struct stored_file){
		.fd = -1, .p = (unsigned char *)all->s, .n = (int64_t)all->n - 1, .cap = all->n
	};
}

/* All of the source. */
static enum status slurp(struct stored_file *f, struct source *s, struct err *e)
{
	struct str all = { 0 };
	char piece[PIECE_BYTES];
	size_t got;

	do {
		if (source_read(s, piece, sizeof(piece), &got, e) != OK) {
			str_free(&all);
			return e->status;
		}
		str_add(&all, piece, got);
	} while (got == sizeof(piece) && all.n <= STORED_IN_MEMORY_MAX);
	if (all.n > STORED_IN_MEMORY_MAX) {
		str_free(&all);
		return err_hinted(e, E_LIMIT, "unpack it, and give the file itself",
			"a database in a pipe or an archive is at most %d MiB",
			STORED_IN_MEMORY_MAX >> 20);
	}
	keep(f, &all);
	return OK;
}

/* A database that is to be rolled back is written to, and the file is not ours to write. */
static enum status take_over(struct stored_file *f, struct err *e)
{
	struct str all = { 0 };
	char piece[PIECE_BYTES];
	int64_t got = 0;

	if (f->p)
		return OK;
	while ((int64_t)all.n <= STORED_IN_MEMORY_MAX &&
		(got = stored_read(f, piece, sizeof(piece), (int64_t)all.n)) > 0)
		str_add(&all, piece, (size_t)got);
	if (got < 0 || (int64_t)all.n > STORED_IN_MEMORY_MAX) {
		str_free(&all);
		if (got < 0)
			return err_set(e, E_IO, -1, "cannot read: %s", strerror(errno));
		return err_hinted(e, E_LIMIT, "sqlite3 FILE 'PRAGMA quick_check' rolls it back",
			"a transaction in it never ended, and to roll back its -journal it may "
			"have %d MiB at most",
			STORED_IN_MEMORY_MAX >> 20);
	}
	(void)close(f->fd);
	keep(f, &all);
	return OK;
}

/* ---- what lies beside ---- */

static enum status say_beside(const char *what, enum status st, struct err *e)
{
	struct err why = *e;

	(void)err_set(e, st, -1,
		"the database is not whole without its %s, which cannot be read: %s", what,
		why.text);
	return err_hint(e, "%s",
		why.hint[0] ? why.hint
			    : "sqlite3 FILE 'PRAGMA wal_checkpoint(TRUNCATE)' makes them one");
}

/* A file on disk as it is: whatever its first bytes look like. */
static enum status take_plain(
	struct stored_file *f, const char *path, const char *what, struct err *e)
{
	struct stat st;

	f->fd = reach_open(path, O_NONBLOCK);
	if (f->fd < 0 && errno == ENOENT)
		return OK;
	if (f->fd >= 0 && fstat(f->fd, &st) == 0 && S_ISREG(st.st_mode)) {
		door_input_fd(f->fd, path);
		f->n = st.st_size;
		return OK;
	}
	(void)err_set(e, E_IO, -1, "%s", f->fd < 0 ? strerror(errno) : "it is no file");
	return say_beside(what, E_IO, e);
}

static enum status take_packed(struct stored_file *f, const char *path, const char *what,
	const char *inflate, struct err *e)
{
	struct source s;
	struct err why;

	err_clear(&why);
	enum status st = source_open(&s, path, inflate, &why);
	if (st == E_NODATA)
		return OK;
	if (st == OK) {
		door_input_fd(s.fd, path);
		st = slurp(f, &s, &why);
	}
	source_close(&s);
	if (st == OK)
		return OK;
	*e = why;
	return say_beside(what, st, e);
}

static enum status take_at(struct stored_file *f, const char *path, bool is_packed,
	const char *what, struct format_input *in, struct err *e)
{
	const char *inflate = in->source ? in->source->inflate : NULL;
	struct stat st;

	if (stored_is_there(f))
		return OK;
	if (lstat(path, &st) == 0)
		return is_packed ? take_packed(f, path, what, inflate, e)
				 : take_plain(f, path, what, e);
	if (errno != ENOENT && errno != ENOTDIR)
		return take_plain(f, path, what, e);
	return strchr(path, '!') ? take_packed(f, path, what, inflate, e) : OK;
}

/* "a.db-wal"; of "a.db.gz" also "a.db-wal.gz". */
static enum status take_beside(struct stored_file *f, const char *path, const char *what,
	struct format_input *in, struct err *e)
{
	size_t n = packed_stem(path);
	SCOPED_STR name = { 0 };

	str_add(&name, path, n);
	str_adds(&name, what);
	enum status st = take_at(f, name.s, false, what, in, e);
	if (st == OK && path[n]) {
		str_adds(&name, path + n);
		st = take_at(f, name.s, true, what, in, e);
	}
	return st;
}

/* Beside the file that a link leads to, as SQLite looks; else beside the link. */
static enum status find_beside(
	struct stored_file *f, const char *what, struct format_input *in, struct err *e)
{
	if (!in->path || strcmp(in->path, "-") == 0)
		return OK;
	char *target = io_target(in->path);
	enum status st = take_beside(f, target, what, in, e);
	if (st == OK && strcmp(target, in->path) != 0)
		st = take_beside(f, in->path, what, in, e);
	free(target);
	return st;
}

/* ---- all of them ---- */

static void drop(struct stored_file *f)
{
	if (f->fd >= 0)
		(void)close(f->fd);
	free(f->p);
	*f = (struct stored_file){ .fd = -1 };
}

static enum status open_database(struct stored_file *f, struct format_input *in, struct err *e)
{
	struct stat st;

	if (!in->file)
		return slurp(f, in->source, e);
	f->fd = reach_open(in->file, 0);
	if (f->fd < 0 || fstat(f->fd, &st) != 0)
		return err_set(e, E_IO, -1, "cannot open: %s", strerror(errno));
	f->n = st.st_size;
	return OK;
}

/* One whose first byte is 0 has been rolled back, or its transaction has ended. */
static bool is_hot(const struct stored_file *f)
{
	char first = 0;

	return stored_is_there(f) && stored_read(f, &first, 1, 0) == 1 && first;
}

enum status stored_open(struct stored *s, struct format_input *in, struct err *e)
{
	*s = (struct stored){ .database.fd = -1, .wal.fd = -1, .journal.fd = -1 };
	TRY(open_database(&s->database, in, e));
	TRY(find_beside(&s->wal, "-wal", in, e));
	TRY(find_beside(&s->journal, "-journal", in, e));
	if (is_hot(&s->journal))
		return take_over(&s->database, e);
	drop(&s->journal);
	return OK;
}

void stored_close(struct stored *s)
{
	drop(&s->database);
	drop(&s->wal);
	drop(&s->journal);
}
