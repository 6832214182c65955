/* One view over analyses and commands. */
#include "cmd/verb.h"

#include <stdio.h>

#include "cmd/config.h"
#include "cmd/command_formats.h"
#include "cmd/sinks.h"
#include "cmd/tables.h"

enum { VERBS_MAX = 128 };

const char *verb_operands(const struct analysis *a)
{
	if (a->help.operands)
		return a->help.operands;
	if (a->runs.min == 0)
		return plural(a->runs.max, "[FILE]", "[FILE...]");
	return plural(a->runs.max, "FILE", "FILE...");
}

size_t verb_groups(const struct analysis *a, const struct verb_into *into, struct opt_group *group)
{
	const struct {
		bool is_there;
		struct opt_group group;
		void *into;
	} all[] = {
		{ a->options.n,
			{ "Options", a->options.opt,
				a->options.n - (into->own ? 0 : a->options.nhidden), NULL },
			into->own },
		{ a->per_run.runs || a->per_run.folds, options_runs, into->output },
		{ a->runs.takes_capture, options_capture, into->capture },
		{ a->runs.takes_exectrace, options_exectrace, into->exectrace },
		{ analysis_is_set(a), { CONFIG_TITLE, config_opts, CONFIG_OPTS, NULL },
			into->config },
		{ a->has_verdict, { SINKS_TITLE, sink_opts, SINK_OPTS, NULL }, into->sinks },
	};
	size_t i, n = 0;

	for (i = 0; i < COUNT_OF(all); i++)
		if (all[i].is_there) {
			group[n] = all[i].group;
			group[n++].into = all[i].into;
		}
	return n;
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
	v->ngroup = verb_groups(a, &(struct verb_into){ 0 }, v->group);
	v->nown = v->ngroup;
	/* The common groups, with the filters it takes and the formats it has. */
	struct opt_group *group = v->group + v->ngroup;
	size_t n = options_common(group, NULL, NULL, NULL);
	group[n++] = options_help;
	/* Which formats and tables it has. */
	struct str words = { 0 };
	formats_choices(&words, &(struct formats){ .analysis = a });
	(void)snprintf(v->formats, sizeof(v->formats), "%s", words.s);
	str_reset(&words);
	tables_choices(&words, a);
	(void)snprintf(v->tables, sizeof(v->tables), "%s", words.s);
	str_free(&words);
	options_output(v->output, v->formats, v->tables);
	group[1].opt = v->output;
	v->nfilter = options_filters(v->filter, a->options.ignores);
	group[0].opt = v->filter;
	group[0].n = v->nfilter;
	for (size_t i = 0; v->nfilter == 0 && i + 1 < n; i++)
		group[i] = group[i + 1];
	v->ngroup += n - (v->nfilter == 0);
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

bool verb_get(const struct commands *all, size_t i, struct verb *v)
{
	size_t n = all->analyses.n;

	if (i < n)
		from_analysis(v, all->analyses.v[i]);
	else if (i < n + all->n)
		from_command(v, all->v[i - n]);
	return i < n + all->n;
}

/* The name of the i-th; NULL behind the last. */
static const char *name_of(const struct commands *all, size_t i)
{
	size_t n = all->analyses.n;

	return i < n ? all->analyses.v[i]->name : i < n + all->n ? all->v[i - n]->name : NULL;
}

static size_t index_of(const struct commands *all, const char *name)
{
	const char *one;
	size_t i;

	for (i = 0; (one = name_of(all, i)) && strcmp(one, name) != 0; i++)
		continue;
	return i;
}

bool verb_find(const struct commands *all, const char *name, struct verb *v)
{
	return verb_get(all, index_of(all, name), v);
}

bool verb_runs(const struct commands *all, const char *name, struct verb_runs *by)
{
	size_t i = index_of(all, name), n = all->analyses.n;

	*by = (struct verb_runs){ .analysis = i < n ? all->analyses.v[i] : NULL,
		.command = i >= n && i < n + all->n ? all->v[i - n] : NULL };
	return by->analysis || by->command;
}

const char *verb_nearest(const struct commands *all, const char *word)
{
	const char *names[VERBS_MAX];
	size_t n = 0;

	while (n < VERBS_MAX && (names[n] = name_of(all, n)))
		n++;
	return opt_nearest(word, names, n);
}

/* ---- traceq as a whole ---- */

const char about_examples[] = "traceq top trace.json.gz\n"
			      "traceq info *.json.gz --json\n"
			      "traceq explain self_cpu_ns\n";

const char about_files[] =
	"A FILE is a Chrome trace as PyTorch (Kineto), JAX, Node and others write it, or what a run "
	"leaves beside: logs, summaries, sweeps, samples; a folder is all of them. Compressed or "
	"not; '-' is standard input. What a file is, its content decides, never its name. "
	"Damage that can be worked around is, and is counted and said; --strict makes it an error.";

const char about_exit_codes[] =
	"0  answered\n"
	"1  answered, and the answer is no: regressed (gate, diff --exit-code), not\n"
	"   reliable (check), something CRIT (diagnose --exit-code)\n"
	"2  no answer, or not for all inputs: wrong options, unreadable input, output\n"
	"   not written\n";

const char *const about_environment[] = {
	"NO_COLOR",
	"set and not empty: no colors, unless --color says otherwise",
	"CLICOLOR_FORCE",
	"set and not 0: colors also where stdout is no terminal; FORCE_COLOR means the same",
	"COLUMNS",
	"width of text, in place of the terminal's; without either 80",
	"TRACEQ_PAGER",
	"shows text longer than the terminal, else PAGER, else less; empty or cat: nothing does",
	"TRACEQ_CONFIG",
	"a file of settings, in place of traceq.yaml in this folder",
	"TRACEQ_DIAGNOSE_...",
	"one setting: 'traceq config' lists them, TRACEQ_DIAGNOSE_G10_WARN is diagnose.G10.warn",
	"TRACEQ_INFLATE",
	"zlib: decompress with zlib where ISA-L is built in",
	"TRACEQ_SCANNER",
	"avx2, sse2, neon or portable: the scanner to use, where this machine has it",
	NULL,
};
