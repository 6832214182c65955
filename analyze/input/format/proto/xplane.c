/* XPlane files: planes one after the other, each held as a whole. */
#include "analyze/input/format/proto/xplane.h"

#include "analyze/input/format/format.h"
#include "analyze/input/format/proto/wire.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run.h"

enum { SPACE_PLANES = 1, SPACE_ERRORS, SPACE_WARNINGS, SPACE_HOSTS, PLANE_ID = 1, PLANE_NAME = 2 };
enum { KEY_BYTES = 10, LENGTH_BYTES = 10 };

/* The bytes of a file from `base` on, as far as they were asked for. */
struct stretch {
	struct source *s;
	char *p;
	size_t at, n, cap; /* what is not yet used: p[at .. n) */
	int64_t base;      /* offset of p[0] */
	bool eof;
	size_t piece;
};

/* Makes the next `want` bytes be there; fewer only at the end. */
static enum status want_bytes(struct stretch *t, size_t want, struct err *e)
{
	size_t got;

	if (t->at > 0 && t->n - t->at < want) {
		memmove(t->p, t->p + t->at, t->n - t->at);
		t->base += (int64_t)t->at;
		t->n -= t->at;
		t->at = 0;
	}
	while (!t->eof && t->n - t->at < want) {
		t->p = array_grow(t->p, &t->cap, t->n + t->piece + EMIT_PADDING, 1);
		TRY(source_read(t->s, t->p + t->n, t->piece, &got, e));
		t->n += got;
		t->eof = got < t->piece;
	}
	if (t->p)
		memset(t->p + t->n, 0, MIN(t->cap - t->n, EMIT_PADDING));
	return OK;
}

/* The name of the message's first plane, as far as its beginning goes. */
static struct span first_name(struct span plane)
{
	struct wire w = wire_of(plane);
	struct wire_field f;

	while (wire_next(&w, &f)) {
		if (f.number == PLANE_NAME && f.type == WIRE_BYTES)
			return f.bytes;
		if (f.number != PLANE_ID || f.type != WIRE_VARINT)
			break;
	}
	return (struct span){ NULL, 0 };
}

/* Planes come first, and their names begin with a few words only. */
static bool is_xplane(struct span head)
{
	const char *end = head.p + head.n;
	uint64_t key = 0, n = 0;
	const char *p = wire_varint(head.p, end, &key);

	p = p && key == (SPACE_PLANES << 3 | WIRE_BYTES) ? wire_varint(p, end, &n) : NULL;
	if (!p)
		return false;
	struct span plane = (struct span){ p, (size_t)(end - p) };
	plane.n = plane.n < n ? plane.n : (size_t)n;
	struct span name = first_name(plane);
	return name.p && span_starts_in(name, "/host:|/device:|Task Environment|#Chip");
}

static void add_number(struct str *b, const char *key, const struct xvalue *v)
{
	if (v->there && !v->text.p)
		emit_gpu_number(b, key, v->number);
}

/* What a device says of itself, as Kineto's deviceProperties have it. */
static void add_gpu(struct str *b, const struct xplane *p)
{
	if (p->device < 0 || !p->value[XSTAT_CORES].there)
		return;
	emit_gpu_begin(b, p->device, p->value[XSTAT_TYPE].text);
	add_number(b, "totalGlobalMem", &p->value[XSTAT_MEMORY]);
	add_number(b, "numSms", &p->value[XSTAT_CORES]);
	add_number(b, "computeMajor", &p->value[XSTAT_MAJOR]);
	add_number(b, "computeMinor", &p->value[XSTAT_MINOR]);
	str_addc(b, '}');
}

static enum status read_plane(
	struct xreading *x, struct span message, int64_t offset, struct err *e)
{
	struct xplane p;

	xplane_open(&p, message);
	add_gpu(&x->gpus, &p);
	if (p.value[XSTAT_START].there && !p.value[XSTAT_START].text.p)
		x->start_ns = p.value[XSTAT_START].number;
	enum status st = xplane_emit(x, &p, offset, e);
	xplane_close(&p);
	return st;
}

static void take_field(struct xreading *x, uint64_t number, struct span bytes)
{
	if (number == SPACE_HOSTS)
		emit_member(&x->emitter, "host_name", bytes, true);
	else if (number == SPACE_ERRORS || number == SPACE_WARNINGS)
		emit_member(
			&x->emitter, number == SPACE_ERRORS ? "errors" : "warnings", bytes, true);
}

/* The next field of the space; false in *there at the end of what is to be read. */
static enum status read_field(struct xreading *x, struct stretch *t, bool *there, struct err *e)
{
	uint64_t key = 0, n = 0;

	TRY(want_bytes(t, KEY_BYTES + LENGTH_BYTES, e));
	*there = t->at < t->n;
	if (!*there)
		return OK;
	const char *end = t->p + t->n;
	const char *p = wire_varint(t->p + t->at, end, &key);
	p = p && (key & 7) == WIRE_BYTES ? wire_varint(p, end, &n) : NULL;
	if (!p || n > INT32_MAX) {
		bool cut = t->eof && !p && t->n - t->at < KEY_BYTES + LENGTH_BYTES;

		*there = false;
		emit_problem(&x->emitter, cut ? PROBLEM_TRUNCATED_TRACE : PROBLEM_SKIPPED_RECORD,
			t->base + (int64_t)t->at);
		return OK;
	}
	size_t head = (size_t)(p - (t->p + t->at));
	TRY(want_bytes(t, head + (size_t)n, e));
	struct span bytes = (struct span){ t->p + t->at + head, (size_t)n };
	if (bytes.n > t->n - t->at - head) {
		bytes.n = t->n - t->at - head;
		emit_problem(&x->emitter, PROBLEM_TRUNCATED_TRACE, t->base + (int64_t)t->n);
	}
	if (key >> 3 == SPACE_PLANES)
		TRY(read_plane(x, bytes, t->base + (int64_t)(t->at + head), e));
	else
		take_field(x, key >> 3, bytes);
	t->at += head + bytes.n;
	return OK;
}

/* Times of lines count from the profile's start, or, of older writers, from 1970. */
static void say_space(struct xreading *x)
{
	struct emitter *m = &x->emitter;

	if (x->start_ns > 0 && x->first_line_ns < x->start_ns / 2)
		emit_member(
			m, "baseTimeNanoseconds", emit_keepf(m, "%" PRId64, x->start_ns), false);
	emit_gpus(m, &x->gpus);
}

static enum status read_space(struct xreading *x, struct format_input *in, struct err *e)
{
	struct stretch t = { .s = in->source, .piece = in->window_bytes };
	enum status st = OK;
	bool there = true;

	while (st == OK && there) {
		st = read_field(x, &t, &there, e);
		if (st == OK && in->progress)
			in->progress(in->progress_ctx, source_taken(in->source),
				in->source->disk_bytes, t.base + (int64_t)t.at);
	}
	free(t.p);
	return st;
}

static enum status read_xplane(struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct xreading x = { .out = out, .start_ns = -1, .first_line_ns = INT64_MAX };

	emitter_init(&x.emitter, out->plan);
#define X(member, key) x.keys.member = emit_key(&x.emitter, key);
	XKEYS(X)
#undef X
	out->producer = &producers[PRODUCER_XPLANE];
	enum status st = read_space(&x, in, e);
	if (st == OK) {
		say_space(&x);
		st = emit_merge(out, &x.emitter, e);
	}
	str_free(&x.gpus);
	emitter_clear(&x.emitter);
	return st;
}

const struct format format_xplane = {
	.name = "xplane",
	.title = "XPlane profile of XLA (protobuf)",
	.summary = "JAX, TensorFlow, PyTorch/XLA: *.xplane.pb",
	.is = is_xplane,
	.read = read_xplane,
};
