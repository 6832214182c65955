/* The explain command: what a word in an answer means, and where the definition comes from. */
#include "analyze/analysis/fold.h"
#include "analyze/analysis/jobpage.h"
#include "base/io.h"
#include "cmd/command_formats.h"
#include "cmd/help/text.h"
#include "cmd/help/explain_words.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/verb.h"
#include "report/format/renderer.h"
#include "report/format/format_json.h"

/* ---- what --json writes, as JSON Schema: one for each command whose answer is tables ---- */

/* Raised when what an answer has means something else, or is gone: docs/json.md. */
#define MAJOR "1"

enum { COL_ANSWER, COL_SCHEMA, COL_SUMMARY };
static const struct column schemas_columns[] = {
	[COL_ANSWER] = TEXT_COLUMN("answer", "answer", "The command.", 0),
	[COL_SCHEMA] =
		TEXT_COLUMN("schema", "schema", "What its answers say in their member schema.", 0),
	[COL_SUMMARY] = TEXT_COLUMN("summary", "summary", "What the command does.", COLUMN_ELASTIC),
};

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
	ARENA_PUSH(l->mem, l->table, l->ntable, l->table_cap, t);
}

static void add_note(struct lists *l, const char *id)
{
	ARENA_PUSH(l->mem, l->note, l->nnote, l->note_cap, id);
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
	size_t n;

	for (size_t i = 0; f && i < f->n; i++) {
		n = fold_shapes(&f->doc[i], of, shape, l->mem);
		for (size_t k = 0; k < n; k++)
			add_table(l,
				(struct schema_table){ shape[k],
					"Of the ranks of a job: one row in place of a row of each.",
					NULL });
	}
}

/* The i-th verb whose answer is tables; false behind the last. */
static bool answer_at(const struct commands *all, size_t i, struct verb *v)
{
	for (size_t k = 0; verb_get(all, k, v); k++)
		if ((v->analysis || v->command->table) && i-- == 0)
			return true;
	return false;
}

static const char *schema_id(const struct verb *v, struct arena *mem)
{
	return arena_printf(mem, "traceq.%s/" MAJOR, v->name);
}

static bool find(const struct commands *all, const char *name, struct verb *v, struct arena *mem)
{
	for (size_t i = 0; answer_at(all, i, v); i++)
		if (strcmp(v->name, name) == 0 || strcmp(schema_id(v, mem), name) == 0)
			return true;
	return false;
}

/* What the command does, and what its exit codes mean, in one paragraph. */
static const char *describe(const struct verb *v, struct arena *mem)
{
	SCOPED_STR b = { 0 };

	str_addf(&b, "%s. Any value of a row may be null: not known. Exit status:", v->summary);
	for (const char *p = v->exit_codes; *p; p++) {
		bool is_blank = *p == ' ' || *p == '\n';

		if (*p == '\n' && p[1] != ' ')
			str_addc(&b, p[1] ? ';' : '.');
		if (!is_blank && (p == v->exit_codes || p[-1] == ' ' || p[-1] == '\n'))
			str_addc(&b, ' ');
		if (!is_blank)
			str_addc(&b, *p);
	}
	return arena_copy(mem, b.s, b.n);
}

/* Appends the schema of that command's answer; false: there is none. */
static bool put_schema(const struct commands *all, struct str *b, const char *name)
{
	SCOPED_ARENA mem = { 0 };
	struct lists l = { .mem = &mem };
	struct verb v;

	if (!find(all, name, &v, &mem))
		return false;
	if (v.analysis) {
		const struct folds *f = v.analysis->per_run.folds;
		for (size_t i = 0; i < v.analysis->help.ntables; i++)
			add_table(&l,
				(struct schema_table){ v.analysis->help.tables[i], NULL,
					i == 0 ? v.analysis->help.more : NULL });
		for (size_t i = 0; i < v.analysis->help.ntables; i++)
			add_folds(&l, f, &v.analysis->help.tables[i]);
		for (size_t i = 0; f && i < JOBPAGE_TABLES; i++)
			add_table(&l, (struct schema_table){ jobpage_docs[i], NULL, NULL });
		add_note_docs(&l, v.analysis->help.notes);
		add_note_docs(&l, jobpage_notes);
		for (size_t i = 0; i < COUNT_OF(common_notes); i++)
			add_note(&l, common_notes[i]);
		for (size_t i = 0; i < PROBLEM_COUNT; i++)
			add_note(&l, problem_infos[i].id);
	}
	for (size_t i = 0; v.command && i < v.command->ntable; i++)
		add_table(&l,
			(struct schema_table){
				v.command->table[i], NULL, i == 0 ? v.command->more : NULL });
	schema_put(b,
		&(struct schema_doc){ schema_id(&v, &mem),
			arena_printf(&mem, "urn:traceq:%s:" MAJOR, v.name),
			arena_printf(&mem, "traceq %s --json", v.name), describe(&v, &mem), l.table,
			l.ntable, l.note, l.nnote });
	return true;
}

static int list(
	const struct commands *all, const struct output_options *o, const struct renderer *renderer)
{
	struct result r;
	struct verb v;

	result_init(&r, "traceq.explain/" MAJOR);
	struct table *t =
		result_table(&r, "schemas", NULL, schemas_columns, COUNT_OF(schemas_columns));
	for (size_t i = 0; answer_at(all, i, &v); i++) {
		table_row(t);
		table_text(t, COL_ANSWER, span_of(v.name));
		table_text(t, COL_SCHEMA, span_of(schema_id(&v, &r.mem)));
		table_text(t, COL_SUMMARY, span_of(v.summary));
	}
	return output_result(o, renderer, &r);
}

static int refuse(const struct commands *all, const char *name)
{
	enum { NAMES_MAX = 64 };
	const char *names[NAMES_MAX];
	struct verb v;
	size_t n = 0;

	while (n < NAMES_MAX && answer_at(all, n, &v))
		names[n++] = v.name;
	return say_failure("explain: there is no schema of '%s'%s", name,
		opt_mean(opt_nearest(name, names, n), "; 'traceq explain --schema' lists all").s);
}

/* The schema of that answer, or without a name the list of them; the exit code. */
static int schemas_explain(
	const struct commands *all, const struct output_options *o, const char *name)
{
	const struct renderer *renderer;
	SCOPED_STR b = { 0 };
	struct err e;

	if (name && o->format && strcmp(o->format, "json") != 0) {
		(void)err_set(&e, E_USAGE, -1, "a schema is JSON, and has no other format");
		return say_error("explain", &e);
	}
	if (!name &&
		output_renderer(o, &(struct formats){ "explain", NULL, &all->analyses }, &renderer,
			&e) != OK)
		return say_error("explain", &e);
	if (!name)
		return list(all, o, renderer);
	if (!put_schema(all, &b, name))
		return refuse(all, name);
	if (!o->path || strcmp(o->path, "-") == 0)
		return output_text(&b);
	return io_put(o->path, &b, &e) == OK ? EXIT_ANSWERED : say_error(NULL, &e);
}

enum { LIST_COLUMN = 28 };

struct explain_options {
	struct output_options output;
	bool is_schema;
};
#define AT(member) offsetof(struct explain_options, member)

static const struct opt own_opts[] = {
	CHOICE_OPT("format", "FORMAT", AT(output.format), OPTIONS_FORMATS,
		"how the answer is written [table]"),
	FLAG_OPT("json", 0, AT(output.is_json), "the same as --format json"),
	TEXT_OPT("output", 'o', "FILE", AT(output.path),
		"write the answer to FILE, which appears when it is complete"),
	FLAG_OPT("schema", 0, AT(is_schema),
		"print the JSON Schema of what 'traceq WORD --json' writes; without WORD, which "
		"there are"),
};

static const struct opt_group groups[] = {
	{ "Options", own_opts, COUNT_OF(own_opts), NULL },
};

static const struct column columns[] = {
	TEXT_COLUMN("word", "word", "Key, id or term, as traceq writes it.", 0),
	TEXT_COLUMN(
		"kind", "kind", "term, column, table, check, note, chart, command or format.", 0),
	TEXT_COLUMN("title", "title", "What people see in its place.", 0),
	TEXT_COLUMN("where", "where", "The tables it stands in.", 0),
	TEXT_COLUMN("definition", "definition", "What it means.", COLUMN_ELASTIC),
	TEXT_COLUMN("source", "source", "Where the definition comes from.", 0),
};

static const struct table_doc docs[] = {
	{ "words", NULL, columns, COUNT_OF(columns) },
	{ "schemas", NULL, schemas_columns, COUNT_OF(schemas_columns) },
};

static void set_text(struct table *t, size_t col, const char *s)
{
	if (s)
		table_text(t, col, span_of(s));
}

/* The first sentence, cut to fit beside the word. */
static void add_gist(struct str *out, const struct word *w)
{
	enum { ROOM = TEXT_WIDTH - LIST_COLUMN };
	const char *s = w->title && w->kind != WORD_COLUMN ? w->title : w->definition;
	size_t n = strcspn(s, "\n");
	const char *stop = strstr(s, ". ");
	SCOPED_STR gist = { 0 };

	if (stop && (size_t)(stop - s) < n)
		n = (size_t)(stop - s);
	if (n > 0 && s[n - 1] == '.')
		n--;
	if (n > ROOM) {
		n = ROOM - 3;
		while (n > 1 && s[n] != ' ')
			n--;
		str_add(&gist, s, n);
		str_adds(&gist, "...");
	} else {
		str_add(&gist, s, n);
	}
	text_item(out, w->word, gist.s, LIST_COLUMN);
}

/* Whether the i-th word stood in the list before, as the same kind of word. */
static bool is_repeated(const struct words *w, size_t i)
{
	return ANY(k, i, w->v[k].kind == w->v[i].kind && strcmp(w->v[k].word, w->v[i].word) == 0);
}

static void add_list(struct str *out, const struct words *w)
{
	for (size_t i = 0; i < w->n; i++) {
		if (i == 0 || w->v[i].kind != w->v[i - 1].kind)
			str_addf(out, "%s%s\n", i ? "\n" : "", words_kind_title(w->v[i].kind));
		if (!is_repeated(w, i))
			add_gist(out, &w->v[i]);
	}
	str_adds(out, "\n'traceq explain WORD' gives the whole definition\n");
}

static int print_text(const struct words *w, const char *text)
{
	struct str b = { 0 };

	if (!text)
		add_list(&b, w);
	for (size_t i = 0; text && i < w->n; i++) {
		if (!words_match(&w->v[i], text))
			continue;
		if (b.n)
			str_addc(&b, '\n');
		/* One definition for people. */
		str_adds(&b, w->v[i].word);
		if (w->v[i].title && strcmp(w->v[i].title, w->v[i].word) != 0)
			str_addf(&b, w->v[i].kind == WORD_COLUMN ? ": \"%s\"" : ": %s",
				w->v[i].title);
		str_addf(&b, " (%s%s%s)\n", words_kind_name(w->v[i].kind),
			w->v[i].where ? " of " : "", w->v[i].where ? w->v[i].where : "");
		text_wrap(&b, w->v[i].definition, 2);
		if (w->v[i].also) {
			SCOPED_STR also = { 0 };
			str_adds(&also, "also: ");
			text_choices(&also, w->v[i].also);
			text_wrap(&b, also.s, 2);
		}
		if (w->v[i].source) {
			SCOPED_STR source = { 0 };

			str_addf(&source, "source: %s", w->v[i].source);
			text_wrap(&b, source.s, 2);
		}
	}
	return output_text(&b);
}

static int print_result(const struct output_options *o, const struct renderer *renderer,
	const struct words *w, const char *text)
{
	struct result r;

	result_init(&r, "traceq.explain/1");
	/* The words that text means, all of them when it is NULL, as a result. */
	struct table *t = result_table(&r, docs->id, docs->title, docs->col, docs->ncol);
	for (EACH(const struct word, word, w->v, w->n)) {
		if (text && !words_match(word, text))
			continue;
		table_row(t);
		set_text(t, 0, word->word);
		set_text(t, 1, words_kind_name(word->kind));
		set_text(t, 2, word->title);
		set_text(t, 3, word->where);
		set_text(t, 4, word->definition);
		set_text(t, 5, word->source);
	}
	return output_result(o, renderer, &r);
}

/* An id of a place in an answer (G07@31294811+4821, gap:0@31294811, path@31294811+4821) stands for
 * what it is a place of: written over text. */
static void id_to_word(struct str *text)
{
	const char *at = text->n ? strchr(text->s, '@') : NULL;
	size_t n = at ? strcspn(text->s, "@:") : 0;

	if (n == 0 || !is_digit(at[1]))
		return;
	text->n = n;
	text->s[n] = '\0';
	if (strcmp(text->s, "path") == 0) {
		str_reset(text);
		str_adds(text, "critical");
	}
}

/* text: the word asked for, or NULL for the list. */
static int explain(const struct commands *all, const struct output_options *o, const char *text)
{
	const struct renderer *renderer;
	struct words w;
	struct err e;
	int exit_code;

	if (output_renderer(
		    o, &(struct formats){ "explain", NULL, &all->analyses }, &renderer, &e) != OK)
		return say_error("explain", &e);
	words_init(&w, all);
	if (text && !ANY(i, w.n, words_match(&w.v[i], text))) {
		exit_code = say_failure("explain: unknown word '%s'%s", text,
			opt_mean(words_nearest(&w, text), "; 'traceq explain' lists all").s);
	} else if (o->path || renderer != &renderer_table) {
		exit_code = print_result(o, renderer, &w, text);
	} else {
		exit_code = print_text(&w, text);
	}
	words_clear(&w);
	return exit_code;
}

static int take(const struct command_line *line, void *ctx, const char **word, size_t n)
{
	const struct explain_options *o = ctx;
	SCOPED_STR text = { 0 };

	for (size_t i = 0; i < n; i++)
		str_addf(&text, "%s%s", i ? " " : "", word[i]);
	id_to_word(&text);
	return o->is_schema ? schemas_explain(line->all, &o->output, text.s)
			    : explain(line->all, &o->output, text.s);
}

static int run(const struct command_line *line)
{
	struct explain_options o = { 0 };

	return options_run("explain", groups, COUNT_OF(groups), (void *[]){ &o }, line, take, &o);
}

static void add_words(const struct commands *all, struct str *out)
{
	struct words w;

	words_init(&w, all);
	for (size_t i = 0; i < w.n; i++) {
		for (size_t k = 0; w.v[i].word[k]; k++)
			str_addc(out, w.v[i].word[k] == ' ' ? '_' : w.v[i].word[k]);
		str_addc(out, '\n');
	}
	words_clear(&w);
}

COMMAND(explain) = {
	.name = "explain",
	.summary = "define a word of an answer: a column, a note, a term",
	.operands = "[WORD]",
	.doc = "Prints the definition and its source for a column (by key or by heading), a table, "
	       "a note, a command, or a general term such as 'self time' or 'busy'; of an id of a "
	       "finding or gap (G07@31294811+4821), the rule or term it is a place of. Without WORD, "
	       "lists all of them.\n\n"
	       "--schema prints what 'traceq WORD --json' writes as a JSON Schema (draft 2020-12): its "
	       "tables, columns and units, and the ids of its notes. docs/json.md says what stays as "
	       "it is.",
	.examples = "traceq explain self time\n"
		    "traceq explain truncated_gzip\n"
		    "traceq explain --json >words.json\n"
		    "traceq explain --schema top >top.schema.json\n",
	COMMAND_HAS(group, groups),
	.words = add_words,
	COMMAND_HAS(table, docs),
	.run = run,
};
