/*
 * Kinds of work and of waiting in pictures of time: the words of `timeline`, each with its letter
 * and colour.  The same kind looks the same on a terminal and in a chart.
 */
#ifndef REPORT_KIND_LOOKS_H
#define REPORT_KIND_LOOKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "report/chart/theme.h"

struct work_kind {
	const char *word; /* "compute", "sync" */
	char letter;      /* where there are no colours: upper case, no other has it */
	enum theme_color color;
	bool is_work; /* a device does it; else it waits meanwhile, or a thread is in it */
};

enum { WORK_KINDS = 13 };

/* All of them, WORK_KINDS, in the order of keys to pictures; the last stands for other words. */
const struct work_kind *work_kinds(void);

/* The place of that word among them. */
size_t work_kind_of(struct span word);

#endif
