/* Days from the civil calendar: Howard Hinnant, "chrono-compatible low-level date algorithms". */
#include "analyze/input/text/iso_time.h"

struct cursor {
	const char *p, *end;
};

static bool digits(struct cursor *c, int n, int *v)
{
	*v = 0;
	for (; n > 0; n--, c->p++) {
		if (c->p == c->end || *c->p < '0' || *c->p > '9')
			return false;
		*v = *v * 10 + (*c->p - '0');
	}
	return true;
}

static bool one_of(struct cursor *c, const char *any)
{
	if (c->p == c->end || !*c->p || !strchr(any, *c->p))
		return false;
	c->p++;
	return true;
}

static int64_t days(int y, int m, int d)
{
	y -= m <= 2;
	int era = y / 400;
	int year_of_era = y - era * 400;
	int day_of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
	return (int64_t)era * 146097 + day_of_era - 719468;
}

static double fraction(struct cursor *c)
{
	double unit = 0.1, v = 0;

	for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++, unit /= 10)
		v += unit * (*c->p - '0');
	return v;
}

/* "Z", "+01:00", "+0100", or nothing; seconds east of Greenwich. */
static bool zone(struct cursor *c, int *seconds)
{
	bool west = c->p < c->end && *c->p == '-';
	int h, m = 0;

	*seconds = 0;
	if (c->p == c->end || one_of(c, "Zz"))
		return c->p == c->end;
	if (!one_of(c, "+-") || !digits(c, 2, &h))
		return false;
	(void)one_of(c, ":");
	if (c->p < c->end && !digits(c, 2, &m))
		return false;
	*seconds = (h * 60 + m) * 60 * (west ? -1 : 1);
	return c->p == c->end;
}

bool iso_time(struct span text, double *seconds)
{
	struct cursor c = { text.p, text.p + text.n };
	int y, mo, d, h, mi, s, east;
	double part = 0;

	if (!digits(&c, 4, &y))
		return false;
	bool apart = one_of(&c, "-/");
	if (!digits(&c, 2, &mo) || (apart && !one_of(&c, "-/")) || !digits(&c, 2, &d))
		return false;
	if (mo < 1 || mo > 12 || d < 1 || d > 31 || !one_of(&c, "T ") || !digits(&c, 2, &h) ||
		!one_of(&c, ":") || !digits(&c, 2, &mi) || !one_of(&c, ":") || !digits(&c, 2, &s))
		return false;
	if (one_of(&c, ".,"))
		part = fraction(&c);
	if (!zone(&c, &east))
		return false;
	*seconds = (double)(days(y, mo, d) * 86400 + h * 3600 + mi * 60 + s - east) + part;
	return true;
}
