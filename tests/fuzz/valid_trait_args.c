/* Traits of ids, places, arguments, jobs and devices. */
#include "tests/fuzz/valid_trait_args.h"

#include "base/compiler.h"
#include "base/saturate.h"
#include "tests/fuzz/valid_run.h"
#include "tests/fuzz/valid_trait.h"

static const int64_t far_off[] = { INT64_MAX, INT64_MIN + 1, 4294967296, -1 };

void valid_trait_same_ids(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		if (r->ev[i].corr && valid_trait_hits(i, how))
			r->ev[i].corr = 30001;
		if (how & 4)
			r->ev[i].ext = 1;
	}
}

/* Launches without work, work without launches. */
void valid_trait_no_partners(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (r->ev[i].corr && valid_trait_hits(i, how))
			r->ev[i].corr = how & 4 ? 0 : 900000 + (int64_t)i;
}

void valid_trait_huge_ids(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (valid_trait_hits(i, how)) {
			r->ev[i].corr = far_off[how / 4 % 4];
			r->ev[i].ext = far_off[(how / 4 + 1) % 4];
		}
}

void valid_trait_huge_places(struct valid_run *r, unsigned how)
{
	int64_t to = far_off[how / 16 % 4];
	size_t i;

	for (i = 0; i < r->n; i++) {
		if (!valid_trait_hits(i, how))
			continue;
		if (how & 4)
			r->ev[i].tid = to;
		else
			r->ev[i].pid = to;
		if (how & 8)
			r->ev[i].v[0] = to;
	}
}

void valid_trait_no_args(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		r->ev[i].bare = valid_trait_hits(i, how);
}

void valid_trait_huge_args(struct valid_run *r, unsigned how)
{
	static const int64_t to[] = { INT64_MAX, INT64_MIN + 1, 1000000000000000, -1, 0,
		3037000500 };
	size_t i, k;

	for (i = 0; i < r->n; i++)
		for (k = 0; valid_trait_hits(i, how) && k < COUNT_OF(r->ev[i].v); k++)
			r->ev[i].v[k] = to[(how / 4 + (how & 128 ? k : 0)) % COUNT_OF(to)];
}

/* The collective of an event, to be changed. */
static struct valid_coll *coll_of(struct valid_run *r, size_t i)
{
	struct valid_coll *c;

	if (!r->ev[i].coll)
		return NULL;
	c = arena_alloc(r->mem, sizeof(*c));
	*c = *r->ev[i].coll;
	r->ev[i].coll = c;
	return c;
}

void valid_trait_collectives_bare(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		struct valid_coll *c = coll_of(r, i);

		if (!c || !valid_trait_hits(i, how / 64))
			continue;
		c->name = how & 1 ? c->name : NULL;
		c->group = how & 2 ? c->group : NULL;
		c->ranks = how & 4 ? c->ranks : NULL;
		c->dtype = how & 8 ? c->dtype : NULL;
		c->in = how & 16 ? c->in : -1;
		c->size = how & 32 ? c->size : -1;
		c->seq = -1;
	}
}

void valid_trait_collectives_odd(struct valid_run *r, unsigned how)
{
	static const int64_t to[] = { 0, INT64_MAX, 1, 4611686018427387904 };
	static const char *const names[] = { "allreduce", "send", "recv", "coalesced", "barrier",
		"unknown", "" };
	static const char *const ranks[] = { "[]", "[0]", "[7, 7, 7]", "[0, 1, 2, 3, ...]", "[-1]",
		"[9223372036854775807]", "x" };
	size_t i;

	for (i = 0; i < r->n; i++) {
		struct valid_coll *c = coll_of(r, i);

		if (!c || !valid_trait_hits(i, how))
			continue;
		c->in = to[how / 4 % 4];
		c->out = to[how / 8 % 4];
		c->size = to[how / 16 % 4];
		c->name = names[how % COUNT_OF(names)];
		c->ranks = ranks[how / 4 % COUNT_OF(ranks)];
		c->seq = how & 64 ? 1 : to[how / 32 % 4];
		c->dtype = how & 128 ? "Strange" : c->dtype;
	}
}

/* Some are missing, other ones of each rank, as a profiler drops them. */
void valid_trait_collectives_lost(struct valid_run *r, unsigned how)
{
	size_t i, n = 0, nth = 0;

	for (i = 0; i < r->n; i++)
		if (!r->ev[i].coll || !valid_trait_hits(nth++, how + 1 + r->shape.rank))
			r->ev[n++] = r->ev[i];
	r->n = n;
}

void valid_trait_world_zero(struct valid_run *r, unsigned how)
{
	r->world = how % 2 ? -1 : 0;
	r->rank = how & 2 ? 0 : r->rank;
}

void valid_trait_world_huge(struct valid_run *r, unsigned how)
{
	static const int64_t worlds[] = { 1000000, 2147483648, INT64_MAX, 65536 };

	r->world = worlds[how % COUNT_OF(worlds)];
	if (how & 4)
		r->rank = r->world - 1;
}

void valid_trait_rank_odd(struct valid_run *r, unsigned how)
{
	static const int64_t ranks[] = { -1, 1000000, INT64_MAX, 0 };

	r->rank = ranks[how % COUNT_OF(ranks)];
}

/* The ranks of a job skip some. */
void valid_trait_ranks_missing(struct valid_run *r, unsigned how)
{
	r->rank = saturate_add(saturate_times(r->rank, 2), how % 2);
	if (r->world < 8)
		r->world = 8;
}

void valid_trait_python_circles(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (r->ev[i].cat == VALID_PYTHON) {
			r->ev[i].v[1] = how % 2 ? r->ev[i].v[0] : 1 + (int64_t)(how / 2 % 8);
			r->ev[i].v[0] = how & 4 ? 1 : r->ev[i].v[0];
		}
}

void valid_trait_odd_hardware(struct valid_run *r, unsigned how)
{
	static const int64_t values[] = { 0, -1, INT64_MAX, 1 };

	r->sms = values[how % 4];
	r->memory = values[how / 4 % 4];
}

void valid_trait_odd_members(struct valid_run *r, unsigned how)
{
	static const char *const members[] = { "\"deviceProperties\":[]", "\"distributedInfo\":{}",
		"\"deviceProperties\":[{\"id\":-1},{\"id\":99999999999,\"name\":7}]",
		"\"record_shapes\":0,\"with_flops\":1,\"profile_memory\":1,\"with_stack\":1",
		"\"distributedInfo\":{\"rank\":3,\"world_size\":2,\"pg_config\":[{\"ranks\":[0,0]}]}",
		"\"trace_id\":\"\",\"displayTimeUnit\":\"ns\"", "\"traceq\":{\"cut\":{}}",
		"\"cuda_driver_version\":-5,\"cupti_version\":1e400" };

	r->props[0] = members[how % COUNT_OF(members)];
	r->props[1] = members[how / 8 % COUNT_OF(members)];
}

/* Launches of graphs: eight pieces of work have one launch. */
void valid_trait_graphs(struct valid_run *r, unsigned how)
{
	int64_t corr = 0;
	size_t i;

	for (i = 0; i < r->n; i++) {
		struct valid_event *e = &r->ev[i];

		if (e->cat == VALID_RUNTIME && !(how & 2))
			e->name = "cudaGraphLaunch";
		if (!(VALID_BIT(e->cat) & VALID_WORK))
			continue;
		if (i % 8 == 0)
			corr = e->corr;
		e->corr = corr;
		if (how & 1)
			e->ext = 0;
	}
}

void valid_trait_memory_odd(struct valid_run *r, unsigned how)
{
	static const int64_t to[] = { INT64_MAX, -1, 0, INT64_MIN + 1 };
	size_t i;

	for (i = 0; i < r->n; i++) {
		struct valid_event *e = &r->ev[i];

		if (e->cat != VALID_MEMORY)
			continue;
		e->v[how % 4] = to[how / 4 % 4];
		if (how & 64)
			e->name = "[OutOfMemory]";
		if (how & 128)
			e->v[3] = (int64_t)i;
	}
}
