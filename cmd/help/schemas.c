/*
 * Schemas of answers, gathered from the tables and notes that `explain` explains.
 */
#include "cmd/help/schemas.h"

#include <string.h>

#include "analyze/analysis/analysis.h"
#include "analyze/analysis/fold.h"
#include "analyze/analysis/jobpage.h"
#include "analyze/trace/columns/tally.h"
#include "base/io.h"
#include "base/opt.h"
#include "cmd/command.h"
#include "cmd/formats.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "report/format/renderer.h"
#include "report/format/format_json.h"

/* Raised when what an answer has means something else, or is gone: docs/json.md. */
#define MAJOR "1"

enum { COL_ANSWER, COL_SCHEMA, COL_SUMMARY };
#define TEXT(key, doc, flag)                                               \
	{                                                                  \
		key, key, doc, NULL, CELL_TEXT, UNIT_NONE, .flags = (flag) \
	}
const struct column schemas_columns[SCHEMAS_COLUMNS] = {
	[COL_ANSWER] = TEXT("answer", "The command.", 0),
	[COL_SCHEMA] = TEXT("schema", "What its answers say in their member schema.", 0),
	[COL_SUMMARY] = TEXT("summary", "What the command does.", COLUMN_ELASTIC),
};
#undef TEXT

/* Ids of notes that several answers make. */
static const char *const common_notes[] = {
#define NOTE(id, meaning) id,
#include "analyze/analysis/notes.def"
#undef NOTE
};

struct lists {
	struct schema_table *table;
	size_t ntable, table_cap;
	const char **note;
	size_t nnote, note_cap;
	struct arena *mem;
};

static void add_table(struct lists *l, struct schema_table t)
{
	enum { FIRST = 16 };

	l->table = arena_grow(l->mem, l->table, l->ntable, &l->table_cap, FIRST, sizeof(*l->table));
	l->table[l->ntable++] = t;
}

static void add_note(struct lists *l, const char *id)
{
	enum { FIRST = 256 };

	l->note = arena_grow(l->mem, l->note, l->nnote, &l->note_cap, FIRST, sizeof(*l->note));
	l->note[l->nnote++] = id;
}

static void add_note_docs(struct lists *l, const struct note_doc *note)
{
	for (; note && note->id; note++)
		add_note(l, note->id);
}

/* What a table becomes of a job's ranks. */
static void add_folds(struct lists *l, const struct folds *f, const struct table_doc *of)
{
	struct table_doc shape[FOLD_SHAPES];
	size_t i, k, n;

	for (i = 0; f && i < f->n; i++) {
		n = fold_shapes(&f->doc[i], of, shape, l->mem);
		for (k = 0; k < n; k++)
			add_table(l,
				(struct schema_table){ shape[k],
					"Of the ranks of a job: one row in place of a row of each.",
					NULL });
	}
}

static void add_analysis(struct lists *l, const struct analysis *a)
{
	const struct folds *f = a->per_run.folds;
	size_t i;

	for (i = 0; i < a->help.ntables; i++)
		add_table(l, (struct schema_table){ a->help.tables[i], NULL, NULL });
	for (i = 0; i < a->help.ntables; i++)
		add_folds(l, f, &a->help.tables[i]);
	for (i = 0; f && i < JOBPAGE_TABLES; i++)
		add_table(l, (struct schema_table){ jobpage_docs[i], NULL, NULL });
	add_note_docs(l, a->help.notes);
	add_note_docs(l, jobpage_notes);
	for (i = 0; i < COUNT_OF(common_notes); i++)
		add_note(l, common_notes[i]);
	for (i = 0; i < PROBLEM_COUNT; i++)
		add_note(l, problem_infos[i].id);
}

static void add_command(struct lists *l, const struct command *c)
{
	size_t i;

	for (i = 0; i < c->ntable; i++)
		add_table(l, (struct schema_table){ c->table[i], NULL, i == 0 ? c->more : NULL });
}

/* The i-th verb whose answer is tables; false behind the last. */
static bool answer_at(size_t i, struct verb *v)
{
	size_t k, n = verb_count();

	for (k = 0; k < n; k++) {
		verb_get(k, v);
		if ((v->analysis || v->command->table) && i-- == 0)
			return true;
	}
	return false;
}

static const char *schema_id(const struct verb *v, struct arena *mem)
{
	return arena_printf(mem, "traceq.%s/" MAJOR, v->name);
}

static bool find(const char *name, struct verb *v, struct arena *mem)
{
	size_t i;

	for (i = 0; answer_at(i, v); i++)
		if (strcmp(v->name, name) == 0 || strcmp(schema_id(v, mem), name) == 0)
			return true;
	return false;
}

/* What the command does, and what its exit codes mean, in one paragraph. */
static const char *describe(const struct verb *v, struct arena *mem)
{
	struct str b = { 0 };
	const char *p, *text;

	str_addf(&b, "%s. Any value of a row may be null: not known. Exit status:", v->summary);
	for (p = v->exit_codes; *p; p++) {
		bool is_blank = *p == ' ' || *p == '\n';

		if (*p == '\n' && p[1] != ' ')
			str_addc(&b, p[1] ? ';' : '.');
		if (!is_blank && (p == v->exit_codes || p[-1] == ' ' || p[-1] == '\n'))
			str_addc(&b, ' ');
		if (!is_blank)
			str_addc(&b, *p);
	}
	text = arena_copy(mem, b.s, b.n);
	str_free(&b);
	return text;
}

/* Appends the schema of that command's answer; false: there is none. */
static bool put_schema(struct str *b, const char *name)
{
	struct arena mem;
	struct lists l = { .mem = &mem };
	struct verb v;
	bool is_there;

	arena_init(&mem);
	is_there = find(name, &v, &mem);
	if (is_there) {
		if (v.analysis)
			add_analysis(&l, v.analysis);
		else
			add_command(&l, v.command);
		schema_put(b,
			&(struct schema_doc){ schema_id(&v, &mem),
				arena_printf(&mem, "urn:traceq:%s:" MAJOR, v.name),
				arena_printf(&mem, "traceq %s --json", v.name), describe(&v, &mem),
				l.table, l.ntable, l.note, l.nnote });
	}
	arena_clear(&mem);
	return is_there;
}

static int list(const struct output_options *o, const struct renderer *renderer)
{
	struct result r;
	struct verb v;
	struct table *t;
	struct err e;
	size_t i;
	int exit_code = EXIT_ANSWERED;

	result_init(&r, "traceq.explain/" MAJOR);
	t = result_table(&r, SCHEMAS_TABLE, NULL, schemas_columns, SCHEMAS_COLUMNS);
	for (i = 0; answer_at(i, &v); i++) {
		table_row(t);
		table_text(t, COL_ANSWER, span_of(v.name));
		table_text(t, COL_SCHEMA, span_of(schema_id(&v, &r.mem)));
		table_text(t, COL_SUMMARY, span_of(v.summary));
	}
	if (output_put(o, renderer, &r, &e) != OK)
		exit_code = say_error(NULL, &e);
	result_clear(&r);
	return exit_code;
}

static int refuse(const char *name)
{
	enum { NAMES_MAX = 64 };
	const char *names[NAMES_MAX], *near;
	struct verb v;
	size_t n = 0;

	while (n < NAMES_MAX && answer_at(n, &v))
		names[n++] = v.name;
	near = opt_nearest(name, names, n);
	if (near)
		return say_failure(
			"explain: there is no schema of '%s'; did you mean '%s'?", name, near);
	return say_failure(
		"explain: there is no schema of '%s'; 'traceq explain --schema' lists all", name);
}

int schemas_explain(const struct output_options *o, const char *name)
{
	const struct renderer *renderer;
	struct str b = { 0 };
	struct err e;
	int exit_code;

	if (name && o->format && strcmp(o->format, "json") != 0) {
		(void)err_set(&e, E_USAGE, -1, "a schema is JSON, and has no other format");
		return say_error("explain", &e);
	}
	if (!name && output_renderer(o, &(struct formats){ "explain", NULL }, &renderer, &e) != OK)
		return say_error("explain", &e);
	if (!name)
		return list(o, renderer);
	if (!put_schema(&b, name))
		return refuse(name);
	if (!o->path || strcmp(o->path, "-") == 0)
		return output_text(&b);
	exit_code = io_put(o->path, &b, &e) == OK ? EXIT_ANSWERED : say_error(NULL, &e);
	str_free(&b);
	return exit_code;
}
