/* Measurements by batch size: aggregated rows, and raw ones, which are aggregated here. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/input/text/json_text.h"

/* The column a heading or key means and the unit of its values ("latency_per_sample_std" is
 * seconds); false for others. */
struct sweep_heading {
	size_t col;
	enum measure measure;
};
bool sweep_rows_heading(struct span heading, struct sweep_heading *h);

/* The same for a raw measurement ("latency_per_sample"): metric is one of enum sweep_metric,
 * SWEEP_METRICS for batch_size and SWEEP_METRICS + 1 for num_samples. */
bool sweep_rows_raw_heading(struct span heading, unsigned *metric, enum measure *measure);

/* A list of objects with aggregated members as rows of a sheet. */
void sweep_rows_list(struct reading *in, struct json_value list);

/* Raw measurements of one batch size, gathered. */
struct sweep_raw;
struct sweep_raw *sweep_raw_new(struct reading *in);
/* A measurement: value[metric] as sweep_rows_raw_heading numbers them, NaN where absent. */
void sweep_raw_add(struct sweep_raw *r, const double *value);
/* Adds a sheet with one row a batch size, in ascending order, and releases r. */
void sweep_raw_end(struct sweep_raw *r);

/* A latency times its rate is 1 in seconds, 1000 in ms.  Latencies that are in ms by every row are
 * divided by 1000, those by some rows only are left.  A note says so in both cases. */
void sweep_units_mend(struct reading *in, struct sheet *s);
