/*
 * What documents about a profiler's artifacts share: the folders of the documents' training loop.
 */
#ifndef REPORT_PAGE_SECTION_SECTION_PROFILER_H
#define REPORT_PAGE_SECTION_SECTION_PROFILER_H

#include "report/page/section/section.h"

/* Whether the run has any artifact of that profiler. */
bool profiler_is_there(const struct answers *in);

/* How many of its four artifacts there are; *has_trace: trace.json in the folder itself. */
size_t profiler_artifacts(const struct answers *in, bool *has_trace);

/* Peak bytes of "cuda" or "cpu", as its statistics say; NaN: they do not. */
double profiler_peak(const struct answers *in, const char *device);

/* The value of a key, else of another; NaN: nobody says either. */
double profiler_number(const struct answers *in, const char *key, const char *or_key);

/* Rows of its table of operations, one an event; NaN: there is none. */
double profiler_operations(const struct answers *in);

/* What the run's files say in the layouts of the documents they are of; nothing of other files. */
void layouts_seed(const struct answers *in, struct page *d);

#endif
