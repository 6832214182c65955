/* Logs of torch.compile (TORCH_TRACE): what was compiled, how long that took, why it was compiled
 * again, and where graphs broke.  A line is a time, a place and an object; what belongs to it may
 * follow in lines that begin with a tab. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/trace/figure.h"
#include "base/base.h"

enum { REASONS_MAX = 1024, REASONS_SAID = 10, NAME_BYTES = 256 };
enum { REASON_BYTES = 300 };

enum payload { PAYLOAD_OTHER, PAYLOAD_BREAK, PAYLOAD_RECOMPILE };

struct reason {
	enum payload of;
	struct span text;
	int64_t n, at;
};

struct torch_trace {
	struct reading *in;
	struct reason reason[REASONS_MAX];
	size_t nreason;
	enum payload payload; /* of the lines at hand */
	struct str text;      /* its first lines */
	int64_t at;
	double compiles, recompiles, breaks;
	struct passed failed;
};

/* "V0401 10:00:00.123456 42 torch/_logging/structured.py:28] {"str": ...}": the object. */
static bool is_line(struct span line, struct span *object)
{
	const char *end = memmem(line.p, line.n, "] {\"", 4);

	if (line.n < 7 || line.p[0] != 'V' || line.p[5] != ' ' || !end ||
		!ALL(i, 4, line.p[i + 1] >= '0' && line.p[i + 1] <= '9'))
		return false;
	*object = span_between(end + 2, line.p + line.n);
	return true;
}

/* ---- compiles ---- */

/* Times and sizes of one compile, each a series of "forward (model.py:17)". */
static void take_compile(struct torch_trace *t, struct json_value line, struct json_value metrics)
{
	struct span file = json_get(metrics, "co_filename").text;
	struct span name = json_get(metrics, "co_name").text;
	struct span at = json_get(metrics, "co_firstlineno").text;
	double v, again = 0;
	SCOPED_STR group = { 0 };

	str_addf(&group, "%.*s (%.*s:%.*s)", (int)MIN(name.n, NAME_BYTES), name.p,
		(int)MIN(file.n, NAME_BYTES), file.p, (int)MIN(at.n, 16), at.p);
	t->compiles++;
	t->recompiles += jsondoc_number(json_get(line, "frame_compile_id"), &again) && again > 0;
	for (struct json_items it = json_items(metrics); json_more(&it);) {
		bool is_time = span_ends(it.key, "_time_s") || span_is(it.key, "duration_us");

		if (it.v.type == JSON_NUMBER && jsondoc_number(it.v, &v) &&
			(is_time || span_in(it.key, "graph_op_count|guard_count")))
			reading_repeat(t->in, it.key, (struct span){ group.s, group.n },
				is_time ? measure_of_key(it.key) : MEASURE_COUNT, v);
	}
}

/* ---- reasons ---- */

static void add_reason(struct torch_trace *t, enum payload of, struct span text)
{
	text.n = MIN(text.n, REASON_BYTES);
	struct reason *r = FIND(i, t->reason, t->nreason,
		t->reason[i].of == of && span_eq(t->reason[i].text, text));

	if (text.n == 0 || (!r && t->nreason == REASONS_MAX))
		return;
	if (!r) {
		r = &t->reason[t->nreason++];
		*r = (struct reason){ of, record_text(t->in->record, text), 0, t->at };
	}
	r->n++;
}

/* Of a break its first two lines: where, and why.  Of a recompilation each line that is a text. */
static void take_payload(struct torch_trace *t, struct span line)
{
	line = span_trim(line);
	if (t->payload == PAYLOAD_RECOMPILE && span_starts(line, "\"")) {
		line = span_trim_end(span_from(line, 1), "\",");
		add_reason(t, t->payload, line);
	} else if (t->payload == PAYLOAD_BREAK && line.n > 0) {
		bool is_second = t->text.n > 0;

		str_addf(&t->text, "%s%.*s", is_second ? ": " : "", (int)MIN(line.n, REASON_BYTES),
			line.p);
		if (is_second)
			t->payload = PAYLOAD_OTHER;
	}
}

static void end_payload(struct torch_trace *t)
{
	add_reason(t, PAYLOAD_BREAK, (struct span){ t->text.s, t->text.n });
	str_reset(&t->text);
	t->payload = PAYLOAD_OTHER;
}

/* ---- lines ---- */

static void take_object(struct torch_trace *t, struct json_value object)
{
	struct json_value metrics = json_get(object, "compilation_metrics");
	struct span artifact = jsondoc_at(object, "artifact.name").text;

	if (metrics.type == JSON_OBJECT) {
		if (json_get(metrics, "fail_type").type == JSON_STRING)
			passed_add(&t->failed, t->at);
		take_compile(t, object, metrics);
	} else if (span_is(artifact, "dynamo_graph_break_reason")) {
		t->payload = PAYLOAD_BREAK;
		t->breaks++;
	} else if (span_is(artifact, "recompile_reasons")) {
		t->payload = PAYLOAD_RECOMPILE;
	}
}

static enum took take_line(void *ctx, struct span line, const struct lines *l)
{
	struct torch_trace *t = ctx;
	struct span object, rest;

	if (span_starts(line, "\t")) {
		take_payload(t, line);
		return TOOK;
	}
	if (line.n == 0)
		return TOOK;
	end_payload(t);
	t->at = l->offset;
	if (!is_line(line, &object))
		return TOOK_OTHER;
	struct json_value v = json_value(object, &rest);
	if (v.type != JSON_OBJECT)
		return TOOK_ALIEN;
	reading_artifact(t->in)->rows++;
	take_object(t, v);
	return TOOK;
}

/* The most frequent reasons, each a note. */
static void say_reasons(struct torch_trace *t)
{
	for (int k = 0; k < REASONS_SAID; k++) {
		struct reason *most = NULL;

		for (EACH(struct reason, r, t->reason, t->nreason))
			if (r->n > 0 && (!most || r->n > most->n))
				most = r;
		if (!most)
			return;
		reading_note(t->in, NOTE_INFO, "compile_reason", most->n, most->at,
			"%s%.*s (%" PRId64 " time%s)",
			most->of == PAYLOAD_BREAK ? "" : "compiled again: ", (int)most->text.n,
			most->text.p, most->n, plural_s(most->n));
		most->n = 0;
	}
}

static void end(void *state)
{
	struct torch_trace *t = state;

	end_payload(t);
	reading_repeat(t->in, SPAN("compiles"), SPAN(""), MEASURE_COUNT, t->compiles);
	reading_repeat(t->in, SPAN("recompiles"), SPAN(""), MEASURE_COUNT, t->recompiles);
	reading_repeat(t->in, SPAN("graph breaks"), SPAN(""), MEASURE_COUNT, t->breaks);
	say_reasons(t);
	reading_passed(t->in, NOTE_WARNING, "failed_compiles", &t->failed,
		"compile{|s} failed: the code ran without being compiled");
	str_free(&t->text);
}

static bool is_known(struct span line)
{
	struct span object;

	return is_line(line, &object);
}

const struct artifact artifact_torch_trace = {
	.name = "torch_trace",
	.title = "log of torch.compile (TORCH_TRACE)",
	.summary =
		"what TORCH_TRACE writes for tlparse: compile times, recompilations, graph breaks",
	.is_log = true,
	.line = is_known,
	.lines = 1,
	TAKES_LINES(struct torch_trace, take_line),
	.end = end,
	.alien = "line{ is|s are} no object, passed over",
	.none = "no line of torch.compile in it",
};
