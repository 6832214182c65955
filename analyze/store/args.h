/*
 * Side tables: what only some kinds of events carry, typed, one table per family of kinds.
 *
 * A new argument is one row in ARGS.  A column is stored only when the load asked for its group
 * (enum need); otherwise its array is NULL and the scanner skips the text.  Absent values hold the
 * type's "unknown" below, never 0.
 */
#ifndef ANALYZE_STORE_ARGS_H
#define ANALYZE_STORE_ARGS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/store/kinds.h"
#include "analyze/store/strings.h"

/* What an analysis needs loaded or built; `load` takes the union. */
enum need {
	NEED_LINKS = 1 << 0,    /* correlation and External id; run.links */
	NEED_ORDER = 1 << 1,    /* run.order */
	NEED_STEPS = 1 << 2,    /* run.steps */
	NEED_SHAPES = 1 << 3,   /* Input Dims, Input type, strides, concrete inputs */
	NEED_KERNEL = 1 << 4,   /* grid, block, registers, occupancy ... */
	NEED_BYTES = 1 << 5,    /* bytes of copies and sets */
	NEED_MEMORY = 1 << 6,   /* [memory] instants */
	NEED_PYTHON = 1 << 7,   /* python_function events and their ids */
	NEED_COMM = 1 << 8,     /* collective arguments */
	NEED_AUTOGRAD = 1 << 9, /* sequence number, forward thread */
	NEED_STACKS = 1 << 10,  /* Call stack, Module Hierarchy */
	NEED_SYNC = 1 << 11     /* cuda_sync arguments */
};

enum args_table {
	ARGS_NONE,
	ARGS_OP,     /* KIND_OP, KIND_ANNOTATION, KIND_OTHER, KIND_PYTHON */
	ARGS_LAUNCH, /* KIND_RUNTIME */
	ARGS_DEVICE, /* KIND_KERNEL, KIND_MEMCPY, KIND_MEMSET, KIND_SYNC, KIND_GPU_ANNOTATION */
	ARGS_MEMORY, /* KIND_MEMORY */
	ARGS_TABLE_COUNT
};

enum arg_type {
	ARG_ID,  /* uint32_t: small id, or 0x80000000 | index into run.wide_ids; 0 = none */
	ARG_I64, /* int64_t; ARG_UNKNOWN = none */
	ARG_F64, /* double; NaN = none */
	ARG_SYM, /* sym of the text (for arrays and objects: their JSON text); 0 = none */
	ARG_VEC3 /* uint32_t[3]; 0,0,0 = none */
};
#define ARG_UNKNOWN INT64_MIN

/* X(NAME, key in the trace's args, table, type, need) */
#define ARGS(X)                                                                            \
	X(OP_EXTERNAL_ID, "External id", OP, ID, LINKS)                                    \
	X(OP_SEQUENCE, "Sequence number", OP, I64, AUTOGRAD)                               \
	X(OP_FWD_THREAD, "Fwd thread id", OP, I64, AUTOGRAD)                               \
	X(OP_DIMS, "Input Dims", OP, SYM, SHAPES)                                          \
	X(OP_TYPES, "Input type", OP, SYM, SHAPES)                                         \
	X(OP_STRIDES, "Input Strides", OP, SYM, SHAPES)                                    \
	X(OP_CONCRETE, "Concrete Inputs", OP, SYM, SHAPES)                                 \
	X(OP_STACK, "Call stack", OP, SYM, STACKS)                                         \
	X(OP_MODULES, "Module Hierarchy", OP, SYM, STACKS)                                 \
	X(OP_PYTHON_ID, "Python id", OP, I64, PYTHON)                                      \
	X(OP_PYTHON_PARENT, "Python parent id", OP, I64, PYTHON)                           \
	X(OP_PYTHON_MODULE, "Python module id", OP, I64, PYTHON)                           \
	X(OP_COLLECTIVE, "Collective name", OP, SYM, COMM)                                 \
	X(OP_DTYPE, "dtype", OP, SYM, COMM)                                                \
	X(OP_IN_ELEMENTS, "In msg nelems", OP, I64, COMM)                                  \
	X(OP_OUT_ELEMENTS, "Out msg nelems", OP, I64, COMM)                                \
	X(OP_GROUP_SIZE, "Group size", OP, I64, COMM)                                      \
	X(OP_GROUP_NAME, "Process Group Name", OP, SYM, COMM)                              \
	X(LAUNCH_CORRELATION, "correlation", LAUNCH, ID, LINKS)                            \
	X(LAUNCH_EXTERNAL_ID, "External id", LAUNCH, ID, LINKS)                            \
	X(DEVICE_CORRELATION, "correlation", DEVICE, ID, LINKS)                            \
	X(DEVICE_EXTERNAL_ID, "External id", DEVICE, ID, LINKS)                            \
	X(DEVICE_BYTES, "bytes", DEVICE, I64, BYTES)                                       \
	X(DEVICE_BANDWIDTH, "memory bandwidth (GB/s)", DEVICE, F64, KERNEL)                \
	X(DEVICE_GRID, "grid", DEVICE, VEC3, KERNEL)                                       \
	X(DEVICE_BLOCK, "block", DEVICE, VEC3, KERNEL)                                     \
	X(DEVICE_REGISTERS, "registers per thread", DEVICE, I64, KERNEL)                   \
	X(DEVICE_SHARED, "shared memory", DEVICE, I64, KERNEL)                             \
	X(DEVICE_BLOCKS_PER_SM, "blocks per SM", DEVICE, F64, KERNEL)                      \
	X(DEVICE_WARPS_PER_SM, "warps per SM", DEVICE, F64, KERNEL)                        \
	X(DEVICE_OCCUPANCY, "est. achieved occupancy %", DEVICE, F64, KERNEL)              \
	X(DEVICE_GRAPH, "graph id", DEVICE, I64, KERNEL)                                   \
	X(DEVICE_GRAPH_NODE, "graph node id", DEVICE, I64, KERNEL)                         \
	X(DEVICE_COLLECTIVE, "Collective name", DEVICE, SYM, COMM)                         \
	X(DEVICE_DTYPE, "dtype", DEVICE, SYM, COMM)                                        \
	X(DEVICE_IN_ELEMENTS, "In msg nelems", DEVICE, I64, COMM)                          \
	X(DEVICE_OUT_ELEMENTS, "Out msg nelems", DEVICE, I64, COMM)                        \
	X(DEVICE_GROUP_SIZE, "Group size", DEVICE, I64, COMM)                              \
	X(DEVICE_GROUP_NAME, "Process Group Name", DEVICE, SYM, COMM)                      \
	X(DEVICE_SYNC_KIND, "cuda_sync_kind", DEVICE, SYM, SYNC)                           \
	X(DEVICE_WAIT_STREAM, "wait_on_stream", DEVICE, I64, SYNC)                         \
	X(DEVICE_WAIT_CORRELATION, "wait_on_cuda_event_record_corr_id", DEVICE, I64, SYNC) \
	X(MEMORY_ADDRESS, "Addr", MEMORY, I64, MEMORY)                                     \
	X(MEMORY_BYTES, "Bytes", MEMORY, I64, MEMORY)                                      \
	X(MEMORY_DEVICE_TYPE, "Device Type", MEMORY, I64, MEMORY)                          \
	X(MEMORY_DEVICE, "Device Id", MEMORY, I64, MEMORY)                                 \
	X(MEMORY_ALLOCATED, "Total Allocated", MEMORY, I64, MEMORY)                        \
	X(MEMORY_RESERVED, "Total Reserved", MEMORY, I64, MEMORY)

/* X(NAME, another spelling of its key): 2021 Kineto, MTIA */
#define ARG_ALIASES(X)                       \
	X(OP_EXTERNAL_ID, "external id")     \
	X(OP_DIMS, "Input dims")             \
	X(LAUNCH_EXTERNAL_ID, "external id") \
	X(DEVICE_EXTERNAL_ID, "external id") \
	X(DEVICE_BYTES, "size")

enum arg {
#define X(name, key, table, type, need) ARG_##name,
	ARGS(X)
#undef X
		ARG_COUNT
};

struct arg_info {
	const char *key;
	enum args_table table;
	enum arg_type type;
	unsigned need;
};
extern const struct arg_info arg_infos[ARG_COUNT];

/* The other spelling of an argument's key, or NULL. */
const char *arg_alias(enum arg arg);

/* One column of a side table, as its type says; NULL when it was not asked for. */
union arg_column {
	void *any;
	uint32_t *id;
	int64_t *i64;
	double *f64;
	sym *sym;
	uint32_t (*vec3)[3];
};

struct args {
	size_t n[ARGS_TABLE_COUNT], cap[ARGS_TABLE_COUNT];
	union arg_column col[ARG_COUNT];
	unsigned needs; /* columns are kept for these */
};

/* The side table of a kind, or ARGS_NONE. */
enum args_table args_table_of(enum kind k);

/* Bytes of one value of that type. */
size_t arg_size(enum arg_type type);

void args_init(struct args *a, unsigned needs);
void args_clear(struct args *a);

/* True when columns of that argument are kept. */
bool args_keeps(const struct args *a, enum arg arg);

/* Room for `more` rows in a table; kept columns are then writable up to n + more. */
void args_reserve(struct args *a, enum args_table t, size_t more);

/* Makes the value of a kept argument in an existing row unknown. */
void args_unknown(struct args *a, enum arg arg, size_t row);

/* A new row in table t with every kept column unknown; returns 1 + its index (0 is "no row"). */
uint32_t args_row(struct args *a, enum args_table t);

#endif
