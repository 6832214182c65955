/* A run without its rows as bytes. */
#include "analyze/trace/digest/run_facts.h"

#include "analyze/trace/digest/digest_facts.h"
#include "analyze/trace/digest/digest_wire.h"
#include "analyze/trace/run.h"

enum { LEAST_OF_GPU = 10, LEAST_OF_LANE = 9, LEAST_OF_CATEGORY = 4, LEAST_OF_ENTRY = 2 };

static void walk_sym(struct walk *w, struct run *r, sym *s)
{
	struct span text = w->out ? strings_get(&r->strings, *s) : SPAN("");

	walk_text(w, &text);
	if (w->in)
		*s = strings_intern(&r->strings, text);
}

static void walk_tristate(struct walk *w, enum tristate *t)
{
	*t = (enum tristate)(
		(int)walk_below(w, (size_t)(*t - NOT_SAID), YES - NOT_SAID + 1) + NOT_SAID);
}

static void walk_gpu(struct walk *w, struct run *r, struct gpu *g)
{
	int64_t *const number[] = { &g->id, &g->memory_bytes, &g->sms, &g->major, &g->minor,
		&g->max_threads_per_sm, &g->warp_size, &g->registers_per_sm, &g->shared_per_sm };

	walk_sym(w, r, &g->name);
	for (size_t i = 0; i < COUNT_OF(number); i++)
		walk_int(w, number[i], INT64_MIN);
}

static void walk_meta(struct walk *w, struct run *r)
{
	struct meta *m = &r->meta;
	sym *const text[] = { &m->producer, &m->trace_name, &m->trace_id, &m->host_name,
		&m->backend, &m->nccl_version, &m->cuda_runtime, &m->cuda_driver, &m->cupti,
		&m->hip_runtime, &m->hip_driver, &m->roctracer, &m->torch };
	enum tristate *const said[] = { &m->record_shapes, &m->with_stack, &m->profile_memory,
		&m->with_flops, &m->with_modules };

	for (size_t i = 0; i < COUNT_OF(text); i++)
		walk_sym(w, r, text[i]);
	for (size_t i = 0; i < COUNT_OF(said); i++)
		walk_tristate(w, said[i]);
	walk_int(w, &m->schema_version, INT64_MIN);
	walk_int(w, &m->base_ns, INT64_MIN);
	walk_bool(w, &m->has_base);
	walk_int(w, &m->rank, -1);
	walk_int(w, &m->world_size, -1);
	m->ngpu_more = (size_t)walk_natural(w, (int64_t)m->ngpu_more);
	m->ngpu = walk_many(w, m->ngpu, LEAST_OF_GPU);
	if (w->in)
		m->gpu = arena_array(&r->mem, m->ngpu, sizeof(*m->gpu));
	for (EACH(struct gpu, g, m->gpu, m->ngpu))
		walk_gpu(w, r, g);
	m->nentry = walk_many(w, m->nentry, LEAST_OF_ENTRY);
	if (w->in)
		m->entry = arena_array(&r->mem, m->nentry, sizeof(*m->entry));
	for (EACH(struct meta_entry, entry, m->entry, m->nentry)) {
		walk_sym(w, r, &entry->key);
		walk_sym(w, r, &entry->value);
	}
}

static void walk_lane(struct walk *w, struct run *r, struct lane *l)
{
	sym *const text[] = { &l->pid, &l->tid, &l->process_name, &l->process_labels,
		&l->thread_name };
	int64_t *const number[] = { &l->pid_number, &l->tid_number, &l->device, &l->stream };

	for (size_t i = 0; i < COUNT_OF(text); i++)
		walk_sym(w, r, text[i]);
	for (size_t i = 0; i < COUNT_OF(number); i++)
		walk_int(w, number[i], INT64_MIN);
	walk_bool(w, &l->is_device);
}

static void walk_category(struct walk *w, struct run *r, struct cat_count *c)
{
	walk_sym(w, r, &c->cat);
	walk_bool(w, &c->has_cat);
	c->ph = (char)walk_below(w, (size_t)(unsigned char)c->ph, UINT8_MAX + 1);
	walk_int(w, &c->count, 0);
}

static void walk_counts(struct walk *w, struct run *r)
{
	bool *const said[] = { &r->saw_window_end, &r->is_array, &r->streams_of_processes,
		&r->has_arrows };

	walk_int(w, &r->nevent, 0);
	walk_int(w, &r->first_ns, INT64_MIN);
	walk_int(w, &r->last_ns, INT64_MIN);
	for (size_t i = 0; i < COUNT_OF(said); i++)
		walk_bool(w, said[i]);
	for (int k = 0; k < KIND_COUNT; k++)
		walk_int(w, &r->kind_count[k], 0);
	tally_walk(w, &r->tally);
}

void run_facts_walk(struct walk *w, struct run *r, unsigned *needs)
{
	*needs = (unsigned)walk_below(w, *needs, UINT32_MAX);
	walk_meta(w, r);
	walk_counts(w, r);
	size_t n = walk_many(w, r->lanes.n, LEAST_OF_LANE);
	for (size_t i = 0; i < n; i++) {
		struct lane l = w->in ? (struct lane){ 0 } : r->lanes.lane[i];

		walk_lane(w, r, &l);
		if (w->in)
			lanes_restore(&r->lanes, &l);
	}
	n = walk_many(w, r->ncat, LEAST_OF_CATEGORY);
	for (size_t i = 0; i < n; i++) {
		struct cat_count c = w->in ? (struct cat_count){ 0 } : r->cat[i];

		walk_category(w, r, &c);
		if (w->in)
			PUSH(r->cat, r->ncat, r->cat_cap, c);
	}
}
