/*
 * The baseline command: a store of what good runs said, one JSON line a run.
 *
 * A run is compared with the store's current level before it is added, and refused when it fails:
 * else a regression would be red once and the base from then on.  The store is written whole and
 * renamed, under a lock, so that neither a crash nor a second writer loses a run.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyze/analysis.h"
#include "analyze/digest_new.h"
#include "analyze/metricset.h"
#include "analyze/sides.h"
#include "base/io.h"
#include "base/table.h"
#include "base/verdict.h"
#include "cmd/clock.h"
#include "cmd/command.h"
#include "cmd/config.h"
#include "cmd/help.h"
#include "cmd/history.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/sides.h"
#include "report/renderer.h"

struct baseline_options {
	const char *accept, *commit, *label, *time, *tier;
	int64_t keep, threads;
};

#define AT(field) offsetof(struct baseline_options, field)
static const struct opt own_opts[] = {
	OPT("accept", 0, OPT_TEXT, "REASON", "add: also runs that fail the gate, and why",
		AT(accept), NULL, NULL),
	OPT("commit", 0, OPT_TEXT, "SHA", "add: what the runs were made from", AT(commit), NULL,
		NULL),
	OPT("label", 0, OPT_TEXT, "TEXT", "add: what to call them [the runs' names]", AT(label),
		NULL, NULL),
	OPT("time", 0, OPT_TEXT, "SECONDS", "add: when they were made, since 1970 [now]", AT(time),
		NULL, NULL),
	OPT("tier", 0, OPT_CHOICE, "TIER", "add: tolerances of the gate [default]", AT(tier),
		"default|smoke|perf|nightly", NULL),
	OPT("keep", 0, OPT_INT, "N", "prune: how many of the newest runs stay", AT(keep), NULL,
		NULL),
	OPT("threads", 'j', OPT_INT, "N", "add: threads that read; 0 = one per core [0]",
		AT(threads), NULL, NULL),
};
#undef AT

static const struct opt output_opts[] = {
	OPT("format", 0, OPT_CHOICE, "FORMAT", "list: how it is written [table]",
		offsetof(struct output_options, format), OPTIONS_FORMATS, NULL),
	OPT("json", 0, OPT_FLAG, NULL, "the same as --format json",
		offsetof(struct output_options, is_json), NULL, NULL),
	OPT("quiet", 'q', OPT_FLAG, NULL, "no notes, no progress",
		offsetof(struct output_options, is_quiet), NULL, NULL),
};

static const struct opt_group groups[] = {
	{ "Options", own_opts, COUNT_OF(own_opts), NULL },
	{ CONFIG_TITLE, config_opts, CONFIG_OPTS, NULL },
	{ "Output", output_opts, COUNT_OF(output_opts), NULL },
};

/* One invocation. */
struct baseline {
	struct baseline_options o;
	struct config_options config_options;
	struct config config;
	struct output_options output;
	const char *store, *file; /* as given; the file of it */
	const char **run;         /* operands of add */
	size_t nrun;
	struct history history;
	bool is_new; /* there is no store yet */
	int lock;
	struct arena mem;
	struct err err;
};

/* ---- the store ---- */

/* Locks the store's folder; an error means that nobody can write there either. */
static enum status lock(struct baseline *b)
{
	char *folder = arena_copy(&b->mem, b->file, strlen(b->file)), *slash = strrchr(folder, '/');

	if (slash)
		slash[slash == folder] = '\0';
	b->lock = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (b->lock < 0)
		return err_set(&b->err, E_IO, -1, "%s: %s", slash ? folder : ".", strerror(errno));
	while (flock(b->lock, LOCK_EX) != 0)
		if (errno != EINTR)
			return OK; /* a file system without locks */
	return OK;
}

/* A folder to be made: the store's path, when nothing is there and it names no file. */
static enum status make_folder(struct baseline *b)
{
	struct stat st;
	const char *dot = strrchr(b->store, '.');

	if (stat(b->store, &st) == 0 || (dot && strcmp(dot, ".jsonl") == 0))
		return OK;
	if (mkdir(b->store, 0777) != 0)
		return err_set(&b->err, E_IO, -1, "%s: %s", b->store, strerror(errno));
	return OK;
}

static enum status open_store(struct baseline *b, bool may_be_new)
{
	struct stat st;

	if (may_be_new)
		TRY(make_folder(b));
	b->file = history_file(b->store, &b->mem);
	b->is_new = stat(b->file, &st) != 0 && errno == ENOENT;
	if (b->is_new && !may_be_new) {
		(void)err_set(&b->err, E_IO, -1, "%s: no store of baselines", b->store);
		return err_hint(&b->err, "'traceq baseline add %s RUN' makes one", b->store);
	}
	TRY(lock(b));
	history_init(&b->history, b->file);
	if (b->is_new || st.st_size == 0)
		return OK;
	history_clear(&b->history);
	TRY(history_load(&b->history, b->file, b->output.is_quiet, &b->err));
	if (!history_is_at(b->file))
		return err_set(&b->err, E_FORMAT, -1, "%s: not a store of baselines", b->file);
	return OK;
}

static enum status write_store(struct baseline *b, size_t from)
{
	struct str text = { 0 };
	struct io_file f;
	enum status st = io_create(&f, b->file, &b->err);
	size_t i;

	for (i = from; i < b->history.nrun; i++)
		history_put_line(&text, &b->history, &b->history.run[i]);
	if (st == OK && text.n && fwrite(text.s, 1, text.n, f.out) != text.n) {
		st = err_set(&b->err, E_IO, -1, "%s", strerror(errno));
		io_abandon(&f);
	} else if (st == OK) {
		st = io_commit(&f, &b->err);
	}
	str_free(&text);
	if (st != OK) {
		struct err why = b->err;

		return err_set(&b->err, st, -1, "%s: %s", b->file, why.text);
	}
	return OK;
}

/* ---- add ---- */

static enum status time_of(struct baseline *b, int64_t *out)
{
	char *end;

	*out = clock_now();
	if (!b->o.time)
		return OK;
	errno = 0;
	*out = strtoll(b->o.time, &end, 10);
	if (errno || !*b->o.time || *end)
		return err_set(&b->err, E_USAGE, -1, "--time wants seconds since 1970, not '%s'",
			b->o.time);
	return OK;
}

static void add_facts(struct baseline *b, struct history_run *r, const struct side_run *run)
{
	enum { FACTS_MAX = 64 };
	size_t i, k;

	r->fact = arena_array(&b->history.mem, FACTS_MAX, sizeof(*r->fact));
	for (i = 0; i < run->n; i++) {
		const struct digest_facts *f = &run->part[i].digest->env;

		for (k = 0; k < f->n && r->nfact < FACTS_MAX; k++) {
			size_t j = 0;

			while (j < r->nfact && strcmp(r->fact[j].key, f->v[k].key) != 0)
				j++;
			if (j == r->nfact)
				r->fact[r->nfact++] = (struct history_fact){ f->v[k].key,
					arena_copy(&b->history.mem, f->v[k].value.p,
						f->v[k].value.n) };
		}
	}
}

static void add_figures(struct baseline *b, struct history_run *r, const struct metricset *m)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		const struct metric *metric = &m->v[i];
		const struct metric_sample *x = &metric->sample[0];
		size_t at = history_metric(&b->history, span_of(metric->id));

		if (at >= HISTORY_FIGURES || metric->n == 0)
			continue;
		b->history.metric[at].unit = metric->unit;
		b->history.metric[at].better = metric->better;
		b->history.metric[at].is_exact = metric->is_exact;
		b->history.metric[at].is_points = metric->is_points;
		history_set(
			&b->history, r, at, (struct history_value){ x->centre, x->sd, x->count });
	}
}

/* One line for each run of the side. */
static enum status append(struct baseline *b, const struct side *side)
{
	int64_t time_s;
	size_t i;

	TRY(time_of(b, &time_s));
	for (i = 0; i < side->nrun; i++) {
		const struct side one = { side->label, &side->run[i], 1, NULL, 0 };
		struct history_run *r;
		struct metricset m;

		metricset_init(&m, &one, &b->mem);
		if (m.n == 0)
			return err_set(
				&b->err, E_NODATA, -1, "%s: no figure in it", side->run[i].name);
		r = history_add(&b->history);
		r->time_s = time_s;
		r->label = b->o.label ? b->o.label : side->run[i].name;
		r->commit = b->o.commit ? b->o.commit : "";
		r->accepted = b->o.accept;
		add_facts(b, r, &side->run[i]);
		add_figures(b, r, &m);
	}
	return OK;
}

/*
 * Compares with the store's level; *worse receives why the runs fail, or NULL.  Where nothing can
 * be compared yet, they do not.
 */
static enum status compare(struct baseline *b, const struct side *side, const char **worse)
{
	const struct analysis *gate = analysis_find("gate");
	const struct filter all = { 0 };
	struct query q = { .side = side,
		.nside = 1,
		.filter = &all,
		.opts = arena_alloc(&b->mem, gate->opts_size),
		.settings = &b->config.settings,
		.now_s = clock_now(),
		.history = &b->history };
	struct opt_group group = { "", gate->opt, gate->nopt, (void *)q.opts };
	char word[] = "gate", option[] = "--tier";
	char *argv[] = { word, option,
		b->o.tier ? arena_copy(&b->mem, b->o.tier, strlen(b->o.tier)) : NULL };
	const char **operand;
	struct result r;
	enum status st;
	int exit_code = 0;
	size_t n;

	*worse = NULL;
	gate->set_defaults((void *)q.opts);
	TRY(opt_parse(&group, 1, b->o.tier ? 3 : 1, argv, &operand, &n, &b->err));
	free(operand);
	result_init(&r, "traceq.gate/1");
	st = gate->compute(&q, &r, &exit_code, &b->err);
	if (st == OK && exit_code)
		*worse = arena_copy(
			&b->mem, r.verdict->check[0].message, strlen(r.verdict->check[0].message));
	result_clear(&r);
	return st == E_NODATA ? OK : st;
}

static int add_side(struct baseline *b, const struct side *side)
{
	size_t before = b->history.nrun;
	const char *worse = NULL;

	if (before > 0 && compare(b, side, &worse) != OK)
		return say_error("baseline", &b->err);
	if (worse && !b->o.accept) {
		(void)err_set(&b->err, E_NODATA, -1, "%s: refused, it fails the gate: %s",
			side->label, worse);
		(void)err_hint(&b->err, "--accept REASON adds it all the same");
		(void)say_error("baseline", &b->err);
		return EXIT_VERDICT;
	}
	if (append(b, side) != OK || write_store(b, 0) != OK)
		return say_error("baseline", &b->err);
	if (!b->output.is_quiet) {
		struct str text = { 0 };

		str_addf(&text, "%s: %zu run%s added, %zu in all%s\n", b->store, side->nrun,
			side->nrun == 1 ? "" : "s", b->history.nrun,
			worse ? "; worse than the level, accepted" : "");
		return output_text(&text);
	}
	return EXIT_ANSWERED;
}

static int add(struct baseline *b)
{
	const struct filter all = { 0 };
	struct sides_options how = { .digest.filter = &all,
		.threads = (unsigned)b->o.threads,
		.is_quiet = b->output.is_quiet };
	struct operands operands;
	struct sides sides = { 0 };
	const char *where = NULL;
	int exit_code;

	if (b->nrun == 0)
		return say_failure("baseline: add what? baseline add STORE RUN...");
	if (config_read(&b->config, b->config_options.path, &b->err) != OK)
		return say_error(NULL, &b->err);
	if (operands_split(&operands, b->run, b->nrun, 1, 1, &b->mem, &b->err) != OK ||
		sides_read(&sides, &operands, &how, &where, &b->err) != OK)
		exit_code = say_error(where ? where : "baseline", &b->err);
	else if (open_store(b, true) != OK)
		exit_code = say_error(NULL, &b->err);
	else
		exit_code = add_side(b, &sides.side[0]);
	sides_clear(&sides);
	return exit_code;
}

/* ---- list and prune ---- */

enum { COL_TIME, COL_LABEL, COL_COMMIT, COL_CHECKS, COL_ACCEPTED, COLUMNS_FIXED };
static const struct column fixed[COLUMNS_FIXED] = {
	[COL_TIME] = { "time", "time", "When the run was made, UTC.", NULL, CELL_TEXT, UNIT_NONE,
		0 },
	[COL_LABEL] = { "label", "run", "What it is called.", NULL, CELL_TEXT, UNIT_NONE, 0 },
	[COL_COMMIT] = { "commit", "commit", "What it was made from.", NULL, CELL_TEXT, UNIT_NONE,
		0 },
	[COL_CHECKS] = { "figures", "figures", "How many figures it says.", NULL, CELL_INT,
		UNIT_COUNT, 0 },
	[COL_ACCEPTED] = { "accepted", "accepted", "Why it counts although it was worse.", NULL,
		CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC },
};

static void put_time(struct table *t, int64_t time_s)
{
	time_t s = (time_t)time_s;
	struct tm tm;

	if (time_s == INT64_MIN || !gmtime_r(&s, &tm))
		return;
	table_textf(t, COL_TIME, "%04d-%02d-%02d %02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1,
		tm.tm_mday, tm.tm_hour, tm.tm_min);
}

/* The fixed columns, and one for each figure. */
static struct column *columns_of(const struct history *h, struct arena *mem)
{
	struct column *c = arena_array(mem, COLUMNS_FIXED + h->nmetric, sizeof(*c));
	size_t i;

	memcpy(c, fixed, sizeof(fixed));
	for (i = 0; i < h->nmetric; i++)
		c[COLUMNS_FIXED + i] =
			(struct column){ h->metric[i].id, h->metric[i].id, "A figure of the runs.",
				NULL, CELL_REAL, h->metric[i].unit, i < 2 ? 0 : COLUMN_HIDDEN };
	return c;
}

static void put_run(struct table *t, const struct history *h, size_t i)
{
	const struct history_run *r = &h->run[i];
	int64_t known = 0;
	size_t k;

	table_row(t);
	put_time(t, r->time_s);
	table_text(t, COL_LABEL, span_of(r->label));
	if (r->commit[0])
		table_text(t, COL_COMMIT, span_of(r->commit));
	if (r->accepted)
		table_text(t, COL_ACCEPTED, span_of(r->accepted));
	for (k = 0; k < h->nmetric; k++) {
		double v = history_get(h, i, k).centre;

		known += v == v;
		table_real(t, COLUMNS_FIXED + k, v);
	}
	table_int(t, COL_CHECKS, known);
}

static int list(struct baseline *b)
{
	const struct renderer *renderer;
	int exit_code = EXIT_ANSWERED;
	struct table *t;
	struct result r;
	size_t i;

	if (open_store(b, false) != OK)
		return say_error(NULL, &b->err);
	if (output_renderer(&b->output, &renderer, &b->err) != OK)
		return say_error("baseline", &b->err);
	result_init(&r, "traceq.baseline/1");
	(void)result_input(&r, b->file);
	t = result_table(&r, "runs", NULL, columns_of(&b->history, &b->mem),
		COLUMNS_FIXED + b->history.nmetric);
	for (i = 0; i < b->history.nrun; i++)
		put_run(t, &b->history, i);
	if (output_put(&b->output, renderer, &r, &b->err) != OK)
		exit_code = say_error(NULL, &b->err);
	result_clear(&r);
	return exit_code;
}

static int prune(struct baseline *b)
{
	size_t from;
	struct str text = { 0 };

	if (b->o.keep < 1)
		return say_failure("baseline: prune wants --keep N, the number of runs that stay");
	if (open_store(b, false) != OK)
		return say_error(NULL, &b->err);
	from = b->history.nrun > (size_t)b->o.keep ? b->history.nrun - (size_t)b->o.keep : 0;
	if (from > 0 && write_store(b, from) != OK)
		return say_error("baseline", &b->err);
	if (b->output.is_quiet)
		return EXIT_ANSWERED;
	str_addf(&text, "%s: %zu run%s dropped, %zu stay\n", b->store, from, from == 1 ? "" : "s",
		b->history.nrun - from);
	return output_text(&text);
}

/* ---- the command ---- */

static const struct {
	const char *word;
	int (*run)(struct baseline *b);
} verbs[] = {
	{ "add", add },
	{ "list", list },
	{ "prune", prune },
};

static int run_verb(struct baseline *b, const char **operand, size_t n)
{
	size_t i;

	if (n < 2) {
		(void)say_failure("baseline: wants add, list or prune and a store");
		return say_failure("  usage: traceq baseline add|list|prune STORE [RUN...]");
	}
	b->store = operand[1];
	b->run = operand + 2;
	b->nrun = n - 2;
	for (i = 0; i < COUNT_OF(verbs); i++) {
		if (strcmp(operand[0], verbs[i].word) != 0)
			continue;
		if (i > 0 && b->nrun > 0)
			return say_failure("baseline: %s takes the store alone", operand[0]);
		return verbs[i].run(b);
	}
	return say_failure("baseline: no '%s'; it is add, list or prune", operand[0]);
}

static int run(int argc, char **argv)
{
	struct baseline b = { .lock = -1 };
	struct help_options help = { 0 };
	struct opt_group group[] = { groups[0], groups[1], groups[2], options_help };
	const char **operand;
	int exit_code;
	size_t n;

	arena_init(&b.mem);
	err_clear(&b.err);
	group[0].into = &b.o;
	group[1].into = &b.config_options;
	group[2].into = &b.output;
	group[3].into = &help;
	if (opt_parse(group, COUNT_OF(group), argc, argv, &operand, &n, &b.err) != OK)
		exit_code = say_error("baseline", &b.err);
	else if (help.brief || help.full)
		exit_code = help_verb("baseline", help.full);
	else
		exit_code = run_verb(&b, operand, n);
	if (b.lock >= 0)
		(void)close(b.lock);
	history_clear(&b.history);
	config_clear(&b.config);
	arena_clear(&b.mem);
	free(operand);
	return exit_code;
}

const struct command command_baseline = {
	.name = "baseline",
	.summary = "keep what good runs said: a store for gate, one line a run",
	.operands = "add|list|prune STORE [RUN...]",
	.doc = "A store is a folder, or a .jsonl file, with one JSON line for each run: its figures, what "
	       "machine and commit it came from. It stands for BASE in gate and for a history in gate "
	       "--history; traces need not be kept.\n\n"
	       "add compares the runs with the store's current level first, and refuses those that fail "
	       "(exit status 1) unless --accept says why they count: then the level may change. Runs are "
	       "traces, logs or folders of them, as for gate.",
	.examples = "traceq baseline add store/ run/ --commit abc1234\n"
		    "traceq baseline list store/\n"
		    "traceq baseline prune store/ --keep 200\n"
		    "traceq gate store/ run/ --tier nightly\n",
	.group = groups,
	.ngroup = COUNT_OF(groups),
	.run = run,
};
