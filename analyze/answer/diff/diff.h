/*
 * `diff`: what its parts share.  Private to analyze/answer/diff/.
 */
#ifndef ANALYZE_ANSWER_DIFF_DIFF_H
#define ANALYZE_ANSWER_DIFF_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/compare/contrast.h"
#include "analyze/compare/sides.h"
#include "analyze/query/analysis.h"

struct setting;
struct settings;

struct diff_options {
	int64_t limit;
	const char *sort, *by, *allow_env;
	const char *alpha, *noise, *threshold; /* as written */
	bool only_changed, exit_code, exact_names, shapes;
	int64_t warmup;
};

enum diff_sort { SORT_DELTA, SORT_RATIO, SORT_NAME };

/* The same, understood. */
struct diff_wishes {
	struct contrast_options compare;
	enum diff_sort sort;
	bool allow_gpu;
	const char *noise_origin; /* "--noise", "traceq.yaml:2:10"; NULL: nobody says it */
};

struct diff {
	const struct query *q;
	const struct diff_options *o;
	struct diff_wishes w;
	struct result *out;
	struct err *e;
	struct contrast c;
	struct table *why; /* the first one */
	struct arena mem;
};

/* diff_env.c */
enum status diff_env(struct diff *d) MUST_CHECK;
void diff_put_sides(struct diff *d);
void diff_put_runs(struct diff *d);
/* The same text in the memory of the result. */
struct span diff_kept(struct diff *d, struct span s);

/* diff_noise.c: how much runs differ, by options, then configuration. */
enum status diff_noise(struct diff_wishes *w, const struct diff_options *o,
	const struct settings *settings, struct err *e) MUST_CHECK;
const struct setting *diff_setting(size_t i);
/* "measured", "declared", "assumed". */
const char *diff_noise_word(const struct diff *d);
void diff_note_noise(struct diff *d);

/* A ratio as an option has it: "5%", "0.05".  E_USAGE. */
enum status diff_ratio(double *r, const char *option, const char *text, struct err *e) MUST_CHECK;

/* diff_ranks.c */
void diff_put_ranks(struct diff *d);

/* diff_metrics.c, diff_ledger.c, diff_ops.c */
void diff_put_step(struct diff *d);
void diff_put_metrics(struct diff *d);
void diff_put_ledger(struct diff *d);
enum status diff_put_ops(struct diff *d) MUST_CHECK;

/* diff_seed.c */
void diff_put_seed(struct diff *d);

#define TABLES_DEF "analyze/answer/diff/tables.def"
#include "base/table_names_impl.h"

#endif
