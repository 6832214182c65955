/* Tables of monitors: times, units of the line below a heading, cells, entities, what is torn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/artifact/monitors/smi_rows.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "base/str.h"
#include "tests/unit/analyze/input/artifact/artifact_text.h"

static const struct series *find(const struct run *run, const char *name, const char *group)
{
	const struct series *s = record_known_series(run->record, 0, span_of(name), span_of(group));

	if (!s)
		fail_msg("no series %s of %s", name, group);
	return s;
}

static void is_kind(const struct run *run, const char *kind)
{
	assert_string_equal(run->record->artifact[0].kind, kind);
}

/* Times without a date begin anew at midnight; the unit of power is that of the line below. */
static void dmon(void **state)
{
	static const char text[] = "#Time        gpu    pwr     sm\n"
				   "#HH:MM:SS    Idx     mW      %\n"
				   " 23:59:58      0     43     98\n"
				   " 00:00:01      0      -     50\n"
				   " 00:00:02      0     45     5";
	const struct series *s;
	struct run run;

	(void)state;
	artifact_text(text, &run);
	is_kind(&run, "smi_dmon");
	s = find(&run, "utilization.gpu", "0");
	assert_int_equal(s->axis, AXIS_TIME);
	assert_int_equal(s->n, 3);
	assert_true(s->point[1].x - s->point[0].x == 3);
	s = find(&run, "power.draw", "0");
	assert_int_equal(s->n, 2);
	assert_int_equal(s->missing, 1);
	run_clear(&run);
}

/* Entities that are no GPUs keep their name; "Not Supported" is one cell; a short row is none. */
static void dcgm(void **state)
{
	static const char text[] = "# Entity  GPUTL  POWER  XYZ\n"
				   "      Id\n"
				   "    GPU 0  98  301.5  1\n"
				   "    GPU 1  Not Supported  150.0  2\n"
				   "    GPU-I 3  N/A  N/A  3\n"
				   "    GPU 0  97\n"
				   "    GPU 0  96  300  4\n";
	struct run run;

	(void)state;
	artifact_text(text, &run);
	is_kind(&run, "smi_dcgm");
	assert_int_equal(run.record->artifact[0].rows, 4);
	assert_float_equal(find(&run, "utilization.gpu", "0")->mean, 97, 0);
	assert_int_equal(find(&run, "utilization.gpu", "1")->missing, 1);
	assert_float_equal(find(&run, "power.draw", "1")->last.y, 150, 0);
	assert_float_equal(find(&run, "XYZ", "GPU-I 3")->last.y, 3, 0);
	assert_int_equal(find(&run, "XYZ", "0")->axis, AXIS_ROW);
	assert_string_equal(run.record->note[0].id, "alien_lines");
	assert_int_equal(run.record->note[0].count, 1);
	run_clear(&run);
}

/* Labels may hold anything; instances of MIG are GPUs of their own; a time is of milliseconds. */
static void exporter(void **state)
{
	static const char text[] =
		"# HELP x\n"
		"DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\",pod=\"a\\\"}b\"} 98\n"
		"DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\"} 90\n"
		"DCGM_FI_PROF_SM_ACTIVE{gpu=\"0\",GPU_I_ID=\"2\"} 0.5 1764504000500\n"
		"DCGM_FI_DEV_FOO{gpu=\"0\"} 1e3\n"
		"DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"\n"
		"up 1\n";
	const struct series *s;
	struct run run;

	(void)state;
	artifact_text(text, &run);
	is_kind(&run, "smi_dcgm_export");
	s = find(&run, "utilization.gpu", "0");
	assert_int_equal(s->n, 2);
	assert_float_equal(s->point[1].x, 1, 0);
	s = find(&run, "sm_active", "0/2");
	assert_int_equal(s->axis, AXIS_TIME);
	assert_true(s->last.x == 1764504000.5);
	assert_float_equal(find(&run, "DEV_FOO", "0")->last.y, 1000, 0);
	assert_string_equal(run.record->note[0].id, "alien_lines");
	assert_string_equal(run.record->note[1].id, "other_lines");
	run_clear(&run);
}

/* What has no sensor at its edge is as hot as its junction; bytes and MiB are one memory. */
static void rocm(void **state)
{
	static const char junction[] =
		"WARNING: low-power state\n\ndevice,Temperature (Sensor junction) (C),VRAM Total Used "
		"Memory (B),sclk clock speed:,Odd\ncard3,60.0,1048576,(1700Mhz),x\n";
	static const char edge[] = "device,Temperature (Sensor edge) (C),Temperature (Sensor "
				   "junction) (C)\ncard0,40.0,60.0\n";
	static const char metric[] = "gpu,gfx_activity,mem,used_vram\n1,97,44,283\n";
	struct run run;

	(void)state;
	artifact_text(junction, &run);
	is_kind(&run, "smi_amd_csv");
	assert_float_equal(find(&run, "temperature.gpu", "3")->last.y, 60, 0);
	assert_float_equal(find(&run, "clocks.sm", "3")->last.y, 1700, 0);
	assert_int_equal(find(&run, "memory.used", "3")->measure, MEASURE_BYTE);
	assert_int_equal(run.record->nnote, 2);
	run_clear(&run);
	artifact_text(edge, &run);
	assert_float_equal(find(&run, "temperature.gpu", "0")->last.y, 40, 0);
	assert_float_equal(find(&run, "temperature.junction", "0")->last.y, 60, 0);
	run_clear(&run);
	artifact_text(metric, &run);
	assert_float_equal(find(&run, "temperature.memory", "1")->last.y, 44, 0);
	assert_int_equal(find(&run, "memory.used", "1")->measure, MEASURE_MIB);
	run_clear(&run);
}

/* JSON of rocm-smi: cards that say nothing of use, older spellings, a document that is cut. */
static void rocm_json(void **state)
{
	static const char text[] =
		"WARNING: low-power state\n"
		"{\"card3\": {\"GPU use (%)\": \"90\", \"Temperature (Sensor edge) (c)\": \"40.0\","
		" \"Temperature (Sensor junction) (C)\": \"60.0\", \"sclk clock speed:\": \"(1700Mhz)\","
		" \"VRAM Total Used Memory (B)\": \"1048576\", \"Card series\": \"Navi 31\"},"
		" \"system\": {\"Driver version\": \"6\"}}\n"
		"{\"card3\": {\"GPU use (%)\": \"N/A\", \"Average Graphics Package Power (W)\": 19}}\n"
		"{\"card3\": {\"GPU use (%)\": \"8";
	struct run run;

	(void)state;
	artifact_text(text, &run);
	is_kind(&run, "smi_json");
	assert_int_equal(run.record->artifact[0].rows, 2);
	assert_false(run.record->artifact[0].is_complete);
	assert_float_equal(find(&run, "utilization.gpu", "3")->last.y, 90, 0);
	assert_int_equal(find(&run, "utilization.gpu", "3")->missing, 1);
	assert_float_equal(find(&run, "temperature.gpu", "3")->last.y, 40, 0);
	assert_float_equal(find(&run, "temperature.junction", "3")->last.y, 60, 0);
	assert_float_equal(find(&run, "clocks.sm", "3")->last.y, 1700, 0);
	assert_float_equal(find(&run, "power.draw", "3")->last.y, 19, 0);
	assert_int_equal(find(&run, "memory.used", "3")->measure, MEASURE_BYTE);
	assert_string_equal(run.record->note[0].id, "torn_line");
	assert_string_equal(run.record->note[1].id, "other_lines");
	run_clear(&run);
}

/* amd-smi, whose list is a member in newer ones; a GPU that says nothing; units of its own. */
static void amd_json(void **state)
{
	static const char metric[] =
		"{\"gpu_data\": [{\"gpu\": 0, \"usage\": {\"gfx_activity\": {\"value\": 47, \"unit\": "
		"\"%\"}}, \"power\": {\"socket_power\": {\"value\": 250, \"unit\": \"mW\"}}, \"temperature\": "
		"{\"edge\": {\"value\": 41, \"unit\": \"C\"}, \"hotspot\": {\"value\": 55, \"unit\": \"C\"}},"
		" \"mem_usage\": {\"used_vram\": {\"value\": 2, \"unit\": \"GB\"}}}, {\"gpu\": 1, \"usage\": "
		"\"N/A\", \"a\": {\"b\": {\"c\": {\"d\": {\"e\": 1}}}}}, {\"gpu\": \"x\"}, 5]}";
	static const char monitor[] =
		"[{\"gpu\": 2, \"power_usage\": 12.5, \"gfx\": \"N/A\", \"hotspot_temperature\": "
		"{\"value\": 31, \"unit\": \"C\"}}]";
	struct run run;

	(void)state;
	artifact_text(metric, &run);
	is_kind(&run, "smi_json");
	assert_int_equal(run.record->artifact[0].rows, 2);
	assert_float_equal(find(&run, "utilization.gpu", "0")->last.y, 47, 0);
	assert_float_equal(find(&run, "temperature.gpu", "0")->last.y, 41, 0);
	assert_float_equal(find(&run, "temperature.junction", "0")->last.y, 55, 0);
	assert_float_equal(find(&run, "memory.used", "0")->last.y, 2, 0);
	assert_int_equal(find(&run, "memory.used", "0")->measure, MEASURE_GIB);
	assert_int_equal(find(&run, "power.draw", "0")->axis, AXIS_ROW);
	run_clear(&run);
	artifact_text(monitor, &run);
	is_kind(&run, "smi_json");
	assert_float_equal(find(&run, "power.draw", "2")->last.y, 12.5, 0);
	assert_float_equal(find(&run, "temperature.gpu", "2")->last.y, 31, 0);
	assert_int_equal(find(&run, "utilization.gpu", "2")->missing, 1);
	run_clear(&run);
}

/* The old table of rocm-smi, and the first cells of amd-smi's. */
static void tables(void **state)
{
	static const char old[] =
		"GPU  Temp (DieEdge)  AvgPwr  SCLK    MCLK     Fan  Perf  PwrCap  VRAM%  GPU%  \n"
		"0    43.0c           37.0W   800Mhz  1600Mhz  0%   auto  300.0W    0%   99%   \n"
		"=======\n";
	static const char amd[] = "GPU  POWER   GPU_T   GFX%      VRAM_USAGE\n"
				  "  0    N/A     N/A    N/A   60.9/ 96.0 GB\n"
				  "  1  305 W   49 \xc2\xb0"
				  "C   97 %    3.0/191.7 GB\n";
	struct run run;

	(void)state;
	artifact_text(old, &run);
	is_kind(&run, "smi_rocm");
	assert_float_equal(find(&run, "temperature.gpu", "0")->last.y, 43, 0);
	assert_float_equal(find(&run, "power.limit", "0")->last.y, 300, 0);
	assert_float_equal(find(&run, "utilization.gpu", "0")->last.y, 99, 0);
	run_clear(&run);
	artifact_text(amd, &run);
	is_kind(&run, "smi_amd");
	assert_int_equal(find(&run, "power.draw", "0")->missing, 1);
	assert_float_equal(find(&run, "memory.used", "0")->last.y, 60.9, 0);
	assert_float_equal(find(&run, "memory.total", "1")->last.y, 191.7, 0);
	assert_float_equal(find(&run, "temperature.gpu", "1")->last.y, 49, 0);
	run_clear(&run);
}

static void cells(void **state)
{
	static const struct {
		const char *text;
		bool is_cell;
		double v; /* NaN: absent */
		enum measure m;
	} cases[] = {
		{ "98", true, 98, MEASURE_NONE },
		{ "98 %", true, 98, MEASURE_PERCENT },
		{ "43.0c", true, 43, MEASURE_CELSIUS },
		{ "(1700Mhz)", true, 1700, MEASURE_MHZ },
		{ "1e3", true, 1000, MEASURE_NONE },
		{ "N/A", true, NAN, MEASURE_NONE },
		{ "-", true, NAN, MEASURE_NONE },
		{ "", true, NAN, MEASURE_NONE },
		{ "auto", false, 0, MEASURE_NONE },
		{ "0x74a1", false, 0, MEASURE_NONE },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		enum measure m = MEASURE_NONE;
		double v = 0;

		assert_int_equal(smi_cell(span_of(cases[i].text), &v, &m), cases[i].is_cell);
		if (!cases[i].is_cell)
			continue;
		assert_true(isnan(cases[i].v) ? isnan(v) : v == cases[i].v);
		assert_int_equal(m, cases[i].m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dmon),
		cmocka_unit_test(dcgm),
		cmocka_unit_test(exporter),
		cmocka_unit_test(rocm),
		cmocka_unit_test(rocm_json),
		cmocka_unit_test(amd_json),
		cmocka_unit_test(tables),
		cmocka_unit_test(cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
