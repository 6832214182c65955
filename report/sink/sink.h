/* Sinks: a verdict written for other programs, several from one answer.  The list below is all
 * there is to register.  Each is an option --NAME FILE of the commands that give verdicts. */
#pragma once

#include "base/checks.h"

struct sink {
	const char *name;   /* the option's word: "junit" */
	const char *suffix; /* files that are nothing else: ".xml"; NULL: there are none */
	/* Appends the whole text; where there was no answer (v->error) too, unless it has nothing
	 * to say then.  Deterministic: no time, no host. */
	void (*put)(struct str *out, const struct verdict *v);
};

/* X(name, help of the option) */
#define SINKS(X)                                                                  \
	X(junit, "write the checks as JUnit XML, for test reports of CI servers") \
	X(md, "write a summary in Markdown, for comments and step summaries")     \
	X(html, "write the checks as a page, with the runs of what fails")        \
	X(openmetrics, "write the new side's figures as OpenMetrics gauges")

#define X(name, help) extern const struct sink sink_##name;
SINKS(X)
#undef X

/* All sinks in list order; *n receives how many. */
const struct sink *const *sink_all(size_t *n);

/* Workflow commands for GitHub Actions: one ::error with the checks that fail, a ::warning for each
 * of the worst others.  A step shows ten of each and drops the rest.  These are at most nine.
 * Source: docs.github.com, "Workflow commands"; actions/toolkit, problem-matchers.md. */
void sink_github(struct str *out, const struct verdict *v);
