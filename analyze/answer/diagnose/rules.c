/* What rules about a trace share: places in time, and numbers of its steps. */
#include "analyze/answer/diagnose/rules.h"

#include "analyze/trace/links/links.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run.h"

void rules_put_time(
	const struct look *k, struct finding *f, nsec ns, const char *warn, const char *crit)
{
	f->unit = UNIT_NS;
	f->value = rules_per_step(k->profile, (double)ns);
	f->share = rules_share(k->profile, ns);
	f->severity = look_above(k, f->share, warn, crit);
}

void rules_put_ratio(const struct look *k, struct finding *f, double share, const char *note)
{
	f->unit = UNIT_RATIO;
	f->value = share;
	f->severity = share > look_limit(k, note) ? SEVERITY_NOTE : SEVERITY_OK;
}

bool rules_know_memory(const struct profile *p, struct finding *f)
{
	return !finding_unknown(f, !p->curve, recording_word(p->run, RECORDING_NO_MEMORY));
}

nsec rules_device_ns(const struct profile *p)
{
	nsec sum = 0;

	for (int k = 0; k < CLASS_COUNT; k++)
		saturate_onto(&sum, p->device.sum[k]);
	return sum;
}

struct interval rules_all_steps(const struct profile *p)
{
	const struct window *w = &p->window;
	struct interval all = { 0, 0 };

	for (size_t i = 0; i < w->nstep; i++) {
		if (i == 0)
			all = w->time[i];
		else if (w->time[i].end > all.end)
			all.end = w->time[i].end;
	}
	return all;
}

struct interval rules_step_around(const struct profile *p, nsec t)
{
	for (size_t i = 0; i < p->window.nstep; i++)
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

	if (f->severity < SEVERITY_NOTE)
		return longest;
	if (has_length(f->place))
		return f->place;
	if (f->row != NO_ROW && ev->dur[f->row] > 0)
		return (struct interval){ ev->start[f->row], events_end(ev, f->row) };
	for (EACH(const struct interval, t, p->window.time, p->window.nstep))
		if (saturate_sub(t->end, t->start) > saturate_sub(longest.end, longest.start))
			longest = *t;
	return longest;
}

double rules_share(const struct profile *p, nsec ns)
{
	return p->step_ns > 0 ? (double)ns / (double)p->step_ns : NAN;
}

double rules_host_share(const struct profile *p, nsec ns)
{
	return p->window.ns > 0 ? (double)ns / (double)p->window.ns : NAN;
}

double rules_per_step(const struct profile *p, double v)
{
	return p->nstep > 0 ? v / (double)p->nstep : NAN;
}

const char *rules_count(const struct profile *p, int64_t count)
{
	SCOPED_STR b = { 0 };
	double each = rules_per_step(p, (double)count);

	if (!p->has_steps || each >= 10 || each == floor(each))
		unit_put_count(&b, p->has_steps ? saturate_round(each) : count);
	else
		unit_put_fixed(&b, each, 2);
	if (p->has_steps)
		str_adds(&b, "/step");
	return arena_copy(p->mem, b.s, b.n);
}

const char *rules_step_time(const struct profile *p, nsec ns)
{
	return arena_printf(p->mem, "%s%s", unit_time(p->mem, rules_per_step(p, (double)ns)),
		p->has_steps ? "/step" : "");
}

const char *rules_name(const struct profile *p, sym name)
{
	struct span text = strings_get(&p->run->strings, name);

	return span_starts(text, "ProfilerStep#") ? "ProfilerStep*" : look_name(p->mem, text);
}

const char *rules_behind(const struct profile *p, const struct profile_sum *behind, nsec wait)
{
	if (behind->ns <= 0 || behind->ns < wait / 10)
		return "";
	return arena_printf(p->mem, ", %s of it behind %s, which kept it from being hidden",
		rules_step_time(p, behind->ns), rules_name(p, p->run->events.name[behind->row]));
}

/* The side row of an op, 1-based; NO_ARGS when it is none or has no arguments. */
static uint32_t side_of_op(const struct run *r, uint32_t row)
{
	bool is_op = row != NO_ROW && args_table_of((enum kind)r->events.kind[row]) == ARGS_OP;

	return is_op ? r->events.args[row] : NO_ARGS;
}

/* ", input [[32, 8]]" of the op that launched a device row; "" where the trace does not say. */
static const char *input_text(const struct profile *p, uint32_t device_row)
{
	const struct run *r = p->run;
	uint32_t side = r->events.args[device_row];

	if (side == NO_ARGS || !r->links)
		return "";
	uint32_t op = side_of_op(r, r->links->op[side - 1]);
	sym dims = op == NO_ARGS ? 0 : args_sym(&r->args, ARG_OP_DIMS, op - 1);
	if (!dims)
		return "";
	return arena_printf(p->mem, ", input %s", rules_name(p, dims));
}

void rules_put_longest(const struct profile *p, struct finding *f, const struct profile_sum *s)
{
	const struct events *ev = &p->run->events;

	if (s->count == 0)
		return;
	f->row = s->row;
	f->name = ev->name[s->row];
	f->evidence = arena_printf(p->mem, "longest: %s, %s%s", rules_name(p, f->name),
		unit_time(p->mem, (double)ev->dur[s->row]), input_text(p, s->row));
}

const char *rules_frame(const struct profile *p, uint32_t op_row)
{
	uint32_t side = side_of_op(p->run, op_row);
	sym stack = side == NO_ARGS ? 0 : args_sym(&p->run->args, ARG_OP_STACK, side - 1);
	struct span text = strings_get(&p->run->strings, stack);
	const char *end = text.n ? memchr(text.p, ';', text.n) : NULL;

	if (end)
		text.n = (size_t)(end - text.p);
	return text.n ? arena_printf(p->mem, ", in %s", look_name(p->mem, text)) : "";
}
