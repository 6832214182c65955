/*
 * The table of device rows of `top`.
 */
#include <inttypes.h>

#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/order.h"
#include "analyze/measure/device/classes.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/answer/top/top.h"
#include "analyze/answer/top/top_quantiles.h"
#include "base/ratio.h"
#include "base/saturate.h"

struct fill {
	struct top *t;
	struct table *out;
	const struct top_columns *c;
	nsec sum;
	size_t nstep;
	struct classes classes;
};

static struct span group_name(const struct top *t, const struct top_group *g)
{
	const struct lane *lane;
	char *text;

	if (t->by == TOP_BY_CATEGORY)
		return span_of(kind_word((enum kind)g->id.kind));
	if (t->by != TOP_BY_STREAM)
		return strings_get(&t->at->run->strings, top_id_a(g->id));
	lane = &t->at->run->lanes.lane[top_id_b(g->id)];
	text = arena_printf(
		&t->at->out->mem, "device %" PRId64 " stream %" PRId64, lane->device, lane->stream);
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

	v[n++] = by_step ? WORK_PER_STEP : t->per == TOP_PER_CALL ? WORK_MEAN : WORK_SUM;
	v[n++] = WORK_SHARE;
	v[n++] = WORK_CUMULATIVE;
	if (v[0] != WORK_SUM)
		v[n++] = WORK_SUM;
	if (f->nstep && !by_step)
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

/* Cells that add up: these the foot rows have too. */
static void put_sums(struct fill *f, const struct top_group *g)
{
	const struct top_columns *c = f->c;

	table_int(f->out, c->at[WORK_SUM], g->total);
	table_real(
		f->out, c->at[WORK_SHARE], ratio_of((double)g->total, (double)f->t->totals.device));
	if (f->nstep)
		table_real(f->out, c->at[WORK_PER_STEP], (double)g->total / (double)f->nstep);
	table_int(f->out, c->at[WORK_CALLS], g->calls);
	if (g->bytes != ARG_UNKNOWN)
		table_int(f->out, c->at[WORK_BYTES], g->bytes);
}

/* The union of the stream's rows that pass the filters. */
static nsec stream_busy(struct top *t, uint32_t lane)
{
	const struct order *o = t->at->run->order;
	const struct events *ev = &t->at->run->events;
	struct sweep_union u = SWEEP_UNION;
	size_t i;

	for (i = o->device_begin[lane]; i < o->device_begin[lane + 1]; i++) {
		uint32_t row = o->device[i];

		if (filter_device(&t->at->view, row) && filter_name(&t->at->view, ev->name[row]))
			sweep_cover(&u, ev->start[row], events_end(ev, row));
	}
	return u.busy;
}

static void put_identity(struct fill *f, const struct top_group *g)
{
	struct top *t = f->t;
	const struct top_columns *c = f->c;
	struct span name = group_name(t, g);

	table_text(f->out, c->at[WORK_NAME], name);
	if (t->by == TOP_BY_STREAM) {
		const struct lane *lane = &t->at->run->lanes.lane[top_id_b(g->id)];

		table_int(f->out, c->at[WORK_DEVICE], lane->device);
		table_int(f->out, c->at[WORK_STREAM], lane->stream);
		table_int(f->out, c->at[WORK_BUSY], stream_busy(t, top_id_b(g->id)));
		return;
	}
	table_text(f->out, c->at[WORK_KIND], span_of(kind_word((enum kind)g->id.kind)));
	if (t->by != TOP_BY_CATEGORY)
		table_bool(f->out, c->at[WORK_IS_COMM],
			g->id.kind == KIND_KERNEL && classes_of(&f->classes, g->row) == CLASS_COMM);
}

static void put_row(struct fill *f, const struct top_group *g, const struct top_samples *s)
{
	const struct top_columns *c = f->c;

	table_row(f->out);
	put_identity(f, g);
	put_sums(f, g);
	saturate_onto(&f->sum, g->total);
	table_real(f->out, c->at[WORK_CUMULATIVE],
		ratio_of((double)f->sum, (double)f->t->totals.device));
	table_real(f->out, c->at[WORK_MEAN], (double)g->total / g->calls);
	table_int(f->out, c->at[WORK_MIN], g->min);
	table_int(f->out, c->at[WORK_MAX], g->max);
	table_real(f->out, c->at[WORK_P50], s->p50[g->slot - 1]);
	table_real(f->out, c->at[WORK_P95], s->p95[g->slot - 1]);
}

static void put_foot(struct fill *f, const struct top_rank *r)
{
	size_t cut = r->n - r->shown;

	rows_cut(f->out, f->c->at[WORK_NAME], cut);
	if (cut) {
		put_sums(f, &r->rest);
		table_real(f->out, f->c->at[WORK_CUMULATIVE],
			ratio_of((double)r->all.total, (double)f->t->totals.device));
	}
	table_row(f->out);
	table_text(f->out, f->c->at[WORK_NAME], SPAN("total"));
	put_sums(f, &r->all);
	f->out->nfoot++;
}

void top_device_rank(struct top *t)
{
	struct top_shown *s = t->device_shown = arena_alloc(&t->at->mem, sizeof(*s));

	s->key = key_of(t);
	top_rank_init(&s->rank, t, &t->device, s->key, group_name);
	top_samples_init(&s->samples, &s->rank, &t->device);
}

void top_device_table(struct top *t)
{
	struct fill f = { .t = t, .nstep = top_steps(t) };
	const struct top_shown *shown = t->device_shown;
	struct top_columns c;
	uint8_t visible[WORK_COLUMNS];
	size_t i;

	top_columns_init(&c, &t->at->out->mem, top_docs[TOP_DEVICE].col, WORK_COLUMNS, visible,
		visible_columns(&f, t, visible));
	f.c = &c;
	classes_init(&f.classes, t->at->run, &t->at->mem);
	f.out = result_table(t->at->out, "device", "device work", c.col, c.n);
	f.out->input = t->at->input;
	for (i = 0; i < shown->rank.shown; i++)
		put_row(&f, &t->device.g[shown->rank.place[i].group], &shown->samples);
	put_foot(&f, &shown->rank);
	f.out->footnote =
		"% is of the sum of device time (overlapping work counts twice), not of wall time";
}
