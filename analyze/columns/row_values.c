/* Cells that take more than a look: arguments, steps, copies, findings. */
#include "analyze/columns/row_values.h"

static uint32_t side(const struct columns *c, uint32_t row)
{
	return ev(args, row);
}

int64_t columns_arg_i64(const struct columns *c, enum arg arg, uint32_t row)
{
	uint32_t at = side(c, row);
	int64_t v = at ? args_i64(&c->run->args, arg, at - 1) : ARG_UNKNOWN;

	return v == ARG_UNKNOWN ? SCHEMA_NO_INT : v;
}

double columns_arg_real(const struct columns *c, enum arg arg, uint32_t row)
{
	uint32_t at = side(c, row);

	return at ? args_f64(&c->run->args, arg, at - 1) : NAN;
}

int64_t columns_arg_vec(const struct columns *c, enum arg arg, uint32_t row, int k)
{
	uint32_t at = side(c, row), v[3] = { 0 };

	if (at)
		args_vec3(&c->run->args, arg, at - 1, v);
	return v[0] || v[1] || v[2] ? v[k] : SCHEMA_NO_INT;
}

/* The id of the argument that events of its kind have it in. */
static int64_t id_of(const struct columns *c, uint32_t row, const enum arg *arg, size_t n)
{
	const enum args_table t = args_table_of((enum kind)ev(kind, row));
	const size_t i = FIRST(k, n, arg_infos[arg[k]].table == t);
	uint32_t at = side(c, row);

	if (!at || i == n || !args_has(&c->run->args, arg[i]))
		return SCHEMA_NO_INT;
	uint32_t id = c->run->args.col[arg[i]].id[at - 1];
	return id ? (int64_t)ids_unpack(&c->run->ids, id) : SCHEMA_NO_INT;
}

int64_t correlation(const struct columns *c, uint32_t row)
{
	static const enum arg args[] = { ARG_LAUNCH_CORRELATION, ARG_DEVICE_CORRELATION };

	return id_of(c, row, args, COUNT_OF(args));
}

int64_t external_id(const struct columns *c, uint32_t row)
{
	static const enum arg args[] = { ARG_OP_EXTERNAL_ID, ARG_LAUNCH_EXTERNAL_ID,
		ARG_DEVICE_EXTERNAL_ID };

	const int64_t id = id_of(c, row, args, COUNT_OF(args));
	return id == SCHEMA_NO_INT && side(c, row) ? 0 : id;
}

double op_flops(const struct columns *c, uint32_t row)
{
	return args_table_of((enum kind)ev(kind, row)) == ARGS_OP
		? columns_arg_real(c, ARG_OP_FLOPS, row)
		: NAN;
}

uint32_t copy_details(const struct columns *c, uint32_t row)
{
	uint32_t at = side(c, row);

	return at ? known_name(args_sym(&c->run->args, ARG_DEVICE_COPY, at - 1)) : SCHEMA_NO_TEXT;
}

int64_t step_at(const struct columns *c, uint32_t row)
{
	const struct run *r = c->run;
	int64_t number;

	if (kind_is_device((enum kind)ev(kind, row))) {
		uint32_t of = step_of_row(r, row);

		return of == NO_ROW ? SCHEMA_NO_INT : step(of)->number;
	}
	return steps_number_at(r->steps, ev(start, row), &number) ? number : SCHEMA_NO_INT;
}

struct copy_class copy_class(const struct columns *c, uint32_t row)
{
	const struct run *r = c->run;
	uint32_t at = side(c, row);
	sym details = at ? args_sym(&r->args, ARG_DEVICE_COPY, at - 1) : 0;

	return copyclass_of_details(run_name(r, row), strings_get(&r->strings, details));
}

int64_t memory_device(const struct columns *c, uint32_t row)
{
	return columns_arg_i64(c, ARG_MEMORY_DEVICE_TYPE, row) == DEVICE_TYPE_CPU
		? SCHEMA_NO_INT
		: known(columns_arg_i64(c, ARG_MEMORY_DEVICE, row));
}

uint32_t found_text(const struct columns *c, size_t row, const char *key)
{
	struct span text = table_word(c->findings, row, key);

	return text.n ? strings_find(&c->own, text) : SCHEMA_NO_TEXT;
}

bool is_counted(const struct columns *c, size_t step)
{
	return !c->counts || c->counts[step];
}
