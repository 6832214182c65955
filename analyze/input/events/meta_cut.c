/*
 * What a cut says of the whole: the document's member that edit/note.c writes.
 */
#include <math.h>
#include <string.h>

#include "analyze/input/events/meta.h"
#include "analyze/input/text/json_text.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/cutnote.h"
#include "analyze/trace/run_steps.h"

enum { STEP_FIELDS = 7 };

static bool time_of(struct json_value v, nsec *t)
{
	return v.type == JSON_NUMBER && num_i64(v.text, t);
}

/* How many values an array has. */
static size_t count(struct json_value array)
{
	struct span it = array.text, key;
	struct json_value v;
	size_t n = 0;

	while (array.type == JSON_ARRAY && json_next(&it, &key, &v))
		n++;
	return n;
}

/* The numbers of an array, n of them. */
static bool numbers(struct json_value array, int64_t *to, size_t n)
{
	struct span it = array.text, key;
	struct json_value v;
	size_t i = 0;

	if (array.type != JSON_ARRAY)
		return false;
	while (i < n && json_next(&it, &key, &v))
		if (!time_of(v, &to[i++]))
			return false;
	return i == n;
}

static bool take_time(struct cutnote *c, struct json_value array, struct arena *mem)
{
	struct span it = array.text, key;
	struct json_value v;
	int64_t t[2];
	nsec last = INT64_MIN;

	c->time = arena_array(mem, count(array), sizeof(*c->time));
	while (array.type == JSON_ARRAY && json_next(&it, &key, &v)) {
		if (!numbers(v, t, 2) || t[0] < last || t[1] < t[0])
			return false;
		last = t[1];
		c->time[c->ntime++] = (struct cut_time){ t[0], t[1] };
	}
	return c->ntime > 0;
}

/* [number, host_start, host_end, start, end, incomplete, ndevice] */
static bool take_step(struct step *s, struct json_value v)
{
	int64_t f[STEP_FIELDS];

	if (!numbers(v, f, STEP_FIELDS) || f[2] < f[1] || f[4] < f[3])
		return false;
	*s = (struct step){ .number = f[0],
		.host_start = f[1],
		.host_end = f[2],
		.start = f[3],
		.end = f[4],
		.incomplete = f[5] != 0,
		.ndevice = f[6] };
	return true;
}

static bool take_source(struct steps *s, struct json_value v)
{
	static const char *const words[] = { "profiler", "annotation", "whole" };
	unsigned i;

	for (i = 0; i < COUNT_OF(words); i++)
		if (span_is(v.text, words[i])) {
			s->source = (enum step_source)i;
			return true;
		}
	return false;
}

static bool take_steps(struct cutnote *c, struct json_value note, struct arena *mem)
{
	struct json_value array = json_get(note, "steps"), v, delay = json_get(note, "delay_ns");
	struct span it = array.text, key;
	struct steps *s;
	size_t n = count(array);

	if (array.type == JSON_NONE)
		return true;
	s = c->steps = arena_alloc(mem, sizeof(*s));
	*s = (struct steps){ .delay = NAN };
	if (n == 0 || !take_source(s, json_get(note, "steps_by")))
		return false;
	s->on_device = span_is(json_get(note, "on_device").text, "true");
	if (delay.type == JSON_NUMBER && !num_f64(delay.text, &s->delay))
		s->delay = NAN;
	s->step = arena_array(mem, n, sizeof(*s->step));
	while (json_next(&it, &key, &v)) {
		if (!take_step(&s->step[s->n], v) ||
			(s->n && s->step[s->n].host_start < s->step[s->n - 1].host_start))
			return false;
		s->n++;
	}
	return s->n == n;
}

void meta_cut(struct run *run, struct json_value note)
{
	struct cutnote *c = arena_alloc(&run->mem, sizeof(*c));

	*c = (struct cutnote){ 0 };
	if (note.type != JSON_OBJECT || !time_of(json_get(note, "first_ns"), &c->first) ||
		!time_of(json_get(note, "last_ns"), &c->last) || c->last < c->first ||
		!take_time(c, json_get(note, "time"), &run->mem) || !take_steps(c, note, &run->mem))
		return;
	run->cut = c;
	run->first_ns = c->first;
	run->last_ns = c->last;
}
