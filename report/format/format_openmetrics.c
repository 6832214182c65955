/* OpenMetrics: every number of the answer as a gauge, for a collector of text files.
 *
 * A family is a table's column: traceq_summary_devices_busy_ratio.  Its name ends in the base unit
 * that OpenMetrics asks for (seconds, joules), and its samples are the rows.  Their labels are the
 * input where there are several, as many of the row's texts and ids, from the left, as tell the
 * rows apart, and its number where all are not enough: so that a series is the same one the next
 * night.  All texts are in an info family of the table.  Absent cells and foot rows are left out.
 *
 * Source: OpenMetrics 1.0 (prometheus.io). */

#include "report/cells.h"
#include "report/escape.h"

/* What a unit is called there, and the power of ten that makes it of ours. */
static const struct base {
	const char *ours, *word;
	int decimals;
} * base_of(enum unit unit)
{
	static const struct base bases[] = {
		[UNIT_NONE] = { "", NULL, 0 },
		[UNIT_NS] = { "_ns", "seconds", 9 },
		[UNIT_TIMESTAMP] = { "_ns", "seconds", 9 },
		[UNIT_BYTES] = { "_bytes", "bytes", 0 },
		[UNIT_RATIO] = { "_ratio", "ratio", 0 },
		[UNIT_BYTES_PER_S] = { "_bytes_per_s", "bytes_per_second", 0 },
		[UNIT_NJ] = { "_nj", "joules", 9 },
	};

	return &bases[unit < COUNT_OF(bases) && bases[unit].ours ? unit : UNIT_NONE];
}

/* "", or {...} */
struct label {
	const char *text;
};

/* The rows of all tables of one id. */
struct samples {
	const struct result *r;
	const struct table_series *of;
	size_t n;             /* rows */
	struct label *labels; /* by row, one table after the other */
	bool has_row;         /* texts alone do not tell rows apart */
	bool has_info;        /* there are texts that are in no label */
	struct arena mem;
	struct str out;
};

/* What stands behind signs that names there do not have. */
static const char *next_word(const char *p)
{
	while (*p && !is_letter(*p) && !is_digit(*p) && *p != '_')
		p++;
	return p;
}

/* A key as names are there: letters, digits and _, no digit first. */
static void put_key(struct str *b, const char *key)
{
	const size_t at = b->n;

	if (is_digit(*key))
		str_addc(b, '_');
	for (const char *p = key; *p; p++)
		if (is_letter(*p) || is_digit(*p) || *p == '_')
			str_addc(b, *p);
		else if (b->n > at && b->s[b->n - 1] != '_' && *next_word(p))
			str_addc(b, '_');
	if (b->n == at)
		str_addc(b, '_');
}

/* The name of a column, which no column before it has, nor a label that is not of the table. */
static void put_name(struct str *b, const struct samples *s, const struct table *t, size_t col)
{
	SCOPED_STR other = { 0 }, name = { 0 };
	size_t same = 1;

	put_key(&name, t->col[col].key);
	same += strcmp(name.s, "row") == 0;
	same += strcmp(name.s, "input") == 0 && cells_input(s->r, t->input);
	for (size_t i = 0; i < col; i++) {
		str_reset(&other);
		put_key(&other, t->col[i].key);
		same += strcmp(other.s, name.s) == 0;
	}
	str_adds(b, name.s);
	if (same > 1)
		str_addf(b, "_%zu", same);
}

static void add_label(struct str *b, const char *key, struct span value)
{
	str_addf(b, "%s%s=\"", b->n ? "," : "", key);
	escape_openmetrics(b, value);
	str_adds(b, "\"");
}

/* Texts, and numbers without a unit, which are ids. */
static bool is_label(const struct column *c)
{
	return c->type == CELL_TEXT || (c->type == CELL_INT && c->unit == UNIT_NONE);
}

/* With `most` of those columns. */
static void put_labels(
	struct str *b, const struct samples *s, const struct table *t, size_t row, size_t most)
{
	const char *input = cells_input(s->r, t->input);

	if (input)
		add_label(b, "input", span_of(input));
	for (size_t i = 0; i < t->ncol && most > 0; i++) {
		const union cell *v = is_label(&t->col[i]) ? table_cell(t, row, i) : NULL;
		char number[24];

		most -= is_label(&t->col[i]);
		if (!v || (t->col[i].type == CELL_TEXT && v->s.n == 0))
			continue;
		(void)snprintf(
			number, sizeof(number), "%" PRId64, t->col[i].type == CELL_TEXT ? 0 : v->i);
		SCOPED_STR name = { 0 };
		put_name(&name, s, t, i);
		add_label(b, name.s, t->col[i].type == CELL_TEXT ? v->s : span_of(number));
	}
}

static char *labels_of(struct samples *s, const struct table *t, size_t row, size_t texts)
{
	struct str b = { 0 };

	put_labels(&b, s, t, row, texts);
	char *copy = arena_copy(&s->mem, b.n ? b.s : "", b.n);
	str_free(&b);
	return copy;
}

ORDER(by_text, struct label, strcmp(a->text, b->text))

static bool are_distinct(struct samples *s)
{
	struct label *sorted = arena_array(&s->mem, s->n, sizeof(*sorted));

	for (size_t i = 0; i < s->n; i++)
		sorted[i] = s->labels[i];
	sort_rows(sorted, s->n, sizeof(*sorted), by_text);
	return !ANY(i, s->n, i > 0 && strcmp(sorted[i - 1].text, sorted[i].text) == 0);
}

/* Of all rows, with that many texts; false: they do not tell rows apart. */
static bool try_labels(struct samples *s, size_t texts)
{
	size_t n = 0;

	for (size_t i = 0; i < s->of->n; i++)
		for (size_t row = 0; row < table_rows(s->of->table[i]); row++)
			s->labels[n++].text = labels_of(s, s->of->table[i], row, texts);
	return are_distinct(s);
}

static void make_labels(struct samples *s)
{
	size_t most = 0, texts = 0;

	for (size_t i = 0; i < s->of->n; i++) {
		const struct table *t = s->of->table[i];

		s->n += table_rows(t);
		size_t labels = SUM(size_t, k, t->ncol, is_label(&t->col[k]));
		most = MAX(most, labels);
	}
	s->labels = arena_array(&s->mem, s->n, sizeof(*s->labels));
	while (!try_labels(s, texts) && texts < most)
		texts++;
	s->has_row = !are_distinct(s);
	for (size_t i = 0; i < s->n; i++) {
		const char *text = s->labels[i].text;

		if (s->has_row)
			s->labels[i].text = arena_printf(
				&s->mem, "{%s%srow=\"%zu\"}", text, *text ? "," : "", i);
		else if (*text)
			s->labels[i].text = arena_printf(&s->mem, "{%s}", text);
	}
	s->has_info = most > texts;
}

static void put_value(struct str *b, const struct column *c, const union cell *v, int decimals)
{
	if (c->type == CELL_BOOL)
		str_adds(b, v->b ? "1" : "0");
	else if (c->type == CELL_INT)
		unit_put_exact(b, v->i, decimals);
	else if (isinf(v->r))
		str_adds(b, v->r > 0 ? "+Inf" : "-Inf");
	else
		unit_put_real(b, decimals ? v->r / 1e9 : v->r);
}

/* "traceq_top_ops" */
static void put_table(struct str *b, const struct samples *s)
{
	for (const char *p = s->r->schema; *p && *p != '/'; p++)
		str_addc(b, is_letter(*p) || is_digit(*p) ? *p : '_');
	str_addf(b, "_%s", s->of->id);
}

/* "traceq_top_ops_self_gpu_seconds" */
static void put_family(
	struct str *b, const struct samples *s, const char *key, const struct base *u)
{
	size_t n = strlen(key), ours = strlen(u->ours);

	put_table(b, s);
	if (n > ours && strcmp(key + n - ours, u->ours) == 0)
		n -= ours;
	str_addf(b, "_%.*s", (int)n, key);
	if (u->word)
		str_addf(b, "_%s", u->word);
}

static void put_head(
	struct samples *s, const struct column *c, const char *name, const struct base *u)
{
	struct str family = { 0 };

	put_family(&family, s, name, u);
	str_addf(&s->out, "# TYPE %s gauge\n", family.s);
	if (u->word)
		str_addf(&s->out, "# UNIT %s %s\n", family.s, u->word);
	if (c->doc) {
		str_addf(&s->out, "# HELP %s ", family.s);
		escape_openmetrics(&s->out, span_of(c->doc));
		str_adds(&s->out, "\n");
	}
	str_free(&family);
}

/* What a column has in rows of that unit, where it has something. */
static void put_samples(struct samples *s, const struct column *c, const char *name, enum unit unit)
{
	const struct base *u = base_of(unit);
	bool has_head = false;
	size_t n = 0;

	for (size_t i = 0; i < s->of->n; i++) {
		const struct table *t = s->of->table[i];
		size_t col;
		bool has = table_find_column(t, c->key, &col) && t->col[col].type == c->type;

		for (size_t row = 0; row < table_rows(t); row++, n++) {
			const union cell *v = has ? table_cell(t, row, col) : NULL;

			if (!v || cells_unit_of(t, row, col) != unit)
				continue;
			if (!has_head)
				put_head(s, c, name, u);
			has_head = true;
			put_family(&s->out, s, name, u);
			str_adds(&s->out, s->labels[n].text);
			str_adds(&s->out, " ");
			put_value(&s->out, c, v, u->decimals);
			str_adds(&s->out, "\n");
		}
	}
}

/* The texts that are no labels of the other families: "traceq_summary_overview_texts_info{...} 1".
 */
static void put_info(struct samples *s)
{
	struct str family = { 0 };

	put_table(&family, s);
	str_adds(&family, "_texts");
	str_addf(&s->out, "# TYPE %s info\n", family.s);
	for (size_t i = 0, n = 0; i < s->of->n; i++)
		for (size_t row = 0; row < table_rows(s->of->table[i]); row++, n++) {
			struct str b = { 0 };

			put_labels(&b, s, s->of->table[i], row, SIZE_MAX);
			if (s->has_row)
				str_addf(&b, "%srow=\"%zu\"", b.n ? "," : "", n);
			if (b.n)
				str_addf(&s->out, "%s_info{%s} 1\n", family.s, b.s);
			str_free(&b);
		}
	str_free(&family);
}

/* Columns of all its tables, each once. */
static void put_series(struct samples *s, FILE *out)
{
	make_labels(s);
	if (s->has_info)
		put_info(s);
	for (size_t i = 0; i < s->of->n; i++) {
		const struct table *t = s->of->table[i];

		for (size_t k = 0; k < t->ncol; k++) {
			const struct column *c = &t->col[k];

			size_t at;

			if (is_label(c) ||
				ANY(j, i, table_find_column(s->of->table[j], c->key, &at)))
				continue;
			SCOPED_STR name = { 0 };
			put_name(&name, s, t, k);
			for (int u = 0; u <= UNIT_NJ; u++)
				if (c->unit == (enum unit)u || c->unit == UNIT_OF_ROW)
					put_samples(s, c, name.s, (enum unit)u);
		}
		cells_flush(out, &s->out);
	}
}

static enum status put(
	FILE *out, const struct result *r, const struct render *how UNUSED, struct err *e)
{
	struct str end = { 0 };

	for (EACH(const struct table_series, of, r->series, r->nseries)) {
		struct samples s = { .r = r, .of = of };

		put_series(&s, out);
		str_free(&s.out);
		arena_clear(&s.mem);
	}
	str_adds(&end, "# EOF\n");
	cells_flush(out, &end);
	str_free(&end);
	return cells_done(out, e);
}

const struct renderer renderer_openmetrics = {
	.name = "openmetrics",
	.summary = "a gauge for each number, by the texts of its row; for Prometheus",
	.put = put,
};
