/* Digests as bytes: a digest drawn by hand comes back field by field; cut, changed and hostile
 * bytes behind right checksums are one error each, and cost no more than they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/job/match/collectives.h"
#include "analyze/job/digest/digest.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/trace/columns/args.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_wire.h"
#include "base/compiler.h"

enum { STEPS = 3 };

static int64_t cells[STEPS] = { 10, 0, 32 };
static struct digest_shape shapes[] = { { { "[[2, 3]]", 8 }, 4, 12 }, { { "[[3]]", 5 }, 1, 30 } };
static struct digest_op device[] = {
	{ .name = { "gemm", 4 },
		.op = { "aten::mm", 8 },
		.kind = KIND_KERNEL,
		.place = 1,
		.calls = 5,
		.ns = 42,
		.all_calls = 6,
		.all_ns = 50,
		.step_ns = cells,
		.shape = shapes,
		.nshape = 2 },
	{ .name = { "gemm", 4 },
		.op = { "aten::mm", 8 },
		.kind = KIND_MEMCPY,
		.place = 0,
		.all_calls = 1,
		.all_ns = INT64_MAX },
};
static int64_t step_flop[STEPS] = { 60, 0, 120 }, step_ns[STEPS] = { 10, 0, 32 },
	       step_busy[STEPS] = { 10, 7, 32 };
static struct digest_work work[] = {
	{ .op = { "aten::mm", 8 },
		.calls = 4,
		.known = 3,
		.flop = 180,
		.ns = 42,
		.step_flop = step_flop,
		.step_ns = step_ns,
		.step_busy = step_busy },
	{ .op = { "aten::sum", 9 }, .calls = 1 },
};
static struct digest_cost costs[] = {
	{ 0, { "", 0 }, ROOF_WHY_NO_SHAPES, -1, -1, false, 1, 7 },
	{ 0, { "[[2, 3], [3, 5]]", 16 }, ROOF_WHY_KNOWN, 60, 62, true, 3, 42 },
	{ 1, { "[[9]]", 5 }, ROOF_WHY_NO_TYPE, 9, -1, false, 1, 4 },
};
static struct digest_op host[] = {
	{ .name = { "aten::mm", 8 }, .op = { "", 0 }, .kind = KIND_OP, .calls = 1, .all_calls = 1 }
};
static const int64_t in[] = { 1, 2, 3 }, out[] = { 9 };
static struct coll_split split[] = { { in, out, 3, 1 } };
static struct coll_kind kinds[] = {
	{ { "0", 1 }, { "default_pg", 10 }, { "[0, 1]", 6 }, { "Float", 5 }, COMM_ALL_REDUCE, 1024,
		2, ARG_UNKNOWN, ARG_UNKNOWN },
	{ { "", 0 }, { "", 0 }, { "", 0 }, { "", 0 }, COMM_SEND, ARG_UNKNOWN, ARG_UNKNOWN, 0, 1 },
};
/* On a grid that is once coarser than it has to be, 8 ns, two pieces with a gap in front and
 * between: of 10 and 1201 units, the last of which the end cuts, so that of 5000 they have 5000 x
 * 10 / 1211 and the rest.  One that is all of it; none. */
static struct coll_piece pieces[] = { { 40, 80, 41 }, { 400, 9601, 4959 }, { 0, 30, 30 } };
static struct collective collectives[] = {
	{ 1764504000000000000, 10001, 5000, 7, 0, 0, 0, 0, 2, 3, 1 },
	{ 1764504000000010200, 30, 30, 8, 0, 2, 1, 2, 1, 0, 0 },
	{ 1764504000000010200, 0, 0, ARG_UNKNOWN, 1, COLL_NO_STEP, 1, 3, 0, 0, 0 },
};
static struct collectives coll = { collectives, 3, kinds, 2, pieces, 3, split, 1, NULL, true };

static void draw(struct digest *d, struct digest_step *step)
{
	int i, k;

	memset(step, 0, STEPS * sizeof(*step));
	for (i = 0; i < STEPS; i++) {
		step[i].number = 7 + i;
		step[i].wall = 1000 + i;
		step[i].device_sum = 30 * i;
		step[i].launched = 4;
		for (k = 0; k < PART_IDLE_OUTSIDE; k++) /* what is compared alone is not kept */
			step[i].part[k] = 10 * i + k;
		for (k = 0; k < PHASE_COUNT; k++)
			step[i].phase[k] = 100 * k + i;
	}
	*d = (struct digest){ .path = "trace.json",
		.kind = "trace",
		.rank = 3,
		.world = 8,
		.has_events = true,
		.has_steps = true,
		.has_device = true,
		.on_device = true,
		.ndevice = 1,
		.step = step,
		.nstep = STEPS,
		.nstep_all = 4,
		.step_ns = 1001.5,
		.median = 1001,
		.device = { device, 2 },
		.host = { host, 1 },
		.work = work,
		.nwork = 2,
		.cost = costs,
		.ncost = 3,
		.documents_cpu = 1,
		.documents_cuda = 2,
		.peak_bytes = 1 << 20,
		.leaks = 1,
		.collectives = &coll };
	tally_init(&d->tally);
	tally_add(&d->tally, PROBLEM_NO_TIME, 3, 88);
	digest_condition_add(&d->env, &d->mem, "gpu", SPAN("Tesla V100"));
	digest_condition_add(&d->env, &d->mem, "torch", SPAN("2.9"));
}

static struct kept *record_of(struct span plain)
{
	struct digest_file_out o;
	SCOPED_STR b = { 0 };
	struct kept *k;
	struct err e;
	char *own;

	digest_file_begin(&o);
	digest_file_add(&o, DIGEST_SECTION, plain, 0);
	digest_file_put(&o, &b);
	digest_file_end(&o);
	own = malloc(b.n);
	assert_non_null(own);
	memcpy(own, b.s, b.n);
	assert_int_equal(digest_file_open(&k, own, b.n, &e), OK);
	return k;
}

/* All bytes of a section. */
static struct str sealed(void (*walk)(struct walk *w, struct digest *d), struct digest *d)
{
	struct wire_out w;
	struct str plain = { 0 };

	wire_begin(&w);
	walk(&(struct walk){ .out = &w }, d);
	struct span all = wire_seal(&w);
	str_add(&plain, all.p, all.n);
	wire_free(&w);
	return plain;
}

static struct str packed(void)
{
	struct digest_step step[STEPS];
	struct digest d;

	draw(&d, step);
	struct str plain = sealed(digest_walk, &d);
	arena_clear(&d.mem);
	return plain;
}

static enum status unpack(
	struct digest **d, struct span plain, const struct digest_options *o, struct err *e)
{
	struct kept *k = record_of(plain);
	enum status st = digest_unpack(d, k, "job.tqd", o, e);

	digest_file_free(k);
	return st;
}

static void same_ops(const struct digest_ops *a, const struct digest_ops *b)
{
	size_t i, k;

	assert_int_equal(a->n, b->n);
	for (i = 0; i < a->n; i++) {
		const struct digest_op *x = &a->v[i], *y = &b->v[i];

		assert_true(span_eq(x->name, y->name) && span_eq(x->op, y->op));
		assert_int_equal(x->kind, y->kind);
		assert_int_equal(x->place, y->place);
		assert_true(x->calls == y->calls && x->all_calls == y->all_calls);
		assert_true(x->ns == y->ns && x->all_ns == y->all_ns);
		assert_int_equal(x->step_ns != NULL, y->step_ns != NULL);
		if (x->step_ns)
			assert_memory_equal(x->step_ns, y->step_ns, sizeof(cells));
		assert_int_equal(x->nshape, y->nshape);
		for (k = 0; k < x->nshape; k++) {
			assert_true(span_eq(x->shape[k].dims, y->shape[k].dims));
			assert_true(x->shape[k].calls == y->shape[k].calls);
			assert_true(x->shape[k].ns == y->shape[k].ns);
		}
	}
}

static void same_collectives(const struct collectives *a, const struct collectives *b)
{
	size_t i;

	assert_int_equal(a->has_epoch, b->has_epoch);
	assert_int_equal(a->n, b->n);
	assert_int_equal(a->nkind, b->nkind);
	assert_int_equal(a->npiece, b->npiece);
	assert_int_equal(a->nsplit, b->nsplit);
	for (i = 0; i < a->n; i++) {
		const struct collective *x = &a->v[i], *y = &b->v[i];

		assert_true(x->start == y->start && x->dur == y->dur && x->seq == y->seq);
		assert_true(x->exposed == y->exposed);
		assert_int_equal(x->kind, y->kind);
		assert_int_equal(x->step, y->step);
		assert_int_equal(x->lane, y->lane);
		assert_int_equal(x->npiece, y->npiece);
		assert_int_equal(x->piece, y->piece);
		assert_int_equal(x->grid, y->grid);
		assert_int_equal(x->split, y->split);
	}
	for (i = 0; i < a->nkind; i++) {
		const struct coll_kind *x = &a->kind[i], *y = &b->kind[i];

		assert_true(span_eq(x->group, y->group) && span_eq(x->desc, y->desc));
		assert_true(span_eq(x->ranks, y->ranks) && span_eq(x->dtype, y->dtype));
		assert_int_equal(x->op, y->op);
		assert_true(x->bytes == y->bytes && x->nrank == y->nrank);
		assert_true(x->src == y->src && x->dst == y->dst);
	}
	assert_memory_equal(a->piece, b->piece, sizeof(pieces));
	assert_int_equal(b->split[0].nin, 3);
	assert_memory_equal(b->split[0].in, in, sizeof(in));
	assert_int_equal(b->split[0].nout, 1);
	assert_int_equal(b->split[0].out[0], 9);
}

/* ---- what ops should cost ---- */

static struct str packed_work(void)
{
	struct digest_step step[STEPS];
	struct digest d;
	int i;

	draw(&d, step);
	for (i = 0; i < STEPS; i++) {
		step[i].mfu = 0.25 * i;
		step[i].known_ratio = 0.5;
	}
	struct str plain = sealed(work_walk, &d);
	arena_clear(&d.mem);
	return plain;
}

/* Whether n of the bytes are taken, into a digest of so many steps. */
static bool takes_work(struct digest *d, const struct str *plain, size_t n, size_t nstep)
{
	struct wire_in w;

	*d = (struct digest){ .nstep = nstep, .device = { device, 2 } };
	d->step = arena_array(&d->mem, nstep, sizeof(*d->step));
	wire_open_sealed(&w, (struct span){ plain->s, n }, &d->mem);
	work_walk(&(struct walk){ .in = &w }, d);
	return wire_is_done(&w);
}

static void work_there_and_back(void **state)
{
	struct str plain = packed_work();
	struct digest d;
	size_t n;

	(void)state;
	assert_true(takes_work(&d, &plain, plain.n, STEPS));
	assert_int_equal(d.nwork, 2);
	assert_true(span_is(d.work[0].op, "aten::mm") && span_is(d.work[1].op, "aten::sum"));
	assert_true(d.work[0].calls == 4 && d.work[0].known == 3);
	assert_true(d.work[0].flop == 180 && d.work[0].ns == 42);
	assert_memory_equal(d.work[0].step_flop, step_flop, sizeof(step_flop));
	assert_memory_equal(d.work[0].step_ns, step_ns, sizeof(step_ns));
	assert_null(d.work[1].step_flop);
	assert_true(d.step[2].mfu == 0.5 && d.step[2].known_ratio == 0.5);
	arena_clear(&d.mem);
	for (n = 0; n < plain.n; n++) {
		assert_false(takes_work(&d, &plain, n, STEPS));
		arena_clear(&d.mem);
	}
	assert_false(takes_work(&d, &plain, plain.n, STEPS + 1)); /* of other steps */
	arena_clear(&d.mem);
	str_free(&plain);
}

static void work_is_not_believed(void **state)
{
	struct digest_work good = work[0], *const bad = &work[0];
	struct digest d;
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		struct str plain;

		bad->known = i == 0 ? 5 : good.known; /* of 4 calls */
		bad->flop = i == 1 ? -1 : good.flop;
		step_ns[1] = i == 2 ? -1 : 0;
		bad->op = i == 3 ? SPAN("aten::z") : good.op; /* behind aten::sum */
		plain = packed_work();
		assert_false(takes_work(&d, &plain, plain.n, STEPS));
		arena_clear(&d.mem);
		str_free(&plain);
	}
	step_ns[1] = 0;
	*bad = good;
}

/* ---- what lies outside of all steps ---- */

/* Writes it and reads n of the bytes back; n SIZE_MAX: all. */
static bool outside_goes(struct digest *to, struct digest_outside from, size_t n)
{
	struct digest d = { .outside = from };
	struct str plain = sealed(outside_walk, &d);
	struct wire_in back;

	*to = (struct digest){ 0 };
	wire_open_sealed(&back, (struct span){ plain.s, MIN(n, plain.n) }, &to->mem);
	outside_walk(&(struct walk){ .in = &back }, to);
	bool is_done = wire_is_done(&back);
	arena_clear(&to->mem);
	str_free(&plain);
	return is_done;
}

static void outside_there_and_back(void **state)
{
	const struct digest_outside o = {
		.busy = 70, .busy_all = 100, .wall = 90, .part = { 40, 20, 10, 0, 20 }, .nstep = 8
	};
	const struct digest_outside bad[] = { { .busy = 3, .busy_all = 2, .nstep = 1 },
		{ .busy_all = 2 }, { .part = { -1 } }, { .wall = -1 } };
	struct digest d;

	(void)state;
	assert_true(outside_goes(&d, o, SIZE_MAX));
	assert_memory_equal(&d.outside, &o, sizeof(o));
	assert_false(outside_goes(&d, o, 5));
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		assert_false(outside_goes(&d, bad[i], SIZE_MAX));
	assert_true(outside_goes(&d, (struct digest_outside){ 0 }, SIZE_MAX));
}

static struct str packed_costs(void)
{
	struct digest_step step[STEPS];
	struct digest d;

	draw(&d, step);
	struct str plain = sealed(cost_walk, &d);
	arena_clear(&d.mem);
	return plain;
}

/* Whether n of the bytes are taken, into a digest of so many steps and ops. */
static bool takes_costs(
	struct digest *d, const struct str *plain, size_t n, size_t nstep, size_t nwork)
{
	struct wire_in w;

	*d = (struct digest){ .nstep = nstep, .nwork = nwork, .device = { device, 2 } };
	d->work = arena_array(&d->mem, nwork, sizeof(*d->work));
	for (size_t i = 0; i < nwork && i < COUNT_OF(work); i++)
		d->work[i].op = work[i].op;
	wire_open_sealed(&w, (struct span){ plain->s, n }, &d->mem);
	cost_walk(&(struct walk){ .in = &w }, d);
	return wire_is_done(&w);
}

static void costs_there_and_back(void **state)
{
	struct str plain = packed_costs();
	struct digest d;
	size_t n, i;

	(void)state;
	assert_true(takes_costs(&d, &plain, plain.n, STEPS, 2));
	assert_int_equal(d.ncost, 3);
	for (i = 0; i < 3; i++) {
		const struct digest_cost *a = &d.cost[i], *b = &costs[i];

		assert_true(a->work == b->work && span_eq(a->dims, b->dims) && a->why == b->why);
		assert_true(a->flop == b->flop && a->bytes == b->bytes);
		assert_true(a->by_bytes == b->by_bytes && a->calls == b->calls && a->ns == b->ns);
	}
	assert_memory_equal(d.work[0].step_busy, step_busy, sizeof(step_busy));
	assert_null(d.work[1].step_busy);
	arena_clear(&d.mem);
	for (n = 0; n < plain.n; n++) {
		assert_false(takes_costs(&d, &plain, n, STEPS, 2));
		arena_clear(&d.mem);
	}
	assert_false(takes_costs(&d, &plain, plain.n, STEPS + 1, 2)); /* of other steps */
	arena_clear(&d.mem);
	assert_false(takes_costs(&d, &plain, plain.n, STEPS, 1)); /* of other ops */
	arena_clear(&d.mem);
	str_free(&plain);
}

static void costs_are_not_believed(void **state)
{
	const struct digest_cost good = costs[1];
	struct digest d;
	int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		struct str plain;

		costs[1].work = i == 0 ? 2
			: i == 1       ? 1
				       : good.work; /* no such op; behind its next */
		costs[2].work = i == 1 ? 0 : 1;
		costs[1].flop = i == 2 ? -2 : good.flop;
		costs[1].calls = i == 3 ? -1 : good.calls;
		costs[1].ns = i == 4 ? -1 : good.ns;
		step_busy[1] = i == 5 ? -1 : 7;
		plain = packed_costs();
		assert_false(takes_costs(&d, &plain, plain.n, STEPS, 2));
		arena_clear(&d.mem);
		str_free(&plain);
	}
	step_busy[1] = 7;
	costs[1] = good;
	costs[2].work = 1;
}

static void there_and_back(void **state)
{
	struct digest_step step[STEPS];
	struct str plain = packed();
	struct digest a, *b;
	struct err e;

	(void)state;
	draw(&a, step);
	assert_int_equal(
		unpack(&b, (struct span){ plain.s, plain.n }, &digest_kept_options, &e), OK);
	assert_string_equal(b->path, "job.tqd");
	assert_string_equal(b->kind, "trace");
	assert_true(b->has_events && b->has_steps && b->has_device && b->on_device);
	assert_int_equal(b->rank, 3);
	assert_int_equal(b->world, 8);
	assert_int_equal(b->ndevice, 1);
	assert_int_equal(b->nstep_all, 4);
	assert_true(fabs(b->step_ns - 1001.5) < 1e-9 && fabs(b->median - 1001) < 1e-9);
	assert_int_equal(b->documents_cpu, 1);
	assert_int_equal(b->documents_cuda, 2);
	assert_int_equal(b->peak_bytes, 1 << 20);
	assert_int_equal(b->leaks, 1);
	assert_int_equal(b->tally.count[PROBLEM_NO_TIME], 3);
	assert_int_equal(b->tally.offset[PROBLEM_NO_TIME], 88);
	assert_int_equal(b->env.n, 2);
	assert_true(span_is(digest_condition(&b->env, "torch"), "2.9"));
	assert_int_equal(b->nstep, STEPS);
	assert_memory_equal(b->step, step, sizeof(step));
	same_ops(&a.device, &b->device);
	same_ops(&a.host, &b->host);
	same_collectives(&coll, b->collectives);
	assert_null(b->record);
	digest_free(b);
	arena_clear(&a.mem);
	str_free(&plain);
}

/* What was not asked for is not there; what is not kept is refused by its name. */
static void options(void **state)
{
	static const struct filter all, steps = { .steps = "1-2" }, rank = { .rank = "3" };
	const struct digest_options less = { .filter = &rank };
	const struct digest_options refused[] = { { .filter = &steps },
		{ .filter = &all, .warmup = 1 }, { .filter = &all, .exact_names = true } };
	static const char *const named[] = { "--steps", "--warmup", "--exact-names" };
	struct str plain = packed();
	const struct span bytes = { plain.s, plain.n };
	struct digest *d;
	struct err e;
	size_t i;

	(void)state;
	assert_int_equal(unpack(&d, bytes, &less, &e), OK);
	assert_null(d->collectives);
	assert_int_equal(d->device.v[0].nshape, 0);
	digest_free(d);
	for (i = 0; i < COUNT_OF(refused); i++) {
		assert_int_equal(unpack(&d, bytes, &refused[i], &e), E_NODATA);
		assert_non_null(strstr(e.text, named[i]));
		assert_non_null(strstr(e.text, "needs the trace itself"));
	}
	str_free(&plain);
}

static void cut(void **state)
{
	struct str plain = packed();
	struct digest *d;
	struct err e;
	size_t n;

	(void)state;
	for (n = 0; n < plain.n; n++)
		assert_int_equal(unpack(&d, (struct span){ plain.s, n }, &digest_kept_options, &e),
			E_SYNTAX);
	str_addc(&plain, 0);
	assert_int_equal(
		unpack(&d, (struct span){ plain.s, plain.n }, &digest_kept_options, &e), E_SYNTAX);
	str_free(&plain);
}

/* Each byte takes each value behind a right checksum: an error or a digest, and bounded memory. */
static void changed(void **state)
{
	struct str plain = packed();
	struct digest *d;
	struct err e;
	size_t i, read = 0;
	int v;

	(void)state;
	for (i = 0; i < plain.n; i++) {
		const char was = plain.s[i];

		for (v = 0; v < 256; v += 15) {
			plain.s[i] = (char)v;
			if (unpack(&d, (struct span){ plain.s, plain.n }, &digest_kept_options,
				    &e) != OK) {
				assert_int_equal(e.status, E_SYNTAX);
				continue;
			}
			read++;
			assert_true(d->mem.total < 1 << 20);
			digest_free(d);
		}
		plain.s[i] = was;
	}
	assert_true(read > 0);
	str_free(&plain);
}

/* A count of 2^63 in the place of each byte. */
static void huge_counts(void **state)
{
	static const char huge[] = "\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
	struct str plain = packed();
	struct digest *d;
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < plain.n; i++) {
		struct str b = { 0 };

		str_add(&b, plain.s, i);
		str_add(&b, huge, sizeof(huge) - 1);
		str_add(&b, plain.s + i + 1, plain.n - i - 1);
		if (unpack(&d, (struct span){ b.s, b.n }, &digest_kept_options, &e) == OK) {
			assert_true(d->mem.total < 1 << 20);
			digest_free(d);
		}
		str_free(&b);
	}
	str_free(&plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(outside_there_and_back),
		cmocka_unit_test(work_there_and_back),
		cmocka_unit_test(work_is_not_believed),
		cmocka_unit_test(costs_there_and_back),
		cmocka_unit_test(costs_are_not_believed),
		cmocka_unit_test(options),
		cmocka_unit_test(cut),
		cmocka_unit_test(changed),
		cmocka_unit_test(huge_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
