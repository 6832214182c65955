/*
 * What tables there are, and what -o and --table say about them.
 */
#include "cmd/tables.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/analysis/analysis.h"
#include "analyze/analysis/fold.h"
#include "analyze/analysis/jobpage.h"
#include "analyze/analysis/pagecells.h"
#include "analyze/analysis/runs_table.h"
#include "base/io.h"
#include "base/opt.h"
#include "cmd/options.h"
#include "report/format/renderer.h"

void tables_add(struct table_ids *ids, const char *id)
{
	size_t i;

	for (i = 0; i < ids->n; i++)
		if (strcmp(ids->v[i], id) == 0)
			return;
	if (ids->n < TABLES_MAX)
		ids->v[ids->n++] = id;
}

bool tables_have(const struct table_ids *ids, const char *id)
{
	size_t i;

	for (i = 0; i < ids->n; i++)
		if (strcmp(ids->v[i], id) == 0)
			return true;
	return false;
}

void tables_join(
	struct str *out, const struct table_ids *ids, const char *between, const char *without)
{
	size_t i, start = out->n;

	for (i = 0; i < ids->n; i++)
		if (!without || strcmp(ids->v[i], without) != 0)
			str_addf(out, "%s%s", out->n > start ? between : "", ids->v[i]);
}

static struct table_ids ids_of(const struct analysis *a)
{
	struct table_ids ids = { .n = 0 };
	size_t i;

	for (i = 0; i < a->help.ntables; i++)
		tables_add(&ids, a->help.tables[i].id);
	for (i = 0; a->per_run.folds && i < JOBPAGE_TABLES; i++)
		tables_add(&ids, jobpage_docs[i].id);
	return ids;
}

void tables_choices(struct str *out, const struct analysis *a)
{
	const struct table_ids ids = ids_of(a);

	tables_join(out, &ids, "|", NULL);
}

bool tables_is_folder(const char *path)
{
	size_t n = path ? strlen(path) : 0;
	struct stat st;

	return n > 0 && (path[n - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)));
}

static bool is_same(const char *path, const struct stat *other)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_dev == other->st_dev && st.st_ino == other->st_ino;
}

/* Tables have names of their own, which may be those of files beside the inputs. */
static enum status spare_inputs(
	const char *folder, const char *const *input, size_t n, struct err *e)
{
	struct stat st;
	size_t i;

	for (i = 0; i < n && stat(folder, &st) == 0; i++) {
		char *beside = io_folder(input[i]);
		bool is_near = is_same(input[i], &st) || is_same(beside, &st);

		free(beside);
		if (is_near)
			return err_set(e, E_USAGE, -1,
				"-o %s is where the inputs are; a folder of its own is wanted",
				folder);
	}
	return OK;
}

enum status tables_check(const struct output_options *o, const struct renderer *renderer,
	const struct analysis *a, const char *const *input, size_t n, struct err *e)
{
	const struct table_ids ids = ids_of(a);
	const char *near;
	struct str has = { 0 };

	if (o->table && !tables_have(&ids, o->table)) {
		near = opt_nearest(o->table, ids.v, ids.n);
		tables_join(&has, &ids, ", ", NULL);
		(void)err_set(e, E_USAGE, -1,
			near ? "--table: no table '%s'; did you mean '%s'?"
			     : "--table: no table '%s'",
			o->table, near);
		(void)err_hint(e, "%s has %s", a->name, has.s);
		str_free(&has);
		return E_USAGE;
	}
	if (!tables_is_folder(o->path))
		return OK;
	if (renderer->is_one_table && !o->table)
		return spare_inputs(o->path, input, n, e);
	(void)err_set(e, E_USAGE, -1, "-o %s is a folder", o->path);
	return err_hint(e, "with --format csv or tsv it gets a file for each table");
}

bool tables_wants_pages(const struct output_options *o, const struct analysis *a)
{
	const struct folds *folds = a->per_run.folds;
	size_t i;

	if (o->table && folds && folds->tables &&
		pagecells_is_one_of(folds->tables, span_of(o->table)))
		return false;
	for (i = 0; o->table && i < JOBPAGE_TABLES; i++)
		if (strcmp(o->table, jobpage_docs[i].id) == 0)
			return false;
	return o->table && strcmp(o->table, RUNS_TABLE) != 0;
}
