/* What must hold on every trace, tried on every real one there is: SHARED names the folder whose
 * traces/ holds them.  Without it these tests are skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/input/load.h"
#include "analyze/measure/interval.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run_steps.h"
#include "tests/unit/loading.h"

enum { TRACES_MAX = 200, PATH_LENGTH = 512, SMALL_BYTES = 200000 };

static struct {
	char path[TRACES_MAX][PATH_LENGTH];
	size_t n;
} traces;

/* In a gate's run under a sanitizer, the small ones. */
static bool is_taken(const char *path)
{
	struct stat st;

	return loading_every() == 1 || (stat(path, &st) == 0 && st.st_size < SMALL_BYTES);
}

static void list_traces(void)
{
	const char *shared = getenv("SHARED");
	char folder[PATH_LENGTH / 2];
	const struct dirent *e;
	DIR *d;

	(void)snprintf(folder, sizeof(folder), "%s/traces", shared ? shared : "../shared");
	d = opendir(folder);
	while (d && traces.n < TRACES_MAX && (e = readdir(d))) {
		char *path = traces.path[traces.n];

		(void)snprintf(path, PATH_LENGTH, "%s/%.200s", folder, e->d_name);
		traces.n += strstr(e->d_name, ".json") && is_taken(path);
	}
	if (d)
		closedir(d);
}

/* Asks `holds` of each trace; it asserts. */
static void each_trace(unsigned needs, void (*holds)(const struct run *))
{
	const struct load_options o = { .needs = needs };
	size_t i;

	if (traces.n == 0)
		skip();
	for (i = 0; i < traces.n; i++) {
		struct run r;
		struct err e;

		err_clear(&e);
		if (load_path(traces.path[i], &o, &r, &e) != OK)
			fail_msg("%s: %s", traces.path[i], e.text);
		holds(&r);
		run_clear(&r);
	}
}

/* Every lane sorted, every row of the kinds there once. */
static void assert_order(const struct run *r, const uint32_t *row, const size_t *begin, bool device)
{
	uint8_t *seen = calloc(r->events.n + 1, 1);
	size_t want = 0, lane, i;

	for (lane = 0; lane < r->lanes.n; lane++) {
		for (i = begin[lane]; i < begin[lane + 1]; i++) {
			assert_int_equal(r->events.lane[row[i]], lane);
			assert_int_equal(seen[row[i]]++, 0);
			if (i == begin[lane])
				continue;
			assert_true(r->events.start[row[i - 1]] <= r->events.start[row[i]]);
			if (r->events.start[row[i - 1]] == r->events.start[row[i]])
				assert_true(events_end(&r->events, row[i - 1]) >=
					events_end(&r->events, row[i]));
		}
	}
	for (i = 0; i < r->events.n; i++)
		want += device ? kind_is_device((enum kind)r->events.kind[i])
			       : (KIND_BIT(r->events.kind[i]) & KINDS_HOST_TREE) != 0 &&
				!r->lanes.lane[r->events.lane[i]].is_device;
	assert_int_equal(begin[r->lanes.n], want);
	free(seen);
}

static void holds_order(const struct run *r)
{
	assert_order(r, r->order->host, r->order->host_begin, false);
	assert_order(r, r->order->device, r->order->device_begin, true);
}

static void order_is_an_order(void **state)
{
	(void)state;
	each_trace(NEED_ORDER, holds_order);
}

/* linked + graph + unlinked = device events; a launch has its event's correlation id. */
static void holds_links(const struct run *r)
{
	const struct links *l = r->links;
	const struct events *ev = &r->events;
	int64_t device = 0, matched = 0;
	size_t i;

	for (i = 0; i < ev->n; i++) {
		uint32_t side = ev->args[i], launch;

		if (!kind_is_device((enum kind)ev->kind[i]))
			continue;
		device++;
		if (side == NO_ARGS || (launch = l->launch[side - 1]) == NO_ROW)
			continue;
		matched++;
		assert_int_equal(ev->kind[launch], KIND_RUNTIME);
		assert_int_equal(r->args.col[ARG_DEVICE_CORRELATION].id[side - 1],
			r->args.col[ARG_LAUNCH_CORRELATION].id[ev->args[launch] - 1]);
		assert_int_equal(l->op[side - 1], l->op_of_launch[ev->args[launch] - 1]);
	}
	assert_int_equal(l->linked + l->graph, matched);
	assert_int_equal(l->linked + l->graph + l->unlinked, device);
	assert_true(l->by_external_id <= l->unlinked);
	assert_true(l->graph >= 2 * l->graph_launches);
}

static void every_device_event_is_accounted_for(void **state)
{
	(void)state;
	each_trace(NEED_LINKS, holds_links);
}

/* An op around a launch encloses it, on its thread. */
static void holds_ops(const struct run *r)
{
	const struct events *ev = &r->events;
	size_t i;

	for (i = 0; i < ev->n; i++) {
		uint32_t op;

		if (ev->kind[i] != KIND_RUNTIME || ev->args[i] == NO_ARGS)
			continue;
		op = r->links->op_of_launch[ev->args[i] - 1];
		if (op == NO_ROW)
			continue;
		assert_int_equal(ev->lane[op], ev->lane[i]);
		assert_true(ev->start[op] <= ev->start[i]);
		assert_true(events_end(ev, op) >= events_end(ev, i));
	}
}

static void ops_enclose_their_launches(void **state)
{
	(void)state;
	each_trace(NEED_LINKS, holds_ops);
}

/* Sum of durations of a device's events of some kinds. */
static nsec sum_of(const struct run *r, int64_t device, unsigned kinds)
{
	nsec sum = 0;
	size_t i;

	for (i = 0; i < r->events.n; i++)
		if ((KIND_BIT(r->events.kind[i]) & kinds & KINDS_DEVICE) &&
			r->lanes.lane[r->events.lane[i]].device == device)
			sum += r->events.dur[i];
	return sum;
}

static void append(struct intervals *to, const struct intervals *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		intervals_add(to, s->v[i].start, s->v[i].end);
}

/* Per device, with U for unions: |U(all)| <= sum, |U(all)| <= span, and all are the kinds:
 * |U(U(kernels), U(copies), U(sets))| = |U(all)|. */
static void assert_device(const struct run *r, int64_t device)
{
	struct intervals all = { 0 }, kernel = { 0 }, copy = { 0 }, set = { 0 };
	struct intervals joined = { 0 };

	intervals_of_device(&all, r, device, KINDS_DEVICE);
	intervals_of_device(&kernel, r, device, KIND_BIT(KIND_KERNEL));
	intervals_of_device(&copy, r, device, KIND_BIT(KIND_MEMCPY));
	intervals_of_device(&set, r, device, KIND_BIT(KIND_MEMSET));
	append(&joined, &kernel);
	append(&joined, &copy);
	append(&joined, &set);
	intervals_unite(&joined);
	assert_true(intervals_length(&all) <= sum_of(r, device, KINDS_DEVICE));
	assert_true(intervals_length(&kernel) <= sum_of(r, device, KIND_BIT(KIND_KERNEL)));
	assert_int_equal(intervals_length(&joined), intervals_length(&all));
	if (all.n > 0) {
		nsec first = all.v[0].start, last = all.v[all.n - 1].end;

		assert_true(intervals_length(&all) <= last - first);
		assert_int_equal(intervals_within(&all, first, last), intervals_length(&all));
	}
	intervals_clear(&all);
	intervals_clear(&kernel);
	intervals_clear(&copy);
	intervals_clear(&set);
	intervals_clear(&joined);
}

static void holds_devices(const struct run *r)
{
	size_t i;

	for (i = 0; i < r->lanes.n; i++)
		if (r->lanes.lane[i].is_device)
			assert_device(r, r->lanes.lane[i].device);
}

static void unions_and_sums_fit(void **state)
{
	(void)state;
	each_trace(NEED_ORDER, holds_devices);
}

/* Steps are in order; a device event launched inside one counts for it, so the counts add up to the
 * events that have a step; what a device is busy inside the steps is not more than it is at all. */
static void holds_steps(const struct run *r)
{
	const struct steps *s = r->steps;
	const struct events *ev = &r->events;
	int64_t counted = 0, placed = 0;
	struct intervals busy = { 0 };
	nsec inside = 0;
	size_t i;

	for (i = 0; i < ev->n; i++)
		if (kind_is_device((enum kind)ev->kind[i]))
			placed += ev->args[i] != NO_ARGS && s->of_device[ev->args[i] - 1] != NO_ROW;
	for (i = 0; i < s->n; i++) {
		counted += s->step[i].ndevice;
		assert_true(s->step[i].start <= s->step[i].end);
		if (i > 0)
			assert_true(s->step[i - 1].start <= s->step[i].start);
		if (s->step[i].start < s->step[i].end)
			assert_int_equal(steps_at(s, s->step[i].start), i);
	}
	assert_int_equal(counted, placed);
	for (i = 0; i < r->lanes.n && !r->lanes.lane[i].is_device; i++)
		;
	if (i < r->lanes.n)
		intervals_of_device(&busy, r, r->lanes.lane[i].device, KINDS_DEVICE);
	for (i = 0; i < s->n; i++)
		inside += intervals_within(&busy, s->step[i].start, s->step[i].end);
	assert_true(inside <= intervals_length(&busy));
	intervals_clear(&busy);
}

static void steps_add_up(void **state)
{
	(void)state;
	each_trace(NEED_LINKS | NEED_STEPS, holds_steps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_is_an_order),
		cmocka_unit_test(every_device_event_is_accounted_for),
		cmocka_unit_test(ops_enclose_their_launches),
		cmocka_unit_test(unions_and_sums_fit),
		cmocka_unit_test(steps_add_up),
	};

	list_traces();
	if (traces.n == 0)
		(void)fprintf(stderr, "no real traces (SHARED): skipped\n");
	return cmocka_run_group_tests_name("identities", tests, NULL, NULL);
}
