/*
 * `diagnose`: which rules there are, and which of them are asked for.
 */
#include <string.h>

#include "analyze/answer/diagnose/diagnose.h"
#include "analyze/answer/diagnose/recorded.h"
#include "base/opt.h"

const struct analysis_word *diagnose_word(size_t i)
{
	const struct recorded_rule *r;
	size_t n, k, more = 0;
	const struct rule *const *all = rules_all(&n);

	if (i < n)
		return &all[i]->word;
	for (k = 0; (r = recorded_rule(k)); k++)
		if (r->word.doc && n + more++ == i)
			return &r->word;
	return NULL;
}

/* The index of the rule of that id, ignoring case, or -1. */
static int find_rule(const char *id, size_t len)
{
	const struct analysis_word *w;
	size_t i;

	for (i = 0; (w = diagnose_word(i)); i++)
		if (strlen(w->id) == len && strncasecmp(w->id, id, len) == 0)
			return (int)i;
	return -1;
}

bool diagnose_wants(const struct diagnose *d, const char *id)
{
	int i = find_rule(id, strlen(id));

	return i >= 0 && d->wants[i];
}

static enum status unknown_rule(const char *id, size_t len, struct err *e)
{
	const char *names[DIAGNOSE_RULES_MAX], *near;
	const struct analysis_word *w;
	char text[32];
	size_t n;

	for (n = 0; (w = diagnose_word(n)); n++)
		names[n] = w->id;
	len = len < sizeof(text) ? len : sizeof(text) - 1;
	memcpy(text, id, len);
	text[len] = '\0';
	near = opt_nearest(text, names, n);
	(void)err_set(e, E_USAGE, -1, near ? "no rule '%s'; did you mean '%s'?" : "no rule '%s'",
		text, near);
	return err_hint(e, "'traceq explain' lists them under checks and rules");
}

enum status diagnose_choose(struct diagnose *d, const char *list, struct err *e)
{
	bool starts_full = !list[0] || list[0] == '-';
	const char *p = list;
	size_t i;

	for (i = 0; i < DIAGNOSE_RULES_MAX; i++)
		d->wants[i] = starts_full;
	while (*p) {
		size_t n = strcspn(p, ",");
		bool is_out = *p == '-';
		int rule = find_rule(p + is_out, n - is_out);

		if (rule < 0)
			return unknown_rule(p + is_out, n - is_out, e);
		d->wants[rule] = !is_out;
		p += n + (p[n] == ',');
	}
	return OK;
}
