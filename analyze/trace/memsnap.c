/* Memory snapshots: storage only. */
#include "analyze/trace/memsnap.h"

#include "base/base.h"
#include "base/words.h"

WORDS(memsnap_action_word, enum memsnap_action, MEMSNAP_ACTIONS, 2)

WORDS(memsnap_state_word, enum memsnap_state, MEMSNAP_STATES, 2)

struct memsnap *memsnap_new(int artifact)
{
	struct memsnap *m = xcalloc(1, sizeof(*m));

	m->artifact = artifact;
	m->expandable = -1;
	strings_init(&m->names, 0x736e6170u);
	strings_init(&m->stacks, 0x737461636b73u);
	keymap_init(&m->frames, sizeof(struct memsnap_frame));
	keymap_init(&m->streams, sizeof(int64_t));
	keymap_init(&m->pairs, sizeof(struct memsnap_pair));
	(void)keymap_add(&m->pairs, &(struct memsnap_pair){ MEMSNAP_UNKNOWN, MEMSNAP_UNKNOWN });
	return m;
}

void memsnap_free(struct memsnap *m)
{
	if (!m)
		return;
	strings_clear(&m->names);
	strings_clear(&m->stacks);
	keymap_clear(&m->frames);
	keymap_clear(&m->streams);
	keymap_clear(&m->pairs);
	FREE_ALL(m->segment, m->block, m->action, m->addr, m->size, m->time_us, m->stack, m->stream,
		m->trace, m);
}

uint32_t memsnap_stack(struct memsnap *m, const uint32_t *frame, size_t n)
{
	return strings_intern(&m->stacks, (struct span){ (const char *)frame, n * sizeof(*frame) });
}

uint32_t memsnap_frame(struct memsnap *m, sym name, sym file, int64_t line)
{
	return keymap_add(&m->frames, &(struct memsnap_frame){ name, file, line });
}

uint32_t memsnap_pair(struct memsnap *m, int64_t a, int64_t b)
{
	return keymap_add(&m->pairs, &(struct memsnap_pair){ a, b });
}

void memsnap_set_entry(struct memsnap *m, uint32_t at, const struct memsnap_entry *e)
{
	m->action[at] = (uint8_t)e->action;
	m->addr[at] = e->addr;
	m->size[at] = e->size;
	m->time_us[at] = e->time_us;
	m->stack[at] = e->stack;
	m->stream[at] = keymap_add(&m->streams, &e->stream);
}

/* A column with room for one more.  All of them have the same. */
static void *room(const struct memsnap *m, void *column, size_t size, size_t *cap)
{
	*cap = m->entry_cap;
	return array_grow(column, cap, m->nentry + 1, size);
}

static void grow(struct memsnap *m)
{
	size_t cap;

	m->action = room(m, m->action, sizeof(*m->action), &cap);
	m->addr = room(m, m->addr, sizeof(*m->addr), &cap);
	m->size = room(m, m->size, sizeof(*m->size), &cap);
	m->time_us = room(m, m->time_us, sizeof(*m->time_us), &cap);
	m->stack = room(m, m->stack, sizeof(*m->stack), &cap);
	m->stream = room(m, m->stream, sizeof(*m->stream), &cap);
	m->entry_cap = cap;
}

uint32_t memsnap_add_entry(struct memsnap *m, const struct memsnap_entry *e)
{
	grow(m);
	memsnap_set_entry(m, (uint32_t)m->nentry, e);
	return (uint32_t)m->nentry++;
}

struct memsnap_entry memsnap_entry(const struct memsnap *m, uint32_t at)
{
	return (struct memsnap_entry){ (enum memsnap_action)m->action[at], m->addr[at], m->size[at],
		m->time_us[at], memsnap_stream(m, at), m->stack[at] };
}

uint32_t memsnap_add_block(struct memsnap *m, const struct memsnap_block *b)
{
	PUSH(m->block, m->nblock, m->block_cap, *b);
	return (uint32_t)m->nblock - 1;
}

uint32_t memsnap_add_segment(struct memsnap *m, const struct memsnap_segment *s)
{
	PUSH(m->segment, m->nsegment, m->segment_cap, *s);
	return (uint32_t)m->nsegment - 1;
}

void memsnap_add_trace(struct memsnap *m, int64_t device, size_t first, size_t n)
{
	PUSH(m->trace, m->ntrace, m->trace_cap, (struct memsnap_trace){ device, first, n });
}

size_t memsnap_depth(const struct memsnap *m, uint32_t stack)
{
	return strings_get(&m->stacks, stack).n / sizeof(uint32_t);
}

struct memsnap_frame memsnap_frame_at(const struct memsnap *m, uint32_t stack, size_t i)
{
	const char *p = strings_get(&m->stacks, stack).p + i * sizeof(uint32_t);
	uint32_t frame;

	memcpy(&frame, p, sizeof(frame));
	return *(const struct memsnap_frame *)keymap_key(&m->frames, frame);
}

struct memsnap_pair memsnap_pool(const struct memsnap *m, uint32_t pair)
{
	return *(const struct memsnap_pair *)keymap_key(&m->pairs, pair);
}

int64_t memsnap_stream(const struct memsnap *m, size_t entry)
{
	return *(const int64_t *)keymap_key(&m->streams, m->stream[entry]);
}
