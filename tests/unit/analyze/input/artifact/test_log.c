/* Lines of logs: each form of the table by its own example, prefixes, pairs, bars, shapes; and
 * texts that begin as logs do, or as JSON does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analyze/input/artifact/head.h"
#include "analyze/input/artifact/logs/log_forms.h"
#include "analyze/input/artifact/logs/log_bars.h"
#include "analyze/input/artifact/logs/log_items.h"
#include "analyze/input/artifact/logs/log_pairs.h"
#include "analyze/input/artifact/logs/log_prefix.h"
#include "analyze/input/artifact/logs/text_log.h"
#include "analyze/input/text/num.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

/* A line of each form. */
static const struct {
	const char *writer, *line;
} lines[] = {
	{ "Megatron-LM",
		" iteration      100/  500000 | consumed samples:        51200 | elapsed time "
		"per iteration (ms): 1234.5 | throughput per GPU (TFLOP/s/GPU): 151.2 | "
		"learning rate: 1.5E-04 | global batch size:   512 | lm loss: 6.5E+00 | loss "
		"scale: 1.0 | grad norm: 1.2 | number of skipped iterations:   0 |" },
	{ "Megatron Bridge", "Step Time : 5.51s GPU utilization: 711.6MODEL_TFLOP/s/GPU" },
	{ "torchtitan",
		"step:  1  loss:  8.2  memory:  5.28GiB(66.1%)  tps: 1,206  tflops: 2.9  mfu: "
		"0.9%" },
	{ "nanoGPT", "iter 10: loss 4.2, time 132.5ms, mfu 12.3%" },
	{ "llm.c",
		"step    2/19560 | loss 8.9 (+nanz)| norm 2.3 (+nanz)| lr 1.00e-05 | "
		"432.50 ms | 45.6% bf16 MFU | 424242 tok/s" },
	{ "llm.c, main.log", "s:250 tel:6.4621" },
	{ "llm.c, main.log, training", "s:1 trl:10.9 lr:1e-05" },
	{ "DeepSpeed, engine", "steps: 10 loss: 0.5 iter time (s): 0.3 samples/sec: 100.1" },
	{ "DeepSpeed, throughput",
		"epoch=0/micro_step=100/global_step=10, RunningAvgSamplesPerSec=101.5, "
		"CurrSamplesPerSec=99.5, MemAllocated=2.5GB, MaxMemAllocated=4.6GB" },
	{ "DeepSpeed, memory",
		"MA 12.5 GB         Max_MA 13.1 GB         CA 14.0 GB         Max_CA 15 GB" },
	{ "mmengine, epochs",
		"Epoch(train) [1][  50/4309]  lr: 5.9600e-05  eta: 12:14:32  time: 0.7838  "
		"data_time: 0.0205  memory: 7657  loss: 1.25" },
	{ "mmengine, iterations",
		"Iter(train) [  10/2046]  lr: 3.3994e-05  eta: 0:29:39  time: 2.9196  "
		"data_time: 0.0192  memory: 15266  loss: 0.7890" },
	{ "mmcv",
		"Epoch [1][50/7330]\tlr: 1.978e-03, eta: 1 day, 2:03:04, time: 0.343, "
		"data_time: 0.050, memory: 3884, loss: 2.3" },
	{ "timm",
		"Train: 0 [  50/1251 (  4%)]  Loss: 6.85 (6.91)  Time: 0.524s, 1969.23/s  "
		"(0.525s, 1932.08/s)  LR: 1.000e-03  Data: 0.012 (0.015)" },
	{ "TensorRT-LLM",
		"iter = 1, global_rank = 0, elapsed_time = 0.005s, "
		"num_scheduled_requests: 10, states = {'num_ctx_requests': 0}" },
	{ "vLLM",
		"Avg prompt throughput: 100.0 tokens/s, Avg generation throughput: 50.5 "
		"tokens/s, Running: 3 reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache "
		"usage: 2.5%, CPU KV cache usage: 0.0%." },
	{ "SGLang, decoding",
		"Decode batch. #running-req: 1, #token: 64, token usage: 0.25, cuda graph: "
		"True, gen throughput (token/s): 120.5, #queue-req: 0," },
	{ "SGLang, prefilling",
		"Prefill batch. #new-seq: 1, #new-token: 6, #cached-token: 0, token usage: "
		"0.25, #running-req: 0, #queue-req: 0," },
	{ "PyTorch's ImageNet example",
		"Epoch: [0][10/100]\tTime  0.123 ( 0.130)\tData  0.001 ( 0.002)\tLoss "
		"6.9e+00 (7.0e+00)\tAcc@1   0.10 (  0.20)" },
	{ "PyTorch's MNIST example", "Train Epoch: 1 [640/60000 (1%)]\tLoss: 1.25" },
	{ "GPU memory callbacks", "Step 10: GPU memory allocated: 2.50GB reserved: 4.60GB" },
	{ "leak checks", "\xe2\x9a\xa0 Leak detected at step 300" },
	{ "leak checks without the sign", "Leak detected at step 300" },
	{ "leak checks that name no step", "\xe2\x9a\xa0 Memory leak detected!" },
};

/* It has that form, gives figures, and makes its text a log by itself. */
static void examples(void **state)
{
	size_t n, i;
	const struct log_form *forms = log_forms(&n);

	(void)state;
	assert_int_equal(n, COUNT_OF(lines));
	for (i = 0; i < n; i++) {
		struct log_pairs pairs;
		char line[1024 + REAL_PADDING] = { 0 };

		assert_string_equal(lines[i].writer, forms[i].writer);
		(void)snprintf(line, 1024, "%s", lines[i].line);
		if (log_form_find(span_of(line), NULL) != &forms[i])
			fail_msg("%s: its line is another's", forms[i].writer);
		log_pairs_find(&pairs, span_of(line));
		if (pairs.n < 1 && !forms[i].is_event)
			fail_msg("%s: no figure", forms[i].writer);
		if (log_weight(span_of(line)) < 10)
			fail_msg("%s: not certain", forms[i].writer);
	}
}

static void prefixes(void **state)
{
	static const struct {
		const char *line, *text;
		int rank;
	} rows[] = {
		{ "step: 1", "step: 1", -1 },
		{ "INFO:root:step: 1", "step: 1", -1 },
		{ "[rank7]:[titan] 2025-11-30 12:00:00,123 - root - INFO - step: 1", "step: 1", 7 },
		{ "[default12]:step: 1", "step: 1", 12 },
		{ "[1,3]<stdout>:step: 1", "step: 1", 3 },
		{ " 3: step: 1", "step: 1", 3 },
		{ "10: 0.5", "10: 0.5", -1 },
		{ "[step 3] loss: 1", "[step 3] loss: 1", -1 },
		{ "[3/10] loss: 1", "[3/10] loss: 1", -1 },
		{ "[1, 2]", "[1, 2]", -1 },
		{ "2025-11-30 12:00:00 | INFO | step:1 - loss:2", "step:1 - loss:2", -1 },
		{ "INFORMATION: 5", "INFORMATION: 5", -1 },
		{ "", "", -1 },
		{ "[", "[", -1 },
		{ "[rank", "[rank", -1 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		struct log_prefix p;

		log_prefix_find(&p, span_of(rows[i].line));
		assert_string_equal(rows[i].line + p.n, rows[i].text);
		assert_int_equal(p.rank, rows[i].rank);
	}
}

/* Numbers want bytes behind them. */
static void find_pairs(struct log_pairs *to, const char *line)
{
	static char text[256];

	memset(text, 0, sizeof(text));
	(void)snprintf(text, sizeof(text) - REAL_PADDING, "%s", line);
	log_pairs_find(to, span_of(text));
}

static void pairs(void **state)
{
	static const struct {
		const char *line, *key;
		double value;
		enum measure measure;
		size_t n;
	} rows[] = {
		{ "loss=0.5", "loss", 0.5, MEASURE_NONE, 1 },
		{ "train loss: -1.5e-3, lr: 1", "train loss", -1.5e-3, MEASURE_NONE, 2 },
		{ "tokens: 1,206  x: 2", "tokens", 1206, MEASURE_NONE, 2 },
		{ "elapsed (ms): 12.5", "elapsed", 12.5, MEASURE_MS, 1 },
		{ "memory: 5.28GiB(66.1%)", "memory", 5.28, MEASURE_GIB, 2 },
		{ "Step 10/ 500: a: 1", "Step", 10, MEASURE_NONE, 2 },
		{ "lr=[5e-05], x=1", "lr", 5e-5, MEASURE_NONE, 2 },
		{ "bsz: 853/170/68; x: 1", "bsz", 853, MEASURE_NONE, 4 },
		{ "5705/5123 tok/s", "tok/s", 5705, MEASURE_PER_S, 2 },
		{ "step time: 12/14 ms", "step time", 12, MEASURE_MS, 2 },
		{ "mem: 10/80GB", "mem", 10, MEASURE_GIB, 1 },
		{ "8.08s/100 iters", "s/iter", 8.08, MEASURE_S, 1 },
		{ "took: 90 ms/10 steps", "took", 90, MEASURE_MS, 1 },
		{ "3: 2.5, 8.08 avg loss, 64 images", "step", 3, MEASURE_NONE, 4 },
	};
	static const char *const none[] = { "", "=", ":", "a:", "at 12:30:45", "on 2025-11-30",
		"date: 11/28/2025", "[3 (", "[3 (x", "version: 1.2.3", "loss: none", "x: 5apples",
		"http://a:b", "a = b", "5: 6" };
	struct log_pairs found;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		find_pairs(&found, rows[i].line);
		assert_int_equal(found.n, rows[i].n);
		assert_true(span_is(found.v[0].key, rows[i].key));
		near(found.v[0].value, rows[i].value, 1e-12);
		assert_int_equal(found.v[0].measure, rows[i].measure);
	}
	for (i = 0; i < COUNT_OF(none); i++) {
		find_pairs(&found, none[i]);
		if (found.n)
			fail_msg("a figure in: %s", none[i]);
	}
}

static void bars(void **state)
{
	struct log_bar b;

	(void)state;
	assert_true(log_bar_find(
		&b, SPAN("Epoch 0:  45%|####5     | 45/100 [00:10<00:12,  4.5it/s, loss=0.5]")));
	assert_true(span_is(b.title, "Epoch 0"));
	near(b.n, 45, 0);
	near(b.per_s, 4.5, 1e-12);
	assert_true(span_is(b.postfix, "loss=0.5"));
	assert_true(log_bar_find(&b, SPAN(" 45%|####5     | 1.5k/3k [00:10<?, 4s/it]")));
	near(b.n, 1500, 0);
	near(b.per_s, 0.25, 1e-12);
	assert_true(log_bar_find(&b, SPAN("a: 20%|## | 200M/1G [00:10<00:40, 20.0MB/s]")));
	near(b.per_s, 0, 0);
	assert_false(log_bar_find(&b, SPAN("a | b | c [d]")));
	assert_false(log_bar_find(&b, SPAN("%| |/ [")));
}

/* Texts whose first byte is a bracket. */
static void brackets(void **state)
{
	static const char *const logs[] = { "[2025-11-30 12:00:00] INFO", "[rank0]: a", "[0]: a",
		"[INFO|trainer.py:1] a", "{'loss': 0.69}", "[00:10<00:12]", "[W] a",
		"[1,0]<stdout>: a", "[nanotron] a", "[2025-11-30] a" };
	static const char *const json[] = { "[", "{", "[]", "[1, 2]", "[0]\n", "[NaN, 1]",
		"[{\"ph\": \"X\"}", "[\"a\"]", "[-1.5e3, 2]", "{\"a\": 1}", "[true]", "[null, 1]",
		"[1", "[[1]]", "[\n{", "{ }", "[1],", "[20" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(logs); i++)
		if (!head_is_logged(span_of(logs[i])))
			fail_msg("no log: %s", logs[i]);
	for (i = 0; i < COUNT_OF(json); i++)
		if (head_is_logged(span_of(json[i])))
			fail_msg("no JSON: %s", json[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples),
		cmocka_unit_test(prefixes),
		cmocka_unit_test(pairs),
		cmocka_unit_test(bars),
		cmocka_unit_test(brackets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
