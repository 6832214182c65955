/* What a line of a log may hold beside pairs: a dict as Python prints it,
 * "{'loss': 0.69, 'epoch': 0.1}", or a JSON object; options of a command line,
 * "--profiler-wait-steps 5". */
#pragma once

#include "analyze/input/artifact/logs/log_figures.h"
#include "base/base.h"

/* The numbers of the first dict in the line, which begins at *dict, and the pairs in front of it
 * where they say the step; false: there is no dict, or no number in it. */
bool log_dict_take(struct log_figures *g, struct span line, struct str *scratch, const char **dict);

/* The line has a dict of metrics. */
bool log_dict_is_metrics(struct span line);

/* The options of a line as configuration, the first of each key; false when there is none. */
bool log_flags_take(struct reading *in, struct span line, int64_t *n);

/* The line has an option of the documents' training programs. */
bool log_flags_is_known(struct span line);
