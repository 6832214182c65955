/* `comms`: what its parts share.  Private to analyze/answer/comms/.
 *
 * One sweep for each device, in the order of starts, groups collectives three times: by what they
 * are, by stream, and all of the device together; what computes hides them. */
#pragma once

#include "analyze/measure/comm/commclass.h"
#include "analyze/measure/gaps/exposure.h"
#include "analyze/measure/window.h"
#include "analyze/trace/columns/sheet.h"
#include "analyze/analysis/groupby.h"
#include "base/opt.h"

struct comms_options {
	int64_t limit;
	const char *by;
};

#define COMMS_BYS(X) X(COMMS_BY_COLLECTIVE, "collective") X(COMMS_BY_KERNEL, "kernel")
enum comms_by { COMMS_BYS(OPT_ID) };

/* What makes a group.  What does not is 0.  No padding: it is compared as bytes. */
struct comms_key {
	int64_t device;
	int64_t bytes, ranks;     /* ARG_UNKNOWN */
	sym dtype, process_group; /* 0 unknown */
	sym kernel;               /* COMMS_BY_KERNEL, and where the dtype is known by it alone */
	uint32_t op;              /* enum comm_op */
	uint32_t lane, zero;
};

struct comms_group {
	struct comms_key key;
	struct durations calls;
	nsec sized_ns;     /* of those with bytes */
	nsec bus_ns;       /* of those with a bus bandwidth */
	double bytes;      /* sum */
	comm_bus bus;      /* sum */
	struct span dtype; /* its text */
	sym kernel;        /* of the first */
	struct exposure_group x;
	struct exposure_group by_kernel; /* hidden by computing kernels, no sets */
};

/* A collective as the host records it. */
struct comms_host {
	sym name;
	struct durations calls;
};

enum comms_what { BY_WHAT, BY_LANE, BY_DEVICE, COMMS_WHATS };

struct comms {
	struct perrun *p;
	struct window window; /* with steps only */
	const struct comms_options *o;
	enum comms_by by;
	struct classes classes;
	struct groups groups[COMMS_WHATS];
	struct groups host;
	struct exposure exposure[COMMS_WHATS];
	struct exposure only_kernels; /* of BY_DEVICE */
	nsec device_sum;              /* of all device work that passes the filters, names aside */
	int64_t calls, without_args;
	struct devices devices;
};

#define TABLES_DEF "analyze/answer/comms/comms_tables.def"
#include "base/table_names_impl.h"

/* Without a trace: what a file says that was written by who measures communication alone. */
enum status comms_record(struct perrun *at, const struct comms_options *o);
