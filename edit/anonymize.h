/* Anonymizing: what a trace says of whose it is goes, what analyses need stays.
 *
 * All texts are disguised (disguise.h): names, keys and values of arguments, categories, processes,
 * threads, members of the document.  As they are stay names of device work and of calls of the
 * driver (kernels are what such a trace is shown for, triton's and one's own, too), the kernel that
 * a launch names, and all numbers: times, ids, sizes, when it was.  Members that no analysis knows
 * go, of events and of the document; so do events that are no JSON.
 *
 * Words are numbered in the order in which the first reading meets them. */
#pragma once

#include "edit/companion.h"
#include "edit/disguise.h"

/* Of several traces the same d: the same word is then the same in all.  Borrows d. */
struct companion anonymize_companion(struct disguise *d);
