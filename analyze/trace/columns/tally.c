/* Counting what was odd. */
#include "analyze/trace/columns/tally.h"

const struct problem_info problem_infos[PROBLEM_COUNT] = {
#define X(name, id, weight, text, doc) { id, text, doc, WEIGHT_##weight },
	PROBLEMS(X)
#undef X
};

void tally_init(struct tally *t)
{
	for (int i = 0; i < PROBLEM_COUNT; i++) {
		t->count[i] = 0;
		t->offset[i] = t->line[i] = -1;
	}
}

void tally_add(struct tally *t, enum problem p, int64_t n, int64_t offset)
{
	if (n <= 0)
		return;
	t->count[p] += n;
	if (offset >= 0 && (t->offset[p] < 0 || offset < t->offset[p])) {
		t->offset[p] = offset;
		t->line[p] = -1;
	}
}

void tally_merge(struct tally *a, const struct tally *b)
{
	for (int i = 0; i < PROBLEM_COUNT; i++)
		tally_add(a, (enum problem)i, b->count[i], b->offset[i]);
}
