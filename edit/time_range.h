/*
 * Stretches of time as people write them: "1.2s-1.5s", "300ms-", "-20us", from the first event on.
 */
#pragma once

#include "analyze/measure/interval.h"

/* Times as traces write them. */

enum { NUMBER_US_MAX = 32 };

/* t in microseconds with three digits behind the point; returns how many characters. */
size_t number_us(char to[NUMBER_US_MAX], nsec t);

/* Appends it as a further member of an event: `, "ts": 12.345`. */
void number_put(struct str *out, const char *key, nsec t);

/* text: two times with a unit (ns, us, ms, s, min), either of which may be missing.  The second may
 * lend the first its unit ("1.2-1.5s").  first, last: of the run, in its time, as *out is.  E_USAGE
 * when it is malformed or ends before it begins, E_NODATA when nothing of the run is in it. */
enum status time_range_read(
	const char *text, nsec first, nsec last, struct interval *out, struct err *e) MUST_CHECK;

/* One length of time with its unit: "10ms".  option names it in the E_USAGE. */
enum status time_range_length(
	const char *text, const char *option, nsec *out, struct err *e) MUST_CHECK;
