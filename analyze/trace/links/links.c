/* Links: device events to the calls that launched them (correlation), and those to CPU ops (one
 * walk of the host tree).  External ids (links_external.c) serve where the launch is not in the
 * trace. */
#include "analyze/trace/links/links.h"

#include "analyze/trace/links/links_work.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

static uint32_t *no_rows(size_t n)
{
	uint32_t *row = xmalloc(n * sizeof(*row));

	FILL(row, n, NO_ROW);
	return row;
}

/* Finds the event of each side row, in one pass, so that the joins need not look at other events.
 * Every event writes, those of other tables to a place of no use: nothing here is decided by what
 * kind an event is, which no processor could foresee. */
static void find_rows(struct links *l, const struct run *r)
{
	const struct events *ev = &r->events;
	struct {
		uint32_t *row; /* by ev->args */
		uint32_t mask;
	} of[KIND_COUNT];
	uint32_t nowhere;
	size_t n = ev->n;

	l->work->device_row = no_rows(r->args.n[ARGS_DEVICE] + 1);
	l->work->launch_row = no_rows(r->args.n[ARGS_LAUNCH] + 1);
	for (unsigned k = 0; k < KIND_COUNT; k++) {
		enum args_table t = args_table_of((enum kind)k);

		of[k].row = t == ARGS_DEVICE ? l->work->device_row
			: t == ARGS_LAUNCH   ? l->work->launch_row
					     : &nowhere;
		of[k].mask = t == ARGS_DEVICE || t == ARGS_LAUNCH ? UINT32_MAX : 0;
	}
	for (size_t i = 0; i < n; i++)
		of[ev->kind[i]].row[ev->args[i] & of[ev->kind[i]].mask] = (uint32_t)i;
}

/* correlation -> the earliest call.  The others are counted. */
static void index_launches(struct links *l, const struct run *r)
{
	const struct id_column c = links_ids(r, ARG_LAUNCH_CORRELATION);
	const nsec *start = r->events.start;
	const struct lane *lanes = r->lanes.lane;
	const uint32_t *lane = r->events.lane;

	idmap_init(&l->work->launch_of, c.id, c.n);
	for (size_t i = 0; i < c.n; i++) {
		uint32_t *slot = idmap_slot(&l->work->launch_of, c.id[i]),
			 row = l->work->launch_row[i + 1];

		if (!slot || row == NO_ROW)
			continue;
		if (*slot != 0 && lanes[lane[row]].pid != lanes[lane[*slot - 1]].pid)
			l->work->has_shared_ids = true;
		else if (*slot != 0)
			l->duplicate_correlations++;
		if (*slot == 0 || start[row] < start[*slot - 1] ||
			(start[row] == start[*slot - 1] && row < *slot - 1))
			*slot = row + 1;
	}
}

static void join_launches(struct links *l, const struct run *r)
{
	const struct id_column c = links_ids(r, ARG_DEVICE_CORRELATION);
	const struct events *ev = &r->events;

	for (size_t i = 0; i < c.n; i++) {
		uint32_t launch = idmap_get(&l->work->launch_of, c.id[i]),
			 row = l->work->device_row[i + 1];

		if (launch == NO_ROW || row == NO_ROW)
			continue;
		l->launch[i] = launch;
		if (kind_is_device((enum kind)ev->kind[row]))
			l->work->fanout[ev->args[launch] - 1]++;
	}
}

/* An open slice of the host tree, with the innermost op and annotation at its place. */
struct open {
	nsec end;
	uint32_t op, annotation;
};

/* The rule of the host tree (docs/definitions.md): a slice that ends before this one is not around
 * it. */
static size_t close_before(const struct open *stack, size_t depth, nsec start, nsec end)
{
	while (depth > 0 && (start >= stack[depth - 1].end || end > stack[depth - 1].end))
		depth--;
	return depth;
}

/* events_end, where a call for each row would show. */
static nsec end_of(const struct events *ev, uint32_t row)
{
	nsec end;

	return add_overflows(ev->start[row], ev->dur[row], &end) ? INT64_MAX : end;
}

/* Looks for the quiet places of one lane (order.h), stretch by stretch. */
struct quiet_search {
	size_t stretch; /* the one looked for */
	size_t from;    /* its beginning */
	nsec until;     /* what began before is over */
};

static void look_for_quiet(struct quiet_search *q, struct order *o, size_t place, nsec start)
{
	if (LIKELY(place < q->from || start < q->until))
		return;
	o->quiet[q->stretch] = place;
	q->stretch = place / ORDER_STRETCH + 1;
	q->from = q->stretch * ORDER_STRETCH;
}

void links_walk(struct links *l, const struct run *r, size_t lane)
{
	const struct events *ev = &r->events;
	size_t at = r->order->host_begin[lane], end_at = r->order->host_begin[lane + 1];
	struct quiet_search quiet = { .stretch = at / ORDER_STRETCH + 1, .until = INT64_MIN };
	struct open *stack = NULL;
	size_t depth = 0, cap = 0;

	quiet.from = quiet.stretch * ORDER_STRETCH;
	for (; at < end_at; at++) {
		uint32_t row = r->order->host[at];
		nsec end = end_of(ev, row);
		struct open now = { end, NO_ROW, NO_ROW };

		look_for_quiet(&quiet, r->order, at, ev->start[row]);
		quiet.until = MAX(end, quiet.until);
		depth = close_before(stack, depth, ev->start[row], end);
		if (depth > 0) {
			now.op = stack[depth - 1].op;
			now.annotation = stack[depth - 1].annotation;
		}
		if (ev->kind[row] == KIND_RUNTIME && ev->args[row] != NO_ARGS)
			l->op_of_launch[ev->args[row] - 1] =
				now.op != NO_ROW ? now.op : now.annotation;
		if (ev->kind[row] == KIND_OP)
			now.op = row;
		if (ev->kind[row] == KIND_ANNOTATION)
			now.annotation = row;
		PUSH(stack, depth, cap, now);
	}
	free(stack);
}

static uint32_t of_side(const struct run *r, const uint32_t *v, uint32_t row)
{
	uint32_t side = r->events.args[row];

	return side == NO_ARGS ? NO_ROW : v[side - 1];
}

uint32_t launch_of_row(const struct run *r, uint32_t row)
{
	return of_side(r, r->links->launch, row);
}

uint32_t op_of_row(const struct run *r, uint32_t row)
{
	return of_side(r, r->links->op, row);
}

sym op_name_of_row(const struct run *r, uint32_t row)
{
	uint32_t op = r->links ? op_of_row(r, row) : NO_ROW;

	return op == NO_ROW ? 0 : r->events.name[op];
}

uint32_t step_of_row(const struct run *r, uint32_t row)
{
	return of_side(r, r->steps->of_device, row);
}

bool links_is_launch(struct span name)
{
	if (span_has(name, "Launch") || span_has(name, "@launch"))
		return !span_has(name, "HostFunc") && !span_has(name, "Attribute");
	return (span_has(name, "Memcpy") || span_has(name, "Memset")) && !span_has(name, "Node");
}

int64_t links_lost_work(const struct run *r)
{
	const struct events *ev = &r->events;

	if (r->kind_count[KIND_KERNEL] + r->kind_count[KIND_MEMCPY] + r->kind_count[KIND_MEMSET])
		return 0;
	return SUM(int64_t, i, ev->n,
		ev->kind[i] == KIND_RUNTIME && links_is_launch(run_name(r, (uint32_t)i)));
}

bool links_is_wait(struct span name)
{
	return span_has(name, "WaitEvent");
}

/* Whether two calls are of one process. */
static bool is_of_process(const struct run *r, uint32_t a, uint32_t b)
{
	return r->lanes.lane[r->events.lane[a]].pid == r->lanes.lane[r->events.lane[b]].pid;
}

static void count_idle_launches(struct links *l, const struct run *r)
{
	enum { UNSEEN, LAUNCH, NO_LAUNCH };
	const struct id_column c = links_ids(r, ARG_LAUNCH_CORRELATION);
	const struct events *ev = &r->events;
	uint8_t *seen = zeroed(r->strings.n, sizeof(*seen));

	for (size_t i = 0; i < c.n; i++) {
		uint32_t row = l->work->launch_row[i + 1];

		if (l->work->fanout[i] > 0 || row == NO_ROW)
			continue;
		uint32_t counts = idmap_get(&l->work->launch_of, c.id[i]);
		if (counts == NO_ROW)
			continue;
		if (l->work->fanout[ev->args[counts] - 1] > 0 &&
			(!r->streams_of_processes || is_of_process(r, row, counts)))
			continue;
		uint8_t *of_name = &seen[ev->name[row]];
		if (*of_name == UNSEEN)
			*of_name = links_is_launch(run_name(r, row)) ? LAUNCH : NO_LAUNCH;
		if (*of_name != LAUNCH)
			continue;
		l->without_device = array_grow(l->without_device, &l->without_device_cap,
			l->nwithout_device + 1, sizeof(*l->without_device));
		l->without_device[l->nwithout_device++] = row;
	}
	free(seen);
}

/* Counts device events by what their call launched.  Those without side row have no call. */
static void count_links(struct links *l, const struct run *r)
{
	int64_t ndevice = 0;

	for (size_t i = 0; i < r->args.n[ARGS_LAUNCH]; i++) {
		uint32_t n = l->work->fanout[i], row = l->work->launch_row[i + 1];

		l->launching += n > 0;
		if (n < 2 || (row != NO_ROW && links_is_wait(run_name(r, row)))) {
			l->linked += n;
			continue;
		}
		l->graph += n;
		l->graph_launches++;
	}
	ndevice = (int64_t)r->order->device_begin[r->lanes.n];
	l->unlinked = ndevice - l->linked - l->graph;
}

static void join_ops(struct links *l, const struct run *r)
{
	const struct id_column c = links_ids(r, ARG_DEVICE_EXTERNAL_ID);
	const struct events *ev = &r->events;

	for (size_t i = 0; i < r->args.n[ARGS_DEVICE]; i++) {
		uint32_t row = l->work->device_row[i + 1];

		if (l->launch[i] != NO_ROW)
			l->op[i] = l->op_of_launch[ev->args[l->launch[i]] - 1];
		if (l->op[i] == NO_ROW && (l->launch[i] == NO_ROW || r->has_arrows) && c.n > 0 &&
			row != NO_ROW)
			l->op[i] = idmap_get(&l->work->op_of, c.id[i]);
		if (l->launch[i] == NO_ROW && l->op[i] != NO_ROW &&
			kind_is_device((enum kind)ev->kind[row]))
			l->by_external_id++;
	}
}

struct links *links_join(const struct run *r)
{
	struct links *l = zeroed(1, sizeof(*l));

	l->work = zeroed(1, sizeof(*l->work));
	l->launch = no_rows(r->args.n[ARGS_DEVICE]);
	l->op = no_rows(r->args.n[ARGS_DEVICE]);
	l->op_of_launch = no_rows(r->args.n[ARGS_LAUNCH]);
	l->work->fanout = zeroed(r->args.n[ARGS_LAUNCH], sizeof(*l->work->fanout));
	find_rows(l, r);
	index_launches(l, r);
	join_launches(l, r);
	if (l->work->has_shared_ids || r->streams_of_processes)
		links_processes(l, r);
	count_idle_launches(l, r);
	links_external(l, r);
	return l;
}

static void free_work(struct links *l)
{
	if (!l->work)
		return;
	idmap_clear(&l->work->launch_of);
	idmap_clear(&l->work->op_of);
	FREE_ALL(l->work->fanout, l->work->device_row, l->work->launch_row, l->work);
	l->work = NULL;
}

void links_finish(struct links *l, const struct run *r)
{
	count_links(l, r);
	join_ops(l, r);
	free_work(l);
}

void links_free(struct links *l)
{
	if (!l)
		return;
	free_work(l);
	FREE_ALL(l->launch, l->op, l->op_of_launch, l->without_device, l);
}
