/* Callers: one walk over Python functions, ops and calls; places are nodes of a tree of frames. */
#include "analyze/measure/host/callers.h"

#include "analyze/measure/host/frames.h"
#include "analyze/measure/host/optree.h"
#include "analyze/trace/graphs/replay.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"

#define MODULE "nn.Module: "

enum { STACK_BYTES = 2048, CAPTURED_MAX = 256 };

/* No padding: a key of a keymap. */
struct caller_node {
	uint32_t up; /* node around it; 0: none */
	sym frame;
};

/* An op of the forward pass, and where it is called from. */
struct forward {
	int64_t sequence;
	nsec start;
	uint32_t node;
};

struct walk {
	struct callers *c;
	bool has_python;
	struct forward *forward;
	size_t nforward, forward_cap;
	struct backward {
		int64_t sequence;
		nsec start;
	} * backward; /* by tag - 1 of a frame */
	size_t nbackward, backward_cap;
	uint32_t *tag; /* by index in c->rows; 0: of no backward op */
};

static uint32_t node_at(struct callers *c, uint32_t up, sym frame)
{
	const struct caller_node key = { up, frame };

	return 1 + keymap_add(&c->nodes, &key);
}

static sym name_of(struct callers *c, sym name)
{
	if (!c->name_of[name])
		c->name_of[name] =
			1 + strings_intern(&c->names, strings_get(&c->run->strings, name));
	return c->name_of[name] - 1;
}

/* "inner;outer" of a Call stack. */
static uint32_t node_of_stack(struct callers *c, sym stack)
{
	struct span text = strings_get(&c->run->strings, stack);

	if (c->stack_of[stack])
		return c->stack_of[stack];
	for (size_t end = text.n, begin; end > 0; end = begin > 0 ? begin - 1 : 0) {
		for (begin = end; begin > 0 && text.p[begin - 1] != ';';)
			begin--;
		struct span frame = { text.p + begin, end - begin };
		if (frame.n)
			c->stack_of[stack] =
				node_at(c, c->stack_of[stack], strings_intern(&c->names, frame));
	}
	return c->stack_of[stack];
}

/* What an op says itself of where it is called from; 0: nothing. */
static uint32_t node_of_op(struct walk *w, uint32_t side)
{
	const struct args *a = &w->c->run->args;
	bool is_module = w->c->by == CALLERS_MODULE;
	sym says = args_sym(a, is_module ? ARG_OP_MODULES : ARG_OP_STACK, side - 1);

	if (!says || w->has_python)
		return 0;
	return is_module ? node_at(w->c, 0, name_of(w->c, says)) : node_of_stack(w->c, says);
}

/* An op with a number of the autograd engine. */
static void number_op(struct walk *w, struct frames_node *node, uint32_t side)
{
	const struct run *r = w->c->run;
	int64_t sequence = args_i64(&r->args, ARG_OP_SEQUENCE, side - 1);
	nsec start = r->events.start[node->row];

	if (sequence < 0)
		return;
	if (args_i64(&r->args, ARG_OP_FWD_THREAD, side - 1) > 0) {
		PUSH(w->backward, w->nbackward, w->backward_cap,
			(struct backward){ sequence, start });
		node->tag = (uint32_t)w->nbackward;
	} else if (node->mark && !node->tag) {
		PUSH(w->forward, w->nforward, w->forward_cap,
			(struct forward){ sequence, start, node->mark });
	}
}

static void enter(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct walk *w = ctx;
	struct frames_node *node = &path[depth];
	const struct events *ev = &w->c->run->events;
	enum kind kind = (enum kind)ev->kind[node->row];
	uint32_t side = ev->args[node->row], says = 0;

	node->mark = up;
	node->tag = depth > 0 ? path[depth - 1].tag : 0;
	if (kind == KIND_PYTHON)
		node->mark = node_at(w->c, up, name_of(w->c, ev->name[node->row]));
	else if (args_table_of(kind) == ARGS_OP && side != NO_ARGS) {
		says = node_of_op(w, side);
		node->mark = says ? says : up;
		number_op(w, node, side);
	}
	uint32_t at = keymap_find(&w->c->rows, &node->row);
	if (at == KEYMAP_NONE)
		return;
	w->c->place[at] = node->mark;
	w->tag[at] = node->tag;
}

ORDER(by_number, struct forward, compare3(a->sequence, b->sequence), compare3(a->start, b->start))

/* The last op with that number that began before; 0: there is none. */
static uint32_t forward_of(const struct walk *w, const struct backward *b)
{
	const struct forward *f = w->forward;
	size_t low = PARTITION_POINT(i, (size_t)0, w->nforward,
		f[i].sequence < b->sequence ||
			(f[i].sequence == b->sequence && f[i].start <= b->start));

	return low > 0 && f[low - 1].sequence == b->sequence ? f[low - 1].node : 0;
}

/* The call, else the op, that a device row is known by; NO_ROW. */
static uint32_t host_of(const struct run *r, uint32_t side)
{
	if (side == NO_ARGS || !r->links)
		return NO_ROW;
	return r->links->launch[side - 1] != NO_ROW ? r->links->launch[side - 1]
						    : r->links->op[side - 1];
}

void callers_init(struct callers *c, const struct run *r, enum callers_by by, struct arena *mem)
{
	struct walk w = { .c = c, .has_python = r->kind_count[KIND_PYTHON] > 0 };
	const struct frames_visitor visitor = { &w, enter, NULL };
	size_t n = r->args.n[ARGS_DEVICE];

	*c = (struct callers){ .run = r, .by = by };
	strings_init(&c->names, 0);
	keymap_init(&c->nodes, sizeof(struct caller_node));
	keymap_init(&c->rows, sizeof(uint32_t));
	c->name_of = arena_array(mem, r->strings.n, sizeof(*c->name_of));
	c->stack_of = arena_array(mem, r->strings.n, sizeof(*c->stack_of));
	for (size_t i = 0; i < n && r->links; i++) {
		uint32_t host = host_of(r, (uint32_t)i + 1);

		if (host != NO_ROW)
			(void)keymap_add(&c->rows, &host);
	}
	c->place = arena_array(mem, c->rows.n, sizeof(*c->place));
	w.tag = arena_array(mem, c->rows.n, sizeof(*w.tag));
	(void)frames_walk(
		r, KINDS_HOST_TREE | (w.has_python ? KIND_BIT(KIND_PYTHON) : 0), &visitor);
	sort_rows(w.forward, w.nforward, sizeof(*w.forward), by_number);
	for (size_t i = 0; i < c->rows.n; i++) {
		uint32_t node = w.tag[i] ? forward_of(&w, &w.backward[w.tag[i] - 1]) : 0;

		c->place[i] = node ? node : c->place[i];
	}
	FREE_ALL(w.forward, w.backward);
}

void callers_clear(struct callers *c)
{
	strings_clear(&c->names);
	keymap_clear(&c->nodes);
	keymap_clear(&c->rows);
	free(c->text);
}

/* ---- texts of places ---- */

static struct span frame_of(const struct callers *c, uint32_t node, uint32_t *up)
{
	const struct caller_node *n = keymap_key(&c->nodes, node - 1);

	*up = n->up;
	return strings_get(&c->names, n->frame);
}

/* Of torch, of Python itself, of an installed package, or no file. */
static bool is_library(struct span frame)
{
	return span_starts_in(frame,
		       MODULE
		       "|<|torch/|contextlib.py|functools.py|threading.py|runpy.py|"
		       "multiprocessing/|concurrent/|asyncio/|importlib/|logging/|queue.py|"
		       "copy.py|typing.py|abc.py|inspect.py|collections/|pickle.py|bdb.py") ||
		span_has(frame, "site-packages/") || span_has(frame, "dist-packages/") ||
		span_has(frame, "/lib/python");
}

static struct span line_text(const struct callers *c, uint32_t node)
{
	struct span own = { NULL, 0 }, any = { NULL, 0 };

	for (uint32_t up; node && !own.n; node = up) {
		struct span frame = frame_of(c, node, &up);

		if (!is_library(frame))
			own = frame;
		if (!any.n && !span_starts_in(frame, MODULE "|<"))
			any = frame;
	}
	return own.n ? own : any;
}

static struct span module_text(const struct callers *c, uint32_t node)
{
	bool is_said = c->run->kind_count[KIND_PYTHON] == 0;

	for (uint32_t up; node; node = up) {
		struct span frame = frame_of(c, node, &up);

		if (span_starts(frame, MODULE))
			return (struct span){ frame.p + sizeof(MODULE) - 1,
				frame.n - (sizeof(MODULE) - 1) };
		if (is_said)
			return frame;
	}
	return (struct span){ NULL, 0 };
}

/* Outermost first; of a stack that is too long the outermost are left out. */
static void stack_text(const struct callers *c, uint32_t node, bool with_all, struct str *b)
{
	uint32_t chain[STACK_BYTES], n = 0, up;
	size_t bytes = 0;

	for (; node && n < STACK_BYTES; node = up) {
		struct span frame = frame_of(c, node, &up);

		if (!with_all && is_library(frame) && !span_starts(frame, MODULE))
			continue;
		bytes += frame.n + 1;
		if (n > 0 && bytes > STACK_BYTES)
			break;
		chain[n++] = node;
	}
	while (n > 0) {
		struct span frame = frame_of(c, chain[--n], &up);

		str_add(b, frame.p, frame.n);
		if (n > 0)
			str_addc(b, ';');
	}
}

static sym text_of(struct callers *c, uint32_t node)
{
	SCOPED_STR b = { 0 };
	struct span text;

	if (c->by == CALLERS_STACK) {
		stack_text(c, node, false, &b);
		if (b.n == 0)
			stack_text(c, node, true, &b);
		text = (struct span){ b.s, b.n };
	} else {
		text = c->by == CALLERS_LINE ? line_text(c, node) : module_text(c, node);
		str_add(&b, text.n ? text.p : "", text.n); /* interning moves what it is of */
		text = (struct span){ b.s, b.n };
	}
	sym s = text.n ? strings_intern(&c->names, text) : 0;
	return s;
}

/* The functions around a captured call; 0: none were captured with it.  Of many the innermost. */
static uint32_t node_of_captured(struct callers *c, uint32_t row)
{
	const struct events *ev = &c->run->events;
	sym function[CAPTURED_MAX];
	uint32_t node = 0;
	size_t n = 0;

	for (; row != NO_ROW && n < CAPTURED_MAX; row = replay_up(c->run->replay, row))
		if (ev->kind[row] == KIND_PYTHON)
			function[n++] = ev->name[row];
	while (n > 0)
		node = node_at(c, node, name_of(c, function[--n]));
	return node;
}

static uint32_t node_of(struct callers *c, uint32_t row)
{
	const struct run *r = c->run;
	uint32_t side = r->events.args[row], host = host_of(r, side), node = 0;
	uint32_t op = side != NO_ARGS && r->replay ? r->replay->op[side - 1] : NO_ROW;

	if (op != NO_ROW && op >= r->events.n)
		node = node_of_captured(c, op);
	uint32_t at = node || host == NO_ROW ? KEYMAP_NONE : keymap_find(&c->rows, &host);
	return at == KEYMAP_NONE ? node : c->place[at];
}

sym callers_of(struct callers *c, uint32_t row)
{
	uint32_t node = node_of(c, row);

	if (!node)
		return 0;
	if (node >= c->ntext) {
		size_t n = c->nodes.n + 1;

		c->text = array_grow(c->text, &c->text_cap, n, sizeof(*c->text));
		for (; c->ntext < n; c->ntext++)
			c->text[c->ntext] = NO_ROW;
	}
	if (c->text[node] == NO_ROW)
		c->text[node] = text_of(c, node);
	return c->text[node];
}
