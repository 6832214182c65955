/* `memory`: which ops allocate, and whose blocks are alive at the peak. */
#include "analyze/answer/memory/memory.h"
#include "analyze/analysis/row_limit.h"

/* What happened in ops of one name; index 0 is outside of ops. */
struct use {
	int64_t self, self_freed, total, total_freed;
	int64_t allocs, total_allocs;
	size_t stamp; /* 1 + the record that was counted last */
};

struct place {
	sym name;
	int64_t value, count;
	struct span text;
};

ORDER(by_value, struct place, compare3(b->value, a->value), compare3(b->count, a->count),
	span_cmp(a->text, b->text))

/* An argument of a record; ARG_UNKNOWN of one that has none at all, too. */
static int64_t value_of(const struct run *r, enum arg arg, uint32_t row)
{
	uint32_t side = r->events.args[row];

	return side == NO_ARGS ? ARG_UNKNOWN : args_i64(&r->args, arg, side - 1);
}

static int64_t bytes_of(const struct run *r, uint32_t row)
{
	int64_t bytes = value_of(r, ARG_MEMORY_BYTES, row);

	return bytes == ARG_UNKNOWN ? 0 : bytes;
}

static void count_total(struct use *u, int64_t bytes, size_t stamp)
{
	if (u->stamp == stamp)
		return;
	u->stamp = stamp;
	if (bytes > 0)
		saturate_onto(&u->total, bytes);
	else
		u->total_freed = saturate_sub(u->total_freed, bytes);
	u->total_allocs += bytes > 0;
}

static void count_self(struct use *u, int64_t bytes)
{
	if (bytes > 0)
		saturate_onto(&u->self, bytes);
	else
		u->self_freed = saturate_sub(u->self_freed, bytes);
	u->allocs += bytes > 0;
}

/* Everything around the record on its thread that is an op or an annotation. */
static void count_record(struct memory *m, struct use *use, uint32_t row, size_t stamp)
{
	const struct run *r = m->at->run;
	const struct events *ev = &r->events;
	int64_t bytes = bytes_of(r, row);
	uint32_t op = memcurve_op(&m->path, row);
	uint32_t at = hostpath_at(&m->path, ev->lane[row], ev->start[row]);

	count_self(&use[op == NO_ROW ? 0 : ev->name[op]], bytes);
	if (op == NO_ROW)
		count_total(&use[0], bytes, stamp);
	for (; at != NO_ROW; at = hostpath_up(&m->path, at)) {
		uint32_t call = hostpath_row(&m->path, at);

		if (ev->kind[call] == KIND_OP || ev->kind[call] == KIND_ANNOTATION)
			count_total(&use[ev->name[call]], bytes, stamp);
	}
}

static struct place *rank(struct memory *m, const struct use *use, size_t *n)
{
	const struct strings *names = &m->at->run->strings;
	struct place *v = NULL;
	size_t cap = 0, i;

	for (i = 0, *n = 0; i < names->n; i++) {
		if (use[i].total_allocs == 0 && use[i].total_freed == 0)
			continue;
		if (!filter_name(&m->at->view, (sym)i))
			continue;
		PUSH(v, *n, cap,
			(struct place){ (sym)i, use[i].self, use[i].total_allocs,
				strings_get(names, (sym)i) });
	}
	sort_rows(v, *n, sizeof(*v), by_value);
	return v;
}

static void put_use(
	struct table *t, const struct memcurve *c, const struct place *p, const struct use *u)
{
	TABLE_ROW(t, [MOP_DEVICE] = cell_text(memcurve_device(c, t->mem)),
		[MOP_SELF] = cell_int(u->self), [MOP_SHARE] = cell_ratio(u->self, c->alloc_bytes),
		[MOP_SELF_NET] = cell_int(saturate_sub(u->self, u->self_freed)),
		[MOP_ALLOCS] = cell_int(u->allocs), [MOP_TOTAL] = cell_int(u->total),
		[MOP_TOTAL_NET] = cell_int(saturate_sub(u->total, u->total_freed)),
		[MOP_TOTAL_ALLOCS] = cell_int(u->total_allocs),
		[MOP_NAME] = CELL_IF(p->name, cell_text(p->text)));
}

void memory_put_ops(struct memory *m)
{
	struct table *t = perrun_table(m->at, &memory_docs[MEMORY_OPS]);
	size_t names = m->at->run->strings.n, i;

	for (size_t k = m->curves.n; k-- > 0;) {
		const struct memcurve *c = &m->curves.v[k];
		struct arena_mark mark = arena_mark(&m->at->mem);
		struct use *use = arena_array(&m->at->mem, names, sizeof(*use));
		size_t n;

		for (i = 0; i < c->n; i++)
			count_record(m, use, c->row[i], i + 1);
		struct place *v = rank(m, use, &n);
		for (i = 0; i < n && i < m->limit; i++)
			put_use(t, c, &v[i], &use[v[i].name]);
		t->ncut += n - i;
		free(v);
		arena_reset(&m->at->mem, mark);
	}
	rows_cut(t, MOP_NAME, t->ncut);
}

/* Blocks by address: open addressing, at most half full; a freed one stays with no bytes. */
struct block {
	int64_t address, bytes;
	uint32_t row;
	bool is_used;
};

static struct block *block_of(struct block *v, size_t n, int64_t address)
{
	size_t i = (size_t)((uint64_t)address * UINT64_C(0x9e3779b97f4a7c15) >> 17) & (n - 1);

	while (v[i].is_used && v[i].address != address)
		i = (i + 1) & (n - 1);
	return &v[i];
}

/* Blocks alive after the peak's record; *size receives the slots. */
static struct block *live_blocks(struct memory *m, const struct memcurve *c, size_t *size)
{
	const struct run *r = m->at->run;

	for (*size = 16; *size < 2 * (c->peak + 1); *size *= 2)
		;
	struct block *v = xcalloc(*size, sizeof(*v));
	for (size_t i = 0; i <= c->peak && i < c->n; i++) {
		int64_t bytes = bytes_of(r, c->row[i]);
		int64_t a = value_of(r, ARG_MEMORY_ADDRESS, c->row[i]);

		if (a == ARG_UNKNOWN || bytes == 0)
			continue;
		struct block *b = block_of(v, *size, a);
		*b = (struct block){ a, MAX(bytes, 0), c->row[i], true };
	}
	return v;
}

/* Bytes alive at the peak, by the name of the op that allocated them; their sum. */
static int64_t sum_live(struct memory *m, const struct memcurve *c, struct use *use)
{
	const struct run *r = m->at->run;
	int64_t sum = 0;
	size_t size;
	struct block *b = live_blocks(m, c, &size);

	for (EACH(const struct block, block, b, size)) {
		if (block->bytes == 0)
			continue;
		uint32_t op = memcurve_op(&m->path, block->row);
		struct use *u = &use[op == NO_ROW ? 0 : r->events.name[op]];
		saturate_onto(&u->self, block->bytes);
		u->total_allocs++;
		saturate_onto(&sum, block->bytes);
	}
	free(b);
	return sum;
}

/* The table is made when there is a row for it. */
static void put_live_of(struct memory *m, struct table **t, const struct memcurve *c)
{
	struct arena_mark mark = arena_mark(&m->at->mem);
	struct use *use = arena_array(&m->at->mem, m->at->run->strings.n, sizeof(*use));
	size_t i, n;

	if (sum_live(m, c, use) > c->allocated[c->peak]) {
		result_note(m->at->out, NOTE_INFO, "frees_unmatched", m->at->input, -1,
			"frees do not have the addresses of their allocations, so what is alive at "
			"the peak is unknown");
		arena_reset(&m->at->mem, mark);
		return;
	}
	struct place *v = rank(m, use, &n);
	if (n > 0 && !*t) {
		*t = perrun_table(m->at, &memory_docs[MEMORY_LIVE]);
		(*t)->footnote =
			"of what was allocated in the trace; the rest of the peak was there before";
	}
	for (i = 0; i < n && i < m->limit; i++)
		TABLE_ROW(*t, [MLIVE_DEVICE] = cell_text(memcurve_device(c, (*t)->mem)),
			[MLIVE_BYTES] = cell_int(v[i].value),
			[MLIVE_SHARE] = CELL_IF(!c->is_relative && c->allocated[c->peak] > 0,
				cell_real((double)v[i].value / (double)c->allocated[c->peak])),
			[MLIVE_BLOCKS] = cell_int(v[i].count),
			[MLIVE_NAME] = CELL_IF(v[i].name, cell_text(v[i].text)));
	if (*t)
		(*t)->ncut += n - i;
	free(v);
	arena_reset(&m->at->mem, mark);
}

void memory_put_live(struct memory *m)
{
	struct table *t = NULL;

	for (size_t k = m->curves.n; k-- > 0;)
		if (m->curves.v[k].peak < m->curves.v[k].n)
			put_live_of(m, &t, &m->curves.v[k]);
	if (t)
		rows_cut(t, MLIVE_NAME, t->ncut);
}
