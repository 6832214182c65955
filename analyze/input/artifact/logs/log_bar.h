/* Progress bars of tqdm: " 45%|####  | 45/100 [00:10<00:12,  4.4it/s, loss=0.5]". */
#ifndef ANALYZE_INPUT_ARTIFACT_LOGS_LOG_BAR_H
#define ANALYZE_INPUT_ARTIFACT_LOGS_LOG_BAR_H

#include "base/str.h"

struct log_bar {
	struct span title;   /* "Epoch 0", "" */
	double n;            /* done */
	double per_s;        /* iterations a second; 0: not known, or another unit */
	struct span postfix; /* "loss=0.5, lr=1e-4" */
};

/* Whether the text is such a bar. */
bool log_bar_find(struct log_bar *b, struct span text);

#endif
