/*
 * A profile of device work: sums by class, by name, by direction.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/diagnose/profile.h"
#include "analyze/measure/device/occupancy.h"
#include "analyze/stat/stats.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/compiler.h"
#include "base/saturate.h"

/* Rows of torch's table: device work, ops, annotations on the device. */
enum { TOP_OPS = 10, LISTS = 3 };

struct device_walk {
	struct profile *p;
	struct profile_sum *by_name; /* by sym */
	nsec *by_op;                 /* by sym of the op it belongs to */
	nsec *by_annotation;         /* by sym: annotations on its timeline */
	struct casts casts;
	int64_t *kernel_ns; /* durations of kernels that compute */
	size_t nkernel;
};

static void add_copy(struct device_walk *w, uint32_t row)
{
	const struct run *r = w->p->run;
	struct copy_class c = copyclass_of(run_name(r, row));
	struct profile_copies *to = &w->p->device.copies[c.direction];
	const int64_t *bytes = r->args.col[ARG_DEVICE_BYTES].i64;
	uint32_t side = r->events.args[row];
	nsec dur = r->events.dur[row];

	profile_sum_add(&to->all, r, row);
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
		profile_sum_add(&d->short_kernels, r, row);
	if (!isnan(blocks))
		saturate_onto(&d->blocks_ns, dur);
	if (blocks < w->p->limits.few_blocks)
		profile_sum_add(&d->small, r, row);
	if (casts_is(&w->casts, row))
		profile_sum_add(&w->p->device.casts, r, row);
}

static void add_row(struct device_walk *w, uint32_t row)
{
	struct profile_device *d = &w->p->device;
	const struct run *r = w->p->run;
	enum devclass k = classes_of(&w->p->classes, row);
	uint32_t side = r->events.args[row];
	uint32_t op = side == NO_ARGS ? NO_ROW : r->links->op[side - 1];

	if (op != NO_ROW)
		saturate_onto(&w->by_op[r->events.name[op]], r->events.dur[row]);
	saturate_onto(&d->sum[k], r->events.dur[row]);
	d->count[k]++;
	profile_sum_add(&w->by_name[r->events.name[row]], r, row);
	if (k == CLASS_MEMCPY)
		add_copy(w, row);
	else if (k == CLASS_COMM)
		add_comm(w, row);
	else if (k == CLASS_COMPUTE && r->events.kind[row] == KIND_KERNEL)
		add_kernel(w, row);
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

static void add_sum(struct profile_sum *to, const struct profile_sum *x, const struct run *r)
{
	if (to->count == 0 || r->events.dur[x->row] > r->events.dur[to->row])
		to->row = x->row;
	to->count += x->count;
	saturate_onto(&to->ns, x->ns);
}

/* Fused kernels by their names; the ops that attention is otherwise made of. */
static void find_attention(struct device_walk *w)
{
	struct profile_device *d = &w->p->device;
	const struct strings *names = &w->p->run->strings;

	for (size_t i = 0; i < names->n; i++) {
		const struct profile_sum *x = &w->by_name[i];
		struct span name = strings_get(names, (sym)i);

		if (x->count > 0 && classes_of(&w->p->classes, x->row) == CLASS_COMPUTE &&
			family_of(name) == FAMILY_ATTENTION)
			add_sum(&d->attention, x, w->p->run);
		if (w->by_op[i] == 0)
			continue;
		if (span_is(name, "aten::_softmax"))
			d->softmax_ops = w->by_op[i];
		else if (span_is(name, "aten::bmm") || span_is(name, "aten::baddbmm"))
			saturate_onto(&d->bmm_ops, w->by_op[i]);
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
		struct profile_name x = { name, { 0, of[i % LISTS], NO_ROW } };

		for (size_t k = 0; k < TOP_OPS; k++) {
			struct profile_name old = top[k];

			if (x.sum.ns <= old.sum.ns)
				continue;
			top[k] = x;
			x = old;
		}
	}
	for (size_t k = 0; k < TOP_OPS; k++) {
		saturate_onto(&d->top10, top[k].sum.ns);
		if (span_has_nocase(strings_get(names, top[k].name), "copy"))
			saturate_onto(&d->top10_copies, top[k].sum.ns);
	}
}

static void add_annotations(struct device_walk *w, int64_t id)
{
	const struct run *r = w->p->run;
	struct filter_view view = w->p->view;

	w->by_annotation = arena_array(w->p->mem, r->strings.n, sizeof(*w->by_annotation));
	view.kinds |= KIND_BIT(KIND_GPU_ANNOTATION);
	for (size_t i = events_find(&r->events, 0, KIND_GPU_ANNOTATION); i < r->events.n;
		i = events_find(&r->events, i + 1, KIND_GPU_ANNOTATION)) {
		nsec dur = r->events.dur[i], *sum = &w->by_annotation[r->events.name[i]];

		if (r->lanes.lane[r->events.lane[i]].device != id ||
			!filter_device(&view, (uint32_t)i))
			continue;
		saturate_onto(sum, dur);
		saturate_onto(&w->p->device.annotations, dur);
	}
}

static void add_lane(struct device_walk *w, uint32_t lane)
{
	const struct order *o = w->p->run->order;

	for (size_t i = o->device_begin[lane]; i < o->device_begin[lane + 1]; i++)
		if (filter_device(&w->p->view, o->device[i]))
			add_row(w, o->device[i]);
}

void profile_of_device(struct profile *p)
{
	const struct run *r = p->run;
	struct device_walk w = { .p = p };
	size_t lane, end, n = r->order->device_begin[r->lanes.n];
	int64_t id = p->account.id;

	w.by_name = arena_array(p->mem, r->strings.n, sizeof(*w.by_name));
	w.by_op = arena_array(p->mem, r->strings.n, sizeof(*w.by_op));
	casts_init(&w.casts, r, p->mem);
	w.kernel_ns = arena_array(p->mem, n, sizeof(*w.kernel_ns));
	order_device_lanes(r->order, r, id, &lane, &end);
	for (; lane < end; lane++)
		add_lane(&w, r->order->device_lane[lane]);
	if (w.nkernel > 0)
		p->device.median_kernel =
			saturate_whole(stats_quantile(w.kernel_ns, w.nkernel, 0.5));
	p->device.kernels = (int64_t)w.nkernel;
	add_annotations(&w, id);
	find_top(&w);
	find_attention(&w);
	find_top10(&w);
}
