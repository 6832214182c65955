/* Words that go with a number.
 *
 * plural(n, one, many)  `one` of 1, `many` of any other number, 0 too, as ngettext(3) has it in
 * English plural_s(n)           the same of "" and "s", for "%zu file%s" */
#pragma once

#define plural(n, one, many) ((n) == 1 ? (one) : (many))
#define plural_s(n)          plural(n, "", "s")
