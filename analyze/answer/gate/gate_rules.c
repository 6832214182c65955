/* `gate`: the rules in force.  Built in by tier, then configuration, then options. */
#include <time.h>

#include "analyze/answer/gate/gate.h"
#include "analyze/rule/list.h"
#include "analyze/trace/regex.h"

/* ---- rules ---- */

static struct gate_rule *find(struct gate_rules *r, const char *id)
{
	return FIND(i, r->v, r->n, strcmp(r->v[i].id, id) == 0);
}

static struct gate_rule *add_rule(
	struct gate_rules *r, const char *id, const struct pair_limits *def)
{
	return PUSH(r->v, r->n, r->cap,
		(struct gate_rule){ .def = def, .id = id, .noise = NAN, .accepted = 1 });
}

/* A check nobody built in: an op rule, or a metric by its name. */
#define OPS_LIMITS \
	.suite = "ops", .tolerance = { 0.10, 0.15, 0.08, 0.05 }, .least = 0.02, .is_speed = true
static const struct pair_limits ops_def = { .id = "op", .kind = GATE_OPS, OPS_LIMITS };
static const struct pair_limits work_def = { .id = "tflops", .kind = GATE_WORK, OPS_LIMITS };
const struct pair_limits gate_named_def = {
	.id = "metric", .suite = "metrics", .tolerance = { 0.10, 0.15, 0.08, 0.05 }, .least = 0.01
};

static bool is_op(const char *id)
{
	return strncmp(id, "op:", 3) == 0 || strncmp(id, "cpu:", 4) == 0;
}

static bool is_work(const char *id)
{
	return strncmp(id, "tflops:", 7) == 0;
}

static void tier(struct gate_rule *rule, const struct gate_rules *r)
{
	enum gate_tier t = r->tier;

	rule->tolerance = rule->def->tolerance[t];
	rule->limit = rule->def->limit[t];
	rule->floor = rule->def->floor;
	rule->level = rule->def->level;
	rule->least =
		rule->def->least > 0 && !isnan(r->min_change) ? r->min_change : rule->def->least;
}

/* The rule of that id, made when it is new. */
static struct gate_rule *chosen(struct gate_rules *r, const char *id, const char *origin)
{
	struct gate_rule *rule = find(r, id);

	if (!rule) {
		rule = add_rule(r, arena_copy(r->mem, id, strlen(id)),
			is_op(id)             ? &ops_def
				: is_work(id) ? &work_def
					      : &gate_named_def);
		tier(rule, r);
	}
	if (!rule->is_chosen && rule->def->fails_if_chosen)
		rule->level = LEVEL_FAIL;
	rule->is_chosen = true;
	rule->origin = origin;
	return rule;
}

/* ---- values ---- */

/* "200MiB", "0.5ms", "12": in base units, by what the unit says. */
static enum status amount(double *out, const char *text, const char *origin, struct err *e)
{
	static const enum setting_type types[] = { SETTING_TIME, SETTING_BYTES, SETTING_NUMBER };

	for (size_t i = 0; i < COUNT_OF(types); i++) {
		const struct setting row = { "amount", types[i], "0", NULL, "" };
		struct setting_value v;
		struct err why;

		if (setting_parse(&row, text, &v, &why) != OK)
			continue;
		*out = types[i] == SETTING_NUMBER ? v.r : (double)v.i;
		return OK;
	}
	return err_set(e, E_USAGE, -1,
		"%s: '%s' is no time, size or number, such as 0.5ms or 200MiB", origin, text);
}

static enum status ratio(
	double *out, const char *text, const char *origin, enum setting_type type, struct err *e)
{
	const struct setting row = { "tolerance", type, "0", NULL, "" };
	struct setting_value v;
	struct err why;

	if (setting_parse(&row, text, &v, &why) != OK)
		return err_set(e, E_USAGE, -1, "%s: '%s' is no ratio, such as 5%%", origin, text);
	*out = v.r;
	return OK;
}

/* "2026-03-01" as days since 1970; false when it is no date. */
static bool days_of(const char *text, int64_t *days)
{
	struct tm tm = { 0 };
	const char *end = strptime(text, "%Y-%m-%d", &tm);
	int month = tm.tm_mon;

	*days = (int64_t)timegm(&tm) / 86400;
	return end && !*end && strlen(text) == 10 && tm.tm_mon == month; /* no 30th of February */
}

static enum status until(const struct setting_value *v, int64_t now_s, struct err *e)
{
	int64_t last;

	if (!days_of(v->text, &last))
		return err_set(e, E_USAGE, -1, "%s: '%s' is no date, such as 2026-03-01", v->origin,
			v->text);
	if (now_s < (last + 1) * 86400)
		return OK;
	(void)err_set(e, E_USAGE, -1, "%s: the accepted change ended with %s", v->origin, v->text);
	return err_hint(e, "look at it again: take it out, or give it a new day");
}

/* ---- configuration ---- */

enum { ID_MAX = 512 };

/* The word that stands for a * in a key, without quotes: of gate."op:x".floor op:x. */
static void word_of(const struct setting_value *v, char *out)
{
	const char *star = strchr(v->setting->key, '*');
	size_t before = (size_t)(star - v->setting->key), behind = strlen(star + 1);
	size_t n = strlen(v->key) - before - behind;
	const char *p = v->key + before;

	if (n >= 2 && p[0] == '"') {
		p++;
		n -= 2;
	}
	n = MIN(n, ID_MAX - 1);
	memcpy(out, p, n);
	out[n] = '\0';
}

static enum status accept(struct gate_rule *rule, const char *what, const struct setting_value *v,
	int64_t now_s, struct err *e)
{
	if (strcmp(what, "until") == 0)
		return until(v, now_s, e);
	if (strcmp(what, "reason") == 0)
		rule->reason = v->text;
	else if (v->r > 0)
		rule->accepted = v->r;
	else
		return err_set(e, E_USAGE, -1, "%s: a ratio of 0 accepts nothing", v->origin);
	return OK;
}

static enum status configure(
	struct gate_rule *rule, const char *what, const struct setting_value *v, struct err *e)
{
	rule->is_given =
		rule->is_given || strcmp(what, "tolerance") == 0 || strcmp(what, "limit") == 0;
	if (strcmp(what, "tolerance") == 0) {
		rule->tolerance = v->r;
	} else if (strcmp(what, "limit") == 0 && gate_is_most(rule)) {
		return amount(&rule->tolerance, v->text, v->origin, e);
	} else if (strcmp(what, "limit") == 0) {
		return amount(&rule->limit, v->text, v->origin, e);
	} else if (strcmp(what, "floor") == 0) {
		return amount(&rule->floor, v->text, v->origin, e);
	} else if (strcmp(what, "level") == 0) {
		rule->level = (enum gate_level)v->i;
	} else if (strcmp(what, "noise") == 0) {
		rule->noise = v->r;
	} else if (strcmp(what, "gate-on") == 0) {
		rule->on_estimate = v->i == 1;
	} else {
		rule->better = v->i == 1 ? BETTER_HIGHER : BETTER_LOWER;
	}
	return OK;
}

/* Values of rows with a *, in their order: a limit beside a tolerance is read behind it. */
static enum status configure_all(
	struct gate_rules *r, const struct settings *s, int64_t now_s, struct err *e)
{
	for (size_t i = 0; s && i < s->n; i++) {
		const struct setting_value *v = &s->v[i];
		const char *key = v->setting->key;
		char id[ID_MAX];

		if (strncmp(key, "gate.", 5) != 0 || !strchr(key, '*'))
			continue;
		word_of(v, id);
		struct gate_rule *rule = chosen(r, id, v->origin);
		if (strncmp(key, "gate.accept.", 12) == 0)
			TRY(accept(rule, strrchr(key, '.') + 1, v, now_s, e));
		else
			TRY(configure(rule, strrchr(key, '.') + 1, v, e));
	}
	return OK;
}

/* --check step_time=5%, --check peak_memory=200MiB; the last '=' is the one. */
static enum status one_check(struct gate_rules *r, const char *text, struct err *e)
{
	const char *equals = strrchr(text, '=');

	if (!equals || equals == text || !equals[1])
		return err_set(e, E_USAGE, -1,
			"--check wants ID=TOLERANCE, such as step_time=5%%, not '%s'", text);
	struct gate_rule *rule =
		chosen(r, arena_copy(r->mem, text, (size_t)(equals - text)), "--check");
	rule->is_given = true;
	size_t n = strlen(equals + 1);
	if (equals[n] == '%' || gate_is_most(rule))
		rule->limit = 0;
	if (gate_is_most(rule))
		return amount(&rule->tolerance, equals + 1, "--check", e);
	if (equals[n] == '%' || strspn(equals + 1, "0123456789.") == n)
		return ratio(&rule->tolerance, equals + 1, "--check", SETTING_GROWTH, e);
	rule->tolerance = INFINITY;
	return amount(&rule->limit, equals + 1, "--check", e);
}

/* What the option says, else the configuration, else what is built in. */
static int pick(const struct settings *s, const char *key, const char *option, const char *choices)
{
	const struct setting_value *v = gate_value(s, key);

	if (option)
		return opt_which(choices, option);
	return v ? (int)v->i : 0;
}

static enum status general(
	struct gate_rules *r, const struct gate_options *o, const struct settings *s, struct err *e)
{
	const struct setting_value *v = gate_value(s, "gate.noise");

	r->tier = (enum gate_tier)pick(s, "gate.tier", o->tier, OPT_WORDS(GATE_TIERS));
	r->fail_on = (enum gate_fail_on)pick(s, "gate.fail-on", o->fail_on, OPT_WORDS(GATE_FAILS));
	r->on_estimate = pick(s, "gate.gate-on", o->gate_on, GATE_ON_WORDS) == 1;
	r->noise = v ? v->r : NOISE_ASSUMED / 100.0;
	r->noise_is_chosen = o->noise || (v && strcmp(v->origin, "built-in") != 0);
	v = gate_value(s, "gate.min-steps");
	r->min_steps = v ? v->i : 0;
	r->min_change = NAN;
	if (o->min_change)
		TRY(ratio(&r->min_change, o->min_change, "--min-change", SETTING_RATIO, e));
	return o->noise ? ratio(&r->noise, o->noise, "--noise", SETTING_RATIO, e) : OK;
}

static enum status compile(struct gate_rules *r, struct err *e)
{
	for (size_t i = 0; i < r->n; i++)
		if (is_op(r->v[i].id) || is_work(r->v[i].id))
			TRY(regex_new(&r->v[i].regex, strchr(r->v[i].id, ':') + 1, r->v[i].id, e));
	return OK;
}

enum status gate_rules_init(struct gate_rules *r, const struct gate_options *o,
	const struct settings *settings, int64_t now_s, struct arena *mem, struct err *e)
{
	const struct rule *rule;

	*r = (struct gate_rules){ .mem = mem };
	TRY(general(r, o, settings, e));
	for (size_t i = 0; (rule = rules_at(READS_PAIR, i)); i++)
		tier(add_rule(r, rule->word.id, rule->pair), r);
	TRY(configure_all(r, settings, now_s, e));
	for (size_t i = 0; i < o->check.n; i++)
		TRY(one_check(r, o->check.v[i], e));
	return compile(r, e);
}

void gate_rules_clear(struct gate_rules *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].regex)
			regex_free(r->v[i].regex);
	free(r->v);
	*r = (struct gate_rules){ 0 };
}

bool gate_fails(const struct gate *g, enum verdict_state s)
{
	switch (g->rules.fail_on) {
	case FAIL_ON_NOISY: return s == VERDICT_IS_FAIL || s == VERDICT_IS_NOISY;
	case FAIL_ON_WARN:
		return s == VERDICT_IS_FAIL || s == VERDICT_IS_NOISY || s == VERDICT_IS_WARN;
	case FAIL_ON_SKIP: return s >= VERDICT_IS_SKIP;
	default: return s == VERDICT_IS_FAIL;
	}
}

void gate_take_state(struct gate *g, enum verdict_state s)
{
	g->exit_code |= gate_fails(g, s);
	g->state = MAX(s, g->state);
}

void gate_settle_state(struct gate *g)
{
	if (g->exit_code)
		g->state = VERDICT_IS_FAIL;
	else if (g->state == VERDICT_IS_SKIP || g->state == VERDICT_IS_NOTE)
		g->state = VERDICT_IS_PASS;
}
