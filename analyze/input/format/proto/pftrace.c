/* Perfetto traces: their windows through threads, and what is to be said of the whole. */
#include <inttypes.h>
#include <stdlib.h>

#include "analyze/input/events/merge_batches.h"
#include "analyze/input/events/tap.h"
#include "analyze/input/format/format.h"
#include "analyze/input/format/proto/event_json.h"
#include "analyze/input/format/proto/frame.h"
#include "analyze/input/format/proto/slices.h"
#include "analyze/input/format/proto/packet_windows.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/producers.h"
#include "base/compiler.h"
#include "base/plural.h"
#include "base/ring.h"
#include "base/search.h"
#include "base/xalloc.h"

/* So many times the events of JSON are in as much text. */
enum { DENSER = 4 };

struct reading {
	struct format_input *in;
	struct emit_sink *out;
	struct keys keys;
	struct sequences sequences;
	struct windows windows;
	struct window *window; /* nwindow of them: a ring */
	size_t nwindow;
	struct slices *slices;
	size_t events;
	bool is_torch, is_rocm;
};

static enum status fill(void *ctx, size_t i, bool *last, struct err *e)
{
	struct reading *r = ctx;

	return windows_fill(&r->windows, &r->window[i % r->nwindow], last, e);
}

static void work(void *ctx, size_t i)
{
	struct reading *r = ctx;
	struct window *v = &r->window[i % r->nwindow];

	decoder_take(&v->decoder, v->packet, v->npacket, v->place);
}

static enum status end(void *ctx, size_t i, struct err *e)
{
	struct reading *r = ctx;
	struct window *v = &r->window[i % r->nwindow];
	struct decoder *d = &v->decoder;
	size_t row = r->out->run->events.n;

	r->events += d->nevents;
	r->is_torch |= d->is_torch;
	r->is_rocm |= d->is_rocm;
	if (d->is_heard)
		TRY(r->out->plan->tap->rows(r->out->plan->tap->ctx, &d->m.batch, row, e));
	TRY(emit_merge(r->out, &d->m, e));
	TRY(slices_add(r->slices, d->half, d->nhalf, row, d->uuid, e));
	if (r->in->progress)
		r->in->progress(r->in->progress_ctx, v->read_bytes, r->in->source->disk_bytes,
			v->base + (int64_t)v->text.n);
	return OK;
}

/* --- data that is left out --- */

struct other {
	uint32_t field;
	const char *name; /* NULL: no data of a machine, but of the recording */
};

static const struct other others[] = {
	{ 1, "ftrace" },
	{ 2, NULL }, /* process tree: names are read */
	{ 4, "inode map" },
	{ 5, "Chrome JSON events" }, /* members around them are read */
	{ 6, NULL },                 /* clock snapshot: read */
	{ 7, "sys_stats" },
	{ 9, "process stats" },
	{ 33, NULL },
	{ 34, NULL },
	{ 35, NULL },
	{ 36, NULL },
	{ 37, "heap profiles" },
	{ 38, "battery" },
	{ 39, "Android log" },
	{ 40, "power rails" },
	{ 43, NULL },
	{ 44, NULL },
	{ 45, NULL },
	{ 46, NULL },
	{ 47, "packages list" },
	{ 48, NULL },
	{ 49, "metatrace" },
	{ 51, NULL },
	{ 54, "streaming profile" },
	{ 56, "heap graph" },
	{ 57, "graphics frames" },
	{ 60, NULL }, /* tracks: read */
	{ 61, "symbols" },
	{ 62, "Vulkan memory" },
	{ 65, "Vulkan calls" },
	{ 66, "CPU samples" },
	{ 67, NULL },
	{ 69, NULL },
	{ 71, "GPU memory" },
	{ 72, NULL },
	{ 73, "memory snapshots" },
	{ 78, NULL },
	{ 89, NULL },
	{ 107, NULL },
	{ 109, NULL },
	{ 124, NULL },
	{ 126, NULL },
	{ 128, NULL },
	{ 132, "journal" },
};

static const struct other *find_other(uint32_t field)
{
	return FIND(i, others, COUNT_OF(others), others[i].field == field);
}

static void count_others(const struct reading *r, struct tally *tally)
{
	for (uint32_t field = 1; field < PACKET_KNOWN; field++) {
		const struct other *o = find_other(field);

		if (r->sequences.other[field] && (!o || o->name))
			tally_add(tally, PROBLEM_OTHER_DATA, r->sequences.other[field], -1);
	}
}

/* "ftrace (1200 packets), process stats (3)" */
static void list_others(const struct reading *r, struct str *to)
{
	for (uint32_t field = 1; field < PACKET_KNOWN; field++) {
		const struct other *o = find_other(field);
		int64_t n = r->sequences.other[field];

		if (n == 0 || (o && !o->name))
			continue;
		str_adds(to, to->n ? ", " : "");
		if (o)
			str_adds(to, o->name);
		else
			str_addf(to, "data of field %" PRIu32, field);
		str_addf(to, " (%" PRId64 " packet%s)", n, plural_s(n));
	}
}

static enum status refuse_empty(const struct reading *r, struct err *e)
{
	const struct tally *t = &r->out->run->tally;
	struct str list = { 0 };

	if (t->count[PROBLEM_TRUNCATED_TRACE])
		return err_set(e, E_TRUNCATED, t->offset[PROBLEM_TRUNCATED_TRACE],
			"the file ends before the first event");
	if (t->count[PROBLEM_LOST_STATE])
		return err_set(e, E_NODATA, t->offset[PROBLEM_LOST_STATE],
			"a Perfetto trace whose events refer to what was lost: %" PRId64
			" of them cannot be read",
			t->count[PROBLEM_LOST_STATE]);
	list_others(r, &list);
	(void)err_set(e, E_NODATA, -1, "a Perfetto trace without track events%s%s",
		list.n ? ": what is in it is " : ", and without other data", list.n ? list.s : "");
	str_free(&list);
	return err_hint(e,
		"read are events of programs (the track_event data source, torch.profiler, "
		"rocprofv3), not those of the kernel");
}

/* --- the whole --- */

static enum producer producer_of(const struct reading *r)
{
	const struct run *run = r->out->run;
	int64_t torch = run->kind_count[KIND_OP] + run->kind_count[KIND_PYTHON];

	if (r->is_rocm)
		return PRODUCER_ROCPROF_PERFETTO;
	if (r->is_torch || torch || run->kind_count[KIND_KERNEL])
		return PRODUCER_TORCH_PERFETTO;
	return PRODUCER_PERFETTO;
}

/* Gives members of that name another value, a number; false: the trace has said none. */
static bool correct_member(struct gathered *g, const char *key, struct span value)
{
	bool found = false;

	for (size_t i = 0; i < g->nmember; i++) {
		if (!span_is(g->member[i].key, key))
			continue;
		g->member[i].value.p = arena_copy(&g->mem, value.p, value.n);
		g->member[i].value.n = value.n;
		g->member[i].quoted = false;
		found = true;
	}
	return found;
}

/* What relates the trace's time to the calendar, as Kineto says it. */
static enum status say_epoch(struct reading *r, struct err *e)
{
	struct emitter *m = &r->window[0].decoder.m;
	struct str text = { 0 };
	int64_t shift;

	if (!clocks_epoch(&r->sequences.clocks, &shift))
		return OK;
	str_addf(&text, "%" PRId64, shift);
	if (!correct_member(r->out->g, "baseTimeNanoseconds", (struct span){ text.s, text.n }))
		emit_member(m, "baseTimeNanoseconds", (struct span){ text.s, text.n }, false);
	str_free(&text);
	return emit_merge(r->out, m, e);
}

static enum status finish(struct reading *r, struct err *e)
{
	struct run *run = r->out->run;

	slices_finish(r->slices);
	if (run->tally.count[PROBLEM_SKIPPED_BYTES] > r->in->source->text_bytes / 2)
		return err_set(e, E_SYNTAX, run->tally.offset[PROBLEM_SKIPPED_RECORD],
			"damaged: more than half of it is no packets (%" PRId64 " of %" PRId64
			" bytes)",
			run->tally.count[PROBLEM_SKIPPED_BYTES], r->in->source->text_bytes);
	if (r->events == 0)
		return refuse_empty(r, e);
	count_others(r, &run->tally);
	r->out->producer = &producers[producer_of(r)];
	return say_epoch(r, e);
}

static void init(struct reading *r, struct format_input *in, struct emit_sink *out)
{
	memset(r, 0, sizeof(*r));
	r->in = in;
	r->out = out;
	keys_init(&r->keys, out->plan);
	sequences_init(&r->sequences, &r->keys, out->plan->seed);
	r->windows.source = in->source;
	r->windows.sequences = &r->sequences;
	r->windows.window_bytes = in->window_bytes / DENSER + 1;
	r->nwindow = ring_slots(in->threads);
	r->window = xcalloc(r->nwindow, sizeof(*r->window));
	for (size_t i = 0; i < r->nwindow; i++)
		decoder_init(&r->window[i].decoder, out->plan, &r->keys, &r->sequences.tracks);
	r->slices = slices_new(out->run, out->g);
}

static void clear(struct reading *r)
{
	for (size_t i = 0; i < r->nwindow; i++)
		window_clear(&r->window[i]);
	free(r->window);
	slices_free(r->slices);
	windows_clear(&r->windows);
	sequences_clear(&r->sequences);
}

static enum status read_pftrace(struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct reading *r = xmalloc(sizeof(*r));
	struct ring_steps steps = { fill, work, end, r };

	init(r, in, out);
	enum status st = ring_run(&steps, r->nwindow, in->threads, e);
	if (st == OK)
		st = finish(r, e);
	clear(r);
	free(r);
	return st;
}

const struct format format_pftrace = {
	.name = "perfetto",
	.title = "Perfetto trace (protobuf)",
	.summary = "torch.profiler's .pftrace, rocprofv3's, Perfetto's own tools",
	.is = frame_is_trace,
	.read = read_pftrace,
};
