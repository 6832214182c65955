/* Groups and units of a job. */
#include "analyze/job/match/match.h"

#include "analyze/trace/columns/args.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

static const uint64_t seed = 0x756e697473212121u;
#define NO_UNIT (UINT32_MAX - 1)

struct unit_key {
	uint32_t group;
	uint32_t from, to; /* of sends and receives: 1 + places in job.rank, or behind those of the
	                      absent; else 0 */
};

/* A rank in a unit. */
struct list_key {
	uint32_t unit, rank;
	uint32_t receives; /* 1: the receiving end of a pair */
};

/* Ranks of groups, and what the groups are for. */
struct ranks_key {
	sym ranks, desc; /* of texts */
};

/* What a rank calls its group of these. */
struct named {
	sym name;
	uint32_t rank;
	bool has_several; /* some rank has several groups of them: names tell them apart */
};

/* A kind of collective of one rank on one stream. */
struct kind_lane {
	uint32_t kind, lane;
};

struct units {
	struct job *j;
	struct arena *mem, *scratch;
	struct strings texts;         /* what groups are known by */
	struct keymap groups;         /* sym of texts */
	struct keymap units;          /* struct unit_key */
	struct keymap lists;          /* struct list_key */
	struct keymap lists_of_ranks; /* struct ranks_key */
	struct keymap absents;        /* sym of texts: their ranks */
	struct job_absent *absent;    /* by the same */
	size_t absent_cap;
	struct named *named; /* by the same */
	size_t named_cap;
	struct str text;
	struct job_group *group;
	size_t group_cap;
	struct match_list *list;
	size_t list_cap;
};

/* Ranks without blanks and brackets: what producers write differently. */
static void put_ranks(struct str *b, struct span ranks)
{
	for (size_t i = 0; i < ranks.n; i++)
		if (ranks.p[i] != ' ' && ranks.p[i] != '[' && ranks.p[i] != ']')
			str_addc(b, ranks.p[i]);
}

static bool has_group(const struct coll_kind *k)
{
	return k->group.n > 0 || k->ranks.n > 0;
}

static sym intern(struct units *u)
{
	return strings_intern(&u->texts, (struct span){ u->text.s ? u->text.s : "", u->text.n });
}

/* Of a group whose ranks are known: which these are, and what it is for. */
static struct ranks_key ranks_of(struct units *u, const struct coll_kind *k)
{
	struct ranks_key key = { 0 };

	str_reset(&u->text);
	put_ranks(&u->text, k->ranks);
	key.ranks = intern(u);
	key.desc = strings_intern(&u->texts, k->desc);
	return key;
}

/* Lists that Kineto cut are not known. */
static bool knows_ranks(const struct coll_kind *k)
{
	return k->ranks.n > 0 && !span_has(k->ranks, "...");
}

/* Names of groups may be each rank's own; where it has one group of some ranks, they do not matter.
 */
static void look_at_names(struct units *u, uint32_t rank)
{
	const struct collectives *c = u->j->rank[rank].digest->collectives;
	size_t n;

	for (size_t i = 0; c && i < c->nkind; i++) {
		const struct coll_kind *k = &c->kind[i];

		if (!knows_ranks(k))
			continue;
		struct ranks_key key = ranks_of(u, k);
		sym name = strings_intern(&u->texts, k->group);
		n = u->lists_of_ranks.n;
		uint32_t at = keymap_add(&u->lists_of_ranks, &key);
		if (u->lists_of_ranks.n > n) {
			u->named = array_grow(u->named, &u->named_cap, at + 1, sizeof(*u->named));
			u->named[at] = (struct named){ name, rank, false };
		}
		if (u->named[at].rank == rank && u->named[at].name != name)
			u->named[at].has_several = true;
		u->named[at].rank = rank;
		u->named[at].name = name;
	}
}

static bool needs_name(struct units *u, const struct coll_kind *k)
{
	if (!knows_ranks(k))
		return true;
	struct ranks_key key = ranks_of(u, k);
	uint32_t at = keymap_find(&u->lists_of_ranks, &key);
	return at == KEYMAP_NONE || u->named[at].has_several;
}

static uint32_t group_of(struct units *u, const struct coll_kind *k, uint32_t lane)
{
	size_t n = u->groups.n;
	bool is_named = needs_name(u, k);

	str_reset(&u->text);
	if (has_group(k)) {
		str_add(&u->text, is_named ? k->group.p : k->desc.p,
			is_named ? k->group.n : k->desc.n);
		str_addc(&u->text, '\n');
		put_ranks(&u->text, k->ranks);
		str_addf(&u->text, "\n%lld", (long long)k->nrank);
	} else {
		str_addf(&u->text, "%u", lane);
	}
	sym key = intern(u);
	uint32_t at = keymap_add(&u->groups, &key);
	if (u->groups.n == n)
		return at;
	u->group = array_grow(u->group, &u->group_cap, u->groups.n, sizeof(*u->group));
	u->group[at] = (struct job_group){ .name = k->group,
		.desc = k->desc,
		.ranks = knows_ranks(k) ? k->ranks : (struct span){ 0 },
		.nrank = k->nrank };
	return at;
}

/* ---- who is not there ---- */

/* The place of these among the absent. */
static uint32_t absent_of(struct units *u, const int64_t *rank, size_t nrank)
{
	size_t n = u->absents.n;

	str_reset(&u->text);
	for (size_t i = 0; i < nrank; i++)
		str_addf(&u->text, "%lld,", (long long)rank[i]);
	sym key = intern(u);
	uint32_t at = keymap_add(&u->absents, &key);
	if (u->absents.n == n)
		return at;
	u->absent = array_grow(u->absent, &u->absent_cap, u->absents.n, sizeof(*u->absent));
	u->absent[at] = (struct job_absent){ arena_array(u->mem, nrank, sizeof(*rank)), nrank, 0,
		arena_array(u->mem, u->j->nstep, sizeof(nsec)) };
	if (nrank)
		memcpy(u->absent[at].rank, rank, nrank * sizeof(*rank));
	return at;
}

/* Whether a rank of the job has no trace, though all that have one are looked at. */
static bool is_missing(const struct job *j, int64_t rank)
{
	for (size_t i = 0; i < j->members.ngap && !j->run->is_chosen; i++)
		if (j->members.gap[i].lo <= rank && rank <= j->members.gap[i].hi)
			return true;
	return false;
}

/* 1 + the place of the rank of that number, the first of several, or behind all places that of the
 * absent; 0: there is no such rank. */
static uint32_t place_of(struct units *u, int64_t rank)
{
	const struct job *j = u->j;
	size_t lo = PARTITION_POINT(i, 0, j->nrank, j->rank[i].rank < rank);

	if (rank >= 0 && lo < j->nrank && j->rank[lo].rank == rank)
		return (uint32_t)lo + 1;
	return is_missing(j, rank) ? (uint32_t)j->nrank + 1 + absent_of(u, &rank, 1) : 0;
}

/* The missing ranks of a group that says which it has. */
static size_t listed_missing(const struct job *j, struct span ranks, int64_t *missing)
{
	size_t n = 0;

	for (size_t i = 0; i < ranks.n; i++) {
		int64_t rank = 0;
		size_t from = i;

		for (; i < ranks.n && ranks.p[i] >= '0' && ranks.p[i] <= '9'; i++)
			rank = rank < UINT32_MAX ? 10 * rank + ranks.p[i] - '0' : rank;
		if (i > from && is_missing(j, rank))
			missing[n++] = rank;
	}
	return n;
}

/* 1 + the place among the absent of those that a group lacks; 0: it has all, or it cannot be told.
 */
static uint32_t group_lacks(struct units *u, const struct job_group *g)
{
	const struct job *j = u->j;
	int64_t *missing = arena_array(u->scratch, g->ranks.n, sizeof(*missing));
	size_t n = listed_missing(j, g->ranks, missing);

	if (n > 0)
		return absent_of(u, missing, n) + 1;
	if (g->ranks.n > 0 || g->nmember < j->nrank || g->nrank <= (int64_t)g->nmember ||
		j->run->is_chosen)
		return 0;
	if (g->nrank == (int64_t)g->nmember + 1 && j->members.nmissing == 1)
		return absent_of(u, &j->members.gap[0].lo, 1) + 1;
	return absent_of(u, NULL, 0) + 1;
}

/* ---- lists ---- */

/* The list of one rank's collectives of a kind on a stream, or NO_UNIT: nothing can meet them. */
static uint32_t list_of(struct units *u, uint32_t rank, const struct coll_kind *k, uint32_t lane)
{
	struct list_key key = { .rank = rank, .receives = k->op == COMM_RECV };
	struct unit_key unit = { .group = group_of(u, k, lane) };
	size_t n = u->lists.n;

	if (k->op == COMM_SEND || k->op == COMM_RECV) {
		unit.from = k->src == ARG_UNKNOWN && k->op == COMM_SEND ? rank + 1
									: place_of(u, k->src);
		unit.to = k->dst == ARG_UNKNOWN && k->op == COMM_RECV ? rank + 1
								      : place_of(u, k->dst);
		if (!unit.from || !unit.to)
			return NO_UNIT;
	}
	key.unit = keymap_add(&u->units, &unit);
	uint32_t at = keymap_add(&u->lists, &key);
	if (u->lists.n > n) {
		u->list = array_grow(u->list, &u->list_cap, u->lists.n, sizeof(*u->list));
		u->list[at] = (struct match_list){ .rank = rank };
	}
	return at;
}

/* Lists of one rank's kinds: of those without a group by stream, too. */
struct kind_lists {
	uint32_t *of; /* by kind: 1 + its list */
	uint32_t *of_lane;
	size_t lane_cap;
	struct keymap lanes; /* struct kind_lane */
};

static uint32_t find_list(
	struct units *u, struct kind_lists *l, uint32_t rank, const struct collective *c)
{
	const struct coll_kind *k = &u->j->rank[rank].digest->collectives->kind[c->kind];
	const struct kind_lane key = { c->kind, c->lane };
	size_t n = l->lanes.n;

	if (has_group(k)) {
		if (!l->of[c->kind])
			l->of[c->kind] = list_of(u, rank, k, 0) + 1;
		return l->of[c->kind] - 1;
	}
	uint32_t at = keymap_add(&l->lanes, &key);
	if (l->lanes.n > n) {
		l->of_lane = array_grow(l->of_lane, &l->lane_cap, at + 1, sizeof(*l->of_lane));
		l->of_lane[at] = list_of(u, rank, k, c->lane);
	}
	return l->of_lane[at];
}

/* Hands out a rank's collectives to its lists. */
static void list_rank(struct units *u, uint32_t rank, struct arena *mem)
{
	const struct collectives *c = u->j->rank[rank].digest->collectives;
	struct arena_mark mark = arena_mark(mem);
	struct kind_lists lists = { 0 };
	size_t first = u->lists.n;
	uint32_t *of;

	if (!c)
		return;
	of = arena_array(mem, c->n, sizeof(*of));
	lists.of = arena_array(mem, c->nkind, sizeof(*lists.of));
	keymap_init(&lists.lanes, sizeof(struct kind_lane));
	for (size_t i = 0; i < c->n; i++) {
		of[i] = find_list(u, &lists, rank, &c->v[i]);
		if (of[i] != NO_UNIT)
			u->list[of[i]].n++;
	}
	for (size_t i = first; i < u->lists.n; i++) {
		u->list[i].v = arena_array(u->scratch, u->list[i].n, sizeof(*u->list[i].v));
		u->list[i].n = 0;
	}
	for (size_t i = 0; i < c->n; i++)
		if (of[i] != NO_UNIT)
			u->list[of[i]].v[u->list[of[i]].n++] = (uint32_t)i;
	keymap_clear(&lists.lanes);
	free(lists.of_lane);
	arena_reset(mem, mark);
}

/* Puts the lists of a unit beside each other.  They were made rank by rank. */
static void group_lists(struct units *u, struct match_units *out)
{
	struct match_list *to = arena_array(u->scratch, u->lists.n, sizeof(*to));
	size_t n = 0;

	out->n = u->units.n;
	out->v = arena_array(u->scratch, out->n, sizeof(*out->v));
	for (size_t i = 0; i < u->lists.n; i++) {
		const struct list_key *key = keymap_key(&u->lists, (uint32_t)i);

		out->v[key->unit].nlist++;
	}
	for (size_t i = 0; i < out->n; i++) {
		const struct unit_key *key = keymap_key(&u->units, (uint32_t)i);

		out->v[i].group = key->group;
		out->v[i].is_pair = key->from != 0;
		out->v[i].list = to + n;
		n += out->v[i].nlist;
		out->v[i].nlist = 0;
	}
	for (size_t i = 0; i < u->lists.n; i++) {
		const struct list_key *key = keymap_key(&u->lists, (uint32_t)i);
		struct match_unit *unit = &out->v[key->unit];

		unit->list[unit->nlist++] = u->list[i];
	}
}

static void list_members(struct units *u)
{
	uint32_t *seen = arena_array(u->scratch, u->groups.n, sizeof(*seen)); /* 1 + rank */

	for (int pass = 0; pass < 2; pass++) {
		memset(seen, 0, u->groups.n * sizeof(*seen));
		for (size_t i = 0; i < u->lists.n; i++) {
			const struct list_key *key = keymap_key(&u->lists, (uint32_t)i);
			const struct unit_key *unit = keymap_key(&u->units, key->unit);
			struct job_group *g = &u->group[unit->group];

			if (seen[unit->group] == key->rank + 1)
				continue;
			seen[unit->group] = key->rank + 1;
			if (pass)
				g->member[g->nmember] = key->rank;
			g->nmember++;
		}
		for (size_t i = 0; i < u->groups.n && !pass; i++) {
			u->group[i].member = arena_array(
				u->mem, u->group[i].nmember, sizeof(*u->group[i].member));
			u->group[i].nmember = 0;
		}
	}
}

static void find_absent(struct units *u, struct match_units *out)
{
	uint32_t *of = arena_array(u->scratch, u->groups.n, sizeof(*of));
	const uint32_t there = (uint32_t)u->j->nrank;

	for (size_t i = 0; i < u->groups.n; i++)
		of[i] = group_lacks(u, &u->group[i]);
	for (size_t i = 0; i < out->n; i++) {
		const struct unit_key *key = keymap_key(&u->units, (uint32_t)i);
		uint32_t most = MAX(key->from, key->to);

		out->v[i].absent = !out->v[i].is_pair ? of[key->group]
			: most > there                ? most - there
						      : 0;
	}
}

static void put_groups(struct units *u)
{
	struct job *j = u->j;

	j->ngroup = u->groups.n;
	j->group = arena_array(u->mem, j->ngroup, sizeof(*j->group));
	if (j->ngroup)
		memcpy(j->group, u->group, j->ngroup * sizeof(*j->group));
	j->nabsent = u->absents.n;
	j->absent = arena_array(u->mem, j->nabsent, sizeof(*j->absent));
	if (j->nabsent)
		memcpy(j->absent, u->absent, j->nabsent * sizeof(*j->absent));
}

void match_units_init(
	struct match_units *out, struct job *j, struct arena *mem, struct arena *scratch)
{
	struct units u = { .j = j, .mem = mem, .scratch = scratch };
	SCOPED_ARENA rank = { 0 };

	*out = (struct match_units){ 0 };
	strings_init(&u.texts, seed);
	keymap_init(&u.groups, sizeof(sym));
	keymap_init(&u.units, sizeof(struct unit_key));
	keymap_init(&u.lists, sizeof(struct list_key));
	keymap_init(&u.lists_of_ranks, sizeof(struct ranks_key));
	keymap_init(&u.absents, sizeof(sym));
	for (uint32_t i = 0; i < j->nrank; i++)
		look_at_names(&u, i);
	for (uint32_t i = 0; i < j->nrank; i++)
		list_rank(&u, i, &rank);
	group_lists(&u, out);
	list_members(&u);
	find_absent(&u, out);
	put_groups(&u);
	FREE_ALL(u.absent, u.group, u.list);
	str_free(&u.text);
	keymap_clear(&u.groups);
	keymap_clear(&u.units);
	keymap_clear(&u.lists);
	keymap_clear(&u.lists_of_ranks);
	keymap_clear(&u.absents);
	free(u.named);
	strings_clear(&u.texts);
}
