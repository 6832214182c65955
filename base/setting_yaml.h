/*
 * Settings as YAML has them: groups of keys, values, lists.
 */
#ifndef BASE_SETTING_YAML_H
#define BASE_SETTING_YAML_H

#include "base/err.h"
#include "base/setting.h"
#include "base/str.h"

/*
 * Puts a document over the values of s; name is what errors and origins call it.  E_SYNTAX, E_LIMIT
 * or E_USAGE with "NAME:LINE:COLUMN: what" as text; values before the mistake are then set.
 */
enum status setting_yaml_put(
	struct settings *s, struct span text, const char *name, struct err *e) MUST_CHECK;

#endif
