/* Summing up stacks. */
#include "analyze/input/artifact/stacks/stack_rows.h"

void stack_rows_open(struct stack_rows *s, struct reading *in)
{
	*s = (struct stack_rows){ .in = in };
	s->sheet = record_sheet(in->record, in->artifact, SHEET_STACKS);
	strings_init(&s->names[0], 0x737461636bu);
	strings_init(&s->names[1], 0x737461636bu);
}

void stack_rows_close(struct stack_rows *s)
{
	strings_clear(&s->names[0]);
	strings_clear(&s->names[1]);
	FREE_ALL(s->row[0], s->row[1]);
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

void stack_rows_add_text(struct stack_rows *s, struct span text, double weight, bool is_time)
{
	struct table *t = &s->sheet->table;
	struct strings *names = &s->names[is_time];
	size_t known = names->n;

	if (text.n == 0 || !isfinite(weight))
		return;
	reading_artifact(s->in)->rows++;
	size_t at = strings_intern(names, text);
	if (names->n == known) {
		if (s->row[is_time][at])
			t->cell[(s->row[is_time][at] - 1) * t->ncol + STACKS_WEIGHT].r += weight;
		return;
	}
	s->row[is_time] =
		array_grow(s->row[is_time], &s->cap[is_time], at + 1, sizeof(*s->row[is_time]));
	s->row[is_time][at] = 0;
	if (!record_row(s->sheet))
		return;
	table_text(t, STACKS_FRAMES, record_text(s->in->record, text));
	table_real(t, STACKS_WEIGHT, weight);
	table_bool(t, STACKS_IS_TIME, is_time);
	s->row[is_time][at] = t->nrow;
}

void stack_rows_add(struct stack_rows *s, double weight, bool is_time)
{
	if (s->depth > 0)
		stack_rows_add_text(s, (struct span){ s->text.s, s->text.n }, weight, is_time);
}
