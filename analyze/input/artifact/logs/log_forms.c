/* The table of forms.  A new one is a row: test_log.c reads each row's example. */
#include "analyze/input/artifact/logs/log_forms.h"

#include "analyze/input/artifact/logs/log_words.h"

#define LEAK                                             \
	{                                                \
		{                                        \
			"leak_detected", "leak_detected" \
		}                                        \
	}

static const struct log_form forms[] = {
	{
		.writer = "Megatron-LM",
		.start = "iteration",
		.sign = "elapsed time per iteration",
		.example =
			" iteration      100/  500000 | consumed samples:        51200 | elapsed time "
			"per iteration (ms): 1234.5 | throughput per GPU (TFLOP/s/GPU): 151.2 | "
			"learning rate: 1.5E-04 | global batch size:   512 | lm loss: 6.5E+00 | loss "
			"scale: 1.0 | grad norm: 1.2 | number of skipped iterations:   0 |",
		.as = { { "elapsed time per iteration", "step_time" }, { "lm loss", "loss" },
			{ "throughput per GPU (TFLOP/s/GPU)", "tflops" } },
	},
	{
		.writer = "Megatron Bridge",
		.start = "Step Time :",
		.example = "Step Time : 5.51s GPU utilization: 711.6MODEL_TFLOP/s/GPU",
		.as = { { "Step Time", "Step Time" }, { "GPU utilization", "model_flops" } },
	},
	{
		.writer = "torchtitan",
		.start = "step:",
		.sign = "loss:",
		.example =
			"step:  1  loss:  8.2  memory:  5.28GiB(66.1%)  tps: 1,206  tflops: 2.9  mfu: "
			"0.9%",
		.as = { { "memory", "memory_reserved" }, { "memory_pct", "memory_reserved_pct" } },
	},
	{
		.writer = "nanoGPT",
		.start = "iter ",
		.sign = ", time ",
		.example = "iter 10: loss 4.2, time 132.5ms, mfu 12.3%",
		.as = { { "time", "step_time" } },
	},
	{
		.writer = "llm.c",
		.start = "step ",
		.sign = "| norm ",
		.example = "step    2/19560 | loss 8.9 (+nanz)| norm 2.3 (+nanz)| lr 1.00e-05 | "
			   "432.50 ms | 45.6% bf16 MFU | 424242 tok/s",
		.as = { { "ms", "step_time" } },
	},
	{
		.writer = "DeepSpeed, engine",
		.start = "steps:",
		.sign = "iter time (s)",
		.example = "steps: 10 loss: 0.5 iter time (s): 0.3 samples/sec: 100.1",
		.as = { { "iter time", "step_time" }, { "samples/sec", "samples_per_sec" } },
	},
	{
		.writer = "DeepSpeed, throughput",
		.start = "epoch=",
		.sign = "RunningAvgSamplesPerSec=",
		.example = "epoch=0/micro_step=100/global_step=10, RunningAvgSamplesPerSec=101.5, "
			   "CurrSamplesPerSec=99.5, MemAllocated=2.5GB, MaxMemAllocated=4.6GB",
		.as = { { "CurrSamplesPerSec", "samples_per_sec" } },
	},
	{
		.writer = "mmengine, epochs",
		.start = "Epoch(",
		.sign = "data_time:",
		.example =
			"Epoch(train) [1][  50/4309]  lr: 5.9600e-05  eta: 12:14:32  time: 0.7838  "
			"data_time: 0.0205  memory: 7657  loss: 1.25",
		.as = { { "time", "step_time" }, { "memory", "memory_mb" } },
	},
	{
		.writer = "mmengine, iterations",
		.start = "Iter(",
		.sign = "data_time:",
		.example = "Iter(train) [  10/2046]  lr: 3.3994e-05  eta: 0:29:39  time: 2.9196  "
			   "data_time: 0.0192  memory: 15266  loss: 0.7890",
		.as = { { "time", "step_time" }, { "memory", "memory_mb" } },
	},
	{
		.writer = "mmcv",
		.start = "Epoch [",
		.sign = "data_time:",
		.example = "Epoch [1][50/7330]\tlr: 1.978e-03, eta: 1 day, 2:03:04, time: 0.343, "
			   "data_time: 0.050, memory: 3884, loss: 2.3",
		.as = { { "time", "step_time" }, { "memory", "memory_mb" } },
	},
	{
		.writer = "timm",
		.start = "Train: ",
		.sign = "LR:",
		.example =
			"Train: 0 [  50/1251 (  4%)]  Loss: 6.85 (6.91)  Time: 0.524s, 1969.23/s  "
			"(0.525s, 1932.08/s)  LR: 1.000e-03  Data: 0.012 (0.015)",
		.as = { { "Time", "step_time" }, { "Data", "data_time" },
			{ "/s", "samples_per_sec" } },
	},
	{
		.writer = "TensorRT-LLM",
		.start = "iter = ",
		.sign = "elapsed_time = ",
		.example = "iter = 1, global_rank = 0, elapsed_time = 0.005s, "
			   "num_scheduled_requests: 10, states = {'num_ctx_requests': 0}",
		.as = { { "elapsed_time", "step_time" } },
	},
	{
		.writer = "vLLM",
		.start = "",
		.sign = "Avg prompt throughput:",
		.example =
			"Avg prompt throughput: 100.0 tokens/s, Avg generation throughput: 50.5 "
			"tokens/s, Running: 3 reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache "
			"usage: 2.5%, CPU KV cache usage: 0.0%.",
	},
	{
		.writer = "SGLang, decoding",
		.start = "Decode batch",
		.sign = "#running-req:",
		.example =
			"Decode batch. #running-req: 1, #token: 64, token usage: 0.25, cuda graph: "
			"True, gen throughput (token/s): 120.5, #queue-req: 0,",
		.prefix = "decode",
		.as = { { "gen throughput (token/s)", "tokens_per_sec" } },
	},
	{
		.writer = "SGLang, prefilling",
		.start = "Prefill batch",
		.sign = "#new-token:",
		.example =
			"Prefill batch. #new-seq: 1, #new-token: 6, #cached-token: 0, token usage: "
			"0.25, #running-req: 0, #queue-req: 0,",
		.prefix = "prefill",
	},
	{
		.writer = "PyTorch's ImageNet example",
		.start = "Epoch: [",
		.sign = "Time",
		.example = "Epoch: [0][10/100]\tTime  0.123 ( 0.130)\tData  0.001 ( 0.002)\tLoss "
			   "6.9e+00 (7.0e+00)\tAcc@1   0.10 (  0.20)",
		.as = { { "Time", "step_time" }, { "Data", "data_time" } },
	},
	{
		.writer = "PyTorch's MNIST example",
		.start = "Train Epoch:",
		.sign = "Loss:",
		.example = "Train Epoch: 1 [640/60000 (1%)]\tLoss: 1.25",
		.as = { { "Train Epoch", "epoch" } },
	},
	{
		.writer = "GPU memory callbacks",
		.start = "Step ",
		.sign = "GPU memory",
		.example = "Step 10: GPU memory allocated: 2.50GB reserved: 4.60GB",
		.as = { { "allocated", "GPU memory allocated" },
			{ "reserved", "GPU memory reserved" }, { "peak", "GPU memory peak" } },
	},
	{
		.writer = "leak checks",
		.start = "\xe2\x9a\xa0 Leak detected at step ",
		.example = "\xe2\x9a\xa0 Leak detected at step 300",
		.is_event = true,
		.as = LEAK,
	},
	{
		.writer = "leak checks without the sign",
		.start = "Leak detected at step ",
		.example = "Leak detected at step 300",
		.is_event = true,
		.as = LEAK,
	},
	{
		.writer = "leak checks that name no step",
		.start = "\xe2\x9a\xa0 Memory leak detected",
		.example = "\xe2\x9a\xa0 Memory leak detected!",
		.is_event = true,
		.as = LEAK,
	},
};

const struct log_form *log_forms(size_t *n)
{
	*n = COUNT_OF(forms);
	return forms;
}

static bool is_form(struct span text, const struct log_form *f)
{
	return span_starts(text, f->start) && (!f->sign || span_has(text, f->sign));
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
		if (span_is(key, f->as[i].written))
			return span_of(f->as[i].name);
	return log_word_name(key);
}
