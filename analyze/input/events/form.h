/*
 * Forms: what an event that became a row has in common with those that differ from it in nothing
 * but their time and some numbers.  These need not be decoded: their rows are copies.
 *
 *     form_begin(&f, b, raw, row, start);      behind decode_timed of an open slice
 *     at = form_number(&f, plan, raw, key);    for each key whose number may be another
 *     ...
 *     row = form_add(&f, plan, b, start, number);
 *
 * A form is good until its batch is reset.
 */
#ifndef ANALYZE_INPUT_EVENTS_FORM_H
#define ANALYZE_INPUT_EVENTS_FORM_H

#include "analyze/input/events/plan.h"
#include "analyze/trace/columns/events.h"

struct batch;
struct raw_event;

enum { FORM_NUMBERS = 6 };

/* What form_number answers in place of a number's place. */
enum { FORM_FIXED = -1, FORM_UNREAD = -2 };

struct form {
	uint32_t row;  /* of the event it was made from; NO_ROW: its kind is not kept */
	uint32_t cat;  /* category of the batch */
	uint8_t kind;  /* enum kind */
	uint8_t table; /* enum args_table of its arguments; ARGS_NONE: it has none */
	uint8_t nnumber;
	uint8_t ncolumn; /* columns that a number is put into */
	struct {
		uint8_t arg, number;
	} column[FORM_NUMBERS];
};

/*
 * The form of the open slice (DECODE_OPEN) that was decoded last, whose row is that, NO_ROW when
 * its kind is not kept.  False when it has none: it began at 0, or its kind is not known.
 */
bool form_begin(struct form *f, const struct batch *b, const struct raw_event *raw, uint32_t row,
	nsec start);

/*
 * May the argument of that key be another whole number, not below 0, in events of this form?  Its
 * place among the numbers of form_add; FORM_UNREAD: yes, and it is not wanted; FORM_FIXED: no.
 */
int form_number(struct form *f, const struct plan *plan, const struct raw_event *raw, uint8_t key);

/* An event of the form with that start, not 0, and those numbers: its row, or NO_ROW. */
uint32_t form_add(const struct form *f, const struct plan *plan, struct batch *b, nsec start,
	const uint64_t *number);

#endif
