/*
 * `fit`: how much memory a model needs, by regime, and what fits on a GPU.  The options and the
 * order of tables; fit_options.c understands the options, fit_regimes.c has the arithmetic,
 * capacity.c the names of GPUs.
 */
#include "analyze/answer/fit/fit.h"

#include <math.h>

#include "analyze/trace/filter.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "base/compiler.h"
#include "base/opt.h"
#include "base/saturate.h"
#include "base/str.h"
#include "base/table_find.h"

#define AT(field) offsetof(struct fit_options, field)
static const struct opt options[] = {
	OPT("params", 0, OPT_TEXT, "N", "parameters of the model: 7B, 494M, 494,033,920",
		AT(params), NULL, NULL),
	OPT("gpu", 0, OPT_TEXT, "NAME|SIZE",
		"its memory: T4, A100-40, H100, MI300X ... or 16GiB [the GPU of the trace, if one is "
		"given]",
		AT(gpu), NULL, NULL),
	OPT("gpus", 0, OPT_INT, "N", "GPUs for ZeRO [the fewest that fit; 8 when no GPU is given]",
		AT(gpus), NULL, NULL),
	OPT("regime", 0, OPT_TEXT, "ID", "only this one: lora, zero3, ... ('id' in --json)",
		AT(regime), NULL, NULL),
	OPT("trainable", 0, OPT_TEXT, "N",
		"trainable parameters of LoRA and QLoRA [0.6% of the parameters]", AT(trainable),
		NULL, NULL),
	OPT("layers", 0, OPT_INT, "N", "layers, for KV cache and activations", AT(layers), NULL,
		NULL),
	OPT("hidden", 0, OPT_INT, "N", "hidden size", AT(hidden), NULL, NULL),
	OPT("heads", 0, OPT_INT, "N", "attention heads", AT(heads), NULL, NULL),
	OPT("kv-heads", 0, OPT_INT, "N", "heads with keys and values of their own [--heads]",
		AT(kv_heads), NULL, NULL),
	OPT("head-dim", 0, OPT_INT, "N", "size of a head [--hidden / --heads]", AT(head_dim), NULL,
		NULL),
	OPT("seq", 0, OPT_INT, "TOKENS", "tokens of a sequence: counts KV cache and activations",
		AT(seq), NULL, NULL),
	OPT("batch", 0, OPT_INT, "N", "sequences at a time, on each GPU [1]", AT(batch), NULL,
		NULL),
	OPT("kv-dtype", 0, OPT_CHOICE, "TYPE", "of the KV cache [fp16]", AT(kv_dtype),
		"fp32|fp16|bf16|fp8|int8", NULL),
	OPT("recompute", 0, OPT_CHOICE, "WHICH", "activations that are recomputed [none]",
		AT(recompute), "none|full", NULL),
	OPT("attention", 0, OPT_CHOICE, "WHICH", "whether attention scores are stored [flash: no]",
		AT(attention), "flash|standard", NULL),
	OPT("context", 0, OPT_TEXT, "SIZE",
		"memory of the device's context and of communication [0.75GiB]", AT(context), NULL,
		NULL),
	OPT("fragmentation", 0, OPT_TEXT, "RATIO", "what the allocator loses [5%]",
		AT(fragmentation), NULL, NULL),
	OPT("seed-compat", 0, OPT_FLAG, NULL, NULL, AT(is_seed), NULL, NULL),
};
#undef AT

static void set_defaults(void *opts)
{
	struct fit_options *o = opts;

	o->batch = 1;
	o->context = "0.75GiB";
	o->fragmentation = "5%";
}

static enum status check(const void *opts, const struct settings *settings, struct err *e)
{
	struct fit f;

	(void)settings;
	return fit_read_options(&f, opts, e);
}

/* The GPU that a file lists: the one of its "device", else the first. */
static void take_listed_gpu(struct fit *f, const struct record *r, struct result *out)
{
	const struct sheet *s = r ? record_find_sheet(r, SHEET_GPUS) : NULL;
	double device = r ? scalar_number(record_find(&r->scalars, "device")) : NAN, bytes;
	size_t row = 0, i;
	struct span name;

	if (!s || s->table.nrow == 0)
		return;
	for (i = 0; i < s->table.nrow && !isnan(device); i++)
		if (number_same(table_number_at(&s->table, i, GPUS_INDEX), device))
			row = i;
	bytes = table_number_at(&s->table, row, GPUS_MEMORY_BYTES);
	if (!(bytes >= 1 && bytes < 9e18))
		return;
	name = table_text_at(&s->table, row, GPUS_NAME);
	f->capacity = saturate_whole(bytes);
	if (name.n)
		f->gpu = arena_copy(&out->mem, name.p, name.n);
}

/* The GPU of a trace or file, where --gpu does not say. */
static void take_gpu(struct fit *f, const struct query *q, struct result *out)
{
	const struct run *r = q->nrun ? q->run[0] : NULL;
	struct span name;

	if (!r || f->capacity)
		return;
	if (r->meta.ngpu == 0 || r->meta.gpu[0].memory_bytes <= 0) {
		take_listed_gpu(f, r->record, out);
		return;
	}
	name = strings_get(&r->strings, r->meta.gpu[0].name);
	f->capacity = r->meta.gpu[0].memory_bytes;
	if (name.n)
		f->gpu = arena_copy(&out->mem, name.p, name.n);
}

static void put_notes(const struct fit *f, struct result *out)
{
	if (f->model.params && !f->model.kv && !f->model.activations)
		result_note(out, NOTE_INFO, "fit_excludes", -1, -1,
			"KV cache and activations are not in it: their size needs the model's "
			"shape (--layers, --hidden, --heads, --seq, --batch)");
}

/* What a file says of the model: baseline_metrics.json's model_info, or a model's own config. */
static const struct {
	const char *key;
	size_t offset;
} model_keys[] = {
	{ "num_hidden_layers", offsetof(struct fit_options, layers) },
	{ "hidden_size", offsetof(struct fit_options, hidden) },
	{ "num_attention_heads", offsetof(struct fit_options, heads) },
	{ "num_key_value_heads", offsetof(struct fit_options, kv_heads) },
	{ "head_dim", offsetof(struct fit_options, head_dim) },
};

static double model_number(const struct record *r, const char *key, struct arena *mem)
{
	const char *full = arena_printf(mem, "model_info.%s", key);
	const struct scalar *s = record_find(&r->scalars, full);

	if (!s)
		s = record_find(&r->scalars, key);
	if (!s)
		s = record_find(&r->config, key);
	return scalar_number(s);
}

/* Fills what no option says. */
static void take_model(struct fit_options *o, const struct query *q, struct result *out)
{
	const struct record *r = q->nrun ? q->run[0]->record : NULL;
	double v;
	size_t i;

	if (!r)
		return;
	v = model_number(r, "total_params", &out->mem);
	if (!o->params && v >= 1 && v <= (double)FIT_PARAMS_MAX) {
		o->params = arena_printf(&out->mem, "%.0f", v);
		result_note(out, NOTE_INFO, "fit_from_file", 0, -1,
			"the number of parameters is from the file");
	}
	for (i = 0; i < COUNT_OF(model_keys); i++) {
		int64_t *to = (int64_t *)((char *)o + model_keys[i].offset);

		v = model_number(r, model_keys[i].key, &out->mem);
		if (*to == 0 && v >= 1 && v < 1e9)
			*to = saturate_whole(v);
	}
}

static enum status compute(const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	struct fit_options o = *(const struct fit_options *)q->opts;
	struct fit f;

	*exit_code = 0;
	take_model(&o, q, out);
	TRY(fit_read_options(&f, &o, e));
	TRY(fit_check_shape(&f, e));
	take_gpu(&f, q, out);
	if (o.is_seed)
		fit_seed(out, f.capacity);
	if (!f.model.params && !f.capacity && !o.is_seed) {
		err_set(e, E_USAGE, -1, "neither --params nor --gpu is given");
		return err_hint(e, "such as: traceq fit --params 7B --gpu 16GiB");
	}
	if (!f.model.params && (!f.capacity || o.is_seed))
		return OK;
	fit_put_model(&f, out, &fit_docs[FIT_MODEL]);
	fit_put_regimes(&f, out, &fit_docs[FIT_REGIMES]);
	if (!f.capacity)
		fit_put_gpus(&f, out, &fit_docs[FIT_GPUS]);
	put_notes(&f, out);
	return OK;
}

static const struct analysis_word *word(size_t i)
{
	size_t n;
	const struct fit_regime *r = fit_regimes(&n);

	return i < n ? &r[i].word : NULL;
}

const struct analysis analysis_fit = {
	.name = "fit",
	.summary = "memory a model needs to run or train, by regime, and what fits on a GPU",
	.help.doc =
		"Bytes for each parameter times parameters, for each way to run or train a model: what "
		"weights, gradients and the optimizer's state take on each GPU. KV cache and "
		"activations come on top when the model's shape is given.\n\n"
		"The verdict counts 5% for fragmentation and 0.75 GiB for the device's context: "
		"fits is at most 90% of the GPU, tight up to all of it. A GPU exposes less than "
		"its name says: a T4 of 16 GB has 14.75 GiB.\n\n"
		"Without --gpu, what fits on which GPU; without --params, the largest model that "
		"fits (max_params in --json). A trace stands for the GPU it was recorded on, "
		"baseline_metrics.json for the model it is about, gpu_profile.json for its GPU.\n\n"
		"Of a mixture of experts all parameters must be resident, not only the active "
		"ones.",
	.help.source =
		"bytes a parameter: the documents' estimate_model_memory; Rajbhandari et al. 2020 (ZeRO); "
		"Dettmers et al. 2023 (QLoRA); Korthikanti et al. 2022 (activations); "
		"docs/definitions.md",
	.help.examples = "traceq fit --params 7B --gpu 16GiB\n"
			 "traceq fit --params 70B --gpu H100 --gpus 8\n"
			 "traceq fit --params 8B --layers 32 --hidden 4096 --heads 32 --seq 8192",
	.runs.min = 0,
	.runs.max = 1,
	.runs.takes_records = true,
	.options.ignores = FILTER_ALL,
	.options.opt = options,
	.options.n = COUNT_OF(options),
	.options.nhidden = 1,
	.options.size = sizeof(struct fit_options),
	.options.set_defaults = set_defaults,
	.help.tables = fit_docs,
	.help.ntables = FIT_TABLES,
	.help.notes = fit_notes,
	.options.check = check,
	.help.word = word,
	.compute = compute,
};
