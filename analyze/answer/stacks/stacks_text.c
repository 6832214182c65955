/* `stacks`: a node's stack as text, and whether -f and -v, which look at all of it, want it. */
#include "analyze/answer/stacks/stacks.h"
#include "analyze/trace/regex.h"

/* A frame's name, with what separates frames replaced; the rest is each format's own work. */
static void put_frame(struct str *b, struct span name)
{
	if (b->n)
		str_addc(b, ';');
	for (size_t i = 0; i < name.n; i++) {
		str_addc(b, name.p[i] == ';' ? ':' : name.p[i]);
	}
}

void stacks_write(const struct stacks *s, uint32_t node, uint32_t *up, struct str *b)
{
	size_t n = 0;

	for (; node; node = s->tree.v[node].parent)
		up[n++] = node;
	str_reset(b);
	while (n-- > 0)
		put_frame(b, strings_get(&s->names, s->tree.v[up[n]].name));
}

bool stacks_are_filtered(const struct stacks *s)
{
	return s->at->set->match || s->at->set->exclude;
}

enum status stacks_text_passes(const struct stacks *s, const struct str *b, bool *yes)
{
	const struct filter_set *set = s->at->set;
	struct span text = { b->s, b->n };
	bool no = false;

	*yes = true;
	if (set->match)
		TRY(regex_match(set->match, text, yes, s->at->e));
	if (*yes && set->exclude)
		TRY(regex_match(set->exclude, text, &no, s->at->e));
	*yes = *yes && !no;
	return OK;
}

enum status stacks_pass(
	const struct stacks *s, uint32_t node, uint32_t *up, struct str *b, bool *yes)
{
	*yes = true;
	if (!stacks_are_filtered(s))
		return OK;
	stacks_write(s, node, up, b);
	return stacks_text_passes(s, b, yes);
}
