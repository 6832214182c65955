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
#include "base/die.h"

/* What building needs besides the result. */
struct joining {
	const struct run *run;
	struct links *links;
	struct idmap launch_of; /* correlation -> row of the call that counts */
	uint32_t *fanout;       /* by launch side row: device events it launched */
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
	uint32_t *row = zeroed(n, sizeof(*row));
	size_t i;

	for (i = 0; i < n; i++)
		row[i] = NO_ROW;
	return row;
}

/* The id of an event in a column of its side table; 0 = none, also when the column is not kept. */
static uint32_t id_of(const struct run *r, enum arg arg, size_t row)
{
	const uint32_t *id = r->args.col[arg].id;

	return id && r->events.args[row] != NO_ARGS ? id[r->events.args[row] - 1] : 0;
}

static void index_column(const struct run *r, enum arg arg, struct idmap *m)
{
	const uint32_t *id = r->args.col[arg].id;

	idmap_init(m, id, id ? r->args.n[arg_infos[arg].table] : 0);
}

/* correlation -> the earliest call; the others are counted. */
static void index_launches(struct joining *j)
{
	const struct events *ev = &j->run->events;
	size_t i;

	index_column(j->run, ARG_LAUNCH_CORRELATION, &j->launch_of);
	for (i = 0; i < ev->n; i++) {
		uint32_t id, *slot;

		if (ev->kind[i] != KIND_RUNTIME || !(id = id_of(j->run, ARG_LAUNCH_CORRELATION, i)))
			continue;
		slot = idmap_slot(&j->launch_of, id);
		if (*slot != 0)
			j->links->duplicate_correlations++;
		if (*slot == 0 || ev->start[i] < ev->start[*slot - 1])
			*slot = (uint32_t)i + 1;
	}
}

/* Kinds that live in the device side table. */
static bool has_device_args(uint8_t kind)
{
	return args_table_of((enum kind)kind) == ARGS_DEVICE;
}

static void join_launches(struct joining *j)
{
	const struct events *ev = &j->run->events;
	size_t i;

	for (i = 0; i < ev->n; i++) {
		uint32_t row;

		if (!has_device_args(ev->kind[i]))
			continue;
		row = idmap_get(&j->launch_of, id_of(j->run, ARG_DEVICE_CORRELATION, i));
		if (row != NO_ROW)
			j->links->launch[ev->args[i] - 1] = row;
		if (!kind_is_device((enum kind)ev->kind[i]))
			continue;
		if (row != NO_ROW)
			j->fanout[ev->args[row] - 1]++;
		else
			j->links->unlinked++;
	}
	for (i = 0; i < j->run->args.n[ARGS_LAUNCH]; i++) {
		if (j->fanout[i] == 1)
			j->links->linked++;
		if (j->fanout[i] < 2)
			continue;
		j->links->graph += j->fanout[i];
		j->links->graph_launches++;
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

static void walk_lane(
	struct joining *j, const uint32_t *row, size_t n, struct open **stack, size_t *cap)
{
	const struct events *ev = &j->run->events;
	size_t depth = 0, i;

	for (i = 0; i < n; i++) {
		nsec end = events_end(ev, row[i]);
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

/* External id -> the first op that has it; the others are counted. */
static void index_ops(struct joining *j, struct idmap *op_of)
{
	const struct events *ev = &j->run->events;
	size_t i;

	index_column(j->run, ARG_OP_EXTERNAL_ID, op_of);
	for (i = 0; i < ev->n; i++) {
		uint32_t id, *slot;

		if (ev->kind[i] != KIND_OP && ev->kind[i] != KIND_ANNOTATION)
			continue;
		if (!(id = id_of(j->run, ARG_OP_EXTERNAL_ID, i)))
			continue;
		slot = idmap_slot(op_of, id);
		if (*slot == 0)
			*slot = (uint32_t)i + 1;
		else
			j->links->duplicate_external_ids++;
	}
}

static void join_ops(struct joining *j)
{
	const struct events *ev = &j->run->events;
	struct idmap op_of;
	size_t i;

	index_ops(j, &op_of);
	for (i = 0; i < ev->n; i++) {
		uint32_t side, op;

		if (!has_device_args(ev->kind[i]) || ev->args[i] == NO_ARGS)
			continue;
		side = ev->args[i] - 1;
		if (j->links->launch[side] != NO_ROW) {
			op = j->links->op_of_launch[ev->args[j->links->launch[side]] - 1];
		} else {
			op = idmap_get(&op_of, id_of(j->run, ARG_DEVICE_EXTERNAL_ID, i));
			if (op != NO_ROW && kind_is_device((enum kind)ev->kind[i]))
				j->links->by_external_id++;
		}
		j->links->op[side] = op;
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
	const struct events *ev = &j->run->events;
	uint8_t *seen = zeroed(j->run->strings.n, sizeof(*seen));
	size_t i;

	for (i = 0; i < ev->n; i++) {
		uint8_t *of_name = &seen[ev->name[i]];
		uint32_t id, row;

		if (ev->kind[i] != KIND_RUNTIME || !(id = id_of(j->run, ARG_LAUNCH_CORRELATION, i)))
			continue;
		if (*of_name == UNSEEN)
			*of_name = is_launch_name(run_name(j->run, i)) ? LAUNCH : NO_LAUNCH;
		row = idmap_get(&j->launch_of, id);
		if (*of_name == LAUNCH && j->fanout[ev->args[row] - 1] == 0)
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
	index_launches(&j);
	join_launches(&j);
	find_ops(&j);
	count_idle_launches(&j);
	free(j.fanout);
	idmap_clear(&j.launch_of);
	join_ops(&j);
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
