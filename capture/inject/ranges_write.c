/* NVTX events to lines of the file. */
#include <stdio.h>
#include <string.h>

#include "capture/inject/session.h"

static void put_payload(struct jtext *t, const struct range_text *x)
{
	double real;

	memcpy(&real, &x->payload, sizeof(real));
	switch (x->payload_type) {
	case PAYLOAD_NONE: break;
	case PAYLOAD_U64: jtext_f(t, ", \"payload\": %lu", x->payload); break;
	case PAYLOAD_I64: jtext_f(t, ", \"payload\": %ld", (int64_t)x->payload); break;
	case PAYLOAD_REAL: jtext_f(t, ", \"payload\": %g", real); break;
	}
}

static void put_name(struct jtext *t, const struct name *name)
{
	jtext_put(t, name->json, name->n);
}

/* Domain, category, color, payload: what was given. */
static void put_given(struct session *s, struct jtext *t, const struct range_text *x)
{
	struct name category;
	char color[16];

	if (x->domain && x->domain->name.n) {
		JTEXT_LIT(t, ", \"domain\": ");
		put_name(t, &x->domain->name);
	}
	if (x->category) {
		category = ranges_category_name(&s->ranges, x);
		JTEXT_LIT(t, ", \"category\": ");
		if (category.n)
			put_name(t, &category);
		else
			jtext_u64(t, x->category);
	}
	if (x->has_color) {
		(void)snprintf(color, sizeof(color), "%08x", x->color);
		jtext_f(t, ", \"color\": \"#%s\"", color);
	}
	put_payload(t, x);
}

static void write_range(struct session *s, const struct range_event *e, int64_t tid)
{
	struct emit *m = &s->emit;

	emit_slice(m, "user_annotation", m->pid, tid, e->start_ns, e->end_ns);
	put_name(m->t, &e->text.name);
	jtext_f(m->t, ", \"args\": {\"External id\": %lu", e->id);
	put_given(s, m->t, &e->text);
	if (e->type == RANGE_LANE)
		jtext_f(m->t, ", \"start_thread\": %u", e->thread);
	emit_done(m);
}

static void write_mark(struct session *s, const struct range_event *e)
{
	struct emit *m = &s->emit;

	emit_open(m);
	jtext_f(m->t, "{\"ph\": \"i\", \"s\": \"t\", \"cat\": \"nvtx\", \"pid\": %d, \"tid\": %u, ",
		m->pid, e->thread);
	emit_ts(m, e->start_ns);
	JTEXT_LIT(m->t, ", \"name\": ");
	put_name(m->t, &e->text.name);
	jtext_f(m->t, ", \"args\": {\"thread\": %u", e->thread);
	put_given(s, m->t, &e->text);
	emit_done(m);
}

void ranges_write(struct session *s, const struct range_event *e)
{
	struct emit *m = &s->emit;

	if (e->type == RANGE_THREAD_NAME) {
		emit_name_thread(m, e->thread, e->text.name.json, e->text.name.n);
		return;
	}
	if (!windows_hold(&m->view, e->start_ns, e->end_ns))
		return;
	emit_see_thread(m, e->thread);
	if (e->type == RANGE_MARK) {
		write_mark(s, e);
	} else if (e->type == RANGE_STACK) {
		write_range(s, e, e->thread);
	} else {
		emit_see_range_lane(m, e->row);
		write_range(s, e, (int64_t)e->row + EMIT_RANGE_LANE);
	}
}
