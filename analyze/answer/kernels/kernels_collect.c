/* `kernels`: grouping.  One pass over the device order. */
#include "analyze/answer/kernels/kernels.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"

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

static struct kernel_key key_of(const struct kernels *k, const struct kernel_alike_key *alike,
	const struct kernel_config *c)
{
	struct kernel_key key = { .name = alike->name };

	if (k->by == KERNELS_BY_CONFIG)
		key.config = *c;
	if (k->by == KERNELS_BY_OP)
		key.op = alike->op;
	if (k->callers)
		key.op = ((const sym *)keymap_key(&k->origins, alike->op))[1];
	return key;
}

static bool takes(struct kernels *k, uint32_t row)
{
	const struct run *r = k->p->run;

	return r->events.kind[row] == KIND_KERNEL && r->lanes.lane[r->events.lane[row]].is_device &&
		filter_device(&k->p->view, row);
}

/* The op; where rows are by places, it and the place. */
static uint32_t origin_of(struct kernels *k, uint32_t row)
{
	const sym key[2] = { op_name_of_row(k->p->run, row),
		k->callers ? callers_of(k->callers, row) : 0 };

	return k->callers ? keymap_add(&k->origins, key) : key[0];
}

static struct kernel_alike_key alike_of(struct kernels *k, uint32_t row, uint32_t device)
{
	const struct run *r = k->p->run;
	uint32_t side = r->events.args[row];
	const uint32_t *combination = r->args.set[SET_KERNEL].of;

	return (struct kernel_alike_key){ r->events.name[row], origin_of(k, row),
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

	if (!takes(k, row) || !filter_name(&k->p->view, r->events.name[row]))
		return KEYMAP_NONE;
	struct kernel_alike_key key =
		alike_of(k, row, device_of(k, &r->lanes.lane[r->events.lane[row]]));
	uint32_t at = groups_find(&k->alike, &key);
	return at == KEYMAP_NONE ? KEYMAP_NONE
				 : ((const struct kernel_alike *)groups_item(&k->alike, at))->group;
}

/* Counts values of a group. */
static void count_pair(struct groups *pairs, uint32_t group, uint32_t value, int64_t n)
{
	const uint32_t key[2] = { group, value };
	struct kernel_pair *p = groups_at(pairs, key);

	p->calls += (uint32_t)n;
}

/* The duration of the call that launched this kernel alone; -1 when there is none. */
static nsec launch_cost(const struct kernels *k, uint32_t row)
{
	const struct run *r = k->p->run;
	uint32_t side = r->events.args[row];

	if (side == NO_ARGS || !r->links)
		return -1;
	uint32_t call = r->links->launch[side - 1];
	if (call == NO_ROW || k->is_graph_launch[r->events.name[call]])
		return -1;
	return r->events.dur[call];
}

static void count_duration(struct kernels *k, nsec dur, nsec cost)
{
	size_t d = 0;
	nsec limit = FIRST_DECADE_NS;

	while (d + 1 < KERNELS_DECADES && dur >= limit) {
		limit *= 10;
		d++;
	}
	struct kernels_decade *decade = &k->decade[d];
	decade->kernels++;
	saturate_onto(&decade->sum, dur);
	k->count++;
	k->launched += cost >= 0;
	if (cost > dur) {
		decade->below++;
		saturate_onto(&decade->launch_ns, cost);
	}
}

static void count_alike(struct kernels *k, uint32_t row, uint32_t device, nsec cost)
{
	const struct run *r = k->p->run;
	const struct kernel_alike_key key = alike_of(k, row, device);
	nsec start = r->events.start[row], dur = r->events.dur[row];
	nsec end = saturate_add(start, dur);
	uint64_t words[2];

	memcpy(words, &key, sizeof(words));
	struct kernel_alike *a =
		groups_item(&k->alike, groups_hit(&k->alike, key.name, words, sizeof(*a)));
	if (a->calls.n == 0)
		a->row = row;
	durations_add(&a->calls, dur);
	a->squares += (unsigned __int128)dur * (unsigned __int128)dur;
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
		g->achieved += achieved * (double)a->calls.sum;
		saturate_onto(&g->achieved_ns, a->calls.sum);
	}
	if (!isnan(blocks)) {
		g->blocks += blocks * (double)a->calls.sum;
		saturate_onto(&g->blocks_ns, a->calls.sum);
	}
}

static void add_to_group(struct kernels *k, struct kernel_alike *a)
{
	const struct run *r = k->p->run;
	const struct kernel_config config = config_of(r, a->row);
	const struct kernel_key key = key_of(k, &a->key, &config);

	a->group = groups_add(&k->groups, &key);
	struct kernel_group *g = groups_item(&k->groups, a->group);
	if (g->calls.n == 0)
		g->class = classes_of(&k->classes, a->row);
	durations_join(&g->calls, &a->calls);
	g->squares += a->squares;
	g->below += a->below;
	g->is_launched = k->launched > 0;
	saturate_onto(&g->launch_ns, a->launch_ns);
	weigh(r, g, a);
	if (config.grid[0] || config.registers != ARG_UNKNOWN) {
		k->has_config = true;
		count_pair(
			&k->group_configs, a->group, keymap_add(&k->configs, &config), a->calls.n);
	}
	if (r->links)
		count_pair(&k->group_ops, a->group,
			k->callers ? *(const sym *)keymap_key(&k->origins, a->key.op) : a->key.op,
			a->calls.n);
}

static void add_to_device(struct kernels *k, const struct kernel_alike *a)
{
	struct kernels_device *d = &k->device[a->key.device];

	occupancy_add_alike(&d->occupancy, k->p->run, a->row,
		tensor_cores_of(&k->tensor, a->key.name), a->calls.n, a->calls.sum);
	d->below += a->below;
	d->first = MIN(a->first, d->first);
	d->last = MAX(a->last, d->last);
}

/* Groups and devices from kernels that are alike. */
static void gather(struct kernels *k)
{
	struct kernel_alike *a = k->alike.item;

	for (size_t i = 0; i < k->alike.n; i++) {
		add_to_group(k, &a[i]);
		if (a[i].key.device != KEYMAP_NONE)
			add_to_device(k, &a[i]);
	}
}

/* Whether config a stands before b where both are equally frequent: the smaller launch. */
static bool config_before(const struct kernels *k, uint32_t a, uint32_t b)
{
	const struct kernel_config *x = keymap_key(&k->configs, a);
	const struct kernel_config *y = keymap_key(&k->configs, b);

	for (int i = 0; i < 3; i++)
		if (x->grid[i] != y->grid[i])
			return x->grid[i] < y->grid[i];
	for (int i = 0; i < 3; i++)
		if (x->block[i] != y->block[i])
			return x->block[i] < y->block[i];
	if (x->registers != y->registers)
		return x->registers < y->registers;
	return x->shared < y->shared;
}

static bool op_before(const struct kernels *k, uint32_t a, uint32_t b)
{
	const struct strings *names = &k->p->run->strings;

	return span_cmp(strings_get(names, a), strings_get(names, b)) < 0;
}

/* The most frequent value of each group.  The order of events does not matter. */
static void find_modes(struct kernels *k, const struct groups *pairs, size_t at_mode,
	bool (*before)(const struct kernels *k, uint32_t a, uint32_t b))
{
	const struct kernel_pair *p = pairs->item;

	for (EACH(const struct kernel_pair, pair, p, pairs->n)) {
		struct kernel_mode *m =
			(void *)((char *)groups_item(&k->groups, pair->group) + at_mode);

		if (pair->calls > m->calls ||
			(pair->calls == m->calls && before(k, pair->value, m->value)))
			*m = (struct kernel_mode){ pair->value, pair->calls, m->variants };
		m->variants++;
	}
}

/* The most frequent configuration and op of each group. */
static void find_shown(struct kernels *k)
{
	struct kernel_group *g = k->groups.item;

	find_modes(k, &k->group_configs, offsetof(struct kernel_group, config), config_before);
	find_modes(k, &k->group_ops, offsetof(struct kernel_group, op), op_before);
	for (EACH(struct kernel_group, group, g, k->groups.n))
		if (group->config.variants > 0)
			group->shown = *(const struct kernel_config *)keymap_key(
				&k->configs, group->config.value);
}

static void find_devices(struct kernels *k)
{
	devices_init(&k->devices, k->p->run, &k->p->mem);
	k->device = arena_array(&k->p->mem, k->devices.n, sizeof(*k->device));
	for (size_t i = 0; i < k->devices.n; i++)
		k->device[i] = (struct kernels_device){
			.id = k->devices.id[i],
			.first = INT64_MAX,
			.last = INT64_MIN,
		};
}

static void collect_lane(struct kernels *k, size_t lane)
{
	const struct run *r = k->p->run;
	size_t end = r->order->device_begin[lane + 1];
	uint32_t device = device_of(k, &r->lanes.lane[lane]);

	for (size_t i = r->order->device_begin[lane]; i < end; i++) {
		uint32_t row = r->order->device[i];

		if (!takes(k, row))
			continue;
		saturate_onto(&k->sum, r->events.dur[row]);
		if (!filter_name(&k->p->view, r->events.name[row]))
			continue;
		nsec cost = launch_cost(k, row);
		count_duration(k, r->events.dur[row], cost);
		count_alike(k, row, device, cost);
	}
}

void kernels_collect(struct kernels *k)
{
	static const struct kernel_alike alike = {
		.calls = NO_DURATIONS, .first = INT64_MAX, .last = INT64_MIN
	};
	static const struct kernel_group group = { .calls = NO_DURATIONS,
		.shown = { .registers = ARG_UNKNOWN, .shared = ARG_UNKNOWN } };
	const struct run *r = k->p->run;

	groups_init(&k->alike, sizeof(alike.key), sizeof(alike), &alike, r->strings.n);
	groups_init(&k->groups, sizeof(group.key), sizeof(group), &group, 0);
	groups_init(&k->group_configs, 2 * sizeof(uint32_t), sizeof(struct kernel_pair), NULL, 0);
	groups_init(&k->group_ops, 2 * sizeof(uint32_t), sizeof(struct kernel_pair), NULL, 0);
	keymap_init(&k->configs, sizeof(struct kernel_config));
	keymap_init(&k->origins, 2 * sizeof(sym));
	if (k->by >= KERNELS_BY_STACK) {
		k->callers = arena_alloc(&k->p->mem, sizeof(*k->callers));
		callers_init(k->callers, r,
			(enum callers_by)(CALLERS_STACK + k->by - KERNELS_BY_STACK), &k->p->mem);
	}
	tensor_cores_init(&k->tensor, r, &k->p->mem);
	k->is_graph_launch = arena_array(&k->p->mem, r->strings.n, sizeof(bool));
	for (size_t i = 0; i < r->strings.n; i++)
		k->is_graph_launch[i] = span_has(strings_get(&r->strings, (sym)i), "GraphLaunch");
	find_devices(k);
	for (size_t i = 0; i < r->lanes.n; i++)
		collect_lane(k, i);
	gather(k);
	find_shown(k);
}

void kernels_clear(struct kernels *k)
{
	groups_clear(&k->alike);
	groups_clear(&k->groups);
	groups_clear(&k->group_configs);
	groups_clear(&k->group_ops);
	keymap_clear(&k->configs);
	keymap_clear(&k->origins);
	if (k->callers)
		callers_clear(k->callers);
}
