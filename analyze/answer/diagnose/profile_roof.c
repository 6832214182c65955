/* The op that computes longest, and its roof; matrix work that fewer bits would make faster. */
#include "analyze/answer/diagnose/profile.h"

#include "analyze/answer/diagnose/rules.h"

/* Of an op's time, that has to have a roof. */
static const double KNOWN_MIN = 0.9;

/* Of the time of computing: less than that is not worth a word; more than that is mostly work that
 * ends behind the steps, as one that hangs does. */
static const double LEAST = 0.1, MOST = 1.1;

static void add_row(struct profile_op *op, const struct roof *o, size_t i, uint32_t device)
{
	const struct roof_row_key *key = keymap_key(&o->row_keys, (uint32_t)i);
	const struct roof_row *row = &o->row[i];
	struct roof_limit limit = roof_limit_of(&o->peaks[device], &o->cost[key->cost]);
	double at = limit.ns * (double)row->calls;

	saturate_onto(&op->own, row->own);
	saturate_onto(&op->busy, row->busy);
	if (isnan(limit.ns))
		return;
	saturate_onto(&op->known, row->busy);
	op->at += at;
	op->above += fmax((double)row->busy - at, 0);
	if (row->busy <= op->main_busy)
		return;
	op->main_busy = row->busy;
	op->main = limit;
	op->work = o->cost[key->cost].work;
}

/* Of ops that compute, by name.  What no op launched has no roof. */
static sym find_top(struct profile_op *op, const struct roof *o, uint32_t device)
{
	sym top = 0;

	for (size_t i = 0; i < o->row_keys.n; i++) {
		const struct roof_row_key *key = keymap_key(&o->row_keys, (uint32_t)i);
		const struct roof_key *cost = keymap_key(&o->keys, key->cost);
		enum roof_reason why = o->cost[key->cost].work.why;

		if (key->device != device || cost->flags & ROOF_IS_KERNEL ||
			o->cost[key->cost].is_comm || why == ROOF_WHY_HOST_COPY)
			continue;
		add_row(&op[cost->name], o, i, device);
		if (op[cost->name].own > op[top].own)
			top = cost->name;
	}
	return top;
}

/* "bf16, 989 TFLOP/s", "memory, 3.35 TB/s" */
static const char *peak_text(const struct profile *x, const struct profile_op *op)
{
	const struct roof_work *w = &op->work;
	double rate = (double)w->flop / op->main.compute_ns / 1e3;

	if (op->main.compute_ns >= op->main.memory_ns)
		return arena_printf(x->mem, "%s, %.*f TFLOP/s", roof_dtype_words[w->dtype],
			rate < 100 ? 1 : 0, rate);
	return arena_printf(x->mem, "memory, %.2f TB/s", x->memory_Bps / 1e12);
}

static const char *top_roof(const struct profile *x)
{
	const struct profile_op *op = &x->top_op;
	double share = (double)op->own / (double)x->account.ledger.compute;

	if (!op->name || op->known <= 0 || !(share >= LEAST && share <= MOST) ||
		(double)op->known < KNOWN_MIN * (double)op->busy || op->at > (double)op->known)
		return NULL;
	return arena_printf(x->mem,
		"%s, %s of that, runs at %s of its roof (%s): at most %s to gain",
		rules_name(x, op->name), unit_percent(x->mem, fmin(share, 1)),
		unit_percent(x->mem, op->at / (double)op->known), peak_text(x, op),
		rules_step_time(x, saturate_round(op->above)));
}

/* ---- matrix work in more bits than it may need ---- */

/* A format of 16 bits is no remedy where its peak is not so much higher. */
static const double FASTER_MIN = 1.5;

/* A kernel takes so much, however little it does. */
static const double KERNEL_MIN_NS = 4000;

static bool is_wide(const struct roof_cost *c)
{
	const struct roof_work *w = &c->work;

	return c->op && c->op->unit == ROOF_MATRIX && w->flop > 0 &&
		(w->dtype == ROOF_FP32 || w->dtype == ROOF_TF32);
}

/* At the same share of its roof: in 16 bits it is half as many bytes, and all of the FLOP. */
static double time_as(const struct roof_peaks *p, enum roof_dtype as, const struct roof_cost *c,
	const struct roof_row *row)
{
	double now = roof_limit_of(p, c).ns,
	       then = 1e9 *
		fmax((double)c->work.flop / p->matrix[as],
			(double)c->work.bytes / 2 / p->memory_Bps);

	return fmax((double)row->own * fmin(then / now, 1), KERNEL_MIN_NS * (double)row->calls);
}

static void add_wide(struct profile_wide *w, enum roof_dtype from, nsec ns, double saves)
{
	if (!(saves > 0))
		return;
	saturate_onto(&w->ns, ns);
	w->saves += saves;
	w->has_fp32 |= from == ROOF_FP32;
}

static void find_wide(struct profile *x, const struct roof *o, uint32_t device)
{
	const struct roof_peaks *p = &o->peaks[device];
	struct profile_wide *w = &x->wide;

	for (size_t i = 0; w->is_known && i < o->row_keys.n; i++) {
		const struct roof_row_key *key = keymap_key(&o->row_keys, (uint32_t)i);
		const struct roof_cost *c = &o->cost[key->cost];
		nsec own = o->row[i].own;

		if (key->device == device && is_wide(c) &&
			p->matrix[w->as] >= FASTER_MIN * roof_matrix_peak(p, (int)c->work.dtype))
			add_wide(w, c->work.dtype, own,
				(double)own - time_as(p, w->as, c, &o->row[i]));
	}
}

/* Without shapes: at most, as if no bytes were moved. */
static void find_wide_by_names(struct profile *x, const struct roof_peaks *p, enum roof_dtype from,
	const struct profile_sum *s)
{
	struct profile_wide *w = &x->wide;
	double then = (double)s->in_steps * roof_matrix_peak(p, (int)from) / p->matrix[w->as];

	if (w->is_known && then * FASTER_MIN <= (double)s->in_steps)
		add_wide(w, from, s->in_steps,
			(double)s->in_steps - fmax(then, KERNEL_MIN_NS * (double)s->count));
}

static void look_at_ops(struct profile *x)
{
	SCOPED_ARENA scratch = { 0 };
	struct profile_op *op = arena_array(&scratch, x->run->strings.n, sizeof(*op));
	struct roof o;

	roof_init(&o, x->run, &x->view, &x->classes, x->peaks, 0, x->owners, &scratch);
	x->wide.is_of_roofs = o.has_shapes;
	for (uint32_t i = 0; i < o.devices.n; i++) {
		if (o.devices.id[i] != x->account.id)
			continue;
		sym top = find_top(op, &o, i);
		x->top_op = op[top];
		x->top_op.name = top;
		if (o.has_shapes)
			find_wide(x, &o, i);
	}
	roof_clear(&o);
}

void profile_of_roofs(struct profile *x)
{
	struct roof_peaks peaks;

	x->has_roofs = true;
	if (!x->has_device || x->account.ledger.compute <= 0)
		return;
	peaks_of_run(&peaks, x->run, x->account.id, x->peaks);
	x->memory_Bps = peaks.memory_Bps;
	x->wide.as = isnan(peaks.matrix[ROOF_BF16]) ? ROOF_FP16 : ROOF_BF16;
	x->wide.is_known = !isnan(peaks.matrix[x->wide.as]);
	if (!isnan(peaks.memory_Bps) && x->run->kind_count[KIND_OP] > 0)
		look_at_ops(x);
}

void profile_say_roofs(struct profile *x)
{
	struct roof_peaks peaks;

	if (!x->has_device || x->account.ledger.compute <= 0)
		return;
	x->top_roof = top_roof(x);
	if (x->wide.is_of_roofs)
		return;
	peaks_of_run(&peaks, x->run, x->account.id, x->peaks);
	find_wide_by_names(x, &peaks, ROOF_FP32, &x->device.fp32);
	find_wide_by_names(x, &peaks, ROOF_TF32, &x->device.tf32);
}
