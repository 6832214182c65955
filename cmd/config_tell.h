/*
 * Settings that nobody named in the command are said.
 */
#ifndef CMD_CONFIG_TELL_H
#define CMD_CONFIG_TELL_H

#include <stddef.h>

struct analysis;
struct config;

/*
 * Says on stderr, in one line, which file the command does not name changes settings of these n
 * analyses, and which ones; nothing where none does.
 */
void config_tell(const struct config *c, const struct analysis *const *user, size_t n);

#endif
