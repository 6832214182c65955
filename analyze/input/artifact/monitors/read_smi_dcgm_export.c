/*
 * The text that DCGM's exporter serves to Prometheus, one scrape or many: a sample a line,
 * DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-...",...} 98 [milliseconds since 1970].  Without a time a
 * sample is one more of its figure.
 */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/monitors/smi_rows.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

enum { LINES_LOOKED_AT = 4000 };

static const char mark[] = "DCGM_FI_";

static const struct smi_word words[] = {
	{ "DEV_GPU_UTIL", "utilization.gpu", MEASURE_PERCENT },
	{ "DEV_MEM_COPY_UTIL", "utilization.memory", MEASURE_PERCENT },
	{ "DEV_ENC_UTIL", "utilization.encoder", MEASURE_PERCENT },
	{ "DEV_DEC_UTIL", "utilization.decoder", MEASURE_PERCENT },
	{ "DEV_POWER_USAGE", "power.draw", MEASURE_WATT },
	{ "DEV_POWER_USAGE_INSTANT", "power.draw.instant", MEASURE_WATT },
	{ "DEV_ENFORCED_POWER_LIMIT", "power.limit", MEASURE_WATT },
	{ "DEV_POWER_MGMT_LIMIT", "power.limit", MEASURE_WATT },
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

struct labels {
	struct span gpu, uuid, model, host, instance; /* "" where they are not there */
};

struct dcgm_export {
	struct smi_rows rows;
	struct reading *in;
	struct span host; /* of the first sample */
	bool has_host;
	int64_t samples;
	struct untaken untaken;
};

static bool is_sample(struct span line)
{
	return span_starts(line, mark) && memchr(line.p, '{', line.n);
}

static enum match probe(const struct head *h)
{
	return head_has_line(h, LINES_LOOKED_AT, is_sample);
}

static void take_label(struct labels *l, struct span key, struct span value)
{
	if (span_is(key, "gpu"))
		l->gpu = value;
	else if (span_is(key, "UUID"))
		l->uuid = value;
	else if (span_is(key, "modelName"))
		l->model = value;
	else if (span_is_nocase(key, "Hostname"))
		l->host = value;
	else if (span_is(key, "GPU_I_ID"))
		l->instance = value;
}

/* {gpu="0",UUID="GPU-..."}; *rest is behind it.  False: it is not closed. */
static bool labels_of(struct span t, struct labels *l, struct span *rest)
{
	const char *p = t.p + 1, *end = t.p + t.n;

	*l = (struct labels){ SPAN(""), SPAN(""), SPAN(""), SPAN(""), SPAN("") };
	while (p < end && *p != '}') {
		const char *key = p, *equals = memchr(p, '=', (size_t)(end - p));

		if (!equals || equals + 1 >= end || equals[1] != '"')
			return false;
		const char *value = equals + 2;
		for (p = value; p < end && *p != '"'; p++)
			p += *p == '\\';
		if (p >= end)
			return false;
		take_label(l, span_trim((struct span){ key, (size_t)(equals - key) }),
			(struct span){ value, (size_t)(p - value) });
		for (p++; p < end && (*p == ',' || *p == ' ');)
			p++;
	}
	*rest = (struct span){ p + 1, p < end ? (size_t)(end - p - 1) : 0 };
	return p < end;
}

/* "98", "98 1735689600123": seconds in *time, or NaN. */
static bool value_of(struct span t, double *value, double *time)
{
	t = span_trim(t);
	const char *blank = memchr(t.p, ' ', t.n);
	*time = NAN;
	if (blank) {
		struct span at = { blank + 1, (size_t)(t.p + t.n - blank - 1) };

		if (!real_of(span_trim(at), time))
			return false;
		*time /= 1000;
		t.n = (size_t)(blank - t.p);
	}
	return real_of(t, value);
}

/* Its number; behind the host's name, where there are several; and the instance's, of a part. */
static void group_of(struct dcgm_export *g, const struct labels *l, char group[SMI_ROWS_GROUP])
{
	if (!g->has_host)
		g->host = record_text(g->in->record, l->host);
	g->has_host = true;
	bool is_other = !span_eq(g->host, l->host);
	(void)snprintf(group, SMI_ROWS_GROUP, "%.*s%s%.*s%s%.*s",
		is_other ? (int)MIN(l->host.n, 64) : 0, l->host.p, is_other ? "/" : "",
		(int)MIN(l->gpu.n, 32), l->gpu.p, l->instance.n ? "/" : "",
		(int)MIN(l->instance.n, 16), l->instance.p);
}

static bool take_sample(struct dcgm_export *g, struct span line)
{
	const char *open = memchr(line.p, '{', line.n);
	struct span name = { line.p + sizeof(mark) - 1,
		(size_t)(open - line.p) - (sizeof(mark) - 1) };
	const struct smi_word *word = smi_word_find(words, COUNT_OF(words), name);
	char group[SMI_ROWS_GROUP];
	struct span rest;
	struct labels l;
	double value, time;

	if (!labels_of((struct span){ open, (size_t)(line.p + line.n - open) }, &l, &rest) ||
		l.gpu.n == 0 || !value_of(rest, &value, &time))
		return false;
	group_of(g, &l, group);
	if (!smi_rows_begin(&g->rows, span_of(group), time))
		return true;
	smi_rows_describe(&g->rows, l.model, l.uuid);
	smi_rows_put_next(&g->rows, word ? span_of(word->name) : name,
		word ? word->measure : MEASURE_NONE, value);
	g->samples++;
	return true;
}

static enum took take_line(void *ctx, struct span line, const struct lines *l UNUSED)
{
	line = span_trim(line);
	if (line.n == 0 || line.p[0] == '#') /* HELP, TYPE */
		return TOOK;
	if (!is_sample(line))
		return TOOK_OTHER;
	return take_sample(ctx, line) ? TOOK : TOOK_ALIEN;
}

static enum status read_export(struct reading *in, struct err *e)
{
	struct dcgm_export *g = arena_alloc(&in->mem, sizeof(*g));

	g->in = in;
	g->rows.in = in;
	enum status st = reading_lines(in, take_line, g, &g->untaken, e);
	reading_artifact(in)->rows = g->samples;
	g->untaken.is_torn = false; /* the last line may lack its end */
	reading_untaken(in, &g->untaken, "line{ is|s are} no sample of a GPU, passed over",
		"line{|s} of other figures, not read");
	if (st == OK && g->samples == 0)
		return err_set(e, E_NODATA, 0, "no sample of a GPU in it");
	return st;
}

const struct artifact artifact_smi_dcgm_export = {
	.name = "smi_dcgm_export",
	.title = "samples of DCGM (exporter)",
	.summary = "what dcgm-exporter serves to Prometheus, one scrape or many in a file",
	.is_log = true,
	.probe = probe,
	.read = read_export,
};
