/* The table of forms.  A new one is a row; test_log.c has a line of each. */
#include "analyze/input/artifact/logs/log_forms.h"

#include "analyze/input/artifact/logs/log_words.h"

static const struct log_form forms[] = {
	{ "Megatron-LM", "iteration", "elapsed time per iteration",
		.as = { { "elapsed time per iteration", "step_time" }, { "lm loss", "loss" },
			{ "throughput per GPU (TFLOP/s/GPU)", "tflops" } } },
	{ "Megatron Bridge", "Step Time :", NULL,
		.as = { { "Step Time", "Step Time" }, { "GPU utilization", "model_flops" } } },
	{ "torchtitan", "step:", "loss:",
		.as = { { "memory", "memory_reserved" },
			{ "memory_pct", "memory_reserved_pct" } } },
	{ "nanoGPT", "iter ", ", time ", .as = { { "time", "step_time" } } },
	{ "llm.c", "step ", "| norm ", .as = { { "ms", "step_time" } } },
	{ "llm.c, main.log", "s:", "tel:", .as = { { "s", "step" }, { "tel", "val_loss" } } },
	{ "llm.c, main.log, training",
		"s:", "trl:", .as = { { "s", "step" }, { "trl", "train_loss" } } },
	{ "DeepSpeed, engine", "steps:", "iter time (s)",
		.as = { { "iter time", "step_time" }, { "samples/sec", "samples_per_sec" } } },
	{ "DeepSpeed, throughput", "epoch=", "RunningAvgSamplesPerSec=",
		.as = { { "CurrSamplesPerSec", "samples_per_sec" } } },
	{ "DeepSpeed, memory", "MA ", "Max_MA",
		.as = { { "MA", "memory_allocated" }, { "Max_MA", "max_memory_allocated" },
			{ "CA", "memory_reserved" }, { "Max_CA", "max_memory_reserved" } } },
	{ "mmengine, epochs", "Epoch(",
		"data_time:", .as = { { "time", "step_time" }, { "memory", "memory_mb" } } },
	{ "mmengine, iterations", "Iter(",
		"data_time:", .as = { { "time", "step_time" }, { "memory", "memory_mb" } } },
	{ "mmcv", "Epoch [",
		"data_time:", .as = { { "time", "step_time" }, { "memory", "memory_mb" } } },
	{ "timm", "Train: ", "LR:",
		.as = { { "Time", "step_time" }, { "Data", "data_time" },
			{ "/s", "samples_per_sec" } } },
	{ "TensorRT-LLM", "iter = ", "elapsed_time = ", .as = { { "elapsed_time", "step_time" } } },
	{ .writer = "vLLM", .start = "", .sign = "Avg prompt throughput:" },
	{ "SGLang, decoding", "Decode batch", "#running-req:", .prefix = "decode",
		.as = { { "gen throughput (token/s)", "tokens_per_sec" } } },
	{ "SGLang, prefilling", "Prefill batch", "#new-token:", .prefix = "prefill" },
	{ "PyTorch's ImageNet example", "Epoch: [", "Time",
		.as = { { "Time", "step_time" }, { "Data", "data_time" } } },
	{ "PyTorch's MNIST example",
		"Train Epoch:", "Loss:", .as = { { "Train Epoch", "epoch" } } },
	{ "GPU memory callbacks", "Step ", "GPU memory",
		.as = { { "allocated", "GPU memory allocated" },
			{ "reserved", "GPU memory reserved" }, { "peak", "GPU memory peak" } } },
	{ "leak checks", "\xe2\x9a\xa0 Leak detected at step ", .is_event = true,
		.as = { { "leak_detected", "leak_detected" } } },
	{ "leak checks without the sign", "Leak detected at step ", .is_event = true,
		.as = { { "leak_detected", "leak_detected" } } },
	{ "leak checks that name no step", "\xe2\x9a\xa0 Memory leak detected", .is_event = true,
		.as = { { "leak_detected", "leak_detected" } } },
};

const struct log_form *log_forms(size_t *n)
{
	*n = COUNT_OF(forms);
	return forms;
}

static bool is_form(struct span text, const struct log_form *f)
{
	if (f->start[0] && (text.n == 0 || text.p[0] != f->start[0]))
		return false; /* most lines */
	return span_starts(text, f->start) &&
		(!f->sign || (memchr(text.p, f->sign[0], text.n) && span_has(text, f->sign)));
}

const struct log_form *log_form_find(struct span text, const struct log_form *last)
{
	while (text.n && text.p[0] == ' ') {
		text.p++;
		text.n--;
	}
	if (last && is_form(text, last))
		return last;
	return FIND(i, forms, COUNT_OF(forms), is_form(text, &forms[i]));
}

struct span log_form_name(const struct log_form *f, struct span key)
{
	for (size_t i = 0; f && i < LOG_FORM_NAMES && f->as[i].written; i++)
		if (key.n && key.p[0] == f->as[i].written[0] && span_is(key, f->as[i].written))
			return span_of(f->as[i].name);
	return log_word_name(key);
}
