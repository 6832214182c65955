/* `critical`: the words of --what-if, and which names of the run a change is about. */
#include "analyze/answer/critical/critical.h"

#include "analyze/trace/columns/order.h"
#include "analyze/trace/regex.h"
#include "base/setting.h"

/* the words of --what-if.
 *
 * 	KIND=VALUE            kernel=0.5
 * 	KIND:REGEX=VALUE      op:aten::mm=5us, comm:AllGather=hidden
 *
 * 	of a job: stage=even, ranks=even, links=even, slow=even, gaps=0, imbalance=0, rank:3=even
 *
 * A comma begins the next change where a kind and a ':' or '=' are behind it; any other is part of
 * the regular expression. */

#define OPTION "--what-if"
#define KINDS_ARE                                                                 \
	"a KIND is one of" CRITICAL_KINDS ": 'dataloader=0', 'kernel:gemm=0.5', " \
	"'op:aten::mm=5us', 'comm=hidden'; of a job 'ranks=even', 'rank:3=even'"

/* The kind that stands there, with ':' or '=' behind it; CHANGE_COUNT: none does. */
static enum change_kind kind_at(const char *p)
{
	for (int k = 0; k < CHANGE_COUNT; k++) {
		const char *word = change_word((enum change_kind)k);
		size_t n = strlen(word);

		if (strncmp(p, word, n) == 0 && (p[n] == ':' || p[n] == '='))
			return (enum change_kind)k;
	}
	return CHANGE_COUNT;
}

static enum status refuse_kind(const char *text, struct err *e)
{
#define X(name, word, what) word,
	static const char *const words[] = { CHANGES(X) };
#undef X
	size_t n = strcspn(text, ":=");
	char *word = xstrndup(text, n);
	const char *near = opt_nearest(word, words, CHANGE_COUNT);

	if (text[n] == '\0')
		(void)err_set(e, E_USAGE, -1, "%s wants KIND:REGEX=FACTOR or =TIME, got '%s'",
			OPTION, text);
	else
		(void)err_set(e, E_USAGE, -1, "%s '%s': there is no kind '%s'", OPTION, text, word);
	if (near && text[n] != '\0')
		(void)err_hint(e, "did you mean '%s'?", near);
	else
		(void)err_hint(e, KINDS_ARE);
	free(word);
	return E_USAGE;
}

static enum status refuse_value(
	const struct critical_change *c, const char *value, const char *wants, struct err *e)
{
	(void)err_set(e, E_USAGE, -1, "%s '%s' wants %s, got '%s'", OPTION, c->text, wants, value);
	if (strchr(value, ','))
		return err_hint(e, "behind ',' no kind begins; " KINDS_ARE);
	if (c->change.kind == CHANGE_SYNC)
		return err_hint(e, "sync: %s", change_what(CHANGE_SYNC));
	return err_hint(e, "%s: %s; 0.5 is half the time, 0 none of it, 5us that time each",
		change_word(c->change.kind), change_what(c->change.kind));
}

/* A number with a unit is a time, one without is a factor. */
static enum status read_number(
	struct critical_change *c, const char *value, const char *wants, struct err *e)
{
	size_t n = strlen(value);
	bool is_time = n > 0 && is_letter(value[n - 1]);
	struct err mine;
	double v = 0;

	if (setting_number(OPTION, is_time ? SETTING_TIME : SETTING_NUMBER, value, &v, &mine) != OK)
		return refuse_value(c, value, wants, e);
	c->change.factor = is_time ? 1 : v;
	c->change.ns = is_time ? saturate_whole(v) : -1;
	return OK;
}

static enum status read_value(struct critical_change *c, const char *value, struct err *e)
{
	bool can_hide = c->change.kind == CHANGE_COMM;
	bool can_time = c->change.kind != CHANGE_PYTHON &&
		(c->regex || (c->change.kind != CHANGE_HOST && c->change.kind != CHANGE_STARTUP));
	bool can_be_one = c->change.kind == CHANGE_LAUNCH && !c->regex;
	bool can_be_fused = c->change.kind == CHANGE_KERNEL && !c->regex;
	const char *wants = can_hide ? "a factor, a time or hidden"
		: can_be_one         ? "a factor, a time or graph"
		: can_be_fused       ? "a factor, a time or fused"
				     : "a factor or a time";

	if (can_hide && strcmp(value, "hidden") == 0) {
		c->change.is_hidden = true;
		return OK;
	}
	if ((can_be_one && strcmp(value, "graph") == 0) ||
		(can_be_fused && strcmp(value, "fused") == 0)) {
		c->change.is_one = true;
		return OK;
	}
	if (c->change.kind == CHANGE_SYNC)
		wants = "0, as calls wait or do not";
	else if (!can_time)
		wants = c->regex ? "a factor" : "a factor, as no name is given";
	TRY(read_number(c, value, wants, e));
	if (c->change.kind == CHANGE_SYNC &&
		(c->change.ns > 0 || (c->change.ns < 0 && c->change.factor != 0)))
		return refuse_value(c, value, wants, e);
	if (!can_time && c->change.ns >= 0)
		return refuse_value(c, value, wants, e);
	return OK;
}

/* Of `family` a name is one of its words. */
static enum status check_family(const struct critical_change *c, struct err *e)
{
	struct str words = { 0 };

	for (int f = 0; f < KERNEL_FAMILY_COUNT; f++) {
		if (c->regex && strcmp(c->regex, kernel_family_word(f)) == 0) {
			str_free(&words);
			return OK;
		}
		str_addf(&words, "%s%s", f > 0 ? ", " : "", kernel_family_word(f));
	}
	(void)err_set(e, E_USAGE, -1, "%s '%s' names no family of kernels", OPTION, c->text);
	(void)err_hint(e, "family:NAME, where NAME is one of %s", words.s);
	str_free(&words);
	return E_USAGE;
}

/* One change; text is its own. */
static enum status read_change(
	struct critical_change *c, const char *text, struct arena *mem, struct err *e)
{
	enum change_kind kind = kind_at(text);

	if (kind == CHANGE_COUNT)
		return refuse_kind(text, e);
	*c = (struct critical_change){ .text = text,
		.change = { .kind = kind, .factor = 1, .ns = -1 } };
	const char *rest = text + strlen(change_word(kind));
	const char *value = *rest == ':' ? strrchr(rest, '=') : rest;
	if (!value) {
		(void)err_set(e, E_USAGE, -1, "%s '%s' has no '='", OPTION, text);
		return err_hint(e, KINDS_ARE);
	}
	if (*rest == ':') {
		c->regex = arena_copy(mem, rest + 1, (size_t)(value - rest - 1));
		if (!*c->regex) {
			(void)err_set(e, E_USAGE, -1, "%s '%s': no name between ':' and '='",
				OPTION, text);
			return err_hint(e, "'%s=...' is about all of them", change_word(kind));
		}
		TRY(regex_check(c->regex, OPTION, e));
		if (kind == CHANGE_STARTUP)
			return err_set(e, E_USAGE, -1, "%s '%s': startup takes no name: startup=0",
				OPTION, text);
	}
	if (kind == CHANGE_FAMILY)
		TRY(check_family(c, e));
	return read_value(c, value + 1, e);
}

static bool ends_word(char c)
{
	return c == '\0' || c == ',';
}

/* The repair of a job that stands there: of all its ranks, or of one.  false: none does. */
static bool repair_at(const char *p, enum job_repair *repair, int64_t *rank)
{
	for (int r = 0; r < JOB_REPAIR_COUNT; r++) {
		size_t len = strlen(job_repair_word((enum job_repair)r));

		*repair = (enum job_repair)r;
		if (strncmp(p, job_repair_word(*repair), len) == 0 && ends_word(p[len]))
			return true;
	}
	*repair = JOB_REPAIR_COUNT;
	size_t at = strncmp(p, "rank:", 5) == 0 ? 5 : 0, end = at;
	int64_t n = 0;

	for (; at > 0 && is_digit(p[end]); end++)
		n = saturate_add(saturate_times(n, 10), p[end] - '0');
	if (end == at || strncmp(p + end, "=even", 5) != 0 || !ends_word(p[end + 5]))
		return false;
	*rank = n;
	return true;
}

/* Where the change that begins at p ends. */
static const char *end_of(const char *p)
{
	enum job_repair repair;
	int64_t rank;

	for (; *p; p++)
		if (*p == ',' &&
			(kind_at(p + 1) != CHANGE_COUNT || repair_at(p + 1, &repair, &rank)))
			break;
	return p;
}

static enum status read_one(
	struct critical_given *g, size_t *cap, const char *text, struct arena *mem, struct err *e)
{
	enum job_repair repair;

	if (repair_at(text, &repair, &g->rank)) {
		if (repair != JOB_REPAIR_COUNT)
			g->repairs |= 1u << repair;
		return OK;
	}
	g->v = arena_grow(mem, g->v, g->n, cap, sizeof(*g->v));
	TRY(read_change(&g->v[g->n], text, mem, e));
	g->n++;
	return OK;
}

enum status critical_read_given(
	struct critical_given *g, const struct opt_list *list, struct arena *mem, struct err *e)
{
	size_t cap = 0;

	*g = (struct critical_given){ .rank = -1 };
	for (size_t i = 0; i < list->n; i++) {
		const char *p = list->v[i];

		for (;;) {
			const char *end = end_of(p);

			TRY(read_one(g, &cap, arena_copy(mem, p, (size_t)(end - p)), mem, e));
			if (!*end)
				break;
			p = end + 1;
		}
	}
	return OK;
}

/* ---- which names of the run a change of --what-if is about ---- */

struct matching {
	struct critical *c;
	enum change_kind kind;
	struct regex *regex;
	bool *match; /* by sym */
	bool *asked; /* by sym */
	int64_t n;   /* events that the change is about */
};

static enum status ask(struct matching *m, uint32_t row)
{
	const struct run *r = m->c->at->run;
	sym name = r->events.name[row];

	if (!m->asked[name])
		TRY(regex_match(
			m->regex, strings_get(&r->strings, name), &m->match[name], m->c->at->e));
	m->asked[name] = true;
	m->n += m->match[name];
	return OK;
}

/* Whether changes of that kind are about work of that class. */
static bool is_about_work(enum change_kind k, enum devclass cls)
{
	switch (k) {
	case CHANGE_KERNEL: return cls == CLASS_COMPUTE || cls == CLASS_MEMSET;
	case CHANGE_COMM: return cls == CLASS_COMM;
	case CHANGE_COPY: return cls == CLASS_MEMCPY;
	case CHANGE_GAP: return true;
	default: return false;
	}
}

static bool is_about_call(struct matching *m, uint32_t row)
{
	struct critical *c = m->c;
	enum kind kind = (enum kind)c->at->run->events.kind[row];

	switch (m->kind) {
	case CHANGE_OP: return kind == KIND_OP;
	case CHANGE_HOST: return true;
	case CHANGE_LAUNCH: return hostwhat_launches(&c->depend.what, row);
	case CHANGE_SYNC: return hostwhat_waits(&c->depend.what, row);
	case CHANGE_DATA: return c->phase[row] == PHASE_DATA;
	default:
		return change_group(m->kind) != GROUP_COUNT &&
			group_of_word(hostwhat_word(&c->depend.what, row)) == change_group(m->kind);
	}
}

static enum status ask_all(struct matching *m)
{
	const struct run *r = m->c->at->run;
	size_t n = r->order->host_begin[r->lanes.n];

	for (EACH_DEVICE_ROW(row, r)) {
		if (is_about_work(m->kind, classes_of(&m->c->classes, row)))
			TRY(ask(m, row));
	}
	for (size_t i = 0; i < n; i++)
		if (is_about_call(m, r->order->host[i]))
			TRY(ask(m, r->order->host[i]));
	const struct pyframes *f = &m->c->depend.what.functions;
	n = f->begin && m->kind == CHANGE_PYTHON ? f->begin[r->lanes.n] : 0;
	for (size_t i = 0; i < n; i++)
		TRY(ask(m, f->row[i]));
	return OK;
}

enum status critical_match(
	struct critical *c, const struct critical_change *given, const bool **match, int64_t *n)
{
	size_t nsym = c->at->run->strings.n;
	struct matching m = { .c = c, .kind = given->change.kind };

	m.match = arena_array(&c->at->mem, nsym, sizeof(*m.match));
	m.asked = arena_array(&c->at->mem, nsym, sizeof(*m.asked));
	TRY(regex_new(&m.regex, given->regex, "--what-if", c->at->e));
	enum status st = ask_all(&m);
	regex_free(m.regex);
	*match = m.match;
	*n = m.n;
	return st;
}
