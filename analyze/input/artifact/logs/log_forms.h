/* Lines that known programs print, a form a row.
 *
 * What a form says beside the general rules of log_pairs.h: that a line is one of a run's at all,
 * and what its figures are called. */
#pragma once

#include "base/base.h"

enum { LOG_FORM_NAMES = 8 };

struct log_form {
	const char *writer; /* "Megatron-LM" */
	const char *start;  /* the text begins with it, behind what loggers write in front */
	const char *sign;   /* and has this in it; NULL: nothing more */
	bool is_event;      /* a thing that happened at the step its number names */
	const char *prefix; /* in front of the names of its figures */
	struct {
		const char *written, *name;
	} as[LOG_FORM_NAMES];
};

/* All rows; *n receives how many. */
const struct log_form *log_forms(size_t *n);

/* The form of a text, or NULL.  `last` is tried first: the form of the line before, or NULL. */
const struct log_form *log_form_find(struct span text, const struct log_form *last);

/* What the form calls the figure; the key itself for most. */
struct span log_form_name(const struct log_form *f, struct span key);
