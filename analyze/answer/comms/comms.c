/* `comms`: collectives, their sizes and speeds, and what hides them.  Options and the order of
 * work. */
#include "analyze/answer/comms/comms.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/notes.h"
#include "analyze/analysis/shared.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/trace/commname.h"
#include "analyze/trace/run_steps.h"

/* `comms`: grouping, and what hides collectives. */

_Static_assert(sizeof(struct comms_key) == 3 * 8 + 6 * 4, "no padding");

static uint32_t count(struct comms *c, enum comms_what what, struct comms_key key, uint32_t row,
	const struct comm_call *call)
{
	const struct run *r = c->p->run;
	uint32_t at = groups_add(&c->groups[what], &key);
	struct comms_group *g = groups_item(&c->groups[what], at);
	nsec dur = r->events.dur[row];
	comm_bus bus = commclass_bus(call->op, call->ranks, call->bytes);

	if (g->calls.n == 0) {
		g->dtype = call->dtype_text.n > 0 ? call->dtype_text : (struct span){ 0 };
		g->kernel = r->events.name[row];
	}
	durations_add(&g->calls, dur);
	exposure_show(&c->exposure[what], at, r->events.start[row], events_end(&r->events, row));
	if (call->bytes == ARG_UNKNOWN)
		return at;
	saturate_onto(&g->sized_ns, dur);
	g->bytes += (double)call->bytes;
	if (bus == COMM_BUS_UNKNOWN)
		return at;
	saturate_onto(&g->bus_ns, dur);
	g->bus += bus;
	return at;
}

static void count_row(struct comms *c, int64_t device, uint32_t row)
{
	const struct run *r = c->p->run;
	const struct comm_call call = commclass_call(r, row);
	const struct comms_key of_lane = { .lane = r->events.lane[row] },
			       of_device = { .device = device };
	struct comms_key key = { .bytes = call.bytes,
		.ranks = call.ranks,
		.dtype = call.dtype,
		.process_group = call.group,
		.op = (uint32_t)call.op };

	if (c->by == COMMS_BY_KERNEL || call.op == COMM_UNKNOWN || !call.has_args)
		key.kernel = r->events.name[row];
	c->calls++;
	c->without_args += !call.has_args;
	(void)count(c, BY_WHAT, key, row, &call);
	(void)count(c, BY_LANE, of_lane, row, &call);
	exposure_show(&c->only_kernels, count(c, BY_DEVICE, of_device, row, &call),
		r->events.start[row], events_end(&r->events, row));
}

/* Work of any stream, step and name hides: the filters choose what is shown. */
static void hide(struct comms *c, uint32_t row)
{
	const struct events *ev = &c->p->run->events;
	nsec start = ev->start[row], end = events_end(ev, row);
	enum devclass class = classes_of(&c->classes, row);

	if (class == CLASS_COMM || class == CLASS_MEMCPY)
		return;
	for (int i = 0; i < COMMS_WHATS; i++)
		exposure_hide(&c->exposure[i], start, end);
	if (class == CLASS_COMPUTE)
		exposure_hide(&c->only_kernels, start, end);
}

static void collect_device(struct comms *c, int64_t device)
{
	const struct run *r = c->p->run;
	struct sweep sweep;
	uint32_t row;

	for (int i = 0; i < COMMS_WHATS; i++)
		exposure_init(&c->exposure[i], &c->groups[i].item, offsetof(struct comms_group, x),
			sizeof(struct comms_group));
	exposure_init(&c->only_kernels, &c->groups[BY_DEVICE].item,
		offsetof(struct comms_group, by_kernel), sizeof(struct comms_group));
	sweep_device(&sweep, r, device, &c->p->mem);
	while (sweep_next(&sweep, &row)) {
		hide(c, row);
		if (!filter_device(&c->p->view, row))
			continue;
		saturate_onto(&c->device_sum, r->events.dur[row]);
		if (classes_of(&c->classes, row) == CLASS_COMM &&
			filter_name(&c->p->view, r->events.name[row]))
			count_row(c, device, row);
	}
	for (int i = 0; i < COMMS_WHATS; i++)
		exposure_end(&c->exposure[i]);
	exposure_end(&c->only_kernels);
}

/* The records of collectives on the host: all there is of gloo's, and of traces without device. */
static void collect_host(struct comms *c)
{
	const struct run *r = c->p->run;
	bool *is_record = arena_array(&c->p->mem, r->strings.n, sizeof(*is_record));
	bool any = false;

	for (size_t i = 0; i < r->strings.n; i++) {
		is_record[i] = commname_is_record(strings_get(&r->strings, (sym)i));
		any |= is_record[i];
	}
	if (!any)
		return;
	for (size_t i = 0; i < r->events.n; i++) {
		enum kind kind = (enum kind)r->events.kind[i];
		sym name = r->events.name[i];

		if ((kind != KIND_OP && kind != KIND_ANNOTATION) || !is_record[name] ||
			!filter_host(&c->p->view, (uint32_t)i) || !filter_name(&c->p->view, name))
			continue;
		struct comms_host *h = groups_at(&c->host, &name);
		durations_add(&h->calls, r->events.dur[i]);
	}
}

/* Whether any kernel can be a collective: without one, nothing is shown and nothing hides it. */
static bool may_communicate(const struct comms *c)
{
	const struct events *ev = &c->p->run->events;

	return ANY(i, ev->n,
		ev->kind[i] == KIND_KERNEL && classes_may_be_comm(&c->classes, ev->name[i]));
}

/* `comms`: its tables. */

#define BIT(column) (UINT64_C(1) << (column))

static void place_device(const void *ctx UNUSED, const void *item, struct groupby_place *to)
{
	to->a[0] = ((const struct comms_group *)item)->key.device;
}

static void put_device(const struct groupby *g, const void *item, uint32_t i)
{
	const struct window *w = &((const struct comms *)g->ctx)->window;

	for (i = 0; i < w->ndevice; i++)
		if (w->device[i].id == ((const struct comms_group *)item)->key.device)
			groupby_real(g, CDEV_PER_STEP,
				(double)w->device[i].ledger.exposed_comm / (double)w->nstep);
}

/* Ties by what it is. */
static void place_collective(const void *ctx, const void *item, struct groupby_place *to)
{
	const struct comms_group *g = item;

	to->a[0] = g->key.op;
	to->a[1] = g->key.bytes;
	to->name = strings_get(&((const struct comms *)ctx)->p->run->strings, g->kernel);
}

static void put_collective(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	const struct comms_group *of = item;

	groupby_text(g, COLL_OP, span_of(commclass_word((enum comm_op)of->key.op)));
	if (of->bus_ns > 0)
		groupby_real(g, COLL_BUS, commclass_bus_rate(of->bus, of->bus_ns));
}

/* What nothing is known of, or what is the same in all rows. */
static uint64_t hidden_columns(const struct comms *c)
{
	const struct comms_group *g = c->groups[BY_WHAT].item;
	bool has_args = false, has_bytes = false, several_groups = false;
	uint64_t v = 0;

	for (EACH(const struct comms_group, group, g, c->groups[BY_WHAT].n)) {
		has_args |= group->key.ranks != ARG_UNKNOWN;
		has_bytes |= group->key.bytes != ARG_UNKNOWN;
		several_groups |= group->key.process_group != g[0].key.process_group;
	}
	v |= several_groups ? 0 : BIT(COLL_GROUP);
	v |= has_bytes ? 0 : BIT(COLL_BYTES) | BIT(COLL_ALGORITHM) | BIT(COLL_BUS);
	if (c->by == COMMS_BY_KERNEL || !has_args)
		return v | BIT(COLL_DTYPE) | BIT(COLL_RANKS);
	return v | BIT(COLL_KERNEL);
}

static const struct lane *lane_of(const struct comms *c, const void *item)
{
	return &c->p->run->lanes.lane[((const struct comms_group *)item)->key.lane];
}

static void place_stream(const void *ctx, const void *item, struct groupby_place *to)
{
	to->a[0] = lane_of(ctx, item)->device;
	to->a[1] = lane_of(ctx, item)->stream;
}

static void put_stream(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	groupby_int(g, CSTR_DEVICE, lane_of(g->ctx, item)->device);
	groupby_int(g, CSTR_STREAM, lane_of(g->ctx, item)->stream);
}

static void put_host(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	enum comm_op op =
		commclass_of(strings_get(g->of.names, ((const struct comms_host *)item)->name));

	if (op != COMM_UNKNOWN)
		groupby_text(g, CHOST_OP, span_of(commclass_word(op)));
}

static const struct grouping devices = {
	.sort = GROUPBY_PLACE, .place = place_device, .put = put_device
};
static const struct grouping collectives = { .sort = COLL_SUM,
	.name = COLL_OP,
	.people = 20,
	.place = place_collective,
	.put = put_collective };
static const struct grouping streams = {
	.sort = GROUPBY_PLACE, .place = place_stream, .put = put_stream
};
static const struct grouping host = { .sort = CHOST_CPU, .name = CHOST_NAME, .put = put_host };

static void put(struct comms *c, const struct grouping *how, enum comms_table table,
	const struct groups *from)
{
	struct groupby g = groupby_of(how, c->p, &comms_docs[table], from, c);

	g.of.whole = (double)c->device_sum;
	if (table == COMMS_COLLECTIVES) {
		g.hide = hidden_columns(c);
		groupby_limit(&g, c->o->limit);
	}
	groupby_put(&g);
}

#define AT(field) offsetof(struct comms_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of the table of collectives; 0 = all [20]"),
	CHOICE_OPT("by", "WHAT", AT(by), OPT_WORDS(COMMS_BYS),
		"what makes a row: collective, type, size and group, or also the kernel [collective]"),
};

static void add_notes(struct comms *c)
{
	devices_note(&c->devices, c->p->out, c->p->input);
	if (notes_no_device(c->p->out, c->p->run, c->p->input, NULL))
		return;
	if (c->calls == 0)
		result_note(c->p->out, NOTE_INFO, "no_collectives", c->p->input, -1,
			"no collective runs on a GPU, or none passes the filters");
	else if (c->without_args > 0)
		result_note(c->p->out, NOTE_INFO, "collectives_by_name", c->p->input,
			c->without_args,
			"collectives known by names alone: %lld; sizes and groups are unknown",
			(long long)c->without_args);
}

static enum status answer_run(struct perrun *at)
{
	struct comms c = { .p = at, .o = at->q->opts };

	if (perrun_is_record(at))
		return comms_record(at, c.o);
	c.by = (enum comms_by)opt_which(OPT_WORDS(COMMS_BYS), c.o->by);
	classes_init(&c.classes, at->run, &at->mem);
	shared_steps_window(at->shared, &c.window, at->run, &c.classes, &at->view, &at->mem);
	static const struct comms_group fresh = { .calls = NO_DURATIONS };
	for (size_t i = 0; i < COMMS_WHATS; i++)
		groups_init(&c.groups[i], sizeof(struct comms_key), sizeof(fresh), &fresh, 0);
	groups_init(&c.host, sizeof(sym), sizeof(struct comms_host), NULL, 0);
	devices_init(&c.devices, c.p->run, &c.p->mem);
	for (size_t i = 0; i < c.devices.n && may_communicate(&c); i++)
		collect_device(&c, c.devices.id[i]);
	collect_host(&c);
	add_notes(&c);
	put(&c, &devices, COMMS_DEVICES, &c.groups[BY_DEVICE]);
	put(&c, &collectives, COMMS_COLLECTIVES, &c.groups[BY_WHAT]);
	put(&c, &streams, COMMS_STREAMS, &c.groups[BY_LANE]);
	put(&c, &host, COMMS_HOST, &c.host);
	for (int i = 0; i < COMMS_WHATS; i++)
		groups_clear(&c.groups[i]);
	groups_clear(&c.host);
	return OK;
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("collectives", "collective|dtype|ranks", "device_sum_ns", "exposed_ns|calls"),
	FOLD("host", "collective|name", "cpu_total_ns", "calls", .rows = 10),
};

ANALYSIS(comms) = {
	.name = "comms",
	.summary = "collectives: sizes, bandwidths, and how much of them computing hides",
	.help.doc =
		"Collectives on the GPUs: how long, how much of that nothing hides (exposed), "
		"and, where the trace has their arguments, type, size, group and bandwidth. "
		"Algorithm bandwidth is the message over the time; bus bandwidth makes it "
		"comparable with the links' speed, as nccl-tests define them. A collective's "
		"time includes waiting for the slowest rank, so one trace alone gives lower "
		"bounds.\n\n"
		"Without arguments collectives are told by their kernels' names, those of "
		"experts (dispatch, combine) among them, and by the ops that launched them; "
		"sizes are then unknown. --comm names those that only you know. The last table "
		"has the CPU's records of collectives: all there is of gloo's.\n\n"
		"Without a trace, what NCCL's Inspector wrote: each collective by size, rank and "
		"communicator, and which rank comes last where that can be told.\n\n"
		"What hides a collective is all computing on its GPU, also what the filters do "
		"not choose.",
	.help.source = "nccl-tests, doc/PERFORMANCE.md; HTA, get_comm_comp_overlap; TraceLens; "
		       "docs/definitions.md",
	.help.examples = "traceq comms rank0.json.gz rank1.json.gz\n"
			 "traceq comms trace.json.gz --by kernel --steps 5-9\n"
			 "traceq comms trace.json.gz --comm '^my_ring_'",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_COMM),
	.shares = SHARED_BIT(LEDGERS) | SHARED_BIT(WAITING),
	.runs.takes_records = true,
	ANALYSIS_OPTIONS(options, struct comms_options, .limit = -1),
	ANALYSIS_TABLES(comms, COMMS),
	.help.main_table = "collectives|recorded_collectives|host",
	.per_run = { .answer = answer_run, .needs = PERRUN_TRACE_VIEW, .folds = FOLDS(fold_docs) },
};
