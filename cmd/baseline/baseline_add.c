/* baseline add: runs that pass the gate, or that somebody accepts with a reason. */
#include "cmd/baseline/baseline.h"

#include <errno.h>

#include "analyze/answer/gate/gate.h"
#include "analyze/compare/outside.h"
#include "analyze/input/folder.h"
#include "analyze/stat/quantile.h"
#include "base/base.h"
#include "base/checks.h"
#include "cmd/clock.h"
#include "cmd/command.h"
#include "cmd/load/read_sides.h"
#include "cmd/output.h"
#include "cmd/say.h"

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
	enum { CONDITIONS_MAX = 64 };

	r->condition = arena_array(&b->history.mem, CONDITIONS_MAX, sizeof(*r->condition));
	for (size_t i = 0; i < run->n; i++) {
		const struct digest_conditions *f = &run->part[i].digest->env;

		for (size_t k = 0; k < f->n && r->ncondition < CONDITIONS_MAX; k++) {
			if (!ANY(j, r->ncondition, strcmp(r->condition[j].key, f->v[k].key) == 0))
				r->condition[r->ncondition++] =
					(struct history_condition){ f->v[k].key,
						arena_copy(&b->history.mem, f->v[k].value.p,
							f->v[k].value.n) };
		}
	}
}

/* Figures that somebody may judge: no settings, counts and spreads. */
static void add_figures(struct baseline *b, struct history_run *r, const struct metricset *m)
{
	size_t left = m->left_out;

	for (EACH(const struct metric, metric, m->v, m->n)) {
		const struct metric_sample *x = &metric->sample[0];

		if (metric->n == 0 || (metric->kind && figure_kind_is_property(metric->kind)))
			continue;
		size_t at = history_metric(&b->history, span_of(metric->id));
		if (at >= HISTORY_FIGURES) {
			left++;
			continue;
		}
		b->history.metric[at].unit = metric->unit;
		b->history.metric[at].better = metric->better;
		b->history.metric[at].is_exact = metric->is_exact;
		b->history.metric[at].is_points = metric->is_points;
		double median =
			metric->is_mean ? quantile_median(x->v, x->n, &b->history.mem) : NAN;
		history_set(&b->history, r, at,
			(struct history_value){ x->centre, x->sd, x->count, median });
	}
	if (left > 0)
		result_note(&b->odd, NOTE_WARNING, "figures_left_out", -1, (int64_t)left,
			"%s: %zu figures are not kept: a store has at most %d", r->label, left,
			HISTORY_FIGURES);
}

/* ---- what is odd about a run ---- */

static void note_device(struct baseline *b, const struct side_run *run)
{
	if (run->nrank > 0 && !ANY(i, run->nrank, run->part[i].digest->has_device))
		result_note(&b->odd, NOTE_WARNING, "no_device_events", -1, -1,
			"%s: its trace has no GPU work: only the host's time is kept of it",
			run->name);
}

/* Both say the same of all figures, to the last digit: no two runs do. */
static bool is_same(const struct history *h, size_t a, size_t b)
{
	for (size_t i = 0; i < h->nmetric; i++) {
		const struct history_value x = history_get(h, a, i), y = history_get(h, b, i);

		if (!number_same(x.centre, y.centre) || x.count != y.count)
			return false;
	}
	return true;
}

/* The newest run, against those before it. */
static void note_twice(struct baseline *b)
{
	const struct history *h = &b->history;
	size_t newest = h->nrun - 1;

	for (size_t i = newest; i-- > 0;)
		if (is_same(h, i, newest)) {
			result_note(&b->odd, NOTE_WARNING, "same_run", -1, -1,
				"%s: says the same as run %zu, %s, to the last digit: is it "
				"the same run again? noise would be underestimated",
				h->run[newest].label, i + 1, h->run[i].label);
			return;
		}
}

/* What a run is called in the store: a folder given by itself by its own name, which is the run's
 * id, also where a link led to it; of several in it, each by its number. */
static const char *label_of(struct baseline *b, const struct operand_side *operand,
	const struct side_run *run, size_t n)
{
	const char *path = operand->npath == 1 ? operand->path[0] : NULL;

	if (b->o.label)
		return b->o.label;
	if (!run->is_whole || !path || !folder_is(path))
		return run->name;
	char *real = realpath(path, NULL);
	const char *slash = strrchr(real ? real : path, '/');
	const char *label = slash && slash[1] ? slash + 1 : path;
	label = n > 0 ? arena_printf(&b->mem, "%s #%zu", label, n)
		      : arena_copy(&b->mem, label, strlen(label));
	free(real);
	return label;
}

/* One line for each run of the side; accepted: why they count although they fail, or NULL. */
static enum status append(struct baseline *b, const struct side *side,
	const struct operand_side *operand, const char *accepted)
{
	int64_t time_s;

	TRY(time_of(b, &time_s));
	for (size_t i = 0; i < side->nrun; i++) {
		const struct side run = { .label = side->label, .run = &side->run[i], .nrun = 1 };
		const struct side one = outside_is_much(outside_share(run.run, 1))
			? *outside_spread(&run, &b->mem)
			: run;
		struct metricset m;

		metricset_init(&m, &one, &b->mem);
		if (m.n == 0)
			return err_set(
				&b->err, E_NODATA, -1, "%s: no figure in it", side->run[i].name);
		struct history_run *r = history_add(&b->history);
		r->time_s = time_s;
		r->label = label_of(b, operand, &one.run[0], side->nrun > 1 ? i + 1 : 0);
		r->commit = b->o.commit ? b->o.commit : "";
		r->accepted = accepted;
		add_facts(b, r, &side->run[i]);
		add_figures(b, r, &m);
		metricset_parts(&m, &one, &b->mem);
		add_figures(b, r, &m);
		note_device(b, &side->run[i]);
		note_twice(b);
	}
	return OK;
}

/* Compares with the store's level; *worse receives why the runs fail, or NULL.  Where nothing can
 * be compared yet, they do not; runs of other machines are an error unless they are accepted. */
static enum status compare(struct baseline *b, const struct side *side, const char **worse)
{
	const struct analysis *gate = analysis_find(b->analyses, "gate");
	const struct filter all = { 0 };
	struct gate_options options = *(const struct gate_options *)gate->options.defaults;
	const struct query q = { .side = side,
		.nside = 1,
		.filter = &all,
		.opts = &options,
		.settings = &b->config.settings,
		.now_s = clock_now(),
		.history = &b->history };
	struct result r;
	int exit_code = 0;

	*worse = NULL;
	options.tier = b->o.tier;
	result_init(&r, "traceq.gate/1");
	enum status st = analysis_answer(gate, &q, &r, &exit_code, &b->err);
	if (st == OK && exit_code)
		*worse = arena_copy(
			&b->mem, r.verdict->check[0].message, strlen(r.verdict->check[0].message));
	result_clear(&r);
	if (st == E_FORMAT && b->o.accept)
		*worse = arena_copy(&b->mem, b->err.text, strlen(b->err.text));
	else if (st == E_FORMAT)
		(void)err_hint(&b->err, "--accept REASON adds it all the same: a level of its own");
	return st == E_NODATA || *worse ? OK : st;
}

static int add_side(struct baseline *b, const struct side *side, const struct operand_side *operand)
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
	/* Of a run that passes a reason would begin a level, and forget the runs before it. */
	bool passes = before > 0 && !worse;
	if (append(b, side, operand, passes ? NULL : b->o.accept) != OK || baseline_write(b) != OK)
		return say_error("baseline", &b->err);
	if (b->output.is_quiet)
		return EXIT_ANSWERED;
	return output_line("%s: %zu run%s added, %zu in all%s", b->store, side->nrun,
		plural_s(side->nrun), b->history.nrun,
		worse ? "; accepted, although it fails the gate"
			: passes && b->o.accept
			? "; it passes: the base stays, and the reason is not kept"
			: "");
}

int baseline_add(struct baseline *b)
{
	struct filter all = { 0 };
	struct sides_options how = { .digest.filter = &all,
		.digest.work = true,
		.threads = (unsigned)b->o.threads,
		.is_quiet = b->output.is_quiet };
	struct operands operands;
	struct sides sides = { 0 };
	const struct analysis *gate = analysis_find(b->analyses, "gate");
	const char *where = NULL;
	int exit_code;

	if (b->nrun == 0)
		return say_failure("baseline: add what? baseline add STORE RUN...");
	if (config_read(&b->config, b->analyses, &b->config_options, &b->err) != OK)
		return say_error(NULL, &b->err);
	if (config_comm(&b->config, &all.comm, &b->err) != OK)
		return say_error(NULL, &b->err);
	if (!b->output.is_quiet)
		config_tell(&b->config, &gate, 1);
	result_init(&b->odd, "traceq.baseline/1");
	if (operands_split(&operands, b->run, b->nrun, 1, 1, &b->mem, &b->err) != OK ||
		sides_read(&sides, &operands, &how, &where, &b->err) != OK)
		exit_code = say_error(where ? where : "baseline", &b->err);
	else if (baseline_open(b, BASELINE_ADD) != OK)
		exit_code = say_error(NULL, &b->err);
	else
		exit_code = add_side(b, &sides.side[0], &operands.side[0]);
	if (!b->output.is_quiet) {
		/* What was odd about the runs: a damaged one would stay in the store without a
		 * word. */
		sides_list(&sides, &b->odd);
		say_notes(&b->odd, false);
	}
	result_clear(&b->odd);
	sides_clear(&sides);
	return exit_code;
}
