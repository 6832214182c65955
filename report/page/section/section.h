/* Documents as lists of sections.  A section says which analyses it wants, and writes what their
 * tables say.  A style is a list of sections.  `traceq report --style` knows both lists by this. */
#pragma once

#include "report/chart/charts.h"
#include "report/page/page.h"

enum { SECTION_ASKS_MAX = 6, SECTION_CHARTS_MAX = 3, SECTION_TABLES_MAX = 3 };

/* A table of an answer, and what is shown of it. */
struct section_table {
	const char *ask, *id;
	struct page_picks picks;
};

/* Its columns as { key, title }, one behind the other. */
#define SECTION_TABLE(ask_, id_, caption_, most_, ...)                                          \
	{                                                                                       \
		.ask = (ask_), .id = (id_), .picks.caption = (caption_), .picks.most = (most_), \
		.picks.pick = {                                                                 \
			__VA_ARGS__                                                             \
		}                                                                               \
	}

struct section {
	const char *id;
	const char *ask[SECTION_ASKS_MAX + 1]; /* ends with NULL */
	/* Charts below it, where the data allow: ids of charts. */
	const char *chart[SECTION_CHARTS_MAX + 1];
	/* Charts to work in, where documents have such. */
	const char *page[SECTION_CHARTS_MAX + 1];
	/* Tables below a heading, and a text: where the first of them has rows, or any.  Else, or
	 * behind them, `write` adds blocks; without a heading here it writes its own, and nothing
	 * when there is nothing to say. */
	const char *heading;
	struct section_table table[SECTION_TABLES_MAX];
	bool is_any;
	void (*write)(const struct answers *in, struct page *d);
};

/* Writes its blocks. */
void section_write(const struct section *s, const struct answers *in, struct page *d);

/* The tables that have rows. */
void section_put_tables(
	const struct answers *in, struct page *d, const struct section_table *t, size_t n);

#define SECTIONS(X)      \
	X(oom)           \
	X(overview)      \
	X(ranks)         \
	X(ledger)        \
	X(findings)      \
	X(bottlenecks)   \
	X(work)          \
	X(sampled)       \
	X(profiler)      \
	X(roofline)      \
	X(waiting)       \
	X(critical)      \
	X(transfers)     \
	X(memory)        \
	X(metrics)       \
	X(scores)        \
	X(gpus)          \
	X(opportunities) \
	X(missing)       \
	X(model)         \
	X(data)          \
	X(performance)   \
	X(batch)         \
	X(questions)     \
	X(expected)      \
	X(checklist)     \
	X(targets)       \
	X(open)          \
	X(verdict)       \
	X(change)        \
	X(figures)       \
	X(tonight)       \
	X(newest)        \
	X(levels)        \
	X(differences)

#define X(name) extern const struct section section_##name;
SECTIONS(X)
#undef X

enum { STYLE_SECTIONS_MAX = 20 };

struct style {
	const char *name, *title;
	const char *summary; /* one line for help */
	const struct section *section[STYLE_SECTIONS_MAX + 1];
	/* --format seed: the document of the field, and what it asks (documents/); or NULL. */
	void (*document)(const struct answers *in, struct page *d);
	const char *document_ask[SECTION_ASKS_MAX + 1];
};

#define STYLES(X) \
	X(run)    \
	X(week1)  \
	X(diff)   \
	X(nightly)

/* The style of that name; NULL: none. */
const struct style *style_find(const char *name);

/* ---- what sections share ---- */

extern const char ask_info[], ask_summary[], ask_diagnose[], ask_kernels[], ask_top[], ask_idle[],
	ask_copies[], ask_comms[], ask_memory[], ask_metrics[], ask_smi[], ask_check[],
	ask_stacks[], ask_critical[], ask_roofline[];

/* The finding of a rule, as its row in the first findings table; false: there is none. */
bool section_finding(
	const struct answers *in, const char *rule, const struct table **t, size_t *row);

/* How good a severity is, or the verdict of a comparison. */
enum page_tone section_tone(struct span word);

/* "65.3%" of a ratio; "-" when it is not known. */
const char *section_percent(struct page *d, double ratio);
const char *section_time(struct page *d, double ns);
const char *section_bytes(struct page *d, double bytes);

/* A fact of a cell of the first row, where it has a text; t may be NULL. */
void section_fact(struct page *d, const struct table *t, const char *key, const char *title);

/* section_ranks.c: a table of the job that the inputs are ranks of, NULL: they are none; its
 * verdict, false: there is none. */
const struct table *section_job_table(const struct answers *in, const char *id);
bool section_put_job(const struct answers *in, struct page *d);

/* section_work.c: whether a table of operations stands for the trace. */
bool section_has_recorded(const struct answers *in);

/* When the inputs of ask_info were recorded, and on what, as facts of origin. */
void section_put_origin(const struct answers *in, struct page *d);

/* A text cell as a string in the page's memory; "" when it is absent. */
const char *section_word(struct page *d, const struct table *t, size_t row, const char *key);
