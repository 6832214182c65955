/* rocprofv3's JSON (--output-format json): the document, process by process.
 *
 * Names stand before the records that need them.  Where some program has written it again in
 * another order, the records' text is held until the names are known. */

#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/format.h"
#include "analyze/input/format/jsonstream.h"
#include "analyze/input/format/rocm/rocprof.h"
#include "analyze/input/text/limits.h"

enum { HELD_MAX = 4 };

/* A process on its way, and its members whose names were not known yet. */
struct process {
	struct rocprof *r;
	struct str held[HELD_MAX];
	int64_t offset[HELD_MAX];
	size_t nheld;
};

static enum status hold(struct process *p, struct jsonstream *s, struct err *e)
{
	struct span text;

	if (p->nheld == HELD_MAX)
		return jsonstream_pass(s, e);
	p->offset[p->nheld] = jsonstream_offset(s);
	TRY(jsonstream_value(s, LIMIT_DOCUMENT_BYTES, &text, e));
	str_add(&p->held[p->nheld++], text.p, text.n);
	return OK;
}

static enum status read_held(struct process *p, struct err *e)
{
	enum status st = OK;

	for (size_t i = 0; i < p->nheld && st == OK; i++) {
		struct jsonstream s;

		jsonstream_open_text(&s, (struct span){ p->held[i].s, p->held[i].n }, p->offset[i]);
		st = rocprof_records(p->r, &s, e);
		jsonstream_close(&s);
	}
	return st;
}

static enum status read_member(void *ctx, struct jsonstream *s, struct span key, struct err *e)
{
	struct process *p = ctx;

	if (span_is(key, "metadata"))
		return rocprof_metadata(p->r, s, e);
	if (span_is(key, "agents"))
		return rocprof_agents(p->r, s, e);
	if (span_is(key, "strings"))
		return rocprof_strings(p->r, s, e);
	if (span_is(key, "kernel_symbols"))
		return rocprof_kernels(p->r, s, e);
	if (!span_is(key, "buffer_records") && !span_is(key, "callback_records"))
		return jsonstream_pass(s, e);
	return p->r->has_names && p->r->has_kernels ? rocprof_records(p->r, s, e) : hold(p, s, e);
}

static enum status read_process(
	void *ctx, struct jsonstream *s, struct span key UNUSED, struct err *e)
{
	struct process p = { .r = ctx };
	enum status st = jsonstream_each(s, '{', read_member, &p, e);

	THEN(st, read_held(&p, e));
	for (size_t i = 0; i < HELD_MAX; i++)
		str_free(&p.held[i]);
	rocprof_next_process(p.r);
	return st;
}

static enum status read_outer(void *ctx, struct jsonstream *s, struct span key, struct err *e)
{
	return span_is(key, "rocprofiler-sdk-tool") ? jsonstream_each(s, '[', read_process, ctx, e)
						    : jsonstream_pass(s, e);
}

static enum status read_document(struct rocprof *r, struct jsonstream *s, struct err *e)
{
	char c;

	TRY(jsonstream_each(s, '{', read_outer, r, e));
	TRY(jsonstream_peek(s, &c, e));
	if (c)
		emit_problem(&r->rocm.m, PROBLEM_TRAILING_GARBAGE, jsonstream_offset(s));
	return OK;
}

static enum status read_rocprof(struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct jsonstream s;
	struct rocprof r;

	jsonstream_open(&s, in);
	rocprof_open(&r, out);
	enum status st = read_document(&r, &s, e);
	if (st == E_TRUNCATED && r.records) {
		emit_problem(&r.rocm.m, PROBLEM_TRUNCATED_JSON, e->offset);
		err_clear(e);
		st = OK;
	} else if (st == E_TRUNCATED) {
		(void)err_set(e, E_TRUNCATED, e->offset,
			"results of rocprofv3 that end before the first record");
		(void)err_hint(e, "the profiler was stopped while it wrote them; profile again");
	}
	THEN(st, rocm_finish(&r.rocm, e));
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
