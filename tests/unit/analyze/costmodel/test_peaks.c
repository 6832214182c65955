/* Which peaks a run has: by what the trace says of its devices, by --peak, by a setting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/costmodel/peaks.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "base/compiler.h"
#include "base/setting.h"
#include "base/table.h"
#include "tests/unit/near.h"

#define MIB(n) ((int64_t)(n) << 20)

static struct roof_peaks of(const char *name, int64_t sms, int64_t memory)
{
	struct gpu g = { .sms = sms, .memory_bytes = memory };
	struct roof_peaks p;

	peaks_of_gpu(&p, &g, span_of(name));
	return p;
}

static void is_row(const char *name, int64_t sms, int64_t memory, const char *row)
{
	struct roof_peaks p = of(name, sms, memory);

	if (!p.device || strcmp(p.device, row) != 0)
		fail_msg("'%s', %d, %lld: %s, not %s", name, (int)sms, (long long)memory,
			p.device ? p.device : "nothing", row);
}

/* As they stand in real traces. */
static void devices_of_traces(void **state)
{
	struct roof_peaks p;

	(void)state;
	is_row("NVIDIA A100-PG509-200", 108, INT64_C(42505273344), "A100-40");
	is_row("Tesla V100-SXM2-16GB", 80, INT64_C(16945512448), "V100-16");
	is_row("Tesla V100-DGXS-32GB", 80, INT64_C(34084028416), "V100-32");
	is_row("AMD Instinct MI210", 104, INT64_C(68702699520), "MI210");
	is_row("AMD Instinct MI300X", 304, INT64_C(206141652992), "MI300X");
	is_row("", 304, INT64_C(206141652992), "MI300X");
	is_row("gfx942", 304, MIB(262128), "MI325X");
	is_row("NVIDIA A100", 108, INT64_C(42297524224), "A100-40");
	p = of("NVIDIA H100 80GB HBM3", 132, MIB(81008));
	near(p.matrix[ROOF_BF16], 989.4e12, 1e-9);
	near(p.vector[ROOF_FP32], 66.9e12, 1e-9);
	near(p.memory_Bps, 3.35e12, 1e-9);
	near(p.link_Bps, 450e9, 1e-9);
	assert_true(isnan(p.matrix[ROOF_FP4]));
	assert_non_null(p.source);
}

/* One die of an MI250 and an MI210 compute alike; their links do not. */
static void a_name_that_says_little(void **state)
{
	struct roof_peaks p = of("AMD Radeon Graphics", 104, INT64_C(68702699520));

	(void)state;
	assert_non_null(p.device);
	near(p.matrix[ROOF_FP16], 181e12, 1e-9);
	assert_true(isnan(p.link_Bps));
	assert_true(p.is_alike);
	assert_false(of("AMD Instinct MI210", 104, INT64_C(68702699520)).is_alike);
}

/* A name of several that differ, a name that is none, one with more units than it can have. */
static void nothing_is_guessed(void **state)
{
	static const struct {
		const char *name;
		int64_t sms, memory;
	} unknown[] = { { "NVIDIA H100", -1, -1 }, { "NVIDIA A100", 108, MIB(81038) },
		{ "Tesla V100", 80, INT64_C(16945512448) },
		{ "gfx950", 256, INT64_C(309000000000) },
		{ "NVIDIA GeForce RTX 4090 D", 114, MIB(24083) }, { "", 104, MIB(1000) },
		{ "NVIDIA T4", 80, MIB(15102) }, { "", -1, -1 } };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(unknown); i++) {
		struct roof_peaks p = of(unknown[i].name, unknown[i].sms, unknown[i].memory);

		if (p.device || !isnan(p.matrix[ROOF_FP16]) || !isnan(p.memory_Bps))
			fail_msg("'%s' is %s", unknown[i].name, p.device);
	}
}

/* 3g.20gb of an A100-40: 42 of 108 SMs, 4 of 8 slices of memory.  MI300X in CPX mode: 38 of 304
 * CUs that see all memory. */
static void parts_of_devices(void **state)
{
	struct roof_peaks p = of("NVIDIA A100-SXM4-40GB MIG 3g.20gb", 42, INT64_C(42297524224) / 2);

	(void)state;
	assert_string_equal(p.device, "A100-40");
	near(p.share, 42.0 / 108, 1e-9);
	near(p.matrix[ROOF_FP16], 312e12 * 42 / 108, 1e-9);
	near(p.vector[ROOF_FP32], 19.5e12 * 42 / 108, 1e-9);
	near(p.memory_Bps, 1555e9 / 2, 1e-9);
	assert_true(isnan(p.link_Bps));
	p = of("AMD Instinct MI300X VF", 304, INT64_C(205822885888));
	assert_string_equal(p.device, "MI300X");
	near(p.share, 1, 1e-9);
	near(p.link_Bps, 448e9, 1e-9);
	p = of("AMD Instinct MI355X VF", 128, INT64_C(154000000000));
	assert_string_equal(p.device, "MI355X");
	near(p.matrix[ROOF_FP8], 5033.2e12 / 2, 1e-9);
	p = of("AMD Instinct MI300X", 38, INT64_C(206141652992));
	near(p.matrix[ROOF_FP8], 2614.9e12 / 8, 1e-9);
	near(p.memory_Bps, 5300e9, 1e-9);
}

static void new_run(struct run *r, size_t n)
{
	run_init(r, 0);
	r->meta.gpu = arena_array(&r->mem, n, sizeof(*r->meta.gpu));
	r->meta.ngpu = n;
}

static sym text(struct run *r, const char *s)
{
	return strings_intern(&r->strings, span_of(s));
}

/* Each device is its own; one that is not listed is like the others where they are alike. */
static void devices_of_a_run(void **state)
{
	struct roof_peaks p;
	struct run r;

	(void)state;
	new_run(&r, 2);
	r.meta.gpu[0] = (struct gpu){
		.id = 0, .name = text(&r, "Tesla T4"), .sms = 40, .memory_bytes = MIB(15102)
	};
	r.meta.gpu[1] = (struct gpu){
		.id = 1, .name = text(&r, "NVIDIA L4"), .sms = 58, .memory_bytes = MIB(22563)
	};
	peaks_of_run(&p, &r, 1, NULL);
	assert_string_equal(p.device, "L4");
	assert_true(span_is(p.called, "NVIDIA L4"));
	peaks_of_run(&p, &r, 7, NULL);
	assert_null(p.device);
	r.meta.gpu[1] = r.meta.gpu[0];
	peaks_of_run(&p, &r, 7, NULL);
	assert_string_equal(p.device, "T4");
	run_clear(&r);
}

/* A trace without devices, beside samples of nvidia-smi that name them. */
static void a_name_from_beside(void **state)
{
	struct roof_peaks p;
	struct sheet *s;
	struct run r;
	int i;

	(void)state;
	run_init(&r, 0);
	r.record = record_new();
	(void)record_artifact(r.record, "gpu.csv", "smi_csv", "samples of nvidia-smi");
	s = record_sheet(r.record, 0, SHEET_GPUS);
	for (i = 0; i < 2; i++) {
		assert_true(record_row(s));
		table_text(&s->table, GPUS_NAME, SPAN("NVIDIA H200"));
	}
	peaks_of_run(&p, &r, 0, NULL);
	assert_string_equal(p.device, "H200");
	assert_true(record_row(s));
	table_text(&s->table, GPUS_NAME, SPAN("NVIDIA L4"));
	peaks_of_run(&p, &r, 0, NULL);
	assert_null(p.device);
	run_clear(&r);
}

static void what_a_person_says(void **state)
{
	struct peaks_given g;
	struct roof_peaks p;
	struct run r;
	struct err e;

	(void)state;
	new_run(&r, 1);
	r.meta.gpu[0] = (struct gpu){ .name = text(&r, "AMD Instinct MI300X"),
		.sms = 304,
		.memory_bytes = INT64_C(206141652992) };
	peaks_given_none(&g);
	peaks_of_run(&p, &r, 0, &g);
	assert_false(p.is_given);
	near(p.matrix[ROOF_BF16], 1307.4e12, 1e-9);
	assert_int_equal(
		peaks_parse(&g, "bf16=708T, mem=4.0TB/s,LINK=450G,vector-fp32=81T", "--peak", &e),
		OK);
	peaks_of_run(&p, &r, 0, &g);
	assert_true(p.is_given);
	assert_string_equal(p.device, "MI300X");
	near(p.matrix[ROOF_BF16], 708e12, 1e-9);
	near(p.matrix[ROOF_FP16], 1307.4e12, 1e-9);
	near(p.vector[ROOF_FP32], 81e12, 1e-9);
	near(p.memory_Bps, 4e12, 1e-9);
	near(p.link_Bps, 450e9, 1e-9);
	peaks_given_none(&g);
	assert_int_equal(peaks_parse(&g, "h100-pcie,matrix-fp8=1.2PFLOPS", "--peak", &e), OK);
	peaks_of_run(&p, &r, 0, &g);
	assert_string_equal(p.device, "H100-PCIe");
	near(p.matrix[ROOF_FP8], 1.2e15, 1e-9);
	near(p.matrix[ROOF_BF16], 756e12, 1e-9);
	assert_true(span_is(p.called, "AMD Instinct MI300X"));
	run_clear(&r);
}

/* Every mistake is named, and leaves what was said before. */
static void mistakes(void **state)
{
	static const struct {
		const char *text, *words;
	} bad[] = { { "", "missing" }, { "bf16=1T,", "missing" }, { "bf17=1T", "'bf17'" },
		{ "bf16=", "'' is no value for 'bf16'" }, { "bf16=1Q", "'1Q'" },
		{ "bf16=0", "'0'" }, { "bf16=989", "at least 1G" }, { "mem=-1", "'-1'" },
		{ "mem=4TFLOPS", "bytes" }, { "bf16=4TB/s", "operations" },
		{ "nonsuch", "'nonsuch'" }, { "A100", "several sizes" }, { "H20", "'H20'" },
		{ "bf16=1.2.3T", "'1.2.3T'" }, { "bf16=nanT", "'nanT'" }, { "=1T", "''" } };
	struct peaks_given g;
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(bad); i++) {
		peaks_given_none(&g);
		err_clear(&e);
		assert_int_equal(peaks_parse(&g, "fp16=5T", "--peak", &e), OK);
		if (peaks_parse(&g, bad[i].text, "--peak", &e) != E_USAGE)
			fail_msg("'%s' was taken", bad[i].text);
		if (!strstr(e.text, bad[i].words) || strncmp(e.text, "--peak: ", 8) != 0)
			fail_msg("'%s': %s", bad[i].text, e.text);
		assert_true(g.over.matrix[ROOF_FP16] == 5e12 && isnan(g.over.matrix[ROOF_BF16]));
	}
}

/* The option goes over the setting, key by key; a mistake in the setting names its place. */
static void settings_below_the_option(void **state)
{
	static const struct setting *const rows[] = { &peaks_setting };
	struct settings s;
	struct peaks_given g;
	struct err e;

	(void)state;
	settings_init(&s, rows, 1);
	assert_int_equal(peaks_read(&g, &s, NULL, &e), OK);
	assert_true(isnan(g.over.matrix[ROOF_BF16]) && !g.over.is_given);
	assert_int_equal(settings_set(&s, "peak", "bf16=700T,mem=3T", "traceq.yaml:2:7", &e), OK);
	assert_int_equal(peaks_read(&g, &s, "bf16=650T", &e), OK);
	near(g.over.matrix[ROOF_BF16], 650e12, 1e-9);
	near(g.over.memory_Bps, 3e12, 1e-9);
	assert_int_equal(settings_set(&s, "peak", "bf16=x", "traceq.yaml:2:7", &e), OK);
	assert_int_equal(peaks_read(&g, &s, NULL, &e), E_USAGE);
	assert_non_null(strstr(e.text, "traceq.yaml:2:7: 'x' is no value"));
	settings_clear(&s);
}

static void what_is_said(void **state)
{
	struct roof_peaks p;
	struct result out;

	(void)state;
	result_init(&out, "test/1");
	p = of("NVIDIA H100 80GB HBM3", 132, MIB(81008));
	peaks_say(&p, &out, 0);
	assert_int_equal(out.nnote, 0);
	p = of("Frobnicator 9000", 12, MIB(100));
	peaks_say(&p, &out, 0);
	assert_int_equal(out.nnote, 1);
	assert_string_equal(out.note[0].id, "peaks_unknown");
	assert_non_null(strstr(out.note[0].text, "'Frobnicator 9000'"));
	assert_non_null(strstr(out.note[0].text, "--peak"));
	p = of("NVIDIA A100-SXM4-40GB MIG 3g.20gb", 42, INT64_C(21148762112));
	peaks_say(&p, &out, 0);
	assert_string_equal(out.note[1].id, "peaks_of_a_part");
	result_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_of_traces),
		cmocka_unit_test(a_name_that_says_little),
		cmocka_unit_test(nothing_is_guessed),
		cmocka_unit_test(parts_of_devices),
		cmocka_unit_test(devices_of_a_run),
		cmocka_unit_test(a_name_from_beside),
		cmocka_unit_test(what_a_person_says),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(settings_below_the_option),
		cmocka_unit_test(what_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
