/* Flows: sorted, summed up, and held against their peers. */
#include "analyze/job/jobflows.h"

#include "analyze/stat/quantile.h"
#include "analyze/trace/columns/args.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

static const double slow_ratio = 1.2;
static const double together = 0.1; /* of how much longer one transfer is than another: ends that
                                       lie within this are one */
enum { SLOW_MEETS_MIN = 3 };

/* A meet of a flow. */
struct entry {
	nsec transfer;
	const struct collective_instance *meet;
};

bool job_is_pair(enum comm_op op)
{
	return op == COMM_SEND || op == COMM_RECV || op == COMM_SEND_RECV;
}

static const struct coll_kind *kind_of(const struct job *j, const struct job_arrival *a)
{
	const struct collectives *c = j->rank[a->rank].digest->collectives;

	return &c->kind[c->v[a->collective].kind];
}

/* Whether a rank says how many elements go to each. */
static bool has_parts(const struct job *j, const struct collective_instance *m)
{
	for (EACH(const struct job_arrival, a, m->arrival, m->n)) {
		if (job_collective(j, a)->split)
			return true;
	}
	return false;
}

/* Whether one of the two says that it sends or receives: send_recv may be anything. */
static bool is_directed(const struct job *j, const struct collective_instance *m)
{
	enum comm_op a = kind_of(j, &m->arrival[0])->op, b = kind_of(j, &m->arrival[1])->op;

	return a == COMM_SEND || a == COMM_RECV || b == COMM_SEND || b == COMM_RECV;
}

struct job_flow_key job_flow_key(const struct job *j, const struct collective_instance *m)
{
	struct job_flow_key k = { .group = m->group,
		.a = UINT32_MAX,
		.b = UINT32_MAX,
		.op = m->op,
		.bytes = m->bytes,
		.dtype = m->dtype };

	if (m->n == 2 && is_directed(j, m)) {
		bool turned = kind_of(j, &m->arrival[0])->op == COMM_RECV ||
			kind_of(j, &m->arrival[1])->op == COMM_SEND;

		k.op = COMM_SEND;
		k.a = m->arrival[turned].rank;
		k.b = m->arrival[!turned].rank;
	} else if (m->n == 1 && m->op == COMM_SEND) {
		uint32_t there = m->arrival[0].rank, absent = (uint32_t)j->nrank + m->absent - 1;
		bool sends = kind_of(j, &m->arrival[0])->op == COMM_SEND;

		k.a = sends ? there : absent;
		k.b = sends ? absent : there;
	}
	if (m->op == COMM_ALL_TO_ALL && has_parts(j, m))
		k.bytes = ARG_UNKNOWN;
	return k;
}

/* What flows of two groups have in common. */
static int compare_sort(const struct job_flow_key *a, const struct job_flow_key *b)
{
	return COMPARE_BY(
		compare3(a->op, b->op), compare3(a->bytes, b->bytes), span_cmp(a->dtype, b->dtype));
}

static int compare_flow(const struct job_flow_key *a, const struct job_flow_key *b)
{
	return COMPARE_BY(compare3(a->group, b->group), compare_sort(a, b), compare3(a->a, b->a),
		compare3(a->b, b->b));
}

ORDER(by_transfer, struct entry, compare3(a->transfer, b->transfer), compare3(a->meet, b->meet))

static void add(struct job_flow *f, const struct job *j, const struct collective_instance *m)
{
	f->n = MAX(m->n, f->n);
	f->lacks |= m->absent > 0;
	f->size = MAX(f->size, m->n);
	if (m->absent)
		f->size = MAX(f->size, job_is_pair(m->op) ? 2 : j->group[m->group].nrank);
	f->count++;
	f->nwhole += m->is_whole;
	saturate_onto(&f->skew, m->skew);
	f->skew_max = MAX(m->skew, f->skew_max);
	if (m->is_clocked) {
		saturate_onto(&f->end_skew, m->end_skew);
		f->nclocked++;
	}
	saturate_onto(&f->transfer, m->transfer);
	if (m->bytes >= 0) {
		f->nsized++;
		f->bytes += (double)m->bytes;
		saturate_onto(&f->sized, m->transfer);
	}
	for (uint32_t i = 0; i < m->n; i++) {
		saturate_onto(&f->waits, m->arrival[i].wait);
		saturate_onto(&f->exposed, m->arrival[i].exposed_wait);
	}
}

/* A flow of entries, which become sorted by transfer. */
static void fill(
	struct job_flow *f, const struct job *j, struct entry *e, size_t n, double *scratch)
{
	sort_rows(e, n, sizeof(*e), by_transfer);
	for (size_t i = 0; i < n; i++) {
		add(f, j, e[i].meet);
		scratch[i] = (double)e[i].transfer;
	}
	f->transfer_min = e->transfer;
	f->low = quantile_sorted(scratch, n, 0.25);
	f->median = quantile_sorted(scratch, n, 0.5);
	f->high = quantile_sorted(scratch, n, 0.75);
	f->peers = f->peers_high = NAN;
}

static int by_sort(const void *pa, const void *pb)
{
	const struct job_flow *a = *(const struct job_flow *const *)pa;
	const struct job_flow *b = *(const struct job_flow *const *)pb;

	return COMPARE_BY(
		compare_sort(&a->key, &b->key), compare3(a->size, b->size), compare3(a, b));
}

static void judge(struct job_flow *f)
{
	double more = f->median - f->peers;

	f->is_slow = !f->lacks && f->n > 1 && f->count >= SLOW_MEETS_MIN &&
		f->median >= slow_ratio * f->peers && f->low > f->peers_high;
	if (f->is_slow)
		f->excess = saturate_whole(more * (double)f->count);
}

/* A meet of a flow, and when it ends, in the reference's time. */
struct ending {
	nsec at, transfer;
	const struct job_flow *flow;
};

ORDER(by_end, struct ending, compare3(a->at, b->at), compare3(a->flow, b->flow))

/* Another group, whose transfer was shorter by half of that at least, ended with it. */
static bool has_company(const struct ending *v, size_t n, const struct ending *of, double more)
{
	nsec reach = saturate_whole(together * (double)of->transfer);
	size_t i = PARTITION_POINT(k, 0, n, v[k].at < saturate_sub(of->at, reach));

	for (; i < n && v[i].at <= saturate_add(of->at, reach); i++) {
		double longer = (double)saturate_sub(of->transfer, v[i].transfer);

		if (v[i].flow->key.group != of->flow->key.group && longer >= more / 2 &&
			fabs((double)saturate_sub(v[i].at, of->at)) <= together * longer)
			return true;
	}
	return false;
}

/* Groups that end together wait for each other, whatever their names say: who takes longer came
 * sooner, and its link is not slow.  The flows are peers; of: by flow of f its first entry. */
static void forgive(struct job_flow **v, size_t n, const struct job_flows *f, const struct entry *e,
	const size_t *of, struct arena *mem)
{
	size_t count = 0, end = 0, nslow = SUM(size_t, i, n, v[i]->is_slow);

	for (size_t i = 0; i < n && nslow > 0; i++)
		count += v[i]->nclocked;
	if (count == 0)
		return;
	struct ending *all = arena_array(mem, count, sizeof(*all));
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < v[i]->count; k++) {
			const struct collective_instance *m = e[of[v[i] - f->v] + k].meet;

			if (!m->is_clocked)
				continue;
			all[end] = (struct ending){ m->arrival[0].end, m->transfer, v[i] };
			for (uint32_t a = 1; a < m->n; a++)
				all[end].at = MAX(m->arrival[a].end, all[end].at);
			end++;
		}
	sort_rows(all, count, sizeof(*all), by_end);
	for (size_t i = 0; i < n; i++) {
		struct job_flow *slow = v[i];
		size_t hits = 0;

		for (size_t k = 0; k < count && slow->is_slow; k++)
			hits += all[k].flow == slow &&
				has_company(all, count, &all[k], slow->median - slow->peers);
		slow->is_slow = slow->is_slow && 2 * hits < slow->count;
		slow->excess = slow->is_slow ? slow->excess : 0;
	}
}

/* Peers lie side by side. */
static void compare_peers(struct job_flow **f, size_t n, double *median, double *high)
{
	for (size_t i = 0; i < n; i++) {
		median[i] = f[i]->median;
		high[i] = f[i]->high;
	}
	quantile_sort(median, n);
	quantile_sort(high, n);
	for (size_t i = 0; i < n && n > 1; i++) {
		f[i]->npeer = n - 1;
		f[i]->peers = quantile_median_but(median, n, f[i]->median);
		f[i]->peers_high = quantile_median_but(high, n, f[i]->high);
		judge(f[i]);
	}
}

static void find_peers(struct job_flows *f, const struct entry *e, struct arena *mem)
{
	size_t *of = arena_array(mem, f->n, sizeof(*of));
	struct job_flow **order = arena_array(mem, f->n, sizeof(struct job_flow *));
	double *median = arena_array(mem, 2 * f->n, sizeof(*median));
	size_t k;

	for (size_t i = 0; i < f->n; i++) {
		order[i] = &f->v[i];
		of[i] = i > 0 ? of[i - 1] + f->v[i - 1].count : 0;
	}
	sort_rows(order, f->n, sizeof(*order), by_sort);
	for (size_t i = 0; i < f->n; i = k) {
		for (k = i + 1; k < f->n && compare_sort(&order[i]->key, &order[k]->key) == 0 &&
			order[i]->size == order[k]->size;
			k++)
			;
		compare_peers(order + i, k - i, median, median + f->n);
		forgive(order + i, k - i, f, e, of, mem);
	}
}

/* A key of flows as bytes. */
struct flow_bytes {
	uint32_t group, a, b, op;
	int64_t bytes;
	uint64_t dtype;
};

/* A flow as it was first seen. */
struct seen {
	struct job_flow_key key;
	size_t n;           /* its meets */
	struct entry *next; /* where the next one goes */
};

ORDER(by_flow, struct seen *const, compare_flow(&(*a)->key, &(*b)->key))

/* The flow of each meet, as its place in *seen, of which there are *n. */
static uint32_t *number_flows(const struct job *j, struct seen **seen, size_t *n, struct arena *mem)
{
	uint32_t *of = arena_array(mem, j->nmeet, sizeof(*of));
	struct strings dtypes;
	struct keymap flows;
	size_t cap = 0;

	strings_init(&dtypes, 0);
	keymap_init(&flows, sizeof(struct flow_bytes));
	for (size_t i = 0; i < j->nmeet; i++) {
		const struct job_flow_key k = job_flow_key(j, &j->meet[i]);
		const struct flow_bytes bytes = { k.group, k.a, k.b, (uint32_t)k.op, k.bytes,
			strings_intern(&dtypes, k.dtype) };

		of[i] = keymap_add(&flows, &bytes);
		if (of[i] == *n)
			ARENA_PUSH(mem, *seen, *n, cap, (struct seen){ .key = k });
	}
	keymap_clear(&flows);
	strings_clear(&dtypes);
	return of;
}

void job_flows_init(struct job_flows *f, const struct job *j, struct arena *mem)
{
	struct entry *e = arena_array(mem, j->nmeet, sizeof(*e)), *at = e;
	double *scratch = arena_array(mem, j->nmeet, sizeof(*scratch));
	struct seen *seen = NULL;

	*f = (struct job_flows){ 0 };
	const uint32_t *of = number_flows(j, &seen, &f->n, mem);
	if (!seen)
		return;
	struct seen **order = arena_array(mem, f->n, sizeof(struct seen *));
	f->v = arena_array(mem, f->n, sizeof(*f->v));
	for (size_t i = 0; i < f->n; i++)
		order[i] = &seen[i];
	for (size_t i = 0; i < j->nmeet; i++)
		seen[of[i]].n++;
	sort_rows(order, f->n, sizeof(*order), by_flow);
	for (size_t i = 0; i < f->n; at += order[i++]->n)
		order[i]->next = at;
	for (size_t i = 0; i < j->nmeet; i++)
		*seen[of[i]].next++ = (struct entry){ j->meet[i].transfer, &j->meet[i] };
	for (size_t i = 0; i < f->n; i++) {
		f->v[i].key = order[i]->key;
		fill(&f->v[i], j, order[i]->next - order[i]->n, order[i]->n, scratch);
	}
	find_peers(f, e, mem);
}
