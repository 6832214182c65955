/* `sql`: a statement over the events of runs.  Options, what is loaded for it, the order of work.
 */
#include "analyze/answer/sql/sql.h"

#include <strings.h>

#include "analyze/trace/columns/record.h"
#include "analyze/trace/filter.h"
#include "base/opt.h"

#define AT(field) offsetof(struct sql_options, field)
static const struct opt options[] = {
	TEXT_OPT("query", 'e', "SQL", AT(query), "the statement, in place of the last operand"),
	FLAG_OPT("schema", 0, AT(is_schema), "list tables and columns, and read nothing"),
	INT_OPT("timeout", 0, "S", AT(timeout_s),
		"give up after so many seconds, reading aside; 0 = never [60]"),
	INT_OPT("memory", 0, "MB", AT(memory_mb),
		"give up beyond so much memory, the trace aside [1024]"),
};

enum { MOST_S = 1000000, MOST_MB = 1 << 20 };

#ifndef HAVE_SQLITE
struct sql_engine {
	char none;
};

enum status sql_open(struct sql_engine **s, const struct sql_options *o UNUSED, struct err *e)
{
	*s = NULL;
	return err_hinted(e, E_FORMAT, "build it again where package libsqlite3-dev is installed",
		"traceq was built without SQLite, which 'sql' needs");
}

void sql_close(struct sql_engine *s UNUSED)
{
}

unsigned sql_needs(const struct sql_engine *s UNUSED)
{
	return 0;
}

bool sql_reads(const struct sql_engine *s UNUSED, enum schema_table_id t UNUSED)
{
	return false;
}

enum status sql_answer(struct sql_engine *s UNUSED, struct columns *run UNUSED, size_t n UNUSED,
	struct result *out UNUSED, struct err *e UNUSED)
{
	return E_FORMAT;
}
#endif

/* ---- the statement among the operands ---- */

static bool begins_with(const char *text, const char *word)
{
	size_t n = strlen(word);

	while (*text == ' ' || *text == '\n' || *text == '\t' || *text == '(')
		text++;
	return strncasecmp(text, word, n) == 0 && strchr(" \n\t*'\"(", text[n]);
}

static bool is_statement(const char *operand)
{
	return begins_with(operand, "select") || begins_with(operand, "with") ||
		begins_with(operand, "values") || begins_with(operand, "explain");
}

/* The last operand, or one that is surely a statement; a single word is a file. */
static void take_operand(void *opts, const char **operand, size_t *n)
{
	struct sql_options *o = opts;

	if (o->query || o->is_schema || *n == 0)
		return;
	size_t at = FIRST(i, *n, is_statement(operand[i]));
	at = MIN(at, *n - 1);
	if (operand[at][0] && !strpbrk(operand[at], " \n\t(;"))
		return;
	o->query = operand[at];
	for (*n -= 1; at < *n; at++)
		operand[at] = operand[at + 1];
}

static enum status check(const void *opts, const struct settings *settings UNUSED, struct err *e)
{
	const struct sql_options *o = opts;
	struct sql_engine *s;

	if (o->timeout_s < 0 || o->timeout_s > MOST_S)
		return err_set(e, E_USAGE, -1, "--timeout wants 0 to %d seconds", MOST_S);
	if (o->memory_mb < 1 || o->memory_mb > MOST_MB)
		return err_set(e, E_USAGE, -1, "--memory wants 1 to %d MiB", MOST_MB);
	if (o->is_schema)
		return OK;
	if (!o->query)
		return err_hinted(e, E_USAGE,
			"traceq sql FILE... 'select name, sum(dur_ns) from kernels group by name'",
			"no statement given");
	enum status st = sql_open(&s, o, e);
	sql_close(s);
	return st;
}

static unsigned needs_more(const void *opts, const struct filter *f UNUSED)
{
	struct sql_engine *s = NULL;
	const struct sql_options *o = opts;
	struct err e;
	unsigned needs = 0;

	err_clear(&e);
	if (o->query && sql_open(&s, o, &e) == OK)
		needs = sql_needs(s);
	sql_close(s);
	return needs;
}

/* ---- answers ---- */

/* What a statement selects. */
static const struct column selected = {
	.doc = "A column of the statement, under the name it gives it."
};

static void put_schema(struct result *out)
{
	result_note(out, NOTE_INFO, "schema_version", -1, SCHEMA_VERSION,
		"version %d of the schema", SCHEMA_VERSION);
	for (EACH(const struct schema_table, from, schema_tables, SCHEMA_TABLES)) {
		struct table *t = result_table_of(out, &sql_docs[SQL_SCHEMA]);

		t->title = from->name;
		t->footnote = from->doc;
		for (EACH(const struct schema_column, col, from->column, from->n))
			TABLE_ROW(t, [SCHEMA_OF] = cell_word(from->name),
				[SCHEMA_COLUMN] = cell_word(col->key),
				[SCHEMA_TYPE] = cell_word(schema_type_word(col->type)),
				[SCHEMA_NULL] = CELL_IF(col->can_be_null, cell_bool(true)),
				[SCHEMA_DOC] = cell_word(col->doc));
	}
}

/* What `diagnose` finds in a run, where somebody asks. */
static enum status find(const struct query *q, size_t i, struct result *to, struct err *e)
{
	struct query one = *q;
	int exit_code;

	one.run = &q->run[i];
	one.nrun = 1;
	one.for_people = false;
	one.analysis = q->findings;
	one.opts = analysis_options(q->findings, q->findings->name, &to->keep);
	(void)result_input(to, one.run[0]->path);
	return analysis_answer(q->findings, &one, to, &exit_code, e);
}

static enum status answer(struct sql_engine *s, const struct query *q, struct result *out,
	struct columns *c, struct result *found, struct err *e)
{
	const bool finds = sql_reads(s, SCHEMA_FINDINGS) && q->findings;

	for (size_t i = 0; i < q->nrun; i++) {
		result_init(&found[i], "");
		if (!columns_can(q->run[i])) {
			(void)err_set(e, E_NODATA, -1, "%s has no trace and no series of a log",
				q->run[i]->path);
			return record_hint(q->run[i]->record, false, e);
		}
		if (finds && q->run[i]->has_trace)
			TRY(find(q, i, &found[i], e));
		columns_init(
			&c[i], q->run[i], q->run[i]->path, result_find(&found[i], "findings", 0));
	}
	return sql_answer(s, c, q->nrun, out, e);
}

static enum status compute(
	const struct query *q, struct result *out, int *exit_code UNUSED, struct err *e)
{
	const struct sql_options *o = q->opts;
	struct sql_engine *s = NULL;

	if (o->is_schema) {
		put_schema(out);
		return OK;
	}
	if (q->nrun == 0)
		return err_hinted(e, E_USAGE, "traceq sql FILE... 'select ...'", "no file given");
	struct columns *c = zeroed(q->nrun, sizeof(*c));
	struct result *found = zeroed(q->nrun, sizeof(*found));
	enum status st = sql_open(&s, o, e);
	THEN(st, answer(s, q, out, c, found, e));
	sql_close(s);
	for (size_t i = 0; i < q->nrun; i++) {
		columns_clear(&c[i]);
		result_clear(&found[i]);
	}
	FREE_ALL(c, found);
	return st;
}

ANALYSIS(sql) = {
	.name = "sql",
	.summary = "SQL over events, kernels, steps, gaps, findings",
	.help.doc =
		"The last operand is one statement that selects, in SQLite's language, over the tables "
		"that 'traceq sql --schema' lists (docs/schema.md). Nothing is copied into a database: "
		"the tables are the trace as it was read, and of several files they hold the rows of "
		"all, told apart by rank and file. Times are whole ns. Each text has a number, too, in a "
		"column of its name with _id behind it, which select * leaves out: 'group by name_id' is "
		"quicker than by name. docs/recipes.md answers what HTA and nsys stats do. -o FILE.svg "
		"(.png, .pdf) draws the first rows as bars: the first number that is no id, called by the "
		"texts and ids beside it.\n\n"
		"A statement only reads: attach, pragma, functions that touch files and whatever writes "
		"are refused; what takes longer than --timeout, or more than --memory, ends without an "
		"answer. For sums over many gigabytes export the tables and ask a database for columns, "
		"as DuckDB.",
	.help.source = "SQLite's virtual tables; docs/schema.md",
	.help.examples =
		"traceq sql --schema\n"
		"traceq sql t.json.gz 'select name, sum(dur_ns) from kernels group by 1'\n"
		"traceq sql ranks/ 'select rank, count(*) from gaps group by rank' --json\n"
		"traceq sql t.json 'select kind, sum(dur_ns) from events group by 1' -o k.svg",
	.help.operands = "FILE... 'select ...'",
	.runs.takes_records = true,
	.runs.needs = NEED_SAMPLES, /* of a folder's ranks each: it is about events */
	.runs.needs_more = needs_more,
	.options.ignores = FILTER_ALL & ~FILTER_COMM,
	.options.take_operand = take_operand,
	ANALYSIS_OPTIONS(options, struct sql_options, .timeout_s = 60, .memory_mb = 1024),
	ANALYSIS_TABLES(sql, SQL),
	.help.more = &selected,
	.help.main_table = "rows|schema",
	.options.check = check,
	.compute = compute,
};
