/*
 * TensorBoard event files: records of a length, its checksum, a protobuf Event, its checksum.  Only
 * scalars are of interest: simple_value, and tensors of one float or double.
 *
 * Source: tensorflow/core/lib/io/record_writer.h, core/util/event.proto,
 * core/framework/summary.proto
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyze/input/artifact/artifact.h"
#include "base/minmax.h"

enum { HEADER_BYTES = 12, FOOTER_BYTES = 4 };
enum { EVENT_WALL_TIME = 1, EVENT_STEP = 2, EVENT_SUMMARY = 5 };
enum { SUMMARY_VALUE = 1, VALUE_TAG = 1, VALUE_SIMPLE = 2, VALUE_TENSOR = 8 };
enum { TENSOR_CONTENT = 4, TENSOR_FLOAT = 5, TENSOR_DOUBLE = 6 };
enum wire { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* A field of a message. */
struct proto_field {
	unsigned number;
	enum wire wire;
	uint64_t value;    /* varint, fixed */
	struct span bytes; /* of WIRE_BYTES */
};

static enum match probe(const struct head *h)
{
	struct span begin = { h->text.p, MIN(h->text.n, 64) };

	return span_has(begin, "brain.Event:") ? MATCH_STRONG : MATCH_NO;
}

static uint64_t little(const char *p, size_t n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | (unsigned char)p[n];
	return v;
}

static bool varint(struct span *t, uint64_t *v)
{
	*v = 0;
	for (unsigned shift = 0; shift < 64 && t->n > 0; shift += 7) {
		unsigned char c = (unsigned char)*t->p++;

		t->n--;
		*v |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return true;
	}
	return false;
}

/* The next field; false at the end of the message or where it is malformed. */
static bool next_field(struct span *t, struct proto_field *f)
{
	uint64_t key, n;

	if (t->n == 0 || !varint(t, &key))
		return false;
	f->number = (unsigned)(key >> 3);
	f->wire = (enum wire)(key & 7);
	f->bytes = (struct span){ t->p, 0 };
	switch (f->wire) {
	case WIRE_VARINT: return varint(t, &f->value);
	case WIRE_FIXED64: n = 8; break;
	case WIRE_FIXED32: n = 4; break;
	case WIRE_BYTES:
		if (!varint(t, &n))
			return false;
		break;
	default: return false;
	}
	if (n > t->n)
		return false;
	f->bytes = (struct span){ t->p, (size_t)n };
	if (f->wire != WIRE_BYTES)
		f->value = little(t->p, (size_t)n);
	t->p += n;
	t->n -= (size_t)n;
	return true;
}

static double as_float(uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float v;

	memcpy(&v, &low, sizeof(v));
	return (double)v;
}

static double as_double(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* A tensor of one number. */
static bool tensor_value(struct span t, double *v)
{
	struct proto_field f;

	while (next_field(&t, &f)) {
		bool four = f.bytes.n == 4, eight = f.bytes.n == 8;

		if ((f.number == TENSOR_FLOAT || f.number == TENSOR_CONTENT) && four) {
			*v = as_float(little(f.bytes.p, 4));
			return true;
		}
		if ((f.number == TENSOR_DOUBLE || f.number == TENSOR_CONTENT) && eight) {
			*v = as_double(little(f.bytes.p, 8));
			return true;
		}
	}
	return false;
}

static void take_value(struct reading *in, struct span t, double step)
{
	struct span tag = { "", 0 };
	struct proto_field f;
	struct series *s;
	bool has = false;
	double v = 0;

	while (next_field(&t, &f)) {
		if (f.number == VALUE_TAG && f.wire == WIRE_BYTES) {
			tag = f.bytes;
		} else if (f.number == VALUE_SIMPLE && f.wire == WIRE_FIXED32) {
			v = as_float(f.value);
			has = true;
		} else if (f.number == VALUE_TENSOR && f.wire == WIRE_BYTES) {
			has = tensor_value(f.bytes, &v) || has;
		}
	}
	s = has && tag.n ? record_series(in->record, in->artifact, tag, SPAN("")) : NULL;
	if (!s)
		return;
	s->axis = AXIS_STEP;
	series_add(s, step, v);
}

static void take_event(struct reading *in, struct span event)
{
	struct span summary = { "", 0 };
	struct proto_field f;
	double step = 0;

	while (next_field(&event, &f)) {
		if (f.number == EVENT_STEP && f.wire == WIRE_VARINT)
			step = (double)(int64_t)f.value;
		else if (f.number == EVENT_SUMMARY && f.wire == WIRE_BYTES)
			summary = f.bytes;
	}
	reading_artifact(in)->rows++;
	while (next_field(&summary, &f))
		if (f.number == SUMMARY_VALUE && f.wire == WIRE_BYTES)
			take_value(in, f.bytes, step);
}

static enum status read_events(struct reading *in, struct err *e)
{
	struct span text;
	size_t at = 0;

	TRY(reading_all(in, &text, e));
	while (text.n - at >= HEADER_BYTES) {
		uint64_t n = little(text.p + at, 8);

		if (n > text.n - at - HEADER_BYTES || text.n - at - HEADER_BYTES - n < FOOTER_BYTES)
			break;
		take_event(in, (struct span){ text.p + at + HEADER_BYTES, (size_t)n });
		at += HEADER_BYTES + (size_t)n + FOOTER_BYTES;
	}
	if (at < text.n) {
		reading_artifact(in)->is_complete = false;
		reading_note(in, NOTE_WARNING, "torn_line", 1, (int64_t)at,
			"the last record is cut off; it is left out");
	}
	return OK;
}

const struct artifact artifact_tfevents = {
	.name = "tfevents",
	.title = "TensorBoard event file",
	.summary = "events.out.tfevents.*: scalars by step",
	.probe = probe,
	.read = read_events,
};
