/*
 * Digests into bytes, column by column: what stands below each other is alike.
 *
 * Kinds, phases, parts of a step and collectives are written as words, so that their numbers may
 * change.
 */
#include "analyze/job/digest/digest_pack.h"

#include "analyze/job/digest/digest.h"
#include "analyze/trace/digest/digest_facts.h"
#include "analyze/trace/digest/digest_wire.h"
#include "analyze/trace/filter.h"

static const struct filter everything;

const struct digest_options digest_kept_options = {
	.filter = &everything, .shapes = true, .work = true, .collectives = true
};

static void put_conditions(struct wire_out *w, const struct digest_conditions *c)
{
	wire_put_count(w, c->n);
	for (EACH(const struct digest_condition, condition, c->v, c->n)) {
		wire_put_text(w, span_of(condition->key));
		wire_put_text(w, condition->value);
	}
}

static void put_steps(struct wire_out *w, const struct digest *d)
{
	const struct digest_step *s = d->step;
	size_t n = d->nstep, size = sizeof(*s);

	wire_put_count(w, PART_COUNT);
	for (int i = 0; i < PART_COUNT; i++)
		wire_put_text(w, span_of(digest_part_key((enum digest_part)i)));
	wire_put_count(w, PHASE_COUNT);
	for (int i = 0; i < PHASE_COUNT; i++)
		wire_put_text(w, span_of(phase_word((enum phase)i)));
	wire_put_count(w, n);
	if (n == 0)
		return;
	wire_put_column(w, &s->number, n, size);
	wire_put_column(w, &s->wall, n, size);
	wire_put_column(w, &s->device_sum, n, size);
	wire_put_column(w, &s->launched, n, size);
	for (int i = 0; i < PART_COUNT; i++)
		wire_put_column(w, &s->part[i], n, size);
	for (int i = 0; i < PHASE_COUNT; i++)
		wire_put_column(w, &s->phase[i], n, size);
}

static void put_shapes(struct wire_out *w, const struct digest_op *op)
{
	wire_put_count(w, op->nshape);
	for (size_t i = 0; i < op->nshape; i++)
		wire_put_text(w, op->shape[i].dims);
	for (size_t i = 0; i < op->nshape; i++)
		wire_put_int(w, op->shape[i].calls);
	for (size_t i = 0; i < op->nshape; i++)
		wire_put_int(w, op->shape[i].ns);
}

static void put_ops(struct wire_out *w, const struct digest_ops *ops, size_t nstep)
{
	wire_put_count(w, ops->n);
	for (EACH(const struct digest_op, op, ops->v, ops->n)) {
		wire_put_text(w, op->name);
		wire_put_text(w, op->op);
		wire_put_text(w, span_of(kind_word(op->kind)));
	}
	for (size_t i = 0; i < ops->n; i++)
		wire_put_count(w, ops->v[i].place);
	for (EACH(const struct digest_op, o, ops->v, ops->n)) {
		wire_put_int(w, o->calls);
		wire_put_int(w, o->all_calls - o->calls);
	}
	for (size_t i = 0; i < ops->n; i++) {
		wire_put_int(w, ops->v[i].ns);
		wire_put_int(w, ops->v[i].all_ns);
	}
	for (size_t i = 0; i < ops->n; i++) {
		wire_put_bool(w, ops->v[i].step_ns != NULL);
		if (ops->v[i].step_ns)
			wire_put_column(w, ops->v[i].step_ns, nstep, sizeof(int64_t));
	}
	for (size_t i = 0; i < ops->n; i++)
		put_shapes(w, &ops->v[i]);
}

void digest_pack(struct wire_out *w, const struct digest *d)
{
	wire_put_int(w, d->rank);
	wire_put_int(w, d->world);
	put_conditions(w, &d->env);
	wire_put_bool(w, d->has_steps);
	wire_put_bool(w, d->has_device);
	wire_put_bool(w, d->on_device);
	wire_put_count(w, d->ndevice);
	wire_put_count(w, d->nstep_all);
	wire_put_real(w, d->step_ns);
	wire_put_real(w, d->median);
	wire_put_int(w, d->documents_cpu);
	wire_put_int(w, d->documents_cuda);
	wire_put_int(w, d->peak_bytes);
	wire_put_int(w, d->leaks);
	tally_put(w, &d->tally);
	put_steps(w, d);
	put_ops(w, &d->device, d->nstep);
	put_ops(w, &d->host, d->nstep);
	collectives_pack(w, d->collectives);
}
