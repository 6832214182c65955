/* Broken events. */
#include "edit/rewrite_broken.h"

#include "analyze/input/events/plan.h"
#include "analyze/input/events/raw.h"
#include "analyze/input/events/tap.h"

/* A string whose quotes may stand unescaped, and whose line breaks may be bare. */
static void put_string(struct str *out, struct span t)
{
	str_addc(out, '"');
	for (size_t i = 0; i < t.n; i++) {
		unsigned char c = (unsigned char)t.p[i];

		if (c == '\\' && i + 1 < t.n && strchr("\"\\/bfnrtu", t.p[i + 1])) {
			str_add(out, t.p + i++, 2);
		} else if (c == '"' || c == '\\') {
			str_addc(out, '\\');
			str_addc(out, (char)c);
		} else if (c < 0x20) {
			str_addf(out, "\\u%04x", c); /* lint: allow text: JSON, mended */
		} else {
			str_addc(out, (char)c);
		}
	}
	str_addc(out, '"');
}

/* Numbers, as they are; all else as strings. */
static void put_value(struct str *out, struct span t)
{
	bool plain = t.n > 0;

	for (size_t i = 0; i < t.n; i++)
		plain &= memchr("0123456789-+.eE", t.p[i], 15) != NULL;
	if (plain)
		str_add(out, t.p, t.n);
	else
		put_string(out, t);
}

static void put_field(struct str *out, const char *key, bool has, struct span value, bool is_text)
{
	if (!has)
		return;
	str_addf(out, ", \"%s\": ", key);
	if (is_text)
		put_string(out, value);
	else
		put_value(out, value);
}

static void put_args(const struct tap_event *event, struct str *out)
{
	const char *comma = "";

	str_adds(out, ", \"args\": {");
	for (unsigned i = 0; i < PLAN_SLOTS; i++) {
		const struct plan_key *key = &event->plan->slot[i];

		if (!key->used || !raw_found(event->raw, key->id))
			continue;
		str_addf(out, "%s\"%s\": ", comma, key->text);
		if (event->raw->quoted >> key->id & 1)
			put_string(out, event->raw->arg[key->id]);
		else
			str_add(out, event->raw->arg[key->id].p, event->raw->arg[key->id].n);
		comma = ", ";
	}
	str_addc(out, '}');
}

void rewrite_broken(const struct tap_event *event, struct str *out)
{
	const struct raw_event *raw = event->raw;

	str_addf(out, "{\"ph\": \"%c\"", raw_has(raw, RAW_PH) ? raw->ph : 'X');
	put_field(out, "cat", raw_has(raw, RAW_CAT), raw->cat, true);
	put_field(out, "name", raw_has(raw, RAW_NAME), raw->name, true);
	put_field(out, "pid", raw_has(raw, RAW_PID), raw->pid, false);
	put_field(out, "tid", raw_has(raw, RAW_TID), raw->tid, false);
	put_field(out, "ts", raw_has(raw, RAW_TS), raw->ts, false);
	put_field(out, "dur", raw_has(raw, RAW_DUR), raw->dur, false);
	if (raw->found)
		put_args(event, out);
	str_addc(out, '}');
}
