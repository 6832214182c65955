/* `fit`: how much memory a model needs, by regime, and what fits on a GPU.  The options and the
 * order of tables; fit_regimes.c has the arithmetic, hardware.c the names of GPUs. */
#include "analyze/answer/fit/fit.h"

#include <ctype.h>

#include "analyze/costmodel/hardware.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/filter.h"
#include "base/opt.h"
#include "base/setting.h"

/* ---- its options, understood and checked ---- */

#define SHAPE_MAX (INT64_C(1) << 40)

static int64_t factor_of(const char *suffix)
{
	static const struct {
		char letter;
		int64_t factor;
	} words[] = { { 'k', 1000 }, { 'm', 1000000 }, { 'b', 1000000000 }, { 'g', 1000000000 },
		{ 't', INT64_C(1000000000000) } };

	while (*suffix == ' ')
		suffix++;
	if (!*suffix)
		return 1;
	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (tolower((unsigned char)*suffix) == words[i].letter && !suffix[1])
			return words[i].factor;
	return 0;
}

static enum status no_params(const char *text, const char *option, struct err *e)
{
	return err_hinted(e, E_USAGE, "such as 7B, 0.5B, 494M or 494,033,920; at most 1000T",
		"'%s' is no value for '%s': a number of parameters is wanted", text, option);
}

enum status fit_parse_params(const char *text, const char *option, int64_t *n, struct err *e)
{
	int64_t digits = 0, scale = 1;
	bool has_point = false, has_digit = false;
	const char *p;

	for (p = text; isdigit((unsigned char)*p) || *p == '.' || *p == ',' || *p == '_'; p++) {
		if (*p == '.' && has_point)
			return no_params(text, option, e);
		has_point |= *p == '.';
		if (!isdigit((unsigned char)*p))
			continue;
		has_digit = true;
		if (digits > FIT_PARAMS_MAX || scale > FIT_PARAMS_MAX)
			return no_params(text, option, e);
		digits = digits * 10 + (*p - '0');
		scale *= has_point ? 10 : 1;
	}
	int64_t factor = factor_of(p);
	if (!has_digit || factor == 0)
		return no_params(text, option, e);
	while (scale > 1 && factor > 1) {
		scale /= 10;
		factor /= 10;
	}
	if (scale > 1 || mul_overflows(digits, factor, n) || *n < 1 || *n > FIT_PARAMS_MAX)
		return no_params(text, option, e);
	return OK;
}

static enum status find_regime(struct fit *f, const char *id, struct err *e)
{
	size_t n;
	const struct fit_regime *all = fit_regimes(&n);
	SCOPED_STR b = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (strcmp(all[i].word.id, id) == 0)
			f->only = &all[i];
		str_addf(&b, "%s%s", i ? ", " : "", all[i].word.id);
	}
	if (!f->only) {
		err_set(e, E_USAGE, -1, "--regime '%s' is none", id);
		(void)err_hint(e, "there are %s", b.s);
	}
	return f->only ? OK : E_USAGE;
}

static enum status check_counts(const struct fit_options *o, struct err *e)
{
	const struct {
		const char *name;
		int64_t v, least;
	} counts[] = { { "gpus", o->gpus, 0 }, { "layers", o->layers, 0 },
		{ "hidden", o->hidden, 0 }, { "heads", o->heads, 0 },
		{ "kv-heads", o->kv_heads, 0 }, { "head-dim", o->head_dim, 0 },
		{ "seq", o->seq, 0 }, { "batch", o->batch, 1 } };

	for (size_t i = 0; i < COUNT_OF(counts); i++)
		if (counts[i].v < counts[i].least || counts[i].v > SHAPE_MAX)
			return err_set(e, E_USAGE, -1, "--%s wants 1 or more, got %" PRId64,
				counts[i].name, counts[i].v);
	if (o->gpus > FIT_GPUS_MAX)
		return err_set(e, E_USAGE, -1, "--gpus needs at most %d", FIT_GPUS_MAX);
	return OK;
}

static bool has_layer_shape(const struct fit_options *o)
{
	bool is_stored = o->attention && strcmp(o->attention, "standard") == 0;

	return o->layers && o->hidden && (o->heads || !is_stored);
}

static enum status measure_shape(struct fit *f, struct err *e)
{
	const struct fit_options *o = f->o;
	struct fit_model *m = &f->model;
	bool is_small = true;

	if (o->layers && (o->heads || o->kv_heads) && (o->head_dim || (o->hidden && o->heads)))
		is_small = fit_kv_token(o, &m->kv_token);
	if (is_small && m->kv_token && o->seq)
		is_small = !mul_overflows(m->kv_token, o->seq, &m->kv) &&
			!mul_overflows(m->kv, o->batch, &m->kv);
	if (is_small && has_layer_shape(o) && o->seq)
		is_small = fit_activations(o, &m->activations);
	if (!is_small || m->kv > INT64_C(1) << 60 || m->activations > INT64_C(1) << 60)
		return err_set(e, E_USAGE, -1, "a model of that shape has no place in 64 bits");
	return OK;
}

/* what they say.  E_USAGE where they make no sense. */
static enum status fit_read_options(struct fit *f, const struct fit_options *o, struct err *e)
{
	static const struct setting context = { "--context", SETTING_BYTES, "", NULL, "" };
	struct capacity gpu = { NULL, 0 };
	struct setting_value v;

	*f = (struct fit){ .o = o };
	TRY(check_counts(o, e));
	TRY(setting_parse(&context, o->context, &v, e));
	if (v.i > INT64_C(1) << 60)
		return err_set(e, E_USAGE, -1, "--context '%s' is too large", o->context);
	f->overhead.context = v.i;
	TRY(setting_number(
		"--fragmentation", SETTING_RATIO, o->fragmentation, &f->overhead.fragmentation, e));
	if (o->params)
		TRY(fit_parse_params(o->params, "--params", &f->model.params, e));
	f->model.trainable = saturate_whole((double)f->model.params * FIT_TRAINABLE);
	if (o->trainable)
		TRY(fit_parse_params(o->trainable, "--trainable", &f->model.trainable, e));
	if (o->params && f->model.trainable > f->model.params)
		return err_set(e, E_USAGE, -1, "--trainable is more than --params");
	if (o->regime)
		TRY(find_regime(f, o->regime, e));
	if (o->gpu)
		TRY(capacity_parse(o->gpu, "--gpu", &gpu, e));
	f->gpu = gpu.name;
	f->capacity = gpu.memory;
	return measure_shape(f, e);
}

/* ---- options and the order of tables ---- */

#define AT(field) offsetof(struct fit_options, field)
static const struct opt options[] = {
	TEXT_OPT("params", 0, "N", AT(params), "parameters of the model: 7B, 494M, 494,033,920"),
	TEXT_OPT("gpu", 0, "NAME|SIZE", AT(gpu),
		"its memory: T4, A100-40, H100, MI300X ... or 16GiB [the GPU of the trace, if one is "
		"given]"),
	INT_OPT("gpus", 0, "N", AT(gpus),
		"GPUs for ZeRO [the fewest that fit; 8 when no GPU is given]"),
	TEXT_OPT("regime", 0, "ID", AT(regime), "only this one: lora, zero3, ... ('id' in --json)"),
	TEXT_OPT("trainable", 0, "N", AT(trainable),
		"trainable parameters of LoRA and QLoRA [0.6% of the parameters]"),
	INT_OPT("layers", 0, "N", AT(layers), "layers, for KV cache and activations"),
	INT_OPT("hidden", 0, "N", AT(hidden), "hidden size"),
	INT_OPT("heads", 0, "N", AT(heads), "attention heads"),
	INT_OPT("kv-heads", 0, "N", AT(kv_heads),
		"heads with keys and values of their own [--heads]"),
	INT_OPT("head-dim", 0, "N", AT(head_dim), "size of a head [--hidden / --heads]"),
	INT_OPT("seq", 0, "TOKENS", AT(seq),
		"tokens of a sequence: counts KV cache and activations"),
	INT_OPT("batch", 0, "N", AT(batch), "sequences at a time, on each GPU [1]"),
	CHOICE_OPT("kv-dtype", "TYPE", AT(kv_dtype), "fp32|fp16|bf16|fp8|int8",
		"of the KV cache [fp16]"),
	CHOICE_OPT("recompute", "WHICH", AT(recompute), "none|full",
		"activations that are recomputed [none]"),
	CHOICE_OPT("attention", "WHICH", AT(attention), "flash|standard",
		"whether attention scores are stored [flash: no]"),
	TEXT_OPT("context", 0, "SIZE", AT(context),
		"memory of the GPU's context and of communication [0.75GiB]"),
	TEXT_OPT("fragmentation", 0, "RATIO", AT(fragmentation), "what the allocator loses [5%]"),
	FLAG_OPT("seed-compat", 0, AT(is_seed), NULL),
};

static enum status check(const void *opts, const struct settings *settings UNUSED, struct err *e)
{
	struct fit f;

	return fit_read_options(&f, opts, e);
}

/* The GPU that a file lists: the one of its "device", else the first. */
static void take_listed_gpu(struct fit *f, const struct record *r, struct result *out)
{
	const struct sheet *s = r ? record_find_sheet(r, SHEET_GPUS) : NULL;
	double device = r ? scalar_number(record_find(&r->scalars, "device")) : NAN;
	size_t row = 0;

	if (!s || s->table.nrow == 0)
		return;
	for (size_t i = 0; i < s->table.nrow && !isnan(device); i++)
		if (number_same(table_number_at(&s->table, i, GPUS_INDEX), device))
			row = i;
	double bytes = table_number_at(&s->table, row, GPUS_MEMORY_BYTES);
	if (!(bytes >= 1 && bytes < 9e18))
		return;
	struct span name = table_text_at(&s->table, row, GPUS_NAME);
	f->capacity = saturate_whole(bytes);
	if (name.n)
		f->gpu = arena_copy(&out->mem, name.p, name.n);
}

/* The GPU of a trace or file, where --gpu does not say. */
static void take_gpu(struct fit *f, const struct query *q, struct result *out)
{
	const struct run *r = q->nrun ? q->run[0] : NULL;

	if (!r || f->capacity)
		return;
	if (r->meta.ngpu == 0 || r->meta.gpu[0].memory_bytes <= 0) {
		take_listed_gpu(f, r->record, out);
		return;
	}
	struct span name = strings_get(&r->strings, r->meta.gpu[0].name);
	f->capacity = r->meta.gpu[0].memory_bytes;
	if (name.n)
		f->gpu = arena_copy(&out->mem, name.p, name.n);
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

	if (!r)
		return;
	double v = model_number(r, "total_params", &out->mem);
	if (!o->params && v >= 1 && v <= (double)FIT_PARAMS_MAX) {
		o->params = arena_printf(&out->mem, "%.0f", v);
		result_note(out, NOTE_INFO, "fit_from_file", 0, -1,
			"the number of parameters is from the file");
	}
	for (size_t i = 0; i < COUNT_OF(model_keys); i++) {
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
	/* E_USAGE when --seq is given and nothing says what shape the model has. */
	if (f.o->seq && !f.model.kv && !f.model.activations)
		return err_set(e, E_USAGE, -1,
			"--seq needs the shape of the model: --layers, --hidden and --heads");
	take_gpu(&f, q, out);
	if (o.is_seed)
		fit_seed(out, f.capacity);
	if (!f.model.params && !f.capacity && !o.is_seed)
		return err_hinted(e, E_USAGE, "such as: traceq fit --params 7B --gpu 16GiB",
			"neither --params nor --gpu is given");
	if (!f.model.params && (!f.capacity || o.is_seed))
		return OK;
	fit_put_model(&f, out);
	fit_put_regimes(&f, out);
	if (!f.capacity)
		fit_put_gpus(&f, out);
	if (f.model.params && !f.model.kv && !f.model.activations)
		result_note(out, NOTE_INFO, "fit_excludes", -1, -1,
			"KV cache and activations are not in it: their size needs the model's "
			"shape (--layers, --hidden, --heads, --seq, --batch)");
	return OK;
}

static const struct analysis_word *word(size_t i)
{
	size_t n;
	const struct fit_regime *r = fit_regimes(&n);

	return i < n ? &r[i].word : NULL;
}

ANALYSIS(fit) = {
	.name = "fit",
	.summary = "memory a model needs to run or train, by regime, and what fits on a GPU",
	.help.doc =
		"Bytes for each parameter times parameters, for each way to run or train a "
		"model: what weights, gradients and the optimizer's state take on each GPU. KV "
		"cache and activations come on top when the model's shape is given.\n\n"
		"The verdict counts 5% for fragmentation and 0.75 GiB for the GPU's context: "
		"fits is at most 90% of the GPU, tight up to all of it. A GPU exposes less than "
		"its name says: a T4 of 16 GB has 14.75 GiB.\n\n"
		"Without --gpu, what fits on which GPU; without --params, the largest model "
		"that fits (max_params in --json). A trace stands for the GPU it was recorded "
		"on, baseline_metrics.json for the model it is about, gpu_profile.json for its "
		"GPU.\n\n"
		"Of a mixture of experts all parameters must be resident, not only the active "
		"ones.",
	.help.source = "bytes per parameter: the guides' estimate_model_memory; Rajbhandari et al. "
		       "2020 (ZeRO); Dettmers et al. 2023 (QLoRA); Korthikanti et al. 2022 "
		       "(activations); docs/definitions.md",
	.help.examples = "traceq fit --params 7B --gpu 16GiB\n"
			 "traceq fit --params 70B --gpu H100 --gpus 8\n"
			 "traceq fit --params 8B --layers 32 --hidden 4096 --heads 32 --seq 8192",
	.runs.min = 0,
	.runs.max = 1,
	.runs.takes_records = true,
	.options.ignores = FILTER_ALL,
	ANALYSIS_OPTIONS(options, struct fit_options, .batch = 1, .context = "0.75GiB",
		.fragmentation = "5%"),
	.options.nhidden = 1,
	ANALYSIS_TABLES(fit, FIT),
	.options.check = check,
	.help.word = word,
	.compute = compute,
};
