/*
 * `critical`: which names of the run a change of --what-if is about.
 */
#include "analyze/answer/critical/critical.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/regex.h"
#include "analyze/trace/run.h"

struct matching {
	struct critical *c;
	enum change_kind kind;
	struct regex *regex;
	bool *match; /* by sym */
	bool *asked; /* by sym */
	int64_t n;   /* events that the change is about */
};

static enum status ask(struct matching *m, uint32_t row)
{
	const struct run *r = m->c->at->run;
	sym name = r->events.name[row];

	if (!m->asked[name])
		TRY(regex_match(
			m->regex, strings_get(&r->strings, name), &m->match[name], m->c->at->e));
	m->asked[name] = true;
	m->n += m->match[name];
	return OK;
}

/* Whether changes of that kind are about work of that class. */
static bool is_about_work(enum change_kind k, enum devclass cls)
{
	switch (k) {
	case CHANGE_KERNEL: return cls == CLASS_COMPUTE || cls == CLASS_MEMSET;
	case CHANGE_COMM: return cls == CLASS_COMM;
	case CHANGE_COPY: return cls == CLASS_MEMCPY;
	case CHANGE_GAP: return true;
	default: return false;
	}
}

static bool is_about_call(struct matching *m, uint32_t row)
{
	struct critical *c = m->c;
	enum kind kind = (enum kind)c->at->run->events.kind[row];

	switch (m->kind) {
	case CHANGE_OP: return kind == KIND_OP;
	case CHANGE_HOST: return true;
	case CHANGE_LAUNCH: return hostwhat_launches(&c->depend.what, row);
	case CHANGE_SYNC: return hostwhat_waits(&c->depend.what, row);
	case CHANGE_DATA: return c->phase[row] == PHASE_DATA;
	default: return false;
	}
}

static enum status ask_all(struct matching *m)
{
	const struct run *r = m->c->at->run;
	size_t i, n = r->order->device_begin[r->lanes.n];

	for (i = 0; i < n; i++) {
		uint32_t row = r->order->device[i];

		if (is_about_work(m->kind, classes_of(&m->c->classes, row)))
			TRY(ask(m, row));
	}
	n = r->order->host_begin[r->lanes.n];
	for (i = 0; i < n; i++)
		if (is_about_call(m, r->order->host[i]))
			TRY(ask(m, r->order->host[i]));
	return OK;
}

enum status critical_match(
	struct critical *c, const struct critical_change *given, const bool **match, int64_t *n)
{
	size_t nsym = c->at->run->strings.n;
	struct matching m = { .c = c, .kind = given->change.kind };
	enum status st;

	m.match = arena_array(&c->at->mem, nsym, sizeof(*m.match));
	m.asked = arena_array(&c->at->mem, nsym, sizeof(*m.asked));
	TRY(regex_new(&m.regex, given->regex, "--what-if", c->at->e));
	st = ask_all(&m);
	regex_free(m.regex);
	*match = m.match;
	*n = m.n;
	return st;
}
