/* Device rows of `top`: kernels, copies and sets, from one pass over the device order. */
#include "analyze/answer/top/top.h"
#include "analyze/measure/device/sweep.h"

static struct top_id id_of(const struct top *t, uint32_t row)
{
	const struct events *ev = &t->at->run->events;

	switch (t->by) {
	case TOP_BY_CATEGORY: return top_id(0, 0, ev->kind[row]);
	case TOP_BY_STREAM: return top_id(0, ev->lane[row], 0);
	default: return top_id(ev->name[row], 0, ev->kind[row]);
	}
}

static void count_total(struct top_totals *all, enum kind kind, nsec dur)
{
	nsec *of = kind == KIND_KERNEL ? &all->kernel
		: kind == KIND_MEMCPY  ? &all->memcpy
				       : &all->memset;

	saturate_onto(&all->device, dur);
	saturate_onto(of, dur);
	all->ndevice++;
}

void top_device_collect(struct top *t)
{
	const struct run *r = t->at->run;
	const struct events *ev = &r->events;

	top_groups_init(&t->device, r->strings.n);
	for (EACH_DEVICE_ROW(row, r)) {
		if (!filter_device(&t->at->view, row))
			continue;
		count_total(&t->totals, (enum kind)ev->kind[row], ev->dur[row]);
		if (filter_name(&t->at->view, ev->name[row])) {
			const int64_t *bytes = r->args.col[ARG_DEVICE_BYTES].i64;
			uint32_t args = r->events.args[row];
			nsec dur = r->events.dur[row];
			uint32_t at = top_groups_add(&t->device, id_of(t, row), row);
			struct top_group *g = top_group(&t->device, at);
			g->calls++;
			saturate_onto(&g->total, dur);
			g->min = MIN(dur, g->min);
			g->max = MAX(dur, g->max);
			/* Kernels that say a size are asked for it only where other arguments of
			 * theirs are. */
			if (bytes && args != NO_ARGS && bytes[args - 1] != ARG_UNKNOWN &&
				arg_is_of(ARG_DEVICE_BYTES, (enum kind)r->events.kind[row]))
				g->bytes = saturate_add(
					g->bytes == ARG_UNKNOWN ? 0 : g->bytes, bytes[args - 1]);
		}
	}
}

uint32_t top_device_find(struct top *t, uint32_t row)
{
	return top_groups_find(&t->device, id_of(t, row));
}

/* The table of device rows of `top`. */

static struct span group_name(const struct top *t, const struct top_group *g)
{
	if (t->by == TOP_BY_CATEGORY)
		return span_of(kind_word((enum kind)g->id.kind));
	if (t->by != TOP_BY_STREAM)
		return strings_get(&t->at->run->strings, top_id_a(g->id));
	const struct lane *lane = &t->at->run->lanes.lane[top_id_b(g->id)];
	char *text = arena_printf(
		&t->at->out->mem, "GPU %" PRId64 " stream %" PRId64, lane->device, lane->stream);
	return span_of(text);
}

/* A time asked for is that of the device; a memory what copies and sets moved. */
static size_t sort_column(enum top_key key)
{
	switch (key) {
	case TOP_CALLS: return WORK_CALLS;
	case TOP_NAME: return WORK_NAME;
	case TOP_CPU_AVG:
	case TOP_DEVICE_AVG: return WORK_MEAN;
	case TOP_CPU_BYTES:
	case TOP_SELF_CPU_BYTES:
	case TOP_DEVICE_BYTES:
	case TOP_SELF_DEVICE_BYTES: return WORK_BYTES;
	default: return WORK_SUM;
	}
}

static size_t visible_columns(const struct top *t, bool has_steps, uint8_t *v)
{
	size_t n = 0;
	bool by_step = t->per == TOP_PER_STEP && has_steps;

	v[n++] = by_step ? WORK_PER_STEP : t->per == TOP_PER_CALL ? WORK_MEAN : WORK_SUM;
	v[n++] = WORK_SHARE;
	v[n++] = WORK_CUMULATIVE;
	if (v[0] != WORK_SUM)
		v[n++] = WORK_SUM;
	if (has_steps && !by_step)
		v[n++] = WORK_PER_STEP;
	if (t->by == TOP_BY_STREAM)
		v[n++] = WORK_BUSY;
	v[n++] = WORK_CALLS;
	if (v[0] != WORK_MEAN)
		v[n++] = WORK_MEAN;
	v[n++] = WORK_P95;
	if (t->key >= TOP_CPU_BYTES)
		v[n++] = WORK_BYTES;
	v[n++] = WORK_NAME;
	return n;
}

/* The union of the stream's rows that pass the filters. */
static nsec stream_busy(struct top *t, uint32_t lane)
{
	const struct order *o = t->at->run->order;
	const struct events *ev = &t->at->run->events;
	struct sweep_union u = SWEEP_UNION;

	for (size_t i = o->device_begin[lane]; i < o->device_begin[lane + 1]; i++) {
		uint32_t row = o->device[i];

		if (filter_device(&t->at->view, row) && filter_name(&t->at->view, ev->name[row]))
			sweep_cover(&u, ev->start[row], events_end(ev, row));
	}
	return u.busy;
}

static void put(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	const struct top_group *of = item;
	struct top *t = g->ctx;
	const struct lane *lane;
	struct classes *classes = &t->classes;

	if (t->by == TOP_BY_STREAM) {
		lane = &t->at->run->lanes.lane[top_id_b(of->id)];
		groupby_int(g, WORK_DEVICE, lane->device);
		groupby_int(g, WORK_STREAM, lane->stream);
		groupby_int(g, WORK_BUSY, stream_busy(t, top_id_b(of->id)));
	} else if (t->by != TOP_BY_CATEGORY) {
		table_bool(g->t, groupby_column(g, WORK_IS_COMM),
			of->id.kind == KIND_KERNEL && classes_of(classes, of->row) == CLASS_COMM);
	}
}

static const struct grouping device = {
	.name = WORK_NAME, .calls = WORK_CALLS, .put = put, .join = top_group_join
};

void top_device_rank(struct top *t)
{
	struct groupby *g = &t->device_table;
	uint8_t *visible = arena_alloc(&t->at->mem, WORK_COLUMNS);

	top_groups_finish(t, &t->device, group_name);
	for (size_t i = 0; t->by == TOP_BY_STREAM && i < t->device.n; i++)
		top_group(&t->device, i)->kind = NULL;
	classes_init(&t->classes, t->at->run, &t->at->mem);
	*g = groupby_of(&device, t->at, &top_docs[TOP_DEVICE], &t->device, t);
	g->by = &g->doc->col[sort_column(t->key)].from;
	g->of.whole = (double)t->totals.device;
	g->of.steps = (double)top_steps(t);
	g->limit = t->limit;
	g->order = visible;
	g->norder = visible_columns(t, g->of.steps > 0, visible);
	groupby_rank(g);
	groupby_table(g);
	g->t->footnote =
		"% is of the sum of GPU time (overlapping work counts twice), not of wall time";
}

void top_device_put(struct top *t)
{
	groupby_put(&t->device_table);
}
