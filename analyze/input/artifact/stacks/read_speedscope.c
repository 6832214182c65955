/* Profiles in speedscope's format, as py-spy writes them: samples with weights, or events. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/stacks/stack_rows.h"
#include "base/base.h"

enum { FRAMES_MAX = 1 << 20, DEPTH_MAX = 512 };

struct profile {
	struct stack_rows rows;
	struct span *frame; /* texts of shared.frames */
	size_t nframe;
	enum stack_unit unit;
	double factor; /* of ours in one of the profile's units */
};

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT || head_has(h, "traceEvents"))
		return MATCH_NO;
	if (span_has(h->text, "speedscope.app/file-format-schema.json"))
		return MATCH_STRONG;
	return head_count(h, "profiles shared activeProfileIndex") >= 2 ? MATCH_STRONG : MATCH_NO;
}

/* "name (file:line)", as py-spy's folded stacks have it. */
static struct span frame_text(struct reading *in, struct json_value f)
{
	struct span name = jsondoc_text(in, json_get(f, "name"));
	struct json_value file = json_get(f, "file"), line = json_get(f, "line");

	if (file.type != JSON_STRING)
		return name;
	char *s = arena_printf(&in->mem, "%.*s (%.*s%s%.*s)", (int)name.n, name.p,
		(int)MIN(file.text.n, 1024), file.text.p, line.type == JSON_NUMBER ? ":" : "",
		line.type == JSON_NUMBER ? (int)line.text.n : 0, line.text.p);
	return span_of(s);
}

static void read_frames(struct reading *in, struct profile *p, struct json_value frames)
{
	size_t cap = 0;

	for (struct json_items it = json_list(frames); p->nframe < FRAMES_MAX && json_more(&it);)
		PUSH(p->frame, p->nframe, cap, frame_text(in, it.v));
}

static void push(struct profile *p, struct json_value index)
{
	double d;

	if (jsondoc_number(index, &d) && d >= 0 && d < (double)p->nframe)
		stack_rows_push(&p->rows, p->frame[saturate_size(d)]);
}

static void read_sampled(struct profile *p, struct json_value profile)
{
	struct json_value samples = json_get(profile, "samples"), index, w;
	struct json_value weights = json_get(profile, "weights");
	struct span at = weights.type == JSON_ARRAY ? weights.text : (struct span){ "", 0 };

	for (struct json_items it = json_list(samples); json_more(&it);) {
		struct span inside = it.v.text;
		double weight = 1;

		if (at.n && json_next(&at, &it.key, &w))
			(void)jsondoc_number(w, &weight);
		stack_rows_reset(&p->rows);
		while (json_next(&inside, &it.key, &index))
			push(p, index);
		stack_rows_add(&p->rows, weight * p->factor, p->unit);
	}
}

/* Open and close events: between two of them the frames that are open run. */
static void read_evented(struct profile *p, struct json_value profile)
{
	struct json_value events = json_get(profile, "events");
	double at, before = (double)NAN;

	stack_rows_reset(&p->rows);
	for (struct json_items it = json_list(events); json_more(&it);) {
		struct json_value type = json_get(it.v, "type");

		if (!jsondoc_number(json_get(it.v, "at"), &at))
			continue;
		if (p->rows.depth > 0 && at > before)
			stack_rows_add(&p->rows, (at - before) * p->factor, p->unit);
		before = at;
		if (span_is(type.text, "O"))
			push(p, json_get(it.v, "frame"));
		else if (p->rows.depth > 0)
			stack_rows_pop(&p->rows);
	}
}

static enum status read_profiles(struct reading *in, struct err *e)
{
	struct json_value doc;
	struct profile p = { .frame = NULL };

	TRY(jsondoc_read(in, &doc, e));
	jsondoc_members(in, &in->record->scalars, SPAN(""), doc, "profiles|shared");
	stack_rows_open(&p.rows, in);
	read_frames(in, &p, jsondoc_at(doc, "shared.frames"));
	for (struct json_items it = json_list(json_get(doc, "profiles")); json_more(&it);) {
		p.unit = stack_unit_of(json_get(it.v, "unit").text, &p.factor);
		if (span_is(json_get(it.v, "type").text, "evented"))
			read_evented(&p, it.v);
		else
			read_sampled(&p, it.v);
	}
	stack_rows_close(&p.rows);
	free(p.frame);
	return OK;
}

const struct artifact artifact_speedscope = {
	.name = "speedscope",
	.title = "sampled profile (speedscope)",
	.summary = "py-spy record -f speedscope and other profiles in speedscope's format",
	.probe = probe,
	.read = read_profiles,
};
