/* Functions of sampled stacks. */
#include "analyze/measure/host/sampled.h"

bool sampled_weight(const struct sheet *s, size_t row, enum stack_unit unit, double *weight)
{
	if (!span_is(table_text_at(&s->table, row, STACKS_UNIT), stack_unit_word[unit]))
		return false;
	*weight = table_number_at(&s->table, row, STACKS_WEIGHT);
	return *weight > 0;
}

static bool has_unit(const struct sheet *s, enum stack_unit unit)
{
	double weight;

	return ANY(i, s->table.nrow, sampled_weight(s, i, unit, &weight));
}

const struct sheet *sampled_sheet(
	const struct record *r, const struct sheet *after, enum stack_unit unit)
{
	bool is_behind = after == NULL;

	for (size_t i = 0; r && i < r->nsheet; i++) {
		const struct sheet *s = r->sheet[i];

		if (is_behind && s->kind == SHEET_STACKS && has_unit(s, unit))
			return s;
		is_behind = is_behind || s == after;
	}
	return NULL;
}

bool sampled_frame(struct span *stack, struct span *frame)
{
	if (stack->n == 0)
		return false;
	const char *end = memchr(stack->p, ';', stack->n);
	*frame = (struct span){ stack->p, end ? (size_t)(end - stack->p) : stack->n };
	stack->p += frame->n + (end != NULL);
	stack->n -= frame->n + (end != NULL);
	return true;
}

/* "forward (model.py:17)" is a line of "forward (model.py)"; a text that ends in no line is whole.
 */
static struct span without_line(struct span frame, struct str *b)
{
	size_t i = frame.n;

	if (i < 2 || frame.p[i - 1] != ')')
		return frame;
	i--;
	while (i > 0 && frame.p[i - 1] >= '0' && frame.p[i - 1] <= '9')
		i--;
	if (i == 0 || i == frame.n - 1 || frame.p[i - 1] != ':')
		return frame;
	str_reset(b);
	str_add(b, frame.p, i - 1);
	str_addc(b, ')');
	return (struct span){ b->s, b->n };
}

struct entry {
	struct sampled_function f;
	size_t seen; /* 1 + the last row it was in */
};

struct summing {
	struct strings names;
	struct entry *v; /* by sym */
	size_t cap;
	struct str text;
};

static sym function_of(struct summing *s, struct span frame)
{
	sym name = strings_intern(&s->names, without_line(frame, &s->text));
	size_t before = s->cap;

	s->v = array_grow(s->v, &s->cap, (size_t)name + 1, sizeof(*s->v));
	if (s->cap > before)
		memset(s->v + before, 0, (s->cap - before) * sizeof(*s->v));
	return name;
}

static void add_stack(struct summing *s, struct span stack, size_t row, double weight)
{
	struct span frame;
	sym name = 0;

	while (sampled_frame(&stack, &frame)) {
		name = function_of(s, frame);
		if (s->v[name].seen == row + 1)
			continue;
		s->v[name].seen = row + 1;
		s->v[name].f.total += weight;
	}
	if (name)
		s->v[name].f.self += weight;
}

ORDER(by_weight, struct sampled_function, compare3_down(a->self, b->self),
	compare3_down(a->total, b->total), span_cmp(a->name, b->name))

static void take(const struct summing *s, struct arena *mem, struct sampled *out)
{
	out->v = arena_array(mem, s->names.n, sizeof(*out->v));
	for (size_t i = 1; i < s->names.n; i++) {
		struct span name = strings_get(&s->names, (sym)i);

		out->v[out->n] = s->v[i].f;
		out->v[out->n++].name = (struct span){ arena_copy(mem, name.p, name.n), name.n };
	}
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_weight);
}

void sampled_functions(
	const struct sheet *s, enum stack_unit unit, struct arena *mem, struct sampled *out)
{
	struct summing sum = { 0 };
	double weight;

	*out = (struct sampled){ 0 };
	strings_init(&sum.names, 0);
	for (size_t i = 0; i < s->table.nrow; i++) {
		if (!sampled_weight(s, i, unit, &weight))
			continue;
		out->all += weight;
		add_stack(&sum, table_text_at(&s->table, i, STACKS_FRAMES), i, weight);
	}
	take(&sum, mem, out);
	strings_clear(&sum.names);
	str_free(&sum.text);
	free(sum.v);
}
