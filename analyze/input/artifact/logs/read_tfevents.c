/* TensorBoard event files: records of a length, its checksum, a protobuf Event, its checksum.  Only
 * scalars are of interest: simple_value, and tensors of one float or double.
 *
 * Source: tensorflow/core/lib/io/record_writer.h, core/util/event.proto,
 * core/framework/summary.proto */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/format/proto/wire.h"
#include "base/base.h"

enum { HEADER_BYTES = 12, FOOTER_BYTES = 4 };
enum { EVENT_WALL_TIME = 1, EVENT_STEP = 2, EVENT_SUMMARY = 5 };
enum { SUMMARY_VALUE = 1, VALUE_TAG = 1, VALUE_SIMPLE = 2, VALUE_TENSOR = 8 };
enum { TENSOR_CONTENT = 4, TENSOR_FLOAT = 5, TENSOR_DOUBLE = 6 };

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

/* A tensor of one number: in its own field, one by one or packed, or as bytes. */
static bool tensor_value(struct span t, double *v)
{
	struct wire w = wire_of(t);
	struct wire_field f;

	while (wire_next(&w, &f)) {
		bool is_four = f.type == WIRE_FIXED32 || f.bytes.n == 4;
		bool is_eight = f.type == WIRE_FIXED64 || f.bytes.n == 8;

		if (f.type == WIRE_BYTES && (is_four || is_eight))
			f.value = little(f.bytes.p, f.bytes.n);
		if ((f.number == TENSOR_FLOAT || f.number == TENSOR_CONTENT) && is_four) {
			*v = (double)wire_float(&f);
			return true;
		}
		if ((f.number == TENSOR_DOUBLE || f.number == TENSOR_CONTENT) && is_eight) {
			*v = wire_double(&f);
			return true;
		}
	}
	return false;
}

static void take_value(struct reading *in, struct span t, double step)
{
	struct span tag = { "", 0 };
	struct wire w = wire_of(t);
	struct wire_field f;
	bool has = false;
	double v = 0;

	while (wire_next(&w, &f)) {
		if (wire_is(&f, VALUE_TAG, WIRE_BYTES)) {
			tag = f.bytes;
		} else if (wire_is(&f, VALUE_SIMPLE, WIRE_FIXED32)) {
			v = (double)wire_float(&f);
			has = true;
		} else if (wire_is(&f, VALUE_TENSOR, WIRE_BYTES)) {
			has = tensor_value(f.bytes, &v) || has;
		}
	}
	if (has && tag.n)
		series_add(reading_series(in, tag, SPAN(""), AXIS_STEP, MEASURE_NONE), step, v);
}

static void take_event(struct reading *in, struct span event)
{
	struct span summary = { "", 0 };
	struct wire w = wire_of(event);
	struct wire_field f;
	double step = 0;

	while (wire_next(&w, &f)) {
		if (wire_is(&f, EVENT_STEP, WIRE_VARINT))
			step = (double)(int64_t)f.value;
		else if (wire_is(&f, EVENT_SUMMARY, WIRE_BYTES))
			summary = f.bytes;
	}
	reading_artifact(in)->rows++;
	for (w = wire_of(summary); wire_next(&w, &f);)
		if (wire_is(&f, SUMMARY_VALUE, WIRE_BYTES))
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
