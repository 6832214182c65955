/*
 * `kernels`: grouping.  One pass over the device order.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answer/kernels/kernels.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/minmax.h"
#include "base/saturate.h"

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

static struct kernel_key key_of(const struct kernels *k, const struct kernel_key_alike *alike,
	const struct kernel_config *c)
{
	struct kernel_key key = { .name = alike->name };

	if (k->by == KERNELS_BY_CONFIG)
		key.config = *c;
	if (k->by == KERNELS_BY_OP)
		key.op = alike->op;
	return key;
}

static bool takes(struct kernels *k, uint32_t row)
{
	const struct run *r = k->p->run;

	return r->events.kind[row] == KIND_KERNEL && r->lanes.lane[r->events.lane[row]].is_device &&
		filter_device(&k->p->view, row);
}

static struct kernel_key_alike alike_of(const struct kernels *k, uint32_t row, uint32_t device)
{
	const struct run *r = k->p->run;
	uint32_t side = r->events.args[row];
	const uint32_t *combination = r->args.set[SET_KERNEL].of;

	return (struct kernel_key_alike){ r->events.name[row], op_of(r, row),
		side != NO_ARGS && combination ? combination[side - 1] : 0, device };
}

static uint32_t device_of(const struct kernels *k, const struct lane *l)
{
	size_t at = devices_find(&k->devices, l->device);

	return at == SIZE_MAX ? KEYMAP_NONE : (uint32_t)at;
}

uint32_t kernels_find(struct kernels *k, uint32_t row)
{
	const struct run *r = k->p->run;
	struct kernel_key_alike key;
	uint32_t at;

	if (!takes(k, row) || !filter_name(&k->p->view, r->events.name[row]))
		return KEYMAP_NONE;
	key = alike_of(k, row, device_of(k, &r->lanes.lane[r->events.lane[row]]));
	at = keymap_find(&k->kinds, &key);
	return at == KEYMAP_NONE ? KEYMAP_NONE : k->alike[at].group;
}

/* Counts values of a group. */
static void count_pair(struct keymap *pairs, uint32_t **calls, size_t *cap, uint32_t group,
	uint32_t value, uint32_t n)
{
	const uint32_t pair[2] = { group, value };
	size_t before = pairs->n;
	uint32_t at = keymap_add(pairs, pair);

	if (pairs->n > before) {
		*calls = array_grow(*calls, cap, pairs->n, sizeof(**calls));
		(*calls)[at] = 0;
	}
	(*calls)[at] += n;
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
	saturate_onto(&decade->sum, dur);
	k->count++;
	k->launched += cost >= 0;
	if (cost > dur) {
		decade->below++;
		saturate_onto(&decade->launch_ns, cost);
	}
}

/* The entry of kernels like that row, new or old.  Mostly the last one of that name. */
static struct kernel_alike *alike_at(
	struct kernels *k, uint32_t row, const struct kernel_key_alike *key)
{
	uint32_t *last = &k->alike_of_name[key->name], at;
	size_t before = k->kinds.n;

	if (*last && memcmp(keymap_key(&k->kinds, *last - 1), key, sizeof(*key)) == 0)
		return &k->alike[*last - 1];
	at = keymap_add(&k->kinds, key);
	*last = at + 1;
	if (k->kinds.n > before) {
		k->alike = array_grow(k->alike, &k->alike_cap, k->kinds.n, sizeof(*k->alike));
		k->alike[at] = (struct kernel_alike){
			.min = INT64_MAX, .first = INT64_MAX, .last = INT64_MIN, .row = row
		};
	}
	return &k->alike[at];
}

static void count_alike(struct kernels *k, uint32_t row, uint32_t device, nsec cost)
{
	const struct run *r = k->p->run;
	const struct kernel_key_alike key = alike_of(k, row, device);
	struct kernel_alike *a = alike_at(k, row, &key);
	nsec start = r->events.start[row], dur = r->events.dur[row];
	nsec end = saturate_add(start, dur);

	a->calls++;
	saturate_onto(&a->sum, dur);
	a->squares += (unsigned __int128)dur * (unsigned __int128)dur;
	a->min = MIN(dur, a->min);
	a->max = MAX(dur, a->max);
	a->first = MIN(start, a->first);
	a->last = MAX(end, a->last);
	if (cost > dur) {
		a->below++;
		saturate_onto(&a->launch_ns, cost);
	}
}

static void weigh(const struct run *r, struct kernel_group *g, const struct kernel_alike *a)
{
	double achieved = occupancy_achieved_ratio(r, a->row),
	       blocks = occupancy_blocks_per_sm(r, a->row);

	if (!isnan(achieved)) {
		g->achieved += achieved * (double)a->sum;
		saturate_onto(&g->achieved_ns, a->sum);
	}
	if (!isnan(blocks)) {
		g->blocks += blocks * (double)a->sum;
		saturate_onto(&g->blocks_ns, a->sum);
	}
}

static void add_to_group(
	struct kernels *k, const struct kernel_key_alike *alike, struct kernel_alike *a)
{
	const struct run *r = k->p->run;
	const struct kernel_config config = config_of(r, a->row);
	const struct kernel_key key = key_of(k, alike, &config);
	struct kernel_group *g = group_at(k, &key, &a->group);

	if (g->calls == 0)
		g->class = classes_of(&k->classes, a->row);
	g->calls += a->calls;
	saturate_onto(&g->sum, a->sum);
	g->squares += a->squares;
	g->min = MIN(a->min, g->min);
	g->max = MAX(a->max, g->max);
	g->below += a->below;
	saturate_onto(&g->launch_ns, a->launch_ns);
	weigh(r, g, a);
	if (config.grid[0] || config.registers != ARG_UNKNOWN) {
		k->has_config = true;
		count_pair(&k->group_configs, &k->config_calls, &k->config_cap, a->group,
			keymap_add(&k->configs, &config), a->calls);
	}
	if (r->links)
		count_pair(&k->group_ops, &k->op_calls, &k->op_cap, a->group, alike->op, a->calls);
}

static void add_to_device(
	struct kernels *k, const struct kernel_key_alike *alike, const struct kernel_alike *a)
{
	struct kernels_device *d = &k->device[alike->device];

	occupancy_add_alike(&d->occupancy, k->p->run, a->row,
		tensor_cores_of(&k->tensor, alike->name), a->calls, a->sum);
	d->below += a->below;
	d->first = MIN(a->first, d->first);
	d->last = MAX(a->last, d->last);
}

/* Groups and devices from kernels that are alike. */
static void gather(struct kernels *k)
{
	uint32_t i;

	for (i = 0; i < k->kinds.n; i++) {
		const struct kernel_key_alike *alike = keymap_key(&k->kinds, i);

		add_to_group(k, alike, &k->alike[i]);
		if (alike->device != KEYMAP_NONE)
			add_to_device(k, alike, &k->alike[i]);
	}
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

static void collect_lane(struct kernels *k, size_t lane)
{
	const struct run *r = k->p->run;
	size_t i, end = r->order->device_begin[lane + 1];
	uint32_t device = device_of(k, &r->lanes.lane[lane]);

	for (i = r->order->device_begin[lane]; i < end; i++) {
		uint32_t row = r->order->device[i];
		nsec cost;

		if (!takes(k, row))
			continue;
		saturate_onto(&k->sum, r->events.dur[row]);
		if (!filter_name(&k->p->view, r->events.name[row]))
			continue;
		cost = launch_cost(k, row);
		count_duration(k, r->events.dur[row], cost);
		count_alike(k, row, device, cost);
	}
}

void kernels_collect(struct kernels *k)
{
	const struct run *r = k->p->run;
	size_t i;

	keymap_init(&k->kinds, sizeof(struct kernel_key_alike));
	keymap_init(&k->keys, sizeof(struct kernel_key));
	keymap_init(&k->configs, sizeof(struct kernel_config));
	keymap_init(&k->group_configs, 2 * sizeof(uint32_t));
	keymap_init(&k->group_ops, 2 * sizeof(uint32_t));
	tensor_cores_init(&k->tensor, r, &k->p->mem);
	k->alike_of_name = arena_array(&k->p->mem, r->strings.n, sizeof(*k->alike_of_name));
	k->is_graph_launch = arena_array(&k->p->mem, r->strings.n, sizeof(bool));
	for (i = 0; i < r->strings.n; i++)
		k->is_graph_launch[i] = span_has(strings_get(&r->strings, (sym)i), "GraphLaunch");
	find_devices(k);
	for (i = 0; i < r->lanes.n; i++)
		collect_lane(k, i);
	gather(k);
	find_modes(k);
}

void kernels_clear(struct kernels *k)
{
	keymap_clear(&k->kinds);
	keymap_clear(&k->keys);
	keymap_clear(&k->configs);
	keymap_clear(&k->group_configs);
	keymap_clear(&k->group_ops);
	free(k->config_calls);
	free(k->op_calls);
	free(k->group);
	free(k->alike);
}
