/* Renderers: a result to text in one format.  The list below is all there is to register. */
#pragma once

#include <stdio.h>

#include "base/table.h"

struct excerpt;

/* How the reader wants it; only text formats look at most of this. */
struct render {
	unsigned width;   /* columns to fit into, for elastic columns; 0 = do not cut anything */
	bool color;       /* may use SGR colours */
	bool utf8;        /* may use non-ASCII typography */
	const char *unit; /* "us", "ms", "s", or NULL: choose one per column */
	const struct excerpt *excerpt; /* of format/excerpt.h: the part that is wanted; NULL: all */
};

struct renderer {
	const char *name;         /* the word after --format */
	const char *summary;      /* one line for help */
	const char *doc;          /* more about it, for `explain`; NULL: there is nothing more */
	const char *suffix;       /* file suffix for -o, ".json"; NULL when none */
	enum table_layout layout; /* what analyses lay out for it; TABLE_GRID: nothing special */
	const char *column;       /* the text column it is about, or NULL: any table will do */
	bool is_one_table;        /* it has room for one, of each input; put takes the first */
	bool for_people;          /* row limits apply as defaults, extras are welcome */
	bool is_of_calls;         /* it holds calls over time where there are some, not tables */
	bool shows_notes;         /* put writes those that only inform, too */
	/* Not NULL: it is no text, and a file that begins so is one of it.  Never to a terminal. */
	const char *mark;
	bool is_silent; /* help and completion say nothing of it */
	/* Writes the whole result, notes included unless notes belong to stderr in this format.
	 * E_IO when out fails.  Deterministic: the same result gives the same bytes. */
	enum status (*put)(FILE *out, const struct result *r, const struct render *how,
		struct err *e) MUST_CHECK;
};

/* Those of any table, and those of some answers only: they have a layout or a column. */
#define RENDERERS_OF_ANY(X) \
	X(table)            \
	X(json)             \
	X(csv)              \
	X(tsv)              \
	X(md)
#define RENDERERS(X)        \
	RENDERERS_OF_ANY(X) \
	X(parquet)          \
	X(openmetrics)      \
	X(torch)            \
	X(seed)             \
	X(folded)           \
	X(speedscope)

#define X(name) extern const struct renderer renderer_##name;
RENDERERS(X)
#undef X
#define X(name) +1
enum { RENDERER_COUNT = 0 RENDERERS(X) };
#undef X

/* All renderers in list order; *n receives how many. */
const struct renderer *const *renderer_all(size_t *n);

/* The renderer of that name, or NULL. */
const struct renderer *renderer_find(const char *name);

/* Renders to the file at path, which appears when it is complete (base/io.h).  E_IO: the error
 * names path; E_USAGE: the answer has not what the format is for. */
enum status renderer_put_file(const struct renderer *renderer, const char *path,
	const struct result *r, const struct render *how, struct err *e) MUST_CHECK;
