/*
 * NVTX events to lines of the file.
 */
#include <string.h>

#include "capture/inject/session.h"

static void put_color(struct jtext *t, uint32_t argb)
{
	static const char hex[] = "0123456789abcdef";
	int i;

	JTEXT_LIT(t, ", \"color\": \"#");
	for (i = 28; i >= 0; i -= 4)
		jtext_put(t, &hex[argb >> i & 15], 1);
	JTEXT_LIT(t, "\"");
}

static void put_payload(struct jtext *t, const struct range_text *x)
{
	double real;

	if (x->payload_type == PAYLOAD_NONE)
		return;
	JTEXT_LIT(t, ", \"payload\": ");
	memcpy(&real, &x->payload, sizeof(real));
	switch (x->payload_type) {
	case PAYLOAD_U64: jtext_u64(t, x->payload); break;
	case PAYLOAD_I64: jtext_i64(t, (int64_t)x->payload); break;
	default: jtext_real(t, real); break;
	}
}

/* Domain, category, color, payload: what was given. */
static void put_given(struct session *s, struct jtext *t, const struct range_text *x)
{
	struct name category;

	if (x->domain && x->domain->name.n) {
		JTEXT_LIT(t, ", \"domain\": ");
		jtext_put(t, x->domain->name.json, x->domain->name.n);
	}
	if (x->category) {
		category = ranges_category_name(&s->ranges, x);
		JTEXT_LIT(t, ", \"category\": ");
		if (category.n)
			jtext_put(t, category.json, category.n);
		else
			jtext_u64(t, x->category);
	}
	if (x->has_color)
		put_color(t, x->color);
	put_payload(t, x);
}

static void write_range(struct session *s, const struct range_event *e, int64_t tid)
{
	struct emit *m = &s->emit;

	emit_open(m);
	emit_slice(m, "user_annotation", m->pid, tid, e->start_ns, e->end_ns);
	JTEXT_LIT(m->t, ", \"name\": ");
	jtext_put(m->t, e->text.name.json, e->text.name.n);
	JTEXT_LIT(m->t, ", \"args\": {\"External id\": ");
	jtext_u64(m->t, e->id);
	put_given(s, m->t, &e->text);
	if (e->type == RANGE_LANE) {
		JTEXT_LIT(m->t, ", \"start_thread\": ");
		jtext_u64(m->t, e->thread);
	}
	JTEXT_LIT(m->t, "}}");
	emit_close(m);
}

static void write_mark(struct session *s, const struct range_event *e)
{
	struct emit *m = &s->emit;

	emit_open(m);
	JTEXT_LIT(m->t, "{\"ph\": \"i\", \"s\": \"t\", \"cat\": \"nvtx\", \"pid\": ");
	jtext_i64(m->t, m->pid);
	JTEXT_LIT(m->t, ", \"tid\": ");
	jtext_u64(m->t, e->thread);
	JTEXT_LIT(m->t, ", ");
	emit_ts(m, e->start_ns);
	JTEXT_LIT(m->t, ", \"name\": ");
	jtext_put(m->t, e->text.name.json, e->text.name.n);
	JTEXT_LIT(m->t, ", \"args\": {\"thread\": ");
	jtext_u64(m->t, e->thread);
	put_given(s, m->t, &e->text);
	JTEXT_LIT(m->t, "}}");
	emit_close(m);
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
