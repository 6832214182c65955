/*
 * What rules about files share: findings, looking things up, numbers in words.
 */
#include "analyze/answer/diagnose/recorded.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/name/name.h"
#include "base/str.h"
#include "base/unit.h"

enum { TEXT_MAX_BYTES = 1024, NAME_COLUMNS = 46 };

static bool is_said(const struct recorded *k, const char *text)
{
	size_t i;

	for (i = 0; i < k->n; i++)
		if (k->v[i].rule == k->rule && strcmp(k->v[i].text, text) == 0)
			return true;
	return false;
}

struct recorded_finding *recorded_found(
	struct recorded *k, enum severity s, int artifact, const char *fmt, ...)
{
	struct recorded_finding *f = &k->v[k->n];
	char text[TEXT_MAX_BYTES];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	*f = (struct recorded_finding){ k->rule, s, artifact, NAN, NAN, "", NULL };
	if (is_said(k, text))
		return f; /* the next one takes its place */
	if (k->n == RECORDED_MAX) {
		k->left_out++;
		return f;
	}
	f->text = arena_printf(k->mem, "%s", text);
	k->n++;
	return f;
}

static bool is_copy(const struct record *r, int artifact)
{
	return r->nartifact > 0 && r->artifact[artifact].is_copy;
}

const struct scalar *recorded_find(const struct recorded *k, const char *end)
{
	size_t i;

	for (i = 0; i < k->r->scalars.n; i++) {
		const struct scalar *s = &k->r->scalars.v[i];

		if (span_ends(s->key, end) && !is_copy(k->r, s->artifact))
			return s;
	}
	return NULL;
}

double recorded_number(const struct recorded *k, const char *end)
{
	return scalar_number(recorded_find(k, end));
}

const struct sheet *recorded_sheet(const struct recorded *k, enum sheet_table kind, size_t i)
{
	const struct sheet *copy = NULL;
	size_t j, n = 0;

	for (j = 0; j < k->r->nsheet; j++) {
		const struct sheet *s = k->r->sheet[j];

		if (s->kind != kind)
			continue;
		if (is_copy(k->r, s->artifact))
			copy = copy ? copy : s;
		else if (n++ == i)
			return s;
	}
	return n == 0 && i == 0 ? copy : NULL;
}

double recorded_limit(const struct recorded *k, const char *key)
{
	const struct setting_value *v = rules_limit(&k->in, key);

	return v->r;
}

static const char *take(const struct recorded *k, struct str *b)
{
	const char *text = arena_copy(k->mem, b->n ? b->s : "", b->n);

	str_free(b);
	return text;
}

const char *recorded_bytes(const struct recorded *k, double bytes)
{
	struct str b = { 0 };

	unit_put_bytes(&b, bytes);
	return take(k, &b);
}

const char *recorded_percent(const struct recorded *k, double ratio)
{
	struct str b = { 0 };

	unit_put_percent(&b, ratio);
	return take(k, &b);
}

const char *recorded_time(const struct recorded *k, double ns)
{
	struct str b = { 0 };

	unit_put_time(&b, ns);
	return take(k, &b);
}

const char *recorded_name(const struct recorded *k, struct span name)
{
	struct str b = { 0 };
	size_t i;

	name_shorten(&b, name, NAME_COLUMNS, true);
	for (i = 0; i < b.n; i++)
		if (b.s[i] == '\0')
			b.s[i] = '?';
	return take(k, &b);
}
