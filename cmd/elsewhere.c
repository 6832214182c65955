/* The words, by the commands that they lead to.  Taken from nsys, ncu, perf, rocprof, HTA,
 * TensorBoard, Perfetto, git and their like; what is near a command's name needs no line. */
#include "cmd/elsewhere.h"

#include "cmd/verb.h"

static const char flames[] =
	"-o FILE.svg draws a flame graph, --format folded is for what else draws";
static const char glance[] = "one screen about a run, as 'traceq FILE' has it";
static const char charts[] =
	"--list says which charts a file allows, and each is drawn by its name";
static const char parts[] = "a trace of what --steps, --time, --around or -f leave";
static const char formats[] =
	"it writes a trace anew, as the suffix of -o says; 'export' writes tables";
static const char page[] = "there is no server, but it writes a page that any browser opens";
static const char work[] = "what launches cost; 'kernels' and 'top' are about what they launch";

static const struct elsewhere words[] = {
	{ "view|show|open|read", "overview", NULL, glance },
	{ "trace", "overview", NULL, "one screen about a trace; 'capture' records one" },
	{ "stats|ops|operators|hotspots", "top", NULL, NULL },
	{ "query", "sql", "--schema", NULL },
	{ "stat|breakdown", "summary", NULL, NULL },
	{ "gaps|dataloader", "idle", NULL, NULL },
	{ "api", "launches", NULL, work },
	{ "flops|mfu", "roofline", NULL, NULL },
	{ "critical-path", "critical", NULL, NULL },
	{ "snapshot|leaks", "memory", NULL, NULL },
	{ "modules|nvtx", "stages", NULL, NULL },
	{ "flamegraph|flame", "stacks", ".svg", flames },
	{ "speedscope", "stacks", ".speedscope.json", NULL },
	{ "lanes|events", "timeline", NULL, NULL },
	{ "memcpy", "copies", NULL, NULL },
	{ "nccl|collectives", "comms", NULL, NULL },
	{ "straggler|stragglers", "ranks", NULL, NULL },
	{ "analyze|analyse|advise|analysis|bottleneck|bottlenecks", "diagnose", NULL, NULL },
	{ "regression", "gate", NULL, NULL },
	{ "inspect|ls", "info", NULL, NULL },
	{ "validate|verify", "check", NULL, NULL },
	{ "compare", "diff", NULL, NULL },
	{ "chart|graph|draw", "plot", "--list", charts },
	{ "html|serve|ui|tensorboard", "report", ".html", page },
	{ "profile|record", "capture", NULL, NULL },
	{ "convert|perfetto", "cut", ".pftrace", formats },
	{ "parquet|duckdb|sqlite", "export", ".parquet", NULL },
	{ "filter|slice|trim", "cut", ".json", parts },
	{ "combine|join", "merge", ".json", NULL },
	{ "define|glossary", "explain", NULL, NULL },
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

	return FIND(i, w, n, span_in(span_of(word), w[i].words));
}

const char *elsewhere_text(const struct elsewhere *w, const struct commands *all, struct arena *mem)
{
	const char *why = w->why;
	struct verb v;

	if (!why)
		why = verb_find(all, w->command, &v) ? v.summary : "";
	return arena_printf(mem, "here that is '%s': %s", w->command, why);
}
