/* Matched jobs drawn by hand. */
#include "sketched_job.h"

#include <string.h>

#include "analyze/job/waits/jobblame.h"

enum { KERNELS = 16 };

void sketched_init(struct sketched_job *d, size_t nrank, size_t nstep)
{
	struct job *j = &d->j;
	uint32_t *all;
	size_t i, k;

	memset(d, 0, sizeof(*d));
	*j = (struct job){ .nrank = nrank, .nstep = nstep, .nisland = 1 };
	j->rank = arena_array(&d->mem, nrank, sizeof(*j->rank));
	j->group = arena_array(&d->mem, SKETCHED_GROUPS, sizeof(*j->group));
	j->meet = arena_array(&d->mem, SKETCHED_MEETS, sizeof(*j->meet));
	j->step = arena_array(&d->mem, nstep, sizeof(*j->step));
	j->by_step = arena_array(&d->mem, nstep * nrank, sizeof(*j->by_step));
	d->digest = arena_array(&d->mem, nrank, sizeof(*d->digest));
	d->coll = arena_array(&d->mem, nrank, sizeof(*d->coll));
	all = arena_array(&d->mem, nrank, sizeof(*all));
	for (k = 0; k < nstep; k++)
		j->step[k] = (int64_t)k + 5;
	for (i = 0; i < nrank; i++) {
		struct digest *g = &d->digest[i];
		struct collectives *c = &d->coll[i];

		all[i] = (uint32_t)i;
		*g = (struct digest){ .path = "trace.json",
			.kind = "trace",
			.rank = (int64_t)i,
			.has_events = true,
			.has_steps = true,
			.has_device = true,
			.ndevice = 1,
			.nstep = nstep,
			.collectives = c };
		g->step = arena_array(&d->mem, nstep, sizeof(*g->step));
		g->device.v = arena_array(&d->mem, KERNELS, sizeof(*g->device.v));
		for (k = 0; k < nstep; k++)
			g->step[k].number = j->step[k];
		c->v = arena_array(&d->mem, SKETCHED_MEETS, sizeof(*c->v));
		c->split = arena_array(&d->mem, SKETCHED_MEETS, sizeof(*c->split));
		c->kind = arena_array(&d->mem, COMM_OP_COUNT, sizeof(*c->kind));
		c->nkind = COMM_OP_COUNT;
		for (k = 0; k < COMM_OP_COUNT; k++)
			c->kind[k] = (struct coll_kind){ .op = (enum comm_op)k };
		j->rank[i] = (struct job_rank){ .digest = g, .rank = (int64_t)i };
	}
	(void)sketched_group(d, "world", all, nrank);
}

void sketched_clear(struct sketched_job *d)
{
	arena_clear(&d->mem);
}

uint32_t sketched_group(struct sketched_job *d, const char *name, const uint32_t *member, size_t n)
{
	struct job_group *g = &d->j.group[d->j.ngroup];

	g->name = span_of(name);
	g->member = arena_array(&d->mem, n, sizeof(*g->member));
	memcpy(g->member, member, n * sizeof(*member));
	g->nmember = n;
	g->nrank = (int64_t)n;
	return (uint32_t)d->j.ngroup++;
}

void sketched_part(struct sketched_job *d, size_t step, size_t rank, enum digest_part part, nsec ns)
{
	struct digest_step *s = &d->digest[rank].step[step];

	s->part[part] += ns;
	s->wall += ns;
	if (part > PART_IDLE)
		s->part[PART_IDLE] += ns;
}

struct digest_op *sketched_kernel(
	struct sketched_job *d, size_t rank, const char *name, int64_t calls, nsec ns)
{
	struct digest_ops *o = &d->digest[rank].device;
	struct digest_op *op = &o->v[o->n++];

	*op = (struct digest_op){ .name = span_of(name),
		.op = span_of("aten::mm"),
		.kind = KIND_KERNEL,
		.calls = calls,
		.ns = ns };
	return op;
}

static void arrive(
	struct sketched_job *d, struct collective_instance *m, uint32_t rank, enum comm_op op)
{
	struct collectives *c = &d->coll[rank];

	c->v[c->n] = (struct collective){ .kind = (uint32_t)op, .step = m->step };
	m->arrival[m->n++] = (struct job_arrival){ .rank = rank, .collective = (uint32_t)c->n++ };
}

/* Waits of the n arrivals, which come so late. */
static struct collective_instance *settle(
	struct sketched_job *d, struct collective_instance *m, const nsec *late, uint32_t n)
{
	uint32_t i, last = 0;

	for (i = 0; i < n; i++)
		if (late[i] > late[last])
			last = i;
	m->last = last;
	for (i = 0; i < n; i++) {
		struct job_arrival *a = &m->arrival[i];
		struct digest_step *s = &d->digest[a->rank].step[m->step];

		a->wait = a->exposed_wait = late[last] - late[i];
		m->skew = a->wait > m->skew ? a->wait : m->skew;
		s->part[PART_COMM] += a->wait + m->transfer;
		s->wall += a->wait + m->transfer;
		d->j.by_step[m->step * d->j.nrank + a->rank].transfer += m->transfer;
	}
	return m;
}

static struct collective_instance *begin(
	struct sketched_job *d, uint32_t group, enum comm_op op, size_t step)
{
	struct collective_instance *m = &d->j.meet[d->j.nmeet++];

	*m = (struct collective_instance){
		.group = group, .op = op, .step = (uint32_t)step, .is_sync = true
	};
	m->arrival = arena_array(&d->mem, d->j.group[group].nmember, sizeof(*m->arrival));
	return m;
}

struct collective_instance *sketched_meet(struct sketched_job *d, uint32_t group, enum comm_op op,
	int64_t bytes, size_t step, const nsec *late, nsec transfer)
{
	struct collective_instance *m = begin(d, group, op, step);
	size_t i;

	m->bytes = bytes;
	m->transfer = transfer;
	m->is_whole = true;
	for (i = 0; i < d->j.group[group].nmember; i++)
		arrive(d, m, d->j.group[group].member[i], op);
	return settle(d, m, late, m->n);
}

struct collective_instance *sketched_message(struct sketched_job *d, size_t step, uint32_t from,
	uint32_t to, nsec from_late, nsec to_late, nsec transfer)
{
	nsec late[2] = { from < to ? from_late : to_late, from < to ? to_late : from_late };
	struct collective_instance *m = begin(d, 0, COMM_SEND, step);

	m->bytes = 4096;
	m->transfer = transfer;
	arrive(d, m, from < to ? from : to, from < to ? COMM_SEND : COMM_RECV);
	arrive(d, m, from < to ? to : from, from < to ? COMM_RECV : COMM_SEND);
	return settle(d, m, late, 2);
}

void sketched_split(struct sketched_job *d, struct collective_instance *m, size_t arrival,
	const int64_t *in, const int64_t *out, size_t n)
{
	struct collectives *c = &d->coll[m->arrival[arrival].rank];

	c->split[c->nsplit++] = (struct coll_split){ in, out, n, n };
	c->v[m->arrival[arrival].collective].split = (uint32_t)c->nsplit;
}

static void count(struct job *j, const struct collective_instance *m)
{
	struct job_rank *last = &j->rank[m->arrival[m->last].rank];
	uint32_t i;

	last->nlast++;
	for (i = 0; i < m->n; i++) {
		const struct job_arrival *a = &m->arrival[i];
		struct job_rank *r = &j->rank[a->rank];

		r->nmeet++;
		r->ncollective++;
		r->nmatched++;
		r->transfer += m->transfer;
		j->ncollective++;
		j->nmatched++;
	}
}

const struct job *sketched_done(struct sketched_job *d)
{
	struct job *j = &d->j;
	uint32_t *step = arena_array(&d->mem, j->nstep, sizeof(*step));
	uint32_t **of = arena_array(&d->mem, j->nrank, sizeof(*of));
	size_t i;

	for (i = 0; i < j->nmeet; i++)
		count(j, &j->meet[i]);
	for (i = 0; i < j->nstep; i++)
		step[i] = (uint32_t)i;
	for (i = 0; i < j->nrank; i++)
		of[i] = step;
	job_blame(j, of, &d->mem);
	return j;
}
