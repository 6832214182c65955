/* The engine: a database of SQLite without tables of its own, whose tables are the schema's.
 * Private to sql_*.c. */
#pragma once

#include "analyze/answer/sql/sql.h"
#include "analyze/answer/sql/sql_lib.h"

enum { SQL_COLUMNS_MAX = 96 };

/* A column as SQLite sees it: behind those of the schema each text once more, as its number. */
struct sql_column {
	const struct schema_column *of;
	bool is_id;
};

struct sql_source {
	struct sql_engine *s;
	enum schema_table_id id;
	struct sql_column col[SQL_COLUMNS_MAX];
	size_t ncol;
	bool is_read;
	bool is_used[SQL_COLUMNS_MAX]; /* by column of the schema */
	size_t asked;                  /* how often for rows equal to something */
	size_t *begin; /* by run: how many rows are before it; nrun + 1 of them; NULL: not counted
	                */
};

/* By what rows are in order. */
enum { SQL_TERMS_MAX = 4 };
struct sql_terms {
	struct sql_term {
		uint8_t col;
		bool is_desc;
	} v[SQL_TERMS_MAX];
	size_t n;
};

struct sql_order {
	enum schema_table_id table;
	struct sql_terms terms;
	uint32_t *row; /* numbers over all runs, in that order */
};

/* One number for each text of a dictionary, over all runs; and its place among them in the order of
 * their bytes. */
struct sql_texts {
	uint32_t **of; /* by run and id; NULL: a single run's ids are the numbers */
	size_t n;
	struct span *text;
	uint32_t *place; /* NULL: not sorted */
	bool is_made;
	struct strings merged;
};

struct sql_engine {
	struct libsql lib;
	struct libsql_place place;
	bool has_lib, has_place;
	sqlite3 *db;
	sqlite3_stmt *stmt;
	const char *query;
	struct sql_options options;
	int64_t ends_ns; /* when it has taken too long; INT64_MAX: never */
	bool is_late;
	bool is_declaring; /* SQLite is told of a table's columns */
	char refused[96];  /* what the statement must not do; "" */
	struct columns *run;
	size_t nrun;
	struct sql_source table[SCHEMA_TABLES];
	struct sql_texts texts[DICTIONARY_COUNT];
	struct sql_order *order;
	size_t norder, order_cap;
	struct arena mem;
};

/* sql_virtual.c: the schema's tables in the database; SQLite's code. */
int sql_register(struct sql_engine *s);

/* sql_order.c: rows of a table in some order, made once; how many rows there are.  NULL: more than
 * can be. */
const uint32_t *sql_order(
	struct sql_engine *s, struct sql_source *t, const struct sql_terms *terms);
size_t sql_count(struct sql_engine *s, struct sql_source *t);
size_t sql_run_of(const struct sql_engine *s, const struct sql_source *t, size_t row);
void sql_orders_clear(struct sql_engine *s);

/* A cell as a number by which rows are in order, the smallest first; 0 is NULL. */
uint64_t sql_key(struct sql_engine *s, struct sql_column col, size_t run, size_t row);
/* The number of a text, over all runs. */
uint32_t sql_text_number(struct sql_engine *s, enum schema_dictionary d, size_t run, uint32_t id);

/* sql_say.c: what is wrong with a statement. */
enum status sql_say(struct sql_engine *s, int code, struct err *e);
enum status sql_refuse_tail(struct sql_engine *s, const char *tail, struct err *e);
