/*
 * The list of rules.
 */
#include "analyze/answer/diagnose/rules.h"

static const struct rule *const rules[] = {
#define X(id) &rule_##id,
	RULES(X)
#undef X
};

const struct rule *const *rules_all(size_t *n)
{
	*n = COUNT_OF(rules);
	return rules;
}

const struct setting *rules_setting(size_t i)
{
	size_t k;

	for (k = 0; k < COUNT_OF(rules); k++) {
		if (i < rules[k]->nsetting)
			return &rules[k]->setting[i];
		i -= rules[k]->nsetting;
	}
	return NULL;
}
