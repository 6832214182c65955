/* Gathering metrics of records.  Private to analyze/compare/metricset*.c. */
#pragma once

#include "analyze/compare/metricset.h"
#include "analyze/trace/columns/strings.h"

struct record;
struct series;
struct sheet;
struct side_run;

/* A metric on its way into the set. */
struct gathered {
	struct metric m;
	size_t source; /* in the order of first sight */
};

struct gathering {
	struct gathered *v;
	size_t n, cap, left_out;
	struct strings keys;       /* quantity and source of each; its id is the index + 1 */
	struct strings quantities; /* seen so far */
	struct strings sources;
	size_t nrun;
	bool has_traces;           /* a run of the side has */
	const struct side_run *of; /* the run being looked at */
	const char *source;        /* the artifact being looked at */
	bool is_policy;            /* its loss is a policy's: rewards or kl are beside it */
	struct arena *mem;
};

/* Its tables of words; gathering_finish releases them. */
void gathering_init(struct gathering *g);

/* The sample of this run to fill, of a metric with an id of its own; NULL: the artifact has said it
 * of this run, or there is no room. */
struct metric_sample *gathering_own(struct gathering *g, const char *id);

/* The same of a figure by its name; `called`: what of the name says its kind. */
struct metric_sample *gathering_figure(
	struct gathering *g, const char *name, struct span called, enum unit unit);

/* How several values of one name in one artifact become one. */
enum gathering_as { GATHER_MEAN, GATHER_SUM, GATHER_MOST };

/* A value of a figure, which may have several; returns its metric, or NULL. */
struct metric *gathering_value(struct gathering *g, const char *name, struct span called,
	enum unit unit, double v, enum gathering_as as);

/* Ids with a place of their own in their order, then by source and name; into the arena. */
struct metric *gathering_finish(struct gathering *g);

/* metricset_series.c: a series' metric, and whether it is a loss that diverged. */
void gathering_series(struct gathering *g, const struct series *s, int64_t warmup);

/* metricset_series.c: whether allocated memory leaks, where a log measured it. */
void gathering_leak(struct gathering *g, const struct record *r);

/* metricset_sheets.c: the cells of a sheet. */
void gathering_sheet(struct gathering *g, const struct record *r, const struct sheet *s);

/* metricset_rows.c: series of rows that have a setting each, as a table: "batch_size 8/latency_ms";
 * false: there are none.  Which series are such rows. */
bool gathering_rows(struct gathering *g, const struct record *r);
bool gathering_is_row(const struct series *s);

/* metricset_rows.c: the sum of the stages that a document times: a new one is in it, and one that
 * has another name. */
void gathering_stages(struct gathering *g, const struct record *r);
