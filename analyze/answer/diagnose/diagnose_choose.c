/* `diagnose`: which rules are asked for. */
#include "analyze/answer/diagnose/diagnose.h"

static enum status unknown_rule(const char *id, size_t len, struct err *e)
{
	const char *names[RULE_COUNT];
	const struct rule *r;
	char text[32];
	size_t n;

	for (n = 0; (r = rules_at(DIAGNOSE_READS, n)); n++)
		names[n] = r->word.id;
	len = len < sizeof(text) ? len : sizeof(text) - 1;
	memcpy(text, id, len);
	text[len] = '\0';
	const char *near = opt_nearest(text, names, n);
	return err_hinted(e, E_USAGE, "'traceq explain' lists them under checks and rules",
		near ? "no rule '%s'; did you mean '%s'?" : "no rule '%s'", text, near);
}

enum status diagnose_choose(struct diagnose *d, const char *list, struct err *e)
{
	bool starts_full = !list[0] || list[0] == '-';
	const char *p = list;

	FILL(d->wants, RULE_COUNT, starts_full);
	while (*p) {
		size_t n = strcspn(p, ",");
		bool is_out = *p == '-';
		const struct rule *r = rules_find(DIAGNOSE_READS, p + is_out, n - is_out);

		if (!r)
			return unknown_rule(p + is_out, n - is_out, e);
		d->wants[rules_index(r)] = !is_out;
		p += n + (p[n] == ',');
	}
	return OK;
}
