/*
 * Where a document comes from: when its inputs were recorded, and on what.
 */
#include <string.h>

#include "base/minmax.h"
#include "report/page/section/section.h"

enum { DEVICES = 4, DATE = 10, SECONDS = 19 };

/* "2025-07-18 09:14:43 UTC" of "2025-07-18T09:14:43.332Z". */
static const char *moment(struct page *d, struct span utc)
{
	if (utc.n < SECONDS)
		return page_printf(d, "%.*s", (int)utc.n, utc.p);
	return page_printf(d, "%.*s %.*s UTC", DATE, utc.p, SECONDS - DATE - 1, utc.p + DATE + 1);
}

static bool is_before(struct span a, struct span b)
{
	size_t n = MIN(a.n, b.n);
	int order = memcmp(a.p, b.p, n);

	return order < 0 || (order == 0 && a.n < b.n);
}

/* When the first and the last of the traces began. */
static void put_date(const struct answers *in, struct page *d)
{
	struct span first = { "", 0 }, last = { "", 0 };
	const struct table *t;
	size_t i, row;

	for (i = 0; (t = answers_table(in, ask_info, "trace", i)); i++)
		for (row = 0; row < table_rows(t); row++) {
			struct span at = table_word(t, row, "start_utc");

			if (at.n == 0)
				continue;
			first = first.n == 0 || is_before(at, first) ? at : first;
			last = is_before(last, at) ? at : last;
		}
	if (first.n == 0)
		return;
	if (is_before(first, last))
		page_origin(d, "recorded", "%s to %s", moment(d, first), moment(d, last));
	else
		page_origin(d, "recorded", "%s", moment(d, first));
}

/* A sort of device, and how many of it one input used at most. */
struct device {
	struct span name;
	size_t most, here;
};

static struct device *device_of(struct device *v, size_t *n, struct span name)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if (v[i].name.n == name.n && memcmp(v[i].name.p, name.p, name.n) == 0)
			return &v[i];
	if (*n == DEVICES)
		return NULL;
	v[*n] = (struct device){ .name = name };
	return &v[(*n)++];
}

/* Those of a table that did something; a trace lists all that the machine has. */
static void count_devices(const struct table *t, struct device *v, size_t *n)
{
	size_t i;

	for (i = 0; i < *n; i++)
		v[i].here = 0;
	for (i = 0; i < table_rows(t); i++) {
		struct span name = table_word(t, i, "name");
		struct device *one;

		if (name.n == 0 || !(table_number(t, i, "device_events") > 0))
			continue;
		one = device_of(v, n, name);
		if (one)
			one->here++;
	}
	for (i = 0; i < *n; i++)
		v[i].most = MAX(v[i].here, v[i].most);
}

static void put_devices(const struct answers *in, struct page *d)
{
	struct device v[DEVICES];
	const struct table *t;
	const char *text = "";
	size_t n = 0, i;

	for (i = 0; (t = answers_table(in, ask_info, "gpus", i)); i++)
		count_devices(t, v, &n);
	for (i = 0; i < n; i++) {
		const char *times = v[i].most > 1 ? page_printf(d, "%zu x ", v[i].most) : "";

		text = page_printf(
			d, "%s%s%s%.*s", text, i ? ", " : "", times, (int)v[i].name.n, v[i].name.p);
	}
	if (n)
		page_origin(d, n > 1 ? "devices" : "device", "%s", text);
}

/* Of a history what its newest run is called, a date as a rule. */
static void put_newest(const struct answers *in, struct page *d)
{
	const char *run = section_word(d, answers_rows(in, "gate --history", "newest"), 0, "run");

	if (*run)
		page_origin(d, "newest run", "%s", run);
}

void section_put_origin(const struct answers *in, struct page *d)
{
	put_date(in, d);
	put_devices(in, d);
	put_newest(in, d);
}
