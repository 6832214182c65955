/* Partitions of time: a sweep that knows, for each kind, up to when it is active.
 *
 * That is enough: starts never descend, so a kind that is active now was so since the last slice
 * ended.  At an edge of a range the sums so far are subtracted from it (start) or added to it
 * (end). */
#include "analyze/measure/gaps/partition.h"

#include "analyze/trace/run_steps.h"

ORDER(by_time, struct partition_edge, compare3(a->at, b->at), compare3(a->range, b->range))

void partition_edges_init(struct partition_edges *e, const nsec *start, const nsec *end,
	size_t nrange, struct arena *mem)
{
	bool is_sorted = true;

	*e = (struct partition_edges){ .n = 2 * nrange, .nrange = nrange };
	e->v = arena_array(mem, e->n, sizeof(*e->v));
	for (size_t i = 0; i < nrange; i++) {
		e->v[2 * i] = (struct partition_edge){ start[i], (uint32_t)i, false };
		e->v[2 * i + 1] = (struct partition_edge){ end[i], (uint32_t)i, true };
		is_sorted = is_sorted && (i == 0 || end[i - 1] <= start[i]);
	}
	if (!is_sorted)
		qsort(e->v, e->n, sizeof(*e->v), by_time);
}

void partition_edges_of_steps(struct partition_edges *e, const struct steps *s, struct arena *mem)
{
	size_t n = s ? s->n : 0;
	nsec *start = arena_array(mem, n, sizeof(*start)), *end = arena_array(mem, n, sizeof(*end));

	for (size_t i = 0; i < n; i++) {
		start[i] = s->step[i].start;
		end[i] = s->step[i].end;
	}
	partition_edges_init(e, start, end, n, mem);
}

void partition_init(struct partition *p, const struct partition_edges *edges,
	struct partition_sums *range, unsigned nkind, bool is_by_set)
{
	*p = (struct partition){
		.edges = edges, .range = range, .nkind = nkind, .is_by_set = is_by_set
	};
	for (unsigned i = 0; i < nkind; i++)
		p->end[i] = INT64_MIN;
}

/* Of bits that are not 0. */
static unsigned lowest_bit(unsigned bits)
{
	return (unsigned)__builtin_ctz(bits);
}

static void pass_edge(struct partition *p, const struct partition_edge *e)
{
	struct partition_sums *range = &p->range[e->range];

	for (size_t i = 0; i < PARTITION_SLOTS; i++)
		range->ns[i] += e->is_end ? p->sums.ns[i] : -p->sums.ns[i];
}

/* One slice from p->at to `to` with nothing changing in between, edges aside. */
static void pass_slice(struct partition *p, unsigned slot, nsec to)
{
	const struct partition_edges *e = p->edges;

	for (; p->next_edge < e->n && e->v[p->next_edge].at <= to; p->next_edge++) {
		nsec at = e->v[p->next_edge].at;

		if (at > p->at) {
			p->sums.ns[slot] += (uint64_t)at - (uint64_t)p->at;
			p->at = at;
		}
		pass_edge(p, &e->v[p->next_edge]);
	}
	p->sums.ns[slot] += (uint64_t)to - (uint64_t)p->at;
	p->at = to;
}

/* The slot of the time right after p->at; *until: up to when it is surely that, at most `to`. */
static unsigned set_now(const struct partition *p, nsec to, nsec *until)
{
	unsigned set = 0;

	*until = to;
	for (unsigned left = p->active; left; left &= left - 1) {
		unsigned i = lowest_bit(left);

		if (p->end[i] <= p->at)
			continue;
		set |= 1u << i;
		if (p->end[i] < *until)
			*until = p->end[i];
	}
	return set;
}

/* The same where the first kind that is active counts: what stands behind it does not matter. */
static unsigned first_now(struct partition *p, nsec to, nsec *until)
{
	while (p->active && p->end[lowest_bit(p->active)] <= p->at)
		p->active &= p->active - 1;
	unsigned i = p->active ? lowest_bit(p->active) : p->nkind;

	*until = p->active && p->end[i] < to ? p->end[i] : to;
	return i;
}

static void pass_time(struct partition *p, nsec to)
{
	nsec until;

	while (p->at < to) {
		unsigned slot = p->is_by_set ? set_now(p, to, &until) : first_now(p, to, &until);

		pass_slice(p, slot, until);
	}
}

/* Time begins with the first thing there is; edges before it are empty so far. */
static void begin_time(struct partition *p, nsec at)
{
	const struct partition_edges *e = p->edges;

	p->has_begun = true;
	p->at = e->n > 0 && e->v[0].at < at ? e->v[0].at : at;
}

/* Whether time up to `end` is what it is already: of that kind, or of one that counts before it. */
static bool changes_nothing(const struct partition *p, unsigned kind, nsec end)
{
	unsigned before = p->is_by_set ? 1u << kind : (2u << kind) - 1;

	for (unsigned left = p->active & before; left; left &= left - 1)
		if (p->end[lowest_bit(left)] >= end)
			return true;
	return false;
}

void partition_add(struct partition *p, unsigned kind, nsec start, nsec end)
{
	if (UNLIKELY(!p->has_begun))
		begin_time(p, start);
	else if (changes_nothing(p, kind, end))
		return;
	if (start > p->at)
		pass_time(p, start);
	if (end > p->end[kind]) {
		p->end[kind] = end;
		p->active |= 1u << kind;
	}
}

void partition_end(struct partition *p)
{
	const struct partition_edges *e = p->edges;
	nsec last = e->n > 0 ? e->v[e->n - 1].at : INT64_MIN;

	if (!p->has_begun)
		begin_time(p, last);
	for (unsigned i = 0; i < p->nkind; i++)
		if (p->end[i] > last)
			last = p->end[i];
	pass_time(p, last);
	while (p->next_edge < e->n)
		pass_edge(p, &e->v[p->next_edge++]);
}
