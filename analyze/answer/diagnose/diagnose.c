/* `diagnose`: what is wrong with a run, worst first.  Options, and the order of work. */
#include "analyze/answer/diagnose/diagnose.h"

#include "analyze/answer/diagnose/saves.h"
#include "analyze/costmodel/hardware.h"
#include "analyze/costmodel/roof.h"
#include "analyze/analysis/fold.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/makers.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run.h"

#define SEVERITY_CHOICES "ok|unknown|note|warn|crit"

#define AT(field)        offsetof(struct diagnose_options, field)
static const struct opt options[] = {
	LIST_OPT("threshold", 't', "KEY=VALUE", AT(threshold),
		"a limit of a rule: -t G10.warn=10%; 'traceq config diagnose' lists them"),
	TEXT_OPT("rules", 0, "LIST", AT(rules),
		"only these rules: G01,G03; or all but some: -G06,-Q01 [all]"),
	CHOICE_OPT("min-severity", "SEVERITY", AT(min_severity), SEVERITY_CHOICES,
		"show findings from this on [ok]"),
	TEXT_OPT("capacity", 0, "NAME|SIZE", AT(capacity),
		"memory of the GPU, where no file says it: A100-40, 16GiB"),
	FLAG_OPT("exit-code", 0, AT(exit_code),
		"exit status 1 when a finding is CRIT, of a run or of the job"),
};

/* What of the command line can be set, too; the rules' own come behind. */
static const struct setting own_settings[] = {
	{ "diagnose.rules", SETTING_LIST, "", NULL,
		"only these rules, or with - before each all but these; empty: all" },
	{ "diagnose.min-severity", SETTING_CHOICE, "ok", SEVERITY_CHOICES,
		"findings are shown from this severity on" },
};

static const struct setting *setting(size_t i)
{
	if (i < COUNT_OF(own_settings))
		return &own_settings[i];
	i -= COUNT_OF(own_settings);
	return i-- == 0 ? &peaks_setting : rules_setting(DIAGNOSE_READS, i);
}

/* ---- options ---- */

static enum status read_options(struct diagnose *d, struct err *e)
{
	const struct diagnose_options *o = d->o;
	struct capacity c = { NULL, 0 };
	const char *rules =
		o->rules ? o->rules : settings_get(&d->settings, "diagnose.rules")->text;

	TRY(diagnose_choose(d, rules, e));
	if (o->min_severity)
		TRY(settings_set(&d->settings, "diagnose.min-severity", o->min_severity,
			"--min-severity", e));
	if (o->capacity)
		TRY(capacity_parse(o->capacity, "--capacity", &c, e));
	d->capacity = c.memory;
	TRY(peaks_read(&d->peaks, &d->settings, NULL, e));
	d->min = (enum severity)settings_get(&d->settings, "diagnose.min-severity")->i;
	return OK;
}

/* ---- findings ---- */

/* Of a run that starts up other advice is about what is not there behind the warm-up. */
static void advise_warm_up(const struct profile *x, struct finding *f)
{
	if (strcmp(x->verdict.word, part_verdict(PART_OF_STARTUP)) != 0 || !finding_action(f))
		return;
	f->action = x->judge && x->judge->is_capture
		? "this captures graphs: profile what replays them"
		: judge_advice(JUDGE_STARTUP, !producers_torch(x->run));
}

static void check_rules(struct diagnosis *g)
{
	struct look *k = &g->look;
	enum maker maker = maker_of(g->at->run);
	struct whatif_times times = { 0 };

	*k = (struct look){ .command = "diagnose",
		.settings = &g->d->settings,
		.run = g->at->run,
		.profile = &g->profile,
		.capacity = (double)g->d->capacity,
		.is_plain = !producers_torch(g->at->run),
		.mem = &g->at->mem };
	look_at(k, READS_RUN, g->d->wants);
	for (size_t i = 0; i < k->n; i++)
		saves_of(&g->profile, &k->v[i], &times);
	whatif_clear(&times);
	findings_rank(k);
	for (EACH(struct finding, finding, k->v, k->n)) {
		advise_warm_up(&g->profile, finding);
		if (finding_action(finding))
			finding->action = maker_words(maker, k->mem, finding_action(finding));
		g->d->is_critical |= finding->severity == SEVERITY_CRIT;
	}
}

static enum severity worst_of(const struct look *k)
{
	enum severity worst = SEVERITY_OK;

	for (size_t i = 0; i < k->n; i++)
		worst = MAX(worst, k->v[i].severity);
	return worst;
}

/* What other files say stands first where it is worse than what the trace does. */
static void put_all(const struct diagnosis *g)
{
	struct look files;
	bool has_files = diagnose_recorded(g->at, &g->profile, &files);
	bool are_first = has_files && worst_of(&files) > MAX(worst_of(&g->look), SEVERITY_NOTE);

	if (are_first)
		diagnose_put_recorded(g->at, &files);
	diagnose_put(g);
	if (has_files && !are_first)
		diagnose_put_recorded(g->at, &files);
}

static enum status answer_run(struct perrun *at)
{
	struct diagnosis *g = arena_alloc(&at->mem, sizeof(*g));

	if (perrun_is_record(at))
		return diagnose_record(at);
	g->d = at->ctx;
	g->at = at;
	const struct settings *s = &g->d->settings;
	struct roof_peaks peaks;
	profile_init(&g->profile, at->run, at->shared, &at->view,
		(struct profile_limits){
			.long_gap = settings_get(s, "diagnose.G07.gap")->i,
			.long_op = settings_get(s, "diagnose.G06.op")->i,
			.short_kernel = settings_get(s, "diagnose.G19.kernel")->i,
			.few_blocks = settings_get(s, "diagnose.G20.blocks")->r,
		},
		&g->d->peaks, at->q->threads, &at->mem);
	peaks_of_run(&peaks, at->run, g->profile.account.id, &g->d->peaks);
	g->profile.link_Bps = peaks.link_Bps;
	check_rules(g);
	put_all(g);
	profile_clear(&g->profile);
	return OK;
}

/* Options over settings; d->settings is to be cleared in any case. */
static enum status init(struct diagnose *d, const struct diagnose_options *o,
	const struct settings *settings, struct err *e)
{
	static const struct rules_of of = { "diagnose", setting, "G10.warn=10%" };

	*d = (struct diagnose){ .o = o };
	TRY(rules_settings(&d->settings, &of, settings, &o->threshold, e));
	return read_options(d, e);
}

static enum status check(const void *opts, const struct settings *settings, struct err *e)
{
	struct diagnose d;
	enum status st = init(&d, opts, settings, e);

	settings_clear(&d.settings);
	return st;
}

static enum status compute(const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	struct diagnose d;
	enum status st = init(&d, q->opts, q->settings, e);

	THEN(st, perrun_all(q, &q->analysis->per_run, &d, out, e));
	settings_clear(&d.settings);
	*exit_code = d.o->exit_code && d.is_critical;
	return st;
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("findings", "severity|rule|name", "saves_ns", "saves_ratio", .key = "rule",
		.is_figure = true, .where = "severity", .is = "CRIT|WARN|note"),
};

ANALYSIS(diagnose) = {
	.name = "diagnose",
	.summary = "what a run is bound by, and what could be saved: a number, and what to do",
	.help.doc =
		"One word for the run: that of the change which would save most; the time of a "
		"step as a bar table; what each change would save; and what each rule found: how "
		"bad (CRIT, WARN, note), what it could save at most, the measured number, the "
		"evidence (which op or kernel, how often), and one action (->). What could save "
		"most comes first, symptoms last. Where in time a finding is worst says its id "
		"(traceq explain stretch), which --wide shows. 'unknown' says that the trace "
		"lacks something; it is never taken for ok.\n\n"
		"What a finding could save at most is its share of the time or, where that is "
		"less, what the steps save when they are timed again without it, under the same "
		"dependencies (what-if, as 'traceq critical' has it): what else takes as long "
		"is not saved. Where shapes and the device's peaks are known, the op that "
		"computes longest is held against its roof, and what it could gain is said "
		"('traceq roofline' has all of them; peak: in traceq.yaml or TRACEQ_PEAK says "
		"other peaks).\n\n"
		"The rules G01 to G25 are traceq's, G17 to G22 with the guides' limits; "
		"Q01 to Q03 are the guides' own formulas and words, for comparison. 'traceq "
		"explain G03' explains one. Limits are set by -t, by TRACEQ_DIAGNOSE_G10_WARN, "
		"or in traceq.yaml: 'traceq config diagnose' shows all of them.\n\n"
		"What summaries, op CSVs, stage times, logs and metrics of the run say stands "
		"below, by rules R01 to R16, which are the guides' own; each finding names "
		"its file, and what costs most comes first. The verdict is the trace's. Without "
		"a trace there is that part alone, and a note says so.\n\n"
		"Everything is about the steps that count: the first and the last are set aside "
		"when five or more remain, and --steps chooses. Without steps it is about the "
		"time from the first launch to the end of the last GPU work. Every device is "
		"judged; the verdict is that of the one that computes least, which is named; "
		"--device chooses. Time in which a queue held work from before the recording "
		"counts nowhere, and is named.",
	.help.source =
		"the profiling guides and their quick diagnosis; HTA; TraceLens; docs/definitions.md",
	.help.examples = "traceq diagnose trace.json.gz\n"
			 "traceq diagnose --min-severity warn --exit-code trace.json.gz\n"
			 "traceq diagnose -t G10.warn=10% --rules G01,G10 trace.json.gz",
	ANALYSIS_EACH_RUN(ROOF_NEEDS | NEED_FUNCTIONS | NEED_CALLS | NEED_BYTES | NEED_MEMORY |
		NEED_STACKS | NEED_KERNEL | NEED_SYNC),
	.options.ignores = FILTER_MATCH | FILTER_EXCLUDE,
	.shares = SHARED_BIT(LEDGERS) | SHARED_BIT(WAITING) | SHARED_BIT(DEVTIME) |
		SHARED_BIT(OWNERS) | SHARED_BIT(JUDGE),
	.weight = 4,
	.runs.takes_records = true,
	ANALYSIS_OPTIONS(options, struct diagnose_options),
	ANALYSIS_TABLES(diagnose, DIAGNOSE),
	.help.main_table = "runs|findings|recorded_findings",
	.options.check = check,
	.options.setting = setting,
	.help.rules = DIAGNOSE_READS,
	.per_run = { .answer = answer_run,
		.beside = diagnose_beside,
		.needs = PERRUN_VIEW,
		.runs = &diagnose_runs,
		.folds = FOLDS(fold_docs, .is_verdict = true, .settle = diagnose_settle,
			.kept = "recorded_findings") },
	.compute = compute,
};
