/*
 * Windows in a ring (base/ring.h): filling is inflating, the work on a window is scanning it, its
 * end is merging it.
 *
 * A window begins at a guess: the last place in the text before it where an event seems to open.
 * Merging knows the true state; where it differs, the window is scanned again from there (`join`).
 */
#include "analyze/input/events/pipeline.h"

#include "analyze/input/events/event_batch.h"
#include "analyze/input/text/limits.h"
#include "base/ring.h"

enum { CARRY_BYTES = 64 << 10 }; /* room for what is carried: more than most events have */

struct slot {
	struct window_text text; /* with padding */
	int64_t base;            /* offset of text.p[0] in the input */
	int64_t read_bytes;      /* taken from the file when it was filled */
	bool guessed;            /* begins at an anchor (or at the very beginning) */
	bool eof;                /* nothing comes behind it */
	struct doc begin, end;
	size_t used; /* what the scan is done with */
	struct batch batch;
};

struct pipeline {
	struct source *source;
	const struct plan *plan;
	const struct pipeline_options *o;
	struct run *run;
	struct gathered *g;

	struct slot **slot; /* made when they are first filled: a small input needs one or two */
	size_t nslot;

	/* The filler's: */
	struct window_text carry; /* text behind the last anchor */
	int64_t next_base;
	bool anchored; /* the carry begins at an anchor */

	/* The merger's: */
	struct doc doc;
	struct window_text join; /* text the true state is still before */
	int64_t join_base;
	size_t join_tried; /* its length at the last scan */
	struct batch join_batch;
	bool join_batch_ready;
};

/* The quotes behind the end at which every inner loop of the scanner stops. */
static void text_seal(struct window_text *t)
{
	memset(t->p + t->n, '"', WINDOW_PADDING);
}

/* --- fill: source -> slot --- */

static enum status fill_slot(struct pipeline *l, struct slot *s, struct err *e)
{
	size_t fresh, want = l->o->window_bytes;

	window_renew(&s->text, want + MAX(l->carry.n, CARRY_BYTES));
	window_append(&s->text, l->carry.p, l->carry.n);
	TRY(source_read(l->source, s->text.p + s->text.n, want, &fresh, e));
	s->text.n += fresh;
	s->read_bytes = source_taken(l->source);
	s->base = l->next_base;
	s->guessed = l->anchored;
	s->eof = fresh < want;
	l->carry.n = 0;
	size_t cut = s->eof ? 0 : doc_last_anchor(s->text.p, s->text.n);
	l->anchored = cut > 0;
	if (cut) {
		window_append(&l->carry, s->text.p + cut, s->text.n - cut);
		s->text.n = cut;
	}
	l->next_base += (int64_t)s->text.n;
	text_seal(&s->text);
	return OK;
}

/* --- scan: slot -> its batch --- */

/* doc_scan, and the tap behind it. */
static size_t scan_text(const struct plan *plan, struct batch *b, struct doc *d,
	const struct window_text *t, int64_t base, bool eof)
{
	size_t used = doc_scan(plan, b, d, t->p, t->n, base, eof);

	if (plan->tap && plan->tap->scanned)
		plan->tap->scanned(plan->tap->ctx, b);
	return used;
}

static void scan_slot(struct pipeline *l, struct slot *s, bool first)
{
	if (!s->guessed)
		return;
	batch_reset(&s->batch);
	if (first)
		doc_init(&s->begin);
	else
		doc_guess(&s->begin);
	s->end = s->begin;
	s->used = scan_text(l->plan, &s->batch, &s->end, &s->text, s->base, s->eof);
}

/* --- merge: batch -> run, in file order --- */

static enum status take_batch(struct pipeline *l, struct batch *b, struct err *e)
{
	const struct tap *tap = l->plan->tap;

	TRY(merge_batch(l->run, l->g, b, e));
	return tap ? tap->window(tap->ctx, b, e) : OK;
}

/* The guess was wrong, or the window before ends inside something: scan from the true state. */
static enum status merge_joined(struct pipeline *l, const struct slot *s, struct err *e)
{
	if (l->join.n == 0)
		l->join_base = s->base;
	window_append(&l->join, s->text.p, s->text.n);
	if (!s->eof && l->join_tried && l->join.n < 2 * l->join_tried)
		return OK; /* scanning a long event again for every window would be quadratic */
	if (!l->join_batch_ready) {
		batch_init(&l->join_batch, l->plan->needs, l->plan->seed);
		l->join_batch_ready = true;
	}
	batch_reset(&l->join_batch);
	text_seal(&l->join);
	size_t used = scan_text(l->plan, &l->join_batch, &l->doc, &l->join, l->join_base, s->eof);
	TRY(take_batch(l, &l->join_batch, e));
	memmove(l->join.p, l->join.p + used, l->join.n - used);
	l->join.n -= used;
	l->join_base += (int64_t)used;
	l->join_tried = l->join.n;
	return OK;
}

static enum status merge_slot(struct pipeline *l, struct slot *s, bool first, struct err *e)
{
	bool right = s->guessed && l->join.n == 0;

	if (right && first)
		l->doc = s->end;
	else if (right)
		right = doc_accept(&l->doc, &s->end);
	if (!right)
		return merge_joined(l, s, e);
	TRY(take_batch(l, &s->batch, e));
	l->join.n = 0;
	l->join_base = s->base + (int64_t)s->used;
	window_append(&l->join, s->text.p + s->used, s->text.n - s->used);
	l->join_tried = l->join.n;
	return OK;
}

/* --- the ring --- */

static struct slot *slot_at(const struct pipeline *l, size_t i)
{
	return l->slot[i % l->nslot];
}

static struct slot *slot_new(const struct plan *plan)
{
	struct slot *s = xcalloc(1, sizeof(*s));

	batch_init(&s->batch, plan->needs, plan->seed);
	return s;
}

static enum status fill(void *ctx, size_t i, bool *last, struct err *e)
{
	struct pipeline *l = ctx;

	if (i < l->nslot)
		l->slot[i] = slot_new(l->plan);
	struct slot *s = slot_at(l, i);
	TRY(fill_slot(l, s, e));
	*last = s->eof;
	return OK;
}

static void scan(void *ctx, size_t i)
{
	struct pipeline *l = ctx;

	scan_slot(l, slot_at(l, i), i == 0);
}

static bool is_alien(const struct pipeline *l)
{
	return l->doc.where == DOC_ALIEN;
}

static enum status merge(void *ctx, size_t i, struct err *e)
{
	struct pipeline *l = ctx;
	struct slot *s = slot_at(l, i);
	enum status st = merge_slot(l, s, i == 0, e);

	if (l->o->progress)
		l->o->progress(l->o->progress_ctx, s->read_bytes, l->source->disk_bytes,
			s->base + (int64_t)s->text.n);
	/* What is no JSON is not read for ever: it may have no end. */
	return st == OK && is_alien(l) && s->base + (int64_t)s->text.n >= LIMIT_ALIEN_BYTES
		? err_set(e, E_FORMAT, 0, "no JSON")
		: st;
}

static void clear(struct pipeline *l)
{
	for (size_t i = 0; i < l->nslot && l->slot[i]; i++) {
		batch_clear(&l->slot[i]->batch);
		free(l->slot[i]->text.p);
		free(l->slot[i]);
	}
	FREE_ALL(l->slot, l->carry.p, l->join.p);
	if (l->join_batch_ready)
		batch_clear(&l->join_batch);
}

enum status pipeline_run(struct source *s, const struct plan *plan,
	const struct pipeline_options *o, struct run *run, struct gathered *g, struct doc *d,
	struct err *e)
{
	struct pipeline *l = xcalloc(1, sizeof(*l)); /* large: it has a batch */
	struct ring_steps steps = { fill, scan, merge, l };

	l->source = s;
	l->plan = plan;
	l->o = o;
	l->run = run;
	l->g = g;
	l->nslot = ring_slots(o->threads);
	l->slot = xcalloc(l->nslot, sizeof(*l->slot));
	l->anchored = true;
	doc_init(&l->doc);
	enum status st = ring_run(&steps, l->nslot, o->threads, e);
	if (st == E_FORMAT && is_alien(l)) { /* which *d says */
		err_clear(e);
		st = OK;
	}
	*d = l->doc;
	clear(l);
	free(l);
	return st;
}
