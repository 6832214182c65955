/* Device work of one rank: which nodes are one piece, and what pieces wait for. */
#include "analyze/job/path/rankwork.h"

#include "analyze/trace/columns/strings.h"
#include "analyze/trace/run.h"

struct making {
	struct rankwork *w;
	const struct depend *d;
	uint32_t *host;  /* by node: the work that the host had waited for by then, or of work that
	                    its launch had; NO_NODE */
	uint32_t *piece; /* by node: the piece of a work */
	uint64_t *hash;  /* by name; 0: not yet */
	bool *is_end;    /* by node: something besides what follows on its stream waits for it */
	nsec from, to, base;
};

/* Fowler, Noll and Vo's. */
static uint64_t mix(uint64_t hash, const void *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ ((const unsigned char *)v)[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* The same for the same names of all ranks. */
static uint64_t name_hash(const struct making *m, uint32_t row)
{
	sym name = m->d->run->events.name[row];
	struct span text = strings_get(&m->d->run->strings, name);

	if (m->hash[name] == 0)
		m->hash[name] = mix(UINT64_C(0xcbf29ce484222325), text.p, text.n);
	return m->hash[name];
}

static bool is_work(const struct making *m, uint32_t node)
{
	return node != NO_NODE && depend_is_work(&m->d->node[node]);
}

/* The work of another stream that it waits for, as far as the trace says so. */
static uint32_t wait_of(const struct making *m, uint32_t node)
{
	const struct depend_node *n = &m->d->node[node];

	return n->evidence != EVIDENCE_INFERRED && is_work(m, n->from[EDGE_WAIT])
		? n->from[EDGE_WAIT]
		: NO_NODE;
}

static bool is_collective(const struct depend_node *n)
{
	return n->cls == CLASS_COMM;
}

/* The collective that it may have waited for: by times, or since both use the links. */
static uint32_t guess_of(const struct making *m, uint32_t node)
{
	const struct depend_node *n = &m->d->node[node];
	uint32_t wait = n->binding == EDGE_ENGINE  ? n->from[EDGE_ENGINE]
		: n->evidence == EVIDENCE_INFERRED ? n->from[EDGE_WAIT]
						   : NO_NODE;

	return is_work(m, wait) && is_collective(&m->d->node[wait]) ? wait : NO_NODE;
}

/* The one of two works that ends later. */
static uint32_t later(const struct making *m, uint32_t a, uint32_t b)
{
	if (a == NO_NODE || b == NO_NODE)
		return a == NO_NODE ? b : a;
	return depend_fin(m->d, b) > depend_fin(m->d, a) ? b : a;
}

/* Nodes are behind those they wait for. */
static void find_waited(struct making *m)
{
	for (uint32_t i = 0; i < m->d->n; i++) {
		const struct depend_node *n = &m->d->node[i];
		uint32_t cause = n->from[EDGE_CAUSE], prev = n->from[EDGE_PREV];

		if (depend_is_work(n)) {
			m->host[i] = cause == NO_NODE ? NO_NODE : m->host[cause];
		} else {
			m->host[i] = prev == NO_NODE ? NO_NODE : m->host[prev];
			if (cause != NO_NODE)
				m->host[i] = later(
					m, m->host[i], is_work(m, cause) ? cause : m->host[cause]);
		}
	}
}

/* What of the host's waits a work does not know by the one before it on its stream. */
static uint32_t host_dep(const struct making *m, uint32_t node)
{
	uint32_t prev = m->d->node[node].from[EDGE_PREV], host = m->host[node];

	if (host == NO_NODE || host == prev || (prev != NO_NODE && m->host[prev] == host))
		return NO_NODE;
	return m->d->node[host].lane == m->d->node[node].lane ? NO_NODE : host;
}

static void find_ends(struct making *m)
{
	for (uint32_t i = 0; i < m->d->n; i++) {
		if (!is_work(m, i))
			continue;
		if (wait_of(m, i) != NO_NODE)
			m->is_end[wait_of(m, i)] = true;
		uint32_t host = host_dep(m, i);
		if (host != NO_NODE)
			m->is_end[host] = true;
	}
}

/* Whether it is one piece with the one before it on its stream. */
static bool goes_on(const struct making *m, uint32_t node)
{
	const struct depend_node *n = &m->d->node[node];
	uint32_t prev = n->from[EDGE_PREV];

	return is_work(m, prev) && m->piece[prev] != RANKWORK_NONE && !m->is_end[prev] &&
		wait_of(m, node) == NO_NODE && guess_of(m, node) == NO_NODE &&
		host_dep(m, node) == NO_NODE && !is_collective(n) &&
		!is_collective(&m->d->node[prev]);
}

static uint32_t piece_of(const struct making *m, uint32_t node)
{
	return is_work(m, node) ? m->piece[node] : RANKWORK_NONE;
}

static void add(struct making *m, uint32_t node, const uint32_t *collective)
{
	const struct depend_node *n = &m->d->node[node];
	nsec fin = depend_fin(m->d, node), runs = saturate_sub(fin, n->at);
	uint64_t what = name_hash(m, n->row);

	if (goes_on(m, node)) {
		struct rankwork_piece *p = &m->w->v[m->piece[n->from[EDGE_PREV]]];

		m->piece[node] = m->piece[n->from[EDGE_PREV]];
		p->end = saturate_add(fin, m->base);
		saturate_onto(&p->runs, runs);
		p->what = mix(p->what, &what, sizeof(what));
		return;
	}
	m->piece[node] = (uint32_t)m->w->n;
	m->w->v[m->w->n++] = (struct rankwork_piece){
		.start = saturate_add(n->at, m->base),
		.end = saturate_add(fin, m->base),
		.runs = runs,
		.what = what,
		.dep = { piece_of(m, n->from[EDGE_PREV]), piece_of(m, wait_of(m, node)),
			piece_of(m, host_dep(m, node)), piece_of(m, guess_of(m, node)) },
		.collective = is_collective(n) ? collective[node] : RANKWORK_NONE,
	};
}

void rankwork_init(struct rankwork *w, const struct depend *d, nsec from, nsec to, nsec base,
	const uint32_t *collective, struct arena *mem)
{
	struct making m = { .w = w, .d = d, .from = from, .to = to, .base = base };
	size_t n = 0;

	m.host = zeroed(d->n, sizeof(*m.host));
	m.piece = zeroed(d->n, sizeof(*m.piece));
	m.hash = zeroed(d->run->strings.n, sizeof(*m.hash));
	m.is_end = zeroed(d->n, sizeof(*m.is_end));
	find_waited(&m);
	find_ends(&m);
	for (uint32_t i = 0; i < d->n; i++) {
		m.piece[i] = RANKWORK_NONE;
		n += is_work(&m, i) && d->node[i].at >= from && d->node[i].at < to;
	}
	*w = (struct rankwork){ .v = arena_array(mem, n, sizeof(*w->v)) };
	for (uint32_t i = 0; i < d->n; i++)
		if (is_work(&m, i) && d->node[i].at >= from && d->node[i].at < to)
			add(&m, i, collective);
	FREE_ALL(m.host, m.piece, m.hash, m.is_end);
}
