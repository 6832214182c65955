/* `stacks`: what pictures leave out and put together: threads that only wait, layers whose names
 * differ in a number alone. */
#include "analyze/answer/stacks/stacks.h"
#include "analyze/measure/host/frames.h"

/* ---- threads that only wait ---- */

/* Of Python functions that wait, whatever their file's folder: "threading.py(589): wait". */
static const char *const waiting[][2] = {
	{ "threading.py(", ": wait|: acquire|: join|: wait_for|: _wait_for_tstate_lock" },
	{ "queue.py(", ": get" },
	{ "queues.py(", ": get" },
	{ "selectors.py(", ": select" },
	{ "connection.py(", ": wait|: poll|: recv|: _recv|: recv_bytes|: accept" },
	{ "<built-in ",
		" acquire of _thread.| select>| sleep>| poll of | wait of | get of _queue." },
	{ "<method '", "acquire' of '_thread.|poll' of 'select.|get' of '_queue." },
};

static bool name_waits(struct span name)
{
	for (size_t i = 0; i < COUNT_OF(waiting); i++)
		if (span_has(name, waiting[i][0]) && span_has_in(name, waiting[i][1]))
			return true;
	return false;
}

struct by_thread {
	nsec busy, all; /* busy: in no function that waits */
	bool waits, works;
};

struct quiet {
	const struct run *run;
	struct by_thread *v; /* by lane */
	uint8_t *is_wait;    /* by name: 1 yes, 2 no, 0 not asked */
};

/* tag: whether it is in one that waits. */
static void enter(void *ctx, struct frames_node *path, size_t depth, uint32_t up UNUSED)
{
	struct quiet *q = ctx;
	const struct events *ev = &q->run->events;
	sym name = ev->name[path[depth].row];

	if (!q->is_wait[name])
		q->is_wait[name] = name_waits(run_name(q->run, path[depth].row)) ? 1 : 2;
	path[depth].tag = (depth && path[depth - 1].tag) || q->is_wait[name] == 1;
}

static void leave(void *ctx, struct frames_node *path, size_t depth)
{
	struct quiet *q = ctx;
	const struct frames_node *node = &path[depth];
	struct by_thread *t = &q->v[q->run->events.lane[node->row]];
	nsec own = MAX(saturate_sub(node->dur, node->child_ns), 0);

	saturate_onto(&t->all, own);
	if (node->tag)
		t->waits = true;
	else
		saturate_onto(&t->busy, own);
	t->works |= q->run->events.kind[node->row] != KIND_PYTHON;
}

/* Less than a hundredth of such a thread's time is no waiting, and it launches and computes
 * nothing. */
static bool only_waits(const struct by_thread *t)
{
	return t->waits && !t->works && t->busy < t->all / 100;
}

void stacks_find_waits(struct stacks *s)
{
	const struct run *r = s->at->run;
	struct quiet q = { .run = r };
	const struct frames_visitor visitor = { &q, enter, leave };
	size_t others = 0;

	if (s->o->waits ? strcmp(s->o->waits, "merged") == 0 : stacks_are_filtered(s))
		return;
	if (s->is_device || !stacks_has(r, STACKS_PYTHON))
		return;
	q.v = arena_array(&s->at->mem, r->lanes.n, sizeof(*q.v));
	q.is_wait = arena_array(&s->at->mem, r->strings.n, sizeof(*q.is_wait));
	(void)frames_walk(r, stacks_kinds(s->o, r) & ~KINDS_DEVICE, &visitor);
	s->waits = arena_array(&s->at->mem, r->lanes.n, sizeof(*s->waits));
	for (size_t i = 0; i < r->lanes.n; i++) {
		s->waits[i] = only_waits(&q.v[i]);
		s->nwaits += s->waits[i];
		others += q.v[i].all > 0 && !s->waits[i];
	}
	if (others == 0) /* all there is */
		s->nwaits = 0;
	s->hides = s->nwaits && !(s->o->waits && strcmp(s->o->waits, "apart") == 0);
}

bool stacks_is_wait(const struct stacks *s, uint32_t lane)
{
	return s->nwaits && s->waits[lane];
}

/* ---- layers ---- */

/* A number between dots, or in brackets, or at the end behind "_": encoder.layer.3.attention,
 * layers[3], Block_3. */
static size_t number_at(struct span name, size_t i)
{
	char before = i ? name.p[i - 1] : 0;
	size_t end = i;

	while (end < name.n && is_digit(name.p[end]))
		end++;
	char after = end < name.n ? name.p[end] : 0;
	bool ends = !after || strchr(".)/ ", after);
	if (end == i || !before)
		return i;
	if (before == '.' || before == '/')
		return ends && i > 1 && !is_digit(name.p[i - 2]) ? end : i;
	return (before == '_' && ends) || (before == '[' && after == ']') ? end : i;
}

bool stacks_layer(struct span name, struct str *b)
{
	size_t i = 0;
	bool any = false;

	str_reset(b);
	if (span_starts(name, "triton_") || (span_has(name, "): ") && !span_starts(name, "nn.")))
		return false;
	while (i < name.n) {
		size_t end = number_at(name, i);

		any |= end > i;
		str_addc(b, end > i ? '*' : name.p[i]);
		i = MAX(end, i + 1);
	}
	return any;
}

bool stacks_may_merge(const struct stacks *s, uint32_t row)
{
	return row != NO_ROW && !kind_is_device(s->at->run->events.kind[row]);
}

/* The name below which a node is one with its neighbours: of host calls that of the layer. */
static sym merged_name(struct stacks *s, const struct calltree_node *v, struct str *b)
{
	if (!stacks_may_merge(s, v->row) || !stacks_layer(strings_get(&s->names, v->name), b))
		return v->name;
	return strings_intern(&s->names, (struct span){ b->s, b->n });
}

void stacks_merge_layers(struct stacks *s)
{
	const struct calltree from = s->tree;
	uint32_t *to = arena_array(&s->at->mem, from.n, sizeof(*to));
	sym *own = arena_array(&s->at->mem, from.n, sizeof(*own)); /* 0: of several names */
	sym *first = arena_array(&s->at->mem, from.n, sizeof(*first));
	SCOPED_STR b = { 0 };

	s->layers = arena_array(&s->at->mem, from.n, sizeof(*s->layers));
	calltree_init(&s->tree);
	s->tree.v[0] = from.v[0];
	for (size_t i = 1; i < from.n; i++) { /* a parent is before its children */
		const struct calltree_node *v = &from.v[i];
		size_t n = s->tree.n;

		if (v->total == 0)
			continue;
		to[i] = calltree_child(&s->tree, to[v->parent], merged_name(s, v, &b));
		struct calltree_node *m = &s->tree.v[to[i]];
		if (to[i] == n) {
			m->row = v->row;
			own[n] = first[n] = v->name;
		}
		if (own[to[i]] != v->name)
			own[to[i]] = 0;
		s->layers[to[i]]++;
		m->calls += v->calls;
		saturate_onto(&m->self, v->self);
		saturate_onto(&m->total, v->total);
	}
	for (size_t i = 1; i < s->tree.n; i++)
		if (own[i])
			s->tree.v[i].name = first[i];
	s->waits_node = to[s->waits_node];
	struct calltree gone = from;
	calltree_clear(&gone);
}
