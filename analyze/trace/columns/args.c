/* Side tables of arguments: columns by the list in the header, kept only when asked for. */
#include "analyze/trace/columns/args.h"

#include "base/base.h"

const struct arg_info arg_infos[ARG_COUNT] = {
#define X(name, key, table, type, need) { key, ARGS_##table, ARG_##type, NEED_##need },
	ARGS(X)
#undef X
};

static const char *const aliases[ARG_COUNT] = {
#define X(name, key) [ARG_##name] = key,
	ARG_ALIASES(X)
#undef X
};

static const unsigned kinds[ARG_COUNT] = { /* 0: all of its table */
#define X(name, which) [ARG_##name] = which,
	ARG_KINDS(X)
#undef X
};

/* Combinations of the sets; without padding, since they are compared as bytes. */
struct kernel_values {
	uint32_t grid[3], block[3];
	int64_t registers, shared;
	double blocks_per_sm, occupancy;
};
struct comm_values {
	sym collective, dtype;
	int64_t in_elements, out_elements, group_size;
	sym group_name, unused;
};
struct peers_values {
	sym desc, ranks, in_split, out_split;
	int64_t source, destination;
};
struct stack_values {
	sym stack, modules;
};
struct call_values {
	sym dims, types, strides, concrete;
};
_Static_assert(sizeof(struct kernel_values) == 6 * 4 + 4 * 8, "no padding");
_Static_assert(sizeof(struct comm_values) == 4 * 4 + 3 * 8, "no padding");
_Static_assert(sizeof(struct peers_values) == 4 * 4 + 2 * 8, "no padding");
_Static_assert(sizeof(struct kernel_values) <= SET_MAX_BYTES, "room for one");

#define KERNEL_VALUES       struct kernel_values
#define OP_STACK_VALUES     struct stack_values
#define OP_CALL_VALUES      struct call_values
#define OP_COMM_VALUES      struct comm_values
#define DEVICE_COMM_VALUES  struct comm_values
#define OP_PEERS_VALUES     struct peers_values
#define DEVICE_PEERS_VALUES struct peers_values

static const struct {
	unsigned char set, at;
} places[ARG_COUNT] = {
#define X(name, set, member) [ARG_##name] = { SET_##set, offsetof(set##_VALUES, member) },
	ARG_SETS(X)
#undef X
};

static const struct kernel_values no_kernel = {
	.registers = ARG_UNKNOWN, .shared = ARG_UNKNOWN, .blocks_per_sm = NAN, .occupancy = NAN
};
static const struct comm_values no_comm = {
	.in_elements = ARG_UNKNOWN, .out_elements = ARG_UNKNOWN, .group_size = ARG_UNKNOWN
};

static const struct peers_values no_peers = { .source = ARG_UNKNOWN, .destination = ARG_UNKNOWN };
static const struct stack_values no_stack;
static const struct call_values no_call;

static const struct {
	enum args_table table;
	unsigned need;
	const void *nothing;
	size_t size;
} sets[SET_COUNT] = {
	[SET_KERNEL] = { ARGS_DEVICE, NEED_KERNEL, &no_kernel, sizeof(no_kernel) },
	[SET_OP_COMM] = { ARGS_OP, NEED_COMM, &no_comm, sizeof(no_comm) },
	[SET_OP_CALL] = { ARGS_OP, NEED_SHAPES | NEED_TYPES | NEED_INPUTS, &no_call,
		sizeof(no_call) },
	[SET_OP_STACK] = { ARGS_OP, NEED_STACKS, &no_stack, sizeof(no_stack) },
	[SET_DEVICE_COMM] = { ARGS_DEVICE, NEED_COMM, &no_comm, sizeof(no_comm) },
	[SET_OP_PEERS] = { ARGS_OP, NEED_PEERS, &no_peers, sizeof(no_peers) },
	[SET_DEVICE_PEERS] = { ARGS_DEVICE, NEED_PEERS, &no_peers, sizeof(no_peers) },
};

enum args_set arg_set(enum arg arg)
{
	return (enum args_set)places[arg].set;
}

size_t arg_offset(enum arg arg)
{
	return places[arg].at;
}

const char *arg_alias(enum arg arg)
{
	return aliases[arg];
}

bool arg_is_of(enum arg arg, enum kind k)
{
	return arg_infos[arg].table == args_table_of(k) &&
		(!kinds[arg] || (kinds[arg] & KIND_BIT(k)));
}

enum args_table args_table_of(enum kind k)
{
	static const unsigned char table[KIND_COUNT] = {
		[KIND_OTHER] = ARGS_OP,
		[KIND_OP] = ARGS_OP,
		[KIND_ANNOTATION] = ARGS_OP,
		[KIND_PYTHON] = ARGS_PYTHON,
		[KIND_RUNTIME] = ARGS_LAUNCH,
		[KIND_KERNEL] = ARGS_DEVICE,
		[KIND_MEMCPY] = ARGS_DEVICE,
		[KIND_MEMSET] = ARGS_DEVICE,
		[KIND_SYNC] = ARGS_DEVICE,
		[KIND_GPU_ANNOTATION] = ARGS_DEVICE,
		[KIND_MEMORY] = ARGS_MEMORY,
		[KIND_COUNTER] = ARGS_COUNTER,
	};

	return (enum args_table)table[k];
}

size_t arg_size(enum arg_type type)
{
	switch (type) {
	case ARG_ID:
	case ARG_SYM: return sizeof(uint32_t);
	case ARG_VEC3: return sizeof(uint32_t[3]);
	case ARG_I64:
	case ARG_F64: break;
	}
	return sizeof(int64_t);
}

/* Number 0 of a set is the combination of which nothing is known. */
static void add_nothing(struct arg_set *set, enum args_set which)
{
	(void)keymap_add(&set->values, sets[which].nothing);
}

/* True when values of that set are kept. */
static bool args_keeps_set(const struct args *a, enum args_set set)
{
	return (sets[set].need & a->needs) != 0;
}

/* Columns that are there before a value of them is known: ids, and those of other tables. */
static void know_usual(struct args *a)
{
	memset(a->is_known, 0, sizeof(a->is_known));
	for (size_t i = 0; i < ARG_COUNT; i++)
		a->is_known[i] = args_keeps(a, (enum arg)i) && arg_set((enum arg)i) == SET_NONE &&
			(arg_infos[i].type == ARG_ID ||
				(arg_infos[i].table != ARGS_OP &&
					arg_infos[i].table != ARGS_DEVICE));
	for (size_t i = 0; i < SET_COUNT; i++)
		a->set[i].is_known = false;
}

void args_init(struct args *a, unsigned needs)
{
	*a = (struct args){ .needs = needs };
	know_usual(a);
	for (unsigned s = SET_NONE + 1; s < SET_COUNT; s++)
		if (args_keeps_set(a, (enum args_set)s)) {
			keymap_init(&a->set[s].values, sets[s].size);
			add_nothing(&a->set[s], (enum args_set)s);
		}
}

void args_clear(struct args *a)
{
	for (size_t i = 0; i < ARG_COUNT; i++)
		free(a->col[i].any);
	for (size_t i = 0; i < SET_COUNT; i++) {
		free(a->set[i].of);
		keymap_clear(&a->set[i].values);
	}
	*a = (struct args){ 0 };
}

void args_empty(struct args *a)
{
	memset(a->n, 0, sizeof(a->n));
	know_usual(a);
	for (unsigned s = SET_NONE + 1; s < SET_COUNT; s++)
		if (args_keeps_set(a, (enum args_set)s)) {
			keymap_empty(&a->set[s].values);
			add_nothing(&a->set[s], (enum args_set)s);
		}
}

bool args_has(const struct args *a, enum arg arg)
{
	return a->is_known[arg] || (a->set[arg_set(arg)].is_known && args_keeps(a, arg));
}

bool args_keeps(const struct args *a, enum arg arg)
{
	return (arg_infos[arg].need & a->needs) != 0;
}

enum args_table args_table_of_set(enum args_set set)
{
	return sets[set].table;
}

const void *args_nothing(enum args_set set, size_t *size)
{
	*size = sets[set].size;
	return sets[set].nothing;
}

/* Whether an argument has a column of its own in that table. */
static bool has_column(const struct args *a, size_t arg, enum args_table t)
{
	return arg_infos[arg].table == t && arg_set((enum arg)arg) == SET_NONE &&
		args_keeps(a, (enum arg)arg);
}

void args_reserve(struct args *a, enum args_table t, size_t more)
{
	size_t need = a->n[t] + more, cap = a->cap[t];

	if (need <= cap)
		return;
	need = MAX(cap + cap / 2, need);
	for (size_t i = 0; i < ARG_COUNT; i++) {
		if (!has_column(a, i, t) || (!a->col[i].any && !a->is_known[i]))
			continue;
		cap = a->cap[t];
		a->col[i].any = array_grow(a->col[i].any, &cap, need, arg_size(arg_infos[i].type));
	}
	for (size_t i = SET_NONE + 1; i < SET_COUNT; i++) {
		if (sets[i].table != t || !a->set[i].of)
			continue;
		cap = a->cap[t];
		a->set[i].of = array_grow(a->set[i].of, &cap, need, sizeof(*a->set[i].of));
	}
	a->cap[t] = need;
}

uint32_t *args_know_set(struct args *a, enum args_set set)
{
	enum args_table t = sets[set].table;
	struct arg_set *s = &a->set[set];
	size_t cap = 0;

	if (LIKELY(s->is_known))
		return s->of;
	if (!s->of)
		s->of = array_grow(NULL, &cap, a->cap[t], sizeof(*s->of));
	memset(s->of, 0, a->n[t] * sizeof(*s->of));
	s->is_known = true;
	return s->of;
}

static void set_unknown(union arg_column c, enum arg_type type, size_t row)
{
	switch (type) {
	case ARG_ID:
	case ARG_SYM: c.id[row] = 0; break;
	case ARG_VEC3: memset(c.vec3[row], 0, sizeof(c.vec3[row])); break;
	case ARG_I64: c.i64[row] = ARG_UNKNOWN; break;
	case ARG_F64: c.f64[row] = NAN; break;
	}
}

void args_unknown(struct args *a, enum arg arg, size_t row)
{
	if (a->is_known[arg])
		set_unknown(a->col[arg], arg_infos[arg].type, row);
}

void args_know(struct args *a, enum arg arg)
{
	enum args_table t = arg_infos[arg].table;
	size_t size = arg_size(arg_infos[arg].type), cap = 0;

	if (a->is_known[arg])
		return;
	if (!a->col[arg].any)
		a->col[arg].any = array_grow(NULL, &cap, a->cap[t], size);
	a->is_known[arg] = true;
	for (size_t i = 0; i < a->n[t]; i++)
		set_unknown(a->col[arg], arg_infos[arg].type, i);
}

uint32_t args_row(struct args *a, enum args_table t)
{
	size_t row = a->n[t];

	args_reserve(a, t, 1);
	for (size_t i = 0; i < ARG_COUNT; i++)
		if (a->is_known[i] && arg_infos[i].table == t)
			args_unknown(a, (enum arg)i, row);
	for (size_t i = SET_NONE + 1; i < SET_COUNT; i++)
		if (sets[i].table == t && a->set[i].is_known)
			a->set[i].of[row] = 0;
	a->n[t]++;
	return (uint32_t)row + 1;
}

/* Where a kept value is. */
static const void *value_of(const struct args *a, enum arg arg, size_t row)
{
	const struct arg_set *set = &a->set[arg_set(arg)];

	if (arg_set(arg) == SET_NONE)
		return (const char *)a->col[arg].any + row * arg_size(arg_infos[arg].type);
	return (const char *)keymap_key(&set->values, set->of[row]) + arg_offset(arg);
}

int64_t args_i64(const struct args *a, enum arg arg, size_t row)
{
	return args_has(a, arg) ? *(const int64_t *)value_of(a, arg, row) : ARG_UNKNOWN;
}

double args_f64(const struct args *a, enum arg arg, size_t row)
{
	return args_has(a, arg) ? *(const double *)value_of(a, arg, row) : NAN;
}

sym args_sym(const struct args *a, enum arg arg, size_t row)
{
	return args_has(a, arg) ? *(const sym *)value_of(a, arg, row) : 0;
}

void args_vec3(const struct args *a, enum arg arg, size_t row, uint32_t v[3])
{
	if (args_has(a, arg))
		memcpy(v, value_of(a, arg, row), sizeof(uint32_t[3]));
	else
		memset(v, 0, sizeof(uint32_t[3]));
}

bool args_any_text(const struct args *a, enum arg arg)
{
	const struct arg_set *set = &a->set[arg_set(arg)];
	size_t n = arg_set(arg) == SET_NONE ? a->n[arg_infos[arg].table] : set->values.n;

	for (size_t i = 0; args_has(a, arg) && i < n; i++) {
		const char *value = arg_set(arg) == SET_NONE
			? (const char *)&a->col[arg].sym[i]
			: (const char *)keymap_key(&set->values, (uint32_t)i) + arg_offset(arg);

		if (*(const sym *)(const void *)value)
			return true;
	}
	return false;
}

void args_change(struct args *a, enum arg arg, size_t row, union arg_value value)
{
	size_t size = arg_size(arg_infos[arg].type);
	struct arg_set *set = &a->set[arg_set(arg)];
	unsigned char values[SET_MAX_BYTES];

	if (arg_set(arg) == SET_NONE) {
		args_know(a, arg);
		memcpy((char *)a->col[arg].any + row * size, &value, size);
		return;
	}
	(void)args_know_set(a, arg_set(arg));
	memcpy(values, keymap_key(&set->values, set->of[row]), set->values.size);
	memcpy(values + arg_offset(arg), &value, size);
	set->of[row] = keymap_add(&set->values, values);
}
