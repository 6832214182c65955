/*
 * Stages of JSON documents as rows of a sheet, and their times as series.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_TABLES_STAGE_ROWS_H
#define ANALYZE_INPUT_ARTIFACT_TABLES_STAGE_ROWS_H

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/input/text/json_text.h"

/*
 * {"forward": [seconds, ...], ...} as series "stage_times.forward" and rows with count, total, mean
 * and extremes; averages ({"forward": seconds}, or type JSON_NONE) for stages without times.
 */
void stage_rows_times(struct reading *in, struct json_value times, struct json_value averages);

/*
 * {"stage_times": {...}, "average_times": {...}}, both as above, or a list
 * [{"stage", "seconds", "peak_mem_bytes", "device"}, ...].
 */
void stage_rows_any(struct reading *in, struct json_value v);

#endif
