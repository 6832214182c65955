/* communication.json and communication_matrix.json of Ascend's profiler: by step, p2p or
 * collective, and call, "hcom_allReduce__868_0_1@13681369207305868844", its times and what each
 * kind of link transferred; of the matrix, by kind of call and communicator, each link "0-1".  What
 * msprof-analyze makes of the files of all ranks has the ranks of the communicator around, "(0,
 * 1)", and the rank below the call. Source: torch_npu, profiler/analysis/prof_view/prof_db_parse;
 * MindStudio, "communication". */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/benchmarks/comm_rows.h"
#include "analyze/input/artifact/head.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"

enum { DEPTH = 6, NAME_BYTES = 160 };

#define TIMES "Communication Time Info"
#define LINKS "Communication Bandwidth Info"
#define SUMS  "Total Op Info"

/* Where a call stands in the document. */
struct place {
	struct span set;  /* "(0, 1)", "p2p", "collective" */
	struct span call; /* with its communicator */
	double step, rank, ranks;
};

struct comms {
	struct reading *in;
	struct comm_rows rows;
	bool has_sums; /* the matrix sums links of alike calls: others are some of these */
};

/* "Transit Time(ms)": the name and the measure; MB are powers of ten. */
static void put(struct comms *c, struct span key, const char *of, struct span group, enum axis axis,
	double x, double v)
{
	struct span name, unit;
	enum measure m;

	(void)span_bracketed(key, '(', &name, &unit);
	m = span_is(unit, "MB")             ? MEASURE_BYTE
		: unit.n                    ? measure_of_unit(unit)
		: span_ends(name, " Ratio") ? MEASURE_RATIO
					    : MEASURE_NONE;
	if (!isfinite(v))
		return;
	struct series *s = reading_series(c->in,
		span_of(arena_printf(
			&c->in->mem, "%s%.*s", of, (int)MIN(name.n, NAME_BYTES), name.p)),
		group, axis, m);
	series_add(s, axis == AXIS_REPEAT ? (double)(s->n + s->nan + s->inf) : x,
		span_is(unit, "MB") ? v * 1e6 : v);
}

static double number_at(struct json_value object, const char *key)
{
	struct json_value v = json_get(object, key);
	double d;

	return v.type == JSON_NUMBER && jsondoc_number(v, &d) ? d : NAN;
}

/* SDMA is the sum of the links within a machine, where it is there. */
static double size_of(struct json_value links)
{
	bool has_sum = json_get(links, "SDMA").type == JSON_OBJECT;
	double sum = 0, v;

	for (struct json_items it = json_members(links); json_more(&it);) {
		v = number_at(it.v, "Transit Size(MB)");
		if (isfinite(v) && (!has_sum || span_in(it.key, "SDMA|RDMA")))
			sum += v;
	}
	return sum * 1e6;
}

/* Figures of a call, or of the sums of a step; links that moved nothing have none. */
static void put_figures(
	struct comms *c, struct json_value call, struct span group, enum axis axis, double step)
{
	double v;

	for (struct json_items it = json_members(json_get(call, TIMES)); json_more(&it);)
		if (!span_starts(it.key, "Start Timestamp") && it.v.type == JSON_NUMBER &&
			jsondoc_number(it.v, &v))
			put(c, it.key, "", group, axis, step, v);
	for (struct json_items of = json_members(json_get(call, LINKS)); json_more(&of);) {
		const char *link =
			arena_printf(&c->in->mem, "%.*s ", (int)MIN(of.key.n, 16), of.key.p);

		if (!(number_at(of.v, "Transit Size(MB)") > 0))
			continue;
		for (struct json_items it = json_members(of.v); json_more(&it);)
			if (it.v.type == JSON_NUMBER && jsondoc_number(it.v, &v))
				put(c, it.key, link, group, axis, step, v);
	}
}

/* "hcom_allReduce__868_0_1@1368": the collective and its communicator. */
static void take_call(struct comms *c, const struct place *at, struct json_value call)
{
	struct json_value times = json_get(call, TIMES);
	struct span name, communicator, op;
	SCOPED_STR group = { 0 };

	if (span_is(at->call, SUMS)) {
		put_figures(c, call, at->set, AXIS_STEP, at->step);
		return;
	}
	(void)span_cut(at->call, '@', &name, &communicator);
	const char *numbers = name.n ? memmem(name.p, name.n, "__", 2) : NULL;
	op = numbers ? span_between(name.p, numbers) : name;
	op.n = MIN(op.n, NAME_BYTES);
	communicator.n = MIN(communicator.n, NAME_BYTES);
	str_addf(&group, "%.*s %.*s", (int)communicator.n, communicator.p, (int)op.n, op.p);
	if (at->rank >= 0)
		str_addf(&group, " rank %.0f", at->rank);
	put_figures(c, call, (struct span){ group.s, group.n }, AXIS_REPEAT, at->step);
	comm_rows_add(&c->rows,
		&(struct comm_call){ .op = op,
			.group = communicator,
			.bytes = size_of(json_get(call, LINKS)),
			.rank = at->rank,
			.ranks = at->ranks,
			.ns = number_at(times, "Elapse Time(ms)") * 1e6,
			.transit_ns = number_at(times, "Transit Time(ms)") * 1e6,
			.wait_ns = number_at(times, "Wait Time(ms)") * 1e6,
			.sync_ns = number_at(times, "Synchronization Time(ms)") * 1e6,
			.algorithm = NAN,
			.bus = NAN });
	reading_artifact(c->in)->rows++;
}

/* "0-1" of "allreduce-total@1368"; of files without sums every one. */
static void take_link(
	struct comms *c, const struct place *at, struct span link, struct json_value figures)
{
	struct span type = json_get(figures, "Transport Type").text, name, communicator;
	SCOPED_STR group = { 0 };
	double v;

	(void)span_cut(at->call, '@', &name, &communicator);
	if (span_is(at->call, SUMS) || (c->has_sums && !span_ends(name, "-total")))
		return;
	str_addf(&group, "%.*s %.*s %.*s %.*s", (int)MIN(communicator.n, NAME_BYTES),
		communicator.p, (int)MIN(name.n, NAME_BYTES), name.p, (int)MIN(type.n, 16), type.p,
		(int)MIN(link.n, NAME_BYTES), link.p);
	for (struct json_items it = json_members(figures); json_more(&it);)
		if (it.v.type == JSON_NUMBER && jsondoc_number(it.v, &v))
			put(c, it.key, "", (struct span){ group.s, group.n }, AXIS_STEP, at->step,
				v);
	reading_artifact(c->in)->rows++;
}

/* What a key says of all below it. */
static void enter(struct place *at, struct span key)
{
	int64_t n;

	if (span_starts(key, "step")) {
		at->step = num_i64(span_from(key, 4), &n) ? (double)n : 0;
	} else if (key.n && key.p[0] == '(') {
		at->ranks = 1;
		for (size_t i = 0; i < key.n; i++)
			at->ranks += key.p[i] == ',' && i + 2 < key.n;
		at->set = key;
	} else if (span_in(key, "p2p|collective")) {
		at->set = key;
	} else if (num_i64(key, &n)) {
		at->rank = (double)n;
	} else {
		at->call = key;
	}
}

static void walk(struct comms *c, struct place at, struct json_value object, int depth)
{
	for (struct json_items it = json_members(object); json_more(&it);) {
		struct arena_mark mark = arena_mark(&c->in->mem);
		struct place below = at;

		if (json_get(it.v, "Transport Type").type != JSON_NONE) {
			take_link(c, &at, it.key, it.v);
			arena_reset(&c->in->mem, mark);
			continue;
		}
		enter(&below, it.key);
		if (json_get(it.v, TIMES).type == JSON_OBJECT)
			take_call(c, &below, it.v);
		else if (depth < DEPTH)
			walk(c, below, it.v, depth + 1);
		arena_reset(&c->in->mem, mark);
	}
}

static void take_document(struct reading *in, struct json_value doc, bool has_calls)
{
	struct comms c = { .in = in,
		.has_sums = memmem(doc.text.p, doc.text.n, "-total@", 7) != NULL };

	if (has_calls)
		comm_rows_open(&c.rows, in);
	walk(&c, (struct place){ SPAN(""), SPAN(""), 0, NAN, NAN }, doc, 0);
	if (has_calls)
		comm_rows_close(&c.rows);
}

static void put_calls(struct reading *in, struct json_value doc)
{
	take_document(in, doc, true);
}

static void put_links(struct reading *in, struct json_value doc)
{
	take_document(in, doc, false);
}

/* Its members begin as those of such a file, and the key is further down. */
static bool is_by_step(const struct head *h, const char *key)
{
	return memmem(h->text.p, h->text.n, key, strlen(key)) && h->form == HEAD_OBJECT &&
		h->nkey > 0 &&
		(span_starts(h->key[0], "step") || span_starts(h->key[0], "(") ||
			span_is(h->key[0], "p2p"));
}

static enum match probe_calls(const struct head *h)
{
	return is_by_step(h, "\"" TIMES "\"") ? MATCH_STRONG : MATCH_NO;
}

static enum match probe_links(const struct head *h)
{
	return is_by_step(h, "\"Transport Type\"") ? MATCH_STRONG : MATCH_NO;
}

const struct artifact artifact_ascend_comms = {
	.name = "ascend_comms",
	.title = "collectives by Ascend's profiler",
	.summary = "communication.json: times of each collective, what each kind of link moved",
	.probe = probe_calls,
	.member = { { "", .call = put_calls } },
	.none = "no collective in it",
};

const struct artifact artifact_ascend_matrix = {
	.name = "ascend_matrix",
	.title = "links between ranks by Ascend's profiler",
	.summary = "communication_matrix.json: size, time and bandwidth of each link by collective",
	.probe = probe_links,
	.member = { { "", .call = put_links } },
	.none = "no link in it",
};
