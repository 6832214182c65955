/* `diagnose`: what its parts share.  Private to analyze/answer/diagnose/. */
#pragma once

#include "analyze/answer/diagnose/rules.h"
#include "analyze/measure/place_id.h"
#include "analyze/rule/list.h"
#include "analyze/analysis/perrun.h"
#include "analyze/costmodel/peaks.h"
#include "base/opt.h"
#include "base/setting.h"

struct diagnose_options {
	struct opt_list threshold; /* -t */
	const char *rules;         /* --rules, or NULL */
	const char *min_severity;  /* --min-severity, or NULL */
	const char *capacity;      /* --capacity, or NULL */
	bool exit_code;
};

/* A query: what it looks for. */
struct diagnose {
	const struct diagnose_options *o;
	struct settings settings; /* in force, -t included */
	bool wants[RULE_COUNT];   /* by rules_index */
	enum severity min;
	int64_t capacity; /* bytes of device memory; 0: not given */
	struct peaks_given peaks;
	bool is_critical; /* of all runs */
};

/* One run's answer. */
struct diagnosis {
	struct diagnose *d;
	struct perrun *at;
	struct profile profile;
	struct look look; /* its findings, worst first */
};

#define TABLES_DEF "analyze/answer/diagnose/diagnose_tables.def"
#include "base/table_names_impl.h"

/* diagnose_tables.c: all tables of one run. */
void diagnose_put(const struct diagnosis *g);

enum { DIAGNOSE_READS = READS_RUN | READS_RECORD };

/* diagnose_choose.c: "G01,G03" or "-G06,-Q01"; a list with both starts from none.  E_USAGE. */
enum status diagnose_choose(struct diagnose *d, const char *list, struct err *e) MUST_CHECK;

/* diagnose_record.c: what other files of the run say, beside its trace, which p is about (NULL:
 * there is none); logs, too, what is wrong in them (`metrics`).  False where no rule has anything
 * to look at; else diagnose_put_recorded puts the table. */
bool diagnose_recorded(struct perrun *at, const struct profile *p, struct look *k);
void diagnose_put_recorded(const struct perrun *at, const struct look *k);
/* A run that has no trace.  E_NODATA when nothing in its record is what a rule looks at. */
enum status diagnose_record(struct perrun *at) MUST_CHECK;
/* The same behind what is kept of its trace. */
void diagnose_beside(struct perrun *at);

/* diagnose_job.c: the runs are a job's; ctx: struct diagnose.  What is critical of the job is, and
 * waiting that it explains is no finding of the ranks. */
struct fold;
struct jobpage;
void diagnose_settle(void *ctx, const struct jobpage *job, struct fold *findings);

/* diagnose_runs.c: several runs side by side. */
extern const struct runs_doc diagnose_runs;
