/* The eight roles: a merge of all lanes by start into one partition, the first active role of each
 * moment.
 *
 * Most rows change nothing, since one of a role that goes before theirs is around them on their own
 * lane (a call within a call): they are passed over before the merge. */
#include "analyze/measure/roles.h"

#include "analyze/measure/host/optree.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run_steps.h"
#include "base/words.h"

/* A row that has no role: a step itself.  One whose name says it. */
enum { ROLE_NONE = ROLE_COUNT, ROLE_BY_NAME };

/* Where one lane is: its next row that counts, and up to when each role was seen on it. */
struct lane_at {
	const uint32_t *at, *behind;
	nsec end; /* of that row */
	enum role role;
	nsec cover[ROLE_OTHER]; /* of it or one that goes before it */
	bool is_device;
};

struct heap_place {
	nsec start;
	uint32_t lane;
};

struct merge {
	const struct run *run;
	const struct classes *classes;
	const struct filter_view *view;
	uint8_t *of_name;            /* by sym: enum role of an op or annotation, or ROLE_NONE */
	uint8_t of_kind[KIND_COUNT]; /* of rows of the host; or ROLE_NONE, or ROLE_BY_NAME */
	struct lane_at *lane;
	struct heap_place *heap;
	size_t n;
};

static uint8_t role_of_name(struct span name)
{
	if (span_starts(name, "ProfilerStep#"))
		return ROLE_NONE;
	if (span_starts(name, "enumerate(DataLoader)") || span_starts(name, "enumerate(DataPipe)"))
		return ROLE_DATA;
	return span_starts(name, "gloo:") ? ROLE_COMM : ROLE_CPU;
}

static void look_at_names(struct merge *m, const struct run *r, struct arena *mem)
{
	const struct steps *s = r->steps;
	uint32_t mark;

	m->of_name = arena_array(mem, r->strings.n, sizeof(*m->of_name));
	for (size_t i = 0; i < r->strings.n; i++)
		m->of_name[i] = role_of_name(strings_get(&r->strings, (sym)i));
	for (size_t i = 0; i < s->n; i++)
		if (step_event(&s->step[i], &mark))
			m->of_name[r->events.name[mark]] = ROLE_NONE;
}

static unsigned device_role(const struct merge *m, uint32_t row)
{
	static const uint8_t roles[] = { ROLE_KERNEL, ROLE_COMM, ROLE_MEMCPY, ROLE_MEMSET };

	_Static_assert(COUNT_OF(roles) == CLASS_COUNT, "a role for each class");
	if (!(KIND_BIT(m->run->events.kind[row]) & m->view->kinds))
		return ROLE_NONE;
	return roles[classes_of(m->classes, row)];
}

/* host: kinds of the host that count. */
static void look_at_kinds(struct merge *m, unsigned host)
{
	for (size_t i = 0; i < KIND_COUNT; i++)
		m->of_kind[i] = host & KIND_BIT(i) ? ROLE_BY_NAME : ROLE_NONE;
	if (host & KIND_BIT(KIND_RUNTIME))
		m->of_kind[KIND_RUNTIME] = ROLE_RUNTIME;
}

HOT_INLINE unsigned host_role(const struct merge *m, const struct events *ev, uint32_t row)
{
	unsigned role = m->of_kind[ev->kind[row]];

	return role == ROLE_BY_NAME ? m->of_name[ev->name[row]] : role;
}

/* Whether [.., end) of a role is hidden behind earlier rows of the lane; else it hides others. */
HOT_INLINE bool is_hidden(struct lane_at *l, unsigned role, nsec end)
{
	if (l->cover[role] >= end)
		return true;
	for (unsigned k = role; k < ROLE_OTHER; k++)
		l->cover[k] = MAX(end, l->cover[k]);
	return false;
}

/* Goes to the first row at or behind l->at that counts; false when there is none. */
HOT_INLINE bool find_row_of(const struct merge *m, struct lane_at *l, bool is_device)
{
	const struct events ev = m->run->events;
	const uint32_t *at;

	for (at = l->at; at < l->behind; at++) {
		uint32_t row = *at;
		unsigned role = is_device ? device_role(m, row) : host_role(m, &ev, row);
		nsec end = events_end(&ev, row);

		if (role == ROLE_NONE || ev.dur[row] == 0 || is_hidden(l, role, end))
			continue;
		l->at = at;
		l->end = end;
		l->role = (enum role)role;
		return true;
	}
	l->at = at;
	return false;
}

static bool find_row(const struct merge *m, struct lane_at *l)
{
	return l->is_device ? find_row_of(m, l, true) : find_row_of(m, l, false);
}

static void sift(struct merge *m, size_t i)
{
	struct heap_place x = m->heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= m->n)
			break;
		if (child + 1 < m->n && m->heap[child + 1].start < m->heap[child].start)
			child++;
		if (m->heap[child].start >= x.start)
			break;
		m->heap[i] = m->heap[child];
		i = child;
	}
	m->heap[i] = x;
}

static void add_lane(struct merge *m, const uint32_t *at, const uint32_t *behind, bool is_device)
{
	struct lane_at *l = &m->lane[m->n];

	*l = (struct lane_at){ .at = at, .behind = behind, .is_device = is_device };
	FILL(l->cover, COUNT_OF(l->cover), INT64_MIN);
	if (!find_row(m, l))
		return;
	m->heap[m->n] = (struct heap_place){ m->run->events.start[*l->at], (uint32_t)m->n };
	m->n++;
}

static void find_lanes(struct merge *m, struct arena *mem)
{
	const struct run *r = m->run;
	const struct order *o = r->order;

	m->lane = arena_array(mem, 2 * r->lanes.n, sizeof(*m->lane));
	m->heap = arena_array(mem, 2 * r->lanes.n, sizeof(*m->heap));
	for (size_t i = 0; i < r->lanes.n; i++) {
		if (o->host_begin[i] < o->host_begin[i + 1])
			add_lane(m, o->host + o->host_begin[i], o->host + o->host_begin[i + 1],
				false);
		if (o->device_begin[i] < o->device_begin[i + 1] &&
			(!m->view->lane || m->view->lane[i]))
			add_lane(m, o->device + o->device_begin[i],
				o->device + o->device_begin[i + 1], true);
	}
	for (size_t i = m->n / 2; i-- > 0;)
		sift(m, i);
}

static void merge_all(struct merge *m, struct partition *p)
{
	while (m->n > 0) {
		struct heap_place *top = &m->heap[0];
		struct lane_at *l = &m->lane[top->lane];

		partition_add(p, l->role, top->start, l->end);
		l->at++;
		if (find_row(m, l))
			top->start = m->run->events.start[*l->at];
		else
			*top = m->heap[--m->n];
		if (m->n > 1)
			sift(m, 0);
	}
	partition_end(p);
}

/* All steps and the window behind them. */
static void find_ranges(struct roles *o, struct partition_edges *edges, const struct steps *s,
	const struct filter_view *v, struct arena *mem)
{
	nsec *start = arena_array(mem, s->n + 1, sizeof(*start));
	nsec *end = arena_array(mem, s->n + 1, sizeof(*end));
	nsec first = INT64_MAX, last = INT64_MIN;

	for (size_t i = 0; i < s->n; i++) {
		start[i] = s->step[i].start;
		end[i] = s->step[i].end;
		if (v->step && !v->step[i])
			continue;
		first = MIN(start[i], first);
		last = MAX(end[i], last);
	}
	o->nstep = s->n;
	start[s->n] = first < last ? first : 0;
	end[s->n] = first < last ? last : 0;
	partition_edges_init(edges, start, end, s->n + 1, mem);
}

void roles_init(struct roles *o, const struct run *r, const struct classes *c,
	const struct filter_view *v, struct arena *mem)
{
	struct merge m = { .run = r, .classes = c, .view = v };
	struct partition_edges edges;
	struct partition p;

	look_at_kinds(&m, optree_kinds(r));
	look_at_names(&m, r, mem);
	find_ranges(o, &edges, r->steps, v, mem);
	o->step = arena_array(mem, edges.nrange, sizeof(*o->step));
	partition_init(&p, &edges, o->step, ROLE_OTHER, false);
	find_lanes(&m, mem);
	merge_all(&m, &p);
	o->window = o->step[o->nstep];
}

WORDS(role_word, enum role, ROLES, 2)
