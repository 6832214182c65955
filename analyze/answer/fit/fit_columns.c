/*
 * The tables of `fit`, column by column.  Data only.
 */
#include "analyze/answer/fit/fit.h"
#include "analyze/query/columns.h"

static const char script[] = "the documents' estimate_model_memory and its table of models";

const struct column fit_model_columns[FMODEL_COLUMNS] = {
	[FMODEL_PARAMS] = COL_INT("params", "parameters",
		"Parameters of the model (--params); of a mixture of experts all of them, as all "
		"must be resident.",
		UNIT_COUNT, 0),
	[FMODEL_GPU] = COL_TEXT(
		"gpu", "GPU", "Name of the GPU, when --gpu names one or the trace says it.", 0),
	[FMODEL_CAPACITY] = COL_INT("capacity_bytes", "memory",
		"Memory of the GPU as its driver exposes it: less than the number in its name.",
		UNIT_BYTES, 0),
	[FMODEL_USABLE] = COL_INT("usable_bytes", "usable",
		"90 % of capacity_bytes: up to here a regime fits.", UNIT_BYTES, 0),
	[FMODEL_INFERENCE] = COL_TEXT("best_inference", "to run",
		"The most precise way to run the model that fits; if none does, the most precise "
		"that is tight.",
		0),
	[FMODEL_TRAINING] = COL_TEXT("best_training", "to train",
		"The regime that needs the most and fits on one GPU (or on --gpus of them); if none "
		"does, the one that needs the fewest GPUs.",
		0),
	[FMODEL_TRAINABLE] = COL_INT("trainable_params", "trainable",
		"Trainable parameters of LoRA and QLoRA (--trainable).", UNIT_COUNT, COLUMN_HIDDEN),
	[FMODEL_CONTEXT] = COL_INT("context_bytes", "context",
		"Memory of the device's context and of communication buffers (--context).",
		UNIT_BYTES, COLUMN_HIDDEN),
	[FMODEL_FRAGMENTATION] = COL_REAL("fragmentation_ratio", "fragmentation",
		"What the allocator loses, as a share of what is needed (--fragmentation).",
		UNIT_RATIO, COLUMN_HIDDEN),
};

const struct column fit_regime_columns[FREG_COLUMNS] = {
	[FREG_REGIME] = COL_TEXT(
		"regime", "regime", "How the model is run or trained; `traceq explain ID`.", 0),
	[FREG_FORMULA] = COL_TEXT("formula", "bytes/param",
		"Bytes for each parameter; + 16 is for each trainable one; N is the number of GPUs.",
		0),
	[FREG_GPUS] = COL_INT("gpus", "GPUs",
		"GPUs the model is divided among: --gpus, else the fewest on which it fits; absent: "
		"no number is enough.",
		UNIT_COUNT, 0),
	[FREG_NEED] = COL_INT("need_bytes", "need",
		"Bytes on each GPU: weights_bytes + grads_bytes + optimizer_bytes + kv_bytes or "
		"activation_bytes.",
		UNIT_BYTES, 0),
	[FREG_TOTAL] = COL_INT("total_bytes", "with overhead",
		"need_bytes x (1 + fragmentation_ratio) + context_bytes.", UNIT_BYTES, 0),
	[FREG_RATIO] = COL_REAL("capacity_ratio", "of GPU",
		"total_bytes over the memory of the GPU.", UNIT_RATIO, 0),
	[FREG_VERDICT] = COL_TEXT("verdict", "verdict",
		"fits: at most 90 % of the GPU; tight: up to all of it; too large: more.", 0),
	[FREG_FREE] = COL_INT("free_bytes", "left",
		"Memory of the GPU less total_bytes: for KV cache or activations that are not in "
		"it. Absent when it is too large.",
		UNIT_BYTES, 0),
	[FREG_TOKENS] = { "kv_tokens", "KV tokens",
		"Tokens of KV cache, of all sequences together, that free_bytes holds: 2 x layers x "
		"KV heads x head size x bytes each. Known when the shape is (--layers ...).",
		"Pope et al. 2022, Efficiently Scaling Transformer Inference, section 2", CELL_INT,
		UNIT_COUNT, 0 },
	[FREG_MOST] = COL_INT("max_params", "most params",
		"Parameters of the largest model that fits on this GPU (--gpus of them), with what "
		"comes on top left as it is.",
		UNIT_COUNT, COLUMN_HIDDEN),
	[FREG_ID] = COL_TEXT("id", "id", "The regime's word.", COLUMN_HIDDEN),
	[FREG_WEIGHTS] = COL_INT(
		"weights_bytes", "weights", "Weights on each GPU.", UNIT_BYTES, COLUMN_HIDDEN),
	[FREG_GRADS] = COL_INT(
		"grads_bytes", "gradients", "Gradients on each GPU.", UNIT_BYTES, COLUMN_HIDDEN),
	[FREG_OPTIMIZER] = COL_INT("optimizer_bytes", "optimizer",
		"Master weights and moments on each GPU.", UNIT_BYTES, COLUMN_HIDDEN),
	[FREG_KV] = COL_INT("kv_bytes", "KV cache",
		"KV cache of --batch sequences of --seq tokens; absent when not asked for.",
		UNIT_BYTES, COLUMN_HIDDEN),
	[FREG_ACTIVATIONS] = { "activation_bytes", "activations",
		"Activations kept for the backward pass, fp16: layers x s b h (34 + 5 a s / h), "
		"without the last term with flash attention, 2 s b h with full recomputation.",
		"Korthikanti et al. 2022, Reducing Activation Recomputation, table 2", CELL_INT,
		UNIT_BYTES, COLUMN_HIDDEN },
};

const struct column fit_gpu_columns[FGPU_COLUMNS] = {
	[FGPU_NAME] = COL_TEXT("gpu", "GPU", "Name, as --gpu takes it.", 0),
	[FGPU_MEMORY] = COL_INT("capacity_bytes", "memory",
		"What the driver exposes; drivers differ by about 1 %.", UNIT_BYTES, 0),
	[FGPU_INFERENCE] = COL_TEXT("best_inference", "to run",
		"The most precise way to run the model on one of them that fits, else is tight.",
		0),
	[FGPU_TRAINING] = COL_TEXT("best_training", "to train",
		"The regime that needs the most and fits on one of them.", 0),
	[FGPU_MOST] = COL_INT("zero3_gpus", "GPUs for ZeRO-3",
		"The fewest GPUs on which mixed precision with everything divided fits.",
		UNIT_COUNT, 0),
};

const struct column fit_seed_columns[FSEED_COLUMNS] = {
	[FSEED_MODEL] = { "model", "Model", "As the document names it.", script, CELL_TEXT,
		UNIT_NONE, 0 },
	[FSEED_INFERENCE] = { "inference", "Inference (fp16)",
		"2 bytes a parameter over 2^30, which the document calls GB.", script, CELL_TEXT,
		UNIT_NONE, 0 },
	[FSEED_TRAINING] = { "training", "Training (fp16+Adam)",
		"12 bytes a parameter over 2^30: 2 of weights, 2 of gradients, 8 of moments; no "
		"master weights, no activations, no context.",
		script, CELL_TEXT, UNIT_NONE, 0 },
	[FSEED_PARAMS] =
		COL_INT("params", "parameters", "Its parameters.", UNIT_COUNT, COLUMN_HIDDEN),
	[FSEED_INFERENCE_BYTES] = COL_INT(
		"inference_bytes", "inference", "2 bytes a parameter.", UNIT_BYTES, COLUMN_HIDDEN),
	[FSEED_TRAINING_BYTES] = COL_INT(
		"training_bytes", "training", "12 bytes a parameter.", UNIT_BYTES, COLUMN_HIDDEN),
};

const struct column fit_compat_columns[FCOMPAT_COLUMNS] = {
	[FCOMPAT_MODEL] = { "model", "Model", "As the document names it.", script, CELL_TEXT,
		UNIT_NONE, 0 },
	[FCOMPAT_REQUIRED] = { "required", "Required",
		"The document's literal numbers 14, 60, 140, 74, 296; they follow from no formula "
		"and contradict its own table above (60 there is 78.2).",
		script, CELL_TEXT, UNIT_NONE, 0 },
	[FCOMPAT_STATUS] = { "status", "Status",
		"The document's rule: required is at most total memory over 2^30.", script,
		CELL_TEXT, UNIT_NONE, 0 },
	[FCOMPAT_NEED] = COL_TEXT("need", "traceq: need",
		"By the regimes of `traceq fit`: 2 bytes a parameter for inference, 16 for training "
		"(mixed precision with master weights); all 671 B of V3.",
		0),
	[FCOMPAT_VERDICT] = COL_TEXT("verdict", "traceq: verdict",
		"The same, with 5 % fragmentation and 0.75 GiB of context.", 0),
	[FCOMPAT_REQUIRED_BYTES] = COL_INT("required_bytes", "required",
		"The literal number times 2^30, as it is compared.", UNIT_BYTES, COLUMN_HIDDEN),
	[FCOMPAT_NEED_BYTES] = COL_INT("need_bytes", "traceq: need",
		"The need by traceq, in bytes.", UNIT_BYTES, COLUMN_HIDDEN),
};
