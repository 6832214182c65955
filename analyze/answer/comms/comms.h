/*
 * `comms`: what its parts share.  Private to analyze/answer/comms/.
 *
 * One sweep for each device, in the order of starts, groups collectives three times: by what they
 * are, by stream, and all of the device together; what computes hides them.
 */
#ifndef ANALYZE_ANSWER_COMMS_COMMS_H
#define ANALYZE_ANSWER_COMMS_COMMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/device/classes.h"
#include "analyze/measure/comm/commclass.h"
#include "analyze/measure/device/devices.h"
#include "analyze/measure/gaps/exposure.h"
#include "analyze/measure/window.h"
#include "analyze/analysis/perrun.h"
#include "analyze/trace/columns/keymap.h"
#include "base/opt.h"

struct comms_options {
	int64_t limit;
	const char *by;
};

#define COMMS_BYS(X) X(COMMS_BY_COLLECTIVE, "collective") X(COMMS_BY_KERNEL, "kernel")
enum comms_by { COMMS_BYS(OPT_ID) };

/* What makes a row.  No padding: it is compared as bytes. */
struct comms_key {
	int64_t bytes, ranks; /* ARG_UNKNOWN */
	sym dtype, group;     /* 0 unknown */
	sym kernel;           /* COMMS_BY_KERNEL, and where the dtype is known by it alone */
	uint32_t op;          /* enum comm_op */
};

struct comms_sum {
	nsec ns, min, max;
	nsec sized_ns; /* of those with bytes */
	nsec bus_ns;   /* of those with a bus bandwidth */
	int64_t calls;
	double bytes;      /* sum */
	comm_bus bus;      /* sum */
	struct span dtype; /* its text */
	sym kernel;        /* of the first */
};

struct comms_groups {
	struct exposure_groups of;
	struct comms_sum *sum; /* one for each key */
	size_t sum_cap;
};

/* A collective as the host records it. */
struct comms_host {
	nsec cpu_ns;
	int64_t calls;
};

struct comms {
	struct perrun *p;
	struct window window; /* with steps only */
	const struct comms_options *o;
	enum comms_by by;
	struct classes classes;
	struct comms_groups by_what;         /* of struct comms_key */
	struct comms_groups by_lane;         /* of uint32_t lane */
	struct comms_groups by_device;       /* of int64_t device */
	struct exposure_group *only_kernels; /* by device: hidden by computing kernels, no sets */
	size_t only_cap;
	struct keymap host_keys; /* of sym */
	struct comms_host *host;
	size_t host_cap;
	nsec device_sum; /* of all device work that passes the filters, names aside */
	int64_t without_args;
	struct devices devices;
};

/* comms_collect.c */
void comms_collect(struct comms *c);
void comms_clear(struct comms *c);

/* comms_tables.c */
void comms_put_devices(struct comms *c);
void comms_put_collectives(struct comms *c);
void comms_put_streams(struct comms *c);
void comms_put_host(struct comms *c);

#define TABLES_DEF "analyze/answer/comms/comms_tables.def"
#include "base/table_names_impl.h"

#endif
