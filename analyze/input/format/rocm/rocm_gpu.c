/* What is said of the machine: GPUs as Kineto's deviceProperties, and members of the document. */
#include <inttypes.h>

#include "analyze/input/format/rocm/rocm.h"
#include "analyze/input/text/num.h"
#include "base/compiler.h"

static void add_number(struct str *b, const char *key, int64_t v)
{
	if (v > 0)
		emit_gpu_number(b, key, v);
}

void rocm_gpu(struct rocm *r, const struct rocm_gpu *g)
{
	struct str *b = &r->gpus;
	size_t word = (size_t)g->number / 64;

	if (g->number < 0 || word >= COUNT_OF(r->gpu_known) ||
		r->gpu_known[word] >> (g->number % 64) & 1)
		return;
	r->gpu_known[word] |= UINT64_C(1) << (g->number % 64);
	emit_gpu_begin(b, g->number, g->name);
	add_number(b, "totalGlobalMem", g->memory_bytes);
	add_number(b, "numSms", g->cus);
	add_number(b, "warpSize", g->warp);
	if (g->warp > 0 && g->warp <= 1024 && g->waves_per_cu > 0 && g->waves_per_cu <= 1024)
		add_number(b, "maxThreadsPerMultiprocessor", g->warp * g->waves_per_cu);
	add_number(b, "sharedMemPerMultiprocessor", g->lds_bytes);
	if (g->target >= 10000)
		str_addf(b, ", \"computeMajor\": %" PRId64 ", \"computeMinor\": %" PRId64,
			g->target / 10000, g->target / 100 % 100);
	str_addc(b, '}');
}

void rocm_member(struct rocm *r, const char *key, struct span text)
{
	struct str b = { 0 };

	emit_quote(&b, text);
	emit_member(&r->m, key, (struct span){ b.s + 1, b.n - 2 }, true);
	str_free(&b);
}

static int64_t number(struct json_value o, const char *key)
{
	struct json_value v = json_get(o, key);
	int64_t n;

	return v.type != JSON_NONE && num_i64(v.text, &n) ? n : -1;
}

/* What memory the device has of its own. */
static int64_t memory_of(struct json_value banks)
{
	int64_t all = 0;

	for (struct json_items it = json_list(banks); json_more(&it);) {
		int64_t n = number(it.v, "size_in_bytes");

		if (n < 0 || add_overflows(all, n, &all))
			return -1;
	}
	return all;
}

void rocm_gpu_of_json(struct rocm *r, struct json_value agent, int64_t gpu)
{
	struct json_value product = json_get(agent, "product_name");
	struct json_value name = product.text.n ? product : json_get(agent, "name");
	int64_t lds = number(agent, "lds_size_in_kb");
	struct rocm_gpu g = {
		.number = gpu,
		.name = rocm_keep_json(r, name.text, name.escaped),
		.memory_bytes = memory_of(json_get(agent, "mem_banks")),
		.cus = number(agent, "cu_count"),
		.warp = number(agent, "wave_front_size"),
		.waves_per_cu = number(agent, "max_waves_per_cu"),
		.lds_bytes = lds > 0 && lds < 1 << 20 ? lds << 10 : -1,
		.target = number(agent, "gfx_target_version"),
	};

	rocm_gpu(r, &g);
}
