/* What we need to know of CUPTI's binary interface, as numbers: kinds, codes, and where fields
 * stand in its records.  No header of NVIDIA's is needed to build; where one is installed,
 * tests/capture/toolkit/abi_check.c compares each number with it.
 *
 * From CUPTI 9.0 to 13.0 records only grew at their ends, so one table reads them all; what was
 * appended later is looked at only when the library is new enough (FIELD_SINCE).  Measured on the
 * headers of 13.0 and the deprecated layouts they keep. */
#pragma once

#include <stdint.h>
#include <string.h>

/* cuptiGetVersion: 18 = CUDA 11.8, 19 = 12.0, ..., 28 = 12.9u1, 130000 = 13.0. */
enum {
	CUPTI_V11_8 = 18,
	CUPTI_V12_0 = 19,
	CUPTI_V12_2 = 20,
	CUPTI_V12_3 = 21,
	CUPTI_V12_4 = 22,
	CUPTI_V12_5 = 23, /* single API functions can be switched */
	CUPTI_V12_6 = 24,
	CUPTI_V12_8 = 26,
	CUPTI_V12_9 = 27, /* a refused buffer is no crash */
	CUPTI_V13_0 = 130000,
	CUPTI_V13_2 = 130200 /* functions with _v2 and those without exclude each other */
};

/* X(name here, name in CUpti_ActivityKind, number) */
#define CUPTI_KINDS(X)                            \
	X(ACT_MEMCPY, MEMCPY, 1)                  \
	X(ACT_MEMSET, MEMSET, 2)                  \
	X(ACT_DRIVER, DRIVER, 4)                  \
	X(ACT_RUNTIME, RUNTIME, 5)                \
	X(ACT_DEVICE, DEVICE, 8)                  \
	X(ACT_CONTEXT, CONTEXT, 9)                \
	X(ACT_KERNEL, CONCURRENT_KERNEL, 10)      \
	X(ACT_OVERHEAD, OVERHEAD, 17)             \
	X(ACT_MEMCPY2, MEMCPY2, 22)               \
	X(ACT_CUDA_EVENT, CUDA_EVENT, 36)         \
	X(ACT_SYNC, SYNCHRONIZATION, 38)          \
	X(ACT_EXTERNAL, EXTERNAL_CORRELATION, 39) \
	X(ACT_MEMORY2, MEMORY2, 49)               \
	X(ACT_GRAPH, GRAPH_TRACE, 51)

enum act_kind {
#define X(id, cupti, number) id = number,
	CUPTI_KINDS(X)
#undef X
};

/* X(name here, name in CUptiResult, number) */
#define CUPTI_CODES(X)                                                                          \
	X(CUPTI_OK, CUPTI_SUCCESS, 0)                                                           \
	X(CUPTI_MAX_LIMIT, CUPTI_ERROR_MAX_LIMIT_REACHED, 12)                                   \
	X(CUPTI_NOT_COMPATIBLE, CUPTI_ERROR_NOT_COMPATIBLE, 14)                                 \
	X(CUPTI_NOT_INITIALIZED, CUPTI_ERROR_NOT_INITIALIZED, 15)                               \
	X(CUPTI_QUEUE_EMPTY, CUPTI_ERROR_QUEUE_EMPTY, 18)                                       \
	X(CUPTI_INVALID_KIND, CUPTI_ERROR_INVALID_KIND, 21)                                     \
	X(CUPTI_NOT_SUPPORTED, CUPTI_ERROR_NOT_SUPPORTED, 27)                                   \
	X(CUPTI_VIRTUAL, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, 33)                      \
	X(CUPTI_PRIVILEGES, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, 35)                            \
	X(CUPTI_OTHER_TOOL, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, 39)                 \
	X(CUPTI_VIRTUAL_PRIVILEGES, CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, 40) \
	X(CUPTI_CONFIDENTIAL, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, 41)             \
	X(CUPTI_CMP, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, 42)                                  \
	X(CUPTI_MIG, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, 43)                                  \
	X(CUPTI_WSL, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, 45)                                  \
	X(CUPTI_UNKNOWN, CUPTI_ERROR_UNKNOWN, 999)

enum cupti_code {
#define X(id, cupti, number) id = number,
	CUPTI_CODES(X)
#undef X
};

/* X(name here, name in cupti_callbacks.h or cupti_activity.h, number): the rest. */
#define CUPTI_NUMBERS(X)                                                            \
	X(CB_DRIVER, CUPTI_CB_DOMAIN_DRIVER_API, 1)                                 \
	X(CB_RUNTIME, CUPTI_CB_DOMAIN_RUNTIME_API, 2)                               \
	X(CB_RESOURCE, CUPTI_CB_DOMAIN_RESOURCE, 3)                                 \
	X(CB_STATE, CUPTI_CB_DOMAIN_STATE, 6)                                       \
	X(CB_CONTEXT_CREATED, CUPTI_CBID_RESOURCE_CONTEXT_CREATED, 1)               \
	X(CB_INIT_FINISHED, CUPTI_CBID_RESOURCE_CU_INIT_FINISHED, 5)                \
	X(CB_FATAL, CUPTI_CBID_STATE_FATAL_ERROR, 1)                                \
	X(CB_ENTER, CUPTI_API_ENTER, 0)                                             \
	X(CB_EXIT, CUPTI_API_EXIT, 1)                                               \
	X(CB_DRIVER_PROFILER_START, CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, 308)   \
	X(CB_DRIVER_PROFILER_STOP, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, 309)     \
	X(FLUSH_FORCED, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED, 1)                        \
	X(ATTR_ZEROED, CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, 5)           \
	X(THREAD_ID_SYSTEM, CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM, 1)                \
	X(EXTERNAL_RANGES, CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, 5)              \
	X(SYNC_EVENT, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE, 1)     \
	X(SYNC_WAIT, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT, 2)      \
	X(SYNC_STREAM, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE, 3)   \
	X(SYNC_CONTEXT, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE, 4) \
	X(MEMORY_ALLOCATED, CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION, 1)     \
	X(MEMORY_RELEASED, CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE, 2)

enum cupti_number {
#define X(id, cupti, number) id = number,
	CUPTI_NUMBERS(X)
#undef X
};

/* X(name here, struct in the headers of 13.0, its field, byte where it stands, type, first version
 * of the library that writes it). */
#define CUPTI_FIELDS(X)                                                                   \
	X(KERNEL_REGISTERS, Kernel10, registersPerThread, 6, uint16_t, 0)                 \
	X(KERNEL_START, Kernel10, start, 16, uint64_t, 0)                                 \
	X(KERNEL_END, Kernel10, end, 24, uint64_t, 0)                                     \
	X(KERNEL_DEVICE, Kernel10, deviceId, 40, uint32_t, 0)                             \
	X(KERNEL_CONTEXT, Kernel10, contextId, 44, uint32_t, 0)                           \
	X(KERNEL_STREAM, Kernel10, streamId, 48, uint32_t, 0)                             \
	X(KERNEL_GRID_X, Kernel10, gridX, 52, int32_t, 0)                                 \
	X(KERNEL_GRID_Y, Kernel10, gridY, 56, int32_t, 0)                                 \
	X(KERNEL_GRID_Z, Kernel10, gridZ, 60, int32_t, 0)                                 \
	X(KERNEL_BLOCK_X, Kernel10, blockX, 64, int32_t, 0)                               \
	X(KERNEL_BLOCK_Y, Kernel10, blockY, 68, int32_t, 0)                               \
	X(KERNEL_BLOCK_Z, Kernel10, blockZ, 72, int32_t, 0)                               \
	X(KERNEL_STATIC_SMEM, Kernel10, staticSharedMemory, 76, int32_t, 0)               \
	X(KERNEL_DYNAMIC_SMEM, Kernel10, dynamicSharedMemory, 80, int32_t, 0)             \
	X(KERNEL_CORRELATION, Kernel10, correlationId, 92, uint32_t, 0)                   \
	X(KERNEL_NAME, Kernel10, name, 104, uint64_t, 0)                                  \
	X(KERNEL_QUEUED, Kernel10, queued, 120, uint64_t, 0)                              \
	X(KERNEL_GRAPH_NODE, Kernel10, graphNodeId, 144, uint64_t, 0)                     \
	X(KERNEL_SMEM_LIMIT, Kernel10, shmemLimitConfig, 152, int32_t, 0)                 \
	X(KERNEL_GRAPH, Kernel10, graphId, 156, uint32_t, 0)                              \
	X(KERNEL_CHANNEL, Kernel10, channelID, 168, uint32_t, 0)                          \
	X(KERNEL_CHANNEL_TYPE, Kernel10, channelType, 172, int32_t, 0)                    \
	X(KERNEL_CLUSTER_X, Kernel10, clusterX, 176, uint32_t, CUPTI_V11_8)               \
	X(KERNEL_CLUSTER_Y, Kernel10, clusterY, 180, uint32_t, CUPTI_V11_8)               \
	X(KERNEL_CLUSTER_Z, Kernel10, clusterZ, 184, uint32_t, CUPTI_V11_8)               \
	X(COPY_KIND, Memcpy6, copyKind, 4, uint8_t, 0)                                    \
	X(COPY_SOURCE, Memcpy6, srcKind, 5, uint8_t, 0)                                   \
	X(COPY_TARGET, Memcpy6, dstKind, 6, uint8_t, 0)                                   \
	X(COPY_BYTES, Memcpy6, bytes, 8, uint64_t, 0)                                     \
	X(COPY_START, Memcpy6, start, 16, uint64_t, 0)                                    \
	X(COPY_END, Memcpy6, end, 24, uint64_t, 0)                                        \
	X(COPY_DEVICE, Memcpy6, deviceId, 32, uint32_t, 0)                                \
	X(COPY_CONTEXT, Memcpy6, contextId, 36, uint32_t, 0)                              \
	X(COPY_STREAM, Memcpy6, streamId, 40, uint32_t, 0)                                \
	X(COPY_CORRELATION, Memcpy6, correlationId, 44, uint32_t, 0)                      \
	X(COPY_GRAPH_NODE, Memcpy6, graphNodeId, 64, uint64_t, 0)                         \
	X(COPY_GRAPH, Memcpy6, graphId, 72, uint32_t, 0)                                  \
	X(COPY_CHANNEL, Memcpy6, channelID, 76, uint32_t, 0)                              \
	X(COPY_CHANNEL_TYPE, Memcpy6, channelType, 80, int32_t, 0)                        \
	X(PEER_STREAM, MemcpyPtoP4, streamId, 40, uint32_t, 0)                            \
	X(PEER_FROM, MemcpyPtoP4, srcDeviceId, 44, uint32_t, 0)                           \
	X(PEER_FROM_CONTEXT, MemcpyPtoP4, srcContextId, 48, uint32_t, 0)                  \
	X(PEER_TO, MemcpyPtoP4, dstDeviceId, 52, uint32_t, 0)                             \
	X(PEER_TO_CONTEXT, MemcpyPtoP4, dstContextId, 56, uint32_t, 0)                    \
	X(PEER_CORRELATION, MemcpyPtoP4, correlationId, 60, uint32_t, 0)                  \
	X(PEER_GRAPH_NODE, MemcpyPtoP4, graphNodeId, 72, uint64_t, 0)                     \
	X(PEER_GRAPH, MemcpyPtoP4, graphId, 80, uint32_t, 0)                              \
	X(PEER_CHANNEL, MemcpyPtoP4, channelID, 84, uint32_t, 0)                          \
	X(PEER_CHANNEL_TYPE, MemcpyPtoP4, channelType, 88, int32_t, 0)                    \
	X(SET_BYTES, Memset4, bytes, 8, uint64_t, 0)                                      \
	X(SET_START, Memset4, start, 16, uint64_t, 0)                                     \
	X(SET_END, Memset4, end, 24, uint64_t, 0)                                         \
	X(SET_DEVICE, Memset4, deviceId, 32, uint32_t, 0)                                 \
	X(SET_CONTEXT, Memset4, contextId, 36, uint32_t, 0)                               \
	X(SET_STREAM, Memset4, streamId, 40, uint32_t, 0)                                 \
	X(SET_CORRELATION, Memset4, correlationId, 44, uint32_t, 0)                       \
	X(SET_MEMORY, Memset4, memoryKind, 50, uint16_t, 0)                               \
	X(SET_GRAPH_NODE, Memset4, graphNodeId, 64, uint64_t, 0)                          \
	X(SET_GRAPH, Memset4, graphId, 72, uint32_t, 0)                                   \
	X(SET_CHANNEL, Memset4, channelID, 76, uint32_t, 0)                               \
	X(SET_CHANNEL_TYPE, Memset4, channelType, 80, int32_t, 0)                         \
	X(API_CBID, API, cbid, 4, uint32_t, 0)                                            \
	X(API_START, API, start, 8, uint64_t, 0)                                          \
	X(API_END, API, end, 16, uint64_t, 0)                                             \
	X(API_THREAD, API, threadId, 28, uint32_t, 0)                                     \
	X(API_CORRELATION, API, correlationId, 32, uint32_t, 0)                           \
	X(API_RETURN, API, returnValue, 36, uint32_t, 0)                                  \
	X(OVERHEAD_KIND, Overhead3, overheadKind, 4, uint32_t, 0)                         \
	X(OVERHEAD_OBJECT, Overhead3, objectKind, 8, uint32_t, 0)                         \
	X(OVERHEAD_OBJECT_ID, Overhead3, objectId, 12, uint64_t, 0)                       \
	X(OVERHEAD_START, Overhead3, start, 24, uint64_t, 0)                              \
	X(OVERHEAD_END, Overhead3, end, 32, uint64_t, 0)                                  \
	X(OVERHEAD_DATA, Overhead3, overheadData, 48, uint64_t, CUPTI_V12_4)              \
	X(SYNC_TYPE, Synchronization2, type, 4, uint32_t, 0)                              \
	X(SYNC_START, Synchronization2, start, 8, uint64_t, 0)                            \
	X(SYNC_END, Synchronization2, end, 16, uint64_t, 0)                               \
	X(SYNC_CORRELATION, Synchronization2, correlationId, 24, uint32_t, 0)             \
	X(SYNC_CONTEXT_ID, Synchronization2, contextId, 28, uint32_t, 0)                  \
	X(SYNC_STREAM_ID, Synchronization2, streamId, 32, uint32_t, 0)                    \
	X(SYNC_EVENT_ID, Synchronization2, cudaEventId, 36, uint32_t, 0)                  \
	X(SYNC_SYNC_ID, Synchronization2, cudaEventSyncId, 40, uint64_t, CUPTI_V12_8)     \
	X(SYNC_RETURN, Synchronization2, returnValue, 48, uint32_t, CUPTI_V12_8)          \
	X(EVENT_CORRELATION, CudaEvent2, correlationId, 4, uint32_t, 0)                   \
	X(EVENT_CONTEXT, CudaEvent2, contextId, 8, uint32_t, 0)                           \
	X(EVENT_STREAM, CudaEvent2, streamId, 12, uint32_t, 0)                            \
	X(EVENT_ID, CudaEvent2, eventId, 16, uint32_t, 0)                                 \
	X(EVENT_DEVICE, CudaEvent2, deviceId, 24, uint32_t, CUPTI_V12_8)                  \
	X(EVENT_TIME, CudaEvent2, deviceTimestamp, 40, uint64_t, CUPTI_V12_8)             \
	X(EVENT_SYNC_ID, CudaEvent2, cudaEventSyncId, 48, uint64_t, CUPTI_V12_8)          \
	X(CONTEXT_ID, Context3, contextId, 4, uint32_t, 0)                                \
	X(CONTEXT_DEVICE, Context3, deviceId, 8, uint32_t, 0)                             \
	X(DEVICE_MEMORY, Device5, globalMemorySize, 16, uint64_t, 0)                      \
	X(DEVICE_WARP, Device5, numThreadsPerWarp, 32, uint32_t, 0)                       \
	X(DEVICE_SMS, Device5, numMultiprocessors, 44, uint32_t, 0)                       \
	X(DEVICE_WARPS_PER_SM, Device5, maxWarpsPerMultiprocessor, 52, uint32_t, 0)       \
	X(DEVICE_BLOCKS_PER_SM, Device5, maxBlocksPerMultiprocessor, 56, uint32_t, 0)     \
	X(DEVICE_SMEM_PER_SM, Device5, maxSharedMemoryPerMultiprocessor, 60, uint32_t, 0) \
	X(DEVICE_REGS_PER_SM, Device5, maxRegistersPerMultiprocessor, 64, uint32_t, 0)    \
	X(DEVICE_REGS_PER_BLOCK, Device5, maxRegistersPerBlock, 68, uint32_t, 0)          \
	X(DEVICE_SMEM_PER_BLOCK, Device5, maxSharedMemoryPerBlock, 72, uint32_t, 0)       \
	X(DEVICE_THREADS_PER_BLOCK, Device5, maxThreadsPerBlock, 76, uint32_t, 0)         \
	X(DEVICE_MAJOR, Device5, computeCapabilityMajor, 104, uint32_t, 0)                \
	X(DEVICE_MINOR, Device5, computeCapabilityMinor, 108, uint32_t, 0)                \
	X(DEVICE_ID, Device5, id, 112, uint32_t, 0)                                       \
	X(DEVICE_UUID, Device5, uuid, 120, uint64_t, 0) /* 16 bytes of it */              \
	X(DEVICE_NAME, Device5, name, 136, uint64_t, 0)                                   \
	X(EXTERNAL_KIND, ExternalCorrelation, externalKind, 4, uint32_t, 0)               \
	X(EXTERNAL_ID, ExternalCorrelation, externalId, 8, uint64_t, 0)                   \
	X(EXTERNAL_CORRELATION, ExternalCorrelation, correlationId, 16, uint32_t, 0)      \
	X(GRAPH_CORRELATION, GraphTrace2, correlationId, 4, uint32_t, 0)                  \
	X(GRAPH_START, GraphTrace2, start, 8, uint64_t, 0)                                \
	X(GRAPH_END, GraphTrace2, end, 16, uint64_t, 0)                                   \
	X(GRAPH_DEVICE, GraphTrace2, deviceId, 24, uint32_t, 0)                           \
	X(GRAPH_ID, GraphTrace2, graphId, 28, uint32_t, 0)                                \
	X(GRAPH_CONTEXT, GraphTrace2, contextId, 32, uint32_t, 0)                         \
	X(GRAPH_STREAM, GraphTrace2, streamId, 36, uint32_t, 0)                           \
	X(MEMORY_OPERATION, Memory4, memoryOperationType, 4, uint32_t, 0)                 \
	X(MEMORY_KIND, Memory4, memoryKind, 8, uint32_t, 0)                               \
	X(MEMORY_CORRELATION, Memory4, correlationId, 12, uint32_t, 0)                    \
	X(MEMORY_ADDRESS, Memory4, address, 16, uint64_t, 0)                              \
	X(MEMORY_BYTES, Memory4, bytes, 24, uint64_t, 0)                                  \
	X(MEMORY_TIME, Memory4, timestamp, 32, uint64_t, 0)                               \
	X(MEMORY_DEVICE, Memory4, deviceId, 52, uint32_t, 0)                              \
	X(MEMORY_CONTEXT, Memory4, contextId, 56, uint32_t, 0)

/* Byte of each field, and the type it is read with. */
enum cupti_at {
#define X(id, record, field, at, type, since) AT_##id = at,
	CUPTI_FIELDS(X)
#undef X
};
enum cupti_since {
#define X(id, record, field, at, type, since) SINCE_##id = since,
	CUPTI_FIELDS(X)
#undef X
};
#define X(id, record, field, at, type, since)               \
	static inline type get_##id(const unsigned char *r) \
	{                                                   \
		type v;                                     \
                                                            \
		memcpy(&v, r + (at), sizeof(v));            \
		return v;                                   \
	}
CUPTI_FIELDS(X)
#undef X

/* The kind of a record: its first four bytes. */
static inline uint32_t get_KIND(const unsigned char *r)
{
	uint32_t v;

	memcpy(&v, r, sizeof(v));
	return v;
}

/* The size up to which records of a kind are known, for a library of CUDA 11.8 or later, or 0 for
 * kinds we do not read: what must lie within a buffer for a record to be looked at.  Where a field
 * that came later is read, the size depends on the version of the library. */
static inline uint32_t cupti_size_min(uint32_t kind, uint32_t version)
{
	switch (kind) {
	case ACT_MEMCPY: return 88;
	case ACT_MEMCPY2: return 96;
	case ACT_MEMSET: return 88;
	case ACT_DRIVER:
	case ACT_RUNTIME: return 40;
	case ACT_DEVICE: return 176;
	case ACT_CONTEXT: return 16;
	case ACT_KERNEL: return 200;
	case ACT_OVERHEAD: return version < CUPTI_V12_4 ? 40 : 56;
	case ACT_CUDA_EVENT: return version < CUPTI_V12_8 ? 24 : 56;
	case ACT_SYNC: return version < CUPTI_V12_8 ? 40 : 56;
	case ACT_EXTERNAL: return 24;
	case ACT_GRAPH: return 48;
	case ACT_MEMORY2: return 112;
	default: return 0;
	}
}
