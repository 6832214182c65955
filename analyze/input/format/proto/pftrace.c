/* Perfetto traces: their windows through threads, and what is to be said of the whole. */
#include "analyze/input/events/merge_batches.h"
#include "analyze/input/events/tap.h"
#include "analyze/input/format/format.h"
#include "analyze/input/format/proto/decoder.h"
#include "analyze/input/format/proto/frame.h"
#include "analyze/input/format/proto/sequences.h"
#include "analyze/input/format/proto/slices.h"
#include "analyze/input/source/source.h"
#include "analyze/input/source/unwrap.h"
#include "analyze/input/text/limits.h"
#include "analyze/trace/producers.h"
#include "base/base.h"
#include "base/ring.h"

/* Windows of a Perfetto trace: text cut into packets, those inside compressed ones too. */

enum {
	WINDOWS_BLOB_MAX = 64 << 20, /* of a compressed packet, inflated */
	WINDOWS_BLOBS_MAX = 32 << 20 /* after so much the next window begins */
};

struct window {
	struct window_text text;
	int64_t base;       /* offset of the text in the input */
	int64_t read_bytes; /* of the file, when it was filled */
	struct packet *packet;
	size_t npacket, packet_cap;
	uint64_t place;           /* of the first packet */
	struct window_text *blob; /* inflated packets */
	size_t nblob, blob_cap, blob_bytes;
	struct decoder decoder;
};

/* What goes from window to window. */
struct windows {
	struct source *source;
	struct sequences *sequences;
	size_t window_bytes;
	struct window_text carry; /* what the last one left */
	int64_t next_base;
	bool eof;       /* the carry is the last */
	bool is_lost;   /* the carry's beginning is looked for a packet */
	size_t missing; /* how much the carry's packet needs at least */
};

/* A window is what the one before has left and as much more of the input, cut behind its last
 * whole packet. */

static void drop_blobs(struct window *v)
{
	for (size_t i = 0; i < v->nblob; i++)
		free(v->blob[i].p);
	v->nblob = v->blob_bytes = 0;
}

/* --- compressed packets --- */

static ssize_t read_bytes(void *ctx, void *buf, size_t n)
{
	struct span *left = ctx;

	n = MIN(n, left->n);
	if (n)
		memcpy(buf, left->p, n);
	*left = span_from(*left, n);
	return (ssize_t)n;
}

/* All of it, or false: it is damaged, cut, too large, or compressed by what is not here. */
static bool unpack(struct span packed, struct window_text *to)
{
	struct tally odd;
	struct unwrap u;
	struct err ignored;
	size_t got = 1;

	tally_init(&odd);
	if (unwrap_open(&u, read_bytes, &packed, NULL, &odd, &ignored) != OK)
		return false;
	bool fine = u.container == CONTAINER_ZLIB || u.container == CONTAINER_GZIP ||
		u.container == CONTAINER_ZSTD;
	while (fine && got) {
		size_t room = MAX(1 << 16, to->n);

		window_reserve(to, to->n + room);
		fine = unwrap_read(&u, to->p + to->n, room, &got, &ignored) == OK;
		to->n += fine ? got : 0;
		fine &= to->n <= WINDOWS_BLOB_MAX;
	}
	unwrap_close(&u);
	return fine && !odd.count[PROBLEM_TRUNCATED_GZIP] && !odd.count[PROBLEM_CORRUPT_GZIP] &&
		!odd.count[PROBLEM_GZIP_NO_TRAILER];
}

/* Where the next packet goes, which counts when there is one. */
static inline struct packet *next_packet(struct window *v)
{
	if (UNLIKELY(v->npacket >= v->packet_cap))
		v->packet =
			array_grow(v->packet, &v->packet_cap, v->npacket + 1, sizeof(*v->packet));
	return &v->packet[v->npacket];
}

/* The packets of a text that was inflated; compressed ones are not looked for in it. */
static bool take_blob(struct windows *w, struct window *v, struct span text, int64_t offset)
{
	struct span packet;
	size_t next;

	while (text.n) {
		if (frame_next(text, &packet, &next) != FRAME_WHOLE)
			return false;
		enum taken is =
			sequences_take(w->sequences, packet, offset, &v->decoder.m, next_packet(v));
		if (is == TAKEN_COMPRESSED)
			return false;
		v->npacket += is == TAKEN_EVENTS;
		text = (struct span){ text.p + next, text.n - next };
	}
	return true;
}

static void take_compressed(struct windows *w, struct window *v, struct span packed, int64_t offset)
{
	struct window_text *blob = PUSH(v->blob, v->nblob, v->blob_cap, (struct window_text){ 0 });
	if (!unpack(packed, blob) || !take_blob(w, v, (struct span){ blob->p, blob->n }, offset))
		emit_problem(&v->decoder.m, PROBLEM_SKIPPED_RECORD, offset);
	v->blob_bytes += blob->n;
}

/* --- packets --- */

static void take_packet(struct windows *w, struct window *v, struct span packet, int64_t offset)
{
	struct packet *to = next_packet(v);
	enum taken is = sequences_take(w->sequences, packet, offset, &v->decoder.m, to);

	if (LIKELY(is == TAKEN_EVENTS))
		v->npacket++;
	else if (is == TAKEN_COMPRESSED)
		take_compressed(w, v, to->body, offset);
}

/* No packet begins here, or it would go on behind the end of the input: what is next?  Returns how
 * much of the text is done with.  What was skipped is counted. */
static size_t look_further(
	struct windows *w, struct window *v, struct span text, int64_t offset, bool is_cut)
{
	struct emitter *m = &v->decoder.m;
	size_t at;
	enum framed as = frame_find(text, !w->is_lost, w->eof, &at);

	if (is_cut && as == FRAME_NONE) {
		emit_problem(m, PROBLEM_TRUNCATED_TRACE, offset);
		return text.n;
	}
	if (!w->is_lost)
		emit_problem(m, PROBLEM_SKIPPED_RECORD, offset);
	tally_add(&m->batch.tally, PROBLEM_SKIPPED_BYTES, (int64_t)at, offset);
	w->is_lost = as == FRAME_MORE || (as == FRAME_NONE && !w->eof);
	return at;
}

/* Takes the window's packets; returns how much of the text they are. */
static size_t take_packets(struct windows *w, struct window *v)
{
	struct span text = { v->text.p, v->text.n }, packet;
	size_t next;

	w->missing = 0;
	while (text.n && v->blob_bytes < WINDOWS_BLOBS_MAX) {
		int64_t offset = v->base + (text.p - v->text.p);
		enum framed as = w->is_lost ? FRAME_NONE : frame_next(text, &packet, &next);
		size_t used;

		if (LIKELY(as == FRAME_WHOLE)) {
			take_packet(w, v, packet, offset);
			used = next;
		} else if (as == FRAME_MORE && !w->eof) {
			w->missing = next;
			break;
		} else {
			used = look_further(w, v, text, offset, as == FRAME_MORE);
		}
		text = span_from(text, used);
		if (w->is_lost)
			break;
	}
	return v->text.n - text.n;
}

/* How much is read beside the carry: nothing while that holds packets enough. */
static size_t wanted(const struct windows *w)
{
	size_t more = w->carry.n; /* a long packet: twice as much each time */

	if (w->carry.n >= w->window_bytes && w->missing == 0 && !w->is_lost)
		return 0;
	if (w->missing > w->carry.n && w->missing - w->carry.n < more)
		more = w->missing - w->carry.n;
	return MAX(more, w->window_bytes);
}

/* Fills a window with the next packets; *last: there are no more.  E_IO. */
static enum status windows_fill(struct windows *w, struct window *v, bool *last, struct err *e)
{
	size_t want = w->eof ? 0 : wanted(w), got = 0;

	decoder_begin(&v->decoder);
	drop_blobs(v);
	window_renew(&v->text, w->carry.n + want);
	window_append(&v->text, w->carry.p, w->carry.n);
	if (want) {
		TRY(source_read(w->source, v->text.p + v->text.n, want, &got, e));
		w->eof = got < want;
	}
	v->text.n += got;
	memset(v->text.p + v->text.n, 0, WINDOW_PADDING);
	v->base = w->next_base;
	v->read_bytes = source_taken(w->source);
	v->npacket = 0;
	v->place = w->sequences->place;
	w->sequences->tracks.names = &v->decoder.names;
	size_t used = take_packets(w, v);
	w->carry.n = 0;
	window_append(&w->carry, v->text.p + used, v->text.n - used);
	w->next_base += (int64_t)used;
	*last = w->eof && w->carry.n == 0;
	return OK;
}

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

/* Data of a machine, by the packet's field. */
static const struct other {
	uint32_t field;
	const char *name;
} others[] = {
	{ 1, "ftrace" },
	{ 4, "inode map" },
	{ 5, "Chrome JSON events" }, /* members around them are read */
	{ 7, "sys_stats" },
	{ 9, "process stats" },
	{ 37, "heap profiles" },
	{ 38, "battery" },
	{ 39, "Android log" },
	{ 40, "power rails" },
	{ 47, "packages list" },
	{ 49, "metatrace" },
	{ 54, "streaming profile" },
	{ 56, "heap graph" },
	{ 57, "graphics frames" },
	{ 61, "symbols" },
	{ 62, "Vulkan memory" },
	{ 65, "Vulkan calls" },
	{ 66, "CPU samples" },
	{ 71, "GPU memory" },
	{ 73, "memory snapshots" },
	{ 132, "journal" },
};

/* What is read otherwise (process trees, clocks, tracks), or is about the recording itself. */
static const uint8_t no_data[] = { 2, 6, 33, 34, 35, 36, 43, 44, 45, 46, 48, 51, 60, 67, 69, 72, 78,
	89, 107, 109, 124, 126, 128 };

/* Packets of the next field with data that is left out, from *field on; 0: there is none. */
static int64_t next_other(const struct reading *r, uint32_t *field)
{
	while (++*field < PACKET_KNOWN)
		if (r->sequences.other[*field] && !memchr(no_data, (int)*field, sizeof(no_data)))
			return r->sequences.other[*field];
	return 0;
}

static void count_others(const struct reading *r, struct tally *tally)
{
	int64_t n;

	for (uint32_t field = 0; (n = next_other(r, &field)) > 0;)
		tally_add(tally, PROBLEM_OTHER_DATA, n, -1);
}

/* "ftrace (1200 packets), process stats (3)" */
static void list_others(const struct reading *r, struct str *to)
{
	int64_t n;

	for (uint32_t field = 0; (n = next_other(r, &field)) > 0;) {
		const struct other *o = FIND(i, others, COUNT_OF(others), others[i].field == field);

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
	SCOPED_STR list = { 0 };

	if (t->count[PROBLEM_TRUNCATED_TRACE])
		return err_set(e, E_TRUNCATED, t->offset[PROBLEM_TRUNCATED_TRACE],
			"the file ends before the first event");
	if (t->count[PROBLEM_LOST_STATE])
		return err_set(e, E_NODATA, t->offset[PROBLEM_LOST_STATE],
			"a Perfetto trace whose events refer to what was lost: %" PRId64
			" of them cannot be read",
			t->count[PROBLEM_LOST_STATE]);
	list_others(r, &list);
	return err_hinted(e, E_NODATA,
		"read are events of programs (the track_event data source, torch.profiler, "
		"rocprofv3), not those of the kernel",
		"a Perfetto trace without track events%s%s",
		list.n ? ": what is in it is " : ", and without other data", list.n ? list.s : "");
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
	SCOPED_STR text = { 0 };
	int64_t shift;

	if (!clocks_epoch(&r->sequences.clocks, &shift))
		return OK;
	str_addf(&text, "%" PRId64, shift);
	if (!correct_member(r->out->g, "baseTimeNanoseconds", (struct span){ text.s, text.n }))
		emit_member(m, "baseTimeNanoseconds", (struct span){ text.s, text.n }, false);
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
	for (size_t i = 0; i < r->nwindow; i++) {
		drop_blobs(&r->window[i]);
		FREE_ALL(r->window[i].blob, r->window[i].text.p, r->window[i].packet);
		decoder_clear(&r->window[i].decoder);
	}
	free(r->window);
	slices_free(r->slices);
	free(r->windows.carry.p);
	sequences_clear(&r->sequences);
}

static enum status read_pftrace(struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct reading *r = xmalloc(sizeof(*r));
	struct ring_steps steps = { fill, work, end, r };

	init(r, in, out);
	enum status st = ring_run(&steps, r->nwindow, in->threads, e);
	THEN(st, finish(r, e));
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
