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
	struct json_value size;
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

static bool is_dead(struct json_value rank)
{
	struct json_value dead = json_get(rank, "considered_dead");

	if (dead.type == JSON_NONE)
		dead = jsondoc_at(rank, "status.considered_dead");
	return span_is(dead.text, "true");
}

static void say_missing(struct communicator *c, struct json_value rank)
{
	struct json_value host = json_get(rank, "host");

	reading_note(c->in, NOTE_WARNING, "missing_rank", 1, -1,
		"rank %.*s of communicator %.*s (%.*s) does not answer%s",
		(int)MIN(json_get(rank, "rank").text.n, 16), json_get(rank, "rank").text.p,
		(int)MIN(c->hash.n, NAME_BYTES), c->hash.p, (int)MIN(host.text.n, NAME_BYTES),
		host.text.p, is_dead(rank) ? ", and is considered dead" : "");
}

/* ---- a row for each rank ---- */

static void put_whole(struct table *t, size_t col, struct json_value v)
{
	double d;

	if (v.type == JSON_NUMBER && jsondoc_number(v, &d) && d >= 0 && d < 9e15)
		table_int(t, col, saturate_round(d));
}

/* What is not as it should be: numbers but 0, and flags that are set. */
static void put_status(struct communicator *c, struct table *t, struct json_value status)
{
	SCOPED_STR said = { 0 };
	double d;

	for (struct json_items it = json_members(status); json_more(&it);) {
		bool is_number =
			it.v.type == JSON_NUMBER && jsondoc_number(it.v, &d) && !(d >= 0 && d <= 0);

		if (!is_number && !span_is(it.v.text, "true"))
			continue;
		str_addf(&said, "%s%.*s", said.n ? ", " : "", (int)MIN(it.key.n, NAME_BYTES),
			it.key.p);
		if (is_number)
			str_addf(&said, " %.0f", d);
	}
	if (said.n)
		table_text(t, MEMBER_ERROR,
			record_text(c->in->record, (struct span){ said.s, said.n }));
}

/* How many it called, and where it is furthest behind. */
static void put_calls(struct communicator *c, struct table *t, struct json_value counts)
{
	double n, all = 0, behind = 0;
	struct span op = { NULL, 0 };
	bool any = false;

	for (struct json_items it = json_members(counts); json_more(&it);) {
		const struct called *k = FIND(i, c->op, c->n, span_eq(c->op[i].op, it.key));

		if (!k || !jsondoc_number(it.v, &n))
			continue;
		any = true;
		all += n;
		if (k->most - n > behind) {
			behind = k->most - n;
			op = it.key;
		}
	}
	if (!any || !(all < 9e15))
		return;
	table_int(t, MEMBER_CALLS, saturate_round(all));
	table_int(t, MEMBER_BEHIND, saturate_round(behind));
	if (op.n)
		table_text(t, MEMBER_OP, record_text(c->in->record, op));
}

static void put_member(
	struct communicator *c, struct sheet *s, struct json_value rank, const char *state)
{
	struct table *t = &s->table;

	if (rank.type != JSON_OBJECT || !record_row(s))
		return;
	put_whole(t, MEMBER_RANK, json_get(rank, "rank"));
	table_text(t, MEMBER_STATE, span_of(state));
	put_calls(c, t, json_get(rank, "collective_counts"));
	put_status(c, t, json_get(rank, "status"));
	if (json_get(rank, "host").text.n)
		table_text(t, MEMBER_HOST, record_text(c->in->record, json_get(rank, "host").text));
	put_whole(t, MEMBER_PID, json_get(rank, "pid"));
	put_whole(t, MEMBER_RANKS, c->size);
	table_text(t, MEMBER_GROUP, record_text(c->in->record, c->hash));
}

static void put_members(struct communicator *c, struct json_value v)
{
	struct sheet *s = reading_sheet(c->in, SHEET_MEMBERS);

	for (struct json_items it = json_list(json_get(v, "ranks")); json_more(&it);)
		put_member(c, s, it.v, "answers");
	for (struct json_items it = json_list(json_get(v, "missing_ranks")); json_more(&it);)
		put_member(c, s, it.v, is_dead(it.v) ? "dead" : "missing");
}

static void take_communicator(struct reading *in, struct json_value v)
{
	struct communicator *c = arena_alloc(&in->mem, sizeof(*c));
	double missing = 0;

	*c = (struct communicator){
		.in = in, .hash = json_get(v, "hash").text, .size = json_get(v, "size")
	};
	for (struct json_items it = json_list(json_get(v, "ranks")); json_more(&it);)
		count_calls(c, json_get(it.v, "rank").text, json_get(it.v, "collective_counts"));
	for (struct json_items it = json_list(json_get(v, "missing_ranks")); json_more(&it);) {
		say_missing(c, it.v);
		missing++;
	}
	put_members(c, v);
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
