/*
 * What rules share: thresholds, and numbers in words.
 */
#include "analyze/answer/diagnose/rules.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"
#include "base/name/name.h"
#include "base/saturate.h"
#include "base/str.h"
#include "base/unit.h"

enum { NAME_COLUMNS = 46, TEXT_MAX_BYTES = 1024, KEY_MAX = 64 };

#define X(name, word) word "|"
const char severity_words[] = SEVERITIES(X);
#undef X

const char *severity_word(enum severity s)
{
#define X(name, word) word,
	static const char *const words[] = { SEVERITIES(X) };
#undef X

	return words[s];
}

const struct setting_value *rules_limit(const struct rule_input *in, const char *key)
{
	const struct setting_value *v;
	char full[KEY_MAX];

	(void)snprintf(full, sizeof(full), RULE_SETTINGS "%s", key);
	v = settings_get(in->settings, full);
	assert(v);
	return v;
}

enum severity rules_above(const struct rule_input *in, double v, const char *warn, const char *crit)
{
	if (crit && v > rules_limit(in, crit)->r)
		return SEVERITY_CRIT;
	return warn && v > rules_limit(in, warn)->r ? SEVERITY_WARN : SEVERITY_OK;
}

void rules_unknown(struct finding *f, const char *why)
{
	f->severity = SEVERITY_UNKNOWN;
	f->text = why;
}

struct interval rules_all_steps(const struct profile *p)
{
	const struct window *w = &p->window;
	struct interval all = { 0, 0 };
	size_t i;

	for (i = 0; i < w->nstep; i++) {
		if (i == 0)
			all = w->time[i];
		else if (w->time[i].end > all.end)
			all.end = w->time[i].end;
	}
	return all;
}

struct interval rules_step_around(const struct profile *p, nsec t)
{
	size_t i;

	for (i = 0; i < p->window.nstep; i++)
		if (p->window.time[i].start <= t && t < p->window.time[i].end)
			return p->window.time[i];
	return rules_all_steps(p);
}

static bool has_length(struct interval v)
{
	return v.start < v.end;
}

struct interval rules_place(const struct profile *p, const struct finding *f)
{
	const struct events *ev = &p->run->events;
	struct interval longest = { 0, 0 };
	size_t i;

	if (f->severity < SEVERITY_NOTE)
		return longest;
	if (has_length(f->place))
		return f->place;
	if (f->row != NO_ROW && ev->dur[f->row] > 0)
		return (struct interval){ ev->start[f->row], events_end(ev, f->row) };
	for (i = 0; i < p->window.nstep; i++) {
		const struct interval *t = &p->window.time[i];

		if (saturate_sub(t->end, t->start) > saturate_sub(longest.end, longest.start))
			longest = *t;
	}
	return longest;
}

double rules_share(const struct profile *p, nsec ns)
{
	return p->step_ns > 0 ? (double)ns / (double)p->step_ns : NAN;
}

double rules_per_step(const struct profile *p, double v)
{
	return p->nstep > 0 ? v / (double)p->nstep : NAN;
}

/* b as text of the profile's memory; frees b. */
static const char *take(const struct profile *p, struct str *b)
{
	const char *text = arena_copy(p->mem, b->n ? b->s : "", b->n);

	str_free(b);
	return text;
}

const char *rules_time(const struct profile *p, double ns)
{
	struct str b = { 0 };

	unit_put_time(&b, ns);
	return take(p, &b);
}

const char *rules_percent(const struct profile *p, double ratio)
{
	struct str b = { 0 };

	unit_put_percent(&b, ratio);
	return take(p, &b);
}

const char *rules_bytes(const struct profile *p, double bytes)
{
	struct str b = { 0 };

	unit_put_bytes(&b, bytes);
	return take(p, &b);
}

const char *rules_count(const struct profile *p, int64_t count)
{
	struct str b = { 0 };
	double each = rules_per_step(p, (double)count);

	if (!p->has_steps || each >= 10 || each == floor(each))
		unit_put_count(&b, p->has_steps ? saturate_round(each) : count);
	else
		unit_put_fixed(&b, each, 2);
	if (p->has_steps)
		str_adds(&b, "/step");
	return take(p, &b);
}

const char *rules_step_time(const struct profile *p, nsec ns)
{
	struct str b = { 0 };

	unit_put_time(&b, rules_per_step(p, (double)ns));
	if (p->has_steps)
		str_adds(&b, "/step");
	return take(p, &b);
}

const char *rules_text(const struct profile *p, const char *fmt, ...)
{
	char text[TEXT_MAX_BYTES];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return arena_copy(p->mem, text, strlen(text));
}

/* A name in what a line of evidence has for it. */
static const char *fit(const struct profile *p, struct span s)
{
	struct str b = { 0 };
	size_t i;

	name_shorten(&b, s, NAME_COLUMNS, true);
	for (i = 0; i < b.n; i++)
		if (b.s[i] == '\0')
			b.s[i] = '?';
	return take(p, &b);
}

const char *rules_name(const struct profile *p, sym name)
{
	return fit(p, strings_get(&p->run->strings, name));
}

/* The side row of an op, 1-based; NO_ARGS when it is none or has no arguments. */
static uint32_t side_of_op(const struct run *r, uint32_t row)
{
	bool is_op = row != NO_ROW && args_table_of((enum kind)r->events.kind[row]) == ARGS_OP;

	return is_op ? r->events.args[row] : NO_ARGS;
}

const char *rules_input(const struct profile *p, uint32_t device_row)
{
	const struct run *r = p->run;
	uint32_t side = r->events.args[device_row], op;
	sym dims;

	if (side == NO_ARGS || !r->links)
		return "";
	op = side_of_op(r, r->links->op[side - 1]);
	dims = op == NO_ARGS ? 0 : args_sym(&r->args, ARG_OP_DIMS, op - 1);
	if (!dims)
		return "";
	return rules_text(p, ", input %s", rules_name(p, dims));
}

const char *rules_frame(const struct profile *p, uint32_t op_row)
{
	uint32_t side = side_of_op(p->run, op_row);
	sym stack = side == NO_ARGS ? 0 : args_sym(&p->run->args, ARG_OP_STACK, side - 1);
	struct span text = strings_get(&p->run->strings, stack);
	const char *end = text.n ? memchr(text.p, ';', text.n) : NULL;

	if (end)
		text.n = (size_t)(end - text.p);
	return text.n ? rules_text(p, ", in %s", fit(p, text)) : "";
}
