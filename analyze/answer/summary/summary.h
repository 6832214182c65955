/* `summary`: what its parts share.  Private to analyze/answer/summary/.
 *
 * Two scopes.  Figures of steps: those of the window (measure/window.h); of host rows what starts
 * in its steps, of device work what was launched in them, of ledgers what runs in them.  Totals,
 * which torch and the documents know: the whole trace, or what --steps takes of it. */
#pragma once

#include "analyze/measure/device/copyclass.h"
#include "analyze/measure/device/occupancy.h"
#include "analyze/measure/verdict.h"
#include "analyze/analysis/perrun.h"

struct summary_options {
	int64_t limit; /* bottlenecks; below 0: three for people */
};

/* One device, besides its ledger. */
struct summary_device {
	struct occupancy occupancy; /* of kernels launched in the steps */
	double sm_efficiency;       /* over the steps; NaN */
	int64_t streams;            /* with work, in the whole trace */
};

/* Sums by name. */
struct summary_names {
	nsec *device;       /* by sym: durations of device work of that name */
	nsec *in_steps;     /* by sym: the same of what was launched in the steps */
	nsec *op;           /* by sym: of the device work that ops of that name launched */
	nsec *annotation;   /* by sym: of annotations on the device's timeline */
	uint8_t *cls;       /* by sym: enum devclass of the device work */
	uint8_t *copy;      /* by sym: enum copy_direction of copies, enum copy_kernel of kernels */
	uint32_t *launches; /* by sym: calls that launched device work, in the steps */
	uint32_t *launched; /* by sym: what they launched */
	nsec *call;         /* by sym: durations of those calls */
};

/* Where time goes, as four classes.  X(NAME, word) */
#define BOUNDS(X)             \
	X(COMPUTE, "compute") \
	X(MEMORY, "memory")   \
	X(IO, "I/O")          \
	X(CPU, "CPU")

enum bound {
#define X(name, word) BOUND_##name,
	BOUNDS(X)
#undef X
		BOUND_COUNT
};

/* One run being looked at. */
struct summary {
	struct perrun *at;
	const struct summary_options *o;
	struct window window;
	struct filter_view inside; /* the query's, its steps only those of the window */
	struct verdict verdict;
	struct classes classes;
	struct ledgers ledgers;
	bool has_host;                 /* rows of the op tree */
	struct summary_device *device; /* by index in ledgers */
	struct summary_names names;

	/* Totals. */
	nsec device_sum; /* durations of all device work */
	nsec class_sum[CLASS_COUNT];
	nsec copy_sum[COPY_DIRECTION_COUNT];           /* of class memcpy */
	nsec copy_kernel_sum[COPY_KERNEL_UNCLEAR + 1]; /* of class compute */
	nsec annotation_sum;                           /* of annotations on the device's timeline */
	nsec cpu_self;                /* self CPU times: torch's "Self CPU time total" */
	nsec cpu_total, device_total; /* of all rows after torch's dedup, nested ones too */

	/* Of the steps. */
	int64_t class_count[CLASS_COUNT];
	int64_t launches, graph_launches, unlinked;
	nsec phase_cpu[PHASE_COUNT];    /* self CPU times */
	nsec phase_device[PHASE_COUNT]; /* of the device work their ops launched */

	double bound[BOUND_COUNT]; /* of the window less unrecorded time, on the verdict's device;
	                              NaN where it cannot be said */
	int primary;               /* enum bound, or -1 */
};

#define TABLES_DEF "analyze/answer/summary/summary_tables.def"
#include "base/table_names_impl.h"

/* summary_device.c: one pass over the device rows; `device`, `names`, sums by class. */
void summary_collect_device(struct summary *s);
/* One walk over the op tree; phases and totals.  After summary_collect_device. */
void summary_collect_host(struct summary *s);
/* summary_bound.c: bound, primary; and the table of bottlenecks. */
void summary_judge(struct summary *s);
void summary_bottleneck_table(struct summary *s);

/* The part of the window in which kernels run, mean of the devices; NaN without any. */
double summary_kernels(const struct summary *s);
/* summary_overview.c: the list people see first; allocators. */
void summary_overview_table(struct summary *s);
/* summary_tables.c */
void summary_device_tables(struct summary *s);
void summary_phase_table(struct summary *s);
void summary_launch_table(struct summary *s);
void summary_ratio_tables(struct summary *s);

/* "compute", "memory", "I/O", "CPU"; constant. */
const char *summary_bound_word(enum bound b);
