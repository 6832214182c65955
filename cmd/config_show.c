/* The config command: which settings are in force, and where each comes from. */
#include "cmd/command.h"
#include "cmd/config.h"
#include "cmd/command_formats.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "report/format/renderer.h"

static const struct opt output_opts[] = {
	CHOICE_OPT("format", "FORMAT", offsetof(struct output_options, format), OPTIONS_FORMATS,
		"how the answer is written [table]"),
	FLAG_OPT("json", 0, offsetof(struct output_options, is_json), "the same as --format json"),
	TEXT_OPT("output", 'o', "FILE", offsetof(struct output_options, path),
		"write the answer to FILE, which appears when it is complete"),
};

static const struct opt_group groups[] = {
	{ CONFIG_TITLE, config_opts, CONFIG_OPTS, NULL },
	{ "Output", output_opts, COUNT_OF(output_opts), NULL },
};

enum { COL_KEY, COL_VALUE, COL_ORIGIN, COL_BUILT_IN, COL_TYPE, COL_CHOICES, COL_HELP, COLUMNS };
static const struct column columns[COLUMNS] = {
	[COL_KEY] = TEXT_COLUMN("key", "key", "Its place in traceq.yaml, outermost first.", 0),
	[COL_VALUE] = TEXT_COLUMN("value", "value", "The value in force.", 0),
	[COL_ORIGIN] = TEXT_COLUMN(
		"origin", "from", "built-in, FILE:LINE:COLUMN, or the name of a variable.", 0),
	[COL_BUILT_IN] = TEXT_COLUMN(
		"built_in", "built in", "The value without any configuration.", COLUMN_HIDDEN),
	[COL_TYPE] = TEXT_COLUMN("type", "type",
		"ratio, number, count, time, bytes, choice, list or text.", COLUMN_HIDDEN),
	[COL_CHOICES] = TEXT_COLUMN(
		"choices", "choices", "What a choice may be, with | between.", COLUMN_HIDDEN),
	[COL_HELP] = TEXT_COLUMN("help", "what it does", "What it does.", COLUMN_HIDDEN),
};
static const struct table_doc docs[] = { { "settings", NULL, columns, COLUMNS } };

/* The key is word, or below it. */
static bool is_below(const char *key, const char *word)
{
	size_t n = strlen(word);

	return strncmp(key, word, n) == 0 && (key[n] == '\0' || key[n] == '.');
}

static void put_value(struct table *t, const struct setting_value *v)
{
	table_row(t);
	table_text(t, COL_KEY, span_of(v->key));
	table_text(t, COL_VALUE, span_of(v->text));
	table_text(t, COL_ORIGIN, span_of(v->origin));
	table_text(t, COL_BUILT_IN, span_of(v->setting->preset));
	table_text(t, COL_TYPE, span_of(setting_type_word(v->setting->type)));
	if (v->setting->choices)
		table_text(t, COL_CHOICES, span_of(v->setting->choices));
	table_text(t, COL_HELP, span_of(v->setting->help));
}

/* word: a key or what is above keys, or NULL for all.  Returns the exit code. */
static int show(const struct command_line *line, const struct output_options *o,
	const struct config *c, const char *word)
{
	const struct renderer *renderer;
	struct result r;
	struct err e;

	if (output_renderer(o, &(struct formats){ "config", NULL, &line->all->analyses }, &renderer,
		    &e) != OK)
		return say_error("config", &e);
	result_init(&r, "traceq.config/1");
	struct table *t = result_table(&r, docs->id, docs->title, docs->col, docs->ncol);
	for (EACH(const struct setting_value, value, c->settings.v, c->settings.n))
		if (!word || is_below(value->key, word))
			put_value(t, value);
	if (!word || t->nrow > 0)
		return output_result(o, renderer, &r);
	result_clear(&r);
	return say_failure("config: no setting '%s'; 'traceq config' lists all of them", word);
}

/* What the line says. */
struct asked {
	struct config_options from;
	struct output_options output;
};

static int read_and_show(const struct command_line *line, void *ctx, const char **operand, size_t n)
{
	const struct asked *a = ctx;
	struct config c;
	struct err e;

	if (n > 1)
		return say_failure("config: one key at a time");
	err_clear(&e);
	int exit_code = config_read(&c, &line->all->analyses, &a->from, &e) == OK
		? show(line, &a->output, &c, n ? operand[0] : NULL)
		: say_error(NULL, &e);
	config_clear(&c);
	return exit_code;
}

static int run(const struct command_line *line)
{
	struct asked a = { 0 };

	return options_run("config", groups, COUNT_OF(groups), (void *[]){ &a.from, &a.output },
		line, read_and_show, &a);
}

COMMAND(config) = {
	.name = "config",
	.summary = "show the settings in force and where each comes from",
	.operands = "[KEY]",
	.doc = "Settings are read from traceq.yaml in this folder, or from the file that --config or "
	       "TRACEQ_CONFIG names. A key that is not known is an error, with its line and column. A file "
	       "that the command does not name and that changes an answer is said on stderr; "
	       "--no-config reads none.\n\n"
	       "A variable overrides the file: TRACEQ_ and the key in capitals, points and dashes as _ "
	       "(TRACEQ_DIAGNOSE_G10_WARN). An option overrides the variable. KEY shows that key, or "
	       "those below it.\n\n"
	       "Shares are written 5% or 0.05, times 20us, sizes 200MiB; lists [G01, G03].",
	.examples = "traceq config\n"
		    "traceq config diagnose.G10\n"
		    "traceq config --config nightly.yaml --json\n",
	COMMAND_HAS(group, groups),
	COMMAND_HAS(table, docs),
	.run = run,
};
