/* Files of an export. */
#include "cmd/export_folder.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
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

static enum status make(const char *path, struct err *e)
{
	if (mkdir(path, 0777) == 0 || errno == EEXIST)
		return OK;
	return err_set(e, E_IO, -1, "%s: cannot make the folder: %s", path, strerror(errno));
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
	return make(f->path, e);
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
	return make(part_of(f, rank), e);
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

void export_folder_settle(struct export_folder *f)
{
	for (size_t i = 0; i < f->nold; i++)
		if (f->old[i])
			(void)unlink(f->old[i]);
}

void export_folder_close(struct export_folder *f)
{
	FREE_ALL(f->old, f->rank);
	arena_clear(&f->mem);
}
