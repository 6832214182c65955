/* A contrast: two sides held against each other, before anybody makes tables of it.
 *
 * What differs in environment and configuration, the metrics of both, the ledger of the step, and
 * the work behind it, matched by what it is known by.  why.h says in words what comes of it. */
#pragma once

#include "analyze/compare/attribution.h"
#include "analyze/compare/better.h"
#include "analyze/compare/change.h"
#include "analyze/compare/opsums.h"
#include "analyze/compare/pairs.h"
#include "analyze/compare/worksplit.h"
#include "analyze/job/waits/jobwhy.h"

struct contrast_options {
	enum opsums_by by;
	double alpha;     /* rate of false alarms: of the step's verdict, of the rows together */
	double noise;     /* how much runs of the same code differ: standard deviation; NaN: nobody
	                     says it */
	double threshold; /* a change up to this ratio is none */
	const struct better *better; /* what somebody says of directions; the first counts */
	size_t nbetter;
};

/* What is taken where nobody chooses, in percent; of noise: change.h. */
#define CONTRAST_ALPHA     5
#define CONTRAST_THRESHOLD 1
#define CONTRAST_NOISE     (NOISE_ASSUMED / 100.0)

/* What both sides say, not the same; texts are of the contrast's arena or the digests'. */
struct contrast_condition {
	const char *key, *what; /* what: for people */
	struct span base, now;  /* empty: the side does not say it (configuration only) */
	bool is_config;         /* else of the environment (ENV_KEYS) */
	bool is_needed;         /* times mean little where it differs */
};

/* A part of the ledger: integers, per step. */
struct contrast_part {
	const char *key, *word;
	bool is_detail; /* of the part above it that is none */
	int64_t base, now;
};
enum { CONTRAST_PARTS_MAX = 24 };

struct contrast_ledger {
	bool is_device; /* parts are those of enum digest_part; else the CPU's by phase */
	struct contrast_part part[CONTRAST_PARTS_MAX];
	size_t n;
	int64_t base, now; /* the job's step: the sum of the parts that are no details */
};

/* A rank on one side: means over its runs. */
struct contrast_rank_side {
	size_t runs;    /* that have it; 0: ns is NaN */
	double ns;      /* its mean step */
	size_t slowest; /* steps in which it takes longest */
	size_t steps;   /* of them all */
};
struct contrast_rank {
	int64_t rank; /* its place where ranks have no numbers */
	struct contrast_rank_side base, now;
};
struct contrast_ranks {
	struct contrast_rank *v; /* by rank; none where no run has several */
	size_t n;
};

/* X(NAME, word) */
#define CONTRAST_STATUSES(X)                                                          \
	X(SAME, "same")             /* nothing differs */                             \
	X(NO_CHANGE, "no change")   /* tested, not shown to differ */                 \
	X(BELOW, "below threshold") /* tested, differs, by no more than that */       \
	X(CHANGED, "changed")       /* tested, differs; or called as often no more */ \
	X(UNKNOWN, "cannot tell")   /* noise may explain it, or is not known */       \
	X(UNTESTED, "not tested")   /* too little time */                             \
	X(NEW_KERNEL, "new kernel") /* base has none of it, but of its op */          \
	X(OLD_KERNEL, "old kernel") /* new has none of it, but of its op */           \
	X(NEW, "new")               /* base has none of it */                         \
	X(REMOVED, "removed")       /* new has none of it */

#define CONTRAST_ID(name, ...) CONTRAST_##name,
enum contrast_status { CONTRAST_STATUSES(CONTRAST_ID) CONTRAST_STATUS_COUNT };

/* Work of one kind on both sides, per step. */
struct contrast_row {
	struct opsum_key key;
	const struct opsum *base, *now; /* NULL: none */
	int64_t base_ns, now_ns;
	double base_calls, now_calls;
	struct attribution a;
	bool has_mix;  /* shapes are known on both sides, and differ */
	int64_t mix;   /* of by_duration: other shapes */
	double p, q;   /* of a change no larger than the threshold; NaN: not tested */
	double needed; /* UNKNOWN: runs a side that would decide; else NaN */
	enum contrast_status status;
	size_t partner; /* index of the row that replaced it or that it replaces; SIZE_MAX */
};

struct contrast_rows {
	struct contrast_row *v; /* by key */
	size_t n;
	struct opsums base, now;
	int64_t base_sum, now_sum; /* of all rows, per step */
	int64_t change_sum;        /* of |delta| */
};

/* What an op does on both sides, and what of its change that is; per step. */
struct contrast_work_row {
	struct span op;                   /* empty: device work that no op launched */
	const struct worksum *base, *now; /* NULL: none */
	int64_t base_ns, now_ns;
	struct worksplit split;
	double p, q, needed; /* as of rows, of its time */
	enum contrast_status status;
};

/* Device time but that of collectives, each call's the union of its kernels, and what of its change
 * is work. */
struct contrast_work {
	struct contrast_work_row *v; /* by op */
	size_t n;
	struct worksums base, now;
	bool is_known; /* on both sides; else n is 0 */
	int64_t base_ns, now_ns;
	int64_t calls, larger, slower, unknown; /* they and `other` add up to the change */
	int64_t other;                          /* of ops that one side alone has */
	struct change change, more, faster; /* of all; by `calls` and `larger` alone; by `slower`
	                                       alone */
};

/* What most of a side's runs of several ranks are judged to be. */
struct contrast_job {
	const char *text; /* in a sentence; NULL: there are none */
	enum job_state state;
	enum job_cause cause;
	int64_t rank; /* who the others wait for; -1: nobody */
	nsec wait;    /* what they wait for it in a step */
};

struct contrast {
	struct contrast_options o;
	const struct side *base, *now;
	struct contrast_condition *condition; /* the environment in the order of ENV_KEYS, then the
	                               configuration by key */
	size_t ncondition;
	struct metricset base_metrics, now_metrics;
	struct metric_pairs pairs; /* of them */
	size_t better_unknown;     /* the first of o.better that neither side has; nbetter: none */
	struct change step; /* of the step time: of traces' usual steps the means, as the ledger */
	struct change median; /* the same of their medians; where the step is of traces */
	struct change all;    /* the means of all steps, without bounds */
	bool has_step, has_median;
	bool has_common;               /* there is a metric that both sides have */
	struct contrast_ledger ledger; /* n is 0: no steps of traces on both sides */
	struct contrast_ranks ranks;
	struct contrast_job base_job, now_job;
	struct contrast_rows device;  /* by what the options say */
	struct contrast_rows kernels; /* below it, by op and kernel; none where device is */
	struct contrast_rows host;
	struct contrast_work work; /* of ledgers of devices */
	struct arena *mem;
};

/* What is taken where nobody chooses: 5%, noise not known, 1%, by launching op. */
extern const struct contrast_options contrast_usual;

/* Facts, metrics and the change of the step time; ledger and rows stay empty.  Sides are borrowed.
 * Memory is the arena's; scratch is taken of it later, too. */
void contrast_init(struct contrast *c, const struct side *base, const struct side *now,
	const struct contrast_options *o, struct arena *mem);

/* Adds the ledger and the rows of work behind it.  O(rows log rows). */
void contrast_find_work(struct contrast *c);

/* The change of one metric, NULL: that side has it not; parts of the step are held to the step. */
void contrast_judge(const struct contrast *c, const struct metric *base, const struct metric *now,
	struct change *change);

/* Runs of the same code differ by a known amount: said, or measured on three runs of each side. */
bool contrast_knows_noise(const struct contrast *c);

/* The rank that is slowest in most steps of that side, of equals the longer one; NULL: no ranks. */
const struct contrast_rank *contrast_slowest(const struct contrast_ranks *r, bool is_now);

/* The ledger of one rank, whose step its parts add up to; n is 0 when a side has it not. */
void contrast_rank_ledger(
	const struct contrast *c, int64_t rank, struct contrast_ledger *l, struct arena *mem);

/* The row of the op that launched a row of `kernels`; where ops are split by shapes, the first of
 * those that both sides have.  NULL: none. */
const struct contrast_row *contrast_op_of(
	const struct contrast *c, const struct contrast_row *kernel);

/* Its part that is the slowest rank's step less the mean one's; NULL: there are no ranks. */
const struct contrast_part *contrast_imbalance(const struct contrast_ledger *l);

/* The rank of a run's trace, its place where it has no number. */
int64_t contrast_rank_of(const struct side_run *run, size_t place);

/* "gpu: A100 -> H100", as a note has it; memory is the arena's. */
const char *contrast_condition_text(const struct contrast_condition *f, struct arena *mem);

/* "same", "changed"; constant. */
const char *contrast_status_word(enum contrast_status s);
/* It is new, gone or shown to differ. */
bool contrast_has_changed(enum contrast_status s);

/* ---- the parts, for contrast.c ---- */

/* The same as contrast_judge with a floor that is given (change.h). */
void contrast_judge_by(const struct contrast *c, const struct metric *base,
	const struct metric *now, double floor, struct change *change);
/* contrast_ledger.c: means per step that add up to the job's step; n stays 0 without. */
void contrast_find_ledger(struct contrast *c);
/* contrast_ranks.c: fills ranks. */
void contrast_find_ranks(struct contrast *c);
void contrast_find_jobs(struct contrast *c);
/* contrast_rows.c: matched and split into effects.  host: host calls, else device work. */
void contrast_find_rows(struct contrast *c, struct contrast_rows *r, bool host, enum opsums_by by);
/* contrast_test.c: whether they changed. */
void contrast_test_rows(struct contrast *c, struct contrast_rows *r);
/* The same, for rows of other kinds.  The row's change by what is said of noise, and whether that
 * says anything; P of an estimate at least as large where the change is the tolerance, either way;
 * what comes of it where nothing did without a test, with the runs a side that would decide, not
 * fewer than measure the noise where it is not known (q: NaN, it was not tested); and whether there
 * is time enough in it on a side to be tested. */
bool contrast_judge_row(const struct contrast *c, const struct metric *base,
	const struct metric *now, struct change *change);
double contrast_p_beyond(const struct change *c);
void contrast_conclude(const struct contrast *c, double q, const struct change *change,
	enum contrast_status *status, double *needed);
bool contrast_is_large(const struct contrast *c, int64_t base_ns, int64_t now_ns);
/* contrast_work.c: fills work, after the ledger. */
void contrast_find_amounts(struct contrast *c);
/* contrast_pairs.c: sets partner. */
void contrast_pair(struct contrast_rows *r, struct arena *mem);
