/*
 * `diff`: what its parts share.  Private to analyze/answer/diff/.
 */
#ifndef ANALYZE_ANSWER_DIFF_DIFF_H
#define ANALYZE_ANSWER_DIFF_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/compare/contrast.h"
#include "analyze/compare/sides.h"
#include "analyze/query/analysis.h"

struct diff_options {
	int64_t limit;
	const char *sort, *by, *allow_env;
	const char *alpha, *noise, *threshold; /* as written */
	bool only_changed, exit_code, exact_names, shapes;
	int64_t warmup;
};

enum diff_sort { SORT_DELTA, SORT_RATIO, SORT_NAME };

/* The same, understood. */
struct diff_wishes {
	struct contrast_options compare;
	enum diff_sort sort;
	bool allow_gpu;
};

struct diff {
	const struct query *q;
	const struct diff_options *o;
	struct diff_wishes w;
	struct result *out;
	struct err *e;
	struct contrast c;
	struct table *why; /* the first one */
	struct arena mem;
};

/* diff_env.c */
enum status diff_env(struct diff *d) MUST_CHECK;
void diff_put_sides(struct diff *d);
void diff_put_runs(struct diff *d);
/* The same text in the memory of the result. */
struct span diff_kept(struct diff *d, struct span s);

/* diff_metrics.c, diff_ledger.c, diff_ops.c */
void diff_put_step(struct diff *d);
void diff_put_metrics(struct diff *d);
void diff_put_ledger(struct diff *d);
enum status diff_put_ops(struct diff *d) MUST_CHECK;

/* diff_seed.c */
void diff_put_seed(struct diff *d);

enum {
	DIFF_WHY_TABLE,
	DIFF_SIDES_TABLE,
	DIFF_STEP_TABLE,
	DIFF_ENV_TABLE,
	DIFF_LEDGER_TABLE,
	DIFF_OPS_TABLE,
	DIFF_HOST_TABLE,
	DIFF_METRICS_TABLE,
	DIFF_RUNS_TABLE,
	DIFF_TABLES
};
extern const struct table_doc diff_docs[DIFF_TABLES];

enum { DWHY_TEXT, DWHY_COLUMNS };
enum {
	DSIDE_SIDE,
	DSIDE_RUNS,
	DSIDE_RANKS,
	DSIDE_STEPS,
	DSIDE_STEP,
	DSIDE_GPU,
	DSIDE_LABEL,
	DSIDE_COLUMNS
};
enum {
	DSTEP_BASE,
	DSTEP_NEW,
	DSTEP_DELTA,
	DSTEP_CHANGE,
	DSTEP_LO,
	DSTEP_HI,
	DSTEP_VERDICT,
	DSTEP_P,
	DSTEP_NOISE,
	DSTEP_MEASURED,
	DSTEP_NEEDED,
	DSTEP_COLUMNS
};
enum { DENV_KIND, DENV_KEY, DENV_BASE, DENV_NEW, DENV_COLUMNS };
enum {
	DLED_PART,
	DLED_BASE,
	DLED_NEW,
	DLED_DELTA,
	DLED_SHARE,
	DLED_KEY,
	DLED_DETAIL,
	DLED_COLUMNS
};
enum {
	DOP_DELTA,
	DOP_BASE,
	DOP_NEW,
	DOP_CALLS,
	DOP_BY_CALLS,
	DOP_BY_DURATION,
	DOP_MIX,
	DOP_Q,
	DOP_STATUS,
	DOP_WHAT,
	DOP_SHARE,
	DOP_CONTRIBUTION,
	DOP_NAME,
	DOP_OP,
	DOP_DIMS,
	DOP_KIND,
	DOP_BASE_PER_STEP,
	DOP_NEW_PER_STEP,
	DOP_BASE_CALLS,
	DOP_NEW_CALLS,
	DOP_BASE_ALL,
	DOP_NEW_ALL,
	DOP_BASE_ALL_NS,
	DOP_NEW_ALL_NS,
	DOP_PARTNER,
	DOP_P,
	DOP_COLUMNS
};
enum {
	DMET_METRIC,
	DMET_BASE,
	DMET_NEW,
	DMET_DELTA,
	DMET_CHANGE,
	DMET_LO,
	DMET_HI,
	DMET_VERDICT,
	DMET_UNIT,
	DMET_BETTER,
	DMET_BASE_RUNS,
	DMET_NEW_RUNS,
	DMET_BASE_COUNT,
	DMET_NEW_COUNT,
	DMET_P,
	DMET_COLUMNS
};
enum { DRUN_SIDE, DRUN_RUN, DRUN_RANK, DRUN_KIND, DRUN_STEPS, DRUN_STEP, DRUN_FILE, DRUN_COLUMNS };

#endif
