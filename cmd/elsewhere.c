/*
 * The words, a line each, by the commands that they lead to.  Taken from nsys, ncu, perf, rocprof,
 * HTA, TensorBoard, Perfetto, git and their like; what is near a command's name needs no line.
 */
#include "cmd/elsewhere.h"

#include "base/arena.h"
#include "base/compiler.h"
#include "cmd/verb.h"

static const char flames[] =
	"-o FILE.svg draws a flame graph, --format folded is for what else draws";
static const char glance[] = "one screen about a run, as 'traceq FILE' has it";
static const char charts[] =
	"--list says which charts a file allows, and each is drawn by its name";
static const char parts[] = "a trace of what --steps, --time, --around or -f leave";
static const char formats[] =
	"it writes a trace anew, as the suffix of -o says; tables are written by "
	"the answers, as --format csv or json";
static const char page[] = "there is no server, but it writes a page that any browser opens";
static const char rows[] = "there is no SQL, but each answer is tables, as --format csv or json";
static const char work[] = "what launches cost; 'kernels' and 'top' are about what they launch";

static const struct elsewhere words[] = {
	{ "view", "overview", NULL, glance },
	{ "show", "overview", NULL, glance },
	{ "open", "overview", NULL, glance },
	{ "read", "overview", NULL, glance },
	{ "trace", "overview", NULL, "one screen about a trace; 'capture' records one" },
	{ "stats", "top", NULL, NULL },
	{ "ops", "top", NULL, NULL },
	{ "operators", "top", NULL, NULL },
	{ "hotspots", "top", NULL, NULL },
	{ "query", "top", "--json", rows },
	{ "sql", "top", "--json", rows },
	{ "stat", "summary", NULL, NULL },
	{ "breakdown", "summary", NULL, NULL },
	{ "gaps", "idle", NULL, NULL },
	{ "dataloader", "idle", NULL, NULL },
	{ "api", "launches", NULL, work },
	{ "flops", "roofline", NULL, NULL },
	{ "mfu", "roofline", NULL, NULL },
	{ "critical-path", "critical", NULL, NULL },
	{ "snapshot", "memory", NULL, NULL },
	{ "leaks", "memory", NULL, NULL },
	{ "modules", "stages", NULL, NULL },
	{ "nvtx", "stages", NULL, NULL },
	{ "flamegraph", "stacks", ".svg", flames },
	{ "flame", "stacks", ".svg", flames },
	{ "speedscope", "stacks", ".speedscope.json", NULL },
	{ "lanes", "timeline", NULL, NULL },
	{ "events", "timeline", NULL, NULL },
	{ "memcpy", "copies", NULL, NULL },
	{ "nccl", "comms", NULL, NULL },
	{ "collectives", "comms", NULL, NULL },
	{ "straggler", "ranks", NULL, NULL },
	{ "stragglers", "ranks", NULL, NULL },
	{ "analyze", "diagnose", NULL, NULL },
	{ "analyse", "diagnose", NULL, NULL },
	{ "advise", "diagnose", NULL, NULL },
	{ "analysis", "diagnose", NULL, NULL },
	{ "bottleneck", "diagnose", NULL, NULL },
	{ "bottlenecks", "diagnose", NULL, NULL },
	{ "regression", "gate", NULL, NULL },
	{ "inspect", "info", NULL, NULL },
	{ "ls", "info", NULL, NULL },
	{ "validate", "check", NULL, NULL },
	{ "verify", "check", NULL, NULL },
	{ "compare", "diff", NULL, NULL },
	{ "chart", "plot", "--list", charts },
	{ "graph", "plot", "--list", charts },
	{ "draw", "plot", "--list", charts },
	{ "html", "report", ".html", page },
	{ "serve", "report", ".html", page },
	{ "ui", "report", ".html", page },
	{ "tensorboard", "report", ".html", page },
	{ "profile", "capture", NULL, NULL },
	{ "record", "capture", NULL, NULL },
	{ "convert", "cut", ".pftrace", formats },
	{ "export", "cut", ".pftrace", formats },
	{ "perfetto", "cut", ".pftrace", formats },
	{ "filter", "cut", ".json", parts },
	{ "slice", "cut", ".json", parts },
	{ "trim", "cut", ".json", parts },
	{ "combine", "merge", ".json", NULL },
	{ "join", "merge", ".json", NULL },
	{ "define", "explain", NULL, NULL },
	{ "glossary", "explain", NULL, NULL },
	{ "settings", "config", NULL, NULL },
	{ "man", "help", "--man", "the manual page of a command is its source, for 'man -l -'" },
};

const struct elsewhere *elsewhere_all(size_t *n)
{
	*n = COUNT_OF(words);
	return words;
}

const struct elsewhere *elsewhere_find(const char *word)
{
	size_t n;
	const struct elsewhere *w = elsewhere_all(&n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(w[i].word, word) == 0)
			return &w[i];
	return NULL;
}

const char *elsewhere_text(const struct elsewhere *w, const struct commands *all, struct arena *mem)
{
	const char *why = w->why;
	struct verb v;

	if (!why)
		why = verb_find(all, w->command, &v) ? v.summary : "";
	return arena_printf(mem, "here that is '%s': %s", w->command, why);
}
