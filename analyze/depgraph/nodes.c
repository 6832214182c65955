/*
 * What nodes are asked.
 */
#include "analyze/depgraph/nodes.h"

#include "analyze/trace/run.h"
#include "base/minmax.h"

const char *evidence_key(enum evidence e)
{
#define X(name, key, what) key,
	static const char *const keys[] = { EVIDENCES(X) };
#undef X

	return keys[e];
}

const char *evidence_what(enum evidence e)
{
#define X(name, key, what) what,
	static const char *const whats[] = { EVIDENCES(X) };
#undef X

	return whats[e];
}

nsec depend_long_fin(const struct depend *d, const struct depend_node *n)
{
	return events_end(&d->run->events, n->row);
}

nsec depend_until(const struct depend *d, uint32_t node, enum edge e)
{
	const struct depend_node *n = &d->node[node];
	nsec fin = depend_fin(d, n->from[e]);

	return MIN(fin, n->at);
}
