/* Packed spans. */
#include "edit/spans.h"

#include "analyze/input/format/proto/wire.h"
#include "edit/out/pb.h"

enum { PIECE = 8192, HAS_CALL = 4 };

struct spans_cursor {
	const char *p, *end;
	uint64_t call;      /* the last one said */
	struct spanned now; /* the next that is given out */
};

int spans_by_time(const void *pa, const void *pb)
{
	const struct spanned *a = pa, *b = pb;

	return COMPARE_BY(compare3(a->start, b->start),
		compare3(a->what == SPAN_POINT, b->what == SPAN_POINT),
		compare3_down(a->dur, b->dur), compare3(a->offset, b->offset));
}

/* ---- packing ---- */

/* Differences wrap around, and come back the same way. */
static uint64_t zigzag(uint64_t from, uint64_t to)
{
	int64_t d = (int64_t)(to - from);

	return (uint64_t)d << 1 ^ (uint64_t)(d >> 63);
}

static uint64_t unzigzag(uint64_t from, uint64_t z)
{
	return from + (z >> 1 ^ (0 - (z & 1)));
}

/* One span behind another; *call: the last one said. */
static void pack(
	struct str *out, const struct spanned *before, const struct spanned *v, uint64_t *call)
{
	pbw_number(out, (uint64_t)v->start - (uint64_t)before->start);
	pbw_number(out, (uint64_t)v->what | (v->call ? HAS_CALL : 0u));
	pbw_number(out, (uint64_t)v->dur);
	pbw_number(out, zigzag((uint64_t)before->offset, (uint64_t)v->offset));
	if (!v->call)
		return;
	pbw_number(out, zigzag(*call, v->call));
	*call = v->call;
}

void spans_seal(struct spans *s)
{
	struct spanned none = { 0 };
	uint64_t call = 0;

	if (s->nfresh == 0)
		return;
	qsort(s->fresh, s->nfresh, sizeof(*s->fresh), spans_by_time);
	PUSH(s->piece, s->npiece, s->piece_cap, s->packed.n);
	for (size_t i = 0; i < s->nfresh; i++)
		pack(&s->packed, i ? &s->fresh[i - 1] : &none, &s->fresh[i], &call);
	s->nfresh = 0;
}

void spans_add(struct spans *s, const struct spanned *v)
{
	PUSH(s->fresh, s->nfresh, s->fresh_cap, *v);
	if (s->nfresh == PIECE)
		spans_seal(s);
}

void spans_clear(struct spans *s)
{
	FREE_ALL(s->fresh, s->piece);
	str_free(&s->packed);
	*s = (struct spans){ 0 };
}

/* ---- reading ---- */

/* Of what pack made. */
static uint64_t take(struct spans_cursor *c)
{
	uint64_t v = 0;

	c->p = wire_varint(c->p, c->end, &v);
	return v;
}

static bool unpack(struct spans_cursor *c)
{
	struct spanned *v = &c->now;

	if (c->p >= c->end)
		return false;
	v->start = (nsec)((uint64_t)v->start + take(c));
	uint64_t bits = take(c);
	v->what = (enum span_what)(bits & ~(uint64_t)HAS_CALL);
	v->dur = (nsec)take(c);
	v->offset = (int64_t)unzigzag((uint64_t)v->offset, take(c));
	if (bits & HAS_CALL)
		c->call = unzigzag(c->call, take(c));
	v->call = bits & HAS_CALL ? c->call : 0;
	return true;
}

/* The heap's i-th sinks to its place. */
static void sink(struct spans_reader *r, size_t i)
{
	struct spans_cursor moved = r->cursor[i];
	size_t child;

	while ((child = 2 * i + 1) < r->n) {
		if (child + 1 < r->n &&
			spans_by_time(&r->cursor[child + 1].now, &r->cursor[child].now) < 0)
			child++;
		if (spans_by_time(&r->cursor[child].now, &moved.now) >= 0)
			break;
		r->cursor[i] = r->cursor[child];
		i = child;
	}
	r->cursor[i] = moved;
}

void spans_read(struct spans_reader *r, const struct spans *const *of, size_t n)
{
	size_t npiece = SUM(size_t, i, n, of[i]->npiece);

	r->n = 0;
	r->cursor = xcalloc(npiece + 1, sizeof(*r->cursor));
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < of[i]->npiece; k++) {
			const char *p = of[i]->packed.s;
			struct spans_cursor *c = &r->cursor[r->n++];

			c->p = p + of[i]->piece[k];
			c->end =
				p + (k + 1 < of[i]->npiece ? of[i]->piece[k + 1] : of[i]->packed.n);
			c->now.lane = (uint32_t)i;
			(void)unpack(c);
		}
	for (size_t i = r->n; i > 0; i--)
		sink(r, i - 1);
}

bool spans_next(struct spans_reader *r, struct spanned *v)
{
	if (r->n == 0)
		return false;
	*v = r->cursor[0].now;
	if (!unpack(&r->cursor[0]))
		r->cursor[0] = r->cursor[--r->n];
	if (r->n)
		sink(r, 0);
	return true;
}

void spans_read_end(struct spans_reader *r)
{
	free(r->cursor);
	*r = (struct spans_reader){ 0 };
}
