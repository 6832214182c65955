/* Words of other tools: each once, none that is a command, each leading to one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "cmd/commands.h"
#include "cmd/elsewhere.h"
#include "cmd/verb.h"

static void words_lead_to_commands(void **state)
{
	size_t n;
	const struct elsewhere *w = elsewhere_all(&n);
	struct verb v;

	(void)state;
	assert_true(n > 0);
	for (size_t i = 0; i < n; i++) {
		const char *words = w[i].words;

		for (struct span word; span_words(&words, &word);) {
			char one[32];

			(void)snprintf(one, sizeof(one), "%.*s", (int)word.n, word.p);
			if (verb_find(&commands_all, one, &v))
				fail_msg("'%s' is a command", one);
			if (elsewhere_find(one) != &w[i])
				fail_msg("'%s' is there twice", one);
		}
		if (!verb_find(&commands_all, w[i].command, &v))
			fail_msg("'%s' leads to '%s', which is none", w[i].words, w[i].command);
		if (w[i].more && w[i].more[0] != '.' && w[i].more[0] != '-')
			fail_msg("'%s' is neither an option nor a suffix", w[i].more);
	}
	assert_null(elsewhere_find("xyzzy"));
	assert_null(elsewhere_find(""));
}

static void texts(void **state)
{
	SCOPED_ARENA mem = { 0 };

	(void)state;
	assert_string_equal(elsewhere_text(elsewhere_find("compare"), &commands_all, &mem),
		"here that is 'diff': what changed between two runs or folders of runs, and why");
	assert_string_equal(elsewhere_text(elsewhere_find("view"), &commands_all, &mem),
		"here that is 'overview': one screen about a run, as 'traceq FILE' has it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_lead_to_commands),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
