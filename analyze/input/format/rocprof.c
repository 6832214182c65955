/*
 * rocprofv3's JSON (--output-format json): the document, process by process.
 *
 * Names stand before the records that need them.  Where some program has written it again in
 * another order, the records' text is held until the names are known.
 */
#include <string.h>

#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/format.h"
#include "analyze/input/format/jsonstream.h"
#include "analyze/input/format/rocm/rocprof.h"
#include "analyze/input/text/limits.h"

enum { HELD_MAX = 4 };

/* Members whose names were not known yet. */
struct held {
	struct str text[HELD_MAX];
	int64_t offset[HELD_MAX];
	size_t n;
};

static enum status hold(struct held *h, struct jsonstream *s, struct err *e)
{
	struct span text;

	if (h->n == HELD_MAX)
		return jsonstream_pass(s, e);
	h->offset[h->n] = jsonstream_offset(s);
	TRY(jsonstream_value(s, LIMIT_DOCUMENT_BYTES, &text, e));
	str_add(&h->text[h->n++], text.p, text.n);
	return OK;
}

static enum status read_held(struct rocprof *r, struct held *h, struct err *e)
{
	enum status st = OK;
	size_t i;

	for (i = 0; i < h->n && st == OK; i++) {
		struct jsonstream s;

		jsonstream_open_text(&s, (struct span){ h->text[i].s, h->text[i].n }, h->offset[i]);
		st = rocprof_records(r, &s, e);
		jsonstream_close(&s);
	}
	return st;
}

static enum status read_member(
	struct rocprof *r, struct jsonstream *s, struct span key, struct held *h, struct err *e)
{
	if (span_is(key, "metadata"))
		return rocprof_metadata(r, s, e);
	if (span_is(key, "agents"))
		return rocprof_agents(r, s, e);
	if (span_is(key, "strings"))
		return rocprof_strings(r, s, e);
	if (span_is(key, "kernel_symbols"))
		return rocprof_kernels(r, s, e);
	if (!span_is(key, "buffer_records") && !span_is(key, "callback_records"))
		return jsonstream_pass(s, e);
	return r->has_names && r->has_kernels ? rocprof_records(r, s, e) : hold(h, s, e);
}

static enum status read_members(
	struct rocprof *r, struct jsonstream *s, struct held *h, struct err *e)
{
	struct span key;
	bool there;

	TRY(jsonstream_enter(s, '{', e));
	for (;;) {
		TRY(jsonstream_next(s, &there, &key, e));
		if (!there)
			return read_held(r, h, e);
		TRY(read_member(r, s, key, h, e));
	}
}

static enum status read_process(struct rocprof *r, struct jsonstream *s, struct err *e)
{
	struct held h = { .n = 0 };
	enum status st = read_members(r, s, &h, e);
	size_t i;

	for (i = 0; i < HELD_MAX; i++)
		str_free(&h.text[i]);
	return st;
}

static enum status read_processes(struct rocprof *r, struct jsonstream *s, struct err *e)
{
	bool there, first = true;

	TRY(jsonstream_enter(s, '[', e));
	for (;; first = false) {
		TRY(jsonstream_next(s, &there, NULL, e));
		if (!there)
			return OK;
		if (!first)
			rocprof_next_process(r);
		TRY(read_process(r, s, e));
	}
}

static enum status read_document(struct rocprof *r, struct jsonstream *s, struct err *e)
{
	struct span key;
	bool there;
	char c;

	TRY(jsonstream_enter(s, '{', e));
	for (;;) {
		TRY(jsonstream_next(s, &there, &key, e));
		if (!there)
			break;
		TRY(span_is(key, "rocprofiler-sdk-tool") ? read_processes(r, s, e)
							 : jsonstream_pass(s, e));
	}
	TRY(jsonstream_peek(s, &c, e));
	if (c)
		emit_problem(&r->rocm.m, PROBLEM_TRAILING_GARBAGE, jsonstream_offset(s));
	return OK;
}

static enum status read_rocprof(struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct jsonstream s;
	struct rocprof r;
	enum status st;

	jsonstream_open(&s, in);
	rocprof_open(&r, out);
	st = read_document(&r, &s, e);
	if (st == E_TRUNCATED && r.records) {
		emit_problem(&r.rocm.m, PROBLEM_TRUNCATED_JSON, e->offset);
		err_clear(e);
		st = OK;
	} else if (st == E_TRUNCATED) {
		(void)err_set(e, E_TRUNCATED, e->offset,
			"results of rocprofv3 that end before the first record");
		(void)err_hint(e, "the profiler was stopped while it wrote them; profile again");
	}
	if (st == OK)
		st = rocm_finish(&r.rocm, e);
	rocprof_close(&r);
	jsonstream_close(&s);
	return st;
}

/* {"rocprofiler-sdk-tool": and nothing but blanks before it. */
static bool is_rocprof(struct span head)
{
	static const char key[] = "\"rocprofiler-sdk-tool\"";
	size_t i = 0;
	bool open = false;

	for (; i < head.n && ((unsigned char)head.p[i] <= 0x20 || (head.p[i] == '{' && !open)); i++)
		open |= head.p[i] == '{';
	return open && head.n - i >= sizeof(key) - 1 &&
		memcmp(head.p + i, key, sizeof(key) - 1) == 0;
}

const struct format format_rocprof = {
	.name = "rocprof",
	.title = "results of rocprofv3 (JSON)",
	.summary = "rocprofv3 --output-format json",
	.is = is_rocprof,
	.read = read_rocprof,
};
