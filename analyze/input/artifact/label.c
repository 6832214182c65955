/* Taking lines of reports apart. */
#include "analyze/input/artifact/label.h"

#include <stdio.h>

#include "analyze/input/text/num.h"
#include "analyze/trace/figure.h"

enum { NUMBER_MAX = 40 };

/* The label in front of the first colon; false when that is none. */
static bool label_of(struct span line, struct span *label, struct span *rest)
{
	if (!span_cut(line, ':', label, rest))
		return false;
	*label = span_trim(*label);
	*rest = span_trim(*rest);
	if (label->n == 0 || label->n > LABEL_MAX || !is_letter(label->p[0]))
		return false;
	return !ANY(i, label->n,
		!is_letter(label->p[i]) && !is_digit(label->p[i]) &&
			!strchr(" _/.-()[]%", label->p[i]));
}

/* A comma of "494,033,920": three digits behind it, and no fourth; "0,250" has none. */
static bool is_thousands(struct span t, size_t i)
{
	bool is_zero = i > 0 && t.p[i - 1] == '0' && (i == 1 || !is_digit(t.p[i - 2]));

	return i > 0 && !is_zero && i + 3 < t.n && is_digit(t.p[i - 1]) && is_digit(t.p[i + 1]) &&
		is_digit(t.p[i + 2]) && is_digit(t.p[i + 3]) &&
		(i + 4 == t.n || !is_digit(t.p[i + 4]));
}

size_t label_number(struct span t, double *v)
{
	char text[NUMBER_MAX];
	size_t n = 0, i;

	for (i = 0; i < t.n && n + 1 < sizeof(text); i++) {
		char c = t.p[i];

		if (strchr(",_'", c) && c && is_thousands(t, i))
			continue;
		if ((c == 'e' || c == 'E') && n > 0 && i + 1 < t.n &&
			(is_digit(t.p[i + 1]) || t.p[i + 1] == '-' || t.p[i + 1] == '+'))
			;
		else if (!is_digit(c) && c != '.' &&
			!((c == '-' || c == '+') &&
				(n == 0 || text[n - 1] == 'e' || text[n - 1] == 'E')))
			break;
		text[n++] = c;
	}
	return n > 0 && real_of((struct span){ text, n }, v) ? i : 0;
}

bool label_is_small(struct span name)
{
	enum metric_role role = name.n ? metric_role(name) : ROLE_OTHER;

	return role == ROLE_LOSS || role == ROLE_ACCURACY || role == ROLE_RATE || role == ROLE_KL ||
		role == ROLE_GRAD_NORM || role == ROLE_REWARD;
}

/* Figures below a thousand, of which "2,515" is no thousands, and such that may be above. */
static bool takes_comma(struct span name, bool is_thousands)
{
	enum metric_role role = name.n ? metric_role(name) : ROLE_OTHER;

	return label_is_small(name) ||
		(!is_thousands &&
			((role != ROLE_OTHER && role != ROLE_TOKENS) ||
				strcmp(figure_kind(name, UNIT_NONE)->word, "time") == 0));
}

size_t label_decimal(struct span t, struct span name, double *v)
{
	char text[NUMBER_MAX];
	size_t sign = t.n && (t.p[0] == '-' || t.p[0] == '+');
	size_t comma = FIRST_FROM(i, sign, t.n, !is_digit(t.p[i]));

	if (comma == sign || comma >= t.n || t.p[comma] != ',')
		return 0;
	size_t end = FIRST_FROM(i, comma + 1, t.n, !is_digit(t.p[i]));
	bool is_zero = t.p[sign] == '0',
	     goes_on = end + 1 < t.n && strchr(",.", t.p[end]) &&
		is_digit(t.p[end + 1]); /* "1,234.5",
	                                   "0,1,2"
	                                 */
	if (end == comma + 1 || end >= NUMBER_MAX || goes_on || (is_zero && comma > sign + 1) ||
		!takes_comma(name, end == comma + 4 && !is_zero))
		return 0;
	memcpy(text, t.p, end);
	text[comma] = '.';
	return real_of((struct span){ text, end }, v) ? end : 0;
}

/* The number t begins with, and what is behind it. */
static bool number_of(struct span t, struct span name, double *v, struct span *rest)
{
	size_t n = label_decimal(t, name, v);

	n = n ? n : label_number(t, v);

	*rest = span_trim(span_from(t, n));
	return n > 0;
}

/* What stands for "give or take" at the beginning of t: its bytes, or 0. */
static size_t give_or_take(struct span t)
{
	static const char *const signs[] = { "+/-", "\xc2\xb1" };

	return FIND_VALUE(i, 2, span_starts(t, signs[i]), strlen(signs[i]), 0);
}

/* The unit of the rest, without a remark in parentheses; false when the rest is more than that. */
static bool unit_of(struct span rest, enum measure *m)
{
	struct span remark;

	*m = MEASURE_NONE;
	if (span_bracketed(rest, '(', &rest, &remark) && memchr(remark.p, ')', remark.n))
		return false; /* "Epoch: 1 (10/100) Loss: 2.4 (2.5)" */
	rest = span_trim_end(rest, ",");
	if (rest.n == 0)
		return true;
	*m = measure_of_unit(rest);
	return *m != MEASURE_NONE || (span_is(rest, "token") && span_is(remark, "s"));
}

bool label_figure(struct span line, struct span *label, double *v, enum measure *m)
{
	struct span rest, behind;
	double spread;

	if (!label_of(line, label, &rest) || !number_of(rest, *label, v, &rest))
		return false;
	size_t sign = give_or_take(rest);
	if (sign) {
		behind = span_trim(span_from(rest, sign));
		if (!number_of(behind, *label, &spread, &rest))
			return false;
	}
	if (!unit_of(rest, m))
		return false;
	/* The one size the documents write in powers of ten: bytes of all parameters. */
	if (*m == MEASURE_MIB && span_is_nocase(*label, "model size"))
		*m = MEASURE_MEGABYTE;
	return true;
}

bool label_is_heading(struct label_heading *h, struct span line)
{
	struct span label, rest, name, unit;
	bool is_indented = line.n && is_space_or_tab(line.p[0]);

	if (!label_of(line, &label, &rest) || rest.n) {
		if (!is_indented)
			h->n = 0;
		return false;
	}
	if (span_bracketed(label, '(', &name, &unit) && measure_of_unit(unit) != MEASURE_NONE)
		label = name;
	memcpy(h->text, label.p, label.n);
	h->text[label.n] = '\0';
	h->n = label.n;
	return true;
}

struct span label_below(struct label_heading *h, struct span line, struct span label)
{
	if (!is_space_or_tab(line.p[0]))
		h->n = 0;
	if (h->n == 0)
		return label;
	(void)snprintf(h->full, sizeof(h->full), "%s: %.*s", h->text, (int)label.n, label.p);
	return span_of(h->full);
}
