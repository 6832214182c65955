/* Small runs at random. */
#include "tests/unit/analyze/depgraph/random_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/gaps/gap_cause.h"
#include "analyze/trace/links/links.h"
#include "tests/unit/loading.h"

int random_upto(struct random_run *d, int n)
{
	return (int)(loading_random(&d->seed) % (uint32_t)n);
}

/* The last call put work on a stream. */
static void add_work(struct random_run *d, nsec from)
{
	int q = random_upto(d, d->nstream), what = random_upto(d, 8);
	nsec start = from + random_upto(d, 12) - (random_upto(d, 20) == 0 ? 3 : 0), end;

	if (start < d->busy_until[q])
		start = d->busy_until[q] + random_upto(d, 4) - (random_upto(d, 12) == 0 ? 3 : 0);
	start = start < 0 ? 0 : start;
	end = start + random_upto(d, 40);
	if (what == 0)
		(void)sketch_copy(&d->s, q, "Memcpy HtoD (Pinned -> Device)", start, end);
	else
		(void)sketch_work(&d->s, q, what < 3 ? COMM : what == 3 ? "K3" : "K", start, end);
	if (end > d->busy_until[q])
		d->busy_until[q] = end;
}

static void add_event(struct random_run *d, int t, nsec from, nsec to)
{
	size_t r = (size_t)random_upto(d, RANDOM_RECORDS);

	if (random_upto(d, 2) == 0 && d->nrecord < RANDOM_RECORDS) {
		(void)sketch_call(&d->s, t, "cudaEventRecord", from, to);
		d->record[d->nrecord].correlation = d->s.correlation;
		d->record[d->nrecord++].stream = random_upto(d, d->nstream);
	} else if (r < d->nrecord) {
		(void)sketch_call(&d->s, t, "cudaStreamWaitEvent", from, to);
		sketch_event(&d->s,
			sketch_sync(&d->s, random_upto(d, d->nstream), "Stream Wait Event", from),
			d->record[r].stream, d->record[r].correlation);
	}
}

static void add_sync(struct random_run *d, int t, nsec from, nsec to)
{
	(void)sketch_call(&d->s, t, "cudaStreamSynchronize", from, to);
	if (random_upto(d, 2) == 0)
		(void)sketch_sync(&d->s, random_upto(d, d->nstream), "Stream Sync", from);
	else if (random_upto(d, 2) == 0)
		(void)sketch_sync(&d->s, -1, "Context Sync", from);
}

static void add_call(struct random_run *d, int t, nsec from, nsec to)
{
	int what = random_upto(d, 10);

	if (what < 5) {
		(void)sketch_call(&d->s, t, "cudaLaunchKernel", from, to);
		add_work(d, from);
	} else if (what == 5) {
		(void)sketch_call(&d->s, t, "cudaGraphLaunch", from, to);
		add_work(d, from);
		add_work(d, from);
		add_work(d, from);
	} else if (what == 6) {
		add_event(d, t, from, to);
	} else if (what == 7) {
		(void)sketch_call(&d->s, t, "cudaMalloc", from, to);
	} else {
		add_sync(d, t, from, to);
	}
}

/* Calls on thread t inside [from, to). */
static void add_calls(struct random_run *d, int t, nsec from, nsec to, int depth)
{
	while (from < to) {
		nsec begin = from + random_upto(d, 9),
		     end = begin + random_upto(d, depth ? 14 : 90);

		if (end > to)
			return;
		if (depth > 0 && random_upto(d, 3) > 0) {
			add_call(d, t, begin, end);
		} else {
			int what = random_upto(d, 6);

			if (what == 0)
				(void)sketch_op(&d->s, t, LOADER, begin, end);
			else if (what == 1)
				(void)sketch_region(&d->s, t, "region", begin, end);
			else
				(void)sketch_op(&d->s, t, what == 2 ? "op3" : "op", begin, end);
			add_calls(d, t, begin, end, depth + 1);
		}
		from = end;
	}
}

static bool is_in_call(const struct random_run *d, uint32_t lane, nsec t, const char *name)
{
	uint32_t v[RANDOM_DEEP];
	size_t n = random_chain(d, lane, t, v);

	while (n-- > 0)
		if (name ? strcmp(random_name(d, v[n]), name) == 0
			 : d->s.run.events.kind[v[n]] != KIND_ANNOTATION)
			return true;
	return false;
}

/* Those that are in calls for more than half of the time in which the main thread waits for data.
 */
static void find_loaders(struct random_run *d)
{
	const struct lanes *lanes = &d->s.run.lanes;
	uint32_t main_lane = gap_causes_main_lane(&d->s.run), lane;

	for (lane = 0; main_lane != NO_ROW && lane < lanes->n; lane++) {
		int waits = 0, works = 0;
		nsec t;

		for (t = 0; t < RANDOM_TICKS * 1000; t += 1000)
			if (is_in_call(d, main_lane, t, LOADER)) {
				waits++;
				works += is_in_call(d, lane, t, NULL);
			}
		if (lane != main_lane && !lanes->lane[lane].is_device && 2 * works > waits)
			d->loaders |= UINT64_C(1) << lane;
	}
}

void random_draw(struct random_run *d, uint64_t seed)
{
	int t;

	*d = (struct random_run){ .seed = seed * 2654435761u + 1 };
	sketch_begin(&d->s);
	d->nthread = 1 + random_upto(d, 3);
	d->nstream = 1 + random_upto(d, 3);
	if (random_upto(d, 3) == 0)
		(void)sketch_region(&d->s, 0, "ProfilerStep#1", 0, RANDOM_TICKS);
	if (random_upto(d, 4) == 0)
		(void)sketch_work(&d->s, 0, "older", 1, 1 + random_upto(d, 30));
	for (t = 0; t < d->nthread; t++)
		add_calls(d, t, random_upto(d, 30), RANDOM_TICKS, 0);
	sketch_made(&d->s);
	find_loaders(d);
}

/* ---- what a thread is in, at a tick ---- */

const char *random_name(const struct random_run *d, uint32_t row)
{
	return strings_get(&d->s.run.strings, d->s.run.events.name[row]).p;
}

static bool covers(const struct random_run *d, uint32_t row, uint32_t lane, nsec t)
{
	const struct events *ev = &d->s.run.events;

	return ev->lane[row] == lane && ev->kind[row] != KIND_SYNC && ev->start[row] <= t &&
		t < ev->start[row] + ev->dur[row];
}

/* a is around b, or before it of those that are alike. */
static bool is_around(const struct random_run *d, uint32_t a, uint32_t b)
{
	const struct events *ev = &d->s.run.events;

	if (ev->start[a] != ev->start[b])
		return ev->start[a] < ev->start[b];
	if (ev->dur[a] != ev->dur[b])
		return ev->dur[a] > ev->dur[b];
	return a < b;
}

size_t random_chain(const struct random_run *d, uint32_t lane, nsec t, uint32_t v[RANDOM_DEEP])
{
	size_t n = 0, i;
	uint32_t row;

	for (row = 0; row < d->s.run.events.n; row++) {
		if (!covers(d, row, lane, t))
			continue;
		assert_true(n < RANDOM_DEEP);
		for (i = n++; i > 0 && is_around(d, row, v[i - 1]); i--)
			v[i] = v[i - 1];
		v[i] = row;
	}
	return n;
}

static bool launches(const struct random_run *d, uint32_t row)
{
	const struct events *ev = &d->s.run.events;
	size_t i;

	for (i = 0; i < ev->n; i++)
		if ((ev->kind[i] == KIND_KERNEL || ev->kind[i] == KIND_MEMCPY) &&
			d->s.run.links->launch[ev->args[i] - 1] == row)
			return true;
	return false;
}

/* A call that begins when what it could wait for is done. */
static bool waits_in_vain(const struct random_run *d, uint32_t row)
{
	uint32_t node = sketch_node(&d->s, row, POINT_RETURN), work, e;

	if (node == NO_NODE || d->s.d.node[node].from[EDGE_PREV] == NO_NODE)
		return false;
	work = d->s.d.node[node].from[EDGE_CAUSE];
	e = d->s.d.node[work].row;
	return d->s.run.events.start[e] + d->s.run.events.dur[e] <= d->s.run.events.start[row];
}

enum owner random_owner(const struct random_run *d, const uint32_t *v, size_t n)
{
	enum owner o = OWNER_NOTHING;
	size_t i;

	for (i = 0; i < n; i++) {
		bool is_call = d->s.run.events.kind[v[i]] == KIND_RUNTIME;

		if (o == OWNER_SYNC)
			return o;
		if (strstr(random_name(d, v[i]), "Synchronize") && !waits_in_vain(d, v[i]))
			o = OWNER_SYNC;
		else if (o == OWNER_DATA || strcmp(random_name(d, v[i]), LOADER) == 0)
			o = OWNER_DATA;
		else if (is_call)
			o = launches(d, v[i]) ? OWNER_LAUNCH : OWNER_RUNTIME;
		else
			o = d->s.run.events.kind[v[i]] == KIND_OP ? OWNER_OP : OWNER_PYTHON;
	}
	return o;
}
