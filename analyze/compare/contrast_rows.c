/* Contrasts: rows of both sides matched by what they are known by, and split into effects. */
#include "analyze/compare/contrast.h"
#include "analyze/job/digest/digest.h"
#include "base/words.h"

WORDS(contrast_status_word, enum contrast_status, CONTRAST_STATUSES, 2)

bool contrast_has_changed(enum contrast_status s)
{
	switch (s) {
	case CONTRAST_CHANGED:
	case CONTRAST_NEW:
	case CONTRAST_REMOVED:
	case CONTRAST_NEW_KERNEL:
	case CONTRAST_OLD_KERNEL: return true;
	default: return false;
	}
}

static void add_row(struct contrast_rows *r, const struct opsum *base, const struct opsum *now)
{
	struct contrast_row *row = &r->v[r->n];

	/* What only ran outside of the counted steps is no row. */
	if ((!base || base->calls == 0) && (!now || now->calls == 0))
		return;
	*row = (struct contrast_row){ .key = base ? base->key : now->key,
		.base = base,
		.now = now,
		.p = NAN,
		.q = NAN,
		.needed = NAN,
		.partner = SIZE_MAX };
	if (base) {
		row->base_ns = saturate_round(base->step_ns);
		row->base_calls = base->step_calls;
	}
	if (now) {
		row->now_ns = saturate_round(now->step_ns);
		row->now_calls = now->step_calls;
	}
	row->a = attribution_split(row->base_ns, row->base_calls, row->now_ns, row->now_calls);
	saturate_onto(&r->base_sum, row->base_ns);
	saturate_onto(&r->now_sum, row->now_ns);
	saturate_onto(&r->change_sum, llabs(row->a.delta));
	r->n++;
}

static void match(struct contrast_rows *r)
{
	size_t i = 0, k = 0;

	while (i < r->base.n || k < r->now.n) {
		const struct opsum *a = i < r->base.n ? &r->base.v[i] : NULL;
		const struct opsum *b = k < r->now.n ? &r->now.v[k] : NULL;
		int c = !a ? 1 : !b ? -1 : opsum_compare(&a->key, &b->key);

		add_row(r, c <= 0 ? a : NULL, c >= 0 ? b : NULL);
		i += c <= 0;
		k += c >= 0;
	}
}

/* One shape of a row, for sorting. */
struct shape {
	struct span dims;
	struct attribution_shape s;
};

ORDER(by_dims, struct shape, span_cmp(a->dims, b->dims))

static size_t shapes_of(const struct opsum *row)
{
	return SUM(size_t, i, row->nitem, row->item[i].shape ? 0 : row->item[i].op->nshape);
}

static size_t put_shapes(
	struct shape *out, const struct opsums *o, const struct opsum *row, bool is_now)
{
	size_t n = 0;

	for (EACH(const struct opsum_item, item, row->item, row->nitem)) {
		const struct digest_op *op = item->op;
		double weight = o->trace[item->trace].weight;

		for (size_t k = 0; !item->shape && k < op->nshape; k++) {
			double ns = (double)op->shape[k].ns * weight;
			double calls = (double)op->shape[k].calls * weight;

			out[n++] = is_now
				? (struct shape){ op->shape[k].dims, { 0, 0, ns, calls } }
				: (struct shape){ op->shape[k].dims, { ns, calls, 0, 0 } };
		}
	}
	return n;
}

/* How much of by_duration is other shapes. */
static void split_shapes(struct contrast_rows *r, struct contrast_row *row, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	size_t nbase = shapes_of(row->base), nnow = shapes_of(row->now), n, distinct = 0;
	struct shape *v = arena_array(mem, nbase + nnow, sizeof(*v));
	struct attribution_shape *s = arena_array(mem, nbase + nnow, sizeof(*s));

	if (nbase > 0 && nnow > 0) {
		n = put_shapes(v, &r->base, row->base, false);
		n += put_shapes(v + n, &r->now, row->now, true);
		qsort(v, n, sizeof(*v), by_dims);
		for (size_t i = 0; i < n; i++) {
			if (i == 0 || !span_eq(v[i].dims, v[i - 1].dims))
				distinct++;
			s[distinct - 1].base_ns += v[i].s.base_ns;
			s[distinct - 1].base_calls += v[i].s.base_calls;
			s[distinct - 1].now_ns += v[i].s.now_ns;
			s[distinct - 1].now_calls += v[i].s.now_calls;
		}
		row->has_mix = ANY(i, distinct, fabs(s[i].base_calls - s[i].now_calls) > 1e-9);
		if (row->has_mix)
			row->mix = row->a.by_duration - attribution_same_shape(s, distinct);
	}
	arena_reset(mem, mark);
}

void contrast_find_rows(struct contrast *c, struct contrast_rows *r, bool host, enum opsums_by by)
{
	opsums_init(&r->base, c->base, host, by, c->mem);
	opsums_init(&r->now, c->now, host, by, c->mem);
	if (by == OPSUMS_SHAPE)
		opsums_join_shapes(&r->base, &r->now, c->mem);
	r->v = arena_array(c->mem, r->base.n + r->now.n, sizeof(*r->v));
	if (r->base.nstep == 0 || r->now.nstep == 0)
		return;
	match(r);
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].base && r->v[i].now)
			split_shapes(r, &r->v[i], c->mem);
}
