/*
 * What analyses that give figures of whole steps have in common.
 */
#ifndef ANALYZE_QUERY_EACHSTEP_H
#define ANALYZE_QUERY_EACHSTEP_H

#include <stdint.h>

#include "analyze/query/each.h"

struct ledgers;

/*
 * Notes on a run: no device events, none that pass the filters, no steps, steps x devices too many.
 */
void eachstep_notes(struct each *at, const struct ledgers *l);

/*
 * A table of this run in which people see only the columns whose bit is set in `visible` (at most
 * 64 columns); the others stay for machines.
 */
struct table *eachstep_table(struct each *at, const struct table_doc *doc, uint64_t visible);

#endif
