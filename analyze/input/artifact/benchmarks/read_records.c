/* Records one a line, whose figures stand in one of their members: collectives as NCCL's Inspector
 * writes them, requests as AIPerf does.  A figure is a series of what the record is about, with one
 * more value for each record; AIPerf's own sums are the same with statistics in place of values. */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/trace/columns/strings.h"
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

/* Those forms, and the file. */
struct records {
	struct reading *in;
	const struct record_form *form;
	size_t nform;
	struct passed failed;
	struct sheet *sheet;  /* of collectives; NULL: they are none */
	struct strings names; /* what has a row of it */
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

static void put(struct reading *in, struct span name, struct span group, enum measure m, double v)
{
	struct series *s = reading_series(in, name, group, AXIS_REPEAT, m);

	series_add(s, (double)(s->n + s->nan + s->inf), v);
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
		put(in, key, group, measure_of(key, unit.text), d);
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

static void add_to(struct table *t, size_t row, size_t col, double v)
{
	size_t at = row * t->ncol + col;

	if (!isfinite(v))
		return;
	t->cell[at].r = t->known[at] ? t->cell[at].r + v : v;
	t->known[at] = true;
}

/* Whole numbers of a file, which may be anything. */
static void put_whole(struct table *t, size_t col, double v)
{
	if (v >= 0 && v < 9e15)
		table_int(t, col, saturate_round(v));
}

static struct span text_at(struct records *r, struct json_value record, const char *path)
{
	struct span t = jsondoc_at(record, path).text;

	return record_text(r->in->record, (struct span){ t.p, MIN(t.n, PART_BYTES) });
}

/* The row of what the record is about; SIZE_MAX: there are too many. */
static size_t row_of(struct records *r, struct json_value record, struct json_value figures,
	struct span group, struct span op)
{
	struct table *t = &r->sheet->table;
	struct span id = text_at(r, record, "header.id"),
		    name = text_at(r, record, "header.comm_name");
	const struct json_value rank = json_get(json_get(record, "header"), "rank"),
				ranks = json_get(json_get(record, "header"), "n_ranks");
	size_t known = r->names.n;
	SCOPED_STR key = { 0 };
	double v;

	str_addf(&key, "%.*s %.*s", (int)id.n, id.p, (int)group.n, group.p);
	sym at = strings_intern(&r->names, (struct span){ key.s, key.n });
	if (r->names.n == known)
		return at > 0 && at - 1 < t->nrow ? at - 1 : SIZE_MAX;
	if (!record_row(r->sheet))
		return SIZE_MAX;
	table_text(t, MCOMM_OP, op);
	table_text(t, MCOMM_GROUP,
		name.n ? span_of(arena_printf(&r->in->record->mem, "%.*s %.*s", (int)name.n, name.p,
				 (int)id.n, id.p))
		       : id);
	put_whole(t, MCOMM_BYTES, number_in(figures, "_msg_size_bytes"));
	if (rank.type == JSON_NUMBER && jsondoc_number(rank, &v))
		put_whole(t, MCOMM_RANK, v);
	if (ranks.type == JSON_NUMBER && jsondoc_number(ranks, &v))
		put_whole(t, MCOMM_RANKS, v);
	return t->nrow - 1;
}

/* Bandwidths are means weighted by time: bytes over time, as all calls of a row are of one size. */
static void take_collective(struct records *r, struct json_value record, struct json_value figures,
	struct span group, bool is_p2p)
{
	struct table *t = &r->sheet->table;
	double ns = number_in(figures, "_exec_time_us") * 1e3;
	struct span timing =
		text_at(r, figures, is_p2p ? "p2p_timing_source" : "coll_timing_source");
	struct span op = text_at(r, figures, is_p2p ? "p2p" : "coll");

	if (!(ns >= 0) || !isfinite(ns) || op.n == 0)
		return;
	size_t row = row_of(r, record, figures, group, op);
	if (row == SIZE_MAX)
		return;
	union cell *c = &t->cell[row * t->ncol];
	bool *known = &t->known[row * t->ncol];
	c[MCOMM_CALLS].i = known[MCOMM_CALLS] ? c[MCOMM_CALLS].i + 1 : 1;
	c[MCOMM_MIN].r = known[MCOMM_MIN] ? fmin(c[MCOMM_MIN].r, ns) : ns;
	c[MCOMM_MAX].r = known[MCOMM_MAX] ? fmax(c[MCOMM_MAX].r, ns) : ns;
	known[MCOMM_CALLS] = known[MCOMM_MIN] = known[MCOMM_MAX] = known[MCOMM_MEAN] = true;
	add_to(t, row, MCOMM_TOTAL, ns);
	c[MCOMM_MEAN].r = c[MCOMM_TOTAL].r / (double)c[MCOMM_CALLS].i;
	add_to(t, row, MCOMM_ALGORITHM, number_in(figures, "_algobw_gbs") * ns);
	add_to(t, row, MCOMM_BUS, number_in(figures, "_busbw_gbs") * ns);
	if (timing.n && !known[MCOMM_TIMING]) {
		c[MCOMM_TIMING].s = timing;
		known[MCOMM_TIMING] = true;
	}
}

/* From GB/s x ns to bytes/s. */
static void end_collectives(struct records *r)
{
	struct table *t = &r->sheet->table;

	for (size_t row = 0; row < t->nrow; row++)
		for (size_t col = MCOMM_ALGORITHM; col <= MCOMM_BUS; col++) {
			size_t at = row * t->ncol + col;
			double ns = table_number_at(t, row, MCOMM_TOTAL);

			t->known[at] = t->known[at] && ns > 0;
			if (t->known[at])
				t->cell[at].r *= 1e9 / ns;
		}
}

static bool take_record(struct records *r, struct json_value record, int64_t offset)
{
	struct json_value error = json_get(record, "error"), figures;
	SCOPED_STR group = { 0 };

	for (EACH(const struct record_form, f, r->form, r->nform)) {
		figures = json_get(record, f->figures);
		if (figures.type != JSON_OBJECT)
			continue;
		if (error.type == JSON_OBJECT || error.type == JSON_STRING) {
			passed_add(&r->failed, offset);
			return true;
		}
		put_group(&group, f->group, record);
		if (r->sheet)
			take_collective(r, record, figures, (struct span){ group.s, group.n },
				f != r->form);
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

static enum status read_records(struct reading *in, const struct record_form *form, size_t nform,
	bool are_collectives, struct err *e)
{
	struct records r = { .in = in, .form = form, .nform = nform, .failed = { 0, -1 } };
	struct untaken untaken;

	strings_init(&r.names, 0x636f6d6d73u);
	if (are_collectives)
		r.sheet = record_sheet(in->record, in->artifact, SHEET_COMMS);
	enum status st = reading_lines(in, take_line, &r, &untaken, e);
	if (r.sheet)
		end_collectives(&r);
	strings_clear(&r.names);
	reading_untaken(in, &untaken, "line{ is|s are} no record, passed over", NULL);
	reading_passed(in, NOTE_WARNING, "failed_requests", &r.failed,
		"request{|s} failed and {is|are} in no figure");
	return st;
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
				put(in, name, SPAN(""), measure_of(of.key, unit.text), d);
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

static enum status read_inspector(struct reading *in, struct err *e)
{
	return read_records(in, inspector, COUNT_OF(inspector), true, e);
}

static enum status read_aiperf(struct reading *in, struct err *e)
{
	return read_records(in, aiperf, COUNT_OF(aiperf), false, e);
}

const struct artifact artifact_nccl_inspector = {
	.name = "nccl_inspector",
	.title = "collectives by NCCL's Inspector",
	.summary =
		"what NCCL's Inspector plugin writes: time and bandwidth of each collective, a line each",
	.probe = probe_inspector,
	.read = read_inspector,
	.none = "no collective in it",
};

const struct artifact artifact_aiperf_records = {
	.name = "aiperf_records",
	.title = "requests of a benchmark (AIPerf)",
	.summary = "profile_export.jsonl of AIPerf: figures of each request, a line each",
	.probe = probe_aiperf,
	.read = read_aiperf,
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
