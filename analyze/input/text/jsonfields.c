/* Scalars of an object.  Records have their members in one order: the field that is found next is
 * looked for behind the last one. */
#include "analyze/input/text/jsonfields.h"

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
	size_t k = w->next;

	for (size_t i = 0; i < w->n; i++, k++) {
		if (k >= w->n)
			k = 0;
		if (span_is(key, w->field[k].key) && span_is(in, w->field[k].in)) {
			w->next = k + 1;
			return &w->v[k];
		}
	}
	return NULL;
}

/* The value at p; to NULL: it is passed over, as what is in an array is. */
static bool take_value(struct walk *w, struct json_value *to)
{
	struct span rest;
	struct json_value v = json_value((struct span){ w->p, (size_t)(w->end - w->p) }, &rest);

	w->p = rest.p;
	if (to && v.type != JSON_ARRAY)
		*to = v;
	return v.type != JSON_NONE;
}

/* The object at p, which is a member of that name. */
static bool take_object(struct walk *w, struct span name, unsigned depth)
{
	w->p++;
	for (;;) {
		struct json_value key = { .type = JSON_NONE };
		bool ok;

		blanks(w);
		if (w->p < w->end && *w->p == ',') {
			w->p++;
			continue;
		}
		if (w->p < w->end && *w->p == '}') {
			w->p++;
			return true;
		}
		if (!take_value(w, &key) || key.type != JSON_STRING)
			return false;
		blanks(w);
		if (w->p == w->end || *w->p != ':')
			return false;
		w->p++;
		blanks(w);
		if (w->p == w->end)
			return false;
		if (*w->p == '{')
			ok = depth < JSON_FIELDS_DEPTH && take_object(w, key.text, depth + 1);
		else
			ok = take_value(w, wanted(w, name, key.text));
		if (!ok)
			return false;
	}
}

bool json_fields(struct span object, const struct json_field *field, size_t n, struct json_value *v)
{
	struct walk w = { object.p, object.p + object.n, field, n, 0, v };

	FILL(v, n, (struct json_value){ .type = JSON_NONE });
	blanks(&w);
	return w.p < w.end && *w.p == '{' && take_object(&w, (struct span){ "", 0 }, 1);
}
