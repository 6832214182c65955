/* Stretches of time. */
#include "edit/time_range.h"

#include <stdio.h>

#include "analyze/input/text/num.h"

/* Times as traces write them. */

size_t number_us(char to[NUMBER_US_MAX], nsec t)
{
	uint64_t size = t < 0 ? 0 - (uint64_t)t : (uint64_t)t;
	int n = snprintf(to, NUMBER_US_MAX, "%s%" PRIu64 ".%03" PRIu64, t < 0 ? "-" : "",
		size / 1000, size % 1000);

	return (size_t)n;
}

void number_put(struct str *out, const char *key, nsec t)
{
	char text[NUMBER_US_MAX];
	size_t n = number_us(text, t);

	str_addf(out, ", \"%s\": %.*s", key, (int)n, text);
}

static const struct {
	const char *unit;
	int64_t us, ns; /* so many of them are one */
} units[] = { { "ns", 0, 1 }, { "us", 1, 0 }, { "ms", 1000, 0 }, { "s", 1000000, 0 },
	{ "min", 60000000, 0 } };

/* One time: digits, maybe a point, and a unit; *unit: its index, or -1. */
static bool read_time(struct span t, int unit, nsec *ns)
{
	int64_t scale = units[unit].us;

	return scale == 0 ? num_i64(t, ns) : num_ns(t, ns) && !mul_overflows(*ns, scale, ns);
}

/* The unit behind the digits, which are cut off it. */
static int take_unit(struct span *t)
{
	size_t n = t->n;

	while (n > 0 && ((t->p[n - 1] >= 'a' && t->p[n - 1] <= 'z')))
		n--;
	for (size_t i = 0; i < COUNT_OF(units); i++)
		if (span_is((struct span){ t->p + n, t->n - n }, units[i].unit)) {
			t->n = n;
			return (int)i;
		}
	return n == t->n ? -1 : -2;
}

static enum status malformed(const char *text, struct err *e)
{
	return err_hinted(e, E_USAGE, "such as 1.2s-1.5s, 300ms-, -20us: from the first event on",
		"--time '%s': not a time range", text);
}

enum status time_range_read(
	const char *text, nsec first, nsec last, struct interval *out, struct err *e)
{
	const char *dash = strchr(text, '-');
	nsec at;

	if (!dash || (dash == text && !dash[1]))
		return malformed(text, e);
	struct span from = (struct span){ text, (size_t)(dash - text) };
	struct span to = span_of(dash + 1);
	/* A unit alone is no time, and not a missing one. */
	bool has_from = from.n > 0, has_to = to.n > 0;
	int uf = take_unit(&from);
	int ut = take_unit(&to);
	if (uf == -1 && has_from)
		uf = ut;
	*out = (struct interval){ first, last < INT64_MAX ? last + 1 : last };
	if (has_from &&
		(uf < 0 || !read_time(from, uf, &at) || at < 0 ||
			add_overflows(first, at, &out->start)))
		return malformed(text, e);
	if (has_to &&
		(ut < 0 || !read_time(to, ut, &at) || at < 0 ||
			add_overflows(first, at, &out->end)))
		return malformed(text, e);
	if (out->start > last)
		return err_set(e, E_NODATA, -1,
			"--time '%s' begins behind the last event, at %.6f s", text,
			(double)(last - first) / 1e9);
	if (out->start < out->end)
		return OK;
	return err_hinted(e, E_USAGE, "FROM-TO, both from the first event on: 1.2s-1.5s",
		"--time '%s' ends before it begins", text);
}

enum status time_range_length(const char *text, const char *option, nsec *out, struct err *e)
{
	struct span t = span_of(text);
	int unit = take_unit(&t);

	if (t.n && unit >= 0 && read_time(t, unit, out) && *out > 0)
		return OK;
	return err_hinted(
		e, E_USAGE, "such as 10ms, 500us or 1s", "%s '%s': not a duration", option, text);
}
