/* Histories on disk. */
#include "cmd/load/load_history.h"

#include <sys/stat.h>
#include <unistd.h>

#include "analyze/input/read_history.h"
#include "base/io.h"
#include "base/reach.h"
#include "cmd/load/operands.h"
#include "cmd/say.h"

enum { BYTES_MAX = 256 << 20, HEAD_BYTES = 64 };

const char *history_file(const char *path, struct arena *mem)
{
	struct stat st;
	size_t n = strlen(path);

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return path;
	return arena_printf(mem, "%s%s" HISTORY_FILE, path, n && path[n - 1] == '/' ? "" : "/");
}

/* The first bytes of a file. */
static bool read_head(struct str *out, const char *path)
{
	char head[HEAD_BYTES];
	FILE *f = reach_file(path);

	if (!f)
		return false;
	str_add(out, head, fread(head, 1, sizeof(head), f));
	(void)fclose(f);
	return true;
}

bool history_is_at(const char *path)
{
	SCOPED_ARENA mem = { 0 };
	SCOPED_STR text = { 0 };
	struct stat st;

	const char *file = history_file(path, &mem);
	return stat(file, &st) == 0 && S_ISREG(st.st_mode) && read_head(&text, file) &&
		text.n > 0 && history_is_store((struct span){ text.s, text.n });
}

enum status history_load(struct history *h, const char *path, bool is_quiet, struct err *e)
{
	SCOPED_STR text = { 0 };
	SCOPED_ARENA mem = { 0 };
	size_t torn = 0;

	history_init(h, path);
	const char *file = history_file(path, &mem);
	enum status st = io_get(file, BYTES_MAX, &text, e);
	/* A folder was named, and none of its files is a store. */
	if (st != OK && file != path && access(file, F_OK) != 0)
		st = err_hinted(e, E_IO,
			"'traceq baseline add STORE RUN' makes one; to compare two runs leave out --history",
			"%s: no history: a store's folder has " HISTORY_FILE, path);
	if (st == OK) {
		struct span all = { text.s ? text.s : "", text.n };

		history_clear(h);
		st = history_read(h, all, file, &torn, e);
		if (st != OK) {
			struct err why = *e;

			(void)err_set(e, st, why.offset, "%s: %s", file, why.text);
			e->line = why.line;
			memcpy(e->hint, why.hint, sizeof(e->hint));
		}
	}
	if (st == OK && torn && !is_quiet)
		(void)say_failure("%s: the last line is torn and was left out", file);
	return st;
}

enum status history_take(struct operands *o, bool wanted, struct history *h, bool *has_history,
	bool is_quiet, struct err *e)
{
	*has_history = false;
	if (o->n == 0 || o->side[0].npath != 1)
		return wanted ? err_set(e, E_USAGE, -1, "a history is one file or folder") : OK;
	if (!wanted && !history_is_at(o->side[0].path[0]))
		return OK;
	*has_history = true;
	TRY(history_load(h, o->side[0].path[0], is_quiet, e));
	o->side++;
	o->n--;
	return OK;
}
