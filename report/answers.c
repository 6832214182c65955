/* Looking things up in results, by the words their analyses gave them. */
#include "report/answers.h"

const struct answer *answers_find(const struct answers *a, const char *ask)
{
	return FIND(i, a->v, a->n, strcmp(a->v[i].ask, ask) == 0);
}

const struct table *answers_table(
	const struct answers *a, const char *ask, const char *id, size_t i)
{
	const struct answer *found = answers_find(a, ask);

	return found && found->result ? result_find(found->result, id, i) : NULL;
}

const struct table *answers_of_input(
	const struct answers *a, const char *ask, const char *id, size_t input)
{
	const struct table *t;

	for (size_t i = 0; (t = answers_table(a, ask, id, i)); i++)
		if (t->input >= 0 && (size_t)t->input == input)
			return t;
	return NULL;
}

const struct table *answers_rows(const struct answers *a, const char *ask, const char *id)
{
	const struct table *t;

	for (size_t i = 0; (t = answers_table(a, ask, id, i)); i++)
		if (table_rows(t) > 0)
			return t;
	return NULL;
}

static bool cut_suffix(struct span *s, const char *suffix)
{
	size_t n = strlen(suffix);

	if (s->n <= n || memcmp(s->p + s->n - n, suffix, n) != 0)
		return false;
	s->n -= n;
	return true;
}

struct span input_name(const char *path)
{
	struct span s = span_of(path);
	size_t i;

	while (s.n > 1 && s.p[s.n - 1] == '/')
		s.n--;
	for (i = s.n; i > 0 && s.p[i - 1] != '/'; i--)
		continue;
	if (i < s.n)
		s = (struct span){ s.p + i, s.n - i };
	(void)cut_suffix(&s, ".gz");
	if (cut_suffix(&s, ".json"))
		(void)(cut_suffix(&s, ".trace") && cut_suffix(&s, ".pt"));
	return s;
}
