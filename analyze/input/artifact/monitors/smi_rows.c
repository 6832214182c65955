/* Samples of GPUs, row by row. */
#include "analyze/input/artifact/monitors/smi_rows.h"

#include <stdio.h>

#include "analyze/input/text/iso_time.h"
#include "analyze/input/text/num.h"

enum { DAY_S = 86400 };

static size_t gpu_of(struct smi_rows *r, struct span gpu)
{
	double index;

	size_t at = FIRST(i, r->ngpu, span_eq(r->gpu[i], gpu));
	if (at < r->ngpu)
		return at;
	if (at == SMI_ROWS_GPUS)
		return SIZE_MAX;
	if (!r->gpus && !r->is_of_others)
		r->gpus = record_sheet(r->in->record, r->in->artifact, SHEET_GPUS);
	if (r->gpus && !record_row(r->gpus))
		return SIZE_MAX;
	if (r->gpus && real_of(gpu, &index) && index >= 0 && index <= INT32_MAX)
		table_int(&r->gpus->table, GPUS_INDEX, saturate_whole(index));
	r->gpu[r->ngpu++] = record_text(r->in->record, gpu);
	return at;
}

bool smi_rows_begin(struct smi_rows *r, struct span gpu, double time)
{
	gpu.n = MIN(gpu.n, SMI_ROWS_GROUP - 1);
	size_t at = gpu_of(r, gpu);
	if (at == SIZE_MAX) {
		r->in->record->series_left_out++;
		return false;
	}
	memcpy(r->group, gpu.p, gpu.n);
	r->group[gpu.n] = '\0';
	r->has_time = !isnan(time);
	r->x = r->has_time ? time : (double)r->count[at];
	r->count[at]++;
	reading_artifact(r->in)->rows = ++r->rows;
	return true;
}

static void describe(struct smi_rows *r, size_t row, size_t col, struct span text)
{
	struct table *t = &r->gpus->table;
	size_t at = row * t->ncol + col;

	if (text.n == 0 || t->known[at])
		return;
	t->cell[at].s = record_text(r->in->record, text);
	t->known[at] = true;
}

void smi_rows_describe(struct smi_rows *r, struct span name, struct span uuid)
{
	size_t at = gpu_of(r, span_of(r->group));

	if (at == SIZE_MAX || r->is_of_others)
		return;
	describe(r, at, GPUS_NAME, name);
	describe(r, at, GPUS_UUID, uuid);
}

/* DCGM's values for "not there", of 32 bits, 64 bits and floats.  Source: dcgm_structs.h. */
static bool is_blank(double v)
{
	return (v >= 2147483632.0 && v <= 2147483647.0) || v >= 9223372036854775000.0 ||
		(v >= 140737488355328.0 && v <= 140737488355343.0);
}

void smi_rows_put(struct smi_rows *r, struct span name, enum measure m, double value)
{
	struct series *s = reading_series(
		r->in, name, span_of(r->group), r->has_time ? AXIS_TIME : AXIS_ROW, MEASURE_NONE);

	if (m != MEASURE_NONE && s->measure == MEASURE_NONE)
		s->measure = m;
	if (isnan(value) || is_blank(value)) {
		series_add_missing(s);
		return;
	}
	if (m != s->measure && m != MEASURE_NONE &&
		measure_infos[m].base == measure_infos[s->measure].base)
		value = measure_base(m, value) / measure_infos[s->measure].factor;
	series_add(s, r->x, value);
}

void smi_rows_put_next(struct smi_rows *r, struct span name, enum measure m, double value)
{
	const struct series *s =
		record_known_series(r->in->record, r->in->artifact, name, span_of(r->group));

	if (!r->has_time)
		r->x = s ? (double)(s->n + s->nan + s->inf + s->missing) : 0;
	smi_rows_put(r, name, m, value);
}

/* "28", or -1. */
static int two_of(const char *p)
{
	return is_digit(p[0]) && is_digit(p[1]) ? (p[0] - '0') * 10 + p[1] - '0' : -1;
}

bool smi_time(struct span text, double *last, double *time)
{
	char date[32] = "", other[64];
	double v;

	text = span_trim(text);
	if (text.n >= sizeof(date))
		return false;
	memcpy(date, text.p, text.n);
	if (iso_time(text, time))
		return true;
	if (real_of(text, &v) && v > 1e8) {
		*time = v > 1e11 ? v / 1e3 : v;
		return true;
	}
	if (two_of(date) >= 0 && two_of(date + 3) >= 0 && text.n > 10 && date[2] == date[5] &&
		strchr("-/.", date[2])) {
		int month = two_of(date) > 12 ? 3 : 0;

		(void)snprintf(other, sizeof(other), "%.4s-%.2s-%.2s%s", date + 6, date + month,
			date + 3 - month, date + 10);
		return iso_time(span_of(other), time);
	}
	(void)snprintf(other, sizeof(other), "1970-01-01 %s", date);
	if (!iso_time(span_of(other), time))
		return false;
	while (*time < *last - DAY_S / 2.0)
		*time += DAY_S;
	*last = *time;
	return true;
}

const struct smi_word *smi_word_find(const struct smi_word *rows, size_t n, struct span spelling)
{
	return FIND(i, rows, n, rows[i].words && span_in_nocase(spelling, rows[i].words));
}

static bool is_absent(struct span t)
{
	return span_in_nocase(
		t, "|-|N/A|Not Supported|[N/A]|[Not Supported]|ERR!|None|Not Found|ERROR");
}

bool smi_cell(struct span cell, double *v, enum measure *m)
{
	struct span t = span_trim(cell);
	size_t n = 0;

	if (t.n > 1 && t.p[0] == '(' && t.p[t.n - 1] == ')')
		t = (struct span){ t.p + 1, t.n - 2 };
	*v = NAN;
	if (is_absent(t))
		return true;
	while (n < t.n &&
		(is_digit(t.p[n]) || strchr("+-.", t.p[n]) ||
			((t.p[n] | 0x20) == 'e' && n + 1 < t.n && n > 0 &&
				(is_digit(t.p[n + 1]) || strchr("+-", t.p[n + 1])))))
		n++;
	if (n == 0 || !real_of((struct span){ t.p, n }, v))
		return false;
	struct span unit = span_trim(span_from(t, n));
	if (span_starts(unit, "\xc2\xb0")) /* a degree sign */
		unit = span_from(unit, 2);
	if (unit.n && measure_of_unit(unit) != MEASURE_NONE)
		*m = measure_of_unit(unit);
	return !ANY(i, unit.n, is_digit(unit.p[i])); /* "0x74a1" is none */
}
