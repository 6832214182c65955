/* The schema's tables as tables of SQLite: nothing is copied, rows are looked up as they are asked.
 *
 * What a statement asks of columns is answered here where that is quicker: comparisons with
 * numbers, texts that are equal to one, the order of rows.  SQLite compares once more what is given
 * to it, so that a row too many does no harm. */
#include "analyze/answer/sql/sql_engine.h"

/* ---- what SQLite is told of a table ---- */

struct virtual_table {
	sqlite3_vtab base; /* first */
	struct sql_source *t;
};

static struct sql_source *table_of(sqlite3_vtab *v)
{
	return ((struct virtual_table *)(void *)v)->t;
}

static const char *type_word(struct sql_column col)
{
	return col.is_id || col.of->type == SCHEMA_I64 || col.of->type == SCHEMA_BOOL ? "INTEGER"
		: col.of->type == SCHEMA_REAL                                         ? "REAL"
										      : "TEXT";
}

static int connect(sqlite3 *db, void *aux, int argc UNUSED, const char *const *argv UNUSED,
	sqlite3_vtab **out, char **why UNUSED)
{
	struct sql_source *t = aux;
	const struct libsql *lib = &t->s->lib;
	SCOPED_STR sql = { 0 };

	str_add(&sql, "CREATE TABLE x(", 15);
	for (size_t i = 0; i < t->ncol; i++)
		str_addf(&sql, "%s\"%s%s\" %s%s", i ? ", " : "", t->col[i].of->key,
			t->col[i].is_id ? "_id" : "", type_word(t->col[i]),
			t->col[i].is_id ? " HIDDEN" : "");
	str_add(&sql, ")", 1);
	t->s->is_declaring = true;
	int code = lib->sqlite3_declare_vtab(db, sql.s);
	t->s->is_declaring = false;
	if (code != SQLITE_OK)
		return code;
	struct virtual_table *v = lib->sqlite3_malloc(sizeof(*v));
	if (!v)
		return SQLITE_NOMEM;
	*v = (struct virtual_table){ .t = t };
	*out = &v->base;
	return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *v)
{
	table_of(v)->s->lib.sqlite3_free(v);
	return SQLITE_OK;
}

/* ---- the plan: which comparisons and which order are ours ---- */

/* As letters, since SQLite keeps it as a text: a column and how it is compared, then '/', then
 * columns that rows are in order by. */
enum { LETTER = '0', PLAN_MAX = 64 };

static char op_letter(const struct sqlite3_index_constraint *c)
{
	switch (c->op) {
	case SQLITE_INDEX_CONSTRAINT_EQ: return '=';
	case SQLITE_INDEX_CONSTRAINT_LT: return '<';
	case SQLITE_INDEX_CONSTRAINT_LE: return 'l';
	case SQLITE_INDEX_CONSTRAINT_GT: return '>';
	case SQLITE_INDEX_CONSTRAINT_GE: return 'g';
	default: return 0;
	}
}

static bool is_text(struct sql_column col)
{
	return col.of->type == SCHEMA_TEXT && !col.is_id;
}

/* Texts are found by being equal, byte by byte, to one. */
static bool is_ours(const struct sql_source *t, sqlite3_index_info *info, int i)
{
	const struct sqlite3_index_constraint *c = &info->aConstraint[i];
	char op = op_letter(c);

	if (!c->usable || !op || c->iColumn < 0 || (size_t)c->iColumn >= t->ncol)
		return false;
	if (!is_text(t->col[c->iColumn]))
		return true;
	return op == '=' && strcmp(t->s->lib.sqlite3_vtab_collation(info, i), "BINARY") == 0;
}

static size_t plan_order(const struct sql_source *t, const sqlite3_index_info *info, char *plan)
{
	size_t n = 0;

	if (info->nOrderBy > SQL_TERMS_MAX)
		return 0;
	for (int i = 0; i < info->nOrderBy; i++) {
		int col = info->aOrderBy[i].iColumn;

		if (col < 0 || (size_t)col >= t->ncol)
			return 0;
		plan[n++] = (char)(LETTER + col);
		plan[n++] = info->aOrderBy[i].desc ? 'd' : 'a';
	}
	return n;
}

/* What is in so many rows of n, about, for who plans joins. */
static double rows_after(char op, double n)
{
	return op == '=' ? sqrt(n) : n / 3;
}

static int best_index(sqlite3_vtab *v, sqlite3_index_info *info)
{
	const struct sql_source *t = table_of(v);
	const double n = t->begin ? (double)t->begin[t->s->nrun] + 1 : 1e6;
	char plan[PLAN_MAX];
	double rows = n, cost = n;
	size_t at = 0;
	int nargs = 0;

	for (int i = 0; i < info->nConstraint && at + 2 + 2 * SQL_TERMS_MAX + 2 < PLAN_MAX; i++) {
		if (!is_ours(t, info, i))
			continue;
		plan[at++] = (char)(LETTER + info->aConstraint[i].iColumn);
		plan[at++] = op_letter(&info->aConstraint[i]);
		info->aConstraintUsage[i].argvIndex = ++nargs;
		rows = rows_after(plan[at - 1], rows);
		cost = plan[at - 1] == '=' ? MIN(2 * rows + 20, cost) : cost;
	}
	plan[at++] = '/';
	size_t order = plan_order(t, info, plan + at);
	info->orderByConsumed = order > 0;
	at += order;
	plan[at++] = '\0';
	info->idxStr = t->s->lib.sqlite3_malloc((int)at);
	if (!info->idxStr)
		return SQLITE_NOMEM;
	memcpy(info->idxStr, plan, at);
	info->needToFreeIdxStr = 1;
	info->estimatedCost = cost;
	info->estimatedRows = saturate_whole(rows) + 1;
	return SQLITE_OK;
}

/* ---- what cells are compared with ---- */

/* A cell passes if its key is from low to high. */
struct range {
	struct sql_column col;
	size_t place; /* its column */
	bool is_text, is_equal;
	uint64_t low, high;
	uint32_t *id; /* of a text: by run */
};

enum { RANGES_MAX = 16, BLOCK = 1024 };

struct cursor {
	sqlite3_vtab_cursor base; /* first */
	struct sql_source *t;
	struct range range[RANGES_MAX];
	size_t nrange;
	bool is_nothing;           /* no row can pass */
	const uint32_t *order;     /* NULL: as they stand */
	size_t at, end;            /* numbers over all runs, or places in the order */
	const struct columns *run; /* of the row */
	size_t nrun, row;
	uint16_t block[BLOCK]; /* of the block of rows that was looked at: those that pass */
	size_t block_at, block_n, block_begin;
	uint32_t *ids;
};

static struct cursor *cursor_of(sqlite3_vtab_cursor *c)
{
	return (struct cursor *)(void *)c;
}

#define KEY_SIGN (UINT64_C(1) << 63)
static const double whole_most = 9e15; /* up to here doubles hold each whole number */

/* The keys of whole numbers that a comparison with `value` lets pass; key 0 is NULL, which never
 * does. */
static bool whole_range(const struct libsql *lib, sqlite3_value *value, char op, struct range *to)
{
	int64_t v;
	bool is_whole = true;

	if (lib->sqlite3_value_type(value) == SQLITE_INTEGER) {
		v = lib->sqlite3_value_int64(value);
	} else {
		double d = lib->sqlite3_value_double(value), f = floor(d);

		if (!(fabs(d) < whole_most))
			return false;
		v = saturate_whole(f);
		is_whole = f == d;
	}
	uint64_t key = (uint64_t)v ^ KEY_SIGN;
	if (op == '=') {
		to->low = to->high = key;
		to->is_equal = true;
		return is_whole && key > 0;
	}
	/* v is below what was said where that is no whole number. */
	if (op == '<' || op == 'l')
		to->high = op == '<' && is_whole ? key - (key > 0) : key;
	else
		to->low = op == '>' || !is_whole ? key + (key < UINT64_MAX) : key;
	return true;
}

/* The same of real ones: SQLite decides at the ends. */
static void real_range(const struct libsql *lib, sqlite3_value *value, char op, struct range *to)
{
	double d = lib->sqlite3_value_double(value);
	uint64_t bits;

	d = d == 0 ? 0 : d;
	memcpy(&bits, &d, sizeof(bits));
	uint64_t key = bits & KEY_SIGN ? ~bits : bits | KEY_SIGN;
	if (op == '=' || op == '<' || op == 'l')
		to->high = key;
	if (op == '=' || op == '>' || op == 'g')
		to->low = key;
	to->is_equal = op == '=';
}

static bool text_range(struct cursor *c, sqlite3_value *value, struct range *to)
{
	const struct sql_engine *s = c->t->s;
	const char *p = (const char *)s->lib.sqlite3_value_text(value);
	struct span text = { p, (size_t)s->lib.sqlite3_value_bytes(value) };
	bool is_there = false;

	to->is_text = to->is_equal = true;
	to->id = c->ids + (size_t)(to - c->range) * s->nrun;
	for (size_t r = 0; r < s->nrun; r++) {
		to->id[r] = p ? columns_find_text(&s->run[r], to->col.of->dictionary, text)
			      : SCHEMA_NO_TEXT;
		is_there |= to->id[r] != SCHEMA_NO_TEXT;
	}
	return is_there;
}

/* Takes a comparison as far as it is understood; false: no row can pass. */
static bool take_range(struct cursor *c, size_t place, char op, sqlite3_value *value)
{
	const struct libsql *lib = &c->t->s->lib;
	struct range *to = &c->range[c->nrange];
	int type = lib->sqlite3_value_type(value);

	*to = (struct range){ c->t->col[place], .place = place, .low = 1, .high = UINT64_MAX };
	if (type == SQLITE_NULL)
		return false;
	if (is_text(to->col)) {
		if (type != SQLITE_TEXT)
			return true;
		c->nrange++;
		return text_range(c, value, to);
	}
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
		return true;
	if (to->col.of->type == SCHEMA_REAL) {
		real_range(lib, value, op, to);
	} else if (type == SQLITE_FLOAT && !(fabs(lib->sqlite3_value_double(value)) < whole_most)) {
		return true;
	} else if (!whole_range(lib, value, op, to)) {
		return false;
	} else if (to->col.is_id) {
		/* keys of ids are one more, and have no sign */
		to->low = to->low > KEY_SIGN ? to->low - KEY_SIGN + 1 : 1;
		if (to->high < KEY_SIGN)
			return false;
		to->high = to->high == UINT64_MAX ? to->high : to->high - KEY_SIGN + 1;
	}
	c->nrange++;
	return to->low <= to->high;
}

/* ---- which rows pass ---- */

static bool passes(const struct cursor *c, const struct range *g, size_t run, size_t row)
{
	if (g->is_text)
		return g->col.of->at.text(&c->t->s->run[run], row) == g->id[run] &&
			g->id[run] != SCHEMA_NO_TEXT;
	uint64_t key = sql_key(c->t->s, g->col, run, row);
	return key >= g->low && key <= g->high;
}

static void keep_texts(struct cursor *c, const struct range *g, size_t run, size_t first, size_t n)
{
	uint32_t v[BLOCK];
	size_t to = 0;

	g->col.of->fill(&c->t->s->run[run], first, n, v);
	for (size_t i = 0; i < c->block_n; i++)
		if (v[c->block[i]] == g->id[run] && g->id[run] != SCHEMA_NO_TEXT)
			c->block[to++] = c->block[i];
	c->block_n = to;
}

static void keep_wholes(struct cursor *c, const struct range *g, size_t run, size_t first, size_t n)
{
	int64_t v[BLOCK];
	size_t to = 0;

	g->col.of->fill(&c->t->s->run[run], first, n, v);
	for (size_t i = 0; i < c->block_n; i++) {
		uint64_t key = (uint64_t)v[c->block[i]] ^ KEY_SIGN;

		if (key >= g->low && key <= g->high)
			c->block[to++] = c->block[i];
	}
	c->block_n = to;
}

static void keep_others(struct cursor *c, const struct range *g, size_t run, size_t first)
{
	size_t to = 0;

	for (size_t i = 0; i < c->block_n; i++)
		if (passes(c, g, run, first + c->block[i]))
			c->block[to++] = c->block[i];
	c->block_n = to;
}

/* Looks at the next rows that stand together in one run. */
static void look_block(struct cursor *c)
{
	const struct sql_source *t = c->t;
	size_t run = sql_run_of(t->s, t, c->at);
	size_t n = MIN(MIN(c->end, t->begin[run + 1]) - c->at, (size_t)BLOCK);
	size_t first = c->at - t->begin[run];

	for (size_t i = 0; i < n; i++)
		c->block[i] = (uint16_t)i;
	c->block_n = n;
	for (EACH(const struct range, g, c->range, c->nrange)) {
		if (g->is_text)
			keep_texts(c, g, run, first, n);
		else if (g->col.is_id || g->col.of->type == SCHEMA_REAL)
			keep_others(c, g, run, first);
		else
			keep_wholes(c, g, run, first, n);
	}
	c->block_at = 0;
	c->block_begin = first;
	c->nrun = run;
	c->run = &t->s->run[run];
	c->at += n;
}

/* In an order: one by one. */
static void next_ordered(struct cursor *c)
{
	const struct sql_source *t = c->t;

	for (; c->at < c->end; c->at++) {
		size_t row = c->order[c->at];

		c->nrun = sql_run_of(t->s, t, row);
		c->row = row - t->begin[c->nrun];
		c->run = &t->s->run[c->nrun];
		if (ALL(i, c->nrange, passes(c, &c->range[i], c->nrun, c->row)))
			return;
	}
	c->run = NULL;
}

static int next(sqlite3_vtab_cursor *base)
{
	struct cursor *c = cursor_of(base);

	if (c->order) {
		c->at++;
		next_ordered(c);
		return SQLITE_OK;
	}
	while (c->block_at == c->block_n && c->at < c->end)
		look_block(c);
	if (c->block_at == c->block_n)
		c->run = NULL;
	else
		c->row = c->block_begin + c->block[c->block_at++];
	return SQLITE_OK;
}

/* ---- where rows are that are equal to something ---- */

static uint64_t key_at(
	const struct cursor *c, struct sql_column col, const uint32_t *order, size_t i)
{
	const struct sql_source *t = c->t;
	size_t run = sql_run_of(t->s, t, order[i]);

	return sql_key(t->s, col, run, order[i] - t->begin[run]);
}

/* The number of a text, in any run. */
static uint64_t text_key(const struct cursor *c, const struct range *g)
{
	size_t run = FIRST(r, c->t->s->nrun, g->id[r] != SCHEMA_NO_TEXT);

	return 1 + (uint64_t)sql_text_number(c->t->s, g->col.of->dictionary, run, g->id[run]);
}

/* The column of a text as its number: in that order equal texts stand together, too. */
static size_t id_column(const struct sql_source *t, size_t place)
{
	return FIRST(i, t->ncol, t->col[i].is_id && t->col[i].of == t->col[place].of);
}

/* Asked again and again, as joins do, rows are found by their order. */
static void seek(struct cursor *c)
{
	const struct range *g = FIND(i, c->range, c->nrange, c->range[i].is_equal);

	if (!g || ++c->t->asked < 2)
		return;
	struct sql_terms by = { .n = 1 };
	by.v[0].col = (uint8_t)(g->is_text ? id_column(c->t, g->place) : g->place);
	const struct sql_column col = c->t->col[by.v[0].col];
	const uint64_t low = g->is_text ? text_key(c, g) : g->low;
	const uint64_t high = g->is_text ? low : g->high;
	const uint32_t *order = sql_order(c->t->s, c->t, &by);
	if (!order)
		return;
	c->order = order;
	c->at = PARTITION_POINT(i, 0, c->end, key_at(c, col, order, i) < low);
	c->end = PARTITION_POINT(i, c->at, c->end, key_at(c, col, order, i) <= high);
}

/* ---- cursors ---- */

static int open_cursor(sqlite3_vtab *v, sqlite3_vtab_cursor **out)
{
	struct sql_source *t = table_of(v);
	const struct libsql *lib = &t->s->lib;
	struct cursor *c = lib->sqlite3_malloc(sizeof(*c));
	uint32_t *ids =
		lib->sqlite3_malloc((int)(RANGES_MAX * (t->s->nrun + 1) * sizeof(uint32_t)));

	if (!c || !ids) {
		lib->sqlite3_free(c);
		lib->sqlite3_free(ids);
		return SQLITE_NOMEM;
	}
	memset(c, 0, sizeof(*c));
	c->t = t;
	c->ids = ids;
	*out = &c->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
	struct cursor *c = cursor_of(base);
	const struct libsql *lib = &c->t->s->lib;

	lib->sqlite3_free(c->ids);
	lib->sqlite3_free(c);
	return SQLITE_OK;
}

static const uint32_t *order_of(struct cursor *c, const char *plan)
{
	struct sql_terms terms = { 0 };

	for (; plan[0] && plan[1]; plan += 2)
		terms.v[terms.n++] =
			(struct sql_term){ (uint8_t)(plan[0] - LETTER), plan[1] == 'd' };
	return terms.n ? sql_order(c->t->s, c->t, &terms) : NULL;
}

static int filter(sqlite3_vtab_cursor *base, int number UNUSED, const char *plan, int argc,
	sqlite3_value **argv)
{
	struct cursor *c = cursor_of(base);
	bool can_be = true;

	c->nrange = 0;
	c->order = NULL;
	c->run = NULL;
	c->at = c->block_at = c->block_n = 0;
	c->end = sql_count(c->t->s, c->t);
	for (int i = 0; i < argc && plan[0] != '/'; i++, plan += 2)
		if (c->nrange < RANGES_MAX)
			can_be &= take_range(c, (size_t)(plan[0] - LETTER), plan[1], argv[i]);
	if (!can_be || c->end == 0)
		return SQLITE_OK;
	if (plan[1]) {
		c->order = order_of(c, plan + 1);
		if (!c->order)
			return SQLITE_NOMEM;
	} else {
		seek(c);
	}
	if (c->order) {
		next_ordered(c);
		return SQLITE_OK;
	}
	return next(base);
}

static int eof(sqlite3_vtab_cursor *base)
{
	return !cursor_of(base)->run;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *to, int place)
{
	const struct cursor *c = cursor_of(base);
	const struct sql_engine *s = c->t->s;
	const struct sql_column col = c->t->col[place];
	const struct schema_column *of = col.of;

	if (of->type == SCHEMA_TEXT) {
		uint32_t id = of->at.text(c->run, c->row);
		struct span text;

		if (id == SCHEMA_NO_TEXT)
			return SQLITE_OK;
		if (col.is_id) {
			s->lib.sqlite3_result_int64(
				to, sql_text_number(c->t->s, of->dictionary, c->nrun, id));
			return SQLITE_OK;
		}
		text = columns_text(c->run, of->dictionary, id);
		s->lib.sqlite3_result_text(to, text.p, (int)text.n, SQLITE_STATIC);
	} else if (of->type == SCHEMA_REAL) {
		s->lib.sqlite3_result_double(to, of->at.real(c->run, c->row)); /* NaN: NULL */
	} else {
		int64_t v = of->at.i64(c->run, c->row);

		if (v != SCHEMA_NO_INT)
			s->lib.sqlite3_result_int64(to, v);
	}
	return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *to)
{
	const struct cursor *c = cursor_of(base);

	*to = (sqlite3_int64)c->t->begin[c->nrun] + (sqlite3_int64)c->row;
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xConnect = connect,
	.xDisconnect = disconnect,
	.xBestIndex = best_index,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = filter,
	.xNext = next,
	.xEof = eof,
	.xColumn = column,
	.xRowid = rowid,
};

int sql_register(struct sql_engine *s)
{
	for (int id = 0; id < SCHEMA_TABLES; id++) {
		const struct schema_table *from = &schema_tables[id];
		struct sql_source *t = &s->table[id];

		t->s = s;
		t->id = (enum schema_table_id)id;
		for (size_t i = 0; i < from->n; i++)
			t->col[t->ncol++] = (struct sql_column){ &from->column[i], false };
		for (size_t i = 0; i < from->n; i++)
			if (from->column[i].type == SCHEMA_TEXT)
				t->col[t->ncol++] = (struct sql_column){ &from->column[i], true };
		int code = s->lib.sqlite3_create_module_v2(s->db, from->name, &module, t, NULL);
		if (code != SQLITE_OK)
			return code;
	}
	return SQLITE_OK;
}
