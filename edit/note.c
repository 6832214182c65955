/*
 * The note that a cut carries.
 */
#include "edit/note.h"

#include <inttypes.h>
#include <math.h>

#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

static void put_steps(struct str *out, const struct steps *s, const bool *taken)
{
	static const char *const words[] = { "profiler", "annotation", "whole" };
	const char *comma = "";
	size_t i;

	str_addf(out, ", \"steps_by\": \"%s\", \"on_device\": %s", words[s->source],
		s->on_device ? "true" : "false");
	if (isfinite(s->delay))
		str_addf(out, ", \"delay_ns\": %.17g", s->delay);
	str_adds(out, ", \"steps\": [");
	for (i = 0; i < s->n; i++) {
		const struct step *v = &s->step[i];

		if (!taken[i])
			continue;
		str_addf(out,
			"%s[%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64
			", %d, %" PRId64 "]",
			comma, v->number, v->host_start, v->host_end, v->start, v->end,
			v->incomplete, v->ndevice);
		comma = ", ";
	}
	str_addc(out, ']');
}

void note_put(struct str *out, const struct run *r, const bool *taken, const struct intervals *time)
{
	size_t i;

	str_addf(out, "{\"first_ns\": %" PRId64 ", \"last_ns\": %" PRId64 ", \"time\": [",
		r->first_ns, r->last_ns);
	for (i = 0; i < time->n; i++)
		str_addf(out, "%s[%" PRId64 ", %" PRId64 "]", i ? ", " : "", time->v[i].start,
			time->v[i].end);
	str_addc(out, ']');
	if (taken)
		put_steps(out, r->steps, taken);
	str_addc(out, '}');
}
