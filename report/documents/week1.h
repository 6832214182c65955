/* What the sections about a results folder share: values by the keys of the week-1 documents. */
#pragma once

#include "report/page/section/section.h"

extern const char ask_batch[];

/* The value of a key of baseline_metrics.json and its like, as a number; NaN: nobody says it. */
double week1_number(const struct answers *in, const char *key);

/* The same as it is written; "" when nobody says it. */
struct span week1_word(const struct answers *in, const char *key);
const char *week1_text(const struct answers *in, struct page *d, const char *key);

/* The one row of answers about the sweep, and the table of its sizes; NULL without a sweep. */
const struct table *week1_answer(const struct answers *in);
const struct table *week1_sizes(const struct answers *in);

/* The row of that batch size; false when it was not measured. */
bool week1_size(const struct table *sizes, double batch, size_t *row);

/* The size of the model's file, and of the model in the GPU's memory, with where that is from;
 * NULL: nobody says it. */
const char *week1_on_disk(const struct answers *in, struct page *d);
/* Why what the sweep's peaks say of it cannot be: smaller than the weights; NULL: nothing. */
const char *week1_gpu_doubt(const struct answers *in, struct page *d);
const char *week1_on_gpu(const struct answers *in, struct page *d);

/* section_work.c, without a trace: the heaviest operations or functions, "1. aten::mm, 60.2%;
 * ...", and where they are from; what they are bound by, *passes: the share that only passes over
 * memory. NULL: nothing says it. */
const char *week1_heaviest(
	const struct answers *in, struct page *d, size_t most, const char **from);
const char *week1_bound(const struct answers *in, struct page *d, double *passes);

/* The same of a trace: its top bottlenecks; "" without one. */
const char *week1_bottlenecks(const struct answers *in, struct page *d);

/* How busy the GPU was, and who says so; NaN: nobody. */
double week1_busy(const struct answers *in, const char **from);

/* "12.34" and "1,234.56": fixed decimals, with commas for thousands when asked. */
const char *week1_fixed(struct arena *mem, double v, int decimals, bool commas);
