/* What the sections of documents share: the words of their asks, findings, figures as text. */
#include "report/page/section/section.h"

#include "base/unit.h"

const char ask_info[] = "info", ask_summary[] = "summary", ask_diagnose[] = "diagnose",
	   ask_kernels[] = "kernels --limit=15", ask_top[] = "top --limit=10 --memory",
	   ask_idle[] = "idle --streams --limit=15", ask_copies[] = "copies", ask_comms[] = "comms",
	   ask_memory[] = "memory --points=4000", ask_metrics[] = "metrics", ask_smi[] = "smi",
	   ask_check[] = "check", ask_stacks[] = "stacks --source=samples --limit=10";

void section_put_tables(
	const struct answers *in, struct page *d, const struct section_table *t, size_t n)
{
	for (size_t i = 0; i < n && t[i].id; i++)
		page_pick_table(d, answers_rows(in, t[i].ask, t[i].id), &t[i].picks);
}

/* Whether the section has something to say with its tables. */
static bool has_tables(const struct section *s, const struct answers *in)
{
	for (size_t i = 0; i < SECTION_TABLES_MAX && s->table[i].id; i++) {
		if (answers_rows(in, s->table[i].ask, s->table[i].id))
			return true;
		if (!s->is_any)
			return false;
	}
	return false;
}

void section_write(const struct section *s, const struct answers *in, struct page *d)
{
	if (s->heading && !has_tables(s, in))
		return;
	if (s->heading)
		page_heading(d, s->heading);
	section_put_tables(in, d, s->table, SECTION_TABLES_MAX);
	if (s->write)
		s->write(in, d);
}

enum page_tone section_tone(struct span word)
{
	static const struct meaning tones[] = {
		{ span_has_in, "CRIT|regression", TONE_BAD },
		{ span_has_in, "WARN", TONE_WARN },
		{ span_has_in, "improvement", TONE_GOOD },
		{ span_has_in, "unknown|cannot", TONE_UNKNOWN },
	};

	return (enum page_tone)MEANING_OF(word, tones, TONE_NONE);
}

bool section_finding(
	const struct answers *in, const char *rule, const struct table **t, size_t *row)
{
	*t = answers_of_input(in, ask_diagnose, "findings", in->main);
	return table_find_word(*t, "rule", span_of(rule), row);
}

const char *section_percent(struct page *d, double ratio)
{
	return isnan(ratio) ? "-" : unit_percent(&d->mem, ratio);
}

const char *section_time(struct page *d, double ns)
{
	return isnan(ns) ? "-" : unit_time(&d->mem, ns);
}

const char *section_bytes(struct page *d, double bytes)
{
	return isnan(bytes) ? "-" : unit_bytes(&d->mem, bytes);
}

const char *section_word(struct page *d, const struct table *t, size_t row, const char *key)
{
	struct span s = table_word(t, row, key);

	return arena_copy(&d->mem, s.p, s.n);
}

void section_fact(struct page *d, const struct table *t, const char *key, const char *title)
{
	const char *text = t ? section_word(d, t, 0, key) : "";

	if (*text)
		page_fact(d, title, "%s", text);
}

/* ---- where a document comes from ---- */

enum { DEVICES = 4, DATE = 10, SECONDS = 19 };

/* "2025-07-18 09:14:43 UTC" of "2025-07-18T09:14:43.332Z". */
static const char *moment(struct page *d, struct span utc)
{
	if (utc.n < SECONDS)
		return page_printf(d, "%.*s", (int)utc.n, utc.p);
	return page_printf(d, "%.*s %.*s UTC", DATE, utc.p, SECONDS - DATE - 1, utc.p + DATE + 1);
}

/* When the first and the last of the traces began. */
static void put_date(const struct answers *in, struct page *d)
{
	struct span first = { "", 0 }, last = { "", 0 };
	const struct table *t;

	for (size_t i = 0; (t = answers_table(in, ask_info, "trace", i)); i++)
		for (size_t row = 0; row < table_rows(t); row++) {
			struct span at = table_word(t, row, "start_utc");

			if (at.n == 0)
				continue;
			first = first.n == 0 || span_cmp(at, first) < 0 ? at : first;
			last = span_cmp(last, at) < 0 ? at : last;
		}
	if (first.n == 0)
		return;
	if (span_cmp(first, last) < 0)
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
	for (size_t i = 0; i < *n; i++)
		if (span_eq(v[i].name, name))
			return &v[i];
	if (*n == DEVICES)
		return NULL;
	v[*n] = (struct device){ .name = name };
	return &v[(*n)++];
}

/* Those of a table that did something; a trace lists all that the machine has. */
static void count_devices(const struct table *t, struct device *v, size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		v[i].here = 0;
	for (size_t i = 0; i < table_rows(t); i++) {
		struct span name = table_word(t, i, "name");

		if (name.n == 0 || !(table_number(t, i, "device_events") > 0))
			continue;
		struct device *one = device_of(v, n, name);
		if (one)
			one->here++;
	}
	for (size_t i = 0; i < *n; i++)
		v[i].most = MAX(v[i].here, v[i].most);
}

void section_put_origin(const struct answers *in, struct page *d)
{
	put_date(in, d);
	struct device v[DEVICES];
	const struct table *t;
	const char *text = "";
	size_t n = 0;
	for (size_t i = 0; (t = answers_table(in, ask_info, "gpus", i)); i++)
		count_devices(t, v, &n);
	for (size_t i = 0; i < n; i++) {
		const char *times = v[i].most > 1 ? page_printf(d, "%zu x ", v[i].most) : "";

		text = page_printf(
			d, "%s%s%s%.*s", text, i ? ", " : "", times, (int)v[i].name.n, v[i].name.p);
	}
	if (n)
		page_origin(d, n > 1 ? "devices" : "device", "%s", text);
	/* Of a history what its newest run is called, a date as a rule. */
	const char *run = section_word(d, answers_rows(in, "gate --history", "newest"), 0, "run");
	if (*run)
		page_origin(d, "newest run", "%s", run);
}
