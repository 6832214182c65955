/*
 * A contrast: two sides held against each other, before anybody makes tables of it.
 *
 * What differs in environment and configuration, the metrics of both, the ledger of the step, and
 * the work behind it, matched by what it is known by.  why.h says in words what comes of it.
 */
#ifndef ANALYZE_COMPARE_CONTRAST_H
#define ANALYZE_COMPARE_CONTRAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/compare/attribution.h"
#include "analyze/compare/change.h"
#include "analyze/compare/metricset.h"
#include "analyze/compare/opsums.h"
#include "base/arena.h"
#include "base/str.h"

struct side;

struct contrast_options {
	enum opsums_by by;
	double alpha;     /* false discovery rate at which a row counts as changed */
	double noise;     /* how much runs of the same code differ: standard deviation */
	double threshold; /* a change up to this ratio is none */
};

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
enum { CONTRAST_PARTS_MAX = 16 };

struct contrast_ledger {
	bool is_device; /* parts are those of enum digest_part; else the CPU's by phase */
	struct contrast_part part[CONTRAST_PARTS_MAX];
	size_t n;
	int64_t base, now;            /* the step: the sum of the parts that are no details */
	size_t base_steps, now_steps; /* behind the means, over devices and ranks */
};

/* X(NAME, word) */
#define CONTRAST_STATUSES(X)                                              \
	X(SAME, "same")           /* nothing differs */                   \
	X(NOISE, "within noise")  /* tested, not shown to differ */       \
	X(CHANGED, "changed")     /* tested, differs */                   \
	X(UNTESTED, "not tested") /* too little time, or too few steps */ \
	X(NEW, "new")             /* base has none of it */               \
	X(REMOVED, "removed")     /* new has none of it */

enum contrast_status {
#define X(name, word) CONTRAST_##name,
	CONTRAST_STATUSES(X)
#undef X
		CONTRAST_STATUS_COUNT
};

/* Work of one kind on both sides, per step. */
struct contrast_row {
	struct opsum_key key;
	const struct opsum *base, *now; /* NULL: none */
	int64_t base_ns, now_ns;
	double base_calls, now_calls;
	struct attribution a;
	bool has_mix; /* shapes are known on both sides, and differ */
	int64_t mix;  /* of by_duration: other shapes */
	double p, q;  /* NaN: not tested */
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

struct contrast {
	struct contrast_options o;
	const struct side *base, *now;
	struct contrast_condition *condition; /* the environment in the order of ENV_KEYS, then the
	                               configuration by key */
	size_t ncondition;
	struct metricset base_metrics, now_metrics;
	struct change step; /* of step_time */
	bool has_step;
	bool has_common;               /* there is a metric that both sides have */
	struct contrast_ledger ledger; /* n is 0: no steps of traces on both sides */
	struct contrast_rows device, host;
	struct arena *mem;
};

/* What is taken where nobody chooses: 5%, 2%, 1%, by launching op and kernel. */
extern const struct contrast_options contrast_usual;

/*
 * Facts, metrics and the change of the step time; ledger and rows stay empty.  Sides are borrowed.
 * Memory is the arena's; scratch is taken of it later, too.
 */
void contrast_init(struct contrast *c, const struct side *base, const struct side *now,
	const struct contrast_options *o, struct arena *mem);

/* Adds the ledger and the rows of work behind it.  O(rows log rows). */
void contrast_find_work(struct contrast *c);

/* The change of one metric, NULL: that side has it not; parts of the step are held to the step. */
void contrast_judge(const struct contrast *c, const struct metric *base, const struct metric *now,
	struct change *change);

/* "gpu: A100 -> H100", as a note has it; memory is the arena's. */
const char *contrast_condition_text(const struct contrast_condition *f, struct arena *mem);

/* A whole number of the configuration is smaller in new than in base. */
bool contrast_config_fell(const struct contrast *c, const char *key);

/* "same", "changed"; constant. */
const char *contrast_status_word(enum contrast_status s);

/* ---- the parts, for contrast.c ---- */

/* contrast_conditions.c: fills condition. */
void contrast_find_conditions(struct contrast *c);
/* contrast_ledger.c: means per step that add up to the mean step; n stays 0 without. */
void contrast_find_ledger(struct contrast *c);
/* contrast_rows.c: matched, split into effects and tested.  host: host calls, else device work. */
void contrast_find_rows(struct contrast *c, struct contrast_rows *r, bool host);
/* contrast_pairs.c: sets partner. */
void contrast_pair(struct contrast_rows *r, struct arena *mem);

#endif
