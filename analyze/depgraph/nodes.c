/* What nodes are asked. */
#include "analyze/depgraph/nodes.h"

#include "analyze/trace/run.h"
#include "base/words.h"

WORDS(evidence_key, enum evidence, EVIDENCES, 2)

WORDS(evidence_what, enum evidence, EVIDENCES, 3)

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
