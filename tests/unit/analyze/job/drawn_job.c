/* Jobs drawn by hand. */
#include "tests/unit/analyze/job/drawn_job.h"

#include <assert.h>
#include <stdlib.h>

#include "analyze/trace/columns/args.h"

void drawn_begin(struct drawn_job *d, size_t cap)
{
	*d = (struct drawn_job){ .cap = cap };
	d->rank = arena_array(&d->mem, cap, sizeof(*d->rank));
}

void drawn_end(struct drawn_job *d)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		free(d->rank[i].collectives.v);
		free(d->rank[i].collectives.kind);
		free(d->rank[i].collectives.piece);
		free(d->rank[i].digest.step);
	}
	arena_clear(&d->mem);
}

size_t drawn_rank(struct drawn_job *d, int64_t rank)
{
	struct drawn_rank *r = &d->rank[d->n];

	assert(d->n < d->cap);
	r->digest = (struct digest){ .path = arena_printf(&d->mem, "rank%lld", (long long)rank),
		.kind = "trace",
		.rank = rank,
		.has_events = true,
		.collectives = &r->collectives };
	return d->n++;
}

void drawn_step(struct drawn_job *d, size_t rank, int64_t number)
{
	struct drawn_rank *r = &d->rank[rank];

	PUSH(r->digest.step, r->digest.nstep, r->step_cap,
		(struct digest_step){ .number = number });
	r->digest.has_steps = true;
}

struct coll_kind drawn_kind(void)
{
	return (struct coll_kind){ .group = SPAN("0"),
		.dtype = SPAN("Float"),
		.op = COMM_ALL_REDUCE,
		.bytes = 1024,
		.nrank = ARG_UNKNOWN,
		.src = ARG_UNKNOWN,
		.dst = ARG_UNKNOWN };
}

struct collective *drawn_at(
	struct drawn_job *d, size_t rank, const struct coll_kind *k, nsec start, nsec dur)
{
	struct drawn_rank *r = &d->rank[rank];
	struct collectives *c = &r->collectives;

	PUSH(c->kind, c->nkind, r->kind_cap, *k);
	PUSH(c->v, c->n, r->cap,
		(struct collective){ .start = start,
			.dur = dur,
			.seq = ARG_UNKNOWN,
			.kind = (uint32_t)c->nkind - 1,
			.step = r->digest.nstep ? (uint32_t)r->digest.nstep - 1 : COLL_NO_STEP,
			.piece = (uint32_t)c->npiece });
	drawn_expose(d, rank, 0, dur, dur);
	return &c->v[c->n - 1];
}

void drawn_expose(struct drawn_job *d, size_t rank, nsec at, nsec span, nsec ns)
{
	struct drawn_rank *r = &d->rank[rank];
	struct collectives *c = &r->collectives;
	struct collective *last = &c->v[c->n - 1];

	PUSH(c->piece, c->npiece, r->piece_cap, (struct coll_piece){ at, span, ns });
	last->npiece++;
	last->exposed += ns;
}

const struct job *drawn_make(struct drawn_job *d)
{
	const struct digest **list = arena_array(&d->mem, d->n, sizeof(*list));
	size_t i;

	for (i = 0; i < d->n; i++)
		list[i] = &d->rank[i].digest;
	job_init_ranks(&d->job, list, d->n, &d->mem);
	return &d->job;
}
