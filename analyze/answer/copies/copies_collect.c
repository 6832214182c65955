/* `copies`: grouping, and what hides what. */
#include "analyze/answer/copies/copies.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/trace/links/links.h"

_Static_assert(sizeof(struct copies_key) == 16, "no padding");

const struct copies_kind *copies_kind_at(const struct copies *c, uint32_t index)
{
	return keymap_key(&c->kinds, index);
}

/* What XLA's profiler writes about a copy; empty. */
static struct span details_of(const struct run *r, uint32_t row)
{
	const sym *details = r->args.col[ARG_DEVICE_COPY].sym;
	uint32_t side = r->events.args[row];

	return details && side != NO_ARGS && r->events.kind[row] == KIND_MEMCPY
		? strings_get(&r->strings, details[side - 1])
		: (struct span){ "", 0 };
}

static struct copies_kind kind_by_name(const struct copies *c, uint32_t row, struct span details)
{
	static const uint8_t moves[] = {
		[COPY_KERNEL_NONE] = MOVES_NOTHING,
		[COPY_KERNEL_CAST] = MOVES_CAST,
		[COPY_KERNEL_LAYOUT] = MOVES_LAYOUT,
		[COPY_KERNEL_UNCLEAR] = MOVES_UNCLEAR,
	};
	struct copies_kind k = { .kind = c->p->run->events.kind[row] };
	struct span name = run_name(c->p->run, row);
	struct copy_class class;

	switch (classes_of(&c->classes, row)) {
	case CLASS_MEMCPY:
		class = copyclass_of_details(name, details);
		k.what = MOVES_COPY;
		k.direction = (uint8_t) class.direction;
		k.from = (uint8_t) class.from;
		k.to = (uint8_t) class.to;
		break;
	case CLASS_MEMSET: k.what = MOVES_SET; break;
	case CLASS_COMPUTE: k.what = moves[copyclass_of_kernel(name)]; break;
	default: break;
	}
	return k;
}

/* The text between the n-th pair of quotes of ["float", "c10::Half"]; empty when there is none. */
static struct span nth_text(struct span json, size_t n)
{
	size_t at = 0, quotes = 0, begin = 0;

	for (; at < json.n; at++) {
		if (json.p[at] != '"')
			continue;
		quotes++;
		if (quotes == 2 * n + 1)
			begin = at + 1;
		if (quotes == 2 * n + 2)
			return (struct span){ json.p + begin, at - begin };
	}
	return (struct span){ 0 };
}

/* What a copying kernel does by the types of its op, aten::copy_(self, src); MOVES_UNCLEAR. */
static uint8_t moves_by_types(const struct run *r, uint32_t row)
{
	uint32_t side = r->events.args[row];

	if (side == NO_ARGS || !r->links || !args_keeps(&r->args, ARG_OP_TYPES))
		return MOVES_UNCLEAR;
	uint32_t op = r->links->op[side - 1];
	if (op == NO_ROW || r->events.args[op] == NO_ARGS ||
		!span_is(run_name(r, op), "aten::copy_") ||
		args_table_of((enum kind)r->events.kind[op]) != ARGS_OP)
		return MOVES_UNCLEAR;
	struct span types =
		strings_get(&r->strings, args_sym(&r->args, ARG_OP_TYPES, r->events.args[op] - 1));
	switch (copyclass_of_types(nth_text(types, 0), nth_text(types, 1))) {
	case COPY_KERNEL_CAST: return MOVES_CAST;
	case COPY_KERNEL_LAYOUT: return MOVES_LAYOUT;
	default: return MOVES_UNCLEAR;
	}
}

/* The kind of a device row, as an index. */
static uint32_t kind_of(struct copies *c, uint32_t row, enum devclass class)
{
	const struct events *ev = &c->p->run->events;
	size_t at = 2 * (size_t)ev->name[row] + (ev->kind[row] == KIND_KERNEL);
	struct span details = details_of(c->p->run, row);
	struct copies_kind k;

	/* A kernel of a collective's op communicates, whatever its name: classes know. */
	if (class == CLASS_COMM) {
		k = (struct copies_kind){ .kind = ev->kind[row] };
		return keymap_add(&c->kinds, &k);
	}
	if (details.n > 0) {
		k = kind_by_name(c, row, details);
		return keymap_add(&c->kinds, &k);
	}
	if (!c->kind_of[at]) {
		k = kind_by_name(c, row, details);
		c->kind_of[at] = 1 + keymap_add(&c->kinds, &k);
	}
	k = *copies_kind_at(c, c->kind_of[at] - 1);
	if (k.what != MOVES_UNCLEAR)
		return c->kind_of[at] - 1;
	k.what = moves_by_types(c->p->run, row);
	return keymap_add(&c->kinds, &k);
}

static void count(
	struct copies *c, enum copies_by by, struct copies_key key, uint32_t row, bool is_copy)
{
	const struct run *r = c->p->run;
	const int64_t *bytes = r->args.col[ARG_DEVICE_BYTES].i64;
	uint32_t side = r->events.args[row], at = groups_add(&c->by[by], &key);
	struct copies_group *g = groups_item(&c->by[by], at);
	nsec dur = r->events.dur[row];

	durations_add(&g->calls, dur);
	if (bytes && side != NO_ARGS && bytes[side - 1] != ARG_UNKNOWN) {
		g->sized++;
		saturate_onto(&g->sized_ns, dur);
		saturate_onto(&g->bytes, bytes[side - 1]);
	}
	g->is_copy = is_copy;
	if (is_copy)
		exposure_show(
			&c->exposure[by], at, r->events.start[row], events_end(&r->events, row));
}

static void count_row(struct copies *c, int64_t device, uint32_t row, enum devclass class)
{
	uint32_t kind = kind_of(c, row, class);
	uint8_t what = copies_kind_at(c, kind)->what;
	const struct copies_key of_device = { device, 0, kind },
				of_op = { 0, op_name_of_row(c->p->run, row), kind }, of_all = { 0 };

	if (what == MOVES_NOTHING)
		return;
	count(c, BY_KIND, of_device, row, what == MOVES_COPY);
	count(c, BY_OP, of_op, row, what == MOVES_COPY);
	if (what == MOVES_COPY)
		count(c, BY_NOTHING, of_all, row, true);
}

static void collect_device(struct copies *c, int64_t device)
{
	const struct run *r = c->p->run;
	struct sweep sweep;
	uint32_t row;

	for (int i = 0; i < COPIES_BYS; i++)
		exposure_init(&c->exposure[i], &c->by[i].item, offsetof(struct copies_group, x),
			sizeof(struct copies_group));
	sweep_device(&sweep, r, device, &c->p->mem);
	while (sweep_next(&sweep, &row)) {
		enum devclass class = classes_of(&c->classes, row);

		/* Work of any stream, step and name hides: the filters choose what is shown. */
		const struct events *ev = &c->p->run->events;
		nsec start = ev->start[row], end = events_end(ev, row);
		for (int i = 0; class != CLASS_MEMCPY && i < COPIES_BYS; i++)
			exposure_hide(&c->exposure[i], start, end);
		if (!filter_device(&c->p->view, row))
			continue;
		saturate_onto(&c->device_sum, r->events.dur[row]);
		if (filter_name(&c->p->view, r->events.name[row]))
			count_row(c, device, row, class);
	}
	for (int i = 0; i < COPIES_BYS; i++)
		exposure_end(&c->exposure[i]);
}

void copies_collect(struct copies *c)
{
	static const struct copies_group fresh = { .calls = NO_DURATIONS };
	const struct run *r = c->p->run;

	keymap_init(&c->kinds, sizeof(struct copies_kind));
	for (size_t i = 0; i < COPIES_BYS; i++)
		groups_init(&c->by[i], sizeof(struct copies_key), sizeof(fresh), &fresh, 0);
	c->kind_of = arena_array(&c->p->mem, 2 * r->strings.n, sizeof(*c->kind_of));
	devices_init(&c->devices, r, &c->p->mem);
	for (size_t i = 0; i < c->devices.n; i++)
		collect_device(c, c->devices.id[i]);
}

void copies_clear(struct copies *c)
{
	keymap_clear(&c->kinds);
	for (int i = 0; i < COPIES_BYS; i++)
		groups_clear(&c->by[i]);
}
