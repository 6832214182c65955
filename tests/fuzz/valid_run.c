/* The model: each step fetches its batch, goes forward and backward through its layers, sums over
 * the ranks, copies what it reports and waits for it.
 *
 *     host    ProfilerStep#7 [ loader ][ layer: op > op > launch ]...[ all_reduce ][ item: sync ]
 *     device                             kernel kernel ...   copy   kernel of the collective */
#include "tests/fuzz/valid_run.h"

enum { HOST = 4100, FIRST_STEP = 3, CORRELATIONS = 30000 };

struct valid_event *valid_run_add(struct valid_run *r, char ph, enum valid_cat cat,
	const char *name, int64_t pid, int64_t tid, int64_t ts, int64_t dur)
{
	struct valid_event *e;

	e = ARENA_PUSH(r->mem, r->ev, r->n, r->room,
		(struct valid_event){ .ph = ph,
			.cat = (uint8_t)cat,
			.name = name,
			.pid = pid,
			.tid = tid,
			.ts = ts,
			.dur = dur });
	return e;
}

bool valid_run_has(const struct valid_run *r, enum valid_part part)
{
	return !(r->shape.without >> part & 1);
}

static int64_t host_ns(struct valid_run *r)
{
	return draw_chance(&r->by, r->shape.host_ns / 2, r->shape.host_ns * 3 / 2);
}

static int64_t kernel_ns(struct valid_run *r)
{
	return draw_chance(&r->by, r->shape.kernel_ns / 4, r->shape.kernel_ns * 2);
}

static int64_t tid_of(const struct valid_run *r)
{
	return HOST + 10 * (int64_t)r->thread;
}

static int64_t stream_of(unsigned stream)
{
	static const int64_t id[VALID_STREAMS] = { 7, 20, 24, 28 };

	return id[stream];
}

/* Begins an event of the host; returns its number. */
static size_t begin(struct valid_run *r, enum valid_cat cat, const char *name)
{
	valid_run_add(r, 'X', cat, name, HOST, tid_of(r), r->now[r->thread], 0)->ext = ++r->next;
	r->now[r->thread] += host_ns(r);
	return r->n - 1;
}

static void end(struct valid_run *r, size_t at)
{
	r->now[r->thread] += host_ns(r);
	r->ev[at].dur = r->now[r->thread] - r->ev[at].ts;
	r->now[r->thread] += 300;
}

static void arrow(struct valid_run *r, size_t from, size_t to)
{
	struct valid_event a = r->ev[from], b = r->ev[to];

	if (!valid_run_has(r, VALID_ARROWS))
		return;
	valid_run_add(r, 's', VALID_FLOW, "ac2g", a.pid, a.tid, a.ts, 0)->corr = a.corr;
	valid_run_add(r, 'f', VALID_FLOW, "ac2g", b.pid, b.tid, b.ts, 0)->corr = a.corr;
}

/* Launches work on a stream; what it is stands in the event that is returned. */
static struct valid_event *launch(struct valid_run *r, enum valid_cat cat, const char *call,
	const char *name, unsigned stream, int64_t dur)
{
	int64_t corr = CORRELATIONS + ++r->next, *queue = &r->queue[r->device][stream], start;
	struct valid_event *e;
	size_t at = r->n;

	e = valid_run_add(
		r, 'X', VALID_RUNTIME, call, HOST, tid_of(r), r->now[r->thread], host_ns(r));
	e->corr = corr;
	e->ext = r->next;
	r->now[r->thread] += e->dur + 200;
	start = *queue < r->now[r->thread] + 1500 ? r->now[r->thread] + 1500 : *queue;
	*queue = start + dur + 800;
	e = valid_run_add(r, 'X', cat, name, r->device, stream_of(stream), start, dur);
	e->corr = corr;
	e->ext = r->next;
	e->v[0] = r->device;
	arrow(r, at, at + 1);
	return &r->ev[at + 1];
}

static void kernel(struct valid_run *r, unsigned i)
{
	static const char *const names[] = { "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128",
		"void at::native::vectorized_elementwise_kernel<4, AddFunctor<float> >(int, AddFunctor<float>)",
		"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_256x128_64x3_tn>(Params)",
		"flash_fwd_kernel", "triton_poi_fused_add_mul_0",
		"void at::native::reduce_kernel<512, 1, float>(float)" };
	struct valid_event *e = launch(r, VALID_KERNEL,
		i % 3 == 2 && valid_run_has(r, VALID_GRAPHS) ? "cudaGraphLaunch"
							     : "cudaLaunchKernel",
		names[(i + (unsigned)draw_chance(&r->by, 0, 1)) % COUNT_OF(names)],
		i % r->shape.streams, kernel_ns(r));

	e->v[1] = draw_chance(&r->by, 1, 400);
	e->v[2] = 32 * draw_chance(&r->by, 1, 32);
	e->v[3] = draw_chance(&r->by, 0, 100) * 1024;
}

static void allocate(struct valid_run *r, int64_t bytes)
{
	struct valid_event *e;

	if (!valid_run_has(r, VALID_ALLOCATOR))
		return;
	r->held += bytes;
	e = valid_run_add(r, 'i', VALID_MEMORY, "[memory]", HOST, tid_of(r), r->now[r->thread], 0);
	e->v[0] = bytes;
	e->v[1] = r->held;
	e->v[2] = (r->held / 2097152 + 1) * 2097152;
	e->v[3] = r->device;
	r->now[r->thread] += 100;
}

/* SIZE_MAX: Python was not recorded. */
static size_t begin_frame(struct valid_run *r, const char *name, int64_t parent)
{
	size_t at;

	if (!valid_run_has(r, VALID_FRAMES))
		return SIZE_MAX;
	at = begin(r, VALID_PYTHON, name);
	r->ev[at].v[0] = ++r->python;
	r->ev[at].v[1] = parent;
	return at;
}

static void end_frame(struct valid_run *r, size_t at)
{
	if (at != SIZE_MAX)
		end(r, at);
}

/* An operator around another, around launches. */
static void layer(struct valid_run *r, bool is_backward)
{
	static const char *const outer[] = { "aten::linear", "aten::layer_norm",
		"aten::scaled_dot_product_attention",
		"autograd::engine::evaluate_function: AddmmBackward0" };
	static const char *const inner[] = { "aten::addmm", "aten::native_layer_norm",
		"aten::_flash_attention_forward", "aten::mm" };
	size_t which = (size_t)draw_chance(&r->by, 0, 2), a, b, frame;
	unsigned i;

	if (is_backward)
		which = 3;
	frame = begin_frame(
		r, which == 2 ? "nn.Module: Attention_0" : "model.py(31): forward", r->python);
	a = begin(r, VALID_OP, outer[which]);
	b = begin(r, VALID_OP, inner[which]);
	r->ev[b].v[0] = draw_chance(&r->by, 1, 64) * 16;
	r->ev[b].v[1] = draw_chance(&r->by, 1, 64) * 16;
	allocate(r, is_backward ? -1048576 : 1048576);
	for (i = 0; i < r->shape.kernels; i++)
		kernel(r, i);
	end(r, b);
	end(r, a);
	end_frame(r, frame);
}

static void copy(struct valid_run *r, const char *name, int64_t bytes)
{
	if (!valid_run_has(r, VALID_COPIES))
		return;
	launch(r, VALID_MEMCPY, "cudaMemcpyAsync", name, 0, kernel_ns(r))->v[1] = bytes;
	launch(r, VALID_MEMSET, "cudaMemsetAsync", "Memset (Device)", 0, kernel_ns(r) / 4)->v[1] =
		bytes / 2;
}

static const char *ranks_of(struct valid_run *r)
{
	SCOPED_STR text = { 0 };
	const char *kept;
	unsigned i;

	for (i = 0; i < r->shape.world && i < 8; i++)
		str_addf(&text, "%s%u", i ? ", " : "[", i);
	str_addc(&text, ']');
	kept = arena_copy(r->mem, text.s, text.n);
	return kept;
}

/* One of the group of all ranks: a record around a launch; arrivals of ranks differ. */
static void collective(struct valid_run *r, unsigned kind)
{
	static const struct {
		const char *op, *name, *kernel;
	} kinds[] = { { "nccl:all_reduce", "allreduce",
			      "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(args)" },
		{ "nccl:_all_gather_base", "_allgather_base",
			"ncclDevKernel_AllGather_RING_LL(args)" },
		{ "nccl:_reduce_scatter_base", "_reduce_scatter_base",
			"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(args)" },
		{ "nccl:all_to_all", "all_to_allv", "ncclDevKernel_SendRecv(args)" } };
	struct valid_coll *c;
	struct valid_event *e;
	size_t a, b;

	if (!valid_run_has(r, VALID_COMMS))
		return;
	kind %= COUNT_OF(kinds);
	c = arena_alloc(r->mem, sizeof(*c));
	*c = (struct valid_coll){ .name = kinds[kind].name,
		.group = "0",
		.ranks = ranks_of(r),
		.dtype = "BFloat16",
		.in = 65536,
		.out = kind == 1 ? 65536 * (int64_t)r->shape.world : 65536,
		.size = r->shape.world,
		.seq = ++r->seq };
	a = begin(r, VALID_ANNOTATION, kinds[kind].op);
	b = begin(r, VALID_OP, "record_param_comms");
	r->ev[b].coll = c;
	e = launch(r, VALID_KERNEL, "cudaLaunchKernelExC", kinds[kind].kernel, r->shape.streams - 1,
		kernel_ns(r) + 100 * (((int64_t)r->shape.rank + r->seq) % 7));
	e->coll = c;
	e->v[1] = 24;
	e->v[2] = 512;
	end(r, b);
	end(r, a);
}

/* Waits for the device, as .item() does. */
static void wait_for_device(struct valid_run *r)
{
	struct valid_event *e;
	int64_t until, wait;
	size_t op;

	if (!valid_run_has(r, VALID_SYNCS))
		return;
	op = begin(r, VALID_OP, "aten::item");
	copy(r, "Memcpy DtoH (Device -> Pinned)", 4);
	until = r->queue[r->device][0];
	wait = until > r->now[r->thread] ? until - r->now[r->thread] : 500;
	e = valid_run_add(r, 'X', VALID_RUNTIME, "cudaStreamSynchronize", HOST, tid_of(r),
		r->now[r->thread], wait);
	e->corr = CORRELATIONS + ++r->next;
	e->ext = r->next;
	e = valid_run_add(r, 'X', VALID_SYNC, "Stream Sync", r->device, 7, r->now[r->thread], wait);
	e->corr = CORRELATIONS + r->next;
	e->v[0] = r->device;
	r->now[r->thread] += wait;
	end(r, op);
}

static void fetch(struct valid_run *r)
{
	size_t at;

	if (!valid_run_has(r, VALID_LOADER))
		return;
	at = begin(
		r, VALID_ANNOTATION, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
	r->now[r->thread] += 3 * host_ns(r);
	end(r, at);
	copy(r, "Memcpy HtoD (Pageable -> Device)", 262144);
}

/* The row of an annotation on the device, around the work since event `from`. */
static void put_gpu_annotation(struct valid_run *r, const char *name, size_t from)
{
	int64_t start = INT64_MAX, stop = INT64_MIN;
	size_t i;

	if (!valid_run_has(r, VALID_GPU_ANNOTATIONS))
		return;
	for (i = from; i < r->n; i++) {
		const struct valid_event *e = &r->ev[i];

		if (!(VALID_BIT(e->cat) & VALID_WORK) || e->tid != 7 || e->pid != r->device)
			continue;
		start = e->ts < start ? e->ts : start;
		stop = e->ts + e->dur > stop ? e->ts + e->dur : stop;
	}
	if (start < stop)
		(void)valid_run_add(r, 'X', VALID_GPU_ANNOTATION, name, r->device, 7, start - 1,
			stop - start + 2);
}

static void forward(struct valid_run *r)
{
	size_t at = begin(r, VALID_ANNOTATION, "forward");
	unsigned i;

	for (i = 0; i < r->shape.layers; i++) {
		r->device = i % r->shape.devices;
		layer(r, false);
	}
	end(r, at);
}

/* On another thread where there are several. */
static void backward(struct valid_run *r, unsigned number)
{
	unsigned i;

	if (r->shape.threads > 1) {
		r->thread = 1 + number % (r->shape.threads - 1);
		if (r->now[r->thread] < r->now[0])
			r->now[r->thread] = r->now[0];
	}
	for (i = 0; i < r->shape.layers; i++) {
		r->device = i % r->shape.devices;
		layer(r, true);
		collective(r, i + number);
	}
	if (r->now[0] < r->now[r->thread])
		r->now[0] = r->now[r->thread];
	r->thread = 0;
	r->device = 0;
}

static void step(struct valid_run *r, unsigned number)
{
	const char *name = arena_printf(r->mem, "ProfilerStep#%u", number);
	size_t from = r->n, at = begin(r, VALID_ANNOTATION, name);
	size_t frame = begin_frame(r, "train.py(88): train_one_epoch", 0);

	fetch(r);
	forward(r);
	backward(r, number);
	wait_for_device(r);
	end_frame(r, frame);
	end(r, at);
	put_gpu_annotation(r, name, from);
	r->now[0] += r->shape.pause_ns;
}

/* What is beside the steps: the profiler's own rows and counters. */
static void around(struct valid_run *r, int64_t start)
{
	int64_t stop = r->now[0], i;

	if (valid_run_has(r, VALID_FLUSHES))
		(void)valid_run_add(
			r, 'X', VALID_OVERHEAD, "Buffer Flush", -1, 0, stop - 2000, 1500);
	if (valid_run_has(r, VALID_WINDOW))
		(void)valid_run_add(r, 'X', VALID_SPAN, "PyTorch Profiler (0)", -2, 0, start - 1000,
			stop - start + 3000);
	for (i = 0; valid_run_has(r, VALID_COUNTERS) && i < 4; i++)
		valid_run_add(
			r, 'C', VALID_COUNTER, "GPU power", 0, 0, start + (stop - start) / 4 * i, 0)
			->v[0] = 300 + i;
}

static int64_t length(struct draw *d, int64_t usual)
{
	static const int64_t part[] = { 8, 1, 16, 80, 800, 8000, 4, 2 };

	return usual * part[draw_below(d, COUNT_OF(part))] / 8;
}

static void draw_shape(struct valid_shape *s, struct draw *d, unsigned rank)
{
	static const unsigned worlds[] = { 4, 2, 8, 1, 3, 16, 64, 1024 };
	unsigned more;

	s->steps = 1 + (unsigned)(draw_below(d, 8) + 2) % 8;
	s->layers = 1 + (unsigned)draw_below(d, 3);
	s->kernels = 1 + (unsigned)(draw_below(d, 4) + 1) % 4;
	s->devices = 1 + (unsigned)draw_below(d, 64) / 48;
	s->streams = 1 + (unsigned)(draw_below(d, VALID_STREAMS) + 1) % VALID_STREAMS;
	s->threads = 1 + (unsigned)(draw_below(d, 3) + 1) % 3;
	s->without = (unsigned)draw_below(d, 256);
	s->without &= (unsigned)draw_below(d, 256);
	more = (unsigned)draw_below(d, 256);
	s->without |= (more & (unsigned)draw_below(d, 256)) << 8;
	s->hardware = (unsigned)draw_below(d, 8);
	s->world = worlds[draw_below(d, COUNT_OF(worlds))];
	s->rank = rank + (unsigned)draw_below(d, 256) / 192;
	s->kernel_ns = length(d, 20000);
	s->host_ns = length(d, 3000);
	s->pause_ns = length(d, 10000);
	s->form = (unsigned)draw_below(d, 256);
}

void valid_run_make(
	struct valid_run *r, struct arena *mem, struct draw *d, unsigned nth, unsigned rank)
{
	static const int64_t memories[] = { 84929347584, 17179869184, 0 };
	int64_t start = 1751410836000000;
	unsigned i;

	*r = (struct valid_run){ .mem = mem, .by = *d, .base_ns = 1751410836000000000 };
	draw_shape(&r->shape, d, rank);
	draw_seed(&r->by, draw_below(d, 256) + 256 * (uint64_t)nth);
	start += draw_chance(&r->by, 0, 1000000);
	r->world = r->shape.world;
	r->rank = r->shape.rank;
	r->sms = 132;
	r->memory = memories[r->shape.hardware % COUNT_OF(memories)];
	r->held = 1 << 30;
	for (i = 0; i < VALID_DEVICES; i++)
		r->now[i] = start;
	for (i = 0; i < r->shape.steps; i++)
		step(r, FIRST_STEP + i);
	around(r, start);
}
