/*
 * Texts to typed values: ids, integers, reals, names, grids.  A value that is none is unknown.
 */
#include "analyze/input/values.h"

#include "analyze/input/batch.h"
#include "analyze/input/num.h"
#include "analyze/input/plan.h"
#include "analyze/input/raw.h"
#include "base/compiler.h"

static uint32_t id_value(struct batch *b, struct span t)
{
	uint64_t v;

	return num_u64(t, &v) ? ids_pack(&b->ids, v) : 0;
}

/* "[128, 1, 1]" */
static void vec3_value(struct span t, uint32_t v[3])
{
	size_t i, k = 0;
	bool in = false;

	v[0] = v[1] = v[2] = 0;
	for (i = 0; i < t.n && k < 3; i++) {
		if (t.p[i] >= '0' && t.p[i] <= '9') {
			v[k] = v[k] * 10 + (uint32_t)(t.p[i] - '0');
			in = true;
		} else if (in) {
			k++;
			in = false;
		}
	}
}

static void store_arg(struct batch *b, const struct raw_event *raw, uint8_t key, enum arg arg,
	size_t row, int64_t offset)
{
	union arg_column c = b->args.col[arg];
	struct span t = raw->arg[key];

	switch (arg_infos[arg].type) {
	case ARG_ID: c.id[row] = id_value(b, t); break;
	case ARG_SYM:
		if (raw->quoted >> key & 1)
			c.sym[row] = batch_string(b, t, raw->escaped >> key & 1, offset);
		else
			c.sym[row] = span_is(t, "null") ? 0 : batch_json(b, t, offset);
		break;
	case ARG_VEC3: vec3_value(t, c.vec3[row]); break;
	case ARG_I64:
		if (!num_i64(t, &c.i64[row]))
			c.i64[row] = ARG_UNKNOWN;
		break;
	case ARG_F64: (void)num_f64(t, &c.f64[row]); break;
	}
}

uint32_t values_row(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	enum kind kind, int64_t offset)
{
	enum args_table t = args_table_of(kind);
	size_t row = b->args.n[t];
	unsigned i;

	if (t == ARGS_NONE || !(raw->found & plan->keys[t]))
		return NO_ARGS;
	args_reserve(&b->args, t, 1);
	b->args.n[t]++;
	for (i = 0; i < plan->ncolumn[t]; i++) {
		const struct plan_column *c = &plan->column[t][i];
		uint8_t key = raw_found(raw, c->key) ? c->key : c->other_key;

		if (raw_found(raw, key))
			store_arg(b, raw, key, (enum arg)c->arg, row, offset);
		else
			args_unknown(&b->args, (enum arg)c->arg, row);
	}
	return (uint32_t)row + 1;
}
