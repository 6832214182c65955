/*
 * Verdicts: the words of the states, and counting.
 */
#include "base/checks.h"

const char *verdict_state_word(enum verdict_state s)
{
#define X(name, word) word,
	static const char *const words[] = { VERDICT_STATES(X) };
#undef X

	return words[s];
}

size_t verdict_count(const struct verdict *v, enum verdict_state s)
{
	size_t i, n = 0;

	for (i = 0; i < v->n; i++)
		n += v->check[i].state == s;
	return n;
}
