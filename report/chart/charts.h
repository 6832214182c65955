/*
 * The catalogue of charts.  A chart is one constant struct and one line in CHARTS; `traceq plot`
 * lists, draws and explains it by that.
 */
#ifndef REPORT_CHART_CHARTS_H
#define REPORT_CHART_CHARTS_H

#include "report/answers.h"
#include "report/chart/bars.h"
#include "report/chart/chart.h"

enum { CHART_ASKS_MAX = 2, CHART_BARS_MAX = 2 };

struct chart_kind {
	const char *id;     /* the word after `traceq plot` */
	const char *title;  /* over the picture */
	const char *doc;    /* what it shows and how to read it */
	const char *source; /* whose chart it is */
	/*
	 * The analyses it draws, with options: "memory --points=4000"; NULL behind the last.  At
	 * least one of them has answered when it is drawn.
	 */
	const char *ask[CHART_ASKS_MAX];
	const char *answer; /* the analysis whose own answer is drawn so (-o x.svg), or NULL */
	/* Rows as bars, a panel each; those that cannot be drawn are left out.  Or none, and: */
	struct bars bars[CHART_BARS_MAX];
	/*
	 * Fills *out (initialised) from the answers; false when they do not hold what it needs:
	 * chart_refuse has then said why.
	 */
	bool (*draw)(const struct answers *in, struct chart *out);
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
	X(metric_series)      \
	X(score_dist)         \
	X(mem_leak)           \
	X(batch_sweep)        \
	X(metrics_heatmap)    \
	X(smi)                \
	X(compare_step)       \
	X(compare_ops)        \
	X(history)

#define X(name) extern const struct chart_kind chart_kind_##name;
CHARTS(X)
#undef X

/* All charts in list order; *n receives how many. */
const struct chart_kind *const *chart_all(size_t *n);

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

/*
 * Draws: fills *out (not initialised), thins it and dots lone values.  look: borrowed texts; NULL:
 * as the chart has it.  false: *out holds only why not.
 */
bool chart_draw(const struct chart_kind *kind, const struct answers *in,
	const struct chart_look *look, struct chart *out);

#endif
