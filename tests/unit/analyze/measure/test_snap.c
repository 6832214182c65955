/* Memory snapshots: the state, the history replayed, and why memory ran out, by hand.
 *
 *   segment 0, large, 40 MiB at 0x1000000:   [ 4 A | 6 free | 10 B | 20 free ]
 *   segment 1, large, expandable, 60 MiB:    [ 30 free | 10 C | 20 free ]      pages of 20
 *   segment 2, private pool, 20 MiB:         [ 20 free ]
 *
 *   history   A alloc 4 | X free | C alloc 10 | C2 alloc 8 at Y | Y free, pending | oom
 *   before    B 10, X 5; X was freed and is gone */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/memory/snapcurve.h"
#include "analyze/measure/memory/snapheld.h"
#include "analyze/measure/memory/snapoom.h"
#include "analyze/measure/memory/snapreplay.h"
#include "analyze/measure/memory/snapstack.h"
#include "analyze/measure/memory/snapstate.h"
#include "base/compiler.h"

#define MIB INT64_C(1048576)

enum { A = 0x1000000, SEG1 = 0x10000000, X = 0x70000000, Y = 0x71000000 };

struct drawn {
	struct memsnap *m;
	struct snapreplay r;
	struct snapcurve c;
	uint32_t mine, torch;
};

static void add_block(struct memsnap *m, int64_t *at, int64_t size, uint32_t stack)
{
	struct memsnap_segment *s = &m->segment[m->nsegment - 1];

	memsnap_add_block(m,
		&(struct memsnap_block){ *at, size, stack ? size - 100 : 0, stack,
			stack ? MEMSNAP_ALLOCATED : MEMSNAP_INACTIVE });
	s->nblock++;
	*at += size;
}

static void add_segment(struct memsnap *m, int64_t address, int64_t total, uint32_t pool)
{
	memsnap_add_segment(m,
		&(struct memsnap_segment){ .address = address,
			.total = total,
			.pool = pool,
			.block = (uint32_t)m->nblock,
			.is_large = true,
			.is_expandable = address == SEG1 });
}

static void add_entry(
	struct memsnap *m, enum memsnap_action a, int64_t addr, int64_t size, uint32_t stack)
{
	memsnap_add_entry(m,
		&(struct memsnap_entry){ a, addr, size, 100 + (int64_t)m->nentry * 10, 0, stack });
}

static void draw(struct drawn *d, int64_t request, int64_t device_free)
{
	struct memsnap *m = memsnap_new(0);
	uint32_t frame[2] = { memsnap_frame(m, strings_intern(&m->names, SPAN("empty")),
				      strings_intern(&m->names, SPAN("torch/x.py")), 1),
		memsnap_frame(m, strings_intern(&m->names, SPAN("load")),
			strings_intern(&m->names, SPAN("a.py")), 7) };
	int64_t at = A;

	d->m = m;
	d->mine = memsnap_stack(m, frame, 2);
	d->torch = memsnap_stack(m, frame, 1);
	add_segment(m, A, 40 * MIB, memsnap_pair(m, 0, 0));
	add_block(m, &at, 4 * MIB, d->mine);
	add_block(m, &at, 6 * MIB, 0);
	add_block(m, &at, 10 * MIB, d->torch);
	add_block(m, &at, 20 * MIB, 0);
	at = SEG1;
	add_segment(m, SEG1, 60 * MIB, memsnap_pair(m, 0, 0));
	add_block(m, &at, 30 * MIB, 0);
	add_block(m, &at, 10 * MIB, d->mine);
	add_block(m, &at, 20 * MIB, 0);
	at = Y + 20 * MIB;
	add_segment(m, at, 20 * MIB, memsnap_pair(m, 0, 1));
	add_block(m, &at, 20 * MIB, 0);
	add_entry(m, MEMSNAP_ALLOC, A, 4 * MIB - 100, d->mine);
	add_entry(m, MEMSNAP_FREE_REQUESTED, X, 5 * MIB, 0);
	add_entry(m, MEMSNAP_FREE_COMPLETED, X, 5 * MIB, 0);
	add_entry(m, MEMSNAP_ALLOC, SEG1 + 30 * MIB, 10 * MIB - 100, d->mine);
	add_entry(m, MEMSNAP_ALLOC, Y, 8 * MIB, d->torch);
	add_entry(m, MEMSNAP_FREE_REQUESTED, Y, 8 * MIB, d->mine);
	add_entry(m, MEMSNAP_SEGMENT_FREE, Y, 20 * MIB, 0);
	add_entry(m, MEMSNAP_OOM, device_free, request, d->mine);
	memsnap_add_trace(m, 0, 0, m->nentry);
	snapreplay_init(&d->r, m, &m->trace[0]);
	snapcurve_init(&d->c, &d->r, 100);
}

static void clear(struct drawn *d)
{
	snapcurve_clear(&d->c);
	snapreplay_clear(&d->r);
	memsnap_free(d->m);
}

static void state_of_segments(void **state)
{
	const struct snapsum *sum;
	struct snapstate s;
	struct drawn d;

	(void)state;
	draw(&d, 1, 1);
	snapstate_init(&s, d.m);
	assert_int_equal(s.ndevice, 1);
	assert_int_equal(s.ngroup, 3);
	sum = snapstate_of(&s, 0);
	assert_int_equal(sum->reserved, 120 * MIB);
	assert_int_equal(snapsum_allocated(sum), 24 * MIB);
	assert_int_equal(sum->requested, 24 * MIB - 300);
	assert_int_equal(snapsum_inactive(sum), 96 * MIB);
	assert_int_equal(sum->split, 26 * MIB);
	assert_int_equal(sum->pooled, 20 * MIB);
	/* Of [0, 30) the page [0, 20), of [40, 60) the page [40, 60). */
	assert_int_equal(sum->releasable, 40 * MIB);
	assert_int_equal(snapsum_fragmented(sum), 36 * MIB);
	assert_int_equal(sum->largest, 30 * MIB);
	assert_int_equal(s.uneven, 0);
	assert_null(snapstate_of(&s, 1));
	/* The largest group comes first. */
	assert_true(s.group[0].is_expandable);
	snapstate_clear(&s);
	clear(&d);
}

static void replayed(void **state)
{
	/* B and X are there before, less the 100 that nobody asked for. */
	const int64_t before = 15 * MIB - 100;
	struct drawn d;

	(void)state;
	draw(&d, 1, 1);
	assert_int_equal(d.r.before, before);
	assert_int_equal(d.r.freed, 5 * MIB);
	assert_int_equal(d.r.nearly, 2);
	assert_int_equal(d.r.reserved_before, 140 * MIB);
	assert_int_equal(d.r.drift, 0);
	assert_int_equal(d.r.odd, 0);
	assert_int_equal(d.c.peak.entry, 4);
	assert_int_equal(d.c.peak.allocated, before - 5 * MIB + 22 * MIB - 200);
	assert_int_equal(d.c.peak.reserved, 140 * MIB);
	assert_int_equal(d.c.allocs, 3);
	assert_int_equal(d.c.frees, 2);
	assert_int_equal(d.c.free_bytes, 13 * MIB);
	assert_int_equal(d.c.last_change, 6);
	assert_int_equal(d.c.ooms, 1);
	assert_int_equal(d.c.npoint, 6);
	assert_int_equal(d.c.point[5].reserved, 120 * MIB);
	assert_int_equal(snapreplay_at(&d.r, 4), 40);
	clear(&d);
}

static void held_by_stack(void **state)
{
	struct snapheld h;
	struct arena mem = { 0 };
	struct drawn d;
	struct str b = { 0 };

	(void)state;
	draw(&d, 1, 1);
	snapheld_init(&h, &d.r, &d.c, &mem);
	/* torch: B 10 and Y 8; mine: A 4 and C 10.  X is gone before the peak. */
	assert_int_equal(h.n, 2);
	assert_true(h.has_oom);
	assert_int_equal(h.row[0].stack, d.torch);
	assert_int_equal(h.row[0].bytes[HELD_PEAK], 18 * MIB - 100);
	assert_int_equal(h.row[0].blocks[HELD_PEAK], 2);
	assert_int_equal(h.row[0].early, 10 * MIB - 100);
	assert_int_equal(h.row[0].bytes[HELD_OOM], 10 * MIB - 100);
	assert_int_equal(h.row[1].bytes[HELD_END], 14 * MIB - 200);
	snapheld_blocks(&h, d.m, 0, &mem);
	assert_int_equal(h.n, 2);
	assert_int_equal(h.row[0].bytes[HELD_END], 14 * MIB - 200);
	snapstack_where(&b, d.m, d.mine);
	assert_string_equal(b.s, "load (a.py:7)");
	str_reset(&b);
	snapstack_where(&b, d.m, d.torch);
	assert_string_equal(b.s, "empty (torch/x.py:1)");
	str_reset(&b);
	snapstack_text(&b, d.m, d.mine);
	assert_string_equal(b.s, "load (a.py:7);empty (torch/x.py:1)");
	str_free(&b);
	arena_clear(&mem);
	clear(&d);
}

/* Inactive outside of private pools are 76 MiB, the largest block 30. */
static void why(void **state)
{
	static const struct {
		int64_t request, device_free;
		enum snapoom_why why;
	} cases[] = {
		{ 31, 0, SNAPOOM_FRAGMENTED },
		{ 76, 0, SNAPOOM_FRAGMENTED },
		{ 77, 0, SNAPOOM_FULL },
		{ 78, 2, SNAPOOM_FRAGMENTED },
		{ 79, 2, SNAPOOM_FULL },
		{ 30, 0, SNAPOOM_ODD },
		{ 40, 40, SNAPOOM_LIMIT },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct snapstate s;
		struct snapoom o;
		struct drawn d;

		draw(&d, cases[i].request * MIB, cases[i].device_free * MIB);
		snapstate_init(&s, d.m);
		snapoom_of(&o, &d.r, &d.c, 0, snapstate_of(&s, 0));
		assert_true(o.is_now);
		assert_int_equal(o.since, 0);
		if (o.why != cases[i].why)
			fail_msg("%zu: %s", i, snapoom_word(o.why));
		snapstate_clear(&s);
		clear(&d);
	}
}

/* An address twice, freed twice, and freed without an end: said, and never below nothing. */
static void odd_entries(void **state)
{
	struct memsnap *m = memsnap_new(0);
	struct snapreplay r;
	struct snapcurve c;

	(void)state;
	add_entry(m, MEMSNAP_ALLOC, 8, 100, 0);
	add_entry(m, MEMSNAP_ALLOC, 8, 50, 0);
	add_entry(m, MEMSNAP_FREE_REQUESTED, 8, 50, 0);
	add_entry(m, MEMSNAP_FREE_REQUESTED, 8, 50, 0);
	add_entry(m, MEMSNAP_FREE_COMPLETED, 16, 7, 0);
	add_entry(m, MEMSNAP_ALLOC, INT64_MIN, INT64_MAX, 0);
	add_entry(m, MEMSNAP_ALLOC, INT64_MAX, INT64_MAX, 0);
	memsnap_add_trace(m, 0, 0, m->nentry);
	snapreplay_init(&r, m, &m->trace[0]);
	snapcurve_init(&c, &r, 4);
	assert_int_equal(r.odd, 2);
	assert_int_equal(r.before, 0);
	assert_int_equal(r.drift, INT64_MAX); /* nothing is in blocks */
	assert_int_equal(c.peak.allocated, INT64_MAX);
	snapcurve_clear(&c);
	snapreplay_clear(&r);
	memsnap_free(m);
}

/* 400 rounds: one stack keeps a block of 16 KiB of each, another the same ten of 2 MiB. */
static void growing(void **state)
{
	struct memsnap *m = memsnap_new(0);
	uint32_t frame[3], stack[3];
	struct snapgrowths g;
	struct snapreplay r;
	struct snapcurve c;
	struct snapheld h;
	SCOPED_ARENA mem = { 0 };
	int64_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		frame[i] = memsnap_frame(m, 0, 0, i);
		stack[i] = memsnap_stack(m, &frame[i], 1);
	}
	for (i = 0; i < 400; i++) {
		add_entry(m, MEMSNAP_ALLOC, 1000000 + i, 16384, stack[0]);
		if (i >= 10)
			add_entry(m, MEMSNAP_FREE_COMPLETED, i % 10, 2 * MIB, 0);
		add_entry(m, MEMSNAP_ALLOC, i % 10, 2 * MIB, stack[1]);
		if (i < 5)
			add_entry(m, MEMSNAP_ALLOC, 2000000 + i, 4 * MIB, stack[2]);
	}
	memsnap_add_trace(m, 0, 0, m->nentry);
	snapreplay_init(&r, m, &m->trace[0]);
	snapcurve_init(&c, &r, 100);
	snapheld_init(&h, &r, &c, &mem);
	snapgrowths_init(&g, &r, &c, &h, &mem);
	assert_int_equal(g.n, 3);
	assert_true(g.has_times);
	assert_int_equal(g.row[0].stack, stack[0]);
	assert_int_equal(g.row[0].sign, MEMTREND_LEAK);
	assert_int_equal(g.row[0].last, 400 * 16384);
	assert_int_equal(g.row[0].blocks, 400);
	assert_int_not_equal(g.row[1].sign, MEMTREND_LEAK);
	assert_int_not_equal(g.row[2].sign, MEMTREND_LEAK);
	snapcurve_clear(&c);
	snapreplay_clear(&r);
	memsnap_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(state_of_segments),
		cmocka_unit_test(replayed),
		cmocka_unit_test(held_by_stack),
		cmocka_unit_test(why),
		cmocka_unit_test(odd_entries),
		cmocka_unit_test(growing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
