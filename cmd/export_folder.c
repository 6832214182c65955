/* Files of an export. */
#include "cmd/export_folder.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "base/io.h"
#include "base/reach.h"
#include "report/parquet/parquet.h"

static bool is_ours(struct span head, const void *ctx UNUSED)
{
	return span_starts(head, PARQUET_HEAD);
}

static bool file_is_ours(const char *path)
{
	char head[sizeof(PARQUET_HEAD) - 1];
	FILE *f = reach_file(path);
	bool is = f && fread(head, 1, sizeof(head), f) == sizeof(head) &&
		is_ours((struct span){ head, sizeof(head) }, NULL);

	if (f)
		(void)fclose(f);
	return is;
}

/* What lies in a folder of tables; in parts of it, too, where `parts` is set. */
static void look(struct export_folder *f, const char *folder, bool parts)
{
	DIR *d = reach_folder(folder);

	for (struct dirent *entry; d && (entry = readdir(d));) {
		const char *path = arena_printf(&f->mem, "%s/%s", folder, entry->d_name);

		if (parts && strncmp(entry->d_name, "rank=", 5) == 0)
			look(f, path, false);
		else if (span_ends(span_of(path), ".parquet") && file_is_ours(path))
			PUSH(f->old, f->nold, f->old_cap, (char *)(uintptr_t)path);
	}
	if (d)
		(void)closedir(d);
}

/* What is made goes with export_folder_close, unless all was written. */
static enum status make(struct export_folder *f, const char *path, struct err *e)
{
	if (mkdir(path, 0777) == 0)
		PUSH(f->made, f->nmade, f->made_cap, path);
	else if (errno != EEXIST)
		return err_set(
			e, E_IO, -1, "%s: cannot make the folder: %s", path, strerror(errno));
	return OK;
}

/* OK where it can be made later, too. */
static enum status may_write(const char *folder, struct err *e)
{
	if (access(folder, W_OK) == 0 || errno == ENOENT)
		return OK;
	return err_set(e, E_IO, -1, "%s: cannot write: %s", folder, strerror(errno));
}

enum status export_folder_open(
	struct export_folder *f, const char *path, bool is_forced, bool is_parted, struct err *e)
{
	size_t n = strlen(path);

	*f = (struct export_folder){ .is_forced = is_forced, .is_parted = is_parted };
	while (n > 1 && path[n - 1] == '/')
		n--;
	f->path = arena_copy(&f->mem, path, n);
	look(f, f->path, true);
	if (f->nold > 0 && !is_forced)
		return err_hinted(e, E_USAGE, "--force replaces it; or another folder",
			"-o %s holds an export already", path);
	char *up = io_folder(f->path);
	const bool is_there = access(f->path, F_OK) == 0;
	enum status st = io_named(path, io_hold_in(is_there ? f->path : up, e), e);
	f->is_held = st == OK;
	free(up);
	return st;
}

/* "run.parquet/rank=3", or the folder itself. */
static const char *part_of(struct export_folder *f, int64_t rank)
{
	return f->is_parted && rank >= 0 ? arena_printf(&f->mem, "%s/rank=%" PRId64, f->path, rank)
					 : f->path;
}

enum status export_folder_run(struct export_folder *f, int64_t rank, struct err *e)
{
	PUSH(f->rank, f->nrank, f->rank_cap, rank);
	return may_write(part_of(f, rank), e);
}

enum status export_folder_file(
	struct export_folder *f, const char *table, const char **path, struct err *e)
{
	const int64_t rank = f->rank[f->nrank - 1];
	const size_t same = SUM(size_t, i, f->nrank, f->rank[i] == rank);
	const char *part = part_of(f, rank);

	*path = same > 1 ? arena_printf(&f->mem, "%s/%s-%zu.parquet", part, table, same)
			 : arena_printf(&f->mem, "%s/%s.parquet", part, table);
	for (size_t i = 0; i < f->nold; i++)
		if (f->old[i] && strcmp(f->old[i], *path) == 0)
			f->old[i] = NULL;
	const struct door_output out = { .path = *path, .beside = f->path, .is_ours = is_ours };
	return door_plan(&out, e);
}

enum status export_folder_settle(struct export_folder *f, struct err *e)
{
	TRY(make(f, f->path, e));
	for (size_t i = 0; i < f->nrank; i++)
		TRY(make(f, part_of(f, f->rank[i]), e));
	f->is_held = false;
	TRY(io_release(e));
	f->nmade = 0;
	for (size_t i = 0; i < f->nold; i++)
		if (f->old[i])
			(void)unlink(f->old[i]);
	return OK;
}

void export_folder_close(struct export_folder *f)
{
	if (f->is_held)
		io_drop();
	while (f->nmade > 0)
		(void)rmdir(f->made[--f->nmade]);
	FREE_ALL(f->old, f->made, f->rank);
	arena_clear(&f->mem);
}
