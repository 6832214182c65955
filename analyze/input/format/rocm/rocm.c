/* Records of ROCm's profilers as events. */
#include "analyze/input/format/rocm/rocm.h"

#include "analyze/input/format/torch_range.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/producers.h"

/* What is said of the machine: GPUs as Kineto's deviceProperties, and members of the document. */

static void add_number(struct str *b, const char *key, int64_t v)
{
	if (v > 0)
		emit_gpu_number(b, key, v);
}

void rocm_gpu(struct rocm *r, const struct rocm_gpu *g)
{
	struct str *b = &r->gpus;
	size_t word = (size_t)g->number / 64;

	if (g->number < 0 || word >= COUNT_OF(r->gpu_known) ||
		r->gpu_known[word] >> (g->number % 64) & 1)
		return;
	r->gpu_known[word] |= UINT64_C(1) << (g->number % 64);
	emit_gpu_begin(b, g->number, g->name);
	add_number(b, "totalGlobalMem", g->memory_bytes);
	add_number(b, "numSms", g->cus);
	add_number(b, "warpSize", g->warp);
	if (g->warp > 0 && g->warp <= 1024 && g->waves_per_cu > 0 && g->waves_per_cu <= 1024)
		add_number(b, "maxThreadsPerMultiprocessor", g->warp * g->waves_per_cu);
	add_number(b, "sharedMemPerMultiprocessor", g->lds_bytes);
	if (g->target >= 10000)
		str_addf(b, ", \"computeMajor\": %" PRId64 ", \"computeMinor\": %" PRId64,
			g->target / 10000, g->target / 100 % 100);
	str_addc(b, '}');
}

void rocm_member(struct rocm *r, const char *key, struct span text)
{
	SCOPED_STR b = { 0 };

	emit_quote(&b, text);
	emit_member(&r->m, key, (struct span){ b.s + 1, b.n - 2 }, true);
}

static int64_t number(struct json_value o, const char *key)
{
	struct json_value v = json_get(o, key);
	int64_t n;

	return v.type != JSON_NONE && num_i64(v.text, &n) ? n : -1;
}

/* What memory the device has of its own. */
static int64_t memory_of(struct json_value banks)
{
	int64_t all = 0;

	for (struct json_items it = json_list(banks); json_more(&it);) {
		int64_t n = number(it.v, "size_in_bytes");

		if (n < 0 || add_overflows(all, n, &all))
			return -1;
	}
	return all;
}

void rocm_gpu_of_json(struct rocm *r, struct json_value agent, int64_t gpu)
{
	struct json_value product = json_get(agent, "product_name");
	struct json_value name = product.text.n ? product : json_get(agent, "name");
	int64_t lds = number(agent, "lds_size_in_kb");
	struct rocm_gpu g = {
		.number = gpu,
		.name = rocm_keep_json(r, name.text, name.escaped),
		.memory_bytes = memory_of(json_get(agent, "mem_banks")),
		.cus = number(agent, "cu_count"),
		.warp = number(agent, "wave_front_size"),
		.waves_per_cu = number(agent, "max_waves_per_cu"),
		.lds_bytes = lds > 0 && lds < 1 << 20 ? lds << 10 : -1,
		.target = number(agent, "gfx_target_version"),
	};

	rocm_gpu(r, &g);
}

enum { MERGE_EVERY = 8192 };

/* Correlations are a process's own; of all but the first they are moved out of its way. */
enum { PROCESS_SHIFT = 40 };

enum key {
	KEY_DEVICE,
	KEY_STREAM,
	KEY_CORRELATION,
	KEY_GRID,
	KEY_BLOCK,
	KEY_REGISTERS,
	KEY_SHARED,
	KEY_BYTES,
	KEY_GRAPH,
	KEY_NODE,
	KEY_SEQUENCE,
	KEY_DIMS,
	KEYS
};

static const char *const keys[KEYS] = { "device", "stream", "correlation", "grid", "block",
	"registers per thread", "shared memory", "bytes", "graph id", "graph node id",
	"Sequence number", "Input Dims" };

enum cat {
	CAT_KERNEL,
	CAT_COPY,
	CAT_RANGE,
	CAT_OP,
	CAT_HIP,
	CAT_HSA,
	CAT_ROCTX,
	CAT_RCCL,
	CAT_MEMORY,
	CAT_SCRATCH,
	CAT_KFD,
	CAT_OTHER,
	CATS
};

/* How the domains begin whose calls are of a category, and what Kineto calls it, or nobody does. */
static const struct {
	const char *domain, *name;
} cats[CATS] = {
	[CAT_KERNEL] = { NULL, "kernel" },
	[CAT_COPY] = { NULL, "gpu_memcpy" },
	[CAT_RANGE] = { NULL, "user_annotation" },
	[CAT_OP] = { NULL, "cpu_op" },
	[CAT_HIP] = { "HIP_", "cuda_runtime" },
	[CAT_HSA] = { "HSA_", "cuda_driver" },
	[CAT_ROCTX] = { "MARKER_", "roctx" },
	[CAT_RCCL] = { "RCCL_", "rccl_api" },
	[CAT_MEMORY] = { "MEMORY_ALLOCATION", "memory_allocation" },
	[CAT_SCRATCH] = { "SCRATCH_MEMORY", "scratch_memory" },
	[CAT_KFD] = { "KFD_", "kfd" },
	[CAT_OTHER] = { NULL, "rocm" },
};

void rocm_open(struct rocm *r, struct emit_sink *out)
{
	*r = (struct rocm){ .out = out };
	emitter_init(&r->m, out->plan);
	for (size_t i = 0; i < KEYS; i++)
		r->key[i] = emit_key(&r->m, keys[i]);
	for (size_t i = 0; i < CATS; i++)
		r->cat[i] = rocm_keep(r, span_of(cats[i].name));
	out->producer = &producers[PRODUCER_ROCPROF];
}

void rocm_close(struct rocm *r)
{
	emitter_clear(&r->m);
	arena_clear(&r->mem);
	str_free(&r->gpus);
}

struct span rocm_keep(struct rocm *r, struct span text)
{
	char *p = arena_alloc(&r->mem, text.n + EMIT_PADDING);

	if (text.n)
		memcpy(p, text.p, text.n);
	return (struct span){ p, text.n };
}

struct span rocm_keep_json(struct rocm *r, struct span inside, bool escaped)
{
	SCOPED_ARENA scratch = { 0 };
	unsigned bad = 0;

	if (!escaped)
		return rocm_keep(r, inside);
	struct span kept = rocm_keep(r, json_unescape(inside, &scratch, &bad));
	if (bad)
		emit_problem(&r->m, PROBLEM_REPAIRED_ESCAPE, -1);
	return kept;
}

/* The digits of a number, until the merge. */
static struct span digits(struct rocm *r, int64_t v)
{
	return emit_keepf(&r->m, "%" PRId64, v);
}

void rocm_process_name(struct rocm *r, int64_t pid, struct span name)
{
	emit_process_name(&r->m, digits(r, pid), emit_keep(&r->m, name));
}

void rocm_thread_name(struct rocm *r, int64_t pid, int64_t tid, struct span name)
{
	emit_thread_name(&r->m, digits(r, pid), digits(r, tid), emit_keep(&r->m, name));
}

static enum status merge(struct rocm *r, struct err *e)
{
	r->waiting = 0;
	return emit_merge(r->out, &r->m, e);
}

static enum status one_more(struct rocm *r, struct err *e)
{
	return ++r->waiting < MERGE_EVERY ? OK : merge(r, e);
}

static void put_correlation(struct rocm *r, int64_t id)
{
	if (id <= 0)
		return;
	emit_uint(&r->m, r->key[KEY_CORRELATION],
		(uint64_t)id ^ (uint64_t)r->process << PROCESS_SHIFT);
}

static void put_known(struct rocm *r, enum key key, int64_t v)
{
	if (v >= 0)
		emit_int(&r->m, r->key[key], v);
}

/* Ends a slice whose times are known to be, in order or not. */
static enum status end_slice(struct rocm *r, const struct rocm_record *c, struct err *e)
{
	int64_t dur;

	if (sub_overflows(c->n[ROCM_END], c->n[ROCM_START], &dur)) {
		rocm_skip(r, c->offset);
		return OK;
	}
	emit_end(&r->m, c->n[ROCM_START], dur, c->offset);
	return one_more(r, e);
}

static void on_device(struct rocm *r, int64_t device, int64_t stream)
{
	emit_lane(&r->m, digits(r, device), digits(r, stream));
	emit_int(&r->m, r->key[KEY_DEVICE], device);
	emit_int(&r->m, r->key[KEY_STREAM], stream);
}

/* Blocks of a dimension; 0: not known. */
static int64_t blocks(int64_t items, int64_t group)
{
	return items > 0 && group > 0 ? (items - 1) / group + 1 : 0;
}

enum status rocm_dispatch(struct rocm *r, const struct rocm_record *c, struct err *e)
{
	const int64_t *n = c->n, *group = &n[ROCM_GROUP_X];
	int64_t stream = n[ROCM_STREAM] >= 0 ? n[ROCM_STREAM] : n[ROCM_QUEUE];
	int64_t grid[3];

	for (int64_t i = 0; i < 3; i++)
		grid[i] = blocks(n[ROCM_GRID_X + i], group[i]);
	emit_begin(&r->m, 'X', r->cat[CAT_KERNEL], c->name);
	on_device(r, MAX(c->device, 0), MAX(stream, 0));
	put_correlation(r, n[ROCM_CORRELATION]);
	if (grid[0] && grid[1] && grid[2]) {
		emit_vec3(&r->m, r->key[KEY_GRID], grid[0], grid[1], grid[2]);
		emit_vec3(&r->m, r->key[KEY_BLOCK], group[0], group[1], group[2]);
	}
	if (c->vgprs > 0)
		emit_int(&r->m, r->key[KEY_REGISTERS], c->vgprs + MAX(c->accum_vgprs, 0));
	put_known(r, KEY_SHARED, n[ROCM_LDS]);
	if (n[ROCM_GRAPH] > 0) { /* 0 is no graph's */
		put_known(r, KEY_GRAPH, n[ROCM_GRAPH]);
		put_known(r, KEY_NODE, n[ROCM_GRAPH_NODE]);
	}
	return end_slice(r, c, e);
}

static enum cat cat_of(const struct rocm_record *c)
{
	if (c->is_range)
		return CAT_RANGE;
	return FIND_VALUE(i, CATS, cats[i].domain && span_starts(c->domain, cats[i].domain),
		(enum cat)i, CAT_OTHER);
}

enum status rocm_call(struct rocm *r, const struct rocm_record *c, struct err *e)
{
	bool mark = c->is_range && c->n[ROCM_START] == c->n[ROCM_END];
	struct torch_range torch = { .name = c->name, .sequence = -1 };

	if (c->is_range)
		torch = torch_range_read(c->name);
	emit_begin(&r->m, mark ? 'i' : 'X', r->cat[torch.is_op ? CAT_OP : cat_of(c)], torch.name);
	put_known(r, KEY_SEQUENCE, torch.sequence);
	if (torch.sizes.p)
		emit_json(&r->m, r->key[KEY_DIMS], torch.sizes);
	emit_lane(&r->m, digits(r, MAX(c->pid, 0)), digits(r, MAX(c->n[ROCM_THREAD], 0)));
	if (!c->is_range)
		put_correlation(r, c->n[ROCM_CORRELATION]);
	return end_slice(r, c, e);
}

/* What Kineto calls a copy, and whose it is. */
struct direction {
	struct span word, name;
	bool of_source;
};

static const struct direction *direction_of(struct span word)
{
	static const struct direction known[] = {
		{ { "HOST_TO_DEVICE", 14 }, { "Memcpy HtoD (Host -> Device)", 28 }, false },
		{ { "DEVICE_TO_HOST", 14 }, { "Memcpy DtoH (Device -> Host)", 28 }, true },
		{ { "DEVICE_TO_DEVICE", 16 }, { "Memcpy DtoD (Device -> Device)", 30 }, true },
		{ { "PEER_TO_PEER", 12 }, { "Memcpy PtoP (Device -> Device)", 30 }, true },
		{ { "HOST_TO_HOST", 12 }, { "Memcpy HtoH (Host -> Host)", 26 }, true },
	};

	return FIND(i, known, COUNT_OF(known),
		word.n >= known[i].word.n &&
			span_eq((struct span){ word.p + word.n - known[i].word.n, known[i].word.n },
				known[i].word));
}

enum status rocm_copy(struct rocm *r, const struct rocm_record *c, struct err *e)
{
	const struct direction *d = direction_of(c->name);
	int64_t device = d && !d->of_source ? c->to : c->from;
	struct span name = d ? d->name : c->name;

	if (d && c->from >= 0 && c->to >= 0 && c->from != c->to)
		name = SPAN("Memcpy PtoP (Device -> Device)");
	if (device < 0)
		device = c->from >= 0 ? c->from : c->to;
	emit_begin(&r->m, 'X', r->cat[CAT_COPY], emit_keep(&r->m, name));
	on_device(r, MAX(device, 0), MAX(c->n[ROCM_STREAM], 0));
	put_correlation(r, c->n[ROCM_CORRELATION]);
	put_known(r, KEY_BYTES, c->n[ROCM_BYTES]);
	return end_slice(r, c, e);
}

enum status rocm_count(struct rocm *r, const char *what, struct err *e)
{
	emit_count(&r->m, 'C', emit_keep(&r->m, span_of(what)));
	return one_more(r, e);
}

void rocm_skip(struct rocm *r, int64_t offset)
{
	emit_problem(&r->m, PROBLEM_SKIPPED_RECORD, offset);
}

enum status rocm_finish(struct rocm *r, struct err *e)
{
	emit_gpus(&r->m, &r->gpus);
	return merge(r, e);
}
