/* Prefixes as patterns, a row each, matched one behind the other until none fits; and escape
 * sequences of terminals, taken off. */
#include "analyze/input/artifact/logs/log_prefix.h"

#include <stdio.h>

#include "analyze/input/artifact/logs/log_forms.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/text/num.h"

enum { LEVEL_WITHIN = 100, PARTS_MAX = 12, BRACKET_MAX = 80, LOGGER_MAX = 64, RANK_MAX = 1 << 20 };

enum verdict_part { PART_RANK, PART_TIME, PART_LEVEL, PART_TAG, PART_NAME };

/* A pattern: '#' one digit or more, '%' the same and the rank, '@' letters, '_' one blank or more,
 * '*' anything but brackets up to what is next; other bytes stand for themselves. */
static const struct {
	const char *pattern;
	enum verdict_part part;
} rows[] = {
	{ "[rank%]:", PART_RANK },       /* torchrun's and torchtitan's own */
	{ "[rank%]", PART_RANK },        /* */
	{ "[rank_%]", PART_RANK },       /* Megatron-LM */
	{ "[Rank_%]", PART_RANK },       /* DeepSpeed */
	{ "[RANK_%]", PART_RANK },       /* */
	{ "[default%]:", PART_RANK },    /* torchrun --tee */
	{ "[default%|#]:", PART_RANK },  /* with the local rank */
	{ "[trainer%]:", PART_RANK },    /* --role trainer */
	{ "[trainer%|#]:", PART_RANK },  /* */
	{ "[worker%]:", PART_RANK },     /* */
	{ "[worker%|#]:", PART_RANK },   /* */
	{ "[%]:", PART_RANK },           /* torchrun of old, horovodrun */
	{ "[#,%]<stdout>:", PART_RANK }, /* mpirun --tag-output */
	{ "[#,%]<stderr>:", PART_RANK }, /* */
	{ "(@_rank=%_*)", PART_RANK },   /* vLLM's workers */
	{ "(@_pid=#)", PART_TAG },       /* vLLM, Ray */
	{ "(pid=#)", PART_TAG },         /* */
	{ "(@_pid=#,_ip=*)", PART_TAG }, /* Ray */
	{ "rank_%:", PART_RANK },        /* */
	{ "Rank_%:", PART_RANK },        /* */
	{ "Engine_#:", PART_RANK },      /* vLLM */
	{ "@-#_|_", PART_NAME },         /* compose */
	{ "stdout_@_", PART_TIME },      /* what CRI's runtimes write behind the time */
	{ "stderr_@_", PART_TIME },      /* */
	{ "#/#/#-#:#:#", PART_TIME },    /* TensorRT-LLM */
	{ "#/#_#:#:#", PART_TIME },      /* mmengine, detectron2 */
	{ "#-#-#T#:#:#", PART_TIME },    /* ISO 8601 */
	{ "#-#-#_#:#:#", PART_TIME },    /* logging, loguru */
	{ "#/#/#_#:#:#", PART_TIME },    /* Hugging Face's examples */
	{ "#-#_#:#:#", PART_TIME },      /* vLLM */
	{ "#:#:#", PART_TIME },          /* */
	{ "@_#_#:#:#_*[#]:", PART_TAG }, /* journald, syslog */
	{ "@.py:#]", PART_TAG },         /* vLLM of old */
	{ "I#_#:#:#.#_*]", PART_LEVEL }, /* absl, glog */
	{ "W#_#:#:#.#_*]", PART_LEVEL }, /* */
	{ "E#_#:#:#.#_*]", PART_LEVEL }, /* */
	{ "DEBUG", PART_LEVEL },         /* */
	{ "INFO", PART_LEVEL },          /* */
	{ "WARNING", PART_LEVEL },       /* */
	{ "WARN", PART_LEVEL },          /* */
	{ "ERROR", PART_LEVEL },         /* */
	{ "CRITICAL", PART_LEVEL },      /* */
};

/* Digits at t[i..): where they end, i when there are none; *rank is their number. */
static size_t digits_end(struct span t, size_t i, int *rank)
{
	int v = 0;

	for (; i < t.n && is_digit(t.p[i]); i++)
		v = v < RANK_MAX ? v * 10 + (t.p[i] - '0') : v;
	*rank = v;
	return i;
}

/* Where what a pattern's letter stands for ends; i when it is not there. */
static size_t class_end(struct span t, size_t i, char letter, char next)
{
	int number;

	if (letter == '#' || letter == '%')
		return digits_end(t, i, &number);
	if (letter == '@')
		return FIRST_FROM(
			k, i, t.n, !is_letter(t.p[k]) && !is_digit(t.p[k]) && t.p[k] != '_');
	if (letter == '_')
		return FIRST_FROM(k, i, t.n, !is_space_or_tab(t.p[k]));
	return FIRST_FROM(k, i, MIN(t.n, i + BRACKET_MAX), t.p[k] == next || t.p[k] == '[');
}

static void add_who(struct log_prefix *p, const char *what, int number, size_t at)
{
	size_t n = strlen(p->who);

	if (p->nat == LOG_WHO_NUMBERS)
		return;
	p->at[p->nat++] = at;
	if (number > 0)
		(void)snprintf(p->who + n, LOG_WHO - n, "%s%s%d", n ? " " : "", what, number);
}

/* "DP1 TP2", "Worker_TP3", "EngineCore_DP1", "Engine 001", in a part [from, from + t.n) of a line.
 */
static void find_who(struct log_prefix *p, struct span t, size_t from)
{
	static const struct {
		const char *written, *name;
	} known[] = { { "dp", "DP" }, { "tp", "TP" }, { "pp", "PP" }, { "ep", "EP" },
		{ "cp", "CP" }, { "engine", "engine " }, { "worker", "worker " } };
	size_t i = 0, word;
	int number;

	while (i < t.n) {
		word = i;
		i = FIRST_FROM(k, word, t.n, !is_letter(t.p[k]));
		size_t digits = i + (i > word && i < t.n && strchr(" =_", t.p[i]) != NULL);
		size_t end = digits_end(t, digits, &number);
		for (size_t k = 0; end > digits && k < COUNT_OF(known); k++)
			if (span_is_nocase((struct span){ t.p + word, i - word }, known[k].written))
				add_who(p, known[k].name, number, from + digits);
		i = end > digits ? end : i + (i == word);
	}
}

/* Bytes of t that the pattern takes; 0: it does not fit. */
static size_t match(struct span t, const char *pattern, struct log_prefix *to)
{
	size_t i = 0, end, rank = t.n;
	int number;

	for (; *pattern; pattern++) {
		if (!strchr("#%@_*", *pattern)) {
			if (i == t.n || t.p[i++] != *pattern)
				return 0;
			continue;
		}
		end = class_end(t, i, *pattern, pattern[1]);
		if (end == i && *pattern != '*')
			return 0;
		rank = *pattern == '%' ? i : rank;
		i = end;
	}
	if (rank < t.n) {
		(void)digits_end(t, rank, &number);
		to->rank = number;
		add_who(to, "rank ", number, to->n + rank);
	}
	return i;
}

/* Behind a time: ",123", ".123456", "Z", "+00:00". */
static size_t time_end(struct span t, size_t i)
{
	int number;

	if (i + 1 < t.n && (t.p[i] == ',' || t.p[i] == '.') && is_digit(t.p[i + 1]))
		i = digits_end(t, i + 1, &number);
	if (i < t.n && t.p[i] == 'Z')
		return i + 1;
	if (i + 2 < t.n && (t.p[i] == '+' || t.p[i] == '-') && is_digit(t.p[i + 1]) &&
		is_digit(t.p[i + 2])) {
		i = digits_end(t, i + 1, &number);
		if (i < t.n && t.p[i] == ':')
			i = digits_end(t, i + 1, &number);
	}
	return i;
}

/* "[INFO|trainer.py:2134]", "[titan]": letters in it, and no step, as "[step 3]" and "[3/10]". */
static size_t bracket(struct span t)
{
	size_t i = 1, letters = 0, word;

	if (t.n == 0 || t.p[0] != '[')
		return 0;
	for (; i < t.n && i < BRACKET_MAX && t.p[i] != ']' && t.p[i] != '['; i++)
		letters += is_letter(t.p[i]);
	if (i == t.n || t.p[i] != ']')
		return 0;
	word = FIRST_FROM(k, 1, i, !is_letter(t.p[k]));
	if (log_word_is_count((struct span){ t.p + 1, word - 1 }))
		return 0;
	return letters || memchr(t.p, ':', i) ? i + 1 : 0;
}

/* "root - ", "__main__:train:45 - ", "llamafactory.model.loader:143 >> ", vLLM's "metrics.py:345]
 * ", behind a date; and "root:" right behind a level. */
static size_t name(struct span t, bool is_tight)
{
	size_t i = FIRST(k, MIN(t.n, LOGGER_MAX),
		(!is_letter(t.p[k]) && !is_digit(t.p[k]) && !strchr("_.<>:", t.p[k])) ||
			(is_tight && t.p[k] == ':'));

	if (i == 0 || i == t.n || is_digit(t.p[0]))
		return 0;
	size_t colon = FIRST(k, i, t.p[k] == ':');
	if (log_word_is_count((struct span){ t.p, colon }))
		return 0;
	if (is_tight)
		return t.p[i] == ':' ? i + 1 : 0;
	if (t.p[i] == ']' && colon < i && is_digit(t.p[i - 1]))
		return i + 1;
	if (i + 2 >= t.n || !is_space_or_tab(t.p[i]))
		return 0;
	bool is_dash = t.p[i + 1] == '-' && is_space_or_tab(t.p[i + 2]);
	bool is_arrow = t.p[i + 1] == '>' && t.p[i + 2] == '>';
	return is_dash || is_arrow ? i : 0;
}

/* Behind the name and the stroke of "trainer-1 |". */
static size_t n_name(struct span t)
{
	return class_end(t, 0, '@', 0) + 1;
}

/* "train.py:10" is in it. */
static bool has_place(struct span t)
{
	return ANY(i, t.n, i > 0 && t.p[i - 1] == ':' && is_digit(t.p[i]));
}

/* As far as the level that a logger writes, where no figure is in front of it: 0 when there is none
 * near.  is_again: one was there, and only behind a place in a source is another. */
static size_t to_level(struct span t, bool is_again)
{
	static const char *const levels[] = { "INFO", "WARNING", "WARN", "ERROR", "DEBUG",
		"CRITICAL" };
	size_t most = MIN(t.n, LEVEL_WITHIN);
	const char *equals = memchr(t.p, '=', most);

	most = equals ? (size_t)(equals - t.p) : most;
	for (size_t i = 1; i < most; i++) {
		if (t.p[i] < 'C' || t.p[i] > 'W' || !memchr(" \t|", t.p[i - 1], 3))
			continue;
		for (size_t k = 0; k < COUNT_OF(levels); k++) {
			size_t n = strlen(levels[k]);

			if (i + n < t.n && memcmp(t.p + i, levels[k], n) == 0 &&
				memchr(" \t|:", t.p[i + n], 4))
				return is_again && !has_place((struct span){ t.p, i }) ? 0 : i + n;
		}
	}
	return 0;
}

/* "10.0.0.1: ", "gpu-node-01: " in front of what is no number, as pdsh has hosts: as numbered. */
static size_t host(struct span t, size_t *name)
{
	size_t n = FIRST(
		k, t.n, !is_letter(t.p[k]) && !is_digit(t.p[k]) && t.p[k] != '-' && t.p[k] != '.');
	size_t dots = SUM(size_t, k, n, t.p[k] == '.');
	bool is_ip = dots == 3 && ALL(k, n, is_digit(t.p[k]) || t.p[k] == '.');
	size_t to = n, from;

	while (to > 0 && is_digit(t.p[to - 1]))
		to--;
	for (to -= to > 0 && t.p[to - 1] == '-', from = to; from > 0 && is_letter(t.p[from - 1]);)
		from--;
	bool is_node = dots == 0 && is_digit(t.p[n - (n > 0)]) && from > 0 &&
		t.p[from - 1] == '-' &&
		span_in_nocase((struct span){ t.p + from, to - from },
			"node|worker|host|gpu|server|machine|instance|compute");
	*name = n;
	if (n == 0 || n + 2 >= t.n || !(is_ip || is_node) || t.p[n] != ':' || t.p[n + 1] != ' ')
		return 0;
	return is_digit(t.p[n + 2]) ? 0 : n + 2;
}

/* "node1 | ", "worker-0: " in front of what is no number: its bytes, 0 when it is none; *name as
 * far as its digits. */
static size_t numbered(struct span t, size_t *name)
{
	size_t word = FIRST(k, t.n, !is_letter(t.p[k]) && t.p[k] != '_');
	size_t from = word + (word < t.n && t.p[word] == '-');
	size_t to = FIRST_FROM(k, from, t.n, !is_digit(t.p[k])), bar = class_end(t, to, '_', 0);
	struct span what = span_trim_end((struct span){ t.p, word }, "_");

	if (what.n < 2 || to == from || bar + 2 >= t.n || log_word_is_count(what))
		return 0;
	if (!(t.p[bar] == '|' && bar > to) &&
		!(t.p[to] == ':' &&
			span_in_nocase(what,
				"node|worker|host|trainer|actor|learner|replica|process|proc|pod|"
				"server|task|client|machine|instance|stage")))
		return 0;
	size_t behind = class_end(t, bar + 1, '_', 0);
	*name = to;
	return behind > bar + 1 && behind < t.n && !is_digit(t.p[behind]) ? behind : 0;
}

/* One part at the beginning of t: its bytes, 0 when there is none. */
static size_t find_part(struct log_prefix *p, struct span t)
{
	size_t nat = p->nat;
	size_t n;

	if (t.n == 0 || !(t.p[0] == '[' || t.p[0] == '(' || is_digit(t.p[0]) || is_letter(t.p[0])))
		return 0;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		char first = rows[i].pattern[0];

		if (first != t.p[0] && !(first == '#' && is_digit(t.p[0])) &&
			!(first == '@' && is_letter(t.p[0])))
			continue;
		n = match(t, rows[i].pattern, p);
		if (n && rows[i].part == PART_LEVEL && n < t.n &&
			(is_letter(t.p[n]) || t.p[n] == '_'))
			continue;
		if (n && rows[i].part == PART_TIME)
			n = time_end(t, n);
		if (n == 0)
			continue;
		if (rows[i].part == PART_NAME)
			(void)snprintf(
				p->who, LOG_WHO, "%.*s", (int)class_end(t, n_name(t), '#', 0), t.p);
		p->nname = rows[i].part == PART_NAME ? strlen(p->who) : p->nname;
		if (rows[i].part == PART_TAG && t.p[0] == '(') {
			p->tag = p->n + 1;
			p->ntag = n - 2;
		}
		p->is_leveled |= rows[i].part == PART_LEVEL;
		p->is_said |= rows[i].part != PART_RANK;
		if (p->nat == nat && rows[i].part != PART_NAME)
			find_who(p, (struct span){ t.p, n }, p->n);
		return n;
	}
	size_t who;
	if (p->n == 0 && ((n = numbered(t, &who)) || (n = host(t, &who)))) {
		(void)snprintf(p->who, LOG_WHO, "%.*s", (int)who, t.p);
		p->nname = strlen(p->who);
		p->is_said = true;
		return n;
	}
	n = bracket(t);
	if (n && p->n == 0 && span_starts(t, "[pod/")) { /* kubectl logs --prefix */
		struct span pod = span_before((struct span){ t.p + 5, n - 6 }, '/');
		(void)snprintf(p->who, LOG_WHO, "%.*s", (int)MIN(pod.n, LOG_WHO), pod.p);
		p->nname = strlen(p->who);
	}
	find_who(p, (struct span){ t.p, n }, p->n);
	p->is_said |= n > 0;
	return n;
}

/* Blanks, and one sign between two parts. */
static size_t gap(struct span t)
{
	size_t i = class_end(t, 0, '_', 0);

	if (i < t.n &&
		(t.p[i] == '|' || t.p[i] == ':' ||
			(t.p[i] == '-' && i + 1 < t.n && is_space_or_tab(t.p[i + 1]))))
		i++;
	else if (i + 1 < t.n && t.p[i] == '>' && t.p[i + 1] == '>')
		i += 2;
	return class_end(t, i, '_', 0);
}

/* "0: " of srun -l, only where a logger's words, a dict or a step follow: "10: 0.5" has none. */
static size_t bare_rank(struct span t, int *rank)
{
	struct log_prefix next = { .rank = -1 };
	size_t i = class_end(t, 0, '_', 0), n = digits_end(t, i, rank);

	if (n == i || n + 1 >= t.n || t.p[n] != ':' || !is_space_or_tab(t.p[n + 1]))
		return 0;
	n = class_end(t, n + 1, '_', 0);
	t = span_from(t, n);
	size_t word = FIRST(k, t.n, !is_letter(t.p[k]));
	if (t.n == 0 || find_part(&next, t) || span_starts(t, "{'") || span_has(t, "%|") ||
		span_has(t, ") | ") || log_form_find(t, NULL) ||
		log_word_is_count((struct span){ t.p, word }))
		return n;
	return 0;
}

void log_prefix_find(struct log_prefix *p, struct span line)
{
	int rank = -1;
	size_t n;

	*p = (struct log_prefix){ .rank = -1 };
	p->n = bare_rank(line, &rank);
	if (p->n) {
		p->rank = rank;
		add_who(p, "rank ", rank, class_end(line, 0, '_', 0));
	}
	for (int i = 0; i < PARTS_MAX; i++) {
		size_t blank = p->n == 0 ? class_end(line, 0, '_', 0) : 0;

		p->n += blank;
		struct span t = span_from(line, p->n);
		n = find_part(p, t);
		if (n == 0 && p->is_said) {
			n = to_level(t, p->is_leveled);
			p->is_leveled = p->is_leveled || n > 0;
		}
		if (n == 0 && p->is_said)
			n = name(t, p->n > 0 && line.p[p->n - 1] == ':');
		if (n == 0) {
			p->n -= blank;
			break;
		}
		p->n += n;
		p->n += gap(span_from(line, p->n));
	}
}

size_t log_indent(struct span line, struct span text)
{
	size_t from = (size_t)(text.p - line.p), n;
	const char *rank = memmem(line.p, from, "  rank ", 7);

	from = rank ? (size_t)(rank - line.p) + 2 : from;
	for (n = from; n && is_space_or_tab(line.p[n - 1]); n--)
		;
	return from - n + FIRST(i, text.n, !is_space_or_tab(text.p[i])) +
		(size_t)ANY(i, from - n, line.p[n + i] == '\t');
}

/* --- lines as they read without colours --- */

enum { ESCAPE = 0x1b, BACKSPACE = 0x08 };

/* Where the escape sequence or the backspace at i ends. */
static size_t control_end(struct span t, size_t i)
{
	if (t.p[i++] == BACKSPACE)
		return i;
	i += i < t.n && t.p[i] == '[';
	i = FIRST_FROM(k, i, t.n, is_letter(t.p[k]));
	return i < t.n ? i + 1 : i;
}

/* Lines that boxes are drawn with, as those that are typed: U+2500 to U+257F. */
static void undraw(struct str *b)
{
	static const char upright[] = "\x82\x83\x86\x87\x8a\x8b";
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		unsigned char second = i + 2 < b->n ? (unsigned char)b->s[i + 1] : 0;
		bool is_drawn = b->s[i] == '\xe2' && (second == 0x94 || second == 0x95);
		char third = is_drawn ? b->s[i + 2] : 0;
		bool is_upright = second == 0x95 ? third == '\x91' : strchr(upright, third) != NULL;
		bool is_level = second == 0x95 ? third == '\x90' : (unsigned char)third < 0x8c;

		b->s[n++] = !is_drawn ? b->s[i] : is_upright ? '|' : is_level ? '-' : '+';
		i += 2 * is_drawn;
	}
	b->n = n;
}

struct span log_plain(struct span line, struct str *b)
{
	bool is_box = memchr(line.p, '\xe2', line.n) &&
		(memmem(line.p, line.n, "\xe2\x94", 2) || memmem(line.p, line.n, "\xe2\x95", 2));
	size_t i = 0;

	if (!is_box && !memchr(line.p, ESCAPE, line.n) && !memchr(line.p, BACKSPACE, line.n))
		return line;
	str_reset(b);
	while (i < line.n) {
		const char *next = memchr(line.p + i, ESCAPE, line.n - i);
		size_t to = next ? (size_t)(next - line.p) : line.n;
		const char *back = memchr(line.p + i, BACKSPACE, to - i);

		to = back ? (size_t)(back - line.p) : to;
		str_add(b, line.p + i, to - i);
		i = to < line.n ? control_end(line, to) : to;
	}
	if (is_box)
		undraw(b);
	line.n = b->n;
	str_add(b, "\0\0\0\0\0\0\0\0", REAL_PADDING);
	line.p = b->s;
	return line;
}
