/* Uses: found in values however deep lists nest, with what the schema says of the argument. Schemas
 * are arguments between brackets, cut at commas that are in no bracket of their own. */
#include "analyze/input/exectrace/et_uses.h"

#include "analyze/input/text/num.h"

/* --- schemas --- */

/* Where the bracket that t begins with is closed, or t.n. */
static size_t closed(struct span t)
{
	size_t depth = 0;

	for (size_t i = 0; i < t.n; i++) {
		if (t.p[i] == '(' || t.p[i] == '[')
			depth++;
		else if ((t.p[i] == ')' || t.p[i] == ']') && --depth == 0)
			return i;
	}
	return t.n;
}

bool et_schema_open(struct et_schema *s, struct span text)
{
	const char *open = text.n ? memchr(text.p, '(', text.n) : NULL;

	if (!open)
		return false;
	struct span t = span_between(open, text.p + text.n);
	size_t end = closed(t);
	if (end == t.n)
		return false;
	s->args = (struct span){ t.p + 1, end - 1 };
	struct span behind = span_trim((struct span){ t.p + end + 1, t.n - end - 1 });
	return span_starts(behind, "->");
}

/* "Tensor(a!)[] self=[]" */
static struct et_arg read_arg(struct span t)
{
	struct et_arg arg = { ET_ALIAS_NONE, { t.p, 0 } };
	struct span mark = { t.p, 0 };
	size_t i, name = t.n;

	if (span_starts(t, "Tensor("))
		mark = (struct span){ t.p + 6, closed(span_from(t, 6)) };
	if (mark.n > 1)
		arg.alias = memchr(mark.p, '!', mark.n) ? ET_ALIAS_WRITE : ET_ALIAS_VIEW;
	for (i = 0; i < t.n && t.p[i] != '='; i++)
		if (t.p[i] == ' ')
			name = i + 1;
	if (name < i)
		arg.name = (struct span){ t.p + name, i - name };
	return arg;
}

/* What is in front of the next comma; false: nothing is left. */
static bool cut(struct span *list, struct span *one)
{
	size_t i = 0, depth = 0;

	if (list->n == 0)
		return false;
	for (; i < list->n && (list->p[i] != ',' || depth > 0); i++) {
		if (list->p[i] == '(' || list->p[i] == '[')
			depth++;
		else if ((list->p[i] == ')' || list->p[i] == ']') && depth > 0)
			depth--;
	}
	*one = span_trim((struct span){ list->p, i });
	i += i < list->n;
	*list = (struct span){ list->p + i, list->n - i };
	return true;
}

/* A star stands between arguments that have to be named and the others. */
static bool next(struct span *list, struct et_arg *arg)
{
	struct span one;

	do {
		if (!cut(list, &one))
			return false;
	} while (span_is(one, "*"));
	*arg = read_arg(one);
	return true;
}

bool et_schema_arg(struct et_schema *s, struct et_arg *arg)
{
	return next(&s->args, arg);
}

/* --- uses --- */

/* Lists of lists of tensors are as deep as it gets; 64 dimensions are torch's most. */
enum { NEST_MAX = 4, USES_MAX = 1 << 24, DIMS_MAX = 64, TENSOR_NUMBERS = 5 };

/* "[id, storage, offset, numel, itemsize, device]" */
struct tensor {
	int64_t storage, offset, numel, itemsize;
};

void et_uses_init(struct et_uses *u, struct exectrace *et, struct span text)
{
	*u = (struct et_uses){ .et = et, .text = text };
	keymap_init(&u->storage, sizeof(int64_t));
}

void et_uses_clear(struct et_uses *u)
{
	keymap_clear(&u->storage);
	free(u->input_of);
}

static bool read_tensor(struct json_value v, struct tensor *t)
{
	int64_t number[TENSOR_NUMBERS];
	struct span it = v.text, key;
	struct json_value item;

	for (size_t i = 0; i < TENSOR_NUMBERS; i++)
		if (!json_next(&it, &key, &item) || item.type != JSON_NUMBER ||
			!num_i64(item.text, &number[i]))
			return false;
	if (!json_next(&it, &key, &item) || item.type != JSON_STRING || json_next(&it, &key, &item))
		return false;
	*t = (struct tensor){ number[1], number[2], number[3], number[4] };
	return true;
}

/* Elements from the first to the last of a tensor, by its shape and strides; -1: not known. */
static int64_t reach(struct json_value shape, struct json_value strides)
{
	struct span a = shape.text, b = strides.text, key;
	struct json_value n, step;
	int64_t sum = 1;
	int dims = 0;

	if (shape.type != JSON_ARRAY || strides.type != JSON_ARRAY)
		return -1;
	while (json_next(&a, &key, &n)) {
		int64_t size, stride, part;

		if (!json_next(&b, &key, &step) || !num_i64(n.text, &size) ||
			!num_i64(step.text, &stride) || size < 1 || stride < 0 ||
			++dims > DIMS_MAX || mul_overflows(size - 1, stride, &part) ||
			add_overflows(sum, part, &sum))
			return -1;
	}
	return json_next(&b, &key, &step) ? -1 : sum;
}

/* Which bytes of its storage it may have. */
static void find_extent(struct et_use *use, const struct tensor *t, struct json_value shape,
	struct json_value strides)
{
	int64_t elements = reach(shape, strides), begin, end;

	use->begin = 0;
	use->end = INT64_MAX;
	if (elements < 0 || t->offset < 0 || t->itemsize < 1)
		return;
	if (mul_overflows(t->offset, t->itemsize, &begin) ||
		mul_overflows(elements, t->itemsize, &end) || add_overflows(begin, end, &end))
		return;
	use->begin = begin;
	use->end = end;
}

static uint32_t storage_of(struct et_uses *u, int64_t number)
{
	uint32_t index = keymap_add(&u->storage, &number);
	size_t was = u->cap;

	u->input_of = array_grow(u->input_of, &u->cap, u->storage.n, sizeof(*u->input_of));
	if (u->cap > was)
		memset(u->input_of + was, 0, (u->cap - was) * sizeof(*u->input_of));
	return index;
}

/* What is to be made of the tensors of one argument or result. */
struct taking {
	struct et_uses *u;
	uint8_t flags;
	bool is_result;
	struct err *e;
};

static enum status take_tensor(const struct taking *k, const struct tensor *t,
	struct json_value shape, struct json_value strides, const char *at)
{
	struct et_uses *u = k->u;
	struct exectrace *et = u->et;
	struct et_use use = { .flags = k->flags };

	if (t->storage == 0 || t->numel == 0)
		return OK;
	if (et->nuse >= USES_MAX)
		return err_set(k->e, E_LIMIT, at - u->text.p,
			"the execution trace has more than %d tensors", (int)USES_MAX);
	use.storage = storage_of(u, t->storage);
	if (k->is_result && u->input_of[use.storage] == et->n)
		return OK; /* a view of an argument, or the argument itself */
	if (!k->is_result)
		u->input_of[use.storage] = et->n;
	find_extent(&use, t, shape, strides);
	PUSH(et->use, et->nuse, et->use_cap, use);
	return OK;
}

/* The item beside one of values, of lists that are as long. */
static struct json_value beside(struct span *it)
{
	struct json_value v;
	struct span key;

	(void)json_next(it, &key, &v);
	return v;
}

static struct span inside(struct json_value v)
{
	return v.type == JSON_ARRAY ? v.text : (struct span){ "", 0 };
}

static enum status take_value(const struct taking *k, struct json_value v, struct json_value shape,
	struct json_value strides, int depth)
{
	struct span shapes = inside(shape), steps = inside(strides);
	struct tensor t;

	if (v.type != JSON_ARRAY)
		return OK;
	if (read_tensor(v, &t))
		return take_tensor(k, &t, shape, strides, v.text.p);
	if (depth >= NEST_MAX)
		return OK;
	for (struct json_items it = json_items(v); json_more(&it);) {
		struct json_value its = beside(&shapes), step = beside(&steps);

		TRY(take_value(k, it.v, its, step, depth + 1));
	}
	return OK;
}

/* Operators that write all of their first argument and read nothing of it. */
static bool is_overwriting(struct span name)
{
	return span_in(name,
		"aten::zero_|aten::fill_|aten::copy_|aten::normal_|aten::uniform_|aten::random_|"
		"aten::bernoulli_|aten::exponential_");
}

static uint8_t flags_of(const struct et_arg *arg, size_t i, bool overwrites)
{
	if (arg->alias != ET_ALIAS_WRITE)
		return ET_READS;
	if ((i == 0 && overwrites) || span_starts(arg->name, "out"))
		return ET_WRITES | ET_OVER;
	return ET_READS | ET_WRITES;
}

enum status et_uses_add(struct et_uses *u, struct span schema, const struct et_values *in,
	const struct et_values *out, struct err *e)
{
	struct exectrace *et = u->et;
	struct et_node *node = &et->node[et->n - 1];
	bool overwrites = is_overwriting(strings_get(&et->strings, node->name));
	struct taking k = { .u = u, .e = e };
	struct span values = inside(in->values), shapes = inside(in->shapes),
		    steps = inside(in->strides), key;
	struct et_schema s = { 0 };
	struct json_value v;

	node->use = et->nuse;
	node->has_schema = et_schema_open(&s, schema);
	for (size_t i = 0; json_next(&values, &key, &v); i++) {
		struct json_value shape = beside(&shapes), step = beside(&steps);
		struct et_arg arg = { 0 };

		(void)et_schema_arg(&s, &arg);
		k.flags = flags_of(&arg, i, overwrites);
		TRY(take_value(&k, v, shape, step, 0));
	}
	k.flags = ET_WRITES | ET_FRESH | ET_OVER;
	k.is_result = true;
	TRY(take_value(&k, out->values, out->shapes, out->strides, 0));
	node->nuse = et->nuse - node->use;
	return OK;
}
