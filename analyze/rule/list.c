/* The list of rules. */
#include "analyze/rule/list.h"

#include <assert.h>

#include "base/shell.h"

enum { SETTINGS_MAX = 256 };

static const struct rule *const rules[] = {
#define X(id) &rule_##id,
	RULES(X)
#undef X
};

static unsigned reads_of(const struct rule *r)
{
	return (r->run ? READS_RUN : 0u) | (r->record ? READS_RECORD : 0u) |
		(r->series ? READS_SERIES : 0u) | (r->quality ? READS_QUALITY : 0u) |
		(r->pair ? READS_PAIR : 0u);
}

const struct rule *rules_at(unsigned reads, size_t i)
{
	for (size_t k = 0; k < RULE_COUNT; k++)
		if (reads_of(rules[k]) & reads && i-- == 0)
			return rules[k];
	return NULL;
}

const struct rule *rules_find(unsigned reads, const char *id, size_t n)
{
	const struct rule *r;

	for (size_t i = 0; (r = rules_at(reads, i)); i++)
		if (strlen(r->word.id) == n && strncasecmp(r->word.id, id, n) == 0)
			return r;
	return NULL;
}

size_t rules_index(const struct rule *r)
{
	return FIRST(i, RULE_COUNT - 1, rules[i] == r);
}

const struct setting *rules_setting(unsigned reads, size_t i)
{
	for (size_t k = 0; k < RULE_COUNT; k++)
		if (reads_of(rules[k]) & reads)
			for (const struct setting *s = rules[k]->limits; s && s->key; s++)
				if (i-- == 0)
					return s;
	return NULL;
}

void look_at(struct look *k, enum rule_reads reads, const bool *wants)
{
	for (size_t i = 0; i < RULE_COUNT; i++) {
		const struct rule *r = k->rule = rules[i];

		if (!(reads_of(r) & reads) || (wants && !wants[i]) ||
			(r->about && !(r->about & k->about)))
			continue;
		if (reads == READS_RUN)
			r->run(k, look_add(k), k->profile);
		else
			(reads == READS_RECORD ? r->record : r->series)(k);
	}
}

/* "G10.warn=5%" over the settings. */
static enum status put(
	struct settings *s, const struct rules_of *of, const char *text, struct err *e)
{
	const char *const config[] = { "config", of->analysis, NULL };
	const char *eq = strchr(text, '=');

	if (!eq || eq == text)
		return err_set(e, E_USAGE, -1, "-t wants KEY=VALUE, such as %s, not '%s'",
			of->example, text);
	if (settings_set(s, arena_printf(&s->mem, "%s.%.*s", of->analysis, (int)(eq - text), text),
		    eq + 1, "-t", e) == OK)
		return OK;
	return err_hint(e, "'%s' lists the limits", shell_command(&s->mem, config));
}

enum status rules_settings(struct settings *s, const struct rules_of *of,
	const struct settings *from, const struct opt_list *given, struct err *e)
{
	const struct setting *row[SETTINGS_MAX];
	size_t n;

	for (n = 0; (row[n] = of->setting(n)); n++)
		assert(n + 1 < SETTINGS_MAX);
	if (from)
		settings_copy(s, from);
	else
		settings_init(s, row, n);
	for (n = 0; n < given->n; n++)
		TRY(put(s, of, given->v[n], e));
	return OK;
}
