/* Digests as bytes, column by column: what stands below each other is alike.
 *
 * Kinds, phases, parts of a step and collectives are written as words, so that their numbers may
 * change.  Of what is read nothing is believed: lists are in the order they have to be in, counts
 * are none below zero, and words that are not known make the bytes damaged. */
#include "analyze/job/digest/digest_pack.h"

#include "analyze/job/digest/digest.h"
#include "analyze/trace/digest/digest_facts.h"
#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_wire.h"

enum { DEVICES_MAX = 1 << 16, STEPS_MAX = 1 << 28, WORDS_MAX = 64 };

/* At least so many bytes each. */
enum { CONDITION_LEAST = 2, STEP_LEAST = 4, OP_LEAST = 10, SHAPE_LEAST = 3 };

static void walk_conditions(struct walk *w, struct digest_conditions *c)
{
	size_t n = walk_many(w, c->n, CONDITION_LEAST);

	for (size_t i = 0; i < n; i++) {
		struct span key = !w->in ? span_of(c->v[i].key) : SPAN("");
		struct span value = !w->in ? c->v[i].value : SPAN("");

		walk_text(w, &key);
		walk_text(w, &value);
		if (w->in)
			digest_condition_add(
				c, w->in->mem, memchr(key.p, '\0', key.n) ? "" : key.p, value);
	}
}

static void walk_steps(struct walk *w, struct digest *d)
{
	const size_t size = sizeof(*d->step);
	int part[WORDS_MAX], phase[WORDS_MAX];
	size_t nparts = walk_below(w, PART_IDLE_OUTSIDE, WORDS_MAX);

	for (size_t i = 0; i < nparts; i++)
		part[i] = WALK_WORD(w, k, i, PART_COUNT, digest_part_key((enum digest_part)k));
	size_t nphases = walk_below(w, PHASE_COUNT, WORDS_MAX);
	for (size_t i = 0; i < nphases; i++)
		phase[i] = WALK_WORD(w, k, i, PHASE_COUNT, phase_word((enum phase)k));
	d->step = walk_rows(w, d->step, &d->nstep, STEP_LEAST, size);
	if (d->nstep == 0)
		return;
	walk_column(w, &d->step->number, d->nstep, size, INT64_MIN);
	walk_column(w, &d->step->wall, d->nstep, size, 0);
	walk_column(w, &d->step->device_sum, d->nstep, size, 0);
	walk_column(w, &d->step->launched, d->nstep, size, 0);
	for (size_t i = 0; i < nparts; i++)
		walk_column(w, &d->step->part[part[i]], d->nstep, size, 0);
	for (size_t i = 0; i < nphases; i++)
		walk_column(w, &d->step->phase[phase[i]], d->nstep, size, 0);
}

/* ---- rows ---- */

/* Each once, in order: as digest_new has them. */
static void walk_names(struct walk *w, struct digest_ops *ops)
{
	for (EACH(struct digest_op, op, ops->v, ops->n)) {
		walk_text(w, &op->name);
		walk_text(w, &op->op);
		op->kind =
			(enum kind)WALK_WORD(w, k, op->kind, KIND_COUNT, kind_word((enum kind)k));
	}
	for (size_t i = 1; w->in && !w->in->is_bad && i < ops->n; i++)
		walk_check(w, digest_op_compare(&ops->v[i - 1], &ops->v[i]) < 0);
}

static void walk_sums(struct walk *w, struct digest_ops *ops)
{
	for (EACH(struct digest_op, op, ops->v, ops->n))
		op->place = (uint32_t)walk_below(w, op->place, ops->n);
	for (EACH(struct digest_op, op, ops->v, ops->n)) {
		int64_t more = op->all_calls - op->calls;

		walk_int(w, &op->calls, 0);
		walk_int(w, &more, 0);
		walk_check(w, !add_overflows(op->calls, more, &op->all_calls));
	}
	for (EACH(struct digest_op, op, ops->v, ops->n)) {
		walk_int(w, &op->ns, 0);
		walk_int(w, &op->all_ns, 0);
	}
}

/* Their sum is bounded where they are made, and so it is here. */
static void walk_cells(struct walk *w, struct digest *d, struct digest_ops *ops)
{
	size_t left = DIGEST_CELLS_MAX;

	for (EACH(struct digest_op, op, ops->v, ops->n)) {
		bool is_kept = op->step_ns != NULL;

		walk_bool(w, &is_kept);
		if (is_kept)
			op->step_ns = walk_naturals(w, op->step_ns, d->nstep, &left);
	}
}

static void walk_shapes(struct walk *w, struct digest_op *op)
{
	op->shape = walk_rows(w, op->shape, &op->nshape, SHAPE_LEAST, sizeof(*op->shape));
	for (EACH(struct digest_shape, shape, op->shape, op->nshape)) {
		walk_text(w, &shape->dims);
		walk_check(w, shape == op->shape || span_cmp(shape[-1].dims, shape->dims) < 0);
	}
	for (EACH(struct digest_shape, shape, op->shape, op->nshape))
		walk_int(w, &shape->calls, 0);
	for (EACH(struct digest_shape, shape, op->shape, op->nshape))
		walk_int(w, &shape->ns, 0);
}

static void walk_ops(struct walk *w, struct digest *d, struct digest_ops *ops)
{
	ops->v = walk_rows(w, ops->v, &ops->n, OP_LEAST, sizeof(*ops->v));
	walk_names(w, ops);
	walk_sums(w, ops);
	walk_cells(w, d, ops);
	for (EACH(struct digest_op, op, ops->v, ops->n))
		walk_shapes(w, op);
}

void digest_walk(struct walk *w, struct digest *d)
{
	int64_t leaks = d->leaks;

	walk_int(w, &d->rank, -1);
	walk_int(w, &d->world, -1);
	walk_conditions(w, &d->env);
	walk_bool(w, &d->has_steps);
	walk_bool(w, &d->has_device);
	walk_bool(w, &d->on_device);
	d->ndevice = walk_below(w, d->ndevice, DEVICES_MAX);
	d->nstep_all = walk_below(w, d->nstep_all, STEPS_MAX);
	walk_real(w, &d->step_ns);
	walk_real(w, &d->median);
	walk_int(w, &d->documents_cpu, 0);
	walk_int(w, &d->documents_cuda, 0);
	walk_int(w, &d->peak_bytes, -1);
	walk_int(w, &leaks, -1);
	d->leaks = leaks > 1 ? 1 : (int)leaks;
	tally_walk(w, &d->tally);
	walk_check(w,
		leaks <= 1 && d->has_device == (d->ndevice > 0) && !isinf(d->step_ns) &&
			!isinf(d->median));
	walk_steps(w, d);
	walk_ops(w, d, &d->device);
	walk_ops(w, d, &d->host);
	d->collectives = collectives_walk(w, d->collectives, d->nstep);
}

void outside_walk(struct walk *w, struct digest *d)
{
	struct digest_outside *o = &d->outside;

	walk_int(w, &o->busy, 0);
	walk_int(w, &o->busy_all, 0);
	walk_int(w, &o->wall, 0);
	for (int p = 0; p <= PART_IDLE; p++)
		walk_int(w, &o->part[p], 0);
	o->nstep = walk_below(w, o->nstep, STEPS_MAX);
	walk_check(w, o->busy <= o->busy_all && (o->nstep > 0 || o->busy_all == 0));
}

void between_walk(struct walk *w, struct digest *d)
{
	struct digest_outside *o = &d->outside;

	walk_int(w, &o->run, 0);
	walk_int(w, &o->between, 0);
	walk_check(w, (double)o->between <= (double)o->run * (double)d->ndevice);
}

static void add_part(struct digest_file_out *to, const char *name, const struct digest *d,
	void (*walk)(struct walk *w, struct digest *d))
{
	struct digest same = *d;
	struct wire_out w;

	wire_begin(&w);
	walk(&(struct walk){ .out = &w }, &same);
	struct span plain = wire_seal(&w);
	if (plain.n <= DIGEST_FILE_PLAIN_MAX)
		digest_file_add(to, name, plain, w.raw);
	wire_free(&w);
}

/* Records without costs are read, those with costs have work. */
static void add_work(struct digest_file_out *to, const struct digest *d)
{
	if (d->nwork == 0)
		return;
	add_part(to, WORK_SECTION, d, work_walk);
	add_part(to, COST_SECTION, d, cost_walk);
}

enum status digest_pack(struct digest_file_out *to, const struct digest *d, struct err *e)
{
	struct digest same = *d;
	struct wire_out w;
	enum status st = OK;

	wire_begin(&w);
	digest_walk(&(struct walk){ .out = &w }, &same);
	struct span plain = wire_seal(&w);
	if (plain.n > DIGEST_FILE_PLAIN_MAX)
		st = err_set(e, E_LIMIT, -1,
			"its digest is %zu MiB before it is compressed; %d are the most",
			plain.n >> 20, DIGEST_FILE_PLAIN_MAX >> 20);
	else
		digest_file_add(to, DIGEST_SECTION, plain, w.raw);
	wire_free(&w);
	if (st == OK)
		add_work(to, d);
	if (st == OK && d->timing)
		add_part(to, TIMING_SECTION, d, timing_walk);
	if (st == OK && d->has_device)
		add_part(to, OUTSIDE_SECTION, d, outside_walk);
	if (st == OK && d->outside.run > 0)
		add_part(to, BETWEEN_SECTION, d, between_walk);
	return st;
}
