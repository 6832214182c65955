/*
 * The list of commands, and one view over analyses and commands.
 */
#include "cmd/command.h"

#include <stdio.h>
#include <string.h>

#include "analyze/analysis/analysis.h"
#include "base/plural.h"
#include "cmd/config.h"
#include "cmd/formats.h"
#include "cmd/help/about.h"
#include "cmd/options.h"
#include "cmd/sinks.h"
#include "cmd/tables.h"

enum { VERBS_MAX = 128 };

static const struct command *const commands[] = {
#define X(name) &command_##name,
	COMMANDS(X)
#undef X
};

const char *verb_operands(const struct analysis *a)
{
	if (a->help.operands)
		return a->help.operands;
	if (a->runs.min == 0)
		return plural(a->runs.max, "[FILE]", "[FILE...]");
	return plural(a->runs.max, "FILE", "FILE...");
}

/* Which formats and tables it has. */
static void set_output(struct verb *v, const struct analysis *a)
{
	struct str words = { 0 };

	formats_choices(&words, &(struct formats){ a->name, a });
	(void)snprintf(v->formats, sizeof(v->formats), "%s", words.s);
	str_reset(&words);
	tables_choices(&words, a);
	(void)snprintf(v->tables, sizeof(v->tables), "%s", words.s);
	str_free(&words);
	options_output(v->output, v->formats, v->tables);
}

/* The common groups, with the filters it takes and the formats it has. */
static void add_common(struct verb *v, const struct analysis *a)
{
	struct opt_group *group = v->group + v->ngroup;
	size_t i, n = options_common(group, NULL);

	set_output(v, a);
	group[1].opt = v->output;
	v->nfilter = options_filters(v->filter, a->options.ignores);
	group[0].opt = v->filter;
	group[0].n = v->nfilter;
	for (i = 0; v->nfilter == 0 && i + 1 < n; i++)
		group[i] = group[i + 1];
	v->ngroup += n - (v->nfilter == 0);
}

static void from_analysis(struct verb *v, const struct analysis *a)
{
	*v = (struct verb){
		.name = a->name,
		.summary = a->summary,
		.operands = verb_operands(a),
		.doc = a->help.doc,
		.source = a->help.source,
		.examples = a->help.examples,
		.exit_codes = about_exit_codes,
		.analysis = a,
	};
	if (a->options.n)
		v->group[v->ngroup++] = (struct opt_group){ "Options", a->options.opt,
			a->options.n - a->options.nhidden, NULL };
	if (a->per_run.runs || a->per_run.folds)
		v->group[v->ngroup++] = options_runs;
	if (a->runs.takes_capture)
		v->group[v->ngroup++] = options_capture;
	if (a->runs.takes_exectrace)
		v->group[v->ngroup++] = options_exectrace;
	if (analysis_is_set(a))
		v->group[v->ngroup++] =
			(struct opt_group){ CONFIG_TITLE, config_opts, CONFIG_OPTS, NULL };
	if (a->has_verdict)
		v->group[v->ngroup++] =
			(struct opt_group){ SINKS_TITLE, sink_opts, SINK_OPTS, NULL };
	v->nown = v->ngroup;
	add_common(v, a);
}

static void from_command(struct verb *v, const struct command *c)
{
	*v = (struct verb){
		.name = c->name,
		.summary = c->summary,
		.operands = c->operands,
		.doc = c->doc,
		.examples = c->examples,
		.exit_codes = c->exit_codes ? c->exit_codes : about_exit_codes,
		.words = c->words,
		.command = c,
	};
	for (; v->ngroup < c->ngroup && v->ngroup < VERB_GROUPS_MAX; v->ngroup++)
		v->group[v->ngroup] = c->group[v->ngroup];
	if (c->more_groups)
		v->ngroup += c->more_groups(v->group + v->ngroup, v->filter);
	v->nown = v->ngroup;
}

size_t verb_count(void)
{
	size_t n;

	(void)analysis_all(&n);
	return n + COUNT_OF(commands);
}

void verb_get(size_t i, struct verb *v)
{
	size_t n;
	const struct analysis *const *all = analysis_all(&n);

	if (i < n)
		from_analysis(v, all[i]);
	else
		from_command(v, commands[i - n]);
}

bool verb_find(const char *name, struct verb *v)
{
	size_t i, n = verb_count();

	for (i = 0; i < n; i++) {
		verb_get(i, v);
		if (strcmp(v->name, name) == 0)
			return true;
	}
	return false;
}

const char *verb_nearest(const char *word)
{
	const char *names[VERBS_MAX];
	size_t i, n = verb_count();
	struct verb v;

	if (n > VERBS_MAX)
		n = VERBS_MAX;
	for (i = 0; i < n; i++) {
		verb_get(i, &v);
		names[i] = v.name;
	}
	return opt_nearest(word, names, n);
}
