/* Runs drawn by hand, for tests of dependencies. */
#include "tests/unit/analyze/depgraph/sketch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"

enum { US = SKETCH_US };
enum { NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_CALLS | NEED_SYNC | NEED_FUNCTIONS };

void sketch_begin(struct sketch *s)
{
	int i;

	*s = (struct sketch){ .correlation = 0 };
	run_init(&s->run, NEEDS);
	for (i = 0; i < SKETCH_STREAMS; i++) {
		s->thread[i] = hand_thread(&s->run, i + 1);
		s->stream[i] = hand_stream(&s->run, 0, 7 + i);
	}
}

void sketch_made(struct sketch *s)
{
	index_build(&s->run, NEEDS);
	depend_init(&s->d, &s->run, NULL);
	lags_init(&s->l, &s->d);
}

void sketch_release(struct sketch *s)
{
	lags_clear(&s->l);
	depend_clear(&s->d);
	run_clear(&s->run);
}

uint32_t sketch_op(struct sketch *s, int t, const char *name, nsec from, nsec to)
{
	return hand_event(&s->run, KIND_OP, s->thread[t], name, US * from, US * (to - from));
}

uint32_t sketch_region(struct sketch *s, int t, const char *name, nsec from, nsec to)
{
	return hand_event(
		&s->run, KIND_ANNOTATION, s->thread[t], name, US * from, US * (to - from));
}

uint32_t sketch_call(struct sketch *s, int t, const char *name, nsec from, nsec to)
{
	uint32_t row =
		hand_event(&s->run, KIND_RUNTIME, s->thread[t], name, US * from, US * (to - from));

	hand_ids(&s->run, row, ++s->correlation, 0);
	return row;
}

static uint32_t work(struct sketch *s, enum kind k, int q, const char *name, nsec start, nsec end)
{
	uint32_t row = hand_event(&s->run, k, s->stream[q], name, US * start, US * (end - start));

	hand_ids(&s->run, row, s->correlation, 0);
	return row;
}

uint32_t sketch_work(struct sketch *s, int q, const char *name, nsec start, nsec end)
{
	return work(s, KIND_KERNEL, q, name, start, end);
}

uint32_t sketch_copy(struct sketch *s, int q, const char *name, nsec start, nsec end)
{
	return work(s, KIND_MEMCPY, q, name, start, end);
}

uint32_t sketch_launch(
	struct sketch *s, int t, nsec at, int q, const char *name, nsec start, nsec end)
{
	(void)sketch_call(s, t, "cudaLaunchKernel", at, at + 1);
	return sketch_work(s, q, name, start, end);
}

uint32_t sketch_sync(struct sketch *s, int q, const char *name, nsec at)
{
	uint32_t lane = q < 0 ? hand_stream(&s->run, 0, -1) : s->stream[q];
	uint32_t row = hand_event(&s->run, KIND_SYNC, lane, name, US * at, 0);

	hand_ids(&s->run, row, s->correlation, 0);
	return row;
}

void sketch_event(struct sketch *s, uint32_t sync, int q, uint64_t record)
{
	hand_arg(&s->run, sync, ARG_DEVICE_WAIT_STREAM, (union arg_value){ .i64 = 7 + q });
	hand_arg(&s->run, sync, ARG_DEVICE_WAIT_CORRELATION,
		(union arg_value){ .i64 = (int64_t)record });
}

uint32_t sketch_node(const struct sketch *s, uint32_t row, enum node_point p)
{
	size_t i;

	for (i = 0; i < s->d.n; i++)
		if (s->d.node[i].row == row && s->d.node[i].point == p)
			return (uint32_t)i;
	return NO_NODE;
}

nsec sketch_if(struct sketch *s, const struct change *c, size_t n, uint32_t row, enum node_point p)
{
	const struct scenario what = { .change = c, .n = n };
	uint32_t node = sketch_node(s, row, p);
	struct whatif_times t = { 0 };
	nsec fin;

	assert_int_not_equal(node, NO_NODE);
	whatif(&t, &s->d, &s->l, &what);
	fin = t.fin[node];
	whatif_clear(&t);
	assert_int_equal(fin % US, 0);
	return fin / US;
}

/* ---- what is expected ---- */

struct seen {
	struct segment v[SKETCH_MOST];
	size_t n;
};

static void see(void *ctx, const struct segment *s)
{
	struct seen *seen = ctx;

	assert_true(seen->n < SKETCH_MOST);
	seen->v[seen->n++] = *s;
}

static const char *name_of(const struct sketch *s, const struct segment *g)
{
	uint32_t row = segment_row(g);

	return row == NO_ROW ? "" : strings_get(&s->run.strings, s->run.events.name[row]).p;
}

static void print(const struct sketch *s, const struct seen *seen)
{
	size_t i;

	for (i = seen->n; i-- > 0;)
		printf("%s [%lld %lld) %s\n", owner_key(seen->v[i].owner),
			(long long)seen->v[i].start, (long long)seen->v[i].end,
			name_of(s, &seen->v[i]));
}

void sketch_path(struct sketch *s, nsec start, nsec end, const struct expected *e, size_t n)
{
	struct seen seen = { .n = 0 };
	nsec at = US * start;
	size_t i;

	critpath(&s->d, US * start, US * end, see, &seen);
	print(s, &seen);
	for (i = 0; i < n && i < seen.n; i++) {
		const struct segment *g = &seen.v[seen.n - 1 - i];

		assert_string_equal(owner_key(g->owner), owner_key(e[i].owner));
		assert_int_equal(g->start, at);
		assert_int_equal(g->end, US * e[i].end);
		assert_string_equal(name_of(s, g), e[i].name ? e[i].name : "");
		at = g->end;
	}
	assert_int_equal(seen.n, n);
	assert_int_equal(at, US * end);
}

void assert_binds(const struct sketch *s, uint32_t a, enum node_point at, enum edge e, uint32_t b,
	enum node_point on)
{
	uint32_t node = sketch_node(s, a, at);

	assert_int_not_equal(node, NO_NODE);
	assert_int_equal(s->d.node[node].binding, e);
	assert_int_equal(s->d.node[node].from[e], sketch_node(s, b, on));
}

void assert_free(const struct sketch *s, uint32_t a, enum node_point at)
{
	uint32_t node = sketch_node(s, a, at);

	assert_int_not_equal(node, NO_NODE);
	assert_int_equal(s->d.node[node].binding, EDGE_COUNT);
}
