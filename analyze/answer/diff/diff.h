/* `diff`: what its parts share.  Private to analyze/answer/diff/. */
#pragma once

#include "analyze/compare/contrast.h"
#include "analyze/job/sides.h"
#include "analyze/analysis/analysis.h"
#include "base/base.h"
#include "base/opt.h"

/* What is taken where nobody chooses. */
#define DIFF_THRESHOLD TEXT_OF(CONTRAST_THRESHOLD) "%"
#define DIFF_ALPHA     TEXT_OF(CONTRAST_ALPHA) "%"

struct diff_options {
	int64_t limit;
	const char *sort, *by, *allow_env;
	const char *alpha, *noise, *threshold; /* as written */
	struct opt_list better;                /* lower:NAME */
	bool only_changed, exit_code, exact_names, shapes;
	int64_t warmup;
};

#define DIFF_SORTS(X) X(SORT_DELTA, "delta") X(SORT_RATIO, "ratio") X(SORT_NAME, "name")
enum diff_sort { DIFF_SORTS(OPT_ID) };

/* The same, understood. */
struct diff_wishes {
	struct contrast_options compare;
	enum diff_sort sort;
	size_t nasked; /* of compare.better: those of --better, which must be known */
	bool allow_gpu, allow_steps;
	const char *noise_origin; /* "--noise", "traceq.yaml:2:10"; NULL: nobody says it */
};

/* What became of a figure, in the order in which they are shown. */
enum diff_sort_of {
	FIGURE_WORSE,
	FIGURE_UNKNOWN, /* beyond the threshold, but noise may explain it; or too few values */
	FIGURE_BETTER,
	FIGURE_ONE_SIDE,
	FIGURE_CHANGED,  /* and nobody knows which way is better */
	FIGURE_PROPERTY, /* changed, and there is no better side */
	FIGURE_SAME
};

struct diff_figure {
	struct metric_pair pair;
	struct change change;
	enum diff_sort_of sort;
	bool is_named; /* it has an id of its own: step_time, peak_memory */
	size_t place;
};

struct diff {
	const struct query *q;
	const struct diff_options *o;
	struct diff_wishes w;
	struct result *out;
	struct err *e;
	struct contrast c;
	struct diff_figure *figure; /* as they are shown */
	size_t nfigure;
	struct table *why; /* the first one */
	struct arena mem;
};

/* diff_env.c */
enum status diff_env(struct diff *d) MUST_CHECK;
void diff_put_sides(struct diff *d);
void diff_put_runs(struct diff *d);
/* Runs whose configuration says another number of profiled steps than their trace has. */
void diff_note_window(struct diff *d, const struct side *s, const char *word);
/* The same text in the memory of the result. */
struct span diff_kept(struct diff *d, struct span s);

/* diff_noise.c: how much runs differ, by options, then configuration. */
enum status diff_noise(struct diff_wishes *w, const struct diff_options *o,
	const struct settings *settings, struct err *e) MUST_CHECK;
const struct setting *diff_setting(size_t i);
/* "measured", "declared", "assumed". */
const char *diff_noise_word(const struct diff *d);
void diff_note_noise(struct diff *d);

/* A ratio as an option has it: "5%", "0.05".  E_USAGE. */
enum status diff_ratio(double *r, const char *option, const char *text, struct err *e) MUST_CHECK;

/* diff_figures.c: judges all, says the sum of it, notes what only one side says. */
void diff_judge_figures(struct diff *d);
void diff_say_figures(struct diff *d);
void diff_note_figures(struct diff *d);

/* diff_noise.c: --better, then gate.*.better. */
enum status diff_better(struct diff_wishes *w, const struct diff_options *o,
	const struct settings *settings, struct arena *mem, struct err *e) MUST_CHECK;

/* diff_metrics.c, diff_ops.c */
void diff_put_step(struct diff *d);
void diff_put_metrics(struct diff *d);
void diff_put_ledger(struct diff *d);
void diff_put_ranks(struct diff *d);
enum status diff_put_ops(struct diff *d) MUST_CHECK;

/* diff_work.c: the table, and a note where one side alone says shapes. */
enum status diff_put_work(struct diff *d) MUST_CHECK;
/* What rows of times are in order of, by --sort; the largest first. */
double diff_rank(const struct diff *d, int64_t base_ns, int64_t now_ns, int64_t delta);
void diff_note_work(struct diff *d);

#define TABLES_DEF "analyze/answer/diff/diff_tables.def"
#include "base/table_names_impl.h"
