/* Summaries of metrics, raw metrics, score distributions and stages of JSON documents, as rows of
 * sheets and as series. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/input/text/json_text.h"

/* {"loss": {"count", "mean", "std", ...}, ...} as rows of a sheet. */
void metric_rows_summaries(struct reading *in, struct json_value summaries);

/* {"loss": [values], ...} or {"loss": {"values": [...], "timestamps": [{"time", "step"}, ...]}} as
 * series; lists of lists as samples. */
void metric_rows_raw(struct reading *in, struct json_value raw);

/* {"mean", "std", "p50", ...} of one metric as a row of a sheet; nothing when it is no object. */
void metric_rows_summary(struct reading *in, struct span name, struct json_value figures);

/* {"num_measurements", "mean_allocated_gb", "peak_allocated_gb", ...}: rows, prefix before names.
 */
void metric_rows_memory(struct reading *in, struct span prefix, struct json_value memory);

/* {"reward_mean", "reward_std", ...} of a distribution of rewards: a row. */
void metric_rows_rewards(struct reading *in, struct json_value distribution);

/* {"total", "invalid_count", "score_counts": {"0.5": n}, ...}: a sheet, and scalars under key. */
void metric_rows_scores(struct reading *in, struct span key, struct json_value distribution);

/* --- stages --- */

/* {"forward": [seconds, ...], ...} as series "stage_times.forward" and rows with count, total, mean
 * and extremes; averages ({"forward": seconds}, or type JSON_NONE) for stages without times. */
void stage_rows_times(struct reading *in, struct json_value times, struct json_value averages);

/* {"stage_times": {...}, "average_times": {...}}, both as above, or a list
 * [{"stage", "seconds", "peak_mem_bytes", "device"}, ...]. */
void stage_rows_any(struct reading *in, struct json_value v);
