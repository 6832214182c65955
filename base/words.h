/* Words of enumerators.
 *
 * A list has a row for each enumerator, X(NAME, word, ...), in their order.
 *
 * WORDS(function, type, LIST, n)  defines `const char *function(type)`, which gives what stands in
 *                                 the n-th column of an enumerator's row, NAME being the first:
 *                                 2 to 4; constant */
#pragma once

#define WORDS(function, type, list, n)                                   \
	const char *function(type at)                                    \
	{                                                                \
		static const char *const column[] = { list(WORDS_##n) }; \
                                                                         \
		return column[at];                                       \
	}

/* Private: that column of a row. */
#define WORDS_2(name, word, ...)        word,
#define WORDS_3(name, two, word, ...)   word,
#define WORDS_4(name, two, three, word) word,
