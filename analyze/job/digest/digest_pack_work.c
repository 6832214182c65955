/*
 * What ops should cost, as bytes: section "work" of a record.
 */
#include <math.h>

#include "analyze/job/digest/digest.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/trace/digest/digest_wire.h"

enum { WORK_LEAST = 6 };

void work_pack(struct wire_out *w, const struct digest *d)
{
	size_t i;

	wire_put_count(w, d->nstep);
	for (i = 0; i < d->nstep; i++) {
		wire_put_real(w, d->step[i].mfu);
		wire_put_real(w, d->step[i].known_ratio);
	}
	wire_put_count(w, d->nwork);
	for (i = 0; i < d->nwork; i++) {
		const struct digest_work *one = &d->work[i];

		wire_put_text(w, one->op);
		wire_put_int(w, one->calls);
		wire_put_int(w, one->known);
		wire_put_int(w, one->flop);
		wire_put_int(w, one->ns);
		wire_put_bool(w, one->step_flop != NULL);
		if (!one->step_flop)
			continue;
		wire_put_column(w, one->step_flop, d->nstep, sizeof(int64_t));
		wire_put_column(w, one->step_ns, d->nstep, sizeof(int64_t));
	}
}

static double share(struct wire_in *w)
{
	double v = wire_real(w);

	if (!(v >= 0) || isinf(v)) {
		wire_fail(w);
		return 0;
	}
	return v;
}

static int64_t natural(struct wire_in *w)
{
	int64_t v = wire_int(w);

	if (v >= 0)
		return v;
	wire_fail(w);
	return 0;
}

static int64_t *column(struct wire_in *w, size_t n)
{
	int64_t *v = arena_array(w->mem, n, sizeof(*v));
	size_t i;

	wire_column(w, v, n, sizeof(*v));
	for (i = 0; i < n; i++)
		if (v[i] < 0)
			wire_fail(w);
	return v;
}

static void take_row(struct wire_in *w, struct digest_work *one, size_t nstep, size_t *cells)
{
	one->op = wire_text(w);
	one->calls = natural(w);
	one->known = natural(w);
	one->flop = natural(w);
	one->ns = natural(w);
	if (one->known > one->calls)
		wire_fail(w);
	if (!wire_bool(w))
		return;
	*cells += 2 * nstep;
	if (nstep == 0 || *cells > DIGEST_CELLS_MAX || (size_t)(w->end - w->at) < 2 * nstep) {
		wire_fail(w);
		return;
	}
	one->step_flop = column(w, nstep);
	one->step_ns = column(w, nstep);
}

void work_unpack(struct wire_in *w, struct digest *d)
{
	size_t n = wire_many(w, 16), i, cells = 0;

	if (n != d->nstep) {
		wire_fail(w);
		return;
	}
	for (i = 0; i < n; i++) {
		d->step[i].mfu = share(w);
		d->step[i].known_ratio = share(w);
	}
	n = wire_many(w, WORK_LEAST);
	d->work = arena_array(w->mem, n, sizeof(*d->work));
	d->nwork = n;
	for (i = 0; i < n && !w->is_bad; i++) {
		take_row(w, &d->work[i], d->nstep, &cells);
		if (i > 0 && span_cmp(d->work[i - 1].op, d->work[i].op) >= 0)
			wire_fail(w);
	}
}
