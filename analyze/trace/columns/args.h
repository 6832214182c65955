/*
 * Side tables: what only some kinds of events carry, typed, one table per family of kinds.
 *
 * A new argument is one row in ARGS.  A column is stored only when the load asked for its group
 * (enum need); otherwise its array is NULL and the scanner skips the text.  Absent values hold the
 * type's "unknown" below, never 0.
 *
 * Arguments that come together and repeat (the launch configuration of a kernel, the message of a
 * collective) are a set: each distinct combination is stored once, and a row has its number only.
 */
#pragma once

#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/kinds.h"
#include "analyze/trace/columns/strings.h"

/* What an analysis needs loaded or built; `load` takes the union. */
enum need {
	NEED_LINKS = 1 << 0,    /* correlation and External id; run.links */
	NEED_ORDER = 1 << 1,    /* run.order */
	NEED_STEPS = 1 << 2,    /* run.steps */
	NEED_SHAPES = 1 << 3,   /* Input Dims */
	NEED_KERNEL = 1 << 4,   /* grid, block, registers, occupancy ... */
	NEED_BYTES = 1 << 5,    /* bytes of copies and sets */
	NEED_MEMORY = 1 << 6,   /* [memory] instants */
	NEED_PYTHON = 1 << 7,   /* python_function events and their ids */
	NEED_COMM = 1 << 8,     /* collective arguments */
	NEED_AUTOGRAD = 1 << 9, /* sequence number, forward thread */
	NEED_STACKS = 1 << 10,  /* Call stack, Module Hierarchy */
	NEED_SYNC = 1 << 11,    /* cuda_sync arguments */
	NEED_INPUTS = 1 << 12,  /* strides and concrete inputs */
	NEED_TYPES = 1 << 13,   /* Input type */
	NEED_CALLS = 1 << 14,   /* run.calls */
	NEED_FLOPS = 1 << 15,   /* floating point operations; dropped when the file is read that has
	                           none */
	NEED_PEERS = 1 << 16,   /* who a collective meets: ranks, sequence numbers, split sizes */
	NEED_GRAPHS = 1 << 17,  /* what launches launch, which node of a graph a kernel is */
	NEED_SAMPLES = 1 << 18, /* counters of NVML, which become series of the record */
	NEED_CALL_IDS = 1 << 19, /* numbers of calls in their process, as execution traces have them
	                          */
	NEED_FUNCTIONS = 1 << 20 /* python_function events of FUNCTION_MIN_NS or more, without ids:
	                            what gaps are named by (analyze/measure/host/pyframes.h) */
};

/* Shorter Python functions explain no gap, and are most of a recording with stacks. */
#define FUNCTION_MIN_NS 10000

enum args_table {
	ARGS_NONE,
	ARGS_OP,      /* KIND_OP, KIND_ANNOTATION, KIND_OTHER */
	ARGS_PYTHON,  /* KIND_PYTHON */
	ARGS_LAUNCH,  /* KIND_RUNTIME */
	ARGS_DEVICE,  /* KIND_KERNEL, KIND_MEMCPY, KIND_MEMSET, KIND_SYNC, KIND_GPU_ANNOTATION */
	ARGS_MEMORY,  /* KIND_MEMORY */
	ARGS_COUNTER, /* KIND_COUNTER */
	ARGS_TABLE_COUNT
};

enum args_set {
	SET_NONE,   /* a value for each row */
	SET_KERNEL, /* grid, block, registers ... */
	SET_OP_COMM,
	SET_OP_STACK, /* Call stack, Module Hierarchy */
	SET_OP_CALL,  /* what an operator is called with */
	SET_DEVICE_COMM,
	SET_OP_PEERS,
	SET_DEVICE_PEERS,
	SET_COUNT
};

enum arg_type {
	ARG_ID,  /* uint32_t: small id, or 0x80000000 | index into run.wide_ids; 0 = none */
	ARG_I64, /* int64_t; ARG_UNKNOWN = none */
	ARG_F64, /* double; NaN = none */
	ARG_SYM, /* sym of the text (for arrays and objects: their JSON text); 0 = none */
	ARG_VEC3 /* uint32_t[3]; 0,0,0 = none */
};
#define ARG_UNKNOWN INT64_MIN

/* c10::DeviceType of the host, as ARG_MEMORY_DEVICE_TYPE has it.  Others are devices. */
enum { DEVICE_TYPE_CPU = 0 };

/* X(NAME, key in the trace's args, table, type, need); a key has no digit in it */
#define ARGS(X)                                                                            \
	X(OP_EXTERNAL_ID, "External id", OP, ID, LINKS)                                    \
	X(OP_SEQUENCE, "Sequence number", OP, I64, AUTOGRAD)                               \
	X(OP_FWD_THREAD, "Fwd thread id", OP, I64, AUTOGRAD)                               \
	X(OP_DIMS, "Input Dims", OP, SYM, SHAPES)                                          \
	X(OP_TYPES, "Input type", OP, SYM, TYPES)                                          \
	X(OP_STRIDES, "Input Strides", OP, SYM, INPUTS)                                    \
	X(OP_CONCRETE, "Concrete Inputs", OP, SYM, INPUTS)                                 \
	X(OP_STACK, "Call stack", OP, SYM, STACKS)                                         \
	X(OP_MODULES, "Module Hierarchy", OP, SYM, STACKS)                                 \
	X(PYTHON_ID, "Python id", PYTHON, ID, PYTHON)                                      \
	X(PYTHON_PARENT, "Python parent id", PYTHON, ID, PYTHON)                           \
	X(OP_COLLECTIVE, "Collective name", OP, SYM, COMM)                                 \
	X(OP_DTYPE, "dtype", OP, SYM, COMM)                                                \
	X(OP_IN_ELEMENTS, "In msg nelems", OP, I64, COMM)                                  \
	X(OP_OUT_ELEMENTS, "Out msg nelems", OP, I64, COMM)                                \
	X(OP_GROUP_SIZE, "Group size", OP, I64, COMM)                                      \
	X(OP_GROUP_NAME, "Process Group Name", OP, SYM, COMM)                              \
	X(OP_SEQ, "Seq", OP, I64, PEERS)                                                   \
	X(OP_GROUP_DESC, "Process Group Description", OP, SYM, PEERS)                      \
	X(OP_GROUP_RANKS, "Process Group Ranks", OP, SYM, PEERS)                           \
	X(OP_IN_SPLIT, "In split size", OP, SYM, PEERS)                                    \
	X(OP_OUT_SPLIT, "Out split size", OP, SYM, PEERS)                                  \
	X(OP_SOURCE, "Src Rank", OP, I64, PEERS)                                           \
	X(OP_DESTINATION, "Dst Rank", OP, I64, PEERS)                                      \
	X(OP_COPY, "memcpy_details", OP, SYM, BYTES)                                       \
	X(OP_FLOPS, "flops", OP, F64, FLOPS)                                               \
	X(OP_CALL_ID, "Record function id", OP, I64, CALL_IDS)                             \
	X(LAUNCH_CORRELATION, "correlation", LAUNCH, ID, LINKS)                            \
	X(LAUNCH_EXTERNAL_ID, "External id", LAUNCH, ID, LINKS)                            \
	X(LAUNCH_KERNEL, "kernel", LAUNCH, SYM, GRAPHS)                                    \
	X(DEVICE_CORRELATION, "correlation", DEVICE, ID, LINKS)                            \
	X(DEVICE_EXTERNAL_ID, "External id", DEVICE, ID, LINKS)                            \
	X(DEVICE_BYTES, "bytes", DEVICE, I64, BYTES)                                       \
	X(DEVICE_COPY, "memcpy_details", DEVICE, SYM, BYTES)                               \
	X(DEVICE_GRID, "grid", DEVICE, VEC3, KERNEL)                                       \
	X(DEVICE_BLOCK, "block", DEVICE, VEC3, KERNEL)                                     \
	X(DEVICE_REGISTERS, "registers per thread", DEVICE, I64, KERNEL)                   \
	X(DEVICE_SHARED, "shared memory", DEVICE, I64, KERNEL)                             \
	X(DEVICE_BLOCKS_PER_SM, "blocks per SM", DEVICE, F64, KERNEL)                      \
	X(DEVICE_OCCUPANCY, "est. achieved occupancy %", DEVICE, F64, KERNEL)              \
	X(DEVICE_COLLECTIVE, "Collective name", DEVICE, SYM, COMM)                         \
	X(DEVICE_DTYPE, "dtype", DEVICE, SYM, COMM)                                        \
	X(DEVICE_IN_ELEMENTS, "In msg nelems", DEVICE, I64, COMM)                          \
	X(DEVICE_OUT_ELEMENTS, "Out msg nelems", DEVICE, I64, COMM)                        \
	X(DEVICE_GROUP_SIZE, "Group size", DEVICE, I64, COMM)                              \
	X(DEVICE_GROUP_NAME, "Process Group Name", DEVICE, SYM, COMM)                      \
	X(DEVICE_SEQ, "Seq", DEVICE, I64, PEERS)                                           \
	X(DEVICE_GROUP_DESC, "Process Group Description", DEVICE, SYM, PEERS)              \
	X(DEVICE_GROUP_RANKS, "Process Group Ranks", DEVICE, SYM, PEERS)                   \
	X(DEVICE_IN_SPLIT, "In split size", DEVICE, SYM, PEERS)                            \
	X(DEVICE_OUT_SPLIT, "Out split size", DEVICE, SYM, PEERS)                          \
	X(DEVICE_SOURCE, "Src Rank", DEVICE, I64, PEERS)                                   \
	X(DEVICE_DESTINATION, "Dst Rank", DEVICE, I64, PEERS)                              \
	X(DEVICE_SYNC_KIND, "cuda_sync_kind", DEVICE, SYM, SYNC)                           \
	X(DEVICE_WAIT_STREAM, "wait_on_stream", DEVICE, I64, SYNC)                         \
	X(DEVICE_WAIT_CORRELATION, "wait_on_cuda_event_record_corr_id", DEVICE, I64, SYNC) \
	X(DEVICE_GRAPH, "graph id", DEVICE, I64, GRAPHS)                                   \
	X(DEVICE_GRAPH_NODE, "graph node id", DEVICE, I64, GRAPHS)                         \
	X(DEVICE_REGION, "name", DEVICE, SYM, STACKS)                                      \
	X(DEVICE_MODULE, "module_fqn", DEVICE, SYM, STACKS)                                \
	X(DEVICE_FLOPS, "flops", DEVICE, I64, FLOPS)                                       \
	X(DEVICE_ACCESSED, "bytes accessed", DEVICE, I64, FLOPS)                           \
	X(MEMORY_ADDRESS, "Addr", MEMORY, I64, MEMORY)                                     \
	X(MEMORY_BYTES, "Bytes", MEMORY, I64, MEMORY)                                      \
	X(MEMORY_DEVICE_TYPE, "Device Type", MEMORY, I64, MEMORY)                          \
	X(MEMORY_DEVICE, "Device Id", MEMORY, I64, MEMORY)                                 \
	X(MEMORY_ALLOCATED, "Total Allocated", MEMORY, I64, MEMORY)                        \
	X(MEMORY_RESERVED, "Total Reserved", MEMORY, I64, MEMORY)                          \
	X(COUNTER_VALUE, "", COUNTER, F64, SAMPLES)

/* X(NAME, another spelling of its key): 2021 Kineto, MTIA */
#define ARG_ALIASES(X)                       \
	X(OP_EXTERNAL_ID, "external id")     \
	X(OP_DIMS, "Input dims")             \
	X(LAUNCH_EXTERNAL_ID, "external id") \
	X(DEVICE_EXTERNAL_ID, "external id") \
	X(DEVICE_BYTES, "size")

/* X(NAME, kinds): arguments that only these kinds of their table carry.  Events of other kinds are
 * not searched for them: the scanner would look through all their arguments in vain. */
#define ARG_KINDS(X)                                                     \
	X(OP_COPY, KIND_BIT(KIND_OTHER))                                 \
	X(OP_SEQ, KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION))         \
	X(OP_GROUP_DESC, KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION))  \
	X(OP_GROUP_RANKS, KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION)) \
	X(OP_IN_SPLIT, KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION))    \
	X(OP_OUT_SPLIT, KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION))   \
	X(OP_SOURCE, KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION))      \
	X(OP_DESTINATION, KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION)) \
	X(DEVICE_SEQ, KIND_BIT(KIND_KERNEL))                             \
	X(DEVICE_GROUP_DESC, KIND_BIT(KIND_KERNEL))                      \
	X(DEVICE_GROUP_RANKS, KIND_BIT(KIND_KERNEL))                     \
	X(DEVICE_IN_SPLIT, KIND_BIT(KIND_KERNEL))                        \
	X(DEVICE_OUT_SPLIT, KIND_BIT(KIND_KERNEL))                       \
	X(DEVICE_SOURCE, KIND_BIT(KIND_KERNEL))                          \
	X(DEVICE_DESTINATION, KIND_BIT(KIND_KERNEL))                     \
	X(OP_FLOPS, KIND_BIT(KIND_OP))                                   \
	X(DEVICE_FLOPS, KIND_BIT(KIND_KERNEL))                           \
	X(DEVICE_ACCESSED, KIND_BIT(KIND_KERNEL))                        \
	X(OP_CALL_ID, KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION))     \
	X(DEVICE_BYTES, KIND_BIT(KIND_MEMCPY) | KIND_BIT(KIND_MEMSET))   \
	X(DEVICE_COPY, KIND_BIT(KIND_MEMCPY))                            \
	X(DEVICE_GRAPH, KINDS_DEVICE)                                    \
	X(DEVICE_GRAPH_NODE, KINDS_DEVICE)                               \
	X(DEVICE_REGION, KINDS_DEVICE)                                   \
	X(DEVICE_MODULE, KINDS_DEVICE)                                   \
	X(DEVICE_SYNC_KIND, KIND_BIT(KIND_SYNC))                         \
	X(DEVICE_WAIT_STREAM, KIND_BIT(KIND_SYNC))                       \
	X(DEVICE_WAIT_CORRELATION, KIND_BIT(KIND_SYNC))

/* X(NAME, set, member of the set's struct) */
#define ARG_SETS(X)                                       \
	X(DEVICE_GRID, KERNEL, grid)                      \
	X(DEVICE_BLOCK, KERNEL, block)                    \
	X(DEVICE_REGISTERS, KERNEL, registers)            \
	X(DEVICE_SHARED, KERNEL, shared)                  \
	X(DEVICE_BLOCKS_PER_SM, KERNEL, blocks_per_sm)    \
	X(DEVICE_OCCUPANCY, KERNEL, occupancy)            \
	X(DEVICE_COLLECTIVE, DEVICE_COMM, collective)     \
	X(DEVICE_DTYPE, DEVICE_COMM, dtype)               \
	X(DEVICE_IN_ELEMENTS, DEVICE_COMM, in_elements)   \
	X(DEVICE_OUT_ELEMENTS, DEVICE_COMM, out_elements) \
	X(DEVICE_GROUP_SIZE, DEVICE_COMM, group_size)     \
	X(DEVICE_GROUP_NAME, DEVICE_COMM, group_name)     \
	X(OP_STACK, OP_STACK, stack)                      \
	X(OP_DIMS, OP_CALL, dims)                         \
	X(OP_TYPES, OP_CALL, types)                       \
	X(OP_STRIDES, OP_CALL, strides)                   \
	X(OP_CONCRETE, OP_CALL, concrete)                 \
	X(OP_MODULES, OP_STACK, modules)                  \
	X(OP_COLLECTIVE, OP_COMM, collective)             \
	X(OP_DTYPE, OP_COMM, dtype)                       \
	X(OP_IN_ELEMENTS, OP_COMM, in_elements)           \
	X(OP_OUT_ELEMENTS, OP_COMM, out_elements)         \
	X(OP_GROUP_SIZE, OP_COMM, group_size)             \
	X(OP_GROUP_NAME, OP_COMM, group_name)             \
	X(DEVICE_GROUP_DESC, DEVICE_PEERS, desc)          \
	X(DEVICE_GROUP_RANKS, DEVICE_PEERS, ranks)        \
	X(DEVICE_IN_SPLIT, DEVICE_PEERS, in_split)        \
	X(DEVICE_OUT_SPLIT, DEVICE_PEERS, out_split)      \
	X(DEVICE_SOURCE, DEVICE_PEERS, source)            \
	X(DEVICE_DESTINATION, DEVICE_PEERS, destination)  \
	X(OP_GROUP_DESC, OP_PEERS, desc)                  \
	X(OP_GROUP_RANKS, OP_PEERS, ranks)                \
	X(OP_IN_SPLIT, OP_PEERS, in_split)                \
	X(OP_OUT_SPLIT, OP_PEERS, out_split)              \
	X(OP_SOURCE, OP_PEERS, source)                    \
	X(OP_DESTINATION, OP_PEERS, destination)

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

/* True when events of that kind are searched for the argument. */
bool arg_is_of(enum arg arg, enum kind k);

enum { SET_MAX_BYTES = 80, SET_MAX_ARGS = 6 }; /* of a combination */

/* One column of a side table, as its type says; NULL when it was not asked for or is in a set, and
 * in the tables of ops and of device work also when no row has a value, ids aside. */
union arg_column {
	void *any;
	uint32_t *id;
	int64_t *i64;
	double *f64;
	sym *sym;
	uint32_t (*vec3)[3];
};

/* One value, as its type says. */
union arg_value {
	uint32_t id;
	int64_t i64;
	double f64;
	sym sym;
	uint32_t vec3[3];
};

struct args {
	size_t n[ARGS_TABLE_COUNT], cap[ARGS_TABLE_COUNT];
	union arg_column col[ARG_COUNT];
	bool is_known[ARG_COUNT]; /* the column is there: some row may have a value */
	struct arg_set {
		uint32_t *of;         /* by row: its combination; 0: nothing is known */
		bool is_known;        /* of any row; else `of` means nothing */
		struct keymap values; /* the combinations: values of all its arguments */
	} set[SET_COUNT];
	unsigned needs; /* columns are kept for these */
};

/* The side table of a kind, or ARGS_NONE. */
enum args_table args_table_of(enum kind k);

/* The set an argument's values are in, and where they are in its combinations, in bytes. */
enum args_set arg_set(enum arg arg);
size_t arg_offset(enum arg arg);

/* Bytes of one value of that type. */
size_t arg_size(enum arg_type type);

void args_init(struct args *a, unsigned needs);
void args_clear(struct args *a);

/* True when values of that argument are kept. */
bool args_keeps(const struct args *a, enum arg arg);

/* True when they are, and some row may have one. */
bool args_has(const struct args *a, enum arg arg);

/* A value comes of an argument that is kept in no set: its column is there now, unknown in all rows
 * that are. */
void args_know(struct args *a, enum arg arg);

/* args_know of a set: its `of`. */
uint32_t *args_know_set(struct args *a, enum args_set set);

/* The table whose rows have that set. */
enum args_table args_table_of_set(enum args_set set);

/* The combination in which nothing is known: number 0 of every set.  Bytes as in arg_set.values. */
const void *args_nothing(enum args_set set, size_t *size);

/* Forgets all rows; memory is kept. */
void args_empty(struct args *a);

/* Values of arguments of any kind by row, unknown when they were not asked for. */
int64_t args_i64(const struct args *a, enum arg arg, size_t row);
double args_f64(const struct args *a, enum arg arg, size_t row);
sym args_sym(const struct args *a, enum arg arg, size_t row);
void args_vec3(const struct args *a, enum arg arg, size_t row, uint32_t v[3]);

/* Whether any row has a text for that argument. */
bool args_any_text(const struct args *a, enum arg arg);

/* Changes one kept value of an existing row. */
void args_change(struct args *a, enum arg arg, size_t row, union arg_value value);

/* Room for `more` rows in a table; kept columns are then writable up to n + more. */
void args_reserve(struct args *a, enum args_table t, size_t more);

/* Makes the value of a kept argument in an existing row unknown. */
void args_unknown(struct args *a, enum arg arg, size_t row);

/* A new row in table t with every kept column unknown; returns 1 + its index (0 is "no row"). */
uint32_t args_row(struct args *a, enum args_table t);
