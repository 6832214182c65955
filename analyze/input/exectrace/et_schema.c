/*
 * Schemas: arguments between brackets, cut at commas that are in no bracket of their own.
 */
#include "analyze/input/exectrace/et_schema.h"

/* Where the bracket that t begins with is closed, or t.n. */
static size_t closed(struct span t)
{
	size_t i, depth = 0;

	for (i = 0; i < t.n; i++) {
		if (t.p[i] == '(' || t.p[i] == '[')
			depth++;
		else if ((t.p[i] == ')' || t.p[i] == ']') && --depth == 0)
			return i;
	}
	return t.n;
}

bool et_schema_open(struct et_schema *s, struct span text)
{
	const char *open = text.n ? memchr(text.p, '(', text.n) : NULL;
	struct span t, behind;
	size_t end;

	if (!open)
		return false;
	t = (struct span){ open, (size_t)(text.p + text.n - open) };
	end = closed(t);
	if (end == t.n)
		return false;
	s->args = (struct span){ t.p + 1, end - 1 };
	behind = span_trim((struct span){ t.p + end + 1, t.n - end - 1 });
	return span_starts(behind, "->");
}

/* "Tensor(a!)[] self=[]" */
static struct et_arg read_arg(struct span t)
{
	struct et_arg arg = { ET_ALIAS_NONE, { t.p, 0 } };
	struct span mark = { t.p, 0 };
	size_t i, name = t.n;

	if (span_starts(t, "Tensor("))
		mark = (struct span){ t.p + 6, closed((struct span){ t.p + 6, t.n - 6 }) };
	if (mark.n > 1)
		arg.alias = memchr(mark.p, '!', mark.n) ? ET_ALIAS_WRITE : ET_ALIAS_VIEW;
	for (i = 0; i < t.n && t.p[i] != '='; i++)
		if (t.p[i] == ' ')
			name = i + 1;
	if (name < i)
		arg.name = (struct span){ t.p + name, i - name };
	return arg;
}

/* What is in front of the next comma; false: nothing is left. */
static bool cut(struct span *list, struct span *one)
{
	size_t i = 0, depth = 0;

	if (list->n == 0)
		return false;
	for (; i < list->n && (list->p[i] != ',' || depth > 0); i++) {
		if (list->p[i] == '(' || list->p[i] == '[')
			depth++;
		else if ((list->p[i] == ')' || list->p[i] == ']') && depth > 0)
			depth--;
	}
	*one = span_trim((struct span){ list->p, i });
	i += i < list->n;
	*list = (struct span){ list->p + i, list->n - i };
	return true;
}

/* A star stands between arguments that have to be named and the others. */
static bool next(struct span *list, struct et_arg *arg)
{
	struct span one;

	do {
		if (!cut(list, &one))
			return false;
	} while (span_is(one, "*"));
	*arg = read_arg(one);
	return true;
}

bool et_schema_arg(struct et_schema *s, struct et_arg *arg)
{
	return next(&s->args, arg);
}
