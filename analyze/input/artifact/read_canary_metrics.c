/*
 * Metrics of a canary run: environment, configuration, performance, stability, profiler block.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/metric_rows.h"
#include "analyze/input/artifact/op_rows.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT)
		return MATCH_NO;
	if (head_has(h, "perf") && head_count(h, "stability profiler env run_id"))
		return MATCH_STRONG;
	if (head_has(h, "profiler") &&
		(head_mentions(h, "top_cuda_ops") || head_mentions(h, "top_cpu_ops") ||
			head_mentions(h, "cuda_time_total_ms")))
		return MATCH_STRONG;
	return head_count(h, "top_cuda_ops top_cpu_ops cuda_time_total_ms") >= 2 ? MATCH_STRONG
										 : MATCH_NO;
}

static void put_ops(struct reading *in, struct json_value profiler)
{
	struct json_value cuda = json_get(profiler, "top_cuda_ops");
	struct json_value cpu = json_get(profiler, "top_cpu_ops");
	struct op_rows o;

	if (cuda.type != JSON_ARRAY && cpu.type != JSON_ARRAY)
		return;
	op_rows_open(&o, in);
	op_rows_list(&o, "top_cuda_ops", cuda);
	op_rows_list(&o, "top_cpu_ops", cpu);
	op_rows_close(&o);
}

static enum status read_metrics(struct reading *in, struct err *e)
{
	struct json_value doc, profiler;

	TRY(jsondoc_read(in, &doc, e));
	profiler = json_get(doc, "profiler");
	if (profiler.type != JSON_OBJECT && !head_has(in->head, "perf"))
		profiler = doc;
	jsondoc_members(in, &in->record->env, SPAN(""), json_get(doc, "env"), NULL);
	jsondoc_members(in, &in->record->config, SPAN(""), json_get(doc, "config"), NULL);
	jsondoc_members(in, &in->record->scalars, SPAN(""), doc,
		" env config profiler top_cuda_ops top_cpu_ops ");
	if (profiler.text.p != doc.text.p)
		jsondoc_members(in, &in->record->scalars, SPAN("profiler"), profiler,
			" top_cuda_ops top_cpu_ops ");
	put_ops(in, profiler);
	metric_rows_summary(in, SPAN("perf.step_time"), jsondoc_at(doc, "perf.step_time"));
	return OK;
}

const struct artifact artifact_canary_metrics = {
	.name = "canary_metrics",
	.title = "metrics of a canary run",
	.summary =
		"metrics.json of a canary: environment, performance, stability, profiler summary",
	.probe = probe,
	.read = read_metrics,
};
