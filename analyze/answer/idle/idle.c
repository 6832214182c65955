/* `idle`: where devices have no work, and why.  Options, sums by device and stream, notes. */
#include "analyze/answer/idle/idle.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/notes.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "base/opt.h"

enum { PEOPLE_ROWS = 10, MAX_WAIT_US = 1000000000, HTA_KERNEL_WAIT_US = 30, NS_PER_US = 1000 };

#define AT(field) offsetof(struct idle_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit),
		"rows of causes and of the longest gaps; 0 = all [10; all for machines]"),
	INT_OPT("kernel-wait", 0, "US", AT(kernel_wait_us),
		"HTA's threshold, for the hta_ columns: below so many microseconds a gap before work that "
		"was launched already is its kernel wait, else other [30]"),
	FLAG_OPT("streams", 0, AT(streams), "a row for each stream, too [when a GPU has several]"),
};

/* Gaps in the window, and those of the whole trace, which HTA looks at. */
struct idle_gaps {
	struct gaps inside, plain;
};

/* HTA's threshold between kernel wait and other, ns. */
static nsec idle_kernel_wait(const struct perrun *at)
{
	return ((const struct idle_options *)at->q->opts)->kernel_wait_us * NS_PER_US;
}

/* Gaps of one stream or device being summed. */
struct summing {
	struct gap_sums sums;
	const struct intervals *busy; /* of the device; NULL: not wanted */
	nsec device_busy;
};

static void add_gap(void *ctx, const struct gap *g)
{
	struct summing *s = ctx;

	gap_sums_add(&s->sums, g);
	if (s->busy)
		saturate_onto(&s->device_busy, intervals_within(s->busy, g->start, g->end));
}

/* By enum gap_cause: the column of its time; that of its gaps stands as far behind the first. */
enum { FIRST_WAIT = IDLE_DATA, FIRST_COUNT = IDLE_DATA_N };
_Static_assert(IDLE_UNRECORDED == FIRST_WAIT + (int)GAP_CAUSE_UNRECORDED, "a column for each");
_Static_assert(IDLE_UNRECORDED_N == FIRST_COUNT + (int)GAP_CAUSE_UNRECORDED, "a column for each");

/* window: its length. */
static void put_sums(struct table *t, const struct gap_sums *s, nsec window)
{
	nsec unrecorded = s->ns[GAP_CAUSE_UNRECORDED];
	nsec span = saturate_sub(window, unrecorded), idle = saturate_sub(s->all_ns, unrecorded);

	for (size_t i = 0; i < GAP_CAUSE_COUNT; i++) {
		table_int(t, FIRST_WAIT + i, s->ns[i]);
		table_int(t, FIRST_COUNT + i, s->count[i]);
	}
	TABLE_CELLS(
		t, [IDLE_SPAN] = cell_int(span), [IDLE_BUSY] = cell_int(saturate_sub(span, idle)),
		[IDLE_IDLE] = cell_int(idle), [IDLE_BEHIND] = cell_int(s->behind_ns));
	if (span > 0)
		TABLE_CELLS(t, [IDLE_RATIO] = cell_real((double)idle / (double)span),
			[IDLE_BUSY_RATIO] =
				cell_real((double)saturate_sub(span, idle) / (double)span));
	TABLE_CELLS(t, [IDLE_GAPS] = cell_int(s->all),
		[IDLE_MAX] = CELL_IF(s->all > 0, cell_int(s->max)));
}

/* HTA's classes, of the whole trace; only machines see them. */
static void put_hta(
	struct perrun *at, struct gaps *g, struct table *t, int64_t device, uint32_t lane)
{
	struct gap_hta hta = { .kernel_wait_ns = idle_kernel_wait(at) };

	if (at->q->for_people)
		return;
	if (lane == NO_ROW)
		gaps_of_device(g, device, gap_hta_add, &hta);
	else
		gaps_of_stream(g, lane, gap_hta_add, &hta);
	TABLE_CELLS(t, [IDLE_HTA_HOST] = cell_int(hta.host),
		[IDLE_HTA_KERNEL] = cell_int(hta.kernel), [IDLE_HTA_OTHER] = cell_int(hta.other));
}

/* Classes below this share of all that is shown are not shown to people. */
static const double SHOWN_MIN = 0.01;

/* What people see of n rows: classes that matter. */
static uint64_t visible(const struct gap_sums *sums, size_t n, uint64_t others)
{
	uint64_t set = others | COLUMN_SET(IDLE_DEVICE, IDLE_IDLE, IDLE_RATIO);
	double ns[GAP_CAUSE_COUNT] = { 0 }, all = 0;

	for (EACH(const struct gap_sums, s, sums, n))
		for (size_t k = 0; k < GAP_CAUSE_COUNT; k++) {
			ns[k] += (double)s->ns[k];
			all += (double)s->ns[k];
		}
	for (size_t k = 0; k < GAP_CAUSE_COUNT; k++)
		if (ns[k] > 0 && ns[k] >= SHOWN_MIN * all)
			set |= UINT64_C(1) << (FIRST_WAIT + k);
	return set;
}

/* Whether a lane has work that the filters leave. */
static bool has_work(const struct perrun *at, uint32_t lane)
{
	const struct order *o = at->run->order;
	const struct events *ev = &at->run->events;

	if (at->view.lane && !at->view.lane[lane])
		return false;
	for (size_t i = o->device_begin[lane]; i < o->device_begin[lane + 1]; i++)
		if (KIND_BIT(ev->kind[o->device[i]]) & at->view.kinds)
			return true;
	return false;
}

static bool device_has_work(const struct perrun *at, int64_t device)
{
	size_t i, end;

	order_device_lanes(at->run->order, at->run, device, &i, &end);
	for (; i < end; i++)
		if (has_work(at, at->run->order->device_lane[i]))
			return true;
	return false;
}

/* known: its sums, or NULL. */
static void put_stream(struct perrun *at, struct idle_gaps *g, uint32_t lane,
	const struct intervals *busy, const struct gap_sums *known, struct table *t)
{
	struct summing s = { .busy = busy };

	if (!has_work(at, lane))
		return;
	if (known)
		s.sums = *known;
	else
		gaps_of_stream(&g->inside, lane, add_gap, &s);
	TABLE_ROW(t, [IDLE_DEVICE] = cell_int(at->run->lanes.lane[lane].device),
		[IDLE_STREAM] = cell_int(at->run->lanes.lane[lane].stream),
		[IDLE_DEVICE_BUSY] = cell_int(s.device_busy));
	put_sums(t, &s.sums, intervals_length(&g->inside.window));
	put_hta(at, &g->plain, t, 0, lane);
}

struct stream {
	int64_t number;
	uint32_t lane;
};

ORDER(by_number, struct stream, compare3(a->number, b->number), compare3(a->lane, b->lane))

/* of_device: its sums, which are those of its stream where it has only one. */
static void put_streams_of(struct perrun *at, struct idle_gaps *g, int64_t device,
	const struct gap_sums *of_device, struct table *t)
{
	const struct run *r = at->run;
	struct arena_mark mark = arena_mark(&at->mem);
	struct intervals busy = { 0 };
	size_t n = 0, i, end;

	order_device_lanes(r->order, r, device, &i, &end);
	struct stream *v = arena_array(&at->mem, end - i, sizeof(*v));
	for (; i < end; i++) {
		uint32_t lane = r->order->device_lane[i];

		v[n++] = (struct stream){ r->lanes.lane[lane].stream, lane };
	}
	qsort(v, n, sizeof(*v), by_number);
	if (n > 1)
		intervals_of_device(&busy, r, device, KINDS_DEVICE);
	for (i = 0; i < n && t->nrow < STREAMS_MAX; i++)
		put_stream(at, g, v[i].lane, &busy, n == 1 ? of_device : NULL, t);
	intervals_clear(&busy);
	arena_reset(&at->mem, mark);
}

static void put_streams(struct perrun *at, struct idle_gaps *g, const struct devices *d,
	const struct gap_sums *sums, struct table *t)
{
	const struct order *o = at->run->order;
	size_t begin, end;

	for (size_t i = 0; i < d->n && t->nrow < STREAMS_MAX; i++)
		put_streams_of(at, g, d->id[i], &sums[i], t);
	if (t->nrow < STREAMS_MAX || d->n == 0)
		return;
	order_device_lanes(o, at->run, d->id[d->n - 1], &begin, &end);
	devices_say_streams(at->out, at->input, end, t->nrow);
}

static void put_tables(struct perrun *at, const struct idle_options *o, struct idle_gaps *g)
{
	size_t limit = rows_limit(at->q, o->limit, PEOPLE_ROWS, SIZE_MAX);
	struct devices devices;
	struct idle_list list;

	devices_init(&devices, at->run, &at->mem);
	struct gap_sums *sums = arena_array(&at->mem, devices.n, sizeof(*sums));
	idle_list_init(&list, at, &g->inside, limit);
	/* A row for each device that has work. */
	for (size_t i = 0; i < devices.n; i++) {
		list.device = devices.id[i];
		list.sums = &sums[i];
		if (device_has_work(at, devices.id[i]))
			gaps_of_device(&g->inside, devices.id[i], idle_list_add, &list);
	}
	struct table *t = perrun_table_seen(at, &idle_docs[IDLE_DEVICES],
		visible(sums, devices.n, COLUMN_SET(IDLE_SPAN, IDLE_GAPS)));
	for (size_t i = 0; i < devices.n; i++) {
		if (!device_has_work(at, devices.id[i]))
			continue;
		TABLE_ROW(t, [IDLE_DEVICE] = cell_int(devices.id[i]),
			[IDLE_DEVICE_BUSY] = cell_int(0));
		put_sums(t, &sums[i], intervals_length(&g->inside.window));
		put_hta(at, &g->plain, t, devices.id[i], NO_ROW);
	}
	devices_note(&devices, at->out, at->input);
	/* People see streams where a device has several. */
	if (!at->q->for_people || o->streams ||
		at->run->order->ndevice_lane > devices.n + devices.nmore)
		put_streams(at, g, &devices, sums,
			perrun_table_seen(at, &idle_docs[IDLE_STREAMS],
				visible(sums, devices.n,
					COLUMN_SET(IDLE_STREAM, IDLE_DEVICE_BUSY))));
	idle_put_causes(at, &list, limit);
	idle_put_longest(at, &list);
	idle_list_clear(&list);
}

static enum status answer_run(struct perrun *at)
{
	struct window w;
	struct ledgers ledgers;
	struct step_gap_causes waiting;
	struct classes classes;
	struct idle_gaps g;

	if (notes_no_device(at->out, at->run, at->input,
		    "the trace has no GPU events, so nothing is known of idle GPUs"))
		return OK;
	classes_init(&classes, at->run, &at->mem);
	shared_window(at->shared, &w, &ledgers, &waiting, at->run, &classes, &at->view, &at->mem);
	gaps_init(&g.inside, at->run, &at->view, w.time, w.nstep);
	gaps_init(&g.plain, at->run, &at->view, NULL, 0);
	g.plain.is_plain = true;
	put_tables(at, at->q->opts, &g);
	const struct links *l = at->run->links;
	notes_add_window(at->out, at->run, at->input, &w);
	result_note(at->out, NOTE_INFO, "launch_cost", at->input, g.inside.waits.launch_cost,
		"a launch takes %" PRId64 ".%" PRId64 " us while the GPU is idle",
		g.inside.waits.launch_cost / 1000, g.inside.waits.launch_cost % 1000 / 100);
	if (l->unlinked > 0)
		result_note(at->out, NOTE_INFO, "gaps_unlinked", at->input, l->unlinked,
			"%" PRId64 " GPU events have no launch in the trace; gaps before them "
			"are of class unknown launch",
			l->unlinked);
	gaps_clear(&g.inside);
	gaps_clear(&g.plain);
	return OK;
}

static enum status compute(
	const struct query *q, struct result *out, int *exit_code UNUSED, struct err *e)
{
	const struct idle_options *o = q->opts;

	if (o->kernel_wait_us < 0 || o->kernel_wait_us > MAX_WAIT_US)
		return err_set(e, E_USAGE, -1,
			"--kernel-wait wants 0 to %d microseconds, got %" PRId64, MAX_WAIT_US,
			o->kernel_wait_us);
	return perrun_all(q, &q->analysis->per_run, NULL, out, e);
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("causes", "class|name", "idle_ns", "gaps", .rows = 10),
};

ANALYSIS(idle) = {
	.name = "idle",
	.summary = "why GPUs are idle: data loader, synchronization, host, the GPU itself",
	.help.doc =
		"A gap is the time from the latest end of all work so far to the next start, "
		"in the steps that count (or those of --steps), else from the first launch to "
		"the end of the last GPU work. It is split where what the GPU waited for "
		"changes, and the parts add up to the idle time. Until the next work is "
		"launched it is what the launching thread was in: the data loader; a call that "
		"waits for the GPU (sync); another runtime call; an operator; Python; nothing "
		"that is recorded. Then launch, for as long as launching takes; then dependency "
		"on work before it. Before the first recorded work of a queue it is unrecorded, "
		"which is no idleness: the queue held work from before the recording.\n\n"
		"Gaps of a GPU look at all of its streams. A stream's own gaps are in the table "
		"of streams; a stream may wait while its GPU is busy.\n\n"
		"The lists say what the CPU was in during the gaps: on the thread that launched "
		"the next work, else on the main thread. -f and -v choose from the lists by "
		"that name. A gap's id says where it is (traceq explain stretch); --wide shows "
		"it.",
	.help.source =
		"HTA breakdown_analysis.py (host wait, kernel wait, other); docs/definitions.md",
	.help.examples = "traceq idle trace.json.gz\n"
			 "traceq idle trace.json.gz --steps 5-9 -n 20\n"
			 "traceq idle trace.json.gz --kernel-wait 10 --streams",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_FUNCTIONS | NEED_LINKS | NEED_STEPS | NEED_CALLS),
	.shares = SHARED_BIT(LEDGERS) | SHARED_BIT(WAITING),
	.weight = 1,
	ANALYSIS_OPTIONS(
		options, struct idle_options, .limit = -1, .kernel_wait_us = HTA_KERNEL_WAIT_US),
	ANALYSIS_TABLES(idle, IDLE),
	.help.main_table = "causes",
	.per_run = { .answer = answer_run, .needs = PERRUN_VIEW, .folds = FOLDS(fold_docs) },
	.compute = compute,
};
