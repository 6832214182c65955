/*
 * The table of device rows of `top`.
 */
#include <inttypes.h>

#include "analyze/measure/saturate.h"
#include "analyze/trace/order.h"
#include "analyze/measure/sweep.h"
#include "analyze/answer/top/top_task.h"
#include "analyze/answer/top/top_rank.h"

enum {
	NAME,
	KIND,
	DEVICE,
	STREAM,
	SUM,
	SHARE,
	CUMULATIVE,
	PER_STEP,
	CALLS,
	MEAN,
	P50,
	P95,
	MIN,
	MAX,
	BYTES,
	BUSY,
	IS_COMM,
	COLUMNS
};
_Static_assert((int)COLUMNS == (int)TOP_DEVICE_COLUMNS, "as in top.h");

const struct column top_device_columns[TOP_DEVICE_COLUMNS] = {
	[NAME] = { "name", "name", "The kernel, copy or set; with --by stream the stream.", NULL,
		CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC },
	[KIND] = { "kind", "kind", "kernel, memcpy or memset.", NULL, CELL_TEXT, UNIT_NONE, 0 },
	[DEVICE] = { "device", "device",
		"The device of the stream (args.device, else the pid); --by stream only.", NULL,
		CELL_INT, UNIT_NONE, 0 },
	[STREAM] = { "stream", "stream",
		"The stream (args.stream, else the tid); --by stream only.", NULL, CELL_INT,
		UNIT_NONE, 0 },
	[SUM] = { "device_sum_ns", "self GPU",
		"Sum of durations: work that overlaps on several streams counts more than once.",
		"torch.autograd.profiler_util, self_device_time_total of device events", CELL_INT,
		UNIT_NS, 0 },
	[SHARE] = { "share_ratio", "%",
		"device_sum_ns of the row over that of all device work that passes the filters on "
		"steps, kinds, devices and streams.",
		NULL, CELL_REAL, UNIT_RATIO, 0 },
	[CUMULATIVE] = { "cumulative_ratio", "cum%", "Sum of % down to this row.", NULL, CELL_REAL,
		UNIT_RATIO, COLUMN_CUMULATIVE },
	[PER_STEP] = { "per_step_ns", "per step",
		"device_sum_ns over the number of steps looked at.", NULL, CELL_REAL, UNIT_NS, 0 },
	[CALLS] = { "calls", "calls", "Device events of that name.", NULL, CELL_INT, UNIT_COUNT,
		0 },
	[MEAN] = { "mean_ns", "avg", "device_sum_ns over calls.", NULL, CELL_REAL, UNIT_NS, 0 },
	[P50] = { "p50_ns", "p50", "Median duration, interpolated linearly.",
		"Hyndman and Fan 1996, type 7", CELL_REAL, UNIT_NS, 0 },
	[P95] = { "p95_ns", "p95", "95th percentile of the duration, interpolated linearly.",
		"Hyndman and Fan 1996, type 7", CELL_REAL, UNIT_NS, 0 },
	[MIN] = { "min_ns", "min", "Shortest.", NULL, CELL_INT, UNIT_NS, 0 },
	[MAX] = { "max_ns", "max", "Longest.", NULL, CELL_INT, UNIT_NS, 0 },
	[BYTES] = { "bytes", "bytes",
		"Sum of args.bytes of copies and sets; absent where the trace has none.", NULL,
		CELL_INT, UNIT_BYTES, 0 },
	[BUSY] = { "busy_ns", "busy",
		"Union of the stream's intervals: overlaps count once; --by stream only.", NULL,
		CELL_INT, UNIT_NS, 0 },
	[IS_COMM] = { "is_comm", "comm", "A collective, by the kernel's name.",
		"docs/definitions.md, comm", CELL_BOOL, UNIT_NONE, 0 },
};

struct fill {
	struct top *t;
	struct table *out;
	const struct top_columns *c;
	nsec sum;
	size_t nstep;
};

static struct span group_name(const struct top *t, const struct top_group *g)
{
	const struct lane *lane;
	char *text;

	if (t->by == TOP_BY_CATEGORY)
		return span_of(kind_word((enum kind)g->id.kind));
	if (t->by != TOP_BY_STREAM)
		return strings_get(&t->run->strings, top_id_a(g->id));
	lane = &t->run->lanes.lane[top_id_b(g->id)];
	text = arena_printf(
		&t->out->mem, "device %" PRId64 " stream %" PRId64, lane->device, lane->stream);
	return span_of(text);
}

/* Names and, by the groups' own field: device groups keep their sum in `total`. */
static enum top_key key_of(struct top *t)
{
	switch (t->key) {
	case TOP_CALLS:
	case TOP_NAME: return t->key;
	case TOP_CPU_AVG:
	case TOP_DEVICE_AVG: return TOP_CPU_AVG;
	case TOP_CPU_BYTES:
	case TOP_SELF_CPU_BYTES:
	case TOP_DEVICE_BYTES:
	case TOP_SELF_DEVICE_BYTES: return TOP_SELF_DEVICE_BYTES;
	default: return TOP_CPU_TOTAL;
	}
}

static size_t visible_columns(const struct fill *f, const struct top *t, uint8_t *v)
{
	size_t n = 0;
	bool by_step = t->per == TOP_PER_STEP && f->nstep;

	v[n++] = by_step ? PER_STEP : t->per == TOP_PER_CALL ? MEAN : SUM;
	v[n++] = SHARE;
	v[n++] = CUMULATIVE;
	if (v[0] != SUM)
		v[n++] = SUM;
	if (f->nstep && !by_step)
		v[n++] = PER_STEP;
	if (t->by == TOP_BY_STREAM)
		v[n++] = BUSY;
	v[n++] = CALLS;
	if (v[0] != MEAN)
		v[n++] = MEAN;
	v[n++] = P95;
	if (t->key >= TOP_CPU_BYTES)
		v[n++] = BYTES;
	v[n++] = NAME;
	return n;
}

/* Cells that add up: these the foot rows have too. */
static void put_sums(struct fill *f, const struct top_group *g)
{
	const struct top_columns *c = f->c;

	table_int(f->out, c->at[SUM], g->total);
	table_real(f->out, c->at[SHARE], top_ratio((double)g->total, (double)f->t->totals.device));
	if (f->nstep)
		table_real(f->out, c->at[PER_STEP], (double)g->total / (double)f->nstep);
	table_int(f->out, c->at[CALLS], g->calls);
	if (g->bytes != ARG_UNKNOWN)
		table_int(f->out, c->at[BYTES], g->bytes);
}

/* The union of the stream's rows that pass the filters. */
static nsec stream_busy(struct top *t, uint32_t lane)
{
	const struct order *o = t->run->order;
	const struct events *ev = &t->run->events;
	struct sweep_union u = SWEEP_UNION;
	size_t i;

	for (i = o->device_begin[lane]; i < o->device_begin[lane + 1]; i++) {
		uint32_t row = o->device[i];

		if (filter_device(&t->view, row) && filter_name(&t->view, ev->name[row]))
			sweep_cover(&u, ev->start[row], events_end(ev, row));
	}
	return u.busy;
}

static void put_identity(struct fill *f, const struct top_group *g)
{
	struct top *t = f->t;
	const struct top_columns *c = f->c;
	struct span name = group_name(t, g);

	table_text(f->out, c->at[NAME], name);
	if (t->by == TOP_BY_STREAM) {
		const struct lane *lane = &t->run->lanes.lane[top_id_b(g->id)];

		table_int(f->out, c->at[DEVICE], lane->device);
		table_int(f->out, c->at[STREAM], lane->stream);
		table_int(f->out, c->at[BUSY], stream_busy(t, top_id_b(g->id)));
		return;
	}
	table_text(f->out, c->at[KIND], span_of(kind_word((enum kind)g->id.kind)));
	if (t->by != TOP_BY_CATEGORY)
		table_bool(f->out, c->at[IS_COMM],
			g->id.kind == KIND_KERNEL && run_is_comm_name(name));
}

static void put_row(struct fill *f, const struct top_group *g, const struct top_samples *s)
{
	const struct top_columns *c = f->c;

	table_row(f->out);
	put_identity(f, g);
	put_sums(f, g);
	f->sum = saturate_add(f->sum, g->total);
	table_real(
		f->out, c->at[CUMULATIVE], top_ratio((double)f->sum, (double)f->t->totals.device));
	table_real(f->out, c->at[MEAN], (double)g->total / g->calls);
	table_int(f->out, c->at[MIN], g->min);
	table_int(f->out, c->at[MAX], g->max);
	table_real(f->out, c->at[P50], s->p50[g->slot - 1]);
	table_real(f->out, c->at[P95], s->p95[g->slot - 1]);
}

static void put_foot(struct fill *f, const struct top_rank *r)
{
	size_t cut = r->n - r->shown;

	if (cut) {
		table_row(f->out);
		table_textf(f->out, f->c->at[NAME], "... %zu more row%s (-n 0 shows all)", cut,
			cut == 1 ? "" : "s");
		put_sums(f, &r->rest);
		table_real(f->out, f->c->at[CUMULATIVE],
			top_ratio((double)r->all.total, (double)f->t->totals.device));
		f->out->nfoot++;
	}
	f->out->ncut = cut;
	table_row(f->out);
	table_text(f->out, f->c->at[NAME], SPAN("total"));
	put_sums(f, &r->all);
	f->out->nfoot++;
}

void top_device_rank(struct top *t)
{
	struct top_shown *s = t->device_shown = arena_alloc(&t->mem, sizeof(*s));

	s->key = key_of(t);
	top_rank_init(&s->rank, t, &t->device, s->key, group_name);
	top_samples_init(&s->samples, &s->rank, &t->device);
}

void top_device_table(struct top *t)
{
	struct fill f = { .t = t, .nstep = top_steps(t) };
	const struct top_shown *shown = t->device_shown;
	struct top_columns c;
	uint8_t visible[COLUMNS];
	size_t i;

	top_columns_init(&c, &t->out->mem, top_device_columns, COLUMNS, visible,
		visible_columns(&f, t, visible));
	f.c = &c;
	f.out = result_table(t->out, "device", "device work", c.col, c.n);
	f.out->input = t->input;
	for (i = 0; i < shown->rank.shown; i++)
		put_row(&f, &t->device.g[shown->rank.place[i].group], &shown->samples);
	put_foot(&f, &shown->rank);
	f.out->footnote =
		"% is of the sum of device time (overlapping work counts twice), not of wall time";
}
