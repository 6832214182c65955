/* Reads a range's text from its end: a name may hold anything. */
#include "analyze/input/format/torch_range.h"

/* The text behind the last `mark`, which ends with "= ", cut off text with it; p NULL when there is
 * none. */
static struct span cut_last(struct span *text, struct span mark)
{
	const char *end = text->p + text->n, *equals = end;

	while (equals > text->p &&
		(equals = memrchr(text->p, '=', (size_t)(equals - text->p))) != NULL) {
		const char *value = equals + 2;

		if (value <= end && value - text->p >= (ptrdiff_t)mark.n &&
			memcmp(value - mark.n, mark.p, mark.n) == 0) {
			text->n = (size_t)(value - text->p) - mark.n;
			return (struct span){ value, (size_t)(end - value) };
		}
	}
	return (struct span){ NULL, 0 };
}

/* A number of 18 digits at most, and nothing else. */
static bool is_number(struct span t, int64_t *v)
{
	*v = 0;
	for (size_t i = 0; i < t.n; i++) {
		if (t.p[i] < '0' || t.p[i] > '9' || i >= 18)
			return false;
		*v = *v * 10 + (t.p[i] - '0');
	}
	return t.n > 0;
}

/* "[[16, 64], [], [8]]": one list of lists of numbers, and nothing behind it. */
static bool is_sizes(struct span t)
{
	static const char letters[] = "-0123456789, ";
	int depth = 0;

	for (size_t i = 0; i < t.n; i++) {
		bool opens = t.p[i] == '[', closes = t.p[i] == ']';

		if (!opens && !closes && !memchr(letters, t.p[i], sizeof(letters) - 1))
			return false;
		depth += opens - closes;
		if (depth < (i + 1 < t.n))
			return false;
	}
	return t.n >= 2 && depth == 0;
}

/* Namespaces of PyTorch's operators, where nothing else says that a range is one. */
static bool has_op_namespace(struct span name)
{
	return span_starts_in(name,
		"aten::|prims::|prim::|autograd::|c10d::|_c10d_functional::|c10d_functional::|"
		"torchvision::|quantized::|record_param_comms");
}

/* "flash_attn::_flash_attn_forward"; no region of FSDP's, "FSDP::pre_forward (layers.1)". */
static bool is_qualified(struct span name)
{
	return span_has(name, "::") && !memchr(name.p, ' ', name.n) && !span_starts(name, "FSDP::");
}

/* Cuts ", seq = 12" off; false, and nothing is cut, when it is not there or no number. */
static bool cut_number(struct span *text, struct span mark, int64_t *v)
{
	struct span rest = *text, value = cut_last(&rest, mark);

	if (!value.p || !is_number(value, v))
		return false;
	*text = rest;
	return true;
}

struct torch_range torch_range_read(struct span text)
{
	struct torch_range t = { .name = text, .sequence = -1 };
	struct span rest = text;
	int64_t id;

	if (!text.n)
		return t;
	struct span before = rest;
	struct span value = cut_last(&before, SPAN(", input_op_ids = "));
	if (value.p && value.n >= 2 && value.p[0] == '[' && value.p[value.n - 1] == ']')
		rest = before;
	before = rest;
	value = cut_last(&before, SPAN(", sizes = "));
	if (value.p && is_sizes(value)) {
		t.sizes = value;
		rest = before;
	}
	bool has_id = cut_number(&rest, SPAN(", op_id = "), &id);
	bool has_sequence = cut_number(&rest, SPAN(", seq = "), &t.sequence);
	if (!has_sequence)
		t.sequence = -1;
	if (has_id || has_sequence || t.sizes.p)
		t.name = rest;
	t.is_op = has_sequence || t.sizes.p || (has_id && is_qualified(t.name)) ||
		has_op_namespace(t.name);
	return t;
}
