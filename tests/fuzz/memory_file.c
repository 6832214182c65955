/* Reading from memory, and a digest over everything a load produced. */
#include "tests/fuzz/memory_file.h"

#include <string.h>

#include "analyze/trace/run.h"

ssize_t memory_read(void *ctx, void *buf, size_t n)
{
	struct memory_file *f = ctx;
	size_t left = f->size - f->at;

	if (n > left)
		n = left;
	if (f->piece && n > f->piece)
		n = f->piece;
	if (n)
		memcpy(buf, f->data + f->at, n);
	f->at += n;
	return (ssize_t)n;
}

static void add(uint64_t *h, const void *p, size_t n)
{
	const unsigned char *c = p;
	size_t i;

	for (i = 0; i < n; i++)
		*h = (*h ^ c[i]) * 1099511628211u;
}

static void add_events(uint64_t *h, const struct events *e)
{
	add(h, &e->n, sizeof(e->n));
	add(h, e->start, e->n * sizeof(*e->start));
	add(h, e->dur, e->n * sizeof(*e->dur));
	add(h, e->name, e->n * sizeof(*e->name));
	add(h, e->lane, e->n * sizeof(*e->lane));
	add(h, e->args, e->n * sizeof(*e->args));
	add(h, e->kind, e->n);
	add(h, e->flags, e->n);
}

void memory_args_digest(uint64_t *h, const struct args *a)
{
	unsigned i;

	for (i = 0; i < ARG_COUNT; i++)
		if (a->col[i].any)
			add(h, a->col[i].any,
				a->n[arg_infos[i].table] * arg_size(arg_infos[i].type));
	for (i = 0; i < SET_COUNT; i++) {
		const struct arg_set *set = &a->set[i];

		if (!set->of)
			continue;
		add(h, set->of, a->n[args_table_of_set((enum args_set)i)] * sizeof(*set->of));
		add(h, set->values.key, set->values.n * set->values.size);
	}
}

uint64_t memory_run_digest(const struct run *r)
{
	uint64_t h = 14695981039346656037u;
	size_t i;

	add_events(&h, &r->events);
	for (i = 0; i < r->strings.n; i++)
		add(&h, r->strings.text[i].p, r->strings.text[i].n);
	memory_args_digest(&h, &r->args);
	for (i = 0; i < r->lanes.n; i++) {
		const struct lane *l = &r->lanes.lane[i];
		int64_t key[] = { l->pid, l->tid, l->is_device, l->device, l->stream,
			l->thread_name };

		add(&h, key, sizeof(key));
	}
	add(&h, r->tally.count, sizeof(r->tally.count));
	add(&h, r->tally.offset, sizeof(r->tally.offset));
	add(&h, &r->nevent, sizeof(r->nevent));
	add(&h, r->kind_count, sizeof(r->kind_count));
	return h;
}
