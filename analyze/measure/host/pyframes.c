/* Python frames: lanes are sorted and nested when they are first asked about. */
#include "analyze/measure/host/pyframes.h"

#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"

static bool counts(const void *ctx, uint32_t row)
{
	const struct events *ev = ctx;

	return ev->kind[row] == KIND_PYTHON && ev->dur[row] >= FUNCTION_MIN_NS;
}

void pyframes_init(struct pyframes *p, const struct run *r, struct arena *mem)
{
	*p = (struct pyframes){ .run = r, .mem = mem };
	if (!(r->args.needs & (NEED_PYTHON | NEED_FUNCTIONS)) || r->kind_count[KIND_PYTHON] == 0)
		return;
	p->row = order_by_lane(r, counts, &r->events, &p->begin, mem);
	size_t n = p->begin[r->lanes.n];
	p->parent = arena_array(mem, n, sizeof(*p->parent));
	p->says = arena_array(mem, n, sizeof(*p->says));
	p->is_ready = arena_array(mem, r->lanes.n, sizeof(*p->is_ready));
}

/* In order, each with the function around it: the last that began before and has not ended. */
static void make_ready(struct pyframes *p, uint32_t lane)
{
	const struct events *ev = &p->run->events;
	size_t begin = p->begin[lane], end = p->begin[lane + 1];
	uint32_t *scratch = zeroed((end - begin) / 2 + 1, sizeof(*scratch)), open = NO_ROW;

	order_sort(p->run, p->row + begin, end - begin, scratch);
	free(scratch);
	for (size_t i = begin; i < end; i++) {
		while (open != NO_ROW && events_end(ev, p->row[open]) <= ev->start[p->row[i]])
			open = p->parent[open];
		p->parent[i] = open;
		open = (uint32_t)i;
	}
	p->is_ready[lane] = 1;
}

void pyframes_of(struct pyframes *p, uint32_t lane, size_t *begin, size_t *end)
{
	*begin = *end = 0;
	if (!p->begin)
		return;
	if (!p->is_ready[lane])
		make_ready(p, lane);
	*begin = p->begin[lane];
	*end = p->begin[lane + 1];
}

uint32_t pyframes_at(struct pyframes *p, uint32_t lane, nsec t, nsec *until)
{
	const struct events *ev = &p->run->events;
	size_t begin, end;

	pyframes_of(p, lane, &begin, &end);
	size_t after = PARTITION_POINT(i, begin, end, ev->start[p->row[i]] <= t);
	if (after < end)
		*until = MIN(ev->start[p->row[after]], *until);
	uint32_t at = after > begin ? (uint32_t)(after - 1) : NO_ROW;
	while (at != NO_ROW && events_end(ev, p->row[at]) <= t)
		at = p->parent[at];
	if (at != NO_ROW)
		*until = MIN(events_end(ev, p->row[at]), *until);
	return at;
}

static nsec overlap(const struct events *ev, uint32_t row, nsec start, nsec end)
{
	nsec from = MAX(ev->start[row], start), to = MIN(events_end(ev, row), end);

	return to > from ? saturate_sub(to, from) : 0;
}

uint32_t pyframes_covering(struct pyframes *p, uint32_t lane, nsec start, nsec end)
{
	nsec len = saturate_sub(end, start), until = INT64_MAX;
	uint32_t at = pyframes_at(p, lane, start + len / 2, &until);

	while (at != NO_ROW && overlap(&p->run->events, p->row[at], start, end) <= len / 2)
		at = p->parent[at];
	return at;
}

void pyframes_put_name(struct str *out, struct span name)
{
	static const char at[] = " at 0x";
	const char *p;

	while ((p = memmem(name.p, name.n, at, sizeof(at) - 1))) {
		str_add(out, name.p, (size_t)(p - name.p));
		name.n -= (size_t)(p - name.p) + sizeof(at) - 1;
		name.p = p + sizeof(at) - 1;
		for (; name.n > 0 && is_hex_digit(*name.p); name.n--)
			name.p++;
	}
	str_add(out, name.p, name.n);
}
