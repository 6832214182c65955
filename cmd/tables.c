/* What tables there are, and what -o and --table say about them. */
#include "cmd/tables.h"

#include <errno.h>
#include <sys/stat.h>

#include "analyze/analysis/fold.h"
#include "analyze/analysis/jobpage.h"
#include "analyze/analysis/runs_table.h"
#include "base/io.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "report/format/renderer.h"

enum { TABLES_MAX = 64 };

/* Ids of tables, each once. */
struct table_ids {
	const char *v[TABLES_MAX]; /* borrowed */
	size_t n;
};

static bool tables_have(const struct table_ids *ids, const char *id)
{
	return ANY(i, ids->n, strcmp(ids->v[i], id) == 0);
}

static void tables_add(struct table_ids *ids, const char *id)
{
	if (ids->n < TABLES_MAX && !tables_have(ids, id))
		ids->v[ids->n++] = id;
}

/* Appends them, `between` between, but for the one of that id; without: NULL for none. */
static void tables_join(
	struct str *out, const struct table_ids *ids, const char *between, const char *without)
{
	size_t start = out->n;

	for (size_t i = 0; i < ids->n; i++)
		if (!without || strcmp(ids->v[i], without) != 0)
			str_addf(out, "%s%s", out->n > start ? between : "", ids->v[i]);
}

static struct table_ids ids_of(const struct analysis *a)
{
	struct table_ids ids = { .n = 0 };

	for (size_t i = 0; i < a->help.ntables; i++)
		tables_add(&ids, a->help.tables[i].id);
	for (size_t i = 0; a->per_run.folds && i < JOBPAGE_TABLES; i++)
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

	for (size_t i = 0; i < n && stat(folder, &st) == 0; i++) {
		char *beside = io_folder(input[i]);
		bool is_near = is_same(input[i], &st) || is_same(beside, &st);

		free(beside);
		if (is_near)
			return err_set(e, E_USAGE, -1,
				"-o %s is where the inputs are; give a folder of its own", folder);
	}
	return OK;
}

enum status tables_check(const struct output_options *o, const struct renderer *renderer,
	const struct analysis *a, const char *const *input, size_t n, struct err *e)
{
	const struct table_ids ids = ids_of(a);
	SCOPED_STR has = { 0 };

	if (o->table && !tables_have(&ids, o->table)) {
		tables_join(&has, &ids, ", ", NULL);
		(void)err_set(e, E_USAGE, -1, "--table: no table '%s'%s", o->table,
			opt_mean(opt_nearest(o->table, ids.v, ids.n), "").s);
		return err_hint(e, "%s has %s", a->name, has.s);
	}
	if (!tables_is_folder(o->path))
		return OK;
	if (renderer->is_one_table && !o->table)
		return spare_inputs(o->path, input, n, e);
	return err_hinted(e, E_USAGE,
		"with --format csv, tsv or parquet it gets a file for each table",
		"-o %s is a folder", o->path);
}

bool tables_wants_pages(const struct output_options *o, const struct analysis *a)
{
	const struct folds *folds = a->per_run.folds;

	if (o->table && folds && folds->tables && span_in(span_of(o->table), folds->tables))
		return false;
	return (!o->table || !ANY(i, JOBPAGE_TABLES, strcmp(o->table, jobpage_docs[i].id) == 0)) &&
		o->table && strcmp(o->table, RUNS_TABLE) != 0;
}

/* ---- an answer written ---- */

static struct table_ids ids_in(const struct result *r)
{
	struct table_ids ids = { .n = 0 };

	for (size_t i = 0; i < r->ntable; i++)
		tables_add(&ids, r->table[i]->id);
	return ids;
}

/* The first table of a list "tree|device|ops" that is there; NULL: none is. */
static const char *first_of(const char *list, const struct table_ids *ids)
{
	for (struct span word; span_words(&list, &word);)
		for (size_t i = 0; i < ids->n; i++)
			if (span_is(word, ids->v[i]))
				return ids->v[i];
	return NULL;
}

/* What the answer is about; else its first grid, else its first table; NULL: it has none. */
static const char *main_of(
	const struct analysis *a, const struct result *r, const struct table_ids *ids)
{
	const char *id = first_of(a->help.main_table, ids);

	for (size_t i = 0; !id && i < r->ntable; i++)
		if (r->table[i]->layout == TABLE_GRID)
			id = r->table[i]->id;
	return id || ids->n == 0 ? id : ids->v[0];
}

/* r with the tables of one id alone; memory is the arena's. */
static struct result only(const struct result *r, const char *id, struct arena *mem)
{
	struct result view = *r;

	view.table = arena_array(mem, r->ntable, sizeof(*view.table));
	view.ntable = 0;
	for (size_t i = 0; i < r->ntable; i++)
		if (id && strcmp(r->table[i]->id, id) == 0)
			view.table[view.ntable++] = r->table[i];
	return view;
}

static enum status put_only(const struct output_options *o, const struct renderer *renderer,
	const struct result *r, const char *id, struct err *e)
{
	SCOPED_ARENA mem = { 0 };

	struct result view = only(r, id, &mem);
	return output_put(o, renderer, &view, e);
}

/* ---- files whose names are those of tables ---- */

/* A table, and all columns it may have. */
struct known {
	const struct analysis *analysis;
	const struct result *result;
	const char *id;
	const char *mark; /* of the format; NULL */
};

static bool is_column(const struct known *k, struct span key)
{
	const struct table_doc *doc = k->analysis->help.tables;

	for (size_t i = 0; i < k->result->ntable; i++) {
		const struct table *t = k->result->table[i];

		for (size_t c = 0; strcmp(t->id, k->id) == 0 && c < t->ncol; c++)
			if (span_is(key, t->col[c].key))
				return true;
	}
	for (EACH(const struct table_doc, d, doc, k->analysis->help.ntables))
		for (size_t c = 0; strcmp(d->id, k->id) == 0 && c < d->ncol; c++)
			if (span_is(key, d->col[c].key))
				return true;
	return span_is(key, "input");
}

/* Where the format has no room for a mark a file is ours when its first line is a heading of the
 * table: no word in it but keys of its columns, and half of as many as it has now. */
static bool is_heading(struct span head, const void *ctx)
{
	const struct known *k = ctx;
	const char *end = memchr(head.p, '\n', head.n), *next;
	size_t n = 0, most = 0;

	if (k->mark)
		return span_starts(head, k->mark);
	for (const char *at = head.p; end && at <= end; at = next + 1, n++) {
		for (next = at; next < end && *next != ',' && *next != '\t'; next++)
			continue;
		struct span key = (struct span){ at, (size_t)(next - at) };
		if (key.n > 2 && key.p[0] == '"' && key.p[key.n - 1] == '"')
			key = (struct span){ key.p + 1, key.n - 2 };
		if (!is_column(k, key))
			return false;
	}
	for (size_t i = 0; i < k->result->ntable; i++)
		if (strcmp(k->result->table[i]->id, k->id) == 0 && k->result->table[i]->ncol > most)
			most = k->result->table[i]->ncol;
	return n > 0 && n >= most / 2;
}

static enum status plan(
	const char *path, const char *folder, const struct known *known, struct err *e)
{
	const struct door_output out = {
		.path = path, .beside = folder, .is_ours = is_heading, .ctx = known
	};

	return door_plan(&out, e);
}

static enum status put_folder(const struct output_options *o, const struct renderer *renderer,
	const struct analysis *a, const struct result *r, const struct table_ids *ids,
	struct err *e)
{
	struct output_options each = *o;
	struct str path = { 0 };
	enum status st = OK;
	size_t n = strlen(o->path);

	if (mkdir(o->path, 0777) != 0 && errno != EEXIST)
		return err_set(
			e, E_IO, -1, "%s: cannot make the folder: %s", o->path, strerror(errno));
	io_hold();
	for (size_t i = 0; i < ids->n && st == OK; i++) {
		str_reset(&path);
		str_addf(&path, "%s%s%s%s", o->path, o->path[n - 1] == '/' ? "" : "/", ids->v[i],
			renderer->suffix);
		each.path = path.s;
		st = plan(path.s, o->path, &(struct known){ a, r, ids->v[i], renderer->mark }, e);
		THEN(st, put_only(&each, renderer, r, ids->v[i], e));
	}
	str_free(&path);
	if (st == OK)
		return io_release(e);
	io_drop();
	return st;
}

enum status tables_put(const struct output_options *o, const struct renderer *renderer,
	const struct analysis *a, const struct result *r, struct err *e)
{
	const struct table_ids ids = ids_in(r);
	const char *id = o->table;

	if (tables_is_folder(o->path))
		return put_folder(o, renderer, a, r, &ids, e);
	if (id && !tables_have(&ids, id)) {
		SCOPED_STR has = { 0 };

		tables_join(&has, &ids, ", ", NULL);
		(void)err_set(e, E_NODATA, -1, "the answer has no table '%s'", id);
		if (has.n)
			(void)err_hint(e, "it has %s", has.s);
		return E_NODATA;
	}
	if (!id && !renderer->is_one_table)
		return output_put(o, renderer, r, e);
	if (id)
		return put_only(o, renderer, r, id, e);
	id = main_of(a, r, &ids);
	TRY(put_only(o, renderer, r, id, e));
	if (ids.n > 1 && !o->is_quiet) {
		SCOPED_STR others = { 0 };
		tables_join(&others, &ids, ", ", id);
		(void)say_failure("%s holds one table, '%s'; --table names another: %s",
			renderer->name, id, others.s);
	}
	return OK;
}
