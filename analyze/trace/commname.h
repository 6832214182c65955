/* Names of communication: what the name of a kernel, or of the op that launched it, says. */
#pragma once

#include "base/base.h"

/* What a kernel's name says; of one that says nothing the launching op decides. */
enum commname { COMMNAME_NOTHING, COMMNAME_COMM, COMMNAME_COMPUTE };

/* Of a kernel's name, demangled or not, ignoring case; what follows the first 512 bytes is not
 * looked at.  Libraries of collectives are known by their words; of their kernels some only
 * compute. What a function is called decides, not what its parameters are. */
enum commname commname_of(struct span kernel);

/* An op or annotation that does nothing but communicate: what it launches itself is the collective,
 * unless the kernel's name says that it computes.  vllm::all_reduce, c10d::allreduce_, ...; ops
 * that multiply matrices, too, are none. */
bool commname_is_op(struct span op);

/* One of them that records a collective's arguments: record_param_comms, nccl:..., gloo:... */
bool commname_is_record(struct span op);

/* One of them that the host carries out itself: gloo:..., mpi:... */
bool commname_is_on_host(struct span op);

/* What of a kernel's name is its function: without template arguments and parameters, with its
 * namespaces.  "void deep_ep::dispatch" of "void deep_ep::dispatch<8>(int*)".  Borrowed. */
struct span commname_function(struct span kernel);
