/* The text that DCGM's exporter serves to Prometheus, one scrape or many: a sample a line,
 * DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-...",...} 98 [milliseconds since 1970].  Without a time a
 * sample is one more of its figure. */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/monitors/prometheus.h"
#include "analyze/input/artifact/monitors/smi_rows.h"
#include "base/base.h"

static const char mark[] = "DCGM_FI_";

static const struct smi_word words[] = {
	{ "DEV_GPU_UTIL", "utilization.gpu", MEASURE_PERCENT },
	{ "DEV_MEM_COPY_UTIL", "utilization.memory", MEASURE_PERCENT },
	{ "DEV_ENC_UTIL", "utilization.encoder", MEASURE_PERCENT },
	{ "DEV_DEC_UTIL", "utilization.decoder", MEASURE_PERCENT },
	{ "DEV_POWER_USAGE", "power.draw", MEASURE_WATT },
	{ "DEV_POWER_USAGE_INSTANT", "power.draw.instant", MEASURE_WATT },
	{ "DEV_ENFORCED_POWER_LIMIT|DEV_POWER_MGMT_LIMIT", "power.limit", MEASURE_WATT },
	{ "DEV_TOTAL_ENERGY_CONSUMPTION", "total_energy_consumption", MEASURE_NONE },
	{ "DEV_GPU_TEMP", "temperature.gpu", MEASURE_CELSIUS },
	{ "DEV_MEMORY_TEMP", "temperature.memory", MEASURE_CELSIUS },
	{ "DEV_SM_CLOCK", "clocks.sm", MEASURE_MHZ },
	{ "DEV_MEM_CLOCK", "clocks.mem", MEASURE_MHZ },
	{ "DEV_MAX_SM_CLOCK", "clocks.max.sm", MEASURE_MHZ },
	{ "DEV_FB_USED", "memory.used", MEASURE_MIB },
	{ "DEV_FB_FREE", "memory.free", MEASURE_MIB },
	{ "DEV_FB_TOTAL", "memory.total", MEASURE_MIB },
	{ "DEV_CLOCK_THROTTLE_REASONS", "clocks_throttle_reasons.active", MEASURE_NONE },
	{ "DEV_CLOCKS_EVENT_REASONS", "clocks_event_reasons.active", MEASURE_NONE },
	{ "PROF_GR_ENGINE_ACTIVE", "gr_engine_active", MEASURE_RATIO },
	{ "PROF_SM_ACTIVE", "sm_active", MEASURE_RATIO },
	{ "PROF_SM_OCCUPANCY", "sm_occupancy", MEASURE_RATIO },
	{ "PROF_PIPE_TENSOR_ACTIVE", "tensor_active", MEASURE_RATIO },
	{ "PROF_DRAM_ACTIVE", "dram_active", MEASURE_RATIO },
};

/* Labels; "" where they are not there. */
enum label { GPU, UUID, MODEL, HOST, INSTANCE, LABELS };

struct dcgm_export {
	struct smi_rows rows;
	struct span host; /* of the first sample */
	bool has_host;
};

static bool is_sample(struct span line)
{
	return span_starts(line, mark) && memchr(line.p, '{', line.n);
}

static void take_label(struct span label[LABELS], struct span key, struct span value)
{
	static const char *const names[LABELS] = { "gpu", "UUID", "modelName", "Hostname",
		"GPU_I_ID" };

	for (size_t i = 0; i < LABELS; i++)
		if (span_is_nocase(key, names[i]))
			label[i] = value;
}

/* Its number; behind the host's name, where there are several; and the instance's, of a part. */
static void group_of(
	struct dcgm_export *g, const struct span label[LABELS], char group[SMI_ROWS_GROUP])
{
	struct span host = label[HOST], gpu = label[GPU], instance = label[INSTANCE];

	if (!g->has_host)
		g->host = record_text(g->rows.in->record, host);
	g->has_host = true;
	host.n = span_eq(g->host, host) ? 0 : MIN(host.n, 64);
	(void)snprintf(group, SMI_ROWS_GROUP, "%.*s%s%.*s%s%.*s", (int)host.n, host.p,
		host.n ? "/" : "", (int)MIN(gpu.n, 32), gpu.p, instance.n ? "/" : "",
		(int)MIN(instance.n, 16), instance.p);
}

static bool take_sample(struct dcgm_export *g, struct span line)
{
	char group[SMI_ROWS_GROUP];
	struct span key, value, label[LABELS];
	struct prometheus_sample s;

	FILL(label, LABELS, SPAN(""));
	if (!prometheus_sample(line, &s))
		return false;
	while (prometheus_label(&s.labels, &key, &value))
		take_label(label, key, value);
	if (label[GPU].n == 0)
		return false;
	struct span name = span_from(s.name, sizeof(mark) - 1);
	const struct smi_word *word = SMI_WORD(words, name);
	group_of(g, label, group);
	if (!smi_rows_begin(&g->rows, span_of(group), s.time))
		return true;
	smi_rows_describe(&g->rows, label[MODEL], label[UUID]);
	smi_rows_put_next(&g->rows, word ? span_of(word->name) : name,
		word ? word->measure : MEASURE_NONE, s.value);
	return true;
}

static enum took take_line(void *ctx, struct span line, const struct lines *l UNUSED)
{
	line = span_trim(line);
	if (line.n == 0 || line.p[0] == '#') /* HELP, TYPE */
		return TOOK;
	return !is_sample(line) ? TOOK_OTHER : take_sample(ctx, line) ? TOOK : TOOK_ALIEN;
}

static enum status read_export(struct reading *in, struct err *e)
{
	struct dcgm_export *g = arena_alloc(&in->mem, sizeof(*g));
	struct untaken untaken;

	g->rows.in = in;
	enum status st = reading_lines(in, take_line, g, &untaken, e);
	untaken.is_torn = false; /* the last line may lack its end */
	reading_untaken(in, &untaken, "line{ is|s are} no sample of a GPU, passed over",
		"line{|s} of other figures, not read");
	return st;
}

const struct artifact artifact_smi_dcgm_export = {
	.name = "smi_dcgm_export",
	.title = "samples of DCGM (exporter)",
	.summary = "what dcgm-exporter serves to Prometheus, one scrape or many in a file",
	.is_log = true,
	.line = is_sample,
	.lines = 4000,
	.read = read_export,
	.none = "no sample of a GPU in it",
};
