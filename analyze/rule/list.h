/* The list of rules: who reads what, having them look, what can be set of them.  For those who
 * answer: no rule calls it. */
#pragma once

#include "analyze/rule/finding.h"
#include "base/opt.h"

/* What rules read (rule.h), one bit each. */
enum rule_reads {
	READS_RUN = 1,
	READS_RECORD = 2,
	READS_SERIES = 4,
	READS_QUALITY = 8,
	READS_PAIR = 16
};

/* Those of the list that read one of `reads`: the i-th; NULL behind the last.  O(rules). */
const struct rule *rules_at(unsigned reads, size_t i);

/* The one of that id (n bytes, in any case) among them; NULL. */
const struct rule *rules_find(unsigned reads, const char *id, size_t n);

/* Its place in the list, below RULE_COUNT. */
size_t rules_index(const struct rule *r);
enum {
#define X(id) +1
	RULE_COUNT = 0 RULES(X)
#undef X
};

/* Has each rule of the list look that reads this, is about look->about, and that `wants` holds (by
 * rules_index; NULL: all). */
void look_at(struct look *k, enum rule_reads reads, const bool *wants);

/* The i-th of their limits, rule after rule; NULL behind the last. */
const struct setting *rules_setting(unsigned reads, size_t i);

/* Whose settings they are. */
struct rules_of {
	const char *analysis; /* its name */
	const struct setting *(*setting)(size_t i);
	const char *example; /* for the message: "G10.warn=10%" */
};

/* The settings of an analysis: a copy of `from`, or where that is NULL all at their built-in
 * values; and over them `given`, each "ID.KEY=VALUE" of -t.  E_USAGE; s is to be cleared in any
 * case. */
enum status rules_settings(struct settings *s, const struct rules_of *of,
	const struct settings *from, const struct opt_list *given, struct err *e) MUST_CHECK;
