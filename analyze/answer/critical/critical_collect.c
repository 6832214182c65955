/* `critical`: the path, cut at the borders of steps and summed by owner, name, phase and step. */
#include "analyze/answer/critical/critical.h"

#include "analyze/analysis/shared.h"
#include "analyze/measure/device/launchstat.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/graphs/replay.h"
#include "analyze/trace/links/calls.h"
#include "analyze/trace/links/etjoin.h"
#include "base/parallel.h"

/* ---- which op most of what has a name is of ---- */

struct key {
	uint32_t index;
	sym op;
};

void critical_ops_init(struct critical_ops *o)
{
	*o = (struct critical_ops){ 0 };
	keymap_init(&o->keys, sizeof(struct key));
}

void critical_ops_clear(struct critical_ops *o)
{
	keymap_clear(&o->keys);
	free(o->ns);
}

void critical_ops_add(struct critical_ops *o, uint32_t index, sym op, nsec ns)
{
	const struct key key = { index, op };
	size_t n = o->keys.n;
	uint32_t at = keymap_add(&o->keys, &key);

	if (at == n) {
		o->ns = array_grow(o->ns, &o->cap, n + 1, sizeof(*o->ns));
		o->ns[at] = 0;
	}
	saturate_onto(&o->ns[at], ns);
}

sym *critical_ops_main(const struct critical_ops *o, size_t n, struct arena *mem)
{
	sym *op = arena_array(mem, n, sizeof(*op));
	nsec *most = arena_array(mem, n, sizeof(*most));

	for (size_t i = 0; i < o->keys.n; i++) {
		const struct key *key = keymap_key(&o->keys, (uint32_t)i);

		if (op[key->index] && o->ns[i] <= most[key->index])
			continue;
		most[key->index] = o->ns[i];
		op[key->index] = key->op;
	}
	return op;
}

enum bound critical_bound_of(enum owner o)
{
	static const enum bound of[OWNER_COUNT] = {
		[OWNER_KERNEL] = BOUND_COMPUTE,
		[OWNER_COMM] = BOUND_COMM,
		[OWNER_COPY] = BOUND_COPY,
		[OWNER_LAUNCH_DELAY] = BOUND_HOST,
		[OWNER_GAP] = BOUND_GAP,
		[OWNER_RETURN] = BOUND_SYNC,
		[OWNER_SYNC] = BOUND_SYNC,
		[OWNER_LAUNCH] = BOUND_HOST,
		[OWNER_RUNTIME] = BOUND_HOST,
		[OWNER_OP] = BOUND_HOST,
		[OWNER_PYTHON] = BOUND_HOST,
		[OWNER_DATA] = BOUND_DATA,
		[OWNER_HANDOVER] = BOUND_HOST,
		[OWNER_NOTHING] = BOUND_HOST,
		[OWNER_UNRECORDED] = BOUND_COUNT,
	};

	return of[o];
}

nsec critical_whole(const struct critical *c)
{
	return saturate_sub(c->window.ns, c->ns[OWNER_UNRECORDED]);
}

/* ---- names ---- */

/* The name of an event, steps being one. */
static sym critical_name(const struct critical *c, uint32_t row)
{
	const struct run *r = c->at->run;
	sym name = row == NO_ROW ? 0 : r->events.name[row];

	return c->is_step[name] ? c->step_name : name;
}

sym critical_op(const struct critical *c, uint32_t row)
{
	const struct run *r = c->at->run;
	uint32_t side = row == NO_ROW ? NO_ARGS : r->events.args[row];
	uint32_t op = NO_ROW;

	if (side == NO_ARGS)
		return 0;
	if (kind_is_device((enum kind)r->events.kind[row]))
		op = r->links->op[side - 1];
	else if (r->events.kind[row] == KIND_RUNTIME)
		op = r->links->op_of_launch[side - 1];
	return critical_name(c, op);
}

struct span critical_text(const struct critical *c, sym name)
{
	if (name && name == c->step_name)
		return SPAN("ProfilerStep*");
	return strings_get(&c->at->run->strings, name);
}

/* ---- phases ---- */

/* Of work of a graph's replay that of the captured call: what the innermost name says. */
static enum phase phase_captured(struct critical *c, uint32_t call, enum phase launch)
{
	const struct run *r = c->at->run;
	struct phases *p = &c->depend.what.phases;
	bool has_op = false;

	for (; call != NO_ROW; call = replay_up(r->replay, call)) {
		enum phase says = phases_of(p, r->events.name[call], KIND_ANNOTATION, PHASE_OTHER);

		if (says != PHASE_OTHER)
			return says;
		has_op |= r->events.kind[call] == KIND_OP;
	}
	return has_op && launch == PHASE_OTHER ? PHASE_FORWARD : launch;
}

/* Of device work that of its launch, else that of its op. */
static enum phase phase_of_work(struct critical *c, uint32_t row)
{
	const struct run *r = c->at->run;
	uint32_t by = launch_of_row(r, row), side = r->events.args[row];
	enum phase phase;

	if (by == NO_ROW && side != NO_ARGS)
		by = r->links->op[side - 1];
	phase = by < r->events.n ? (enum phase)c->phase[by] : PHASE_OTHER;
	return phase_captured(c, replay_call(r->replay, r, row), phase);
}

static enum phase phase_of(struct critical *c, const struct segment *s)
{
	uint32_t row = s->row;

	if (s->owner == OWNER_HANDOVER && s->node != NO_NODE)
		row = c->depend.node[s->node].row;
	if (row == NO_ROW)
		return PHASE_OTHER;
	return kind_is_device((enum kind)c->at->run->events.kind[row]) ? phase_of_work(c, row)
								       : (enum phase)c->phase[row];
}

/* ---- the path ---- */

struct taking {
	struct critical *c;
	const struct segment *s;
	uint32_t owner; /* index */
	sym op;
	enum phase phase;
};

/* Whether it is work that waited for the work before it on its stream, or the gap between them. */
static bool is_behind(const struct critical *c, const struct segment *s)
{
	bool is_one = s->owner == OWNER_KERNEL || s->owner == OWNER_COMM ||
		s->owner == OWNER_COPY || s->owner == OWNER_GAP;

	return c->has_data_deps && is_one && s->node != NO_NODE &&
		c->depend.node[s->node].binding == EDGE_PREV && c->data.cls[s->node] != DATA_COUNT;
}

/* stepcut_fn: a piece of a segment. */
static void take_piece(void *ctx, uint32_t step, nsec start, nsec end)
{
	struct taking *t = ctx;
	struct critical *c = t->c;
	nsec ns = saturate_sub(end, start);

	saturate_onto(&c->ns[t->s->owner], ns);
	c->segments[t->s->owner]++;
	saturate_onto(&c->step_ns[step][t->s->owner], ns);
	/* The path is walked backwards. */
	saturate_onto(&c->owner[t->owner].ns, saturate_sub(end, start));
	c->owner[t->owner].segments++;
	if (saturate_sub(end, start) >=
		saturate_sub(c->owner[t->owner].longest.end, c->owner[t->owner].longest.start))
		c->owner[t->owner].longest = (struct interval){ start, end };
	if (is_behind(c, t->s))
		saturate_onto(&c->data_ns[t->s->node], ns);
	if (t->op)
		critical_ops_add(&c->ops, t->owner, t->op, ns);
	if (t->s->owner != OWNER_UNRECORDED) {
		saturate_onto(&c->phase_ns[t->phase], ns);
		c->phase_segments[t->phase]++;
	}
	if (!c->o->list)
		return;
	c->piece = array_grow(c->piece, &c->piece_cap, c->npiece + 1, sizeof(*c->piece));
	c->piece[c->npiece] = (struct critical_piece){ .s = *t->s, .step = step };
	c->piece[c->npiece].s.start = start;
	c->piece[c->npiece++].s.end = end;
}

/* NULL: none of that kind and name is on the path. */
static struct critical_owner *critical_find_owner(const struct critical *c, enum owner o, sym name)
{
	uint32_t at = c->owner_of[name];

	while (at && c->owner[at - 1].owner != o)
		at = c->owner[at - 1].next;
	return at ? &c->owner[at - 1] : NULL;
}

static uint32_t owner_of(struct critical *c, const struct segment *s)
{
	sym name = critical_name(c, segment_row(s));
	struct critical_owner *known = critical_find_owner(c, s->owner, name);

	if (known)
		return (uint32_t)(known - c->owner);
	c->owner = array_grow(c->owner, &c->owner_cap, c->nowner + 1, sizeof(*c->owner));
	c->owner[c->nowner] = (struct critical_owner){
		.owner = s->owner, .name = name, .next = c->owner_of[name], .total = -1
	};
	c->owner_of[name] = (uint32_t)++c->nowner;
	return (uint32_t)c->nowner - 1;
}

/* segment_fn */
static void take_segment(void *ctx, const struct segment *s)
{
	struct critical *c = ctx;
	struct taking t = { .c = c, .s = s, .owner = owner_of(c, s), .phase = phase_of(c, s) };

	if (s->row != NO_ROW)
		t.op = critical_op(c, s->row);
	if (s->owner == OWNER_KERNEL || s->owner == OWNER_COMM || s->owner == OWNER_COPY)
		c->on_path[s->node / 64] |= (uint64_t)1 << s->node % 64;
	stepcut_each(&c->cut, &c->near, s->start, s->end, take_piece, &t);
}

static void find_window(struct critical *c)
{
	struct perrun *at = c->at;
	struct ledgers ledgers;
	struct step_gap_causes waiting;

	shared_window(at->shared, &c->window, &ledgers, &waiting, at->run, &c->classes, &at->view,
		&at->mem);
	verdict_init(&c->verdict, at->run, &c->window, &c->classes, &at->view, &at->mem);
	stepcut_init(&c->cut, &c->window, &at->mem);
}

/* ---- the order of work ---- */

/* Jobs of parallel_run, which share nothing but the run: only one of them takes from the arena. */
static void find_facts(void *ctx, size_t i)
{
	struct critical *c = ctx;

	if (i == 0)
		depend_init(&c->depend, c->at->run, NULL);
	else
		find_window(c);
}

/* The same, of what is found by now. */
static void find_path(void *ctx, size_t i)
{
	struct critical *c = ctx;

	if (i > 0)
		predict_init(&c->predict, &c->depend, &c->window, &c->at->mem);
	else if (c->cut.start < c->cut.end)
		critpath(&c->depend, c->cut.start, c->cut.end, take_segment, c);
}

/* What needs whose data, where an execution trace says it. */
static void find_data(struct critical *c)
{
	const struct etjoin *j = c->at->run->etjoin;

	c->has_data_deps = j && j->npair > 0 && c->depend.n > 0;
	if (!c->has_data_deps)
		return;
	datadeps_init(&c->data, &c->depend);
	c->data_ns = arena_array(&c->at->mem, c->depend.n, sizeof(*c->data_ns));
}

void critical_collect(struct critical *c)
{
	struct arena *mem = &c->at->mem;

	c->threads = parallel_threads(c->at->q->threads, c->at->run->events.n);
	classes_init(&c->classes, c->at->run, mem);
	parallel_run(2, c->threads, find_facts, c);
	/* One stands for all: the last. */
	const struct strings *s = &c->at->run->strings;
	c->is_step = arena_array(&c->at->mem, s->n, sizeof(*c->is_step));
	for (sym i = 0; i < s->n; i++) {
		c->is_step[i] = span_starts(strings_get(s, i), "ProfilerStep#");
		if (c->is_step[i])
			c->step_name = i;
	}
	const struct run *r = c->at->run;
	const struct order *o = r->order;
	size_t n = o->host_begin[r->lanes.n];
	c->phase = arena_array(mem, r->events.n, sizeof(*c->phase));
	for (size_t i = 0; i < n; i++) {
		uint32_t row = o->host[i], up = r->calls->parent[i];
		enum phase around = up == NO_ROW ? PHASE_OTHER : (enum phase)c->phase[o->host[up]];

		if (r->calls->flags[i] & CALL_IN_TREE)
			around = phases_of(&c->depend.what.phases, r->events.name[row],
				(enum kind)r->events.kind[row], around);
		c->phase[row] = (uint8_t)around;
		c->has_data |= around == PHASE_DATA;
	}
	c->owner_of = arena_array(mem, c->at->run->strings.n, sizeof(*c->owner_of));
	critical_ops_init(&c->ops);
	c->step_ns = arena_array(mem, c->window.nstep, sizeof(*c->step_ns));
	c->on_path = arena_array(mem, c->depend.n / 64 + 1, sizeof(*c->on_path));
	find_data(c);
	parallel_run(2, c->threads, find_path, c);
}

void critical_clear(struct critical *c)
{
	predict_clear(&c->predict);
	datadeps_clear(&c->data);
	free(c->late);
	critical_ops_clear(&c->ops);
	FREE_ALL(c->owner, c->piece);
	depend_clear(&c->depend);
}

/* ---- how much there is in the window of what is on the path ---- */

struct totals {
	struct critical *c;
	size_t near; /* stepcut_each */
};

/* stepcut_fn */
static void add_length(void *ctx, uint32_t step UNUSED, nsec start, nsec end)
{
	nsec *sum = ctx;

	saturate_onto(sum, saturate_sub(end, start));
}

static void add(struct totals *t, enum owner o, uint32_t row, nsec start, nsec end)
{
	struct critical_owner *owner = critical_find_owner(t->c, o, critical_name(t->c, row));

	if (owner)
		stepcut_each(&t->c->cut, &t->near, start, end, add_length, &owner->total);
}

/* host_piece_fn */
static void add_host(void *ctx, const struct host_piece *p)
{
	struct totals *t = ctx;
	bool is_function = hostwhat_is_function(&t->c->depend.what, p->cls, p->row, p->function);
	uint32_t row = is_function ? p->function : p->row;

	if (row != NO_ROW)
		add(t, owner_of_host(p->cls), row, p->start, p->end);
}

static bool has_total(enum owner o)
{
	switch (o) {
	case OWNER_LAUNCH_DELAY:
	case OWNER_GAP:
	case OWNER_RETURN:
	case OWNER_HANDOVER:
	case OWNER_NOTHING:
	case OWNER_UNRECORDED: return false;
	default: return true;
	}
}

void critical_add_totals(struct critical *c)
{
	const struct run *r = c->at->run;
	struct totals t = { c, 0 };

	for (EACH(struct critical_owner, owner, c->owner, c->nowner))
		owner->total = has_total(owner->owner) ? 0 : -1;
	for (EACH_DEVICE_ROW(row, r)) {
		add(&t, owner_of_work(classes_of(&c->classes, row)), row, r->events.start[row],
			events_end(&r->events, row));
	}
	for (size_t i = 0; i < r->lanes.n; i++) {
		struct hosttime h;

		if (r->order->host_begin[i] == r->order->host_begin[i + 1])
			continue;
		hosttime_init(&h, c->depend.run, &c->depend.what, (uint32_t)i, c->cut.start);
		hosttime_name(&h, (uint32_t)i);
		hosttime_go(&h, c->cut.end, add_host, &t);
		hosttime_clear(&h);
	}
}
