/* Regular expressions on names: PCRE2, compiled once, with limits.
 *
 * Names are hostile: they may hold NULs and invalid UTF-8 (matched as what it is not: no
 * character), and a pattern may need exponential time; then it ends with an error instead of a
 * hang. */
#pragma once

#include "base/base.h"

struct regex;

/* Compiles pattern (PCRE2 syntax, UTF-8) and, where the machine allows it, translates it to machine
 * code.  E_USAGE with PCRE2's message and the offset of the mistake; `option` names the option it
 * came from ("-f").  Freed by regex_free. */
enum status regex_new(
	struct regex **out, const char *pattern, const char *option, struct err *e) MUST_CHECK;
void regex_free(struct regex *re);

/* Whether it compiles: OK or what regex_new says. */
enum status regex_check(const char *pattern, const char *option, struct err *e) MUST_CHECK;

/* Whether it matches anywhere in text.  E_USAGE when the match needs too much time or memory. */
enum status regex_match(
	struct regex *re, struct span text, bool *is_match, struct err *e) MUST_CHECK;
