/* One run or several: trees of files, and the runs that they are.  Trees of the source documents as
 * they print them, and what must stay apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/folder.h"
#include "analyze/input/run_parts.h"
#include "base/compiler.h"
#include "base/str.h"

/* tree: "NAME=KIND ..." in the order of a walk; KIND: T a trace (T2 of another size), ? not known,
 * else an artifact's. runs: one after the other, "FOLDER: file file" with what is read; (file) is
 * left out as a second one, [file] a further trace, <file> beside several runs, and what is not
 * known is not listed. */
struct tree {
	const char *what, *tree, *runs;
};

static const struct tree trees[] = {
	{ "a run folder as the document prints it",
		"config.json=run_config metrics.json=run_metrics "
		"profiler_summary.json=profiler_summary stage_times.json=stage_times "
		"profiler_context/stage_times.json=stage_times",
		".: config.json metrics.json profiler_summary.json stage_times.json "
		"(profiler_context/stage_times.json)" },
	{ "the same with what the profiler writes when it works",
		"metrics.json=run_metrics stage_times.json=stage_times "
		"profiler_context/stage_times.json=stage_times "
		"torch_profiler/memory_stats.json=memory_stats torch_profiler/op_stats.csv=op_csv "
		"torch_profiler/trace.json=T",
		".: metrics.json stage_times.json (profiler_context/stage_times.json) "
		"torch_profiler/memory_stats.json torch_profiler/op_stats.csv "
		"torch_profiler/trace.json" },
	{ "root, then torch_profiler, then profiler_context",
		"profiler_context/stage_times.json=stage_times "
		"torch_profiler/stage_times.json=stage_times context/stage_times.json=stage_times",
		".: (profiler_context/stage_times.json) torch_profiler/stage_times.json "
		"(context/stage_times.json)" },
	{ "the standalone runner's three tests",
		"context/stage_times.json=stage_times manager/stage_times.json=stage_times "
		"torch/trace.json=T",
		".: context/stage_times.json (manager/stage_times.json) torch/trace.json" },
	{ "a trace twice, once another recording", "trace.json=T torch_profiler/trace.json=T2",
		".: trace.json (torch_profiler/trace.json)" },
	{ "several runs, each with its context",
		"run_1/metrics.json=run_metrics run_1/profiler_context/stage_times.json=stage_times "
		"run_1/stage_times.json=stage_times run_2/metrics.json=run_metrics "
		"run_2/profiler_context/stage_times.json=stage_times",
		"run_1: metrics.json (profiler_context/stage_times.json) stage_times.json | "
		"run_2: metrics.json profiler_context/stage_times.json" },
	{ "run ids below one another's names",
		"m1a/run_1764504000/logs/train.jsonl=jsonl_log "
		"m1a/run_1764507600/logs/train.jsonl=jsonl_log "
		"m1b/run_1764504000/logs/train.jsonl=jsonl_log",
		"m1a/run_1764504000: logs/train.jsonl | m1a/run_1764507600: logs/train.jsonl | "
		"m1b/run_1764504000: logs/train.jsonl" },
	{ "a notebook's run: metrics and traces under two roofs",
		"configs/dpo_profiled.yaml=yaml_config "
		"profiler_output/run1/1764504000/metrics.json=canary_metrics "
		"profiler_traces/1764504000/trace.json=T",
		".: configs/dpo_profiled.yaml profiler_output/run1/1764504000/metrics.json "
		"profiler_traces/1764504000/trace.json" },
	{ "and its slow run beside it",
		"profiler_output/run1/id_a/metrics.json=canary_metrics "
		"profiler_output/slow_run/id_b/metrics.json=canary_metrics "
		"profiler_traces/id_a/trace.json=T profiler_traces_slow/id_b/trace.json=T",
		"profiler_output/run1/id_a: metrics.json profiler_traces/id_a/trace.json | "
		"profiler_output/slow_run/id_b: metrics.json profiler_traces_slow/id_b/trace.json" },
	{ "a guide's traces beside logs and samples",
		"gpu_usage.csv=smi_csv logs/train.log=text_log "
		"profiler_traces/host_1.10.pt.trace.json=T profiler_traces/host_1.20.pt.trace.json=T2",
		".: gpu_usage.csv logs/train.log profiler_traces/host_1.10.pt.trace.json "
		"[profiler_traces/host_1.20.pt.trace.json]" },
	{ "week 1",
		"configs/config.yaml=yaml_config data/label_mappings.json=? data/val_df.csv=? "
		"results/baseline_metrics.json=baseline_metrics results/detailed_metrics.csv=sweep_csv "
		"results/logs/run.log=text_log results/plots/batch_size_comparison.png=? "
		"results/profiler_traces/stacks.txt=op_table results/profiler_traces/trace.json=T",
		".: configs/config.yaml results/baseline_metrics.json results/detailed_metrics.csv "
		"results/logs/run.log results/profiler_traces/stacks.txt "
		"results/profiler_traces/trace.json" },
	{ "week 1 and week 2",
		"week1/results/baseline_metrics.json=baseline_metrics "
		"week1/results/profiler_traces/trace.json=T "
		"week2/results/baseline_metrics.json=baseline_metrics",
		"week1: results/baseline_metrics.json results/profiler_traces/trace.json | "
		"week2: results/baseline_metrics.json" },
	{ "the sibling kit",
		"sysinfo.json=run_config logs/train.jsonl=jsonl_log logs/train.log=text_log "
		"profiles/figures/stage_breakdown.png=? profiles/summary/summary.csv=stage_csv "
		"profiles/trace/host_1.10.pt.trace.json=T profiles/trace/ops.csv=op_csv",
		".: sysinfo.json logs/train.jsonl logs/train.log profiles/summary/summary.csv "
		"profiles/trace/host_1.10.pt.trace.json profiles/trace/ops.csv" },
	{ "ranks", "rank0/trace.json=T rank1/trace.json=T",
		".: rank0/trace.json [rank1/trace.json]" },
	{ "ranks with a log each",
		"rank0/stage_times.json=stage_times rank1/stage_times.json=stage_times",
		".: rank0/stage_times.json rank1/stage_times.json" },
	{ "samples above two runs are of neither",
		"gpu_usage.csv=smi_csv run_1/trace.json=T run_2/trace.json=T2",
		"run_1: <gpu_usage.csv> trace.json | run_2: trace.json" },
	{ "samples above one run are of it", "gpu_usage.csv=smi_csv run_1/trace.json=T",
		".: gpu_usage.csv run_1/trace.json" },
	{ "a run's own metrics above its evaluations",
		"metrics.json=run_metrics eval_1/metrics.json=run_metrics "
		"eval_2/metrics.json=run_metrics",
		".: metrics.json eval_1/metrics.json eval_2/metrics.json" },
	{ "a configuration above all runs is of each",
		"config.yaml=yaml_config a/metrics.json=run_metrics b/metrics.json=run_metrics",
		"a: config.yaml metrics.json | b: config.yaml metrics.json" },
	{ "different things in different folders are one run",
		"first/train.jsonl=jsonl_log second/trace.json=T",
		".: first/train.jsonl second/trace.json" },
};

static const struct artifact *kind_named(struct span name)
{
	size_t n, i;
	const struct artifact *const *kind = artifact_all(&n);

	for (i = 0; i < n; i++)
		if (span_is(name, kind[i]->name))
			return kind[i];
	fail_msg("no kind %.*s", (int)name.n, name.p);
	return NULL;
}

static void add_file(struct folder *f, struct span name, struct span kind)
{
	struct folder_file *file = folder_file_add(f);
	const char *p;

	*file = (struct folder_file){ .name = arena_copy(&f->mem, name.p, name.n), .why = "" };
	file->path = file->name;
	file->bytes = span_is(kind, "T2") ? 2 : 1;
	for (p = file->name; *p; p++)
		file->depth += *p == '/';
	if (*kind.p == 'T') {
		file->what = FOLDER_TRACE;
	} else if (*kind.p == '?') {
		file->what = FOLDER_UNKNOWN;
	} else {
		file->what = FOLDER_ARTIFACT;
		file->kind = kind_named(kind);
	}
}

static void make(struct folder *f, const char *tree)
{
	*f = (struct folder){ .path = ".", .join = "/" };
	while (*tree) {
		struct span name = { tree, strcspn(tree, "=") }, kind = { tree + name.n + 1, 0 };

		kind.n = strcspn(kind.p, " ");
		add_file(f, name, kind);
		tree = kind.p + kind.n;
		tree += *tree == ' ';
	}
}

static void put_file(struct str *b, const struct folder_file *file)
{
	switch (file->what) {
	case FOLDER_TWICE: str_addf(b, " (%s)", file->name); break;
	case FOLDER_FURTHER: str_addf(b, " [%s]", file->name); break;
	case FOLDER_BESIDE: str_addf(b, " <%s>", file->name); break;
	case FOLDER_UNKNOWN: break;
	default: str_addf(b, " %s", file->name);
	}
}

static void check(const struct tree *t)
{
	struct str b = { 0 };
	struct part *part;
	struct folder f;
	size_t n, i, k;

	make(&f, t->tree);
	n = parts_of(&f, ".", &part);
	for (i = 0; i < n; i++) {
		const char *path = part[i].path;

		str_addf(
			&b, "%s%s:", i ? " | " : "", strncmp(path, "./", 2) == 0 ? path + 2 : path);
		for (k = 0; k < part[i].n; k++)
			put_file(&b, part[i].file[k]);
	}
	assert_true(n > 0 && b.s);
	if (!b.s || strcmp(b.s, t->runs) != 0)
		fail_msg("%s:\n%s\nnot\n%s", t->what, b.s ? b.s : "", t->runs);
	str_free(&b);
	folder_clear(&f);
}

static void test_trees(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(trees); i++)
		check(&trees[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_trees) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
