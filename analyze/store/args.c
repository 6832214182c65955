/*
 * Side tables of arguments: columns by the list in the header, kept only when asked for.
 */
#include "analyze/store/args.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

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

const char *arg_alias(enum arg arg)
{
	return aliases[arg];
}

enum args_table args_table_of(enum kind k)
{
	static const unsigned char table[KIND_COUNT] = {
		[KIND_OTHER] = ARGS_OP,
		[KIND_OP] = ARGS_OP,
		[KIND_ANNOTATION] = ARGS_OP,
		[KIND_PYTHON] = ARGS_OP,
		[KIND_RUNTIME] = ARGS_LAUNCH,
		[KIND_KERNEL] = ARGS_DEVICE,
		[KIND_MEMCPY] = ARGS_DEVICE,
		[KIND_MEMSET] = ARGS_DEVICE,
		[KIND_SYNC] = ARGS_DEVICE,
		[KIND_GPU_ANNOTATION] = ARGS_DEVICE,
		[KIND_MEMORY] = ARGS_MEMORY,
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

void args_init(struct args *a, unsigned needs)
{
	*a = (struct args){ .needs = needs };
}

void args_clear(struct args *a)
{
	size_t i;

	for (i = 0; i < ARG_COUNT; i++)
		free(a->col[i].any);
	*a = (struct args){ 0 };
}

bool args_keeps(const struct args *a, enum arg arg)
{
	return (arg_infos[arg].need & a->needs) != 0;
}

void args_reserve(struct args *a, enum args_table t, size_t more)
{
	size_t need = a->n[t] + more, cap = a->cap[t], i;

	if (need <= cap)
		return;
	for (i = 0; i < ARG_COUNT; i++) {
		if (arg_infos[i].table != t || !args_keeps(a, (enum arg)i))
			continue;
		cap = a->cap[t];
		a->col[i].any = array_grow(a->col[i].any, &cap, need, arg_size(arg_infos[i].type));
	}
	a->cap[t] = cap > need ? cap : need;
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
	set_unknown(a->col[arg], arg_infos[arg].type, row);
}

uint32_t args_row(struct args *a, enum args_table t)
{
	size_t row = a->n[t], i;

	args_reserve(a, t, 1);
	for (i = 0; i < ARG_COUNT; i++)
		if (arg_infos[i].table == t && a->col[i].any)
			set_unknown(a->col[i], arg_infos[i].type, row);
	a->n[t]++;
	return (uint32_t)row + 1;
}
