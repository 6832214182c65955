/* What the cells of a document's tables say: names of kernels and ops as short as there is room,
 * and the number that a cell shows, whatever unit it is shown in. */
#include <ctype.h>

#include "base/name/name.h"
#include "report/page/page.h"

/* ---- names ---- */

const char **page_short_names(struct arena *mem, const struct page_block *b, size_t letters)
{
	const char **cell = arena_array(mem, b->nrow * b->ncol + 1, sizeof(*cell));
	struct span *name = arena_array(mem, b->nrow + 1, sizeof(*name));

	for (size_t i = 0; i < b->nrow * b->ncol; i++)
		cell[i] = b->cell[i];
	for (size_t j = 0; j < b->ncol; j++) {
		if (!b->is_name || !b->is_name[j])
			continue;
		for (size_t i = 0; i < b->nrow; i++)
			name[i] = span_of(cell[i * b->ncol + j]);
		const struct span *text = names_shorten(mem, name, b->nrow, letters, true);
		for (size_t i = 0; i < b->nrow; i++)
			cell[i * b->ncol + j] = text[i].p;
	}
	return cell;
}

/* ---- numbers ---- */

/* As base/unit.c writes them. */
static const struct {
	const char *suffix;
	double factor;
} units[] = { { "%", 0.01 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "B", 1 },
	{ "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 }, { "TiB", 0x1p40 }, { "B/s", 1 },
	{ "kB/s", 1e3 }, { "MB/s", 1e6 }, { "GB/s", 1e9 }, { "TB/s", 1e12 }, { "k", 1e3 },
	{ "M", 1e6 }, { "G", 1e9 }, { "T", 1e12 }, { "P", 1e15 }, { "nJ", 1 }, { "uJ", 1e3 },
	{ "mJ", 1e6 }, { "J", 1e9 }, { "kJ", 1e12 }, { "MJ", 1e15 } };

enum { DIGITS = 48 };

/* The digits without what sets thousands apart; returns where they end. */
static const char *read_digits(const char *text, char *digits)
{
	size_t n = 0;

	for (; *text && n + 1 < DIGITS; text++) {
		if (*text == ',')
			continue;
		if (!isdigit((unsigned char)*text) && !strchr("+-.", *text))
			break;
		digits[n++] = *text;
	}
	digits[n] = '\0';
	return text;
}

double page_number(const char *text)
{
	char digits[DIGITS], *end;
	size_t n = strcspn(text, "0123456789");

	n -= n > 0 && text[n - 1] == '.';
	n -= n > 0 && (text[n - 1] == '-' || text[n - 1] == '+');
	text += n;
	text = read_digits(text, digits);
	double v = strtod(digits, &end); /* lint: allow strtod: digits that a cell printed, no
	                                  * locale set
	                                  */
	if (end == digits || *end)
		return NAN;
	text += *text == ' ';
	n = strcspn(text, " ");
	for (size_t i = 0; i < COUNT_OF(units); i++)
		if (strlen(units[i].suffix) == n && strncmp(units[i].suffix, text, n) == 0)
			return v * units[i].factor;
	return v;
}
