/* Marks: what their sources share.  Private to analyze/overlay/. */
#pragma once

#include "analyze/overlay/mark.h"
#include "analyze/measure/device/classes.h"
#include "analyze/measure/gaps/ledger.h"
#include "analyze/measure/gaps/step_gap_causes.h"
#include "analyze/measure/window.h"
#include "analyze/trace/filter.h"
#include "base/base.h"

struct analysis;

/* Marks being made. */
struct marking {
	const struct mark_request *q;
	const struct run *run;
	const struct analysis *analysis; /* whose answer they are of */
	struct marks *out;
	struct arena *mem; /* of what is given */
	struct arena scratch;
	struct err *e;
	struct filter filter; /* that of the request, without what the answer ignores */
	struct filter_set set;
	struct filter_view view;
	struct classes classes;
	struct ledgers ledgers;
	struct step_gap_causes waiting;
	struct window window;
	size_t limit;
	size_t cap, flow_cap;
	struct mark_arg *arg; /* the newest block of arguments */
	size_t narg, arg_cap;
};

/* How a source makes its marks, in the order of their starts or not; they are sorted afterwards. */
typedef enum status mark_source_fn(struct marking *k);
mark_source_fn mark_critical, mark_idle, mark_findings, mark_steps;

/* The window, where a source asks for it: what figures are about. */
void marking_window(struct marking *k);

/* A new mark, about nothing; to be filled before the next. */
struct mark *marking_add(struct marking *k);

/* A new argument of the newest mark; at most `MARK_ARGS` of one.  A text is borrowed. */
enum { MARK_ARGS = 96 };
void marking_text(struct marking *k, const char *key, struct span text);
void marking_number(struct marking *k, const char *key, double v);

/* An arrow between two marks there are. */
void marking_flow(struct marking *k, size_t from, size_t to);
