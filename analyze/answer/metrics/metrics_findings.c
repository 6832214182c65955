/* `metrics`: what rules find, and the rows of it. */
#include <stdarg.h>
#include <stdio.h>

#include "analyze/answer/metrics/metrics.h"

void metrics_ask(struct metrics *m, enum metrics_about about, const void *what)
{
	m->asked =
		arena_grow(&m->at->mem, m->asked, m->nasked, &m->asked_cap, 64, sizeof(*m->asked));
	m->asked[m->nasked++] = (struct metrics_asked){ about, what };
}

void metrics_found(struct look *look, struct span key, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	look_found(look, look->rule->severity, -1, "%s", text)->key = key;
}

void metrics_put_findings(const struct look *look, struct table *t)
{
	static const struct finding_columns columns = { MFIND_SEVERITY, MFIND_RULE, MFIND_NAME,
		MFIND_TEXT, MFIND_ACTION };

	for (size_t i = 0; i < look->n; i++) {
		finding_put(t, &columns, &look->v[i]);
		if (look->v[i].key.n)
			table_text(t, MFIND_KEY, look->v[i].key);
	}
	t->ncut = look->left_out;
}
