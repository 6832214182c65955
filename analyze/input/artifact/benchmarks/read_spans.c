/* Spans of requests: OpenTelemetry's as JSON (OTLP, one document or one a line, as collectors write
 * files) and Jaeger's.  Spans of one service and name are a group: how long each was, and those of
 * its attributes that say times or tokens, as vLLM's of queue, prefill and decode do.  A span that
 * says when the first token came is a request, and a row. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/text/jsondoc_check.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/figure.h"
#include "base/base.h"

struct spans {
	struct reading *in;
	struct passed failed; /* spans that ended with an error */
	int64_t timeless;
};

/* A duration, by series of a service's spans of a name. */
static void put(struct spans *s, struct span group, struct span name, enum measure m, double v)
{
	reading_repeat(s->in, name, group, m, v);
	reading_artifact(s->in)->rows++;
}

static struct span group_of(struct spans *s, struct span service, struct json_value name)
{
	return span_of(arena_printf(&s->in->mem, "%.*s%s%.*s", (int)MIN(service.n, 128), service.p,
		service.n ? " " : "", (int)MIN(name.text.n, 256), name.text.p));
}

/* A span that may be a request: ns, NaN: it does not say. */
struct request {
	struct span group;
	int64_t start, duration;
	double first, queue, prefill;
};

static struct request request_of(struct span group, int64_t start, int64_t duration)
{
	return (struct request){ group, start, duration, NAN, NAN, NAN };
}

static void put_request(struct spans *s, const struct request *r)
{
	struct sheet *to;

	if (isnan(r->first) || !record_row((to = reading_sheet(s->in, SHEET_REQUESTS))))
		return;
	TABLE_CELLS(&to->table, [REQUESTS_GROUP] = cell_text(record_text(s->in->record, r->group)),
		[REQUESTS_START] = CELL_IF(r->start > 0, cell_int(r->start)),
		[REQUESTS_DURATION] = cell_int(r->duration), [REQUESTS_FIRST] = cell_real(r->first),
		[REQUESTS_QUEUE] = cell_real(r->queue), [REQUESTS_PREFILL] = cell_real(r->prefill));
}

/* OpenTelemetry's times of generations are seconds. */
static void put_attribute(
	struct spans *s, struct request *r, struct span key, struct json_value value)
{
	enum measure m = measure_of_key(key);
	double v;

	if (!span_has_in(key, "latency|duration|time_|_time|tokens") || !jsondoc_number(value, &v))
		return;
	if (m == MEASURE_NONE && span_starts(key, "gen_ai.latency."))
		m = MEASURE_S;
	put(s, r->group, key, m, v);
	double ns = measure_base(m, v);
	if (span_ends(key, "time_to_first_token"))
		r->first = ns;
	else if (span_ends(key, "time_in_queue"))
		r->queue = ns;
	else if (span_ends(key, "time_in_model_prefill"))
		r->prefill = ns;
}

/* {"stringValue": "a"}, {"intValue": "128"}, {"doubleValue": 0.5}: what is inside. */
static struct json_value inside(struct json_value value)
{
	struct json_items it = json_members(value);

	(void)json_more(&it);
	return it.v;
}

static struct span attribute(struct json_value list, const char *key)
{
	for (struct json_items it = json_list(list); json_more(&it);)
		if (span_is(json_get(it.v, "key").text, key))
			return inside(json_get(it.v, "value")).text;
	return SPAN("");
}

/* ---- OTLP: resourceSpans, scopeSpans, spans; times are ns since 1970, mostly as texts ---- */

static void take_otlp_span(struct spans *s, struct json_value span, struct span service)
{
	struct span group = group_of(s, service, json_get(span, "name"));
	struct span code = jsondoc_at(span, "status.code").text;
	int64_t start, end;

	if (!num_i64(json_get(span, "startTimeUnixNano").text, &start) ||
		!num_i64(json_get(span, "endTimeUnixNano").text, &end) || end < start) {
		s->timeless++;
		return;
	}
	s->failed.n += span_in(code, "2|STATUS_CODE_ERROR");
	put(s, group, SPAN("duration"), MEASURE_NS, (double)(end - start));
	struct request r = request_of(group, start, end - start);
	for (struct json_items it = json_list(json_get(span, "attributes")); json_more(&it);)
		put_attribute(s, &r, json_get(it.v, "key").text, inside(json_get(it.v, "value")));
	put_request(s, &r);
}

static void take_otlp(struct spans *s, struct json_value doc)
{
	for (struct json_items r = json_list(json_get(doc, "resourceSpans")); json_more(&r);) {
		struct span service =
			attribute(jsondoc_at(r.v, "resource.attributes"), "service.name");

		for (struct json_items c = json_list(json_get(r.v, "scopeSpans")); json_more(&c);)
			for (struct json_items it = json_list(json_get(c.v, "spans"));
				json_more(&it);)
				take_otlp_span(s, it.v, service);
	}
}

/* ---- Jaeger: data, spans, with the services beside them; times are us ---- */

static void take_jaeger_span(struct spans *s, struct json_value span, struct json_value processes)
{
	struct json_value id = json_get(span, "processID"), process = { 0 };
	double us;

	for (struct json_items it = json_members(processes); json_more(&it);)
		if (span_eq(it.key, id.text))
			process = it.v;
	struct span service =
		process.type == JSON_OBJECT ? json_get(process, "serviceName").text : SPAN("");
	struct span group = group_of(s, service, json_get(span, "operationName"));
	if (!jsondoc_number(json_get(span, "duration"), &us)) {
		s->timeless++;
		return;
	}
	put(s, group, SPAN("duration"), MEASURE_US, us);
	struct request r = request_of(group, 0, saturate_round(us * 1e3));
	(void)num_ns(json_get(span, "startTime").text, &r.start); /* us; 0: it does not say */
	for (struct json_items it = json_list(json_get(span, "tags")); json_more(&it);) {
		struct span key = json_get(it.v, "key").text;

		s->failed.n +=
			span_is(key, "error") && span_is(json_get(it.v, "value").text, "true");
		put_attribute(s, &r, key, json_get(it.v, "value"));
	}
	put_request(s, &r);
}

static void take_jaeger(struct spans *s, struct json_value doc)
{
	for (struct json_items t = json_list(json_get(doc, "data")); json_more(&t);)
		for (struct json_items it = json_list(json_get(t.v, "spans")); json_more(&it);)
			take_jaeger_span(s, it.v, json_get(t.v, "processes"));
}

/* ---- files ---- */

static enum status read_spans(
	struct reading *in, void (*take)(struct spans *, struct json_value), struct err *e)
{
	struct spans s = { .in = in, .failed.at = -1 };
	struct span text, line, rest;
	struct passed alien = { 0, -1 };
	size_t end;

	TRY(reading_all(in, &text, e));
	if (in->head->form != HEAD_LINES) {
		TRY(jsondoc_check(text, &end, e));
		take(&s, json_value((struct span){ text.p, end }, &rest));
	}
	for (struct span at = text; in->head->form == HEAD_LINES && span_line(&at, &line);) {
		struct json_value doc = json_value(span_trim(line), &rest);
		struct arena_mark mark = arena_mark(&in->mem);

		if (doc.type == JSON_OBJECT)
			take(&s, doc);
		else if (at.n == 0 && line.n > 0)
			reading_torn(in, line.p - text.p);
		else if (line.n > 0)
			passed_add(&alien, line.p - text.p);
		arena_reset(&in->mem, mark);
	}
	reading_passed(
		in, NOTE_WARNING, "alien_lines", &alien, "line{ is|s are} no spans, passed over");
	reading_passed(in, NOTE_INFO, "failed_spans", &s.failed,
		"span{|s} ended with an error; {it is|they are} in the figures");
	if (s.timeless > 0)
		reading_note(in, NOTE_WARNING, "no_duration", s.timeless, -1,
			"%" PRId64 " span%s without a duration left out", s.timeless,
			plural_s(s.timeless));
	return OK;
}

static enum status read_otlp(struct reading *in, struct err *e)
{
	return read_spans(in, take_otlp, e);
}

static enum status read_jaeger(struct reading *in, struct err *e)
{
	return read_spans(in, take_jaeger, e);
}

static enum match probe_otlp(const struct head *h)
{
	return (h->form == HEAD_OBJECT || h->form == HEAD_LINES) && head_has(h, "resourceSpans")
		? MATCH_STRONG
		: MATCH_NO;
}

static enum match probe_jaeger(const struct head *h)
{
	return h->form == HEAD_OBJECT && head_has(h, "data") && head_mentions(h, "operationName")
		? MATCH_STRONG
		: MATCH_NO;
}

const struct artifact artifact_otlp_spans = {
	.name = "otlp_spans",
	.title = "spans of requests (OpenTelemetry)",
	.summary =
		"OTLP as JSON: spans of vLLM, SGLang and others, as a collector writes them to files",
	.probe = probe_otlp,
	.read = read_otlp,
	.none = "no span in it",
};

const struct artifact artifact_jaeger_spans = {
	.name = "jaeger_spans",
	.title = "spans of requests (Jaeger)",
	.summary = "traces as Jaeger's page and its API give them",
	.probe = probe_jaeger,
	.read = read_jaeger,
	.none = "no span in it",
};
