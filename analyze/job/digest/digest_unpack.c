/* Records as digests: which are asked for, and of what a record has no answer to. */
#include "analyze/job/digest/digest.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_facts.h"
#include "analyze/trace/digest/digest_wire.h"
#include "base/base.h"

static const struct filter everything;

const struct digest_options digest_kept_options = {
	.filter = &everything, .shapes = true, .work = true, .collectives = true, .timing = true
};

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

static enum status take_section(struct digest *d, const struct kept *k, const char *name,
	void (*walk)(struct walk *w, struct digest *d), struct err *e)
{
	SCOPED_STR plain = { 0 };
	struct wire_in in;

	TRY(wire_open_section(&in, k, name, &plain, &d->mem, e));
	walk(&(struct walk){ .in = &in }, d);
	return wire_is_done(&in) ? OK : digest_file_refuse_section(name, e);
}

/* Records of before a section was have none: nothing is known of that. */
static enum status take_work(
	struct digest *d, const struct kept *k, const struct digest_options *o, struct err *e)
{
	if (!o->work || !digest_file_has(k, WORK_SECTION))
		return OK;
	TRY(take_section(d, k, WORK_SECTION, work_walk, e));
	return digest_file_has(k, COST_SECTION) ? take_section(d, k, COST_SECTION, cost_walk, e)
						: OK;
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

	TRY(check_options(o, e));
	d = zeroed(1, sizeof(*d));
	d->path = arena_copy(&d->mem, path, strlen(path));
	d->kind = "trace";
	d->has_events = true;
	enum status st = take_section(d, k, DIGEST_SECTION, digest_walk, e);
	narrow(d, o);
	if (st == OK)
		st = take_work(d, k, o, e);
	if (st == OK && o->timing && d->collectives && digest_file_has(k, TIMING_SECTION))
		st = take_section(d, k, TIMING_SECTION, timing_walk, e);
	if (st == OK && digest_file_has(k, OUTSIDE_SECTION))
		st = take_section(d, k, OUTSIDE_SECTION, outside_walk, e);
	if (st == OK && digest_file_has(k, BETWEEN_SECTION))
		st = take_section(d, k, BETWEEN_SECTION, between_walk, e);
	if (st == OK)
		*out = d;
	else
		digest_free(d);
	return st;
}
