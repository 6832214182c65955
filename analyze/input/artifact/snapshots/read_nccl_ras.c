/* What NCCL's RAS subsystem answers (ncclras -f json): of each communicator the ranks that do not
 * answer, and how many collectives each rank has called.  Ranks of one communicator call the same,
 * so that who has called fewer of them is behind. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "base/base.h"

enum { NAME_BYTES = 64, OPS_MAX = 64 };

/* Calls of one collective: who has called least and most of it. */
struct called {
	struct span op;
	double least, most;
	struct span least_rank, most_rank;
};

struct communicator {
	struct reading *in;
	struct span hash;
	struct called op[OPS_MAX];
	size_t n;
};

static void put(struct communicator *c, const char *name, struct span what, double v)
{
	SCOPED_STR group = { 0 };

	str_addf(&group, "%.*s%s%.*s", (int)MIN(c->hash.n, NAME_BYTES), c->hash.p,
		what.n ? " " : "", (int)MIN(what.n, NAME_BYTES), what.p);
	series_add(reading_series(c->in, span_of(name), (struct span){ group.s, group.n },
			   AXIS_REPEAT, MEASURE_COUNT),
		0, v);
}

static void count_calls(struct communicator *c, struct span rank, struct json_value counts)
{
	double n;

	for (struct json_items it = json_members(counts); json_more(&it);) {
		if (!jsondoc_number(it.v, &n))
			continue;
		struct called *k = FIND(i, c->op, c->n, span_eq(c->op[i].op, it.key));
		if (!k && c->n < OPS_MAX) {
			k = &c->op[c->n++];
			*k = (struct called){ it.key, n, n, rank, rank };
		}
		if (k && n < k->least) {
			k->least = n;
			k->least_rank = rank;
		}
		if (k && n > k->most) {
			k->most = n;
			k->most_rank = rank;
		}
	}
}

static void say_missing(struct communicator *c, struct json_value rank)
{
	struct json_value host = json_get(rank, "host"), dead = json_get(rank, "considered_dead");

	if (dead.type == JSON_NONE)
		dead = jsondoc_at(rank, "status.considered_dead");
	reading_note(c->in, NOTE_WARNING, "missing_rank", 1, -1,
		"rank %.*s of communicator %.*s (%.*s) does not answer%s",
		(int)MIN(json_get(rank, "rank").text.n, 16), json_get(rank, "rank").text.p,
		(int)MIN(c->hash.n, NAME_BYTES), c->hash.p, (int)MIN(host.text.n, NAME_BYTES),
		host.text.p, span_is(dead.text, "true") ? ", and is considered dead" : "");
}

static void take_communicator(struct reading *in, struct json_value v)
{
	struct communicator *c = arena_alloc(&in->mem, sizeof(*c));
	double missing = 0;

	*c = (struct communicator){ .in = in, .hash = json_get(v, "hash").text };
	for (struct json_items it = json_list(json_get(v, "ranks")); json_more(&it);)
		count_calls(c, json_get(it.v, "rank").text, json_get(it.v, "collective_counts"));
	for (struct json_items it = json_list(json_get(v, "missing_ranks")); json_more(&it);) {
		say_missing(c, it.v);
		missing++;
	}
	put(c, "missing ranks", SPAN(""), missing);
	for (EACH(const struct called, k, c->op, c->n)) {
		put(c, "calls", k->op, k->most);
		put(c, "calls behind", k->op, k->most - k->least);
		if (k->most > k->least)
			reading_note(in, NOTE_WARNING, "ranks_behind", 1, -1,
				"%.*s of communicator %.*s: rank %.*s has called %.0f, rank %.*s %.0f",
				(int)MIN(k->op.n, NAME_BYTES), k->op.p,
				(int)MIN(c->hash.n, NAME_BYTES), c->hash.p,
				(int)MIN(k->least_rank.n, 16), k->least_rank.p, k->least,
				(int)MIN(k->most_rank.n, 16), k->most_rank.p, k->most);
	}
	reading_artifact(in)->rows++;
}

static void take_communicators(struct reading *in, struct json_value list)
{
	for (struct json_items it = json_list(list); json_more(&it);)
		if (it.v.type == JSON_OBJECT)
			take_communicator(in, it.v);
}

const struct artifact artifact_nccl_ras = {
	.name = "nccl_ras",
	.title = "state of communicators (NCCL's RAS)",
	.summary = "ncclras -f json: ranks that do not answer, collectives that each rank has called",
	.sign = { { MATCH_STRONG, 2, .keys = "nccl_version communicators_count communicators" } },
	.member = {
		{ "", TO_ENV, .name = "", .skip = "communicators|communicators_count" },
		{ "communicators", .call = take_communicators },
	},
};
