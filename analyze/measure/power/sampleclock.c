/* Zones: tried one by one. */
#include "analyze/measure/power/sampleclock.h"

#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"

enum { HOUR = 3600, ZONE_FIRST = -12, ZONE_LAST = 14 };

/* 1991 and 2001: before that nobody sampled a GPU, and no clock since 1970 stood. */
#define DATED_S  6.6e8
#define EPOCH_NS INT64_C(1000000000000000000)

bool sampleclock_epoch(const struct run *r, nsec *epoch)
{
	*epoch = r->meta.has_base ? r->meta.base_ns : 0;
	return r->first_ns <= r->last_ns && saturate_add(r->first_ns, *epoch) >= EPOCH_NS;
}

/* The earliest date that the files beside a run say; 0: none. */
static nsec first_of_record(const struct record *r)
{
	nsec first = 0;
	struct point p;

	for (size_t i = 0; r && i < r->nseries; i++)
		if (r->series[i]->axis == AXIS_TIME && series_first(r->series[i], 1, &p) == 1) {
			nsec at = saturate_round(p.x * 1e9);

			first = at >= EPOCH_NS && (first == 0 || at < first) ? at : first;
		}
	return first;
}

nsec sampleclock_recorded(const struct run *r)
{
	nsec epoch;

	return r->has_trace && sampleclock_epoch(r, &epoch) ? saturate_add(r->first_ns, epoch)
							    : first_of_record(r->record);
}

/* To whole microseconds: doubles hold seconds since 1970 to a quarter of one, which is no sample's.
 */
nsec sampleclock_at(const struct sampleclock *c, double s)
{
	double whole = floor(s), rest = s - whole;

	return saturate_sub(saturate_add(saturate_round((whole - c->zone_s) * 1e9),
				    1000 * saturate_round(rest * 1e6)),
		c->epoch_ns);
}

/* How much of the trace the samples cover, in ns. */
static nsec covered(const struct sampleclock *c, const struct run *r, double first_s, double last_s)
{
	nsec from = sampleclock_at(c, first_s), to = sampleclock_at(c, last_s);

	from = MAX(from, r->first_ns);
	to = MIN(to, r->last_ns);
	return to > from ? saturate_sub(to, from) : 0;
}

static void search(struct sampleclock *c, const struct run *r, double first_s, double last_s)
{
	struct sampleclock at = *c;
	nsec most = 0;

	for (int hour = ZONE_FIRST; hour <= ZONE_LAST; hour++) {
		at.zone_s = hour * HOUR;
		nsec n = covered(&at, r, first_s, last_s);
		if (n == 0 || n < most)
			continue;
		c->others = n > most ? 0 : c->others + 1;
		if (n > most || abs(at.zone_s) <= abs(c->zone_s))
			c->zone_s = at.zone_s;
		most = n;
	}
	c->state = most ? SAMPLECLOCK_JOINED : SAMPLECLOCK_APART;
}

void sampleclock_join(
	struct sampleclock *c, const struct run *r, double first_s, double last_s, int zone_s)
{
	*c = (struct sampleclock){ .state = SAMPLECLOCK_NO_DATES };
	if (!(first_s >= DATED_S) || !(last_s >= first_s))
		return;
	c->state = SAMPLECLOCK_NO_EPOCH;
	if (!sampleclock_epoch(r, &c->epoch_ns))
		return;
	if (zone_s == SAMPLECLOCK_SEARCH) {
		search(c, r, first_s, last_s);
		return;
	}
	c->zone_s = zone_s;
	c->state = covered(c, r, first_s, last_s) ? SAMPLECLOCK_JOINED : SAMPLECLOCK_APART;
}

/* One or two digits to a number; what follows, or NULL. */
static const char *two_digits(const char *p, int *v)
{
	size_t n = strspn(p, "0123456789");

	if (n < 1 || n > 2)
		return NULL;
	*v = n == 1 ? p[0] - '0' : (p[0] - '0') * 10 + p[1] - '0';
	return p + n;
}

enum status sampleclock_zone(const char *text, const char *option, int *zone_s, struct err *e)
{
	bool is_signed = *text == '+' || *text == '-';
	int hours = 0, minutes = 0;
	bool is_utc = strcmp(text, "Z") == 0 || strcmp(text, "UTC") == 0;
	const char *p = is_utc ? "" : two_digits(text + is_signed, &hours);

	if (p && *p == ':')
		p = two_digits(p + 1, &minutes);
	if (!p || *p || hours > ZONE_LAST || minutes >= 60)
		return err_set(e, E_USAGE, -1,
			"%s '%s' is no time zone: hours ahead of UTC are wanted, such as +01:00 or "
			"-5",
			option, text);
	*zone_s = (hours * HOUR + minutes * 60) * (*text == '-' ? -1 : 1);
	return OK;
}
