/* Contrasts: what was replaced by what.
 *
 * Work that is gone and work that is new are a pair when they are called equally often and either
 * the same op launched both, or both follow the same work that is there on both sides.  Only the
 * largest of each are looked at. */
#include "analyze/compare/contrast.h"

enum { CANDIDATES_MAX = 256 };

struct candidate {
	size_t row, before; /* before: the row ahead of it that both sides have, or SIZE_MAX */
	int64_t ns;
};

ORDER(by_time, struct candidate, compare3(b->ns, a->ns), compare3(a->row, b->row))

static uint32_t places(const struct opsums *o)
{
	uint32_t most = 0;

	for (EACH(const struct opsum, opsum, o->v, o->n))
		most = opsum->place >= most ? opsum->place + 1 : most;
	return most;
}

/* By place of a side: the nearest row ahead that both sides have. */
static size_t *find_before(
	const struct contrast_rows *r, const struct opsums *o, bool is_now, struct arena *mem)
{
	uint32_t n = places(o);
	size_t *at = arena_array(mem, n, sizeof(*at)), last = SIZE_MAX;

	for (uint32_t i = 0; i < n; i++)
		at[i] = SIZE_MAX;
	for (size_t k = 0; k < r->n; k++) {
		const struct opsum *s = is_now ? r->v[k].now : r->v[k].base;

		if (s && r->v[k].base && r->v[k].now)
			at[s->place] = k;
	}
	for (uint32_t i = 0; i < n; i++) {
		size_t own = at[i];

		at[i] = last;
		last = own == SIZE_MAX ? last : own;
	}
	return at;
}

/* The rows of that status that take the most time; *n receives how many. */
static struct candidate *choose(
	const struct contrast_rows *r, enum contrast_status status, struct arena *mem, size_t *n)
{
	bool is_now = status == CONTRAST_NEW;
	const size_t *before = find_before(r, is_now ? &r->now : &r->base, is_now, mem);
	struct candidate *c = arena_array(mem, r->n, sizeof(*c));

	*n = 0;
	for (size_t i = 0; i < r->n; i++) {
		const struct contrast_row *row = &r->v[i];

		if (row->status == status)
			c[(*n)++] = (struct candidate){ i,
				before[is_now ? row->now->place : row->base->place],
				is_now ? row->now_ns : row->base_ns };
	}
	sort_rows(c, *n, sizeof(*c), by_time);
	*n = MIN(*n, CANDIDATES_MAX);
	return c;
}

static bool fits(const struct contrast_rows *r, const struct candidate *gone,
	const struct candidate *new, bool by_op)
{
	const struct contrast_row *a = &r->v[gone->row], *b = &r->v[new->row];

	if (b->partner != SIZE_MAX || a->key.kind != b->key.kind ||
		fabs(a->base_calls - b->now_calls) > 1e-6 * a->base_calls)
		return false;
	if (by_op)
		return a->key.op.n > 0 && span_eq(a->key.op, b->key.op);
	return gone->before == new->before;
}

void contrast_pair(struct contrast_rows *r, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	size_t ngone, nnew, k;
	const struct candidate *gone = choose(r, CONTRAST_REMOVED, mem, &ngone);
	const struct candidate *new = choose(r, CONTRAST_NEW, mem, &nnew);

	for (int by_op = 1; by_op >= 0; by_op--)
		for (EACH(const struct candidate, candidate, gone, ngone)) {
			for (k = 0; k < nnew && !fits(r, candidate, &new[k], by_op); k++)
				;
			if (k == nnew || r->v[candidate->row].partner != SIZE_MAX)
				continue;
			r->v[candidate->row].partner = new[k].row;
			r->v[new[k].row].partner = candidate->row;
		}
	arena_reset(mem, mark);
}
