/* Figures as logs write them: "1,206", "5.28GiB(66.1%)", "12.3k tok/s", "113.6TFLOPS", "0:01:02".
 *
 * What K, M, G, T and B mean is the unit's or the name's matter: of memory powers of 1024, of
 * anything else powers of 1000 ("params=7B" is a count). */
#pragma once

#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"

/* What the sign in a number says. */
enum log_mark {
	MARK_NONE,
	MARK_POINT,        /* "2.5", "0.250", "1,234", which is followed by ".5" or ",000" */
	MARK_COMMA,        /* "2,5", "0,250": decimals */
	MARK_EITHER_COMMA, /* "1,050" */
	MARK_EITHER_POINT  /* "1.050" */
};

struct log_value {
	double number, scale; /* as written, and what its suffix makes of it: their product counts
	                       */
	enum measure measure;
	struct span unit; /* as written; empty: none */
	double per;       /* "8.1s/100 iters": 100, in scale; 0: of one */
	enum log_mark mark;
	bool is_clock;     /* "0:01:02", in seconds */
	bool is_decimal;   /* "0,25": its comma is one */
	const char *share; /* the percentage in a remark behind it, and its number; NULL: none */
	double share_number;
	unsigned nremarks;  /* numbers in the remark that are passed over */
	struct span remark; /* what is in it, where there are some */
};

/* The number at p, with commas every three digits: what is behind it, or NULL. */
const char *log_value_number(const char *p, const char *end, double *v);

/* The same for a number that has been read. */
enum log_mark log_value_mark(struct span number);

/* "/  500000" and " of 500" at p, behind a number: what is behind it, or p; "/0" is LOG_TOTAL_NONE.
 */
#define LOG_TOTAL_NONE (-1)
const char *log_value_total(const char *p, const char *end, double *total);

/* A number may begin at p. */
bool log_begins_number(const char *p, const char *end);

/* A number may begin somewhere in the text, behind no letter and no digit: most lines of services
 * have none. */
bool log_has_number(struct span text);

/* Blanks passed over. */
const char *log_blanks(const char *p, const char *end);

/* The value at p of a figure of that name: what is behind it, or NULL: something is glued to the
 * number that is no unit.  REAL_PADDING bytes behind `end` are readable. */
const char *log_value(struct log_value *v, const char *p, const char *end, struct span name);

/* A cell, or a text in JSON, that is a figure of that name and no more: "2.31", "0.512s", "12.5GB",
 * "1:02:03".  The first that says a unit settles *measure, and *v is in that. */
bool log_value_of(struct span text, struct span name, enum measure *measure, double *v);

/* "s/100 iters" at p behind a number, the time of so many: what is behind it, or p. */
const char *log_value_per(struct log_value *v, const char *p, const char *end);

/* "(66.1%)", "(0.533s, 1932.08/s)" at p, behind a number: what is behind it, or p. */
const char *log_value_remark(struct log_value *v, const char *p, const char *end);

/* "np.float64(0.5)", "tensor(0.5)" at p: where the number in it begins; else p. */
const char *log_value_inside(const char *p, const char *end);

/* "loss None lr 0.1", "loss N/A lr 0.1": the word at p says that there is no number: what is behind
 * it, or p. */
const char *log_value_none(const char *p, const char *end);

/* "99.00 percentile latency (ns)", "90th percentile", "50% percentile": what is behind a number
 * that begins a name; p: it does not. */
const char *log_value_quantile(const char *p, const char *end);

/* Behind the bracket that p is in: ", device='cuda:0')". */
const char *log_value_outside(const char *p, const char *end);

/* Nothing stands at p that makes the number before it something else, as in "1.2.3". */
bool log_is_over(const char *p, const char *end);
