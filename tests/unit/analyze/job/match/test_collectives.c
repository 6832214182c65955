/* What a digest keeps of a trace's collectives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyze/job/match/collpieces.h"
#include "analyze/job/digest/digest.h"
#include "analyze/job/digest/digest_new.h"
#include "analyze/job/job.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "tests/unit/loading.h"

struct gathered {
	struct loaded loaded;
	struct digest *digest;
	const struct collectives *c;
};

static void gather(struct gathered *g, const char *text, const char *stream)
{
	const struct filter filter = { .stream = stream };
	const struct digest_options o = { .filter = &filter, .collectives = true };
	const struct loading how = { .needs = digest_needs(&o) };

	loading_run(&g->loaded, span_of(text), &how);
	assert_int_equal(g->loaded.status, OK);
	index_build(&g->loaded.run, digest_needs(&o));
	assert_int_equal(digest_new(&g->digest, &g->loaded.run, &o, &g->loaded.err), OK);
	g->c = g->digest->collectives;
	assert_non_null(g->c);
}

static void release(struct gathered *g)
{
	digest_free(g->digest);
	loading_release(&g->loaded);
}

static bool is(struct span s, const char *text)
{
	return span_is(s, text);
}

#define KERNEL(name, stream, ts, dur, more)                                                \
	"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" name "\",\"pid\":0,\"tid\":" stream \
	",\"ts\":" ts ",\"dur\":" dur ",\"args\":{\"device\":0,\"stream\":" stream more "}}"

/*
 *	us           0  10  20  30  40  50  60  70  80  90 100
 *	gemm (7)        [--------)       [---)
 *	reduce (13)  [-------------------------------)             0 .. 80
 *	reduce (9)                  [--------------------)        40 .. 95
 *
 * The first has 0 .. 10, 30 .. 50 and 60 .. 80, the second what is left: 80 .. 95.  80 us are on a
 * grid of 32 ns: the stretches are 0 .. 313, 938 .. 1563 and 1875 .. 2500 units, 1563 for 50 us.
 */
static const char two_streams[] = "{\"traceEvents\":[" KERNEL(
	"gemm", "7", "10", "20", "") "," KERNEL("gemm", "7", "50", "10",
	"") "," KERNEL("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
	"13", "0", "80",
	"") "," KERNEL("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
	"9", "40", "55", "") "]}";

static void test_pieces(void **state)
{
	struct gathered g;
	const struct collective *c;
	const struct coll_piece *p;

	(void)state;
	gather(&g, two_streams, NULL);
	assert_int_equal(g.c->n, 2);
	assert_int_equal(g.c->nkind, 1);
	assert_false(g.c->has_epoch);
	assert_int_equal(g.c->kind[0].op, COMM_ALL_REDUCE);
	assert_true(is(g.c->kind[0].dtype, "f32"));
	assert_true(is(g.c->kind[0].group, ""));
	assert_int_equal(g.c->kind[0].bytes, ARG_UNKNOWN);
	c = &g.c->v[0];
	p = &g.c->piece[c->piece];
	assert_int_equal(c->start, 0);
	assert_int_equal(c->dur, 80000);
	assert_int_equal(c->seq, ARG_UNKNOWN);
	assert_int_equal(c->exposed, 50000);
	assert_int_equal(c->npiece, 3);
	assert_int_equal(c->grid, 5);
	assert_int_equal(p[1].at, 30016);
	assert_int_equal(p[1].span, 20000);
	assert_int_equal(p[1].ns, 30006 - 10012);
	/* Numbers are by stream, so that ranks that start them in another order agree. */
	assert_int_equal(c->lane, 1);
	assert_int_equal(g.c->v[1].lane, 0);
	assert_int_equal(g.c->v[1].exposed, 15000);
	assert_int_equal(g.c->piece[g.c->v[1].piece].at, 40000);
	assert_int_equal(collpieces_until(g.c, c, 5000), 4998);
	assert_int_equal(collpieces_until(g.c, c, 35000), 14994);
	assert_int_equal(collpieces_until(g.c, c, 80000), 50000);
	assert_int_equal(c->exposed + g.c->v[1].exposed, g.digest->step[0].part[PART_COMM]);
	release(&g);
	gather(&g, two_streams, "9");
	assert_int_equal(g.c->n, 1);
	release(&g);
}

/* A collective of 100 us with n times so much hidden, every 2017 ns. */
static void hide(struct collpieces *p, struct collective *c, uint32_t n, nsec each)
{
	uint32_t i;

	collpieces_begin(p);
	for (i = 0; i < n; i++)
		collpieces_hide(p, 1000 + i * 2017, 1000 + i * 2017 + each);
	collpieces_show(p, c, 0);
	assert_int_equal(c->exposed, c->dur - n * each);
	assert_int_equal(p->n, c->npiece);
}

static void check_grid(const struct collpieces *p, const struct collective *c)
{
	nsec sum = 0, rest = (nsec)(1u << c->grid) - 1;
	uint32_t i;

	for (i = 0; i < c->npiece; i++) {
		const struct coll_piece *v = &p->piece[i];

		assert_true(v->ns > 0 && v->span > 0);
		assert_true(i == 0 || v->at > v[-1].at + v[-1].span);
		assert_int_equal(v->at & rest, 0);
		assert_true(((v->at + v->span) & rest) == 0 || v->at + v->span == c->dur);
		sum += v->ns;
	}
	assert_int_equal(sum, c->exposed);
}

/* What is exposed up to each time is off by a few units. */
static void test_grid(void **state)
{
	struct collpieces p = { 0 };
	struct collective c = { .dur = 100000 };
	nsec at;

	(void)state;
	hide(&p, &c, 20, 600);
	assert_int_equal(c.npiece, 21);
	assert_int_equal(c.grid, 5);
	check_grid(&p, &c);
	for (at = 0; at <= c.dur; at += 100) {
		const struct collectives all = { .piece = p.piece };
		nsec in = at - 1000, whole = in < 0 ? 0 : in / 2017, rest = in - whole * 2017;
		nsec hidden = in < 0  ? 0
			: whole >= 20 ? 20 * 600
				      : whole * 600 + (rest < 600 ? rest : 600);

		assert_in_range(collpieces_until(&all, &c, at) - (at - hidden) + 4 * 32, 0, 8 * 32);
	}
	collpieces_clear(&p);
}

/* More stretches than are kept: the grid is coarser, and what is exposed stays. */
static void test_many_pieces(void **state)
{
	struct collpieces p = { 0 };
	struct collective c = { .dur = 100000 };

	(void)state;
	hide(&p, &c, 40, 600);
	assert_in_range(c.npiece, 1, COLL_PIECES);
	assert_true(c.grid > 5);
	check_grid(&p, &c);
	collpieces_clear(&p);
}

/* Less than half a unit, which no rounding leaves: it is one. */
static void test_less_than_a_unit(void **state)
{
	struct collpieces p = { 0 };
	struct collective c = { .dur = 100000 };
	const struct collectives all = { .piece = &(struct coll_piece){ 1984, 32, 3 } };

	(void)state;
	collpieces_begin(&p);
	collpieces_hide(&p, -100, 2001);
	collpieces_hide(&p, 2004, 200000);
	collpieces_show(&p, &c, 0);
	assert_int_equal(c.exposed, 3);
	assert_int_equal(c.npiece, 1);
	assert_memory_equal(p.piece, all.piece, sizeof(*p.piece));
	assert_int_equal(collpieces_until(&all, &c, 1984), 0);
	assert_int_equal(collpieces_until(&all, &c, 100000), 3);
	collpieces_clear(&p);
}

/* Kineto's words of who meets: of the kernel, and of the op that launched it. */
static void test_arguments(void **state)
{
	static const char text[] =
		"{\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":["
		"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"record_param_comms\",\"pid\":1,"
		"\"tid\":1,\"ts\":1,\"dur\":9,\"args\":{\"External id\":5,"
		"\"Collective name\":\"all_to_allv\",\"dtype\":\"BFloat16\",\"In msg nelems\":10,"
		"\"Out msg nelems\":12,\"Group size\":2,\"Process Group Name\":\"3\","
		"\"Process Group Description\":\"EXPERT_MODEL_PARALLEL_GROUP\","
		"\"Process Group Ranks\":\"[0, 4]\",\"Seq\":17,"
		"\"In split size\":\"[4, 6]\",\"Out split size\":\"[5, 7]\"}},"
		"{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernelExC\",\"pid\":1,"
		"\"tid\":1,\"ts\":2,\"dur\":3,\"args\":{\"correlation\":8,\"External id\":5}}," KERNEL(
			"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "20", "6", "5",
			",\"correlation\":8,\"External id\":5") "," KERNEL("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
			"20", "16", "5",
			",\"Collective name\":\"send\",\"dtype\":\"Float\",\"In msg nelems\":4,"
			"\"Process Group Name\":\"0\",\"Dst Rank\":3,\"Src Rank\":-1,\"Seq\":-1,"
			"\"In split size\":\"[1, 2, ..., 9]\",\"Out split size\":\"[]\"") "]}";
	struct gathered g;
	const struct coll_kind *k;

	(void)state;
	gather(&g, text, NULL);
	assert_int_equal(g.c->n, 2);
	assert_true(g.c->has_epoch);
	assert_int_equal(g.c->v[0].start, INT64_C(1700000000000006000));
	k = &g.c->kind[g.c->v[0].kind];
	assert_int_equal(k->op, COMM_ALL_TO_ALL);
	assert_true(is(k->group, "3"));
	assert_true(is(k->desc, "EXPERT_MODEL_PARALLEL_GROUP"));
	assert_true(is(k->ranks, "[0, 4]"));
	assert_true(is(k->dtype, "BFloat16"));
	assert_int_equal(k->bytes, 20);
	assert_int_equal(k->nrank, 2);
	assert_int_equal(g.c->v[0].seq, 17);
	assert_int_equal(g.c->v[0].split, 1);
	assert_int_equal(g.c->split[0].nin, 2);
	assert_int_equal(g.c->split[0].in[1], 6);
	assert_int_equal(g.c->split[0].out[0], 5);
	k = &g.c->kind[g.c->v[1].kind];
	assert_int_equal(k->op, COMM_SEND);
	assert_int_equal(k->dst, 3);
	assert_int_equal(k->src, ARG_UNKNOWN);
	assert_int_equal(g.c->v[1].seq, ARG_UNKNOWN);
	/* A list that Kineto cut is no split. */
	assert_int_equal(g.c->v[1].split, 0);
	release(&g);
}

/* Nobody else pays: without the option the arguments are not kept, and there are none. */
static void test_not_asked_for(void **state)
{
	const struct filter filter = { 0 };
	const struct digest_options o = { .filter = &filter };
	const struct loading how = { .needs = digest_needs(&o) };
	struct loaded l;
	struct digest *d;

	(void)state;
	assert_int_equal(digest_needs(&o) & (NEED_COMM | NEED_PEERS), 0);
	loading_run(&l, span_of(two_streams), &how);
	assert_int_equal(l.status, OK);
	assert_false(args_keeps(&l.run.args, ARG_DEVICE_SEQ));
	assert_int_equal(digest_new(&d, &l.run, &o, &l.err), OK);
	assert_null(d->collectives);
	digest_free(d);
	loading_release(&l);
}

static void test_no_collectives(void **state)
{
	struct gathered g;

	(void)state;
	gather(&g, "{\"traceEvents\":[" KERNEL("gemm", "7", "10", "20", "") "]}", NULL);
	assert_int_equal(g.c->n, 0);
	assert_int_equal(g.c->npiece, 0);
	release(&g);
}

static bool has_trace(const char *folder, const char *name)
{
	SCOPED_STR path = { 0 };
	bool is_there;

	str_addf(&path, "%s/traces/%s.json.gz", folder, name);
	is_there = access(path.s, R_OK) == 0;
	return is_there;
}

static struct digest *read_trace(const char *folder, const char *name)
{
	const struct filter filter = { 0 };
	const struct digest_options o = { .filter = &filter, .collectives = true };
	const struct load_options how = { .needs = digest_needs(&o), .threads = 1 };
	SCOPED_STR path = { 0 };
	struct digest *d;
	struct run run;
	struct err e;

	err_clear(&e);
	str_addf(&path, "%s/traces/%s.json.gz", folder, name);
	assert_int_equal(load_path(path.s, &how, &run, &e), OK);
	assert_int_equal(digest_new(&d, &run, &o, &e), OK);
	run_clear(&run);
	return d;
}

/* Two ranks of 128 whose traces are samples: of ten SendRecv kernels each, which say nothing of
 * what they are, five end together (within 0.4 ms, where they are 100 ms apart); the other ten have
 * nothing within 28 ms. */
static void test_real_samples(void **state)
{
	const char *shared = getenv("SHARED");
	struct digest *rank[2];
	SCOPED_ARENA mem = { 0 };
	struct job j;
	size_t i;

	(void)state;
	if (!shared || !has_trace(shared, "hta_timeline_rank0"))
		skip();
	rank[0] = read_trace(shared, "hta_timeline_rank0");
	rank[1] = read_trace(shared, "hta_trace_filter_rank1");
	job_init_ranks(&j, (const struct digest *const[]){ rank[0], rank[1] }, 2, &mem);
	assert_int_equal(j.ncollective, 20);
	assert_int_equal(j.nmatched, 10);
	assert_int_equal(j.nmeet, 5);
	assert_int_equal(j.nisland, 1);
	/* They are of one machine: their clocks are the same. */
	assert_true(fabs(j.rank[1].clock.offset) <= j.rank[1].clock.offset_error);
	for (i = 0; i < j.nmeet; i++) {
		const struct job_arrival *a = j.meet[i].arrival;
		const struct collective *x = &rank[0]->collectives->v[a[0].collective];
		const struct collective *y = &rank[1]->collectives->v[a[1].collective];
		nsec apart = x->start + x->dur - y->start - y->dur;

		assert_true(apart <= 400000 && apart >= -400000);
		assert_int_equal(x->lane, y->lane);
	}
	digest_free(rank[0]);
	digest_free(rank[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_grid),
		cmocka_unit_test(test_many_pieces),
		cmocka_unit_test(test_less_than_a_unit),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_not_asked_for),
		cmocka_unit_test(test_no_collectives),
		cmocka_unit_test(test_real_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
