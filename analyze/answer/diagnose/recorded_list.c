/*
 * The list of rules about files.
 */
#include "analyze/answer/diagnose/recorded.h"

static const struct recorded_rule *const rules[] = {
#define X(id) &recorded_##id,
	RECORDED_RULES(X)
#undef X
};

const struct recorded_rule *recorded_rule(size_t i)
{
	return i < COUNT_OF(rules) ? rules[i] : NULL;
}

const struct setting *recorded_setting(size_t i)
{
	size_t k;

	for (k = 0; k < COUNT_OF(rules); k++) {
		if (i < rules[k]->nsetting)
			return &rules[k]->setting[i];
		i -= rules[k]->nsetting;
	}
	return NULL;
}
