/* What columns of figures against roofs mean: one text each for all tables that have them
 * (tables.def of `roofline`, `top`, `kernels`).  Keys and titles are the same there, too. */
#pragma once

#define ROOF_DOC_FLOP "Operations of all calls of the row that are known."
#define ROOF_DOC_TFLOPS \
	"Operations over the time of the calls whose operations are known, 10^12 a second."
#define ROOF_DOC_RATIO                                                                          \
	"Time at the roof over the time taken; of convolutions by Winograd or FFT at the roof " \
	"of what they multiply. Above 100% bytes came from a cache, or the peak is not the GPU's."
#define ROOF_DOC_BOUND                                                                            \
	"What the roof is: compute, where operations take at least as long as bytes, memory, or " \
	"link, of collectives. Of several kinds of calls, what most of the time at the roof is."
/* What roof_sum_bound says. */
#define ROOF_BOUNDS "compute|memory|link"
#define ROOF_DOC_WHY                                                                             \
	"Why operations, bytes or the roof are not known; of several reasons the one with most " \
	"time."
#define ROOF_DOC_KNOWN "Share of busy_ns in calls that have a roof."

#define ROOF_FORMULAS_SOURCE                                                                \
	"frontier of the roofline model: Williams, Waterman and Patterson 2009; formulas: " \
	"analyze/costmodel/ops.def"
