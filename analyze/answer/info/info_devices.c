/* `info`: devices, steps and their device time, allocator events. */
#include "analyze/answer/info/info.h"
#include "analyze/measure/device/devices.h"
#include "analyze/measure/gaps/busy.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/run_steps.h"

/* Steps times devices: beyond this the table is cut whatever the options. */
enum { PEOPLE_STEPS = 10, STEP_ROWS_MAX = 1000000 };

void info_busy(struct info *f)
{
	const struct steps *s = f->at->run->steps;
	size_t each = f->ndevice > 0 ? f->ndevice : 1,
	       limit = rows_limit(f->at->q, f->o->limit, PEOPLE_STEPS, SIZE_MAX);
	struct interval *window;

	limit = MIN(limit, STEP_ROWS_MAX);
	f->nstep_rows = s->source == STEPS_WHOLE ? 0 : s->n * each;
	size_t n = (MIN(f->nstep_rows, limit) + each - 1) / each;
	window = arena_array(&f->at->mem, n, sizeof(*window));
	for (size_t i = 0; i < n; i++)
		window[i] = (struct interval){ s->step[i].start, s->step[i].end };
	for (EACH(struct info_device, d, f->device, f->ndevice)) {
		d->in_step = arena_array(&f->at->mem, n, sizeof(*d->in_step));
		d->busy = busy_of_device(f->at->run, d->id, window, n, d->in_step);
	}
}

/* How the run uses device d of f->device; NULL: not at all. */
static void put_use(struct table *t, const struct info_device *d)
{
	TABLE_CELLS(t, [GPU_ACTIVE] = cell_bool(d != NULL),
		[GPU_STREAMS] = cell_int(d ? d->streams : 0),
		[GPU_EVENTS] = cell_int(d ? d->events : 0), [GPU_BUSY] = cell_int(d ? d->busy : 0));
}

static void put_gpu(const struct info *f, struct table *t, const struct gpu *g)
{
	size_t at = PARTITION_POINT(i, 0, f->ndevice, f->device[i].id < g->id);
	struct info_device *d =
		at < f->ndevice && f->device[at].id == g->id ? &f->device[at] : NULL;

	TABLE_ROW(t, [GPU_ID] = cell_int(g->id), [GPU_NAME] = info_cell(f, g->name),
		[GPU_MEMORY] = cell_count(g->memory_bytes), [GPU_SMS] = cell_count(g->sms),
		[GPU_CAPABILITY] = CELL_IF(g->major >= 0 && g->minor >= 0,
			cell_textf(t, "%lld.%lld", (long long)g->major, (long long)g->minor)),
		[GPU_THREADS] = cell_count(g->max_threads_per_sm),
		[GPU_WARP] = cell_count(g->warp_size), [GPU_LISTED] = cell_bool(true));
	put_use(t, d);
	if (d)
		d->listed = true;
}

void info_gpu_table(struct info *f)
{
	const struct meta *m = &f->at->run->meta;

	if (f->at->q->for_people && m->ngpu == 0 && f->ndevice == 0)
		return;
	struct table *t = perrun_table(f->at, &info_docs[INFO_GPUS]);
	devices_say(f->at->out, f->at->input, m->ngpu + m->ngpu_more, m->ngpu);
	for (size_t i = 0; i < m->ngpu; i++)
		put_gpu(f, t, &m->gpu[i]);
	for (EACH(const struct info_device, device, f->device, f->ndevice)) {
		if (device->listed)
			continue;
		TABLE_ROW(t, [GPU_ID] = cell_int(device->id), [GPU_LISTED] = cell_bool(false));
		put_use(t, device);
	}
}

/* Of the at-th step; d: the device it is of, or NULL. */
static void put_step(const struct info *f, struct table *t, size_t at, const struct info_device *d)
{
	const struct run *r = f->at->run;
	const struct step *s = &r->steps->step[at];
	const struct lane *thread = step_thread(r, s);
	nsec dur = saturate_sub(s->end, s->start);

	TABLE_ROW(t, [STEP_NUMBER] = cell_int(s->number));
	if (thread)
		TABLE_CELLS(t, [STEP_NAME] = cell_text(step_name(r, s)),
			[STEP_PID] = cell_text(strings_get(&r->strings, thread->pid)),
			[STEP_TID] = cell_text(strings_get(&r->strings, thread->tid)));
	TABLE_CELLS(t, [STEP_START] = cell_int(s->start), [STEP_DUR] = cell_int(dur),
		[STEP_IS_INCOMPLETE] = cell_bool(s->incomplete != STEP_IS_WHOLE),
		[STEP_EVENTS] = cell_count(s->ndevice));
	if (!d)
		return;
	TABLE_CELLS(t, [STEP_DEVICE] = cell_int(d->id), [STEP_BUSY] = cell_int(d->in_step[at]),
		[STEP_BUSY_RATIO] = cell_ratio(d->in_step[at], dur));
}

void info_step_table(struct info *f)
{
	size_t each = f->ndevice > 0 ? f->ndevice : 1,
	       limit = rows_limit(f->at->q, f->o->limit, PEOPLE_STEPS, SIZE_MAX);
	size_t n = f->nstep_rows;

	if (f->at->q->for_people && n == 0)
		return;
	struct table *t = perrun_table(f->at, &info_docs[INFO_STEPS]);
	limit = MIN(limit, STEP_ROWS_MAX);
	size_t shown = MIN(n, limit);
	for (size_t i = 0; i < shown; i++)
		put_step(f, t, i / each, f->ndevice > 0 ? &f->device[i % each] : NULL);
	rows_cut(t, STEP_NAME, n - shown);
}

/* Allocator events of one device. */
struct allocator {
	int64_t type, id;
	int64_t events, oom, alloc, freed, peak_allocated, peak_reserved;
};

enum { ALLOCATORS_MAX = 256 };

struct allocators {
	struct allocator v[ALLOCATORS_MAX];
	size_t n;
	int64_t unplaced; /* events of further devices */
};

static int64_t value_at(const struct run *r, enum arg arg, size_t side)
{
	const int64_t *v = r->args.col[arg].i64;

	return v ? v[side] : ARG_UNKNOWN;
}

/* The allocator of a row, new or old; NULL when there are too many.  The last is tried first. */
static struct allocator *find_allocator(struct allocators *a, int64_t type, int64_t id)
{
	for (size_t i = a->n; i-- > 0;)
		if (a->v[i].type == type && a->v[i].id == id)
			return &a->v[i];
	if (a->n == ALLOCATORS_MAX)
		return NULL;
	a->v[a->n] = (struct allocator){
		.type = type, .id = id, .peak_allocated = ARG_UNKNOWN, .peak_reserved = ARG_UNKNOWN
	};
	return &a->v[a->n++];
}

static void add_memory(struct allocators *a, const struct run *r, size_t row)
{
	size_t side = r->events.args[row] - 1;
	int64_t bytes = value_at(r, ARG_MEMORY_BYTES, side);
	int64_t allocated = value_at(r, ARG_MEMORY_ALLOCATED, side);
	int64_t reserved = value_at(r, ARG_MEMORY_RESERVED, side);
	struct allocator *m = find_allocator(
		a, value_at(r, ARG_MEMORY_DEVICE_TYPE, side), value_at(r, ARG_MEMORY_DEVICE, side));

	if (!m) {
		a->unplaced++;
		return;
	}
	if (!span_is(run_name(r, row), "[memory]")) {
		m->oom++;
		return;
	}
	m->events++;
	if (bytes > 0)
		saturate_onto(&m->alloc, bytes);
	else if (bytes != ARG_UNKNOWN)
		m->freed = saturate_sub(m->freed, bytes);
	m->peak_allocated = MAX(allocated, m->peak_allocated);
	m->peak_reserved = MAX(reserved, m->peak_reserved);
}

/* Source: c10/core/DeviceType.h. */
static const char *type_word(int64_t type)
{
	static const char *const words[] = { "CPU", "CUDA", "MKLDNN", "OpenGL", "OpenCL", "IDEEP",
		"HIP", "FPGA", "MAIA", "XLA", "Vulkan", "Metal", "XPU", "MPS", "Meta", "HPU", "VE",
		"Lazy", "IPU", "MTIA", "PrivateUse1" };

	return type >= 0 && type < (int64_t)COUNT_OF(words) ? words[type] : NULL;
}

static void put_allocator(struct table *t, const struct allocator *m)
{
	TABLE_ROW(t, [MEMORY_TYPE] = cell_known(m->type, ARG_UNKNOWN),
		[MEMORY_WORD] = cell_word(type_word(m->type)),
		[MEMORY_ID] = cell_known(m->id, ARG_UNKNOWN), [MEMORY_EVENTS] = cell_int(m->events),
		[MEMORY_OOM] = cell_int(m->oom), [MEMORY_ALLOC] = cell_int(m->alloc),
		[MEMORY_FREE] = cell_int(m->freed),
		[MEMORY_PEAK_ALLOCATED] = cell_known(m->peak_allocated, ARG_UNKNOWN),
		[MEMORY_PEAK_RESERVED] = cell_known(m->peak_reserved, ARG_UNKNOWN));
}

void info_memory_table(struct info *f)
{
	const struct run *r = f->at->run;
	struct table *t;
	SCOPED_ARENA mem = { 0 };

	struct allocators *a = arena_alloc(&mem, sizeof(*a));
	for (EACH_OF_KIND(i, &r->events, KIND_MEMORY))
		if (r->events.args[i] != NO_ARGS)
			add_memory(a, r, i);
	if (a->n > 0 || !f->at->q->for_people) {
		t = perrun_table(f->at, &info_docs[INFO_MEMORY]);
		for (size_t i = 0; i < a->n; i++)
			put_allocator(t, &a->v[i]);
	}
	if (a->unplaced > 0)
		result_note(f->at->out, NOTE_WARNING, "many_allocators", f->at->input, a->unplaced,
			"allocator events of more than %d GPUs; the table has the first ones",
			ALLOCATORS_MAX);
}
