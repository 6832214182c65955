/* `gate`: what its parts share.  Its options are also those of `baseline add`.
 *
 * A check compares one figure of both sides.  What it is and what it tolerates are built in by
 * tier (gate_checks.c), overridden by configuration and options (gate_rules.c); the rule that
 * decides is analyze/stat/decide.h. */
#pragma once

#include "analyze/compare/change.h"
#include "analyze/compare/metricset.h"
#include "analyze/compare/pairs.h"
#include "analyze/compare/segment.h"
#include "analyze/analysis/analysis.h"
#include "base/base.h"
#include "base/opt.h"
#include "base/setting.h"
#include "base/checks.h"

struct regex;

struct gate_options {
	const char *tier, *noise, *fail_on, *gate_on; /* NULL: as configured */
	struct opt_list check;                        /* ID=TOLERANCE */
	struct opt_list better;                       /* lower:NAME */
	struct opt_list allow_lost;
	int64_t limit;
	const char *allow_env;
	int64_t warmup, window, recent, confirm;
	const char *alpha, *min_change;
	bool is_verbose, is_history, strict_unknown;
};

/* Few values fail beyond so many times the tolerance. */
#define GATE_FEW      1.5

#define GATE_ON_WORDS "interval|estimate"

/* What is taken where nobody chooses. */
#define GATE_ALPHA       "0.001" /* of a history */
#define GATE_MIN_CHANGE  "1%"    /* of a history */
#define GATE_WINDOW      50      /* of a history, runs */
#define GATE_RECENT      10      /* of a history, runs */
#define GATE_WINDOW_TEXT TEXT_OF(GATE_WINDOW)
#define GATE_RECENT_TEXT TEXT_OF(GATE_RECENT)

#define GATE_TIERS(X)              \
	X(TIER_DEFAULT, "default") \
	X(TIER_SMOKE, "smoke") X(TIER_PERF, "perf") X(TIER_NIGHTLY, "nightly")
enum gate_tier { GATE_TIERS(OPT_ID) TIER_COUNT };

#define GATE_FAILS(X)           \
	X(FAIL_ON_FAIL, "fail") \
	X(FAIL_ON_NOISY, "noisy") X(FAIL_ON_WARN, "warn") X(FAIL_ON_SKIP, "skip")
enum gate_fail_on { GATE_FAILS(OPT_ID) };

#define GATE_LEVELS(X)        \
	X(LEVEL_FAIL, "fail") \
	X(LEVEL_WARN, "warn") X(LEVEL_NOTE, "note") X(LEVEL_OFF, "off")
enum gate_level { GATE_LEVELS(OPT_ID) };

enum gate_kind {
	GATE_CHANGE, /* new against base */
	GATE_MOST,   /* new alone: at most so many */
	GATE_OPS,    /* device or host time per step of ops chosen by name */
	GATE_WORK,   /* FLOP a second of ops chosen by name */
	GATE_PARTS,  /* what a run consists of: no fewer than base has */
	GATE_NEW     /* kernels that base does not have: at most so many */
};

/* What a rule tolerates of a pair; of a check that no rule is, too.  Constant. */
struct pair_limits {
	const char *id, *suite;
	const char *metric;  /* the id of its metric; NULL: it has none of its own */
	const char *also[3]; /* ids of others that can be it, the first that is there */
	enum gate_kind kind;
	enum gate_level level;
	double tolerance[TIER_COUNT]; /* ratio of the base, or points; GATE_MOST: how many */
	double limit[TIER_COUNT];     /* absolute, whichever of both is less; 0: none */
	double floor;                 /* absolute, below which no change counts; 0: none */
	double least; /* ratio or points: how far a store may lower the tolerance; 0: not at all */
	bool fails_if_chosen; /* whatever its level is where nobody configured it */
	bool is_speed; /* means nothing where the machines differ: a failure is a warning then */
	bool is_part;  /* of the step: its failure is one where the step grew with it */
};

/* The fewest steps of a log whose answer is not weak, by tier.  Source: rlhf-canary's
 * min_step_count. */
extern const int64_t gate_min_steps[TIER_COUNT];

/* A check as it is in force. */
struct gate_rule {
	const struct pair_limits *def;
	const char *id; /* def's; "op:REGEX"; a metric's own */
	double tolerance, limit, floor;
	double least;   /* as the def's, or as --min-change says */
	bool is_given;  /* somebody said what is tolerated: nothing lowers it */
	bool is_figure; /* of what no check names: a figure of a log or summary */
	double noise;   /* NaN: the gate's */
	enum gate_level level;
	enum metric_better better; /* BETTER_NONE: the metric's own */
	bool on_estimate;
	bool is_chosen;      /* somebody configured it */
	const char *origin;  /* where, when is_chosen */
	double accepted;     /* new over base that was acknowledged; 1: nothing was */
	const char *reason;  /* why, or NULL */
	struct regex *regex; /* GATE_OPS, GATE_WORK */
};

struct gate_rules {
	struct gate_rule *v;
	size_t n, cap;
	enum gate_tier tier;
	enum gate_fail_on fail_on;
	double noise;
	double min_change; /* of --min-change; NaN: not given */
	int64_t min_steps; /* fewer are weak; 0: by tier (gate_min_steps) for logs, else none */
	bool noise_is_chosen;
	bool on_estimate;
	struct arena *mem;
};

/* What one check found. */
struct gate_answer {
	const struct gate_rule *rule;
	const struct metric *base, *now; /* NULL: not there */
	struct change change;
	struct decide_answer answer; /* of the change, tolerance and acceptance applied */
	double tolerance;            /* on the scale of the comparison */
	double noise, noise_df;      /* of a store, on that scale; NaN: it does not say */
	bool is_lowered;             /* the tolerance is what that noise allows */
	enum verdict_state state;
	const char *why;   /* of a SKIP */
	const char *few;   /* values are so few that the answer is weak: how many; or NULL */
	const char *since; /* of a change that came bit by bit or stayed: since when, how fast */
};

struct gate {
	const struct query *query;
	const struct gate_options *o;
	struct result *out;
	struct gate_rules rules;
	const struct side *base_side, *now_side; /* NULL: base is a history; there is no new */
	const char *base_label, *now_label;
	size_t base_runs, now_runs;
	struct segment_options segments;
	struct segment_series *series; /* of a history: its figures, by their index there */
	double alpha;                  /* against a store: of a check that is made of a night, */
	double alpha_figures;          /* and of a figure that no check names */
	struct metricset base, now;
	struct metric_pairs pairs;      /* of them */
	const struct gate_rule **owner; /* by pair: whose check it is; NULL: a figure's own */
	struct metricset base_parts, now_parts; /* ranks, devices, steps */
	bool has_traces;                        /* new has */
	struct gate_answer *answer;             /* in the order of the rules */
	size_t n, cap;
	bool is_foreign;  /* the machines differ, and that was allowed */
	bool is_partial;  /* a rank, a device or steps of base are missing */
	const char **why; /* what the change comes from; of result's memory */
	size_t nwhy;
	enum verdict_state state;
	int exit_code;
	struct verdict *verdict;
	struct arena mem; /* scratch of the answer */
};

/* gate_options.c */
enum { GATE_OPTS = 18 };
extern const struct opt gate_opts[GATE_OPTS];
const struct setting *gate_setting(size_t i);
/* "gate.noise" and others, or the option where it was given. */
const struct setting_value *gate_value(const struct settings *s, const char *key);

/* gate_rules.c */
/* The rules in force: tier, configuration, options; regular expressions are compiled.  now_s: the
 * time, seconds since 1970; an acceptance that ended before is E_USAGE with its place. */
enum status gate_rules_init(struct gate_rules *r, const struct gate_options *o,
	const struct settings *settings, int64_t now_s, struct arena *mem,
	struct err *e) MUST_CHECK;
void gate_rules_clear(struct gate_rules *r);
/* Of metrics that are chosen by name. */
extern const struct pair_limits gate_named_def;
/* Whether a check in that state makes the exit code 1. */
bool gate_fails(const struct gate *g, enum verdict_state s);

/* Whether a metric of that id can be it. */
bool gate_is_of(const struct pair_limits *def, const char *id);

/* New alone counts: at most so many. */
bool gate_is_most(const struct gate_rule *rule);

/* A check's state becomes a part of the gate's, which begins as the best; then the gate's is it. */
void gate_take_state(struct gate *g, enum verdict_state s);
void gate_settle_state(struct gate *g);

/* What a rule about ops looks at, of one side; n is 0 where nothing is known. */
typedef enum status gate_metric_of(struct metric *m, const struct gate_rule *rule,
	const struct side *s, struct arena *mem, struct err *e);

/* gate_ops.c */
/* The metric of an "op:" or "cpu:" rule: time per step of what matches. */
gate_metric_of gate_ops_metric MUST_CHECK;
/* How many kernels of new base does not have, by name; m->title has the first of them.  n is 0
 * where either side has no device work. */
void gate_new_kernels(
	struct metric *m, const struct side *base, const struct side *now, struct arena *mem);

/* gate_work.c */
/* The metric of a "tflops:" rule: TFLOP/s of what matches. */
gate_metric_of gate_work_metric MUST_CHECK;
/* Why the sides' MFU cannot be compared, or NULL: of one less is known than of the other. */
const char *gate_work_differs(const struct gate *g);

/* gate_scale.c */
/* What a figure is compared on: logarithms, or differences from a base of that size. */
struct gate_scale {
	double base;
	bool is_difference, is_points;
	bool is_rate; /* more is better: a tolerance is what it may fall by */
};
/* What is tolerated, on that scale: the larger of share and floor, no more than the limit. */
double gate_tolerance(const struct gate_rule *r, const struct gate_scale *s);
/* What never counts, however little noise there is; on that scale. */
double gate_least(const struct gate_rule *r, const struct gate_scale *s);
/* The state of a decision by the check's level. */
enum verdict_state gate_state_of(const struct gate *g, const struct gate_answer *a);

/* gate_figures.c */
/* --better to the metrics of both sides; E_USAGE. */
enum status gate_direct(struct gate *g, struct err *e) MUST_CHECK;
/* Pairs metrics, and gives each pair to the rule that names it. */
void gate_find_pairs(struct gate *g);
/* The rule for the nth pair of those that are a rule's, with an id of its own; a figure's own where
 * rule is NULL. */
const struct gate_rule *gate_rule_for(
	struct gate *g, const struct gate_rule *rule, const struct metric_pair *pair, size_t nth);
/* A pair that nobody's check is, and that a log or a summary says. */
bool gate_is_figure(const struct gate *g, size_t pair);
/* It has a better side, or is a check: it passes or fails. */
bool gate_is_judged(const struct gate_answer *a);
/* Base does not have it: nothing to compare with. */
bool gate_is_only_new(const struct gate_answer *a);
/* It is not, and nobody would: a count, a setting, a spread. */
bool gate_is_property(const struct gate_answer *a);

/* gate_parts.c */
/* A GATE_PARTS check with both metrics found; false: nothing to compare. */
bool gate_judge_parts(struct gate *g, struct gate_answer *a);
/* --allow-lost names it: "rank", "trace", "text_log", a figure's id. */
bool gate_may_lack(const struct gate *g, const char *what);
/* Why a run of new is said to have failed: line, step and text; NULL: nobody says. */
const char *gate_why_broken(const struct gate *g);

/* "loss, the first at step 31": where new is NaN, or inf, first; NULL: no series says. */
const char *gate_where_damaged(const struct gate *g, bool is_inf);
/* Answers for artifacts that new lacks and logs that end early. */
void gate_judge_made(struct gate *g);
/* A figure that runs are watched by, which base has and new has not, by no name. */
bool gate_is_lost(const struct gate *g, const struct metric *base);
/* How many are missing, where that is more than tolerated; else 0. */
double gate_parts_missing(const struct gate_rule *rule, double base, double now);

/* gate_judge.c */
enum status gate_judge(struct gate *g, struct err *e) MUST_CHECK;

/* gate_store.c */
/* A drift may raise so many false alarms for one of its check. */
#define GATE_DRIFT_SHARE 0.5
/* The figure of that id along the history; NULL: it has none. */
const struct segment_series *gate_series(const struct gate *g, const char *id);
/* The noise between the runs of a base that is a store, on the scale of the comparison, into
 * a->noise and a->noise_df: measured, from five runs on, or as a check or --noise says; NaN:
 * neither. */
void gate_store_noise(const struct gate *g, struct gate_answer *a);
/* What is tolerated against a store, on the scale of the comparison: `most`, or what its noise
 * allows where that is less and nobody gave a tolerance.  A change beyond it and noise is a false
 * alarm in one of a hundred nights at most, all checks together. */
double gate_store_tolerance(const struct gate *g, struct gate_answer *a, double most);
/* Makes a failure that a false alarm may be NOISY: of a store that varies by more than is
 * tolerated. */
void gate_store_doubt(const struct gate *g, struct gate_answer *a);
/* How often a check may be wrong of a night without a change, when so many are made. */
double gate_store_alpha(size_t checks);
/* Ten runs of the store or more say it, and always nearly the same. */
bool gate_store_is_steady(const struct gate *g, const struct gate_answer *a);

/* gate_drift.c */
/* Figures of a store that left the level it began on: answers behind those of the rules. */
void gate_store_drift(struct gate *g);

/* gate_env.c */
/* --allow-env has the word: "gpu", "steps". */
bool gate_allows(const struct gate *g, struct span word);
/* What has to be the same on both sides (gate.env) and is not: E_FORMAT unless it is allowed. */
enum status gate_env(struct gate *g, struct err *e) MUST_CHECK;
/* What a side's folder holds and is too damaged to be read, as a warning. */
void gate_note_damaged(struct gate *g);
/* What else differs, as notes; and why the step changed, where the gate fails. */
void gate_explain(struct gate *g);

/* gate_history.c */
/* gate --history: change points and the newest run; fills tables and verdict. */
enum status gate_history(struct gate *g, struct err *e) MUST_CHECK;

/* gate_text.c */
/* The unit of its figures. */
enum unit gate_unit(const struct gate_answer *a);
/* A value of a metric as a person reads it: "62.40 ms"; "-" for NaN. */
const char *gate_text_value(const struct gate *g, double v, enum unit unit);
const char *gate_text_tolerance(const struct gate *g, const struct gate_answer *a);
/* "+21.7%", or in points or units where ratios mean nothing; NULL when unknown. */
const char *gate_text_change(const struct gate *g, const struct gate_answer *a);
const char *gate_text_interval(const struct gate *g, const struct gate_answer *a);
/* "FAIL", "pass": what is bad is in capitals. */
const char *gate_text_state(const struct gate *g, enum verdict_state s);
/* One line that stands alone. */
const char *gate_text_message(const struct gate *g, const struct gate_answer *a);

/* "+6.4%", "-2.0 pt" with so many digits; "from 0 to 12.3 us" where there is no ratio. */
const char *gate_text_ratio(
	const struct gate *g, double from, double to, enum unit unit, bool is_points, int digits);

/* gate_names.c */
/* Whether the history is a store, with runs that were added for a reason, and no table of runs. */
bool gate_is_store(const struct gate *g);
/* The days on which runs of a side were recorded, of the store where it is NULL; NULL: not known.
 */
const char *gate_days(const struct gate *g, const struct side *side);
/* A figure run by run, the newest of them, for a verdict. */
const struct verdict_runs *gate_runs(
	const struct gate *g, const struct segment_series *s, double level);
/* How a run of the history is called: its day, with its label where others are of that day, too
 * ("2025-11-29 run2"); its label where a file says no time; "run 17"; behind the last: new. */
const char *gate_night_name(const struct gate *g, size_t run);

/* gate_tables.c */
void gate_put_tables(struct gate *g);
void gate_make_verdict(struct gate *g);

#define TABLES_DEF "analyze/answer/gate/gate_tables.def"
#include "base/table_names_impl.h"
