/* Files beside traces.  Some are written by a rule; others are fixtures' artifacts, whose numbers
 * are changed where a byte says so. */
#include "tests/fuzz/valid_beside.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/compiler.h"
#include "fixtures/artifact.h"
#include "tests/fuzz/valid_odd.h"
#include "tests/fuzz/words.h"

/* ---- logs ---- */

static void write_log(struct draw *d, unsigned rank, struct valid_odd *o, struct str *out)
{
	static const char *const keys[] = { "loss", "grad_norm", "learning_rate", "reward",
		"reward_std", "kl", "entropy", "step_time", "tokens_per_second", "num_tokens",
		"gpu_memory_allocated_gb", "eval/accuracy", "epoch", "mfu",
		"completions/mean_length" };
	size_t rows = valid_odd_rows(d), i, k, order, left;

	order = draw_below(d, 256) / 64;
	left = draw_below(d, 256);
	for (i = 0; i < rows; i++) {
		size_t step = order == 1 ? rows - i : order == 2 ? 7 : i + 1;

		str_addf(out, "{\"step\": %zu", order == 3 ? step * step * 1000003 : step);
		for (k = 0; k < COUNT_OF(keys); k++) {
			if (left >> k % 8 & 1 && k > 1)
				continue;
			str_addf(out, ", \"%s\": ", keys[k]);
			valid_odd_put(
				out, o, (double)draw_chance(d, 1, 1000) / 100 + (double)(rank + i));
		}
		str_adds(out, "}\n");
	}
}

/* ---- samples of GPUs ---- */

static void write_samples(struct draw *d, struct valid_odd *o, struct str *out)
{
	size_t rows = valid_odd_rows(d), gpus = 1 + (draw_below(d, 4) + 1) % 4, i;
	size_t order = draw_below(d, 256) / 64;

	str_adds(out,
		"timestamp, index, utilization.gpu [%], memory.used [MiB], memory.total "
		"[MiB], power.draw [W], temperature.gpu, clocks.sm [MHz]\n");
	for (i = 0; i < rows * gpus; i++) {
		size_t second = order == 1 ? rows - i / gpus : order == 2 ? 0 : i / gpus;

		str_addf(out, "2025/07/01 %02zu:%02zu:%02zu.%03zu, %zu, ", 10 + second / 3600 % 12,
			second / 60 % 60, second % 60, order == 3 ? i % 1000 : 0, i % gpus);
		valid_odd_put(out, o, (double)draw_chance(d, 0, 100));
		str_adds(out, " %, ");
		valid_odd_put(out, o, (double)draw_chance(d, 0, 81559));
		str_adds(out, " MiB, 81559 MiB, ");
		valid_odd_put(out, o, (double)draw_chance(d, 60, 700));
		str_adds(out, " W, ");
		valid_odd_put(out, o, (double)draw_chance(d, 20, 90));
		str_adds(out, ", ");
		valid_odd_put(out, o, (double)draw_chance(d, 200, 1980));
		str_adds(out, " MHz\n");
	}
}

/* ---- sweeps ---- */

static void write_sweep(struct draw *d, struct valid_odd *o, struct str *out)
{
	static const size_t counts[] = { 5, 1, 2, 3, 8, 12, 4, 20 };
	size_t rows = counts[draw_below(d, COUNT_OF(counts))], how = draw_below(d, 256) / 64, i, k;

	str_adds(out,
		"latency_total_mean,latency_total_std,latency_per_sample_mean,"
		"latency_per_batch_mean,throughput_samples_per_sec_mean,"
		"throughput_samples_per_sec_std,throughput_batches_per_sec_mean,"
		"gpu_mem_used_mean,peak_gpu_mem_mean,batch_size,num_samples,num_runs\n");
	for (i = 0; i < rows; i++) {
		size_t batch = how == 1 ? 8 : how == 2 ? rows - i : (size_t)1 << i;
		double s = 0.02 + 0.005 * (double)batch + (double)draw_chance(d, 0, 100) / 10000;
		const double cell[] = { s * 10, s / 2, s / (double)batch, s, (double)batch / s,
			(double)batch / s / 20, 1 / s, 2 + 0.1 * (double)batch,
			2000 + 120 * (double)batch };

		for (k = 0; k < COUNT_OF(cell); k++) {
			valid_odd_put(out, o, cell[k]);
			str_addc(out, ',');
		}
		str_addf(out, "%zu,1000,10\n", how == 3 ? i * 1000000007 : batch);
	}
}

/* ---- stores of baselines ---- */

static void write_store(struct draw *d, struct valid_odd *o, struct str *out)
{
	static const char *const metrics[] = { "step_time", "peak_memory", "gpu_busy", "loss" };
	size_t rows = valid_odd_rows(d), how = draw_below(d, 256) / 64, i, k;

	for (i = 0; i < rows; i++) {
		str_addf(out,
			"{\"schema\": \"traceq.baseline/1\", \"time\": %zu, \"label\": "
			"\"night%zu\", \"commit\": \"c%zu\", \"env\": {}, \"metrics\": {",
			1767225600 +
				86400 *
					(how == 1                  ? rows - i
							: how == 2 ? 0
								   : i),
			i, i);
		for (k = 0; k < COUNT_OF(metrics); k++) {
			str_addf(out, "%s\"%s\": {\"value\": ", k ? ", " : "", metrics[k]);
			valid_odd_put(out, o, 60000000 + 1000 * (double)draw_chance(d, 0, 1000));
			str_adds(out, ", \"unit\": \"ns\", \"better\": \"lower\", \"count\": ");
			valid_odd_put(out, o, 100);
			str_addc(out, '}');
		}
		str_adds(out, "}}\n");
	}
}

/* ---- fixtures' artifacts ---- */

/* By kind, blanks between. */
static const char *const artifacts[VALID_KINDS] = {
	[KIND_OF_LOG] = "train-jsonl metrics-jsonl grpo-jsonl samples-jsonl step-log run-log "
			"metrics-csv trainer-state training-logger metric-tracker run-metrics "
			"canary-metrics baseline-metrics epoch-summary mlperf-lora mlperf-rgat "
			"vllm-serve vllm-nightly sglang-serving summary-report profiler-summary "
			"stage-times profile memory-log ppo-jsonl reward-distribution",
	[KIND_OF_SAMPLES] = "smi smi-two smi-index smi-bare smi-dmon dcgm-dmon dcgm-export "
			    "rocm-smi-csv rocm-smi-table amd-smi-csv amd-smi-metric-json "
			    "amd-smi-monitor rocm-smi-json",
	[KIND_OF_SWEEP] = "sweep-csv sweep-csv-cpu sweep-raw-csv sweep-raw-json baseline-metrics",
	[KIND_OF_OPS] = "op-csv op-csv-kit op-table ops-csv profiler-report run-log "
			"canary-metrics ncu-raw nsys-stats",
	[KIND_OF_KERNELS] = "ncu-raw ncu-summary ncu-details nsys-stats nsys-kernels-us "
			    "nsys-kernels-old",
	[KIND_OF_STACKS] = "folded flame-svg speedscope",
	[KIND_OF_HARDWARE] = "gpu-profile baseline-metrics",
	[KIND_OF_DUMP] = "flight-recorder",
	[KIND_OF_OTHER] = "run-config sysinfo memory-timeline canary-yaml config-yaml dataset-csv "
			  "label-mappings gpu-profile-cpu stage-csv memory-timeline-raw "
			  "torch-profiler-summary smi-pmon",
};

/* The text, where each number may be one of the odd. */
static void put_artifact(struct str *out, const char *text, struct valid_odd *o)
{
	bool in_word = false;

	while (*text) {
		size_t n = 0;

		while (is_digit(text[n]) || (n && text[n] == '.'))
			n++;
		if (n && !in_word)
			valid_odd_text(out, o, text, n);
		else
			str_add(out, text, n ? n : 1);
		in_word = n == 0 && (isalpha((unsigned char)*text) || *text == '_');
		text += n ? n : 1;
	}
}

static void write_artifact(
	enum valid_kind kind, struct draw *d, struct valid_odd *o, struct str *out)
{
	struct span name = words_split(artifacts[kind], ' ', draw_below(d, 256));
	const struct artifact_text *a;
	char text[64];

	(void)snprintf(text, sizeof(text), "%.*s", (int)name.n, name.p);
	a = artifact_text_of(text);
	if (!a)
		abort();
	put_artifact(out, a->text, o);
}

/* ---- */

/* By a rule; false: there is none. */
static bool write_by_rule(
	enum valid_kind kind, struct draw *d, unsigned rank, struct valid_odd *o, struct str *out)
{
	switch (kind) {
	case KIND_OF_LOG: write_log(d, rank, o, out); break;
	case KIND_OF_SAMPLES: write_samples(d, o, out); break;
	case KIND_OF_SWEEP: write_sweep(d, o, out); break;
	case KIND_OF_SNAPSHOT: valid_rule_snapshot(d, o, out); break;
	case KIND_OF_DUMP: valid_rule_dump(d, rank, o, out); break;
	case KIND_OF_STORE: write_store(d, o, out); break;
	default: return false;
	}
	return true;
}

bool valid_beside_write(
	enum valid_kind kind, struct draw *d, unsigned rank, struct str *name, struct str *out)
{
	struct valid_odd o = valid_odd_draw(d, kind != KIND_OF_SAMPLES && kind != KIND_OF_SWEEP);
	bool is_by_rule = draw_below(d, 256) < 128 || !artifacts[kind];

	draw_seed(d, draw_below(d, 256) + rank);
	if (!is_by_rule || !write_by_rule(kind, d, rank, &o, out))
		write_artifact(kind, d, &o, out);
	str_addf(name, kind == KIND_OF_STORE ? "store%u.jsonl" : "rank%u", rank);
	return o.number != NULL;
}
