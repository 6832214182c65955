/* The table of devices against what their architecture does in a clock, and against itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/costmodel/hardware.h"
#include "base/compiler.h"

/* Operations of one SM or CU in a clock, a multiply and an add being two; 0: there is no unit. */
struct arch {
	const char *rows;                                /* " NAME NAME " */
	double m64, tf32, m32, m16, fp8, fp6, fp4, int8; /* matrix; m16: FP16 and BF16 */
	double v64, v32, v16;
};

/* From the white papers of each architecture: units of an SM or CU and their width. */
static const struct arch archs[] = {
	{ " V100-16 V100-32 V100-PCIe-16 V100-PCIe-32 V100S ", 0, 0, 0, 1024, 0, 0, 0, 0, 64, 128,
		256 },
	{ " T4 ", 0, 0, 0, 1024, 0, 0, 0, 2048, 4, 128, 256 },
	{ " A100-40 A100-80 A100-80-PCIe A800 A30 ", 128, 1024, 0, 2048, 0, 0, 0, 4096, 64, 128,
		512 },
	{ " A10 A40 ", 0, 512, 0, 1024, 0, 0, 0, 2048, 4, 256, 256 },
	{ " L4 L40S ", 0, 512, 0, 1024, 2048, 0, 0, 2048, 4, 256, 256 },
	{ " L40 ", 0, 256, 0, 512, 1024, 0, 0, 1024, 4, 256, 256 },
	/* GeForce: half as fast with FP32 accumulation */
	{ " RTX-4090 ", 0, 256, 0, 512, 1024, 0, 0, 2048, 4, 256, 256 },
	{ " H100-80 H100-PCIe H100-94 H200 H200-NVL GH200-96 GH200-144 ", 256, 2048, 0, 4096, 8192,
		0, 0, 8192, 128, 256, 512 },
	{ " MI210 MI250 MI250X ", 256, 0, 256, 1024, 0, 0, 0, 1024, 128, 128, 0 },
	{ " MI300A MI300X MI325X ", 256, 1024, 256, 2048, 4096, 0, 0, 4096, 128, 256, 0 },
	{ " MI350X MI355X ", 128, 0, 256, 4096, 8192, 16384, 16384, 8192, 128, 256, 0 },
};

static bool is_of(const struct arch *a, const char *row)
{
	const char *at = strstr(a->rows, row);
	size_t n = strlen(row);

	for (; at; at = strstr(at + 1, row))
		if (at[-1] == ' ' && at[n] == ' ')
			return true;
	return false;
}

/* Rates that are there agree with units x clock x operations; returns how many. */
static int64_t compare(
	const struct hardware *h, double tflops, double mhz, double ops, const char *what)
{
	double expected = h->units * mhz * 1e6 * ops / 1e12;

	if (tflops <= 0)
		return 0;
	if (!(fabs(tflops - expected) <= 0.02 * expected))
		fail_msg("%s %s: %.1f, and units x clock x operations are %.1f", h->name, what,
			tflops, expected);
	return 1;
}

static int64_t compare_all(const struct hardware *h, const struct arch *a)
{
	double m = h->matrix_mhz, v = h->vector_mhz;
	int64_t n = 0;

	n += compare(h, h->matrix[ROOF_FP64], v, a->m64, "matrix fp64");
	n += compare(h, h->matrix[ROOF_TF32], m, a->tf32, "matrix tf32");
	n += compare(h, h->matrix[ROOF_FP32], m, a->m32, "matrix fp32");
	n += compare(h, h->matrix[ROOF_FP16], m, a->m16, "matrix fp16");
	n += compare(h, h->matrix[ROOF_BF16], m, a->m16, "matrix bf16");
	n += compare(h, h->matrix[ROOF_FP8], m, a->fp8, "matrix fp8");
	n += compare(h, h->matrix[ROOF_FP6], m, a->fp6, "matrix fp6");
	n += compare(h, h->matrix[ROOF_FP4], m, a->fp4, "matrix fp4");
	n += compare(h, h->matrix[ROOF_INT8], m, a->int8, "matrix int8");
	n += compare(h, h->vector[ROOF_FP64], v, a->v64, "vector fp64");
	n += compare(h, h->vector[ROOF_FP32], v, a->v32, "vector fp32");
	n += compare(h, h->vector[ROOF_FP16], v, a->v16, "vector fp16");
	return n;
}

/* Every row with a clock is of exactly one architecture, and does what that can. */
static void rates_are_what_units_can(void **state)
{
	size_t i, k, n, rows = 0;
	const struct hardware *h = hardware_all(&n);
	int64_t compared = 0;

	(void)state;
	for (i = 0; i < n; i++) {
		size_t of = 0;

		if (h[i].matrix_mhz <= 0)
			continue;
		for (k = 0; k < COUNT_OF(archs); k++) {
			if (!is_of(&archs[k], h[i].name))
				continue;
			compared += compare_all(&h[i], &archs[k]);
			of++;
		}
		if (of != 1)
			fail_msg("%s is of %zu architectures", h[i].name, of);
		rows++;
	}
	assert_true(rows >= 32);
	assert_true(compared > 200);
}

/* What no clock is documented for obeys the ratios of its architecture: FP8 is twice FP16, FP4
 * twice FP8, TF32 at most half; figures with sparsity in one column would break them. */
static void formats_stand_to_each_other(void **state)
{
	size_t i, n;
	const struct hardware *h = hardware_all(&n);

	(void)state;
	for (i = 0; i < n; i++) {
		const double *m = h[i].matrix;

		if (strncmp(h[i].name, "Gaudi", 5) == 0) /* FP8 as fast as BF16 */
			continue;
		if (m[ROOF_FP8] > 0 && fabs(m[ROOF_FP8] / m[ROOF_BF16] - 2) > 0.05)
			fail_msg("%s: FP8 and BF16", h[i].name);
		if (m[ROOF_FP4] > 0 && fabs(m[ROOF_FP4] / m[ROOF_FP8] - 2) > 0.05)
			fail_msg("%s: FP4 and FP8", h[i].name);
		if (m[ROOF_TF32] > 0 && fabs(m[ROOF_TF32] / m[ROOF_FP16] - 0.5) > 0.02)
			fail_msg("%s: TF32 and FP16", h[i].name);
		if (m[ROOF_BF16] > 0 && m[ROOF_FP16] > 0)
			assert_true(m[ROOF_BF16] == m[ROOF_FP16]);
	}
}

/* A row with rates says where they are from and how fast its memory is, one without says nothing.
 */
static void rows_are_complete(void **state)
{
	size_t i, k, n;
	const struct hardware *h = hardware_all(&n);
	bool is_ambiguous;

	(void)state;
	for (i = 0; i < n; i++) {
		double sum = h[i].memory_gb_s + h[i].link_gb_s + h[i].units;

		for (k = 0; k < ROOF_DTYPE_COUNT; k++)
			sum += h[i].matrix[k] + h[i].vector[k];
		assert_true((h[i].source != NULL) == (sum > 0));
		if (h[i].source)
			assert_true(h[i].memory_gb_s > 0 && *h[i].source);
		if (!h[i].is_variant)
			assert_true(h[i].memory > 0);
		for (k = 0; k < n; k++)
			if ((hardware_named(h[i].name, &is_ambiguous) == &h[k]) != (i == k))
				fail_msg("%s means row %zu, not %zu", h[i].name, k, i);
	}
}

/* The devices that people ask for, by what drivers and people call them. */
static void names(void **state)
{
	static const char *const same[][2] = { { "Tesla T4", "T4" }, { "NVIDIA A10", "A10" },
		{ "NVIDIA A30", "A30" }, { "NVIDIA A100-SXM4-40GB", "A100-40" },
		{ "A100-PCIE-40GB", "A100-40" }, { "NVIDIA A100-SXM4-80GB", "A100-80" },
		{ "NVIDIA A100 80GB PCIe", "A100-80-PCIe" }, { "NVIDIA L4", "L4" },
		{ "NVIDIA L40S", "L40S" }, { "NVIDIA L40", "L40" },
		{ "NVIDIA GeForce RTX 4090", "RTX-4090" }, { "NVIDIA H100 80GB HBM3", "H100-80" },
		{ "NVIDIA H100 PCIe", "H100-PCIe" }, { "NVIDIA H100 NVL", "H100-94" },
		{ "NVIDIA H200", "H200" }, { "NVIDIA H200 NVL", "H200-NVL" },
		{ "NVIDIA GH200 480GB", "GH200-96" }, { "NVIDIA GH200 144G HBM3e", "GH200-144" },
		{ "NVIDIA B200", "B200" }, { "NVIDIA GB200", "GB200" },
		{ "Tesla V100-SXM2-32GB", "V100-32" }, { "Tesla V100-PCIE-16GB", "V100-PCIe-16" },
		{ "AMD Instinct MI210", "MI210" }, { "AMD Instinct MI250X", "MI250X" },
		{ "AMD Instinct MI300X", "MI300X" }, { "AMD Instinct MI325X", "MI325X" },
		{ "AMD Instinct MI355X", "MI355X" }, { "Gaudi 3", "Gaudi3" },
		{ "TPU v5 lite", "TPU-v5e" }, { "TPU v5p", "TPU-v5p" }, { "TPU v4", "TPU-v4" },
		{ "TPU v6e", "TPU-v6e" } };
	static const char *const others[] = { "NVIDIA GeForce RTX 4090 D",
		"NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA A2", "AMD Instinct MI999", "" };
	bool is_ambiguous;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(same); i++) {
		const struct hardware *h = hardware_named(same[i][0], &is_ambiguous);

		if (!h || strcmp(h->name, same[i][1]) != 0 || !h->source)
			fail_msg("'%s' is %s", same[i][0], h ? h->name : "nothing");
	}
	for (i = 0; i < COUNT_OF(others); i++)
		if (hardware_named(others[i], &is_ambiguous))
			fail_msg("'%s' is %s", others[i],
				hardware_named(others[i], &is_ambiguous)->name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_are_what_units_can),
		cmocka_unit_test(formats_stand_to_each_other),
		cmocka_unit_test(rows_are_complete),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
