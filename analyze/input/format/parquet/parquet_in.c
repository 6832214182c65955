/* The footer. */
#include "analyze/input/format/parquet/parquet_in.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analyze/input/format/parquet/thrift_in.h"
#include "analyze/input/format/parquet/unpacking.h"
#include "analyze/input/text/num.h"

#define MAGIC "PAR1"

enum { MAGIC_BYTES_ = 4, TAIL = 8, COLUMNS_MAX = 256, ROWS_MAX = UINT32_MAX - 1 };

/* What the footer says of it before it is looked at together. */
struct footer {
	struct parquet_in *p;
	struct span file;
	struct thrift_in t;
	struct span writer;
	int64_t kept, job, nrow;
};

bool parquet_is(struct span head)
{
	return span_starts(head, MAGIC) || span_starts(head, "PARE");
}

enum status parquet_damaged(const char *what, struct err *e)
{
	return err_hinted(e, E_SYNTAX, "export the trace again", "the export is damaged: %s", what);
}

/* ---- what the footer says ---- */

static void schema_element(struct footer *f, bool is_root)
{
	struct parquet_in_column col = { .type = PARQUET_BYTE_ARRAY };
	int64_t type = -1;

	for (struct thrift_field at = { 0 }; thrift_next(&f->t, &at);)
		switch (at.id) {
		case 1: type = thrift_number(&f->t, &at); break;
		case 4: col.name = thrift_string(&f->t, &at); break;
		default: thrift_skip(&f->t, &at);
		}
	if (is_root)
		return;
	if (type != PARQUET_BOOLEAN && type != PARQUET_INT64 && type != PARQUET_DOUBLE &&
		type != PARQUET_BYTE_ARRAY) {
		thrift_fail(&f->t);
		return;
	}
	col.type = (enum parquet_physical)type;
	f->p->column[f->p->ncolumn++] = col;
}

static void schema(struct footer *f, const struct thrift_field *at)
{
	size_t n = thrift_many(&f->t, at, THRIFT_STRUCT);

	if (n < 1 || n > COLUMNS_MAX || f->p->column) {
		thrift_fail(&f->t);
		return;
	}
	f->p->column = arena_array(&f->p->mem, n, sizeof(*f->p->column));
	for (size_t i = 0; i < n && !f->t.is_bad; i++)
		schema_element(f, i == 0);
}

/* Where pages begin and how many bytes they have. */
struct place {
	int64_t dictionary, data, bytes, codec, n, type;
};

static void chunk_data(struct footer *f, struct place *c)
{
	for (struct thrift_field at = { 0 }; thrift_next(&f->t, &at);)
		switch (at.id) {
		case 1: c->type = thrift_number(&f->t, &at); break;
		case 4: c->codec = thrift_number(&f->t, &at); break;
		case 5: c->n = thrift_number(&f->t, &at); break;
		case 7: c->bytes = thrift_number(&f->t, &at); break;
		case 9: c->data = thrift_number(&f->t, &at); break;
		case 11: c->dictionary = thrift_number(&f->t, &at); break;
		default: thrift_skip(&f->t, &at);
		}
}

static void chunk(struct footer *f, struct parquet_group *g, size_t column)
{
	struct place c = { -1, -1, -1, -1, -1, -1 };
	const size_t size = f->file.n;

	for (struct thrift_field at = { 0 }; thrift_next(&f->t, &at);)
		if (at.id == 3) {
			thrift_open(&f->t, &at);
			chunk_data(f, &c);
		} else {
			thrift_skip(&f->t, &at);
		}
	const int64_t begin = c.dictionary >= 0 ? c.dictionary : c.data;
	if (column >= f->p->ncolumn || c.type != f->p->column[column].type || begin < 0 ||
		c.bytes < 0 || (size_t)begin > size || (size_t)c.bytes > size - (size_t)begin ||
		(c.codec != PARQUET_PACKED_NOT && c.codec != PARQUET_PACKED_GZIP) || c.n < 0 ||
		c.n > PARQUET_GROUP_ROWS || (column > 0 && (size_t)c.n != g->n)) {
		thrift_fail(&f->t);
		return;
	}
	g->n = (size_t)c.n;
	g->pages[column].bytes = (struct span){ f->file.p + begin, (size_t)c.bytes };
	g->pages[column].is_packed = c.codec == PARQUET_PACKED_GZIP;
}

static void group(struct footer *f, struct parquet_group *g)
{
	for (struct thrift_field at = { 0 }; thrift_next(&f->t, &at);) {
		if (at.id != 1) {
			thrift_skip(&f->t, &at);
			continue;
		}
		if (thrift_many(&f->t, &at, THRIFT_STRUCT) != f->p->ncolumn || g->pages)
			thrift_fail(&f->t);
		g->pages = arena_array(&f->p->mem, f->p->ncolumn, sizeof(*g->pages));
		for (size_t i = 0; i < f->p->ncolumn && !f->t.is_bad; i++)
			chunk(f, g, i);
	}
	if (!g->pages)
		thrift_fail(&f->t);
	f->p->nrow += g->n;
}

static void groups(struct footer *f, const struct thrift_field *at)
{
	size_t n = thrift_many(&f->t, at, THRIFT_STRUCT);

	if (!f->p->column || f->p->group) {
		thrift_fail(&f->t);
		return;
	}
	f->p->group = arena_array(&f->p->mem, n, sizeof(*f->p->group));
	for (; f->p->ngroup < n && !f->t.is_bad; f->p->ngroup++)
		group(f, &f->p->group[f->p->ngroup]);
}

static int64_t number_of(struct span text)
{
	int64_t n;

	return num_i64(text, &n) ? n : -1;
}

static void fact(struct footer *f)
{
	struct span key = SPAN(""), value = SPAN("");

	for (struct thrift_field at = { 0 }; thrift_next(&f->t, &at);)
		switch (at.id) {
		case 1: key = thrift_string(&f->t, &at); break;
		case 2: value = thrift_string(&f->t, &at); break;
		default: thrift_skip(&f->t, &at);
		}
	if (span_is(key, PARQUET_FACT_KEPT))
		f->kept = number_of(value);
	else if (span_is(key, PARQUET_FACT_JOB))
		f->job = number_of(value);
	else if (span_is(key, PARQUET_FACT_SCHEMA))
		f->p->schema = number_of(value);
	else if (span_is(key, PARQUET_FACT_TABLE))
		f->p->table = value;
	else if (span_is(key, PARQUET_FACT_RUN))
		f->p->run = value;
}

static void read_footer(struct footer *f)
{
	for (struct thrift_field at = { 0 }; thrift_next(&f->t, &at);)
		switch (at.id) {
		case 2: schema(f, &at); break;
		case 3: f->nrow = thrift_number(&f->t, &at); break;
		case 4: groups(f, &at); break;
		case 5:
			for (size_t n = thrift_many(&f->t, &at, THRIFT_STRUCT); n > 0; n--)
				fact(f);
			break;
		case 6: f->writer = thrift_string(&f->t, &at); break;
		default: thrift_skip(&f->t, &at);
		}
}

/* ---- whether it is so ---- */

static enum status refuse_writer(struct span writer, struct err *e)
{
	(void)err_set(e, E_FORMAT, -1,
		"a Parquet file written by %.*s; traceq reads its own exports only",
		writer.n ? (int)MIN(writer.n, (size_t)100) : 15,
		writer.n ? writer.p : "another program");
	return err_hint(e,
		"ask it with DuckDB or pandas; a trace is JSON or what 'traceq explain "
		"formats' lists");
}

static uint64_t check_at(const char *p)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < PARQUET_CHECK_BYTES; i++)
		v |= (uint64_t)(unsigned char)p[i] << 8 * i;
	return v;
}

/* What stands before the footer: what is kept, and the checksums. */
static enum status take_checks(struct footer *f, struct span footer, struct err *e)
{
	struct parquet_in *p = f->p;
	const size_t n = p->ngroup * p->ncolumn, before = (size_t)(footer.p - f->file.p);
	const size_t fixed = (n + 1) * PARQUET_CHECK_BYTES;

	if (f->job < 0 || f->kept < f->job || before < fixed || (size_t)f->kept > before - fixed)
		return parquet_damaged("its end is not what it should be", e);
	const char *at = footer.p - fixed;
	p->kept = (struct span){ at - f->kept, (size_t)f->kept };
	if (p->is_checked) {
		const struct span all = span_between(p->kept.p, footer.p - PARQUET_CHECK_BYTES);
		XXH3_state_t sum;

		XXH3_INITSTATE(&sum);
		(void)XXH3_64bits_reset(&sum);
		(void)XXH3_64bits_update(&sum, all.p, all.n);
		(void)XXH3_64bits_update(&sum, footer.p, footer.n);
		if (XXH3_64bits_digest(&sum) != check_at(all.p + all.n))
			return parquet_damaged("its footer was changed", e);
	}
	const size_t nkept = p->kept.n - (size_t)f->job;
	p->job = span_from(p->kept, nkept);
	p->kept.n = nkept;
	for (size_t g = 0; g < p->ngroup; g++)
		for (size_t c = 0; c < p->ncolumn; c++, at += PARQUET_CHECK_BYTES)
			p->group[g].pages[c].check = check_at(at);
	return OK;
}

/* The footer's bytes. */
static enum status find_footer(struct span file, struct span *footer, struct err *e)
{
	uint32_t n;

	if (span_starts(file, "PARE") || span_ends(file, "PARE"))
		return err_set(e, E_FORMAT, -1, "an encrypted Parquet file, which is not read");
	if (file.n < MAGIC_BYTES_ + TAIL || !span_ends(file, MAGIC))
		return parquet_damaged("it is cut off", e);
	struct span tail = { file.p + file.n - TAIL, TAIL };
	if (!u32_take(&tail, &n) || n > file.n - MAGIC_BYTES_ - TAIL)
		return parquet_damaged("it is cut off", e);
	*footer = (struct span){ file.p + file.n - TAIL - n, n };
	return OK;
}

enum status parquet_open(struct parquet_in *p, struct span file, bool unchecked, struct err *e)
{
	struct span footer = SPAN("");
	struct footer f = { .p = p, .file = file, .kept = -1, .nrow = -1 };

	*p = (struct parquet_in){ .schema = -1, .is_checked = !unchecked };
	TRY(find_footer(file, &footer, e));
	f.t = (struct thrift_in){ .at = (const unsigned char *)footer.p,
		.end = (const unsigned char *)footer.p + footer.n };
	read_footer(&f);
	if (!span_starts(file, PARQUET_HEAD) && !span_is(f.writer, PARQUET_WRITER)) /* damaged, if
	                                                                               it says so
	                                                                               once */
		return refuse_writer(f.t.is_bad ? SPAN("") : f.writer, e);
	if (f.t.is_bad || f.t.at != f.t.end || !p->column || !span_starts(file, PARQUET_HEAD) ||
		!span_is(f.writer, PARQUET_WRITER) || f.nrow < 0 || (size_t)f.nrow != p->nrow ||
		p->nrow > ROWS_MAX || (p->nrow > 0 && !p->group))
		return parquet_damaged("its footer is not what it should be", e);
	return take_checks(&f, footer, e);
}

void parquet_close(struct parquet_in *p)
{
	arena_clear(&p->mem);
}

enum status parquet_find(const struct parquet_in *p, const char *name, enum parquet_physical type,
	size_t *column, struct err *e)
{
	*column = FIRST(i, p->ncolumn, span_is(p->column[i].name, name));
	if (*column < p->ncolumn && p->column[*column].type == type)
		return OK;
	return err_hinted(e, E_NODATA, "export the trace again",
		"the export has no column '%s', which is needed to read it", name);
}
