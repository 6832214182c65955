/*
 * The tables of `metrics`, column by column.  Data only.
 */
#include "analyze/answer/metrics/metrics.h"
#include "analyze/query/columns.h"

static const char type7[] = "Hyndman and Fan 1996, type 7; the default of numpy.percentile";
static const char theil[] = "Theil 1950, Sen 1968; interval from Kendall's law";
static const char kendall[] = "Mann 1945, Kendall 1975";
static const char mover[] =
	"stationary block bootstrap (Politis and Romano 1994) of both means, combined by MOVER (Zou "
	"and Donner 2008)";

#define REAL(key, title, doc, unit)   COL_REAL(key, title, doc, unit, 0)
#define HIDDEN(key, title, doc, unit) COL_REAL(key, title, doc, unit, COLUMN_HIDDEN)
#define SOURCED(key, title, doc, source, unit, flags)           \
	{                                                       \
		key, title, doc, source, CELL_REAL, unit, flags \
	}

const struct column metrics_run_columns[MRUN_COLUMNS] = {
	[MRUN_SERIES] =
		COL_INT("series", "series", "Series in the files.", UNIT_COUNT, COLUMN_HIDDEN),
	[MRUN_KEYS] = COL_INT("keys", "keys",
		"Series that are metrics and pass --key, -f and -v; steps, epochs and times of day "
		"are none.",
		UNIT_COUNT, 0),
	[MRUN_STEPS] = COL_INT("values", "values", "Values of the longest of them.", UNIT_COUNT, 0),
	[MRUN_FIRST] = REAL("first_x", "from", "Its first step, row, or time.", UNIT_NONE),
	[MRUN_LAST] = REAL("last_x", "to", "Its last one.", UNIT_NONE),
	[MRUN_WARMUP] = COL_INT("warmup", "warm-up cut",
		"Values at the start of each series that are left out (--warmup), where there are "
		"at least 5 times as many.",
		UNIT_COUNT, 0),
	[MRUN_NAN] = COL_INT(
		"nan", "NaN", "Values that are NaN, in all keys; in no figure.", UNIT_COUNT, 0),
	[MRUN_INF] = COL_INT("inf", "Inf", "Values that are infinite, likewise.", UNIT_COUNT, 0),
	[MRUN_MISSING] = COL_INT("missing", "missing", "Values that are null or empty, likewise.",
		UNIT_COUNT, COLUMN_HIDDEN),
	[MRUN_RESTARTS] = COL_INT("restarts", "restarts",
		"Places where the step fell back: a run went on from a checkpoint. What came before "
		"at the same steps was done again, and is left out.",
		UNIT_COUNT, COLUMN_HIDDEN),
};

const struct column metrics_key_columns[MKEY_COLUMNS] = {
	[MKEY_KEY] = COL_TEXT("key", "key",
		"Name of the series, as written; for people with its group in brackets.",
		COLUMN_ELASTIC),
	[MKEY_GROUP] = COL_TEXT("group", "of",
		"What else tells it apart: phase, split, stage, GPU.", COLUMN_HIDDEN),
	[MKEY_N] = COL_INT("count", "n",
		"Values: finite, without warm-up and what --steps leaves out.", UNIT_COUNT, 0),
	[MKEY_LAST] = REAL("last", "last", "The last one.", UNIT_OF_ROW),
	[MKEY_WINDOW_MEAN] = REAL("window_mean", "mean",
		"Mean of the last --window values (or of all, if fewer).", UNIT_OF_ROW),
	[MKEY_WINDOW_STD] = REAL("window_std", "std",
		"Standard deviation of these, divided by n - ddof.", UNIT_OF_ROW),
	[MKEY_P95] = SOURCED(
		"p95", "p95", "95 % of all values are at most this.", type7, UNIT_OF_ROW, 0),
	[MKEY_MAX] = REAL("max", "max", "Largest.", UNIT_OF_ROW),
	[MKEY_SPARK] = COL_TEXT("over_time", "over time",
		"All values from first to last, each character the mean of a stretch; for people "
		"only.",
		0),
	[MKEY_TREND] = COL_TEXT("trend", "trend",
		"Of the last window's mean against that of the window before: improving, worsening "
		"or plateau for losses, rewards and accuracies, rising, falling or stable for "
		"others. A direction is said when the 95 % interval of the change excludes 0; "
		"plateau and stable when it does not and the change is below 1 %, else unclear. "
		"Absent below 20 values.",
		0),
	[MKEY_CHANGE] = SOURCED("change_ratio", "change",
		"That change over the size of the earlier mean.", mover, UNIT_RATIO, 0),
	[MKEY_LO] = SOURCED(
		"change_lo_ratio", "from", "Its 95 % interval: from.", mover, UNIT_RATIO, 0),
	[MKEY_HI] =
		SOURCED("change_hi_ratio", "to", "Its 95 % interval: to.", mover, UNIT_RATIO, 0),
	[MKEY_UNIT] = COL_TEXT("unit", "unit",
		"Unit of the row's figures: ns, bytes, ratio, or none known. Converted from what "
		"the key says (_ms, _gb, ...); step and waiting times without a unit are seconds, "
		"as TRL's and the documents' are.",
		COLUMN_HIDDEN),
	[MKEY_ROLE] = COL_TEXT("role", "role",
		"What the key is taken for by its name: loss, reward, kl, step time, ...",
		COLUMN_HIDDEN),
	[MKEY_MEAN] = HIDDEN("mean", "mean of all", "Mean of all values.", UNIT_OF_ROW),
	[MKEY_STD] = HIDDEN("std", "std of all", "Standard deviation of all, divided by n - ddof.",
		UNIT_OF_ROW),
	[MKEY_MIN] = HIDDEN("min", "min", "Smallest.", UNIT_OF_ROW),
	[MKEY_P25] = SOURCED("p25", "p25", "Lower quartile.", type7, UNIT_OF_ROW, COLUMN_HIDDEN),
	[MKEY_P50] = SOURCED("median", "median", "Median.", type7, UNIT_OF_ROW, COLUMN_HIDDEN),
	[MKEY_P75] = SOURCED("p75", "p75", "Upper quartile.", type7, UNIT_OF_ROW, COLUMN_HIDDEN),
	[MKEY_P99] = SOURCED("p99", "p99", "99 % of all; absent below 100 values.", type7,
		UNIT_OF_ROW, COLUMN_HIDDEN),
	[MKEY_SLOPE] = SOURCED("slope", "slope",
		"Growth for each step (or row, or second; --x): the median of slopes between medians "
		"of blocks as long as values depend on each other.",
		theil, UNIT_OF_ROW, COLUMN_HIDDEN),
	[MKEY_SLOPE_LO] = SOURCED("slope_lo", "slope from", "Its 95 % interval: from.", theil,
		UNIT_OF_ROW, COLUMN_HIDDEN),
	[MKEY_SLOPE_HI] = SOURCED("slope_hi", "slope to", "Its 95 % interval: to.", theil,
		UNIT_OF_ROW, COLUMN_HIDDEN),
	[MKEY_P] = SOURCED("p_value", "p",
		"Of no trend: the Mann-Kendall test on the same medians, two-sided.", kendall,
		UNIT_NONE, COLUMN_HIDDEN),
	[MKEY_TAU] = SOURCED("tau", "tau",
		"Integrated autocorrelation time around the trend: so many values say as much as "
		"one independent one.",
		"Geyer 1992", UNIT_NONE, COLUMN_HIDDEN),
	[MKEY_DELTA] = SOURCED("change", "change", "The change of the windows' means itself.",
		mover, UNIT_OF_ROW, COLUMN_HIDDEN),
	[MKEY_WINDOW] =
		COL_INT("window", "window", "Values in the window.", UNIT_COUNT, COLUMN_HIDDEN),
	[MKEY_DDOF] = COL_INT(
		"ddof", "ddof", "What n is lessened by (--ddof).", UNIT_NONE, COLUMN_HIDDEN),
	[MKEY_QUANTILE] = COL_TEXT("quantile", "quantile",
		"linear: of all values; sample: of 8192 drawn at random from a series of more than "
		"65,536 (moments and extremes are exact, warm-up included); as written: the file "
		"has the figures only, not the values.",
		COLUMN_HIDDEN),
	[MKEY_WARMUP] = COL_INT("warmup", "warm-up cut", "Values cut.", UNIT_COUNT, COLUMN_HIDDEN),
	[MKEY_NAN] = COL_INT("nan", "NaN", "NaN values.", UNIT_COUNT, COLUMN_HIDDEN),
	[MKEY_INF] = COL_INT("inf", "Inf", "Infinite values.", UNIT_COUNT, COLUMN_HIDDEN),
	[MKEY_MISSING] =
		COL_INT("missing", "missing", "null or empty values.", UNIT_COUNT, COLUMN_HIDDEN),
	[MKEY_AXIS] = COL_TEXT("axis", "axis",
		"What places of values are: step, row, time (s) or tokens.", COLUMN_HIDDEN),
	[MKEY_EMA] = SOURCED("ema", "ema",
		"Exponential moving average of all values, alpha 2 / (--window + 1), corrected for "
		"its begin; absent where not every value is kept.",
		"Kingma and Ba 2015", UNIT_OF_ROW, COLUMN_HIDDEN),
	[MKEY_POWER] = HIDDEN("power", "power",
		"Slope of ln value on ln place, by least squares, where both are above 0: the "
		"exponent of a scaling law.",
		UNIT_NONE),
	[MKEY_FILE] = COL_TEXT("file", "file",
		"The file it is in; people see it where two files have the same key.",
		COLUMN_HIDDEN),
	[MKEY_KIND] = COL_TEXT("kind", "kind",
		"The kind of artifact that file is, as `traceq info` calls it.", COLUMN_HIDDEN),
};

const struct column metrics_finding_columns[MFIND_COLUMNS] = {
	[MFIND_RULE] = COL_TEXT("rule", "rule", "`traceq explain RULE`.", 0),
	[MFIND_SEVERITY] =
		COL_TEXT("severity", "", "CRIT, WARN or note, by how much it matters.", 0),
	[MFIND_NAME] = COL_TEXT("finding", "finding", "What it is.", 0),
	[MFIND_KEY] = COL_TEXT("key", "key", "The series it is about.", 0),
	[MFIND_TEXT] = COL_TEXT("text", "what was found", "With its numbers.", COLUMN_ELASTIC),
	[MFIND_ACTION] = COL_TEXT("action", "what to do", "One thing to try.", COLUMN_HIDDEN),
};

const struct column metrics_memory_columns[MMEM_COLUMNS] = {
	[MMEM_KEY] = COL_TEXT("key", "memory", "The series.", 0),
	[MMEM_VERDICT] = COL_TEXT("verdict", "verdict",
		"leak: p below 0.01, the slope's interval above 0, growth above 1 MiB and 0.1 % of "
		"the peak, and no single jump that explains it; one-time increase: such a jump; "
		"fragmentation: reserved memory leaks, allocated does not; steady: none of these; "
		"unknown: fewer than 4 values.",
		0),
	[MMEM_BASELINE] = REAL("baseline_bytes", "baseline",
		"The measurement tagged baseline, else the value at --leak-baseline, else the "
		"first.",
		UNIT_BYTES),
	[MMEM_LAST] = REAL("last_bytes", "last", "The last value.", UNIT_BYTES),
	[MMEM_GROWTH] =
		REAL("growth_bytes", "growth", "last_bytes less baseline_bytes.", UNIT_BYTES),
	[MMEM_SLOPE] = SOURCED("slope_bytes_per_step", "per step",
		"Growth for each step: the median of slopes between block medians.", theil,
		UNIT_BYTES, 0),
	[MMEM_LO] = SOURCED("slope_lo_bytes_per_step", "from", "Its 95 % interval: from.", theil,
		UNIT_BYTES, 0),
	[MMEM_HI] = SOURCED(
		"slope_hi_bytes_per_step", "to", "Its 95 % interval: to.", theil, UNIT_BYTES, 0),
	[MMEM_P] = SOURCED("p_value", "p", "Of no trend: the Mann-Kendall test, two-sided.",
		kendall, UNIT_NONE, 0),
	[MMEM_FULL] = REAL("steps_to_full", "steps left",
		"(capacity - last_bytes) / slope_bytes_per_step: when a leak fills the GPU.",
		UNIT_COUNT),
	[MMEM_DOCUMENTS] = { "documents_say", "documents say",
		"The documents' rule: a leak when last_bytes - baseline_bytes exceeds 0.5 GiB "
		"(--leak-threshold). In training it is one always: gradients and the optimizer's "
		"state come after the baseline.",
		"the documents' detect_leak", CELL_TEXT, UNIT_NONE, 0 },
	[MMEM_PEAK] = HIDDEN("peak_bytes", "peak",
		"Largest value of the series, and of the maximum the allocator keeps itself "
		"(max_allocated) where that was logged: the documents' peak of samples misses what "
		"lies between them.",
		UNIT_BYTES),
	[MMEM_JUMP] = HIDDEN("jump_x", "jump at",
		"Where the one-time increase is (step, row or time).", UNIT_NONE),
	[MMEM_N] = COL_INT("count", "n", "Values.", UNIT_COUNT, COLUMN_HIDDEN),
	[MMEM_THRESHOLD] =
		HIDDEN("threshold_bytes", "threshold", "Of the documents' rule.", UNIT_BYTES),
};

const struct column metrics_rate_columns[MRATE_COLUMNS] = {
	[MRATE_WHAT] = COL_TEXT("what", "throughput", "What is counted.", 0),
	[MRATE_VALUE] = REAL("value", "value", "The figure.", UNIT_OF_ROW),
	[MRATE_HOW] = COL_TEXT("how", "how",
		"sum/sum: work over time of the last window; as written: by the file; mean of rates: "
		"the mean of logged rates, which is too high where they vary; padded: batch x "
		"accumulation x max_length over mean step time, an upper bound.",
		0),
	[MRATE_SOURCE] = COL_TEXT("source", "from", "The keys it comes from.", COLUMN_ELASTIC),
	[MRATE_N] = COL_INT("count", "n", "Values behind it.", UNIT_COUNT, COLUMN_HIDDEN),
};

const struct column metrics_stage_columns[MSTAGE_COLUMNS] = {
	[MSTAGE_NAME] = COL_TEXT("stage", "stage", "Stage or timer, as written.", COLUMN_ELASTIC),
	[MSTAGE_CALLS] = COL_INT("calls", "calls", "How often it ran.", UNIT_COUNT, 0),
	[MSTAGE_TOTAL] = REAL("total_ns", "total", "Sum of its times.", UNIT_NS),
	[MSTAGE_MEAN] = REAL("mean_ns", "mean", "Mean of its times.", UNIT_NS),
	[MSTAGE_SHARE] = REAL("share_ratio", "%",
		"Of the iteration (iteration, step, total) where there is one, else of all stages: "
		"by totals if all are known, else by means.",
		UNIT_RATIO),
	[MSTAGE_TOKENS] = REAL("tokens_per_s", "tokens/s",
		"Its tokens over its time, where the file counts them.", UNIT_NONE),
	[MSTAGE_PEAK] = REAL("peak_bytes", "peak mem",
		"Device memory at most, where the file says it.", UNIT_BYTES),
	[MSTAGE_FILE] = COL_TEXT("file", "file", "The file that says it.", COLUMN_HIDDEN),
};

const struct column metrics_score_columns[MSCORE_COLUMNS] = {
	[MSCORE_TOTAL] = COL_INT("total", "scores", "Scores, valid or not.", UNIT_COUNT, 0),
	[MSCORE_VALID] = COL_INT("valid", "valid", "Scores that are numbers.", UNIT_COUNT, 0),
	[MSCORE_INVALID] = COL_INT("invalid", "invalid", "Scores that are null.", UNIT_COUNT, 0),
	[MSCORE_INVALID_RATIO] = REAL("invalid_ratio", "invalid share",
		"invalid over total; 1 when all are (the documents print 0 then).", UNIT_RATIO),
	[MSCORE_LO] = SOURCED("invalid_lo_ratio", "from", "Its 95 % interval: from.", "Wilson 1927",
		UNIT_RATIO, 0),
	[MSCORE_HI] = SOURCED(
		"invalid_hi_ratio", "to", "Its 95 % interval: to.", "Wilson 1927", UNIT_RATIO, 0),
	[MSCORE_MEAN] = REAL("mean", "mean", "Mean of valid scores.", UNIT_NONE),
	[MSCORE_WRITTEN] = REAL("mean_written", "as written",
		"mean_score of the file, where it says one.", UNIT_NONE),
	[MSCORE_DRIFT_P] = SOURCED("drift_p_value", "drift p",
		"Of no difference between the first and the second half of the scores: the "
		"Mann-Whitney test, by normal law.",
		"Mann and Whitney 1947", UNIT_NONE, COLUMN_HIDDEN),
};

const struct column metrics_share_columns[MSHARE_COLUMNS] = {
	[MSHARE_SCORE] = COL_TEXT(
		"score", "score", "A score, or a range of them where there are more than 16.", 0),
	[MSHARE_COUNT] = COL_INT("count", "count", "How many.", UNIT_COUNT, 0),
	[MSHARE_RATIO] = REAL("ratio", "%", "Of the valid ones.", UNIT_RATIO),
	[MSHARE_LO] = SOURCED(
		"lo_ratio", "from", "Its 95 % interval: from.", "Wilson 1927", UNIT_RATIO, 0),
	[MSHARE_HI] =
		SOURCED("hi_ratio", "to", "Its 95 % interval: to.", "Wilson 1927", UNIT_RATIO, 0),
};

const struct column metrics_reward_columns[MREWARD_COLUMNS] = {
	[MREWARD_KEY] = COL_TEXT("key", "rewards", "The key of the lists.", 0),
	[MREWARD_GROUPS] = COL_INT("groups", "groups",
		"Groups: the answers to one prompt, logged as one list.", UNIT_COUNT, 0),
	[MREWARD_SIZE] = REAL("group_size", "size", "Mean number of answers in one.", UNIT_NONE),
	[MREWARD_MEAN] = REAL("mean", "mean", "Mean of all rewards.", UNIT_NONE),
	[MREWARD_GROUP_STD] = REAL("group_std", "group std",
		"Mean over groups of the standard deviation within, divided by n - 1.", UNIT_NONE),
	[MREWARD_ZERO] = { "zero_std_ratio", "zero-std",
		"Share of groups whose rewards are all equal: their advantages are 0, no gradient "
		"comes from them.",
		"TRL, frac_reward_zero_std", CELL_REAL, UNIT_RATIO, 0 },
	[MREWARD_BEST] = REAL("best_of_n", "best of n", "Mean of the groups' best.", UNIT_NONE),
	[MREWARD_PASS_ONE] = REAL("pass_1_ratio", "pass@1",
		"Share of answers with a reward of at least --pass.", UNIT_RATIO),
	[MREWARD_PASS_GROUP] = REAL("pass_n_ratio", "pass@n",
		"Share of groups with at least one such answer.", UNIT_RATIO),
	[MREWARD_ICC] = { "icc", "ICC",
		"Share of the variance that is between groups: var_b / (var_b + var_w), with var_b "
		"= max(0, (MS_b - MS_w) / n). Near 1: prompts differ, answers to one do not.",
		"Shrout and Fleiss 1979, ICC(1)", CELL_REAL, UNIT_NONE, 0 },
	[MREWARD_MIN] = HIDDEN("min", "min", "Smallest.", UNIT_NONE),
	[MREWARD_MAX] = HIDDEN("max", "max", "Largest.", UNIT_NONE),
	[MREWARD_STD] = { "std_documents", "documents' std",
		"Standard deviation of all rewards, divided by n: the documents' reward_std.",
		"the documents' get_reward_distribution", CELL_REAL, UNIT_NONE, COLUMN_HIDDEN },
	[MREWARD_RANK_MEAN] = { "rank_mean_documents", "documents' rank mean",
		"The documents' rank_distribution.mean: ranks within a group are 0 .. G - 1 "
		"whatever the rewards, so it is (G - 1) / 2 and says nothing.",
		"the documents' get_reward_distribution", CELL_REAL, UNIT_NONE, COLUMN_HIDDEN },
	[MREWARD_RANK_STD] = { "rank_std_documents", "documents' rank std",
		"Likewise sqrt((G^2 - 1) / 12).", "the documents' get_reward_distribution",
		CELL_REAL, UNIT_NONE, COLUMN_HIDDEN },
};

const struct column metrics_written_columns[MWRITTEN_COLUMNS] = {
	[MWRITTEN_KEY] = COL_TEXT("key", "key", "The metric.", 0),
	[MWRITTEN_FIGURE] = COL_TEXT("figure", "figure", "Which figure of it.", 0),
	[MWRITTEN_FILE] =
		REAL("written", "as written", "What the file says, in its own unit.", UNIT_NONE),
	[MWRITTEN_OURS] = REAL("computed", "from its values",
		"The same figure, by the file's own formula, from the values in the file.",
		UNIT_NONE),
	[MWRITTEN_WHY] = COL_TEXT(
		"formula", "formula", "How the file's program computes it.", COLUMN_ELASTIC),
};

const struct column metrics_point_columns[MPOINT_COLUMNS] = {
	[MPOINT_KEY] = COL_TEXT("key", "key", "The series.", 0),
	[MPOINT_GROUP] = COL_TEXT("group", "of", "What else tells it apart.", 0),
	[MPOINT_X] =
		REAL("x", "x", "Step, row, or time: of the last value of the stretch.", UNIT_NONE),
	[MPOINT_Y] = REAL(
		"y", "value", "Mean of the stretch; the value, where that is one.", UNIT_OF_ROW),
	[MPOINT_MEAN] = REAL("window_mean", "windowed mean",
		"Mean of the last --window values up to there.", UNIT_OF_ROW),
	[MPOINT_LOW] = REAL("low", "lowest",
		"Lowest value of the stretch; absent where it is one value.", UNIT_OF_ROW),
	[MPOINT_HIGH] = REAL("high", "highest",
		"Highest value of the stretch; absent where it is one value.", UNIT_OF_ROW),
};

const struct column metrics_target_columns[MTARGET_COLUMNS] = {
	[MTARGET_KEY] = COL_TEXT("key", "target", "The key of --target.", 0),
	[MTARGET_SIDE] = COL_TEXT("side", "wanted",
		"at most for losses, at least for rewards and accuracies; others: the side on which "
		"the curve does not begin.",
		0),
	[MTARGET_WANTED] = REAL("wanted", "value", "What is wanted.", UNIT_OF_ROW),
	[MTARGET_EMA] = SOURCED("ema", "now",
		"Exponential moving average at the end: alpha 2 / (--window + 1), corrected for its "
		"begin.",
		"Kingma and Ba 2015", UNIT_OF_ROW, 0),
	[MTARGET_FIRST] = REAL("first_x", "touched at",
		"The first step (or row, or what --x says) with a value that is there.", UNIT_NONE),
	[MTARGET_REACHED] = REAL("reached_x", "reached at",
		"The first at which the moving average is there.", UNIT_NONE),
	[MTARGET_TIME] = REAL("reached_ns", "after",
		"Sum of step times up to then, where each is logged.", UNIT_NS),
	[MTARGET_MET] = COL_BOOL("is_met", "met", "The moving average at the end is there.", 0),
};
