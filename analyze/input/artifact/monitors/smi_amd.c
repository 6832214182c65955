/* Words of rocm-smi and amd-smi. */
#include "analyze/input/artifact/monitors/smi_amd.h"

#include "analyze/input/text/iso_time.h"
#include "analyze/input/text/num.h"

/* rocm-smi: headings are sentences. */
static const struct smi_word rocm_words[] = {
	{ "GPU use (%)", "utilization.gpu", MEASURE_PERCENT },
	{ "GPU memory use (%)", "utilization.memory", MEASURE_PERCENT },
	{ "GPU Memory Read/Write Activity (%)", "utilization.memory", MEASURE_PERCENT },
	{ "GPU Memory Allocated (VRAM%)", "memory.used_percent", MEASURE_PERCENT },
	{ "VRAM Total Memory (B)", "memory.total", MEASURE_BYTE },
	{ "VRAM Total Used Memory (B)", "memory.used", MEASURE_BYTE },
	{ "VRAM Total (B)", "memory.total", MEASURE_BYTE },
	{ "VRAM Used (B)", "memory.used", MEASURE_BYTE },
	{ "Average Graphics Package Power (W)", "power.draw", MEASURE_WATT },
	{ "Current Socket Graphics Package Power (W)", "power.draw", MEASURE_WATT },
	{ "Power (W)", "power.draw", MEASURE_WATT },
	{ "Max Graphics Package Power (W)", "power.limit", MEASURE_WATT },
	{ "Temperature (Sensor edge) (C)", "temperature.gpu", MEASURE_CELSIUS },
	{ "Temperature (Sensor junction) (C)", "temperature.junction", MEASURE_CELSIUS },
	{ "Temperature (Sensor memory) (C)", "temperature.memory", MEASURE_CELSIUS },
	{ "sclk clock speed:", "clocks.sm", MEASURE_MHZ },
	{ "mclk clock speed:", "clocks.mem", MEASURE_MHZ },
};

/* amd-smi, whose headings are words without units: those of its JSON. */
static const struct smi_word amd_words[] = {
	{ "power_usage", "power.draw", MEASURE_WATT },
	{ "power_cap", "power.limit", MEASURE_WATT },
	{ "socket_power", "power.draw", MEASURE_WATT },
	{ "current_socket_power", "power.draw", MEASURE_WATT },
	{ "average_socket_power", "power.draw.average", MEASURE_WATT },
	{ "hotspot_temperature", "temperature.gpu", MEASURE_CELSIUS },
	{ "hotspot", "temperature.junction", MEASURE_CELSIUS },
	{ "edge", "temperature.gpu", MEASURE_CELSIUS },
	{ "memory_temperature", "temperature.memory", MEASURE_CELSIUS },
	{ "gfx_clk", "clocks.sm", MEASURE_MHZ },
	{ "gfx_clock", "clocks.sm", MEASURE_MHZ },
	{ "gfx_0_clk", "clocks.sm", MEASURE_MHZ },
	{ "mem_clock", "clocks.mem", MEASURE_MHZ },
	{ "mem_0_clk", "clocks.mem", MEASURE_MHZ },
	{ "gfx", "utilization.gpu", MEASURE_PERCENT },
	{ "gfx_activity", "utilization.gpu", MEASURE_PERCENT },
	{ "umc_activity", "utilization.memory", MEASURE_PERCENT },
	{ "mem", "utilization.memory", MEASURE_PERCENT },
	{ "encoder", "utilization.encoder", MEASURE_PERCENT },
	{ "decoder", "utilization.decoder", MEASURE_PERCENT },
	{ "vram_used", "memory.used", MEASURE_MIB },
	{ "vram_free", "memory.free", MEASURE_MIB },
	{ "vram_total", "memory.total", MEASURE_MIB },
	{ "used_vram", "memory.used", MEASURE_MIB },
	{ "free_vram", "memory.free", MEASURE_MIB },
	{ "total_vram", "memory.total", MEASURE_MIB },
	{ "vram_percent", "memory.used_percent", MEASURE_PERCENT },
};

/* Of amd-smi metric --json, whose groups have changed names; a group is an object. */
static const struct smi_word amd_paths[] = {
	{ "usage.gfx_activity", "utilization.gpu", MEASURE_PERCENT },
	{ "usage.umc_activity", "utilization.memory", MEASURE_PERCENT },
	{ "power.socket_power", "power.draw", MEASURE_WATT },
	{ "power.current_socket_power", "power.draw", MEASURE_WATT },
	{ "power.current_power", "power.draw", MEASURE_WATT },
	{ "power.average_socket_power", "power.draw.average", MEASURE_WATT },
	{ "power.power_limit", "power.limit", MEASURE_WATT },
	{ "clock.gfx_0.clk", "clocks.sm", MEASURE_MHZ },
	{ "clock.mem_0.clk", "clocks.mem", MEASURE_MHZ },
	{ "temperature.edge", "temperature.gpu", MEASURE_CELSIUS },
	{ "temperature.hotspot", "temperature.junction", MEASURE_CELSIUS },
	{ "temperature.mem", "temperature.memory", MEASURE_CELSIUS },
	{ "mem_usage.total_vram", "memory.total", MEASURE_MIB },
	{ "mem_usage.used_vram", "memory.used", MEASURE_MIB },
	{ "mem_usage.free_vram", "memory.free", MEASURE_MIB },
	{ "fb_usage.total_vram", "memory.total", MEASURE_MIB },
	{ "fb_usage.used_vram", "memory.used", MEASURE_MIB },
	{ "fan.usage", "fan.speed", MEASURE_PERCENT },
};

const struct smi_word *smi_amd_rocm(struct span word)
{
	return smi_word_find(rocm_words, COUNT_OF(rocm_words), word);
}

const struct smi_word *smi_amd_word(struct span word)
{
	return smi_word_find(amd_words, COUNT_OF(amd_words), word);
}

const struct smi_word *smi_amd_path(struct span path)
{
	return smi_word_find(amd_paths, COUNT_OF(amd_paths), path);
}

bool smi_amd_time(struct span t, double *time)
{
	return real_of(t, time) || iso_time(t, time);
}

struct span smi_amd_gpu(struct span t)
{
	if (span_starts(t, "card") && t.n > 4)
		return (struct span){ t.p + 4, t.n - 4 };
	return t;
}
