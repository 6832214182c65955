/*
 * Bytes into digests.  Nothing is believed: lists are in the order they have to be in, counts are
 * none below zero, and words that are not known make the bytes damaged.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/job/digest/digest.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_facts.h"
#include "analyze/trace/digest/digest_wire.h"
#include "base/zeroed.h"

enum { DEVICES_MAX = 1 << 16, STEPS_MAX = 1 << 28, WORDS_MAX = 64 };

/* At least so many bytes each. */
enum { CONDITION_LEAST = 2, STEP_LEAST = 4, OP_LEAST = 10, SHAPE_LEAST = 3 };

static const char *text_of(struct wire_in *w)
{
	struct span t = wire_text(w);

	return memchr(t.p, '\0', t.n) ? "" : t.p;
}

static int64_t natural(struct wire_in *w)
{
	int64_t v = wire_int(w);

	if (v >= 0)
		return v;
	wire_fail(w);
	return 0;
}

static void take_conditions(struct wire_in *w, struct digest_conditions *c, struct arena *mem)
{
	size_t n = wire_many(w, CONDITION_LEAST), i;

	for (i = 0; i < n && !w->is_bad; i++) {
		const char *key = text_of(w);

		digest_condition_add(c, mem, key, wire_text(w));
	}
}

/* ---- steps ---- */

static const char *part_word(int i)
{
	return digest_part_key((enum digest_part)i);
}

static const char *phase_name(int i)
{
	return phase_word((enum phase)i);
}

/* Which of n words each of those of the bytes is; returns how many there are. */
static size_t take_words(struct wire_in *w, const char *(*word)(int), int n, int *of)
{
	size_t count = wire_below(w, WORDS_MAX), i;

	for (i = 0; i < count; i++) {
		struct span t = wire_text(w);

		for (of[i] = 0; of[i] < n && !span_is(t, word(of[i]));)
			of[i]++;
		if (of[i] == n) {
			wire_fail(w);
			return 0;
		}
	}
	return count;
}

static void check_steps(struct wire_in *w, const struct digest *d)
{
	size_t i;
	int k;

	for (i = 0; i < d->nstep; i++) {
		const struct digest_step *s = &d->step[i];
		bool is_odd = s->wall < 0 || s->device_sum < 0 || s->launched < 0;

		for (k = 0; k < PART_COUNT; k++)
			is_odd |= s->part[k] < 0;
		for (k = 0; k < PHASE_COUNT; k++)
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
	size_t nparts = take_words(w, part_word, PART_COUNT, part), i;
	size_t nphases = take_words(w, phase_name, PHASE_COUNT, phase);
	size_t n = wire_many(w, STEP_LEAST), size = sizeof(*d->step);

	d->step = arena_array(&d->mem, n, size);
	d->nstep = n;
	if (n == 0)
		return;
	wire_column(w, &d->step->number, n, size);
	wire_column(w, &d->step->wall, n, size);
	wire_column(w, &d->step->device_sum, n, size);
	wire_column(w, &d->step->launched, n, size);
	for (i = 0; i < nparts; i++)
		wire_column(w, &d->step->part[part[i]], n, size);
	for (i = 0; i < nphases; i++)
		wire_column(w, &d->step->phase[phase[i]], n, size);
	check_steps(w, d);
}

/* ---- rows ---- */

static enum kind take_kind(struct wire_in *w)
{
	struct span t = wire_text(w);
	int k;

	for (k = 0; k < KIND_COUNT; k++)
		if (span_is(t, kind_word((enum kind)k)))
			return (enum kind)k;
	wire_fail(w);
	return KIND_OTHER;
}

/* By name, then op, then kind, each once: as digest_new has them. */
static bool is_before(const struct digest_op *a, const struct digest_op *b)
{
	int c = span_cmp(a->name, b->name);

	c = c ? c : span_cmp(a->op, b->op);
	return c < 0 || (c == 0 && a->kind < b->kind);
}

static void take_names(struct wire_in *w, struct digest_ops *ops)
{
	size_t i;

	for (i = 0; i < ops->n; i++) {
		struct digest_op *op = &ops->v[i];

		op->name = wire_text(w);
		op->op = wire_text(w);
		op->kind = take_kind(w);
	}
	for (i = 1; i < ops->n && !w->is_bad; i++)
		if (!is_before(&ops->v[i - 1], &ops->v[i]))
			wire_fail(w);
}

static void take_sums(struct wire_in *w, struct digest_ops *ops)
{
	size_t i;

	for (i = 0; i < ops->n; i++)
		ops->v[i].place = (uint32_t)wire_below(w, ops->n);
	for (i = 0; i < ops->n; i++) {
		int64_t calls = natural(w), more = natural(w);

		ops->v[i].calls = calls;
		if (more > INT64_MAX - calls)
			wire_fail(w);
		else
			ops->v[i].all_calls = calls + more;
	}
	for (i = 0; i < ops->n; i++) {
		ops->v[i].ns = natural(w);
		ops->v[i].all_ns = natural(w);
	}
}

/* Their sum is bounded where they are made, and so it is here. */
static void take_cells(struct wire_in *w, struct digest *d, struct digest_ops *ops)
{
	size_t i, k, cells = 0;

	for (i = 0; i < ops->n; i++) {
		int64_t *v;

		if (!wire_bool(w)) {
			d->nuncut += d->nstep > 0 && !w->is_bad;
			continue;
		}
		cells += d->nstep;
		if (d->nstep == 0 || cells > DIGEST_CELLS_MAX ||
			(size_t)(w->end - w->at) < d->nstep) {
			wire_fail(w);
			return;
		}
		v = ops->v[i].step_ns = arena_array(&d->mem, d->nstep, sizeof(*v));
		wire_column(w, v, d->nstep, sizeof(*v));
		for (k = 0; k < d->nstep; k++)
			if (v[k] < 0)
				wire_fail(w);
	}
}

static void take_shapes(struct wire_in *w, struct digest_op *op, struct arena *mem)
{
	size_t n = wire_many(w, SHAPE_LEAST), i;

	op->shape = arena_array(mem, n, sizeof(*op->shape));
	op->nshape = n;
	for (i = 0; i < n; i++) {
		op->shape[i].dims = wire_text(w);
		if (i > 0 && span_cmp(op->shape[i - 1].dims, op->shape[i].dims) >= 0)
			wire_fail(w);
	}
	for (i = 0; i < n; i++)
		op->shape[i].calls = natural(w);
	for (i = 0; i < n; i++)
		op->shape[i].ns = natural(w);
}

static void take_ops(struct wire_in *w, struct digest *d, struct digest_ops *ops)
{
	size_t i;

	ops->n = wire_many(w, OP_LEAST);
	ops->v = arena_array(&d->mem, ops->n, sizeof(*ops->v));
	take_names(w, ops);
	take_sums(w, ops);
	take_cells(w, d, ops);
	for (i = 0; i < ops->n; i++)
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
	d->documents_cpu = natural(w);
	d->documents_cuda = natural(w);
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
	size_t i, k;

	for (i = 0; i < COUNT_OF(ops) && !o->shapes; i++)
		for (k = 0; k < ops[i]->n; k++)
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
	struct str plain = { 0 };
	struct wire_in w;
	enum status st;

	if (!digest_file_has(k, name))
		return OK;
	TRY(digest_file_get(k, name, &plain, e));
	wire_open(&w, (struct span){ plain.s, plain.n }, &d->mem);
	unpack(&w, d);
	st = wire_is_done(&w) ? OK : digest_file_refuse_section(name, e);
	str_free(&plain);
	return st;
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
	(void)err_set(e, E_NODATA, -1, "a digest has no events: %s needs the trace itself", what);
	return err_hint(e, "give the trace in place of its digest");
}

static enum status check_options(const struct digest_options *o, struct err *e)
{
	const char *given = filter_needs_events(o->filter);

	if (o->filter && o->filter->steps) {
		(void)err_set(e, E_NODATA, -1,
			"a digest has sums over all steps: --steps needs the trace itself");
		return err_hint(e, "leave --steps out, or give the trace in place of its digest");
	}
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
	enum status st;

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
	st = wire_is_done(&w) ? OK : digest_file_refuse_section(DIGEST_SECTION, e);
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
