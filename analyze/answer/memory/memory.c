/* `memory`: allocated and reserved memory over time, where its peak is, and whether it grows.
 * Options, peaks, trends, curves. */
#include "analyze/answer/memory/memory.h"

#include "analyze/measure/device/devices.h"
#include "analyze/analysis/fold.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run_steps.h"
#include "base/opt.h"

enum { PEOPLE_ROWS = 10, PEOPLE_POINTS = 16, MACHINE_POINTS = 1000 };

#define AT(field) offsetof(struct memory_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "ops or stacks of each GPU; 0 = all [10; all for machines]"),
	INT_OPT("points", 0, "N", AT(points),
		"about so many points of each curve; 0 = all [16; 1000 for machines]"),
	INT_OPT("lives", 0, "N", AT(lives),
		"of a memory snapshot: when the N largest blocks of each GPU were allocated and freed [0]"),
};

/* Memory of the device in bytes, or 0 when it is not listed. */
static int64_t capacity_of(const struct run *r, const struct memcurve *c)
{
	for (EACH(const struct gpu, gpu, r->meta.gpu, r->meta.ngpu))
		if (c->type != DEVICE_TYPE_CPU && gpu->id == c->device && gpu->memory_bytes > 0)
			return gpu->memory_bytes;
	return 0;
}

static void put_peak_place(struct memory *m, struct table *t, const struct memcurve *c)
{
	const struct run *r = m->at->run;
	uint32_t row = c->row[c->peak], op = memcurve_op(&m->path, row);
	nsec at = r->events.start[row];
	int64_t step;

	TABLE_CELLS(
		t, [MPEAK_ALLOCATED] = CELL_IF(!c->is_relative, cell_int(c->allocated[c->peak])),
		[MPEAK_GROWTH] = CELL_IF(c->before != ARG_UNKNOWN,
			cell_int(saturate_sub(c->allocated[c->peak], c->before))),
		[MPEAK_AT] = cell_int(saturate_sub(at, r->first_ns)), [MPEAK_START] = cell_int(at),
		[MPEAK_STEP] = CELL_IF(steps_number_at(r->steps, at, &step), cell_int(step)),
		[MPEAK_OP] = CELL_IF(op != NO_ROW, cell_text(run_name(r, op))));
	if (c->is_relative || c->reserved[c->peak] == ARG_UNKNOWN)
		return;
	table_int(t, MPEAK_RESERVED_THEN, c->reserved[c->peak]);
	if (c->type == DEVICE_TYPE_CPU)
		return; /* its allocator keeps nothing */
	TABLE_CELLS(t,
		[MPEAK_UNUSED] =
			cell_int(saturate_sub(c->reserved[c->peak], c->allocated[c->peak])),
		[MPEAK_UNUSED_RATIO] = CELL_IF(c->reserved[c->peak] > 0,
			cell_real(((double)c->reserved[c->peak] - (double)c->allocated[c->peak]) /
				(double)c->reserved[c->peak])));
}

static void put_peaks(struct memory *m)
{
	struct table *t = perrun_table(m->at, &memory_docs[MEMORY_PEAKS]);

	for (EACH(const struct memcurve, c, m->curves.v, m->curves.n)) {
		int64_t capacity = capacity_of(m->at->run, c);

		TABLE_ROW(t, [MPEAK_DEVICE] = cell_text(memcurve_device(c, t->mem)),
			[MPEAK_TYPE] = cell_known(c->type, ARG_UNKNOWN),
			[MPEAK_ID] = cell_known(c->device, ARG_UNKNOWN),
			[MPEAK_EVENTS] = cell_size(c->n), [MPEAK_ALLOCS] = cell_int(c->allocs),
			[MPEAK_FREES] = cell_int(c->frees),
			[MPEAK_ALLOC_BYTES] = cell_int(c->alloc_bytes),
			[MPEAK_FREE_BYTES] = cell_int(c->free_bytes),
			[MPEAK_OOMS] = cell_int(c->ooms),
			[MPEAK_CAPACITY] = CELL_IF(capacity > 0, cell_int(capacity)));
		if (c->peak < c->n)
			put_peak_place(m, t, c);
		if (c->peak_reserved == c->n)
			continue;
		TABLE_CELLS(t, [MPEAK_RESERVED] = cell_int(c->reserved[c->peak_reserved]),
			[MPEAK_CAPACITY_RATIO] =
				cell_ratio(c->reserved[c->peak_reserved], capacity));
	}
}

static void put_trends(struct memory *m)
{
	struct table *t = perrun_table(m->at, &memory_docs[MEMORY_TREND]);

	for (EACH(const struct memcurve, c, m->curves.v, m->curves.n)) {
		struct memcurve_trend trend;
		bool is_known = memcurve_trend(&trend, c, m->at->run, &m->at->view);

		TABLE_ROW(t, [MTREND_DEVICE] = cell_text(memcurve_device(c, t->mem)),
			[MTREND_SIGN] = cell_word(memcurve_sign_word(trend.sign)),
			[MTREND_STEPS] = cell_size(trend.steps),
			[MTREND_SLOPE] = cell_real(trend.slope),
			[MTREND_SLOPE_LO] = cell_real(trend.slope_lo),
			[MTREND_SLOPE_HI] = cell_real(trend.slope_hi),
			[MTREND_RESERVED] = cell_real(trend.slope_reserved),
			[MTREND_P] = cell_real(trend.p));
		if (!is_known)
			continue;
		TABLE_CELLS(t, [MTREND_FIRST] = cell_int(trend.first),
			[MTREND_LAST] = cell_int(trend.last));
	}
}

static void put_point(struct memory *m, struct table *t, const struct memcurve *c, size_t i)
{
	const struct run *r = m->at->run;
	const int64_t *bytes = r->args.col[ARG_MEMORY_BYTES].i64;
	uint32_t side = r->events.args[c->row[i]];
	nsec at = r->events.start[c->row[i]];
	int64_t step;

	TABLE_ROW(t, [MCURVE_DEVICE] = cell_text(memcurve_device(c, t->mem)),
		[MCURVE_AT] = cell_int(saturate_sub(at, r->first_ns)),
		[MCURVE_START] = cell_int(at),
		[MCURVE_STEP] = CELL_IF(steps_number_at(r->steps, at, &step), cell_int(step)),
		[MCURVE_ALLOCATED] = cell_known(c->allocated[i], ARG_UNKNOWN),
		[MCURVE_RESERVED] = cell_known(c->reserved[i], ARG_UNKNOWN),
		[MCURVE_BYTES] = CELL_IF(
			bytes && side != NO_ARGS, cell_known(bytes[side - 1], ARG_UNKNOWN)));
}

/* People see devices' curves, and the host's only where there is no other. */
static void put_curves(struct memory *m)
{
	size_t points = rows_limit(m->at->q, m->o->points, PEOPLE_POINTS, MACHINE_POINTS);
	struct table *t = perrun_table(m->at, &memory_docs[MEMORY_CURVE]);

	for (EACH(const struct memcurve, c, m->curves.v, m->curves.n)) {
		struct arena_mark mark = arena_mark(&m->at->mem);
		size_t most = MIN(points, c->n);
		size_t *keep;

		if (m->at->q->for_people && m->curves.n > 1 && c->type == DEVICE_TYPE_CPU)
			continue;
		keep = arena_array(&m->at->mem, most + 16, sizeof(*keep));
		size_t n = memcurve_thin(c, m->at->run, most, keep);
		for (size_t j = 0; j < n; j++)
			put_point(m, t, c, keep[j]);
		t->ncut += c->n - n;
		arena_reset(&m->at->mem, mark);
	}
	if (t->ncut > 0)
		t->footnote = "thinned: first, last, lowest and highest of stretches of equal time "
			      "(--points)";
}

static void put_notes(const struct memory *m)
{
	const struct perrun *at = m->at;
	size_t relative = 0;
	int64_t ooms = 0;

	for (EACH(const struct memcurve, memcurve, m->curves.v, m->curves.n)) {
		relative += memcurve->is_relative;
		ooms += memcurve->ooms;
	}
	devices_say(at->out, at->input, m->curves.n + m->curves.nmore, m->curves.n);
	if (relative > 0)
		result_note(at->out, NOTE_INFO, "memory_relative", at->input, (int64_t)relative,
			"records have no Total Allocated: what was allocated before the trace is "
			"unknown, curves count from its begin");
	if (ooms > 0)
		result_note(at->out, NOTE_WARNING, "out_of_memory", at->input, ooms,
			"%" PRId64 " allocations failed: the GPU was out of memory", ooms);
}

static enum status answer_trace(struct perrun *at)
{
	struct memory m = { .at = at, .o = at->q->opts };

	if (at->run->kind_count[KIND_MEMORY] == 0) {
		result_note(at->out, NOTE_INFO, "no_memory_events", at->input, -1,
			"the trace has no allocator events; %s",
			recording_word(at->run, RECORDING_MEMORY));
		return OK;
	}
	if (at->q->filter->stream)
		result_note(at->out, NOTE_INFO, "memory_has_no_streams", at->input, -1,
			"allocator events say no stream: --stream leaves nothing out here");
	m.limit = rows_limit(at->q, m.o->limit, PEOPLE_ROWS, SIZE_MAX);
	memcurves_init(&m.curves, at->run, &at->view);
	hostpath_init(&m.path, at->run);
	put_peaks(&m);
	put_trends(&m);
	memory_put_live(&m);
	memory_put_ops(&m);
	put_curves(&m);
	put_notes(&m);
	hostpath_clear(&m.path);
	memcurves_clear(&m.curves);
	return OK;
}

static enum status answer_run(struct perrun *at)
{
	bool has_snapshot = at->record && at->record->nsnapshot;

	if (perrun_is_record(at) && !has_snapshot) {
		(void)err_set(at->e, E_NODATA, -1, "%s has neither a trace nor a memory snapshot",
			at->run->path ? at->run->path : "it");
		return at->record ? record_hint(at->record, false, at->e) : at->e->status;
	}
	if (!perrun_is_record(at))
		TRY(answer_trace(at));
	return has_snapshot ? memory_put_snapshots(at, at->q->opts) : OK;
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("peaks", "device_type", "peak_allocated_bytes", "reserved_at_peak_bytes",
		.is_figure = true),
	FOLD("live", "name", "live_bytes", "blocks", .rows = 10),
	FOLD("ops", "name", "self_alloc_bytes", "self_allocations", .rows = 10),
};

ANALYSIS(memory) = {
	.name = "memory",
	.summary = "allocated and reserved memory: peak, growth, and which ops allocate",
	.help.doc =
		"From the allocator's records ([memory] events, profile_memory=True): the peak of each device, "
		"in which op and step it is, what was alive then and which op had allocated it; "
		"whether allocated memory grows from step to step; the curve over time.\n\n"
		"Reserved is what the allocator took from the device, allocated what it handed out. "
		"The difference is cache, or fragmentation when an allocation fails all the "
		"same.\n\n"
		"A record belongs to the deepest op of its own thread. -f and -v choose ops; --device "
		"chooses by Device Id. Records have no stream, so --stream leaves nothing out.\n\n"
		"Of a memory snapshot (torch.cuda.memory._dump_snapshot; a pickle, of which nothing is "
		"run): what is reserved, allocated and inactive, what is lost to fragmentation, and, "
		"where a history is recorded, the peak, which stacks held memory then, which grow, and why "
		"an allocation failed.",
	.help.source = "torch [memory] events; torch_tb_profiler memory_parser.py; PyTorch, "
		       "c10/cuda/CUDACachingAllocator.cpp; docs/definitions.md",
	.help.examples =
		"traceq memory trace.json.gz\n"
		"traceq memory trace.json.gz --steps 5-9 --points 100\n"
		"traceq memory snapshot.pickle\n"
		"traceq memory snapshot.pickle -n 0 -o peak.folded\n"
		"traceq memory trace.json.gz --json | jq '.tables[] | select(.id == \"curve\")'",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_STEPS | NEED_CALLS | NEED_MEMORY),
	.options.ignores = FILTER_CAT | FILTER_COMM,
	.help.operands = "FILE...",
	.runs.takes_records = true,
	ANALYSIS_OPTIONS(options, struct memory_options, .limit = -1, .points = -1),
	ANALYSIS_TABLES(memory, MEMORY),
	.help.main_table = "peaks|held",
	.per_run = { .answer = answer_run, .needs = PERRUN_TRACE_VIEW, .folds = FOLDS(fold_docs) },
};
