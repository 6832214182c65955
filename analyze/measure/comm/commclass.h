/* Collectives: which one, how many bytes, how fast.
 *
 * Known by the arguments Kineto records (Collective name, dtype, In msg nelems, Group size) or,
 * where these are absent, by the kernel's name, which never tells sizes.
 *
 * Bandwidths are those of nccl-tests: algorithm bandwidth = bytes / time, bytes being the whole
 * message; bus bandwidth = that x a factor of the collective and its ranks, which makes it
 * comparable with the speed of the links.  GB = 1e9 bytes. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct run;

/* X(NAME, word) */
#define COMM_OPS(X)                         \
	X(UNKNOWN, "unknown")               \
	X(ALL_REDUCE, "all_reduce")         \
	X(REDUCE, "reduce")                 \
	X(BROADCAST, "broadcast")           \
	X(ALL_GATHER, "all_gather")         \
	X(REDUCE_SCATTER, "reduce_scatter") \
	X(ALL_TO_ALL, "all_to_all")         \
	X(GATHER, "gather")                 \
	X(SCATTER, "scatter")               \
	X(SEND, "send")                     \
	X(RECV, "recv")                     \
	X(SEND_RECV, "send_recv")           \
	X(BARRIER, "barrier")               \
	X(DISPATCH, "dispatch")             \
	X(COMBINE, "combine")

#define COMM_ID(name, ...) COMM_##name,
enum comm_op { COMM_OPS(COMM_ID) COMM_OP_COUNT };

/* By any name: of a kernel (ncclDevKernel_AllReduce_Sum_bf16_RING_LL, cross_device_reduce_2stage),
 * of an op (c10d::_allgather_base_, nccl:all_to_all), or "Collective name" (_reduce_scatter_base).
 * Ignores case and underscores.  COMM_SEND_RECV: NCCL's kernel for send, recv and all of alltoall.
 * COMM_DISPATCH, COMM_COMBINE: tokens to their experts' devices and back. */
enum comm_op commclass_of(struct span name);

/* "all_reduce", ...; constant. */
const char *commclass_word(enum comm_op op);

/* Bytes of one element by a type's name (BFloat16, c10::Half, float, Float8_e4m3fn, int8_t, f16),
 * ignoring case; -1 when unknown. */
int commclass_dtype_bytes(struct span dtype);

/* The type in the name of a kernel that reduces ("bf16" of
 * ncclDevKernel_AllReduce_Sum_bf16_RING_LL); empty where there is none.  Kernels that only move
 * bytes are int8_t whatever they move: empty, too. */
struct span commclass_dtype_of_kernel(struct span kernel_name);

/*
 * The message in elements, as nccl-tests count it: of all ranks for all_gather, reduce_scatter,
 * gather, scatter and all_to_all, of one for the others.  ARG_UNKNOWN where in and out do not tell.
 */
int64_t commclass_elements(enum comm_op op, int64_t in_elements, int64_t out_elements);

/* Bus bandwidth over algorithm bandwidth: 2(n-1)/n for all_reduce; (n-1)/n for all_gather,
 * reduce_scatter, all_to_all, gather, scatter; 1 for broadcast, reduce, send and recv.  NaN when n
 * (ranks) is needed and below 1, and for what moves no message.
 * Source: nccl-tests, doc/PERFORMANCE.md. */
double commclass_bus_factor(enum comm_op op, int64_t ranks);

/* What a call of that many bytes moves over a link: bytes x the factor, in fractions of a byte that
 * add up exactly, so that no order of calls gives another sum; below 2^94, so that sums of all
 * calls of a run fit.  COMM_BUS_UNKNOWN where the bytes or the factor are not known. */
typedef __int128 comm_bus;
#define COMM_BUS_UNKNOWN ((comm_bus)-1)
comm_bus commclass_bus(enum comm_op op, int64_t ranks, int64_t bytes);
/* A sum of these, in bytes. */
double commclass_bus_bytes(comm_bus sum);
/* Bus bandwidth, bytes/s: a sum of these over ns, which are above 0. */
double commclass_bus_rate(comm_bus sum, nsec ns);

/* What is known of one collective on the device. */
struct comm_call {
	enum comm_op op;
	sym dtype, group;       /* texts of the trace; 0 unknown */
	struct span dtype_text; /* of dtype, else of the kernel's name; empty when unknown */
	int64_t in_elements, out_elements, ranks; /* ARG_UNKNOWN when the trace does not say */
	int64_t bytes;                            /* the message; ARG_UNKNOWN */
	bool has_args; /* from arguments, not from the kernel's name alone */
};

/* Of a device row that is a collective: its own arguments, else those of the op that launched it
 * (record_param_comms, by run.links), else its name, else that op's name.  Needs NEED_COMM and
 * links.  O(1) but for the names. */
struct comm_call commclass_call(const struct run *r, uint32_t row);
