/* Making digests: the order of work, and the steps. */
#include "analyze/job/digest/digest_new.h"

#include "analyze/job/digest/digest_gather.h"
#include "analyze/measure/power/sampleclock.h"
#include "analyze/measure/stepstat.h"
#include "analyze/costmodel/roof.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

unsigned digest_needs(const struct digest_options *o)
{
	unsigned needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_FUNCTIONS;

	if (!o->no_host)
		needs |= NEED_MEMORY;
	if (o->shapes)
		needs |= NEED_SHAPES;
	if (o->work)
		needs |= ROOF_NEEDS;
	if (o->collectives)
		needs |= NEED_COMM | NEED_PEERS;
	if (o->timing)
		needs |= NEED_CALLS | NEED_SYNC;
	return needs;
}

/* Steps in front that --warmup drops: those launched among the first ones the filter takes. */
static void drop_warmup(
	struct filter_view *view, const struct run *r, int64_t warmup, struct arena *mem)
{
	size_t n = r->steps->n;

	if (warmup <= 0 || r->steps->source == STEPS_WHOLE)
		return;
	if (!view->step) {
		view->step = arena_array(mem, n, sizeof(*view->step));
		FILL(view->step, n, true);
	}
	for (size_t i = 0; i < n && warmup > 0; i++) {
		if (!view->step[i])
			continue;
		view->step[i] = false;
		view->nstep--;
		warmup--;
	}
}

static enum status find_steps(struct digest_view *v, struct err *e)
{
	const struct run *r = v->run;
	struct stepstat stat;

	drop_warmup(v->view, r, v->o->warmup, &v->scratch);
	if (v->view->nstep == 0)
		return err_set(e, E_NODATA, -1, "no step is left: --warmup drops all %zu of them",
			r->steps->n);
	stepstat_init(&stat, r, v->view, &v->scratch);
	v->d->has_steps = stat.has_steps;
	v->d->nstep = stat.count;
	v->d->nstep_all = stat.n;
	v->d->median = stat.median;
	v->d->step = arena_array(&v->d->mem, stat.count, sizeof(*v->d->step));
	v->place = arena_array(&v->scratch, r->steps->n, sizeof(*v->place));
	for (size_t i = 0; i < stat.count; i++) {
		uint32_t at = stat.step[stat.from + i];

		v->place[at] = (uint32_t)i + 1;
		v->d->step[i].number = r->steps->step[at].number;
		v->d->step[i].wall = stepstat_dur(&stat, r, stat.from + i);
	}
	return OK;
}

static void find_classes(struct digest_view *v)
{
	struct classes *own;

	if (v->o->known) {
		v->classes = v->o->known->classes;
		return;
	}
	own = arena_alloc(&v->scratch, sizeof(*own));
	classes_init(own, v->run, &v->scratch);
	v->classes = own;
}

static enum status fill_digest(struct digest_view *v, struct err *e)
{
	struct filter_set set;
	struct filter_view view = { 0 };
	enum status st = filter_parse(&set, v->o->filter, e);

	v->view = &view;
	THEN(st, filter_view_init(&view, &set, v->run, &v->scratch, e));
	THEN(st, find_steps(v, e));
	if (st == OK) {
		find_classes(v);
		digest_env(v);
		digest_device(v);
		digest_phases(v);
		digest_work(v);
		if (!v->o->no_host) {
			digest_host(v);
			digest_memory(v);
		}
		digest_collectives(v);
		digest_timing(v);
	}
	filter_free(&set);
	v->view = NULL;
	return st;
}

enum status digest_look(
	struct digest **out, const struct run *r, const struct digest_options *o, struct err *e)
{
	struct digest *d = xcalloc(1, sizeof(*d));
	struct digest_view v = { .d = d, .o = o, .run = r };

	d->path = arena_copy(&d->mem, r->path, strlen(r->path));
	d->kind = "trace";
	d->tally = r->tally;
	d->rank = d->world = d->peak_bytes = d->leaks = -1;
	d->median = NAN;
	d->has_events = r->has_trace;
	d->recorded_ns = sampleclock_recorded(r);
	d->warmup = o->warmup;
	enum status st = r->has_trace ? fill_digest(&v, e) : OK;
	arena_clear(&v.scratch);
	if (st == OK) {
		digest_record(d, r);
		*out = d;
	} else {
		digest_free(d);
	}
	return st;
}

enum status digest_new(
	struct digest **out, struct run *r, const struct digest_options *o, struct err *e)
{
	TRY(digest_look(out, r, o, e));
	(*out)->record = r->record;
	r->record = NULL;
	return OK;
}
