/* More to do, or the same slower: the kernels of a rank against those of its median peer.
 *
 * Rows of both are matched by name and op, and below that by input shapes where both have them.
 * What one alone has, and what is called more often, is more work; what takes longer though it is
 * the same is a slower device. */
#include "analyze/job/waits/jobwhy_parts.h"
#include "analyze/trace/commname.h"
#include "analyze/stat/quantile.h"
#include "base/base.h"

enum { INPUTS = 8 }; /* of an op that are looked at */

/* What the two have more and less of, ns and calls of a step. */
struct balance {
	double same, peer_same;  /* the same kernels with the same shapes: times of the rank's calls
	                          */
	double slower;           /* what durations of the same explain */
	double more;             /* what other calls explain */
	double shaped;           /* what other shapes explain */
	double weight, elements; /* of kernels with other shapes: time, and ratios of elements x
	                            time */
	double top_gain;
	struct why_kernels *k;
};

/* The shapes of one kernel that only one of the two has. */
struct odd {
	double calls, ns;
	double elements[INPUTS]; /* sums over the calls, by input */
};

static bool computes(const struct digest_op *op)
{
	if (op->kind != KIND_KERNEL || op->calls == 0)
		return false;
	switch (commname_of(op->name)) {
	case COMMNAME_COMM: return false;
	case COMMNAME_COMPUTE: return true;
	default: return !commname_is_op(op->op) && !commname_is_record(op->op);
	}
}

/* Adds the elements of each input of "[[4096, 1024], [], [1024]]", so many calls. */
static void add_elements(double *to, struct span dims, double calls)
{
	double product = 1, v = 0;
	size_t depth = 0, input = 0;
	bool has_number = false, has_any = false;

	for (size_t i = 0; i < dims.n && input < INPUTS; i++) {
		char c = dims.p[i];

		if (c >= '0' && c <= '9') {
			v = 10 * v + (c - '0');
			has_number = has_any = true;
			continue;
		}
		if (has_number)
			product *= v;
		v = 0;
		has_number = false;
		if (c != '[' && c != ']')
			continue;
		if (has_any)
			to[input] += product * calls;
		product = 1;
		has_any = false;
		depth += c == '[';
		input += c == ']' && depth == 2;
		depth -= c == ']' && depth > 0;
	}
}

/* So many calls that take so long on the rank, so many on its peer, of the same work. */
static void add_same(struct balance *b, double calls, double ns, double peer_calls, double peer_ns)
{
	double each = peer_ns / peer_calls;

	b->same += ns;
	b->peer_same += each * calls;
	b->slower += ns - each * calls;
	b->more += (calls - peer_calls) * each;
}

static void add_odd(struct odd *o, const struct digest_shape *s, double n)
{
	o->calls += (double)s->calls / n;
	o->ns += (double)s->ns / n;
	add_elements(o->elements, s->dims, (double)s->calls / n);
}

/* How many times the elements of a call its input that grew most has. */
static double growth(const struct odd *own, const struct odd *peer)
{
	double most = 0;

	for (int i = 0; i < INPUTS; i++) {
		double ratio =
			ratio_of(own->elements[i] / own->calls, peer->elements[i] / peer->calls);

		most = MAX(ratio, most);
	}
	return most;
}

/* Shapes that differ: work grows as the elements, as their square at most; what is beyond that is
 * slowness. */
static void settle(struct balance *b, const struct odd *own, const struct odd *peer)
{
	if (own->calls <= 0 || peer->calls <= 0) {
		b->more += own->ns - peer->ns;
		return;
	}
	double each = peer->ns / peer->calls;
	b->more += (own->calls - peer->calls) * each;
	double gain = own->ns - each * own->calls;
	double ratio = growth(own, peer);
	double most = (ratio * ratio - 1) * each * own->calls;
	if (gain > 0 && most < gain) {
		b->slower += gain - fmax(most, 0);
		gain = fmax(most, 0);
	}
	b->shaped += gain;
	b->weight += each * own->calls;
	b->elements += ratio * each * own->calls;
}

static void add_shapes(struct balance *b, const struct digest_op *own, double n,
	const struct digest_op *peer, double m)
{
	struct odd only = { 0 }, peer_only = { 0 };
	size_t i = 0, k = 0;

	while (i < own->nshape || k < peer->nshape) {
		const struct digest_shape *s = &own->shape[i], *t = &peer->shape[k];
		int c = i == own->nshape ? 1 : k == peer->nshape ? -1 : span_cmp(s->dims, t->dims);

		if (c == 0)
			add_same(b, (double)s->calls / n, (double)s->ns / n, (double)t->calls / m,
				(double)t->ns / m);
		else if (c < 0)
			add_odd(&only, s, n);
		else
			add_odd(&peer_only, t, m);
		i += c <= 0;
		k += c >= 0;
	}
	settle(b, &only, &peer_only);
}

/* A kernel of one or both; NULL: that one has it not. */
static void add_row(struct balance *b, const struct digest_op *own, double n,
	const struct digest_op *peer, double m)
{
	double ns = own ? (double)own->ns / n : 0, peer_ns = peer ? (double)peer->ns / m : 0;

	b->k->calls += own ? (double)own->calls / n : 0;
	b->k->peer_calls += peer ? (double)peer->calls / m : 0;
	if (own && ns - peer_ns > b->top_gain) {
		b->top_gain = ns - peer_ns;
		b->k->top = own;
	}
	if (!own || !peer)
		b->more += ns - peer_ns;
	else if (own->nshape > 0 && peer->nshape > 0)
		add_shapes(b, own, n, peer, m);
	else
		add_same(b, (double)own->calls / n, ns, (double)peer->calls / m, peer_ns);
}

static void match(struct balance *b, const struct digest *own, const struct digest *peer)
{
	double n = (double)own->nstep, m = (double)peer->nstep;
	size_t i = 0, k = 0;

	while (i < own->device.n || k < peer->device.n) {
		const struct digest_op *x = &own->device.v[i], *y = &peer->device.v[k];

		if (i < own->device.n && !computes(x)) {
			i++;
			continue;
		}
		if (k < peer->device.n && !computes(y)) {
			k++;
			continue;
		}
		int c = i == own->device.n ? 1 : k == peer->device.n ? -1 : digest_op_compare(x, y);
		add_row(b, c <= 0 ? x : NULL, n, c >= 0 ? y : NULL, m);
		i += c <= 0;
		k += c >= 0;
	}
}

/* The peer whose compute is the middle one. */
static const struct digest *middle_peer(const struct why_work *w, const struct why_slow *s)
{
	const struct job_ledger *l = w->f->ledgers.v;
	uint32_t best = s->peer[0];
	double *v = arena_array(w->mem, s->npeer, sizeof(*v));

	for (size_t i = 0; i < s->npeer; i++)
		v[i] = l[s->peer[i]].part[PART_COMPUTE];
	double middle = quantile_select(v, s->npeer, 0.5);
	for (size_t i = 0; i < s->npeer; i++)
		if (fabs(l[s->peer[i]].part[PART_COMPUTE] - middle) <
			fabs(l[best].part[PART_COMPUTE] - middle))
			best = s->peer[i];
	return w->j->rank[best].digest;
}

void why_kernels(struct why_kernels *k, const struct why_work *w, const struct why_slow *s)
{
	const struct digest *own = w->j->rank[s->rank[0]].digest, *peer = middle_peer(w, s);
	struct balance b = { .k = k };
	struct span gpu = digest_condition(&own->env, "gpu");
	struct span other = digest_condition(&peer->env, "gpu");

	*k = (struct why_kernels){ 0 };
	match(&b, own, peer);
	k->ratio = ratio_of(b.same, b.peer_same);
	k->elements = ratio_of(b.elements, b.weight);
	k->is_work = b.more + b.shaped > b.slower;
	k->by_shape = b.shaped > b.more;
	if (gpu.n > 0 && other.n > 0 && !span_eq(gpu, other)) {
		k->gpu = gpu;
		k->peer_gpu = other;
	}
}
