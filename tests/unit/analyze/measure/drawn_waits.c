/* Runs drawn by hand, for tests of waits. */
#include "tests/unit/analyze/measure/drawn_waits.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tests/unit/handmade.h"

void drawing_begin(struct drawing *d)
{
	*d = (struct drawing){ 0 };
	run_init(&d->run, GAP_CAUSES_NEEDS);
	d->thread = hand_thread(&d->run, 1);
	d->stream = hand_stream(&d->run, 0, 7);
}

void drawing_call(
	struct drawing *d, enum kind k, uint32_t thread, const char *name, nsec from, nsec to)
{
	(void)hand_event(&d->run, k, thread, name, from, to - from);
}

uint32_t drawing_work_of(struct drawing *d, enum kind k, uint32_t thread, nsec from, nsec to,
	uint32_t stream, nsec start, nsec end)
{
	const char *name = k == KIND_KERNEL ? "cudaLaunchKernel" : "cudaMemcpyAsync";
	uint32_t launch = hand_event(&d->run, KIND_RUNTIME, thread, name, from, to - from);
	uint32_t row = hand_event(&d->run, k, stream, "work", start, end - start);

	d->correlation++;
	hand_ids(&d->run, launch, d->correlation, 0);
	hand_ids(&d->run, row, d->correlation, 0);
	return row;
}

uint32_t drawing_work(struct drawing *d, nsec at, nsec start, nsec end)
{
	return drawing_work_of(d, KIND_KERNEL, d->thread, at, at + 1, d->stream, start, end);
}

void parts_see(void *ctx, const struct gap_cause_part *p)
{
	struct parts *s = ctx;

	assert_true(s->n < GAP_CAUSES_MOST);
	s->v[s->n++] = *p;
}

void parts_are_whole(const struct parts *s, nsec start, nsec end)
{
	size_t i;

	assert_true(s->n > 0);
	assert_int_equal(s->v[0].start, start);
	assert_int_equal(s->v[s->n - 1].end, end);
	for (i = 0; i < s->n; i++) {
		assert_true(s->v[i].start < s->v[i].end);
		assert_int_equal(s->v[i].gap_ns, end - start);
		if (i > 0) {
			assert_int_equal(s->v[i].start, s->v[i - 1].end);
			assert_true(
				s->v[i].cls != s->v[i - 1].cls || s->v[i].held != s->v[i - 1].held);
		}
	}
}
