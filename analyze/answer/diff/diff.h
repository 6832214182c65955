/*
 * `diff`: what its parts share.  Private to analyze/answer/diff/.
 */
#ifndef ANALYZE_ANSWER_DIFF_DIFF_H
#define ANALYZE_ANSWER_DIFF_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/compare/attribution.h"
#include "analyze/compare/change.h"
#include "analyze/compare/digest.h"
#include "analyze/compare/metricset.h"
#include "analyze/compare/opsums.h"
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
	enum opsums_by by;
	enum diff_sort sort;
	double alpha, noise, threshold;
	bool allow_gpu;
};

/* A part of the ledger: integers, per step. */
struct diff_part {
	const char *key, *word;
	bool is_detail; /* of the part above it that is none */
	int64_t base, now;
};
enum { DIFF_PARTS_MAX = 16 };

struct diff_ledger {
	bool is_device; /* else by phase of the CPU */
	struct diff_part part[DIFF_PARTS_MAX];
	size_t n;
	int64_t base, now;            /* the step: the sum of the parts that are no details */
	size_t base_steps, now_steps; /* behind the means, over devices and ranks */
};

/* X(NAME, word) */
#define DIFF_STATUSES(X)                                                  \
	X(SAME, "same")           /* nothing differs */                   \
	X(NOISE, "within noise")  /* tested, not shown to differ */       \
	X(CHANGED, "changed")     /* tested, differs */                   \
	X(UNTESTED, "not tested") /* too little time, or too few steps */ \
	X(NEW, "new")             /* base has none of it */               \
	X(REMOVED, "removed")     /* new has none of it */

enum diff_status {
#define X(name, word) DIFF_##name,
	DIFF_STATUSES(X)
#undef X
		DIFF_STATUS_COUNT
};

/* Work of one kind on both sides, per step. */
struct diff_row {
	struct opsum_key key;
	const struct opsum *base, *now; /* NULL: none */
	int64_t base_ns, now_ns;
	double base_calls, now_calls;
	struct attribution a;
	bool has_mix; /* shapes are known on both sides, and differ */
	int64_t mix;  /* of by_duration: other shapes */
	double p, q;  /* NaN: not tested */
	enum diff_status status;
	size_t partner; /* index of the row that replaced it or that it replaces; SIZE_MAX */
};

struct diff_rows {
	struct diff_row *v;
	size_t n;
	struct opsums base, now;
	int64_t base_sum, now_sum; /* of all rows, per step */
	int64_t change_sum;        /* of |delta| */
};

struct diff {
	const struct query *q;
	const struct diff_options *o;
	struct diff_wishes w;
	struct result *out;
	struct err *e;
	const struct side *base, *now;
	struct metricset base_metrics, now_metrics;
	struct change step; /* of step_time */
	bool has_step;
	struct table *why;         /* the first one */
	struct table *differences; /* NULL: there are none */
	struct diff_ledger ledger; /* n is 0: no traces on both sides */
	struct diff_rows device, host;
	struct arena mem;
};

/* diff_env.c */
enum status diff_env(struct diff *d);
void diff_put_sides(struct diff *d);
void diff_put_runs(struct diff *d);

/* diff_metrics.c */
void diff_metrics(struct diff *d);
void diff_put_step(struct diff *d);
void diff_put_metrics(struct diff *d);
/* "regression", "improvement", "within noise", "no change", "cannot tell"; constant. */
const char *diff_verdict(const struct change *c);

/* diff_ledger.c */
void diff_find_ledger(struct diff *d);
void diff_put_ledger(struct diff *d);

/* diff_rows.c: matching; diff_pairs.c: what was replaced; diff_ops.c: the tables */
void diff_find_rows(struct diff *d, struct diff_rows *r, bool host);
void diff_pair(struct diff_rows *r, struct arena *mem);
enum status diff_put_ops(struct diff *d) MUST_CHECK;
/* "aten::copy_ (Memcpy HtoD)"; memory is the arena's. */
const char *diff_name(const struct opsum_key *key, struct arena *mem);
const char *diff_status_word(enum diff_status s);

/* diff_seed.c */
void diff_put_seed(struct diff *d);

/* diff_why.c */
void diff_put_why(struct diff *d);
/* A config's whole number is smaller in new than in base. */
bool diff_config_fell(const struct diff *d, const char *key);

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
