/* Taking documents apart. */
#include "analyze/trace/figure.h"
#include "analyze/input/artifact/jsondoc.h"

#include "analyze/input/artifact/logs/log_row.h"
#include "analyze/input/text/jsondoc_check.h"
#include "analyze/input/text/num.h"
#include "base/base.h"
#include "base/utf8.h"

enum status jsondoc_read(struct reading *in, struct json_value *doc, struct err *e)
{
	struct span text, rest;
	size_t end;

	TRY(reading_all(in, &text, e));
	TRY(jsondoc_check(text, &end, e));
	*doc = json_value((struct span){ text.p, end }, &rest);
	end = FIRST_FROM(i, end, text.n, (unsigned char)text.p[i] > 0x20);
	if (end < text.n)
		reading_note(in, NOTE_WARNING, "trailing_garbage", 1, (int64_t)end,
			"text after the end of the document; ignored");
	return OK;
}

/* "tensor(0.5)", "np.float64(0.5)", "tensor(0.5, device='cuda:0')": what Python prints. */
static bool printed_number(struct span t, double *d)
{
	struct span type, inside;

	return span_bracketed(t, '(', &type, &inside) && span_starts_in(t, "tensor(|np.|array(") &&
		real_of(span_before(inside, ','), d);
}

bool jsondoc_number(struct json_value v, double *d)
{
	if (v.type != JSON_NUMBER && v.type != JSON_STRING && v.type != JSON_WORD)
		return false;
	if (v.type == JSON_WORD && span_in(v.text, "null|None"))
		return false;
	return real_of(v.text, d) || printed_number(v.text, d);
}

struct span jsondoc_text(struct reading *in, struct json_value v)
{
	if (v.escaped)
		v.text = json_unescape(v.text, &in->mem, NULL);
	return record_text(in->record, v.text);
}

struct span jsondoc_key(struct reading *in, struct span prefix, struct span key)
{
	if (memchr(key.p, '\\', key.n))
		key = json_unescape(key, &in->mem, NULL);
	if (prefix.n == 0)
		return key;
	prefix.n = MIN(prefix.n, JSONDOC_KEY);
	key.n = MIN(key.n, JSONDOC_KEY);
	size_t n = prefix.n + 1 + key.n;
	char *joined = arena_alloc(&in->mem, n);
	memcpy(joined, prefix.p, prefix.n);
	joined[prefix.n] = '.';
	memcpy(joined + prefix.n + 1, key.p, key.n);
	return utf8_cut((struct span){ joined, n }, JSONDOC_KEY);
}

struct json_value jsondoc_at(struct json_value object, const char *path)
{
	char part[128];
	size_t n = strcspn(path, ".");

	if (n >= sizeof(part) || object.type != JSON_OBJECT)
		return (struct json_value){ JSON_NONE, { "", 0 }, false };
	memcpy(part, path, n);
	part[n] = '\0';
	object = json_get(object, part);
	return path[n] ? jsondoc_at(object, path + n + 1) : object;
}

void jsondoc_cell(struct table *t, size_t col, double v, enum measure m)
{
	v = measure_base(m, v);
	if (t->col[col].type == CELL_REAL)
		table_real(t, col, v);
	else if (t->col[col].type == CELL_BOOL)
		table_bool(t, col, v != 0);
	else if (t->col[col].type == CELL_INT && fabs(v) < 9e18)
		table_int(t, col, saturate_round(v));
}

void jsondoc_fields(struct reading *in, struct table *t, const struct field *f, size_t n,
	struct json_value object)
{
	for (EACH(const struct field, field, f, n)) {
		struct json_value v = jsondoc_at(object, field->key);
		size_t col = field->col;
		double d;

		if (v.type == JSON_NONE || span_is(v.text, "null"))
			continue;
		if (t->col[col].type == CELL_TEXT)
			table_text(t, col, jsondoc_text(in, v));
		else if (v.type == JSON_WORD && span_in(v.text, "true|false"))
			jsondoc_cell(t, col, span_is(v.text, "true"), MEASURE_NONE);
		else if (jsondoc_number(v, &d))
			jsondoc_cell(t, col, d, field->measure);
	}
}

struct span jsondoc_key_of_title(struct span title, const char *end, struct arena *mem)
{
	char *text = arena_printf(mem, "%.*s%s", (int)title.n, title.p, end);

	for (char *p = text; *p; p++)
		*p = *p == ' ' ? '_' : *p >= 'A' && *p <= 'Z' ? (char)(*p | 0x20) : *p;
	return span_of(text);
}

void jsondoc_scalar(struct reading *in, struct scalars *to, struct span key, struct json_value v)
{
	struct scalar s = { .key = key,
		.type = SCALAR_TEXT,
		.measure = measure_of_key(key),
		.artifact = in->artifact };
	bool is_word = v.type == JSON_WORD;

	s.text = v.escaped ? json_unescape(v.text, &in->mem, NULL) : v.text;
	if (is_word && span_in(v.text, "true|True|false|False"))
		s = (struct scalar){ key, SCALAR_BOOL, span_is_nocase(v.text, "true"), v.text,
			MEASURE_NONE, in->artifact };
	else if (is_word && span_in(v.text, "null|None"))
		s.type = SCALAR_NULL;
	else if (jsondoc_number(v, &s.number))
		s.type = SCALAR_NUMBER;
	record_scalar(in->record, to, &s);
}

static bool is_null(struct json_value v)
{
	return v.type == JSON_WORD && span_is(v.text, "null");
}

void jsondoc_series(struct series *s, struct json_value list)
{
	double x = 0, y = 0;

	for (struct json_items it = json_items(list); json_more(&it); x++) {
		bool is_known = jsondoc_number(it.v, &y);

		reading_point(s, x, is_known, y);
	}
}

/* One list of samples; group < 0: not inside another list.  step: NaN when not known. */
static void add_samples(
	struct sheet *s, struct span name, int64_t group, struct json_value list, double step)
{
	int64_t member = 0;
	double d;

	for (struct json_items it = json_items(list); json_more(&it); member++) {
		if (!record_row(s))
			continue;
		table_text(&s->table, SAMPLES_NAME, name);
		table_real(&s->table, SAMPLES_STEP, step);
		if (group >= 0)
			table_int(&s->table, SAMPLES_GROUP, group);
		table_int(&s->table, SAMPLES_MEMBER, member);
		if (jsondoc_number(it.v, &d))
			table_real(&s->table, SAMPLES_VALUE, d);
	}
}

void jsondoc_samples(struct sheet *s, struct span name, struct json_value list, double step)
{
	struct json_items first = json_items(list);
	int64_t group = 0;

	if (json_more(&first) && first.v.type != JSON_ARRAY) {
		add_samples(s, name, -1, list, step);
		return;
	}
	for (struct json_items it = json_items(list); json_more(&it); group++)
		if (it.v.type == JSON_ARRAY)
			add_samples(s, name, group, it.v, step);
}

/* A list of texts: joined by ", ". */
static void flatten_texts(
	struct reading *in, struct scalars *to, struct span key, struct json_value list)
{
	SCOPED_STR b = { 0 };

	for (struct json_items it = json_items(list); json_more(&it) && b.n < RECORD_TEXT;) {
		struct span t = jsondoc_text(in, it.v);

		if (b.n)
			str_adds(&b, ", ");
		str_add(&b, t.p, t.n);
	}
	reading_text(in, to, key, (struct span){ b.n ? b.s : "", b.n });
}

static void flatten_list(
	struct reading *in, struct scalars *to, struct span key, struct json_value list)
{
	struct span it = list.text, none;
	struct json_value v;
	double d;

	while (json_next(&it, &none, &v) && is_null(v))
		;
	if (v.type == JSON_ARRAY) {
		jsondoc_samples(reading_sheet(in, SHEET_SAMPLES), record_text(in->record, key),
			list, (double)NAN);
	} else if (v.type == JSON_OBJECT) {
		jsondoc_rows(in, key, list);
	} else if (jsondoc_number(v, &d) || is_null(v) || v.type == JSON_NONE) {
		jsondoc_series(reading_series(in, key, SPAN(""), AXIS_ROW, MEASURE_NONE), list);
	} else {
		flatten_texts(in, to, key, list);
	}
}

void jsondoc_members(struct reading *in, struct scalars *to, struct span key,
	struct json_value object, const char *skip)
{
	struct arena_mark mark = arena_mark(&in->mem);

	for (struct json_items it = json_members(object); json_more(&it);) {
		if (!skip || !span_in(jsondoc_key(in, SPAN(""), it.key), skip))
			jsondoc_flatten(in, to, jsondoc_key(in, key, it.key), it.v);
		arena_reset(&in->mem, mark);
	}
}

void jsondoc_flatten(struct reading *in, struct scalars *to, struct span key, struct json_value v)
{
	switch (v.type) {
	case JSON_NONE: break;
	case JSON_OBJECT: jsondoc_members(in, to, key, v, NULL); break;
	case JSON_ARRAY: flatten_list(in, to, key, v); break;
	default: jsondoc_scalar(in, to, key, v); break;
	}
}

/* Numbers of a row, nested objects included, as points at x. */
static void add_row(struct reading *in, struct span prefix, struct json_value row, double x,
	enum axis axis, unsigned depth)
{
	struct arena_mark mark = arena_mark(&in->mem);
	double y = 0;

	for (struct json_items it = json_items(row); json_more(&it); arena_reset(&in->mem, mark)) {
		it.key = jsondoc_key(in, prefix, it.key);
		if (it.v.type == JSON_OBJECT && depth < 8)
			add_row(in, it.key, it.v, x, axis, depth + 1);
		if (is_null(it.v) || jsondoc_number(it.v, &y))
			reading_point(reading_series(in, it.key, SPAN(""), axis, MEASURE_NONE), x,
				!is_null(it.v), y);
	}
}

void jsondoc_rows(struct reading *in, struct span prefix, struct json_value list)
{
	int64_t n = 0;

	for (struct json_items it = json_items(list); json_more(&it); n++) {
		double x = (double)n;
		enum axis axis = AXIS_ROW;

		if (it.v.type != JSON_OBJECT)
			continue;
		if (steps_key_find(it.v, &x))
			axis = AXIS_STEP;
		add_row(in, prefix, it.v, x, axis, 0);
	}
	reading_artifact(in)->rows += n;
}
