/*
 * Rules: what a command looks for by itself, and says when it is there.
 *
 * A rule is a constant struct in the folder of the command that looks by it, in the file of its
 * subject, and a word in RULES.  By that it is in `explain`, its limits are in `config`, and its
 * command applies it.  What it reads is the member that says what it does:
 *
 *	run      diagnose   the profile of a trace: where time and memory of its steps go
 *	record   diagnose   what lies beside a trace or is there instead: summaries, logs
 *
 * They are functions, which look (struct look, analyze/rule/finding.h) and add what they find.  A
 * rule that reads a trace and what lies beside it has both members, and one id, name and text.
 */
#ifndef ANALYZE_RULE_RULE_H
#define ANALYZE_RULE_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/depend/retime.h"
#include "analyze/query/analysis.h"
#include "base/setting.h"

struct look;

struct rule {
	struct analysis_word word; /* id "G03"; text: its name, short; doc: what it looks at */
	void (*run)(struct look *k);
	void (*record)(struct look *k);
	const struct setting *limits; /* LIMITS(...): what can be set of it; NULL: nothing */
	const char *advice;           /* what to do, where a finding has no better; or NULL */
	const char *verdict;          /* what a run is called that this explains: "copy-bound" */
	bool is_symptom;              /* says that time is lost, not why: others come first */
	bool has_saving;              /* its share of the time is what could be saved at most ... */
	struct scenario change;       /* ... and what this saves; of no change: there is none */
};

/* Limits of a rule, LIMIT(...) each; key: "diagnose.G10.warn". */
#define LIMITS(...)                                         \
	(const struct setting[])                            \
	{                                                   \
		__VA_ARGS__, { NULL, 0, NULL, NULL, NULL }, \
	}
/* A macro without braces at its use, so that clang-format wraps and does not align. */
#define LIMIT(key, type, preset, help)                  \
	{                                               \
		key, SETTING_##type, preset, NULL, help \
	}

/* A scenario of one change: members of struct change. */
#define ONE_CHANGE(...)                                                       \
	{                                                                     \
		.change = (const struct change[]){ { __VA_ARGS__ } }, .n = 1, \
	}

/* In the order in which they are applied, listed and, all else being equal, shown. */
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
	X(Q03)   \
	X(R01)   \
	X(R02)   \
	X(R03)   \
	X(R04)   \
	X(R05)   \
	X(R06)   \
	X(R07)   \
	X(R08)   \
	X(R09)   \
	X(R10)   \
	X(R11)   \
	X(R12)   \
	X(R13)   \
	X(R14)   \
	X(R15)   \
	X(R16)

#define X(id) extern const struct rule rule_##id;
RULES(X)
#undef X

#endif
