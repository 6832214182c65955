/* Kernels of profilers' tables: launches, or rows that are sums of some, become one row a name, in
 * a sheet of kernels and, with their times, in one of operations, for whoever asks about either. */
#pragma once

#include "analyze/input/artifact/tables/op_rows.h"
#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/trace/columns/strings.h"

/* Figures of a launch, in ns, ratios and bytes, some of which are parts of others. */
enum kernel_figure {
	KERNEL_NS,
	KERNEL_OCCUPANCY, /* from here on shares of time */
	KERNEL_THEORETICAL,
	KERNEL_SM,
	KERNEL_MEMORY,
	KERNEL_DRAM,
	KERNEL_BYTES, /* to and from device memory */
	KERNEL_BYTES_READ,
	KERNEL_BYTES_WRITTEN,
	KERNEL_BYTES_PER_S,
	KERNEL_REGISTERS, /* of a thread */
	KERNEL_SHARED,    /* bytes of a block */
	KERNEL_SHARED_STATIC,
	KERNEL_SHARED_DYNAMIC,
	KERNEL_FIGURES
};

struct kernel_launch {
	double v[KERNEL_FIGURES]; /* NaN: not known, as below */
	double calls;             /* launches it stands for, of which all else is the mean */
	double min_ns, max_ns;    /* of several launches */
	struct span grid, block;  /* "128,1,1"; "": not known */
};

/* A row that sums up launches by itself, times in ns; NaN: not known. */
struct kernel_sum {
	double calls, total, median, min, max, std;
};

struct kernel_name;

struct kernel_rows {
	struct reading *in;
	struct sheet *sheet;
	struct op_rows ops;
	struct strings names;
	struct kernel_name *name; /* by row of the sheet */
	size_t nname, cap;
	int64_t launches;
};

void kernel_rows_open(struct kernel_rows *k, struct reading *in);

/* A launch with nothing known of it. */
struct kernel_launch kernel_launch_new(void);

/* Adds a launch of that name; of what is there in parts only, their sum. */
void kernel_rows_launch(struct kernel_rows *k, struct span name, const struct kernel_launch *l);

/* Adds a row of sums; a name's second row is added to its first, which then has no median. */
void kernel_rows_sum(struct kernel_rows *k, struct span name, const struct kernel_sum *s);

/* Adds device work that is no kernel, a copy or a set, to the operations alone. */
void kernel_rows_other(struct kernel_rows *k, struct span name, double calls, double ns);

/* Writes the cells that are means, and releases the tables of words. */
void kernel_rows_close(struct kernel_rows *k);
