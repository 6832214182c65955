/* Clocks of a job's ranks: the ranks of a synchronising collective end together, so that the
 * differences of their ends say how far their clocks are apart, and how fast they part.
 *
 *	edge     two ranks that met, and a robust line through the differences of their ends
 *	tree     in each group one rank is everybody's other end; of all edges those of the least
 *	         uncertainty that join ranks not yet joined (sends and receives, whose ends are not
 *	         the same by rights, have to be twice as sure, what is unknown three times)
 *	island   ranks that edges join.  The reference is the lowest of them
 *
 * Along the tree clocks are composed; uncertainties are independent, and add as squares.  An edge
 * needs ROBUSTLINE_LEAST meets.  A clock's uncertainty is that of one end (half of what holds 95%
 * of the ends around the line), and what the line itself may be off at either end of the trace. */
#pragma once

#include "analyze/job/job.h"

/* Fills clock of each rank, nisland and reference of j, whose meets are matched.  O(n log n) in
 * arrivals. */
void clocks(struct job *j);
