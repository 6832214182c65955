/* Small runs at random: paths, re-timing and slack beside ones that are worked out anew, tick by
 * tick and by recursion.  Times are whole microseconds, so that three halvings stay exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "analyze/trace/run_steps.h"
#include "base/compiler.h"
#include "tests/unit/analyze/depgraph/random_run.h"
#include "tests/unit/loading.h"

enum { TICKS = RANDOM_TICKS, SEEDS = 1500, DEEP = RANDOM_DEEP, US = SKETCH_US };

/* ---- paths ---- */

static nsec fin_of(const struct random_run *d, uint32_t node)
{
	const struct depend_node *n = &d->s.d.node[node];

	return n->at + (n->point == POINT_WORK ? d->s.run.events.dur[n->row] : 0);
}

static nsec until_of(const struct random_run *d, const struct depend_node *n, int e)
{
	nsec fin = fin_of(d, n->from[e]);

	return fin < n->at ? fin : n->at;
}

/* What a node waits for, by the rules of nodes.h. */
static int binding_of(const struct random_run *d, const struct depend_node *n)
{
	const struct depend_floors *floor = &d->s.d.floor;
	int best = EDGE_COUNT, e;

	for (e = 0; e < EDGE_COUNT; e++) {
		if (n->from[e] == NO_NODE)
			continue;
		if (n->point == POINT_RETURN && e != EDGE_PREV && n->from[EDGE_PREV] != NO_NODE &&
			fin_of(d, n->from[e]) <= d->s.run.events.start[n->row])
			continue;
		if (best == EDGE_COUNT || until_of(d, n, e) > until_of(d, n, best))
			best = e;
	}
	if (n->point != POINT_WORK || best == EDGE_COUNT || n->from[EDGE_CAUSE] == NO_NODE)
		return best;
	if (n->at - until_of(d, n, best) > floor->stream &&
		fin_of(d, n->from[EDGE_CAUSE]) + floor->launch > until_of(d, n, best))
		return EDGE_CAUSE;
	return best;
}

struct tick {
	enum owner owner;
	uint32_t row;
};

static enum owner owner_behind(const struct depend_node *n, int e)
{
	if (n->point == POINT_WORK)
		return e == EDGE_CAUSE ? OWNER_LAUNCH_DELAY : OWNER_GAP;
	return n->point == POINT_RETURN ? OWNER_RETURN : OWNER_HANDOVER;
}

static enum owner owner_of(const struct random_run *d, uint32_t row)
{
	if (d->s.run.events.kind[row] == KIND_MEMCPY)
		return OWNER_COPY;
	return strcmp(random_name(d, row), COMM) == 0 ? OWNER_COMM : OWNER_KERNEL;
}

/* The tick [t, t + 1) of a thread. */
static struct tick host_tick(const struct random_run *d, uint32_t lane, nsec t)
{
	uint32_t v[DEEP];
	size_t n = random_chain(d, lane, t, v);

	return (struct tick){ random_owner(d, v, n), n ? v[n - 1] : NO_ROW };
}

/* The tick that ends at `end`, of the path behind which that node stands; goes on to the node it
 * waited for. */
static struct tick path_tick(const struct random_run *d, uint32_t *node, nsec end)
{
	for (;;) {
		const struct depend_node *n;
		int e;

		if (*node == NO_NODE || fin_of(d, *node) < end)
			break;
		n = &d->s.d.node[*node];
		e = binding_of(d, n);
		if (n->point == POINT_WORK && end > n->at)
			return (struct tick){ owner_of(d, n->row), n->row };
		if (e == EDGE_COUNT && n->point == POINT_WORK)
			break;
		if (e == EDGE_COUNT)
			return host_tick(d, n->lane, end - US);
		if (end > until_of(d, n, e)) {
			enum owner o = owner_behind(n, e);

			if (n->point != POINT_WORK && e == EDGE_PREV)
				return host_tick(d, n->lane, end - US);
			return (struct tick){ o, o == OWNER_HANDOVER ? NO_ROW : n->row };
		}
		*node = n->from[e];
	}
	return (struct tick){ OWNER_UNRECORDED, NO_ROW };
}

struct seen {
	struct tick tick[2 * TICKS];
	nsec at;
};

static void see(void *ctx, const struct segment *g)
{
	struct seen *s = ctx;
	nsec t;

	assert_true(g->start < g->end);
	assert_int_equal(g->end, s->at);
	s->at = g->start;
	for (t = g->start / US; t < g->end / US; t++)
		s->tick[t] = (struct tick){ g->owner, g->row };
}

/* What finished last by `end`, or the mark there. */
static uint32_t last_of(const struct random_run *d, nsec end)
{
	bool marked = d->s.run.steps->source != STEPS_WHOLE;
	uint32_t best = NO_NODE, i;

	for (i = 0; i < d->s.d.n; i++)
		if (fin_of(d, i) <= end && (best == NO_NODE || fin_of(d, i) >= fin_of(d, best)))
			best = i;
	for (i = 0; marked && i < d->s.d.n; i++)
		if (d->s.d.node[i].at == end && d->s.d.node[i].point == POINT_MARK &&
			d->s.d.node[i].row % 2 == 1)
			best = i;
	return best;
}

static void check_path(struct random_run *d, nsec start, nsec end)
{
	struct seen s = { .at = end };
	uint32_t node = last_of(d, end);
	nsec t;

	critpath(&d->s.d, start, end, see, &s);
	assert_int_equal(s.at, start);
	for (t = end; t > start; t -= US) {
		struct tick want = path_tick(d, &node, t), got = s.tick[t / US - 1];

		assert_string_equal(owner_key(got.owner), owner_key(want.owner));
		if (want.owner != OWNER_UNRECORDED)
			assert_int_equal(got.row, want.row);
	}
}

/* ---- re-timing ---- */

struct again {
	const struct random_run *d;
	const struct scenario *s;
	nsec *fin;      /* by node; INT64_MIN: not known yet */
	uint32_t later; /* that node ends so much later */
	nsec by;
};

static bool is_about(const struct change *c, sym name)
{
	return !c->match || c->match[name];
}

static nsec apply(const struct again *a, enum change_kind k, sym name, nsec ns)
{
	size_t i;

	for (i = 0; i < a->s->n; i++) {
		const struct change *c = &a->s->change[i];

		bool is_it = c->kind == k || (c->kind == CHANGE_FAMILY && k == CHANGE_KERNEL);

		if (is_it && !c->is_hidden && is_about(c, name))
			ns = c->ns >= 0 ? c->ns : llround((double)ns * c->factor);
	}
	return ns;
}

/* The change that the innermost call with a word belongs to. */
static enum change_kind own_word(const struct random_run *d, const uint32_t *v, size_t n)
{
	while (n-- > 0) {
		if (strcmp(random_name(d, v[n]), "cudaMalloc") == 0)
			return CHANGE_ALLOCATOR;
		if (strcmp(random_name(d, v[n]), LOADER) == 0)
			return CHANGE_DATA;
	}
	return CHANGE_COUNT;
}

/* On a thread that loads all else belongs to the data loader, too. */
static enum change_kind word_of(
	const struct random_run *d, uint32_t lane, const uint32_t *v, size_t n)
{
	enum change_kind word = own_word(d, v, n);

	return word == CHANGE_COUNT && d->loaders >> lane & 1 ? CHANGE_DATA : word;
}

/* Whether the change is about the last of v, by its name. */
static bool changes_call(const struct again *a, const struct change *c, const uint32_t *v, size_t n)
{
	uint32_t row = v[n - 1];
	enum owner in = random_owner(a->d, v, n);
	bool is_op = a->d->s.run.events.kind[row] == KIND_OP;

	if (!is_about(c, a->d->s.run.events.name[row]))
		return false;
	return (c->kind == CHANGE_OP && is_op) || (c->kind == CHANGE_HOST && c->match) ||
		(c->match && c->kind == CHANGE_LAUNCH && in == OWNER_LAUNCH) ||
		(c->match && c->kind == own_word(a->d, v, n));
}

/* Whether it is about all time of the class that v is in: one change that is of a word, else all
 * that is recorded, and that of launches. */
static bool changes_class(
	const struct again *a, const struct change *c, uint32_t lane, const uint32_t *v, size_t n)
{
	enum owner in = random_owner(a->d, v, n);
	enum change_kind word = word_of(a->d, lane, v, n);

	if (c->match || word != CHANGE_COUNT)
		return !c->match && c->kind == word;
	return (c->kind == CHANGE_HOST && in != OWNER_NOTHING) ||
		(c->kind == CHANGE_LAUNCH && in == OWNER_LAUNCH);
}

/* What host time at t is scaled by. */
static double factor_at(const struct again *a, uint32_t lane, nsec t)
{
	uint32_t v[DEEP];
	size_t n = random_chain(a->d, lane, t, v), i, k;
	double by = 1;

	for (i = 0; i < a->s->n; i++) {
		const struct change *c = &a->s->change[i];

		if (changes_class(a, c, lane, v, n))
			by *= c->factor;
		for (k = 0; k < n; k++)
			if (changes_call(a, c, v, k + 1)) {
				by *= c->factor;
				break;
			}
	}
	return by;
}

static nsec host_time(const struct again *a, uint32_t lane, nsec from, nsec to)
{
	double sum = 0;
	nsec t;

	for (t = from; t < to; t += US)
		sum += US * factor_at(a, lane, t);
	return llround(sum);
}

static nsec smaller(nsec a, nsec b)
{
	return a < b ? a : b;
}

/* The word of a call or of those around it. */
static enum change_kind word_around(const struct random_run *d, const struct depend_node *n)
{
	uint32_t v[DEEP];
	size_t k = random_chain(d, n->lane, d->s.run.events.start[n->row], v);

	while (k > 0 && v[k - 1] != n->row)
		k--;
	return word_of(d, n->lane, v, k);
}

/* Of a call that waits, which is in what that word says. */
static double call_factor(const struct again *a, enum change_kind word)
{
	enum change_kind about = word == CHANGE_COUNT ? CHANGE_HOST : word;
	double by = 1;
	size_t i;

	for (i = 0; i < a->s->n; i++)
		if (a->s->change[i].kind == about && !a->s->change[i].match)
			by *= a->s->change[i].factor;
	return by;
}

static nsec thread_lag(const struct again *a, const struct depend_node *n)
{
	nsec from = fin_of(a->d, n->from[EDGE_PREV]), call, in;
	int binds = binding_of(a->d, n);

	if (n->point == POINT_RESUME && binds == EDGE_CAUSE)
		return 0;
	if (n->point != POINT_RETURN || binds != EDGE_CAUSE)
		return host_time(a, n->lane, from, n->at);
	call = a->d->s.run.events.start[n->row];
	call = call < from ? from : call;
	in = smaller(n->at - call, a->d->s.d.floor.own);
	return host_time(a, n->lane, from, call) +
		llround((double)in * call_factor(a, word_around(a->d, n)));
}

static nsec lag_again(const struct again *a, const struct depend_node *n, int e)
{
	const struct depend_floors *floor = &a->d->s.d.floor;
	const sym *name = a->d->s.run.events.name;
	nsec seen = n->at - fin_of(a->d, n->from[e]);
	bool binds = binding_of(a->d, n) == e;

	if (n->point != POINT_WORK) {
		if (e == EDGE_PREV)
			return thread_lag(a, n);
		return binds ? seen : smaller(seen, floor->back);
	}
	if (e == EDGE_ENGINE)
		return binds ? seen : smaller(seen, 0);
	if (!binds)
		seen = smaller(seen, e == EDGE_CAUSE ? floor->launch : floor->stream);
	if (seen < 0)
		return seen;
	if (e == EDGE_CAUSE) {
		uint32_t call = a->d->s.d.node[n->from[e]].row;
		nsec in = smaller(seen, a->d->s.run.events.dur[call]);

		seen -= llround((double)in * (1 - call_factor(a, CHANGE_COUNT)));
		return apply(a, CHANGE_LAUNCH, name[call], seen);
	}
	return apply(a, CHANGE_GAP, name[n->row], seen);
}

static bool is_comm(const struct again *a, uint32_t node)
{
	const struct depend_node *n = &a->d->s.d.node[node];

	return n->point == POINT_WORK && strcmp(random_name(a->d, n->row), COMM) == 0;
}

static bool is_hidden(const struct again *a, uint32_t node)
{
	size_t i;

	for (i = 0; is_comm(a, node) && i < a->s->n; i++)
		if (a->s->change[i].is_hidden)
			return true;
	return false;
}

static bool has_no_sync(const struct again *a, const struct depend_node *n)
{
	size_t i;

	for (i = 0; n->point == POINT_RETURN && n->from[EDGE_PREV] != NO_NODE && i < a->s->n; i++) {
		const struct change *c = &a->s->change[i];

		if (c->factor == 0 && c->kind == CHANGE_SYNC &&
			is_about(c, a->d->s.run.events.name[n->row]))
			return true;
		if (c->factor == 0 && !c->match && c->kind == word_around(a->d, n))
			return true;
	}
	return false;
}

static nsec ends(struct again *a, uint32_t node);

/* When it begins; of a collective, where those that are hidden take no time: `free`. */
static nsec begins(struct again *a, uint32_t node, bool free)
{
	const struct depend_node *n = &a->d->s.d.node[node];
	nsec at = INT64_MIN;
	int e;

	for (e = 0; e < EDGE_COUNT; e++) {
		uint32_t on = n->from[e];
		nsec then;

		if (on == NO_NODE || (e != EDGE_PREV && has_no_sync(a, n)))
			continue;
		if (is_hidden(a, on) && (free || !is_comm(a, node)))
			then = begins(a, on, true) + lag_again(a, n, e);
		else
			then = ends(a, on) + lag_again(a, n, e);
		at = then > at ? then : at;
	}
	return at == INT64_MIN ? n->at : at;
}

static nsec ends(struct again *a, uint32_t node)
{
	const struct depend_node *n = &a->d->s.d.node[node];
	enum change_kind k = is_comm(a, node) ? CHANGE_COMM : CHANGE_KERNEL;

	if (a->fin[node] != INT64_MIN)
		return a->fin[node];
	a->fin[node] = begins(a, node, false) + (node == a->later ? a->by : 0);
	if (n->point == POINT_WORK) {
		if (a->d->s.run.events.kind[n->row] == KIND_MEMCPY)
			k = CHANGE_COPY;
		a->fin[node] += apply(
			a, k, a->d->s.run.events.name[n->row], a->d->s.run.events.dur[n->row]);
	}
	return a->fin[node];
}

static void forget(struct again *a)
{
	size_t i;

	for (i = 0; i < a->d->s.d.n; i++)
		a->fin[i] = INT64_MIN;
}

/* ---- scenarios ---- */

struct changes {
	struct change c[3];
	bool match[3][128];
	size_t n;
};

/* Changes at random that make nothing longer. */
static void choose(struct random_run *d, struct changes *out)
{
	static const double factors[] = { 0, 0.5, 0.5, 1 };
	size_t i, k;

	out->n = 1 + (size_t)random_upto(d, 3);
	for (i = 0; i < out->n; i++) {
		struct change *c = &out->c[i];

		*c = (struct change){ .kind = (enum change_kind)random_upto(d, CHANGE_COUNT),
			.factor = factors[random_upto(d, COUNT_OF(factors))],
			.ns = -1 };
		c->is_hidden = c->kind == CHANGE_COMM && random_upto(d, 2) == 0;
		if (c->is_hidden || random_upto(d, 3) > 0)
			continue;
		assert_true(d->s.run.strings.n <= COUNT_OF(out->match[i]));
		for (k = 0; k < d->s.run.strings.n; k++)
			out->match[i][k] = random_upto(d, 2) == 0;
		c->match = out->match[i];
	}
}

static void check_scenario(struct random_run *d, const struct changes *c)
{
	const struct scenario fewer = { .change = c->c, .n = c->n - 1 },
			      all = { .change = c->c, .n = c->n };
	struct again a = { d, &all, NULL, NO_NODE, 0 };
	struct whatif_times less = { 0 }, more = { 0 };
	uint32_t i;

	whatif(&less, &d->s.d, &d->s.l, &fewer);
	whatif(&more, &d->s.d, &d->s.l, &all);
	a.fin = calloc(d->s.d.n + 1, sizeof(*a.fin));
	forget(&a);
	for (i = 0; i < d->s.d.n; i++) {
		assert_int_equal(more.fin[i], ends(&a, i));
		assert_true(less.fin[i] <= fin_of(d, i));
		assert_true(more.fin[i] <= less.fin[i]);
	}
	free(a.fin);
	whatif_clear(&less);
	whatif_clear(&more);
}

static void check_same(struct random_run *d)
{
	const struct scenario none = { 0 };
	struct whatif_times t = { 0 };
	uint32_t i;

	whatif(&t, &d->s.d, &d->s.l, &none);
	for (i = 0; i < d->s.d.n; i++)
		assert_int_equal(t.fin[i], fin_of(d, i));
	whatif_clear(&t);
}

/* By how much what counts ends after `end` when that node ends so much later. */
static nsec overrun(struct again *a, nsec end)
{
	nsec most = INT64_MIN;
	uint32_t i;

	forget(a);
	for (i = 0; i < a->d->s.d.n; i++)
		if (fin_of(a->d, i) <= end && ends(a, i) - end > most)
			most = ends(a, i) - end;
	return most;
}

static void check_slack(struct random_run *d, nsec end)
{
	const struct scenario none = { 0 };
	struct again a = { d, &none, NULL, NO_NODE, 0 };
	nsec *room = slack(&d->s.d, &d->s.l, end);
	uint32_t i;

	a.fin = calloc(d->s.d.n + 1, sizeof(*a.fin));
	for (i = 0; i < d->s.d.n; i++) {
		if (room[i] == INT64_MAX)
			continue;
		a.later = i;
		a.by = room[i];
		assert_true(overrun(&a, end) <= 0);
		a.by = room[i] + 1;
		assert_int_equal(overrun(&a, end), 1);
	}
	free(a.fin);
	free(room);
}

static void test_random(void **state)
{
	size_t every = loading_every() * loading_every(), path = 0, i;
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= SEEDS / every; seed++) {
		struct changes *c = calloc(1, sizeof(*c));
		struct random_run d;
		uint32_t k;

		random_draw(&d, seed);
		for (k = 0; k < d.s.d.n; k++)
			assert_int_equal(d.s.d.node[k].binding, binding_of(&d, &d.s.d.node[k]));
		check_path(&d, 0, TICKS * US);
		check_path(&d, 50 * US, 200 * US);
		check_same(&d);
		for (i = 0; i < 3; i++) {
			choose(&d, c);
			check_scenario(&d, c);
		}
		if (seed % 8 == 0)
			check_slack(&d, TICKS * US);
		path += d.s.d.n;
		free(c);
		sketch_release(&d.s);
	}
	/* They are not empty. */
	assert_true(path > 20 * seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("depend at random", tests, NULL, NULL);
}
