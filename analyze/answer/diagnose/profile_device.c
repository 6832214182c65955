/* A profile of device work: sums by class, by name, by direction. */
#include "analyze/answer/diagnose/profile.h"
#include "analyze/measure/device/occupancy.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/stat/stats.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"

/* Rows of torch's table: device work, ops, annotations on the device. */
enum { TOP_OPS = 10, LISTS = 3 };

struct device_walk {
	struct profile *p;
	struct profile_sum *by_name; /* by sym */
	nsec *by_op;                 /* by sym of the op it belongs to */
	struct arena *mem;
	nsec *by_annotation; /* by sym: annotations on its timeline */
	uint8_t *says;       /* by sym: what the name of a kernel or an op says */
	struct casts casts;
	struct stepcut cut;
	size_t near;
	nsec start, end, in_steps; /* of the row that is looked at */
	int64_t *kernel_ns;        /* durations of kernels that compute */
	size_t nkernel;
};

enum {
	ASKED = 1,
	IS_ATTENTION = 2,
	IS_SOFTMAX = 4,
	IS_BMM = 8,
	IS_MATRIX = 16,
	IS_FP32 = 32,
	IS_TF32 = 64
};

/* Of matrix work, by the kernel's name: volta_sgemm, volta_scudnn. */
static uint8_t format_says(struct span kernel)
{
	enum roof_dtype format = roof_format_in(kernel);

	return (uint8_t)(IS_MATRIX | (format == ROOF_FP32 ? IS_FP32 : 0) |
		(format == ROOF_TF32 ? IS_TF32 : 0));
}

/* Fused kernels by their names.  The ops that attention is otherwise made of. */
static uint8_t what_says(struct device_walk *w, sym name)
{
	struct span text = strings_get(&w->p->run->strings, name);
	enum family f;

	if (!w->says[name]) {
		f = family_of(text);
		w->says[name] = (uint8_t)(ASKED | (f == FAMILY_ATTENTION ? IS_ATTENTION : 0) |
			(span_is(text, "aten::_softmax") ? IS_SOFTMAX : 0) |
			(span_in(text, "aten::bmm|aten::baddbmm") ? IS_BMM : 0) |
			(family_is_matrix(f) ? format_says(text) : 0));
	}
	return w->says[name];
}

static void add_part(void *ctx, uint32_t step, nsec start, nsec end)
{
	(void)step;
	saturate_onto(ctx, saturate_sub(end, start));
}

static nsec in_steps(struct device_walk *w, nsec start, nsec end)
{
	nsec sum = 0;

	stepcut_each(&w->cut, &w->near, start, end, add_part, &sum);
	return sum;
}

/* Rows come by their start, so what of one is new begins where those before it ended. */
static void add(struct device_walk *w, struct profile_sum *s, uint32_t row)
{
	if (s->count == 0 || s->end <= w->start)
		saturate_onto(&s->in_steps, w->in_steps);
	else if (s->end < w->end)
		saturate_onto(&s->in_steps, in_steps(w, s->end, w->end));
	if (s->count == 0 || s->end < w->end)
		s->end = w->end;
	profile_sum_add(s, w->p->run, row);
}

static void add_copy(struct device_walk *w, uint32_t row)
{
	const struct run *r = w->p->run;
	struct copy_class c = copyclass_of(run_name(r, row));
	struct profile_copies *to = &w->p->device.copies[c.direction];
	const int64_t *bytes = r->args.col[ARG_DEVICE_BYTES].i64;
	uint32_t side = r->events.args[row];
	nsec dur = r->events.dur[row];

	add(w, &to->all, row);
	if (!bytes || side == NO_ARGS || bytes[side - 1] == ARG_UNKNOWN)
		to->bytes = ARG_UNKNOWN;
	else if (to->bytes != ARG_UNKNOWN)
		saturate_onto(&to->bytes, bytes[side - 1]);
	if (c.from == COPY_MEMORY_PAGEABLE || c.to == COPY_MEMORY_PAGEABLE)
		saturate_onto(&to->pageable, dur);
	if (c.from == COPY_MEMORY_PINNED || c.to == COPY_MEMORY_PINNED)
		saturate_onto(&to->pinned, dur);
}

static void add_comm(struct device_walk *w, uint32_t row)
{
	struct profile_comm *to = &w->p->device.comm;
	const struct comm_call call = commclass_call(w->p->run, row);
	double factor = commclass_bus_factor(call.op, call.ranks);
	nsec dur = w->p->run->events.dur[row];

	saturate_onto(&to->ns[call.op], dur);
	if (call.bytes == ARG_UNKNOWN || call.bytes <= 0)
		return;
	to->sized++;
	saturate_onto(&to->bytes, call.bytes);
	saturate_onto(&to->sized_ns, dur);
	to->bus_bytes += (isnan(factor) ? 1 : factor) * (double)call.bytes;
}

static void add_kernel(struct device_walk *w, uint32_t row)
{
	const struct run *r = w->p->run;
	struct profile_device *d = &w->p->device;
	double blocks = occupancy_blocks_per_sm(r, row);
	nsec dur = r->events.dur[row];

	w->kernel_ns[w->nkernel++] = dur;
	if (dur < w->p->limits.short_kernel)
		add(w, &d->short_kernels, row);
	if (!isnan(blocks))
		saturate_onto(&d->blocks_ns, dur);
	if (blocks < w->p->limits.few_blocks)
		add(w, &d->small, row);
	if (casts_is(&w->casts, row))
		add(w, &d->casts, row);
}

static void add_op(struct device_walk *w, sym op, uint32_t row)
{
	struct profile_device *d = &w->p->device;
	nsec dur = w->p->run->events.dur[row];
	uint8_t says = what_says(w, op);

	saturate_onto(&w->by_op[op], dur);
	if (says & IS_SOFTMAX)
		saturate_onto(&d->softmax_ops, dur);
	if (says & IS_BMM)
		saturate_onto(&d->bmm_ops, dur);
	if (says & (IS_SOFTMAX | IS_BMM))
		add(w, &d->plain, row);
}

static void add_row(struct device_walk *w, uint32_t row)
{
	struct profile_device *d = &w->p->device;
	const struct run *r = w->p->run;
	enum devclass k = classes_of(&w->p->classes, row);
	uint32_t side = r->events.args[row];
	uint32_t op = side == NO_ARGS ? NO_ROW : r->links->op[side - 1];

	w->start = r->events.start[row];
	w->end = events_end(&r->events, row);
	w->in_steps = in_steps(w, w->start, w->end);
	if (op != NO_ROW)
		add_op(w, r->events.name[op], row);
	saturate_onto(&d->sum[k], r->events.dur[row]);
	d->count[k]++;
	add(w, &w->by_name[r->events.name[row]], row);
	if (k == CLASS_MEMCPY)
		add_copy(w, row);
	else if (k == CLASS_COMM)
		add_comm(w, row);
	else if (k == CLASS_COMPUTE && r->events.kind[row] == KIND_KERNEL)
		add_kernel(w, row);
	uint8_t says = k == CLASS_COMPUTE ? what_says(w, r->events.name[row]) : 0;
	if (says & IS_ATTENTION)
		add(w, &d->attention, row);
	if (says & IS_MATRIX)
		add(w, &d->matrix, row);
	if (says & (IS_FP32 | IS_TF32))
		add(w, says & IS_FP32 ? &d->fp32 : &d->tf32, row);
}

static void keep(struct profile_name *best, sym name, const struct profile_sum *sum)
{
	if (sum->ns > best->sum.ns)
		*best = (struct profile_name){ name, *sum };
}

/* The top names of each class. */
static void find_top(struct device_walk *w)
{
	struct profile_device *d = &w->p->device;

	for (size_t i = 0; i < w->p->run->strings.n; i++) {
		const struct profile_sum *x = &w->by_name[i];

		if (x->count == 0)
			continue;
		switch (classes_of(&w->p->classes, x->row)) {
		case CLASS_COMPUTE: keep(&d->top_kernel, (sym)i, x); break;
		case CLASS_COMM: keep(&d->top_comm, (sym)i, x); break;
		case CLASS_MEMCPY: keep(&d->top_copy, (sym)i, x); break;
		default: break;
		}
	}
}

/* The ten heaviest rows of torch's table, ops and device work together, as the seed sums them. */
static void find_top10(struct device_walk *w)
{
	struct profile_device *d = &w->p->device;
	const struct strings *names = &w->p->run->strings;
	struct profile_name top[TOP_OPS] = { 0 };

	for (size_t i = 0; i < LISTS * names->n; i++) {
		sym name = (sym)(i / LISTS);
		const nsec of[LISTS] = { w->by_name[name].ns, w->by_op[name],
			w->by_annotation[name] };
		struct profile_name x = { name, { .ns = of[i % LISTS], .row = NO_ROW } };

		for (size_t k = 0; k < TOP_OPS; k++) {
			struct profile_name old = top[k];

			if (x.sum.ns <= old.sum.ns)
				continue;
			top[k] = x;
			x = old;
		}
	}
	for (EACH(const struct profile_name, n, top, TOP_OPS)) {
		saturate_onto(&d->top10, n->sum.ns);
		if (span_has_nocase(strings_get(names, n->name), "copy"))
			saturate_onto(&d->top10_copies, n->sum.ns);
	}
}

static void add_annotations(struct device_walk *w, int64_t id)
{
	const struct run *r = w->p->run;
	struct filter_view view = w->p->view;

	w->by_annotation = arena_array(w->mem, r->strings.n, sizeof(*w->by_annotation));
	view.kinds |= KIND_BIT(KIND_GPU_ANNOTATION);
	for (EACH_OF_KIND(i, &r->events, KIND_GPU_ANNOTATION)) {
		nsec dur = r->events.dur[i], *sum = &w->by_annotation[r->events.name[i]];

		if (r->lanes.lane[r->events.lane[i]].device != id ||
			!filter_device(&view, (uint32_t)i))
			continue;
		saturate_onto(sum, dur);
		saturate_onto(&w->p->device.annotations, dur);
	}
}

void profile_of_device(struct profile *p)
{
	const struct run *r = p->run;
	SCOPED_ARENA scratch = { 0 };
	struct device_walk w = { .p = p, .mem = &scratch };
	size_t n = r->order->device_begin[r->lanes.n];
	int64_t id = p->account.id;
	struct sweep sweep;
	uint32_t row;

	w.by_name = arena_array(&scratch, r->strings.n, sizeof(*w.by_name));
	w.by_op = arena_array(&scratch, r->strings.n, sizeof(*w.by_op));
	casts_init(&w.casts, r, &scratch);
	w.kernel_ns = arena_array(&scratch, n, sizeof(*w.kernel_ns));
	w.says = arena_array(&scratch, r->strings.n, sizeof(*w.says));
	stepcut_init(&w.cut, &p->window, &scratch);
	sweep_device(&sweep, r, id, &scratch);
	while (sweep_next(&sweep, &row))
		if (filter_device(&p->view, row))
			add_row(&w, row);
	if (w.nkernel > 0)
		p->device.median_kernel =
			saturate_whole(stats_quantile(w.kernel_ns, w.nkernel, 0.5));
	p->device.kernels = (int64_t)w.nkernel;
	add_annotations(&w, id);
	find_top(&w);
	find_top10(&w);
}
