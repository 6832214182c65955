/* A value of one number or text goes to the emitter as it is; dictionaries and arrays become JSON
 * as Kineto writes it, ", " and ": " between, so that texts of the same shapes are the same. */
#include "analyze/input/format/proto/proto_notes.h"

#include <stdio.h>

#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/proto/interned.h"
#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/wire.h"
#include "analyze/input/text/num.h"

/* --- JSON of nested values --- */

void notes_quote(struct str *to, struct span t)
{
	str_addc(to, '"');
	for (size_t i = 0; i < t.n; i++) {
		unsigned char c = (unsigned char)t.p[i];

		if (c == '"' || c == '\\')
			str_addc(to, '\\');
		if (c == '\n')
			str_adds(to, "\\n");
		else if (c < 0x20)
			str_addf(to, "\\u%04x", c); /* lint: allow text: JSON that is an argument */
		else
			str_addc(to, (char)c);
	}
	str_addc(to, '"');
}

void notes_real(struct str *to, double v)
{
	char text[40];
	double back;

	if (!isfinite(v)) {
		str_adds(to, isnan(v) ? "NaN" : v < 0 ? "-Infinity" : "Infinity");
		return;
	}
	int n = snprintf(text, sizeof(text), "%.15g", v);
	if (!num_f64((struct span){ text, (size_t)n }, &back) || back != v)
		(void)snprintf(text, sizeof(text), "%.17g", v);
	str_adds(to, text);
}

static const struct interned *find(struct notes *n, uint32_t field, uint64_t iid)
{
	const struct interned *e = n->book ? interned_find(n->book, field, iid, n->place) : NULL;

	n->is_unknown |= !e;
	return e;
}

static struct span string_of(struct notes *n, uint64_t iid)
{
	const struct interned *e = find(n, INTERNED_STRING, iid);

	return e ? e->text : (struct span){ "", 0 };
}

static struct span name_of(struct notes *n, const struct wire_field *f)
{
	if (f->type == WIRE_BYTES)
		return f->bytes;
	const struct interned *e = find(n, INTERNED_NOTE_NAME, f->value);
	return e ? e->text : (struct span){ "", 0 };
}

static bool is_name(const struct wire_field *f)
{
	return wire_is(f, NOTE_NAME, WIRE_BYTES) || wire_is(f, NOTE_NAME_IID, WIRE_VARINT);
}

/* A field that is a value of its own; false: it is none. */
static bool put_scalar(struct notes *n, const struct wire_field *f)
{
	struct str *to = &n->json;

	switch (f->number) {
	case NOTE_BOOL: str_adds(to, f->value ? "true" : "false"); return true;
	case NOTE_UINT:
	case NOTE_POINTER: str_addf(to, "%" PRIu64, f->value); return true;
	case NOTE_INT: str_addf(to, "%" PRId64, wire_int64(f)); return true;
	case NOTE_DOUBLE: notes_real(to, wire_double(f)); return true;
	case NOTE_STRING: notes_quote(to, f->bytes); return true;
	case NOTE_JSON: str_add(to, f->bytes.p, f->bytes.n); return true;
	case NOTE_STRING_IID: notes_quote(to, string_of(n, f->value)); return true;
	default: return false;
	}
}

static void put_value(struct notes *n, struct span note, unsigned depth);

/* The old spelling of nested values: keys and values beside each other. */
/* NOLINTNEXTLINE(misc-no-recursion): NOTES_DEPTH */
static void put_nested(struct notes *n, struct span value, unsigned depth)
{
	struct wire w = wire_of(value), keys = wire_of(value);
	struct wire_field f, key;
	uint64_t type = 0;
	size_t count = 0;

	if (depth > NOTES_DEPTH) {
		n->is_too_deep = true;
		return;
	}
	if (wire_find(value, NESTED_TYPE, WIRE_VARINT, &f))
		type = f.value;
	if (type)
		str_addc(&n->json, type == NESTED_IS_DICT ? '{' : '[');
	while (wire_next(&w, &f)) {
		bool member = type == NESTED_IS_DICT && wire_is(&f, NESTED_MEMBER, WIRE_BYTES);
		bool element = type == NESTED_IS_ARRAY && wire_is(&f, NESTED_ELEMENT, WIRE_BYTES);

		if (member || element) {
			str_adds(&n->json, count++ ? ", " : "");
			while (member && wire_next(&keys, &key))
				if (wire_is(&key, NESTED_KEY, WIRE_BYTES)) {
					notes_quote(&n->json, key.bytes);
					str_adds(&n->json, ": ");
					break;
				}
			put_nested(n, f.bytes, depth + 1);
		} else if (!type && wire_is(&f, NESTED_INT, WIRE_VARINT)) {
			str_addf(&n->json, "%" PRId64, wire_int64(&f));
		} else if (!type && wire_is(&f, NESTED_DOUBLE, WIRE_FIXED64)) {
			notes_real(&n->json, wire_double(&f));
		} else if (!type && wire_is(&f, NESTED_BOOL, WIRE_VARINT)) {
			str_adds(&n->json, f.value ? "true" : "false");
		} else if (!type && wire_is(&f, NESTED_STRING, WIRE_BYTES)) {
			notes_quote(&n->json, f.bytes);
		}
	}
	if (type)
		str_addc(&n->json, type == NESTED_IS_DICT ? '}' : ']');
	n->is_damaged |= w.damaged;
}

/* The entry of a dictionary. */
/* NOLINTNEXTLINE(misc-no-recursion): NOTES_DEPTH */
static void put_entry(struct notes *n, struct span note, unsigned depth)
{
	struct wire w = wire_of(note);
	struct span name = { "", 0 };
	struct wire_field f;

	while (wire_next(&w, &f))
		if (is_name(&f))
			name = name_of(n, &f);
	notes_quote(&n->json, name);
	str_adds(&n->json, ": ");
	put_value(n, note, depth);
}

/* An annotation's value as JSON; one without any is an array of nothing. */
/* NOLINTNEXTLINE(misc-no-recursion): NOTES_DEPTH */
static void put_value(struct notes *n, struct span note, unsigned depth)
{
	struct wire w = wire_of(note);
	struct wire_field f;
	char open = 0;
	bool any = false;

	if (depth > NOTES_DEPTH) {
		n->is_too_deep = true;
		str_adds(&n->json, "null");
		return;
	}
	while (wire_next(&w, &f)) {
		bool entry = wire_is(&f, NOTE_DICT, WIRE_BYTES);

		if (entry || wire_is(&f, NOTE_ARRAY, WIRE_BYTES)) {
			if (!open)
				str_addc(&n->json, open = entry ? '{' : '[');
			else
				str_adds(&n->json, ", ");
			if (entry && open == '{')
				put_entry(n, f.bytes, depth + 1);
			else
				put_value(n, f.bytes, depth + 1);
		} else if (wire_is(&f, NOTE_NESTED, WIRE_BYTES) && !open && !any) {
			put_nested(n, f.bytes, depth + 1);
			any = true;
		} else if (!open && !any) {
			any = put_scalar(n, &f);
		}
	}
	n->is_damaged |= w.damaged;
	if (open)
		str_addc(&n->json, open == '{' ? '}' : ']');
	else if (!any)
		str_adds(&n->json, "[]");
}

void notes_member(struct notes *n, struct span note, struct str *to)
{
	str_reset(&n->json);
	put_entry(n, note, 0);
	str_add(to, n->json.s, n->json.n);
}

/* --- arguments --- */

static struct key key_of(struct notes *n, const struct wire_field *f)
{
	if (f->type == WIRE_BYTES)
		return keys_find(n->keys, f->bytes);
	const struct interned *e = find(n, INTERNED_NOTE_NAME, f->value);
	return e ? e->key : (struct key){ .plan = PLAN_NO_KEY };
}

/* A text; PyTorch writes null as the word.  ROCm's tools say agents as "GPU-1". */
static void emit_string(struct notes *n, uint8_t key, struct span text)
{
	if (span_is(text, "null")) {
		emit_json(n->m, key, text);
		return;
	}
	if (key == n->m->plan->key_device)
		while (text.n && !is_digit(text.p[0]) && text.p[0] != '-')
			text = (struct span){ text.p + 1, text.n - 1 };
	emit_text(n->m, key, text);
}

static void emit_value(struct notes *n, uint8_t key, struct span note, const struct wire_field *f)
{
	switch (f->number) {
	case NOTE_INT: emit_int(n->m, key, wire_int64(f)); break;
	case NOTE_UINT:
	case NOTE_POINTER: emit_uint(n->m, key, f->value); break;
	case NOTE_DOUBLE: emit_real(n->m, key, wire_double(f)); break;
	case NOTE_STRING: emit_string(n, key, f->bytes); break;
	case NOTE_STRING_IID: emit_string(n, key, string_of(n, f->value)); break;
	case NOTE_BOOL: emit_json(n->m, key, f->value ? SPAN("true") : SPAN("false")); break;
	default:
		str_reset(&n->json);
		put_value(n, note, 0);
		emit_json(n->m, key, emit_keep(n->m, (struct span){ n->json.s, n->json.n }));
		break;
	}
}

static bool is_value(const struct wire_field *f)
{
	switch (f->number) {
	case NOTE_BOOL:
	case NOTE_UINT:
	case NOTE_INT:
	case NOTE_POINTER:
	case NOTE_STRING_IID: return f->type == WIRE_VARINT;
	case NOTE_DOUBLE: return f->type == WIRE_FIXED64;
	case NOTE_STRING:
	case NOTE_NESTED:
	case NOTE_JSON:
	case NOTE_DICT:
	case NOTE_ARRAY: return f->type == WIRE_BYTES;
	default: return false;
	}
}

unsigned notes_emit(struct notes *n, struct span note)
{
	struct wire w = wire_of(note);
	struct wire_field f, value = { .number = 0 };
	struct key key = { .plan = PLAN_NO_KEY };

	while (wire_next(&w, &f)) {
		if (is_name(&f)) {
			key = key_of(n, &f);
			if (key.plan == PLAN_NO_KEY)
				return key.says;
		} else if (is_value(&f) && !value.number) {
			value = f;
			if (key.plan != PLAN_NO_KEY)
				break;
		}
	}
	n->is_damaged |= w.damaged;
	if (key.plan != PLAN_NO_KEY && !w.damaged)
		emit_value(n, key.plan, note, &value);
	return key.says;
}

static bool is_whole(const struct wire_field *f)
{
	return f->number == NOTE_INT || f->number == NOTE_UINT || f->number == NOTE_POINTER;
}

static const char *behind_varint(const char *p)
{
	while ((unsigned char)*p >= 0x80) /* lint: allow loops: wire_next has read it */
		p++;
	return p + 1;
}

void notes_number(struct notes *n, struct span note, struct note_number *to)
{
	struct wire w = wire_of(note);
	const char *from = w.p;
	struct wire_field f;

	*to = (struct note_number){ .key = { .plan = PLAN_NO_KEY } };
	for (; wire_next(&w, &f); from = w.p) {
		if (is_name(&f)) {
			to->key = key_of(n, &f);
			to->behind_name = w.p;
			if (to->key.plan == PLAN_NO_KEY)
				return;
		} else if (is_value(&f)) {
			if (to->behind_name && is_whole(&f)) {
				to->at = behind_varint(from); /* the tag */
				to->n = (size_t)(w.p - to->at);
			}
			return;
		}
	}
}
