/* The second reading: events that are kept, to a writer. */
#include "edit/cut.h"

#include "analyze/input/load.h"
#include "analyze/trace/cutnote.h"
#include "edit/stateful_events.h"

/* Events whose text was broken, written anew from what could be read of them. */

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
	if (t.n > 0 && ALL(i, t.n, memchr("0123456789-+.eE", t.p[i], 15)))
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

/* Appends the event as JSON: its own members, and the arguments that were read. */
static void rewrite_broken(const struct tap_event *event, struct str *out)
{
	const struct raw_event *raw = event->raw;

	str_addf(out, "{\"ph\": \"%c\"", raw_has(raw, RAW_PH) ? raw->ph : 'X');
	put_field(out, "cat", raw_has(raw, RAW_CAT), raw->cat, true);
	put_field(out, "name", raw_has(raw, RAW_NAME), raw->name, true);
	put_field(out, "pid", raw_has(raw, RAW_PID), raw->pid, false);
	put_field(out, "tid", raw_has(raw, RAW_TID), raw->tid, false);
	put_field(out, "ts", raw_has(raw, RAW_TS), raw->ts, false);
	put_field(out, "dur", raw_has(raw, RAW_DUR), raw->dur, false);
	if (raw->found) {
		const char *comma = "";
		str_adds(out, ", \"args\": {");
		for (EACH(const struct plan_key, key, event->plan->slot, PLAN_SLOTS)) {
			if (!key->used || !raw_found(event->raw, key->id))
				continue;
			str_addf(out, "%s\"%s\": ", comma, key->text);
			if (event->raw->quoted >> key->id & 1)
				put_string(out, event->raw->arg[key->id]);
			else
				str_add(out, event->raw->arg[key->id].p,
					event->raw->arg[key->id].n);
			comma = ", ";
		}
		str_addc(out, '}');
	}
	str_addc(out, '}');
}

/* What the tap leaves in a batch. */
enum { KEPT_TEXT, CHUNK_TEXT, MEMO_TEXT, BESIDE_TEXT };

struct cutting {
	struct cut *c;
	struct writer *w;
	struct stateful beside;
};

/* Its parts as the changes have them; false: it goes. */
static bool change_event(struct cut *c, const struct tap_event *event, const struct facts *f,
	struct parts *parts, struct arena *mem)
{
	struct changing changing = { event, f, parts, mem };

	for (size_t i = 0; i < c->nchange; i++)
		if (!c->change[i].apply(c->change[i].ctx, &changing)) {
			(void)atomic_fetch_add(&c->nunreadable, 1);
			return false;
		}
	return true;
}

/* Appends an event that is kept, as the changes have it; false: it goes after all. */
static bool put_event(struct cut *c, struct batch *b, const struct tap_event *event,
	const struct facts *f, const char *before, struct str *out)
{
	bool is_plain = c->nchange == 0;
	struct parts parts;

	if (!is_plain && !event->is_mended && parts_read(&parts, event->text)) {
		if (!change_event(c, event, f, &parts, &b->mem))
			return false;
		str_adds(out, before);
		parts_put(&parts, out);
		return true;
	}
	if (!is_plain && ANY(i, c->nchange, c->change[i].is_strict)) {
		(void)atomic_fetch_add(&c->nunreadable, 1);
		return false;
	}
	str_adds(out, before);
	if (event->is_mended)
		rewrite_broken(event, out);
	else
		str_add(out, event->text.p, event->text.n);
	return true;
}

static void note_beside(struct cut *c, struct batch *b, const struct tap_event *event,
	const struct facts *f, enum stateful_what what)
{
	SCOPED_STR where = { 0 }, text = { 0 };
	struct span pid = raw_pid(event->raw), tid = raw_tid(event->raw), name, id = { 0 };
	struct parts parts;

	name = raw_name(event->raw);
	if (what == STATEFUL_COUNTER && parts_read(&parts, event->text))
		id = parts_text(&parts, "id");
	str_addf(&where, "%d", what == STATEFUL_COUNTER);
	str_add(&where, pid.p, pid.n);
	str_addc(&where, '\0');
	str_add(&where, what == STATEFUL_COUNTER ? name.p : tid.p,
		what == STATEFUL_COUNTER ? name.n : tid.n);
	str_addc(&where, '\0');
	if (id.p)
		str_add(&where, id.p, id.n);
	if (put_event(c, b, event, f, "", &text))
		stateful_note(&b->tapped.text[BESIDE_TEXT], what, f->start,
			what == STATEFUL_END || choice_passes(&c->choice, b, event, f),
			(struct span){ where.s, where.n }, (struct span){ text.s, text.n });
}

static void take_event(void *ctx, struct batch *b, const struct tap_event *event)
{
	struct cutting *x = ctx;
	struct facts f = choice_facts(event, b);
	enum stateful_what what = stateful_what(f.ph);

	if (what != STATEFUL_OTHER && f.has_time)
		note_beside(x->c, b, event, &f, what);
	else if (choice_keeps(&x->c->choice, b, event, &f))
		b->tapped.n += put_event(x->c, b, event, &f, ",\n", &b->tapped.text[KEPT_TEXT]);
}

static void end_window(void *ctx, struct batch *b)
{
	struct cutting *x = ctx;
	const struct str *text = &b->tapped.text[KEPT_TEXT];

	writer_encode(x->w, (struct span){ text->s, text->n }, &b->tapped.text[CHUNK_TEXT]);
}

static enum status put_window(void *ctx, struct batch *b, struct err *e)
{
	struct cutting *x = ctx;
	const struct str *text = &b->tapped.text[KEPT_TEXT];
	SCOPED_STR beside = { 0 };

	if (x->c->choice.err.status != OK) {
		*e = x->c->choice.err;
		return e->status;
	}
	x->c->kept += b->tapped.n;
	enum status st =
		writer_put(x->w, (struct span){ text->s, text->n }, &b->tapped.text[CHUNK_TEXT], e);
	stateful_take(&x->beside, &b->tapped.text[BESIDE_TEXT], &beside, &x->c->kept);
	THEN(st, writer_put_events(x->w, (struct span){ beside.s, beside.n }, e));
	return st;
}

static void no_members(void *ctx UNUSED, const struct batch_member *v UNUSED, size_t n UNUSED)
{
}

/* --no-args. */
static bool drop_args(void *ctx UNUSED, struct changing *c)
{
	struct part_of *args = parts_find(c->parts, "args");
	const struct part_of *ph = parts_find(c->parts, "ph");

	/* Names, numbers of counters and who launched what are no decoration. */
	if (!args || (ph && (span_is(ph->value, "\"M\"") || span_is(ph->value, "\"C\""))))
		return true;
	args->is_gone = true;
	return true;
}

enum status cut_survey(struct cut *c, const char *path, const struct cut_want *want,
	const struct load_options *o, struct err *e)
{
	for (size_t i = 0; i < c->ncompanion; i++)
		c->change[c->nchange++] = c->companion[i].change;
	if (want->no_args)
		c->change[c->nchange++] = (struct change){ .apply = drop_args };
	c->survey.companion = c->companion;
	c->survey.ncompanion = c->ncompanion;
	TRY(choice_init(&c->choice, &want->filter, e));
	c->choice.no_python = want->no_python;
	return survey_make(&c->survey, &c->choice, path, want, o, e);
}

static enum status end_beside(struct cutting *x, struct err *e)
{
	struct cut *c = x->c;
	SCOPED_STR beside = { 0 };

	stateful_end(&x->beside, &beside, &c->kept);
	for (size_t i = 0; i < c->ncompanion; i++)
		if (c->companion[i].more)
			c->companion[i].more(c->companion[i].ctx, c);
	str_add(&beside, c->more.s, c->more.n);
	return writer_put_events(x->w, (struct span){ beside.s, beside.n }, e);
}

enum status cut_write(struct cut *c, const char *path, const struct cut_want *want,
	const struct load_options *o, struct writer *w, struct err *e)
{
	struct cutting x = { .c = c, .w = w };
	const struct tap tap = { .event = take_event,
		.scanned = end_window,
		.window = put_window,
		.members = no_members,
		.ctx = &x };
	struct load_options second = *o;
	struct run run;

	second.needs = NEED_LINKS;
	second.kinds = KINDS_CALLS;
	second.is_rowless = true;
	second.tap = &tap;
	stateful_init(&x.beside, &c->choice, want->sample_ns, c->survey.first);
	enum status st = load_single(path, &second, &run, e);
	if (st == OK)
		run_clear(&run);
	THEN(st, end_beside(&x, e));
	stateful_clear(&x.beside);
	return st;
}

static struct span changed(struct cut *c, struct span key, struct span value, bool quoted)
{
	for (size_t i = 0; i < c->nchange && value.p; i++)
		if (c->change[i].member)
			value = c->change[i].member(
				c->change[i].ctx, key, value, quoted, &c->survey.mem);
	return value;
}

struct span cut_member(struct cut *c, struct span key, struct span value)
{
	return changed(c, key, value, false);
}

struct document cut_document(struct cut *c)
{
	struct survey *s = &c->survey;
	size_t n = 0;

	for (size_t i = 0; i < s->nmember; i++) {
		struct batch_member m = s->member[i];

		m.value = changed(c, m.key, m.value, m.quoted);
		if (m.value.p)
			s->member[n++] = m;
	}
	s->nmember = n;
	return (struct document){ s->member, s->nmember,
		s->note.n ? (struct span){ s->note.s, s->note.n } : s->had, CUTNOTE_KEY, NULL };
}

void cut_more(struct cut *c, char ph, struct span text)
{
	struct raw_event raw = { .ph = ph };
	const struct tap_event event = { .raw = &raw, .text = text, .offset = -1 };
	const struct facts facts = { .kind = KIND_OTHER, .ph = ph, .has_time = ph != 'M' };
	SCOPED_ARENA mem = { 0 };
	struct parts parts;

	if (parts_read(&parts, text) && change_event(c, &event, &facts, &parts, &mem)) {
		c->nmore++;
		str_adds(&c->more, ",\n");
		parts_put(&parts, &c->more);
	}
}

void cut_clear(struct cut *c)
{
	for (size_t i = 0; i < c->ncompanion; i++)
		if (c->companion[i].clear)
			c->companion[i].clear(c->companion[i].ctx);
	survey_clear(&c->survey);
	choice_clear(&c->choice);
	str_free(&c->more);
}
