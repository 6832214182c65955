/* A number, and what stands behind it. */
#include "analyze/input/artifact/logs/log_value.h"

#include "analyze/input/artifact/label.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/figure.h"

enum { UNIT_MAX = 24 };

const char *log_blanks(const char *p, const char *end)
{
	while (p < end && is_space_or_tab(*p))
		p++;
	return p;
}

bool log_begins_number(const char *p, const char *end)
{
	if (p >= end)
		return false;
	if (is_digit(*p))
		return true;
	if ((*p == '-' || *p == '+' || *p == '.') && p + 1 < end &&
		(is_digit(p[1]) || (p[1] == '.' && p + 2 < end && is_digit(p[2]))))
		return true;
	p += *p == '-' || *p == '+';
	char first = end - p >= 3 ? *p | 0x20 : 0;
	return (first == 'n' || first == 'i') && span_in_nocase((struct span){ p, 3 }, "nan|inf");
}

bool log_has_number(struct span text)
{
	bool is_in = false; /* a word or a number */

	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i] | 0x20;
		bool is_number = is_digit(text.p[i]);

		if (!is_in &&
			(is_number ||
				((c == 'n' || c == 'i') &&
					log_begins_number(text.p + i, text.p + text.n))))
			return true;
		is_in = is_number || is_letter(c);
	}
	return false;
}

const char *log_value_number(const char *p, const char *end, double *v)
{
	bool missing;

	if (p + 1 < end && *p == '+')
		p++;
	if (is_letter(*p) || (*p == '-' && is_letter(p[1]))) {
		const char *word = p + (*p == '-');
		bool is_long =
			end - word >= 8 && span_is_nocase((struct span){ word, 8 }, "infinity");
		size_t n = (size_t)(word - p) + (is_long ? 8 : 3);

		return p + n <= end && real_of((struct span){ p, n }, v) ? p + n : NULL;
	}
	const char *q = real_parse(p, end, v, &missing);
	if (!q || missing)
		return NULL;
	if (q + 3 < end && strchr(",_'", *q) && *q && is_digit(q[1])) {
		double whole;
		size_t n = label_number(span_between(p, end), &whole);

		*v = n ? whole : *v; /* "0.9,113.2" is none */
		q = n ? p + n : q;
	}
	return q;
}

enum log_mark log_value_mark(struct span number)
{
	size_t sign = number.n && strchr("+-", number.p[0]);
	size_t at = FIRST_FROM(i, sign, number.n, !is_digit(number.p[i]));
	size_t end = FIRST_FROM(i, at + 1, number.n, !is_digit(number.p[i]));

	if (at >= number.n || !strchr(".,", number.p[at]))
		return MARK_NONE;
	bool is_comma = number.p[at] == ',';
	if (end < number.n) /* "1.5e-3", "1,234,567" */
		return MARK_POINT;
	if (end - at == 4 && at > sign && at - sign <= 3 && number.p[sign] != '0')
		return is_comma ? MARK_EITHER_COMMA : MARK_EITHER_POINT;
	return is_comma ? MARK_COMMA : MARK_POINT;
}

const char *log_value_total(const char *p, const char *end, double *total)
{
	const char *q = log_blanks(p, end);

	if (q < end && *q == '/')
		q = log_blanks(q + 1, end);
	else if (end - q > 3 && memcmp(q, "of ", 3) == 0)
		q = log_blanks(q + 3, end);
	else
		return p;
	if (q >= end || !is_digit(*q))
		return p;
	q = log_value_number(q, end, total);
	*total = *total == 0 ? LOG_TOTAL_NONE : *total;
	bool is_date = q && end - q > 1 && *q == '/' && is_digit(q[1]);
	return q && !is_date ? q : p;
}

const char *log_value_inside(const char *p, const char *end)
{
	struct span rest = span_between(p, end);
	const char *open = memchr(p, '(', rest.n);

	return open && (span_starts(rest, "np.float") || span_starts(rest, "tensor(")) ? open + 1
										       : p;
}

const char *log_value_none(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && !is_space_or_tab(*q) && !strchr(",;|", *q))
		q++;
	return span_in(span_between(p, q), "None|null|nil|N/A|n/a|NA") ? q : p;
}

const char *log_value_quantile(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && (is_digit(*q) || *q == '.'))
		q++;
	if (end - q > 2 && span_in((struct span){ q, 2 }, "th|st|nd|rd"))
		q += 2;
	q += q < end && *q == '%';
	return span_starts(span_between(log_blanks(q, end), end), "percentile") ? q : p;
}

const char *log_value_outside(const char *p, const char *end)
{
	int depth = 1;

	while (p < end && depth > 0) {
		depth += (*p == '(') - (*p == ')');
		p++;
	}
	return p;
}

bool log_is_over(const char *p, const char *end)
{
	if (p >= end || is_space_or_tab(*p) || strchr(",;|)]}([!", *p))
		return true;
	return (*p == '.' || *p == '\'' || *p == '"') &&
		(p + 1 == end || is_space_or_tab(p[1]) || p[1] == ',' || p[1] == '}');
}

/* ---- units ---- */

/* "tokens/s", "ms/step", "TFLOP/s/GPU": what stands over the stroke, by what is below it. */
static bool take_rate(struct log_value *v, struct span unit)
{
	struct span over, below;

	if (!span_cut(unit, '/', &over, &below) || below.n == 0)
		return false;
	below = span_before(below, '/');
	enum measure m = measure_of_unit(over);
	if (span_in_nocase(below, "s|sec|second"))
		v->measure = over.n && m == MEASURE_NONE && !span_has_nocase(over, "f")
			? MEASURE_PER_S
			: MEASURE_NONE;
	else if (measure_infos[m].base == UNIT_NS)
		v->measure = m;
	else
		return over.n > 0 &&
			span_in_nocase(below, "step|it|iter|gpu|device|token|min|minute");
	return true;
}

static double power_of(char c, double base)
{
	static const char letters[] = "kmgt";
	const char *at = memchr(letters, c | 0x20, sizeof(letters) - 1);
	double v = 1;

	for (; at && at >= letters; at--)
		v *= base;
	return c == 'B' ? 1e9 : v;
}

/* One letter: of memory "G" is GiB, of anything else a thousand millions. */
static bool take_letter(struct log_value *v, char c, struct span name)
{
	if (!strchr("kKMGTB", c))
		return false;
	bool is_memory = strcmp(figure_kind(name, UNIT_NONE)->word, "memory") == 0;
	double scale = power_of(c, is_memory ? 1024 : 1e3);

	if (is_memory && c == 'B')
		scale = 1;
	if (is_memory) /* MEASURE_BYTE, KIB, MIB and GIB follow each other */
		v->measure = scale == 1 ? MEASURE_BYTE
			: scale < 2e3   ? MEASURE_KIB
			: scale < 2e6   ? MEASURE_MIB
					: MEASURE_GIB;
	v->scale = is_memory ? scale / measure_infos[v->measure].factor : scale;
	return true;
}

static bool take_unit(struct log_value *v, struct span unit, struct span name)
{
	static const struct {
		const char *words;
		enum measure measure;
		double scale;
	} known[] = {
		{ "min|mins|minutes", MEASURE_S, 60 },
		{ "m", MEASURE_S, 60 },
		{ "h|hours", MEASURE_S, 3600 },
		{ "tb|tib", MEASURE_GIB, 1024 },
		{ "secs|second", MEASURE_S, 1 },
		{ "tokens|toks|runs|reqs|requests|samples|images|seqs|steps|iters|iterations",
			MEASURE_NONE, 1 },
	};

	if (unit.n == 1 && take_letter(v, unit.p[0], name))
		return true;
	v->measure = measure_of_unit(unit);
	if (v->measure != MEASURE_NONE)
		return true;
	size_t flop = FIRST(i, unit.n, span_starts_in_nocase(span_from(unit, i), "flop"));
	if (flop < unit.n) { /* of "tflops", and where they name it, "TFLOPS" are so many */
		if (flop && name.n && !span_has_nocase(name, "tflop"))
			v->scale = power_of(unit.p[flop - 1], 1e3);
		return true;
	}
	if (take_rate(v, unit))
		return true;
	for (size_t i = 0; i < COUNT_OF(known); i++)
		if (span_in_nocase(unit, known[i].words) &&
			(unit.n > 1 || span_has_nocase(name, "time"))) {
			v->measure = known[i].measure;
			v->scale = known[i].scale;
			return true;
		}
	struct span rest = span_from(unit, 1);
	if (unit.n < 3 || !take_rate(v, rest) || power_of(unit.p[0], 1e3) <= 1)
		return false;
	v->scale = power_of(unit.p[0], 1e3); /* "ktok/s" */
	return true;
}

/* Letters, signs of rates and per cent, the micro sign. */
static struct span word_at(const char *p, const char *end)
{
	const char *q = p;

	if (end - p > 1 && *p == '/' && !is_letter(p[1]))
		return (struct span){ p, 0 };
	while (q < end && q - p < UNIT_MAX &&
		(is_letter(*q) || strchr("%/_\xc2\xb5\xce\xbc", *q)) && *q)
		q++;
	if (q < end && q > p && *p == '/' && (*q == '=' || *q == ':'))
		q = p; /* "epoch=0/step=10" */
	return (struct span){ p, (size_t)(q - p) };
}

const char *log_value_per(struct log_value *v, const char *p, const char *end)
{
	struct span unit = word_at(log_blanks(p, end), end), of = { "", 0 };
	const char *q = unit.p + unit.n;
	double many = 0;

	if (!span_ends(unit, "/") || q >= end || !is_digit(*q))
		return p;
	enum measure m = measure_of_unit((struct span){ unit.p, unit.n - 1 });
	if ((q = log_value_number(q, end, &many)))
		of = word_at(log_blanks(q, end), end);
	if ((m != MEASURE_S && m != MEASURE_MS) || !(many > 0) || !log_word_is_step(of))
		return p;
	v->measure = m;
	v->per = many;
	v->scale = 1 / many;
	v->unit = m == MEASURE_S ? SPAN("s/iter") : SPAN("ms/iter");
	return of.p + of.n;
}

/* A unit of what the name says: it belongs to the number in front of it, whatever follows. */
static bool is_of_name(struct span unit, struct span name)
{
	const char *kind = name.n ? figure_kind(name, UNIT_NONE)->word : "";

	if (strcmp(kind, "time") == 0 || span_has_nocase(name, "time"))
		return measure_infos[measure_of_unit(unit)].base == UNIT_NS;
	return unit.n == 1 && strcmp(kind, "memory") == 0;
}

/* "0,1,2,3 tok/s 12,345 ms/step 80": the word behind a number without a name names the next one, as
 * the last number has no unit; "12,345 tok/s 80 ms/step" are units.  next: the number behind that
 * word. */
static bool names_next(const char *next, const char *end)
{
	enum { LINKS = 16 };
	double v;

	for (int i = 0; i < LINKS && log_begins_number(next, end); i++) {
		const char *q = log_value_number(next, end, &v);
		if (!q || (q < end && *q == ':')) /* "1:02:03" */
			return false;
		struct span word = word_at(log_blanks(q, end), end);
		struct log_value unit = { .scale = 1 };
		const char *behind = word.p + word.n;
		if (word.n == 0 || !log_is_over(behind, end) || !take_unit(&unit, word, SPAN("")))
			return true;
		next = log_blanks(behind, end);
	}
	return false;
}

/* "loss 2.9 tok/s 100": the word between the numbers is the name of the second. */
static bool is_next_name(struct span word, struct span name, const char *next, const char *end)
{
	if (name.n == 0)
		return names_next(next, end);
	return memchr(name.p, '/', name.n) ||
		!span_in(span_of(figure_kind(name, UNIT_NONE)->word),
			span_ends(word, "/s") ? "throughput"
					      : "time|quantile|throughput|utilization");
}

/* "tokens/s" a blank behind the number; what is behind it, or p: there is none. */
static const char *take_far(struct log_value *v, const char *p, const char *end, struct span name)
{
	const char *q = log_blanks(p, end);
	struct span unit = word_at(q, end);
	const char *behind = unit.p + unit.n, *next = log_blanks(behind, end);
	struct log_value with = *v;

	bool is_last = next >= end || strchr(",;|", *next) || /* "1.3 B, " */
		(*next == '.' && log_is_over(next, end));
	bool is_name = next < end && is_digit(*next) && is_next_name(unit, name, next, end);
	bool is_own = is_of_name(unit, name), is_key = next < end && strchr(":=", *next);
	if (q == p || unit.n == 0 || is_key || !log_is_over(behind, end))
		return p;
	if (!is_own &&
		(is_name || (unit.n == 1 && *q != '%' && !is_last) ||
			(next < end && is_digit(*next) && !memchr(unit.p, '/', unit.n))))
		return p;
	with.scale = 1;
	if (!take_unit(&with, unit, name))
		return p;
	with.scale *= v->scale;
	with.unit = unit;
	*v = with;
	return behind;
}

/* "12:34:56", "1:02", behind the digits: what is behind it, or p. */
static const char *take_clock(struct log_value *v, const char *p, const char *end)
{
	const char *q = p;
	int parts = 0;

	while (end - q > 2 && *q == ':' && is_digit(q[1]) && is_digit(q[2]) && parts < 2) {
		v->number = v->number * 60 + (q[1] - '0') * 10 + (q[2] - '0');
		q += 3;
		parts++;
	}
	if (q == p)
		return p;
	if (end - q > 1 && *q == '.' && is_digit(q[1])) { /* of a second */
		double part = 0, of = 1;

		for (q++; q < end && is_digit(*q); q++, of *= 10)
			part = part * 10 + (*q - '0');
		v->number += part / of;
	}
	v->is_clock = true;
	v->measure = MEASURE_S;
	return q;
}

/* "(66.1%)", "( 0.130)", "(0.533s, 1932.08/s)": passed over.  A percentage is kept. */
const char *log_value_remark(struct log_value *v, const char *p, const char *end)
{
	const char *q = log_blanks(p, end), *close, *in;

	if (q >= end || *q != '(')
		return p;
	close = memchr(q, ')', (size_t)(end - q));
	in = log_blanks(q + 1, end);
	if (!close || !log_begins_number(in, end))
		return p;
	v->share = in;
	in = log_value_number(in, end, &v->share_number);
	if (!in || *in != '%' || in + 1 != close)
		v->share = NULL;
	v->nremarks = 0;
	for (in = q; in < close && !v->share; in++)
		v->nremarks += !is_digit(in[0]) && is_digit(in[1]) && !strchr("./", in[0]);
	v->remark = (struct span){ q + 1, v->share ? 0 : (size_t)(close - q) - 1 };
	return close + 1;
}

/* "2m 3s" of "1h 2m 3s" at p, behind hours or minutes: what is behind it, or p. */
static const char *take_parts(struct log_value *v, const char *p, const char *end)
{
	const char *q, *from;
	double part, of;

	while (v->measure == MEASURE_S && v->scale >= 60) {
		from = q = log_blanks(p, end);
		for (part = 0; q < end && is_digit(*q) && q - from < 2; q++)
			part = part * 10 + (*q - '0');
		of = q == end || q == from ? 0 : *q == 's' ? 1 : *q == 'm' ? 60 : 0;
		if (of == 0 || !log_is_over(q + 1, end))
			break;
		v->number = (v->number * v->scale + part * of) / of;
		v->scale = of;
		v->is_clock = true;
		p = q + 1;
	}
	return p;
}

/* "± 0.1" of "1.5 ± 0.1 s": passed over; what is behind it, or p. */
static const char *take_spread(const char *p, const char *end)
{
	static const char *const signs[] = { "\xc2\xb1", "+/-", "+-" };
	struct span rest = span_between(log_blanks(p, end), end);
	size_t n = FIND_VALUE(i, COUNT_OF(signs), span_starts(rest, signs[i]), strlen(signs[i]), 0);
	double v;

	rest = span_from(rest, n);
	const char *q = log_blanks(rest.p, end);
	q = n > 0 && q < end && is_digit(*q) ? log_value_number(q, end, &v) : NULL;
	return q ? q : p;
}

const char *log_value(struct log_value *v, const char *p, const char *end, struct span name)
{
	*v = (struct log_value){ .scale = 1, .unit = { "", 0 } };
	size_t n = label_decimal(span_between(p, end), name, &v->number);
	v->is_decimal = n > 0;
	const char *from = p;
	p = n ? p + n : log_value_number(p, end, &v->number);
	if (!p)
		return NULL;
	v->mark = log_value_mark(span_between(from, p));
	p = take_spread(p, end);
	struct span unit = word_at(p, end);
	const char *behind = log_value_per(v, p, end);
	if (behind > p) {
		p = behind;
	} else if (unit.n) {
		const char *next = unit.p + unit.n; /* "71b60d21" is a hash, "2m3s" a time */
		if ((next < end && is_digit(*next) && *unit.p != 'm' && *unit.p != 'h') ||
			!take_unit(v, unit, name))
			return NULL;
		v->unit = unit;
		p = unit.p + unit.n;
		p = take_parts(v, p, end);
	} else if (p < end && *p == ':') {
		p = take_clock(v, p, end);
	}
	if (!v->is_clock && v->per == 0 && (unit.n == 0 || v->measure == MEASURE_NONE))
		p = take_far(v, p, end, name);
	behind = take_spread(p, end);
	if (behind > p) { /* "1.5 s ± 0.1 s" */
		struct span again = word_at(log_blanks(behind, end), end);

		p = span_eq(again, v->unit) ? again.p + again.n : behind;
	}
	return log_value_remark(v, p, end);
}

enum { FIGURE_BYTES = 48 };

bool log_value_of(struct span text, struct span name, enum measure *measure, double *v)
{
	char copy[FIGURE_BYTES + REAL_PADDING] = "";
	struct log_value of;

	if (real_of(text, v))
		return true;
	if (text.n == 0 || text.n > FIGURE_BYTES || text.p[0] > '9')
		return false;
	const char *end = (char *)memcpy(copy, text.p, text.n) + text.n;
	const char *p = log_value(&of, copy, end, name);
	if (!p || span_trim(span_between(p, end)).n > 0 ||
		(of.measure == MEASURE_NONE && !of.is_clock && !log_word_is_quantity(name)))
		return false;
	*measure = *measure == MEASURE_NONE ? of.measure : *measure;
	*v = of.number * of.scale * measure_infos[of.measure].factor /
		measure_infos[*measure].factor;
	return measure_infos[of.measure].base == measure_infos[*measure].base;
}
