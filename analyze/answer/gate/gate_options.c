/* `gate`: its options and settings.  Data only. */
#include "analyze/answer/gate/gate.h"

#define AT(field) offsetof(struct gate_options, field)
const struct opt gate_opts[GATE_OPTS] = {
	CHOICE_OPT("tier", "TIER", AT(tier), OPT_WORDS(GATE_TIERS),
		"tolerances to start from [default]"),
	LIST_OPT("check", 0, "ID=TOL", AT(check),
		"a check and what it tolerates: step_time=5%, peak_memory=200MiB, op:nccl.*=15%"),
	LIST_OPT("better", 0, "SIDE:NAME", AT(better),
		"which way is better of a figure whose name does not say it: lower:grad_norm"),
	FLAG_OPT("strict-unknown", 0, AT(strict_unknown),
		"fail where a figure changed of which nobody knows which way is better"),
	LIST_OPT("allow-lost", 0, "KIND", AT(allow_lost),
		"what base has and new may lack: trace, rank, device, steps, last_step, a kind of "
		"artifact, a figure, all"),
	LIMIT_OPT(AT(limit), "rows of figures that no check names; 0 = all [20]"),
	TEXT_OPT("noise", 0, "RATIO", AT(noise),
		"variation between runs of the same code, where it is not measured [" NOISE_ASSUMED_TEXT
		"]"),
	CHOICE_OPT("gate-on", "WHAT", AT(gate_on), GATE_ON_WORDS,
		"what must pass the tolerance to fail: all of the interval, or the estimate [interval]"),
	CHOICE_OPT("fail-on", "STATE", AT(fail_on), OPT_WORDS(GATE_FAILS),
		"exit status 1 from this state on [fail]"),
	TEXT_OPT("allow-env", 0, "LIST", AT(allow_env),
		"compare although these differ: gpu,world_size; speed checks become warnings; steps: "
		"although they are cut in different ways"),
	INT_OPT("warmup", 0, "N", AT(warmup), "leave out so many steps in front [0]"),
	FLAG_OPT("history", 0, AT(is_history),
		"BASE is a history, a store of baselines or CSV with a row a run: did its level change, "
		"is the newest run (NEW, if given) off"),
	INT_OPT("window", 0, "N", AT(window),
		"of a history: runs looked at together [" GATE_WINDOW_TEXT "]"),
	TEXT_OPT("alpha", 0, "P", AT(alpha),
		"of a history: significance of a change of level [" GATE_ALPHA "]"),
	TEXT_OPT("min-change", 0, "RATIO", AT(min_change),
		"smaller changes of a history are none, whatever its noise allows [" GATE_MIN_CHANGE
		"; of some checks more]"),
	INT_OPT("recent", 0, "N", AT(recent),
		"of --history: changes of level among the last so many runs count [" GATE_RECENT_TEXT
		"]"),
	INT_OPT("confirm", 0, "N", AT(confirm),
		"of --history: so many runs in a row must be off to fail [2]"),
	FLAG_OPT("verbose", 0, AT(is_verbose), "all checks, also those that passed or had no data"),
};

static const struct setting rows[] = {
	{ "gate.tier", SETTING_CHOICE, "default", OPT_WORDS(GATE_TIERS),
		"tolerances to start from" },
	{ "gate.noise", SETTING_RATIO, NOISE_ASSUMED_TEXT, NULL,
		"variation between runs of the same code (coefficient of variation), where it is not "
		"measured" },
	{ "gate.gate-on", SETTING_CHOICE, "interval", GATE_ON_WORDS,
		"what must pass the tolerance to fail: all of the interval, or the estimate alone" },
	{ "gate.fail-on", SETTING_CHOICE, "fail", OPT_WORDS(GATE_FAILS),
		"exit status 1 from this state on" },
	{ "gate.missing-baseline", SETTING_CHOICE, "error", VERDICT_NO_BASE_WORDS,
		"what to do when there is no base: exit status 2, or 0 with or without a warning" },
	{ "gate.min-steps", SETTING_COUNT, "0", NULL,
		"the answer of fewer steps is weak: it fails beyond 1.5 times the tolerance; 0: of logs "
		"those of the tier (20, 10, 50, 100), of traces 4" },
	{ "gate.env", SETTING_LIST, "gpu,world_size", NULL,
		"what must be the same on both sides to be compared" },
	{ "gate.accept.*.ratio", SETTING_NUMBER, "1", NULL,
		"an acknowledged change of a check: new over base that passes as no change" },
	{ "gate.accept.*.until", SETTING_LIST, "", NULL,
		"its last day, as 2026-03-01; later it is an error, so that it is looked at again" },
	{ "gate.accept.*.reason", SETTING_LIST, "", NULL, "why it was acknowledged" },
	{ "gate.*.tolerance", SETTING_GROWTH, "5%", NULL,
		"of a check: ratio of the base that is tolerated (points, for shares)" },
	{ "gate.*.limit", SETTING_LIST, "", NULL,
		"of a check: absolute change that is tolerated, such as 200MiB; the smaller of both "
		"counts; of counts such as nan_steps: how many are" },
	{ "gate.*.floor", SETTING_LIST, "", NULL,
		"of a check: absolute change below which nothing counts, such as 0.5ms" },
	{ "gate.*.level", SETTING_CHOICE, "fail", OPT_WORDS(GATE_LEVELS),
		"of a check: what its failure means" },
	{ "gate.*.noise", SETTING_RATIO, NOISE_ASSUMED_TEXT, NULL, "of a check: its own noise" },
	{ "gate.*.gate-on", SETTING_CHOICE, "interval", GATE_ON_WORDS,
		"of a check: the interval or the estimate" },
	{ "gate.*.better", SETTING_CHOICE, "lower", "lower|higher",
		"of a figure of a log or summary: which way is better; diff takes it, too" },
};

const struct setting *gate_setting(size_t i)
{
	return i < COUNT_OF(rows) ? &rows[i] : NULL;
}

const struct setting_value *gate_value(const struct settings *s, const char *key)
{
	return s ? settings_get(s, key) : NULL;
}
