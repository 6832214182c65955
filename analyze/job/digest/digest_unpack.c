/*
 * Bytes into digests.  Nothing is believed: lists are in the order they have to be in, counts are
 * none below zero, and words that are not known make the bytes damaged.
 */
#include "analyze/job/digest/digest.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_facts.h"
#include "analyze/trace/digest/digest_wire.h"
#include "base/base.h"

enum { DEVICES_MAX = 1 << 16, STEPS_MAX = 1 << 28, WORDS_MAX = 64 };

/* At least so many bytes each. */
enum { CONDITION_LEAST = 2, STEP_LEAST = 4, OP_LEAST = 10, SHAPE_LEAST = 3 };

static const char *text_of(struct wire_in *w)
{
	struct span t = wire_text(w);

	return memchr(t.p, '\0', t.n) ? "" : t.p;
}

static void take_conditions(struct wire_in *w, struct digest_conditions *c, struct arena *mem)
{
	size_t n = wire_many(w, CONDITION_LEAST);

	for (size_t i = 0; i < n && !w->is_bad; i++) {
		const char *key = text_of(w);

		digest_condition_add(c, mem, key, wire_text(w));
	}
}

/* ---- steps ---- */

static void check_steps(struct wire_in *w, const struct digest *d)
{
	for (EACH(const struct digest_step, s, d->step, d->nstep)) {
		bool is_odd = s->wall < 0 || s->device_sum < 0 || s->launched < 0;

		for (int k = 0; k < PART_COUNT; k++)
			is_odd |= s->part[k] < 0;
		for (int k = 0; k < PHASE_COUNT; k++)
			is_odd |= s->phase[k] < 0;
		if (is_odd) {
			wire_fail(w);
			return;
		}
	}
}

static void take_steps(struct wire_in *w, struct digest *d)
{
	int part[WORDS_MAX], phase[WORDS_MAX];
	size_t nparts = wire_below(w, WORDS_MAX), size = sizeof(*d->step);

	for (size_t i = 0; i < nparts; i++)
		part[i] = WIRE_WORD(w, k, PART_COUNT, digest_part_key((enum digest_part)k));
	size_t nphases = wire_below(w, WORDS_MAX);
	for (size_t i = 0; i < nphases; i++)
		phase[i] = WIRE_WORD(w, k, PHASE_COUNT, phase_word((enum phase)k));
	size_t n = wire_many(w, STEP_LEAST);
	d->step = arena_array(&d->mem, n, size);
	d->nstep = n;
	if (n == 0)
		return;
	wire_column(w, &d->step->number, n, size);
	wire_column(w, &d->step->wall, n, size);
	wire_column(w, &d->step->device_sum, n, size);
	wire_column(w, &d->step->launched, n, size);
	for (size_t i = 0; i < nparts; i++)
		wire_column(w, &d->step->part[part[i]], n, size);
	for (size_t i = 0; i < nphases; i++)
		wire_column(w, &d->step->phase[phase[i]], n, size);
	check_steps(w, d);
}

/* ---- rows ---- */

/* Each once, in order: as digest_new has them. */
static void take_names(struct wire_in *w, struct digest_ops *ops)
{
	for (EACH(struct digest_op, op, ops->v, ops->n)) {
		op->name = wire_text(w);
		op->op = wire_text(w);
		op->kind = (enum kind)WIRE_WORD(w, k, KIND_COUNT, kind_word((enum kind)k));
	}
	for (size_t i = 1; i < ops->n && !w->is_bad; i++)
		if (digest_op_compare(&ops->v[i - 1], &ops->v[i]) >= 0)
			wire_fail(w);
}

static void take_sums(struct wire_in *w, struct digest_ops *ops)
{
	for (size_t i = 0; i < ops->n; i++)
		ops->v[i].place = (uint32_t)wire_below(w, ops->n);
	for (EACH(struct digest_op, op, ops->v, ops->n)) {
		int64_t calls = wire_natural(w), more = wire_natural(w);

		op->calls = calls;
		if (more > INT64_MAX - calls)
			wire_fail(w);
		else
			op->all_calls = calls + more;
	}
	for (EACH(struct digest_op, o, ops->v, ops->n)) {
		o->ns = wire_natural(w);
		o->all_ns = wire_natural(w);
	}
}

/* Their sum is bounded where they are made, and so it is here. */
static void take_cells(struct wire_in *w, struct digest *d, struct digest_ops *ops)
{
	size_t left = DIGEST_CELLS_MAX;

	for (size_t i = 0; i < ops->n; i++)
		if (wire_bool(w))
			ops->v[i].step_ns = wire_naturals(w, d->nstep, &left);
		else
			d->nuncut += d->nstep > 0 && !w->is_bad;
}

static void take_shapes(struct wire_in *w, struct digest_op *op, struct arena *mem)
{
	size_t n = wire_many(w, SHAPE_LEAST);

	op->shape = arena_array(mem, n, sizeof(*op->shape));
	op->nshape = n;
	for (size_t i = 0; i < n; i++) {
		op->shape[i].dims = wire_text(w);
		if (i > 0 && span_cmp(op->shape[i - 1].dims, op->shape[i].dims) >= 0)
			wire_fail(w);
	}
	for (size_t i = 0; i < n; i++)
		op->shape[i].calls = wire_natural(w);
	for (size_t i = 0; i < n; i++)
		op->shape[i].ns = wire_natural(w);
}

static void take_ops(struct wire_in *w, struct digest *d, struct digest_ops *ops)
{
	ops->n = wire_many(w, OP_LEAST);
	ops->v = arena_array(&d->mem, ops->n, sizeof(*ops->v));
	take_names(w, ops);
	take_sums(w, ops);
	take_cells(w, d, ops);
	for (size_t i = 0; i < ops->n; i++)
		take_shapes(w, &ops->v[i], &d->mem);
}

/* ---- all of it ---- */

static void take_head(struct wire_in *w, struct digest *d)
{
	d->rank = wire_int(w);
	d->world = wire_int(w);
	take_conditions(w, &d->env, &d->mem);
	d->has_steps = wire_bool(w);
	d->has_device = wire_bool(w);
	d->on_device = wire_bool(w);
	d->ndevice = wire_below(w, DEVICES_MAX);
	d->nstep_all = wire_below(w, STEPS_MAX);
	d->step_ns = wire_real(w);
	d->median = wire_real(w);
	d->documents_cpu = wire_natural(w);
	d->documents_cuda = wire_natural(w);
	d->peak_bytes = wire_int(w);
	d->leaks = (int)wire_int(w);
	tally_take(w, &d->tally);
	if (d->rank < -1 || d->world < -1 || d->leaks < -1 || d->leaks > 1 || d->peak_bytes < -1 ||
		d->has_device != (d->ndevice > 0) || isinf(d->step_ns) || isinf(d->median))
		wire_fail(w);
}

/* As if it had been made with those options. */
static void narrow(struct digest *d, const struct digest_options *o)
{
	struct digest_ops *const ops[] = { &d->device, &d->host };

	for (size_t i = 0; i < COUNT_OF(ops) && !o->shapes; i++)
		for (size_t k = 0; k < ops[i]->n; k++)
			ops[i]->v[k].nshape = 0;
	if (o->no_host)
		d->host.n = 0;
	if (!o->collectives)
		d->collectives = NULL;
}

/* Records of before a section was have none: nothing is known of that. */
static enum status take_part(struct digest *d, const struct kept *k, const char *name,
	void (*unpack)(struct wire_in *w, struct digest *d), struct err *e)
{
	SCOPED_STR plain = { 0 };
	struct wire_in w;

	if (!digest_file_has(k, name))
		return OK;
	TRY(digest_file_get(k, name, &plain, e));
	wire_open(&w, (struct span){ plain.s, plain.n }, &d->mem);
	unpack(&w, d);
	return wire_is_done(&w) ? OK : digest_file_refuse_section(name, e);
}

static enum status take_work(
	struct digest *d, const struct kept *k, const struct digest_options *o, struct err *e)
{
	if (!o->work || !digest_file_has(k, WORK_SECTION))
		return OK;
	TRY(take_part(d, k, WORK_SECTION, work_unpack, e));
	return take_part(d, k, COST_SECTION, cost_unpack, e);
}

static enum status refuse(const char *what, struct err *e)
{
	return err_hinted(e, E_NODATA, "give the trace in place of its digest",
		"a digest has no events: %s needs the trace itself", what);
}

static enum status check_options(const struct digest_options *o, struct err *e)
{
	const char *given = filter_needs_events(o->filter);

	if (o->filter && o->filter->steps)
		return err_hinted(e, E_NODATA,
			"leave --steps out, or give the trace in place of its digest",
			"a digest has sums over all steps: --steps needs the trace itself");
	if (o->warmup > 0)
		given = "--warmup";
	if (o->exact_names)
		given = "--exact-names";
	return given ? refuse(given, e) : OK;
}

enum status digest_unpack(struct digest **out, const struct kept *k, const char *path,
	const struct digest_options *o, struct err *e)
{
	struct digest *d;
	struct str plain = { 0 };
	struct wire_in w;

	TRY(check_options(o, e));
	TRY(digest_file_get(k, DIGEST_SECTION, &plain, e));
	d = zeroed(1, sizeof(*d));
	arena_init(&d->mem);
	wire_open(&w, (struct span){ plain.s, plain.n }, &d->mem);
	d->path = arena_copy(&d->mem, path, strlen(path));
	d->kind = "trace";
	d->has_events = true;
	take_head(&w, d);
	take_steps(&w, d);
	take_ops(&w, d, &d->device);
	take_ops(&w, d, &d->host);
	d->collectives = collectives_unpack(&w, d->nstep, &d->mem);
	enum status st = wire_is_done(&w) ? OK : digest_file_refuse_section(DIGEST_SECTION, e);
	str_free(&plain);
	narrow(d, o);
	if (st == OK)
		st = take_work(d, k, o, e);
	if (st == OK)
		*out = d;
	else
		digest_free(d);
	return st;
}
