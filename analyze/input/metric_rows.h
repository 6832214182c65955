/*
 * Summaries of metrics, raw metrics and score distributions of JSON documents.
 */
#ifndef ANALYZE_INPUT_METRIC_ROWS_H
#define ANALYZE_INPUT_METRIC_ROWS_H

#include "analyze/input/json.h"
#include "analyze/input/reading.h"

/* {"loss": {"count", "mean", "std", ...}, ...} as rows of a sheet. */
void metric_rows_summaries(struct reading *in, struct json_value summaries);

/*
 * {"loss": [values], ...} or {"loss": {"values": [...], "timestamps": [{"time", "step"}, ...]}} as
 * series; lists of lists as samples.
 */
void metric_rows_raw(struct reading *in, struct json_value raw);

/* {"total", "invalid_count", "score_counts": {"0.5": n}, ...}: a sheet, and scalars under key. */
void metric_rows_scores(struct reading *in, struct span key, struct json_value distribution);

#endif
