/*
 * Atomic output files: write beside, rename at the end.
 *
 * The temporary file is made with open(O_EXCL), not mkstemp, so that it gets the access mode any
 * new file would get here.
 */
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

enum { NAME_TRIES = 100, NAME_BYTES = 200, NEW_FILE_MODE = 0666, MODE_BITS = 07777 };

static void forget(struct io_file *f)
{
	free(f->path);
	free(f->beside);
	*f = (struct io_file){ 0 };
}

static char *copied(const char *s)
{
	struct str b = { 0 };

	str_adds(&b, s);
	return b.s;
}

/* Opens a new file named after path in the same folder; returns its descriptor, or -1 with errno.
 */
static int open_beside(struct io_file *f)
{
	const char *slash = strrchr(f->path, '/');
	const char *name = slash ? slash + 1 : f->path;
	struct str b = { 0 };
	int fd = -1, i;

	for (i = 0; i < NAME_TRIES; i++) {
		str_reset(&b);
		str_add(&b, f->path, (size_t)(name - f->path));
		str_addf(&b, ".%.*s.%ld-%d.tmp", NAME_BYTES, name, (long)getpid(), i);
		fd = open(b.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, NEW_FILE_MODE);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	if (fd < 0)
		str_free(&b);
	f->beside = b.s;
	return fd;
}

static enum status fail(struct io_file *f, struct err *e, const char *what, int code)
{
	enum status st = err_set(e, E_IO, -1, "cannot %s: %s", what, strerror(code));

	io_abandon(f);
	return st;
}

enum status io_create(struct io_file *f, const char *path, struct err *e)
{
	struct stat st;
	bool is_there = stat(path, &st) == 0;
	int fd;

	*f = (struct io_file){ 0 };
	f->path = is_there ? realpath(path, NULL) : NULL;
	if (!f->path)
		f->path = copied(path);
	if (is_there && S_ISDIR(st.st_mode))
		return fail(f, e, "write", EISDIR);
	if (is_there && !S_ISREG(st.st_mode))
		fd = open(path, O_WRONLY | O_CLOEXEC);
	else if (is_there && access(path, W_OK) != 0)
		fd = -1;
	else
		fd = open_beside(f);
	if (fd < 0)
		return fail(f, e, "write", errno);
	if (is_there && f->beside)
		(void)fchmod(fd, st.st_mode & MODE_BITS);
	f->out = fdopen(fd, "w");
	if (!f->out) {
		int code = errno;

		(void)close(fd);
		return fail(f, e, "write", code);
	}
	return OK;
}

enum status io_commit(struct io_file *f, struct err *e)
{
	bool is_bad;

	errno = 0;
	is_bad = fflush(f->out) != 0 || ferror(f->out);
	if (fclose(f->out) != 0)
		is_bad = true;
	f->out = NULL;
	if (is_bad)
		return fail(f, e, "write", errno ? errno : EIO);
	if (f->beside && rename(f->beside, f->path) != 0)
		return fail(f, e, "rename the new file", errno);
	forget(f);
	return OK;
}

void io_abandon(struct io_file *f)
{
	if (f->out)
		(void)fclose(f->out);
	if (f->beside)
		(void)unlink(f->beside);
	forget(f);
}

enum status io_named(const char *path, enum status st, struct err *e)
{
	struct err why = *e;

	if (st == OK)
		return OK;
	(void)err_set(e, st, why.offset, "%s: %s", path, why.text);
	memcpy(e->hint, why.hint, sizeof(e->hint));
	return st;
}

enum status io_put(const char *path, const struct str *text, struct err *e)
{
	struct io_file f;
	enum status st = io_create(&f, path, e);

	if (st == OK && text->n && fwrite(text->s, 1, text->n, f.out) != text->n)
		st = fail(&f, e, "write", errno);
	if (st == OK)
		st = io_commit(&f, e);
	return io_named(path, st, e);
}
