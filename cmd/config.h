/*
 * Configuration: what traceq.yaml and the environment say.
 *
 * Whatever can be set is a row of its owner (struct analysis, setting); nothing is listed here.  Of
 * two places that set a value the later one wins: built in, --config FILE (else $TRACEQ_CONFIG,
 * else
 * ./traceq.yaml where there is one), TRACEQ_* variables, options of the command.
 */
#ifndef CMD_CONFIG_H
#define CMD_CONFIG_H

#include <stddef.h>

#include "base/err.h"
#include "base/opt.h"
#include "base/setting.h"

struct config_options {
	const char *path; /* --config, or NULL */
};

/* The option --config, for commands that read settings; into a struct config_options. */
enum { CONFIG_OPTS = 1 };
extern const struct opt config_opts[CONFIG_OPTS];
#define CONFIG_TITLE "Settings"

/* Everything that can be set, and its values in force. */
struct config {
	const struct setting **row;
	struct settings settings;
};

/*
 * Reads file and environment.  E_USAGE, E_SYNTAX, E_IO, E_LIMIT with "FILE:LINE:COLUMN: " or the
 * variable's name at the beginning of the text.  Released by config_clear, also after a failure.
 */
enum status config_read(struct config *c, const char *path, struct err *e) MUST_CHECK;
void config_clear(struct config *c);

#endif
