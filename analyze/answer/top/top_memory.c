/* Memory of CPU ops: allocator records sorted by lane and time, and their running sums.
 *
 * Source: torch/autograd/profiler_util.py, MemRecordsAcc, which gives each record to every call
 * that surrounds it, on whatever thread; ours differs unless asked to be torch's: own thread only,
 * and a record where a call ends is no longer inside. */
#include "analyze/answer/top/top.h"

struct record {
	uint32_t lane, row;
	nsec at;
};

struct top_bytes top_bytes_add(struct top_bytes a, struct top_bytes b)
{
	return (struct top_bytes){ saturate_add(a.cpu, b.cpu), saturate_add(a.device, b.device) };
}

struct top_bytes top_bytes_sub(struct top_bytes a, struct top_bytes b)
{
	return (struct top_bytes){ saturate_sub(a.cpu, b.cpu), saturate_sub(a.device, b.device) };
}

ORDER(compare, struct record, compare3(a->lane, b->lane), compare3(a->at, b->at),
	compare3(a->row, b->row))

static size_t list(struct record *v, const struct run *r, bool is_torch)
{
	const struct events *ev = &r->events;
	size_t n = 0;

	for (size_t i = 0; i < ev->n; i++) {
		if (ev->kind[i] != KIND_MEMORY)
			continue;
		if (v)
			v[n] = (struct record){ is_torch ? 0 : ev->lane[i], (uint32_t)i,
				ev->start[i] };
		n++;
	}
	return n;
}

/* An unknown size counts as none: [OutOfMemory] records have no Bytes. */
static struct top_bytes bytes_of(const struct run *r, uint32_t row)
{
	const int64_t *bytes = r->args.col[ARG_MEMORY_BYTES].i64;
	const int64_t *type = r->args.col[ARG_MEMORY_DEVICE_TYPE].i64;
	struct top_bytes b = { 0, 0 };
	uint32_t args = r->events.args[row];

	if (args == NO_ARGS || !bytes || bytes[args - 1] == ARG_UNKNOWN)
		return b;
	if (type && type[args - 1] != DEVICE_TYPE_CPU && type[args - 1] != ARG_UNKNOWN)
		b.device = bytes[args - 1];
	else
		b.cpu = bytes[args - 1];
	return b;
}

void top_memory_init(struct top_memory *m, const struct run *r, bool is_torch, struct arena *mem)
{
	size_t n = list(NULL, r, is_torch), lane, i;
	struct record *v = arena_array(mem, n, sizeof(*v));

	(void)list(v, r, is_torch);
	sort_rows(v, n, sizeof(*v), compare);
	m->is_torch = is_torch;
	m->at = arena_array(mem, n, sizeof(*m->at));
	m->sum = arena_array(mem, n + 1, sizeof(*m->sum));
	m->begin = arena_array(mem, r->lanes.n + 1, sizeof(*m->begin));
	for (lane = 0, i = 0; lane < r->lanes.n; lane++) {
		m->begin[lane] = i;
		for (; i < n && v[i].lane == lane; i++) {
			m->at[i] = v[i].at;
			m->sum[i + 1] = top_bytes_add(m->sum[i], bytes_of(r, v[i].row));
		}
	}
	m->begin[lane] = i;
}

/* The first record in [lo, hi) that is not before t; with `after`, that is after t. */
static size_t first_at(const struct top_memory *m, size_t lo, size_t hi, nsec t, bool after)
{
	return PARTITION_POINT(i, lo, hi, m->at[i] < t || (after && m->at[i] == t));
}

struct top_bytes top_memory_in(const struct top_memory *m, uint32_t lane, nsec start, nsec end)
{
	size_t lo = m->begin[m->is_torch ? 0 : lane], hi = m->begin[m->is_torch ? 1 : lane + 1];
	size_t from = first_at(m, lo, hi, start, false);

	return top_bytes_sub(m->sum[first_at(m, from, hi, end, m->is_torch)], m->sum[from]);
}
