/*
 * `hang`: its words.
 */
#include <inttypes.h>

#include "analyze/answer/hang/hang.h"
#include "analyze/trace/ranklist.h"

void hang_put_ranks(struct str *out, const struct hang_job *job, struct hang_ranks r)
{
	struct arena mem;
	int64_t *v;
	size_t i;

	arena_init(&mem);
	v = arena_array(&mem, r.n, sizeof(*v));
	for (i = 0; i < r.n; i++)
		v[i] = job->rank[r.v[i]].number;
	ranklist_put(out, v, ranklist_sort(v, r.n), true);
	arena_clear(&mem);
}

void hang_put_group(struct str *out, const struct hang_group *g)
{
	if (g->desc.n && !span_is(g->desc, "undefined"))
		str_addf(out, "%.*s (%.*s)", (int)g->desc.n, g->desc.p, (int)g->name.n, g->name.p);
	else
		str_addf(out, "group %.*s", (int)g->name.n, g->name.p);
}

void hang_put_call(struct str *out, const struct hang_job *job, const struct hang_call *c)
{
	str_addf(out, "%.*s", (int)c->op.n, c->op.p);
	if (c->seq != NOWHERE)
		str_addf(out, " #%" PRId64, c->seq);
	if (c->is_p2p && c->peer != NOWHERE)
		str_addf(out, " %s rank %" PRId64, c->is_send ? "to" : "from",
			job->rank[c->peer].number);
}

const char *hang_kind_word(const struct hang_meeting *m)
{
	static const char *const differing[] = { "mismatch", "other op", "other dtype",
		"other size" };

	switch (m->kind) {
	case KIND_MISMATCHED: return differing[m->differs];
	case KIND_MISSING: return "missing";
	case KIND_NO_DUMP: return "no dump";
	case KIND_LATE: return "late";
	case KIND_STUCK: break;
	}
	return m->blocks.n ? "held up" : "stuck";
}
