/*
 * The table of CPU rows of `top`.
 */
#include <math.h>

#include "analyze/measure/saturate.h"
#include "analyze/answer/top/top_task.h"
#include "analyze/answer/top/top_rank.h"

enum {
	NAME,
	KIND,
	SHAPES,
	CALLS,
	CALLS_DEDUP,
	SELF,
	SELF_DEDUP,
	SELF_OPS,
	TOTAL,
	TOTAL_DEDUP,
	SHARE,
	CUMULATIVE,
	PER_STEP,
	PER_CALL,
	MEAN,
	P50,
	P95,
	MIN,
	MAX,
	DEVICE_SELF,
	DEVICE_TOTAL,
	CPU_BYTES,
	SELF_CPU_BYTES,
	DEVICE_BYTES,
	SELF_DEVICE_BYTES,
	COLUMNS
};
_Static_assert((int)COLUMNS == (int)TOP_OPS_COLUMNS, "as in top.h");

#define GOLDEN_TREE "torch.autograd.profiler_util, EventList._populate_cpu_children"

const struct column top_ops_columns[TOP_OPS_COLUMNS] = {
	[NAME] = { "name", "name",
		"What was called; ProfilerStep#N are one row, ProfilerStep* (--no-fold: each its "
		"own).",
		NULL, CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC },
	[KIND] = { "kind", "kind",
		"cpu_op, user_annotation, runtime (calls of the CUDA or HIP runtime and driver) "
		"or other.",
		NULL, CELL_TEXT, UNIT_NONE, 0 },
	[SHAPES] = { "input_shapes", "input shapes",
		"Input Dims of the op as the trace has them; --by shape only.", NULL, CELL_TEXT,
		UNIT_NONE, 0 },
	[CALLS] = { "calls", "calls", "Events of that name.", NULL, CELL_INT, UNIT_COUNT, 0 },
	[CALLS_DEDUP] = { "calls_dedup", "calls (dedup)",
		"Calls as torch counts them: an event that is its parent's only child and has the "
		"parent's name is not counted.",
		"torch.autograd.profiler_util, EventList._remove_dup_nodes", CELL_INT, UNIT_COUNT,
		0 },
	[SELF] = { "self_cpu_ns", "self CPU",
		"Duration less the durations of the direct children on the same thread; runtime "
		"calls are children too.",
		GOLDEN_TREE, CELL_INT, UNIT_NS, 0 },
	[SELF_DEDUP] = { "self_cpu_dedup_ns", "self CPU (dedup)",
		"self_cpu_ns after the removal that calls_dedup describes.",
		"torch.autograd.profiler_util, EventList._remove_dup_nodes", CELL_INT, UNIT_NS, 0 },
	[SELF_OPS] = { "self_cpu_ops_ns", "self CPU (ops only)",
		"Self time in the tree of ops and annotations only: time in runtime calls stays "
		"with the op.",
		GOLDEN_TREE, CELL_INT, UNIT_NS, 0 },
	[TOTAL] = { "cpu_total_ns", "total CPU",
		"Sum of durations; nested calls of one name count more than once.", NULL, CELL_INT,
		UNIT_NS, 0 },
	[TOTAL_DEDUP] = { "cpu_total_dedup_ns", "total CPU (dedup)",
		"cpu_total_ns after the removal that calls_dedup describes; torch's CPU total.",
		"torch.autograd.profiler_util, FunctionEventAvg", CELL_INT, UNIT_NS, 0 },
	[SHARE] = { "share_ratio", "%",
		"The main time of the row over all self time of its kind, CPU or device, that "
		"passes the filters on steps and kinds.",
		NULL, CELL_REAL, UNIT_RATIO, 0 },
	[CUMULATIVE] = { "cumulative_ratio", "cum%", "Sum of % down to this row.", NULL, CELL_REAL,
		UNIT_RATIO, COLUMN_CUMULATIVE },
	[PER_STEP] = { "per_step_ns", "per step",
		"The main time over the number of steps looked at.", NULL, CELL_REAL, UNIT_NS, 0 },
	[PER_CALL] = { "per_call_ns", "per call", "The main time over calls.", NULL, CELL_REAL,
		UNIT_NS, 0 },
	[MEAN] = { "mean_ns", "avg", "Mean duration of a call, children included.", NULL, CELL_REAL,
		UNIT_NS, 0 },
	[P50] = { "p50_ns", "p50", "Median duration of a call, interpolated linearly.",
		"Hyndman and Fan 1996, type 7", CELL_REAL, UNIT_NS, 0 },
	[P95] = { "p95_ns", "p95", "95th percentile of a call's duration, interpolated linearly.",
		"Hyndman and Fan 1996, type 7", CELL_REAL, UNIT_NS, 0 },
	[MIN] = { "min_ns", "min", "Shortest call.", NULL, CELL_INT, UNIT_NS, 0 },
	[MAX] = { "max_ns", "max", "Longest call.", NULL, CELL_INT, UNIT_NS, 0 },
	[DEVICE_SELF] = { "self_device_ns", "self GPU",
		"Sum of durations of the device work whose launch has the op as the innermost op "
		"around it (an annotation where there is no op; by External id where there is no "
		"launch). Overlapping work is summed.",
		"torch.autograd.profiler_util, FunctionEvent.self_device_time_total", CELL_INT,
		UNIT_NS, 0 },
	[DEVICE_TOTAL] = { "device_total_ns", "total GPU",
		"self_device_ns of the op and of all that it called, after the removal that "
		"calls_dedup describes.",
		"torch.autograd.profiler_util, FunctionEvent.device_time_total", CELL_INT, UNIT_NS,
		0 },
	[CPU_BYTES] = { "cpu_bytes", "CPU mem",
		"Host memory allocated less freed on the op's own thread while it ran, after the "
		"removal that calls_dedup describes.",
		NULL, CELL_INT, UNIT_BYTES, 0 },
	[SELF_CPU_BYTES] = { "self_cpu_bytes", "self CPU mem",
		"cpu_bytes less that of the direct children.", NULL, CELL_INT, UNIT_BYTES, 0 },
	[DEVICE_BYTES] = { "device_bytes", "GPU mem", "The same as cpu_bytes, of device memory.",
		NULL, CELL_INT, UNIT_BYTES, 0 },
	[SELF_DEVICE_BYTES] = { "self_device_bytes", "self GPU mem",
		"device_bytes less that of the direct children.", NULL, CELL_INT, UNIT_BYTES, 0 },
};

/* What the rows are about: the time in the first column. */
struct main_time {
	enum top_key key; /* one of the four times */
	uint8_t col;
	nsec all;
	bool is_additive; /* self times: their sum means something */
};

struct fill {
	struct top *t;
	struct table *out;
	const struct top_columns *c;
	struct main_time main;
	int64_t sum;
	size_t nstep;
};

static struct main_time main_of(const struct top *t, enum top_key key)
{
	const struct top_totals *all = &t->totals;

	switch (key) {
	case TOP_CPU_TOTAL:
	case TOP_CPU_AVG: return (struct main_time){ TOP_CPU_TOTAL, TOTAL, all->cpu, false };
	case TOP_SELF_DEVICE: return (struct main_time){ key, DEVICE_SELF, all->device, true };
	case TOP_DEVICE_TOTAL:
	case TOP_DEVICE_AVG:
		return (struct main_time){ TOP_DEVICE_TOTAL, DEVICE_TOTAL, all->device, false };
	default: return (struct main_time){ TOP_SELF_CPU, SELF, all->cpu, true };
	}
}

static bool is_device_key(enum top_key key)
{
	return key == TOP_SELF_DEVICE || key == TOP_DEVICE_TOTAL || key == TOP_DEVICE_AVG;
}

/* The key asked for, or the default; without device events never a device time. */
static enum top_key key_of(struct top *t)
{
	enum top_key key = t->key;

	if (key == TOP_KEY_NONE)
		key = t->by == TOP_BY_DEFAULT || t->by == TOP_BY_CATEGORY ? TOP_SELF_CPU
									  : TOP_SELF_DEVICE;
	if (!is_device_key(key) || t->has_device)
		return key;
	result_note(t->out, t->key == TOP_KEY_NONE ? NOTE_INFO : NOTE_WARNING, "sort_fallback",
		t->input, -1,
		"ops are sorted by self CPU time: there is no device time to sort by");
	return TOP_SELF_CPU;
}

static struct span group_name(const struct top *t, const struct top_group *g)
{
	if (t->by == TOP_BY_CATEGORY)
		return span_of(kind_word((enum kind)g->id.kind));
	if (t->by == TOP_BY_PHASE)
		return span_of(phase_word((enum phase)top_id_b(g->id)));
	return top_name(t, top_id_a(g->id));
}

static size_t visible_columns(const struct fill *f, const struct top *t, uint8_t *v)
{
	size_t n = 0;
	bool by_step = t->per == TOP_PER_STEP && f->nstep;

	v[n++] = by_step ? PER_STEP : t->per == TOP_PER_CALL ? PER_CALL : f->main.col;
	v[n++] = SHARE;
	if (f->main.is_additive)
		v[n++] = CUMULATIVE;
	if (v[0] != f->main.col)
		v[n++] = f->main.col;
	if (f->nstep && !by_step)
		v[n++] = PER_STEP;
	v[n++] = CALLS;
	v[n++] = MEAN;
	v[n++] = P95;
	if (f->main.col != DEVICE_SELF && t->has_device)
		v[n++] = DEVICE_SELF;
	if (f->main.col != SELF)
		v[n++] = SELF;
	if (t->has_memory) {
		v[n++] = SELF_CPU_BYTES;
		v[n++] = SELF_DEVICE_BYTES;
	}
	if (t->by == TOP_BY_SHAPE)
		v[n++] = SHAPES;
	v[n++] = NAME;
	return n;
}

static void put_int(struct fill *f, int col, int64_t v)
{
	table_int(f->out, f->c->at[col], v);
}

static void put_real(struct fill *f, int col, double v)
{
	table_real(f->out, f->c->at[col], v);
}

/* Cells that add up: these the foot rows have too. */
static void put_sums(struct fill *f, const struct top_group *g)
{
	int64_t value = top_value(g, f->main.key);

	put_int(f, CALLS, g->calls);
	put_int(f, CALLS_DEDUP, g->calls_dedup);
	put_int(f, SELF, g->self);
	put_int(f, SELF_DEDUP, g->self_dedup);
	if (g->id.kind != KIND_RUNTIME)
		put_int(f, SELF_OPS, g->self_ops);
	if (f->t->has_device && g->id.kind != KIND_RUNTIME)
		put_int(f, DEVICE_SELF, g->device_self);
	if (!f->main.is_additive)
		return;
	put_real(f, SHARE, top_ratio((double)value, (double)f->main.all));
	if (f->nstep)
		put_real(f, PER_STEP, (double)value / (double)f->nstep);
}

static void put_use(struct fill *f, const struct top_use *use)
{
	put_int(f, CPU_BYTES, use->total.cpu);
	put_int(f, SELF_CPU_BYTES, use->self.cpu);
	put_int(f, DEVICE_BYTES, use->total.device);
	put_int(f, SELF_DEVICE_BYTES, use->self.device);
}

static void put_row(struct fill *f, const struct top_group *g, const struct top_samples *s)
{
	const struct top *t = f->t;
	int64_t value = top_value(g, f->main.key);

	table_row(f->out);
	table_text(f->out, f->c->at[NAME], group_name(t, g));
	if (t->by != TOP_BY_PHASE)
		table_text(f->out, f->c->at[KIND], span_of(kind_word((enum kind)g->id.kind)));
	if (t->by == TOP_BY_SHAPE && top_id_b(g->id))
		table_text(
			f->out, f->c->at[SHAPES], strings_get(&t->run->strings, top_id_b(g->id)));
	put_sums(f, g);
	put_int(f, TOTAL, g->total);
	put_int(f, TOTAL_DEDUP, g->total_dedup);
	if (t->has_device && g->id.kind != KIND_RUNTIME)
		put_int(f, DEVICE_TOTAL, g->device_total);
	put_real(f, SHARE, top_ratio((double)value, (double)f->main.all));
	if (f->nstep)
		put_real(f, PER_STEP, (double)value / (double)f->nstep);
	put_real(f, PER_CALL, (double)value / g->calls);
	f->sum = saturate_add(f->sum, value);
	if (f->main.is_additive)
		put_real(f, CUMULATIVE, top_ratio((double)f->sum, (double)f->main.all));
	put_real(f, MEAN, (double)g->total / g->calls);
	put_int(f, MIN, g->min);
	put_int(f, MAX, g->max);
	put_real(f, P50, s->p50[g->slot - 1]);
	put_real(f, P95, s->p95[g->slot - 1]);
}

static void put_foot(struct fill *f, const struct top_rank *r)
{
	size_t cut = r->n - r->shown;

	if (cut) {
		table_row(f->out);
		table_textf(f->out, f->c->at[NAME], "... %zu more row%s (-n 0 shows all)", cut,
			cut == 1 ? "" : "s");
		put_sums(f, &r->rest);
		if (f->main.is_additive)
			put_real(f, CUMULATIVE,
				top_ratio((double)top_value(&r->all, f->main.key),
					(double)f->main.all));
		f->out->nfoot++;
	}
	f->out->ncut = cut;
	table_row(f->out);
	table_text(f->out, f->c->at[NAME], SPAN("total"));
	put_sums(f, &r->all);
	f->out->nfoot++;
}

void top_ops_rank(struct top *t)
{
	struct top_shown *s = t->ops_shown = arena_alloc(&t->mem, sizeof(*s));

	s->key = key_of(t);
	top_rank_init(&s->rank, t, &t->ops, s->key, group_name);
	top_samples_init(&s->samples, &s->rank, &t->ops);
}

void top_ops_table(struct top *t)
{
	struct fill f = { .t = t, .nstep = top_steps(t) };
	const struct top_shown *shown = t->ops_shown;
	const struct top_rank *r = &shown->rank;
	struct top_columns c;
	uint8_t visible[COLUMNS];
	size_t i;

	f.main = main_of(t, shown->key);
	top_columns_init(&c, &t->out->mem, top_ops_columns, COLUMNS, visible,
		visible_columns(&f, t, visible));
	f.c = &c;
	f.out = result_table(t->out, "ops", "CPU ops", c.col, c.n);
	f.out->input = t->input;
	for (i = 0; i < r->shown; i++) {
		put_row(&f, &t->ops.g[r->place[i].group], &shown->samples);
		if (t->has_memory)
			put_use(&f, &t->ops.use[r->place[i].group]);
	}
	put_foot(&f, r);
	f.out->footnote = f.main.col == SELF || f.main.col == TOTAL
		? "% is of all self CPU time, runtime calls included; avg and p95 are of whole calls"
		: "% is of all device time (a sum, overlaps count twice); avg and p95 are of whole calls";
}
