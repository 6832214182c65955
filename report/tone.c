/*
 * Which words are a verdict.
 */
#include "report/tone.h"

#include "base/compiler.h"

#define RED    "\033[31m"
#define YELLOW "\033[33m"
#define GREEN  "\033[32m"

const char *tone_of(struct span text)
{
	static const struct {
		const char *word, *sgr;
	} words[] = {
		{ "CRIT", RED },
		{ "FAIL", RED },
		{ "fail", RED },
		{ "regression", RED },
		{ "NOT MET", RED },
		{ "WARN", YELLOW },
		{ "warn", YELLOW },
		{ "NOISY", YELLOW },
		{ "noisy", YELLOW },
		{ "cannot tell", YELLOW },
		{ "ok", GREEN },
		{ "OK", GREEN },
		{ "PASS", GREEN },
		{ "pass", GREEN },
		{ "met", GREEN },
		{ "IMPROVED", GREEN },
		{ "improved", GREEN },
		{ "improvement", GREEN },
		{ "healthy", GREEN },
	};
	size_t i;

	for (i = 0; i < COUNT_OF(words); i++)
		if (span_is(text, words[i].word))
			return words[i].sgr;
	return NULL;
}
