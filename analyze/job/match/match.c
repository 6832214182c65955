/* Matching: columns of units, and meets of columns. */
#include "analyze/job/match/match.h"

#include "analyze/job/match/matchalign.h"
#include "analyze/job/match/matchtime.h"
#include "analyze/trace/columns/args.h"
#include "analyze/trace/columns/keymap.h"

static const uint64_t seed = 0x6d61746368696e67u;

/* Columns a unit may have, times those of its longest list: of ranks that have nothing in common
 * with it, not all collectives are kept. */
enum { COLUMNS_OF_LONGEST = 4 };
/* Of a unit; and what ends are no proof below. */
enum { ROUNDS = 16, FEW = 3 };

struct symbol_key {
	int64_t bytes;
	sym dtype;
	uint32_t op;
};

struct columns {
	struct align_item *item; /* in their order */
	uint32_t *id;            /* by the same: in the order of making */
	size_t n, most;
	nsec tolerance; /* match_tolerance of the first of them */
};

struct matching {
	struct job *j;
	struct arena *mem;
	struct arena scratch; /* of all */
	struct arena unit;    /* of the unit at hand */
	struct arena list;    /* of the list at hand */
	uint32_t **symbol;    /* by rank, then kind */
	struct columns columns;
	bool is_unsaid;   /* some of the unit synchronise if their ends say so */
	bool is_numbered; /* all of the unit have sequence numbers */
	bool is_doubtful; /* its ranks may be of several groups */
	uint32_t round;   /* of the unit */
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

	strings_init(&texts, seed);
	keymap_init(&keys, sizeof(struct symbol_key));
	m->symbol = arena_array(&m->scratch, m->j->nrank, sizeof(*m->symbol));
	for (size_t r = 0; r < m->j->nrank; r++) {
		const struct collectives *c = m->j->rank[r].digest->collectives;

		if (!c)
			continue;
		m->symbol[r] = arena_array(&m->scratch, c->nkind, sizeof(**m->symbol));
		for (size_t i = 0; i < c->nkind; i++) {
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

/* All that take part end together. */
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

/* What it is, is not known: it synchronises where its ends say so. */
static bool is_unsaid(enum comm_op op)
{
	return op == COMM_SEND_RECV || op == COMM_UNKNOWN;
}

/* Its number in its group; ARG_UNKNOWN of messages too, which carry the number that the group's
 * next collective will have: many of them the same, or sender and receiver another one. */
static int64_t number_of(const struct collectives *c, const struct collective *v)
{
	enum comm_op op = c->kind[v->kind].op;

	return op == COMM_SEND || op == COMM_RECV || op == COMM_SEND_RECV ? ARG_UNKNOWN : v->seq;
}

static struct align_item *items_of(struct matching *m, const struct match_list *l)
{
	const struct digest *d = m->j->rank[l->rank].digest;
	struct align_item *item = arena_array(&m->list, l->n, sizeof(*item));

	for (size_t i = 0; i < l->n; i++) {
		const struct collective *c = &d->collectives->v[l->v[i]];
		enum comm_op op = d->collectives->kind[c->kind].op;

		item[i] = (struct align_item){
			.symbol = m->symbol[l->rank][c->kind],
			.has_step = d->has_steps && c->step != COLL_NO_STEP,
			.seq = number_of(d->collectives, c),
			.start = c->start,
			.end = saturate_add(c->start, c->dur),
			.is_together = is_sync(op) || is_unsaid(op),
		};
		if (item[i].has_step)
			item[i].step = d->step[c->step].number;
	}
	return item;
}

static void copy_column(struct columns *to, const struct columns *from, size_t at)
{
	to->item[to->n] = from->item[at];
	to->id[to->n++] = from->id[at];
}

static bool ends_before(const struct align_item *a, const struct align_item *b)
{
	return a->is_timed && b->is_timed && a->end < b->end;
}

/* By item: the column of the next that is fitted, or n: behind all columns. */
static size_t *next_fitted(const uint32_t *to, size_t nitem, size_t n, struct arena *mem)
{
	size_t *next = arena_array(mem, nitem, sizeof(*next));

	for (size_t i = nitem; i-- > 0; next[i] = n)
		n = to[i] != ALIGN_ALONE ? to[i] : n;
	return next;
}

/* What fits no column becomes one: in front of the next column that is fitted, and of those that
 * end later, where times are known. */
static void insert(struct matching *m, const struct align_item *item, size_t n, const uint32_t *to,
	uint32_t *id, size_t nalone)
{
	struct columns *c = &m->columns, more = { .most = c->most, .tolerance = c->tolerance };
	const size_t *next = next_fitted(to, n, c->n, &m->list);
	size_t at = 0, made = c->n;

	more.item = arena_array(&m->unit, c->n + nalone, sizeof(*more.item));
	more.id = arena_array(&m->unit, c->n + nalone, sizeof(*more.id));
	for (size_t i = 0; i < n; i++) {
		while (at < next[i] &&
			(to[i] != ALIGN_ALONE || ends_before(&c->item[at], &item[i])))
			copy_column(&more, c, at++);
		if (to[i] != ALIGN_ALONE || made >= c->most)
			continue;
		id[i] = (uint32_t)made++;
		more.item[more.n] = item[i];
		more.id[more.n++] = id[i];
	}
	while (at < c->n)
		copy_column(&more, c, at++);
	*c = more;
}

static bool has_epoch(const struct matching *m, const struct match_list *l)
{
	return m->j->rank[l->rank].digest->collectives->has_epoch;
}

/* Kinds and steps tell, or sequence numbers do; or ends as well.  False: it may be that nothing is
 * the same. */
static bool align_list(struct matching *m, struct match_list *l, struct align_item *item,
	uint32_t *to, bool has_epochs)
{
	const struct columns *c = &m->columns;
	const struct match_two two = { item, c->item, l->n, c->n, to, has_epochs, c->tolerance };

	align(item, l->n, c->item, c->n, to, &m->list);
	if (m->is_numbered && !m->is_unsaid && !m->is_doubtful)
		return true;
	if (match_is_even(&two) && (!m->is_unsaid || l->n >= FEW)) {
		l->is_proven = true;
		return true;
	}
	struct match_clock clock = match_clock(&two, &m->list);
	l->is_proven = clock.is_found;
	if (!clock.is_found)
		return !m->is_doubtful;
	if (!m->is_numbered) {
		match_set_times(item, l->n, &clock);
		align(item, l->n, c->item, c->n, to, &m->list);
	}
	return true;
}

/* The column of each collective of a list, by its id; ALIGN_ALONE: there was no room for one. */
static void match_list(
	struct matching *m, const struct match_list *first, struct match_list *l, uint32_t *id)
{
	struct align_item *item = items_of(m, l);
	uint32_t *to = arena_array(&m->list, l->n, sizeof(*to));
	size_t nalone = 0;

	if (align_list(m, l, item, to, has_epoch(m, first) && has_epoch(m, l)))
		l->round = m->round;
	for (size_t i = 0; i < l->n && l->round; i++) {
		id[i] = to[i] == ALIGN_ALONE ? ALIGN_ALONE : m->columns.id[to[i]];
		nalone += to[i] == ALIGN_ALONE;
	}
	if (nalone > 0)
		insert(m, item, l->n, to, id, nalone);
	arena_clear(&m->list);
}

/* The first of the longest lists that are not matched yet; nlist: fewer than two are left. */
static size_t longest(const struct match_unit *u)
{
	size_t at = u->nlist, left = 0;

	for (size_t i = 0; i < u->nlist; i++) {
		if (u->list[i].round)
			continue;
		left++;
		if (at == u->nlist || u->list[i].n > u->list[at].n)
			at = i;
	}
	return left > 1 ? at : u->nlist;
}

static enum comm_op op_of(const struct matching *m, const struct match_list *l, size_t i)
{
	const struct collectives *c = m->j->rank[l->rank].digest->collectives;

	return c->kind[c->v[l->v[i]].kind].op;
}

/* The columns are those of the longest list at first. */
static void begin(struct matching *m, struct match_list *l, uint32_t *id)
{
	const struct align_item *item = items_of(m, l);
	struct columns *c = &m->columns;

	*c = (struct columns){ .n = l->n, .most = COLUMNS_OF_LONGEST * l->n };
	c->item = arena_array(&m->unit, c->n, sizeof(*c->item));
	c->id = arena_array(&m->unit, c->n, sizeof(*c->id));
	memcpy(c->item, item, c->n * sizeof(*item));
	c->tolerance = match_tolerance(item, l->n, &m->list);
	m->is_unsaid = false;
	for (size_t i = 0; i < c->n; i++) {
		id[i] = c->id[i] = (uint32_t)i;
		c->item[i].is_timed = true;
		m->is_unsaid |= is_unsaid(op_of(m, l, i));
	}
	l->is_proven = true;
	l->round = m->round;
	arena_clear(&m->list);
}

static struct collective_instance *new_meet(struct matching *m, uint32_t group, uint32_t n)
{
	struct job *j = m->j;

	j->meet = array_grow(j->meet, &m->meet_cap, j->nmeet + 1, sizeof(*j->meet));
	struct collective_instance *meet = &j->meet[j->nmeet++];
	*meet = (struct collective_instance){
		.group = group,
		.bytes = ARG_UNKNOWN,
		.last = n,
		.step = COLL_NO_STEP,
		.arrival = arena_array(m->mem, n, sizeof(*meet->arrival)),
	};
	return meet;
}

/* One more rank in a meet.  Of what not all ranks say, what one says counts. */
static void arrive(
	struct matching *m, struct collective_instance *meet, const struct match_list *l, size_t at)
{
	uint32_t rank = l->rank, collective = l->v[at];
	const struct collectives *c = m->j->rank[rank].digest->collectives;
	const struct coll_kind *k = &c->kind[c->v[collective].kind];

	meet->arrival[meet->n++] = (struct job_arrival){ .rank = rank, .collective = collective };
	if (meet->bytes == ARG_UNKNOWN || (k->bytes != ARG_UNKNOWN && k->bytes > meet->bytes))
		meet->bytes = k->bytes;
	if (meet->dtype.n == 0)
		meet->dtype = k->dtype;
	meet->op = k->op == COMM_RECV ? COMM_SEND : k->op;
	meet->is_sync = is_sync(meet->op) ||
		(is_unsaid(meet->op) && l->is_proven && (meet->n == 1 || meet->is_sync));
}

/* Meets of the columns that two ranks at least were seen in, or that an absent one may be in; meet:
 * by id, 1 + its place. */
static void make_meets(struct matching *m, const struct match_unit *u, uint32_t *const *id)
{
	const struct columns *c = &m->columns;
	uint32_t *count = arena_array(&m->unit, c->n, sizeof(*count));
	uint32_t *meet = arena_array(&m->unit, c->n, sizeof(*meet));

	for (size_t i = 0; i < u->nlist; i++)
		for (size_t k = 0; u->list[i].round == m->round && k < u->list[i].n; k++)
			if (id[i][k] != ALIGN_ALONE)
				count[id[i][k]]++;
	for (size_t i = 0; i < c->n; i++)
		if (count[c->id[i]] > (u->absent ? 0 : 1)) {
			(void)new_meet(m, u->group, count[c->id[i]]);
			meet[c->id[i]] = (uint32_t)m->j->nmeet;
		}
	for (size_t i = 0; i < u->nlist; i++)
		for (size_t k = 0; u->list[i].round == m->round && k < u->list[i].n; k++)
			if (id[i][k] != ALIGN_ALONE && meet[id[i][k]])
				arrive(m, &m->j->meet[meet[id[i][k]] - 1], &u->list[i], k);
}

struct turn {
	int64_t seq;
	uint32_t v;
};

ORDER(by_seq, struct turn, compare3(a->seq, b->seq), compare3(a->v, b->v))

/* Where all collectives of a unit have sequence numbers, these are their order. */
static bool number(struct matching *m, struct match_unit *u)
{
	for (EACH(const struct match_list, l, u->list, u->nlist)) {
		const struct collectives *c = m->j->rank[l->rank].digest->collectives;

		for (size_t k = 0; k < l->n; k++)
			if (number_of(c, &c->v[l->v[k]]) == ARG_UNKNOWN)
				return false;
	}
	for (EACH(const struct match_list, l, u->list, u->nlist)) {
		const struct collective *v = m->j->rank[l->rank].digest->collectives->v;
		struct turn *turn = arena_array(&m->list, l->n, sizeof(*turn));

		for (size_t k = 0; k < l->n; k++)
			turn[k] = (struct turn){ v[l->v[k]].seq, l->v[k] };
		qsort(turn, l->n, sizeof(*turn), by_seq);
		for (size_t k = 0; k < l->n; k++)
			l->v[k] = turn[k].v;
		arena_clear(&m->list);
	}
	return true;
}

/* Whether a unit's ranks may be of several groups. */
static bool is_doubtful(const struct job *j, const struct match_unit *u)
{
	const struct job_group *g = &j->group[u->group];

	return !u->is_pair && (g->name.n == 0 || (g->nrank > 0 && (uint64_t)g->nrank < g->nmember));
}

static void match_round(struct matching *m, struct match_unit *u, size_t first)
{
	uint32_t **id = arena_array(&m->unit, u->nlist, sizeof(*id));

	for (size_t i = 0; i < u->nlist; i++)
		if (!u->list[i].round)
			id[i] = arena_array(&m->unit, u->list[i].n, sizeof(**id));
	begin(m, &u->list[first], id[first]);
	for (size_t i = 0; i < u->nlist; i++)
		if (!u->list[i].round)
			match_list(m, &u->list[first], &u->list[i], id[i]);
	make_meets(m, u, id);
	arena_clear(&m->unit);
}

static void match_unit(struct matching *m, struct match_unit *u)
{
	const struct job_group *g = &m->j->group[u->group];
	size_t first = m->j->nmeet, whole = g->nmember;

	m->is_numbered = number(m, u);
	m->is_doubtful = is_doubtful(m->j, u);
	if (g->nrank > 0 && (uint64_t)g->nrank < whole)
		whole = (size_t)g->nrank;
	for (m->round = 1; m->round <= ROUNDS && longest(u) < u->nlist; m->round++)
		match_round(m, u, longest(u));
	if (u->nlist == 1)
		match_round(m, u, 0);
	for (size_t i = first; i < m->j->nmeet; i++) {
		m->j->meet[i].is_whole = u->is_pair || m->j->meet[i].n == whole;
		m->j->meet[i].absent = u->absent;
	}
}

static void count(struct job *j)
{
	for (size_t i = 0; i < j->nmeet; i++)
		for (uint32_t k = 0; k < j->meet[i].n && j->meet[i].n > 1; k++)
			j->rank[j->meet[i].arrival[k].rank].nmatched++;
	for (size_t i = 0; i < j->nrank; i++) {
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
	struct collective_instance *meet;

	match_units_init(&units, j, mem, &m.scratch);
	number_symbols(&m);
	for (EACH(struct match_unit, unit, units.v, units.n))
		if (unit->nlist > 1 || unit->absent)
			match_unit(&m, unit);
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
