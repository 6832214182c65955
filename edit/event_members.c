/* Members of an event's text. */
#include "edit/event_members.h"

#include "analyze/input/text/json_text.h"

static struct span with_quotes(const struct json_value *v)
{
	return v->type != JSON_STRING ? v->text : (struct span){ v->text.p - 1, v->text.n + 2 };
}

/* A value without a key has one that is not of the text. */
static bool lies_in(struct span text, const char *p)
{
	uintptr_t at = (uintptr_t)p, from = (uintptr_t)text.p;

	return at > from && at - from <= text.n;
}

bool parts_read(struct parts *p, struct span text)
{
	struct json_value v;
	struct span it = text, key;

	p->text = text;
	p->n = 0;
	p->added = (struct span){ 0 };
	if (!text.n || text.p[0] != '{')
		return false;
	while (json_next(&it, &key, &v)) {
		if (p->n == PARTS_MAX || !lies_in(text, key.p))
			return false;
		p->v[p->n++] =
			(struct part_of){ .key = key, .value = with_quotes(&v), .from = key.p - 1 };
	}
	return p->n > 0;
}

struct part_of *parts_find(struct parts *p, const char *key)
{
	return FIND(i, p->v, p->n, span_is(p->v[i].key, key));
}

struct span parts_text(struct parts *p, const char *key)
{
	const struct part_of *v = parts_find(p, key);

	if (!v)
		return (struct span){ 0 };
	if (v->value.n >= 2 && v->value.p[0] == '"')
		return (struct span){ v->value.p + 1, v->value.n - 2 };
	return v->value;
}

struct span parts_id(struct span text)
{
	static const char key[] = "\"id\":";
	const char *at = memmem(text.p, text.n, key, sizeof(key) - 1);
	struct parts p;
	struct span rest;

	if (!at || at[-1] == '\\' || memchr(text.p + 1, '{', text.n - 1))
		return parts_read(&p, text) ? parts_text(&p, "id") : (struct span){ 0 };
	at += sizeof(key) - 1;
	struct json_value v =
		json_value((struct span){ at, (size_t)(text.p + text.n - at) }, &rest);
	return v.type == JSON_NONE ? (struct span){ 0 } : v.text;
}

void part_becomes(struct part_of *part, struct str *text, struct arena *mem)
{
	part->with = (struct span){ arena_copy(mem, text->s ? text->s : "", text->n), text->n };
	str_free(text);
}

static const char *value_end(const struct part_of *v)
{
	return v->value.p + v->value.n;
}

/* From the end of the member before (or the '{') to the end of this one. */
static void put_member(const struct parts *p, size_t i, bool *any, struct str *out)
{
	const struct part_of *v = &p->v[i];
	const char *before = i ? value_end(&p->v[i - 1]) : p->text.p + 1;

	if (v->is_gone)
		return;
	if (*any == (i > 0))
		str_add(out, before, (size_t)(v->from - before));
	else if (*any)
		str_adds(out, ", ");
	*any = true;
	str_add(out, v->from, (size_t)(v->value.p - v->from));
	if (v->with.p)
		str_add(out, v->with.p, v->with.n);
	else
		str_add(out, v->value.p, v->value.n);
}

void parts_put(const struct parts *p, struct str *out)
{
	const char *end = value_end(&p->v[p->n - 1]);
	bool any = false;

	str_addc(out, '{');
	for (size_t i = 0; i < p->n; i++)
		put_member(p, i, &any, out);
	if (p->added.n) {
		str_adds(out, any ? ", " : "");
		str_add(out, p->added.p, p->added.n);
	}
	str_add(out, end, (size_t)(p->text.p + p->text.n - end));
}
