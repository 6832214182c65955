/*
 * `diagnose`: what its parts share.  Private to analyze/answer/diagnose/.
 */
#ifndef ANALYZE_ANSWER_DIAGNOSE_DIAGNOSE_H
#define ANALYZE_ANSWER_DIAGNOSE_DIAGNOSE_H

#include "analyze/answer/diagnose/profile.h"
#include "analyze/answer/diagnose/rules.h"
#include "analyze/query/perrun.h"
#include "base/opt.h"
#include "base/setting.h"

struct diagnose_options {
	struct opt_list threshold; /* -t */
	const char *rules;         /* --rules, or NULL */
	const char *min_severity;  /* --min-severity, or NULL */
	bool exit_code;
};

enum { DIAGNOSE_RULES_MAX = 64 };

/* A query: what it looks for. */
struct diagnose {
	const struct diagnose_options *o;
	struct settings settings;       /* in force, -t included */
	bool wants[DIAGNOSE_RULES_MAX]; /* by index in rules_all */
	enum severity min;
	bool is_critical; /* of all runs */
};

/* One run's answer. */
struct diagnosis {
	struct diagnose *d;
	struct perrun *at;
	struct profile profile;
	struct finding finding[DIAGNOSE_RULES_MAX]; /* worst first */
	size_t n;
};

#define TABLES_DEF "analyze/answer/diagnose/tables.def"
#include "base/table_names_impl.h"

/* diagnose_tables.c: all tables of one run. */
void diagnose_put(const struct diagnosis *g);

/*
 * diagnose_record.c: a run that has no trace.  One table of findings from its record.  E_NODATA
 * when nothing in it is what a rule looks at.
 */
enum { DIAGNOSE_RECORDED_WORDS = 6 };
extern const struct analysis_word diagnose_recorded_words[DIAGNOSE_RECORDED_WORDS];
enum status diagnose_record(struct perrun *at, const struct table_doc *doc) MUST_CHECK;

/* diagnose_runs.c: several runs side by side. */
extern const struct runs_doc diagnose_runs;

#endif
