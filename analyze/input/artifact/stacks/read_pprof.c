/* Profiles of pprof: Go, gperftools, Parca, py-spy's and rust's exporters.  Samples name locations,
 * leaf first, locations lines of functions, the innermost first, and all names are numbers of
 * texts. Of a sample's values the time counts, else the last, which is the one pprof shows by
 * itself.
 *
 * Source: google/pprof, proto/profile.proto */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/stacks/stack_rows.h"
#include "analyze/input/format/proto/wire.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"

enum {
	PROFILE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_DURATION = 10,
	PROFILE_LAST = 32
};
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2 };
enum { LOCATION_ID = 1, LOCATION_ADDRESS = 3, LOCATION_LINE = 4 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_FILE = 4, FUNCTION_FIELDS = 5 };
enum { VALUES_MAX = 32, DEPTH_MAX = 4096, PROBED = 8 };

struct pprof {
	struct reading *in;
	struct span *string;
	size_t nstring, string_cap;
	struct valuemap function, location; /* messages by id */
	struct span type[VALUES_MAX], unit[VALUES_MAX];
	size_t nvalue, value; /* the one that counts */
	enum stack_unit of;   /* what it is, and how many of ours are one of its units */
	double factor;
	struct stack_rows rows;
	int64_t damaged;
};

/* A type of values: two numbers of texts, and nothing else. */
static bool is_type(struct span message)
{
	struct wire w = wire_of(message);
	struct wire_field f;
	size_t n = 0;

	while (wire_next(&w, &f) && f.type == WIRE_VARINT && f.number <= 2)
		n++;
	return n > 0 && w.p == w.end && !w.damaged;
}

static enum match probe(const struct head *h)
{
	struct wire w = wire_of(h->text);
	struct wire_field f;
	bool has_sample = false;

	if ((h->form != HEAD_BINARY && h->form != HEAD_TEXT) || !wire_next(&w, &f) ||
		!wire_is(&f, PROFILE_TYPE, WIRE_BYTES) || !is_type(f.bytes))
		return MATCH_NO;
	for (int i = 0; i < PROBED && wire_next(&w, &f); i++) {
		if (f.number >= PROFILE_LAST)
			return MATCH_NO;
		has_sample |= wire_is(&f, PROFILE_SAMPLE, WIRE_BYTES) ||
			wire_is(&f, PROFILE_STRING, WIRE_BYTES);
	}
	return has_sample ? MATCH_STRONG : MATCH_NO;
}

static struct span string_at(const struct pprof *p, uint64_t i)
{
	return i < p->nstring ? p->string[i] : SPAN("");
}

static void take_type(struct pprof *p, struct span message)
{
	struct wire_field f[3];

	if (p->nvalue == VALUES_MAX || !wire_fields(message, f, COUNT_OF(f)))
		return;
	p->type[p->nvalue] = string_at(p, wire_number(&f[1]));
	p->unit[p->nvalue++] = string_at(p, wire_number(&f[2]));
}

static void take_message(struct valuemap *m, struct span message)
{
	struct wire_field f;
	uint64_t id = wire_find(message, FUNCTION_ID, WIRE_VARINT, &f) ? f.value : 0;

	*(struct span *)valuemap_slot(m, &id, NULL) = message;
}

static void choose_value(struct pprof *p)
{
	p->of = STACK_IN_SAMPLES;
	p->factor = 1;
	for (size_t i = 0; i < p->nvalue; i++) {
		double factor;
		enum stack_unit of = stack_unit_of(p->unit[i], &factor);

		if (of != STACK_IN_NS && p->of == STACK_IN_NS)
			continue;
		p->value = i;
		p->of = of;
		p->factor = factor;
	}
}

/* "train (train.py:42)"; a location without lines is its address. */
static void push_line(struct pprof *p, struct span line)
{
	struct wire_field f[3], of[FUNCTION_FIELDS];
	const struct span *function;

	if (!wire_fields(line, f, COUNT_OF(f)))
		return;
	uint64_t id = wire_number(&f[1]), at = wire_number(&f[2]);
	function = valuemap_find(&p->function, &id);
	if (!function || !wire_fields(*function, of, FUNCTION_FIELDS))
		return;
	struct span name = string_at(p, wire_number(&of[FUNCTION_NAME]));
	struct span file = string_at(p, wire_number(&of[FUNCTION_FILE]));
	stack_rows_push_at(&p->rows, name, file, at ? (double)at : (double)NAN);
}

static void push_location(struct pprof *p, uint64_t id)
{
	const struct span *location = valuemap_find(&p->location, &id);
	struct span line[VALUES_MAX];
	struct wire_field f;
	uint64_t address = 0;
	size_t n = 0;
	char text[32];

	if (!location)
		return;
	for (struct wire w = wire_of(*location); wire_next(&w, &f);)
		if (wire_is(&f, LOCATION_LINE, WIRE_BYTES) && n < VALUES_MAX)
			line[n++] = f.bytes;
		else if (wire_is(&f, LOCATION_ADDRESS, WIRE_VARINT))
			address = f.value;
	if (n == 0) {
		int len = snprintf(text, sizeof(text), "0x%" PRIx64, address);

		stack_rows_push(&p->rows, (struct span){ text, (size_t)len });
	}
	while (n > 0)
		push_line(p, line[--n]);
}

static void take_sample(struct pprof *p, struct span message)
{
	uint64_t location[DEPTH_MAX], v, value = 0;
	struct wire w = wire_of(message);
	struct wire_field f;
	size_t n = 0, nvalue = 0;

	while (wire_next(&w, &f)) {
		size_t at = 0;

		if (f.number != SAMPLE_LOCATION && f.number != SAMPLE_VALUE)
			continue;
		while (wire_repeated(&f, WIRE_VARINT, &at, &v))
			if (f.number == SAMPLE_VALUE)
				value = nvalue++ == p->value ? v : value;
			else if (n < DEPTH_MAX)
				location[n++] = v;
	}
	p->damaged += w.damaged;
	stack_rows_reset(&p->rows);
	while (n > 0)
		push_location(p, location[--n]);
	if ((int64_t)value > 0)
		stack_rows_add(&p->rows, (double)value * p->factor, p->of);
}

/* What all else refers to: texts first, as they stand behind what uses them. */
static void take_tables(struct pprof *p, struct span text)
{
	struct wire_field f;

	for (struct wire w = wire_of(text); wire_next(&w, &f);)
		if (wire_is(&f, PROFILE_STRING, WIRE_BYTES))
			PUSH(p->string, p->nstring, p->string_cap, f.bytes);
	for (struct wire w = wire_of(text); wire_next(&w, &f);) {
		if (wire_is(&f, PROFILE_TYPE, WIRE_BYTES))
			take_type(p, f.bytes);
		else if (wire_is(&f, PROFILE_LOCATION, WIRE_BYTES))
			take_message(&p->location, f.bytes);
		else if (wire_is(&f, PROFILE_FUNCTION, WIRE_BYTES))
			take_message(&p->function, f.bytes);
		else if (wire_is(&f, PROFILE_DURATION, WIRE_VARINT))
			reading_number(p->in, &p->in->record->scalars, SPAN("duration"), MEASURE_NS,
				(double)f.value, SPAN(""));
	}
}

static void say(const struct pprof *p, bool is_cut, size_t bytes)
{
	SCOPED_STR text = { 0 };
	const char *between = "";

	for (size_t i = 0; i < p->nvalue; i++, between = ", ")
		str_addf(&text, "%s%.*s (%.*s)", between, (int)MIN(p->type[i].n, 64), p->type[i].p,
			(int)MIN(p->unit[i].n, 64), p->unit[i].p);
	reading_text(p->in, &p->in->record->config, SPAN("sample_types"),
		(struct span){ text.s, text.n });
	if (!is_cut && p->damaged == 0)
		return;
	reading_artifact(p->in)->is_complete = false;
	reading_note(p->in, NOTE_WARNING, "torn_line", 1, is_cut ? (int64_t)bytes : -1,
		"it is cut off or damaged: what stands before is read, names may lack");
}

static enum status read_pprof(struct reading *in, struct err *e)
{
	struct pprof *p = arena_alloc(&in->mem, sizeof(*p));
	struct wire_field f;
	struct span text;

	memset(p, 0, sizeof(*p));
	p->in = in;
	TRY(reading_all(in, &text, e));
	valuemap_init(&p->function, sizeof(uint64_t), sizeof(struct span));
	valuemap_init(&p->location, sizeof(uint64_t), sizeof(struct span));
	take_tables(p, text);
	choose_value(p);
	stack_rows_open(&p->rows, in);
	struct wire w = wire_of(text);
	while (wire_next(&w, &f))
		if (wire_is(&f, PROFILE_SAMPLE, WIRE_BYTES))
			take_sample(p, f.bytes);
	say(p, w.damaged || w.p != w.end, text.n);
	stack_rows_close(&p->rows);
	valuemap_clear(&p->function);
	valuemap_clear(&p->location);
	free(p->string);
	return OK;
}

const struct artifact artifact_pprof = {
	.name = "pprof",
	.title = "profile (pprof)",
	.summary = "profile.proto of pprof, as Go, gperftools and Parca write it",
	.probe = probe,
	.read = read_pprof,
	.none = "no sample with a stack in it",
};
