/* Rules: what a command looks for by itself, and says when it is there.
 *
 * A rule is a constant struct in the folder of the command that looks by it, in the file of its
 * subject, and a word in RULES.  By that it is in `explain`, its limits are in `config`, and its
 * command applies it.  What it reads is the member that says what it does:
 *
 *	run      diagnose   the profile of a trace: where time and memory of its steps go
 *	record   diagnose   what lies beside a trace or is there instead: summaries, logs
 *	series   metrics    the series of a log, and what its tables are made of
 *	quality  check      the recording itself: how much of it is lost, or odd
 *	pair     gate       one figure of two sides
 *
 * The first three are functions, which look (struct look, analyze/rule/finding.h) and add what they
 * find.  The others are limits, as there is nothing to do but count and compare.  A rule that reads
 * both a trace and what lies beside it has both members, and one id, name and text.
 *
 * What is found is a struct finding for all but gate: one order, one way into tables.  What a check
 * of gate answers is no finding.  It has two figures, an interval, and what is tolerated by tier,
 * store, configuration and acceptance.  Its states are those of a decision (pass, fail, noisy,
 * skip), not how bad something is, and it saves nothing.  Most checks are of figures that no rule
 * names: columns of a log, or what a regular expression matches.  So gate has its rules here, with
 * their words and limits, and its answers for itself (analyze/answer/gate/gate.h). */
#pragma once

#include "analyze/analysis/analysis.h"
#include "base/setting.h"

struct finding;
struct look;
struct pair_limits;
struct profile;
struct quality_limits;
struct scenario;

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

struct rule {
	struct analysis_word word; /* id "G03"; text: its name, short; doc: what it looks at */
	/* What it reads, and what it does with that; see above. */
	void (*run)(struct look *k, struct finding *f, const struct profile *x); /* adds f first */
	void (*record)(struct look *k);
	void (*series)(struct look *k);
	const struct quality_limits *quality;
	const struct pair_limits *pair;
	unsigned about;               /* bits: what it looks at, of what a command looks at one by
	                                 one (look->about); 0: at all at once */
	enum severity severity;       /* where it is that of all its findings */
	const struct setting *limits; /* LIMITS(...): what can be set of it; NULL: nothing */
	const char *advice;           /* what to do, where a finding has no better; or NULL */
	const char *plain_advice; /* the same of a program that is not PyTorch's; NULL: no other */
	const char *verdict;      /* what a run is called that this explains: "copy-bound" */
	bool is_symptom;          /* says that time is lost, not why: others come first */
	bool has_saving;          /* its share of the time is what could be saved at most ... */
	const struct scenario *change; /* ... and what this saves; NULL: ... */
	int judged; /* ... what that change of the judge's saves, + 1; 0: nobody knows */
};

/* A rule of that id: RULE(G01, short name, what it looks at, source, other members); no ';'. */
#define RULE(name, short_name, text, source, ...)                                      \
	const struct rule rule_##name = { .word = { #name, short_name, text, source }, \
		__VA_ARGS__ };

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

/* In the order in which they are applied, listed and, all else being equal, shown. */
/* clang-format off */
#define RULES(X) \
	X(G01) X(G02) X(G03) X(G04) X(G05) X(G06) X(G07) X(G08) X(G09) X(G10) X(G11) \
	X(G12) X(G13) X(G14) X(G15) X(G16) X(G17) X(G18) X(G19) X(G20) X(G21) X(G22) \
	X(G23) X(G24) X(G25) \
	X(Q01) X(Q02) X(Q03) \
	X(R01) X(R02) X(R03) X(R04) X(R05) X(R06) X(R07) X(R08) X(R09) X(R10) X(R11) \
	X(R12) X(R13) X(R14) X(R15) X(R16) \
	X(D01) X(D02) X(D03) X(D04) X(D05) X(D06) X(D07) X(D08) X(D09) X(D10) X(D11) \
	X(D12) X(D13) X(D14) X(D15) X(D16) X(D17) X(D18) X(D19) X(D20) X(D21) X(D22) \
	X(events) X(lost_events) X(window_end_missing) X(no_category) X(unknown_kind) \
	X(unfinished) X(cut_by_window) X(partial_overlap) X(device_linked) X(device_graph_linked) \
	X(launched_before) X(device_unlinked) X(unlinked_with_op) X(no_correlation) \
	X(duplicate_correlation) X(duplicate_external_id) X(no_external_op) X(outside_ops) \
	X(launch_without_device) X(no_gpu_work) X(before_launch) X(zero_duration_device) \
	X(no_steps) X(steps_incomplete) \
	X(ranks) X(devices) X(steps) X(step_time) X(uneven_steps) X(tokens_per_sec) \
	X(samples_per_sec) X(throughput) X(peak_memory) X(gpu_busy) X(between_steps) X(mfu) \
	X(imbalance) \
	X(exposed_comm) X(exposed_memcpy) X(idle_data_loader) X(idle_other) X(compute) \
	X(launches_per_step) X(new_kernels) X(nan_steps) X(inf_steps) X(loss_diverged) \
	X(run_failed) X(leak) X(loss_final)
/* clang-format on */

#define X(id) extern const struct rule rule_##id;
RULES(X)
#undef X
