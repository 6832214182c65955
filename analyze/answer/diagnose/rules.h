/*
 * Rules: what `diagnose` looks for.  A new rule is a constant struct in a file
 * analyze/answer/diagnose/rule_TOPIC.c and one line in RULES.
 *
 * A rule looks at a profile and says how bad it is, one measured number, its share of the step,
 * evidence and one action.  What cannot be known is SEVERITY_UNKNOWN with the reason, never ok.
 */
#ifndef ANALYZE_ANSWER_DIAGNOSE_RULES_H
#define ANALYZE_ANSWER_DIAGNOSE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/answer/diagnose/profile.h"
#include "analyze/depgraph/whatif.h"
#include "analyze/analysis/analysis.h"
#include "analyze/trace/columns/events.h"
#include "base/compiler.h"
#include "base/setting.h"
#include "base/table.h"

/* X(NAME, word), least first */
#define SEVERITIES(X)         \
	X(OK, "ok")           \
	X(UNKNOWN, "unknown") \
	X(NOTE, "note")       \
	X(WARN, "WARN")       \
	X(CRIT, "CRIT")

enum severity {
#define X(name, word) SEVERITY_##name,
	SEVERITIES(X)
#undef X
		SEVERITY_COUNT
};

/* All of their words, as "a|b|". */
extern const char severity_words[];
/* "ok", "WARN", ...; constant. */
const char *severity_word(enum severity s);

struct rule;

/* What a rule found in one run.  Texts live in profile->mem, or are constant. */
struct finding {
	const struct rule *rule;
	enum severity severity;
	enum unit unit; /* of value: NS (per step), BYTES, RATIO, COUNT, or NONE: a plain number */
	double value;   /* what was measured; NaN: unknown */
	double share;   /* of the window less unrecorded time; NaN: makes no sense */
	double saves;   /* so much of it mending this could save at most; NaN: unknown */
	bool is_predicted;     /* saves is that of rule->what_if; else the share */
	const char *text;      /* what was found, with the number; for UNKNOWN: why */
	const char *evidence;  /* which op or kernel, how often, or NULL */
	sym name;              /* of that op or kernel; 0: none */
	int64_t count;         /* how many; -1: unknown */
	uint32_t row;          /* an example: the longest; NO_ROW: none */
	struct interval place; /* where it is worst; of no length: rules_place says */
	const char *action;    /* what to do, or NULL */
};

/* What a rule is given. */
struct rule_input {
	const struct profile *profile;
	const struct settings *settings; /* values of all rules' settings */
	int64_t capacity;                /* bytes of device memory as told; 0: the trace's count */
};

struct rule {
	struct analysis_word word; /* id "G03"; text: its name, short; doc: the long text */
	const char *verdict;       /* what a run is called that this explains: "copy-bound" */
	bool is_symptom;           /* says that time is lost, not why: others come first */
	bool has_saving;           /* its share of the window is what could be saved at most ... */
	struct scenario what_if;   /* ... and what this saves; of no change: there is none */
	const struct setting *setting;
	size_t nsetting;
	/* Fills f, which holds the rule, OK, and nothing else. */
	void (*check)(const struct rule_input *in, struct finding *f);
};

#define RULES(X) \
	X(G01)   \
	X(G02)   \
	X(G03)   \
	X(G04)   \
	X(G05)   \
	X(G06)   \
	X(G07)   \
	X(G08)   \
	X(G09)   \
	X(G10)   \
	X(G11)   \
	X(G12)   \
	X(G13)   \
	X(G14)   \
	X(G15)   \
	X(G16)   \
	X(G17)   \
	X(G18)   \
	X(G19)   \
	X(G20)   \
	X(G21)   \
	X(G22)   \
	X(Q01)   \
	X(Q02)   \
	X(Q03)

#define X(id) extern const struct rule rule_##id;
RULES(X)
#undef X

/* All rules in list order; *n receives how many. */
const struct rule *const *rules_all(size_t *n);

/* The keys of all settings of rules, one after the other; NULL behind the last. */
const struct setting *rules_setting(size_t i);

/* ---- for the rules ---- */

/* A setting of a rule; a macro without braces, so that clang-format wraps and does not align. */
#define RULE_SETTINGS "diagnose."
#define RULE_SETTING(key, type, preset, help)                         \
	{                                                             \
		RULE_SETTINGS key, SETTING_##type, preset, NULL, help \
	}

/* The value of "diagnose.KEY". */
const struct setting_value *rules_limit(const struct rule_input *in, const char *key);

/* CRIT above the limit crit, WARN above warn, else ok; a key that is NULL is no limit. */
enum severity rules_above(
	const struct rule_input *in, double v, const char *warn, const char *crit);

/* Sets SEVERITY_UNKNOWN and why. */
void rules_unknown(struct finding *f, const char *why);

/*
 * Where in time a finding is worst: as the rule says, else its row, else the longest of the steps
 * that count.  Of no length where nothing is found.
 */
struct interval rules_place(const struct profile *p, const struct finding *f);

/* The step that figures have around that time, else all steps that count: what it is about. */
struct interval rules_step_around(const struct profile *p, nsec t);
struct interval rules_all_steps(const struct profile *p);

/* ns over the steps' time, per step, and how a person reads them; memory is the profile's. */
double rules_share(const struct profile *p, nsec ns);
double rules_per_step(const struct profile *p, double v);
const char *rules_time(const struct profile *p, double ns);
const char *rules_percent(const struct profile *p, double ratio);
const char *rules_bytes(const struct profile *p, double bytes);
/* "12/step", "0.25/step"; without steps "12". */
const char *rules_count(const struct profile *p, int64_t count);
/* "16.90 ms/step"; without steps "16.90 ms". */
const char *rules_step_time(const struct profile *p, nsec ns);

/* printf into the profile's memory. */
const char *rules_text(const struct profile *p, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The text of a name, shortened to what fits a line, as a NUL-terminated copy. */
const char *rules_name(const struct profile *p, sym name);

/*
 * ", input [[32, 8]]" of the op that launched a device row, ", in FRAME" of the
 * innermost frame of an op's call stack; "" where the trace does not say.  Needs NEED_SHAPES,
 * NEED_STACKS.
 */
const char *rules_input(const struct profile *p, uint32_t device_row);
const char *rules_frame(const struct profile *p, uint32_t op_row);

#endif
