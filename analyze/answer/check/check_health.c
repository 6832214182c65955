/* `check`: from counts to verdicts: how bad each rule says that it is. */
#include "analyze/answer/check/check.h"
#include "analyze/rule/list.h"
#include "analyze/trace/run_steps.h"

const char *check_word(enum severity s)
{
	static const char *const words[SEVERITY_COUNT] = { [SEVERITY_OK] = "ok",
		[SEVERITY_NOTE] = "note",
		[SEVERITY_WARN] = "warning",
		[SEVERITY_CRIT] = "bad" };

	return words[s];
}

static int64_t whole_of(const struct check *c, enum share_of of)
{
	switch (of) {
	case OF_EVENTS: return MAX(c->at->run->nevent, c->seen[CHECK_LOST].n);
	case OF_DEVICE: return c->device;
	case OF_RECORDED: return c->device - c->seen[CHECK_QUEUED].n;
	case OF_TREE: return c->host;
	case OF_STEPS: return (int64_t)c->at->run->steps->n;
	case OF_NONE: break;
	}
	return 0;
}

static bool exceeds(int64_t count, int64_t of, int percent)
{
	return of > 0 && (double)count * 100 > (double)of * percent;
}

/* of: what the share is of; 0: it makes no sense. */
static struct finding *add(struct look *k, int64_t count, int64_t of)
{
	struct finding *f = look_add(k);

	f->count = count;
	if (of > 0)
		f->share = (double)count / (double)of;
	return f;
}

/* Whether nothing in the trace says which call launched what: there are no calls, or no ids. */
static bool is_without_links(const struct check *c)
{
	return c->at->run->kind_count[KIND_RUNTIME] == 0 ||
		(c->seen[CHECK_NO_CORRELATION].n == c->device &&
			c->seen[CHECK_WITHOUT_DEVICE].n == 0);
}

static void find(const struct check *c, struct look *k, enum check_id id)
{
	int64_t n = c->seen[id].n;

	k->rule = rules_at(READS_QUALITY, id);
	const struct quality_limits *q = k->rule->quality;
	int64_t of = whole_of(c, q->of);
	struct finding *f = add(k, n, of);
	f->row = c->seen[id].first;
	if (n > 0)
		f->severity = exceeds(n, of, q->percent) ? q->beyond : q->some;
	if (id == CHECK_EVENTS && n == 0)
		f->severity = SEVERITY_CRIT;
	if (id == CHECK_UNLINKED && n > 0 &&
		(is_without_links(c) || !exceeds(n, of, CHECK_UNLINKED_FEW_PERCENT)))
		f->severity = SEVERITY_NOTE;
}

/* Only the end of the text or of the stream is missing, behind the last event. */
static bool has_all_events(const struct run *r, enum problem p)
{
	if (p == PROBLEM_TRUNCATED_JSON)
		return r->saw_window_end && r->tally.count[PROBLEM_TRUNCATED_GZIP] == 0;
	return p == PROBLEM_GZIP_NO_TRAILER;
}

/* A kind of damage that the reader counted. */
static void find_problem(const struct check *c, struct look *k, enum problem p)
{
	const struct problem_info *info = &problem_infos[p];
	struct rule *rule = arena_alloc(k->mem, sizeof(*rule));
	int64_t n = c->at->run->tally.count[p];
	int64_t of = p == PROBLEM_SKIPPED_BYTES ? c->at->run->text_bytes : 0;

	rule->word = (struct analysis_word){ info->id, info->text, info->doc, NULL };
	k->rule = rule;
	struct finding *f = add(k, n, of);
	if (n == 0)
		return;
	switch (info->weight) {
	case WEIGHT_INFO:
	case WEIGHT_REPAIRED: f->severity = SEVERITY_NOTE; break;
	case WEIGHT_LOST: f->severity = SEVERITY_WARN; break;
	case WEIGHT_BROKEN:
		f->severity = has_all_events(c->at->run, p) ? SEVERITY_WARN : SEVERITY_CRIT;
		break;
	}
	if (p == PROBLEM_SKIPPED_BYTES && exceeds(n, of, CHECK_LOST_MAX_PERCENT))
		f->severity = SEVERITY_CRIT;
}

static void put_finding(const struct check *c, struct table *t, const struct finding *f)
{
	const struct run *r = c->at->run;
	bool is_problem = f->nth >= CHECK_COUNT;
	size_t p = f->nth - (is_problem ? CHECK_COUNT : 0);

	TABLE_ROW(t, [HEALTH_VERDICT] = cell_word(check_word(f->severity)),
		[HEALTH_CHECK] = cell_word(f->rule->word.id), [HEALTH_COUNT] = cell_int(f->count),
		[HEALTH_SHARE] = cell_real(f->share),
		[HEALTH_AT] = CELL_IF(f->row != NO_ROW, cell_int(r->events.start[f->row])),
		[HEALTH_OFFSET] = CELL_IF(is_problem, cell_count(r->tally.offset[p])),
		[HEALTH_LINE] = CELL_IF(is_problem, cell_count(r->tally.line[p])),
		[HEALTH_TEXT] = cell_word(f->rule->word.text),
		[HEALTH_MEANING] = cell_word(f->rule->word.doc));
}

/* What the findings of one severity say, joined; memory is the result's, whose verdict says it. */
static const char *list_of(const struct check *c, const struct look *k, enum severity s)
{
	const char *text = "";

	for (EACH(const struct finding, f, k->v, k->n)) {
		if (f->severity != s)
			continue;
		text = arena_printf(k->mem, "%s%s%s", text, *text ? "; " : "",
			f->count == 0 ? "no events" : f->rule->word.text);
		if (!isnan(f->share))
			text = arena_printf(k->mem, "%s (%.1f%%)", text, 100 * f->share);
	}
	return arena_copy(&c->at->out->mem, text, strlen(text));
}

void check_judge(struct check *c, enum severity v, int64_t count, const char *why)
{
	if (count == 0)
		return;
	c->verdicts[v] += count;
	if (v < SEVERITY_WARN || v < c->worst) {
		c->worst = MAX(v, c->worst);
		return;
	}
	c->why = v == c->worst && c->why ? arena_printf(&c->at->out->mem, "%s; %s", c->why, why)
					 : why;
	c->worst = v;
}

/* People see what was found, and the links in any case. */
static bool is_shown(const struct check *c, const struct finding *f)
{
	if (!c->at->q->for_people || c->o->all || f->severity != SEVERITY_OK)
		return true;
	return f->nth == CHECK_EVENTS ||
		(f->count > 0 && (f->nth == CHECK_LINKED || f->nth == CHECK_GRAPH));
}

void check_health_tables(struct check *c)
{
	struct look k = { .run = c->at->run, .mem = &c->at->mem };

	for (size_t i = 0; i < CHECK_COUNT; i++)
		find(c, &k, (enum check_id)i);
	for (size_t i = 0; i < PROBLEM_COUNT; i++)
		find_problem(c, &k, (enum problem)i);
	int64_t count[SEVERITY_COUNT] = { 0 };
	for (size_t i = 0; i < k.n; i++)
		count[k.v[i].severity]++;
	for (enum severity s = SEVERITY_CRIT; s > SEVERITY_OK; s--)
		if (count[s])
			check_judge(c, s, count[s], list_of(c, &k, s));
	if (count[SEVERITY_CRIT])
		result_note(c->at->out, NOTE_ERROR, "unreliable", c->at->input, -1,
			"this trace cannot be relied on: %s", list_of(c, &k, SEVERITY_CRIT));
	struct table *t = perrun_table(c->at, &check_docs[CHECK_HEALTH]);
	t->title = NULL;
	for (EACH(const struct finding, finding, k.v, k.n))
		if (is_shown(c, finding))
			put_finding(c, t, finding);
}
