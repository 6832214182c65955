/*
 * Headings of monitors.  Sources: the manual of nvidia-smi; DCGM's short names of fields
 * (dcgm_fields); rocm-smi's and amd-smi's own output.
 */
#include "analyze/input/artifact/monitors/smi_monitor.h"

/* clang-format off */
const struct monitor monitor_dmon = {
	.first = { "gpu", "Date", "Time" }, .has = { "sm", "pwr", "fb" },
	.is_marked = true,
	.word = {
		{ "pwr", "power.draw", MEASURE_WATT }, { "gtemp", "temperature.gpu", MEASURE_CELSIUS },
		{ "temp", "temperature.gpu", MEASURE_CELSIUS },
		{ "mtemp", "temperature.memory", MEASURE_CELSIUS },
		{ "sm", "utilization.gpu", MEASURE_PERCENT },
		{ "mem", "utilization.memory", MEASURE_PERCENT },
		{ "enc", "utilization.encoder", MEASURE_PERCENT },
		{ "dec", "utilization.decoder", MEASURE_PERCENT },
		{ "mclk", "clocks.mem", MEASURE_MHZ }, { "pclk", "clocks.sm", MEASURE_MHZ },
		{ "fb", "memory.used", MEASURE_MIB }, { "bar1", "memory.bar1", MEASURE_MIB },
		{ "pid", NULL, MEASURE_NONE }, { "type", NULL, MEASURE_NONE },
	},
};

const struct monitor monitor_pmon = {
	.first = { "gpu", "Date", "Time" }, .has = { "pid", "pid", "pid" },
	.is_marked = true, .is_processes = true,
	.word = {
		{ "sm", "process.sm", MEASURE_PERCENT }, { "mem", "process.mem", MEASURE_PERCENT },
		{ "enc", "process.enc", MEASURE_PERCENT }, { "dec", "process.dec", MEASURE_PERCENT },
		{ "jpg", "process.jpg", MEASURE_PERCENT }, { "ofa", "process.ofa", MEASURE_PERCENT },
		{ "fb", "process.memory", MEASURE_MIB }, { "ccpm", "process.ccpm", MEASURE_MIB },
		{ "type", NULL, MEASURE_NONE }, { "command", NULL, MEASURE_NONE },
	},
};

const struct monitor monitor_dcgm = {
	.first = { "Entity", "Entity", "Entity" }, .has = { "", "", "" },
	.is_marked = true, .is_named = true,
	.word = {
		{ "GPUTL", "utilization.gpu", MEASURE_PERCENT },
		{ "MCUTL", "utilization.memory", MEASURE_PERCENT },
		{ "POWER", "power.draw", MEASURE_WATT }, { "POWR", "power.draw", MEASURE_WATT },
		{ "TMPTR", "temperature.gpu", MEASURE_CELSIUS },
		{ "GTEMP", "temperature.gpu", MEASURE_CELSIUS },
		{ "MMTMP", "temperature.memory", MEASURE_CELSIUS },
		{ "SMCLK", "clocks.sm", MEASURE_MHZ }, { "MMCLK", "clocks.mem", MEASURE_MHZ },
		{ "FBTTL", "memory.total", MEASURE_MIB }, { "FBFRE", "memory.free", MEASURE_MIB },
		{ "FBUSD", "memory.used", MEASURE_MIB },
		{ "TOTEC", "total_energy_consumption", MEASURE_NONE },
		{ "GRACT", "gr_engine_active", MEASURE_RATIO }, { "SMACT", "sm_active", MEASURE_RATIO },
		{ "SMOCC", "sm_occupancy", MEASURE_RATIO },
		{ "TENSO", "tensor_active", MEASURE_RATIO }, { "DRAMA", "dram_active", MEASURE_RATIO },
		{ "FP64A", "fp64_active", MEASURE_RATIO }, { "FP32A", "fp32_active", MEASURE_RATIO },
		{ "FP16A", "fp16_active", MEASURE_RATIO },
	},
};

const struct monitor monitor_rocm = {
	.first = { "GPU", "Device", "GPU" }, .has = { "GPU%", "GPU%", "GPU%" },
	.is_wide = true,
	.word = {
		{ "Temp", "temperature.gpu", MEASURE_CELSIUS }, { "AvgPwr", "power.draw", MEASURE_WATT },
		{ "Power", "power.draw", MEASURE_WATT }, { "PwrCap", "power.limit", MEASURE_WATT },
		{ "SCLK", "clocks.sm", MEASURE_MHZ }, { "MCLK", "clocks.mem", MEASURE_MHZ },
		{ "Fan", "fan.speed", MEASURE_PERCENT },
		{ "VRAM%", "memory.used_percent", MEASURE_PERCENT },
		{ "GPU%", "utilization.gpu", MEASURE_PERCENT },
		{ "Perf", NULL, MEASURE_NONE }, { "Node", NULL, MEASURE_NONE },
		{ "IDs", NULL, MEASURE_NONE }, { "Partitions", NULL, MEASURE_NONE },
	},
};

const struct monitor monitor_amd = {
	.first = { "GPU", "TIMESTAMP", "GPU" }, .has = { "GFX%", "GPU_T", "VRAM_USAGE" },
	.is_wide = true,
	.word = {
		{ "POWER", "power.draw", MEASURE_WATT }, { "PWR_CAP", "power.limit", MEASURE_WATT },
		{ "GPU_T", "temperature.gpu", MEASURE_CELSIUS },
		{ "MEM_T", "temperature.memory", MEASURE_CELSIUS },
		{ "GFX_CLK", "clocks.sm", MEASURE_MHZ }, { "GFX_CLOCK", "clocks.sm", MEASURE_MHZ },
		{ "MEM_CLOCK", "clocks.mem", MEASURE_MHZ }, { "MEM_CLK", "clocks.mem", MEASURE_MHZ },
		{ "GFX%", "utilization.gpu", MEASURE_PERCENT },
		{ "MEM%", "utilization.memory", MEASURE_PERCENT },
		{ "ENC%", "utilization.encoder", MEASURE_PERCENT },
		{ "DEC%", "utilization.decoder", MEASURE_PERCENT },
		{ "VRAM_USED", "memory.used", MEASURE_MIB }, { "VRAM_FREE", "memory.free", MEASURE_MIB },
		{ "VRAM_TOTAL", "memory.total", MEASURE_MIB },
		{ "VRAM_USAGE", "memory.used", MEASURE_GIB }, { "XCP", NULL, MEASURE_NONE },
		{ "VRAM%", "memory.used_percent", MEASURE_PERCENT },
	},
};
/* clang-format on */
