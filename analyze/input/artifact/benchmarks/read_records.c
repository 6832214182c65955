/* Records one a line, whose figures stand in one of their members: collectives as NCCL's Inspector
 * writes them, requests as AIPerf does.  A figure is a series of what the record is about, with one
 * more value for each record; AIPerf's own sums are the same with statistics in place of values. */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/benchmarks/comm_rows.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/trace/figure.h"
#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"

enum { GROUP_BYTES = 256, PART_BYTES = 96 };

struct record_form {
	const char *figures; /* the member with them; a record without it is of another form */
	const char *group;   /* "{header.rank}" is the value of that member */
	const char *skip;    /* members of `figures` that are none */
};

static const struct record_form inspector[] = {
	{ "coll_perf",
		"{header.comm_name} {coll_perf.coll} {coll_perf.coll_msg_size_bytes} B rank {header.rank}",
		"coll_sn|coll_msg_size_bytes" },
	{ "p2p_perf",
		"{header.comm_name} {p2p_perf.p2p} {p2p_perf.p2p_msg_size_bytes} B rank {header.rank}",
		"p2p_sn|p2p_msg_size_bytes|p2p_peer" },
};
static const struct record_form aiperf[] = { { "metrics", "{metadata.benchmark_phase}", NULL } };

struct record_forms {
	const struct record_form *v;
	size_t n;
	bool are_collectives;
};

static const struct record_forms inspectors = { inspector, COUNT_OF(inspector), true };
static const struct record_forms aiperfs = { aiperf, COUNT_OF(aiperf), false };

/* The file, and its forms. */
struct records {
	struct reading *in;
	const struct record_forms *form;
	struct passed failed;
	struct comm_rows collectives;
};

/* The form's group of a record; what is not there is left out. */
static void put_group(struct str *to, const char *form, struct json_value record)
{
	char path[PART_BYTES];

	while (*form) {
		size_t n = strcspn(form, "{");

		str_add(to, form,
			to->n == 0 && span_is(span_trim((struct span){ form, n }), "") ? 0 : n);
		form += n;
		if (!*form)
			return;
		n = strcspn(++form, "}");
		(void)snprintf(path, sizeof(path), "%.*s", (int)n, form);
		struct json_value v = jsondoc_at(record, path);
		str_add(to, v.text.p, MIN(v.text.n, PART_BYTES));
		form += n + 1;
	}
}

static enum measure measure_of(struct span key, struct span unit)
{
	return unit.n ? measure_of_unit(unit) : measure_of_key(key);
}

/* 12.5, or {"value": 12.5, "unit": "ms"}. */
static void put_figure(struct reading *in, struct span group, struct span key, struct json_value v)
{
	struct json_value unit = { JSON_NONE, { "", 0 }, false };
	double d;

	if (v.type == JSON_OBJECT) {
		unit = json_get(v, "unit");
		v = json_get(v, "value");
	}
	if (v.type == JSON_NUMBER && jsondoc_number(v, &d))
		reading_repeat(in, key, group, measure_of(key, unit.text), d);
}

/* ---- collectives: a row for each, size, rank and communicator ---- */

static double number_in(struct json_value figures, const char *end)
{
	double v;

	for (struct json_items it = json_items(figures); json_more(&it);)
		if (span_ends(it.key, end) && it.v.type == JSON_NUMBER && jsondoc_number(it.v, &v))
			return v;
	return NAN;
}

static struct span text_at(struct json_value record, const char *path)
{
	struct span t = jsondoc_at(record, path).text;

	return (struct span){ t.p, MIN(t.n, PART_BYTES) };
}

static void take_collective(
	struct records *r, struct json_value record, struct json_value figures, bool is_p2p)
{
	struct json_value header = json_get(record, "header");
	struct span name = text_at(record, "header.comm_name"), id = text_at(record, "header.id");

	comm_rows_add(&r->collectives,
		&(struct comm_call){ .op = text_at(figures, is_p2p ? "p2p" : "coll"),
			.group = name.n ? span_of(arena_printf(&r->in->mem, "%.*s %.*s",
						  (int)name.n, name.p, (int)id.n, id.p))
					: id,
			.timing = text_at(
				figures, is_p2p ? "p2p_timing_source" : "coll_timing_source"),
			.bytes = number_in(figures, "_msg_size_bytes"),
			.rank = number_in(header, "rank"),
			.ranks = number_in(header, "n_ranks"),
			.ns = number_in(figures, "_exec_time_us") * 1e3,
			.transit_ns = NAN,
			.wait_ns = NAN,
			.sync_ns = NAN,
			.algorithm = number_in(figures, "_algobw_gbs"),
			.bus = number_in(figures, "_busbw_gbs") });
}

static bool take_record(struct records *r, struct json_value record, int64_t offset)
{
	struct json_value error = json_get(record, "error"), figures;
	SCOPED_STR group = { 0 };

	for (EACH(const struct record_form, f, r->form->v, r->form->n)) {
		figures = json_get(record, f->figures);
		if (figures.type != JSON_OBJECT)
			continue;
		if (error.type == JSON_OBJECT || error.type == JSON_STRING) {
			passed_add(&r->failed, offset);
			return true;
		}
		put_group(&group, f->group, record);
		if (r->form->are_collectives)
			take_collective(r, record, figures, f != r->form->v);
		for (struct json_items it = json_items(figures); json_more(&it);)
			if (!span_in(it.key, f->skip ? f->skip : "error_isl"))
				put_figure(r->in, (struct span){ group.s, group.n }, it.key, it.v);
		return true;
	}
	return false;
}

static enum took take_line(void *ctx, struct span line, const struct lines *l)
{
	struct records *r = ctx;
	struct span rest;

	line = span_trim(line);
	if (line.n == 0)
		return TOOK;
	struct json_value record = json_value(line, &rest);
	if (record.type != JSON_OBJECT || !take_record(r, record, l->offset))
		return TOOK_ALIEN;
	reading_artifact(r->in)->rows++;
	return TOOK;
}

static void begin(void *state, const void *form)
{
	struct records *r = state;

	r->form = form;
	if (r->form->are_collectives)
		comm_rows_open(&r->collectives, r->in);
}

static void end(void *state)
{
	struct records *r = state;

	if (r->form->are_collectives)
		comm_rows_close(&r->collectives);
	reading_passed(r->in, NOTE_WARNING, "failed_requests", &r->failed,
		"request{|s} failed and {is|are} in no figure");
}

/* ---- what AIPerf sums up: {"request_latency": {"unit": "ms", "avg": 12.5, "p99": 40}} ---- */

static void put_statistics(struct reading *in, struct json_value doc)
{
	struct json_value unit;
	double d;

	for (struct json_items of = json_members(doc); json_more(&of);) {
		unit = json_get(of.v, "unit");
		if (of.v.type != JSON_OBJECT || unit.type != JSON_STRING)
			continue;
		for (struct json_items it = json_items(of.v); json_more(&it);) {
			struct arena_mark mark = arena_mark(&in->mem);
			struct span name = span_is(it.key, "avg")
				? of.key
				: span_of(arena_printf(&in->mem, "%.*s %.*s",
					  (int)MIN(of.key.n, PART_BYTES), of.key.p,
					  (int)MIN(it.key.n, PART_BYTES), it.key.p));

			if (it.v.type == JSON_NUMBER && jsondoc_number(it.v, &d))
				reading_repeat(
					in, name, SPAN(""), measure_of(of.key, unit.text), d);
			arena_reset(&in->mem, mark);
		}
		reading_artifact(in)->rows++;
	}
}

/* ---- kinds ---- */

static enum match is_lines(const struct head *h, const char *keys, size_t n)
{
	return (h->form == HEAD_LINES || h->form == HEAD_OBJECT) && head_count(h, keys) >= n
		? MATCH_STRONG
		: MATCH_NO;
}

static enum match probe_inspector(const struct head *h)
{
	return head_has(h, "header") ? is_lines(h, "coll_perf p2p_perf", 1) : MATCH_NO;
}

static enum match probe_aiperf(const struct head *h)
{
	return head_mentions(h, "benchmark_phase") ? is_lines(h, "metadata metrics", 2) : MATCH_NO;
}

/* What they share. */
#define READS(forms)                                                                          \
	TAKES_LINES(struct records, take_line), .begin = begin, .form = &(forms), .end = end, \
						.alien = "line{ is|s are} no record, passed over"

const struct artifact artifact_nccl_inspector = {
	.name = "nccl_inspector",
	.title = "collectives by NCCL's Inspector",
	.summary =
		"what NCCL's Inspector plugin writes: time and bandwidth of each collective, a line each",
	.probe = probe_inspector,
	READS(inspectors),
	.none = "no collective in it",
};

const struct artifact artifact_aiperf_records = {
	.name = "aiperf_records",
	.title = "requests of a benchmark (AIPerf)",
	.summary = "profile_export.jsonl of AIPerf: figures of each request, a line each",
	.probe = probe_aiperf,
	READS(aiperfs),
	.none = "no request in it",
};

const struct artifact artifact_aiperf = {
	.name = "aiperf",
	.title = "results of a benchmark (AIPerf)",
	.summary = "profile_export_aiperf.json: statistics of latencies and throughputs",
	.sign = { { MATCH_STRONG, 2,
		"request_latency request_throughput time_to_first_token inter_token_latency "
		"output_token_throughput request_count",
		.with = "input_config error_summary was_cancelled" } },
	.member = { { "input_config", TO_CONFIG, .name = "" }, { "", .call = put_statistics } },
};
