/* What is wrong with a statement: where in it, and which word was meant. */
#include "analyze/answer/sql/sql_engine.h"

#include "base/opt.h"

enum { WORDS_MAX = 1024, EXCERPT = 24 };

/* "at letter 8: 'frm events'"; nothing where SQLite does not say. */
static const char *place_text(struct sql_engine *s, int64_t at)
{
	int64_t n = (int64_t)strlen(s->query);

	if (at < 0 || at > n)
		return "";
	if (at == n)
		return arena_printf(&s->mem, ", at the end of the statement");
	return arena_printf(&s->mem, ", at letter %" PRId64 " of the statement: '%.*s'", at + 1,
		(int)MIN(n - at, (int64_t)EXCERPT), s->query + at);
}

/* The word behind "no such column: ". */
static const char *unknown_word(const char *text, const char *what)
{
	size_t n = strlen(what);

	return strncmp(text, what, n) == 0 ? text + n : NULL;
}

/* A column is meant as it is, whatever table it is said to be of. */
static const char *behind_dot(const char *word)
{
	const char *dot = strrchr(word, '.');

	return dot ? dot + 1 : word;
}

static size_t tables_into(const char **words)
{
	for (size_t i = 0; i < SCHEMA_TABLES; i++)
		words[i] = schema_tables[i].name;
	return SCHEMA_TABLES;
}

/* Of those tables that the statement reads as far as it was understood; else of all. */
static size_t columns_into(const struct sql_engine *s, const char **words)
{
	const bool is_known =
		ANY(i, SCHEMA_TABLES, strcasestr(s->query, schema_tables[i].name) != NULL);
	size_t n = 0;

	for (int id = 0; id < SCHEMA_TABLES; id++)
		for (size_t i = 0; i < schema_tables[id].n && n < WORDS_MAX; i++)
			if (!is_known || strcasestr(s->query, schema_tables[id].name))
				words[n++] = schema_tables[id].column[i].key;
	return n;
}

static void hint(const struct sql_engine *s, const char *text, struct err *e)
{
	const char *words[WORDS_MAX], *word, *near = NULL;
	size_t n;

	if ((word = unknown_word(text, "no such table: "))) {
		n = tables_into(words);
		near = opt_nearest(word, words, n);
	} else if ((word = unknown_word(text, "no such column: "))) {
		n = columns_into(s, words);
		near = opt_nearest(behind_dot(word), words, n);
	} else {
		return;
	}
	(void)err_hint(e, "%s%s%s'traceq sql --schema' lists tables and columns",
		near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
}

enum status sql_say(struct sql_engine *s, int code, struct err *e)
{
	const char *text = arena_printf(&s->mem, "%s", s->lib.sqlite3_errmsg(s->db));

	if (s->is_late)
		return err_hinted(e, E_LIMIT,
			"--timeout gives it longer; for heavy sums ask a database: traceq export",
			"the statement took longer than %" PRId64 " s", s->options.timeout_s);
	if (code == SQLITE_NOMEM)
		return err_hinted(e, E_LIMIT,
			"--memory gives it more; for heavy sums ask a database: traceq export",
			"the statement wants more than %" PRId64 " MiB of memory",
			s->options.memory_mb);
	if (s->refused[0])
		return err_hinted(e, E_USAGE, "'traceq sql --schema' lists what can be read",
			"sql only reads its tables: %s is not allowed", s->refused);
	int64_t at = s->has_place ? s->place.sqlite3_error_offset(s->db) : -1;
	if (strcmp(text, "incomplete input") == 0)
		at = (int64_t)strlen(s->query);
	(void)err_set(
		e, code == SQLITE_TOOBIG ? E_LIMIT : E_USAGE, -1, "%s%s", text, place_text(s, at));
	hint(s, text, e);
	return e->status;
}

/* One statement; behind it blanks, semicolons and a comment at most. */
enum status sql_refuse_tail(struct sql_engine *s, const char *tail, struct err *e)
{
	while (*tail == ';' || *tail == ' ' || *tail == '\n' || *tail == '\t' || *tail == '\r')
		tail++;
	if (!*tail || strncmp(tail, "--", 2) == 0)
		return OK;
	return err_set(e, E_USAGE, -1, "one statement at a time%s", place_text(s, tail - s->query));
}
