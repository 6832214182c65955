/* Sections about a results folder of the week-1 documents: model, data, performance, batch sizes.
 *
 * Keys and units are the documents' own (baseline_metrics.json: seconds, MB of 2^20 bytes). */
#include "report/documents/week1.h"

#include "base/unit.h"

const char ask_batch[] = "batch";

static const double BYTES_FP32 = 4, BYTES_HALF = 2, BYTES_INT8 = 1, MIB = 1048576, SECOND = 1e9;

static const struct table *find(const struct answers *in, const char *key, size_t *row)
{
	const struct table *t;

	for (size_t i = 0; (t = answers_table(in, ask_info, "scalars", i)); i++)
		if (table_find_word(t, "key", span_of(key), row))
			return t;
	return NULL;
}

double week1_number(const struct answers *in, const char *key)
{
	size_t row;
	const struct table *t = find(in, key, &row);

	return t ? table_number(t, row, "number") : NAN;
}

struct span week1_word(const struct answers *in, const char *key)
{
	size_t row;
	const struct table *t = find(in, key, &row);

	return t ? table_word(t, row, "value") : SPAN("");
}

const char *week1_text(const struct answers *in, struct page *d, const char *key)
{
	struct span text = week1_word(in, key);

	return arena_copy(&d->mem, text.p, text.n);
}

const struct table *week1_answer(const struct answers *in)
{
	return answers_rows(in, ask_batch, "answer");
}

const struct table *week1_sizes(const struct answers *in)
{
	return answers_rows(in, ask_batch, "sizes");
}

bool week1_size(const struct table *sizes, double batch, size_t *row)
{
	return table_find_number(sizes, "batch_size", batch, row);
}

const char *week1_fixed(struct arena *mem, double v, int decimals, bool commas)
{
	SCOPED_STR b = { 0 }, out = { 0 };

	if (isnan(v))
		return "n/a";
	unit_put_fixed(&b, v, decimals);
	size_t whole = strcspn(b.s, ".");
	for (size_t i = 0; i < b.n; i++) {
		size_t left = whole - i;

		if (commas && i < whole && i > (b.s[0] == '-') && left % 3 == 0)
			str_addc(&out, ',');
		str_addc(&out, b.s[i]);
	}
	return arena_copy(mem, out.s, out.n);
}

static void fact_count(const struct answers *in, struct page *d, const char *key, const char *title)
{
	double v = week1_number(in, key);

	if (!isnan(v))
		page_fact(d, title, "%s", week1_fixed(&d->mem, v, 0, true));
}

const char *week1_on_disk(const struct answers *in, struct page *d)
{
	double mb = week1_number(in, "model_info.total_size_mb");

	return isnan(mb)
		? NULL
		: page_printf(d, "%s MB, weights and buffers", week1_fixed(&d->mem, mb, 2, true));
}

/* Memory at a batch of nothing; else the weights in the type they are loaded as. */
const char *week1_gpu_doubt(const struct answers *in, struct page *d)
{
	const struct table *a = week1_answer(in);
	double weights = week1_number(in, "model_info.total_params") *
		(strstr(week1_text(in, d, "model.dtype"), "16") ? BYTES_HALF : BYTES_FP32);

	if (!page_has(a, 0, "memory_fixed_bytes") ||
		!(table_number(a, 0, "memory_fixed_bytes") < weights))
		return NULL;
	return page_printf(d, "the sweep's peaks leave %s, less than the weights, %s",
		page_value(d, a, 0, "memory_fixed_bytes"), section_bytes(d, weights));
}

const char *week1_on_gpu(const struct answers *in, struct page *d)
{
	const struct table *a = week1_answer(in);
	const char *type = week1_text(in, d, "model.dtype");
	double params = week1_number(in, "model_info.total_params");

	if (week1_gpu_doubt(in, d))
		return NULL;
	if (page_has(a, 0, "memory_fixed_bytes"))
		return page_printf(d, "%s: what the sweep's peaks have without samples",
			page_value(d, a, 0, "memory_fixed_bytes"));
	if (!*type || isnan(params))
		return NULL;
	return page_printf(d, "%s: the weights as %s; buffers and the runtime come on top",
		section_bytes(d, params * (strcmp(type, "float32") == 0 ? BYTES_FP32 : BYTES_HALF)),
		type);
}

static void write_model(const struct answers *in, struct page *d)
{
	double params = week1_number(in, "model_info.total_params");
	const char *type = week1_text(in, d, "model_info.model_type");

	if (isnan(params) && !*type)
		return;
	page_heading(d, "Model");
	/* A fact, unless nobody says it. */
	const char *text = week1_text(in, d, "model_info.model_type");
	if (*text)
		page_fact(d, "type", "%s", text);
	if (!isnan(params)) {
		page_fact(d, "parameters", "%s (%s M)", week1_fixed(&d->mem, params, 0, true),
			week1_fixed(&d->mem, params / 1e6, 2, true));
		page_fact(d, "weights", "fp32 %s; fp16/bf16 would be %s, int8 %s",
			section_bytes(d, params * BYTES_FP32),
			section_bytes(d, params * BYTES_HALF),
			section_bytes(d, params * BYTES_INT8));
	}
	if (week1_on_disk(in, d))
		page_fact(d, "size on disk", "%s", week1_on_disk(in, d));
	if (week1_on_gpu(in, d))
		page_fact(d, "size on the GPU", "%s", week1_on_gpu(in, d));
	fact_count(in, d, "model_info.trainable_params", "trainable");
	fact_count(in, d, "model_info.num_hidden_layers", "layers");
	fact_count(in, d, "model_info.hidden_size", "hidden size");
	fact_count(in, d, "model_info.num_attention_heads", "attention heads");
	fact_count(in, d, "model_info.vocab_size", "vocabulary");
	fact_count(in, d, "model_info.max_position_embeddings", "positions");
}

const struct section section_model = {
	.id = "model",
	.ask = { ask_info, ask_batch },
	.write = write_model,
};

static void write_data(const struct answers *in, struct page *d)
{
	if (isnan(week1_number(in, "dataset_info.num_samples")) &&
		isnan(week1_number(in, "dataset_info.num_labels")))
		return;
	page_heading(d, "Dataset");
	fact_count(in, d, "dataset_info.num_samples", "samples");
	fact_count(in, d, "dataset_info.num_labels", "labels");
	fact_count(in, d, "dataset_info.sample_size_profiled", "samples profiled");
}

const struct section section_data = {
	.id = "data",
	.ask = { ask_info },
	.write = write_data,
};

#define FULL "full_dataset_metrics."

static void write_performance(const struct answers *in, struct page *d)
{
	double sample = week1_number(in, FULL "latency_per_sample");
	double rate = week1_number(in, FULL "throughput_samples_per_sec");
	double peak = week1_number(in, FULL "peak_gpu_mem");

	if (isnan(sample) && isnan(rate))
		return;
	page_heading(d, "Performance on the whole dataset");
	fact_count(in, d, FULL "batch_size", "batch size");
	page_fact(d, "accuracy", "%s",
		week1_fixed(&d->mem, week1_number(in, FULL "accuracy"), 4, false));
	page_fact(d, "F1", "macro %s, weighted %s",
		week1_fixed(&d->mem, week1_number(in, FULL "f1_macro"), 4, false),
		week1_fixed(&d->mem, week1_number(in, FULL "f1_weighted"), 4, false));
	page_fact(d, "latency", "%s per sample, %s in all", section_time(d, sample * SECOND),
		section_time(d, week1_number(in, FULL "latency_total") * SECOND));
	page_fact(d, "throughput", "%s samples/s", week1_fixed(&d->mem, rate, 2, true));
	page_fact(d, "memory", "GPU %s, at most %s; CPU %s",
		section_bytes(d, week1_number(in, FULL "gpu_mem_used") * MIB),
		section_bytes(d, peak * MIB),
		section_bytes(d, week1_number(in, FULL "cpu_mem_used") * MIB));
}

const struct section section_performance = {
	.id = "performance",
	.ask = { ask_info },
	.write = write_performance,
};

/* ---- batch sizes ---- */

static const char *plus_minus(struct page *d, double v, double std, int decimals)
{
	if (isnan(std))
		return week1_fixed(&d->mem, v, decimals, true);
	return page_printf(d, "%s \xc2\xb1 %s", week1_fixed(&d->mem, v, decimals, true),
		week1_fixed(&d->mem, std, decimals, true));
}

static void put_laws(struct page *d, const struct table *a)
{
	if (page_has(a, 0, "sweet_spot"))
		page_item(d, TONE_NONE,
			"sweet spot %s: the smallest batch within 5%% of the best throughput "
			"(highest: %s; the middle size, which the guides' full run takes: %s)",
			page_value(d, a, 0, "sweet_spot"), page_value(d, a, 0, "best_batch"),
			page_value(d, a, 0, "middle_batch"));
	if (page_has(a, 0, "memory_sample_bytes"))
		page_item(d, TONE_NONE, "memory = %s + batch x %s (R2 %s)%s%s",
			page_value(d, a, 0, "memory_fixed_bytes"),
			page_value(d, a, 0, "memory_sample_bytes"),
			week1_fixed(&d->mem, table_number(a, 0, "memory_r2_ratio"), 4, false),
			page_has(a, 0, "largest_batch") ? "; largest batch that fits: " : "",
			page_has(a, 0, "largest_batch") ? page_value(d, a, 0, "largest_batch")
							: "");
	if (page_has(a, 0, "latency_exponent"))
		page_item(d, TONE_NONE, "latency of a batch ~ batch^%s: %s",
			week1_fixed(&d->mem, table_number(a, 0, "latency_exponent"), 2, false),
			section_word(d, a, 0, "latency_law"));
}

static void write_batch(const struct answers *in, struct page *d)
{
	const struct table *sizes = week1_sizes(in), *answer = week1_answer(in);

	if (!sizes)
		return;
	page_heading(d, "Batch sizes");
	static const struct page_column col[] = { { "batch", true, false },
		{ "latency/sample, ms", true, false }, { "samples/s", true, false },
		{ "peak", true, false }, { "of best", true, false }, { "", false, false } };
	struct page_block *b = page_table(d, NULL, col, COUNT_OF(col));
	for (size_t i = 0; i < table_rows(sizes); i++) {
		PAGE_ROW(d, b, TONE_NONE, page_value(d, sizes, i, "batch_size"),
			plus_minus(d, table_number(sizes, i, "latency_per_sample_ns") / 1e6,
				table_number(sizes, i, "latency_std_ns") / 1e6, 2),
			plus_minus(d, table_number(sizes, i, "samples_per_s"),
				table_number(sizes, i, "samples_per_s_std"), 1),
			page_value(d, sizes, i, "peak_bytes"),
			page_value(d, sizes, i, "best_ratio"), section_word(d, sizes, i, "mark"));
	}
	if (answer)
		put_laws(d, answer);
}

const struct section section_batch = {
	.id = "batch",
	.ask = { ask_batch },
	.chart = { "batch-sweep", "metrics-heatmap" },
	.write = write_batch,
};
