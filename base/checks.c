/* Verdicts: the words of the states, and counting. */
#include "base/checks.h"
#include "base/words.h"

WORDS(verdict_state_word, enum verdict_state, VERDICT_STATES, 2)

size_t verdict_count(const struct verdict *v, enum verdict_state s)
{
	return SUM(size_t, i, v->n, v->check[i].state == s);
}
