/*
 * The tools: commands of traceq as an agent sees them, described from their own tables of options.
 */
#pragma once

#include "cmd/verb.h"

/* What a tool is asked about, and how its answer comes. */
enum tool_kind {
	TOOL_RUNS,  /* an analysis of runs: "files" */
	TOOL_SIDES, /* an analysis that compares: "base" and "new" */
	TOOL_WORD,  /* explain: "word" */
	TOOL_TRACE  /* cut: "file" and "output" */
};

/* An option that a tool takes, under its long name. */
struct tool_option {
	const struct opt *opt;
	bool is_input; /* its values are files to read */
};

enum { TOOL_OPTIONS_MAX = 64 };

struct tool {
	enum tool_kind kind;
	struct verb verb; /* points into itself: a tool is not to be copied */
	struct tool_option option[TOOL_OPTIONS_MAX];
	size_t noption;
	bool has_limit; /* of rows, which excerpts have of their own: the command is to have all */
};

/* The tool of that name; false when there is none. */
bool tool_find(const struct commands *all, struct span name, struct tool *t);

/* The arguments that must be given: what a tool of that kind is asked about; "" ends them. */
struct tool_argument {
	const char *name, *doc;
	bool is_list;
};
const struct tool_argument *tool_arguments(enum tool_kind kind);

/* Arguments of all tools that answer with tables. */
#define TOOL_LIMIT  "limit"
#define TOOL_CURSOR "cursor"
bool tool_has_tables(const struct tool *t);

/* Appends the answer to tools/list: {"tools": [...]}. */
void toolbox_describe(const struct commands *all, struct str *out);
