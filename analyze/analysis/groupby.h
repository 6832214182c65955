/* Grouping: what is alike becomes one row of a table.
 *
 * Three steps.  A pass over events finds the group of each by a key and adds to the group's struct
 * (struct groups).  The groups are put in order, and the first of them are chosen (groupby_rank);
 * the chosen ones become rows, whose cells tables.def takes from fields of the struct (fields.h),
 * and a row stands for the others (groupby_put).  Where quantiles are asked for, a second pass
 * between them fetches the values of the chosen groups alone.
 *
 *	  events     a3 b1 a2 c9 b1
 *	  groups     a: 5 in 2    b: 2 in 2    c: 9 in 1
 *	  in order   c 9, a 5 | b 2          the limit is 2
 *	  rows       c 9; a 5; "... 1 more row" 2; total 16
 *
 * What is a table's own is data: struct grouping.  How ranks of a job are folded stands beside it
 * (fold.h).  Sums are of whole ns, and what the order is by is compared as such, so that nothing
 * depends on the order of events: ties go by texts and numbers of the group, as `place` says.
 *
 * Not here: `stages`, whose rows are a tree in the order of calls, where a limit takes levels and
 * not rows.  `stacks` takes the order alone: it has to write a row's text to know whether it passes
 * the filters, until so many bytes are written, and does not know its rows before it puts them. */
#pragma once

#include "analyze/analysis/fields.h"
#include "analyze/analysis/perrun.h"

/* --- groups --- */

/* One struct for each key, which it begins with, in the order of first sight. */
struct groups {
	struct keymap keys;
	void *item; /* moves when one is added */
	size_t size, n, cap;
	const void *fresh; /* what a new one has behind its key; NULL: zeros */
	uint32_t *near;    /* by a small number: 1 + the last group looked for near it; 0: none */
};

/* Structs of `size` bytes with keys (no padding: they are compared as bytes) of key_size.  nnear:
 * the numbers for groups_add_near are below it; 0: it is not used. */
void groups_init(struct groups *g, size_t key_size, size_t size, const void *fresh, size_t nnear);
void groups_clear(struct groups *g);

static inline void *groups_item(const struct groups *g, size_t i)
{
	return (char *)g->item + i * g->size;
}

/* The index of the group with that key, new or old. */
uint32_t groups_add(struct groups *g, const void *key);
/* The same.  It is looked for near that number first, which the key gives. */
uint32_t groups_add_near(struct groups *g, uint32_t near, const void *key);
/* The same where that number is the key. */
static inline uint32_t groups_of(struct groups *g, uint32_t key)
{
	return g->near[key] ? g->near[key] - 1 : groups_add_near(g, key, &key);
}
/* Without adding: KEYMAP_NONE when there is none; near that number first. */
uint32_t groups_find(struct groups *g, const void *key);
uint32_t groups_find_near(struct groups *g, uint32_t near, const void *key);

/* The group; good until one is added. */
static inline void *groups_at(struct groups *g, const void *key)
{
	return groups_item(g, groups_add(g, key));
}

/* As groups_add_near, for keys of 16 bytes: fast where it is the group seen last near that number,
 * which it nearly always is.  Inline, as it is asked for every event (10 ns of a row's 40
 * otherwise); size: that of the struct, known to the compiler. */
HOT_INLINE uint32_t groups_hit(struct groups *g, uint32_t near, const uint64_t key[2], size_t size)
{
	uint32_t at = g->near[near];

	if (at) {
		const uint64_t *known =
			(const void *)((const char *)g->item + (at - (size_t)1) * size);

		if (known[0] == key[0] && known[1] == key[1])
			return at - 1;
	}
	return groups_add_near(g, near, key);
}

/* How many durations there are, their sum, the shortest and the longest. */
struct durations {
	int64_t n;
	nsec sum, min, max;
};
#define NO_DURATIONS             \
	{                        \
		.min = INT64_MAX \
	}

static inline void durations_add(struct durations *d, nsec dur)
{
	d->n++;
	saturate_onto(&d->sum, dur);
	d->min = MIN(dur, d->min);
	d->max = MAX(dur, d->max);
}

static inline void durations_join(struct durations *d, const struct durations *more)
{
	d->n += more->n;
	saturate_onto(&d->sum, more->sum);
	d->min = MIN(more->min, d->min);
	d->max = MAX(more->max, d->max);
}

/* --- rows of them --- */

/* Where a group stands: by the value, the largest first and what has none last; then by `a`, by the
 * name, by `b`, the smallest first; then by the order of first sight. */
struct groupby_place {
	int64_t value; /* where it is whole */
	int64_t a[2];
	struct span name;
	int64_t b[2];
};

struct groupby;

/* What is a table's own. */
struct grouping {
	uint8_t sort;   /* the column it is in order of, unless groupby.by says another; or
	                   GROUPBY_PLACE */
	uint8_t name;   /* a text: breaks ties, and says how many rows are left out */
	uint8_t calls;  /* how many values a group has at most; with quantiles only */
	uint8_t people; /* rows for people by default; 0: all */
	/* Whether a group is one of its rows; NULL: all are. */
	bool (*takes)(const void *ctx, const void *item);
	/* Fills a, name and b of its place; NULL: the name is that of the column `name`. */
	void (*place)(const void *ctx, const void *item, struct groupby_place *to);
	/* Cells that are no fields; NULL: there are none.  i: the group's index. */
	void (*put)(const struct groupby *g, const void *item, uint32_t i);
	/* Adds a group to another, for a row of those left out and a total; NULL: neither. */
	void (*join)(void *to, const void *item);
	/* Cells of these two that are no fields; from: the first of them in groupby.row; NULL:
	 * there are none. */
	void (*put_sum)(const struct groupby *g, const void *sum, size_t from);
};

/* GROUPBY_PLACE: in order of what `place` says alone. */
enum { GROUPBY_COLUMNS = 64, GROUPBY_SERIES = 2, GROUPBY_PLACE = UINT8_MAX };

/* One table on its way.  The first part is what the caller says. */
struct groupby {
	const struct grouping *how;
	struct perrun *at;
	const struct table_doc *doc;
	void *ctx;
	const void *item; /* n structs */
	size_t size, n;
	struct fields_of of;          /* names and for_people are filled in */
	const struct column_from *by; /* in place of grouping.sort; NULL */
	size_t limit;                 /* rows; 0: all */
	bool is_ordered;              /* those beyond the limit are in order, too */
	const void *none; /* a struct that nothing was added to, for `join`; NULL: zeros */
	uint64_t hide;    /* columns that only machines see, besides those that tables.def hides */
	/* In place of hide: columns people see, in their order; the others stand behind, hidden. */
	const uint8_t *order;
	size_t norder;
	uint64_t without; /* columns that are left out; only with order */

	/* groupby_rank: the groups that are rows, the first `shown` of them in order */
	uint32_t *row;
	size_t nrow, shown;
	/* groupby_table */
	struct table *t;
	uint8_t at_col[GROUPBY_COLUMNS]; /* with order: where a column of doc is now */
	/* groupby_sample_begin */
	uint32_t *slot; /* by group: 1 + its row; 0: none */
	struct groupby_series {
		int64_t *v;
		size_t *begin, *next; /* by row */
	} series[GROUPBY_SERIES];
	size_t nseries;
	double *quantile; /* by row and column of t; NULL: none are known */
	int64_t running;
};

/* A table of the groups.  The rest is 0. */
struct groupby groupby_of(const struct grouping *how, struct perrun *at,
	const struct table_doc *doc, const struct groups *from, void *ctx);

/* Rows of another table in place of groups, those whose text in column `name` passes -f and -v:
 * each is a struct field_row.  of.whole becomes the sum of what `share` says of all that `takes`
 * leaves; NULL: it stays.  What filter_text says. */
enum status groupby_rows(struct groupby *g, const struct table *from, size_t name,
	const struct column_from *share) MUST_CHECK;

/* Sets the limit by -n: as given, or `people` of the grouping. */
void groupby_limit(struct groupby *g, int64_t asked);

/* A group by its index. */
static inline const void *groupby_item(const struct groupby *g, size_t i)
{
	return (const char *)g->item + i * g->size;
}

/* Chooses rows; memory is at->mem's. */
void groupby_rank(struct groupby *g);

/* Makes the table, without rows. */
void groupby_table(struct groupby *g);

/* Quantiles, once the table is there: room for the values of its rows, then each value by the index
 * of its group, then what is to be shown of them.  Rows know nothing of each other: threads. */
void groupby_sample_begin(struct groupby *g, size_t nseries);
static inline void groupby_sample_row(struct groupby *g, size_t series, uint32_t slot, int64_t v)
{
	g->series[series].v[g->series[series].next[slot - 1]++] = v;
}
static inline void groupby_sample(struct groupby *g, size_t series, uint32_t group, int64_t v)
{
	if (g->slot[group])
		groupby_sample_row(g, series, g->slot[group], v);
}
void groupby_sample_end(struct groupby *g, unsigned threads);

/* Puts the row of a group alone, for tables that are in an order of their own; no quantiles. */
void groupby_put_row(const struct groupby *g, uint32_t group);

/* Puts the rows alone into the table, which is there; returns how many are left out.  For tables of
 * several parts. */
size_t groupby_put_rows(struct groupby *g);

/* Puts the rows, after whatever of the above was not done yet.  Without rows there is no table. */
void groupby_put(struct groupby *g);

/* Where a column of doc is in the table. */
size_t groupby_column(const struct groupby *g, size_t col);

/* Cells that are no fields, into the newest row; columns are those of doc. */
void groupby_int(const struct groupby *g, size_t col, int64_t v);
void groupby_real(const struct groupby *g, size_t col, double v);
void groupby_text(const struct groupby *g, size_t col, struct span v);
