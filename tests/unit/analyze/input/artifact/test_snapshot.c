/* Memory snapshots: what a pickle and JSON of them become at rest, and both cut at every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/load.h"
#include "analyze/trace/memsnap.h"
#include "analyze/trace/columns/record.h"
#include "base/arena.h"
#include "fixtures/artifact_snapshot.c" /* NOLINT(bugprone-suspicious-include) */
#include "tests/unit/loading.h"

/* What the fixture writes, in memory. */
struct out {
	char *p;
	size_t n, cap;
};

char *out_reserve(struct out *o, size_t n)
{
	o->p = array_grow(o->p, &o->cap, o->n + n, 1);
	return o->p + o->n;
}

void out_commit(struct out *o, char *end)
{
	o->n = (size_t)(end - o->p);
}

struct text_file {
	const char *p;
	size_t n;
};

static ssize_t read_text(void *ctx, void *buf, size_t n)
{
	struct text_file *f = ctx;

	n = n < f->n ? n : f->n;
	memcpy(buf, f->p, n);
	f->p += n;
	f->n -= n;
	return (ssize_t)n;
}

static enum status load(const char *text, size_t n, struct run *run, struct err *e)
{
	struct text_file f = { text, n };
	struct load_options o = { .needs = 0, .threads = 1 };

	err_clear(e);
	return load_reader(read_text, &f, "snapshot", &o, run, e);
}

/* Of 11 steps: 5 segments and two of leaks of device 0, one of device 1. */
static void at_rest(void **state)
{
	const struct memsnap_segment *s;
	const struct memsnap *m;
	struct memsnap_frame f;
	struct out o = { 0 };
	struct run run;
	struct err e;

	(void)state;
	artifact_snapshot(&o, 11);
	if (load(o.p, o.n, &run, &e) != OK)
		fail_msg("%s", e.text);
	assert_int_equal(run.record->nsnapshot, 1);
	m = run.record->snapshot[0];
	assert_int_equal(m->nsegment, 8);
	assert_int_equal(m->nblock, 1 + 1 + 10 + 2 + 2 + 2 + 2049 + 2);
	assert_int_equal(m->ntrace, 1);
	assert_int_equal(m->trace[0].n, 11 * 4 + 3 + 2 + 1);
	assert_int_equal(m->nentry, m->trace[0].n);
	assert_int_equal(m->expandable, 0);
	assert_int_equal(m->nother, 0);
	s = &m->segment[0];
	assert_int_equal(s->total, 512 * MIB);
	assert_true(s->is_large && !s->is_expandable);
	assert_int_equal(memsnap_pool(m, s->pool).b, 0);
	assert_int_equal(m->block[s->block].requested, 512 * MIB - 1000);
	assert_int_equal(memsnap_depth(m, m->block[s->block].stack), 2);
	f = memsnap_frame_at(m, m->block[s->block].stack, 1);
	assert_true(span_is(strings_get(&m->names, f.file), "model.py"));
	assert_int_equal(f.line, 10);
	s = &m->segment[7];
	assert_true(s->is_expandable && s->device == 1);
	assert_int_equal(m->action[0], MEMSNAP_ALLOC);
	assert_int_equal(m->addr[0], BASE_B);
	assert_int_equal(m->time_us[1] - m->time_us[0], 1000);
	assert_int_equal(m->action[m->nentry - 1], MEMSNAP_SNAPSHOT);
	/* The same stack is the same number wherever it stands. */
	assert_int_equal(m->stack[4], m->stack[5]);
	run_clear(&run);
	free(o.p);
}

static void ooms_are_read(void **state)
{
	const struct memsnap *m;
	struct out o = { 0 };
	struct run run;
	struct err e;

	(void)state;
	artifact_snapshot_oom(&o, 0);
	assert_int_equal(load(o.p, o.n, &run, &e), OK);
	m = run.record->snapshot[0];
	assert_int_equal(m->action[18], MEMSNAP_OOM);
	assert_int_equal(m->addr[18], GIB / 4);
	assert_int_equal(m->size[18], 3 * GIB / 2);
	run_clear(&run);
	free(o.p);
}

static void check_cut(const char *text, size_t whole)
{
	size_t n;

	for (n = 0; n < whole; n += loading_every()) {
		struct run run;
		struct err e;

		if (load(text, n, &run, &e) == OK) {
			if (run.record && run.record->nsnapshot)
				fail_msg("cut at %zu of %zu: read", n, whole);
			run_clear(&run);
		} else if (e.text[0] == '\0' || e.status == OK) {
			fail_msg("cut at %zu: an error without a word", n);
		}
	}
}

static void cut_pickle(void **state)
{
	struct out o = { 0 };

	(void)state;
	artifact_snapshot_oom(&o, 0);
	check_cut(o.p, o.n);
	free(o.p);
}

static const char json[] =
	"{\"segments\": [{\"device\": 0, \"address\": 512, \"total_size\": 2048, \"stream\": 0, "
	"\"segment_type\": \"small\", \"segment_pool_id\": [0, 3], \"blocks\": [{\"size\": 512, "
	"\"state\": \"active_awaiting_free\"}, {\"size\": -4, \"state\": \"inactive\"}, {\"size\": "
	"1536, \"state\": \"odd\"}]}], \"device_traces\": [[], [{\"action\": \"alloc\", \"addr\": 1, "
	"\"size\": 2, \"frames\": []}, {\"action\": \"alloc\", \"addr\": 1}, {\"action\": \"x\"}]]}";

static void cut_json(void **state)
{
	(void)state;
	check_cut(json, sizeof(json) - 1);
}

/* Older files do not write where blocks are; what has no size is passed over and counted. */
static void damaged(void **state)
{
	const struct memsnap *m;
	struct run run;
	struct err e;

	(void)state;
	assert_int_equal(load(json, sizeof(json) - 1, &run, &e), OK);
	m = run.record->snapshot[0];
	assert_int_equal(m->block[0].address, 512);
	assert_int_equal(m->block[2].address, 1024);
	assert_int_equal(m->block[0].state, MEMSNAP_AWAITING);
	assert_int_equal(m->block[1].size, 0);
	assert_int_equal(m->block[2].state, MEMSNAP_STATE_OTHER);
	assert_int_equal(m->block[0].requested, MEMSNAP_UNKNOWN);
	assert_int_equal(memsnap_pool(m, m->segment[0].pool).b, 3);
	assert_int_equal(m->ntrace, 1);
	assert_int_equal(m->trace[0].device, 1);
	assert_int_equal(m->time_us[0], MEMSNAP_UNKNOWN);
	assert_int_equal(m->action[1], MEMSNAP_OTHER);
	assert_int_equal(m->nother, 1);
	assert_int_equal(run.record->nnote, 2);
	assert_string_equal(run.record->note[0].id, "snapshot_other");
	assert_string_equal(run.record->note[1].id, "snapshot_bad");
	assert_int_equal(run.record->note[1].count, 2);
	run_clear(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_rest),
		cmocka_unit_test(ooms_are_read),
		cmocka_unit_test(cut_pickle),
		cmocka_unit_test(cut_json),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
