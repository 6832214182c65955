/*
 * Scalars of an object.  Records have their members in one order: the field that is found next is
 * looked for behind the last one.
 */
#include "analyze/input/text/jsonfields.h"

#include <string.h>

struct walk {
	const char *p, *end;
	const struct json_field *field;
	size_t n, next; /* fields, and which is expected */
	struct json_value *v;
};

static void blanks(struct walk *w)
{
	while (w->p < w->end && (unsigned char)*w->p <= 0x20)
		w->p++;
}

/* The field of that name, or NULL. */
static struct json_value *wanted(struct walk *w, struct span in, struct span key)
{
	size_t i, k = w->next;

	for (i = 0; i < w->n; i++, k++) {
		if (k >= w->n)
			k = 0;
		if (span_is(key, w->field[k].key) && span_is(in, w->field[k].in)) {
			w->next = k + 1;
			return &w->v[k];
		}
	}
	return NULL;
}

/* The inside of the string at p. */
static bool take_string(struct walk *w, struct span *inside, bool *escaped)
{
	const char *begin = ++w->p;

	*escaped = false;
	for (; w->p < w->end; w->p++) {
		if (*w->p == '"') {
			*inside = (struct span){ begin, (size_t)(w->p - begin) };
			w->p++;
			return true;
		}
		if (*w->p == '\\') {
			*escaped = true;
			w->p++;
		}
	}
	return false;
}

static bool take_array(struct walk *w)
{
	struct span rest;
	struct json_value v = json_value((struct span){ w->p, (size_t)(w->end - w->p) }, &rest);

	w->p = rest.p;
	return v.type == JSON_ARRAY;
}

static bool take_scalar(struct walk *w, struct json_value *to)
{
	const char *begin = w->p;
	struct json_value v = { 0 };

	if (*w->p == '"') {
		v.type = JSON_STRING;
		if (!take_string(w, &v.text, &v.escaped))
			return false;
	} else {
		while (w->p < w->end && (unsigned char)*w->p > 0x20 && *w->p != ',' &&
			*w->p != '}' && *w->p != ']' && *w->p != ':' && *w->p != '"')
			w->p++;
		v.text = (struct span){ begin, (size_t)(w->p - begin) };
		v.type = v.text.n && strchr("-+.0123456789", *begin) ? JSON_NUMBER : JSON_WORD;
		if (!v.text.n)
			return false;
	}
	if (to)
		*to = v;
	return true;
}

/* The object at p, which is a member of that name. */
static bool take_object(struct walk *w, struct span name, unsigned depth)
{
	w->p++;
	for (;;) {
		struct span key;
		bool escaped, ok;

		blanks(w);
		if (w->p < w->end && *w->p == ',') {
			w->p++;
			continue;
		}
		if (w->p < w->end && *w->p == '}') {
			w->p++;
			return true;
		}
		if (w->p == w->end || *w->p != '"' || !take_string(w, &key, &escaped))
			return false;
		blanks(w);
		if (w->p == w->end || *w->p != ':')
			return false;
		w->p++;
		blanks(w);
		if (w->p == w->end)
			return false;
		if (*w->p == '{')
			ok = depth < JSON_FIELDS_DEPTH && take_object(w, key, depth + 1);
		else if (*w->p == '[')
			ok = take_array(w);
		else
			ok = take_scalar(w, wanted(w, name, key));
		if (!ok)
			return false;
	}
}

bool json_fields(struct span object, const struct json_field *field, size_t n, struct json_value *v)
{
	struct walk w = { object.p, object.p + object.n, field, n, 0, v };
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = (struct json_value){ .type = JSON_NONE };
	blanks(&w);
	return w.p < w.end && *w.p == '{' && take_object(&w, (struct span){ "", 0 }, 1);
}
