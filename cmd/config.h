/* Configuration: what traceq.yaml and the environment say.
 *
 * Whatever can be set is a row of its owner (struct analysis, setting); nothing is listed here.  Of
 * two places that set a value the later one wins: built in, --config FILE (else $TRACEQ_CONFIG,
 * else ./traceq.yaml where there is one; with --no-config none of them), TRACEQ_* variables,
 * options of the command. */
#pragma once

#include "base/opt.h"
#include "base/setting.h"

struct analyses;
struct analysis;

struct config_options {
	const char *path; /* --config, or NULL */
	bool is_off;      /* --no-config */
};

#define CONFIG_VARIABLE "TRACEQ_CONFIG"

/* Options of commands that read settings; into a struct config_options. */
enum { CONFIG_OPTS = 2 };
extern const struct opt config_opts[CONFIG_OPTS];
#define CONFIG_TITLE "Settings"

/* Everything that can be set, and its values in force. */
struct config {
	const struct setting **row;
	struct settings settings;
	const char *found; /* the file that was read though the command does not name it, or NULL */
	bool is_in_folder; /* it lies in this folder; else the environment names it */
};

/* Reads file and environment, for what any of the analyses has to set.  A file has at most
 * YAML_BYTES_MAX bytes and is no named pipe. E_USAGE, E_SYNTAX, E_IO, E_LIMIT with
 * "FILE:LINE:COLUMN: " or the variable's name at the beginning of the text.  Released by
 * config_clear, also after a failure. */
enum status config_read(struct config *c, const struct analyses *all,
	const struct config_options *o, struct err *e) MUST_CHECK;
void config_clear(struct config *c);

/* The kernels' names that the setting "comm" calls collectives, a pattern that compiles; NULL where
 * it is not set.  E_USAGE with its place where it does not. */
enum status config_comm(const struct config *c, const char **pattern, struct err *e) MUST_CHECK;

/* ---- settings that nobody named in the command are said ---- */

/* Says on stderr, in one line, which file the command does not name changes settings of these n
 * analyses, and which ones; nothing where none does. */
void config_tell(const struct config *c, const struct analysis *const *user, size_t n);

/* Threshold files of rlhf-canary, as settings of gate.
 *
 * Source: rlhf-canary, compare/thresholds.py: a flat mapping, base_tier and what overrides it; or
 * the same as a block `thresholds` of a run's configuration, whose other keys are not looked at.
 * What overrides the tier may stand in a block `overrides`.
 *
 * Puts the file's values over s.  E_USAGE, E_SYNTAX, E_IO, E_LIMIT with "FILE:LINE:COLUMN: " at the
 * beginning of the text; an unknown key is an error with the nearest known one. */
enum status thresholds_read(struct settings *s, const char *path, struct err *e) MUST_CHECK;
