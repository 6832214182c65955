/* Launch statistics: delays by links, queues by merging the starts of calls and of their work. */
#include "analyze/measure/device/launchstat.h"

#include "analyze/stat/stats.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/words.h"

static WORDS(launch_delay_word, enum launch_delay, LAUNCH_DELAYS, 2)

	nsec launch_delay_of(const struct run *r, uint32_t row, enum launch_delay d)
{
	const struct events *ev = &r->events;
	uint32_t call = launch_of_row(r, row);
	nsec from = d == LAUNCH_DELAY_START ? ev->start[call] : events_end(ev, call);
	nsec delay = saturate_sub(ev->start[row], from);

	return d == LAUNCH_DELAY_CLIPPED && delay < 0 ? 0 : delay;
}

const struct launch_work launch_works[LAUNCH_WORKS] = {
	{ "kernel", KIND_BIT(KIND_KERNEL) },
	{ "memcpy", KIND_BIT(KIND_MEMCPY) },
	{ "memset", KIND_BIT(KIND_MEMSET) },
	{ "all", KINDS_DEVICE },
};

struct launch_delays launch_delays_of(
	const struct launch_work *of, enum launch_delay from, nsec *v, size_t n)
{
	struct launch_delays s = { .of = of->word,
		.from = launch_delay_word(from),
		.n = (int64_t)n,
		.min = INT64_MAX,
		.max = INT64_MIN };

	if (n == 0)
		return s;
	for (size_t i = 0; i < n; i++) {
		saturate_onto(&s.sum, v[i]);
		s.min = MIN(v[i], s.min);
		s.max = MAX(v[i], s.max);
		s.negative += v[i] < 0;
	}
	s.mean = (double)s.sum / (double)n;
	s.p95 = stats_quantile(v, n, 0.95);
	s.median = stats_quantile(v, n, 0.5);
	return s;
}

bool launch_is_name(struct span name)
{
	if (span_has(name, "Launch"))
		return !span_has(name, "HostFunc") && !span_has(name, "Attribute");
	return (span_has(name, "Memcpy") || span_has(name, "Memset")) && !span_has(name, "Node");
}

/* When entries come and go, each sorted. */
struct entries {
	nsec *in, *out;
	size_t n, in_cap, out_cap;
	int64_t unlinked, early;
};

ORDER(by_time, nsec, compare3(*a, *b))

static bool is_sorted(const nsec *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i] < v[i - 1])
			return false;
	return true;
}

/* The first row of a call on this lane is its entry's end.  Rows come by their start, so `out` is
 * sorted; `in` is where calls were made in the order in which their work runs. */
static void collect(struct entries *e, const struct run *r, uint32_t lane, uint32_t *scratch)
{
	const struct events *ev = &r->events;
	const struct order *o = r->order;

	for (size_t i = o->device_begin[lane]; i < o->device_begin[lane + 1]; i++) {
		uint32_t row = o->device[i], call = launch_of_row(r, row);

		if (call == NO_ROW) {
			e->unlinked++;
			continue;
		}
		if (scratch[ev->args[call] - 1] == lane + 1)
			continue;
		scratch[ev->args[call] - 1] = lane + 1;
		if (ev->start[row] <= ev->start[call]) {
			e->early++;
			continue;
		}
		e->in = array_grow(e->in, &e->in_cap, e->n + 1, sizeof(*e->in));
		e->out = array_grow(e->out, &e->out_cap, e->n + 1, sizeof(*e->out));
		e->in[e->n] = ev->start[call];
		e->out[e->n++] = ev->start[row];
	}
	if (e->n > 1 && !is_sorted(e->in, e->n))
		qsort(e->in, e->n, sizeof(*e->in), by_time);
}

static void clear(struct entries *e)
{
	FREE_ALL(e->in, e->out);
}

/* At equal times those that go are first: no entry goes when it comes. */
static void walk(const struct entries *e, launch_queue_fn *fn, void *ctx)
{
	size_t in = 0, out = 0;

	while (out < e->n) {
		bool comes = in < e->n && e->in[in] < e->out[out];
		nsec t = comes ? e->in[in++] : e->out[out++];

		fn(ctx, t, (int64_t)(in - out));
	}
}

/* A queue being measured. */
struct measuring {
	struct launch_queue *q;
	size_t ns_cap, points_cap; /* of at_depth, points */
	nsec at;
	int64_t depth;
};

static void make_room(struct measuring *m, int64_t depth)
{
	struct launch_queue *q = m->q;
	size_t need = (size_t)depth + 1;
	size_t have = q->at_depth ? (size_t)q->max + 1 : 0;

	if (need <= have)
		return;
	q->at_depth = array_grow(q->at_depth, &m->ns_cap, need, sizeof(*q->at_depth));
	q->points = array_grow(q->points, &m->points_cap, need, sizeof(*q->points));
	for (size_t i = have; i < need; i++) {
		q->at_depth[i] = 0;
		q->points[i] = 0;
	}
	q->max = depth;
}

static void measure(void *ctx, nsec t, int64_t depth)
{
	struct measuring *m = ctx;

	if (m->q->at_depth)
		saturate_onto(&m->q->at_depth[m->depth], saturate_sub(t, m->at));
	else
		m->q->start = t;
	make_room(m, depth);
	m->q->points[depth]++;
	m->q->end = t;
	m->at = t;
	m->depth = depth;
}

static void sum_up(struct launch_queue *q)
{
	nsec part;

	for (int64_t d = 0; q->at_depth && d <= q->max; d++) {
		if (mul_overflows(q->at_depth[d], d, &part))
			part = INT64_MAX;
		saturate_onto(&q->queued_ns, part);
		if (d > 0)
			saturate_onto(&q->waiting_ns, q->at_depth[d]);
		if (d >= LAUNCH_QUEUE_FULL)
			saturate_onto(&q->blocked_ns, q->at_depth[d]);
	}
}

void launch_queue_init(
	struct launch_queue *q, const struct run *r, uint32_t lane, uint32_t *scratch)
{
	struct measuring m = { .q = q };
	struct entries e = { 0 };

	*q = (struct launch_queue){ 0 };
	collect(&e, r, lane, scratch);
	walk(&e, measure, &m);
	q->entries = (int64_t)e.n;
	q->unlinked = e.unlinked;
	q->early = e.early;
	sum_up(q);
	clear(&e);
}

void launch_queue_clear(struct launch_queue *q)
{
	FREE_ALL(q->at_depth, q->points);
	*q = (struct launch_queue){ 0 };
}

/* The smallest index up to which the sum of v is at least that share of all. */
static int64_t quantile(const int64_t *v, int64_t max, double share)
{
	double all = 0, sum = 0;
	int64_t d;

	for (d = 0; d <= max; d++)
		all += (double)v[d];
	for (d = 0; d < max; d++) {
		sum += (double)v[d];
		if (sum >= share * all)
			break;
	}
	return d;
}

int64_t launch_queue_time_quantile(const struct launch_queue *q, double share)
{
	return q->at_depth ? quantile(q->at_depth, q->max, share) : 0;
}

int64_t launch_queue_point_quantile(const struct launch_queue *q, double share)
{
	return q->points ? quantile(q->points, q->max, share) : 0;
}

void launch_queue_walk(
	const struct run *r, uint32_t lane, uint32_t *scratch, launch_queue_fn *fn, void *ctx)
{
	struct entries e = { 0 };

	collect(&e, r, lane, scratch);
	walk(&e, fn, ctx);
	clear(&e);
}
