/* Numbers of a file, of which some are odd: no number, none at all, far off. */
#pragma once

#include <stddef.h>

#include "base/str.h"
#include "tests/fuzz/draw.h"

/* What stands in place of one number in so many; number NULL: of none. */
struct valid_odd {
	const char *number;
	size_t every, from, nth;
};

/* A third is odd.  is_json: only what a reader of JSON that takes NaN still takes. */
struct valid_odd valid_odd_draw(struct draw *d, int is_json);

/* A number, unless this one is odd; or n bytes of text that are one. */
void valid_odd_put(struct str *out, struct valid_odd *o, double v);
void valid_odd_text(struct str *out, struct valid_odd *o, const char *text, size_t n);

/* How many rows a file has. */
size_t valid_odd_rows(struct draw *d);

/* What is written by a rule (valid_rule.c). */
void valid_rule_snapshot(struct draw *d, struct valid_odd *o, struct str *out);
void valid_rule_dump(struct draw *d, unsigned rank, struct valid_odd *o, struct str *out);
