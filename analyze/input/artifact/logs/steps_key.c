/*
 * Names of steps.
 */
#include "analyze/input/artifact/logs/steps_key.h"

#include "analyze/input/text/num.h"
#include "base/compiler.h"

static const char *const names[] = { /* worst first */
	"update", "batch_idx", "iter", "iteration", "train/global_step", "train_step", "_step",
	"global_step", "step"
};

int steps_key_rank(struct span key)
{
	size_t i;

	for (i = 0; i < COUNT_OF(names); i++)
		if (span_is(key, names[i]))
			return (int)i + 1;
	return 0;
}

/* The same for a key as it is written. */
static int written_rank(struct span key)
{
	size_t i;

	for (i = 0; i < COUNT_OF(names); i++)
		if (json_key_is(key, span_of(names[i])))
			return (int)i + 1;
	return 0;
}

bool steps_key_find(struct json_value row, double *step)
{
	struct span it = row.text, key;
	struct json_value v;
	int best = 0;
	double d;

	while (row.type == JSON_OBJECT && json_next(&it, &key, &v)) {
		int rank = written_rank(key);

		if (rank > best && v.type == JSON_NUMBER && real_of(v.text, &d)) {
			best = rank;
			*step = d;
		}
	}
	return best > 0;
}
