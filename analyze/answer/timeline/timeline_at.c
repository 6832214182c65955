/*
 * `timeline --at`: the part of the time that is looked at.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answer/timeline/timeline.h"
#include "analyze/trace/recording.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/minmax.h"
#include "base/saturate.h"
#include "base/unit.h"

/* "1.5": a number, whatever the locale; false: it is none. */
static bool take_number(const char **p, double *v, bool *is_whole)
{
	const char *s = *p;
	double tenth = 0.1;

	*v = 0;
	*is_whole = true;
	for (; *s >= '0' && *s <= '9'; s++)
		*v = *v * 10 + (*s - '0');
	if (s == *p)
		return false;
	if (*s == '.') {
		*is_whole = false;
		for (s++; *s >= '0' && *s <= '9'; s++, tenth /= 10)
			*v += (*s - '0') * tenth;
	}
	*p = s;
	return true;
}

/* A unit's nanoseconds; 0: there is none. */
static double take_unit(const char **p)
{
	static const struct {
		const char *word;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	size_t i;

	for (i = 0; i < COUNT_OF(units); i++) {
		size_t n = strlen(units[i].word);

		if (strncmp(*p, units[i].word, n) == 0) {
			*p += n;
			return units[i].ns;
		}
	}
	return 0;
}

/* "5", "5-6": steps; "1.2s-1.5s", "10-20ms": time. */
bool timeline_at_parse(const char *text, struct timeline_at *at)
{
	double from, to, from_ns, to_ns;
	bool is_whole, is_to_whole;

	if (!take_number(&text, &from, &is_whole))
		return false;
	from_ns = take_unit(&text);
	to = from;
	to_ns = from_ns;
	is_to_whole = is_whole;
	if (*text == '-') {
		text++;
		if (!take_number(&text, &to, &is_to_whole))
			return false;
		to_ns = take_unit(&text);
	} else if (from_ns > 0) {
		return false; /* a moment is no stretch */
	}
	at->is_time = to_ns > 0;
	if (*text || (from_ns > 0 && !at->is_time) || (!at->is_time && !(is_whole && is_to_whole)))
		return false;
	from_ns = from_ns > 0 ? from_ns : to_ns;
	at->from = saturate_round(at->is_time ? from * from_ns : from);
	at->to = saturate_round(at->is_time ? to * to_ns : to);
	return at->is_time ? at->from < at->to : at->from <= at->to;
}

static enum status no_steps(const struct timeline *l, struct err *e)
{
	(void)err_set(e, E_NODATA, -1, "%s marks no steps for --at", l->at->run->path);
	return err_hint(e, "--at 10ms-20ms is a stretch of time since the first event; %s",
		recording_word(l->at->run, RECORDING_STEPS));
}

static enum status zoom_steps(struct timeline *l, const struct timeline_at *at, struct err *e)
{
	const struct steps *s = l->at->run->steps;
	nsec first = INT64_MAX, last = INT64_MIN;
	size_t i;

	if (s->source == STEPS_WHOLE || s->n == 0)
		return no_steps(l, e);
	for (i = 0; i < s->n; i++) {
		const struct step *step = &s->step[i];

		if (step->number < at->from || step->number > at->to)
			continue;
		first = MIN(step->start, first);
		last = MAX(step->end, last);
	}
	if (last <= first) {
		(void)err_set(
			e, E_NODATA, -1, "%s has no step %" PRId64, l->at->run->path, at->from);
		return err_hint(e, "it has steps %" PRId64 " to %" PRId64, s->step[0].number,
			s->step[s->n - 1].number);
	}
	l->first = first;
	l->last = last;
	return OK;
}

enum status timeline_zoom(struct timeline *l, const struct timeline_at *at, struct err *e)
{
	nsec first = saturate_add(l->zero, at->from), last = saturate_add(l->zero, at->to);
	struct str b = { 0 };

	if (!at->is_time)
		return zoom_steps(l, at, e);
	if (first >= l->last) {
		unit_put_time(&b, (double)saturate_sub(l->last, l->zero));
		(void)err_set(e, E_NODATA, -1, "%s ends before --at begins", l->at->run->path);
		(void)err_hint(e, "its last device event ends at %s", b.s);
		str_free(&b);
		return e->status;
	}
	l->first = first;
	l->last = MIN(last, l->last);
	return OK;
}
