/* What rules find, and what they look with: adding findings, ranking them, making rows of them. */
#pragma once

#include "analyze/rule/rule.h"
#include "analyze/measure/interval.h"

struct metrics;
struct record;

/* All words of severities, as "a|b|". */
extern const char severity_words[];

/* What a rule found.  Texts are of look->mem, or constant. */
struct finding {
	const struct rule *rule;
	enum severity severity;
	enum unit unit;        /* of value: NS (per step), BYTES, RATIO, COUNT, or NONE: a number */
	double value;          /* what was measured; NaN: unknown */
	double share;          /* of the time that it is about; NaN: makes no sense */
	double saves;          /* so much of it mending this could save at most; NaN: no time */
	bool is_plain;         /* of a program that is not PyTorch's */
	bool is_untold;        /* rule->change does not reach what was found: only Python says it */
	bool is_of_all;        /* that time is of all steps, also those that do not count */
	bool is_predicted;     /* saves is that of the change; else the share */
	const char *text;      /* what was found, with the number; for UNKNOWN: why */
	const char *evidence;  /* which op or kernel, how often, or NULL */
	const char *action;    /* what to do; NULL: the rule's advice, where something is wrong */
	sym name;              /* of that op or kernel; 0: none */
	struct span key;       /* the series it is about; empty: none */
	int64_t count;         /* how many; -1: unknown */
	uint32_t row;          /* an example: the longest; NO_ROW: none */
	struct interval place; /* where it is worst; of no length: not said */
	int artifact;          /* index of the file that says it; -1: none alone */
	size_t nth;            /* in the order found */

	const struct scenario *change; /* what fixing it does; NULL: the rule's change */
};

/* A rule that looks: at what, and what was found so far. */
struct look {
	const char *command;             /* "diagnose": limits in force are COMMAND.ID.KEY ... */
	const struct settings *settings; /* ... of these */
	const struct rule *rule;         /* that looks */
	const struct run *run;
	const struct record *record;   /* of it, or NULL */
	const struct profile *profile; /* of its trace; NULL: it has none, or nobody looked */
	const struct metrics *metrics; /* of its series; NULL: nobody looked */
	unsigned about;                /* which of its things, as a bit, for rules about that; */
	const void *what;              /* and that thing, which those rules know */
	double capacity;               /* bytes of device memory; 0 or NaN: nobody says */
	bool is_plain;                 /* the program is not PyTorch's */
	struct arena *mem;             /* findings, their texts, and what rules need */
	struct finding *v;
	size_t n, cap, left_out;
	size_t most; /* more findings are counted as left out; 0: all are kept */
};

/* ---- for rules ---- */

/* A finding of the rule that looks, OK, and nothing else in it.  Valid until the next. */
struct finding *look_add(struct look *k);

/* The same with its severity, the file that says it (-1: none alone), and a text.  What another
 * file of the run says in the same words is found once. */
struct finding *look_found(struct look *k, enum severity s, int artifact, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Makes it UNKNOWN, and says why, if it is so; whether it is. */
bool finding_unknown(struct finding *f, bool is_unknown, const char *why);

/* The value in force of "G10.warn"; as it was written: "5%". */
double look_limit(const struct look *k, const char *key);
const char *look_limit_text(const struct look *k, const char *key);

/* CRIT above the limit crit, WARN above warn, else ok; a key that is NULL is no limit. */
enum severity look_above(const struct look *k, double v, const char *warn, const char *crit);

/* The name of an op, a kernel or a frame, shortened to what fits a line of evidence. */
const char *look_name(struct arena *mem, struct span name);

/* ---- for those who answer ---- */

/* Judges and orders all findings.  What saves most comes first, what saves no time behind it, worse
 * before better; before both what is CRIT and saves no time, behind them symptoms, what is unknown,
 * what is ok.  What is alike stays in the order of the rules' list, of files, and as found.
 *
 * What a rule with a saving found, and what would save next to nothing, is a note at most: this is
 * the one place where a saving makes a severity. */
void findings_rank(struct look *k);

/* Where a table has what all findings have. */
struct finding_columns {
	uint8_t severity, rule, name, text, action;
};

/* What to do about it: its own, else the rule's where something is wrong; NULL. */
const char *finding_action(const struct finding *f);

/* A row, with these columns; texts are copied. */
void finding_put(struct table *t, const struct finding_columns *c, const struct finding *f);

/* For people: a row below it that has only a text, `start` and `text`. */
void finding_put_line(
	struct table *t, const struct finding_columns *c, const char *start, const char *text);

/* For people: one row for all findings of that severity, by the names of their rules; or none. */
void findings_put_rest(
	const struct look *k, struct table *t, const struct finding_columns *c, enum severity s);
