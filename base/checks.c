/* Verdicts: the words of the states, and counting. */
#include "base/checks.h"
#include "base/words.h"

WORDS(verdict_state_word, enum verdict_state, VERDICT_STATES, 2)

size_t verdict_count(const struct verdict *v, enum verdict_state s)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++)
		n += v->check[i].state == s;
	return n;
}
