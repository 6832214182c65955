/* `stacks`: every call's own time to its path, from the root; device work to the path of its
 * launch. */
#include "analyze/answer/stacks/stacks.h"
#include "analyze/measure/device/launchstat.h"
#include "analyze/measure/host/frames.h"
#include "analyze/measure/host/optree.h"
#include "analyze/trace/graphs/replay.h"
#include "analyze/trace/regex.h"

/* `stacks`: a node's stack as text, and whether -f and -v, which look at all of it, want it. */

/* A frame's name, with what separates frames replaced.  The rest is each format's own work. */
static void put_frame(struct str *b, struct span name)
{
	if (b->n)
		str_addc(b, ';');
	for (size_t i = 0; i < name.n; i++)
		str_addc(b, name.p[i] == ';' ? ':' : name.p[i]);
}

void stacks_write(const struct stacks *s, uint32_t node, uint32_t *up, struct str *b)
{
	size_t n = 0;

	for (; node; node = s->tree.v[node].parent)
		up[n++] = node;
	str_reset(b);
	while (n-- > 0)
		put_frame(b, strings_get(&s->names, s->tree.v[up[n]].name));
}

enum status stacks_text_passes(const struct stacks *s, const struct str *b, bool *yes)
{
	const struct filter_set *set = s->at->set;
	struct span text = { b->s, b->n };
	bool no = false;

	*yes = true;
	if (set->match)
		TRY(regex_match(set->match, text, yes, s->at->e));
	if (*yes && set->exclude)
		TRY(regex_match(set->exclude, text, &no, s->at->e));
	*yes = *yes && !no;
	return OK;
}

enum status stacks_pass(
	const struct stacks *s, uint32_t node, uint32_t *up, struct str *b, bool *yes)
{
	*yes = true;
	if (!stacks_are_filtered(s))
		return OK;
	stacks_write(s, node, up, b);
	return stacks_text_passes(s, b, yes);
}

/* The name of a row in the tree's strings. */
static sym own_name(struct stacks *s, sym name)
{
	if (s->own[name])
		return s->own[name] - 1;
	struct span text = strings_get(&s->at->run->strings, name);
	if (s->o->fold && span_starts(text, "ProfilerStep#"))
		text = SPAN("ProfilerStep*");
	s->own[name] = strings_intern(&s->names, text) + 1;
	return s->own[name] - 1;
}

/* The node below `up`, or `up` itself where that is as deep as they go. */
static uint32_t child_of(struct stacks *s, uint32_t up, sym name)
{
	return s->tree.v[up].depth < STACKS_DEPTH_MAX ? calltree_child(&s->tree, up, name) : up;
}

/* The node of a call, which keeps the first one. */
static uint32_t call_of(struct stacks *s, uint32_t up, uint32_t row)
{
	uint32_t node = child_of(s, up, own_name(s, s->at->run->events.name[row]));

	if (s->tree.v[node].row == NO_ROW)
		s->tree.v[node].row = row;
	return node;
}

/* "inner;middle;outer", as torch writes Call stack: nodes from the outermost inwards. */
static uint32_t frames_of(struct stacks *s, sym stack)
{
	struct span text = strings_get(&s->at->run->strings, stack);
	size_t end = text.n;
	uint32_t node = 0;

	if (s->frames_of[stack])
		return s->frames_of[stack];
	while (end > 0) {
		size_t begin = end;

		while (begin > 0 && text.p[begin - 1] != ';')
			begin--;
		if (end > begin)
			node = child_of(s, node,
				strings_intern(
					&s->names, (struct span){ text.p + begin, end - begin }));
		end = begin > 0 ? begin - 1 : 0;
	}
	s->frames_of[stack] = node;
	return node;
}

static sym stack_of(const struct run *r, uint32_t row)
{
	uint32_t side = r->events.args[row];

	return args_table_of((enum kind)r->events.kind[row]) == ARGS_OP && side != NO_ARGS
		? args_sym(&r->args, ARG_OP_STACK, side - 1)
		: 0;
}

/* tag: 1 + the Call stack that is on the path already. */
static uint32_t place_of(struct stacks *s, struct frames_node *path, size_t depth, uint32_t up)
{
	const struct run *r = s->at->run;
	uint32_t row = path[depth].row;
	sym stack = s->source == STACKS_CALLSTACK ? stack_of(r, row) : 0;
	uint32_t before = depth ? path[depth - 1].tag : 0;

	path[depth].tag = before;
	if (stack && stack + 1 != before) {
		up = frames_of(s, stack);
		path[depth].tag = stack + 1;
	}
	s->deep += s->tree.v[up].depth >= STACKS_DEPTH_MAX;
	return call_of(s, up, row);
}

static void enter(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct stacks *s = ctx;
	bool waits = depth == 0 && s->waits_node &&
		stacks_is_wait(s, s->at->run->events.lane[path[depth].row]);

	path[depth].mark = place_of(s, path, depth, waits ? s->waits_node : up);
}

static void add_value(struct stacks *s, uint32_t node, nsec value)
{
	calltree_count(&s->tree, node, value, value);
}

static void leave_cpu(void *ctx, struct frames_node *path, size_t depth)
{
	struct stacks *s = ctx;
	const struct frames_node *node = &path[depth];

	if (s->hides && stacks_is_wait(s, s->at->run->events.lane[node->row]))
		return;
	if (filter_host(&s->at->view, node->row))
		add_value(s, node->mark, saturate_sub(node->dur, node->child_ns));
}

/* Below the launch of a graph the calls that were captured around a kernel of its replay. */
static uint32_t captured_node(struct stacks *s, uint32_t node, uint32_t call)
{
	const struct run *r = s->at->run;
	size_t n = 0;

	for (; call != NO_ROW; call = replay_up(r->replay, call)) {
		if (r->events.kind[call] == KIND_PYTHON && !s->has_captured_python)
			continue;
		PUSH(s->chain, n, s->chain_cap, call);
	}
	while (n-- > 0) {
		s->deep += s->tree.v[node].depth >= STACKS_DEPTH_MAX;
		node = call_of(s, node, s->chain[n]);
	}
	return node;
}

/* The same by what kernels of CUDA graphs are annotated with. */
static uint32_t annotated_node(struct stacks *s, uint32_t node, uint32_t row)
{
	const struct run *r = s->at->run;
	uint32_t side = r->events.args[row];
	sym module = side ? args_sym(&r->args, ARG_DEVICE_MODULE, side - 1) : 0;
	sym region = side ? args_sym(&r->args, ARG_DEVICE_REGION, side - 1) : 0;

	if (module)
		node = child_of(s, node, own_name(s, module));
	return region ? child_of(s, node, own_name(s, region)) : node;
}

static void add_work(struct stacks *s, uint32_t node, uint32_t row)
{
	const struct run *r = s->at->run;
	uint32_t call = replay_call(r->replay, r, row);

	if (!filter_device(&s->at->view, row))
		return;
	node = call == NO_ROW ? annotated_node(s, node, row) : captured_node(s, node, call);
	add_value(s, call_of(s, node, row), r->events.dur[row]);
}

static void leave_device(void *ctx, struct frames_node *path, size_t depth)
{
	struct stacks *s = ctx;
	const struct run *r = s->at->run;
	uint32_t row = path[depth].row, side = r->events.args[row];

	if (r->events.kind[row] != KIND_RUNTIME || side == NO_ARGS)
		return;
	for (uint32_t i = s->work.begin[side - 1]; i < s->work.begin[side]; i++)
		add_work(s, path[depth].mark, s->work.row[i]);
}

/* Device rows by their launch. */
static void list_work(struct stacks *s)
{
	const struct run *r = s->at->run;
	size_t n = r->order->device_begin[r->lanes.n], calls = r->args.n[ARGS_LAUNCH];
	struct stacks_work *w = &s->work;

	w->begin = arena_array(&s->at->mem, calls + 2, sizeof(*w->begin));
	w->row = arena_array(&s->at->mem, n, sizeof(*w->row));
	for (EACH_DEVICE_ROW(row, r)) {
		uint32_t call = launch_of_row(r, row);

		if (call != NO_ROW)
			w->begin[r->events.args[call] + 1]++;
	}
	for (size_t i = 1; i < calls + 2; i++)
		w->begin[i] += w->begin[i - 1];
	for (size_t i = 0; i < n; i++) {
		uint32_t call = launch_of_row(r, r->order->device[i]);

		if (call != NO_ROW)
			w->row[w->begin[r->events.args[call]]++] = r->order->device[i];
	}
}

/* Work without launch, or whose launch is on no thread's tree, has no path but its name. */
static void add_rest(struct stacks *s)
{
	const struct run *r = s->at->run;
	bool in_tree = (optree_kinds(r) & KIND_BIT(KIND_RUNTIME)) != 0;
	uint32_t node = 0;

	for (EACH_DEVICE_ROW(row, r)) {
		if (in_tree && launch_of_row(r, row) != NO_ROW)
			continue;
		if (!node)
			node = calltree_child(
				&s->tree, 0, strings_intern(&s->names, SPAN("(no launch)")));
		add_work(s, node, row);
		saturate_onto(&s->outside, r->events.dur[row]);
	}
}

/* Of threads that only wait, their own: "(3 waiting threads)". */
static uint32_t waits_node(struct stacks *s)
{
	SCOPED_STR b = { 0 };

	str_addf(&b, "(%zu waiting thread%s)", s->nwaits, plural(s->nwaits, "", "s"));
	return calltree_child(&s->tree, 0, strings_intern(&s->names, (struct span){ b.s, b.n }));
}

void stacks_collect(struct stacks *s)
{
	const struct run *r = s->at->run;
	const struct frames_visitor visitor = { s, enter, s->is_device ? leave_device : leave_cpu };
	unsigned kinds = optree_kinds(r);

	s->own = arena_array(&s->at->mem, r->strings.n, sizeof(*s->own));
	s->frames_of = arena_array(&s->at->mem, r->strings.n, sizeof(*s->frames_of));
	if (s->source == STACKS_PYTHON)
		kinds |= KIND_BIT(KIND_PYTHON);
	if (s->is_device)
		list_work(s);
	if (s->nwaits && !s->hides)
		s->waits_node = waits_node(s);
	s->crossing = frames_walk(r, kinds, &visitor);
	if (s->is_device)
		add_rest(s);
	free(s->chain);
}
