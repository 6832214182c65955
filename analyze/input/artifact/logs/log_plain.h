/*
 * Lines as they read without colours.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_LOGS_LOG_PLAIN_H
#define ANALYZE_INPUT_ARTIFACT_LOGS_LOG_PLAIN_H

#include "base/str.h"

/*
 * The line without escape sequences and backspaces: itself where it has none, else a copy in *b
 * with REAL_PADDING readable bytes behind it.
 */
struct span log_plain(struct span line, struct str *b);

#endif
