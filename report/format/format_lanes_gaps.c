/*
 * The longest gaps below a picture of lanes.
 */
#include "base/unit.h"
#include "base/width.h"
#include "report/answers.h"
#include "report/escape.h"
#include "report/format/format_lanes.h"
#include "report/kind_looks.h"

enum { GAPS_LISTED = 3, NAME_LETTERS = 40 };

static bool is_device(const struct table *t, size_t row)
{
	return span_is(table_word(t, row, "sort"), "device");
}

/* Whether there is more than one, so that a gap has to say where it is. */
static bool has_devices(const struct table *t)
{
	struct span first = SPAN("");
	size_t i;

	for (i = 0; i < t->nrow; i++) {
		struct span name = table_word(t, i, "lane");

		if (!is_device(t, i))
			continue;
		if (first.n > 0 && !span_eq(first, name))
			return true;
		first = name;
	}
	return false;
}

/* Places of the longest gaps of devices, the longest first; returns how many. */
static size_t longest_gaps(const struct table *t, size_t row[GAPS_LISTED])
{
	size_t n = 0, i, k;

	for (i = 0; i < t->nrow; i++) {
		struct span kind = table_word(t, i, "kind");
		double length = table_number(t, i, "length_ns");

		if (!is_device(t, i) || work_kinds()[work_kind_of(kind)].is_work)
			continue;
		k = n < GAPS_LISTED ? n++ : GAPS_LISTED;
		for (; k > 0 && table_number(t, row[k - 1], "length_ns") < length; k--)
			if (k < GAPS_LISTED)
				row[k] = row[k - 1];
		if (k < GAPS_LISTED)
			row[k] = i;
	}
	return n;
}

/* "longest gaps: 8.2 ms at 12.3 ms: sync, cudaStreamSynchronize; ..." */
void lanes_gaps(struct str *out, const struct table *t, const struct render *how)
{
	size_t row[GAPS_LISTED], n = longest_gaps(t, row), i;
	bool has_several = has_devices(t);
	struct str b = { 0 };

	for (i = 0; i < n; i++) {
		struct span kind = table_word(t, row[i], "kind");
		struct span name = table_word(t, row[i], "name");
		struct str full = { 0 };

		str_adds(&b, i ? "; " : n > 1 ? "longest gaps: " : "gap: ");
		unit_put_time(&b, table_number(t, row[i], "length_ns"));
		str_adds(&b, " at ");
		unit_put_time(&b, table_number(t, row[i], "at_ns"));
		if (has_several) {
			str_adds(&b, " on ");
			escape_terminal(&b, table_word(t, row[i], "lane"), how->utf8);
		}
		str_addf(&b, ": %.*s", (int)kind.n, kind.p);
		if (name.n > 0 && !span_starts(name, "ProfilerStep#")) {
			escape_terminal(&full, name, how->utf8);
			str_adds(&b, ", ");
			width_cut(&b, (struct span){ full.s, full.n }, NAME_LETTERS, how->utf8);
		}
		str_free(&full);
	}
	width_wrap(out, (struct span){ b.s, b.n }, how->width, 2);
	if (n > 0)
		str_addc(out, '\n');
	str_free(&b);
}
