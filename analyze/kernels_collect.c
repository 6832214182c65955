/*
 * `kernels`: grouping.  One pass over the device order.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/kernels.h"
#include "analyze/saturate.h"
#include "analyze/store/links.h"
#include "analyze/store/order.h"
#include "analyze/store/run.h"

_Static_assert(sizeof(struct kernel_key) == 2 * 4 + 6 * 4 + 2 * 8, "no padding");

enum { FIRST_DECADE_NS = 1000 };

static struct kernel_config config_of(const struct run *r, uint32_t row)
{
	struct kernel_config c = { .registers = ARG_UNKNOWN, .shared = ARG_UNKNOWN };
	uint32_t side = r->events.args[row];

	if (side == NO_ARGS)
		return c;
	args_vec3(&r->args, ARG_DEVICE_GRID, side - 1, c.grid);
	args_vec3(&r->args, ARG_DEVICE_BLOCK, side - 1, c.block);
	c.registers = args_i64(&r->args, ARG_DEVICE_REGISTERS, side - 1);
	c.shared = args_i64(&r->args, ARG_DEVICE_SHARED, side - 1);
	return c;
}

/* The name of the op that launched a row; 0 when none is known. */
static sym op_of(const struct run *r, uint32_t row)
{
	uint32_t side = r->events.args[row], op;

	if (side == NO_ARGS || !r->links)
		return 0;
	op = r->links->op[side - 1];
	return op == NO_ROW ? 0 : r->events.name[op];
}

static struct kernel_key key_of(
	const struct kernels *k, uint32_t row, const struct kernel_config *c)
{
	struct kernel_key key = { .name = k->p->run->events.name[row] };

	if (k->by == KERNELS_BY_CONFIG)
		key.config = *c;
	if (k->by == KERNELS_BY_OP)
		key.op = op_of(k->p->run, row);
	return key;
}

static bool takes(struct kernels *k, uint32_t row)
{
	const struct run *r = k->p->run;

	return r->events.kind[row] == KIND_KERNEL && r->lanes.lane[r->events.lane[row]].is_device &&
		filter_device(&k->p->view, row);
}

uint32_t kernels_find(struct kernels *k, uint32_t row)
{
	struct kernel_config c = { 0 };
	struct kernel_key key;

	if (!takes(k, row) || !filter_name(&k->p->view, k->p->run->events.name[row]))
		return KEYMAP_NONE;
	if (k->by == KERNELS_BY_CONFIG)
		c = config_of(k->p->run, row);
	key = key_of(k, row, &c);
	return keymap_find(&k->keys, &key);
}

/* Counts a value of a group. */
static void count_pair(
	struct keymap *pairs, uint32_t **calls, size_t *cap, uint32_t group, uint32_t value)
{
	const uint32_t pair[2] = { group, value };
	size_t before = pairs->n;
	uint32_t at = keymap_add(pairs, pair);

	if (pairs->n > before) {
		*calls = array_grow(*calls, cap, pairs->n, sizeof(**calls));
		(*calls)[at] = 0;
	}
	(*calls)[at]++;
}

/* The duration of the call that launched this kernel alone; -1 when there is none. */
static nsec launch_cost(const struct kernels *k, uint32_t row)
{
	const struct run *r = k->p->run;
	uint32_t side = r->events.args[row], call;

	if (side == NO_ARGS || !r->links)
		return -1;
	call = r->links->launch[side - 1];
	if (call == NO_ROW || k->is_graph_launch[r->events.name[call]])
		return -1;
	return r->events.dur[call];
}

static struct kernel_group *group_at(
	struct kernels *k, const struct kernel_key *key, uint32_t *index)
{
	size_t before = k->keys.n;

	*index = keymap_add(&k->keys, key);
	if (k->keys.n > before) {
		k->group = array_grow(k->group, &k->group_cap, k->keys.n, sizeof(*k->group));
		k->group[*index] = (struct kernel_group){ .min = INT64_MAX };
	}
	return &k->group[*index];
}

static void count_duration(struct kernels *k, nsec dur, nsec cost)
{
	size_t d = 0;
	nsec limit = FIRST_DECADE_NS;
	struct kernels_decade *decade;

	while (d + 1 < KERNELS_DECADES && dur >= limit) {
		limit *= 10;
		d++;
	}
	decade = &k->decade[d];
	decade->kernels++;
	decade->sum = saturate_add(decade->sum, dur);
	k->count++;
	k->launched += cost >= 0;
	if (cost > dur) {
		decade->below++;
		decade->launch_ns = saturate_add(decade->launch_ns, cost);
	}
}

static void count_group(struct kernels *k, uint32_t row, nsec cost)
{
	const struct run *r = k->p->run;
	const struct kernel_config config = config_of(r, row);
	const struct kernel_key key = key_of(k, row, &config);
	double achieved = occupancy_achieved_ratio(r, row),
	       blocks = occupancy_blocks_per_sm(r, row);
	nsec dur = r->events.dur[row];
	uint32_t index;
	struct kernel_group *g = group_at(k, &key, &index);

	g->calls++;
	g->sum = saturate_add(g->sum, dur);
	g->squares += (unsigned __int128)dur * (unsigned __int128)dur;
	g->min = dur < g->min ? dur : g->min;
	g->max = dur > g->max ? dur : g->max;
	if (cost > dur) {
		g->below++;
		g->launch_ns = saturate_add(g->launch_ns, cost);
	}
	if (!isnan(achieved)) {
		g->achieved += achieved * (double)dur;
		g->achieved_ns = saturate_add(g->achieved_ns, dur);
	}
	if (!isnan(blocks)) {
		g->blocks += blocks * (double)dur;
		g->blocks_ns = saturate_add(g->blocks_ns, dur);
	}
	if (config.grid[0] || config.registers != ARG_UNKNOWN) {
		k->has_config = true;
		count_pair(&k->group_configs, &k->config_calls, &k->config_cap, index,
			keymap_add(&k->configs, &config));
	}
	if (r->links)
		count_pair(&k->group_ops, &k->op_calls, &k->op_cap, index, op_of(r, row));
}

/* Whether config a stands before b where both are equally frequent: the smaller launch. */
static bool config_before(const struct kernels *k, uint32_t a, uint32_t b)
{
	const struct kernel_config *x = keymap_key(&k->configs, a);
	const struct kernel_config *y = keymap_key(&k->configs, b);
	int i;

	for (i = 0; i < 3; i++)
		if (x->grid[i] != y->grid[i])
			return x->grid[i] < y->grid[i];
	for (i = 0; i < 3; i++)
		if (x->block[i] != y->block[i])
			return x->block[i] < y->block[i];
	if (x->registers != y->registers)
		return x->registers < y->registers;
	return x->shared < y->shared;
}

static bool name_before(const struct kernels *k, sym a, sym b)
{
	const struct strings *names = &k->p->run->strings;

	return span_cmp(strings_get(names, a), strings_get(names, b)) < 0;
}

/* The most frequent configuration and op of each group; the order of events does not matter. */
static void find_modes(struct kernels *k)
{
	uint32_t i;

	for (i = 0; i < k->group_configs.n; i++) {
		const uint32_t *pair = keymap_key(&k->group_configs, i);
		struct kernel_mode *m = &k->group[pair[0]].config;

		if (k->config_calls[i] > m->calls ||
			(k->config_calls[i] == m->calls && config_before(k, pair[1], m->value)))
			*m = (struct kernel_mode){ pair[1], k->config_calls[i], m->variants };
		m->variants++;
	}
	for (i = 0; i < k->group_ops.n; i++) {
		const uint32_t *pair = keymap_key(&k->group_ops, i);
		struct kernel_mode *m = &k->group[pair[0]].op;

		if (k->op_calls[i] > m->calls ||
			(k->op_calls[i] == m->calls && name_before(k, pair[1], m->value)))
			*m = (struct kernel_mode){ pair[1], k->op_calls[i], m->variants };
		m->variants++;
	}
}

static void find_devices(struct kernels *k)
{
	size_t i;

	devices_init(&k->devices, k->p->run, &k->p->mem);
	k->device = arena_array(&k->p->mem, k->devices.n, sizeof(*k->device));
	for (i = 0; i < k->devices.n; i++)
		k->device[i] = (struct kernels_device){
			.id = k->devices.id[i],
			.first = INT64_MAX,
			.last = INT64_MIN,
		};
}

static void count_device(struct kernels *k, struct kernels_device *d, uint32_t row, nsec cost)
{
	const struct events *ev = &k->p->run->events;
	nsec end = events_end(ev, row);

	occupancy_add(&d->occupancy, k->p->run, row, tensor_cores_of(&k->tensor, ev->name[row]));
	d->below += cost > ev->dur[row];
	d->first = ev->start[row] < d->first ? ev->start[row] : d->first;
	d->last = end > d->last ? end : d->last;
}

static void collect_lane(struct kernels *k, size_t lane)
{
	const struct run *r = k->p->run;
	size_t i, end = r->order->device_begin[lane + 1];
	size_t device = devices_find(&k->devices, r->lanes.lane[lane].device);

	for (i = r->order->device_begin[lane]; i < end; i++) {
		uint32_t row = r->order->device[i];
		nsec cost;

		if (!takes(k, row))
			continue;
		k->sum = saturate_add(k->sum, r->events.dur[row]);
		if (!filter_name(&k->p->view, r->events.name[row]))
			continue;
		cost = launch_cost(k, row);
		if (device != SIZE_MAX)
			count_device(k, &k->device[device], row, cost);
		count_duration(k, r->events.dur[row], cost);
		count_group(k, row, cost);
	}
}

void kernels_collect(struct kernels *k)
{
	const struct run *r = k->p->run;
	size_t i;

	keymap_init(&k->keys, sizeof(struct kernel_key));
	keymap_init(&k->configs, sizeof(struct kernel_config));
	keymap_init(&k->group_configs, 2 * sizeof(uint32_t));
	keymap_init(&k->group_ops, 2 * sizeof(uint32_t));
	tensor_cores_init(&k->tensor, r, &k->p->mem);
	k->is_graph_launch = arena_array(&k->p->mem, r->strings.n, sizeof(bool));
	for (i = 0; i < r->strings.n; i++)
		k->is_graph_launch[i] = span_has(strings_get(&r->strings, (sym)i), "GraphLaunch");
	find_devices(k);
	for (i = 0; i < r->lanes.n; i++)
		collect_lane(k, i);
	find_modes(k);
}

void kernels_clear(struct kernels *k)
{
	keymap_clear(&k->keys);
	keymap_clear(&k->configs);
	keymap_clear(&k->group_configs);
	keymap_clear(&k->group_ops);
	free(k->config_calls);
	free(k->op_calls);
	free(k->group);
}
