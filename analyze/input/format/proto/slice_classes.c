/* Rules from the most telling to the least. */
#include "analyze/input/format/proto/slice_classes.h"

/* Texts with the padding that raw events want. */
#define CLASS(text) ((struct span){ text "                ", sizeof(text) - 1 })

/* What record_function and PyTorch's own regions are called. */
static bool is_region(struct span name)
{
	return span_starts_in(name,
		"ProfilerStep#|Optimizer.|## |nccl:|gloo:|mpi:|ucc:|enumerate(DataLoader)|"
		"DistributedDataParallel.");
}

/* "Backward", "AddmmBackward0" */
static bool is_backward(struct span name)
{
	while (name.n && is_digit(name.p[name.n - 1]))
		name.n--;
	return span_ends(name, "Backward");
}

/* Operators without shapes: by their namespace, or known by name. */
static bool is_operator(struct span name)
{
	for (size_t i = 0; i + 1 < name.n && name.p[i] != ' '; i++)
		if (name.p[i] == ':' && name.p[i + 1] == ':')
			return i > 0;
	return span_in(name, "detach|detach_|record_param_comms|_grad_sum_to_size") ||
		is_backward(name) ||
		span_starts_in(
			name, "AOTDispatcher|Torch-Compiled Region|TorchDynamo|Pregraph bytecode");
}

static struct span device_class(unsigned says, struct span name)
{
	if (says & SAYS_SYNC)
		return CLASS("cuda_sync");
	if (span_starts(name, "Memcpy"))
		return CLASS("gpu_memcpy");
	if (span_starts(name, "Memset"))
		return CLASS("gpu_memset");
	if (says & (SAYS_CORRELATION | SAYS_LAUNCH))
		return CLASS("kernel");
	return CLASS("gpu_user_annotation");
}

static bool is_overhead(struct span name, const struct track *t)
{
	return span_in(name,
		       "Activity Buffer Request|Buffer Flush|Instrumentation|Command Buffer Full|"
		       "Lazy Function Loading|Resource") ||
		t->is_overhead;
}

struct span class_of(unsigned says, struct span name, const struct track *t)
{
	if ((says & SAYS_SYNC) || t->is_stream ||
		(says & (SAYS_STREAM | SAYS_CORRELATION)) == (SAYS_STREAM | SAYS_CORRELATION)) {
		if (!(says & (SAYS_OPERATOR | SAYS_CALL | SAYS_PYTHON)))
			return device_class(says, name);
	}
	if (says & SAYS_PYTHON)
		return CLASS("python_function");
	if (says & (SAYS_CALL | SAYS_CORRELATION)) {
		if (span_starts(name, "cu") && name.n > 2 && name.p[2] >= 'A' && name.p[2] <= 'Z')
			return CLASS("cuda_driver");
		return CLASS("cuda_runtime");
	}
	if (says & (SAYS_HOST | SAYS_OPERATOR)) {
		if (is_region(name))
			return CLASS("user_annotation");
		return (says & SAYS_OPERATOR) || is_operator(name) ? CLASS("cpu_op")
								   : CLASS("user_annotation");
	}
	return is_overhead(name, t) ? CLASS("overhead") : (struct span){ NULL, 0 };
}

struct span class_spelling(struct span category, struct span name)
{
	static const struct {
		const char *category;
		struct span class;
	} same[] = {
		{ "kernel_dispatch", { "kernel                ", 6 } },
		{ "hip_api", { "hip_runtime                ", 11 } },
		{ "marker_api", { "user_annotation                ", 15 } },
	};

	if (category.n < 7 || !memchr("hkm", category.p[0], 3))
		return category; /* most of them */
	for (size_t i = 0; i < COUNT_OF(same); i++)
		if (span_is(category, same[i].category))
			return same[i].class;
	if (span_is(category, "memory_copy"))
		return span_has_nocase(name, "memset") ? CLASS("gpu_memset") : CLASS("gpu_memcpy");
	return category;
}
