/*
 * Why: sentences of a contrast's ledger, work and conditions.
 */
#include "analyze/compare/why.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/compare/contrast.h"
#include "analyze/measure/classes.h"
#include "analyze/trace/run.h"
#include "base/unit.h"

enum { CONFIGS_MAX = 5, TEXT_CUT = 90 };

struct talk {
	struct why *w;
	const struct contrast *c;
	struct arena *mem;
};

static void say(struct talk *t, struct str *b)
{
	t->w->text[t->w->n++] = (struct span){ arena_copy(t->mem, b->s, b->n), b->n };
	str_free(b);
}

/* "+9.62 ms" */
static void add_delta(struct str *b, double ns)
{
	str_addc(b, ns < 0 ? '-' : '+');
	unit_put_time(b, fabs(ns));
}

/* A name, cut in the middle when it is long. */
static void add_name(struct talk *t, struct str *b, const struct opsum_key *key)
{
	struct span s = span_of(opsum_name(key, t->mem));

	if (s.n <= TEXT_CUT) {
		str_add(b, s.p, s.n);
		return;
	}
	str_add(b, s.p, TEXT_CUT / 2);
	str_adds(b, "...");
	str_add(b, s.p + s.n - TEXT_CUT / 2, TEXT_CUT / 2);
}

static void add_count(struct str *b, double calls)
{
	unit_put_real(b, round(calls * 100) / 100);
}

static void add_calls(struct str *b, double calls)
{
	add_count(b, calls);
	str_adds(b, calls == 1 ? " call" : " calls");
}

/* " has 12 calls per step (was 4) of 905 us each (was 310 us)" */
static void add_effect(struct str *b, const struct contrast_row *row)
{
	double m0 = (double)row->base_ns / row->base_calls;
	double m1 = (double)row->now_ns / row->now_calls;

	if (row->status == CONTRAST_NEW || row->status == CONTRAST_REMOVED) {
		str_adds(b, row->status == CONTRAST_NEW ? " is new: " : " is gone: ");
		unit_put_time(
			b, (double)(row->status == CONTRAST_NEW ? row->now_ns : row->base_ns));
		str_adds(b, " in ");
		add_calls(b, row->status == CONTRAST_NEW ? row->now_calls : row->base_calls);
		str_adds(b, " per step");
		return;
	}
	str_adds(b, " has ");
	add_calls(b, row->now_calls);
	str_adds(b, " per step");
	if (fabs(row->now_calls - row->base_calls) > 0.005 * row->base_calls) {
		str_adds(b, " (was ");
		add_count(b, row->base_calls);
		str_addc(b, ')');
	}
	if (m0 > 0 && fabs(m1 / m0 - 1) >= 0.02) {
		str_adds(b, " of ");
		unit_put_time(b, m1);
		str_adds(b, " each (was ");
		unit_put_time(b, m0);
		str_addc(b, ')');
	}
}

/* The part that explains most of the step's change, details before what they are details of. */
static const struct contrast_part *main_part(const struct contrast_ledger *l, bool details)
{
	int64_t whole = l->now - l->base, best_delta = 0;
	const struct contrast_part *best = NULL;
	size_t i;

	for (i = 0; i < l->n; i++) {
		int64_t delta = l->part[i].now - l->part[i].base;

		if (l->part[i].is_detail != details || (delta > 0) != (whole > 0))
			continue;
		if (llabs(delta) > llabs(best_delta)) {
			best = &l->part[i];
			best_delta = delta;
		}
	}
	return best;
}

/* Whether device work can be behind a part of the ledger. */
static bool belongs(const struct contrast_row *row, enum digest_part part)
{
	switch (part) {
	case PART_MEMCPY: return row->key.kind == KIND_MEMCPY;
	case PART_COMM: return row->key.kind == KIND_KERNEL && run_is_comm_name(row->key.name);
	case PART_COMPUTE: return row->key.kind != KIND_MEMCPY && !run_is_comm_name(row->key.name);
	default: return false;
	}
}

/* The row that changed most the step's way; part: only work behind it, PART_COUNT: any. */
static const struct contrast_row *main_row(
	const struct contrast *c, const struct contrast_rows *r, enum digest_part part)
{
	bool slower = c->ledger.now > c->ledger.base;
	const struct contrast_row *best = NULL;
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct contrast_row *row = &r->v[i];

		if ((row->a.delta > 0) != slower || row->a.delta == 0 ||
			(part != PART_COUNT && !belongs(row, part)))
			continue;
		if (!best || llabs(row->a.delta) > llabs(best->a.delta))
			best = row;
	}
	return best;
}

static void add_share(struct str *b, const struct contrast *c, int64_t delta)
{
	str_addf(b, "%.0f%%", 100 * (double)delta / (double)(c->ledger.now - c->ledger.base));
}

static void add_cause(struct talk *t, struct str *b, const struct contrast_part *part)
{
	const struct contrast_row *row;

	if (t->c->ledger.is_device && part != &t->c->ledger.part[PART_IDLE])
		row = main_row(t->c, &t->c->device, (enum digest_part)(part - t->c->ledger.part));
	else
		row = main_row(t->c, &t->c->host, PART_COUNT);
	if (!row)
		return;
	str_adds(b, ": ");
	add_name(t, b, &row->key);
	add_effect(b, row);
}

static void say_cause(struct talk *t)
{
	const struct contrast_ledger *l = &t->c->ledger;
	const struct contrast_part *part = main_part(l, false), *detail = NULL;
	struct str b = { 0 };

	if (!part || l->now == l->base)
		return;
	if (l->is_device && part == &l->part[PART_IDLE])
		detail = main_part(l, true);
	add_share(&b, t->c, part->now - part->base);
	str_addf(&b, " of the %s is %s (", l->now > l->base ? "slowdown" : "speedup", part->word);
	add_delta(&b, (double)(part->now - part->base));
	str_adds(&b, " per step)");
	if (detail) {
		str_addf(&b, ", while the host is in: %s (", detail->word);
		add_delta(&b, (double)(detail->now - detail->base));
		str_addc(&b, ')');
	}
	add_cause(t, &b, part);
	say(t, &b);
}

static void say_verdict(struct talk *t)
{
	const struct change *c = &t->c->step;
	struct str b = { 0 };

	str_addf(&b, "step time: %s", change_verdict(c));
	if (c->delta != 0 && !isnan(c->ratio)) {
		str_adds(&b, ", ");
		add_delta(&b, c->delta);
		str_addf(&b, " (%+.1f%%", 100 * c->ratio);
		if (!isnan(c->lo))
			str_addf(&b, ", %+.1f%% to %+.1f%%", 100 * c->lo, 100 * c->hi);
		str_addc(&b, ')');
	}
	say(t, &b);
}

/* The largest replacements, by what was removed. */
static void say_replaced(struct talk *t, const struct contrast_rows *r)
{
	bool *said = arena_array(t->mem, r->n, sizeof(*said));
	size_t i, k, best;

	for (k = 0; k < WHY_REPLACED_MAX; k++) {
		struct str b = { 0 };

		best = SIZE_MAX;
		for (i = 0; i < r->n; i++)
			if (r->v[i].status == CONTRAST_REMOVED && r->v[i].partner != SIZE_MAX &&
				!said[i] &&
				(best == SIZE_MAX || r->v[i].base_ns > r->v[best].base_ns))
				best = i;
		if (best == SIZE_MAX)
			return;
		said[best] = true;
		add_name(t, &b, &r->v[best].key);
		str_adds(&b, " was replaced by ");
		add_name(t, &b, &r->v[r->v[best].partner].key);
		str_adds(&b, " (");
		add_delta(&b, (double)(r->v[best].a.delta + r->v[r->v[best].partner].a.delta));
		str_adds(&b, " per step)");
		say(t, &b);
	}
}

/* Names of the run itself and where it puts things: they always differ. */
static bool is_label(struct span key)
{
	static const char *const words[] = { "run_id", "name", "description", "output_dir",
		"timestamp", "log_dir" };
	size_t i;

	for (i = 0; i < COUNT_OF(words); i++)
		if (span_is(key, words[i]))
			return true;
	return false;
}

/* "configured differently: batch_size 2 -> 1, ..." */
static void say_config(struct talk *t)
{
	struct str b = { 0 };
	size_t i, n = 0;

	for (i = 0; i < t->c->ncondition; i++) {
		const struct contrast_condition *f = &t->c->condition[i];
		struct span base = f->base.n > 0 ? f->base : SPAN("-");
		struct span now = f->now.n > 0 ? f->now : SPAN("-");

		if (!f->is_config || is_label(span_of(f->key)) || n++ >= CONFIGS_MAX)
			continue;
		str_adds(&b, n == 1 ? "configured differently: " : ", ");
		str_addf(&b, "%s %.*s -> %.*s", f->key, (int)base.n, base.p, (int)now.n, now.p);
	}
	if (n > CONFIGS_MAX)
		str_addf(&b, " and %zu more", n - CONFIGS_MAX);
	if (n > 0)
		say(t, &b);
	str_free(&b);
}

void why_init(struct why *w, const struct contrast *c, struct arena *mem)
{
	struct talk t = { w, c, mem };

	w->n = 0;
	if (c->has_step)
		say_verdict(&t);
	if (c->ledger.n == 0) {
		say_config(&t);
		return;
	}
	if (c->has_step && c->step.answer.decision != DECISION_NOISY &&
		c->step.answer.decision != DECISION_PASS)
		say_cause(&t);
	say_config(&t);
	if (c->ledger.is_device)
		say_replaced(&t, &c->device);
}
