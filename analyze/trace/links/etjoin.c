/* Joining: threads of the execution trace with those of the trace, then iterations of what is
 * found. */
#include "analyze/trace/links/etjoin.h"

#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/base.h"

/* The calls of a thread: of the execution trace, or of the trace. */
struct calls_of {
	sym *name;     /* of the run; UINT32_MAX: it has none so called */
	uint32_t *one; /* node, or row */
	size_t n;
};

/* What was found of a thread in one place. */
struct find {
	uint32_t thread;
	nsec start;
	size_t pair, n; /* of joining.pair */
};

struct joining {
	struct run *run;
	const struct exectrace *et;
	struct etjoin *j;
	struct calls_of *thread, *lane;
	size_t nlane;
	bool *used;   /* by row: it is in a find */
	size_t cells; /* of ETJOIN_CELLS_ALL, left */
	struct etjoin_pair *pair;
	size_t npair, pair_cap;
	struct find *find;
	size_t nfind, find_cap;
	struct arena mem;
};

/* ---- names ---- */

/* Steps have a number of their own, and may begin before the execution trace. */
static bool is_step(struct span name)
{
	return span_starts(name, "ProfilerStep#");
}

static void list_threads(struct joining *g)
{
	const struct exectrace *et = g->et;
	sym *name = arena_array(&g->mem, et->strings.n, sizeof(*name));
	size_t *n = arena_array(&g->mem, et->nthread, sizeof(*n));

	for (size_t i = 0; i < et->strings.n; i++)
		name[i] = strings_find(&g->run->strings, strings_get(&et->strings, (sym)i));
	g->thread = arena_array(&g->mem, et->nthread, sizeof(*g->thread));
	for (size_t i = 0; i < et->n; i++)
		n[et->node[i].thread]++;
	for (size_t i = 0; i < et->nthread; i++) {
		g->thread[i].name = arena_array(&g->mem, n[i], sizeof(sym));
		g->thread[i].one = arena_array(&g->mem, n[i], sizeof(uint32_t));
	}
	for (size_t i = 0; i < et->n; i++) {
		const struct et_node *node = &et->node[i];
		struct calls_of *t = &g->thread[node->thread];

		if (!node->is_call || is_step(strings_get(&et->strings, node->name)))
			continue;
		t->name[t->n] = name[node->name];
		t->one[t->n++] = (uint32_t)i;
	}
}

static void list_lane(struct joining *g, size_t lane)
{
	const struct run *r = g->run;
	const struct order *o = r->order;
	struct calls_of *l = &g->lane[lane];
	size_t most = o->host_begin[lane + 1] - o->host_begin[lane];

	l->name = arena_array(&g->mem, most, sizeof(*l->name));
	l->one = arena_array(&g->mem, most, sizeof(*l->one));
	for (size_t i = o->host_begin[lane]; i < o->host_begin[lane + 1]; i++) {
		uint32_t row = o->host[i];
		uint8_t kind = r->events.kind[row];

		if ((kind != KIND_OP && kind != KIND_ANNOTATION) || is_step(run_name(r, row)))
			continue;
		l->name[l->n] = r->events.name[row];
		l->one[l->n++] = row;
	}
}

/* ---- what is found ---- */

static void begin_find(struct joining *g, uint32_t thread, nsec start)
{
	PUSH(g->find, g->nfind, g->find_cap,
		(struct find){ .thread = thread, .start = start, .pair = g->npair });
}

static void add_pair(struct joining *g, uint32_t node, uint32_t row)
{
	PUSH(g->pair, g->npair, g->pair_cap, (struct etjoin_pair){ node, row });
	g->find[g->nfind - 1].n++;
	g->used[row] = true;
}

/* The row of each number that an event has: rows by index of ids. */
static uint32_t *list_ids(struct joining *g, struct keymap *ids)
{
	const struct run *r = g->run;
	uint32_t *row_of = arena_array(&g->mem, r->order->host_begin[r->lanes.n], sizeof(*row_of));

	for (EACH(const struct calls_of, of, g->lane, g->nlane))
		for (size_t k = 0; k < of->n; k++) {
			uint32_t row = of->one[k], side = r->events.args[row];
			int64_t id = side == NO_ARGS ? ARG_UNKNOWN
						     : args_i64(&r->args, ARG_OP_CALL_ID, side - 1);

			if (id > 0 && keymap_find(ids, &id) == KEYMAP_NONE)
				row_of[keymap_add(ids, &id)] = row;
		}
	return row_of;
}

/* All calls of a thread that are known by their numbers are one find. */
static void find_ids(struct joining *g)
{
	const struct events *ev = &g->run->events;
	struct keymap ids;

	keymap_init(&ids, sizeof(int64_t));
	uint32_t *row_of = list_ids(g, &ids);
	for (size_t t = 0; t < g->et->nthread && ids.n > 0; t++) {
		const struct calls_of *of = &g->thread[t];
		bool any = false;

		for (size_t k = 0; k < of->n; k++) {
			int64_t id = g->et->node[of->one[k]].rf_id;
			uint32_t at = id > 0 ? keymap_find(&ids, &id) : KEYMAP_NONE;

			if (at == KEYMAP_NONE || ev->name[row_of[at]] != of->name[k] ||
				g->used[row_of[at]])
				continue;
			if (!any)
				begin_find(g, (uint32_t)t, ev->start[row_of[at]]);
			any = true;
			add_pair(g, of->one[k], row_of[at]);
			g->j->by_id++;
		}
	}
	keymap_clear(&ids);
}

/* ---- names in order ---- */

/* A thread that is looked for in a lane. */
struct looking {
	struct joining *g;
	uint32_t thread;
	const struct calls_of *what, *in;
	uint32_t *scratch; /* by place of what */
};

static bool is_free(const struct looking *l, size_t from, size_t n)
{
	for (size_t i = from; i < from + n; i++)
		if (l->g->used[l->in->one[i]])
			return false;
	return true;
}

/* As they are. */
static void find_same(struct looking *l)
{
	const struct names what = { l->what->name, l->what->n }, in = { l->in->name, l->in->n };
	size_t at = 0;

	find_table(what, l->scratch);
	for (;; at += what.n) {
		at = find_next(what, l->scratch, in, at);
		if (at == in.n)
			return;
		if (!is_free(l, at, what.n))
			continue;
		begin_find(l->g, l->thread, l->g->run->events.start[l->in->one[at]]);
		for (size_t i = 0; i < what.n; i++)
			add_pair(l->g, l->what->one[i], l->in->one[at + i]);
	}
}

/* What is left from one place to another. */
static void find_alike(struct looking *l, size_t from, size_t to)
{
	const struct names what = { l->what->name, l->what->n };
	const struct names in = { l->in->name + from, to - from };
	size_t cells = MIN(l->g->cells, ETJOIN_CELLS), left = cells;
	bool any = false;

	if (in.n < what.n / 2 || in.n / 2 > what.n || in.n == 0)
		return;
	size_t n = find_common(what, in, &left, l->scratch);
	l->g->cells -= cells - left;
	if (n < (what.n + 1) / 2)
		return;
	for (size_t i = 0; i < what.n; i++) {
		if (l->scratch[i] == UINT32_MAX)
			continue;
		uint32_t row = l->in->one[from + l->scratch[i]];
		if (!any)
			begin_find(l->g, l->thread, l->g->run->events.start[row]);
		any = true;
		add_pair(l->g, l->what->one[i], row);
	}
}

static uint32_t step_of(const struct run *r, uint32_t row)
{
	if (!r->steps || r->steps->source == STEPS_WHOLE)
		return NO_ROW;
	return steps_at(r->steps, r->events.start[row]);
}

static void find_left(struct looking *l)
{
	const struct run *r = l->g->run;
	size_t from = 0, i;

	while (from < l->in->n) {
		uint32_t step = step_of(r, l->in->one[from]);

		for (i = from; i < l->in->n && !l->g->used[l->in->one[i]]; i++)
			if (step_of(r, l->in->one[i]) != step)
				break;
		find_alike(l, from, i);
		from = i > from ? i : i + 1;
	}
}

/* How many calls of a thread are found in a lane. */
static size_t look(struct looking *l)
{
	size_t before = l->g->npair;

	find_same(l);
	find_left(l);
	return l->g->npair - before;
}

static void forget(struct joining *g, size_t nfind, size_t npair)
{
	for (size_t i = npair; i < g->npair; i++)
		g->used[g->pair[i].row] = false;
	g->nfind = nfind;
	g->npair = npair;
}

/* The lane of which most is the thread's, of those that are no other's. */
static void find_thread(struct joining *g, uint32_t thread, bool *taken)
{
	struct looking l = { .g = g, .thread = thread, .what = &g->thread[thread] };
	size_t nfind = g->nfind, npair = g->npair, most = 0, best = g->nlane;

	l.scratch = arena_array(&g->mem, l.what->n, sizeof(*l.scratch));
	for (size_t i = 0; i < g->nlane && l.what->n > 0; i++) {
		if (taken[i] || g->lane[i].n == 0)
			continue;
		l.in = &g->lane[i];
		size_t n = look(&l);
		if (n > most) {
			most = n;
			best = i;
		}
		forget(g, nfind, npair);
	}
	if (best == g->nlane)
		return;
	taken[best] = true;
	l.in = &g->lane[best];
	(void)look(&l);
}

struct size_of {
	size_t n;
	uint32_t thread;
};

ORDER(by_size, struct size_of, compare3(b->n, a->n), compare3(a->thread, b->thread))

/* The longest first; no program calls operators in more. */
enum { THREADS_MAX = 64 };

static void find_threads(struct joining *g)
{
	struct size_of *size = arena_array(&g->mem, g->et->nthread, sizeof(*size));
	bool *taken = arena_array(&g->mem, g->nlane, sizeof(*taken));

	for (uint32_t i = 0; i < g->et->nthread; i++)
		size[i] = (struct size_of){ g->thread[i].n, i };
	sort_rows(size, g->et->nthread, sizeof(*size), by_size);
	for (uint32_t i = 0; i < g->et->nthread && i < THREADS_MAX; i++)
		find_thread(g, size[i].thread, taken);
}

/* ---- iterations ---- */

/* The thread that began first, of those of which anything is found. */
static uint32_t first_thread(const struct joining *g)
{
	uint32_t first = ET_NONE, node = ET_NONE;

	for (size_t i = 0; i < g->nfind; i++) {
		uint32_t thread = g->find[i].thread;

		if (first == ET_NONE || g->thread[thread].one[0] < node) {
			first = thread;
			node = g->thread[thread].one[0];
		}
	}
	return first;
}

ORDER(by_start, struct find, compare3(a->start, b->start), compare3(a->thread, b->thread))

ORDER(by_node, struct etjoin_pair, compare3(a->node, b->node))

/* What belongs to the iteration whose first find is at `from`; returns where the next begins. */
static size_t make_iteration(struct joining *g, size_t from, uint32_t first, uint64_t *stamp)
{
	struct etjoin *j = g->j;
	struct etjoin_iteration *it = &j->iteration[j->niteration++];
	size_t i = from;

	*it = (struct etjoin_iteration){ .start = g->find[from].start, .pair = j->npair };
	do {
		const struct find *f = &g->find[i];

		if (stamp[f->thread] == j->niteration)
			continue;
		stamp[f->thread] = j->niteration;
		for (size_t k = 0; k < f->n; k++)
			j->pair[j->npair++] = g->pair[f->pair + k];
	} while (++i < g->nfind && g->find[i].thread != first);
	it->npair = j->npair - it->pair;
	qsort(j->pair + it->pair, it->npair, sizeof(*j->pair), by_node);
	return i;
}

static void make_iterations(struct joining *g)
{
	uint32_t first = first_thread(g);
	uint64_t *stamp = arena_array(&g->mem, g->et->nthread, sizeof(*stamp));
	struct etjoin *j = g->j;

	sort_rows(g->find, g->nfind, sizeof(*g->find), by_start);
	j->iteration = zeroed(g->nfind, sizeof(*j->iteration));
	j->pair = zeroed(g->npair, sizeof(*j->pair));
	size_t i = FIRST(k, g->nfind, g->find[k].thread == first);
	while (i < g->nfind)
		i = make_iteration(g, i, first, stamp);
}

/* Rows to nodes, and what is told of it all. */
static void count(struct joining *g)
{
	const struct steps *steps = g->run->steps;
	bool *seen = arena_array(&g->mem, g->et->n, sizeof(*seen));
	struct etjoin *j = g->j;
	uint32_t last = NO_ROW;

	j->nrow = g->run->events.n;
	j->node_of = zeroed(j->nrow, sizeof(*j->node_of));
	j->iteration_of = zeroed(j->nrow, sizeof(*j->iteration_of));
	memset(j->node_of, 0xff, j->nrow * sizeof(*j->node_of));
	if (steps && steps->source != STEPS_WHOLE)
		j->nsteps = steps->n;
	for (size_t i = 0; i < j->niteration; i++) {
		const struct etjoin_iteration *it = &j->iteration[i];
		uint32_t step = j->nsteps ? steps_at(steps, it->start) : NO_ROW;

		j->in_steps += step != NO_ROW && step != last;
		last = step;
		j->whole += it->npair == j->ncall;
		for (size_t k = it->pair; k < it->pair + it->npair; k++) {
			j->node_of[j->pair[k].row] = j->pair[k].node;
			j->iteration_of[j->pair[k].row] = (uint32_t)i;
			j->seen += !seen[j->pair[k].node];
			seen[j->pair[k].node] = true;
		}
	}
}

struct etjoin *etjoin_new(struct run *r, const struct exectrace *et)
{
	struct joining g = {
		.run = r,
		.et = et,
		.nlane = r->lanes.n,
		.cells = ETJOIN_CELLS_ALL,
		.j = zeroed(1, sizeof(*g.j)),
	};

	g.j->et = et;
	g.used = zeroed(r->events.n, sizeof(*g.used));
	list_threads(&g);
	for (size_t i = 0; i < et->nthread; i++)
		g.j->ncall += g.thread[i].n;
	g.lane = arena_array(&g.mem, g.nlane, sizeof(*g.lane));
	for (size_t i = 0; i < g.nlane; i++)
		list_lane(&g, i);
	find_ids(&g);
	find_threads(&g);
	make_iterations(&g);
	count(&g);
	FREE_ALL(g.used, g.pair, g.find);
	arena_clear(&g.mem);
	return g.j;
}

void etjoin_free(struct etjoin *j)
{
	if (!j)
		return;
	FREE_ALL(j->iteration, j->pair, j->node_of, j->iteration_of, j);
}

uint32_t etjoin_row(const struct etjoin *j, size_t iteration, uint32_t node)
{
	const struct etjoin_iteration *it = &j->iteration[iteration];
	const struct etjoin_pair key = { .node = node }, *at;

	at = it->npair ? bsearch(&key, j->pair + it->pair, it->npair, sizeof(key), by_node) : NULL;
	return at ? at->row : NO_ROW;
}

/* ---- sequences of names ---- */

void find_table(struct names what, uint32_t *fail)
{
	uint32_t k = 0;

	if (what.n)
		fail[0] = 0;
	for (size_t i = 1; i < what.n; i++) {
		while (k > 0 && what.v[i] != what.v[k])
			k = fail[k - 1];
		k += what.v[i] == what.v[k];
		fail[i] = k;
	}
}

size_t find_next(struct names what, const uint32_t *fail, struct names in, size_t from)
{
	size_t k = 0;

	for (size_t i = from; i < in.n; i++) {
		while (k > 0 && in.v[i] != what.v[k])
			k = fail[k - 1];
		k += in.v[i] == what.v[k];
		if (k == what.n)
			return i + 1 - k;
	}
	return in.n;
}

/* What is in the middle: lengths of the longest from each place on, a row for each of a's. */
static size_t find_middle(struct names a, struct names b, size_t place, uint32_t *pair)
{
	size_t wide = b.n + 1, k, n = 0;
	uint32_t *len = zeroed((a.n + 1) * wide, sizeof(*len));

	for (size_t i = a.n; i-- > 0;)
		for (k = b.n; k-- > 0;) {
			uint32_t *at = &len[i * wide + k];

			if (a.v[i] == b.v[k])
				*at = at[wide + 1] + 1;
			else
				*at = MAX(at[wide], at[1]);
		}
	for (size_t i = k = 0; i < a.n && k < b.n;) {
		const uint32_t *at = &len[i * wide + k];

		if (a.v[i] == b.v[k]) {
			pair[i++] = (uint32_t)(place + k++);
			n++;
		} else if (at[wide] >= at[1]) {
			i++;
		} else {
			k++;
		}
	}
	free(len);
	return n;
}

size_t find_common(struct names a, struct names b, size_t *cells, uint32_t *pair)
{
	size_t front = 0, back = 0, least = MIN(a.n, b.n);

	FILL(pair, a.n, UINT32_MAX);
	for (; front < least && a.v[front] == b.v[front]; front++)
		pair[front] = (uint32_t)front;
	for (; back < least - front && a.v[a.n - 1 - back] == b.v[b.n - 1 - back]; back++)
		pair[a.n - 1 - back] = (uint32_t)(b.n - 1 - back);
	a = (struct names){ a.v + front, a.n - front - back };
	b = (struct names){ b.v + front, b.n - front - back };
	if (a.n == 0 || b.n == 0)
		return front + back;
	if (a.n + 1 > *cells / (b.n + 1))
		return 0;
	*cells -= (a.n + 1) * (b.n + 1);
	return front + back + find_middle(a, b, front, pair + front);
}
