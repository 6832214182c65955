/* Words of who made the devices: no advice names another maker's tools, libraries or devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/judge/judge.h"
#include "analyze/rule/list.h"
#include "analyze/trace/makers.h"

/* PyTorch calls AMD's GPUs so, and RCCL listens to NCCL's variable. */
static const char torchs[] = "torch.cuda|'cuda'|NCCL_DEBUG=INFO";
static const char nvidias[] =
	"nvidia|CUDA|cuda|nsys|Nsight|NVTX|nvtx|NVLink|NCCL|cuDNN|cuBLAS|CUPTI";

static void is_nobody_elses(enum maker maker, const char *text)
{
	SCOPED_ARENA mem = { 0 };
	struct span said;

	if (!text)
		return;
	said = span_of(maker_words(maker, &mem, text));
	while (said.n) {
		struct span word = said;

		said = span_from(said, 1);
		if (maker == MAKER_AMD && span_starts_in(word, torchs)) {
			said = span_from(word, 10);
			continue;
		}
		if (span_starts(word, "RCCL"))
			said = span_from(word, 4);
		else if (span_starts_in(word, nvidias))
			fail_msg("%s: of maker %d: %s", text, (int)maker, word.p);
	}
}

static void no_advice_names_another_makers(void **state)
{
	const unsigned all = READS_RUN | READS_RECORD | READS_SERIES | READS_QUALITY | READS_PAIR;

	(void)state;
	for (int maker = MAKER_NVIDIA + 1; maker < MAKER_COUNT; maker++) {
		const struct rule *rule;

		for (size_t i = 0; (rule = rules_at(all, i)); i++) {
			is_nobody_elses((enum maker)maker, rule->advice);
			is_nobody_elses((enum maker)maker, rule->plain_advice);
			is_nobody_elses((enum maker)maker, rule->word.text);
		}
		for (int change = 0; change < JUDGE_COUNT; change++)
			is_nobody_elses(
				(enum maker)maker, judge_doc((enum judge_change)change)->advice);
#define X(nvidia, ...)          \
	if (maker != MAKER_AMD) \
		is_nobody_elses((enum maker)maker, nvidia);
		MAKER_WORDS(X)
#undef X
	}
}

static void makers_are_known_by_device_or_profiler(void **state)
{
	static const struct {
		const char *device, *producer;
		enum maker maker;
	} right[] = {
		{ "NVIDIA H100 80GB HBM3", "PyTorch (Kineto)", MAKER_NVIDIA },
		{ "AMD Instinct MI300X", "PyTorch (Kineto)", MAKER_AMD },
		{ "", "rocprofv3", MAKER_AMD },
		{ "", "Intel unitrace", MAKER_INTEL },
		{ "Intel Gaudi 3", "", MAKER_HABANA },
		{ "Ascend910B4", "Ascend (torch_npu)", MAKER_ASCEND },
		{ "TPU v4", "JAX/TensorFlow (XPlane)", MAKER_GOOGLE },
		{ "", "JAX/TensorFlow", MAKER_COUNT },
		{ "", "PyTorch (Kineto)", MAKER_COUNT },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(right); i++)
		assert_int_equal(maker_named(span_of(right[i].device), span_of(right[i].producer)),
			right[i].maker);
}

static void words_are_those_of_the_maker(void **state)
{
	static const struct {
		enum maker maker;
		const char *text, *said;
	} right[] = {
		{ MAKER_NVIDIA, "CUDA graphs, nvidia-smi -q", "CUDA graphs, nvidia-smi -q" },
		{ MAKER_COUNT, "CUDA or HIP graphs", "CUDA or HIP graphs" },
		{ MAKER_AMD, "torch.compile, CUDA graphs (nvidia-smi -q)",
			"torch.compile, HIP graphs (amd-smi metric)" },
		{ MAKER_ASCEND, "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
			"PYTORCH_NPU_ALLOC_CONF=expandable_segments:True" },
		{ MAKER_INTEL, "see what NCCL chose (NCCL_DEBUG=INFO)",
			"see what oneCCL chose (CCL_LOG_LEVEL=info)" },
		{ MAKER_GOOGLE, "CUDA or HIP graphs; larger batches",
			"one jax.jit around the step; larger batches" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(right); i++) {
		SCOPED_ARENA mem = { 0 };

		assert_string_equal(
			maker_words(right[i].maker, &mem, right[i].text), right[i].said);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_advice_names_another_makers),
		cmocka_unit_test(makers_are_known_by_device_or_profiler),
		cmocka_unit_test(words_are_those_of_the_maker),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
