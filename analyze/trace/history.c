/* Histories: storage, and the line of a store. */
#include "analyze/trace/history.h"

#include "base/unit.h"

void history_init(struct history *h, const char *path)
{
	*h = (struct history){ 0 };
	h->path = arena_copy(&h->mem, path, strlen(path));
}

void history_clear(struct history *h)
{
	FREE_ALL(h->metric, h->run);
	arena_clear(&h->mem);
	*h = (struct history){ 0 };
}

/* A NUL would end the text, so that two ids become one: it becomes U+FFFD. */
static const char *copy_text(struct history *h, struct span s)
{
	static const struct span instead = { "\xef\xbf\xbd", 3 };
	char *to;

	if (!s.n || !memchr(s.p, '\0', s.n))
		return arena_copy(&h->mem, s.p, s.n);
	char *text = to = arena_array(&h->mem, s.n + 1, instead.n);
	for (size_t i = 0; i < s.n; i++) {
		struct span c = s.p[i] ? (struct span){ s.p + i, 1 } : instead;

		memcpy(to, c.p, c.n);
		to += c.n;
	}
	*to = '\0';
	return text;
}

const char *history_text(struct history *h, struct span s)
{
	s.n = MIN(s.n, HISTORY_TEXT);
	return copy_text(h, s);
}

size_t history_metric(struct history *h, struct span id)
{
	if (id.n && memchr(id.p, '\0', id.n))
		id = span_of(copy_text(h, id));
	for (size_t i = 0; i < h->nmetric; i++)
		if (span_is(id, h->metric[i].id))
			return i;
	if (h->nmetric >= HISTORY_FIGURES)
		return HISTORY_FIGURES;
	PUSH(h->metric, h->nmetric, h->metric_cap,
		(struct history_metric){ .id = arena_copy(&h->mem, id.p, id.n) });
	return h->nmetric - 1;
}

struct history_run *history_add(struct history *h)
{
	return PUSH(h->run, h->nrun, h->run_cap,
		(struct history_run){ .time_s = INT64_MIN, .label = "", .commit = "" });
}

void history_set(struct history *h, struct history_run *r, size_t metric, struct history_value v)
{
	if (metric >= HISTORY_FIGURES)
		return;
	if (metric >= r->nv) {
		size_t n = h->nmetric > metric ? h->nmetric : metric + 1;
		struct history_value *more = arena_array(&h->mem, n, sizeof(*more));

		for (size_t i = 0; i < n; i++)
			more[i] = i < r->nv ? r->v[i] : (struct history_value){ NAN, NAN, -1, NAN };
		r->v = more;
		r->nv = n;
	}
	r->v[metric] = v;
	h->metric[metric].is_median |= !isnan(v.centre) && isnan(v.median);
}

struct history_value history_get(const struct history *h, size_t run, size_t metric)
{
	const struct history_run *r = &h->run[run];

	struct history_value v =
		metric < r->nv ? r->v[metric] : (struct history_value){ NAN, NAN, -1, NAN };

	if (h->metric[metric].is_median && !isnan(v.median))
		v.centre = v.median;
	return v;
}

/* ---- the line ---- */

/* A JSON string; what is not ASCII stays as it is, control characters are escaped. */
static void put_string(struct str *b, const char *s)
{
	str_addc(b, '"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			str_addf(b, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			str_addf(b, "\\u%04x", c);
		else
			str_addc(b, *s);
	}
	str_addc(b, '"');
}

static void put_member(struct str *b, const char *key, const char *value)
{
	str_adds(b, ", ");
	put_string(b, key);
	str_adds(b, ": ");
	put_string(b, value);
}

static const char *unit_word(enum unit unit)
{
	switch (unit) {
	case UNIT_NS: return "ns";
	case UNIT_BYTES: return "bytes";
	case UNIT_RATIO: return "ratio";
	case UNIT_COUNT: return "count";
	default: return NULL;
	}
}

static void put_value(struct str *b, const struct history_metric *m, const struct history_value *v)
{
	put_string(b, m->id);
	str_adds(b, ": {\"value\": ");
	unit_put_real(b, v->centre);
	if (unit_word(m->unit))
		put_member(b, "unit", unit_word(m->unit));
	if (m->better != 0)
		put_member(b, "better", m->better < 0 ? "lower" : "higher");
	if (m->is_exact || m->is_points)
		put_member(b, "kind",
			!m->is_exact           ? "points"
				: m->is_points ? "exact points"
					       : "exact");
	if (!isnan(v->sd)) {
		str_adds(b, ", \"sd\": ");
		unit_put_real(b, v->sd);
	}
	if (!isnan(v->median)) {
		str_adds(b, ", \"median\": ");
		unit_put_real(b, v->median);
	}
	if (v->count >= 0)
		str_addf(b, ", \"count\": %lld", (long long)v->count);
	str_addc(b, '}');
}

void history_put_line(struct str *out, const struct history *h, const struct history_run *r)
{
	size_t n = 0;

	str_adds(out, "{\"schema\": \"" HISTORY_SCHEMA "\"");
	if (r->time_s != INT64_MIN)
		str_addf(out, ", \"time\": %lld", (long long)r->time_s);
	put_member(out, "label", r->label);
	if (r->commit[0])
		put_member(out, "commit", r->commit);
	if (r->accepted)
		put_member(out, "accepted", r->accepted);
	if (r->is_pinned)
		str_adds(out, ", \"pinned\": true");
	str_adds(out, ", \"env\": {");
	for (size_t i = 0; i < r->ncondition; i++) {
		str_adds(out, i ? ", " : "");
		put_string(out, r->condition[i].key);
		str_adds(out, ": ");
		put_string(out, r->condition[i].value);
	}
	str_adds(out, "}, \"metrics\": {");
	for (size_t i = 0; i < r->nv; i++)
		if (!isnan(r->v[i].centre)) {
			str_adds(out, n++ ? ", " : "");
			put_value(out, &h->metric[i], &r->v[i]);
		}
	str_adds(out, "}}\n");
}
