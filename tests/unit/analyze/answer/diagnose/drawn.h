/* Runs drawn step by step, for tests of rules.  Steps take 1 ms; times in ns. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/answer/diagnose/diagnose.h"
#include "analyze/trace/run.h"

enum { US = 1000, STEP = 1000 * US };
#define ALL_NEEDS                                                                        \
	(NEED_LINKS | NEED_ORDER | NEED_STEPS | NEED_BYTES | NEED_MEMORY | NEED_SHAPES | \
		NEED_STACKS | NEED_CALLS)

/* One run and where things happen. */
struct hand {
	struct run run;
	uint32_t thread, compute, other; /* a thread, two streams of device 0 */
	uint64_t correlation;
};

/* An empty run. */
void draw_begin(struct hand *h);
/* ProfilerStep#i. */
void draw_step(struct hand *h, int i);
/* A call of call_ns at `at`, and what it launches. */
uint32_t draw_launch(struct hand *h, enum kind kind, uint32_t lane, const char *name, nsec at,
	nsec call_ns, nsec start, nsec dur);
uint32_t draw_kernel(struct hand *h, nsec at, nsec start, nsec dur);

/*
 *	thread    |loader 400 |L                     |loader 400 |L
 *	stream 7               |420 gemm 500  920|                |1420 gemm
 */
void draw_loader(struct hand *h, int steps, nsec gemm);

/* What diagnose says with these options and settings. */
struct answer {
	struct result result;
	enum status status;
	int exit_code;
	struct err err;
};

/* o and settings may be NULL.  Released by diag_end, with the run, or by result_clear. */
void diag_ask(struct answer *a, struct hand *h, const struct diagnose_options *o,
	const struct settings *settings, bool for_people);
void diag_end(struct answer *a, struct hand *h);

/* The table of that id, or NULL; the row of a rule's finding, and a number in it. */
const struct table *diag_table(const struct answer *a, const char *id);
size_t diag_row(const struct answer *a, const char *rule);
double diag_number(const struct answer *a, const char *rule, const char *key);

/* Fail when it is not so. */
void diag_verdict(const struct answer *a, const char *word);
/* The second word; NULL: there is none. */
void diag_second(const struct answer *a, const char *word);
void diag_severity(const struct answer *a, const char *rule, const char *word);
void diag_saves_by(const struct answer *a, const char *rule, const char *word);
void diag_near(double got, double want);
