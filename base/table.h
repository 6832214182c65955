/* The result model: what an analysis answers and a renderer prints.
 *
 * A result is tables and notes.  A table is columns (constant data of its analysis) and rows of
 * cells.  Nothing here knows where the numbers come from or how they will look: integers are in
 * base units (ns, bytes), reals are ratios and statistics, unknown is absent, never 0. */
#pragma once

#include "base/base.h"

struct table_pack;
struct verdict;

enum cell_type { CELL_TEXT, CELL_INT, CELL_REAL, CELL_BOOL };

enum unit {
	UNIT_NONE,      /* plain text, or a number without unit: ids, versions */
	UNIT_COUNT,     /* how many */
	UNIT_NS,        /* duration, integer ns (CELL_INT) or mean ns (CELL_REAL) */
	UNIT_TIMESTAMP, /* ns since the trace's zero */
	UNIT_BYTES,
	UNIT_RATIO, /* 0..1, shown as per cent */
	UNIT_BYTES_PER_S,
	UNIT_FLOPS,  /* floating point operations */
	UNIT_OF_ROW, /* each row has its own (table_unit): tables of metrics */
	UNIT_NJ      /* energy, nJ */
};

enum column_flag {
	COLUMN_SHOWN = 0,
	COLUMN_ELASTIC = 1, /* takes the width that is left: texts that may be long */
	COLUMN_HIDDEN = 2,  /* machine formats only: text and markdown leave it out */
	COLUMN_CUMULATIVE = 4,
	COLUMN_SPARE = 8, /* the first to be left out where there is no room */
	/* Elastic, of kernels or ops: shortened by what it means also where it has room. */
	COLUMN_NAME = 16 | COLUMN_ELASTIC,
	COLUMN_ROOM = 32 /* shown only where no other column has to give way for it */
};

/* Where the cells of a column come from in tables of rows that are structs: their fields, as
 * analyze/analysis/fields.h says; all 0: what makes the row puts them. */
struct column_from {
	uint8_t how;                    /* enum fields_how */
	uint8_t a_type : 4, b_type : 4; /* enum fields_kind */
	uint16_t a, b;                  /* offsets of fields */
};

struct column {
	const char *key;    /* machine name, ends in its unit: self_cpu_ns, busy_ratio; unique */
	const char *title;  /* short heading for people */
	const char *doc;    /* definition, one or two sentences; `traceq explain KEY` prints it */
	const char *source; /* where the definition comes from, or NULL */
	enum cell_type type;
	enum unit unit;
	unsigned flags;      /* enum column_flag */
	const char *words;   /* "pass|fail": all that its texts can be; NULL: anything */
	const char *pattern; /* a regular expression that its texts match; NULL: none */
	bool is_optional;    /* some answers have it and others do not */
	bool adds_up;        /* rows below the line (rest, total) have it, too */
	struct column_from from;
};

/* A column of any text. */
#define TEXT_COLUMN(key, title, doc, flag)                                   \
	{                                                                    \
		key, title, doc, NULL, CELL_TEXT, UNIT_NONE, .flags = (flag) \
	}

/* A table that an answer has, by its columns; `explain` says what they mean. */
struct table_doc {
	const char *id, *title;
	const struct column *col;
	size_t ncol;
};

union cell {
	int64_t i;
	double r;
	bool b;
	struct span s; /* bytes live as long as the result or the run */
};

enum table_layout {
	TABLE_GRID,    /* rows under headings */
	TABLE_LIST,    /* few rows, shown as "title  value" lines */
	TABLE_LINE,    /* one row, shown as one line of values without headings */
	TABLE_TORCH,   /* the layout of torch's key_averages().table() */
	TABLE_TEXT,    /* text as it stands, of many lines, in the first column */
	TABLE_LANES,   /* rows are marks on lanes over time: report/format/format_lanes.h */
	TABLE_FLAME,   /* frames of a flame graph: what its picture is drawn from */
	TABLE_COMMANDS /* command lines (base/shell.h), and what each is for: a line each, whole */
};

struct table {
	const char *id;    /* machine name: "device", "ops" */
	const char *title; /* heading for people, or NULL */
	int input;         /* index of the input it describes, or -1 for all of them */
	enum table_layout layout;
	const struct column *col;
	size_t ncol;
	size_t nrow, cap;
	union cell *cell; /* nrow * ncol, row by row */
	bool *known;      /* the same shape; false: the cell is absent */
	uint8_t *unit;    /* by row: enum unit of its cells in columns of UNIT_OF_ROW; NULL in a
	                     packed table without such columns */
	size_t nfoot; /* the last nfoot rows are not data (rest, total); JSON has them as "footer"
	               */
	size_t ncut;  /* rows left out by a row limit */
	const char *footnote; /* one line under the table, or NULL */
	struct arena *mem;    /* of the result */
	/* Of a packed table (result_pack) in place of cell and known, which are NULL then. */
	const unsigned char *packed;
	struct table_pack *pack;
};

enum note_level { NOTE_INFO, NOTE_WARNING, NOTE_ERROR };

struct note {
	enum note_level level;
	const char *id;   /* stable word: `traceq explain ID` knows it */
	int input;        /* index of the input, or -1 */
	int64_t count;    /* how many; -1 when counting makes no sense */
	int64_t offset;   /* first place, byte offset in the inflated text; -1 unknown */
	int64_t line;     /* its 1-based line; -1 unknown */
	const char *text; /* sentence without full stop, lower case */
	bool is_said;     /* on stderr already */
};

/* What notes of one id mean; arrays of them end with a NULL id. */
struct note_doc {
	const char *id, *meaning;
};

/* The tables of a result that have one id, one for each input mostly. */
struct table_series {
	const char *id;
	struct table **table;
	size_t n, cap;
};

struct result {
	const char *schema; /* "traceq.top/1" */
	const char **input; /* paths as given */
	size_t ninput, input_cap;
	struct table **table;
	size_t ntable, table_cap;
	struct table_series *series; /* the same tables by id */
	size_t nseries, series_cap;
	struct note *note;
	size_t nnote, note_cap;
	const struct verdict *verdict; /* base/checks.h; NULL: the answer is none */
	bool says_no;                  /* a page that was kept (analyze/analysis/pages.h) did */
	struct table_pack *pack;       /* NULL: nothing is packed */
	size_t npacked;                /* tables that are, the first ones */
	struct arena mem;              /* cells, and what analyses put beside them */
	struct arena keep;             /* the rest, and what is packed */
};

void result_init(struct result *r, const char *schema);
void result_clear(struct result *r);

/* Adds an input path (copied); returns its index. */
int result_input(struct result *r, const char *path);

/* A new empty table, owned by r; id, title and col are borrowed (constant data or r->mem). */
struct table *result_table(
	struct result *r, const char *id, const char *title, const struct column *col, size_t ncol);

/* The same of a table that is described: its id, title and columns. */
struct table *result_table_of(struct result *r, const struct table_doc *doc);

/* The same without its title, its rows lines of values without headings (TABLE_LINE). */
struct table *result_lines_of(struct result *r, const struct table_doc *doc);

/* All tables there are become small, and are only read from now on; all of r->mem is released, and
 * nothing is borrowed any longer from what the tables are about.  For the end of one of many
 * inputs.  O(cells). */
void result_pack(struct result *r);

/* Puts copies of the notes of `first` in front of those of r. */
void result_notes_before(struct result *r, const struct result *first);

/* Takes back all tables but the first `keep`, none of which is packed. */
void result_drop_tables(struct result *r, size_t keep);

/* Packs all tables there are, and moves those behind the first `from` in front of them. */
void result_front(struct result *r, size_t from);

/* The i-th table with that id, or NULL.  O(ids). */
const struct table *result_find(const struct result *r, const char *id, size_t i);

/* Adds a note with printf-style text.  count, input, offset as in struct note. */
void result_note(struct result *r, enum note_level level, const char *id, int input, int64_t count,
	const char *fmt, ...) PRINTF_LIKE(6, 7);

/* Starts a new row, all of its cells absent; the setters below write into the newest row. */
void table_row(struct table *t);
/* The same with the cells of a row of another table of these columns, whose texts are borrowed. */
void table_row_of(struct table *t, const struct table *from, size_t row);
/* The unit of the newest row's cells in columns of UNIT_OF_ROW; UNIT_NONE before. */
void table_unit(struct table *t, enum unit unit);
void table_int(struct table *t, size_t col, int64_t v);
/* NaN is stored as absent. */
void table_real(struct table *t, size_t col, double v);
void table_bool(struct table *t, size_t col, bool v);
/* Bytes are borrowed.  They must live as long as the result.  v.p may be NULL when v.n is 0. */
void table_text(struct table *t, size_t col, struct span v);
/* printf into the result's memory. */
void table_textf(struct table *t, size_t col, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Takes the columns out in which no row has anything: for people. */
void table_drop_empty(struct table *t);

/* What is in a cell, an absent one included; where the value alone is wanted, these are the way to
 * it.  The text: empty where there is none, never NULL.  The number in its base unit, 0 or 1 of a
 * CELL_BOOL: NaN where there is none. */
struct span table_text_at(const struct table *t, size_t row, size_t col);
double table_number_at(const struct table *t, size_t row, size_t col);

/* The whole number in a CELL_INT, exactly; `absent` where there is none. */
int64_t table_int_at(const struct table *t, size_t row, size_t col, int64_t absent);

/* The cell at (row, col), or NULL when absent: for those that tell absent from empty.  In a packed
 * table it is valid until a cell of another table is asked for. */
const union cell *table_cell(const struct table *t, size_t row, size_t col);

/* Looking things up in tables and in rows of numbers, also in what is not there.
 *
 * What looks for something says whether it is there, and where; a loop that goes on until it has
 * found something has no answer where nothing is, and tests/lint/loops.sh refuses it.  A table may
 * be NULL: it has nothing.  An unknown number, NaN, is the same as another unknown one and as no
 * known one, which == does not say. */

/* Rows that are data: without the foot. */
size_t table_rows(const struct table *t);

/* False: no column has that key; *col is 0 then. */
bool table_find_column(const struct table *t, const char *key, size_t *col) MUST_CHECK;

/* The first row of data with that text, or that number, under the key; false: there is none, and
 * *row is table_rows. */
bool table_find_word(
	const struct table *t, const char *key, struct span word, size_t *row) MUST_CHECK;
bool table_find_number(const struct table *t, const char *key, double v, size_t *row) MUST_CHECK;

/* The number in a cell, in its base unit; NaN when it is absent, or no such row or column, or no
 * number. */
double table_number(const struct table *t, size_t row, const char *key);

/* The text in a cell; empty when it is absent, or no such row or column, or no text. */
struct span table_word(const struct table *t, size_t row, const char *key);

/* Both are unknown, or they are equal. */
bool number_same(double a, double b);

/* The first of n numbers that is the same; false: none is, and *at is n. */
bool numbers_find(const double *v, size_t n, double x, size_t *at) MUST_CHECK;
