/*
 * Dicts in lines of logs: "{'loss': 0.69, 'epoch': 0.1}" as Python prints them, and JSON objects.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_LOGS_LOG_DICT_H
#define ANALYZE_INPUT_ARTIFACT_LOGS_LOG_DICT_H

#include "analyze/input/artifact/logs/log_figures.h"
#include "base/str.h"

/* The numbers of the first dict in the line; false: there is none, or no number in it. */
bool log_dict_take(struct log_figures *g, struct span line, struct str *scratch);

/* The line has a dict of metrics. */
bool log_dict_is_metrics(struct span line);

#endif
