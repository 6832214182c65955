/*
 * `diagnose`: what its parts share.  Private to analyze/answer/diagnose/.
 */
#ifndef ANALYZE_ANSWER_DIAGNOSE_DIAGNOSE_H
#define ANALYZE_ANSWER_DIAGNOSE_DIAGNOSE_H

#include "analyze/answer/diagnose/facts.h"
#include "analyze/answer/diagnose/rules.h"
#include "analyze/query/each.h"
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
	struct each *at;
	struct facts facts;
	struct finding finding[DIAGNOSE_RULES_MAX]; /* worst first */
	size_t n;
};

enum diagnose_table {
	DIAGNOSE_VERDICT,
	DIAGNOSE_LEDGER,
	DIAGNOSE_FINDINGS,
	DIAGNOSE_RECORDED,
	DIAGNOSE_TABLES
};
extern const struct table_doc diagnose_docs[DIAGNOSE_TABLES];

/* diagnose_tables.c: all tables of one run. */
void diagnose_put(const struct diagnosis *g);

/* diagnose_columns.c */
enum {
	DIAG_VERDICT,
	DIAG_RULE,
	DIAG_WHY,
	DIAG_STEPS,
	DIAG_STEP,
	DIAG_DEVICE,
	DIAG_BUSY,
	DIAG_SHARE,
	DIAG_CRIT,
	DIAG_WARN,
	DIAG_NOTE,
	DIAG_UNKNOWN,
	DIAG_OK,
	DIAG_COLUMNS
};
enum { LEDGER_WHAT, LEDGER_BAR, LEDGER_PER_STEP, LEDGER_SHARE, LEDGER_NS, LEDGER_COLUMNS };
enum {
	FIND_SEVERITY,
	FIND_RULE,
	FIND_NAME,
	FIND_TEXT,
	FIND_SHARE,
	FIND_VALUE_NS,
	FIND_VALUE_RATIO,
	FIND_VALUE_BYTES,
	FIND_VALUE,
	FIND_COUNT,
	FIND_OP,
	FIND_AT,
	FIND_DUR,
	FIND_STEP,
	FIND_EVIDENCE,
	FIND_ACTION,
	FIND_VERDICT,
	FIND_COLUMNS
};

#endif
