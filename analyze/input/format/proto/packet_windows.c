/*
 * A window is what the one before has left and as much more of the input, cut behind its last
 * whole packet.
 */
#include "analyze/input/format/proto/packet_windows.h"

#include <stdlib.h>

#include "analyze/input/format/proto/frame.h"
#include "analyze/input/source/source.h"
#include "analyze/input/source/unwrap.h"
#include "analyze/input/text/limits.h"
#include "base/minmax.h"

static void reserve(struct window_text *t, size_t n)
{
	t->p = array_grow(t->p, &t->cap, n + WINDOW_PADDING, 1);
}

/* The same for a text that begins anew: nothing is copied. */
static void renew(struct window_text *t, size_t n)
{
	if (t->cap < n + WINDOW_PADDING) {
		free(t->p);
		*t = (struct window_text){ 0 };
	}
	t->n = 0;
	reserve(t, n);
}

static void append(struct window_text *t, const char *p, size_t n)
{
	reserve(t, t->n + n);
	if (n)
		memcpy(t->p + t->n, p, n);
	t->n += n;
}

void windows_clear(struct windows *w)
{
	free(w->carry.p);
}

static void drop_blobs(struct window *v)
{
	for (size_t i = 0; i < v->nblob; i++)
		free(v->blob[i].p);
	v->nblob = v->blob_bytes = 0;
}

void window_clear(struct window *v)
{
	drop_blobs(v);
	free(v->blob);
	free(v->text.p);
	free(v->packet);
	decoder_clear(&v->decoder);
}

/* --- compressed packets --- */

struct bytes_reader {
	struct span left;
};

static ssize_t read_bytes(void *ctx, void *buf, size_t n)
{
	struct bytes_reader *r = ctx;

	n = MIN(n, r->left.n);
	if (n)
		memcpy(buf, r->left.p, n);
	r->left = (struct span){ r->left.p + n, r->left.n - n };
	return (ssize_t)n;
}

/* All of it, or false: it is damaged, cut, too large, or compressed by what is not here. */
static bool unpack(struct span packed, struct window_text *to)
{
	struct bytes_reader r = { packed };
	struct tally odd;
	struct unwrap u;
	struct err ignored;
	size_t got = 1;

	tally_init(&odd);
	if (unwrap_open(&u, read_bytes, &r, NULL, &odd, &ignored) != OK)
		return false;
	bool fine = u.container == CONTAINER_ZLIB || u.container == CONTAINER_GZIP ||
		u.container == CONTAINER_ZSTD;
	while (fine && got) {
		size_t room = MAX(1 << 16, to->n);

		reserve(to, to->n + room);
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
	v->blob = array_grow(v->blob, &v->blob_cap, v->nblob + 1, sizeof(*v->blob));
	struct window_text *blob = &v->blob[v->nblob++];
	*blob = (struct window_text){ 0 };
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

/*
 * No packet begins here, or it would go on behind the end of the input: what is next?  Returns how
 * much of the text is done with; what was skipped is counted.
 */
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
			if (w->is_lost) {
				text = (struct span){ text.p + used, text.n - used };
				break;
			}
		}
		text = (struct span){ text.p + used, text.n - used };
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

enum status windows_fill(struct windows *w, struct window *v, bool *last, struct err *e)
{
	size_t want = w->eof ? 0 : wanted(w), got = 0;

	decoder_begin(&v->decoder);
	drop_blobs(v);
	renew(&v->text, w->carry.n + want);
	append(&v->text, w->carry.p, w->carry.n);
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
	append(&w->carry, v->text.p + used, v->text.n - used);
	w->next_base += (int64_t)used;
	*last = w->eof && w->carry.n == 0;
	return OK;
}
