/* The catalogue of charts.  A chart is one constant struct and one line in CHARTS; `traceq plot`
 * lists, draws and explains it by that. */
#pragma once

#include "report/answers.h"
#include "report/chart/chart.h"

/* ---- rows of a table drawn as bars: charts that are data; `draw` below is for all that are more
 * ---- */

enum { BARS_PARTS = 8, BARS_NAMES = 15 };

struct chart_rows;

/* A part of each bar, or of one word's bar. */
struct bars_part {
	/* A column, or a sum of columns and ones: "union_ns -exposed_ns", "1 -busy_ratio". */
	const char *key;
	const char *title;
	enum theme_color color;
};

/* One panel: a lying bar for each row. */
struct bars {
	const char *table; /* by its id */
	const char *name;  /* the column that says what a bar is called; NULL: its place */
	const char *why;   /* there is no row to draw */
	const char *axis;
	enum unit unit;
	/* The values, stacked, or is_beside each other.  key is NULL behind the last. */
	struct bars_part part[BARS_PARTS];

	const char *ask;    /* NULL: what the chart asks first */
	const char *rather; /* another table, drawn where it has rows; or NULL */
	struct span (*call)(struct chart *c, const struct chart_rows *r, size_t i); /* as `name` */

	/* Whose rows: BARS_NAMES of the first input that has any; */
	bool is_of_all;     /* of all inputs; */
	size_t most;        /* that many of them, 0: all; */
	const char *things; /* of all inputs, one for each of these: "devices", "streams"; of more
	                       than `most` those that differ */

	bool (*is_left_out)(const struct chart_rows *r, size_t i); /* rows that are no bar; or NULL
	                                                            */

	/* Drawn where a row has more than 0 in this column or sum; NULL: where there is a row. */
	const char *needs;
	const char *why_one; /* it is no use if only one row has; NULL: it is */
	/* It needs more than 0 in the first part; rows behind the last that has are left out. */
	bool is_trimmed;

	bool is_sorted;    /* the highest first part comes first; nested rows below their parents */
	const char *depth; /* the column that says how deep a row is nested, or NULL */
	bool is_beside;
	const char *of;                        /* the column they are divided by, or NULL */
	const char *lo, *hi, *box_lo, *box_hi; /* columns of whiskers and boxes, or NULL */
	/* Of several places a bar for each instead: the first part of its rows, stacked.  word:
	 * colours of rows that have one, by their names. */
	bool is_by_place;
	struct bars_part word[BARS_PARTS];

	const char *title; /* of the panel, or NULL */
	double at_least;   /* the axis goes up to this */
	bool is_bare;      /* no number at the end of each bar */
};

/* A column of row i, or columns and ones with their signs, from the left: as a part's key. */
double bars_sum(const struct chart_rows *r, size_t i, const char *key);

/* Adds the panel; else why there is none, NULL when there is one. */
const char *bars_draw(
	const struct answers *in, struct chart *c, const char *ask, const struct bars *b);

/* A panel of these rows.  The panel is c's. */
struct chart_panel *bars_panel(
	struct chart *c, enum panel_kind kind, const struct chart_rows *r, const struct bars *b);

/* ---- charts ---- */

enum { CHART_ASKS_MAX = 4, CHART_BARS_MAX = 2 };

struct chart_kind {
	const char *id;     /* the word after `traceq plot` */
	const char *title;  /* over the picture */
	const char *doc;    /* what it shows and how to read it */
	const char *source; /* whose chart it is */
	/* The analyses it draws, with options: "memory --points=4000"; NULL behind the last.  At
	 * least one of them has answered when it is drawn. */
	const char *ask[CHART_ASKS_MAX];
	/* The same for a page of its own, where what is small can be looked at; NULL: as above. */
	const char *page_ask[CHART_ASKS_MAX];
	/* And for such a page inside of a document; NULL: as by itself. */
	const char *inside_ask[CHART_ASKS_MAX];
	const char *answer; /* the analysis whose own answer is drawn so (-o x.svg), or NULL */
	/* Rows as bars, a panel each.  Those that cannot be drawn are left out.  is_either: one
	 * panel, of the first whose table has rows.  Or none, and `draw`. */
	struct bars bars[CHART_BARS_MAX];
	bool is_either;
	const char *note; /* a table of the first ask: the text of its first row is said, or NULL */
	/* Fills *out (initialised) from the answers, to the first of its asks first; false when
	 * they do not hold what it needs: chart_refuse has then said why. */
	bool (*draw)(const struct answers *in, struct chart *out, const char *ask);
};

#define CHARTS(X)             \
	X(step_time)          \
	X(step_ledger)        \
	X(step_breakdown)     \
	X(execution_summary)  \
	X(step_hist)          \
	X(temporal_breakdown) \
	X(overlap_regions)    \
	X(comm_comp_overlap)  \
	X(dist_overview)      \
	X(straggler)          \
	X(rank_ledger)        \
	X(rank_steps)         \
	X(rank_pairs)         \
	X(arrival_skew)       \
	X(dist_sync)          \
	X(a2a_heatmap)        \
	X(top_kernels)        \
	X(kernel_mean)        \
	X(kernel_type)        \
	X(kernel_durations)   \
	X(tensor_cores)       \
	X(roofline)           \
	X(critical_path)      \
	X(critical_data)      \
	X(critical_slack)     \
	X(critical_whatif)    \
	X(top_cpu_ops)        \
	X(top_device_ops)     \
	X(op_totals)          \
	X(top_memory_ops)     \
	X(copies)             \
	X(comms)              \
	X(idle_breakdown)     \
	X(idle_causes)        \
	X(stage_bar)          \
	X(stage_range)        \
	X(memory_curve)       \
	X(memory_categories)  \
	X(timeline)           \
	X(timeline_lanes)     \
	X(gpu_util)           \
	X(sm_eff)             \
	X(queue_length)       \
	X(memcpy_bw)          \
	X(launch_hist)        \
	X(flame)              \
	X(flame_chart)        \
	X(flame_sampled)      \
	X(flame_diff)         \
	X(metric_series)      \
	X(score_dist)         \
	X(mem_leak)           \
	X(batch_sweep)        \
	X(metrics_heatmap)    \
	X(smi)                \
	X(compare_step)       \
	X(compare_ops)        \
	X(history)

/* Of answers to what only their command is asked: no `traceq plot` has them. */
#define CHARTS_OF_ANSWERS(X) X(selected)

#define X(name)              extern const struct chart_kind chart_kind_##name;
CHARTS(X)
CHARTS_OF_ANSWERS(X)
#undef X

/* All charts in list order; *n receives how many. */
const struct chart_kind *const *chart_all(size_t *n);

/* What a chart asks that looks so (NULL: a picture): CHART_ASKS_MAX of them, NULL behind the last.
 */
const char *const *chart_asks(const struct chart_kind *kind, const struct chart_look *look);

/* The chart of that id, or NULL. */
const struct chart_kind *chart_find(const char *id);

/* The chart an analysis' own answer is drawn as, or NULL. */
const struct chart_kind *chart_of_answer(const char *analysis);

/* A chart of the field that is not drawn. */
struct chart_absent {
	const char *id, *title;
	const char *why; /* and what to look at instead */
};

/* All of them, in list order; *n receives how many. */
const struct chart_absent *chart_absent_all(size_t *n);

/* Draws: fills *out (not initialised), thins it and dots lone values.  look: borrowed texts; NULL:
 * as the chart has it.  false: *out holds only why not. */
bool chart_draw(const struct chart_kind *kind, const struct answers *in,
	const struct chart_look *look, struct chart *out);
