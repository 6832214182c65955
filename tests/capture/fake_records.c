/* Records by the same table the library reads them with; that the table is right is for
 * abi_check.c and walk_check.c to show. */
#include "tests/capture/fake_records.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cupti_abi.h"

/* Writes a field. */
#define PUT(r, id, value)                                             \
	do {                                                          \
		__typeof__(get_##id(r)) v_ = (__typeof__(v_))(value); \
		memcpy((r) + AT_##id, &v_, sizeof(v_));               \
	} while (0)

static const struct fake_api apis[] = {
	{ 505, true, "__cudaLaunchKernel_v13000" },
	{ 41, true, "cudaMemcpyAsync_v3020" },
	{ 178, true, "cudaMemcpyPeerAsync_v4000" },
	{ 51, true, "cudaMemsetAsync_v3020" },
	{ 312, true, "cudaGraphLaunch_ptsz_v10000" },
	{ 131, true, "cudaStreamSynchronize_v3020" },
	{ 165, true, "cudaDeviceSynchronize_v3020" },
	{ 135, true, "cudaEventRecord_v3020" },
	{ 147, true, "cudaStreamWaitEvent_v3020" },
	{ 137, true, "cudaEventSynchronize_v3020" },
	{ 20, true, "cudaMalloc_v3020" },
	{ 22, true, "cudaFree_v3020" },
	{ 17, true, "cudaGetDevice_v3020" },
	{ 307, false, "cuLaunchKernel" },
	{ 7, false, "cuDeviceGetAttribute" },
	{ 136, true, "cudaEventQuery_v3020" },
};

const struct fake_api *fake_api_of(const struct fake_work *w)
{
	return &apis[w->kind];
}

const char *fake_api_name(bool is_runtime, uint32_t id)
{
	size_t i;

	for (i = 0; i < sizeof(apis) / sizeof(apis[0]); i++)
		if (apis[i].id == id && apis[i].is_runtime == is_runtime)
			return apis[i].name;
	return NULL;
}

size_t fake_tail(void)
{
	static atomic_long tail = -1;
	long n = atomic_load(&tail);

	if (n < 0) {
		const char *s = getenv("FAKE_TAIL");

		n = s ? strtol(s, NULL, 10) / 8 * 8 : 0;
		atomic_store(&tail, n);
	}
	return (size_t)n;
}

/* Of a version, as its headers or, where there were none at hand, its release notes say. */
static size_t known_size(uint32_t kind, uint32_t version)
{
	switch (kind) {
	case ACT_KERNEL: return version < 19 ? 200 : version < CUPTI_V13_0 ? 208 : 216;
	case ACT_MEMCPY: return version < CUPTI_V12_8 ? 88 : 96;
	case ACT_MEMCPY2: return 96;
	case ACT_MEMSET: return 88;
	case ACT_RUNTIME:
	case ACT_DRIVER: return 40;
	case ACT_DEVICE: return version < CUPTI_V12_4 ? 176 : version < CUPTI_V13_2 ? 184 : 192;
	case ACT_CONTEXT:
		return version < CUPTI_V12_4    ? 16
			: version < CUPTI_V12_5 ? 24
			: version < CUPTI_V13_2 ? 32
						: 40;
	case ACT_OVERHEAD: return version < CUPTI_V12_2 ? 40 : version < CUPTI_V12_4 ? 48 : 56;
	case ACT_CUDA_EVENT: return version < CUPTI_V12_8 ? 24 : 56;
	case ACT_SYNC: return version < CUPTI_V12_8 ? 40 : 56;
	case ACT_EXTERNAL: return 24;
	case ACT_GRAPH: return version < CUPTI_V12_3 ? 48 : 56;
	case ACT_MEMORY2: return version < CUPTI_V12_6 ? 120 : 128;
	default: return 0;
	}
}

size_t fake_size(uint32_t kind, uint32_t version)
{
	size_t n = known_size(kind, version);

	return n ? n + fake_tail() : 0;
}

int fake_next(uint8_t *buffer, size_t valid, uint8_t **record, uint32_t version)
{
	size_t at = 0, n;

	if (*record)
		at = (size_t)(*record - buffer) + fake_size(get_KIND(*record), version);
	if (at >= valid || valid - at < sizeof(uint32_t))
		return CUPTI_MAX_LIMIT;
	n = fake_size(get_KIND(buffer + at), version);
	if (!n)
		return CUPTI_INVALID_KIND;
	if (n > valid - at)
		return CUPTI_MAX_LIMIT;
	*record = buffer + at;
	return CUPTI_OK;
}

int fake_kind_of(const struct fake_work *w, bool graphs_whole)
{
	switch (w->kind) {
	case FAKE_KERNEL:
	case FAKE_DRIVER_LAUNCH: return ACT_KERNEL;
	case FAKE_COPY: return ACT_MEMCPY;
	case FAKE_PEER: return ACT_MEMCPY2;
	case FAKE_SET: return ACT_MEMSET;
	case FAKE_GRAPH: return graphs_whole ? ACT_GRAPH : ACT_KERNEL;
	case FAKE_SYNC_STREAM:
	case FAKE_SYNC_DEVICE:
	case FAKE_STREAM_WAIT:
	case FAKE_QUERY:
	case FAKE_EVENT_SYNC: return ACT_SYNC;
	case FAKE_EVENT_RECORD: return ACT_CUDA_EVENT;
	case FAKE_ALLOC:
	case FAKE_FREE: return ACT_MEMORY2;
	default: return 0;
	}
}

static void put_kernel(unsigned char *r, const struct fake_work *w, int64_t start, uint32_t id)
{
	PUT(r, KERNEL_REGISTERS, w->registers);
	PUT(r, KERNEL_START, start);
	PUT(r, KERNEL_END, start + w->duration_ns);
	PUT(r, KERNEL_CONTEXT, FAKE_CONTEXT);
	PUT(r, KERNEL_STREAM, w->stream);
	PUT(r, KERNEL_GRID_X, w->grid[0]);
	PUT(r, KERNEL_GRID_Y, w->grid[1]);
	PUT(r, KERNEL_GRID_Z, w->grid[2]);
	PUT(r, KERNEL_BLOCK_X, w->block[0]);
	PUT(r, KERNEL_BLOCK_Y, w->block[1]);
	PUT(r, KERNEL_BLOCK_Z, w->block[2]);
	PUT(r, KERNEL_STATIC_SMEM, w->static_smem);
	PUT(r, KERNEL_DYNAMIC_SMEM, w->dynamic_smem);
	PUT(r, KERNEL_SMEM_LIMIT, w->smem_limit);
	PUT(r, KERNEL_CORRELATION, id);
	PUT(r, KERNEL_NAME, (uintptr_t)w->name);
	PUT(r, KERNEL_CHANNEL, 8);
	PUT(r, KERNEL_CHANNEL_TYPE, 1);
	if (w->kind == FAKE_GRAPH) {
		PUT(r, KERNEL_GRAPH, 3);
		PUT(r, KERNEL_GRAPH_NODE, 12884901889);
	}
}

static void put_copy(unsigned char *r, const struct fake_work *w, int64_t start, uint32_t id)
{
	PUT(r, COPY_KIND, w->copy_kind);
	PUT(r, COPY_SOURCE, w->source);
	PUT(r, COPY_TARGET, w->target);
	PUT(r, COPY_BYTES, w->bytes);
	PUT(r, COPY_START, start);
	PUT(r, COPY_END, start + w->duration_ns);
	PUT(r, COPY_CONTEXT, FAKE_CONTEXT);
	if (w->kind == FAKE_PEER) {
		PUT(r, PEER_STREAM, w->stream);
		PUT(r, PEER_FROM, 0);
		PUT(r, PEER_FROM_CONTEXT, FAKE_CONTEXT);
		PUT(r, PEER_TO, 1);
		PUT(r, PEER_TO_CONTEXT, 2);
		PUT(r, PEER_CORRELATION, id);
		return;
	}
	PUT(r, COPY_STREAM, w->stream);
	PUT(r, COPY_CORRELATION, id);
	PUT(r, COPY_CHANNEL, 2);
	PUT(r, COPY_CHANNEL_TYPE, 2);
}

static void put_set(unsigned char *r, const struct fake_work *w, int64_t start, uint32_t id)
{
	PUT(r, SET_BYTES, w->bytes);
	PUT(r, SET_START, start);
	PUT(r, SET_END, start + w->duration_ns);
	PUT(r, SET_CONTEXT, FAKE_CONTEXT);
	PUT(r, SET_STREAM, w->stream);
	PUT(r, SET_CORRELATION, id);
	PUT(r, SET_MEMORY, 3);
}

static void put_sync(unsigned char *r, const struct fake_work *w, int64_t start, uint32_t id)
{
	static const uint32_t types[] = { [FAKE_SYNC_STREAM] = SYNC_STREAM,
		[FAKE_SYNC_DEVICE] = SYNC_CONTEXT,
		[FAKE_STREAM_WAIT] = SYNC_WAIT,
		[FAKE_EVENT_SYNC] = SYNC_EVENT,
		[FAKE_QUERY] = SYNC_EVENT };
	bool no_stream =
		w->kind == FAKE_SYNC_DEVICE || w->kind == FAKE_EVENT_SYNC || w->kind == FAKE_QUERY;

	PUT(r, SYNC_TYPE, types[w->kind]);
	PUT(r, SYNC_START, start);
	PUT(r, SYNC_END, start + w->duration_ns);
	PUT(r, SYNC_CORRELATION, id);
	PUT(r, SYNC_CONTEXT_ID, FAKE_CONTEXT);
	PUT(r, SYNC_STREAM_ID, no_stream ? UINT32_MAX : w->stream);
	PUT(r, SYNC_EVENT_ID, w->event);
	PUT(r, SYNC_SYNC_ID, UINT32_MAX); /* CUPTI_SYNCHRONIZATION_INVALID_VALUE */
	PUT(r, SYNC_RETURN, (uint32_t)w->failed);
}

static void put_event(unsigned char *r, const struct fake_work *w, int64_t start, uint32_t id)
{
	PUT(r, EVENT_CORRELATION, id);
	PUT(r, EVENT_CONTEXT, FAKE_CONTEXT);
	PUT(r, EVENT_STREAM, w->stream);
	PUT(r, EVENT_ID, w->event);
	PUT(r, EVENT_TIME, start);
}

static void put_memory(unsigned char *r, const struct fake_work *w, int64_t start, uint32_t id)
{
	PUT(r, MEMORY_OPERATION, w->kind == FAKE_ALLOC ? MEMORY_ALLOCATED : MEMORY_RELEASED);
	PUT(r, MEMORY_KIND, 3);
	PUT(r, MEMORY_CORRELATION, id);
	PUT(r, MEMORY_ADDRESS, 0x7f0000000000 + w->event);
	PUT(r, MEMORY_BYTES, w->bytes);
	PUT(r, MEMORY_TIME, start);
	PUT(r, MEMORY_CONTEXT, FAKE_CONTEXT);
}

static void put_graph(unsigned char *r, const struct fake_work *w, int64_t start, uint32_t id)
{
	PUT(r, GRAPH_CORRELATION, id);
	PUT(r, GRAPH_START, start);
	PUT(r, GRAPH_END, start + w->duration_ns * w->nodes);
	PUT(r, GRAPH_ID, 3);
	PUT(r, GRAPH_CONTEXT, FAKE_CONTEXT);
	PUT(r, GRAPH_STREAM, w->stream);
}

void fake_device_work(unsigned char *r, const struct fake_work *w, int kind, int64_t start,
	uint32_t correlation, uint32_t tid)
{
	uint32_t k = (uint32_t)kind;

	(void)tid;
	memcpy(r, &k, sizeof(k));
	switch (kind) {
	case ACT_KERNEL: put_kernel(r, w, start, correlation); break;
	case ACT_MEMCPY:
	case ACT_MEMCPY2: put_copy(r, w, start, correlation); break;
	case ACT_MEMSET: put_set(r, w, start, correlation); break;
	case ACT_SYNC: put_sync(r, w, start, correlation); break;
	case ACT_CUDA_EVENT: put_event(r, w, start, correlation); break;
	case ACT_MEMORY2: put_memory(r, w, start, correlation); break;
	case ACT_GRAPH: put_graph(r, w, start, correlation); break;
	default: break;
	}
}

void fake_call(unsigned char *r, int kind, uint32_t id, int64_t start, int64_t end, uint32_t tid,
	uint32_t correlation, int failed)
{
	uint32_t k = (uint32_t)kind;

	memset(r, 0, FAKE_RECORD_MAX);
	memcpy(r, &k, sizeof(k));
	PUT(r, API_CBID, id);
	PUT(r, API_START, start);
	PUT(r, API_END, end);
	PUT(r, API_THREAD, tid);
	PUT(r, API_CORRELATION, correlation);
	PUT(r, API_RETURN, failed);
}

void fake_external(unsigned char *r, int kind, uint64_t external, uint32_t correlation)
{
	uint32_t k = ACT_EXTERNAL;

	memset(r, 0, FAKE_RECORD_MAX);
	memcpy(r, &k, sizeof(k));
	PUT(r, EXTERNAL_KIND, kind);
	PUT(r, EXTERNAL_ID, external);
	PUT(r, EXTERNAL_CORRELATION, correlation);
}

void fake_context(unsigned char *r)
{
	uint32_t k = ACT_CONTEXT;

	memset(r, 0, FAKE_RECORD_MAX);
	memcpy(r, &k, sizeof(k));
	PUT(r, CONTEXT_ID, FAKE_CONTEXT);
	PUT(r, CONTEXT_DEVICE, 0);
}

/* The figures of an H200. */
void fake_device(unsigned char *r, uint32_t version)
{
	static const char name[] = "Fake \"H200\"";
	uint32_t k = ACT_DEVICE;
	int i;

	memset(r, 0, FAKE_RECORD_MAX);
	memcpy(r, &k, sizeof(k));
	PUT(r, DEVICE_MEMORY, 150754820096);
	PUT(r, DEVICE_WARP, 32);
	PUT(r, DEVICE_SMS, 132);
	PUT(r, DEVICE_WARPS_PER_SM, 64);
	PUT(r, DEVICE_BLOCKS_PER_SM, 32);
	PUT(r, DEVICE_SMEM_PER_SM, 233472);
	PUT(r, DEVICE_REGS_PER_SM, 65536);
	PUT(r, DEVICE_REGS_PER_BLOCK, 65536);
	PUT(r, DEVICE_SMEM_PER_BLOCK, 49152);
	PUT(r, DEVICE_THREADS_PER_BLOCK, 1024);
	PUT(r, DEVICE_MAJOR, 9);
	PUT(r, DEVICE_MINOR, 0);
	for (i = 0; i < 16; i++)
		r[AT_DEVICE_UUID + i] = (unsigned char)(i * 17);
	PUT(r, DEVICE_NAME, (uintptr_t)(version > CUPTI_V13_0 ? strdup(name) : name));
}

void fake_without_times(unsigned char *r)
{
	PUT(r, KERNEL_END, 0);
}

void fake_without_event_time(unsigned char *r)
{
	PUT(r, EVENT_TIME, 0);
}
