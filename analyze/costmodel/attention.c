/* Attention: the products Q K' and P V for each pair of a query and a key that it sees.  The
 * softmax between them is not counted, it is less by the width of a head.
 *
 * Pairs are counted twice here, so that half of them is a whole number.  A causal mask leaves half
 * of the pairs, N^2 / 2, as all benchmarks of attention count; where there are more keys than
 * queries it is said from where the diagonal begins: torch from the first (top left), flash
 * attention since 2.1 from the last (bottom right).
 *
 * Source: flash-attention, benchmarks/benchmark_flash_attention.py; torch/utils/flop_counter.py. */
#include "analyze/costmodel/formulas.h"
#include "analyze/costmodel/request.h"
#include "base/base.h"

struct heads {
	int64_t batch, heads, kv_heads, nq, nk, width, value_width;
};

static int64_t twice_causal(int64_t nq, int64_t nk, bool is_late)
{
	int64_t all = roof_product(2, nq, nk, 1);

	if (nq <= nk)
		return is_late ? saturate_sub(all, saturate_times(nq, nq)) : saturate_times(nq, nq);
	return is_late ? saturate_times(nk, nk) : saturate_sub(all, saturate_times(nk, nk));
}

/* The sum of i + from over i = 0 .. n - 1, each no less than 0 and no more than max. */
static __int128 sum_between(int64_t n, int64_t from, int64_t max)
{
	__int128 lo = from < 0 ? -(__int128)from : 0, hi = (__int128)max - from;

	lo = MIN(lo, n);
	hi = CLAMP(hi, lo, n);
	return (lo + hi - 1) * (hi - lo) / 2 + (hi - lo) * from + (n - hi) * max;
}

/* Keys from `left` before a query to `right` behind it, counted from the last position. */
static int64_t twice_windowed(int64_t nq, int64_t nk, int64_t left, int64_t right)
{
	const int64_t limit = INT64_C(1) << 30;

	if (nq > limit || nk > limit)
		return ROOF_MANY;
	left = left < 0 || left > limit ? limit : left;
	right = right < 0 || right > limit ? limit : right;
	__int128 n = sum_between(nq, nk - nq + right + 1, nk) - sum_between(nq, nk - nq - left, nk);
	return (int64_t)(2 * n);
}

static bool heads_of(const struct roof_op *op, const struct roof_call *c, struct heads *h)
{
	const struct roof_arg *q = roof_at(op, c, 0), *k = roof_at(op, c, 1),
			      *v = roof_at(op, c, 2);
	int at_n = op->p[3] & ROOF_BNHD ? 1 : 2, at_h = 3 - at_n;

	if (!q || !k || !v || q->shape.n != 4 || k->shape.n != 4 || v->shape.n != 4)
		return false;
	*h = (struct heads){
		.batch = q->shape.dim[0],
		.heads = q->shape.dim[at_h],
		.kv_heads = k->shape.dim[at_h],
		.nq = q->shape.dim[at_n],
		.nk = k->shape.dim[at_n],
		.width = q->shape.dim[3],
		.value_width = v->shape.dim[3],
	};
	return k->shape.dim[0] == h->batch && v->shape.dim[0] == h->batch &&
		k->shape.dim[3] == h->width && v->shape.dim[at_n] == h->nk &&
		v->shape.dim[at_h] == h->kv_heads && h->kv_heads > 0;
}

/* Pairs, twice; -1: whether it is causal is not said. */
static int64_t twice_pairs(
	const struct roof_op *op, const struct roof_call *c, const struct heads *h)
{
	bool is_causal = false;
	int64_t left = -1, right = -1;

	if (op->p[4] >= 0 && !roof_call_bool(c, op->p[4], &is_causal))
		return -1;
	if (op->p[3] & ROOF_WINDOW && roof_call_int(c, op->p[5], &left) && left >= 0) {
		if (!roof_call_int(c, op->p[5] + 1, &right) || is_causal)
			right = is_causal ? 0 : right;
		return twice_windowed(h->nq, h->nk, left, right);
	}
	if (is_causal)
		return twice_causal(h->nq, h->nk, (op->p[3] & ROOF_LATE) != 0);
	return roof_product(2, h->nq, h->nk, 1);
}

static int64_t output_bytes(
	const struct roof_op *op, const struct roof_call *c, const struct heads *h)
{
	return roof_bytes_as(
		roof_product(h->batch, h->nq, h->heads, h->value_width), c->arg[op->p[0]].element);
}

/* q, k and v, and a bias where the op has one. */
static int64_t input_bytes(const struct roof_op *op, const struct roof_call *c)
{
	int64_t n = ROOF_PLUS(roof_bytes_of(c, op->p[0]), roof_bytes_of(c, op->p[1]));

	if (!(op->p[3] & ROOF_WINDOW))
		n = ROOF_PLUS(n, roof_bytes_of(c, op->p[5]));
	return ROOF_PLUS(n, roof_bytes_of(c, op->p[2]));
}

/* Work of known pairs; else why they are not known. */
static struct roof_work pairs_work(const struct roof_call *c, int arg, int64_t twice,
	enum roof_reason why, int64_t flop, int64_t bytes)
{
	struct roof_work w = roof_work_of(c, arg, twice < 0 ? -1 : flop, bytes);

	w.why = twice < 0 ? why : w.why;
	return w;
}

struct roof_work roof_attention(const struct roof_op *op, const struct roof_call *c)
{
	struct heads h;

	if (!heads_of(op, c, &h))
		return roof_unknown(ROOF_WHY_MISFIT);
	int64_t twice = twice_pairs(op, c, &h), wide = saturate_add(h.width, h.value_width);
	return pairs_work(c, op->p[0], twice, ROOF_WHY_NO_VALUES,
		roof_product(h.batch, h.heads, twice, wide),
		ROOF_PLUS(input_bytes(op, c), output_bytes(op, c, &h)));
}

/* dV, dP, dQ and dK; flash attention computes P again, since it did not keep it.  Where several
 * heads share a key, their gradients are added up. */
static int64_t back_flop(
	const struct roof_op *op, const struct heads *h, int64_t twice, int64_t *again)
{
	int64_t each = roof_product(h->batch, h->heads, twice, 1);
	int64_t shared = h->heads / h->kv_heads - 1, wide = saturate_add(h->width, h->value_width);
	int64_t flop = saturate_times(each, saturate_times(2, wide));

	*again = twice < 0 || op->p[3] & ROOF_NOT_AGAIN ? 0 : saturate_times(each, h->width);
	saturate_onto(&flop, *again);
	if (shared > 0)
		saturate_onto(&flop, roof_product(h->batch, h->nk, shared, wide));
	return flop;
}

struct roof_work roof_attention_back(const struct roof_op *op, const struct roof_call *c)
{
	struct heads h;

	if (!heads_of(op, c, &h))
		return roof_unknown(ROOF_WHY_MISFIT);
	int64_t twice = twice_pairs(op, c, &h), in = input_bytes(op, c), again;
	int64_t flop = back_flop(op, &h, twice, &again);
	struct roof_work w = pairs_work(c, op->p[0], twice, ROOF_WHY_NO_VALUES, flop,
		ROOF_PLUS(in, in, output_bytes(op, c, &h)));
	w.again = again;
	return w;
}

/* Sequences one behind the other, T x heads x width.  Their lengths are in a tensor, whose values
 * no trace has.  They are known where there is one, and where the longest times their number is all
 * there are: then all are equally long. */
static bool equal_lengths(const struct roof_call *c, int starts, int longest, int64_t total,
	int64_t *n, int64_t *each)
{
	const struct roof_arg *s = roof_call_tensor(c, starts);

	if (!s || s->shape.n != 1 || s->shape.dim[0] < 2)
		return false;
	*n = s->shape.dim[0] - 1;
	if (*n == 1 && total >= 0)
		*each = total;
	else if (!roof_call_int(c, longest, each))
		return false;
	return total < 0 || saturate_times(*n, *each) == total;
}

static bool packed_heads(const struct roof_op *op, const struct roof_call *c, struct heads *h)
{
	const struct roof_arg *q = roof_at(op, c, 0), *k = roof_at(op, c, 1),
			      *v = roof_at(op, c, 2);

	if (!q || !k || !v || q->shape.n != 3 || k->shape.n < 3 || v->shape.n < 3)
		return false;
	*h = (struct heads){
		.batch = 1,
		.heads = q->shape.dim[1],
		.kv_heads = k->shape.dim[k->shape.n - 2],
		.nq = q->shape.dim[0],
		.nk = k->shape.dim[0],
		.width = q->shape.dim[2],
		.value_width = v->shape.dim[v->shape.n - 1],
	};
	return h->kv_heads > 0 && k->shape.dim[k->shape.n - 1] == h->width;
}

/* What the annotation around the call says, where it speaks of as many tokens. */
static bool request_of(const struct roof_call *c, const struct heads *h, struct roof_request *r)
{
	return roof_request_read(c->about, r) && saturate_add(r->prompt.q, r->decode.q) <= h->nq;
}

/* Prompts see what was before them and, causally, themselves; decoded tokens everything. */
static int64_t request_twice(const struct roof_request *r)
{
	int64_t prompt = saturate_sub(roof_product(2, r->prompt.qk, 1, 1), r->prompt.qq);

	return saturate_add(prompt, roof_product(2, r->decode.qk, 1, 1));
}

static struct roof_work request_work(const struct roof_op *op, const struct roof_call *c,
	const struct heads *h, const struct roof_request *r)
{
	int64_t wide = saturate_add(h->width, h->value_width);
	int64_t q = roof_product(saturate_add(r->prompt.q, r->decode.q), h->heads, wide, 1);
	int64_t k = roof_product(saturate_add(r->prompt.k, r->decode.k), h->kv_heads, wide, 1);

	return roof_work_of(c, op->p[0], roof_product(h->heads, request_twice(r), wide, 1),
		ROOF_PLUS(roof_bytes_as(q, c->arg[op->p[0]].element),
			roof_bytes_as(k, c->arg[op->p[1]].element)));
}

struct roof_work roof_attention_served(const struct roof_op *op, const struct roof_call *c)
{
	struct roof_request r;
	struct heads h;

	if (!packed_heads(op, c, &h))
		return roof_unknown(ROOF_WHY_MISFIT);
	if (request_of(c, &h, &r))
		return request_work(op, c, &h, &r);
	return pairs_work(c, op->p[0], -1, ROOF_WHY_NO_LENGTHS, -1, -1);
}

/* Twice the pairs of equally long sequences; -1: they are not known to be. */
static int64_t twice_varlen(
	const struct roof_op *op, const struct roof_call *c, struct heads *h, bool is_paged)
{
	int64_t n, nk, q, k;
	bool is_causal = false;

	if (op->p[5] >= 0 && !roof_call_bool(c, op->p[5], &is_causal))
		return -1;
	if (!equal_lengths(c, op->p[3], op->p[4], h->nq, &n, &q) ||
		!equal_lengths(c, op->p[3] + 1, op->p[4] + 1, is_paged ? -1 : h->nk, &nk, &k) ||
		n != nk)
		return -1;
	/* Of a cache the longest is known: all are as long where none can be shorter. */
	if (is_paged && (!is_causal || k != q || c->is_replayed))
		return -1;
	h->nk = saturate_times(n, k);
	return saturate_times(n, is_causal ? twice_causal(q, k, true) : roof_product(2, q, k, 1));
}

static int64_t varlen_bytes(
	const struct roof_op *op, const struct roof_call *c, const struct heads *h)
{
	int64_t wide = saturate_add(h->width, h->value_width);
	int64_t q = roof_product(h->nq, h->heads, wide, 1);
	int64_t k = roof_product(h->nk, h->kv_heads, wide, 1);

	return ROOF_PLUS(roof_bytes_as(q, c->arg[op->p[0]].element),
		roof_bytes_as(k, c->arg[op->p[1]].element));
}

static struct roof_work varlen(
	const struct roof_op *op, const struct roof_call *c, bool is_paged, bool is_back)
{
	struct roof_request r;
	struct heads h;

	if (!packed_heads(op, c, &h))
		return roof_unknown(ROOF_WHY_MISFIT);
	int64_t twice = twice_varlen(op, c, &h, is_paged), again = 0;
	if (twice < 0 && !is_back && request_of(c, &h, &r))
		return request_work(op, c, &h, &r);
	int64_t flop = is_back
		? back_flop(op, &h, twice, &again)
		: roof_product(h.heads, twice, saturate_add(h.width, h.value_width), 1);
	int64_t bytes = twice < 0 && is_paged ? -1 : varlen_bytes(op, c, &h);
	struct roof_work w = pairs_work(c, op->p[0], twice, ROOF_WHY_NO_LENGTHS, flop,
		is_back ? ROOF_PLUS(bytes, bytes) : bytes);
	w.again = again;
	return w;
}

struct roof_work roof_attention_varlen(const struct roof_op *op, const struct roof_call *c)
{
	return varlen(op, c, false, false);
}

struct roof_work roof_attention_varlen_back(const struct roof_op *op, const struct roof_call *c)
{
	return varlen(op, c, false, true);
}

struct roof_work roof_attention_paged(const struct roof_op *op, const struct roof_call *c)
{
	return varlen(op, c, true, false);
}
