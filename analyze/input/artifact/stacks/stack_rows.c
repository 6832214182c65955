/* Summing up stacks. */
#include <stdio.h>

#include "analyze/input/artifact/stacks/stack_rows.h"

enum { NAME_BYTES = 1024 };

void stack_rows_open(struct stack_rows *s, struct reading *in)
{
	*s = (struct stack_rows){ .in = in };
	s->sheet = record_sheet(in->record, in->artifact, SHEET_STACKS);
	for (size_t i = 0; i < STACK_UNITS; i++)
		strings_init(&s->names[i], 0x737461636bu);
}

void stack_rows_close(struct stack_rows *s)
{
	for (size_t i = 0; i < STACK_UNITS; i++) {
		strings_clear(&s->names[i]);
		free(s->row[i]);
	}
	str_free(&s->text);
}

void stack_rows_reset(struct stack_rows *s)
{
	s->depth = s->deeper = 0;
	str_reset(&s->text);
}

void stack_rows_push(struct stack_rows *s, struct span frame)
{
	if (s->depth == STACK_DEPTH || s->text.n + frame.n + 1 > RECORD_TEXT) {
		s->deeper++;
		return;
	}
	s->end[s->depth++] = s->text.n;
	if (s->text.n)
		str_addc(&s->text, ';');
	for (size_t i = 0; i < frame.n; i++)
		str_addc(&s->text, frame.p[i] == ';' ? ':' : frame.p[i]);
}

void stack_rows_pop(struct stack_rows *s)
{
	if (s->deeper > 0) {
		s->deeper--;
	} else if (s->depth > 0) {
		s->text.n = s->end[--s->depth];
	}
}

void stack_rows_push_at(struct stack_rows *s, struct span name, struct span file, double line)
{
	char text[2 * NAME_BYTES + 64];
	int n = snprintf(text, sizeof(text), "%.*s", (int)MIN(name.n, NAME_BYTES), name.p);

	if (name.n == 0)
		n = snprintf(text, sizeof(text), "(anonymous)");
	if (file.n > 0)
		n += snprintf(text + n, sizeof(text) - (size_t)n,
			isnan(line) ? " (%.*s)" : " (%.*s:%.0f)", (int)MIN(file.n, NAME_BYTES),
			file.p, line);
	stack_rows_push(s, (struct span){ text, (size_t)n });
}

void stack_rows_add_text(
	struct stack_rows *s, struct span text, double weight, enum stack_unit unit)
{
	struct table *t = &s->sheet->table;
	struct strings *names = &s->names[unit];
	size_t known = names->n;

	if (text.n == 0 || !isfinite(weight))
		return;
	reading_artifact(s->in)->rows++;
	size_t at = strings_intern(names, text);
	if (names->n == known) {
		if (s->row[unit][at])
			t->cell[(s->row[unit][at] - 1) * t->ncol + STACKS_WEIGHT].r += weight;
		return;
	}
	s->row[unit] = array_grow(s->row[unit], &s->cap[unit], at + 1, sizeof(*s->row[unit]));
	s->row[unit][at] = 0;
	if (!record_row(s->sheet))
		return;
	table_text(t, STACKS_FRAMES, record_text(s->in->record, text));
	table_real(t, STACKS_WEIGHT, weight);
	table_text(t, STACKS_UNIT, span_of(stack_unit_word[unit]));
	s->row[unit][at] = t->nrow;
}

void stack_rows_add(struct stack_rows *s, double weight, enum stack_unit unit)
{
	if (s->depth > 0)
		stack_rows_add_text(s, (struct span){ s->text.s, s->text.n }, weight, unit);
}

enum stack_unit stack_unit_of(struct span word, double *factor)
{
	static const struct {
		const char *words;
		enum stack_unit unit;
		double factor;
	} units[] = { { "nanoseconds", STACK_IN_NS, 1 }, { "microseconds", STACK_IN_NS, 1e3 },
		{ "milliseconds", STACK_IN_NS, 1e6 }, { "seconds", STACK_IN_NS, 1e9 },
		{ "bytes", STACK_IN_BYTES, 1 }, { "kilobytes", STACK_IN_BYTES, 1 << 10 },
		{ "megabytes", STACK_IN_BYTES, 1 << 20 },
		{ "gigabytes", STACK_IN_BYTES, 1 << 30 } };
	size_t i = FIRST(k, COUNT_OF(units), span_in(word, units[k].words));

	*factor = i < COUNT_OF(units) ? units[i].factor : 1;
	return i < COUNT_OF(units) ? units[i].unit : STACK_IN_SAMPLES;
}

struct span stack_unescaped(struct reading *in, struct span t)
{
	static const struct meaning names[] = { { span_starts_in, "&lt;", '<' },
		{ span_starts_in, "&gt;", '>' }, { span_starts_in, "&amp;", '&' },
		{ span_starts_in, "&quot;|&#34;", '"' },
		{ span_starts_in, "&#39;|&#x27;|&apos;", '\'' } };
	char *out = arena_alloc(&in->mem, t.n + 1);
	size_t n = 0;

	while (t.n) {
		int c = MEANING_OF(t, names, -1);

		out[n++] = c < 0 ? t.p[0] : (char)c;
		t = span_from(t, c < 0 ? 1 : span_before(t, ';').n + 1);
	}
	return (struct span){ out, n };
}
