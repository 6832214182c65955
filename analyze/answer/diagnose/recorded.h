/*
 * Rules about what lies beside a trace, or is there instead of one: summaries, op CSVs, stage
 * times, logs.  A new one is a constant struct in a file recorded_TOPIC.c and one line in
 * RECORDED_RULES.
 *
 * Nothing there says when anything happened, so there are no gaps, no overlap and no idle time.
 * Thresholds and words are the documents'; each finding names the file that says so.
 */
#ifndef ANALYZE_ANSWER_DIAGNOSE_RECORDED_H
#define ANALYZE_ANSWER_DIAGNOSE_RECORDED_H

#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/columns/record.h"
#include "base/arena.h"
#include "base/compiler.h"

struct recorded_rule;

enum { RECORDED_MAX = 200 }; /* findings; more are counted */

/* Texts are the arena's, or constant. */
struct recorded_finding {
	const struct recorded_rule *rule;
	enum severity severity;
	int artifact; /* index of the file that says it; -1: none alone */
	double value; /* what was compared: a ratio, a share, seconds, bytes; NaN */
	double cost;  /* the share of the time it is about that it takes; NaN: no time */
	const char *text, *action; /* action: or NULL */
};

/* One run's record, being looked at. */
struct recorded {
	const struct record *r;
	const struct run *run;
	struct rule_input in;             /* profile: of the trace beside it, or NULL */
	double capacity;                  /* bytes of device memory; NaN: nobody says */
	struct arena *mem;                /* of the result */
	struct arena *scratch;            /* of the run */
	const struct recorded_rule *rule; /* being checked */
	struct recorded_finding *v;
	size_t n, left_out;
};

struct recorded_rule {
	struct analysis_word word; /* doc NULL: a trace's rule of that id has the words */
	const struct setting *setting;
	size_t nsetting;
	void (*check)(struct recorded *k);
};

#define RECORDED_RULES(X) \
	X(Q01)            \
	X(Q02)            \
	X(Q03)            \
	X(R01)            \
	X(R02)            \
	X(R03)            \
	X(R04)            \
	X(R05)            \
	X(R06)            \
	X(R07)            \
	X(R08)            \
	X(R09)            \
	X(R10)            \
	X(R11)            \
	X(R12)            \
	X(R13)            \
	X(R14)            \
	X(R15)            \
	X(R16)

#define X(id) extern const struct recorded_rule recorded_##id;
RECORDED_RULES(X)
#undef X

/* The i-th; NULL behind the last. */
const struct recorded_rule *recorded_rule(size_t i);

/* The keys of all their settings, one after the other; NULL behind the last. */
const struct setting *recorded_setting(size_t i);

/* ---- for the rules ---- */

/*
 * A finding of the rule that is being checked, without action, value and cost.  What another file
 * of the run says in the same words is said once.  Valid until the next.
 */
struct recorded_finding *recorded_found(
	struct recorded *k, enum severity s, int artifact, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* The first scalar whose key ends so, in a file that is no copy of others; NULL: none. */
const struct scalar *recorded_find(const struct recorded *k, const char *end);

/* The number of that scalar; NaN. */
double recorded_number(const struct recorded *k, const char *end);

/* The i-th sheet of that kind in a file that is no copy of others; NULL behind the last. */
const struct sheet *recorded_sheet(const struct recorded *k, enum sheet_table kind, size_t i);

/* The value of "R07.warn". */
double recorded_limit(const struct recorded *k, const char *key);

/* "15.20 GiB", "90.0%", "425.0 ms" */
const char *recorded_bytes(const struct recorded *k, double bytes);
const char *recorded_percent(const struct recorded *k, double ratio);
const char *recorded_time(const struct recorded *k, double ns);

/* The name of an op or kernel, shortened to what fits a line. */
const char *recorded_name(const struct recorded *k, struct span name);

#endif
