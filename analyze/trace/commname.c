/* Names of communication, as a table: the first row whose word is there decides. */
#include "analyze/trace/commname.h"

enum { NAME_LOOKED_AT = 512 };

/* Where a row's word is looked for, in lower case. */
enum place {
	IN_FUNCTION, /* anywhere in the function's name and its namespaces */
	AT_WORD,     /* the same, but only where a name begins */
	IN_NAME      /* in template arguments, too */
};

static const struct row {
	enum place where;
	enum commname says;
	const char *words;
} rows[] = {
	/* Compilers name what they fuse by the ops it comes from, collectives among them. */
	{ AT_WORD, COMMNAME_COMPUTE,
		"triton_poi_|triton_red_|triton_per_|triton_tem_|triton_for_|triton_mm_|"
		"triton_spl_|triton_unk_|at::native::" },
	{ IN_FUNCTION, COMMNAME_COMPUTE, "cutlass|gemm|matmul|cub::|::cub_|thrust::" },
	/* A block's and a warp's reductions leave no device. */
	{ IN_FUNCTION, COMMNAME_COMPUTE,
		"warpallreduce|warp_all_reduce|warp_allreduce|blockallreduce|block_all_reduce|"
		"block_allreduce" },
	/* What libraries of collectives work out on one device. */
	{ IN_FUNCTION, COMMNAME_COMPUTE, "get_dispatch_layout|hybrid_ep::scan|checkfornan" },
	/* Libraries. */
	{ IN_NAME, COMMNAME_COMM,
		"nccl|rccl|mscclkernel|mscclpp|oneccl|xccl|hccl|gloo|nvshmem|rocshmem|ishmem" },
	{ AT_WORD, COMMNAME_COMM, "hcom_" },
	{ IN_FUNCTION, COMMNAME_COMM, "userbuffers_|comms::pipes" },
	/* Experts' tokens to their devices and back. */
	{ IN_FUNCTION, COMMNAME_COMM,
		"deep_ep|hybrid_ep|nixl_ep|::ep::|pplx|a2a_dispatch|a2a_combine|moea2a|"
		"moedistributedispatch|moedistributecombine" },
	{ AT_WORD, COMMNAME_COMM, "mori::|epdispatch|epcombine|ep_dispatch_|ep_combine_" },
	/* Collectives that bear their own name. */
	{ IN_FUNCTION, COMMNAME_COMM,
		"cross_device_reduce|multimem_|allreduce|all_reduce|reducescatter|reduce_scatter|"
		"allgather|all_gather|alltoall|all_to_all|all2all" },
	/* What else is known, so that no op around it makes it a collective. */
	{ IN_FUNCTION, COMMNAME_COMPUTE,
		"nvjet|xmma|cudnn|cublas|cijk_|miopen|ck_tile|gemv|flash|fmha|attention|softmax|"
		"norm|conv|elementwise|catarray|concat|copy|fill|memset|quant|permute|transpose|"
		"embedding" },
	{ AT_WORD, COMMNAME_COMPUTE, "at::" },
};

/* Ops that begin so record a collective. */
static const char records[] = "nccl:|rccl:|gloo:|xccl:|hccl:|mpi:|ucc:";
static const char on_host[] = "gloo:|mpi:";

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
	size_t i;

	for (i = 0; i < kernel.n && kernel.p[i] != '<'; i++) {
		struct span rest = { kernel.p + i, kernel.n - i };

		if (*rest.p != '(')
			continue;
		if (!span_starts_in(rest, "(anonymous namespace)|(unnamed"))
			break;
	}
	return (struct span){ kernel.p, i };
}

/* The word, where a name begins: in mangled ones behind its length. */
static bool has_word(struct span s, struct span word)
{
	bool is_mangled = span_starts(s, "_z");

	for (size_t i = 0; i + word.n <= s.n; i++) {
		char before = i ? s.p[i - 1] : ' ';

		if (memcmp(s.p + i, word.p, word.n) == 0 &&
			(before == ' ' || before == ':' ||
				(is_mangled && before >= '0' && before <= '9')))
			return true;
	}
	return false;
}

enum commname commname_of(struct span kernel)
{
	char low[NAME_LOOKED_AT];
	struct span name = span_lower(kernel, low, sizeof(low)), word;
	struct span function = commname_function(name);
	struct span_pairs pairs = span_pairs_of(name);

	name.n = FIRST_FROM(i, function.n, name.n, name.p[i] == '(');
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const char *words = rows[i].words;
		struct span s = rows[i].where == IN_NAME ? name : function;

		while (span_words(&words, &word))
			if (span_may_have(&pairs, word) &&
				(rows[i].where == AT_WORD
						? has_word(s, word)
						: memmem(s.p, s.n, word.p, word.n) != NULL))
				return rows[i].says;
	}
	return COMMNAME_NOTHING;
}

bool commname_is_record(struct span op)
{
	char low[NAME_LOOKED_AT];

	return span_is(op, "record_param_comms") ||
		span_starts_in(span_lower(op, low, sizeof(low)), records);
}

bool commname_is_on_host(struct span op)
{
	char low[NAME_LOOKED_AT];

	return span_starts_in(span_lower(op, low, sizeof(low)), on_host);
}

bool commname_is_op(struct span op)
{
	char low[NAME_LOOKED_AT];
	struct span s = span_lower(op, low, sizeof(low));

	if (span_is(op, "record_param_comms") || span_starts_in(s, records))
		return true;
	return (span_starts_in(s, families) ||
		       (span_has(s, "::") && span_has_in(s, collectives))) &&
		!span_has_in(s, no_ops);
}
