/* The export command: the tables of the schema in files that other tools query.
 *
 * One run is in memory at a time.  The files of all appear together, when they are complete. */
#include <sys/stat.h>

#include "analyze/analysis/jobpage.h"
#include "analyze/analysis/notes.h"
#include "base/io.h"
#include "base/parquet/parquet_words.h"
#include "cmd/command.h"
#include "cmd/export_folder.h"
#include "cmd/load/inputs.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/tables.h"
#include "edit/export/export.h"

struct export_options {
	const char *out, *tables;
	bool is_forced, is_quiet;
	struct read_options read;
};

#define AT(field) offsetof(struct export_options, field)
static const struct opt own_opts[] = {
	TEXT_OPT("output", 'o', "OUT", AT(out),
		"a folder (run.parquet/) for Parquet, a file each table; or run.db, a database of "
		"SQLite"),
	TEXT_OPT("table", 0, "NAMES", AT(tables),
		"only these, with commas between: events,kernels,steps; 'traceq sql --schema' lists "
		"them [all]"),
	FLAG_OPT("force", 0, AT(is_forced), "replace an export that is there"),
	INT_OPT("threads", 0, "N", AT(read.threads), "threads; 0 = one per core [0]"),
	FLAG_OPT("strict", 0, AT(read.is_strict), "a file that is cut off or damaged is an error"),
	OPTION_QUIET(AT(is_quiet)),
};
#undef AT

static const struct opt_group groups[] = { { "Options", own_opts, COUNT_OF(own_opts), NULL } };

struct exporting {
	const struct analyses *all;
	struct export_options o;
	const char **path;
	size_t npath;
	bool is_database;
	bool is_wanted[SCHEMA_TABLES];
	struct inputs inputs;
	struct export_folder folder;
	struct export_sqlite *db;
	struct io_file file; /* the database until it is complete */
	bool is_open;
	int64_t nrow;
	const char *where; /* what err is about; NULL */
	struct err err;
};

/* ---- what is asked for ---- */

static enum status choose_tables(struct exporting *x)
{
	struct span list = span_of(x->o.tables ? x->o.tables : ""), word;

	for (size_t i = 0; i < SCHEMA_TABLES; i++)
		x->is_wanted[i] = list.n == 0;
	for (bool more = list.n > 0; more;) {
		more = span_cut(list, ',', &word, &list);
		const struct schema_table *t = schema_find(span_trim(word));
		if (!t)
			return err_hinted(&x->err, E_USAGE, "traceq sql --schema lists them",
				"--table: no table '%.*s'", (int)word.n, word.p);
		x->is_wanted[t - schema_tables] = true;
	}
	return OK;
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

static enum status check(struct exporting *x)
{
	struct span out = span_of(x->o.out ? x->o.out : "");

	if (x->npath == 0 || out.n == 0)
		return err_hinted(&x->err, E_USAGE, "usage: traceq export FILE... -o run.parquet/",
			x->npath ? "no -o OUT: an export goes into files" : "no file given");
	TRY(choose_tables(x));
	x->is_database = span_ends(out, ".db") || span_ends(out, ".sqlite");
	if (!x->is_database && !tables_is_folder(x->o.out) &&
		(!span_ends(out, ".parquet") || is_file(x->o.out)))
		return err_hinted(&x->err, E_USAGE,
			"a folder is for Parquet (run.parquet/), a file for SQLite (run.db)",
			"-o %s: neither a folder nor a database", x->o.out);
	door_force(x->o.is_forced);
	output_spares(x->path, x->npath);
	return x->is_database ? output_plan_named(x->o.out, &x->err) : OK;
}

static unsigned needs_of(const struct exporting *x)
{
	unsigned needs = NEED_SAMPLES; /* series of the trace itself */

	for (int i = 0; i < SCHEMA_TABLES; i++)
		needs |= x->is_wanted[i] ? export_needs((enum schema_table_id)i) : 0;
	if (x->is_wanted[SCHEMA_EVENTS] && !x->is_database &&
		(x->npath > 1 || folder_is(x->path[0])))
		needs |= jobpage_needs();
	return needs;
}

/* ---- one run ---- */

static enum status put_file(struct exporting *x, const struct export_table *t,
	const struct export_kept *kept, const char *path)
{
	struct io_file file;
	enum status st = io_create(&file, path, &x->err);

	if (st == OK) {
		st = export_parquet(file.out, t, kept, (unsigned)x->o.read.threads, &x->err);
		if (st == OK)
			st = io_commit(&file, &x->err);
		else
			io_abandon(&file);
	}
	return io_named(path, st, &x->err);
}

static enum status put_table(struct exporting *x, struct columns *c, const struct export_kept *kept,
	enum schema_table_id id)
{
	struct export_table t;
	const char *path;
	enum status st;

	export_table_init(&t, c, id, x->is_database ? 0 : PARQUET_GROUP_ROWS);
	x->nrow += (int64_t)t.n;
	if (x->is_database) {
		st = io_named(x->o.out, export_sqlite_add(x->db, &t, &x->err), &x->err);
	} else {
		st = export_folder_file(&x->folder, t.schema->name, &path, &x->err);
		THEN(st, put_file(x, &t, kept, path));
	}
	export_table_clear(&t);
	return st;
}

/* What `diagnose` finds, with its own limits. */
static enum status find(struct exporting *x, const struct run *run, struct result *to)
{
	static const struct filter everything;
	const struct analysis *diagnose = analysis_find(x->all, "diagnose");
	const struct query q = { .run = &run,
		.nrun = 1,
		.filter = &everything,
		.opts = analysis_options(diagnose, diagnose->name, &to->keep),
		.logs = analysis_find(x->all, "metrics"),
		.threads = (unsigned)x->o.read.threads };
	int exit_code;

	(void)result_input(to, run->path);
	return analysis_answer(diagnose, &q, to, &exit_code, &x->err);
}

static void say_odd(const struct exporting *x, const struct run *run)
{
	struct result odd;

	if (x->o.is_quiet)
		return;
	result_init(&odd, "");
	notes_add_tally(&odd, &run->tally, result_input(&odd, x->where));
	say_notes(&odd, false);
	result_clear(&odd);
}

static enum status put_run(struct exporting *x, const struct run *run)
{
	struct columns c;
	struct export_kept kept;
	struct result found;
	enum status st = OK;

	if (run->has_trace || !columns_can(run))
		TRY(load_want_events(run, &x->err));
	say_odd(x, run);
	result_init(&found, "");
	if (x->is_wanted[SCHEMA_FINDINGS] && run->has_trace)
		st = find(x, run, &found);
	columns_init(&c, run, x->where, result_find(&found, "findings", 0));
	export_kept_init(&kept, run, x->inputs.n > 1 && x->is_wanted[SCHEMA_EVENTS]);
	if (!x->is_database)
		THEN(st, export_folder_run(&x->folder, run->meta.rank, &x->err));
	for (int i = 0; i < SCHEMA_TABLES && st == OK; i++)
		if (x->is_wanted[i])
			st = put_table(x, &c, &kept, (enum schema_table_id)i);
	export_kept_clear(&kept);
	columns_clear(&c);
	result_clear(&found);
	return st;
}

/* ---- all of them ---- */

static enum status open_output(struct exporting *x)
{
	if (!x->is_database)
		return export_folder_open(
			&x->folder, x->o.out, x->o.is_forced, x->inputs.n > 1, &x->err);
	enum status st = io_create(&x->file, x->o.out, &x->err);
	x->is_open = st == OK;
	if (st == OK && !x->file.temp.path)
		st = err_set(&x->err, E_IO, -1, "a database takes a regular file");
	THEN(st, export_sqlite_begin(&x->db, x->file.temp.path, &x->err));
	return io_named(x->o.out, st, &x->err);
}

static enum status end_output(struct exporting *x)
{
	if (!x->is_database)
		return export_folder_settle(&x->folder, &x->err);
	struct export_sqlite *db = x->db;
	x->db = NULL;
	enum status st = export_sqlite_end(db, &x->err);
	if (st == OK) {
		x->is_open = false;
		st = io_commit(&x->file, &x->err);
	}
	return io_named(x->o.out, st, &x->err);
}

static enum status put_runs(struct exporting *x)
{
	const struct inputs_want want = { .needs = needs_of(x),
		.folder = FOLDER_RANKS,
		.is_of_events = true,
		.takes_records = true,
		.is_one_by_one = true };

	TRY(inputs_load(&x->inputs, &want, &x->o.read, x->o.is_quiet, x->path, x->npath, &x->where,
		&x->err));
	x->where = NULL;
	TRY(open_output(x));
	for (size_t i = 0; i < x->inputs.n; i++) {
		const struct run *run;

		x->where = x->inputs.path[i];
		TRY(inputs_open(&x->inputs, i, &run, &x->err));
		enum status st = put_run(x, run);
		inputs_close(&x->inputs);
		TRY(st);
	}
	x->where = NULL;
	return end_output(x);
}

static int answer(struct exporting *x)
{
	enum status st = put_runs(x);
	const size_t n = x->inputs.n;

	inputs_stop(&x->inputs);
	if (st != OK)
		return say_refusal("export", x->where, &x->err);
	if (x->o.is_quiet)
		return EXIT_ANSWERED;
	const size_t ntable = SUM(size_t, i, SCHEMA_TABLES, x->is_wanted[i]);
	return output_line("%s: %zu run%s, %zu table%s, %" PRId64 " rows", x->o.out, n, plural_s(n),
		ntable, plural_s(ntable), x->nrow);
}

static void clear(struct exporting *x)
{
	export_sqlite_drop(x->db);
	if (x->is_open)
		io_abandon(&x->file);
	export_folder_close(&x->folder);
	inputs_clear(&x->inputs);
	free(x->path);
}

static int run(const struct command_line *line)
{
	struct exporting x = { .all = &line->all->analyses };
	int exit_code;

	door_begin();
	err_clear(&x.err);
	enum status st = options_parse(
		groups, COUNT_OF(groups), (void *[]){ &x.o }, line, &x.path, &x.npath, &x.err);
	THEN(st, check(&x));
	exit_code = st == OK ? answer(&x) : say_usage("export", &x.err);
	clear(&x);
	return exit_code;
}

COMMAND(export) = {
	.name = "export",
	.summary = "tables of events, kernels, steps, gaps and findings, as Parquet or SQLite",
	.operands = "FILE... -o OUT",
	.doc = "Writes what a trace holds as tables, for DuckDB, Spark, ClickHouse, pandas, or SQLite: "
	       "events, kernels with the call and operator that launched each, copies, collectives, "
	       "steps and where their time went, gaps with their causes, findings, and series of logs "
	       "beside the trace. docs/schema.md says what each column means; 'traceq sql' asks the "
	       "same tables without a file.\n\n"
	       "-o run.parquet/ is a folder with a file for each table, its rows by time in groups of "
	       "a million, in each of which those of one kind on one thread or stream stand together; "
	       "of several traces, each that says its rank is in rank=N/, so that one question reaches "
	       "all of them. -o run.db is one database with all of them.\n\n"
	       "'traceq top run.parquet/' reads it again in place of the trace, as do kernels, copies, "
	       "steps and idle, of one rank and of a job; others say what an export lacks.\n\n"
	       "FILE is a trace, a log, or a folder with the ranks of a job; one is in memory at a "
	       "time.",
	.examples = "traceq export trace.json.gz -o run.parquet/\n"
		    "traceq export runs/job/ -o job.parquet/ --table kernels,steps\n"
		    "traceq export trace.json.gz -o run.db",
	COMMAND_HAS(group, groups),
	.run = run,
};
