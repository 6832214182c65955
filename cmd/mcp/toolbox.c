/*
 * Tools from verbs: which options an agent may use, and the list of them.
 */
#include "cmd/mcp/toolbox.h"

#include <string.h>

#include "analyze/query/analysis.h"
#include "cmd/config.h"
#include "cmd/edit/edited.h"
#include "cmd/sinks.h"

static const char *const names[] = {
#define X(name) #name,
	TOOLS(X)
#undef X
};

static const struct tool_argument of_runs[] = {
	{ "files",
		"Traces, logs, profiler summaries, or folders of them (a folder of ranks is one job).",
		true, true },
	{ .name = "" },
};
static const struct tool_argument of_sides[] = {
	{ "base", "The runs to compare with: files or folders, or a store of baselines.", true,
		true },
	{ "new", "The runs that are judged: files or folders.", true, true },
	{ .name = "" },
};
static const struct tool_argument of_word[] = {
	{ "word",
		"A column, table, note, check, rule or term as answers write it, such as self_device_ns "
		"or G07.",
		false, true },
	{ .name = "" },
};
static const struct tool_argument of_trace[] = {
	{ "file", "The trace to cut.", false, true },
	{ "output",
		"The file to write, which must not be there yet: .json, .json.gz, or .pftrace for "
		"Perfetto.",
		false, true },
	{ .name = "" },
};

const struct tool_argument *tool_arguments(enum tool_kind kind)
{
	switch (kind) {
	case TOOL_RUNS: return of_runs;
	case TOOL_SIDES: return of_sides;
	case TOOL_WORD: return of_word;
	case TOOL_TRACE: break;
	}
	return of_trace;
}

bool tool_has_tables(const struct tool *t)
{
	return t->kind == TOOL_RUNS || t->kind == TOOL_SIDES;
}

static void add_option(struct tool *t, const struct opt *o, bool is_input)
{
	if (o->name && strcmp(o->name, TOOL_LIMIT) == 0)
		t->has_limit = true;
	else if (t->noption < TOOL_OPTIONS_MAX && o->name)
		t->option[t->noption++] = (struct tool_option){ o, is_input };
}

/* Where and how answers are written, and files of settings, are the server's business. */
static bool is_for_agents(const struct opt_group *g)
{
	return g->opt != config_opts && g->opt != sink_opts && g->opt != edited_group.opt;
}

static void add_options(struct tool *t)
{
	const struct verb *v = &t->verb;
	bool is_input;
	size_t i, k;

	for (i = 0; i < v->nown; i++) {
		is_input = v->group[i].opt == options_capture.opt ||
			v->group[i].opt == options_exectrace.opt;
		for (k = 0; is_for_agents(&v->group[i]) && k < v->group[i].n; k++)
			add_option(t, &v->group[i].opt[k], is_input);
	}
	for (i = 0; v->analysis && i < v->nfilter; i++)
		add_option(t, &v->filter[i], false);
	for (i = 0; v->analysis && i < OUTPUT_OPTS; i++)
		if (v->output[i].name && strcmp(v->output[i].name, "table") == 0)
			add_option(t, &v->output[i], false);
}

static enum tool_kind kind_of(const struct verb *v)
{
	if (v->analysis)
		return v->analysis->sides.max > 1 ? TOOL_SIDES : TOOL_RUNS;
	return strcmp(v->name, "cut") == 0 ? TOOL_TRACE : TOOL_WORD;
}

bool tool_get(const struct commands *all, size_t i, struct tool *t)
{
	if (i >= COUNT_OF(names) || !verb_find(all, names[i], &t->verb))
		return false;
	t->kind = kind_of(&t->verb);
	t->noption = 0;
	t->has_limit = false;
	if (t->kind != TOOL_WORD)
		add_options(t);
	return true;
}

bool tool_find(const struct commands *all, struct span name, struct tool *t)
{
	size_t i;

	for (i = 0; i < COUNT_OF(names); i++)
		if (span_is(name, names[i]))
			return tool_get(all, i, t);
	return false;
}
