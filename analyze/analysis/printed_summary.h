/*
 * What rldk prints of a profiler's folder: its summary, and the lists that others of its scripts
 * print, too.
 */
#ifndef ANALYZE_ANALYSIS_PRINTED_SUMMARY_H
#define ANALYZE_ANALYSIS_PRINTED_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

struct record;
struct table;

/* "PROFILER REPORT SUMMARY"; n: how many of the four artifacts there are. */
void printed_summary(
	struct table *t, const struct record *r, const char *folder, size_t n, bool has_trace);

/* "PREFIXforward: 0.0120s", a line a stage of a table of stages; stages may be NULL. */
void printed_stages(struct table *t, const struct table *stages, const char *prefix);

/* "INDENT1. aten::mm: 12.5us" of the five with most CPU time; ops may be NULL. */
void printed_top_ops(struct table *t, const struct table *ops, const char *indent);

#endif
