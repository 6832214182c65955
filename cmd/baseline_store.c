/*
 * The store of the baseline command.
 *
 * It is written whole and renamed, under a lock, so that neither a crash nor a second writer loses
 * a run.
 */
#include "cmd/baseline.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/str.h"
#include "cmd/history.h"

/* Locks the store's folder; an error means that nobody can write there either. */
static enum status lock(struct baseline *b)
{
	char *folder = arena_copy(&b->mem, b->file, strlen(b->file)), *slash = strrchr(folder, '/');

	if (slash)
		slash[slash == folder] = '\0';
	b->lock = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (b->lock < 0)
		return err_set(&b->err, E_IO, -1, "%s: %s", slash ? folder : ".", strerror(errno));
	while (flock(b->lock, LOCK_EX) != 0)
		if (errno != EINTR)
			return OK; /* a file system without locks */
	return OK;
}

/* A folder to be made: the store's path, when nothing is there and it names no file. */
static enum status make_folder(struct baseline *b)
{
	struct stat st;
	const char *dot = strrchr(b->store, '.');

	if (stat(b->store, &st) == 0 || (dot && strcmp(dot, ".jsonl") == 0))
		return OK;
	if (mkdir(b->store, 0777) != 0)
		return err_set(&b->err, E_IO, -1, "%s: %s", b->store, strerror(errno));
	return OK;
}

enum status baseline_open(struct baseline *b, bool may_be_new)
{
	struct stat st;

	if (may_be_new)
		TRY(make_folder(b));
	b->file = history_file(b->store, &b->mem);
	b->is_new = stat(b->file, &st) != 0 && errno == ENOENT;
	if (b->is_new && !may_be_new) {
		(void)err_set(&b->err, E_IO, -1, "%s: no store of baselines", b->store);
		return err_hint(&b->err, "'traceq baseline add %s RUN' makes one", b->store);
	}
	TRY(lock(b));
	history_init(&b->history, b->file);
	if (b->is_new || st.st_size == 0)
		return OK;
	history_clear(&b->history);
	TRY(history_load(&b->history, b->file, b->output.is_quiet, &b->err));
	if (!history_is_at(b->file))
		return err_set(&b->err, E_FORMAT, -1, "%s: not a store of baselines", b->file);
	return OK;
}

enum status baseline_write(struct baseline *b, size_t from)
{
	struct str text = { 0 };
	struct io_file f;
	enum status st = io_create(&f, b->file, &b->err);
	size_t i;

	for (i = from; i < b->history.nrun; i++)
		history_put_line(&text, &b->history, &b->history.run[i]);
	if (st == OK && text.n && fwrite(text.s, 1, text.n, f.out) != text.n) {
		st = err_set(&b->err, E_IO, -1, "%s", strerror(errno));
		io_abandon(&f);
	} else if (st == OK) {
		st = io_commit(&f, &b->err);
	}
	str_free(&text);
	if (st != OK) {
		struct err why = b->err;

		return err_set(&b->err, st, -1, "%s: %s", b->file, why.text);
	}
	return OK;
}
