/* The rule about formats of numbers: matrix work in more bits than it may need (G25). */
#include "analyze/answer/diagnose/rules.h"

/* Of kernels of the families that do matrix work.  NULL: nothing can be timed again. */
static const struct scenario *in_16_bits(const struct profile *x)
{
	const struct judge *j = x->judge;
	size_t words = x->run->events.n / 64 + 1;

	if (!j || j->doubt || x->device.matrix.in_steps <= 0)
		return NULL;
	uint64_t *rows = arena_array(x->mem, words, sizeof(*rows));
	for (size_t f = 0; f < FAMILY_COUNT; f++)
		for (size_t i = 0; family_is_matrix((enum family)f) && j->family[f] && i < words;
			i++)
			rows[i] |= j->family[f][i];
	struct change *change = arena_alloc(x->mem, sizeof(*change));
	*change = (struct change){ .kind = CHANGE_KERNEL,
		.factor = fmax(1 - x->wide.saves / (double)x->device.matrix.in_steps, 0),
		.ns = -1,
		.rows = rows };
	struct scenario *s = arena_alloc(x->mem, sizeof(*s));
	*s = (struct scenario){ .change = change, .n = 1 };
	return s;
}

static void check_precision(struct look *k, struct finding *f, const struct profile *x)
{
	const struct profile_wide *w = &x->wide;

	f->unit = UNIT_RATIO;
	if (!x->hangs_on_kernels) {
		f->text = "faster kernels would save next to nothing";
		return;
	}
	if (finding_unknown(
		    f, !w->is_known, "the GPU's peak rate in a format of 16 bits is not known"))
		return;
	f->value = x->account.ledger.compute > 0 ? (double)w->ns / (double)x->account.ledger.compute
						 : 0;
	f->share = rules_share(x, saturate_round(w->saves));
	f->text = "no matrix work in fp32 or tf32 that fewer bits would make faster";
	if (w->ns == 0)
		return;
	f->text = arena_printf(x->mem,
		"matrix work in fp32 or tf32 is %s of computing; in %s it takes %s less%s",
		unit_percent(x->mem, f->value), roof_dtype_words[w->as],
		rules_step_time(x, saturate_round(w->saves)),
		w->is_of_roofs ? " at the same share of its roof" : " at most");
	if (f->value <= look_limit(k, "G25.note"))
		return;
	f->severity = MAX(look_above(k, f->share, "G25.warn", NULL), SEVERITY_NOTE);
	f->change = in_16_bits(x);
	if (!w->has_fp32)
		f->action = "automatic mixed precision: torch.autocast(device_type='cuda', "
			    "dtype=torch.bfloat16)";
	if (w->as == ROOF_FP16)
		f->action = "automatic mixed precision: torch.autocast(device_type='cuda', "
			    "dtype=torch.float16) and a GradScaler";
}

RULE(G25, "fp32 matrices",
	"Matrix products and convolutions that are computed in FP32 or TF32 on a GPU whose "
	"tensor cores (matrix cores) are at least half as fast again in BF16 or FP16. What it "
	"would save is time at the same share of the roof: as many operations at the higher "
	"peak, half as many bytes. Without shapes kernels' names say what is FP32, and no byte "
	"counts, so that it is at most that.",
	"PyTorch's TensorBoard plugin: tensor cores usage; NVIDIA's mixed precision guide",
	.advice = "automatic mixed precision: torch.autocast(device_type='cuda', "
		  "dtype=torch.bfloat16); where FP32 has to stay, "
		  "torch.set_float32_matmul_precision('high')",
	.plain_advice = "keep matrices in bf16 or fp16 and add up in fp32",
	.verdict = "compute-bound", .has_saving = true,
	.limits = LIMITS(
		LIMIT("diagnose.G25.note", RATIO, "10%",
			"a note when more of computing than this is matrix work in more bits"),
		LIMIT("diagnose.G25.warn", RATIO, "15%",
			"WARN when fewer bits save more than this share of a step")),
	.run = check_precision)
