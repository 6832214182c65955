/* V8's log (node --prof, isolate-...-v8.log): ticks with the addresses on the stack, and where code
 * was put, moved and thrown away in between, in the order of time.  A tick is a sample. */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/stacks/stack_rows.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

enum { CODE_MAX = 1 << 22, VM_GC = 1, VM_IDLE = 7 };

/* A node of a treap (Aragon and Seidel 1989): by address, and a heap by what is drawn for each, so
 * that it is flat whatever the order of the log is. */
struct code {
	uint64_t from, size;
	struct span name;
	uint32_t left, right; /* 0: none */
	uint32_t drawn;
};

struct v8_log {
	struct reading *in;
	struct stack_rows rows;
	struct code *code; /* from 1 on */
	size_t n, cap;
	uint32_t root;
	uint32_t random;
	struct passed beyond;
};

/* ---- where code is ---- */

/* What lies below an address, and the rest. */
static void split(struct v8_log *v, uint32_t tree, uint64_t at, uint32_t *below, uint32_t *rest)
{
	*below = *rest = 0;
	while (tree) { /* the open ends go down with it */
		struct code *c = &v->code[tree];

		if (c->from < at) {
			*below = tree;
			below = &c->right;
			tree = *below;
			*below = 0;
		} else {
			*rest = tree;
			rest = &c->left;
			tree = *rest;
			*rest = 0;
		}
	}
}

static uint32_t join(struct v8_log *v, uint32_t a, uint32_t b)
{
	uint32_t root = 0, *to = &root;

	while (a && b) {
		bool is_a = v->code[a].drawn > v->code[b].drawn;

		*to = is_a ? a : b;
		to = is_a ? &v->code[a].right : &v->code[b].left;
		*(is_a ? &a : &b) = *to;
	}
	*to = a ? a : b;
	return root;
}

/* The code that an address is in; 0: none. */
static uint32_t code_at(const struct v8_log *v, uint64_t at)
{
	uint32_t found = 0;

	for (uint32_t i = v->root; i;) {
		found = v->code[i].from <= at ? i : found;
		i = v->code[i].from <= at ? v->code[i].right : v->code[i].left;
	}
	return found && at - v->code[found].from < v->code[found].size ? found : 0;
}

/* What begins in [from, from + size) goes. */
static void take_out(struct v8_log *v, uint64_t from, uint64_t size)
{
	uint32_t below, within, behind;

	split(v, v->root, from, &below, &within);
	split(v, within, size > UINT64_MAX - from ? UINT64_MAX : from + size, &within, &behind);
	v->root = join(v, below, behind);
}

/* New code lies where older may have been. */
static void put_code(
	struct v8_log *v, uint64_t from, uint64_t size, struct span name, int64_t offset)
{
	uint32_t older = code_at(v, from), below, behind;

	if (size == 0)
		return;
	if (older)
		take_out(v, v->code[older].from, 1);
	take_out(v, from, size);
	if (v->n == CODE_MAX) {
		passed_add(&v->beyond, offset);
		return;
	}
	v->n++;
	v->code = array_grow(v->code, &v->cap, v->n + 1, sizeof(*v->code));
	v->random = v->random * 1664525 + 1013904223; /* Knuth, TAOCP 2, 3.3.4 */
	v->code[v->n] = (struct code){ from, size, name, 0, 0, v->random };
	split(v, v->root, from, &below, &behind);
	v->root = join(v, join(v, below, (uint32_t)v->n), behind);
}

static void move_code(struct v8_log *v, uint64_t from, uint64_t to, int64_t offset)
{
	uint32_t i = code_at(v, from);

	if (i == 0 || v->code[i].from != from)
		return;
	struct code c = v->code[i];
	take_out(v, from, 1);
	put_code(v, to, c.size, c.name, offset);
}

/* ---- lines: words with commas between them ---- */

/* Takes the next word off; "\x2C" in it stays. */
static struct span next(struct span *rest)
{
	struct span word;

	(void)span_cut(*rest, ',', &word, rest);
	return word;
}

/* "0x1f", and "1f" where there is no other way to write it. */
static bool hex(struct span word, uint64_t *v)
{
	char text[20];
	int n = snprintf(text, sizeof(text), "%s%.*s", span_starts(word, "0x") ? "" : "0x",
		(int)MIN(word.n, sizeof(text)), word.p);

	return n > 2 && (size_t)n < sizeof(text) && num_u64((struct span){ text, (size_t)n }, v);
}

/* "train file:///app/x.js:10:5" is "train (file:///app/x.js:10)". */
static struct span name_of(struct v8_log *v, struct span name)
{
	const char *blank = memrchr(name.p, ' ', name.n), *colon = memrchr(name.p, ':', name.n);

	if (name.n == 0)
		return SPAN("(anonymous)");
	if (!blank || !colon || colon < blank)
		return (struct span){ arena_copy(&v->in->mem, name.p, name.n), name.n };
	int function = blank > name.p ? (int)(blank - name.p) : 11;
	return span_of(arena_printf(&v->in->mem, "%.*s (%.*s)", MIN(function, 512),
		blank > name.p ? name.p : "(anonymous)", (int)MIN(colon - blank - 1, 512),
		blank + 1));
}

/* code-creation,KIND,kind,time,address,size,name,... */
static bool take_creation(struct v8_log *v, struct span rest, int64_t offset)
{
	uint64_t from, size;

	(void)next(&rest);
	(void)next(&rest);
	(void)next(&rest);
	if (!hex(next(&rest), &from) || !num_u64(next(&rest), &size))
		return false;
	put_code(v, from, size, name_of(v, next(&rest)), offset);
	return true;
}

/* shared-library,/usr/bin/node,from,to,... */
static bool take_library(struct v8_log *v, struct span rest, int64_t offset)
{
	struct span path = next(&rest);
	const char *slash = memrchr(path.p, '/', path.n);
	uint64_t from, to;

	if (!hex(next(&rest), &from) || !hex(next(&rest), &to) || to < from)
		return false;
	if (slash)
		path = span_between(slash + 1, path.p + path.n);
	put_code(v, from, to - from, name_of(v, path), offset);
	return true;
}

/* ---- ticks ---- */

/* "0x1f", or "+0x1f" and "-0x1f" behind the one before; false: the rest is cut off. */
static bool take_frame(struct span word, uint64_t *near, uint64_t *at)
{
	bool is_near = span_starts(word, "+") || span_starts(word, "-");
	uint64_t by;

	if (!hex(is_near ? span_from(word, 1) : word, &by))
		return false;
	if (is_near)
		*near = word.p[0] == '+' ? *near + by : *near - by;
	*at = is_near ? *near : by;
	return true;
}

static void push(struct v8_log *v, uint64_t at)
{
	uint32_t i = code_at(v, at);

	if (i)
		stack_rows_push(&v->rows, v->code[i].name);
}

/* tick,pc,time,in a callback,its address or top of stack,state,frames from the leaf on.  In a
 * callback from JavaScript pc may lie in what it calls: its own address is the leaf's. */
static bool take_tick(struct v8_log *v, struct span rest)
{
	uint64_t frame[STACK_DEPTH], pc, tos, near;
	double state;
	size_t n = 0;

	if (!hex(next(&rest), &pc))
		return false;
	(void)next(&rest);
	bool is_callback = span_is(next(&rest), "1");
	if (!hex(next(&rest), &tos) || !real_of(next(&rest), &state))
		return false;
	near = pc;
	while (rest.n > 0 && n < STACK_DEPTH && take_frame(next(&rest), &near, &frame[n]))
		n++;
	stack_rows_reset(&v->rows);
	while (n > 0)
		push(v, frame[--n]);
	push(v, is_callback ? tos : pc);
	if (state == VM_GC || state == VM_IDLE || v->rows.depth == 0)
		stack_rows_push(&v->rows,
			state == VM_GC             ? SPAN("(garbage collector)")
				: state == VM_IDLE ? SPAN("(idle)")
						   : SPAN("(unknown)"));
	stack_rows_add(&v->rows, 1, STACK_IN_SAMPLES);
	return true;
}

static enum took take_line(void *ctx, struct span line, const struct lines *l)
{
	struct v8_log *v = ctx;
	struct span rest = span_trim(line), word = next(&rest);
	uint64_t from, to;
	bool is_it = true;

	if (span_is(word, "tick"))
		is_it = take_tick(v, rest);
	else if (span_is(word, "code-creation"))
		is_it = take_creation(v, rest, l->offset);
	else if (span_is(word, "shared-library"))
		is_it = take_library(v, rest, l->offset);
	else if (span_is(word, "code-move") &&
		(is_it = hex(next(&rest), &from) && hex(next(&rest), &to)))
		move_code(v, from, to, l->offset);
	return is_it ? TOOK : TOOK_ALIEN;
}

static void begin(void *state, const void *form UNUSED)
{
	struct v8_log *v = state;

	stack_rows_open(&v->rows, v->in);
}

static void end(void *state)
{
	struct v8_log *v = state;

	reading_passed(v->in, NOTE_WARNING, "rows_left_out", &v->beyond,
		"code beyond the limit, left out: {once|# times}");
	stack_rows_close(&v->rows);
	free(v->code);
}

static enum match probe(const struct head *h)
{
	return h->form == HEAD_TEXT && span_starts(h->line, "v8-version,") ? MATCH_STRONG
									   : MATCH_NO;
}

const struct artifact artifact_v8_log = {
	.name = "v8_log",
	.title = "sampled profile (V8's log)",
	.summary = "isolate-...-v8.log of node --prof: ticks of JavaScript and libraries",
	.probe = probe,
	TAKES_LINES(struct v8_log, take_line),
	.begin = begin,
	.end = end,
	.alien = "line{ is|s are} no tick and no code, passed over",
	.none = "no tick in it",
};
