/* Names of communication, as a table: the first row whose word is there decides. */
#include "analyze/trace/commname.h"

#include "base/minmax.h"

enum { NAME_LOOKED_AT = 512 };

/* Where a row's word is looked for, in lower case. */
enum place {
	IN_FUNCTION, /* anywhere in the function's name and its namespaces */
	AT_WORD,     /* the same, but only where a name begins */
	IN_NAME      /* in template arguments, too */
};

static const struct row {
	const char *word;
	enum place where;
	enum commname says;
} rows[] = {
	/* Compilers name what they fuse by the ops it comes from, collectives among them. */
	{ "triton_poi_", AT_WORD, COMMNAME_COMPUTE },
	{ "triton_red_", AT_WORD, COMMNAME_COMPUTE },
	{ "triton_per_", AT_WORD, COMMNAME_COMPUTE },
	{ "triton_tem_", AT_WORD, COMMNAME_COMPUTE },
	{ "triton_for_", AT_WORD, COMMNAME_COMPUTE },
	{ "triton_mm_", AT_WORD, COMMNAME_COMPUTE },
	{ "triton_spl_", AT_WORD, COMMNAME_COMPUTE },
	{ "triton_unk_", AT_WORD, COMMNAME_COMPUTE },
	{ "at::native::", AT_WORD, COMMNAME_COMPUTE },
	{ "cutlass", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "gemm", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "matmul", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "cub::", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "::cub_", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "thrust::", IN_FUNCTION, COMMNAME_COMPUTE },
	/* A block's and a warp's reductions leave no device. */
	{ "warpallreduce", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "warp_all_reduce", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "warp_allreduce", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "blockallreduce", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "block_all_reduce", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "block_allreduce", IN_FUNCTION, COMMNAME_COMPUTE },
	/* What libraries of collectives work out on one device. */
	{ "get_dispatch_layout", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "hybrid_ep::scan", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "checkfornan", IN_FUNCTION, COMMNAME_COMPUTE },
	/* Libraries. */
	{ "nccl", IN_NAME, COMMNAME_COMM },
	{ "rccl", IN_NAME, COMMNAME_COMM },
	{ "mscclkernel", IN_NAME, COMMNAME_COMM },
	{ "mscclpp", IN_NAME, COMMNAME_COMM },
	{ "oneccl", IN_NAME, COMMNAME_COMM },
	{ "xccl", IN_NAME, COMMNAME_COMM },
	{ "hccl", IN_NAME, COMMNAME_COMM },
	{ "hcom_", AT_WORD, COMMNAME_COMM },
	{ "gloo", IN_NAME, COMMNAME_COMM },
	{ "nvshmem", IN_NAME, COMMNAME_COMM },
	{ "rocshmem", IN_NAME, COMMNAME_COMM },
	{ "ishmem", IN_NAME, COMMNAME_COMM },
	{ "userbuffers_", IN_FUNCTION, COMMNAME_COMM },
	{ "comms::pipes", IN_FUNCTION, COMMNAME_COMM },
	/* Experts' tokens to their devices and back. */
	{ "deep_ep", IN_FUNCTION, COMMNAME_COMM },
	{ "hybrid_ep", IN_FUNCTION, COMMNAME_COMM },
	{ "nixl_ep", IN_FUNCTION, COMMNAME_COMM },
	{ "::ep::", IN_FUNCTION, COMMNAME_COMM },
	{ "mori::", AT_WORD, COMMNAME_COMM },
	{ "epdispatch", AT_WORD, COMMNAME_COMM },
	{ "epcombine", AT_WORD, COMMNAME_COMM },
	{ "ep_dispatch_", AT_WORD, COMMNAME_COMM },
	{ "ep_combine_", AT_WORD, COMMNAME_COMM },
	{ "pplx", IN_FUNCTION, COMMNAME_COMM },
	{ "a2a_dispatch", IN_FUNCTION, COMMNAME_COMM },
	{ "a2a_combine", IN_FUNCTION, COMMNAME_COMM },
	{ "moea2a", IN_FUNCTION, COMMNAME_COMM },
	{ "moedistributedispatch", IN_FUNCTION, COMMNAME_COMM },
	{ "moedistributecombine", IN_FUNCTION, COMMNAME_COMM },
	/* Collectives that bear their own name. */
	{ "cross_device_reduce", IN_FUNCTION, COMMNAME_COMM },
	{ "multimem_", IN_FUNCTION, COMMNAME_COMM },
	{ "allreduce", IN_FUNCTION, COMMNAME_COMM },
	{ "all_reduce", IN_FUNCTION, COMMNAME_COMM },
	{ "reducescatter", IN_FUNCTION, COMMNAME_COMM },
	{ "reduce_scatter", IN_FUNCTION, COMMNAME_COMM },
	{ "allgather", IN_FUNCTION, COMMNAME_COMM },
	{ "all_gather", IN_FUNCTION, COMMNAME_COMM },
	{ "alltoall", IN_FUNCTION, COMMNAME_COMM },
	{ "all_to_all", IN_FUNCTION, COMMNAME_COMM },
	{ "all2all", IN_FUNCTION, COMMNAME_COMM },
	/* What else is known, so that no op around it makes it a collective. */
	{ "nvjet", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "xmma", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "cudnn", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "cublas", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "cijk_", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "miopen", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "ck_tile", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "gemv", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "flash", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "fmha", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "attention", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "softmax", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "norm", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "conv", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "elementwise", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "catarray", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "concat", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "copy", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "fill", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "memset", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "quant", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "permute", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "transpose", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "embedding", IN_FUNCTION, COMMNAME_COMPUTE },
	{ "at::", AT_WORD, COMMNAME_COMPUTE },
};

/* Ops that begin so record a collective. */
static const char records[] = "nccl:|rccl:|gloo:|xccl:|hccl:|mpi:|ucc:";

/* Ops of these begin so, and all of them communicate. */
static const char families[] =
	"c10d::|_c10d_functional::|c10d_functional::|_c10d_functional_autograd::|symm_mem::|"
	"_c_custom_ar::|deep_ep|mori::";

/* An op that anybody's library may have is one when it is called so. */
static const char collectives[] =
	"all_reduce|allreduce|all_gather|allgather|reduce_scatter|all_to_all|alltoall";

/* They do more, or nothing on a device. */
static const char no_ops[] = "matmul|gemm|_mm|wait_tensor|aten::";

struct span commname_function(struct span kernel)
{
	static const char *const groups[] = { "(anonymous namespace)", "(unnamed" };
	size_t i;

	for (i = 0; i < kernel.n && kernel.p[i] != '<'; i++) {
		struct span rest = { kernel.p + i, kernel.n - i };

		if (*rest.p != '(')
			continue;
		if (!span_starts(rest, groups[0]) && !span_starts(rest, groups[1]))
			break;
	}
	return (struct span){ kernel.p, i };
}

static struct span lower(struct span name, char *low)
{
	struct span s = { low, MIN(name.n, NAME_LOOKED_AT) };

	for (size_t i = 0; i < s.n; i++) {
		char c = name.p[i];

		low[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
	}
	return s;
}

/* The word, where a name begins: in mangled ones behind its length. */
static bool has_word(struct span s, const char *word)
{
	bool is_mangled = span_starts(s, "_z");
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= s.n; i++) {
		char before = i ? s.p[i - 1] : ' ';

		if (memcmp(s.p + i, word, n) == 0 &&
			(before == ' ' || before == ':' ||
				(is_mangled && before >= '0' && before <= '9')))
			return true;
	}
	return false;
}

enum commname commname_of(struct span kernel)
{
	char low[NAME_LOOKED_AT];
	struct span name = lower(kernel, low), function = commname_function(name);
	struct span_pairs pairs = span_pairs_of(name);
	size_t i;

	for (i = function.n; i < name.n && name.p[i] != '('; i++)
		;
	name.n = i;
	for (i = 0; i < COUNT_OF(rows); i++) {
		const struct row *r = &rows[i];

		if (!span_may_have(&pairs, r->word))
			continue;
		if (r->where == AT_WORD ? has_word(function, r->word)
					: span_has(r->where == IN_NAME ? name : function, r->word))
			return r->says;
	}
	return COMMNAME_NOTHING;
}

bool commname_is_record(struct span op)
{
	char low[NAME_LOOKED_AT];

	return span_is(op, "record_param_comms") || span_starts_in(lower(op, low), records);
}

bool commname_is_op(struct span op)
{
	char low[NAME_LOOKED_AT];
	struct span s = lower(op, low);

	if (span_is(op, "record_param_comms") || span_starts_in(s, records))
		return true;
	return (span_starts_in(s, families) ||
		       (span_has(s, "::") && span_has_in(s, collectives))) &&
		!span_has_in(s, no_ops);
}
