/* Tools from verbs: which options an agent may use, and the list of them. */
#include "cmd/mcp/toolbox.h"

#include "cmd/config.h"
#include "cmd/edit/edited.h"
#include "cmd/sinks.h"
#include "report/escape.h"
#include "report/format/excerpt.h"

static const char *const names[] = { "info", "summary", "diagnose", "top", "idle", "kernels",
	"comms", "ranks", "critical", "roofline", "sql", "diff", "gate", "explain", "cut" };

static const struct tool_argument of_runs[] = {
	{ "files",
		"Traces, logs, profiler summaries, or folders of them (a folder of ranks is one job).",
		true },
	{ .name = "" },
};
static const struct tool_argument of_sides[] = {
	{ "base", "The runs to compare with: files or folders, or a store of baselines.", true },
	{ "new", "The runs that are judged: files or folders.", true },
	{ .name = "" },
};
static const struct tool_argument of_word[] = {
	{ "word",
		"A column, table, note, check, rule or term as answers write it, such as self_device_ns "
		"or G07.",
		false },
	{ .name = "" },
};
static const struct tool_argument of_trace[] = {
	{ "file", "The trace to cut.", false },
	{ "output",
		"The file to write, which must not be there yet: .json, .json.gz, or .pftrace for "
		"Perfetto.",
		false },
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

	for (EACH(const struct opt_group, group, v->group, v->nown)) {
		is_input = group->opt == options_capture.opt || group->opt == options_exectrace.opt;
		for (size_t k = 0; is_for_agents(group) && k < group->n; k++)
			add_option(t, &group->opt[k], is_input);
	}
	for (size_t i = 0; v->analysis && i < v->nfilter; i++)
		add_option(t, &v->filter[i], false);
	for (size_t i = 0; v->analysis && i < OUTPUT_OPTS; i++)
		if (v->output[i].name && strcmp(v->output[i].name, "table") == 0)
			add_option(t, &v->output[i], false);
}

static enum tool_kind kind_of(const struct verb *v)
{
	if (v->analysis)
		return v->analysis->sides.max > 1 ? TOOL_SIDES : TOOL_RUNS;
	return strcmp(v->name, "cut") == 0 ? TOOL_TRACE : TOOL_WORD;
}

/* The i-th tool; false behind the last. */
static bool tool_get(const struct commands *all, size_t i, struct tool *t)
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
	return FIND_VALUE(i, COUNT_OF(names), span_is(name, names[i]), tool_get(all, i, t), false);
}

/* ---- as an agent reads them: JSON Schema of their arguments (draft 2020-12) ---- */

static void put_text(struct str *b, const char *s)
{
	escape_json(b, span_of(s));
}

/* A member: behind a comma where one stands before. */
static void next_member(struct str *b)
{
	if (b->s[b->n - 1] != '{')
		str_addc(b, ',');
}

/* Words "a|b|c" as strings. */
static void put_words(struct str *b, const char *words)
{
	str_addc(b, '[');
	for (struct span word; span_words(&words, &word);) {
		if (b->s[b->n - 1] != '[')
			str_addc(b, ',');
		escape_json(b, word);
	}
	str_addc(b, ']');
}

static void put_option(struct str *b, const struct opt *o)
{
	SCOPED_STR doc = { 0 };

	next_member(b);
	str_add_by(b, put_text, "%s:{", o->name);
	switch (o->type) {
	case OPT_FLAG: str_adds(b, "\"type\":\"boolean\""); break;
	case OPT_INT: str_adds(b, "\"type\":\"integer\",\"minimum\":0"); break;
	case OPT_TEXT: str_adds(b, "\"type\":\"string\""); break;
	case OPT_CHOICE:
		str_add_by(b, put_words, "\"type\":\"string\",\"enum\":%s", o->choices);
		break;
	case OPT_LIST: str_adds(b, "\"type\":\"array\",\"items\":{\"type\":\"string\"}"); break;
	}
	if (o->arg)
		str_addf(&doc, "%s: ", o->arg);
	str_adds(&doc, o->help);
	if (o->choices && o->type != OPT_CHOICE)
		str_addf(&doc, " (%s)", o->choices);
	str_add_by(b, put_text, ",\"description\":%s}", doc.s);
}

static void put_schema(struct str *b, const struct tool *t)
{
	const struct tool_argument *all = tool_arguments(t->kind);

	str_adds(b, ",\"inputSchema\":{\"type\":\"object\",\"properties\":{");
	for (const struct tool_argument *a = all; *a->name; a++) {
		next_member(b);
		str_add_by(b, put_text,
			a->is_list
				? "%s:{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":1,"
				  "\"description\":%s}"
				: "%s:{\"type\":\"string\",\"description\":%s}",
			a->name, a->doc);
	}
	/* How much of the tables, and which part. */
	if (tool_has_tables(t)) {
		next_member(b);
		str_add_by(b, put_text,
			"%s:{\"type\":\"integer\",\"minimum\":1,\"maximum\":%d,"
			"\"description\":\"rows of each table [%d]\"},"
			"%s:{\"type\":\"string\",\"description\":\"next_cursor of a table in the answer to "
			"the same arguments: its next rows alone\"}",
			TOOL_LIMIT, (int)EXCERPT_ROWS_MAX, (int)EXCERPT_ROWS, TOOL_CURSOR);
	}
	for (size_t i = 0; i < t->noption; i++)
		put_option(b, t->option[i].opt);
	str_adds(b, "},\"required\":[");
	for (const struct tool_argument *a = all; *a->name; a++)
		str_add_by(b, put_text, a > all ? ",%s" : "%s", a->name);
	str_adds(b, "],\"additionalProperties\":false}");
}

static void put_tool(struct str *b, const struct tool *t)
{
	const char *is_reader = t->kind != TOOL_TRACE ? "true" : "false";

	str_add_by(b, put_text, "{\"name\":%s", t->verb.name);
	/* The summary, and the first paragraph of what the manual says. */
	const char *end = t->verb.doc ? strstr(t->verb.doc, "\n\n") : NULL;
	SCOPED_STR text = { 0 };
	str_addf(&text, "%s.", t->verb.summary);
	if (t->verb.doc) {
		str_addc(&text, ' ');
		str_add(&text, t->verb.doc,
			end ? (size_t)(end - t->verb.doc) : strlen(t->verb.doc));
	}
	for (size_t i = 0; i < text.n; i++)
		if (text.s[i] == '\n')
			text.s[i] = ' ';
	str_add_by(b, put_text, ",\"description\":%s", text.s);
	put_schema(b, t);
	str_addf(b,
		",\"annotations\":{\"readOnlyHint\":%s,\"destructiveHint\":false,"
		"\"idempotentHint\":%s,\"openWorldHint\":false}}",
		is_reader, is_reader);
}

void toolbox_describe(const struct commands *all, struct str *out)
{
	struct tool t;

	str_adds(out, "{\"tools\":[");
	for (size_t i = 0; tool_get(all, i, &t); i++) {
		str_adds(out, i ? "," : "");
		put_tool(out, &t);
	}
	str_adds(out, "]}");
}
