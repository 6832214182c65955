/* Collectives by name and by arguments, and the arithmetic of nccl-tests. */
#include "analyze/measure/comm/commclass.h"

#include "analyze/trace/commname.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"

enum { NAME_LOOKED_AT = 512, DTYPE_MAX = 32 };

static const char *const words[COMM_OP_COUNT] = {
#define X(name, word) word,
	COMM_OPS(X)
#undef X
};

/* Looked for in the name without underscores, blanks and dashes, in lower case; the first one
 * counts, so longer words stand before those they hold. */
static const struct meaning spellings[] = {
	{ span_has_in, "reducescatter", COMM_REDUCE_SCATTER },
	{ span_has_in, "allreduce|crossdevicereduce", COMM_ALL_REDUCE },
	{ span_has_in, "allgather", COMM_ALL_GATHER },
	{ span_has_in, "dispatch", COMM_DISPATCH },
	{ span_has_in, "combine", COMM_COMBINE },
	{ span_has_in, "alltoall|all2all", COMM_ALL_TO_ALL },
	{ span_has_in, "sendrecv", COMM_SEND_RECV },
	{ span_has_in, "broadcast", COMM_BROADCAST },
	/* DeepEP's cleaning waits for all ranks twice. */
	{ span_has_in, "barrier|cleanlowlatencybuffer|devicesync|cachednotify", COMM_BARRIER },
	{ span_has_in, "gather", COMM_GATHER },
	{ span_has_in, "scatter", COMM_SCATTER },
	{ span_has_in, "reduce", COMM_REDUCE },
	{ span_has_in, "recv", COMM_RECV },
	{ span_has_in, "send", COMM_SEND },
};

/* Lower case, without what separates words; p has room for name.n bytes up to `size`. */
static struct span pack(struct span name, char *p, size_t size)
{
	struct span s = { p, 0 };

	for (size_t i = 0; i < name.n && s.n < size; i++) {
		char c = name.p[i];

		if (c != '_' && c != ' ' && c != '-')
			p[s.n++] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
	}
	return s;
}

enum comm_op commclass_of(struct span name)
{
	char packed[NAME_LOOKED_AT];
	/* A kernel's parameters say nothing: ncclDevKernel_Generic(ncclDevComm*, ...). */
	struct span s = pack(commname_function(name), packed, sizeof(packed));

	return (enum comm_op)MEANING_OF(s, spellings, COMM_UNKNOWN);
}

const char *commclass_word(enum comm_op op)
{
	return words[op];
}

/* Bytes of types, without "c10::", "_" and a final "_t"; what is sent most stands first. */
static const struct meaning dtypes[] = {
	{ span_in, "bfloat16|bf16|bfp16|half|float16|fp16|f16|short|shortint|int16|i16|uint16|u16",
		2 },
	{ span_in, "float|float32|fp32|f32|int|int32|i32|uint32|u32|complexhalf", 4 },
	{ span_in, "double|float64|f64|long|longint|int64|i64|uint64|u64|complexfloat|complex64",
		8 },
	{ span_in,
		"byte|char|unsignedchar|signedchar|int8|i8|uint8|u8|bool|float8e4m3fn|"
		"float8e5m2|float8e4m3fnuz|float8e5m2fnuz|f8e4m3|f8e5m2|fp8e4m3|fp8e5m2",
		1 },
	{ span_in, "complexdouble|complex128", 16 },
};

int commclass_dtype_bytes(struct span dtype)
{
	char packed[DTYPE_MAX];
	struct span s = pack(dtype, packed, sizeof(packed));

	if (span_starts(s, "c10::")) {
		s.p += 5;
		s.n -= 5;
	}
	if (span_starts(s, "torch.")) {
		s.p += 6;
		s.n -= 6;
	}
	if (dtype.n > 2 && dtype.n < DTYPE_MAX && dtype.p[dtype.n - 2] == '_' &&
		dtype.p[dtype.n - 1] == 't')
		s.n--; /* int8_t, uint64_t */
	return MEANING_OF(s, dtypes, -1);
}

static bool is_word_end(char c)
{
	return c == '_' || c == '(' || c == '<' || c == ' ';
}

/*
 * NCCL names reducing kernels by operation and type: ..._Sum_bf16_RING_LL, ..._LL_Sum_float(...).
 */
struct span commclass_dtype_of_kernel(struct span name)
{
	static const char *const ops[] = {
		"_Sum_",
		"_Prod_",
		"_MinMax_",
		"_Min_",
		"_Max_",
		"_PreMulSum_",
		"_SumPostDiv_",
	};
	enum comm_op op = commclass_of(name);

	if (op != COMM_ALL_REDUCE && op != COMM_REDUCE && op != COMM_REDUCE_SCATTER)
		return (struct span){ 0 };
	for (size_t at = 0; at < name.n && name.p[at] != '('; at++)
		for (size_t i = 0; i < COUNT_OF(ops); i++) {
			struct span rest = { name.p + at, name.n - at };
			size_t skip = span_of(ops[i]).n, n = 0;

			if (!span_starts(rest, ops[i]))
				continue;
			rest.p += skip;
			rest.n -= skip;
			while (n < rest.n && !is_word_end(rest.p[n]))
				n++;
			if (n + 1 < rest.n && rest.p[n] == '_' && rest.p[n + 1] == 't')
				n += 2; /* int8_t */
			rest.n = n;
			return commclass_dtype_bytes(rest) > 0 ? rest : (struct span){ 0 };
		}
	return (struct span){ 0 };
}

int64_t commclass_elements(enum comm_op op, int64_t in, int64_t out)
{
	bool has_in = in >= 0, has_out = out >= 0;

	switch (op) {
	case COMM_ALL_GATHER:
	case COMM_REDUCE_SCATTER:
	case COMM_GATHER:
	case COMM_SCATTER: /* one side is of one rank, the other of all */
		if (has_in && has_out)
			return MAX(in, out);
		return ARG_UNKNOWN;
	case COMM_RECV: return has_out ? out : has_in ? in : ARG_UNKNOWN;
	case COMM_BARRIER:
	case COMM_UNKNOWN: return ARG_UNKNOWN;
	default: return has_in ? in : has_out ? out : ARG_UNKNOWN;
	}
}

double commclass_bus_factor(enum comm_op op, int64_t ranks)
{
	double n = (double)ranks;

	switch (op) {
	case COMM_ALL_REDUCE: return ranks >= 1 ? 2 * (n - 1) / n : NAN;
	case COMM_ALL_GATHER:
	case COMM_REDUCE_SCATTER:
	case COMM_ALL_TO_ALL:
	case COMM_GATHER:
	case COMM_SCATTER: return ranks >= 1 ? (n - 1) / n : NAN;
	case COMM_BROADCAST:
	case COMM_REDUCE:
	case COMM_SEND:
	case COMM_RECV:
	case COMM_SEND_RECV: return 1;
	default: return NAN;
	}
}

enum { BUS_SHIFT = 30 }; /* fractions of a byte */

/* Above that many a number of ranks is none, and products would not fit. */
enum { RANKS_MAX = 1 << 24 };

comm_bus commclass_bus(enum comm_op op, int64_t ranks, int64_t bytes)
{
	double factor = commclass_bus_factor(op, ranks);

	if (bytes == ARG_UNKNOWN || bytes < 0 || isnan(factor) || ranks > RANKS_MAX)
		return COMM_BUS_UNKNOWN;
	comm_bus all = (comm_bus)bytes << BUS_SHIFT;
	if (op == COMM_ALL_REDUCE)
		return 2 * all * (ranks - 1) / ranks;
	return ranks >= 1 && factor < 1 ? all * (ranks - 1) / ranks : all;
}

double commclass_bus_bytes(comm_bus sum)
{
	return (double)sum / (double)(1 << BUS_SHIFT);
}

double commclass_bus_rate(comm_bus sum, nsec ns)
{
	return commclass_bus_bytes(sum) * 1e9 / (double)ns;
}

/* Where a collective's arguments may stand: in the device's side table, or the op's. */
struct source {
	enum arg name, dtype, in, out, ranks, group;
};
static const struct source of_device = { ARG_DEVICE_COLLECTIVE, ARG_DEVICE_DTYPE,
	ARG_DEVICE_IN_ELEMENTS, ARG_DEVICE_OUT_ELEMENTS, ARG_DEVICE_GROUP_SIZE,
	ARG_DEVICE_GROUP_NAME };
static const struct source of_op = { ARG_OP_COLLECTIVE, ARG_OP_DTYPE, ARG_OP_IN_ELEMENTS,
	ARG_OP_OUT_ELEMENTS, ARG_OP_GROUP_SIZE, ARG_OP_GROUP_NAME };

/* The op that launched the device row, or NO_ROW. */
static uint32_t op_of(const struct run *r, uint32_t side)
{
	return side == NO_ARGS || !r->links ? NO_ROW : r->links->op[side - 1];
}

/* Reads one row of a side table; false when it says nothing of a collective. */
static bool read_args(
	struct comm_call *c, const struct run *r, const struct source *from, size_t side)
{
	const struct args *a = &r->args;
	sym name = args_sym(a, from->name, side);

	if (!name)
		return false;
	c->has_args = true;
	c->op = commclass_of(strings_get(&r->strings, name));
	c->dtype = args_sym(a, from->dtype, side);
	c->group = args_sym(a, from->group, side);
	c->in_elements = args_i64(a, from->in, side);
	c->out_elements = args_i64(a, from->out, side);
	c->ranks = args_i64(a, from->ranks, side);
	return true;
}

static void count_bytes(struct comm_call *c)
{
	int64_t elements = commclass_elements(c->op, c->in_elements, c->out_elements);
	int bytes = commclass_dtype_bytes(c->dtype_text);

	if (elements < 0 || bytes < 0 || mul_overflows(elements, bytes, &c->bytes))
		c->bytes = ARG_UNKNOWN;
}

struct comm_call commclass_call(const struct run *r, uint32_t row)
{
	struct comm_call c = { .in_elements = ARG_UNKNOWN,
		.out_elements = ARG_UNKNOWN,
		.ranks = ARG_UNKNOWN,
		.bytes = ARG_UNKNOWN };
	struct span kernel = run_name(r, row);
	uint32_t side = r->events.args[row];
	bool is_op = args_table_of((enum kind)r->events.kind[row]) == ARGS_OP;
	uint32_t op = is_op ? row : op_of(r, side);

	if (is_op && side != NO_ARGS)
		(void)read_args(&c, r, &of_op, side - 1);
	else if (side != NO_ARGS && !read_args(&c, r, &of_device, side - 1) && op != NO_ROW &&
		args_table_of((enum kind)r->events.kind[op]) == ARGS_OP &&
		r->events.args[op] != NO_ARGS)
		(void)read_args(&c, r, &of_op, r->events.args[op] - 1);
	if (c.op == COMM_UNKNOWN)
		c.op = commclass_of(kernel);
	if (c.op == COMM_UNKNOWN && op != NO_ROW && commname_is_op(run_name(r, op)))
		c.op = commclass_of(run_name(r, op));
	c.dtype_text =
		c.dtype ? strings_get(&r->strings, c.dtype) : commclass_dtype_of_kernel(kernel);
	count_bytes(&c);
	return c;
}
