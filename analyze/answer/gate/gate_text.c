/* `gate`: figures and sentences as a person reads them. */
#include "analyze/answer/gate/gate.h"
#include "base/unit.h"

/* The builder's text in the result's memory. */
static const char *kept(const struct gate *g, struct str *b)
{
	const char *text = arena_copy(&g->out->mem, b->s ? b->s : "", b->n);

	str_free(b);
	return text;
}

static void put_value(struct str *b, double v, enum unit unit)
{
	struct unit_range range = { 0 };

	if (isnan(v)) {
		str_adds(b, "-");
		return;
	}
	switch (unit) {
	case UNIT_NS: unit_put_time(b, v); return;
	case UNIT_BYTES: unit_put_bytes(b, v); return;
	case UNIT_RATIO: unit_put_percent(b, v); return;
	default: unit_range_add(&range, v); unit_put(b, v, unit_scale_plain(range));
	}
}

/* With a sign also where it is above 0. */
static void put_signed(struct str *b, double v, enum unit unit)
{
	str_adds(b, v < 0 ? "-" : "+");
	put_value(b, fabs(v), unit);
}

/* A ratio 0.05 as 5%, 0.125 as 12.5%. */
static void put_short_percent(struct str *b, double ratio, const char *suffix)
{
	double percent = ratio * 100;

	unit_put_fixed(b, percent, fabs(percent - round(percent)) < 0.005 ? 0 : 1);
	str_adds(b, suffix);
}

enum unit gate_unit(const struct gate_answer *a)
{
	if (a->now)
		return a->now->unit;
	return a->base ? a->base->unit : UNIT_NONE;
}

static bool is_points(const struct gate_answer *a)
{
	return a->base && a->base->is_points && a->base->unit == UNIT_RATIO;
}

const char *gate_text_value(const struct gate *g, double v, enum unit unit)
{
	struct str b = { 0 };

	put_value(&b, v, unit);
	return kept(g, &b);
}

const char *gate_text_tolerance(const struct gate *g, const struct gate_answer *a)
{
	const struct gate_rule *r = a->rule;
	struct str b = { 0 };

	if (gate_is_most(r)) {
		str_adds(&b, "at most ");
		put_value(&b, r->tolerance, UNIT_COUNT);
	} else if (r->def->kind == GATE_PARTS && !(r->tolerance > 0 || r->limit > 0)) {
		str_adds(&b, "none");
	} else if (a->is_lowered && !(a->change.is_difference && !is_points(a))) {
		put_short_percent(&b, a->change.is_difference ? a->tolerance : expm1(a->tolerance),
			is_points(a) ? " pt" : "%");
	} else if (a->is_lowered) {
		put_value(&b, a->tolerance, gate_unit(a));
	} else if (r->limit > 0 &&
		(isinf(r->tolerance) || r->limit < r->tolerance * fabs(a->change.base))) {
		put_value(&b, r->limit, gate_unit(a));
	} else if (r->floor > 0 && r->floor > r->tolerance * fabs(a->change.base)) {
		put_value(&b, r->floor, gate_unit(a));
	} else {
		put_short_percent(&b, r->tolerance, is_points(a) ? " pt" : "%");
	}
	return kept(g, &b);
}

const char *gate_text_ratio(
	const struct gate *g, double from, double to, enum unit unit, bool is_points, int digits)
{
	double change = is_points ? to - from : (to - from) / fabs(from);
	double shown = round(fabs(change) * pow(10, 2 + digits));
	struct str b = { 0 };

	if (is_points && unit != UNIT_RATIO) {
		put_signed(&b, to - from, unit);
	} else if (!is_points && from == 0 && to != 0) {
		str_adds(&b, "from 0 to ");
		put_value(&b, to, unit);
	} else {
		str_adds(&b, change < 0 && shown > 0 ? "-" : "+");
		unit_put_fixed(&b, from == to ? 0 : fabs(change) * 100, digits);
		str_adds(&b, is_points ? " pt" : "%");
	}
	return kept(g, &b);
}

/* A change on the scale that is shown: ratio, points or the unit itself. */
static void put_change(struct str *b, const struct gate_answer *a, double v)
{
	if (is_points(a)) {
		str_adds(b, v < 0 ? "-" : "+");
		unit_put_fixed(b, fabs(v) * 100, 1);
		str_adds(b, " pt");
	} else if (a->change.is_difference) {
		put_signed(b, v, gate_unit(a));
	} else {
		put_signed(b, v, UNIT_RATIO);
	}
}

const char *gate_text_change(const struct gate *g, const struct gate_answer *a)
{
	struct str b = { 0 };

	if (gate_is_most(a->rule) || isnan(a->change.delta))
		return NULL;
	double shown = a->change.is_difference ? a->change.delta : a->change.ratio;
	if (fabs(shown) < 0.0005 && (is_points(a) || !a->change.is_difference))
		shown = 0; /* "-0.0%" is no news */
	put_change(&b, a, shown);
	return kept(g, &b);
}

const char *gate_text_interval(const struct gate *g, const struct gate_answer *a)
{
	struct str b = { 0 };

	if (isnan(a->change.lo) || isnan(a->change.hi) || a->change.is_exact ||
		!(a->change.change.se > 0))
		return NULL;
	put_change(&b, a, a->change.lo);
	str_adds(&b, " .. ");
	put_change(&b, a, a->change.hi);
	return kept(g, &b);
}

static void put_noisy(struct str *b, const struct gate_answer *a)
{
	str_adds(b, "; the estimate is beyond the tolerance, but noise alone may explain it");
	if (!isnan(a->answer.needed)) {
		str_adds(b, "; ");
		unit_put_count(b, saturate_whole(MIN(a->answer.needed, 1e6)));
		str_adds(b, " runs a side would decide");
	}
}

static void put_weak(struct str *b, const struct gate_answer *a)
{
	double most = a->change.is_difference ? a->answer.hi : expm1(a->answer.hi);

	str_adds(b, "; weak: ");
	if (a->change.is_difference && !is_points(a))
		put_value(b, most, gate_unit(a));
	else
		unit_put_percent(b, most);
	str_adds(b, " worse is not excluded");
}

/* step_time +21.7% (62.40 ms -> 75.92 ms), interval +17.5% .. +26.0%, tolerance 5% */
const char *gate_text_message(const struct gate *g, const struct gate_answer *a)
{
	const char *change = gate_text_change(g, a), *interval = gate_text_interval(g, a);
	struct str b = { 0 };

	str_adds(&b, a->rule->id);
	if (a->state == VERDICT_IS_SKIP || (a->why && a->since == a->why)) {
		str_addf(&b, ": %s", a->why);
		return kept(g, &b);
	}
	if (change)
		str_addf(&b, " %s", change);
	str_adds(&b, change ? " (" : " ");
	if (change) {
		put_value(&b, a->change.base, gate_unit(a));
		str_adds(&b, " -> ");
	}
	put_value(&b, a->change.now, gate_unit(a));
	str_adds(&b, change ? ")" : "");
	if (interval)
		str_addf(&b, ", interval %s", interval);
	if (a->rule->def->kind == GATE_NEW && a->now && a->change.now > 0)
		str_addf(&b, " (%s%s)", a->now->title, a->change.now > 1 ? ", ..." : "");
	str_addf(&b, ", tolerance %s", gate_text_tolerance(g, a));
	if (a->since)
		str_addf(&b, ", %s", a->since);
	if (a->rule->accepted != 1) {
		str_adds(&b, ", accepted ratio ");
		unit_put_real(&b, a->rule->accepted);
		if (a->rule->reason)
			str_addf(&b, " (%s)", a->rule->reason);
	}
	if (a->few)
		str_addf(&b, "; weak: %s, fails beyond %.1f x the tolerance", a->few, GATE_FEW);
	else if (a->answer.decision == DECISION_NOISY)
		put_noisy(&b, a);
	else if (a->answer.is_weak)
		put_weak(&b, a);
	return kept(g, &b);
}

const char *gate_text_state(const struct gate *g, enum verdict_state s)
{
	const char *word = verdict_state_word(s);
	char *text = arena_copy(&g->out->mem, word, strlen(word));

	/* what is bad is in capitals: words are seen where colours are not */
	for (char *p = text; s >= VERDICT_IS_CHANGED && *p; p++)
		*p = (char)(*p - 'a' + 'A');
	return text;
}
