/*
 * Matching: columns of units, and meets of columns.
 */
#include "analyze/job/match.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/job/matchalign.h"
#include "analyze/trace/args.h"
#include "analyze/trace/keymap.h"
#include "analyze/trace/strings.h"
#include "base/saturate.h"

static const uint64_t seed = 0x6d61746368696e67u;

/* Columns a unit may have, times those of its longest list: of ranks that have nothing in common
 * with it, not all collectives are kept. */
enum { COLUMNS_OF_LONGEST = 4 };

struct symbol_key {
	int64_t bytes;
	sym dtype;
	uint32_t op;
};

struct columns {
	struct align_item *item; /* in their order */
	uint32_t *id;            /* by the same: in the order of making */
	size_t n, most;
};

struct matching {
	struct job *j;
	struct arena *mem;
	struct arena scratch; /* of all */
	struct arena unit;    /* of the unit at hand */
	struct arena list;    /* of the list at hand */
	uint32_t **symbol;    /* by rank, then kind */
	struct columns columns;
	size_t meet_cap;
};

/* What all ranks have the same bytes of; where parts are uneven, each has its own. */
static bool has_equal_bytes(enum comm_op op)
{
	return op == COMM_ALL_REDUCE || op == COMM_REDUCE || op == COMM_BROADCAST ||
		op == COMM_ALL_GATHER || op == COMM_REDUCE_SCATTER || op == COMM_SEND ||
		op == COMM_RECV;
}

static void number_symbols(struct matching *m)
{
	struct strings texts;
	struct keymap keys;
	size_t r, i;

	strings_init(&texts, seed);
	keymap_init(&keys, sizeof(struct symbol_key));
	m->symbol = arena_array(&m->scratch, m->j->nrank, sizeof(*m->symbol));
	for (r = 0; r < m->j->nrank; r++) {
		const struct collectives *c = m->j->rank[r].digest->collectives;

		if (!c)
			continue;
		m->symbol[r] = arena_array(&m->scratch, c->nkind, sizeof(**m->symbol));
		for (i = 0; i < c->nkind; i++) {
			const struct coll_kind *k = &c->kind[i];
			enum comm_op op = k->op == COMM_RECV ? COMM_SEND : k->op;
			const struct symbol_key key = {
				has_equal_bytes(op) ? k->bytes : ARG_UNKNOWN,
				strings_intern(&texts, k->dtype),
				(uint32_t)op,
			};

			m->symbol[r][i] = keymap_add(&keys, &key);
		}
	}
	keymap_clear(&keys);
	strings_clear(&texts);
}

static struct align_item *items_of(struct matching *m, const struct match_list *l)
{
	const struct digest *d = m->j->rank[l->rank].digest;
	struct align_item *item = arena_array(&m->list, l->n, sizeof(*item));
	size_t i;

	for (i = 0; i < l->n; i++) {
		const struct collective *c = &d->collectives->v[l->v[i]];

		item[i] = (struct align_item){
			.symbol = m->symbol[l->rank][c->kind],
			.has_step = d->has_steps && c->step != COLL_NO_STEP,
			.seq = c->seq,
			.end = saturate_add(c->start, c->dur),
		};
		if (item[i].has_step)
			item[i].step = d->step[c->step].number;
	}
	return item;
}

/* What fits no column becomes one, in front of the next that is fitted. */
static void insert(struct matching *m, const struct align_item *item, size_t n, const uint32_t *to,
	uint32_t *id, size_t nalone)
{
	struct columns *c = &m->columns, more = { .most = c->most };
	uint32_t next_id = (uint32_t)c->n;
	size_t i, at = 0;

	more.item = arena_array(&m->unit, c->n + nalone, sizeof(*more.item));
	more.id = arena_array(&m->unit, c->n + nalone, sizeof(*more.id));
	for (i = 0; i <= n; i++) {
		size_t until = i < n && to[i] != ALIGN_ALONE ? to[i] + 1 : i < n ? at : c->n;

		for (; at < until; at++, more.n++) {
			more.item[more.n] = c->item[at];
			more.id[more.n] = c->id[at];
		}
		if (i == n || to[i] != ALIGN_ALONE || next_id >= c->most)
			continue;
		id[i] = next_id++;
		more.item[more.n] = item[i];
		more.id[more.n++] = id[i];
	}
	*c = more;
}

/* The column of each collective of a list, by its id; ALIGN_ALONE: there was no room for one. */
static void match_list(struct matching *m, const struct match_list *l, uint32_t *id)
{
	struct align_item *item = items_of(m, l);
	uint32_t *to = arena_array(&m->list, l->n, sizeof(*to));
	size_t i, nalone = 0;

	align(item, l->n, m->columns.item, m->columns.n, to, &m->list);
	for (i = 0; i < l->n; i++) {
		id[i] = to[i] == ALIGN_ALONE ? ALIGN_ALONE : m->columns.id[to[i]];
		nalone += to[i] == ALIGN_ALONE;
	}
	if (nalone > 0)
		insert(m, item, l->n, to, id, nalone);
	arena_clear(&m->list);
}

/* The first of the longest lists. */
static size_t longest(const struct match_unit *u)
{
	size_t i, at = 0;

	for (i = 1; i < u->nlist; i++)
		if (u->list[i].n > u->list[at].n)
			at = i;
	return at;
}

/* The columns are those of the longest list at first. */
static void begin(struct matching *m, const struct match_list *l, uint32_t *id)
{
	const struct align_item *item = items_of(m, l);
	struct columns *c = &m->columns;
	size_t i;

	*c = (struct columns){ .n = l->n, .most = COLUMNS_OF_LONGEST * l->n };
	c->item = arena_array(&m->unit, c->n, sizeof(*c->item));
	c->id = arena_array(&m->unit, c->n, sizeof(*c->id));
	memcpy(c->item, item, c->n * sizeof(*item));
	for (i = 0; i < c->n; i++)
		id[i] = c->id[i] = (uint32_t)i;
	arena_clear(&m->list);
}

static bool is_sync(enum comm_op op)
{
	switch (op) {
	case COMM_ALL_REDUCE:
	case COMM_ALL_GATHER:
	case COMM_REDUCE_SCATTER:
	case COMM_ALL_TO_ALL:
	case COMM_BARRIER:
	case COMM_DISPATCH:
	case COMM_COMBINE:
	case COMM_SEND:
	case COMM_RECV: return true;
	default: return false;
	}
}

static struct job_meet *new_meet(struct matching *m, uint32_t group, uint32_t n)
{
	struct job *j = m->j;
	struct job_meet *meet;

	j->meet = array_grow(j->meet, &m->meet_cap, j->nmeet + 1, sizeof(*j->meet));
	meet = &j->meet[j->nmeet++];
	*meet = (struct job_meet){
		.group = group, .bytes = ARG_UNKNOWN, .last = n, .step = COLL_NO_STEP
	};
	meet->arrival = arena_array(m->mem, n, sizeof(*meet->arrival));
	return meet;
}

/* One more rank in a meet.  Of what not all ranks say, what one says counts. */
static void arrive(struct matching *m, struct job_meet *meet, uint32_t rank, uint32_t collective)
{
	const struct collectives *c = m->j->rank[rank].digest->collectives;
	const struct coll_kind *k = &c->kind[c->v[collective].kind];

	meet->arrival[meet->n++] = (struct job_arrival){ .rank = rank, .collective = collective };
	if (meet->bytes == ARG_UNKNOWN || (k->bytes != ARG_UNKNOWN && k->bytes > meet->bytes))
		meet->bytes = k->bytes;
	if (meet->dtype.n == 0)
		meet->dtype = k->dtype;
	meet->op = k->op == COMM_RECV ? COMM_SEND : k->op;
	meet->is_sync = is_sync(meet->op);
	m->j->rank[rank].nmatched++;
}

/* Meets of the columns that two ranks at least were seen in; meet: by id, 1 + its place. */
static void make_meets(struct matching *m, const struct match_unit *u, uint32_t *const *id)
{
	const struct columns *c = &m->columns;
	uint32_t *count = arena_array(&m->unit, c->n, sizeof(*count));
	uint32_t *meet = arena_array(&m->unit, c->n, sizeof(*meet));
	size_t i, k;

	for (i = 0; i < u->nlist; i++)
		for (k = 0; k < u->list[i].n; k++)
			if (id[i][k] != ALIGN_ALONE)
				count[id[i][k]]++;
	for (i = 0; i < c->n; i++)
		if (count[c->id[i]] > 1) {
			(void)new_meet(m, u->group, count[c->id[i]]);
			meet[c->id[i]] = (uint32_t)m->j->nmeet;
		}
	for (i = 0; i < u->nlist; i++)
		for (k = 0; k < u->list[i].n; k++)
			if (id[i][k] != ALIGN_ALONE && meet[id[i][k]])
				arrive(m, &m->j->meet[meet[id[i][k]] - 1], u->list[i].rank,
					u->list[i].v[k]);
}

static void match_unit(struct matching *m, const struct match_unit *u)
{
	uint32_t **id = arena_array(&m->unit, u->nlist, sizeof(*id));
	size_t i, at = longest(u), first = m->j->nmeet;

	for (i = 0; i < u->nlist; i++)
		id[i] = arena_array(&m->unit, u->list[i].n, sizeof(**id));
	begin(m, &u->list[at], id[at]);
	for (i = 0; i < u->nlist; i++)
		if (i != at)
			match_list(m, &u->list[i], id[i]);
	make_meets(m, u, id);
	for (i = first; i < m->j->nmeet; i++)
		m->j->meet[i].is_whole =
			u->is_pair || m->j->meet[i].n == m->j->group[u->group].nmember;
	arena_clear(&m->unit);
}

static void count(struct job *j)
{
	size_t i;

	for (i = 0; i < j->nrank; i++) {
		const struct collectives *c = j->rank[i].digest->collectives;

		j->rank[i].ncollective = c ? c->n : 0;
		j->ncollective += j->rank[i].ncollective;
		j->nmatched += j->rank[i].nmatched;
	}
}

void match(struct job *j, struct arena *mem)
{
	struct matching m = { .j = j, .mem = mem };
	struct match_units units;
	struct job_meet *meet;
	size_t i;

	arena_init(&m.scratch);
	arena_init(&m.unit);
	arena_init(&m.list);
	match_units_init(&units, j, mem, &m.scratch);
	number_symbols(&m);
	for (i = 0; i < units.n; i++)
		if (units.v[i].nlist > 1)
			match_unit(&m, &units.v[i]);
	meet = arena_array(mem, j->nmeet, sizeof(*meet));
	if (j->nmeet)
		memcpy(meet, j->meet, j->nmeet * sizeof(*meet));
	free(j->meet);
	j->meet = meet;
	count(j);
	arena_clear(&m.scratch);
	arena_clear(&m.unit);
	arena_clear(&m.list);
}
