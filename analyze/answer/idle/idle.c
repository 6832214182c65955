/*
 * `idle`: where devices have no work, and why.  Options, sums by device and stream, notes.
 */
#include "analyze/answer/idle/idle.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/measure/devices.h"
#include "analyze/query/notes.h"
#include "analyze/query/rows.h"
#include "analyze/trace/links.h"
#include "analyze/trace/order.h"
#include "analyze/trace/run.h"
#include "base/opt.h"
#include "base/saturate.h"

enum { PEOPLE_ROWS = 10, MACHINE_ROWS = 1000, MAX_WAIT_US = 1000000000 };

#define AT(field) offsetof(struct idle_options, field)
static const struct opt options[] = {
	{ "limit", 'n', OPT_INT, "N",
		"rows of causes and of the longest gaps; 0 = all [10; 1000 for machines]",
		AT(limit), NULL, "row-limit" },
	{ "kernel-wait", 0, OPT_INT, "US",
		"below so many microseconds a gap before work that was launched already is kernel wait, "
		"else other [30]",
		AT(kernel_wait_us), NULL, NULL },
	{ "streams", 0, OPT_FLAG, NULL, "a row for each stream, too [when a device has several]",
		AT(streams), NULL, NULL },
};
#undef AT

static void set_defaults(void *opts)
{
	struct idle_options *o = opts;

	o->limit = -1;
	o->kernel_wait_us = GAPS_KERNEL_WAIT_NS / 1000;
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

static void put_sums(struct table *t, const struct gap_sums *s, nsec span)
{
	static const uint8_t ns[GAP_CLASS_COUNT] = { [GAP_HOST] = IDLE_HOST,
		[GAP_DATA] = IDLE_DATA,
		[GAP_SYNC] = IDLE_SYNC,
		[GAP_KERNEL] = IDLE_KERNEL,
		[GAP_OTHER] = IDLE_OTHER };
	static const uint8_t count[GAP_CLASS_COUNT] = { [GAP_HOST] = IDLE_HOST_N,
		[GAP_DATA] = IDLE_DATA_N,
		[GAP_SYNC] = IDLE_SYNC_N,
		[GAP_KERNEL] = IDLE_KERNEL_N,
		[GAP_OTHER] = IDLE_OTHER_N };
	nsec max = 0;
	int i;

	for (i = 0; i < GAP_CLASS_COUNT; i++) {
		table_int(t, ns[i], s->ns[i]);
		table_int(t, count[i], s->count[i]);
		max = s->max[i] > max ? s->max[i] : max;
	}
	table_int(t, IDLE_SPAN, span);
	table_int(t, IDLE_BUSY, saturate_sub(span, s->all_ns));
	table_int(t, IDLE_IDLE, s->all_ns);
	if (span > 0)
		table_real(t, IDLE_RATIO, (double)s->all_ns / (double)span);
	table_int(t, IDLE_GAPS, s->all);
	if (s->all > 0)
		table_int(t, IDLE_MAX, max);
	table_int(t, IDLE_HTA_HOST, s->late_ns);
	table_int(t, IDLE_HTA_KERNEL, s->ns[GAP_KERNEL]);
	table_int(t, IDLE_HTA_OTHER, s->ns[GAP_OTHER]);
}

/* First start and last end of the rows of a device or lane that the filters leave. */
struct reach {
	nsec first, last;
	int64_t n;
};

static void reach_lane(struct reach *a, const struct perrun *at, uint32_t lane)
{
	const struct order *o = at->run->order;
	const struct events *ev = &at->run->events;
	size_t i;

	if (at->view.lane && !at->view.lane[lane])
		return;
	for (i = o->device_begin[lane]; i < o->device_begin[lane + 1]; i++) {
		uint32_t row = o->device[i];
		nsec end = events_end(ev, row);

		if (!(KIND_BIT(ev->kind[row]) & at->view.kinds))
			continue;
		a->first = a->n == 0 || ev->start[row] < a->first ? ev->start[row] : a->first;
		a->last = a->n == 0 || end > a->last ? end : a->last;
		a->n++;
	}
}

static nsec span_of_reach(const struct reach *a, const struct gaps *g)
{
	return g->window.n ? intervals_length(&g->window) : saturate_sub(a->last, a->first);
}

static void put_device(struct perrun *at, struct gaps *g, int64_t device, struct table *t,
	struct idle_list *list, struct gap_sums *sums)
{
	struct reach a = { 0 };
	size_t i, end;

	order_device_lanes(at->run->order, at->run, device, &i, &end);
	for (; i < end; i++)
		reach_lane(&a, at, at->run->order->device_lane[i]);
	if (a.n == 0)
		return;
	list->device = device;
	list->sums = sums;
	gaps_of_device(g, device, idle_list_add, list);
	table_row(t);
	table_int(t, IDLE_DEVICE, device);
	table_int(t, IDLE_DEVICE_BUSY, 0);
	put_sums(t, sums, span_of_reach(&a, g));
}

/* known: its sums, or NULL. */
static void put_stream(struct perrun *at, struct gaps *g, uint32_t lane,
	const struct intervals *busy, const struct gap_sums *known, struct table *t)
{
	struct summing s = { .busy = busy };
	struct reach a = { 0 };

	reach_lane(&a, at, lane);
	if (a.n == 0)
		return;
	if (known)
		s.sums = *known;
	else
		gaps_of_stream(g, lane, add_gap, &s);
	table_row(t);
	table_int(t, IDLE_DEVICE, at->run->lanes.lane[lane].device);
	table_int(t, IDLE_STREAM, at->run->lanes.lane[lane].stream);
	table_int(t, IDLE_DEVICE_BUSY, s.device_busy);
	put_sums(t, &s.sums, span_of_reach(&a, g));
}

struct stream {
	int64_t number;
	uint32_t lane;
};

static int by_number(const void *pa, const void *pb)
{
	const struct stream *a = pa, *b = pb;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->lane > b->lane) - (a->lane < b->lane);
}

/* of_device: its sums, which are those of its stream where it has only one. */
static void put_streams_of(struct perrun *at, struct gaps *g, int64_t device,
	const struct gap_sums *of_device, struct table *t)
{
	const struct run *r = at->run;
	struct arena_mark mark = arena_mark(&at->mem);
	struct intervals busy = { 0 };
	size_t n = 0, i, end;
	struct stream *v;

	order_device_lanes(r->order, r, device, &i, &end);
	v = arena_array(&at->mem, end - i, sizeof(*v));
	for (; i < end; i++) {
		uint32_t lane = r->order->device_lane[i];

		v[n++] = (struct stream){ r->lanes.lane[lane].stream, lane };
	}
	qsort(v, n, sizeof(*v), by_number);
	if (n > 1)
		intervals_of_device(&busy, r, device, KINDS_DEVICE, NULL);
	for (i = 0; i < n && t->nrow < STREAMS_MAX; i++)
		put_stream(at, g, v[i].lane, &busy, n == 1 ? of_device : NULL, t);
	intervals_clear(&busy);
	arena_reset(&at->mem, mark);
}

/* People see streams where a device has several. */
static bool wants_streams(
	const struct perrun *at, const struct idle_options *o, const struct devices *d)
{
	return !at->q->for_people || o->streams || at->run->order->ndevice_lane > d->n + d->nmore;
}

static void put_streams(struct perrun *at, struct gaps *g, const struct devices *d,
	const struct gap_sums *sums, struct table *t)
{
	const struct order *o = at->run->order;
	size_t i, begin, end;

	for (i = 0; i < d->n && t->nrow < STREAMS_MAX; i++)
		put_streams_of(at, g, d->id[i], &sums[i], t);
	if (t->nrow < STREAMS_MAX || d->n == 0)
		return;
	order_device_lanes(o, at->run, d->id[d->n - 1], &begin, &end);
	devices_say_streams(at->out, at->input, end, t->nrow);
}

static void put_notes(const struct perrun *at, const struct idle_options *o, const struct gaps *g)
{
	const struct links *l = at->run->links;

	result_note(at->out, NOTE_INFO, "idle_thresholds", at->input, -1,
		"kernel wait is a gap below %" PRId64 " us before work that was launched already; "
		"dataloader is more than half of a gap in the data loader",
		o->kernel_wait_us);
	if (l->unlinked > 0)
		result_note(at->out, NOTE_INFO, "gaps_unlinked", at->input, l->unlinked,
			"%" PRId64 " device events have no launch in the trace; gaps before them "
			"are other",
			l->unlinked);
	if (g->window.n > 0)
		result_note(at->out, NOTE_INFO, "gaps_of_steps", at->input, -1,
			"idle is of the steps' time on the CPU, so it also has what is before the "
			"first work in them and behind the last");
}

static void put_tables(struct perrun *at, const struct idle_options *o, struct gaps *g)
{
	size_t limit = rows_limit(at->q, o->limit, PEOPLE_ROWS, MACHINE_ROWS);
	struct gap_sums *sums;
	struct devices devices;
	struct idle_list list;
	struct table *t;
	size_t i;

	devices_init(&devices, at->run, &at->mem);
	sums = arena_array(&at->mem, devices.n, sizeof(*sums));
	idle_list_init(&list, at, limit);
	t = perrun_table(at, &idle_docs[IDLE_DEVICES]);
	for (i = 0; i < devices.n; i++)
		put_device(at, g, devices.id[i], t, &list, &sums[i]);
	devices_note(&devices, at->out, at->input);
	if (wants_streams(at, o, &devices))
		put_streams(at, g, &devices, sums, perrun_table(at, &idle_docs[IDLE_STREAMS]));
	idle_put_causes(at, &list, &idle_docs[IDLE_CAUSES], limit);
	idle_put_longest(at, &list, &idle_docs[IDLE_LONGEST]);
	idle_list_clear(&list);
}

static enum status answer_run(struct perrun *at)
{
	const struct idle_options *o = at->q->opts;
	struct gaps g;

	if (notes_no_device(at->out, at->run, at->input,
		    "the trace has no device events, so nothing is known of idle devices"))
		return OK;
	gaps_init(&g, at->run, &at->view, o->kernel_wait_us * 1000);
	put_tables(at, o, &g);
	put_notes(at, o, &g);
	gaps_clear(&g);
	return OK;
}

static enum status compute(const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	const struct idle_options *o = q->opts;

	(void)exit_code;
	if (o->kernel_wait_us < 0 || o->kernel_wait_us > MAX_WAIT_US)
		return err_set(e, E_USAGE, -1,
			"--kernel-wait wants 0 to %d microseconds, got %" PRId64, MAX_WAIT_US,
			o->kernel_wait_us);
	return perrun_all(q, &analysis_idle.per_run, NULL, out, e);
}

const struct analysis analysis_idle = {
	.name = "idle",
	.summary = "why devices have no work: host, data loader, synchronizing, the device itself",
	.help.doc =
		"A gap is the time from the latest end of all work so far to the next start. Each is of one "
		"class, and the classes add up to the idle time. If the next work was launched only "
		"after all work before it had ended, the device waited for the CPU: for the data "
		"loader, after a synchronizing call, or for anything else (host wait). If it was launched "
		"before, a short gap is kernel wait, a long one other.\n\n"
		"Gaps of a device look at all of its streams. A stream's own gaps are in the table "
		"of streams; a stream may wait while its device is busy.\n\n"
		"The lists say what the CPU was in during the gaps: on the thread that launched the "
		"next work, else on the main thread. -f and -v choose from the lists by that name.",
	.help.source =
		"HTA breakdown_analysis.py (host wait, kernel wait, other); docs/definitions.md",
	.help.examples = "traceq idle trace.json.gz\n"
			 "traceq idle trace.json.gz --steps 5-9 -n 20\n"
			 "traceq idle trace.json.gz --kernel-wait 10 --streams",
	.runs.needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_CALLS,
	.weight = 1,
	.runs.min = 1,
	.runs.is_one_by_one = true,
	.runs.max = 0,
	.options.opt = options,
	.options.n = COUNT_OF(options),
	.options.size = sizeof(struct idle_options),
	.options.set_defaults = set_defaults,
	.help.tables = idle_docs,
	.help.ntables = IDLE_TABLES,
	.help.notes = idle_notes,
	.per_run = { .answer = answer_run, .needs = PERRUN_VIEW },
	.compute = compute,
};
