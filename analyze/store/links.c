/*
 * Links: device events to the calls that launched them (correlation), and those to CPU ops (one
 * walk of the host tree).  External ids serve where the launch is not in the trace.
 */
#include "analyze/store/links.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyze/store/idmap.h"
#include "analyze/store/order.h"
#include "analyze/store/run.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "base/die.h"

/* A bitmap of ids is used when it has at most this many bits for each of them. */
enum { BITMAP_SPREAD = 64 };

/* What building needs besides the result. */
struct joining {
	const struct run *run;
	struct links *links;
	struct idmap launch_of; /* correlation -> row of the call that counts */
	uint32_t *fanout;       /* by launch side row: device events it launched */
	uint32_t *device_row;   /* by device side row: its event */
	uint32_t *launch_row;   /* by launch side row: its event */
};

static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		die_oom(n * size);
	return p;
}

static uint32_t *no_rows(size_t n)
{
	uint32_t *row = malloc(n ? n * sizeof(*row) : 1);
	size_t i;

	if (!row)
		die_oom(n * sizeof(*row));
	for (i = 0; i < n; i++)
		row[i] = NO_ROW;
	return row;
}

/* Finds the event of each side row, in one pass, so that the joins need not look at other events.
 */
static void find_rows(struct joining *j)
{
	const struct events *ev = &j->run->events;
	uint32_t *row_of[ARGS_TABLE_COUNT] = { NULL };
	uint8_t table[KIND_COUNT];
	size_t n = ev->n, i;
	int k;

	j->device_row = no_rows(j->run->args.n[ARGS_DEVICE]);
	j->launch_row = no_rows(j->run->args.n[ARGS_LAUNCH]);
	row_of[ARGS_DEVICE] = j->device_row;
	row_of[ARGS_LAUNCH] = j->launch_row;
	for (k = 0; k < KIND_COUNT; k++)
		table[k] = (uint8_t)args_table_of((enum kind)k);
	for (i = 0; i < n; i++) {
		uint32_t *row = row_of[table[ev->kind[i]]];

		if (row && ev->args[i] != NO_ARGS)
			row[ev->args[i] - 1] = (uint32_t)i;
	}
}

/* A column of ids; empty when it is not kept. */
struct id_column {
	const uint32_t *id;
	size_t n;
};

static struct id_column id_column(const struct run *r, enum arg arg)
{
	const uint32_t *id = r->args.col[arg].id;

	return (struct id_column){ id, id ? r->args.n[arg_infos[arg].table] : 0 };
}

/* correlation -> the earliest call; the others are counted. */
static void index_launches(struct joining *j)
{
	const struct id_column c = id_column(j->run, ARG_LAUNCH_CORRELATION);
	const nsec *start = j->run->events.start;
	size_t i;

	idmap_init(&j->launch_of, c.id, c.n);
	for (i = 0; i < c.n; i++) {
		uint32_t *slot = idmap_slot(&j->launch_of, c.id[i]), row = j->launch_row[i];

		if (!slot || row == NO_ROW)
			continue;
		if (*slot != 0)
			j->links->duplicate_correlations++;
		if (*slot == 0 || start[row] < start[*slot - 1] ||
			(start[row] == start[*slot - 1] && row < *slot - 1))
			*slot = row + 1;
	}
}

/* Counts device events by what their call launched; those without side row have no call. */
static void count_links(struct joining *j)
{
	int64_t ndevice = 0;
	size_t i;

	for (i = 0; i < j->run->args.n[ARGS_LAUNCH]; i++) {
		if (j->fanout[i] == 1)
			j->links->linked++;
		if (j->fanout[i] < 2)
			continue;
		j->links->graph += j->fanout[i];
		j->links->graph_launches++;
	}
	ndevice = (int64_t)j->run->order->device_begin[j->run->lanes.n];
	j->links->unlinked = ndevice - j->links->linked - j->links->graph;
}

static void join_launches(struct joining *j)
{
	const struct id_column c = id_column(j->run, ARG_DEVICE_CORRELATION);
	const struct events *ev = &j->run->events;
	size_t i;

	for (i = 0; i < c.n; i++) {
		uint32_t launch = idmap_get(&j->launch_of, c.id[i]), row = j->device_row[i];

		if (launch == NO_ROW || row == NO_ROW)
			continue;
		j->links->launch[i] = launch;
		if (kind_is_device((enum kind)ev->kind[row]))
			j->fanout[ev->args[launch] - 1]++;
	}
	count_links(j);
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

static void walk_lane(
	struct joining *j, const uint32_t *row, size_t n, struct open **stack, size_t *cap)
{
	const struct events *ev = &j->run->events;
	size_t depth = 0, i;

	for (i = 0; i < n; i++) {
		nsec end = end_of(ev, row[i]);
		struct open now = { end, NO_ROW, NO_ROW };

		depth = close_before(*stack, depth, ev->start[row[i]], end);
		if (depth > 0) {
			now.op = (*stack)[depth - 1].op;
			now.annotation = (*stack)[depth - 1].annotation;
		}
		if (ev->kind[row[i]] == KIND_RUNTIME && ev->args[row[i]] != NO_ARGS)
			j->links->op_of_launch[ev->args[row[i]] - 1] =
				now.op != NO_ROW ? now.op : now.annotation;
		if (ev->kind[row[i]] == KIND_OP)
			now.op = row[i];
		if (ev->kind[row[i]] == KIND_ANNOTATION)
			now.annotation = row[i];
		if (depth == *cap)
			*stack = array_grow(*stack, cap, depth + 1, sizeof(**stack));
		(*stack)[depth++] = now;
	}
}

static void find_ops(struct joining *j)
{
	const struct order *o = j->run->order;
	struct open *stack = NULL;
	size_t cap = 0, i;

	for (i = 0; i < j->run->lanes.n; i++)
		walk_lane(j, o->host + o->host_begin[i], o->host_begin[i + 1] - o->host_begin[i],
			&stack, &cap);
	free(stack);
}

/* External ids seen so far: a bitmap where they lie close together, else a map. */
struct seen {
	uint64_t *bit;
	uint32_t first;
	struct idmap map;
};

static void seen_init(struct seen *s, struct id_column c)
{
	uint32_t first = UINT32_MAX, last = 0;
	size_t i;

	*s = (struct seen){ 0 };
	for (i = 0; i < c.n; i++) {
		last = c.id[i] > last ? c.id[i] : last;
		first = c.id[i] != 0 && c.id[i] < first ? c.id[i] : first;
	}
	if (last == 0)
		return;
	if ((last - first) / BITMAP_SPREAD < c.n) {
		s->first = first;
		s->bit = zeroed((last - first) / 64 + 1, sizeof(*s->bit));
	} else {
		idmap_init(&s->map, c.id, c.n);
	}
}

static void seen_clear(struct seen *s)
{
	free(s->bit);
	idmap_clear(&s->map);
}

/* Whether that id was there before; now it is. */
static bool seen_add(struct seen *s, uint32_t id)
{
	bool old;

	if (s->bit) {
		uint64_t bit = (uint64_t)1 << ((id - s->first) & 63);

		old = (s->bit[(id - s->first) / 64] & bit) != 0;
		s->bit[(id - s->first) / 64] |= bit;
	} else {
		uint32_t *slot = idmap_slot(&s->map, id);

		old = *slot != 0;
		*slot = 1;
	}
	return old;
}

/* The External ids of device rows without a launch, as a map to be filled with ops. */
static void index_wanted(struct joining *j, struct idmap *wanted)
{
	const struct id_column c = id_column(j->run, ARG_DEVICE_EXTERNAL_ID);
	uint32_t *id = NULL;
	size_t n = 0, cap = 0, i;

	for (i = 0; i < c.n; i++) {
		if (c.id[i] == 0 || j->links->launch[i] != NO_ROW)
			continue;
		id = array_grow(id, &cap, n + 1, sizeof(*id));
		id[n++] = c.id[i];
	}
	idmap_init(wanted, id, n);
	free(id);
}

static void count_duplicate_ids(struct joining *j)
{
	const struct id_column c = id_column(j->run, ARG_OP_EXTERNAL_ID);
	struct seen seen;
	size_t i;

	seen_init(&seen, c);
	for (i = 0; i < c.n; i++)
		if (c.id[i] != 0 && seen_add(&seen, c.id[i]))
			j->links->duplicate_external_ids++;
	seen_clear(&seen);
}

/* External id -> the first op that has it, for those wanted. */
static void index_ops(const struct run *r, const struct idmap *wanted)
{
	const struct id_column c = id_column(r, ARG_OP_EXTERNAL_ID);
	const struct events *ev = &r->events;
	size_t i;

	for (i = 0; wanted->n > 0 && c.n > 0 && i < ev->n; i++) {
		uint32_t *slot;

		if (ev->args[i] == NO_ARGS ||
			(ev->kind[i] != KIND_OP && ev->kind[i] != KIND_ANNOTATION))
			continue;
		slot = idmap_slot(wanted, c.id[ev->args[i] - 1]);
		if (slot && *slot == 0)
			*slot = (uint32_t)i + 1;
	}
}

static void join_ops(struct joining *j)
{
	const struct id_column c = id_column(j->run, ARG_DEVICE_EXTERNAL_ID);
	const struct events *ev = &j->run->events;
	struct links *l = j->links;
	struct idmap op_of;
	size_t i;

	index_wanted(j, &op_of);
	index_ops(j->run, &op_of);
	for (i = 0; i < j->run->args.n[ARGS_DEVICE]; i++) {
		uint32_t row = j->device_row[i];

		if (l->launch[i] != NO_ROW)
			l->op[i] = l->op_of_launch[ev->args[l->launch[i]] - 1];
		else if (c.n > 0 && row != NO_ROW)
			l->op[i] = idmap_get(&op_of, c.id[i]);
		if (l->launch[i] == NO_ROW && l->op[i] != NO_ROW &&
			kind_is_device((enum kind)ev->kind[row]))
			l->by_external_id++;
	}
	idmap_clear(&op_of);
}

/* Runtime and driver calls that put work on a device, whatever the vendor's prefix. */
static bool is_launch_name(struct span name)
{
	if (span_has(name, "Launch"))
		return !span_has(name, "HostFunc") && !span_has(name, "Attribute");
	return (span_has(name, "Memcpy") || span_has(name, "Memset")) && !span_has(name, "Node");
}

static void count_idle_launches(struct joining *j)
{
	enum { UNSEEN, LAUNCH, NO_LAUNCH };
	const struct id_column c = id_column(j->run, ARG_LAUNCH_CORRELATION);
	const struct events *ev = &j->run->events;
	uint8_t *seen = zeroed(j->run->strings.n, sizeof(*seen));
	size_t i;

	for (i = 0; i < c.n; i++) {
		uint32_t row = j->launch_row[i], counts = idmap_get(&j->launch_of, c.id[i]);
		uint8_t *of_name;

		if (counts == NO_ROW || row == NO_ROW || j->fanout[ev->args[counts] - 1] > 0)
			continue;
		of_name = &seen[ev->name[row]];
		if (*of_name == UNSEEN)
			*of_name = is_launch_name(run_name(j->run, row)) ? LAUNCH : NO_LAUNCH;
		if (*of_name == LAUNCH)
			j->links->launches_without_device++;
	}
	free(seen);
}

struct links *links_build(const struct run *r)
{
	struct links *l = zeroed(1, sizeof(*l));
	struct joining j = { .run = r, .links = l };

	l->launch = no_rows(r->args.n[ARGS_DEVICE]);
	l->op = no_rows(r->args.n[ARGS_DEVICE]);
	l->op_of_launch = no_rows(r->args.n[ARGS_LAUNCH]);
	j.fanout = zeroed(r->args.n[ARGS_LAUNCH], sizeof(*j.fanout));
	find_rows(&j);
	index_launches(&j);
	join_launches(&j);
	count_idle_launches(&j);
	free(j.fanout);
	free(j.launch_row);
	idmap_clear(&j.launch_of);
	find_ops(&j);
	count_duplicate_ids(&j);
	join_ops(&j);
	free(j.device_row);
	return l;
}

void links_free(struct links *l)
{
	if (!l)
		return;
	free(l->launch);
	free(l->op);
	free(l->op_of_launch);
	free(l);
}
