/*
 * Tables chosen: a view of the result that has them alone, which any renderer prints.
 */
#include "cmd/tables_put.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/query/analysis.h"
#include "base/table.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/tables.h"
#include "report/format/renderer.h"

static struct table_ids ids_in(const struct result *r)
{
	struct table_ids ids = { .n = 0 };
	size_t i;

	for (i = 0; i < r->ntable; i++)
		tables_add(&ids, r->table[i]->id);
	return ids;
}

/* The first table of a list "tree|device|ops" that is there; NULL: none is. */
static const char *first_of(const char *list, const struct table_ids *ids)
{
	size_t i, n;

	for (; list && *list; list += n + (list[n] == '|')) {
		n = strcspn(list, "|");
		for (i = 0; i < ids->n; i++)
			if (strlen(ids->v[i]) == n && memcmp(ids->v[i], list, n) == 0)
				return ids->v[i];
	}
	return NULL;
}

/* What the answer is about; else its first grid, else its first table; NULL: it has none. */
static const char *main_of(
	const struct analysis *a, const struct result *r, const struct table_ids *ids)
{
	const char *id = first_of(a->help.main_table, ids);
	size_t i;

	for (i = 0; !id && i < r->ntable; i++)
		if (r->table[i]->layout == TABLE_GRID)
			id = r->table[i]->id;
	return id || ids->n == 0 ? id : ids->v[0];
}

/* r with the tables of one id alone; memory is the arena's. */
static struct result only(const struct result *r, const char *id, struct arena *mem)
{
	struct result view = *r;
	size_t i;

	view.table = arena_array(mem, r->ntable, sizeof(*view.table));
	view.ntable = 0;
	for (i = 0; i < r->ntable; i++)
		if (id && strcmp(r->table[i]->id, id) == 0)
			view.table[view.ntable++] = r->table[i];
	return view;
}

static enum status put_only(const struct output_options *o, const struct renderer *renderer,
	const struct result *r, const char *id, struct err *e)
{
	struct arena mem;
	struct result view;
	enum status st;

	arena_init(&mem);
	view = only(r, id, &mem);
	st = output_put(o, renderer, &view, e);
	arena_clear(&mem);
	return st;
}

static enum status put_folder(const struct output_options *o, const struct renderer *renderer,
	const struct result *r, const struct table_ids *ids, struct err *e)
{
	struct output_options each = *o;
	struct str path = { 0 };
	enum status st = OK;
	size_t i, n = strlen(o->path);

	if (mkdir(o->path, 0777) != 0 && errno != EEXIST)
		return err_set(
			e, E_IO, -1, "%s: cannot make the folder: %s", o->path, strerror(errno));
	for (i = 0; i < ids->n && st == OK; i++) {
		str_reset(&path);
		str_addf(&path, "%s%s%s%s", o->path, o->path[n - 1] == '/' ? "" : "/", ids->v[i],
			renderer->suffix);
		each.path = path.s;
		st = put_only(&each, renderer, r, ids->v[i], e);
	}
	str_free(&path);
	return st;
}

static enum status lacks(const char *id, const struct table_ids *ids, struct err *e)
{
	struct str has = { 0 };

	tables_join(&has, ids, ", ", NULL);
	(void)err_set(e, E_NODATA, -1, "the answer has no table '%s'", id);
	if (has.n)
		(void)err_hint(e, "it has %s", has.s);
	str_free(&has);
	return E_NODATA;
}

static void say_others(const struct renderer *renderer, const struct table_ids *ids, const char *id)
{
	struct str others = { 0 };

	tables_join(&others, ids, ", ", id);
	(void)say_failure("%s holds one table, '%s'; --table names another: %s", renderer->name, id,
		others.s);
	str_free(&others);
}

enum status tables_put(const struct output_options *o, const struct renderer *renderer,
	const struct analysis *a, const struct result *r, struct err *e)
{
	const struct table_ids ids = ids_in(r);
	const char *id = o->table;

	if (tables_is_folder(o->path))
		return put_folder(o, renderer, r, &ids, e);
	if (id && !tables_have(&ids, id))
		return lacks(id, &ids, e);
	if (!id && !renderer->is_one_table)
		return output_put(o, renderer, r, e);
	if (id)
		return put_only(o, renderer, r, id, e);
	id = main_of(a, r, &ids);
	TRY(put_only(o, renderer, r, id, e));
	if (ids.n > 1 && !o->is_quiet)
		say_others(renderer, &ids, id);
	return OK;
}
