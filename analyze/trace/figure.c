/* The registry of figures: names to words, words to what they mean. */
#include "analyze/trace/figure.h"

#define SAME(x)                    \
	{                          \
		(x), (x), (x), (x) \
	}
#define MIB    1048576.0
#define TEN_NS 10.0

enum kind {
	KIND_PROPERTY,
	KIND_UNKNOWN,
	KIND_ACCURACY,
	KIND_REWARD,
	KIND_RATE,
	KIND_UTILIZATION,
	KIND_LOSS,
	KIND_KL,
	KIND_ERROR,
	KIND_TIME,
	KIND_DURATION,
	KIND_SHARE,
	KIND_QUANTILE,
	KIND_MEMORY,
	KIND_LENGTH,
	KIND_COUNT, /* these become one of those above */
	KIND_SPREAD,
	KIND_MEDIAN,
	KIND_EXTREME
};

static const struct figure_kind kinds[] = {
	[KIND_PROPERTY] = { .word = "property", .tolerance = SAME(0.05), .noise = NAN },
	[KIND_UNKNOWN] = { .word = "unknown", .tolerance = SAME(0.05), .noise = NAN },
	[KIND_ACCURACY] = { "accuracy", BETTER_HIGHER, { 0.02, 0.03, 0.015, 0.01 }, .noise = 0.01 },
	[KIND_REWARD] = { "reward", BETTER_HIGHER, { 0.10, 0.15, 0.08, 0.05 }, 0.01, .noise = NAN },
	[KIND_RATE] = { "throughput", BETTER_HIGHER, { 0.08, 0.12, 0.05, 0.03 }, .noise = NAN,
		.is_speed = true },
	[KIND_UTILIZATION] = { "utilization", BETTER_HIGHER, SAME(0.05), .noise = NAN,
		.is_speed = true },
	[KIND_LOSS] = { "loss", BETTER_LOWER, SAME(0.50), .noise = NAN },
	[KIND_KL] = { "kl", BETTER_LOWER, SAME(0.50), 0.01, .noise = NAN, .is_warning = true },
	[KIND_ERROR] = { "error", BETTER_LOWER, { 0.10, 0.15, 0.08, 0.05 }, 0.005, .noise = NAN },
	[KIND_TIME] = { "time", BETTER_LOWER, { 0.10, 0.15, 0.08, 0.05 }, TEN_NS, .noise = NAN,
		.is_speed = true },
	[KIND_DURATION] = { "duration", BETTER_LOWER, { 0.10, 0.15, 0.08, 0.05 }, TEN_NS,
		.noise = NAN, .is_speed = true },
	[KIND_SHARE] = { "share of time", BETTER_LOWER, SAME(0.05), .noise = NAN,
		.is_speed = true },
	[KIND_QUANTILE] = { "quantile", BETTER_LOWER, { 0.20, 0.30, 0.16, 0.10 }, TEN_NS,
		.noise = 0.05, .is_speed = true },
	[KIND_MEMORY] = { "memory", BETTER_LOWER, SAME(0.20), MIB, .noise = NAN,
		.is_extreme = true },
	/* Of answers: the longer, the longer a step. */
	[KIND_LENGTH] = { "length", BETTER_LOWER, { 0.10, 0.15, 0.08, 0.05 }, .noise = NAN },
};

static const struct {
	enum kind kind;
	enum metric_role role;
	const char *patterns;
} words[] = {
#define WORDS(kind, role, patterns) { KIND_##kind, ROLE_##role, patterns },
#include "analyze/trace/figure_words.def"
#undef WORDS
};

static const struct {
	const char *word;
	int direction;
	enum measure measure;
	const char *id;
} roles[ROLE_COUNT] = {
#define X(name, word, direction, measure, id) { word, direction, MEASURE_##measure, id },
	METRIC_ROLES(X)
#undef X
};

/* ---- names as words ---- */

enum { NAME_MAX_BYTES = 256 };

/* Lower-case words between blanks, parts between bars: "| perf | step time |". */
struct words_of {
	char text[2 * NAME_MAX_BYTES + 8];
	size_t n;
};

/* Words that say the same. */
static const char *const synonyms[][2] = {
	{ "sec", "s" },
	{ "secs", "s" },
	{ "second", "s" },
	{ "seconds", "s" },
	{ "msec", "ms" },
	{ "milliseconds", "ms" },
	{ "tok", "tokens" },
	{ "toks", "tokens" },
	{ "token", "tokens" },
	{ "req", "requests" },
	{ "reqs", "requests" },
	{ "request", "requests" },
	{ "sample", "samples" },
	{ "it", "iter" },
	{ "its", "iter" },
	{ "iteration", "iter" },
	{ "mem", "memory" },
	{ "stddev", "std" },
	{ "stdev", "std" },
	{ "minute", "min" },
	{ "tput", "throughput" },
	{ "average", "mean" },
	{ "avg", "mean" },
	{ "util", "utilization" },
	{ "pct", "percent" },
};

static void put(struct words_of *w, const char *text)
{
	size_t n = strlen(text);

	if (w->n + n + 4 > sizeof(w->text))
		return;
	memcpy(w->text + w->n, text, n);
	w->n += n;
	w->text[w->n++] = ' ';
	w->text[w->n] = '\0';
}

static void put_word(struct words_of *w, struct span word)
{
	char text[64];
	size_t n = word.n < sizeof(text) ? word.n : sizeof(text) - 1;

	for (size_t i = 0; i < n; i++)
		text[i] =
			word.p[i] >= 'A' && word.p[i] <= 'Z' ? (char)(word.p[i] | 0x20) : word.p[i];
	text[n] = '\0';
	for (size_t i = 0; i < COUNT_OF(synonyms); i++)
		if (strcmp(text, synonyms[i][0]) == 0) {
			put(w, synonyms[i][1]);
			return;
		}
	put(w, text);
}

static bool is_word(char c)
{
	return is_letter(c) || is_digit(c) || (unsigned char)c >= 0x80;
}

/* "StepTime" is two words, "MiB" is one. */
static bool breaks(struct span s, size_t i)
{
	return i > 0 && s.p[i - 1] >= 'a' && s.p[i - 1] <= 'z' && s.p[i] >= 'A' && s.p[i] <= 'Z' &&
		i + 1 < s.n && is_letter(s.p[i + 1]);
}

static struct span word_at(struct span s, size_t i)
{
	size_t n = i;

	while (n < s.n && is_word(s.p[n]) && (n == i || !breaks(s, n)))
		n++;
	return (struct span){ s.p + i, n - i };
}

static bool ends_with(const struct words_of *w, const char *end)
{
	size_t n = strlen(end);

	return w->n >= n && memcmp(w->text + w->n - n, end, n) == 0;
}

/* "tok_s": how many a second. */
static bool is_rate(const struct words_of *w, struct span name, size_t i)
{
	static const char *const counted[] = { " tokens ", " samples ", " images ", " imgs ",
		" requests " };
	struct span word = span_from(name, i);

	return i > 0 && name.p[i - 1] == '_' && span_in_nocase(word, "s|sec|second") &&
		ANY(k, COUNT_OF(counted), ends_with(w, counted[k]));
}

/* A slash in front of that word divides a unit and no path: "tokens/s/device", "ms/step". */
static bool is_per(const struct words_of *w, struct span word, const char *end)
{
	const char *part = strrchr(w->text, '|');
	bool is_last = ALL(i, (size_t)(end - word.p) - word.n, !is_word(word.p[word.n + i]));

	if (ends_with(w, "| "))
		return false;
	if (span_is_nocase(word, "s") || span_is_nocase(word, "sec") ||
		span_is_nocase(word, "second"))
		return true;
	return is_last &&
		(strstr(part, " per ") || ends_with(w, " ms ") || ends_with(w, " s ") ||
			ends_with(w, " time ") || ends_with(w, " latency "));
}

static void words_init(struct words_of *w, struct span name)
{
	w->n = 0;
	put(w, "|");
	for (size_t i = 0; i < name.n && i < NAME_MAX_BYTES;) {
		struct span word = word_at(name, i);
		char c = name.p[i];
		const char *close = c == '[' ? memchr(name.p + i, ']', name.n - i) : NULL;

		if (close) { /* which of a list: its name says nothing of the figure */
			i = (size_t)(close - name.p) + 1;
			continue;
		}

		if (word.n) {
			if (is_rate(w, name, i))
				put(w, "per");
			put_word(w, word);
			i += word.n;
			continue;
		}
		i++;
		if (c == '%')
			put(w, "percent");
		else if (c == '/' && is_per(w, word_at(name, i), name.p + name.n))
			put(w, "per");
		else if (c == '/' || (c == '.' && i < name.n && !is_space_or_tab(name.p[i])))
			put(w, "|");
	}
	if (!ends_with(w, "| "))
		memcpy(w->text + w->n, "| ", 3); /* put leaves room for it */
	w->n += ends_with(w, "| ") ? 0 : 2;
}

/* The last part, cut off: "| step time |"; false: there is none left. */
static bool last_part(struct words_of *w, struct words_of *part)
{
	size_t i = w->n - 2; /* the bar that ends it */

	if (i == 0)
		return false;
	while (i > 1 && w->text[i - 1] != '|')
		i--;
	part->n = w->n - (i - 1);
	memcpy(part->text, w->text + i - 1, part->n);
	part->text[part->n] = '\0';
	w->n = i + 1;
	w->text[w->n] = '\0';
	return true;
}

/* ---- what words mean ---- */

struct figure_words {
	enum kind kind;
	enum metric_role role;
	bool is_known, is_spread, is_quantile, is_median, is_extreme;
	size_t depth; /* parts behind the one that says it */
};

/* A character as one of 32: a pattern with others than a text has is not in it. */
static uint32_t bit_of(char c)
{
	return UINT32_C(1) << (c & 0x1f);
}

/* One of the patterns, which have commas between, is in the part. */
static bool has_any(const struct words_of *part, uint32_t bits, const char *patterns)
{
	for (const char *p = patterns;; p++) {
		uint32_t own = 0;
		size_t n = 0;

		for (; p[n] && p[n] != ','; n++)
			own |= bit_of(p[n]);
		if ((own & ~bits) == 0 && memmem(part->text, part->n, p, n))
			return true;
		p += n;
		if (!*p)
			return false;
	}
}

static void look_at(struct figure_words *m, const struct words_of *part)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < part->n; i++)
		bits |= bit_of(part->text[i]);
	for (size_t i = 0; i < COUNT_OF(words) && !m->is_known; i++) {
		if (!has_any(part, bits, words[i].patterns))
			continue;
		m->is_spread = m->is_spread || words[i].kind == KIND_SPREAD;
		m->is_quantile = m->is_quantile || words[i].kind == KIND_QUANTILE;
		m->is_median = m->is_median || words[i].kind == KIND_MEDIAN;
		m->is_extreme = m->is_extreme || words[i].kind == KIND_EXTREME;
		if (words[i].kind >= KIND_SPREAD || words[i].kind == KIND_QUANTILE)
			continue;
		m->is_known = true;
		m->kind = words[i].kind;
		m->role = words[i].role;
	}
}

/* Its words say what it is: a part in front of it says nothing of its unit, but of a time's. */
static bool is_known(const struct words_of *part, bool *is_time)
{
	struct figure_words m = { .kind = KIND_UNKNOWN };

	look_at(&m, part);
	*is_time = *is_time || m.kind == KIND_TIME;
	return m.kind != KIND_TIME &&
		(m.is_known || ends_with(part, " ratio | ") || ends_with(part, " rate | "));
}

static struct figure_words words_of_figure(struct span name)
{
	struct figure_words m = { .kind = KIND_UNKNOWN, .role = ROLE_OTHER };
	struct words_of w, part;

	words_init(&w, name);
	while (!m.is_known && last_part(&w, &part)) {
		look_at(&m, &part);
		m.depth += !m.is_known && !strstr(part.text, "| mean |");
	}
	return m;
}

enum metric_role metric_role(struct span name)
{
	struct figure_words m = words_of_figure(name);

	if (m.role == ROLE_REWARD && m.is_spread)
		return ROLE_REWARD_STD;
	if (m.is_spread || m.is_quantile || m.is_median)
		return ROLE_OTHER;
	/* parts behind it say of what it is, but of rewards which */
	return m.depth == 0 || m.role == ROLE_REWARD ? m.role : ROLE_OTHER;
}

const char *metric_role_word(enum metric_role r)
{
	return roles[r].word;
}

bool metric_counts_nan(struct span name)
{
	return span_has_nocase(name, "nan iterations") || span_has_nocase(name, "nan steps") ||
		span_has_nocase(name, "nan_iter");
}

int metric_role_direction(enum metric_role r)
{
	return roles[r].direction;
}

const char *metric_role_id(enum metric_role r)
{
	return roles[r].id;
}

/* What says no unit and is in seconds wherever it is written. */
static bool is_in_seconds(struct span name)
{
	static const char patterns[] =
		"| train runtime |,| eval runtime |,| test runtime |, interval runtime |,"
		" last time |, optim step time |";
	struct words_of w, part;

	words_init(&w, name);
	return last_part(&w, &part) && has_any(&part, UINT32_MAX, patterns);
}

enum measure measure_or_usual(enum measure m, struct span name)
{
	if (m == MEASURE_NONE)
		m = roles[metric_role(name)].measure;
	return m == MEASURE_NONE && is_in_seconds(name) ? MEASURE_S : m;
}

static enum kind kind_of_unit(enum unit unit)
{
	return unit == UNIT_NS             ? KIND_TIME
		: unit == UNIT_BYTES       ? KIND_MEMORY
		: unit == UNIT_BYTES_PER_S ? KIND_RATE
					   : KIND_UNKNOWN;
}

const struct figure_kind *figure_kind(struct span name, enum unit unit)
{
	enum kind kind = kind_of_unit(unit);
	struct figure_words m = words_of_figure(name);

	if (m.is_spread || (unit == UNIT_NONE && span_is_nocase(name, "time"))) /* of day */
		return &kinds[KIND_PROPERTY];
	if (m.is_known &&
		(kind == KIND_UNKNOWN || m.kind == KIND_PROPERTY || m.kind == KIND_DURATION))
		kind = m.kind;
	if (kind == KIND_COUNT) /* "train step" in ms is a time */
		kind = KIND_PROPERTY;
	if (kind == KIND_MEMORY && unit == UNIT_RATIO)
		kind = KIND_UNKNOWN; /* of a controller that is busy, or of what is full */
	if (kind == KIND_TIME && unit == UNIT_RATIO)
		kind = KIND_SHARE;
	if (m.is_quantile && (m.is_known || kind != KIND_UNKNOWN))
		kind = kind == KIND_TIME ? KIND_QUANTILE : KIND_PROPERTY;
	if (m.is_extreme && !kinds[kind].is_extreme)
		kind = KIND_PROPERTY;
	return &kinds[kind];
}

double figure_kind_floor(const struct figure_kind *k, enum unit unit)
{
	bool is_measured = k == &kinds[KIND_TIME] || k == &kinds[KIND_DURATION] ||
		k == &kinds[KIND_QUANTILE] || k == &kinds[KIND_MEMORY];

	return is_measured && kind_of_unit(unit) == KIND_UNKNOWN ? 0 : k->floor;
}

bool figure_kind_is_property(const struct figure_kind *k)
{
	return k == &kinds[KIND_PROPERTY];
}

bool figure_counts_work(struct span name)
{
	return words_of_figure(name).kind == KIND_COUNT;
}

const struct figure_kind *figure_kind_of_other_work(const struct figure_kind *k)
{
	return k == &kinds[KIND_DURATION] ? &kinds[KIND_PROPERTY] : k;
}

/* ---- units in names ---- */

static const struct {
	const char *word;
	enum measure measure;
} units[] = {
	{ "gib", MEASURE_GIB },
	{ "gb", MEASURE_GIB },
	{ "mib", MEASURE_MIB },
	{ "mb", MEASURE_MIB },
	{ "kib", MEASURE_KIB },
	{ "kb", MEASURE_KIB },
	{ "bytes", MEASURE_BYTE },
	{ "s", MEASURE_S },
	{ "ms", MEASURE_MS },
	{ "us", MEASURE_US },
	{ "\xc2\xb5s", MEASURE_US },
	{ "\xce\xbcs", MEASURE_US },
	{ "ns", MEASURE_NS },
	{ "milliseconds", MEASURE_MS },
	{ "microseconds", MEASURE_US },
	{ "gbs", MEASURE_GB_PER_S },
	{ "percent", MEASURE_PERCENT },
};

/* What may stand behind a unit. */
static const char statistics[] = "peak|max|min|mean|median|p50|p75|p90|p95|p99";

/* The last word of s that is not in front of `from`, cut off. */
static struct span cut_word(struct span *s)
{
	while (s->n && s->p[s->n - 1] == ' ')
		s->n--;
	size_t i = s->n;
	while (i > 0 && s->p[i - 1] != ' ')
		i--;
	struct span word = { s->p + i, s->n - i };
	s->n = i;
	return word;
}

static enum measure unit_word(struct span word)
{
	return FIND_VALUE(
		i, COUNT_OF(units), span_is(word, units[i].word), units[i].measure, MEASURE_NONE);
}

/* "| memory gb max |" */
static enum measure measure_of_part(const struct words_of *part)
{
	const char *per = strstr(part->text, " per "), *next;
	if (strstr(part->text, " per s "))
		return MEASURE_PER_S;
	while (per && (next = strstr(per + 1, " per ")))
		per = next;
	const char *below = per ? per + strlen(" per") : NULL;
	struct span s = { part->text + 1, part->n - 3 }, word = cut_word(&s);

	while (span_in(word, statistics))
		word = cut_word(&s);
	if (per && word.p < below + 1 + strcspn(below + 1, " ")) { /* no unit behind it: "ms per
		                                                      step" */
		s = (struct span){ part->text + 1, (size_t)(per - part->text - 1) };
		word = cut_word(&s);
		enum measure m = unit_word(word);
		return measure_infos[m].base == UNIT_NS ? m : MEASURE_NONE;
	}
	enum measure m = unit_word(word);
	if (m == MEASURE_NONE) { /* "gb free" */
		m = unit_word(span_before((struct span){ part->text + 2, part->n - 2 }, ' '));
		return measure_infos[m].base == UNIT_BYTES ? m : MEASURE_NONE;
	}
	return s.n > 1 || word.n > 1 ? m : MEASURE_NONE; /* "s" alone is anything */
}

enum measure measure_of_key(struct span name)
{
	struct words_of w, part;
	bool is_time = false;

	words_init(&w, name);
	if (ends_with(&w, "| s | ") && span_ends(name, "seconds"))
		return MEASURE_S;
	while (last_part(&w, &part)) {
		struct span s = { part.text + 1, part.n - 3 };

		if (strstr(part.text, " memory used |") || strstr(part.text, " peak gpu memory |"))
			return MEASURE_MIB;
		if (span_in(span_trim(s), statistics))
			continue;
		enum measure m = measure_of_part(&part);
		if (m != MEASURE_NONE)
			return is_time && measure_infos[m].base != UNIT_NS ? MEASURE_NONE : m;
		if (is_known(&part, &is_time))
			return m;
	}
	return MEASURE_NONE;
}
