/* `metrics`: what its parts share.  Private to analyze/answer/metrics/. */
#pragma once

#include "analyze/measure/curve.h"
#include "analyze/trace/figure.h"
#include "analyze/analysis/analysis.h"
#include "analyze/analysis/perrun.h"
#include "analyze/costmodel/peaks.h"
#include "analyze/rule/finding.h"
#include "analyze/stat/quantile.h"
#include "analyze/trace/unit_of_measure.h"
#include "base/opt.h"
#include "base/setting.h"

struct metrics_options {
	const char *key, *x;
	int64_t window, ddof, warmup, points, limit;
	int64_t leak_baseline; /* step; below 0: the first value */
	const char *leak_threshold, *capacity, *pass;
	const char *peak, *price;
	struct opt_list threshold, target;
};

/* The options, understood. */
struct metrics_limits {
	size_t window, warmup;
	int ddof;
	int64_t leak_baseline;
	double leak_threshold;           /* bytes */
	int64_t capacity;                /* bytes; 0: not known */
	double pass;                     /* a reward from which on an answer is correct */
	double peak;                     /* TFLOP/s of all GPUs; 0: not known */
	double price;                    /* of an hour of all GPUs; 0: not known */
	struct peaks_given peaks;        /* what the setting says of the GPUs' peaks */
	const struct settings *settings; /* limits of rules */
};

/* How the last values differ from those before. */
struct metrics_change {
	size_t n;         /* values in each of the two windows; 0: too few */
	double delta;     /* mean of the last window less that of the one before */
	double lo, hi;    /* its 95% interval */
	const char *word; /* "improving", "plateau", "rising", ...; NULL: not known */
};

/* One series, looked at.  Values are in base units; NaN: not known. */
struct metrics_key {
	const struct series *s;
	enum metric_role role;
	enum unit unit;
	double factor;  /* base units in one of the file's */
	struct curve c; /* without warm-up, only --steps */
	size_t warmup;  /* values cut */
	double last, mean, std, min, max, p25, p50, p75, p95, p99;
	int64_t n;     /* values that these are of */
	size_t window; /* values in the last window */
	double window_mean, window_std;
	double ema, power, moves;
	struct curve_trend trend;
	struct metrics_change change;
	bool is_set; /* all its values are one, and it is nothing that people look for */
	int turn;    /* how soon it comes; of those alike as in the record, nth */
	size_t nth;
};

/* What rules are asked about, in that order, and what look->what is then. */
enum metrics_about {
	ABOUT_SERIES = 1, /* struct series: as written */
	ABOUT_KEY = 2,    /* struct metrics_key */
	ABOUT_RECORD = 4, /* struct metrics: all of it */
	ABOUT_MEMORY = 8, /* private to their files: how memory goes, ... */
	ABOUT_PEAK = 16,
	ABOUT_EPOCHS = 32,  /* a figure of each epoch */
	ABOUT_STAGES = 64,  /* those of a file */
	ABOUT_WAITS = 128,  /* the same: each of them */
	ABOUT_SCORES = 256, /* all of them ... */
	ABOUT_HALVES = 512, /* ... and the one half beside the other */
	ABOUT_GROUPS = 1024 /* rewards of a key */
};
struct metrics_asked {
	enum metrics_about about;
	const void *what; /* of the run's memory */
};
enum { METRICS_FINDINGS = 1000 }; /* more are counted */

struct metrics {
	struct perrun *at;
	const struct metrics_options *o;
	const struct metrics_limits *limit;
	struct regex *key_regex;
	struct metrics_key *key; /* those that pass --key, -f and -v, those that people look for
	                            first */
	size_t nkey;
	size_t smi;         /* series of nvidia-smi that are left to `smi` */
	struct curve *axis; /* --x: y is what stands for x; NULL: steps */
	struct metrics_asked *asked;
	size_t nasked, asked_cap;
};

/* metrics_key.c: an exponential moving average of alpha = 2 / (window + 1), without the bias of its
 * begin. */
struct metrics_ema {
	double alpha, sum, weight;
};
struct metrics_ema metrics_ema_of(size_t window);
/* One value more; the average up to it. */
double metrics_ema(struct metrics_ema *e, double y);

/* --steps, for a series whose places are steps or rows; NULL for one over time. */
const struct filter_ranges *metrics_steps(const struct metrics *m, const struct series *s);

/* metrics_key.c: --x.  E_NODATA when no series says it. */
enum status metrics_axis_init(struct metrics *m);

/* metrics_key.c: everything about one series.  E_USAGE from a match that needs too much. */
enum status metrics_collect(struct metrics *m);
/* What a metric of that name is shown in, and base units in one of the file's. */
void metrics_unit(struct span name, enum measure m, enum unit *unit, double *factor);
/* The first key of that role; NULL: none. */
const struct metrics_key *metrics_find(const struct metrics *m, enum metric_role role);

/* Tables, in the order they are shown.  Each is left out when it would be empty. */
void metrics_put_keys(struct metrics *m);
void metrics_put_curves(struct metrics *m);
void metrics_put_written(struct metrics *m);
void metrics_put_memory(struct metrics *m);
void metrics_put_throughput(struct metrics *m);

void metrics_put_stages(struct metrics *m);
/* metrics_requests.c */
void metrics_put_first_token(const struct metrics *m);
/* metrics_beside.c */
void metrics_put_beside(const struct metrics *m);
void metrics_put_targets(struct metrics *m);
/* "loss=0.5".  E_USAGE. */
enum status metrics_parse_target(
	const char *text, struct span *key, double *value, struct err *e) MUST_CHECK;
void metrics_put_scores(struct metrics *m, const struct table_doc *each);
/* metrics_targets.c: what the week-1 guide expects, where a run is one of its. */
void metrics_put_expected(struct metrics *m);
/* metrics_profiled.c: profiling results of one epoch after the other; what profiling costs. */
void metrics_put_epochs(struct metrics *m);
void metrics_say_overhead(const struct metrics *m);
void metrics_put_rewards(struct metrics *m);
/* metrics_rules.c: has all rules that are about this look at it, when all is known. */
void metrics_ask(struct metrics *m, enum metrics_about about, const void *what);
/* A finding of the rule that looks; key: the series it is about, or empty. */
void metrics_found(struct look *look, struct span key, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The findings as rows of t, in their order. */
void metrics_put_findings(const struct look *look, struct table *t);
/* Where rules of several files come from. */
#define METRICS_CANARY "rlhf-canary, compare/heuristics.py and collect/metrics.py"

#define TABLES_DEF     "analyze/answer/metrics/metrics_tables.def"
#include "base/table_names_impl.h"
