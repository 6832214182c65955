/* A statement understood, and answered: what it may do, how long and with how much memory. */
#include "analyze/answer/sql/sql_engine.h"

#include <stdio.h>
#include <strings.h>
#include <time.h>

enum { NS_PER_S = 1000000000, STEPS_BETWEEN_LOOKS = 2000 };

static int64_t now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* ---- what a statement may do ---- */

/* Functions that look at nothing but their arguments. */
static const char functions[] =
	"abs|acos|acosh|asin|asinh|atan|atan2|atanh|avg|ceil|ceiling|char|coalesce|cos|cosh|count|"
	"cume_dist|date|datetime|degrees|dense_rank|exp|first_value|floor|format|glob|group_concat|"
	"hex|ifnull|iif|if|instr|julianday|lag|last_value|lead|length|like|likelihood|likely|ln|log|"
	"log10|log2|lower|ltrim|max|min|mod|nth_value|ntile|nullif|percent_rank|pi|pow|power|printf|"
	"quote|radians|rank|replace|round|row_number|rtrim|sign|sin|sinh|sqrt|strftime|string_agg|"
	"substr|substring|sum|tan|tanh|time|total|trim|trunc|typeof|unicode|unixepoch|unlikely|upper";

static int refuse(struct sql_engine *s, const char *what, const char *name)
{
	if (!s->refused[0])
		(void)snprintf(s->refused, sizeof(s->refused), "%s%s%.60s", what, name ? " " : "",
			name ? name : "");
	return SQLITE_DENY;
}

static int may_call(struct sql_engine *s, const char *name)
{
	return span_in(span_of(name), functions) ? SQLITE_OK : refuse(s, "function", name);
}

static int may_read(struct sql_engine *s, const char *table, const char *column)
{
	const struct schema_table *of = schema_find(span_of(table));

	/* A table of which no column is read may be one of the statement's own. */
	if (!of)
		return column && !*column ? SQLITE_OK : refuse(s, "table", table);
	struct sql_source *t = &s->table[of - schema_tables];
	t->is_read = true;
	for (size_t i = 0; i < t->ncol; i++)
		if (column &&
			strncasecmp(t->col[i].of->key, column, strlen(t->col[i].of->key)) == 0)
			t->is_used[i] = true;
	return SQLITE_OK;
}

static int may(void *ctx, int what, const char *a, const char *b, const char *database UNUSED,
	const char *trigger UNUSED)
{
	struct sql_engine *s = ctx;

	if (s->is_declaring) /* the table's columns, by this program */
		return SQLITE_OK;
	switch (what) {
	case SQLITE_SELECT:
	case SQLITE_RECURSIVE: return SQLITE_OK;
	case SQLITE_READ: return may_read(s, a, b);
	case SQLITE_FUNCTION: return may_call(s, b ? b : "");
	case SQLITE_ATTACH:
	case SQLITE_DETACH: return refuse(s, "ATTACH", NULL);
	case SQLITE_PRAGMA: return refuse(s, "PRAGMA", a);
	case SQLITE_CREATE_VTABLE: return refuse(s, "table", a); /* one of SQLite's own is read */
	default: return refuse(s, "writing", NULL);
	}
}

static int look_at_clock(void *ctx)
{
	struct sql_engine *s = ctx;

	s->is_late = now_ns() > s->ends_ns;
	return s->is_late;
}

/* ---- the database ---- */

static const struct {
	int what, most;
} limits[] = {
	{ SQLITE_LIMIT_LENGTH, 16 << 20 },
	{ SQLITE_LIMIT_SQL_LENGTH, 100000 },
	{ SQLITE_LIMIT_COLUMN, 200 },
	{ SQLITE_LIMIT_EXPR_DEPTH, 200 },
	{ SQLITE_LIMIT_COMPOUND_SELECT, 100 },
	{ SQLITE_LIMIT_VDBE_OP, 1 << 20 },
	{ SQLITE_LIMIT_FUNCTION_ARG, 100 },
	{ SQLITE_LIMIT_ATTACHED, 0 },
	{ SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200 },
	{ SQLITE_LIMIT_VARIABLE_NUMBER, 0 },
	{ SQLITE_LIMIT_TRIGGER_DEPTH, 0 },
	{ SQLITE_LIMIT_WORKER_THREADS, 0 },
};

/* Nothing of it is on disk, nor what SQLite sorts. */
static int open_database(struct sql_engine *s)
{
	const struct libsql *lib = &s->lib;
	int code = lib->sqlite3_open_v2(":memory:", &s->db,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);

	if (code == SQLITE_OK)
		code = lib->sqlite3_exec(s->db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
	if (code != SQLITE_OK)
		return code;
	(void)lib->sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	(void)lib->sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	for (size_t i = 0; i < COUNT_OF(limits); i++)
		(void)lib->sqlite3_limit(s->db, limits[i].what, limits[i].most);
	code = sql_register(s);
	if (code == SQLITE_OK)
		code = lib->sqlite3_set_authorizer(s->db, may, s);
	lib->sqlite3_progress_handler(s->db, STEPS_BETWEEN_LOOKS, look_at_clock, s);
	return code;
}

static enum status prepare(struct sql_engine *s, struct err *e)
{
	const char *tail = NULL;

	(void)s->lib.sqlite3_finalize(s->stmt);
	s->stmt = NULL;
	int code = s->lib.sqlite3_prepare_v2(s->db, s->query, -1, &s->stmt, &tail);
	if (code != SQLITE_OK)
		return sql_say(s, code, e);
	if (!s->stmt)
		return err_set(e, E_USAGE, -1, "the statement is empty");
	if (!s->lib.sqlite3_stmt_readonly(s->stmt) || s->lib.sqlite3_column_count(s->stmt) == 0) {
		(void)refuse(s, "writing", NULL);
		return sql_say(s, SQLITE_AUTH, e);
	}
	return sql_refuse_tail(s, tail, e);
}

enum status sql_open(struct sql_engine **out, const struct sql_options *o, struct err *e)
{
	struct sql_engine *s = zeroed(1, sizeof(*s));

	*out = s;
	s->options = *o;
	s->query = o->query;
	s->ends_ns = INT64_MAX;
	s->has_lib = libsql_open(&s->lib);
	if (!s->has_lib)
		return err_hinted(e, E_FORMAT, "install it: package libsqlite3-0 or sqlite-libs",
			"this machine has no SQLite 3.31 or later (libsqlite3.so.0)");
	s->has_place = libsql_place_open(&s->place);
	(void)s->lib.sqlite3_hard_heap_limit64(o->memory_mb << 20);
	int code = open_database(s);
	if (code != SQLITE_OK)
		return sql_say(s, code, e);
	return prepare(s, e);
}

void sql_close(struct sql_engine *s)
{
	if (!s)
		return;
	if (s->has_lib) {
		(void)s->lib.sqlite3_finalize(s->stmt);
		(void)s->lib.sqlite3_close(s->db);
		(void)s->lib.sqlite3_hard_heap_limit64(0);
		libsql_close(&s->lib);
	}
	if (s->has_place)
		libsql_place_close(&s->place);
	sql_orders_clear(s);
	arena_clear(&s->mem);
	free(s);
}

unsigned sql_needs(const struct sql_engine *s)
{
	unsigned needs = 0;

	for (int id = 0; id < SCHEMA_TABLES; id++) {
		const struct sql_source *t = &s->table[id];

		needs |= t->is_read ? schema_tables[id].needs : 0;
		for (size_t i = 0; i < t->ncol; i++)
			needs |= t->is_used[i] ? t->col[i].of->needs : 0;
	}
	return needs;
}

bool sql_reads(const struct sql_engine *s, enum schema_table_id t)
{
	return s->table[t].is_read;
}

/* ---- an answer ---- */

/* Longer texts take what width is left. */
enum { WIDE_TEXT = 24 };

/* Values as SQLite gives them: a column's type is known when all are there. */
struct values {
	struct value {
		uint8_t type; /* SQLITE_INTEGER ... */
		union cell cell;
	} * v;
	size_t n, cap, ncol;
	unsigned *types; /* by column: bits of those that occur */
	size_t *widest;  /* by column: the longest text */
	int64_t bytes, most;
};

static struct value take(const struct libsql *lib, sqlite3_stmt *stmt, int col, struct result *out)
{
	struct value to = { .type = (uint8_t)lib->sqlite3_column_type(stmt, col) };

	if (to.type == SQLITE_INTEGER)
		to.cell.i = lib->sqlite3_column_int64(stmt, col);
	else if (to.type == SQLITE_FLOAT)
		to.cell.r = lib->sqlite3_column_double(stmt, col);
	else if (to.type != SQLITE_NULL) {
		const char *p = (const char *)lib->sqlite3_column_text(stmt, col);
		size_t n = (size_t)lib->sqlite3_column_bytes(stmt, col);

		to.type = SQLITE_TEXT;
		to.cell.s = (struct span){ arena_copy(&out->mem, p ? p : "", p ? n : 0), n };
	}
	return to;
}

static enum status take_rows(
	struct sql_engine *s, struct values *to, struct result *out, struct err *e)
{
	const struct libsql *lib = &s->lib;
	int code;

	while ((code = lib->sqlite3_step(s->stmt)) == SQLITE_ROW) {
		for (size_t i = 0; i < to->ncol; i++) {
			struct value v = take(lib, s->stmt, (int)i, out);

			to->types[i] |= 1u << v.type;
			if (v.type == SQLITE_TEXT)
				to->widest[i] = MAX(v.cell.s.n, to->widest[i]);
			to->bytes += (int64_t)sizeof(v) +
				(v.type == SQLITE_TEXT ? (int64_t)v.cell.s.n : 0);
			PUSH(to->v, to->n, to->cap, v);
		}
		if (to->bytes > to->most)
			return sql_say(s, SQLITE_NOMEM, e);
	}
	return code == SQLITE_DONE ? OK : sql_say(s, code, e);
}

static bool ends_in(const char *key, const char *end)
{
	size_t n = strlen(key), m = strlen(end);

	while (n > 0 && (key[n - 1] == ')' || key[n - 1] == '"'))
		n--;
	return n >= m && memcmp(key + n - m, end, m) == 0;
}

/* Whether it is the number of something: a column that is so called, or a text's number. */
static bool is_id(const char *key)
{
	for (EACH(const struct schema_table, t, schema_tables, SCHEMA_TABLES))
		for (EACH(const struct schema_column, col, t->column, t->n))
			if (strcmp(col->key, key) == 0)
				return col->unit == UNIT_NONE;
	return ends_in(key, "_id");
}

/* As keys end in their unit, sum(dur_ns) does, too; whole numbers that are computed are counts. */
static enum unit unit_of(const char *key, enum cell_type type)
{
	static const struct {
		const char *end;
		enum unit unit;
	} ends[] = { { "start_ns", UNIT_TIMESTAMP }, { "end_ns", UNIT_TIMESTAMP },
		{ "_ns", UNIT_NS }, { "bytes", UNIT_BYTES }, { "_ratio", UNIT_RATIO } };

	return FIND_VALUE(i, COUNT_OF(ends), type != CELL_TEXT && ends_in(key, ends[i].end),
		ends[i].unit, type == CELL_INT && !is_id(key) ? UNIT_COUNT : UNIT_NONE);
}

/* Keys differ: the second "name" is "name_2". */
static const char *key_of(const struct column *col, size_t n, const char *name, struct arena *mem)
{
	const char *key = arena_copy(mem, name, strlen(name));

	for (int k = 2; ANY(i, n, strcmp(col[i].key, key) == 0); k++)
		key = arena_printf(mem, "%s_%d", name, k);
	return key;
}

static struct column *columns_of(
	struct sql_engine *s, const struct values *from, struct result *out)
{
	struct column *col = arena_array(&out->mem, from->ncol, sizeof(*col));

	for (size_t i = 0; i < from->ncol; i++) {
		const char *name = s->lib.sqlite3_column_name(s->stmt, (int)i);
		const unsigned types = from->types[i];
		const bool is_text = types >> SQLITE_TEXT & 1;
		const bool is_real = types >> SQLITE_FLOAT & 1;

		col[i].key = key_of(col, i, name ? name : "?", &out->mem);
		col[i].title = col[i].key;
		col[i].doc = "as the statement says";
		col[i].type = is_text ? CELL_TEXT : is_real ? CELL_REAL : CELL_INT;
		col[i].unit = unit_of(col[i].key, col[i].type);
		col[i].flags = !is_text               ? COLUMN_SHOWN
			: ends_in(col[i].key, "name") ? COLUMN_NAME
			: from->widest[i] > WIDE_TEXT ? COLUMN_ELASTIC
						      : COLUMN_SHOWN;
	}
	return col;
}

static void put_cell(struct table *t, size_t col, const struct value *v)
{
	const enum cell_type type = t->col[col].type;

	if (v->type == SQLITE_NULL)
		return;
	if (type == CELL_TEXT && v->type == SQLITE_TEXT)
		table_text(t, col, v->cell.s);
	else if (type == CELL_TEXT && v->type == SQLITE_FLOAT)
		table_textf(t, col, "%.15g", v->cell.r);
	else if (type == CELL_TEXT)
		table_textf(t, col, "%" PRId64, v->cell.i);
	else if (type == CELL_REAL)
		table_real(t, col, v->type == SQLITE_FLOAT ? v->cell.r : (double)v->cell.i);
	else
		table_int(t, col, v->cell.i);
}

static void put_rows(struct sql_engine *s, const struct values *from, struct result *out)
{
	struct table *t = result_table(
		out, sql_docs[SQL_ROWS].id, NULL, columns_of(s, from, out), from->ncol);

	for (size_t i = 0; i < from->n; i++) {
		if (i % from->ncol == 0)
			table_row(t);
		put_cell(t, i % from->ncol, &from->v[i]);
	}
}

enum status sql_answer(
	struct sql_engine *s, struct columns *run, size_t n, struct result *out, struct err *e)
{
	struct values values = { .most = s->options.memory_mb << 20 };

	s->run = run;
	s->nrun = n;
	for (struct sql_source *t = s->table; t < s->table + SCHEMA_TABLES; t++)
		if (t->is_read)
			(void)sql_count(s, t);
	if (s->options.timeout_s > 0)
		s->ends_ns = now_ns() + s->options.timeout_s * NS_PER_S;
	TRY(prepare(s, e)); /* again, as it is known how much there is */
	values.ncol = (size_t)s->lib.sqlite3_column_count(s->stmt);
	values.types = arena_array(&s->mem, values.ncol, sizeof(*values.types));
	values.widest = arena_array(&s->mem, values.ncol, sizeof(*values.widest));
	enum status st = take_rows(s, &values, out, e);
	if (st == OK)
		put_rows(s, &values, out);
	free(values.v);
	return st;
}
