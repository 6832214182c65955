/* What a digest keeps of work: of each op by step, of known calls alone, and MFU of steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/job/digest/digest.h"
#include "analyze/job/digest/digest_new.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"
#include "tests/unit/near.h"

#define CLOSE(got, want) near(got, want, 1e-9)

enum { STEP = 1000 };

static const struct filter none;
static const struct digest_options with_work = { .filter = &none, .work = true };

static void text(struct run *r, uint32_t row, enum arg arg, const char *s)
{
	hand_arg(r, row, arg, (union arg_value){ .sym = strings_intern(&r->strings, span_of(s)) });
}

/* 256 x 512 by 512 x 1024 in bfloat16: 268,435,456 FLOP; its kernel runs for ns. */
static void product(struct run *r, uint32_t thread, uint32_t stream, nsec at, nsec ns, bool shapes)
{
	static uint64_t correlation;
	uint32_t row = hand_event(r, KIND_OP, thread, "aten::mm", at, 20);

	if (shapes) {
		text(r, row, ARG_OP_DIMS, "[[256, 512], [512, 1024]]");
		text(r, row, ARG_OP_TYPES, "[\"c10::BFloat16\", \"c10::BFloat16\"]");
	}
	(void)hand_launch(r, thread, stream, at + 5, at + 30, ns, ++correlation);
}

/*
 *	step 0  mm 300 ns, mm 400 ns         step 1  mm 600 ns, mm without shapes 50 ns
 */
static void draw(struct run *r, const char *device)
{
	uint32_t thread, stream;

	run_init(r, digest_needs(&with_work));
	thread = hand_thread(r, 1);
	stream = hand_stream(r, 0, 7);
	(void)hand_event(r, KIND_ANNOTATION, thread, "ProfilerStep#0", 0, STEP);
	(void)hand_event(r, KIND_ANNOTATION, thread, "ProfilerStep#1", STEP, STEP);
	product(r, thread, stream, 10, 300, true);
	product(r, thread, stream, 400, 400, true);
	product(r, thread, stream, STEP + 10, 600, true);
	product(r, thread, stream, STEP + 700, 50, false);
	r->meta.gpu = arena_array(&r->mem, 1, sizeof(*r->meta.gpu));
	r->meta.ngpu = 1;
	r->meta.gpu[0].name = strings_intern(&r->strings, span_of(device));
	r->meta.gpu[0].sms = 132;
	r->meta.gpu[0].memory_bytes = INT64_C(84943110144);
	r->has_trace = true;
	r->path = arena_copy(&r->mem, "trace.json", 10);
	index_build(r, digest_needs(&with_work));
}

static const struct digest_work *only(const struct digest *d)
{
	assert_int_equal(d->nwork, 1);
	assert_true(span_is(d->work[0].op, "aten::mm"));
	return &d->work[0];
}

static void by_op_and_step(void **state)
{
	const int64_t flop = 268435456;
	const struct digest_work *w;
	struct digest *d;
	struct run r;
	struct err e;

	(void)state;
	draw(&r, "NVIDIA H100 80GB HBM3");
	assert_int_equal(digest_look(&d, &r, &with_work, &e), OK);
	assert_int_equal(d->nstep, 2);
	w = only(d);
	assert_int_equal(w->calls, 4);
	assert_int_equal(w->known, 3);
	assert_true(w->flop == 3 * flop && w->ns == 1300);
	assert_true(w->step_flop[0] == 2 * flop && w->step_ns[0] == 700);
	assert_true(w->step_flop[1] == flop && w->step_ns[1] == 600);
	/* 2 x 268 MFLOP in 1 us of 989.4 TFLOP/s */
	CLOSE(d->step[0].mfu, 2 * (double)flop / (989.4e12 * 1e-6));
	CLOSE(d->step[1].mfu, (double)flop / (989.4e12 * 1e-6));
	CLOSE(d->step[0].known_ratio, 1);
	CLOSE(d->step[1].known_ratio, 600.0 / 650);
	digest_free(d);
	run_clear(&r);
}

/* Calls with the same arguments and work are one row; those without shapes another. */
static void by_arguments(void **state)
{
	const int64_t flop = 268435456, bytes = 2 * (256 * 512 + 512 * 1024 + 256 * 1024);
	const struct digest_cost *c;
	struct digest *d;
	struct run r;
	struct err e;

	(void)state;
	draw(&r, "NVIDIA H100 80GB HBM3");
	assert_int_equal(digest_look(&d, &r, &with_work, &e), OK);
	assert_int_equal(d->ncost, 2);
	c = &d->cost[0];
	assert_true(c->work == 0 && c->dims.n == 0 && c->flop == -1 && c->bytes == -1);
	assert_true(c->why == ROOF_WHY_NO_SHAPES && c->calls == 1 && c->ns == 50);
	c = &d->cost[1];
	assert_true(c->work == 0 && span_is(c->dims, "[[256, 512], [512, 1024]]"));
	assert_true(c->flop == flop && c->bytes == bytes && c->why == ROOF_WHY_KNOWN);
	/* 268 MFLOP at 989 TFLOP/s are 0.27 us, 1.8 MB at 3.35 TB/s 0.55 us */
	assert_true(c->by_bytes && c->calls == 3 && c->ns == 1300);
	assert_true(d->work[0].step_busy[0] == 700 && d->work[0].step_busy[1] == 650);
	digest_free(d);
	run_clear(&r);
	/* of a device without peaks a product is taken to be bound by its FLOP */
	draw(&r, "Frobnicator 9000");
	assert_int_equal(digest_look(&d, &r, &with_work, &e), OK);
	assert_false(d->cost[1].by_bytes);
	digest_free(d);
	run_clear(&r);
}

static void unknown_device(void **state)
{
	struct digest *d;
	struct run r;
	struct err e;

	(void)state;
	draw(&r, "Frobnicator 9000");
	assert_int_equal(digest_look(&d, &r, &with_work, &e), OK);
	assert_true(only(d)->flop > 0);
	assert_true(d->step[0].mfu == 0 && d->step[1].mfu == 0);
	CLOSE(d->step[0].known_ratio, 1);
	digest_free(d);
	run_clear(&r);
}

static void only_if_asked(void **state)
{
	const struct digest_options without = { .filter = &none };
	struct digest *d;
	struct run r;
	struct err e;

	(void)state;
	draw(&r, "NVIDIA H100 80GB HBM3");
	assert_int_equal(digest_look(&d, &r, &without, &e), OK);
	assert_int_equal(d->nwork, 0);
	assert_true(d->step[0].mfu == 0 && d->step[0].known_ratio == 0);
	digest_free(d);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_op_and_step),
		cmocka_unit_test(by_arguments),
		cmocka_unit_test(unknown_device),
		cmocka_unit_test(only_if_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
