/* Emitting events: a raw event is put together and decoded. */
#include "analyze/input/format/emit_events.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "analyze/input/events/merge_batches.h"

void emitter_init(struct emitter *m, const struct plan *plan)
{
	m->plan = plan;
	m->text_keys = 0;
	memset(m->cat, 0, sizeof(m->cat));
	for (unsigned i = 0; i < ARG_COUNT; i++)
		if (plan->key_of[i] != PLAN_NO_KEY && arg_infos[i].type == ARG_SYM)
			m->text_keys |= UINT64_C(1) << plan->key_of[i];
	batch_init(&m->batch, plan->needs, plan->seed);
	m->batch.is_plain = true;
	m->named = (struct phrase){ 0 };
	batch_reset(&m->batch);
	raw_begin(&m->raw, NULL);
}

void emitter_clear(struct emitter *m)
{
	batch_clear(&m->batch);
}

struct span emit_keep(struct emitter *m, struct span text)
{
	char *p = arena_alloc(&m->batch.mem, text.n + EMIT_PADDING);

	if (text.n)
		memcpy(p, text.p, text.n);
	memset(p + text.n, ' ', EMIT_PADDING);
	return (struct span){ p, text.n };
}

struct span emit_keepf(struct emitter *m, const char *fmt, ...)
{
	va_list ap, again;
	int n;
	char *p;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	p = arena_alloc(&m->batch.mem, (size_t)n + 1 + EMIT_PADDING);
	(void)vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	memset(p + n, ' ', EMIT_PADDING);
	return (struct span){ p, (size_t)n };
}

/* Categories are constants of readers, mostly: kept once a batch. */
static struct span kept_category(struct emitter *m, struct span cat)
{
	struct span *kept = &m->cat[((uintptr_t)cat.p >> 2) % EMIT_CATS];

	if (!kept->p || kept->n != cat.n || memcmp(kept->p, cat.p, cat.n) != 0)
		*kept = emit_keep(m, cat);
	return *kept;
}

void emit_begin(struct emitter *m, char ph, struct span cat, struct span name)
{
	raw_begin(&m->raw, NULL);
	m->raw.ph = ph;
	m->raw.have = RAW_PH;
	if (cat.p) {
		m->raw.cat = kept_category(m, cat);
		m->raw.have |= RAW_CAT;
	}
	if (name.p) {
		m->raw.name = name;
		m->raw.have |= RAW_NAME;
	}
}

void emit_category(struct emitter *m, struct span cat)
{
	m->raw.cat = cat;
	m->raw.have |= RAW_CAT;
}

void emit_lane(struct emitter *m, struct span pid, struct span tid)
{
	m->raw.pid = pid;
	m->raw.tid = tid;
	m->raw.have |= RAW_PID | RAW_TID;
}

void emit_lane_memo(struct emitter *m, struct span pid, struct span tid, struct phrase *memo)
{
	emit_lane(m, pid, tid);
	m->raw.placed_by = memo;
}

uint32_t emit_name_number(struct emitter *m, struct span name)
{
	return batch_text(&m->batch, name, -1);
}

void emit_named(struct emitter *m, uint32_t number)
{
	m->named.name_id = number + 1;
	m->raw.named_by = &m->named;
}

static void put(struct emitter *m, uint8_t key, struct span value, bool quoted)
{
	uint64_t bit = UINT64_C(1) << key;

	m->raw.arg[key] = value;
	m->raw.found |= bit;
	if (quoted)
		m->raw.quoted |= bit;
	else
		m->raw.quoted &= ~bit;
}

/* A number's text of n bytes stands in its place in digits; kept where it will be a name. */
static void put_digits(struct emitter *m, uint8_t key, int n)
{
	struct span t = { m->digits[key], (size_t)n };

	put(m, key, m->text_keys >> key & 1 ? emit_keep(m, t) : t, false);
}

/* v in decimal digits; returns how many. */
static int decimal(char *to, uint64_t v, bool negative)
{
	char back[24];
	int n = 0, at = 0;

	do {
		back[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	if (negative)
		to[at++] = '-';
	for (int i = n; i > 0; i--)
		to[at++] = back[i - 1];
	return at;
}

void emit_int(struct emitter *m, uint8_t key, int64_t value)
{
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	if (key != PLAN_NO_KEY)
		put_digits(m, key, decimal(m->digits[key], size, value < 0));
}

void emit_uint(struct emitter *m, uint8_t key, uint64_t value)
{
	if (key != PLAN_NO_KEY)
		put_digits(m, key, decimal(m->digits[key], value, false));
}

void emit_real(struct emitter *m, uint8_t key, double value)
{
	if (key != PLAN_NO_KEY && isfinite(value))
		put_digits(m, key, snprintf(m->digits[key], EMIT_DIGITS, "%.17g", value));
}

void emit_text(struct emitter *m, uint8_t key, struct span value)
{
	if (key != PLAN_NO_KEY)
		put(m, key, value, true);
}

void emit_json(struct emitter *m, uint8_t key, struct span value)
{
	if (key != PLAN_NO_KEY)
		put(m, key, value, false);
}

void emit_vec3(struct emitter *m, uint8_t key, int64_t x, int64_t y, int64_t z)
{
	if (key == PLAN_NO_KEY)
		return;
	int n = snprintf(m->digits[key], EMIT_DIGITS, "[%" PRId32 ", %" PRId32 ", %" PRId32 "]",
		(int32_t)x, (int32_t)y, (int32_t)z);
	put_digits(m, key, n);
}

void emit_end(struct emitter *m, nsec start, nsec dur, int64_t offset)
{
	decode_timed(m->plan, &m->batch, &m->raw, start, dur, offset);
}

uint32_t emit_pending(struct emitter *m, nsec start, int64_t offset)
{
	struct batch *b = &m->batch;
	size_t before = b->events.n;

	decode_timed(m->plan, b, &m->raw, start, DECODE_OPEN, offset);
	if (b->events.n > before)
		return (uint32_t)before;
	const struct batch_cat *cat = &b->cat[m->raw.kind_cat - 1];
	if (cat->kind == KIND_SPAN)
		return EMIT_UNKEPT_SPAN;
	return cat->present ? EMIT_UNKEPT : EMIT_UNKEPT_BARE;
}

bool emit_form_begin(const struct emitter *m, uint32_t row, nsec start, struct emit_form *to)
{
	to->unkept = row;
	return form_begin(
		&to->form, &m->batch, &m->raw, row >= EMIT_UNKEPT_FIRST ? NO_ROW : row, start);
}

int emit_form_number(const struct emitter *m, struct emit_form *f, uint8_t key)
{
	return form_number(&f->form, m->plan, &m->raw, key);
}

void emit_counts(struct emitter *m, char ph, struct span cat, uint32_t n)
{
	if (n == 0)
		return;
	emit_begin(m, ph, cat, (struct span){ 0 });
	decode_counted(&m->batch, &m->raw, n);
}

void emit_count(struct emitter *m, char ph, struct span cat)
{
	emit_counts(m, ph, cat, 1);
}

static void add_name(struct emitter *m, enum name_what what, struct span pid,
	const struct span *tid, struct span value)
{
	struct batch *b = &m->batch;
	struct batch_name n = { .what = what, .has_tid = tid != NULL };

	n.pid = batch_text(b, pid, -1);
	n.tid = batch_text(b, tid ? *tid : RAW_NOTHING, -1);
	n.value = batch_text(b, value, -1);
	b->name = array_grow(b->name, &b->name_cap, b->nname + 1, sizeof(*b->name));
	b->name[b->nname++] = n;
}

void emit_process_name(struct emitter *m, struct span pid, struct span name)
{
	add_name(m, NAME_PROCESS, pid, NULL, name);
}

void emit_process_labels(struct emitter *m, struct span pid, struct span labels)
{
	add_name(m, NAME_LABELS, pid, NULL, labels);
}

void emit_thread_name(struct emitter *m, struct span pid, struct span tid, struct span name)
{
	add_name(m, NAME_THREAD, pid, &tid, name);
}

void emit_member(struct emitter *m, const char *key, struct span value, bool quoted)
{
	struct batch *b = &m->batch;

	b->member = array_grow(b->member, &b->member_cap, b->nmember + 1, sizeof(*b->member));
	b->member[b->nmember++] = (struct batch_member){ emit_keep(m, span_of(key)),
		emit_keep(m, value), quoted, false };
}

void emit_quote(struct str *to, struct span text)
{
	str_addc(to, '"');
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c == '"' || c == '\\')
			str_addc(to, '\\');
		str_addc(to, c < 0x20 ? ' ' : (char)c);
	}
	str_addc(to, '"');
}

void emit_gpu_begin(struct str *list, int64_t id, struct span name)
{
	str_addf(list, "%s{\"id\": %" PRId64, list->n ? ", " : "[", id);
	if (name.p) {
		str_adds(list, ", \"name\": ");
		emit_quote(list, name);
	}
}

void emit_gpu_number(struct str *list, const char *key, int64_t value)
{
	str_addf(list, ", \"%s\": %" PRId64, key, value);
}

void emit_gpus(struct emitter *m, struct str *list)
{
	if (list->n) {
		str_addc(list, ']');
		emit_member(m, "deviceProperties", (struct span){ list->s, list->n }, false);
	}
	str_free(list);
}

void emit_problem(struct emitter *m, enum problem p, int64_t offset)
{
	batch_problem(&m->batch, p, offset);
}

enum status emit_merge(struct emit_sink *to, struct emitter *m, struct err *e)
{
	enum status st = merge_batch(to->run, to->g, &m->batch, e);

	batch_reset(&m->batch);
	memset(m->cat, 0, sizeof(m->cat));
	return st;
}
