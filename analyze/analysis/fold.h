/* Tables of a job's ranks: one in place of the table that each rank has by itself.
 *
 * Rows of the ranks that have the same labels become one row: what the median rank has in it, and
 * which ranks have least and most.  What is folded is data of the analysis. */
#pragma once

#include "analyze/trace/columns/strings.h"
#include "base/table.h"

enum { FOLD_LABELS = 6, FOLD_BESIDE = 3, FOLD_VALUES = 1 + FOLD_BESIDE };

struct jobpage;
struct runs_doc;

/* One table.  Lists have '|' between. */
struct fold_doc {
	const char *table;  /* the first of these that the page has */
	const char *labels; /* columns that are shown, of the first rank that has the row */
	const char *key;   /* those that tell rows apart; NULL: the labels; "": the table is one row
	                    */
	const char *value; /* what is compared: the first of these columns that is there */
	const char *beside; /* columns with the median rank's, too; NULL: none */
	/* It is no sum: a rank without the row has no value, where it else has none of it, and of
	 * several rows of a rank the largest counts, where they else add up. */
	bool is_figure;
	bool in_order; /* of the first rank's rows; else what is most over all ranks comes first */
	uint8_t rows;  /* for people; 0: all */
	bool has_foot; /* the rows below the line, too */
	/* Only rows whose column `where` has one of the texts `is`; NULL: all. */
	const char *where, *is;
};

/* Without braces at its use, so that clang-format wraps and does not align. */
#define FOLD(table_, labels_, value_, beside_, ...)                                     \
	{                                                                               \
		.table = table_, .labels = labels_, .value = value_, .beside = beside_, \
		__VA_ARGS__                                                             \
	}

struct fold;

/* What becomes of the pages of a job's ranks: folded tables, and one with a row for each rank. */
struct folds {
	const struct fold_doc *doc;
	size_t n;
	const struct runs_doc *ranks; /* runs_table.h; NULL: none */
	/* With a job, before the tables are made: fold has those of doc; NULL: nothing to do. */
	void (*settle)(void *ctx, const struct jobpage *job, struct fold *fold);
	/* The same afterwards: tables about the job, behind those all answers have; NULL: none. */
	void (*put)(void *ctx, const struct jobpage *job, struct result *out);
	const char *tables; /* those that put makes: "job_path|crossings" */
	bool is_verdict; /* it judges: what is found about the job comes with what to do about it */
	const char *kept; /* tables of pages that stay: "files|run"; NULL: none */
	/* What becomes of those of a job, for people; NULL: they are shown. */
	void (*join)(const struct jobpage *job, const struct result *kept, struct result *out);
	bool (*wants_pages)(const void *opts); /* an option asks for the pages; NULL: never */
};

/* Those of an array of fold_doc, and other members by name. */
#define FOLDS(docs, ...) (&(const struct folds){ .doc = (docs), .n = COUNT_OF(docs), __VA_ARGS__ })

/* What one rank has in a row. */
struct fold_cell {
	uint32_t before; /* 1 + the cell of the rank before it; 0: none */
	int input;
	double v[FOLD_VALUES]; /* NaN: none */
};

struct fold_row {
	uint32_t last; /* 1 + its last cell */
	size_t label;  /* row of fold.label */
};

/* A table on its way. */
struct fold {
	const struct fold_doc *doc;
	char *title;          /* of the table it is made of; NULL: none was there yet */
	struct column *value; /* its columns: the value, then those beside it */
	size_t nvalue;
	struct result labels;
	struct table *label; /* the labels by row, as they came */
	struct strings keys;
	struct fold_row *row;
	size_t nrow, row_cap;
	struct fold_cell *cell;
	size_t ncell, cell_cap;
	bool *is_cut; /* by input: its page leaves rows out, so that what is absent is not known */
	size_t ninput, input_cap;
	struct arena mem;
};

/* Which inputs are the job's, by input. */
struct fold_ranks {
	const int64_t *rank; /* FOLD_NO_RANK: it is none of them */
	size_t n;
};
#define FOLD_NO_RANK INT64_MIN

void fold_init(struct fold *f, const struct fold_doc *doc);
void fold_clear(struct fold *f);

/* The tables, without rows, that a table of pages with these columns can become: one for each of
 * the columns doc compares, by the first FOLD_SHAPES of them.  Ids and titles are those of `of`;
 * any column may be missing in an answer.  Returns how many. */
enum { FOLD_SHAPES = 4 };
size_t fold_shapes(const struct fold_doc *doc, const struct table_doc *of,
	struct table_doc to[FOLD_SHAPES], struct arena *mem);

/* Takes the rows of that input, whose tables are those of r from `from` on.  Inputs ascend. */
void fold_add(struct fold *f, const struct result *r, size_t from, int input);

/* Goes over what ranks have in the rows whose label of that column is the word: change may change
 * the values, and drops them by false. */
void fold_change(struct fold *f, const char *column, const char *word,
	bool (*change)(void *ctx, int input, double *v), void *ctx);

/* The label of a column becomes the text in the rows whose label of column `where` is the word. */
void fold_relabel(
	struct fold *f, const char *where, const char *word, const char *column, const char *text);

/* fold_put.c: the columns of the table, into col; *value receives where the compared ones begin. */
size_t fold_columns(const struct fold *f, struct column *col, size_t *value, struct arena *mem);
/* How many there are at most. */
size_t fold_width(const struct fold *f);

/* Makes the table of those ranks in r, with at most that many rows, unless it has none. */
void fold_put(const struct fold *f, struct result *r, const struct fold_ranks *ranks, size_t limit);
