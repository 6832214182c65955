/* Samples of GPUs from monitors of any make, under the names that nvidia-smi has for them: series
 * of "utilization.gpu", "power.draw", ... in a group for each GPU. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "base/base.h"

enum { SMI_ROWS_GPUS = 1024, SMI_ROWS_GROUP = 128 };

/* What monitors call a figure, what it is called here, and its unit where the file says none. */
struct smi_word {
	const char *words; /* with bars between, in any case */
	const char *name;  /* NULL: of no interest */
	enum measure measure;
};

/* Zeroed but for in; is_of_others may be set. */
struct smi_rows {
	struct reading *in;
	struct sheet *gpus;
	struct span gpu[SMI_ROWS_GPUS]; /* by row of the sheet: its group */
	int64_t count[SMI_ROWS_GPUS];   /* rows so far */
	size_t ngpu;
	bool is_of_others;          /* rows are of processes, say, which are no GPUs to list */
	char group[SMI_ROWS_GROUP]; /* of the row at hand */
	double x;
	bool has_time;
	int64_t rows;
};

#define SMI_ALIEN "line{ is|s are} not like the others, passed over"
#define SMI_NONE  "no sample in it: a heading only"

/* A row begins: of the GPU of that name ("0", a UUID, whatever tells it apart), at that time in
 * seconds; NaN: the file says none, and the row is as many behind the GPU's first as there were.
 * False: there are too many GPUs. */
bool smi_rows_begin(struct smi_rows *r, struct span gpu, double time) MUST_CHECK;

/* What the GPU at hand is; texts may be empty. */
void smi_rows_describe(struct smi_rows *r, struct span name, struct span uuid);

/* A figure of the row; NaN: the monitor says that there is none. */
void smi_rows_put(struct smi_rows *r, struct span name, enum measure m, double value);

/* The same of a row that is a single figure: without a time it is one more of its series. */
void smi_rows_put_next(struct smi_rows *r, struct span name, enum measure m, double value);

/* A time as tools and their users write it, in seconds: a date as iso_time reads it, "03-11-2026
 * 15:13:16" with the month or, beyond 12, the day in front, seconds or milliseconds since 1970, or
 * a time of day by itself, in the day of 1970-01-01 or, past midnight, the next: *last is the time
 * before, NaN at first. */
bool smi_time(struct span text, double *last, double *time);

/* The row that has that spelling, or NULL; there are n of them, or fewer with an empty one behind.
 */
const struct smi_word *smi_word_find(const struct smi_word *rows, size_t n, struct span spelling);
#define SMI_WORD(rows, spelling) smi_word_find((rows), COUNT_OF(rows), (spelling))

/* A cell as monitors write it: "98", "98%", "43.0c", "(1700Mhz)", "39\xc2\xb0C".  *m is the unit
 * it names, or stays; *v is NaN for "N/A", "-" and the like.  False: it is no number at all. */
bool smi_cell(struct span cell, double *v, enum measure *m);
